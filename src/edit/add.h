/* SPDX-License-Identifier: MIT */
/* Adding an element by its kind: to which list, and with which values. */
#ifndef MST_EDIT_ADD_H
#define MST_EDIT_ADD_H

#include "../read/engine.h"
#include <mapstone/edit.h>

typedef struct mst_added {
    const char *list;   /* its path */
    const char *json;   /* of the element */
    mst_value elements; /* of the list, to whose end it is added; void: there is none yet */
    bool slot;          /* instead it takes an unused element of an array of the game: */
    uint64_t slot_index;
    bool placed; /* by the format (adding.place): it is inserted before the element at `index`, and ... */
    uint64_t index;
    mst_operation then[3]; /* ... these follow */
    size_t then_count;
} mst_added;

/* Resolves an operation ADD, in the arena. The options (may be NULL) have the schema. MST_NO_PATH: there is
 * no such list, and the kind is unknown; MST_REFUSED: all elements of the array are used. */
mst_status mst_add_resolve(const mst_document *document, const mst_operation *operation,
                           const mst_edit_options *options, mst_arena *arena, mst_added *added,
                           mst_diagnostic *diagnostic);

#endif
