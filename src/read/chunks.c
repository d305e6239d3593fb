/* SPDX-License-Identifier: MIT */
/* Streams of chunks: finding the field of each. */
#include "../core/diagnose.h"
#include "../tables/fields.h"
#include "engine.h"

int mst_case_of(const mst_chunks *chunks, mst_variant variant, uint32_t id, const uint8_t *content,
                uint64_t length, uint32_t *seen) {
    for (int i = 0; i < chunks->case_count; i++) {
        const mst_case *one = &chunks->cases[i];
        if (((one->id ^ id) & ~one->any) != 0)
            continue;
        /* only a record that contains its own padding can be followed by padding */
        bool even =
            !chunks->align || length % chunks->align == 0 || (one->field.flags & MST_FIELD_WITH_HEADER);
        bool free = (one->field.flags & MST_FIELD_REPEATED) || !(*seen >> i & 1);
        if (!even || !free || (one->accepts && !one->accepts(content, length, variant.big)))
            return -1;
        *seen |= 1u << i;
        return i;
    }
    return -1;
}

const mst_chunks *mst_chunks_of(const mst_format *format, const mst_field *field) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        if (it.field == field && it.chunks)
            return it.chunks;
    return NULL;
}

mst_status mst_chunk_next(const mst_document *document, const mst_chunks *chunks, mst_chunk_cursor *cursor,
                          uint64_t end, mst_chunk *chunk, mst_diagnostic *diagnostic) {
    uint64_t offset = cursor->offset;
    if (offset == end)
        return MST_UNKNOWN;
    if (!mst_fits(offset, MST_CHUNK_HEADER, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_REST, offset, end - offset,
                       "too few bytes remain for a chunk");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%u bytes", MST_CHUNK_HEADER);
            MST_SET(diagnostic->found, "%llu left", (unsigned long long)(end - offset));
        }
        return MST_DAMAGED;
    }
    bool big = mst_chunks_big(chunks, document->variant);
    chunk->offset = offset;
    chunk->id = mst_load32(document->data + offset, big);
    uint32_t length = mst_load32(document->data + offset + 4, big);
    offset += MST_CHUNK_HEADER;
    if (!mst_fits(offset, length, end)) {
        char named[5] = {(char)(chunk->id >> 24), (char)(chunk->id >> 16), (char)(chunk->id >> 8),
                         (char)chunk->id, 0};
        bool printable = chunks->big;
        for (int i = 0; i < 4; i++)
            printable = printable && named[i] >= ' ' && named[i] <= '~';
        if (printable)
            mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, chunk->offset, MST_CHUNK_HEADER,
                           "the section %s runs past the end of the enclosing data", named);
        else
            mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, chunk->offset, MST_CHUNK_HEADER,
                           "the chunk %u runs past the end of the enclosing data", chunk->id);
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu bytes", (unsigned long long)(end - offset));
            MST_SET(diagnostic->found, "%u", length);
        }
        return MST_DAMAGED;
    }
    chunk->which =
        mst_case_of(chunks, document->variant, chunk->id, document->data + offset, length, &cursor->seen);
    bool headed = chunk->which < 0 || mst_holds_header(chunks, &chunks->cases[chunk->which].field);
    chunk->start = headed ? chunk->offset : offset;
    chunk->end = offset + length;
    if (chunks->align) {
        uint64_t padding = (chunks->align - chunk->end % chunks->align) % chunks->align;
        chunk->end += padding < end - chunk->end ? padding : end - chunk->end;
    }
    cursor->offset = chunk->end;
    return MST_OK;
}
