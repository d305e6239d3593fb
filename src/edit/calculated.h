/* SPDX-License-Identifier: MIT */
/* Assignments of expressions: PATH := EXPRESSION. */
#ifndef MST_EDIT_CALCULATED_H
#define MST_EDIT_CALCULATED_H

#include "located.h"

/* JSON of an expression's result for the value at each path, in the current document. Names are looked up
 * in the record that contains the value, then in the enclosing ones. MST_ARGUMENT, MST_NO_PATH,
 * MST_NO_MEMORY. */
mst_status mst_calculate(const mst_document *document, const char *expression, const mst_located *all,
                         mst_arena *arena, const char *const **values, mst_diagnostic *diagnostic);

#endif
