#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs all properties in turn, one at a time, for hours of CPU time that need not be spent at once:
#
#   long.sh BUILD STATE HOURS [NAME...]      (in the top directory)
#
#   BUILD      where they were built: out/asan
#   STATE      the directory that keeps everything between runs: out/fuzz-long
#   HOURS      of CPU time, with what the state already has; 0 prints the table only
#   NAME       only these: open, save, ... (all, if none is given)
#   SLICE=120  CPU seconds of a property before the next one
#
# It can be stopped (Ctrl-C, SIGTERM) and started again at any time: the property that has had the least CPU time
# goes next, from its own inputs. Each slice is a line of STATE/slices: time, commit, property, CPU seconds,
# executions, and 1 if it ended with a finding. SIGKILL loses that line of one slice, not its inputs.
#
# Real levels (MAPSTONE_CORPUS) are linked to, not copied. Three slices of four begin with the seeds and all files
# up to 16 KiB; the fourth with eight files up to 256 KiB, other ones each time. Inputs that break a property are
# in STATE/findings, with its log. The last line is "N passed, N failed".
set -eu
build=$1 state=$2 hours=$3
shift 3
here=$(dirname "$0")
slice=${SLICE:-120}
[ $# != 0 ] || set -- $(cd "$here" && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
for name in "$@"; do
    [ -x "$build/tests/fuzz/fuzz_$name" ] || { echo "long.sh: no property is called $name" >&2; exit 2; }
done
mkdir -p "$state/findings" "$state/small" "$state/large"
touch "$state/slices"
commit=$(git rev-parse --short HEAD 2>/dev/null || echo -)
tick=$(getconf CLK_TCK)

# The initial input of slices, made again each time: the formats' tables may have changed.
prepare() {
    rm -rf "$state/begin"
    mkdir -p "$state/begin/seeds" "$state/begin/large" "$state/begin/real"
    "$build/tests/fuzz/prepare" "$state/begin"
    [ -d "${MAPSTONE_CORPUS:-}" ] || return 0
    levels=$(cd "$MAPSTONE_CORPUS" && pwd)
    find "$levels" -type f ! -name '*.md' ! -name '*.json' -size -257k -size +0 | sort | while read -r level; do
        to=real
        [ "$(stat -c %s "$level")" -gt 16384 ] || to=seeds
        ln -s "$level" "$state/begin/$to/$(echo "${level#"$levels"/}" | tr / _)"
    done
}

# For a property, or for all: CPU seconds, executions, slices.
spent() {
    awk -v name="${1:-}" 'name == "" || $3 == name { cpu += $4; runs += $5; slices++ }
        END { printf "%.0f %.0f %d\n", cpu, runs, slices }' "$state/slices"
}

# The CPU seconds of this shell's children that have ended, in $children. `times` has no effect in a subshell.
measure() {
    times >"$state/times"
    children=$(sed -n '2s/[ms]/ /gp' "$state/times" | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }')
}

# CPU seconds used by a running process.
running() {
    awk -v tick="$tick" '{ print int(($14 + $15) / tick) }' "/proc/$1/stat" 2>/dev/null || echo 0
}

stop=
child=
trap 'stop=1; [ -z "$child" ] || kill -USR1 "$child" 2>/dev/null || :' INT TERM HUP

# One property until it has used a slice of CPU time, or found something.
run_slice() {
    name=$1 turn=$2
    dictionary=file most=16384 large=
    case $name in build | text) dictionary=json ;; esac
    case $name in image | scene) most=81920 large=$state/begin/large ;; esac
    if [ $((turn % 4)) = 3 ] && [ -n "$(ls "$state/begin/real")" ]; then
        groups=$((($(ls "$state/begin/real" | wc -l) + 7) / 8))
        group=$((turn / 4 % groups))
        most=262144
        own=$state/large/$name/$group
        rm -rf "$state/begin/now"
        mkdir -p "$state/begin/now"
        ls "$state/begin/real" | awk -v n="$groups" -v g="$group" 'NR % n == g' | while read -r level; do
            ln -s "$(readlink "$state/begin/real/$level")" "$state/begin/now/$level"
        done
        from=$state/begin/now
    else
        own=$state/small/$name
        from="$here/corpus $state/begin/seeds $large"
    fi
    mkdir -p "$own"
    log=$state/$name.log
    measure
    before=$children
    # in a session of its own, so that Ctrl-C reaches this shell alone
    # shellcheck disable=SC2086 # several directories
    setsid "$build/tests/fuzz/fuzz_$name" -timeout=300 -report_slow_units=3600 -max_len=$most -rss_limit_mb=2048 \
        -malloc_limit_mb=600 -dict="$state/begin/$dictionary.dict" -print_final_stats=1 \
        -artifact_prefix="$state/findings/$name-" "$own" $from >"$log" 2>&1 &
    child=$!
    while kill -0 "$child" 2>/dev/null; do
        if [ -n "$stop" ] || [ "$(running "$child")" -ge "$slice" ]; then
            kill -USR1 "$child" 2>/dev/null || :
        fi
        sleep 1 || : # a signal ends it, too
    done
    status=0
    wait "$child" || status=$?
    child=
    measure
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    # a finding ends without statistics: the last progress line
    [ -n "$runs" ] || runs=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    found=0
    if [ "$status" != 0 ]; then
        found=1
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        cp "$log" "${input:-$state/findings/$name-without-input-$(date +%s)}.log"
    fi
    printf '%s %s %s %.2f %s %d\n' "$(date -u +%FT%TZ)" "$commit" "$name" \
        "$(awk -v a="$before" -v b="$children" 'BEGIN { print b - a }')" "${runs:-0}" "$found" >>"$state/slices"
}

if [ "$hours" != 0 ]; then
    prepare
    limit=$(awk -v hours="$hours" 'BEGIN { printf "%d", hours * 3600 }')
    while [ -z "$stop" ]; do
        all=$(spent)
        [ "${all%% *}" -lt "$limit" ] || break
        next=$(for name in "$@"; do echo "$(spent "$name") $name"; done | sort -n | head -n 1)
        run_slice "${next##* }" "$(echo "$next" | cut -d ' ' -f 3)"
    done
fi

failed=0
printf '\n%-10s %8s %12s %8s %10s\n' property 'CPU s' executions inputs findings
for name in "$@" ''; do
    read -r cpu runs slices <<END
$(spent "$name")
END
    inputs=$(find "$state/small/$name" "$state/large/$name" -type f 2>/dev/null | wc -l)
    found=$(find "$state/findings" -type f -name "${name:+$name-}*.log" | wc -l)
    [ -z "$name" ] || [ "$found" = 0 ] || failed=$((failed + 1))
    printf '%-10s %8s %12s %8s %10s\n' "${name:-all}" "$cpu" "$runs" "$inputs" "$found"
done
for log in "$state"/findings/*.log; do
    [ -e "$log" ] || continue
    printf '\n%s:\n' "${log%.log}"
    grep -m 3 -E 'does not hold|^the property|ERROR: |runtime error|SUMMARY' "$log" || tail -n 5 "$log"
done
printf '%d passed, %d failed\n' $(($# - failed)) "$failed"
[ "$failed" = 0 ]
