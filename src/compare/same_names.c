/* SPDX-License-Identifier: MIT */
/*
 * Pairs of one name in a list: the first matches the first, the second the second. If one side has more of
 * them than the other, a changed pair could as well be one that was removed or added.
 */
#include "pairing.h"
#include <stdlib.h>

/* The pairs of one name. */
typedef struct namesakes {
    mst_diff_state *state;
    mst_match *match;
    const mst_left *sides[2];
    size_t counts[2];
} namesakes;

static mst_left *sort_by_name(mst_diff_state *state, const mst_match *match, int side, mst_arena *arena) {
    const size_t count = (size_t)match->counts[side];
    mst_left *all = mst_diff_take(state, arena, count, sizeof *all);
    mst_found found;
    for (size_t i = 0; all && i < count; i++) {
        const mst_value element = mst_match_element(match, side, i);
        all[i].hash = mst_diff_hash_paths(state, side, &element, match->facts->keys, &found);
        all[i].index = (uint32_t)i;
    }
    if (all && count)
        qsort(all, count, sizeof *all, mst_left_by_hash);
    return all;
}

static uint32_t other_of(const namesakes *all, size_t i) {
    return all->match->others[MST_OLD][all->sides[MST_OLD][i].index];
}

static bool is_identical(const namesakes *all, size_t i) {
    const uint32_t other = other_of(all, i);
    return other != MST_NOBODY && all->match->steps[other] == MST_MATCH_IDENTICAL;
}

/* If there are as many as before, each matches the one at its place. */
static void match_in_order(const namesakes *all) {
    mst_match *match = all->match;
    bool in_order = true;
    for (size_t i = 0; in_order && i < all->counts[MST_OLD]; i++)
        in_order = other_of(all, i) == all->sides[MST_NEW][i].index;
    for (size_t i = 0; !in_order && i < all->counts[MST_OLD]; i++)
        mst_match_set(match, all->sides[MST_OLD][i].index, all->sides[MST_NEW][i].index, MST_MATCH_BLANK);
}

/* Whether two pairs in a row of the old list have the same bytes. */
static bool are_alike(const namesakes *all, size_t i) {
    const mst_left *old = all->sides[MST_OLD];
    const mst_value one = mst_match_element(all->match, MST_OLD, old[i].index),
                    next = mst_match_element(all->match, MST_OLD, old[i + 1].index);
    return mst_diff_same_bytes(&one, &next);
}

/* A changed pair could be a removed one, and so could its neighbours that have the same bytes. */
static bool doubt_removed(const namesakes *all) {
    const mst_left *old = all->sides[MST_OLD];
    size_t changed = SIZE_MAX, start = 0;
    bool enough = true;
    for (size_t i = 0; i < all->counts[MST_OLD] && changed == SIZE_MAX; i++)
        changed = other_of(all, i) != MST_NOBODY && !is_identical(all, i) ? i : SIZE_MAX;
    for (size_t i = 0; enough && changed != SIZE_MAX && i < all->counts[MST_OLD]; i++)
        if (i != changed && !is_identical(all, i))
            enough = mst_match_doubt(all->state, all->match, old[changed].index, old[i].index, false);
    for (size_t end = 1; enough && end <= all->counts[MST_OLD]; end++) {
        bool gone = false;
        if (end < all->counts[MST_OLD] && are_alike(all, end - 1))
            continue;
        for (size_t i = start; i < end; i++)
            gone = gone || other_of(all, i) == MST_NOBODY;
        for (size_t i = start + 1; gone && enough && i < end; i++)
            enough = mst_match_doubt(all->state, all->match, old[start].index, old[i].index, false);
        start = end;
    }
    return enough;
}

/* A changed pair could be the added one. */
static bool doubt_added(const namesakes *all) {
    uint32_t added = MST_NOBODY;
    bool enough = true;
    for (size_t i = 0; i < all->counts[MST_NEW]; i++)
        if (all->match->others[MST_NEW][all->sides[MST_NEW][i].index] == MST_NOBODY)
            added = all->sides[MST_NEW][i].index;
    for (size_t i = 0; enough && added != MST_NOBODY && i < all->counts[MST_OLD]; i++)
        if (!is_identical(all, i))
            enough = mst_match_doubt(all->state, all->match, all->sides[MST_OLD][i].index, added, true);
    return enough;
}

static bool match_namesakes(const namesakes *all) {
    const size_t n = all->counts[MST_OLD], m = all->counts[MST_NEW];
    if (n < 2)
        return true;
    if (n == m)
        match_in_order(all);
    return n == m || (n > m ? doubt_removed(all) : doubt_added(all));
}

bool mst_match_same_names(mst_diff_state *state, mst_match *match) {
    mst_arena arena;
    mst_diff_arena_begin(state, &arena);
    const mst_left *old = sort_by_name(state, match, MST_OLD, &arena),
                   *now = sort_by_name(state, match, MST_NEW, &arena);
    bool enough = old && now;
    const size_t n = (size_t)match->counts[MST_OLD], m = (size_t)match->counts[MST_NEW];
    for (size_t i = 0, k = 0; enough && i < n;) {
        namesakes all = {.state = state, .match = match, .sides = {&old[i], &now[k]}};
        while (k < m && now[k].hash < old[i].hash)
            all.sides[MST_NEW] = &now[++k];
        all.counts[MST_OLD] = mst_left_run(&old[i], n - i, old[i].hash);
        all.counts[MST_NEW] = mst_left_run(all.sides[MST_NEW], m - k, old[i].hash);
        enough = match_namesakes(&all);
        i += all.counts[MST_OLD];
        k += all.counts[MST_NEW];
    }
    mst_diff_arena_end(state, &arena);
    return enough;
}
