/* SPDX-License-Identifier: MIT */
/* Assignments of expressions: PATH := EXPRESSION. */
#ifndef MST_EDIT_CALCULATED_H
#define MST_EDIT_CALCULATED_H

#include "located.h"

/* JSON of what an expression gives for the value at each path, as the document is now. Names are looked up
 * in the record that the value is in, then in those around it. MST_ARGUMENT, MST_NO_PATH, MST_NO_MEMORY. */
mst_status mst_calculate(const mst_document *document, const char *expression, const mst_located *all,
                         mst_arena *arena, const char *const **values, mst_diagnostic *diagnostic);

#endif
