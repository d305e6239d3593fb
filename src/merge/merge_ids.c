/* SPDX-License-Identifier: MIT */
/*
 * Ids of elements that both sides inserted: programs take the next free id, so both sides have given the same
 * one to different elements. Theirs get new ids, and all of their references to them are updated, before the
 * two are merged.
 */
#include "../check/memberships.h"
#include "../check/numbers.h"
#include "../core/lower_bound.h"
#include "../edit/follow.h"
#include "../edit/single_edit.h"
#include "../tables/fields.h"
#include "merging.h"
#include <stdlib.h>

typedef struct renewed {
    const mst_field *field; /* the list in their document */
    uint64_t list, element; /* its offset, and the element's index */
    const char *path, *key;
    uint64_t from, to;
} renewed;

typedef struct renew_state {
    mst_merge_state *m;
    mst_array all; /* renewed */
    uint8_t *bytes;
    mst_numbers_walk walk;
} renew_state;

/* ---- which ------------------------------------------------------------------------------------------- */

mst_status mst_ids_of(const mst_value *list, const char *key, mst_arena *arena, mst_ids *ids) {
    mst_value element;
    *ids = (mst_ids){.items = mst_arena_take(arena, (size_t)mst_count(list) + 1, sizeof *ids->items)};
    if (!ids->items)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element);)
        ids->count += mst_refers_id_of(&element, key, &ids->items[ids->count]);
    if (ids->count)
        qsort(ids->items, ids->count, sizeof *ids->items, mst_by_number);
    return MST_OK;
}

size_t mst_ids_times(const mst_ids *ids, uint64_t id) {
    size_t count = 0;
    MST_LOWER_BOUND(low, middle, ids->count, ids->items[middle] < id);
    while (low + count < ids->count && ids->items[low + count] == id)
        count++;
    return count;
}

/* Whether ours inserted a different element with the same id. */
static bool ours_has_another(const mst_list_change *ours, const mst_value *list, const char *key, uint64_t id,
                             const mst_patch_step *theirs) {
    mst_value element;
    uint64_t one, at = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element) && at < ours->new_count; at++)
        if (ours->inserted[at] && mst_refers_id_of(&element, key, &one) && one == id)
            return !ours->inserted[at]->now || !theirs->now ||
                   strcmp(ours->inserted[at]->now, theirs->now) != 0;
    return false;
}

/* The next unused id after `id`; `id` itself if there is none. */
static uint64_t unused_after(const renew_state *r, const mst_ids both[2], const mst_no_keys *none,
                             const char *path, uint64_t id, uint64_t last) {
    const renewed *all = r->all.items;
    for (uint64_t next = id; next < last;) {
        bool taken =
            mst_ids_times(&both[0], ++next) || mst_ids_times(&both[1], next) || mst_is_no_key(none, next);
        for (size_t i = 0; i < r->all.count && !taken; i++)
            taken = all[i].to == next && strcmp(all[i].path, path) == 0;
        if (!taken)
            return next;
    }
    return id;
}

static mst_status find_in_list(renew_state *r, const mst_list_change *theirs) {
    const mst_merge_state *m = r->m;
    const mst_list_change *ours = mst_change_called(m->lists[0], theirs->path);
    mst_value lists[2], element, value;
    if (!ours || strchr(theirs->path, '[') ||
        mst_find(mst_root(m->ours), theirs->path, &lists[0], NULL) != MST_OK ||
        mst_find(mst_root(m->theirs), theirs->path, &lists[1], NULL) != MST_OK)
        return MST_OK;
    const char *key = mst_key_of(m->base->format, mst_field_of(&lists[1]));
    mst_ids both[2] = {{.count = 0}, {.count = 0}};
    mst_no_keys none;
    mst_status status = MST_OK;
    for (int side = 0; side < 2 && key && status == MST_OK; side++)
        status = mst_ids_of(&lists[side], key, m->arena, &both[side]);
    if (!key || status != MST_OK)
        return status;
    mst_no_keys_of(m->base->format, mst_field_of(&lists[1]), &none);
    uint64_t at = 0, id;
    for (mst_iterator it = mst_iterate(&lists[1]); mst_next(&it, &element) && at < theirs->new_count; at++) {
        if (!theirs->inserted[at] || mst_member(&element, key, &value) != MST_OK ||
            !mst_is_number(mst_field_of(&value)) || !mst_refers_id_of(&element, key, &id) ||
            mst_is_no_key(&none, id) || mst_ids_times(&both[0], id) != 1 ||
            mst_ids_times(&both[1], id) != 1 ||
            !ours_has_another(ours, &lists[0], key, id, theirs->inserted[at]))
            continue;
        uint64_t to = unused_after(r, both, &none, theirs->path, id, mst_bits_in(mst_field_of(&value)));
        renewed *one = to != id ? mst_array_push(&r->all, 1) : NULL;
        if (to != id && !one)
            return MST_NO_MEMORY;
        if (one)
            *one = (renewed){mst_field_of(&lists[1]), 0, at, theirs->path, key, id, to};
    }
    return MST_OK;
}

/* ---- the numbers ------------------------------------------------------------------------------------- */

static const renewed *renewed_of(const renew_state *r, const mst_value *list, size_t *next) {
    const renewed *all = r->all.items;
    for (; *next < r->all.count; ++*next)
        if (all[*next].list == list->offset && all[*next].field == list->field)
            return &all[(*next)++];
    return NULL;
}

/* The position of a bit that is counted across the numbers of a list, or within each of them. */
static bool place_of_bit(const mst_numbers *n, const mst_refers *fact, uint64_t bit, uint32_t component,
                         uint32_t *at, uint64_t *mask) {
    unsigned bits = 8 * mst_kind_width[n->field->kind];
    *at = fact->apart ? component : (uint32_t)(bit / bits);
    *mask = bit < (fact->apart ? bits : (uint64_t)bits * n->components) ? UINT64_C(1) << bit % bits : 0;
    return *mask && (!fact->mask || (*mask & fact->mask));
}

static void move_bit(const renew_state *r, const mst_numbers *n, const mst_refers *fact, uint64_t offset,
                     uint32_t component, const renewed *one) {
    unsigned width = mst_kind_width[n->field->kind];
    bool big = mst_field_big(r->walk.document, n->field);
    uint32_t at[2];
    uint64_t masks[2];
    if (!place_of_bit(n, fact, one->from, component, &at[0], &masks[0]) ||
        !place_of_bit(n, fact, one->to, component, &at[1], &masks[1]) || at[0] != component)
        return;
    uint8_t *from = r->bytes + offset + (uint64_t)at[0] * width,
            *to = r->bytes + offset + (uint64_t)at[1] * width;
    if (!(mst_load(from, width, big) & masks[0]))
        return;
    mst_store(from, width, mst_load(from, width, big) & ~masks[0], big);
    mst_store(to, width, mst_load(to, width, big) | masks[1], big);
}

static void rename_number(const renew_state *r, const mst_numbers *n, const mst_refers *fact, uint64_t offset,
                          uint32_t component, const renewed *one) {
    unsigned width = mst_kind_width[n->field->kind];
    bool big = mst_field_big(r->walk.document, n->field);
    uint8_t *number = r->bytes + offset + (uint64_t)component * width;
    uint64_t stored = mst_load(number, width, big), mask = fact->mask ? fact->mask : UINT64_MAX;
    if ((stored & mask) == one->from && (one->to & ~mask) == 0 &&
        !mst_refers_is_none(fact, stored, width, component) &&
        (!fact->about || fact->about(r->walk.document, stored)))
        mst_store(number, width, (stored & ~mask) | one->to, big);
}

static mst_status visit(mst_numbers_walk *walk, const mst_numbers *n) {
    renew_state *r = walk->user;
    for (uint8_t i = 0; i < n->field->refers_count; i++) {
        const mst_refers *fact = &n->field->refers[i];
        const mst_referred *target = NULL;
        const renewed *one;
        size_t next = 0;
        if (fact->by == MST_BY_INDEX)
            continue;
        mst_status status = mst_refers_look_up(&walk->refers, fact, &target);
        if (status != MST_OK)
            return status;
        while (target && target->target.document && (one = renewed_of(r, &target->target, &next)))
            for (uint64_t e = 0; e < n->count; e++)
                for (uint32_t c = 0; mst_numbers_apply(walk, n, fact, e) && c < n->components; c++)
                    (fact->by == MST_BY_BIT ? move_bit : rename_number)(r, n, fact, n->offset + e * n->stride,
                                                                        c, one);
    }
    return MST_OK;
}

static mst_status renew(renew_state *r, mst_document *theirs) {
    renewed *all = r->all.items;
    mst_value list, element, value;
    r->bytes = mst_edit_bytes(theirs);
    r->walk = (mst_numbers_walk){.document = theirs, .user = r, .numbers = visit};
    for (size_t i = 0; i < r->all.count; i++)
        if (mst_find(mst_root(theirs), all[i].path, &list, NULL) == MST_OK)
            all[i].list = list.offset;
    mst_status status = mst_refers_begin(&r->walk.refers, theirs, r->m->arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&r->walk, r->m->diagnostic);
    for (size_t i = 0; i < r->all.count && status == MST_OK; i++) {
        status = mst_find(mst_root(theirs), all[i].path, &list, r->m->diagnostic);
        if (status == MST_OK && mst_element(&list, all[i].element, &element) == MST_OK &&
            mst_member(&element, all[i].key, &value) == MST_OK)
            mst_store(r->bytes + value.offset, mst_kind_width[mst_field_of(&value)->kind], all[i].to,
                      mst_field_big(theirs, mst_field_of(&value)));
    }
    return status == MST_OK ? mst_edit_reopen(theirs, r->m->diagnostic) : status;
}

mst_status mst_merge_renew_ids(mst_merge_state *m, mst_document **theirs) {
    renew_state r = {.m = m};
    mst_status status = MST_OK;
    *theirs = NULL;
    r.all = (mst_array){.element_size = sizeof(renewed), .allocator = m->arena->allocator};
    for (const mst_list_change *list = m->lists[1]; list && status == MST_OK; list = list->next)
        status = find_in_list(&r, list);
    if (status == MST_OK && r.all.count)
        status = mst_edit_copy(m->theirs, theirs, m->diagnostic);
    if (status == MST_OK && r.all.count)
        status = renew(&r, *theirs);
    mst_array_free(&r.all);
    return status;
}

/* ---- removed elements -------------------------------------------------------------------------------- */

#define LISTS 8 /* lists whose elements can have members; no format has as many */

typedef struct leave_state {
    mst_merge_state *m;
    uint8_t *bytes;
    mst_numbers_walk walk;
    struct {
        const char *target;
        mst_ids before; /* in the base document */
    } lists[LISTS];
    size_t count;
} leave_state;

/* The ids of the elements of a fact's list in the base document; NULL if there was no such list. */
static mst_status ids_before(leave_state *l, const mst_refers *fact, const mst_ids **before) {
    mst_value list;
    *before = NULL;
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->lists[i].target, fact->target) == 0)
            *before = &l->lists[i].before;
    if (*before || l->count == LISTS || mst_find(mst_root(l->m->base), fact->target, &list, NULL) != MST_OK)
        return MST_OK;
    l->lists[l->count].target = fact->target;
    *before = &l->lists[l->count].before;
    return mst_ids_of(&list, fact->key, l->m->arena, &l->lists[l->count++].before);
}

static bool is_gone(const mst_ids *before, const mst_referred *now, uint64_t id) {
    return mst_ids_times(before, id) && (!now->count || !mst_refers_has_id(now, id));
}

static void let_go(const leave_state *l, const mst_numbers *n, const mst_refers *fact,
                   const mst_referred *now, const mst_ids *before, uint64_t offset, uint32_t component) {
    const unsigned width = mst_kind_width[n->field->kind];
    const bool big = mst_field_big(l->walk.document, n->field);
    uint8_t *number = l->bytes + offset + (uint64_t)component * width;
    const uint64_t stored = mst_load(number, width, big);
    uint64_t left = stored, ids[MST_MEMBERSHIPS];
    const unsigned count = mst_memberships(fact, stored, width, component, ids);
    for (unsigned i = 0; i < count; i++)
        if ((fact->by == MST_BY_BIT || fact->nones) && is_gone(before, now, ids[i]))
            left = mst_without_membership(fact, left, width, component, ids[i]);
    if (left != stored)
        mst_store(number, width, left, big);
}

static mst_status visit_members(mst_numbers_walk *walk, const mst_numbers *n) {
    leave_state *l = walk->user;
    for (uint8_t i = 0; i < n->field->refers_count; i++) {
        const mst_refers *fact = &n->field->refers[i];
        const mst_referred *now = NULL;
        const mst_ids *before = NULL;
        if (!mst_is_membership(fact))
            continue;
        mst_status status = mst_refers_look_up(&walk->refers, fact, &now);
        if (status == MST_OK && now && (!now->by_place || !now->count)) /* else the version has no ids */
            status = ids_before(l, fact, &before);
        if (status != MST_OK)
            return status;
        for (uint64_t e = 0; before && e < n->count; e++)
            for (uint32_t c = 0; mst_numbers_apply(walk, n, fact, e) && c < n->components; c++)
                let_go(l, n, fact, now, before, n->offset + e * n->stride, c);
    }
    return MST_OK;
}

/* Whether an id that members refer to no longer exists. */
static mst_status find_gone(leave_state *l, const mst_document *result, bool *any) {
    for (mst_fields it = mst_fields_of_format(result->format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count && !*any; i++) {
            const mst_refers *fact = &it.field->refers[i];
            const mst_ids *before = NULL;
            mst_ids now = {.count = 0};
            mst_value list;
            mst_status status = mst_is_membership(fact) ? ids_before(l, fact, &before) : MST_OK;
            if (status == MST_OK && before && mst_find(mst_root(result), fact->target, &list, NULL) == MST_OK)
                status = mst_ids_of(&list, fact->key, l->m->arena, &now);
            if (status != MST_OK)
                return status;
            for (size_t k = 0; before && k < before->count && !*any; k++)
                *any = !mst_ids_times(&now, before->items[k]);
        }
    return MST_OK;
}

mst_status mst_merge_let_go(mst_merge_state *m, mst_document *result) {
    leave_state l = {.m = m, .bytes = mst_edit_bytes(result)};
    l.walk = (mst_numbers_walk){.document = result, .user = &l, .numbers = visit_members};
    bool any = false;
    mst_status status = find_gone(&l, result, &any);
    if (status != MST_OK || !any)
        return status;
    status = mst_refers_begin(&l.walk.refers, result, m->arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&l.walk, m->diagnostic);
    return status == MST_OK ? mst_edit_reopen(result, m->diagnostic) : status;
}
