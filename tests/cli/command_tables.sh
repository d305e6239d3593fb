#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: table.
# tests/cli/command_tables.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

make_sectors
class_def >my.def
make_hostile

# ---- table -----------------------------------------------------------------------------------------
test_that "table has a row for each object" 'exits 0 table a.level' '[ "$(wc -l <out)" -eq 3 ]' \
    'says "^\{\"file\":\"a\.level\",\"sha256\":\"[0-9a-f]{64}\",\"path\":\"objects\[0\]\",\"offset\":[0-9]+,\"inner\":null,.*\"class_name\":\"ns2_gamerules\""' \
    'says "\"properties\":\[\[\"origin\",\[4.*\],\[\"name\",\"Hub, .*\],\[\"name\",\"twice\"\]\]"'
test_that "table --where: or, not and brackets" 'exits 0 table --where "class_name=location | class_name=light_point" --columns class_name a.level' 'cp out both' \
    'exits 0 table --where "!(class_name!=location & class_name!=light_point)" --columns class_name a.level' 'cmp out both' '[ "$(grep -c location out)" -eq 2 ]' \
    'exits 0 table --where "(class_name=location)" a.level' '[ "$(wc -l <out)" -eq 2 ]' 'exits 2 table --where "(class_name=location" a.level' 'complains "bracket .* is missing at column 21"' \
    'exits 0 table --where "class_name=location|x" a.level' '[ ! -s out ]'
test_that "table --where" 'exits 0 table --where class_name=location a.level' '[ "$(wc -l <out)" -eq 2 ]'
test_that "table --csv quotes" 'exits 0 table --csv --columns path,class_name,properties.name a.level' '[ "$(cat out)" = "path,class_name,properties.name
objects[0],ns2_gamerules,
objects[1],location,\"Hub, \"\"A\"\"\"
objects[2],location," ]'
test_that "class.def and exit.def are tables" 'mkdir -p names' 'cp my.def names/class.def' \
    'printf "Gate (1, 2, 3) level 4 mapindex 5\n" >names/exit.def' 'exits 0 table --csv -C path,class,name,unique_id names/class.def' \
    'says "^text@types.0.,TILE,other,2$"' 'exits 0 table --csv -C name,position,level,map_index names/exit.def' 'says "^Gate,1 2 3,4,5$"' \
    'exits 0 table names/exit.def' 'says "\"offset\":null"' 'exits 0 get names/class.def "text@types[0].imagery"' 'says "x.i2d"'
printf '{"$format":"revenant-sector","version":15,"objects":[{"object_version":0,"class":"tile","unique_id":2},{"object_version":0,"class":"exit","unique_id":3,"name":"GATE"}]}' >names/sector.json
test_that "and give rows of sectors what they say" 'exits 0 convert --lenient names/sector.json -o names/7_3_4.DAT' \
    'exits 0 table --csv -C path,type_name,imagery,destination names/7_3_4.DAT' 'says "^objects.0.,other,x.i2d,$"' 'says "^objects.1.,,,.level 4 .1, 2, 3..$"' \
    'exits 0 table -w type_name=other names/7_3_4.DAT' '[ "$(wc -l <out)" -eq 1 ]' 'says "\"type_name\":\"other\",\"imagery\":\"x.i2d\""' \
    'exits 0 table --csv names/7_3_4.DAT' 'head -n 1 out | grep -q ",type_name,imagery,destination$"' 'mkdir -p alone2' 'cp names/7_3_4.DAT alone2/' \
    'exits 0 set -q alone2/7_3_4.DAT "objects[0].flags=3" -o alone2/new.DAT --as-path 7_3_4.DAT' 'exits 1 diff --search-path names alone2/7_3_4.DAT alone2/new.DAT' 'says "^~ objects.0. .*.other.: flags "' \
    'exits 1 diff alone2/7_3_4.DAT alone2/new.DAT' '! grep -q other out' 'rm alone2/new.DAT' \
    'exits 0 table alone2/7_3_4.DAT' '! grep -q "type_name.:[^n]" out' 'exits 0 table --search-path names -C type_name alone2/7_3_4.DAT' 'says other' 'rm -r alone2'
test_that "table --csv has a header of its own" 'exits 0 table --csv a.level' 'head -n 1 out | grep -q "^file,sha256,path,offset,.*class_name"'

cat >safe.csv <<'END'
class_name,properties.origin
'=1+1,
"'@a,b""c",
plain,-1 2 3
END
test_that "cells that spreadsheets take for formulas" 'exits 0 table --csv -C class_name,properties.origin hostile.level' 'says "^=1\+1,$"' \
    'complains "information: 2 cells begin with .*--csv-safe"' 'exits 0 table --csv-safe -C class_name,properties.origin hostile.level' \
    'grep -v owned out | cmp - safe.csv' '[ ! -s err ]'

test_that "columns that no row has" 'exits 2 table --csv -C clas_name a.level' '[ ! -s out ]' "complains \"no row has 'clas_name'; did you mean 'class_name'\"" \
    'exits 2 table -C Class_Name a.level' "complains \"mean 'class_name'\"" 'exits 2 table -w properties.orgin=x a.level' '[ ! -s out ]' \
    "complains \"^error: --where: no row has 'properties.orgin'; did you mean 'properties.origin'\"" 'exits 2 table -C ofset a.level' "complains \"mean 'offset'\"" \
    'exits 2 table -C "properties[0].valu" a.level' 'complains "no field .valu.; did you mean .value"' 'exits 2 table -C nowhere a.level set' 'complains "no row has .nowhere"' \
    '"$mapstone" table -C qqqqqq - <a.level >out 2>err; [ $? -eq 2 ]' '[ ! -s out ]' 'complains "no row has .qqqqqq.; there are: file, sha256"'
test_that "columns that some rows have" 'exits 0 table --csv -C properties.angles,properties.name,path a.level' '[ "$(cat out)" = "properties.angles,properties.name,path
0 0 0,,objects[0]
,\"Hub, \"\"A\"\"\",objects[1]
,,objects[2]" ]' 'exits 0 table -C class,class_name game set/a.level' 'says "^{\"class\":\"tile\"}$"' 'says "^{\"class_name\":\"location\"}$"' \
    'exits 0 table -w "properties[0].name=origin" -C "properties[1].name" a.level' '[ "$(wc -l <out)" -eq 2 ]'
test_that "names of a mod's actors" 'mkdir -p mod/Levels mod/defs/actors' 'printf "Own_Player 0\n{\n}\n" >mod/defs/actors/own.txt' \
    'exits 0 convert "$here/../../samples/valley.json" -o mod/Levels/valley.map' 'exits 0 table -C type_name mod/Levels/valley.map' 'says "Own_Player"' \
    'mv mod/Levels/valley.map .' 'exits 0 table -C type_name valley.map' '! grep -q Own_Player out' \
    'exits 0 table -C type_name --search-path mod valley.map' 'says "Own_Player"' \
    'exits 0 table -C type_name --search-path mod/defs/actors valley.map' 'says "Own_Player"' 'rm -r mod valley.map'

test_that "table --where in CSV has the properties as columns" 'exits 0 table --csv --where class_name=location a.level' \
    'head -n 1 out | grep -q ",class_name,.*properties.origin,.*properties.name"' 'exits 0 table --csv --where class_name=nobody a.level' \
    '! head -n 1 out | grep -q properties.name' '[ "$(wc -l <out)" -eq 1 ]' 'exits 2 table --csv --where class_name a.level' \
    'exits 0 table --csv -w class_name=location a.level set' 'head -n 1 out | grep -q properties.name'
test_that "table --lists" 'exits 0 table --lists a.level' 'says "\"rows\":\"objects\",\"count\":3,\"columns\":\\[.*\"class_name\",.*\"properties.origin\""' \
    'exits 0 table --csv --lists a.level' 'head -n 1 out | grep -qx "file,rows,count,columns"' 'says "^a.level,objects,3,.*class_name .*properties.origin"' \
    'exits 0 table --csv --lists set a.level' '[ "$(grep -c ^file,rows out)" -eq 1 ]' 'exits 2 table --lists --rows objects a.level' \
    'exits 2 table --lists -C path a.level' 'exits 2 table --lists -w path=x a.level'
test_that "table --rows" 'exits 0 table --rows "objects[1].properties" a.level' '[ "$(wc -l <out)" -eq 3 ]' \
    'exits 3 table --rows nowhere a.level'
test_that "table over many files, in order" 'exits 0 table -j 4 set' '[ "$(wc -l <out)" -eq 6 ]' \
    'head -n 1 out | grep -q "set/a.level"' 'tail -n 1 out | grep -q "set/sub/b.level"'

finish
