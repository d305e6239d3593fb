/* SPDX-License-Identifier: MIT */
/* Elements that nothing refers to after a merge, because each side kept them for something that the other
 * removed. */
#include "../check/numbers.h"
#include "../core/diagnose.h"
#include "../edit/single_edit.h"
#include "merging.h"

/* A list whose elements are removed with the last reference to them. */
typedef struct owned {
    const mst_field *field;
    uint64_t offset, count;
    const char *path;
    uint8_t *used; /* by element */
} owned;

typedef struct count_state {
    mst_numbers_walk walk;
    mst_arena *arena;
    mst_array lists; /* owned */
} count_state;

static owned *owned_of(count_state *c, const mst_value *list) {
    const mst_field *field = list->document ? mst_field_of(list) : NULL;
    owned *lists = c->lists.items;
    if (!field || !(field->flags & MST_FIELD_OWNED))
        return NULL;
    for (size_t i = 0; i < c->lists.count; i++)
        if (lists[i].field == field && lists[i].offset == list->offset)
            return &lists[i];
    return NULL;
}

static mst_status enter(mst_numbers_walk *walk, const mst_item *item) {
    count_state *c = walk->user;
    char path[512];
    if (item->kind != MST_ITEM_BEGIN_LIST || !(item->field->flags & MST_FIELD_OWNED))
        return MST_OK;
    owned *made = mst_array_push(&c->lists, 1);
    if (!made)
        return MST_NO_MEMORY;
    walk->depth--; /* the item names the list */
    size_t length = mst_numbers_item_path(walk, item, path, sizeof path);
    walk->depth++;
    *made = (owned){.field = item->field, .offset = item->offset, .count = item->shape.count};
    made->path = length < sizeof path ? mst_arena_text(c->arena, path, length) : "";
    made->used = made->count < SIZE_MAX ? mst_arena_zero(c->arena, (size_t)made->count + 1, 1) : NULL;
    return made->path && made->used ? MST_OK : MST_NO_MEMORY;
}

static mst_status note_lists(mst_numbers_walk *walk, const mst_numbers *n) {
    (void)walk, (void)n;
    return MST_OK;
}

static mst_status count(mst_numbers_walk *walk, const mst_numbers *n) {
    count_state *c = walk->user;
    for (uint8_t i = 0; i < n->field->refers_count; i++) {
        const mst_refers *fact = &n->field->refers[i];
        const mst_referred *target = NULL;
        mst_status status = fact->by == MST_BY_INDEX && !fact->member
                                ? mst_refers_look_up(&walk->refers, fact, &target)
                                : MST_OK;
        owned *list = target ? owned_of(c, &target->target) : NULL;
        if (status != MST_OK)
            return status;
        if (list)
            mst_numbers_mark(walk, n, fact, list->used, list->count, 1);
    }
    return MST_OK;
}

/* Finds all such lists of a document, and their unreferenced elements. */
static mst_status find(count_state *c, const mst_document *document, mst_arena *arena,
                       mst_diagnostic *diagnostic) {
    *c = (count_state){.arena = arena};
    c->lists = (mst_array){.element_size = sizeof(owned), .allocator = arena->allocator};
    for (int pass = 0; pass < 2; pass++) {
        c->walk = (mst_numbers_walk){.document = document,
                                     .user = c,
                                     .enter = pass ? NULL : enter,
                                     .numbers = pass ? count : note_lists};
        mst_status status = mst_refers_begin(&c->walk.refers, document, arena);
        if (status == MST_OK)
            status = mst_numbers_visit(&c->walk, diagnostic);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static bool is_tidy(const owned *list) {
    for (uint64_t i = 0; i < list->count; i++)
        if (!list->used[i])
            return false;
    return true;
}

static const owned *list_at(const count_state *c, const char *path) {
    const owned *lists = c->lists.items;
    for (size_t i = 0; i < c->lists.count; i++)
        if (strcmp(lists[i].path, path) == 0)
            return &lists[i];
    return NULL;
}

static bool same_bytes(const mst_document *a, const owned *left, uint64_t i, const mst_document *b,
                       const owned *right, uint64_t k) {
    mst_value x, y, list;
    if (mst_find(mst_root(a), left->path, &list, NULL) != MST_OK || mst_element(&list, i, &x) != MST_OK ||
        mst_find(mst_root(b), right->path, &list, NULL) != MST_OK || mst_element(&list, k, &y) != MST_OK)
        return true;
    uint64_t size = mst_value_after(&x) - x.offset;
    return mst_value_after(&y) - y.offset == size &&
           memcmp(a->data + x.offset, b->data + y.offset, (size_t)size) == 0;
}

/* Whether elements can be distinguished by their bytes: no number in them refers to other elements. */
static bool is_plain(const mst_record *record) {
    bool plain = record != NULL;
    for (uint16_t i = 0; plain && i < record->field_count; i++)
        plain = !record->fields[i].refers_count && mst_is_number(&record->fields[i]);
    return plain;
}

static uint64_t loose_in(const owned *list) {
    uint64_t loose = 0;
    for (uint64_t i = 0; i < list->count; i++)
        loose += !list->used[i];
    return loose;
}

/* Whether an element that is loose now was loose in one of the two sides; if there are no more loose elements
 * than before, all of them were, in changed form. */
static bool was_loose(const count_state before[2], const count_state *now, const owned *list,
                      uint64_t index) {
    for (int side = 0; side < 2; side++) {
        const owned *old = list_at(&before[side], list->path);
        if (!old || is_tidy(old))
            continue;
        if (!is_plain(list->field->record) || loose_in(list) <= loose_in(old))
            return true;
        for (uint64_t i = 0; i < old->count; i++)
            if (!old->used[i] &&
                same_bytes(before[side].walk.document, old, i, now->walk.document, list, index))
                return true;
    }
    return false;
}

/* Removes the newly loose elements of the first list that has any. */
static mst_status tidy_one(const count_state before[2], const count_state *now, mst_document *result,
                           mst_arena *arena, bool *any, mst_diagnostic *diagnostic) {
    const owned *lists = now->lists.items;
    *any = false;
    for (size_t i = 0; i < now->lists.count && !*any; i++) {
        const owned *list = &lists[i];
        mst_transaction *edit = NULL;
        mst_status status = MST_OK;
        for (uint64_t k = is_tidy(list) ? 0 : list->count; k-- > 0 && status == MST_OK;) {
            if (list->used[k] || was_loose(before, now, list, k))
                continue;
            mst_operation goes = {.kind = MST_OPERATION_REMOVE};
            goes.path = mst_arena_printf(arena, "%s[%llu]", list->path, (unsigned long long)k);
            if (!edit)
                status = mst_edit_begin(result, NULL, &edit, diagnostic);
            if (status == MST_OK)
                status = goes.path ? mst_edit_apply(edit, &goes, diagnostic) : MST_NO_MEMORY;
            *any = true;
        }
        if (edit && status == MST_OK)
            return mst_edit_commit(edit, diagnostic);
        mst_edit_abort(edit);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

#define ROUNDS 16 /* removed elements can leave others loose */

mst_status mst_merge_tidy(mst_merge_state *m, mst_document *result) {
    const mst_document *const sides[2] = {m->ours, m->theirs};
    count_state before[2] = {{.arena = NULL}, {.arena = NULL}}, now;
    bool any = true;
    mst_status status = MST_OK;
    for (int side = 0; side < 2 && status == MST_OK; side++)
        status = find(&before[side], sides[side], m->arena, m->diagnostic);
    for (int round = 0; round < ROUNDS && any && status == MST_OK; round++) {
        status = find(&now, result, m->arena, m->diagnostic);
        if (status == MST_OK)
            status = tidy_one(before, &now, result, m->arena, &any, m->diagnostic);
        mst_array_free(&now.lists);
    }
    for (int side = 0; side < 2; side++)
        mst_array_free(&before[side].lists);
    return status;
}
