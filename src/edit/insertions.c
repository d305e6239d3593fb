/* SPDX-License-Identifier: MIT */
#include "insertions.h"
#include "../core/lower_bound.h"
#include "../read/path_end.h"
#include "../tables/fields.h"
#include "assign.h"
#include "follow.h"
#include "renames.h"

void mst_insertions_begin(mst_insertions *insertions, mst_document *document,
                          const mst_edit_options *options) {
    *insertions = (mst_insertions){.document = document, .options = options};
    mst_arena_begin(&insertions->arena, &document->allocator, 0);
    insertions->likes.arena = &insertions->arena;
    insertions->items = (mst_array){.element_size = sizeof(mst_insertion), .allocator = document->allocator};
    insertions->after = insertions->items;
}

static size_t waiting(const mst_insertions *insertions) {
    return insertions->items.count + insertions->after.count;
}

static const mst_insertion *item_at(const mst_insertions *insertions, size_t rank) {
    const mst_array *items = &insertions->items, *after = &insertions->after;
    return rank < items->count ? (const mst_insertion *)items->items + rank
                               : (const mst_insertion *)after->items + (waiting(insertions) - 1 - rank);
}

/* The item's index after all insertions. */
static uint64_t index_of(const mst_insertions *insertions, size_t rank) {
    return item_at(insertions, rank)->index + rank;
}

/* Moves the last item of one array to the end of the other. */
static mst_status hand_over(mst_array *from, mst_array *to) {
    mst_insertion *made = mst_array_push(to, 1);
    if (!made)
        return MST_NO_MEMORY;
    *made = ((const mst_insertion *)from->items)[--from->count];
    return MST_OK;
}

/* Splits the items so that one that will be at an index follows the last of `items`. */
static mst_status go_to(mst_insertions *insertions, uint64_t index) {
    mst_array *items = &insertions->items, *after = &insertions->after;
    mst_status status = MST_OK;
    while (status == MST_OK && items->count && index_of(insertions, items->count - 1) >= index)
        status = hand_over(items, after);
    while (status == MST_OK && after->count && index_of(insertions, items->count) < index)
        status = hand_over(after, items);
    return status;
}

/* Collects all of them in `items`, with their final indices. */
static mst_status gather(mst_insertions *insertions) {
    mst_status status = go_to(insertions, UINT64_MAX);
    mst_insertion *all = insertions->items.items;
    for (size_t i = 0; i < insertions->items.count && status == MST_OK; i++)
        all[i].index += i;
    return status;
}

static void forget(mst_insertions *insertions) {
    insertions->items.count = insertions->after.count = 0;
    insertions->weight = 0;
    insertions->list = NULL;
    insertions->ids = (mst_fresh_ids){.key = NULL};
    insertions->likes = (mst_likes){.arena = &insertions->arena};
    insertions->unkeyed = insertions->expands = false;
    mst_landmarks_reset(&insertions->landmarks);
    mst_arena_end(&insertions->arena);
}

void mst_insertions_end(mst_insertions *insertions) {
    forget(insertions);
    mst_array_free(&insertions->items);
    mst_array_free(&insertions->after);
}

/* Makes elements from values given in the format's own form, in the order of the operations. */
static mst_status expand_all(mst_insertions *insertions, mst_diagnostic *diagnostic) {
    mst_insertion *all = insertions->items.items;
    mst_document *document = insertions->document;
    size_t count = insertions->items.count, found = 0;
    const char **json = mst_arena_take(&insertions->arena, count + 1, sizeof *json);
    if (!json)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (all[i].expands)
            json[found++] = all[i].json;
    mst_status status = found ? document->format->adding->expand(document, insertions->list, json, found,
                                                                 &insertions->arena, diagnostic)
                              : MST_OK;
    found = 0;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        if (!all[i].expands)
            continue;
        status = mst_complete(document, all[i].path, json[found++], insertions->options, &insertions->arena,
                              &all[i].json, &insertions->likes, diagnostic);
        if (status == MST_OK)
            status = mst_likes_came(&insertions->likes, all[i].index, all[i].json);
    }
    return status;
}

mst_status mst_insertions_settle(mst_insertions *insertions, mst_diagnostic *diagnostic) {
    mst_status status = gather(insertions);
    const mst_insertion *all = insertions->items.items;
    if (status == MST_OK && insertions->items.count)
        status = expand_all(insertions, diagnostic);
    if (status == MST_OK && insertions->items.count == 1) /* its proof reports the most */
        status = mst_edit_insert_all(insertions->document, all->path, all->json, all->copied,
                                     insertions->options, diagnostic);
    else if (status == MST_OK && insertions->items.count && insertions->followed)
        status = mst_follow_insertions(insertions->document, insertions->list, all, insertions->items.count,
                                       insertions->options, diagnostic);
    else if (status == MST_OK && insertions->items.count)
        status = mst_edit_insert_many(insertions->document, insertions->list, all, insertions->items.count,
                                      diagnostic);
    forget(insertions);
    return status;
}

/* Whether elements can be inserted into a list together with others, at any index. */
static bool can_wait(const mst_insertions *insertions, const mst_value *list) {
    const mst_format *format = insertions->document->format;
    const mst_field *field = mst_field_of(list);
    bool chunks = mst_shape_of(list) == MST_SHAPE_CHUNK_LIST;
    /* an unknown chunk may become a known one */
    bool unknown = chunks && mst_chunks_of_list(list)->unknown == field;
    return (chunks || mst_is_counted(field)) && !unknown && !insertions->options->change &&
           (!mst_is_followed(format, field) || mst_is_followed_at_once(insertions->document, field));
}

/* Finds the list of a path, if its elements can wait, and the index at the path's end. */
static bool find_list(mst_insertions *insertions, const char *path, mst_arena *arena, uint64_t *index) {
    const char *digits = mst_path_bracket(path), *list_path = insertions->list;
    mst_value list = insertions->value, record;
    size_t length = list_path ? strlen(list_path) : 0;
    uint64_t count = insertions->count;
    if (!digits)
        return false;
    if (list_path) {
        if (digits != path + length || strncmp(path, list_path, length) != 0)
            return false; /* it may lead through new elements */
    } else {
        if (!mst_list_around(insertions->document, path, arena, &list_path, &list, &record) ||
            !mst_is_void(&record))
            return false;
        count = mst_count(&list);
    }
    digits++;
    const uint64_t total = count + waiting(insertions);
    if (!mst_path_index(&digits, total, index) || *index > total || *digits != ']')
        return false;
    bool last = *index == total;
    if ((!insertions->list && !can_wait(insertions, &list)) ||
        ((!insertions->list || last) && !mst_come_together(&list, 1, last)))
        return false;
    if (!insertions->list) {
        const mst_compared *facts = mst_compared_facts(insertions->document->format, mst_field_of(&list));
        insertions->kinds = facts && facts->kind[0];
        insertions->list = mst_arena_text(&insertions->arena, list_path, strlen(list_path));
        insertions->value = list;
        insertions->count = count;
        insertions->followed = mst_is_followed(insertions->document->format, mst_field_of(&list));
    }
    return insertions->list != NULL;
}

static mst_status put(mst_insertions *insertions, const mst_insertion *what) {
    mst_status status = go_to(insertions, what->index);
    mst_insertion *made = status == MST_OK ? mst_array_push(&insertions->items, 1) : NULL;
    mst_insertion kept = *what;
    kept.order = waiting(insertions);
    kept.json = mst_arena_text(&insertions->arena, what->json, strlen(what->json));
    kept.path = mst_arena_text(&insertions->arena, what->path, strlen(what->path));
    if (!made || !kept.json || !kept.path)
        return MST_NO_MEMORY;
    kept.index -= insertions->items.count - 1;
    insertions->weight += sizeof kept + strlen(kept.json) + strlen(kept.path);
    *made = kept;
    return MST_OK;
}

/* The index of an element of the list after all waiting insertions. */
static uint64_t place_among(const mst_insertions *insertions, uint64_t index) {
    MST_LOWER_BOUND(low, middle, waiting(insertions), item_at(insertions, middle)->index <= index);
    return index + low;
}

/* Completes an element. */
static mst_status complete(mst_insertions *insertions, mst_insertion *what, mst_arena *arena,
                           mst_diagnostic *diagnostic) {
    mst_likes *likes = &insertions->likes;
    size_t known = likes->count;
    const char *json = what->json;
    mst_status status = mst_complete(insertions->document, what->path, json, insertions->options, arena,
                                     &what->json, likes, diagnostic);
    if (likes->count > known)
        likes->items[known].index = place_among(insertions, likes->items[known].index);
    return status;
}

/* Whether a waiting element may be more similar to the completed one than its source, or precede that
 * source. */
static bool may_be_like(const mst_insertions *insertions) {
    const mst_likes *likes = &insertions->likes;
    uint64_t first = waiting(insertions) ? index_of(insertions, 0) : UINT64_MAX;
    return first != UINT64_MAX && (likes->partly || likes->pairs_at > first ||
                                   ((insertions->unkeyed || insertions->expands) && likes->like_at > first));
}

/* Whether an element is given in the format's own form, which also inserts elements into other lists. */
static mst_status expands(const mst_insertions *insertions, mst_insertion *what, mst_arena *arena,
                          mst_diagnostic *diagnostic) {
    const mst_format *format = insertions->document->format;
    mst_status status = MST_OPTION(format->adding, expands)
                            ? format->adding->expands(insertions->list, what->json, arena, diagnostic)
                            : MST_UNKNOWN;
    what->expands = status == MST_OK;
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* Adds a waiting element: first completes it, unless its completion also has to wait. */
static mst_status add(mst_insertions *insertions, mst_insertion *what, mst_arena *arena, bool *done,
                      mst_diagnostic *diagnostic) {
    uint64_t end = insertions->count + waiting(insertions);
    mst_status status = expands(insertions, what, arena, diagnostic);
    if (status == MST_OK && what->expands && (what->index < end || insertions->unkeyed)) {
        /* its completion depends on the elements before it */
        status = mst_insertions_settle(insertions, diagnostic);
        *done = status == MST_OK && what->index == end && find_list(insertions, what->path, arena, &end);
    } else if (status == MST_OK && !what->expands) {
        const char *json = what->json;
        status = complete(insertions, what, arena, diagnostic);
        if ((status == MST_OK || status == MST_NO_PATH) && may_be_like(insertions)) {
            status = mst_insertions_settle(insertions, diagnostic);
            *done = status == MST_OK && find_list(insertions, what->path, arena, &end);
            what->json = json;
            if (*done)
                status = complete(insertions, what, arena, diagnostic);
        }
    }
    if (!*done || status != MST_OK)
        return status;
    bool known = insertions->likes.kind || !insertions->kinds;
    insertions->unkeyed = insertions->unkeyed || (!what->expands && !known);
    insertions->expands = insertions->expands || what->expands;
    known = known && !what->expands;
    status = put(insertions, what);
    return status == MST_OK && known ? mst_likes_came(&insertions->likes, what->index, what->json) : status;
}

mst_status mst_insertions_add(mst_insertions *insertions, const char *path, const char *json, bool *done,
                              mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_insertion what = {.path = path, .json = json, .copied = UINT64_MAX};
    mst_arena_begin(&arena, &insertions->document->allocator, 0);
    mst_status status = MST_OK;
    *done = !insertions->ids.key && find_list(insertions, path, &arena, &what.index);
    if (!*done && insertions->list) {
        status = mst_insertions_settle(insertions, diagnostic);
        *done = status == MST_OK && find_list(insertions, path, &arena, &what.index);
    }
    if (*done && status == MST_OK)
        status = add(insertions, &what, &arena, done, diagnostic);
    mst_arena_end(&arena);
    return status;
}

/* The waiting element that will be at an index, and how many wait before it; NULL: none. */
static const mst_insertion *waiting_at(const mst_insertions *insertions, uint64_t index, size_t *before) {
    MST_LOWER_BOUND(low, middle, waiting(insertions), index_of(insertions, middle) < index);
    *before = low;
    return low < waiting(insertions) && index_of(insertions, low) == index ? item_at(insertions, low) : NULL;
}

/* Whether copies can wait in the list: if others refer to its elements by id, only together with other
 * copies. */
static bool can_copy(mst_insertions *insertions) {
    const mst_value *list = &insertions->value;
    const char *key = mst_key_of(insertions->document->format, mst_field_of(list));
    return !key || insertions->ids.key || MST_OPTION(insertions->document->format->editing, numbers_copies) ||
           (!waiting(insertions) &&
            mst_fresh_ids_begin(&insertions->ids, list, key, &insertions->arena) == MST_OK);
}

mst_status mst_insertions_copy(mst_insertions *insertions, const char *path, const char *to, bool *done,
                               mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_value element;
    const char *json = NULL, *digits = to;
    const mst_insertion *found = NULL;
    uint64_t index = 0, made, total;
    size_t before = 0;
    mst_status status = MST_OK;
    mst_arena_begin(&arena, &insertions->document->allocator, 0);
    *done = find_list(insertions, path, &arena, &index) && can_copy(insertions);
    total = *done ? insertions->count + waiting(insertions) : 0;
    made = *done ? index + 1 : 0;
    if (*done)
        found = waiting_at(insertions, index, &before);
    if (*done && !found)
        *done = index < total && mst_landmarks_element(&insertions->landmarks, &insertions->value,
                                                       index - before, &element) == MST_OK;
    if (*done && to)
        *done = mst_path_index(&digits, total, &made) && !*digits && made <= total;
    if (*done && made == total)
        *done = mst_come_together(&insertions->value, 1, true);
    *done = *done && (!found || !found->expands);
    bool named = true; /* or unknown */
    if (*done && (!found || found->copied != UINT64_MAX))
        status = mst_renames_has(&insertions->value, found ? found->copied : index - before, &named);
    insertions->named = insertions->named || named;
    *done = *done && status == MST_OK;
    if (!*done && status == MST_OK)
        status = mst_insertions_settle(insertions, diagnostic);
    if (*done && !found)
        status = mst_value_text(&element, &arena, &json, diagnostic);
    else if (*done)
        json = found->json;
    if (*done && status == MST_OK && insertions->ids.key) {
        status = mst_fresh_ids_renew(&insertions->ids, &json, &arena);
        *done = status != MST_UNSUPPORTED;
        if (!*done)
            status = mst_insertions_settle(insertions, diagnostic);
    }
    if (*done && status == MST_OK) {
        mst_insertion what = {.index = made, .json = json};
        what.copied = found ? found->copied : index - before;
        what.path = mst_arena_printf(&arena, "%s[%llu]", insertions->list, (unsigned long long)made);
        status = what.path ? put(insertions, &what) : MST_NO_MEMORY;
        insertions->unkeyed = insertions->kinds;
    }
    mst_arena_end(&arena);
    return status;
}
