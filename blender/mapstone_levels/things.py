# SPDX-License-Identifier: MIT
"""What is known about a level's things, for panels and menus: classes, choices, materials."""
from __future__ import annotations

import contextlib
import json
import os
import re
from typing import Any, NamedTuple, Optional
from xml.etree import ElementTree

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import level as levels
from .model import Root, Thing, extras_of, level_numbers
from .scene import FACE, FACES, WATTS, is_faces

_OURS = {"path", "file", "node", "part_of", "role", "class", "layer", "layers"}
_LABELS = {"layers": "layers", "group": "groups"}  # custom properties, and the lists of their names
_PLACES = ("origin_", "angles_", "scale_", "position_")  # which the object's own place says
_kept: dict[Any, Any] = {}  # what was found out; emptied when the level is another one


class Facts(NamedTuple):
    """Of a property."""

    text: str  # its type, and its unit
    choices: list[tuple[Any, str, str]]  # value, name, what it means


def _schema(text: Optional[bytes]) -> dict[str, dict[str, Facts]]:
    """The properties of each class by editor_setup.xml (Natural Selection 2)."""
    top = ElementTree.fromstring(text).iter("class") if text else ()
    classes = {one.get("name", ""): one for one in top}

    def family(name: str, below: tuple[str, ...] = ()) -> dict[str, Facts]:
        found: dict[str, Facts] = {}
        if name in classes and name not in below:
            for one in classes[name].iter("parent"):
                found.update(family((one.text or "").strip(), (*below, name)))
            for one in classes[name].iter("parameter"):
                choices = [(c.get("value", ""), c.get("label", ""), "") for c in one.iter("choice")]
                found[one.get("name", "")] = Facts(one.get("type", ""), choices)
        return found

    return {name: family(name) for name in classes}


def _known(root: Root) -> dict[Any, Any]:
    """What was found out about this version of the level."""
    key = (root["mapstone"], root["mapstone_origin"])
    if _kept.get("key") != key:
        _kept.clear()
        level = levels.open_level(levels.settings_of(root))
        _kept.update(key=key, level=level, text=level.sidecar(levels.SCHEMA), schema={})
        with contextlib.suppress(ElementTree.ParseError):  # the checks find what is wrong with it
            _kept["schema"] = _schema(_kept["text"])
    return _kept


def facts_of(root: Root, one: Thing) -> dict[str, Facts]:
    """Of each custom property: type, unit and choices, from the schema or the format's tables."""
    known = _known(root)
    file, path, name = (one.get(key, "") for key in ("file", "path", "class"))
    if (file, path, name) not in known:
        found = known[file, path, name] = dict(known["schema"].get(name, {}))
        for key, where in _LABELS.items():  # Natural Selection 2
            names = [each["name"] for each in known["level"].document.get(where, [])]
            if names:
                found[key] = Facts("by name", [(each, each, "") for each in names])
        element = known["level"].find(file).find(path) if path else {}
        for key in editable_of(one):
            for field in ("properties." + key, key, "parameters." + key):
                if key not in found and field in element:
                    value = element[field]
                    text = " ".join(part for part in (value.type_name, value.unit) if part)
                    found[key] = Facts(text, value.choices)
    return known[file, path, name]


def editable_of(one: Thing) -> list[str]:
    """The properties that saving looks at; not names of numbers that are shown, nor places."""
    names = list(extras_of(one))
    shown = {name + end for name in names for end in ("_name", "_names", "_hex")}
    shown |= {name for name in names if name.startswith(_PLACES)}
    return [name for name in names if name not in _OURS and name not in shown]


def choose(one: Thing, key: str, value: str) -> None:
    """Sets a property; of layers, puts the thing on one, or takes it off."""
    names = [name for name in str(one.get(key, "")).split(", ") if name]
    if key == "layers":
        others = [name for name in names if name != value]
        one[key] = ", ".join(others if value in names else [*names, value])
    else:
        one[key] = type(one.get(key, ""))(value)


def classes_of(root: Root) -> list[str]:
    """Those that things can have: of the level, of other levels, and of the game's description."""
    known = _known(root)
    found = {str(one["class"]) for one in root.all_objects if "class" in one}
    with contextlib.suppress(levels.Error):
        found.update(known["level"].document.describe("classes"))
    return sorted(found.union(known["schema"]))


def materials_of(root: Root) -> list[str]:
    """Paths of the level's materials."""
    meshes = [one.data for one in root.all_objects if one.type == "MESH"]
    shown = {one["path"] for mesh in meshes for one in mesh.materials if one and "path" in one}
    return sorted(shown.union(_known(root)["level"].document.get("mesh.materials", [])))


def find(root: Root, path: str, file: str, name: str) -> tuple[Optional[Thing], Optional[int]]:
    """The object of what is at a path, and the number of a face in it."""
    face = re.match(re.escape(FACES) + r"\[(\d+)\]", path)
    best: Optional[Thing] = None
    for one in root.all_objects:
        own = one.get("path", "")
        if name and one.name == name:
            return one, None
        if face and one.type == "MESH" and is_faces(one):
            if int(face[1]) + 1 in level_numbers(one.data, FACE, len(one.data.polygons)):
                return one, int(face[1])
        elif own and (path + ".").startswith((own + ".", own + "[")):
            if one.get("file", "") in ("", os.path.basename(file)) or not file:
                best = one if best is None or len(own) > len(best["path"]) else best
    return best, None


def select_face(one: Thing, face: int) -> None:
    """Selects a face of the level, and nothing else of the mesh."""
    bpy.context.scene.tool_settings.mesh_select_mode = (False, False, True)
    for items in (one.data.vertices, one.data.edges):
        items.foreach_set("select", np.zeros(len(items), bool))
    polygons = one.data.polygons
    polygons.foreach_set("select", level_numbers(one.data, FACE, len(polygons)) == face + 1)


def paint(one: Thing, path: str) -> None:
    """Gives the material of a path to the selected faces of a mesh that is edited, else to all."""
    material = next((each for each in bpy.data.materials if each.get("path") == path), None)
    if material is None:
        material = bpy.data.materials.new(path)
        material["path"] = path
    if material.name not in one.data.materials:
        one.data.materials.append(material)
    index = one.data.materials.find(material.name)
    if one.mode == "EDIT":
        one.active_material_index = index
        bpy.ops.object.material_slot_assign()
    else:
        one.data.polygons.foreach_set("material_index", [index] * len(one.data.polygons))
        one.data.update()


def _begins_with(root: Root, name: str) -> dict[str, Any]:
    """The properties of a new entity, as the library makes it."""
    document = levels.mapstone.Document.new("ns2-level")
    for given in ({}, {"name": name}):  # some classes need one
        try:
            document.edit({"op": "add", "path": name, "new": given}, schema=_known(root)["text"])
        except levels.Error:
            continue
        return {one["name"]: one["value"] for one in document["objects"][-1]["properties"]}
    return {}


def add(root: Root, name: str, place: Vector) -> Thing:
    """A new thing: of Natural Selection 2 as its class begins, else a copy of one that is there."""
    if json.loads(root["mapstone_origin"])["mapstone_format"] != "ns2-level":
        like = next(one for one in root.all_objects if one.get("class") == name and "path" in one)
        made = like.copy()
        like.users_collection[0].objects.link(made)
        by = Matrix.Translation(place - like.matrix_world.translation)
        made.matrix_world = by @ like.matrix_world
        return made
    kind = {"light_point": "POINT", "light_spot": "SPOT"}.get(name)
    data = bpy.data.lights.new(name, kind) if kind else None
    made = bpy.data.objects.new(name, data)
    left_out = {"origin", "angles", "scale"}
    if data is not None:  # the lamp itself has these
        data.energy, data.use_custom_distance, data.cutoff_distance = 50 * WATTS, True, 10
        left_out |= {"color", "intensity", "distance", "innerAngle", "outerAngle"}
    made["class"] = name
    for key, value in _begins_with(root, name).items():
        if key not in left_out:
            made[key] = value[0] if len(value) == 1 else value
    made.location, made.empty_display_size = place, 0.5
    root.objects.link(made)
    return made
