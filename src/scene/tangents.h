/* SPDX-License-Identifier: MIT */
/* Tangents, as needed by normal maps. */
#ifndef MST_SCENE_TANGENTS_H
#define MST_SCENE_TANGENTS_H

#include <mapstone/scene.h>

/*
 * Fills in four numbers for each vertex of a primitive with normals and texture coordinates: the direction in
 * which u rises, at right angles to the normal and of length 1, and 1, or -1 where the texture is mirrored:
 * the cross product of normal and tangent times that points up the texture.
 */
void mst_primitive_tangents(const mst_primitive *primitive, float *tangents);

#endif
