/* SPDX-License-Identifier: MIT */
/* Facts about elements for the command's lines of JSON. */
#ifndef MST_ROWS_LINE_H
#define MST_ROWS_LINE_H

#include <mapstone/document.h>
#include <stdbool.h>

/* Whether a member of an element is a record that differs between classes, so that a name in it has several
 * meanings. */
bool mst_row_differs_by_class(const mst_value *element, const mst_value *member);

#endif
