#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Patches of faces of Natural Selection 2 on levels that were edited meanwhile, read from the bytes.

usage: moved_on.py COMMAND [CORPUS]

A patch is made of a level and edits of its faces. Another level has lost and got faces before, so that
vertices, edges, materials and faces have other numbers there. The patch must have the result of the edits
themselves: the same faces by the positions of their corners, with the same materials, triangles, layers
and groups; and --reverse must undo it. Prints TAP, a line for each level.
"""

import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from faces import LEVELS, Failed, Mesh, Reader  # noqa: E402


def run(command, *words):
    done = subprocess.run([command, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def area(corners):
    a, b, c = corners
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    return math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2


class Level(Mesh):
    """A mesh without numbers: faces by positions and names."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        super().__init__(data)
        mesh = next(part for kind, part in Reader(data, 4).chunks() if kind == 2)
        parts = dict(mesh.chunks())
        names = parts[4]
        self.materials = [names.take("%ds" % names.number())[0].decode("latin-1") for _ in range(names.number())]
        self.layers = [()] * len(self.faces)
        if 6 in parts and self.version >= 5:
            part = parts[6]
            count, _ = part.take("II")
            self.layers = [part.take("%dI" % part.number()) if part.take("B" if self.version < 4 else "I")[0] else ()
                           for _ in range(count)]
        self.groups = [set() for _ in self.faces]
        if 8 in parts:
            part = parts[8]
            for of in range(3):
                for _ in range(part.number()):
                    group = part.number()
                    for member in part.take("%dI" % part.number()):
                        if of == 2 and member < len(self.groups):
                            self.groups[member].add(group)

    def loops(self, index):
        """The positions of the corners, each loop from its least one."""
        found = []
        for loop in self.faces[index][3]:
            points = [self.points[vertex] for vertex in loop]
            first = points.index(min(points))
            found.append(tuple(points[first:] + points[:first]))
        return tuple(found)

    def corner(self, vertex):
        return self.points[vertex] if vertex < len(self.points) else self.ghosts[vertex - len(self.points)]

    def face(self, index):
        lying, group, material, _ = self.faces[index]
        drawn = tuple(sorted(tuple(self.corner(v) for v in t) for t in self.triangles[index])) if self.triangles else ()
        return (self.loops(index), repr(lying), group, self.materials[material], drawn, self.layers[index],
                tuple(sorted(self.groups[index])))

    def all(self, triangles=True, parts=False):
        """The faces; without their triangles their area, as they may be triangulated differently. `parts`:
        and the parts that they consist of: an edge of which the patch and the other edits removed one face
        each may stay."""
        faces = [self.face(i) for i in range(len(self.faces))]
        if not triangles:
            faces = [face[:4] + (round(sum(area(one) for one in face[4]), 2),) + face[5:] for face in faces]
        ends = [sorted(self.points[vertex] for vertex in edge) for edge in self.edges]
        return sorted(faces, key=repr) + [sorted(self.points), sorted(ends), sorted(self.materials)] * parts

    def find(self, loops):
        return [i for i in range(len(self.faces)) if self.loops(i) == loops]


def edits(level, plan):
    """The operations of a plan in a level, from the last face to the first."""
    made, adds = [], []
    for kind, loops, value in plan:
        if kind == "add":
            adds.append("add mesh.faces positions=%s material=\"%s\"" % (value[0], value[1]))
            continue
        index = level.find(loops)
        if len(index) != 1:
            raise Failed("a face is there %d times" % len(index))
        text = {"remove": "remove mesh.faces[%d]", "retexture": "mesh.faces[%%d].material=%s" % value,
                "turn": "mesh.faces[%%d].angle=%s" % value}[kind]
        if kind == "retexture":
            text = "mesh.faces[%%d].material=%d" % level.materials.index(value)
        made.append((index[0], text % index[0]))
    return [text for _, text in sorted(made, reverse=True)] + adds


def apply(command, source, plan, output):
    words = [word for text in edits(Level(source), plan) for word in ("-e", text)]
    code, said = run(command, "edit", "-q", "--force", "--cascade", source, *words, "-o", output)
    if code:
        raise Failed("edit: exit %d: %s" % (code, said[-300:]))


def triangle(chance, far):
    x, y = round(chance.uniform(0, 50), 2) + far, round(chance.uniform(0, 9), 2)
    return [[x, y, 1], [x, y, 7.5], [x + 6, y, 7]]


def plans(level, chance):
    """The edits of the patch and the edits made meanwhile: to faces that occur once, and to different ones."""
    once = [i for i in range(len(level.faces)) if level.sound(i) and len(level.find(level.loops(i))) == 1
            and all(len(set(loop)) == len(loop) for loop in level.faces[i][3])]
    chosen = chance.sample(once, min(9, len(once)))
    patch = [("remove", level.loops(i), None) for i in chosen[:2]]
    used = sorted({level.materials[level.faces[i][2]] for i in once if i not in chosen})
    patch += [("retexture", level.loops(i), chance.choice(used)) for i in chosen[2:4]]
    patch += [("turn", level.loops(i), 0.25) for i in chosen[4:5]]
    border = level.loops(chosen[5])[0]
    patch += [("add", None, (triangle(chance, 300), "materials/new/patch.material")),
              ("add", None, ([list(border[0]), list(border[1]), [500, 4, 500]], used[0]))]
    meanwhile = [("remove", level.loops(i), None) for i in chosen[6:]]
    meanwhile += [("add", None, (triangle(chance, 900), "materials/new/meanwhile.material"))]
    return patch, meanwhile


def same(name, one, other):
    if one == other:
        return
    lost = [face for face in other if face not in one]
    come = [face for face in one if face not in other]
    raise Failed("%s: %d faces are lost, %d are others: %.300s / %.300s" % (name, len(lost), len(come), lost[:1], come[:1]))


def attempt(command, path, room, chance):
    def at(name):
        return os.path.join(room, name + ".level")

    def do(*words):
        code, said = run(command, *words)
        if code:
            raise Failed("%s: exit %d: %s" % (" ".join(words[:2]), code, said[-300:]))

    patch, meanwhile = plans(Level(path), chance)
    apply(command, path, patch, at("new"))
    apply(command, path, meanwhile, at("other"))
    apply(command, at("other"), patch, at("expected"))
    with open(at("patch"), "wb") as file:
        subprocess.run([command, "diff", "--patch", path, at("new")], stdout=file, check=False)
    do("patch", "-q", path, at("patch"), "-o", at("exact"))
    with open(at("exact"), "rb") as one, open(at("new"), "rb") as other:
        if one.read() != other.read():
            raise Failed("the patch does not make the new level")
    do("patch", "-q", at("other"), at("patch"), "-o", at("patched"))
    same("patched", Level(at("patched")).all(), Level(at("expected")).all())
    code, said = run(command, "patch", "-q", "--reverse", at("patched"), at("patch"), "-o", at("back"))
    if code == 5 and "[NS2-LOOP-OPEN]" in said and not os.path.exists(at("back")):
        refused = True  # restoring faces among those added meanwhile can leave a gap: nothing is written
    elif code:
        raise Failed("patch --reverse: exit %d: %s" % (code, said[-300:]))
    else:
        refused = False
        same("reversed", Level(at("back")).all(False, True), Level(at("other")).all(False, True))
        os.remove(at("back"))
    lost = os.path.join(room, "lost.level")
    apply(command, path, [one for one in patch if one[0] == "remove"], lost)
    os.remove(at("patched"))
    code, said = run(command, "patch", "-q", lost, at("patch"), "-o", at("patched"))
    if code != 5 or os.path.exists(at("patched")) or said.count("! mesh.faces[") != 2:
        raise Failed("what is not there is not refused: exit %d: %s" % (code, said[-300:]))
    code, _ = run(command, "patch", "-q", "--partial", lost, at("patch"), "-o", at("patched"))
    if code != 1:
        raise Failed("--partial: exit %d" % code)
    same("partial", Level(at("patched")).all(False), Level(at("new")).all(False))
    os.remove(at("patched"))
    return refused


def main():
    command, corpus = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MAPSTONE_CORPUS", "")
    failed = 0
    with tempfile.TemporaryDirectory() as room:
        sample = os.path.join(room, "outpost.level")
        top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        run(command, "convert", os.path.join(top, "samples", "outpost.json"), "-o", sample)
        levels = [sample] + [os.path.join(corpus, name) for name in LEVELS if os.path.exists(os.path.join(corpus, name))]
        for number, path in enumerate(levels, 1):
            wrong, refused = [], 0
            for seed in range(5):
                try:
                    refused += attempt(command, path, room, random.Random(seed))
                except Failed as error:
                    wrong.append("seed %d: %s" % (seed, error))
            if refused > 1:
                wrong.append("%d of 5 reversals are refused" % refused)
            failed += bool(wrong)
            print("%s %d - %s" % ("not ok" if wrong else "ok", number, os.path.basename(path)), flush=True)
            for line in wrong:
                print("# " + line)
        print("1..%d" % len(levels))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
