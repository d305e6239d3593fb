#!/bin/sh
# SPDX-License-Identifier: MIT
# The cost of the command: memory and processor time are bounded whatever a file or script requests.
# tests/cli/cost.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
twins=$(cd "$(dirname "$0")" && pwd)/twins.sh
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
NO_COLOR=1 TMPDIR=$work
export NO_COLOR TMPDIR
log=$work/log

# within KIB SECONDS ARGUMENT...: the command, with limited address space and processor time
within() {
    (
        ulimit -v "$1" && ulimit -t "$2" || exit 99
        shift 2
        "$mapstone" "$@"
    )
}

# exits CODE ARGUMENT...: with a message on stderr in the file err
exits() {
    code=$1
    shift
    "$@" 2>err
    got=$?
    cat err
    [ $got = "$code" ] || { echo "exit code $got, not $code" && return 1; }
}

# sanitizers and emulators reserve more than is available
if ! within 100000 60 --version >/dev/null 2>&1; then
    echo "1..0 # SKIP the address space cannot be limited"
    exit 0
fi

# ---- pictures --------------------------------------------------------------------------------------------------------

mkdir many
# one object: the memory is for the pictures
echo '{"$format":"ns2-level","version":10,"mesh":{},"objects":[{"class_name":"light","has_layers":false,"group":4294967295,"properties":[],"extras":[]}]}' >one.json
"$mapstone" convert -q --force one.json -o many/1.level || exit 2
for i in $(seq 2 180); do ln many/1.level "many/$i.level"; done
printf 'shader = "shaders/Level.surface_shader"\nalbedoMap = "wall.dds"\n' >wall.material

test_that "a contact sheet takes memory for one row of pictures" \
    'within 100000 600 render -q --sheet many -o sheet.png && [ -s sheet.png ]'
test_that "so does one that goes to stdout" 'within 100000 600 render -q --sheet many/1.level many/2.level >piped.png && "$mapstone" render -q --sheet many/1.level many/2.level -o two.png && cmp two.png piped.png'
test_that "one of nothing is not written" 'mkdir empty && ! "$mapstone" render -q --sheet empty -o none/none.png; [ ! -e none/none.png ]'
test_that "the picture of a material takes a moment" 'within 100000 1 render wall.material -o wall.png && [ -s wall.png ]'

# ---- growth ----------------------------------------------------------------------------------------------------------

"$mapstone" convert "$samples/outpost.json" -o a.level || exit 2
twice='duplicate objects[0:999999]'
for i in 1 2 3 4 5; do echo "$twice"; done >doubling
limit=$(($(wc -c <a.level) * 4))

test_that "a script that doubles a list again and again is refused" \
    'exits 5 "$mapstone" edit -q --each --growth-limit "$limit" a.level -s doubling -o no.level &&
    grep -q "more than $limit bytes" err && grep -q -e "--growth-limit allows more" err && [ ! -e no.level ]'
test_that "more is allowed if it is wanted" \
    '"$mapstone" edit -q --each --growth-limit 1G a.level -s doubling -o large.level && [ "$(wc -c <large.level)" -gt "$limit" ]'
test_that "64 MiB are allowed without asking, and not more" '{ printf "objects[0].class_name = %0999999d\n" 0 && for i in 1 2 3; do cat doubling; done; } >endless
    exits 5 within 1000000 60 edit -q --each --force a.level -s endless -o no.level && grep -q "more than 67108864 bytes" err && [ ! -e no.level ]'
long=$(printf "%04000d" 0)
test_that "nor may a text set many times grow it" \
    'exits 5 "$mapstone" edit -q --each --growth-limit "$limit" large.level -e "objects[*].class_name = $long" -o no.level &&
    grep -q -e "--growth-limit" err'
test_that "nor one line of set" \
    'exits 5 "$mapstone" set -q --growth-limit 1K a.level "objects[0].class_name=$long" -o no.level && grep -q -e "--growth-limit" err'
test_that "what gets smaller is never refused" '"$mapstone" set -q --growth-limit 1 a.level --remove "objects[30]" -o less.level'
"$mapstone" diff -o grown.mspatch a.level large.level
"$mapstone" edit -q a.level -e "objects[19].properties.intensity = 2" -o other.level
test_that "a patch is refused that would let it grow beyond the limit" \
    'exits 5 "$mapstone" patch -q --growth-limit "$limit" a.level grown.mspatch -o no.level && grep -q -e "--growth-limit" err &&
    "$mapstone" patch -q --growth-limit 1G a.level grown.mspatch -o patched.level && cmp patched.level large.level'
test_that "so is a merge" 'exits 5 "$mapstone" merge -q --growth-limit "$limit" a.level other.level large.level -o no.level &&
    grep -q -e "--growth-limit" err && [ ! -e no.level ]'
test_that "and a paste" '"$mapstone" convert -q --allow-loss large.level -o room.clip && exits 5 "$mapstone" edit -q --growth-limit "$limit" a.level --paste room.clip -o no.level &&
    grep -q -e "--growth-limit" err'
test_that "a limit has to be a size" 'exits 2 "$mapstone" edit --growth-limit many a.level -e "duplicate objects[0]" -o no.level && grep -q "is not a size" err'

# ---- twins -----------------------------------------------------------------------------------------------------------

# make NAME SHAPE [CHANGED]: a sector of 4,000 stones
make() { sh "$twins" revenant 4000 "$2" "${3-0}" >stones.json && "$mapstone" convert -q stones.json -o "$1.DAT"; }
for shape in row moved alike; do
    [ $shape = alike ] && from=alike || from=row
    make old $from && make new $shape 3 && make theirs $from 5 || exit 2
    test_that "the patch of thousands of twins ($shape) takes seconds, and memory as for others" \
        'rm -f p.mspatch; within 150000 20 diff -q old.DAT new.DAT -o p.mspatch; [ -s p.mspatch ] &&
        within 150000 20 patch -q old.DAT p.mspatch -o made.DAT && cmp made.DAT new.DAT'
    test_that "so does applying it to another file" 'within 150000 20 patch -q --partial theirs.DAT p.mspatch -o made.DAT; [ $? -le 1 ]'
    test_that "and merging" 'within 150000 20 merge -q old.DAT new.DAT theirs.DAT -o made.DAT; [ $? -le 1 ]'
done
for command in "diff old.DAT new.DAT -o no.mspatch" "patch theirs.DAT p.mspatch -o no.DAT" "merge old.DAT new.DAT theirs.DAT -o no.DAT"; do
    test_that "${command%% *} is refused where it would take too much memory" \
        'exits 5 "$mapstone" $command -q --memory-limit 3M && grep -q "more than 3145728 bytes" err &&
        grep -q -e "--memory-limit allows more" err && [ ! -e no.DAT ] && [ ! -e no.mspatch ]'
done

# ---- large levels ----------------------------------------------------------------------------------------------------

for i in 1 2 3 4 5 6 7 8; do echo 'duplicate mesh.faces[:]'; done >doubling
test_that "a level of 6.5 MB, all of it geometry, needs no --memory-limit for a patch" \
    '"$mapstone" edit -q --each a.level -s doubling -o large.level && [ "$(wc -c <large.level)" -gt 6000000 ] &&
    "$mapstone" set -q --force large.level "objects[5].class_name=location" -o other.level && rm -f p.mspatch &&
    exits 1 within 600000 60 diff -q large.level other.level -o p.mspatch && within 600000 60 patch -q large.level p.mspatch -o made.level && cmp made.level other.level'

finish
