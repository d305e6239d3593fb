#!/bin/sh
# SPDX-License-Identifier: MIT
# Names from strangers, in patches, directories, archives and levels: none of them makes a hidden file, another spelling
# of one, a device of Windows or a file elsewhere, and none controls a terminal. tests/cli/strangers_names.sh
# path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir bin
ln -s "$mapstone" bin/mapstone
PATH=$work/bin:$PATH XDG_CONFIG_HOME=$work NO_COLOR=1
export PATH XDG_CONFIG_HOME NO_COLOR
log=$work/log
also=said
# exits_with CODE COMMAND...
exits_with() {
    expected=$1
    shift
    "$@"
    code=$?
    [ "$code" -eq "$expected" ] || { echo "exit code $code"; return 1; }
}
# says TEXT: a line of the last command's messages has it
says() {
    grep -qF -- "$1" said || { echo "is not said: $1"; cat said; return 1; }
}

mapstone convert -q "$samples/outpost.json" -o a.level && mapstone set -q a.level 'layers[0].name=Other' -o b.level || exit 2
value() { mapstone get "$1" 'layers[0].name'; }
zero_width=$(printf '\342\200\214')

# ---- patches ----
# part NAME [TO]: the part of a patch that makes a file with the text "hi"
part() {
    printf '{"mspatch":1,"file":"%s","new":{"version":0,"sha256":"98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4"}}\n' "$1"
    printf '{"op":"raw","offset":0,"old":"","new":"68690a"}\n{"end":{"operations":1}}\n'
}
mkdir maps && cp a.level maps/a.level && cp -r maps kept
# is_refused NAME [SHOWN]: a patch that makes a file of that name, after a permitted one, writes nothing
is_refused() {
    shown=${2-$1}
    { printf '{"mspatch":1,"files":2}\n' && part good.png && part "$1"; } >evil.mspatch
    for how in -i --check '-o out' '-i --partial'; do
        # shellcheck disable=SC2086
        exits_with 5 mapstone patch maps evil.mspatch $how >said 2>&1 && says "the patch names \"$shown\"" || return 1
        diff -r kept maps && [ ! -e out ] || return 1
    done
}
test_that "a patch may make files that are not hidden" \
    "{ printf '{\"mspatch\":1,\"files\":2}\n' && part good.png && part 'new/b git~1.png'; } >good.mspatch && exits_with 0 mapstone patch maps good.mspatch -o out && [ \"\$(cat 'out/new/b git~1.png')\" = hi ] && rm -r out"
test_that "a patch that names a hidden file is refused as a whole" \
    "is_refused .git/config && is_refused .git/hooks/post-checkout && is_refused .bashrc && is_refused sub/.envrc && is_refused .vscode/tasks.json && is_refused ...level"
test_that "so is one that spells .git in another way" \
    "is_refused .GIT/config && is_refused '.Git /config' && is_refused .git./config && is_refused '.git . ./config' && is_refused git~1/config && is_refused GIT~1 && is_refused gi7eba~1 &&
     is_refused GITMOD~1 && is_refused BASHRC~1 && is_refused \".g${zero_width}it/config\" && is_refused \"${zero_width}.git/config\" &&
     is_refused \"\$(printf '\\357\\273\\277').git/config\" && is_refused .git::\\\$INDEX_ALLOCATION/config"
test_that "so is one that names what is something else on Windows" \
    "is_refused NUL && is_refused con && is_refused aux.level && is_refused sub/COM1.txt && is_refused 'lpt9 .x' && is_refused CONOUT\\\$ && is_refused a:stream && is_refused a.level: && is_refused C:x &&
     is_refused a.level. && is_refused 'a.level ' && is_refused 'sub./b.level' && is_refused '..\\\\x' '..\\x'"
newline='a\nb.level' escape='a\u001b[31m.level' # in JSON
export newline escape
test_that "so is one that names a file outside, or with control characters, which are shown as such" \
    "is_refused ../x && is_refused /tmp/x && is_refused sub/../../x && is_refused \"\$newline\" 'a\\x0ab.level' && is_refused \"\$escape\" 'a\\x1b[31m.level'"
test_that "so is one that gives a file such a name" \
    "cp -r maps moved && mv moved/a.level moved/b.level && exits_with 1 mapstone diff maps moved -o to.mspatch && sed 's|\"to\":\"b.level\"|\"to\":\".git/config\"|' to.mspatch >evil.mspatch &&
     ! cmp -s to.mspatch evil.mspatch && exits_with 5 mapstone patch -i maps evil.mspatch && diff -r kept maps &&
     sed 's|\"file\":\"a.level\"|\"file\":\".a.level\"|' to.mspatch >evil.mspatch && exits_with 5 mapstone patch -i --reverse moved evil.mspatch && [ \"\$(ls -A moved)\" = b.level ]"

# ---- directories ----
# repository DIRECTORY LEVEL LINE: a level, and the files of git and a shell
repository() {
    mkdir -p "$1/.git/refs/heads" "$1/sub/.cache" && cp "$2" "$1/a.level" && echo "$3 <anna@example.org>" >"$1/.git/logs" && echo "$3" >"$1/.git/refs/heads/main" &&
        cp "$2" "$1/.git/index" && echo "$3" >"$1/.envrc" && cp "$2" "$1/sub/.cache/c.level" && cp "$2" "$1/.b.level"
}
repository base a.level one && repository ours a.level two && repository theirs b.level three || exit 2
mkdir bare newer && cp a.level bare && cp b.level newer/a.level
test_that "a patch of directories has nothing of .git, nor of other hidden files" \
    "exits_with 1 mapstone diff base theirs -o p.mspatch >said 2>&1 && ! grep -q 'git\\|anna\\|envrc\\|cache\\|b.level' p.mspatch && [ ! -s said ] && { mapstone diff bare newer -o q.mspatch; cmp p.mspatch q.mspatch; }"
test_that "directories that differ in hidden files alone are the same" \
    "exits_with 0 mapstone diff base ours >said 2>&1 && says '1 files: 1 same' && exits_with 0 mapstone diff base ours -o p.mspatch && [ \"\$(cat p.mspatch)\" = '{\"mspatch\":1,\"files\":0}' ]"
test_that "hidden files are not merged, and not in the result, which is said" \
    "exits_with 0 mapstone merge base ours theirs -o out >said 2>&1 && [ \"\$(find out -type f)\" = out/a.level ] && [ \"\$(value out/a.level)\" = Other ] && rm -r out &&
     says 'ours: .git is left out of the merge: it is hidden' && [ \"\$(grep -c '\\.git ' said)\" = 1 ] && says 'ours: sub/.cache is left out of the merge: it is hidden'"
test_that "they stay as they are in OURS" \
    "cp -r ours before && exits_with 0 mapstone merge base ours theirs -o ours >said 2>&1 && [ ! -s said ] && diff -r before/.git ours/.git && diff before/.envrc ours/.envrc && diff -r before/sub ours/sub &&
     [ \"\$(value ours/a.level)\" = Other ] && rm -r before"
test_that "what a directory hides is not in the result of a patch, which is said" \
    "mapstone diff bare newer -o p.mspatch; exits_with 0 mapstone patch base p.mspatch -o out >said 2>&1 && [ \"\$(find out -type f)\" = out/a.level ] && rm -r out && says 'base: .git is left out of the result: it is hidden'"
test_that "levels whose names are something else on Windows are not compared, which is said" \
    "mkdir odd && cp a.level odd/a.level && cp b.level odd/NUL.level && cp b.level 'odd/b.level ' && exits_with 0 mapstone diff bare odd >said 2>&1 && says 'odd: NUL.level is left out of the comparison: it is a device on Windows' &&
     says 'odd: b.level  is left out of the comparison: it ends in a blank or dot, which Windows leaves out' && exits_with 0 mapstone diff -q bare odd >said 2>&1 && [ ! -s said ] && rm -r odd"
cp -r bare noted && echo "of mine" >noted/notes.txt && echo pixels >noted/a.png
test_that "only levels, and what levels need, is in a patch; the rest is said" \
    "exits_with 1 mapstone diff bare noted -o p.mspatch >said 2>&1 && ! grep -q notes p.mspatch && grep -q '\"file\":\"a.png\"' p.mspatch && says 'noted: notes.txt is left out of the patch: it is neither a level nor a file that levels need' &&
     cp -r noted less && rm less/notes.txt && exits_with 0 mapstone diff noted less -o p.mspatch && rm -r less"
test_that "of what no level needs ours stays in a merge, which is said where theirs has another one" \
    "cp -r noted changed && echo theirs >changed/notes.txt && cp b.level changed/a.level && cp -r noted mine && echo mine >mine/notes.txt && exits_with 0 mapstone merge noted mine changed -o out >said 2>&1 &&
     [ \"\$(cat out/notes.txt)\" = mine ] && [ \"\$(value out/a.level)\" = Other ] && says 'mine: notes.txt is left out of the merge: it is neither' && rm -r out changed mine"
test_that "JSON of a level, and a level by another name, are levels" \
    "mapstone convert -q a.level -o less.json && mkdir json && cp less.json json/a.txt && cp a.level json/b.copy && exits_with 1 mapstone diff --with-data bare json -o p.mspatch && grep -q '\"file\":\"a.txt\"' p.mspatch && grep -q '\"to\":\"b.copy\"' p.mspatch && rm -r json"

# ---- converting the contents of archives and directories ----
mkdir -p evil/.git/hooks evil/maps evil/git~1
for name in .git/config .git/hooks/x .bashrc maps/.envrc .b.level NUL COM1.level a:stream 'c.level ' 'd.level.' git~1/config maps/git~2 maps/a.level; do
    cp a.level "evil/$name" || exit 2
done
tar -cf evil.tar -C evil . && cp a.level up.level && tar -C maps -P -cf leads.tar --transform 's|^|../|' a.level 2>/dev/null
# only_a DIRECTORY: only maps/a was written there
only_a() {
    [ "$(find "$1" -type f)" = "$1/maps/a.json" ] || { find "$1" -type f; return 1; }
}
test_that "what is hidden or something else on Windows is not converted, which is said" \
    "exits_with 0 mapstone convert evil -t json -o out/ >said 2>&1 && only_a out && rm -r out && says 'evil/.git is left out of the result: it is hidden' && says 'evil/NUL is left out of the result: it is a device on Windows' &&
     says 'evil/a:stream is left out' && says 'evil/git~1 is left out' && [ ! -e .bashrc ]"
test_that "nor is it drawn" \
    "exits_with 0 mapstone render --size 64 evil -o out/ >said 2>&1 && [ \"\$(find out -type f)\" = out/maps/a.png ] && rm -r out && says 'evil/.git is left out'"
if mapstone identify evil.tar >said 2>&1; then
    test_that "nor is it where an archive has it; levels that are missed are a failure" \
        "exits_with 5 mapstone convert -q evil.tar -t json -o out/ >said 2>&1 && only_a out && rm -r out && says 'evil.tar!.git is left out of the result: it is hidden'"
    test_that "a member is not written below a directory under such a name, but under one that is given" \
        "exits_with 5 mapstone convert 'evil.tar!.bashrc' -t json -o out/ && [ ! -e out ] && exits_with 0 mapstone convert 'evil.tar!.bashrc' -o b.json && rm b.json"
    test_that "an archive that is patched or compared is treated alike" \
        "exits_with 1 mapstone diff evil.tar bare -o p.mspatch && ! grep -q 'git\\|NUL\\|stream' p.mspatch && mapstone diff maps newer -o q.mspatch; exits_with 5 mapstone patch evil.tar q.mspatch -o out;
         printf '{\"mspatch\":1,\"files\":0}\n' >none.mspatch && exits_with 0 mapstone patch evil.tar none.mspatch -o out && [ \"\$(find out -type f)\" = out/maps/a.level ] && rm -r out"
    if [ -s leads.tar ]; then
        test_that "that names lead out of an archive is said" \
            "exits_with 0 mapstone convert leads.tar -t json -o out/in/ >said 2>&1 && [ \"\$(find out -type f)\" = out/in/a.json ] && rm -r out &&
             says 'warning: leads.tar: names that lead out of the archive, or have control characters, are changed: of 1 file, the first of which is read as a.level'"
    fi
else
    skip "archives of strangers" "the command reads no archives"
fi

# ---- files that a level names ----
mkdir -p mod/maps mod/materials/.git mod/materials/.dark
material='albedoMap = "materials/wall.dds"'
for name in materials/.envrc materials/.dark/x.material materials/.git/post-checkout.material materials/run.sh materials/NUL.material materials/good.material; do
    echo "$material" >"mod/$name" || exit 2
done
cat >mod/materials/good.material <<'END' || exit 2
albedoMap = "materials/wall.png"
normalMap = "materials/wall.dds"
END
# A texture of 8 x 8 pixels
{
    printf 'DDS \174\0\0\0\7\20\10\0\10\0\0\0\10\0\0\0\40\0\0\0\0\0\0\0\0\0\0\0' && head -c 44 /dev/zero &&
        printf '\40\0\0\0\4\0\0\0DXT1' && head -c 20 /dev/zero && printf '\0\20\0\0' && head -c 16 /dev/zero && head -c 32 /dev/zero
} >mod/materials/wall.dds
# names MATERIAL...: a level with these as its first materials
names() {
    cp a.level mod/maps/evil.level && n=0
    for name; do
        mapstone set -q -i mod/maps/evil.level "mesh.materials[$n]=$name" || return 1
        n=$((n + 1))
    done
}
gathered() {
    (cd "$1" && find . -type f | LC_ALL=C sort | tr '\n' ' ')
}
test_that "what a level names is gathered only if it ends as files of its kind, and is not hidden" \
    "names materials/.envrc materials/.dark/x.material materials/run.sh materials/good.material && exits_with 0 mapstone collect mod/maps/evil.level -o out >said 2>&1 &&
     [ \"\$(gathered out)\" = './maps/evil.level ./materials/good.material ./materials/wall.dds ' ] && rm -r out && says 'material materials/.envrc is not searched for: it is hidden' &&
     says 'material materials/.dark/x.material is not searched for: it is hidden' && says 'material materials/run.sh was not found'"
test_that "nor is it in .git, or a device" \
    "names materials/.git/post-checkout.material .git/hooks/post-checkout.material materials/NUL.material ../outside.material && exits_with 0 mapstone collect mod/maps/evil.level -o out >said 2>&1 &&
     [ \"\$(gathered out)\" = './maps/evil.level ' ] && rm -r out && says 'materials/NUL.material is not searched for: it is a device on Windows' && says '../outside.material is not searched for: it leads out of its folder'"
test_that "a level is not gathered under such a name" \
    "exits_with 5 mapstone collect - --as-path maps/.bashrc -o out <a.level >said 2>&1 && says '.bashrc cannot be gathered under that name: it is hidden' && [ ! -e out ] &&
     exits_with 5 mapstone collect - --as-path maps/run.sh -o out.zip <a.level >said 2>&1 && says 'levels end in .level' && [ ! -e out.zip ] &&
     exits_with 5 mapstone collect - --as-path NUL.level -o out <a.level && cp a.level .hidden.level && exits_with 5 mapstone collect .hidden.level -o out && [ ! -e out ]"
mkdir -p sectors/map/.git && mapstone convert -q "$samples/keep/7_10_10.json" -o sectors/map/7_10_10.DAT || exit 2
test_that "sectors of a level are not gathered from hidden folders" \
    "cp sectors/map/7_10_10.DAT sectors/map/.git/7_99_99.DAT && exits_with 0 mapstone collect --level 7 sectors/map -o out >said 2>&1 && [ \"\$(find out -name '7_*' | wc -l)\" -eq 1 ] && says 'sectors/map/.git is left out of the result: it is hidden' && rm -r out"
test_that "a zip has each name once" \
    "names materials/good.material && exits_with 0 mapstone collect mod/maps/evil.level -o out.zip >said 2>&1 && [ \"\$(grep -a -o 'materials/wall.dds' out.zip | wc -l)\" -eq 3 ] && says '3 files with' && rm out.zip"

# ---- terminals ----
odd=$(printf 'a\033[31m\302\233x\342\200\256y\nz.level')
if python3 -c 'import pty' 2>/dev/null && mkdir "d$odd" "e$odd" 2>/dev/null && cp a.level "$odd" 2>/dev/null; then
    cp a.level "d$odd/$odd" && cp b.level "e$odd/$odd" && cp a.level "d$odd/plain.level" && cp b.level "e$odd/plain.level" &&
        cp a.level "d$odd/$(printf 'r\342\200\256\342\201\246\330\234.level')" && cp a.level "e$odd/$(printf 'x\342\200\217.level')" && mapstone set -q -i "e$odd/plain.level" "mesh.materials[0]=$(printf 'materials/\302\233\342\200\256.material')" && tar -cf odd.tar "d$odd" || exit 2
    cat >on_a_terminal.py <<'END' || exit 2
"""Runs commands on a terminal, of which standard input has the words, each ended by NUL, and an empty one after each command; fails
if that is given a control character, or a line that begins within a name."""
import os, pty, re, subprocess, sys
for words in sys.stdin.buffer.read().split(b"\0\0")[:-1]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(words.split(b"\0"), stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        shown += more
    process.wait()
    os.close(ours)
    shown = shown.replace(b"\r\n", b"\n").replace(b"\r\x1b[K", b"")  # a line that tells how far it is
    bad = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]|(?m:^z\.level)", shown)
    if bad or process.returncode < 0:
        sys.exit("%r obeys %r" % (words, shown))
END
    # is_tame ARGUMENT...: has all_tame run the command, as each start of Python takes longer than ten of the command
    is_tame() {
        printf '%s\0' mapstone "$@" '' >>asked
    }
    all_tame() {
        python3 on_a_terminal.py <asked && rm asked
    }
    each_tame() {
        for command in identify 'identify --json' check 'check --json' info 'info --json' 'info --assets' roundtrip table 'table -C path,class'; do
            # shellcheck disable=SC2086
            is_tame $command "$1" || return 1
        done
    }
    test_that "no terminal obeys the name of a file" \
        "each_tame \"\$odd\" && is_tame tree \"\$odd\" 'layers[0]' && is_tame get \"\$odd\" layers && is_tame dump \"\$odd\" && is_tame where \"\$odd\" 0x40 && is_tame set \"\$odd\" 'layers[0].name=x' -o \"s\$odd\" &&
         is_tame edit \"\$odd\" -e 'remove objects[0]' -o \"s\$odd\" && is_tame fix \"\$odd\" -o \"f\$odd\" && is_tame convert \"\$odd\" -t json -o \"j\$odd\" && is_tame render --size 64 \"\$odd\" -o \"p\$odd.png\" &&
         is_tame merge \"\$odd\" \"e\$odd/\$odd\" \"\$odd\" -o \"m\$odd\" && is_tame collect \"\$odd\" -o \"c\$odd\" && is_tame diff \"\$odd\" \"e\$odd/\$odd\" && is_tame check \"no\$odd\" && all_tame"
    test_that "nor one in a directory" \
        "each_tame \"d\$odd\" && is_tame diff \"d\$odd\" \"e\$odd\" && is_tame diff --json \"d\$odd\" \"e\$odd\" && is_tame diff --patch \"d\$odd\" \"e\$odd\" && is_tame merge \"d\$odd\" \"e\$odd\" \"d\$odd\" -o \"m\$odd\" &&
         is_tame convert \"d\$odd\" -t json -o \"o\$odd/\" && is_tame render --size 64 \"d\$odd\" -o \"r\$odd/\" && is_tame render --sheet \"d\$odd\" -o sheet.png && is_tame get \"d\$odd\" layers && all_tame"
    test_that "nor one in an archive, a patch or a level" \
        "each_tame odd.tar && is_tame convert odd.tar -t json -o out/ && is_tame diff odd.tar \"e\$odd\" && { printf '{\"mspatch\":1,\"files\":1}\n' && part 'a\\\\u001b[31m\\\\u202e.level'; } >evil.mspatch && is_tame patch maps evil.mspatch -o out2 &&
         names \"\$(printf 'materials/\\033[31m\\342\\200\\256.material')\" && is_tame collect mod/maps/evil.level -o out3 && is_tame info --assets mod/maps/evil.level && is_tame tree mod/maps/evil.level mesh.materials && is_tame check mod/maps/evil.level && all_tame"
else
    skip "no terminal obeys a name" "there is no Python with a terminal, or no file can be called so"
fi
finish
