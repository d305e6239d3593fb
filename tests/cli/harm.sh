#!/bin/sh
# SPDX-License-Identifier: MIT
# Edits that would silently damage a level: numbers that name nothing, referenced keys, misspelled classes, values that
# an edit keeps. tests/cli/harm.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../samples
corpus=${2:-${MAPSTONE_CORPUS:-$here/../../../shared/corpus}}
[ -d "$corpus" ] && corpus=$(cd "$corpus" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
NO_COLOR=1
export NO_COLOR

# out_of FILE: the output path, with the file's extension
out_of() { echo "out.${1##*.}"; }

# changes FILE OPERATION...: set; its exit code in $code, its messages in err
changes() {
    file=$1
    shift
    "$mapstone" set "$file" "$@" -o "$(out_of "$file")" 2>err </dev/null
    code=$?
    cat err
}

own_classes() {
    for level in "$corpus"/ns2/*.level "$corpus"/histories/ns2/*/1.level; do
        "$mapstone" edit "$level" -e "duplicate objects[0]" -e "duplicate objects[-1]" -o out.level 2>err || return 1
        ! grep -E "did you mean|no known level" err || return 1
    done
}

# refuses WORDS FILE OPERATION...: refused with these words, written with --force
refuses() {
    words=$1
    shift
    changes "$@"
    [ "$code" -eq 5 ] && grep -q '^error: ' err && grep -qF -e "$words" err || return 1
    changes "$@" --force
    [ "$code" -eq 0 ]
}

# says WORDS FILE OPERATION...: done, with these words
says() {
    words=$1
    shift
    changes "$@"
    [ "$code" -eq 0 ] && grep -qF -e "$words" err
}

# silent WORDS FILE OPERATION...: done, without these words
silent() {
    words=$1
    shift
    changes "$@"
    [ "$code" -eq 0 ] && ! grep -qF -e "$words" err
}

"$mapstone" convert "$samples/outpost.json" -o a.level && "$mapstone" convert "$samples/valley.json" -o v.map &&
    "$mapstone" convert "$samples/bunker.json" -o L100LEV.MAP || exit 2

# ---- samples
test_that "a face gets a material that does not exist" 'refuses NS2-MATERIAL-INDEX a.level "mesh.faces[3].material=99999"'
test_that "an edge leaves a loop" 'refuses NS2-LOOP-OPEN a.level --remove "mesh.faces[3].loops[0][1]"'
test_that "a count contradicts what is counted" 'refuses NS2-TRIANGLE-COUNT a.level mesh.triangles.triangle_count=9999'
test_that "a quad gets a vertex that does not exist" 'refuses ALIEN-QUAD-VERTEX L100LEV.MAP "map.quads[0].vertices[0]=20000"'
test_that "a run of quads begins elsewhere" 'refuses ALIEN-RUNS L100LEV.MAP "map.cells[0].first_quad=5"'
test_that "an actor gets a sector that does not exist" 'refuses TUROK-ACTOR-SECTOR-RANGE v.map "actors[0].sector=99999"'
test_that "a trigger that nobody has, which the checks only mention" 'refuses TUROK-TARGET v.map "actors[0].target_tid=31000"'
test_that "a transaction is judged at its end" '
    silent TUROK-TARGET v.map "actors[0].target_tid=31000" "actors[1].tid=31000"'
test_that "what was wrong before refuses nothing" '
    "$mapstone" set a.level "mesh.faces[3].material=99999" --force -o wrong.level
    silent NS2-MATERIAL wrong.level "mesh.faces[4].smoothing=0" || silent NS2-MATERIAL wrong.level "objects[7].class_name=prop_static"'
test_that "a new one is seen next to an old one, and is the one that is named" '
    "$mapstone" set a.level "mesh.faces[9].material=99999" --force -o wrong.level
    refuses "mesh.faces[3].material" wrong.level "mesh.faces[3].material=77777"'
test_that "a copy of what is wrong is not new" '
    "$mapstone" set v.map "actors[2].target_tid=31000" --force -o wrong.map
    "$mapstone" edit wrong.map -e "duplicate actors[2]" -o out.map'
test_that "patches by the same rule" '
    "$mapstone" set a.level "mesh.faces[3].material=7" --force -o m.level; "$mapstone" diff --patch a.level m.level >m.patch
    "$mapstone" set a.level "objects[7].class_name=prop_static" -o b.level; "$mapstone" patch b.level m.patch -o c.level; [ $? -eq 5 ]'
test_that "merges by the same rule, without a conflict for what neither side has" '
    "$mapstone" set a.level "mesh.faces[3].material=7" --force -o m.level
    "$mapstone" set a.level "objects[7].class_name=prop_static" -o b.level; "$mapstone" merge a.level b.level m.level -o c.level'

# ---- keys
test_that "an id that another names" '
    refuses "others refer to it" a.level "layers[0].id=77"'
test_that "an id that is taken" '! "$mapstone" set a.level "layers[0].id=$("$mapstone" get a.level "layers[1].id")" -o b.level'
test_that "an id that no mask can hold" '
    "$mapstone" edit a.level -e "insert layers[0] = {\"name\":\"x\",\"visible\":true,\"color\":[0,0,0,0],\"id\":200}" -o l.level
    refuses NS2-LAYER-ID l.level "layers[0].id=256"'

# ---- names
test_that "a class that is misspelled" 'refuses "did you mean prop_static?" a.level "objects[7].class_name=prop_statc"'
test_that "an entity of a misspelled class" '
    ! "$mapstone" edit a.level -e "add light_piont origin=1,2,3" -o b.level 2>err && grep -q "did you mean light_point" err'
test_that "a class of a mod" 'says "it must be a mod" a.level "objects[7].class_name=strange_machine"'
test_that "a class that the level has is known" '
    "$mapstone" set a.level "objects[7].class_name=prop_statc" --force -o odd.level
    silent "class" odd.level "objects[8].class_name=prop_statc"'
test_that "a class of the schema next to the level is known" '
    mkdir -p mod/maps && cp a.level mod/maps/ && echo "<editor><classes><class name=\"prop_statc\"/></classes></editor>" >mod/maps/editor_setup.xml
    silent class mod/maps/a.level "objects[7].class_name=prop_statc" && mv mod/maps/editor_setup.xml mod/ &&
        silent class mod/maps/a.level "objects[7].class_name=prop_statc"'
test_that "a misspelled name of an enum" '
    ! "$mapstone" set L100LEV.MAP "map.monsters[0].type=queeen" -o b.MAP 2>err && grep -q "expected queen, or an integer" err'

# ---- kept values
test_that "the only vent of a type" 'says "vent_mask: is kept" L100LEV.MAP "map.monsters[0].type=vertical_flame_vent"'
test_that "an actor where no sector is" 'says "there is no sector below" v.map "actors[$("$mapstone" table v.map actors --columns sector,index 2>/dev/null | grep -n "sector\":[0-9]" | head -1 | cut -d: -f1 | awk "{print \$1 - 1}")].origin=[99999,99999,0]"'
test_that "an actor of another type keeps its model" 'says "the model of the old type" v.map "actors[0].type=5"'

# ---- real levels
if [ -d "$corpus" ]; then
    S=$corpus/ns2/ns2-skulks-with-shotguns__sws2__068c1cf8.level
    L=$corpus/alien/L111LEV.MAP
    T=$corpus/turok/synth_valley.map
    test_that "real: masks of a level without a list of layers" '
        "$mapstone" set -q "$corpus/ns2/ns2lua__splay__4788dc5c.level" "objects[0].layer_mask=7" -o masked.level'
    test_that "real: faces, loops, edges" '
        refuses NS2-MATERIAL-INDEX "$S" "mesh.faces[63].material=99999" &&
        refuses NS2-LOOP-OPEN "$S" --remove "mesh.faces[295].loops[0][1]" &&
        refuses NS2-LOOP-OPEN "$S" "mesh.edges[457].vertices=[0,3]"'
    test_that "real: quads, runs, commands, drops" '
        refuses ALIEN-QUAD-VERTEX "$L" "map.quads[0].vertices[0]=20000" &&
        refuses ALIEN-RUNS "$L" "map.cells[100].first_quad=5" &&
        refuses ALIEN-COMMAND-TARGET "$L" "map.commands[0].target=60" &&
        refuses ALIEN-DROP "$L" "map.monsters[0].drop=200"'
    test_that "real: a texture that the file next to the level lacks" 'refuses ALIEN-QUAD-TEXTURE "$L" "map.quads[0].texture=5000"'
    test_that "real: sectors and shadows" '
        refuses TUROK-ACTOR-SECTOR-RANGE "$T" "actors[0].sector=99999" &&
        refuses "has no such element" "$corpus/revenant/v0/0_1_2.DAT" "objects[95].shadow=230"'
    test_that "real: maps and the files that they are about" '
        cp -r "$corpus/sfa/mini" mini && chmod -R u+w mini &&
        refuses SFA-CELL-FILE mini/MAPS.bin "maps[26].cells[0].sub=50" &&
        refuses SFA-INFO-OBJECTS mini/MAPS.bin "maps[26].object_count=3" &&
        refuses SFA-INFO-SIZE mini/MAPS.bin "maps[26].object_list_size=5" &&
        refuses SFA-STUB mini/MAPS.bin "maps[26].object_list.packed_size=5" &&
        refuses SFA-WARP-LAYER mini/WARPTAB.bin "warps[5].layer=5" &&
        refuses SFA-TRKBLK-COUNT mini/TRKBLK.tab "first_blocks[6]=1" &&
        refuses SFA-CELL-LAYER mini/MAPS.bin "maps[26].cells[0].layer_row=9" &&
        refuses SFA-CELL-JUNK mini/MAPS.bin "maps[26].cells[0].mod=150"'
    # 185 ids of real lists repeat (sfa.md 3.8): nothing is refused
    test_that "real: an id that others have" '
        says "objects[3].id: 1 other has this id" "$corpus/sfa/samples/romlists/temple.romlist.bin" "objects[3].id=305146" &&
        says "objects[0].id: 4 others have this id" "$corpus/sfa/samples/romlists/temple.romlist.bin" --each "objects[0:5].id=7" &&
        silent "this id" "$corpus/sfa/samples/romlists/temple.romlist.bin" "objects[3].id=4"'
    test_that "real: keys that others name" '
        says "actors[35].tid: 2 references to it follow" "$T" "actors[35].tid=7777" &&
        says "objects[144].id: 2 references to it follow" "$corpus/sfa/samples/romlists/linkc.romlist.bin" "objects[144].id=424242" &&
        says "groups[1].id: 3 references to it follow" "$corpus/histories/ns2/XenoSwarmVents/1.level" "groups[1].id=4077" &&
        refuses "others refer to it" "$S" "layers[0].id=4077" &&
        refuses "others refer to it" "$T" "actors[35].tid=7777" --keep-references'
    test_that "real: a key that others have as well" 'says "1 other has 1; 2 refer to it" "$T" "actors[1].tid=7777"'
    test_that "real: a key that is renamed with its users" '
        silent "refer" "$T" "actors[35].tid=7777" "actors[5].target_tid=7777" "actors[95].target_tid=7777"'
    test_that "real: no level is refused its own classes" '
own_classes'
    test_that "real: a command that is removed empties a trigger" 'says "map.triggers[1].first_command: no longer refers to anything" "$L" --remove "map.commands[0]"'
    test_that "real: an empty slot" 'says "map.commands[1]: was empty already" "$L" --remove "map.commands[1]"'
    test_that "real: a hash follows the order of objects" '
        cp "$corpus/revenant/v15/44_12_8.DAT" . && "$mapstone" edit -i 44_12_8.DAT -e "move objects[1172] to 0" &&
        "$mapstone" check --strict 44_12_8.DAT'
fi

finish
