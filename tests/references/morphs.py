#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Converts Revenant's models that change their shape to glTF, and compares each frame with the file's
vertices.

usage: morphs.py COMMAND [CORPUS]

A mesh at a frame's time, by its targets and weights, must equal the file's triangles for that frame, and
halfway to the next frame the mean of both. Prints TAP, a line for each model.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile


class Model:
    """States with frames of vertices, and faces, as in the format's description."""

    def __init__(self, data):
        bitmaps, header_size = struct.unpack_from("<H", data, 4)[0], struct.unpack_from("<I", data, 16)[0]
        header = data[20:20 + header_size]
        self.data = data[20 + header_size + 4 * bitmaps:]
        count = struct.unpack_from("<i", header, 4)[0]
        states = [header[8 + 76 * i:84 + 76 * i] for i in range(count)]
        new = bool(self.number(0) & 16)
        vertices = self.number(12) if new else self.number(4)
        by_state = self.led(16) if new else 8
        self.states = []
        for i, state in enumerate(states):
            frames = self.led(by_state + 4 * i)
            length = struct.unpack_from("<h", state, 42)[0]
            places = [self.led(frames + 4 * k) for k in range(length)] if frames else []
            self.states.append([[struct.unpack_from("<3f", self.data, at + 32 * v) for v in range(vertices)]
                                for at in places])
        self.triangles = self.read_triangles(new)

    def number(self, at):
        return struct.unpack_from("<I", self.data, at)[0]

    def led(self, at):
        return at + self.number(at) if self.number(at) else 0

    def words(self, at, count):
        return struct.unpack_from("<%dH" % count, self.data, at)

    def read_triangles(self, new):
        faces, triangles = self.led(24 if new else 268), []
        textures, objects = (self.number(36), self.number(44)) if new else (self.number(916), self.number(1880))
        for i in range(objects):
            if new:
                at = self.led(48) + 48 * i
                first = self.words(at + 34, 1)[0]
                runs = [self.words(self.led(at + 40) + 4 * k, 2) for k in range(textures + 1)]
            else:
                first = self.words(4060 + 2 * i, 1)[0]
                runs = [(self.words(4316 + 16 * i + 2 * k, 1)[0], self.words(5340 + 16 * i + 2 * k, 1)[0])
                        for k in range(textures + 1)]
            for start, length in runs:
                for face in range(start, start + length):
                    triangles.append([first + corner for corner in self.words(faces + 6 * face, 3)])
        return triangles


class Gltf:
    def __init__(self, data):
        size = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + size])
        self.binary = data[28 + size:]

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5126: "f", 5123: "H", 5125: "I"}[accessor["componentType"]]
        values = struct.unpack_from("<%d%s" % (accessor["count"] * width, kind), self.binary,
                                    view["byteOffset"] + accessor.get("byteOffset", 0))
        elements = [values[i:i + width] for i in range(0, len(values), width)]
        for key, best in (("min", min), ("max", max)):
            if key in accessor:
                said = struct.pack("<%df" % width, *accessor[key])
                assert said == struct.pack("<%df" % width, *(best(one[k] for one in elements) for k in range(width))), key
        return elements

    def weights(self, animation, node, time):
        for channel in animation["channels"]:
            if channel["target"] != {"node": node, "path": "weights"}:
                continue
            sampler = animation["samplers"][channel["sampler"]]
            times = [one[0] for one in self.accessor(sampler["input"])]
            values = [one[0] for one in self.accessor(sampler["output"])]
            width = len(values) // len(times)
            after = next((i for i, one in enumerate(times) if one >= time), len(times) - 1)
            before = max(after - 1, 0)
            span = times[after] - times[before]
            share = (time - times[before]) / span if span else 0
            return [a + (b - a) * share for a, b in zip(values[before * width:(before + 1) * width],
                                                        values[after * width:(after + 1) * width])]
        return []

    def corners(self, animation, time):
        """Triangles with the vertices in place; nodes of such models have no transform except the root's."""
        for i, node in enumerate(self.json["nodes"]):
            if "mesh" not in node:
                continue
            assert not {"translation", "rotation", "scale"} & set(node), node
            weights = self.weights(animation, i, time) if animation else []
            for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                places = [list(one) for one in self.accessor(primitive["attributes"]["POSITION"])]
                for weight, target in zip(weights, primitive["targets"]):
                    if weight:
                        for place, move in zip(places, self.accessor(target["POSITION"])):
                            for k in range(3):
                                place[k] += weight * move[k]
                indices = [one[0] for one in self.accessor(primitive["indices"])]
                for k in range(0, len(indices), 3):
                    yield [places[index] for index in indices[k:k + 3]]


def is_near(wanted, found):
    return all(abs(a - b) < 1e-3 for p, q in zip(wanted, found) for a, b in zip(p, q))


def differences(model, gltf, animation, time, vertices):
    """Triangles are in the file's order; their corners may all be reversed. y is up in the scene."""
    wanted = [[[vertices[corner][k] for k in (0, 2, 1)] for corner in triangle] for triangle in model.triangles
              if len(set(triangle)) == 3]
    found = list(gltf.corners(animation, time))
    if len(wanted) != len(found):
        return "%d triangles, not %d" % (len(found), len(wanted))
    wrong = min(sum(not is_near(one[::step], two) for one, two in zip(wanted, found)) for step in (1, -1))
    return "at %.3f s %d of %d triangles are elsewhere" % (time, wrong, len(wanted)) if wrong else None


def compare(model, gltf):
    animations = gltf.json.get("animations", [])
    if not any(len(frames) > 1 for frames in model.states):
        return "no state has several frames"
    if len(animations) != sum(len(frames) > 0 and any(one != model.states[0][0] for one in frames)
                              for frames in model.states):
        return "%d animations" % len(animations)
    wrong, left = differences(model, gltf, None, 0, model.states[0][0]), list(animations)
    for frames in model.states:
        if wrong or not any(one != model.states[0][0] for one in frames):
            continue
        animation = left.pop(0)
        for i, frame in enumerate(frames):
            wrong = wrong or differences(model, gltf, animation, i / 24, frame)
            if i + 1 < len(frames):
                mean = [[(a + b) / 2 for a, b in zip(p, q)] for p, q in zip(frame, frames[i + 1])]
                wrong = wrong or differences(model, gltf, animation, (i + 0.5) / 24, mean)
    return wrong


def main():
    command, corpus = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MAPSTONE_CORPUS", "")
    found = []
    for folder, _, names in sorted(os.walk(os.path.join(corpus, "revenant-imagery"))):
        for name in sorted(names):
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            if name.lower().endswith(".i3d") and len(data) > 100:
                size, bitmaps = struct.unpack_from("<I", data, 16)[0], struct.unpack_from("<H", data, 4)[0]
                if struct.unpack_from("<I", data, 20 + size + 4 * bitmaps)[0] & 1:
                    found.append(os.path.join(folder, name))
    if not found:
        print("1..0 # SKIP there is no model that changes its shape")
        return 0
    print("1..%d" % len(found))
    failed = 0
    for i, path in enumerate(found):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "model.glb")
            run = subprocess.run([command, "convert", path, "-o", out], stderr=subprocess.PIPE, text=True, check=False)
            wrong = run.stderr
            if run.returncode == 0:
                with open(path, "rb") as file, open(out, "rb") as made:
                    wrong = compare(Model(file.read()), Gltf(made.read()))
        failed += bool(wrong)
        print("%s %d - %s" % ("not ok" if wrong else "ok", i + 1, os.path.basename(path)))
        if wrong:
            print("#", wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
