#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests web/dist, and out/site, in Node. The last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/.."
log=../out/web/tests.log
node --test --test-reporter=tap tests/*.test.mjs >"$log" 2>&1 || :
passed=$(sed -n 's/^# pass //p' "$log")
failed=$(sed -n 's/^# fail //p' "$log")
grep -E '^ *# (Subtest|[a-z-]+: )' "$log" | sed 's/^ *# //' || :
[ "${failed:-1}" = 0 ] || grep -B2 -A40 '^ *not ok' "$log" || :
echo "${passed:-0} passed, ${failed:-1} failed"
[ "${failed:-1}" = 0 ]
