/* SPDX-License-Identifier: MIT */
/* Elements of two lists whose match is ambiguous: the second part of pairing.c's argument. */
#include "../core/lower_bound.h"
#include "pairing.h"
#include <stdlib.h>

#define STACKED 64 /* identical elements in one place that are examined */
#define ORDER   3  /* the extra cost that makes it clear that elements have changed their order */

/* mst_pair_unclear: a place twice as far is a clear difference; a single pair is weaker evidence than two */
enum { TWO_PAIRS = 2, ONE_PAIR = 4 };

/* ---- recorded doubts -------------------------------------------------------------------------------- */

static uint32_t root_of(mst_doubt *all, uint32_t index) {
    while (all[index].group != index) {
        all[index].group = all[all[index].group].group;
        index = all[index].group;
    }
    return index;
}

static mst_doubt *take_doubt(mst_match *match, uint32_t index) {
    mst_doubt *one = &match->doubts[index];
    if (one->group == MST_NOBODY)
        one->group = index;
    return one;
}

bool mst_match_doubt(mst_diff_state *state, mst_match *match, uint32_t old_index, uint32_t other,
                     bool is_new) {
    const uint64_t count = match->counts[MST_OLD];
    if (!match->doubts) {
        match->doubts = mst_diff_take(state, &match->arena, count, sizeof *match->doubts);
        for (uint64_t i = 0; match->doubts && i < count; i++)
            match->doubts[i] = (mst_doubt){MST_NOBODY, MST_NOBODY, false};
        if (!match->doubts)
            return false;
    }
    mst_doubt *one = take_doubt(match, old_index);
    if (one->other == MST_NOBODY) {
        one->other = other;
        one->is_new = is_new;
    }
    if (is_new)
        return true;
    mst_doubt *two = take_doubt(match, other);
    if (two->other == MST_NOBODY)
        two->other = old_index;
    const uint32_t a = root_of(match->doubts, old_index), b = root_of(match->doubts, other);
    match->doubts[a > b ? a : b].group = a < b ? a : b;
    return true;
}

uint32_t mst_match_doubt_group(const mst_match *match, uint64_t old_index) {
    if (!match->doubts || match->doubts[old_index].group == MST_NOBODY)
        return MST_NOBODY;
    return root_of(match->doubts, (uint32_t)old_index);
}

/* ---- unmatched elements ----------------------------------------------------------------------------- */

static bool sum_costs(const mst_match *match, const mst_candidate *const old[2],
                      const mst_candidate *const now[2], mst_pair_cost *sum) {
    mst_pair_cost one, two;
    if (!mst_pair_costs(match, old[0], now[0], &one) || !mst_pair_costs(match, old[1], now[1], &two))
        return false;
    *sum = (mst_pair_cost){one.cost + two.cost, one.changes + two.changes, one.far + two.far,
                           one.distance + two.distance};
    return true;
}

/* Whether two pairs could be exchanged. Little else than moving elements within a list changes their order,
 * so pairs that do so become doubtful at a lower threshold. */
static bool could_exchange(const mst_pair_group *group, const mst_candidate *const from[2],
                           const mst_candidate *const to[2]) {
    const mst_candidate *const exchanged[] = {to[1], to[0]};
    const bool crosses = (from[0]->index < from[1]->index) != (to[0]->index < to[1]->index);
    mst_pair_cost best, changed;
    if (mst_pair_equal(to[0], to[1]) || !sum_costs(group->match, from, exchanged, &changed) ||
        !sum_costs(group->match, from, to, &best))
        return false;
    return mst_pair_unclear(group->match, &best, &changed, TWO_PAIRS) ||
           (crosses && changed.cost - best.cost < ORDER * MST_PAIR_UNIT);
}

/* At least one of the two old elements has a counterpart. */
bool mst_pair_doubt_two(mst_pair_group *group, size_t old, size_t other) {
    const mst_candidate *olds = group->sides[MST_OLD], *news = group->sides[MST_NEW];
    const size_t a = group->partners[old] == MST_NOBODY ? other : old, b = a == old ? other : old;
    const uint32_t at = group->partners[a], there = group->partners[b];
    mst_pair_cost best, changed;
    bool unclear;
    if (at == MST_NOBODY)
        return true;
    if (there == MST_NOBODY) {
        unclear = mst_pair_costs(group->match, &olds[b], &news[at], &changed) &&
                  mst_pair_costs(group->match, &olds[a], &news[at], &best) &&
                  mst_pair_unclear(group->match, &best, &changed, ONE_PAIR);
    } else {
        const mst_candidate *const from[] = {&olds[a], &olds[b]}, *const to[] = {&news[at], &news[there]};
        unclear = could_exchange(group, from, to);
    }
    return !unclear || mst_match_doubt(group->state, group->match, olds[a].index, olds[b].index, false);
}

bool mst_pair_doubt_new(mst_pair_group *group, size_t old, size_t other) {
    const mst_candidate *from = &group->sides[MST_OLD][old], *news = group->sides[MST_NEW];
    const uint32_t at = group->partners[old];
    mst_pair_cost best, changed;
    bool unclear = at != MST_NOBODY && !mst_pair_equal(&news[at], &news[other]) &&
                   mst_pair_costs(group->match, from, &news[other], &changed) &&
                   mst_pair_costs(group->match, from, &news[at], &best) &&
                   mst_pair_unclear(group->match, &best, &changed, ONE_PAIR);
    return !unclear || mst_match_doubt(group->state, group->match, from->index, news[other].index, true);
}

bool mst_pair_doubt_few(mst_pair_group *group) {
    const size_t n = group->counts[MST_OLD], m = group->counts[MST_NEW];
    bool enough = true, taken[MST_PAIR_MOST] = {false};
    for (size_t i = 0; i < n; i++) {
        if (group->partners[i] != MST_NOBODY)
            taken[group->partners[i]] = true;
        for (size_t k = i + 1; k < n && enough; k++)
            enough = mst_pair_doubt_two(group, i, k);
    }
    for (size_t i = 0; i < n && enough; i++)
        for (size_t k = 0; k < m && enough; k++)
            enough = taken[k] || mst_pair_doubt_new(group, i, k);
    return enough;
}

/* ---- elements that are identical in both lists ------------------------------------------------------ */

int mst_left_by_hash(const void *left, const void *right) {
    const mst_left *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static uint64_t hash_place(const mst_candidate *one) {
    return mst_mix(one->type, one->place);
}

/* The old elements that are identical in both lists, sorted by place. */
static mst_left *find_identical(mst_diff_state *state, const mst_match *match, mst_arena *arena,
                                size_t *count) {
    mst_left *all = mst_diff_take(state, arena, match->counts[MST_OLD], sizeof *all);
    *count = 0;
    for (uint64_t i = 0; all && i < match->counts[MST_OLD]; i++) {
        const uint32_t other = match->others[MST_OLD][i];
        mst_candidate one;
        if (other == MST_NOBODY || match->steps[other] != MST_MATCH_IDENTICAL ||
            !mst_candidate_of(state, match, MST_OLD, i, false, arena, &one) || !one.is_placed)
            continue;
        all[(*count)++] = (mst_left){hash_place(&one), (uint32_t)i};
    }
    if (all && *count)
        qsort(all, *count, sizeof *all, mst_left_by_hash);
    return all;
}

typedef struct identical {
    mst_diff_state *state;
    mst_match *match;
    const mst_left *items;
    size_t count;
} identical;

/* Whether an unmatched element, which became `now` (NULL: it was removed), could have become an identical
 * one, and that one have become `now`. */
static bool is_unclear(const mst_match *match, const mst_candidate *old, const mst_candidate *now,
                       const mst_candidate *same) {
    const mst_candidate *const from[] = {old, same}, *const to[] = {same, now};
    mst_pair_cost best = {.cost = 0}, changed;
    if (!now)
        return mst_pair_costs(match, old, same, &changed) &&
               mst_pair_unclear(match, &best, &changed, ONE_PAIR);
    return !mst_pair_equal(same, now) && mst_pair_costs(match, old, now, &best) &&
           sum_costs(match, from, to, &changed) && mst_pair_unclear(match, &best, &changed, ONE_PAIR);
}

/* Whether elements would keep their order, at no higher cost, if an unmatched element became an identical
 * one. */
static bool keeps_order(const mst_match *match, const mst_candidate *old, const mst_candidate *now,
                        const mst_candidate *same) {
    const mst_candidate *const from[] = {old, same}, *const to[] = {same, now};
    const uint32_t there = match->others[MST_OLD][same->index];
    mst_pair_cost best, changed;
    return (old->index < same->index) != (now->index < there) && mst_pair_costs(match, old, now, &best) &&
           sum_costs(match, from, to, &changed) && changed.cost <= best.cost;
}

/* The first of the identical elements in a place. */
static size_t find_place(const identical *all, uint64_t hash) {
    MST_LOWER_BOUND(low, middle, all->count, all->items[middle].hash < hash);
    return low;
}

/* An unmatched old element may have moved to the place of an identical one, which then matches the new
 * element that is left there. */
static bool displace(const identical *all, const mst_candidate *now, const mst_candidate *same,
                     const mst_candidate *left, size_t count, mst_arena *arena) {
    mst_match *match = all->match;
    const uint32_t there = match->others[MST_OLD][same->index];
    mst_pair_cost pair;
    for (size_t i = 0, tried = 0; i < count && tried < STACKED; i++) {
        mst_candidate old;
        if (match->others[MST_OLD][left[i].index] != MST_NOBODY || left[i].type != now->type)
            continue;
        tried++;
        if (!mst_candidate_of(all->state, match, MST_OLD, left[i].index, true, arena, &old))
            return false;
        if (old.rest != same->rest || !mst_pair_costs(match, &old, same, &pair))
            continue;
        mst_match_set(match, old.index, there, MST_MATCH_PAIRED);
        mst_match_set(match, same->index, now->index, MST_MATCH_PAIRED);
        return mst_match_doubt(all->state, match, old.index, same->index, false);
    }
    return true;
}

/* Handles new elements at the place of an identical element, while an old one is left. */
static bool displace_all(const identical *all, const mst_candidate *left, size_t count) {
    mst_match *match = all->match;
    bool enough = true;
    for (uint64_t k = 0; k < match->counts[MST_NEW] && enough; k++) {
        mst_candidate now, same;
        mst_arena arena;
        mst_pair_cost pair;
        if (match->others[MST_NEW][k] != MST_NOBODY)
            continue;
        mst_diff_arena_begin(all->state, &arena);
        enough = mst_candidate_of(all->state, match, MST_NEW, k, true, &arena, &now);
        const size_t at = enough ? find_place(all, hash_place(&now)) : all->count;
        if (at < all->count && all->items[at].hash == hash_place(&now) &&
            match->steps[match->others[MST_OLD][all->items[at].index]] == MST_MATCH_IDENTICAL) {
            enough = mst_candidate_of(all->state, match, MST_OLD, all->items[at].index, true, &arena, &same);
            if (enough && mst_pair_costs(match, &same, &now, &pair))
                enough = displace(all, &now, &same, left, count, &arena);
        }
        mst_diff_arena_end(all->state, &arena);
    }
    return enough;
}

/* Compares an element with the identical ones at a place; it takes the match of one of these if that keeps
 * the order. */
static bool doubt_at(const identical *all, const mst_candidate *place, const mst_candidate *old,
                     const mst_candidate *now) {
    const uint64_t hash = hash_place(place);
    const size_t low = find_place(all, hash);
    mst_match *match = all->match;
    bool enough = true;
    uint32_t better = MST_NOBODY;
    mst_arena arena;
    mst_diff_arena_begin(all->state, &arena);
    for (size_t i = low; enough && i < all->count && i < low + STACKED && all->items[i].hash == hash; i++) {
        mst_candidate same;
        if (match->steps[match->others[MST_OLD][all->items[i].index]] != MST_MATCH_IDENTICAL)
            continue;
        enough = mst_candidate_of(all->state, match, MST_OLD, all->items[i].index, true, &arena, &same);
        if (!enough || !is_unclear(match, old, now, &same))
            continue;
        enough = mst_match_doubt(all->state, match, old->index, same.index, false);
        if (now && better == MST_NOBODY && keeps_order(match, old, now, &same))
            better = same.index;
    }
    if (better != MST_NOBODY) {
        mst_match_set(match, old->index, match->others[MST_OLD][better], MST_MATCH_PAIRED);
        mst_match_set(match, better, now->index, MST_MATCH_PAIRED);
    }
    mst_diff_arena_end(all->state, &arena);
    return enough;
}

/* Only an element that is, or ends, at the place of an identical one can be that one without a further
 * change. */
bool mst_pair_doubt_identical(mst_diff_state *state, mst_match *match, const mst_candidate *left,
                              size_t count) {
    mst_arena arena;
    identical all = {.state = state, .match = match};
    mst_diff_arena_begin(state, &arena);
    all.items = find_identical(state, match, &arena, &all.count);
    bool enough = all.items && (!all.count || displace_all(&all, left, count));
    for (size_t i = 0; i < count && enough && all.count; i++) {
        mst_candidate old, now;
        const uint32_t other = match->others[MST_OLD][left[i].index];
        if (!left[i].is_placed)
            continue;
        enough = mst_candidate_of(state, match, MST_OLD, left[i].index, true, &arena, &old);
        if (enough && other != MST_NOBODY)
            enough = mst_candidate_of(state, match, MST_NEW, other, true, &arena, &now);
        const mst_candidate *const became = other == MST_NOBODY ? NULL : &now;
        enough = enough && doubt_at(&all, &old, &old, became);
        if (enough && became && match->others[MST_OLD][old.index] == other && now.place != old.place)
            enough = doubt_at(&all, &now, &old, became);
    }
    mst_diff_arena_end(state, &arena);
    return enough;
}
