/* SPDX-License-Identifier: MIT */
/* The walker in a stream of chunks: in file order, or case by case in table order. */
#include "../core/diagnose.h"
#include "walker.h"

/* Chunks: their frame, which begins at the walker's position. */
mst_status mst_walk_begin_chunks(walker *w, const mst_field *field, const uint32_t *context, uint64_t end) {
    uint64_t start = w->position;
    if (w->request->by_case) {
        mst_item item = item_at(w, MST_ITEM_BEGIN_LIST, field, context, "$chunks", UINT64_MAX, end);
        item.chunks = field->chunks;
        mst_status status = report(w, &item);
        if (status == MST_UNKNOWN) {
            w->position = end;
            return MST_OK;
        }
        if (status != MST_OK)
            return status;
    }
    frame *top = mst_walk_push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_CHUNKS;
    top->field = field;
    top->record = NULL;
    top->chunks = field->chunks;
    top->next = 0;
    top->name = "";
    top->index = UINT64_MAX;
    top->end = end;
    top->cursor = (mst_chunk_cursor){start, 0};
    memset(top->counters, 0, sizeof top->counters);
    return MST_OK;
}

static const char *name_of_chunk(const mst_chunks *chunks, uint32_t id) {
    for (uint8_t i = 0; i < chunks->case_count; i++)
        if (((chunks->cases[i].id ^ id) & ~chunks->cases[i].any) == 0)
            return chunks->cases[i].field.name;
    return chunks->unknown->name;
}

mst_status mst_walk_step_chunks(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    if (top->in_chunk && w->position != top->chunk_end) {
        mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_TRAILING, w->position,
                                           top->chunk_end - w->position, "bytes are left over in the chunk");
        if (w->diagnostic)
            MST_SET(w->diagnostic->found, "%llu bytes", (unsigned long long)(top->chunk_end - w->position));
        return mst_walk_problem(w, top->content, status);
    }
    top->in_chunk = false;
    mst_chunk chunk = {.offset = UINT64_MAX};
    bool by_case = w->request->by_case && w->visitor;
    for (;;) {
        mst_status status =
            mst_chunk_next(w->document, top->chunks, &top->cursor, top->end, &chunk, w->diagnostic);
        if (status == MST_UNKNOWN) {
            if (top->in_list) {
                top->in_list = false;
                mst_item end = item_at(w, MST_ITEM_END_LIST, NULL, top->context, "", UINT64_MAX, top->end);
                end.depth--;
                status = report(w, &end);
                if (status != MST_OK && status != MST_UNKNOWN)
                    return status;
            }
            if (!by_case || top->next >= top->chunks->case_count) {
                w->position = top->end;
                return mst_walk_end_frame(w);
            }
            top->next++;
            top->cursor = (mst_chunk_cursor){top->start, 0};
            continue;
        }
        if (status != MST_OK)
            return mst_walk_problem(
                w, chunk.offset == top->cursor.offset ? name_of_chunk(top->chunks, chunk.id) : "", status);
        if (by_case && (chunk.which < 0 ? top->chunks->case_count : chunk.which) != (int)top->next)
            continue;
        break;
    }
    const mst_field *field = chunk.which < 0 ? top->chunks->unknown : &top->chunks->cases[chunk.which].field;
    bool repeated = chunk.which < 0 || (field->flags & MST_FIELD_REPEATED);
    uint32_t *counter = &top->counters[chunk.which < 0 ? MST_CASES : chunk.which];
    label as = {field->name, UINT64_MAX, false};
    if (repeated)
        as.index = (*counter)++;
    mst_status status;
    if (by_case && repeated && !top->in_list) {
        mst_item begin =
            item_at(w, MST_ITEM_BEGIN_LIST, field, top->context, field->name, UINT64_MAX, top->end);
        begin.record = field->record;
        begin.chunks = top->chunks;
        begin.offset = top->start;
        begin.shape.count = MST_TO_SENTINEL;
        status = report(w, &begin);
        if (status == MST_UNKNOWN) { /* skip all chunks of the case */
            top->next++;
            top->cursor = (mst_chunk_cursor){top->start, 0};
            return MST_OK;
        }
        if (status != MST_OK)
            return status;
        top->in_list = true;
    }
    if (by_case && repeated)
        as.name = "";
    top->in_chunk = true;
    top->chunk_end = chunk.end;
    top->content = field->name;
    w->position = chunk.offset;
    if (mst_holds_header(top->chunks, field))
        return mst_walk_begin_record(w, field, top->context, chunk.end, &as, true);
    mst_item header = item_at(w, MST_ITEM_DERIVED, NULL, top->context, "chunk", UINT64_MAX, chunk.end);
    header.length = MST_CHUNK_HEADER;
    status = report(w, &header);
    if (status != MST_OK && status != MST_UNKNOWN)
        return status;
    w->position += MST_CHUNK_HEADER;
    if (repeated)
        return mst_walk_begin_record(w, field, top->context, chunk.end, &as, true);
    return mst_walk_begin_field(w, field, top->context, chunk.end, &as, true, NULL);
}
