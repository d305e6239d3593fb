#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: table with relations, and the columns that spec prints. tests/cli/command_relations.sh
# path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

make_sectors
make_hostile
database=yes
"$mapstone" table -q -o probe.db a.level >/dev/null 2>&1 || database=no
rm -f probe.db

# header RELATION [FORMAT]: the columns that spec prints, with commas
header() { "$mapstone" spec ${2:+"$2"} --as table | awk -F, -v r="$1" 'NR > 1 && $2 == r { printf "%s%s", n++ ? "," : "", $3 }'; }

# ---- columns ---------------------------------------------------------------------------------------
test_that "spec --as table lists the columns of all relations" 'exits 0 spec --as table' 'head -n 1 out | grep -qx "schema,relation,column,type,documentation"' \
    'says "^1,entity,x,double,"' 'says "^1,property,text,text,"' 'says "^1,file,id,int64,"' '! grep -q "^1,record," out' \
    'exits 0 spec --as table ns2-level' 'says "^1,record,class_name,text,"' 'says "^1,record,layer_mask,"' 'exits 0 spec --as table revenant-sector' \
    'says "^1,record,.?position.0.,"' 'exits 2 spec --as table nowhere'
for relation in file entity property relation asset finding; do
    test_that "$relation as CSV has the columns that spec says" "exits 0 table --relation $relation --to csv a.level game set" \
        "[ \"\$(head -n 1 out)\" = \"\$(header $relation)\" ]" "exits 0 table --relation $relation a.level" \
        "[ ! -s out ] || [ \"\$(head -n 1 out | sed 's/^{\"//; s/\":.*//')\" = \"\$(header $relation | cut -d, -f1)\" ]"
done
test_that "record as CSV has the columns of one format" 'exits 0 table --relation record --to csv a.level' '[ "$(head -n 1 out)" = "$(header record ns2-level)" ]' \
    '[ "$(wc -l <out)" -eq 4 ]' 'exits 2 table --relation record --to csv a.level game' 'complains "partition-by format"'

# ---- rows ------------------------------------------------------------------------------------------
test_that "entity has a row for each object" 'exits 0 table --relation entity --columns path,class,name --to csv a.level' '[ "$(cat out)" = "path,class,name
objects[0],ns2_gamerules,
objects[1],location,\"Hub, \"\"A\"\"\"
objects[2],location," ]'
test_that "a column or relation that is not there" 'exits 2 table --relation entity --columns nothing a.level' 'complains "no column .nothing."' \
    'exits 2 table --relation nothing a.level' 'exits 2 table --to nothing a.level' 'exits 2 table --rows objects --relation entity a.level' \
    'exits 2 table --update --relation entity a.level'
test_that "entity --where" 'exits 0 table --relation entity --where class_name=location a.level' '[ "$(wc -l <out)" -eq 2 ]' \
    'exits 0 table --relation property --where class_name=location --where name=nothing a.level' '[ ! -s out ]' \
    'exits 0 table --relation entity --where "properties.origin[1] > (properties.origin[0] * 1.5)" --columns path --to csv a.level' \
    '[ "$(cat out)" = "path
objects[0]" ]'
test_that "--where may be repeated, whatever joins its conditions" \
    'exits 0 table --relation entity --where "class_name=ns2_gamerules | class_name=location" --where class_name=location a.level' '[ "$(wc -l <out)" -eq 2 ]'
test_that "property has every value" 'exits 0 table --relation property --columns path,name,component,number,text --to csv a.level' \
    'says "^objects.0.,origin,0,1\.5,$"' 'says "^objects.0.,class_name,,,ns2_gamerules$"' 'says "^objects.1.,name,0,,.Hub"'
test_that "the same file has the same id, whatever is written" 'exits 0 table --relation file --columns id,name --to csv a.level set' 'cp out ids' \
    'exits 0 table --relation entity --columns file --to csv set/a.level' 'grep -q "^$(tail -n 1 out),set/a.level$" ids'

test_that "--long is the relation of properties" 'exits 0 table --long --to csv a.level' 'cp out long.csv' 'exits 0 table --relation property --to csv a.level' \
    'cmp out long.csv' 'exits 2 table --long --wide location a.level' 'exits 2 table --long a.level -o x.db'
test_that "--wide has a column for each property of a class" 'exits 0 table --wide location --columns path,class,scale[0],properties.name --to csv a.level' \
    'head -n 1 out | grep -qx "path,class,scale.0.,properties.name"' 'says "^objects.1.,location,.*,.Hub, "' '[ "$(wc -l <out)" -eq 3 ]' \
    'exits 0 table --wide light_point --to csv a.level game' '[ "$(cat out)" = "$(header entity),$(header entity:light_point ns2-level)" ]' \
    'exits 0 spec ns2-level --as table' 'says "^1,entity:light_point,intensity,double,"' 'says "^1,entity:light_point,casts_shadows,int64,"' \
    'exits 2 table --wide lightpoint a.level game' 'complains "no format of these files knows the class .lightpoint."' \
    'exits 2 table --wide location --relation file a.level' 'exits 2 table --wide location a.level -o x.db' 'exits 2 table --wide location --partition-by family a.level -o lake'

# ---- containers ------------------------------------------------------------------------------------
test_that "the ending of -o chooses the container" 'exits 0 table a.level -o x.parquet' '[ "$(head -c 4 x.parquet)" = PAR1 ]' '[ "$(tail -c 4 x.parquet)" = PAR1 ]' \
    'exits 0 table a.level -o x.csv' '[ "$(head -n 1 x.csv)" = "$(header entity)" ]' 'exits 0 table a.level -o x.ndjson' 'grep -q "^{.file.:" x.ndjson' \
    'exits 0 table a.level -o x.jsonl' 'grep -q "^{.file.:.a.level" x.jsonl' 'exits 0 table --csv a.level -o x.csv' 'grep -q "^a.level," x.csv' 'rm -f x.*'
test_that "no rows are a table, too" 'exits 0 table --where class_name=nothing a.level -o x.parquet' '[ "$(tail -c 4 x.parquet)" = PAR1 ]' 'rm x.parquet'
test_that "a directory of Parquet" 'exits 0 table --partition-by family,format a.level game -o lake' '[ -s lake/family=ns2/format=ns2-level/part-0001.parquet ]' \
    '[ -s lake/family=revenant/format=revenant-sector/part-0001.parquet ]' 'exits 0 table --partition-by format --shard 2/3 a.level set game -o lake3' \
    '! find lake3 -name part-0001.parquet | grep .' 'exits 2 table --partition-by size a.level -o lake' 'exits 2 table --partition-by family a.level' 'rm -rf lake lake3'

# ---- many machines ---------------------------------------------------------------------------------
test_that "shards have all files, each once" 'exits 0 table --relation file --columns name a.level set game' 'sort out >whole' ': >parts' \
    'for i in 1 2 3; do "$mapstone" table -q --relation file --columns name --shard $i/3 a.level set game >>parts || exit 1; done' 'sort parts | cmp - whole' \
    'exits 2 table --shard 0/3 a.level' 'exits 2 table --shard 4/3 a.level' 'exits 2 table --shard 1 a.level'
test_that "names from a list" 'printf "a.level\\0set/a.level\\0" >list' 'exits 0 table --relation file --columns name --to csv --files0-from list' '[ "$(wc -l <out)" -eq 3 ]' \
    'exits 0 table --files0-from list' '[ "$(wc -l <out)" -eq 6 ]' 'exits 2 table --files0-from nowhere' 'exits 2 table --files0-from - -' 'complains "can be read only once"' ': >empty' 'exits 0 table --relation file --to csv --files0-from empty' \
    '[ "$(wc -l <out)" -eq 1 ]'

# ---- databases -------------------------------------------------------------------------------------
if [ $database = no ]; then
    test_that "without SQLite the command says so" 'exits 2 table a.level -o x.db' 'complains "no SQLite and makes no databases"' '[ ! -e x.db ]' \
        'exits 2 table --update a.level --to sqlite -o levels' 'complains "relation NAME -o NAME.csv|-o NAME.csv"' '[ ! -e levels ]' \
        'for one in file entity property relation asset finding; do "$mapstone" table -q --relation $one a.level -o $one.parquet && "$mapstone" table -q --relation $one a.level -o $one.csv && [ -s $one.parquet ] && [ "$(head -n 1 $one.csv)" = "$(header $one)" ] || exit 1; done' \
        'rm -f ./*.parquet ./*.csv'
else
    test_that "a database is made, not replaced, and brought up to date" 'exits 0 table a.level set -o x.db' '[ "$(head -c 15 x.db)" = "SQLite format 3" ]' \
        'exits 2 table a.level set -o x.db' 'complains "--update"' 'exits 0 table --update a.level set game -o x.db' 'exits 2 table a.level --to sqlite' \
        'exits 2 table --relation entity a.level -o y.db' 'complains "relation has no effect"' '[ ! -e y.db ]' 'rm -f x.db'
fi

finish
