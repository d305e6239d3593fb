#!/bin/sh
# SPDX-License-Identifier: MIT
# A repository of strangers: whatever the names of its files, the programs that git calls treat them as names, and
# git-setup writes only to that repository. tests/cli/strangers_git.sh path/to/mapstone. One line per test; exits with
# 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
desktop=$(cd "$(dirname "$0")/../../packaging/desktop" && pwd)/mapstone.desktop
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin home victim
ln -s "$mapstone" bin/mapstone
PATH=$work/bin:$PATH HOME=$work/home XDG_CONFIG_HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat TMPDIR=$work/home
GIT_EDITOR=true NO_COLOR=1
export PATH HOME XDG_CONFIG_HOME GIT_CONFIG_NOSYSTEM GIT_PAGER TMPDIR GIT_EDITOR NO_COLOR
log=$work/log
victim=$work/victim

if ! command -v git >/dev/null 2>&1; then
    echo "1..0 # SKIP there is no git"
    exit 0
fi
git config --global user.name Anna && git config --global user.email anna@example.org
git config --global init.defaultBranch main && git config --global core.quotePath false
git config --global diff.renames true && git config --global advice.skippedCherryPicks false
mapstone convert "$samples/outpost.json" -t ns2-level -o level || exit 2

# A file that a stranger would like to overwrite
precious() {
    rm -rf "$victim" && mkdir "$victim" && echo '# precious' >"$victim/.bashrc" && echo '# precious' >"$victim/config"
}
untouched() {
    [ "$(ls -A "$victim")" = "$(printf '.bashrc\nconfig')" ] && [ "$(cat "$victim"/.bashrc)" = '# precious' ] &&
        [ "$(cat "$victim"/config)" = '# precious' ] && [ -z "$(find "$work" -name 'proof*')" ] &&
        [ -z "$(find "$work" -name '.mapstone-*')" ]
}

# ---- names of files -------------------------------------------------------------------------------------------------
newline='
'
tab=$(printf '\t')
escape=$(printf '\033[31m')
umlaut=$(printf '\303\244')
right=$(printf '\342\200\256')
# each_name FUNCTION: called with every name
each_name() {
    for name in -dash.level --help.level --help -h -- - -o.level --git --textconv --as-path=x --patch --jobs=9999999 \
        "--output=$victim/.bashrc" "--outp=$victim/.bashrc" "-o$victim/.bashrc" "--png=$victim/.bashrc" \
        ' space .level' "quote'.level" 'quotes".level' "line${newline}break.level" "tab$tab.level" '$(touch proof).level' \
        '`touch proof`.level' ';touch proof;.level' '|touch proof|.level' '%A.level' '%P' '!bang.level' '#hash.level' '*.level' \
        '*(e:touch proof:)' '[0].level' '~' '~.level' "$escape.level" "$right.level" NUL.level CON 'a!b.level' 'a.zip!b.level' \
        'objects[0]' 'back\slash.level' '=.level' '{a,b}.level' '&touch proof&.level' plain.level; do
        "$1" "$name" || return 1
    done
}
# The same with some of them, as each takes long
some_names() {
    for name in -dash.level --help.level - "--output=$victim/.bashrc" ' space .level' "quote'.level" "line${newline}break.level" '$(touch proof).level'; do
        "$1" "$name" || return 1
    done
}
count=0
count_name() { count=$((count + 1)); }
each_name count_name
add_name() {
    case $1 in */*) mkdir -p -- "./${1%/*}" ;; esac
    cp "$work/level" "./$1"
}
edit_name() { mapstone set -q -i "./$1" "objects[19].properties.intensity=$intensity"; }
carry_name() {
    case $1 in */*) mkdir -p -- "./moved/${1%/*}" ;; *) mkdir -p moved ;; esac
    git mv -- "./$1" "./moved/$1"
}
return_name() { git mv -- "./moved/$1" "./$1"; }
# edited INTENSITY MESSAGE [some_names]: a commit of an edit of all
edited() {
    intensity=$1
    ${3-each_name} edit_name && git add -A && git commit -q -m "$2"
}
# says COUNT TEXT COMMAND...: exits with 0, and a line for every name
says() {
    wanted=$1 text=$2
    shift 2
    precious
    "$@" >out 2>err </dev/null || { echo "exit code $?: $*"; cat err; return 1; }
    found=$(grep -c -e "$text" out)
    rm -f out.kept && mv out err "$work"
    [ "$found" = "$wanted" ] || { echo "$found lines, not $wanted: $*"; head "$work/err"; return 1; }
    untouched && [ -z "$(git status --porcelain)" ]
}

precious
git init -q names && cd names || exit 2
printf '* diff=mapstone merge=mapstone\n.git* !diff !merge\nout !diff !merge\n' >.gitattributes
printf '/out\n/err\n' >.git/info/exclude
test_that "a repository of $count names that are meant to be something else" \
    "mapstone git-setup -q && git add .gitattributes && git commit -q -m setup && each_name add_name && git add -A && git commit -q -m level &&
     edited 7321 two && git tag two && git switch -q -c side && edited 7324 four && git switch -q main && untouched"
test_that "git diff of them" "says $count 'intensity 5 -> 7321' git diff HEAD~1 HEAD"
test_that "git log -p --ext-diff of them" "says $count 'intensity 5 -> 7321' git log -p --ext-diff -1"
test_that "git show --ext-diff of them" "says $count 'intensity 5 -> 7321' git show --ext-diff"
test_that "git diff of what came" "says $count '  + the level' git diff HEAD~2 HEAD~1"
test_that "git diff of the index, and of the files that are there" \
    "intensity=7322 && each_name edit_name && git diff >../worktree && [ \"\$(grep -c 'intensity 7321 -> 7322' ../worktree)\" = $count ] &&
     git add -A && git diff --cached >../cached && [ \"\$(grep -c 'intensity 7321 -> 7322' ../cached)\" = $count ] && git reset -q --hard && untouched"
test_that "git diff in a folder of it" "mkdir -p sub && cd sub && git diff HEAD~1 HEAD >../../from; code=\$?; cd .. && rmdir sub &&
    [ \$code = 0 ] && [ \"\$(grep -c 'intensity 5 -> 7321' ../from)\" = $count ] && untouched"
test_that "git show with textconv of them" "says $((2 * count)) '^[-+] *.value.: .\(5\|7321\).' git show --no-ext-diff --textconv"
test_that "git grep --textconv of them" "says $count 'value.: .7321.' git grep --textconv 'value.: .7321.'"
blame_name() { says 1 'value.: .7321.' git blame --textconv -- "./$1"; }
test_that "git blame" "some_names blame_name"
test_that "git difftool of them" "says $count 'intensity 5 -> 7321' git difftool -y -x 'mapstone diff --' HEAD~1 HEAD --"
test_that "git stash of them" "intensity=7322 && each_name edit_name && git stash push -q && says 0 x git diff && git stash show -p --ext-diff >../stash &&
    [ \"\$(grep -c 'intensity 7321 -> 7322' ../stash)\" = $count ] && git stash drop -q && untouched"
test_that "git format-patch, git range-diff and git diff --stat" \
    "says $count '^-.*value.: .5.' git format-patch --stdout --textconv -1 && says 1 'two' git range-diff HEAD~1..HEAD HEAD~1..HEAD && says 1 changed git diff --stat HEAD~1"
test_that "a file that cannot be read as a level ends nothing" \
    "cp plain.level ../kept && echo text >./--help && git diff >../text && grep -q -e '^--help:' ../text && git reset -q --hard && untouched"

move_name() { mapstone set -q -i "./$1" 'objects[7].properties.origin[0]=-24'; }
# Both edits are in each of the files
has_both() {
    [ "$(mapstone get "./$1" 'objects[19].properties.intensity')" = 7324 ] &&
        [ "$(mapstone get "./$1" 'objects[7].properties.origin[0]')" = -24 ] || { echo "not both: $1"; return 1; }
}
test_that "git merge of them" "git switch -q -c crates main && each_name move_name && git commit -q -a -m crates && precious &&
    git switch -q -c merged crates && git merge -q -m both side && each_name has_both && untouched && [ -z \"\$(git status --porcelain)\" ]"
test_that "git rebase of them" "git switch -q -c again crates && git rebase -q side && each_name has_both && untouched"
test_that "git cherry-pick of them" "git switch -q -c picked crates && git cherry-pick side >/dev/null && each_name has_both && untouched"
test_that "git merge with conflicts, and their diff" \
    "git switch -q -c contradicts crates && edited 7329 nine && ! git merge -q -m no side && [ \"\$(git diff --name-only --diff-filter=U -z | tr -cd '\\0' | wc -c)\" = $count ] &&
     git diff >../unmerged; code=\$?; git merge --abort && [ \$code = 0 ] && untouched && ! grep -q \"$escape\" ../unmerged"
test_that "git diff of renamed files" "git switch -q -c carried main && each_name carry_name && each_name return_name && git reset -q --hard && rm -rf moved &&
    each_name carry_name && git commit -q -m carried && says 0 x git diff -M && each_name return_name && git reset -q --hard main && rm -rf moved && untouched"

# A rename gives the driver two more operands
rename() {
    git switch -q -C renames two && git mv -- ./plain.level "./--output=$victim/other.level" && git mv ./-dash.level './=.level.level' &&
        mapstone set -q -i "./--output=$victim/other.level" 'objects[19].properties.intensity=7327' &&
        mapstone set -q -i './=.level.level' 'objects[19].properties.intensity=7327' && git add -A && git commit -q -m renamed
}
test_that "git diff of renamed and edited files" \
    "rename && says 2 'intensity 7321 -> 7327' git diff -M HEAD~1 HEAD && says 2 'intensity 7321 -> 7327' git log -p --ext-diff -M -1"
test_that "what a terminal obeys is not shown" "git diff HEAD~2 HEAD >../shown && ! grep -q -e \"$escape\" -e \"$right\" ../shown && grep -q 'x1b.31m' ../shown"
test_that "a work tree of its own" "git worktree add -q ../tree two && cd ../tree && mapstone git-setup -q && says $count 'intensity 5 -> 7321' git diff HEAD~1 HEAD &&
    [ -z \"\$(git status --porcelain)\" ] && [ \"\$(grep -c '^.diff \"mapstone\"' ../names/.git/config)\" = 1 ] && cd ../names"
cd "$work" || exit 2
test_that "git difftool where git-setup has not been" "precious && git clone -q names tool && cd tool && says $count 'intensity 5 -> 7321' git difftool -y -x 'mapstone diff --' two~1 two --"
cd "$work" || exit 2
test_that "a clone, and a module of another repository" "precious && git clone -q names clone && cd clone && mapstone git-setup -q && says $count 'intensity 5 -> 7321' git diff two~1 two && cd .. &&
    git init -q outer && cd outer && git -c protocol.file.allow=always submodule --quiet add ../clone inner && cd inner && mapstone git-setup -q &&
    says $count 'intensity 5 -> 7321' git diff two~1 two && ! grep -q mapstone ../.git/config"
cd "$work" || exit 2

# ---- the driver -----------------------------------------------------------------------------------------------------
mkdir driver && cd driver && cp ../level new.level && cp ../level old.level || exit 2
mapstone set -q -i new.level 'objects[19].properties.intensity=7321'
# refuses TEXT ARGUMENT...: exit code 2, nothing on stdout, nothing written
refuses() {
    text=$1
    shift
    precious
    mapstone "$@" >../out 2>../err </dev/null
    code=$?
    [ "$code" = 2 ] && [ ! -s ../out ] && grep -q -e "$text" ../err && untouched || { echo "$code: $*"; cat ../out ../err; return 1; }
}
again="mapstone git-setup"
test_that "called as earlier versions had it called, the driver says what to do" \
    "refuses '$again' diff --git x old.level 0 100644 new.level 1 100644 && refuses '$again' diff --git --output=$victim/.bashrc old.level 0 100644 new.level 1 100644 &&
     refuses '$again' diff --git --output=$victim/.bashrc old.level 0 100644 new.level 1 100644 b.level x && refuses '$again' diff --git --help old.level 0 100644 new.level 1 100644 &&
     refuses '$again' diff --git --output=$victim/.bashrc old.level 0 100644 new.level 1 100644 -- x && refuses '$again' diff --textconv new.level &&
     refuses '$again' diff --textconv --help && refuses '$again' diff --textconv --output=$victim/.bashrc && refuses '$again' diff --git && refuses '$again' diff --textconv &&
     refuses '$again' diff --gi --output=$victim/.bashrc a b c d e f && refuses '$again' diff --text --output=$victim/.bashrc && refuses '$again' diff --stat --git x"
test_that "a file called -- makes nothing of it" \
    "refuses operands diff --git -- old.level 0 100644 new.level 1 100644 && refuses operands diff --git -- old.level 0 100644 new.level 1 100644 -- x && refuses one diff --textconv --"
test_that "other numbers of operands" \
    "for given in 'a b' 'a b c d e f' 'a b c d e f g h' 'a b c d e f g h i j'; do refuses operands diff --git -- \$given || return 1; done && refuses operands diff --git -- &&
     refuses one diff --textconv -- a b"
test_that "the driver writes to no file" "for to in -o$victim/.bashrc --output=$victim/.bashrc --png=$victim/.bashrc; do
    refuses 'no effect' diff \$to --git -- x old.level 0 100644 new.level 1 100644 && refuses 'no effect' diff \$to --textconv -- new.level || return 1; done"
test_that "options before --git stay" "mapstone diff --stat --git -- x old.level 0 100644 new.level 1 100644 | grep -q 'objects: 1 changed'"
test_that "an unmerged path is shown without what a terminal obeys" "mapstone diff --git -- \"a$escape\" >../out && grep -qx '[*] Unmerged path a.x1b.31m' ../out"
test_that "a file called - is not stdin" "cp new.level - && echo no | mapstone diff --git -- - old.level 0 100644 - 1 100644 | grep -q 'intensity 5 -> 7321' &&
    echo no | mapstone diff --textconv -- - | grep -q intensity && rm ./-"
test_that "a file that is opened from the desktop" "grep '^Exec=' '$desktop' | grep -q -e ' -- .*%F'"
cd "$work" || exit 2

# ---- sections of earlier versions -----------------------------------------------------------------------------------
old_sections() {
    rm -rf old && git init -q old && cd old && cat >>.git/config <<'CONFIG'
[diff "mapstone"]
	command = mapstone diff --git
	textconv = mapstone diff --textconv
	cachetextconv = false
[merge "mapstone"]
	name = my levels
	driver = mapstone merge %O %A %B -o %A --as-path %P
[merge "mapstone-together"]
	name = files that belong together
	driver = mapstone merge --together --as-path %P
[alias]
	mine = status
CONFIG
}
guarded() { [ "$(git config --get-all "$1")" = "$2" ]; }
all_guarded() {
    guarded diff.mapstone.command 'mapstone diff --git --' && guarded diff.mapstone.textconv 'mapstone diff --textconv --' &&
        guarded merge.mapstone.driver 'mapstone merge -o %A --as-path %P -- %O %A %B' &&
        guarded merge.mapstone-together.driver 'mapstone merge --together --as-path %P --'
}
test_that "git-setup rewrites the sections that earlier versions wrote, and says so" \
    "old_sections && mapstone git-setup >../out 2>&1 && all_guarded && grep -q \"diff.mapstone.command.*'mapstone diff --git --'\" ../out"
test_that "what else is there stays" "guarded alias.mine status && guarded diff.mapstone.cachetextconv false && guarded merge.mapstone.name 'my levels'"
test_that "once more changes nothing" "cp .git/config ../config && cp .gitattributes ../attributes && mapstone git-setup && cmp .git/config ../config && cmp .gitattributes ../attributes"
test_that "a command of the user's own stays if names come after --" \
    "git config diff.mapstone.command 'mapstone diff --stat --git --' && git config merge.mapstone.driver 'mapstone merge --prefer ours -o %A --as-path %P -- %O %A %B' &&
     mapstone git-setup -q && guarded diff.mapstone.command 'mapstone diff --stat --git --' && guarded merge.mapstone.driver 'mapstone merge --prefer ours -o %A --as-path %P -- %O %A %B'"
test_that "so does one that is not mapstone" "git config diff.mapstone.textconv my-tool && mapstone git-setup -q && guarded diff.mapstone.textconv my-tool"
test_that "what does not guard is replaced" "git config diff.mapstone.command 'mapstone diff --stat --git' && git config --replace-all diff.mapstone.textconv x && git config --add diff.mapstone.textconv 'mapstone diff --textconv' &&
    git config merge.mapstone.driver 'mapstone merge %O %A %B -o %A' && mapstone git-setup -q && all_guarded"
cd "$work" || exit 2
test_that "every command that git-setup writes has --" \
    "mapstone git-setup --print >out && [ \"\$(grep -cE '^.(command|textconv|driver) = ' out)\" = 4 ] && ! grep -E '^.(command|textconv|driver) = ' out | grep -vE ' --( |\$)'"
test_that "an old section and a file called like an option" "old_sections && mkdir -p -- --output=$victim && cp ../level ./--output=$victim/.bashrc && precious &&
    echo '*bashrc diff=mapstone' >.gitattributes && git add -A && git commit -q -m one && mapstone set -q -i ./--output=$victim/.bashrc 'objects[19].properties.intensity=7321' &&
    { git diff >../out 2>../err; grep -q 'mapstone git-setup' ../err; } && untouched && mapstone git-setup -q && git diff >../out && grep -q 'intensity 5 -> 7321' ../out && untouched"
cd "$work" || exit 2

# ---- patterns -------------------------------------------------------------------------------------------------------
# means PATTERN FILE OTHER...: git applies the pattern to the file, and not to others; once is enough
means() {
    pattern=$1 file=$2
    shift 2
    rm -rf patterns && git init -q patterns && cd patterns && mapstone git-setup -q -- "$pattern" && cp .gitattributes ../attributes &&
        mapstone git-setup -q -- "$pattern" && cmp .gitattributes ../attributes &&
        [ "$(git check-attr -z diff -- "$file" 2>../err | tr '\0\n' ' _')" = "$(printf '%s diff mapstone ' "$file" | tr '\n' '_')" ] && [ ! -s ../err ] || {
        cat .gitattributes ../err
        return 1
    }
    for file; do
        [ "$(git check-attr -z diff -- "$file" | tr '\0' '|')" = "$file|diff|unspecified|" ] || { cat .gitattributes; return 1; }
    done
    cd "$work" || exit 2
}
test_that "patterns with blanks" "means 'my maps/*.level' 'my maps/a.level' my maps/b.level a.level && means ' *.level' ' a.level' a.level && means '*.level ' 'a.level ' a.level &&
    means 'a${tab}b.level' 'a${tab}b.level' ab.level a"
test_that "patterns that begin with # or !" "means '#*.level' '#a.level' a.level && means '!*.level' '!a.level' a.level && means '# a.level' '# a.level' && means '! a.level' '! a.level' 'a.level'"
test_that "patterns with quotes and newlines" "means '\"*.level' '\"a.level' a.level && means '\"*.level\"' '\"a.level\"' a.level && means '\" *.level' '\" a.level' &&
    means \"a'*.level\" \"a'b.level\" && means 'a${newline}b.level' 'a${newline}b.level' a b.level && means 'a${newline}* merge=x' 'a${newline}b merge=x' b"
test_that "patterns with backslashes, brackets and bytes" "means 'a\\*b.level' 'a*b.level' axb.level && means 'a \\*b.level' 'a *b.level' 'a xb.level' &&
    means '[ab].level' a.level c.level && means '[attr]x.level' ax.level x.level && means '[attr] x.level' 'a x.level' && means 'a\\\\b.level' 'a\\b.level' ab.level &&
    means 'k${umlaut}se*.level' 'k${umlaut}se 1.level' && means '**/deep/*.level' 'x/y/deep/a.level' a.level && means '-x.level' -x.level x.level"
test_that "patterns that match no file are refused, and nothing is written" "rm -rf patterns && git init -q patterns && cd patterns && cp .git/config ../config &&
    for wrong in '' 'maps/' 'a\\' \"\$(printf '%03000d' 0)\"; do mapstone git-setup '*.level' \"\$wrong\" 2>../err; [ \$? = 2 ] && [ ! -e .gitattributes ] && cmp .git/config ../config || return 1; done"
cd "$work" || exit 2

# ---- files that git-setup writes ---------------------------------------------------------------------
# stays CODE FILE...: git-setup exits with this code, and the files are unchanged; nothing else is written
stays() {
    wanted=$1
    shift
    rm -rf ../before && mkdir ../before && cp -RP . ../before/all && precious
    mapstone git-setup >../out 2>../err </dev/null
    code=$?
    [ "$code" = "$wanted" ] && [ -s ../err ] && ! grep -q 'compares and merges' ../err && diff -r --no-dereference . ../before/all && untouched || { echo "exit code $code"; cat ../err; return 1; }
}
begin() { cd "$work" && rm -rf odd && git init -q odd && cd odd || exit 2; }
test_that "a .gitattributes with NUL is not overwritten" "begin && printf '*.bin -diff\n\0*.x -diff\n' >.gitattributes && stays 5 && printf '\377\376*\0\n\0' >.gitattributes && stays 5"
test_that "a linked .gitattributes is refused" "begin && ln -s ../victim/.bashrc .gitattributes && stays 5 && rm .gitattributes && ln -s missing .gitattributes && stays 5 && [ ! -e missing ]"
test_that "a .gitattributes that is not a file is refused" "begin && mkdir .gitattributes && stays 2 && rmdir .gitattributes && mkfifo .gitattributes && ! timeout 5 mapstone git-setup 2>../err && [ -p .gitattributes ] && grep -q gitattributes ../err"
unreadable() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'umask 0; mapstone git-setup' 2>../err
    else
        mapstone git-setup 2>../err
    fi
}
if [ "$(id -u)" != 0 ] || setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$mapstone" 2>/dev/null; then
    git config --global --add safe.directory '*' && chmod o+rwX "$work" "$work/home" && chmod -R o+rX "$work/bin" "$work/home"
    test_that "an unreadable .gitattributes is not overwritten" "begin && echo '*.bin -diff' >.gitattributes && cp .gitattributes ../kept && cp .git/config ../config && chmod -R o+rwX . && chmod 0 .gitattributes &&
        { unreadable; [ \$? = 2 ]; } && grep -q gitattributes ../err && chmod 644 .gitattributes && cmp .gitattributes ../kept && cmp .git/config ../config"
    test_that "nor is a .git/config that cannot be read" "begin && cp .git/config ../config && chmod -R o+rwX . && chmod 0 .git/config &&
        { unreadable; [ \$? -gt 0 ]; } && grep -q config ../err && [ ! -e .gitattributes ] && chmod 644 .git/config && cmp .git/config ../config"
else
    skip "an unreadable .gitattributes is not overwritten" "root reads everything"
fi
test_that "a .git/config that git does not understand stays" "begin && printf '[core]\n\tx = 1\n\0[a\n' >>.git/config && { mapstone git-setup 2>../err; [ \$? -gt 0 ]; } && [ ! -e .gitattributes ] && grep -q . ../err &&
    tr -d '\0' <.git/config | tail -n 1 | grep -qxF '[a'"
test_that "a linked .git/config is refused" "begin && mv .git/config ../victim.config && ln -s ../../victim/config .git/config && stays 5 && [ ! -e .gitattributes ]"
test_that "a .git that leads to something else is not a repository" \
    "cd $work && rm -rf odd && mkdir odd && cd odd && echo 'gitdir: ../victim' >.git && stays 1 && printf 'gitdir: $victim\n' >.git && stays 1 && rm .git && ln -s ../victim .git && stays 1 &&
     rm .git && mkdir .git && echo '$victim' >.git/commondir && stays 1"
test_that "a .git with a commondir that leads elsewhere" "begin && echo '$victim' >.git/commondir && stays 1"
test_that "in a folder of a repository, and without one" "begin && mkdir sub && cd sub && stays 1 && [ ! -e .gitattributes ] && cd $work && mkdir none && cd none && stays 1 && git init -q --bare . && stays 1"
test_that "what is there stays, also without a newline at its end" "begin && printf '*.bin -diff' >.gitattributes && mapstone git-setup -q '*.level' &&
    [ \"\$(cat .gitattributes)\" = \"\$(printf '*.bin -diff\n*.level -text diff=mapstone merge=mapstone')\" ]"
cd "$work" || exit 2

# ---- programs ---------------------------------------------------------------------------------------------------------
test_that "git is not run from the current directory, nor from folders that are not given from the root" \
    "mkdir run && cd run && git init -q . && printf '#!/bin/sh\ntouch $work/proof\n' >git && chmod +x git && mkdir rel && cp git rel/git && precious &&
     for paths in .:\$PATH :\$PATH \$PATH: rel:\$PATH ./rel:\$PATH; do PATH=\$paths mapstone git-setup -q && rm .gitattributes && untouched || return 1; done"
test_that "nor in a merge of what git-lfs keeps" \
    "printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 5\n' 0 >p && cp p a && cp p b && { PATH=:.:$work/bin mapstone merge -o a -- p a b 2>../err; [ \$? = 2 ]; } && grep -q 'git lfs' ../err && untouched"
cd "$work" || exit 2
if git lfs version >/dev/null 2>&1; then
    large_name() { # the pointers are merged
        git show "HEAD:./$1" | head -n 1 | grep -q git-lfs && has_both "$1"
    }
    test_that "names of what git-lfs keeps" "precious && git init -q large && cd large && git lfs install --local >/dev/null && echo '* filter=lfs diff=mapstone merge=mapstone
.git* !filter !diff !merge' >.gitattributes && mapstone git-setup -q && git add .gitattributes && git commit -q -m setup && some_names add_name && git add -A && git commit -q -m level &&
        git switch -q -c side && edited 7324 four some_names && git switch -q -c crates main && some_names move_name && git commit -q -a -m crates &&
        git diff HEAD~1 HEAD >../out && [ \"\$(grep -c ' -> -24' ../out)\" = 8 ] && git merge -q -m both side && some_names large_name && untouched"
    cd "$work" || exit 2
else
    skip "names of what git-lfs keeps" "git-lfs is not installed"
fi
finish
