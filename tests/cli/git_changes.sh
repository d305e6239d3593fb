#!/bin/sh
# SPDX-License-Identifier: MIT
# Tools that use the command: the summary of changed levels (of the GitHub Action), the hook before a commit, thumbnails.
# tests/cli/git_changes.sh path/to/mapstone. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/tap.sh"
mapstone=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
top=$(cd "$(dirname "$0")/../.." && pwd)
levels=${MAPSTONE_CORPUS:-$top/../shared/corpus}/histories/ns2/minegate
if [ ! -d "$levels" ] || ! command -v git >/dev/null; then
    echo "1..0 # SKIP needs git and real levels"
    exit 0
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/repository" && ln -s "$mapstone" "$work/bin/mapstone" && cd "$work/repository" || exit 2
PATH=$work/bin:$PATH HOME=$work XDG_CONFIG_HOME=$work NO_COLOR=1 GIT_CONFIG_NOSYSTEM=1
export PATH HOME XDG_CONFIG_HOME NO_COLOR GIT_CONFIG_NOSYSTEM
log=$work/log
changes="$top/packaging/git/changes.sh"
hook="$top/packaging/git/pre-commit.sh"

git init -q -b main . && git config user.name mapper && git config user.email mapper@example.org
mkdir maps
cp "$levels/1.level" 'maps/mine gate.level' && cp "$levels/1.level" maps/old.level
git add . && git commit -q -m one
cp "$levels/2.level" 'maps/mine gate.level' && cp "$levels/3.level" maps/-q.level && cp "$levels/3.level" 'maps/`$(touch ran)`.level'
echo text >maps/notes.level.txt && git rm -q maps/old.level && git add . && git commit -q -m two

test_that "changed levels are listed, with what changed" '"$changes" -o ../pictures HEAD~1 >../summary &&
    grep -qxF "## \`\` maps/mine gate.level \`\`" ../summary && grep -q "^+ objects\[123\] tech_point at 18.42 5.26 57.00" ../summary &&
    grep -qx "New." ../summary && grep -qx "Removed." ../summary && ! grep -q notes ../summary'
test_that "and pictures of them" '[ "$(ls ../pictures | wc -l)" = 3 ] && [ "$(head -c 4 ../pictures/1.png | tail -c 3)" = PNG ] && [ "$(grep -c "^Picture: " ../summary)" = 3 ]'
test_that "names are neither options nor commands" 'grep -qF "maps/-q.level" ../summary && grep -qF "touch ran" ../summary && [ ! -e ran ] && [ ! -e maps/ran ]'
test_that "nothing is left in the repository" '[ "$(git worktree list | wc -l)" = 1 ] && [ -z "$(git status --porcelain)" ]'
test_that "only some paths" '"$changes" -o ../pictures HEAD~1 HEAD -- "maps/mine*" >../summary && [ "$(grep -c "^## " ../summary)" = 1 ]'
test_that "no level changed" '"$changes" -o ../pictures HEAD HEAD >../summary && grep -q "^No level changed" ../summary'
test_that "a base that is no commit fails" '"$changes" --upload-pack=x; [ $? -eq 128 ] && ! "$changes" -o ../pictures nowhere'

head -c 5000 "$levels/2.level" >'maps/mine gate.level' && git add .
test_that "a damaged level is not committed" '"$hook"; [ $? -eq 1 ] && "$hook" maps/-q.level && ! "$hook" maps/-q.level "maps/mine gate.level"'
cp "$hook" .git/hooks/pre-commit
test_that "as git's own hook" '! git commit -q -m three && git checkout -q HEAD -- . && cp "$levels/2.level" maps/-q.level && git add . && git commit -q -m three'
head -c 5000 "$levels/2.level" >'maps/mine gate.level' && git add . && git commit -q --no-verify -m four
test_that "levels with errors are counted, and fail" '"$changes" -o ../pictures HEAD~1 >../summary; [ $? -eq 1 ] && grep -q "^1 level has errors" ../summary'

test_that "thumbnails are as large as they are wanted" 'line=$(sed -n "s/^Exec=//p" "$top/packaging/desktop/mapstone.thumbnailer") &&
    line=$(echo "$line" | sed "s|%s|256|g; s|%o|$work/thumb|; s|%i|maps/-q.level|") && $line && python3 -c "
import struct, sys
width, height = struct.unpack(\">II\", open(sys.argv[1], \"rb\").read()[16:24])
assert 1 <= width <= 256 and 1 <= height <= 256, (width, height)" "$work/thumb"'
test_that "of what the desktop takes for levels" 'for type in $(sed -n "s/^MimeType=//p" "$top/packaging/desktop/mapstone.thumbnailer" | tr ";" " "); do grep -q "type=\"$type\"" "$top/packaging/desktop/mapstone.xml" || return 1; done'

finish
