#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the entities of a level of any format, in Python with ctypes.

    list_entities.py FILE    MAPSTONE_LIBRARY and MAPSTONE_INCLUDE say where the library and its headers are

The structs are read from the headers, so that they cannot differ from the library's.
"""
import ctypes
import os
import re
import sys

TYPES = {"const char *": ctypes.c_char_p, "float ": ctypes.c_float, "mst_role ": ctypes.c_int, "mst_status ": ctypes.c_int,
         "mst_severity ": ctypes.c_int, "char ": ctypes.c_char, "int ": ctypes.c_int, "size_t ": ctypes.c_size_t,
         "uint64_t ": ctypes.c_uint64}


def struct(header, name):
    """The ctypes class of a struct in a header."""
    with open(os.path.join(os.environ.get("MAPSTONE_INCLUDE", "/usr/include"), "mapstone", header), encoding="utf-8") as file:
        text = re.search(r"typedef struct %s \{(.*?)\} %s;" % (name, name), file.read(), re.S).group(1)
    fields = []
    for kind, member, count in re.findall(r"((?:const )?\w+ \*?)(\w+)(?:\[(\d+)\])?;", re.sub(r"/\*.*?\*/", "", text, flags=re.S)):
        fields.append((member, TYPES[kind] * int(count) if count else TYPES[kind]))
    return type(name, (ctypes.Structure,), {"_fields_": fields})


Diagnostic = struct("base.h", "mst_diagnostic")
Entity = struct("level.h", "mst_entity")
TYPES["const mst_entity *"] = ctypes.POINTER(Entity)
Entities = struct("level.h", "mst_entities")


def main():
    library = ctypes.CDLL(os.environ.get("MAPSTONE_LIBRARY", "libmapstone.so"))
    level, entities, why = ctypes.c_void_p(), ctypes.POINTER(Entities)(), Diagnostic()
    path = os.fsencode(sys.argv[1] if len(sys.argv) > 1 else "-")
    try:
        if library.mst_level_open(path, None, ctypes.byref(level), ctypes.byref(why)) or \
                library.mst_level_entities(level, ctypes.byref(entities), ctypes.byref(why)):
            sys.exit("list_entities: " + why.message.decode())
        for e in entities.contents.items[:entities.contents.count]:
            print("%-24s %-24s %9.2f %9.2f %9.2f  %s" % (e.class_name.decode(), e.name.decode(), *e.position, e.path.decode()))
    finally:
        library.mst_entities_free(entities)
        library.mst_level_close(level)


if __name__ == "__main__":
    main()
