#!/bin/sh
# SPDX-License-Identifier: MIT
# Levels edited in zip archives: one member is replaced, and everything else is unchanged.
# tests/cli/archive.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
NO_COLOR=1 TMPDIR=$work
export NO_COLOR TMPDIR
log=$work/log

# exits CODE ARGUMENT...: the command, with its messages in the file err
exits() {
    code=$1
    shift
    "$mapstone" "$@" 2>err
    got=$?
    cat err
    [ $got = "$code" ] || { echo "exit code $got, not $code" && return 1; }
}

if ! command -v python3 >/dev/null 2>&1; then
    echo "1..0 # SKIP there is no python3"
    exit 0
fi

# Members before and after the levels, stored and packed, with comments, extra fields, and sizes after the data.
cat >pack.py <<'END'
import sys, zipfile
class Pipe:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
level = open("a.level", "rb").read()
def add(zip, name, data, how, comment=b"", extra=b""):
    info = zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6))
    info.compress_type, info.comment, info.extra = how, comment, extra
    info.external_attr = 0o100640 << 16
    zip.writestr(info, data)
def fill(zip):
    add(zip, "readme.txt", b"first" * 100, zipfile.ZIP_DEFLATED, b"a comment")
    add(zip, "maps/a.level", level, zipfile.ZIP_DEFLATED, b"the level", b"\xfe\xca\x02\x00hi")
    add(zip, "maps/b.level", level, zipfile.ZIP_STORED)
    add(zip, "maps/c.level", level, zipfile.ZIP_BZIP2)
    add(zip, "scripts/last.txt", b"", zipfile.ZIP_STORED)
    zip.comment = b"an archive"
with zipfile.ZipFile("mod.kpf", "w") as zip: fill(zip)
with open("streamed.zip", "wb") as file, zipfile.ZipFile(Pipe(file), "w") as zip: fill(zip)
END
# Whether two archives are equal except for the bytes of one member: same.py OLD NEW MEMBER LEVEL
cat >same.py <<'END'
import sys, zipfile
old, new = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2])
assert new.testzip() is None
assert old.comment == new.comment
assert [i.filename for i in old.infolist()] == [i.filename for i in new.infolist()]
for a, b in zip(old.infolist(), new.infolist()):
    for what in ("date_time", "compress_type", "comment", "extra", "external_attr", "create_system", "internal_attr"):
        assert getattr(a, what) == getattr(b, what), (a.filename, what)
    if a.filename == sys.argv[3]:
        assert new.read(b) == open(sys.argv[4], "rb").read()
        continue
    raw = []
    for path, i in ((sys.argv[1], a), (sys.argv[2], b)):
        with open(path, "rb") as file:
            file.seek(i.header_offset)
            raw.append(file.read(30 + len(i.filename) + i.compress_size))
    assert raw[0] == raw[1], a.filename
END
"$mapstone" convert "$samples/outpost.json" -o a.level && python3 pack.py || exit 2
edit='objects[19].properties.intensity = 2'
"$mapstone" edit -q a.level -e "$edit" -o wanted.level || exit 2

for archive in mod.kpf streamed.zip; do
    kind=${archive##*.}
    for member in maps/a.level maps/b.level; do
        test_that "$member in $archive is replaced, and nothing else" \
            'exits 0 edit -q "$archive!$member" -e "$edit" -o "new.$kind" && python3 same.py "$archive" "new.$kind" "$member" wanted.level'
    done
    test_that "$archive is opened again, and its level is the edited one" \
        '"$mapstone" get "new.$kind!maps/b.level" "objects[19].properties.intensity" | grep -q "2"'
done
command -v unzip >/dev/null 2>&1 && test_that "unzip finds no fault" 'unzip -tq new.kpf && unzip -tq new.zip'
test_that "the archive itself is changed with -i" 'cp mod.kpf in.kpf && exits 0 edit -q -i "in.kpf!maps/a.level" -e "$edit" &&
    python3 same.py mod.kpf in.kpf maps/a.level wanted.level && [ "$(ls -A | grep -c "^.mapstone")" -eq 0 ]'
test_that "set and fix do so as well" 'exits 0 set -q "mod.kpf!maps/a.level" "objects[19].properties.intensity=2" -o set.kpf &&
    python3 same.py mod.kpf set.kpf maps/a.level wanted.level && exits 0 fix -q "mod.kpf!maps/a.level" -o fixed.kpf &&
    python3 same.py mod.kpf fixed.kpf maps/a.level a.level'
"$mapstone" diff a.level wanted.level -o change.mspatch
test_that "and patch" 'exits 0 patch -q "mod.kpf!maps/a.level" change.mspatch -o patched.kpf && python3 same.py mod.kpf patched.kpf maps/a.level wanted.level'
test_that "a member goes to a file as before" 'exits 0 edit -q "mod.kpf!maps/a.level" -e "$edit" -o bare.level && cmp bare.level wanted.level'
test_that "a member that is packed in another way is refused" 'exits 2 edit -q "mod.kpf!maps/c.level" -e "$edit" -o no.kpf && [ ! -e no.kpf ] && grep -q "packed in a way" err'
test_that "other archives are refused" 'tar cf maps.tar a.level && exits 2 edit -q "maps.tar!a.level" -e "$edit" -o no.tar && [ ! -e no.tar ] &&
    cp maps.tar kept.tar && exits 2 edit -q -i "maps.tar!a.level" -e "$edit" && cmp maps.tar kept.tar && grep -q "only zip archives" err'
test_that "no level gets the name of an archive" 'exits 2 edit -q a.level -e version=10 -o no.kpf && exits 2 fix -q a.level -o no.zip &&
    exits 2 convert -q -t ns2-level a.level -o no.pk3 && exits 2 convert -q -t ns2-level "mod.kpf!maps/a.level" -o no.rvm && [ ! -e no.kpf ] &&
    [ ! -e no.zip ] && [ ! -e no.pk3 ] && [ ! -e no.rvm ]'
test_that "what is refused leaves the archive as it was" 'cp mod.kpf kept.kpf && exits 3 set -q -i "mod.kpf!maps/a.level" nosuch=1; cmp mod.kpf kept.kpf'
test_that "the archive is not overwritten by -o" 'exits 2 edit -q "mod.kpf!maps/a.level" -e "$edit" -o mod.kpf && cmp mod.kpf kept.kpf'

finish
