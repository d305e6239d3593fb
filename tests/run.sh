#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs ctest and counts single tests, not executables: the last line is "N passed, N failed" (and skipped).
# usage: run.sh BUILD_DIRECTORY [ctest's arguments]      (in the top directory)
#
# The output (TAP) of each executable is counted; a planned test that never reported, an executable that
# crashed, ran out of time or ended with an error without naming a failed test each count as failed.
set -u
directory=$1
shift
[ -n "${MAPSTONE_CORPUS:-}" ] || { [ -d ../shared/corpus ] && MAPSTONE_CORPUS=$(cd ../shared/corpus && pwd); }
[ -z "${MAPSTONE_CORPUS:-}" ] || export MAPSTONE_CORPUS

# A limit of processor time for each process: on a busy machine, nothing fails because it is slow.
ulimit -t 1200
log=$directory/tests.log
ctest --test-dir "$directory" --verbose --no-tests=error --parallel 2 "$@" >"$log" 2>&1 </dev/null
status=$?

awk -v status=$status '
function finish(name, verdict, missing, bad) {
    missing = plan[id] - good[id] - wrong[id] - skipped[id]
    if (missing < 0) missing = 0
    bad = wrong[id] + missing
    if (verdict == "Passed" && bad == 0) {
        passed += good[id]; skips += skipped[id]
        if (good[id] + skipped[id] == 0) passed++
        return
    }
    passed += good[id]; skips += skipped[id]
    failed += bad > 0 ? bad : 1
    printf "---- %s: %s\n%s", name, verdict, text[id]
}
# "7: text" is a line that test 7 printed.
/^[0-9]+: / {
    id = $1; sub(":", "", id)
    line = $0; sub(/^[0-9]+: /, "", line)
    if (line !~ /^(Test (command|timeout)|Working Directory|Environment variables|  *[A-Z_]+=)/)
        text[id] = text[id] line "\n"
    if (line ~ /^1\.\.[0-9]+/) { sub(/^1\.\./, "", line); plan[id] += line }
    else if (line ~ /^(not )?ok [0-9]+.*# SKIP/) skipped[id]++
    else if (line ~ /^ok [0-9]+/) good[id]++
    else if (line ~ /^not ok [0-9]+/) wrong[id]++
    next
}
# " 3/12 Test  #7: test_text .......   Passed    0.02 sec"
/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
    id = $0; sub(/^[^#]*#/, "", id); sub(/:.*/, "", id)
    name = $0; sub(/^[^#]*#[0-9]+: */, "", name); sub(/ .*/, "", name)
    verdict = $0; sub(/^[^#]*#[^.]*\.\.+ */, "", verdict); sub(/ +[0-9.]+ sec.*/, "", verdict)
    seen++
    finish(name, verdict)
}
END {
    if (seen == 0) { print "no test ran"; failed++ }
    if (status != 0 && failed == 0) { print "ctest ended with " status; failed++ }
    printf "%d passed, %d failed%s\n", passed, failed, skips ? ", " skips " skipped" : ""
    exit failed > 0
}' "$log"
