#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Merges each pair of a list of edits of one level, and judges the result by what the edits themselves make.

usage: matrix.py COMMAND [FAMILY...]

Two copies of a level have one edit each. If the merge has no conflict, it is what both edits make one after the other, in
one of the two orders. If it has one, the merge that prefers a side is that side, byte for byte: nothing of the other one is
left in it. A patch of one edit, applied to the copy with the other one, makes the merge, or is refused. Differences
that `diff` does not call content do not count, such as the order of a set. Prints TAP, a line for each family.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))

# The edits are about the last elements of lists, so that none of them moves those of another one; and for each family pairs
# that are judged by their exit code only: a copy stays, without the layer that it was put into; two copies get numbers in the
# order in which they are made.
FAMILIES = {
    "ns2": ("outpost.json", "outpost.level", {
        "moved": "objects[19].properties.origin[0] += 1.5", "brighter": "objects[19].properties.intensity = 2",
        "plain": "remove objects[19].properties[5]", "spot": "objects[19].class_name = light_spot",
        "grouped": "objects[19].group = 1", "layer 2": "objects[19].layer_masks[0] = 4", "no layer": "objects[19].layer_masks[0] = 0",
        "removed": "remove objects[19]", "copied": "duplicate objects[19]", "added": "add objects class_name=light_point origin=[1,2,3]",
        "Lamps": "layers[1].name = Lamps", "no Lights": "remove layers[1]", "no Game": "remove layers[2]",
        "Hall": "groups[0].name = Hall", "no group": "remove groups[0]",
        "no face": "remove mesh.faces[171]", "other face": "mesh.faces[171].material = 1", "turned face": "mesh.faces[171].angle = 0.25",
        "copied face": "duplicate mesh.faces[171]", "grouped face": "mesh.faces[171].group = 1",
    }, {("copied", "no Lights"), ("no Lights", "copied"), ("added", "no Lights"), ("no Lights", "added")}),
    "turok": ("valley.json", "valley.map", {
        "moved": "actors.records[87].origin[0] += 30", "weak": "actors.records[87].health = 7", "strong": "actors.records[87].health = 8",
        "removed": "remove actors.records[87]", "copied": "duplicate actors.records[87]", "variant": "actors.records[87].variant = 3",
        "sector": "collision.sectors[3059].draw_order = 9", "sun": "world.sun_color[0] = 3",
    }, set()),
    "alien": ("bunker.json", "L900LEV.MAP", {
        "moved": "map.monsters[7].x += 1", "weak": "map.monsters[7].health = 7", "strong": "map.monsters[7].health = 8",
        "queen": "map.monsters[7].type = queen", "removed": "remove map.monsters[7]", "copied": "duplicate map.monsters[7]",
        "wall": "map.quads[500].texture = 3", "no wall": "remove map.quads[500]", "copied wall": "duplicate map.quads[500]",
        "command": "map.commands[63].amount = 2", "box": "map.boxes[12].x += 1", "no box": "remove map.boxes[12]",
    }, set()),
    "revenant": ("keep/7_11_11.json", "7_11_11.DAT", {
        "moved": "objects[310].position[0] += 16", "renamed": "objects[310].name = Other", "removed": "remove objects[310]",
        "copied": "duplicate objects[310]", "chest": "objects[306].position[1] += 16", "thing": "objects[306].inventory[2].name = Boots",
        "no thing": "remove objects[306].inventory[2]", "two things": "duplicate objects[306].inventory[2]",
        "lock": "objects[306].stats[0].value += 5", "first": "remove objects[0]",
    }, {("copied", "two things"), ("two things", "copied")}),
}


class Matrix:
    def __init__(self, command, room, level, edits):
        self.command, self.room, self.level, self.edits = command, room, level, edits
        self.faults = []

    def run(self, *words):
        return subprocess.run([self.command, *words], cwd=self.room, capture_output=True, check=False)

    def edit(self, source, name, target):
        return self.run("edit", "-q", "--no-history", source, "-e", self.edits[name], "-o", target).returncode == 0

    def is_same(self, a, b):
        """Whether two levels have the same content."""
        done = self.run("diff", a, b)
        return done.returncode == 0 or (done.returncode == 1 and done.stdout.startswith(b"(only "))

    def are_equal(self, a, b):
        return open(os.path.join(self.room, a), "rb").read() == open(os.path.join(self.room, b), "rb").read()

    def note(self, what, one, other, *words):
        self.faults.append("%s: %s | %s %s" % (what, one, other, " ".join(words)))

    def merge(self, one, other, side, target):
        return self.run("merge", "--no-history", self.level, one, other, "--prefer", side, "-o", target)

    def judge(self, one, other, leaves):
        ours, theirs, suffix = self.file(one), self.file(other), os.path.splitext(self.level)[1]
        merged, both = "merged" + suffix, ["ab" + suffix, "ba" + suffix]
        done = self.merge(ours, theirs, "ours", merged)
        if done.returncode not in (0, 1):
            self.note("refused", one, other, done.stderr.decode()[-200:])
            return
        if done.stdout:
            if not self.are_equal(merged, ours) and not leaves:
                self.note("ours is not ours", one, other, done.stdout.decode())
            done = self.merge(ours, theirs, "theirs", merged)
            if done.returncode not in (0, 1) or (not self.are_equal(merged, theirs) and not leaves):
                self.note("theirs is not theirs", one, other, done.stdout.decode(), done.stderr.decode())
            return
        orders = [self.edit(ours, other, both[0]), self.edit(theirs, one, both[1])]
        if not leaves and not any(made and self.is_same(merged, level) for made, level in zip(orders, both)):
            self.note("neither order", one, other)
        patched = "patched" + suffix
        if self.run("patch", "-q", "--no-history", ours, self.file(other) + ".mspatch", "-o", patched).returncode == 0 and \
                not self.is_same(merged, patched):
            self.note("patch is not the merge", one, other)

    def file(self, name):
        return "%s%s" % (name.replace(" ", "_"), os.path.splitext(self.level)[1])


def family(command, room, sample, level, edits, leaves):
    all_of_them = Matrix(command, room, level, edits)
    subprocess.run([command, "convert", "-q", os.path.join(TOP, "samples", sample), "-o", os.path.join(room, level)], check=True)
    for name in edits:
        if not all_of_them.edit(level, name, all_of_them.file(name)):
            raise ValueError("cannot edit: %s" % edits[name])
        all_of_them.run("diff", level, all_of_them.file(name), "-o", all_of_them.file(name) + ".mspatch")
    pairs = list(itertools.permutations(edits, 2))
    for one, other in pairs:
        all_of_them.judge(one, other, (one, other) in leaves)
    return len(pairs), all_of_them.faults


def main():
    command, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(FAMILIES)
    failed = 0
    print("1..%d" % len(wanted))
    for number, name in enumerate(wanted, 1):
        room = tempfile.mkdtemp()
        pairs, faults = family(command, room, *FAMILIES[name])
        shutil.rmtree(room)
        for fault in faults:
            print("# " + fault.replace("\n", "\n#   "))
        failed += bool(faults)
        print("%s %d - %s: %d pairs of edits" % ("not ok" if faults else "ok", number, name, pairs))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
