#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Twins: which of several similar elements was changed, which was moved or removed. Read from the bytes.

usage: pairs.py COMMAND [CORPUS] [--family NAMES] [--list PART] [--file FILE] [--most N] [--verbose]

In the largest file of each format, for each list: copies of an element, equal except for their place, 0,
0.1, 1 and 100 m from each other, three of them and thirty. One side changes a value of one and moves or
removes another; the other side changes another value of the first. The merge, in both orders of the sides,
must equal the result of all the edits of one file, or be a conflict; a conflict only where nothing but the
index distinguishes the twins. The comparison must state the exact edits, or that they are ambiguous.
Prints TAP, a line for each list.
"""

import argparse
import collections
import importlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# The largest file of each format, and its lists: the paths of elements, the units per metre, whether these
# are integers, and how far elements can be from each other.
Place = collections.namedtuple("Place", "path metre whole distances")
METRES = (0, 0.1, 1, 100)
FILES = {
    "ns2": "ns2/ns2-skulks-with-shotguns__2fort__267190d3.level",
    "turok": "turok/synth_level.map",
    "alien": "alien/L111LEV.MAP",
    "revenant": "revenant/v15/44_13_8.DAT",
    "sfa": "sfa/samples/romlists/*",
}
PLACES = {
    ("ns2", "objects"): Place("properties.origin[0]", 1, False, METRES),
    ("turok", "actors.records"): Place("origin[0]", 10.24, False, METRES),
    ("turok", "grid_sections[].static_meshes"): Place("origin[0]", 10.24, False, METRES),
    ("alien", "map.monsters"): Place("x", 1, True, (0, 1, 2, 9)),
    ("alien", "map.pickups"): Place("x", 1, True, (0, 1, 2, 9)),
    ("alien", "map.boxes"): Place("x", 1, True, (0, 1, 2, 9)),
    ("alien", "map.path_nodes"): Place("x", 1, True, (0, 1, 2, 9)),
    ("revenant", "objects"): Place("position[0]", 32, True, METRES),
    ("sfa", "objects"): Place("position[0]", 64, False, METRES),
}
COUNTS = (3, 30)


class Bench:
    def __init__(self, command, family, path, room):
        self.command, self.family, self.path, self.room = command, family, path, room
        self.reader = importlib.import_module(family) if family != "sfa" else None

    def file(self, name):
        return os.path.join(self.room, name, os.path.basename(self.path))

    def run(self, *words):
        done = subprocess.run([self.command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def edit(self, source, name, operations):
        """The file that operations make, or None."""
        output = self.file(name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        if os.path.exists(output):
            os.remove(output)
        words = [word for one in operations for word in ("-e", one)]
        code = self.run("edit", "-q", "--force", source, *words, "-o", output)[0] if operations else 1
        if not operations:
            with open(source, "rb") as old, open(output, "wb") as new:
                new.write(old.read())
            code = 0
        return output if code == 0 else None

    def meaning(self, path):
        """The elements of each list, in any order."""
        with open(path, "rb") as file:
            data = file.read()
        if self.family == "sfa":
            return {"objects": collections.Counter(romlist(data))}
        named = getattr(self.reader, "NEEDS_NAME", False)
        level = self.reader.read(data, os.path.basename(path)) if named else self.reader.read(data)
        found = {name: collections.Counter(values) for name, values in level.meaning().items()}
        return found


def romlist(data):
    """The objects of a list of Star Fox Adventures: each states its number of words."""
    place, found = 0, []
    while place < len(data):
        size = 4 * data[place + 2]
        found.append(data[place:place + size])
        place += size
    return found


def numbers(value, path=""):
    """The numbers in an element, by their paths; properties by their names."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict) and set(item) >= {"name", "value"}:
                for below, number in numbers(item["value"], "%s.%s" % (path, item["name"])):
                    yield below, number
            else:
                yield from numbers(item, "%s[%d]" % (path, index))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from numbers(item, "%s.%s" % (path, name) if path else name)


class Twins:
    """Copies of an element at the end of its list."""

    def __init__(self, bench, name, place, generator):
        self.bench, self.name, self.place, self.generator = bench, name, place, generator
        self.count = bench.counts[name]
        self.element = self.values = None

    def choose(self):
        """An element that can be copied and has two values that can be changed."""
        for index in sorted({self.count - 1, self.count // 2, self.count // 3}, reverse=True):
            code, text, _ = self.bench.run("get", "--json", self.bench.path, "%s[%d]" % (self.name, index))
            element = None if code else json.loads(text)
            if element is None or (isinstance(element, dict) and self.is_named(element)):
                continue
            self.element = json.dumps(element)
            if self.place:
                self.first = dict(numbers(element)).get(self.place.path)
                if self.first is None:
                    continue
            if not self.base(1, 0):
                continue
            self.values = self.find_values(element)
            if len(self.values) == 2:
                return True
        return False

    @staticmethod
    def is_named(element):
        return any(pair.get("name") == "name" and pair.get("value") not in ([""], "") for pair in
                   element.get("properties", []) if isinstance(pair, dict))

    def at(self, twin, below):
        return "%s[%d]%s%s" % (self.name, self.count + twin, "" if below[:1] in ("[", "") else ".", below)

    def find_values(self, element):
        base, found, tried = self.bench.file("base"), [], 0
        stem = self.place.path.split("[")[0] if self.place else None
        for path, value in numbers(element):
            if stem and path.startswith(stem.split(".")[-1] if "." not in stem else stem):
                continue
            if any(word in path for word in ("_id", "id", "angles", "bounds", "sector", "layer", "model", "map_index",
                                             "inventory", "unknown", "vertices", "links", "indices", "normals", "edge", "type", "shadow", "extras", "count", "size")):
                continue
            if self.place and path in ("y", "z", "x") or path.startswith(("position", "origin")):
                continue
            if found and found[0][0].split("[")[0] == path.split("[")[0]:
                continue
            changed, tried = value + 1, tried + 1
            if self.bench.edit(base, "try", ["%s = %s" % (self.at(0, path), changed)]):
                found.append((path, changed))
            if len(found) == 2 or tried > 8:
                break
        return found

    def where(self, twin, distance):
        away = 5 if self.place.whole and self.place.metre == 1 else 37 * self.place.metre  # from the original of the copies
        value = self.first + away + twin * distance * self.place.metre
        return round(value) if self.place.whole else round(value, 3)

    def base(self, count, distance):
        """Twins in a row, after everything else."""
        inserts = ["insert %s[%d] = %s" % (self.name, self.count + i, self.element) for i in range(count)]
        if self.place:
            inserts += ["%s = %s" % (self.at(i, self.place.path), self.where(i, distance)) for i in range(count)]
        return self.bench.edit(self.bench.path, "base", inserts)

    def move(self, twin, distance, by):
        value = self.where(twin, distance) + by * self.place.metre
        value = round(value) if self.place.whole else round(value, 3)
        return "%s = %s" % (self.at(twin, self.place.path), value)

    def index_of(self, operation):
        """The index of the twin that an operation changes."""
        return int(operation.split(self.name + "[", 1)[1].split("]")[0])

    def change(self, twin, which):
        return "%s = %s" % (self.at(twin, self.values[which][0]), self.values[which][1])

    def cases(self, count, distance):
        """The edit of one twin and the edit of another: (name, ours, theirs, whether only the index
        distinguishes them)."""
        pairs = ((0, 1), (1, 0), (1, 2)) if count == 3 else ((10, 11), (11, 10), (10, 20))
        for a, b in pairs:
            first, second = self.change(a, 0), self.change(a, 1)
            label = "%d of %d changed, %d" % (a, count, b)
            yield label + " as it was", [first], [second], distance == 0
            yield label + " removed", [first, "remove %s[%d]" % (self.name, self.count + b)], [second], distance == 0
            if self.place:
                for by in (0.5, 7, -0.5):
                    by = round(by) or 3 if self.place.whole and self.place.metre == 1 else by
                    lands = distance and (abs(by) / distance) % 1 == 0
                    yield "%s moved %g" % (label, by), [first, self.move(b, distance, by)], [second], distance == 0 or lands
                if distance:
                    yield label + " put in its place", [first, self.move(b, distance, (a - b) * distance)], [second], True
                    yield label + " put half-way", [first, self.move(b, distance, (a - b) * distance / 2)], [second], False


def prove(bench, twins, count, distance, most, tally):
    base = twins.base(count, distance)
    if not base:
        tally["skipped"] += 1
        return
    cases = list(twins.cases(count, distance))
    for label, ours, theirs, alike in twins.generator.sample(cases, most) if most and most < len(cases) else cases:
        files = [bench.edit(base, "ours", ours), bench.edit(base, "theirs", theirs),
                 bench.edit(base, "wanted", theirs + ours)]
        if None in files:
            tally["skipped"] += 1
            continue
        for order in ((0, 1), (1, 0)):
            prove_merge(bench, base, files, order, "%g m, %s%s" % (distance, label, " turned" * order[0]), alike, tally)
        prove_diff(bench, base, files[0], twins.name, {twins.index_of(one) for one in ours}, "%g m, %s" % (distance, label), alike, tally)


def prove_merge(bench, base, files, order, label, alike, tally):
    merged = bench.file("merged")
    os.makedirs(os.path.dirname(merged), exist_ok=True)
    if os.path.exists(merged):
        os.remove(merged)
    code, out, err = bench.run("merge", base, files[order[0]], files[order[1]], "-o", merged)
    if code == 1 or (code == 5 and alike and "alike" in out):  # or nothing was written, as there are further errors
        tally["conflicts"] += 1
        tally["passed" if alike else "failed"] += 1
        if not alike:
            tally["said"].append("%s: conflict: %s" % (label, (out + err)[:200]))
        return
    if code:
        tally["failed"] += 1
        tally["said"].append("%s: exit %d: %s" % (label, code, (out + err)[:200]))
        return
    with open(merged, "rb") as one, open(files[2], "rb") as other:
        right = one.read() == other.read()
    right = right or bench.meaning(merged) == bench.meaning(files[2])
    tally["passed" if right else "failed"] += 1
    if not right:
        tally["said"].append("%s: silently wrong" % label)


def prove_diff(bench, base, ours, name, edits, label, alike, tally):
    code, out, _ = bench.run("diff", "--json", base, ours)
    lines = [json.loads(line) for line in out.splitlines()]
    doubtful = any("ambiguous" in line["note"] for line in lines)
    # A line names its element by its index in the old level; an element only in the new one is named by
    # `path`.
    touched = {line["at"]["index"] if "at" in line else line["path"] for line in lines
               if line["path"].startswith(name) or line.get("at", {}).get("list") == name}
    right = code == 1 and (alike or not doubtful and touched == edits)
    tally["passed" if right else "failed"] += 1
    if not right:
        tally["said"].append("%s: diff: %s" % (label, [(l["op"], l.get("at", {}).get("index"), l["path"],
                                                        "ambiguous" in l["note"]) for l in lines][:6]))


def lists_of(bench):
    with open(bench.path, "rb") as file:
        data = file.read()
    if bench.family == "sfa":
        bench.counts = {"objects": len(romlist(data))}
        return ["objects"]
    named = getattr(bench.reader, "NEEDS_NAME", False)
    level = bench.reader.read(data, os.path.basename(bench.path)) if named else bench.reader.read(data)
    bench.counts = {name: len(elements) for name, elements in level.lists.items()}
    longest = {}  # of lists inside elements, the longest one
    for name, elements in level.lists.items():
        kind = re.sub(r"\[\d+\]", "[]", name)
        if elements and name not in level.owned and len(elements) > len(level.lists.get(longest.get(kind), [])):
            longest[kind] = name
    return list(longest.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("corpus", nargs="?", default=os.environ.get("MAPSTONE_CORPUS"))
    parser.add_argument("--family")
    parser.add_argument("--list")
    parser.add_argument("--file", help="a file in place of the family's largest")
    parser.add_argument("--most", type=int, help="how many cases of a list to try, by chance")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    command, tests, failed = os.path.abspath(options.command), 0, 0
    if not options.corpus or not os.path.isdir(options.corpus):
        print("1..0 # SKIP there is no corpus (MAPSTONE_CORPUS)")
        return 0
    with tempfile.TemporaryDirectory() as room:
        for family, path in FILES.items():
            if options.family and family not in options.family.split(","):
                continue
            path = os.path.join(options.corpus, options.file or path)
            if path.endswith("*"):
                folder = path[:-1]
                path = max((os.path.join(folder, one) for one in os.listdir(folder)), key=os.path.getsize)
            bench = Bench(command, family, path, room)
            for name in lists_of(bench):
                if options.list and options.list not in name:
                    continue
                place = PLACES.get((family, re.sub(r"\[\d+\]", "[]", name)))
                twins = Twins(bench, name, place, random.Random(name))
                tally = collections.Counter()
                tally["said"] = []
                tests += 1
                if not twins.choose():
                    print("ok %d - %s %s # SKIP no copies with two values can be made" % (tests, family, name), flush=True)
                    continue
                rows = [(count, distance) for count in COUNTS for distance in (place.distances if place else (0,))]
                for row in rows:
                    prove(bench, twins, *row, options.most and -(-options.most // len(rows)), tally)
                failed += tally["failed"] > 0
                print("%sok %d - %s %s (%s): %d right, %d wrong, %d conflicts, %d not possible" % (
                    "not " * (tally["failed"] > 0), tests, family, name, ", ".join(value for value, _ in twins.values),
                    tally["passed"], tally["failed"], tally["conflicts"], tally["skipped"]), flush=True)
                for line in tally["said"][:None if options.verbose else 8]:
                    print("#  ", line)
    print("1..%d" % tests)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
