#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Verifies that README.md and the pages in docs/ show the command's output: runs every "$ command" of their console
# blocks, in order, for each page in a fresh folder with the sample levels, and compares the output. Commands that use
# jq are skipped if it is missing.
#   tests/readme.sh path/to/mapstone
set -u
mapstone=$(realpath "${1:-build/mapstone}")
top=$(realpath "$(dirname "$0")/..")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/bin"
ln -s "$mapstone" "$room/bin/mapstone"
export PATH="$room/bin:$PATH" NO_COLOR=1 XDG_CONFIG_HOME=$room/settings XDG_STATE_HOME=$room/state
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_PAGER=cat

count=0
failed=0
command=
expected=
finish() {
    [[ -n $command ]] || return 0
    count=$((count + 1))
    if [[ $command == *'| jq '* ]] && ! command -v jq >/dev/null; then
        echo "ok $count - $command # SKIP there is no jq"
        command=
        expected=
        return 0
    fi
    local found
    found=$(bash -c "$command" 2>&1)
    if [[ $found == "${expected%$'\n'}" ]]; then
        echo "ok $count - $command"
    else
        failed=$((failed + 1))
        echo "not ok $count - $command"
        diff <(printf '%s\n' "${expected%$'\n'}") <(printf '%s\n' "$found") | sed 's/^/#   /'
    fi
    command=
    expected=
}
run_page() {
    local inside=0 line
    while IFS= read -r line; do
        case $line in
        '```console') inside=1 ;;
        '```')
            finish
            inside=0
            ;;
        *)
            [[ $inside == 1 ]] || continue
            if [[ $line == '$ '* ]]; then
                finish
                command=${line:2}
            else
                expected+=$line$'\n'
            fi
            ;;
        esac
    done <"$1"
}
mkdir "$room/samples" || exit 1
(cd "$room/samples" && "$top/scripts/samples.sh" "$mapstone") || exit 1
cd "$top" || exit 1
for page in README.md docs/games/*.md docs/*.md; do
    [[ $page != docs/git.md ]] || command -v git >/dev/null || continue
    mkdir -p "$room/${page%.md}"
    cd "$room/${page%.md}" || exit 1
    cp -r "$room/samples/." . || exit 1
    run_page "$top/$page"
done
echo "1..$count"
[[ $failed == 0 && $count -gt 0 ]]
