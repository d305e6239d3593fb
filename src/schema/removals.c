/* SPDX-License-Identifier: MIT */
#include "removals.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "edit.h"
#include "follow.h"
#include <stdlib.h>

void mst_removals_begin(mst_removals *removals, mst_document *document, mst_batch *batch,
                        const mst_edit_options *options) {
    *removals = (mst_removals){.document = document, .batch = batch, .options = options};
    mst_arena_begin(&removals->arena, &document->allocator, 0);
    removals->items = (mst_array){.element_size = sizeof(mst_removal), .allocator = document->allocator};
}

void mst_removals_end(mst_removals *removals) {
    mst_array_free(&removals->items);
    mst_arena_end(&removals->arena);
}

static bool is_followed(const mst_removals *removals, const mst_value *list) {
    return mst_is_followed(removals->document->format, mst_field_of(list));
}

/* ---- carrying them out -------------------------------------------------------------------------------- */

/* One by one: a removal took more of its own list with it than was asked for. */
static mst_status one_by_one(mst_removals *removals, mst_diagnostic *diagnostic) {
    const mst_removal *all = removals->items.items;
    size_t count = removals->items.count;
    mst_status status = MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        const mst_removal *one = &all[removals->chosen ? count - 1 - i : i];
        const char *path = mst_arena_printf(&removals->arena, "%s[%llu]", one->list,
                                            (unsigned long long)(removals->chosen ? one->index : one->now));
        status = path ? mst_edit_remove_all(removals->document, path, removals->options, diagnostic)
                      : MST_NO_MEMORY;
    }
    return status;
}

static mst_status follow_all(mst_removals *removals, mst_diagnostic *diagnostic) {
    const mst_removal *all = removals->items.items;
    size_t count = removals->items.count;
    uint64_t *indices = mst_arena_take(&removals->arena, count, sizeof *indices);
    if (!indices)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        indices[i] = all[i].index;
    mst_status status = mst_follow_removals(removals->document, all->list, indices, count, !removals->chosen,
                                            removals->options, diagnostic);
    return status == MST_UNSUPPORTED ? one_by_one(removals, diagnostic) : status;
}

/* Elements of lists that nothing refers to. */
static mst_status take_out(mst_removals *removals, mst_diagnostic *diagnostic) {
    const mst_removal *all = removals->items.items;
    mst_chain list = {.values = mst_arena_take(&removals->arena, MST_PATH_DEPTH + 1, sizeof *list.values),
                      .indices = mst_arena_take(&removals->arena, MST_PATH_DEPTH + 1, sizeof *list.indices),
                      .finder = &removals->batch->finder};
    mst_status status = list.values && list.indices ? MST_OK : MST_NO_MEMORY;
    for (size_t i = 0; i < removals->items.count && status == MST_OK; i++) {
        mst_value element;
        if (!i || strcmp(all[i].list, all[i - 1].list) != 0)
            status = mst_find_chain(mst_root(removals->document), all[i].list, &list, diagnostic);
        mst_value *value = &list.values[list.count - 1];
        if (status == MST_OK)
            status = mst_finder_element(list.finder, value, all[i].index, &element);
        if (status == MST_OK)
            status = mst_batch_remove(removals->batch, &list, &element, all[i].index);
    }
    return status == MST_OK ? mst_batch_leave(removals->batch, diagnostic) : status;
}

mst_status mst_removals_settle(mst_removals *removals, mst_diagnostic *diagnostic) {
    mst_value list;
    mst_removal *first = removals->items.items;
    size_t count = removals->items.count;
    if (!count)
        return MST_OK;
    for (size_t i = 0; removals->chosen && i < count / 2; i++) {
        mst_removal swapped = first[i];
        first[i] = first[count - 1 - i];
        first[count - 1 - i] = swapped;
    }
    mst_status status = mst_find(mst_root(removals->document), first->list, &list, diagnostic);
    if (status == MST_OK)
        status =
            is_followed(removals, &list) ? follow_all(removals, diagnostic) : take_out(removals, diagnostic);
    mst_finder_reset(&removals->batch->finder);
    removals->items.count = removals->run = 0;
    mst_arena_end(&removals->arena);
    return status;
}

/* ---- gathering them ----------------------------------------------------------------------------------- */

static int by_index(const void *left, const void *right) {
    const mst_removal *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* The index before all that wait. The run is in ascending order but for its last. */
static uint64_t index_before(const mst_removals *removals, uint64_t now) {
    const mst_removal *all = removals->items.items;
    size_t low = removals->run, high = removals->items.count;
    while (low < high) { /* the first of which as many lower ones stay as `now` says, or more */
        size_t middle = low + (high - low) / 2;
        if (all[middle].index - (middle - removals->run) <= now)
            low = middle + 1;
        else
            high = middle;
    }
    return now + (low - removals->run);
}

/* Puts one into the run. What a selector stands for comes in the opposite order. */
static mst_status put(mst_removals *removals, mst_removal one) {
    mst_removal *made = mst_array_push(&removals->items, 1), *all = removals->items.items;
    if (!made)
        return MST_NO_MEMORY;
    size_t at = removals->items.count - 1;
    while (!removals->chosen && at > removals->run && by_index(&all[at - 1], &one) > 0) {
        all[at] = all[at - 1];
        at--;
    }
    all[at] = one;
    return MST_OK;
}

/* The list's path and the index at the end of a path; false: it does not end in one. */
static bool split(const char *path, mst_arena *arena, const char **list, uint64_t *index) {
    size_t length = strlen(path), digits = 0;
    while (digits + 1 < length && path[length - 2 - digits] >= '0' && path[length - 2 - digits] <= '9')
        digits++;
    if (length < digits + 3 || path[length - 1] != ']' || !digits || path[length - 2 - digits] != '[' ||
        !mst_read_u64(path + length - 1 - digits, digits, index))
        return false;
    *list = mst_arena_text(arena, path, length - 2 - digits);
    return *list != NULL;
}

/* Whether elements of a list can go together with others. */
static bool can_wait(const mst_removals *removals, const mst_value *list) {
    const mst_field *field = mst_field_of(list);
    uint32_t shape = mst_shape_of(list);
    bool alone = (field->flags & (MST_FIELD_NUMBERED | MST_FIELD_APPEND)) || field->parallel;
    bool counted =
        shape == MST_SHAPE_CHUNK_LIST || (shape == MST_SHAPE_LIST && field->mode != MST_COUNT_ARCHIVE);
    return !alone && counted && mst_goes_together(removals->document->format);
}

mst_status mst_removals_add(mst_removals *removals, const char *path, bool chosen, bool *done,
                            mst_diagnostic *diagnostic) {
    const mst_removal *all = removals->items.items, *last = all ? &all[removals->items.count - 1] : NULL;
    mst_removal one = {NULL, 0, 0};
    mst_value list;
    mst_status status = MST_OK;
    bool there = split(path, &removals->arena, &one.list, &one.now), again;
    *done = false;
    if (!removals->items.count)
        last = NULL;
    again = there && last && strcmp(last->list, one.list) == 0 && chosen == removals->chosen;
    if (!again) {
        there = there && mst_find(mst_root(removals->document), one.list, &list, NULL) == MST_OK &&
                can_wait(removals, &list);
        bool apart = !there || !chosen || !removals->chosen || is_followed(removals, &list);
        if (last && apart) { /* the path is that of after the others */
            const char *kept = one.list;
            status = mst_removals_settle(removals, diagnostic);
            there = there && status == MST_OK && split(path, &removals->arena, &kept, &one.now) &&
                    mst_find(mst_root(removals->document), kept, &list, NULL) == MST_OK;
            one.list = kept;
        }
        if (status != MST_OK || !there)
            return status;
        removals->run = removals->items.count;
        removals->chosen = chosen;
    }
    one.index = chosen ? one.now : index_before(removals, one.now);
    if (!again || !removals->items.count) {
        if (one.index >= mst_count(&list))
            return MST_OK; /* the edit that does not wait says so */
    } else {
        mst_value known;
        if (mst_find(mst_root(removals->document), one.list, &known, NULL) != MST_OK ||
            one.index >= mst_count(&known))
            return mst_removals_settle(removals, diagnostic);
    }
    status = put(removals, one);
    *done = status == MST_OK;
    return status;
}
