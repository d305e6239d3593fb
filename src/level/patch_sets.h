/* SPDX-License-Identifier: MIT */
/* Patches of directories and archives: what making one (patch_sets.c) and applying one (patch_sets_apply.c)
 * have in common. */
#ifndef MST_LEVEL_PATCH_SETS_H
#define MST_LEVEL_PATCH_SETS_H

#include "../diff/drafts.h"
#include "inside.h"
#include <mapstone/patch.h>

/* A member of a container, opened as a level together with the file that belongs to it. */
typedef struct mst_patched_member {
    mst_container *from;
    mst_container_bytes bytes;
    mst_document *document; /* NULL: it is not a level */
} mst_patched_member;

/* Fails only if the member cannot be read, or memory is used up. Close it in any case. */
mst_status mst_patched_open(mst_container *from, size_t index, mst_patched_member *opened,
                            mst_diagnostic *diagnostic);
void mst_patched_close(mst_patched_member *opened);
/* The member with exactly that name; SIZE_MAX. */
size_t mst_patched_find(const mst_container *from, const char *name);
/* Says which file a failure is about. */
mst_status mst_patched_fail(const char *name, mst_status status, mst_diagnostic *diagnostic);

#endif
