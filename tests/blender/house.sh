#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A model made by Blender becomes a level of Natural Selection 2: of the same area, without errors, with its lamps and empties; and a
# level goes through Blender as OBJ, with its polygons. tests/blender/house.sh path/to/mapstone; prints TAP.
set -u
mapstone=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/../cli/tap.sh"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

in_blender() { timeout 300 blender -b --factory-startup --python-exit-code 1 --python "$@" >blender.log 2>&1 || { tail -5 blender.log; return 1; }; }
area_of_level() {
    python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); from exports import Ns2, area
level = Ns2(sys.argv[2]); print("%.4f" % sum(area(t) for i in range(len(level.mesh.faces)) for t in level.triangles(i)))' "$here/../references" "$1"
}
near() { python3 -c 'import sys; a, b = map(float, sys.argv[1:]); print(a, b); sys.exit(abs(a - b) > 1e-4 * b)' "$1" "$2"; }

test_that "a model of Blender becomes a level" 'in_blender "$here/house.py" -- house.glb' '"$mapstone" new ns2-level --from house.glb -o house.level' \
    '"$mapstone" check house.level' 'near "$(area_of_level house.level)" "$(sed -n "s/^area: //p" blender.log)"'
test_that "with its lamps and empties" '[ "$("$mapstone" get house.level "objects[:].class_name" | tr -dc "a-z_\n" | sort | tr "\n" " ")" = "  light_point light_spot location ready_room_start " ]' \
    '[ "$("$mapstone" get house.level "objects[class_name=location].properties.name")" = Yard ]'
test_that "Blender reads OBJ with its polygons" '"$mapstone" convert -q "$here/../../samples/outpost.json" -o outpost.level' \
    '"$mapstone" convert -q --no-markers outpost.level -o outpost.obj' 'in_blender "$here/obj.py" -- outpost.obj' \
    '[ "$(sed -n "s/^polygons: //p" blender.log)" = "$(grep -c "^f " outpost.obj)" ]' '[ "$(sed -n "s/^materials: //p" blender.log)" = "$(grep -c "^newmtl " outpost.mtl)" ]' \
    'near "$(sed -n "s/^area: //p" blender.log)" "$(python3 -B -c "import sys; sys.path.insert(0, sys.argv[1]); from exports import Obj; print(sum(Obj(sys.argv[2]).areas().values()))" "$here/../references" outpost.obj)"'
finish
