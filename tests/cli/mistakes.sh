#!/bin/sh
# SPDX-License-Identifier: MIT
# Mistakes of users at the command line, and the resulting messages: tests/cli/mistakes.sh path/to/mapstone One
# line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
XDG_CONFIG_HOME=$work/settings NO_COLOR=1
export XDG_CONFIG_HOME NO_COLOR

# exits CODE ARGUMENT...: the command with stdout in `out` and stderr in `err`
exits() {
    wanted=$1
    shift
    "$mapstone" "$@" >out 2>err </dev/null
    code=$?
    [ "$code" -eq "$wanted" ] || { echo "exit code $code of: $*" && head -5 out err && return 1; }
}
complains() { grep -q -e "$1" err || { echo "stderr lacks '$1':" && head -5 err && return 1; }; }
says() { grep -q -e "$1" out || { echo "stdout lacks '$1':" && head -5 out && return 1; }; }
silent() { [ ! -s "$1" ] || { echo "$1 is not empty:" && head -5 "$1" && return 1; }; }

"$mapstone" convert "$samples/outpost.json" -o a.level -q || exit 2
"$mapstone" convert "$samples/valley.json" -o valley.map -q || exit 2
cp a.level kept.level
same() { cmp -s "$1" "$2"; }

# ---- models into a directory ----
mkdir given && "$mapstone" convert -q "$samples/../tests/fuzz/seeds/revenant_model.json" -o given/a.i3d || exit 2
"$samples/../scripts/make-tree.sh" "$mapstone" "$samples/islet" given/islet >/dev/null 2>&1
"$samples/../scripts/make-tree.sh" "$mapstone" "$samples/valley-game" given/turok >/dev/null 2>&1
"$samples/../scripts/make-tree.sh" "$mapstone" "$samples/outpost-game" given/ns2 >/dev/null 2>&1
one_each() { find given -name "$1" | sort | head -n 1; }
for model in '*.i3d' 'tree*.bin' '*.model' 'mod48.zlb.bin'; do
    file=$(one_each "$model")
    test_that "a model without images ($model) is told how it is written to a directory" \
        "[ -n '$file' ] && exits 2 convert '$file' -o told/ && complains 'no images to extract; -t glb writes it to the directory' &&
        [ ! -e told ] && exits 0 convert -q -t glb '$file' -o told/ && [ \"\$(ls told | grep -c glb)\" = 1 ] && rm -r told"
done
test_that "and what is neither image nor model, too" \
    "printf 'TYPE \"x\"' >class.def && exits 2 convert class.def -o told/ && complains 'no images to extract; -t json writes it'"

# ---- dry runs ----
rename='objects[0].class_name = location'
test_that "--dry-run wins over -i" \
    "exits 0 edit a.level -i --dry-run -e '$rename' && says 'objects\[0\] location' && same a.level kept.level && [ ! -e a.level~ ]"
test_that "and over -o" "exits 0 edit a.level -o b.level --dry-run -e '$rename' && says 'objects\[0\] location' && [ ! -e b.level ]"
test_that "also with --backup" "exits 0 set a.level -i --backup --dry-run 'objects[0].class_name=location' &&
    same a.level kept.level && [ ! -e a.level~ ]"
test_that "an output that may not be written is refused all the same" \
    "exits 2 edit a.level -o a.level --dry-run -e '$rename' && complains 'is the input'"
test_that "-i and -o exclude each other" "exits 2 edit a.level -i -o b.level --dry-run -e '$rename' && complains 'exclude each other'"
mkdir base ours theirs && cp a.level base && cp a.level ours && "$mapstone" edit -q a.level -o theirs/a.level -e "$rename"
"$mapstone" diff base theirs -o p.mspatch
test_that "patch --check wins over -i and -o" "exits 0 patch --check -i base p.mspatch && same base/a.level kept.level &&
    exits 0 patch --check base p.mspatch -o out.d && [ ! -e out.d ] &&
    \"$mapstone\" diff base/a.level theirs/a.level -o one.mspatch; exits 0 patch --check -i base/a.level one.mspatch && same base/a.level kept.level"
test_that "merge --check wins over -o" "exits 0 merge --check base ours theirs -o out.d && [ ! -e out.d ]"

# ---- words that do not exist ----
test_that "an operation that does not exist: the nearest is named" \
    "exits 2 edit a.level --dry-run -e 'mvoe objects[1] to 0' && complains 'unknown operation \"mvoe\"; did you mean \"move\"?' && complains 'remove, duplicate'"
test_that "or the word that mapstone has for it" \
    "exits 2 edit a.level --dry-run -e 'delete objects[1]' && complains 'did you mean \"remove\"?' && exits 2 edit a.level --dry-run -e 'copy objects[1]' && complains 'did you mean \"duplicate\"?'"
test_that "one that is like none of them" "exits 2 edit a.level --dry-run -e 'frobnicate objects[1]' && complains 'unknown operation \"frobnicate\"' &&
    ! complains 'did you mean'"
printf 'remove objects[1]\nremvoe objects[2]\n' >script
test_that "in a script with its line" "exits 2 edit a.level --dry-run -s script && complains 'line 2' && complains 'did you mean \"remove\"?'"
test_that "what is not a word is not taken for an operation" \
    "exits 2 edit a.level --dry-run -e 'objects[1]' && complains 'not of the form PATH=VALUE'"
test_that "a format that does not exist: the nearest is named" \
    "exits 2 info -f turok-mpa valley.map && complains \"did you mean 'turok-map'?\" && exits 2 check --codes turok-mpa && complains \"did you mean 'turok-map'?\""
test_that "also of output" "exits 2 convert a.level -t jsn -o b && complains \"did you mean 'json'?\" && exits 2 convert a.level -o b.pgn && complains \"did you mean 'png'?\" &&
    exits 2 convert a.level -t xyzzy -o b && complains \"cannot write 'xyzzy'; the output\""

# ---- options ----
test_that "a part of an option's name is not the option" "exits 2 info --map a.level && complains '^error: --map: unknown option; did you mean --maps?'"
test_that "nor where no other option begins so" "exits 2 edit a.level --dry -e '$rename' && complains 'did you mean --dry-run?' && exits 2 check --search=. a.level && complains 'mean --search-path?'"
test_that "all that begin so are suggested" "exits 2 check --i a.level && complains 'did you mean --information or --ignore or --input-limit?'"
test_that "in every command" "\"$mapstone\" help | sed -n '/^Commands/,/^\$/s/^  \([a-z-][a-z-]*\)  .*/\1/p' >names && [ \"\$(wc -l <names)\" -gt 20 ] &&
    while read -r one; do exits 2 \$one --hel && complains 'did you mean --help?' && exits 0 \$one --help || return 1; done <names"

# ---- JSON ----
test_that "check --json takes --all, which it is anyway" "exits 0 check --json a.level && cp out plain && exits 0 check --json --all a.level && same plain out"
test_that "info --assets --json is one object a line" "exits 0 info --assets --json a.level valley.map && [ \"\$(wc -l <out)\" -eq 2 ] &&
    [ \"\$(grep -c '^{.*}\$' out)\" -eq 2 ]"

# ---- folders without a level ----
mkdir -p empty other/deep full && echo hello >other/deep/readme.txt && cp a.level full
for one in identify info "info --json" check "check --strict" table roundtrip "convert -o new.d/" "render -o new.d/" "render --sheet -o s.png"; do
    test_that "$one says that a folder has no level" \
        "exits 2 $one empty && complains 'no level in empty' && exits 2 $one other && complains 'no level in other' && [ ! -e new.d ] && [ ! -e s.png ]"
done
test_that "also next to one that has some" "exits 2 check full other && complains 'no level in other' && ! complains 'in full'"
test_that "a folder of levels that do not suit is not called empty" "\"$mapstone\" spec >/dev/null 2>&1; mkdir maps && cp valley.map maps && exits 0 info --triggers maps && ! complains 'no level'"
test_that "nor one whose level is left out for its name" "mkdir -p hidden/.git && cp a.level hidden/.git && exits 0 convert hidden -t json -o new.d/ && ! complains 'no level'; rm -rf new.d"

# ---- output that is not read to its end ----
mkdir many && for i in 1 2 3 4 5 6 7 8; do cp a.level many/$i.level; done
unread() { # CODE ARGUMENT...: into a pipe that is closed before the first byte
    wanted=$1
    shift
    { sleep 1 && "$mapstone" "$@" 2>err; echo $? >code; } | true
    [ "$(cat code)" -eq "$wanted" ] && silent err
}
test_that "table ends quietly" "unread 0 table many"
for one in "tree a.level" "get a.level objects" "info a.level" "info --json many" "identify --json many" "roundtrip --json many" "check -I --json many" "convert a.level -t json -o -" "convert a.level -t ns2-level -o -" "diff a.level a.level"; do
    test_that "so does $one" "unread 0 $one"
done
test_that "a full disc is an error all the same" "[ ! -c /dev/full ] || { \"$mapstone\" table many >/dev/full 2>err; [ \$? -eq 2 ] && complains 'cannot write to stdout'; }"
test_that "the first line is there" "[ \"\$(\"$mapstone\" table many | head -1 | wc -l)\" -eq 1 ]"

# ---- descriptions ----
mkdir mixed && cp a.level valley.map mixed
test_that "files without maps are passed over in silence" "exits 0 info --maps mixed && silent out && ! complains 'a.level' && ! complains valley"
test_that "but one that is named is told" "exits 2 info --maps a.level && complains 'has no maps'"

# ---- fix ----
mkdir wrong && "$mapstone" set -q --force a.level mesh.triangles.triangle_count=3 -o wrong/b.level && cp wrong/b.level wrong/c.level && cp a.level wrong/a.level &&
    cp valley.map wrong/valley.map && echo hello >wrong/readme.txt && cp -R wrong kept.d
test_that "fix --dry-run takes a directory, and says which file would change" "exits 0 fix --dry-run wrong && says '^wrong/b.level:\$' && says '^wrong/c.level:\$' &&
    complains 'wrong/c.level: 1 value would be fixed' && complains '^4 files' && ! complains 'wrong/a.level' && ! complains readme && diff -r wrong kept.d"
test_that "and -i fixes it" "exits 0 fix -i wrong && same wrong/b.level a.level && same wrong/c.level a.level && same wrong/a.level a.level && same wrong/valley.map valley.map &&
    exits 0 fix -i wrong && ! complains 'fixed;'"
test_that "several files" "cp kept.d/*.level wrong && exits 0 fix -i --backup wrong/b.level wrong/c.level && same wrong/b.level a.level && same wrong/c.level a.level &&
    same wrong/b.level~ kept.d/b.level"
test_that "one that is damaged does not keep the others from it" "cp kept.d/*.level wrong && head -c 100 a.level >wrong/a.level && exits 4 fix -i wrong && same wrong/b.level a.level && same wrong/c.level a.level"
test_that "of several none goes to one output" "exits 2 fix wrong -o new.level && complains 'one file' && exits 2 fix wrong && complains 'several files need -i' && exits 2 fix -i --undo u.mspatch wrong && [ ! -e new.level ]"
test_that "an empty folder has nothing to fix" "exits 2 fix -i empty && complains 'no level in empty'"

# ---- files under another name ----
mkdir renamed textures && "$mapstone" convert -q "$samples/islet/magiccave/TEX1.bin.json" -o textures/TEX1.bin
for one in bin tab; do cp textures/TEX1.$one renamed/islet.TEX1.$one; done
test_that "a copy of a pair that is named after its folder is known" "[ -e renamed/islet.TEX1.tab ] && exits 0 identify renamed/islet.TEX1.tab renamed/islet.TEX1.bin &&
    [ \"\$(grep -c ': sfa-textures,' out)\" -eq 2 ] && exits 0 roundtrip renamed && says '1 exact'"

# known_as FORMAT FILE...: each is identified as this format
known_as() {
    format=$1 && shift
    for one in "$@"; do
        exits 0 identify "$one" && says ": $format," || return 1
    done
}
for one in HITS.bin HITS.tab MAPS.bin MAPS.tab MAPINFO.bin TRKBLK.tab WARPTAB.bin globalma.bin capeclaw/mod48.tab capeclaw/mod48.zlb.bin; do
    cp given/islet/$one "renamed/my islet-${one##*/}"
done
test_that "so are all others of the game's" "known_as sfa-hits renamed/*HITS.* && known_as sfa-maps renamed/*MAPS.* && known_as sfa-mapinfo renamed/*MAPINFO.bin &&
    known_as sfa-trkblk renamed/*TRKBLK.tab && known_as sfa-warptab renamed/*WARPTAB.bin && known_as sfa-globalma renamed/*globalma.bin && known_as sfa-blocks renamed/*mod48.*"
printf 'nothing of the game' >renamed/my-mod48.bin && cp renamed/my-mod48.bin renamed/my-tables.bin
test_that "but not what only ends in a short or common name" "exits 1 identify renamed/my-mod48.bin && exits 1 identify renamed/my-tables.bin"
textures=${MAPSTONE_CORPUS:-$samples/../../shared/corpus}/sfa/samples/textures
if [ -d "$textures" ]; then
    cp "$textures/0726.00.tex" kt0 && cp "$textures/0728.00.tex" kt1
    test_that "a texture of the game is known under any name, by its content" "known_as sfa-texture kt0 kt1"
else
    skip "a texture of the game is known under any name, by its content" "no corpus"
fi

# ---- maps ----
mkdir islet && for one in MAPS.bin TRKBLK.tab MAPINFO.bin globalma.bin; do "$mapstone" convert -q "$samples/islet/$one.json" -o islet/$one; done
test_that "a map that does not exist: the nearest is named" "exits 3 convert islet/MAPS.bin --map capclaw -o m.glb && complains 'did you mean \"capeclaw\"?' && complains 'expected [a-z, ]*capeclaw' && [ ! -e m.glb ] &&
    exits 3 render islet/MAPS.bin --map capclaw -o m.png && complains 'did you mean \"capeclaw\"?'"
test_that "one that is like none of them: they are listed" "exits 3 convert islet/MAPS.bin --map xyzzyxyzzy -o m.glb && ! complains 'did you mean' && complains 'capeclaw'"

# ---- sectors ----
"$mapstone" set -q --force valley.map 'collision.sectors[0].links[2]=65535' -o walled.map
test_that "a link without one back names both sectors" "exits 0 check walled.map && says 'sectors\[1\].links\[0\].*a link back from sector 0 to sector 1'"

# ---- the game's view ----
mkdir -p keep/map keep/root/IMAGERY/Keep && cp "$samples/keep/class.def" keep && "$mapstone" convert -q "$samples/keep" -t revenant-sector -o keep/map/ 2>log &&
    "$mapstone" convert -q "$samples/keep-imagery" -t revenant-image -o keep/root/IMAGERY/Keep/
test_that "all objects of a level of the game have a type" "exits 0 render --view game keep/map --search-path keep/root --size 64 -o seen.png && ! complains 'does not have the type'"
grep -v -e '"Anvil"' -e '"Barrel"' keep/class.def >less.def
test_that "objects whose type class.def lacks are told from those whose picture is missing" "! same less.def keep/class.def && cp less.def keep/class.def &&
    exits 0 render --view game keep/map --search-path keep/root --size 64 -o seen.png && complains 'class.def: it does not have the types of [0-9]* objects'"

# ---- arguments in another order or place ----
test_that "an operation without -e is not passed over" "exits 2 edit a.level 'remove objects[0]' -e 'remove objects[1]' -o b.level && complains \"'remove objects\[0\]': no such file; give an operation with -e\" && [ ! -e b.level ] &&
    exits 2 edit 'remove objects[0]' a.level -o b.level && complains 'with -e'"
test_that "nor is a second file" "exits 2 edit a.level valley.map -e 'remove objects[1]' -o b.level && complains 'edit takes one file, not 2' && [ ! -e b.level ]"
test_that "the file comes first" "exits 2 get 'objects[0]' a.level && complains 'name the file first, a.level' && exits 2 set 'objects[0].class_name=x' a.level -o b.level && complains 'name the file first, a.level' && exits 2 tree objects a.level && complains 'first, a.level'"
test_that "a member of an archive is a file" "exits 2 get none.kpf!a.level objects && ! complains 'first'"
test_that "of several wrong arguments the first is told" "exits 2 set a.level 'objects[0].class_name' x -o b.level && complains 'PATH=VALUE' && [ \"\$(grep -c PATH=VALUE err)\" -eq 1 ]"
test_that "what is no patch: the message says which command writes one" "echo hello >hello.txt && exits 2 patch a.level hello.txt -o b.level && complains 'NAME.mspatch, as written by diff'"
test_that "standard input is read once" "exits 2 diff - - && complains 'can be read only once' && exits 2 merge a.level - - -o b.level && complains 'can be read only once' && exits 2 edit - -s - -o b.level && complains 'can be read only once' &&
    \"$mapstone\" edit -q - -e '$rename' -o - <a.level >b.level && [ -s b.level ] && rm b.level"
test_that "a wrong number of jobs is all that is told" "for one in check identify roundtrip table; do exits 2 \$one -j x a.level && complains \"'x' is not a number\" && silent out && ! complains files || return 1; done"
for one in "dump a.level" "tree a.level" "check -I a.level" "convert a.level -t json" "render a.level"; do
    test_that "$one says that a device is full" "[ ! -c /dev/full ] || { exits 2 $one -o /dev/full; complains 'cannot write /dev/full: No space left' && [ \"\$(wc -l <err)\" -eq 1 ]; }"
done

# ---- streams ----
endless() { yes | timeout 60 "$mapstone" "$@" >out 2>err; } # the exit code is that of the command
for one in check info "info --json" tree roundtrip dump; do
    test_that "$one reads only the beginning of an endless stream that is no level" "endless $one -; [ \$? -eq 1 ] && complains 'no known format begins like this (found text: y y y'"
done
test_that "so does identify, which does not know its size" "endless identify - ; [ \$? -eq 1 ] && says '^-: unknown' && endless identify --json -; says '\"format\":null' && ! says '\"size\"'"
test_that "and of a device" "[ ! -c /dev/zero ] || { timeout 60 \"$mapstone\" check /dev/zero >out 2>err; [ \$? -eq 1 ] && complains 'no known format'; }"
test_that "an endless script is read to a smaller limit than a level" "endless edit a.level -s - -o b.level; [ \$? -eq 2 ] && complains 'it has more than 268435456 bytes; --input-limit allows more'"
test_that "a level by a pipe is one" "cat a.level | \"$mapstone\" check - >out && says '1 ok' && \"$mapstone\" dump a.level | \"$mapstone\" check - >out && says '1 ok'"
test_that "and is identified as from a file, whatever it is" "find a.level valley.map keep islet textures -type f | awk -F. '++seen[tolower(\$NF)] <= 3' >all && [ \"\$(wc -l <all)\" -gt 10 ] &&
    while read -r one; do cat \$one | \"$mapstone\" identify - >piped; \"$mapstone\" identify - <\$one >out; cmp piped out || return 1; done <all"

# ---- messages that a run prints once ----

mkdir sectors nothing
for i in 1 2 3; do "$mapstone" convert -q "$samples/keep/7_10_10.json" -t revenant-sector -o "sectors/7_1_$i.DAT"; done
test_that "files that a level's sectors name and that are not found are one line of a check" \
    '"$mapstone" check --search-path nothing sectors >out; [ "$(grep -c "not found.*REV-MISSING" out)" = 1 ] && grep -q "^2 more files name files that were not found; --all lists them" out &&
    grep -q "warning REV-MISSING in 3 files" out'
test_that "and a line a sector with --all" '"$mapstone" check --all --search-path nothing sectors >out; [ "$(grep -c "not found.*REV-MISSING" out)" = 3 ] && ! grep -q "more files name" out'

finish
