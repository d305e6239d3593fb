/* SPDX-License-Identifier: MIT */
/* Records of Natural Selection 2 levels as structs, for mst_read_structs. */
#ifndef MAPSTONE_NS2_H
#define MAPSTONE_NS2_H

#include "base.h"

/* mesh.vertices; metres, Y up, +Z forward, +X left */
typedef struct mst_ns2_vertex {
    float position[3];
    uint8_t smooth; /* from version 8 */
} mst_ns2_vertex;

/* mesh.edges */
typedef struct mst_ns2_edge {
    uint32_t vertices[2];
    uint8_t smooth; /* from version 8 */
} mst_ns2_edge;

/* mesh.faces[].loops[]: an edge and its direction; it starts at edge.vertices[flipped ? 1 : 0] */
typedef struct mst_ns2_loop_edge {
    uint32_t flipped;
    uint32_t edge;
} mst_ns2_loop_edge;

/* mesh.triangles.faces[]: an index past the last vertex is a ghost vertex */
typedef struct mst_ns2_triangle {
    uint32_t vertices[3];
    uint32_t normals[3]; /* from version 8; the number of normals means none */
} mst_ns2_triangle;

#endif
