/* SPDX-License-Identifier: MIT */
/* Places: where in its files a range of a document's bytes is. */
#include "../core/diagnose.h"
#include "../read/engine.h"

mst_status mst_spans_of(const mst_document *document, const mst_spans **spans) {
    *spans = NULL;
    if (!document->format->files.count)
        return MST_OK;
    /* Several threads may ask at the same time; the first answer is kept. */
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

/* Extends a place by that of other bytes of the same range; bytes of another file are left out. */
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

/* The place of a parsed byte, or of the nearest one that is in a file: the next one, or else the previous
 * one. */
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
