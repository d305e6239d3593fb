/* SPDX-License-Identifier: MIT */
/*
 * Numbers that only list elements by their index, such as the faces of a group: they are removed together
 * with the element that they name, so they also stay or return with it.
 */
#include "../check/numbers.h"
#include "../core/lower_bound.h"
#include "merging.h"
#include <stdlib.h>

typedef struct naming {
    mst_numbers_walk walk;
    mst_array *all;
} naming;

static mst_status note(naming *w, const mst_numbers *n, const mst_refers *fact, uint64_t list) {
    const unsigned width = mst_kind_width[n->field->kind];
    const bool big = mst_field_big(w->walk.document, n->field);
    for (uint64_t e = 0; e < n->count; e++)
        for (uint32_t c = 0; mst_numbers_apply(&w->walk, n, fact, e) && c < n->components; c++) {
            const uint64_t offset = n->offset + e * n->stride + (uint64_t)c * width;
            mst_listing *one = mst_array_push(w->all, 1);
            if (!one)
                return MST_NO_MEMORY;
            *one = (mst_listing){offset, list, mst_load(w->walk.document->data + offset, width, big)};
        }
    return MST_OK;
}

static mst_status visit(mst_numbers_walk *walk, const mst_numbers *n) {
    naming *w = walk->user;
    for (uint8_t i = 0; i < n->field->refers_count; i++) {
        const mst_refers *fact = &n->field->refers[i];
        const mst_referred *target = NULL;
        if (fact->by != MST_BY_INDEX || !fact->member)
            continue;
        mst_status status = mst_refers_look_up(&walk->refers, fact, &target);
        if (status == MST_OK && target && target->target.document)
            status = note(w, n, fact, target->target.offset);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static int by_offset(const void *left, const void *right) {
    const mst_listing *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static mst_status find(mst_merge_state *m) {
    naming w = {.all = &m->named};
    if (m->named_found)
        return MST_OK;
    w.walk = (mst_numbers_walk){.document = m->base, .user = &w, .numbers = visit};
    mst_status status = mst_refers_begin(&w.walk.refers, m->base, m->arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&w.walk, m->diagnostic);
    if (m->named.count)
        qsort(m->named.items, m->named.count, sizeof(mst_listing), by_offset);
    m->named_found = true;
    return status;
}

static bool names(const mst_merge_state *m, const mst_patch_step *step, uint64_t list, uint64_t index) {
    const mst_listing *all = m->named.items;
    if (step->kind != MST_STEP_REMOVE || step->left_out || !step->has_place || step->is_record || !step->list)
        return false;
    MST_LOWER_BOUND(low, middle, m->named.count, all[middle].offset < step->from);
    return low < m->named.count && all[low].offset == step->from && all[low].list == list &&
           all[low].index == index;
}

mst_status mst_merge_named(mst_merge_state *m, int side, const char *list, uint64_t index,
                           mst_status (*keep)(mst_merge_state *m, mst_patch_step *step)) {
    mst_value value;
    mst_status status = find(m);
    if (status != MST_OK || !m->named.count || mst_find(mst_root(m->base), list, &value, NULL) != MST_OK)
        return status;
    for (size_t i = 0; i < m->steps[side].count && status == MST_OK; i++)
        if (names(m, &m->steps[side].items[i], value.offset, index))
            status = keep(m, &m->steps[side].items[i]);
    return status;
}
