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

finish
