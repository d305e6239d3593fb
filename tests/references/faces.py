#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Moves, rotates and scales faces of Natural Selection 2, and reads the resulting positions of textures from
the bytes.

usage: faces.py COMMAND [CORPUS] [--all]

A face keeps its texture: each of its corners has the same texture coordinates as before, by the format's
description. Vertices move as requested, others stay; faces that share some with them refuse the edit, or
are dragged along with new triangles; all other bytes of the level are unchanged. Prints TAP, a line for
each level.
"""

import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ns2 import Reader  # noqa: E402

LEVELS = ["ns2/NS2Combat__ns2_eem_test_level__527332d5.level", "ns2/ns2-skulks-with-shotguns__sws2__a8fed37c.level",
          "ns2/ns2lua__splay__4788dc5c.level"]
MORE = ["ns2/ns2-skulks-with-shotguns__2fort__267190d3.level", "ns2/ns2-skulks-with-shotguns__ns2_sws_ikea__c29f04a0.level"]


class Mesh:
    def __init__(self, data):
        self.version = data[3]
        chunks = [(kind, part.place, part.end) for kind, part in Reader(data, 4).chunks()]
        self.others = [data[place:end] for kind, place, end in chunks if kind != 2]
        parts = next(dict(Reader(data, place, end).chunks()) for kind, place, end in chunks if kind == 2)
        vertices, edges, faces = parts[1], parts[2], parts[3]
        self.points = []
        for _ in range(vertices.number()):
            self.points.append(vertices.take("fff"))
            if self.version >= 8:
                vertices.take("B")
        self.edges = []
        for _ in range(edges.number()):
            self.edges.append(edges.take("II"))
            if self.version >= 8:
                edges.take("B")
        self.faces = []
        for _ in range(faces.number()):
            lying = faces.take("fffff")
            group, material, inner = faces.take("III")
            loops = []
            for _ in range(inner + 1):
                count = faces.number()
                words = faces.take("%dI" % (2 * count))
                loops.append([self.edges[words[2 * k + 1]][1 if words[2 * k] else 0] for k in range(count)
                              if words[2 * k + 1] < len(self.edges)])
            self.faces.append((lying, group, material, loops))
        self.ghosts, self.triangles = [], []
        if 5 in parts:
            self.read_triangles(parts[5])

    def read_triangles(self, part):
        normals = 0
        if self.version >= 7:
            self.ghosts = [part.take("fff") for _ in range(part.number())]
        if self.version >= 8:
            normals = part.number()
            part.take("%df" % (3 * normals))
        count, _ = part.take("II")
        for _ in range(count):
            self.triangles.append([])
            for _ in range(part.number()):
                self.triangles[-1].append(part.take("III"))
                if self.version >= 8:
                    part.take("III")

    def sound(self, index):
        """Whether the face has a plane and a texture."""
        lying, _, _, loops = self.faces[index]
        return all(math.isfinite(number) for number in lying) and lying[3] and lying[4] and len(loops[0]) > 2 and \
            all(vertex < len(self.points) for loop in loops for vertex in loop) and self.axes(index)

    def axes(self, index):
        border = [self.points[vertex] for vertex in self.faces[index][3][0]]
        n = [0.0, 0.0, 0.0]
        for p, q in zip(border, border[1:] + border[:1]):
            for i in range(3):
                j, k = (i + 1) % 3, (i + 2) % 3
                n[i] += (p[j] - q[j]) * (p[k] + q[k])
        length = math.sqrt(sum(c * c for c in n))
        if not length > 1e-6:
            return None
        n = [c / length for c in n]
        if abs(abs(n[0]) - 0.00127) < 1e-4 or abs(abs(n[2]) - 0.00127) < 1e-4:
            return None  # either rule might hold
        if abs(n[0]) < 0.00127 and abs(n[2]) < 0.00127:
            s = -1.0 if n[1] < 0 else 1.0
            return (0.0, 0.0, s), (s, 0.0, 0.0)
        length = math.hypot(n[2], n[0])
        u = (n[2] / length, 0.0, -n[0] / length)
        return u, (n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0])

    def texture(self, index):
        """The texture coordinates of the border's corners."""
        (angle, ox, oy, sx, sy), _, _, loops = self.faces[index]
        u, v = self.axes(index)
        found = []
        for vertex in loops[0]:
            p = self.points[vertex]
            x, y = sum(a * b for a, b in zip(p, u)), sum(a * b for a, b in zip(p, v))
            x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
            found.append((x * sx + ox, oy - y * sy))
        return found

    def vertices_of(self, indices):
        return {vertex for index in indices for loop in self.faces[index][3] for vertex in loop}


def run(command, *words):
    done = subprocess.run([command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")


class Failed(Exception):
    pass


def same(a, b, tolerance):
    return all(abs(x - y) <= tolerance * (1 + max(abs(x), abs(y))) for x, y in zip(a, b))


def compare(before, after, indices, motion, dragged):
    moved = before.vertices_of(indices)
    for vertex, (p, q) in enumerate(zip(before.points, after.points)):
        if vertex in moved and not same(motion(p), q, 1e-5):
            raise Failed("vertex %d is at %s, not at %s" % (vertex, q, motion(p)))
        if vertex not in moved and p != q:
            raise Failed("vertex %d moved" % vertex)
    if len(after.points) != len(before.points) or after.edges != before.edges or after.others != before.others:
        raise Failed("something else changed")
    for index, (old, new) in enumerate(zip(before.faces, after.faces)):
        if old[1:] != new[1:] or (index not in indices and old[0] != new[0]):
            raise Failed("faces[%d] is another one" % index)
        if index not in indices:
            continue
        if not before.sound(index) or not after.sound(index):
            continue
        for p, q in zip(before.texture(index), after.texture(index)):
            if not same(p, q, 2e-3):
                raise Failed("faces[%d]: texture coordinates %s, not %s" % (index, q, p))
    for index, (old, new) in enumerate(zip(before.triangles, after.triangles)):
        own = before.vertices_of([index])
        usual = all(vertex in own for triangle in old for vertex in triangle)
        if old != new and index not in dragged and usual:
            raise Failed("triangles of faces[%d] changed" % index)
        if index in dragged and usual and old:
            if {vertex for triangle in new for vertex in triangle} - own or not new:
                raise Failed("faces[%d] has triangles of others" % index)


def attempts(command, path, room, count, chance, tally):
    with open(path, "rb") as file:
        before = Mesh(file.read())
    output = os.path.join(room, os.path.basename(path))

    def tries(name, indices, words, motion, options=(), dragged=frozenset()):
        operations = []
        for index in sorted(indices):
            operations += ["-e", words % index]
        if os.path.exists(output):
            os.remove(output)
        code, said = run(command, "edit", "-q", path, *operations, *options, "-o", output)
        try:
            if motion is None:
                if code != 5 or os.path.exists(output):
                    raise Failed("not refused: exit %d" % code)
            else:
                if code:
                    raise Failed("exit %d: %s" % (code, said[-200:]))
                with open(output, "rb") as file:
                    compare(before, Mesh(file.read()), indices, motion, dragged)
            tally[0] += 1
        except Failed as failed:
            tally[1] += 1
            print("# %s: %s of %s: %s" % (os.path.basename(path), name, sorted(indices)[:5], failed), flush=True)

    faces = list(range(len(before.faces)))
    chance.shuffle(faces)
    for index in faces[:count]:
        if not before.sound(index):
            continue
        vertices = before.vertices_of([index])
        around = {i for i, face in enumerate(before.faces)
                  if i != index and any(vertex in vertices for loop in face[3] for vertex in loop)}
        if around:
            tries("move", {index}, "move mesh.faces[%d] by 1,2,3", None)
        shift = [round(chance.uniform(-4, 4), 2) for _ in range(3)]
        tries("move --drag", {index}, "move mesh.faces[%%d] by %s,%s,%s" % tuple(shift),
              lambda p: [a + b for a, b in zip(p, shift)], ["--drag", "--force"], around)
        middle = [round(chance.uniform(-9, 9), 1) for _ in range(3)]
        angle = chance.uniform(-3, 3)

        def turned(p):
            z, x = p[2] - middle[2], p[0] - middle[0]
            return (middle[0] + z * math.sin(angle) + x * math.cos(angle), p[1],
                    middle[2] + z * math.cos(angle) - x * math.sin(angle))
        tries("rotate --drag", {index}, "rotate mesh.faces[%%d] by %r about %s,%s,%s" % (angle, *middle), turned,
              ["--drag", "--force"], around)
        factor = round(chance.uniform(0.3, 3), 2)
        tries("scale --drag", {index}, "scale mesh.faces[%%d] by %s about %s,%s,%s" % (factor, *middle),
              lambda p: [m + (a - m) * factor for a, m in zip(p, middle)], ["--drag", "--force"], around)


def main():
    words = [word for word in sys.argv[1:] if word != "--all"]
    command, corpus = words[0], words[1] if len(words) > 1 else os.environ.get("MAPSTONE_CORPUS", "")
    levels = [os.path.join(corpus, name) for name in LEVELS + (MORE if "--all" in sys.argv else [])]
    count, failed = 40 if "--all" in sys.argv else 6, 0
    with tempfile.TemporaryDirectory() as room:
        sample = os.path.join(room, "outpost.level")
        top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        run(command, "convert", os.path.join(top, "samples", "outpost.json"), "-o", sample)
        os.mkdir(os.path.join(room, "edited"))
        levels = [sample] + [level for level in levels if os.path.exists(level)]
        for number, path in enumerate(levels, 1):
            tally = [0, 0]
            attempts(command, path, os.path.join(room, "edited"), count, random.Random(17), tally)
            failed += tally[1] > 0 or not tally[0]
            print("%s %d - %s: %d passed, %d failed" % (
                "ok" if tally[0] and not tally[1] else "not ok", number, os.path.basename(path), *tally), flush=True)
        print("1..%d" % len(levels))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
