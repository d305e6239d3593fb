/* SPDX-License-Identifier: MIT */
/* Writing and reading parsed bytes: big-endian, without padding. */
#ifndef MST_SFA_PARSED_H
#define MST_SFA_PARSED_H

#include "../../../core/bytes.h"
#include <mapstone/base.h>

/* ---- writing: the first failure sticks, and later writes do nothing ----------------------------- */

typedef struct mst_parsed_writer {
    mst_buffer *to;
    uint64_t limit; /* bytes that `to` may hold */
    mst_status status;
} mst_parsed_writer;

static inline void mst_parsed_bytes(mst_parsed_writer *w, const void *bytes, size_t size) {
    mst_sink sink = mst_buffer_sink(w->to);
    if (w->status == MST_OK && size > w->limit - (w->to->size < w->limit ? w->to->size : w->limit))
        w->status = MST_NO_MEMORY;
    if (w->status == MST_OK && size)
        w->status = sink.write(sink.user, bytes, size);
}
static inline void mst_parsed_number(mst_parsed_writer *w, uint32_t value, unsigned width) {
    uint8_t bytes[4];
    mst_store(bytes, width, value, true);
    mst_parsed_bytes(w, bytes, width);
}
static inline void mst_parsed_zeros(mst_parsed_writer *w, size_t count) {
    static const uint8_t zeros[32] = {0};
    for (; count; count -= count < sizeof zeros ? count : sizeof zeros)
        mst_parsed_bytes(w, zeros, count < sizeof zeros ? count : sizeof zeros);
}
/* A u32 size, then the bytes. */
static inline void mst_parsed_counted(mst_parsed_writer *w, const void *bytes, size_t size) {
    if (size > UINT32_MAX && w->status == MST_OK)
        w->status = MST_NO_MEMORY;
    mst_parsed_number(w, (uint32_t)size, 4);
    mst_parsed_bytes(w, bytes, size);
}
/* A u32 size that mst_parsed_end fills in; begin returns its offset. */
static inline size_t mst_parsed_begin(mst_parsed_writer *w) {
    size_t at = w->to->size;
    mst_parsed_number(w, 0, 4);
    return at;
}
static inline void mst_parsed_end(mst_parsed_writer *w, size_t at) {
    if (w->status == MST_OK)
        mst_store32(w->to->data + at, (uint32_t)(w->to->size - at - 4), true);
}

/* ---- reading: past the end gives zeros and sets `failed` ---------------------------------------- */

typedef struct mst_parsed_reader {
    const uint8_t *data;
    uint64_t size, at;
    bool failed;
} mst_parsed_reader;

static inline const uint8_t *mst_parsed_take(mst_parsed_reader *r, uint64_t size) {
    if (r->failed || !mst_fits(r->at, size, r->size)) {
        r->failed = true;
        return NULL;
    }
    r->at += size;
    return r->data + (r->at - size);
}
static inline uint32_t mst_parsed_read(mst_parsed_reader *r, unsigned width) {
    const uint8_t *bytes = mst_parsed_take(r, width);
    return bytes ? (uint32_t)mst_load(bytes, width, true) : 0;
}
/* A u32 size, then the bytes; NULL and size 0 past the end. */
static inline const uint8_t *mst_parsed_read_counted(mst_parsed_reader *r, uint32_t *size) {
    *size = mst_parsed_read(r, 4);
    const uint8_t *bytes = mst_parsed_take(r, *size);
    if (!bytes)
        *size = 0;
    return bytes;
}
/* A reader of the bytes that the next u32 size covers. */
static inline mst_parsed_reader mst_parsed_inner(mst_parsed_reader *r) {
    uint32_t size;
    const uint8_t *bytes = mst_parsed_read_counted(r, &size);
    return (mst_parsed_reader){bytes, size, 0, !bytes};
}

#endif
