/* SPDX-License-Identifier: MIT */
/* How far names are from each other, for "did you mean". */
#ifndef MST_CORE_SPELLING_H
#define MST_CORE_SPELLING_H

#include <stddef.h>

#define MST_SPELLING_MAX 64 /* longer names are far from all others */

/* The fewest letters to change, insert or leave out that make one name the other: `most` + 1 if more. */
unsigned mst_spelling_distance(const char *left, size_t left_size, const char *right, size_t right_size,
                               unsigned most);

#endif
