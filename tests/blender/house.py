# SPDX-License-Identifier: MIT
"""Builds a model in Blender without regard to mapstone, and exports it:

    blender -b --python tests/blender/house.py -- OUT.glb

Quads, n-gons, a hole, a mesh of which two objects are instances, a mirrored and a scaled object,
modifiers, lamps, empties with a class. The visible area is printed: "area: 123.4"."""
import sys

import bmesh
import bpy
import numpy as np

if not hasattr(np, "bool"):
    np.bool = bool  # the add-on for glTF of Blender 3.4 uses a name that numpy has removed


def material(name):
    return bpy.data.materials.get(name) or bpy.data.materials.new(name)


def mesh_object(name, made, *materials):
    mesh = bpy.data.meshes.new(name)
    made.to_mesh(mesh)
    made.free()
    for each in materials:
        mesh.materials.append(material(each))
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def room():
    made = bmesh.new()
    bmesh.ops.create_cube(made, size=8)
    bmesh.ops.reverse_faces(made, faces=made.faces)  # seen from inside
    layer = made.loops.layers.uv.new()
    for face in made.faces:
        face.material_index = 0 if abs(face.normal.z) > 0.5 else 1
        for loop in face.loops:
            loop[layer].uv = (loop.vert.co.x + loop.vert.co.z, loop.vert.co.y)
    return mesh_object("room", made, "materials/dev/dev_floor_grid", "materials/dev/dev_wall_grid")


def ground():
    made = bmesh.new()
    bmesh.ops.create_grid(made, x_segments=5, y_segments=5, size=10)
    made.faces.ensure_lookup_table()
    bmesh.ops.delete(made, geom=[made.faces[12]], context="FACES_ONLY")
    thing = mesh_object("ground", made, "ground")
    thing.location = (0, 0, -6)
    return thing


def column():
    made = bmesh.new()
    bmesh.ops.create_cone(made, cap_ends=True, segments=12, radius1=1, radius2=0.5, depth=4)
    return mesh_object("column", made, "stone")


def main():
    output = sys.argv[sys.argv.index("--") + 1]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    room()
    ground()
    first = column()
    first.location = (2, 1, -2)
    second = bpy.data.objects.new("column.001", first.data)
    second.location, second.scale, second.rotation_euler = (-2, 1, -2), (-1, 2, 1), (0, 0, 0.5)
    bpy.context.scene.collection.objects.link(second)
    solid = column()
    solid.location = (0, -2, -2)
    array = solid.modifiers.new("array", "ARRAY")
    array.count, array.use_relative_offset, array.use_constant_offset, array.constant_offset_displace = 3, False, True, (0, 0, 7)
    for kind in ("POINT", "SPOT"):
        lamp = bpy.data.objects.new(kind, bpy.data.lights.new(kind, kind))
        lamp.location = (0, 0, 3)
        bpy.context.scene.collection.objects.link(lamp)
    for name, properties, scale in (("start", {"class": "ready_room_start"}, 1), ("yard", {"class": "location", "name": "Yard"}, 4)):
        empty = bpy.data.objects.new(name, None)
        empty.scale = (scale, scale, scale)
        for key, value in properties.items():
            empty[key] = value
        bpy.context.scene.collection.objects.link(empty)
    total = 0
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH":
            whole = bmesh.new()
            whole.from_object(thing, graph)
            whole.transform(thing.matrix_world)
            total += sum(face.calc_area() for face in whole.faces)
            whole.free()
    print("area: %.4f" % total)
    bpy.ops.export_scene.gltf(filepath=output, export_format="GLB", export_extras=True, export_lights=True, export_apply=True)


main()
