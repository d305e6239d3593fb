#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: pictures, models and SVG of levels.
# tests/cli/command_drawing.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

printf '%s' '{"$format":"ns2-level","version":10,"mesh":{},"objects":[{"class_name":"logic_button","has_layers":false,"group":4294967295,"properties":[{"name":"output1","type":"string","animated":false,"value":["a"]}],"extras":[]},{"class_name":"func_door","has_layers":false,"group":4294967295,"properties":[{"name":"origin","type":"distance","animated":false,"value":[9,0,9]},{"name":"name","type":"string","animated":false,"value":["A"]}],"extras":[]}]}' >acting.json
test_that "arrows from entities to their targets" 'exits 0 convert --force acting.json -o acting.level' 'exits 0 info --triggers acting.level' \
    'says "output1 triggers objects\[1\] func_door"' 'exits 0 render --size 240 acting.level -o above.png' 'exits 0 render --size 240 --no-links acting.level -o bare.png' \
    '! cmp -s above.png bare.png' 'exits 0 render --size 240 --links acting.level -o links.png' 'cmp above.png links.png' 'exits 0 render --size 240 --oblique acting.level -o oblique.png' \
    'exits 0 render --size 240 --oblique --links acting.level -o linked.png' '! cmp -s oblique.png linked.png'
test_that "only some classes" 'exits 0 render --size 240 acting.level -o two.png --only func_door,logic_button' 'cmp above.png two.png' \
    'exits 0 render --size 240 acting.level -o two.png --only "func_*" --only "*button"' 'cmp above.png two.png' 'exits 0 render --size 240 acting.level -o door.png --only "func_*"' \
    'exits 0 render --size 240 acting.level -o hidden.png --hide "logic_?utton"' 'cmp door.png hidden.png' '! cmp -s above.png door.png' '[ ! -s err ]' \
    'exits 0 render --size 240 acting.level -o same.png --hide func_wall' 'cmp above.png same.png' "complains \"^warning: --hide: nothing in acting.level has a class like 'func_wall'$\"" \
    'exits 0 convert acting.level -o two.gltf' 'exits 0 convert acting.level -o door.gltf --only func_door' 'grep -q logic_button two.gltf' \
    'grep -q func_door door.gltf' '! grep -q logic_button door.gltf'
test_that "where the symbols of a picture are" 'exits 0 render --size 240 acting.level -o marked.png --marks marks/of.json' 'cmp above.png marked.png' \
    'grep -q "^{\"picture\":\"marked.png\",\"width\":240,\"height\":[0-9]*,\"marks\":\[$" marks/of.json' '[ "$(grep -c "\"role\":\"entity\"" marks/of.json)" = 2 ]' \
    'grep -q "^{\"x\":[0-9]*[.][0-9][0-9],\"y\":[0-9]*[.][0-9][0-9],\"role\":\"entity\",\"class\":\"func_door\",\"name\":\"A\",\"path\":\"objects\[1\]\"}" marks/of.json' \
    'exits 0 render --size 240 acting.level --only "x*" -o marked.png --marks marks/of.json' 'grep -q "\"marks\":\[\]}$" marks/of.json' \
    'exits 2 render acting.level -o marked.png --marks acting.level' 'complains "acting.level is an input; it is not overwritten"' \
    'exits 5 render acting.level -o m.png --marks m.png' '[ ! -e m.png ]' 'exits 2 render acting.level -o m.png --marks marks/' '[ ! -e m.png ]' \
    'exits 2 render acting.level a.level -o many/ --marks m.json' 'complains "marks applies to one picture"' '[ ! -e m.json ]'
test_that "lengths in the unit of the game's editor" 'exits 0 tree --all acting.level' 'says "value: \[9, 0, 9\] m \(354.331, 0, 354.331 in\)$"' \
    'exits 0 info acting.level' 'says "^  in the editor .* in$"' 'exits 0 convert "$here/../../samples/valley.json" -o units.map' \
    'exits 0 info units.map' '! says "in the editor" >/dev/null' 'exits 0 tree --all units.map' '! says "m \(" >/dev/null'

# ---- render ----------------------------------------------------------------------------------------
test_that "render" 'exits 0 render --size 64x48 a.level -o a.png' '[ "$(head -c 4 a.png | tail -c 3)" = PNG ]'
test_that "layers that there are not" 'exits 0 convert "$here/../../samples/outpost.json" -o layers.level' 'exits 0 render --size 64 --layers Props layers.level -o l.png' \
    'rm l.png' 'exits 2 render --size 64 --layers Props,props layers.level -o l.png' "complains \"is on 'props'; did you mean 'Props'\"" '[ ! -e l.png ]' \
    'exits 2 render --layers Props a.level -o l.png' 'complains "nor on any layer"'
test_that "render sizes and colours that are none" 'exits 2 render --size 0 a.level -o x.png' 'exits 2 render --size 99999 a.level -o x.png' \
    'exits 2 render --background pink a.level -o x.png' '[ ! -e x.png ]'
test_that "a picture's name says that it is one" 'exits 0 render --size 240 a.level -o above.png' 'exits 0 render --size 240 a.level second.png' 'cmp second.png above.png' \
    'exits 0 render --size 240 a.level second.png' 'exits 0 render --size 240 a.level pictures/' 'cmp pictures/a.png above.png' \
    'for f in a.jpg a.JPEG a.webp a.glb a.level; do exits 2 render a.level -o $f && complains "pictures are PNG, maps also SVG; name it a\.png" || return 1; done' \
    'exits 2 render a.level new.jpg' 'complains "name it new\.png"' '[ ! -e new.jpg ]' '[ ! -e a.jpg ]' \
    'exits 0 render --size 240 a.level -o extless' 'cmp extless above.png' 'exits 0 render --size 240 a.level -o UPPER.PNG' 'cmp UPPER.PNG above.png' \
    'exits 0 render --size 240 --view top a.level -o top.png' 'cmp top.png above.png'
test_that "a part of a map" 'exits 0 render acting.level --area 8,8,2x2 -o part.png --marks part.json' '[ "$(grep -c func_door part.json)" = 1 ]' \
    '! grep -q logic_button part.json' 'exits 0 render acting.level --area -1.5,-1.5,3x3 -o part.svg' '! grep -q func_door part.svg' 'grep -q "<title>logic_button" part.svg' \
    'for one in 1,2,3 1,2,0x4 1,2,3x-4 1,2,3x4z a,2,3x4 1,2,nanx4; do exits 2 render acting.level --area $one -o no.png && complains "is not LEFT,TOP,WIDTHxDEPTH" || return 1; done' \
    'exits 2 render --oblique acting.level --area 1,2,3x4 -o no.png' 'complains "area has no effect with --view oblique"' '[ ! -e no.png ]'
test_that "a map as SVG" 'exits 0 render acting.level -o map.svg' 'python3 -c "import xml.dom.minidom as m; m.parse(\"map.svg\")"' \
    'grep -q "<title>func_door</title>" map.svg' 'exits 0 render --view top --only func_door acting.level -o Door.SVG' 'grep -q ">func_door</text>" Door.SVG' \
    '! grep -q logic_button Door.SVG' 'exits 2 render --view oblique acting.level -o no.svg' 'complains "SVG is only for maps from above, not for --view oblique"' \
    'exits 2 render --oblique acting.level -o no.svg' 'complains "oblique has no effect with SVG"' 'exits 2 render acting.level -o no.svg --marks m.json' \
    'exits 2 render --sheet acting.level -o no.svg' '[ ! -e no.svg ]'
test_that "bounds are those of the file, too" 'exits 0 convert "$here/../../samples/valley.json" -o valley.map' 'exits 0 info valley.map' \
    'says "^  in the file .* units, 38\.4 a metre; world X Y Z are the file'\''s x z -y$"' 'exits 0 info --json valley.map' \
    'says "\"file_bounds\":\{\"minimum\":\[.*\"unit_metres\":0\.0260416"' 'exits 0 info a.level' '! says "in the file" >/dev/null'
test_that "colours have names" \
    'for n in "#fff:white" "#FFFFFF:White" "fff:#ffffffff" "#f00:red" "#f00f:red" "#008000:green" "#000080:navy" "#0ff:cyan" "#808080:grey"; do
    exits 0 render --size 200 --background "${n%:*}" a.level -o x.png && exits 0 render --size 200 --background "${n#*:}" a.level -o y.png && cmp x.png y.png || return 1; done' \
    'exits 0 render --size 200 --background red a.level -o x.png' '! cmp -s x.png y.png' 'exits 0 render --size 200 --background "#1230" a.level -o x.png' \
    'exits 0 render --size 200 --background Transparent a.level -o y.png' \
    'for n in "#ff" "#fffff" "#fffffff" "#ggg" "" "rosy"; do exits 2 render --size 200 --background "$n" a.level -o z.png && complains "is not a colour; .* white " || return 1; done' \
    '[ ! -e z.png ]'

# ---- overviews -------------------------------------------------------------------------------------
# A floor at +X and -Z, with a ceiling; a higher one at -X and +Z; one outside of the square of the first minimap_extents, which is the
# one used.
floor() { printf 'insert mesh.faces[%s] = {"material": "materials/a.material", "positions": [[%s, %s, %s], [%s, %s, %s], [%s, %s, %s], [%s, %s, %s]]}\n' "$1" "$2" "$3" "$4" "$2" "$3" "$6" "$5" "$3" "$6" "$5" "$3" "$4"; }
{ floor 0 33.5 0 -25 43.5 -15 && floor 1 -16.5 8 15 -6.5 35 && floor 2 113.5 0 0 123.5 10
    echo 'insert mesh.faces[3] = {"material": "materials/a.material", "positions": [[43.5, 4, -25], [43.5, 4, -15], [33.5, 4, -15], [33.5, 4, -25]]}'
    echo 'add minimap_extents origin=13.5,4,5 scale=140,30,140'
    echo 'add minimap_extents origin=10,2,5 scale=160,40,120'; } >floors.edit
# seen NAME: the rectangle of opaque pixels, as LEFT,TOP-RIGHT,BOTTOM; and their number
seen() {
    python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import overview
rows = [row[3::4] for row in overview.read_png(sys.argv[2])]
y = [i for i, row in enumerate(rows) if any(row)]; x = [i for i in range(1024) if any(row[i] for row in rows)]
print("%d,%d-%d,%d" % (x[0], y[0], x[-1], y[-1]), sum(map(bool, b"".join(rows))))' "$here/../references" "$1"
}
# number NAME OFFSET FORM: a number of a file
number() { python3 -c 'import struct, sys; print(struct.unpack_from(sys.argv[3], open(sys.argv[1], "rb").read(), int(sys.argv[2]))[0])' "$@"; }
test_that "an overview of the square that minimap_extents names" 'exits 0 new ns2-level -o floors.level' 'exits 0 edit -q -i floors.level --script floors.edit' \
    'exits 0 render --overview floors.level -o overviews/' '[ "$(wc -c <overviews/floors.hmp)" -eq 2097192 ]' '[ ! -s out ]' '[ ! -s err ]' \
    'python3 "$here/../references/overview.py" "$mapstone" floors.level' \
    '[ "$(number overviews/floors.hmp 36 "<f")" = 4.0 ]' 'exits 0 edit -q -i floors.level -e "add commander_camera origin=10,12,5"' \
    'exits 0 render --overview floors.level -o with.png' 'cmp with.png overviews/floors.png' '[ "$(number with.hmp 36 "<f")" = 22.0 ]' \
    'cmp -n 36 with.hmp overviews/floors.hmp' 'python3 "$here/../references/overview.py" "$mapstone" floors.level'
# The square's 70 metres are 1024 pixels, 14.63 a metre; +X is at the top and +Z to the right. Heights are shares of 65533 of the 15 metres from -3.5.
test_that "an overview is as large and turned as the game's" 'square=$(seen with.png)' 'echo "$square"' '[ "${square% *}" = 73,73-950,950 ]' '[ "${square#* }" -gt 64000 ]' \
    '[ "$(number with.hmp $((40 + 2 * (1024 * 150 + 150))) "<H")" = 15291 ]' '[ "$(number with.hmp $((40 + 2 * (1024 * 850 + 700))) "<H")" = 50242 ]' \
    '[ "$(number with.hmp $((40 + 2 * (1024 * 150 + 700))) "<H")" = 65535 ]' '[ "$(number with.hmp 40 "<H")" = 65535 ]'
test_that "an overview of a level of build 320 or later" 'exits 0 edit -q floors.level -o modern.level -e "insert objects[0].properties[0] = {\"name\": \"useLegacyOverview\", \"type\": \"bool\", \"animated\": false, \"value\": [false]}"' \
    'exits 0 render --overview modern.level -o modern.png' 'cmp modern.hmp with.hmp' 'square=$(seen modern.png)' 'echo "$square"' '[ "${square% *}" = 53,53-970,970 ]' \
    'exits 0 set -i modern.level "objects[0].properties[0].value=[true]"' 'exits 0 render --overview modern.level -o modern.png' 'cmp modern.png with.png'
# Face 0 is the floor of the hub, from 0,0 to 16,16; its middle is in row 592 and column 555.
grouped() {
    python3 -c 'import json, sys
level = json.load(open(sys.argv[1]))
level["groups"][0]["name"] = sys.argv[2]
level["mesh"]["geometry_groups"]["face_groups"] = [{"id": 1, "indices": [0]}]
json.dump(level, open("grouped.json", "w"))' "$here/../../samples/outpost.json" "$1"
    exits 0 render --overview grouped.json -o grouped.png && number grouped.hmp $((40 + 2 * (1024 * 592 + 555))) "<H"
}
test_that "an overview is without what the commander does not see" '[ "$(grouped Floors)" = 15291 ]' '[ "$(grouped OverviewInvisible)" = 65535 ]' '[ "$(grouped CommanderInvisible)" = 65535 ]' \
    '[ "$(grouped InvisibleGeometry)" = 65535 ]'
test_that "the heights of an overview are a file like others" 'exits 0 roundtrip with.hmp' 'exits 0 check with.hmp' 'exits 0 identify with.hmp' 'says ns2-overview' 'exits 0 get with.hmp half_extents' \
    '[ "$(tr -d "\n " <out)" = "[35,7.5,35]" ]' 'exits 0 get with.hmp "heights[$((1024 * 850 + 700))]"' 'says "^50242$"' 'exits 0 convert with.hmp -o heights.png' 'square=$(seen heights.png)' 'echo "$square"' \
    '[ "${square% *}" = 73,73-950,950 ]'
test_that "overviews that cannot be made" 'exits 2 render --overview a.level -o none/' 'complains "a.level: it has no entity minimap_extents, whose origin and scale say which square"' '[ ! -e none/a.png ]' \
    'exits 2 render --overview floors.level' 'complains "NAME.png and NAME.hmp: use -o DIR/"' 'exits 2 render --overview floors.level -o none.svg' \
    'exits 2 render --overview floors.level -o -' 'exits 2 render --overview --size 64 floors.level -o none/' 'complains "size has no effect with --overview"' \
    'exits 2 render --overview --sheet floors.level -o none.png' 'cp floors.level none.hmp' 'exits 2 render --overview none.hmp -o none.png' 'complains "none.hmp is an input; it is not overwritten"' \
    'cmp none.hmp floors.level' 'exits 2 render --overview valley.map -o none/' 'complains "only levels of Natural Selection 2, ns2-level, have overviews"' '[ ! -e none.png ]'
test_that "overviews of a directory" 'mkdir -p levels/sub' 'cp floors.level valley.map levels/' 'cp a.level floors.level levels/sub/' 'exits 2 render --overview levels -o all/' \
    'cmp all/floors.hmp with.hmp' 'cmp all/sub/floors.png with.png' '[ ! -e all/sub/a.hmp ]' '[ ! -e all/valley.png ]' 'complains "a.level: it has no entity minimap_extents"' \
    'complains "^3 files: 2 drawn, 0 damaged, 1 failed, 1 skipped"' 'exits 0 set floors.level "objects[0].properties[name=origin].value=[900, 0, 900]" -o far.level' 'exits 0 render --overview far.level -o far.png' \
    'complains "^warning: far.level: nothing is in the square of its minimap_extents, so its overview is empty"' \
    'exits 0 set floors.level "objects[0].properties[name=scale].value=[0, 30, 0]" -o flat.level' 'exits 2 render --overview flat.level -o flat.png' 'complains "flat.level: its minimap_extents names no square"' '[ ! -e flat.png ]'

finish
