#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the libraries of the optional parts from Debian's source packages for a system that Debian has no packages
# of them for: zlib, libspng and expat; for Windows and musl also libarchive, with bzip2 and liblzma for what it
# unpacks. They come to out/SYSTEM-parts, where the presets look for them.
#
#   scripts/parts.sh wasm|windows|musl      (in the top directory; returns at once when that is done)
#
# apt-get has lists and a cache of its own there, so that nothing of the system changes, and no root is needed.
# DEBIAN_MIRROR is where it downloads from, DEBIAN_SUITE the release.
set -eu
system=$1
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
suite=${DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")}
top=$(pwd)
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
*) echo "parts.sh: no such system: $system" >&2; exit 2 ;;
esac
mkdir -p "out/$system-parts"
parts=$(cd "out/$system-parts" && pwd)
key="$(cksum <"$0") $suite"
[ "$(cat "$parts/done" 2>/dev/null || :)" != "$key" ] || exit 0
rm -rf "$parts"
mkdir -p "$parts/apt/lists/partial" "$parts/apt/cache/archives/partial" "$parts/source" "$parts/objects" \
    "$parts/include" "$parts/lib/pkgconfig" "$parts/licences"

# ---- the sources ------------------------------------------------------------------------------------------
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$parts/apt/sources.list"
apt() {
    apt-get -o Dir::Etc::SourceList="$parts/apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$parts/apt/lists" -o Dir::Cache="$parts/apt/cache" -o APT::Sandbox::User=root \
        -o Acquire::Retries=3 -qq "$@"
}
apt update
sources="zlib libspng expat"
[ "$archives" = no ] || sources="$sources bzip2 xz-utils libarchive"
# shellcheck disable=SC2086 # a list of words
(cd "$parts/source" && apt source $sources >../apt/log 2>&1) || { cat "$parts/apt/log" >&2; exit 1; }
rm -rf "$parts/apt"

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
        $compile $flags -w -fvisibility=hidden -I"$parts/include" -c "$folder/$file.c" -o "$parts/objects/$file.o"
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
    PKG_CONFIG_LIBDIR="$parts/lib/pkgconfig" cmake -S "$folder" -B "$parts/objects/$name" -G Ninja \
        -DCMAKE_TOOLCHAIN_FILE="$top/cmake/toolchain-$system.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_PREFIX_PATH="$parts" -DCMAKE_FIND_ROOT_PATH="$parts" \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@" >"$parts/objects/$name.log" 2>&1 &&
        cmake --build "$parts/objects/$name" --target "$target" >>"$parts/objects/$name.log" 2>&1 ||
        { tail -n 40 "$parts/objects/$name.log" >&2; exit 1; }
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
    musl) echo '#define HAVE_GETRANDOM 1' ;;
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

cp "$licence" "$parts/licences/$system-libc"
[ "$system" != wasm ] || mv "$parts/licences/wasm-libc" "$parts/licences/wasi-libc"
rm -rf "$parts/source" "$parts/objects"
echo "$key" >"$parts/done"
