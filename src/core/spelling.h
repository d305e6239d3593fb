/* SPDX-License-Identifier: MIT */
/* The distance between names, for "did you mean". */
#ifndef MST_CORE_SPELLING_H
#define MST_CORE_SPELLING_H

#include <stddef.h>

#define MST_SPELLING_MAX 64 /* longer names are unrelated to all others */

/*
 * The distance between two names, for suggestions: 0 if they are equal, 1 for a letter in the other case or a
 * different separator ("-", "_", ".", " "), 4 for a letter that is wrong, missing, extra or swapped with the
 * next. A name that contains the other also counts as close. UINT_MAX: unrelated (or longer than 63 bytes).
 */
unsigned mst_name_distance(const char *a, const char *b);

/* The minimum number of letters to change, insert or remove to turn one name into the other: `most` + 1 if
 * more. */
unsigned mst_spelling_distance(const char *left, size_t left_size, const char *right, size_t right_size,
                               unsigned most);

#endif
