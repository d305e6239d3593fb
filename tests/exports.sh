#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports exactly the functions that the public headers mark with MST_API. usage:
# exports.sh NM LIBRARY      (in the top directory)
set -eu
nm=$1
library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $library in
*.dll) "${nm%nm}objdump" -p "$library" | awk '/Name Pointer. Table/ { on = 1; next } on && /^\t\[ *[0-9]+\] / { print $NF }' ;;
*)
    # Each has the version of the interface, which is also a symbol ("A").
    version=MAPSTONE_$(sed -n 's/#define MST_VERSION  *"\([0-9]*\.[0-9]*\).*/\1/p' include/mapstone/base.h)
    "$nm" -D --defined-only "$library" | awk '$2 != "A" { print $NF }' >"$work/all"
    if grep -q '@' "$work/all" && grep -v "@@$version\$" "$work/all"; then
        echo "exported symbols have the version $version"
        exit 1
    fi
    sed 's/@.*//' "$work/all"
    ;;
esac | grep -v '^_*gcov\|^__' | LC_ALL=C sort -u >"$work/exported"
# Each declaration on a line of its own; its name is directly before the first parenthesis.
for header in include/mapstone/*.h; do
    grep -v '^#' "$header" | tr '\n' ' ' | grep -o 'MST_API [^;{]*' || true
done | sed 's/(.*//; s/.*[^A-Za-z0-9_]\([A-Za-z0-9_]\{1,\}\) *$/\1/' | LC_ALL=C sort -u >"$work/declared"

[ -s "$work/declared" ] || { echo "exports.sh: found no declaration"; exit 1; }
failed=0
for name in $(LC_ALL=C comm -23 "$work/exported" "$work/declared"); do
    echo "exported, but not declared with MST_API: $name"
    failed=1
done
for name in $(LC_ALL=C comm -13 "$work/exported" "$work/declared"); do
    echo "declared with MST_API, but not exported: $name"
    failed=1
done
if grep -v '^mst_' "$work/exported"; then
    echo "exported names must begin with mst_"
    failed=1
fi
exit $failed
