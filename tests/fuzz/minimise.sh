#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes corpus/ again:  minimise.sh BUILD      (in the top directory)
#
# For each property in turn, of the small inputs in BUILD/work/own (and in the current corpus/) a few that reach
# all code that the seeds and the earlier selections do not. Inputs derived from real levels are excluded.
set -eu
build=$1
here=$(dirname "$0")
made=$build/work/minimised
rm -rf "$made" "$build/work/begin"
mkdir -p "$made/all" "$build/work/begin/seeds" "$build/work/begin/large"
"$build/tests/fuzz/prepare" "$build/work/begin"
for program in "$build"/tests/fuzz/fuzz_*; do
    name=${program##*/fuzz_}
    [ -d "$build/work/own/$name" ] || continue
    rm -rf "$made/one"
    cp -r "$build/work/begin/seeds" "$made/one"
    cp -r "$made/all/." "$made/one"
    (cd "$made/one" && ls) >"$made/before"
    rm -rf "$made/pool"
    mkdir "$made/pool"
    find "$build/work/own/$name" -type f -size -601c -exec cp -t "$made/pool" {} +
    # edges alone, regardless of their counts
    "$program" -set_cover_merge=1 -use_counters=0 -max_len=16384 "$made/one" "$here/corpus" "$made/pool" \
        >"$made/$name.log" 2>&1
    (cd "$made/one" && ls) | grep -vxFf "$made/before" | while read -r input; do
        mv "$made/one/$input" "$made/all/"
    done
    printf '%-10s %4d inputs so far\n' "$name" "$(ls "$made/all" | wc -l)"
done
rm -rf "$here/corpus"
cp -r "$made/all" "$here/corpus"
du -bs "$here/corpus"
