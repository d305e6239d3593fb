# SPDX-License-Identifier: MIT
"""Reads a folder of a Star Fox Adventures map set from its bytes: blocks with the data belonging to their
numbers, the cells that name them, the object lists. Its edits change several files at once, so they are
verified here."""

import os
import re
import shutil
import struct
import zlib

from graph import Refused, Level, NONE, Node

END = 0xFFFFFFFF
GROUP, CURVE, CHECKPOINT = 0x10, 0x6E, 5


def read_file(folder, *names):
    """A file by its path, whatever the case of its names."""
    path = folder
    for name in names:
        found = [entry for entry in os.listdir(path) if entry.lower() == name.lower()]
        if not found:
            return None
        path = os.path.join(path, found[0])
    with open(path, "rb") as file:
        return file.read()


def words(data, form="I", end=END):
    """The values of a table, up to its end mark."""
    size = struct.calcsize(form)
    values = struct.unpack(">%d%s" % (len(data) // size, form), data[:len(data) // size * size])
    return list(values[:values.index(end)])


def unpack(data, place):
    magic, _, unpacked, packed = struct.unpack_from(">4sIII", data, place)
    if magic != b"ZLB\0":
        raise ValueError("not a ZLB")
    content = zlib.decompress(data[place + 16:place + 16 + packed])
    if len(content) != unpacked:
        raise ValueError("another unpacked size")
    return content


class SfaSet(Level):
    shallow = ()

    def __init__(self, folder):
        super().__init__()
        self.broken = []
        self.folder = folder
        self.first = words(read_file(folder, "TRKBLK.tab"), "H", 0xFFFF)
        self.total = self.first[-1]
        self.read_blocks()
        self.read_maps()

    def bank_of(self, number):
        """The directory number of a block."""
        return max(mod for mod in range(len(self.first) - 1) if self.first[mod] <= number < self.first[mod + 1])

    def bank(self, mod):
        n = mod if mod < 5 else mod + 1
        for name in sorted(os.listdir(self.folder)):
            if os.path.isdir(os.path.join(self.folder, name)):
                data = read_file(self.folder, name, "mod%d.zlb.bin" % n)
                if data is not None:
                    return name, data, words(read_file(self.folder, name, "mod%d.tab" % n))
        return None, None, []

    def read_blocks(self):
        hits, table = read_file(self.folder, "HITS.bin"), words(read_file(self.folder, "HITS.tab"))
        if len(table) != self.total + 1:
            self.broken.append("HITS.tab: %d offsets of %d blocks" % (len(table), self.total))
        if table[-1] != len(hits):
            self.broken.append("HITS.tab ends at %d of %d" % (table[-1], len(hits)))
        blocks = self.lists["blocks"] = []
        self.banks = {}
        for number in range(self.total):
            mod = self.bank_of(number)
            if mod not in self.banks:
                name, data, offsets = self.bank(mod)
                voxels = read_file(self.folder, name, "VOXMAP.bin") if name else None
                rooms = words(read_file(self.folder, name, "VOXMAP.tab")) if voxels is not None else []
                self.banks[mod] = (name, data, offsets, voxels, rooms)
                for what, length in (("block table", len(offsets)), ("VOXMAP.tab", len(rooms))):
                    if length != self.first[mod + 1]:
                        self.broken.append("%s %s: %d entries up to block %d" % (name, what, length,
                                                                                  self.first[mod + 1]))
            name, data, offsets, voxels, rooms = self.banks[mod]
            entry = offsets[number] if number < len(offsets) else 0
            block = unpack(data, entry & 0xFFFFFF) if entry >> 24 & 0x10 else None
            room = rooms[number] if number < len(rooms) else 0
            lines = hits[table[number]:table[number + 1]] if number + 1 < len(table) else None
            blocks.append(Node("blocks", (mod, block, lines,
                                          unpack(voxels, room & 0xFFFFFF) if room >> 24 & 0x10 else None)))

    def read_maps(self):
        data, rows = read_file(self.folder, "MAPS.bin"), words(read_file(self.folder, "MAPS.tab"))
        cells = self.lists["cells"] = []
        self.lists["objects"] = []
        rest = []
        for number in range(len(rows) // 7):
            info, cell = rows[7 * number:7 * number + 2]
            stub = rows[7 * number + 6]
            if info == stub:
                rest.append(data[stub:stub + 32])
                continue
            columns, height = struct.unpack_from(">hh", data, info)
            for word in struct.unpack_from(">%dI" % (columns * height), data, cell):
                mod, sub = word >> 23 & 0xFF, word >> 17 & 0x3F
                node = Node("cells", (number, word & ~0x7FFE0000))
                if mod == 0xFF:
                    node.add(".sub", None, NONE)
                elif word >> 31 or mod >= len(self.first) - 1 or self.first[mod] + sub >= self.first[mod + 1]:
                    node.data += (mod, sub)
                else:
                    block = self.first[mod] + sub
                    node.add(".sub", self.at("blocks", block), NONE)
                cells.append(node)
            size, _, _, _, _, _, count = struct.unpack_from(">HHIIIIh", data, info + 8)
            rest.append((data[info:info + 8], data[info + 0x1E:info + 0x38], data[rows[7 * number + 2]:stub]))
            self.maps = getattr(self, "maps", {})
            self.maps[number] = (size, count, struct.unpack_from(">4I", data, stub))
        self.rest = tuple(rest)

    def dangling(self):
        return super().dangling() + self.broken


class ObjectList:
    """The records of a list, and whether they are in the game's order."""

    def __init__(self, data):
        content = unpack(data, 0)
        self.size, self.records, place = len(content), [], 0
        while place < len(content):
            length = 4 * content[place + 2]
            self.records.append(content[place:place + length])
            place += length

    def part(self, record):
        kind, = struct.unpack_from(">h", record)
        if kind in (CURVE, CHECKPOINT):
            return (2, 0)
        return (1, record[6]) if record[4] == GROUP else (0, 0)

    def in_order(self):
        parts = [self.part(record) for record in self.records]
        return parts == sorted(parts)


class Proof:
    """Edits copies of a set."""

    def __init__(self, bench, source, room):
        self.bench, self.source, self.folder = bench, source, os.path.join(room, "set")
        self.level = SfaSet(source)
        self.meaning = self.level.meaning()

    def copy(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.source, self.folder)
        for folder, _, names in os.walk(self.folder):
            os.chmod(folder, 0o755)
            for name in names:
                os.chmod(os.path.join(folder, name), 0o644)

    def files(self, folder):
        return {os.path.relpath(os.path.join(place, name), folder): open(os.path.join(place, name), "rb").read()
                for place, _, names in os.walk(folder) for name in names if not name.endswith(".iso")}

    def edit(self, file, *arguments, command="set"):
        """Edits a file of the copy in place: the exit code."""
        path = os.path.join(self.folder, file)
        code, _, lines = self.bench.run_in_place(path, *arguments, command=command)
        if code == 5 and self.files(self.folder) != self.files(self.source):
            raise ValueError("a refused edit changed files")
        return code, lines

    def path_of(self, number):
        """The bank of a block, and its path: a bank's table begins with the numbers of the earlier banks."""
        mod = self.level.bank_of(number)
        n = mod if mod < 5 else mod + 1
        return "%s/mod%d.zlb.bin" % (self.level.banks[mod][0], n), "blocks[%d]" % number

    def check(self, expected, after):
        for text in after.dangling():
            if text not in self.level.dangling():
                raise ValueError(text)
        self.bench.compare(expected, after.meaning())

    def remove_block(self, number, cascade):
        self.copy()
        file, path = self.path_of(number)
        code, lines = self.edit(file, "--remove", path, *(["--cascade"] if cascade else []))
        try:
            outcome = self.level.removal(self.level.lists["blocks"][number], cascade)
        except Refused as refused:
            if code != 5:
                raise ValueError("not refused, though %d cells name it" % len(refused.users)) from None
            return
        if code != 0:
            raise ValueError("refused: %s" % lines[-1])
        self.check(self.level.without(outcome)[0], SfaSet(self.folder))

    def insert_block(self, number, place):
        self.copy()
        file, path = self.path_of(number)
        text = self.bench.get_of(os.path.join(self.folder, file), path)
        at = "blocks[%d]" % place
        code, lines = self.edit(file, "--insert", "%s=%s" % (at, text))
        if code != 0:
            raise ValueError("refused: %s" % lines[-1])
        self.arrived(file, number, place)

    def duplicate_block(self, number):
        self.copy()
        file, path = self.path_of(number)
        code, lines = self.edit(file, "-e", "duplicate " + path, command="edit")
        if code != 0:
            raise ValueError("refused: %s" % lines[-1])
        self.arrived(file, number, number + 1)

    def move_block(self, number):
        """Other files reference blocks by number."""
        self.copy()
        file, path = self.path_of(number)
        code, _ = self.edit(file, "-e", "move %s to %d" % (path, 1 - number), command="edit")
        if code != 5:
            raise ValueError("not refused, though the format forbids it")

    def arrived(self, file, number, place):
        """A copy of a block is inserted, and everything else is unchanged; then it is removed."""
        at = "blocks[%d]" % place
        after = SfaSet(self.folder)
        if after.total != self.level.total + 1:
            raise ValueError("TRKBLK.tab: %d blocks, not %d" % (after.total, self.level.total + 1))
        node, users = after.take_out("blocks", place)
        if users:
            raise ValueError("%s names the new block" % after.ref_path(users[0]))
        if node.data[:2] != self.level.lists["blocks"][number].data[:2]:
            raise ValueError("the new block is another")
        self.check(self.meaning, after)
        code, lines = self.edit(file, "--remove", at)
        if code != 0 or self.files(self.folder) != self.files(self.source):
            raise ValueError("its removal does not give the old bytes: %s" % lines[-1:])

    def alone(self, file, path):
        """A list whose elements are inserted and removed with the banks' cannot be edited alone."""
        self.copy()
        code, _ = self.edit(file, "--remove", path)
        if code != 5:
            self.check(self.meaning, SfaSet(self.folder))

    def objects(self, file, number, remove, index, place):
        self.copy()
        before = ObjectList(read_file(self.folder, file))
        if remove:
            code, lines = self.edit(file, "--remove", "objects[%d]" % index)
            expected = sorted(before.records[:index] + before.records[index + 1:])
        else:
            text = self.bench.get_of(os.path.join(self.folder, file), "objects[%d]" % index)
            code, lines = self.edit(file, "--insert", "objects[%d]=%s" % (place, text))
            expected = sorted(before.records + [before.records[index]])
        if code != 0:
            raise ValueError("refused: %s" % lines[-1])
        after, maps = ObjectList(read_file(self.folder, file)), SfaSet(self.folder).maps
        if sorted(after.records) != expected:
            raise ValueError("other records than expected")
        if before.in_order() and not after.in_order():
            raise ValueError("records are not in the order of their groups")
        if number in maps:
            size, count, stub = maps[number]
            data = read_file(self.folder, file)
            packed, = struct.unpack_from(">I", data, 12)
            if (size, count) != (after.size, len(after.records)) or stub[1] != after.size:
                raise ValueError("MAPS.bin: %d bytes, %d objects, stub %d, not %d, %d" % (
                    size, count, stub[1], after.size, len(after.records)))
            if stub[3] != (16 + packed + 31) // 32 * 32:
                raise ValueError("MAPS.bin: packed size %d, not %d" % (stub[3], (16 + packed + 31) // 32 * 32))


def prove_set(bench, source, room, tally):
    proof = Proof(bench, source, room)
    level = proof.level
    for number in range(level.total):
        file, path = proof.path_of(number)
        name = "%s %s" % (file, path)
        tally.take(bench, "remove", name, proof.remove_block, number, False)
        tally.take(bench, "cascade", name, proof.remove_block, number, True)
        tally.take(bench, "duplicate", name, proof.duplicate_block, number)
        tally.take(bench, "move", name, proof.move_block, number)
        mod = level.bank_of(number)
        for place in sorted({number, level.first[mod + 1]}):
            tally.take(bench, "insert", "%s blocks[%d]" % (file, place), proof.insert_block, number, place)
    some = level.banks[min(level.banks)][0]
    for file, path in (("HITS.bin", "blocks[1]"), ("%s/VOXMAP.bin" % some, "entries[1]"),
                       ("TRKBLK.tab", "first_blocks[3]")):
        tally.take(bench, "alone", "%s %s" % (file, path), proof.alone, file, path)
    for file, number in (("frontend.romlist.zlb", 0), ("animtest.romlist.zlb", 26)):
        data = read_file(source, file)
        if data is None:
            continue
        count = len(ObjectList(data).records)
        for index in sorted({0, count // 2, count - 1}):
            tally.take(bench, "remove", "%s objects[%d]" % (file, index), proof.objects, file, number, True, index, 0)
            for place in sorted({0, count}):
                tally.take(bench, "insert", "%s objects[%d]" % (file, place), proof.objects, file, number, False, index,
                           place)
