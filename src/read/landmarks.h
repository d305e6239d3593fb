/* SPDX-License-Identifier: MIT */
/*
 * Remembers the positions of elements of long lists, as long as no byte of the document moves: finding one
 * then takes a few steps, not a walk over all elements before it.
 */
#ifndef MST_READ_LANDMARKS_H
#define MST_READ_LANDMARKS_H

#include "engine.h"

#define MST_LANDMARKS_LISTS 8 /* remembered at a time */
#define MST_LANDMARKS_STEP  32

typedef struct mst_landmarks_list {
    const void *field;
    uint64_t offset;
    mst_array marks; /* mst_iterator: before each element whose index is a multiple of MST_LANDMARKS_STEP */
} mst_landmarks_list;

typedef struct mst_landmarks {
    mst_landmarks_list lists[MST_LANDMARKS_LISTS];
    uint32_t count, next; /* the next one to replace */
} mst_landmarks;

/* The element of a list, as by mst_element. */
mst_status mst_landmarks_element(mst_landmarks *landmarks, const mst_value *list, uint64_t index,
                                 mst_value *element);
/* The value at a path, as by mst_find. */
mst_status mst_landmarks_find(mst_landmarks *landmarks, mst_value from, const char *path, mst_value *found);
/* Discards all landmarks. */
void mst_landmarks_reset(mst_landmarks *landmarks);

#endif
