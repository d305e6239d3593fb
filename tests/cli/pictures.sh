#!/bin/sh
# SPDX-License-Identifier: MIT
# The contents of pictures of levels: tests/cli/pictures.sh path/to/mapstone [corpus] One line per test; exits
# with 1 if one fails.
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

# ---- one picture a level ----
mkdir levels levels/more && cp keep/* levels && cp outpost.level levels && cp keep/7_11_11.DAT levels/more/9_11_11.DAT
pictures_are() { # DIRECTORY NAME...: its pictures
    dir=$1 && shift
    (cd "$dir" && find . -name '*.png' | sort) >found && printf './%s\n' "$@" | sort >wanted && cmp found wanted
}
test_that "of a folder with sectors each level is one picture" "exits 0 render --size 200 levels -o pics/ && complains 'pics/level-7.png shows [0-9]* sectors' &&
    pictures_are pics level-7.png outpost.png more/9_11_11.png && exits 0 render --size 200 keep -o keep.png && cmp keep.png pics/level-7.png"
test_that "also of the game's view" "exits 0 render --view game levels --search-path game -o game-pics/ && pictures_are game-pics level-7.png more/9_11_11.png &&
    exits 0 render --view game keep --search-path game -o keep.png && cmp keep.png game-pics/level-7.png"
if [ -d "$corpus/revenant/v15" ]; then
    test_that "and of real levels" "exits 0 render --size 200 $corpus/revenant/v15 -o real/ && complains 'level-44.png shows 4 sectors' &&
        pictures_are real level-44.png level-48.png level-50.png 2_8_10.png 5_4_23.png 40_23_10.png"
else
    skip "and of real levels" "no corpus at $corpus"
fi

# ---- the game's view ----
size_of() { head -c 24 "$1" | tail -c 8 | od -An -tx1 | tr -d ' \n'; }
test_that "the game's view is scaled" "exits 0 render --view game keep --search-path game --size 512 -o small.png && [ \"\$(size_of small.png)\" = 0000020000000104 ] &&
    exits 0 render --view game keep --search-path game --size 5120 -o same.png && exits 0 render --view game keep --search-path game -o full.png && [ \"\$(size_of same.png)\" = \"\$(size_of full.png)\" ]"
mkdir less && cp keep/*.DAT less && grep -v -e '"Anvil"' -e '"Barrel"' keep/class.def >less/class.def
test_that "and says why objects have no picture" "exits 0 render --view game less --search-path game -o less.png && complains 'objects have no picture: class.def lacks their types'"

# ---- labels ----
test_that "things that have no name of their own are labelled by their number" "exits 0 render --labels --size 6000 valley.map -o valley.svg && grep -q '>actor_21<' valley.svg && grep -q '>actor_33<' valley.svg"

finish
