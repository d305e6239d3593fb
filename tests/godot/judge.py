# SPDX-License-Identifier: MIT
"""Compares Godot's import of a model with the model and with its level: judge.py LEVEL MODEL.glb COUNTED. The
expected classes are found by an independent reader of the level; the triangles of bodies are all triangles
of the meshes whose nodes request it."""
import collections
import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "references"))
from exports import Ns2  # noqa: E402

level, model, counted = sys.argv[1:]
with open(model, "rb") as file:
    data = file.read()
said = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
solid = [said["meshes"][node["mesh"]] for node in said["nodes"] if node["name"].endswith(("-col", "-colonly"))]
parts = [part for mesh in solid for part in mesh["primitives"]]
triangles = sum(said["accessors"][part["indices"] if "indices" in part else part["attributes"]["POSITION"]]["count"] // 3 for part in parts)
with open(counted, encoding="utf-8") as file:
    lines = [line.strip() for line in file if line.startswith(("bodies ", "class "))]
wanted = "bodies %d, triangles %d" % (len(solid), triangles)
assert solid and lines[0] == wanted, (lines[0], wanted)
classes = collections.Counter(line.split(" ", 1)[1] for line in lines[1:])
known = collections.Counter(name for name, _ in Ns2(level).classes)
assert classes == known, (classes - known, known - classes)
print("%s: %s, %d things of %d classes" % (pathlib.Path(level).name, wanted, sum(known.values()), len(known)))
