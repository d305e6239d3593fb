#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the libraries of the optional parts from Debian's source packages for a system that Debian has no packages
# of them for: zlib, libspng and expat; for Windows, musl and the Linux library in a wheel also libarchive, with bzip2 and liblzma for what it
# unpacks. They are put into out/SYSTEM-parts, where the presets look for them.
#
#   scripts/parts.sh wasm|windows|musl|linux (in the top directory; returns at once when that is done)
#   scripts/parts.sh newest                 fails when Debian has a newer version of one than packaging/parts.txt lists
#   scripts/parts.sh update                 writes the newest versions there
#
# libarchive asks the compiler some 480 questions, which takes minutes. packaging/answers has what it answered for the listed
# version; for another it is asked again. With ANSWERS=write it is asked, and its answers are kept there. (liblzma's few
# questions do more than to ask.)
#
# All of them read files of strangers: their sources are from Debian's security updates, too. Where a version of the list cannot be
# downloaded any more, the newest that can is taken, with a warning: an old commit can be built, but not to the same bytes.
#
# apt-get has lists and a cache of its own there, so that nothing of the system changes, and no root is needed.
# DEBIAN_MIRROR and DEBIAN_SECURITY are where it downloads from, DEBIAN_SUITE the release.
set -eu
system=$1
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
security=${DEBIAN_SECURITY:-http://deb.debian.org/debian-security}
suite=${DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")}
top=$(pwd)
versions=packaging/parts.txt
archives=yes
size=-O2
small=
case $system in
wasm)
    compile="clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi"
    archiver=llvm-ar licence=/usr/share/doc/wasi-libc/copyright archives=no size=-Oz small=" -DXML_MIN_SIZE"
    ;;
windows)
    compile="x86_64-w64-mingw32-gcc -D__USE_MINGW_ANSI_STDIO=1 -D_WIN32_WINNT=0x0A00"
    archiver=x86_64-w64-mingw32-ar licence=/usr/share/doc/mingw-w64-x86-64-dev/copyright
    ;;
musl)
    compile="musl-gcc -fPIE"
    archiver=ar licence=/usr/share/doc/musl/copyright
    ;;
linux)
    compile="gcc -fPIC"
    archiver=ar licence=
    ;;
newest | update) compile='' ;;
*) echo "parts.sh: no such system: $system" >&2; exit 2 ;;
esac
mkdir -p "out/$system-parts"
parts=$(cd "out/$system-parts" && pwd)
key="$(cat "$0" $versions | cksum) $suite"
[ "$(cat "$parts/done" 2>/dev/null || :)" != "$key" ] || exit 0
rm -rf "$parts"
mkdir -p "$parts/apt/lists/partial" "$parts/apt/cache/archives/partial" "$parts/source" "$parts/objects" \
    "$parts/include" "$parts/lib/pkgconfig" "$parts/licences"

# ---- the sources ------------------------------------------------------------------------------------------
for place in "$mirror $suite" "$mirror $suite-updates" "$security $suite-security"; do
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $place main"
done >"$parts/apt/sources.list"
apt() {
    command=$1
    shift
    "$command" -o Dir::Etc::SourceList="$parts/apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$parts/apt/lists" -o Dir::Cache="$parts/apt/cache" -o APT::Sandbox::User=root \
        -o APT::Update::Error-Mode=any -o Acquire::Retries=3 -qq "$@"
}
apt apt-get update

# known PACKAGE: its versions in all suites, the newest first
known() {
    apt apt-cache showsrc "$1" | sed -n 's/^Version: //p' | sort -urV | grep . || { echo "parts.sh: Debian has no sources of $1 in $suite" >&2; exit 1; }
}

# listed PACKAGE: in the list of versions
listed() { sed -n "s/^$1 //p" $versions; }

if [ "$system" = newest ] || [ "$system" = update ]; then
    grep '^#' $versions >"$parts/versions"
    old=0
    for package in $(sed -n 's/^\([a-z][^ ]*\) .*/\1/p' $versions); do
        version=$(known "$package" | head -n 1)
        echo "$package $version" >>"$parts/versions"
        [ "$version" != "$(listed "$package")" ] || continue
        echo "$package: Debian has $version, $versions lists $(listed "$package")"
        old=$((old + 1))
    done
    [ "$system" = newest ] || { cp "$parts/versions" $versions; exit 0; }
    rm -rf "$parts"
    [ $old -eq 0 ] || { echo "parts.sh: scripts/parts.sh update writes the newest versions to $versions" >&2; exit 1; }
    exit 0
fi

sources="zlib libspng expat"
[ "$archives" = no ] || sources="$sources bzip2 xz-utils libarchive"
for package in $sources; do
    wanted=$(listed "$package")
    for version in "$wanted" $(known "$package") none; do
        if (cd "$parts/source" && apt apt-get source "$package=$version" >>../apt/log 2>&1); then break; fi
    done
    [ "$version" != none ] || { cat "$parts/apt/log" >&2; exit 1; }
    [ "$version" = "$wanted" ] || echo "parts.sh: warning: $package $wanted cannot be downloaded: taking $version" >&2
    echo "$package $version" >>"$parts/licences/VERSIONS"
done
rm -rf "$parts/apt"

toolchain=$top/cmake/toolchain-$system.cmake
[ -e "$toolchain" ] || toolchain= # what is built is for the system that builds
# ---- compiling --------------------------------------------------------------------------------------------
# describe NAME VERSION-OF LICENCE LIBRARIES: what pkg-config knows of it, and its licence. On Windows, headers have to
# be told that the libraries are static.
describe() {
    version=$(sed -n 's/^Version: \([0-9]*:\)\{0,1\}\([0-9.]*[0-9]\).*/\2/p' "$parts/source/$2"_*.dsc | head -n 1)
    cp "$3" "$parts/licences/$1"
    cat >"$parts/lib/pkgconfig/$1.pc" <<END
Name: $1
Description: for $system
Version: $version
Cflags: -I$parts/include -DSPNG_STATIC -DXML_STATIC -DLIBARCHIVE_STATIC -DLZMA_API_STATIC
Libs: -L$parts/lib$(printf ' -l%s' $4)
END
    echo "$1 $version"
}

# module NAME VERSION-OF LICENCE LIBRARIES FOLDER FLAGS FILE...: a static library of the files in the folder of a
# source package.
module() {
    name=$1 package=$2 terms=$3 libraries=$4 folder=$5 flags=$6
    shift 6
    objects=
    for file in "$@"; do
        # shellcheck disable=SC2086 # flags are a list of words
        $compile $flags -w -fvisibility=hidden "-ffile-prefix-map=$parts/source/=" -I"$parts/include" -c "$folder/$file.c" -o "$parts/objects/$file.o"
        objects="$objects $parts/objects/$file.o"
    done
    # shellcheck disable=SC2086 # a list of files
    $archiver rcs "$parts/lib/lib${libraries%% *}.a" $objects
    describe "$name" "$package" "$terms" "$libraries"
}

# cmake_module NAME VERSION-OF LICENCE LIBRARIES FOLDER TARGET OPTION...: one that CMake builds.
cmake_module() {
    name=$1 package=$2 terms=$3 libraries=$4 folder=$5 target=$6
    shift 6
    answers=packaging/answers/$name-$system.cmake
    question="# $(sed -n "s/^$package //p" "$parts/licences/VERSIONS"), Debian $suite"
    recorded=
    [ "$name" != libarchive ] || [ "${ANSWERS:-}" = write ] || [ "$(head -n 1 "$answers" 2>/dev/null || :)" != "$question" ] || recorded=yes
    PKG_CONFIG_LIBDIR="$parts/lib/pkgconfig" cmake ${recorded:+-C "$answers"} -S "$folder" -B "$parts/objects/$name" -G Ninja \
        ${toolchain:+"-DCMAKE_TOOLCHAIN_FILE=$toolchain"} -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="-O2 -ffile-prefix-map=$parts/=" -DCMAKE_PREFIX_PATH="$parts" -DCMAKE_FIND_ROOT_PATH="$parts" \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@" >"$parts/objects/$name.log" 2>&1 &&
        cmake --build "$parts/objects/$name" --target "$target" >>"$parts/objects/$name.log" 2>&1 ||
        { tail -n 40 "$parts/objects/$name.log" >&2; exit 1; }
    [ "$name" != libarchive ] || [ "${ANSWERS:-}" != write ] || {
        echo "$question"
        # no paths, nothing of CMake's own
        sed -n '/\//d; /^\(_\|CMAKE\|FIND\)/d; /-ADVANCED:/d; s/^\([A-Za-z0-9_]*\):INTERNAL=\(.*\)$/set(\1 "\2" CACHE INTERNAL "")/p' "$parts/objects/$name/CMakeCache.txt"
    } >"$answers"
    find "$parts/objects/$name" -name "lib${libraries%% *}*.a" -exec cp {} "$parts/lib/lib${libraries%% *}.a" \;
    describe "$name" "$package" "$terms" "$libraries"
}

zlib=$(echo "$parts"/source/zlib-*)
cp "$zlib/zlib.h" "$zlib/zconf.h" "$parts/include"
module zlib zlib "$zlib/LICENSE" z "$zlib" -O2 adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil

spng=$(echo "$parts"/source/libspng-*)
cp "$spng/spng/spng.h" "$parts/include"
module spng libspng "$spng/LICENSE" 'spng z' "$spng/spng" "$size -DSPNG_STATIC" spng

# As Debian configures it. Its hash tables are salted by what the system has for that.
expat=$(echo "$parts"/source/expat-*/expat)
cp "$expat/lib/expat.h" "$expat/lib/expat_external.h" "$parts/include"
{
    cat <<'END'
#define BYTEORDER         1234
#define XML_CONTEXT_BYTES 1024
#define XML_DTD           1
#define XML_NS            1
END
    case $system in
    wasm)
        cat <<'END'
#define HAVE_ARC4RANDOM_BUF 1
#include <stdlib.h>
#include <unistd.h>
#define arc4random_buf(to, size) getentropy((to), (size))
END
        ;;
    musl | linux) echo '#define HAVE_GETRANDOM 1' ;;
    esac
} >"$expat/lib/expat_config.h"
module expat expat "$expat/COPYING" expat "$expat/lib" "$size$small -I$expat/lib -DXML_STATIC" xmlparse xmlrole xmltok

if [ "$archives" = yes ]; then
    bzip2=$(echo "$parts"/source/bzip2-*)
    cp "$bzip2/bzlib.h" "$parts/include"
    module bzip2 bzip2 "$bzip2/LICENSE" bz2 "$bzip2" -O2 blocksort huffman crctable randtable compress decompress bzlib

    xz=$(echo "$parts"/source/xz-utils-*)
    cp -R "$xz/src/liblzma/api/lzma.h" "$xz/src/liblzma/api/lzma" "$parts/include"
    cmake_module liblzma xz-utils "$xz/COPYING" lzma "$xz" liblzma -DCREATE_XZ_SYMLINKS=OFF -DCREATE_LZMA_SYMLINKS=OFF

    archive=$(echo "$parts"/source/libarchive-*)
    cp "$archive/libarchive/archive.h" "$archive/libarchive/archive_entry.h" "$parts/include"
    off=-DPOSIX_REGEX_LIB=NONE
    for part in TEST TAR CPIO CAT OPENSSL MBEDTLS NETTLE LIBB2 LZ4 LZO ZSTD LIBXML2 EXPAT CNG \
        XATTR ACL ICONV INSTALL WERROR; do
        off="$off -DENABLE_$part=OFF"
    done
    # shellcheck disable=SC2086 # a list of words
    cmake_module libarchive libarchive "$archive/COPYING" 'archive lzma bz2 z' "$archive" archive_static $off
fi

[ -z "$licence" ] || cp "$licence" "$parts/licences/$system-libc"
[ "$system" != wasm ] || mv "$parts/licences/wasm-libc" "$parts/licences/wasi-libc"
rm -rf "$parts/source" "$parts/objects"
echo "$key" >"$parts/done"
