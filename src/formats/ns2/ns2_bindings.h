/* SPDX-License-Identifier: MIT */
/* Records of levels as structs, and their bindings. */
#ifndef MST_NS2_NS2_BINDINGS_H
#define MST_NS2_NS2_BINDINGS_H

#include "../../read/binding.h"

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

typedef struct mst_ns2_bound_face {
    float angle, offset[2], scale[2];
    uint32_t mapping_group, material;
    mst_value loops;
} mst_ns2_bound_face;

typedef struct mst_ns2_bound_mapping {
    uint32_t id;
    float angle, scale[2], offset[2], normal[3];
} mst_ns2_bound_mapping;

typedef struct mst_ns2_bound_face_group {
    uint32_t id;
    mst_value indices;
} mst_ns2_bound_face_group;

typedef struct mst_ns2_bound_face_layer {
    mst_value layer_masks; /* only if the face has layers */
} mst_ns2_bound_face_layer;

/* The layers of a mesh's faces. */
typedef struct mst_ns2_bound_face_layers {
    uint32_t format; /* from version 5 */
} mst_ns2_bound_face_layers;

/* A layer or a group. */
typedef struct mst_ns2_bound_layer {
    mst_value name;
    uint32_t id; /* from version 5 */
} mst_ns2_bound_layer;

typedef struct mst_ns2_bound_object {
    mst_value layer_masks; /* from version 5 */
    mst_value class_name, properties;
    mst_value extras;    /* from version 10 */
    uint64_t layer_mask; /* before version 5 */
    uint32_t group;      /* from version 5 */
} mst_ns2_bound_object;

typedef struct mst_ns2_bound_property {
    mst_value name, value; /* empty in properties that are kept as bytes */
    uint32_t type;
} mst_ns2_bound_property;

typedef struct mst_ns2_bound_extra {
    mst_value name, data;
} mst_ns2_bound_extra;

extern const mst_bindings mst_ns2_vertex_bindings, mst_ns2_edge_bindings, mst_ns2_loop_edge_bindings,
    mst_ns2_triangle_bindings, mst_ns2_face_bindings, mst_ns2_mapping_bindings, mst_ns2_face_group_bindings,
    mst_ns2_face_layer_bindings, mst_ns2_face_layers_bindings, mst_ns2_layer_bindings,
    mst_ns2_object_bindings, mst_ns2_clip_object_bindings, mst_ns2_property_bindings, mst_ns2_extra_bindings;

/* All bindings. */
#define MST_NS2_BINDINGS 14
extern const mst_bindings *const mst_ns2_bindings[MST_NS2_BINDINGS];

#endif
