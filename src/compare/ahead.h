/* SPDX-License-Identifier: MIT */
/* Pairs of files that are compared in parallel, before it is their turn: mst_diff then reports the results in
 * order. Files that are not a level of a single file, and all failures, are left to their turn. */
#ifndef MST_COMPARE_AHEAD_H
#define MST_COMPARE_AHEAD_H

#include "member_level.h"
#include <mapstone/diff.h>

typedef enum mst_ahead_found {
    MST_AHEAD_NOTHING = 0,
    MST_AHEAD_SAME,    /* a level with the same bytes */
    MST_AHEAD_COMPARED /* two levels of one format; `changes` has all changes */
} mst_ahead_found;

typedef struct mst_ahead_pair {
    size_t indices[2]; /* in the old and the new container */
    mst_container_bytes bytes[2];
    mst_ahead_found found;
    mst_document *documents[2]; /* COMPARED: the documents that `changes` refers to */
    mst_array changes;          /* mst_difference */
    mst_arena arena;            /* their texts */
} mst_ahead_pair;

/* Consecutive pairs; `end`: where the next ones begin in the containers. */
typedef struct mst_ahead_batch {
    mst_ahead_pair *pairs;
    size_t count;
    size_t end[2];
} mst_ahead_batch;

typedef struct mst_ahead {
    mst_container *sides[2];
    const mst_diff_options *options; /* with an allocator */
    mst_ahead_pair *pairs;           /* of both batches */
    mst_ahead_batch now, next;       /* being compared; read or finished */
    size_t first;                    /* of `now`, the first that was not yet asked for */
} mst_ahead;

/* If there is not enough memory, nothing is compared ahead. */
void mst_ahead_begin(mst_ahead *ahead, mst_container *old_files, mst_container *new_files,
                     const mst_diff_options *options);
/* The result for two files of one name, which must be the next pair in order; NULL if nothing was compared
 * ahead. Valid until the next call. */
const mst_ahead_pair *mst_ahead_next(mst_ahead *ahead, size_t old, size_t now);
void mst_ahead_end(mst_ahead *ahead);

#endif
