/* SPDX-License-Identifier: MIT */
/*
 * Distances that many things have moved by. Each thing votes for the distances from its old place to its
 * possible new ones; the distances with the most votes are tried, by searching the resulting places.
 */
#ifndef MST_COMPARE_DISTANCES_H
#define MST_COMPARE_DISTANCES_H

#include "comparing.h"

#define MST_DISTANCES      32    /* that are tried */
#define MST_TOGETHER_LEAST 3     /* things that move together */
#define MST_FARTHEST       1.0e9 /* coordinates */

typedef struct mst_vote {
    uint64_t cell;
    double by[3];
} mst_vote;

/* A distance with its votes. */
typedef struct mst_distance {
    double by[3];
    size_t votes;
} mst_distance;

/* The cell of a vector. Vectors that are equal except for rounding nearly always share a cell, unless they
 * are at the border of one. */
uint64_t mst_vector_cell(const double by[3]);
mst_vote mst_vote_for(const double was[3], const double is[3]);
/* Passes on things that are alike in two lists sorted by mst_left_by_hash, kind by kind: `n` of the old list
 * and `m` of the new one. */
typedef void (*mst_alike_function)(void *user, const mst_left *old, size_t n, const mst_left *now, size_t m);
void mst_each_alike(const mst_left *old, size_t old_count, const mst_left *now, size_t new_count,
                    mst_alike_function each, void *user);
/* The distances with the most votes, in descending order, each with at least MST_TOGETHER_LEAST. Sorts the
 * votes. */
size_t mst_elect(mst_vote *votes, size_t count, mst_distance best[MST_DISTANCES]);

/* Whether something has moved by a distance, except for rounding. */
bool mst_is_at(const double was[3], const double by[3], const double is[3]);

/* The cell that a thing is in: its `hash` for mst_look_at, after things are sorted by mst_left_by_hash. */
uint64_t mst_place_cell(const double at[3]);
/* Calls a function with the things in the cells around a place, until it returns false. */
void mst_look_at(const mst_left *places, size_t count, const double at[3],
                 bool (*look)(void *user, uint32_t index), void *user);

#endif
