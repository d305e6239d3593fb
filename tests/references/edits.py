#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Edits real levels and proves by independent readers that everything else keeps its meaning.

usage: edits.py COMMAND CORPUS [--count N] [--seed S] [--family NAMES] [--file PART] [--list PART] [--most M] [--all] [--tap]

For every list of every level: removes elements (plain, and with --cascade), inserts copies of elements and
takes them out again, duplicates, adds and moves. The readers (alien.py, ns2.py, turok.py, sfa.py,
revenant.py) know the formats from their descriptions alone and read bytes. After each edit: no reference
dangles that did not dangle before; the level keeps its meaning, without the removed element and the
elements reported as removed with it; a refused edit wrote nothing and named as many users as the reader
finds. Failures listed in known.txt are counted separately. The last line is "N passed, N failed".
"""

import argparse
import gc
import importlib
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from graph import NEAR, Loose, Node, Refused, value_of  # noqa: E402

LARGE = 100_000  # size of files of which --most edits are tried
SHOWN = 20  # maximum number of lines about further changes that the command prints
FAMILIES = ["alien", "ns2", "turok", "revenant", "sfa"]

# Files of the corpus; * marks those of a short run. The others need --all.
FILES = {
    "alien": ["*alien/L111LEV.MAP", "alien/L111LEV.big-endian.MAP"],
    "ns2": ["*ns2/NS2Combat__ns2_eem_test_level__527332d5.level", "*ns2/NS2Combat__ns2_npc_test__ab7e95fb.level",
            "*ns2/ns2lua__splay__4788dc5c.level",
            "*ns2/ns2-skulks-with-shotguns__sws__e024ab98.geom.clip", "*ns2/ns2-skulks-with-shotguns__sws2__a8fed37c.level",
            "ns2/NS2Combat__ns2_eem_test_level__f28e6dd4.level", "ns2/ns2-skulks-with-shotguns__sws2__068c1cf8.level",
            "ns2/NS2Combat__Combat_menuBG__31f32f1c.level",
            "ns2/ns2-skulks-with-shotguns__2fort__267190d3.level",
            "ns2/ns2-skulks-with-shotguns__ns2_sws_ikea__c29f04a0.level"],
    "turok": ["*turok/synth_vis8.map", "*turok/synth_basic18.map", "*turok/synth_stride16.map",
              "turok/synth_level.map", "turok/synth_valley.map"],
    "revenant": ["*revenant/v15/48_11_9.DAT", "*revenant/v0/1_0_1.DAT", "*revenant/v0/0_2_2.DAT",
                 "*revenant/v2/5_4_22.DAT", "*revenant/v8/90_10_10.DAT", "*revenant/v3/5_3_23.DAT",
                 "revenant/v*/*.DAT"],
    "sfa": ["*sfa/mini"],
}
# Edits that make damaged files from samples: numbers that name nothing must be unchanged.
DAMAGED = {
    "alien": [("bunker.json", "L901LEV.MAP", ["map.quads[5].vertices[0]=30000", "map.monsters[1].drop=200",
                                              "map.boxes[0].drop_first=201", "map.cells[7].light=250"])],
    "ns2": [("outpost.json", "damaged.level", ["mesh.triangles.faces[3][0].vertices[1]=99999",
                                               "mesh.faces[5].loops[0][1].edge=70000", "mesh.faces[6].material=5000",
                                               "mesh.edges[3].vertices[0]=80000"])],
    "turok": [("valley.json", "damaged.map", ["collision.sectors[3].links[0]=60000",
                                              "actors.records[0].sector=50000"])],
}
# Levels of the project, for a run without the corpus: samples/NAME.json -> file.
SAMPLES = {"alien": [("bunker.json", "L900LEV.MAP")], "ns2": [("outpost.json", "outpost.level")],
           "turok": [("valley.json", "valley.map")], "revenant": [("keep/7_11_11.json", "7_11_11.DAT")], "sfa": []}


class Failed(Exception):
    pass


class Bench:
    """One file, and the required state after edits of it."""

    def __init__(self, command, family, path, room):
        self.command, self.family, self.path = command, family, path
        self.reader = importlib.import_module(family)
        with open(path, "rb") as file:
            self.data = file.read()
        self.made = []
        self.level = self.read(self.data)
        self.made = []
        self.meaning = self.level.meaning()
        self.dangling = self.level.dangling()
        self.output = os.path.join(room, "edited", os.path.basename(path))
        self.second = os.path.join(room, "twice", os.path.basename(path))
        self.third = os.path.join(room, "thrice", os.path.basename(path))
        for made in (self.output, self.second, self.third):
            os.makedirs(os.path.dirname(made), exist_ok=True)
        self.last = ""
        self.proved = None

    def read(self, data):
        name = os.path.basename(self.path)
        level = self.reader.read(data, name) if getattr(self.reader, "NEEDS_NAME", False) else self.reader.read(data)
        self.made.append(level)
        return level

    def forget(self):
        """Frees the levels read since: their elements reference each other."""
        for level in self.made:
            for elements in level.lists.values():
                for node in elements:
                    node.refs = None
        self.made = []

    def cli(self, name, index):
        """The path by which the command identifies an element."""
        known = self.level.cli(name, index) if hasattr(self.level, "cli") else "%s[%d]" % (name, index)
        return self.level.prefix + known

    def run(self, *arguments, output=None, path=None, command="set"):
        """Runs `set` or `edit`: (exit code, lines about consequences, the other lines)."""
        output = output or self.output
        if os.path.exists(output):
            os.remove(output)
        words = [self.command, command, path or self.path, *arguments, "-o", output]
        self.last = shlex.join(words)
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        start = (path or self.path) + ": "
        follows = [line[len(start):] for line in lines if line.startswith(start)]
        if done.returncode not in (0, 5):
            raise Failed("exit %d: %s" % (done.returncode, " / ".join(lines)[:300]))
        return done.returncode, follows, lines

    def get(self, path):
        words = [self.command, "get", self.path, path]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise Failed("get %s: exit %d" % (path, done.returncode))
        text = done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")
        return " ".join(line.strip() for line in text.splitlines()) if text[:1] in "{[" else text

    def written(self, output=None):
        with open(output or self.output, "rb") as file:
            return file.read()

    def no_output(self):
        if os.path.exists(self.output):
            raise Failed("a refused edit left a file")

    def no_new(self, after):
        new = [text for text in after.dangling() if text not in self.dangling]
        # Numbers in the text change with the elements: the same count as before means no new ones.
        if len(new) > 0 and len(after.dangling()) > len(self.dangling):
            raise Failed("dangles: %s%s" % (new[0], " and %d more" % (len(new) - 1) if len(new) > 1 else ""))

    @staticmethod
    def compare(expected, found):
        for name in sorted(set(expected) | set(found)):
            was, now = expected.get(name, []), found.get(name, [])
            if was == now:
                continue
            if len(was) != len(now):
                raise Failed("%s: %d elements, not %d" % (name or "the rest", len(now), len(was)))
            at = next(i for i, (a, b) in enumerate(zip(was, now)) if a != b)
            raise Failed("%s[%d] means something else (%d do):\n      was %.600s\n      is  %.600s" % (
                name or "the rest", at, sum(a != b for a, b in zip(was, now)), value_of(was[at]), value_of(now[at])))

    # ---- the proofs ------------------------------------------------------------------------------------

    def said(self, follows):
        """The output of the command: (elements removed, references to nothing, users, references to another
        element, how many lines)."""
        gone, nothing, users, another, count = set(), set(), set(), set(), 0
        for line in follows:
            more = re.fullmatch(r"\.\.\. and (\d+) more", line)
            if more:
                count += int(more.group(1))
                continue
            match = re.fullmatch(r"(.*?): (also removed|no longer refers to anything|now refers to another element|"
                                 r"refers to an element that would be removed|is carried by an element that would be removed).*", line)
            if match:
                count += 1
                {"also removed": gone, "no longer refers to anything": nothing, "now refers to another element": another,
                 "refers to an element that would be removed": users, "is carried by an element that would be removed": users}[match.group(2)].add(
                     match.group(1).removeprefix(self.level.prefix))
        return gone, nothing, users, another, count

    @staticmethod
    def same_lines(what, expected, said, all_said, also=frozenset()):
        if said - expected - also:
            raise Failed("says %s: %s, which the reader does not find" % (what, min(said - expected - also)))
        if all_said and expected - said:
            raise Failed("does not say %s: %s" % (what, min(expected - said)))

    def remove(self, name, index, cascade, keep_loose=False):
        level = self.level
        node = level.lists[name][index]
        if cascade and name in getattr(level, "no_cascade", ()):
            return False
        arguments = ["--remove", self.cli(name, index)] + (["--cascade"] if cascade else []) + (
            ["--keep-loose"] if keep_loose else [])
        forbidden = level.forbids_removal(name, index) if hasattr(level, "forbids_removal") else None
        code, follows, lines = self.run(*arguments)
        gone, nothing, users, another, count = self.said(follows)
        if forbidden or name in getattr(level, "not_removed", ()):
            if code != 5:
                raise Failed("not refused, though %s" % (forbidden or "the format forbids it"))
            return self.no_output()
        try:
            outcome = level.removal(node, cascade, keep_loose)
        except Refused as refused:
            if code != 5:
                raise Failed("not refused, though %s and %d more name it" % (
                    level.ref_path(refused.users[0]), len(refused.users) - 1)) from None
            self.no_output()
            self.same_lines("a user", {level.ref_path(ref) for ref in refused.users}, users,
                            len(refused.users) <= SHOWN and count <= SHOWN)
            more = re.search(r"and (\d+) more\)", lines[-1])
            told = int(more.group(1)) + 1 if more else 1
            if told != len(refused.users):
                raise Failed("names %d users, the reader finds %d" % (told, len(refused.users))) from None
            return None
        if code == 5:
            if hasattr(level, "may_refuse") and level.may_refuse(name, index, lines):
                return self.no_output()
            raise Failed("refused, though nobody names it: %s" % lines[-1])
        # The elements reported as removed are those that must be removed, if all are reported.
        elements, to_nothing, instead, out = outcome
        ended = {level.ref_path(ref) for ref, to in instead if not to}
        untold = getattr(level, "untold", ())  # lists whose elements are part of others
        parts = {part for other in elements for part in level.parts_of(other)} | {node}
        self.same_lines("removed", {level.path(other) for other in elements
                                    if other not in parts and other.list not in untold}, gone,
                        count <= SHOWN, {level.ref_path(ref) for ref in out} | level.also_goes(outcome))
        self.same_lines("names nothing now", {level.ref_path(ref) for ref in to_nothing}, nothing, count <= SHOWN,
                        ended)
        self.same_lines("names another", {level.ref_path(ref) for ref, _ in instead if ref.policy == NEAR}, another,
                        count <= SHOWN, {level.ref_path(ref) for ref, _ in instead})
        data = self.written()
        proved = (name, index, [len(part) for part in outcome])
        if self.proved == (proved, data):  # without --cascade the result was the same
            return None
        after = self.read(data)
        expected, names = level.without(outcome)
        self.compare(expected, after.meaning())
        if not keep_loose:
            self.no_new(after)
        if not keep_loose and len(after.loose()) > len(level.loose()):
            raise Failed("%s now" % after.loose()[0])
        if after.names() != names:
            raise Failed("a reference names another element that is equal to the right one")
        rest = getattr(level, "after_removal", None)
        if rest:
            rest(after, outcome)
        self.proved = (proved, data)
        return None

    def insert(self, name, source, index):
        """Inserts a copy, compares, takes it out again."""
        level = self.level
        if getattr(level, "at_end", True) is not True and name not in level.at_end and index == len(level.lists[name]):
            return False
        copy = text = self.get(self.cli(name, source))
        if hasattr(level, "fresh"):
            text = level.fresh(name, copy, index)
        path = self.cli(name, index)
        arguments = ["--insert", "%s=%s" % (path, text)]
        code, _, lines = self.run(*arguments)
        forbidden = name in getattr(level, "fixed", ()) or (
            hasattr(level, "forbids_insertion") and level.forbids_insertion(name, index))
        if forbidden:
            if code != 5:
                raise Failed("not refused, though the format forbids it")
            return self.no_output()
        if code == 5:
            if hasattr(level, "may_refuse") and level.may_refuse(name, index, lines):
                return self.no_output()
            raise Failed("refused: %s" % lines[-1])
        return self.arrived(name, index, level.lists[name][source], text == copy)

    def arrived(self, name, index, copied, alike):
        """The output of the last command has one more element and otherwise the same meaning. `copied`: the
        new element is like this one, which (`alike`) means the same; None: like nothing in the level."""
        level = self.level
        insertion = self.last
        path = self.cli(name, index)
        data = self.written()
        after = self.read(data)
        dangling = [item for item in after.dangling() if not item.startswith("materials") or name != "mesh.materials"]
        refs = copied.refs[:copied.given] if copied else ()
        allowed = len(self.dangling) + sum(isinstance(ref.to, Loose) for ref in refs)
        if len(dangling) > allowed:
            new = [item for item in dangling if item not in self.dangling]
            raise Failed("dangles: %s" % (new or dangling)[0])
        if len(after.lists[name]) != len(level.lists[name]) + 1:
            raise Failed("%d elements, not %d" % (len(after.lists[name]), len(level.lists[name]) + 1))
        where = level.place_of_insertion(name, index) if hasattr(level, "place_of_insertion") and \
            name == "map.quads" else None
        node, users = after.take_out(name, index)
        for ref in users:
            if ref.owner is node:
                raise Failed("the copy names itself")
            if ref.policy != "member":
                raise Failed("%s names the new element" % after.ref_path(ref))
        if where:
            cells = [ref.owner for ref in users]
            if [after.lists["map.cells"].index(cell) for cell in cells] != [level.lists["map.cells"].index(where)]:
                raise Failed("the new quad is in the run of %s" % [after.path(cell) for cell in cells])
        self.compare(self.meaning, after.meaning())
        if after.names() != self.level.names():
            raise Failed("a reference names another element that is equal to the right one")
        if alike and after.inserted_meaning(node) != level.inserted_meaning(copied):
            raise Failed("the copy means %.400s\n      not %.400s" % (after.inserted_meaning(node),
                                                                     level.inserted_meaning(copied)))
        extra = ["--keep-loose"] if getattr(level, "owned", ()) else []
        code, _, lines = self.run("--remove", path, *extra, output=self.second, path=self.output)
        if code != 0:
            raise Failed("after %s\n      its removal is refused: %s" % (insertion, lines[-1]))
        if hasattr(level, "loses") and level.loses(name):
            return None
        if self.written(self.second) != self.data:
            raise Failed("after %s\n      its removal does not give the old bytes" % insertion)
        return None

    def duplicate(self, name, index):
        """Puts a copy directly after an element."""
        level = self.level
        copied, path = level.lists[name][index], self.cli(name, index)
        code, _, lines = self.run("-e", "duplicate " + path, command="edit")
        if name in getattr(level, "fixed", ()) or level.forbids_insertion(name, index + 1):
            if code != 5:
                raise Failed("not refused, though the format forbids it")
            return self.no_output()
        if code == 5:
            if hasattr(level, "may_refuse") and level.may_refuse(name, index, lines):
                return self.no_output()
            raise Failed("refused: %s" % lines[-1])
        text = self.get(path)
        alike = name not in level.numbered and (
            not hasattr(level, "fresh") or level.fresh(name, text, index + 1) == text)
        return self.arrived(name, index + 1, copied, alike)

    def add(self, name):
        """Adds an element with only the required members: it is placed last, or in the first unused place."""
        level = self.level
        elements = level.lists[name]
        code, _, lines = self.run("-e", "add %s%s %s" % (level.prefix, name, level.needed.get(name, "")),
                                  command="edit")
        if code == 5 and lines and "[NS2-GROUP-UNKNOWN]" in lines[-1]:  # it does not belong to a group yet
            code, _, lines = self.run("--force", "-e", "add %s%s" % (level.prefix, name), command="edit")
        if level.forbids_addition(name):
            if code != 5:
                raise Failed("not refused, though the format forbids it")
            return self.no_output()
        if code == 5:
            raise Failed("refused: %s" % lines[-1])
        if name not in level.slots:
            return self.arrived(name, len(elements), None, False)
        place = next(i for i, node in enumerate(elements) if level.is_unused(node))
        after = self.read(self.written())
        self.no_new(after)
        expected, found = dict(self.meaning), after.meaning()
        if len(after.lists[name]) != len(elements):
            raise Failed("%d elements, not %d" % (len(after.lists[name]), len(elements)))
        changed = [i for i, (was, now) in enumerate(zip(expected.pop(name), found.pop(name))) if was != now]
        if changed != [place]:
            raise Failed("%s change, not the first unused one, %d" % (changed, place))
        self.compare(expected, found)
        code, _, lines = self.run("--remove", self.cli(name, place), output=self.second, path=self.output)
        if code != 0:
            raise Failed("its removal is refused: %s" % lines[-1:])
        # an unused one can be expressed in several ways
        if elements[place].data == level.slots[name][0] and self.written(self.second) != self.data:
            raise Failed("its removal does not give the old bytes")
        return None

    def move(self, name, index, to):
        """An element is moved within its list: all references to the list keep their targets."""
        level = self.level
        path = self.cli(name, index)
        code, _, lines = self.run("-e", "move %s to %d" % (path, to), command="edit")
        if level.forbids_move(name, index, to):
            if code != 5:
                raise Failed("not refused, though the format forbids it")
            return self.no_output()
        if code == 5:
            if hasattr(level, "may_refuse") and level.may_refuse(name, index, lines):
                return self.no_output()
            raise Failed("refused: %s" % lines[-1])
        after = self.read(self.written())
        self.no_new(after)
        meaning, names = level.moved(name, index, to)
        self.compare(meaning, after.meaning())
        if after.names() != names:
            raise Failed("a reference names another element that is equal to the right one")
        back = "move %s to %d" % (self.cli(name, to), index)
        code, _, lines = self.run("-e", back, output=self.second, path=self.output, command="edit")
        if code != 0:
            raise Failed("moving it back is refused: %s" % lines[-1:])
        if not (hasattr(level, "loses") and level.loses(name)) and self.written(self.second) != self.data:
            raise Failed("moved back: other bytes")
        return None

    def exchange(self, name, index):
        """Removes an element that nothing references, and inserts it again."""
        level = self.level
        if hasattr(level, "forbids_removal") and level.forbids_removal(name, index):
            return False
        try:
            outcome = level.removal(level.lists[name][index], False, True)
        except Refused:
            return False
        if name in getattr(level, "not_removed", ()) or name in getattr(level, "fixed", ()):
            return False
        if len(outcome[0]) > 1 or outcome[2] or outcome[3] or name.startswith(tuple(getattr(level, "rows", ()))):
            return False
        path = self.cli(name, index)
        text = self.get(path)
        code, _, lines = self.run("--remove", path, "--insert", "%s=%s" % (path, text), "--keep-loose")
        if code == 5 and hasattr(level, "may_refuse") and level.may_refuse(name, index, lines):
            return False
        if code != 0:
            raise Failed("exit %d: %s" % (code, lines[-1]))
        if self.written() != self.data:
            raise Failed("removed and inserted again: other bytes")
        return True


    def together(self, edits):
        """Several edits in one command have the result of the same edits in sequence; if one fails, nothing
        is written."""
        done, path = [], self.path
        for number, edit in enumerate(edits):
            output = [self.output, self.second][number % 2]
            try:
                code, _, _ = self.run(*edit, "--cascade", output=output, path=path)
            except Failed:
                code = 3  # the referenced element was removed
            if code == 0:
                done.append((edit, output))
                path = output
            else:
                break
        if len(done) < 2:
            return False
        one_by_one = self.written(path)
        words = [word for edit, _ in done for word in edit]
        code, _, lines = self.run(*words, "--cascade", output=self.third)
        if code != 0:
            raise Failed("one by one it works: %s" % lines[-1])
        if self.written(self.third) != one_by_one:
            raise Failed("other bytes than one by one")
        try:
            code, _, _ = self.run(*words, "--remove", "%s[99999999]" % self.cli(next(iter(self.level.lists)), 0), "--cascade",
                                  output=self.third)
        except Failed:
            code = 3
        if code == 0 or os.path.exists(self.third):
            raise Failed("an edit failed, and yet something was written")
        return True


def chosen(count, some, generator):
    """Indices of a list: the first, the last, the middle, then random ones."""
    first = [index for index in (0, count - 1, count // 2) if 0 <= index < count]
    picked = list(dict.fromkeys(first))[:some]
    while len(picked) < min(some, count):
        index = generator.randrange(count)
        if index not in picked:
            picked.append(index)
    return picked


class SetBench(Bench):
    """A folder of files that belong together."""

    def __init__(self, command, path):
        self.command, self.path, self.last = command, path, ""

    def run_in_place(self, path, *arguments, command="set"):
        words = [self.command, command, "-i", path, *arguments]
        self.last = shlex.join(words)
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        if done.returncode not in (0, 5):
            raise Failed("exit %d: %s" % (done.returncode, " / ".join(lines)[:300]))
        return done.returncode, lines, lines

    def get_of(self, file, path):
        own, self.path = self.path, file
        try:
            return self.get(path)
        finally:
            self.path = own


def known_faults():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.txt"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


class Tally:
    """Counts passes, failures, and the failures that known.txt expects."""

    def __init__(self, family, all_known):
        self.passed = self.failed = 0
        self.patterns = [(re.compile(pattern), reason) for name, pattern, reason in all_known if name == family]
        self.kinds = {}
        self.known = {}

    def take(self, bench, kind, name, proof, *arguments):
        try:
            if proof(*arguments) is not False:
                self.passed += 1
                self.kinds[kind] = self.kinds.get(kind, 0) + 1
            return
        except (Failed, ValueError) as failure:
            message = "%s %s: %s" % (kind, name, failure)
        except Exception as failure:  # the reader cannot read the result
            message = "%s %s: the reader ends with %r" % (kind, name, failure)
        for pattern, reason in self.patterns:
            if pattern.search(message):
                self.known[reason] = self.known.get(reason, 0) + 1
                return
        self.failed += 1
        print("FAIL %s\n     %s" % (message, bench.last), flush=True)


def proofs(bench, options):
    """The trials for a file: (kind, description, function, its arguments)."""
    level = bench.level
    alike = {}
    for name, elements in level.lists.items():
        if "[" in name and elements:
            alike.setdefault(re.sub(r"\[\d+\]", "[]", name), []).append(name)
    for pattern, names in alike.items():
        generator = random.Random("%s %s %s" % (options.seed, os.path.basename(bench.path), pattern))
        alike[pattern] = set(generator.sample(names, min(len(names), options.count)))
    for name, elements in level.lists.items():
        if "[" in name and name not in alike.get(re.sub(r"\[\d+\]", "[]", name), ()):
            continue
        if options.list and options.list not in name or name in getattr(level, "inner", ()) or not elements:
            continue
        generator = random.Random("%s %s %s" % (options.seed, os.path.basename(bench.path), name))
        count = len(elements)
        indices = chosen(count, options.count, generator)
        named = [index for index, node in enumerate(elements) if level.users(node)]
        naming = [index for index, node in enumerate(elements) if any(ref.to for ref in node.refs)]
        indices += [generator.choice(some) for some in (named, naming) if some]
        for index in dict.fromkeys(indices):
            label = "%s[%d]" % (name, index)
            yield "remove", label, bench.remove, name, index, False
            yield "cascade", label, bench.remove, name, index, True
            yield "exchange", label, bench.exchange, name, index
            if name not in level.nested:
                yield "duplicate", label, bench.duplicate, name, index
            owned = set(level.owned) - set(getattr(level, "untold", ()))
            if any(isinstance(ref.to, Node) and ref.to.list in owned for ref in elements[index].refs):
                yield "keep loose", label, bench.remove, name, index, False, True
        if name not in level.nested:
            if name not in level.not_added:
                yield "add", name, bench.add, name
            for index in dict.fromkeys(indices[:options.count]):
                to = level.place_to_move(name, index, generator)
                if to is not None and to != index:
                    yield "move", "%s[%d] to %d" % (name, index, to), bench.move, name, index, to
        for place in list(dict.fromkeys([0, count, count // 2]))[:options.count]:
            source = generator.randrange(count)
            if name == "map.quads" and source == count - 1:
                source = 0
            yield "insert", "%s[%d]" % (name, place), bench.insert, name, source, place


def series(bench, options):
    """Several removals and insertions at once."""
    level = bench.level
    generator = random.Random("%s %s" % (options.seed, os.path.basename(bench.path)))
    names = [name for name, elements in level.lists.items()
             if len(elements) > 4 and name not in getattr(level, "inner", ()) and name not in getattr(level, "fixed", ())
             and name not in getattr(level, "not_removed", ()) and (not options.list or options.list in name)]
    for _ in range(options.count if names else 0):
        edits = []
        for name in generator.choices(names, k=4):
            path = bench.cli(name, generator.randrange(len(level.lists[name]) - 4))
            if edits and generator.random() < 0.5:
                edits.append(["--insert", "%s=%s" % (path, bench.get(path))])
            else:
                edits.append(["--remove", path])
        yield "together", " ".join(edit[1].split("=")[0] for edit in edits), bench.together, edits


def prove(bench, options, tally):
    tasks = list(proofs(bench, options)) + list(series(bench, options))
    most = options.most if options.most and len(bench.data) > LARGE else len(tasks)
    if options.most and os.path.basename(bench.path) in {name for made in DAMAGED.values() for _, name, _ in made}:
        most = min(most, 4 * options.most)  # these are copies of the samples
    if most < len(tasks):
        tasks = random.Random(options.seed).sample(tasks, most)
    for kind, label, proof, *arguments in tasks:
        tally.take(bench, kind, label, proof, *arguments)
        bench.forget()


def prove_file(path, family, options, room, tally):
    if os.path.isdir(path):
        bench = SetBench(options.command, path)
        importlib.import_module(family).prove_set(bench, path, room, tally)
    else:
        prove(Bench(options.command, family, path, room), options, tally)


def files_of(family, options, room):
    import glob
    files = []
    if options.corpus and os.path.isdir(options.corpus):
        for entry in FILES[family]:
            short = entry.startswith("*")
            if not short and not options.all and not options.file:
                continue
            found = sorted(glob.glob(os.path.join(options.corpus, entry[short:])))
            files += [path for path in found if path not in files and os.path.getsize(path) > 16]
    samples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "samples")
    for source, name in SAMPLES[family]:
        made = os.path.join(room, name)
        subprocess.run([options.command, "convert", os.path.join(samples, source), "-o", made], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        files.append(made)
    for source, name, changes in DAMAGED.get(family, ()):
        made = os.path.join(room, name)
        for words in (["convert", os.path.join(samples, source), "-o", made], ["set", "-i", "--force", made, *changes]):
            subprocess.run([options.command, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        files.append(made)
    return [path for path in files if not options.file or options.file in path]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command")
    parser.add_argument("corpus", nargs="?", default=os.environ.get("MAPSTONE_CORPUS"))
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--family")
    parser.add_argument("--file")
    parser.add_argument("--list")
    parser.add_argument("--most", type=int, help="how many edits of a large file to try, by chance")
    parser.add_argument("--all", action="store_true", help="all files of the corpus, not only the short ones")
    parser.add_argument("--tap", action="store_true", help="print a TAP line for each family's file")
    options = parser.parse_args()
    options.command = os.path.abspath(options.command)
    gc.disable()  # the levels are freed by hand: with millions of objects looking for garbage costs most of the time
    if not options.corpus or not os.path.isdir(options.corpus):
        print("# the corpus is not here (MAPSTONE_CORPUS): only the samples of the project are edited")
    passed = failed = tests = 0
    kinds, known, all_known = {}, {}, known_faults()
    with tempfile.TemporaryDirectory() as room:
        for family in FAMILIES:
            if options.family and family not in options.family.split(","):
                continue
            for path in files_of(family, options, room):
                tally = Tally(family, all_known)
                prove_file(path, family, options, room, tally)
                for kind, number in tally.kinds.items():
                    kinds[kind] = kinds.get(kind, 0) + number
                for reason, number in tally.known.items():
                    known[reason] = known.get(reason, 0) + number
                passed += tally.passed
                failed += tally.failed
                tests += 1
                if options.tap:
                    print("%sok %d - %s: %d edits" % ("not " * (tally.failed > 0), tests, os.path.basename(path),
                                                     tally.passed + tally.failed), flush=True)
                else:
                    print("%s: %d passed, %d failed" % (os.path.basename(path), tally.passed, tally.failed),
                          flush=True)
    if options.tap:
        print("1..%d" % tests)
    for reason, number in sorted(known.items()):
        print("# known: %d x %s" % (number, reason))
    print("# passed: " + ", ".join("%s %d" % item for item in sorted(kinds.items())))
    print("%s%d passed, %d failed" % ("# " * options.tap, passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
