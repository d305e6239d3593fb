/* SPDX-License-Identifier: MIT */
/* Shared by the checks of a mesh during the walk and after it. */
#ifndef MST_FORMATS_NS2_CHECK_MESH_H
#define MST_FORMATS_NS2_CHECK_MESH_H

#include "ns2_check.h"

/* How often edges or vertices are used, in two bits each: 0, 1, 2, more. */
typedef struct mst_ns2_uses {
    uint8_t *bits;
    uint64_t count;
} mst_ns2_uses;

/* The elements of a list; `offset` is relative to the mesh, whose chunk has a u32 size. */
typedef struct mst_ns2_run {
    uint32_t offset, count;
} mst_ns2_run;

typedef enum mst_ns2_part { ELSEWHERE, IN_FACES, IN_GROUPS, IN_TRIANGLES } mst_ns2_part;

struct mst_ns2_mesh_check {
    mst_ns2_level *level;
    const mst_document *document;
    char path[64]; /* of the mesh */
    mst_value mesh;
    mst_column vertices, edges, ghosts;
    uint64_t material_count, face_count, normals;
    bool has_faces, has_triangles, has_normals;
    mst_ns2_ids mapping_groups;
    mst_bound face, mapping_group, face_layers;
    mst_column turned, edge, corners; /* in edges of loops, in triangles */
    mst_ns2_list loops;               /* mst_ns2_run: the loops of all faces */
    uint32_t *first_loop;             /* per face: its first loop in `loops`; then the number of loops */
    uint64_t faces_met;
    mst_ns2_run *triangles; /* per face */
    uint64_t triangle_lists, triangle_lists_met;
    bool informs; /* information is requested; if not, edge_uses to last_face are not set */
    mst_ns2_uses edge_uses, vertex_uses;
    uint32_t *last_face; /* per edge: the last face that used it, plus one */
    /* per vertex, edge or face: the number of the last group that lists it, from 1 */
    uint32_t *in_group;
    uint64_t in_group_count;
    uint32_t groups_met;
    /* position of the walk */
    mst_ns2_part part;
    uint32_t part_depth;
    uint64_t face_index, loop, group;
    const char *groups;
    uint64_t next_material, triangle_sum;
    bool materials_ordered;
};

/* Checks faces with their loops and triangles, at the end of the mesh. */
mst_status mst_ns2_check_faces(mst_ns2_mesh_check *m);
/* Reports duplicate edges and edges from a vertex to itself. */
mst_status mst_ns2_check_same_edges(mst_ns2_mesh_check *m);
/* Reports duplicate materials. */
mst_status mst_ns2_check_same_materials(mst_ns2_mesh_check *m);

#endif
