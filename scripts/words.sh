#!/bin/sh
# SPDX-License-Identifier: MIT
# Words that the glossary in docs/ARCHITECTURE.md has replaced do not return: prints the lines that hold one, and fails.
set -eu
words='finder|seldom|anew|in front of|told|unfold(s|ed|ing)?|MST_NEVER|at the (least|most)|(?<!there )is no (list|number|record|file|text|level)|behind (a|the) (bytes?|end|fields?|length|list|number|root|value)'
lines=$(git grep -nwP "$words" -- src cli include bench examples docs '*.md' Makefile .ci \
    ':!docs/measurements' ':!CHANGELOG.md' || :)
[ -z "$lines" ] || { echo "$lines"; echo "these words have been replaced, see docs/ARCHITECTURE.md, Glossary" >&2; exit 1; }
