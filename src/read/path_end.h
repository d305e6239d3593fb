/* SPDX-License-Identifier: MIT */
/* The element that a path ends in. */
#ifndef MST_READ_PATH_END_H
#define MST_READ_PATH_END_H

#include <string.h>

/* The bracket of the index at the end of a path, `objects[3]` or `objects[-1]`: the list's path precedes it,
 * and mst_path_index reads the rest. NULL if the path ends in anything else, such as a field, a slice,
 * `[name=x]` or an unclosed bracket. */
static inline const char *mst_path_bracket(const char *path) {
    const char *bracket = strrchr(path, '[');
    const char *digits = bracket ? bracket + 1 + (bracket[1] == '-') : "";
    const size_t length = strspn(digits, "0123456789");
    return length && strcmp(digits + length, "]") == 0 ? bracket : NULL;
}

#endif
