#!/bin/sh
# SPDX-License-Identifier: MIT
# Keeps replaced words from returning: prints the lines that have one, and fails. Searches for words of the glossary in
# docs/GLOSSARY.md everywhere; for phrases that are not plain English in the places below, whose texts users read.
set -eu
words='finder|mend(s|ed|ing)?|seldom|anew|in front of|told|unfold(s|ed|ing)?|MST_NEVER|at the (least|most)|(?<!there )is no (list|number|record|file|text|level)|behind (a|the) (bytes?|end|fields?|length|list|number|root|value)'
phrases='[Nn]obody|[Ss]omebody|[Aa]nybody|beside|that of|those of|known by|says|stands?|comes|came|goes|(?<!\.)gone|lets|turn(s|ed)? round|any more|all the same|one after the other|carr(y|ied) out|go with|by itself|as it is(?! not)|(?<!not )at all(?=[.,;:)"])|there is no (memory|such)|what (it|they) (is|are|was|were)'
# in comments, where some of the phrases are also names, or plain
comments='[Nn]obody|[Ss]omebody|[Aa]nybody|says|lets|turn(s|ed)? round|all the same|one after the other|carr(y|ied) out|[Ww]hat (it|they) (is|are|was|were)|[Ww]hat (comes|stands|goes)'
room_strings='src cli'   # string literals of C: help, messages, the tables' texts
room_pages='README.md docs/*.md docs/games docs/formats web/README.md python/README.md site/README.md'
apart=':!docs/measurements :!CHANGELOG.md' # what was measured, and what was changed, keep their words

# In a string, after an even number of quotes; not in a comment.
inside='^(?!\s*(/\*|\*|//|#))[^"]*(?:"[^"]*"[^"]*)*"[^"]*'
# shellcheck disable=SC2086 # lists of words
lines=$(
    git grep -nwP "$words" -- src cli include bench examples docs '*.md' Makefile .ci $apart || :
    git grep -nP "$inside\b($phrases)\b[^\"]*\"" -- $room_strings ':!cli/pictures/tiles_page.c' || :
    git grep -nP "\b($phrases)\b" -- $room_pages $apart || :
    git grep -nP "(/\*(?:(?!\*/).)*|^\s*\*.*)\b($comments)\b" -- src cli include bench examples ':!*.inc' || :
)
[ -z "$lines" ] || {
    echo "$lines"
    echo "these words have been replaced: see docs/GLOSSARY.md; write plain technical English" >&2
    exit 1
}
