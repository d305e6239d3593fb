# SPDX-License-Identifier: MIT
"""Faces of a level: triangles with numbers, as polygons of one mesh whose vertices faces share."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

_FLAT = 1e-4  # of its area, that a face may lose when it is seen from one side


class Part(NamedTuple):
    """Triangles of one material."""

    material: int
    places: np.ndarray
    texture: np.ndarray  # coordinates, v down
    numbers: np.ndarray  # of the face and of the vertex, plus 1; 0: none
    triangles: np.ndarray  # indices, three in a row


class Polygons(NamedTuple):
    """A mesh as Blender has it."""

    places: np.ndarray
    vertices: np.ndarray  # the level's number of each, plus 1
    corners: np.ndarray  # of all polygons: indices of vertices
    texture: np.ndarray  # of each corner
    totals: np.ndarray  # of each polygon: how many corners
    faces: np.ndarray  # the level's number, plus 1
    materials: np.ndarray


def polygons_of(parts: list[Part]) -> Polygons:
    """Triangles of one face become one polygon, unless it has holes, is bent, or touches itself:
    Blender has no such polygons. All corners of a polygon are different ones."""
    counts = np.cumsum([0] + [len(part.places) for part in parts])
    places = np.concatenate([part.places for part in parts])
    texture = np.concatenate([part.texture for part in parts])
    numbers = np.concatenate([part.numbers for part in parts]).round().astype(np.int64)
    triangles = np.concatenate([part.triangles + at for part, at in zip(parts, counts)])
    materials = np.concatenate([np.full(len(part.triangles), part.material) for part in parts])
    alone = numbers[:, 1].max(initial=0) + 1 + np.arange(len(places))
    keys = np.where(numbers[:, 1] > 0, numbers[:, 1], alone)
    _, first, vertex = np.unique(keys, return_index=True, return_inverse=True)
    keys = numbers[:, 0] * len(first) + vertex
    _, shown, corner = np.unique(keys, return_index=True, return_inverse=True)
    of = corner[triangles]
    whole = (of[:, 0] != of[:, 1]) & (of[:, 1] != of[:, 2]) & (of[:, 2] != of[:, 0])
    of, materials = of[whole], materials[whole]
    face = numbers[shown, 0][of]
    face = np.where((face[:, 0] == face[:, 1]) & (face[:, 1] == face[:, 2]), face[:, 0], 0)
    loops, kept = _borders(places[shown], of, face)
    known, one = np.unique(face, return_index=True)
    own = np.array(list(loops), int)  # faces that are one polygon; the others follow as triangles
    flat = np.array([at for loop in loops.values() for at in loop], int)
    corners = shown[np.concatenate((flat, of[kept].ravel()))]
    totals = np.array([len(loop) for loop in loops.values()] + [3] * np.count_nonzero(kept), int)
    faces = np.concatenate((own, face[kept]))
    materials = np.concatenate((materials[one[np.searchsorted(known, own)]], materials[kept]))
    shared, vertices = vertex[corners], numbers[first, 1]
    return Polygons(places[first], vertices, shared, texture[corners], totals, faces, materials)


def _borders(
    places: np.ndarray, of: np.ndarray, face: np.ndarray
) -> tuple[dict[int, list[int]], np.ndarray]:
    """The border of each face that is one polygon; and which triangles are of other faces."""
    known, group = np.unique(face, return_inverse=True)
    a, b, c = places[of].astype(float).transpose(1, 0, 2)
    sides = np.cross(b - a, c - a)
    area = np.bincount(group, np.linalg.norm(sides, axis=1), len(known))
    seen = np.array([np.bincount(group, sides[:, axis], len(known)) for axis in range(3)])
    good = (known > 0) & (area - np.linalg.norm(seen, axis=0) <= _FLAT * area)
    start, end = of.ravel(), of[:, [1, 2, 0]].ravel()
    edge, of_edge = start * len(places) + end, np.repeat(group, 3)
    border = ~np.isin(edge, end * len(places) + start)
    for repeated, groups in ((edge, of_edge), (start[border], of_edge[border])):
        _, index, count = np.unique(repeated, return_inverse=True, return_counts=True)
        good[groups[count[index] > 1]] = False  # edges that several triangles have, ends of several
    after = dict(zip(start[border].tolist(), end[border].tolist()))
    begins = dict(zip(of_edge[border].tolist(), start[border].tolist()))
    sizes = np.bincount(of_edge[border], minlength=len(known)).tolist()
    loops: dict[int, list[int]] = {}
    for one in np.flatnonzero(good).tolist():
        loop = [begins[one]] if one in begins else []
        while loop and after[loop[-1]] != loop[0] and len(loop) <= sizes[one]:
            loop.append(after[loop[-1]])
        good[one] = len(loop) == sizes[one] > 2
        if good[one]:
            loops[int(known[one])] = loop
    return loops, ~good[group]
