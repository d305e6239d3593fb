/* SPDX-License-Identifier: MIT */
#include "removals.h"
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "../core/number.h"
#include "follow.h"
#include "single_edit.h"
#include <stdlib.h>

void mst_removals_begin(mst_removals *removals, mst_document *document, mst_batch *batch,
                        const mst_edit_options *options) {
    *removals = (mst_removals){.document = document, .batch = batch, .options = options};
    mst_arena_begin(&removals->arena, &document->allocator, 0);
    removals->by_path.allocator = document->allocator;
    removals->lists =
        (mst_array){.element_size = sizeof(mst_removals_list), .allocator = document->allocator};
}

static void forget(mst_removals *removals) {
    mst_removals_list *lists = removals->lists.items;
    for (size_t i = 0; i < removals->lists.count; i++)
        mst_array_free(&lists[i].items);
    removals->lists.count = 0;
    mst_hash_map_end(&removals->by_path);
    removals->count = 0;
    removals->followed = false;
    mst_arena_end(&removals->arena);
}

void mst_removals_end(mst_removals *removals) {
    forget(removals);
    mst_array_free(&removals->lists);
}

static bool is_followed(mst_removals *removals, const mst_value *list) {
    if (removals->known != list->field) {
        removals->known = list->field;
        removals->known_followed = mst_is_followed(removals->document->format, mst_field_of(list));
    }
    return removals->known_followed;
}

/* ---- applying removals -------------------------------------------------------------------------------- */

static int by_order(const void *left, const void *right) {
    const mst_removal *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

/* One by one, because a removal removed more elements of its own list than requested. */
static mst_status one_by_one(mst_removals *removals, const mst_removals_list *list,
                             mst_diagnostic *diagnostic) {
    mst_removal *all = list->items.items;
    mst_status status = MST_OK;
    if (list->items.count > 1)
        qsort(all, list->items.count, sizeof *all, by_order);
    for (size_t i = 0; i < list->items.count && status == MST_OK; i++) {
        const char *path =
            mst_arena_printf(&removals->arena, "%s[%llu]", list->path, (unsigned long long)all[i].now);
        status = path ? mst_edit_remove_all(removals->document, path, removals->options, diagnostic)
                      : MST_NO_MEMORY;
    }
    return status;
}

static mst_status follow_all(mst_removals *removals, const mst_removals_list *list,
                             mst_diagnostic *diagnostic) {
    const mst_removal *all = list->items.items;
    size_t count = list->items.count;
    if (count <= 1) /* none: the first is one that cannot wait */
        return one_by_one(removals, list, diagnostic);
    uint64_t *indices = mst_arena_take(&removals->arena, count, sizeof *indices);
    if (!indices)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        indices[i] = all[i].index;
    mst_status status = mst_follow_removals(removals->document, list->path, indices, count, !removals->chosen,
                                            removals->options, diagnostic);
    return status == MST_UNSUPPORTED ? one_by_one(removals, list, diagnostic) : status;
}

/* Removes elements of a list that nothing refers to. */
static mst_status take_out(mst_removals *removals, const mst_removals_list *from, mst_chain *list,
                           mst_diagnostic *diagnostic) {
    const mst_removal *all = from->items.items;
    mst_value element;
    mst_status status = mst_find_chain(mst_root(removals->document), from->path, list, diagnostic);
    for (size_t i = 0; i < from->items.count && status == MST_OK; i++) {
        status =
            mst_landmarks_element(list->landmarks, &list->values[list->count - 1], all[i].index, &element);
        if (status == MST_OK)
            status = mst_batch_remove(removals->batch, from->path, list, &element, all[i].index);
    }
    return status;
}

/* The same where the surrounding bytes need more than the batch can do: each list by an edit of its own. */
static mst_status take_lists_out(mst_removals *removals, mst_diagnostic *diagnostic) {
    const mst_removals_list *lists = removals->lists.items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < removals->lists.count && status == MST_OK; i++) {
        const mst_removal *all = lists[i].items.items;
        size_t count = lists[i].items.count;
        if (!count) /* as in follow_all */
            continue;
        uint64_t *indices = mst_arena_take(&removals->arena, count, sizeof *indices);
        for (size_t k = 0; indices && k < count; k++)
            indices[k] = all[k].index;
        status = indices ? mst_edit_remove_many(removals->document, lists[i].path, indices, count, diagnostic)
                         : MST_NO_MEMORY;
    }
    return status;
}

static mst_status take_all_out(mst_removals *removals, mst_diagnostic *diagnostic) {
    const mst_removals_list *lists = removals->lists.items;
    if (!mst_goes_together(removals->document->format))
        return take_lists_out(removals, diagnostic);
    mst_chain list = {.values = mst_arena_take(&removals->arena, MST_PATH_DEPTH + 1, sizeof *list.values),
                      .indices = mst_arena_take(&removals->arena, MST_PATH_DEPTH + 1, sizeof *list.indices),
                      .landmarks = &removals->batch->landmarks};
    mst_status status = list.values && list.indices ? MST_OK : MST_NO_MEMORY;
    for (size_t i = 0; i < removals->lists.count && status == MST_OK; i++)
        status = take_out(removals, &lists[i], &list, diagnostic);
    return status == MST_OK ? mst_batch_leave(removals->batch, diagnostic) : status;
}

mst_status mst_removals_settle(mst_removals *removals, mst_diagnostic *diagnostic) {
    const mst_removals_list *lists = removals->lists.items;
    if (!removals->lists.count)
        return MST_OK;
    for (size_t i = 0; removals->chosen && i < removals->lists.count; i++) {
        mst_removal *all = lists[i].items.items;
        for (size_t k = 0, end = lists[i].items.count; k < end / 2; k++) {
            mst_removal swapped = all[k];
            all[k] = all[end - 1 - k];
            all[end - 1 - k] = swapped;
        }
    }
    mst_status status =
        removals->followed ? follow_all(removals, lists, diagnostic) : take_all_out(removals, diagnostic);
    mst_landmarks_reset(&removals->batch->landmarks);
    forget(removals);
    return status;
}

/* ---- gathering removals ------------------------------------------------------------------------------- */

static mst_removals_list *find_list(const mst_removals *removals, const char *path, size_t length) {
    const uint32_t *index = mst_hash_map_find(&removals->by_path, mst_key_bytes(path, length));
    return index ? (mst_removals_list *)removals->lists.items + *index : NULL;
}

static mst_removals_list *add_list(mst_removals *removals, const char *path, uint64_t count) {
    mst_hash_map_entry key = mst_key_text(path);
    key.value = (uint32_t)removals->lists.count;
    mst_removals_list *made =
        mst_hash_map_add(&removals->by_path, key) ? mst_array_push(&removals->lists, 1) : NULL;
    if (!made)
        return NULL;
    *made = (mst_removals_list){.path = path, .count = count};
    made->items =
        (mst_array){.element_size = sizeof(mst_removal), .allocator = removals->document->allocator};
    return made;
}

/* Whether removals wait for a list on the way to a path's list, which then has another path than before. */
static bool leads_through(const mst_removals *removals, const char *path, size_t length) {
    for (const char *bracket = strchr(path, '['); bracket && bracket < path + length;
         bracket = strchr(bracket + 1, '['))
        if (find_list(removals, path, (size_t)(bracket - path)))
            return true;
    return false;
}

/* The index before all waiting removals. */
static uint64_t index_before(const mst_removals_list *list, uint64_t now) {
    const mst_removal *all = list->items.items;
    /* the first below which more than `now` elements remain */
    MST_LOWER_BOUND(low, middle, list->items.count, all[middle].index - middle <= now);
    return now + low;
}

static mst_status put(mst_removals *removals, mst_removals_list *list, mst_removal one) {
    one.order = removals->count++;
    mst_removal *made = mst_array_push(&list->items, 1), *all = list->items.items;
    if (!made)
        return MST_NO_MEMORY;
    size_t at = list->items.count - 1;
    for (; !removals->chosen && at && all[at - 1].index > one.index; at--)
        all[at] = all[at - 1];
    all[at] = one;
    return MST_OK;
}

/* The length of the list's path, and the index at the end of a path; 0: it does not end in one. */
static size_t split(const char *path, uint64_t *index) {
    size_t length = strlen(path), digits = 0;
    while (digits + 1 < length && path[length - 2 - digits] >= '0' && path[length - 2 - digits] <= '9')
        digits++;
    if (length < digits + 3 || path[length - 1] != ']' || !digits || path[length - 2 - digits] != '[' ||
        !mst_read_u64(path + length - 1 - digits, digits, index))
        return 0;
    return length - 2 - digits;
}

/* Whether elements of a list can be removed together with others. */
static bool can_wait(const mst_value *list) {
    const mst_field *field = mst_field_of(list);
    uint32_t shape = mst_shape_of(list);
    /* removing some of them may remove others of them */
    bool owned = (field->flags & MST_FIELD_OWNED) && !mst_goes_together(list->document->format);
    bool alone = (field->flags & (MST_FIELD_NUMBERED | MST_FIELD_APPEND | MST_FIELD_SLOTS)) ||
                 field->parallel || owned;
    bool counted = shape == MST_SHAPE_CHUNK_LIST ||
                   (shape == MST_SHAPE_LIST && mst_is_list(field) && field->mode != MST_COUNT_SENTINEL);
    return !alone && counted && (mst_come_together(list, -1, false));
}

static mst_status find_list_value(const mst_removals *removals, const char *path, mst_value *value) {
    return mst_batch_find(removals->batch, path, value, NULL);
}

mst_status mst_removals_add(mst_removals *removals, const char *path, bool chosen, bool *done,
                            mst_diagnostic *diagnostic) {
    mst_removal one = {0};
    mst_value value;
    size_t length = split(path, &one.now);
    bool shifted = !chosen && length && leads_through(removals, path, length);
    mst_removals_list *list = length && !shifted ? find_list(removals, path, length) : NULL;
    mst_status status = MST_OK;
    *done = false;
    if (!list || chosen != removals->chosen) {
        const char *list_path = length ? mst_arena_text(&removals->arena, path, length) : NULL;
        bool there = list_path && !shifted && chosen == removals->chosen &&
                     find_list_value(removals, list_path, &value) == MST_OK && can_wait(&value);
        bool followed = there && is_followed(removals, &value);
        if (removals->lists.count && (!there || followed || removals->followed)) {
            status = mst_removals_settle(removals, diagnostic);
            removals->chosen = chosen; /* nothing waits: the removal is examined again */
            return status == MST_OK && length ? mst_removals_add(removals, path, chosen, done, diagnostic)
                                              : status;
        }
        if (!removals->lists.count && chosen != removals->chosen) {
            removals->chosen = chosen;
            return mst_removals_add(removals, path, chosen, done, diagnostic);
        }
        list = there ? add_list(removals, list_path, mst_count(&value)) : NULL;
        if (!list)
            return there ? MST_NO_MEMORY : MST_OK;
        list->last_alone = !mst_come_together(&value, -1, true);
        removals->followed = followed;
    }
    if (status == MST_OK)
        one.index = chosen ? one.now : index_before(list, one.now);
    if (status != MST_OK || one.index >= list->count || (list->last_alone && one.index + 1 == list->count))
        return mst_removals_settle(removals, diagnostic); /* the edit that does not wait reports it */
    status = put(removals, list, one);
    *done = status == MST_OK;
    return status;
}
