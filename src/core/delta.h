/* SPDX-License-Identifier: MIT */
/* Instructions that build new bytes from old ones: copies of runs, and added bytes. */
#ifndef MST_CORE_DELTA_H
#define MST_CORE_DELTA_H

#include "arena.h"

/* A run of the old bytes, and the number of added ones after it. */
typedef struct mst_delta_run {
    uint64_t from, length, added;
} mst_delta_run;

typedef struct mst_delta {
    mst_array runs;  /* of mst_delta_run, in the order of the new bytes */
    mst_array added; /* all added bytes, concatenated */
    uint64_t old_size, new_size;
} mst_delta;

/* The number of equal bytes at the beginning, and before the ends: at most `size`. */
uint64_t mst_same_beginning(const uint8_t *one, const uint8_t *other, uint64_t size);
uint64_t mst_same_end(const uint8_t *one_end, const uint8_t *other_end, uint64_t size);

/* Free it with mst_delta_free, also after a failure: MST_NO_MEMORY. */
mst_status mst_delta_make(const uint8_t *old, uint64_t old_size, const uint8_t *now, uint64_t new_size,
                          const mst_allocator *allocator, mst_delta *delta);
/* Writes the new_size new bytes. `old` are the old_size bytes that the delta was made from. */
void mst_delta_apply(const mst_delta *delta, const uint8_t *old, uint8_t *now);
void mst_delta_free(mst_delta *delta);
/* Its memory use in bytes. */
size_t mst_delta_memory(const mst_delta *delta);

#endif
