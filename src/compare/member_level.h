/* SPDX-License-Identifier: MIT */
/* Members of directories and archives, as opened for comparing, patching and merging. */
#ifndef MST_COMPARE_MEMBER_LEVEL_H
#define MST_COMPARE_MEMBER_LEVEL_H

#include "../level/inside.h"
#include <mapstone/document.h>

/* A member of a container, opened as a level together with the file that belongs to it. */
typedef struct mst_patched_member {
    mst_container *from; /* where the bytes are released; NULL: the caller releases them */
    mst_container_bytes bytes;
    mst_document *document; /* NULL: it is not a level */
    mst_status opening;     /* otherwise the reason: MST_UNKNOWN, or damage */
    bool failed;            /* and this has been reported */
} mst_patched_member;

/* Fails only if the member cannot be read or memory runs out. Close it in any case. */
mst_status mst_patched_open(mst_container *from, size_t index, const mst_allocator *allocator,
                            mst_patched_member *opened, mst_diagnostic *diagnostic);
/* The same for bytes that were read from it, which have to outlive the member. */
mst_status mst_patched_open_bytes(mst_container *from, size_t index, const mst_container_bytes *bytes,
                                  const mst_allocator *allocator, mst_patched_member *opened,
                                  mst_diagnostic *diagnostic);
void mst_patched_close(mst_patched_member *opened);
bool mst_patched_same_bytes(const mst_container_bytes *a, const mst_container_bytes *b);
/* The member with exactly that name; SIZE_MAX. */
size_t mst_patched_find(const mst_container *from, const char *name);
/* Adds the name of the file to a failure's message. */
mst_status mst_patched_fail(const char *name, mst_status status, mst_diagnostic *diagnostic);

#endif
