/* SPDX-License-Identifier: MIT */
/* Encoding of chunks: their order, headers and lengths. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"
#include "encoder.h"

/* ---- chunks ------------------------------------------------------------------------------------ */

/* Reads the next run of a case from "$order"; false if it is not valid. */
static bool next_run(mst_encode_frame *top) {
    const mst_json_node *node = &top->source.json[top->order];
    top->order = node->end;
    top->order_left--;
    if (node->kind != MST_JSON_STRING)
        return false;
    size_t name = 0;
    while (name < node->length && node->text[name] != '*')
        name++;
    top->run = 1;
    if (name < node->length && !mst_read_u64(node->text + name + 1, node->length - name - 1, &top->run))
        return false;
    for (top->which = 0; top->which <= top->chunks->case_count; top->which++) {
        const char *label = mst_case_field(top->chunks, top->which)->name;
        if (strlen(label) == name && memcmp(label, node->text, name) == 0)
            return true;
    }
    return false;
}

static const mst_json_node empty_list = {.kind = MST_JSON_ARRAY, .end = 1},
                           empty_record = {.kind = MST_JSON_OBJECT, .end = 1};
#define EMPTY UINT32_MAX /* the cursor of a chunk that the JSON lacks */

/* Whether a chunk that the JSON lacks is written anyway. */
static bool is_needed(const mst_encoder *e, const mst_chunks *chunks, int which, mst_encode_frame *record) {
    mst_source list;
    const mst_case *of = which < chunks->case_count ? &chunks->cases[which] : NULL;
    if (!of || !e->request->lenient || e->request->rest || !of->needed_from ||
        e->request->variant.version < of->needed_from)
        return false;
    return !of->needed_without || !mst_source_member(record, of->needed_without, &list) ||
           mst_source_count(&list) == 0;
}

/* JSON: finds the elements of every case once, and counts their keys as used by the enclosing record. */
static mst_status begin_chunks(mst_encoder *e, mst_encode_frame *top, mst_encode_frame *record) {
    mst_source member;
    for (int which = 0; which <= top->chunks->case_count; which++) {
        const mst_field *field = mst_case_field(top->chunks, which);
        if (!mst_source_member(record, field->name, &member)) {
            top->lefts[which] = is_needed(e, top->chunks, which, record);
            top->cursors[which] = EMPTY;
            continue;
        }
        record->used++;
        bool repeated = which == top->chunks->case_count || (field->flags & MST_FIELD_REPEATED);
        const mst_json_node *node = &member.json[member.node];
        if (repeated && node->kind != MST_JSON_ARRAY)
            return mst_encode_fail(e, MST_ARGUMENT, field->name, "the value does not fit the field", "a list",
                                   mst_kind_of_json(node));
        top->cursors[which] = repeated ? member.node + 1 : member.node;
        top->lefts[which] = repeated ? node->count : 1;
    }
    if (mst_source_member(record, "$order", &member)) {
        if (member.json[member.node].kind != MST_JSON_ARRAY)
            return mst_encode_fail(e, MST_ARGUMENT, "$order", "the value does not fit the field", "a list",
                                   mst_kind_of_json(&member.json[member.node]));
        top->order = member.node + 1;
        top->order_left = member.json[member.node].count;
    }
    return MST_OK;
}

/* Fills in the chunk's length, and checks that a reader would take the chunk for the same field: that depends
 * on its id and possibly its content. */
static mst_status end_chunk(mst_encoder *e, mst_encode_frame *top) {
    const mst_chunks *chunks = top->chunks;
    const mst_field *field = mst_case_field(chunks, top->which);
    bool big = mst_chunks_big(chunks, e->request->variant);
    if (MST_CHANGED(e->out->size - top->patch <
                    MST_CHUNK_HEADER)) /* the header or its fields have been written */
        return mst_encode_fail(e, MST_ARGUMENT, field->name, "the chunk has no id", NULL, NULL);
    uint8_t *bytes = e->out->data + top->patch;
    uint64_t size = e->out->size - top->patch - MST_CHUNK_HEADER;
    if (size > UINT32_MAX)
        return mst_encode_fail(e, MST_REFUSED, "", "the chunk is too large for its length field", NULL, NULL);
    if (mst_holds_header(chunks, field)) {
        uint64_t max = size;
        size = mst_load32(bytes + 4, big); /* without padding */
        if (MST_CHANGED(size > max))
            return mst_encode_fail(e, MST_REFUSED, "", "the bytes have changed since they were opened", NULL,
                                   NULL);
    } else {
        mst_store32(bytes + 4, (uint32_t)size, big);
    }
    int which = mst_case_of(chunks, e->request->variant, mst_load32(bytes, big), bytes + MST_CHUNK_HEADER,
                            size, &top->seen);
    if (which == (top->which == chunks->case_count ? -1 : top->which))
        return MST_OK;
    return mst_encode_fail(e, MST_ARGUMENT, field->name, "the chunk would be read as another field", NULL,
                           mst_case_field(chunks, which < 0 ? chunks->case_count : which)->name);
}

/* JSON: the next chunk by "$order", then the chunks that it omits, in the order of the table. MST_UNKNOWN
 * after the last one. */
static mst_status chunk_of_json(mst_encoder *e, mst_encode_frame *top, mst_source *content, uint64_t *index) {
    const mst_chunks *chunks = top->chunks;
    if (top->which < 0) {
        mst_status status = begin_chunks(e, top, &e->frames[e->depth - 2]);
        if (status != MST_OK)
            return status;
    }
    bool ordered = top->order != 0;
    int before = top->which;
    while (ordered && top->run == 0 && top->order_left)
        if (!next_run(top))
            return mst_encode_fail(e, MST_ARGUMENT, "$order", "an entry does not name chunks", NULL, NULL);
    if (!ordered || top->run == 0) {
        top->order_left = 0;
        for (top->which = 0; top->which <= chunks->case_count && !top->lefts[top->which]; top->which++)
            ;
        top->run = 1;
    }
    if (top->which > chunks->case_count)
        return MST_UNKNOWN;
    if (!top->lefts[top->which])
        return mst_encode_fail(e, MST_ARGUMENT, "$order", "it names more chunks than there are", NULL, NULL);
    top->run--;
    top->lefts[top->which]--;
    content->node = top->cursors[top->which];
    if (content->node == EMPTY) {
        content->json = mst_is_list(mst_case_field(chunks, top->which)) ? &empty_list : &empty_record;
        content->node = 0;
    } else {
        top->cursors[top->which] = top->source.json[content->node].end;
    }
    if (top->which != before)
        top->done = 0;
    *index = top->done++;
    return MST_OK;
}

/* Document: the next chunk of its stream. MST_UNKNOWN after the last one. */
static mst_status chunk_of_document(mst_encode_frame *top, mst_source *content, uint32_t *id) {
    const mst_chunks *chunks = top->chunks;
    mst_iterator *stream = &top->iterator;
    if (top->which < 0) {
        bool found = mst_find_chunks(&top->source.value, top->field, stream, &top->stream_end);
        top->stream = (mst_chunk_cursor){MST_CHANGED(!found) ? top->stream_end : stream->position, 0};
    }
    mst_chunk chunk;
    const mst_document *document = top->source.value.document;
    if (mst_chunk_next(document, chunks, &top->stream, top->stream_end, &chunk, NULL) != MST_OK)
        return MST_UNKNOWN;
    top->which = chunk.which < 0 ? chunks->case_count : chunk.which;
    *id = chunk.id;
    const mst_field *field = mst_case_field(chunks, top->which);
    mst_item item = {.kind = mst_is_list(field) && !(field->flags & MST_FIELD_REPEATED)
                                 ? MST_ITEM_BEGIN_LIST
                                 : MST_ITEM_BEGIN_RECORD,
                     .field = field,
                     .context = stream->context,
                     .offset = chunk.start,
                     .limit = chunk.end,
                     .chunk = true};
    content->value = mst_value_of_item(document, &item);
    return MST_OK;
}

mst_status mst_encode_chunk(mst_encoder *e, mst_source *content, uint64_t *index) {
    mst_encode_frame *top = &e->frames[e->depth - 1];
    const mst_chunks *chunks = top->chunks;
    mst_status status = top->in_chunk ? end_chunk(e, top) : MST_OK;
    *content = top->source;
    *index = UINT64_MAX;
    uint32_t id = 0;
    if (status == MST_OK)
        status =
            top->source.json ? chunk_of_json(e, top, content, index) : chunk_of_document(top, content, &id);
    if (status != MST_OK)
        return status;
    const mst_field *field = mst_case_field(chunks, top->which);
    if (!mst_is_repeated(chunks, field))
        *index = UINT64_MAX;
    if (top->source.json && top->which < chunks->case_count)
        id = chunks->cases[top->which].id;
    top->in_chunk = true;
    top->patch = e->out->size;
    if (mst_holds_header(chunks, field))
        return MST_OK;
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_HEADER, NULL, MST_CHUNK_HEADER);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL, NULL);
    bool big = mst_chunks_big(chunks, e->request->variant);
    mst_store32(target, id, big);
    mst_store32(target + 4, 0, big);
    return MST_OK;
}
