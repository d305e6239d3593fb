#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the light sources of all levels in a folder: lights.py FOLDER"""
import pathlib
import sys

import mapstone

for path in sorted(p for p in pathlib.Path(sys.argv[1]).rglob("*") if p.is_file()):
    try:
        with mapstone.open(path) as level:
            for entity in level.entities():
                if entity.role == "light":
                    print("%s\t%s\t%s\t%.2f %.2f %.2f" % (path.name, entity.path, entity.class_name, *entity.world))
    except mapstone.Error as error:
        if error.status not in ("unknown", "unsupported"):  # not a level, or a file without positions
            print("%s: %s" % (path, error), file=sys.stderr)
