# SPDX-License-Identifier: MIT
# Tests of the command that report their results in TAP; sourced by the scripts in this directory, which end with
# `finish`. A script may set `log`, the file that gets a test's output, and `also`, a file to show with it when a test
# fails. MAPSTONE_SKIPPED: a file of tests that another system cannot run, "NAME: REASON".
log=log
also=
number=0
failed=0

# In a function of its own, so that a test may return.
holds() {
    while [ $# -gt 0 ]; do
        eval "$1" || { echo "failed: $1"; return 1; }
        shift
    done
}

# test_that NAME COMMAND...: all of these must succeed
test_that() {
    tested=$1
    shift
    if [ -n "${MAPSTONE_SKIPPED:-}" ] && grep -qF -e "$tested: " "$MAPSTONE_SKIPPED"; then
        skip "$tested" "$(grep -F -e "$tested: " "$MAPSTONE_SKIPPED" | sed 's/.*: //')"
        return
    fi
    number=$((number + 1))
    if holds "$@" >"$log" 2>&1; then
        printf '%s\n' "ok $number - $tested" # echo reads \ in some shells
    else
        printf '%s\n' "not ok $number - $tested"
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
