#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: files that are large when unpacked or read, and the lists of all formats.
# tests/cli/command_limits.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

if reads_archives; then
    make_sectors
    tar cf game.tar -C game map
    mkdir -p zeros
    { cat a.level; head -c 17825792 /dev/zero; } >zeros/a.level
    head -c 90000000 /dev/zero >zeros/b
    test_that "a member that unpacks to far more than levels do" 'tar czf zeros.tgz -C zeros a.level' 'exits 2 check zeros.tgz' \
        'complains "a\.level unpacks to more than [0-9]+ bytes, and to more than 200 times"' 'says "^1 file: 0 ok, .*, 1 failed, 0 skipped"' 'exits 2 identify zeros.tgz' \
        'exits 0 identify --member-limit 32M zeros.tgz' 'says "a\.level: ns2-level version"' 'exits 2 identify --member-limit 16M zeros.tgz' \
        'exits 0 get "zeros.tgz!a.level" version --member-limit 32M' 'exits 2 get "zeros.tgz!a.level" version'
    test_that "members that are left out are counted" 'tar czf zeros.tgz -C zeros b a.level' 'exits 2 identify zeros.tgz' \
        'complains "warning: zeros\.tgz: a file is left out of the container: .* unpacks to more than [0-9]+ bytes.*found b\)"' \
        'last_line out "0 files: 0 known, 0 damaged, 0 skipped, 1 left out"' 'exits 0 identify --member-limit 90000K zeros.tgz' 'says "^1 file: 1 known"'
    test_that "sizes" 'for limit in 0 x -1 1x 1MM 99999999999G 17179869184G "" " 1"; do exits 2 identify --member-limit "$limit" game.tar || return 1; complains "is not a size" || return 1; done' \
        'for limit in 9999 1K 1M 1G 17179869183G; do exits 0 identify --member-limit $limit game.tar || return 1; done' 'exits 2 identify --member-limit 1 game.tar'
    rm -r zeros zeros.tgz
fi

awk 'BEGIN { printf "{\"$format\":\"ns2-level\",\"version\":10,\"viewports\":\""
    for (i = 0; i < 200000; i++) printf "<viewport></viewport>"
    printf "\",\"unknown_chunks\":[{\"id\":100}"
    for (i = 0; i < 200000; i++) printf ",{\"id\":99}"
    print "]}" }' >many.json
test_that "many small things take little time" 'exits 0 convert --force many.json -o many.level' \
    'timeout 10 "$mapstone" get many.level "unknown_chunks[:].id" >out' 'timeout 10 "$mapstone" info many.level >out'
rm -f many.json many.level
awk 'BEGIN { printf "<x>"; for (i = 0; i < 80000; i++) printf "<class name=\"c%d\" parent=\"c%d\"/>", i, i + 1; print "</x>" }' >many.xml
mesh="$mesh" awk 'BEGIN { printf "{\"$format\":\"ns2-level\",\"version\":10,%s,\"objects\":[", ENVIRON["mesh"]
    for (i = 0; i < 10000; i++) printf "%s{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"c0\",\"extras\":[],\"properties\":[{\"name\":\"p\",\"type\":0,\"animated\":false,\"value\":[\"\"]}]}", i ? "," : ""
    print "]}" }' >many.json
test_that "a large schema takes little time and memory" 'timeout 30 "$mapstone" check -q --schema many.xml many.json'
rm -f many.json many.xml

test_that "docs/lists.md has the lists of the formats" '"$here/../../scripts/lists.sh" "$mapstone"'

finish
