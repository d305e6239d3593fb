#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the properties, two at a time:  run.sh BUILD SECONDS [NAME...]      (in the top directory)
#
#   BUILD      where they were built: out/asan
#   SECONDS    for all of them together, on two processors
#   NAME       only these: open, save, ... (all, if none is given)
#   PROCESSES=1 runs one at a time
#
# Each begins with the project's own seeds and with corpus/, and keeps new inputs in BUILD/work/own/<name>. With
# real levels (MAPSTONE_CORPUS) it also begins with the small ones of them, which are linked to and not copied,
# and keeps the resulting inputs in BUILD/work/real/<name>: none of these may be added to the tree. Inputs that
# break a property are in BUILD/work/findings. The last line is "N passed, N failed".
set -eu
build=$1 seconds=$2
shift 2
here=$(dirname "$0")
work=$build/work
processes=${PROCESSES:-2}

[ $# != 0 ] || set -- $(cd "$here" && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
for name in "$@"; do
    [ -x "$build/tests/fuzz/fuzz_$name" ] || { echo "run.sh: no property is called $name" >&2; exit 2; }
done

rm -rf "$work/begin" "$work/logs"
mkdir -p "$work/begin/seeds" "$work/begin/large" "$work/logs" "$work/findings"
"$build/tests/fuzz/prepare" "$work/begin"
mine=own
levels=${MAPSTONE_CORPUS:-}
if [ -d "$levels" ]; then
    mine=real
    levels=$(cd "$levels" && pwd)
    find "$levels" -type f -size -16k ! -name '*.md' ! -name '*.json' |
        while read -r level; do ln -s "$level" "$work/begin/seeds/$(echo "$level" | tr / _)"; done
fi

# A share of the time for each.
share=$((seconds * processes / $#))
[ "$share" -gt 0 ] || share=1
[ "$share" -le "$seconds" ] || share=$seconds
export build here work mine share
printf '%s\n' "$@" | xargs -P "$processes" -I NAME sh -c '
    name=NAME
    mkdir -p "$work/$mine/$name"
    dictionary=file
    case $name in build | text) dictionary=json ;; esac
    most=16384 large=
    case $name in image | scene) most=81920 large=$work/begin/large ;; esac
    "$build/tests/fuzz/fuzz_$name" -max_total_time="$share" -timeout=20 -report_slow_units=5 -max_len=$most \
        -rss_limit_mb=2048 -malloc_limit_mb=600 -dict="$work/begin/$dictionary.dict" -print_final_stats=1 \
        -artifact_prefix="$work/findings/$name-" \
        "$work/$mine/$name" "$here/corpus" "$work/begin/seeds" $large >"$work/logs/$name.log" 2>&1
    echo $? >"$work/logs/$name.status"'

passed=0 failed=0 executions=0
printf '\n%-10s %12s %12s %10s\n' property executions 'new inputs' findings
for name in "$@"; do
    log=$work/logs/$name.log
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    new=$(sed -n 's/^stat::new_units_added: *//p' "$log")
    if [ "$(cat "$work/logs/$name.status")" = 0 ]; then
        found=0 passed=$((passed + 1))
    else
        found=1 failed=$((failed + 1))
    fi
    executions=$((executions + ${runs:-0}))
    printf '%-10s %12s %12s %10s\n' "$name" "${runs:--}" "${new:--}" "$found"
done
printf '%-10s %12s\n' all "$executions"
for name in "$@"; do
    [ "$(cat "$work/logs/$name.status")" != 0 ] || continue
    input=$(sed -n 's/.*Test unit written to //p' "$work/logs/$name.log" | tail -n 1)
    printf '\n%s:\n' "$name"
    grep -E 'does not hold|^the property|ERROR: |runtime error|SUMMARY' "$work/logs/$name.log" || tail -n 5 "$work/logs/$name.log"
    printf 'again:   %s\n' "$build/tests/fuzz/fuzz_$name ${input:-(no input was written)}"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
