/* SPDX-License-Identifier: MIT */
/* Patches of directories and archives: declarations shared by making (patch_sets.c), applying
 * (patch_sets_apply.c) and comparing (compare_sets.c). */
#ifndef MST_PATCH_PATCH_SETS_H
#define MST_PATCH_PATCH_SETS_H

#include "../compare/member_level.h"
#include "drafts.h"
#include <mapstone/patch.h>

/* ---- members that belong to levels (set_members.c) --------------------------------------------------- */

/* Whether a member is a level, or ends as levels and the files that they name do, and may be a file. */
bool mst_set_has(mst_container *from, size_t index);

/* ---- index files (patch_sets_index.c) --------------------------------------------------------------- */

/* A level whose patched form is not the one that the patch was made for: the patch's statements about it in
 * other files are wrong. */
typedef struct mst_patched_level {
    const char *name;
    mst_patched_member opened;
} mst_patched_level;

/* Whether a file, or the other one of its pair, has the name of an index file. */
bool mst_patched_may_be_index(const char *name);
/* The path of a level's index file; "": it has none. NULL: out of memory. */
const char *mst_patched_index_of(const mst_patched_level *level, mst_arena *arena);
/* Patches the document of a file, which has to agree with the levels in its directory. `was`: the checks for
 * it before. */
mst_status mst_patched_apply(mst_document *document, const char *name, const char *text, size_t size,
                             const mst_patch_options *options, const mst_check_options *was,
                             const mst_patched_level *levels, size_t count, mst_diagnostic *diagnostic);
/* Updates the statements of a file's document about the levels in its directory. */
mst_status mst_patched_update(mst_document *document, const char *name, const mst_patched_level *levels,
                              size_t count, mst_diagnostic *diagnostic);

#endif
