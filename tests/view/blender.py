# SPDX-License-Identifier: MIT
# Draws a .glb file with Blender, from its overview camera, textured:
#   blender --background --factory-startup --python-exit-code 1 --python blender.py -- FILE.glb FILE.png TEXTURES
# Fails if fewer than TEXTURES textures have pixels, or if an object has no valid position or size.
import math
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that newer versions of numpy lack

import bpy

model, picture, textures = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=model)

with_pixels = [image for image in bpy.data.images if image.size[0] and len(image.pixels)]
shown = {node.image for material in bpy.data.materials if material.use_nodes
         for node in material.node_tree.nodes if node.type == "TEX_IMAGE"}
print(f"{model}: {len(bpy.data.objects)} objects, {len(bpy.data.meshes)} meshes, "
      f"{len(with_pixels)} of {len(bpy.data.images)} textures with pixels, {len(shown)} used")
assert len(with_pixels) == len(bpy.data.images) >= int(textures), "textures are missing"
assert len(shown) >= int(textures), "textures are not used"
for one in bpy.data.objects:
    assert all(math.isfinite(value) for row in one.matrix_world for value in row), one.name

scene = bpy.context.scene
scene.camera = next(one for one in bpy.data.objects if one.type == "CAMERA" and one.name == "overview")
# Without a graphics card Eevee does not finish a picture of a level within a minute; Cycles does, but lit by
# its lights alone.
scene.render.engine = "BLENDER_WORKBENCH"
scene.display.shading.color_type = "TEXTURE"
scene.display.shading.show_backface_culling = True
scene.render.resolution_x, scene.render.resolution_y = 640, 480
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
