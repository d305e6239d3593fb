#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: check, its baselines and codes.
# tests/cli/command_checking.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

make_twice

# ---- check -----------------------------------------------------------------------------------------
test_that "check of a cut file" 'exits 4 check cut.level' 'says "^error: cut\.level:0x[0-9a-f]{4,}: .*\[NS2-"' \
    'says "^1 file: 0 ok, 0 with errors, 1 damaged, 0 skipped; 0 errors, 0 warnings$"'
test_that "check goes on after a bad file" 'exits 4 check cut.level a.level' 'says "^2 files: 1 ok"'

test_that "warnings alone do not fail" 'exits 0 convert twice.json -o twice.level' 'exits 0 check twice.level' \
    'says "^1 file: 1 ok, 0 with errors, 0 damaged, 0 skipped; 0 errors, 12 warnings$"'
test_that "at most ten of a code and file" 'exits 0 check twice.level' \
    '[ "$(grep -c "^warning: twice\.level:0x[0-9a-f]*: objects.*\[NS2-DUPLICATE-PROPERTY\]$" out)" -eq 10 ]' \
    'says "^twice\.level: \.\.\. and 2 more NS2-DUPLICATE-PROPERTY$"'
test_that "check --all and --json have all" 'exits 0 check --all twice.level' '[ "$(grep -c "\[NS2-DUPLICATE-PROPERTY\]" out)" -eq 12 ]' \
    'exits 0 check --json twice.level' '[ "$(grep -c "\"code\":\"NS2-DUPLICATE-PROPERTY\",\"offset\"" out)" -eq 12 ]' \
    '[ "$(wc -l <out)" -eq 13 ]' \
    'tail -n 1 out | grep -q "\"warnings\":12,.*\"codes\":\[{\"code\":\"NS2-DUPLICATE-PROPERTY\",\"severity\":\"warning\",\"count\":12,\"files\":1}\]}$"'
test_that "the end says how often each code occurred" 'exits 0 check twice.level twice.level' \
    'says "^ +24 warning NS2-DUPLICATE-PROPERTY in 2 files$"' 'exits 0 check -q twice.level' '! grep -q "in 1 file" out' \
    'exits 0 check a.level' '! grep -q "in 1 file" out'
test_that "findings are picked by code" 'exits 1 check --strict --only ns2-duplicate-property twice.level' 'says "12 warnings$"' \
    'exits 0 check --strict --ignore "NS2-DUP*" twice.level' '! grep -q DUPLICATE out' 'says "0 warnings$"' \
    'exits 0 check --strict --only NS2-LOOP-OPEN --only "NS2-EDGE-*,NS2-FACE-???*" twice.level' 'exits 0 check --only NS2-DUPLICATE-PROPERTY --ignore "*" twice.level' \
    '! grep -q DUPLICATE out' 'exits 0 check --only NS2-PLAYABLE a.level' 'says "^information: .*NS2-PLAYABLE"' \
    'exits 0 check --only "NS2-PLAY*" a.level' '! grep -q "^information" out' 'exits 4 check --only NS2-PLAYABLE --ignore "*" cut.level' 'says NS2-CHUNK-OVERRUN'
test_that "codes that there are not" 'exits 2 check --only NS2-DUPLICATE-PROPERTI a.level' 'complains "not a code; did you mean .NS2-DUPLICATE-PROPERTY"' \
    'exits 2 check --ignore "NS2-X*" a.level' 'complains "no code matches .NS2-X"' 'exits 2 check --ignore qqqq a.level' 'exits 2 check --only , a.level'
test_that "a baseline has what is known" 'exits 0 check --write-baseline known.txt twice.level' '! grep -q "^warning" out' \
    '[ "$(grep -c "^twice.level	NS2-DUPLICATE-PROPERTY	objects" known.txt)" -eq 12 ]' 'LC_ALL=C sort -c known.txt' 'exits 0 check --strict --baseline known.txt ./twice.level' \
    'last_line out "1 file: 1 ok, 0 with findings, 0 damaged, 0 skipped; 0 errors, 0 warnings, 12 in the baseline"' '[ ! -s err ]' \
    'exits 0 check --strict --json --baseline known.txt twice.level' 'says "^{\"files\":1,.*\"in_baseline\":12,\"codes\":\[\]}$"' \
    'exits 0 check -q --write-baseline - .//twice.level' 'cmp out known.txt'
test_that "a baseline holds when bytes move" 'cp twice.level moved.level' 'mkdir -p moved' 'cp twice.level moved/twice.level' \
    'exits 0 set -i moved/twice.level "objects[0].class_name=much_longer_than_before"' '(cd moved && "$mapstone" check --strict --baseline ../known.txt twice.level)' \
    'exits 0 set -i moved/twice.level "objects[3].properties[1].name=angles"' '(cd moved && "$mapstone" check --strict --baseline ../known.txt twice.level) >out 2>err' \
    'says "0 warnings, 11 in the baseline"' 'complains "^information: 1 finding of the baseline no longer occurs"'
test_that "a baseline hides nothing else" 'grep -v "objects.5." known.txt >less.txt' 'exits 1 check --strict --baseline less.txt twice.level' \
    '[ "$(grep -c "^warning" out)" -eq 1 ]' 'says "1 warning, 11 in the baseline"' 'cp twice.level other.level' 'exits 1 check --strict --baseline known.txt other.level' \
    'says "12 warnings, 0 in the baseline"' '[ ! -s err ]' 'exits 1 check --strict --baseline known.txt twice.level twice.level' 'says "12 warnings, 12 in"' \
    'exits 4 check --baseline known.txt cut.level'
test_that "baselines that are none" 'exits 2 check --baseline nowhere.txt a.level' 'echo "a.level NS2-X" >bad.txt' 'exits 2 check --baseline bad.txt a.level' \
    'complains "not a line of a baseline"' 'printf "# comment\r\n\r\n" >empty.txt' 'exits 0 check --baseline empty.txt a.level' \
    'exits 2 check --write-baseline nowhere/x.txt a.level' 'cp known.txt kept.txt' 'exits 2 check --write-baseline kept.txt nowhere.level' 'cmp kept.txt known.txt'
test_that "check --strict fails with warnings" 'exits 1 check --strict twice.level a.level' 'says "^2 files: 0 ok, 2 with findings"'
test_that "check --information says more" 'exits 0 check --information a.level' 'says "^information: a\.level"'
test_that "a schema knows classes" \
    "echo '<setup><class name=\"ns2_gamerules\"/></setup>' >setup.xml" 'exits 0 check --schema setup.xml a.level' \
    'says "NS2-CLASS-UNKNOWN"'
test_that "check --json is JSON" 'exits 4 check --json cut.level' 'says "^\{\"file\":\"cut\.level\",\"severity\":\"error\""'
test_that "check --codes" 'exits 0 check --codes ns2-level' 'says "^NS2-CHUNK-OVERRUN +error"'
test_that "check of nothing" 'exits 2 check nowhere.level' 'complains "nowhere\.level: .*No such file"'
test_that "a schema that is not there" 'exits 2 check --schema nowhere.xml a.level'

finish
