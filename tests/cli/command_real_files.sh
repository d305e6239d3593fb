#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: real levels.
# tests/cli/command_real_files.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

"$mapstone" render -q --size 64x48 a.level -o a.png || exit 2

# ---- real files ------------------------------------------------------------------------------------
if [ -d "$corpus/ns2" ]; then
    levels=$(find "$corpus/ns2" \( -name '*.level' -o -name '*.clip' \) | wc -l)
    others=$(find "$corpus/ns2" -type f ! -name '*.level' ! -name '*.clip' | wc -l)
    test_that "every real file is recognised" 'exits 0 identify "$corpus/ns2"' \
        'last_line out "$levels files: $levels known, 0 damaged, $others skipped"'
    test_that "every real file is exact, also by way of JSON" 'exits 0 roundtrip --json-too -j 2 "$corpus/ns2"' \
        'last_line out "$levels files: $levels exact, 0 differ, 0 damaged, $others skipped"'
    test_that "no real file has errors" 'exits 0 check -j 2 "$corpus/ns2"'
    test_that "every real file that has a scene is converted and drawn" \
        'exits 0 convert -j 2 "$corpus/ns2" -t glb -o glb/' 'exits 0 render -j 2 --size 200 "$corpus/ns2" -o png/' \
        '[ "$(find glb -name "*.glb" | wc -l)" -eq "$levels" ]' '[ "$(find png -name "*.png" | wc -l)" -eq "$levels" ]'
    test_that "threads change nothing" 'exits 0 table "$corpus/ns2"' 'mv out one' \
        'exits 0 table -j 3 "$corpus/ns2"' 'cmp one out'
    probed() { # LEVEL: six pictures for each cubemap
        [ "$(find probed -name 'probe_*.png' -size +0 | wc -l)" -eq $((6 * $(grep -ao 'reflection_probe_cubemap' "$1" | wc -l))) ]
    }
    for level in "$corpus"/ns2/*2fort__267190d3.level "$corpus"/ns2/*ikea__c29f04a0.level; do
        rm -rf probed
        test_that "what real probes have seen: ${level##*/}" 'exits 0 convert "$level" -o probed/' 'probed "$level"'
    done
    level=$(find "$corpus/ns2" -name '*.level' | sort | head -n 1)
    test_that "a large reader that goes away" '{ "$mapstone" tree --all "$level" 2>err; echo $? >code; } | head -n 1 >out' \
        '[ ! -s err ]' '[ "$(cat code)" -eq 0 ]'
else
    echo "# no corpus at $corpus: tests of real files are skipped"
fi

if [ -d "$corpus/alien" ]; then
    gfx=$corpus/alien/111GFX.BIN
    map=$corpus/alien/L111LEV.MAP
    test_that "pictures in a file become files" 'exits 0 convert "$gfx" pages/' '[ "$(ls pages | wc -l)" -eq 5 ]' \
        '[ "$(head -c 4 pages/page_4.png | tail -c 3)" = PNG ]' 'exits 0 convert "$gfx" -t png -o pages2/' 'diff -r pages pages2' \
        '"$mapstone" convert - pages3/ <"$gfx"' 'diff -r pages pages3'
    test_that "five pictures are not one" 'exits 2 convert "$gfx" -o page.png' 'complains "5 images.*-o DIR/"' '[ ! -e page.png ]' \
        'exits 2 convert "$gfx" -t png'
    test_that "pictures of many files stand apart" 'mkdir -p gfx' 'cp "$gfx" gfx/a.bin' 'cp "$gfx" gfx/b.bin' 'exits 0 convert gfx apart2/' \
        'diff -r pages apart2/a' 'diff -r pages apart2/b'
    test_that "a picture does not go over an input" 'mkdir -p over' 'cp "$gfx" over/page_3.png' \
        'exits 2 convert over/page_3.png -o over/' 'complains "page_3\.png is an input"' 'cmp over/page_3.png "$gfx"'
    test_that "info names the pictures" 'exits 0 info "$gfx"' 'says "^  images +5 \(page_0 256 x 256, .*page_4 256 x 256\)$"' \
        'exits 0 info --json "$gfx"' 'says "\"images\":\[\{\"name\":\"page_0\",\"width\":256,\"height\":256\},"'
    test_that "a picture put back changes nothing" 'exits 0 set "$gfx" --image page_0=pages/page_0.png --image 4=pages/page_4.png -o same.bin' \
        'cmp same.bin "$gfx"'
    test_that "pictures that do not fit" 'rm -f n.bin' 'exits 5 set "$gfx" --image page_0=a.png -o n.bin' \
        'exits 3 set "$gfx" --image page_9=pages/page_0.png -o n.bin' 'exits 3 set "$gfx" --image 5=pages/page_0.png -o n.bin' \
        'exits 2 set "$gfx" --image page_0=nowhere.png -o n.bin' 'exits 4 set "$gfx" --image page_0=stranger.txt -o n.bin' '[ ! -e n.bin ]'
    test_that "the other byte order, and back" 'exits 0 convert "$map" -o twin.MAP --byte-order big' \
        'cmp twin.MAP "$corpus/alien/L111LEV.big-endian.MAP"' 'exits 0 convert twin.MAP -o back.MAP --byte-order little' 'cmp back.MAP "$map"'
    test_that "rectangles of textures" 'exits 0 info --rectangles "$gfx"' '[ "$(wc -l <out)" -eq 339 ]' \
        'says "^texture 1: page 0, 32 x 32 at 32 0$"' 'exits 2 info --rectangles "$map"'
    test_that "triggers in words" 'exits 0 info --triggers "$map"' 'says "^trigger 1[,:].*open door 0"' 'exits 0 info --triggers --json "$map"' \
        'says "^\{\"file\":.*\"triggers\":\[\".*\"\]\}$"'
    test_that "textures are found beside a level, in any case, or where they are said to be" 'mkdir -p bare beside' \
        'cp "$map" bare/' 'cp "$map" beside/' 'cp "$gfx" beside/111gfx.bin' 'exits 0 convert bare/L111LEV.MAP -o bare.glb' \
        'exits 0 convert beside/L111LEV.MAP -o beside.glb' 'exits 0 convert --search-path set --search-path beside bare/L111LEV.MAP -o searched.glb' \
        '! cmp -s bare.glb beside.glb' 'cmp beside.glb searched.glb' \
        '"$mapstone" convert --as-path L111LEV.MAP --search-path beside -t glb - <"$map" | cmp - beside.glb'
fi

if [ -d "$corpus/revenant" ]; then
    sectors=$corpus/revenant
    test_that "sectors become version 15 as they should" \
        'for f in "$sectors"/v15/*; do n=$(basename "$f"); for v in 1 2 3 4 5 6 7 8; do [ -f "$sectors/v$v/$n" ] || continue; "$mapstone" convert "$sectors/v$v/$n" -o "15_$n" --to-version 15 --allow-loss --as-path "$n" 2>err || return 1; done; done' \
        'exits 0 convert "$sectors/v8/44_12_8.DAT" -o 44_12_8.DAT --to-version 15' 'cmp 44_12_8.DAT "$sectors/v15/44_12_8.DAT"' \
        'exits 0 convert "$sectors/v3/5_4_23.DAT" -o 5_4_23.DAT --to-version 15 --allow-loss' 'cmp 5_4_23.DAT "$sectors/v15/5_4_23.DAT"' \
        'complains "objects\[162\]\.locked.*found 1"'
    test_that "losses are summed by field" 'exits 0 convert "$sectors/v3/5_4_23.DAT" -o summed.DAT --to-version 15 --allow-loss' '[ "$(wc -l <err)" -eq 1 ]' \
        'complains "^warning: .*5_4_23.DAT.*: objects\[\]\.locked: .*, 2 times, first at objects\[162\]\.locked \(found 1\)"' \
        'exits 0 convert --all "$sectors/v3/5_4_23.DAT" -o summed.DAT --to-version 15 --allow-loss' '[ "$(wc -l <err)" -eq 2 ]' 'complains ": objects\[162\]\.locked: "'
    test_that "what would be lost is not converted" 'rm -f lost.DAT' 'exits 5 convert "$sectors/v3/5_4_23.DAT" -o lost.DAT --to-version 15' \
        'complains "2 values would be lost in version 15"' '[ ! -e lost.DAT ]' 'exits 2 convert "$sectors/v3/5_4_23.DAT" -o lost.DAT --to-version 99'
fi

if [ -d "$corpus/turok" ]; then
    cart=$corpus/turok/synth_cart_le.dat
    test_that "what is packed in an archive" 'exits 0 get "$cart" "blocks[0].blocks[0].blocks[1]@content.blocks[1].blocks[0].blocks[1].data_set.count"' \
        'says "^1$"' '"$mapstone" get -r "$cart" "blocks[0].blocks[0].blocks[1]@" | head -c 4 | od -An -tx1 | grep -q "02 00 00 00"' \
        'exits 2 get "$cart" "blocks[0].blocks[0].blocks[0]@content"' 'complains "there is no packed block at this path"'
    test_that "records stored plane by plane" 'exits 0 get "$cart" --interleaved "blocks[0].blocks[0].blocks[3]:20"' \
        'says "^\[3\] 03 00 05 00"' 'exits 2 get "$cart" --interleaved "blocks[0].blocks[0].blocks[3]:7"' \
        'exits 2 get "$cart" --interleaved "blocks[0].blocks[0].blocks[3]:x"'
    test_that "levels in the other byte order, and back" \
        'for f in "$corpus"/turok/*.map; do "$mapstone" convert "$f" -o big.map --byte-order big && "$mapstone" convert big.map -o little.map --byte-order little && cmp little.map "$f" || return 1; done'
    [ -d "$corpus/sfa/mini" ] && test_that "a world of several layers makes a picture of each from above" \
        'exits 0 render --world --size 300 "$corpus/sfa/mini" -o world.png' 'complains "world-surface\.png shows the layer surface"' \
        '[ -s world-surface.png ]' '[ -s world-above.png ]' '[ ! -e world.png ]' '! cmp -s world-surface.png world-above.png' \
        'exits 0 render --oblique --world --size 300 "$corpus/sfa/mini" -o world.png' '[ -s world.png ]' \
        '"$mapstone" render --world --size 300 "$corpus/sfa/mini" >all.png' '[ -s all.png ]' '! cmp -s all.png world-surface.png'
    test_that "a longer path moves what is after it" \
        'exits 0 set "$corpus/turok/synth_level.map" "actors.models[3]=models/a_much_longer_name_than_before.bin" -o longer.map' \
        'exits 0 roundtrip --json-too longer.map' 'exits 0 get longer.map "actors.models[3]"' 'says "^models/a_much_longer_name_than_before.bin$"'
fi

finish
