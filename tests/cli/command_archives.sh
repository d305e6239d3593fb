#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: archives and disc images.
# tests/cli/command_archives.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

make_sectors
class_def >my.def
"$mapstone" convert -q game --level 7 -o seven.glb || exit 2

if reads_archives; then
    test_that "an archive stands for its members" 'tar cf game.tar -C game map' 'exits 0 identify game.tar' \
        'says "^game\.tar!map/7_3_4\.DAT: revenant-sector version 8"' 'last_line out "3 files: 3 known, 0 damaged, 0 skipped"' \
        'exits 0 roundtrip --json-too -j 2 game.tar' 'last_line out "3 files: 3 exact, 0 differ, 0 damaged, 0 skipped"' \
        'exits 0 check -j 2 game.tar' 'exits 0 info --summary game.tar' 'says "7: 2 sectors"' 'exits 0 table -C file,class game.tar' \
        'says "^\{\"file\":\"game\.tar!map/9_1_1\.DAT\",\"class\":\"item\"\}$"'
    test_that "a packed archive, in any order" '(cd game && tar czf ../game.tgz map/9_1_1.DAT map/7_4_4.DAT map/7_3_4.DAT)' \
        '"$mapstone" table -C path,class game.tar >one' '"$mapstone" table -j 2 -C path,class game.tgz >other' \
        '[ "$(sed -n 2p other)" = "$(tail -n 1 one)" ]' 'LC_ALL=C sort one >first' 'LC_ALL=C sort other >second' 'cmp first second'
    test_that "one member, in any case" 'exits 0 get "game.tar!MAP/9_1_1.dat" "objects[1].class"' 'says "^item$"' \
        'exits 0 tree "game.tgz!map/9_1_1.DAT"' 'exits 0 dump "game.tar!map/9_1_1.DAT" -o n.json' 'exits 0 info "game.tar!map/9_1_1.DAT"' \
        'exits 0 convert "game.tar!map/9_1_1.DAT" -t json' 'exits 0 check "game.tar!map/9_1_1.DAT" "game.tar!map/7_4_4.DAT" game/map/7_3_4.DAT' \
        'says "^3 files: 3 ok"'
    test_that "a member that is not there" 'exits 2 get game.tar!map/1_1_1.DAT version' 'complains "no map/1_1_1.DAT"' \
        'exits 2 check game.tar!nothing game/map/9_1_1.DAT' 'says "^1 file: 1 ok"' 'exits 2 tree game.tar' 'complains "game.tar!MEMBER"'
    test_that "sidecars in an archive" 'mkdir -p named/map' 'cp game/map/9* named/map/' 'cp my.def named/CLASS.DEF' \
        'tar cf named.tar -C named map CLASS.DEF' 'exits 0 check "named.tar!map/9_1_1.DAT"' '[ "$(grep -c "\[REV-UNIQUE-ID\]" out)" -eq 1 ]' \
        'exits 0 convert game.tar --level 7 -o n.glb' 'cmp n.glb seven.glb' 'rm n.glb' 'tar cf both.tar -C named map CLASS.DEF -C .. set' \
        'exits 0 identify both.tar' 'last_line out "4 files: 4 known, 0 damaged, 2 skipped"'
    test_that "outputs below a directory" 'exits 0 convert game.tar -t json -o from-tar/' '[ -s from-tar/map/7_3_4.json ]' \
        'exits 0 convert "game.tar!map/7_3_4.DAT" -t json -o from-tar/' 'cmp from-tar/7_3_4.json from-tar/map/7_3_4.json'
    test_that "a member at the top of an archive has its own name" 'tar cf flat.tar -C game/map 7_3_4.DAT' 'exits 0 check --strict flat.tar' \
        'exits 0 check --strict flat.tar!7_3_4.dat' 'exits 0 convert flat.tar -o n.glb'
    cp game.tar kept.tar
    test_that "nothing is written into an archive" 'exits 2 set -i "game.tar!map/9_1_1.DAT" "objects[1].flags=3"' \
        'exits 2 set "game.tar!map/9_1_1.DAT" "objects[1].flags=3" -o game.tar' 'exits 2 set "game.tar!map/9_1_1.DAT" "objects[1].flags=3" -o game.tar!x' \
        'exits 2 dump "game.tar!map/9_1_1.DAT" -o game.tar' 'exits 2 convert "game.tar!map/9_1_1.DAT" -t json -o game.tar' \
        'exits 2 convert "game.tar!map/9_1_1.DAT" -t json -o game.tar!new/x.json' 'exits 2 convert game -t json -o game.tar!new/' \
        'cmp game.tar kept.tar' '[ ! -e "game.tar!new" ]' \
        'exits 0 set "game.tar!map/9_1_1.DAT" "objects[1].unique_id=3" -o n.DAT' '! cmp -s n.DAT game/map/9_1_1.DAT'
    test_that "a file of such a name comes first" 'cp a.level "game.tar!x"' 'exits 0 identify "game.tar!x"' 'says "ns2-level"'
    test_that "a damaged archive" 'head -c 700 game.tar >cut.tar' 'exits 4 check cut.tar a.level' 'complains "cut\.tar"' \
        'says "^1 file: 1 ok"' 'gzip -c stranger.txt >stranger.gz' 'exits 1 identify stranger.gz'
fi

# disc CODE: maps/a.level and notes.txt; its table is at 0x440 and has 71 bytes
disc() {
    printf '%s01' "$1"
    head -c 22 /dev/zero
    big 0xC2339F3D
    head -c 1028 /dev/zero
    big 1088 71 71
    head -c 16 /dev/zero
    big 0x01000000 0 4 0x01000000 0 3 5 1159 "$size" 13 $((1159 + size)) "$(wc -c <stranger.txt)"
    printf 'maps\000a.level\000notes.txt\000'
    cat a.level stranger.txt
}
disc GSAE >game.iso
disc GZZZ >other.iso
cp game.iso kept.iso
test_that "a disc image stands for its files" 'exits 0 identify game.iso' 'says "^game\.iso!maps/a\.level: ns2-level"' \
    'last_line out "1 file: 1 known, 0 damaged, 1 skipped"' '[ ! -s err ]' 'exits 0 info game.iso' 'exits 0 check -j 2 game.iso' \
    'last_line out "1 file: 1 ok, 0 with errors, 0 damaged, 1 skipped; 0 errors, 3 warnings"' 'exits 0 roundtrip --json-too game.iso' \
    'exits 0 get "game.iso!MAPS/A.level" "objects[1].class_name"' 'says "^location$"' 'exits 2 get game.iso!maps/b.level version' \
    'complains "no maps/b.level"' 'exits 2 tree game.iso' 'complains "game.iso!MEMBER"' 'exits 0 convert game.iso -t json -o from-disc/' \
    '[ -s from-disc/maps/a.json ]'
test_that "a disc of another game" 'exits 0 check other.iso' 'complains "^warning: other\.iso:0x0000: .*GZZZ.*SFA-DISC"' 'says "1 ok"'
test_that "nothing is written into a disc image" 'exits 2 set -i "game.iso!maps/a.level" objects[0].class_name=location' 'complains "only zip archives can be written"' \
    'exits 2 set "game.iso!maps/a.level" version=9 -o game.iso' 'exits 2 set "game.iso!maps/a.level" version=9 -o game.iso!x' \
    'exits 2 dump "game.iso!maps/a.level" -o game.iso' 'exits 2 convert "game.iso!maps/a.level" -t json -o game.iso' \
    'exits 2 convert a.level -t json -o game.iso!new.json' 'exits 2 convert game.iso -t json -o game.iso!new/' \
    'exits 2 render "game.iso!maps/a.level" -o game.iso' 'exits 2 set -i game.iso version=9' 'cmp game.iso kept.iso' '[ ! -e "game.iso!new" ]'
test_that "a damaged disc image" 'head -c 1100 game.iso >cut.iso' 'exits 4 check cut.iso a.level' 'complains "cut\.iso:0x0424: .*SFA-DISC"' \
    'says "^1 file: 1 ok"' 'head -c 1170 game.iso >cut.iso' 'exits 4 check cut.iso a.level' 'says "maps/a\.level.*SFA-DISC"' 'says "1 ok"' \
    '{ printf "RVZ\001"; cat game.iso; } >game.rvz' 'exits 2 check game.rvz' 'complains "dolphin-tool convert.*RVZ"'

finish
