#!/bin/sh
# SPDX-License-Identifier: MIT
# Conflicts of a merge by git, listed and resolved one by one in a real repository.
# tests/cli/conflicts.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin home
ln -s "$mapstone" bin/mapstone
PATH=$work/bin:$PATH HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_STATE_HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat TMPDIR=$work NO_COLOR=1
GIT_EDITOR=true
export PATH HOME XDG_CONFIG_HOME XDG_STATE_HOME GIT_CONFIG_NOSYSTEM GIT_PAGER TMPDIR NO_COLOR GIT_EDITOR
log=$work/log

if ! command -v git >/dev/null 2>&1; then
    echo "1..0 # SKIP there is no git"
    exit 0
fi
git config --global user.name Anna && git config --global user.email anna@example.org && git config --global init.defaultBranch main

exits() { # CODE ARGS...: mapstone, with what it prints in `out` and `err`
    wanted=$1
    shift
    mapstone "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    [ $code -eq "$wanted" ] || { echo "exit code $code, not $wanted: mapstone $*"; cat "$work/out" "$work/err"; return 1; }
}
says() { grep -qE -- "$1" "$work/out" || { cat "$work/out" "$work/err"; return 1; }; }
complains() { grep -qE -- "$1" "$work/err" || { cat "$work/out" "$work/err"; return 1; }; }
left() { [ "$(mapstone conflicts -q maps/a.level | grep -c '^!')" = "$1" ]; }

# ---- fourteen conflicts ------------------------------------------------------------------------------
# The edits of ours and theirs, from the end of the list on, so that removals do not change the following indices: four
# lights and four crates get different values, one light each is removed by one side and changed by the other, a resource
# point and a vertex move apart, and a layer and a face get different names and materials.
cat >ours.txt <<'END'
objects[33].properties.model = ours33.model
objects[32].properties.model = ours32.model
objects[31].properties.model = ours31.model
objects[30].properties.model = ours30.model
objects[23].properties.intensity = 2.5
objects[22].properties.intensity = 9
remove objects[20]
objects[19].properties.intensity = 2.5
objects[18].properties.intensity = 2.5
objects[17].properties.intensity = 2.5
objects[7].properties.origin[0] = -24
mesh.vertices[100].position[1] = 7
layers[0].name = Ours
mesh.faces[0].material = 2
END
sed -e 's/ours\(3[0-9]\)/theirs\1/' -e 's/= 9$/= 0/' -e 's/= 2\.5$/= 2.75/' -e 's/material = 2$/material = 3/' -e 's/= -24/= -25/' -e 's/= 7$/= 8/' -e 's/Ours/Theirs/' \
    -e 's/^objects.22..*/remove objects[22]/' -e 's/^remove objects.20./objects[20].properties.intensity = 3/' ours.txt >theirs.txt
mapstone convert "$samples/outpost.json" -o whole.level || exit 2
git init -q level && cd level && mkdir maps && mapstone git-setup -q && cp ../whole.level maps/a.level && git add . && git commit -q -m level &&
    git switch -q -c theirs && mapstone edit -q -i --cascade maps/a.level -s ../theirs.txt && git commit -q -a -m theirs &&
    git switch -q main && mapstone edit -q -i --cascade maps/a.level -s ../ours.txt && git commit -q -a -m ours || exit 2

test_that "nothing is in conflict before the merge" 'exits 1 conflicts maps/a.level' 'complains "git has no conflict in it"' 'exits 1 resolve maps/a.level --all --ours' \
    '(cd .. && exits 2 conflicts whole.level && complains "not in a git repository")'
test_that "git leaves fourteen" '! git merge -q -m all theirs' 'grep -q "14 conflicts: kept ours; see .mapstone conflicts" "$log"' 'cp maps/a.level ../merged.level' \
    'exits 1 conflicts maps/a.level' '[ "$(grep -c "^! " "$work/out")" = 14 ]' 'says "^! objects.19..properties.intensity light_point: ours .2.5., theirs .2.75.$"' 'says "^! objects.22. light_point: ours properties.intensity .9., theirs removed$"' \
    'complains "maps/a.level: 14 conflicts, 14 to resolve"' 'git show :1:maps/a.level >../1.level; git show :2:maps/a.level >../2.level; git show :3:maps/a.level >../3.level' \
    'cp "$work/out" ../list' 'exits 1 conflicts ../1.level ../2.level ../3.level' 'cmp ../list "$work/out"' \
    'mapstone merge -q ../1.level ../2.level ../3.level --check --conflicts ../json; exits 1 conflicts -q --json maps/a.level' 'cmp ../json "$work/out"' 'says "removed-by-theirs.*.path.:.objects.22.*.changed.:.properties.intensity."'
test_that "one is resolved, and the rest stay" 'exits 1 resolve maps/a.level "objects[19]" --theirs' 'complains "13 of 14 conflicts to resolve"' 'left 13' \
    'exits 0 get maps/a.level "objects[19].properties.intensity"' 'says "^.?2.75"' 'exits 1 conflicts --json maps/a.level' 'says ".path.:.objects.19..properties.intensity.*.resolved.:.theirs."' 'git status --porcelain | grep -q "^UU"'
test_that "from another directory" '(cd maps && exits 1 resolve -q a.level "objects[18].properties.intensity" --value 4 && exits 1 conflicts a.level && says "^= objects.18..properties.intensity: value .4.$")' \
    'exits 0 get maps/a.level "objects[18].properties.intensity"' 'says "^.?4"'
test_that "what cannot be is refused" 'cp maps/a.level ../before.level' 'exits 3 resolve maps/a.level "objects[3]" --ours' 'complains "no conflict at objects.3.: .mapstone conflicts. lists them"' \
    'exits 5 resolve maps/a.level "objects[20]" --value 1' 'complains "it is ours or theirs"' 'exits 2 resolve maps/a.level --ours' 'exits 2 resolve maps/a.level "objects[19]"' \
    'exits 2 resolve maps/a.level "objects[19]" --ours --theirs' 'exits 2 resolve maps/a.level "objects[19]" --all --ours' '! mapstone resolve maps/a.level "objects[17].properties.intensity" --value "{" 2>/dev/null' \
    'cmp maps/a.level ../before.level' 'left 12'
test_that "several by a condition" 'exits 1 resolve maps/a.level "objects[class_name=prop_static]" --theirs' 'left 8' 'exits 0 get maps/a.level "objects[*].properties.model"' 'says theirs30.model' 'says theirs33.model'
test_that "a text, and another thought" 'exits 1 resolve maps/a.level "objects[30].properties.model" --value other.model' 'exits 1 resolve maps/a.level "objects[31]" --ours' 'left 8' \
    'exits 0 get maps/a.level "objects[*].properties.model"' 'says other.model' 'says ours31.model' '! grep -q theirs30 "$work/out"'
test_that "what has been edited since is not lost" 'cp maps/a.level ../before.level' 'mapstone set -q -i maps/a.level "objects[0].class_name=mine"' 'cp maps/a.level ../mine.level' \
    'exits 5 resolve maps/a.level "objects[17]" --ours' 'complains "is not what the merge made"' 'cmp maps/a.level ../mine.level' 'left 8' 'mapstone undo -q maps/a.level' 'cmp maps/a.level ../before.level'
test_that "what ours removed comes back" 'exits 1 resolve maps/a.level "objects[20]" --theirs' 'left 7' 'exits 1 resolve maps/a.level "objects[22]" --theirs' 'left 6'
test_that "git asks about what is left" 'printf "o\nt\n\n= 6\nours\nt\n" >../answers' '! git mergetool --no-prompt --tool=mapstone maps/a.level <../answers' 'left 1' 'git status --porcelain | grep -q "^UU"' \
    'printf "t\n" | git mergetool --no-prompt --tool=mapstone maps/a.level' 'git status --porcelain | grep -q "^M  maps/a.level"'
cat >../chosen.txt <<END
objects[33].properties.model = theirs33.model
objects[32].properties.model = theirs32.model
objects[31].properties.model = ours31.model
objects[30].properties.model = other.model
objects[23].properties.intensity = 2.5
remove objects[22]
objects[20].properties.intensity = 3
objects[19].properties.intensity = 2.75
objects[18].properties.intensity = 4
objects[17].properties.intensity = 6
objects[7].properties.origin[0] = -25
mesh.vertices[100].position[1] = 7
layers[0].name = Theirs
mesh.faces[0].material = 3
END
test_that "all of it is what was chosen" 'exits 0 check -q maps/a.level' 'exits 0 roundtrip maps/a.level' 'cp ../whole.level ../chosen.level' \
    'mapstone edit -q -i --cascade ../chosen.level -s ../chosen.txt' 'exits 0 diff -a ../chosen.level maps/a.level'
test_that "the merge is committed, and nothing is kept" 'git commit -q -m all' 'exits 1 conflicts maps/a.level' 'rm -f maps/a.level.orig' '[ -z "$(git status --porcelain)" ]'

# ---- another merge -----------------------------------------------------------------------------------
test_that "choices of another merge do not count" 'git reset -q --hard HEAD~1' '! git merge -q -m all theirs 2>/dev/null' 'exits 1 resolve -q maps/a.level --all --theirs; exits 0 conflicts maps/a.level' 'complains "14 conflicts, 0 to resolve: git add it"' \
    'git merge --abort' 'mapstone edit -q -i maps/a.level -e "objects[23].properties.intensity = 5"; git commit -q -a -m more' '! git merge -q -m all theirs 2>/dev/null' 'left 14' 'git merge --abort'
test_that "all at once, and added" '! git merge -q -m all theirs 2>/dev/null' 'exits 0 resolve -q maps/a.level --all --theirs --add' 'git status --porcelain | grep -q "^M  maps/a.level"' '[ -z "$(ls .git/mapstone)" ]' \
    'exits 1 diff --stat ../3.level maps/a.level; [ "$(wc -l <"$work/out")" -le 1 ]' 'git commit -q -m all'
test_that "a file that one side removed" 'git switch -q -c gone && git rm -q maps/a.level && git commit -q -m gone && git switch -q main && mapstone set -q -i maps/a.level "objects[0].class_name=kept" && git commit -q -a -m kept' \
    '! git merge -q -m all gone 2>/dev/null' 'exits 5 conflicts maps/a.level' 'complains "one side removed it: decide with .git add. or .git rm."'
cd "$work" || exit 2

# ---- a part, and its owner ----------------------------------------------------------------------------
mapstone edit -q whole.level -e 'remove objects[40].properties[name=startsOpen]' -o part.level
mapstone edit -q whole.level --cascade -e 'remove objects[41]' -e 'remove objects[40]' -o none.level
test_that "one side removes a property, the other what has it" \
    'exits 1 merge whole.level part.level none.level -o m.level' 'says "^! objects\[40\].*theirs removed"' \
    'exits 1 merge whole.level none.level part.level -o m.level' 'says "^! objects\[40\].*ours removed"' \
    'exits 0 merge -q whole.level none.level part.level --prefer ours -o m.level; cmp m.level none.level' \
    'exits 0 merge -q whole.level part.level none.level --prefer theirs -o m.level; cmp m.level none.level' \
    'exits 0 merge -q whole.level part.level none.level --prefer ours -o m.level; mapstone get m.level "objects[40]" >ours.json; mapstone get part.level "objects[40]" | cmp - ours.json' \
    'exits 0 merge -q whole.level none.level none.level -o m.level; cmp m.level none.level'

# ---- versions -----------------------------------------------------------------------------------------
mapstone convert -q whole.level --to-version 9 --allow-loss -o nine.level && mapstone convert -q nine.level --to-version 10 -o ten.level
mapstone edit -q nine.level -e 'objects[3].properties.origin[0] += 1' -o ours.level && mapstone edit -q ten.level -e 'objects[7].properties.origin[1] += 2' -o theirs.level
mapstone edit -q ten.level -e 'objects[3].properties.origin[0] += 1' -e 'objects[7].properties.origin[1] += 2' -o both.level
test_that "sides of different versions are merged in the newest" 'exits 0 merge -q nine.level ours.level theirs.level -o m.level; cmp m.level both.level' \
    'exits 0 merge -q nine.level theirs.level ours.level -o m.level; cmp m.level both.level' 'exits 0 merge -q ten.level theirs.level ours.level -o m.level'
test_that "no temporary files are left" '[ -z "$(ls -d mapstone-* 2>/dev/null)" ]'
finish
