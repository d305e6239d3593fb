#!/bin/sh
# SPDX-License-Identifier: MIT
# All scripts command_*.sh as one test: tests/cli/run.sh path/to/mapstone [corpus]; for builds whose tests are unknown to
# ctest, for Windows and as released. The plan is printed if each script reached its end.
set -u
here=$(dirname "$0")
for script in "$here"/command_*.sh; do
    "$script" "$@"
    echo "end $script"
done | awk '
/^(not )?ok [0-9]+ - / { number++; failed += $1 == "not"; sub(/[0-9]+/, number) }
/^1\.\.[0-9]+$/ { planned++; next }
/^end / { ended++; if (planned < ended) { print "not ok 0 - " $2 " did not end"; planned++; missing++ } next }
{ print }
END {
    if (!missing) print "1.." number
    exit missing || failed > 0
}'
