/* SPDX-License-Identifier: MIT */
/* The cost of turning one element into another: how far it moves, and how many of its values change. */
#include "pairing.h"
#include <math.h>
#include <stdlib.h>

#define FAR    3   /* distances are capped at `near` times this */
#define NEAR   4   /* replaces `near` if the tables have none */
#define VALUES 200 /* that are counted separately */

/* ---- elements --------------------------------------------------------------------------------------- */

/* The ranges of the values that give an element's place, in ascending order. `places`: how many of the paths
 * of its place count. */
static size_t find_places(const mst_compared *facts, const mst_value *element, size_t places,
                          mst_range ranges[2 * MST_COMPARED_PATHS]) {
    size_t count = 0;
    for (size_t i = 0; i < 2 * MST_COMPARED_PATHS; i++) {
        const char *path = i >= MST_COMPARED_PATHS ? facts->moved[i - MST_COMPARED_PATHS]
                           : i < places            ? facts->place[i]
                                                   : NULL;
        mst_value found;
        if (!path || !mst_diff_find(element, path, &found))
            continue;
        mst_range range = {found.offset, mst_value_after(&found)};
        size_t at = count++;
        for (; at && ranges[at - 1].from > range.from; at--)
            ranges[at] = ranges[at - 1];
        ranges[at] = range;
    }
    return count;
}

static bool is_coordinate(double number) {
    return isfinite(number) && fabs(number) <= 1e9;
}

/* How many paths of the place give an element's position: those after a list of coordinates, such as its
 * rotation, are ordinary values. */
static size_t count_places(const mst_compared *facts, const mst_value *element) {
    mst_value place;
    bool list = !facts->shares && mst_diff_find(element, facts->place[0], &place) &&
                mst_value_type(&place) == MST_TYPE_LIST;
    return list ? 1 : MST_COMPARED_PATHS;
}

/* Up to three coordinates: a list of three, or a number each. */
static bool find_coordinates(const mst_compared *facts, const mst_value *element, double at[3]) {
    mst_value place, one;
    at[0] = at[1] = at[2] = 0;
    if (facts->shares || !mst_diff_find(element, facts->place[0], &place))
        return false;
    bool list = mst_value_type(&place) == MST_TYPE_LIST;
    if (list && mst_count(&place) != 3)
        return false;
    for (size_t k = 0; k < 3; k++) {
        if (list ? mst_element(&place, k, &one) != MST_OK
                 : !facts->place[k] || !mst_diff_find(element, facts->place[k], &one))
            return k > 0 && !list;
        if (mst_get_real(&one, &at[k]) != MST_OK || !is_coordinate(at[k]))
            return false;
    }
    return true;
}

/* The values of an element, as they are collected. */
typedef struct values {
    mst_diff_state *state;
    int side;
    const mst_range *ranges;
    size_t range_count;
    uint32_t items[VALUES];
    size_t count;
} values;

/* Adds a value without the ranges of the element's place. Values beyond the limit count as one. */
static void add_value(values *all, uint64_t name, const mst_value *value) {
    const uint64_t after = mst_value_after(value);
    mst_range inner[2 * MST_COMPARED_PATHS];
    size_t count = 0;
    for (size_t i = 0; i < all->range_count; i++)
        if (all->ranges[i].from >= value->offset && all->ranges[i].to <= after)
            inner[count++] = all->ranges[i];
    if (count == 1 && inner[0].from == value->offset && inner[0].to == after)
        return;
    const mst_hashes hashes = mst_diff_hash(all->state, all->side, value, inner, count);
    const uint32_t hash = (uint32_t)(mst_mix(name, count ? hashes.rest : hashes.all) >> 16);
    if (all->count < VALUES)
        all->items[all->count++] = hash;
    else
        all->items[VALUES - 1] = (uint32_t)mst_mix(all->items[VALUES - 1], hash);
}

static uint64_t hash_name(const char *name) {
    uint64_t hash = 0;
    for (; *name; name++)
        hash = mst_mix(hash, (unsigned char)*name);
    return hash;
}

static void find_values(values *all, const mst_value *element) {
    mst_value member, pair;
    if (mst_value_type(element) != MST_TYPE_RECORD) {
        add_value(all, 0, element);
        return;
    }
    for (mst_iterator it = mst_iterate(element); mst_next(&it, &member);) {
        const mst_field *field = mst_field_of(&member);
        const uint64_t name = hash_name(field->name);
        const mst_record *record = field->kind == MST_KIND_RECORD ? field->record : NULL;
        if (field->constant || field->length_of)
            continue;
        if (!record || !record->pairs || mst_value_type(&member) != MST_TYPE_LIST) {
            add_value(all, name, &member);
            continue;
        }
        for (mst_iterator inner = mst_iterate(&member); mst_next(&inner, &pair);)
            add_value(all, name, &pair);
    }
}

static int by_value(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static bool keep_values(values *all, mst_arena *arena, mst_candidate *one) {
    uint32_t *kept = mst_diff_take(all->state, arena, all->count, sizeof *kept);
    if (!kept)
        return false;
    if (all->count) {
        memcpy(kept, all->items, all->count * sizeof *kept);
        qsort(kept, all->count, sizeof *kept, by_value);
    }
    one->values = kept;
    one->count = (uint8_t)all->count;
    return true;
}

bool mst_candidate_of(mst_diff_state *state, const mst_match *match, int side, uint64_t index, bool full,
                      mst_arena *arena, mst_candidate *one) {
    const mst_compared *facts = match->facts;
    const mst_value element = mst_match_element(match, side, index);
    const size_t places = count_places(facts, &element);
    const char *const type[MST_COMPARED_PATHS] = {facts->kind[0]}, *const first[MST_COMPARED_PATHS] = {
                                                                       facts->place[0]};
    mst_range ranges[2 * MST_COMPARED_PATHS];
    mst_found found;
    *one = (mst_candidate){.index = (uint32_t)index};
    one->type = mst_diff_hash_paths(state, side, &element, type, &found);
    one->place = mst_diff_hash_paths(state, side, &element, places == 1 ? first : facts->place, &found);
    one->is_placed = found != MST_FOUND_SOME;
    if (!full)
        return true;
    one->kind = mst_diff_hash_paths(state, side, &element, facts->kind, &found);
    one->moved = mst_diff_hash_paths(state, side, &element, facts->moved, &found);
    one->key = mst_diff_hash_paths(state, side, &element, facts->keys, &found);
    one->has_key = facts->unnamed ? found != MST_FOUND_SOME : found == MST_FOUND_ALL;
    one->is_at = find_coordinates(facts, &element, one->at);
    values all = {.state = state, .side = side, .ranges = ranges};
    all.range_count = find_places(facts, &element, MST_COMPARED_PATHS, ranges);
    one->rest = mst_diff_hash(state, side, &element, ranges, all.range_count).rest;
    all.range_count = find_places(facts, &element, places, ranges);
    find_values(&all, &element);
    return keep_values(&all, arena, one);
}

bool mst_candidate_values(mst_diff_state *state, int side, const mst_value *element, mst_arena *arena,
                          mst_candidate *one) {
    values all = {.state = state, .side = side};
    *one = (mst_candidate){.index = 0};
    find_values(&all, element);
    return keep_values(&all, arena, one);
}

/* ---- pairs ------------------------------------------------------------------------------------------ */

/* The number of values that one has and the other lacks, in the direction in which it is larger. */
uint32_t mst_pair_changes(const mst_candidate *a, const mst_candidate *b) {
    uint32_t only_a = 0, only_b = 0;
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count)
        if (k == b->count || (i < a->count && a->values[i] < b->values[k])) {
            only_a++;
            i++;
        } else if (i == a->count || b->values[k] < a->values[i]) {
            only_b++;
            k++;
        } else {
            i++;
            k++;
        }
    return only_a > only_b ? only_a : only_b;
}

static double near_of(const mst_match *match) {
    return match->facts->near > 0 ? (double)match->facts->near : NEAR;
}

static double distance_of(const mst_match *match, const mst_candidate *a, const mst_candidate *b) {
    double square = 0;
    if (!a->is_at || !b->is_at)
        return FAR * near_of(match);
    for (int k = 0; k < 3; k++)
        square += (a->at[k] - b->at[k]) * (a->at[k] - b->at[k]);
    return sqrt(square);
}

bool mst_pair_costs(const mst_match *match, const mst_candidate *old, const mst_candidate *now,
                    mst_pair_cost *pair) {
    const mst_compared *facts = match->facts;
    const bool same_place = old->place == now->place && old->is_placed && now->is_placed;
    if (old->type != now->type || (facts->shares && !same_place))
        return false;
    pair->distance = same_place ? 0 : distance_of(match, old, now);
    const bool near = facts->near > 0 && old->is_at && now->is_at && old->kind == now->kind &&
                      pair->distance <= (double)facts->near;
    const bool named = old->has_key && now->has_key && old->key == now->key;
    if (!same_place && old->rest != now->rest && !near && !named)
        return false;
    const uint32_t differ = mst_pair_changes(old, now);
    const uint32_t changed = differ || old->rest == now->rest ? differ : 1;
    const double far = pair->distance / near_of(match);
    pair->far = far >= FAR;
    pair->distance = pair->far ? FAR * near_of(match) : pair->distance;
    pair->changes = changed + !same_place + (same_place && old->moved != now->moved);
    pair->cost = 2 * MST_PAIR_UNIT * (int64_t)changed / (changed + 1);
    if (!same_place)
        pair->cost += MST_PAIR_UNIT + (int64_t)((far < FAR ? far : FAR) * MST_PAIR_UNIT / 2);
    if (old->moved != now->moved)
        pair->cost += MST_PAIR_UNIT / 4;
    return true;
}

int64_t mst_pair_weight(const mst_pair_cost *pair, const mst_candidate *old, const mst_candidate *now) {
    const int64_t most = MST_PAIR_SCALE / (2 * MST_PAIR_MOST) - 1;
    int64_t by = (int64_t)old->expected - (int64_t)now->index;
    by = by < 0 ? -by : by;
    return pair->cost * MST_PAIR_SCALE + (by < most ? by : most);
}

bool mst_pair_unclear(const mst_match *match, const mst_pair_cost *best, const mst_pair_cost *other,
                      unsigned times) {
    /* Pairs that are far apart in both assignments are no evidence about pairs that stay near. */
    const double either = FAR * near_of(match) * (best->far < other->far ? best->far : other->far);
    const double least = best->distance - either, most = other->distance - either;
    const double slack = near_of(match) / MST_PAIR_UNIT * 4;
    if (other->cost - best->cost >= MST_PAIR_UNIT)
        return false;
    if (other->changes > best->changes && most - least >= -slack)
        return false;
    return other->changes < best->changes || most - least <= slack || most < times * least;
}

bool mst_pair_equal(const mst_candidate *a, const mst_candidate *b) {
    return a->rest == b->rest && a->place == b->place && a->moved == b->moved && !mst_pair_changes(a, b);
}
