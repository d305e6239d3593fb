#!/bin/sh
# SPDX-License-Identifier: MIT
# What the pictures of levels show: tests/cli/pictures.sh path/to/mapstone [corpus]
# One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
samples=$(cd "$here/../../samples" && pwd)
corpus=${2:-${MAPSTONE_CORPUS:-$here/../../../shared/corpus}}
case $corpus in /*) ;; *) corpus=$PWD/$corpus ;; esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
XDG_CONFIG_HOME=$work/settings NO_COLOR=1
export XDG_CONFIG_HOME NO_COLOR

# exits CODE ARGUMENT...: the command with stdout in `out` and stderr in `err`
exits() {
    wanted=$1
    shift
    "$mapstone" "$@" >out 2>err </dev/null
    code=$?
    [ "$code" -eq "$wanted" ] || { echo "exit code $code of: $*" && head -5 out err && return 1; }
}
complains() { grep -q -e "$1" err || { echo "stderr lacks '$1':" && head -5 err && return 1; }; }

# from_above TEXTURED|HEIGHTS ARGUMENT...: which of the two the picture from above is
from_above() {
    kind=$1
    shift
    exits 0 render -q --size 300 "$@" -o above.png && exits 0 render -q --size 300 --heights "$@" -o heights.png &&
        exits 0 render -q --size 300 --no-textures "$@" -o plain.png || return 1
    case $kind in
    TEXTURED) ! cmp -s above.png heights.png && ! cmp -s above.png plain.png || { echo "no textures: $*" && return 1; } ;;
    HEIGHTS) cmp above.png heights.png ;;
    esac
}

# ---- textures from above ----
"$here/../../scripts/samples.sh" "$mapstone" >/dev/null 2>&1 || exit 2
test_that "a level is shown with its textures where they are found" \
    "from_above TEXTURED --search-path ns2 foundry.level && from_above TEXTURED L900LEV.MAP"
test_that "else by heights" "mkdir alone && cp L900LEV.MAP alone && from_above HEIGHTS foundry.level && from_above HEIGHTS alone/L900LEV.MAP"
if [ -d "$corpus/spark/gameroot" ]; then
    root=$corpus/spark/gameroot
    test_that "real levels, too" "from_above TEXTURED $root/provinggrounds/maps/pg_dm6.level"
    test_that "but not with what stands for textures that are missing" \
        "from_above HEIGHTS $root/mvm/maps/test.level && from_above HEIGHTS $root/extraentities/maps/ns2_eem_test_level.level"
else
    skip "real levels, too" "no corpus at $corpus"
fi

finish
