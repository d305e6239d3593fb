#!/bin/sh
# SPDX-License-Identifier: MIT
# Requests and misspellings of users: fields and operators of edits, conditions of selectors and of tables, columns
# over many files. tests/cli/asking.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
NO_COLOR=1 XDG_CONFIG_HOME=$work
export NO_COLOR XDG_CONFIG_HOME

# exits CODE ARGUMENT...: the command's exit code; its output is in out and err
exits() {
    wanted=$1
    shift
    "$mapstone" "$@" >out 2>err
    code=$?
    [ "$code" -eq "$wanted" ] || {
        echo "mapstone $*: exit $code (expected $wanted)"
        cat err
        return 1
    }
}

says() { grep -q -- "$1" out || { cat out; false; }; }
complains() { grep -q -- "$1" err || { cat err; false; }; }
quiet() { [ ! -s err ] || { cat err; false; }; }
rows() { [ "$(wc -l <out)" -eq "$1" ] || { echo "$(wc -l <out) rows (expected $1)"; false; }; }
"$mapstone" convert "$samples/outpost.json" -o a.level || exit 2
"$mapstone" convert "$samples/valley.json" -o valley.map || exit 2
lights='objects[class_name~light_*]'
value() { "$mapstone" get a.level "$1"; }

# ---- edits of each ---------------------------------------------------------------------------------
for command in set 'edit -e'; do
    name=${command%% *}
    each() { # each CODE OPERATION
        if [ "$name" = set ]; then exits "$1" set --each a.level "$2" -o b.level; else exits "$1" edit --each a.level -e "$2" -o b.level; fi
    }
    test_that "$name: a property that no match has is an error, with the nearest name" \
        'rm -f b.level; each 3 "$lights.properties.intensty *= 1.2" && complains "lack it.*intensty.*did you mean \"intensity\"" && [ ! -e b.level ]'
    test_that "$name: so is a field" 'each 3 "$lights.class_nmae = x" && complains "did you mean \"class_name\"" && [ ! -e b.level ]'
    test_that "$name: and one that later matches have a similar name of" \
        'each 3 "objects[*].properties.intensty = 2" && complains "did you mean \"intensity\"" && [ ! -e b.level ]'
    test_that "$name: what some lack is passed over, and counted" \
        'each 0 "objects[*].properties.intensity *= 2" && complains "elements lack it" && [ -s b.level ]'
    test_that "$name: /= divides" 'each 0 "$lights.properties.intensity /= 2" &&
        [ "$(value "$lights.properties.intensity" | awk "{ gsub(/[][]/, \"\"); print \$1 / 2 }")" = \
          "$("$mapstone" get b.level "$lights.properties.intensity" | tr -d "[]")" ]'
    test_that "$name: but not by 0" 'rm -f b.level; each 2 "$lights.properties.intensity /= 0" && complains "division by 0" && [ ! -e b.level ]'
    for operator in '/ =' '% =' '^=' '%=' '&=' '|=' '~=' '!=' ': =' '* =' '+ ='; do
        test_that "$name: $operator is not an operator, and does not belong to the path" \
            'rm -f b.level; each 2 "$lights.properties.intensity $operator 2" && complains "unknown operator" && [ ! -e b.level ]'
    done
done
test_that "edit: a removal that no match has is an error" \
    'exits 3 edit --each a.level -e "remove $lights.properties.intensty" -o c.level && complains "did you mean" && [ ! -e c.level ]'
test_that "get: what no match has, with the nearest name" 'exits 3 get a.level "$lights.properties.intensty" && complains "did you mean \"intensity\""'
test_that "get: one element without such a property, too" 'exits 3 get a.level "objects[17].properties.intensty" && complains "did you mean \"intensity\""'

# ---- conditions: selectors and tables alike ---------------------------------------------------------
# alike CONDITION: both find the same elements
alike() {
    "$mapstone" table -q --csv --columns path --where "$1" "${2-a.level}" 2>err | sed 1d >rows.txt
    "$mapstone" table -q --csv --columns path --rows "objects[$1]" "${2-a.level}" 2>err | sed 1d >selected.txt
    cmp rows.txt selected.txt && [ -s rows.txt ]
}
for condition in class_name=light_point class_name==light_point 'class_name = "light_point"' 'class_name!=light_point' 'class_name~light_*' 'class_name!~light_*' \
    'layer!=' layer=Lights 'layer!=Lights' 'layer~L*' 'layer!~L*' group= group=none 'properties.intensity>8' 'properties.intensity=9' 'properties.intensity!=9' \
    properties.origin=3,0.1,3 'properties.origin=[3, 0.1, 3]' 'properties.origin=3 0.1 3' 'properties.origin[1]=0.1' 'properties.origin[1]<=0.1' \
    'properties.origin!=3,0.1,3' 'within=0,0,0:9' 'class_name~light_* & layer=Lights'; do
    test_that "table --where '$condition' is the selector [$condition]" 'alike "$condition"'
done
test_that "layer= is in none" '"$mapstone" set -q a.level "objects[3].layer_masks=[0,0,0,0,0,0,0,0]" -o none.level && alike layer= none.level &&
    grep -qx "objects\[3\]" rows.txt && exits 0 table -q --where "layer!=" none.level && ! grep -q "\"path\":\"objects\[3\]\"" out'
for what in layer group; do
    for condition in "$what=nosuch" "$what!=nosuch" "$what has nosuch"; do
        test_that "[$condition] is an error: there is none" 'exits 3 get a.level "objects[$condition]" && complains "there is no $what \"nosuch\"" &&
            exits 3 table --where "$condition" a.level && complains "there is no $what \"nosuch\"" && [ ! -s out ]'
    done
done
test_that "a group of a level without groups is, too" '
    "$mapstone" edit -q --each --cascade a.level -e "remove groups[*]" -o bare.level && exits 3 table --where group=Gate bare.level &&
    complains "there is no group \"Gate\" (expected none: the level has no groups)" && exits 3 get bare.level "objects[group=Gate]" && complains "the level has no groups"'
test_that "and of one that has no list of them" '
    "$mapstone" convert -q -t json bare.level -o bare.json && grep -v "^  \"groups\": \[\],$" bare.json >less.json && exits 0 convert -q less.json -o less.level &&
    exits 3 get less.level groups && exits 3 table --where group=Gate less.level && complains "the level has no groups" &&
    exits 3 get less.level "objects[group=Gate]" && complains "the level has no groups"'
test_that "a layer that is misspelled, with the nearest name" 'exits 3 table --where layer=Lihgts a.level && complains "did you mean \"Lights\"" &&
    exits 3 set --each a.level "objects[layer=Lihgts].class_name=x" -o d.level && complains "did you mean \"Lights\"" && [ ! -e d.level ]'
test_that "a pattern that no layer is like finds nothing" 'exits 0 table --where "layer~X*" a.level && rows 0 && complains "no row of 42 matches"'
# refused SELECTOR COLUMN: for its brackets
refused() { exits 2 get a.level "$1" && complains "at column $2 of the conditions"; }
test_that "brackets that have no other one are refused with their column" 'refused "objects[)&?]" 1 && refused "objects[class_name=a)]" 13 && refused "objects[class_name=a & name=b) | index=1]" 22 &&
    refused "objects[name=a(b]" 9 && exits 2 table --where "class_name=a)" a.level && complains "at column 13 of the conditions"'
test_that "... and are text in quotes" '"$mapstone" set -q a.level "layers[name=Lights].name=Lamps)" -o several.level && exits 0 get several.level "layers[name=\"Lamps)\"].name" && [ "$(cat out)" = "Lamps)" ] &&
    exits 0 table -q --where "layer=\"Lamps)\"" several.level && [ -s out ]'
test_that "a layer that only some files have" 'mkdir -p several && cp a.level several/ &&
    "$mapstone" set -q a.level "layers[name=Lights].name=Lamps" -o several/b.level && exits 0 table -q --where layer=Lamps several && [ -s out ] && quiet &&
    exits 3 table --where layer=Lanterns several && complains "there is no layer \"Lanterns\"" && rows 0'
test_that "no row matches: said, with the nearest value" 'exits 0 table --where class_name=light_pont a.level && rows 0 &&
    complains "^no row of 42 matches: .*did you mean class_name=light_point" && exits 0 table --csv --where class_name=light_pont a.level && rows 1 && complains "no row of 42"'
test_that "no row matches: said of several files as one" 'exits 0 table --where class_name=light_pont several && rows 0 && complains "^no row of 84 matches" &&
    exits 0 table -q --where class_name=light_pont several && quiet'
test_that "many rows have commas" 'mkdir -p many && for i in $(seq 30); do cp a.level many/$i.level; done && exits 0 table --where class_name=x many &&
    complains "^no row of 1,260 matches"'
test_that "what the table adds to a row is compared alike" 'exits 0 table -q --where "offset>100" --columns path a.level && [ -s out ] && exits 0 table -q --where "path~objects*" a.level && rows 42 &&
    exits 0 table -q --where path=objects[3] a.level && rows 1 && exits 0 table -q --where "file!=b.level" a.level && rows 42'
test_that "columns that the format adds are, too" 'exits 0 table --csv --columns model valley.map && model=$(sed -n "2,\$p" out | grep . | head -n 1) &&
    exits 0 table -q --where "model=$model" valley.map && [ -s out ] && exits 0 table -q --where "model!~*" valley.map'

# ---- columns over many files ------------------------------------------------------------------------
mkdir sectors
printf '{"$format":"revenant-sector","version":15,"objects":[{"object_version":0,"class":"tile","unique_id":2}]}' >1.json
printf '{"$format":"revenant-sector","version":15,"objects":[{"object_version":0,"class":"exit","unique_id":3,"name":"GATE"},{"object_version":0,"class":"container","unique_id":4}]}' >2.json
"$mapstone" convert -q --lenient 1.json -o sectors/7_3_4.DAT
"$mapstone" convert -q --lenient 2.json -o sectors/7_3_5.DAT
fields() { "$mapstone" table --csv "$@" | head -n 1 | tr , '\n' | sort; }
test_that "CSV has the columns of the rows of all files" '
    for f in sectors/*; do fields "$f"; done | sort -u >all.txt && fields sectors >one.txt && cmp all.txt one.txt &&
    fields sectors/7_3_4.DAT >first.txt && ! cmp -s first.txt one.txt'
test_that "CSV of rows that are chosen, too" 'fields --where "class!=nothing" sectors >one.txt &&
    for f in sectors/*; do fields --where "class!=nothing" "$f"; done | sort -u | cmp - one.txt'
test_that "every row has as many cells as the header" '"$mapstone" table -q --csv sectors | awk -F, "NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 4 }"'

# ---- copies and patches -------------------------------------------------------------------------------
# ids OPERATION...: the tids of the first actors afterwards
ids() {
    "$mapstone" set -q valley.map 'actors[0].tid=-100' 'actors[1].tid=300' 'actors[2].tid=-1000' -o ids.map || return 1
    for operation; do "$mapstone" edit -q -i ids.map -e "$operation" || return 1; done
    "$mapstone" get ids.map 'actors[0:4].tid' | tr -d ' \n[]'
}
largest=$("$mapstone" get valley.map 'actors[*].tid' | sort -n | tail -n 1)
[ "$largest" -gt 300 ] || largest=300
test_that "a copy of something with a positive number has the next one, though others have negative ones" \
    '[ "$(ids "duplicate actors[1]")" = "-100,300,$((largest + 1)),-1000" ]'
test_that "so has a copy of something with a negative one" '[ "$(ids "duplicate actors[0]")" = "-100,$((largest + 1)),300,-1000" ]'
test_that "and of several in one edit" 'ids >/dev/null && printf "duplicate actors[0]\nduplicate actors[0]\n" >two.txt &&
    "$mapstone" edit -q -i ids.map -s two.txt && [ "$("$mapstone" get ids.map "actors[0:4].tid" | tr -d " \n[]")" = "-100,$((largest + 2)),$((largest + 1)),300" ]'
test_that "a patch between versions that cannot be reversed says so when it is written" '
    mkdir -p old new && printf "\\0\\0\\0\\0" >old/7_3_4.DAT && [ "$("$mapstone" get old/7_3_4.DAT objects)" = "[]" ] &&
    exits 1 diff old/7_3_4.DAT sectors/7_3_4.DAT -o up.mspatch && complains "cannot be reversed" && exits 0 patch -q old/7_3_4.DAT up.mspatch -o new/7_3_4.DAT &&
    cmp new/7_3_4.DAT sectors/7_3_4.DAT && ! "$mapstone" patch -q --reverse new/7_3_4.DAT up.mspatch -o back.DAT && [ ! -e back.DAT ]'
test_that "patch --reverse says why, and so do the patch of directories and its reversal" '
    exits 5 patch --reverse new/7_3_4.DAT up.mspatch -o back.DAT && complains "cannot be reversed" && complains "restore the old level" && [ ! -e back.DAT ] &&
    rm -rf from to && mkdir from to && cp old/7_3_4.DAT from/ && cp sectors/7_3_4.DAT to/ && cp sectors/7_3_4.DAT from/7_3_5.DAT &&
    cp sectors/7_3_4.DAT to/7_3_5.DAT && "$mapstone" set -q -i to/7_3_5.DAT "objects[0].position[2]=40" &&
    exits 1 diff from to -o all.mspatch && complains "cannot be reversed" && exits 0 patch -q from all.mspatch -o made && cmp made/7_3_4.DAT to/7_3_4.DAT &&
    exits 5 patch --reverse to all.mspatch -o undone && complains "7_3_4.DAT" && complains "cannot be reversed" && [ ! -e undone ]'
test_that "and nothing if it can" 'exits 1 diff a.level none.level -o same.mspatch && quiet && exits 0 patch -q --reverse none.level same.mspatch -o c.level && cmp a.level c.level'

finish
