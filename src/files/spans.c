/* SPDX-License-Identifier: MIT */
/* The sources of parsed bytes: recording and looking them up. */
#include "spans.h"
#include "../core/lower_bound.h"
#include "../read/engine.h"

/* ---- recording --------------------------------------------------------------------------------- */

/* Room for one more item; NULL if out of memory. */
static void *one_more(mst_spans *spans, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown = NULL;
    if (wanted <= SIZE_MAX / size && (wanted - *capacity) * size <= spans->left)
        grown = spans->allocator.resize(spans->allocator.user, items, *capacity * size, wanted * size);
    if (!grown) {
        spans->status = MST_NO_MEMORY;
        return NULL;
    }
    spans->left -= (wanted - *capacity) * size;
    spans->used += (wanted - *capacity) * size;
    *capacity = wanted;
    return grown;
}

static uint32_t add_origin(mst_spans *spans, mst_origin origin) {
    mst_origin *grown = spans->status == MST_OK ? one_more(spans, spans->origins, spans->origin_count,
                                                           &spans->origin_capacity, sizeof *grown)
                                                : NULL;
    if (!grown)
        return MST_ORIGIN_NONE;
    spans->origins = grown;
    spans->origins[spans->origin_count] = origin;
    return (uint32_t)spans->origin_count++;
}

uint32_t mst_spans_file(mst_spans *spans, size_t file, const uint8_t *data, uint64_t size) {
    return add_origin(spans, (mst_origin){.data = data, .size = size, .file = file});
}

uint32_t mst_spans_content(mst_spans *spans, const uint8_t *packed, uint64_t length, const uint8_t *data,
                           uint64_t size) {
    mst_origin origin = {.data = data, .size = size, .packed = true, .length = length};
    uint32_t in = mst_spans_origin(spans, packed, &origin.offset);
    if (in == MST_ORIGIN_NONE)
        return MST_ORIGIN_NONE;
    origin.file = spans->origins[in].file;
    return add_origin(spans, origin);
}

void mst_spans_keep(mst_spans *spans, uint32_t origin, mst_buffer *content) {
    if (origin == MST_ORIGIN_NONE)
        return;
    spans->origins[origin].content = *content;
    spans->origins[origin].content.allocator = spans->allocator;
    spans->used += content->capacity;
    *content = (mst_buffer){.allocator = content->allocator};
}

uint32_t mst_spans_origin(const mst_spans *spans, const uint8_t *bytes, uint64_t *offset) {
    *offset = 0;
    if (spans->status != MST_OK || !bytes)
        return MST_ORIGIN_NONE;
    /* content is only read while it is the newest; the files, of which there are at most two, are the first
     */
    size_t left = spans->origin_count;
    while (left) {
        size_t i = left - 1;
        const mst_origin *one = &spans->origins[i];
        uintptr_t begin = (uintptr_t)one->data, at = (uintptr_t)bytes;
        if (begin && at >= begin && at - begin <= one->size) {
            *offset = at - begin;
            return (uint32_t)i;
        }
        left = i >= MST_FILES_MAX && i + 1 == spans->origin_count ? MST_FILES_MAX : i;
    }
    return MST_ORIGIN_NONE;
}

static bool continues(const mst_span *last, const mst_span *next) {
    if (last->origin != next->origin || last->unit != next->unit || last->width != next->width ||
        last->copy != next->copy)
        return false;
    uint64_t length = next->begin - last->begin;
    return last->origin == MST_ORIGIN_NONE ||
           (length % last->unit == 0 && next->from == last->from + length / last->unit * last->width);
}

void mst_spans_add(mst_spans *spans, uint64_t begin, const uint8_t *source, uint16_t unit, uint16_t width,
                   bool copy) {
    mst_span next = {.begin = begin, .unit = unit, .width = width, .copy = copy};
    next.origin = mst_spans_origin(spans, source, &next.from);
    if (next.origin == MST_ORIGIN_NONE)
        next = (mst_span){.begin = begin, .origin = MST_ORIGIN_NONE, .unit = 1, .width = 1};
    if (spans->status != MST_OK || (spans->count && continues(&spans->items[spans->count - 1], &next)))
        return;
    mst_span *grown = one_more(spans, spans->items, spans->count, &spans->capacity, sizeof *grown);
    if (!grown)
        return;
    spans->items = grown;
    spans->items[spans->count++] = next;
}

void mst_spans_note(mst_spans *spans, uint64_t at, const char *name, mst_byte_class byte_class,
                    const uint8_t *bytes, uint64_t length, uint32_t unpacked) {
    mst_note note = {
        .at = at, .name = name, .byte_class = byte_class, .length = length, .unpacked = unpacked};
    note.origin = mst_spans_origin(spans, bytes, &note.from);
    mst_note *grown =
        spans->status == MST_OK && length && note.origin != MST_ORIGIN_NONE
            ? one_more(spans, spans->notes, spans->note_count, &spans->note_capacity, sizeof *grown)
            : NULL;
    if (!grown)
        return;
    spans->notes = grown;
    spans->notes[spans->note_count++] = note;
}

void mst_spans_cut(mst_spans *spans, uint64_t begin, size_t notes) {
    while (spans->count && spans->items[spans->count - 1].begin >= begin)
        spans->count--;
    spans->note_count = notes;
}

void mst_spans_free(mst_spans *spans) {
    if (!spans)
        return;
    mst_allocator a = spans->allocator;
    for (size_t i = 0; i < spans->origin_count; i++)
        mst_buffer_free(&spans->origins[i].content);
    if (spans->origins)
        a.resize(a.user, spans->origins, spans->origin_capacity * sizeof *spans->origins, 0);
    if (spans->items)
        a.resize(a.user, spans->items, spans->capacity * sizeof *spans->items, 0);
    if (spans->notes)
        a.resize(a.user, spans->notes, spans->note_capacity * sizeof *spans->notes, 0);
    a.resize(a.user, spans, sizeof *spans, 0);
}

/* ---- queries ------------------------------------------------------------------------------------ */

size_t mst_spans_at(const mst_spans *spans, uint64_t offset) {
    /* finds the first span that begins after the offset */
    MST_LOWER_BOUND(low, middle, spans->count, spans->items[middle].begin <= offset);
    return low ? low - 1 : spans->count;
}

void mst_span_source(const mst_span *span, uint64_t begin, uint64_t end, uint64_t *from, uint64_t *length) {
    uint64_t first = (begin - span->begin) / span->unit,
             after = (end - span->begin + span->unit - 1) / span->unit;
    *from = span->from + first * span->width;
    *length = after > first ? (after - first) * span->width : 0;
}

void mst_place_in(const mst_spans *spans, uint32_t origin, uint64_t from, uint64_t length, mst_place *place) {
    const mst_origin *in = &spans->origins[origin];
    *place = (mst_place){.kind = in->packed ? MST_PLACE_PACKED : MST_PLACE_FILE,
                         .file = in->file,
                         .offset = in->packed ? in->offset : from,
                         .length = in->packed ? in->length : length};
    if (in->packed) {
        place->inner = from;
        place->inner_length = length;
    }
}
