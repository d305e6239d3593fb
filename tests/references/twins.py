#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Twins in every list of every format: no change of one is silently applied to another.

usage: twins.py COMMAND [CORPUS] [--format NAMES] [--list PART] [--most N] [--seed N] [--verbose]

The lists are taken from the formats' schemas. In the largest file of a format that has elements in a list:
copies of an element at its end (in a list of fixed length in place of others), three and thirty, equal or
each with another number. One side changes a value of one and removes, changes or leaves another; the other
side changes something of the first, or the second. The merge, in both orders of the sides, is the file
that all the edits make in sequence, byte for byte, or a conflict; the comparison is not empty. A list
without twins has a reason (REASONS). pairs.py also covers elements in places. Prints TAP, a line for each
list.
"""

import argparse
import collections
import fnmatch
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

# Files of each format, in the corpus; of several the largest is first. Formats of two files name both. The
# file of Natural Selection 2 is one that takes seconds: pairs.py takes the largest.
FILES = {
    "ns2-level": ["ns2/*__sws2__*.level"], "ns2-clip": ["ns2/*.clip"],
    "alien-map": ["alien/L111LEV.MAP"], "alien-gfx": ["alien/111GFX.BIN", "alien-graphics/*.BIN"],
    "alien-models": ["alien-graphics/synth_models.BND"], "alien-sprites": ["alien-graphics/*.B16", "alien-graphics/*.BND"],
    "alien-palette": ["alien-graphics/*.PAL"],
    "turok-map": ["turok/synth_level.map"], "turok-model": ["turok-models/game_root/models/**/*.bin"],
    "turok-animation": ["turok-models/game_root/anims/*.bin"], "turok-material": ["turok-models/game_root/materials/*.kmat"],
    "iguana": ["turok/*.dat"],
    "revenant-sector": ["revenant/v15/*.DAT", "revenant/v1/*.DAT"], "revenant-def": ["revenant/class.def"],
    "revenant-image": ["revenant-imagery/**/*.I2D"], "revenant-model": ["revenant-imagery/**/*.[Ii]3[Dd]"],
    "revenant-headers": ["revenant-imagery/**/*.[Dd][Aa][Tt]"], "revenant-save": ["revenant*/**/*.[Ss][Aa][Vv]"],
    "sfa-romlist": ["sfa/samples/romlists/*"], "sfa-block": ["sfa/mini/**/*.block"],
    "sfa-blocks": ["sfa/mini/*/mod*.zlb.bin+mod*.tab"], "sfa-mapinfo": ["sfa/mini/MAPINFO.bin"],
    "sfa-globalma": ["sfa/mini/globalma.bin"], "sfa-trkblk": ["sfa/mini/TRKBLK.tab"],
    "sfa-warptab": ["sfa/mini/WARPTAB.bin"], "sfa-maps": ["sfa/mini/MAPS.bin+MAPS.tab"],
    "sfa-hits": ["sfa/mini/HITS.bin+HITS.tab"], "sfa-textures": ["sfa/mini/animtest/TEX1.bin+TEX1.tab"],
    "sfa-voxmap": ["sfa/mini/animtest/VOXMAP.bin+VOXMAP.tab"],
    "spark-model": ["spark/models/*.model"], "spark-material": ["spark/materials/*.material"], "dds": ["spark/dds/*.dds"],
}
COUNTS = (3, 30)


class Bench:
    def __init__(self, command, room):
        self.command, self.room, self.others = command, room, []

    def run(self, *words, script=None):
        done = subprocess.run([self.command, *words], input=script, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", errors="replace", check=False)
        return done.returncode, done.stdout, done.stderr

    def place(self, name):
        """An empty folder of that name."""
        folder = os.path.join(self.room, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def edit(self, files, name, operations):
        """The files that operations make of files, or None."""
        folder = self.place(name)
        made = [shutil.copy(file, folder) for file in files]
        for file in made:
            os.chmod(file, 0o644)
        if not operations:
            return made
        code = self.run("edit", "-q", "--force", "-i", made[0], "-s", "-", script="".join(one + "\n" for one in operations))[0]
        return made if code == 0 else None

    @staticmethod
    def content(files):
        found = []
        for file in files:
            with open(file, "rb") as opened:
                found.append(opened.read())
        return found


def lists_of_schema(bench, form):
    """The lists of a format to which elements can be added: paths with [] for an index."""
    schema = json.loads(bench.run("spec", "--as", "json-schema", form)[1])
    found = {}

    def walk(node, path, seen):
        if not isinstance(node, dict):
            return
        name = node.get("$ref", "").split("/")[-1]
        if name:
            if name not in seen:
                walk(schema.get("$defs", {}).get(name, {}), path, seen | {name})
            return
        for word in ("anyOf", "oneOf", "allOf"):
            for other in node.get(word, []):
                walk(other, path, seen)
        if "items" in node:
            if node.get("maxItems") is None or node.get("maxItems") != node.get("minItems"):
                found[path] = node["items"].get("enum") is not None
            walk(node["items"], path + "[]", seen)
        for name, other in node.get("properties", {}).items():
            walk(other, path + "." * bool(path) + name, seen)

    walk(schema, "", frozenset())
    return found


def lists_of_values(value, path, found):
    """The longest list of each path in a file."""
    if isinstance(value, dict):
        for name, item in value.items():
            if not name.startswith("$"):
                lists_of_values(item, path + "." * bool(path) + name, found)
    elif isinstance(value, list):
        kind = re.sub(r"\[\d+\]", "[]", path)
        if len(value) > len(found.get(kind, (0, []))[1]):
            found[kind] = (path, value)
        for index, item in enumerate(value):
            if isinstance(item, (dict, list)):
                lists_of_values(item, "%s[%d]" % (path, index), found)


def leaves(value, path=""):
    """The changeable values of an element: numbers before texts."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, path + "." + name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, "%s[%d]" % (path, index))
    elif value is not None:
        yield path, value


def changed(value, by):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value - by if isinstance(value, int) and value >= 100 else value + by
    return value + "x" * by


class Twins:
    def __init__(self, bench, files, path, elements):
        self.bench, self.files, self.path, self.elements = bench, files, path, elements
        self.count = len(elements)
        self.is_grid = path.startswith("grid_")  # an element is its index
        self.why = "no copy can be made"

    def choose(self):
        """An element that can be copied, and up to two values of it that can be changed."""
        for index in sorted({self.count - 1, self.count // 2, 0}, reverse=True):
            code, text, _ = self.bench.run("get", "--json", self.files[0], "%s[%d]" % (self.path, index))
            if code:
                continue
            self.element = json.dumps(json.loads(text))
            if len(self.element) > 200000:
                continue
            for self.over, self.first in ((False, self.count), (False, self.count - 1), (True, self.count // 2)):
                base = self.base(3, 0)
                if not base or self.bench.content(base) == self.bench.content(self.files):
                    continue
                self.values = self.find_values(base, json.loads(text))
                if self.values:
                    return True
                self.why = "no value of a copy can be changed"
        return False

    def find_values(self, base, element):
        found, before = [], self.bench.content(base)
        ordered = sorted(leaves(element), key=lambda leaf: (isinstance(leaf[1], (str, bool)), bool(re.search(r"count|size|\$", leaf[0]))))
        for path, value in ordered[:16]:
            if found and found[0][0].split("[")[0] == path.split("[")[0] and path:
                continue
            made = self.bench.edit(base, "try", [self.set(0, (path, value), 1)])
            if made and self.bench.content(made) != before and self.is_alone(made, element, path):
                found.append((path, value))
            if len(found) == 2:
                break
        return found

    def is_alone(self, made, element, path):
        """Whether the value is independent: nothing else in the element, such as a box, follows from it."""
        code, text, _ = self.bench.run("get", "--json", made[0], self.at(0))
        after, before = dict(leaves(json.loads(text))) if code == 0 else {}, dict(leaves(element))
        return {one for one in set(before) | set(after) if before.get(one) != after.get(one)} == {path}

    def at(self, twin):
        return "%s[%d]" % (self.path, self.first + twin)

    def set(self, twin, leaf, by):
        return "%s%s = %s" % (self.at(twin), leaf[0], json.dumps(changed(leaf[1], by)))

    def base(self, count, apart):
        word = "set" if self.over else "insert"
        operations = ["%s %s = %s" % (word, self.at(twin), self.element) for twin in range(count)]
        if apart:
            operations += [self.set(twin, self.values[-1], 3 * twin) for twin in range(1, count)]
        return self.bench.edit(self.files, "base", operations)

    def cases(self, count):
        """(name, edits of ours, edits of theirs)"""
        first, last = self.values[0], self.values[-1]
        for a, b in ((0, 1), (1, 0), (1, 2)) if count == 3 else ((10, 11), (11, 10), (10, 20)):
            ours = [self.set(a, first, 1)]
            remove = ["remove " + self.at(b)]
            also = [self.set(b, last, 100)]
            label = "%d of %d changed, %d " % (a, count, b)
            yield label + "changed by theirs", ours, [self.set(b, last, 50)]
            if not self.is_grid:
                yield label + "removed by theirs", ours, remove
            if len(self.values) > 1:
                theirs = [self.set(a, last, 50)]
                yield label + "as it was", ours, theirs
                yield label + "changed", ours + also, theirs
                if not self.is_grid:
                    yield label + "removed", ours + remove, theirs


def prove(bench, twins, rows, most, generator, tally):
    cases = [(count, apart, *case) for count, apart in rows for case in twins.cases(count)]
    made = {}
    for count, apart, label, ours, theirs in generator.sample(cases, most) if most and most < len(cases) else cases:
        if (count, apart) not in made:
            base = twins.base(count, apart)
            made[count, apart] = base and [shutil.copy(file, bench.place("base-%d-%d-%d" % (count, apart, i)))
                                           for i, file in enumerate(base)]
            if base and len(base) > 1:  # the two files belong into one folder
                folder = bench.place("base-%d-%d" % (count, apart))
                made[count, apart] = [shutil.copy(file, folder) for file in made[count, apart]]
        base = made[count, apart]
        # Removals are last, so that indices stay valid.
        files = base and [bench.edit(base, name, sorted(all_of_them, key=lambda one: one.startswith("remove"))) for
                          name, all_of_them in (("ours", ours), ("theirs", theirs), ("wanted", theirs + ours), ("turned", ours + theirs))]
        # If one value follows from the other, their order decides, and neither result is expected.
        if not files or None in files or bench.content(files[2]) != bench.content(files[3]):
            tally["skipped"] += 1
            continue
        label = "%s, %s" % ("each another" if apart else "equal", label)
        if bench.content(files[0]) != bench.content(base) and bench.run("diff", "-q", base[0], files[0][0])[0] != 1:
            tally["failed"] += 1
            tally["said"].append(label + ": diff says that nothing has changed")
        for sides in (files[:2], files[1::-1]):
            prove_merge(bench, base, sides, files[2], label, tally)


def prove_merge(bench, base, sides, wanted, label, tally):
    merged = bench.edit(sides[0], "merged", [])
    code, out, err = bench.run("merge", base[0], sides[0][0], sides[1][0], "-o", merged[0])
    said = (out + err).strip()[:300]
    if code == 1 and "!" in said:
        tally["conflicts"] += 1
    elif code == 5:  # nothing is written: the new values would be new errors
        tally["refused"] += 1
    elif code:
        tally["failed"] += 1
        tally["said"].append("%s: exit %d: %s" % (label, code, said))
    elif bench.content(merged) == bench.content(wanted):
        tally["passed"] += 1
    else:
        tally["failed"] += 1
        tally["said"].append("%s: silently wrong" % label)


def largest(corpus, patterns):
    """Lists of files that belong together, the largest first."""
    found = []
    for pattern in patterns:
        names = pattern.split("+")
        for root, _, files in os.walk(corpus):
            inside = os.path.relpath(root, corpus)
            for file in files:
                path = os.path.normpath(os.path.join(inside, file))
                if not fnmatch.fnmatchcase(path, names[0].replace("**/", "*")):
                    continue
                both = [os.path.join(root, file)]
                both += [os.path.join(root, other) for name in names[1:] for other in sorted(os.listdir(root))
                         if fnmatch.fnmatchcase(other, name)][:1]
                found.append(both)
    return sorted(found, key=lambda files: -os.path.getsize(files[0]))


FILES_OF_A_FORMAT = 12
# Lists without a case, and why: a pattern of "format path" and the reason. The first match counts.
NAMES = "its elements are names of bits, none twice"
REASONS = [
    ("* *flags", NAMES), ("* *_mask", NAMES), ("* *flags_?", NAMES), ("* *mode_flag", NAMES), ("* *side_flag", NAMES),
    ("* *flags_lo", NAMES), ("* *flags_hi", NAMES), ("* *absent_planes", NAMES), ("dds capabilities*", NAMES),
    ("* *quads[].light", "it is bits of one number"), ("* *quads[].kind", "it is bits of one number"),
    ("alien-map map.texture_animation_words[].value", "it is bits of one number"),
    ("alien-map map.cells", "a grid: no cell can be copied, each has its own run of quads"),
    ("alien-map map.triggers", "slots of the game: chains of commands, which two cannot share"),
    ("* *layer_rects", "a grid of a fixed number of layers"), ("dds levels", "as many as the header says"), ("ns2-overview heights", "as many as the header says"),
    ("sfa-voxmap entries", "a file's entries are its numbers, and this one has the only size"),
    ("* *face_layers.faces", "its elements are about those of mesh.faces"), ("turok-animation animations[].*", "as many as there are frames or tracks"),
    ("spark-model animations[].curves[].*", "as many times as values, which come and go together"),
    ("turok-material materials[].values", "a block has one name"),
    ("revenant-model *", "parts are found by numbers of other parts, which a copy would share: it is refused"),
    ("revenant-image *", "as many as the header says"), ("alien-gfx pages", "pages are images, changed by pixels"),
    ("alien-sprites sections*", "frames are packed images, changed by pixels"),
    ("* *unknown_chunks", "bytes that are not known"), ("* *unknown_sections", "bytes that are not known"),
    ("ns2-clip *mesh.*", "as ns2-level, which has the same tables"),
]
# Lists that have no element in any of FILES; all others have a case, or a reason above.
NONE = {
    "ns2-level": ["mesh.face_layers.masks", "mesh.mapping_groups", "mesh.geometry_groups.vertex_groups",
        "mesh.geometry_groups.vertex_groups[].indices", "mesh.geometry_groups.edge_groups",
        "mesh.geometry_groups.edge_groups[].indices", "mesh.geometry_groups.face_groups",
        "mesh.geometry_groups.face_groups[].indices", "mesh.triangles.ghost_vertices",
        "mesh.triangles.smoothed_normals", "objects[].extras", "groups"],
    "alien-map": ["map.lifts", "lift_models", "lift_models[].quads", "lift_models[].vertices"],
    "revenant-sector": ["objects[].generator.monsters"],
    "revenant-def": ["types", "types[].properties", "types[].object_properties", "statistics", "exits",
        "exits[].position", "exits[].color"],
    "revenant-save": ["states", "sold", "players", "players[].stats", "players[].known_spells",
        "players[].automap.levels", "players[].automap.levels[].seen", "players[].inventory",
        "players[].inventory[].stats", "players[].inventory[].generator.monsters", "players[].inventory[].inventory"],
    "revenant-headers": ["entries"],
    "sfa-objindex": ["definitions"],
    "sfa-textable": ["textures"],
    "ns2-clip": ["blocks[].objects[].layer_masks", "blocks[].objects[].extras"],
    "iguana": ["content.blocks"],
    "spark-model": ["animations[].tags"],
    "dds": ["extension"],
    "sfa-voxmap": ["entries[].packed.map.ranks"],
    "sfa-table": ["words"],
}
# Known defects, with the reason.
ID = "copies have one id, which is no level: so it is in 0 of 31 levels; which is which is not said"
KNOWN = {
    "ns2-level mesh.geometry_groups.vertex_groups": ID,
    "ns2-level mesh.geometry_groups.edge_groups": ID,
    "ns2-level mesh.geometry_groups.face_groups": ID,
    "ns2-level groups": ID,
    "ns2-level layers": ID,
}


def reason_of(form, path):
    if path in NONE.get(form, []):
        return "no file has one"
    return next((why for pattern, why in REASONS if fnmatch.fnmatchcase("%s %s" % (form, path), pattern.replace("[", "[[]"))), None)


def find_lists(bench, corpus, form, wanted):
    """The files, path and elements of the largest file that has elements, for each list."""
    found = {}
    for files in largest(corpus, FILES.get(form, []))[:FILES_OF_A_FORMAT]:
        code, text, _ = bench.run("dump", "-c", "-f", form, *files[:1])
        if code:
            continue
        here = {}
        lists_of_values(json.loads(text), "", here)
        for kind, (path, elements) in here.items():
            if kind in wanted and elements:
                found.setdefault(kind, []).append((files, path, elements))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("corpus", nargs="?", default=os.environ.get("MAPSTONE_CORPUS"))
    parser.add_argument("--format")
    parser.add_argument("--list")
    parser.add_argument("--most", type=int, help="how many cases of a list to try, by chance")
    parser.add_argument("--seed", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not options.corpus or not os.path.isdir(options.corpus):
        print("1..0 # SKIP there is no corpus (MAPSTONE_CORPUS)")
        return 0
    tests, failed = 0, 0
    with tempfile.TemporaryDirectory() as room:
        bench = Bench(os.path.abspath(options.command), room)
        forms = [json.loads(line)["format"] for line in bench.run("spec", "--json")[1].splitlines()]
        for form in forms:
            if options.format and form not in options.format.split(","):
                continue
            wanted = lists_of_schema(bench, form)
            found = find_lists(bench, options.corpus, form, wanted)
            for kind in wanted:
                if options.list and options.list not in kind:
                    continue
                tests += 1
                tally = collections.Counter()
                tally["said"] = []
                name = "%s %s" % (form, kind)
                twins = None
                for files, path, elements in found.get(kind, [])[:3]:
                    twins = Twins(bench, files, path, elements)
                    if twins.choose():
                        break
                else:
                    why = "its elements are names, none twice" if wanted[kind] else reason_of(form, kind)
                    failed += why is None
                    print("%sok %d - %s%s" % ("" if why else "not ", tests, name, " # SKIP " + why if why else
                          ": no case and no reason: " + (twins.why if twins else "no file has one")), flush=True)
                    continue
                rows = [(count, apart) for count in COUNTS for apart in (0, 1)]
                prove(bench, twins, rows, options.most, random.Random(name + options.seed), tally)
                known = KNOWN.get(name.replace("ns2-clip blocks[].", "ns2-level ")) if tally["failed"] else None
                failed += tally["failed"] > 0 and not known
                print("%sok %d - %s (%s): %d right, %d wrong, %d conflicts, %d refused, %d not possible" % (
                    "not " * (tally["failed"] > 0), tests, name, ", ".join(path or "itself" for path, _ in twins.values),
                    tally["passed"], tally["failed"], tally["conflicts"], tally["refused"], tally["skipped"])
                    + (" # TODO " + known if known else ""), flush=True)
                for line in tally["said"][:None if options.verbose else 6]:
                    print("#  ", line)
    print("1..%d" % tests)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
