#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: documents of two files, and packed ones.
# tests/cli/command_pairs.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

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
    test_that "JSON becomes two files, whichever is named" '[ -s disc/TEX1.tab ]' \
        'exits 0 convert bank.json -t sfa-textures -o disc/low/tex1.tab' 'cmp disc/TEX1.bin disc/low/tex1.bin' 'cmp disc/TEX1.tab disc/low/tex1.tab' \
        'exits 0 convert bank.json -t sfa-textures -o disc/other/TEX1.BIN' 'cmp disc/TEX1.tab disc/other/TEX1.TAB' 'nothing_left'
    test_that "two files become JSON and the same two again" 'exits 0 convert disc/TEX1.tab -t json -o pair.json' \
        'exits 0 convert pair.json -t sfa-textures -o again.bin' 'cmp again.bin disc/TEX1.bin' 'cmp again.tab disc/TEX1.tab' \
        '"$mapstone" dump disc/TEX1.bin | cmp - pair.json' 'rm again.bin again.tab'
    test_that "two files do not go to stdout" 'exits 2 convert bank.json -t sfa-textures' 'complains "consists of two files"' '[ ! -s out ]' \
        'exits 2 set disc/TEX1.bin "textures[0].frames[0].usage=2" -o -' 'complains "consists of two files"' '[ ! -s out ]'
    test_that "info shows both files" 'exits 0 info disc/TEX1.bin' "says '^  with +TEX1.tab, 64 bytes'" 'exits 0 info disc/TEX1.tab' \
        "says '^  size +$(wc -c <disc/TEX1.bin) bytes'" "says '^  with +TEX1.tab, 64 bytes'" 'says "$(sha256sum disc/TEX1.tab | cut -c 1-64)"'
    test_that "a directory has a pair once" 'exits 0 roundtrip --json-too disc' 'last_line out "3 files: 3 exact, 0 differ, 0 damaged, 3 skipped"' \
        'exits 0 check disc' 'last_line out "3 files: 3 ok, 0 with errors, 0 damaged, 3 skipped; 0 errors, 0 warnings"' \
        'exits 0 identify disc' '[ "$(grep -c sfa-textures out)" -eq 6 ]' 'exits 0 roundtrip disc/TEX1.tab disc/TEX1.bin' 'says "^2 files: 2 exact"'
    test_that "one of two alone" 'mkdir -p alone' 'cp disc/TEX1.tab alone' 'exits 0 check alone' 'says "TEX1\.bin.*SFA-ALONE"' \
        'exits 1 check --strict alone' 'exits 0 roundtrip alone' 'says "1 exact"' 'exits 0 info alone/TEX1.tab' 'says sfa-table' 'rm -r alone'
    test_that "two files are changed in place" 'mkdir -p place' 'cp disc/TEX1.bin disc/TEX1.tab place' \
        'exits 0 set -i place/TEX1.tab "textures[0]={\"present\": false}"' 'complains "^TEX1.bin: .* shorter"' 'complains "^TEX1.tab: "' \
        '[ "$(wc -c <place/TEX1.bin)" -lt "$(wc -c <disc/TEX1.bin)" ]' 'exits 0 roundtrip place' 'says "1 exact"' 'nothing_left' \
        'exits 0 get place/TEX1.bin "textures[0].present"' 'says "^false$"'
    test_that "two files are not changed where not both can be" 'cp disc/TEX1.bin disc/TEX1.tab place' 'rm place/TEX1.tab' 'mkdir place/new.tab' \
        'exits 2 set disc/TEX1.bin "textures[0].frames[0].usage=2" -o place/new.bin' '[ ! -e place/new.bin ]' 'nothing_left' 'rm -r place'
    test_that "no file of the input is written over" 'exits 2 set disc/TEX1.bin "textures[0].frames[0].usage=2" -o disc/TEX1.tab' \
        'complains "in place use -i"' 'exits 2 set disc/TEX1.tab "textures[0].frames[0].usage=2" -o disc/TEX1.bin' \
        'cmp disc/TEX1.bin disc/low/tex1.bin' 'cmp disc/TEX1.tab disc/low/tex1.tab'
    test_that "names of other case stay" 'mkdir -p mixed' 'cp disc/TEX1.bin mixed/Tex1.bin' 'cp disc/TEX1.tab mixed/TEX1.TAB' \
        'exits 0 set -i mixed/Tex1.bin "textures[0].frames[0].usage=2"' '[ "$(ls mixed | wc -l)" -eq 2 ]' '! cmp -s mixed/Tex1.bin disc/TEX1.bin' 'rm -r mixed'
    test_that "a picture of two files" 'exits 0 convert disc/TEX1.bin -t png -o shots/' '[ -s shots/texture_0.png ]' '[ -s shots/texture_2.png ]' \
        'exits 0 set disc/TEX1.bin --image texture_0=shots/texture_2.png -o same.bin' 'cmp same.bin disc/TEX1.bin' 'cmp same.tab disc/TEX1.tab' 'rm same.bin same.tab'

    exits 0 convert --lenient maps.json -t sfa-maps -o disc/MAPS.bin
    exits 0 convert list.json -t sfa-romlist -o disc/frontend.romlist.zlb
    cp disc/frontend.romlist.zlb kept.zlb
    cp disc/MAPS.bin kept.bin
    test_that "MAPS says what its lists hold" 'exits 0 check disc' 'exits 0 set -i disc/frontend.romlist.zlb "objects[0].id=9"' \
        'complains "^disc/frontend.romlist.zlb: "' 'exits 0 roundtrip --json-too disc' \
        'exits 0 set -i disc/frontend.romlist.zlb --remove "objects[0]"' 'complains "^MAPS.bin: .* changed"' 'complains "^MAPS.tab: 0 bytes"' \
        'exits 0 get disc/MAPS.bin "maps[0].object_count"' 'says "^1$"' 'exits 0 get disc/MAPS.tab "maps[0].object_list_size"' 'says "^24$"' \
        'exits 0 get disc/MAPS.bin "maps[0].object_list.unpacked_size"' 'says "^24$"' 'exits 0 check disc' '! grep -qE "SFA-(INFO|STUB)" out' 'nothing_left'
    test_that "all that changed with a list is undone with it" 'cp kept.zlb disc/frontend.romlist.zlb' 'cp kept.bin disc/MAPS.bin' 'cp -r disc kept.disc' \
        'exits 0 set -i disc/frontend.romlist.zlb --remove "objects[0]"' '! cmp -s kept.bin disc/MAPS.bin' 'cp -r disc changed.disc' 'exits 0 history disc/MAPS.bin' 'says "^undo  1 .*\([23] files\)$"' \
        'exits 0 undo disc/frontend.romlist.zlb' 'complains "^disc/MAPS.bin: .* changed"' 'diff -r disc kept.disc' 'exits 0 redo disc/MAPS.bin' 'diff -r disc changed.disc' \
        'exits 0 set -q -i disc/MAPS.bin "maps[0].object_count=2" --force' 'cp -r disc other.disc' 'exits 5 undo disc/frontend.romlist.zlb' 'complains "MAPS.bin has changed since"' 'diff -r disc other.disc' 'rm -r ./*.disc'
    test_that "MAPS follows the list that is written, not the one that is read" 'cp kept.zlb disc/frontend.romlist.zlb' 'cp kept.bin disc/MAPS.bin' \
        'exits 0 set disc/frontend.romlist.zlb --remove "objects[0]" -o disc/dragrock.romlist.zlb' 'cmp kept.bin disc/MAPS.bin' \
        'complains "warning: MAPS.bin has no entry for dragrock.romlist.zlb"' 'rm disc/dragrock.romlist.zlb' \
        'cp kept.zlb disc/strange.romlist.zlb' 'exits 0 set disc/strange.romlist.zlb --remove "objects[0]" -o disc/frontend.romlist.zlb' \
        'exits 0 get disc/MAPS.bin "maps[0].object_count"' 'says "^1$"' 'rm disc/strange.romlist.zlb'
    test_that "the file of a pair that stays as it was is left alone" 'mkdir still' 'cp disc/TEX1.bin disc/TEX1.tab still' 'ln still/TEX1.tab still/tab' 'ln still/TEX1.bin still/bin' \
        'exits 0 set -i still/TEX1.tab "textures[0].frames[0].usage=2"' 'complains "^TEX1.tab: 0 bytes changed"' 'complains "TEX1.bin had 1 other name"' \
        '[ still/tab -ef still/TEX1.tab ]' '! [ still/bin -ef still/TEX1.bin ]' '[ "$(ls -A still | wc -l)" -eq 4 ]' 'exits 0 roundtrip still/TEX1.bin' 'rm -r still'
    test_that "both files of a pair become one pair" 'exits 0 convert disc/MAPS.bin disc/MAPS.tab -t sfa-maps -o again/' 'complains "^1 file: 1 converted, 0 damaged, 1 skipped"' \
        'cmp again/MAPS.bin disc/MAPS.bin' 'cmp again/MAPS.tab disc/MAPS.tab' 'exits 0 convert disc/MAPS.tab disc/MAPS.bin -t sfa-maps -o again/' 'complains "^1 file: 1 converted"' \
        'exits 0 convert disc/MAPS.tab -t sfa-maps -o again/' 'mkdir twice' 'exits 0 convert disc/MAPS.bin -o twice/MAPS.bin.json' 'cp twice/MAPS.bin.json twice/MAPS.tab.json' \
        'exits 5 convert twice -t sfa-maps -o again/' 'complains "again/MAPS.tab was already written from twice/MAPS.bin.json"' 'rm -r twice again/MAPS.*'
    # A user who may write the list, but not MAPS.bin, writes neither.
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
    test_that "check finds a list and MAPS that do not belong together" 'mkdir mixed' 'cp disc/MAPS.* kept.zlb mixed' \
        'mv mixed/kept.zlb mixed/frontend.romlist.zlb' 'exits 0 set -qi mixed/frontend.romlist.zlb --remove "objects[0]"' \
        'cp kept.zlb mixed/frontend.romlist.zlb' 'exits 1 check -s mixed' 'says SFA-INFO-OBJECTS' 'says SFA-INFO-SIZE' 'rm -r mixed'
    test_that "a list that MAPS cannot speak of is not written" 'cp kept.zlb disc/frontend.romlist.zlb' 'cp kept.bin disc/MAPS.bin' \
        'head -c 30 disc/MAPS.tab >short.tab' 'cp disc/MAPS.tab kept.tab' 'cp short.tab disc/MAPS.tab' \
        '! "$mapstone" set -i disc/frontend.romlist.zlb --remove "objects[0]" 2>err' 'cmp kept.zlb disc/frontend.romlist.zlb' 'cp kept.tab disc/MAPS.tab'
    test_that "a packed file goes to stdout" '"$mapstone" set disc/frontend.romlist.zlb "objects[0].id=7" -o - 2>err >got.zlb' 'cmp got.zlb kept.zlb' \
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
    test_that "two files of a disc image" 'exits 0 roundtrip --json-too pair.iso' 'says "^1 file: 1 exact"' 'exits 0 info "pair.iso!d/TEX1.tab"' \
        "says '^  with +TEX1.tab, 64 bytes'" 'exits 0 check pair.iso' 'says "^1 file: 1 ok"' 'exits 0 identify pair.iso' \
        '[ "$(grep -c "sfa-textures" out)" -eq 2 ]' 'exits 0 convert "pair.iso!d/TEX1.bin" -t json -o from.json' 'cmp from.json pair.json'
    test_that "nothing is written into it" 'exits 5 set -i "pair.iso!d/TEX1.bin" "textures[0].frames[0].usage=2"' 'complains "several files of the archive"' \
        'exits 2 set "pair.iso!d/TEX1.bin" "textures[0].frames[0].usage=2" -o "pair.iso!d/x.bin"' \
        'exits 0 set "pair.iso!d/TEX1.bin" "textures[0].frames[0].usage=2" -o out.bin' '[ -s out.tab ]' 'cmp pair.iso kept.iso' 'exits 0 roundtrip out.bin'
    test_that "table shows what records in a row hold" 'exits 0 convert crates.json -t sfa-romlist -o crates.romlist.zlb' \
        'exits 0 table --csv -w type=LargeCrate crates.romlist.zlb' \
        'head -n 1 out | grep -q ",id,parameters.rotation_y,parameters.drop,parameters.unknown_1A,parameters.respawn_minutes,parameters.broken$"' \
        'says ",9,-5,2,0,7,~3$"' '[ "$(wc -l <out)" -eq 2 ]' 'exits 0 table --csv crates.romlist.zlb' '! grep -q parameters out' \
        'exits 0 table crates.romlist.zlb' 'says "\"id\":7,"' 'says "\"parameters\":..*,\\[\"respawn_minutes\",7\\],\\[\"broken\",\"~3\"\\]\\]}$"' \
        'exits 0 table --csv -C id,parameters.drop -w parameters.drop=2 crates.romlist.zlb' '[ "$(cat out)" = "id,parameters.drop
9,2" ]' 'exits 0 table crates.romlist.zlb' 'head -n 1 out | grep -q "\"offset\":16,\"inner\":0,"' 'exits 0 table --csv -C offset crates.romlist.zlb' \
        'sed -n 2p out | grep -qx "16+0"'
else
    echo "# this build does not pack"
fi

finish
