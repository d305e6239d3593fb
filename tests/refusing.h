/* SPDX-License-Identifier: MIT */
/* Memory refused after some allocations. */
#ifndef MST_TESTS_REFUSING_H
#define MST_TESTS_REFUSING_H

#include <stddef.h>
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
