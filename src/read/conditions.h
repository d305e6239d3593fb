/* SPDX-License-Identifier: MIT */
/* Conditions on an element, as in the brackets of selectors. */
#ifndef MST_READ_CONDITIONS_H
#define MST_READ_CONDITIONS_H

#include "../core/name.h"
#include "engine.h"
#include "excerpt.h"
#include "labels.h"

#define MST_LABELLED 6 /* conditions on labels in one bracket */

/* Data other than the elements themselves that conditions on the elements of a list need: prepared once, for
 * all of them. */
typedef struct mst_condition_scope {
    struct {
        const char *at; /* the condition */
        struct mst_labels *labels;
    } items[MST_LABELLED];
    size_t count;
    uint64_t index; /* of the element that is tested */
} mst_condition_scope;
/* Looks up the labels that conditions on elements of the list at a path need; the conditions have been
 * checked, and must live as long. MST_NO_PATH: they use a name that does not exist. Release the scope in any
 * case. */
mst_status mst_condition_scope_of(const mst_document *document, const char *list_path, mst_excerpt conditions,
                                  mst_condition_scope *scope, mst_diagnostic *diagnostic);
void mst_condition_scope_release(mst_condition_scope *scope);

/* MST_ARGUMENT: elements of that record (NULL: numbers) can never meet them, for a reason worth reporting.
 * MST_NO_PATH: they name a layer, group or the like that the document does not have. */
mst_status mst_conditions_check(const mst_document *document, const mst_record *record,
                                mst_excerpt conditions, mst_diagnostic *diagnostic);
/* Whether some use more than fields: `within`, and names of referenced elements. */
bool mst_conditions_are_special(const mst_record *record, mst_excerpt conditions);
/* Whether the element meets the joined conditions (joined.h). `scope` NULL: data in it counts as missing. */
bool mst_conditions_hold(const mst_value *element, const mst_condition_scope *scope, mst_excerpt conditions);

/* Fails with MST_NO_PATH: `what`, with the names of the list's elements (NULL: none), the most similar one
 * first (unnamed.c). */
void mst_fail_unnamed(const char *what, const mst_value *list, const char *name, mst_diagnostic *diagnostic);

/* The same for a name that no label has. */
void mst_fail_unlabelled(const char *what, const struct mst_labels *labels, const char *name,
                         mst_diagnostic *diagnostic);

/* The id of an element of a list; false if it has none in this version. */
bool mst_refers_id_of(const mst_value *element, const char *key, uint64_t *id);
/* The same for the value that is the key. */
bool mst_refers_number_of(const mst_value *value, uint64_t *id);

#endif
