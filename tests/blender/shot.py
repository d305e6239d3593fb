# SPDX-License-Identifier: MIT
"""A picture of Blender's window with a level, for visual inspection:

    xvfb-run -a -s '-screen 0 1600x1000x24' blender --factory-startup --python tests/blender/shot.py -- LEVEL PICTURE.png [CLASS]

The add-on is this tree's; PYTHONPATH has the package, MAPSTONE_LIBRARY the library."""
import os
import pathlib
import sys

import bpy
from mathutils import Vector

LEVEL, PICTURE, *CLASS = sys.argv[sys.argv.index("--") + 1 :]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "blender"))


def view():
    window = bpy.context.window_manager.windows[0]
    area = next(one for one in window.screen.areas if one.type == "VIEW_3D")
    region = next(one for one in area.regions if one.type == "WINDOW")
    return {"window": window, "screen": window.screen, "area": area, "region": region}


def middle(one):
    return one.matrix_world @ (sum((Vector(corner) for corner in one.bound_box), Vector()) / 8)


def begin():
    import mapstone_levels
    from mapstone_levels import ui

    for name in ("level", "thing", "changes"):  # the tab that is open at the start
        getattr(ui, "MAPSTONE_PT_" + name).bl_category = "Item"
    mapstone_levels.register()
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    bpy.ops.import_scene.mapstone(filepath=LEVEL)
    here = view()
    space = here["area"].spaces.active
    space.show_region_ui, space.shading.color_type, space.clip_end = True, "TEXTURE", 10000
    space.shading.show_backface_culling = True  # rooms are seen from outside
    things = [one for one in bpy.data.objects if "path" in one and not one.hide_get()]
    chosen = next((one for one in things if one.get("class") in CLASS), things[0])
    reach = float(os.environ.get("REACH", "inf"))  # metres around it
    shown = [one for one in bpy.data.objects if one.type == "MESH" and not one.hide_get()] or things
    shown = [one for one in shown if (middle(one) - middle(chosen)).length < reach]
    with bpy.context.temp_override(**here):
        for one in shown:
            one.hide_select = False
            one.select_set(True)
        bpy.ops.view3d.view_selected()
        for one in shown:
            one.select_set(False)
        bpy.context.view_layer.objects.active = chosen
        chosen.select_set(True)
        chosen.location.z += 1
        bpy.ops.mapstone.preview()
    bpy.app.timers.register(shoot, first_interval=3)


def shoot():
    with bpy.context.temp_override(**view()):
        bpy.ops.screen.screenshot(filepath=PICTURE)
    bpy.ops.wm.quit_blender()


bpy.context.preferences.view.show_splash = False
bpy.app.timers.register(begin, first_interval=1)
