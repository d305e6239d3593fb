#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command from end to end: tests/cli/run.sh path/to/mapstone [corpus]
# One line per test, "ok N - name" or "not ok N - name"; exits with 1 if one fails.
set -u

if [ $# -lt 1 ]; then
    echo "usage: $0 path/to/mapstone [corpus]" >&2
    exit 2
fi
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
corpus=${2:-${MAPSTONE_CORPUS:-$here/../../../shared/corpus}}
case $corpus in /*) ;; *) corpus=$PWD/$corpus ;; esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset NO_COLOR
XDG_CONFIG_HOME=$work/settings # not the user's
export XDG_CONFIG_HOME
number=0
failed=0

# test NAME COMMAND...: the command's exit code decides. MAPSTONE_SKIPPED: a file of tests that another system cannot
# run, "NAME: REASON".
test_that() {
    name=$1
    shift
    number=$((number + 1))
    if [ -n "${MAPSTONE_SKIPPED:-}" ] && grep -qF -e "$name: " "$MAPSTONE_SKIPPED"; then
        echo "ok $number - $name # SKIP $(grep -F -e "$name: " "$MAPSTONE_SKIPPED" | sed 's/.*: //')"
        return
    fi
    if "$@" >test.out 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        sed 's/^/#   /' test.out | head -20
        failed=$((failed + 1))
    fi
}

# skip NAME REASON: a test that this machine cannot run
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# run ARGS...: the command with stdout in `out`, stderr in `err`, its exit code in $code.
run() {
    "$mapstone" "$@" >out 2>err </dev/null
    code=$?
}

# exits CODE ARGS...
exits() {
    wanted=$1
    shift
    run "$@"
    if [ "$code" -ne "$wanted" ]; then
        echo "exit code $code, not $wanted: mapstone $*"
        cat out err
        return 1
    fi
    ! grep -qE 'Sanitizer|runtime error' err
}

says() { # in `out`, a line that matches
    grep -qE -- "$1" out || { cat out err; return 1; }
}
complains() { # in `err`
    grep -qE -- "$1" err || { cat out err; return 1; }
}
last_line() {
    [ "$(tail -n 1 "$1")" = "$2" ] || { echo "last line of $1:"; tail -n 1 "$1"; return 1; }
}
nothing_left() { # no temporary files
    ! find . -name '.mapstone-*' | grep .
}
all_of() { # commands in quotes, all of which must succeed
    for one in "$@"; do
        eval "$one" || { echo "failed: $one"; return 1; }
    done
}

# ---- input: a small level, as JSON -----------------------------------------------------------------
mesh='"mesh": {"face_layers": {"faces": []},
  "triangles": {"ghost_vertices": [], "smoothed_normals": [], "triangle_count": 0, "faces": []}}'
cat >a.json <<END
{"\$format": "ns2-level", "version": 10, $mesh, "objects": [
  {"has_layers": false, "group": 4294967295, "class_name": "ns2_gamerules", "extras": [], "properties": [
    {"name": "origin", "type": "distance", "animated": false, "value": [1.5, 2.5, -3.5]},
    {"name": "angles", "type": "angle", "animated": false, "value": [0, 0, 0]}]},
  {"has_layers": false, "group": 4294967295, "class_name": "location", "extras": [], "properties": [
    {"name": "origin", "type": "distance", "animated": false, "value": [4, 5, 6]},
    {"name": "name", "type": "string", "animated": false, "value": ["Hub, \\"A\\""]},
    {"name": "name", "type": "string", "animated": false, "value": ["twice"]}]},
  {"has_layers": false, "group": 4294967295, "class_name": "location", "extras": [], "properties": []}]}
END
test_that "json becomes a level" exits 0 convert a.json -o a.level
size=$(wc -c <a.level)
cp a.level whole.level
head -c $((size - 5)) a.level >cut.level
printf 'nothing that anybody knows' >stranger.txt
mkdir -p set/sub
cp a.level set/a.level
cp a.level set/sub/b.level
cp stranger.txt set/notes.txt
cp stranger.txt set/sub/notes.md

# ---- usage -----------------------------------------------------------------------------------------
test_that "no command is wrong usage" all_of 'exits 2' 'complains usage' '[ ! -s out ]'
test_that "an unknown command suggests the nearest" all_of 'exits 2 chekc' 'complains "did you mean .check"'
test_that "an unknown option suggests the nearest" all_of 'exits 2 check --strct a.level' 'complains "did you mean --strict"'
test_that "an empty text names no file" all_of 'for one in convert render dump; do exits 2 $one a.level -o "" || return 1;
    complains "^error: --output: an empty text names no file" || return 1; done' 'exits 2 set a.level version=9 --output=' 'complains "names no file"' \
    'exits 2 check --schema "" a.level' 'exits 2 check --search-path "" a.level' 'complains "names no directory"' 'exits 2 convert a.level ""' 'exits 2 check ""'
test_that "an option without its value" all_of 'exits 2 tree a.level --depth' 'complains "needs a value"'
test_that "a value that is none of the words" exits 2 check --color=purple a.level
test_that "a number that is none" exits 2 tree --depth x a.level
test_that "commands without files" all_of 'exits 2 check' 'exits 2 info' 'exits 2 identify' 'exits 2 table' \
    'exits 2 convert' 'exits 2 render' 'exits 2 roundtrip' 'exits 2 tree' 'exits 2 get' 'exits 2 set' 'exits 2 dump'
test_that "a path or value that is missing" all_of 'exits 2 get a.level' 'exits 2 set a.level' 'exits 2 set -i a.level version'
test_that "an unknown format" all_of 'exits 2 info -f gif a.level' 'complains "ns2-level"' 'exits 2 spec gif'
test_that "--version" all_of 'exits 0 --version' 'says "^mapstone [0-9]+\.[0-9]+\.[0-9]+$"'
test_that "-- ends the options" all_of 'cp a.level ./-a.level' 'exits 0 info -- -a.level'

for one in "check --strict --write-baseline x.txt" "check --baseline x.txt --write-baseline y.txt" "get --json --raw" \
    "info --maps --triggers" "roundtrip -q --json" "render -o x.png --view above --oblique" "render -o x.png --yaw 3" \
    "render -o x.png --links --no-links" "render -o x.png --links --no-entities" "render -o x.png --oblique --cut 2" "render -o x.png --view dimetric --tags" "convert -o x.glb --compact" "convert -o x.json --lights 3" \
    "convert -o x.glb --embed" "convert -o x.json --map x" "convert -o x.json --hide light" "render -o x.png --only x --no-entities" \
    "render -o x.png --view game --hide x" "render -o x.png --sheet --only x" "render -o x.png --marks m --no-entities"; do
    test_that "an option without effect: $one" all_of "exits 2 $one a.level" 'complains "has no effect with"' '[ ! -e x.png ]' '[ ! -e x.glb ]'
done
printf '%s' '{"$format":"ns2-level","version":10,"mesh":{},"objects":[{"class_name":"logic_button","has_layers":false,"group":4294967295,"properties":[{"name":"output1","type":"string","animated":false,"value":["a"]}],"extras":[]},{"class_name":"func_door","has_layers":false,"group":4294967295,"properties":[{"name":"origin","type":"distance","animated":false,"value":[9,0,9]},{"name":"name","type":"string","animated":false,"value":["A"]}],"extras":[]}]}' >acting.json
test_that "arrows from entities to their targets" all_of 'exits 0 convert acting.json -o acting.level' 'exits 0 info --triggers acting.level' \
    'says "output1 triggers objects\[1\] func_door"' 'exits 0 render --size 240 acting.level -o above.png' 'exits 0 render --size 240 --no-links acting.level -o bare.png' \
    '! cmp -s above.png bare.png' 'exits 0 render --size 240 --links acting.level -o links.png' 'cmp above.png links.png' 'exits 0 render --size 240 --oblique acting.level -o oblique.png' \
    'exits 0 render --size 240 --oblique --links acting.level -o linked.png' '! cmp -s oblique.png linked.png'
test_that "only some classes" all_of 'exits 0 render --size 240 acting.level -o two.png --only func_door,logic_button' 'cmp above.png two.png' \
    'exits 0 render --size 240 acting.level -o two.png --only "func_*" --only "*button"' 'cmp above.png two.png' 'exits 0 render --size 240 acting.level -o door.png --only "func_*"' \
    'exits 0 render --size 240 acting.level -o hidden.png --hide "logic_?utton"' 'cmp door.png hidden.png' '! cmp -s above.png door.png' '[ ! -s err ]' \
    'exits 0 render --size 240 acting.level -o same.png --hide func_wall' 'cmp above.png same.png' "complains \"^warning: --hide: nothing in acting.level has a class like 'func_wall'$\"" \
    'exits 0 convert acting.level -o two.gltf' 'exits 0 convert acting.level -o door.gltf --only func_door' 'grep -q logic_button two.gltf' \
    'grep -q func_door door.gltf' '! grep -q logic_button door.gltf'
test_that "where the symbols of a picture are" all_of 'exits 0 render --size 240 acting.level -o marked.png --marks marks/of.json' 'cmp above.png marked.png' \
    'grep -q "^{\"picture\":\"marked.png\",\"width\":240,\"height\":[0-9]*,\"marks\":\[$" marks/of.json' '[ "$(grep -c "\"role\":\"entity\"" marks/of.json)" = 2 ]' \
    'grep -q "^{\"x\":[0-9]*[.][0-9][0-9],\"y\":[0-9]*[.][0-9][0-9],\"role\":\"entity\",\"class\":\"func_door\",\"name\":\"A\",\"path\":\"objects\[1\]\"}" marks/of.json' \
    'exits 0 render --size 240 acting.level --only "x*" -o marked.png --marks marks/of.json' 'grep -q "\"marks\":\[\]}$" marks/of.json' \
    'exits 2 render acting.level -o marked.png --marks acting.level' 'complains "acting.level is an input; it is not overwritten"' \
    'exits 5 render acting.level -o m.png --marks m.png' '[ ! -e m.png ]' 'exits 2 render acting.level -o m.png --marks marks/' '[ ! -e m.png ]' \
    'exits 2 render acting.level a.level -o many/ --marks m.json' 'complains "marks is for one picture"' '[ ! -e m.json ]'
test_that "lengths in the unit of the game's editor" all_of 'exits 0 tree --all acting.level' 'says "value: \[9, 0, 9\] m \(354.331, 0, 354.331 in\)$"' \
    'exits 0 info acting.level' 'says "^  in the editor .* in$"' 'exits 0 convert "$here/../../samples/valley.json" -o units.map' \
    'exits 0 info units.map' '! says "in the editor" >/dev/null' 'exits 0 tree --all units.map' '! says "m \(" >/dev/null'
test_that "options without effect on a list" all_of 'exits 2 check --codes ns2-level --strict' 'exits 2 spec --json ns2-level' 'exits 2 help --man --completion bash' \
    'exits 0 check --help --all --json' 'exits 0 check --codes ns2-level --json'

# ---- help ------------------------------------------------------------------------------------------
test_that "help lists commands and exit codes" all_of 'exits 0 help' 'says "^  roundtrip "' 'says "^  5  refused"'
test_that "--help is help" all_of 'exits 0 --help' 'says "^Commands"'
for command in identify info tree get set edit diff check dump convert table render roundtrip spec help version; do
    test_that "help $command" all_of "exits 0 help $command" "says '^usage: mapstone $command'" 'says "^  common .*help options"' 'says "-h --help"' \
        '! grep -E "^.{81}" out' \
        "exits 0 $command --help" "says '^usage: mapstone $command'"
done
test_that "help fits a terminal of 80 columns" all_of 'exits 0 help' '! grep -E "^.{81}" out' 'exits 0 help options' '! grep -E "^.{81}" out' \
    'exits 0 help formats' '! grep -E "^.{81}" out'
test_that "common options are explained in one place" all_of 'exits 0 help options' '[ "$(grep -c -e "--jobs=N" out)" -eq 1 ]' 'says "^  -h, --help"' \
    'exits 0 help check' '! grep -q -e "--jobs=N" out' 'exits 0 help --man' '[ "$(grep -c "jobs.*=.fIN" out)" -eq 1 ]'
test_that "formats are listed by game, aligned" all_of 'exits 0 help formats' 'cp out formats.txt' 'exits 0 spec' 'cmp out formats.txt' \
    'awk "/^ns2-level/{a = NR} /^ns2-clip/{exit NR != a + 2 && NR != a + 1}" out' '[ "$(awk "/^[a-z]/ && /Star|Alien/ {print match(\$0, /Star|Alien/)}" out | sort -u | wc -l)" -eq 1 ]' \
    'exits 0 spec --json' '[ "$(wc -l <out)" -gt 20 ]'
test_that "version" all_of 'exits 0 version' 'cp out version.txt' 'exits 0 --version' 'cmp out version.txt' 'exits 0 -V' 'cmp out version.txt' 'exits 2 version x'
test_that "each command has a manual page" all_of 'exits 0 help --man git-setup' 'says "^\.TH MAPSTONE..GIT..SETUP 1"' 'says "^mapstone..git..setup .- let git compare"' \
    'exits 0 help --man convert' 'says "B mapstone convert"' '! grep -q "B mapstone dump" out' '[ "$(grep -c "^\.SH" out)" -eq 7 ]'
test_that "the manual page has every command" all_of 'exits 0 help --man' 'says "^\.TH MAPSTONE 1"' \
    'says "^\.SS mapstone roundtrip"' 'says "^\.SH COMMON OPTIONS"' 'says "^\.SH EXIT STATUS"' 'says "^\.SH EXAMPLES"'
test_that "completions" all_of 'exits 0 help --completion bash' 'says "^complete .*_mapstone mapstone"' \
    'exits 0 help --completion zsh' 'says "^#compdef mapstone"' 'exits 0 help --completion fish' 'says "complete -c mapstone"'
# Names that a shell or the command could take for something else, for bash and zsh
odd="odd=(-dash.level --help.level --output=pwned '*(e:touch pwned:)' '\$(touch pwned).level' '\`touch pwned\`.level' '~' 'a b.level' ';touch pwned')"
if command -v bash >/dev/null; then
    test_that "bash can read its completion" all_of 'exits 0 help --completion bash' 'bash -n out'
    cat >complete.bash <<'END'
source ./out
COMP_WORDS=(mapstone check --str); COMP_CWORD=2; _mapstone; [ "${COMPREPLY[*]}" = --strict ] || exit 1
COMP_WORDS=(mapstone ro); COMP_CWORD=1; _mapstone; [ "${COMPREPLY[*]}" = roundtrip ] || exit 1
COMP_WORDS=(mapstone convert -t ns2-l); COMP_CWORD=3; _mapstone; [ "${COMPREPLY[*]}" = ns2-level ] || exit 1
END
    test_that "bash completes options, commands and formats" bash complete.bash
    cat >paths.bash <<'END'
source ./out
mapstone() { "$MAPSTONE" "$@"; }
completes() { # TO WORDS...
    local to=$1
    shift
    COMP_WORDS=(mapstone "$@") COMP_CWORD=$#
    _mapstone
    [[ " ${COMPREPLY[*]} " == *" $to "* ]] || { echo "$*: ${COMPREPLY[*]}"; exit 1; }
}
completes mesh.triangles get whole.level mesh.tri
completes 'objects[0]' get --json whole.level 'objects['
completes 'objects[0].class_name' set -i whole.level 'objects[0].cla'
completes "mesh" tree whole.level "'me"
COMP_WORDS=(mapstone get no-such.level me) COMP_CWORD=3; _mapstone; [ -z "${COMPREPLY[*]}" ] || exit 1
COMP_WORDS=(mapstone set whole.level version = me) COMP_CWORD=5; _mapstone; [ -z "${COMPREPLY[*]}" ] || exit 1
END
    test_that "bash completes paths in files" env MAPSTONE="$mapstone" bash paths.bash
    { echo "$odd"; cat <<'END'; } >names.bash
source ./out
mapstone() { printf '%s\n' "$@" >asked; "$MAPSTONE" "$@"; }
for one in "${odd[@]}"; do
    cp whole.level "./$one"
    COMP_WORDS=(mapstone get -- "$one" mesh.tri) COMP_CWORD=4
    _mapstone
    [[ "${COMPREPLY[*]}" == mesh.triangles && ! -e pwned ]] || { echo "$one: ${COMPREPLY[*]}"; exit 1; }
    [[ "$(<asked)" == *--$'\n'"$one"$'\n'mesh ]] || { echo "$one is not after --"; cat asked; exit 1; }
    rm "./$one"
done
END
    test_that "bash asks for names after --, whatever they are" env MAPSTONE="$mapstone" bash names.bash
fi
if command -v zsh >/dev/null; then
    test_that "zsh can read its completion" all_of 'exits 0 help --completion zsh' 'zsh -n out'
    cat >paths.zsh <<'END'
compdef() { : }
source ./out
completes() { # TO WORD
    [[ " $(_mapstone_steps whole.level "$2" | tr '\n' ' ')" == *" $1 "* ]] || { echo "$2: $(_mapstone_steps whole.level "$2")"; exit 1 }
}
completes mesh.triangles mesh.tri
completes 'objects[0]' 'objects['
completes 'objects[0].class_name' 'objects[0].cla'
completes mesh me
[[ -z "$(_mapstone_steps no-such.level me)" ]]
END
    test_that "zsh completes paths in files" env PATH="$(dirname "$mapstone"):$PATH" zsh -f paths.zsh
    mkdir stub
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >asked\nexec "$MAPSTONE" "$@"\n' >stub/mapstone
    chmod +x stub/mapstone
    { echo "$odd"; cat <<'END'; } >names.zsh
compdef() { : }
source ./out
for one in $odd; do
    cp whole.level "./$one"
    [[ "$(_mapstone_steps "$one" mesh.tri)" == *mesh.triangles* && ! -e pwned ]] || { echo "$one"; _mapstone_steps "$one" mesh.tri; exit 1 }
    [[ "$(<asked)" == *--$'\n'"$one"$'\n'mesh ]] || { echo "$one is not after --"; cat asked; exit 1 }
    rm "./$one"
done
END
    test_that "zsh asks for names after --, whatever they are" env MAPSTONE="$mapstone" PATH="$PWD/stub:$PATH" zsh -f names.zsh
    cat >quoted.zsh <<'END'
compdef() { : }
source ./out
touch x1 x2
given() { # WORD...: mapstone was given these
    [[ "$(<asked)" == "${(F)@}" && ! -e pwned ]] || { echo "not: $*"; cat asked; exit 1 }
}
eval 'for f in "*(e:touch pwned:)" "x*" "x*(e:touch pwned:)" "x1(+print)" "~" "=ls" "\$(touch pwned)"; do
    mapstone check "$f" -o "x*" --only "x*(N)"; given check "$f" -o "x*" --only "x*(N)"
done'
eval 'mapstone check x*; given check x1 x2; mapstone get x1 "objects[0]"; given get x1 "objects[0]"'
END
    test_that "zsh expands nothing that is quoted" env MAPSTONE=true PATH="$PWD/stub:$PATH" zsh -f quoted.zsh
    cat >brackets.zsh <<'END'
zmodload zsh/zpty || exit 0
zpty -b shell zsh -fi
enter() { zpty -w shell "$1"; sleep 0.3 }
asked() { # WORD...: mapstone is given these, before long
    for i in {1..50}; do
        [[ -s asked && "$(<asked)" == "${(F)@}" ]] && rm asked && return
        sleep 0.1
    done
    echo "not: $*"; cat asked; exit 1
}
enter 'compdef() { : }; source ./out; f="*(e:touch pwned:)"'
enter 'mapstone get x1 objects[0].a'; asked get x1 'objects[0].a'
enter ' mapstone set -i "$f" objects[1]=2'; asked set -i '*(e:touch pwned:)' 'objects[1]=2'
enter 'mapstone check "$f" x* -o "x*"'; asked check '*(e:touch pwned:)' x1 x2 -o 'x*'
enter exit
[[ ! -e pwned ]]
END
    rm -f asked
    test_that "zsh takes brackets of paths without quotes" env MAPSTONE=true PATH="$PWD/stub:$PATH" zsh -f brackets.zsh
    rm -rf stub asked x1 x2
fi
if command -v fish >/dev/null; then
    cat >paths.fish <<'END'
source ./out
function completes # TO LINE
    complete -C $argv[2] | string match -qr -- '^'(string escape --style=regex -- $argv[1])'(\t|$)'
    or begin; echo $argv[2]; complete -C $argv[2]; exit 1; end
end
completes --strict 'mapstone check --str'
completes roundtrip 'mapstone ro'
completes ns2-level 'mapstone convert -t ns2-l'
completes mesh.triangles 'mapstone get whole.level mesh.tri'
completes 'objects[0]' 'mapstone get --json whole.level objects['
completes 'objects[0].class_name' 'mapstone set -i whole.level objects[0].cla'
completes mesh 'mapstone tree whole.level me'
completes whole.level 'mapstone get whole'
test -z (complete -C 'mapstone get no-such.level mesh.tri' | string collect)
END
    test_that "fish completes options, commands, formats and paths in files" all_of 'exits 0 help --completion fish' \
        'env HOME="$PWD" PATH="$(dirname "$mapstone"):$PATH" fish --no-config paths.fish'
    cat >names.fish <<'END'
source ./out
for one in -dash.level --help.level --output=pwned '*(e:touch pwned:)' '$(touch pwned).level' '(touch pwned)' '~' 'a b.level' ';touch pwned' -n
    cp whole.level "./$one"
    set -l line "mapstone get -- "(string escape -- $one)" mesh.tri"
    complete -C $line | string match -qr '^mesh.triangles'; and not test -e pwned
    or begin; echo $one; complete -C $line; exit 1; end
    rm "./$one"
end
END
    test_that "fish asks for names after --, whatever they are" all_of 'exits 0 help --completion fish' \
        'env HOME="$PWD" PATH="$(dirname "$mapstone"):$PATH" fish --no-config names.fish'
fi
if command -v groff >/dev/null; then
    test_that "groff has no complaint" all_of 'exits 0 help --man' 'groff -man -Tutf8 -ww out 2>groff.err >/dev/null' '[ ! -s groff.err ]' \
        'exits 0 help --man git-setup' 'groff -man -Tutf8 -ww out 2>groff.err >/dev/null' '[ ! -s groff.err ]'
fi

# ---- identify --------------------------------------------------------------------------------------
test_that "identify says format, version and title" all_of 'exits 0 identify a.level' \
    'says "^a\.level: ns2-level version 10, Natural Selection 2 level$"' '[ ! -s err ]'
test_that "identify reads stdin" all_of '"$mapstone" identify - <a.level >out' 'says "^-: ns2-level version 10"'
test_that "a file named outright that is unknown" all_of 'exits 1 identify a.level stranger.txt' \
    'says "^stranger\.txt: unknown"' 'says "^a\.level: ns2-level"'
test_that "the rest of a directory is skipped" all_of 'exits 0 identify set' 'last_line out "2 files: 2 known, 0 damaged, 2 skipped"'
test_that "identify --json" all_of 'exits 1 identify --json a.level stranger.txt' 'says "\"format\":\"ns2-level\".*\"version\":10"' \
    'says "\"format\":null"'
test_that "a damaged file is named, and damaged" all_of 'exits 4 identify cut.level' 'says "^cut\.level: ns2-level.* damaged"'

# ---- info ------------------------------------------------------------------------------------------
test_that "info has the size and SHA-256" all_of 'exits 0 info a.level' "says 'size +$size bytes'" \
    'says "$(sha256sum a.level | cut -d" " -f1)"' 'says " 2 location"' 'says "understood +100\.00 %"'
test_that "info --json" all_of 'exits 0 info --json a.level' 'says "\"location\":2"' "says '\"size\":$size,'" '[ "$(wc -l <out)" -eq 1 ]'
test_that "info names what is not understood" all_of \
    '{ printf "CGSR\0\0\0\1\220\1\0\0\220\1\0\0\124\0\0\0\1\0\0\0\1\0\0\0"; head -c 76 /dev/zero; printf "\60\0\0\0"; head -c 396 /dev/zero; } >third.i3d' \
    'exits 0 info third.i3d' 'says "^  not understood data, 400 bytes: copied as it is$"' 'exits 0 info --json third.i3d' \
    'says "\"not_understood\":\"data\",\"not_understood_bytes\":400"' 'exits 0 info a.level' '! grep -q "not understood" out' \
    'exits 0 check third.i3d' 'says "third kind.*REV-IMAGE-MODEL"'
test_that "info of a directory ends with a sum" all_of 'exits 0 info set' \
    "last_line out '2 files: 2 opened, 0 damaged, 2 skipped; $((2 * size)) bytes, understood 100.00 %'"
for length in 0 1 55 56 63 64 65 119 120 128 1000; do
    head -c $length /dev/zero | tr '\0' x >"hashed"
    { printf '{"$format":"ns2-level","version":10,"objects":[{"has_layers":false,"group":0,"extras":[],"properties":[],"class_name":"'
      cat hashed
      printf '"}]}'; } >hash.json
    test_that "SHA-256 with $length more bytes" all_of 'exits 0 convert hash.json -o hash.level' 'exits 0 info hash.level' \
        'says "$(sha256sum hash.level | cut -d" " -f1)"'
done

# ---- tree and get ----------------------------------------------------------------------------------
test_that "tree shows names and values" all_of 'exits 0 tree a.level' 'says "^version: 10$"' 'says "^objects\[1\] location$"' \
    'says "value: \[1\.5, 2\.5, -3\.5\]"'
test_that "tree --offsets covers the file" all_of 'exits 0 tree --offsets a.level' 'says "^0x00000003 +1  version: 10"' 'says "\(chunk\)"'
test_that "tree --hex" all_of 'exits 0 tree --hex a.level' 'says "^4c 56 4c .*magic"'
test_that "tree --depth" all_of 'exits 0 tree --depth 1 a.level' 'says "^objects\[2\]"' '! grep -q class_name out'
test_that "tree of a path" all_of 'exits 0 tree a.level "objects[class_name=location]"' 'says "^objects\[1\] location"' 'says "^objects\[2\] location"' \
    '! grep -q gamerules out'
test_that "tree of a path that is not there" all_of 'exits 3 tree a.level nowhere' 'complains nowhere'
test_that "tree of a directory" all_of 'exits 2 tree set' 'complains "set is a directory"'
test_that "get prints plain lines" all_of 'exits 0 get a.level version "objects[0].class_name"' '[ "$(cat out)" = "10
ns2_gamerules" ]'
test_that "get prints text raw" all_of 'exits 0 get a.level "objects[1].properties[name=name].value[0]"' \
    '[ "$(head -n 1 out)" = "Hub, \"A\"" ]'
test_that "get prints lists as JSON" all_of 'exits 0 get -c a.level "objects[0].properties[0].value"' 'says "^\[1\.5,2\.5,-3\.5\]$"'
test_that "get --json quotes" all_of 'exits 0 get --json a.level "objects[0].class_name"' 'says "^\"ns2_gamerules\"$"'
test_that "get --raw gives bytes" all_of 'exits 0 get --raw a.level "objects[0].class_name"' '[ "$(cat out)" = ns2_gamerules ]' \
    '[ "$(wc -c <out)" -eq 13 ]'
test_that "get of a path that is not there" all_of 'exits 3 get a.level version "objects[99]"' 'says "^10$"' 'complains "objects.99"'

# ---- set -------------------------------------------------------------------------------------------
test_that "set changes four bytes" all_of 'exits 0 set a.level "objects[0].properties[name=origin].value[0]=12.34" -o b.level' \
    'complains "^b\.level: 4 bytes changed"' '[ ! -s out ]' '[ "$(cmp -l a.level b.level | wc -l)" -eq 4 ]'
test_that "the = in brackets is not the assignment" all_of 'exits 0 set a.level --each "objects[class_name=location].class_name=place" -o b.level' \
    'exits 0 get b.level "objects[1].class_name"' 'says "^place$"' 'exits 0 roundtrip b.level'
test_that "what stands for several is changed on request" all_of 'exits 2 set a.level "objects[class_name=location].class_name=place" -o b.level' \
    'complains "stands for 2 values" "objects\[1\].class_name, objects\[2\].class_name"' \
    'exits 0 set a.level --each --remove "objects[class_name=location]" -o b.level' 'exits 0 get b.level "objects[*].class_name"' \
    '! grep -q location out'
test_that "blanks around the assignment" all_of 'exits 0 set a.level "objects[0].class_name = my place" -o b.level' \
    'exits 0 get b.level "objects[0].class_name"' 'says "^my place$"' 'exits 0 set a.level "objects[0].class_name= place" -o b.level' \
    'exits 0 get b.level "objects[0].class_name"' 'says "^ place$"' 'exits 2 set a.level " = place" -o b.level' 'complains "PATH=VALUE"'
test_that "the last element" all_of 'exits 0 set a.level "objects[-1].class_name=5" -o b.level' 'exits 0 get b.level "objects[-1].class_name"' \
    'says "^5$"' 'exits 0 tree b.level "objects[-1]"' 'exits 3 get a.level "objects[-9999]"' 'complains "to -1"'
test_that "one value, and no more" all_of 'rm -f n.level' 'exits 2 set a.level "objects[0].class_name=\"a\",\"group\":1" -o n.level' 'complains "one JSON value"' \
    '[ ! -e n.level ]'
test_that "set to stdout, get from stdin" all_of '"$mapstone" set -q a.level "objects[0].class_name=x" -o - | "$mapstone" get - "objects[0].class_name" >out' \
    'says "^x$"'
test_that "a file of no known format is said once" all_of 'head -c 40 /dev/zero >zeros.bin' 'exits 1 set zeros.bin a=1 -o b.bin' \
    'complains "no known format"' '[ "$(wc -l <err)" = 1 ]' '[ ! -e b.bin ]'
test_that "set needs -o or -i" all_of 'exits 2 set a.level version=10' 'complains "-o FILE"' 'cmp a.level whole.level'
test_that "-o is not the input" all_of 'exits 2 set a.level "objects[0].class_name=x" -o ./a.level' 'cmp a.level whole.level'
size_of_level=$(wc -c <a.level)
limited() { # SIZE CODE: the level through a pipe
    cat a.level | "$mapstone" check --input-limit "$1" - >out 2>err
    [ $? -eq "$2" ] || { cat out err; return 1; }
}
test_that "what has no end is read to a limit" all_of 'limited $size_of_level 0' 'limited 8192 0' 'limited 1G 0' 'limited $((size_of_level - 1)) 2' \
    'complains "it has more than $((size_of_level - 1)) bytes; --input-limit allows more"' 'limited 1 2' 'exits 0 check --input-limit 1 a.level' \
    '{ cat a.level && yes; } | "$mapstone" identify --input-limit 64K - 2>err >out; [ $? -eq 2 ]' 'complains "more than 65536 bytes"' \
    'exits 2 check --input-limit 1M --schema /dev/zero a.level' 'complains "/dev/zero: it has more than 1048576 bytes"' \
    'exits 2 check --input-limit 1X a.level' 'complains "is not a size"' \
    'mkfifo pipe && { cat a.level >pipe & } && exits 2 dump --input-limit 10 pipe; rm pipe; wait'
test_that "stdin cannot be changed in place" exits 2 set -i - version=10

# ---- edit ------------------------------------------------------------------------------------------
test_that "operations of arguments and scripts" all_of \
    'printf "# names\n\nobjects[0].class_name = one\nduplicate objects[0]\n" >plan' \
    'exits 0 edit a.level -s plan -e "objects[1].class_name += -two" -e "move objects[1] to 0" -o b.level' \
    'exits 0 get b.level "objects[0].class_name" "objects[1].class_name"' 'says "^one-two$"' 'says "^one$"'
test_that "a dry run writes nothing" all_of 'exits 0 edit a.level --dry-run -e "objects[0].class_name = one" -e "remove objects[0]"' \
    'says "^- objects\[0\] "' 'cmp a.level whole.level' \
    'exits 0 edit -i a.level --dry-run -e "objects[0].class_name = one"' 'cmp a.level whole.level'
test_that "an edit can be taken back" all_of 'cp a.level u.level' 'exits 0 edit -i u.level --undo u.mspatch -e "duplicate objects[1]" -e "remove objects[0]"' \
    '! cmp -s u.level a.level' 'cp u.level done.level' 'exits 0 patch -i --reverse u.level u.mspatch' 'cmp u.level a.level' \
    'exits 0 patch -i u.level u.mspatch' 'cmp u.level done.level' 'exits 0 set u.level "objects[0].class_name=x" --undo v.mspatch -o v.level' \
    'exits 0 patch -R v.level v.mspatch -o w.level' 'cmp w.level u.level'
test_that "what takes an edit back is a file of its own" all_of 'exits 2 edit -i u.level --undo u.level -e "remove objects[0]"' 'complains "u\.level is the level"' \
    'exits 2 edit u.level --undo v.level -o v.level -e "remove objects[0]"' 'exits 2 edit -i u.level --undo - -e "remove objects[0]"' \
    'exits 2 edit -i u.level --undo nowhere/u.mspatch -e "remove objects[0]"' 'cmp u.level done.level' \
    'exits 3 edit -i u.level --undo x.mspatch -e "remove objects[99]"' '[ ! -e x.mspatch ]'
test_that "-f is the format, not force" all_of 'exits 2 set a.level -f "objects[0].class_name=x" -o b.level' 'complains "force has no letter"'
test_that "an edit needs operations, and somewhere to go" all_of 'exits 2 edit a.level -o b.level' 'complains "give operations"' \
    'exits 2 edit a.level -e "remove objects[0]"' 'complains "-o FILE"'
test_that "what is no operation" all_of 'exits 2 edit a.level -e "objects[0]" -o b.level' 'complains "PATH=VALUE"' \
    'printf "remove objects[0]\nmove objects[1]\n" >plan' 'exits 2 edit a.level -s plan -o b.level' 'complains "plan: line 2:"' \
    'exits 2 edit a.level -s no-such-plan -o b.level' 'cmp a.level whole.level'
test_that "all operations or none" all_of 'cp a.level c.level' 'exits 3 edit -i c.level -e "remove objects[0]" -e "remove objects[9999]"' \
    'cmp a.level c.level'
test_that "set -i --backup keeps the old file" all_of 'cp a.level i.level' 'exits 0 set -i --backup i.level "objects[0].class_name=y"' 'cmp a.level i.level~' '! cmp -s a.level i.level' \
    'exits 2 set --backup a.level -o i.level version=10' 'mv i.level j.level' \
    'exits 0 edit -i --backup j.level -e "set objects[0].class_name=z"' 'exits 0 get j.level~ "objects[0].class_name"' 'says "^y$"' 'rm i.level~ j.level j.level~'
test_that "fix sets right what only one value can be" all_of 'cp a.level f.level' 'exits 0 set -q --force -i f.level mesh.triangles.triangle_count=9999' \
    'exits 0 fix f.level --dry-run' 'complains "NS2-TRIANGLE-COUNT: mesh.triangles.triangle_count: 9999 -> "' 'complains "1 value would be mended"' \
    'cp out dry.txt' 'exits 1 diff f.level a.level' 'cmp out dry.txt' '[ -s out ]' \
    'exits 2 fix f.level' 'complains "-o FILE"' 'exits 0 fix f.level --dry-run -i' 'exits 0 fix f.level -o g.level' 'cmp a.level g.level' \
    'exits 0 fix -i f.level --ignore "NS2-*"' 'complains "0 values mended"' 'exits 2 fix -i f.level --only NO-CODE' \
    'exits 0 fix -i --backup f.level --only NS2-TRIANGLE-COUNT' 'cmp a.level f.level' 'exits 0 get f.level~ mesh.triangles.triangle_count' 'says "^9999$"' \
    'exits 0 fix -q f.level -o g.level' 'cmp a.level g.level' '[ ! -s err ]' 'rm f.level f.level~ g.level'
test_that "codes that are mended are marked" all_of 'exits 0 check --codes ns2-level' 'says "^NS2-TRIANGLE-COUNT .*; fix sets it to the sum"' \
    'exits 0 check --codes ns2-level --json' 'says "\"fix\":\"sets it to the sum"'
test_that "-i and -o exclude each other" exits 2 set -i a.level -o b.level version=10
test_that "set -i keeps permissions" all_of 'cp a.level i.level' 'chmod 640 i.level' 'exits 0 set -i i.level "objects[0].class_name=y"' \
    '[ "$(stat -c %a i.level)" = 640 ]' 'exits 0 get i.level "objects[0].class_name"' 'says "^y$"'
test_that "insert and remove in the order given" all_of \
    'exits 0 set a.level --force --remove "objects[0]" --insert "objects[0]={\"has_layers\":false,\"group\":1,\"class_name\":\"new\",\"properties\":[],\"extras\":[]}" "objects[1].class_name=second" -o b.level' \
    'exits 0 get b.level "objects[0].class_name" "objects[1].class_name"' '[ "$(cat out)" = "new
second" ]' 'exits 0 roundtrip --json-too b.level'
test_that "other names of a file keep what it was, which is said" all_of 'cp a.level i.level' 'ln i.level linked.level' \
    'exits 0 set -qi i.level "objects[0].class_name=z"' 'complains "warning: i.level had 1 other name .hard links., which still has the old content"' \
    'cmp linked.level a.level' 'exits 0 set -qi i.level "objects[0].class_name=y"' '[ ! -s err ]' 'rm linked.level'
# Whoever comes second does not take away what the first did: it says so, and one of them can try again.
edit_at_once() {
    for i in 1 2 3 4 5 6 7 8; do
        cp a.level i.level
        "$mapstone" set -qi i.level "objects[0].class_name=first" 2>/dev/null &
        one=$!
        "$mapstone" set -qi i.level "objects[1].class_name=second" 2>err
        other_code=$?
        wait $one
        one_code=$?
        case $one_code$other_code in 00 | 05 | 50) ;; *) return 1 ;; esac
        [ $one_code -ne 0 ] || [ "$("$mapstone" get i.level "objects[0].class_name")" = first ] || return 1
        [ $other_code -ne 0 ] || [ "$("$mapstone" get i.level "objects[1].class_name")" = second ] || return 1
        [ $other_code -eq 0 ] || complains "i.level (was changed|is being written) by another program.* nothing was written" || return 1
    done
}
test_that "of two edits at the same time none is lost" edit_at_once
# A file that may not be written stays, although its directory would let it be replaced.
as_nobody() { # as somebody whom modes concern
    if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi
}
protected() {
    chmod 711 . && mkdir -p kept && chmod 777 kept && cp a.level kept/i.level && chmod 444 kept/i.level || return 1
    as_nobody "$mapstone" set -i kept/i.level "objects[0].class_name=z" 2>err
    [ $? -eq 2 ] && complains "cannot write kept/i.level: Permission denied" && cmp kept/i.level a.level || return 1
    chmod 666 kept/i.level && as_nobody "$mapstone" set -i kept/i.level "objects[0].class_name=z" 2>err && ! cmp -s kept/i.level a.level && rm -rf kept
}
if as_nobody "$mapstone" --version >/dev/null 2>&1; then
    test_that "write protection is heeded" protected
else
    echo "# skipped: write protection (root needs setpriv for it)"
fi
test_that "all changes or none" all_of 'cp a.level i.level' 'exits 3 set -i i.level "objects[0].class_name=z" nowhere=1' 'cmp i.level a.level'
test_that "what follows from the rest is not set" all_of 'rm -f n.level' 'exits 5 set a.level version=7 -o n.level' 'complains version' '[ ! -e n.level ]'
test_that "a value that does not fit" all_of 'rm -f n.level' '! "$mapstone" set a.level "objects[0].group=word" -o n.level 2>err' '[ ! -e n.level ]'

# ---- check -----------------------------------------------------------------------------------------
test_that "check of a cut file" all_of 'exits 4 check cut.level' 'says "^error: cut\.level:0x[0-9a-f]{4,}: .*\[NS2-"' \
    'says "^1 file: 0 ok, 0 with errors, 1 damaged, 0 skipped; 0 errors, 0 warnings$"'
test_that "check goes on after a bad file" all_of 'exits 4 check cut.level a.level' 'says "^2 files: 1 ok"'
property='{"name": "origin", "type": "distance", "animated": false, "value": [0, 0, 0]}'
{
    printf '{"$format": "ns2-level", "version": 10, %s, "objects": [' "$mesh"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        [ $i = 1 ] || printf ', '
        printf '{"has_layers": false, "group": 4294967295, "class_name": "x", "extras": [], "properties": [%s, %s]}' \
            "$property" "$property"
    done
    printf ']}'
} >twice.json
test_that "warnings alone do not fail" all_of 'exits 0 convert twice.json -o twice.level' 'exits 0 check twice.level' \
    'says "^1 file: 1 ok, 0 with errors, 0 damaged, 0 skipped; 0 errors, 12 warnings$"'
test_that "at most ten of a code and file" all_of 'exits 0 check twice.level' \
    '[ "$(grep -c "^warning: twice\.level:0x[0-9a-f]*: objects.*\[NS2-DUPLICATE-PROPERTY\]$" out)" -eq 10 ]' \
    'says "^twice\.level: \.\.\. and 2 more NS2-DUPLICATE-PROPERTY$"'
test_that "check --all and --json have all" all_of 'exits 0 check --all twice.level' '[ "$(grep -c "\[NS2-DUPLICATE-PROPERTY\]" out)" -eq 12 ]' \
    'exits 0 check --json twice.level' '[ "$(grep -c "\"code\":\"NS2-DUPLICATE-PROPERTY\",\"offset\"" out)" -eq 12 ]' \
    '[ "$(wc -l <out)" -eq 13 ]' \
    'tail -n 1 out | grep -q "\"warnings\":12,.*\"codes\":\[{\"code\":\"NS2-DUPLICATE-PROPERTY\",\"severity\":\"warning\",\"count\":12,\"files\":1}\]}$"'
test_that "the end says how often each code occurred" all_of 'exits 0 check twice.level twice.level' \
    'says "^ +24 warning NS2-DUPLICATE-PROPERTY in 2 files$"' 'exits 0 check -q twice.level' '! grep -q "in 1 file" out' \
    'exits 0 check a.level' '! grep -q "in 1 file" out'
test_that "findings are picked by code" all_of 'exits 1 check --strict --only ns2-duplicate-property twice.level' 'says "12 warnings$"' \
    'exits 0 check --strict --ignore "NS2-DUP*" twice.level' '! grep -q DUPLICATE out' 'says "0 warnings$"' \
    'exits 0 check --strict --only NS2-LOOP-OPEN --only "NS2-EDGE-*,NS2-FACE-???*" twice.level' 'exits 0 check --only NS2-DUPLICATE-PROPERTY --ignore "*" twice.level' \
    '! grep -q DUPLICATE out' 'exits 0 check --only NS2-PLAYABLE a.level' 'says "^information: .*NS2-PLAYABLE"' \
    'exits 0 check --only "NS2-PLAY*" a.level' '! grep -q "^information" out' 'exits 4 check --only NS2-PLAYABLE --ignore "*" cut.level' 'says NS2-CHUNK-OVERRUN'
test_that "codes that there are not" all_of 'exits 2 check --only NS2-DUPLICATE-PROPERTI a.level' 'complains "not a code; did you mean .NS2-DUPLICATE-PROPERTY"' \
    'exits 2 check --ignore "NS2-X*" a.level' 'complains "no code matches .NS2-X"' 'exits 2 check --ignore qqqq a.level' 'exits 2 check --only , a.level'
test_that "a baseline has what is known" all_of 'exits 0 check --write-baseline known.txt twice.level' '! grep -q "^warning" out' \
    '[ "$(grep -c "^twice.level	NS2-DUPLICATE-PROPERTY	objects" known.txt)" -eq 12 ]' 'LC_ALL=C sort -c known.txt' 'exits 0 check --strict --baseline known.txt ./twice.level' \
    'last_line out "1 file: 1 ok, 0 with findings, 0 damaged, 0 skipped; 0 errors, 0 warnings, 12 in the baseline"' '[ ! -s err ]' \
    'exits 0 check --strict --json --baseline known.txt twice.level' 'says "^{\"files\":1,.*\"in_baseline\":12,\"codes\":\[\]}$"' \
    'exits 0 check -q --write-baseline - .//twice.level' 'cmp out known.txt'
test_that "a baseline holds when bytes move" all_of 'cp twice.level moved.level' 'mkdir -p moved' 'cp twice.level moved/twice.level' \
    'exits 0 set -i moved/twice.level "objects[0].class_name=much_longer_than_before"' '(cd moved && "$mapstone" check --strict --baseline ../known.txt twice.level)' \
    'exits 0 set -i moved/twice.level "objects[3].properties[1].name=angles"' '(cd moved && "$mapstone" check --strict --baseline ../known.txt twice.level) >out 2>err' \
    'says "0 warnings, 11 in the baseline"' 'complains "^information: 1 finding of the baseline no longer occurs"'
test_that "a baseline hides nothing else" all_of 'grep -v "objects.5." known.txt >less.txt' 'exits 1 check --strict --baseline less.txt twice.level' \
    '[ "$(grep -c "^warning" out)" -eq 1 ]' 'says "1 warning, 11 in the baseline"' 'cp twice.level other.level' 'exits 1 check --strict --baseline known.txt other.level' \
    'says "12 warnings, 0 in the baseline"' '[ ! -s err ]' 'exits 1 check --strict --baseline known.txt twice.level twice.level' 'says "12 warnings, 12 in"' \
    'exits 4 check --baseline known.txt cut.level'
test_that "baselines that are none" all_of 'exits 2 check --baseline nowhere.txt a.level' 'echo "a.level NS2-X" >bad.txt' 'exits 2 check --baseline bad.txt a.level' \
    'complains "not a line of a baseline"' 'printf "# comment\r\n\r\n" >empty.txt' 'exits 0 check --baseline empty.txt a.level' \
    'exits 2 check --write-baseline nowhere/x.txt a.level' 'cp known.txt kept.txt' 'exits 2 check --write-baseline kept.txt nowhere.level' 'cmp kept.txt known.txt'
test_that "check --strict fails with warnings" all_of 'exits 1 check --strict twice.level a.level' 'says "^2 files: 0 ok, 2 with findings"'
test_that "check --information says more" all_of 'exits 0 check --information a.level' 'says "^information: a\.level"'
test_that "a schema knows classes" all_of \
    "echo '<setup><class name=\"ns2_gamerules\"/></setup>' >setup.xml" 'exits 0 check --schema setup.xml a.level' \
    'says "NS2-CLASS-UNKNOWN"'
test_that "check --json is JSON" all_of 'exits 4 check --json cut.level' 'says "^\{\"file\":\"cut\.level\",\"severity\":\"error\""'
test_that "check --codes" all_of 'exits 0 check --codes ns2-level' 'says "^NS2-CHUNK-OVERRUN +error"'
test_that "check of nothing" all_of 'exits 2 check nowhere.level' 'complains "nowhere\.level: .*No such file"'
test_that "a schema that is not there" exits 2 check --schema nowhere.xml a.level

# ---- dump and convert ------------------------------------------------------------------------------
awk -v mesh="$mesh" 'BEGIN { for (i = 0; i < 256; i++) row = row "7f"
    for (i = 0; i < 64; i++) side = side (i ? "," : "") "\"" row "\""
    for (i = 0; i < 6; i++) cube = cube (i ? ",[" : "[") side "]"
    printf "{\"$format\": \"ns2-level\", \"version\": 10, %s, \"objects\": [{\"has_layers\": false,", mesh
    printf "\"group\": 4294967295, \"class_name\": \"reflection_probe\", \"properties\": [],"
    printf "\"extras\": [{\"name\": \"reflection_probe_cubemap\", \"cubemap\": [%s]}]}]}\n", cube }' >probe.json
test_that "what a reflection probe has seen, as pictures" all_of 'exits 0 convert probe.json -o probe.level' \
    'exits 0 info probe.level' 'says "images +6 \\(probe_0_side_0 64 x 64"' 'exits 0 roundtrip --json-too probe.level'
test_that "the sides of a cube go to a directory" all_of 'exits 0 convert probe.level -o probes/' \
    '[ "$(ls probes | wc -l)" -eq 6 ]' '[ -s probes/probe_0_side_5.png ]' \
    'exits 5 set probe.level --image probe_0_side_0=probes/probe_0_side_0.png -o b2.level' 'complains "cannot be replaced"' '[ ! -e b2.level ]'
test_that "dump | convert is the identity" all_of \
    '"$mapstone" dump a.level | "$mapstone" convert - -f json -t ns2-level -o b.level' 'cmp a.level b.level'
test_that "the same on one line, JSON recognised" all_of \
    '"$mapstone" dump --compact a.level | "$mapstone" convert - -t ns2-level >b.level' 'cmp a.level b.level'
test_that "dump -o and --path" all_of 'exits 0 dump a.level -o d.json' '[ ! -s out ]' 'exits 0 dump -c --path "objects[0].class_name" a.level' \
    'says "^\"ns2_gamerules\"$"' 'exits 3 dump --path nowhere a.level'
test_that "dump does not overwrite its input" all_of 'exits 2 dump a.level -o a.level' 'cmp a.level whole.level'
test_that "the native format to itself" all_of 'exits 0 convert a.level -o c.level' 'cmp a.level c.level'
test_that "many inputs need a directory" all_of 'exits 2 convert set -t json' 'complains "-o DIR/"' 'exits 2 convert a.level b.level -t json -o x.json'
test_that "a directory keeps its shape" all_of 'exits 0 convert set -t json -o made/' '[ -s made/a.json ]' '[ -s made/sub/b.json ]' \
    '[ "$(find made -type f | wc -l)" -eq 2 ]' 'complains "^2 files: 2 converted, 0 damaged, 2 skipped$"'
test_that "inputs that share a name stay apart" all_of 'mkdir -p twins' 'cp a.level twins/x.level' 'cp a.level twins/x.map' \
    'exits 0 convert twins -t json -o apart/' '[ -s apart/x.level.json ]' '[ -s apart/x.map.json ]'
test_that "where to, and what, must be said" all_of 'exits 2 convert a.level' 'exits 2 convert a.level -o b.xyz' 'complains "xyz"'
test_that "one native format is not another" all_of 'exits 2 convert a.level -o one.map' '[ ! -e one.map ]'
test_that "JSON that is none" all_of 'printf "{\"\$format\": \"ns2-level\", " >bad.json' '! "$mapstone" convert bad.json -o bad.level 2>err' \
    '[ ! -e bad.level ]'
test_that "glb" all_of 'exits 0 convert a.level -o a.glb' '[ "$(head -c 4 a.glb)" = glTF ]'
test_that "gltf with its binary part beside it" all_of 'exits 0 convert a.level -o "a b.gltf"' '[ -e "a b.bin" ]' \
    'grep -q "a%20b.bin" "a b.gltf"' '! grep -q "data:application" "a b.gltf"'
test_that "as many lights as other programs show" all_of \
    'printf "{\"\$format\": \"ns2-level\", \"version\": 10, \"objects\": [" >lit.json' \
    'comma=; for n in $(seq 49); do printf "%s{\"has_layers\": false, \"group\": \"none\", \"class_name\": \"light_point\", \"extras\": [],
     \"properties\": [{\"name\": \"intensity\", \"type\": \"real\", \"animated\": false, \"value\": [$n]}]}" "$comma"; comma=,; done >>lit.json' \
    'echo "]}" >>lit.json' 'exits 0 convert lit.json -o lit.glb' 'complains "lit.json: the dimmest 17 of 49 lights are left out; --lights all"' \
    '[ "$(grep -ao "\"extensions\":{\"KHR_lights_punctual\":{\"light\":" lit.glb | wc -l)" -eq 32 ]' \
    'for n in 0:0 9:9 49:49 all:49; do exits 0 convert --lights ${n%:*} lit.json -o lit.glb && [ ! -s err ] &&
    [ "$(grep -ao "\"extensions\":{\"KHR_lights_punctual\":{\"light\":" lit.glb | wc -l)" -eq ${n#*:} ] || return 1; done' \
    'exits 2 convert --lights some lit.json -o lit.glb' 'complains "neither a number of lights nor all"' \
    'exits 2 convert --lights 1x lit.json -o lit.glb' 'exits 2 convert --lights -1 lit.json -o lit.glb'
test_that "check says whether the two parts belong together" all_of 'mkdir parts' 'exits 0 convert a.level -o parts/a.gltf' \
    'exits 0 check --strict parts/a.gltf' 'says "^1 file: 1 ok"' 'cp parts/a.bin kept.bin' 'head -c 20 kept.bin >parts/a.bin' 'exits 1 check parts' \
    'says "error: parts/a.gltf: buffers.0.: a.bin has another size .*expected $(wc -c <kept.bin) bytes, found 20.*GLTF-BUFFER\]"' \
    'exits 0 check --ignore GLTF-BUFFER parts' 'cat kept.bin kept.bin >parts/a.bin' 'exits 0 check parts' 'says GLTF-BUFFER-LONGER' \
    'exits 1 check -s parts' 'rm parts/a.bin' 'exits 1 check parts/a.gltf' 'says "a.bin is not there"' 'exits 0 check --codes gltf' \
    'says "^GLTF-BUFFER +error"' 'echo "{" >parts/a.gltf' 'exits 4 check parts/a.gltf' 'exits 0 check a.level' 'rm -r parts kept.bin'
# The pictures of meet/a.BIN go to meet-out/a/, as does the one of meet/a/page_0.MAP.
mkdir -p meet/a meet-out
"$mapstone" convert "$here/../../samples/bunker-textures.json" -o meet/a.BIN && "$mapstone" convert "$here/../../samples/bunker.json" -o meet/a/page_0.MAP
one_is_refused() { # the other one is there, whichever came first
    exits 5 convert "$@" meet -t png -o meet-out/ && complains "^error: .*: meet-out/a/page_0.png was already written from meet/a" &&
        complains "^2 files: 1 converted" && [ "$(ls meet-out/a | wc -l)" -ge 1 ] && rm -r meet-out/a
}
test_that "two inputs do not become one file" all_of one_is_refused 'one_is_refused -j 2' \
    'exits 0 convert meet/a.BIN -t png -o meet-out/' 'rm -r meet-out meet'
test_that "nor do they by way of a link" all_of 'mkdir -p meet/p meet/q meet-out/p' 'ln -s p meet-out/q' 'cp a.level meet/p/x.level' 'cp a.level meet/q/x.level' \
    'exits 2 convert meet -t json -o meet-out/' 'complains "meet-out/q is a symbolic link"' 'exits 0 convert meet-out/p/x.json -o x.level' \
    'cmp x.level a.level' 'exits 2 render meet -o meet-out/' 'complains "meet-out/q is a symbolic link"' 'exits 2 convert -t gltf meet -o meet-out/' 'rm -r meet-out meet x.level'
test_that "a name that is not UTF-8 is not taken for it" all_of 'odd=$(printf "x\355\240\200y")' 'even=$(printf "x\355\237\277\356\200\200y")' \
    'cp a.level $odd.level' 'cp a.level $even.level' 'exits 0 info --json $odd.level' \
    'grep -qF "\"file\":\"$(printf "x\357\277\275\357\277\275\357\277\275y").level\"" out' 'exits 0 info --json $even.level' \
    'grep -qF "\"file\":\"$even.level\"" out' 'rm $odd.level $even.level'
test_that "the two parts do not have one name" all_of 'exits 2 convert a.level -t gltf -o same.bin' \
    'complains "two files would be written to same.bin"' '[ ! -e same.bin ]' 'nothing_left'
too_large() { # a file that may not grow further, and one that may not exist for want of room
    (ulimit -f 1; "$mapstone" convert a.level -o large.glb 2>err; [ $? -eq 2 ]) && complains "cannot write large.glb" && nothing_left && [ ! -e large.glb ]
}
test_that "a file that may not be so large is not written" too_large
# On a disk where one of two fits and the other does not, both stay as they were.
full_disk() {
    mkdir -p tiny
    "$mapstone" convert "$here/../../samples/outpost.json" -o outpost.level && "$mapstone" convert a.level -o tiny-old.gltf || return 1
    unshare -m sh -c 'set -e
        mount -t tmpfs -o size=300k none tiny
        cp tiny-old.gltf tiny/b.gltf && cp tiny-old.bin tiny/b.bin
        head -c 250000 /dev/zero >tiny/filler
        code=0; "$1" convert outpost.level -o tiny/b.gltf 2>err || code=$?
        [ $code -eq 2 ] && grep -q "cannot write tiny/b" err
        cmp tiny-old.gltf tiny/b.gltf && cmp tiny-old.bin tiny/b.bin
        [ "$(ls -A tiny | wc -l)" -eq 3 ]' sh "$mapstone"
}
if unshare -m sh -c 'mount -t tmpfs -o size=300k none /mnt' 2>/dev/null; then
    test_that "a full disk leaves both parts as they were" full_disk
else
    echo "# skipped: a full disk (needs root)"
fi
test_that "the binary part does not go over an input" all_of 'cp a.level in.bin' 'exits 2 convert in.bin -o in.gltf' \
    'complains "in\.bin is an input"' 'cmp in.bin a.level' '[ ! -e in.gltf ]' 'exits 0 convert --embed in.bin -o in.gltf'
test_that "an output is none of the other inputs" all_of 'mkdir -p again/out' 'cp a.level again/' \
    'exits 0 convert again -t json -o again/out' 'exits 2 convert again -t json -o again/out' 'complains "is an input"'
test_that "gltf to stdout has it within" all_of 'exits 0 convert a.level -t gltf' 'says "\"asset\""'

# ---- where to, without -o --------------------------------------------------------------------------
test_that "the second of two operands may be a directory" all_of 'exits 0 convert a.level place/ -t json' '[ -s place/a.json ]' \
    'mkdir -p here' 'exits 0 convert set here -t json' '[ -s here/sub/b.json ]'
test_that "or a new file" all_of 'exits 0 convert a.level second.glb' '[ "$(head -c 4 second.glb)" = glTF ]' 'exits 2 convert a.level second.xyz'
test_that "but no file that is there" all_of 'echo old >there.level' 'exits 2 convert a.level there.level' '[ "$(cat there.level)" = old ]'
test_that "a level has no pictures" all_of 'exits 2 convert a.level pictures/' 'complains "no images"' '[ ! -e pictures ]' \
    'exits 0 convert set pictures/' 'complains "^0 files: 0 converted, 0 damaged, 4 skipped$"' 'exits 0 info --json a.level' \
    'says "\"images\":\[\]"' 'exits 3 set a.level --image page_0=a.png -o n.level' 'complains "no images"' \
    'exits 2 set a.level --image page_0 -o n.level' '[ ! -e n.level ]'

# ---- another byte order, version or name -----------------------------------------------------------
test_that "a level as it is" all_of 'exits 0 convert a.level -o c.level --byte-order little --to-version 10' 'cmp a.level c.level' \
    'exits 0 convert a.level -o c.xyz --to-version 10' 'cmp a.level c.xyz' 'exits 0 convert a.level same/ --byte-order little' \
    'cmp a.level same/a.level'
test_that "what a format cannot be" all_of 'rm -f n.level' 'exits 2 convert a.level -o n.level --byte-order big' \
    'exits 2 convert a.level -o n.level --to-version 99' 'exits 2 convert a.level -o n.level --to-version 1.5' \
    'exits 2 convert a.level -o n.level --to-version x' 'exits 2 convert a.level -o n.level --byte-order middle' '[ ! -e n.level ]'
test_that "a clipboard of a level" all_of 'exits 0 convert a.level -o all.clip --allow-loss' 'exits 0 check all.clip' 'exits 0 convert a.level -t ns2-clip -o b.clip --select "objects[0]"' \
    'exits 0 get b.clip "blocks[0].kind"' 'says "^objects$"' 'exits 0 convert b.clip -o of-clip.level --allow-loss' 'exits 0 get of-clip.level "objects[0].class_name"' \
    'exits 3 convert a.level -o n.clip --select "objects[class_name=nothing]"' 'exits 2 convert a.level -o n.clip --select "mesh.face_layers"' \
    'exits 2 convert a.level -o n.level --select "objects[0]"' 'exits 2 convert a.level -o n.json --select "objects[0]"' '[ ! -e n.clip ] && [ ! -e n.level ] && [ ! -e n.json ]'
test_that "a clipboard into a level" all_of 'exits 0 edit a.level --paste b.clip -o pasted.level' 'exits 0 get pasted.level "objects[-1].class_name"' \
    'exits 0 edit a.level --paste b.clip --dry-run' 'says "^\+ objects\[[0-9]*\]"' 'exits 0 edit a.level --paste b.clip -e "remove objects[-1]" -o unpasted.level' \
    'cmp a.level unpasted.level' 'exits 2 edit a.level --paste none.clip -o n.level' 'exits 2 edit a.level --paste a.level -o n.level' '[ ! -e n.level ]'
test_that "only levels have an order of bytes" all_of 'exits 2 convert a.level -o n.json --byte-order little' \
    'exits 2 convert a.level -t glb --allow-loss' '[ ! -e n.json ]'
test_that "--as-path is for one file" all_of 'exits 2 check --as-path x.level a.level b.level' 'exits 0 check --as-path x.level a.level' \
    'exits 0 identify --as-path x.level a.level' '"$mapstone" info --as-path x.level - <a.level >out'

# ---- games: a made-up root with a material, its texture, and no model ---------------------------------
little() { # numbers of 32 bits
    for n; do
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255)))"
    done
}
mkdir -p root/materials root/models mod/maps
{
    printf 'DDS '
    little 124 4103 4 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 32 65 0 32 16711680 65280 255 4278190080 4096 0 0 0 0
    for n in 1 2 3 4 5 6 7 8; do printf '\377\177\0\377\0\177\377\377'; done
} >root/materials/wall.dds
printf 'shader = "shaders/Level.surface_shader"\nalbedoMap = "materials/wall.dds"\nnormalMap = "materials/none.dds"\n' >root/materials/Wall.material
cat >needy.json <<END
{"\$format": "ns2-level", "version": 10, "mesh": {"vertices": [{"position": [0, 0, 0], "smooth": 0}, {"position": [4, 0, 0], "smooth": 0}, {"position": [0, 0, -4], "smooth": 0}],
  "edges": [{"vertices": [0, 1], "smooth": 0}, {"vertices": [1, 2], "smooth": 0}, {"vertices": [2, 0], "smooth": 0}], "materials": ["materials/wall.material"],
  "faces": [{"angle": 0, "offset": [0, 0], "scale": [1, 1], "mapping_group": 4294967295, "material": 0, "loops": [[{"flipped": 0, "edge": 0}, {"flipped": 0, "edge": 1}, {"flipped": 0, "edge": 2}]]}],
  "face_layers": {"faces": [{"has_layers": false}]},
  "triangles": {"ghost_vertices": [], "smoothed_normals": [], "faces": [[{"vertices": [0, 1, 2], "normals": [0, 0, 0]}]]}}, "objects": [
  {"has_layers": false, "group": 4294967295, "class_name": "prop_static", "extras": [], "properties": [
    {"name": "origin", "type": "distance", "animated": false, "value": [1, 0, 1]},
    {"name": "model", "type": "string", "animated": false, "value": ["models/none.model"]}]}]}
END
test_that "what a level needs" all_of '"$mapstone" convert --lenient needy.json -o mod/maps/needy.level' 'exits 0 info --assets mod/maps/needy.level' \
    'says "^material +missing +1 +- +materials/wall.material"' 'exits 0 info --assets --search-path root mod/maps/needy.level' \
    'says "^material +found +1 +[0-9]+ +materials/wall.material"' 'says "^texture +found +1 +192 +materials/wall.dds"' 'says "^model +missing +1 +- +models/none.model"' \
    'says "^0 of 1 models, 1 of 1 materials, 1 of 2 textures, 0 of 1 shaders found$"' 'exits 0 info --assets --json --search-path root mod/maps/needy.level' \
    'says "\"kind\":\"texture\",\"state\":\"missing\",\"name\":\"materials/none.dds\",\"uses\":1,\"by\":\"materials/wall.material\",\"path\":\"values\[2\].value\""' \
    'exits 0 info --assets mod root' 'says "^0 of 1 models"'
test_that "missing files are information, and their sum a warning" all_of 'exits 0 check -I mod/maps/needy.level' '! grep -q SPARK out' \
    'exits 0 check -I --search-path root mod/maps/needy.level' 'says "models/none.model.*SPARK-MODEL-MISSING"' 'says "SPARK-MISSING"' 'says "SPARK-TEXTURE-MISSING"' \
    'exits 0 check --search-path root mod/maps/needy.level' '! grep -q SPARK-MODEL-MISSING out' 'exits 1 check --strict --search-path root mod/maps/needy.level'
locked_folder() {
    mkdir -p locked/models locked/materials && cp root/materials/* locked/materials && chmod 711 . && chmod 0 locked/models || return 1
    as_nobody "$mapstone" info --assets --search-path locked mod/maps/needy.level >out 2>err
    code=$?
    chmod 755 locked/models
    [ "$code" -eq 0 ] && says "1 of 1 materials" && [ "$(grep -c "^warning: cannot read the directory locked/models/: what is in it counts as missing" err)" -eq 1 ]
}
if as_nobody "$mapstone" --version >/dev/null 2>&1; then
    test_that "a folder that cannot be read is said once" locked_folder
else
    skip "a folder that cannot be read is said once" "root needs setpriv for it"
fi
test_that "games are remembered" all_of 'exits 0 game' '[ ! -s out ]' 'exits 0 game add ns2 root' 'exits 0 game add ns2 "$work/set"' 'exits 0 game add other root' \
    'exits 0 game add ns2 root' 'exits 0 game list' '[ "$(sed -n 1p out)" = "ns2	$work/set" ]' '[ "$(sed -n 3p out)" = "ns2	$work/root" ]' \
    'exits 0 check --game ns2 mod/maps/needy.level' 'says SPARK-MISSING' 'exits 0 info --assets --game other mod/maps/needy.level' 'says "1 of 1 materials"' \
    'exits 0 game list --json' 'says "^\{\"game\":\"other\",\"path\":\".*/root\"\}$"' 'exits 0 game remove ns2 set' 'exits 0 game list' '[ "$(wc -l <out)" -eq 2 ]' \
    'exits 0 game remove ns2' 'exits 1 game remove ns2' 'exits 1 game remove other /nowhere' 'exits 2 check --game ns2 mod/maps/needy.level' 'complains "game add ns2 DIR"' \
    'exits 2 game add ns2' 'exits 2 game add "a b" root' 'exits 2 game add ns2 nowhere' 'exits 2 game add ns2 a.level' 'exits 2 game list x' 'exits 2 game remove' \
    'exits 2 game forget ns2' '(unset HOME XDG_CONFIG_HOME; exits 2 game list)' '(unset XDG_CONFIG_HOME; HOME=$work/home; export HOME; exits 0 game add ns2 root && [ -s home/.config/mapstone/games ])'
test_that "games are known by their names in any case" all_of 'exits 0 game add NS2 root' 'exits 0 check --game ns2 mod/maps/needy.level' 'says SPARK-MISSING' \
    'exits 0 game add ns2 root' 'exits 0 game list' '[ "$(grep -ci "^ns2" out)" -eq 1 ]' 'exits 0 game remove Ns2' 'exits 0 game list' '! grep -qi "^ns2" out'
test_that "a damaged list of games is not written over" all_of 'mkdir -p damaged/mapstone' 'printf "ns2\t%s\nnothing\n\t/x\nb a\t/x\nc\t\nd\t/\t/\ne\0\t/\nlast\t%s" "$work/root" "$work/root" >damaged/mapstone/games' \
    'cp damaged/mapstone/games damaged/before' 'XDG_CONFIG_HOME=$work/damaged' 'exits 0 game list' '[ "$(cut -f 1 out | tr "\n" " ")" = "ns2 last " ]' \
    '[ "$(sed -n "s/^warning: .*damaged\/mapstone\/games:\([0-9]*\): this line is damaged.*/\1/p" err | tr "\n" " ")" = "2 3 4 5 6 7 " ]' \
    'exits 5 game add other root' 'complains "line 2 would be lost"' 'exits 5 game remove ns2' 'cmp damaged/mapstone/games damaged/before' \
    'exits 0 check --game ns2 mod/maps/needy.level' 'complains "games:2: this line is damaged"' 'says SPARK-MISSING' 'XDG_CONFIG_HOME=$work/settings'
printf 'shader = "../x.surface_shader"\nalbedoMap = "../../x.dds"\n' >leading.material
test_that "a material is checked for paths that lead outside" all_of 'exits 0 check leading.material' '[ "$(grep -c "SPARK-PATH\]" out)" -eq 2 ]' \
    'says "values\[1\].value: the path leads out of the game.s root"'
test_that "a total has the right number" all_of 'exits 0 collect leading.material -o by_itself' 'complains "1 file with 57 bytes is in by_itself; 2 that are named were not found"'
test_that "a level is gathered with what it needs" all_of 'exits 0 collect --search-path root mod/maps/needy.level -o gathered' 'complains "model models/none.model was not found"' \
    'complains "3 files with [0-9]+ bytes are in gathered"' 'cmp gathered/maps/needy.level mod/maps/needy.level' 'cmp gathered/materials/wall.dds root/materials/wall.dds' \
    'exits 0 info --assets gathered/maps/needy.level' 'says "1 of 1 materials, 1 of 2 textures"' 'exits 0 collect -q --search-path root mod/maps/needy.level -o gathered.zip' \
    'exits 0 info --assets "gathered.zip!maps/needy.level"' 'says "1 of 1 materials, 1 of 2 textures"' 'exits 0 info --assets --search-path gathered.zip mod/maps/needy.level' \
    'says "1 of 1 materials, 1 of 2 textures"' 'exits 2 collect mod/maps/needy.level' 'exits 2 collect mod -o x' 'complains "with --level N"' 'exits 2 collect mod/maps/needy.level -o x.tar' '[ ! -e x.tar ]' \
    'exits 2 collect nothing -o x' 'exits 2 collect mod/maps/needy.level a.level -o x' 'exits 2 collect mod/maps/needy.level -o a.level/x' \
    '! complains "search-path"'
test_that "a level from standard input is gathered under the name that is given" all_of '! "$mapstone" collect - -o unnamed/ <mod/maps/needy.level >out 2>err' \
    'complains "standard input has no name.*--as-path maps/NAME.level"' '[ ! -e unnamed ]' \
    '"$mapstone" collect - --as-path maps/named.level --search-path root -o named/ <mod/maps/needy.level >out 2>err' 'cmp named/maps/named.level mod/maps/needy.level' \
    '[ -s named/materials/wall.dds ]' '! complains "nothing that"'
mkdir -p lonely && cp mod/maps/needy.level lonely/
mkdir trilogy
"$mapstone" convert -q "$here/../../samples/bunker.json" -o trilogy/L900LEV.MAP && "$mapstone" convert -q "$here/../../samples/bunker-textures.json" -o trilogy/900GFX.BIN
test_that "what is beside a level is gathered beside it" all_of 'exits 0 collect -q trilogy/L900LEV.MAP -o bunker/' 'cmp trilogy/900GFX.BIN bunker/maps/900GFX.BIN' \
    'exits 0 info --assets bunker/maps/L900LEV.MAP' 'says "1 of 1 textures"' 'says "NME/WAR.BND"' 'exits 0 check --search-path bunker bunker/maps/L900LEV.MAP' \
    'says ALIEN-FILE-MISSING'
test_that "gathering says where to search if nothing is found" all_of 'exits 0 collect lonely/needy.level -o nothing/' \
    'complains "^information: nothing that lonely/needy.level names was found: .*--search-path DIR or --game NAME"' \
    'exits 0 collect --search-path root lonely/needy.level -o something/' '! complains "nothing that"'
test_that "a contact sheet" all_of 'exits 0 render --sheet root mod a.level -o sheet.png' 'complains "4 files: 4 drawn"' '[ -s sheet.png ]' \
    'complains "^information: mod/maps/needy.level: model models/none.model was not found$"' 'exits 0 render --sheet -q mod -o quiet.png' '[ ! -s err ]' \
    'exits 0 render --sheet --size 64 root -o small.png' '[ "$(wc -c <small.png)" -lt "$(wc -c <sheet.png)" ]' 'exits 2 render --sheet --oblique root -o x.png' \
    'exits 2 render --sheet --size 5 root -o x.png' 'exits 2 render --sheet root -o x.jpg' '[ ! -e x.png ]' 'exits 0 render root/materials/Wall.material -o panel.png' \
    'exits 0 render --oblique root/materials/Wall.material -o panel2.png' 'cmp panel.png panel2.png' 'exits 0 render --view above root/materials/Wall.material -o panel3.png' \
    '! cmp -s panel.png panel3.png' 'exits 0 convert root/materials/Wall.material -o panel4.png' 'exits 0 convert root/materials/Wall.material -o panel.glb' \
    'grep -q materials_wall_dds panel.glb'
test_that "levels show the textures of their game" all_of 'exits 0 convert --search-path root mod/maps/needy.level -o dressed.glb' 'exits 0 convert mod/maps/needy.level -o plain.glb' \
    'exits 0 convert --no-textures --search-path root mod/maps/needy.level -o bare.glb' 'grep -q "materials_wall_dds" dressed.glb' '! grep -q "materials_wall_dds" bare.glb' 'cmp plain.glb bare.glb' \
    'exits 0 convert --max-texture 2 --search-path root mod/maps/needy.level -o small.glb' '! cmp -s small.glb dressed.glb' 'exits 2 convert --max-texture 0 mod/maps/needy.level -o x.glb' \
    'exits 0 render --size 240 --oblique --search-path root mod/maps/needy.level -o dressed.png' 'exits 0 render --size 240 --oblique mod/maps/needy.level -o plain.png' '! cmp -s dressed.png plain.png' \
    'exits 2 convert --max-texture 2 a.level -o x.json' 'complains "has no effect"'
# the largest difference between the pixels of a texture here and in ImageMagick
worst_pixel() {
    "$mapstone" convert -q "$1" -o seen.png && convert "$1[0]" -depth 8 rgba:theirs && convert seen.png -depth 8 rgba:ours || return 1
    [ "$(wc -c <ours)" -eq "$(wc -c <theirs)" ] || return 1
    cmp -l ours theirs | awk '
        function octal(digits) { return 64 * int(digits / 100) + 8 * int(digits % 100 / 10) + digits % 10 }
        { d = octal($2) - octal($3); d = d < 0 ? -d : d; if (d > most) most = d }
        END { if (most > 1) { print most " apart"; exit 1 } }'
}
textures_agree() {
    for texture in "$here"/../../samples/outpost-game/materials/outpost/*.dds.json; do
        "$mapstone" convert -q "$texture" -o sample.dds && worst_pixel sample.dds || { echo "$texture"; return 1; }
    done
    find "$corpus/spark" -name '*.dds' -size +1 2>/dev/null | while read -r texture; do
        worst_pixel "$texture" || { echo "$texture"; exit 1; }
    done
}
if convert -version 2>/dev/null | grep -q ImageMagick; then
    test_that "textures have the pixels that ImageMagick sees" textures_agree
else
    skip "textures have the pixels that ImageMagick sees" "ImageMagick is not installed"
fi
test_that "textures are written beside a model" all_of 'exits 0 convert --external --search-path root mod/maps/needy.level -o new/beside.glb' \
    '[ -s new/beside.textures/materials_wall_dds.png ]' 'grep -q "beside.textures/materials_wall_dds.png" new/beside.glb' '! grep -q IHDR new/beside.glb' \
    'exits 0 convert --external --search-path root mod/maps/needy.level -o "new/a b.gltf"' '[ -s "new/a b.textures/materials_wall_dds.png" ]' 'grep -q "a%20b.textures/mat" "new/a b.gltf"' \
    'exits 0 convert --external --search-path root mod -t glb -o many/' '[ -s many/maps/needy.textures/materials_wall_dds.png ]' \
    'exits 2 convert --external --search-path root mod/maps/needy.level -t gltf' 'complains "needs a file"' 'exits 2 convert --external a.level -o x.json' 'complains "has no effect"' \
    ': >new/blocked.textures' 'exits 2 convert --external --search-path root mod/maps/needy.level -o new/blocked.glb' '[ ! -e new/blocked.glb ]'
test_that "levels are opened for a look from above" all_of 'exits 0 convert a.level -o whole.glb' 'exits 0 convert --cut 1000 a.level -o high.glb' 'cmp whole.glb high.glb' \
    'exits 0 convert --cut 0 a.level -o cut.glb' '! cmp -s whole.glb cut.glb' 'exits 0 convert --no-ceilings a.level -o open.glb' \
    'exits 2 convert --cut x a.level -o x.glb' 'exits 2 convert --cut 1 a.level -o x.png' 'complains "has no effect"' '[ ! -e x.glb ]'

# ---- sidecars ------------------------------------------------------------------------------------
for one in check info render convert; do
    test_that "$one --search-path" all_of "exits 2 $one --search-path nowhere a.level" \
        'complains "search-path: .*nowhere"'
done
test_that "several directories" all_of 'exits 0 check --search-path set --search-path=. a.level' \
    'exits 2 check --search-path set --search-path a.level a.level'
printf '{"$format":"revenant-def","text":""}' >none.json
test_that "a format whose triggers are not described" all_of '"$mapstone" convert none.json -o CLASS.DEF' 'exits 2 info --triggers CLASS.DEF' \
    'complains "triggers of this format are not described"'
test_that "a level without triggers" all_of 'exits 0 info --triggers a.level' '[ ! -s out ]' 'complains "a.level has no triggers"'

# ---- diff ------------------------------------------------------------------------------------------
test_that "nothing has changed" all_of 'exits 0 diff a.level a.level' '[ ! -s out ]' 'exits 0 diff --json a.level a.level' '[ ! -s out ]'
test_that "a value has changed" all_of 'exits 0 set -q a.level "objects[0].properties.origin[0]=9" -o d.level' 'exits 1 diff a.level d.level' \
    'says "origin 1.50 2.50 -3.50 -> 9.00 2.50 -3.50$"' 'exits 1 diff -q a.level d.level' '[ ! -s out ]' \
    'exits 1 diff --json a.level d.level' 'says "^..op.:.set.,.at.:..list.:.objects.,.class_name.:"' 'says "sort.:.content"' \
    '"$mapstone" diff --json a.level d.level >plan.jsonl; exits 0 edit a.level -s plan.jsonl -o e.level' 'cmp d.level e.level' 'exits 1 diff --stat a.level d.level' 'says "^objects: 1 changed$"' \
    'exits 1 diff a.level d.level --color always' 'grep -q "$(printf "\\033")" out' 'exits 1 diff --all a.level d.level' 'says "origin"'
test_that "a value is the schema's default" all_of 'exits 0 set -q a.level "objects[0].properties.origin[0]=9" -o d.level' \
    'echo "<editor><classes/></editor>" >setup.xml' 'exits 1 diff -S setup.xml a.level d.level' 'says "origin 1.50 2.50 -3.50 -> 9.00 2.50 -3.50$"' \
    'exits 2 diff -S missing.xml a.level d.level'
test_that "an object is gone" all_of 'exits 0 set -q a.level --remove "objects[0]" -o d.level' 'exits 1 diff a.level d.level' 'says "^- objects.0. "' \
    'exits 1 diff d.level a.level' 'says "^[+] objects.0. "' \
    '"$mapstone" diff --json d.level a.level >plan.jsonl; exits 0 edit d.level -s plan.jsonl -o e.level' 'cmp a.level e.level' \
    '"$mapstone" diff --json a.level d.level >plan.jsonl; exits 0 edit a.level -s plan.jsonl -o e.level' 'cmp d.level e.level' \
    'exits 0 set -q a.level --remove "objects[1].properties[1]" -o f.level' '"$mapstone" diff --json f.level a.level >plan.jsonl || :' \
    'exits 0 edit f.level -s plan.jsonl -o e.level' 'cmp a.level e.level' '"$mapstone" diff --json a.level f.level >plan.jsonl || :' \
    'exits 0 edit a.level -s plan.jsonl -o e.level' 'cmp f.level e.level'
test_that "a patch says how much of it is bytes" all_of 'exits 1 diff --stat a.level d.level -o d.mspatch' 'complains "^[0-9]+ operations in [0-9]+ bytes, 0.0 % of them in raw operations$"' \
    'exits 0 patch -q --exact a.level d.mspatch -o e.level' 'cmp d.level e.level' 'exits 5 patch -q --exact d.level d.mspatch -o e.level' 'complains "not the file that the patch was made of"' \
    'exits 0 patch -q --fuzz a.level d.mspatch -o e.level' 'exits 2 patch --fuzz --exact a.level d.mspatch -o e.level' 'complains "no effect"'
test_that "changes are drawn" all_of 'exits 1 diff --png d.png a.level d.level' 'says "origin|^- objects"' '[ "$(head -c 4 d.png | tail -c 3)" = PNG ]' \
    'exits 0 diff --png e.png a.level a.level' '[ -s e.png ]' 'exits 2 diff --png nowhere/e.png a.level d.level' 'exits 2 diff --png e.png . .' 'complains "one by one"'
test_that "diff takes two" all_of 'exits 2 diff a.level' 'complains "OLD and NEW"' 'exits 2 diff a.level d.level a.level' 'exits 2 diff a.level no.level' \
    'exits 2 diff --stat --json a.level d.level' 'complains "no effect"'
test_that "directories are compared by name and content" all_of 'mkdir -p old new/sub' 'cp a.level old/one.level' 'cp d.level new/one.level' 'cp a.level old/two.level' \
    'cp a.level new/sub/three.level' 'echo text >old/readme' 'exits 1 diff old new' 'says "^one.level:$"' 'says "^  - objects.0. "' \
    'says "^~ two.level is now sub/three.level$"' 'complains "2 files: 0 same, 1 differ, 0 only in the old, 0 only in the new, 1 renamed"' \
    'cp d.level old/four.level' 'exits 1 diff old new' 'says "^- four.level$"' 'exits 1 diff new old' 'says "^[+] four.level$"' 'exits 1 diff --json new old' \
    'says "\"op\":\"add-file\""' 'exits 0 diff old old' 'exits 1 diff -q old new' '[ ! -s err ]' 'exits 2 diff old a.level' 'complains "a file is compared with a file"'

# ---- sets: sectors, directories and archives -------------------------------------------------------
# sector FILE X Y CLASS
sector() {
    printf '{"$format":"revenant-sector","version":8,"objects":[{"object_version":-1},{"object_version":0,"class":"%s","unique_id":1,"name":"a","flags":1,"position":[%d,%d,0],"state":0,"inventory_number":-1,"inventory_index":-1,"shadow":-1,"rotation_x":0,"rotation_y":0,"rotation_z":0,"map_index":%d,"group":0,"stats":[],"inventory":[]}]}' \
        "$4" $(($2 * 1024 + 5)) $(($3 * 1024 + 5)) $(($2 * 100 + $3)) >sector.json
    "$mapstone" convert sector.json -o "$1"
}
mkdir -p game/map
test_that "sectors" all_of 'sector game/map/7_3_4.DAT 3 4 tile' 'sector game/map/7_4_4.DAT 4 4 tile' 'sector game/map/9_1_1.DAT 1 1 item'
test_that "info tells what a directory is together" all_of 'exits 0 info game' 'says "^  formats +3 revenant-sector$"' \
    'says "^  versions +3 revenant-sector 8$"' 'says "^  level +7: 2 sectors, x 3\.\.4, y 4\.\.4$"' 'says "^  level +9: 1 sector, x 1\.\.1, y 1\.\.1$"' \
    'says "^ +2 tile$"' 'says "^game/map/7_3_4.DAT$"' 'last_line out "3 files: 3 opened, 0 damaged, 0 skipped; $(cat game/map/* | wc -c) bytes, understood 100.00 %"'
test_that "info --summary" all_of 'exits 0 info --summary game' '! grep -q "^game/map" out' 'exits 0 info --summary --json game' \
    '[ "$(wc -l <out)" -eq 1 ]' 'says "\"levels\":\[\{\"level\":7,\"sectors\":2,\"x\":\[3,4\],\"y\":\[4,4\]\},"' 'says "\"classes\":\{\"empty\":3,\"tile\":2,\"item\":1\}"'
test_that "many files are told together" all_of 'mkdir -p crowd' \
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do cp a.level crowd/$i.level || exit; done' 'exits 0 info crowd' \
    '[ "$(grep -c "^crowd" out)" -eq 0 ]' 'says "^ +34 location$"' 'exits 0 info --all crowd' '[ "$(grep -c "^crowd" out)" -eq 17 ]' \
    'exits 0 info --json crowd' '[ "$(wc -l <out)" -eq 17 ]'
test_that "a level of several is named" all_of 'exits 2 convert game -o n.glb' 'complains "several levels; choose one with --level: 7 9$"' 'exits 2 render game -o n.png' \
    'complains "several levels; choose one with --level: 7 9$"' 'exits 2 convert game -o n.glb --level 8' 'complains "8_X_Y"' 'exits 2 convert set -o n.glb --level 7' \
    'exits 2 convert set -o n.glb' 'complains "-o DIR/"' 'exits 2 convert game -t json --level 7' 'complains "glb, gltf and png"' \
    'exits 2 convert game -o n.glb --level x' 'exits 2 render game -o n/ --level 7' 'exits 2 render game -o n.png --level 1.5' '[ ! -e n.glb ]' '[ ! -e n.png ]'
test_that "the sectors of a level make one" all_of 'exits 0 convert game --level 7 -o seven.glb' 'grep -aq "level 7" seven.glb' \
    'exits 0 convert game/map/7_3_4.DAT -o part.glb' '[ "$(wc -c <seven.glb)" -gt "$(wc -c <part.glb)" ]' \
    'exits 0 convert game/map/7_4_4.DAT game/map/7_3_4.DAT -o again.glb' 'cmp seven.glb again.glb' \
    'exits 0 render game --level 7 --size 64 -o seven.png' '[ "$(head -c 4 seven.png | tail -c 3)" = PNG ]' \
    '"$mapstone" convert game --level 7 -t glb | cmp - seven.glb' 'exits 0 convert game --level 9 -o nine.gltf' '[ -s nine.bin ]'
test_that "flags by name" all_of 'exits 0 get game/map/7_3_4.DAT "objects[1].flags"' 'exits 0 set -q game/map/7_3_4.DAT "objects[1].flags=light,0x40000000" -o 7_3_4.DAT' \
    'exits 0 get 7_3_4.DAT "objects[1].flags"' 'says "^\[.light., .inventory.\]$"' 'exits 0 tree 7_3_4.DAT "objects[1].flags"' 'says "\[light, inventory\]$"' \
    'exits 0 table --csv --columns flags --where flags=0x40000004 7_3_4.DAT' 'says "^light inventory$"' \
    'exits 0 table --csv --columns path --where flags=+light,+0x40000000 7_3_4.DAT' 'says "^objects.1.$"' \
    'exits 2 set 7_3_4.DAT "objects[1].flags=+lihgt" -o n.DAT' 'complains "expected light, "' 'exits 0 set -qi 7_3_4.DAT "objects[1].flags=-light"' \
    'exits 0 get 7_3_4.DAT "objects[flags=0x40000000].flags"' 'says "^\[.inventory.\]$"' 'rm 7_3_4.DAT'
test_that "a sector that is damaged or there twice" all_of 'mkdir -p odd' 'cp game/map/7* odd/' 'cp odd/7_4_4.DAT odd/7_04_4.DAT' \
    'exits 0 convert odd -o odd.glb' 'complains "^warning: 1 sector occurs more than once; for the first, odd/7_04_4.DAT is used, not odd/7_4_4.DAT; .*--prefer"' \
    'rm odd/7_04_4.DAT' 'head -c 30 odd/7_4_4.DAT >odd/7_9_9.DAT' 'exits 4 convert odd -o odd.glb' 'complains "7_9_9"' 'cmp odd.glb seven.glb'
test_that "of sectors that occur twice those of a folder are taken" all_of 'mkdir -p doubled/a doubled/b/c' 'cp game/map/7* doubled/a/' \
    'sector doubled/b/c/7_3_4.DAT 3 4 item' 'cp game/map/7_4_4.DAT doubled/b/' 'exits 0 convert doubled --level 7 -o taken.glb' 'cmp taken.glb seven.glb' \
    'complains "^warning: 2 sectors occur more than once; for the first, doubled/a/7_3_4.DAT is used, not doubled/b/c/7_3_4.DAT"' '[ "$(wc -l <err)" -eq 1 ]' \
    'exits 0 convert doubled --level 7 -o other.glb --prefer doubled/b/' 'complains "doubled/b/c/7_3_4.DAT is used, not doubled/a/"' '! cmp -s other.glb seven.glb' \
    'exits 0 convert doubled --level 7 -o taken.glb --prefer doubled/a --prefer doubled/b' 'cmp taken.glb seven.glb' \
    'exits 2 convert doubled --level 7 -o none.glb --prefer doubled/ba' 'complains "no sector of the level is in doubled/ba"' '[ ! -e none.glb ]'
test_that "a schema is a sidecar by its name, and class.def" all_of \
    'printf "Unique Type ID = 0x2\nCLASS \"TILE\"\nBEGIN\nSTATS\nBEGIN\nEND\nOBJSTATS\nBEGIN\nEND\nTYPES\nBEGIN\n\"other\" \"x.i2d\" 0x2 {} {}\nEND\nEND\n" >my.def' \
    'exits 0 check --schema my.def game' '[ "$(grep -c "\[REV-UNIQUE-ID\]" out)" -eq 3 ]' 'exits 0 check game' '! grep -q REV-UNIQUE-ID out' \
    'exits 0 check -j 2 --schema setup.xml game' '! grep -q REV-UNIQUE-ID out'
mkdir -p hashes
printf '{"$format":"revenant-sector","version":15,"state_hash":1,"objects":[{"object_version":-1}]}' >hashes/sector.json
test_that "a stale state hash is renewed, in place or as a value" all_of 'exits 0 convert hashes/sector.json -o hashes/7_3_4.DAT' \
    'exits 0 set -q -i hashes/7_3_4.DAT state_hash=2' 'exits 0 check hashes/7_3_4.DAT' 'says REV-HASH' 'exits 0 set -i --rehash hashes/7_3_4.DAT' \
    'complains "bytes changed, at 0x0008"' 'exits 0 check hashes/7_3_4.DAT' '! grep -q REV-HASH out' 'cp hashes/7_3_4.DAT right.dat' \
    'exits 0 set -q -i hashes/7_3_4.DAT state_hash=2' 'exits 0 set -q -i hashes/7_3_4.DAT state_hash=auto' 'cmp hashes/7_3_4.DAT right.dat'
test_that "and follows the name of the file that is written" all_of 'exits 0 set -q hashes/7_3_4.DAT "trailing=\"00\"" -o hashes/7_3_5.DAT' \
    'exits 0 set -q hashes/7_3_4.DAT state_hash=2 -o hashes/7_3_6.DAT' 'exits 0 get hashes/7_3_6.DAT state_hash' 'says "^2$"' \
    'exits 0 check hashes/7_3_5.DAT' '! grep -q REV-HASH out' 'exits 0 set -q hashes/7_3_6.DAT --rehash -o hashes/7_3_4.DAT' 'cmp hashes/7_3_4.DAT right.dat'
test_that "what has no hash says so" all_of 'exits 2 set a.level --rehash -o n.level' 'complains "no computed number"' '[ ! -e n.level ]'
mkdir -p slots
printf '{"$format":"revenant-sector","version":15,"state_hash":1,"objects":[{"object_version":-1},{"object_version":-1}]}' >slots/sector.json
printf '\0\0\0\0' >slots/7_3_5.DAT
test_that "what a folder holds has its empty slots and version 0" all_of 'exits 0 convert slots/sector.json -o slots/7_3_4.DAT' 'rm slots/sector.json' \
    'exits 0 info --summary slots' 'says "^  versions +1 revenant-sector 0, 1 revenant-sector 15$"' 'says "^ +2 empty$"' \
    'exits 0 info slots/7_3_5.DAT' 'says "^  version +0$"' 'exits 0 info --json slots/7_3_5.DAT' 'says "\"version\":0"'
tar cf probe.tar set
run identify probe.tar
if grep -q 'reads no archives' err || [ ! -s probe.tar ]; then
    echo "# no archives in this build: tests of them are skipped"
else
    mkdir -p nested/Output && cp -r gathered/materials nested/Output && tar -cf nested.tar -C nested Output
    test_that "a folder of an archive that is searched has to be there" all_of 'exits 0 info --assets --search-path "nested.tar!Output" mod/maps/needy.level' \
        'says "1 of 1 materials, 1 of 2 textures"' 'exits 0 info --assets --search-path "nested.tar!output/" mod/maps/needy.level' 'says "1 of 1 materials, 1 of 2 textures"' \
        'exits 2 info --assets --search-path "nested.tar!outpu" mod/maps/needy.level' 'complains "search-path.*nested.tar!outpu"' \
        'exits 2 check --search-path "nested.tar!none" mod/maps/needy.level'
    test_that "an archive stands for its members" all_of 'tar cf game.tar -C game map' 'exits 0 identify game.tar' \
        'says "^game\.tar!map/7_3_4\.DAT: revenant-sector version 8"' 'last_line out "3 files: 3 known, 0 damaged, 0 skipped"' \
        'exits 0 roundtrip --json-too -j 2 game.tar' 'last_line out "3 files: 3 exact, 0 differ, 0 damaged, 0 skipped"' \
        'exits 0 check -j 2 game.tar' 'exits 0 info --summary game.tar' 'says "7: 2 sectors"' 'exits 0 table -C file,class game.tar' \
        'says "^\{\"file\":\"game\.tar!map/9_1_1\.DAT\",\"class\":\"item\"\}$"'
    test_that "a packed archive, in any order" all_of '(cd game && tar czf ../game.tgz map/9_1_1.DAT map/7_4_4.DAT map/7_3_4.DAT)' \
        '"$mapstone" table -C path,class game.tar >one' '"$mapstone" table -j 2 -C path,class game.tgz >other' \
        '[ "$(sed -n 2p other)" = "$(tail -n 1 one)" ]' 'LC_ALL=C sort one >first' 'LC_ALL=C sort other >second' 'cmp first second'
    mkdir -p zeros
    { cat a.level; head -c 17825792 /dev/zero; } >zeros/a.level
    head -c 90000000 /dev/zero >zeros/b
    test_that "a member that unpacks to far more than levels do" all_of 'tar czf zeros.tgz -C zeros a.level' 'exits 2 check zeros.tgz' \
        'complains "a\.level unpacks to more than [0-9]+ bytes, and to more than 200 times"' 'says "^1 file: 0 ok, .*, 1 failed, 0 skipped"' 'exits 2 identify zeros.tgz' \
        'exits 0 identify --member-limit 32M zeros.tgz' 'says "a\.level: ns2-level version"' 'exits 2 identify --member-limit 16M zeros.tgz' \
        'exits 0 get "zeros.tgz!a.level" version --member-limit 32M' 'exits 2 get "zeros.tgz!a.level" version'
    test_that "members that are left out are counted" all_of 'tar czf zeros.tgz -C zeros b a.level' 'exits 2 identify zeros.tgz' \
        'complains "warning: zeros\.tgz: a file is left out of the container: .* unpacks to more than [0-9]+ bytes.*found b\)"' \
        'last_line out "0 files: 0 known, 0 damaged, 0 skipped, 1 left out"' 'exits 0 identify --member-limit 90000K zeros.tgz' 'says "^1 file: 1 known"'
    test_that "sizes" all_of 'for limit in 0 x -1 1x 1MM 99999999999G 17179869184G "" " 1"; do exits 2 identify --member-limit "$limit" game.tar || exit; complains "is not a size" || exit; done' \
        'for limit in 9999 1K 1M 1G 17179869183G; do exits 0 identify --member-limit $limit game.tar || exit; done' 'exits 2 identify --member-limit 1 game.tar'
    rm -r zeros zeros.tgz
    test_that "one member, in any case" all_of 'exits 0 get "game.tar!MAP/9_1_1.dat" "objects[1].class"' 'says "^item$"' \
        'exits 0 tree "game.tgz!map/9_1_1.DAT"' 'exits 0 dump "game.tar!map/9_1_1.DAT" -o n.json' 'exits 0 info "game.tar!map/9_1_1.DAT"' \
        'exits 0 convert "game.tar!map/9_1_1.DAT" -t json' 'exits 0 check "game.tar!map/9_1_1.DAT" "game.tar!map/7_4_4.DAT" game/map/7_3_4.DAT' \
        'says "^3 files: 3 ok"'
    test_that "a member that is not there" all_of 'exits 2 get game.tar!map/1_1_1.DAT version' 'complains "no map/1_1_1.DAT"' \
        'exits 2 check game.tar!nothing game/map/9_1_1.DAT' 'says "^1 file: 1 ok"' 'exits 2 tree game.tar' 'complains "game.tar!MEMBER"'
    test_that "sidecars in an archive" all_of 'mkdir -p named/map' 'cp game/map/9* named/map/' 'cp my.def named/CLASS.DEF' \
        'tar cf named.tar -C named map CLASS.DEF' 'exits 0 check "named.tar!map/9_1_1.DAT"' '[ "$(grep -c "\[REV-UNIQUE-ID\]" out)" -eq 1 ]' \
        'exits 0 convert game.tar --level 7 -o n.glb' 'cmp n.glb seven.glb' 'rm n.glb' 'tar cf both.tar -C named map CLASS.DEF -C .. set' \
        'exits 0 identify both.tar' 'last_line out "4 files: 4 known, 0 damaged, 2 skipped"'
    test_that "outputs below a directory" all_of 'exits 0 convert game.tar -t json -o from-tar/' '[ -s from-tar/map/7_3_4.json ]' \
        'exits 0 convert "game.tar!map/7_3_4.DAT" -t json -o from-tar/' 'cmp from-tar/7_3_4.json from-tar/map/7_3_4.json'
    test_that "a member at the top of an archive has its own name" all_of 'tar cf flat.tar -C game/map 7_3_4.DAT' 'exits 0 check --strict flat.tar' \
        'exits 0 check --strict flat.tar!7_3_4.dat' 'exits 0 convert flat.tar -o n.glb'
    cp game.tar kept.tar
    test_that "nothing is written into an archive" all_of 'exits 2 set -i "game.tar!map/9_1_1.DAT" "objects[1].flags=3"' \
        'exits 2 set "game.tar!map/9_1_1.DAT" "objects[1].flags=3" -o game.tar' 'exits 2 set "game.tar!map/9_1_1.DAT" "objects[1].flags=3" -o game.tar!x' \
        'exits 2 dump "game.tar!map/9_1_1.DAT" -o game.tar' 'exits 2 convert "game.tar!map/9_1_1.DAT" -t json -o game.tar' \
        'exits 2 convert "game.tar!map/9_1_1.DAT" -t json -o game.tar!new/x.json' 'exits 2 convert game -t json -o game.tar!new/' \
        'cmp game.tar kept.tar' '[ ! -e "game.tar!new" ]' \
        'exits 0 set "game.tar!map/9_1_1.DAT" "objects[1].unique_id=3" -o n.DAT' '! cmp -s n.DAT game/map/9_1_1.DAT'
    test_that "a file of such a name comes first" all_of 'cp a.level "game.tar!x"' 'exits 0 identify "game.tar!x"' 'says "ns2-level"'
    test_that "a damaged archive" all_of 'head -c 700 game.tar >cut.tar' 'exits 4 check cut.tar a.level' 'complains "cut\.tar"' \
        'says "^1 file: 1 ok"' 'gzip -c stranger.txt >stranger.gz' 'exits 1 identify stranger.gz'
fi

# big N...: as u32
big() {
    for one in "$@"; do
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((one >> 24 & 255)) $((one >> 16 & 255)) $((one >> 8 & 255)) $((one & 255)))"
    done
}
# disc CODE: maps/a.level and notes.txt; its table is at 0x440 and has 71 bytes
disc() {
    printf '%s01' "$1"
    head -c 22 /dev/zero
    big 0xC2339F3D
    head -c 1028 /dev/zero
    big 1088 71 71
    head -c 16 /dev/zero
    big 0x01000000 0 4 0x01000000 0 3 5 1159 "$size" 13 $((1159 + size)) "$(wc -c <stranger.txt)"
    printf 'maps\000a.level\000notes.txt\000'
    cat a.level stranger.txt
}
disc GSAE >game.iso
disc GZZZ >other.iso
cp game.iso kept.iso
test_that "a disc image stands for its files" all_of 'exits 0 identify game.iso' 'says "^game\.iso!maps/a\.level: ns2-level"' \
    'last_line out "1 file: 1 known, 0 damaged, 1 skipped"' '[ ! -s err ]' 'exits 0 info game.iso' 'exits 0 check -j 2 game.iso' \
    'last_line out "1 file: 1 ok, 0 with errors, 0 damaged, 1 skipped; 0 errors, 3 warnings"' 'exits 0 roundtrip --json-too game.iso' \
    'exits 0 get "game.iso!MAPS/A.level" "objects[1].class_name"' 'says "^location$"' 'exits 2 get game.iso!maps/b.level version' \
    'complains "no maps/b.level"' 'exits 2 tree game.iso' 'complains "game.iso!MEMBER"' 'exits 0 convert game.iso -t json -o from-disc/' \
    '[ -s from-disc/maps/a.json ]'
test_that "a disc of another game" all_of 'exits 0 check other.iso' 'complains "^warning: other\.iso:0x0000: .*GZZZ.*SFA-DISC"' 'says "1 ok"'
test_that "nothing is written into a disc image" all_of 'exits 2 set -i "game.iso!maps/a.level" objects[0].class_name=location' 'complains "only zip archives can be written"' \
    'exits 2 set "game.iso!maps/a.level" version=9 -o game.iso' 'exits 2 set "game.iso!maps/a.level" version=9 -o game.iso!x' \
    'exits 2 dump "game.iso!maps/a.level" -o game.iso' 'exits 2 convert "game.iso!maps/a.level" -t json -o game.iso' \
    'exits 2 convert a.level -t json -o game.iso!new.json' 'exits 2 convert game.iso -t json -o game.iso!new/' \
    'exits 2 render "game.iso!maps/a.level" -o game.iso' 'exits 2 set -i game.iso version=9' 'cmp game.iso kept.iso' '[ ! -e "game.iso!new" ]'
test_that "a damaged disc image" all_of 'head -c 1100 game.iso >cut.iso' 'exits 4 check cut.iso a.level' 'complains "cut\.iso:0x0424: .*SFA-DISC"' \
    'says "^1 file: 1 ok"' 'head -c 1170 game.iso >cut.iso' 'exits 4 check cut.iso a.level' 'says "maps/a\.level.*SFA-DISC"' 'says "1 ok"' \
    '{ printf "RVZ\001"; cat game.iso; } >game.rvz' 'exits 2 check game.rvz' 'complains "dolphin-tool convert.*RVZ"'

# ---- documents of two files, and packed ones -------------------------------------------------------
zeros() { # N: as hexadecimal digits
    head -c "$1" /dev/zero | od -An -v -tx1 | tr -d ' \n'
}
texture='"present":true,"flags":129,"frames":[{"wrapper":"zlb","width":8,"height":8,"frame_count_8":256,"format":"I4","wrap_s":"repeat",
  "wrap_t":"repeat","min_filter":"linear","mag_filter":"linear","min_lod":0,"max_lod":0,"unknown_1E":[0,0],"unknown_20":"'$(zeros 32)'",
  "unknown_40":"'$(zeros 16)'","unknown_54":"'$(zeros 12)'","data":"'$(zeros 32)'"}]'
echo '{"$format":"sfa-textures","textures":[{'"$texture"'},{"present":false},{'"$texture"'}]}' >bank.json
one='"acts_0":0,"load_flags":"level_object","acts_1":0,"bound":1,"cull_distance":2,"position":[1,2,3]'
echo '{"$format":"sfa-romlist","wrapper":"zlb","objects":[{"type":4,'"$one"',"id":7,"parameters":""},{"type":4,'"$one"',"id":8,"parameters":""}]}' >list.json
crate='{"type":"LargeCrate",'"$one"',"id":9,"parameters":{"rotation_y":-5,"drop":2,"unknown_1A":0,"respawn_minutes":7,"broken":"~3","unknown_20":"00000000"}}'
echo '{"$format":"sfa-romlist","wrapper":"zlb","objects":[{"type":4,'"$one"',"id":7,"parameters":""},'"$crate"']}' >crates.json
rects='{"a":[0,0,0,0],"b":[0,0,0,0],"c":[0,0,0,0],"d":[0,0,0,0]}'
map='"form":"full","columns":1,"rows":1,"object_list_size":48,"object_count":2,"cells":[{"mod":255,"sub":0,"layer_row":127}],"cell_rects":['"$rects"'],"visible_cell_rects":['"$rects"'],
  "object_list":{"magic":4207869677,"unpacked_size":48,"packed_size":64}'
echo '{"$format":"sfa-maps","maps":[{'"$map"'}]}' >maps.json
mkdir -p disc/low disc/other
if "$mapstone" convert bank.json -t sfa-textures -o disc/TEX1.bin 2>err; then
    test_that "JSON becomes two files, whichever is named" all_of '[ -s disc/TEX1.tab ]' \
        'exits 0 convert bank.json -t sfa-textures -o disc/low/tex1.tab' 'cmp disc/TEX1.bin disc/low/tex1.bin' 'cmp disc/TEX1.tab disc/low/tex1.tab' \
        'exits 0 convert bank.json -t sfa-textures -o disc/other/TEX1.BIN' 'cmp disc/TEX1.tab disc/other/TEX1.TAB' 'nothing_left'
    test_that "two files become JSON and the same two again" all_of 'exits 0 convert disc/TEX1.tab -t json -o pair.json' \
        'exits 0 convert pair.json -t sfa-textures -o again.bin' 'cmp again.bin disc/TEX1.bin' 'cmp again.tab disc/TEX1.tab' \
        '"$mapstone" dump disc/TEX1.bin | cmp - pair.json' 'rm again.bin again.tab'
    test_that "two files do not go to stdout" all_of 'exits 2 convert bank.json -t sfa-textures' 'complains "consists of two files"' '[ ! -s out ]' \
        'exits 2 set disc/TEX1.bin "textures[0].frames[0].usage=2" -o -' 'complains "consists of two files"' '[ ! -s out ]'
    test_that "info shows both files" all_of 'exits 0 info disc/TEX1.bin' "says '^  with +TEX1.tab, 64 bytes'" 'exits 0 info disc/TEX1.tab' \
        "says '^  size +$(wc -c <disc/TEX1.bin) bytes'" "says '^  with +TEX1.tab, 64 bytes'" 'says "$(sha256sum disc/TEX1.tab | cut -c 1-64)"'
    test_that "a directory has a pair once" all_of 'exits 0 roundtrip --json-too disc' 'last_line out "3 files: 3 exact, 0 differ, 0 damaged, 3 skipped"' \
        'exits 0 check disc' 'last_line out "3 files: 3 ok, 0 with errors, 0 damaged, 3 skipped; 0 errors, 0 warnings"' \
        'exits 0 identify disc' '[ "$(grep -c sfa-textures out)" -eq 6 ]' 'exits 0 roundtrip disc/TEX1.tab disc/TEX1.bin' 'says "^2 files: 2 exact"'
    test_that "one of two alone" all_of 'mkdir -p alone' 'cp disc/TEX1.tab alone' 'exits 0 check alone' 'says "TEX1\.bin.*SFA-ALONE"' \
        'exits 1 check --strict alone' 'exits 0 roundtrip alone' 'says "1 exact"' 'exits 0 info alone/TEX1.tab' 'says sfa-table' 'rm -r alone'
    test_that "two files are changed in place" all_of 'mkdir -p place' 'cp disc/TEX1.bin disc/TEX1.tab place' \
        'exits 0 set -i place/TEX1.tab "textures[0]={\"present\": false}"' 'complains "^TEX1.bin: .* shorter"' 'complains "^TEX1.tab: "' \
        '[ "$(wc -c <place/TEX1.bin)" -lt "$(wc -c <disc/TEX1.bin)" ]' 'exits 0 roundtrip place' 'says "1 exact"' 'nothing_left' \
        'exits 0 get place/TEX1.bin "textures[0].present"' 'says "^false$"'
    test_that "two files are not changed where not both can be" all_of 'cp disc/TEX1.bin disc/TEX1.tab place' 'rm place/TEX1.tab' 'mkdir place/new.tab' \
        'exits 2 set disc/TEX1.bin "textures[0].frames[0].usage=2" -o place/new.bin' '[ ! -e place/new.bin ]' 'nothing_left' 'rm -r place'
    test_that "no file of the input is written over" all_of 'exits 2 set disc/TEX1.bin "textures[0].frames[0].usage=2" -o disc/TEX1.tab' \
        'complains "in place use -i"' 'exits 2 set disc/TEX1.tab "textures[0].frames[0].usage=2" -o disc/TEX1.bin' \
        'cmp disc/TEX1.bin disc/low/tex1.bin' 'cmp disc/TEX1.tab disc/low/tex1.tab'
    test_that "names of other case stay" all_of 'mkdir -p mixed' 'cp disc/TEX1.bin mixed/Tex1.bin' 'cp disc/TEX1.tab mixed/TEX1.TAB' \
        'exits 0 set -i mixed/Tex1.bin "textures[0].frames[0].usage=2"' '[ "$(ls mixed | wc -l)" -eq 2 ]' '! cmp -s mixed/Tex1.bin disc/TEX1.bin' 'rm -r mixed'
    test_that "a picture of two files" all_of 'exits 0 convert disc/TEX1.bin -t png -o shots/' '[ -s shots/texture_0.png ]' '[ -s shots/texture_2.png ]' \
        'exits 0 set disc/TEX1.bin --image texture_0=shots/texture_2.png -o same.bin' 'cmp same.bin disc/TEX1.bin' 'cmp same.tab disc/TEX1.tab' 'rm same.bin same.tab'

    exits 0 convert --lenient maps.json -t sfa-maps -o disc/MAPS.bin
    exits 0 convert list.json -t sfa-romlist -o disc/frontend.romlist.zlb
    cp disc/frontend.romlist.zlb kept.zlb
    cp disc/MAPS.bin kept.bin
    test_that "MAPS says what its lists hold" all_of 'exits 0 check disc' 'exits 0 set -i disc/frontend.romlist.zlb "objects[0].id=9"' \
        'complains "^disc/frontend.romlist.zlb: "' 'exits 0 roundtrip --json-too disc' \
        'exits 0 set -i disc/frontend.romlist.zlb --remove "objects[0]"' 'complains "^MAPS.bin: .* changed"' 'complains "^MAPS.tab: 0 bytes"' \
        'exits 0 get disc/MAPS.bin "maps[0].object_count"' 'says "^1$"' 'exits 0 get disc/MAPS.tab "maps[0].object_list_size"' 'says "^24$"' \
        'exits 0 get disc/MAPS.bin "maps[0].object_list.unpacked_size"' 'says "^24$"' 'exits 0 check disc' '! grep -qE "SFA-(INFO|STUB)" out' 'nothing_left'
    test_that "MAPS follows the list that is written, not the one that is read" all_of 'cp kept.zlb disc/frontend.romlist.zlb' 'cp kept.bin disc/MAPS.bin' \
        'exits 0 set disc/frontend.romlist.zlb --remove "objects[0]" -o disc/dragrock.romlist.zlb' 'cmp kept.bin disc/MAPS.bin' \
        'complains "warning: MAPS.bin has no entry for dragrock.romlist.zlb"' 'rm disc/dragrock.romlist.zlb' \
        'cp kept.zlb disc/strange.romlist.zlb' 'exits 0 set disc/strange.romlist.zlb --remove "objects[0]" -o disc/frontend.romlist.zlb' \
        'exits 0 get disc/MAPS.bin "maps[0].object_count"' 'says "^1$"' 'rm disc/strange.romlist.zlb'
    test_that "the file of a pair that stays as it was is left alone" all_of 'mkdir still' 'cp disc/TEX1.bin disc/TEX1.tab still' 'ln still/TEX1.tab still/tab' 'ln still/TEX1.bin still/bin' \
        'exits 0 set -i still/TEX1.tab "textures[0].frames[0].usage=2"' 'complains "^TEX1.tab: 0 bytes changed"' 'complains "TEX1.bin had 1 other name"' \
        '[ still/tab -ef still/TEX1.tab ]' '! [ still/bin -ef still/TEX1.bin ]' '[ "$(ls -A still | wc -l)" -eq 4 ]' 'exits 0 roundtrip still/TEX1.bin' 'rm -r still'
    test_that "both files of a pair become one pair" all_of 'exits 0 convert disc/MAPS.bin disc/MAPS.tab -t sfa-maps -o again/' 'complains "^1 file: 1 converted, 0 damaged, 1 skipped"' \
        'cmp again/MAPS.bin disc/MAPS.bin' 'cmp again/MAPS.tab disc/MAPS.tab' 'exits 0 convert disc/MAPS.tab disc/MAPS.bin -t sfa-maps -o again/' 'complains "^1 file: 1 converted"' \
        'exits 0 convert disc/MAPS.tab -t sfa-maps -o again/' 'mkdir twice' 'exits 0 convert disc/MAPS.bin -o twice/MAPS.bin.json' 'cp twice/MAPS.bin.json twice/MAPS.tab.json' \
        'exits 5 convert twice -t sfa-maps -o again/' 'complains "again/MAPS.tab was already written from twice/MAPS.bin.json"' 'rm -r twice again/MAPS.*'
    # Somebody who may write the list, but not MAPS.bin, writes neither.
    half_writable() {
        rm -rf half && mkdir half && cp kept.zlb half/frontend.romlist.zlb && cp kept.bin half/MAPS.bin && cp disc/MAPS.tab half || return 1
        chmod 711 . && chmod 777 half && chmod 666 half/* && chmod 444 half/MAPS.bin || return 1
        as_nobody "$mapstone" set -i half/frontend.romlist.zlb --remove "objects[0]" 2>err
        [ $? -eq 2 ] && complains "cannot write half/MAPS.bin: Permission denied" &&
            cmp kept.zlb half/frontend.romlist.zlb && cmp kept.bin half/MAPS.bin && [ "$(ls -A half | wc -l)" -eq 3 ] &&
            chmod 666 half/MAPS.bin && as_nobody "$mapstone" set -i half/frontend.romlist.zlb --remove "objects[0]" 2>err &&
            ! cmp -s kept.zlb half/frontend.romlist.zlb && ! cmp -s kept.bin half/MAPS.bin && rm -r half
    }
    if as_nobody "$mapstone" --version >/dev/null 2>&1; then
        test_that "a list and MAPS are both written or neither" half_writable
    else
        echo "# skipped: a list beside a MAPS.bin that may not be written (root needs setpriv for it)"
    fi
    test_that "check finds a list and MAPS that do not belong together" all_of 'mkdir mixed' 'cp disc/MAPS.* kept.zlb mixed' \
        'mv mixed/kept.zlb mixed/frontend.romlist.zlb' 'exits 0 set -qi mixed/frontend.romlist.zlb --remove "objects[0]"' \
        'cp kept.zlb mixed/frontend.romlist.zlb' 'exits 1 check -s mixed' 'says SFA-INFO-OBJECTS' 'says SFA-INFO-SIZE' 'rm -r mixed'
    test_that "a list that MAPS cannot speak of is not written" all_of 'cp kept.zlb disc/frontend.romlist.zlb' 'cp kept.bin disc/MAPS.bin' \
        'head -c 30 disc/MAPS.tab >short.tab' 'cp disc/MAPS.tab kept.tab' 'cp short.tab disc/MAPS.tab' \
        '! "$mapstone" set -i disc/frontend.romlist.zlb --remove "objects[0]" 2>err' 'cmp kept.zlb disc/frontend.romlist.zlb' 'cp kept.tab disc/MAPS.tab'
    test_that "a packed file goes to stdout" all_of '"$mapstone" set disc/frontend.romlist.zlb "objects[0].id=7" -o - 2>err >got.zlb' 'cmp got.zlb kept.zlb' \
        '"$mapstone" convert list.json -t sfa-romlist >got.zlb' 'cmp got.zlb kept.zlb'

    # a disc with d/TEX1.bin and d/TEX1.tab; its table is at 0x440 and has 68 bytes
    bin=$(wc -c <disc/TEX1.bin) tab=$(wc -c <disc/TEX1.tab)
    {
        printf 'GSAE01'
        head -c 22 /dev/zero
        big 0xC2339F3D
        head -c 1028 /dev/zero
        big 1088 68 68
        head -c 16 /dev/zero
        big 0x01000000 0 4 0x01000000 0 4 2 1156 "$bin" 11 $((1156 + bin)) "$tab"
        printf 'd\000TEX1.bin\000TEX1.tab\000'
        cat disc/TEX1.bin disc/TEX1.tab
    } >pair.iso
    cp pair.iso kept.iso
    test_that "two files of a disc image" all_of 'exits 0 roundtrip --json-too pair.iso' 'says "^1 file: 1 exact"' 'exits 0 info "pair.iso!d/TEX1.tab"' \
        "says '^  with +TEX1.tab, 64 bytes'" 'exits 0 check pair.iso' 'says "^1 file: 1 ok"' 'exits 0 identify pair.iso' \
        '[ "$(grep -c "sfa-textures" out)" -eq 2 ]' 'exits 0 convert "pair.iso!d/TEX1.bin" -t json -o from.json' 'cmp from.json pair.json'
    test_that "nothing is written into it" all_of 'exits 5 set -i "pair.iso!d/TEX1.bin" "textures[0].frames[0].usage=2"' 'complains "several files of the archive"' \
        'exits 2 set "pair.iso!d/TEX1.bin" "textures[0].frames[0].usage=2" -o "pair.iso!d/x.bin"' \
        'exits 0 set "pair.iso!d/TEX1.bin" "textures[0].frames[0].usage=2" -o out.bin' '[ -s out.tab ]' 'cmp pair.iso kept.iso' 'exits 0 roundtrip out.bin'
else
    echo "# this build does not pack"
fi

# ---- table -----------------------------------------------------------------------------------------
test_that "table has a row for each object" all_of 'exits 0 table a.level' '[ "$(wc -l <out)" -eq 3 ]' \
    'says "^\{\"file\":\"a\.level\",\"sha256\":\"[0-9a-f]{64}\",\"path\":\"objects\[0\]\",\"offset\":[0-9]+,.*\"class_name\":\"ns2_gamerules\""' \
    'says "\"properties\":\[\[\"origin\",\[4.*\],\[\"name\",\"Hub, .*\],\[\"name\",\"twice\"\]\]"'
test_that "table --where" all_of 'exits 0 table --where class_name=location a.level' '[ "$(wc -l <out)" -eq 2 ]'
test_that "table --csv quotes" all_of 'exits 0 table --csv --columns path,class_name,properties.name a.level' '[ "$(cat out)" = "path,class_name,properties.name
objects[0],ns2_gamerules,
objects[1],location,\"Hub, \"\"A\"\"\"
objects[2],location," ]'
test_that "class.def and exit.def are tables" all_of 'mkdir -p names' 'cp my.def names/class.def' \
    'printf "Gate (1, 2, 3) level 4 mapindex 5\n" >names/exit.def' 'exits 0 table --csv -C path,class,name,unique_id names/class.def' \
    'says "^text@types.0.,TILE,other,2$"' 'exits 0 table --csv -C name,position,level,map_index names/exit.def' 'says "^Gate,1 2 3,4,5$"' \
    'exits 0 table names/exit.def' 'says "\"offset\":null"' 'exits 0 get names/class.def "text@types[0].imagery"' 'says "x.i2d"'
printf '{"$format":"revenant-sector","version":15,"objects":[{"object_version":0,"class":"tile","unique_id":2},{"object_version":0,"class":"exit","unique_id":3,"name":"GATE"}]}' >names/sector.json
test_that "and give rows of sectors what they say" all_of 'exits 0 convert --lenient names/sector.json -o names/7_3_4.DAT' \
    'exits 0 table --csv -C path,type_name,imagery,destination names/7_3_4.DAT' 'says "^objects.0.,other,x.i2d,$"' 'says "^objects.1.,,,.level 4 .1, 2, 3..$"' \
    'exits 0 table -w type_name=other names/7_3_4.DAT' '[ "$(wc -l <out)" -eq 1 ]' 'says "\"type_name\":\"other\",\"imagery\":\"x.i2d\""' \
    'exits 0 table --csv names/7_3_4.DAT' 'head -n 1 out | grep -q ",type_name,imagery,destination$"' 'mkdir -p alone2' 'cp names/7_3_4.DAT alone2/' \
    'exits 0 table alone2/7_3_4.DAT' '! grep -q type_name out' 'exits 0 table --search-path names -C type_name alone2/7_3_4.DAT' 'says other' 'rm -r alone2'
test_that "table --csv has a header of its own" all_of 'exits 0 table --csv a.level' 'head -n 1 out | grep -q "^file,sha256,path,offset,.*class_name"'
cat >hostile.json <<'END'
{"$format": "ns2-level", "version": 10, "mesh": {"triangles": {"ghost_vertices": [], "smoothed_normals": [], "triangle_count": 0,
  "faces": []}}, "objects": [
  {"has_layers": false, "group": 0, "class_name": "\u001b]0;owned\u0007\u0085\u202e\u200f\u2066\u007f\u061cx\ty\u00e9", "extras": [], "properties": []},
  {"has_layers": false, "group": 0, "class_name": "=1+1", "extras": [], "properties": []},
  {"has_layers": false, "group": 0, "class_name": "@a,b\"c", "extras": [], "properties": []},
  {"has_layers": false, "group": 0, "class_name": "plain", "extras": [], "properties": [
    {"name": "origin", "type": "distance", "animated": false, "value": [-1, 2, 3]}]}]}
END
# what a terminal obeys: C0 but tab and the ends of lines, DEL, C1, direction marks
obeyed="$(printf '[\001-\010\013\014\016-\037\177]|\302[\200-\237]|\342\200[\216\217\252-\256]|\342\201[\246-\251]|\330\234')"
obeys() { LC_ALL=C grep -qaE -- "$obeyed" "$1"; }
test_that "data goes into pipes as it is" all_of 'exits 0 convert hostile.json -o hostile.level' \
    'exits 0 get hostile.level "objects[0].class_name"' 'obeys out' 'exits 0 table --csv -C class_name hostile.level' 'obeys out'
test_that "JSON, outlines and messages hold nothing that a terminal obeys" all_of 'exits 0 dump hostile.level' '! obeys out' \
    'grep -qF "\\u001b]0;owned\\u0007\\u0085\\u202e\\u200f\\u2066\\u007f\\u061cx" out' 'exits 0 table hostile.level' '! obeys out' \
    'exits 0 info hostile.level' '! obeys out' 'exits 0 info --json hostile.level' '! obeys out' 'exits 0 tree hostile.level' '! obeys out' \
    'exits 0 check -I hostile.level' '! obeys out' 'exits 0 convert -t gltf hostile.level' '! obeys out' 'exits 0 roundtrip --json-too hostile.level'
cat >safe.csv <<'END'
class_name,properties.origin
'=1+1,
"'@a,b""c",
plain,-1 2 3
END
test_that "cells that spreadsheets take for formulas" all_of 'exits 0 table --csv -C class_name,properties.origin hostile.level' 'says "^=1\+1,$"' \
    'complains "information: 2 cells begin with .*--csv-safe"' 'exits 0 table --csv-safe -C class_name,properties.origin hostile.level' \
    'grep -v owned out | cmp - safe.csv' '[ ! -s err ]'
test_that "columns that no row has" all_of 'exits 2 table --csv -C clas_name a.level' '[ ! -s out ]' "complains \"no row has 'clas_name'; did you mean 'class_name'\"" \
    'exits 2 table -C Class_Name a.level' "complains \"mean 'class_name'\"" 'exits 2 table -w properties.orgin=x a.level' '[ ! -s out ]' \
    "complains \"^error: --where: no row has 'properties.orgin'; did you mean 'properties.origin'\"" 'exits 2 table -C ofset a.level' "complains \"mean 'offset'\"" \
    'exits 2 table -C "properties[0].valu" a.level' 'complains "no field .valu.; did you mean .value"' 'exits 2 table -C nowhere a.level set' 'complains "no row has .nowhere"' \
    '"$mapstone" table -C qqqqqq - <a.level >out 2>err; [ $? -eq 2 ]' '[ ! -s out ]' 'complains "no row has .qqqqqq.; there are: file, sha256"'
test_that "columns that some rows have" all_of 'exits 0 table --csv -C properties.angles,properties.name,path a.level' '[ "$(cat out)" = "properties.angles,properties.name,path
0 0 0,,objects[0]
,\"Hub, \"\"A\"\"\",objects[1]
,,objects[2]" ]' 'exits 0 table -C class,class_name game set/a.level' 'says "^{\"class\":\"tile\"}$"' 'says "^{\"class_name\":\"location\"}$"' \
    'exits 0 table -w "properties[0].name=origin" -C "properties[1].name" a.level' '[ "$(wc -l <out)" -eq 2 ]'
test_that "names of a mod's actors" all_of 'mkdir -p mod/Levels mod/defs/actors' 'printf "Own_Player 0\n{\n}\n" >mod/defs/actors/own.txt' \
    'exits 0 convert "$here/../../samples/valley.json" -o mod/Levels/valley.map' 'exits 0 table -C type_name mod/Levels/valley.map' 'says "Own_Player"' \
    'mv mod/Levels/valley.map .' 'exits 0 table -C type_name valley.map' '! grep -q Own_Player out' \
    'exits 0 table -C type_name --search-path mod valley.map' 'says "Own_Player"' \
    'exits 0 table -C type_name --search-path mod/defs/actors valley.map' 'says "Own_Player"' 'rm -r mod valley.map'
test_that "table shows what records in a row hold" all_of 'exits 0 convert crates.json -t sfa-romlist -o crates.romlist.zlb' \
    'exits 0 table --csv -w type=LargeCrate crates.romlist.zlb' \
    'head -n 1 out | grep -q ",id,parameters.rotation_y,parameters.drop,parameters.unknown_1A,parameters.respawn_minutes,parameters.broken$"' \
    'says ",9,-5,2,0,7,~3$"' '[ "$(wc -l <out)" -eq 2 ]' 'exits 0 table --csv crates.romlist.zlb' '! grep -q parameters out' \
    'exits 0 table crates.romlist.zlb' 'says "\"id\":7}$"' 'says "\"parameters.respawn_minutes\":7,\"parameters.broken\":\"~3\"}$"' \
    'exits 0 table --csv -C id,parameters.drop -w parameters.drop=2 crates.romlist.zlb' '[ "$(cat out)" = "id,parameters.drop
9,2" ]'
test_that "table --where in CSV has the properties as columns" all_of 'exits 0 table --csv --where class_name=location a.level' \
    'head -n 1 out | grep -q ",class_name,.*properties.origin,.*properties.name"' 'exits 0 table --csv --where class_name=nobody a.level' \
    '! head -n 1 out | grep -q properties.name' '[ "$(wc -l <out)" -eq 1 ]' 'exits 2 table --csv --where class_name a.level' \
    'exits 0 table --csv -w class_name=location a.level set' 'head -n 1 out | grep -q properties.name'
test_that "table --lists" all_of 'exits 0 table --lists a.level' 'says "\"rows\":\"objects\",\"count\":3,\"columns\":\\[.*\"class_name\",.*\"properties.origin\""' \
    'exits 0 table --csv --lists a.level' 'head -n 1 out | grep -qx "file,rows,count,columns"' 'says "^a.level,objects,3,.*class_name .*properties.origin"' \
    'exits 0 table --csv --lists set a.level' '[ "$(grep -c ^file,rows out)" -eq 1 ]' 'exits 2 table --lists --rows objects a.level' \
    'exits 2 table --lists -C path a.level' 'exits 2 table --lists -w path=x a.level'
test_that "table --rows" all_of 'exits 0 table --rows "objects[1].properties" a.level' '[ "$(wc -l <out)" -eq 3 ]' \
    'exits 3 table --rows nowhere a.level'
test_that "table over many files, in order" all_of 'exits 0 table -j 4 set' '[ "$(wc -l <out)" -eq 6 ]' \
    'head -n 1 out | grep -q "set/a.level"' 'tail -n 1 out | grep -q "set/sub/b.level"'

# ---- render --view game ----------------------------------------------------------------------------
mkdir -p seen/map seen/root/IMAGERY
test_that "a level as its game shows it" all_of 'exits 0 convert -q "$here"/../../samples/keep/*.json -t revenant-sector -o seen/map/' \
    'exits 0 convert -q "$here"/../../samples/keep-imagery -t revenant-image -o seen/root/IMAGERY/Keep/' 'exits 3 render --view game seen/map -o seen/a.png' \
    'complains "class.def, which says what objects look like, is not found"' 'cp "$here"/../../samples/keep/class.def seen/map/' \
    'exits 2 render --view game seen/map -o seen/a.png' 'complains "and 28 more files"' 'complains "none of its objects has a picture"' '[ ! -e seen/a.png ]' \
    'exits 0 render --view game seen/map --search-path seen/root -o seen/a.png' '[ ! -s errors ]' '[ "$(head -c 24 seen/a.png | tail -c 8 | od -An -tx1 | tr -d " \n")" = 0000140000000a2b ]' \
    'exits 0 render --view game seen/map --level 7 --search-path seen/root --ambient 9 -o seen/b.png' '! cmp -s seen/a.png seen/b.png' \
    'exits 0 render --view game seen/map/7_11_10.dat --search-path seen/root -o seen/c.png' '[ "$(wc -c <seen/c.png)" -lt "$(wc -c <seen/a.png)" ]'
test_that "tiles of a level" all_of 'exits 0 render --view game seen/map --search-path seen/root --tiles seen/tiles' 'complains "seen/tiles/index.html shows [0-9]+ tiles of 5120 x 2603 pixels"' \
    '[ -s seen/tiles/0/0/0.png ]' '[ ! -e seen/tiles/6 ]' 'grep -q "Aldis the Warden" seen/tiles/index.html' \
    'left=$(sed -n "s/.*\"left\":\(-*[0-9]*\),.*/\1/p" seen/tiles/index.html)' 'top=$(sed -n "s/.*\"top\":\(-*[0-9]*\),.*/\1/p" seen/tiles/index.html)' \
    'exits 0 render --view game seen/map --search-path seen/root --area "$((left + 9 * 256)),$((top + 4 * 256)),256x256" -o seen/part.png' 'cmp seen/part.png seen/tiles/5/9/4.png' '! grep -q "shows nothing" err' \
    'exits 0 render --view game seen/map --search-path seen/root --area "$((left - 256)),$top,256x256" -o seen/part.png' 'complains "the area shows nothing: the level is at $left,$top,5120x2603"' \
    'exits 0 render --view game seen/map --search-path seen/root --area "$((left - 256)),$top,257x256" -o seen/part.png' '! grep -q "shows nothing" err' \
    'exits 0 render --view game seen/map/7_11_10.dat --search-path seen/root --tiles seen/one' '[ -s seen/one/0/0/0.png ]'
# two sectors at the corners of a level of 2,048 x 2,048 tiles: what is not there takes neither time nor files
test_that "tiles of a level that is mostly empty" all_of 'mkdir -p seen/wide && cp "$here"/../../samples/keep/class.def seen/wide/' \
    'exits 0 convert -q seen/map/7_10_11.dat -o seen/wide/7_0_250.dat' 'exits 0 convert -q seen/map/7_10_11.dat -o seen/wide/7_250_0.dat' \
    'timeout 60 "$mapstone" render --view game seen/wide --search-path seen/root --tiles seen/far 2>err' 'complains "of 51[0-9]+ x [0-9]+ pixels"' \
    '[ -d seen/far/11 ]' '[ ! -e seen/far/12 ]' '[ -s seen/far/0/0/0.png ]' '[ "$(find seen/far -name "*.png" | wc -l)" -lt 300 ]' \
    '[ "$(find seen/far -name "*.png" | wc -l)" -eq "$(sed -n "s/.*shows \([0-9]*\) tiles.*/\1/p" err)" ]'
test_that "an image that is not there" all_of 'exits 3 set seen/root/IMAGERY/Keep/Anvil.i2d --image bitmap_7=seen/part.png -o seen/x.I2D' \
    "complains \"there is no image 'bitmap_7': name bitmap_0\"" '[ ! -e seen/x.I2D ]'
test_that "views of the game that cannot be" all_of 'exits 2 render --view game a.level -o seen/x.png' 'complains "has no view of the game"' \
    'for one in "--area 1,2,3" "--area 1,2,0x4" "--area 1,2,3x70000" "--area 1,2,3x4z" "--ambient 0" "--ambient 32" "--size 0" "--size 64 --tiles seen/t" "--layers a" "--cut 2" "--yaw 3" "--tiles seen/t -o seen/x.png" "--tiles seen/t --area 1,2,3x4"; do
        exits 2 render --view game seen/map --search-path seen/root $one || return 1; done' \
    'for one in "--ambient 3 -o seen/x.png" "--tiles seen/t"; do exits 2 render a.level $one && complains "no effect with --view above" || return 1; done' \
    '[ ! -e seen/x.png ]' '[ ! -e seen/t ]' 'exits 2 render --view game seen/map --search-path seen/root --tiles seen/a.png'

# ---- render ----------------------------------------------------------------------------------------
test_that "render" all_of 'exits 0 render --size 64x48 a.level -o a.png' '[ "$(head -c 4 a.png | tail -c 3)" = PNG ]'
test_that "layers that there are not" all_of 'exits 0 convert "$here/../../samples/outpost.json" -o layers.level' 'exits 0 render --size 64 --layers Props layers.level -o l.png' \
    'rm l.png' 'exits 2 render --size 64 --layers Props,props layers.level -o l.png' "complains \"is on 'props'; did you mean 'Props'\"" '[ ! -e l.png ]' \
    'exits 2 render --layers Props a.level -o l.png' 'complains "nor on any layer"'
test_that "render sizes and colours that are none" all_of 'exits 2 render --size 0 a.level -o x.png' 'exits 2 render --size 99999 a.level -o x.png' \
    'exits 2 render --background pink a.level -o x.png' '[ ! -e x.png ]'
test_that "a picture's name says that it is one" all_of 'exits 0 render --size 240 a.level -o above.png' 'exits 0 render --size 240 a.level second.png' 'cmp second.png above.png' \
    'exits 0 render --size 240 a.level second.png' 'exits 0 render --size 240 a.level pictures/' 'cmp pictures/a.png above.png' \
    'for f in a.jpg a.JPEG a.webp a.glb a.level; do exits 2 render a.level -o $f && complains "pictures are PNG, maps also SVG; name it a\.png" || return 1; done' \
    'exits 2 render a.level new.jpg' 'complains "name it new\.png"' '[ ! -e new.jpg ]' '[ ! -e a.jpg ]' \
    'exits 0 render --size 240 a.level -o extless' 'cmp extless above.png' 'exits 0 render --size 240 a.level -o UPPER.PNG' 'cmp UPPER.PNG above.png' \
    'exits 0 render --size 240 --view top a.level -o top.png' 'cmp top.png above.png'
test_that "a part of a map" all_of 'exits 0 render acting.level --area 8,8,2x2 -o part.png --marks part.json' '[ "$(grep -c func_door part.json)" = 1 ]' \
    '! grep -q logic_button part.json' 'exits 0 render acting.level --area -1.5,-1.5,3x3 -o part.svg' '! grep -q func_door part.svg' 'grep -q "<title>logic_button" part.svg' \
    'for one in 1,2,3 1,2,0x4 1,2,3x-4 1,2,3x4z a,2,3x4 1,2,nanx4; do exits 2 render acting.level --area $one -o no.png && complains "is not LEFT,TOP,WIDTHxDEPTH" || return 1; done' \
    'exits 2 render --oblique acting.level --area 1,2,3x4 -o no.png' 'complains "area has no effect with --view oblique"' '[ ! -e no.png ]'
test_that "a map as SVG" all_of 'exits 0 render acting.level -o map.svg' 'python3 -c "import xml.dom.minidom as m; m.parse(\"map.svg\")"' \
    'grep -q "<title>func_door</title>" map.svg' 'exits 0 render --view top --only func_door acting.level -o Door.SVG' 'grep -q ">func_door</text>" Door.SVG' \
    '! grep -q logic_button Door.SVG' 'exits 2 render --view oblique acting.level -o no.svg' 'complains "SVG is for maps from above, not for --view oblique"' \
    'exits 2 render --oblique acting.level -o no.svg' 'complains "oblique has no effect with SVG"' 'exits 2 render acting.level -o no.svg --marks m.json' \
    'exits 2 render --sheet acting.level -o no.svg' '[ ! -e no.svg ]'
test_that "bounds are those of the file, too" all_of 'exits 0 convert "$here/../../samples/valley.json" -o valley.map' 'exits 0 info valley.map' \
    'says "^  in the file .* units, 38\.4 a metre; world X Y Z are the file'\''s x z -y$"' 'exits 0 info --json valley.map' \
    'says "\"file_bounds\":\{\"minimum\":\[.*\"unit_metres\":0\.0260416"' 'exits 0 info a.level' '! says "in the file" >/dev/null'
test_that "colours have names" all_of \
    'for n in "#fff:white" "#FFFFFF:White" "fff:#ffffffff" "#f00:red" "#f00f:red" "#008000:green" "#000080:navy" "#0ff:cyan" "#808080:grey"; do
    exits 0 render --size 200 --background "${n%:*}" a.level -o x.png && exits 0 render --size 200 --background "${n#*:}" a.level -o y.png && cmp x.png y.png || return 1; done' \
    'exits 0 render --size 200 --background red a.level -o x.png' '! cmp -s x.png y.png' 'exits 0 render --size 200 --background "#1230" a.level -o x.png' \
    'exits 0 render --size 200 --background Transparent a.level -o y.png' \
    'for n in "#ff" "#fffff" "#fffffff" "#ggg" "" "rosy"; do exits 2 render --size 200 --background "$n" a.level -o z.png && complains "is not a colour; .* white " || return 1; done' \
    '[ ! -e z.png ]'

# ---- roundtrip -------------------------------------------------------------------------------------
test_that "roundtrip" all_of 'exits 0 roundtrip --json-too a.level' 'says "^a\.level: exact$"' \
    'last_line out "1 file: 1 exact, 0 differ, 0 damaged, 0 skipped"'
test_that "roundtrip of a directory" all_of 'exits 0 roundtrip -q set' '[ "$(wc -l <out)" -eq 1 ]' \
    'last_line out "2 files: 2 exact, 0 differ, 0 damaged, 2 skipped"'
test_that "the worst code wins" all_of 'exits 4 roundtrip a.level cut.level stranger.txt b.level' \
    'last_line out "4 files: 2 exact, 0 differ, 1 damaged, 1 unknown, 0 skipped"'
test_that "roundtrip of an unknown file" exits 1 roundtrip stranger.txt

# ---- spec ------------------------------------------------------------------------------------------
test_that "spec lists the formats" all_of 'exits 0 spec' 'says "^ns2-level "'
test_that "spec describes the parameters of one type" all_of 'exits 0 spec sfa-romlist LargeCrate' 'says "respawn_minutes"' \
    'says "18 min| *|.* Values: 0 to "' \
    'exits 3 spec sfa-romlist LargeCrates' 'complains "did you mean .LargeCrate.?"' \
    'exits 3 spec ns2-level LargeCrate' 'complains "takes no further name"' 'exits 2 spec a b c'
test_that "spec is the schema of JSON" all_of 'exits 0 spec --as json-schema ns2-level' 'says "json-schema.org"' \
    'exits 2 spec --as json-schema' 'exits 2 spec --as json-schema sfa-romlist LargeCrate' 'exits 2 spec --as prose ns2-level'
test_that "spec is a page" all_of 'exits 0 spec --as html ns2-level' 'says "<h2 id=.mesh.>mesh</h2>"' 'says "<a href=.#mesh.>mesh</a>"' \
    'exits 2 spec --as html' 'exits 2 spec --as html sfa-romlist LargeCrate'
test_that "spec is patterns for a hex editor" all_of 'exits 0 spec --as hexpat ns2-level' 'says "^// Not tested"' 'says "^struct mesh_record<"' \
    'exits 2 spec --as hexpat'
test_that "spec is the marks of files" all_of 'exits 0 spec --as magic' 'says "LVL.*Natural Selection 2 level"' \
    'exits 0 spec --as magic ns2-level' '[ "$(wc -l <out)" = 1 ]' 'exits 2 spec --as magic turok-map' 'complains "have no mark"'
test_that "completions know the types of objects" all_of 'exits 0 help --completion bash' 'says "spec:sfa-romlist)"' 'says " LargeCrate "' \
    'exits 0 help --completion zsh' 'says " LargeCrate "' 'exits 0 help --completion fish' 'says " LargeCrate "'
test_that "spec is the reference in docs/formats" all_of 'exits 0 spec ns2-level' 'cmp out "$here/../../docs/formats/ns2-level.md"'
test_that "docs/lists.md has the lists of the formats" "$here/../../scripts/lists.sh" "$mapstone"

# ---- -o, in every command that writes data -----------------------------------------------------------
for one in "identify a.level" "info --json a.level" "tree a.level" "get -r a.level version" "check twice.level" "dump a.level" \
    "table --csv a.level" "roundtrip a.level" "spec ns2-level"; do
    test_that "${one%% *} -o FILE" all_of "exits 0 $one" 'cp out wanted.txt' "exits 0 $one -o got.txt" '[ ! -s out ]' 'cmp got.txt wanted.txt' \
        "exits 2 $one -o set" 'complains "is a directory"' "exits 2 $one -o nowhere/x" 'complains "nowhere/x"' nothing_left 'rm got.txt'
done
test_that "-o is not an input, nor in an archive" all_of 'for one in identify info tree check dump table roundtrip; do exits 2 $one a.level -o ./a.level || exit 1; done' \
    'exits 2 get a.level version -o a.level' 'cmp a.level whole.level' 'exits 2 table a.level -o probe.tar!x'
test_that "-o leaves what was there when the data is not complete" all_of 'echo old >got.txt' 'exits 3 get a.level version nowhere -o got.txt' \
    'exits 2 table a.level nowhere.level -o got.txt' '[ "$(cat got.txt)" = old ]' 'exits 4 check cut.level -o got.txt' 'grep -q NS2-CHUNK-OVERRUN got.txt' \
    'exits 1 check --strict twice.level -o got.txt' 'grep -q DUPLICATE got.txt' 'exits 0 check -q whole.level --ignore "*" -o got.txt' '[ ! -s got.txt ]' nothing_left
test_that "-o has no colours unless they are asked for" all_of 'exits 0 tree --color=always a.level -o got.txt' '! grep -q "$(printf "\033")" got.txt'

# ---- files, pipes, terminals -----------------------------------------------------------------------
test_that "a failed output leaves what was there" all_of 'echo old >kept.glb' '! "$mapstone" convert cut.level -o kept.glb 2>err' \
    '[ "$(cat kept.glb)" = old ]'
test_that "no temporary files are left" nothing_left
test_that "a symbolic link stays one" all_of 'echo {} >real.json' 'ln -sf real.json link.json' 'exits 0 dump a.level -o link.json' \
    '[ -L link.json ]' 'grep -q ns2-level real.json'
test_that "a directory as output of one file" all_of 'exits 2 dump a.level -o set' 'complains "is a directory"'
test_that "a directory that is not there" exits 2 dump a.level -o nowhere/x.json
test_that "a symbolic link to nothing leads to a new file" all_of 'rm -f new.json' 'ln -sf new.json link.json' \
    'exits 0 dump a.level -o link.json' '[ -L link.json ]' '[ -s new.json ]' nothing_left
awk 'BEGIN { printf "{\"$format\":\"ns2-level\",\"version\":10,\"viewports\":\""
    for (i = 0; i < 200000; i++) printf "<viewport></viewport>"
    printf "\",\"unknown_chunks\":[{\"id\":100}"
    for (i = 0; i < 200000; i++) printf ",{\"id\":99}"
    print "]}" }' >many.json
test_that "many small things take little time" all_of 'exits 0 convert many.json -o many.level' \
    'timeout 10 "$mapstone" get many.level "unknown_chunks[:].id" >out' 'timeout 10 "$mapstone" info many.level >out'
rm -f many.json many.level
awk 'BEGIN { printf "<x>"; for (i = 0; i < 80000; i++) printf "<class name=\"c%d\" parent=\"c%d\"/>", i, i + 1; print "</x>" }' >many.xml
mesh="$mesh" awk 'BEGIN { printf "{\"$format\":\"ns2-level\",\"version\":10,%s,\"objects\":[", ENVIRON["mesh"]
    for (i = 0; i < 10000; i++) printf "%s{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"c0\",\"extras\":[],\"properties\":[{\"name\":\"p\",\"type\":0,\"animated\":false,\"value\":[\"\"]}]}", i ? "," : ""
    print "]}" }' >many.json
test_that "a large schema takes little time and memory" timeout 30 "$mapstone" check -q --schema many.xml many.json
rm -f many.json many.xml
if [ -w /dev/full ]; then
    test_that "a full disk is named by set" all_of 'exits 2 set a.level --force objects[0].group=1 -o /dev/full' 'complains "No space left"'
    test_that "a full disk is an error" all_of '! "$mapstone" dump a.level >/dev/full 2>err' 'complains "No space left"' '[ "$(wc -l <err)" -eq 1 ]'
fi
test_that "a reader that goes away is not news" all_of '{ "$mapstone" dump a.level 2>err; echo $? >code; } | head -c 1 >/dev/null' '[ ! -s err ]'
test_that "colours only where they are asked for" all_of 'exits 4 check cut.level' '! grep -q "$(printf "\033")" out' \
    'exits 4 check --color=always cut.level' 'grep -q "$(printf "\033")" out'
test_that "progress as JSON" all_of 'exits 0 roundtrip -q --progress=json set' 'complains "^\{\"done\":4,\"total\":4,.*\"files_per_second\":[0-9.]+,\"seconds_left\":0\}$"' \
    '[ "$(wc -l <err)" -le 4 ]'
test_that "an unreadable directory fails the batch" all_of '[ "$(id -u)" -eq 0 ] || { mkdir -p closed && chmod 0 closed; exits 2 roundtrip closed a.level; }'
terminal() { script -qec "$1" /dev/null </dev/null >out 2>&1; }
# a bare chroot has no /dev/pts, and some machines have no `script`
if ! command -v script >/dev/null; then
    no_terminal="script (of bsdutils) is not installed"
elif ! terminal true; then
    no_terminal="no pseudo-terminal can be opened: is /dev/pts mounted?"
else
    no_terminal=
fi
if [ -n "$no_terminal" ]; then
    skip "a terminal gets nothing from files that it obeys" "$no_terminal"
    skip "binary does not go to a terminal" "$no_terminal"
    skip "NO_COLOR" "$no_terminal"
else
    test_that "a terminal gets nothing from files that it obeys" all_of \
        'terminal "\"$mapstone\" get hostile.level \"objects[0].class_name\""' '! obeys out' \
        'grep -qF "\\x1b]0;owned\\x07\\u0085\\u202e\\u200f\\u2066\\x7f\\u061cx" out' \
        'terminal "\"$mapstone\" table --csv --color=never -C class_name hostile.level"' '! obeys out' 'grep -qF "\\x1b]0;owned" out' \
        'terminal "\"$mapstone\" dump hostile.level"' '! obeys out'
    test_that "binary does not go to a terminal" all_of '! terminal "\"$mapstone\" convert a.level -t glb"' 'says "is binary"'
    test_that "NO_COLOR" all_of 'terminal "\"$mapstone\" tree a.level" || true' 'grep -q "$(printf "\033")" out' \
        'terminal "NO_COLOR=1 \"$mapstone\" tree a.level" || true' '! grep -q "$(printf "\033")" out'
fi

# ---- real files ------------------------------------------------------------------------------------
if [ -d "$corpus/ns2" ]; then
    levels=$(find "$corpus/ns2" \( -name '*.level' -o -name '*.clip' \) | wc -l)
    others=$(find "$corpus/ns2" -type f ! -name '*.level' ! -name '*.clip' | wc -l)
    test_that "every real file is recognised" all_of 'exits 0 identify "$corpus/ns2"' \
        'last_line out "$levels files: $levels known, 0 damaged, $others skipped"'
    test_that "every real file is exact, also by way of JSON" all_of 'exits 0 roundtrip --json-too -j 2 "$corpus/ns2"' \
        'last_line out "$levels files: $levels exact, 0 differ, 0 damaged, $others skipped"'
    test_that "no real file has errors" exits 0 check -j 2 "$corpus/ns2"
    test_that "every real file that has a scene is converted and drawn" all_of \
        'exits 0 convert -j 2 "$corpus/ns2" -t glb -o glb/' 'exits 0 render -j 2 --size 200 "$corpus/ns2" -o png/' \
        '[ "$(find glb -name "*.glb" | wc -l)" -eq "$levels" ]' '[ "$(find png -name "*.png" | wc -l)" -eq "$levels" ]'
    test_that "threads change nothing" all_of 'exits 0 table "$corpus/ns2"' 'mv out one' \
        'exits 0 table -j 3 "$corpus/ns2"' 'cmp one out'
    probed() { # LEVEL: six pictures for each cubemap
        [ "$(find probed -name 'probe_*.png' -size +0 | wc -l)" -eq $((6 * $(grep -ao 'reflection_probe_cubemap' "$1" | wc -l))) ]
    }
    for level in "$corpus"/ns2/*2fort__267190d3.level "$corpus"/ns2/*ikea__c29f04a0.level; do
        rm -rf probed
        test_that "what real probes have seen: ${level##*/}" all_of 'exits 0 convert "$level" -o probed/' 'probed "$level"'
    done
    level=$(find "$corpus/ns2" -name '*.level' | sort | head -n 1)
    test_that "a large reader that goes away" all_of '{ "$mapstone" tree --all "$level" 2>err; echo $? >code; } | head -n 1 >out' \
        '[ ! -s err ]' '[ "$(cat code)" -eq 0 ]'
else
    echo "# no corpus at $corpus: tests of real files are skipped"
fi

if [ -d "$corpus/alien" ]; then
    gfx=$corpus/alien/111GFX.BIN
    map=$corpus/alien/L111LEV.MAP
    test_that "pictures in a file become files" all_of 'exits 0 convert "$gfx" pages/' '[ "$(ls pages | wc -l)" -eq 5 ]' \
        '[ "$(head -c 4 pages/page_4.png | tail -c 3)" = PNG ]' 'exits 0 convert "$gfx" -t png -o pages2/' 'diff -r pages pages2' \
        '"$mapstone" convert - pages3/ <"$gfx"' 'diff -r pages pages3'
    test_that "five pictures are not one" all_of 'exits 2 convert "$gfx" -o page.png' 'complains "5 images.*-o DIR/"' '[ ! -e page.png ]' \
        'exits 2 convert "$gfx" -t png'
    test_that "pictures of many files stand apart" all_of 'mkdir -p gfx' 'cp "$gfx" gfx/a.bin' 'cp "$gfx" gfx/b.bin' 'exits 0 convert gfx apart2/' \
        'diff -r pages apart2/a' 'diff -r pages apart2/b'
    test_that "a picture does not go over an input" all_of 'mkdir -p over' 'cp "$gfx" over/page_3.png' \
        'exits 2 convert over/page_3.png -o over/' 'complains "page_3\.png is an input"' 'cmp over/page_3.png "$gfx"'
    test_that "info names the pictures" all_of 'exits 0 info "$gfx"' 'says "^  images +5 \(page_0 256 x 256, .*page_4 256 x 256\)$"' \
        'exits 0 info --json "$gfx"' 'says "\"images\":\[\{\"name\":\"page_0\",\"width\":256,\"height\":256\},"'
    test_that "a picture put back changes nothing" all_of 'exits 0 set "$gfx" --image page_0=pages/page_0.png --image 4=pages/page_4.png -o same.bin' \
        'cmp same.bin "$gfx"'
    test_that "pictures that do not fit" all_of 'rm -f n.bin' 'exits 5 set "$gfx" --image page_0=a.png -o n.bin' \
        'exits 3 set "$gfx" --image page_9=pages/page_0.png -o n.bin' 'exits 3 set "$gfx" --image 5=pages/page_0.png -o n.bin' \
        'exits 2 set "$gfx" --image page_0=nowhere.png -o n.bin' 'exits 4 set "$gfx" --image page_0=stranger.txt -o n.bin' '[ ! -e n.bin ]'
    test_that "the other byte order, and back" all_of 'exits 0 convert "$map" -o twin.MAP --byte-order big' \
        'cmp twin.MAP "$corpus/alien/L111LEV.big-endian.MAP"' 'exits 0 convert twin.MAP -o back.MAP --byte-order little' 'cmp back.MAP "$map"'
    test_that "rectangles of textures" all_of 'exits 0 info --rectangles "$gfx"' '[ "$(wc -l <out)" -eq 339 ]' \
        'says "^texture 1: page 0, 32 x 32 at 32 0$"' 'exits 2 info --rectangles "$map"'
    test_that "triggers in words" all_of 'exits 0 info --triggers "$map"' 'says "^trigger 1[,:].*open door 0"' 'exits 0 info --triggers --json "$map"' \
        'says "^\{\"file\":.*\"triggers\":\[\".*\"\]\}$"'
    test_that "textures are found beside a level, in any case, or where they are said to be" all_of 'mkdir -p bare beside' \
        'cp "$map" bare/' 'cp "$map" beside/' 'cp "$gfx" beside/111gfx.bin' 'exits 0 convert bare/L111LEV.MAP -o bare.glb' \
        'exits 0 convert beside/L111LEV.MAP -o beside.glb' 'exits 0 convert --search-path set --search-path beside bare/L111LEV.MAP -o searched.glb' \
        '! cmp -s bare.glb beside.glb' 'cmp beside.glb searched.glb' \
        '"$mapstone" convert --as-path L111LEV.MAP --search-path beside -t glb - <"$map" | cmp - beside.glb'
fi

# A level of which the end goes while its JSON, more than a pipe holds, waits to be read: shrinks CODE OPTION...
shrinks() {
    wanted=$1
    shift
    { cat a.level; head -c 4000000 /dev/zero; } >shrinking.level
    rm -f pipe
    mkfifo pipe || return 1
    "$mapstone" dump "$@" shrinking.level >pipe 2>err &
    reader=$!
    exec 3<pipe
    head -c 1 <&3 >/dev/null
    : >shrinking.level
    cat <&3 >/dev/null
    exec 3<&-
    code=0
    wait "$reader" || code=$?
    [ "$code" = "$wanted" ] || { echo "exit code $code, not $wanted"; cat err; return 1; }
}
case $(uname) in
Linux) test_that "a file that is truncated while it is read" all_of 'shrinks 2' 'complains "^error: the file was truncated while it was read$"' \
    'shrinks 0 --no-mmap' '[ ! -s err ]' ;;
esac

# what is left of a damaged sector: two objects, of which the name of the first one runs past its end
sector_bytes() {
    printf 'MAP \017\000\000\000\000\000\000\000\002\000\000\000'
    for length in "$1" '\000'; do
        printf '\000\000\011\000\001\000\000\000\044\000\000\000'
        printf "$length"'\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377'
        printf '\000\000\000\007\000\000\000\000\000'
    done
}
sector_bytes '\000' >1_0_0.DAT
sector_bytes '\310' >damaged.DAT
test_that "a damaged object is left out when asked for" all_of 'exits 0 get 1_0_0.DAT "objects[1].map_index"' 'says "^7$"' \
    'exits 4 get damaged.DAT "objects[1].map_index"' 'complains "objects\[0\]\.name.*REV-OVERRUN"' \
    'exits 4 get --salvage damaged.DAT "objects[1].map_index"' 'says "^7$"' 'complains "objects\[0\]\.name.*REV-OVERRUN"' \
    'exits 4 check --salvage damaged.DAT' 'exits 4 info --salvage damaged.DAT' 'exits 2 set --salvage damaged.DAT object_count=1'
test_that "a sector that moves gets another hash" all_of 'exits 0 check 1_0_0.DAT' 'says "REV-HASH"' \
    'cp 1_0_0.DAT 1_0_1.DAT' '"$mapstone" check 1_0_1.DAT | grep -q REV-POSITION' 'rm 1_0_1.DAT' \
    'exits 0 convert 1_0_0.DAT -o 1_0_1.DAT' 'exits 0 check 1_0_1.DAT' '! grep -q "REV-POSITION\|REV-HASH" out' \
    'exits 0 get 1_0_1.DAT "objects[*].position[1]"' '[ "$(sort -u out)" = 1024 ]'

if [ -d "$corpus/revenant" ]; then
    sectors=$corpus/revenant
    test_that "sectors become version 15 as they should" all_of \
        'for f in "$sectors"/v15/*; do n=$(basename "$f"); for v in 1 2 3 4 5 6 7 8; do [ -f "$sectors/v$v/$n" ] || continue; "$mapstone" convert "$sectors/v$v/$n" -o "15_$n" --to-version 15 --allow-loss --as-path "$n" 2>err || exit 1; done; done' \
        'exits 0 convert "$sectors/v8/44_12_8.DAT" -o 44_12_8.DAT --to-version 15' 'cmp 44_12_8.DAT "$sectors/v15/44_12_8.DAT"' \
        'exits 0 convert "$sectors/v3/5_4_23.DAT" -o 5_4_23.DAT --to-version 15 --allow-loss' 'cmp 5_4_23.DAT "$sectors/v15/5_4_23.DAT"' \
        'complains "objects\[162\]\.locked.*found 1"'
    test_that "losses are summed by field" all_of 'exits 0 convert "$sectors/v3/5_4_23.DAT" -o summed.DAT --to-version 15 --allow-loss' '[ "$(wc -l <err)" -eq 1 ]' \
        'complains "^warning: .*5_4_23.DAT.*: objects\[\]\.locked: .*, 2 times, first at objects\[162\]\.locked \(found 1\)"' \
        'exits 0 convert --all "$sectors/v3/5_4_23.DAT" -o summed.DAT --to-version 15 --allow-loss' '[ "$(wc -l <err)" -eq 2 ]' 'complains ": objects\[162\]\.locked: "'
    test_that "what would be lost is not converted" all_of 'rm -f lost.DAT' 'exits 5 convert "$sectors/v3/5_4_23.DAT" -o lost.DAT --to-version 15' \
        'complains "2 values would be lost in version 15"' '[ ! -e lost.DAT ]' 'exits 2 convert "$sectors/v3/5_4_23.DAT" -o lost.DAT --to-version 99'
fi

if [ -d "$corpus/turok" ]; then
    cart=$corpus/turok/synth_cart_le.dat
    test_that "what is packed in an archive" all_of 'exits 0 get "$cart" "blocks[0].blocks[0].blocks[1]@content.blocks[1].blocks[0].blocks[1].data_set.count"' \
        'says "^1$"' '"$mapstone" get -r "$cart" "blocks[0].blocks[0].blocks[1]@" | head -c 4 | od -An -tx1 | grep -q "02 00 00 00"' \
        'exits 2 get "$cart" "blocks[0].blocks[0].blocks[0]@content"' 'complains "there is no packed block at this path"'
    test_that "records stored plane by plane" all_of 'exits 0 get "$cart" --interleaved "blocks[0].blocks[0].blocks[3]:20"' \
        'says "^\[3\] 03 00 05 00"' 'exits 2 get "$cart" --interleaved "blocks[0].blocks[0].blocks[3]:7"' \
        'exits 2 get "$cart" --interleaved "blocks[0].blocks[0].blocks[3]:x"'
    test_that "levels in the other byte order, and back" all_of \
        'for f in "$corpus"/turok/*.map; do "$mapstone" convert "$f" -o big.map --byte-order big && "$mapstone" convert big.map -o little.map --byte-order little && cmp little.map "$f" || exit 1; done'
    [ -d "$corpus/sfa/mini" ] && test_that "a world of several layers makes a picture of each from above" all_of \
        'exits 0 render --world --size 300 "$corpus/sfa/mini" -o world.png' 'complains "world-surface\.png shows the layer surface"' \
        '[ -s world-surface.png ]' '[ -s world-above.png ]' '[ ! -e world.png ]' '! cmp -s world-surface.png world-above.png' \
        'exits 0 render --oblique --world --size 300 "$corpus/sfa/mini" -o world.png' '[ -s world.png ]' \
        '"$mapstone" render --world --size 300 "$corpus/sfa/mini" >all.png' '[ -s all.png ]' '! cmp -s all.png world-surface.png'
    test_that "a longer path moves what is after it" all_of \
        'exits 0 set "$corpus/turok/synth_level.map" "actors.models[3]=models/a_much_longer_name_than_before.bin" -o longer.map' \
        'exits 0 roundtrip --json-too longer.map' 'exits 0 get longer.map "actors.models[3]"' 'says "^models/a_much_longer_name_than_before.bin$"'
fi

if python3 -c 'import jsonschema' 2>/dev/null; then
    mkdir -p patches && cp ./*.mspatch patches
    test_that "all of these patches are as the schema says" python3 "$here/../references/patches.py" "$mapstone" --in patches
fi

echo "1..$number"
[ "$failed" -eq 0 ] || { echo "# $failed of $number failed"; exit 1; }
