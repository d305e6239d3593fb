# SPDX-License-Identifier: MIT
"""The displacement of textures from their expected places: textures.py EDITED.glb RESULT.glb

Each corner of EDITED, whose triangle has texture coordinates with an area, is looked up in RESULT: at the
same place, in a triangle of the same material that faces the same way. Prints the largest difference of
texture coordinates, in repeats, beyond the precision of 32-bit numbers, and the number of corners
compared; "missing" for those that are not in RESULT."""
import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "references"))
from models import Model, multiply, normal_of  # noqa: E402

NEAR = 1e-3


def array(model, accessor, width):
    a = model.json["accessors"][accessor]
    view = model.json["bufferViews"][a["bufferView"]]
    start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
    step = view.get("byteStride", 4 * width)
    return [struct.unpack_from("<%df" % width, model.binary, start + i * step) for i in range(a["count"])]


def triangles(model):
    """The level's geometry, in the world: material, normal, corners with texture coordinates."""
    parents = model.parents()
    worlds = {}

    def world(i):
        if i not in worlds:
            above = parents.get(i)
            worlds[i] = model.own(model.nodes[i]) if above is None else multiply(world(above), model.own(model.nodes[i]))
        return worlds[i]

    for i, node in enumerate(model.nodes):
        extras = node.get("extras", {})
        if "mesh" not in node or "path" in extras or extras.get("part_of", "mesh.faces") != "mesh.faces" or ("role" in extras and "part_of" not in extras):
            continue
        m = world(i)
        for part in model.json["meshes"][node["mesh"]]["primitives"]:
            if "TEXCOORD_0" not in part["attributes"] or "material" not in part or part.get("mode", 4) != 4:
                continue
            material = model.json["materials"][part["material"]].get("extras", {}).get("path")
            at = [tuple(m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r] for r in range(3)) for p in array(model, part["attributes"]["POSITION"], 3)]
            uv = array(model, part["attributes"]["TEXCOORD_0"], 2)
            indices = range(len(at))
            if "indices" in part:
                a = model.json["accessors"][part["indices"]]
                view = model.json["bufferViews"][a["bufferView"]]
                kind = {5121: "B", 5123: "H", 5125: "I"}[a["componentType"]]
                indices = struct.unpack_from("<%d%s" % (a["count"], kind), model.binary, view.get("byteOffset", 0) + a.get("byteOffset", 0))
            for k in range(0, len(indices) - 2, 3):
                corners = [(at[v], uv[v]) for v in indices[k : k + 3]]
                a, b, c = (corner[0] for corner in corners)
                if math.dist(a, b) > 1e-2 and math.dist(b, c) > 1e-2 and math.dist(c, a) > 1e-2:
                    u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
                    if math.hypot(*(u[j - 2] * v[j - 1] - u[j - 1] * v[j - 2] for j in range(3))) > 1e-3:
                        yield material, normal_of(corners), corners


def cells(at):
    ranges = [sorted({math.floor((x - NEAR) / 0.05), math.floor((x + NEAR) / 0.05)}) for x in at]
    return [(x, y, z) for x in ranges[0] for y in ranges[1] for z in ranges[2]]


def main():
    edited, result = (Model(path) for path in sys.argv[1:])
    known = {}
    for material, normal, corners in triangles(result):
        for at, uv in corners:
            known.setdefault(tuple(math.floor(x / 0.05) for x in at), []).append((material, normal, at, uv))
    worst, compared, missing = 0.0, 0, 0
    for material, normal, corners in triangles(edited):
        (a, b, c) = (uv for _, uv in corners)
        if abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) < 1e-6:
            continue
        for at, uv in corners:
            off = [
                max(abs(x - y) - 2.4e-7 * abs(x) for x, y in zip(uv, other))
                for cell in cells(at)
                for m, n, place, other in known.get(cell, ())
                if m == material and math.dist(at, place) < NEAR and sum(x * y for x, y in zip(n, normal)) > 0.99
            ]
            compared += bool(off)
            missing += not off
            worst = max(worst, min(off, default=0.0))
    print("%.2g %d%s" % (worst, compared, " missing %d" % missing if missing else ""))


main()
