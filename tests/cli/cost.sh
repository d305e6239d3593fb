#!/bin/sh
# SPDX-License-Identifier: MIT
# What the command may cost: memory and processor time that are bounded whatever a file or script asks for.
# tests/cli/cost.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
NO_COLOR=1 TMPDIR=$work
export NO_COLOR TMPDIR
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

# within KIB SECONDS ARGUMENT...: the command, of which the address space and the processor time are limited
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

# sanitizers and emulators reserve more than there is
if ! within 100000 60 --version >/dev/null 2>&1; then
    echo "1..0 # SKIP the address space cannot be limited"
    exit 0
fi

# ---- pictures --------------------------------------------------------------------------------------------------------

mkdir many
"$mapstone" convert "$samples/outpost.json" -o many/1.level || exit 2
for i in $(seq 2 240); do ln many/1.level "many/$i.level"; done
printf 'shader = "shaders/Level.surface_shader"\nalbedoMap = "wall.dds"\n' >wall.material

test_that "a contact sheet takes memory for one row of pictures" \
    'within 100000 600 render -q --sheet many -o sheet.png && [ -s sheet.png ]'
test_that "so does one that goes to stdout" 'within 100000 600 render -q --sheet many >piped.png && cmp sheet.png piped.png'
test_that "one of nothing is not written" 'mkdir empty && ! "$mapstone" render -q --sheet empty -o none/none.png; [ ! -e none/none.png ]'
test_that "the picture of a material takes a moment" 'within 100000 1 render wall.material -o wall.png && [ -s wall.png ]'

echo "1..$number"
[ "$failed" -eq 0 ]
