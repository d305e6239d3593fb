#!/bin/sh
# SPDX-License-Identifier: MIT
# Uses each file of out/dist in isolation: a minimal Debian, Wine, a virtual environment without a network, an empty
# directory with npm (as root, in the top directory). The last line counts the checks.
set -eu
version=$(scripts/version.sh)
dist=$(pwd)/out/dist
wine=$(pwd)/tests/cross/wine.sh
name=mapstone-$version
(cd out/dist && sha256sum --quiet -c SHA256SUMS)
. scripts/chroot.sh
cp out/dist/* samples/outpost.json "$root/work"

# here NAME COMMAND: in an empty directory of this machine
here() {
    rm -rf out/dist-here
    mkdir -p out/dist-here/home
    (cd out/dist-here && eval "$2") >out/dist-test.log 2>&1 || {
        tail -n 30 out/dist-test.log >&2
        echo "failed: $1" >&2
        exit 1
    }
    tried=$((tried + 1))
}
use='convert -q outpost.json -o a.level && M check -q a.level && M render -q a.level -o a.png && [ -s a.png ] && M convert -q a.level -o a.glb && M dump a.level -o b.json && M convert b.json -o b.level && cmp a.level b.level'

# ---- Linux, without a package of it --------------------------------------------------------------------------------------
in_root "cd /work && tar xzf $name-linux-x64.tar.gz && M() { ./$name-linux-x64/mapstone \"\$@\"; } && M $use && [ \"\$(M version)\" = \"mapstone $version\" ]"
in_root "cd /work && ls $name-linux-x64/licences/VERSIONS $name-linux-x64/LICENSE"
in_root "cd /work && tar xzf $name-site.tar.gz && [ -s $name-site/index.html ] && [ -s $name-site/view/index.html ] && [ \$(wc -c <$name-page.html) -gt 1000000 ]"

# ---- Python --------------------------------------------------------------------------------------------------------------
in_root 'apt-get update -qq && apt-get install -y --no-install-recommends python3-venv'
in_root "cd /work && python3 -m venv v && v/bin/pip install --quiet --no-index $name-py3-none-manylinux*.whl && ls v/lib/python3*/site-packages/$name.dist-info/licenses/VERSIONS.txt"
in_root 'cd /work && v/bin/python -c "import mapstone; level = mapstone.open(\"a.level\"); assert not level.check(), level.check()"'
here 'the wheel for Windows has the library' "unzip -q '$dist/$name-py3-none-win_amd64.whl' && [ -s mapstone/mapstone.dll ] && [ -s $name.dist-info/licenses/VERSIONS.txt ]"

# ---- Blender: tests/blender tries the add-on -------------------------------------------------------------------------------
in_root "cd /work && apt-get install -y --no-install-recommends unzip && unzip -q $name-blender.zip && cd mapstone_levels && python3 -c 'import mapstone; assert mapstone.open(\"../a.level\").editing_glb()'"
here 'a program in C loads the DLL of the add-on' "unzip -q '$dist/$name-blender.zip' && cat >use.c <<'END'
#include <windows.h>
#include <stdio.h>
int main(void) {
    typedef const char *version_function(void);
    HMODULE library = LoadLibraryA(\"mapstone_levels\\\\mapstone\\\\mapstone.dll\");
    version_function *version = library ? (version_function *)(void *)GetProcAddress(library, \"mst_version\") : NULL;
    return version ? puts(version()) < 0 : 1;
}
END
x86_64-w64-mingw32-gcc -Wall use.c -o use.exe && [ \"\$('$wine' use.exe | tr -d '\\r')\" = '$version' ]"

# ---- the sources ---------------------------------------------------------------------------------------------------------
in_root "cd /work && apt-get install -y --no-install-recommends make && tar xzf $name.tar.gz && cd $name && make demo && build/mapstone version"

# ---- npm -----------------------------------------------------------------------------------------------------------------
here 'npx runs the command' "cp '$root/work/outpost.json' . && M() { HOME=\$PWD/home npx --offline --yes --package '$dist/$name-npm.tgz' mapstone \"\$@\"; } && M $use"

# ---- Windows -------------------------------------------------------------------------------------------------------------
here 'the command runs under Wine' "unzip -q '$dist/$name-windows-x64.zip' && cp '$root/work/outpost.json' . && M() { '$wine' $name-windows-x64/mapstone.exe \"\$@\"; } && M $use"
# The files in the zip find the library: by its name, with pkg-config, with CMake, and with the names for MSVC's lib.
use_c='cat >use.c <<END
#include <mapstone/document.h>
#include <stdio.h>
int main(void) {
    mst_document *document;
    mst_diagnostic why;
    if (mst_open_file("a.level", NULL, &document, &why) != MST_OK)
        return 1;
    puts(mst_document_format(document)->id);
    mst_close(document);
    return 0;
}
END
says() { [ "$("$wine" $1 | tr -d "\r")" = ns2-level ]; }'
unpack="unzip -q '$dist/$name-windows-x64.zip' && cp '$root/work/a.level' $name-windows-x64 && cd $name-windows-x64 && $use_c"
here 'a program in C uses the DLL' "$unpack
x86_64-w64-mingw32-gcc -Wall -Werror -Iinclude use.c -o use.exe lib/libmapstone.dll.a && says use.exe"
here 'pkg-config finds the DLL' "$unpack
export PKG_CONFIG_LIBDIR=\$PWD/lib/pkgconfig
[ \"\$(pkg-config --modversion mapstone)\" = '$version' ] && x86_64-w64-mingw32-gcc -Wall -Werror use.c -o use.exe \$(pkg-config --cflags --libs mapstone) && says use.exe"
here 'CMake finds the DLL' "$unpack
printf 'cmake_minimum_required(VERSION 3.21)\nproject(use C)\nfind_package(mapstone $version REQUIRED)\nadd_executable(use use.c)\ntarget_link_libraries(use PRIVATE mapstone::mapstone)\n' >CMakeLists.txt
cmake -S . -B made -DCMAKE_TOOLCHAIN_FILE='$(pwd)/cmake/toolchain-windows.cmake' -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH -Dmapstone_DIR=\$PWD/lib/cmake/mapstone && cmake --build made && cp made/use.exe . && says use.exe"
here 'the list of names is the one of the DLL' "$unpack
x86_64-w64-mingw32-dlltool -d lib/mapstone.def -l made.a && x86_64-w64-mingw32-gcc -Wall -Werror -Iinclude use.c -o use.exe made.a && says use.exe &&
x86_64-w64-mingw32-nm lib/libmapstone.dll.a | sed -n 's/.* T //p' | LC_ALL=C sort -u >exported && sed -n 's/^    \(.*\)\r/\1/p' lib/mapstone.def >listed && cmp exported listed"
here 'a static library that does not link by itself is left out' "unzip -l '$dist/$name-windows-x64.zip' | grep -c '\.a\$' >count; [ \"\$(cat count)\" = 1 ]"
here 'the zip is below 12 MB' "[ \$(stat -c %s '$dist/$name-windows-x64.zip') -lt 12000000 ]"
here 'the program and the library have their resources' "unzip -q '$dist/$name-windows-x64.zip' && cd $name-windows-x64 && for one in exe dll; do
    python3 -c '
import sys
text = open(\"mapstone.\" + sys.argv[1], \"rb\").read()
wanted = [\"mapstone.\" + sys.argv[1], sys.argv[2]]
assert all(one.encode(\"utf-16-le\") in text for one in wanted)
assert sys.argv[1] != \"exe\" or all(one in text for one in (b\"longPathAware\", b\"activeCodePage\", b\"asInvoker\", b\"PNG\"))' \$one '$version' || exit 1; done"
here 'a double click opens the page of the zip' "unzip -q '$dist/$name-windows-x64.zip' && cd $name-windows-x64 && export WINEPREFIX='$(pwd)/out/wine' &&
    python3 '$(pwd)/tests/cross/windows/window.py' 120 URL mapstone.exe >shown && grep -q '<title>' shown && grep -q 'type cmd into the address bar' shown; code=\$?; wineserver -k; exit \$code"
here 'a file that is dropped on it opens in the page' "unzip -q '$dist/$name-windows-x64.zip' && cd $name-windows-x64 && export WINEPREFIX='$(pwd)/out/wine' &&
    python3 '$(pwd)/tests/cross/windows/window.py' 120 URL mapstone.exe \"Z:\$(pwd | tr / '\\\\')\\\\samples\\\\outpost.level\" >shown && grep -q '^address:.*opened' shown; code=\$?; wineserver -k; exit \$code"
here 'view serves the page of the zip' "unzip -q '$dist/$name-windows-x64.zip' && cd $name-windows-x64 && ls README.txt docs/index.html docs/docs/games-turok.html licences/VERSIONS.txt &&
    { '$wine' mapstone.exe view --print 'samples\\outpost.level' >address & } && for i in \$(seq 100); do [ -s address ] || sleep 0.2; done && python3 -c '
import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1]).read().decode()
assert \"<title>\" in page, page' \"\$(tr -d '\r' <address)\"; code=\$?; WINEPREFIX='$(pwd)/out/wine' wineserver -k; exit \$code"
rm -rf out/dist-here
echo "$tried passed, 0 failed"
