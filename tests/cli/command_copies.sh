#!/bin/bash
# SPDX-License-Identifier: MIT
# Names by which things refer to each other, when things are copied and renamed.
# tests/cli/command_copies.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
mapstone=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
samples=$(realpath "$here/../../scripts/samples.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME=$work NO_COLOR=1
"$samples" "$mapstone" || exit 2
. "$here/tap.sh"
also=err

exits() {
    local wanted=$1 code=0
    shift
    "$mapstone" "$@" >out 2>err || code=$?
    [ "$code" = "$wanted" ] || { echo "exit $code, not $wanted: $*"; return 1; }
}

# named LEVEL INDEX...: class, name and output of these objects
named() {
    local level=$1 index
    shift
    for index in "$@"; do
        "$mapstone" get "$level" "objects[$index].class_name" "objects[$index].properties.name" | tr '\n' ' '
        "$mapstone" get "$level" "objects[$index].properties.output1" 2>/dev/null || echo
    done | sed 's/ *$//'
}

# In the sample, the button objects[41] names the door objects[40].
printf '%s\n' 'func_door airlock_door' 'logic_button airlock_button airlock_door' \
    'func_door airlock_door2' 'logic_button airlock_button airlock_door2' >copied
test_that "copies of a run follow it, and refer to each other by names of their own" \
    'exits 0 edit outpost.level --each -e "duplicate objects[40:42]" -o a.level' \
    'named a.level 40 41 42 43 | diff copied -' \
    'grep -q "objects\[42\]: the name \"airlock_door\" becomes \"airlock_door2\" in the copy; 1 reference of copies follows" err' \
    'exits 0 check --strict a.level'
printf '%s\n' 'func_door airlock_door' 'logic_button airlock_button airlock_door' \
    'func_door airlock_door' 'logic_button airlock_button airlock_door' >kept
test_that "--keep-names keeps them, and says how many have the name" \
    'exits 0 edit outpost.level --each --keep-names -e "duplicate objects[40:42]" -o a.level' \
    'named a.level 40 41 42 43 | diff kept -' \
    'grep -q "\"airlock_door\" is now the name of 2 elements; 2 references to it" err'
test_that "a copy of the button alone still names the door" \
    'exits 0 edit outpost.level -e "duplicate objects[41]" -o a.level' \
    'named a.level 42 | grep -qx "logic_button airlock_button airlock_door"' '! grep -q becomes err'
test_that "a copy of the door alone gets a name, and nothing refers to it" \
    'exits 0 edit outpost.level -e "duplicate objects[40] to 0" -o a.level' \
    'named a.level 0 | grep -qx "func_door airlock_door2"' 'exits 0 check --strict a.level'
printf '%s\n' 'func_door airlock_door2' 'logic_button airlock_button airlock_door2' >first
test_that "copies of several elements to an index before them" \
    'exits 0 edit outpost.level --each -e "duplicate objects[40:42] to 0" -o a.level' \
    'named a.level 0 1 | diff first -'
test_that "every copy gets another name, in any case of letters" \
    'exits 0 edit outpost.level -e "objects[41].properties.output1 = Airlock_Door" -e "each duplicate objects[40:42]" -e "each duplicate objects[40:42]" -e "each duplicate objects[42:44]" -o a.level' \
    '[ "$("$mapstone" get a.level "objects[class_name=func_door].properties.name" | sort | tr "\n" " ")" = "airlock_door airlock_door2 airlock_door3 airlock_door4 " ]' \
    '[ "$("$mapstone" get a.level "objects[class_name=logic_button].properties.output1" | sort | tr "\n" " ")" = "Airlock_Door airlock_door2 airlock_door3 airlock_door4 " ]'
test_that "things that are pasted twice get names of their own twice" \
    'exits 0 convert outpost.level --allow-loss -o all.clip' 'exits 0 edit outpost.level --paste all.clip -o a.level' \
    'grep -q "the name \"airlock_door\" becomes \"airlock_door2\" in the copy; 1 reference" err' 'exits 0 edit a.level --paste all.clip -o b.level' \
    '[ "$("$mapstone" get b.level "objects[class_name=func_door].properties.name" | sort | tr "\n" " ")" = "airlock_door airlock_door2 airlock_door3 " ]' \
    '[ "$("$mapstone" get b.level "objects[class_name=logic_button].properties.output1" | sort | tr "\n" " ")" = "airlock_door airlock_door2 airlock_door3 " ]'
test_that "a name that only one element has is set where others refer to it" \
    'exits 0 set outpost.level "objects[40].properties.name=gate" -o a.level' 'grep -q "objects\[40\].properties.name: 1 reference to it follows" err' \
    '[ "$("$mapstone" get a.level "objects[41].properties.output1")" = "gate" ]' 'exits 0 check --strict a.level'
test_that "also in steps, by a pattern, and in a dry run" \
    'exits 0 edit outpost.level -e "objects[40].name s/airlock/big/" -e "objects[40].name s/big/small/" -o a.level' \
    '[ "$("$mapstone" get a.level "objects[41].properties.output1")" = "small_door" ]' \
    'exits 0 edit outpost.level --dry-run -e "objects[40].name = gate"' 'grep -q "output1 \"airlock_door\" -> \"gate\"" out'
test_that "--keep-references leaves them, which the checks refuse" \
    'exits 5 set outpost.level "objects[40].properties.name=gate" --keep-references -o b.level' 'grep -q NS2-OUTPUT-TARGET err' \
    'exits 0 set outpost.level "objects[40].properties.name=gate" --keep-references --force -o b.level'
test_that "an id that its users cannot hold keeps no name from following" \
    'exits 0 edit outpost.level --force -e "layers[0].id = 77" -e "objects[40].name = gate" -o a.level' \
    '[ "$("$mapstone" get a.level "objects[41].properties.output1")" = "gate" ]'
test_that "a name that two elements had, which both get others, keeps its references" \
    'exits 0 edit outpost.level --keep-names -e "duplicate objects[40]" -o twice.level' \
    'exits 5 edit twice.level -e "objects[40].name = gate" -e "objects[41].name = hatch" -o a.level' \
    'grep -q "objects\[40\].name: 2 had this name and have others now; 1 reference to it stays" err' 'grep -q NS2-OUTPUT-TARGET err'
test_that "a name that another element keeps, keeps its references" \
    'exits 0 edit outpost.level --keep-names -e "duplicate objects[40]" -o two.level' 'exits 0 set two.level "objects[41].properties.name=gate" -o a.level' \
    'grep -q "1 other has this name still; 1 reference to it stays" err' '[ "$("$mapstone" get a.level "objects[42].properties.output1")" = "airlock_door" ]'
finish
