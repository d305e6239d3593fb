#!/bin/sh
# SPDX-License-Identifier: MIT
# libarchive is loaded when an archive needs it, and everything else works without it. tests/cli/archives.sh
# path/to/mapstone libarchive.so.13. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
also=err
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
soname=$2
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
NO_COLOR=1 TMPDIR=$work
export NO_COLOR TMPDIR

# exits STATUS LIBRARIES ARGUMENT...: the command, which searches that directory first for libraries
exits() {
    wanted=$1 libraries=$2
    shift 2
    LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$mapstone" "$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || { echo "exited with $status: $*"; return 1; }
}

# names_it REASON: the message states the package to install and the reason
names_it() { grep -Eq "libarchive is not installed \(in Debian: libarchive[0-9]+\): .*$1" err; }

"$mapstone" convert "$samples/outpost.json" -o a.level || exit 2
tar cf a.tar a.level && gzip -c a.tar >a.tgz || exit 2
# Replacements of libarchive: a file that is not a library, and a library without any of its functions.
mkdir none broken other
echo "not a library" >"broken/$soname"
math=$(ldd "$mapstone" | awk '$1 ~ /^libm\./ { print $3 }')
[ -n "$math" ] && ln -s "$math" "other/$soname"

test_that "archives are opened" 'exits 0 none check a.tar a.tgz && exits 0 none get "a.tgz!a.level" version'
test_that "threads that need it at the same time" 'for i in 1 2 3 4; do cp a.tar $i.tar; done
    exits 0 none check -j 4 1.tar 2.tar 3.tar 4.tar && exits 2 broken check -j 4 1.tar 2.tar 3.tar 4.tar && [ "$(grep -c installed err)" -eq 4 ]'
test_that "the command starts without libarchive" 'exits 0 broken version && exits 0 broken check a.level && exits 0 other check a.level'
test_that "an archive says what has to be installed" \
    'exits 2 broken check a.tar && names_it "$soname" && exits 2 broken get "a.tgz!a.level" version && names_it "$soname"'
test_that "other files of the same run are read" 'exits 2 broken check a.tar a.level && grep -q "^1 file: 1 ok" out && names_it "$soname"'
if [ -n "$math" ]; then
    test_that "a library without its functions is not taken for it" 'exits 2 other check a.tar && names_it archive_read_new'
fi
if command -v python3 >/dev/null 2>&1; then
    for method in stored:0 deflated:8 bzip2:12; do
        python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", int(sys.argv[2])) as made:
    made.write("a.level")' "${method%:*}.zip" "${method#*:}" || exit 2
    done
    test_that "zip archives, packed in the usual ways, do without it" 'exits 0 broken check stored.zip deflated.zip'
    test_that "a member that is packed in another way needs it" \
        'exits 2 broken check bzip2.zip && names_it "$soname" && grep -q "a\.level in bzip2\.zip" err && exits 0 none check bzip2.zip'
else
    echo "# no python3: no zip archives are made"
fi
finish
