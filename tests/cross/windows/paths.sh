#!/bin/sh
# SPDX-License-Identifier: MIT
# Spellings of paths, quotes and patterns as Windows' shells give them to programs: each command that reads paths takes
# each spelling, under Wine. usage: paths.sh MAPSTONE (a script that runs it), with WINEPREFIX set
set -u
. "$(dirname "$0")/../../cli/tap.sh"
mapstone=$1
samples=$(cd "$(dirname "$0")/../../../samples" && pwd)
work=$(mktemp -d) || exit 2
unc=$WINEPREFIX/dosdevices/unc
drive=$WINEPREFIX/dosdevices/q:
trap 'rm -rf "$work" "$drive" "$unc"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME="$work" NO_COLOR=1
log=$work/log
also=said
M() { "$mapstone" "$@" 2>said; }

# Drive Q: and the share \\localhost\q$ are this directory, whose x\ contains the input.
ln -sfn "$work" "$drive"
mkdir -p "$unc/localhost" x/sub && ln -sfn "$work" "$unc/localhost/q\$"
M convert -q "$samples/valley.json" -o x/sub/a.map && M convert -q "$samples/outpost.json" -o x/b.level || exit 2
(cd x && zip -q ../x.zip sub/a.map b.level)
mkdir table

# tries SPELLING: every command that takes directories reads the contents of x, in this spelling
tries() {
    M identify "$1" >out && grep -qE '(^|[/:])sub/a.map' out && grep -qE 'b\.level' out && grep -q "^2 files: 2 known" out || { cat out said; return 1; }
    ! grep -F '\' out || return 1
    for command in info check table roundtrip; do
        M $command "$1" >out || [ $? -eq 1 ] || { echo "$command fails"; return 1; }
        [ ! -s said ] || ! grep -q '^error' said || { echo "$command: $(cat said)"; return 1; }
        [ -s out ] || { echo "$command says nothing"; return 1; }
    done
    rm -rf made && M render -q --size 64 "$1" -o made/ && [ -s made/sub/a.png ] && [ -s made/b.png ] || { echo render; find made; return 1; }
    rm -rf made && M convert -q "$1" -t json -o made/ && [ -s made/sub/a.json ] && [ -s made/b.json ] || { echo convert; find made; return 1; }
}
# HERE is this directory in Windows' notation on drive Z:, which is Wine's for /.
here=$(pwd | tr / '\\')
while IFS= read -r spelling; do
    case $spelling in *HERE*) spelling=${spelling%%HERE*}$here${spelling#*HERE} ;; esac
    test_that "a directory as $spelling" 'tries "$spelling"'
done <<'END'
x\
x/
x\\
x
.\x
.\x\
./x\.
x\.
x\sub\..
x\..\x\
Q:\x
q:/x\
Q:x
Q:x\
HERE\x
HERE\x\
Z:HERE\x\
\\?\Q:\x
\\?\Q:\x\
//?/Q:/x
\\localhost\q$\x
\\localhost\q$\x\
//localhost/q$/x/
\\localhost\q$\.\x\..\x
x"
Q:\x"
END
test_that 'the root of a drive' 'M identify "Q:\\" >out && grep -q "^Q:/x/b.level" out && M identify "q:/" >out && grep -q "^q:/x/b.level" out && (cd x && M identify Q: >../out) && grep -qE "(^|/)b.level" out && ! grep -q /x/ out'
test_that 'members of archives, and files' 'for one in "x.zip!sub\\a.map" ".\\x.zip!sub/a.map" "x\\sub\\a.map" "$here\\x\\sub\\a.map" "\\\\?\\Q:\\x\\sub\\a.map" "Q:x\\sub\\a.map"; do
    M dump "$one" -o "made.json" && M convert -q made.json -o made.map && cmp made.map x/sub/a.map && M get "$one" version >out || return 1; done'
test_that 'files to be written' 'rm -rf made; for one in "made\\a\\" "Q:made\\b/" "$here\\made\\c\\" "\\\\?\\Q:\\made\\d\\" "\\\\localhost\\q\$\\made\\e\\" "made\\f\""; do
    M convert -q "x\\" -t json -o "$one" || return 1; done; [ "$(find made -name a.json | wc -l)" -eq 6 ]'
test_that 'a quotation mark within a path: cmd takes \" for it' '! M check "x\" -q" && grep -q "quotation mark" said'

# ---- patterns ----
mkdir -p maps1 maps2/deep nothing && cp x/b.level maps1/one.level && cp x/b.level maps2/two.level && cp x/b.level maps2/deep/three.level
names() { M identify "$@" | grep -v "^[0-9]* files" | sed -e 's/:.*//' -e 's/ .*//' | paste -s -d ' '; }
# matches PATTERN NAME...
matches() {
    pattern=$1
    shift
    [ "$(names "$pattern")" = "$*" ] || { echo "$pattern: $(names "$pattern")"; return 1; }
}
test_that 'patterns of files' 'matches "maps1\\*.level" maps1/one.level && matches "maps1/o?e.*" maps1/one.level'
test_that 'patterns of folders' 'matches "maps*\\*.level" maps1/one.level maps2/two.level && matches "*\\deep\\*.level" maps2/deep/three.level && matches "maps?\\deep\\three.level" maps2/deep/three.level &&
    M identify "m*2" >out && grep -q "maps2/deep/three.level" out && grep -q "maps2/two.level" out && ! grep -q one out'
test_that 'a pattern of one file, for a command that takes one' 'M get "maps1\\o*.level" version >out && [ "$(cat out)" = "$(M get maps1/one.level version)" ] && ! M dump "maps*\\*.level" >out'
test_that 'a pattern that nothing is like says so' 'for one in "maps*\\*.none" "no*\\x.level" "maps1\\?" "nothing\\*"; do
    ! M check "$one" && grep -qF "error: no file matches $one" said && ! grep -q permit said || return 1; done'

# ---- one baseline on both systems ----
cat <<'END' >twice.json
{"$format": "ns2-level", "version": 10, "mesh": {"face_layers": {"faces": []},
  "triangles": {"ghost_vertices": [], "smoothed_normals": [], "triangle_count": 0, "faces": []}}, "objects": [
  {"has_layers": false, "group": 4294967295, "class_name": "location", "extras": [], "properties": [
    {"name": "name", "type": "string", "animated": false, "value": ["once"]},
    {"name": "name", "type": "string", "animated": false, "value": ["twice"]}]}]}
END
mkdir -p set/sub && M convert -q twice.json -o set/sub/t.level
test_that 'a baseline has slashes only, and holds with either' 'M check "set\\" --write-baseline "known.txt" >out; grep -q "^set/sub/t.level	NS2-DUPLICATE" known.txt && ! grep -qF "\\" known.txt &&
    for one in set "set\\" ".\\set" "set\\sub\\t.level" "set\\sub/t.level" "set/"; do M check --strict "$one" --baseline ".\\known.txt" >out && grep -q " 2 in the baseline" out || return 1; done'

# ---- quotes and help ----
test_that 'single quotes get a hint' 'M edit x/b.level --dry-run -e "'"'"'layers[0].name" = "b'"'"'"; grep -q "cmd.exe does not remove single quotes: use double quotes" said && M info x/b.level >out && ! grep -q quotes said'
test_that 'git-setup refuses quotes and turns backslashes' '! M git-setup --print "'"'"'maps/*.level'"'"'" >out && grep -q "use double quotes" said && ! grep -q "attributes" out &&
    M git-setup --print "maps\\*.level" >out && grep -qx "maps/\*.level -text diff=mapstone merge=mapstone" out'
test_that 'help is asked for by /? and -?' 'M help check >want && M check "/?" >out && cmp out want && M check "-?" >out && cmp out want && M help >want && M "/?" >out && cmp out want'
test_that 'help shows double quotes' 'for one in edit set git-setup table; do M help $one >out; ! grep -E "^ *mapstone .*'"'"'" out || return 1; done'
finish
