#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs below out/prefix, builds the examples against that installation alone, as a CMake project and with
# pkg-config (shared and static), and runs them.     (in the top directory, after a build)
#
# Each example takes a level, the project's sample; change_value also takes a path, a value and an output.
set -eu
top=$(pwd)
prefix=$top/out/prefix
rm -rf "$prefix" out/examples
cmake --install build --prefix "$prefix" >/dev/null
mkdir -p out/examples/pkg-config

level=build/demo/outpost.level
if [ ! -f "$level" ] && [ -f samples/outpost.json ]; then
    mkdir -p build/demo
    "$prefix/bin/mapstone" convert samples/outpost.json -o "$level"
fi

cmake -S examples -B out/examples/cmake -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build out/examples/cmake

pc_file=$(find "$prefix" -name mapstone.pc)
export PKG_CONFIG_PATH="${pc_file%/*}"
library=$(pkg-config --variable=libdir mapstone)
count=0
for source in examples/*.c; do
    [ -f "$source" ] || continue
    name=$(basename "$source" .c)
    # shellcheck disable=SC2046 # options are words
    cc -std=c11 -Wall -Wextra "$source" -o "out/examples/pkg-config/$name" $(pkg-config --cflags --libs mapstone) -lm
    # shellcheck disable=SC2046
    cc -std=c11 -Wall -Wextra "$source" -o "out/examples/pkg-config/$name-static" \
        $(pkg-config --cflags mapstone) "$library/libmapstone.a" \
        $(pkg-config --static --libs mapstone | tr ' ' '\n' | grep -v '^-lmapstone$')
    for program in "out/examples/cmake/$name" "out/examples/pkg-config/$name" "out/examples/pkg-config/$name-static"; do
        set -- "$level"
        if [ "$name" = change_value ]; then
            set -- "$level" 'objects[0].properties[0].value[1]' 2.5 out/examples/changed.level
            rm -f out/examples/changed.level
        fi
        echo "\$ $program $*"
        LD_LIBRARY_PATH=$library "$program" "$@" >out/examples/output.txt </dev/null ||
            { tail -n 20 out/examples/output.txt; echo "examples.sh: $program failed" >&2; exit 1; }
        if [ "$name" = change_value ]; then # at most four bytes
            [ "$(cmp -l "$level" out/examples/changed.level | wc -l)" -le 4 ] && ! cmp -s "$level" out/examples/changed.level ||
                { echo "examples.sh: $program changed more than the value" >&2; exit 1; }
        else
            [ -s out/examples/output.txt ] || { echo "examples.sh: $program printed nothing" >&2; exit 1; }
        fi
        head -n 5 out/examples/output.txt
        count=$((count + 1))
    done
done
[ "$count" -gt 0 ] || { echo "examples.sh: no examples found" >&2; exit 1; }
echo "$count examples ran"
