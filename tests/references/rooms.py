#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Moves rooms of Natural Selection 2, and reads from the bytes which elements have moved.

usage: rooms.py COMMAND [CORPUS]

A room is the volume of the locations of one name: a box as large as their scale around their origin,
rotated by their angles. Faces with all corners in it and entities whose origin is in it move; others stay,
and with --drag only the vertices that they share follow. At each corner of a face that moved with its room
the texture is unchanged, to 0.00001 and the precision of 32-bit numbers. Without --drag the edit is
refused where vertices are shared. `diff` reports exactly the moved elements, and a patch makes the level
again. Prints TAP, a line for each level.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from faces import Mesh, run  # noqa: E402
from ns2 import Reader  # noqa: E402

SLACK = 0.001  # in metres: walls at the border of a room are in it


class Entity:
    def __init__(self, version, part):
        if version < 5:
            part.take("Q")
        elif part.number():
            _, count = part.take("II")
            part.take("%dI" % count)
        if version >= 5:
            part.number()
        self.class_name, self.properties = part.narrow(), {}
        if version >= 10:
            count = part.number()
        while part.place < part.end and (version < 10 or count):
            kind, length = part.take("II")
            end = part.place + length
            if kind == 2:
                name, (_, components, _) = part.narrow(), part.take("III")
                if name in (b"origin", b"angles", b"scale") and components == 3:
                    self.properties.setdefault(name, part.take("fff"))
                elif name == b"name":
                    self.properties.setdefault(name, part.wide().decode("utf-16-le"))
            part.place = end
            count = version >= 10 and count - 1


class Room:
    def __init__(self, entity):
        self.name = entity.properties.get(b"name", "")
        self.middle = entity.properties.get(b"origin", (0, 0, 0))
        self.half = [abs(size) / 2 for size in entity.properties.get(b"scale", (0, 0, 0))]
        self.angles = entity.properties.get(b"angles", (0, 0, 0))

    def has(self, point):
        """Rotates the point back: by yaw about y, by pitch about x, by roll about z."""
        x, y, z = (p - m for p, m in zip(point, self.middle))
        roll, pitch, yaw = self.angles
        x, z = x * math.cos(yaw) - z * math.sin(yaw), x * math.sin(yaw) + z * math.cos(yaw)
        y, z = y * math.cos(pitch) + z * math.sin(pitch), -y * math.sin(pitch) + z * math.cos(pitch)
        x, y = x * math.cos(roll) + y * math.sin(roll), -x * math.sin(roll) + y * math.cos(roll)
        return all(abs(at) <= half + SLACK for at, half in zip((x, y, z), self.half))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return Mesh(data), [Entity(data[3], part) for kind, part in Reader(data, 4).chunks() if kind == 1]


class Failed(Exception):
    pass


def need(good, what):
    if not good:
        raise Failed(what)


def compare(before, after, entities, moved_entities, inside, shift):
    shared = before.vertices_of(inside)
    for vertex, (p, q) in enumerate(zip(before.points, after.points)):
        wanted = [a + b for a, b in zip(p, shift)] if vertex in shared else p
        need(all(abs(a - b) <= 1e-4 for a, b in zip(wanted, q)), "vertex %d is at %s, not %s" % (vertex, q, wanted))
    for index in inside:
        if before.sound(index) and after.sound(index):
            # coordinates and offsets of 32 bits have a precision that depends on their size
            lying, corners = after.faces[index][0], [after.points[v] for v in after.faces[index][3][0]]
            inexact = max(abs(n) for n in lying[3:]) * max(sum(abs(n) for n in p) for p in corners) + max(
                abs(n) for n in lying[1:3])
            for p, q in zip(before.texture(index), after.texture(index)):
                need(all(abs(a - b) <= 1e-5 + inexact * 2 ** -24 for a, b in zip(p, q)),
                     "faces[%d]: texture at %s, not %s" % (index, q, p))
    for index in set(range(len(before.faces))) - inside:
        need(before.faces[index][0] == after.faces[index][0], "the texture of faces[%d] changed" % index)
    for index, (old, new) in enumerate(zip(entities[0], entities[1])):
        by = shift if index in moved_entities else (0, 0, 0)
        p, q = old.properties.get(b"origin"), new.properties.get(b"origin")
        need((p is None) == (q is None) and (p is None or all(
            abs(a + d - b) <= 1e-4 for a, b, d in zip(p, q, by))), "objects[%d] is at %s, was at %s" % (index, q, p))


def is_sliver(mesh, index):
    """Whether two corners are so close that rounding rotates the face, and its texture's scale follows."""
    corners = [mesh.points[v] for v in mesh.faces[index][3][0]]
    return any(math.dist(p, q) < 1e-4 for p, q in zip(corners, corners[1:] + corners[:1]))


def check_comparison(command, mesh, path, output, vertices, things, shift):
    """The lines of `diff`: faces all of whose vertices have moved, others reshaped, things; and the result of
    a patch."""
    moved = {i for i, face in enumerate(mesh.faces) if face[3][0] and mesh.vertices_of([i]) <= vertices}
    by = " moved by %s" % ",".join("%g" % number for number in shift)
    done = subprocess.run([command, "diff", "--all", path, output], stdout=subprocess.PIPE, check=False)
    lines = [line for line in done.stdout.decode().splitlines() if line.startswith("~ mesh.faces[") and by in line]
    said = {int(line[len("~ mesh.faces["):line.index("]")]) for line in lines}
    need(said == moved, "diff says that %d faces moved, not %d: %s" % (len(said), len(moved), sorted(said ^ moved)[:4]))
    lines = subprocess.run([command, "diff", path, output], stdout=subprocess.PIPE, check=False).stdout.decode().splitlines()
    slivers = tuple("~ mesh.faces[%d] " % i for i in moved if is_sliver(mesh, i))
    other = [line for line in lines if not line.startswith(slivers) and not re.match(r"[*~] ([0-9]+ faces\b|[0-9]+ objects\b|mesh\.faces\[|objects\[).*(moved by|reshaped|: origin )", line)]
    need(not other and "ambiguous" not in "".join(lines), "diff also says: %s" % (other or lines)[:4])
    counts = [int(found.group(1) or 1) for found in (re.match(r"[*~] (?:([0-9]+) objects|objects\[).*(?:%s|: origin )" % by, line) for line in lines) if found]
    need(sum(counts) == len(things), "diff says that %d things moved, not %d" % (sum(counts), len(things)))
    patch, again = output + ".mspatch", output + ".again"
    run(command, "diff", path, output, "-o", patch)
    code, why = run(command, "patch", path, patch, "-o", again)
    with open(output, "rb") as one, open(again, "rb") as other:
        need(code == 0 and one.read() == other.read(), "the patch makes another level: %s" % why[-200:])


def findings(command, path):
    done = subprocess.run([command, "check", "-q", "--json", path], stdout=subprocess.PIPE, check=False)
    return sorted(json.loads(line).get("code", "") for line in done.stdout.decode().splitlines() if line.startswith("{"))


def move(command, path, output, name, rooms, shift):
    """Moves one room. Returns whether it contained anything."""
    mesh, entities = read(path)
    inside = {i for i, face in enumerate(mesh.faces) if all(
        any(room.has(mesh.points[v]) for room in rooms) for loop in face[3] for v in loop) and face[3][0]}
    things = {i for i, entity in enumerate(entities) if b"origin" in entity.properties and any(
        room.has(entity.properties[b"origin"]) for room in rooms)}
    vertices = mesh.vertices_of(inside)
    shares = any(vertices & mesh.vertices_of([i]) for i in range(len(mesh.faces)) if i not in inside)
    words = ["edit", "-q", path, "-e", "move in=(%s) by %s,%s,%s" % (name, *shift), "-o", output]
    if os.path.exists(output):
        os.remove(output)
    code, said = run(command, *words)
    if shares:
        need(code == 5 and not os.path.exists(output), "not refused, exit %d" % code)
        code, said = run(command, *words, "--drag")
    need(code == 0, "exit %d: %s" % (code, said[-200:]))
    after, entities_after = read(output)
    compare(mesh, after, (entities, entities_after), things, inside, shift)
    if inside:
        check_comparison(command, mesh, path, output, vertices, things, shift)
    if not shares:
        need(findings(command, path) == findings(command, output), "there are other findings")
    return inside and things


def main():
    command, corpus = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MAPSTONE_CORPUS", "")
    failed = number = 0
    with tempfile.TemporaryDirectory() as place:
        top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        sample = os.path.join(place, "outpost.level")
        run(command, "convert", os.path.join(top, "samples", "outpost.json"), "-o", sample)
        turned = os.path.join(place, "turned.level")
        run(command, "edit", sample, "-e", "objects[class_name=location; 0].properties.angles = [0.25,-0.5,0.75]", "-o", turned)
        levels = [sample, turned]
        for folder, _, names in os.walk(corpus) if corpus else ():
            levels += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".level")]
        for path in levels:
            try:
                rooms = {}
                for entity in read(path)[1]:
                    if entity.class_name == b"location" and Room(entity).name:
                        rooms.setdefault(Room(entity).name, []).append(Room(entity))
            except (ValueError, IndexError, StopIteration, KeyError):
                continue  # not a level
            if not rooms:
                continue
            number += 1
            good, some = True, 0
            for name, boxes in rooms.items():
                try:
                    some += bool(move(command, path, os.path.join(place, "moved.level"), name, boxes, (8, 0.5, -16)))
                except Failed as why:
                    good = False
                    print("# %s, %s: %s" % (os.path.basename(path), name, why))
            good = good and (some or path not in levels[:2])
            failed += not good
            print("%s %d - %s: %d rooms, %d with faces and entities" % (
                "ok" if good else "not ok", number, os.path.basename(path), len(rooms), some), flush=True)
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
