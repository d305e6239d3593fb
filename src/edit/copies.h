/* SPDX-License-Identifier: MIT */
/* The places of copies of several elements: copies of neighbours, a run, follow the run, in its order. */
#ifndef MST_EDIT_COPIES_H
#define MST_EDIT_COPIES_H

#include "located.h"

typedef struct mst_copies {
    const char *list; /* path of the list that contains all; NULL: there is none, and nothing is planned */
    const char *const *paths; /* of the originals, at the time of copying: the last first */
    const char *const *to;    /* the index of each copy at that time */
    uint64_t *indices;        /* of all copies, after all insertions */
    size_t count;
} mst_copies;

/* `to`: the index of the first copy; NULL: each run's copies follow it. MST_NO_MEMORY. */
mst_status mst_copies_plan(const mst_located *all, const char *to, mst_arena *arena, mst_copies *copies);

#endif
