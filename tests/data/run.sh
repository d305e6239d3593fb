#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads the output of `table --to` with other engines: run.sh COMMAND. On the project's samples, a level of odd values,
# and, if it exists, the corpus. The last line counts tests.
set -u
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/levels" "$work/out"

for sample in outpost.level foundry.level valley.map; do
    "$mapstone" convert -q "$here/../../samples/${sample%.*}.json" -o "$work/levels/$sample"
done
"$mapstone" convert -q "$here/../../samples/bunker.json" -o "$work/levels/L900LEV.MAP"
"$mapstone" convert -q "$here/../../samples/keep/7_10_10.json" -o "$work/levels/7_10_10.DAT"
"$mapstone" convert -q --lenient --force "$here/odd.json" -o "$work/levels/odd.level" 2>/dev/null
# an id of 64 bits, which a double cannot represent
"$mapstone" convert -q --to-version 4 --allow-loss "$work/levels/odd.level" -o "$work/odd4.level" 2>/dev/null
"$mapstone" set -q --force "$work/odd4.level" "objects[0].layer_mask=0x8000000000000001" -o "$work/levels/odd4.level"

operands=("$work/levels")
if [[ -n ${MAPSTONE_CORPUS:-} && -d $MAPSTONE_CORPUS ]]; then
    for family in alien alien-graphics ns2 revenant revenant-imagery sfa spark turok turok-models; do
        [[ -d $MAPSTONE_CORPUS/$family ]] && operands+=("$MAPSTONE_CORPUS/$family")
    done
fi
total=0 bad=0
for script in containers.mjs versions.mjs classes.py; do
    interpreter=node
    [[ $script == *.py ]] && interpreter=python3
    $interpreter "$here/$script" "$mapstone" "$work/out" "${operands[@]}" >"$work/log" 2>&1 || true
    grep -v ' passed, ' "$work/log"
    read -r good _ worse _ < <(grep ' passed, ' "$work/log" | tr -d ,)
    total=$((total + ${good:-0})) bad=$((bad + ${worse:-1}))
done
echo "$total passed, $bad failed"
[[ $bad == 0 ]]
