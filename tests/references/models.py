# SPDX-License-Identifier: MIT
"""Edits GLB files as somebody who knows only glTF 2.0 would:

    models.py IN.glb OUT.glb EDIT...

    shuffle SEED          nodes, meshes, materials, accessors and triangles in another order, matrices in place of parts
    flat                  no node has a parent any more: all are where they are in the world
    forget NAME           the extra NAME of the scene and of all nodes
    move PATH X Y Z       the node of an element, in the world
    turn PATH DEGREES X Y Z      about an axis through its origin
    scale PATH X Y Z
    delete PATH           with what is below it
    copy PATH NAME        with what is below it, under another name
    extra PATH NAME VALUE (JSON)
    gltf                  OUT is JSON, its buffer beside it, in a file called as OUT with .bin
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
    counts = {"shuffle": 1, "flat": 0, "forget": 1, "move": 4, "turn": 5, "scale": 4, "delete": 1, "copy": 2, "extra": 3, "sparse": 0}
    while words:
        edit = words.pop(0)
        if edit == "gltf":
            beside = True
            continue
        getattr(model, edit)(*words[: counts[edit]])
        del words[: counts[edit]]
    model.save(target, beside)


if __name__ == "__main__":
    main()
