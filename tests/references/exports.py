#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the OBJ files and Quake maps that `convert` writes, and compares them with the levels' own bytes.

usage: exports.py COMMAND [CORPUS] [--all]

OBJ: each line conforms to the format's grammar and names existing elements; each face of Natural Selection
2 and each quad of Alien Trilogy that is flat and without a hole is one polygon, with its corners in the
level; area and bounds are the level's. For all families they are also those of the GLB, material by
material. Quake's map: each brush is rebuilt from its planes; none is empty, open or has a plane too many;
the area of all front faces is the level's, their texels are at the places that the level's description
states, and each entity of the level is one of the map. Prints TAP.
"""
import collections
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from alien import AlienLevel  # noqa: E402
from faces import Mesh  # noqa: E402
from models import Model, multiply  # noqa: E402
from ns2 import Reader  # noqa: E402

INCHES = 39.3700787
SAFE = re.compile(r"[A-Za-z0-9_-]+$")


class Failed(Exception):
    pass


def need(condition, *words):
    if not condition:
        raise Failed(" ".join(str(word) for word in words))


def near(a, b, tolerance=1e-5):
    return abs(a - b) <= tolerance * max(1e-3, abs(a), abs(b))


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def normal(points):
    """Its length is twice the area, for any flat polygon."""
    total = [0.0, 0.0, 0.0]
    for p, q in zip(points[1:], points[2:]):
        for k, value in enumerate(cross(minus(p, points[0]), minus(q, points[0]))):
            total[k] += value
    return total


def area(points):
    return math.sqrt(dot(normal(points), normal(points))) / 2


def bounds(points):
    points = list(points)
    return [min(p[k] for p in points) for k in range(3)] + [max(p[k] for p in points) for k in range(3)] if points else []


# ---- OBJ -----------------------------------------------------------------------------------------------


class Obj:
    """A reader that stops at anything that the format's description does not have."""

    def __init__(self, path):
        self.lines = {"v": [], "vt": [], "vn": []}
        self.polygons = []  # material, positions
        self.objects, self.groups, self.materials = [], set(), {}
        material, library = None, None
        with open(path, "rb") as file:
            text = file.read()
        need(text.endswith(b"\n") and b"\r" not in text and b"\\" not in text, "lines")
        for number, line in enumerate(text.decode("ascii").split("\n")[:-1], 1):
            word, _, rest = line.partition(" ")
            if word in self.lines:
                values = tuple(struct.unpack("<f", struct.pack("<f", float(part)))[0] for part in rest.split())
                need(len(values) == (2 if word == "vt" else 3) and all(map(math.isfinite, values)), "line", number, line)
                self.lines[word].append(values)
            elif word == "f":
                self.face(material, rest.split(), number)
            elif word == "mtllib":
                need(library is None and rest == os.path.basename(rest), "library", rest)
                library = rest
                self.read_materials(os.path.join(os.path.dirname(path), rest))
            elif word in ("o", "g", "usemtl"):
                need(SAFE.match(rest), "line", number, line)
                if word == "o":
                    self.objects.append(rest)
                elif word == "g":
                    self.groups.add(rest)
                else:
                    material = rest
                    need(library is None or rest in self.materials, "no material", rest)
            else:
                need(word == "#", "line", number, line)
        need(len(set(self.objects)) == len(self.objects), "two objects of one name")

    def face(self, material, corners, number):
        need(len(corners) >= 3, "line", number)
        kinds = {tuple(bool(part) for part in corner.split("/")) for corner in corners}
        need(len(kinds) == 1, "line", number, "corners of several kinds")
        points = []
        for corner in corners:
            for word, part in zip(("v", "vt", "vn"), corner.split("/")):
                need(not part or 1 <= int(part) <= len(self.lines[word]), "line", number, corner)
            points.append(self.lines["v"][int(corner.split("/")[0]) - 1])
        need(len(set(points)) == len(points), "line", number, "a corner twice")
        self.polygons.append((material, points, [corner.split("/") for corner in corners]))

    def read_materials(self, path):
        name = None
        with open(path, "rb") as file:
            text = file.read()
        need(b"\r" not in text and b"\\" not in text, "lines of materials")
        for line in text.decode("ascii").split("\n"):
            word, _, rest = line.partition(" ")
            if word == "newmtl":
                name = rest
                need(SAFE.match(rest) and rest not in self.materials, "material", rest)
                self.materials[name] = {}
            elif word in ("map_Kd", "map_d", "map_Ke", "norm"):
                need(os.path.isfile(os.path.join(os.path.dirname(path), rest)) and ".." not in rest, "no image", rest)
                self.materials[name][word] = rest
            elif word in ("Kd", "d", "illum"):
                need(all(0 <= float(value) <= 1 for value in rest.split()), line)
            else:
                need(word in ("#", ""), "line of materials", line)

    def areas(self):
        found = collections.Counter()
        for material, points, _ in self.polygons:
            found[material] += area(points)
        return found


class Glb(Model):
    def accessor(self, index):
        about = self.json["accessors"][index]
        view = self.json["bufferViews"][about["bufferView"]]
        form, width = {5126: "f", 5125: "I", 5123: "H", 5121: "B"}[about["componentType"]], {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[about["type"]]
        start = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        flat = struct.unpack_from("<%d%s" % (about["count"] * width, form), self.binary, start)
        return flat if width == 1 else [flat[i : i + width] for i in range(0, len(flat), width)]

    def triangles(self):
        names = [material["name"] for material in self.json.get("materials", ())]
        parents = self.parents()
        worlds = {}

        def world(i):
            if i not in worlds:
                above = parents.get(i)
                worlds[i] = self.own(self.nodes[i]) if above is None else multiply(world(above), self.own(self.nodes[i]))
            return worlds[i]

        for i, node in enumerate(self.nodes):
            if "mesh" not in node:
                continue
            skin = self.json["skins"][node["skin"]] if "skin" in node else None
            binds = self.accessor(skin["inverseBindMatrices"]) if skin else None
            for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                points = self.accessor(primitive["attributes"]["POSITION"])
                if skin and "JOINTS_0" in primitive["attributes"]:
                    joints = [multiply(world(joint), bind) for joint, bind in zip(skin["joints"], binds)]
                    mixed = zip(self.accessor(primitive["attributes"]["JOINTS_0"]), self.accessor(primitive["attributes"]["WEIGHTS_0"]))
                    matrices = [[sum(w * joints[j][k] for j, w in zip(js, ws)) for k in range(16)] for js, ws in mixed]
                else:
                    matrices = [world(i)] * len(points)
                placed = [tuple(sum(m[4 * k + r] * p[k] for k in range(3)) + m[12 + r] for r in range(3)) for m, p in zip(matrices, points)]
                indices = self.accessor(primitive["indices"]) if "indices" in primitive else range(len(points))
                for k in range(0, len(indices) - 2, 3):
                    yield names[primitive["material"]] if "material" in primitive else "none", [placed[v] for v in indices[k : k + 3]]


def compare_with_glb(obj, glb):
    expected, points = collections.Counter(), []
    for material, corners in glb.triangles():
        expected[material] += area(corners)
        points += corners
    found = obj.areas()
    need({m for m, a in expected.items() if a > 1e-9} <= set(found) <= set(expected), "materials", sorted(set(expected) ^ set(found)))
    for material, value in found.items():
        # bent quads have the area of one of the two triangulations
        need(near(value, expected[material], 2e-2) or abs(value - expected[material]) < 1e-6, "area of", material, value, expected[material])
    own = bounds(p for _, corners, _ in obj.polygons for p in corners)
    need(all(abs(a - b) <= 1e-4 * max(1, abs(a)) for a, b in zip(own, bounds(points))), "bounds", own, bounds(points))
    return sum(found.values()), sum(expected.values())


# ---- Natural Selection 2 -------------------------------------------------------------------------------


def plus(point):
    return tuple(value + 0.0 for value in point)


class Ns2:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.mesh = Mesh(data)
        self.points = self.mesh.points + self.mesh.ghosts
        self.classes = [self.entity(part) for kind, part in Reader(data, 4).chunks() if kind == 1]
        self.version = data[3]

    def entity(self, part):
        """Its class and origin."""
        if part.data[3] < 5:
            part.take("Q")
        else:
            if part.number():
                part.take("I")
                part.take("%dI" % part.number())
            part.number()
        name, origin = part.narrow().decode(), (0.0, 0.0, 0.0)
        left = part.number() if part.data[3] >= 10 else part.end
        while part.place < part.end and left:
            left -= 1
            kind, length = part.take("II")
            inner = Reader(part.data, part.place, part.place + length)
            part.place += length
            if kind == 2:
                key, _, count, animated = inner.narrow(), inner.number(), inner.number(), inner.number()
                if key == b"origin" and count == 3 and not animated:
                    origin = inner.take("fff")
        return name, origin

    def triangles(self, index):
        corners = [[self.points[v] for v in three] for three in self.mesh.triangles[index]]
        return [three for three in corners if len(set(map(plus, three))) == 3]

    def area(self, index):
        """Faces without triangles are shown by their border."""
        loops = self.mesh.faces[index][3]
        if self.mesh.triangles[index] or not loops or len(loops[0]) < 3:
            return sum(map(area, self.triangles(index)))
        return area([self.points[v] for v in loops[0]]) - sum(area([self.points[v] for v in loop]) for loop in loops[1:])

    def is_plain(self, index):
        """A polygon without holes, whose stored triangles have its corners and no others."""
        loops, stored = self.mesh.faces[index][3], self.mesh.triangles[index]
        corners = {plus(self.points[v]) for v in loops[0]} if loops else set()
        facing = normal([self.points[v] for v in loops[0]]) if loops and len(loops[0]) > 2 else (0, 0, 0)
        return len(loops) == 1 and len(corners) == len(loops[0]) == len(stored) + 2 and \
            {plus(self.points[v]) for three in stored for v in three} == corners and len(self.triangles(index)) == len(stored) and \
            all(dot(normal(three), facing) > 1e-9 for three in self.triangles(index))


def compare_with_ns2(obj, level):
    polygons = collections.Counter(frozenset(points) for _, points, _ in obj.polygons)
    plain = least = most = 0
    total, points = 0.0, []
    for index in range(len(level.mesh.faces)):
        triangles = level.triangles(index)
        bare = not level.mesh.triangles[index]
        total += level.area(index)
        points += [p for three in triangles for p in three] + ([level.points[v] for v in level.mesh.faces[index][3][0]] if bare else [])
        if level.is_plain(index):
            plain += 1
            key = frozenset(plus(level.points[v]) for v in level.mesh.faces[index][3][0])
            need(polygons[key] > 0, "faces[%d] is no polygon" % index)
            polygons[key] -= 1
        least += bool(triangles)
        most += 1 if level.is_plain(index) else len(triangles) if not bare else sum(map(len, level.mesh.faces[index][3]))
    need(least <= len(obj.polygons) <= most, "polygons:", len(obj.polygons), "of", least, "to", most)
    own = sum(obj.areas().values())
    need(near(own, total, 1e-4), "area", own, total)
    need(bounds(p for _, corners, _ in obj.polygons for p in corners) == bounds(map(plus, points)), "bounds")
    return "%d faces (%d plain), %d polygons, %.2f m2" % (len(level.mesh.faces), plain, len(obj.polygons), own)


def compare_with_alien(obj, path):
    with open(path, "rb") as file:
        level = AlienLevel(file.read())
    polygons = collections.Counter(frozenset(points) for _, points, _ in obj.polygons)
    places, found, quads = [row[:3] for row in level.rows["vertices"]], 0, 0
    for row in level.rows["quads"][:-1]:
        corners = frozenset(tuple(map(float, places[v])) for v in row[:4] if v != -1)
        quads += len(corners) == 4
        found += len(corners) == 4 and polygons[corners] > 0
    return quads, found


# ---- Quake's maps --------------------------------------------------------------------------------------

PLANE = re.compile(r"\( (\S+) (\S+) (\S+) \) \( (\S+) (\S+) (\S+) \) \( (\S+) (\S+) (\S+) \) ([A-Za-z0-9_-]+) "
                   r"\[ (\S+) (\S+) (\S+) (\S+) \] \[ (\S+) (\S+) (\S+) (\S+) \] (\S+) (\S+) (\S+)$")
KEY = re.compile(r'"([^"\\]+)" "([^"\\]*)"$')


class Map:
    def __init__(self, path):
        self.entities, self.brushes = [], []
        depth, planes = 0, None
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")
        need(lines[:2] == ["// Game: Generic", "// Format: Valve"] and lines[-1] == "", "head")
        for number, line in enumerate(lines[:-1], 1):
            if line.startswith("//"):
                continue
            if line == "{":
                depth += 1
                need(depth <= 2, "line", number)
                if depth == 1:
                    self.entities.append({})
                else:
                    planes = []
            elif line == "}":
                if depth == 2:
                    self.brushes.append(planes)
                depth -= 1
                need(depth >= 0, "line", number)
            elif depth == 2:
                match = PLANE.match(line)
                need(match, "line", number, line)
                values = [match.group(i) for i in range(1, 22)]
                texture = values.pop(9)
                planes.append((texture, list(map(float, values))))
            else:
                match = KEY.match(line)
                need(depth == 1 and match and match.group(1) not in self.entities[-1], "line", number, line)
                self.entities[-1][match.group(1)] = match.group(2)
        need(depth == 0 and self.entities[0]["classname"] == "worldspawn" and self.entities[0]["mapversion"] == "220", "world")
        need(sum(e["classname"] == "worldspawn" for e in self.entities) == 1, "two worlds")


def unit(a):
    length = math.sqrt(dot(a, a))
    need(length > 1e-9, "a plane whose points are in line")
    return tuple(value / length for value in a)


def clipped(polygon, facing, distance):
    """The part of the polygon behind the plane."""
    sides = [dot(facing, p) - distance for p in polygon]
    if max(sides) <= 1e-7:
        return polygon
    kept = []
    for (p, a), (q, b) in zip(zip(polygon, sides), zip(polygon[1:] + polygon[:1], sides[1:] + sides[:1])):
        if a <= 0:
            kept.append(p)
        if (a < 0 < b) or (b < 0 < a):
            t = a / (a - b)
            kept.append(tuple(u + t * (v - u) for u, v in zip(p, q)))
    return kept


def sides_of(brush):
    """The polygon of each plane, by cutting a large square with all others."""
    planes = []
    for _, numbers in brush:
        p, q, r = numbers[0:3], numbers[3:6], numbers[6:9]
        facing = unit(cross(minus(p, q), minus(r, q)))
        planes.append((facing, dot(facing, p), p))
    for i, (facing, _, place) in enumerate(planes):
        axis = min(range(3), key=lambda k: abs(facing[k]))
        u = unit(cross(facing, tuple(float(k == axis) for k in range(3))))
        v = cross(facing, u)
        size = 1e6
        polygon = [tuple(c + size * (a * s + b * t) for c, a, b in zip(place, u, v)) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for k, (other, distance, _) in enumerate(planes):
            if k != i and len(polygon) > 2:
                polygon = clipped(polygon, other, distance)
        yield polygon


def tidy(polygon):
    """Without coincident corners."""
    return [p for p, q in zip(polygon, polygon[1:] + polygon[:1]) if math.dist(p, q) > 1e-4]


def back(point):
    """Metres, in the level's axes."""
    return point[1] / INCHES, point[2] / INCHES, point[0] / INCHES


def middle_of(points):
    return tuple(round(sum(p[k] for p in points) / len(points), 3) for k in range(3))


def texel_off(corners, numbers, border, texture):
    """The maximum texel distance, in repeats, between a brush's front and the face whose border it has."""
    worst = 0.0
    for p, uv in zip(border, texture):
        place = tuple(value * INCHES for value in (p[2], p[0], p[1]))
        if min(math.dist(place, corner) for corner in corners) > 0.06:
            return 1.0
        for k in range(2):
            axis = numbers[9 + 4 * k : 13 + 4 * k]
            texel = dot(axis, place) / numbers[18 + k] + axis[3]
            worst = max(worst, abs((texel / 128 - uv[k] + 0.5) % 1 - 0.5))
    return worst


def compare_map(made, level):
    total, texels, fronts = 0.0, 0, collections.defaultdict(list)
    for index, brush in enumerate(made.brushes):
        need(len(brush) >= 4 and [texture == "skip" for texture, _ in brush] == [False] + [True] * (len(brush) - 1), "brush", index)
        sides = [tidy(polygon) for polygon in sides_of(brush)]
        need(all(len(polygon) >= 3 and area(polygon) > 1e-6 for polygon in sides), "brush", index, "is invalid:", [len(p) for p in sides])
        need(all(max(map(abs, p)) < 1e6 for polygon in sides for p in polygon), "brush", index, "is open")
        need(len(sides[0]) == len(brush) - 1, "brush", index, "has a plane too many")
        front = list(map(back, sides[0]))
        total += area(front)
        fronts[middle_of(front)].append((sides[0], brush[0][1]))
    expected = sum(map(level.area, range(len(level.mesh.faces))))
    need(near(total, expected, 1e-4), "area", total, expected)
    for index in range(len(level.mesh.faces)):
        if not level.is_plain(index) or not level.mesh.sound(index) or level.mesh.faces[index][1] != 0xFFFFFFFF:
            continue
        border = [level.points[v] for v in level.mesh.faces[index][3][0]]
        known = [(corners, numbers) for corners, numbers in fronts[middle_of(border)] if len(corners) == len(border)]
        if known:  # not cut into triangles, and without corners in line
            wrong = [texel_off(corners, numbers, border, level.mesh.texture(index)) for corners, numbers in known]
            need(min(wrong) < 4e-3, "faces[%d]: its texels are off by" % index, min(wrong), "repeats")
            texels += 1
    things = [e for e in made.entities if e["classname"] not in ("worldspawn", "func_group")]
    names = collections.Counter(name for name, _ in level.classes)
    need(names == collections.Counter(e["classname"] for e in things), "classes")
    for (name, origin), thing in zip(level.classes, things):
        where = tuple(map(float, thing["origin"].split()))
        need(thing["classname"] == name and math.dist(back(where), origin) < 1e-5 * (1 + max(map(abs, origin))), "origin of", name, where, origin)
    return "%d brushes, %d with the texels of their faces, %d entities, %.2f m2" % (len(made.brushes), texels, len(things), total)


# ---- all of it -----------------------------------------------------------------------------------------


class Tests:
    def __init__(self, command, room):
        self.command, self.room, self.number, self.failed = command, room, 0, 0

    def convert(self, path, *options):
        output = os.path.join(self.room, options[-1])
        done = subprocess.run([self.command, "convert", "-q", path, *options[:-1], "-o", output], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        need(done.returncode == 0, "exit", done.returncode, done.stderr.decode("utf-8", "replace")[-300:])
        return output

    def run(self, name, function, *arguments):
        self.number += 1
        try:
            print("ok %d - %s: %s" % (self.number, name, function(*arguments)), flush=True)
        except (Failed, AssertionError, ValueError, IndexError, KeyError, struct.error) as failed:
            self.failed += 1
            print("not ok %d - %s\n#   %s: %s" % (self.number, name, type(failed).__name__, failed), flush=True)

    def obj(self, path, *options):
        obj = Obj(self.convert(path, "-t", "obj", "--no-markers", *options, "a.obj"))
        glb = Glb(self.convert(path, "-t", "glb", "--no-markers", *options, "a.glb"))
        return "%d polygons, %d objects, %.6g m2 (%.6g)" % (len(obj.polygons), len(obj.objects), *compare_with_glb(obj, glb))

    def triangles(self, path):
        obj = Obj(self.convert(path, "-t", "obj", "--no-markers", "--triangles", "a.obj"))
        glb = Glb(self.convert(path, "-t", "glb", "--no-markers", "a.glb"))
        need(all(len(points) == 3 for _, points, _ in obj.polygons), "polygons")
        for material, value in obj.areas().items():
            expected = sum(area(three) for name, three in glb.triangles() if name == material)
            need(near(value, expected), "area of", material, value, expected)
        return "%d triangles" % len(obj.polygons)

    def ns2(self, path):
        obj = Obj(self.convert(path, "-t", "obj", "--no-markers", "--with-hidden", "--hide", "*", "a.obj"))
        return compare_with_ns2(obj, Ns2(path))

    def alien(self, path):
        obj = Obj(self.convert(path, "-t", "obj", "--no-markers", "--own-units", "a.obj"))
        quads, found = compare_with_alien(obj, path)
        need(found == quads, "quads:", found, "of", quads)
        return "%d quads" % quads

    def map(self, path):
        return compare_map(Map(self.convert(path, "-t", "quake-map", "--with-hidden", "a.map")), Ns2(path))


def main():
    words = [word for word in sys.argv[1:] if word != "--all"]
    command, corpus = words[0], words[1] if len(words) > 1 else os.environ.get("MAPSTONE_CORPUS", "")
    with tempfile.TemporaryDirectory() as room:
        tests = Tests(command, room)
        subprocess.run(["bash", os.path.join(TOP, "scripts", "samples.sh"), os.path.abspath(command)], cwd=room, check=True, stdout=subprocess.DEVNULL)
        ns2 = [os.path.join(room, name) for name in ("outpost.level", "foundry.level")]
        alien = [os.path.join(room, "L900LEV.MAP")]
        others = [os.path.join(room, name) for name in ("valley.map", "keep/7_11_11.DAT", "islet/MAPS.bin")]
        if corpus:
            folder = os.path.join(corpus, "ns2")
            real = sorted(name for name in os.listdir(folder) if name.endswith(".level"))
            ns2 += [os.path.join(folder, name) for name in (real if "--all" in sys.argv else real[:1])]
            alien.append(os.path.join(corpus, "alien", "L111LEV.MAP"))
            others.append(os.path.join(corpus, "turok", "synth_valley.map"))
        for path in ns2:
            name = os.path.basename(path)
            tests.run(name + ", obj", tests.ns2, path)
            tests.run(name + ", map", tests.map, path)
        for path in ns2[:2] + alien + others:
            tests.run(os.path.basename(path) + ", obj and glb", tests.obj, path)
            tests.run(os.path.basename(path) + ", triangles", tests.triangles, path)
        for path in alien:
            tests.run(os.path.basename(path) + ", quads", tests.alien, path)
        print("1..%d" % tests.number)
    return tests.failed > 0


if __name__ == "__main__":
    sys.exit(main())
