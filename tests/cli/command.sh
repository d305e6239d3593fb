# SPDX-License-Identifier: MIT
# The beginning of the scripts command_*.sh, which source it: a directory of their own with a small level (a.json, a.level
# and, never changed, whole.level), a truncated one (cut.level), a file that is not a level (stranger.txt) and a directory
# of both (set), and functions that run the command and check its output.
if [ $# -lt 1 ]; then
    echo "usage: $0 path/to/mapstone [corpus]" >&2
    exit 2
fi
mapstone=$(cd "$(dirname "$1")" && pwd)/${1##*/}
here=$(cd "$(dirname "$0")" && pwd)
corpus=${2:-${MAPSTONE_CORPUS:-$here/../../../shared/corpus}}
case $corpus in /*) ;; *) corpus=$PWD/$corpus ;; esac
. "$here/tap.sh"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset NO_COLOR
XDG_CONFIG_HOME=$work/settings XDG_STATE_HOME=$work/state # not the user's
export XDG_CONFIG_HOME XDG_STATE_HOME
log=test.out

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
    unharmed
}

# unharmed: no sanitizer message is in `err`; read by the shell, which is faster than starting grep
unharmed() {
    while read -r line; do
        case $line in
        *Sanitizer* | *"runtime error"*) cat err; return 1 ;;
        esac
    done <err
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
as_nobody() { # as somebody whom modes concern
    if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi
}
reads_archives() {
    tar cf probe.tar set
    run identify probe.tar
    ! grep -q 'reads only zip archives' err && [ -s probe.tar ] || { echo "# no archives in this build: tests of them are skipped" && return 1; }
}

# big N...: as u32
big() {
    for word in "$@"; do
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((word >> 24 & 255)) $((word >> 16 & 255)) $((word >> 8 & 255)) $((word & 255)))"
    done
}

# sector FILE X Y CLASS
sector() {
    printf '{"$format":"revenant-sector","version":8,"objects":[{"object_version":-1},{"object_version":0,"class":"%s","unique_id":1,"name":"a","flags":1,"position":[%d,%d,0],"state":0,"inventory_number":-1,"inventory_index":-1,"shadow":-1,"rotation_x":0,"rotation_y":0,"rotation_z":0,"map_index":%d,"group":0,"stats":[],"inventory":[]}]}' \
        "$4" $(($2 * 1024 + 5)) $(($3 * 1024 + 5)) $(($2 * 100 + $3)) >sector.json
    "$mapstone" convert sector.json -o "$1"
}
# game/map: two sectors of level 7 and one of level 9
make_sectors() {
    mkdir -p game/map && sector game/map/7_3_4.DAT 3 4 tile && sector game/map/7_4_4.DAT 4 4 tile && sector game/map/9_1_1.DAT 1 1 item
}
class_def() {
    printf "Unique Type ID = 0x2\nCLASS \"TILE\"\nBEGIN\nSTATS\nBEGIN\nEND\nOBJSTATS\nBEGIN\nEND\nTYPES\nBEGIN\n\"other\" \"x.i2d\" 0x2 {} {}\nEND\nEND\n"
}

# twice.level: twelve objects with a duplicate property
make_twice() {
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
    "$mapstone" convert -q twice.json -o twice.level
}

# hostile.level: names that a terminal or a spreadsheet would interpret
make_hostile() {
    cat >hostile.json <<'END'
{"$format": "ns2-level", "version": 10, "mesh": {"triangles": {"ghost_vertices": [], "smoothed_normals": [], "triangle_count": 0,
  "faces": []}}, "objects": [
  {"has_layers": false, "group": 0, "class_name": "\u001b]0;owned\u0007\u0085\u202e\u200f\u2066\u007f\u061cx\ty\u00e9", "extras": [], "properties": []},
  {"has_layers": false, "group": 0, "class_name": "=1+1", "extras": [], "properties": []},
  {"has_layers": false, "group": 0, "class_name": "@a,b\"c", "extras": [], "properties": []},
  {"has_layers": false, "group": 0, "class_name": "plain", "extras": [], "properties": [
    {"name": "origin", "type": "distance", "animated": false, "value": [-1, 2, 3]}]}]}
END
    "$mapstone" convert -q hostile.json -o hostile.level
}

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
"$mapstone" convert -q a.json -o a.level || exit 2
size=$(wc -c <a.level)
mkdir -p set/sub
cp a.level whole.level
cp a.level set/a.level
cp a.level set/sub/b.level
head -c $((size - 5)) a.level >cut.level
printf 'nothing that anybody knows' | tee stranger.txt set/notes.txt >set/sub/notes.md
