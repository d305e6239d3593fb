/* SPDX-License-Identifier: MIT */
/* Geometry in world coordinates, for files that have no nodes. */
#ifndef MST_EXPORT_PLACED_H
#define MST_EXPORT_PLACED_H

#include "../core/map.h"
#include "gltf_plan.h"

/* The vertices of a primitive; non-finite numbers become 0. */
typedef struct mst_placed {
    float *positions; /* 3 each */
    float *normals;   /* 3 each, length 1; NULL: none */
    float *texcoords; /* 2 each, v pointing up; NULL: none */
    bool mirrored;    /* the visible side is the one from which triangles are clockwise */
} mst_placed;

/* `worlds`: the matrices of all nodes (mst_scene_world_matrices). A skin's joints move the vertices. False:
 * no memory. */
bool mst_place_primitive(const mst_gltf_plan *p, const float *worlds, size_t node,
                         const mst_gltf_primitive *primitive, mst_arena *arena, mst_placed *placed);

/* Gives values in one place the same number, in order of first use. They must last as long as the map. False:
 * no memory. */
bool mst_place_number(mst_hash_map *map, const float *values, size_t width, uint32_t *number);

/* The primitives of a node's mesh: from *first to the returned end. */
size_t mst_placed_primitives(const mst_gltf_plan *p, size_t node, size_t *first);

#endif
