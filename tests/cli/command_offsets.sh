#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: offsets in place of paths, and lists of them.
# tests/cli/command_offsets.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"
"$mapstone" convert -q "$here/../../samples/bunker.json" -o L900LEV.MAP || exit 2
# The offset of the first value at a path, and its byte, by tree and od.
place() {
    "$mapstone" tree --all --offsets L900LEV.MAP | awk -v name="$1:" '$3 == name { print $1; exit }'
}
byte() { # FILE OFFSET
    od -An -v -tx1 -j "$(($2))" -N 1 "$1" | tr -d ' '
}
flag=$(place draw_flags)
decimal=$((flag))
there=$(byte L900LEV.MAP "$flag")
# The same bytes by plain writing.
cp L900LEV.MAP plain.MAP
printf '\001' | dd of=plain.MAP bs=1 seek="$decimal" conv=notrunc 2>/dev/null

# ---- a value by its offset ---------------------------------------------------------------------------
test_that "get @OFFSET" "exits 0 get L900LEV.MAP @$flag" 'says "^map\.quads\[0\]\.draw_flags: [0-9]+$"' 'cp out first' "exits 0 get L900LEV.MAP @$decimal" 'cmp out first' \
    "exits 0 get --json L900LEV.MAP @$flag" "says '\"path\":\"map.quads.0..draw_flags\".*\"offset\":$decimal,\"length\":1,\"value\":'" "exits 0 get --raw L900LEV.MAP @$flag" '[ "$(wc -c <out)" -eq 1 ]' \
    'exits 3 get L900LEV.MAP @0xffffffff' 'complains "the file ends before that offset \(expected less than 0x"' 'exits 2 get L900LEV.MAP @here' 'complains "this is not an offset"' \
    'exits 2 get L900LEV.MAP @' 'exits 2 get L900LEV.MAP @0x' 'exits 2 get L900LEV.MAP @0x10g' 'exits 2 get L900LEV.MAP @0xfffffffffffffffff' 'exits 2 get L900LEV.MAP @99999999999999999999' \
    'exits 3 get L900LEV.MAP @2:0' 'complains "there is no second file"' 'exits 3 get L900LEV.MAP @0x10+2' 'complains "nothing is packed at that offset"'
packed() {
    "$mapstone" convert -q "$here/../../samples/islet/capeclaw.romlist.zlb.json" -o list.zlb 2>/dev/null ||
        { "$mapstone" dump -q "$corpus/sfa/mini/animtest.romlist.zlb" >list.json && "$mapstone" convert -q list.json -o animtest.romlist.zlb && mv animtest.romlist.zlb list.zlb; } || return 1
    "$mapstone" tree --offsets --from sfa-romlist list.zlb >tree.txt || return 1
    where=$(awk '$3 == "type:" { print $1; exit }' tree.txt)
    exits 0 get --from sfa-romlist list.zlb "@$where" && says '^objects\[0\]\.type: '
}
[ ! -e "$corpus/sfa/mini" ] || test_that "get @OFFSET in packed data" packed
test_that "tree --at" "exits 0 tree --offsets --at $flag L900LEV.MAP" 'says "map\.quads\[0\]"' "says '^$flag +1 +draw_flags:'" '! grep -q "quads\[1\]" out' 'exits 0 tree --at 0 L900LEV.MAP' 'says "magic:"' \
    'exits 3 tree --at 0xffffffff L900LEV.MAP' 'exits 2 tree --at x L900LEV.MAP' "exits 2 tree --at $flag L900LEV.MAP map"
test_that "set by offset" "exits 0 set -q L900LEV.MAP @$flag=1 -o a.MAP" 'cmp a.MAP plain.MAP' "exits 0 edit -q L900LEV.MAP -e '@$flag = 1' -o b.MAP" 'cmp b.MAP plain.MAP' \
    'exits 3 set L900LEV.MAP @0xffffffff=1 -o c.MAP' '[ ! -e c.MAP ]' "exits 2 set L900LEV.MAP @0x1=1 -o c.MAP" 'complains "that byte is within .* where it begins"' \
    "exits 5 edit L900LEV.MAP -e 'remove map.monsters[0]' -e '@$flag = 1' -o c.MAP" 'complains "put those with offsets first"' '[ ! -e c.MAP ]'

# ---- lists -------------------------------------------------------------------------------------------
list() { # what follows the offset
    printf '[{"offset": %s, %s}]' "$1" "$2" >list.json
}
list "$decimal" "\"old\": \"$there\", \"new\": \"01\""
test_that "patch --offsets" 'exits 0 patch -q L900LEV.MAP --offsets list.json -o a.MAP' 'cmp a.MAP plain.MAP' 'exits 0 patch -q --offsets list.json L900LEV.MAP -o b.MAP' 'cmp b.MAP plain.MAP' \
    'exits 0 patch -q L900LEV.MAP list.json -o c.MAP' 'cmp c.MAP plain.MAP' 'exits 0 patch -q --reverse plain.MAP --offsets list.json -o d.MAP' 'cmp d.MAP L900LEV.MAP' \
    'rm a.MAP; exits 0 patch -q --check L900LEV.MAP --offsets list.json' '[ ! -e a.MAP ]' 'exits 2 patch L900LEV.MAP list.json --offsets list.json -o a.MAP'
test_that "patch --offsets: other bytes are there" 'exits 5 patch plain.MAP --offsets list.json -o e.MAP' "says '^! @0x.*: has changed'" "complains 'map.quads.0..draw_flags .expected $there, found 01.'" '[ ! -e e.MAP ]' \
    'exits 1 patch plain.MAP --offsets list.json --partial -o e.MAP' 'cmp e.MAP plain.MAP'
test_that "diff --offsets" 'exits 1 diff --offsets L900LEV.MAP plain.MAP -o made.json' "grep -q '{\"offset\":$decimal,\"old\":\"$there\",\"new\":\"01\"}' made.json" '[ "$(wc -l <made.json)" -eq 3 ]' \
    'exits 0 patch -q L900LEV.MAP --offsets made.json -o f.MAP' 'cmp f.MAP plain.MAP' 'exits 0 diff --offsets L900LEV.MAP L900LEV.MAP' 'says "^\[\]$"' \
    'exits 0 edit -q L900LEV.MAP -e "remove map.monsters[0]" -o g.MAP' 'exits 5 diff --offsets L900LEV.MAP g.MAP' 'complains "different sizes"' 'exits 2 diff --offsets set set'
refused() { # CODE MESSAGE LIST
    printf '%s' "$3" >bad.json
    rm -f h.MAP
    exits "$1" patch L900LEV.MAP --offsets bad.json -o h.MAP && complains "$2" && [ ! -e h.MAP ]
}
test_that "patch --offsets: lists that are none" 'refused 2 "unknown member" "[{\"offset\": 1, \"olld\": \"00\", \"new\": \"00\"}]"' 'refused 2 "unknown member" "[{\"offset\": -1, \"new\": \"00\"}]"' \
    'refused 2 "unknown member" "[{\"offset\": 1, \"new\": \"0\"}]"' 'refused 2 "hexadecimal" "[{\"offset\": 1, \"new\": \"0g\"}]"' 'refused 2 "needs .offset. and" "[{\"offset\": 1}]"' \
    'refused 2 "not an entry" "[1]"' 'refused 2 "different (lengths|sizes)" "[{\"offset\": 1, \"old\": \"00\", \"new\": \"0000\"}]"' 'refused 5 "the file ends" "[{\"offset\": \"0xffffffff\", \"new\": \"00\"}]"' \
    'refused 4 "incomplete" "[{\"offset\": 1, \"new\": \"00\"}"' 'refused 5 "the file cannot be opened" "[{\"offset\": 0, \"new\": \"00\"}]"'
test_that "patch --offsets: without old, new errors are refused" "place vertices >at; list \"\$((\$(cat at)))\" '\"new\": \"ffff\"'" 'exits 5 patch L900LEV.MAP --offsets list.json -o i.MAP' '[ ! -e i.MAP ]' \
    'exits 0 patch -q --force L900LEV.MAP --offsets list.json -o i.MAP' '! cmp -s i.MAP L900LEV.MAP'
finish
