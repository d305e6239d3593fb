#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: undo, redo and history.
# tests/cli/command_history.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

state=$XDG_STATE_HOME/mapstone/history
named() { # FILE NAME: the class of its first object becomes NAME
    "$mapstone" set -q -i "$1" "objects[0].class_name=$2" 2>err
}
entries() { # how many lines `history` has of FILE
    "$mapstone" history "$1" 2>/dev/null | wc -l
}

# ---- one file --------------------------------------------------------------------------------------
test_that "nothing has a history before something is changed" 'exits 1 undo a.level' 'complains "there is no history"' 'exits 1 history a.level' \
    'exits 0 set a.level "objects[0].class_name=x" -o b.level' '[ ! -e "$state" ]'
test_that "a change of each kind goes back and forth" 'cp whole.level a.level' 'exits 0 set -i a.level "objects[0].class_name=x"' 'cp a.level 1.level' \
    'exits 0 edit -i a.level -e "remove objects[2]"' 'cp a.level 2.level' \
    'exits 1 diff 2.level 1.level -o p.mspatch' 'exits 0 patch -i a.level p.mspatch' 'cmp a.level 1.level' \
    'exits 0 set -i a.level --insert "objects[0]=$("$mapstone" get a.level "objects[1]")"' 'cp a.level 4.level' \
    'exits 0 undo a.level' 'complains "^a.level: undone: set -i a.level --insert "' 'complains "a.level: .* shorter$"' 'cmp a.level 1.level' \
    'exits 0 undo a.level' 'cmp a.level 2.level' 'exits 0 undo -q a.level' '[ ! -s err ]' 'cmp a.level 1.level' 'exits 0 undo a.level' 'cmp a.level whole.level' \
    'exits 1 undo a.level' 'complains "a.level: there is nothing to undo"' 'cmp a.level whole.level' \
    'exits 0 redo 4 a.level' 'cmp a.level 4.level' 'exits 1 redo a.level' 'complains "nothing to redo"' 'exits 0 undo 4 a.level' 'cmp a.level whole.level' 'nothing_left'
test_that "all steps or none" 'cp whole.level n.level' 'named n.level one' 'cp n.level 1.level' 'named n.level two' 'cp n.level 2.level' \
    'exits 1 undo 3 n.level' 'complains "there are only 2 to undo: nothing is changed"' 'cmp n.level 2.level' 'exits 0 undo 2 n.level' 'cmp n.level whole.level' \
    'exits 2 undo 0 n.level' 'complains "not a number of commands"' 'exits 2 undo 1x n.level' 'exits 2 undo' 'exits 2 undo 1 n.level more' 'cmp n.level whole.level'
test_that "a file that has been the same before" 'cp whole.level s.level' 'named s.level one' 'cp s.level 1.level' 'named s.level ns2_gamerules' 'cmp s.level whole.level' \
    'named s.level one' 'exits 0 undo s.level' 'cmp s.level whole.level' 'exits 0 undo s.level' 'cmp s.level 1.level' 'exits 0 undo s.level' 'cmp s.level whole.level' \
    'exits 1 undo s.level' 'exits 0 redo 3 s.level' 'cmp s.level 1.level'
test_that "a new change ends what could be redone" 'cp whole.level r.level' 'named r.level one' 'named r.level two' 'exits 0 undo 2 r.level' 'named r.level three' \
    'exits 1 redo r.level' '[ "$(entries r.level)" = 1 ]' 'exits 0 undo r.level' 'cmp r.level whole.level'
test_that "what changes nothing is no change" 'cp whole.level k.level' 'named k.level one' 'named k.level one' '[ "$(entries k.level)" = 1 ]'
test_that "the list" 'cp whole.level h.level' 'named h.level one' 'named h.level "it'"'"'s"' 'exits 0 undo h.level' 'exits 0 history h.level' \
    'says "^redo  1  20[0-9-]+ [0-9:]+ UTC  set -q -i h.level .objects\[0\].class_name=it"' 'says "^undo  1  .*=one.$"' '[ "$(wc -l <out)" = 2 ]' \
    'exits 0 history --json h.level' 'says "^\{.redo.:1,.time.:[0-9]+,.command.:.*,.files.:\[.*/h.level.\]\}$"' 'exits 1 history whole.level' 'complains "no history of it"'

# ---- files that are not overwritten ------------------------------------------------------------------
test_that "another program has changed it" 'cp whole.level o.level' 'named o.level one' 'printf x >>o.level' 'cp o.level kept.level' 'exits 5 undo o.level' \
    'complains "another program has changed it"' 'cmp o.level kept.level' 'cp whole.level o.level' 'named o.level two' 'cp o.level 2.level' 'exits 0 undo o.level' 'cmp o.level whole.level' \
    'exits 5 undo o.level' 'cmp o.level whole.level' 'printf x >>o.level' 'exits 5 redo o.level' 'cp whole.level o.level' 'exits 0 redo o.level' 'cmp o.level 2.level'
test_that "a file that is no longer there" 'cp whole.level g.level' 'named g.level one' 'mv g.level moved.level' 'exits 5 undo g.level' '[ ! -e g.level ]' \
    'exits 1 undo moved.level' 'complains "nothing to undo"' 'mv moved.level g.level' 'exits 0 undo g.level' 'cmp g.level whole.level'
damaged() { # the newest entry of d.level, with byte N changed, is not applied
    cp "$state/$newest" entry
    printf '\377' | dd of="$state/$newest" bs=1 seek="$1" conv=notrunc 2>/dev/null
    cmp -s entry "$state/$newest" && return 0
    exits 4 undo d.level && complains "history/$newest: this entry of the history is damaged" && cmp d.level 1.level && cp entry "$state/$newest"
}
test_that "a damaged entry is not applied" 'cp whole.level d.level' 'named d.level one' 'cp d.level 1.level' 'newest=$(tail -n 1 "$state/log" | cut -d " " -f 1)' \
    'size=$(wc -c <"$state/$newest")' 'for at in 0 18 19 20 30 60 $((size - 33)) $((size - 32)) $((size - 1)); do damaged $at || return 1; done' \
    'cp "$state/$newest" entry' 'head -c 40 entry >"$state/$newest"' 'exits 4 undo d.level' 'exits 4 history d.level' ': >"$state/$newest"' 'exits 4 undo d.level' 'cat entry entry >"$state/$newest"' 'exits 4 undo d.level' \
    'rm "$state/$newest"' 'exits 4 undo d.level' 'complains "$newest"' 'cmp d.level 1.level' 'cp entry "$state/$newest"' 'exits 0 undo d.level' 'cmp d.level whole.level'
test_that "an entry of another number is not applied" 'cp whole.level d.level' 'named d.level one' 'first=$(tail -n 1 "$state/log" | cut -d " " -f 1)' 'named d.level two' \
    'cp d.level 2.level' 'newest=$(tail -n 1 "$state/log" | cut -d " " -f 1)' 'cp "$state/$first" "$state/$newest"' 'exits 4 undo d.level' 'cmp d.level 2.level'
test_that "a damaged log" 'rm -r "$state"' 'cp whole.level l.level' 'named l.level one' 'named l.level two' 'sed "s/^1 . /1 ? /" "$state/log" >log.txt' 'cp log.txt "$state/log"' \
    'exits 0 undo l.level' 'complains "warning: .*history/log:2: this line is damaged"' '[ ! -e "$state/1" ]' 'exits 1 undo l.level' 'echo nonsense >"$state/log"' \
    'exits 0 set -i l.level "objects[0].class_name=three"' 'complains "is damaged: a new history is begun"' '[ "$(entries l.level)" = 1 ]' 'exits 0 undo l.level'

# ---- the place and contents of the history -----------------------------------------------------------
mode_of() { ls -ld "$1" | cut -c 1-10; }
test_that "nobody else can read it" '[ "$(mode_of "$state")" = drwx------ ]' '[ "$(mode_of "$XDG_STATE_HOME/mapstone")" = drwx------ ]' \
    'for file in "$state"/*; do [ "$(mode_of "$file")" = -rw------- ] || return 1; done' 'chmod 755 "$state"' 'cp whole.level p.level' \
    'exits 0 set -i p.level "objects[0].class_name=x"' 'complains "warning: .*history/ is not used: .* only you can read"' 'exits 1 undo p.level' 'chmod 700 "$state"' 'exits 1 undo p.level' 'complains "nothing to undo"'
test_that "nothing is kept on request, or without a home" 'cp whole.level q.level' 'exits 0 set -i --no-history q.level "objects[0].class_name=x"' 'exits 1 undo q.level' \
    '(unset XDG_STATE_HOME HOME; exits 0 set -i q.level "objects[0].class_name=y" && ! grep -q history err && exits 1 undo q.level && complains "set XDG_STATE_HOME or HOME")' \
    '(XDG_STATE_HOME=relative; unset HOME; exits 0 set -i q.level "objects[0].class_name=z") && [ ! -e relative ]' \
    'mkdir home && (unset XDG_STATE_HOME; HOME=$work/home; export HOME; named q.level one; [ -s home/.local/state/mapstone/history/log ])' '[ "$(mode_of home/.local)" = drwx------ ]'
full() { # 55 changes
    for i in 1 2 3 4 5 6 7 8 9 10 11; do
        for k in 1 2 3 4 5; do "$mapstone" set -q -i f.level "objects[0].properties.origin[0]=$i.$k" || return 1; done
    done
}
test_that "the last fifty of a file" 'rm -r "$state"' 'cp whole.level f.level' 'cp whole.level e.level' 'named e.level one' 'full' '[ "$(entries f.level)" = 50 ]' '[ "$(entries e.level)" = 1 ]' \
    '[ "$(ls "$state" | grep -c "^[0-9]")" = 51 ]' 'exits 0 undo 50 f.level' 'exits 0 get f.level "objects[0].properties.origin[0]"' 'says "^1.5$"' 'exits 0 undo e.level'
test_that "the oldest are dropped beyond 64 MiB" 'rm -r "$state"' 'cp whole.level e.level' 'named e.level one' 'named e.level two' 'sed "s/^1 + [0-9]* /1 + 67108800 /" "$state/log" >log.txt' \
    'cp log.txt "$state/log"' '[ "$(entries e.level)" = 2 ]' 'named e.level three' '[ "$(entries e.level)" = 2 ]' '[ ! -e "$state/1" ]' 'exits 0 undo 2 e.level' 'exits 0 get e.level "objects[0].class_name"' 'says "^one$"'
test_that "a link is the file that it leads to" 'cp whole.level t.level' 'ln -s t.level link.level' 'named link.level one' '[ -L link.level ]' '[ "$(entries t.level)" = 1 ]' \
    'exits 0 undo set/../t.level' 'cmp t.level whole.level' 'exits 0 redo link.level' '[ -L link.level ]' 'exits 0 undo link.level' 'cmp t.level whole.level'
at_once() { # twenty commands, of which none may lose the entry of another
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        cp whole.level "at$i.level"
        "$mapstone" set -q -i "at$i.level" "objects[0].class_name=x" &
    done
    wait
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$mapstone" undo -q "at$i.level" && cmp "at$i.level" whole.level || return 1
    done
}
test_that "commands at the same time" 'at_once'
test_that "what a killed command leaves is overwritten" 'cp whole.level v.level' 'named v.level one' 'echo left >"$state/new"' 'next=$(head -n 1 "$state/log" | cut -d " " -f 4)' 'echo left >"$state/$next"' \
    'named v.level two' '[ ! -e "$state/new" ]' 'exits 0 undo 2 v.level' 'cmp v.level whole.level'

# ---- several files -----------------------------------------------------------------------------------
make_sectors
cp -r game before
mkdir wrong
sed 's/"triangle_count": 0/"triangle_count": 9/' a.json >wrong.json
"$mapstone" convert -q wrong.json -o wrong/a.level
"$mapstone" convert -q wrong.json -o wrong/b.level
cp whole.level wrong/c.level
test_that "one command for several files is one change" 'cp -r wrong stale' 'exits 0 fix -i wrong' 'cp -r wrong fixed' \
    '! cmp -s stale/a.level wrong/a.level' '! cmp -s stale/b.level wrong/b.level' 'exits 0 history wrong' 'says "^undo  1 .* fix -i wrong \(2 files\)$"' \
    'exits 0 undo wrong/b.level' 'diff -r wrong stale' 'exits 0 redo wrong' 'diff -r wrong fixed' 'exits 0 undo wrong' 'diff -r wrong stale' 'exits 0 redo wrong/a.level' 'diff -r wrong fixed' \
    'printf x >>wrong/b.level' 'cp -r wrong kept' 'exits 5 undo wrong/a.level' 'complains "b.level has changed since .fix -i wrong."' 'diff -r wrong kept'
test_that "a directory that is patched" 'rm -rf one two' 'cp -r before one' 'cp -r before two' 'rm two/map/9_1_1.DAT' 'sector two/map/7_5_5.DAT 5 5 item' 'exits 0 set -q -i two/map/7_3_4.DAT "objects[1].flags=3"' \
    'exits 1 diff --with-data one two -o set.mspatch' 'exits 0 patch -i one set.mspatch' 'diff -r one two' 'exits 0 undo one' 'diff -r one before' 'exits 0 redo one' 'diff -r one two' \
    'exits 0 undo one/map/7_5_5.DAT' 'diff -r one before' 'rm -r one/map' 'exits 5 redo one' '[ ! -e one/map ]'
test_that "a patch that fails is not remembered" 'rm -rf one' 'cp -r two one' 'exits 5 patch -i one set.mspatch' 'diff -r one two' 'exits 1 undo one/map/7_3_4.DAT'
test_that "a merge into ours" 'cp whole.level base.level' 'cp whole.level ours.level' 'cp whole.level theirs.level' 'named theirs.level theirs' '"$mapstone" set -q -i ours.level "objects[2].class_name=ours"' \
    'cp ours.level kept.level' 'exits 0 merge base.level ours.level theirs.level -o ours.level' '! cmp -s ours.level kept.level' 'exits 0 undo ours.level' 'complains "undone: merge base.level"' 'cmp ours.level kept.level' \
    'exits 0 merge base.level ours.level theirs.level -o ours.level --as-path maps/a.level' 'exits 5 undo ours.level' 'rm -rf d1 d2 d3' 'mkdir d1 d2 d3' 'cp base.level d1/a.level' 'cp kept.level d2/a.level' 'cp theirs.level d3/a.level' \
    'exits 0 merge d1 d2 d3 -o d2' 'cmp d2/a.level ours.level' 'exits 0 undo d2' 'cmp d2/a.level kept.level'
if reads_archives && command -v zip >/dev/null; then
    test_that "a member of an archive" 'mkdir -p packed/maps' 'cp whole.level packed/maps/a.level' '(cd packed && zip -q -r ../mod.zip maps)' 'cp mod.zip kept.zip' \
        'exits 0 set -i "mod.zip!maps/a.level" "objects[0].class_name=x"' '! cmp -s mod.zip kept.zip' 'exits 0 undo "mod.zip!maps/a.level"' 'cmp mod.zip kept.zip' 'exits 0 redo mod.zip' 'exits 0 undo mod.zip' 'cmp mod.zip kept.zip'
fi
finish
