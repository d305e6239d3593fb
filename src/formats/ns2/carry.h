/* SPDX-License-Identifier: MIT */
/* The mesh of a level by position: its vertices, edges and faces, and those that are added. */
#ifndef MST_FORMATS_NS2_CARRY_H
#define MST_FORMATS_NS2_CARRY_H

#include "../../core/json.h"
#include "../../core/map.h"
#include "../../patch/patch_step.h"
#include "../present.h"
#include "ns2.h"

#define MST_NS2_NOWHERE UINT32_MAX

/* The border of a face and its holes: each corner is the first vertex at its position. */
typedef struct mst_ns2_shape {
    uint32_t *corners, *counts; /* counts: by loop */
    uint32_t corner_count, loop_count;
    mst_json_node material; /* its name */
} mst_ns2_shape;

typedef struct mst_ns2_edge_there {
    uint32_t ends[2];
    const char *smooth; /* JSON of an added edge; NULL: "0" */
} mst_ns2_edge_there;

typedef struct mst_ns2_face_there {
    mst_ns2_shape shape;
    uint32_t *edges; /* by corner */
    uint32_t material;
    uint32_t next;  /* + 1: next face with the same hash */
    uint32_t owner; /* element + 1 of the step that claimed it; 0: none */
} mst_ns2_face_there;

/* Numbers below the document's counts are its own elements, larger ones are added. Of several vertices at one
 * position, the first represents them all. */
typedef struct mst_ns2_places {
    const mst_document *document;
    mst_arena *arena;
    size_t room; /* maximum number of added vertices, and of edges */
    uint32_t vertex_count, edge_count, face_count, material_count; /* of the document */
    uint32_t vertices, edges, materials;                           /* with the added ones */
    float *points;
    const char **point_json; /* of added vertices; NULL: from their positions */
    uint32_t *first;         /* by vertex of the document: the first one at its position */
    mst_ns2_edge_there *edge;
    mst_json_node *names; /* of materials */
    mst_ns2_face_there *face;
    uint32_t *point_keys; /* three for each vertex */
    mst_hash_map by_point, by_ends, by_shape;
} mst_ns2_places;

/* `there` false: the level has no mesh, or a number in it refers to nothing. Fails only with
 * MST_NO_MEMORY. */
mst_status mst_ns2_places_read(mst_ns2_places *places, const mst_document *document, size_t room,
                               size_t names, mst_arena *arena, bool *there);
/* The vertex at a point, the edge between two, the material; with `add`, a missing one is added. */
uint32_t mst_ns2_vertex_at(mst_ns2_places *places, const float point[3], bool add);
uint32_t mst_ns2_edge_between(mst_ns2_places *places, uint32_t from, uint32_t to, bool add);
uint32_t mst_ns2_material_called(mst_ns2_places *places, const mst_json_node *name, bool add);
/* A face with these corners that no other step has claimed, preferably one with that material. */
uint32_t mst_ns2_face_at(const mst_ns2_places *places, const mst_ns2_shape *shape, uint32_t material,
                         uint32_t owner);

#endif
