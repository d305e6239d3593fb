/* SPDX-License-Identifier: MIT */
/* The result of a patch for a level's mesh, before it is written as steps. */
#ifndef MST_FORMATS_NS2_CARRY_MESH_H
#define MST_FORMATS_NS2_CARRY_MESH_H

#include "../../core/json.h"
#include "carry.h"
#include <mapstone/diff.h>

/* A face that is added, or gets other loops. */
typedef struct mst_ns2_face_made {
    const mst_patch_step *step;
    uint32_t face; /* of the document; MST_NS2_NOWHERE: it is added */
    uint32_t material;
    mst_ns2_shape shape;
    uint32_t *edges;
} mst_ns2_face_made;

typedef struct mst_ns2_carry_state {
    mst_carried_steps *what;
    mst_ns2_places places;
    mst_array made; /* mst_ns2_face_made */
    /* By inserting step: the vertex or edge, or the face's index in `made` */
    uint32_t *results;
    /* By element of the document: it is removed, or may be removed once nothing uses it */
    uint8_t *face_goes, *edge_goes, *vertex_goes, *material_goes;
    uint8_t *reshaped;
    uint32_t *new_material; /* by face, + 1; 0: it keeps its own */
} mst_ns2_carry_state;

/* Writes the result as steps. Fails only with MST_NO_MEMORY. */
mst_status mst_ns2_carry_write(mst_ns2_carry_state *c);

#endif
