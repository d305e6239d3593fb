# SPDX-License-Identifier: MIT
"""Opens, checks, shows, edits, compares and saves game levels. The work is done by libmapstone.

    import mapstone
    with mapstone.open("maps/a.level") as level:
        print(level.document.format.title, len(level.entities()))
        for light in level.document.select("objects[class_name=light_point]"):
            print(light["properties.intensity"].native)

A failed call raises `mapstone.Error` and changes nothing. Threads may share levels and documents: each call locks them.
"""
from ._compare import Conflict, Difference, apply_patch, diff, make_patch, merge
from ._document import Change, Document, Format, Value, formats
from ._level import Asset, Entity, Level, fgd, games, levels
from ._library import ClosedError, Error, Finding, StaleError, lib as _lib
from ._table import Column, Table, schema, table

__version__ = _lib.mst_version().decode()


def open(path, **options) -> Level:  # pylint: disable=redefined-builtin
    """Opens a level: a file, a directory, an archive or disc image that holds one, or a member of one ("game.kpf!maps/a.map").
    The options are the same as for `Level`."""
    return Level(path, **options)


__all__ = ["Asset", "Change", "ClosedError", "Column", "Conflict", "Difference", "Document", "Entity", "Error", "Finding", "Format",
           "Level", "StaleError", "Table", "Value", "apply_patch", "diff", "fgd", "formats", "games", "levels", "make_patch", "merge", "open",
           "schema", "table"]
