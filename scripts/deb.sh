#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes Debian packages in out/deb from the files that git tracks and the page in web/dist, and lints them (in the top directory).
set -eu
version=$(scripts/version.sh)
time=$(git log -1 --format=%ct)
source=out/deb/mapstone-$version
rm -rf out/deb
mkdir -p "$source"
git ls-files -z | xargs -0 cp -P --parents -t "$source"
mv "$source/packaging/debian" "$source/debian"
scripts/page.sh "$source/page"
maintainer=$(sed -n 's/^Maintainer: //p' "$source/debian/control")
printf 'mapstone (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -u -R -d "@$time")" >"$source/debian/changelog"
(cd "$source" && DEB_BUILD_OPTIONS="nocheck parallel=2 noautodbgsym" SOURCE_DATE_EPOCH=$time \
    dpkg-buildpackage -us -uc -b -tc >../build.log 2>&1) || { tail -n 40 out/deb/build.log >&2; exit 1; }
lintian --allow-root --tag-display-limit 0 --fail-on error out/deb/*.changes
(cd out/deb && sha256sum ./*.deb)
