#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tries what `spec --as` writes on the project's samples and, if there is one, on the corpus: run.sh COMMAND
# The last line counts tests.
set -u
mapstone=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
result() {
    if [[ $1 == 0 ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not ok $2"; fi
}

"$mapstone" convert samples/outpost.json -o "$work/outpost.level"
"$mapstone" convert samples/valley.json -o "$work/valley.map"
"$mapstone" convert samples/bunker.json -o "$work/BUNKER.MAP"
"$mapstone" convert samples/bunker-textures.json -o "$work/900GFX.BIN"
"$mapstone" convert samples/keep/7_10_10.json -o "$work/7_10_10.DAT"

# file(1) knows every format that has a mark, and takes nothing else for one.
"$mapstone" spec --as magic >"$work/marks" && (cd "$work" && file -C -m marks) >/dev/null 2>&1
result $? "file(1) cannot compile the marks"
says() {
    [[ $(file -b -m "$work/marks" "$work/$1") == "$2" ]]
    result $? "file(1): $1"
}
says outpost.level "Natural Selection 2 level"
says BUNKER.MAP "Alien Trilogy level"
says 900GFX.BIN "Alien Trilogy textures"
says 7_10_10.DAT "Revenant map sector"
printf 'FORM\0\0\0\4AIFF' >"$work/other"
[[ $(file -b -m "$work/marks" "$work/other") != *Alien* ]]
result $? "file(1) takes another FORM for Alien Trilogy's"

# JSON may name its schema, which is not part of the level.
sed 's/^{/{"$schema": "x.json",/' samples/outpost.json | "$mapstone" convert -f json - -o "$work/again.level" &&
    cmp "$work/again.level" "$work/outpost.level"
result $? "JSON that names its schema"

files=("$work"/*.*)
if [[ -n ${MAPSTONE_CORPUS:-} && -d $MAPSTONE_CORPUS ]]; then
    mapfile -t -O ${#files[@]} files < <(find "$MAPSTONE_CORPUS" -type f -size -200k ! -path '*/histories/*' | sort | awk 'NR % 2')
fi
node "$here/schemas.mjs" "$mapstone" "${files[@]}" >"$work/log"
grep -v ' passed, ' "$work/log"
read -r good _ bad _ < <(grep ' passed, ' "$work/log" | tr -d ,)

# Readers that Kaitai Struct makes agree with the dumps.
files=("$work"/*.*)
if [[ -n ${MAPSTONE_CORPUS:-} && -d $MAPSTONE_CORPUS ]]; then
    mapfile -t -O ${#files[@]} files < <(find "$MAPSTONE_CORPUS" -type f -size -4000k ! -path '*/histories/*' | sort)
fi
node "$here/kaitai.mjs" "$mapstone" "${files[@]}" >"$work/log"
grep -v ' passed, ' "$work/log"
read -r more _ worse _ < <(grep ' passed, ' "$work/log" | tr -d ,)
bad=$((${bad:-1} + ${worse:-1}))

# The page and the patterns say what the reference says.
python3 "$here/texts.py" "$mapstone" >"$work/log"
grep -v ' passed, ' "$work/log"
read -r texts _ worse _ < <(grep ' passed, ' "$work/log" | tr -d ,)
bad=$((bad + ${worse:-1}))
echo "$((passed + ${good:-0} + ${more:-0} + ${texts:-0})) passed, $((failed + bad)) failed"
[[ $failed == 0 && $bad == 0 ]]
