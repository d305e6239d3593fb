#!/bin/sh
# SPDX-License-Identifier: MIT
# Comparing and merging directories whose files belong together: sectors of a level, object lists and what MAPS.bin says about them.
# tests/cli/merge.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin
ln -s "$mapstone" bin/mapstone
PATH=$work/bin:$PATH XDG_CONFIG_HOME=$work NO_COLOR=1
export PATH XDG_CONFIG_HOME NO_COLOR
log=$work/log
number=0
failed=0

# test_that NAME COMMAND: what the shell says of it
test_that() {
    number=$((number + 1))
    if eval "$2" >"$log" 2>&1; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/#   /' "$log" | head -30
        failed=$((failed + 1))
    fi
}

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
# Nothing but the three is here: no result and no temporary file
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
     grep -q '^! 7_10_10.DAT: objects.1..position ' $log && grep -q '^ours: 1 conflict: ours stands' $log &&
     grep -q '^{\"conflict\":\"value\",\"file\":\"7_10_10.DAT\",\"path\":\"objects.1..position\"' list"
test_that "--prefer decides it" \
    "rm -r out && mapstone merge -q sectors ours theirs -o out --prefer theirs && [ \"\$(value out/7_10_10.DAT 'objects[1].position[0]')\" = 6 ]"
test_that "--mark puts theirs beside it" \
    "rm -r out && exits_with 1 mapstone merge sectors ours theirs -o out --mark && grep -q ' in objects.2.' $log &&
     [ \"\$(value out/7_10_10.DAT 'objects[1].position[0]') \$(value out/7_10_10.DAT 'objects[2].position[0]')\" = '5 6' ]"
test_that "--check writes nothing" \
    "rm -r out && exits_with 1 mapstone merge sectors ours theirs --check && nothing_is_left"
test_that "files that are no levels, and those that one side removed, are conflicts" \
    "three sectors && echo a >ours/notes && echo b >theirs/notes && rm ours/7_10_10.DAT && set_in theirs/7_10_10.DAT 'objects[1].position[0]=6' &&
     rm theirs/7_10_11.DAT && set_in ours/7_10_11.DAT 'objects[1].position[0]=6' && exits_with 1 mapstone merge sectors ours theirs -o out &&
     grep -q '^! notes: ours changed it, theirs changed it' $log && grep -q '^! 7_10_10.DAT: ours removed, theirs changed it' $log &&
     grep -q '^! 7_10_11.DAT: ours changed it, theirs removed' $log && diff -r ours out && rm -r out &&
     mapstone merge -q sectors ours theirs -o out --prefer theirs && diff -r theirs out"
test_that "a level that cannot be merged refuses all, and nothing is left" \
    "three sectors && set_in ours/7_10_10.DAT 'objects[1].position[0]=5' && set_in theirs/7_11_10.DAT 'objects[0].position[2]=9' &&
     set_in ours/7_12_11.DAT 'objects[0].position[2]=7' && mapstone convert -q --allow-loss --to-version 12 sectors/7_12_11.DAT -o theirs/7_12_11.DAT &&
     cp -r ours before && exits_with 5 mapstone merge sectors ours theirs -o out && grep -q '7_12_11.DAT: .*different versions' $log &&
     nothing_is_left && exits_with 5 mapstone merge -q sectors ours theirs -o ours && diff -r before ours && nothing_is_left && rm -r before"
test_that "a file that cannot be written refuses all, and nothing is left" \
    "three sectors && set_in theirs/7_11_10.DAT 'objects[0].position[2]=9' && echo a >theirs/new && mkdir ours/new && echo b >ours/new/b && cp -r ours before &&
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
echo "1..$number"
[ "$failed" -eq 0 ]
