#!/bin/sh
# SPDX-License-Identifier: MIT
# Levels in git: branches with separate edits of one level, merged by git alone, rebased and picked; also where
# git-lfs keeps the levels. tests/cli/git.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin home
ln -s "$mapstone" bin/mapstone
PATH=$work/bin:$PATH HOME=$work/home XDG_CONFIG_HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat TMPDIR=$work NO_COLOR=1
GIT_EDITOR=true
export PATH HOME XDG_CONFIG_HOME GIT_CONFIG_NOSYSTEM GIT_PAGER TMPDIR NO_COLOR GIT_EDITOR
log=$work/log

if ! command -v git >/dev/null 2>&1; then
    echo "1..0 # SKIP there is no git"
    exit 0
fi
git config --global user.name Anna && git config --global user.email anna@example.org
git config --global init.defaultBranch main && git config --global advice.skippedCherryPicks false

value() { mapstone get "$1" "$2"; }
# edit MESSAGE OPERATION...: a commit of an edit
edit() {
    message=$1
    shift
    for operation; do
        mapstone edit -q -i --cascade a.level -e "$operation" || return 1
    done
    git commit -q -a -m "$message"
}

# begin DIRECTORY [lfs]: a repository of a level, with branches of independent edits and two that contradict each
# other
begin() {
    git init -q "$1" && cd "$1" || return 1
    if [ "${2-}" = lfs ]; then
        git lfs install --local >/dev/null && git lfs track '*.level' >/dev/null || return 1
    fi
    mapstone git-setup -q && mapstone convert "$samples/outpost.json" -o a.level &&
        git add .gitattributes a.level && git commit -q -m level &&
        git switch -q -c lamps && edit lamps 'objects[19].properties.intensity = 2' 'remove mesh.faces[3]' &&
        git switch -q -c crates main && edit crates 'objects[7].properties.origin[0] = -24' &&
        edit gone 'remove objects[30]' &&
        git switch -q -c bright main && edit bright 'objects[19].properties.intensity = 9' && git switch -q main
}

# Both edits are in the level, and nothing else
has_both() {
    [ -z "$(git status --porcelain)" ] && [ "$(value a.level 'objects[19].properties.intensity')" = 2 ] &&
        [ "$(value a.level 'objects[7].properties.origin[0]')" = -24 ] &&
        [ "$(mapstone diff --stat "$1" a.level)" = "$(printf 'mesh.faces: 1 removed\nobjects: 1 removed, 2 changed')" ] &&
        mapstone check -q a.level
}

# all_of_it DIRECTORY [lfs]
all_of_it() {
    test_that "a repository of a level${2+, kept by git-lfs}" "begin $1 ${2-}"
    cd "$work/$1" || exit 2
    git show main:a.level >"$work/base.level"
    [ -z "${2-}" ] || git lfs smudge <"$work/base.level" >"$work/whole.level"
    base=$work/base.level
    [ -z "${2-}" ] || base=$work/whole.level
    test_that "git merge gives the level with both edits${2+ (lfs)}" \
        "git switch -q -c both lamps && git merge -q -m both crates && has_both $base"
    test_that "git rebase does${2+ (lfs)}" "git switch -q -c again crates && git rebase -q lamps && has_both $base"
    test_that "git cherry-pick does${2+ (lfs)}" \
        "git switch -q -c picked lamps && git cherry-pick crates~1 crates >/dev/null && has_both $base"
    test_that "git diff and git log show what changed${2+ (lfs)}" \
        "git diff main lamps | grep -q 'intensity 5 -> 2' && git log -p --ext-diff -1 lamps | grep -q -e '- mesh.faces.3.'"
    test_that "what contradicts is a conflict, and ours stands${2+ (lfs)}" \
        "git switch -q -c contradicts lamps && ! git merge -q -m all bright && git status --porcelain | grep -q '^UU a.level' &&
         grep -q 'objects.19..properties.intensity light_point: ours .2., theirs .9.' $log"
    if [ -z "${2-}" ]; then
        test_that "it is resolved with --prefer" \
            "for i in 1 2 3; do git show :\$i:a.level >\$i.level; done; mapstone merge -q 1.level 2.level 3.level --prefer theirs -o a.level &&
             [ \"\$(value a.level 'objects[19].properties.intensity')\" = 9 ] && rm ?.level && git add a.level && git commit -q -m all && git status"
    else
        test_that "what git keeps are pointers" \
            "git show both:a.level | head -1 | grep -q 'git-lfs' && [ \"\$(git show both:a.level | wc -c)\" -lt 200 ] &&
             git lfs fsck && [ -z \"\$(ls $work/mapstone-* 2>/dev/null)\" ]"
    fi
    cd "$work" || exit 2
}

all_of_it plain
if git lfs version >/dev/null 2>&1; then
    all_of_it large lfs
else
    skip git-lfs "it is not installed"
fi

git init -q pairs && cd pairs || exit 2
test_that "files that belong together are a conflict that says so" \
    "mapstone git-setup -q && echo 1 >MAPS.bin && echo 1 >MAPS.tab && git add . && git commit -q -m one &&
     git switch -q -c two && echo 2 >MAPS.bin && git commit -q -a -m two && git switch -q main && echo 3 >MAPS.bin &&
     git commit -q -a -m three && ! git merge -q -m all two && grep -q 'MAPS.bin belongs to other files' $log &&
     git status --porcelain | grep -q '^UU MAPS.bin' && [ \"\$(cat MAPS.bin)\" = 3 ]"
cd "$work" || exit 2
test_that "they are merged in their directories" \
    "for d in base ours theirs out; do mkdir \$d; done && for f in MAPS.bin; do mapstone convert $samples/islet/\$f.json -o base/\$f || exit 1; done &&
     cp base/* ours && cp base/* theirs && mapstone set -q -i ours/MAPS.bin 'maps[29].origin_x=5' && mapstone set -q -i theirs/MAPS.bin 'maps[29].origin_z=6' &&
     mapstone merge -q base/MAPS.bin ours/MAPS.bin theirs/MAPS.bin -o out/MAPS.bin && [ -s out/MAPS.tab ] &&
     [ \"\$(value out/MAPS.bin 'maps[29].origin_x') \$(value out/MAPS.bin 'maps[29].origin_z')\" = '5 6' ]"
# git for Windows has core.autocrlf=true: line ends are converted in files that look like text
for pattern in '' '*.material'; do
    name=wall.material
    [ -n "$pattern" ] || name=wall.level
    test_that "git changes no ends of lines${pattern:+ of $pattern}" \
        "rm -rf $work/ends && git init -q $work/ends && cd $work/ends && git config core.autocrlf true && mapstone git-setup -q $pattern &&
         printf 'shader = \"a.surface_shader\"\nalbedoMap = \"a.dds\"\n' >$name && cp $name ../before && git add . && git commit -q -m one &&
         rm $name && git checkout -q -- $name && cmp $name ../before"
done
cd "$work" || exit 2
finish
