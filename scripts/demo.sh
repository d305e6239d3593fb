#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the command's main tasks on a level: demo.sh [LEVEL]      (in the top directory, after a build)
# Without LEVEL it builds the project's samples from their JSON, and shows all of them.
set -eu
command=build/mapstone
target=build/demo
[ -x "$command" ] || { echo "demo.sh: no $command: run make build first" >&2; exit 2; }
mkdir -p "$target"

run() {
    echo
    echo "\$ mapstone $*"
    "$command" "$@"
}

level=${1:-}
if [ -z "$level" ]; then
    level=$target/outpost.level
    run convert samples/outpost.json -o "$level"
    name=outpost
else
    name=$(basename "$level")
    name=${name%.*}
fi
run info "$level"
# A level with errors (exit code 1) is shown anyway.
run check "$level" || [ $? = 1 ]
run convert "$level" -o "$target/$name.glb"
run render "$level" -o "$target/$name-above.png"
run render --oblique "$level" -o "$target/$name-oblique.png"

given=${1:-}
set -- "$level" "$target/$name.glb" "$target/$name-above.png" "$target/$name-oblique.png"
if [ -z "$given" ]; then
    game=$target/outpost-game
    scripts/make-tree.sh "$command" samples/outpost-game "$game"
    run check "$game"
    run convert --search-path "$game" "$level" -o "$target/outpost-game.glb"
    run render --sheet "$game" -o "$target/outpost-sheet.png"
    foundry=$target/foundry.level
    run convert samples/foundry.json -o "$foundry"
    run check --strict --search-path "$game" "$foundry"
    run convert --search-path "$game" "$foundry" -o "$target/foundry.glb"
    run render --oblique --lit --no-entities --no-legend --size 1280 --search-path "$game" "$foundry" -o "$target/foundry.png"
    set -- "$@" "$target/outpost-game.glb" "$target/outpost-sheet.png" "$foundry" "$target/foundry.glb" "$target/foundry.png"
    bunker=$target/L900LEV.MAP
    run convert samples/bunker.json -o "$bunker"
    run convert samples/bunker-textures.json -o "$target/900GFX.BIN"
    run check "$bunker" "$target/900GFX.BIN"
    scripts/make-tree.sh "$command" samples/bunker-game "$target/bunker-game"
    run check "$target/bunker-game"
    run convert --search-path "$target/bunker-game" "$bunker" -o "$target/bunker.glb"
    run render --oblique --search-path "$target/bunker-game" "$bunker" -o "$target/bunker-oblique.png"

    # a level of six files
    mkdir -p "$target/keep"
    cp samples/keep/*.def "$target/keep"
    run convert samples/keep/*.json -t revenant-sector -o "$target/keep/"
    run info --summary "$target/keep"
    run check "$target/keep"
    run convert --level 7 "$target/keep" -o "$target/keep.glb"
    run render --level 7 --view dimetric "$target/keep" -o "$target/keep-dimetric.png"
    run convert samples/keep-imagery -t revenant-image -o "$target/keep/IMAGERY/Keep/"
    run render --level 7 --view game "$target/keep" -o "$target/keep-game.png"
    run render --level 7 --oblique --yaw 25 "$target/keep" -o "$target/keep-oblique.png"
    run convert samples/valley.json -o "$target/valley.map"
    run check "$target/valley.map"
    scripts/make-tree.sh "$command" samples/valley-game "$target/valley-game"
    run check "$target/valley-game"
    run convert --search-path "$target/valley-game" "$target/valley.map" -o "$target/valley.glb"
    run render "$target/valley.map" -o "$target/valley-above.png"
    run render --oblique --yaw 20 --pitch 50 --no-entities --search-path "$target/valley-game" "$target/valley.map" -o "$target/valley-oblique.png"

    # a map set
    islet=$target/islet
    scripts/make-tree.sh "$command" samples/islet "$islet"
    run info --summary "$islet"
    run check --strict "$islet"
    run convert --world "$islet" -o "$target/islet-world.glb"
    run convert --map capeclaw "$islet" -o "$target/islet.glb"
    run render --map capeclaw "$islet" -o "$target/islet-above.png"
    run render --map capeclaw --oblique "$islet" -o "$target/islet-oblique.png"
    run render --map magicave --oblique "$islet" -o "$target/islet-cave.png"
    set -- "$@" "$target/islet.glb" "$target/islet-world.glb" "$target/islet-above.png" "$target/islet-oblique.png" "$target/islet-cave.png"
    set -- "$@" "$target/valley.glb" "$target/valley-above.png" "$target/valley-oblique.png" "$bunker" "$target/bunker.glb" "$target/bunker-oblique.png" "$target/keep.glb" "$target/keep-dimetric.png" "$target/keep-game.png" "$target/keep-oblique.png"
fi

echo
echo "Made:"
for file; do
    [ -s "$file" ] || { echo "demo.sh: $file is missing or empty" >&2; exit 1; }
    printf '  %10d bytes  %s\n' "$(wc -c <"$file")" "$file"
done
