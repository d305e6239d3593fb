/* SPDX-License-Identifier: MIT */
#include "arena.h"
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ALIGNMENT   16u
#define BLOCK_FIRST 4096u
#define BLOCK_MAX   ((size_t)1 << 20)

struct mst_arena_block {
    mst_arena_block *older;
    size_t size; /* as allocated, including this header */
};

/* The space before the first byte handed out: the header, and at most this much for alignment. */
#define BLOCK_HEADER (sizeof(mst_arena_block) + ALIGNMENT)

static void *malloc_resize(void *user, void *old, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

mst_allocator mst_allocator_or_default(const mst_allocator *allocator) {
    if (allocator && allocator->resize)
        return *allocator;
    return (mst_allocator){malloc_resize, NULL};
}

void mst_arena_begin(mst_arena *arena, const mst_allocator *allocator, size_t budget) {
    *arena = (mst_arena){.allocator = mst_allocator_or_default(allocator), .budget = budget};
}

void mst_arena_end(mst_arena *arena) {
    mst_arena_block *block = arena->blocks;
    while (block) {
        mst_arena_block *older = block->older;
        arena->allocator.resize(arena->allocator.user, block, block->size, 0);
        block = older;
    }
    arena->blocks = NULL;
    arena->next = arena->limit = NULL;
    arena->used = 0;
}

static unsigned char *aligned(unsigned char *address) {
    return address + ((ALIGNMENT - 1) & (0 - (uintptr_t)address));
}

static mst_arena_block *new_block(mst_arena *arena, size_t size) {
    if (arena->budget && size > arena->budget - arena->used) /* `used` never exceeds the budget */
        return NULL;
    mst_arena_block *block = arena->allocator.resize(arena->allocator.user, NULL, 0, size);
    if (!block)
        return NULL;
    block->size = size;
    arena->used += size;
    return block;
}

void *mst_arena_take(mst_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) /* no object is larger; below this, sums cannot overflow */
        return NULL;
    size_t needed = count * size;
    needed = needed ? (needed + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    if (arena->next && needed <= (size_t)(arena->limit - arena->next)) {
        void *result = arena->next;
        arena->next += needed;
        return result;
    }
    /* Blocks grow with the memory in use: small documents stay small, large ones need few blocks. */
    size_t standard = arena->used < BLOCK_FIRST ? BLOCK_FIRST
                      : arena->used < BLOCK_MAX ? arena->used
                                                : BLOCK_MAX;
    size_t exact = needed + BLOCK_HEADER;
    mst_arena_block *block = NULL;
    if (exact <= standard / 4)
        block = new_block(arena, standard);
    if (!block)
        block = new_block(arena, exact);
    arena->starved |= !block;
    if (!block)
        return NULL;
    unsigned char *result = aligned((unsigned char *)(block + 1));
    unsigned char *limit = (unsigned char *)block + block->size;
    if (arena->blocks && (size_t)(limit - result) - needed <= (size_t)(arena->limit - arena->next)) {
        /* The newest block has more space left than this one will have: keep filling the newest. */
        block->older = arena->blocks->older;
        arena->blocks->older = block;
    } else {
        block->older = arena->blocks;
        arena->blocks = block;
        arena->next = result + needed;
        arena->limit = limit;
    }
    return result;
}

void *mst_arena_zero(mst_arena *arena, size_t count, size_t size) {
    void *result = mst_arena_take(arena, count, size);
    if (result)
        memset(result, 0, count * size);
    return result;
}

char *mst_arena_text(mst_arena *arena, const char *text, size_t length) {
    if (length == SIZE_MAX)
        return NULL;
    char *copy = mst_arena_take(arena, length + 1, 1);
    if (!copy)
        return NULL;
    if (length)
        memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *mst_arena_printf(mst_arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : mst_arena_take(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

static void *take_again(void *user, void *old, size_t old_size, size_t new_size) {
    void *made = new_size ? mst_arena_take(user, new_size, 1) : NULL;
    if (made && old)
        memcpy(made, old, old_size < new_size ? old_size : new_size);
    return made;
}

mst_allocator mst_arena_allocator(mst_arena *arena) {
    return (mst_allocator){take_again, arena};
}

void *mst_array_push(mst_array *array, size_t n) {
    if (n > SIZE_MAX - array->count)
        return NULL;
    size_t needed = array->count + n;
    if (needed > array->capacity || !array->items) {
        size_t capacity = array->capacity * 2;
        if (capacity < needed) /* also if doubling overflowed */
            capacity = needed;
        if (capacity < 8)
            capacity = 8;
        if (capacity > SIZE_MAX / array->element_size)
            return NULL;
        array->allocator = mst_allocator_or_default(&array->allocator);
        void *items =
            array->allocator.resize(array->allocator.user, array->items,
                                    array->capacity * array->element_size, capacity * array->element_size);
        if (!items)
            return NULL;
        array->items = items;
        array->capacity = capacity;
    }
    void *result = (unsigned char *)array->items + array->count * array->element_size;
    array->count = needed;
    return result;
}

void mst_array_free(mst_array *array) {
    if (array->items)
        array->allocator.resize(array->allocator.user, array->items, array->capacity * array->element_size,
                                0);
    array->items = NULL;
    array->count = array->capacity = 0;
}
