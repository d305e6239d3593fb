/* SPDX-License-Identifier: MIT */
/* Polygons, and their area. */
#ifndef MST_TESTS_POLYGONS_H
#define MST_TESTS_POLYGONS_H

#include "../src/core/number.h"
#include "../src/scene/build.h"
#include "../src/scene/geometry.h"
#include <stdlib.h>

static inline void *no_memory(void *user, void *old, size_t old_size, size_t new_size) {
    int *left = user;
    if (new_size && (*left)-- <= 0)
        return NULL;
    (void)old_size;
    if (!new_size) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

#endif
