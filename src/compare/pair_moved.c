/* SPDX-License-Identifier: MIT */
/*
 * Things that have moved together: the lights and crates of a room. One at a time, twins are confused,
 * because all are equally far from their old places. But each pair of alike things, one of the old document
 * and one of the new, is a vote for a distance; the distance of the room gets a vote from each thing in it,
 * while at any other distance some of them have no partner. So the distances with the most votes are tried,
 * and the things found there are matched: first those that are alike except for their place, then those that
 * have also been changed.
 *
 * A thing votes with things of its likeness that have about its place in the order of the list: n log n.
 */
#include "distances.h"
#include "pairing.h"
#include <stdlib.h>

#define WINDOW 32 /* the maximum difference in order, among things that are alike */

typedef struct move_state {
    const mst_pair_group *group;
    mst_candidate *const *all;
    const size_t *counts;
    mst_arena arena;
    uint64_t *likeness[2]; /* of the candidates: equal for things that are alike except for their places */
    uint8_t *weights;      /* of the old ones */
    mst_left *alike[2];    /* things with coordinates, by likeness */
    size_t placed[2];
    mst_left *places;   /* the new ones, by their cells */
    uint32_t *partners; /* of the old ones, while a distance is tried; MST_NOBODY */
    mst_vote *votes;
    size_t vote_count;
} move_state;

static bool is_free(const move_state *m, int side, size_t i) {
    return m->group->match->others[side][m->all[side][i].index] == MST_NOBODY;
}

/* ---- votes ------------------------------------------------------------------------------------------ */

static uint64_t likeness_of(const mst_candidate *one) {
    uint64_t hash = mst_mix(mst_mix(one->type, one->rest), one->moved);
    for (size_t i = 0; i < one->count; i++)
        hash = mst_mix(hash, one->values[i]);
    return hash;
}

static bool take_alike(move_state *m, int side) {
    mst_diff_state *state = m->group->state;
    const size_t count = m->counts[side];
    m->likeness[side] = mst_diff_take(state, &m->arena, count, sizeof *m->likeness[side]);
    m->alike[side] = mst_diff_take(state, &m->arena, count, sizeof *m->alike[side]);
    if (!m->likeness[side] || !m->alike[side])
        return false;
    for (size_t i = 0; i < count; i++) {
        m->likeness[side][i] = likeness_of(&m->all[side][i]);
        if (m->all[side][i].is_at)
            m->alike[side][m->placed[side]++] = (mst_left){m->likeness[side][i], (uint32_t)i};
    }
    if (m->placed[side])
        qsort(m->alike[side], m->placed[side], sizeof *m->alike[side], mst_left_by_hash);
    return true;
}

/* Votes of `n` old and `k` new things that are alike; without `m->votes` they are only counted. If a likeness
 * has just two things on each side, each vote counts twice: that both have moved by one distance is not
 * chance. */
static void vote_alike(void *user, const mst_left *old, size_t n, const mst_left *now, size_t k) {
    move_state *m = user;
    const uint8_t weight = n == 2 && k == 2 ? 2 : 1;
    for (size_t i = 0; i < n; i++) {
        m->weights[old[i].index] = weight;
        for (size_t j = i > WINDOW ? i - WINDOW : 0; j < k && j <= i + WINDOW; j++)
            for (uint8_t times = 0; times < weight; times++, m->vote_count++)
                if (m->votes)
                    m->votes[m->vote_count] =
                        mst_vote_for(m->all[MST_OLD][old[i].index].at, m->all[MST_NEW][now[j].index].at);
    }
}

static void vote_all(move_state *m) {
    m->vote_count = 0;
    mst_each_alike(m->alike[MST_OLD], m->placed[MST_OLD], m->alike[MST_NEW], m->placed[MST_NEW], vote_alike,
                   m);
}

/* ---- one distance ----------------------------------------------------------------------------------- */

/* A search for the new form of an old thing at a place. */
typedef struct searched {
    const move_state *m;
    const double *by;
    size_t old;
    bool alike; /* ... except for its place */
    uint32_t found, changes;
} searched;

static bool look(void *user, uint32_t index) {
    searched *s = user;
    const move_state *m = s->m;
    const mst_candidate *old = &m->all[MST_OLD][s->old], *now = &m->all[MST_NEW][index];
    const bool same = m->likeness[MST_OLD][s->old] == m->likeness[MST_NEW][index];
    if (!is_free(m, MST_NEW, index) || old->type != now->type || old->kind != now->kind ||
        (s->alike && !same) || !mst_is_at(old->at, s->by, now->at))
        return true;
    const uint32_t changes = same ? 0 : 1 + mst_pair_changes(old, now);
    if (s->found == MST_NOBODY || changes < s->changes) {
        s->found = index;
        s->changes = changes;
    }
    return changes > 0;
}

static bool find_places(move_state *m) {
    m->places = mst_diff_take(m->group->state, &m->arena, m->placed[MST_NEW], sizeof *m->places);
    for (size_t i = 0; m->places && i < m->placed[MST_NEW]; i++) {
        const uint32_t index = m->alike[MST_NEW][i].index;
        m->places[i] = (mst_left){mst_place_cell(m->all[MST_NEW][index].at), index};
    }
    if (m->places && m->placed[MST_NEW])
        qsort(m->places, m->placed[MST_NEW], sizeof *m->places, mst_left_by_hash);
    return m->places != NULL;
}

/* Matches things that have moved by a distance, in the order of the old list; false if they are fewer than
 * `least`: then it is not a distance of a common move. */
static bool match_at(const move_state *m, const double by[3], bool alike, size_t least) {
    const mst_pair_group *group = m->group;
    size_t count = 0;
    for (size_t i = 0; i < m->counts[MST_OLD]; i++) {
        const mst_candidate *old = &m->all[MST_OLD][i];
        const double at[3] = {old->at[0] + by[0], old->at[1] + by[1], old->at[2] + by[2]};
        searched one = {m, by, i, alike, MST_NOBODY, 0};
        m->partners[i] = MST_NOBODY;
        if (!old->is_at || !is_free(m, MST_OLD, i))
            continue;
        mst_look_at(m->places, m->placed[MST_NEW], at, look, &one);
        if (one.found == MST_NOBODY)
            continue;
        m->partners[i] = one.found;
        count += m->weights[i];
        mst_match_set(group->match, old->index, m->all[MST_NEW][one.found].index, MST_MATCH_PAIRED);
    }
    if (count >= least)
        return true;
    for (size_t i = 0; i < m->counts[MST_OLD]; i++)
        if (m->partners[i] != MST_NOBODY)
            mst_match_unset(group->match, m->all[MST_OLD][i].index);
    return false;
}

static void match_moved(move_state *m) {
    mst_distance best[MST_DISTANCES];
    const size_t count = mst_elect(m->votes, m->vote_count, best);
    for (size_t i = 0; i < count; i++) {
        static const double nothing[3] = {0, 0, 0};
        if (!mst_is_at(nothing, nothing, best[i].by) && match_at(m, best[i].by, true, MST_TOGETHER_LEAST))
            match_at(m, best[i].by, false, 1);
    }
}

bool mst_pair_moved(const mst_pair_group *group, mst_candidate *const all[2], size_t counts[2]) {
    mst_diff_state *state = group->state;
    move_state m = {.group = group, .all = all, .counts = counts};
    mst_diff_arena_begin(state, &m.arena);
    m.weights = mst_diff_take(state, &m.arena, counts[MST_OLD], sizeof *m.weights);
    bool enough = m.weights && take_alike(&m, MST_OLD) && take_alike(&m, MST_NEW);
    if (enough) {
        memset(m.weights, 1, counts[MST_OLD]);
        vote_all(&m);
    }
    if (enough && m.vote_count >= MST_TOGETHER_LEAST) {
        m.votes = mst_diff_take(state, &m.arena, m.vote_count, sizeof *m.votes);
        m.partners = mst_diff_take(state, &m.arena, counts[MST_OLD], sizeof *m.partners);
        enough = m.votes && m.partners && find_places(&m);
        if (enough) {
            vote_all(&m);
            match_moved(&m);
        }
    }
    for (int side = 0; side < 2 && enough; side++) {
        size_t left = 0;
        for (size_t i = 0; i < counts[side]; i++)
            if (is_free(&m, side, i))
                all[side][left++] = all[side][i];
        counts[side] = left;
    }
    mst_diff_arena_end(state, &m.arena);
    return enough;
}
