/* SPDX-License-Identifier: MIT */
/* The existing names, for the message about one that does not exist. */
#ifndef CLI_OUTPUT_EXISTING_NAMES_H
#define CLI_OUTPUT_EXISTING_NAMES_H

#include "streams.h"

typedef struct names {
    char **items; /* each once, in the order added */
    size_t count, capacity;
} names;

/* Zero-initialise the names. The name is copied. */
void names_add(names *all, const char *name);
/* "; did you mean 'a'?" if one is similar, then " There are: a, b, c", the most similar first, with "..."
 * after a few lines. */
void names_put(const names *all, stream *to, const char *wanted);
void names_free(names *all);

#endif
