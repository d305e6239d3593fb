# SPDX-License-Identifier: MIT
"""A level as objects: the library's export for editing, in collections by group and layer."""
from __future__ import annotations

import functools
import json
from typing import Any, Iterator, Optional, TypeAlias

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from .glb import Reader

FACE, VERTEX = "ns2_face", "ns2_vertex"  # attributes with the level's indices, plus 1; 0: none
FACES = "mesh.faces"  # the list that the indices refer to
WATTS = 12.566370614359172  # of a candela, in all directions
AXES = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # from glTF to Blender
BACK = AXES.inverted()

Node = dict[str, Any]
Root: TypeAlias = "bpy.types.Collection"  # contains everything that belongs to a level


def is_faces(extras: Any) -> bool:
    """Whether a mesh is made of the level's own faces."""
    return extras.get("part_of") == FACES


def is_part(extras: Any) -> bool:
    """Whether it only shows a part of a thing: a box, the model of a door."""
    return "part_of" in extras and not is_faces(extras)


def axes_of(one: bpy.types.Object) -> Matrix:
    """Lights and cameras point along their own -Z in glTF as well."""
    return Matrix() if one.type in ("LIGHT", "CAMERA") else BACK


class _Builder:
    def __init__(self, reader: Reader, root: Root) -> None:
        self.reader, self.nodes, self.root = reader, reader.nodes, root
        self.parents: dict[int, int] = {}
        for index, node in enumerate(self.nodes):
            self.parents.update(dict.fromkeys(node.get("children", ()), index))
        self.objects: dict[int, bpy.types.Object] = {}
        self.collections: dict[tuple[str, ...], Root] = {}
        self.world = functools.cache(self.new_world)
        self.mesh = functools.cache(self.new_mesh)  # shared by things with the same model
        self.material = functools.cache(self.new_material)
        self.image = functools.cache(self.new_image)

    def above(self, index: int) -> Iterator[int]:
        """The ancestors of a node, nearest first."""
        while index in self.parents:
            index = self.parents[index]
            yield index

    def new_world(self, index: int) -> Matrix:
        node, parent = self.nodes[index], self.parents.get(index)
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        place, size = node.get("translation", (0, 0, 0)), node.get("scale", (1, 1, 1))
        own = Matrix.LocRotScale(place, Quaternion((w, x, y, z)), size)
        return own if parent is None else self.world(parent) @ own

    def collection(self, index: int) -> Root:
        """The collection for the node's area, groups and layer."""
        groups = [n for n in self.above(index) if "mesh" not in self.nodes[n]][:-1]
        groups = [n for n in groups if self.nodes[n]["extras"]["role"] in ("group", "geometry")]
        names = [self.nodes[n]["name"] for n in reversed(groups)]
        extras = self.nodes[index]["extras"]
        layer, sector = extras.get("layer"), extras.get("sector", -1)
        if isinstance(layer, str) and layer.lower() not in ["", *map(str.lower, names)]:
            names.append(layer)
        if 0 <= sector < len(self.reader.areas):
            names.insert(0, "area_%04d" % self.reader.areas[sector])
        elif extras.get("path", "").startswith("collision.sector_sets["):
            names.insert(0, self.nodes[index]["name"])
        for end in range(1, len(names) + 1):
            key = tuple(names[:end])
            if key not in self.collections:
                made = self.collections[key] = bpy.data.collections.new(key[-1])
                self.collections.get(key[:-1], self.root).children.link(made)
        return self.collections.get(tuple(names), self.root)

    def add(self, index: int, name: str, data: Any, extras: Node) -> bpy.types.Object:
        one = self.objects[index] = bpy.data.objects.new(name, data)
        for key, value in extras.items():
            one[key] = value
        self.collection(index).objects.link(one)
        return one

    def build(self) -> None:
        joined: dict[tuple[Any, ...], list[int]] = {}
        for index, node in enumerate(self.nodes):
            extras = node["extras"]
            if is_faces(extras):
                key = (self.parents[index], extras["role"], extras.get("layer"))
                joined.setdefault(key, []).append(index)
            elif "path" in extras or is_part(extras):
                self.thing(index, node, extras)
        for first, *others in joined.values():  # all materials in one mesh: faces share vertices
            meshes = [self.nodes[index]["mesh"] for index in (first, *others)]
            name = self.nodes[self.parents[first]]["name"]
            self.add(first, name, self.fill(name, meshes), self.nodes[first]["extras"])

    def thing(self, index: int, node: Node, extras: Node) -> None:
        lit = node.get("extensions", {}).get("KHR_lights_punctual")
        data: Any = None
        if lit is not None:
            data = self.light(lit["light"])
        elif "camera" in node:
            data = bpy.data.cameras.new(node["name"])
        elif "mesh" in node:
            data = self.mesh(node["mesh"])
        one = self.add(index, node["name"], data, extras)
        one["mapstone_name"] = one.name
        one.rotation_mode = "YXZ"  # yaw about Z, pitch about X, roll about Y
        self.place(index, one)
        one.hide_select = is_part(extras)
        if data is None:
            size = max(self.world(index).to_scale())  # larger than a metre: the box of a room
            one.empty_display_type = "CUBE" if "scale" in node and size > 1 else "PLAIN_AXES"
            one.empty_display_size = 0.5 if size > 1 else 0.5 / max(size, 1e-3)

    def place(self, index: int, one: bpy.types.Object) -> None:
        place = AXES @ self.world(index) @ axes_of(one)
        parent = next((n for n in self.above(index) if n in self.objects), None)
        if parent is not None:
            one.parent = self.objects[parent]
            place = (AXES @ self.world(parent) @ axes_of(one.parent)).inverted() @ place
        one.matrix_basis = place

    def light(self, index: int) -> bpy.types.Light:
        said = self.reader.json["extensions"]["KHR_lights_punctual"]["lights"][index]
        kind = {"point": "POINT", "spot": "SPOT", "directional": "SUN"}[said["type"]]
        made = bpy.data.lights.new(said.get("name", "light"), kind)
        made.color = said.get("color", (1, 1, 1))
        made.energy = said.get("intensity", 1) * (1 if kind == "SUN" else WATTS)
        if kind == "SPOT":
            made.spot_size = 2 * said["spot"].get("outerConeAngle", 0.7853981633974483)
        if kind != "SUN" and "range" in said:
            made.use_custom_distance, made.cutoff_distance = True, said["range"]
        return made

    def new_material(self, index: int) -> Optional[bpy.types.Material]:
        if index < 0:
            return None
        said = self.reader.json["materials"][index]
        made = bpy.data.materials.new(said["name"])
        look, mode = said["pbrMetallicRoughness"], said.get("alphaMode", "OPAQUE")
        made.diffuse_color = look.get("baseColorFactor", (1, 1, 1, 1))
        made.use_backface_culling = not said.get("doubleSided", False)
        made.blend_method = "CLIP" if mode == "MASK" else mode
        for key, value in said.get("extras", {}).items():
            made[key] = value
        if "baseColorTexture" in look and min(made.diffuse_color[:3]) > 0.99:  # else a pattern
            texture = self.reader.json["textures"][look["baseColorTexture"]["index"]]
            made.use_nodes = True
            shown = made.node_tree.nodes.new("ShaderNodeTexImage")
            shown.image = self.image(texture["source"])
            surface = made.node_tree.nodes["Principled BSDF"].inputs
            made.node_tree.links.new(shown.outputs["Color"], surface["Base Color"])
            made.node_tree.links.new(shown.outputs["Alpha"], surface["Alpha"])
        return made

    def new_image(self, index: int) -> bpy.types.Image:
        data = self.reader.image(index)
        made = bpy.data.images.new(self.reader.json["images"][index].get("name", "image"), 1, 1)
        made.pack(data=data, data_len=len(data))
        made.source = "FILE"
        return made

    def new_mesh(self, index: int) -> bpy.types.Mesh:
        return self.fill(self.reader.json["meshes"][index].get("name", "mesh"), [index])

    def fill(self, name: str, indices: list[int]) -> bpy.types.Mesh:
        """Consecutive triangles with the same first corner are a polygon; faces share vertices."""
        meshes, made = self.reader.json["meshes"], self.reader.attribute
        parts = [part for index in indices for part in meshes[index]["primitives"]]
        names = ("POSITION", "TEXCOORD_0", "TEXCOORD_1")
        lists: Any = [[made(part, name) for part in parts] for name in names]
        places, texture, numbers = (np.concatenate(each) for each in lists)
        numbers = numbers.round().astype(np.int64)  # indices of face and vertex, plus 1; 0: none
        starts = np.cumsum([0, *map(len, lists[0])])
        lists = [self.reader.array(part["indices"]).reshape(-1, 3).astype(int) for part in parts]
        triangles = np.concatenate([each + start for each, start in zip(lists, starts)])
        used = np.repeat([part.get("material", -1) for part in parts], [*map(len, lists)])
        slots, slot = np.unique(used, return_inverse=True)
        alone = numbers[:, 1].max(initial=0) + 1 + np.arange(len(numbers))
        keys = np.where(numbers[:, 1] > 0, numbers[:, 1], alone)
        _, first, vertex = np.unique(keys, return_index=True, return_inverse=True)
        begins = np.ones(len(triangles), bool)
        begins[1:] = triangles[1:, 0] != triangles[:-1, 0]
        corners = triangles[np.column_stack((begins, begins, np.ones_like(begins)))]
        starts = np.flatnonzero(begins)
        totals = np.diff(starts, append=len(triangles)) + 2
        faces = numbers[triangles[starts, 0], 0]
        mesh = bpy.data.meshes.new(name)
        mesh.vertices.add(len(first))
        turned = places[first][:, [0, 2, 1]] * np.array((1, -1, 1), np.float32)
        mesh.vertices.foreach_set("co", turned.ravel())
        mesh.loops.add(len(corners))
        mesh.loops.foreach_set("vertex_index", vertex[corners])
        mesh.polygons.add(len(totals))
        mesh.polygons.foreach_set("loop_start", np.cumsum(totals) - totals)
        mesh.polygons.foreach_set("loop_total", totals)
        mesh.polygons.foreach_set("material_index", slot[starts])
        for one in slots.tolist():
            mesh.materials.append(self.material(one))
        upward = np.column_stack((texture[corners, 0], 1 - texture[corners, 1]))
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", upward.ravel())
        attributes = ((FACE, "FACE", faces), (VERTEX, "POINT", numbers[first, 1]))
        for key, domain, values in attributes if faces.any() else ():
            mesh.attributes.new(key, "INT", domain).data.foreach_set("value", values)
        mesh.update(calc_edges=True)
        return mesh


def build(reader: Reader, name: str, settings: Node, scene: bpy.types.Scene) -> Root:
    """Makes objects of a level that was exported for editing. Its collection becomes the active
    one; objects that are added to it belong to the level."""
    root = bpy.data.collections.new(name)
    made = _Builder(reader, root)
    made.build()
    unit = reader.nodes[0].get("scale", (0.0254,))[0]  # metres; the editor for NS2 counts inches
    root["mapstone"] = json.dumps({**settings, "unit": unit})
    root["mapstone_origin"] = reader.origin
    scene.collection.children.link(root)  # last: linking takes longer the larger a scene is
    layers = bpy.context.view_layer
    layers.active_layer_collection = layers.layer_collection.children[root.name]
    for one in root.all_objects:
        if one["role"] in ("helper", "collision") and "path" not in one:
            one.hide_set(True)
    return root


def refresh(root: Root, reader: Reader) -> None:
    """After saving: updates dependent properties, and rounded positions."""
    made = _Builder(reader, root)
    known = {(one.get("file"), one.get("path")): one for one in root.all_objects}
    for index, node in enumerate(reader.nodes):
        extras = node["extras"]
        one = known.get((extras.get("file"), extras.get("path")))
        if one is None or "path" not in extras:
            continue
        made.objects[index] = one
        changed = [key for key, value in extras.items() if one.get(key) != value]
        for key in changed:
            one[key] = extras[key]
        if changed:
            made.place(index, one)
    root["mapstone_origin"] = reader.origin
