#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the release again, in a clone in another directory, as a user with another umask, time zone and language, and fails if
# a file differs from the one in out/dist, which is built first unless it is from this commit (as root, in the top directory).
set -eu
top=$(pwd)
work=$(mktemp -d)
mkdir -p out
user=mapstone-builder
trap 'rm -rf "$work"; userdel "$user" 2>/dev/null || :' EXIT
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "dist-again.sh: commit the changes first: a clone does not have them" >&2; exit 1; }
[ "$(cat out/dist.commit 2>/dev/null || :)" = "$(git rev-parse HEAD)" ] || make dist >out/dist-first.log 2>&1 || { tail -n 40 out/dist-first.log >&2; exit 1; }
chmod 755 "$work"
id "$user" >/dev/null 2>&1 || useradd --no-create-home --home-dir "$work/home" "$user"
git clone -q "$top" "$work/the-other-one"
mkdir "$work/home"
chown -R "$user" "$work/home" "$work/the-other-one"
setpriv --reuid="$user" --regid="$user" --clear-groups env -i PATH="$PATH" HOME="$work/home" TZ=Asia/Tokyo LC_ALL=C \
    sh -euc 'umask 077; cd "$1"; make dist' sh "$work/the-other-one" >out/dist-other.log 2>&1 || { tail -n 40 out/dist-other.log >&2; exit 1; }
diff out/dist/SHA256SUMS "$work/the-other-one/out/dist/SHA256SUMS"
echo "$(wc -l <out/dist/SHA256SUMS) passed, 0 failed"
