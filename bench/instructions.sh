#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts the instructions of operations on generated levels and of the command's start (callgrind), and compares them with
# bench/instructions.txt: an operation that takes over 5 % more fails. The counts apply to Debian 12's compiler.
#
#   bench/instructions.sh BUILD [write]      (in the top directory; write: replaces the file)
#
# The last line is "N passed, N failed".
set -eu
build=$1
file=bench/instructions.txt
levels=$build/bench/instructions
mkdir -p "$levels"
"$build/bench/bench_large_level" 4 "$levels/turok.map"
"$build/bench/bench_large_ns2" 2 "$levels/ns2.level"
"$build/bench/bench_large_bank" 100 300 "$levels"
"$build/mapstone" convert samples/bunker.json -o "$levels/L900LEV.MAP"

valgrind_counts() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1; }

count() { # OPERATION LEVEL; start: of the command, with the loader's work
    case $1 in
    start) valgrind_counts "$build/mapstone" version ;;
    *) valgrind_counts --collect-atstart=no --toggle-collect=measured "$build/bench/bench_instructions" "$1" "$2" ;;
    esac | sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

{
    echo "# Instructions of operations and the command's start, in thousands; bench/instructions.sh compares and replaces them."
    while read -r operation level; do
        printf '%-9s %-22s %10d\n' "$operation" "$level" $(($(count "$operation" "$levels/$level") / 1000))
    done
} >"$levels/now" <<END
start command
open turok.map
check turok.map
scene turok.map
check ns2.level
encode ns2.level
json-out ns2.level
json-in ns2.level
values ns2.level
scene ns2.level
map ns2.level
oblique ns2.level
open mod6.tab
set animtest.romlist.zlb
END

if [ "${2:-}" = write ]; then
    cp "$levels/now" "$file"
fi
awk '
    /^#/ { next }
    NR == FNR { known[$1 " " $2] = $3; next }
    { before = known[$1 " " $2]
      bad = !before || $3 > before * 1.05
      printf "%-5s %-9s %-22s %10d  %+.1f %%\n", bad ? "MORE" : "ok", $1, $2, $3, before ? 100 * ($3 / before - 1) : 0
      if (bad) failed++; else passed++ }
    END { printf "%d passed, %d failed\n", passed, failed; exit failed != 0 }' "$file" "$levels/now"
