/* SPDX-License-Identifier: MIT */
/* Names of classes that an edit adds to a level. */
#ifndef MST_NS2_NS2_CLASSES_H
#define MST_NS2_NS2_CLASSES_H

#include "../../core/output.h"
#include "ns2.h"

/*
 * MST_REFUSED, unless the options force it: an entity has a class that neither the level, nor other levels,
 * nor the schema has, but a similar name is known. Without a similar name the class is only reported. Edits
 * without checks are not judged.
 */
mst_status mst_ns2_judge_classes(const mst_document *before, const mst_document *after,
                                 const struct mst_edit_options *options, mst_arena *arena,
                                 mst_diagnostic *diagnostic);

/* A line for each class that other levels have. */
void mst_ns2_put_classes(mst_output *out);

#endif
