#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs the build for Windows, with the page, the documentation and the samples, which must exist:
# scripts/windows-zip.sh BUILD PARTS COMMAND (in the top directory; COMMAND runs here)
# The same files give the same bytes: names are sorted, and times are the last commit's.
set -eu
umask 022
build=$1
parts=$2
command=$(realpath "$3")
version=$(scripts/version.sh)
name=mapstone-$version-windows-x64
time=$(git log -1 --format=%ct 2>/dev/null || echo 1600000000)
rm -rf "$build/zip" "$build/$name.zip"
mkdir -p "$build/zip/$name/licences" "$build/zip/$name/include" "$build/zip/$name/lib"
to=$build/zip/$name
cp "$build/mapstone.exe" "$build/mapstone.dll" "$to"
cp "$build/libmapstone.dll.a" "$to/lib"
cp -R include/mapstone "$to/include"
# files for finding the library: pkg-config, CMake, and MSVC's lib, which makes its import library from the names
mkdir -p "$to/lib/pkgconfig" "$to/lib/cmake/mapstone" "$to/completions"
sed "s/@VERSION@/$version/" packaging/windows/mapstone.pc.in >"$to/lib/pkgconfig/mapstone.pc"
cp packaging/windows/mapstone-config.cmake "$build/mapstone-config-version.cmake" "$to/lib/cmake/mapstone"
{
    printf 'LIBRARY mapstone.dll\r\nEXPORTS\r\n'
    x86_64-w64-mingw32-objdump -p "$build/mapstone.dll" | sed -n 's/^.*\] *+base\[.*\] *[0-9a-f]* \(mst_[a-z0-9_]*\)$/    \1\r/p; s/^\t\[ *[0-9]*\] \(mst_[a-z0-9_]*\)$/    \1\r/p' | LC_ALL=C sort -u
} >"$to/lib/mapstone.def"
grep -q mst_open_file "$to/lib/mapstone.def"
for shell in powershell bash; do "$command" help --completion $shell >"$to/completions/mapstone.$shell"; done
mv "$to/completions/mapstone.powershell" "$to/completions/mapstone.ps1"
cp LICENSE "$to/LICENSE.txt"
for licence in "$parts"/licences/*; do cp "$licence" "$to/licences/$(basename "$licence").txt"; done
sed 's/$/\r/' packaging/windows/README.txt >"$to/README.txt"
scripts/page.sh "$to/page"
cp -R out/site "$to/docs"
rm -rf "$to/docs/view"
# the manual's pictures with 256 colours: a third of their size, and no difference that the eye sees
find "$to/docs/files" -name '*.png' -size +60k | LC_ALL=C sort | while IFS= read -r picture; do
    pngquant --force --strip --skip-if-larger --quality 60-95 --ext .png "$picture" || [ $? -ge 98 ] # 98, 99: it stays as it was
done
mkdir "$to/samples"
(cd "$to/samples" && ../../../../../scripts/samples.sh "$command") >/dev/null
x86_64-w64-mingw32-strip -p "$to/mapstone.exe" "$to/mapstone.dll"
find "$build/zip" -type f -exec chmod 644 {} +
find "$build/zip" -exec touch --no-dereference --date="@$time" {} +
(cd "$build/zip" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "../$name.zip" -@)
rm -rf "$build/zip"
echo "$build/$name.zip: $(stat -c %s "$build/$name.zip") bytes"
