#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the unit tests, and the command's tests with the released command. The last line counts them. usage:
# musl.sh BUILD COMMAND      (in the top directory)
set -u
tests/run.sh "$1" >"$1/unit.log" 2>&1
cat "$1/unit.log"
tests/cli/run.sh "$(realpath "$2")" >"$1/command.log" 2>&1
grep -v '^ok' "$1/command.log" | grep -v '^1\.\.'
tail -n 1 "$1/unit.log" | sed 's/[^0-9]\{1,\}/ /g' | {
    read -r passed failed skipped
    passed=$((passed + $(grep -c '^ok' "$1/command.log")))
    failed=$((failed + $(grep -c '^not ok' "$1/command.log")))
    grep -q '^1\.\.' "$1/command.log" || { echo "the command's tests did not end"; failed=$((failed + 1)); }
    echo "$passed passed, $failed failed, ${skipped:-0} skipped"
    [ "$failed" -eq 0 ]
}
