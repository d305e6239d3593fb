#!/bin/sh
# SPDX-License-Identifier: MIT
# Comparing and merging directories whose files belong together: sectors of a level, object lists and their records in MAPS.bin.
# tests/cli/merge.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin patches
cat >bin/mapstone <<END || exit 2
#!/bin/sh
# The command, and a copy of each patch that it makes
"$mapstone" "\$@"
code=\$?
for operand; do
    case \$operand in
    *.mspatch) [ ! -s "\$operand" ] || cp "\$operand" "$work/patches/\$(cksum <"\$operand" | tr -c '0-9\n' _).mspatch" ;;
    esac
done
exit \$code
END
chmod +x bin/mapstone
PATH=$work/bin:$PATH XDG_CONFIG_HOME=$work NO_COLOR=1
export PATH XDG_CONFIG_HOME NO_COLOR
log=$work/log

value() { mapstone get "$1" "$2"; }
set_in() { file=$1 && shift && mapstone set -q -i "$file" "$@"; }
# exits_with CODE COMMAND...
exits_with() {
    expected=$1
    shift
    "$@"
    code=$?
    [ "$code" -eq "$expected" ] || { echo "exit code $code"; return 1; }
}
# three DIRECTORY: ours and theirs are copies of it, and there is no result
three() {
    rm -rf ours theirs out && cp -r "$1" ours && cp -r "$1" theirs
}
# Only the three are here: no result and no temporary file
nothing_is_left() {
    [ ! -e out ] && [ -z "$(find . -name '.*mapstone*')" ]
}

mkdir sectors maps
cp "$samples"/keep/*.def sectors
for file in "$samples"/keep/*.json; do
    name=${file##*/}
    mapstone convert -q "$file" -o "sectors/${name%.json}.DAT" || exit 2
done
find "$samples/islet" -name '*.json' | sort | while IFS= read -r file; do
    name=${file#"$samples"/islet/}
    mkdir -p "maps/$(dirname "$name")"
    mapstone convert -q "$file" -o "maps/${name%.json}" || exit 2
done || exit 2

# carried DIRECTORY SECTOR X Y: moves objects[3] of 7_10_10.DAT to that sector
carried() {
    thing=$(mapstone get --json "$1/7_10_10.DAT" 'objects[3]' | tr -d '\n' | sed "s/10656, 10272, 0/$3, $4, 0/") &&
        mapstone edit -q -i "$1/7_10_10.DAT" -e 'remove objects[3]' && mapstone edit -q -i "$1/$2" -e "insert objects[1] = $thing"
}
# stands_at FILE...: of the result, these are all files with an object at one of the places to which it was
# moved
stands_at() {
    found=
    for file in out/*.DAT; do
        mapstone dump "$file" | tr -d ' \n' | grep -q '"position":\[\(11300,10272\|10656,11300\|11300,10400\),0\]' && found="$found ${file##*/}"
    done
    [ "$found" = "${1:+ $1}" ] || { echo "found:$found"; return 1; }
}
test_that "what both carried to other sectors comes to one of them" \
    "three sectors && carried ours 7_11_10.DAT 11300 10272 && carried theirs 7_10_11.DAT 10656 11300 &&
     exits_with 1 mapstone merge sectors ours theirs -o out && grep -q '^! 7_10_10.DAT: objects.3. .*: ours .*7_11_10.DAT.*, theirs .*7_10_11.DAT' $log && stands_at 7_11_10.DAT && rm -r out &&
     exits_with 0 mapstone merge sectors ours theirs -o out --prefer theirs && stands_at 7_10_11.DAT && rm -r out &&
     exits_with 0 mapstone merge sectors ours ours -o out && diff -r ours out && rm -r out &&
     exits_with 0 mapstone merge sectors sectors theirs -o out && diff -r theirs out"
test_that "what both carried to one sector comes to one place" \
    "three sectors && carried ours 7_11_10.DAT 11300 10272 && carried theirs 7_11_10.DAT 11300 10400 &&
     exits_with 1 mapstone merge sectors ours theirs -o out && stands_at 7_11_10.DAT && [ \"\$(value out/7_11_10.DAT 'objects[1].position[1]')\" = 10272 ]"
test_that "what one carried to another sector and the other removed is a conflict" \
    "three sectors && mapstone edit -q -i ours/7_10_10.DAT -e 'remove objects[3]' && carried theirs 7_10_11.DAT 10656 11300 &&
     exits_with 1 mapstone merge sectors ours theirs -o out && grep -q 'ours removed, theirs .*7_10_11.DAT' $log && diff -r ours out && rm -r out &&
     exits_with 1 mapstone merge sectors theirs ours -o out && [ -e out ] && rm -r out &&
     exits_with 1 mapstone merge -q sectors theirs ours -o out && diff -r theirs out && rm -r out &&
     exits_with 0 mapstone merge sectors theirs ours -o out --prefer theirs && diff -r ours out"
test_that "what one carried to another sector and the other changed stands once" \
    "three sectors && set_in ours/7_10_10.DAT 'objects[3].state=5' && carried theirs 7_10_11.DAT 10656 11300 &&
     exits_with 1 mapstone merge sectors ours theirs -o out && stands_at && [ \"\$(value out/7_10_10.DAT 'objects[3].state')\" = 5 ] && rm -r out &&
     exits_with 0 mapstone merge sectors ours theirs -o out --prefer theirs && stands_at 7_10_11.DAT"
# carried_as DIRECTORY SECTOR X Y STATE: the same, with that state
carried_as() {
    carried "$1" "$2" "$3" "$4" && set_in "$1/$2" "objects[1].state=$5"
}
# state_is STATE: of the result's only object at one of the places
state_is() {
    states=$(for file in out/*.DAT; do mapstone dump "$file" | tr -d ' \n' | grep -o '"position":\[\(11300,10272\|10656,11300\|11300,10400\),0\],"state":[0-9]*'; done)
    [ "${states##*:}" = "$1" ] && [ "$(echo "$states" | wc -l)" = 1 ] || { echo "states: $states"; return 1; }
}
test_that "what both carried to one place and one changed comes there once, changed" \
    "three sectors && carried ours 7_11_10.DAT 11300 10272 && carried_as theirs 7_11_10.DAT 11300 10272 5 &&
     exits_with 0 mapstone merge sectors ours theirs -o out && stands_at 7_11_10.DAT && state_is 5 && diff -r theirs out && rm -r out &&
     exits_with 0 mapstone merge sectors theirs ours -o out && stands_at 7_11_10.DAT && state_is 5"
test_that "what both carried to other sectors and one changed comes to one, changed" \
    "three sectors && carried ours 7_11_10.DAT 11300 10272 && carried_as theirs 7_10_11.DAT 10656 11300 5 &&
     exits_with 1 mapstone merge sectors ours theirs -o out && grep -q '^ours: 1 conflict' $log && stands_at 7_11_10.DAT && state_is 5 && rm -r out &&
     exits_with 1 mapstone merge sectors theirs ours -o out && stands_at 7_10_11.DAT && state_is 5 && rm -r out &&
     exits_with 0 mapstone merge sectors ours theirs -o out --prefer theirs && stands_at 7_10_11.DAT && state_is 5 && rm -r out &&
     exits_with 0 mapstone merge sectors theirs ours -o out --prefer theirs && stands_at 7_11_10.DAT && state_is 5 && rm -r out &&
     exits_with 0 mapstone merge sectors theirs theirs -o out && diff -r theirs out"
test_that "what both carried and changed differently comes once, and is a conflict" \
    "three sectors && carried_as ours 7_11_10.DAT 11300 10272 4 && carried_as theirs 7_11_10.DAT 11300 10272 5 &&
     exits_with 1 mapstone merge sectors ours theirs -o out --conflicts list && grep -q '^ours: 1 conflict' $log && stands_at 7_11_10.DAT && state_is 4 && rm -r out &&
     grep -q '\"ours\":{\"file\":\"7_11_10.DAT\",.*\"element\":{.*\"state\":4.*\"theirs\":{.*\"state\":5' list &&
     exits_with 0 mapstone merge sectors ours theirs -o out --prefer theirs && state_is 5"
test_that "what one removed or changed and the other carried and changed comes once at most" \
    "three sectors && carried_as theirs 7_10_11.DAT 10656 11300 5 && set_in ours/7_10_10.DAT 'objects[3].state=4' &&
     exits_with 1 mapstone merge sectors ours theirs -o out && stands_at && [ \"\$(value out/7_10_10.DAT 'objects[3].state')\" = 4 ] && rm -r out &&
     mapstone edit -q -i ours/7_10_10.DAT -e 'remove objects[3]' && exits_with 1 mapstone merge sectors ours theirs -o out && diff -r ours out && rm -r out &&
     exits_with 1 mapstone merge sectors theirs ours -o out && diff -r theirs out"
test_that "sectors are merged as one level" \
    "three sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && set_in ours/7_12_11.DAT 'objects[0].position[2]=7' &&
     set_in theirs/7_10_10.DAT --remove 'objects[3]' && set_in theirs/7_11_10.DAT 'objects[0].position[2]=9' &&
     mapstone merge -q sectors ours theirs -o out && [ \"\$(ls out)\" = \"\$(ls sectors)\" ] &&
     [ \"\$(value out/7_10_10.DAT 'objects[1].position[0]') \$(value out/7_12_11.DAT 'objects[0].position[2]') \$(value out/7_11_10.DAT 'objects[0].position[2]')\" = '5 7 9' ] &&
     [ \"\$(mapstone diff --stat ours out)\" = \"\$(printf '7_10_10.DAT:\n  objects: 1 removed\n7_11_10.DAT:\n  objects: 1 changed')\" ] &&
     mapstone check -q out && cmp out/class.def sectors/class.def && cmp out/7_11_11.DAT sectors/7_11_11.DAT"
test_that "in the other order, too" \
    "mv out first && mapstone merge -q sectors theirs ours -o out && diff -r first out && rm -r first"
test_that "one side did nothing: the other stands to the byte" \
    "rm -r out && mapstone merge -q sectors sectors theirs -o out && diff -r theirs out && rm -r out &&
     mapstone merge -q sectors ours sectors -o out && diff -r ours out"
test_that "the result may be ours" \
    "cp -r ours again && mapstone merge -q sectors ours theirs -o ours && rm -r out && mapstone merge -q sectors again theirs -o out && diff -r ours out; rm -r again"
test_that "files that came and went do so in the result" \
    "three sectors && rm theirs/7_12_10.DAT && cp ours/7_10_10.DAT ours/7_13_10.DAT && cp theirs/7_10_10.DAT theirs/8_1_1.DAT &&
     mapstone merge -q sectors ours theirs -o out && [ ! -e out/7_12_10.DAT ] && [ -e out/7_13_10.DAT ] && [ -e out/8_1_1.DAT ] &&
     mapstone merge -q sectors ours theirs -o ours && diff -r ours out"
test_that "a conflict is listed with its file; all of the rest is merged" \
    "three sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && set_in theirs/7_10_10.DAT 'objects[1].position[0]=6' 'objects[0].position[2]=3' &&
     set_in theirs/7_11_10.DAT 'objects[0].position[2]=9' && exits_with 1 mapstone merge sectors ours theirs -o out --conflicts list &&
     [ \"\$(value out/7_10_10.DAT 'objects[1].position[0]') \$(value out/7_10_10.DAT 'objects[0].position[2]') \$(value out/7_11_10.DAT 'objects[0].position[2]')\" = '5 3 9' ] &&
     grep -q '^! 7_10_10.DAT: objects.1..position ' $log && grep -q '^ours: 1 conflict: kept ours' $log &&
     grep -q '^{\"conflict\":\"value\",\"file\":\"7_10_10.DAT\",\"path\":\"objects.1..position\"' list"
test_that "--prefer decides it" \
    "rm -r out && mapstone merge -q sectors ours theirs -o out --prefer theirs && [ \"\$(value out/7_10_10.DAT 'objects[1].position[0]')\" = 6 ]"
test_that "--mark puts theirs beside it" \
    "rm -r out && exits_with 1 mapstone merge sectors ours theirs -o out --mark && grep -q ' in objects.2.' $log &&
     [ \"\$(value out/7_10_10.DAT 'objects[1].position[0]') \$(value out/7_10_10.DAT 'objects[2].position[0]')\" = '5 6' ]"
test_that "--check writes nothing" \
    "rm -r out && exits_with 1 mapstone merge sectors ours theirs --check && nothing_is_left"
test_that "files that are not levels, and those that one side removed, are conflicts" \
    "three sectors && echo a >ours/notes.png && echo b >theirs/notes.png && rm ours/7_10_10.DAT && set_in theirs/7_10_10.DAT 'objects[1].position[0]=6' &&
     rm theirs/7_10_11.DAT && set_in ours/7_10_11.DAT 'objects[1].position[0]=6' && exits_with 1 mapstone merge sectors ours theirs -o out &&
     grep -q '^! notes.png: ours changed it, theirs changed it' $log && grep -q '^! 7_10_10.DAT: ours removed, theirs changed it' $log &&
     grep -q '^! 7_10_11.DAT: ours changed it, theirs removed' $log && diff -r ours out && rm -r out &&
     mapstone merge -q sectors ours theirs -o out --prefer theirs && diff -r theirs out"
test_that "a level that cannot be read refuses all, and nothing is left" \
    "three sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && set_in theirs/7_11_10.DAT 'objects[0].position[2]=9' &&
     set_in ours/7_12_11.DAT 'objects[0].position[2]=7' && head -c 200 sectors/7_12_11.DAT >theirs/7_12_11.DAT &&
     cp -r ours before && exits_with 4 mapstone merge sectors ours theirs -o out && grep -q '7_12_11.DAT: .*REV-COUNT' $log &&
     nothing_is_left && exits_with 4 mapstone merge -q sectors ours theirs -o ours && diff -r before ours && nothing_is_left && rm -r before"
test_that "a level of an older version is merged in the newer one" \
    "three sectors && set_in ours/7_12_11.DAT 'objects[0].position[2]=7' && mapstone convert -q --allow-loss --to-version 12 sectors/7_12_11.DAT -o theirs/7_12_11.DAT &&
     set_in theirs/7_12_11.DAT 'objects[1].position[0]=9' && cp -r ours both && set_in both/7_12_11.DAT 'objects[1].position[0]=9' &&
     mapstone merge -q sectors ours theirs -o out && diff -r both out && rm -r both out"
test_that "a file that cannot be written refuses all, and nothing is left" \
    "three sectors && set_in theirs/7_11_10.DAT 'objects[0].position[2]=9' && echo a >theirs/new.png && mkdir ours/new.png && echo b >ours/new.png/b.png && cp -r ours before &&
     exits_with 2 mapstone merge -q sectors ours theirs -o ours && diff -r before ours && nothing_is_left && rm -r before &&
     echo >file && exits_with 2 mapstone merge -q sectors ours theirs -o file/out && exits_with 2 mapstone merge -q sectors ours theirs -o out && nothing_is_left"
test_that "another directory that is not empty is left alone" \
    "three sectors && mkdir out && echo >out/mine && exits_with 2 mapstone merge sectors ours theirs -o out && grep -q 'out is not empty' $log && [ \"\$(ls out)\" = mine ]"
test_that "files and directories are not mixed" \
    "exits_with 2 mapstone merge sectors ours/7_10_10.DAT theirs -o out2 && [ ! -e out2 ]"
test_that "what went from a sector and came to another has moved" \
    "three sectors && moved=\$(mapstone get --json ours/7_10_10.DAT 'objects[3]' | tr -d '\n' | sed 's/\"position\": *\[[^]]*\]/\"position\":[11300,10300,5]/') &&
     mapstone edit -q -i theirs/7_10_10.DAT -e 'remove objects[3]' && mapstone edit -q -i theirs/7_11_10.DAT -e \"insert objects[1] = \$moved\" &&
     set_in theirs/7_12_10.DAT 'objects[0].position[2]=77' && exits_with 1 mapstone diff ours theirs && grep -q '^  > objects.3. tile .* at .* is now 7_11_10.DAT objects.1. at 11300 10300 5' $log &&
     ! grep -q '^7_11_10.DAT:' $log && [ \"\$(grep -c '^  [-+>~]' $log)\" = 2 ] && mapstone diff --stat ours theirs >stat; grep -q '^  objects: 1 moved' stat &&
     mapstone diff --json ours theirs | grep '\"op\":\"remove\"' | grep -q '\"moved_to\":{\"file\":\"7_11_10.DAT\",\"index\":1}' &&
     mapstone diff --json ours theirs | grep '\"op\":\"insert\"' | grep -q '\"moved_from\":{\"file\":\"7_10_10.DAT\",\"index\":3}'"
test_that "MAPS.bin agrees with object lists that both changed" \
    "three maps && set_in ours/capeclaw.romlist.zlb --remove 'objects[0]' && set_in theirs/magicave.romlist.zlb --remove 'objects[0]' &&
     set_in ours/magicave.romlist.zlb --remove 'objects[5]' &&
     ! cmp -s ours/MAPS.bin theirs/MAPS.bin && mapstone merge -q maps ours theirs -o out && mapstone check maps >before; mapstone check out >after; diff before after &&
     [ \"\$(mapstone diff --stat maps out | grep -c removed)\" = 2 ] && cp -r out once && set_in once/magicave.romlist.zlb 'objects[0].position[0]=1' &&
     set_in once/magicave.romlist.zlb \"objects[0].position[0]=\$(value out/magicave.romlist.zlb 'objects[0].position[0]')\" && cmp once/MAPS.bin out/MAPS.bin && cmp once/MAPS.tab out/MAPS.tab"
bank=magiccave/mod39.zlb.bin
test_that "banks in which blocks got other numbers are not merged with other changes" \
    "three maps && mapstone edit -q -i ours/\$bank -e 'duplicate blocks[0]' && set_in theirs/\$bank 'blocks[0].packed.block.unknown_06=8' &&
     exits_with 5 mapstone merge maps/\$bank ours/\$bank theirs/\$bank -o out && grep -q 'ours renumbered elements of blocks' $log &&
     exits_with 5 mapstone merge maps/\$bank theirs/\$bank ours/\$bank -o out && grep -q 'theirs renumbered elements of blocks' $log &&
     exits_with 5 mapstone merge maps ours theirs -o out && nothing_is_left &&
     exits_with 0 mapstone merge maps/\$bank maps/\$bank ours/\$bank -o maps/magiccave/mod40.zlb.bin && cmp maps/magiccave/mod40.zlb.bin ours/\$bank"
added() { mapstone edit -q -i "$1/$bank" -e 'duplicate blocks[0]' && mapstone edit -q -i "$1/$bank" -e 'blocks[1].packed.block.name = other'; }
test_that "a block that was changed is found next to one that was added" \
    "three maps && added ours && set_in theirs/\$bank 'blocks[0].packed.block.unknown_06=8' && set_in theirs/\$bank 'blocks[2].packed.block.unknown_06=9' &&
     exits_with 0 mapstone merge maps ours theirs -o out && exits_with 0 mapstone merge maps theirs ours -o again && set_in ours/\$bank 'blocks[0].packed.block.unknown_06=8' && set_in ours/\$bank 'blocks[3].packed.block.unknown_06=9' &&
     exits_with 0 mapstone diff ours out && exits_with 0 mapstone diff ours again && rm -r again &&
     exits_with 5 mapstone merge maps ours theirs -o again && grep -q 'ours renumbered elements of blocks' $log"
inserted() { mapstone edit -q -i "$1/$bank" -e 'duplicate blocks[0]'; }
test_that "a block that was inserted is new in each file, and no other one has changed" \
    "three maps && inserted ours && exits_with 1 mapstone diff maps ours && grep -q '^  + blocks.1.' $log && grep -q 'cells.1.: sub 1 -> 2' $log && ! grep -q '~ blocks' $log &&
     exits_with 1 mapstone diff ours maps && grep -q '^  - blocks.1.' $log"
test_that "cells that name blocks by number are not merged where the blocks got other numbers" \
    "three maps && inserted ours && set_in theirs/MAPS.bin 'maps[54].cells[0].sub=3' && exits_with 5 mapstone merge maps ours theirs -o out &&
     grep -q 'mod39.tab: ours renumbered elements of blocks, and the other side changed some of the numbers' $log && exits_with 5 mapstone merge maps theirs ours -o out && grep -q 'mod39.tab: theirs renumbered' $log && nothing_is_left"
test_that "anything else is merged with an inserted block" \
    "three maps && inserted ours && set_in theirs/capeclaw.romlist.zlb --remove 'objects[0]' && set_in theirs/MAPS.bin 'maps[29].origin_x=5' && exits_with 0 mapstone merge maps ours theirs -o out &&
     set_in ours/capeclaw.romlist.zlb --remove 'objects[0]' && set_in ours/MAPS.bin 'maps[29].origin_x=5' && diff -r ours out"
test_that "cells are merged where only blocks of another directory got other numbers" \
    "three maps && mapstone edit -q -i ours/\$bank -e 'duplicate blocks[0] to 4' && set_in theirs/MAPS.bin 'maps[29].cells[0].sub=3' && exits_with 0 mapstone merge maps ours theirs -o out &&
     set_in ours/MAPS.bin 'maps[29].cells[0].sub=3' && diff -r ours out"
textures=capeclaw/TEX1.bin
# painted SIDE TEXTURE BLOCK: has a copy of the texture, which the block shows
painted() {
    mapstone edit -q -i "$1/$textures" -e "duplicate textures[$2] to 13" && set_in "$1/capeclaw/mod48.zlb.bin" "blocks[$3].packed.block.textures[0]=13"
}
test_that "textures that both added are not merged where a block of theirs would show that of ours" \
    "three maps && painted ours 0 4 && painted theirs 1 5 && exits_with 5 mapstone merge maps ours theirs -o out && nothing_is_left &&
     grep -q 'capeclaw/TEX1.bin: both sides changed the number of textures, and theirs changed references to some' $log"
test_that "they are where both are the same, and where no block of theirs shows one" \
    "three maps && painted ours 0 4 && painted theirs 0 5 && exits_with 0 mapstone merge maps ours theirs -o out && cmp ours/\$textures out/\$textures &&
     set_in ours/capeclaw/mod48.zlb.bin 'blocks[5].packed.block.textures[0]=13' && diff -r ours out &&
     three maps && painted ours 0 4 && mapstone edit -q -i theirs/\$textures -e 'duplicate textures[1] to 13' && exits_with 0 mapstone merge maps ours theirs -o out &&
     mapstone diff maps out >all; [ \"\$(grep -c '^  + textures' all)\" = 2 ]"
mkdir shaft && mapstone convert -q "$samples/bunker.json" -o shaft/L111LEV.MAP && mapstone convert -q "$samples/bunker-textures.json" -o shaft/111GFX.BIN || exit 2
test_that "nor are rectangles of textures with the quads that show them" \
    "three shaft && mapstone edit -q -i ours/111GFX.BIN -e 'add rectangle_lists[-1].rectangles x=1' && mapstone edit -q -i theirs/111GFX.BIN -e 'add rectangle_lists[-1].rectangles x=2' &&
     exits_with 0 mapstone merge shaft ours theirs -o out && rm -r out && set_in theirs/L111LEV.MAP 'map.quads[0].texture=1' && exits_with 5 mapstone merge shaft ours theirs -o out &&
     grep -q '111GFX.BIN: both sides changed the number of rectangle_lists' $log && nothing_is_left"
# one DIRECTORY: ours is a copy of it, and there is no result
one() {
    rm -rf ours out back p.mspatch && cp -r "$1" ours
}
# patch_is_right DIRECTORY OPTION...: the patch from that directory turns it into ours, and the reverse
patch_is_right() {
    from=$1 && shift
    exits_with 1 mapstone diff "$from" ours -o p.mspatch "$@" && exits_with 0 mapstone patch --check "$from" p.mspatch &&
        exits_with 0 mapstone patch "$from" p.mspatch -o out && diff -r ours out &&
        exits_with 0 mapstone patch --reverse out p.mspatch -o back && diff -r "$from" back && rm -rf back
}
test_that "a patch of directories has a part for each file that changed" \
    "one sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && mapstone edit -q -i ours/7_11_10.DAT -e 'remove objects[0]' &&
     mv ours/7_12_10.DAT ours/8_1_1.DAT && echo hi >ours/note.png && patch_is_right sectors &&
     [ \"\$(grep -c '^{\"mspatch\"' p.mspatch)\" = 5 ] && grep -q '^{\"mspatch\":1,\"files\":4}' p.mspatch && grep -q '\"file\":\"7_12_10.DAT\",\"to\":\"8_1_1.DAT\"' p.mspatch &&
     ! grep '\"op\":\"raw\"' p.mspatch | grep -qv 68690a"
test_that "nothing has changed: the patch of directories is empty" \
    "one sectors && exits_with 0 mapstone diff sectors ours -o p.mspatch && [ \"\$(cat p.mspatch)\" = '{\"mspatch\":1,\"files\":0}' ] && mapstone patch sectors p.mspatch -o out && diff -r sectors out"
test_that "the two files of a pair are patched as one, and MAPS.bin with them" \
    "one maps && set_in ours/capeclaw.romlist.zlb --remove 'objects[0]' && set_in ours/capeclaw/mod48.zlb.bin 'blocks[4].packed.block.y_max=233' &&
     ! cmp -s maps/MAPS.bin ours/MAPS.bin && patch_is_right maps && ! grep -q '\"op\":\"raw\"' p.mspatch && ! grep -q '\"file\":\"[^\"]*mod48.tab\"' p.mspatch"
# agrees: MAPS.bin in out states the contents of its object lists, as after an edit there that changes nothing in the end
agrees() {
    rm -rf once && cp -r out once
    for list in capeclaw magicave; do
        x=$(value "out/$list.romlist.zlb" 'objects[0].position[0]') && set_in "once/$list.romlist.zlb" 'objects[0].position[0]=1' &&
            set_in "once/$list.romlist.zlb" "objects[0].position[0]=$x" || return 1
    done
    cmp once/MAPS.bin out/MAPS.bin && cmp once/MAPS.tab out/MAPS.tab
}
test_that "a patch of object lists fits where MAPS.bin has moved on, which agrees with them" \
    "one maps && set_in ours/capeclaw.romlist.zlb --remove 'objects[0]' && set_in ours/MAPS.bin 'maps[29].origin_x=5' && mapstone diff maps ours -o p.mspatch; rm -rf moved && cp -r maps moved &&
     set_in moved/capeclaw.romlist.zlb --remove 'objects[4]' && set_in moved/magicave.romlist.zlb --remove 'objects[5]' && exits_with 0 mapstone patch --check moved p.mspatch &&
     exits_with 0 mapstone patch moved p.mspatch -o out && [ \"\$(value out/MAPS.bin 'maps[29].object_count') \$(value out/MAPS.bin 'maps[29].origin_x')\" = '68 5' ] && agrees &&
     cmp moved/magicave.romlist.zlb out/magicave.romlist.zlb &&
     exits_with 0 mapstone patch --reverse out p.mspatch -o back && cmp moved/MAPS.bin back/MAPS.bin && [ \"\$(mapstone diff moved back | grep -c '^  [-+~>*]')\" = 0 ] && exits_with 5 mapstone patch --exact moved p.mspatch -o out2 && [ ! -e out2 ]"
test_that "a patch that says nothing of MAPS.bin leaves it in agreement" \
    "one maps && x=\$(value maps/capeclaw.romlist.zlb 'objects[3].position[0]') && set_in ours/capeclaw.romlist.zlb 'objects[3].position[0]=1' && mapstone diff maps ours >said; cp maps/MAPS.bin maps/MAPS.tab ours && mapstone diff maps ours -o p.mspatch;
     ! grep -q '\"file\":\"MAPS' p.mspatch && rm -rf moved && cp -r maps moved && mapstone set -q moved/capeclaw.romlist.zlb --remove 'objects[4]' -o stale.romlist.zlb && cp stale.romlist.zlb moved/capeclaw.romlist.zlb &&
     exits_with 0 mapstone patch moved p.mspatch -o out && [ \"\$(value out/MAPS.bin 'maps[29].object_count')\" = 69 ] && agrees"
test_that "what else a patch says of MAPS.bin has to fit" \
    "one maps && set_in ours/capeclaw.romlist.zlb --remove 'objects[0]' && set_in ours/MAPS.bin 'maps[29].origin_x=5' && mapstone diff maps ours -o p.mspatch; rm -rf moved && cp -r maps moved &&
     set_in moved/capeclaw.romlist.zlb --remove 'objects[4]' && set_in moved/MAPS.bin 'maps[29].origin_x=6' && exits_with 5 mapstone patch moved p.mspatch -o out && nothing_is_left &&
     [ \"\$(grep -c '^!' $log)\" = 1 ] && grep -q '^! MAPS.bin: maps.29..origin_x' $log && exits_with 1 mapstone patch --partial moved p.mspatch -o out &&
     [ \"\$(value out/MAPS.bin 'maps[29].object_count') \$(value out/MAPS.bin 'maps[29].origin_x')\" = '68 6' ] && agrees; kept=$?; rm -rf moved once && [ \$kept = 0 ]"
test_that "a texture whose number another one has does not fit" \
    "three maps && painted ours 0 4 && painted theirs 1 5 && mapstone diff --with-data maps theirs -o p.mspatch; exits_with 5 mapstone patch ours p.mspatch -o out &&
     grep -q '^! capeclaw/TEX1.bin: textures.13.: another element has its number, by which other files refer to it' $log && [ \"\$(grep -c '^!' $log)\" = 1 ] && nothing_is_left"
test_that "data of files that come, go or are not levels has to be asked for" \
    "one sectors && rm ours/7_12_10.DAT && cp sectors/7_10_10.DAT ours/7_13_10.DAT && exits_with 5 mapstone diff sectors ours -o p.mspatch && grep -q 'bytes of raw data' $log && [ ! -e p.mspatch ] &&
     patch_is_right sectors --with-data && rm ours/class.def && echo other >ours/class.def && rm -r out && patch_is_right sectors --with-data"
test_that "a patch of directories changes all files or none" \
    "one sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && set_in ours/7_11_10.DAT 'objects[0].position[2]=9' && echo hi >ours/note.png &&
     mapstone diff sectors ours -o p.mspatch; cp -r sectors moved && set_in moved/7_10_10.DAT 'objects[1].position[0]=6' && echo mine >moved/note.png && cp -r moved kept &&
     exits_with 5 mapstone patch moved p.mspatch -i && grep -q '^! 7_10_10.DAT: objects.1..position' $log && grep -q '^! note.png: has changed' $log && diff -r kept moved &&
     exits_with 5 mapstone patch moved p.mspatch -o out && nothing_is_left && exits_with 1 mapstone patch moved p.mspatch -i --partial &&
     [ \"\$(value moved/7_10_10.DAT 'objects[1].position[0]') \$(value moved/7_11_10.DAT 'objects[0].position[2]') \$(cat moved/note.png)\" = '6 9 mine' ] &&
     exits_with 5 mapstone patch kept p.mspatch -o out --exact --partial && nothing_is_left && mapstone patch sectors p.mspatch -o out && diff -r ours out && rm -r kept moved"
test_that "a file that a patch needs and that is gone does not fit" \
    "mkdir less && cp sectors/7_11_10.DAT less && exits_with 5 mapstone patch less p.mspatch -o out2 && grep -q '^! 7_10_10.DAT: is not there' $log && [ ! -e out2 ] && rm -r less"
# refuses_name NAME: a patch that makes a file of that name is refused
refuses_name() {
    sed "s|\"file\":\"x\"|\"file\":\"$1\"|" good >bad
    exits_with 5 mapstone patch sectors bad -o out >said 2>&1 && grep -q 'the patch names ".*", which is refused: it' said && nothing_is_left
}
printf '{"mspatch":1,"files":1}\n{"mspatch":1,"file":"x","new":{"version":0,"sha256":"98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4"}}\n{"op":"raw","offset":0,"old":"","new":"68690a"}\n{"end":{"operations":1}}\n' >good
test_that "a patch of directories names no file outside" \
    "rm -rf out && refuses_name ../x && refuses_name a/../x && refuses_name /x && refuses_name a//x && refuses_name ./x && refuses_name .. && refuses_name x/ && refuses_name C:x && refuses_name 'a\\\\\\\\x' && refuses_name '' &&
     refuses_name 'x\",\"to\":\"../y'"
test_that "a patch of directories makes no file twice, and has all that it counts" \
    "mapstone patch sectors good -o out && [ \"\$(cat out/x)\" = hi ] && rm -r out &&
     { cat good && sed 1d good; } | sed 's/\"files\":1/\"files\":2/' >bad && exits_with 2 mapstone patch sectors bad -o out && grep -q 'makes x twice' $log && nothing_is_left &&
     sed 's/\"files\":1/\"files\":2/' good >bad && exits_with 2 mapstone patch sectors bad -o out && grep -q 'is cut off' $log && nothing_is_left &&
     sed 's/68690a/68690b/' good >bad && exits_with 2 mapstone patch sectors bad -o out && grep -q 'x: its bytes are not those' $log && nothing_is_left &&
     exits_with 2 mapstone patch sectors/7_10_10.DAT good -o out && nothing_is_left"
test_that "the patch of one file is not for a directory" \
    "one sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && { mapstone diff sectors/7_10_10.DAT ours/7_10_10.DAT -o p.mspatch; exits_with 2 mapstone patch ours p.mspatch -o out; } &&
     grep -q 'the patch is for one file' $log && nothing_is_left"
test_that "archives are patched as directories are" \
    "one sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && tar -cf old.tar -C sectors . && tar -cf new.tar -C ours . &&
     exits_with 1 mapstone diff old.tar new.tar -o p.mspatch && mapstone patch old.tar p.mspatch -o out && diff -r ours out && exits_with 1 mapstone diff sectors new.tar -o q.mspatch && cmp p.mspatch q.mspatch &&
     exits_with 2 mapstone patch -i old.tar p.mspatch"
cp sectors/7_10_10.DAT a.DAT && echo text >text && mapstone set -q a.DAT 'objects[1].position[0]=5' -o b.DAT || exit 2
test_that "what is not a level is not compared, merged or patched" \
    "rm -rf out && exits_with 2 mapstone diff a.DAT text && exits_with 2 mapstone diff text a.DAT && { mapstone diff a.DAT b.DAT -o p.mspatch; exits_with 2 mapstone patch text p.mspatch -o out; } &&
     exits_with 2 mapstone merge text a.DAT b.DAT -o out && exits_with 2 mapstone merge a.DAT text b.DAT -o out && exits_with 2 mapstone merge a.DAT b.DAT text -o out && nothing_is_left"
if python3 -c 'import jsonschema' 2>/dev/null; then
    test_that "all of these patches are as the schema says" "python3 '$samples/../tests/references/patches.py' '$mapstone' --in patches"
fi
finish
