#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: levels as their game shows them.
# tests/cli/command_game_view.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# ---- render --view game ----------------------------------------------------------------------------
mkdir -p seen/map seen/root/IMAGERY
test_that "a level as its game shows it" 'exits 0 convert -q "$here"/../../samples/keep/*.json -t revenant-sector -o seen/map/' \
    'exits 0 convert -q "$here"/../../samples/keep-imagery -t revenant-image -o seen/root/IMAGERY/Keep/' 'exits 3 render --view game seen/map -o seen/a.png' \
    'complains "class.def, which gives the objects. looks, was not found"' 'cp "$here"/../../samples/keep/class.def seen/map/' \
    'exits 2 render --view game seen/map -o seen/a.png' 'complains "and 28 more files"' 'complains "none of its objects has a picture"' '[ ! -e seen/a.png ]' \
    'exits 0 render --view game seen/map --search-path seen/root -o seen/a.png' '[ ! -s errors ]' '[ "$(head -c 24 seen/a.png | tail -c 8 | od -An -tx1 | tr -d " \n")" = 0000140000000a2b ]' \
    'exits 0 render --view game seen/map --level 7 --search-path seen/root --ambient 9 -o seen/b.png' '! cmp -s seen/a.png seen/b.png' \
    'exits 0 render --view game seen/map/7_11_10.dat --search-path seen/root -o seen/c.png' '[ "$(wc -c <seen/c.png)" -lt "$(wc -c <seen/a.png)" ]'
test_that "tiles of a level" 'exits 0 render --view game seen/map --search-path seen/root --tiles seen/tiles' 'complains "seen/tiles/index.html shows [0-9]+ tiles of 5120 x 2603 pixels"' \
    '[ -s seen/tiles/0/0/0.png ]' '[ ! -e seen/tiles/6 ]' 'grep -q "Aldis the Warden" seen/tiles/index.html' \
    'left=$(sed -n "s/.*\"left\":\(-*[0-9]*\),.*/\1/p" seen/tiles/index.html)' 'top=$(sed -n "s/.*\"top\":\(-*[0-9]*\),.*/\1/p" seen/tiles/index.html)' \
    'exits 0 render --view game seen/map --search-path seen/root --area "$((left + 9 * 256)),$((top + 4 * 256)),256x256" -o seen/part.png' 'cmp seen/part.png seen/tiles/5/9/4.png' '! grep -q "shows nothing" err' \
    'exits 0 render --view game seen/map --search-path seen/root --area "$((left - 256)),$top,256x256" -o seen/part.png' 'complains "the area shows nothing: the level is at $left,$top,5120x2603"' \
    'exits 0 render --view game seen/map --search-path seen/root --area "$((left - 256)),$top,257x256" -o seen/part.png' '! grep -q "shows nothing" err' \
    'exits 0 render --view game seen/map/7_11_10.dat --search-path seen/root --tiles seen/one' '[ -s seen/one/0/0/0.png ]'
# two sectors at the corners of a level of 2,048 x 2,048 tiles: missing ones take neither time nor files
test_that "tiles of a level that is mostly empty" 'mkdir -p seen/wide && cp "$here"/../../samples/keep/class.def seen/wide/' \
    'exits 0 convert -q seen/map/7_10_11.dat -o seen/wide/7_0_250.dat' 'exits 0 convert -q seen/map/7_10_11.dat -o seen/wide/7_250_0.dat' \
    'timeout 60 "$mapstone" render --view game seen/wide --search-path seen/root --tiles seen/far 2>err' 'complains "of 51[0-9]+ x [0-9]+ pixels"' \
    '[ -d seen/far/11 ]' '[ ! -e seen/far/12 ]' '[ -s seen/far/0/0/0.png ]' '[ "$(find seen/far -name "*.png" | wc -l)" -lt 300 ]' \
    '[ "$(find seen/far -name "*.png" | wc -l)" -eq "$(sed -n "s/.*shows \([0-9]*\) tiles.*/\1/p" err)" ]'
test_that "an image that is not there" 'exits 3 set seen/root/IMAGERY/Keep/Anvil.i2d --image bitmap_7=seen/part.png -o seen/x.I2D' \
    "complains \"there is no image 'bitmap_7': name bitmap_0\"" '[ ! -e seen/x.I2D ]'
test_that "views of the game that cannot be" 'exits 2 render --view game a.level -o seen/x.png' 'complains "has no view of the game"' \
    'for one in "--area 1,2,3" "--area 1,2,0x4" "--area 1,2,3x70000" "--area 1,2,3x4z" "--ambient 0" "--ambient 32" "--size 0" "--size 64 --tiles seen/t" "--layers a" "--cut 2" "--yaw 3" "--tiles seen/t -o seen/x.png" "--tiles seen/t --area 1,2,3x4"; do
        exits 2 render --view game seen/map --search-path seen/root $one || return 1; done' \
    'for one in "--ambient 3 -o seen/x.png" "--tiles seen/t"; do exits 2 render a.level $one && complains "no effect with --view above" || return 1; done' \
    '[ ! -e seen/x.png ]' '[ ! -e seen/t ]' 'exits 2 render --view game seen/map --search-path seen/root --tiles seen/a.png'

finish
