#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles alone, as pedantic C11 and, where there is a C++ compiler, as C++11.
# usage: headers.sh CC [CXX]      (in the top directory)
set -eu
cc=$1
cxx=${2:-g++}
failed=0
for header in include/mapstone/*.h; do
    for compile in "$cc -x c -std=c11 -Wstrict-prototypes" "$cxx -x c++ -std=c++11"; do
        command -v "${compile%% *}" >/dev/null 2>&1 || continue
        # shellcheck disable=SC2086 # a command and its options
        echo "#include <mapstone/${header##*/}>" |
            $compile -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -Iinclude - || failed=1
    done
done
exit $failed
