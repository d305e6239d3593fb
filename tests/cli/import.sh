#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Models exported and imported: without edits of the model no byte changes, and diff reports exactly its edits. Models are edited by
# tests/references/models.py, which knows only glTF. tests/cli/import.sh path/to/mapstone [corpus]. One line per test; exits with 1 if
# one fails.
set -u
mapstone=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
corpus=${2:-${MAPSTONE_CORPUS:-$here/../../../shared/corpus}}
[ ! -d "$corpus" ] || corpus=$(realpath "$corpus")
samples=$(realpath "$here/../../scripts/samples.sh")
models=$(realpath "$here/../references/models.py")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME=$work NO_COLOR=1
"$samples" "$mapstone" || exit 2
. "$here/tap.sh"

# exported LEVEL OPTION...: as a.glb
exported() {
    "$mapstone" convert --for-editing --no-textures "$@" -o a.glb
}

# edited EDIT...: a.glb as b.glb
edited() {
    python3 "$models" a.glb b.glb "$@"
}

# stays LEVEL [MODEL]: the model has no operations, and the level is unchanged
stays() {
    "$mapstone" import "${2:-b.glb}" --onto "$1" --dry-run >said 2>&1 && [[ ! -s said ]] || { head -3 said; echo "$1"; return 1; }
    mkdir -p same && "$mapstone" import "${2:-b.glb}" --onto "$1" -q -o "same/${1##*/}" && cmp "$1" "same/${1##*/}"
}

# makes LEVEL LINE...: the operations equal these
makes() {
    local level=$1
    shift
    "$mapstone" import b.glb --onto "$level" --dry-run >said 2>err || { cat err; return 1; }
    printf '%s' "${@/%/$'\n'}" | diff - said
}

# ---- no edits ----
levels='outpost.level valley.map L900LEV.MAP keep/7_11_11.DAT islet/magicave.romlist.zlb'

unchanged() {
    local level
    for level in $levels; do
        exported "$level" && stays "$level" a.glb && edited shuffle 1 && stays "$level" &&
            edited shuffle 2 flat forget mapstone_sha256 && stays "$level" || return 1
    done
}
test_that "nothing done is nothing changed, in any order, without parents and hash" unchanged

corpus_unchanged() {
    local file
    while read -r file; do
        "$mapstone" identify "$file" >/dev/null 2>&1 || continue
        "$mapstone" convert --for-editing --no-textures "$file" -o a.glb >log 2>&1 || continue
        stays "$file" a.glb && edited shuffle 3 forget mapstone_sha256 && stays "$file" || return 1
        count=$((count + 1))
    done < <(find "$corpus" -type d | while read -r folder; do find "$folder" -maxdepth 1 -type f -size +2k | sort | sed -n 2p; done)
    [[ $count -gt 15 ]]
}
count=0

# Its coordinates are up to 4,600.
tilted() {
    local level=$corpus/turok/synth_level.map
    exported "$level" && edited tilt && stays "$level"
}
if [ -d "$corpus" ]; then
    test_that "what Blender leaves of a rotation" tilted
    test_that "nothing done to some real levels is nothing changed, in any order (test_import: to all)" corpus_unchanged
else
    skip "what Blender leaves of a rotation" "no corpus"
    skip "nothing done to some real levels is nothing changed, in any order (test_import: to all)" "no corpus"
fi

other_containers() {
    exported outpost.level && python3 "$models" a.glb b.gltf gltf && stays outpost.level b.gltf &&
        edited sparse && stays outpost.level && "$mapstone" convert --for-editing outpost.level -o c.gltf && stays outpost.level c.gltf &&
        "$mapstone" convert --for-editing outpost.level --embed -o d.gltf && stays outpost.level d.gltf
}
test_that "models with their buffers beside them, embedded and sparse" other_containers

# three.js does so, and drops the extras of meshes.
parted() {
    local level
    for level in $levels; do
        exported "$level" && edited part && stays "$level" || return 1
    done
}
test_that "a node for each part of a mesh" parted

parts() {
    exported outpost.level --only light_point && stays outpost.level a.glb && edited delete 'objects[18]' &&
        makes outpost.level 'remove objects[18]' &&
        exported outpost.level --select 'objects[class_name=prop_static]' --select 'mesh.faces[0:3]' && stays outpost.level a.glb &&
        exported outpost.level --hide 'prop_*' && stays outpost.level a.glb
}
test_that "what was not exported is not deleted" parts

# ---- every element has its path ----
paths_of() {
    "$mapstone" convert --for-editing --no-textures "$1" -o a.glb &&
        python3 - "$2" "$("$mapstone" get "$1" "$2" --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')" <<'END'
import json, struct, sys
data = open("a.glb", "rb").read()
nodes = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])["nodes"]
paths = [n["extras"]["path"] for n in nodes if n.get("extras", {}).get("path", "").startswith(sys.argv[1] + "[")]
assert len(paths) == len(set(paths)) == int(sys.argv[2]), (len(paths), len(set(paths)), sys.argv[2])
END
}
test_that "every element is a node with its path" "paths_of outpost.level objects" "paths_of valley.map actors.records" \
    "paths_of L900LEV.MAP map.monsters" "paths_of islet/magicave.romlist.zlb objects"

# ---- things ----
# imported LEVEL: as now/LEVEL, without new findings of checks
imported() {
    mkdir -p now && "$mapstone" import b.glb --onto "$1" -q -o "now/${1##*/}" && "$mapstone" check "$1" >before
    "$mapstone" check "now/${1##*/}" >after
    [[ $(grep -c '\[' after) -le $(grep -c '\[' before) ]]
}

# differs LEVEL LINE...: the output of diff for the level and the imported one
differs() {
    local level=$1
    shift
    imported "$level" || return 1
    "$mapstone" diff "$level" "now/${level##*/}" >said
    printf '%s\n' "$@" | diff - said
}

moved() {
    exported outpost.level && edited move 'objects[19]' 1 2.5 -3 && makes outpost.level 'move objects[19] by 1,2.5,-3' &&
        edited turn 'objects[3]' 90 0 1 0 && makes outpost.level 'set objects[3].properties.angles = [0,0,1.570796]' &&
        edited turn 'objects[3]' 20 1 0 0 turn 'objects[3]' 10 0 1 0 && makes outpost.level 'set objects[3].properties.angles = [0,0.349066,0.174533]' &&
        edited scale 'objects[30]' 2 1 2 && makes outpost.level "set objects[30].properties.scale = [2,1,2]"
}
test_that "moved, turned and scaled things" moved

deleted_and_copied() {
    exported outpost.level && edited delete 'objects[35]' delete 'objects[18]' && makes outpost.level 'remove objects[35]' 'remove objects[18]' &&
        edited copy 'objects[30]' prop.001 && makes outpost.level 'duplicate objects[30] to 42' &&
        edited copy 'objects[30]' prop.001 copy 'objects[20]' light.001 delete 'objects[18]' shuffle 4 &&
        makes outpost.level 'duplicate objects[20] to 42' 'duplicate objects[30] to 43' 'remove objects[18]'
}
test_that "deleted things and copies" deleted_and_copied

properties() {
    exported outpost.level && edited extra 'objects[20]' intensity 7.5 extra 'objects[20]' color_g 0.25 extra 'objects[20]' origin_x 99 &&
        makes outpost.level 'set objects[20].properties.color[1] = 0.25' 'set objects[20].properties.intensity = 7.5' &&
        edited extra 'objects[12]' name '"A \"Hub\""' && makes outpost.level 'set objects[12].properties.name = "A \"Hub\""' &&
        edited extra 'objects[20]' casts_shadows false && makes outpost.level 'set objects[20].properties.casts_shadows = 0' &&
        edited extra 'objects[20]' layer '"Elsewhere"' && "$mapstone" import b.glb --onto outpost.level --dry-run >said 2>err &&
        [[ ! -s said ]] && ! grep -q Elsewhere err
}
test_that "properties that were changed, and what is made from others" properties

# Lamps that are changed themselves, not in their extras; the red of this one is 0.7.
lamps() {
    exported outpost.level && edited shine 'objects[20]' 2 0.7 &&
        makes outpost.level "set objects[20].properties.intensity = $(twice_of 20)" && imported outpost.level &&
        edited shine 'objects[20]' 1.00001 0.25 && makes outpost.level 'set objects[20].properties.color[0] = 0.25' &&
        edited shine 'objects[20]' 2 0.7 extra 'objects[20]' intensity 7.5 && makes outpost.level 'set objects[20].properties.intensity = 7.5'
}
twice_of() {
    "$mapstone" get outpost.level "objects[$1].properties.intensity" | awk '{ printf "%g", 2 * $1 }'
}
test_that "lamps that are brighter, and of another colour" lamps

# Layers and groups by name. diff then reports the names of each thing's layers and groups.
labels() {
    exported outpost.level && edited extra 'objects[20]' layers '"Props, Game"' extra 'objects[20]' group '"CommanderInvisible"' &&
        makes outpost.level 'set objects[20].layer = ["Props","Game"]' 'set objects[20].group = "CommanderInvisible"' &&
        edited extra 'objects[20]' layers '""' && makes outpost.level 'set objects[20].layer = []' &&
        edited extra 'objects[20]' layers '"Elsewhere"' && ! "$mapstone" import b.glb --onto outpost.level -q -o now.level 2>err &&
        grep -q 'there is no layer "Elsewhere"' err
}
test_that "layers and groups by name" labels

# The same for faces, by their part of a mesh or by a node of their own; new faces also get the labels that
# they name.
face_labels() {
    local where count
    exported outpost.level
    count=$("$mapstone" get outpost.level mesh.faces --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')
    for where in part node; do
        edited label 5 layers '"Props, Game"' $where label 3 groups '""' $where label 2 groups '"CommanderInvisible"' $where &&
            makes outpost.level 'set mesh.faces[2].group = ["CommanderInvisible"]' 'set mesh.faces[3].group = []' \
                'set mesh.faces[5].layer = ["Props","Game"]' && imported outpost.level &&
            [[ $("$mapstone" get now/outpost.level 'mesh.faces[5].layer') == 'Props, Game' ]] || return 1
    done
    edited label 3 groups '" CommanderInvisible,"' part && stays outpost.level &&
        edited label 5 layers '"Elsewhere"' part && ! "$mapstone" import b.glb --onto outpost.level -q -o now.level 2>err &&
        grep -q 'there is no layer "Elsewhere"' err &&
        edited extrude 5 1 label 5 layers '"Lights"' part && imported outpost.level &&
        [[ $("$mapstone" get now/outpost.level "mesh.faces[$count].layer" 'mesh.faces[5].layer' | sort -u) == Lights ]] &&
        edited label 5 layers '"Lights"' first && makes outpost.level && grep -q 'mesh.faces\[5\]: its parts name different layers' err
}
test_that "layers and groups of faces by name" face_labels

every_family() {
    exported valley.map && edited move 'actors.records[1]' 0.5 0 1 turn 'actors.records[2]' 45 0 1 0 copy 'actors.records[5]' a.001 delete 'actors.records[3]' &&
        makes valley.map 'move actors.records[1] by 19.2,-38.4,0' 'rotate actors.records[2] by 0.785398' 'duplicate actors.records[5] to 88' \
            'remove actors.records[3]' && imported valley.map &&
        exported valley.map && edited turn 'grid_sections[0].static_meshes[1]' 45 0 1 0 scale 'grid_sections[0].static_meshes[1]' 2 2 2 &&
        makes valley.map 'rotate grid_sections[0].static_meshes[1] by 0.785398' 'scale grid_sections[0].static_meshes[1] by 2' && imported valley.map &&
        exported L900LEV.MAP && edited move 'map.monsters[1]' 2 0 4 turn 'map.monsters[2]' 90 0 1 0 delete 'map.monsters[3]' &&
        makes L900LEV.MAP 'move map.monsters[1] by 1,2' 'rotate map.monsters[2] by 2' 'remove map.monsters[3]' &&
        exported islet/magicave.romlist.zlb && edited move 'objects[1]' 0.5 0 1 turn 'objects[1]' 45 0 1 0 &&
        makes islet/magicave.romlist.zlb 'move objects[1] by 5,0,10' 'rotate objects[1] by 32' && imported islet/magicave.romlist.zlb &&
        exported keep/7_11_11.DAT && edited move 'objects[1]' 0.5 0.25 1 turn 'objects[1]' 45 0 1 0 copy 'objects[1]' o.001 delete 'objects[3]' &&
        makes keep/7_11_11.DAT 'move objects[1] by 16,32,8' 'rotate objects[1] by -32' 'duplicate objects[1] to 365' \
            'move objects[365] by 16,32,8' 'rotate objects[365] by -32' 'remove objects[3]' && imported keep/7_11_11.DAT
}
test_that "things of all families, and their grids" every_family

# A sector is 1,024 units wide, of which a metre has 32; the neighbouring sector is that far to the west.
sectors() {
    local before after
    rm -rf two && cp -r keep two && exported keep/7_11_11.DAT keep/7_10_11.DAT &&
        "$mapstone" import a.glb --onto two/7_11_11.DAT --onto two/7_10_11.DAT --dry-run >said && [[ ! -s said ]] &&
        "$mapstone" import a.glb --onto two/7_10_11.DAT --onto two/7_11_11.DAT -i -q && diff -r keep two &&
        edited move 'objects[300]' -32 0 0 && before=$("$mapstone" get keep/7_11_11.DAT 'objects[300]' --json) &&
        "$mapstone" import b.glb --onto two/7_10_11.DAT --onto two/7_11_11.DAT -i -q || return 1
    after=$("$mapstone" get two/7_10_11.DAT 'objects[243]' --json)
    python3 - "$before" "$after" <<'END' || return 1
import json, sys
before, after = map(json.loads, sys.argv[1:])
assert after["position"] == [before["position"][0] - 1024, *before["position"][1:]], (before, after)
assert {**before, "position": 0, "unique_id": 0} == {**after, "position": 0, "unique_id": 0}, (before, after)
END
    "$mapstone" diff keep/7_11_11.DAT two/7_11_11.DAT >said
    [[ $(wc -l <said) == 1 && $(<said) == *'objects[300]'* ]] && diff -rq keep two >said
    [[ $(wc -l <said) == 2 ]] && ! "$mapstone" import b.glb --onto two/7_10_11.DAT --onto two/7_11_11.DAT -o out.DAT 2>err && grep -q 'several files can change' err
}
test_that "what is moved to another sector goes into its file" sectors

rounded() {
    exported L900LEV.MAP && edited move 'map.monsters[1]' 2.1 1 0 turn 'map.monsters[2]' 50 0 1 0 &&
        makes L900LEV.MAP 'move map.monsters[1] by 1,0' 'rotate map.monsters[2] by 1' && grep -q 'position is rounded' err &&
        grep -q 'height follows from the floor' err && grep -q 'angle is rounded to 45 degrees' err
}
test_that "what is rounded is said" rounded

# ---- faces ----
faces() {
    exported outpost.level && edited unface 5 unface 2 && makes outpost.level 'remove mesh.faces[5]' 'remove mesh.faces[2]' &&
        edited vertex 12 0 0.5 0 && makes outpost.level "set mesh.vertices[12].position = [$(place_of 12 0.5)]" && imported outpost.level &&
        edited paint 0 31 && makes outpost.level "set mesh.faces[0].material = \"$("$mapstone" get outpost.level 'mesh.faces[31].material')\"" &&
        imported outpost.level && [[ $("$mapstone" diff outpost.level now/outpost.level | wc -l) == 1 ]]
}
# place_of VERTEX HIGHER
place_of() {
    "$mapstone" get outpost.level "mesh.vertices[$1].position" --json | python3 -c "
import json, sys
x, y, z = json.load(sys.stdin)
print(','.join('%g' % v for v in (x, y + $2, z)))"
}
test_that "faces that are removed, moved and painted" faces

new_geometry() {
    local faces
    faces=$("$mapstone" get outpost.level mesh.faces --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')
    exported outpost.level && edited box 31 40 2 30 4 && imported outpost.level &&
        "$mapstone" import b.glb --onto outpost.level --dry-run >said && [[ $(grep -c "^insert mesh.faces" said) == 6 && $(wc -l <said) == 6 ]] &&
        differs outpost.level '+ 6 faces (ceiling.material)' &&
        exported now/outpost.level && python3 "$models" a.glb c.glb uvs "$faces" >uvs && python3 - <<'END'
# the texture coordinates of the box are unchanged: 0.5 a + 0.1 axis, 0.25 b - 3
seen = set()
for line in open("uvs"):
    face, *numbers = line.split()
    x, y, z, u, v = map(float, numbers)
    at = (x, y, z)
    fits = [
        (axis, side)
        for axis, low in enumerate((40, 2, 30))
        for side in (low, low + 4)
        if abs(at[axis] - side) < 1e-5
        and abs(u - (0.5 * at[(axis + 1) % 3] + 0.1 * axis)) < 1e-5
        and abs(v - (0.25 * at[(axis + 2) % 3] - 3)) < 1e-5
    ]
    assert fits, line
    seen.add(face)
assert len(seen) == 6, seen
END
}
test_that "a new box, with its texture coordinates" new_geometry

# same_textures: the texture coordinates that b.glb has are unchanged
same_textures() {
    exported now/outpost.level && python3 "$here/../blender/textures.py" b.glb a.glb >off && awk '{ exit !($1 < 1e-5 && $2 > 20 && !/missing/) }' off || { cat off; return 1; }
}

# labelled FACE...: they are on the layers and in the groups of mesh.faces[3]
labelled() {
    local face
    for face in "$@"; do
        "$mapstone" get now/outpost.level "mesh.faces[$face].group" "mesh.faces[$face].layer" >of_one && "$mapstone" get outpost.level \
            'mesh.faces[3].group' 'mesh.faces[3].layer' >of_three && cmp of_one of_three || return 1
    done
}

# Face 3 is a rectangle of 4 x 8 metres, at a height of 3.5 metres, seen from below.
extruded() {
    exported outpost.level && edited extrude 3 1 && imported outpost.level && "$mapstone" import b.glb --onto outpost.level --dry-run >said 2>err &&
        [[ $(grep -c '^insert mesh.faces' said) == 4 && $(wc -l <said) == 5 && $(grep -c 'texture values of its original face' err) == 4 ]] &&
        [[ $(grep -c '"angle":0,"offset":.0,0.,"scale":.0.5,0.5.' said) == 4 ]] &&
        head -1 said | grep -q '^set mesh.faces.3..positions = ' && [[ $(head -1 said | grep -o ',2.5,' | wc -l) == 4 ]] &&
        labelled 173 174 175 176 && same_textures && [[ $("$mapstone" get now/outpost.level 'mesh.faces[3].scale') == '[0.5, 0.5]' ]] &&
        [[ $("$mapstone" get now/outpost.level mesh.vertices --json | grep -c position) == $(($("$mapstone" get outpost.level mesh.vertices --json | grep -c position) + 4)) ]]
}
test_that "an extruded face is moved, and has sides" extruded

niche() {
    exported outpost.level && edited niche 3 1 0.5 shuffle 7 && imported outpost.level && "$mapstone" import b.glb --onto outpost.level --dry-run >said 2>err &&
        [[ $(grep -c '^insert mesh.faces' said) == 5 && $(wc -l <said) == 6 ]] && head -1 said | grep -q '^set mesh.faces.3..holes = \[\[\[' &&
        labelled 173 174 175 176 177 && same_textures && differs outpost.level '~ mesh.faces[3] ceiling.material: reshaped' '+ 5 faces (ceiling.material)' &&
        exported now/outpost.level && stays now/outpost.level a.glb
}
test_that "a hole that a boolean cuts, with its sides" niche

painted_in_part() {
    exported outpost.level && edited halve 3 2 && imported outpost.level && labelled 173 && same_textures &&
        differs outpost.level '~ mesh.faces[3] ceiling.material: reshaped' '+ mesh.faces[173] floor.material'
}
test_that "a part of a face in another material" painted_in_part

# Blender drops duplicate triangles of a mesh; a triangle that appears once is a change, also if another mesh has it, too.
twins() {
    "$mapstone" edit outpost.level -q -e 'duplicate mesh.faces[0]' -o twice.level && exported twice.level && edited drop 0 && stays twice.level &&
        edited unface 0 && stays twice.level && edited unface 0 unface 1 && makes twice.level 'remove mesh.faces[1]' 'remove mesh.faces[0]' &&
        exported outpost.level && edited drop 3 && makes outpost.level "$("$mapstone" import b.glb --onto outpost.level --dry-run | grep '^set mesh.faces.3..positions')"
}
test_that "a triangle that is there twice may be dropped" twins

twins_apart() {
    "$mapstone" edit outpost.level -q -e 'duplicate mesh.faces[3]' -e "set mesh.faces[4].material = \"$("$mapstone" get outpost.level 'mesh.faces[0].material')\"" -o twice.level &&
        exported twice.level && stays twice.level a.glb && edited unface 3 && makes twice.level 'remove mesh.faces[3]'
}
test_that "a triangle that is there twice, in two meshes, is not dropped" twins_apart

# Shift+D and Escape
doubled() {
    exported outpost.level && edited twice 3 && makes outpost.level && grep -q '2 triangles are in the model twice' err &&
        edited twice 3 twice 4 paint 0 31 && makes outpost.level "set mesh.faces[0].material = \"$("$mapstone" get outpost.level 'mesh.faces[31].material')\""
}
test_that "a face that is duplicated where it is" doubled

textures() {
    exported outpost.level && edited slide 3 0.25 -0.5 && makes outpost.level 'set mesh.faces[3].offset = [0.25,-0.5]' && imported outpost.level && same_textures
}
test_that "the place of a texture" textures

# Of flipped faces the normals are the opposite ones, and the texture coordinates are the same.
flipped() {
    exported outpost.level && edited flip 3 && imported outpost.level && "$mapstone" import b.glb --onto outpost.level --dry-run >said &&
        cut -d= -f1 said | diff - <(printf 'set mesh.faces[3].%s \n' angle positions) && same_textures && labelled 3 &&
        [[ $("$mapstone" get now/outpost.level 'mesh.faces[3].scale') == '[0.5, 0.5]' ]] &&
        python3 "$models" a.glb c.glb facing 3 >is && exported outpost.level && python3 "$models" a.glb c.glb facing 3 >was &&
        [[ $(grep -c '^3 .* 0.0 -1.0 0.0$' was) == 2 && $(grep -c '^3 .* 0.0 1.0 0.0$' is) == 2 ]] &&
        cp now/outpost.level turned.level && exported turned.level && edited flip 3 && imported turned.level && "$mapstone" diff outpost.level now/turned.level || { cat said; head -2 was is; return 1; }
}
test_that "a flipped face is seen from its other side" flipped

# The sides of a box that are seen from inside are seen from inside in the mirror, too.
mirrored() {
    exported outpost.level && edited box 31 40 2 30 4 mirror && imported outpost.level && exported now/outpost.level &&
        python3 "$models" a.glb c.glb facing 173 >is && awk '{ x = $2 + 42; y = $3 - 4; z = $4 - 32; met += x * $5 + y * $6 + z * $7 < -1 } END { exit met != 12 || NR != 12 }' is || { cat is; return 1; }
}
test_that "a mirrored box" mirrored

new_material() {
    exported outpost.level && edited dye 3 materials/dev/other.material.001 && makes outpost.level 'set mesh.faces[3].material = "materials/dev/other.material"' &&
        imported outpost.level && [[ $("$mapstone" get now/outpost.level 'mesh.faces[3].material') == materials/dev/other.material ]] &&
        edited dye 3 Material.001 && makes outpost.level && grep -q 'mesh.faces.3.: the level has no material "Material.001"' err
}
test_that "a face in a material that the level does not have" new_material

# ---- what exporters leave out ----
exits_with() {
    "$mapstone" import b.glb --onto "${3:-outpost.level}" --dry-run >said 2>&1
    [[ $? == "$1" ]] && grep -q "$2" said || { cat said; return 1; }
}

blender='Khronos glTF Blender I/O v3.4.50'
left_out() {
    exported outpost.level && edited dark && makes outpost.level && grep -q 'has no lights.*tick.*keeps its own (8)' err &&
        edited dark move 'objects[3]' 1 0 0 && makes outpost.level 'move objects[3] by 1,0,0' &&
        exported outpost.level --select 'objects[18]' && edited delete 'objects[18]' && makes outpost.level 'remove objects[18]' && [[ ! -s err ]] &&
        exported outpost.level && edited made_by "$blender" keep 'objects[3]' && "$mapstone" import b.glb --onto outpost.level --dry-run >said 2>err &&
        grep -q '41 of 42 things are missing.*untick' err && edited side && exits_with 5 'tick Transform > +Y Up' &&
        edited unnumber && exits_with 5 'tick Data > Mesh > UVs'
}
test_that "what Blender leaves out by its options" left_out

# Of Blender's models all empties may have been deleted.
pruned() {
    local level
    for level in outpost.level valley.map L900LEV.MAP keep/7_11_11.DAT; do
        exported "$level" && edited prune && makes "$level" && grep -q 'no thing without a mesh is in the model.*the level keeps its own' err || { echo "$level"; return 1; }
    done
    exported outpost.level && edited prune move 'objects[0]' 1 0 0 && makes outpost.level 'move objects[0] by 1,0,0' &&
        edited made_by "$blender" prune && "$mapstone" import b.glb --onto outpost.level --dry-run >said && [[ $(grep -c '^remove objects' said) == 6 ]] || { cat said; return 1; }
}
test_that "empty nodes that programs leave out" pruned

# ---- what is not imported ----
# reported LEVEL LINE...: there are no operations, and a warning like each of these, and no other
reported() {
    local level=$1
    shift
    makes "$level" || return 1
    printf '%s\n' "$@" | while read -r line; do grep -qE "$line" err || { echo "no: $line"; cat err; exit 1; }; done && [[ $(wc -l <err) == $# ]] || { cat err; return 1; }
}

meshes() {
    local level path
    for level in $levels; do
        exported "$level" && path=$(python3 "$models" a.glb c.glb shaped) && [[ -n $path ]] || return 1
        edited dent "$path" 0.1 && reported "$level" "its mesh was changed, which is not imported" &&
            edited bake "$path" && reported "$level" "its mesh was changed, which" "its mesh was changed and also its place.*it stays" || { echo "$level $path"; return 1; }
    done
    exported valley.map && edited fresh "$(python3 "$models" a.glb c.glb shaped)" && reported valley.map "fresh: new geometry is imported for Natural Selection 2 only" &&
        exported outpost.level && edited dent 'objects[0]' 0.1 move 'objects[3]' 1 0 0 && makes outpost.level 'move objects[3] by 1,0,0'
}
test_that "meshes that are not imported" meshes

# torn VERTEX FACE: the vertex is moved in one of its faces
torn() {
    local vertex=$1 face=$2
    exported outpost.level && edited vertex "$vertex" 0 0.5 0 only "$face" &&
        makes outpost.level "set mesh.vertices[$vertex].position = [$(place_of "$vertex" 0.5)]" && grep -q "mesh.vertices.$vertex.*the others follow" err
}
test_that "a vertex that is torn takes its faces along" "torn $("$mapstone" get outpost.level 'mesh.edges[0].vertices[0]') 0"

# ---- refusals ----
refused() {
    exported outpost.level && tar cf archive.tar outpost.level && edited && exits_with 2 'is an archive; import takes one file' archive.tar &&
        edited forget mapstone_editing && exits_with 5 'was not exported for editing' &&
        edited move 'objects[19]' 1 0 0 && "$mapstone" edit outpost.level -q -e 'objects[3].properties.name ?= x' -o other.level &&
        exits_with 5 'another version of the level' other.level &&
        python3 - <<'END' && exits_with 5 'tick Include > Custom Properties'
import json, re, struct
data = open("a.glb", "rb").read()
size = struct.unpack_from("<I", data, 12)[0]
model = json.loads(data[20 : 20 + size])
for owner in model["scenes"] + model["nodes"] + model["meshes"] + model["materials"]:
    owner.pop("extras", None)
text = json.dumps(model).encode()
text += b" " * (-len(text) % 4)
rest = data[20 + size :]
open("b.glb", "wb").write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
END
}
test_that "models that are not of this level" refused

# ---- another version of the level ----
newer() {
    exported outpost.level && edited move 'objects[19]' 1 2.5 -3 extrude 3 1 && "$mapstone" set -q outpost.level 'objects[20].properties.intensity=3' \
        'mesh.faces[40].angle=0.5' -o newer.level && exits_with 5 'another version of the level' newer.level && grep -q -- '--base FILE' said &&
        [[ $(grep -oE '[0-9a-f]{64}' said | sort -u | wc -l) == 2 ]] &&
        "$mapstone" import b.glb --onto newer.level --base outpost.level -q -o both.level && "$mapstone" import b.glb --onto outpost.level -q -o edited.level &&
        ! "$mapstone" diff outpost.level edited.level >wanted && ! "$mapstone" diff newer.level both.level >said && cmp wanted said &&
        "$mapstone" import b.glb --onto newer.level --base outpost.level --dry-run -q | grep -q '^move objects.19. by 1,2.5,-3$'
}
test_that "the level has changed since, and its earlier version is named" newer

from_git() {
    rm -rf repository && git init -q repository && (
        cd repository && git config user.name N && git config user.email n@example.org && cp ../outpost.level a.level && git add a.level && git commit -q -m first &&
            cp ../newer.level a.level && git commit -q -a -m second && "$mapstone" import ../b.glb --onto a.level -o out.level 2>err && grep -q 'which git has' err &&
            cmp out.level ../both.level && cd .. && "$mapstone" import b.glb --onto repository/a.level -q -i && cmp repository/a.level both.level
    )
}
if command -v git >/dev/null; then
    test_that "the level has changed since, and git has its earlier version" from_git
else
    skip "the level has changed since, and git has its earlier version" "no git"
fi

conflict() {
    exported outpost.level && edited extra 'objects[20]' intensity 7.5 && "$mapstone" import b.glb --onto newer.level --base outpost.level -o none.level >said 2>&1
    [[ $? == 5 && ! -e none.level ]] && grep -q 'objects.20..*intensity' said && grep -q '1 conflict' said || { cat said; return 1; }
    "$mapstone" import b.glb --onto newer.level --base newer.level -o none.level >said 2>&1
    [[ $? == 5 && ! -e none.level ]] && grep -q 'another version' said
}
test_that "what both have changed is refused" conflict

all_or_nothing() {
    exported outpost.level && edited move 'objects[19]' 1 0 0 && cp outpost.level own.level && "$mapstone" import b.glb --onto own.level -q -i --backup &&
        cmp outpost.level own.level~ && "$mapstone" import b.glb --onto outpost.level -o changes.mspatch &&
        "$mapstone" patch outpost.level changes.mspatch -q -o patched.level && cmp own.level patched.level &&
        "$mapstone" import b.glb --onto outpost.level -q --undo back.mspatch -o undone.level &&
        "$mapstone" patch --reverse undone.level back.mspatch -q -o first.level && cmp first.level outpost.level
}
test_that "in place, as a patch, and back" all_or_nothing
finish
