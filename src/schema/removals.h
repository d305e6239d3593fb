/* SPDX-License-Identifier: MIT */
/* Removals that wait, so that one walk over the document follows all of them. */
#ifndef MST_SCHEMA_REMOVALS_H
#define MST_SCHEMA_REMOVALS_H

#include "batch.h"

/* An element that is to go. */
typedef struct mst_removal {
    const char *list;    /* path of the list */
    uint64_t index, now; /* before all that wait; after those before it */
} mst_removal;

typedef struct mst_removals {
    mst_document *document;
    mst_batch *batch; /* which must have nothing that waits */
    const mst_edit_options *options;
    mst_arena arena;
    mst_array items; /* mst_removal */
    size_t run;      /* the first of the same list as the last */
    bool chosen;     /* by one selector: no path follows from the removals before it */
} mst_removals;

void mst_removals_begin(mst_removals *removals, mst_document *document, mst_batch *batch,
                        const mst_edit_options *options);
void mst_removals_end(mst_removals *removals);

/* An element goes, if that can wait; else `done` is false, and nothing waits any more. `chosen`: the
 * operation's selector stands for it, and its path is that of before the operation. */
mst_status mst_removals_add(mst_removals *removals, const char *path, bool chosen, bool *done,
                            mst_diagnostic *diagnostic);
/* Carries out all that wait. On failure the document must be given up. */
mst_status mst_removals_settle(mst_removals *removals, mst_diagnostic *diagnostic);

#endif
