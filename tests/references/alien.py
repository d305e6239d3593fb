# SPDX-License-Identifier: MIT
"""Reads the bytes of an Alien Trilogy level, and the targets of its numbers."""

import re
import struct

from graph import HEIR, MEMBER, NEAR, NONE, OWNER, Level, Loose, Node

STRIDES = [("vertices", 8), ("quads", 20), ("cells", 16), ("path_nodes", 8), ("monsters", 20), ("pickups", 8),
           ("boxes", 16), ("doors", 8), ("lifts", 16), ("triggers", 4), ("commands", 4), ("lights", 28),
           ("texture_animators", 4), ("texture_animation_words", 4)]
TARGETS = {0: "lights", 1: "doors", 2: "pickups", 3: "monsters", 4: "boxes", 5: "lifts", 6: "doors", 7: "lifts",
           9: "texture_animators"}
EMPTY = ((255, 255, 255, 255), (0, 255, 255, 0))


class AlienLevel(Level):
    shallow = {("map.commands", ".next"), ("map.path_nodes", ".links[{}]"), ("map.cells", "quad")}
    slots = {"map.triggers": ((255, 255, 255), [(".first_command", HEIR)]),
             "map.commands": ((255, 255), [(".next", HEIR), (".target", OWNER)])}
    fixed = ["map.triggers", "map.commands", "map.lights"]  # nothing is inserted
    not_removed = ["map.lights", "map.cells"]

    def forbids_removal(self, name, index):
        last = index == len(self.lists[name]) - 1
        if name in ("door_models", "lift_models") and not last:
            return "sections are known by their numbers"
        return "the terminator stays" if name == "map.quads" and last else None

    ordered_members = ("quad", "word")
    numbered = ("map.texture_animation_words",)  # the words of one program have its number

    def is_unused(self, node):
        """One of EMPTY; cells with the number of the first trigger have none."""
        data = {"map.triggers": ((255, 255, 255), (0, 255, 0)), "map.commands": ((255, 255), (0, 255))}[node.list]
        return node.data in data and (node.list != "map.triggers" or node is not self.lists[node.list][0])

    def forbids_addition(self, name):
        return name in ("map.lights", "map.cells", "map.quads")  # a quad requires its cell

    def forbids_move(self, name, index, to):
        return name in ("door_models", "lift_models", "map.cells")

    def place_to_move(self, name, index, generator):
        """A quad stays in the run of its cell; no cell can name the first trigger."""
        if name == "map.triggers":
            return generator.randrange(1, len(self.lists[name])) if index else None
        if name != "map.quads":
            return super().place_to_move(name, index, generator)
        run = [other for ref in self.users(self.lists[name][index]) if ref.place == "quad"
               for other in ref.owner.refs if other.place == "quad"]
        places = {node: place for place, node in enumerate(self.lists[name])}
        return places[generator.choice(run).to] if run else None

    def fresh(self, name, text, index):
        """A section is named after its place."""
        return re.sub(r'"name": "([DL])\d+"', lambda match: '"name": "%s%03d"' % (match.group(1), index), text) if \
            name in ("door_models", "lift_models") else text

    def forbids_insertion(self, name, index):
        if name in ("door_models", "lift_models"):
            return index != len(self.lists[name])
        return name == "map.cells" or (name == "map.quads" and index == len(self.lists[name]))

    def __init__(self, data):
        super().__init__()
        self.broken = []
        self.not_added = []
        self.inner_lists = {}
        if data[:4] != b"FORM" or struct.unpack_from(">I", data, 4)[0] != len(data) - 8:
            self.broken.append("FORM: size")
        place, sections = 12, []
        while place + 8 <= len(data):
            name, size = struct.unpack_from(">4sI", data, place)
            sections.append((name, data[place + 8:place + 8 + size]))
            place += 8 + size + (size & 1)
        if place != len(data):
            self.broken.append("sections do not end at the end")
        level = sections[0][1]
        self.order = "<"
        if self.sum_of_blocks(level) != len(level):
            self.order = ">"
            if self.sum_of_blocks(level) != len(level):
                self.broken.append("blocks do not fill MAP0")
                return
        # Lists before the elements that reference them.
        self.models = {b"D": [], b"L": []}
        for name, body in sections[1:]:
            self.read_model(name, body)
        self.lists["door_models"] = self.models[b"D"]
        self.lists["lift_models"] = self.models[b"L"]
        self.needed = {"door_models": "name=D%03d" % len(self.models[b"D"]),
                       "lift_models": "name=L%03d" % len(self.models[b"L"])}
        self.not_added = [name for name in self.lists if name.endswith("].quads")]  # they need vertices
        self.read_map(level)

    def sum_of_blocks(self, level):
        self.header = struct.unpack_from(self.order + "6H2B7H2B3H", level)
        if self.order == ">":  # the only such file has its pairs of byte counts swapped, as words
            h = self.header
            self.header = (*h[:6], h[7], h[6], *h[8:15], h[16], h[15], *h[17:])
        (vertices, quads, columns, rows, _, _, nodes, lights, monsters, pickups, boxes, doors, lifts, _, animators,
         triggers, commands, words, _, _) = self.header
        self.counts = dict(vertices=vertices, quads=quads, cells=columns * rows, path_nodes=nodes,
                           monsters=monsters, pickups=pickups, boxes=boxes, doors=doors, lifts=lifts,
                           triggers=triggers, commands=commands, lights=lights, texture_animators=animators,
                           texture_animation_words=words)
        self.columns = columns
        return 36 + sum(self.counts[name] * stride for name, stride in STRIDES)

    def read_model(self, name, body):
        """A section of a door or lift, with its own vertices, which its quads name."""
        kind = "door_models" if name[:1] == b"D" else "lift_models"
        quads, vertices = struct.unpack_from(self.order + "2I", body, 12)
        if 20 + 20 * quads + 8 * vertices != len(body):
            self.broken.append("%s: size" % name.decode())
            return
        node = Node(kind, (body[:12],))
        path = "%s[%d]" % (kind, len(self.models[name[:1]]))
        self.models[name[:1]].append(node)
        if name != b"%c%03d" % (name[0], len(self.models[name[:1]]) - 1):
            self.broken.append("section %s at place %d" % (name.decode(), len(self.models[name[:1]]) - 1))
        inner = self.lists[path + ".vertices"] = [
            Node(path + ".vertices", row) for row in struct.iter_unpack(self.order + "3hH", body[20 + 20 * quads:])]
        self.lists[path + ".quads"] = []
        rows = list(struct.iter_unpack(self.order + "4iHBB", body[20:20 + 20 * quads]))
        for k, row in enumerate(rows):
            quad = Node(path + ".quads", (row[4], row[5] & 127, row[6]))
            self.lists[path + ".quads"].append(quad)
            for corner in range(4):
                if corner == 3 and row[3] == -1:
                    quad.add(".vertices[{}]", None, NONE, 3)
                else:
                    quad.add(".vertices[{}]", inner[row[corner]] if 0 <= row[corner] < vertices else Loose(row[corner]),
                             NONE if corner == 3 else OWNER, corner)
            quad.given = 4
            if row[5] >> 7 != (k == len(rows) - 1):
                self.broken.append("%s.quads: the mark of the last at %d of %d" % (path, k, len(rows)))
        self.inner_lists[node] = (path + ".vertices", path + ".quads")

    def parts_of(self, node):
        return [part for name in self.inner_lists.get(node, ()) for part in self.lists[name]]

    def elements(self, name, data):
        self.lists["map." + name] = [Node("map." + name, data(row)) for row in self.rows[name]]
        return self.lists["map." + name]

    def name(self, name, number, none=None):
        return None if number == none else self.at("map." + name, number)

    def read_map(self, level):
        o, h = self.order, self.header
        self.rest = (h[4], h[5], h[13], self.order, self.columns)  # start, angle
        self.masks = (h[18], h[19])
        formats = dict(vertices="3hH", quads="4iHBB", cells="iHHH6B", path_nodes="8B", monsters="20B", pickups="8B",
                       boxes="16B", doors="8B", lifts="16B", triggers="4B", commands="4B", lights="28s",
                       texture_animators="HBB", texture_animation_words="HH")
        self.rows, place = {}, 36
        for name, stride in STRIDES:
            size = self.counts[name] * stride
            self.rows[name] = list(struct.iter_unpack(o + formats[name], level[place:place + size]))
            place += size
        for name in ("vertices", "lights"):
            self.elements(name, lambda row: row)
        self.elements("quads", lambda row: (row[5],))
        self.elements("cells", lambda row: (row[1], row[2] >> 8, row[3], *row[4:8]))
        self.elements("path_nodes", lambda row: row[:4])
        self.elements("monsters", lambda row: row[:6] + row[7:])
        self.elements("pickups", lambda row: row)
        self.elements("boxes", lambda row: row[:6] + row[8:])
        self.elements("doors", lambda row: row[:7])
        self.elements("lifts", lambda row: row[:12] + row[13:])
        self.elements("triggers", lambda row: (row[0], row[2], row[3]))
        self.elements("commands", lambda row: (row[0], row[2]))
        self.elements("texture_animators", lambda row: row[1:])
        self.elements("texture_animation_words", lambda row: row)
        for name, rows in self.rows.items():
            read = getattr(self, "read_" + name, None)
            for node, row in zip(self.lists["map." + name], rows):
                if read:
                    read(node, row)
                node.given = len(node.refs)
        self.read_runs()

    def read_quads(self, node, row):
        last = node is self.lists["map.quads"][-1]
        self.ends = getattr(self, "ends", [])
        self.ends.append(row[6] >> 7)
        if last:
            node.data = ("terminator", row)
            return
        for k in range(4):
            node.add(".vertices[{}]", self.name("vertices", row[k], -1 if k == 3 else None), NONE if k == 3 else OWNER,
                     k)
        if row[5] == 8:
            node.add(".texture", self.name("texture_animators", row[4]), OWNER)
        else:
            node.data += (row[4],)
        node.add(".light", self.name("lights", row[6] & 127), OWNER)

    def read_runs(self):
        """A run of quads is a list of its cell, from first_quad to the quad marked as the last."""
        quads = self.lists["map.quads"]
        following = 0
        for index, (node, row) in enumerate(zip(self.lists["map.cells"], self.rows["cells"])):
            first = row[0]
            if first == -1:
                continue
            if first != following:
                self.broken.append("map.cells[%d].first_quad: %d, not %d" % (index, first, following))
            if not 0 <= first < len(quads) - 1:
                self.broken.append("map.cells[%d].first_quad: %d" % (index, first))
                continue
            place = first
            while place < len(quads) - 1:
                node.add("quad", quads[place], MEMBER)
                place += 1
                if self.ends[place - 1]:
                    break
            else:
                self.broken.append("map.cells[%d]: its run has no end" % index)
            following = place
        if following != len(quads) - 1:
            self.broken.append("runs end at %d of %d quads" % (following, len(quads) - 1))
        if self.rows["quads"][-1] != (-1, -1, -1, -1, 0xFFFF, 255, 255):
            self.broken.append("the last quad is not the terminator")

    def read_cells(self, node, row):
        node.add(".path_node", self.name("path_nodes", row[2] & 255), NEAR)
        node.add(".light", self.name("lights", row[8]), OWNER)
        node.add(".trigger", self.name("triggers", row[9], 0), NONE)

    def read_path_nodes(self, node, row):
        for k in range(4):
            node.add(".links[{}]", self.name("path_nodes", row[4 + k], 255), NONE, k)

    def read_monsters(self, node, row):
        node.add(".drop", self.name("pickups", row[6], 255), NONE)

    def read_boxes(self, node, row):
        targets = {0: "pickups", 2: "monsters"}
        for k, place in ((6, ".drop_first"), (7, ".drop_second")):
            if row[3] in targets:
                node.add(place, self.name(targets[row[3]], row[k], 255), NONE)
            else:
                node.data += (row[k],)

    def read_doors(self, node, row):
        node.add(".model", self.at("door_models", row[7]), OWNER)

    def read_lifts(self, node, row):
        node.add(".model", self.at("lift_models", row[12]), OWNER)

    def read_triggers(self, node, row):
        if row in EMPTY:
            node.add(".first_command", None, HEIR)
        else:
            node.add(".first_command", self.name("commands", row[1], 255), HEIR)

    def read_commands(self, node, row):
        node.add(".next", None if row in EMPTY else self.name("commands", row[1], 255), HEIR)
        if row in EMPTY:
            node.add(".target", None, OWNER)
        elif row[0] in TARGETS:
            node.add(".target", self.name(TARGETS[row[0]], row[3]), OWNER)
        else:
            node.data += (row[3],)

    def read_texture_animators(self, node, row):
        # Not the index of a word, as the description states: in both real levels the words of one program
        # have its number, and animators that number.
        words = [word for word, (program, _) in zip(self.lists["map.texture_animation_words"],
                                                     self.rows["texture_animation_words"]) if program == row[0]]
        node.data += (row[0],)
        if len(words) == 1:
            node.add(".program", words[0], OWNER)
        for word in words if len(words) != 1 else ():
            node.add("word", word, MEMBER)
        if not words:
            self.broken.append("a texture animator's program %d has no words" % row[0])

    def nearest(self, ref, gone):
        cells = self.lists["map.cells"]
        index = cells.index(ref.owner)
        x, y = index % self.columns, index // self.columns
        left = [node for node in self.lists["map.path_nodes"] if node not in gone]
        return min(left, key=lambda node: (node.data[0] - x) ** 2 + (node.data[1] - y) ** 2) if left else None

    def dangling(self):
        found = super().dangling() + self.broken
        enemies = vents = 0
        for row in self.rows["monsters"]:
            if 1 <= row[0] <= 15:
                enemies |= 1 << (row[0] - 1)
            elif row[0] >= 16:
                vents |= 1 << (row[0] - 16)
        if (enemies, vents) != self.masks:
            found.append("masks of monsters %s, not %s" % (self.masks, (enemies, vents)))
        for name in self.fixed:
            if len(self.lists[name]) != (128 if name == "map.lights" else 64):
                found.append("%s: %d" % (name, len(self.lists[name])))
        return found

    def place_of_insertion(self, name, index):
        """The cell whose run must contain a quad inserted at `index`."""
        quads = self.lists["map.quads"]
        beside = quads[index - 1] if index else quads[0]
        return self.users(beside)[0].owner


def read(data):
    return AlienLevel(data)
