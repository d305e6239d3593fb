/* SPDX-License-Identifier: MIT */
/* Assignments of names: `objects[3].layer = Lights`, `mesh.faces[12].material = materials/x.material`. */
#ifndef MST_EDIT_NAMING_H
#define MST_EDIT_NAMING_H

#include "located.h"

/*
 * Translates an assignment of names to operations on the fields of all its values, appended to `steps`
 * (mst_operation), to be applied in this order; texts are in the arena. `named` false: it is an assignment
 * like any other. MST_ARGUMENT: there is no element of such a name.
 */
mst_status mst_name_labels(const mst_document *document, const mst_operation *operation,
                           const mst_located *all, mst_arena *arena, mst_array *steps, bool *named,
                           mst_diagnostic *diagnostic);

#endif
