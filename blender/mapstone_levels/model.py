# SPDX-License-Identifier: MIT
"""The scene as a model to compare with its level; problems that the user has to fix first."""
from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, Optional, TypeAlias

import bpy
import numpy as np
from mathutils import Matrix

from .glb import Writer
from .scene import BACK, FACE, VERTEX, WATTS, Node, Root, axes_of, is_faces, is_part

Thing: TypeAlias = "bpy.types.Object"
LABELS = ("layers", "groups")  # of faces: extras and, prefixed by CHANGED, attributes, which are
CHANGED = "mapstone_"  # indices + 1 into the texts of the level's collection; 0: unchanged


def roots_of(scene: bpy.types.Scene) -> list[Root]:
    """The levels of a scene. Everything in a level's collection belongs to it."""
    return [one for one in scene.collection.children_recursive if "mapstone" in one]


def texts_of(root: Root) -> list[str]:
    """The layers and groups that were assigned to faces, as names with commas."""
    return json.loads(root.get("mapstone_labels", "[]"))


def is_geometry(one: Thing) -> bool:
    """Whether its faces belong to the level, or will be added."""
    return one.type == "MESH" and (is_faces(one) or not ("path" in one or "role" in one))


def belongs(one: Thing) -> bool:
    """Whether it belongs to the level or will be added; false for objects that are only shown."""
    if "role" in one or "path" in one or "class" in one or one.type == "LIGHT":
        return True
    return is_geometry(one) and any("path" in each for each in one.data.materials if each)


def extras_of(one: Thing) -> Node:
    """Custom properties in the form of JSON."""
    found: Node = {}
    for key, value in one.items():
        value = value.to_list() if hasattr(value, "to_list") else value
        if isinstance(value, (int, float, str, list)) and not key.startswith("mapstone_"):
            found[key] = value
    return found


def numbers(items: Any, name: str, width: int = 1, kind: Any = np.int32) -> np.ndarray:
    """One or several numbers of each of Blender's items."""
    found = np.empty(width * len(items), kind)
    items.foreach_get(name, found)
    return found if width == 1 else found.reshape(-1, width)


def level_numbers(mesh: bpy.types.Mesh, name: str, count: int) -> np.ndarray:
    """The level's indices of faces or vertices, plus 1; 0: none."""
    given = mesh.attributes.get(name)
    known = given is not None and len(given.data) == count
    return numbers(given.data, "value") if known else np.zeros(count, np.int32)


class _Model(Writer):
    texts: list[str]  # names of layers and groups assigned to faces

    def add(self, one: Thing) -> None:
        extras, axes = extras_of(one), axes_of(one).inverted()
        node: Node = {"name": one.name, "extras": extras}
        if one.name == one.get("mapstone_name"):
            node["name"] = extras.get("node", one.name)
        if is_geometry(one):
            axes, mesh = Matrix(), self.mesh(one)
            if mesh is not None:
                node["mesh"] = mesh
        elif one.type == "LIGHT" and one.data.type in ("POINT", "SPOT"):
            node["extensions"] = {"KHR_lights_punctual": {"light": len(self.lights)}}
            self.lights.append(_light(one.data))
        world = (BACK @ one.matrix_world @ axes).transposed()
        node["matrix"] = [number for column in world for number in column]
        self.put("nodes", node)

    def material(self, one: bpy.types.Material) -> int:
        said = {"name": one.name, "extras": {"path": one["path"]} if "path" in one else {}}
        if said not in self.lists["materials"]:
            self.put("materials", said)
        return self.lists["materials"].index(said)

    def mesh(self, one: Thing) -> Optional[int]:
        """The triangles, with the indices of their faces and vertices."""
        one.update_from_editmode()
        copy = one.data.copy()  # a mesh hides its attributes in edit mode
        made = self.triangles(one, copy)
        bpy.data.meshes.remove(copy)
        return made

    def triangles(self, one: Thing, mesh: bpy.types.Mesh) -> Optional[int]:
        mesh.calc_loop_triangles()
        triangles = mesh.loop_triangles
        if not triangles:
            return None
        corners = numbers(triangles, "loops", 3)
        vertex = numbers(mesh.loops, "vertex_index")
        face = np.zeros(len(vertex), np.int32)
        of = level_numbers(mesh, FACE, len(mesh.polygons))[numbers(triangles, "polygon_index")]
        face[corners] = of[:, None]
        of = level_numbers(mesh, VERTEX, len(mesh.vertices))[vertex]
        places = numbers(mesh.vertices, "co", 3, np.float32)[vertex]
        given = {"POSITION": self.array(places)}
        given["TEXCOORD_1"] = self.array(np.column_stack((face, of)).astype(np.float32))
        if mesh.uv_layers.active:
            texture = numbers(mesh.uv_layers.active.data, "uv", 2, np.float32)
            texture[:, 1] = 1 - texture[:, 1]
            given["TEXCOORD_0"] = self.array(texture)
        of_face = numbers(triangles, "polygon_index")
        changed = [level_numbers(mesh, CHANGED + key, len(mesh.polygons)) for key in LABELS]
        slot, parts = numbers(triangles, "material_index"), []
        kinds = np.column_stack((slot, *(each[of_face] for each in changed)))
        for kind in np.unique(kinds, axis=0):
            index, *said = kind.tolist()
            part: Node = {"attributes": given}
            part["indices"] = self.array(corners[(kinds == kind).all(axis=1)].ravel())
            if any(said):
                part["extras"] = {key: self.texts[at - 1] for key, at in zip(LABELS, said) if at}
            slots = one.material_slots
            if index < len(slots) and slots[index].material:
                part["material"] = self.material(slots[index].material)
            parts.append(part)
        return self.put("meshes", {"primitives": parts})


def _light(data: bpy.types.Light) -> Node:
    said: Node = {"type": data.type.lower(), "color": list(data.color)}
    said["intensity"] = data.energy / WATTS
    if data.use_custom_distance:
        said["range"] = data.cutoff_distance
    if data.type == "SPOT":
        outer = data.spot_size / 2
        said["spot"] = {"innerConeAngle": outer * (1 - data.spot_blend), "outerConeAngle": outer}
    return said


def model_of(root: Root, origin: Node) -> bytes:
    """The level's objects as a model that the library imports."""
    bpy.context.view_layer.update()
    made = _Model()
    made.texts = texts_of(root)
    for one in root.all_objects:
        if not is_part(one):
            made.add(one)
    return made.finish(origin)


def problems_of(root: Root) -> list[SimpleNamespace]:
    """Mistakes of the user, found before saving: messages, and names of objects."""
    found: list[SimpleNamespace] = []
    for one in root.all_objects:
        if not is_geometry(one) or "class" in one:
            continue
        texts = ["apply or remove the modifier %s" % each.name for each in one.modifiers]
        one.update_from_editmode()
        if not one.data.polygons:
            texts.append("it has no faces")
        if max(abs(size - 1) for size in one.matrix_world.to_scale()) > 1e-4:
            texts.append("apply its scale (Object > Apply)")
        for text in texts:
            found.append(SimpleNamespace(name=one.name, message="%s: %s" % (one.name, text)))
    return found
