#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Renews the pictures in docs/images, which docs/gallery.md and README.md show: makes the sample levels in a new
# folder, runs the commands of docs/gallery.md there, and copies each picture on the page to FOLDER.
#   scripts/gallery.sh [path/to/mapstone [FOLDER]]      (build/mapstone, docs/images)
set -eu
top=$(realpath "$(dirname "$0")/..")
mapstone=$(realpath "${1:-$top/build/mapstone}")
target=$(realpath "${2:-$top/docs/images}")
page=$top/docs/gallery.md
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/bin" "$room/levels"
ln -s "$mapstone" "$room/bin/mapstone"
export PATH="$room/bin:$PATH" XDG_CONFIG_HOME=$room/settings
cd "$room/levels"
"$top/scripts/samples.sh" "$mapstone"
while IFS= read -r line; do
    bash -c "${line:2}" >/dev/null || { echo "gallery.sh: failed: ${line:2}" >&2; exit 1; }
done < <(grep '^\$ ' "$page")
for shown in $(sed -n 's/^!\[.*\](images\/\(.*\))$/\1/p' "$page"); do
    [[ -s $shown ]] || { echo "gallery.sh: no command of docs/gallery.md makes $shown" >&2; exit 1; }
    cp "$shown" "$target/$shown"
done
