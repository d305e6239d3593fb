/* SPDX-License-Identifier: MIT */
#include "memo.h"

/* In its own arena. */
typedef struct kept {
    mst_arena arena;
    const mst_memo_kind *kind;
    void *made;
} kept;

static void drop(void *memory) {
    mst_arena arena = ((kept *)memory)->arena;
    mst_arena_end(&arena);
}

void mst_memo_clear(mst_memo *memo) {
    if (!memo)
        return;
    if (memo->made)
        memo->drop(memo->made);
    *memo = (mst_memo){NULL, 0, NULL, NULL};
}

mst_status mst_recall(const mst_memo_kind *kind, const mst_resolver *resolver, const void *bytes, size_t size,
                      mst_arena *scratch, const void **made) {
    mst_memo *memo = resolver ? resolver->memo : NULL;
    kept *k = memo && memo->drop == drop ? memo->made : NULL;
    if (k && k->kind == kind && memo->bytes == bytes && memo->size == size) {
        *made = k->made;
        return MST_OK;
    }
    mst_arena own;
    mst_arena_begin(&own, &scratch->allocator, 0);
    mst_arena *arena = memo ? &own : scratch;
    k = mst_arena_take(arena, 1, sizeof *k);
    void *fresh = mst_arena_zero(arena, 1, kind->size);
    mst_status status = k && fresh ? kind->make(resolver, bytes, size, arena, fresh) : MST_NO_MEMORY;
    if (status != MST_OK) {
        mst_arena_end(&own);
        return status;
    }
    *made = fresh;
    if (!memo)
        return MST_OK;
    *k = (kept){own, kind, fresh};
    mst_memo_clear(memo);
    *memo = (mst_memo){bytes, size, k, drop};
    return MST_OK;
}
