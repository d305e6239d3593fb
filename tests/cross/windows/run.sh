#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the unit tests and the command's tests with the build for Windows, under Wine. The last line counts them;
# skipped.txt lists the omitted tests, at most one in twenty.
# usage: run.sh BUILD      (in the top directory)
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first Wine process sets up its directory; the server is then shared by all of them.
"$here/../wine.sh" "$build/mapstone.exe" version || exit 1
cat >"$work/mapstone" <<END
#!/bin/sh
exec '$here/../wine.sh' '$build/mapstone.exe' "\$@"
END
chmod +x "$work/mapstone"
sed -n 's/^command: //p' "$here/skipped.txt" >"$work/skipped"
MAPSTONE_SKIPPED=$work/skipped tests/cli/run.sh "$work/mapstone" >"$work/command.log" 2>&1 &
command=$!
MAPSTONE_SLOW=23 tests/run.sh "$build" -E "^($(sed -n 's/^unit: \([a-z_0-9]*\):.*/\1/p' "$here/skipped.txt" | paste -s -d '|'))\$" >"$work/unit.log" 2>&1
# A program that Wine could not start has no output at all (../wine.sh): it is run again, alone.
silent=$(sed -n 's/^---- \(.*\): \*\*\*Failed$/\1/p' "$work/unit.log" | while read -r name; do
    number=$(sed -n "s/^ *[0-9]*\/[0-9]* Test *#\([0-9]*\): $name .*/\1/p" "$build/tests.log")
    grep -q "^$number: 1\.\." "$build/tests.log" || echo "$name"
done | paste -s -d '|')
if [ -n "$silent" ]; then
    echo "again, since it said nothing: $silent"
    cp "$build/tests.log" "$build/tests-first.log"
    tests/run.sh "$build" -R "^($silent)\$" >"$work/again.log" 2>&1
    # each of them was counted as one failure
    { sed '$d' "$work/unit.log"; tail -q -n 1 "$work/unit.log" "$work/again.log" |
        awk -v again="$(echo "$silent" | tr '|' '\n' | wc -l)" '{ passed += $1; failed += $3; skipped += $5 }
            END { printf "%d passed, %d failed, %d skipped\n", passed, failed - again, skipped }'; } >"$work/both.log"
    mv "$work/both.log" "$work/unit.log"
fi
cat "$work/unit.log"
wait $command
[ ! -s out/wine/again.log ] || { echo "started again by Wine's fault:"; cat out/wine/again.log; rm out/wine/again.log; }

# When merging git-lfs files, git.exe is not taken from the current directory: here it is the command itself, which would
# report that it has no command 'lfs'.
mkdir "$work/stranger" && cd "$work/stranger" && cp "$build"/mapstone.exe git.exe && cp "$build"/*.dll . 2>/dev/null
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 5\n' 0 | tee base ours >theirs
for paths in '' '.' 'C:\\;.;..\stranger'; do
    WINEPATH=$paths "$work/mapstone" merge -o ours -- base ours theirs 2>said
    result=ok
    grep -q 'git lfs smudge' said && ! grep -q 'is not a command' said || result='not ok'
    echo "$result 0 - no git.exe of the current directory is run, with PATH '$paths'" >>"$work/command.log"
done
cd "$here/../../.." || exit 1
export WINEPREFIX="$PWD/out/wine"
for script in paths window; do
    "$here/$script.sh" "$work/mapstone" "$build/mapstone.exe" >>"$work/command.log" 2>&1
done
grep -v '^ok' "$work/command.log" | grep -v '^1\.\.'
cp "$work/command.log" "$build/command.log"

# A unit test program that does not run counts as all of its tests.
left_out=0
for name in $(sed -n 's/^unit: \([a-z_0-9]*\):.*/\1/p' "$here/skipped.txt"); do
    left_out=$((left_out + $(grep -c 'cmocka_unit_test[a-z_]*(' "tests/$name.c")))
done
tail -n 1 "$work/unit.log" | sed 's/[^0-9]\{1,\}/ /g' | {
    read -r passed failed skipped
    passed=$((passed + $(grep -c '^ok [0-9]* - [^#]*$' "$work/command.log")))
    failed=$((failed + $(grep -c '^not ok' "$work/command.log")))
    skipped=$((${skipped:-0} + left_out + $(grep -c '^ok .*# SKIP' "$work/command.log")))
    [ "$(grep -c '^1\.\.' "$work/command.log")" -eq 3 ] || { echo "the command's tests did not end"; failed=$((failed + 1)); }
    if [ $((skipped * 20)) -gt $((passed + skipped)) ]; then
        echo "more than one test in twenty was skipped"
        failed=$((failed + 1))
    fi
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
