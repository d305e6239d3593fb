#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/export/glyphs.c, the letters of pictures, from the font 6x12 of Debian's package xfonts-base.

    scripts/letters.py [--write]      without --write: exits with 1 if the file does not match the font

The font is in the public domain. Latin, Greek and Cyrillic letters, punctuation and symbols are taken from it; Unicode defines which
letters are composed of another one and a mark.
"""
import gzip
import pathlib
import struct
import sys
import unicodedata

FONT = pathlib.Path("/usr/share/fonts/X11/misc/6x12.pcf.gz")
TARGET = pathlib.Path(__file__).resolve().parent.parent / "src" / "export" / "glyphs.c"
RANGES = [(0x20, 0x530), (0x1D00, 0x2300), (0xFB00, 0xFB07)]
ROWS, COLUMNS, ASCENT = 12, 6, 10
HOOK = 0x321
# Substitutes for letters that the font lacks: similar letters, and letters with a hook, which Unicode does not decompose.
ALIKE = {0x37F: ord("J"), 0xAD: ord("-")}
HOOKED = {0x524: 0x41F, 0x525: 0x43F, 0x526: 0x4BA, 0x527: 0x4BB, 0x528: 0x41D, 0x529: 0x43D, 0x52E: 0x41B, 0x52F: 0x43B}
METRICS, BITMAPS, ENCODINGS = 4, 8, 32


class Table:
    """A table of a PCF file: its format defines the order of its bytes and bits."""

    def __init__(self, data, form, offset):
        self.data, self.form, self.offset = data, form, offset
        self.order = ">" if form & 4 else "<"

    def read(self, kinds, at):
        return struct.unpack_from(self.order + kinds, self.data, self.offset + at)


def tables(data):
    count, = struct.unpack_from("<I", data, 4)
    entries = (struct.unpack_from("<4I", data, 8 + 16 * i) for i in range(count))
    return {kind: Table(data, form, offset) for kind, form, _, offset in entries}


def glyph_rows(bitmaps, offset, left, width, height, ascent):
    """The rows of a cell, bit 5 the leftmost dot."""
    pad, unit = 1 << (bitmaps.form & 3), 1 << (bitmaps.form >> 4 & 3)
    stride = ((width + 7) // 8 + pad - 1) // pad * pad
    high_first, swapped = bitmaps.form & 8, bool(bitmaps.form & 4) != bool(bitmaps.form & 8)
    rows = [0] * ROWS
    for y in range(height):
        for x in range(width):
            byte = x // 8 ^ (unit - 1 if swapped else 0)
            value = bitmaps.data[offset + y * stride + byte]
            if value >> (7 - x % 8 if high_first else x % 8) & 1:
                rows[ASCENT - ascent + y] |= 1 << (COLUMNS - 1 - left - x)
    return rows


def read_font(path):
    """The rows of each character in the font."""
    found = tables(gzip.open(path).read())
    metrics, bitmaps, codes = found[METRICS], found[BITMAPS], found[ENCODINGS]
    count, = bitmaps.read("I", 4)
    pixels = bitmaps.offset + 8 + 4 * count + 16
    low, high, first, last, _ = codes.read("5H", 4)
    result, at = {}, 14
    for upper in range(first, last + 1):
        for lower in range(low, high + 1):
            glyph, = codes.read("H", at)
            at += 2
            if glyph == 0xFFFF:
                continue
            left, right, _, ascent, descent = (byte - 128 for byte in metrics.read("5B", 6 + 5 * glyph))
            offset, = bitmaps.read("I", 8 + 4 * glyph)
            result[upper << 8 | lower] = glyph_rows(bitmaps, pixels + offset, left, right - left, ascent + descent, ascent)
    return result


def packed(rows):
    """Twelve rows of six dots in nine bytes."""
    bits = 0
    for row in rows:
        bits = bits << COLUMNS | row
    return bits.to_bytes(ROWS * COLUMNS // 8, "big")


def pairs():
    """Letters composed of a letter and a mark: (letter, mark, both)."""
    result = [(base, HOOK, code) for code, base in HOOKED.items()]
    for low, high in RANGES:
        for code in range(low, high):
            parts = unicodedata.decomposition(chr(code)).split()
            if len(parts) == 2 and not parts[0].startswith("<"):
                result.append((int(parts[0], 16), int(parts[1], 16), code))
    return sorted(result)


def lines_of(items, many):
    for i in range(0, len(items), many):
        yield "    " + " ".join(items[i:i + many])


def text():
    font = read_font(FONT)
    wanted = [code for low, high in RANGES for code in range(low, high)]
    blank = {code: [0] * ROWS for code in wanted if unicodedata.category(chr(code)) in ("Zs", "Cf")}
    font.update({code: font[other] for code, other in ALIKE.items()})
    has = sorted(code for code in wanted if code in font or code in blank)
    runs = []
    for index, code in enumerate(has):
        if runs and runs[-1][0] + runs[-1][1] == code:
            runs[-1][1] += 1
        else:
            runs.append([code, 1, index])
    glyphs = [",".join("%d" % byte for byte in packed(font.get(code) or blank[code])) + "," for code in has]
    return "\n".join([
        "/* SPDX-License-Identifier: MIT */",
        "/* clang-format off */",
        "/* Written by scripts/letters.py from the font 6x12 of Debian's package xfonts-base, which is in the public domain. */",
        '#include "glyphs.h"', "",
        "const mst_glyph_run mst_glyph_runs[] = {", *lines_of(["{0x%04X, %d, %d}," % tuple(run) for run in runs], 6), "};",
        "const size_t mst_glyph_run_count = sizeof mst_glyph_runs / sizeof *mst_glyph_runs;", "",
        "const mst_glyph_pair mst_glyph_pairs[] = {", *lines_of(["{0x%04X, 0x%04X, 0x%04X}," % pair for pair in pairs()], 5), "};",
        "const size_t mst_glyph_pair_count = sizeof mst_glyph_pairs / sizeof *mst_glyph_pairs;", "",
        "const uint8_t mst_glyphs[] = {", *lines_of(glyphs, 4), "};", ""])


if __name__ == "__main__":
    if not FONT.exists():
        sys.exit("%s is not there: it is in the package xfonts-base" % FONT)
    if "--write" in sys.argv[1:]:
        TARGET.write_text(text())
    elif TARGET.read_text() != text():
        sys.exit("%s is not what the font says: scripts/letters.py --write" % TARGET.name)
