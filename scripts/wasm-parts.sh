#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the libraries of the optional parts for wasm32-wasi from Debian's source packages, which have no packages
# for it: zlib, libspng and expat. They come to out/wasm-parts, where the presets `wasm` and `web` look for them.
#
#   scripts/wasm-parts.sh          (in the top directory; returns at once when that is done)
#
# apt-get has lists and a cache of its own there, so that nothing of the system changes, and no root is needed.
# DEBIAN_MIRROR is where it downloads from, DEBIAN_SUITE the release.
set -eu
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
suite=${DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")}
mkdir -p out/wasm-parts
parts=$(cd out/wasm-parts && pwd)
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
(cd "$parts/source" && apt source zlib libspng expat >../apt/log 2>&1) || { cat "$parts/apt/log" >&2; exit 1; }
rm -rf "$parts/apt"

# ---- compiling --------------------------------------------------------------------------------------------
# module NAME VERSION-OF LICENCE LIBRARIES FOLDER FLAGS FILE...: a static library of the files in the folder of a
# source package, and what pkg-config knows of it.
module() {
    name=$1 package=$2 licence=$3 libraries=$4 folder=$5 flags=$6
    shift 6
    version=$(sed -n 's/^Version: \([0-9]*:\)\{0,1\}\([0-9.]*[0-9]\).*/\2/p' "$parts/source/$package"_*.dsc | head -n 1)
    objects=
    for file in "$@"; do
        # shellcheck disable=SC2086 # flags are a list of words
        clang --target=wasm32-wasi $flags -w -fvisibility=hidden -nostdlibinc -isystem /usr/include/wasm32-wasi \
            -I"$parts/include" -c "$folder/$file.c" -o "$parts/objects/$file.o"
        objects="$objects $parts/objects/$file.o"
    done
    # shellcheck disable=SC2086 # a list of files
    llvm-ar rcs "$parts/lib/lib${libraries%% *}.a" $objects
    cp "$licence" "$parts/licences/$name"
    cat >"$parts/lib/pkgconfig/$name.pc" <<END
Name: $name
Description: for wasm32-wasi
Version: $version
Cflags: -I$parts/include
Libs: -L$parts/lib$(printf ' -l%s' $libraries)
END
    echo "$name $version"
}

zlib=$(echo "$parts"/source/zlib-*)
cp "$zlib/zlib.h" "$zlib/zconf.h" "$parts/include"
module zlib zlib "$zlib/LICENSE" z "$zlib" -O2 adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil

spng=$(echo "$parts"/source/libspng-*)
cp "$spng/spng/spng.h" "$parts/include"
module spng libspng "$spng/LICENSE" 'spng z' "$spng/spng" "-Oz -DSPNG_STATIC" spng

# As Debian configures it. Its hash tables are salted by WASI's random_get.
expat=$(echo "$parts"/source/expat-*/expat)
cp "$expat/lib/expat.h" "$expat/lib/expat_external.h" "$parts/include"
cat >"$expat/lib/expat_config.h" <<'END'
#define BYTEORDER             1234
#define HAVE_ARC4RANDOM_BUF   1
#define XML_CONTEXT_BYTES     1024
#define XML_DTD               1
#define XML_NS                1
#include <stdlib.h>
#include <unistd.h>
#define arc4random_buf(to, size) getentropy((to), (size))
END
module expat expat "$expat/COPYING" expat "$expat/lib" "-Oz -I$expat/lib" xmlparse xmlrole xmltok

cp /usr/share/doc/wasi-libc/copyright "$parts/licences/wasi-libc"
rm -rf "$parts/source" "$parts/objects"
echo "$key" >"$parts/done"
