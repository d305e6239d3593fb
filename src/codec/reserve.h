/* SPDX-License-Identifier: MIT */
/* Room after what a piece of memory holds, for unpackers that write straight to where the bytes stay. */
#ifndef MST_CODEC_RESERVE_H
#define MST_CODEC_RESERVE_H

#include "../core/arena.h"
#include <stdbool.h>

/* Sees to it that `size` bytes can be written from memory->data + memory->size on; the caller then adds what
 * it wrote to memory->size. False if there is no memory: nothing has changed then. */
static inline bool mst_buffer_reserve(mst_buffer *buffer, uint64_t size) {
    size_t free_capacity = buffer->capacity - buffer->size;
    if (size <= free_capacity)
        return true;
    if (size > SIZE_MAX - buffer->size)
        return false;
    /* Many short pieces, one after another, are to be copied a few times only. */
    size_t capacity = buffer->size + (size_t)size, half_more = buffer->capacity / 2 + buffer->capacity;
    if (half_more > capacity) /* not if it was too much for the type */
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
