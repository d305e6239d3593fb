/* SPDX-License-Identifier: MIT */
/* Removals that wait, so that one walk over the document handles the consequences of all of them. */
#ifndef MST_EDIT_REMOVALS_H
#define MST_EDIT_REMOVALS_H

#include "../core/map.h"
#include "waiting_sets.h"

/* An element to remove. */
typedef struct mst_removal {
    uint64_t index, now; /* before all waiting removals; after earlier ones */
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
    mst_batch *batch; /* must not have waiting sets */
    const mst_edit_options *options;
    mst_arena arena;
    mst_array lists;      /* mst_removals_list */
    mst_hash_map by_path; /* indices of lists */
    uint64_t count;
    const void *known;     /* the field of the last list ... */
    bool known_followed;   /* ... and whether it is followed */
    bool chosen, followed; /* by one selector: paths are from before it; the one list is followed */
} mst_removals;

void mst_removals_begin(mst_removals *removals, mst_document *document, mst_batch *batch,
                        const mst_edit_options *options);
void mst_removals_end(mst_removals *removals);

/* Adds the removal of an element, if it can wait; else `done` is false, and nothing waits. `chosen`: the
 * operation's selector matched it, and its path is from before the operation. */
mst_status mst_removals_add(mst_removals *removals, const char *path, bool chosen, bool *done,
                            mst_diagnostic *diagnostic);
/* Applies all waiting removals. On failure the document must be discarded. */
mst_status mst_removals_settle(mst_removals *removals, mst_diagnostic *diagnostic);

#endif
