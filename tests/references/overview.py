#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws overviews of Natural Selection 2, and compares both files with the level's own bytes.

usage: overview.py COMMAND [CORPUS] [LEVEL...]

The heights' file: its size, sizes, origin, half extents and last number are the first minimap_extents' and the first
commander_camera's. The picture has 1024 x 1024 pixels, with +X at the top and +Z to the right: the middle of each
triangle that faces upwards is covered and as high as the highest one there, and nothing is beyond the geometry.
Prints TAP, a line for each level. With LEVELs only these.
"""

import os
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from faces import Mesh  # noqa: E402
from ns2 import Reader  # noqa: E402
from rooms import Entity  # noqa: E402

SIDE = 1024
HIGHEST = 65533
REAL = ["ns2/NS2Combat__ns2_npc_test__ab7e95fb.level", "ns2/ns2-skulks-with-shotguns__2fort__267190d3.level",
        "ns2/ns2-skulks-with-shotguns__ns2_sws_ikea__c29f04a0.level"]


class Failed(Exception):
    pass


def need(condition, *words):
    if not condition:
        raise Failed(" ".join(map(str, words)))


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def entities(data):
    """The entities of a level: chunks of kind 1."""
    for kind, part in Reader(data, 4).chunks():
        if kind == 1:
            yield Entity(data[3], Reader(data, part.place, part.end))


def first(all_of_them, name):
    return next((one.properties for one in all_of_them if one.class_name == name), None)


def read_png(path):
    """Rows of RGBA."""
    with open(path, "rb") as file:
        data = file.read()
    need(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8:place + 8 + length]
        need(kind != b"IHDR" or body == struct.pack(">IIBBBBB", SIDE, SIDE, 8, 6, 0, 0, 0), "IHDR", body)
        packed += body if kind == b"IDAT" else b""
        place += 12 + length
    raw, width, rows = zlib.decompress(packed), 4 * SIDE, []
    above = bytearray(width)
    for y in range(SIDE):
        how, row = raw[y * (width + 1)], bytearray(raw[y * (width + 1) + 1:(y + 1) * (width + 1)])
        for x in range(width if how else 0):
            left, corner = (row[x - 4], above[x - 4]) if x >= 4 else (0, 0)
            up = above[x]
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[x] = row[x] + (0, left, up, (left + up) // 2, near)[how] & 255
        rows.append(row)
        above = row
    return rows


class Overview:
    def __init__(self, stem, level):
        with open(level, "rb") as file:
            data = file.read()
        found = list(entities(data))
        named, camera = first(found, b"minimap_extents"), first(found, b"commander_camera")
        self.origin, scale = named[b"origin"], named[b"scale"]
        self.half = [f32(size / 4) for size in scale]
        self.edge = max(self.half[0], self.half[2])
        last = f32(camera[b"origin"][1] + 10) if camera else self.origin[1]
        with open(stem + ".hmp", "rb") as file:
            heights = file.read()
        need(len(heights) == 2097192, "size", len(heights))
        header = struct.unpack_from("<3sBII7f", heights)
        need(header == (b"HMP", 1, SIDE, SIDE, *self.origin, *self.half, last), "header", header)
        self.heights = struct.unpack_from("<%dH" % (SIDE * SIDE), heights, 40)
        self.rows = read_png(stem + ".png")
        mesh = Mesh(data)
        points = mesh.points + mesh.ghosts
        self.triangles = [[points[v] for v in three] for face in mesh.triangles for three in face
                          if max(three) < len(points)]

    def pixel(self, point):
        """Column and row."""
        scale = SIDE / (2 * self.edge)
        return (point[2] - self.origin[2] + self.edge) * scale, (self.origin[0] + self.edge - point[0]) * scale

    def height(self, value):
        return self.origin[1] - self.half[1] + value / HIGHEST * 2 * self.half[1]

    def nothing_beyond(self):
        spots = [self.pixel(point) for three in self.triangles for point in three]
        left, right = (edge(x for x, _ in spots) for edge in (min, max))
        top, bottom = (edge(y for _, y in spots) for edge in (min, max))
        shown = 0
        for y, row in enumerate(self.rows):
            for x, (alpha, value) in enumerate(zip(row[3::4], self.heights[y * SIDE:(y + 1) * SIDE])):
                inside = left - 3 <= x <= right + 2 and top - 3 <= y <= bottom + 2
                need(inside or (alpha == 0 and value >= 65534), "something beyond the level at", x, y)
                need(alpha or not any(row[4 * x:4 * x + 3]), "colour where nothing is at", x, y)
                shown += alpha > 0
        need(shown > 1000, "empty")
        return shown

    def is_over(self, three, point):
        """The height of a triangle over a point, and whether it is clearly inside; None: outside."""
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = three
        x, z = point
        area = (bx - ax) * (cz - az) - (bz - az) * (cx - ax)
        if abs(area) < 1e-9:
            return None
        u = ((x - ax) * (cz - az) - (z - az) * (cx - ax)) / area
        v = ((bx - ax) * (z - az) - (bz - az) * (x - ax)) / area
        return ay + u * (by - ay) + v * (cy - ay) if min(u, v, 1 - u - v) >= -1e-6 else None

    def floors_are_there(self):
        """Where no other faces overlap: the tests' own levels have no roofs."""
        up = [three for three in self.triangles if self.turn(three) > 1e-6]
        for three in up:
            column, row = map(int, self.pixel([sum(p[k] for p in three) / 3 for k in range(3)]))
            if not (0 <= column < SIDE and 0 <= row < SIDE):
                continue
            z = self.origin[2] - self.edge + (column + 0.5) * 2 * self.edge / SIDE
            x = self.origin[0] + self.edge - (row + 0.5) * 2 * self.edge / SIDE
            over = [height for height in (self.is_over(other, (x, z)) for other in up) if height is not None]
            if not over:
                continue
            limits = self.origin[1] - self.half[1], self.origin[1] + self.half[1]
            expected = min(max(max(over), limits[0]), limits[1])
            value = self.heights[row * SIDE + column]
            need(value <= HIGHEST, "nothing at", column, row)
            need(abs(self.height(value) - expected) < 0.001 + 2 * self.half[1] / HIGHEST, "height at", column, row,
                 self.height(value), expected)
            need(self.rows[row][4 * column + 3] == 255, "a hole at", column, row)
        return len(up)

    def turn(self, three):
        """Twice its area from above; negative if it faces downwards."""
        (ax, _, az), (bx, _, bz), (cx, _, cz) = three
        return (bz - az) * (cx - ax) - (bx - ax) * (cz - az)


def compare(command, level, room, own):
    subprocess.run([command, "render", "--overview", level, "-o", os.path.join(room, "overviews/")], check=True)
    overview = Overview(os.path.join(room, "overviews", os.path.basename(level)[:-6]), level)
    return "%d pixels, %s triangles" % (overview.nothing_beyond(), overview.floors_are_there() if own else "no")


def main():
    command, rest = os.path.abspath(sys.argv[1]), sys.argv[2:]
    corpus = next((one for one in [*rest, os.environ.get("MAPSTONE_CORPUS", "")] if os.path.isdir(one)), "")
    given = [one for one in rest if not os.path.isdir(one)]
    failed = 0
    with tempfile.TemporaryDirectory() as room:
        own = given
        if not own:
            own = [os.path.join(room, "match.level")]
            subprocess.run([command, "new", "ns2-level", "--template", "match", "-o", own[0]], check=True,
                           stderr=subprocess.DEVNULL)
            own.append(os.path.join(room, "outpost.level"))
            subprocess.run([command, "convert", "-q", os.path.join(TOP, "samples", "outpost.json"), "-o", own[1]], check=True)
        real = [os.path.join(corpus, name) for name in REAL] if corpus and not given else []
        for number, level in enumerate(own + real, 1):
            try:
                print("ok %d - %s: %s" % (number, os.path.basename(level), compare(command, level, room, level in own)))
            except (Failed, OSError, subprocess.CalledProcessError, struct.error) as fault:
                failed += 1
                print("not ok %d - %s: %s" % (number, os.path.basename(level), fault))
        print("1..%d" % len(own + real))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
