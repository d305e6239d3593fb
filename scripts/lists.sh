#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Generates the tables of docs/lists.md from `mapstone spec`: all lists that can be edited, and the effects of edits.
#   scripts/lists.sh path/to/mapstone [--write]      without --write: fails if the page differs
set -eu
mapstone=$1
page=$(dirname "$0")/../docs/lists.md
made=$(mktemp)
trap 'rm -f "$made"' EXIT
begin='<!-- lists: scripts/lists.sh writes them -->'
end='<!-- end of lists -->'

tables() {
    local id rows
    for id in $("$mapstone" spec --json | cut -d '"' -f 4); do
        rows=$("$mapstone" spec "$id" | sed -n '/^## Lists/,/^## /p' | grep '^|' || true)
        [[ -z $rows ]] || printf '## `%s`\n\n%s\n\n' "$id" "$rows"
    done
}

{
    sed "\|^$begin\$|q" "$page"
    echo
    tables
    sed -n "\|^$end\$|,\$p" "$page"
} >"$made"
if [[ ${2:-} == --write ]]; then
    cat "$made" >"$page"
else
    diff "$page" "$made" >&2 || {
        echo "docs/lists.md: the tables are not those of the formats: scripts/lists.sh $mapstone --write" >&2
        exit 1
    }
fi
