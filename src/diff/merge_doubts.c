/* SPDX-License-Identifier: MIT */
/* Ambiguous elements (pairing.c) in a merge. What one side changed in some alike elements can be put on the
 * wrong ones only if the other side changed one of them, too: that is a conflict. */
#include "../core/number.h"
#include "merging.h"
#include <stdlib.h>

static int by_element(const void *left, const void *right) {
    const mst_doubted *a = left, *b = right;
    int order = strcmp(a->list, b->list);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static mst_doubted *find(const mst_doubts *doubts, const char *list, uint64_t index) {
    const mst_doubted wanted = {.list = list, .index = (uint32_t)index};
    if (!doubts->items.count || index >= MST_NONE)
        return NULL;
    return bsearch(&wanted, doubts->items.items, doubts->items.count, sizeof wanted, by_element);
}

/* The ambiguous element that a step is about, or that is around that; NULL. `*enough`: there is memory. */
static mst_doubted *find_about(const mst_merging *m, const mst_doubts *doubts, const mst_patch_step *step,
                               bool *enough) {
    const char *list = step->kind == MST_STEP_INSERT ? step->list : step->key;
    mst_doubted *found = NULL;
    *enough = true;
    if (!list || !doubts->items.count)
        return NULL;
    for (const char *at = strchr(list, '['); at && !found; at = strchr(at + 1, '[')) {
        const char *digits = at + 1, *end = strchr(digits, ']');
        const char *around = mst_arena_text(m->arena, list, (size_t)(at - list));
        uint64_t index;
        if (!(*enough = around != NULL))
            return NULL;
        if (end && mst_read_u64(digits, (size_t)(end - digits), &index))
            found = find(doubts, around, index);
    }
    return found;
}

mst_status mst_merge_note_doubts(mst_merging *m) {
    for (int side = 0; side < 2; side++) {
        mst_doubts *doubts = &m->doubts[side];
        if (doubts->items.count)
            qsort(doubts->items.items, doubts->items.count, sizeof(mst_doubted), by_element);
    }
    for (size_t i = 0; i < m->steps[0].count; i++) {
        const mst_patch_step *ours = &m->steps[0].items[i];
        bool enough;
        if (ours->sort != MST_DIFFERENCE_CONTENT)
            continue;
        const mst_doubted *one = find_about(m, &m->doubts[1], ours, &enough);
        if (!enough)
            return MST_NO_MEMORY;
        mst_doubted *first = one ? find(&m->doubts[1], one->list, one->group) : NULL;
        if (first)
            first->is_changed = true;
    }
    return MST_OK;
}

mst_status mst_merge_is_doubtful(const mst_merging *m, const mst_patch_step *theirs, bool *doubtful) {
    bool enough;
    *doubtful = false;
    if (theirs->sort != MST_DIFFERENCE_CONTENT)
        return MST_OK;
    const mst_doubted *one = find_about(m, &m->doubts[0], theirs, &enough);
    *doubtful = one != NULL;
    if (one || !enough)
        return enough ? MST_OK : MST_NO_MEMORY;
    one = find_about(m, &m->doubts[1], theirs, &enough);
    const mst_doubted *first = one ? find(&m->doubts[1], one->list, one->group) : NULL;
    *doubtful = first && first->is_changed;
    return enough ? MST_OK : MST_NO_MEMORY;
}
