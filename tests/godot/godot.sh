#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Godot imports levels of Natural Selection 2, and makes bodies of their geometry if the names request it:
# tests/godot/godot.sh path/to/mapstone LEVEL... The result is judged by judge.py. godot3-server of Debian; other versions
# were not tried.
set -eu -o pipefail
mapstone=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
shift
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home XDG_CACHE_HOME=$home

# imported PROJECT: Debian's godot3-server (3.2.3) does not quit after --quit, and is ended once the model exists
imported() {
    timeout 90 godot3-server --path "$1" --editor --quit >"$home/import.log" 2>&1 &
    until compgen -G "$1/.import/level.glb-*.md5" >/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.2; done
    kill $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    compgen -G "$1/.import/level.glb-*.md5" >/dev/null
}

# counted LEVEL OPTION...: the output of count.gd for the level's model
counted() {
    local project=$home/project
    rm -rf "$project"
    mkdir "$project"
    cp "$here/project.godot" "$here/count.gd" "$project"
    "$mapstone" convert -q "$@" -o "$project/level.glb"
    imported "$project" || { cat "$home/import.log"; return 1; }
    timeout 60 godot3-server --path "$project" -s count.gd >"$home/counted" 2>"$home/errors" || { cat "$home/errors"; return 1; }
}

for level in "$@"; do
    counted "$level"
    grep -qx 'bodies 0, triangles 0' "$home/counted" || { echo "bodies without --collision: $level"; exit 1; }
    counted "$level" --collision
    python3 "$here/judge.py" "$level" "$home/project/level.glb" "$home/counted"
done
