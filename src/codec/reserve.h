/* SPDX-License-Identifier: MIT */
/* Reserves capacity in a buffer, for unpackers that write directly to it. */
#ifndef MST_CODEC_RESERVE_H
#define MST_CODEC_RESERVE_H

#include "../core/arena.h"
#include <stdbool.h>

/* Makes sure that `size` bytes can be written at buffer->data + buffer->size; the caller then adds what it
 * wrote to buffer->size. False if there is no memory; the buffer is then unchanged. */
static inline bool mst_buffer_reserve(mst_buffer *buffer, uint64_t size) {
    size_t free_capacity = buffer->capacity - buffer->size;
    if (size <= free_capacity)
        return true;
    if (size > SIZE_MAX - buffer->size)
        return false;
    /* grows by half, so that many short pieces are copied only a few times */
    size_t capacity = buffer->size + (size_t)size, half_more = buffer->capacity / 2 + buffer->capacity;
    if (half_more > capacity) /* false if it overflowed */
        capacity = half_more;
    mst_allocator allocator = mst_allocator_or_default(&buffer->allocator);
    unsigned char *grown = allocator.resize(allocator.user, buffer->data, buffer->capacity, capacity);
    if (!grown)
        return false;
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

#endif
