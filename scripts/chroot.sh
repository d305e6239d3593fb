# SPDX-License-Identifier: MIT
# A minimal Debian in out/deb-root; sourced (as root, in the top directory). It is removed at the end.
#   in_root COMMAND      runs it there, as root in a clean environment; the first failure ends the script
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
suite=${DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")}
root=$(pwd)/out/deb-root
base=out/deb-base-$suite.tar
[ -s "$base" ] || {
    rm -rf "$root"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >out/debootstrap.log 2>&1 || { tail -n 20 out/debootstrap.log >&2; exit 1; }
    tar -C "$root" -cf "$base" .
}
rm -rf "$root"
mkdir -p "$root"
trap 'umount "$root/proc" 2>/dev/null || :; rm -rf "$root"' EXIT
tar -C "$root" -xf "$base"
mount -t proc proc "$root/proc" 2>/dev/null || :
mkdir "$root/work"
tried=0
in_root() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -euc "$1" >out/deb-test.log 2>&1 || {
        tail -n 30 out/deb-test.log >&2
        echo "failed: $1" >&2
        exit 1
    }
    tried=$((tried + 1))
}
