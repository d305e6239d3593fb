/* SPDX-License-Identifier: MIT */
/*
 * Where parsed bytes come from. A format that parses its files records it through its writer (parsed.h): each
 * run of parsed bytes is a copy of bytes of an *origin* (a file, or content unpacked from one), or is
 * computed from a unit of them, or is made up. Bytes of an origin that no parsed bytes come from (sizes,
 * offsets, padding, a packed stream) are recorded as *notes*.
 */
#ifndef MST_FILES_SPANS_H
#define MST_FILES_SPANS_H

#include <mapstone/document.h>
#include <stdbool.h>

#define MST_ORIGIN_NONE UINT32_MAX

typedef struct mst_origin {
    const uint8_t *data; /* of content: NULL when it is no longer in memory */
    uint64_t size;
    size_t file;
    bool packed;
    uint64_t offset, length; /* packed: the packed bytes in the file */
    mst_buffer content;      /* packed: their unpacked content, which the spans own */
} mst_origin;

/* Parsed bytes from `begin` to the next span's `begin`. Each `unit` of them comes from `width` bytes. */
typedef struct mst_span {
    uint64_t begin;
    uint64_t from;   /* offset in the origin */
    uint32_t origin; /* MST_ORIGIN_NONE: made up */
    uint16_t unit, width;
    bool copy; /* other parsed bytes describe the same bytes of the origin */
} mst_span;

typedef struct mst_note {
    uint64_t at; /* of the parsed bytes that follow it */
    const char *name;
    uint64_t from, length;
    uint32_t origin;
    uint32_t unpacked; /* the origin that these bytes unpack to; MST_ORIGIN_NONE: they are not packed */
    mst_byte_class byte_class;
} mst_note;

typedef struct mst_spans {
    mst_allocator allocator;
    size_t left, used; /* bytes that items may still take; bytes in use, with content */
    mst_status status; /* the first failure; nothing is recorded after it */
    mst_origin *origins;
    mst_span *items;
    mst_note *notes;
    size_t origin_count, origin_capacity, count, capacity, note_count, note_capacity;
} mst_spans;

/* Adds bytes that parsed ones may come from: a file, or content unpacked from `length` bytes at `packed`
 * (which are in a file). Returns the origin. */
uint32_t mst_spans_file(mst_spans *spans, size_t file, const uint8_t *data, uint64_t size);
uint32_t mst_spans_content(mst_spans *spans, const uint8_t *packed, uint64_t length, const uint8_t *data,
                           uint64_t size);
/* The content is about to be freed: the spans take over the buffer, which their allocator frees. */
void mst_spans_keep(mst_spans *spans, uint32_t origin, mst_buffer *content);
/* The origin that has these bytes, and their offset in it; MST_ORIGIN_NONE: none, or recording has failed. */
uint32_t mst_spans_origin(const mst_spans *spans, const uint8_t *bytes, uint64_t *offset);

/* The parsed bytes from `begin` on, each `unit` of them, come from `width` bytes at `source`; NULL: made up.
 */
void mst_spans_add(mst_spans *spans, uint64_t begin, const uint8_t *source, uint16_t unit, uint16_t width,
                   bool copy);
void mst_spans_note(mst_spans *spans, uint64_t at, const char *name, mst_byte_class byte_class,
                    const uint8_t *bytes, uint64_t length, uint32_t unpacked);
/* Forgets where parsed bytes from `begin` on come from, and all but the first `notes` notes. */
void mst_spans_cut(mst_spans *spans, uint64_t begin, size_t notes);
void mst_spans_free(mst_spans *spans);

/* The index of the span that has the parsed byte; spans->count if there is none. */
size_t mst_spans_at(const mst_spans *spans, uint64_t offset);
/* The part of a span between two parsed offsets, in its origin. */
void mst_span_source(const mst_span *span, uint64_t begin, uint64_t end, uint64_t *from, uint64_t *length);

/* The place of bytes of an origin. */
void mst_place_in(const mst_spans *spans, uint32_t origin, uint64_t from, uint64_t length, mst_place *place);

/* The spans of a document whose format parses its files: they are recorded by parsing again, when they are
 * first asked for. NULL: it has none. MST_NO_MEMORY. */
mst_status mst_spans_of(const mst_document *document, const mst_spans **spans);

/* Changes the offset of a diagnostic from one in the document's bytes to one in its files. MST_NO_MEMORY. */
mst_status mst_place_diagnostic(const mst_document *document, mst_diagnostic *diagnostic);
/* The same in a proved document. A finding without an offset gets the offset of the value at its path. */
mst_status mst_place_finding(const mst_document *document, mst_diagnostic *finding);

#endif
