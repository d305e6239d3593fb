#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: sectors of a level, and folders of them.
# tests/cli/command_sets.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# ---- sets: sectors, directories and archives -------------------------------------------------------

mkdir -p game/map
echo "<setup><class name=\"ns2_gamerules\"/></setup>" >setup.xml

test_that "sectors" 'sector game/map/7_3_4.DAT 3 4 tile' 'sector game/map/7_4_4.DAT 4 4 tile' 'sector game/map/9_1_1.DAT 1 1 item'
test_that "info tells what a directory is together" 'exits 0 info game' 'says "^  formats +3 revenant-sector$"' \
    'says "^  versions +3 revenant-sector 8$"' 'says "^  level +7: 2 sectors, x 3\.\.4, y 4\.\.4$"' 'says "^  level +9: 1 sector, x 1\.\.1, y 1\.\.1$"' \
    'says "^ +2 tile$"' 'says "^game/map/7_3_4.DAT$"' 'last_line out "3 files: 3 opened, 0 damaged, 0 skipped; $(cat game/map/* | wc -c) bytes, understood 100.00 %"'
test_that "info --summary" 'exits 0 info --summary game' '! grep -q "^game/map" out' 'exits 0 info --summary --json game' \
    '[ "$(wc -l <out)" -eq 1 ]' 'says "\"levels\":\[\{\"level\":7,\"sectors\":2,\"x\":\[3,4\],\"y\":\[4,4\]\},"' 'says "\"classes\":\{\"empty\":3,\"tile\":2,\"item\":1\}"'
test_that "many files are told together" 'mkdir -p crowd' \
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do cp a.level crowd/$i.level || exit; done' 'exits 0 info crowd' \
    '[ "$(grep -c "^crowd" out)" -eq 0 ]' 'says "^ +34 location$"' 'exits 0 info --all crowd' '[ "$(grep -c "^crowd" out)" -eq 17 ]' \
    'exits 0 info --json crowd' '[ "$(wc -l <out)" -eq 17 ]'
test_that "a level of several is named" 'exits 2 convert game -o n.glb' 'complains "several levels; choose one with --level: 7 9$"' 'exits 2 render game -o n.png' \
    'complains "several levels; choose one with --level: 7 9$"' 'exits 2 convert game -o n.glb --level 8' 'complains "8_X_Y"' 'exits 2 convert set -o n.glb --level 7' \
    'exits 2 convert set -o n.glb' 'complains "-o DIR/"' 'exits 2 convert game -t json --level 7' 'complains "glb, gltf, obj, quake-map and png"' \
    'exits 2 convert game -o n.glb --level x' 'exits 2 render game -o n/ --level 7' 'exits 2 render game -o n.png --level 1.5' '[ ! -e n.glb ]' '[ ! -e n.png ]'
test_that "the sectors of a level make one" 'exits 0 convert game --level 7 -o seven.glb' 'grep -aq "level 7" seven.glb' \
    'exits 0 convert game/map/7_3_4.DAT -o part.glb' '[ "$(wc -c <seven.glb)" -gt "$(wc -c <part.glb)" ]' \
    'exits 0 convert game/map/7_4_4.DAT game/map/7_3_4.DAT -o again.glb' 'cmp seven.glb again.glb' \
    'exits 0 render game --level 7 --size 64 -o seven.png' '[ "$(head -c 4 seven.png | tail -c 3)" = PNG ]' \
    '"$mapstone" convert game --level 7 -t glb | cmp - seven.glb' 'exits 0 convert game --level 9 -o nine.gltf' '[ -s nine.bin ]'
test_that "flags by name" 'exits 0 get game/map/7_3_4.DAT "objects[1].flags"' 'exits 0 set -q game/map/7_3_4.DAT "objects[1].flags=light,0x40000000" -o 7_3_4.DAT' \
    'exits 0 get 7_3_4.DAT "objects[1].flags"' 'says "^\[.light., .inventory.\]$"' 'exits 0 tree 7_3_4.DAT "objects[1].flags"' 'says "\[light, inventory\]$"' \
    'exits 0 table --csv --columns flags --where flags=0x40000004 7_3_4.DAT' 'says "^light inventory$"' \
    'exits 0 table --csv --columns path --where flags=+light,+0x40000000 7_3_4.DAT' 'says "^objects.1.$"' \
    'exits 2 set 7_3_4.DAT "objects[1].flags=+lihgt" -o n.DAT' 'complains "expected light, "' 'exits 0 set -qi 7_3_4.DAT "objects[1].flags=-light"' \
    'exits 0 get 7_3_4.DAT "objects[flags=0x40000000].flags"' 'says "^\[.inventory.\]$"' 'rm 7_3_4.DAT'
test_that "a sector that is damaged or there twice" 'mkdir -p odd' 'cp game/map/7* odd/' 'cp odd/7_4_4.DAT odd/7_04_4.DAT' \
    'exits 0 convert odd -o odd.glb' 'complains "^warning: 1 sector occurs more than once; for the first, odd/7_04_4.DAT is used, not odd/7_4_4.DAT; .*--prefer"' \
    'rm odd/7_04_4.DAT' 'head -c 30 odd/7_4_4.DAT >odd/7_9_9.DAT' 'exits 4 convert odd -o odd.glb' 'complains "7_9_9"' 'cmp odd.glb seven.glb'
test_that "of sectors that occur twice those of a folder are taken" 'mkdir -p doubled/a doubled/b/c' 'cp game/map/7* doubled/a/' \
    'sector doubled/b/c/7_3_4.DAT 3 4 item' 'cp game/map/7_4_4.DAT doubled/b/' 'exits 0 convert doubled --level 7 -o taken.glb' 'cmp taken.glb seven.glb' \
    'complains "^warning: 2 sectors occur more than once; for the first, doubled/a/7_3_4.DAT is used, not doubled/b/c/7_3_4.DAT"' '[ "$(wc -l <err)" -eq 1 ]' \
    'exits 0 convert doubled --level 7 -o other.glb --prefer doubled/b/' 'complains "doubled/b/c/7_3_4.DAT is used, not doubled/a/"' '! cmp -s other.glb seven.glb' \
    'exits 0 convert doubled --level 7 -o taken.glb --prefer doubled/a --prefer doubled/b' 'cmp taken.glb seven.glb' \
    'exits 2 convert doubled --level 7 -o none.glb --prefer doubled/ba' 'complains "no sector of the level is in doubled/ba"' '[ ! -e none.glb ]'
test_that "a schema is a sidecar by its name, and class.def" \
    'printf "Unique Type ID = 0x2\nCLASS \"TILE\"\nBEGIN\nSTATS\nBEGIN\nEND\nOBJSTATS\nBEGIN\nEND\nTYPES\nBEGIN\n\"other\" \"x.i2d\" 0x2 {} {}\nEND\nEND\n" >my.def' \
    'exits 0 check --schema my.def game' '[ "$(grep -c "\[REV-UNIQUE-ID\]" out)" -eq 3 ]' 'exits 0 check game' '! grep -q REV-UNIQUE-ID out' \
    'exits 0 check -j 2 --schema setup.xml game' '! grep -q REV-UNIQUE-ID out'
mkdir -p hashes
printf '{"$format":"revenant-sector","version":15,"state_hash":1,"objects":[{"object_version":-1}]}' >hashes/sector.json
test_that "a stale state hash is renewed, in place or as a value" 'exits 0 convert hashes/sector.json -o hashes/7_3_4.DAT' \
    'exits 0 set -q -i hashes/7_3_4.DAT state_hash=2' 'exits 0 check hashes/7_3_4.DAT' 'says REV-HASH' 'exits 0 set -i --rehash hashes/7_3_4.DAT' \
    'complains "bytes changed, at 0x0008"' 'exits 0 check hashes/7_3_4.DAT' '! grep -q REV-HASH out' 'cp hashes/7_3_4.DAT right.dat' \
    'exits 0 set -q -i hashes/7_3_4.DAT state_hash=2' 'exits 0 set -q -i hashes/7_3_4.DAT state_hash=auto' 'cmp hashes/7_3_4.DAT right.dat'
test_that "and follows the name of the file that is written" 'exits 0 set -q hashes/7_3_4.DAT "trailing=\"00\"" -o hashes/7_3_5.DAT' \
    'exits 0 set -q hashes/7_3_4.DAT state_hash=2 -o hashes/7_3_6.DAT' 'exits 0 get hashes/7_3_6.DAT state_hash' 'says "^2$"' \
    'exits 0 check hashes/7_3_5.DAT' '! grep -q REV-HASH out' 'exits 0 set -q hashes/7_3_6.DAT --rehash -o hashes/7_3_4.DAT' 'cmp hashes/7_3_4.DAT right.dat'
test_that "what has no hash says so" 'exits 2 set a.level --rehash -o n.level' 'complains "no computed number"' '[ ! -e n.level ]'
mkdir -p slots
printf '{"$format":"revenant-sector","version":15,"state_hash":1,"objects":[{"object_version":-1},{"object_version":-1}]}' >slots/sector.json
printf '\0\0\0\0' >slots/7_3_5.DAT
test_that "what a folder holds has its empty slots and version 0" 'exits 0 convert slots/sector.json -o slots/7_3_4.DAT' 'rm slots/sector.json' \
    'exits 0 info --summary slots' 'says "^  versions +1 revenant-sector 0, 1 revenant-sector 15$"' 'says "^ +2 empty$"' \
    'exits 0 info slots/7_3_5.DAT' 'says "^  version +0$"' 'exits 0 info --json slots/7_3_5.DAT' 'says "\"version\":0"'

# the rest of a damaged sector: two objects, of which the name of the first one runs past its end
sector_bytes() {
    printf 'MAP \017\000\000\000\000\000\000\000\002\000\000\000'
    for length in "$1" '\000'; do
        printf '\000\000\011\000\001\000\000\000\044\000\000\000'
        printf "$length"'\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377'
        printf '\000\000\000\007\000\000\000\000\000'
    done
}
sector_bytes '\000' >1_0_0.DAT
sector_bytes '\310' >damaged.DAT
test_that "a damaged object is left out when asked for" 'exits 0 get 1_0_0.DAT "objects[1].map_index"' 'says "^7$"' \
    'exits 4 get damaged.DAT "objects[1].map_index"' 'complains "objects\[0\]\.name.*REV-OVERRUN"' \
    'exits 4 get --salvage damaged.DAT "objects[1].map_index"' 'says "^7$"' 'complains "objects\[0\]\.name.*REV-OVERRUN"' \
    'exits 4 check --salvage damaged.DAT' 'exits 4 info --salvage damaged.DAT' 'exits 2 set --salvage damaged.DAT object_count=1'
test_that "a sector that moves gets another hash" 'exits 0 check 1_0_0.DAT' 'says "REV-HASH"' \
    'cp 1_0_0.DAT 1_0_1.DAT' '"$mapstone" check 1_0_1.DAT | grep -q REV-POSITION' 'rm 1_0_1.DAT' \
    'exits 0 convert 1_0_0.DAT -o 1_0_1.DAT' 'exits 0 check 1_0_1.DAT' '! grep -q "REV-POSITION\|REV-HASH" out' \
    'exits 0 get 1_0_1.DAT "objects[*].position[1]"' '[ "$(sort -u out)" = 1024 ]'

finish
