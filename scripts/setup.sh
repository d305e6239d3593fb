#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a task needs and the machine lacks.
#
#   scripts/setup.sh [--check] [GROUP...]       groups: build test lint shells memory coverage mutation cross wasm
#                                               web view python specs data site ci (all of these), windows, musl, deb, blender, godot, browsers
#                                               (a second one), peers (for `make bench-peers`)
#
# Returns at once when nothing is missing. As root it installs; as another user, and with --check, it prints the
# command to run and exits with 1. Programs and files that no package installed count as well.
set -eu

check=no
[ "${1:-}" = --check ] && { check=yes; shift; }

# One line per package: group, package, and how to detect it
# (cmd: a command, pc: a pkg-config module, path: a file or a pattern).
table='
build     gcc                       cmd:gcc
build     libc6-dev                 path:/usr/include/stdio.h
build     make                      cmd:make
build     cmake                     cmd:cmake
build     ninja-build               cmd:ninja
build     pkg-config                cmd:pkg-config
build     libspng-dev               pc:spng
build     libexpat1-dev             pc:expat
build     libarchive-dev            pc:libarchive
build     zlib1g-dev                pc:zlib
build     libsqlite3-dev            pc:sqlite3
test      g++                       cmd:g++
test      libcmocka-dev             pc:cmocka
test      liblzo2-dev               pc:lzo2
test      python3                   cmd:python3
lint      clang-format              cmd:clang-format
lint      clang-tidy                cmd:clang-tidy
lint      cppcheck                  cmd:cppcheck
lint      xfonts-base               path:/usr/share/fonts/X11/misc/6x12.pcf.gz
memory    clang                     cmd:clang
memory    libclang-rt-14-dev        path:/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.asan-*.a
memory    llvm                      cmd:llvm-symbolizer
memory    valgrind                  cmd:valgrind
memory    libc6-dbg                 path:/usr/lib/debug/.build-id
coverage  gcovr                     cmd:gcovr
mutation  nodejs                    cmd:node
shells    zsh                       cmd:zsh
shells    fish                      cmd:fish
shells    git-lfs                   cmd:git-lfs
shells    jq                        cmd:jq
wasm      clang                     cmd:clang
wasm      lld                       cmd:wasm-ld
wasm      llvm                      cmd:llvm-ar
wasm      wasi-libc                 path:/usr/include/wasm32-wasi/stdio.h
wasm      libclang-rt-14-dev-wasm32 path:/usr/lib/llvm-14/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a
wasm      nodejs                    cmd:node
wasm      dpkg-dev                  cmd:dpkg-source
web       npm                       cmd:npm
python    clang                     cmd:clang
python    python3-pytest            path:/usr/lib/python3/dist-packages/pytest
python    python3-numpy             path:/usr/lib/python3/dist-packages/numpy
python    python3-pip               path:/usr/lib/python3/dist-packages/pip
cross     gcc-i686-linux-gnu        cmd:i686-linux-gnu-gcc
cross     libc6-dev-i386-cross      path:/usr/i686-linux-gnu/include/stdio.h
cross     gcc-s390x-linux-gnu       cmd:s390x-linux-gnu-gcc
cross     libc6-dev-s390x-cross     path:/usr/s390x-linux-gnu/include/stdio.h
cross     qemu-user                 cmd:qemu-s390x
specs     nodejs                    cmd:node
specs     npm                       cmd:npm
specs     file                      cmd:file
specs     python3                   cmd:python3
data      nodejs                    cmd:node
data      npm                       cmd:npm
data      python3-pytest            path:/usr/lib/python3/dist-packages/pytest
data      python3-distributed       path:/usr/lib/python3/dist-packages/distributed
data      python3-pandas            path:/usr/lib/python3/dist-packages/pandas
site      nodejs                    cmd:node
site      npm                       cmd:npm
windows   gcc-mingw-w64-x86-64-posix cmd:x86_64-w64-mingw32-gcc
windows   mingw-w64-x86-64-dev      path:/usr/x86_64-w64-mingw32/include/windows.h
windows   wine                      cmd:wine
windows   wine64                    path:/usr/lib/wine/wine64
windows   dpkg-dev                  cmd:dpkg-source
windows   zip                       cmd:zip
windows   pngquant                  cmd:pngquant
windows   git                       cmd:git
musl      musl-tools                cmd:musl-gcc
musl      dpkg-dev                  cmd:dpkg-source
deb       build-essential           path:/usr/share/build-essential
deb       git                       cmd:git
deb       debhelper                 cmd:dh
deb       dpkg-dev                  cmd:dpkg-buildpackage
deb       fakeroot                  cmd:fakeroot
deb       lintian                   cmd:lintian
deb       debootstrap               cmd:debootstrap
view      nodejs                    cmd:node
view      npm                       cmd:npm
view      chromium                  cmd:chromium
view      f3d                       cmd:f3d
view      xvfb                      cmd:Xvfb
view      xauth                     cmd:xauth
browsers  firefox-esr               cmd:firefox-esr
browsers  xvfb                      cmd:Xvfb
browsers  libgl1-mesa-dri           path:/usr/lib/*/dri/swrast_dri.so
blender   blender                   cmd:blender
blender   python3-numpy             path:/usr/lib/python3/dist-packages/numpy
blender   black                     cmd:black
blender   mypy                      cmd:mypy
blender   xvfb                      cmd:Xvfb
blender   xauth                     cmd:xauth
blender   nodejs                    cmd:node
godot     godot3-server             cmd:godot3-server
godot     python3                   cmd:python3
peers     nodejs                    cmd:node
peers     npm                       cmd:npm
peers     assimp-utils              cmd:assimp
peers     jq                        cmd:jq
'

groups=' '
for group in "${@:-build}"; do
    case $group in
    build | lint | shells | view | specs | data | site | mutation | blender | browsers | godot | peers) groups="$groups$group " ;;
    windows | musl | deb) groups="${groups}build $group " ;;
    test | memory | coverage | python) groups="${groups}build test $group " ;;
    wasm | web) groups="${groups}build wasm $group " ;;
    cross) groups="${groups}build test wasm $group " ;;
    ci) groups="${groups}build test lint shells memory coverage mutation cross wasm web view python specs data site " ;;
    *)
        echo "setup.sh: unknown group: $group (build test lint shells memory coverage mutation cross wasm web view python specs data site windows musl deb blender browsers godot peers ci)" >&2
        exit 2
        ;;
    esac
done

present() {
    case $1 in
    cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
    pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
    path:*)
        # shellcheck disable=SC2086 # may hold a pattern
        set -- ${1#path:}
        [ -e "$1" ]
        ;;
    esac
}

missing=
while read -r group package probe; do
    case $groups in *" ${group:-?} "*) ;; *) continue ;; esac
    case " $missing " in *" $package "*) continue ;; esac
    present "$probe" || missing="$missing $package"
done <<END
$table
END
missing=${missing# }

[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup.sh: missing packages (Debian's names), and no apt-get to install them: $missing" >&2
    exit 1
fi
command_line="apt-get install -y --no-install-recommends $missing"
if [ "$check" = yes ] || [ "$(id -u)" != 0 ]; then
    echo "Some packages are missing: $missing" >&2
    echo "Run this (or, as root, make setup SETUP='${*:-build}'), then try again:" >&2
    echo "  sudo apt-get update && sudo $command_line" >&2
    exit 1
fi

{
    echo "setup.sh: for $(printf "%s\n" $groups | awk "!seen[\$0]++" | xargs) these Debian packages are missing and will be installed:"
    # shellcheck disable=SC2086 # a list of words
    printf '  %s\n' $missing
    echo "by: $command_line"
} >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Another apt may hold the lock on the package lists, for which apt-get update does not wait.
for attempt in 1 2 3 4 5; do
    if apt-get update >"$log" 2>&1; then break; fi
    [ "$attempt" = 5 ] && { cat "$log" >&2; exit 1; }
    sleep $((attempt * 3))
done
# Prints the number of packages including dependencies.
# shellcheck disable=SC2086 # a list of words
apt-get install --simulate --no-install-recommends $missing 2>/dev/null </dev/null |
    sed -n -E 's/^([0-9]+ upgraded, [0-9]+ newly installed).*$/with dependencies: \1/p' >&2
# shellcheck disable=SC2086 # a list of words
if ! apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $missing >"$log" 2>&1 </dev/null; then
    tail -n 30 "$log" >&2
    echo "setup.sh: could not install: $missing" >&2
    exit 1
fi
