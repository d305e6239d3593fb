/* SPDX-License-Identifier: MIT */
/* For unpackers that write directly to a buffer: whether a size is credible, and capacity for it. */
#ifndef MST_CODEC_RESERVE_H
#define MST_CODEC_RESERVE_H

#include "../core/arena.h"
#include "../core/diagnose.h"
#include <stdbool.h>

/* Refuses a size that a stream cannot unpack to (`code`, with `message` and the size of the stream) or that
 * is above `limit`. */
static inline mst_status mst_check_claim(uint64_t unpacked_size, uint64_t max, uint64_t limit,
                                         const char *code, uint64_t size, const char *message,
                                         mst_diagnostic *diagnostic) {
    if (unpacked_size > max) {
        mst_damaged(diagnostic, code, 0, size, message);
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu unpacked bytes", (unsigned long long)max);
            MST_SET(diagnostic->found, "%llu", (unsigned long long)unpacked_size);
        }
        return MST_DAMAGED;
    }
    if (unpacked_size > limit)
        return mst_fail(diagnostic, MST_NO_MEMORY, "%llu unpacked bytes are more than the %llu allowed",
                        (unsigned long long)unpacked_size, (unsigned long long)limit);
    return MST_OK;
}

/* Makes sure that `size` bytes can be written at buffer->data + buffer->size; the caller then adds the number
 * written to buffer->size. False if out of memory; the buffer is then unchanged. */
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
