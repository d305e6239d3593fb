/* SPDX-License-Identifier: MIT */
/* Where parsed bytes come from: recording it, and answering for a range of them. */
#include "spans.h"
#include "../core/diagnose.h"
#include "engine.h"

/* ---- recording --------------------------------------------------------------------------------- */

/* Room for one more item; NULL if there is no memory. */
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

/* ---- asking ------------------------------------------------------------------------------------ */

size_t mst_spans_at(const mst_spans *spans, uint64_t offset) {
    size_t low = 0, high = spans->count;
    while (low < high) { /* finds the first span that begins after the offset */
        size_t middle = low + (high - low) / 2;
        if (spans->items[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : spans->count;
}

void mst_span_source(const mst_span *span, uint64_t begin, uint64_t end, uint64_t *from, uint64_t *length) {
    uint64_t first = (begin - span->begin) / span->unit,
             after = (end - span->begin + span->unit - 1) / span->unit;
    *from = span->from + first * span->width;
    *length = after > first ? (after - first) * span->width : 0;
}

mst_status mst_spans_of(const mst_document *document, const mst_spans **spans) {
    *spans = NULL;
    if (!document->format->files.count)
        return MST_OK;
    /* Several threads may ask at once; the first answer is kept. */
    _Atomic(mst_spans *) *kept = &((mst_document *)(uintptr_t)document)->spans;
    mst_spans *made = atomic_load(kept);
    if (!made) {
        mst_allocator a = document->allocator;
        made = a.resize(a.user, NULL, 0, sizeof *made);
        if (!made)
            return MST_NO_MEMORY;
        *made = (mst_spans){.allocator = a, .used = sizeof *made};
        mst_status status = mst_parse_again(document, made);
        if (status == MST_NO_MEMORY) {
            mst_spans_free(made);
            return status;
        }
        if (status != MST_OK)
            made->status = status;
        mst_spans *other = NULL;
        if (!atomic_compare_exchange_strong(kept, &other, made)) {
            mst_spans_free(made);
            made = other;
        }
    }
    if (made->status == MST_OK)
        *spans = made;
    return MST_OK;
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

/* Extends a place by one that other bytes of the same range have; those of another file are left out. */
static void join(mst_place *place, const mst_place *other) {
    if (place->kind == MST_PLACE_MADE) {
        *place = *other;
        return;
    }
    if (place->file != other->file)
        return;
    bool packed =
        place->kind == MST_PLACE_PACKED && other->kind == MST_PLACE_PACKED && place->offset == other->offset;
    uint64_t *offset = packed ? &place->inner : &place->offset;
    uint64_t *length = packed ? &place->inner_length : &place->length;
    uint64_t begin = packed ? other->inner : other->offset;
    uint64_t end = begin + (packed ? other->inner_length : other->length), here = *offset + *length;
    if (begin < *offset)
        *offset = begin;
    *length = (end > here ? end : here) - *offset;
    if (!packed)
        place->kind = MST_PLACE_FILE, place->inner = place->inner_length = 0;
}

mst_status mst_place_of(const mst_document *document, uint64_t offset, uint64_t length, mst_place *place) {
    if (place)
        *place = (mst_place){.kind = MST_PLACE_MADE};
    if (!document || !place)
        return MST_ARGUMENT;
    if (offset > document->size)
        return MST_OK;
    if (!document->format->files.count) {
        *place = (mst_place){.kind = MST_PLACE_FILE, .offset = offset, .length = length};
        return MST_OK;
    }
    const mst_spans *spans;
    mst_status status = mst_spans_of(document, &spans);
    if (status != MST_OK || !spans)
        return status;
    uint64_t end = length < document->size - offset ? offset + length : document->size;
    for (size_t i = mst_spans_at(spans, offset); i < spans->count; i++) {
        const mst_span *span = &spans->items[i];
        uint64_t begin = span->begin > offset ? span->begin : offset;
        uint64_t stop = i + 1 < spans->count ? spans->items[i + 1].begin : document->size;
        if (begin != offset && begin >= end)
            break;
        if (span->origin == MST_ORIGIN_NONE)
            continue;
        mst_place one;
        uint64_t from, size;
        mst_span_source(span, begin, stop < end ? stop : begin > end ? begin : end, &from, &size);
        mst_place_in(spans, span->origin, from, size, &one);
        join(place, &one);
    }
    return MST_OK;
}

const void *mst_place_bytes(const mst_document *document, const mst_place *place, size_t *size) {
    const mst_spans *spans = NULL;
    const uint8_t *data = NULL;
    uint64_t total = 0, offset = 0, length = 0;
    if (size)
        *size = 0;
    if (!document || !place || !size || place->kind == MST_PLACE_MADE)
        return NULL;
    if (place->kind == MST_PLACE_FILE) {
        size_t whole;
        data = mst_document_file(document, place->file, NULL, &whole);
        total = whole, offset = place->offset, length = place->length;
    } else if (mst_spans_of(document, &spans) == MST_OK && spans) {
        for (size_t i = MST_FILES_MAX; i < spans->origin_count && !data; i++) {
            const mst_origin *in = &spans->origins[i];
            if (in->file != place->file || in->offset != place->offset || in->length != place->length)
                continue;
            data = in->data, total = in->size;
        }
        offset = place->inner, length = place->inner_length;
    }
    if (!data || offset > total)
        return NULL;
    *size = (size_t)(length < total - offset ? length : total - offset);
    return data + offset;
}

/* The place of a parsed byte, or of the nearest one that is in a file: the next one, or else the last before.
 */
static mst_status nearest(const mst_document *document, uint64_t offset, uint64_t length, mst_place *place) {
    const mst_spans *spans = NULL;
    mst_status status = mst_place_of(document, offset, length, place);
    if (status == MST_OK && place->kind == MST_PLACE_MADE)
        status = mst_spans_of(document, &spans);
    if (status != MST_OK || place->kind != MST_PLACE_MADE || !spans)
        return status;
    size_t at = mst_spans_at(spans, offset), i = at;
    while (i < spans->count && spans->items[i].origin == MST_ORIGIN_NONE)
        i++;
    for (; i >= spans->count && at; at--)
        if (at < spans->count && spans->items[at].origin != MST_ORIGIN_NONE)
            i = at;
    if (i < spans->count)
        mst_place_in(spans, spans->items[i].origin, spans->items[i].from, 0, place);
    return MST_OK;
}

mst_status mst_place_diagnostic(const mst_document *document, mst_diagnostic *diagnostic) {
    mst_place place;
    if (!document->format->files.count || diagnostic->offset == MST_NO_OFFSET)
        return MST_OK;
    mst_status status = nearest(document, diagnostic->offset, diagnostic->length, &place);
    diagnostic->offset = MST_NO_OFFSET;
    if (status != MST_OK || place.kind == MST_PLACE_MADE)
        return status;
    diagnostic->offset = place.offset;
    diagnostic->length = place.length;
    if (place.kind == MST_PLACE_PACKED) {
        diagnostic->packed = 1;
        diagnostic->inner = place.inner;
        diagnostic->length = place.inner_length;
    }
    if (document->format->files.count > 1)
        MST_SET(diagnostic->file, "%s", document->files[place.file].name);
    return MST_OK;
}

mst_status mst_place_finding(const mst_document *document, mst_diagnostic *finding) {
    mst_value value;
    if (document->format->files.count && finding->offset == MST_NO_OFFSET && finding->path[0] &&
        mst_find(mst_root(document), finding->path, &value, NULL) == MST_OK)
        mst_value_span(&value, &finding->offset, &finding->length);
    return mst_place_diagnostic(document, finding);
}
