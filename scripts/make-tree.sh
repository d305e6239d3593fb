#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a game's files:  make-tree.sh MAPSTONE FROM TO
# Each JSON file has the name of its result, followed by .json; other files are copied. Runs the command once per format:
# a run per file took ten times as long.
set -eu
mkdir -p "$3"
tar -C "$2" --exclude '*.json' -cf - . | tar -C "$3" -xof -
formats=$(find "$2" -name '*.json' -exec grep -hom 1 '"$format": *"[a-z0-9-]*"' {} + | sed 's/.*"\([^"]*\)"$/\1/' | sort -u)
for format in $formats; do
    # the command reports each file of other formats
    words=$("$1" convert -q "$2" -t "$format" -o "$3/" 2>&1) || { printf '%s\n' "$words" >&2 && exit 1; }
done
