/* SPDX-License-Identifier: MIT */
/*
 * Sequences: elements between the same neighbours are the same, changed. If one side has more elements there
 * than the other, the order is kept and the values decide which of them stay unmatched: those whose matches
 * would change more. If values do not decide, it is ambiguous; so is which of several equal elements in a row
 * was removed.
 */
#include "pairing.h"

#define MOST 64 /* elements between neighbours that are compared with each other */

/* The elements between neighbours that are the same. */
typedef struct gap {
    mst_diff_state *state;
    mst_match *match;
    size_t from[2], counts[2];
    mst_candidate elements[2][MOST];
    uint32_t costs[MOST][MOST];         /* values that change, by old and new element */
    uint32_t least[MOST + 1][MOST + 1]; /* sums up to an old and a new one */
} gap;

static void join_in_order(const gap *g) {
    const size_t count = g->counts[MST_OLD] < g->counts[MST_NEW] ? g->counts[MST_OLD] : g->counts[MST_NEW];
    for (size_t i = 0; i < count; i++)
        mst_match_set(g->match, (uint32_t)(g->from[MST_OLD] + i), (uint32_t)(g->from[MST_NEW] + i),
                      MST_MATCH_BETWEEN);
}

/* Finds the values of the elements, and the changes that each pair would make. */
static bool find_costs(gap *g, mst_arena *arena) {
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < g->counts[side]; i++) {
            const mst_value element = mst_match_element(g->match, side, g->from[side] + i);
            if (!mst_candidate_values(g->state, side, &element, arena, &g->elements[side][i]))
                return false;
        }
    for (size_t i = 0; i < g->counts[MST_OLD]; i++)
        for (size_t k = 0; k < g->counts[MST_NEW]; k++)
            g->costs[i][k] = mst_pair_changes(&g->elements[MST_OLD][i], &g->elements[MST_NEW][k]);
    return true;
}

/* Matches all elements of the shorter side. */
static void align(gap *g) {
    const size_t n = g->counts[MST_OLD], m = g->counts[MST_NEW];
    const uint32_t never = UINT32_MAX / 2;
    for (size_t i = 0; i <= n; i++)
        for (size_t k = 0; k <= m; k++) {
            uint32_t least = i && k ? g->least[i - 1][k - 1] + g->costs[i - 1][k - 1] : i || k ? never : 0;
            if (n > m && i && g->least[i - 1][k] < least)
                least = g->least[i - 1][k];
            if (m > n && k && g->least[i][k - 1] < least)
                least = g->least[i][k - 1];
            g->least[i][k] = least < never ? least : never;
        }
    for (size_t i = n, k = m; i && k;) {
        if (n > m && g->least[i - 1][k] == g->least[i][k]) {
            i--; /* the first of equally good ones */
        } else if (m > n && g->least[i][k - 1] == g->least[i][k]) {
            k--;
        } else {
            i--;
            k--;
            mst_match_set(g->match, (uint32_t)(g->from[MST_OLD] + i), (uint32_t)(g->from[MST_NEW] + k),
                          MST_MATCH_BETWEEN);
        }
    }
}

/* Notes a doubt if a pair is not better than one with an unmatched neighbour. */
static bool doubt_neighbour(const gap *g, size_t old, size_t now, int side, size_t neighbour) {
    const uint64_t index = g->from[side] + neighbour;
    if (neighbour >= g->counts[side] || g->match->others[side][index] != MST_NOBODY)
        return true;
    const uint32_t other = side == MST_OLD ? g->costs[neighbour][now] : g->costs[old][neighbour];
    if (other > g->costs[old][now])
        return true;
    return mst_match_doubt(g->state, g->match, (uint32_t)(g->from[MST_OLD] + old), (uint32_t)index,
                           side == MST_NEW);
}

static bool doubt_pairs(const gap *g) {
    bool enough = true;
    for (size_t i = 0; i < g->counts[MST_OLD] && enough; i++) {
        const uint32_t other = g->match->others[MST_OLD][g->from[MST_OLD] + i];
        if (other == MST_NOBODY)
            continue;
        const size_t k = other - g->from[MST_NEW]; /* k - 1 wraps for the first: no neighbour */
        enough = doubt_neighbour(g, i, k, MST_OLD, i + 1) && doubt_neighbour(g, i, k, MST_OLD, i - 1) &&
                 doubt_neighbour(g, i, k, MST_NEW, k + 1) && doubt_neighbour(g, i, k, MST_NEW, k - 1);
    }
    return enough;
}

/* Whether something consists of an element: then its place in the list does not identify it. */
static bool is_used(const mst_match *match, int side, uint64_t index) {
    return match->unused[side] && !match->unused[side][index];
}

static bool match_gap(gap *g) {
    const size_t n = g->counts[MST_OLD], m = g->counts[MST_NEW];
    if (!n || !m)
        return true;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < g->counts[side]; i++)
            if (is_used(g->match, side, g->from[side] + i))
                return true;
    if (n == m || n > MOST || m > MOST) {
        join_in_order(g);
        return true;
    }
    mst_arena arena;
    mst_diff_arena_begin(g->state, &arena);
    bool enough = find_costs(g, &arena);
    if (enough) {
        align(g);
        enough = doubt_pairs(g);
    }
    mst_diff_arena_end(g->state, &arena);
    return enough;
}

/* Elements next to a removed one that have the same bytes could have been removed instead. */
static bool doubt_run(mst_diff_state *state, mst_match *match, uint64_t removed, int step) {
    const mst_value element = mst_match_element(match, MST_OLD, removed);
    bool enough = true;
    for (uint64_t i = removed + (uint64_t)step; enough && i < match->counts[MST_OLD]; i += (uint64_t)step) {
        const mst_value next = mst_match_element(match, MST_OLD, i);
        if (match->others[MST_OLD][i] == MST_NOBODY || !mst_diff_same_bytes(&element, &next))
            break;
        if (!is_used(match, MST_OLD, i))
            enough = mst_match_doubt(state, match, (uint32_t)removed, (uint32_t)i, false);
    }
    return enough;
}

/* The number of consecutive unmatched elements from one on. */
static size_t run_from(const mst_match *match, int side, uint64_t from) {
    uint64_t end = from;
    while (end < match->counts[side] && match->others[side][end] == MST_NOBODY)
        end++;
    return (size_t)(end - from);
}

static bool match_gaps(gap *g) {
    const mst_match *match = g->match;
    bool enough = true;
    for (uint64_t old = 0, now = 0; enough && now < match->counts[MST_NEW]; now++) {
        g->from[MST_OLD] = (size_t)old;
        g->from[MST_NEW] = (size_t)now;
        g->counts[MST_OLD] = run_from(match, MST_OLD, old);
        g->counts[MST_NEW] = run_from(match, MST_NEW, now);
        now += g->counts[MST_NEW];
        enough = match_gap(g);
        if (now < match->counts[MST_NEW])
            old = (uint64_t)match->others[MST_NEW][now] + 1;
    }
    return enough;
}

bool mst_match_between(mst_diff_state *state, mst_match *match) {
    const uint64_t n = match->counts[MST_OLD];
    uint64_t matched = 0;
    while (matched < n && match->others[MST_OLD][matched] != MST_NOBODY)
        matched++;
    if (matched == n)
        return true;
    mst_arena arena;
    mst_diff_arena_begin(state, &arena);
    gap *g = mst_diff_take(state, &arena, 1, sizeof *g);
    if (g) {
        g->state = state;
        g->match = match;
    }
    bool enough = g && match_gaps(g);
    for (uint64_t i = matched; enough && i < n; i++)
        if (match->others[MST_OLD][i] == MST_NOBODY && !is_used(match, MST_OLD, i))
            enough = doubt_run(state, match, i, 1) && doubt_run(state, match, i, -1);
    mst_diff_arena_end(state, &arena);
    return enough;
}
