/* SPDX-License-Identifier: MIT */
/* The names that there are, in place of one that there is not. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "output.h"

typedef struct names {
    char **items; /* each once, as they came */
    size_t count, capacity;
} names;

/* Begin with zeros. The name is copied. */
void names_add(names *all, const char *name);
/* "; did you mean 'a'?" if one is near, and then " There are: a, b, c", the nearest first, with "..." for
 * those beyond a few lines. */
void names_put(const names *all, stream *to, const char *wanted);
void names_free(names *all);

#endif
