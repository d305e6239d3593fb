#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the levels that are about to be committed, and refuses those with errors. As a hook of pre-commit (.pre-commit-hooks.yaml) it
# receives names; as .git/hooks/pre-commit it gets them from git. Other files are ignored.
set -u
command -v mapstone >/dev/null || { echo "pre-commit: mapstone is not installed" >&2; exit 1; }
failed=0
# checked NAME: in the working tree, next to the files that it belongs to
checked() {
    [ -f "$1" ] && [ ! -L "$1" ] || return 0
    mapstone identify -- "$1" >/dev/null 2>&1
    is=$?
    [ $is -eq 0 ] || [ $is -eq 4 ] || return 0 # 4: it is damaged
    mapstone check -q -- "$1" || failed=1
}
if [ $# -gt 0 ]; then
    for name in "$@"; do checked "$name"; done
else
    list=$(mktemp)
    trap 'rm -f "$list"' EXIT
    git -c core.quotePath=off diff --cached --name-only --diff-filter=ACMR >"$list"
    while IFS= read -r name; do checked "$name" </dev/null; done <"$list"
fi
exit $failed
