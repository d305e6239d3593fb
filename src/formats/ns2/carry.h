/* SPDX-License-Identifier: MIT */
/* The mesh of a level by places: which vertices, edges and faces are where, and those that come. */
#ifndef MST_FORMATS_NS2_CARRY_H
#define MST_FORMATS_NS2_CARRY_H

#include "../../core/json.h"
#include "../../core/map.h"
#include "../../patch/patch_step.h"
#include "../present.h"
#include "ns2.h"

#define MST_NS2_NOWHERE UINT32_MAX

/* The border of a face and its holes: vertices, the first of all at their places. */
typedef struct mst_ns2_shape {
    uint32_t *corners, *counts; /* counts: by loop */
    uint32_t corner_count, loop_count;
    mst_json_node material; /* its name */
} mst_ns2_shape;

typedef struct mst_ns2_edge_there {
    uint32_t ends[2];
    const char *smooth; /* JSON of an edge that comes; NULL: "0" */
} mst_ns2_edge_there;

typedef struct mst_ns2_face_there {
    mst_ns2_shape shape;
    uint32_t *edges; /* by corner */
    uint32_t material;
    uint32_t next;  /* + 1 of those with the same hash */
    uint32_t owner; /* the step's element + 1 that it was taken for; 0: of none */
} mst_ns2_face_there;

/* Numbers up to those of the document are its own, larger ones come. Vertices of which others are at the same
 * place stand for these. */
typedef struct mst_ns2_places {
    const mst_document *document;
    mst_arena *arena;
    size_t room; /* the most vertices, and edges, that come */
    uint32_t vertex_count, edge_count, face_count, material_count; /* of the document */
    uint32_t vertices, edges, materials;                           /* with those that come */
    float *points;
    const char **point_json; /* of vertices that come; NULL: from their positions */
    uint32_t *first;         /* by vertex of the document: the first one there */
    mst_ns2_edge_there *edge;
    mst_json_node *names; /* of materials */
    mst_ns2_face_there *face;
    uint32_t *point_keys; /* three of each vertex */
    mst_hash_map by_point, by_ends, by_shape;
} mst_ns2_places;

/* `there` false: the level has no mesh, or one of which numbers name nothing. MST_NO_MEMORY. */
mst_status mst_ns2_places_read(mst_ns2_places *places, const mst_document *document, size_t room,
                               size_t names, mst_arena *arena, bool *there);
/* The vertex at a point, the edge between two, the material; with `add` it comes where there is none. */
uint32_t mst_ns2_vertex_at(mst_ns2_places *places, const float point[3], bool add);
uint32_t mst_ns2_edge_between(mst_ns2_places *places, uint32_t from, uint32_t to, bool add);
uint32_t mst_ns2_material_called(mst_ns2_places *places, const mst_json_node *name, bool add);
/* The face with these corners that is taken for nobody else, rather one with that material. */
uint32_t mst_ns2_face_at(const mst_ns2_places *places, const mst_ns2_shape *shape, uint32_t material,
                         uint32_t owner);

#endif
