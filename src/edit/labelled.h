/* SPDX-License-Identifier: MIT */
/*
 * Labels given with new elements: {"positions": ..., "layer": "Pathing", "groups": [3]}. They are in other
 * lists than the element, and are set after its insertion; for consecutive insertions, together.
 */
#ifndef MST_EDIT_LABELLED_H
#define MST_EDIT_LABELLED_H

#include "../read/engine.h"
#include <mapstone/edit.h>

typedef struct mst_labelled {
    mst_arena arena;
    mst_array sets;   /* mst_operation: sets of labels of elements */
    const char *list; /* the list of these elements; NULL: there are none */
    uint64_t next;    /* the index after the last of them */
} mst_labelled;

void mst_labelled_begin(mst_labelled *labelled, const mst_document *document);
void mst_labelled_end(mst_labelled *labelled);
/* Takes the labels out of the JSON of an insertion, which is unchanged if it has none. */
mst_status mst_labelled_take(mst_labelled *labelled, const mst_document *document,
                             const mst_operation *insertion, mst_arena *arena, const char **json,
                             mst_diagnostic *diagnostic);
/* Whether labels can wait while an operation is applied: it inserts the next element of their list. */
bool mst_labelled_wait(mst_labelled *labelled, const mst_operation *operation);

#endif
