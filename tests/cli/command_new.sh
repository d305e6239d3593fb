#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: new levels, and additions to them.
# tests/cli/command_new.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# ---- new ---------------------------------------------------------------------------------------------
test_that "new: the list" 'exits 0 new' 'says "^ns2-level +empty +"' 'says "^ns2-level +match +"'
clean() { # ARGUMENTS...
    rm -f a.level
    exits 0 new "$@" -o a.level && exits 0 check --strict a.level && exits 0 roundtrip --json-too a.level && exits 0 new "$@" -o - && cmp out a.level
}
for template in empty room match; do
    test_that "new ns2-level --template $template" "clean ns2-level --template $template"
done
test_that "new ns2-level: the smallest" 'clean ns2-level' '[ "$(wc -c <a.level)" -le 192 ]' 'exits 0 get a.level version' 'says "^10$"'
test_that "new: a match can be played" 'clean ns2-level --template match' 'exits 0 check --strict -I a.level' '! grep -q NS2-PLAYABLE out err'
old_versions() {
    for version in 4 5 6 7 8 9 10; do
        clean ns2-level --template match --version "$version" && exits 0 get a.level version && says "^$version\$" || return 1
    done
}
test_that "new: every version" old_versions
test_that "new: what cannot be made" 'exits 2 new ns2-leve -o b.level' 'complains "did you mean .ns2-level"' 'exits 3 new ns2-level --template macth -o b.level' 'complains "did you mean .match"' \
    'exits 3 new dds -o b.dds' 'complains "cannot be made"' 'exits 2 new json -o b.json' 'exits 2 new ns2-level' 'complains "name the new file"' 'exits 2 new ns2-level ns2-level -o b.level' \
    'exits 2 new ns2-level --version 3 -o b.level' 'exits 2 new ns2-level --version x -o b.level' '[ ! -e b.level ]'
test_that "new: a file that exists" 'exits 0 new ns2-level -o c.level' 'cp c.level kept' 'exits 2 new ns2-level --template room -o c.level' 'complains "c.level exists; --force replaces it"' 'cmp c.level kept' \
    'exits 0 new ns2-level --template room --force -o c.level' '! cmp -s c.level kept'

# A model of one triangle, whose light and empty are entities; tests/references/levels.py makes others.
printf '%s' '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2]}],"nodes":[{"mesh":0},{"extensions":{"KHR_lights_punctual":{"light":0}},"translation":[1,2,3]},
 {"extras":{"class":"resource_point"}}],"materials":[{"name":"floor"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"extensionsUsed":["KHR_lights_punctual"],
 "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBAAACAQAAAAAAAAIBA"}],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"}]}}}' >a.gltf
test_that "new: of a model" 'exits 0 new ns2-level --from a.gltf -o model.level' 'exits 0 check model.level' 'exits 0 get model.level "mesh.materials"' 'says "materials/floor.material"' \
    'exits 0 get model.level "mesh.vertices[:].position"' 'says "4, 0, 4"' 'exits 0 get model.level "objects[:].class_name"' 'says light_point' 'says resource_point'
test_that "new: of a model, beside what a template has" 'exits 0 new ns2-level --template match --force --from a.gltf -o model.level' 'exits 0 check model.level' 'exits 0 new ns2-level --template match -o plain.level' \
    '[ "$("$mapstone" get model.level objects | wc -c)" -gt "$("$mapstone" get plain.level objects | wc -c)" ]'
test_that "new: of what is no model, and of other games" 'rm -f model.level' 'echo "solid cube" >cube.stl' 'exits 4 new ns2-level --from cube.stl -o model.level' 'complains "glTF Binary"' 'exits 2 new ns2-level --from none.glb -o model.level' \
    'exits 2 new turok-map --from a.gltf -o model.map' '[ ! -e model.level ]' '[ ! -e model.map ]'
test_that "new: of a level that was exported for editing" 'exits 0 new ns2-level --template room -o r.level' 'exits 0 convert --for-editing r.level -o r.glb' 'exits 5 new ns2-level --from r.glb -o model.level' \
    'complains "mapstone import"' '[ ! -e model.level ]' 'exits 0 convert --no-markers r.level -o r.glb' 'exits 0 new ns2-level --from r.glb -o model.level' 'exits 0 check model.level' 'exits 0 get model.level mesh.materials' 'says dev_wall_grid'

"$here/../../scripts/make-tree.sh" "$mapstone" "$here/../../samples/islet" islet >/dev/null || exit 2
list=islet/capeclaw.romlist.zlb
# The record of a list in MAPS.bin follows from its bytes: sizes unpacked and packed, big-endian, from 8 on; the file is rounded up to
# 32.
agrees() {
    sizes=$(od -An -tu1 -j8 -N8 "$list" | awk '{ packed = 16 + (($5 * 256 + $6) * 256 + $7) * 256 + $8
        printf "\"unpacked_size\":%d,\"extra_size\":0,\"packed_size\":%d", (($1 * 256 + $2) * 256 + $3) * 256 + $4, int((packed + 31) / 32) * 32 }')
    "$mapstone" dump -c islet/MAPS.bin | grep -qF "$sizes" || { echo "$sizes"; return 1; }
}
test_that "new: an object list with its entry in MAPS.bin" 'exits 0 new sfa-romlist --template objects --force --update-index -o $list' 'exits 0 check --strict islet' \
    'exits 0 get $list "objects[:].type"' 'says LargeCrate' 'agrees' 'exits 0 new sfa-romlist --force --update-index -o $list' 'exits 0 check --strict islet' \
    'rm $list' 'exits 0 new sfa-romlist --template objects --update-index -o $list' 'exits 0 check --strict islet' 'agrees'
test_that "new: --update-index needs MAPS.bin" 'exits 3 new sfa-romlist --update-index -o lone.romlist.zlb' 'complains "no MAPS.bin"' '[ ! -e lone.romlist.zlb ]' \
    'exits 2 new ns2-level --update-index -o lone.level' '[ ! -e lone.level ]'
every_format() {
    "$mapstone" new | while read -r format template _; do
        case $format in
        ns2-level) file=a.level ;;
        alien-map) file=L901LEV.MAP ;;
        revenant-sector) file=7_3_4.DAT ;;
        turok-map) file=a.map ;;
        sfa-romlist) file=a.romlist.zlb ;;
        *) exit 1 ;;
        esac
        rm -rf made
        mkdir made
        exits 0 new "$format" --template "$template" -o "made/$file" && exits 0 check --strict made && exits 0 roundtrip --json-too made && says '^1 file: 1 exact' || exit 1
    done
}
test_that "new: every template of every format" every_format
test_that "new: a sector lies where its name says" 'exits 0 new revenant-sector --template room -o 7_3_4.DAT' 'exits 0 get 7_3_4.DAT "objects[0].position"' 'says "^.3344, 4368, 16.$"' 'exits 0 check --strict 7_3_4.DAT'

# ---- additions to an empty level ---------------------------------------------------------------------
"$mapstone" new ns2-level -o empty.level || exit 2
test_that "add: the properties of the class" 'exits 0 edit -q empty.level -e "add light_point origin=0,3,0" -o d.level' 'exits 0 check --strict d.level' 'exits 0 get d.level "objects[0].properties[name=intensity].value"' 'says "^5$"' \
    'exits 0 get d.level "objects[0].properties[name=color].value"' 'says "1, 1, 1"' 'exits 0 get d.level "objects[0].properties[name=distance].type"' 'says "^distance$"' \
    'exits 0 get d.level "objects[0].properties[name=casts_shadows].value"' 'says "^false$"' 'exits 0 get d.level "objects[0].properties[name=origin].value"' 'says "0, 3, 0"'
test_that "add: what is given is kept" 'exits 0 edit -q empty.level -e "add light_spot intensity=2 color=1,0,0" -o d.level' 'exits 0 get d.level "objects[0].properties[name=intensity].value"' 'says "^2$"' \
    'exits 0 get d.level "objects[0].properties[name=color].value"' 'says "1, 0, 0"' 'exits 0 get d.level "objects[0].properties[name=outerAngle].value"' 'says "^0.94247776$"'
test_that "add: a location needs a name" 'exits 2 edit empty.level -e "add location origin=0,1,0" -o e.level' 'complains "needs a name"' '[ ! -e e.level ]' \
    'exits 0 edit -q empty.level -e "add location origin=0,1,0 name=Hub" -o e.level' 'exits 0 check --strict e.level' 'exits 0 get e.level "objects[0].properties[name=scale].value"' 'says "1, 1, 1"'
test_that "add: a class whose properties are not known" 'exits 0 edit -q empty.level -e "add my_own_class origin=1,2,3" -o f.level' 'exits 0 get f.level "objects[0].properties[name=origin].value"' 'says "1, 2, 3"'
test_that "add: a pair whose type differs between classes" 'exits 0 edit -q empty.level -e "add pathing_waypoint number=3" --force -e "add func_train_waypoint number=3" -o g.level' \
    'exits 0 get g.level "objects[0].properties[name=number].type"' 'says "^integer$"' 'exits 0 get g.level "objects[1].properties[name=number].type"' 'says "^real$"'

# ---- handwritten JSON --------------------------------------------------------------------------------
printf '{"$format":"ns2-level","version":10,"mesh":{}}' >mesh.json
test_that "convert: JSON without the empty" 'exits 0 convert --lenient mesh.json -o h.level' 'exits 0 check --strict h.level' 'exits 0 edit -q h.level -e "add light_point origin=0,1,0" -o i.level' 'exits 0 check --strict i.level'
test_that "convert: errors refuse" 'exits 5 convert mesh.json -o j.level' 'complains "NS2-TRIANGLES-MISSING"' 'complains "would have 1 error"' '[ ! -e j.level ]' 'exits 0 convert --force mesh.json -o j.level' '[ -s j.level ]' \
    'exits 1 check j.level'
"$mapstone" new ns2-level --template match -o match.level && "$mapstone" dump match.level >whole.json || exit 2
without() { # PATTERN
    grep -v "$1" whole.json >less.json
    exits 0 convert -q less.json -o k.level && cmp k.level match.level
}
test_that "convert: JSON without what follows" 'grep -q triangle_count whole.json' 'without "\"triangle_count\":"' 'grep -q "\"ghost_vertices\": ..," whole.json' 'without "\"ghost_vertices\":"'
wrong() {
    sed 's/"triangle_count": [0-9]*/"triangle_count": 1/' whole.json >less.json
    exits 0 convert less.json -o l.level && complains "1 warning: NS2-TRIANGLE-COUNT 1"
}
test_that "convert: what is given is kept, and warned of" wrong
test_that "convert: what is missing and has a value" 'grep -v "\"material\":" whole.json >less.json' 'exits 2 convert less.json -o m.level' 'complains "the field is missing .expected a value, or --lenient for zero"' '[ ! -e m.level ]'
finish
