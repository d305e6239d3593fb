/* SPDX-License-Identifier: MIT */
/* Content parsed from a sidecar's bytes, kept in the resolver's memo: parsed once for many documents. */
#ifndef MST_CORE_MEMO_H
#define MST_CORE_MEMO_H

#include "arena.h"
#include <mapstone/search.h>

/* Caches content parsed from a sidecar's bytes for the next document (class.def takes longer to parse than a
 * sector). Zero-initialise it; clear it before freeing the bytes. */
typedef struct mst_memo {
    const void *bytes;
    size_t size;
    void *made;
    void (*drop)(void *made);
} mst_memo;
void mst_memo_clear(mst_memo *memo);

typedef struct mst_memo_kind {
    size_t size; /* of the result */
    /* Fills `made`; all memory that it needs is the arena's. */
    mst_status (*make)(const mst_resolver *resolver, const void *bytes, size_t size, mst_arena *arena,
                       void *made);
} mst_memo_kind;

/* The result of `kind` for these bytes: the memo's if it was made from them, else made now and stored there.
 * Without a memo it is made in `scratch`, whose allocator also serves the memo. */
mst_status mst_recall(const mst_memo_kind *kind, const mst_resolver *resolver, const void *bytes, size_t size,
                      mst_arena *scratch, const void **made);

#endif
