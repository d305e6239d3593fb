# SPDX-License-Identifier: MIT
"""Reads the bytes of a level of the Turok remaster, and the targets of its numbers."""

import struct

from graph import NONE, OWNER, Level, Node

EDGE = 10.24  # a cell's box exceeds its meshes' boxes by this


def archive(data, start, end):
    """The blocks of an indexed archive, as (start, end)."""
    count, = struct.unpack_from("<I", data, start)
    if not count:
        return []
    offsets = struct.unpack_from("<%dI" % (count + 1), data, start + 4)
    if list(offsets) != sorted(offsets):
        raise ValueError("offsets descend")
    return [(start + a, start + b) for a, b in zip(offsets, offsets[1:])]


def records(data, block):
    """The records of a data set, and its stride."""
    stride, count = struct.unpack_from("<II", data, block[0])
    first = block[0] + 8
    if first + stride * count > block[1]:
        raise ValueError("a data set is too long")
    return [data[first + stride * i:first + stride * (i + 1)] for i in range(count)], stride


def string(data, block):
    found, stride = records(data, block)
    return found[0] if found else None


class TurokLevel(Level):
    owned = ("collision.vertices",)
    shallow = {("collision.sectors", ".links[{}]")}
    rows = ("actors.records", "grid_sections")
    numbered = ("actors.records",)

    def forbids_move(self, name, index, to):
        return name == "collision.sector_sets"

    def __init__(self, data):
        super().__init__()
        self.broken, self.needed = [], {}
        root = archive(data, 0, len(data))
        if root[-1][1] != len(data):
            self.broken.append("root ends at %d of %d" % (root[-1][1], len(data)))
        for path in ("collision.vertices", "collision.sector_sets", "collision.sectors"):
            self.lists[path] = []
        self.rest = [data[a:b] for a, b in root[:3]]
        self.read_collision(data, archive(data, *root[3]))
        self.read_grid(data, archive(data, *root[4]), archive(data, *root[5]))
        self.read_actors(data, archive(data, *root[6]))
        self.visibility = None
        if len(root) > 7:
            rows, stride = records(data, root[7])
            self.visibility = (stride, tuple(rows))
            if len(rows) != len(self.lists["collision.sectors"]) or 8 * stride < self.meshes:
                self.broken.append("visibility of %d sectors, %d meshes" % (len(rows), 8 * stride))
        self.rest = tuple(self.rest) + (len(root) - 8 if len(root) > 8 else 0,)
        for elements in self.lists.values():
            for node in elements:
                node.given = len(node.refs)

    def element(self, path, data):
        node = Node(path, data)
        self.lists.setdefault(path, []).append(node)
        return node

    def read_collision(self, data, blocks):
        for record in records(data, blocks[0])[0]:
            self.element("collision.vertices", (record,))
        for record in records(data, blocks[1])[0]:
            self.element("collision.sector_sets", (record,))
        sectors, self.stride = records(data, blocks[2])
        for record in sectors:
            self.element("collision.sectors", (record[2:4] + record[16:],))
        for node, record in zip(self.lists["collision.sectors"], sectors):
            words = struct.unpack_from("<8H", record)
            node.add(".sector_set", self.at("collision.sector_sets", words[0]), OWNER)
            for k in range(3):
                node.add(".vertices[{}]", self.at("collision.vertices", words[2 + k]), OWNER, k)
            for k in range(3):
                link = words[5 + k]
                node.add(".links[{}]", None if link == 0xFFFF else self.at("collision.sectors", link), NONE, k)

    def read_grid(self, data, bounds, cells):
        (size, _), (low, _), (high, _) = (records(data, block) for block in bounds)
        size = [struct.unpack("<h", record)[0] for record in size]
        if not len(low) == len(high) == len(cells) == size[0] * size[1]:
            self.broken.append("grid %s: %d, %d boxes of %d cells" % (size, len(low), len(high), len(cells)))
        self.rest.append(tuple(size))
        self.meshes = 0
        self.boxes = []
        empty_corners = {}
        for index, block in enumerate(cells):
            path = "grid_sections[%d].static_meshes" % index
            inside = archive(data, *block)
            self.lists[path] = []
            box = [1e39, 1e39, -1e39, -1e39]
            if inside:
                meshes, _ = records(data, inside[0])
                models = [string(data, name) for name in archive(data, *inside[1])]
                if len(meshes) != len(models):
                    self.broken.append("grid_sections[%d]: %d meshes, %d models" % (index, len(meshes), len(models)))
                for k, record in enumerate(meshes):
                    node = self.element(path, (record[:72] + record[76:],
                                               models[k] if k < len(models) else "no model"))
                    sector, = struct.unpack_from("<i", record, 72)
                    node.add(".sector", None if sector == -1 else self.at("collision.sectors", sector), NONE)
                    origin = struct.unpack_from("<3f", record)
                    # a new one at the place of another, so that the grid keeps its size
                    self.needed.setdefault(path, "origin=%r,%r,%r" % origin)
                    corners = struct.unpack_from("<6f", record, 40)
                    for axis in (0, 1):
                        box[axis] = min(box[axis], origin[axis] + corners[axis])
                        box[2 + axis] = max(box[2 + axis], origin[axis] + corners[3 + axis])
                self.meshes += len(meshes)
            stored = struct.unpack("<2f", low[index]) + struct.unpack("<2f", high[index])
            expected = (box[0] - EDGE, box[1] - EDGE, box[2] + EDGE, box[3] + EDGE)
            if self.lists[path]:
                if any(abs(a - b) > 0.05 + 1e-6 * abs(b) for a, b in zip(stored, expected)):
                    self.broken.append("grid_bounds[%d]: %s, its meshes fill %s" % (index, stored, expected))
            else:
                empty_corners[index] = stored
                if stored[:2] != stored[2:]:
                    self.broken.append("grid_bounds[%d]: an empty cell with the box %s" % (index, (stored,)))
        # An empty cell's corner is the lattice's: one X per column, one Y per row (if there are several).
        for axis, step in ((0, lambda i: i % size[0]), (1, lambda i: i // size[0])):
            known = {}
            for index, corner in empty_corners.items():
                if abs(known.setdefault(step(index), corner[axis]) - corner[axis]) > 0.5:
                    self.broken.append("grid_bounds[%d]: an empty cell's corner is not on the lattice" % index)

    def read_actors(self, data, blocks):
        actors, _ = records(data, blocks[0])
        models = [string(data, block) for block in archive(data, *blocks[1])]
        animations = [string(data, block) for block in archive(data, *blocks[2])]
        if not len(actors) == len(models) == len(animations):
            self.broken.append("%d actors, %d models, %d animations" % (len(actors), len(models), len(animations)))
        self.lists["actors.records"] = []
        for k, record in enumerate(actors):
            node = self.element("actors.records", (record[:32] + record[36:],
                                                   models[k] if k < len(models) else "no model",
                                                   animations[k] if k < len(animations) else "no animation"))
            sector, = struct.unpack_from("<i", record, 32)
            node.add(".sector", None if sector == -1 else self.at("collision.sectors", sector), NONE)

    # ---- rules -----------------------------------------------------------------------------------------

    def dangling(self):
        return super().dangling() + self.broken

    def loose(self):
        used = {ref.to for node in self.lists["collision.sectors"] for ref in node.refs}
        return ["collision.vertices that nothing uses" for node in self.lists["collision.vertices"]
                if node not in used]

    def given_data(self, node):
        return node.data[:1]  # without the paths in other lists

    def forbids_removal(self, name, index):
        if name == "collision.sector_sets" and index != len(self.lists[name]) - 1:
            return "areas are known by their numbers"
        return None

    def forbids_insertion(self, name, index):
        return name == "collision.sector_sets" and index != len(self.lists[name])

    def loses(self, name):
        """Whether an insertion cannot be undone by a removal: it drops the visibility block."""
        return self.visibility is not None and name.startswith(("collision.sectors", "grid_sections"))

    def also_goes(self, outcome):
        changed = {node.list.split("[")[0] for node in outcome[0]} & {"collision.sectors", "grid_sections"}
        return {"visibility"} if changed and self.visibility is not None else set()

    def after_removal(self, after, outcome):
        """Removes the visibility of changed sectors and meshes."""
        changed = self.also_goes(outcome)
        if changed and after.visibility is not None:
            raise ValueError("the visibility block stays")
        if not changed and after.visibility != self.visibility:
            raise ValueError("the visibility block changed")


def read(data):
    return TurokLevel(data)
