#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: files required by a level: folders of games, textures, models; collect.
# tests/cli/command_games.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

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
test_that "what a level needs" '"$mapstone" convert --lenient needy.json -o mod/maps/needy.level' 'exits 0 info --assets mod/maps/needy.level' \
    'says "^material +missing +1 +- +materials/wall.material"' 'exits 0 info --assets --search-path root mod/maps/needy.level' \
    'says "^material +found +1 +[0-9]+ +materials/wall.material"' 'says "^texture +found +1 +192 +materials/wall.dds"' 'says "^model +missing +1 +- +models/none.model"' \
    'says "^0 of 1 models, 1 of 1 materials, 1 of 2 textures, 0 of 1 shaders found$"' 'exits 0 info --assets --json --search-path root mod/maps/needy.level' \
    'says "\"kind\":\"texture\",\"state\":\"missing\",\"name\":\"materials/none.dds\",\"uses\":1,\"by\":\"materials/wall.material\",\"path\":\"values\[2\].value\""' \
    'exits 0 info --assets mod root' 'says "^0 of 1 models"'
test_that "missing files are information, and their sum a warning" 'exits 0 check -I mod/maps/needy.level' '! grep -q SPARK out' \
    'exits 0 check -I --search-path root mod/maps/needy.level' 'says "models/none.model.*SPARK-MODEL-MISSING"' 'says "SPARK-MISSING"' 'says "SPARK-TEXTURE-MISSING"' \
    'exits 0 check --search-path root mod/maps/needy.level' '! grep -q SPARK-MODEL-MISSING out' 'exits 1 check --strict --search-path root mod/maps/needy.level'
locked_folder() {
    mkdir -p locked/models locked/materials && cp root/materials/* locked/materials && chmod 711 . && chmod 0 locked/models || return 1
    as_nobody "$mapstone" info --assets --search-path locked mod/maps/needy.level >out 2>err
    code=$?
    chmod 755 locked/models
    [ "$code" -eq 0 ] && says "1 of 1 materials" && [ "$(grep -c "^warning: cannot read the directory locked/models/: its files count as missing" err)" -eq 1 ]
}
if as_nobody "$mapstone" --version >/dev/null 2>&1; then
    test_that "a folder that cannot be read is said once" locked_folder
else
    skip "a folder that cannot be read is said once" "root needs setpriv for it"
fi
test_that "games are remembered" 'exits 0 game' '[ ! -s out ]' 'exits 0 game add ns2 root' 'exits 0 game add ns2 "$work/set"' 'exits 0 game add other root' \
    'exits 0 game add ns2 root' 'exits 0 game list' '[ "$(sed -n 1p out)" = "ns2	$work/set" ]' '[ "$(sed -n 3p out)" = "ns2	$work/root" ]' \
    'exits 0 check --game ns2 mod/maps/needy.level' 'says SPARK-MISSING' 'exits 0 info --assets --game other mod/maps/needy.level' 'says "1 of 1 materials"' \
    'exits 0 game list --json' 'says "^\{\"game\":\"other\",\"path\":\".*/root\"\}$"' 'exits 0 game remove ns2 set' 'exits 0 game list' '[ "$(wc -l <out)" -eq 2 ]' \
    'exits 0 game remove ns2' 'exits 1 game remove ns2' 'exits 1 game remove other /nowhere' 'exits 2 check --game ns2 mod/maps/needy.level' 'complains "game add ns2 DIR"' \
    'exits 2 game add ns2' 'exits 2 game add "a b" root' 'exits 2 game add ns2 nowhere' 'exits 2 game add ns2 a.level' 'exits 2 game list x' 'exits 2 game remove' \
    'exits 2 game forget ns2' '(unset HOME XDG_CONFIG_HOME; exits 2 game list)' '(unset XDG_CONFIG_HOME; HOME=$work/home; export HOME; exits 0 game add ns2 root && [ -s home/.config/mapstone/games ])'
test_that "games are known by their names in any case" 'exits 0 game add NS2 root' 'exits 0 check --game ns2 mod/maps/needy.level' 'says SPARK-MISSING' \
    'exits 0 game add ns2 root' 'exits 0 game list' '[ "$(grep -ci "^ns2" out)" -eq 1 ]' 'exits 0 game remove Ns2' 'exits 0 game list' '! grep -qi "^ns2" out'
test_that "a damaged list of games is not written over" 'mkdir -p damaged/mapstone' 'printf "ns2\t%s\nnothing\n\t/x\nb a\t/x\nc\t\nd\t/\t/\ne\0\t/\nlast\t%s" "$work/root" "$work/root" >damaged/mapstone/games' \
    'cp damaged/mapstone/games damaged/before' 'XDG_CONFIG_HOME=$work/damaged' 'exits 0 game list' '[ "$(cut -f 1 out | tr "\n" " ")" = "ns2 last " ]' \
    '[ "$(sed -n "s/^warning: .*damaged\/mapstone\/games:\([0-9]*\): this line is damaged.*/\1/p" err | tr "\n" " ")" = "2 3 4 5 6 7 " ]' \
    'exits 5 game add other root' 'complains "line 2 would be lost"' 'exits 5 game remove ns2' 'cmp damaged/mapstone/games damaged/before' \
    'exits 0 check --game ns2 mod/maps/needy.level' 'complains "games:2: this line is damaged"' 'says SPARK-MISSING' 'XDG_CONFIG_HOME=$work/settings'
printf 'shader = "../x.surface_shader"\nalbedoMap = "../../x.dds"\n' >leading.material
test_that "a material is checked for paths that lead outside" 'exits 0 check leading.material' '[ "$(grep -c "SPARK-PATH\]" out)" -eq 2 ]' \
    'says "values\[1\].value: the path leads out of the game.s root"'
test_that "a total has the right number" 'exits 0 collect leading.material -o by_itself' 'complains "1 file with 57 bytes is in by_itself; 2 that are named were not found"'
test_that "a level is gathered with what it needs" 'exits 0 collect --search-path root mod/maps/needy.level -o gathered' 'complains "model models/none.model was not found"' \
    'complains "3 files with [0-9]+ bytes are in gathered"' 'cmp gathered/maps/needy.level mod/maps/needy.level' 'cmp gathered/materials/wall.dds root/materials/wall.dds' \
    'exits 0 info --assets gathered/maps/needy.level' 'says "1 of 1 materials, 1 of 2 textures"' 'exits 0 collect -q --search-path root mod/maps/needy.level -o gathered.zip' \
    'exits 0 info --assets "gathered.zip!maps/needy.level"' 'says "1 of 1 materials, 1 of 2 textures"' 'exits 0 info --assets --search-path gathered.zip mod/maps/needy.level' \
    'says "1 of 1 materials, 1 of 2 textures"' 'exits 2 collect mod/maps/needy.level' 'exits 2 collect mod -o x' 'complains "with --level N"' 'exits 2 collect mod/maps/needy.level -o x.tar' '[ ! -e x.tar ]' \
    'exits 2 collect nothing -o x' 'exits 2 collect mod/maps/needy.level a.level -o x' 'exits 2 collect mod/maps/needy.level -o a.level/x' \
    '! complains "search-path"'
test_that "a level from standard input is gathered under the name that is given" '! "$mapstone" collect - -o unnamed/ <mod/maps/needy.level >out 2>err' \
    'complains "standard input has no name.*--as-path maps/NAME.level"' '[ ! -e unnamed ]' \
    '"$mapstone" collect - --as-path maps/named.level --search-path root -o named/ <mod/maps/needy.level >out 2>err' 'cmp named/maps/named.level mod/maps/needy.level' \
    '[ -s named/materials/wall.dds ]' '! complains "nothing that"'
mkdir -p lonely && cp mod/maps/needy.level lonely/
mkdir trilogy
"$mapstone" convert -q "$here/../../samples/bunker.json" -o trilogy/L900LEV.MAP && "$mapstone" convert -q "$here/../../samples/bunker-textures.json" -o trilogy/900GFX.BIN
test_that "what is beside a level is gathered beside it" 'exits 0 collect -q trilogy/L900LEV.MAP -o bunker/' 'cmp trilogy/900GFX.BIN bunker/maps/900GFX.BIN' \
    'exits 0 info --assets bunker/maps/L900LEV.MAP' 'says "1 of 1 textures"' 'says "NME/WAR.BND"' 'exits 0 check --search-path bunker bunker/maps/L900LEV.MAP' \
    'says ALIEN-FILE-MISSING'
test_that "gathering says where to search if nothing is found" 'exits 0 collect lonely/needy.level -o nothing/' \
    'complains "^information: none of the files that lonely/needy.level needs was found: .*--search-path DIR or --game NAME"' \
    'exits 0 collect --search-path root lonely/needy.level -o something/' '! complains "nothing that"'
test_that "a contact sheet" 'exits 0 render --sheet root mod a.level -o sheet.png' 'complains "4 files: 4 drawn"' '[ -s sheet.png ]' \
    'complains "^information: mod/maps/needy.level: model models/none.model was not found$"' 'exits 0 render --sheet -q mod -o quiet.png' '[ ! -s err ]' \
    'exits 0 render --sheet --size 64 root -o small.png' '[ "$(wc -c <small.png)" -lt "$(wc -c <sheet.png)" ]' 'exits 2 render --sheet --oblique root -o x.png' \
    'exits 2 render --sheet --size 5 root -o x.png' 'exits 2 render --sheet root -o x.jpg' '[ ! -e x.png ]' 'exits 0 render root/materials/Wall.material -o panel.png' \
    'exits 0 render --oblique root/materials/Wall.material -o panel2.png' 'cmp panel.png panel2.png' 'exits 0 render --view above root/materials/Wall.material -o panel3.png' \
    '! cmp -s panel.png panel3.png' 'exits 0 convert root/materials/Wall.material -o panel4.png' 'exits 0 convert root/materials/Wall.material -o panel.glb' \
    'grep -q materials_wall_dds panel.glb'
test_that "levels show the textures of their game" 'exits 0 convert --search-path root mod/maps/needy.level -o dressed.glb' 'exits 0 convert mod/maps/needy.level -o plain.glb' \
    'exits 0 convert --no-textures --search-path root mod/maps/needy.level -o bare.glb' 'grep -q "materials_wall_dds" dressed.glb' '! grep -q "materials_wall_dds" bare.glb' 'cmp plain.glb bare.glb' \
    'exits 0 convert --max-texture 2 --search-path root mod/maps/needy.level -o small.glb' '! cmp -s small.glb dressed.glb' 'exits 2 convert --max-texture 0 mod/maps/needy.level -o x.glb' \
    'exits 0 render --size 240 --oblique --search-path root mod/maps/needy.level -o dressed.png' 'exits 0 render --size 240 --oblique mod/maps/needy.level -o plain.png' '! cmp -s dressed.png plain.png' \
    'exits 2 convert --max-texture 2 a.level -o x.json' 'complains "has no effect"'
test_that "a mip level of a texture" 'exits 0 convert -q "$here/../../samples/outpost-game/materials/outpost/floor.dds.json" -o floor.dds' \
    'exits 0 convert --mip 1 floor.dds -o mip.png' 'exits 0 convert floor.dds -o full.png' '! cmp -s mip.png full.png' \
    'exits 2 convert --mip 20 floor.dds -o none.png' 'complains "no mip level 20 .expected 0"' '[ ! -e none.png ]' 'exits 2 convert --mip 1 a.level -o x.glb' 'complains "has no effect"'
# worst_pixel TEXTURE LEVEL: the largest difference between the pixels of its mip level here and in ImageMagick
worst_pixel() {
    "$mapstone" convert -q --mip "$2" "$1" -o seen.png && convert "$1[$2]" -depth 8 rgba:theirs && convert seen.png -depth 8 rgba:ours || return 1
    [ "$(wc -c <ours)" -eq "$(wc -c <theirs)" ] || return 1
    cmp -l ours theirs | awk '
        function octal(digits) { return 64 * int(digits / 100) + 8 * int(digits % 100 / 10) + digits % 10 }
        { d = octal($2) - octal($3); d = d < 0 ? -d : d; if (d > most) most = d }
        END { if (most > 1) { print most " apart"; exit 1 } }'
}
textures_agree() {
    for texture in "$here"/../../samples/outpost-game/materials/outpost/*.dds.json; do
        "$mapstone" convert -q "$texture" -o sample.dds && worst_pixel sample.dds 0 || { echo "$texture"; return 1; }
    done
    find "$corpus/spark" -name '*.dds' -size +1 2>/dev/null | while read -r texture; do
        worst_pixel "$texture" 0 && worst_pixel "$texture" 1 || { echo "$texture"; exit 1; }
    done
}
if convert -version 2>/dev/null | grep -q ImageMagick; then
    test_that "textures have the pixels that ImageMagick sees" textures_agree
else
    skip "textures have the pixels that ImageMagick sees" "ImageMagick is not installed"
fi
test_that "textures are written beside a model" 'exits 0 convert --external --search-path root mod/maps/needy.level -o new/beside.glb' \
    '[ -s new/beside.textures/materials_wall_dds.png ]' 'grep -q "beside.textures/materials_wall_dds.png" new/beside.glb' '! grep -q IHDR new/beside.glb' \
    'exits 0 convert --external --search-path root mod/maps/needy.level -o "new/a b.gltf"' '[ -s "new/a b.textures/materials_wall_dds.png" ]' 'grep -q "a%20b.textures/mat" "new/a b.gltf"' \
    'exits 0 convert --external --search-path root mod -t glb -o many/' '[ -s many/maps/needy.textures/materials_wall_dds.png ]' \
    'exits 2 convert --external --search-path root mod/maps/needy.level -t gltf' 'complains "use -o FILE"' 'exits 2 convert --external a.level -o x.json' 'complains "has no effect"' \
    ': >new/blocked.textures' 'exits 2 convert --external --search-path root mod/maps/needy.level -o new/blocked.glb' '[ ! -e new/blocked.glb ]'

if reads_archives; then
    mkdir -p nested/Output && cp -r gathered/materials nested/Output && tar -cf nested.tar -C nested Output
    test_that "a folder of an archive that is searched has to be there" 'exits 0 info --assets --search-path "nested.tar!Output" mod/maps/needy.level' \
        'says "1 of 1 materials, 1 of 2 textures"' 'exits 0 info --assets --search-path "nested.tar!output/" mod/maps/needy.level' 'says "1 of 1 materials, 1 of 2 textures"' \
        'exits 2 info --assets --search-path "nested.tar!outpu" mod/maps/needy.level' 'complains "search-path.*nested.tar!outpu"' \
        'exits 2 check --search-path "nested.tar!none" mod/maps/needy.level'
fi

finish
