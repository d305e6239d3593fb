/* SPDX-License-Identifier: MIT */
/* Both versions of elements that both sides changed: next to the element in the level, a copy with their
 * values is inserted. The values are read from a second result in which theirs was applied, because its
 * references name the right elements; its lists have the same elements. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../edit/assign.h"
#include "../tables/fields.h"
#include "merging.h"
#include <mapstone/edit.h>
#include <stdlib.h>

#define ONE_BY_ONE 64 /* elements, if not all of them can have copies */

/* ---- copies ------------------------------------------------------------------------------------------ */

static int by_element(const void *left, const void *right) {
    const mst_held *const *a = left, *const *b = right;
    int order = strcmp((*a)->list, (*b)->list);
    return order ? order : ((*a)->index > (*b)->index) - ((*a)->index < (*b)->index);
}

static bool same_element(const mst_held *a, const mst_held *b) {
    return a->index == b->index && strcmp(a->list, b->list) == 0;
}

static const char *element_path(const mst_held *held, uint64_t index, const char *below, mst_arena *arena) {
    return mst_arena_printf(arena, "%s[%llu]%s%s", held->list, (unsigned long long)index,
                            *below && *below != '[' ? "." : "", below);
}

/* The JSON of a value; NULL if it is missing. */
static mst_status text_at(const mst_document *document, const char *path, mst_arena *arena,
                          const char **json) {
    mst_value value;
    *json = NULL;
    if (!path)
        return MST_NO_MEMORY;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK
               ? mst_value_text(&value, arena, json, NULL)
               : MST_OK;
}

/* Gives the copy of an element one value of theirs. */
static mst_status copy_value(mst_merge_state *m, mst_transaction *edit, const mst_document *result,
                             const mst_document *other, const mst_held *held) {
    const char *json = NULL, *ours = NULL;
    const char *from = element_path(held, held->index, held->below, m->arena);
    mst_operation one = {.kind = MST_OPERATION_SET,
                         .path = element_path(held, held->index + 1, held->below, m->arena),
                         .assignment = MST_ASSIGN_OR_ADD};
    mst_status status = text_at(other, from, m->arena, &json);
    if (status == MST_OK)
        status = text_at(result, from, m->arena, &ours);
    if (status != MST_OK || (!json && !ours))
        return status;
    if (json && ours)
        one.assignment = MST_ASSIGN;
    one.value = json;
    if (!json)
        one.kind = MST_OPERATION_REMOVE;
    return one.path ? mst_edit_apply(edit, &one, NULL) : MST_NO_MEMORY;
}

/* Makes the copies for some conflicts, which are in the order of their elements. Copies are made from the
 * last element to the first, so that the others keep their indices. */
static mst_status copy_all(mst_merge_state *m, mst_document *result, const mst_document *other,
                           mst_held **all, size_t count) {
    const mst_edit_options how = {.size = sizeof how, .checks = m->options.checks};
    mst_transaction *edit = NULL;
    mst_status status = mst_edit_begin(result, &how, &edit, NULL);
    for (size_t end = count, begin; end && status == MST_OK; end = begin) {
        for (begin = end - 1; begin && same_element(all[begin - 1], all[begin]);)
            begin--;
        mst_operation copy = {.kind = MST_OPERATION_DUPLICATE,
                              .path = element_path(all[begin], all[begin]->index, "", m->arena)};
        status = copy.path ? mst_edit_apply(edit, &copy, NULL) : MST_NO_MEMORY;
        for (size_t i = begin; i < end && status == MST_OK; i++)
            status = copy_value(m, edit, result, other, all[i]);
    }
    if (status != MST_OK) {
        mst_edit_abort(edit);
        return status;
    }
    status = mst_edit_commit(edit, NULL);
    for (size_t i = 0; i < count && status == MST_OK; i++)
        all[i]->marked = true;
    return status;
}

/* Whether the element at an index has the values of theirs. */
static mst_status is_copy(mst_merge_state *m, const mst_document *result, const mst_document *other,
                          mst_held *const *all, size_t count, uint64_t index, bool *is) {
    mst_status status = MST_OK;
    *is = true;
    for (size_t i = 0; i < count && status == MST_OK && *is; i++) {
        const char *theirs = NULL, *here = NULL;
        status =
            text_at(other, element_path(all[i], all[i]->index, all[i]->below, m->arena), m->arena, &theirs);
        if (status == MST_OK)
            status = text_at(result, element_path(all[i], index, all[i]->below, m->arena), m->arena, &here);
        *is = status == MST_OK && (theirs && here ? strcmp(theirs, here) == 0 : !theirs && !here);
    }
    return status;
}

/* Reports the positions of the copies: the format may want them elsewhere in their list. */
static mst_status name_copies(mst_merge_state *m, const mst_document *result, const mst_document *other,
                              mst_held **all, size_t count) {
    uint64_t before = 0; /* copies in the same list */
    mst_status status = MST_OK;
    for (size_t begin = 0, end; begin < count && status == MST_OK; begin = end) {
        bool is = false;
        for (end = begin + 1; end < count && same_element(all[begin], all[end]);)
            end++;
        if (begin && strcmp(all[begin - 1]->list, all[begin]->list) != 0)
            before = 0;
        if (!all[begin]->marked)
            continue;
        uint64_t at = all[begin]->index + ++before;
        status = is_copy(m, result, other, &all[begin], end - begin, at, &is);
        const char *path = is ? element_path(all[begin], at, "", m->arena) : all[begin]->list;
        for (size_t i = begin; i < end; i++)
            all[i]->conflict.marked = path;
    }
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static mst_status mark(mst_merge_state *m, mst_document *result, const mst_document *other, mst_held **all,
                       size_t count, bool *any) {
    mst_status status = copy_all(m, result, other, all, count);
    *any = status == MST_OK;
    size_t elements = 0;
    for (size_t end = count, begin; end && !*any && status != MST_NO_MEMORY && elements++ < ONE_BY_ONE;
         end = begin) {
        for (begin = end - 1; begin && same_element(all[begin - 1], all[begin]);)
            begin--;
        status = copy_all(m, result, other, &all[begin], end - begin);
    }
    for (size_t i = 0; i < count; i++)
        *any = *any || all[i]->marked;
    if (status != MST_NO_MEMORY)
        status = name_copies(m, result, other, all, count);
    return status;
}

static mst_status mark_all(mst_merge_state *m, mst_document *result, const mst_document *other, bool *any) {
    mst_held *held = m->held.items, **all = mst_arena_take(m->arena, m->held.count + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all && i < m->held.count; i++)
        if (held[i].list)
            all[count++] = &held[i];
    if (!all)
        return MST_NO_MEMORY;
    qsort(all, count, sizeof *all, by_element);
    return mark(m, result, other, all, count, any);
}

mst_status mst_merge_mark(mst_merge_state *m, mst_document **result) {
    const mst_held *held = m->held.items;
    size_t count = 0, more = m->more.count;
    for (size_t i = 0; i < m->held.count; i++)
        count += held[i].list != NULL;
    if (!count)
        return MST_OK;
    mst_document *other = NULL, *both = NULL;
    bool any = false;
    m->marking = true;
    mst_status status = mst_merge_result(m, &other);
    m->marking = false;
    if (status == MST_OK)
        status = mst_merge_result(m, &both); /* it also has the elements restored for references of theirs */
    if (status == MST_OK)
        status = mark_all(m, both, other, &any);
    if (status == MST_OK && any) {
        mst_close(*result);
        *result = both;
        both = NULL;
    }
    m->more.count = any ? m->more.count : more;
    mst_close(other);
    mst_close(both);
    return status == MST_REFUSED ? MST_OK : status;
}
