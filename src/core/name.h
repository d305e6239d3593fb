/* SPDX-License-Identifier: MIT */
/* Existing names that are similar to an unknown one. */
#ifndef MST_CORE_NAME_H
#define MST_CORE_NAME_H

#include <mapstone/base.h>
#include <stdbool.h>

#define MST_NAMES 64

typedef struct mst_names {
    const char *wanted;
    const char *items[MST_NAMES]; /* without duplicates, the most similar first; others in the order of
                                     addition */
    unsigned distances[MST_NAMES];
    size_t count;
    bool more; /* there were more than MST_NAMES */
} mst_names;

/* Initialise with {.wanted = name}. The names are not copied. */
void mst_names_add(mst_names *all, const char *name);
/* The most similar name, NULL if none is similar. */
const char *mst_names_nearest(const mst_names *all);
/* Writes "a, b, c", as many complete names as fit, then ", ..." if there are more. */
void mst_names_text(const mst_names *all, char *text, size_t capacity);

#endif
