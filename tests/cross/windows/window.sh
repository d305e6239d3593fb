#!/bin/sh
# SPDX-License-Identifier: MIT
# A double click, and files dropped on the program. usage: window.sh MAPSTONE MAPSTONE.exe (in the top directory, with
# WINEPREFIX set); the first is a script that runs the second
set -u
. "$(dirname "$0")/../../cli/tap.sh"
mapstone=$1
exe=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
window=$(cd "$(dirname "$0")" && pwd)/window.py
samples=$(cd "$(dirname "$0")/../../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME="$work" NO_COLOR=1
log=$work/log
also=
mkdir -p with/page without "with/my levels" && cp "$exe" with && cp "$exe" without && echo '<title>the page</title>' >with/page/index.html || exit 2
"$mapstone" convert -q "$samples/outpost.json" -o 'with/my levels/a.level' || exit 2

test_that 'a double click opens the page and says what to do' 'cd with && python3 "$window" 60 URL mapstone.exe >../shown && cd .. && cat shown && grep -q "^<title>the page" shown && ! grep -q "^address:.*opened" shown &&
    grep -q "type cmd into the address bar" shown && grep -q "close the window to end it" shown && ! grep -q "^usage" shown'
test_that 'what it says has ten lines' '[ "$(sed -n "/^mapstone shows/,/^The manual/p" shown | wc -l)" -le 10 ]'
test_that 'a file that is dropped opens in the page' 'cd with && python3 "$window" 60 URL mapstone.exe "Z:$(pwd | tr / "\\\\")\\my levels\\a.level" >../shown; code=$?; cd ..; cat shown; [ $code -eq 0 ] && grep -q "^address:.*opened" shown && grep -q "as long as this window is open" shown &&
    grep -q "^<title>the page" shown'
test_that 'without the page it says so and waits for a key' 'cd without && python3 "$window" 60 KEY mapstone.exe >../shown; code=$?; cd ..; cat shown; [ $code -eq 0 ] && grep -q "the page is not installed" shown'
test_that 'a command in a window of its own waits, too' 'cd with && python3 "$window" 60 KEY mapstone.exe version >../shown; code=$?; cd ..; cat shown; [ $code -eq 0 ] && grep -q "^ *mapstone [0-9]" shown'
finish
