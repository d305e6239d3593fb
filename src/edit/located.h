/* SPDX-License-Identifier: MIT */
/* Which values an operation is about. */
#ifndef MST_EDIT_LOCATED_H
#define MST_EDIT_LOCATED_H

#include "../read/engine.h"
#include <mapstone/edit.h>

typedef struct mst_located {
    const char *const *paths; /* of indices only, if the operation's path is a selector */
    size_t count;
} mst_located;

/* All that the operation's path stands for, below the element that it is `at`: at least one. What it cannot
 * be found by is reported as usual. */
mst_status mst_locate(const mst_document *document, const mst_operation *operation,
                      const mst_edit_options *options, mst_arena *arena, mst_located *all,
                      mst_diagnostic *diagnostic);

#endif
