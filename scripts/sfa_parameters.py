#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the tables of the parameters of Star Fox Adventures' objects from a list of facts.

    scripts/sfa_parameters.py FACTS          (in the top directory)

FACTS is a text file of tab-separated columns, with a heading. Each line is one parameter of one object type;
these columns are read:

    type_id    number of the type, hexadecimal
    offset     of the parameter from the record's start, hexadecimal; parameters do not overlap
    kind       u8, s8, u16, s16, u32, s32 or f32; bits8, bits16 or bits32: switches; bit: an s16 that is
               the number of a game bit; [n] after it: an array
    name       of the field
    evidence   "N of M set; LOW..HIGH": the number of the game's M records where it is not 0 (game bits: not
               -1), and the smallest and largest value in them; "none": not set in any

src/formats/sfa/objects/parameter_words.h adds the meanings of the fields, type_list.h the sizes of the records.
Types with the same fields share a layout. Curves and triggers are described by hand in objects_parameters.c.
The results are parameter_fields.h, parameter_layouts.h and parameter_facts.inc (the values in real files) in the same folder.
"""
import re
import sys

FOLDER = "src/formats/sfa/objects/"
HEAD = 0x18
BY_HAND = {0x6E: "curve"}  # by type: the layout in objects_parameters.c
TRIGGERS = (0x4B, 0x4C, 0x4D, 0x4F, 0x50, 0x54, 0x230)
KINDS = {
    "u8": ("U8", 1), "s8": ("I8", 1), "u16": ("U16", 2), "s16": ("I16", 2), "u32": ("U32", 4),
    "s32": ("I32", 4), "f32": ("F32", 4), "bits8": ("SWITCHES(U8)", 1), "bits16": ("SWITCHES(U16)", 2),
    "bits32": ("SWITCHES(U32)", 4), "bit": ("BIT", 2),
}
LINE = 108


def read_sizes():
    """Number of the type -> words of its record and its name."""
    text = open(FOLDER + "type_list.h", encoding="utf-8").read()
    found = re.findall(r"(?:OWN|SHARED)\(0x([0-9A-F]+), (\d+), \"([^\"]*)\"\)", text)
    return {int(number, 16): (int(words), name) for number, words, name in found}


def read_words():
    """The units by name and by (name, type), the names of the layouts, all names, and parameters without one."""
    text = open(FOLDER + "parameter_words.h", encoding="utf-8").read()
    text = text[text.index("*/") + 2:]
    text = text[text.index("*/") + 2:]
    units = {name: unit for name, unit in re.findall(r"\bWORD\((\w+), (\w+),", text)}
    special = {(name, int(number, 16)): unit
               for name, number, unit in re.findall(r"\bWORD_AT\((\w+), (\w+), (\w+),", text)}
    labels = {int(number, 16): label for number, label in re.findall(r"\bLAYOUT_NAME\((\w+), (\w+),", text)}
    known = set(units) | set(re.findall(r"NOT_KNOWN\((\w+)\)", text))
    plain = [{"type_id": number, "offset": at, "kind": kind, "name": "unknown_" + at}
             for number, at, kind in re.findall(r"\bPLAIN\((\w+), (\w+), (\w+)\)", text)]
    return units, special, labels, known, plain


def read_facts(path, plain):
    """Number of the type -> its parameters by offset."""
    types = {}
    for row in plain:
        types.setdefault(int(row["type_id"], 16), []).append(row)
    with open(path, encoding="utf-8") as lines:
        columns = next(lines).rstrip("\n").split("\t")
        for line in lines:
            row = dict(zip(columns, line.rstrip("\n").split("\t")))
            types.setdefault(int(row["type_id"], 16), []).append(row)
    return {number: sorted(rows, key=lambda row: int(row["offset"], 16)) for number, rows in types.items()}


def field_of(row, number, units, special, known):
    """One field as C text, and its offset and size."""
    name, kind = row["name"], row["kind"]
    if name not in known and not name.startswith("unknown_"):
        sys.exit(f"parameter_words.h does not have {name}")
    base, count = (re.match(r"(\w+)(?:\[(\d+)\])?$", kind).groups())
    text, width = KINDS[base]
    own = (name, number) in special
    unit = special.get((name, number), units.get(name, "NONE"))
    if unit == "TURN":
        unit = "TURN" if width == 1 else "TURN_16"
    parts = [f"{name}, {number:03X}" if own else name, text]
    if unit == "MAP":
        parts.append("MAPS")
    elif unit in ("POINT", "LEADER"):
        parts.append("OBJECTS(MST_SFA_NO_LINK)" if unit == "POINT" else "OBJECTS(0)")
    elif unit != "NONE" and base != "bit":
        parts.append(f"UNIT({unit})")
    if count:
        parts.append(f"FIXED({count})")
    if name.startswith("unknown_"):
        return f"AT({name[8:]}, {text})", int(row["offset"], 16), width
    macro = "OF" if own else "F" if name in units else "N"
    return macro + "(" + ", ".join(parts) + ")", int(row["offset"], 16), width * int(count or 1)


def gap(at, size):
    return f"BYTE({at:02X})" if size == 1 else f"GAP({at:02X}, {size})"


def layout_of(number, rows, size, units, special, known):
    """The fields of a type as C texts: the known ones, and the bytes between them."""
    fields, at = [], HEAD
    for row in rows:
        text, offset, length = field_of(row, number, units, special, known)
        if offset < at or offset + length > size:
            sys.exit(f"type {number:#x}: {row['name']} does not fit")
        if offset > at:
            fields.append(gap(at, offset - at))
        fields.append(text)
        at = offset + length
    if size > at:
        fields.append(gap(at, size - at))
    return tuple(fields)


def fact_of(row, number):
    """The values of a parameter in the game's files, as C text; None: only 0, or only empty game bits."""
    name, kind = row["name"], re.match(r"\w+", row["kind"]).group(0)
    total, values = re.match(r"\d+ of (\d+) set; (.*)", row["evidence"]).groups()
    used = int(row["evidence"].split()[0])
    place = f"0x{int(row['offset'], 16):02X}, {used}"
    if not used and number not in BY_HAND and number not in TRIGGERS:
        return None
    turned = re.search(r", (\d+) inverted$", values)
    low, _, high = re.sub(r", \d+ inverted$", "", values).partition("..")
    if kind.startswith("bits"):
        return f"BITS({place}, {values.split()[-1] if used else 0})"
    if kind == "f32":
        return f"REAL({place}, {round(100 * float(low))}, {round(100 * float(high or low))})"
    low = "-1" if low == "none" else low
    high = high or low
    if kind == "u32":
        high = str(int(high) - (1 << 32) if int(high) >= 1 << 31 else int(high))
    return f"TURNED({place}, {low}, {high}, {turned.group(1)})" if turned else f"SEEN({place}, {low}, {high})"


def records_of(rows):
    """The number of the game's records with that type."""
    return max(int(re.match(r"\d+ of (\d+)", row["evidence"]).group(1)) for row in rows)


def wrapped(items, indent, separator=" "):
    lines, line = [], indent
    for item in items:
        if len(line) > len(indent) and len(line) + len(separator) + len(item) > LINE:
            lines.append(line + separator.rstrip())
            line = indent
        line += (separator if len(line) > len(indent) else "") + item
    return "\n".join(lines + [line])


NOTICE = """/* SPDX-License-Identifier: MIT */
/* Generated by scripts/sfa_parameters.py: {}. */
/* clang-format off */
"""


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/sfa_parameters.py FACTS")
    sizes, (units, special, labels, known, plain) = read_sizes(), read_words()
    facts = read_facts(sys.argv[1], plain)
    layouts = {}
    for number in sorted(facts):
        if number in BY_HAND or number in TRIGGERS:
            continue
        if number not in sizes:
            sys.exit(f"type_list.h does not have type {number:#x}")
        fields = layout_of(number, facts[number], 4 * sizes[number][0], units, special, known)
        layouts.setdefault(fields, []).append(number)

    out = [NOTICE.format("the fields of the layouts that parameter_layouts.h lists")]
    for fields, numbers in layouts.items():
        begin = f"LAYOUT({numbers[0]:03X}, "
        out.append(wrapped([begin + fields[0]] + list(fields[1:]), "", ", ").replace("\n", "\n    ") + ")\n")
    open(FOLDER + "parameter_fields.h", "w", encoding="utf-8").write("".join(out))

    out = [NOTICE.format("the layouts, and the types that have them")]
    out.append("/* PART(first type, name, sentence), by ascending type */\n#ifdef PART\n")
    names = [sizes[numbers[0]][1] for numbers in layouts.values()]
    parts = []
    for numbers in layouts.values():
        name = labels.get(numbers[0], sizes[numbers[0]][1].rstrip("_"))
        if names.count(sizes[numbers[0]][1]) > 1:
            name += f"_0x{numbers[0]:03X}"
        doc = f"layout_{numbers[0]:03X}" if numbers[0] in labels else "layout_other"
        parts.append(f"PART({numbers[0]:03X}, {name}, {doc})")
    out.append(wrapped(parts, "") + "\n#endif\n")
    out.append("/* HAS(type, first type of its layout) */\n#ifdef HAS\n")
    pairs = sorted((number, numbers[0]) for numbers in layouts.values() for number in numbers)
    out.append(wrapped([f"HAS(0x{a:03X}, {b:03X})" for a, b in pairs], "") + "\n#endif\n")
    open(FOLDER + "parameter_layouts.h", "w", encoding="utf-8").write("".join(out))

    proved = {number: [row for row in rows if "evidence" in row] for number, rows in facts.items()}
    out = [NOTICE.format("what the records of the game hold in parameters")]
    out.append("""/*
 * IN(type, records of it), then its parameters: SEEN(offset, records in which it is set, lowest, highest
 * value); TURNED(..., how many game bits have their sense turned round); BITS(..., the bits that occur);
 * REAL(...) in hundredths. Parameters that are 0, or no game bit, in all records are left out, but not those
 * of curves and triggers.
 */
""")
    texts = []
    for number, rows in sorted(proved.items()):
        texts.append(f"IN(0x{number:03X}, {records_of(rows)})")
        texts += [text for text in (fact_of(row, number) for row in rows) if text]
    out.append(wrapped(texts, "") + "\n")
    open(FOLDER + "parameter_facts.inc", "w", encoding="utf-8").write("".join(out))


main()
