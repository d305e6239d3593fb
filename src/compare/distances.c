/* SPDX-License-Identifier: MIT */
/* Votes for distances, and searches for things at a place. */
#include "distances.h"
#include "../core/lower_bound.h"
#include <math.h>
#include <stdlib.h>

#define VECTOR_CELL 64.0 /* cells per unit of length: vectors in one cell are equal, for votes */
#define PLACE_CELL  16.0 /* the same for places */

static uint64_t hash_cell(const double at[3], double cells) {
    uint64_t hash = 1;
    for (size_t k = 0; k < 3; k++)
        hash = mst_mix(hash, (uint64_t)(int64_t)floor(at[k] * cells + 0.5));
    return hash;
}

uint64_t mst_vector_cell(const double by[3]) {
    return hash_cell(by, VECTOR_CELL);
}

uint64_t mst_place_cell(const double at[3]) {
    return hash_cell(at, PLACE_CELL);
}

mst_vote mst_vote_for(const double was[3], const double is[3]) {
    mst_vote one = {.by = {is[0] - was[0], is[1] - was[1], is[2] - was[2]}};
    one.cell = mst_vector_cell(one.by);
    return one;
}

static int by_cell(const void *left, const void *right) {
    const mst_vote *a = left, *b = right;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    for (size_t k = 0; k < 3; k++)
        if (a->by[k] < b->by[k] || a->by[k] > b->by[k])
            return a->by[k] < b->by[k] ? -1 : 1;
    return 0;
}

void mst_each_alike(const mst_left *old, size_t old_count, const mst_left *now, size_t new_count,
                    mst_alike_function each, void *user) {
    for (size_t i = 0, k = 0; i < old_count && k < new_count;) {
        const uint64_t was = old[i].hash, is = now[k].hash;
        const size_t olds = was <= is ? mst_left_run(&old[i], old_count - i, was) : 0;
        const size_t news = is <= was ? mst_left_run(&now[k], new_count - k, is) : 0;
        if (was == is)
            each(user, &old[i], olds, &now[k], news);
        i += olds;
        k += news;
    }
}

size_t mst_elect(mst_vote *votes, size_t vote_count, mst_distance best[MST_DISTANCES]) {
    size_t count = 0;
    if (vote_count)
        qsort(votes, vote_count, sizeof *votes, by_cell);
    for (size_t at = 0, end; at < vote_count; at = end) {
        double sum[3] = {0, 0, 0};
        for (end = at; end < vote_count && votes[end].cell == votes[at].cell; end++)
            for (size_t k = 0; k < 3; k++)
                sum[k] += votes[end].by[k];
        mst_distance one = {.votes = end - at};
        for (size_t k = 0; k < 3; k++)
            one.by[k] = sum[k] / (double)one.votes;
        if (one.votes < MST_TOGETHER_LEAST || (count == MST_DISTANCES && best[count - 1].votes >= one.votes))
            continue;
        size_t place = count < MST_DISTANCES ? count++ : MST_DISTANCES - 1;
        for (; place && best[place - 1].votes < one.votes; place--)
            best[place] = best[place - 1];
        best[place] = one;
    }
    return count;
}

bool mst_is_at(const double was[3], const double by[3], const double is[3]) {
    return fabs(was[0] + by[0] - is[0]) <= MST_TOGETHER && fabs(was[1] + by[1] - is[1]) <= MST_TOGETHER &&
           fabs(was[2] + by[2] - is[2]) <= MST_TOGETHER;
}

/* Positions that differ by rounding may be in adjacent cells. */
void mst_look_at(const mst_left *places, size_t count, const double at[3],
                 bool (*look)(void *user, uint32_t index), void *user) {
    uint64_t cells[8] = {0};
    size_t tried = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        double near[3];
        for (unsigned k = 0; k < 3; k++)
            near[k] = at[k] + (corner >> k & 1 ? MST_TOGETHER : -MST_TOGETHER);
        const uint64_t cell = mst_place_cell(near);
        size_t i = 0;
        while (i < tried && cells[i] != cell)
            i++;
        if (i < tried)
            continue;
        cells[tried++] = cell;
        MST_LOWER_BOUND(low, middle, count, places[middle].hash < cell);
        for (i = low; i < count && places[i].hash == cell; i++)
            if (!look(user, places[i].index))
                return;
    }
}
