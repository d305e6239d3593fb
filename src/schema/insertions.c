/* SPDX-License-Identifier: MIT */
#include "insertions.h"
#include "assign.h"
#include "complete.h"
#include "follow.h"

void mst_insertions_begin(mst_insertions *insertions, mst_document *document,
                          const mst_edit_options *options) {
    *insertions = (mst_insertions){.document = document, .options = options};
    mst_arena_begin(&insertions->arena, &document->allocator, 0);
    insertions->items = (mst_array){.element_size = sizeof(mst_insertion), .allocator = document->allocator};
}

static void forget(mst_insertions *insertions) {
    insertions->items.count = 0;
    insertions->list = NULL;
    insertions->ids = (mst_fresh_ids){.key = NULL};
    mst_landmarks_reset(&insertions->landmarks);
    mst_arena_end(&insertions->arena);
}

void mst_insertions_end(mst_insertions *insertions) {
    forget(insertions);
    mst_array_free(&insertions->items);
}

/* Lets the numbers follow that name elements of the list. */
static mst_status renumber(mst_insertions *insertions, mst_diagnostic *diagnostic) {
    const mst_insertion *all = insertions->items.items;
    size_t count = insertions->items.count;
    uint64_t *indices = mst_arena_take(&insertions->arena, count, sizeof *indices);
    if (!indices)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        indices[i] = all[i].index;
    return mst_follow_insertions(insertions->document, insertions->list, indices, count, insertions->options,
                                 diagnostic);
}

mst_status mst_insertions_settle(mst_insertions *insertions, mst_diagnostic *diagnostic) {
    const mst_insertion *all = insertions->items.items;
    mst_status status = MST_OK;
    if (insertions->items.count == 1) /* whose proof says most */
        status = mst_edit_insert_all(insertions->document, all->path, all->json, UINT64_MAX,
                                     insertions->options, diagnostic);
    else if (insertions->items.count) {
        if (insertions->followed)
            status = renumber(insertions, diagnostic);
        if (status == MST_OK)
            status = mst_edit_insert_many(insertions->document, insertions->list, all,
                                          insertions->items.count, diagnostic);
    }
    forget(insertions);
    return status;
}

/* Whether elements of a list can come together with others. */
static bool can_wait(const mst_insertions *insertions, const mst_value *list, bool last) {
    const mst_format *format = insertions->document->format;
    const mst_field *field = mst_field_of(list);
    bool counted = mst_shape_of(list) == MST_SHAPE_CHUNK_LIST || field->mode == MST_COUNT_PREFIX ||
                   field->mode == MST_COUNT_VARIABLE || field->mode == MST_COUNT_TO_END ||
                   field->mode == MST_COUNT_DATA_SET;
    /* what is not understood may become something that is */
    bool unknown = mst_shape_of(list) == MST_SHAPE_CHUNK_LIST && mst_chunks_of_list(list)->unknown == field;
    return counted && !unknown && !insertions->options->change && mst_come_together(list, 1, last) &&
           (!mst_is_followed(format, field) || mst_is_followed_by_numbers(format, field));
}

/* Finds the list of a path, if its elements can wait, and the index at the path's end. */
static bool find_list(mst_insertions *insertions, const char *path, mst_arena *arena, uint64_t *index) {
    const char *digits = strrchr(path, '['), *list_path = insertions->list;
    mst_value list = insertions->value, record;
    size_t length = list_path ? strlen(list_path) : 0;
    uint64_t count = insertions->count;
    if (list_path) {
        if (digits != path + length || strncmp(path, list_path, length) != 0)
            return false; /* it may lead through new ones */
    } else {
        if (!mst_list_around(insertions->document, path, arena, &list_path, &list, &record) ||
            !mst_is_void(&record))
            return false;
        count = mst_count(&list);
    }
    digits++;
    if (!mst_path_index(&digits, count + insertions->items.count, index) ||
        *index > count + insertions->items.count || *digits != ']')
        return false;
    bool last = *index == count + insertions->items.count;
    if ((!insertions->list || last) && !can_wait(insertions, &list, last))
        return false;
    if (!insertions->list) {
        insertions->list = mst_arena_text(&insertions->arena, list_path, strlen(list_path));
        insertions->value = list;
        insertions->count = count;
        insertions->followed = mst_is_followed(insertions->document->format, mst_field_of(&list));
    }
    return insertions->list != NULL;
}

static mst_status put(mst_insertions *insertions, uint64_t index, const char *path, const char *json) {
    mst_insertion *made = mst_array_push(&insertions->items, 1), *all = insertions->items.items;
    const char *kept = mst_arena_text(&insertions->arena, json, strlen(json));
    path = mst_arena_text(&insertions->arena, path, strlen(path));
    if (!made || !kept || !path)
        return MST_NO_MEMORY;
    size_t at = insertions->items.count - 1;
    for (; at && all[at - 1].index >= index; at--) {
        all[at] = all[at - 1];
        all[at].index++;
    }
    all[at] = (mst_insertion){index, path, kept};
    return MST_OK;
}

mst_status mst_insertions_add(mst_insertions *insertions, const char *path, const char *json, bool *done,
                              mst_diagnostic *diagnostic) {
    const mst_insertion *all = insertions->items.items;
    mst_arena arena;
    const char *whole;
    uint64_t index = 0, like = 0;
    mst_arena_begin(&arena, &insertions->document->allocator, 0);
    mst_status status = MST_OK;
    *done = !insertions->ids.key && find_list(insertions, path, &arena, &index);
    if (!*done && insertions->list) {
        status = mst_insertions_settle(insertions, diagnostic);
        *done = status == MST_OK && find_list(insertions, path, &arena, &index);
    }
    if (*done && status == MST_OK)
        status = mst_complete(insertions->document, path, json, insertions->options, &arena, &whole, &like,
                              diagnostic);
    if (*done && (status == MST_OK || status == MST_NO_PATH) && insertions->items.count &&
        like > all[0].index) {
        /* one that waits may be more like it, or come first */
        status = mst_insertions_settle(insertions, diagnostic);
        *done = status == MST_OK && find_list(insertions, path, &arena, &index);
        if (*done)
            status = mst_complete(insertions->document, path, json, insertions->options, &arena, &whole,
                                  &like, diagnostic);
    }
    if (*done && status == MST_OK)
        status = put(insertions, index, path, whole);
    mst_arena_end(&arena);
    return status;
}

/* How many elements that wait come before the one at an index, and which of them it is; NULL: none. */
static const mst_insertion *waiting_at(const mst_insertions *insertions, uint64_t index, size_t *before) {
    const mst_insertion *all = insertions->items.items;
    size_t low = 0, high = insertions->items.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    *before = low;
    return low < insertions->items.count && all[low].index == index ? &all[low] : NULL;
}

/* Whether copies can wait in the list that was found: those that are known by an id only among each other. */
static bool can_copy(mst_insertions *insertions) {
    const mst_value *list = &insertions->value;
    const char *key = mst_key_of(insertions->document->format, mst_field_of(list));
    return !key || insertions->ids.key ||
           (!insertions->items.count &&
            mst_fresh_ids_begin(&insertions->ids, list, key, &insertions->arena) == MST_OK);
}

mst_status mst_insertions_copy(mst_insertions *insertions, const char *path, const char *to, bool *done,
                               mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_value element;
    const char *json = NULL, *digits = to;
    const mst_insertion *waiting = NULL;
    uint64_t index = 0, made, total;
    size_t before = 0;
    mst_status status = MST_OK;
    mst_arena_begin(&arena, &insertions->document->allocator, 0);
    *done = find_list(insertions, path, &arena, &index) && can_copy(insertions);
    total = *done ? insertions->count + insertions->items.count : 0;
    made = *done ? index + 1 : 0;
    if (*done)
        waiting = waiting_at(insertions, index, &before);
    if (*done && !waiting)
        *done = index < total && mst_landmarks_element(&insertions->landmarks, &insertions->value,
                                                       index - before, &element) == MST_OK;
    if (*done && to)
        *done = mst_path_index(&digits, total, &made) && !*digits && made <= total;
    if (*done && made == total)
        *done = can_wait(insertions, &insertions->value, true);
    if (!*done)
        status = mst_insertions_settle(insertions, diagnostic);
    if (*done && !waiting)
        status = mst_value_text(&element, &arena, &json, diagnostic);
    else if (*done)
        json = waiting->json;
    if (*done && status == MST_OK && insertions->ids.key) {
        status = mst_fresh_ids_renew(&insertions->ids, &json, &arena);
        *done = status != MST_UNSUPPORTED;
        if (!*done)
            status = mst_insertions_settle(insertions, diagnostic);
    }
    if (*done && status == MST_OK) {
        path = mst_arena_printf(&arena, "%s[%llu]", insertions->list, (unsigned long long)made);
        status = path ? put(insertions, made, path, json) : MST_NO_MEMORY;
    }
    mst_arena_end(&arena);
    return status;
}
