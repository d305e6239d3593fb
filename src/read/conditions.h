/* SPDX-License-Identifier: MIT */
/* Conditions on an element, as in the brackets of selectors. */
#ifndef MST_READ_CONDITIONS_H
#define MST_READ_CONDITIONS_H

#include "../core/name.h"
#include "engine.h"
#include "excerpt.h"
#include "labels.h"

#define MST_LABELLED 6 /* conditions about labels in one bracket */

/* What conditions on the elements of a list are about beyond the elements: prepared once, for all of them. */
typedef struct mst_condition_scope {
    struct {
        const char *at; /* the condition */
        struct mst_labels *labels;
    } items[MST_LABELLED];
    size_t count;
    uint64_t index; /* of the element that is asked about */
} mst_condition_scope;
/* Looks up the labels that conditions on elements of the list at a path need; the conditions have been
 * checked, and must live as long. MST_NO_PATH: a name that they have does not exist. Release the scope in any
 * case. */
mst_status mst_condition_scope_of(const mst_document *document, const char *list_path, mst_excerpt conditions,
                                  mst_condition_scope *scope, mst_diagnostic *diagnostic);
void mst_condition_scope_release(mst_condition_scope *scope);

/* MST_ARGUMENT: elements of that record can never meet them (NULL: numbers), for a reason worth saying.
 * MST_NO_PATH: they are about a layer, group or the like that the document does not have. */
mst_status mst_conditions_check(const mst_document *document, const mst_record *record,
                                mst_excerpt conditions, mst_diagnostic *diagnostic);
/* Whether some are about more than fields: `within`, and names of what numbers refer to. */
bool mst_conditions_are_special(const mst_record *record, mst_excerpt conditions);
/* Whether the element meets the conditions, as they are joined (joined.h). `scope` NULL: what is looked up
 * there counts as lacking. */
bool mst_conditions_hold(const mst_value *element, const mst_condition_scope *scope, mst_excerpt conditions);

/* Fails with MST_NO_PATH: `what`, with the names that elements of the list have (NULL: there is none), the
 * most similar one first (unnamed.c). */
void mst_fail_unnamed(const char *what, const mst_value *list, const char *name, mst_diagnostic *diagnostic);

/* The same of a name that no label is called by. */
void mst_fail_unlabelled(const char *what, const struct mst_labels *labels, const char *name,
                         mst_diagnostic *diagnostic);

/* The id of an element of a list; false if it has none in this version. */
bool mst_refers_id_of(const mst_value *element, const char *key, uint64_t *id);
/* The same of the value that is the key. */
bool mst_refers_number_of(const mst_value *value, uint64_t *id);

#endif
