# SPDX-License-Identifier: MIT
"""Edits GLB files with knowledge of glTF 2.0 only:

    models.py IN.glb OUT.glb EDIT...

    shuffle SEED          nodes, meshes, materials, accessors and triangles in another order, matrices in place of parts
    flat                  no node has a parent: all keep their world transforms
    forget NAME           the extra NAME of the scene and of all nodes
    move PATH X Y Z       the node of an element, in the world
    turn PATH DEGREES X Y Z      about an axis through its origin
    scale PATH X Y Z
    delete PATH           with its descendants
    copy PATH NAME        with its descendants, under another name
    extra PATH NAME VALUE (JSON)
    vertex NUMBER X Y Z [only FACE]     the level's vertex is moved by this offset; with `only` in one face
    box FACE X Y Z SIZE   whose inner side is visible, with texture coordinates and the material of a face
    uvs                   prints the positions and texture coordinates of triangles without numbers, or of faces from FACE on: uvs FACE
    unface FACE           removes the face's triangles
    paint FACE FACE       the first has the material of the second
    drop FACE             removes the first triangle of the face
    halve FACE FACE       the first triangle of the first has the material of the second
    label FACE NAME JSON W  the face's part has such an extra: W is part (of a mesh), node (with a mesh of its own) or first (of its triangles)
    shine PATH BY RED     the lamp is brighter by a factor, with this red value
    slide FACE U V        the texture of the face, in repeats
    extrude FACE HEIGHT   along its normal, as Blender does: the end and the sides have the numbers of the face
    niche FACE SIZE DEPTH a square hole in the middle of a rectangle, with sides and a back without numbers, as a boolean operation makes it
    twice FACE            its triangles
    flip FACE             its other side is visible
    facing FACE           prints the middle and the normal of each triangle of the faces from this one on
    dye FACE NAME         a new material of this name
    dark, keep PATH, side, unnumber     without lights, with one element, without +Y Up, without UVs: options of exporters
    prune                 without empty nodes
    made_by NAME          another generator
    part                  a node for each part of a mesh
    tilt                  the rotations of the first nodes are some steps of a float off
    mirror                the last node
    shaped                prints the path of an element with a mesh
    fresh PATH            a new object with the mesh of an element
    dent PATH X           half of the mesh of an element is moved
    bake PATH             the place of an element is applied to its mesh
    gltf                  OUT is JSON, its buffer in a file next to it, named like OUT with .bin
    sparse                positions become sparse accessors without a buffer view
"""
import json
import math
import os
import random
import struct
import sys


def multiply(a, b):
    return [sum(a[4 * k + r] * b[4 * c + k] for k in range(4)) for c in range(4) for r in range(4)]


def turned(q):
    x, y, z, w = q
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0, 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
        2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, 0, 0, 0, 1,
    ]  # fmt: skip


def diagonal(x, y, z):
    return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]


def moved(x, y, z):
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]


def inverse(m):
    a = [[m[4 * c + r] for c in range(4)] + [float(r == c) for c in range(4)] for r in range(4)]
    for i in range(4):
        p = max(range(i, 4), key=lambda r: abs(a[r][i]))
        a[i], a[p] = a[p], a[i]
        a[i] = [v / a[i][i] for v in a[i]]
        for r in range(4):
            if r != i:
                a[r] = [v - a[r][i] * w for v, w in zip(a[r], a[i])]
    return [a[r][4 + c] for c in range(4) for r in range(4)]


def normal_of(triangle):
    a, b, c = (corner[0] for corner in triangle)
    u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    n = [u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3] for i in range(3)]
    length = math.sqrt(sum(x * x for x in n))
    return tuple(x / length for x in n)


class Model:
    def __init__(self, path):
        data = open(path, "rb").read()
        magic, version, _ = struct.unpack_from("<4sII", data)
        assert magic == b"glTF" and version == 2
        size, _ = struct.unpack_from("<I4s", data, 12)
        self.json = json.loads(data[20 : 20 + size])
        self.binary = data[28 + size :] if len(data) > 20 + size else b""
        self.nodes = self.json["nodes"]

    def own(self, node):
        if "matrix" in node:
            return node["matrix"]
        m = moved(*node.get("translation", (0, 0, 0)))
        m = multiply(m, turned(node.get("rotation", (0, 0, 0, 1))))
        return multiply(m, diagonal(*node.get("scale", (1, 1, 1))))

    def parents(self):
        return {child: i for i, node in enumerate(self.nodes) for child in node.get("children", ())}

    def world(self, i):
        above = self.parents().get(i)
        return self.own(self.nodes[i]) if above is None else multiply(self.world(above), self.own(self.nodes[i]))

    def place(self, i, world):
        above = self.parents().get(i)
        m = world if above is None else multiply(inverse(self.world(above)), world)
        for name in ("translation", "rotation", "scale"):
            self.nodes[i].pop(name, None)
        self.nodes[i]["matrix"] = m

    def find(self, path):
        found = [i for i, node in enumerate(self.nodes) if node.get("extras", {}).get("path") == path]
        assert found, path
        return found[0]

    def tops(self):
        return self.json["scenes"][self.json.get("scene", 0)]["nodes"]

    def move(self, path, x, y, z):
        i = self.find(path)
        self.place(i, multiply(moved(float(x), float(y), float(z)), self.world(i)))

    def turn(self, path, degrees, x, y, z):
        i, half = self.find(path), math.radians(float(degrees)) / 2
        s = math.sin(half)
        at = self.world(i)[12:15]
        turn = turned((float(x) * s, float(y) * s, float(z) * s, math.cos(half)))
        self.place(i, multiply(moved(*at), multiply(turn, multiply(moved(*(-v for v in at)), self.world(i)))))

    def scale(self, path, x, y, z):
        i = self.find(path)
        self.place(i, multiply(self.world(i), diagonal(float(x), float(y), float(z))))

    def delete(self, path):
        i = self.find(path)
        for node in self.nodes:
            if i in node.get("children", ()):
                node["children"].remove(i)
                if not node["children"]:
                    del node["children"]
        if i in self.tops():
            self.tops().remove(i)

    def copied(self, i, name):
        node = json.loads(json.dumps(self.nodes[i]))
        node["name"] = name
        if "children" in node:
            node["children"] = [self.copied(c, self.nodes[c]["name"] + ".001") for c in self.nodes[i]["children"]]
        self.nodes.append(node)
        return len(self.nodes) - 1

    def copy(self, path, name):
        i = self.find(path)
        above, made = self.parents().get(i), self.copied(i, name)
        (self.tops() if above is None else self.nodes[above]["children"]).append(made)

    def extra(self, path, name, value):
        self.nodes[self.find(path)]["extras"][name] = json.loads(value)

    def forget(self, name):
        for owner in self.json["scenes"] + self.nodes:
            owner.get("extras", {}).pop(name, None)

    def flat(self):
        worlds = [self.world(i) for i in range(len(self.nodes))]
        shown, waiting = [], list(self.tops())
        while waiting:
            i = waiting.pop()
            shown.append(i)
            waiting += self.nodes[i].pop("children", ())
        for i, node in enumerate(self.nodes):
            for name in ("translation", "rotation", "scale"):
                node.pop(name, None)
            node["matrix"] = worlds[i]
        self.json["scenes"][self.json.get("scene", 0)]["nodes"] = shown

    def shuffle(self, seed):
        order = random.Random(int(seed))
        at = {}
        for name in ("nodes", "meshes", "materials"):
            items = self.json.get(name, [])
            old = list(range(len(items)))
            order.shuffle(old)
            at[name] = {o: n for n, o in enumerate(old)}
            if items:
                self.json[name] = [items[o] for o in old]
        self.nodes = self.json["nodes"]
        for node in self.nodes:
            if "children" in node:
                node["children"] = [at["nodes"][c] for c in node["children"]]
                order.shuffle(node["children"])
            if "mesh" in node:
                node["mesh"] = at["meshes"][node["mesh"]]
        for scene in self.json["scenes"]:
            scene["nodes"] = [at["nodes"][c] for c in scene["nodes"]]
        for mesh in self.json.get("meshes", ()):
            for part in mesh["primitives"]:
                if "material" in part:
                    part["material"] = at["materials"][part["material"]]
        for skin in self.json.get("skins", ()):
            skin["joints"] = [at["nodes"][c] for c in skin["joints"]]
        self.json.pop("animations", None)
        self.shuffle_triangles(order)

    def shuffle_triangles(self, order):
        binary = bytearray(self.binary)
        done = set()
        for mesh in self.json.get("meshes", ()):
            for part in mesh["primitives"]:
                if "indices" not in part or part["indices"] in done:
                    continue
                done.add(part["indices"])
                accessor = self.json["accessors"][part["indices"]]
                view = self.json["bufferViews"][accessor["bufferView"]]
                kind = {5121: "B", 5123: "H", 5125: "I"}[accessor["componentType"]]
                start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
                values = list(struct.unpack_from("<%d%s" % (accessor["count"], kind), binary, start))
                triangles = [values[i : i + 3] for i in range(0, len(values), 3)]
                order.shuffle(triangles)
                triangles = [t[k:] + t[:k] for t in triangles for k in [order.randrange(3)]]
                struct.pack_into("<%d%s" % (accessor["count"], kind), binary, start, *[v for t in triangles for v in t])
        self.binary = bytes(binary)

    def parts(self):
        """Each primitive with numbers: itself, the offset of its positions, the numbers of its vertices, its
        indices."""

        def begin(accessor):
            a = self.json["accessors"][accessor]
            view = self.json["bufferViews"][a["bufferView"]]
            return a, view.get("byteOffset", 0) + a.get("byteOffset", 0)

        for mesh in self.json.get("meshes", ()):
            for part in mesh["primitives"]:
                if "TEXCOORD_1" not in part["attributes"]:
                    continue
                numbers, at = begin(part["attributes"]["TEXCOORD_1"])
                pairs = struct.unpack_from("<%df" % (2 * numbers["count"]), self.binary, at)
                indices, place = begin(part["indices"])
                kind = {5123: "H", 5125: "I"}[indices["componentType"]]
                listed = struct.unpack_from("<%d%s" % (indices["count"], kind), self.binary, place)
                yield part, begin(part["attributes"]["POSITION"])[1], list(zip(pairs[::2], pairs[1::2])), listed, mesh, (place, kind)

    def vertex(self, number, x, y, z, face=None):
        binary = bytearray(self.binary)
        for _, at, numbers, _, _, _ in self.parts():
            for i, (own, vertex) in enumerate(numbers):
                if vertex == int(number) + 1 and face in (None, str(int(own) - 1)):
                    old = struct.unpack_from("<3f", binary, at + 12 * i)
                    struct.pack_into("<3f", binary, at + 12 * i, *[o + float(d) for o, d in zip(old, (x, y, z))])
        self.binary = bytes(binary)

    def unface(self, face):
        binary = bytearray(self.binary)
        for _, _, numbers, listed, _, (at, kind) in self.parts():
            kept = [t for t in zip(listed[::3], listed[1::3], listed[2::3]) if numbers[t[0]][0] != int(face) + 1]
            kept += [(0, 0, 0)] * (len(listed) // 3 - len(kept))  # without area
            struct.pack_into("<%d%s" % (len(listed), kind), binary, at, *[v for t in kept for v in t])
        self.binary = bytes(binary)

    def paint(self, face, other):
        """In a mesh of its own, as a modeller would export it."""
        found = {}
        for part, _, numbers, listed, mesh, _ in self.parts():
            for triangle in zip(listed[::3], listed[1::3], listed[2::3]):
                found.setdefault(int(numbers[triangle[0]][0]) - 1, []).append((part, triangle, mesh))
        part, _, mesh = found[int(face)][0]
        indices = [v for _, t, _ in found[int(face)] for v in t]
        self.unface(face)
        self.binary += b"\0" * (-len(self.binary) % 4)
        data = struct.pack("<%dI" % len(indices), *indices)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        self.json["accessors"].append(
            {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": 5125, "type": "SCALAR", "count": len(indices)}
        )
        mesh["primitives"].append(
            {"attributes": part["attributes"], "indices": len(self.json["accessors"]) - 1, "material": found[int(other)][0][0]["material"]}
        )

    # ---- faces of another shape ----
    def take(self, face):
        """Takes the triangles of a face out: three corners each, of a position, texture coordinates and numbers; its part and mesh."""

        def floats(part, name, vertex, count):
            a = self.json["accessors"][part["attributes"][name]]
            start = self.json["bufferViews"][a["bufferView"]].get("byteOffset", 0) + a.get("byteOffset", 0)
            return struct.unpack_from("<%df" % count, self.binary, start + 4 * count * vertex)

        for part, _, numbers, listed, mesh, _ in self.parts():
            own = [t for t in zip(listed[::3], listed[1::3], listed[2::3]) if numbers[t[0]][0] == int(face) + 1]
            if own:
                made = [[(floats(part, "POSITION", v, 3), floats(part, "TEXCOORD_0", v, 2), numbers[v]) for v in t] for t in own]
                self.unface(face)
                return made, part, mesh
        raise SystemExit("no face " + face)

    def give(self, triangles, material, mesh, numbered=True):
        corners = [c for t in triangles for c in t]
        attributes = {
            "POSITION": self.append(b"".join(struct.pack("<3f", *c[0]) for c in corners), 5126, "VEC3", len(corners)),
            "TEXCOORD_0": self.append(b"".join(struct.pack("<2f", *c[1]) for c in corners), 5126, "VEC2", len(corners)),
        }
        if numbered:
            attributes["TEXCOORD_1"] = self.append(b"".join(struct.pack("<2f", *c[2]) for c in corners), 5126, "VEC2", len(corners))
        indices = self.append(struct.pack("<%dI" % len(corners), *range(len(corners))), 5125, "SCALAR", len(corners))
        mesh["primitives"].append({"attributes": attributes, "indices": indices, "material": material})

    def drop(self, face):
        triangles, part, mesh = self.take(face)
        self.give(triangles[1:], part["material"], mesh)

    def halve(self, face, other):
        triangles, part, mesh = self.take(face)
        painted = next(p["material"] for p, _, numbers, listed, _, _ in self.parts() if any(numbers[v][0] == int(other) + 1 for v in listed))
        self.give(triangles[1:], part["material"], mesh)
        self.give(triangles[:1], painted, mesh)

    def slide(self, face, u, v):
        triangles, part, mesh = self.take(face)
        self.give([[(at, (uv[0] + float(u), uv[1] + float(v)), n) for at, uv, n in t] for t in triangles], part["material"], mesh)

    def label(self, face, name, text, where):
        triangles, part, mesh = self.take(face)
        node = next(n for n in self.json["nodes"] if n.get("mesh") == self.json["meshes"].index(mesh))
        if where == "node":
            mesh = {"primitives": []}
            self.json["meshes"].append(mesh)
            self.json["nodes"].append({**node, "name": "own", "mesh": len(self.json["meshes"]) - 1})
            siblings = [n["children"] for n in self.json["nodes"] if self.json["nodes"].index(node) in n.get("children", ())]
            (siblings[0] if siblings else self.json["scenes"][0]["nodes"]).append(len(self.json["nodes"]) - 1)
        if where == "first":
            self.give(triangles[1:], part["material"], mesh)
            del triangles[1:]
        self.give(triangles, part["material"], mesh)
        to = self.json["nodes"][-1] if where == "node" else mesh["primitives"][-1]
        to["extras"] = {**to.get("extras", {}), name: json.loads(text)}

    def tilt(self):
        """As Blender leaves the rotation of a parent: off by some steps of a float."""
        for node in (self.nodes[i] for i in self.tops() if "rotation" in self.nodes[i]):
            x, y, z, w = node["rotation"]
            node["rotation"] = [x + w * 3e-7, y + z * 3e-7, z - y * 3e-7, w - x * 3e-7]

    def twice(self, face):
        triangles, part, mesh = self.take(face)
        for _ in range(2):
            self.give(triangles, part["material"], mesh)

    def flip(self, face):
        triangles, part, mesh = self.take(face)
        self.give([t[::-1] for t in triangles], part["material"], mesh)

    def facing(self, first):
        """Prints the middle and the normal of each triangle of the faces from this one on."""
        for face in range(int(first), int(max(own for _, _, numbers, _, _, _ in self.parts() for own, _ in numbers))):
            for t in self.take(str(face))[0]:
                print(face, *(sum(c[0][i] for c in t) / 3 for i in range(3)), *(of + 0.0 for of in normal_of(t)))

    def dye(self, face, name):
        triangles, _, mesh = self.take(face)
        self.json["materials"].append({"name": name})
        self.give(triangles, len(self.json["materials"]) - 1, mesh)

    def dark(self):
        """As Blender exports it by default."""
        del self.json["extensions"]["KHR_lights_punctual"]
        for node in self.nodes:
            if node.get("extensions", {}).pop("KHR_lights_punctual", None) and "path" in node.get("extras", {}):
                self.delete(node["extras"]["path"])

    def keep(self, path):
        for node in self.nodes:
            if node.get("extras", {}).get("path", path) != path:
                self.delete(node["extras"]["path"])

    def made_by(self, name):
        self.json["asset"]["generator"] = name

    def prune(self):
        """As programs do that make models smaller."""
        for node in reversed(self.nodes):  # children follow their parents
            if not {"mesh", "children", "camera", "extensions"} & set(node) and "path" in node.get("extras", {}):
                self.delete(node["extras"]["path"])

    def side(self):
        """As Blender exports it without +Y Up."""
        half = math.sqrt(0.5)
        self.nodes.append({"name": "on its side", "rotation": [half, 0, 0, half], "children": list(self.tops())})
        self.tops()[:] = [len(self.nodes) - 1]

    def unnumber(self):
        for part, *_ in list(self.parts()):
            del part["attributes"]["TEXCOORD_1"]

    def mirror(self):
        self.nodes[-1]["scale"] = [-1, 1, 1]

    def shape(self, path, change):
        """Gives the node a mesh of its own, with its points changed."""
        node = self.nodes[self.find(path)]
        mesh = json.loads(json.dumps(self.json["meshes"][node["mesh"]]))
        for part in mesh["primitives"]:
            accessor = dict(self.json["accessors"][part["attributes"]["POSITION"]])
            view = self.json["bufferViews"][accessor["bufferView"]]
            count = accessor["count"]
            points = struct.unpack_from("<%df" % (3 * count), self.binary, view.get("byteOffset", 0) + accessor.get("byteOffset", 0))
            made = [v for i in range(count) for v in change(points[3 * i : 3 * i + 3])]
            part["attributes"]["POSITION"] = self.append(struct.pack("<%df" % (3 * count), *made), 5126, "VEC3", count)
        self.json["meshes"].append(mesh)
        node["mesh"] = len(self.json["meshes"]) - 1

    def shaped(self):
        """Prints the path of an element with a mesh, if possible of one that is not at the origin."""
        found = [(max(map(abs, self.world(i)[12:15])) < 1, i) for i, node in enumerate(self.nodes) if "mesh" in node and "path" in node.get("extras", {})]
        print(self.nodes[min(found)[1]]["extras"]["path"])

    def part(self):
        """Makes a node of each part of a mesh, as three.js does."""
        for node in list(self.nodes):
            parts = self.json["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []
            if len(parts) > 1:
                del node["mesh"]
                for part in parts:
                    self.json["meshes"].append({"primitives": [part]})
                    self.nodes.append({"name": "part", "mesh": len(self.json["meshes"]) - 1})
                    node.setdefault("children", []).append(len(self.nodes) - 1)

    def fresh(self, path):
        """A new object with the mesh of an element."""
        self.nodes.append({"name": "fresh", "mesh": self.nodes[self.find(path)]["mesh"]})
        self.tops().append(len(self.nodes) - 1)

    def dent(self, path, by):
        self.shape(path, lambda p: [p[0] + (float(by) if p[0] > 0 else 0), p[1], p[2]])

    def bake(self, path):
        """As Blender's Object > Apply > All Transforms."""
        i = self.find(path)
        m = self.world(i)
        self.shape(path, lambda p: [sum(m[4 * k + r] * p[k] for k in range(3)) + m[12 + r] for r in range(3)])
        self.place(i, diagonal(1, 1, 1))

    def shine(self, path, by, red):
        node = next(n for n in self.json["nodes"] if n.get("extras", {}).get("path") == path)
        lights = self.json["extensions"]["KHR_lights_punctual"]["lights"]
        own = dict(lights[node["extensions"]["KHR_lights_punctual"]["light"]])
        own["intensity"] *= float(by)
        own["color"] = [float(red), *own.get("color", [1, 1, 1])[1:]]
        node["extensions"]["KHR_lights_punctual"]["light"] = len(lights)
        lights.append(own)

    def extrude(self, face, height):
        triangles, part, mesh = self.take(face)
        up = tuple(float(height) * x for x in normal_of(triangles[0]))

        def raised(corner):
            return tuple(a + b for a, b in zip(corner[0], up)), corner[1], corner[2]

        edges = {(t[i][2], t[(i + 1) % 3][2]): (t[i], t[(i + 1) % 3]) for t in triangles for i in range(3)}
        made = [[raised(c) for c in t] for t in triangles]
        for (a, b), (first, second) in edges.items():
            if (b, a) not in edges:
                made += [[first, second, raised(second)], [first, raised(second), raised(first)]]
        self.give(made, part["material"], mesh)

    def niche(self, face, size, depth):
        triangles, part, mesh = self.take(face)
        edges = {t[i][2]: t[(i + 1) % 3] for t in triangles for i in range(3)
                 if not any(t[i][2] == o[(k + 1) % 3][2] and t[(i + 1) % 3][2] == o[k][2] for o in triangles for k in range(3))}  # fmt: skip
        border, n = [next(iter(edges.values()))], normal_of(triangles[0])
        while len(border) < len(edges):
            border.append(edges[border[-1][2]])
        assert len(border) == 4, "the face is no rectangle"

        def between(a, b, part):
            return tuple(x + (y - x) * part for x, y in zip(a, b))

        middle = tuple(between(border[0][i], border[2][i], 0.5) for i in range(3))
        far = math.dist(border[0][0], border[2][0]) / 2
        hole = [tuple(between(middle[i], c[i], float(size) / math.sqrt(2) / far) for i in range(2)) + ((c[2][0], c[2][1] * 0.37 + 0.123),) for c in border]
        deep = [(tuple(a - float(depth) * b for a, b in zip(c[0], n)), c[1], c[2]) for c in hole]
        ring, sides = [], [[deep[0], deep[1], deep[2]], [deep[0], deep[2], deep[3]]]
        for i in range(4):
            k = (i + 1) % 4
            ring += [[border[i], border[k], hole[k]], [border[i], hole[k], hole[i]]]
            sides += [[hole[i], hole[k], deep[k]], [hole[i], deep[k], deep[i]]]
        self.give(ring, part["material"], mesh)
        self.give(sides, part["material"], mesh, numbered=False)

    def append(self, data, kind, shape, count):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.json["accessors"].append(
            {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": kind, "type": shape, "count": count}
        )
        self.binary += data
        return len(self.json["accessors"]) - 1

    def box(self, face, x, y, z, size):
        material = next(
            part["material"] for part, _, numbers, listed, _, _ in self.parts() if any(numbers[v][0] == int(face) + 1 for v in listed)
        )
        low, size, corners = (float(x), float(y), float(z)), float(size), []
        for axis in range(3):
            for side in range(2):
                square = [(0, 0), (1, 0), (1, 1), (0, 1)]
                for i in (0, 1, 2, 0, 2, 3) if side else (0, 2, 1, 0, 3, 2):  # seen from inside
                    at = [0.0, 0.0, 0.0]
                    at[axis] = low[axis] + (size if side == 0 else 0)
                    at[(axis + 1) % 3] = low[(axis + 1) % 3] + size * square[i][0]
                    at[(axis + 2) % 3] = low[(axis + 2) % 3] + size * square[i][1]
                    flat = at[(axis + 1) % 3], at[(axis + 2) % 3]
                    uv = 0.5 * flat[0] + 0.1 * axis, 0.25 * flat[1] - 3
                    corners.append((at, uv))
        positions = self.append(b"".join(struct.pack("<3f", *at) for at, _ in corners), 5126, "VEC3", len(corners))
        uvs = self.append(b"".join(struct.pack("<2f", *uv) for _, uv in corners), 5126, "VEC2", len(corners))
        self.json["meshes"].append({"primitives": [{"attributes": {"POSITION": positions, "TEXCOORD_0": uvs}, "material": material}]})
        self.nodes.append({"name": "box", "mesh": len(self.json["meshes"]) - 1})
        self.tops().append(len(self.nodes) - 1)

    def uvs(self, first):
        for part, at, numbers, listed, _, _ in self.parts():
            view = self.json["bufferViews"][self.json["accessors"][part["attributes"]["TEXCOORD_0"]]["bufferView"]]
            start = view.get("byteOffset", 0) + self.json["accessors"][part["attributes"]["TEXCOORD_0"]].get("byteOffset", 0)
            for v in sorted(set(listed)):
                if numbers[v][0] > int(first):
                    place = struct.unpack_from("<3f", self.binary, at + 12 * v)
                    print(int(numbers[v][0]) - 1, *place, *struct.unpack_from("<2f", self.binary, start + 8 * v))

    def sparse(self):
        for accessor in {p["attributes"]["POSITION"] for m in self.json.get("meshes", ()) for p in m["primitives"]}:
            a = self.json["accessors"][accessor]
            view = self.json["bufferViews"][a["bufferView"]]
            start = view.get("byteOffset", 0) + a.pop("byteOffset", 0)
            values = self.binary[start : start + 12 * a["count"]]
            del a["bufferView"]
            self.binary += b"\0" * (-len(self.binary) % 4)
            indices = struct.pack("<%dI" % a["count"], *range(a["count"]))
            views = self.json["bufferViews"]
            views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(indices)})
            views.append({"buffer": 0, "byteOffset": len(self.binary) + len(indices), "byteLength": len(values)})
            a["sparse"] = {
                "count": a["count"],
                "indices": {"bufferView": len(views) - 2, "componentType": 5125},
                "values": {"bufferView": len(views) - 1},
            }
            self.binary += indices + values

    def save(self, path, beside):
        if self.binary:
            self.binary += b"\0" * (-len(self.binary) % 4)
            self.json["buffers"] = [{"byteLength": len(self.binary)}]
        if beside:
            if self.binary:
                self.json["buffers"][0]["uri"] = os.path.basename(path) + ".bin"
                open(path + ".bin", "wb").write(self.binary)
            open(path, "w").write(json.dumps(self.json))
            return
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        binary = struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary if self.binary else b""
        with open(path, "wb") as out:
            out.write(struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(binary)))
            out.write(struct.pack("<I4s", len(text), b"JSON") + text + binary)


def main():
    source, target, *words = sys.argv[1:]
    model, beside = Model(source), False
    counts = {"shuffle": 1, "flat": 0, "tilt": 0, "forget": 1, "move": 4, "turn": 5, "scale": 4, "delete": 1, "copy": 2, "extra": 3, "sparse": 0,
              "vertex": 4, "unface": 1, "paint": 2, "box": 5, "uvs": 1, "drop": 1, "halve": 2, "label": 4, "shine": 3, "slide": 3, "extrude": 2, "niche": 3,
              "flip": 1, "twice": 1, "facing": 1, "dye": 2, "dark": 0, "keep": 1, "side": 0, "prune": 0, "made_by": 1, "unnumber": 0, "mirror": 0,
              "dent": 2, "shaped": 0, "fresh": 1, "part": 0, "bake": 1}  # fmt: skip
    while words:
        edit = words.pop(0)
        if edit == "gltf":
            beside = True
            continue
        given = counts[edit]
        if edit == "vertex" and words[given : given + 1] == ["only"]:
            words.pop(given)
            given += 1
        getattr(model, edit)(*words[:given])
        del words[:given]
    model.save(target, beside)


if __name__ == "__main__":
    main()
