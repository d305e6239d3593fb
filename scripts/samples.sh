#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the sample levels and their games' files from their JSON, in the current folder, for the examples in docs/:
#   scripts/samples.sh path/to/mapstone
set -eu
mapstone=$(realpath "${1:-build/mapstone}")
samples=$(realpath "$(dirname "$0")/../samples")
make_tree=$(realpath "$(dirname "$0")/make-tree.sh")

"$mapstone" convert "$samples/outpost.json" -o outpost.level
"$mapstone" convert "$samples/foundry.json" -o foundry.level
"$make_tree" "$mapstone" "$samples/outpost-game" ns2
"$mapstone" convert "$samples/bunker.json" -o L900LEV.MAP
"$mapstone" convert "$samples/bunker-textures.json" -o 900GFX.BIN
"$make_tree" "$mapstone" "$samples/bunker-game" alien
"$mapstone" convert "$samples/valley.json" -o valley.map
"$make_tree" "$mapstone" "$samples/valley-game" turok
mkdir keep game
cp "$samples"/keep/*.def keep/
for sector in "$samples"/keep/*.json; do
    name=${sector##*/}
    "$mapstone" convert "$sector" -o "keep/${name%.json}.DAT"
done
cp "$samples"/keep/class.def game/
"$mapstone" convert -q "$samples"/keep-imagery -t revenant-image -o game/IMAGERY/Keep/
"$make_tree" "$mapstone" "$samples/islet" islet
