/* SPDX-License-Identifier: MIT */
/*
 * Remembers where elements of long lists are, as long as no byte of the document moves: to find one takes a
 * few steps then, not a walk over all elements before it.
 */
#ifndef MST_SCHEMA_FINDER_H
#define MST_SCHEMA_FINDER_H

#include "engine.h"

#define MST_FINDER_LISTS 8 /* that are remembered at a time */
#define MST_FINDER_STEP  32

typedef struct mst_finder_list {
    const void *field;
    uint64_t offset;
    mst_array marks; /* mst_iterator: before each element whose index is a multiple of MST_FINDER_STEP */
} mst_finder_list;

typedef struct mst_finder {
    mst_finder_list lists[MST_FINDER_LISTS];
    uint32_t count, next; /* the one that gives way */
} mst_finder;

/* The element of a list, as by mst_element. */
mst_status mst_finder_element(mst_finder *finder, const mst_value *list, uint64_t index, mst_value *element);
/* Forgets everything. */
void mst_finder_reset(mst_finder *finder);

#endif
