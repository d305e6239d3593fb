#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The output of --dry-run equals the output of diff for the file before and after, for edits of the sample
# levels. tests/cli/dry_run.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
mapstone=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
samples=$(realpath "$here/../../scripts/samples.sh")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME=$work NO_COLOR=1
"$samples" "$mapstone" || exit 2
. "$here/tap.sh"

# as_diff_says LINES COMMAND FILE ARGUMENT...: at least this many lines, equal to diff's, and the file is
# unchanged
as_diff_says() {
    local lines=$1 command=$2 file=$3
    shift 3
    local result=after/${file##*/}
    mkdir -p after && cp "$file" kept && "$mapstone" "$command" "$file" -q --dry-run "$@" >dry && cmp "$file" kept &&
        "$mapstone" "$command" "$file" -q -o "$result" "$@" || return 1
    "$mapstone" diff "$file" "$result" >wet
    diff dry wet && [[ $(wc -l <dry) -ge $lines ]]
}
test_that "a layer that goes, and what was on it" "as_diff_says 2 edit outpost.level --cascade -e 'remove layers[name=Lights]'"
test_that "values that many have" "as_diff_says 1 edit outpost.level --each -e 'objects[class_name=light_point].properties.intensity *= 2'"
test_that "faces of a material that is renamed" "as_diff_says 1 edit outpost.level -e 'mesh.materials[0] s/floor/tiles/'"
test_that "elements that came and went" "as_diff_says 3 set outpost.level --remove 'objects[30]' --remove 'mesh.faces[3]' 'layers[2].name=Rules'"
test_that "sectors of a flooded area" "as_diff_says 3 edit valley.map -e 'collision.sector_sets[9].flags += water'"
test_that "commands of a door that goes" "as_diff_says 3 edit L900LEV.MAP --cascade -e 'remove map.doors[4]'"
test_that "what is carried gets other numbers" "as_diff_says 3 set keep/7_11_11.DAT --remove 'objects[306].inventory[0]'"
test_that "objects of a packed list" "as_diff_says 1 edit islet/magicave.romlist.zlb -e 'remove objects[5]'"
test_that "what only follows from the rest" "as_diff_says 1 set outpost.level --force mesh.triangles.triangle_count=3"
test_that "nothing" "as_diff_says 0 edit outpost.level -e 'layers[2].name = Game'"

every_change() {
    local edit='objects[class_name=light_point].properties.intensity = 3'
    "$mapstone" edit outpost.level --dry-run --all --each -e "$edit" >dry && "$mapstone" edit outpost.level -q --each -e "$edit" -o a.level || return 1
    "$mapstone" diff --all outpost.level a.level >wet
    cmp dry wet && [[ $(wc -l <dry) == 6 ]]
}
test_that "--all shows every change" every_change

for_the_editor() {
    [[ $("$mapstone" edit outpost.level --dry-run -e 'layers[0].visible = false') == '~ layers[0] Props 0: visible true -> false' ]] &&
        [[ $("$mapstone" edit outpost.level --dry-run -e 'layers[0].visible = false' -e 'layers[0].name = x') == '~ layers[0] x 0: name "Props" -> "x"' ]]
}
test_that "what only an editor shows, if that is all" for_the_editor

# Each of three objects takes, or nearly takes, the place of another: their final state does not reveal which is which.
the_one_that_moves() {
    "$mapstone" edit outpost.level --dry-run --each -e 'move objects[class_name=ready_room_start] by 10,0,0' >dry
    diff - dry <<'END'
~ objects[0] ready_room_start: origin 3.00 0.10 3.00 -> 13.00 0.10 3.00
~ objects[1] ready_room_start: origin 3.00 0.10 13.00 -> 13.00 0.10 13.00
~ objects[2] ready_room_start: origin 13.00 0.10 3.00 -> 23.00 0.10 3.00
END
}
test_that "the elements that an operation changes, also of several alike" the_one_that_moves

from_stdin() {
    [[ $("$mapstone" edit - --dry-run -e 'objects[12].properties.name = Atrium' <outpost.level) == '~ objects[12] location Atrium: name "Hub" -> "Atrium"' ]]
}
test_that "a level from standard input" from_stdin

fixed() {
    "$mapstone" set -q --force outpost.level mesh.triangles.triangle_count=3 -o wrong.level && cp wrong.level kept &&
        "$mapstone" fix wrong.level --dry-run >dry 2>said && cmp wrong.level kept && "$mapstone" fix -q wrong.level -o right.level || return 1
    "$mapstone" diff wrong.level right.level >wet
    cmp dry wet && [[ -s dry ]] && grep -q '^wrong.level: NS2-TRIANGLE-COUNT: mesh.triangles.triangle_count: 3 -> 468$' said
}
test_that "fix says what it fixes, and what differs" fixed

# A block gets another number in the bank and in all files that reference it by number; in another map's bank only
# the table changes, and the change is reported for the table.
several_files() {
    local bank=islet/magiccave/mod39.zlb.bin file
    cp -r islet kept-islet && "$mapstone" edit $bank -q --dry-run -e 'duplicate blocks[0]' >dry && diff -r islet kept-islet &&
        "$mapstone" edit -q -i $bank -e 'duplicate blocks[0]' || return 1
    for file in magiccave/mod39.zlb.bin TRKBLK.tab MAPS.bin HITS.bin; do
        echo "islet/$file:"
        "$mapstone" diff "kept-islet/$file" "islet/$file" | sed 's/^/  /'
    done >wet
    sed '/^islet.capeclaw.mod48.tab:/,/^islet/{/mod48.tab:/d;/^ /d}' dry | diff - wet && grep -A 1 '^islet/capeclaw/mod48.tab:$' dry | grep '^  ~ words 0 '
}
test_that "all files that change with it" several_files

finish
