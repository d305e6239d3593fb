/* SPDX-License-Identifier: MIT */
/* Buffered writing to a sink. */
#ifndef MST_CORE_OUTPUT_H
#define MST_CORE_OUTPUT_H

#include <mapstone/base.h>
#include <string.h>

#define MST_OUTPUT_CAPACITY 2048

/* `status` keeps the first failure, and all output after it is dropped: callers check once, at the end. */
typedef struct mst_output {
    mst_sink sink;
    mst_status status;
    uint64_t written; /* total bytes, including those in the buffer */
    size_t fill;
    char buffer[MST_OUTPUT_CAPACITY];
} mst_output;

void mst_output_begin(mst_output *output, mst_sink sink);
/* Flushes the buffer and returns the first failure. */
mst_status mst_output_end(mst_output *output);
void mst_output_flush(mst_output *output);
void mst_output_bytes(mst_output *output, const void *data, size_t size);
/* At most MST_OUTPUT_CAPACITY - 1 bytes: use mst_output_text for longer text. */
void mst_output_format(mst_output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void mst_output_text(mst_output *output, const char *text) {
    mst_output_bytes(output, text, strlen(text));
}

/* Space for up to `size` (<= MST_OUTPUT_CAPACITY) bytes, which the caller fills and then adds with
 * mst_output_advance. */
static inline char *mst_output_reserve(mst_output *output, size_t size) {
    if (MST_OUTPUT_CAPACITY - output->fill < size)
        mst_output_flush(output);
    return output->buffer + output->fill;
}
static inline void mst_output_advance(mst_output *output, size_t size) {
    output->fill += size;
    output->written += size;
}

#endif
