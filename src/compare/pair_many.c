/* SPDX-License-Identifier: MIT */
/* Pairs of many elements: each new one is compared with the nearest old ones that it has something in common
 * with, pairs are formed in order of cost, and pairs are exchanged while that reduces the cost. */
#include "../core/lower_bound.h"
#include "pairing.h"
#include <math.h>
#include <stdlib.h>

#define KEPT   12 /* candidates of an element */
#define ROUNDS 8  /* of exchanges */
#define VISITS 64 /* elements that a search visits */

/* The properties that possible pairs have in common, and how many of the nearest are examined for each. */
typedef enum in_common { COMMON_PLACE, COMMON_REST, COMMON_KIND, COMMON_KEY, COMMONS } in_common;
static const size_t most_of[COMMONS] = {3, 4, 3, 2};

typedef struct couple {
    int64_t weight;
    uint32_t old, now; /* places in the sides of the group */
} couple;

typedef struct point {
    uint64_t common;
    double at[3];
    uint32_t place; /* in the side of the group */
} point;

typedef struct pairing {
    mst_pair_group *group;
    point *points;
    size_t count;
    couple *couples;
    size_t couple_count;
    uint32_t *old_of; /* of the new ones: the old one, or MST_NOBODY */
} pairing;

/* ---- the nearest ------------------------------------------------------------------------------------ */

static int by_coordinate(const point *a, const point *b, int axis) {
    if (a->at[axis] < b->at[axis] || a->at[axis] > b->at[axis])
        return a->at[axis] < b->at[axis] ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_x(const void *left, const void *right) {
    return by_coordinate(left, right, 0);
}

static int by_y(const void *left, const void *right) {
    return by_coordinate(left, right, 1);
}

static int by_z(const void *left, const void *right) {
    return by_coordinate(left, right, 2);
}

static int by_common(const void *left, const void *right) {
    const point *a = left, *b = right;
    if (a->common != b->common)
        return a->common < b->common ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* A part of a tree: its root is in the middle. */
typedef struct part {
    size_t from, to;
    int axis;
    double away; /* square of the distance that the search must cover to get there */
} part;
#define DEPTH 64 /* enough for any tree that fits into memory */

static void build_tree(point *points, size_t count) {
    static int (*const orders[3])(const void *, const void *) = {by_x, by_y, by_z};
    part parts[DEPTH] = {{0, count, 0, 0}};
    for (size_t left = 1; left;) {
        const part one = parts[--left];
        const size_t middle = one.from + (one.to - one.from) / 2;
        if (one.to - one.from < 2)
            continue;
        qsort(points + one.from, one.to - one.from, sizeof *points, orders[one.axis]);
        parts[left++] = (part){one.from, middle, (one.axis + 1) % 3, 0};
        parts[left++] = (part){middle + 1, one.to, (one.axis + 1) % 3, 0};
    }
}

/* The nearest points found, in ascending order. */
typedef struct nearest {
    uint32_t places[KEPT];
    double squares[KEPT];
    size_t count, most;
} nearest;

static void consider(nearest *found, const point *one, const double at[3]) {
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (one->at[k] - at[k]) * (one->at[k] - at[k]);
    if (found->count == found->most && square >= found->squares[found->most - 1])
        return;
    size_t i = found->count < found->most ? found->count++ : found->most - 1;
    for (; i && square < found->squares[i - 1]; i--) {
        found->squares[i] = found->squares[i - 1];
        found->places[i] = found->places[i - 1];
    }
    found->squares[i] = square;
    found->places[i] = one->place;
}

static void search_tree(const point *points, size_t count, const double at[3], nearest *found) {
    part parts[DEPTH] = {{0, count, 0, 0}};
    size_t visits = 0;
    for (size_t left = 1; left && visits < VISITS;) {
        const part one = parts[--left];
        if (one.from == one.to || (found->count == found->most && one.away > found->squares[found->most - 1]))
            continue;
        const size_t middle = one.from + (one.to - one.from) / 2;
        const double by = at[one.axis] - points[middle].at[one.axis];
        const int next = (one.axis + 1) % 3;
        const double away = by * by > one.away ? by * by : one.away;
        consider(found, &points[middle], at);
        visits++;
        const part below = {one.from, middle, next, by < 0 ? one.away : away},
                   above = {middle + 1, one.to, next, by < 0 ? away : one.away};
        parts[left++] = by < 0 ? above : below; /* the nearer one is next */
        parts[left++] = by < 0 ? below : above;
    }
}

/* ---- candidates ------------------------------------------------------------------------------------- */

static bool has_common(const mst_candidate *one, in_common what, uint64_t *hash) {
    *hash = what == COMMON_PLACE  ? one->place
            : what == COMMON_REST ? one->rest
            : what == COMMON_KIND ? one->kind
                                  : one->key;
    return what == COMMON_PLACE ? one->is_placed : what == COMMON_KEY ? one->has_key : true;
}

static void gather_points(pairing *p, in_common what) {
    const mst_pair_group *group = p->group;
    p->count = 0;
    for (size_t i = 0; i < group->counts[MST_OLD]; i++) {
        const mst_candidate *one = &group->sides[MST_OLD][i];
        point *made = &p->points[p->count];
        p->count += has_common(one, what, &made->common);
        memcpy(made->at, one->at, sizeof made->at);
        made->place = (uint32_t)i;
    }
    if (p->count)
        qsort(p->points, p->count, sizeof *p->points, by_common);
    for (size_t at = 0, end; at < p->count; at = end) {
        for (end = at + 1; end < p->count && p->points[end].common == p->points[at].common;)
            end++;
        build_tree(p->points + at, end - at);
    }
}

/* The points that share a property. */
static size_t find_run(const pairing *p, uint64_t common, size_t *from) {
    MST_LOWER_BOUND(low, middle, p->count, p->points[middle].common < common);
    MST_LOWER_BOUND(length, middle, p->count - low, p->points[low + middle].common == common);
    *from = low;
    return length;
}

static void add_couples(pairing *p, in_common what) {
    const mst_pair_group *group = p->group;
    for (size_t k = 0; k < group->counts[MST_NEW]; k++) {
        const mst_candidate *now = &group->sides[MST_NEW][k];
        nearest found = {.most = most_of[what]};
        uint64_t hash;
        size_t from;
        if (!has_common(now, what, &hash))
            continue;
        const size_t count = find_run(p, hash, &from);
        search_tree(p->points + from, count, now->at, &found);
        for (size_t i = 0; i < found.count; i++) {
            const mst_candidate *old = &group->sides[MST_OLD][found.places[i]];
            mst_pair_cost pair;
            if (mst_pair_costs(group->match, old, now, &pair))
                p->couples[p->couple_count++] =
                    (couple){mst_pair_weight(&pair, old, now), found.places[i], (uint32_t)k};
        }
    }
}

/* ---- pairing ---------------------------------------------------------------------------------------- */

static int by_weight(const void *left, const void *right) {
    const couple *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    if (a->old != b->old)
        return a->old < b->old ? -1 : 1;
    return (a->now > b->now) - (a->now < b->now);
}

static void join(pairing *p, uint32_t old, uint32_t now) {
    p->group->partners[old] = now;
    p->old_of[now] = old;
}

static void marry(pairing *p) {
    for (size_t i = 0; i < p->couple_count; i++) {
        const couple *one = &p->couples[i];
        if (p->group->partners[one->old] == MST_NOBODY && p->old_of[one->now] == MST_NOBODY)
            join(p, one->old, one->now);
    }
}

/* The weight of a pair; if either is MST_NOBODY, of an element without a counterpart. */
static bool weigh(const pairing *p, uint32_t old, uint32_t now, int64_t *sum) {
    mst_pair_cost pair;
    if (old == MST_NOBODY && now == MST_NOBODY)
        return true;
    if (old == MST_NOBODY || now == MST_NOBODY) {
        *sum += MST_PAIR_NONE * MST_PAIR_SCALE;
        return true;
    }
    const mst_candidate *a = &p->group->sides[MST_OLD][old], *b = &p->group->sides[MST_NEW][now];
    if (!mst_pair_costs(p->group->match, a, b, &pair))
        return false;
    *sum += mst_pair_weight(&pair, a, b);
    return true;
}

/* Makes a couple a pair, and its former partners another one, if that reduces the weight. */
static bool exchange(pairing *p, const couple *one) {
    const uint32_t now = p->group->partners[one->old], old = p->old_of[one->now];
    int64_t before = 0, after = one->weight;
    if (now == one->now)
        return false;
    if (!weigh(p, one->old, now, &before) || !weigh(p, old, one->now, &before))
        return false;
    const bool both = weigh(p, old, now, &after);
    if (!both)
        after += 2 * MST_PAIR_NONE * MST_PAIR_SCALE;
    if (after >= before)
        return false;
    if (old != MST_NOBODY)
        p->group->partners[old] = both ? now : MST_NOBODY;
    if (now != MST_NOBODY)
        p->old_of[now] = both ? old : MST_NOBODY;
    join(p, one->old, one->now);
    return true;
}

static void exchange_all(pairing *p) {
    bool any = true;
    for (int round = 0; round < ROUNDS && any; round++) {
        any = false;
        for (size_t i = 0; i < p->couple_count; i++)
            any = exchange(p, &p->couples[i]) || any;
    }
}

/* Pairs elements whose candidates are all taken, in order. `used`: for the first point of each run with a
 * common property, how many of the run are taken. */
static void pair_rest(pairing *p, in_common what, uint32_t *used) {
    const mst_pair_group *group = p->group;
    size_t kept = 0, from;
    uint64_t hash;
    gather_points(p, what);
    for (size_t i = 0; i < p->count; i++)
        if (group->partners[p->points[i].place] == MST_NOBODY)
            p->points[kept++] = p->points[i];
    p->count = kept;
    memset(used, 0, group->counts[MST_OLD] * sizeof *used);
    if (kept)
        qsort(p->points, p->count, sizeof *p->points, by_common);
    for (size_t k = 0; k < group->counts[MST_NEW]; k++) {
        if (p->old_of[k] != MST_NOBODY || !has_common(&group->sides[MST_NEW][k], what, &hash))
            continue;
        const size_t count = find_run(p, hash, &from);
        if (count && used[from] < count)
            join(p, p->points[from + used[from]++].place, (uint32_t)k);
    }
}

static bool doubt_all(pairing *p) {
    bool enough = true;
    for (size_t i = 0; i < p->couple_count && enough; i++) {
        const couple *one = &p->couples[i];
        const uint32_t old = p->old_of[one->now];
        if (p->group->partners[one->old] == one->now)
            continue;
        enough = old == MST_NOBODY ? mst_pair_doubt_new(p->group, one->old, one->now)
                                   : mst_pair_doubt_two(p->group, one->old, old);
    }
    return enough;
}

bool mst_pair_many(mst_pair_group *group) {
    const size_t n = group->counts[MST_OLD], m = group->counts[MST_NEW];
    mst_arena arena;
    pairing p = {.group = group};
    mst_diff_arena_begin(group->state, &arena);
    p.points = mst_diff_take(group->state, &arena, n, sizeof *p.points);
    p.couples = mst_diff_take(group->state, &arena, m, KEPT * sizeof *p.couples);
    p.old_of = mst_diff_take(group->state, &arena, m, sizeof *p.old_of);
    uint32_t *used = mst_diff_take(group->state, &arena, n, sizeof *used);
    bool enough = p.points && p.couples && p.old_of && used;
    if (enough) {
        memset(group->partners, 0xFF, n * sizeof *group->partners);
        memset(p.old_of, 0xFF, m * sizeof *p.old_of);
        for (in_common what = COMMON_PLACE; what < COMMONS; what = (in_common)(what + 1)) {
            gather_points(&p, what);
            add_couples(&p, what);
        }
        if (p.couple_count)
            qsort(p.couples, p.couple_count, sizeof *p.couples, by_weight);
        marry(&p);
        if (!group->match->facts->shares) { /* elements with other parts are never the same */
            pair_rest(&p, COMMON_REST, used);
            pair_rest(&p, COMMON_KEY, used);
        }
        exchange_all(&p);
        enough = doubt_all(&p);
    }
    mst_diff_arena_end(group->state, &arena);
    return enough;
}
