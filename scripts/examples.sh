#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs below out/prefix, builds the examples only against that installation, as a CMake project and with
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

# list_entities: the same lines in three languages, for a level of each format
levels=out/examples/levels
mkdir -p "$levels/keep" "$levels/islet"
for sector in samples/keep/*.json; do
    "$prefix/bin/mapstone" convert "$sector" -o "$levels/keep/$(basename "$sector" .json).DAT"
done
"$prefix/bin/mapstone" convert samples/valley.json -o "$levels/valley.map"
"$prefix/bin/mapstone" convert samples/bunker.json -o "$levels/L111LEV.MAP"
for name in MAPS.bin globalma.bin capeclaw.romlist.zlb magicave.romlist.zlb; do
    "$prefix/bin/mapstone" convert "samples/islet/$name.json" -o "$levels/islet/$name"
done
# shellcheck disable=SC2046
c++ -std=c++11 -Wall -Wextra examples/list_entities.cpp -o out/examples/pkg-config/list_entities_cpp \
    $(pkg-config --cflags --libs mapstone) -lm
export LD_LIBRARY_PATH="$library" MAPSTONE_LIBRARY="$library/libmapstone.so"
for path in "$level" "$levels/keep" "$levels/valley.map" "$levels/L111LEV.MAP" "$levels/islet"; do
    out/examples/pkg-config/list_entities "$path" >out/examples/c.txt
    out/examples/pkg-config/list_entities_cpp "$path" >out/examples/cpp.txt
    cmp out/examples/c.txt out/examples/cpp.txt
    if command -v python3 >/dev/null; then
        PYTHONPATH=python python3 examples/list_entities.py "$path" >out/examples/python.txt
        cmp out/examples/c.txt out/examples/python.txt
    fi
    [ -s out/examples/c.txt ] || { echo "examples.sh: list_entities printed nothing for $path" >&2; exit 1; }
    echo "\$ list_entities $path"
    head -n 3 out/examples/c.txt
    count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "examples.sh: no examples found" >&2; exit 1; }
echo "$count examples ran"
