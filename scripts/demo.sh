#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows what the command does with a level: demo.sh [LEVEL]      (in the top directory, after a build)
# Without LEVEL it builds the project's own sample from its JSON first.
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
# A level with errors is still shown; the check has said so.
run check "$level" || [ $? = 1 ]
run convert "$level" -o "$target/$name.glb"
run render "$level" -o "$target/$name-above.png"
run render --oblique "$level" -o "$target/$name-oblique.png"

echo
echo "Made:"
for file in "$level" "$target/$name.glb" "$target/$name-above.png" "$target/$name-oblique.png"; do
    [ -s "$file" ] || { echo "demo.sh: $file is missing or empty" >&2; exit 1; }
    printf '  %10d bytes  %s\n' "$(wc -c <"$file")" "$file"
done
