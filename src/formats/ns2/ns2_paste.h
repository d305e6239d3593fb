/* SPDX-License-Identifier: MIT */
/* A clipboard on its way into a level: entities (ns2_paste.c) and geometry (paste_mesh.c). */
#ifndef MST_NS2_NS2_PASTE_H
#define MST_NS2_NS2_PASTE_H

#include "ids.h"
#include "writing.h"

typedef struct mst_ns2_known {
    mst_ns2_id *ids; /* ascending */
    size_t count;
} mst_ns2_known;

/* A mesh on the clipboard. */
typedef struct mst_ns2_pasted_mesh {
    mst_value mesh;
    char path[40];
    uint32_t *materials; /* their numbers in the level */
    uint32_t material_count;
    uint32_t vertices, edges, faces;               /* its counts */
    uint32_t first_vertex, first_edge, first_face; /* their numbers in the level */
    mst_ns2_known mapping_groups;                  /* `index` is the id in the level */
} mst_ns2_pasted_mesh;

typedef struct mst_ns2_paster {
    const mst_document *level, *clip; /* the level is of version 10 */
    mst_ns2_writer out;
    mst_arena arena;
    mst_ns2_known layers, groups; /* of the level */
    mst_value mesh;               /* of the level */
    mst_ns2_pasted_mesh *parts;
    size_t part_count;
    uint32_t vertices, edges, faces; /* of all of them */
    mst_value *materials;            /* materials that the level lacks, in their order */
    uint32_t material_count;
} mst_ns2_paster;

/* Finds the meshes on the clipboard, and numbers their elements. */
void mst_ns2_paste_begin(mst_ns2_paster *p);
/* Writes the content of the level's mesh with those meshes. */
void mst_ns2_paste_mesh(mst_ns2_paster *p);

/* Whether the level has a layer or group of this id. */
bool mst_ns2_is_known(const mst_ns2_known *known, uint64_t id);
/* Writes layers without those that the level lacks, which are reported: yes or no, the format if there is
 * one, the words. */
void mst_ns2_paste_layers(mst_ns2_paster *p, const mst_value *words, const mst_value *format,
                          const char *path);

#endif
