# SPDX-License-Identifier: MIT
"""The levels behind scenes: the library opens, compares, checks and saves them."""
from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import bpy

from . import scene as shown
from .glb import Reader
from .model import Root, belongs, model_of

try:
    from . import mapstone  # type: ignore[attr-defined]  # in the zip
except ImportError:
    import mapstone  # type: ignore[no-redef]

Error = mapstone.Error
SCHEMA = "editor_setup.xml"  # of Natural Selection 2: classes, and their default values
_SUM = "mapstone_sha256"
_followed: dict[str, str] = {}  # SHA-256 of a level -> SHA-256 of the next saved version


class Outcome(NamedTuple):
    """The effects of saving."""

    lines: list[str]  # the differences
    operations: list[str]
    told: list[Any]  # parts imported partly or not at all, and other changes
    findings: list[Any]


def settings_of(root: Root) -> dict[str, Any]:
    """The level's path, and the options that it was opened with."""
    return json.loads(root["mapstone"])


def open_level(settings: dict[str, Any], writable: bool = False) -> Any:
    """Opens the level from the disk."""
    return mapstone.open(settings["path"], search_paths=settings["search"], writable=writable)


def _exported(settings: dict[str, Any], textures: bool, old: str = "") -> Reader:
    """Exports the level as a model, and notes it as the version that follows `old`."""
    with open_level(settings) as level:
        made = Reader(level.editing_glb(markers=False, polygons=True, textures=textures))
        made.areas = [one["sector_set"] for one in level.document.get("collision.sectors", [])]
    _followed[old] = new = json.loads(made.origin)[_SUM]
    _followed.pop(new, None)
    return made


def read(settings: dict[str, Any], scene: bpy.types.Scene) -> Root:
    """Builds a level as objects."""
    name = os.path.splitext(os.path.basename(settings["path"]))[0]
    return shown.build(_exported(settings, settings["textures"]), name, settings, scene)


def _change(level: Any, root: Root, told: list[Any]) -> list[tuple[Any, list[str]]]:
    """Applies the changes of the scene to the level: operations on each document."""
    origin, schema = json.loads(root["mapstone_origin"]), level.sidecar(SCHEMA)
    while origin[_SUM] in _followed:
        origin[_SUM] = _followed[origin[_SUM]]
    changed = level.import_model(model_of(root, origin), report=told)
    for document, lines in changed:
        document.edit(*lines, schema=schema, report=told)
    return changed


def preview(root: Root) -> Outcome:
    """Determines the effects of saving; writes nothing."""
    settings, told, lines = settings_of(root), list[Any](), list[str]()
    with open_level(settings) as level, open_level(settings) as before:
        changed = _change(level, root, told)
        for new, _ in changed:
            old = before.document if new is level.document else before.find(new.name)
            lines.extend(map(str, mapstone.diff(old, new)))
        operations = [line for _, script in changed for line in script]
        return Outcome(lines, operations, told, level.check(schema=level.sidecar(SCHEMA)))


def _keeps_paths(line: str) -> bool:
    """Whether all elements keep their indices in this operation."""
    keeps = line.split(" ", 1)[0] in ("move", "rotate", "scale", "set")
    others = (".positions", ".holes", ".layer = ", ".group = ")  # labels change collections
    return keeps and not any(one in line for one in others)


def save(root: Root, scene: bpy.types.Scene, path: str) -> list[Any]:
    """Writes the changes, if any; to another path, a copy. Returns what to report."""
    settings, told = settings_of(root), list[Any]()
    here = os.path.abspath(path) == settings["path"]
    with open_level(settings, writable=here) as level:
        changed = _change(level, root, told)
        if not here:
            if any(document is not level.document for document, _ in changed):
                raise ValueError("several files change: save the level where it is")
            level.save_as(path)
        elif changed:
            level.save()
    if here and not all(_keeps_paths(line) for _, lines in changed for line in lines):
        reload(root, scene)
    elif here and changed:
        old = json.loads(root["mapstone_origin"])[_SUM]
        shown.refresh(root, _exported(settings, False, old))
    return told


def reload(root: Root, scene: bpy.types.Scene) -> Root:
    """Reads the level again, since elements have new indices. Other objects are kept."""
    chosen = {one.get("path") for one in root.all_objects if one.select_get()}
    settings, name, objects = settings_of(root), root.name, list(root.all_objects)
    old = [one for one in objects if belongs(one)]
    bpy.data.batch_remove([*old, *root.children_recursive, root])
    made = read(settings, scene)
    made.name = name
    for one in objects:
        if one not in old:
            made.objects.link(one)
    for one in made.all_objects:
        if one.get("path") in chosen and not one.hide_select and one.visible_get():
            one.select_set(True)
    return made
