/* SPDX-License-Identifier: MIT */
/*
 * A part of the level that ours has not touched is as in theirs, to the byte. Their steps identify elements
 * by their keys and may confuse alike ones, such as vertices at one place: applied to the same part of the
 * base document, they can produce a different part.
 */
#include "../check/numbers.h"
#include "../edit/assign.h"
#include "../edit/single_edit.h"
#include "merging.h"

typedef struct refer_state {
    mst_numbers_walk walk;
    uint64_t from, end; /* of the part */
    bool leaves;        /* a number in it is the index of an element elsewhere */
} refer_state;

static mst_status visit(mst_numbers_walk *walk, const mst_numbers *n) {
    refer_state *r = walk->user;
    if (n->offset < r->from || n->offset >= r->end)
        return MST_OK;
    for (uint8_t i = 0; i < n->field->refers_count; i++) {
        const mst_referred *target = NULL;
        if (n->field->refers[i].by != MST_BY_INDEX)
            continue;
        mst_status status = mst_refers_look_up(&walk->refers, &n->field->refers[i], &target);
        if (status != MST_OK)
            return status;
        if (target && target->target.document &&
            (target->target.offset < r->from || target->target.offset >= r->end))
            r->leaves = true;
    }
    return MST_OK;
}

static mst_status find_out(const mst_merge_state *m, const mst_value *part, bool *leaves) {
    refer_state r = {.from = part->offset, .end = mst_value_after(part)};
    r.walk = (mst_numbers_walk){.document = m->theirs, .user = &r, .numbers = visit};
    mst_status status = mst_refers_begin(&r.walk.refers, m->theirs, m->arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&r.walk, m->diagnostic);
    *leaves = r.leaves;
    return status;
}

static bool are_equal(const mst_value *a, const mst_value *b) {
    const uint64_t size = mst_value_after(a) - a->offset;
    return size == mst_value_after(b) - b->offset &&
           memcmp(a->document->data + a->offset, b->document->data + b->offset, (size_t)size) == 0;
}

/* Whether steps of theirs in a part were left out, or others were added for conflicts or references. */
static bool is_weighed(const mst_merge_state *m, const char *part) {
    const mst_held *held = m->held.items;
    const mst_patch_step *more = m->more.items;
    bool found = false;
    for (size_t i = 0; i < m->held.count; i++)
        found = found || mst_merge_is_within(held[i].conflict.path, part);
    for (size_t i = 0; i < m->more.count; i++)
        found = found || (more[i].kind != MST_STEP_LIST && mst_merge_is_within(more[i].key, part));
    for (size_t i = 0; i < m->steps[1].count; i++)
        found =
            found || (m->steps[1].items[i].left_out && mst_merge_is_within(m->steps[1].items[i].key, part));
    return found;
}

static mst_status take(mst_merge_state *m, const char *name, mst_document *result) {
    const mst_document *const all[] = {m->base, m->ours, m->theirs, result};
    mst_value parts[4];
    const char *json = NULL;
    bool leaves = false;
    for (size_t i = 0; i < 4; i++)
        if (mst_find(mst_root(all[i]), name, &parts[i], NULL) != MST_OK ||
            mst_value_type(&parts[i]) != MST_TYPE_RECORD)
            return MST_OK;
    if (!are_equal(&parts[0], &parts[1]) || are_equal(&parts[2], &parts[3]) || is_weighed(m, name))
        return MST_OK;
    mst_status status = find_out(m, &parts[2], &leaves);
    if (status != MST_OK || leaves)
        return status;
    status = mst_value_text(&parts[2], m->arena, &json, m->diagnostic);
    return status == MST_OK ? mst_edit_set(result, name, json, m->diagnostic) : status;
}

mst_status mst_merge_untouched(mst_merge_state *m, mst_document *result) {
    mst_value root = mst_root(m->base), member;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&root); status == MST_OK && mst_next(&it, &member);)
        if (mst_value_type(&member) == MST_TYPE_RECORD)
            status = take(m, mst_field_of(&member)->name, result);
    return status;
}
