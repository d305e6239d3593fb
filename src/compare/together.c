/* SPDX-License-Identifier: MIT */
/*
 * Parts that have moved together. If a room has moved, none of its vertices is linked with one that is still
 * in its place. But the vectors along the links of a vertex are unchanged; each vertex for which they are
 * votes for the distance from its old place to its new one. Distances are tried in the order of their votes:
 * parts that are found there, and are linked there with others that have moved as far, are the same.
 *
 * A distance costs a search for each unmatched part, and a bounded number of distances is tried: n log n.
 */
#include "../core/lower_bound.h"
#include "distances.h"
#include <math.h>
#include <stdlib.h>

#define VOTERS 64 /* pairs of equal shapes that vote one by one; with more, first votes with first */
#define LEAST  MST_TOGETHER_LEAST

/* An unmatched part. */
typedef struct part {
    double at[3];
    uint64_t shape; /* of the vectors along its links; 0: none */
    uint32_t index;
    uint32_t other; /* while a distance is tried: its counterpart; MST_NOBODY */
    uint32_t links; /* the same: links with parts that have counterparts */
} part;

/* A link of two parts. */
typedef struct joint {
    uint32_t from, to;
} joint;

typedef struct side {
    part *parts;
    uint32_t *numbers; /* of elements of the list, their indices in `parts`; MST_NOBODY: not in it */
    joint *joints;
    mst_left *places; /* parts by their cells */
    uint64_t elements;
    uint32_t count, joint_count;
} side;

typedef struct together {
    mst_diff_state *state;
    mst_match *match;
    mst_arena arena;
    side sides[2];
    mst_vote *votes;
    size_t vote_count, vote_room;
} together;

bool mst_diff_position(const mst_value *element, const mst_compared *facts, double at[3]) {
    mst_value place, one;
    if (!mst_diff_find(element, facts->keys[0], &place))
        return false;
    const bool list = mst_value_type(&place) == MST_TYPE_LIST;
    if (list && mst_count(&place) != 3)
        return false;
    for (size_t k = 0; k < 3; k++) {
        if (list ? mst_element(&place, k, &one) != MST_OK
                 : !facts->keys[k] || !mst_diff_find(element, facts->keys[k], &one))
            return false;
        if (mst_get_real(&one, &at[k]) != MST_OK || !(fabs(at[k]) <= MST_FARTHEST))
            return false;
    }
    return true;
}

/* Two ends, or corners, each of which is linked with the next and the last with the first. */
static bool each_of(const mst_value *ends, mst_link_function found, void *user) {
    const uint64_t count = mst_count(ends);
    mst_value one;
    uint64_t first = 0, last = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (mst_element(ends, i, &one) != MST_OK)
            return true;
        const uint64_t now = mst_scalar_of(&one);
        if (i && !found(user, last, now))
            return false;
        first = i ? first : now;
        last = now;
    }
    return count < 3 || found(user, last, first);
}

bool mst_match_each_link(mst_diff_state *state, const mst_match *match, int which, mst_link_function found,
                         void *user) {
    const mst_value *around = mst_scope_record(state, which);
    const char *path = match->facts->links, *dot = strchr(path, '.');
    mst_value list, link, ends;
    if (!around || (mst_find(*around, path, &list, NULL) != MST_OK &&
                    (!dot || mst_find(*around, dot + 1, &list, NULL) != MST_OK)))
        return false;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &link);) {
        if (mst_member(&link, match->facts->ends, &ends) != MST_OK || mst_value_type(&ends) != MST_TYPE_LIST)
            return false;
        if (!each_of(&ends, found, user)) {
            state->out_of_memory = true;
            return false;
        }
    }
    return true;
}

/* ---- unmatched parts -------------------------------------------------------------------------------- */

static bool take_parts(together *t, int which) {
    side *s = &t->sides[which];
    const uint32_t *others = t->match->others[which];
    uint32_t left = 0;
    s->elements = t->match->counts[which];
    for (uint64_t i = 0; i < s->elements; i++)
        left += others[i] == MST_NOBODY;
    if (left < LEAST)
        return false;
    s->parts = mst_diff_take(t->state, &t->arena, left, sizeof *s->parts);
    s->numbers = mst_diff_take(t->state, &t->arena, s->elements, sizeof *s->numbers);
    for (uint64_t i = 0; s->parts && s->numbers && i < s->elements; i++) {
        part *one = &s->parts[s->count];
        *one = (part){.index = (uint32_t)i, .other = MST_NOBODY};
        const mst_value element = mst_match_element(t->match, which, i);
        const bool taken = others[i] == MST_NOBODY && mst_diff_position(&element, t->match->facts, one->at);
        s->numbers[i] = taken ? s->count : MST_NOBODY;
        s->count += taken;
    }
    return s->parts && s->numbers;
}

static bool count_joint(void *user, uint64_t from, uint64_t to) {
    side *s = user;
    const bool both = from < s->elements && to < s->elements && from != to &&
                      s->numbers[from] != MST_NOBODY && s->numbers[to] != MST_NOBODY;
    if (both && s->joints)
        s->joints[s->joint_count] = (joint){s->numbers[from], s->numbers[to]};
    s->joint_count += both;
    return true;
}

/* Adds up shapes independently of the order of the links. */
static void add_shapes(side *s) {
    for (uint32_t i = 0; i < s->joint_count; i++) {
        part *from = &s->parts[s->joints[i].from], *to = &s->parts[s->joints[i].to];
        double there[3], back[3];
        for (size_t k = 0; k < 3; k++) {
            there[k] = to->at[k] - from->at[k];
            back[k] = -there[k];
        }
        from->shape += mst_vector_cell(there) | 1;
        to->shape += mst_vector_cell(back) | 1;
    }
}

static bool take_side(together *t, int which) {
    side *s = &t->sides[which];
    if (!take_parts(t, which) || !mst_match_each_link(t->state, t->match, which, count_joint, s) ||
        s->joint_count < LEAST)
        return false;
    s->joints = mst_diff_take(t->state, &t->arena, s->joint_count, sizeof *s->joints);
    s->joint_count = 0;
    if (!s->joints || !mst_match_each_link(t->state, t->match, which, count_joint, s))
        return false;
    add_shapes(s);
    return true;
}

/* ---- votes ------------------------------------------------------------------------------------------ */

static mst_left *sorted_shapes(together *t, int which, size_t *count) {
    const side *s = &t->sides[which];
    mst_left *all = mst_diff_take(t->state, &t->arena, s->count, sizeof *all);
    *count = 0;
    for (uint32_t i = 0; all && i < s->count; i++)
        if (s->parts[i].shape)
            all[(*count)++] = (mst_left){s->parts[i].shape, i};
    if (all && *count)
        qsort(all, *count, sizeof *all, mst_left_by_hash);
    return all;
}

static void add_vote(together *t, uint32_t old, uint32_t now) {
    if (t->vote_count < t->vote_room)
        t->votes[t->vote_count++] =
            mst_vote_for(t->sides[MST_OLD].parts[old].at, t->sides[MST_NEW].parts[now].at);
}

static void vote_of_shapes(void *user, const mst_left *old, size_t n, const mst_left *now, size_t m) {
    together *t = user;
    const bool each = n * m <= VOTERS;
    for (size_t i = 0; i < n; i++)
        for (size_t k = each ? 0 : i; k < m && (each || k == i); k++)
            add_vote(t, old[i].index, now[k].index);
}

static bool take_votes(together *t) {
    size_t n, m;
    const mst_left *old = sorted_shapes(t, MST_OLD, &n), *now = sorted_shapes(t, MST_NEW, &m);
    t->vote_room = 2 * (n + m);
    t->votes = mst_diff_take(t->state, &t->arena, t->vote_room, sizeof *t->votes);
    if (!old || !now || !t->votes)
        return false;
    mst_each_alike(old, n, now, m, vote_of_shapes, t);
    return t->vote_count >= LEAST;
}

/* ---- one distance ----------------------------------------------------------------------------------- */

static bool sort_places(together *t) {
    side *s = &t->sides[MST_NEW];
    s->places = mst_diff_take(t->state, &t->arena, s->count, sizeof *s->places);
    for (uint32_t i = 0; s->places && i < s->count; i++)
        s->places[i] = (mst_left){mst_place_cell(s->parts[i].at), i};
    if (s->places)
        qsort(s->places, s->count, sizeof *s->places, mst_left_by_hash);
    return s->places != NULL;
}

/* A search for an unmatched part of the new list. */
typedef struct searched {
    const together *t;
    const double *was, *by;
    uint32_t found; /* MST_NOBODY */
} searched;

static bool look(void *user, uint32_t index) {
    searched *s = user;
    const part *one = &s->t->sides[MST_NEW].parts[index];
    if (one->other == MST_NOBODY && s->t->match->others[MST_NEW][one->index] == MST_NOBODY &&
        mst_is_at(s->was, s->by, one->at))
        s->found = index;
    return s->found == MST_NOBODY;
}

static uint32_t find_at(const together *t, const double was[3], const double by[3]) {
    const side *s = &t->sides[MST_NEW];
    const double at[3] = {was[0] + by[0], was[1] + by[1], was[2] + by[2]};
    searched one = {t, was, by, MST_NOBODY};
    mst_look_at(s->places, s->count, at, look, &one);
    return one.found;
}

/* Of several parts in one place, chooses the one at the expected position in the list. */
static void find_expected(together *t, const double by[3]) {
    side *old = &t->sides[MST_OLD], *now = &t->sides[MST_NEW];
    uint32_t expected = 0, i = 0;
    for (uint64_t at = 0; at < old->elements; at++, expected++) {
        const uint32_t other = t->match->others[MST_OLD][at];
        expected = other == MST_NOBODY ? expected : other;
        if (old->numbers[at] == MST_NOBODY || other != MST_NOBODY || expected >= now->elements)
            continue;
        i = old->numbers[at];
        const uint32_t k = now->numbers[expected];
        if (k == MST_NOBODY || t->match->others[MST_NEW][expected] != MST_NOBODY ||
            !mst_is_at(old->parts[i].at, by, now->parts[k].at))
            continue;
        old->parts[i].other = k;
        now->parts[k].other = i;
    }
}

static void find_others(together *t, const double by[3]) {
    side *old = &t->sides[MST_OLD], *now = &t->sides[MST_NEW];
    for (int which = 0; which < 2; which++)
        for (uint32_t i = 0; i < t->sides[which].count; i++)
            t->sides[which].parts[i].other = MST_NOBODY;
    find_expected(t, by);
    for (uint32_t i = 0; i < old->count; i++) {
        part *one = &old->parts[i];
        const bool left = t->match->others[MST_OLD][one->index] == MST_NOBODY;
        one->links = 0;
        if (one->other != MST_NOBODY)
            continue;
        one->other = left ? find_at(t, one->at, by) : MST_NOBODY;
        if (one->other != MST_NOBODY)
            now->parts[one->other].other = i;
    }
}

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int by_key(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The links of the new document, sorted for searching. */
static uint64_t *sorted_joints(together *t) {
    const side *s = &t->sides[MST_NEW];
    uint64_t *keys = mst_diff_take(t->state, &t->arena, s->joint_count, sizeof *keys);
    for (uint32_t i = 0; keys && i < s->joint_count; i++)
        keys[i] = key_of(s->joints[i].from, s->joints[i].to);
    if (keys)
        qsort(keys, s->joint_count, sizeof *keys, by_key);
    return keys;
}

/* Counts the links of each part that both documents have. */
static void count_links(together *t, const uint64_t *keys) {
    const side *old = &t->sides[MST_OLD], *now = &t->sides[MST_NEW];
    for (uint32_t i = 0; i < old->joint_count; i++) {
        part *from = &old->parts[old->joints[i].from], *to = &old->parts[old->joints[i].to];
        if (from->other == MST_NOBODY || to->other == MST_NOBODY)
            continue;
        const uint64_t key = key_of(from->other, to->other);
        MST_LOWER_BOUND(low, middle, now->joint_count, keys[middle] < key);
        const uint32_t there = low < now->joint_count && keys[low] == key;
        from->links += there;
        to->links += there;
    }
}

/* Matches parts that have moved by a distance, if two of their links have, as a corner of a face has them. */
static bool match_at(together *t, const uint64_t *keys, const double by[3]) {
    const side *old = &t->sides[MST_OLD], *now = &t->sides[MST_NEW];
    size_t count = 0;
    find_others(t, by);
    count_links(t, keys);
    for (uint32_t i = 0; i < old->count; i++)
        count += old->parts[i].links >= 2;
    for (uint32_t i = 0; i < old->count && count >= LEAST; i++) {
        const part *one = &old->parts[i];
        if (one->links >= 2)
            mst_match_set(t->match, one->index, now->parts[one->other].index, MST_MATCH_MOVED);
    }
    if (count < LEAST)
        return false;
    double rounded[3] = {by[0], by[1], by[2]};
    t->state->moved = true;
    mst_diff_round_distance(t->state, rounded);
    return true;
}

bool mst_match_together(mst_diff_state *state, mst_match *match) {
    bool any = false;
    together t = {.state = state, .match = match};
    mst_distance best[MST_DISTANCES] = {{{0, 0, 0}, 0}};
    mst_diff_arena_begin(state, &t.arena);
    if (take_side(&t, MST_OLD) && take_side(&t, MST_NEW) && take_votes(&t) && sort_places(&t)) {
        const uint64_t *keys = sorted_joints(&t);
        const size_t count = keys ? mst_elect(t.votes, t.vote_count, best) : 0;
        for (size_t i = 0; i < count; i++)
            any = match_at(&t, keys, best[i].by) || any;
    }
    mst_diff_arena_end(state, &t.arena);
    return any;
}

/* ---- distances -------------------------------------------------------------------------------------- */

#define KEPT 256 /* distances */

bool mst_diff_round_distance(mst_diff_state *state, double by[3]) {
    static const double nothing[3] = {0, 0, 0};
    const double(*all)[3] = state->distances.items;
    for (size_t i = 0; i < state->distances.count; i++)
        if (mst_is_at(nothing, all[i], by)) {
            memcpy(by, all[i], sizeof all[i]);
            return true;
        }
    if (state->distances.count < KEPT) {
        double(*added)[3] = mst_array_push(&state->distances, 1);
        if (!added)
            return !(state->out_of_memory = true);
        memcpy(added, by, 3 * sizeof(double));
    }
    return true;
}
