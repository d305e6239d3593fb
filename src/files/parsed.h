/* SPDX-License-Identifier: MIT */
/* Writing and reading parsed bytes: big-endian, without padding. */
#ifndef MST_FILES_PARSED_H
#define MST_FILES_PARSED_H

#include "../core/bytes.h"
#include "spans.h"

/* ---- writing: the first failure sticks, and later writes do nothing ----------------------------- */

typedef struct mst_parsed_writer {
    mst_buffer *to;
    uint64_t limit; /* the most bytes that `to` may hold */
    mst_status status;
    mst_spans *spans;                  /* records where the bytes come from; NULL: nothing is recorded */
    const struct mst_file_view *files; /* MST_FILES_MAX that are parsed; NULL: others */
} mst_parsed_writer;

/* Bytes without a recorded source; mst_parsed_bytes records the source of copied ones. */
static inline void mst_parsed_put(mst_parsed_writer *w, const void *bytes, size_t size) {
    mst_sink sink = mst_buffer_sink(w->to);
    if (w->status == MST_OK && size > w->limit - (w->to->size < w->limit ? w->to->size : w->limit))
        w->status = MST_NO_MEMORY;
    if (w->status == MST_OK && size)
        w->status = sink.write(sink.user, bytes, size);
}
/* Copies bytes; if they are in a file, or in content unpacked from one, that source is recorded. */
static inline void mst_parsed_bytes(mst_parsed_writer *w, const void *bytes, size_t size) {
    if (w->spans && size)
        mst_spans_add(w->spans, w->to->size, bytes, 1, 1, false);
    mst_parsed_put(w, bytes, size);
}
/* A number computed from `size` bytes at `source`; NULL: made up. */
static inline void mst_parsed_from(mst_parsed_writer *w, uint32_t value, unsigned width,
                                   const uint8_t *source, unsigned size) {
    uint8_t bytes[4];
    mst_store(bytes, width, value, true);
    if (w->spans)
        mst_spans_add(w->spans, w->to->size, source, (uint16_t)(size == width ? 1 : width),
                      (uint16_t)(size == width ? 1 : size), false);
    mst_parsed_put(w, bytes, width);
}
static inline void mst_parsed_number(mst_parsed_writer *w, uint32_t value, unsigned width) {
    mst_parsed_from(w, value, width, NULL, 0);
}
/* Each `unit` of the parsed bytes written from now on comes from the next `width` bytes at `source`: for
 * bytes that are written with mst_parsed_put. */
static inline void mst_parsed_units(mst_parsed_writer *w, const uint8_t *source, uint16_t unit,
                                    uint16_t width) {
    if (w->spans)
        mst_spans_add(w->spans, w->to->size, source, unit, width, false);
}
/* Describes bytes that no parsed bytes come from. */
static inline void mst_parsed_note(mst_parsed_writer *w, const char *name, mst_byte_class byte_class,
                                   const uint8_t *bytes, uint64_t size) {
    if (w->spans)
        mst_spans_note(w->spans, w->to->size, name, byte_class, bytes, size, MST_ORIGIN_NONE);
}
/* Discards everything written and noted since the mark. */
typedef struct mst_parsed_mark {
    size_t size, notes;
} mst_parsed_mark;
static inline mst_parsed_mark mst_parsed_here(const mst_parsed_writer *w) {
    return (mst_parsed_mark){w->to->size, w->spans ? w->spans->note_count : 0};
}
static inline void mst_parsed_cut(mst_parsed_writer *w, mst_parsed_mark from) {
    w->to->size = from.size;
    if (w->spans)
        mst_spans_cut(w->spans, from.size, from.notes);
}
static inline void mst_parsed_zeros(mst_parsed_writer *w, size_t count) {
    static const uint8_t zeros[32] = {0};
    for (; count; count -= count < sizeof zeros ? count : sizeof zeros)
        mst_parsed_put(w, zeros, count < sizeof zeros ? count : sizeof zeros);
}
/* A u32 size, then the bytes. */
static inline void mst_parsed_counted(mst_parsed_writer *w, const void *bytes, size_t size) {
    if (size > UINT32_MAX && w->status == MST_OK)
        w->status = MST_NO_MEMORY;
    mst_parsed_number(w, (uint32_t)size, 4);
    mst_parsed_bytes(w, bytes, size);
}
/* The same for bytes that other fields describe as well. */
static inline void mst_parsed_original(mst_parsed_writer *w, const void *bytes, size_t size) {
    if (size > UINT32_MAX && w->status == MST_OK)
        w->status = MST_NO_MEMORY;
    mst_parsed_number(w, (uint32_t)size, 4);
    if (w->spans && size)
        mst_spans_add(w->spans, w->to->size, bytes, 1, 1, true);
    mst_parsed_put(w, bytes, size);
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

/* The diagnostic's offset counts from `bytes`, which are in a file, or, with `packed`, from the start of
 * their unpacked content. */
void mst_parsed_blame(const mst_parsed_writer *w, const uint8_t *bytes, bool packed,
                      mst_diagnostic *diagnostic);

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
