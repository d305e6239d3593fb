#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program for Windows, with a Wine installation in out/wine that leaves the user's own alone. usage:
# wine.sh PROGRAM.exe [ARGUMENT...]
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
export WINEPREFIX="$top/out/wine" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=" LC_ALL=C.UTF-8
[ -e "$WINEPREFIX/ready" ] || {
    mkdir -p "$WINEPREFIX"
    wineboot --init >/dev/null 2>&1 </dev/null
    wineserver -w
    touch "$WINEPREFIX/ready"
}
# Its server ends with its last program, and takes 1.7 s of processor time to start: it is kept for the next
# one.
wineserver -p60 2>/dev/null || :
said=$(mktemp)
trap 'rm -f "$said"' EXIT
status=0
wine "$@" 2>"$said" || status=$?
# Once in some thousand times Wine cannot start a program, and reports nothing or that its own server is gone. Our
# programs end with 0 to 5, even after a crash.
if { [ "$status" -gt 5 ] && [ "$status" -lt 128 ]; } || grep -q '^wine client error' "$said"; then
    echo "$status $*" >>"$WINEPREFIX/again.log"
    status=0
    wine "$@" 2>"$said" || status=$?
fi
cat "$said" >&2 || :
exit "$status"
