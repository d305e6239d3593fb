/* SPDX-License-Identifier: MIT */
/* Where copies of several elements come: those of neighbours, a run, come after the run, in its order. */
#ifndef MST_EDIT_COPIES_H
#define MST_EDIT_COPIES_H

#include "located.h"

typedef struct mst_copies {
    const char *list; /* path of the list that all are in; NULL: they are not, and nothing is planned */
    const char *const *paths; /* of the originals, when each is copied: the last first */
    const char *const *to;    /* the index of each copy then */
    uint64_t *indices;        /* of all copies, once all are there */
    size_t count;
} mst_copies;

/* `to`: the index of the first copy; NULL: each run's copies follow it. MST_NO_MEMORY. */
mst_status mst_copies_plan(const mst_located *all, const char *to, mst_arena *arena, mst_copies *copies);

#endif
