/* SPDX-License-Identifier: MIT */
/* The new values of operations that are made from the old ones. */
#ifndef MST_EDIT_ASSIGN_H
#define MST_EDIT_ASSIGN_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* JSON for the new value of `value`: a sum, a product, a text after a substitution. MST_ARGUMENT,
 * MST_REFUSED, MST_NO_MEMORY. */
mst_status mst_assigned(const mst_value *value, mst_assignment how, const char *given, mst_arena *arena,
                        const char **json, mst_diagnostic *diagnostic);

/* JSON of a value on one line. MST_NO_MEMORY. */
mst_status mst_value_text(const mst_value *value, mst_arena *arena, const char **json,
                          mst_diagnostic *diagnostic);

#endif
