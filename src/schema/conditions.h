/* SPDX-License-Identifier: MIT */
/* Conditions on an element, as in the brackets of selectors. */
#ifndef MST_SCHEMA_CONDITIONS_H
#define MST_SCHEMA_CONDITIONS_H

#include "../core/name.h"
#include "engine.h"
#include "excerpt.h"

/* MST_ARGUMENT: elements of that record can never meet them (NULL: numbers), for a reason worth saying.
 * MST_NO_PATH: they are about a layer, group or the like that the document does not have. */
mst_status mst_conditions_check(const mst_document *document, const mst_record *record,
                                mst_excerpt conditions, mst_diagnostic *diagnostic);
/* Whether some are about more than fields: `within`, and names of what numbers refer to. */
bool mst_conditions_are_special(const mst_record *record, mst_excerpt conditions);
/* Whether the element meets all conditions that & joins. */
bool mst_conditions_hold(const mst_value *element, mst_excerpt conditions);

/* Adds the names of a list's elements, of which the texts are kept in `texts`. */
typedef struct mst_name_texts {
    char of[MST_NAMES][64];
} mst_name_texts;
void mst_add_named(mst_names *names, const mst_value *list, mst_name_texts *texts);

#endif
