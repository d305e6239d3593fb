# SPDX-License-Identifier: MIT
"""Facts about a level's things for panels and menus: classes, choices, materials."""
from __future__ import annotations

import contextlib
import functools
import json
import os
import re
from typing import Any, Optional

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import level as levels
from .model import CHANGED, Root, Thing, extras_of, level_numbers, texts_of
from .scene import FACE, FACES, WATTS, is_faces

_OURS = {"path", "file", "node", "part_of", "role", "class", "layer", "layers"}
_LABELS = {"layers": "layers", "group": "groups", "groups": "groups"}  # and lists of their names
_PLACES = ("origin_", "angles_", "scale_", "position_")  # derived from the object's own position
Facts = dict[str, tuple[str, list[tuple[Any, str, str]]]]  # type and unit; value, name, meaning


@functools.lru_cache(1)
def _opened(settings: str, _origin: str) -> tuple[Any, dict[Any, Any]]:
    return levels.open_level(json.loads(settings)), {}


def _known(root: Root) -> tuple[Any, dict[Any, Any]]:
    """The current version of the level, and the facts found about it."""
    return _opened(root["mapstone"], root["mapstone_origin"])


def _class(root: Root, name: str) -> dict[str, dict[str, Any]]:
    """The properties of a class by name (Natural Selection 2)."""
    lines: list[str] = []
    with contextlib.suppress(levels.Error):
        lines = _known(root)[0].document.describe("class " + name)
    return {one["name"]: one for one in map(json.loads, lines)}


def facts_of(root: Root, one: Thing) -> Facts:
    """Facts about each custom property, from its class or the format's tables."""
    level, known = _known(root)
    file, path, name = (one.get(key, "") for key in ("file", "path", "class"))
    if (file, path, name) not in known:
        found = known[file, path, name] = {}
        for key, said in _class(root, name).items():
            found[key] = said["type"], [(value, label, "") for value, label in said["choices"]]
        for key, where in _LABELS.items():  # Natural Selection 2
            names = [each["name"] for each in level.document.get(where, [])]
            if names:
                found[key] = "by name", [(each, each, "") for each in names]
        element = level.find(file).find(path) if path else {}
        for key in editable_of(one):
            for field in ("properties." + key, key, "parameters." + key):
                if key not in found and field in element:
                    value = element[field]
                    text = " ".join(part for part in (value.type_name, value.unit) if part)
                    found[key] = text, value.choices
    return known[file, path, name]


def editable_of(one: Thing) -> list[str]:
    """The properties that saving reads; neither names shown for numbers, nor positions."""
    names = list(extras_of(one))
    shown = {name + end for name in names for end in ("_name", "_names", "_hex")}
    shown |= {name for name in names if name.startswith(_PLACES)}
    return [name for name in names if name not in _OURS and name not in shown]


def _switched(text: str, name: str, off: bool) -> str:
    """Names with commas, with one name added or removed."""
    others = [each for each in text.split(", ") if each not in ("", name)]
    return ", ".join(others if off else [*others, name])


def choose(one: Thing, key: str, value: str) -> None:
    """Sets a property; for layers, adds the thing to one, or removes it."""
    if key == "layers":
        text = str(one.get(key, ""))
        one[key] = _switched(text, value, value in text.split(", "))
    else:
        one[key] = type(one.get(key, ""))(value)


def labels_of(root: Root, one: Thing, key: str, value: str = "") -> set[str]:
    """The layers, or groups, of each selected face of a mesh in edit mode, as names with commas.
    A value is added to all of them or, if all have it, removed."""
    made, texts = bmesh.from_edit_mesh(one.data), texts_of(root)
    own, layers = CHANGED + key, made.faces.layers.int
    changed, face = layers.get(own) or (value and layers.new(own)), layers.get(FACE)
    level, known = _known(root)
    if key not in known:
        known[key] = level.document.labels(FACES, key[:-1])
    found = {}
    for each in made.faces:
        if each.select and changed and each[changed]:
            found[each] = texts[each[changed] - 1]
        elif each.select:
            found[each] = ", ".join(known[key][each[face] - 1]) if face and each[face] else ""
    off = all(value in text.split(", ") for text in found.values())
    for each, text in found.items() if value else ():
        found[each] = _switched(text, value, off)
        texts.extend({found[each]}.difference(texts))
        each[changed] = texts.index(found[each]) + 1
    if value:
        root["mapstone_labels"] = json.dumps(texts)
        bmesh.update_edit_mesh(one.data)
    return set(found.values())


def classes_of(root: Root) -> list[str]:
    """The available classes: of the level, of other levels, and of the game's description."""
    found = {str(one["class"]) for one in root.all_objects if "class" in one}
    with contextlib.suppress(levels.Error):
        found.update(_known(root)[0].document.describe("classes"))
    return sorted(found)


def materials_of(root: Root) -> list[str]:
    """Paths of the level's materials."""
    meshes = [one.data for one in root.all_objects if one.type == "MESH"]
    shown = {one["path"] for mesh in meshes for one in mesh.materials if one and "path" in one}
    return sorted(shown.union(_known(root)[0].document.get("mesh.materials", [])))


def find(root: Root, path: str, file: str, name: str) -> tuple[Optional[Thing], Optional[int]]:
    """The object with the value at a path, and the index of a face in it."""
    face, found = re.match(re.escape(FACES) + r"\[(\d+)\]", path), []
    for one in root.all_objects:
        own = one.get("path", "")
        if name and one.name == name:
            return one, None
        if face and one.type == "MESH" and is_faces(one):
            if int(face[1]) + 1 in level_numbers(one.data, FACE, len(one.data.polygons)):
                return one, int(face[1])
        elif own and (path + ".").startswith((own + ".", own + "[")):
            if one.get("file", "") in ("", os.path.basename(file)) or not file:
                found.append(one)
    return [None, *sorted(found, key=lambda one: len(one["path"]))][-1], None


def select_face(one: Thing, face: int) -> None:
    """Selects a face of the level, and deselects the rest of the mesh."""
    bpy.context.scene.tool_settings.mesh_select_mode = (False, False, True)
    for items in (one.data.vertices, one.data.edges):
        items.foreach_set("select", np.zeros(len(items), bool))
    polygons = one.data.polygons
    polygons.foreach_set("select", level_numbers(one.data, FACE, len(polygons)) == face + 1)


def paint(one: Thing, path: str) -> None:
    """Assigns the material of a path to the selected faces of a mesh in edit mode, else to all."""
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


def add(root: Root, name: str, place: Vector) -> Thing:
    """A new thing: in Natural Selection 2 with its class's defaults, else a copy of another one."""
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
    made["class"], itself = name, {"origin", "angles", "scale"}
    if data is not None:
        data.energy, data.use_custom_distance, data.cutoff_distance = 50 * WATTS, True, 10
        itself |= {"color", "intensity", "distance", "innerAngle", "outerAngle"}
    for key, said in _class(root, name).items():
        if key not in itself:
            made[key] = said["value"] if len(said["value"]) > 1 else said["value"][0]
    made.location, made.empty_display_size = place, 0.5
    root.objects.link(made)
    return made
