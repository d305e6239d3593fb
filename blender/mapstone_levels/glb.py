# SPDX-License-Identifier: MIT
"""GLB files: read into arrays, and written from arrays."""
from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

_KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_JSON, _BINARY = 0x4E4F534A, 0x004E4942


class Reader:
    """The content of a GLB from the library: its JSON, and its accessors as arrays."""

    def __init__(self, data: bytes) -> None:
        length = struct.unpack_from("<I", data, 12)[0]
        self.json: dict[str, Any] = json.loads(data[20 : 20 + length])
        self.nodes: list[dict[str, Any]] = self.json["nodes"]
        self.origin = json.dumps(self.json["scenes"][0]["extras"])  # identifies the level
        self.areas: list[int] = []  # of Turok's sectors
        self._binary = memoryview(data)[20 + length + 8 :]

    def array(self, index: int) -> np.ndarray:
        """An accessor, with a row for each element."""
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind, width = np.dtype(_KINDS[accessor["componentType"]]), _WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        shape, strides = (accessor["count"], width), (stride, kind.itemsize)
        return np.ndarray(shape, kind, self._binary, start, strides)

    def attribute(self, part: dict[str, Any], name: str) -> np.ndarray:
        """The values of each vertex; two zeros each if the attribute is missing."""
        given = part["attributes"]
        if name in given:
            return self.array(given[name])
        return np.zeros((len(self.array(given["POSITION"])), 2), np.float32)

    def image(self, index: int) -> bytes:
        """The file of an image."""
        view = self.json["bufferViews"][self.json["images"][index]["bufferView"]]
        return bytes(self._binary[view.get("byteOffset", 0) :][: view["byteLength"]])


class Writer:
    """Builds a GLB. Nodes have no parents: their matrices are world matrices."""

    def __init__(self) -> None:
        names = ("nodes", "meshes", "materials", "accessors", "bufferViews")
        self.lists: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
        self.lights: list[dict[str, Any]] = []
        self._binary = bytearray()

    def put(self, name: str, one: dict[str, Any]) -> int:
        """Adds to one of the lists; returns the index."""
        self.lists[name].append(one)
        return len(self.lists[name]) - 1

    def array(self, values: np.ndarray) -> int:
        """Adds an accessor of floats or indices; returns its index."""
        kind = 5125 if values.dtype.kind in "iu" else 5126
        shape = "SCALAR" if values.ndim == 1 else "VEC%d" % values.shape[1]
        piece = np.ascontiguousarray(values, _KINDS[kind]).tobytes()
        place = {"byteOffset": len(self._binary), "byteLength": len(piece)}
        view = self.put("bufferViews", {"buffer": 0, **place})
        self._binary += piece
        one = {"bufferView": view, "componentType": kind, "count": len(values), "type": shape}
        return self.put("accessors", one)

    def finish(self, extras: dict[str, Any]) -> bytes:
        """Returns the whole file; `extras` are the scene's."""
        top: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0}
        top["scenes"] = [{"nodes": list(range(len(self.lists["nodes"]))), "extras": extras}]
        top["buffers"] = [{"byteLength": len(self._binary)}]
        top["extensions"] = {"KHR_lights_punctual": {"lights": self.lights}}
        text = json.dumps({**top, **self.lists}).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self._binary)
        head = struct.pack("<4sIIII", b"glTF", 2, size, len(text), _JSON) + text
        return head + struct.pack("<II", len(self._binary), _BINARY) + self._binary
