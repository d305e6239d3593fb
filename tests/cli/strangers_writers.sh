#!/bin/sh
# SPDX-License-Identifier: MIT
# Files are written only to the place that the user specified: links that a stranger put into a folder lead no file
# out of it, and replacing a file gives no user more rights. tests/cli/strangers_writers.sh path/to/mapstone. One
# line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
seeds=$(cd "$(dirname "$0")/../fuzz/seeds" && pwd)
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
HOME=$work/home XDG_CONFIG_HOME=$work/home NO_COLOR=1
export HOME XDG_CONFIG_HOME NO_COLOR
log=$work/log

# fresh: a directory outside with a file that must not be changed
fresh() {
    rm -rf outside in out && mkdir outside in && echo precious >outside/kept && echo precious >outside/MAPS.bin
}
# unhurt: nothing outside has changed
unhurt() { [ "$(ls -A outside)" = "$(printf 'MAPS.bin\nkept')" ] && [ "$(cat outside/kept outside/MAPS.bin)" = "$(printf 'precious\nprecious')" ]; }
none_left() { [ -z "$(find . -name '.mapstone-*')" ]; }
# refused COMMAND...: fails, and reports the link
refused() {
    "$@" >refusal 2>&1
    code=$?
    cat refusal
    [ $code -eq 2 ] && grep -q 'symbolic link' refusal
}

"$mapstone" convert "$seeds/ns2_10.json" -o a.level || exit 2
"$mapstone" convert "$samples/bunker-textures.json" -o 111GFX.BIN || exit 2
mkdir levels && cp a.level levels/a.level && cp a.level levels/b.level

# ---- -o DIR/ -------------------------------------------------------------------------------------
for kind in json glb gltf png; do
    test_that "convert -t $kind does not follow a linked file below -o DIR/" \
        "fresh && mkdir out && ln -s ../outside/kept out/a.$kind && refused '$mapstone' convert levels -t $kind -o out/ && unhurt && [ -s out/b.$kind ] && none_left"
done
test_that "convert does not follow a linked folder below -o DIR/" \
    "fresh && mkdir -p out in/sub && cp a.level in/sub/ && ln -s ../outside out/sub && refused '$mapstone' convert in -t glb -o out/ && unhurt && none_left"
test_that "convert does not follow the .bin beside a .gltf" \
    "fresh && mkdir out && ln -s ../outside/kept out/a.bin && refused '$mapstone' convert a.level -o out/a.gltf && unhurt && [ ! -e out/a.gltf ]"
test_that "convert does not follow the .mtl beside an .obj" \
    "fresh && mkdir out && ln -s ../outside/kept out/a.mtl && refused '$mapstone' convert a.level -o out/a.obj && unhurt && [ ! -e out/a.obj ]"
test_that "convert does not follow the folder of textures beside a .gltf" \
    "fresh && mkdir out && ln -s ../outside out/a.textures && { '$mapstone' convert --external a.level -o out/a.gltf; unhurt; }"
test_that "convert to a level does not follow a link below -o DIR/" \
    "fresh && mkdir -p in out && cp '$seeds/ns2_10.json' in/a.level.json && cp '$seeds/ns2_10.json' in/b.level.json && ln -s ../outside/kept out/a.level && refused '$mapstone' convert in -t ns2-level -o out/ && unhurt && [ -s out/b.level ]"
test_that "pictures from a file do not follow a link below -o DIR/" \
    "fresh && mkdir out && ln -s ../outside/kept out/page_0.png && refused '$mapstone' convert 111GFX.BIN -o out/ && unhurt"
test_that "render does not follow a link below -o DIR/" \
    "fresh && mkdir out && ln -s ../outside/kept out/a.png && refused '$mapstone' render --size 40x30 levels -o out/ && unhurt && [ -s out/b.png ]"
test_that "collect does not follow a link below -o DIR/" \
    "fresh && mkdir out && ln -s ../outside out/maps && refused '$mapstone' collect a.level -o out/ && unhurt"
"$mapstone" convert "$samples/bunker.json" -o L900LEV.MAP || exit 2
test_that "collect takes no file along that a link leads to" \
    "fresh && cp L900LEV.MAP in/ && ln -s ../outside/kept in/900GFX.BIN && '$mapstone' collect in/L900LEV.MAP -o out/ && [ -s out/maps/L900LEV.MAP ] && [ ! -e out/maps/900GFX.BIN ]"
test_that "collect takes no file along from behind a linked folder" \
    "fresh && cp outside/kept outside/DOG.BND && cp L900LEV.MAP in/ && ln -s ../outside in/NME && '$mapstone' collect in/L900LEV.MAP -o out/ && [ -s out/maps/L900LEV.MAP ] && ! grep -rq precious out"
test_that "collect searches in a folder that is itself a link" \
    "fresh && cp outside/kept outside/900GFX.BIN && cp L900LEV.MAP in/ && ln -s outside linked && '$mapstone' collect in/L900LEV.MAP --search-path linked -o out/ && grep -rq precious out && rm linked"
test_that "a link to nothing below -o DIR/ makes no file" \
    "fresh && mkdir out && ln -s ../outside/new out/a.glb && refused '$mapstone' convert levels -t glb -o out/ && unhurt"
test_that "a directory that is itself a link is fine" \
    "fresh && mkdir real && ln -s real out && '$mapstone' convert -q levels -t json -o out/ && [ -s real/a.json ] && [ -s real/b.json ] && rm -rf out real"
test_that "a file that the user names may be a link" \
    "fresh && mkdir out && ln -s ../in/new.json out/link.json && '$mapstone' dump a.level -o out/link.json && [ -s in/new.json ] && [ -L out/link.json ]"

# ---- patches and merges ----------------------------------------------------------------------------
sets() {
    fresh && rm -rf old new && mkdir -p old/sub new/sub && cp a.level old/a.level && cp a.level old/sub/b.level &&
        cp -r old/. new && "$mapstone" set -q -i new/a.level 'mesh.vertices[0].position=[1,2,3]' &&
        cp new/a.level new/sub/c.level &&
        "$mapstone" diff --with-data old new -o change.mspatch
    [ -s change.mspatch ] && rm -rf in && cp -r old in
}
test_that "patch -i does not write below a linked folder" \
    "sets; mv in/sub/b.level outside/b.level && rmdir in/sub && ln -s ../outside in/sub && cp outside/b.level b && refused '$mapstone' patch -i in change.mspatch && cmp outside/b.level b && [ ! -e outside/c.level ] && cmp in/a.level old/a.level && none_left"
test_that "patch -i does not write through a linked file" \
    "sets; cp in/a.level outside/target && rm in/a.level && ln -s ../outside/target in/a.level && refused '$mapstone' patch -i in change.mspatch && cmp outside/target old/a.level && cmp in/sub/b.level old/sub/b.level && [ ! -e in/sub/c.level ] && none_left"
test_that "patch -i on a directory that is itself a link is fine" \
    "sets; mv in real && ln -s real in && '$mapstone' patch -i in change.mspatch && cmp real/a.level new/a.level && cmp real/sub/c.level new/sub/c.level && rm -rf in real"

# ---- files that an edit also writes ----------------------------------------------------------------
"$mapstone" convert "$seeds/sfa_maps.json" -o MAPS.bin && "$mapstone" convert "$seeds/sfa_list_zlb.json" -o frontend.romlist.zlb || exit 2
test_that "an edit changes no index file outside of the folder" \
    "fresh && cp MAPS.bin outside/ && cp MAPS.tab frontend.romlist.zlb in/ && ln -s ../outside/MAPS.bin in/MAPS.bin && refused '$mapstone' set -i in/frontend.romlist.zlb -r 'objects[0]' && cmp MAPS.bin outside/MAPS.bin && cmp in/frontend.romlist.zlb frontend.romlist.zlb && none_left"
test_that "an edit in a folder that is itself a link is fine" \
    "fresh && cp MAPS.bin MAPS.tab frontend.romlist.zlb in/ && ln -s in out && '$mapstone' set -q -i out/frontend.romlist.zlb -r 'objects[0]' && ! cmp -s MAPS.bin in/MAPS.bin"

# ---- backups ---------------------------------------------------------------------------------------
change='mesh.vertices[0].position=[1,2,3]'
test_that "--backup replaces a link, and does not follow it" \
    "fresh && cp a.level in/ && ln -s ../outside/kept in/a.level~ && '$mapstone' set -q -i --backup in/a.level '$change' && unhurt && [ ! -L in/a.level~ ] && cmp in/a.level~ a.level"
test_that "a backup has the mode of the level" \
    "fresh && cp a.level in/ && chmod 600 in/a.level && '$mapstone' set -q -i --backup in/a.level '$change' && [ \"\$(stat -c %a in/a.level~)\" = 600 ] && [ \"\$(stat -c %a in/a.level)\" = 600 ]"
test_that "a backup that replaces an earlier one is reported" \
    "fresh && cp a.level in/ && echo old >in/a.level~ && '$mapstone' set -i --backup in/a.level '$change' && cmp in/a.level~ a.level && '$mapstone' set -i --backup in/a.level 'mesh.vertices[0].position=[4,5,6]' 2>&1 | grep -q 'a.level~ replaces an earlier one'"
test_that "a backup has the owner of the level" \
    "[ \$(id -u) -ne 0 ] || { fresh && cp a.level in/ && chown 12:34 in/a.level && '$mapstone' set -q -i --backup in/a.level '$change' && [ \"\$(stat -c %u:%g in/a.level~)\" = 12:34 ] && [ \"\$(stat -c %u:%g in/a.level)\" = 12:34 ]; }"

# ---- rights and attributes -------------------------------------------------------------------------
# attribute FILE NAME [HEX]: sets it, or prints it
attribute() {
    python3 -c 'import os, sys
file, name = sys.argv[1:3]
if len(sys.argv) > 3:
    os.setxattr(file, name, bytes.fromhex(sys.argv[3]))
else:
    print(os.getxattr(file, name).hex())' "$@" 2>/dev/null
}
# The owner may write, user 12 read, the group nothing; the group's bits of the mode are the mask.
list=02000000010006"00ffffffff"02000400"0c000000"04000000"ffffffff"10000400"ffffffff"20000000"ffffffff"
wide=02000000010006"00ffffffff"02000600"0c000000"04000600"ffffffff"10000600"ffffffff"20000000"ffffffff"
cp a.level listed.level
if attribute listed.level system.posix_acl_access "$list"; then
    test_that "-i and --backup keep an access control list" \
        "'$mapstone' set -q -i --backup listed.level '$change' && [ \"\$(attribute listed.level system.posix_acl_access)\" = $list ] && [ \"\$(attribute listed.level~ system.posix_acl_access)\" = $list ] && [ \$(stat -c %a listed.level) = 640 ]"
    test_that "a directory's default list gives nobody rights to a file that has none" \
        "fresh && cp a.level in/ && chmod 664 in/a.level && attribute in system.posix_acl_default $wide && '$mapstone' set -q -i in/a.level '$change' && ! attribute in/a.level system.posix_acl_access && [ \$(stat -c %a in/a.level) = 664 ]"
else
    skip "-i and --backup keep an access control list" "access control lists do not work here"
    skip "a directory's default list gives nobody rights to a file that has none" "access control lists do not work here"
fi
if attribute listed.level user.origin 68657265; then
    test_that "-i keeps extended attributes" \
        "'$mapstone' set -q -i listed.level 'mesh.vertices[0].position=[7,8,9]' && [ \"\$(attribute listed.level user.origin)\" = 68657265 ]"
else
    skip "-i keeps extended attributes" "extended attributes do not work here"
fi

# ---- leftovers of killed commands ------------------------------------------------------------------
test_that "what a killed command left is removed by the next that writes there" \
    "fresh && cp a.level in/ && echo half >in/.mapstone-0123456789abcdef && '$mapstone' set -q -i in/a.level '$change' && none_left"
test_that "a stranger's journal renames nothing" \
    "fresh && cp a.level in/ && echo text >in/.mapstone-0123456789abcdef && echo precious >in/kept && i=\$(stat -c '%i %s' in/.mapstone-0123456789abcdef) && printf 'mapstone journal 1\n%s 0 0 0 0 0 \0../../.bashrc\0.mapstone-0123456789abcdef\0\0end\n' \"\$i\" >in/.mapstone-journal && '$mapstone' set -i in/a.level '$change' && none_left && [ ! -e .bashrc ] && [ ! -e ../.bashrc ] && [ \"\$(cat in/kept)\" = precious ]"

finish
