#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: diff of faces and things that have moved, of groups, and that its paths are selectors.
# tests/cli/command_comparing.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"
"$mapstone" convert -q "$here/../../samples/outpost.json" -o o.level || exit 2

# ---- faces -----------------------------------------------------------------------------------------------------------
# The hub has 14 faces and 12 things (tests/references/rooms.py finds them in the bytes).
test_that "faces and things that moved together are two lines" 'exits 0 edit -q o.level --drag -e "move in=(Hub) by 0,0,30" -o p.level' 'exits 1 diff o.level p.level' \
    'says "^[*] 14 faces moved by 0,0,30$"' 'says "^[*] 12 objects moved by 0,0,30$"' '! grep -q "^[-+]" out' 'exits 1 diff --stat o.level p.level' \
    'says "^mesh.faces: 16 changed, 14 moved$"' 'says "^mesh.vertices: 32 moved$"' '! grep -q "edges\|added\|removed" out' \
    'exits 1 diff --json o.level p.level' '[ "$(grep -c "\"moved_by\":.0,0,30." out)" = 14 ]'
test_that "their patch moves vertices, there and back" 'exits 1 diff o.level p.level -o m.mspatch' '[ "$(grep -c "\"op\":\"set\".*\"list\":\"mesh.vertices\".*\"path\":\"position\"" m.mspatch)" = 32 ]' \
    '! grep -q "\"op\":\"insert\"\|\"op\":\"remove\"" m.mspatch' 'exits 0 patch o.level m.mspatch -o again.level' 'cmp again.level p.level' 'exits 0 patch --reverse p.level m.mspatch -o back.level' 'cmp back.level o.level'
test_that "a texture that moves with its face is part of the move" 'exits 0 edit -q o.level --each -e "move mesh.faces[*] by 0.3,0,0.2" -o p.level' 'exits 1 diff o.level p.level' \
    '[ "$(cat out)" = "* 173 faces moved by 0.3,0,0.2" ]' 'exits 1 diff --all o.level p.level' 'says "^~ mesh.faces.0. floor.material: offset .*, moved by 0.3,0,0.2$"' \
    'exits 0 edit -q o.level --each --world-texture -e "move mesh.faces[*] by 0.3,0,0.2" -o p.level' 'exits 1 diff o.level p.level' '[ "$(cat out)" = "* 173 faces moved by 0.3,0,0.2" ]'
test_that "what changed besides is said, too" 'exits 0 edit -q o.level --drag -e "move in=(Hub) by 0,0,30" -e "mesh.faces[0].scale[0] = 2" -o p.level' 'exits 1 diff o.level p.level' \
    'says "^[*] 14 faces moved by 0,0,30$"' 'says "^~ mesh.faces.0. floor.material: scale "'
test_that "two rooms, each elsewhere" 'exits 0 edit -q o.level --drag -e "move in=(Hub) by 0,0,30" -e "move in=(Overlook) by 0,50,0" -o p.level' 'exits 1 diff o.level p.level' \
    'says "^[*] 14 faces moved by 0,0,30$"' 'says "^[*] [0-9]+ faces( .[a-z.]+.)? moved by 0,50,0$"'
test_that "a merge moves a room and keeps what others did in it" 'exits 0 edit -q o.level --drag -e "move in=(Hub) by 0,0,30" -o ours.level' \
    'exits 0 set -q o.level "mesh.faces[0].material=materials/outpost/grate.material" "objects[17].properties.intensity=9" -o theirs.level' 'exits 0 merge o.level ours.level theirs.level -o both.level' \
    'exits 0 get both.level "mesh.faces[0].material" "objects[17].properties.intensity"' '[ "$(cat out)" = "materials/outpost/grate.material
9" ]' 'exits 1 diff o.level both.level' 'says "^[*] 14 faces moved by 0,0,30$"'
test_that "few things that moved with faces are one line" 'exits 0 edit -q o.level --drag -e "move in=(Overlook) by 8,0.5,-16" -o p.level' 'exits 1 diff o.level p.level' 'says "^[*] 9 faces moved by 8,0.5,-16$"' 'says "^[*] 4 objects moved by 8,0.5,-16$"' \
    'exits 1 diff --all o.level p.level' '[ "$(grep -c "^~ objects.[0-9]*. .*: origin " out)" = 4 ]'
# Copies of a light of the hub, 1 m from each other: only their common distance reveals which is which.
test_that "twins that moved together" 'exits 0 edit -q o.level -e "duplicate objects[17]" -e "duplicate objects[17]" -e "duplicate objects[17]" -e "objects[18].origin += [1,0,0]" -e "objects[19].origin += [2,0,0]" -e "objects[20].origin += [3,0,0]" -o t.level' \
    'exits 0 edit -q t.level --drag -e "move in=(Hub) by 0,0,30" -o p.level' 'exits 1 diff t.level p.level' 'says "^[*] 15 objects moved by 0,0,30$"' '! grep -q ambiguous out' \
    'exits 0 edit -q p.level -e "objects[18].intensity = 7" -e "remove objects[20]" -o q.level' 'exits 1 diff --all t.level q.level' 'says "^~ objects.18. .*: origin .*, intensity 6 -> 7$"' 'says "^- objects.20. "' '! grep -q ambiguous out' \
    'exits 0 set -q t.level "objects[19].intensity=2" -o theirs.level' 'exits 0 merge t.level p.level theirs.level -o both.level' 'exits 0 set -q p.level "objects[19].intensity=2" -o wanted.level' 'cmp both.level wanted.level'

# ---- order -----------------------------------------------------------------------------------------------------------
# reversed DOCUMENT.json PATH...: the lists at these paths, the other way round
reversed() {
    python3 -c 'import json, sys
document = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    around, steps = document, [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps[:-1]:
        around = around[step]
    around[steps[-1]].reverse()
json.dump(document, open("turned.json", "w"))' "$@"
}
test_that "the order of properties is how they are stored" 'exits 0 convert -q o.level -o o.json' 'reversed o.json objects.40.properties objects.41.properties' \
    'exits 0 convert -q turned.json -o p.level' 'exits 1 diff o.level p.level' '[ "$(cat out)" = "(only how the content is stored has changed: order, packing or padding)" ]' \
    'exits 1 diff o.level p.level -o m.mspatch' 'exits 0 patch o.level m.mspatch -o again.level' 'cmp again.level p.level'
test_that "a number that names another element says so" 'exits 0 convert -q "$here/../../samples/bunker.json" -o L101LEV.MAP' 'exits 0 convert -q L101LEV.MAP -o b.json' \
    'reversed b.json map.doors' 'mkdir -p turned' 'exits 0 convert -q turned.json -o turned/L101LEV.MAP' 'exits 1 diff L101LEV.MAP turned/L101LEV.MAP' \
    'says "^~ map.commands.0.: target 0, which is another one now$"' '! grep -q "target \([0-9]*\) -> \1$" out'

# ---- names -----------------------------------------------------------------------------------------------------------
test_that "groups by their names" 'exits 0 edit -q o.level -e "groups[0].name = Vents" -o g.level' 'exits 0 edit -q g.level -e "objects[12].group = Vents" -o p.level' 'exits 1 diff g.level p.level' \
    '[ "$(cat out)" = "~ objects[12] location Hub: group none -> Vents" ]' 'exits 1 diff p.level g.level' '[ "$(cat out)" = "~ objects[12] location Hub: group Vents -> none" ]' \
    'exits 0 get p.level "objects[group=Vents].class_name"' '[ "$(cat out)" = location ]' 'exits 0 edit -q g.level -e "mesh.faces[30].group = Vents" -o p.level' 'exits 1 diff g.level p.level' 'says "face_groups.0. Vents"'
test_that "a group that does not exist stays a number" 'exits 0 set -q o.level --force "objects[12].group=77" -o p.level' 'exits 1 diff o.level p.level' '[ "$(cat out)" = "~ objects[12] location Hub: group none -> 77" ]'
test_that "of another type at its place, too" 'exits 0 edit -q g.level -e "objects[12].group = Vents" -e "objects[12].layer = Props" -e "objects[12].class_name = tech_point" -o p.level' 'exits 1 diff g.level p.level' 'says "group none -> Vents"' 'says "layer Game -> Props"'

# ---- paths -----------------------------------------------------------------------------------------------------------
test_that "a property by its name alone is the same value" 'exits 0 get o.level "objects[12].origin[1]" "objects[12].name" "objects[class_name=location & name~H*].name"' '[ "$(cat out)" = "3
Hub
Hub
Hangar" ]' \
    'exits 0 set -q o.level "objects[12].origin[1]=5" "objects[12].name=Middle" -o p.level' 'exits 0 set -q o.level "objects[12].properties.origin[1]=5" "objects[12].properties.name=Middle" -o q.level' 'cmp p.level q.level' \
    'exits 0 edit -q o.level --each -e "objects[17:20].distance := intensity * 2" -o p.level' 'exits 0 edit -q o.level --each -e "objects[17:20].properties.distance := intensity * 2" -o q.level' 'cmp p.level q.level' \
    'exits 3 get o.level "objects[12].oirgin"' 'exits 3 set o.level "objects[12].oirgin=1" -o p.level' 'exits 0 table -q --csv --where "intensity>9" --columns path,intensity o.level' 'says "^objects.[0-9]+.,12$"'
test_that "a field comes before a property of its name" 'exits 0 edit -q o.level -e "objects[12].properties[0].name = group" -o p.level' 'exits 0 get p.level "objects[12].group" "objects[12].properties.group[1]"' '[ "$(cat out)" = "none
3" ]' 'exits 0 set -q p.level "objects[12].properties.group[1]=4" -o q.level' 'exits 1 diff p.level q.level' 'says ": properties.group "'
# get_all OLD NEW: every path that diff prints is accepted by `get`, on the side that has it
get_all() {
    "$mapstone" diff --all "$1" "$2" >lines
    awk -v old="$1" -v new="$2" '
        function ask(side, path) { printf "%s\t%s\n", side, path }
        /^[-+~>] [a-z_.]+(\[[0-9]+\])?/ {
            mark = $1; path = $2; sub(/:$/, "", path); side = mark == "+" ? new : old; ask(side, path)
            if (mark != "~" || !match($0, /\]( .*)?: /)) next
            rest = $0; sub(/ \(ambiguous.*$/, "", rest); sub(/^.*\]([^:]|:[^ ])*: /, "", rest)
            n = split(rest, parts, /, /)
            for (i = 1; i <= n; i++) {
                part = parts[i]; sub(/^- /, "", part)
                if (part ~ /^[+] /) continue # the element of NEW that has it may have another index
                if (part ~ /^(reshaped|moved by)/ || part !~ /^[A-Za-z_][][A-Za-z_0-9.=-]*([ :]|$)/) continue
                sub(/[: ].*/, "", part); ask(old, path "." part)
            }
        }' lines | sort -u >asked
    for side in "$1" "$2"; do
        awk -F'\t' -v side="$side" '$1 == side { print $2 }' asked >some
        [ ! -s some ] || tr '\n' '\0' <some | xargs -0 -n 400 "$mapstone" get "$side" >/dev/null 2>why || { echo "$side: $(cat why)"; return 1; }
    done
    echo "$(wc -l <asked) paths"
}
test_that "paths of a sample can be selected" 'exits 0 edit -q g.level --each -e "objects[17:21].intensity *= 2" -e "objects[12].group = Vents" -e "remove objects[30]" -e "mesh.faces[0:3].layer = Props" -o p.level' 'get_all g.level p.level && [ "$(wc -l <asked)" -gt 8 ]'
for chain in "$corpus"/histories/ns2/*/; do
    [ -d "$chain" ] || continue
    old=
    for new in $(find "$chain" -name '*.level' | sort -V); do
        [ -z "$old" ] || test_that "paths of ${chain#"$corpus"/histories/}${new##*/} can be selected" "get_all '$old' '$new'"
        old=$new
    done
done

# ---- other families --------------------------------------------------------------------------------------------------
"$mapstone" convert -q "$here/../../samples/valley.json" -o valley.map || exit 2
"$mapstone" convert -q "$here/../../samples/bunker.json" -o L900LEV.MAP || exit 2
test_that "ground of Turok" 'exits 0 edit -q valley.map --each -e "move collision.vertices[*] by 0,0,10" -o p.map' 'exits 1 diff valley.map p.map' 'says "^[*] [0-9]+ sectors moved by 0,0,10$"' '! grep -q "^[-+~] .*\(collision\|sectors\)" out' \
    'exits 1 diff valley.map p.map -o m.mspatch' '! grep -q "\"op\":\"\(insert\|remove\)\"" m.mspatch' 'exits 0 patch -q valley.map m.mspatch -o q.map' 'cmp p.map q.map'
printf '%s\n' '~ grid_bounds.minimums: 42 values' '~ grid_bounds.maximums: 42 values' '* 320 static_meshes moved by 30,0,0' >all_moved
test_that "meshes in all sections of Turok are one line, also where a float is coarser than the distance" \
    'exits 0 edit -q valley.map --each -e "move grid_sections[*].static_meshes[*] by 30,0,0" -o p.map' 'exits 1 diff valley.map p.map' 'cmp out all_moved'
test_that "actors of Turok" 'exits 0 edit -q valley.map --each -e "move actors.records[*] by 1,2,0" -o p.map' 'exits 1 diff valley.map p.map' 'says "^[*] [0-9]+ actors moved by 1,2,0$"'
# Windows has p.map and p.MAP as one file.
test_that "things and walls of Alien Trilogy" 'exits 0 edit -q L900LEV.MAP --each -e "move map.monsters[*] by 1,2" -o walls.MAP' 'exits 1 diff L900LEV.MAP walls.MAP' '[ "$(cat out)" = "* 8 monsters moved by 1,2" ]' \
    'exits 0 edit -q L900LEV.MAP --each -e "move map.vertices[*] by 64,0,-64" -o walls.MAP' 'exits 1 diff L900LEV.MAP walls.MAP' 'says "^[*] [0-9]+ quads moved by 64,0,-64$"' '! grep -q "vertices\|reshaped" out' \
    'exits 1 diff --stat L900LEV.MAP walls.MAP' 'exits 1 diff L900LEV.MAP walls.MAP -o m.mspatch' 'exits 0 patch -q L900LEV.MAP m.mspatch -o patched.MAP' 'cmp walls.MAP patched.MAP'

# If there are many changes, several of a kind are one line; with --all each is one, with its place.
chain=$corpus/histories/ns2/mvm_test
if [ -d "$chain" ]; then
    test_that "many things of few kinds" 'exits 1 diff "$chain/1.level" "$chain/2.level"' '[ "$(wc -l <out)" -le 24 ]' 'says "^- 6 objects .light_point.$"' 'says "^- objects.14. location Middle at "' \
        'exits 1 diff --all "$chain/1.level" "$chain/2.level"' '[ "$(grep -c "^- objects.[0-9]*. light_point at " out)" = 6 ]'
fi

# ---- real levels -----------------------------------------------------------------------------------------------------
level=$(find "$corpus/ns2" -name '*2fort__267190d3.level' 2>/dev/null)
if [ -n "$level" ]; then
    test_that "a base of a real level" 'exits 0 edit -q "$level" --drag -e "move in=(\"Blue Base\") by 0,0,30" -o p.level' 'exits 1 diff "$level" p.level' \
        '[ "$(cat out)" = "* 3845 faces moved by 0,0,30
* 47 faces: reshaped
* 95 objects moved by 0,0,30" ]' \
        'exits 0 edit -q "$level" --drag -e "move in=(poop) by 8,0.5,-16" -o p.level' 'exits 1 diff "$level" p.level' '[ "$(cat out)" = "* 4299 faces moved by 8,0.5,-16
* 66 faces: reshaped
* 124 objects moved by 8,0.5,-16" ]' # as tests/references/rooms.py counts in the bytes
fi
finish
