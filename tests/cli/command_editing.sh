#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: set, edit, fix, patch and diff.
# tests/cli/command_editing.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# ---- set -------------------------------------------------------------------------------------------
test_that "set changes four bytes" 'exits 0 set a.level "objects[0].properties[name=origin].value[0]=12.34" -o b.level' \
    'complains "^b\.level: 4 bytes changed"' '[ ! -s out ]' '[ "$(cmp -l a.level b.level | wc -l)" -eq 4 ]'
test_that "the = in brackets is not the assignment" 'exits 0 set a.level --each "objects[class_name=location].class_name=place" -o b.level' \
    'exits 0 get b.level "objects[1].class_name"' 'says "^place$"' 'exits 0 roundtrip b.level'
test_that "what stands for several is changed on request" 'exits 2 set a.level "objects[class_name=location].class_name=place" -o b.level' \
    'complains "matches 2 values" "objects\[1\].class_name, objects\[2\].class_name"' \
    'exits 0 set a.level --each --remove "objects[class_name=location]" -o b.level' 'exits 0 get b.level "objects[*].class_name"' \
    '! grep -q location out'
test_that "blanks around the assignment" 'exits 0 set a.level "objects[0].class_name = my place" -o b.level' \
    'exits 0 get b.level "objects[0].class_name"' 'says "^my place$"' 'exits 0 set a.level "objects[0].class_name= place" -o b.level' \
    'exits 0 get b.level "objects[0].class_name"' 'says "^ place$"' 'exits 2 set a.level " = place" -o b.level' 'complains "PATH=VALUE"'
test_that "the last element" 'exits 0 set a.level "objects[-1].class_name=5" -o b.level' 'exits 0 get b.level "objects[-1].class_name"' \
    'says "^5$"' 'exits 0 tree b.level "objects[-1]"' 'exits 3 get a.level "objects[-9999]"' 'complains "to -1"'
test_that "one value, and no more" 'rm -f n.level' 'exits 2 set a.level "objects[0].class_name=\"a\",\"group\":1" -o n.level' 'complains "one JSON value"' \
    '[ ! -e n.level ]'
test_that "set to stdout, get from stdin" '"$mapstone" set -q a.level "objects[0].class_name=x" -o - | "$mapstone" get - "objects[0].class_name" >out' \
    'says "^x$"'
test_that "a file of no known format is said once" 'head -c 40 /dev/zero >zeros.bin' 'exits 1 set zeros.bin a=1 -o b.bin' \
    'complains "no known format"' '[ "$(wc -l <err)" = 1 ]' '[ ! -e b.bin ]'
test_that "set needs -o or -i" 'exits 2 set a.level version=10' 'complains "-o FILE"' 'cmp a.level whole.level'
test_that "-o is not the input" 'exits 2 set a.level "objects[0].class_name=x" -o ./a.level' 'cmp a.level whole.level'
size_of_level=$(wc -c <a.level)
limited() { # SIZE CODE: the level through a pipe
    cat a.level | "$mapstone" check --input-limit "$1" - >out 2>err
    [ $? -eq "$2" ] || { cat out err; return 1; }
}
test_that "what has no end is read to a limit" 'limited $size_of_level 0' 'limited 8192 0' 'limited 1G 0' 'limited $((size_of_level - 1)) 2' \
    'complains "it has more than $((size_of_level - 1)) bytes; --input-limit allows more"' 'limited 1 2' 'exits 0 check --input-limit 1 a.level' \
    '{ cat a.level && yes; } | "$mapstone" identify --input-limit 64K - 2>err >out; [ $? -eq 2 ]' 'complains "more than 65536 bytes"' \
    'exits 2 check --input-limit 1M --schema /dev/zero a.level' 'complains "/dev/zero: it has more than 1048576 bytes"' \
    'exits 2 check --input-limit 1X a.level' 'complains "is not a size"' \
    'mkfifo pipe && { cat a.level >pipe & } && exits 2 dump --input-limit 10 pipe; rm pipe; wait'
test_that "stdin cannot be changed in place" 'exits 2 set -i - version=10'

# ---- edit ------------------------------------------------------------------------------------------
test_that "operations of arguments and scripts" \
    'printf "# names\n\nobjects[0].class_name = one\nduplicate objects[0]\n" >plan' \
    'exits 0 edit a.level -s plan -e "objects[1].class_name += -two" -e "move objects[1] to 0" -o b.level' \
    'exits 0 get b.level "objects[0].class_name" "objects[1].class_name"' 'says "^one-two$"' 'says "^one$"'
test_that "values from other values" \
    'exits 0 edit a.level --each -e "objects[*].class_name := \"old_\" + class_name + \"_\" + index" -e "objects[*].properties.origin[1] := round(origin[0] * 2 + 0.1, 0.25)" -o b.level' \
    'exits 0 get b.level "objects[*].class_name"' '[ "$(cat out)" = "old_ns2_gamerules_0
old_location_1
old_location_2" ]' 'exits 0 get b.level "objects[0].properties.origin"' 'says "^\[1.5, 3, -3.5\]$"' \
    'exits 0 set a.level "objects[1].class_name:=\"at \" + properties.origin[2]" -o b.level' 'exits 0 get b.level "objects[1].class_name"' 'says "^at 6$"' \
    'exits 0 set a.level "objects[1].class_name=a + 1" -o b.level' 'exits 0 get b.level "objects[1].class_name"' 'says "^a . 1$"'
test_that "values of before, in scripts, too" 'cp a.level c.level' \
    'printf "objects[0].properties.origin[0] = 7\nobjects[*].class_name := \"old_\" + objects[0].class_name + objects[0].properties.origin[0]\n" >plan' \
    'exits 0 edit -i c.level --each -s plan' 'exits 0 get c.level "objects[*].class_name"' '[ "$(sort -u out)" = old_ns2_gamerules7 ]' \
    'exits 0 edit -i c.level -e "{\"op\":\"set\",\"path\":\"objects[2].class_name\",\"by\":\":=\",\"new\":\"\\\"x\\\" + index\"}"' \
    'exits 0 get c.level "objects[2].class_name"' 'says "^x2$"'
test_that "what cannot be calculated refuses the whole edit" 'rm -f n.level' \
    'exits 2 edit a.level --each -e "objects[0].class_name = x" -e "objects[*].properties.origin[1] := 1 / (index - 1)" -o n.level' \
    'complains "objects\[1\].properties.origin\[1\]: division by 0 at column 3 of the expression"' \
    'exits 3 edit a.level --each -e "objects[*].class_name := class_nam" -o n.level' 'complains "objects\[0\].class_name: .*did you mean .class_name.* at column 1 of the expression"' \
    'exits 2 edit a.level -e "objects[0].group := 0.5" -o n.level' 'complains "objects\[0\].group: the field holds integers"' \
    'exits 2 edit a.level -e "objects[0].class_name := index" -o n.level' 'complains "the field holds text"' \
    'exits 2 edit a.level -e "objects[0].class_name := \"a" -o n.level' 'complains "the text is not closed at column 1"' '[ ! -e n.level ]' 'cmp a.level whole.level'
test_that "conditions with values from other values" \
    'exits 0 get a.level "objects[properties.origin[1] = (properties.origin[0] + 1)].class_name"' '[ "$(cat out)" = "ns2_gamerules
location" ]' \
    'exits 0 table a.level --where "properties.origin[2] > (properties.origin[1] * 1)" --columns path' 'says "^{\"path\":\"objects\[1\]\"}$"' \
    'exits 2 get a.level "objects[properties.origin[2] > (index)].class_name"' 'complains "index is not known here, at column 2"'
test_that "a dry run writes nothing" 'exits 0 edit a.level --dry-run -e "objects[0].class_name = one" -e "remove objects[0]"' \
    'says "^- objects\[0\] "' 'cmp a.level whole.level' \
    'exits 0 edit -i a.level --dry-run -e "objects[0].class_name = one"' 'cmp a.level whole.level'
test_that "an edit can be taken back" 'cp a.level u.level' 'exits 0 edit -i u.level --undo u.mspatch -e "duplicate objects[1]" -e "remove objects[0]"' \
    '! cmp -s u.level a.level' 'cp u.level done.level' 'exits 0 patch -i --reverse u.level u.mspatch' 'cmp u.level a.level' \
    'exits 0 patch -i u.level u.mspatch' 'cmp u.level done.level' 'exits 0 set u.level "objects[0].class_name=x" --undo v.mspatch -o v.level' \
    'exits 0 patch -R v.level v.mspatch -o w.level' 'cmp w.level u.level'
test_that "what takes an edit back is a file of its own" 'exits 2 edit -i u.level --undo u.level -e "remove objects[0]"' 'complains "u\.level is the level"' \
    'exits 2 edit u.level --undo v.level -o v.level -e "remove objects[0]"' 'exits 2 edit -i u.level --undo - -e "remove objects[0]"' \
    'exits 2 edit -i u.level --undo nowhere/u.mspatch -e "remove objects[0]"' 'cmp u.level done.level' \
    'exits 3 edit -i u.level --undo x.mspatch -e "remove objects[99]"' '[ ! -e x.mspatch ]'
test_that "-f is the format, not force" 'exits 2 set a.level -f "objects[0].class_name=x" -o b.level' 'complains "force has no short form"'
test_that "an edit needs operations, and somewhere to go" 'exits 2 edit a.level -o b.level' 'complains "give operations"' \
    'exits 2 edit a.level -e "remove objects[0]"' 'complains "-o FILE"'
test_that "what is no operation" 'exits 2 edit a.level -e "objects[0]" -o b.level' 'complains "PATH=VALUE"' \
    'printf "remove objects[0]\nmove objects[1]\n" >plan' 'exits 2 edit a.level -s plan -o b.level' 'complains "plan: line 2:"' \
    'exits 2 edit a.level -s no-such-plan -o b.level' 'cmp a.level whole.level'
test_that "all operations or none" 'cp a.level c.level' 'exits 3 edit -i c.level -e "remove objects[0]" -e "remove objects[9999]"' \
    'cmp a.level c.level'
test_that "set -i --backup keeps the old file" 'cp a.level i.level' 'exits 0 set -i --backup i.level "objects[0].class_name=y"' 'cmp a.level i.level~' '! cmp -s a.level i.level' \
    'exits 2 set --backup a.level -o i.level version=10' 'mv i.level j.level' \
    'exits 0 edit -i --backup j.level -e "set objects[0].class_name=z"' 'exits 0 get j.level~ "objects[0].class_name"' 'says "^y$"' 'rm i.level~ j.level j.level~'
test_that "fix sets right what only one value can be" 'cp a.level f.level' 'exits 0 set -q --force -i f.level mesh.triangles.triangle_count=9999' \
    'exits 0 fix f.level --dry-run' 'complains "NS2-TRIANGLE-COUNT: mesh.triangles.triangle_count: 9999 -> "' 'complains "1 value would be fixed"' \
    'cp out dry.txt' 'exits 1 diff f.level a.level' 'cmp out dry.txt' '[ -s out ]' \
    'exits 2 fix f.level' 'complains "-o FILE"' 'exits 0 fix f.level --dry-run -i' 'exits 0 fix f.level -o g.level' 'cmp a.level g.level' \
    'exits 0 fix -i f.level --ignore "NS2-*"' 'complains "0 values fixed"' 'exits 2 fix -i f.level --only NO-CODE' \
    'exits 0 fix -i --backup f.level --only NS2-TRIANGLE-COUNT' 'cmp a.level f.level' 'exits 0 get f.level~ mesh.triangles.triangle_count' 'says "^9999$"' \
    'exits 0 fix -q f.level -o g.level' 'cmp a.level g.level' '[ ! -s err ]' 'rm f.level f.level~ g.level'
test_that "codes that are fixed are marked" 'exits 0 check --codes ns2-level' 'says "^NS2-TRIANGLE-COUNT .*; fix sets it to the sum"' \
    'exits 0 check --codes ns2-level --json' 'says "\"fix\":\"sets it to the sum"'
test_that "-i and -o exclude each other" 'exits 2 set -i a.level -o b.level version=10'
test_that "set -i keeps permissions" 'cp a.level i.level' 'chmod 640 i.level' 'exits 0 set -i i.level "objects[0].class_name=y"' \
    '[ "$(stat -c %a i.level)" = 640 ]' 'exits 0 get i.level "objects[0].class_name"' 'says "^y$"'
test_that "insert and remove in the order given" \
    'exits 0 set a.level --force --remove "objects[0]" --insert "objects[0]={\"has_layers\":false,\"group\":1,\"class_name\":\"new\",\"properties\":[],\"extras\":[]}" "objects[1].class_name=second" -o b.level' \
    'exits 0 get b.level "objects[0].class_name" "objects[1].class_name"' '[ "$(cat out)" = "new
second" ]' 'exits 0 roundtrip --json-too b.level'
test_that "other names of a file keep what it was, which is said" 'cp a.level i.level' 'ln i.level linked.level' \
    'exits 0 set -qi i.level "objects[0].class_name=z"' 'complains "warning: i.level had 1 other name .hard links., which still has the old content"' \
    'cmp linked.level a.level' 'exits 0 set -qi i.level "objects[0].class_name=y"' '[ ! -s err ]' 'rm linked.level'
# The second of two concurrent edits does not undo the first: it reports this, and can be repeated.
edit_at_once() {
    for i in 1 2 3 4 5 6 7 8; do
        cp a.level i.level
        "$mapstone" set -qi i.level "objects[0].class_name=first" 2>/dev/null &
        one=$!
        "$mapstone" set -qi i.level "objects[1].class_name=second" 2>err
        other_code=$?
        wait $one
        one_code=$?
        case $one_code$other_code in 00 | 05 | 50) ;; *) return 1 ;; esac
        [ $one_code -ne 0 ] || [ "$("$mapstone" get i.level "objects[0].class_name")" = first ] || return 1
        [ $other_code -ne 0 ] || [ "$("$mapstone" get i.level "objects[1].class_name")" = second ] || return 1
        [ $other_code -eq 0 ] || complains "i.level (was changed|is being written) by another program.* nothing was written" || return 1
    done
}
test_that "of two edits at the same time none is lost" edit_at_once

protected() {
    chmod 711 . && mkdir -p kept && chmod 777 kept && cp a.level kept/i.level && chmod 444 kept/i.level || return 1
    as_nobody "$mapstone" set -i kept/i.level "objects[0].class_name=z" 2>err
    [ $? -eq 2 ] && complains "cannot write kept/i.level: Permission denied" && cmp kept/i.level a.level || return 1
    chmod 666 kept/i.level && as_nobody "$mapstone" set -i kept/i.level "objects[0].class_name=z" 2>err && ! cmp -s kept/i.level a.level && rm -rf kept
}
if as_nobody "$mapstone" --version >/dev/null 2>&1; then
    test_that "write protection is heeded" protected
else
    echo "# skipped: write protection (root needs setpriv for it)"
fi
test_that "all changes or none" 'cp a.level i.level' 'exits 3 set -i i.level "objects[0].class_name=z" nowhere=1' 'cmp i.level a.level'
test_that "what follows from the rest is not set" 'rm -f n.level' 'exits 5 set a.level version=7 -o n.level' 'complains version' '[ ! -e n.level ]'
test_that "a value that does not fit" 'rm -f n.level' '! "$mapstone" set a.level "objects[0].group=word" -o n.level 2>err' '[ ! -e n.level ]'

# ---- diff ------------------------------------------------------------------------------------------
test_that "nothing has changed" 'exits 0 diff a.level a.level' '[ ! -s out ]' 'exits 0 diff --json a.level a.level' '[ ! -s out ]'
test_that "diff --ignore and --select" 'exits 0 set -q a.level "objects[0].properties.origin[0]=9" "objects[1].properties.name=Gone" -o d.level' \
    'exits 1 diff --ignore "objects[*].properties.name" a.level d.level' 'says origin' '! grep -q Gone out' 'exits 1 diff --select name a.level d.level' 'says Gone' '! grep -q origin out' \
    'exits 1 diff --ignore "objects[0]" a.level d.level' 'says Gone' '! grep -q origin out' 'exits 0 diff --ignore objects a.level d.level' '[ ! -s out ]' 'exits 0 diff --json --ignore "objects[*].properties.n*" --ignore origin a.level d.level' '[ ! -s out ]' \
    'exits 1 diff --ignore "objects[class_name=location]" a.level d.level' '! grep -q Gone out' 'exits 1 diff --ignore orgin a.level d.level' 'complains "--ignore orgin: no change is like it"' \
    'exits 2 diff --ignore "objects[" a.level d.level' 'complains "not of the form"' 'exits 2 diff --ignore objects -o d.mspatch a.level d.level' '[ ! -e d.mspatch ]'
test_that "a value has changed" 'exits 0 set -q a.level "objects[0].properties.origin[0]=9" -o d.level' 'exits 1 diff a.level d.level' \
    'says "origin 1.50 2.50 -3.50 -> 9.00 2.50 -3.50$"' 'exits 1 diff -q a.level d.level' '[ ! -s out ]' \
    'exits 1 diff --json a.level d.level' 'says "^..op.:.set.,.at.:..list.:.objects.,.class_name.:"' 'says "sort.:.content"' \
    '"$mapstone" diff --json a.level d.level >plan.jsonl; exits 0 edit a.level -s plan.jsonl -o e.level' 'cmp d.level e.level' 'exits 1 diff --stat a.level d.level' 'says "^objects: 1 changed$"' \
    'exits 1 diff a.level d.level --color always' 'grep -q "$(printf "\\033")" out' 'exits 1 diff --all a.level d.level' 'says "origin"'
test_that "a value is the schema's default" 'exits 0 set -q a.level "objects[0].properties.origin[0]=9" -o d.level' \
    'echo "<editor><classes/></editor>" >setup.xml' 'exits 1 diff -S setup.xml a.level d.level' 'says "origin 1.50 2.50 -3.50 -> 9.00 2.50 -3.50$"' \
    'exits 2 diff -S missing.xml a.level d.level'
cube() { # DIGIT FILE: a probe with a picture of six sides
    printf '{"$format": "ns2-level", "version": 10, %s, "objects": [{"has_layers": false, "group": 4294967295, "class_name": "reflection_probe", "extras": [{"name": "reflection_probe_cubemap", "cubemap": [' "$mesh" >cube.json
    for side in 1 2 3 4 5 6; do
        [ "$side" = 1 ] || printf ', ' >>cube.json
        printf '[%s]' "$(for row in $(seq 64); do [ "$row" = 1 ] || printf ', '; printf '"%s"' "$(printf '%0512d' 0 | tr 0 "$1")"; done)" >>cube.json
    done
    printf ']}], "properties": [{"name": "origin", "type": "distance", "animated": false, "value": [1, 2, 3]}]}]}' >>cube.json
    "$mapstone" convert -q cube.json -o "$2"
}
test_that "a picture in an object is one size" 'cube 1 old.level && cube 2 new.level' 'exits 1 diff old.level new.level' '[ "$(cat out)" = "~ objects[0] reflection_probe: extras[0].cubemap: 98,304 bytes" ]' \
    'exits 1 diff --json old.level new.level' '[ "$(wc -l <out)" = 384 ]' 'exits 1 diff --with-data old.level new.level -o c.mspatch' 'exits 0 patch old.level c.mspatch -o again.level' 'cmp again.level new.level'
test_that "layers by their names" 'exits 0 convert "$here/../../samples/outpost.json" -o o.level' \
    'exits 0 set -q o.level "objects[30].layer_masks[0]=6" -o p.level' 'exits 1 diff o.level p.level' '[ "$(cat out)" = "~ objects[30] prop_static crate_01.model: layer Props -> Lights, Game" ]' \
    'exits 0 get p.level "objects[layer=Lights & class_name=prop_static].class_name"' 'exits 0 set -q o.level "objects[30].layer_masks[0]=0" --force -o p.level' 'exits 1 diff o.level p.level' 'says ": layer Props -> none$"'
test_that "a layer that does not exist stays a number" 'exits 0 set -q o.level --force "objects[30].layer_masks[1]=1" -o p.level' 'exits 1 diff o.level p.level' 'says "layer_masks 1 0 0 0 0 0 0 0 -> 1 1 0 0 0 0 0 0$"'
test_that "how far things have moved" 'exits 0 edit -q o.level --each -e "objects[*].properties.origin[0] := origin[0] + index / 10" -o p.level' 'exits 1 diff o.level p.level' \
    'says "^[*] [0-9]+ objects: origin, moved by up to 4.1 m"'
test_that "another type of the same thing" 'exits 0 convert "$here/../../samples/bunker.json" -o L101LEV.MAP' 'exits 0 set -q L101LEV.MAP "map.monsters[0].type=handler" "map.monsters[0].health=77" -o n.MAP' \
    'exits 1 diff L101LEV.MAP n.MAP' '[ "$(grep -c monsters out)" = 1 ]' 'says "^~ map.monsters\[0\] [a-z_]+: type [a-z_]+ -> handler, health [0-9]+ -> 77$"' 'exits 1 diff --stat L101LEV.MAP n.MAP' 'says "^map.monsters: 1 changed$"' \
    'exits 1 diff -o t.mspatch L101LEV.MAP n.MAP' 'exits 0 patch L101LEV.MAP t.mspatch -o again.MAP' 'cmp again.MAP n.MAP' \
    'exits 0 set -q L101LEV.MAP "map.monsters[0].type=handler" "map.monsters[0].x=3" -o n.MAP' 'exits 1 diff L101LEV.MAP n.MAP' 'says "^- map.monsters"' 'says "^[+] map.monsters"'
test_that "another version is one line" 'exits 0 convert -q a.level --to-version 7 -o seven.level; exits 1 diff seven.level a.level' 'says "^~ version 7 -> 10, which adds .*extras"' '! grep -q "[+] extras" out' \
    'exits 1 diff a.level seven.level' 'says "^~ version 10 -> 7, which drops .*extras"' 'exits 1 diff --all seven.level a.level' 'says "[+] extras"' 'says "^~ version 7 -> 10$"' \
    'exits 1 diff -o v.mspatch seven.level a.level' 'exits 0 patch seven.level v.mspatch -o again.level' 'cmp again.level a.level'
test_that "an object is gone" 'exits 0 set -q a.level --remove "objects[0]" -o d.level' 'exits 1 diff a.level d.level' 'says "^- objects.0. "' \
    'exits 1 diff d.level a.level' 'says "^[+] objects.0. "' \
    '"$mapstone" diff --json d.level a.level >plan.jsonl; exits 0 edit d.level -s plan.jsonl -o e.level' 'cmp a.level e.level' \
    '"$mapstone" diff --json a.level d.level >plan.jsonl; exits 0 edit a.level -s plan.jsonl -o e.level' 'cmp d.level e.level' \
    'exits 0 set -q a.level --remove "objects[1].properties[1]" -o f.level' '"$mapstone" diff --json f.level a.level >plan.jsonl || :' \
    'exits 0 edit f.level -s plan.jsonl -o e.level' 'cmp a.level e.level' '"$mapstone" diff --json a.level f.level >plan.jsonl || :' \
    'exits 0 edit a.level -s plan.jsonl -o e.level' 'cmp f.level e.level'
test_that "a patch says how much of it is bytes" 'exits 1 diff --stat a.level d.level -o d.mspatch' 'complains "^[0-9]+ operations in [0-9]+ bytes, 0.0 % of them in raw operations$"' \
    'exits 0 patch -q --exact a.level d.mspatch -o e.level' 'cmp d.level e.level' 'exits 5 patch -q --exact d.level d.mspatch -o e.level' 'complains "the patch was made from another file"' \
    'exits 0 patch -q --fuzz a.level d.mspatch -o e.level' 'exits 2 patch --fuzz --exact a.level d.mspatch -o e.level' 'complains "no effect"'
test_that "changes are drawn" 'exits 1 diff --png d.png a.level d.level' 'says "origin|^- objects"' '[ "$(head -c 4 d.png | tail -c 3)" = PNG ]' \
    'exits 0 diff --png e.png a.level a.level' '[ -s e.png ]' 'exits 2 diff --png nowhere/e.png a.level d.level' 'exits 2 diff --png e.png . .' 'complains "one by one"'
test_that "diff takes two" 'exits 2 diff a.level' 'complains "OLD and NEW"' 'exits 2 diff a.level d.level a.level' 'exits 2 diff a.level no.level' \
    'exits 2 diff --stat --json a.level d.level' 'complains "no effect"'
test_that "directories are compared by name and content" 'mkdir -p old new/sub' 'cp a.level old/one.level' 'cp d.level new/one.level' 'cp a.level old/two.level' \
    'cp a.level new/sub/three.level' 'echo text >old/readme' 'exits 1 diff old new' 'says "^one.level:$"' 'says "^  - objects.0. "' \
    'says "^~ two.level is now sub/three.level$"' 'complains "2 files: 0 same, 1 differ, 0 only in the old, 0 only in the new, 1 renamed"' \
    'cp d.level old/four.level' 'exits 1 diff old new' 'says "^- four.level$"' 'exits 1 diff new old' 'says "^[+] four.level$"' 'exits 1 diff --json new old' \
    'says "\"op\":\"add-file\""' 'exits 0 diff old old' 'exits 1 diff -q old new' '[ ! -s err ]' 'exits 2 diff old a.level' 'complains "a file is compared with a file"'

if python3 -c 'import jsonschema' 2>/dev/null; then
    mkdir -p patches && cp ./*.mspatch patches
    test_that "all of these patches are as the schema says" 'python3 "$here/../references/patches.py" "$mapstone" --in patches'
fi

finish
