# SPDX-License-Identifier: MIT
"""Reads flat Parquet by its description: https://parquet.apache.org/docs/file-format/, with pages packed by
Snappy (https://github.com/google/snappy/blob/main/format_description.txt). rows(path) gives the names of
the columns, and tuples."""

import struct


class Thrift:
    """Thrift's compact protocol: a struct is a dict by the ids of its fields."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 8:
            length = self.varint()
            self.at += length
            return self.data[self.at - length:self.at]
        if kind == 9:
            head = self.byte()
            count = self.varint() if head >> 4 == 15 else head >> 4
            return [self.value(head & 15) for _ in range(count)]
        assert kind == 12, kind
        return self.struct()

    def struct(self):
        fields, last = {}, 0
        while True:
            head = self.byte()
            if not head:
                return fields
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            fields[last] = self.value(head & 15)


def unsnap(data):
    reader = Thrift(data, 0)
    length, out = reader.varint(), bytearray()
    at = reader.at
    while at < len(data):
        tag = data[at]
        at += 1
        kind, size = tag & 3, tag >> 2
        if kind == 0:
            if size >= 60:
                more = size - 59
                size = int.from_bytes(data[at:at + more], "little")
                at += more
            out += data[at:at + size + 1]
            at += size + 1
            continue
        width = (1, 2, 4)[kind - 1]
        offset, count = int.from_bytes(data[at:at + width], "little"), size + 1
        if kind == 1:
            offset, count = offset | tag >> 5 << 8, (size & 7) + 4
        at += width
        assert 0 < offset <= len(out)
        for _ in range(count):
            out.append(out[-offset])
    assert len(out) == length
    return bytes(out)


def levels(data, rows):
    """Definition levels in runs of one byte each."""
    reader, found = Thrift(data, 0), []
    while reader.at < len(data):
        run = reader.varint()
        assert not run & 1
        found += [reader.byte()] * (run >> 1)
    assert len(found) == rows
    return found


def chunk(data, meta):
    """The values of a column in a row group; None: absent."""
    reader = Thrift(data, meta[9])
    head = reader.struct()
    assert head[1] == 0 and meta[4] in (0, 1), "one data page, packed by nothing or Snappy"
    page = data[reader.at:reader.at + head[3]]
    page = unsnap(page) if meta[4] == 1 else page
    assert len(page) == head[2]
    at = 4 + struct.unpack_from("<I", page)[0]
    values = []
    for level in levels(page[4:at], head[5][1]):
        if not level:
            values.append(None)
        elif meta[1] == 6:
            size = struct.unpack_from("<I", page, at)[0]
            values.append(page[at + 4:at + 4 + size].decode())
            at += 4 + size
        else:
            values.append(struct.unpack_from({2: "<q", 5: "<d"}[meta[1]], page, at)[0])
            at += 8
    assert at == len(page)
    return values


def rows(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:4] == data[-4:] == b"PAR1"
    footer = Thrift(data, len(data) - 8 - struct.unpack_from("<I", data, len(data) - 8)[0]).struct()
    names = [column[4].decode() for column in footer[2][1:]]
    found = []
    for group in footer[4]:
        found += zip(*(chunk(data, column[3]) for column in group[1]))
    assert len(found) == footer[3]
    return names, found
