/* SPDX-License-Identifier: MIT */
/* Copying and moving elements of lists. */
#ifndef MST_EDIT_ELEMENTS_H
#define MST_EDIT_ELEMENTS_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* Inserts a copy at `to` (NULL: after the element) with the rows about it in parallel lists. `made`: its
 * index. */
mst_status mst_element_duplicate(mst_document *document, const char *path, const char *to,
                                 const mst_edit_options *options, mst_arena *arena, uint64_t *made,
                                 mst_diagnostic *diagnostic);
/* Gives the element index `to`, and updates numbers that name elements of its list. */
mst_status mst_element_move(mst_document *document, const char *path, const char *to,
                            const mst_edit_options *options, mst_arena *arena, uint64_t *made,
                            mst_diagnostic *diagnostic);

/* Gives a new element an id of its own if others refer to the elements by id, and another element has the
 * same. */
mst_status mst_element_renew_id(mst_document *document, const char *list_path, uint64_t made,
                                mst_arena *arena, mst_diagnostic *diagnostic);
/* Whether others refer to the list's elements by an id that `json`, a new element, lacks. */
bool mst_element_lacks_id(const mst_value *list, const char *json, mst_arena *arena);

/* The index of the element that was inserted at `path`. */
uint64_t mst_element_inserted(const mst_document *document, const char *path);

/* Gives a field or property to an element that lacks it; a property takes the form that another element of
 * the list has. */
mst_status mst_pair_add(mst_document *document, const char *path, const char *value,
                        const mst_edit_options *options, mst_arena *arena, mst_diagnostic *diagnostic);

#endif
