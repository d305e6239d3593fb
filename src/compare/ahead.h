/* SPDX-License-Identifier: MIT */
/* Pairs of files that are compared at the same time as others, before it is their turn: mst_diff then
 * reports in order what was found. What is not a level of one file, and whatever fails, is left to their
 * turn. */
#ifndef MST_COMPARE_AHEAD_H
#define MST_COMPARE_AHEAD_H

#include "member_level.h"
#include <mapstone/diff.h>

typedef enum mst_ahead_found {
    MST_AHEAD_NOTHING = 0,
    MST_AHEAD_SAME,    /* a level, and the same bytes */
    MST_AHEAD_COMPARED /* two levels of one format, and `changes` are all that changed */
} mst_ahead_found;

typedef struct mst_ahead_pair {
    size_t indices[2]; /* in the old and the new container */
    mst_container_bytes bytes[2];
    mst_ahead_found found;
    mst_document *documents[2]; /* COMPARED: that `changes` are about */
    mst_array changes;          /* mst_difference */
    mst_arena arena;            /* their texts */
} mst_ahead_pair;

/* Pairs that are next to each other; `end`: where in the containers the next ones begin. */
typedef struct mst_ahead_batch {
    mst_ahead_pair *pairs;
    size_t count;
    size_t end[2];
} mst_ahead_batch;

typedef struct mst_ahead {
    mst_container *sides[2];
    const mst_diff_options *options; /* with an allocator */
    mst_ahead_pair *pairs;           /* of both batches */
    mst_ahead_batch now, next;       /* compared; read, or done with */
    size_t first;                    /* of `now` that was not asked for */
} mst_ahead;

/* Without memory for it, nothing is done ahead. */
void mst_ahead_begin(mst_ahead *ahead, mst_container *old_files, mst_container *new_files,
                     const mst_diff_options *options);
/* What was found about two files of one name, which is the next pair of those in order; NULL: nothing is done
 * ahead. Valid until the next one is asked for. */
const mst_ahead_pair *mst_ahead_next(mst_ahead *ahead, size_t old, size_t now);
void mst_ahead_end(mst_ahead *ahead);

#endif
