/* SPDX-License-Identifier: MIT */
/* Conditions on an element, as in the brackets of selectors. */
#ifndef MST_SCHEMA_CONDITIONS_H
#define MST_SCHEMA_CONDITIONS_H

#include "engine.h"
#include "excerpt.h"

/* MST_ARGUMENT: elements of that record can never meet them (NULL: numbers), for a reason worth saying. */
mst_status mst_conditions_check(const mst_document *document, const mst_record *record,
                                mst_excerpt conditions, mst_diagnostic *diagnostic);
/* Whether some are about more than fields: `within`, and names of what numbers refer to. */
bool mst_conditions_are_special(const mst_record *record, mst_excerpt conditions);
/* Whether the element meets all conditions that & joins. */
bool mst_conditions_hold(const mst_value *element, mst_excerpt conditions);

#endif
