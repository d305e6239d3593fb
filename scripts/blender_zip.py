#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs the add-on for Blender, with the Python package and the library for each system:

    scripts/blender_zip.py TARGET.zip LIBRARY... [PARTS/licences/...]     (in the top directory)

A library is libmapstone.so.0 (also libmapstone.so) or mapstone.dll; a folder holds the licences of the libraries linked into them.
The same files give the same bytes."""
import pathlib
import sys
import zipfile

TOP = "mapstone_levels"
TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time that zip can store


def files(given):
    """The content of the zip, by name."""
    found = {"%s/LICENSE" % TOP: pathlib.Path("LICENSE").read_bytes()}
    for folder, name in ((pathlib.Path("blender/mapstone_levels"), TOP), (pathlib.Path("python/mapstone"), TOP + "/mapstone")):
        for path in folder.glob("*.py"):
            found["%s/%s" % (name, path.name)] = path.read_bytes()
    for one in map(pathlib.Path, given):
        if one.is_dir():
            for path in one.iterdir():
                found["%s/licences/%s/%s.txt" % (TOP, one.parent.name, path.name)] = path.read_bytes()
        else:
            found["%s/mapstone/%s" % (TOP, {".dll": "mapstone.dll"}.get(one.suffix, "libmapstone.so.0"))] = one.read_bytes()
    return found


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files(sys.argv[2:]).items()):
            one = zipfile.ZipInfo(name, TIME)
            one.compress_type = zipfile.ZIP_DEFLATED
            one.external_attr = 0o100644 << 16
            archive.writestr(one, content)


main()
