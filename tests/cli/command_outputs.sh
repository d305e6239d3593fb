#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: -o, pipes, terminals and files that cannot be written.
# tests/cli/command_outputs.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

make_twice
make_hostile

# ---- -o, in every command that writes data -----------------------------------------------------------
for one in "identify a.level" "info --json a.level" "tree a.level" "get -r a.level version" "check twice.level" "dump a.level" \
    "table --csv a.level" "roundtrip a.level" "spec ns2-level"; do
    test_that "${one%% *} -o FILE" "exits 0 $one" 'cp out wanted.txt' "exits 0 $one -o got.txt" '[ ! -s out ]' 'cmp got.txt wanted.txt' \
        "exits 2 $one -o set" 'complains "is a directory"' "exits 2 $one -o nowhere/x" 'complains "nowhere/x"' nothing_left 'rm got.txt'
done
test_that "-o is not an input, nor in an archive" 'for one in identify info tree check dump table roundtrip; do exits 2 $one a.level -o ./a.level || return 1; done' \
    'exits 2 get a.level version -o a.level' 'cmp a.level whole.level' 'tar cf probe.tar set' 'exits 2 table a.level -o probe.tar!x'
test_that "-o leaves what was there when the data is not complete" 'echo old >got.txt' 'exits 3 get a.level version nowhere -o got.txt' \
    'exits 2 table a.level nowhere.level -o got.txt' '[ "$(cat got.txt)" = old ]' 'exits 4 check cut.level -o got.txt' 'grep -q NS2-CHUNK-OVERRUN got.txt' \
    'exits 1 check --strict twice.level -o got.txt' 'grep -q DUPLICATE got.txt' 'exits 0 check -q whole.level --ignore "*" -o got.txt' '[ ! -s got.txt ]' nothing_left
test_that "-o has no colours unless they are asked for" 'exits 0 tree --color=always a.level -o got.txt' '! grep -q "$(printf "\033")" got.txt'

# ---- terminal controls -------------------------------------------------------------------------------
# characters that control a terminal: C0 except tab and line ends, DEL, C1, direction marks
obeyed="$(printf '[\001-\010\013\014\016-\037\177]|\302[\200-\237]|\342\200[\216\217\252-\256]|\342\201[\246-\251]|\330\234')"
obeys() { LC_ALL=C grep -qaE -- "$obeyed" "$1"; }
test_that "data goes into pipes as it is" 'exits 0 convert hostile.json -o hostile.level' \
    'exits 0 get hostile.level "objects[0].class_name"' 'obeys out' 'exits 0 table --csv -C class_name hostile.level' 'obeys out'
test_that "JSON, outlines and messages hold nothing that a terminal obeys" 'exits 0 dump hostile.level' '! obeys out' \
    'grep -qF "\\u001b]0;owned\\u0007\\u0085\\u202e\\u200f\\u2066\\u007f\\u061cx" out' 'exits 0 table hostile.level' '! obeys out' \
    'exits 0 info hostile.level' '! obeys out' 'exits 0 info --json hostile.level' '! obeys out' 'exits 0 tree hostile.level' '! obeys out' \
    'exits 0 check -I hostile.level' '! obeys out' 'exits 0 convert -t gltf hostile.level' '! obeys out' 'exits 0 roundtrip --json-too hostile.level'

# ---- files, pipes, terminals -----------------------------------------------------------------------
test_that "a failed output leaves what was there" 'echo old >kept.glb' '! "$mapstone" convert cut.level -o kept.glb 2>err' \
    '[ "$(cat kept.glb)" = old ]'
test_that "no temporary files are left" nothing_left
test_that "a symbolic link stays one" 'echo {} >real.json' 'ln -sf real.json link.json' 'exits 0 dump a.level -o link.json' \
    '[ -L link.json ]' 'grep -q ns2-level real.json'
test_that "a directory as output of one file" 'exits 2 dump a.level -o set' 'complains "is a directory"'
test_that "a directory that is not there" 'exits 2 dump a.level -o nowhere/x.json'
test_that "a symbolic link to nothing leads to a new file" 'rm -f new.json' 'ln -sf new.json link.json' \
    'exits 0 dump a.level -o link.json' '[ -L link.json ]' '[ -s new.json ]' nothing_left

if [ -w /dev/full ]; then
    test_that "a full disk is named by set" 'exits 2 set a.level --force objects[0].group=1 -o /dev/full' 'complains "No space left"'
    test_that "a full disk is an error" '! "$mapstone" dump a.level >/dev/full 2>err' 'complains "No space left"' '[ "$(wc -l <err)" -eq 1 ]'
fi
test_that "a reader that goes away is not news" '{ "$mapstone" dump a.level 2>err; echo $? >code; } | head -c 1 >/dev/null' '[ ! -s err ]'
test_that "colours only where they are asked for" 'exits 4 check cut.level' '! grep -q "$(printf "\033")" out' \
    'exits 4 check --color=always cut.level' 'grep -q "$(printf "\033")" out'
test_that "progress as JSON" 'exits 0 roundtrip -q --progress=json set' 'complains "^\{\"done\":4,\"total\":4,.*\"files_per_second\":[0-9.]+,\"seconds_left\":0\}$"' \
    '[ "$(wc -l <err)" -le 4 ]'
test_that "an unreadable directory fails the batch" '[ "$(id -u)" -eq 0 ] || { mkdir -p closed && chmod 0 closed; exits 2 roundtrip closed a.level; }'
terminal() { script -qec "$1" /dev/null </dev/null >out 2>&1; }
# a bare chroot has no /dev/pts, and some machines have no `script`
if ! command -v script >/dev/null; then
    no_terminal="script (of bsdutils) is not installed"
elif ! terminal true; then
    no_terminal="no pseudo-terminal can be opened: is /dev/pts mounted?"
else
    no_terminal=
fi
if [ -n "$no_terminal" ]; then
    skip "a terminal gets nothing from files that it obeys" "$no_terminal"
    skip "binary does not go to a terminal" "$no_terminal"
    skip "NO_COLOR" "$no_terminal"
else
    test_that "a terminal gets nothing from files that it obeys" \
        'terminal "\"$mapstone\" get hostile.level \"objects[0].class_name\""' '! obeys out' \
        'grep -qF "\\x1b]0;owned\\x07\\u0085\\u202e\\u200f\\u2066\\x7f\\u061cx" out' \
        'terminal "\"$mapstone\" table --csv --color=never -C class_name hostile.level"' '! obeys out' 'grep -qF "\\x1b]0;owned" out' \
        'terminal "\"$mapstone\" dump hostile.level"' '! obeys out'
    test_that "binary does not go to a terminal" '! terminal "\"$mapstone\" convert a.level -t glb"' 'says "is binary"'
    test_that "NO_COLOR" 'terminal "\"$mapstone\" tree a.level" || true' 'grep -q "$(printf "\033")" out' \
        'terminal "NO_COLOR=1 \"$mapstone\" tree a.level" || true' '! grep -q "$(printf "\033")" out'
fi

# A level whose end is truncated while its JSON, more than a pipe holds, waits to be read: shrinks CODE
# OPTION...
shrinks() {
    wanted=$1
    shift
    { cat a.level; head -c 4000000 /dev/zero; } >shrinking.level
    rm -f pipe
    mkfifo pipe || return 1
    "$mapstone" dump "$@" shrinking.level >pipe 2>err &
    reader=$!
    exec 3<pipe
    head -c 1 <&3 >/dev/null
    : >shrinking.level
    cat <&3 >/dev/null
    exec 3<&-
    code=0
    wait "$reader" || code=$?
    [ "$code" = "$wanted" ] || { echo "exit code $code, not $wanted"; cat err; return 1; }
}
case $(uname) in
Linux) test_that "a file that is truncated while it is read" 'shrinks 2' 'complains "^error: the file was truncated while it was read$"' \
    'shrinks 0 --no-mmap' '[ ! -s err ]' ;;
esac

finish
