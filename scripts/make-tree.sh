#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a game's files:  make-tree.sh MAPSTONE FROM TO
# Each JSON file has the name of the file that it becomes, and .json; other files are what they become.
set -eu
find "$2" -type f | sort | while IFS= read -r part; do
    file=$3/${part#"$2"/}
    mkdir -p "$(dirname "$file")"
    case $part in
    *.json) "$1" convert -q "$part" -o "${file%.json}" ;;
    *) cp "$part" "$file" ;;
    esac
done
