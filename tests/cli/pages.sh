#!/bin/sh
# SPDX-License-Identifier: MIT
# Names from levels and files where a browser or a spreadsheet reads them, and settings that several commands write at
# once. tests/cli/pages.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
XDG_CONFIG_HOME=$work/settings TMPDIR=$work NO_COLOR=1
export XDG_CONFIG_HOME TMPDIR NO_COLOR
log=$work/log

mapstone() { "$mapstone" "$@"; }
# A name that ends its script and begins an entity; and one that also ended a line of a script until 2019.
ascii='</script><script>parent.ran=1</script><!--&amp;'
name=$ascii$(printf '\342\200\250\342\200\251')
# lacks_html FILE: no part of the name is present as HTML would read it
lacks_html() { ! grep -q '<script>parent\|<!--&\|&amp;' "$1" && ! grep -q "$(printf '\342\200[\250\251]')" "$1"; }

# ---- tiles -----------------------------------------------------------------------------------------------------------
mkdir -p map root/IMAGERY
test_that "names in the page of tiles are data" \
    'mapstone convert -q "$samples"/keep/*.json -t revenant-sector -o map/ && cp "$samples"/keep/class.def map/ &&
     mapstone convert -q "$samples"/keep-imagery -t revenant-image -o root/IMAGERY/Keep/ &&
     found=map/7_11_11.dat && place=$(mapstone table -w "name=Aldis the Warden" -C path --csv "$found" | sed -n 2p) &&
     mapstone set -q -i "$found" "$place.name=$ascii" && mapstone render -q --view game map --search-path root --tiles tiles &&
     grep -q "u003c/script.u003e.u003cscript.u003eparent.ran=1.*u003c!--.u0026amp;" tiles/index.html && lacks_html tiles/index.html'
test_that "the page of tiles has a policy that admits its own script only" \
    'policy=$(sed -n "s/.*Content-Security-Policy\" content=\"\([^\"]*\)\".*/\1/p" tiles/index.html) && echo "$policy" | grep -q "default-src .none.;" &&
     ! echo "$policy" | grep -q unsafe &&
     sum=$(sed -n "/^<script>/,/^<\/script>/p" tiles/index.html | sed "1s/^<script>//; \$d" | sha256sum | cut -c 1-64) &&
     sum=$(printf "$(echo "$sum" | sed "s/../0x& /g" | xargs printf "\\\\%03o")" | base64) &&
     echo "$policy" | grep -qF "script-src '"'sha256-\$sum'"'" &&
     [ "$(sed -n "/Content-Security/=" tiles/index.html)" -lt "$(sed -n "/<script/=" tiles/index.html | head -1)" ]'

# ---- marks -----------------------------------------------------------------------------------------------------------
test_that "names in marks may stand in a page" \
    'mapstone convert -q "$samples"/outpost.json -o a.level && place=$(mapstone table -C path --csv -w class_name=location a.level | sed -n 2p) &&
     mapstone set -q -i a.level "$place.properties.name=$name" && mapstone render -q a.level -o a.png --marks a.json && lacks_html a.json &&
     grep -q "u003c/script.*u2028.u2029" a.json'

# ---- tables ----------------------------------------------------------------------------------------------------------
# cell TEXT: its form with --csv-safe
cell() {
    mapstone set -q -i a.level "$place.properties.name=$1" && mapstone table -q --csv-safe -C properties.name -w class_name=location a.level >cells &&
        sed -n '2,$p' cells
}
defused() {
    for one; do
        cell "$one" | head -1 | grep -q "^\"*'" || { printf 'not defused: %s\n' "$one"; return 1; }
    done
}
kept() {
    for one; do
        cell "$one" | grep -q "'" && { printf 'not kept: %s\n' "$one"; return 1; }
    done
    return 0
}
test_that "--csv-safe knows all that spreadsheets take for a formula" \
    'defused =1 +1 -1 @A1 " =1" "  @A1" "$(printf "\t=1")" "$(printf "\t1")" "$(printf "\r1")" "$(printf "\n=1")" "$(printf "\302\240=1")" "$(printf "\343\200\200+1")" \
        "$(printf "\357\273\277=1")" "$(printf "\342\200\213=1")" ＝1 ＋1 －1 ＠A1 " ＝1" "$(printf "=1\",\"")"'
test_that "--csv-safe leaves other texts as they are" 'kept a "a=1" " a" 1-2 ": -1" "" "\"x\"" "é=1" "（=1" "a;b" "$(printf "a\n\nb")"'
test_that "--csv-safe knows where other spreadsheets divide cells" \
    'cell "a;=1; -2;b-" | grep -q "^a;'"'"'=1;'"'"' -2;b-$" && cell "$(printf "a\t=1")" | grep -q "^a.'"'"'=1$" && cell "$(printf "a\n@1")" | grep -q "^'"'"'@1\"$"'
test_that "names of files in lists of lists are defused" \
    'cp a.level ./=1.level && mapstone table --lists --csv-safe =1.level | grep -q "^'"'"'=1.level,objects," && mapstone table --lists --csv =1.level | grep -q "^=1.level,objects,"'

# ---- settings --------------------------------------------------------------------------------------------------------
test_that "games that are added at once are all kept" \
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do mkdir -p games/$i && { mapstone game add game$i games/$i || echo $i >>lost; } & done; wait
     [ ! -e lost ] && [ "$(mapstone game list | wc -l)" -eq 12 ]'
test_that "games that are removed while others are added" \
    'for i in 1 2 3 4 5 6; do mapstone game remove game$i & mkdir -p games/1$i && mapstone game add more$i games/1$i & done; wait
     [ "$(mapstone game list | grep -c "^more")" -eq 6 ] && [ "$(mapstone game list | wc -l)" -eq 12 ] && [ "$(cd settings/mapstone && echo *)" = "games games.lock" ]'
finish
