#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds what is released twice, in clones in directories of other names: by this user, and by one with another umask, time zone
# and language (as root, in the top directory). Fails if a file differs. The first clone's files are left in out/dist.
set -eu
top=$(pwd)
work=$(mktemp -d)
mkdir -p out
user=mapstone-builder
trap 'rm -rf "$work"; userdel "$user" 2>/dev/null || :' EXIT
chmod 755 "$work"
id "$user" >/dev/null 2>&1 || useradd --no-create-home --home-dir "$work/home" "$user"
git clone -q "$top" "$work/one"
git clone -q "$top" "$work/the-other-one"
mkdir "$work/home"
chown -R "$user" "$work/home" "$work/the-other-one"
(cd "$work/one" && make dist) >out/dist-one.log 2>&1 || { tail -n 40 out/dist-one.log >&2; exit 1; }
setpriv --reuid="$user" --regid="$user" --clear-groups env -i PATH="$PATH" HOME="$work/home" TZ=Asia/Tokyo LC_ALL=C \
    sh -euc 'umask 077; cd "$1"; make dist' sh "$work/the-other-one" >out/dist-other.log 2>&1 || { tail -n 40 out/dist-other.log >&2; exit 1; }
rm -rf out/dist
cp -r "$work/one/out/dist" out/dist
diff out/dist/SHA256SUMS "$work/the-other-one/out/dist/SHA256SUMS"
echo "$(wc -l <out/dist/SHA256SUMS) passed, 0 failed"
