#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: dump and convert.
# tests/cli/command_converting.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

test_that "json becomes a level" 'exits 0 convert a.json -o a.level'

# ---- dump and convert ------------------------------------------------------------------------------
awk -v mesh="$mesh" 'BEGIN { for (i = 0; i < 256; i++) row = row "7f"
    for (i = 0; i < 64; i++) side = side (i ? "," : "") "\"" row "\""
    for (i = 0; i < 6; i++) cube = cube (i ? ",[" : "[") side "]"
    printf "{\"$format\": \"ns2-level\", \"version\": 10, %s, \"objects\": [{\"has_layers\": false,", mesh
    printf "\"group\": 4294967295, \"class_name\": \"reflection_probe\", \"properties\": [],"
    printf "\"extras\": [{\"name\": \"reflection_probe_cubemap\", \"cubemap\": [%s]}]}]}\n", cube }' >probe.json
test_that "what a reflection probe has seen, as pictures" 'exits 0 convert probe.json -o probe.level' \
    'exits 0 info probe.level' 'says "images +6 \\(probe_0_side_0 64 x 64"' 'exits 0 roundtrip --json-too probe.level'
test_that "the sides of a cube go to a directory" 'exits 0 convert probe.level -o probes/' \
    '[ "$(ls probes | wc -l)" -eq 6 ]' '[ -s probes/probe_0_side_5.png ]' \
    'exits 5 set probe.level --image probe_0_side_0=probes/probe_0_side_0.png -o b2.level' 'complains "cannot be replaced"' '[ ! -e b2.level ]'
test_that "dump | convert is the identity" \
    '"$mapstone" dump a.level | "$mapstone" convert - -f json -t ns2-level -o b.level' 'cmp a.level b.level'
test_that "the same on one line, JSON recognised" \
    '"$mapstone" dump --compact a.level | "$mapstone" convert - -t ns2-level >b.level' 'cmp a.level b.level'
test_that "dump -o and --path" 'exits 0 dump a.level -o d.json' '[ ! -s out ]' 'exits 0 dump -c --path "objects[0].class_name" a.level' \
    'says "^\"ns2_gamerules\"$"' 'exits 3 dump --path nowhere a.level'
test_that "dump does not overwrite its input" 'exits 2 dump a.level -o a.level' 'cmp a.level whole.level'
test_that "the native format to itself" 'exits 0 convert a.level -o c.level' 'cmp a.level c.level'
test_that "many inputs need a directory" 'exits 2 convert set -t json' 'complains "-o DIR/"' 'exits 2 convert a.level b.level -t json -o x.json'
test_that "a directory keeps its shape" 'exits 0 convert set -t json -o made/' '[ -s made/a.json ]' '[ -s made/sub/b.json ]' \
    '[ "$(find made -type f | wc -l)" -eq 2 ]' 'complains "^2 files: 2 converted, 0 damaged, 2 skipped$"'
test_that "inputs that share a name stay apart" 'mkdir -p twins' 'cp a.level twins/x.level' 'cp a.level twins/x.map' \
    'exits 0 convert twins -t json -o apart/' '[ -s apart/x.level.json ]' '[ -s apart/x.map.json ]'
test_that "where to, and what, must be said" 'exits 2 convert a.level' 'exits 2 convert a.level -o b.xyz' 'complains "xyz"'
test_that "one native format is not another" 'exits 2 convert a.level -o one.map' '[ ! -e one.map ]'
test_that "JSON that is none" 'printf "{\"\$format\": \"ns2-level\", " >bad.json' '! "$mapstone" convert bad.json -o bad.level 2>err' \
    '[ ! -e bad.level ]'
test_that "glb" 'exits 0 convert a.level -o a.glb' '[ "$(head -c 4 a.glb)" = glTF ]'
test_that "gltf with its binary part beside it" 'exits 0 convert a.level -o "a b.gltf"' '[ -e "a b.bin" ]' \
    'grep -q "a%20b.bin" "a b.gltf"' '! grep -q "data:application" "a b.gltf"'
test_that "as many lights as other programs show" \
    'printf "{\"\$format\": \"ns2-level\", \"version\": 10, \"objects\": [" >lit.json' \
    'comma=; for n in $(seq 49); do printf "%s{\"has_layers\": false, \"group\": \"none\", \"class_name\": \"light_point\", \"extras\": [],
     \"properties\": [{\"name\": \"intensity\", \"type\": \"real\", \"animated\": false, \"value\": [$n]}]}" "$comma"; comma=,; done >>lit.json' \
    'echo "]}" >>lit.json' 'exits 0 convert lit.json -o lit.glb' 'complains "lit.json: the dimmest 17 of 49 lights are left out; --lights all"' \
    '[ "$(grep -ao "\"extensions\":{\"KHR_lights_punctual\":{\"light\":" lit.glb | wc -l)" -eq 32 ]' \
    'for n in 0:0 9:9 49:49 all:49; do exits 0 convert --lights ${n%:*} lit.json -o lit.glb && [ ! -s err ] &&
    [ "$(grep -ao "\"extensions\":{\"KHR_lights_punctual\":{\"light\":" lit.glb | wc -l)" -eq ${n#*:} ] || return 1; done' \
    'exits 2 convert --lights some lit.json -o lit.glb' 'complains "neither a number of lights nor all"' \
    'exits 2 convert --lights 1x lit.json -o lit.glb' 'exits 2 convert --lights -1 lit.json -o lit.glb'
test_that "obj has no lights to leave out" 'exits 0 convert lit.json -o lit.obj' '[ ! -s err ]'
test_that "obj with its materials beside it" 'exits 0 convert a.level -o "a b.obj"' '[ -s "a b.mtl" ]' 'grep -qx "mtllib a b.mtl" "a b.obj"' \
    'exits 0 convert a.level -t obj' 'says "^# metres, Y up$"' '! grep -q mtllib out' 'exits 0 convert a.level -t OBJ --own-units' 'says "own units"' \
    'exits 0 convert set -t obj -o objects/' '[ -s objects/a.obj ]' '[ -s objects/a.mtl ]' '[ -s objects/sub/b.mtl ]'
test_that "obj: the .mtl is no input" 'cp a.level x.mtl' 'exits 2 convert x.mtl -f ns2-level -o x.obj' 'complains "x.mtl is an input"' 'cmp a.level x.mtl' 'rm x.mtl'
test_that "obj: textures only when they are asked for" 'exits 0 convert a.level -o t.obj' '[ ! -e t.textures ]' '! grep -q map_ t.mtl' \
    'exits 2 convert --external a.level -t obj' 'complains "use -o FILE"'
test_that "a map for editors of Quake, and its classes" 'exits 0 convert a.level -t quake-map -o a.map' '[ "$(head -n 2 a.map | tail -n 1)" = "// Format: Valve" ]' \
    'grep -q "ns2_gamerules" a.map' 'exits 0 convert a.level -t fgd -o a.fgd' 'grep -q "= light_point" a.fgd' 'rm a.map a.fgd'
test_that "a map is no format that is named by its extension" 'exits 2 convert a.level -o q.map' '[ ! -e q.map ]'
test_that "names by which Godot makes bodies" 'exits 0 new ns2-level --template room -o solid.level' \
    'exits 0 convert solid.level -o air.gltf' '! grep -q -e "-col\"" air.gltf' 'exits 0 convert --collision solid.level -o solid.gltf' \
    'grep -q "\"name\":\"[^\"]*-col\"" solid.gltf' 'exits 2 convert --collision a.level -t obj -o a.obj' 'exits 2 convert --collision --for-editing a.level -o a.glb'
test_that "options of one kind of model" 'exits 2 convert --triangles a.level -o a.glb' 'complains "triangles"' 'exits 2 convert --own-units a.level -t quake-map' \
    'exits 2 convert --lights 2 a.level -o a.obj' 'exits 2 convert --embed a.level -o a.obj' 'exits 2 convert --for-editing a.level -o a.obj'
test_that "JSON of faces without triangles" \
    'printf "%s" "{\"\$format\": \"ns2-level\", \"version\": 10, \"mesh\": {\"materials\": [\"a\"], \"vertices\": [{\"position\": [0,0,0]}, {\"position\": [0,0,4]}, {\"position\": [4,0,4]}],
      \"edges\": [{\"vertices\": [0,1]}, {\"vertices\": [1,2]}, {\"vertices\": [2,0]}], \"faces\": [{\"scale\": [1,1], \"material\": 0, \"mapping_group\": \"none\",
      \"loops\": [[{\"flipped\": false, \"edge\": 0}, {\"flipped\": false, \"edge\": 1}, {\"flipped\": false, \"edge\": 2}]]}]}}" >bare.json' \
    'exits 0 convert --lenient bare.json -o bare.level' 'exits 0 get bare.level "mesh.triangles.faces[0][0].vertices"' 'says "^.(0, 1, 2|1, 2, 0|2, 0, 1).$"' 'exits 0 check bare.level' \
    'exits 0 convert --lenient --force bare.json -o bare.level' 'exits 1 check bare.level' 'says "NS2-TRIANGLES-MISSING"' 'exits 0 fix bare.level -i' 'exits 0 check bare.level'
test_that "check says whether the two parts belong together" 'mkdir parts' 'exits 0 convert a.level -o parts/a.gltf' \
    'exits 0 check --strict parts/a.gltf' 'says "^1 file: 1 ok"' 'cp parts/a.bin kept.bin' 'head -c 20 kept.bin >parts/a.bin' 'exits 1 check parts' \
    'says "error: parts/a.gltf: buffers.0.: a.bin has another size .*expected $(wc -c <kept.bin) bytes, found 20.*GLTF-BUFFER\]"' \
    'exits 0 check --ignore GLTF-BUFFER parts' 'cat kept.bin kept.bin >parts/a.bin' 'exits 0 check parts' 'says GLTF-BUFFER-LONGER' \
    'exits 1 check -s parts' 'rm parts/a.bin' 'exits 1 check parts/a.gltf' 'says "a.bin is not there"' 'exits 0 check --codes gltf' \
    'says "^GLTF-BUFFER +error"' 'echo "{" >parts/a.gltf' 'exits 4 check parts/a.gltf' 'exits 0 check a.level' 'rm -r parts kept.bin'
# The pictures of meet/a.BIN are written to meet-out/a/, like the one of meet/a/page_0.MAP.
mkdir -p meet/a meet-out
"$mapstone" convert "$here/../../samples/bunker-textures.json" -o meet/a.BIN && "$mapstone" convert "$here/../../samples/bunker.json" -o meet/a/page_0.MAP
one_is_refused() { # the other one is there, whichever came first
    exits 5 convert "$@" meet -t png -o meet-out/ && complains "^error: .*: meet-out/a/page_0.png was already written from meet/a" &&
        complains "^2 files: 1 converted" && [ "$(ls meet-out/a | wc -l)" -ge 1 ] && rm -r meet-out/a
}
test_that "two inputs do not become one file" one_is_refused 'one_is_refused -j 2' \
    'exits 0 convert meet/a.BIN -t png -o meet-out/' 'rm -r meet-out meet'
test_that "nor do they by way of a link" 'mkdir -p meet/p meet/q meet-out/p' 'ln -s p meet-out/q' 'cp a.level meet/p/x.level' 'cp a.level meet/q/x.level' \
    'exits 2 convert meet -t json -o meet-out/' 'complains "meet-out/q is a symbolic link"' 'exits 0 convert meet-out/p/x.json -o x.level' \
    'cmp x.level a.level' 'exits 2 render meet -o meet-out/' 'complains "meet-out/q is a symbolic link"' 'exits 2 convert -t gltf meet -o meet-out/' 'rm -r meet-out meet x.level'
test_that "a name that is not UTF-8 is not taken for it" 'odd=$(printf "x\355\240\200y")' 'even=$(printf "x\355\237\277\356\200\200y")' \
    'cp a.level $odd.level' 'cp a.level $even.level' 'exits 0 info --json $odd.level' \
    'grep -qF "\"file\":\"$(printf "x\357\277\275\357\277\275\357\277\275y").level\"" out' 'exits 0 info --json $even.level' \
    'grep -qF "\"file\":\"$even.level\"" out' 'rm $odd.level $even.level'
test_that "the two parts do not have one name" 'exits 2 convert a.level -t gltf -o same.bin' \
    'complains "two files would be written to same.bin"' '[ ! -e same.bin ]' 'nothing_left'
too_large() { # a file that may not grow further, and one that may not exist for want of room
    (ulimit -f 1; "$mapstone" convert a.level -o large.glb 2>err; [ $? -eq 2 ]) && complains "cannot write large.glb" && nothing_left && [ ! -e large.glb ]
}
test_that "a file that may not be so large is not written" too_large
# On a disk where one of two fits and the other does not, both are unchanged.
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
test_that "the binary part does not go over an input" 'cp a.level in.bin' 'exits 2 convert in.bin -o in.gltf' \
    'complains "in\.bin is an input"' 'cmp in.bin a.level' '[ ! -e in.gltf ]' 'exits 0 convert --embed in.bin -o in.gltf'
test_that "an output is none of the other inputs" 'mkdir -p again/out' 'cp a.level again/' \
    'exits 0 convert again -t json -o again/out' 'exits 2 convert again -t json -o again/out' 'complains "is an input"'
test_that "gltf to stdout has it within" 'exits 0 convert a.level -t gltf' 'says "\"asset\""'

# ---- the destination without -o --------------------------------------------------------------------
test_that "the second of two operands may be a directory" 'exits 0 convert a.level place/ -t json' '[ -s place/a.json ]' \
    'mkdir -p here' 'exits 0 convert set here -t json' '[ -s here/sub/b.json ]'
test_that "or a new file" 'exits 0 convert a.level second.glb' '[ "$(head -c 4 second.glb)" = glTF ]' 'exits 2 convert a.level second.xyz'
test_that "but no file that is there" 'echo old >there.level' 'exits 2 convert a.level there.level' '[ "$(cat there.level)" = old ]'
test_that "a level has no pictures" 'exits 2 convert a.level pictures/' 'complains "no images"' '[ ! -e pictures ]' \
    'exits 0 convert set pictures/' 'complains "^0 files: 0 converted, 0 damaged, 4 skipped$"' 'exits 0 info --json a.level' \
    'says "\"images\":\[\]"' 'exits 3 set a.level --image page_0=a.png -o n.level' 'complains "no images"' \
    'exits 2 set a.level --image page_0 -o n.level' '[ ! -e n.level ]'

# ---- another byte order, version or name -----------------------------------------------------------
test_that "a level as it is" 'exits 0 convert a.level -o c.level --byte-order little --to-version 10' 'cmp a.level c.level' \
    'exits 0 convert a.level -o c.xyz --to-version 10' 'cmp a.level c.xyz' 'exits 0 convert a.level same/ --byte-order little' \
    'cmp a.level same/a.level'
test_that "what a format cannot be" 'rm -f n.level' 'exits 2 convert a.level -o n.level --byte-order big' \
    'exits 2 convert a.level -o n.level --to-version 99' 'exits 2 convert a.level -o n.level --to-version 1.5' \
    'exits 2 convert a.level -o n.level --to-version x' 'exits 2 convert a.level -o n.level --byte-order middle' '[ ! -e n.level ]'
test_that "a clipboard of a level" 'exits 0 convert a.level -o all.clip --allow-loss' 'exits 0 check all.clip' 'exits 0 convert a.level -t ns2-clip -o b.clip --select "objects[0]"' \
    'exits 0 get b.clip "blocks[0].kind"' 'says "^objects$"' 'exits 0 convert b.clip -o of-clip.level --allow-loss' 'exits 0 get of-clip.level "objects[0].class_name"' \
    'exits 3 convert a.level -o n.clip --select "objects[class_name=nothing]"' 'exits 2 convert a.level -o n.clip --select "mesh.face_layers"' \
    'exits 2 convert a.level -o n.level --select "objects[0]"' 'exits 2 convert a.level -o n.json --select "objects[0]"' '[ ! -e n.clip ] && [ ! -e n.level ] && [ ! -e n.json ]'
test_that "a clipboard into a level" 'exits 0 edit a.level --paste b.clip -o pasted.level' 'exits 0 get pasted.level "objects[-1].class_name"' \
    'exits 0 edit a.level --paste b.clip --dry-run' 'says "^\+ objects\[[0-9]*\]"' 'exits 0 edit a.level --paste b.clip -e "remove objects[-1]" -o unpasted.level' \
    'cmp a.level unpasted.level' 'exits 2 edit a.level --paste none.clip -o n.level' 'exits 2 edit a.level --paste a.level -o n.level' '[ ! -e n.level ]'
test_that "only levels have an order of bytes" 'exits 2 convert a.level -o n.json --byte-order little' \
    'exits 2 convert a.level -t glb --allow-loss' '[ ! -e n.json ]'
test_that "--as-path is for one file" 'exits 2 check --as-path x.level a.level b.level' 'exits 0 check --as-path x.level a.level' \
    'exits 0 identify --as-path x.level a.level' '"$mapstone" info --as-path x.level - <a.level >out'

test_that "levels are opened for a look from above" 'exits 0 convert a.level -o whole.glb' 'exits 0 convert --cut 1000 a.level -o high.glb' 'cmp whole.glb high.glb' \
    'exits 0 convert --cut 0 a.level -o cut.glb' '! cmp -s whole.glb cut.glb' 'exits 0 convert --no-ceilings a.level -o open.glb' \
    'exits 2 convert --cut x a.level -o x.glb' 'exits 2 convert --cut 1 a.level -o x.png' 'complains "has no effect"' '[ ! -e x.glb ]'

finish
