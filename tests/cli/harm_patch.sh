#!/bin/sh
# SPDX-License-Identifier: MIT
# Patches and merges that would damage a level: new errors and numbers that name nothing refuse them like edits, also if
# only the file next to the level reveals it. tests/cli/harm_patch.sh path/to/mapstone [corpus]. One line per test;
# exits with 1 if one fails.
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

L=L900LEV.MAP
G=900GFX.B16
mkdir old new moved alone out || exit 2
"$mapstone" convert "$samples/bunker.json" -o "old/$L" >/dev/null &&
    "$mapstone" convert "$samples/bunker-textures.json" -o "old/$G" >/dev/null || exit 2
cp old/* new && cp old/* moved || exit 2
rectangles=$("$mapstone" get "old/$G" information.rectangle_count)
edit() { "$mapstone" set -q -i "$@" 2>/dev/null; }

# refused WORDS COMMAND...: with 5 and these words, and nothing is written; done with --force
refused() {
    words=$1
    shift
    rm -rf out/*
    "$@" -o "out/$L" 2>err
    code=$?
    cat err
    [ "$code" -eq 5 ] && grep -qF -e "$words" err && [ ! -e "out/$L" ] || return 1
    "$@" -o "out/$L" --force 2>err
    code=$?
    cat err
    [ "$code" -eq 0 ] && [ -s "out/$L" ]
}

# refused_all WORDS COMMAND...: the same for directories
refused_all() {
    words=$1
    shift
    rm -rf made
    "$@" -o made 2>err
    code=$?
    cat err
    [ "$code" -eq 5 ] && grep -qF -e "$words" err && [ ! -e made ] || return 1
    "$@" -o made --force 2>err
    code=$?
    cat err
    [ "$code" -eq 0 ] && [ -s "made/$L" ]
}

edit --force "new/$L" "map.quads[0].texture=5000"
edit "moved/$L" "map.monsters[0].health=9"
cp "moved/$L" alone
"$mapstone" diff -q "old/$L" "new/$L" -o texture.mspatch
"$mapstone" diff -q old new -o all.mspatch

# ---- patches
test_that "a patch makes what it was made for" '"$mapstone" patch -q "old/$L" texture.mspatch -o "out/$L" && cmp "out/$L" "new/$L"'
test_that "a patch: a texture that the file next to the level lacks" '
    refused ALIEN-QUAD-TEXTURE "$mapstone" patch "moved/$L" texture.mspatch'
test_that "a patch: what --force writes is said" 'grep -q "^warning: out/$L.*ALIEN-QUAD-TEXTURE" err && grep -q "1 new finding" err'
test_that "a patch: no file next to the level" '"$mapstone" patch -q "alone/$L" texture.mspatch -o "out/$L"'
test_that "a patch: a number that names nothing" '
    cp "old/$L" "new/$L" && edit --force "new/$L" "map.cells[3].light=200" &&
        ! "$mapstone" diff -q "old/$L" "new/$L" -o light.mspatch &&
        refused ALIEN-REFERENCE "$mapstone" patch "moved/$L" light.mspatch'
test_that "a patch of directories: a texture that the file next to the level lacks" '
    refused_all ALIEN-QUAD-TEXTURE "$mapstone" patch moved all.mspatch'
test_that "a patch of directories brings the texture along" '
    cp "old/$L" "new/$L" && "$mapstone" edit -q -i "new/$G" -e "duplicate rectangle_lists[1].rectangles[-1]" &&
        edit "new/$L" "map.quads[0].texture=$rectangles" &&
        ! "$mapstone" diff -q old new -o both.mspatch && rm -rf made && "$mapstone" patch -q moved both.mspatch -o made'
test_that "a patch of directories takes a texture away that the other level has come to need" '
    cp -r new newer && edit "newer/$L" "map.quads[0].texture=0" && edit "newer/$G" --remove rectangle_lists[1].rectangles[-1] &&
        ! "$mapstone" diff -q new newer -o less.mspatch && rm -rf needs && cp -r new needs &&
        edit "needs/$L" "map.quads[1].texture=$rectangles" &&
        refused_all ALIEN-QUAD-TEXTURE "$mapstone" patch needs less.mspatch'

# ---- merges
test_that "a merge of directories: theirs uses a texture that ours has removed" '
    rm -rf base ours theirs && cp -r new base && edit "base/$L" "map.quads[0].texture=0" && cp -r base ours && cp -r base theirs &&
        edit "ours/$G" --remove rectangle_lists[1].rectangles[-1] && edit "ours/$L" "map.monsters[0].health=9" &&
        edit "theirs/$L" "map.quads[0].texture=$rectangles" &&
        refused_all ALIEN-QUAD-TEXTURE "$mapstone" merge base ours theirs'
if [ -d "$corpus" ]; then
    # a cell's block: ours sets its number, theirs its directory, which has fewer
    rm -rf base ours theirs
    cp -r "$corpus/sfa/mini" base && chmod -R u+w base && edit base/MAPS.bin "maps[26].cells[0].mod=13"
    cp -r base ours && cp -r base theirs
    edit ours/MAPS.bin "maps[26].cells[0].sub=4"
    edit theirs/MAPS.bin "maps[26].cells[0].mod=5"
    L=MAPS.bin
    test_that "a merge: a block that no file next to ours has" '
        refused SFA-CELL-FILE "$mapstone" merge base/MAPS.bin ours/MAPS.bin theirs/MAPS.bin'
    test_that "a merge of directories: a block that no file has" 'refused_all SFA-CELL-FILE "$mapstone" merge base ours theirs'
    lit=$corpus/histories/ns2/x/1.level other=$corpus/ns2/ns2-skulks-with-shotguns__2fort__267190d3.level
    "$mapstone" edit -q "$lit" --each -e "objects[class_name=light_point].properties.ignorePowergrid = true" -o lit.level
    "$mapstone" diff -q "$lit" lit.level -o lit.mspatch
    test_that "a patch: a line for six lights, in another level with more than a hundred" '
        ! "$mapstone" patch "$other" lit.mspatch -o never.level 2>err && [ ! -e never.level ] && grep -q "made for another file" err &&
            "$mapstone" patch --partial "$other" lit.mspatch -o part.level >said; grep -q "elements, and not 6: " said && cmp part.level "$other"'
    # vertices of this level are at one place: the index decides which of them an edge has
    "$mapstone" convert -q "$corpus/histories/ns2/mvm_test/1.level" --to-version 10 -o mvm.level
    "$mapstone" diff -q mvm.level "$corpus/histories/ns2/mvm_test/2.level" -o mvm.mspatch
    edit mvm.level "objects[3].properties.origin[0]=-11"
    "$mapstone" set -q "$corpus/histories/ns2/mvm_test/2.level" "objects[2].properties.origin[0]=-11" -o wanted.level
    test_that "a patch: alike vertices, in a level of which only an entity is another one" '
        "$mapstone" patch -q mvm.level mvm.mspatch -o got.level && cmp got.level wanted.level'
    test_that "a patch: a block that no file next to the map has" '
        ! "$mapstone" diff -q base/MAPS.bin theirs/MAPS.bin -o cell.mspatch &&
            refused SFA-CELL-FILE "$mapstone" patch ours/MAPS.bin cell.mspatch'
else
    skip "real maps" "there is no corpus"
fi
finish
