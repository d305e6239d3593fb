/* SPDX-License-Identifier: MIT */
/* The binary search. */
#ifndef MST_CORE_LOWER_BOUND_H
#define MST_CORE_LOWER_BOUND_H

#include <stddef.h>

/*
 * Declares `low` (size_t): the first index below `count` at which `before`, an expression of the index
 * `middle`, is false; `count` if there is none. It is true for all indices before that one.
 */
#define MST_LOWER_BOUND(low, middle, count, before)                                                          \
    size_t low = 0;                                                                                          \
    for (size_t low##_end = (count), middle; low < low##_end;)                                               \
        if (middle = low + (low##_end - low) / 2, (before))                                                  \
            low = middle + 1;                                                                                \
        else                                                                                                 \
            low##_end = middle

#endif
