/* SPDX-License-Identifier: MIT */
/* Operations on where things stand: what they move, turn and scale. */
#ifndef MST_SCHEMA_MOVING_H
#define MST_SCHEMA_MOVING_H

#include "batch.h"

/* A value of the element that becomes another one. */
typedef struct mst_moved {
    const char *path, *json;
} mst_moved;
#define MST_MOVED_VALUES 8 /* at most */

/* What MOVE_BY, ROTATE and SCALE make of the element at a path. MST_NO_PATH: it has nothing that they could
 * change. */
mst_status mst_moved_values(mst_batch *batch, const char *path, const mst_operation *operation,
                            mst_arena *arena, mst_moved moved[MST_MOVED_VALUES], size_t *count,
                            mst_diagnostic *diagnostic);

#endif
