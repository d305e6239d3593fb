/* SPDX-License-Identifier: MIT */
/*
 * Things that one side put into an element that the other side removed, such as a layer or a group: that is a
 * conflict, because without the element the thing would silently not be where it was put. Things that were in
 * it in the base document leave it, as they do on the side that removed it (merge_ids.c); where the element
 * stays, because of this conflict or of another one, they stay in it.
 */
#include "../check/memberships.h"
#include "../check/numbers.h"
#include "../core/lower_bound.h"
#include "../edit/follow.h"
#include "../tables/fields.h"
#include "merging.h"
#include <stdlib.h>

/* An element that a side removed. */
typedef struct removed {
    const char *target;
    uint64_t id;
    mst_patch_step *step;
    bool stays; /* after a conflict */
    bool said;  /* its conflict */
} removed;

/* A number that makes something a member of a removed element. */
typedef struct member {
    uint64_t offset;
    size_t of;     /* index of the removed element */
    uint64_t rest; /* the number without it, of `width` bytes */
    unsigned width;
    bool goes; /* the value that has the number cannot exist without the element */
} member;

typedef struct join_state {
    mst_merge_state *m;
    int side; /* that added a member; the other one removed the element */
    mst_array removed;
    mst_array members[2];          /* of the base document, and of the side; by offset */
    mst_landmarks joiner, remover; /* of the side, and of the other one */
    mst_numbers_walk walk;
    int at; /* whose members are collected */
} join_state;

static const mst_document *document_of(const join_state *j, int side) {
    return side ? j->m->theirs : j->m->ours;
}

/* ---- removed elements ------------------------------------------------------------------------------- */

/* The first removed element of that list whose id is not smaller; the count of all if there is none. */
static size_t removed_at(const join_state *j, const char *target, uint64_t id) {
    const removed *all = j->removed.items;
    MST_LOWER_BOUND(low, middle, j->removed.count,
                    strcmp(all[middle].target, target) < 0 ||
                        (strcmp(all[middle].target, target) == 0 && all[middle].id < id));
    return low;
}

static int by_id(const void *left, const void *right) {
    const removed *a = left, *b = right;
    const int order = strcmp(a->target, b->target);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* Whether an element that ours removed returns. */
static bool is_revived(const mst_merge_state *m, const mst_patch_step *removal) {
    const mst_patch_step *all = m->more.items;
    for (size_t i = 0; i < m->more.count; i++)
        if (all[i].revives && all[i].to == removal->index && strcmp(all[i].list, removal->list) == 0)
            return true;
    return false;
}

static mst_status note_removed(join_state *j, const mst_refers *fact) {
    const mst_patch_steps *steps = &j->m->steps[1 - j->side];
    const removed *all = j->removed.items;
    mst_value before, element;
    mst_ids ids[2] = {{.count = 0}, {.count = 0}};
    const mst_ids *left = &ids[1 - j->side], *there = &ids[j->side];
    mst_status status = MST_OK;
    uint64_t id;
    for (size_t i = 0; i < j->removed.count; i++)
        if (strcmp(all[i].target, fact->target) == 0) /* by another field, such as of faces and of objects */
            return MST_OK;
    if (mst_find(mst_root(j->m->base), fact->target, &before, NULL) != MST_OK)
        return MST_OK;
    for (int side = 0; side < 2 && status == MST_OK; side++) {
        mst_value list;
        if (mst_find(mst_root(document_of(j, side)), fact->target, &list, NULL) == MST_OK)
            status = mst_ids_of(&list, fact->key, j->m->arena, &ids[side]);
    }
    for (size_t i = 0; i < steps->count && status == MST_OK; i++) {
        mst_patch_step *step = &steps->items[i];
        if (step->kind != MST_STEP_REMOVE || !step->list || strcmp(step->list, fact->target) != 0 ||
            mst_landmarks_element(&j->m->landmarks, &before, step->index, &element) != MST_OK ||
            !mst_refers_id_of(&element, fact->key, &id) || mst_ids_times(left, id) ||
            (step->left_out && !mst_ids_times(there, id))) /* both removed it */
            continue;
        const bool stays = j->side ? is_revived(j->m, step) : step->left_out;
        removed *one = mst_array_push(&j->removed, 1);
        if (!one)
            return MST_NO_MEMORY;
        *one = (removed){.target = fact->target, .id = id, .step = step, .stays = stays, .said = stays};
    }
    return status;
}

static mst_status note_all_removed(join_state *j) {
    mst_status status = MST_OK;
    for (mst_fields it = mst_fields_of_format(j->m->base->format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count && status == MST_OK; i++)
            if (mst_is_membership(&it.field->refers[i]))
                status = note_removed(j, &it.field->refers[i]);
    if (j->removed.count)
        qsort(j->removed.items, j->removed.count, sizeof(removed), by_id);
    return status;
}

/* ---- their members ----------------------------------------------------------------------------------- */

static mst_status note_member(join_state *j, const mst_numbers *n, const mst_refers *fact, uint64_t offset,
                              uint32_t component) {
    const removed *all = j->removed.items;
    const unsigned width = mst_kind_width[n->field->kind];
    const uint64_t stored =
        mst_load(j->walk.document->data + offset, width, mst_field_big(j->walk.document, n->field));
    uint64_t ids[MST_MEMBERSHIPS];
    const unsigned count = mst_memberships(fact, stored, width, component, ids);
    for (unsigned i = 0; i < count; i++)
        for (size_t of = removed_at(j, fact->target, ids[i]);
             of < j->removed.count && all[of].id == ids[i] && strcmp(all[of].target, fact->target) == 0;
             of++) {
            member *one = mst_array_push(&j->members[j->at], 1);
            if (!one)
                return MST_NO_MEMORY;
            *one = (member){offset, of, mst_without_membership(fact, stored, width, component, ids[i]), width,
                            fact->by != MST_BY_BIT && !fact->nones};
        }
    return MST_OK;
}

static mst_status note_members(join_state *j, const mst_numbers *n, const mst_refers *fact) {
    const unsigned width = mst_kind_width[n->field->kind];
    mst_status status = MST_OK;
    for (uint64_t e = 0; e < n->count; e++)
        for (uint32_t c = 0; mst_numbers_apply(&j->walk, n, fact, e) && c < n->components && status == MST_OK;
             c++)
            status = note_member(j, n, fact, n->offset + e * n->stride + (uint64_t)c * width, c);
    return status;
}

static mst_status visit(mst_numbers_walk *walk, const mst_numbers *n) {
    join_state *j = walk->user;
    mst_status status = MST_OK;
    for (uint8_t i = 0; i < n->field->refers_count && status == MST_OK; i++)
        if (mst_is_membership(&n->field->refers[i]))
            status = note_members(j, n, &n->field->refers[i]);
    return status;
}

static int by_offset(const void *left, const void *right) {
    const member *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static mst_status find_members(join_state *j, const mst_document *document, int at) {
    j->at = at;
    j->walk = (mst_numbers_walk){.document = document, .user = j, .numbers = visit};
    mst_status status = mst_refers_begin(&j->walk.refers, document, j->m->arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&j->walk, j->m->diagnostic);
    if (j->members[at].count)
        qsort(j->members[at].items, j->members[at].count, sizeof(member), by_offset);
    return status;
}

/* The members within a part of the document. */
static const member *within(const mst_array *members, uint64_t from, uint64_t end, size_t *count) {
    const member *all = members->items;
    MST_LOWER_BOUND(low, middle, members->count, all[middle].offset < from);
    *count = 0;
    while (low + *count < members->count && all[low + *count].offset < end)
        ++*count;
    return *count ? all + low : NULL;
}

/* ---- how each step affects them ---------------------------------------------------------------------- */

/* Whether a step does nothing but take a member out of a removed element, `index`. */
static bool only_leaves(join_state *j, const mst_patch_step *step, size_t *index) {
    const mst_document *document = document_of(j, 1 - j->side);
    const uint64_t size = step->end - step->from;
    size_t count;
    mst_value value;
    if (step->kind != MST_STEP_SET || step->left_out || !step->has_place)
        return false;
    const member *was = within(&j->members[0], step->from, step->end, &count);
    if (count != 1)
        return false;
    *index = was->of;
    const char *path = mst_path_translated(j->m->lists[1 - j->side], step->key, j->m->arena);
    if (!path || mst_landmarks_find(&j->remover, mst_root(document), path, &value) != MST_OK ||
        mst_value_after(&value) - value.offset != size)
        return false;
    const uint64_t at = was->offset - step->from;
    const uint8_t *before = j->m->base->data + step->from, *now = document->data + value.offset;
    return memcmp(before, now, (size_t)at) == 0 &&
           mst_load(now + at, was->width, mst_field_big(document, mst_field_of(&value))) == was->rest &&
           memcmp(before + at + was->width, now + at + was->width, (size_t)(size - at - was->width)) == 0;
}

/* Whether a step removes a value that cannot exist without the element. */
static bool goes_along(const join_state *j, const mst_patch_step *step, size_t index) {
    size_t count;
    if (step->kind != MST_STEP_REMOVE || step->left_out || !step->has_place || !step->list)
        return false;
    const member *was = within(&j->members[0], step->from, step->end, &count);
    return count == 1 && was->of == index && was->goes;
}

/* The element stays, and so do its former members, which only followed its removal. */
static mst_status let_stay(join_state *j, const removed *one) {
    mst_patch_steps *steps = &j->m->steps[1 - j->side];
    const size_t index = (size_t)(one - (const removed *)j->removed.items);
    mst_status status = j->side ? mst_merge_bring_back(j->m, one->step->list, one->step->index)
                                : mst_merge_hold_back(j->m, one->step);
    for (size_t i = 0; i < steps->count && status == MST_OK; i++) {
        mst_patch_step *step = &steps->items[i];
        const bool goes = goes_along(j, step, index);
        size_t left;
        if (!goes && (!only_leaves(j, step, &left) || left != index))
            continue;
        if (!j->side)
            step->left_out = true;
        else if (goes)
            status = mst_merge_bring_back(j->m, step->list, step->index);
        else
            status = mst_merge_undo(j->m, step);
    }
    return status;
}

/* Asks which side is right, once for each removed element. */
static mst_status decide(join_state *j, removed *one, mst_patch_step *joins) {
    bool theirs_stands = false;
    if (one->said)
        return MST_OK;
    one->said = true;
    mst_status status =
        j->side ? mst_merge_conflict(j->m, MST_CONFLICT_REMOVED_BY_OURS, joins, one->step, &theirs_stands)
                : mst_merge_conflict(j->m, MST_CONFLICT_REMOVED_BY_THEIRS, one->step, joins, &theirs_stands);
    one->stays = theirs_stands == (j->side == 1);
    return status == MST_OK && one->stays ? let_stay(j, one) : status;
}

/* Without the element, a value that put something into it is as before. */
static mst_status drop(join_state *j, mst_patch_step *joins) {
    if (joins->kind != MST_STEP_SET)
        return MST_OK;
    if (!j->side)
        return mst_merge_undo(j->m, joins);
    joins->left_out = true;
    return MST_OK;
}

static mst_status look_at(join_state *j, mst_patch_step *step) {
    const mst_list_change *changes = j->m->lists[j->side];
    const bool sets = step->kind == MST_STEP_SET;
    mst_value value;
    size_t now_count, was_count = 0;
    if ((!sets && step->kind != MST_STEP_INSERT) || step->left_out || step->sort != MST_DIFFERENCE_CONTENT)
        return MST_OK;
    const char *path = sets ? mst_path_translated(changes, step->key, j->m->arena) : step->key;
    if (!path || mst_landmarks_find(&j->joiner, mst_root(document_of(j, j->side)), path, &value) != MST_OK)
        return MST_OK;
    const member *now = within(&j->members[1], value.offset, mst_value_after(&value), &now_count);
    const member *was =
        sets && step->has_place ? within(&j->members[0], step->from, step->end, &was_count) : NULL;
    mst_status status = MST_OK;
    for (size_t i = 0; i < now_count && status == MST_OK; i++) {
        bool joins = true;
        for (size_t k = 0; k < was_count; k++)
            joins = joins && was[k].of != now[i].of;
        removed *one = (removed *)j->removed.items + now[i].of;
        if (joins)
            status = decide(j, one, step);
        if (joins && status == MST_OK && !one->stays)
            status = drop(j, step);
    }
    return status;
}

static mst_status find_joined(join_state *j) {
    const mst_patch_steps *steps = &j->m->steps[j->side];
    mst_status status = note_all_removed(j);
    if (status != MST_OK || !j->removed.count)
        return status;
    status = find_members(j, document_of(j, j->side), 1);
    if (status == MST_OK)
        status = find_members(j, j->m->base, 0);
    removed *all = j->removed.items;
    for (size_t i = 0; i < j->removed.count && status == MST_OK; i++)
        status = all[i].stays ? let_stay(j, &all[i]) : MST_OK;
    for (size_t i = 0; i < steps->count && status == MST_OK; i++)
        status = look_at(j, &steps->items[i]);
    return status;
}

/* A member that only left a removed element is no edit of it. */
static mst_status mark_leaving(join_state *j) {
    mst_patch_steps *steps = &j->m->steps[1 - j->side];
    size_t left;
    mst_status status = note_all_removed(j);
    if (status == MST_OK && j->removed.count)
        status = find_members(j, j->m->base, 0);
    for (size_t i = 0; i < steps->count && status == MST_OK && j->members[0].count; i++)
        if (only_leaves(j, &steps->items[i], &left))
            steps->items[i].sort = MST_DIFFERENCE_PART;
    return status;
}

static mst_status for_sides(mst_merge_state *m, mst_status (*look)(join_state *j)) {
    mst_status status = MST_OK;
    for (int side = 0; side < 2 && status == MST_OK; side++) {
        join_state j = {.m = m, .side = side};
        j.removed = (mst_array){.element_size = sizeof(removed), .allocator = m->arena->allocator};
        j.members[0] = j.members[1] =
            (mst_array){.element_size = sizeof(member), .allocator = m->arena->allocator};
        status = look(&j);
        mst_array_free(&j.removed);
        mst_array_free(&j.members[0]);
        mst_array_free(&j.members[1]);
        mst_landmarks_reset(&j.joiner);
        mst_landmarks_reset(&j.remover);
    }
    return status;
}

mst_status mst_merge_note_members(mst_merge_state *m) {
    return for_sides(m, mark_leaving);
}

mst_status mst_merge_members(mst_merge_state *m) {
    return for_sides(m, find_joined);
}
