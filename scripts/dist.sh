#!/bin/sh
# SPDX-License-Identifier: MIT
# Gathers what is released in out/dist: the sources that git has, the packages that were built before (make windows deb),
# and their checksums. The same commit gives the same bytes.     (in the top directory)
set -eu
version=$(sed -n 's/#define MST_VERSION  *"\(.*\)"/\1/p' include/mapstone/base.h)
time=$(git log -1 --format=%ct)
rm -rf out/dist
mkdir -p out/dist
tarball=out/dist/mapstone-$version.tar
git ls-files -z | LC_ALL=C sort -z >out/dist/files
tar -cf "$tarball" --no-recursion --transform "s,^,mapstone-$version/,S" --mtime="@$time" --owner=0 --group=0 --numeric-owner \
    --format=ustar --mode='u+rwX,go=rX' --null --files-from=out/dist/files
gzip -n -9 "$tarball"
rm out/dist/files
for file in out/windows/mapstone-"$version"-*.zip out/deb/*.deb; do
    [ ! -f "$file" ] || cp "$file" out/dist
done
(cd out/dist && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
