# SPDX-License-Identifier: MIT
"""Imports an OBJ file in Blender, and prints its contents: blender -b --python tests/blender/obj.py -- IN.obj"""
import sys

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.obj_import(filepath=sys.argv[sys.argv.index("--") + 1])
meshes = [thing for thing in bpy.context.scene.objects if thing.type == "MESH"]
print("polygons:", sum(len(thing.data.polygons) for thing in meshes))
print("materials:", len({slot.material.name for thing in meshes for slot in thing.material_slots if slot.material}))
print("area: %.4f" % sum(polygon.area for thing in meshes for polygon in thing.data.polygons))
