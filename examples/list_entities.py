#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the entities of a level of any format, by the Python package.

    list_entities.py FILE    (PYTHONPATH=python MAPSTONE_LIBRARY=build/libmapstone.so, where the package is not installed)
"""
import sys

import mapstone

try:
    with mapstone.open(sys.argv[1] if len(sys.argv) > 1 else "-") as level:
        for e in level.entities():
            print("%-24s %-24s %9.2f %9.2f %9.2f  %s" % (e.class_name, e.name, *e.position, e.path))
except mapstone.Error as error:
    sys.exit("list_entities: %s" % error)
