#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: identify, info, tree, get and roundtrip.
# tests/cli/command_looking.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# ---- identify --------------------------------------------------------------------------------------
test_that "identify says format, version and title" 'exits 0 identify a.level' \
    'says "^a\.level: ns2-level version 10, Natural Selection 2 level$"' '[ ! -s err ]'
test_that "identify reads stdin" '"$mapstone" identify - <a.level >out' 'says "^-: ns2-level version 10"'
test_that "a file named outright that is unknown" 'exits 1 identify a.level stranger.txt' \
    'says "^stranger\.txt: unknown"' 'says "^a\.level: ns2-level"'
test_that "the rest of a directory is skipped" 'exits 0 identify set' 'last_line out "2 files: 2 known, 0 damaged, 2 skipped"'
test_that "identify --json" 'exits 1 identify --json a.level stranger.txt' 'says "\"format\":\"ns2-level\".*\"version\":10"' \
    'says "\"format\":null"'
test_that "a damaged file is named, and damaged" 'exits 4 identify cut.level' 'says "^cut\.level: ns2-level.* damaged"'

# ---- info ------------------------------------------------------------------------------------------
test_that "info has the size and SHA-256" 'exits 0 info a.level' "says 'size +$size bytes'" \
    'says "$(sha256sum a.level | cut -d" " -f1)"' 'says " 2 location"' 'says "understood +100\.00 %"'
test_that "info --json" 'exits 0 info --json a.level' 'says "\"location\":2"' "says '\"size\":$size,'" '[ "$(wc -l <out)" -eq 1 ]'
test_that "info names what is not understood" \
    '{ printf "CGSR\0\0\0\1\220\1\0\0\220\1\0\0\124\0\0\0\1\0\0\0\1\0\0\0"; head -c 76 /dev/zero; printf "\60\0\0\0"; head -c 396 /dev/zero; } >third.i3d' \
    'exits 0 info third.i3d' 'says "^  not understood data, 400 bytes: copied unchanged$"' 'exits 0 info --json third.i3d' \
    'says "\"not_understood\":\"data\",\"not_understood_bytes\":400"' 'exits 0 info a.level' '! grep -q "not understood" out' \
    'exits 0 check third.i3d' 'says "third kind.*REV-IMAGE-MODEL"'
test_that "info of a directory ends with a sum" 'exits 0 info set' \
    "last_line out '2 files: 2 opened, 0 damaged, 2 skipped; $((2 * size)) bytes, understood 100.00 %'"
mkdir hashed
for length in 0 1 55 56 63 64 65 119 120 128 1000; do
    { printf '{"$format":"ns2-level","version":10,"objects":[{"has_layers":false,"group":0,"extras":[],"properties":[],"class_name":"'
      head -c $length /dev/zero | tr '\0' x
      printf '"}]}'; } >hashed/$length.json
done
"$mapstone" convert -q --force hashed/*.json -t ns2-level -o hashed/ 2>/dev/null && "$mapstone" info --json hashed/*.level >sums
for length in 0 1 55 56 63 64 65 119 120 128 1000; do
    sum=$(sha256sum hashed/$length.level)
    test_that "SHA-256 with $length more bytes" '[ -s hashed/$length.level ]' 'grep -q "^{\"file\":\"hashed/$length.level\",.*\"sha256\":\"${sum%% *}\"" sums'
done

# ---- tree and get ----------------------------------------------------------------------------------
test_that "tree shows names and values" 'exits 0 tree a.level' 'says "^version: 10$"' 'says "^objects\[1\] location$"' \
    'says "value: \[1\.5, 2\.5, -3\.5\]"'
test_that "tree --offsets covers the file" 'exits 0 tree --offsets a.level' 'says "^0x00000003 +1  version: 10"' 'says "\(chunk\)"'
test_that "tree --hex" 'exits 0 tree --hex a.level' 'says "^4c 56 4c .*magic"'
test_that "tree --depth" 'exits 0 tree --depth 1 a.level' 'says "^objects\[2\]"' '! grep -q class_name out'
test_that "tree of a path" 'exits 0 tree a.level "objects[class_name=location]"' 'says "^objects\[1\] location"' 'says "^objects\[2\] location"' \
    '! grep -q gamerules out'
test_that "tree of a path that is not there" 'exits 3 tree a.level nowhere' 'complains nowhere'
test_that "tree of a directory" 'exits 2 tree set' 'complains "set is a directory"'
test_that "get prints plain lines" 'exits 0 get a.level version "objects[0].class_name"' '[ "$(cat out)" = "10
ns2_gamerules" ]'
test_that "get prints text raw" 'exits 0 get a.level "objects[1].properties[name=name].value[0]"' \
    '[ "$(head -n 1 out)" = "Hub, \"A\"" ]'
test_that "get prints lists as JSON" 'exits 0 get -c a.level "objects[0].properties[0].value"' 'says "^\[1\.5,2\.5,-3\.5\]$"'
test_that "get --json quotes" 'exits 0 get --json a.level "objects[0].class_name"' 'says "^\"ns2_gamerules\"$"'
test_that "get --raw gives bytes" 'exits 0 get --raw a.level "objects[0].class_name"' '[ "$(cat out)" = ns2_gamerules ]' \
    '[ "$(wc -c <out)" -eq 13 ]'
test_that "get of a path that is not there" 'exits 3 get a.level version "objects[99]"' 'says "^10$"' 'complains "objects.99"'

# ---- sidecars ------------------------------------------------------------------------------------
for one in check info render convert; do
    test_that "$one --search-path" "exits 2 $one --search-path nowhere a.level" \
        'complains "search-path: .*nowhere"'
done
test_that "several directories" 'exits 0 check --search-path set --search-path=. a.level' \
    'exits 2 check --search-path set --search-path a.level a.level'
printf '{"$format":"revenant-def","text":""}' >none.json
test_that "a format whose triggers are not described" '"$mapstone" convert none.json -o CLASS.DEF' 'exits 2 info --triggers CLASS.DEF' \
    'complains "triggers of this format are not described"'
test_that "a level without triggers" 'exits 0 info --triggers a.level' '[ ! -s out ]' 'complains "a.level has no triggers"'

# ---- roundtrip -------------------------------------------------------------------------------------
test_that "roundtrip" 'exits 0 roundtrip --json-too a.level' 'says "^a\.level: exact$"' \
    'last_line out "1 file: 1 exact, 0 differ, 0 damaged, 0 skipped"'
test_that "roundtrip of a directory" 'exits 0 roundtrip -q set' '[ "$(wc -l <out)" -eq 1 ]' \
    'last_line out "2 files: 2 exact, 0 differ, 0 damaged, 2 skipped"'
test_that "the worst code wins" 'exits 4 roundtrip a.level cut.level stranger.txt whole.level' \
    'last_line out "4 files: 2 exact, 0 differ, 1 damaged, 1 unknown, 0 skipped"'
test_that "roundtrip of an unknown file" 'exits 1 roundtrip stranger.txt'

finish
