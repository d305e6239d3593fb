/* SPDX-License-Identifier: MIT */
/* Locating the values that an operation is about. */
#ifndef MST_EDIT_LOCATED_H
#define MST_EDIT_LOCATED_H

#include "../read/engine.h"
#include <mapstone/edit.h>

typedef struct mst_located {
    const char *const *paths; /* without conditions, if the operation's path is a selector */
    size_t count;
} mst_located;

/* All values that the operation's path selects, below the element that it is `at`: at least one. A failure to
 * find any is reported as usual. */
mst_status mst_locate(const mst_document *document, const mst_operation *operation,
                      const mst_edit_options *options, mst_arena *arena, mst_located *all,
                      mst_diagnostic *diagnostic);

#endif
