/* SPDX-License-Identifier: MIT */
/* Patches of directories and archives: what making one (patch_sets.c), applying one (patch_sets_apply.c) and
 * comparing (compare_sets.c) have in common. */
#ifndef MST_PATCH_PATCH_SETS_H
#define MST_PATCH_PATCH_SETS_H

#include "../compare/member_level.h"
#include "drafts.h"
#include <mapstone/patch.h>

/* ---- what belongs to the levels (set_members.c) ------------------------------------------------------ */

/* Whether a member is a level, or ends as levels and the files that they name do, and may be a file. */
bool mst_set_has(mst_container *from, size_t index);

/* ---- index files (patch_sets_index.c) --------------------------------------------------------------- */

/* A level whose patched form is not the one that the patch was made for: what others say of it is not what
 * the patch says. */
typedef struct mst_patched_level {
    const char *name;
    mst_patched_member opened;
} mst_patched_level;

/* Whether a file, or the other one of its pair, is called as those that say what is in others. */
bool mst_patched_may_be_index(const char *name);
/* The path of a level's index file; "": it has none. NULL: there is no memory. */
const char *mst_patched_index_of(const mst_patched_level *level, mst_arena *arena);
/* Patches the document of a file, in which the levels in its directory have to be as they are.
 * `was`: the checks of it before. */
mst_status mst_patched_apply(mst_document *document, const char *name, const char *text, size_t size,
                             const mst_patch_options *options, const mst_check_options *was,
                             const mst_patched_level *levels, size_t count, mst_diagnostic *diagnostic);
/* Brings what the document of a file says about the levels in its directory up to date. */
mst_status mst_patched_update(mst_document *document, const char *name, const mst_patched_level *levels,
                              size_t count, mst_diagnostic *diagnostic);

#endif
