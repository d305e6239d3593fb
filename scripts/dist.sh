#!/bin/sh
# SPDX-License-Identifier: MIT
# Gathers the release in out/dist, with checksums: the sources that git tracks, and files built earlier (by `make dist`).
# The same commit gives the same bytes, whoever builds it, wherever and whenever.     (in the top directory)
set -eu
umask 022
version=$(scripts/version.sh)
time=$(git log -1 --format=%ct)
name=mapstone-$version
rm -rf out/dist out/dist.commit
mkdir -p out/dist/parts

# pack TARGET DIRECTORY PREFIX LIST: the listed files of the directory as TARGET.tar.gz
pack() {
    LC_ALL=C sort -z "$4" | tar -C "$2" -cf "out/dist/$1.tar" --no-recursion --transform "s,^\(\./\)\?,$3/,S" --mtime="@$time" --owner=0 --group=0 \
        --numeric-owner --format=ustar --mode='u+rwX,go=rX' --null --files-from=-
    gzip -n -9 "out/dist/$1.tar"
}

git ls-files -z >out/dist/list
pack "$name" . "$name" out/dist/list

# Linux: one file without dependencies on the system
linux=out/dist/parts/linux
mkdir -p "$linux/licences"
cp out/musl/mapstone-linux-x64 "$linux/mapstone"
cp LICENSE README.md "$linux"
cp out/musl-parts/licences/* "$linux/licences"
(cd "$linux" && find . -type f -print0) >out/dist/list
pack "$name-linux-x64" "$linux" "$name-linux-x64" out/dist/list

(cd out/site && find . -type f -print0) >out/dist/list
pack "$name-site" out/site "$name-site" out/dist/list

cp out/windows/"$name"-windows-x64.zip out/deb/*.deb out/dist
cp out/web/"$name".tgz out/dist/"$name"-npm.tgz
cp out/web/mapstone.html out/dist/"$name"-page.html

# Python: a wheel for each platform, the library inside
# wheel PLATFORM LIBRARY LICENCES
wheel() {
    (cd python/backend && MAPSTONE_PLATFORM=$1 MAPSTONE_LIBRARY=../../$2 MAPSTONE_LICENCES=../../$3 \
        python3 -B -c 'import mapstone_build; mapstone_build.build_wheel("../../out/dist")')
}
strip -o out/dist/parts/libmapstone.so.0 out/wheel/libmapstone.so.0
x86_64-w64-mingw32-strip -p -o out/dist/parts/mapstone.dll out/windows/mapstone.dll
wheel manylinux_2_36_x86_64 out/dist/parts/libmapstone.so.0 out/linux-parts/licences
wheel win_amd64 out/dist/parts/mapstone.dll out/windows-parts/licences

# Blender: the add-on, with the libraries for both systems
python3 -B scripts/blender_zip.py "out/dist/$name-blender.zip" out/dist/parts/libmapstone.so.0 out/dist/parts/mapstone.dll \
    out/linux-parts/licences out/windows-parts/licences

rm -r out/dist/parts out/dist/list
(cd out/dist && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
[ -n "$(git status --porcelain --untracked-files=no)" ] || git rev-parse HEAD >out/dist.commit
