/* SPDX-License-Identifier: MIT */
/* Matching of alike elements of two lists: see pairing.c. */
#ifndef MST_COMPARE_PAIRING_H
#define MST_COMPARE_PAIRING_H

#include "comparing.h"

#define MST_PAIR_UNIT (1 << 16)           /* the cost of one changed value */
#define MST_PAIR_NONE (3 * MST_PAIR_UNIT) /* the cost of an element without a counterpart */
#define MST_PAIR_MOST 64                  /* elements of a side that are assigned exactly */
/* The weight of a pair is its cost times this, plus the difference between its index and the expected one. */
#define MST_PAIR_SCALE (INT64_C(2) * MST_PAIR_MOST * 4096)

/* An element that is not matched yet. Equal hashes represent equal values. */
typedef struct mst_candidate {
    uint64_t type;  /* the first path of its kind: if it differs, the elements are not the same */
    uint64_t kind;  /* all of its kind */
    uint64_t place; /* its position */
    uint64_t moved; /* values that change when it is moved */
    uint64_t rest;  /* everything except values of its place */
    uint64_t key;
    double at[3];
    uint32_t index;
    uint32_t expected;      /* of an old one: its index in the new list if all elements keep their order */
    const uint32_t *values; /* without its place and values moved with it; ascending */
    uint8_t count;
    bool is_placed; /* it has a place */
    bool is_at;     /* ... with coordinates */
    bool has_key;
} mst_candidate;

/* The cost of turning one element into another. */
typedef struct mst_pair_cost {
    int64_t cost; /* in parts of MST_PAIR_UNIT, less than twice MST_PAIR_NONE */
    uint32_t changes;
    uint32_t far;    /* how many of the pairs, one or two, reach the maximum distance */
    double distance; /* capped at the maximum */
} mst_pair_cost;

/* The unmatched elements of one type. */
typedef struct mst_pair_group {
    mst_diff_state *state;
    mst_match *match;
    mst_arena *arena;
    mst_candidate *sides[2];
    size_t counts[2];
    uint32_t *partners; /* of the old ones, by place in `sides`: the place of the new one, or MST_NOBODY */
} mst_pair_group;

/* Fills in an element; false: out of memory. `full`: with its values. */
bool mst_candidate_of(mst_diff_state *state, const mst_match *match, int side, uint64_t index, bool full,
                      mst_arena *arena, mst_candidate *one);
/* The same for its values alone, all of them. */
bool mst_candidate_values(mst_diff_state *state, int side, const mst_value *element, mst_arena *arena,
                          mst_candidate *one);
/* The number of values that differ. */
uint32_t mst_pair_changes(const mst_candidate *a, const mst_candidate *b);
/* Whether two elements can be the same, and at what cost. */
bool mst_pair_costs(const mst_match *match, const mst_candidate *old, const mst_candidate *now,
                    mst_pair_cost *pair);
/* The cost, with the index as a tie-breaker. */
int64_t mst_pair_weight(const mst_pair_cost *pair, const mst_candidate *old, const mst_candidate *now);

/* Assigns rows of a square table of costs to columns with the least sum. `scratch`: 6 x n. */
void mst_assign(const int64_t *costs, size_t n, uint32_t *column_of_row, int64_t *scratch);

/* Matches elements that have moved together, and removes them from the unmatched ones, `all`. False: out of
 * memory. */
bool mst_pair_moved(const mst_pair_group *group, mst_candidate *const all[2], size_t counts[2]);

/* Fills in `partners`. False: out of memory. */
bool mst_pair_few(mst_pair_group *group);
bool mst_pair_many(mst_pair_group *group);

/* Whether one pairing is not clearly better than another one. `times`: how many times as far as in the best
 * one things would have to move to make it clear. */
bool mst_pair_unclear(const mst_match *match, const mst_pair_cost *best, const mst_pair_cost *other,
                      unsigned times);
/* Whether new elements are equal except for their index: then it does not matter which is which. */
bool mst_pair_equal(const mst_candidate *a, const mst_candidate *b);
/* Notes that two old elements of a group could be exchanged, or that one could be an unmatched new element.
 * False: out of memory. */
bool mst_pair_doubt_two(mst_pair_group *group, size_t old, size_t other);
bool mst_pair_doubt_new(mst_pair_group *group, size_t old, size_t other);
/* The same for all elements of a small group. */
bool mst_pair_doubt_few(mst_pair_group *group);
/* Notes which old elements that were not identical could be exchanged with others that are identical in both
 * lists. */
bool mst_pair_doubt_identical(mst_diff_state *state, mst_match *match, const mst_candidate *left,
                              size_t count);
/* Notes that an old element could be confused with another. */
bool mst_match_doubt(mst_diff_state *state, mst_match *match, uint32_t old_index, uint32_t other,
                     bool is_new);

#endif
