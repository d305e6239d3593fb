/* SPDX-License-Identifier: MIT */
/* The last names of paths, and which of them are words for labels. */
#ifndef MST_EDIT_LAST_NAMES_H
#define MST_EDIT_LAST_NAMES_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* The path without its last step, which must be a name: "objects[3].properties" and "angle". NULL: there is
 * no such step. */
const char *mst_path_before(const char *path, mst_arena *arena, const char **name);

/* Whether this is a name of values that may be given by names of elements (labels.h). */
bool mst_is_label_word(const mst_document *document, const char *name);
/* The last name of the path of a SET that may be given a name; NULL: it may not. */
const char *mst_label_word_of(const mst_document *document, const mst_operation *operation, mst_arena *arena);

#endif
