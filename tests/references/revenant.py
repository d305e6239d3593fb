# SPDX-License-Identifier: MIT
"""Reads the bytes of a Revenant map sector, and the targets of its numbers."""

import re
import struct

from graph import HEIR, MEMBER, NONE, Level, Loose, Node, Ref, Refused

NEEDS_NAME = True
IMMOBILE, LIGHT, ANIMATE, NONMAP = 1, 1 << 2, 1 << 14, 1 << 19
SPIKE_WALL, DRIP, SPEAKER = 0x84B30587, 0x5975ABDE, 0x302


class Thing(Node):
    __slots__ = ("index", "shadow", "map_index")


class Record:
    """One object as stored."""

    def __init__(self):
        self.empty = False
        self.items = []
        self.counted = 0
        self.links = {}
        self.key = ()


class Reader:
    def __init__(self, data, version, early):
        self.data, self.place, self.version, self.early = data, 0, version, early

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.place)
        self.place += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text(self, form="B"):
        count = self.take(form)
        self.place += count

    def base(self, record):
        """The fields that every class has; the links and their places go to record.links."""
        v = self.version
        self.text()
        flags = self.take("I")
        self.place += 12
        if v < 6 or not flags & IMMOBILE:
            self.place += 12
        self.place += 1 if v < 9 else 2
        if v >= 6 and flags & NONMAP:
            self.place += 1 if v < 9 else 2
        if v < 3:
            self.place += 1 if self.early else 0
            self.place += 2  # health, facing
            for name, form in (("first_item", "h"), ("inventory_number", "h"), ("next_item", "h"), ("shadow", "i")):
                record.links[name] = (self.place, form, self.take(form))
            self.place += 0 if self.early else 1
        else:
            if v < 5:
                self.place += 1
            for name, form in (("inventory_number", "h"), ("inventory_index", "h"), ("shadow", "i")):
                record.links[name] = (self.place, form, self.take(form))
            self.place += 3
            record.links["map_index"] = (self.place, "i", self.take("i"))
        if v == 5 or v >= 6 and flags & ANIMATE:
            self.place += 4
        if v >= 5:
            self.place += 1
            count = self.take("B")
            self.place += 8 * count
        if flags & LIGHT:
            self.place += 19

    def own(self, record, object_version, kind, unique):
        """The class's own fields, after the base."""
        v = self.version
        if kind in (11, 12) and not (kind == 11 and v >= 8):
            if v >= 7:
                self.place += 1
                self.text()
            self.place += 12 * (object_version >= 1) + 4 * (object_version >= 4) + 16 * (object_version >= 2)
        elif v == 0:
            if not self.early:
                if kind == 22:
                    self.text("h")
                elif kind in (8, 21):
                    self.place += 4
        elif unique == DRIP:
            self.place += 12
        elif unique == SPEAKER:
            self.text()
            self.place += 12 if v >= 14 else 4
        elif unique == SPIKE_WALL and v < 14:
            self.place += 8 * (2 <= v <= 4) + 4
        else:
            self.place += 8 * (kind in (5, 10, 17) and 2 <= v <= 4)
            self.place += 4 * (kind in (1, 10)) + 4 * (kind in (8, 21) and v < 5)
            if kind == 22:
                self.text("h")

    def record(self):
        v, record = self.version, Record()
        start = self.place
        object_version = self.take("h") if v >= 8 else 0
        kind = 0
        if object_version >= 0:
            kind = self.take("h")
        if object_version < 0 or v < 8 and kind == -1:
            record.empty = True
            record.key = (self.data[start:self.place],)
            return record
        unique = self.take("h" if v == 0 else "I")
        if v == 0 and kind == 20:
            record.empty = True
            record.key = (self.data[start:self.place],)
            return record
        head = (object_version, kind, unique)
        sizes = [self.take("h") for _ in range((v >= 4) + (v >= 14))]
        begin = self.place
        if kind == 11 and v >= 8:
            end = begin + sizes[0]
            record.key = head + (self.data[begin:end],)
            self.place = end
            return record
        if kind in (11, 12):
            complex_version = self.take("B") if object_version >= 3 else 0
            self.place += complex_version >= 1
        self.base(record)
        self.own(record, object_version, kind, unique)
        end = begin + sizes[0] if sizes else None
        inventory = None
        if v >= 14:
            inner = min(sizes)
            body_end = end - inner
            inventory = body_end if inner else None
        elif v >= 3:
            body_end = inventory = self.place
        else:
            body_end = self.place
        record.size_order = len(sizes) == 2 and sizes[1] >= sizes[0]
        record.links = {name: value for name, value in record.links.items()}
        record.body = (begin, body_end)
        record.tail = b""
        self.place = body_end
        if inventory is not None:
            record.counted = self.take("i")
            while len(record.items) < record.counted and (end is None or self.place < end):
                record.items.append(self.record())
        if end is not None and self.place != end:
            record.tail = self.data[self.place:end]
            self.place = end
        record.head = head
        record.key = head + (v >= 14 and inventory is not None and not record.counted, record.tail)
        return record


class RevenantLevel(Level):
    owned = ("inventory",)
    shallow = {("objects", ".shadow"), ("objects", ".next_item"), ("objects", ".first_item"), ("objects", ".owner"),
               ("inventory", ".shadow")}
    untold = ("inventory",)
    nested = ("inventory",)
    numbered = ("objects",)

    def __init__(self, data, name):
        super().__init__()
        self.broken = []
        self.version, place = 0, 0
        self.hash = None
        if data[:4] == b"MAP ":
            self.version, = struct.unpack_from("<i", data, 4)
            place = 8
            if self.version >= 14:
                self.hash, = struct.unpack_from("<I", data, 8)
                place = 12
        self.count, = struct.unpack_from("<i", data, place)
        early = self.version == 0 and self.is_early(data, place + 4)
        reader = Reader(data, self.version, early)
        reader.place = place + 4
        records = [reader.record() for _ in range(self.count)]
        self.rest = (self.version, early, data[reader.place:])
        match = re.fullmatch(r"(\d+)_(\d+)_(\d+)\.dat", name, re.I)
        self.sector = tuple(int(part) for part in match.groups()) if match else None
        self.data = data
        self.lists = {"objects": [], "inventory": []}
        self.owners = []
        for index, record in enumerate(records):
            self.add(record, "objects", "objects[%d]" % index)
        if self.version < 3:
            self.link(records)
        else:
            self.link_shadows()
        if self.hash is not None and self.sector:
            computed = self.state_hash(records)
            if computed != self.hash:
                self.broken.append("state_hash %08x, not %08x" % (self.hash, computed))

    @staticmethod
    def is_early(data, place):
        count, = struct.unpack_from("<i", data, place - 4)
        for _ in range(count):
            kind, = struct.unpack_from("<h", data, place)
            if kind == -1:
                place += 2
            elif kind == 20:
                place += 4
            else:
                return data[place + 5 + data[place + 4] + 41] != 0
        return False

    def add(self, record, name, path, place=None):
        node = Thing(name, None)
        self.lists[name].append(node)
        record.node = node
        self.owners.append((node, path))
        if not record.empty and hasattr(record, "body"):
            begin, end = record.body
            body = bytearray(self.data[begin:end])
            names = ["first_item", "next_item", "shadow"] if self.version < 3 else ["shadow"]
            if place is not None and record.links.get("inventory_index", (0, 0, None))[2] == place:
                names.append("inventory_index")  # it follows from the place
            for link in names:
                at, form, _ = record.links[link]
                struct.pack_into("<" + form, body, at - begin, 0)
            node.data = record.key + (bytes(body),)
            node.index = record.links.get("inventory_index", (0, 0, None))[2]
            node.shadow = record.links["shadow"][2]
            node.map_index = record.links.get("map_index", (0, 0, -1))[2]
        else:
            node.data = record.key
            node.index = node.shadow = None
            node.map_index = -1
        for k, item in enumerate(record.items):
            inner = "%s.inventory[%d]" % (path, k)
            node.add(".inventory", self.add(item, "inventory", inner, k), MEMBER, k)
        if record.counted != len(record.items):
            self.broken.append("%s.inventory: %d of %d items" % (path, len(record.items), record.counted))
        return node

    def link(self, records):
        """Up to version 2: slots that name slots."""
        slots = self.lists["objects"]

        def slot(number):
            if number == -1:
                return None
            if not 0 <= number < len(slots) or records[number].empty:
                return Loose(number)
            return slots[number]

        place = -1
        if self.sector and self.sector[0] < 16:
            place = self.sector[0] << 12 | self.sector[1] << 6 | self.sector[2]
        for record in records:
            if record.empty:
                continue
            node = record.node
            node.add(".first_item", slot(record.links["first_item"][2]), HEIR)
            node.add(".next_item", slot(record.links["next_item"][2]), HEIR)
            shadow = record.links["shadow"][2]
            if shadow == -1:
                node.add(".shadow", None, NONE)
            elif (shadow & 0xFFFFFFFF) >> 16 == place:
                node.add(".shadow", slot(shadow & 0xFFFF), NONE)
            else:
                node.data += (shadow,)
            node.given = len(node.refs)

    carrying = False  # whether the things that an element carries are removed with it

    def carried(self, node):
        """The chain of things that a slot carries (3.6)."""
        things = []
        places = (".first_item", ".next_item")
        ref = next((ref for ref in node.refs if ref.place == places[0]), None)
        while ref and isinstance(ref.to, Node) and ref.to not in things and ref.to is not node:
            things.append(ref.to)
            ref = next((other for other in ref.to.refs if other.place == places[1]), None)
        return things

    def parts_of(self, node):
        return self.carried(node) if self.carrying else ()

    def removal(self, node, cascade, keep_loose=False):
        things = self.carried(node)
        if not things or cascade:
            self.carrying = True
            try:
                return super().removal(node, cascade, keep_loose)
            finally:
                self.carrying = False
        users = [Ref(thing, "", (), None, NONE) for thing in things]
        try:
            super().removal(node, cascade, keep_loose)
        except Refused as refused:
            users += refused.users
        raise Refused(users)

    def link_shadows(self):
        """From version 3 on a shadow is referenced by its map_index, which no other object has."""
        known = {}
        for elements in self.lists.values():
            for node in elements:
                if node.map_index != -1:
                    known.setdefault(node.map_index, []).append(node)
        twice = [number for number, nodes in known.items() if len(nodes) > 1]
        self.broken += ["map_index %d: %d times" % (number, len(known[number])) for number in twice]
        for elements in self.lists.values():
            for node in elements:
                if node.shadow == -1:
                    node.add(".shadow", None, NONE)
                elif node.shadow in known:
                    node.add(".shadow", known[node.shadow][0], NONE)
                else:
                    node.data += (node.shadow,)
                node.given = len(node.refs)

    def state_hash(self, records):
        sums = [1, 0]

        def piece(data):
            for start in range(0, len(data), 5552):
                for byte in data[start:start + 5552]:
                    sums[0] = (sums[0] + (byte - 256 if byte > 127 else byte)) & 0xFFFFFFFF
                    sums[1] = (sums[1] + sums[0]) & 0xFFFFFFFF
                sums[0] %= 65521
                sums[1] %= 65521

        for number in (*self.sector, self.count):
            piece(struct.pack("<i", number))
        for record in records:
            if not record.empty and record.head[1] in (11, 12):
                begin, end = record.body
                piece(struct.pack("<hhIhh", *record.head, end - begin, 0) + self.data[begin:end])
        return sums[1] << 16 | sums[0] or 0xF0F0F0F0

    def take_out(self, name, index):
        """With its contents."""
        node, users = super().take_out(name, index)
        held = [ref.to for ref in node.refs if ref.place == ".inventory"]
        for thing in held:
            held += [ref.to for ref in thing.refs if ref.place == ".inventory"]
        self.lists["inventory"] = [other for other in self.lists["inventory"] if other not in held]
        return node, users

    def dangling(self):
        found = super().dangling() + self.broken
        for elements in self.lists.values():
            for node in elements:
                items = [ref.to for ref in node.refs if ref.place == ".inventory"]
                found += ["inventory_index %s at place %d" % (item.index, k) for k, item in enumerate(items)
                          if item.index != k]
        return found

    at_end = ("objects",)  # lists that elements can be appended to by the reader's index

    def fresh(self, name, text, index):
        """A copy gets other map_indices, and its own place."""
        taken = {node.map_index for elements in self.lists.values() for node in elements}
        free = iter(number for number in range(1000, 10 ** 6) if number not in taken)
        text = re.sub(r'"map_index": (?!-1\b)-?\d+', lambda _: '"map_index": %d' % next(free), text)
        if name == "inventory":
            place = int(re.search(r"(\d+)\]$", self.cli(name, index)).group(1))
            text = re.sub(r'"inventory_index": -?\d+', '"inventory_index": %d' % place, text, count=1)
        return text

    def cli(self, name, index):
        node = self.lists[name][index] if index < len(self.lists[name]) else None
        return next((path for other, path in self.owners if other is node), "%s[%d]" % (name, index))


def read(data, name):
    return RevenantLevel(data, name)
