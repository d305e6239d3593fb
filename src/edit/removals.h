/* SPDX-License-Identifier: MIT */
/* Removals that wait, so that one walk over the document follows all of them. */
#ifndef MST_EDIT_REMOVALS_H
#define MST_EDIT_REMOVALS_H

#include "../core/map.h"
#include "waiting_sets.h"

/* An element that is to go. */
typedef struct mst_removal {
    uint64_t index, now; /* before all that wait; after those before it */
    uint64_t order;
} mst_removal;

typedef struct mst_removals_list {
    const char *path;
    uint64_t count;  /* of its elements */
    bool last_alone; /* the last of them cannot wait */
    mst_array items; /* mst_removal, by index; if `chosen`, in the opposite order until they settle */
} mst_removals_list;

typedef struct mst_removals {
    mst_document *document;
    mst_batch *batch; /* which must have nothing that waits */
    const mst_edit_options *options;
    mst_arena arena;
    mst_array lists;      /* mst_removals_list */
    mst_hash_map by_path; /* indices of lists */
    uint64_t count;
    const void *known;     /* the field of the last list ... */
    bool known_followed;   /* ... and whether it is followed */
    bool chosen, followed; /* by one selector: all paths are those of before; the one list is followed */
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
