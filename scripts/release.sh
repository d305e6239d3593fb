#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists the parts of a release: the notes from CHANGELOG.md, and each file of out/dist with its size and checksum. Publishes nothing.
#   scripts/release.sh      (in the top directory, after `make dist`)
set -eu
version=$(scripts/version.sh)
[ -s out/dist/SHA256SUMS ] || { echo "release.sh: make dist first" >&2; exit 1; }
(cd out/dist && sha256sum --quiet -c SHA256SUMS)
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "release.sh: there are changes that are not committed" >&2; exit 1; }
notes=$(awk -v version="$version" '/^## / { on = $2 == version; next } on' CHANGELOG.md)
[ -n "$notes" ] || { echo "release.sh: CHANGELOG.md has no section '## $version'" >&2; exit 1; }
printf '# mapstone %s\n\n%s\n\n## Files\n\n| file | for | bytes |\n|---|---|---|\n' "$version" "$(printf '%s' "$notes" | sed '/./,$!d')"
for file in out/dist/*; do
    name=$(basename "$file")
    case $name in
    *-linux-x64.tar.gz) for='Linux on x86-64: one file, no installation' ;;
    *-windows-x64.zip) for='Windows 10 and later' ;;
    libmapstone-dev_*.deb) for='Debian 12: headers, for programs in C' ;;
    libmapstone0_*.deb) for='Debian 12: the library' ;;
    mapstone_*.deb) for='Debian 12: the command, and the page' ;;
    *-npm.tgz) for='Node and browsers' ;;
    *.whl) for='Python' ;;
    *-page.html) for='any browser: the page as one file' ;;
    *-site.tar.gz) for='the documentation as a site' ;;
    *.tar.gz) for='the sources' ;;
    SHA256SUMS) for='the checksums of these files' ;;
    *) echo "release.sh: what is $name for?" >&2; exit 1 ;;
    esac
    printf '| %s | %s | %s |\n' "$name" "$for" "$(stat -c %s "$file")"
done
printf '\nTag: v%s, of commit %s\n' "$version" "$(git rev-parse HEAD)"
