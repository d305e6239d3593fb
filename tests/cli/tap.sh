# SPDX-License-Identifier: MIT
# Tests of the command that say in TAP how they ended; sourced by the scripts in this directory, which end with `finish`.
# A script may set `log`, the file that gets a test's output, and `also`, a file to show with it when a test fails.
log=log
also=
number=0
failed=0

# In a function of its own, so that a test may return.
holds() { eval "$1"; }

# test_that NAME COMMAND: the command's exit code decides
test_that() {
    number=$((number + 1))
    if holds "$2" >"$log" 2>&1; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/#   /' "$log" | head -30
        [ -z "$also" ] || [ ! -s "$also" ] || sed "s/^/#   $also: /" "$also" | head -20
        failed=$((failed + 1))
    fi
}

# skip NAME REASON: a test that this machine cannot run
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

finish() {
    echo "1..$number"
    [ "$failed" -eq 0 ]
}
