/* SPDX-License-Identifier: MIT */
/* Ambiguous elements (pairing.c) in a merge. One side's change to one of several alike elements can be
 * applied to the wrong one only if the other side also changed one of them: that is a conflict. */
#include "../core/lower_bound.h"
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

/* The list at the first `length` bytes of a path; NULL if nothing in it is ambiguous. */
static const char *find_list(const mst_doubts *doubts, const char *path, size_t length) {
    const mst_doubted *all = doubts->items.items;
    MST_LOWER_BOUND(low, middle, doubts->items.count, strncmp(all[middle].list, path, length) < 0);
    const bool found =
        low < doubts->items.count && strncmp(all[low].list, path, length) == 0 && !all[low].list[length];
    return found ? all[low].list : NULL;
}

/* The element of a list that contains the value at an offset in the base document. */
static mst_doubted *find_around(const mst_doubts *doubts, const char *list, uint64_t offset) {
    mst_doubted *all = doubts->items.items;
    size_t low = 0, high = doubts->items.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(all[middle].list, list);
        if (order < 0 || (order == 0 && all[middle].offset <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low && strcmp(all[low - 1].list, list) == 0 && offset < all[low - 1].end;
    return found ? &all[low - 1] : NULL;
}

/* The same by the step of a path that begins at `at`: a pair can be referenced by its name. */
static mst_doubted *find_step(mst_merge_state *m, const mst_doubts *doubts, const char *path, const char *at,
                              bool *enough) {
    const char *list = find_list(doubts, path, (size_t)(at - path));
    const char *end = *at == '[' ? strchr(at, ']') : at + 1 + strcspn(at + 1, ".[");
    uint64_t index;
    mst_value value;
    if (!list || !end)
        return NULL;
    if (*at == '[' && mst_read_u64(at + 1, (size_t)(end - at - 1), &index))
        return find(doubts, list, index);
    const char *element = mst_arena_text(m->arena, path, (size_t)(end - path) + (*at == '['));
    *enough = element != NULL;
    const bool known =
        element && mst_landmarks_find(&m->landmarks, mst_root(m->base), element, &value) == MST_OK;
    return known ? find_around(doubts, list, value.offset) : NULL;
}

/* The ambiguous element that a step changes, or that contains the changed value; NULL. `*enough`: memory
 * sufficed. */
static mst_doubted *find_about(mst_merge_state *m, const mst_doubts *doubts, const mst_patch_step *step,
                               bool *enough) {
    const char *path = step->kind == MST_STEP_INSERT ? step->list : step->key;
    mst_doubted *found = NULL;
    *enough = true;
    if (!path || !doubts->items.count)
        return NULL;
    for (const char *at = strpbrk(path, ".["); at && *enough && !found; at = strpbrk(at + 1, ".["))
        found = find_step(m, doubts, path, at, enough);
    return found;
}

/* Whether a step is an edit: a change of content, or of an element that is not part of anything. */
static bool is_edit(const mst_patch_step *step, const mst_doubted *about) {
    return step->sort == MST_DIFFERENCE_CONTENT ||
           (step->sort == MST_DIFFERENCE_PART && about && about->is_loose);
}

mst_status mst_merge_note_doubts(mst_merge_state *m) {
    for (int side = 0; side < 2; side++) {
        mst_doubts *doubts = &m->doubts[side];
        if (doubts->items.count)
            qsort(doubts->items.items, doubts->items.count, sizeof(mst_doubted), by_element);
    }
    for (size_t i = 0; i < m->steps[0].count; i++) {
        const mst_patch_step *ours = &m->steps[0].items[i];
        bool enough;
        const mst_doubted *one = find_about(m, &m->doubts[1], ours, &enough);
        if (!enough)
            return MST_NO_MEMORY;
        mst_doubted *first = is_edit(ours, one) && one ? find(&m->doubts[1], one->list, one->group) : NULL;
        if (first)
            first->is_changed = true;
    }
    return MST_OK;
}

mst_status mst_merge_is_doubtful(mst_merge_state *m, const mst_patch_step *theirs, bool is_same,
                                 bool *doubtful) {
    bool enough;
    *doubtful = false;
    for (int side = 0; side < 2 && !*doubtful; side++) {
        const mst_doubted *one = find_about(m, &m->doubts[side], theirs, &enough);
        if (!enough)
            return MST_NO_MEMORY;
        if (!one || one->group == MST_NOBODY || !is_edit(theirs, one))
            continue;
        const mst_doubted *first = find(&m->doubts[side], one->list, one->group);
        *doubtful = side == 0 || is_same || (first && first->is_changed);
    }
    return MST_OK;
}

mst_status mst_merge_is_edit(mst_merge_state *m, const mst_patch_step *theirs, bool *edits) {
    bool enough = true;
    *edits = theirs->sort == MST_DIFFERENCE_CONTENT ||
             is_edit(theirs, find_about(m, &m->doubts[1], theirs, &enough));
    return enough ? MST_OK : MST_NO_MEMORY;
}
