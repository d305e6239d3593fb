/* SPDX-License-Identifier: MIT */
/*
 * Matches elements of a set with places that are neither identical nor have a unique key. Of two alike lights
 * next to each other one was made brighter and the other one was moved: one at a time, the old first light
 * equals the new second one except for its place, and each further step then also goes wrong. So the
 * remaining elements of one type are examined together, and paired with the fewest changes.
 *
 * The cost of turning one element into another (pair_cost.c): nothing if they are identical, about one for a
 * value, one and more for another place, growing with the distance up to a limit, and less for each further
 * value, because elements that have little in common hardly become less alike by one value. So an element in
 * its old place with other values is preferred to one from far away with the same values. At equal cost
 * elements keep their order. Up to MST_PAIR_MOST elements of each side the assignment is exact
 * (least_cost.c); with more, each is compared with the nearest, and pairs are exchanged while that reduces
 * the cost (pair_many.c), in n log n.
 *
 * Before that, things that are alike except for their places and have moved together, such as the lights of a
 * room, are paired by the distance that most of them have moved by (pair_moved.c).
 *
 * The best assignment need not be the right one. Two pairs that could be exchanged without a further change,
 * and without clearly longer moves, are ambiguous (doubts.c): the comparison reports this, and a merge in
 * which the other side changed one of the elements has a conflict. For values their number counts, for places
 * their distances.
 */
#include "pairing.h"
#include <stdlib.h>

static int by_type(const void *left, const void *right) {
    const mst_candidate *a = left, *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The number of unmatched elements of a list. */
static uint64_t count_left(const mst_match *match, int side) {
    uint64_t left = 0;
    for (uint64_t i = 0; i < match->counts[side]; i++)
        left += match->others[side][i] == MST_NOBODY;
    return left;
}

/* The unmatched elements of a list. `full`: with everything that pairing needs. */
static mst_candidate *find_left(mst_diff_state *state, const mst_match *match, int side, bool full,
                                mst_arena *arena, size_t *count) {
    uint32_t expected = 0;
    mst_candidate *all = mst_diff_take(state, arena, count_left(match, side), sizeof *all);
    *count = 0;
    for (uint64_t i = 0; all && i < match->counts[side]; i++, expected++) {
        if (match->others[side][i] != MST_NOBODY) {
            expected = match->others[side][i];
            continue;
        }
        if (!mst_candidate_of(state, match, side, i, full, arena, &all[*count]))
            return NULL;
        all[(*count)++].expected = expected;
    }
    if (all && *count)
        qsort(all, *count, sizeof *all, by_type);
    return all;
}

/* ---- few elements ----------------------------------------------------------------------------------- */

/* A square table: each element may also stay without a counterpart. */
static void fill_costs(const mst_pair_group *group, int64_t *costs) {
    const size_t n = group->counts[MST_OLD], m = group->counts[MST_NEW], all = n + m;
    const int64_t never = INT64_C(1) << 50;
    for (size_t i = 0; i < all; i++)
        for (size_t k = 0; k < all; k++) {
            int64_t *cost = &costs[i * all + k];
            mst_pair_cost pair;
            if (i < n && k < m) {
                const mst_candidate *old = &group->sides[MST_OLD][i], *now = &group->sides[MST_NEW][k];
                bool can = mst_pair_costs(group->match, old, now, &pair);
                *cost = can ? mst_pair_weight(&pair, old, now) : never;
            } else {
                *cost = i < n || k < m ? MST_PAIR_NONE * MST_PAIR_SCALE : 0;
            }
        }
}

static bool pair_few(mst_pair_group *group) {
    const size_t n = group->counts[MST_OLD], m = group->counts[MST_NEW], all = n + m;
    mst_pair_cost pair;
    if (n == 1 && m == 1) {
        bool can = mst_pair_costs(group->match, group->sides[MST_OLD], group->sides[MST_NEW], &pair);
        group->partners[0] = can ? 0 : MST_NOBODY;
        return true;
    }
    mst_arena arena;
    mst_diff_arena_begin(group->state, &arena);
    int64_t *costs = mst_diff_take(group->state, &arena, all * all, sizeof *costs);
    int64_t *scratch = mst_diff_take(group->state, &arena, 6 * (all + 1), sizeof *scratch);
    uint32_t *columns = mst_diff_take(group->state, &arena, all, sizeof *columns);
    const bool enough = costs && scratch && columns;
    if (enough) {
        fill_costs(group, costs);
        mst_assign(costs, all, columns, scratch);
        for (size_t i = 0; i < n; i++) {
            bool can = columns[i] < m && mst_pair_costs(group->match, &group->sides[MST_OLD][i],
                                                        &group->sides[MST_NEW][columns[i]], &pair);
            group->partners[i] = can ? columns[i] : MST_NOBODY;
        }
    }
    mst_diff_arena_end(group->state, &arena);
    return enough;
}

/* ---- all elements ----------------------------------------------------------------------------------- */

static bool pair_group(mst_pair_group *group) {
    const size_t n = group->counts[MST_OLD], m = group->counts[MST_NEW];
    if (!n || !m)
        return true;
    const bool few = n <= MST_PAIR_MOST && m <= MST_PAIR_MOST;
    if (!(few ? pair_few(group) && mst_pair_doubt_few(group) : mst_pair_many(group)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (group->partners[i] != MST_NOBODY)
            mst_match_set(group->match, group->sides[MST_OLD][i].index,
                          group->sides[MST_NEW][group->partners[i]].index, MST_MATCH_PAIRED);
    return true;
}

/* The number of elements from `at` on that have one type. */
static size_t run_of(const mst_candidate *all, size_t count, size_t at, uint64_t type) {
    size_t end = at;
    while (end < count && all[end].type == type)
        end++;
    return end - at;
}

static bool pair_all(mst_pair_group *group, mst_candidate *const all[2], const size_t counts[2]) {
    size_t at[2] = {0, 0};
    bool enough = true;
    while (enough && (at[MST_OLD] < counts[MST_OLD] || at[MST_NEW] < counts[MST_NEW])) {
        const mst_candidate *old = &all[MST_OLD][at[MST_OLD]], *now = &all[MST_NEW][at[MST_NEW]];
        const bool here =
            at[MST_OLD] < counts[MST_OLD] && (at[MST_NEW] == counts[MST_NEW] || old->type < now->type);
        const uint64_t type = here || at[MST_NEW] == counts[MST_NEW] ? old->type : now->type;
        for (int side = 0; side < 2; side++) {
            group->sides[side] = &all[side][at[side]];
            group->counts[side] = run_of(all[side], counts[side], at[side], type);
            at[side] += group->counts[side];
        }
        enough = pair_group(group);
    }
    return enough;
}

bool mst_match_pairs(mst_diff_state *state, mst_match *match) {
    mst_arena arena;
    mst_candidate *all[2] = {NULL, NULL};
    size_t counts[2] = {0, 0};
    const bool any = count_left(match, MST_OLD) > 0, both = any && count_left(match, MST_NEW) > 0;
    mst_diff_arena_begin(state, &arena);
    mst_pair_group group = {.state = state, .match = match, .arena = &arena};
    bool enough = true;
    for (int side = 0; side < (both ? 2 : any) && enough; side++) {
        all[side] = find_left(state, match, side, both, &arena, &counts[side]);
        enough = all[side] != NULL;
    }
    group.partners = mst_diff_take(state, &arena, counts[MST_OLD], sizeof *group.partners);
    enough = enough && group.partners &&
             (!both || (mst_pair_moved(&group, all, counts) && pair_all(&group, all, counts))) &&
             (!any || mst_pair_doubt_identical(state, match, all[MST_OLD], counts[MST_OLD]));
    mst_diff_arena_end(state, &arena);
    return enough;
}
