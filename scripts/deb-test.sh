#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages of out/deb, or of another directory, in a minimal Debian, uses them, and removes them (as root, in the top
# directory). The last line counts the checks.
#   scripts/deb-test.sh [DIRECTORY]
set -eu
from=${1:-out/deb}
. scripts/chroot.sh
cp "$from"/*.deb samples/outpost.json "$root/work"
cat >"$root/work/use.c" <<'END'
#include <mapstone/document.h>
#include <stdio.h>
int main(int count, char **names) {
    mst_document *document;
    mst_diagnostic why;
    if (count < 2 || mst_open_file(names[1], NULL, &document, &why) != MST_OK)
        return 1;
    puts(mst_document_format(document)->id);
    mst_close(document);
    return 0;
}
END
in_root 'find / -xdev -not -path "/var/*" -not -path "/work/*" -not -path "/tmp/*" | sort >/work/before'
in_root 'apt-get update -qq'
# the command's package installs everything that it needs
in_root 'apt-get install -y --no-install-recommends /work/mapstone_*.deb'
in_root 'cd /work && mapstone convert outpost.json -o a.level && mapstone check a.level && mapstone render a.level -o a.png && mapstone convert a.level -o a.glb'
in_root '[ -s /usr/share/mapstone/page/index.html ] && ls /usr/share/mapstone/page/*.wasm'
# dpkg-shlibdeps does not see that libarchive is loaded. The chroot has no xz to repack with.
in_root 'for one in /work/mapstone_*.deb /work/libmapstone0_*.deb; do dpkg-deb -f "$one" Depends | grep -q libarchive13; done'
tar -C "$root/work" -cJf "$root/work/a.tar.xz" a.level
in_root 'cd /work && mapstone check a.tar.xz && [ "$(mapstone get "a.tar.xz!a.level" version)" = "$(mapstone get a.level version)" ]'
in_root '[ -s /usr/share/man/man1/mapstone-convert.1.gz ] && [ -s /usr/share/mime/packages/mapstone.xml ]'
in_root 'apt-get install -y --no-install-recommends gcc libc6-dev pkg-config /work/lib*.deb'
in_root 'cd /work && cc -Wall -Werror use.c -o use $(pkg-config --cflags --libs mapstone) && [ "$(./use a.level)" = ns2-level ]'
in_root 'cd /work && cc use.c -o static /usr/lib/*/libmapstone.a $(pkg-config --static --libs mapstone) && [ "$(./static a.level)" = ns2-level ]'
in_root 'apt-get purge -y libmapstone0 libmapstone-dev mapstone && ! command -v mapstone'
in_root '! find / -xdev -name "*mapstone*" -not -path "/work/*" -not -path "/var/*" -not -path "/proc/*" | grep .'
echo "$tried passed, 0 failed"
