/* SPDX-License-Identifier: MIT */
/* Memory: one arena per document or scene, over the caller's allocator, with a budget. */
#ifndef MST_CORE_ARENA_H
#define MST_CORE_ARENA_H

#include <mapstone/base.h>
#include <stdbool.h>

/* The allocator itself if it has a function, else malloc. */
mst_allocator mst_allocator_or_default(const mst_allocator *allocator);

typedef struct mst_arena_block mst_arena_block;

typedef struct mst_arena {
    mst_allocator allocator;
    mst_arena_block *blocks;
    unsigned char *next, *limit; /* free space in the newest block */
    size_t used;                 /* bytes taken from the allocator */
    size_t budget;               /* 0: none */
    bool starved;                /* a request was refused, at any time */
} mst_arena;

void mst_arena_begin(mst_arena *arena, const mst_allocator *allocator, size_t budget);
/* Frees everything; the arena can be used again. */
void mst_arena_end(mst_arena *arena);

/* `count` times `size` bytes, aligned to 16, not initialised. NULL if that overflows, the allocator fails or
 * the budget is exceeded. A size of zero gives a pointer that must not be dereferenced. */
void *mst_arena_take(mst_arena *arena, size_t count, size_t size);
/* The same, filled with zeros. */
void *mst_arena_zero(mst_arena *arena, size_t count, size_t size);
/* A copy of `length` bytes with a NUL after them. */
char *mst_arena_text(mst_arena *arena, const char *text, size_t length);
/* The arena as an allocator: freed memory stays allocated. */
mst_allocator mst_arena_allocator(mst_arena *arena);
char *mst_arena_printf(mst_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A growing array of fixed-size elements, on an allocator: zero-initialise it and set element_size and
 * allocator. The next push invalidates pointers into `items`.
 */
typedef struct mst_array {
    void *items;
    size_t count, capacity, element_size;
    mst_allocator allocator;
} mst_array;

/* Appends `n` elements, not initialised, and returns the first; NULL if there is no memory. */
void *mst_array_push(mst_array *array, size_t n);
void mst_array_free(mst_array *array);

#endif
