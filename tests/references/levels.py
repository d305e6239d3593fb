#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes models as other programs export them, and reads the levels that `mapstone new --from` makes of them
from the bytes.

usage: levels.py COMMAND

Each flat part of a mesh is one face, whose area, side, material and texture are the model's, regardless of
the scales of its nodes; lights and empties with a class are entities; `check` has no errors. A model that
cannot be a level is refused, with a remedy in Blender. Prints TAP.
"""
import collections
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exports import Failed, Ns2, area, cross, minus, near, need, normal  # noqa: E402
from models import diagonal, moved, multiply, turned  # noqa: E402


class Glb:
    """A model without any extras of ours."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0", "generator": "a test"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "materials": [], "accessors": [], "bufferViews": [], "buffers": [{"byteLength": 0}]}
        self.binary = b""

    def accessor(self, form, width, values):
        flat = [value for element in values for value in (element if width > 1 else (element,))]
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": 4 * len(flat)})
        self.binary += struct.pack("<%d%s" % (len(flat), form), *flat)
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "componentType": 5126 if form == "f" else 5125,
                                       "count": len(values), "type": "SCALAR" if width == 1 else "VEC%d" % width})
        return len(self.json["accessors"]) - 1

    def material(self, name):
        names = [material["name"] for material in self.json["materials"]]
        if name not in names:
            self.json["materials"].append({"name": name})
        return (names + [name]).index(name)

    def mesh(self, parts):
        """parts: material, points, uvs or None, triangles"""
        primitives = []
        for material, points, uvs, triangles in parts:
            attributes = {"POSITION": self.accessor("f", 3, points)}
            if uvs:
                attributes["TEXCOORD_0"] = self.accessor("f", 2, uvs)
            primitives.append({"attributes": attributes, "indices": self.accessor("I", 1, [i for three in triangles for i in three])})
            if material is not None:
                primitives[-1]["material"] = self.material(material)
        self.json["meshes"].append({"primitives": primitives})
        return len(self.json["meshes"]) - 1

    def node(self, parent=None, **members):
        self.json["nodes"].append(members)
        index = len(self.json["nodes"]) - 1
        if parent is None:
            self.json["scenes"][0]["nodes"].append(index)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def lights(self, *lights):
        self.json["extensionsUsed"] = ["KHR_lights_punctual"]
        self.json["extensions"] = {"KHR_lights_punctual": {"lights": list(lights)}}

    def save(self, path):
        self.json["buffers"][0]["byteLength"] = len(self.binary)
        made = {name: value for name, value in self.json.items() if value != [] and not (name == "buffers" and not self.binary)}
        text = json.dumps(made).encode()
        text += b" " * (-len(text) % 4)
        parts = struct.pack("<I4s", len(text), b"JSON") + text
        if self.binary:
            parts += struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 12 + len(parts)) + parts)


def sheet(origin, along, across, columns, rows, single):
    """A grid of quads; `single`: each has texture coordinates of its own."""
    points, uvs, triangles = [], [], []

    def corner(i, k):
        return tuple(o + a * i / columns + b * k / rows for o, a, b in zip(origin, along, across))
    if not single:
        points = [corner(i, k) for k in range(rows + 1) for i in range(columns + 1)]
        uvs = [(i, rows - k) for k in range(rows + 1) for i in range(columns + 1)]
    for k in range(rows):
        for i in range(columns):
            a = len(points) if single else k * (columns + 1) + i
            if single:
                points += [corner(i, k), corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1)]
                uvs += [(0, 1), (1, 1), (1, 0), (0, 0)]
            b, c, d = (a + 1, a + 2, a + 3) if single else (a + 1, a + columns + 2, a + columns + 1)
            triangles += [(a, b, c), (a, c, d)]
    return points, uvs, triangles


def placed(m, point):
    return tuple(sum(m[4 * k + r] * point[k] for k in range(3)) + m[12 + r] for r in range(3))


class Expected:
    """The triangles of a model in the world, by material: area, and the sum of the areas as vectors."""

    def __init__(self):
        self.areas, self.sides = collections.Counter(), collections.defaultdict(lambda: [0.0, 0.0, 0.0])
        self.corners = {}

    def add(self, material, m, points, uvs, triangles, mirrored=False):
        for three in triangles:
            corners = [placed(m, points[i]) for i in (reversed(three) if mirrored else three)]
            self.areas[material] += area(corners)
            for k, value in enumerate(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))):
                self.sides[material][k] += value / 2
        for point, uv in zip(points, uvs or ()):
            self.corners.setdefault((material,) + tuple(round(c, 3) for c in placed(m, point)), []).append(uv)


def materials_of(path):
    from ns2 import Reader
    with open(path, "rb") as file:
        data = file.read()
    for kind, part in Reader(data, 4).chunks():
        if kind == 2:
            materials = dict(part.chunks())[4]
            return [materials.narrow().decode() for _ in range(materials.number())]
    return []


def judge(path, expected, faces, classes):
    level, names = Ns2(path), materials_of(path)
    need(len(level.mesh.faces) == faces, "faces:", len(level.mesh.faces), "not", faces)
    areas, sides, texels = collections.Counter(), collections.defaultdict(lambda: [0.0, 0.0, 0.0]), 0
    for index, (_, _, material, loops) in enumerate(level.mesh.faces):
        border = [level.points[v] for v in loops[0]]
        own = normal(border)
        areas[names[material]] += sum(map(area, level.triangles(index)))
        for loop in loops:
            for k, value in enumerate(normal([level.points[v] for v in loop])):
                sides[names[material]][k] += value / 2
        need(len(border) >= 3 and math.sqrt(sum(c * c for c in own)) > 0, "face", index)
        if level.mesh.sound(index):
            for p, uv in zip(border, level.mesh.texture(index)):
                known = expected.corners.get((names[material],) + tuple(round(c, 3) for c in p))
                if known is not None:
                    need(any(math.dist(uv, other) < 2e-3 for other in known), "face", index, "texel", uv, "not", known)
                    texels += 1
    need(set(areas) == set(expected.areas), "materials", sorted(areas), sorted(expected.areas))
    for name, value in expected.areas.items():
        need(near(areas[name], value, 1e-4), "area of", name, areas[name], value)
        need(all(abs(a - b) <= 1e-4 * (1 + value) for a, b in zip(sides[name], expected.sides[name])), "sides of", name, sides[name], expected.sides[name])
    need(collections.Counter(name for name, _ in level.classes) == collections.Counter(classes), "classes", level.classes)
    return "%d faces, %d texels, %d entities" % (faces, texels, len(level.classes)), level


class Tests:
    def __init__(self, command, room):
        self.command, self.room, self.number, self.failed = command, room, 0, 0

    def mapstone(self, *words):
        done = subprocess.run([self.command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")

    def make(self, model, name):
        source, level = os.path.join(self.room, name + ".glb"), os.path.join(self.room, name + ".level")
        if isinstance(model, Glb):
            model.save(source)
        else:
            with open(source, "wb") as file:
                file.write(model)
        code, said = self.mapstone("new", "ns2-level", "--force", "--from", source, "-o", level)
        return code, said, level

    def level(self, model, name):
        code, said, level = self.make(model, name)
        need(code == 0, "exit", code, said[-300:])
        code, found = self.mapstone("check", level)
        need(code == 0, "check:", found[-400:])
        return level

    def run(self, name, function):
        self.number += 1
        try:
            print("ok %d - %s: %s" % (self.number, name, function()), flush=True)
        except (Failed, AssertionError, ValueError, IndexError, KeyError, struct.error) as failed:
            self.failed += 1
            print("not ok %d - %s\n#   %s: %s" % (self.number, name, type(failed).__name__, failed), flush=True)

    # ---- models --------------------------------------------------------------------------------------

    def rooms(self):
        """Boxes seen from inside, in nodes that are moved, rotated, scaled and mirrored."""
        model, expected = Glb(), Expected()
        sides = [((0, 0, 0), (0, 0, 3), (4, 0, 0), "floor"), ((0, 2, 0), (4, 0, 0), (0, 0, 3), "ceiling.001"),
                 ((0, 0, 0), (4, 0, 0), (0, 2, 0), "materials/dev/wall"), ((0, 0, 3), (0, 2, 0), (4, 0, 0), "materials/dev/wall.material"),
                 ((0, 0, 0), (0, 2, 0), (0, 0, 3), "wall \u00e9"), ((4, 0, 0), (0, 0, 3), (0, 2, 0), "wall \u00e9")]
        names = {"floor": "materials/floor.material", "ceiling.001": "materials/ceiling.material", "materials/dev/wall": "materials/dev/wall.material",
                 "materials/dev/wall.material": "materials/dev/wall.material", "wall \u00e9": "materials/wall \u00e9.material"}
        parts = [(material, *sheet(origin, along, across, 1, 1, False)) for origin, along, across, material in sides]
        mesh = model.mesh(parts)
        quarter = (0, math.sqrt(0.5), 0, math.sqrt(0.5))
        above = model.node(translation=[10, 0, 5], rotation=quarter, scale=[2, 2, 2])
        places = [(moved(0, 0, 0), model.node(mesh=mesh)),
                  (multiply(multiply(multiply(moved(10, 0, 5), turned(quarter)), diagonal(2, 2, 2)), diagonal(1, 0.5, 3)),
                   model.node(above, mesh=mesh, scale=[1, 0.5, 3])),
                  (multiply(moved(-3, 1, 0), diagonal(-1, 1, 1)), model.node(mesh=mesh, translation=[-3, 1, 0], scale=[-1, 1, 1]))]
        for m, index in places:
            for material, points, uvs, triangles in parts:
                expected.add(names[material], m, points, uvs, triangles, mirrored=index == places[2][1])
        return judge(self.level(model, "rooms"), expected, 18, [])[0]

    def shapes(self):
        """A frame with a hole, an L, a bent quad, a missing material, and faces without an area."""
        model, expected = Glb(), Expected()
        ring = [(0, 0, 0), (8, 0, 0), (8, 0, -8), (0, 0, -8), (3, 0, -3), (5, 0, -3), (5, 0, -5), (3, 0, -5)]
        frame = ("frame", ring, [(x / 2, z / 2) for x, _, z in ring],
                 [(0, 1, 5), (0, 5, 4), (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6), (3, 0, 4), (3, 4, 7)])
        corner = [(0, 2, 0), (6, 2, 0), (6, 2, -2), (2, 2, -2), (2, 2, -6), (0, 2, -6)]
        ell = ("ell", corner, None, [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)])
        bent = ("bent", [(20, 0, 0), (24, 0, 0), (24, 2, -4), (20, 0, -4)], None, [(0, 1, 2), (0, 2, 3)])
        none = (None, [(30, 0, 0), (31, 0, 0), (30, 1, 0), (30, 0, 0), (30, 0, 0)], None, [(0, 1, 2), (0, 3, 4), (0, 1, 1)])
        model.node(mesh=model.mesh([frame, ell, bent, none]))
        for material, points, uvs, triangles in (frame, ell, bent, none):
            expected.add("materials/%s.material" % (material or "dev/dev_wall_grid"), moved(0, 0, 0), points, uvs, triangles)
        found, level = judge(self.level(model, "shapes"), expected, 5, [])
        need(sorted(len(loops) for _, _, _, loops in level.mesh.faces) == [1, 1, 1, 1, 2], "holes")
        need(sorted(len(loops[0]) for _, _, _, loops in level.mesh.faces) == [3, 3, 3, 4, 6], "corners")
        return found

    def grids(self):
        """Quads of one texture are one face; quads with texture coordinates of their own are not."""
        found = []
        for single, faces in ((False, 1), (True, 60)):
            model, expected = Glb(), Expected()
            part = sheet((0, 0, 0), (0, 0, 6), (10, 0, 0), 6, 10, single)
            model.node(mesh=model.mesh([("grid", *part)]))
            expected.add("materials/grid.material", moved(0, 0, 0), *part)
            found.append(judge(self.level(model, "grid"), expected, faces, [])[0])
        return "; ".join(found)

    def things(self):
        """Lights, and empties with a class."""
        model = Glb()
        model.lights({"type": "point", "color": [1, 0.5, 0.25], "intensity": 40, "range": 12}, {"type": "spot", "intensity": 10, "spot": {}})
        model.node(translation=[1, 2, 3], extensions={"KHR_lights_punctual": {"light": 0}})
        model.node(translation=[2, 2, 3], extensions={"KHR_lights_punctual": {"light": 1}})
        model.node(translation=[4, 0, 0], extras={"class": "resource_point"})
        model.node(translation=[0, 1, 0], scale=[8, 4, 8], extras={"class": "location", "name": "Yard \"1\"\n", "showOnMinimap": False})
        model.node(translation=[0, 1, 0], name="nothing")
        part = sheet((0, 0, 0), (0, 0, 6), (10, 0, 0), 1, 1, False)
        model.node(mesh=model.mesh([("grid", *part)]), extras={"class": "ready_room_start"}, translation=[5, 0, 5])
        model.node(mesh=model.mesh([("grid", *part)]))
        expected = Expected()
        expected.add("materials/grid.material", moved(0, 0, 0), *part)
        path = self.level(model, "things")
        found, level = judge(path, expected, 1, ["light_point", "light_spot", "resource_point", "location", "ready_room_start"])
        need(dict(level.classes)["resource_point"] == (4, 0, 0) and dict(level.classes)["ready_room_start"] == (5, 0, 5), level.classes)
        for where, value in (("light_point].properties.intensity", "4"), ("light_point].properties.distance", "12"),
                             ("location].properties.scale", "[8, 4, 8]"), ("location].properties.name", 'Yard "1"')):
            code, said = self.mapstone("get", path, "objects[class_name=" + where)
            need(code == 0 and said.strip() == value, where, said)
        return found

    def large(self):
        """As many quads as a hall of columns has, no two in the same plane."""
        model, expected, points, triangles = Glb(), Expected(), [], []
        for i in range(4000):
            x, y, z = float(3 * (i % 40)), i / 1000, float(3 * (i // 40))
            points += [(x, y, z), (x, y, z + 2), (x + 2, y, z + 2), (x + 2, y, z)]
            triangles += [(4 * i, 4 * i + 1, 4 * i + 2), (4 * i, 4 * i + 2, 4 * i + 3)]
        model.node(mesh=model.mesh([("step", points, None, triangles)]))
        expected.add("materials/step.material", moved(0, 0, 0), points, None, triangles)
        return judge(self.level(model, "large"), expected, 4000, [])[0]

    def json(self):
        """A level as JSON without its triangles has triangles of the same area."""
        found = []
        source = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "samples", "outpost.json")
        whole, bare, path = (os.path.join(self.room, name) for name in ("whole.level", "bare.json", "bare.level"))
        code, said = self.mapstone("convert", "-q", source, "-o", whole)
        need(code == 0, said)
        before = Ns2(whole)
        for rows in (None, []):
            with open(source, encoding="utf-8") as file:
                level = json.load(file)
            del level["mesh"]["triangles"], level["mesh"]["face_layers"]
            if rows is not None:
                level["mesh"]["triangles"] = {"faces": rows}
            with open(bare, "w", encoding="utf-8") as file:
                json.dump(level, file)
            code, said = self.mapstone("convert", "--lenient", bare, "-o", path)
            need(code == 0, "exit", code, said[-300:])
            after = Ns2(path)
            need(after.mesh.faces == before.mesh.faces and after.mesh.points == before.mesh.points, "the mesh changed")
            for index in range(len(before.mesh.faces)):
                old, new = (sum(map(area, level.triangles(index))) for level in (before, after))
                need(near(old, new), "faces[%d]:" % index, new, "not", old)
                if index % 7 == 0:
                    need(all(vertex < len(after.mesh.points) for three in after.mesh.triangles[index] for vertex in three), "ghosts")
            found.append("%d faces, %d with holes" % (len(after.mesh.faces), sum(len(face[3]) > 1 for face in after.mesh.faces)))
            os.remove(path)
        code, said = self.mapstone("convert", "--lenient", "--force", bare, "-o", path)
        need(code == 0 and not any(Ns2(path).mesh.triangles), "--force")
        return found[0]

    def refusals(self):
        packed = Glb()
        packed.node(mesh=packed.mesh([("a", *sheet((0, 0, 0), (0, 0, 1), (1, 0, 0), 1, 1, False))]))
        packed.json["extensionsRequired"] = packed.json["extensionsUsed"] = ["KHR_draco_mesh_compression"]
        empty, unknown = Glb(), Glb()
        empty.node(name="nothing")
        unknown.node(extras={"class": "resource_pint"})
        for model, words in ((b"solid cube\n", "Blender"), (b"Kaydara FBX Binary  \0", "Blender"), (b"", "Blender"), (packed, "untick"),
                             (empty, "Selected Objects"), (unknown, "resource_point")):
            code, said, level = self.make(model, "refused")
            need(code not in (0, 1) and words in said and not os.path.exists(level), code, words, "in", said)
        return "6 models"


def main():
    with tempfile.TemporaryDirectory() as room:
        tests = Tests(sys.argv[1], room)
        for name in ("rooms", "shapes", "grids", "things", "large", "json", "refusals"):
            tests.run("a level of a model: " + name, getattr(tests, name))
        print("1..%d" % tests.number)
    return tests.failed > 0


if __name__ == "__main__":
    sys.exit(main())
