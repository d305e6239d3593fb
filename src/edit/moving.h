/* SPDX-License-Identifier: MIT */
/* Operations that move, turn and scale elements. */
#ifndef MST_EDIT_MOVING_H
#define MST_EDIT_MOVING_H

#include "waiting_sets.h"

static inline bool mst_operation_moves(mst_operation_kind kind) {
    return kind == MST_OPERATION_MOVE_BY || kind == MST_OPERATION_ROTATE || kind == MST_OPERATION_SCALE;
}

/* A value of the element that changes. */
typedef struct mst_moved {
    const char *path, *json;
} mst_moved;
#define MST_MOVED_VALUES 8 /* at most */

/* The new values that MOVE_BY, ROTATE and SCALE give the element at a path. MST_NO_PATH: it has no values
 * that they could change. */
mst_status mst_moved_values(mst_batch *batch, const char *path, const mst_operation *operation,
                            mst_arena *arena, mst_moved moved[MST_MOVED_VALUES], size_t *count,
                            mst_diagnostic *diagnostic);

/* The effect of such an operation on points: `linear` times the point, plus `shift`. */
typedef struct mst_motion {
    double linear[3][3], shift[3];
} mst_motion;
/* With the coordinates of `placement`; about `middle`, if the operation states no point. */
mst_status mst_motion_of(const mst_document *document, const mst_operation *operation,
                         const mst_placement_fields *placement, const double middle[3], mst_arena *arena,
                         mst_motion *motion, mst_diagnostic *diagnostic);

/* Elements of one list that are moved as one object (mesh.move_together). */
typedef struct mst_together {
    const mst_document *document;
    const char *const *paths;
    size_t count;
    const mst_operation *operation;
    const mst_edit_options *options;
    mst_arena *arena;
    mst_array *moved; /* mst_moved: the new values, in the arena */
} mst_together;

#endif
