#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests that are left out under Wine exist: tests/cli/skipped.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tap.sh"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
log=$work/log

sed -n 's/^command: \([^:]*\): .*/\1/p' "$here/../cross/windows/skipped.txt" >"$work/skipped"
sed -n 's/^.*\(test_that\|skip\) "\([^"]*\)".*/\2/p' "$here"/command_*.sh >"$work/names"
named() { [ -s "$work/skipped" ] && ! grep -vxFf "$work/names" "$work/skipped"; }
test_that "each test of the command that Windows skips is a test" named

finish
