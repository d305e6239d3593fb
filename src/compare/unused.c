/* SPDX-License-Identifier: MIT */
/*
 * Parts that nothing consists of, such as a vertex of no face. Other parts are identified by the elements
 * that consist of them and by their places; these have only their places in the list: one that has other
 * values between the same neighbours is the same, changed, and no enclosing element reports the change. Of
 * several adjacent ones with the same bytes, it is ambiguous which was removed.
 */
#include "../check/numbers.h"
#include "comparing.h"

typedef struct count_state {
    mst_numbers_walk walk;
    const mst_value *list;
    uint8_t *unused;
    uint64_t count;
} count_state;

static mst_status count(mst_numbers_walk *walk, const mst_numbers *n) {
    const count_state *c = walk->user;
    for (uint8_t i = 0; i < n->field->refers_count; i++) {
        const mst_refers *fact = &n->field->refers[i];
        const mst_referred *target = NULL;
        if (fact->by != MST_BY_INDEX || fact->member)
            continue;
        const mst_status status = mst_refers_look_up(&walk->refers, fact, &target);
        if (status != MST_OK)
            return status;
        if (!target || !target->target.document || mst_field_of(&target->target) != mst_field_of(c->list) ||
            target->target.offset != c->list->offset)
            continue;
        mst_numbers_mark(walk, n, fact, c->unused, c->count, 0);
    }
    return MST_OK;
}

static bool find_unused(mst_diff_state *state, mst_match *match, int side, mst_arena *arena) {
    count_state c = {.list = &match->lists[side], .count = match->counts[side]};
    c.unused = mst_diff_take(state, &match->arena, c.count, 1);
    if (!c.unused)
        return false;
    memset(c.unused, 1, (size_t)c.count);
    c.walk = (mst_numbers_walk){.document = state->documents[side], .user = &c, .numbers = count};
    mst_status status = mst_refers_begin(&c.walk.refers, c.walk.document, arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&c.walk, NULL);
    if (status == MST_NO_MEMORY)
        state->out_of_memory = true;
    match->unused[side] = c.unused;
    return status == MST_OK;
}

/* Whether an old element is unmatched; `unused`: and nothing consists of it. */
static bool is_any_left(const mst_match *match, bool unused) {
    bool any = false;
    for (uint64_t i = 0; i < match->counts[MST_OLD] && !any; i++)
        any = match->others[MST_OLD][i] == MST_NOBODY && (!unused || match->unused[MST_OLD][i]);
    return any;
}

bool mst_match_unused(mst_diff_state *state, mst_match *match) {
    mst_arena arena;
    if (!is_any_left(match, false))
        return true;
    mst_arena_begin(&arena, &state->allocator, 0);
    bool enough = find_unused(state, match, MST_OLD, &arena), any = enough && is_any_left(match, true);
    if (any)
        enough = find_unused(state, match, MST_NEW, &arena);
    mst_arena_end(&arena);
    return enough && (!any || mst_match_between(state, match));
}
