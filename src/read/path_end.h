/* SPDX-License-Identifier: MIT */
/* The element that a path ends in. */
#ifndef MST_READ_PATH_END_H
#define MST_READ_PATH_END_H

#include <string.h>

/* The bracket of the index that a path ends in, `objects[3]` or `objects[-1]`: what is before it is the
 * list's path, and mst_path_index reads what follows. NULL: it ends in anything else, such as a field, a
 * slice,
 * `[name=x]` or a bracket that is not closed. */
static inline const char *mst_path_bracket(const char *path) {
    const char *bracket = strrchr(path, '[');
    const char *digits = bracket ? bracket + 1 + (bracket[1] == '-') : "";
    const size_t length = strspn(digits, "0123456789");
    return length && strcmp(digits + length, "]") == 0 ? bracket : NULL;
}

#endif
