# SPDX-License-Identifier: MIT
"""Edits a model in Blender as a person would, and exports it again:

    blender -b --python tests/blender/edits.py -- IN.glb OUT.glb EDIT[,EDIT...]

Things are chosen by their class and properties, never by number, so that the same edits can be applied to
any level. The edits are printed, a line for each: "did: move objects[3]"."""
import math
import sys

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector

if not hasattr(np, "bool"):
    np.bool = bool  # the add-on for glTF of Blender 3.4 uses a name that numpy has removed


def did(*words):
    print("did:", *words)


def number_in(path):
    digits = "".join(c if c.isdigit() else " " for c in path).split()
    return [int(d) for d in digits]


def things(*classes):
    """Entities by their paths; of the first of these classes with at least two, else any."""
    all_things = [o for o in bpy.data.objects if o.get("path") and o.get("class") and o.get("role") in ("entity", "geometry", "light")]
    all_things.sort(key=lambda o: number_in(o["path"]))
    for name in classes:
        of_class = [o for o in all_things if o["class"] == name]
        if len(of_class) > 1:
            return of_class
    return all_things


def geometry():
    """Meshes of the level's own faces, the one with the largest face first."""
    found = [o for o in bpy.data.objects if o.type == "MESH" and o.get("role") == "geometry" and o.get("part_of")]
    return sorted(found, key=lambda o: -max(areas(o).values()))


def numbers(edited):
    """The layer with the numbers of faces: an attribute of the add-on, or texture coordinates."""
    own = edited.faces.layers.int.get("ns2_face")
    if own:
        return lambda face: face[own]
    layer = edited.loops.layers.uv[1]
    return lambda face: round(face.loops[0][layer].uv[0])


def face_of(face, layer):
    return layer(face)


def areas(o):
    """The area of each of the level's faces in a mesh."""
    edited = bmesh.new()
    edited.from_mesh(o.data)
    layer, of = numbers(edited), {}
    for f in edited.faces:
        of[face_of(f, layer)] = of.get(face_of(f, layer), 0) + f.calc_area()
    edited.free()
    return of


def largest(o):
    """Its largest face; of several the first, regardless of its triangulation."""
    of = areas(o)
    return max(sorted(of), key=lambda face: round(of[face], 2))


def materials():
    """The level's materials, by their paths."""
    return sorted((m for m in bpy.data.materials if m.get("path")), key=lambda m: m["path"])


def link(name, data=None):
    o = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(o)
    return o


# ---- entities ----
def move():
    o = things()[0]
    world = o.matrix_world.copy()
    world.translation.z += 1  # Blender's Z is the level's Y
    o.matrix_world = world
    did("move", o["path"], "by 0,1,0")


def delete():
    o = things("prop_static", "spawn", "location")[1]
    did("delete", o["path"])
    bpy.data.objects.remove(o)


def duplicate():
    o = things("prop_static", "light_point")[-1]
    copy = o.copy()
    bpy.context.collection.objects.link(copy)
    copy.location.x += 2
    did("copy", o["path"])


def turn():
    o = things("ready_room_spawn", "prop_static")[-2]
    o.rotation_mode = "QUATERNION"
    o.rotation_quaternion = Matrix.Rotation(math.radians(30), 4, "Z").to_quaternion() @ o.rotation_quaternion
    did("turn", o["path"], "by 30 degrees")


def scale():
    o = things("prop_static")[0]
    o.scale = o.scale * 2
    did("scale", o["path"], "by 2")


def prop():
    """A light's strength; without lights another number."""
    place = ("origin", "angles", "scale", "layer", "group")
    for o in [o for o in things() if "intensity" in o] + things():
        for name in ["intensity"] + sorted(o.keys()):
            if isinstance(o.get(name), (int, float)) and not name.startswith(place):
                o[name] = type(o[name])(o[name] + 2)
                did("set", o["path"] + ".properties." + name)
                return


def light():
    lamp = bpy.data.lights.new("lamp", "POINT")
    lamp.energy = 100
    lamp.color = (1, 0.5, 0.25)
    link("lamp", lamp).location = (5, 20, 2)
    did("add light_point")


def empty():
    o = link("resource_point")
    o["class"] = "resource_point"
    o.location = (6, 20, 0)
    did("add resource_point")


def parented():
    """Below a new empty that is moved, rotated and scaled, as after Ctrl+P."""
    o = things("prop_static", "light_point")[0]
    above = link("holder")
    above.location = (1, 0, 0)
    above.rotation_euler = (0, 0, math.radians(90))
    bpy.context.view_layer.update()
    world = o.matrix_world.copy()
    o.parent = above
    o.matrix_parent_inverse = Matrix.Identity(4)
    o.matrix_world = world
    bpy.context.view_layer.update()
    above.location = (1, 3, 0)
    did("move", o["path"], "by 0,0,-3")


# ---- faces ----
def vert():
    """A corner of the largest face is dragged: all of Blender's vertices at its place."""
    o = geometry()[0]
    edited = bmesh.new()
    edited.from_mesh(o.data)
    layer, face = numbers(edited), largest(o)
    corners = {tuple(v.co) for f in edited.faces if face_of(f, layer) == face for v in f.verts}
    edited.free()
    where, found = o.matrix_world @ Vector(min(corners, key=lambda at: ([round(x, 3) for x in at], at))), 0
    for o in geometry():
        for v in o.data.vertices:
            if (o.matrix_world @ v.co - where).length < 2e-4:  # not the next corner, which may be a millimetre away
                v.co = v.co + o.matrix_world.inverted().to_3x3() @ Vector((0, 0, 0.5))
                found += 1
    did("drag", found, "vertices")


def material():
    o = geometry()[0]
    edited = bmesh.new()
    edited.from_mesh(o.data)
    layer, face = numbers(edited), largest(o)
    own = next(o.data.materials[f.material_index] for f in edited.faces if face_of(f, layer) == face)
    other = [m for m in materials() if m["path"] != own["path"]][0]
    o.data.materials.append(other)
    for f in edited.faces:
        if face_of(f, layer) == face:
            f.material_index = len(o.data.materials) - 1
    edited.to_mesh(o.data)
    did("material", "mesh.faces[%d]" % (face - 1), other["path"])


def remove():
    o = geometry()[0]
    edited = bmesh.new()
    edited.from_mesh(o.data)
    layer, face = numbers(edited), largest(o)
    bmesh.ops.delete(edited, geom=[f for f in edited.faces if face_of(f, layer) == face], context="FACES")
    edited.to_mesh(o.data)
    did("remove", "mesh.faces[%d]" % (face - 1))


def dissolve():
    for o in geometry():
        edited = bmesh.new()
        edited.from_mesh(o.data)
        bmesh.ops.dissolve_limit(
            edited, angle_limit=0.001, verts=edited.verts, edges=edited.edges, delimit={"MATERIAL", "UV"}
        )
        edited.to_mesh(o.data)
    did("dissolve everything")


def join():
    every = geometry()
    for o in bpy.context.view_layer.objects:
        o.select_set(o in every)
    bpy.context.view_layer.objects.active = every[0]
    bpy.ops.object.join()
    did("join", len(every), "meshes")


def cut():
    o = geometry()[0]
    edited = bmesh.new()
    edited.from_mesh(o.data)
    bmesh.ops.subdivide_edges(edited, edges=edited.edges[:6], cuts=1, use_grid_fill=True)
    edited.to_mesh(o.data)
    did("cut 6 edges in", o.name)


def room():
    """A box whose inner side is visible, with texture coordinates."""
    edited = bmesh.new()
    bmesh.ops.create_cube(edited, size=4)
    bmesh.ops.reverse_faces(edited, faces=edited.faces)
    uv = edited.loops.layers.uv.new("UVMap")
    for f in edited.faces:
        axis = max(range(3), key=lambda i: abs(f.normal[i]))
        i, j = [k for k in range(3) if k != axis]
        for loop in f.loops:
            loop[uv].uv = (loop.vert.co[i] * 0.5, loop.vert.co[j] * 0.25)
    mesh = bpy.data.meshes.new("room")
    edited.to_mesh(mesh)
    link("room", mesh).location = (30, 30, 2)
    mesh.materials.append(materials()[0])
    did("add 6 faces")


def extrude():
    o = geometry()[0]
    edited = bmesh.new()
    edited.from_mesh(o.data)
    layer, face = numbers(edited), largest(o)
    faces = [f for f in edited.faces if face_of(f, layer) == face]
    normal = faces[0].normal.copy()
    made = bmesh.ops.extrude_face_region(edited, geom=faces)
    bmesh.ops.translate(edited, vec=normal, verts=[v for v in made["geom"] if isinstance(v, bmesh.types.BMVert)])
    bmesh.ops.delete(edited, geom=faces, context="FACES")
    edited.to_mesh(o.data)
    did("extrude", "mesh.faces[%d]" % (face - 1))


def niche():
    """A hole is cut into the largest face with a boolean modifier."""
    o = geometry()[0]
    polygon = max(o.data.polygons, key=lambda p: p.area)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=o.matrix_world @ polygon.center)
    cube = bpy.context.object
    cutting = o.modifiers.new("niche", "BOOLEAN")
    cutting.object, cutting.operation, cutting.solver = cube, "DIFFERENCE", "EXACT"
    mesh = bpy.data.meshes.new_from_object(o.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    o.modifiers.clear()
    o.data = mesh
    bpy.data.objects.remove(cube)
    did("niche in", o.name)


EDITS = {
    "move": move, "delete": delete, "duplicate": duplicate, "turn": turn, "scale": scale, "prop": prop, "light": light, "empty": empty,
    "parented": parented, "vert": vert, "material": material, "remove": remove, "dissolve": dissolve, "join": join, "cut": cut,
    "room": room, "extrude": extrude, "niche": niche, "none": lambda: None,
}  # fmt: skip


def main():
    source, target, edits = sys.argv[sys.argv.index("--") + 1 :]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    lamps = {"convert_lighting_mode": "COMPAT"}  # watts are watts
    bpy.ops.import_scene.gltf(filepath=source, merge_vertices=True, **lamps)
    for name in edits.split(","):
        EDITS[name]()
    bpy.ops.export_scene.gltf(filepath=target, export_extras=True, export_lights=True, export_cameras=True, **lamps)


main()
