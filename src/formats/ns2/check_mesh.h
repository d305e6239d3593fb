/* SPDX-License-Identifier: MIT */
/* What the two halves of a mesh's checks share: what the walk meets, and what the faces are like as a whole.
 */
#ifndef MST_FORMATS_NS2_CHECK_MESH_H
#define MST_FORMATS_NS2_CHECK_MESH_H

#include "check.h"

/* How often edges and vertices are used, in two bits: 0, 1, 2, more. */
typedef struct mst_ns2_uses {
    uint8_t *bits;
    uint64_t count;
} mst_ns2_uses;

/* Where faces, or their triangles, stand: offsets from that of the mesh, whose chunk has a u32 size. */
typedef struct mst_ns2_places {
    uint32_t *offsets;
    uint64_t count, capacity;
} mst_ns2_places;

typedef enum mst_ns2_part { ELSEWHERE, IN_FACES, IN_FACE_LAYERS, IN_GROUPS, IN_TRIANGLES } mst_ns2_part;

struct mst_ns2_mesh_check {
    mst_ns2_level *level;
    const mst_document *document;
    char path[64]; /* of the mesh */
    mst_value mesh;
    mst_column vertices, edges, ghosts;
    uint64_t material_count, face_count, normals;
    bool has_faces, has_triangles, has_normals;
    mst_ns2_ids mapping_groups;
    mst_ns2_places faces, triangles;
    uint32_t scale_offset, mapping_offset, material_offset, holes_offset, loops_offset; /* in a face */
    bool informs; /* information is wanted; else there is none of what follows */
    mst_ns2_uses edge_uses, vertex_uses;
    uint32_t *last_face; /* of each edge: the one that used it last, plus one */
    /* the last group that each vertex, edge or face was seen in, plus one */
    uint32_t *in_group;
    uint64_t in_group_count;
    uint32_t groups_met;
    /* where the walk is */
    mst_ns2_part part;
    uint32_t part_depth;
    uint64_t face, loop, group;
    const char *groups;
    uint64_t next_material, triangle_sum;
    bool materials_ordered;
};

static inline mst_diagnostic mst_ns2_mesh_finding(uint64_t offset, uint64_t length, const char *path) {
    mst_diagnostic finding = mst_ns2_finding(NULL, path);
    finding.offset = offset;
    finding.length = length;
    return finding;
}

/* Faces with their loops and triangles, once all of the mesh has been met. */
mst_status mst_ns2_check_faces(mst_ns2_mesh_check *m);
/* Edges that are there twice. */
mst_status mst_ns2_check_same_edges(mst_ns2_mesh_check *m);
/* Materials that are there twice. */
mst_status mst_ns2_check_same_materials(mst_ns2_mesh_check *m);

#endif
