#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws packaging/desktop/mapstone.svg as an icon for Windows: scripts/icon.py OUT.ico

The drawing may have only filled paths, and lines of straight pieces."""
import re
import struct
import sys
import xml.etree.ElementTree as xml
import zlib

SIZES = (16, 20, 24, 32, 48, 64, 256)
FINE = 8  # samples per pixel and direction
SVG = "{http://www.w3.org/2000/svg}"


def outlines(text):
    """The (closed, points) of a path of M, L, H, V and Z, absolute or relative."""
    found, command, at = [], "", (0.0, 0.0)
    for token in re.findall(r"[A-Za-z]|-?[0-9.]+", text):
        if token.isalpha():
            command, numbers = token, []
            if token in "Zz":
                found[-1][0] = True
                at = found[-1][1][0]
            continue
        if command not in "MmLlHhVv":
            raise ValueError("a path with " + command)
        numbers.append(float(token))
        if len(numbers) < 2 and command not in "HhVv":
            continue
        from_x, from_y = at if command.islower() else (0.0, 0.0)
        at = (at[0] if command in "Vv" else from_x + numbers[0], at[1] if command in "Hh" else from_y + numbers[-1])
        numbers = []
        if command in "Mm":
            found.append([False, []])
            command = "l" if command == "m" else "L"
        found[-1][1].append(at)
    return found


def colour(text):
    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))


def shapes(file):
    """Polygons with their colours; a line is the polygon around it, with round ends."""
    for path, given in ((path, {**group.attrib, **path.attrib})
                        for group in xml.parse(file).getroot().iter() for path in group.findall(SVG + "path")):
        for closed, points in outlines(path.get("d")):
            if given.get("fill", "none") != "none":
                yield colour(given["fill"]), ("inside", points)
            if given.get("stroke", "none") != "none":
                pieces = list(zip(points, points[1:] + points[:1] if closed else points[1:]))
                yield colour(given["stroke"]), ("near", pieces, float(given["stroke-width"]) / 2)


def covers(shape, x, y):
    if shape[0] == "inside":
        points, inside = shape[1], False
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
        return inside
    for (ax, ay), (bx, by) in shape[1]:
        dx, dy = bx - ax, by - ay
        t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
        if (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2 <= shape[2] ** 2:
            return True
    return False


def draw(all_shapes, size):
    """The rows of a picture of the drawing's 64 x 64 units, with alpha."""
    fine = FINE if size < 64 else 3
    for row in range(size):
        line = bytearray()
        for column in range(size):
            total = [0, 0, 0, 0]
            for k in range(fine * fine):
                x, y = ((column + (k % fine + 0.5) / fine) * 64 / size, (row + (k // fine + 0.5) / fine) * 64 / size)
                for one, shape in all_shapes:
                    if covers(shape, x, y):
                        for i in range(3):
                            total[i] += one[i]
                        total[3] += 1
                        break
            hits = total[3] or 1
            line += bytes([total[i] // hits for i in range(3)] + [total[3] * 255 // (fine * fine)])
        yield bytes(line)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(rows, size):
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def main():
    all_shapes = list(shapes("packaging/desktop/mapstone.svg"))[::-1]  # the topmost first
    pictures = [png(draw(all_shapes, size), size) for size in SIZES]
    offset, entries = 6 + 16 * len(SIZES), b""
    for size, picture in zip(SIZES, pictures):
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    with open(sys.argv[1], "wb") as out:
        out.write(struct.pack("<HHH", 0, 1, len(SIZES)) + entries + b"".join(pictures))


main()
