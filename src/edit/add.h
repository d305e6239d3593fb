/* SPDX-License-Identifier: MIT */
/* Adding an element by what it is: where it goes, and as what. */
#ifndef MST_EDIT_ADD_H
#define MST_EDIT_ADD_H

#include "../read/engine.h"
#include <mapstone/edit.h>

typedef struct mst_added {
    const char *list;   /* its path */
    const char *json;   /* of the element */
    mst_value elements; /* of the list, at whose end it goes; void: there is none yet */
    bool slot;          /* instead it becomes an unused element of an array of the game: */
    uint64_t slot_index;
    bool placed; /* by the format (adding.place): it goes before the element at `index`, and ... */
    uint64_t index;
    mst_operation then[3]; /* ... these follow */
    size_t then_count;
} mst_added;

/* What an operation ADD stands for, in the arena. The options (may be NULL) have the schema. MST_NO_PATH:
 * there is no such list, and nothing of that kind is known; MST_REFUSED: all elements of the array are used.
 */
mst_status mst_add_resolve(const mst_document *document, const mst_operation *operation,
                           const mst_edit_options *options, mst_arena *arena, mst_added *added,
                           mst_diagnostic *diagnostic);

#endif
