#!/bin/sh
# SPDX-License-Identifier: MIT
# Texts as programs of Windows write them: with a byte order mark, in UTF-8 or UTF-16 of either byte order. The results
# must equal those of the plain UTF-8 from which iconv made them.
# tests/cli/texts.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CONFIG_HOME="$work" NO_COLOR=1
log=$work/log
also=said
M() { "$mapstone" "$@" 2>said; }

# as ENCODING FILE: FILE with CRLF and a mark, as ENCODING/FILE
as() {
    mkdir -p "$(dirname "$1/$2")"
    case $1 in
    UTF-8) printf '\357\273\277' ;;
    UTF-16LE) printf '\377\376' ;;
    UTF-16BE) printf '\376\377' ;;
    esac >"$1/$2"
    sed 's/$/\r/' "$2" | iconv -f UTF-8 -t "$1" >>"$1/$2"
}

# letters of one to four bytes
sed 's/"Outpost"/"Ou\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"/' "$samples/outpost.json" >level.json
M convert -q "$samples/outpost.json" -o plain.level && M convert -q level.json -o a.level || exit 2
printf '# \xc3\xa9\nlayers[0].name = \xf0\x9f\x98\x80\n' >script.txt
M edit -q a.level -s script.txt -o b.level && M diff a.level b.level -o change.mspatch
cat >twice.json <<'END'
{"$format": "ns2-level", "version": 10, "mesh": {"face_layers": {"faces": []},
  "triangles": {"ghost_vertices": [], "smoothed_normals": [], "triangle_count": 0, "faces": []}}, "objects": [
  {"has_layers": false, "group": 4294967295, "class_name": "location", "extras": [], "properties": [
    {"name": "name", "type": "string", "animated": false, "value": ["once"]},
    {"name": "name", "type": "string", "animated": false, "value": ["twice"]}]}]}
END
odd=$(printf 'odd \303\251')
M convert -q twice.json -o "$odd.level"
mkdir old new && cp a.level old && cp b.level new/a.level && M diff old new -o set.mspatch
M check -q "$odd.level" --write-baseline known.txt >checked

test_that 'what is compared with differs from what it is made of' '! cmp a.level b.level && [ -s change.mspatch ] && [ -s set.mspatch ] && grep -q "^odd .*NS2-DUPLICATE" known.txt && ! M check -q --strict "$odd.level"'
for encoding in UTF-8 UTF-16LE UTF-16BE; do
    for file in level.json script.txt known.txt change.mspatch set.mspatch; do as $encoding $file; done
    cp $encoding/level.json $encoding/level
    test_that "$encoding: a level" 'M convert -q $encoding/level.json -o made.level && cmp made.level a.level &&
        M convert -q $encoding/level -o made.level && cmp made.level a.level && M convert -q - -o made.level <$encoding/level && cmp made.level a.level'
    test_that "$encoding: a level that is found in a directory" 'rm -rf found made && mkdir found &&
        cp $encoding/level.json found/a && M convert -q found -t ns2-level -o made/ && cmp made/a.level a.level'
    test_that "$encoding: levels that are compared" 'rm -rf found && mkdir found && cp $encoding/level.json found/a && cp -r found other &&
        M diff found other && rm -r other && M diff $encoding/level.json a.level'
    test_that "$encoding: a script" 'M edit -q a.level -s $encoding/script.txt -o made.level && cmp made.level b.level'
    test_that "$encoding: a baseline" 'M check --strict "$odd.level" --baseline $encoding/known.txt'
    test_that "$encoding: a patch" 'M patch -q a.level $encoding/change.mspatch -o made.level && cmp made.level b.level'
    test_that "$encoding: a patch of a directory" 'rm -rf made && M patch -q old $encoding/set.mspatch -o made/ && cmp made/a.level b.level'
done

# fails CODE TEXT COMMAND...
fails() {
    code=0 wanted=$1 text=$2
    shift 2
    M "$@" || code=$?
    [ $code -eq "$wanted" ] && grep -qF -- "$text" said || { echo "exit code $code, said: $(cat said)"; return 1; }
}
printf '\377\376{\0"\0x' >odd.json
printf '\377\376{\0\0\330"\0' >half.json
printf '\376\377\0{\334\0' >low.json
printf '\377\376' >mark.json
test_that 'a single byte at the end' 'fails 4 "a single byte at the end" convert odd.json -o x.level && grep -q 0x0006 said'
test_that 'half a pair' 'fails 4 "half a pair, 0xd800" convert half.json -o x.level && grep -q 0x0004 said &&
    fails 4 "half a pair, 0xdc00" convert low.json -o x.level && grep -q 0x0004 said'
test_that 'half a pair in a script, a baseline and a patch' 'fails 2 "half a pair" edit a.level -s half.json -o x.level &&
    fails 2 "half a pair" patch a.level half.json -o x.level && fails 2 "half a pair" check a.level --baseline half.json &&
    fails 2 "half a pair" patch old half.json -o x/'
test_that 'nothing but a mark' 'fails 4 "not JSON" convert mark.json -o x.level && M check -q --strict a.level --baseline mark.json'
test_that 'a mistake has its line' 'printf "{\r\n  \"\$format\": \"ns2-level\",\r\n  oops\r\n}\r\n" >bad.json; as UTF-16LE bad.json; as UTF-8 bad.json
    fails 4 "line 3, column 3" convert bad.json -o x.level; at=$(grep -bo oops bad.json | cut -d: -f1)
    fails 4 "line 3, column 3" convert UTF-16LE/bad.json -o x.level && ! grep -q 0x00 said'
finish
