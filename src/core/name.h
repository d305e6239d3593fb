/* SPDX-License-Identifier: MIT */
/* The names that there are in place of one that there is not. */
#ifndef MST_CORE_NAME_H
#define MST_CORE_NAME_H

#include <mapstone/base.h>
#include <stdbool.h>

#define MST_NAMES 64

typedef struct mst_names {
    const char *wanted;
    const char *items[MST_NAMES]; /* each once, the nearest first; those that are not near as they came */
    unsigned distances[MST_NAMES];
    size_t count;
    bool more; /* than there is room for */
} mst_names;

/* Begin with {.wanted = name}. The names are not copied. */
void mst_names_add(mst_names *all, const char *name);
/* The nearest, NULL if none is near. */
const char *mst_names_nearest(const mst_names *all);
/* Writes "a, b, c" as far as whole names fit, and then ", ...". */
void mst_names_text(const mst_names *all, char *text, size_t capacity);

#endif
