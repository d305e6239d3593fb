#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the changes in a repository's levels as Markdown: for each level the findings, the changes as text, and a picture of them.
# The GitHub Action (action.yml) runs this script; it also works elsewhere.
#
#   changes.sh [-o DIR] BASE [HEAD] [-- PATH...]      (in a git repository)
#
# Writes Markdown to stdout, pictures into DIR (default: mapstone-changes). HEAD is HEAD by default. BASE is a commit; its common
# ancestor with HEAD is compared with HEAD. Files next to a level belong to it, so both sides are checked out as whole trees.
# Exit code: 0, 1 if a changed level has errors, 2 if something fails.
set -eu
pictures=mapstone-changes
if [ "${1:-}" = -o ]; then pictures=$2; shift 2; fi
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 5,10p' "$0" >&2; exit 2; }
base=$1 head=HEAD
shift
if [ $# -gt 0 ] && [ "$1" != -- ]; then head=$1; shift; fi
[ $# -eq 0 ] || shift # --
base=$(git rev-parse --verify --end-of-options "$base^{commit}")
head=$(git rev-parse --verify --end-of-options "$head^{commit}")
base=$(git merge-base "$base" "$head" || echo "$base")
mkdir -p "$pictures"
pictures=$(cd "$pictures" && pwd)
trees=$(mktemp -d)
trap 'rm -rf "$trees"; git worktree prune' EXIT
git worktree add -q --detach "$trees/old" "$base"
git worktree add -q --detach "$trees/new" "$head"
# status and name of each changed file, one per line; names with line ends are skipped, since Markdown cannot show them
git diff --no-renames --name-status -z "$base" "$head" -- "$@" | tr '\n\0' '\1\n' | paste -d '\t' - - | grep -v "$(printf '\1')" >"$trees/list" || :
errors=0 number=0

# quoted TEXT: as a Markdown code span, for any text
quoted() { printf '`` %s ``' "$1" | tr -d '\r'; }

# is_level FILE: also true for damaged levels (4)
is_level() {
    [ -f "$1" ] && [ ! -L "$1" ] || return 1
    is=0
    mapstone identify -- "$1" >/dev/null 2>&1 || is=$?
    [ $is -eq 0 ] || [ $is -eq 4 ]
}

# block TEXT-FILE LINES: as a code block that the text cannot end; further lines are counted
block() {
    printf '~~~~~~~~~~~~text\n'
    head -n "$2" "$1" | sed 's/^~/ ~/'
    rest=$(($(wc -l <"$1") - $2))
    [ "$rest" -le 0 ] || echo "... and $rest more lines"
    printf '~~~~~~~~~~~~\n\n'
}

echo "# Levels"
echo
while IFS=$(printf '\t') read -r status name; do
    new=$trees/new/$name old=$trees/old/$name
    [ "$status" = D ] && seen=$old || seen=$new
    is_level "$seen" || continue
    number=$((number + 1))
    printf '## %s\n\n' "$(quoted "$name")"
    case $status in
    D) printf 'Removed.\n\n'; continue ;;
    A)
        printf 'New.\n\n'
        if mapstone render -q -o "$pictures/$number.png" -- "$new" 2>/dev/null; then printf 'Picture: %s.png\n\n' "$number"; fi
        ;;
    *)
        code=0
        mapstone diff -- "$old" "$new" >"$trees/text" 2>"$trees/said" || code=$?
        if [ $code -le 1 ]; then
            sed "s|^$trees/||" "$trees/text" >"$trees/shown"
            block "$trees/shown" 200
            if mapstone diff -q --png "$pictures/$number.png" -- "$old" "$new" >/dev/null 2>&1 || [ -s "$pictures/$number.png" ]; then
                printf 'Picture: %s.png\n\n' "$number"
            fi
        else
            printf 'The two cannot be compared:\n\n'
            sed "s|$trees/||g" "$trees/said" >"$trees/shown"
            block "$trees/shown" 20
        fi
        ;;
    esac
    code=0
    mapstone check -q -- "$new" >"$trees/text" 2>&1 || code=$?
    if [ -s "$trees/text" ]; then
        echo 'Findings:'
        echo
        sed "s|$trees/new/||g" "$trees/text" >"$trees/shown"
        block "$trees/shown" 50
    fi
    [ $code -eq 0 ] || errors=$((errors + 1))
done <"$trees/list"
[ $number -gt 0 ] || echo "No level changed."
if [ $errors -gt 0 ]; then
    [ $errors -eq 1 ] && echo "1 level has errors." || echo "$errors levels have errors."
    exit 1
fi
