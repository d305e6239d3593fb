# SPDX-License-Identifier: MIT
"""Reads the bytes of a Natural Selection 2 level, and the targets of its numbers."""

import struct

from graph import MEMBER, NONE, OWNER, Level, Loose, Node

ABSENT = 0xFFFFFFFF
VALUE = {0: "wide", 1: "I", 2: "f", 3: "i", 4: "wide", 5: "f", 6: "f", 7: "f", 8: "f", 9: "f", 10: "i"}


class Reader:
    def __init__(self, data, place=0, end=None):
        self.data, self.place, self.end = data, place, len(data) if end is None else end

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.place)
        self.place += struct.calcsize("<" + form)
        if self.place > self.end:
            raise ValueError("past the end of a chunk")
        return values

    def number(self):
        return self.take("I")[0]

    def bytes(self, count):
        if self.place + count > self.end:
            raise ValueError("past the end of a chunk")
        taken = self.data[self.place:self.place + count]
        self.place += count
        return taken

    def narrow(self):
        return self.bytes(self.number())

    def wide(self):
        return self.bytes(2 * self.number())

    def chunks(self):
        while self.place < self.end:
            kind, length = self.take("II")
            if self.place + length > self.end:
                raise ValueError("a chunk is too long")
            yield kind, Reader(self.data, self.place, self.place + length)
            self.place += length


class Ns2Level(Level):
    owned = ("mesh.materials", "mesh.vertices", "mesh.edges")
    unordered = ("mesh.materials",)
    groups = ("mesh.geometry_groups.vertex_groups", "mesh.geometry_groups.edge_groups",
              "mesh.geometry_groups.face_groups")
    needed = {"objects": "class_name=location name=New", "layers": "name=New", "groups": "name=New"}
    not_added = ("mesh.faces", "mesh.materials", "mesh.edges", "mesh.mapping_groups", "mesh.triangles.ghost_vertices",
                 "mesh.triangles.smoothed_normals")

    def place_to_move(self, name, index, generator):
        return None if name in self.unordered else super().place_to_move(name, index, generator)

    def __init__(self, data):
        super().__init__()
        self.broken = []
        self.by_id = {"layers": {}, "groups": {}}
        for name in ("mesh.materials", "mesh.vertices", "mesh.edges", "mesh.mapping_groups",
                     "mesh.triangles.ghost_vertices", "mesh.triangles.smoothed_normals", "mesh.faces",
                     "mesh.geometry_groups.vertex_groups", "mesh.geometry_groups.edge_groups",
                     "mesh.geometry_groups.face_groups", "objects", "layers", "groups", "settings"):
            self.lists[name] = []
        if data[:3] == b"LVL":
            self.version = data[3]
            self.read_level(data)
        else:
            self.version = 10
            self.read_clip(data)
        self.number_of_orders()

    def read_clip(self, data):
        """Blocks until the end; the lists are the first mesh's."""
        place, rest = 0, []
        while place < len(data):
            _, length, kind = struct.unpack_from("<IIH", data, place)
            end = place + 8 + length
            if kind == 2 and not self.lists["mesh.vertices"]:
                self.prefix = "blocks[%d]." % len(rest)
                self.read_mesh(Reader(data, place + 10, end))
                rest.append("mesh")
            else:
                rest.append(data[place:end])
            place = end
        self.rest = tuple(rest)

    def read_level(self, data):
        chunks = [(kind, reader.place, reader.end) for kind, reader in Reader(data, 4).chunks()]
        where = {kind: Reader(data, place, end) for kind, place, end in chunks}
        for kind, name in ((3, "layers"), (5, "groups")):
            if kind in where:
                self.read_names(where[kind], name)
        self.read_mesh(where[2])
        for kind, place, end in chunks:
            if kind == 1:
                self.read_object(Reader(data, place, end))
        if 7 in where:
            self.read_settings(where[7])
        order = [kind for kind, _, _ in chunks]
        self.rest = (tuple(dict.fromkeys(order)), self.version) + tuple(
            (kind, data[place:end]) for kind, place, end in chunks if kind not in (1, 2, 3, 5, 7))

    def element(self, name, data):
        node = Node(name, data)
        self.lists[name].append(node)
        return node

    # ---- layers, groups --------------------------------------------------------------------------------

    def read_names(self, reader, name):
        ids = self.by_id[name]
        for index in range(reader.number()):
            data = (reader.wide(), reader.bytes(4 + 4))
            identity = reader.number() if self.version > 4 else index
            if self.version > 4:
                data += (identity,)
                if identity in ids:
                    self.broken.append("%s: two of id %d" % (name, identity))
            ids.setdefault(identity, self.element(name, data))

    def on_layers(self, node, words, width, place="layer {}"):
        for w, word in enumerate(words):
            while word:
                low = word & -word
                identity = width * w + low.bit_length() - 1
                word ^= low
                known = self.by_id["layers"].get(identity)
                if known:
                    node.add("layer", known, MEMBER)
                else:
                    node.data += (("layer", identity),)

    def in_group(self, node, identity, place=".group"):
        known = self.by_id["groups"].get(identity)
        if known:
            node.add(place, known, MEMBER)
        else:
            node.data += (("group", identity),)

    # ---- mesh ------------------------------------------------------------------------------------------

    def read_mesh(self, reader):
        parts = dict(reader.chunks())
        self.mesh_parts = [kind for kind in parts]
        smooth = self.version >= 8
        self.read_materials(parts[4])
        vertices = parts[1]
        for _ in range(vertices.number()):
            self.element("mesh.vertices", (vertices.bytes(13 if smooth else 12),))
        edges = parts[2]
        for _ in range(edges.number()):
            a, b = edges.take("II")
            node = self.element("mesh.edges", ())
            for k, vertex in enumerate((a, b)):
                node.add(".vertices[{}]", self.at("mesh.vertices", vertex), OWNER, k)
            if smooth:
                node.data = (edges.bytes(1),)
            node.given = 2
        self.read_mapping_groups(parts[7])
        self.read_faces(parts[3])
        self.read_face_layers(parts.get(6))
        if 5 in parts:
            self.read_triangles(parts[5])
        if 8 in parts:
            for name, list_name in (("vertex", "vertices"), ("edge", "edges"), ("face", "faces")):
                self.read_geometry_groups(parts[8], "mesh.geometry_groups.%s_groups" % name, "mesh." + list_name)
        for kind, part in parts.items():
            if part.place != part.end:
                self.broken.append("mesh chunk %d: %d bytes left" % (kind, part.end - part.place))

    def read_materials(self, part):
        for _ in range(part.number()):
            self.element("mesh.materials", (part.narrow(),))

    def read_mapping_groups(self, part):
        self.mapping = {}
        for _ in range(part.number()):
            identity = part.number()
            node = self.element("mesh.mapping_groups", (identity, part.bytes(32)))
            self.mapping.setdefault(identity, node)

    def read_faces(self, part):
        edges, self.edge_vertices = self.lists["mesh.edges"], []
        for index in range(part.number()):
            node = self.element("mesh.faces", (part.bytes(20),))
            group, material, inner = part.take("III")
            if group in self.mapping:
                node.add(".mapping_group", self.mapping[group], NONE)
            else:
                node.data += (group,)
            node.add(".material", self.at("mesh.materials", material), OWNER)
            for loop in range(inner + 1):
                count = part.number()
                flips = []
                words = part.take("%dI" % (2 * count))
                for k in range(count):
                    edge = words[2 * k + 1]
                    flips.append(words[2 * k])
                    node.add(".loops[{}][{}].edge", edges[edge] if edge < len(edges) else Loose(edge), OWNER, loop, k)
                node.data += (tuple(flips),)
            node.given = len(node.refs)

    def read_face_layers(self, part):
        faces = self.lists["mesh.faces"]
        if self.version < 5:
            words = part.take("%dQ" % ((part.end - part.place) // 8)) if part else ()
            if len(words) != len(faces):
                self.broken.append("%d masks of %d faces" % (len(words), len(faces)))
            for node, word in zip(faces, words):
                self.on_layers(node, (word,), 64)
            return
        count, form = part.take("II")
        if count != len(faces):
            self.broken.append("%d layers of %d faces" % (count, len(faces)))
        for index in range(count):
            words = part.take("%dI" % part.number()) if part.number() else None
            if index < len(faces):
                faces[index].data += (("words", len(words)) if words is not None else "no layers",)
                self.on_layers(faces[index], words or (), 32)

    def read_triangles(self, part):
        faces, vertices = self.lists["mesh.faces"], self.lists["mesh.vertices"]
        ghosts = self.lists["mesh.triangles.ghost_vertices"]
        normals = self.lists["mesh.triangles.smoothed_normals"]
        for least, name in ((7, "mesh.triangles.ghost_vertices"), (8, "mesh.triangles.smoothed_normals")):
            if self.version >= least:
                for _ in range(part.number()):
                    self.element(name, (part.bytes(12),))
        count, total = part.take("II")
        if count != len(faces):
            self.broken.append("triangles of %d faces, not %d" % (count, len(faces)))
        self.triangles = []
        found = 0
        self.empty = 0
        for index in range(count):
            node = faces[index] if index < len(faces) else Node("mesh.faces", ())
            number = part.number()
            found += number
            self.empty += not number
            node.data += (("triangles", number),)
            for triangle in range(number):
                for k, vertex in enumerate(part.take("III")):
                    target = vertices[vertex] if vertex < len(vertices) else (
                        ghosts[vertex - len(vertices)] if vertex < len(vertices) + len(ghosts) else Loose(vertex))
                    node.add("@mesh.triangles.faces[{}][{}].vertices[{}]", target, OWNER, triangle, k)
                if self.version >= 8:
                    for k, normal in enumerate(part.take("III")):
                        target = None if normal == len(normals) else self.at("mesh.triangles.smoothed_normals", normal)
                        node.add("@mesh.triangles.faces[{}][{}].normals[{}]", target, NONE, triangle, k)
        self.total = (total, found)
        if total != found:
            self.broken.append("triangle_count %d, not %d" % (total, found))

    def read_geometry_groups(self, part, name, target):
        for _ in range(part.number()):
            identity, count = part.take("II")
            node = self.element(name, (identity,))
            if identity in self.by_id["groups"]:
                node.add(".id", self.by_id["groups"][identity], OWNER)
            for k, index in enumerate(part.take("%dI" % count)):
                node.add(".indices[{}]", self.at(target, index), MEMBER, k)
            node.given = len(node.refs)

    # ---- entities --------------------------------------------------------------------------------------

    def read_object(self, reader):
        node = self.element("objects", ())
        if self.version < 5:
            mask, = reader.take("Q")
            self.on_layers(node, (mask,), 64)
        else:
            if reader.number():
                form, count = reader.take("II")
                node.data += (form, count)
                self.on_layers(node, reader.take("%dI" % count), 32)
            else:
                node.data += ("no layers",)
            self.in_group(node, reader.number())
        node.data += (reader.data[reader.place:reader.end],)
        node.given = len(node.refs)

    def read_settings(self, reader):
        for kind, setting in reader.chunks():
            node = self.element("settings", (kind,))
            for part, content in setting.chunks():
                if part == 0:
                    node.data += (content.wide(),)
                    self.on_layers(node, content.take("%dI" % content.number()), 32)
                else:
                    node.data += (part, content.data[content.place:content.end])

    # ---- rules -----------------------------------------------------------------------------------------

    def number_of_orders(self):
        """Materials are in the order in which faces first use them; none is unused."""
        used = list(dict.fromkeys(node.refs[[ref.place for ref in node.refs].index(".material")].to
                                  for node in self.lists["mesh.faces"]))
        self.in_order = used == self.lists["mesh.materials"]
        if not self.in_order:
            self.broken.append("materials are not in the order of their first use")

    def dangling(self):
        found = super().dangling() + self.broken
        return found

    def loose(self):
        """Vertices and edges that nothing uses."""
        found = []
        for name in ("mesh.vertices", "mesh.edges"):
            used = {ref.to for elements in ("mesh.edges", "mesh.faces") for node in self.lists[elements]
                    for ref in node.refs}
            found += ["%s that nothing uses" % name for node in self.lists[name] if node not in used]
        return found

    inner = ("settings",)
    rows = ("mesh.faces",)  # whose elements lose more than `get` shows: layers, triangles
    no_cascade = ("mesh.triangles.ghost_vertices",)

    def takes_users(self, ref):
        return ref.place == ".id"  # the list of a group's members

    def given_data(self, node):
        """The element's own data, without the rows of its layers and triangles."""
        if node.list != "mesh.faces":
            return node.data
        rows = [i for i, item in enumerate(node.data) if item == "no layers" or isinstance(item, tuple) and
                item[:1] in (("words",), ("triangles",), ("layer",))]
        return node.data[:rows[0]] if rows else node.data

    def fresh(self, name, text, index):
        if name not in ("layers", "groups", "mesh.mapping_groups") or self.version < 5:
            return text
        import re
        ids = {node.data[-1] if name != "mesh.mapping_groups" else node.data[0] for node in self.lists[name]}
        free = next(number for number in range(1, 256) if number not in ids)
        return re.sub(r'"id": \d+', '"id": %d' % free, text)


def read(data):
    return Ns2Level(data)
