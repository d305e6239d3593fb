#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plan of the house (docs/ARCHITECTURE.md), read from the relocations of the objects: a room calls only
rooms of lower floors, and files call each other only in the circles listed here.

    floors.py NM OBJDUMP DIRECTORY      (the directory of the library's objects)
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# From below. Rooms of one line do not call each other, unless they are joined by `+`.
FLOORS = """
system
core
codec tables
read+files scene container
check write
edit
level formats export languages
compare import rows
patch
merge
"""
# The one place where the engine meets formats.
UPWARDS = {("src/read/known_formats.c", "src/formats/formats.c"), ("src/edit/new_level.c", "src/formats/templates.c")}
# Circles of one machine that is divided by its subjects.
CIRCLES = [
    "edit/archive_lists edit/edit_many edit/elements edit/enclose edit/follow edit/follow_carry edit/insertions edit/moving "
    "edit/numbered edit/operations edit/prove edit/removals edit/single_edit edit/waiting_sets",
    "read/get read/parallel_rows read/value",
    "read/ends read/walk read/walk_chunks",
]


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def read_calls(nm, objdump, directory):
    """By source file: the files that it calls."""
    objects = {}
    for folder, _, names in os.walk(os.path.join(directory, "src")):
        for name in names:
            source = os.path.relpath(os.path.join(folder, name), directory)[:-2]
            if name.endswith(".c.o") and os.path.exists(os.path.join(ROOT, source)):  # otherwise it is a leftover
                objects[source] = os.path.join(folder, name)
    sources = {path: source for source, path in objects.items()}
    owners = {}
    for line in lines(nm, "--defined-only", "--extern-only", "--print-file-name", *sources):
        owners[line.split()[-1]] = sources[line.split(":")[0]]
    calls = {source: {} for source in objects}
    source, code = None, False
    for line in lines(objdump, "-r", *sources):
        words = line.split()
        head = re.match(r"(.+):\s+file format ", line)
        if head:
            source = sources[head[1]]
        elif line.startswith("RELOCATION RECORDS"):
            code = "[.text" in line
        elif code and len(words) == 3:
            owner = owners.get(re.sub(r"[-+]0x[0-9a-f]+$", "", words[2]), source)
            if owner != source:
                calls[source][owner] = words[2]
    return calls


def floors():
    numbers = {}
    for number, line in enumerate(FLOORS.split("\n")):
        for together in line.split():
            for room in together.split("+"):
                numbers[room] = (number, together)
    return numbers


def room_of(source):
    return source.split("/")[1]


def find_upwards(calls):
    numbers = floors()
    for source, called in calls.items():
        for target, symbol in called.items():
            own, other = numbers[room_of(source)], numbers[room_of(target)]
            same = room_of(source) == room_of(target) or own == other and "+" in own[1]
            if other[0] >= own[0] and not same and (source, target) not in UPWARDS:
                yield f"{source} calls {symbol} of {target}, which is not on a lower floor"


def reached_from(calls, source):
    found, waiting = set(), [source]
    while waiting:
        for target in calls[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def find_circles(calls):
    reached = {source: reached_from(calls, source) for source in calls}
    for source in sorted(calls):
        circle = sorted(other for other in reached[source] if source in reached[other])
        if circle and circle[0] == source:
            yield circle


def main():
    calls = read_calls(*sys.argv[1:4])
    known = [{f"src/{name}.c" for name in circle.split()} for circle in CIRCLES]
    faults = list(find_upwards(calls))
    for circle in find_circles(calls):
        if not any(set(circle) <= one for one in known):
            faults.append("these files call each other in a circle: " + " ".join(circle))
    if len(calls) < 100:
        faults.append(f"there are only {len(calls)} objects")
    print("\n".join(faults) or f"{len(calls)} files call as planned")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
