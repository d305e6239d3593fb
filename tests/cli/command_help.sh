#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: help, usage, and the printed descriptions of formats. tests/cli/command_help.sh
# path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# ---- usage -----------------------------------------------------------------------------------------
test_that "no command is wrong usage" 'exits 2' 'complains usage' '[ ! -s out ]'
test_that "an unknown command suggests the nearest" 'exits 2 chekc' 'complains "did you mean .check"'
test_that "an unknown option suggests the nearest" 'exits 2 check --strct a.level' 'complains "did you mean --strict"'
test_that "an empty text is not a file" 'for one in convert render dump; do exits 2 $one a.level -o "" || return 1;
    complains "^error: --output: an empty text is not a file" || return 1; done' 'exits 2 set a.level version=9 --output=' 'complains "is not a file"' \
    'exits 2 check --schema "" a.level' 'exits 2 check --search-path "" a.level' 'complains "is not a directory"' 'exits 2 convert a.level ""' 'exits 2 check ""'
test_that "an option without its value" 'exits 2 tree a.level --depth' 'complains "needs a value"'
test_that "a value that is none of the words" 'exits 2 check --color=purple a.level'
test_that "a number that is none" 'exits 2 tree --depth x a.level'
test_that "commands without files" 'exits 2 check' 'exits 2 info' 'exits 2 identify' 'exits 2 table' \
    'exits 2 convert' 'exits 2 render' 'exits 2 roundtrip' 'exits 2 tree' 'exits 2 get' 'exits 2 set' 'exits 2 dump'
test_that "a path or value that is missing" 'exits 2 get a.level' 'exits 2 set a.level' 'exits 2 set -i a.level version'
test_that "an unknown format" 'exits 2 info -f gif a.level' 'complains "ns2-level"' 'exits 2 spec gif'
test_that "--version" 'exits 0 --version' 'says "^mapstone [0-9]+\.[0-9]+\.[0-9]+$"'
test_that "-- ends the options" 'cp a.level ./-a.level' 'exits 0 info -- -a.level'

for one in "check --strict --write-baseline x.txt" "check --baseline x.txt --write-baseline y.txt" "get --json --raw" \
    "info --maps --triggers" "roundtrip -q --json" "render -o x.png --view above --oblique" "render -o x.png --yaw 3" \
    "render -o x.png --links --no-links" "render -o x.png --links --no-entities" "render -o x.png --oblique --cut 2" "render -o x.png --view dimetric --tags" "convert -o x.glb --compact" "convert -o x.json --lights 3" \
    "convert -o x.glb --embed" "convert -o x.json --map x" "convert -o x.json --hide light" "render -o x.png --only x --no-entities" \
    "render -o x.png --view game --hide x" "render -o x.png --sheet --only x" "render -o x.png --marks m --no-entities"; do
    test_that "an option without effect: $one" "exits 2 $one a.level" 'complains "has no effect with"' '[ ! -e x.png ]' '[ ! -e x.glb ]'
done

test_that "options without effect on a list" 'exits 2 check --codes ns2-level --strict' 'exits 2 spec --json ns2-level' 'exits 2 help --man --completion bash' \
    'exits 0 check --help --all --json' 'exits 0 check --codes ns2-level --json'

# ---- help ------------------------------------------------------------------------------------------
test_that "help lists commands and exit codes" 'exits 0 help' 'says "^  roundtrip "' 'says "^  5  refused"'
test_that "--help is help" 'exits 0 --help' 'says "^Commands"'
narrow() { # at most 80 columns; but where shells join no lines (Windows), examples are not divided
    if [ -n "${MAPSTONE_SKIPPED:-}" ]; then sed '/^  mapstone /d' out; else cat out; fi >lines
    ! grep -E "^.{81}" lines
}
for command in identify info tree get set edit diff check dump convert table render roundtrip spec help version; do
    test_that "help $command" "exits 0 help $command" "says '^usage: mapstone $command'" 'says "^  common .*help options"' 'says "-h --help"' \
        narrow "exits 0 $command --help" "says '^usage: mapstone $command'"
done
test_that "help fits a terminal of 80 columns" 'exits 0 help' '! grep -E "^.{81}" out' 'exits 0 help options' '! grep -E "^.{81}" out' \
    'exits 0 help formats' '! grep -E "^.{81}" out'
test_that "common options are explained in one place" 'exits 0 help options' '[ "$(grep -c -e "--jobs=N" out)" -eq 1 ]' 'says "^  -h, --help"' \
    'exits 0 help check' '! grep -q -e "--jobs=N" out' 'exits 0 help --man' '[ "$(grep -c "jobs.*=.fIN" out)" -eq 1 ]'
test_that "formats are listed by game, aligned" 'exits 0 help formats' 'cp out formats.txt' 'exits 0 spec' 'cmp out formats.txt' \
    'awk "/^ns2-level/{a = NR} /^ns2-clip/{exit NR != a + 2 && NR != a + 1}" out' '[ "$(awk "/^[a-z]/ && /Star|Alien/ {print match(\$0, /Star|Alien/)}" out | sort -u | wc -l)" -eq 1 ]' \
    'exits 0 spec --json' '[ "$(wc -l <out)" -gt 20 ]'
# A topic shows a page of docs/, whose commands tests/readme.sh runs: each of its lines of commands and output.
docs=$(cd "$here/../../docs" && pwd)
for topic in paths selectors editing; do
    test_that "help $topic shows docs/$topic.md" "exits 0 help $topic" \
        "sed -n '/^<!-- mapstone help/q; /^\`\`\`console/,/^\`\`\`\$/p' '$docs/$topic.md' | grep -v '^\`\`\`' | sed 's/^/  /' >lines" \
        '[ "$(grep -c "^  . mapstone" lines)" -gt 5 ]' 'grep -xFf lines out >shown; cmp lines shown' \
        'sed -n "s/^## //p" '"'$docs/$topic.md'"' | head -n 3 >titles && grep -xFf titles out | cmp - titles' '! grep -q "](" out'
done
test_that "version" 'exits 0 version' 'cp out version.txt' 'exits 0 --version' 'cmp out version.txt' 'exits 0 -V' 'cmp out version.txt' 'exits 2 version x'
test_that "each command has a manual page" 'exits 0 help --man git-setup' 'says "^\.TH MAPSTONE..GIT..SETUP 1"' 'says "^mapstone..git..setup .- set up git to compare"' \
    'exits 0 help --man convert' 'says "B mapstone convert"' '! grep -q "B mapstone dump" out' '[ "$(grep -c "^\.SH" out)" -eq 7 ]'
test_that "the manual page has every command" 'exits 0 help --man' 'says "^\.TH MAPSTONE 1"' \
    'says "^\.BR mapstone..roundtrip .1."' 'says "^\.SH COMMON OPTIONS"' 'says "^\.SH EXIT STATUS"' 'says "^\.SH EXAMPLES"'
test_that "completions" 'exits 0 help --completion bash' 'says "^complete .*_mapstone mapstone"' \
    'exits 0 help --completion zsh' 'says "^#compdef mapstone"' 'exits 0 help --completion fish' 'says "complete -c mapstone"'
if command -v groff >/dev/null; then
    test_that "groff has no complaint" 'exits 0 help --man' 'groff -man -Tutf8 -ww out 2>groff.err >/dev/null' '[ ! -s groff.err ]' \
        'exits 0 help --man git-setup' 'groff -man -Tutf8 -ww out 2>groff.err >/dev/null' '[ ! -s groff.err ]'
fi

# ---- spec ------------------------------------------------------------------------------------------
test_that "spec lists the formats" 'exits 0 spec' 'says "^ns2-level "'
test_that "spec describes the parameters of one type" 'exits 0 spec sfa-romlist LargeCrate' 'says "respawn_minutes"' \
    'says "respawn_minutes.*i16 \| 28 \| min \|.* Values: 0 to "' \
    'exits 3 spec sfa-romlist LargeCrates' 'complains "did you mean .LargeCrate.?"' \
    'exits 3 spec ns2-level LargeCrate' 'complains "takes no name"' 'exits 2 spec a b c'
test_that "spec is the schema of JSON" 'exits 0 spec --as json-schema ns2-level' 'says "json-schema.org"' \
    'exits 2 spec --as json-schema' 'exits 2 spec --as json-schema sfa-romlist LargeCrate' 'exits 2 spec --as prose ns2-level'
test_that "spec is a page" 'exits 0 spec --as html ns2-level' 'says "<h2 id=.mesh.>mesh</h2>"' 'says "<a href=.#mesh.>mesh</a>"' \
    'exits 2 spec --as html' 'exits 2 spec --as html sfa-romlist LargeCrate'
test_that "spec is patterns for a hex editor" 'exits 0 spec --as hexpat ns2-level' 'says "^// Not tested"' 'says "^struct mesh_record<"' \
    'exits 2 spec --as hexpat'
test_that "spec is the marks of files" 'exits 0 spec --as magic' 'says "LVL.*Natural Selection 2 level"' \
    'exits 0 spec --as magic ns2-level' '[ "$(wc -l <out)" = 1 ]' 'exits 2 spec --as magic turok-map' 'complains "have no magic number"'
test_that "completions know the types of objects" 'exits 0 help --completion bash' 'says "spec:sfa-romlist)"' 'says " LargeCrate "' \
    'exits 0 help --completion zsh' 'says " LargeCrate "' 'exits 0 help --completion fish' 'says " LargeCrate "'
test_that "spec is the reference in docs/formats" 'exits 0 spec ns2-level' 'cmp out "$here/../../docs/formats/ns2-level.md"'

test_that "PowerShell's completion has each word once in a table, as it compares without case" 'exits 0 help --completion powershell' \
    'says "^Register-ArgumentCompleter -Native -CommandName mapstone"' 'says "spec sfa-romlist. = .*LargeCrate"' 'says "check --color. = .auto always never.$"' \
    'says "check --baseline. = .\*.$"' '[ "$(grep -c "^        .check.* = " out)" -gt 10 ]' \
    '! awk -F"\047" "/@\{/ {table++} /^        \047/ {print table, tolower(\$2)}" out | sort | uniq -d | grep .' \
    '! awk -F"\047" "/^        \047/ && NF != 5 && !/\047\047/" out | grep .'
test_that "help is asked for by -? and, where an option may be, -h" 'exits 0 help check' 'cp out check.txt' 'exits 0 check "-?"' 'cmp out check.txt' \
    'exits 0 check a.level "-?" --strict' 'cmp out check.txt' 'exits 0 help' 'cp out help.txt' 'exits 0 "-?"' 'cmp out help.txt' 'exits 0 "/?"' 'cmp out help.txt' \
    'exits 2 check -- "-?"' 'exits 2 convert a.level -o "-?" --color' '[ ! -e "-?" ]'
finish
