#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes for some time: run.sh FUZZER COMMAND DIRECTORY SECONDS        (in the top directory)
#
# What is found to be new is kept in DIRECTORY/corpus; what breaks a property in DIRECTORY/findings, and then
# this ends with 1. Seeds are the JSON files here, also as the files that they describe, and small real levels
# (MAPSTONE_CORPUS), which are linked to and not copied.
set -eu
fuzzer=$1 command=$2 directory=$3 seconds=$4
here=$(dirname "$0")
seeds=$directory/seeds
rm -rf "$seeds"
mkdir -p "$seeds" "$directory/corpus" "$directory/findings"
for json in "$here"/seeds/*.json; do
    name=$(basename "$json" .json)
    cp "$json" "$seeds/$name.json"
    # the first version of a sector has no mark: its name tells
    format=$(sed 's/.*"$format":"\([^"]*\)".*/\1/' "$json")
    "$command" convert -t "$format" "$json" -o "$seeds/0_0_0.dat"
    if [ -e "$seeds/0_0_0.dat.tab" ]; then # the other of two files is its companion
        { printf '\000MSTWITH' && cat "$seeds/0_0_0.dat.tab"; } >>"$seeds/0_0_0.dat"
        rm "$seeds/0_0_0.dat.tab"
    fi
    mv "$seeds/0_0_0.dat" "$seeds/$name.file"
done
levels=${MAPSTONE_CORPUS:-../shared/corpus}
if [ -d "$levels" ]; then
    levels=$(cd "$levels" && pwd)
    find "$levels" -type f -size -16k ! -name '*.md' ! -name '*.json' ! -path '*/sfa/*' |
        while read -r level; do ln -s "$level" "$seeds/$(echo "$level" | tr / _)"; done
fi
"$fuzzer" -max_total_time="$seconds" -timeout=10 -report_slow_units=3 -max_len=16384 -malloc_limit_mb=600 \
    -dict="$here/words.dict" -artifact_prefix="$directory/findings/" -print_final_stats=1 \
    "$directory/corpus" "$seeds"
