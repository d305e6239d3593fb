#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Levels through Blender and back: without edits, and with edits by tests/blender/edits.py, each judged by the output of `mapstone diff`
# for the level and the imported one. tests/blender/through.sh path/to/mapstone LEVEL... prints a table, with a line for each level and
# edit; exits with 1 if an edit has the wrong result.
set -u
mapstone=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# through LEVEL EDIT: edited by Blender, as edited.glb, and imported, as out.level
through() {
    rm -f "$work"/edited.glb "$work/out.level"
    timeout 900 blender -b --factory-startup --python "$here/edits.py" -- "$work/model.glb" "$work/edited.glb" "$2" >"$work/blender" 2>&1
    "$mapstone" import "$work/edited.glb" --onto "$1" --dry-run >"$work/operations" 2>"$work/err" &&
        "$mapstone" import "$work/edited.glb" --onto "$1" -q -o "$work/out.level" 2>>"$work/err" || return 1
    "$mapstone" diff "$1" "$work/out.level" >"$work/diff"
    return 0
}

# findings LEVEL: the number of findings of each code
findings() {
    "$mapstone" check "$1" | grep -oE '\[[A-Z]+[0-9]*-[A-Z0-9-]+\]' | sort | uniq -c
}

# judge LEVEL EDIT: reports the faults of out.level: textures that have moved (in repeats), or findings that the level does not have
judge() {
    local off
    "$mapstone" convert --for-editing --no-textures "$work/out.level" -o "$work/result.glb" || { echo 'no model'; return; }
    off=$(python3 "$here/textures.py" "$work/edited.glb" "$work/result.glb") || { echo 'textures cannot be compared'; return; }
    [[ $2 == vert ]] || awk '{ exit !($1 < 1e-5) }' <<<"$off" || echo "textures are off by $off"
    diff <(findings "$1") <(findings "$work/out.level") >"$work/new" || echo "findings: $(grep '^>' "$work/new" | tr -s ' \n' ' ')"
}

# row LEVEL EDIT OPERATIONS DIFF: the number of operations (a range for grep -E), and a line of diff like each of these,
# split by |
row() {
    local count result=right pattern
    if through "$1" "$2"; then
        count=$(wc -l <"$work/operations")
        grep -qxE "$3" <<<"$count" || result="WRONG: $count operations"
        while [[ $result == right && -n $4 ]] && read -r pattern; do
            grep -qE "$pattern" "$work/diff" || result="WRONG: diff has no $pattern"
        done < <(tr '|' '\n' <<<"$4")
        [[ $result != right || -n $4 ]] || cmp -s "$1" "$work/out.level" || result='WRONG: other bytes'
        [[ $result != right || -z $4 ]] || result=$(judge "$1" "$2")
        [[ -z $result || $result == right || $result == WRONG* ]] || result="WRONG: $result"
        result=${result:-right}
    else
        count=0 result="WRONG: $(head -1 "$work/err")"
    fi
    [[ $result == right ]] || failed=1
    printf '| %s | %s | %s | %s |\n' "$(basename "$1")" "${2//,/, }" "$count" "$result"
}

printf '| level | in Blender | operations | result |\n|---|---|--:|---|\n'
for level in "$@"; do
    "$mapstone" convert --for-editing --no-textures "$level" -o "$work/model.glb" || exit 2
    row "$level" none 0 ''
    row "$level" move,delete,duplicate,turn,prop,light,empty '[7-9]' '^~ objects.*origin|^- objects|^[+] .*objects|^~ objects.*angles|^[+] .*light_point|^[+] .*resource_point'
    row "$level" parented 1 '^~ objects.*origin'
    row "$level" vert '[12]' '^~ mesh.vertices' # two vertices may be at one place
    row "$level" material 1 '^~ mesh.faces.*material'
    row "$level" remove '[12]' '^- mesh.faces' # with a second one on the same corners, which Blender has dropped
    row "$level" dissolve 0 ''
    row "$level" join 0 ''
    row "$level" cut 0 ''
    row "$level" room 6 '^[+] 6 faces'
    row "$level" extrude '[4-9]|[1-9][0-9]+' '^[~-] mesh.faces|^[+] .*face'
    row "$level" niche '[1-9]|[1-9][0-9]+' '^~ mesh.faces'
done
exit $failed
