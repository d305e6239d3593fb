/* SPDX-License-Identifier: MIT */
/* What the command's lines of JSON need to know of elements. */
#ifndef MST_ROWS_LINE_H
#define MST_ROWS_LINE_H

#include <mapstone/document.h>
#include <stdbool.h>

/* Whether a member of an element is a record that differs from class to class, so that a name in it means one
 * thing here and another there. */
bool mst_row_differs_by_class(const mst_value *element, const mst_value *member);

#endif
