/* SPDX-License-Identifier: MIT */
/*
 * The encoder: makes bytes from values, by the same tables that read them. Values come from JSON or from a
 * document; counts, sizes and chunk lengths are recomputed. The stack is explicit, like the walker's.
 */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "encoder.h"
#include <stdio.h>

/* ---- frames ------------------------------------------------------------------------------------ */

static mst_encode_frame *push(mst_encoder *e, mst_frame_mode mode, const mst_field *field, const char *name,
                              uint64_t index, const mst_source *source, const uint32_t *context) {
    mst_source kept = *source; /* the source may be in a frame that moves */
    uint32_t copy[MST_VARIABLES];
    memcpy(copy, context, sizeof copy);
    if (e->depth == e->capacity) {
        const mst_allocator *a = e->request->allocator;
        size_t old = e->capacity * sizeof(mst_encode_frame);
        mst_encode_frame *grown =
            a->resize(a->user, e->allocated ? e->frames : NULL, e->allocated ? old : 0, old * 2);
        if (!grown)
            return NULL;
        if (!e->allocated)
            memcpy(grown, e->first_frames, old);
        e->frames = grown;
        e->allocated = true;
        e->capacity *= 2;
    }
    mst_encode_frame *top = &e->frames[e->depth++];
    memset(top, 0, sizeof *top);
    top->mode = (uint8_t)mode;
    top->field = field;
    top->name = name;
    top->index = index;
    top->source = kept;
    memcpy(top->context, copy, sizeof copy);
    return top;
}

static mst_status begin_field(mst_encoder *e, const mst_field *field, const char *name, uint64_t index,
                              const mst_source *source, uint32_t *context, bool single);

static mst_status end_record(mst_encoder *e);

static mst_status begin_record(mst_encoder *e, const mst_field *field, const char *name, uint64_t index,
                               const mst_source *source, uint32_t *context) {
    const mst_record *record = field->record ? field->record : e->request->format->tables.root;
    if (record->is_inline) /* the field replaces the record; the recursion is as shallow as the tables */
        return begin_field(e, &record->fields[0], name, index, source, context, false);
    if (source->json && source->json[source->node].kind != MST_JSON_OBJECT)
        return mst_encode_fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "an object",
                               mst_kind_of_json(&source->json[source->node]));
    mst_encode_frame *top = push(e, FRAME_RECORD, field, name, index, source, context);
    if (!top)
        return MST_NO_MEMORY;
    top->record = record;
    if (!record->archive)
        return MST_OK;
    uint32_t blocks = mst_encode_blocks(top);
    mst_step_begin(&top->step, blocks);
    return mst_encode_archive(e, top, blocks, NULL);
}

/* The first or second number of a data set's header in a document. */
static uint32_t data_set_number(const mst_value *value, uint64_t which) {
    if (MST_CHANGED(!mst_fits(value->offset, 8, value->end)))
        return 0;
    return mst_load32(value->document->data + value->offset + 4 * which, value->document->variant.big);
}

/* The element size of an empty data set, which is preserved. */
static mst_status put_empty_data_set(mst_encoder *e, const mst_field *field, const mst_source *source) {
    uint64_t stride = 0;
    if (!source->json)
        stride = data_set_number(&source->value, 0);
    else if (e->depth)
        mst_own_number(&e->frames[e->depth - 1], "$stride", field->name, &stride);
    mst_status status = mst_put_prefix(e, field, MST_KIND_U32, stride);
    return status == MST_OK ? mst_put_prefix(e, field, MST_KIND_U32, 0) : status;
}

static mst_status put_numbers(mst_encoder *e, const mst_field *field, const mst_source *source,
                              const uint32_t *context) {
    uint64_t bits;
    if (field->mode == MST_COUNT_DATA_SET && mst_source_count(source) == 0 &&
        (!source->json || source->json[source->node].kind == MST_JSON_ARRAY))
        return put_empty_data_set(e, field, source);
    if (source->json) {
        const mst_json_node *list = &source->json[source->node];
        if (list->kind != MST_JSON_ARRAY)
            return mst_encode_fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "a list",
                                   mst_kind_of_json(list));
        mst_status status = mst_put_count(e, field, context, list->count);
        for (uint32_t at = source->node + 1, i = 0; status == MST_OK && i < list->count; i++) {
            status = mst_put_json_number(e, field, &source->json[at], &bits);
            at = source->json[at].end;
        }
        return status;
    }
    uint64_t count = mst_count(&source->value);
    mst_status status = mst_put_count(e, field, context, count);
    mst_value element;
    for (mst_iterator it = mst_iterate(&source->value); status == MST_OK && mst_next(&it, &element);)
        status = mst_put_integer(e, field, field->kind, mst_scalar_of(&element));
    return status;
}

static mst_status begin_field(mst_encoder *e, const mst_field *field, const char *name, uint64_t index,
                              const mst_source *source, uint32_t *context, bool single) {
    e->name = name;
    e->index = index;
    if (field->kind == MST_KIND_RECORD && (single || field->mode == MST_COUNT_ONE))
        return begin_record(e, field, name, index, source, context);
    if (field->kind == MST_KIND_RECORD) {
        if (source->json && source->json[source->node].kind != MST_JSON_ARRAY)
            return mst_encode_fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "a list",
                                   mst_kind_of_json(&source->json[source->node]));
        uint64_t count = mst_source_count(source);
        mst_status status = count || field->mode != MST_COUNT_DATA_SET
                                ? mst_put_count(e, field, context, count)
                                : put_empty_data_set(e, field, source);
        if (status != MST_OK)
            return status;
        mst_encode_frame *top = push(e, FRAME_LIST, field, name, index, source, context);
        if (!top)
            return MST_NO_MEMORY;
        top->record = field->record;
        top->count = count;
        top->cursor = source->json ? source->node + 1 : 0;
        if (!source->json)
            top->iterator = mst_iterate(&top->source.value);
        if (field->mode == MST_COUNT_ARCHIVE)
            return mst_encode_archive(e, top, count, e->depth > 1 ? &e->frames[e->depth - 2] : NULL);
        return MST_OK;
    }
    if (mst_is_text(field) || field->kind == MST_KIND_RAW) {
        if (source->json)
            return mst_put_json_bytes(e, field, context, source->node);
        const void *bytes;
        size_t size;
        mst_status got = mst_get_bytes(&source->value, &bytes, &size);
        if (MST_UNREACHABLE(got != MST_OK)) /* the value belongs to this field */
            return mst_encode_fail(e, MST_REFUSED, NULL, "the value is not text", NULL, NULL);
        if (mst_left_out(source->value.document, field, source->value.offset, source->value.end))
            size = 0;
        if (!size && mst_is_text(field) && field->mode == MST_COUNT_DATA_SET &&
            data_set_number(&source->value, 1))
            return mst_put_empty_element(e, field);
        return mst_put_bytes(e, field, context, bytes, size);
    }
    if (field->mode != MST_COUNT_ONE && !single)
        return put_numbers(e, field, source, context);
    uint64_t bits;
    mst_status status;
    if (source->json) {
        uint32_t at = source->node;
        /* a single number and a list of one number are interchangeable */
        if (source->json[at].kind == MST_JSON_ARRAY && source->json[at].count == 1)
            at++;
        status = mst_put_json_number(e, field, &source->json[at], &bits);
    } else {
        bits = mst_scalar_of(&source->value);
        status = mst_put_integer(e, field, field->kind, bits);
    }
    if (status == MST_OK)
        mst_bind_variable(field, context, bits);
    return status;
}

/* ---- records ----------------------------------------------------------------------------------- */

/* The bits by which a number refers to nothing. */
static uint64_t none_of(const mst_field *field, const mst_refers *refers) {
    unsigned width = 8 * mst_kind_width[field->kind];
    uint64_t none = refers->none[0];
    return none == UINT32_MAX && width > 32 ? UINT64_MAX : none & (UINT64_MAX >> (64 - width));
}

static mst_status put_zeros(mst_encoder *e, const mst_field *field, uint32_t *context) {
    uint64_t count = field->mode == MST_COUNT_FIXED   ? field->count
                     : field->mode == MST_COUNT_ALIGN ? mst_padding(field, e->request->origin + e->out->size)
                                                      : 1;
    if (field->mode == MST_COUNT_ARCHIVE) /* an archive without blocks */
        return mst_put_bits(e, MST_SPAN_HEADER, field, MST_KIND_U64, 0);
    if (field->kind == MST_KIND_RECORD && field->mode != MST_COUNT_ONE && field->mode != MST_COUNT_FIXED)
        return mst_put_count(e, field, context, 0);
    if (field->kind == MST_KIND_RECORD) {
        uint32_t stride = e->request->plans[field->record->index].stride;
        uint8_t *target = stride ? mst_encode_reserve(e, MST_SPAN_VALUE, field, stride * count) : NULL;
        if (!target)
            return mst_encode_fail(e, MST_ARGUMENT, field->name, "the field is missing", NULL, NULL);
        memset(target, 0, (size_t)(stride * count));
        return MST_OK;
    }
    if (field->mode != MST_COUNT_ONE && field->mode != MST_COUNT_FIXED && field->mode != MST_COUNT_ALIGN)
        return mst_put_count(e, field, context, 0);
    uint64_t value = field->flags & MST_FIELD_DEFAULT ? field->initial : 0;
    for (uint8_t i = 0; e->request->rest && i < field->refers_count; i++)
        if (field->refers[i].nones && mst_is_number(field))
            value = none_of(field, &field->refers[i]);
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < count && status == MST_OK; i++)
        status = mst_put_integer(e, field, mst_is_number(field) ? field->kind : MST_KIND_U8, value);
    mst_bind_variable(field, context, value);
    return status;
}

/* Begins the given part of the record. */
static void begin_part(const mst_encoder *e, mst_encode_frame *top, uint8_t part) {
    if (top->part < 1)
        top->last_part = e->out->size;
    if (top->part < 2 && part >= 2)
        top->end = e->out->size;
    if (part > top->part)
        top->part = part;
}

/* Fills in the sizes, after all parts have been written. */
static mst_status put_sizes(mst_encoder *e, mst_encode_frame *top) {
    begin_part(e, top, 2);
    const uint64_t sizes[3] = {top->end - top->begin, top->last_part - top->begin, top->end - top->last_part};
    for (int i = 0; i < 3; i++) {
        const mst_field *field = top->sizes[i];
        if (!field)
            continue;
        unsigned width = mst_kind_width[field->kind];
        uint64_t unit = field->size_scale ? field->size_scale : 1, counted = sizes[i] + field->size_bias;
        if (counted % unit) {
            char expected[48], found[32];
            snprintf(expected, sizeof expected, "a multiple of %llu bytes", (unsigned long long)unit);
            snprintf(found, sizeof found, "%llu bytes", (unsigned long long)counted);
            return mst_encode_fail(e, MST_REFUSED, "", "the size field cannot hold this number of bytes",
                                   expected, found);
        }
        if (counted / unit >> (8 * width - 1) >> !mst_is_signed(field->kind))
            return mst_encode_fail(e, MST_REFUSED, "", "there are more bytes than the size field can hold",
                                   NULL, NULL);
        mst_store(e->out->data + top->size_offsets[i], width, counted / unit, mst_encodes_big(e, field));
    }
    return MST_OK;
}

static mst_status end_record(mst_encoder *e) {
    mst_encode_frame *top = &e->frames[e->depth - 1];
    if (top->source.json) {
        const mst_json_node *nodes = top->source.json, *object = &nodes[top->source.node];
        uint32_t own = 0; /* keys that are not fields */
        for (uint32_t at = top->source.node + 1; at < object->end; at = nodes[at + 1].end)
            own += mst_is_own_key(top, &nodes[at]);
        mst_status status = top->used + own == object->count ? MST_OK : mst_unused_key(e, top);
        if (status != MST_OK)
            return status;
    }
    mst_status status = put_sizes(e, top);
    e->depth--;
    return status;
}

/* The next field of the record, or NULL if it is not written. The context variables decide; where a reader
 * would inspect the bytes, the presence of a value does. */
static const mst_field *next_field(const mst_encoder *e, mst_encode_frame *top) {
    const mst_plan *plan = &e->request->plans[top->record->index];
    const mst_field *field = mst_step_next(&top->step, top->record, plan, top->context, NULL, 0, 0);
    begin_part(e, top, top->step.part);
    mst_source member;
    if (!field || !mst_depends_on_bytes(field))
        return field;
    bool given = mst_source_field(top, field, &member) ||
                 (field->length_of && mst_source_member(top, field->length_of, &member));
    return given ? field : NULL;
}

/* Skips the fields that a number which was just written stops; sizes are filled in later. */
static void stop_after(const mst_encoder *e, mst_encode_frame *top, const mst_field *field) {
    uint64_t value = 0;
    if (mst_is_number(field) && mst_decides(field)) {
        unsigned width = mst_kind_width[field->kind];
        uint64_t sign = (uint64_t)1 << (8 * width - 1);
        value =
            (mst_load(e->out->data + e->out->size - width, width, mst_encodes_big(e, field)) ^ sign) - sign;
    }
    mst_step_stop(&top->step, top->record, field, value);
}

static mst_status step_archive(mst_encoder *e) {
    mst_encode_frame *top = &e->frames[e->depth - 1];
    while (top->step.next < top->record->field_count) {
        const mst_field *field = next_field(e, top);
        mst_source member;
        if (!field)
            continue;
        bool outside = (field->flags & MST_FIELD_OUTSIDE) != 0;
        bool there = mst_source_field(top, field, &member);
        if (!there && !outside)
            return mst_encode_fail(e, MST_ARGUMENT, field->name, "the field is missing", NULL, NULL);
        if (!outside || top->block == top->blocks) { /* before a block, or after the last one */
            mst_status status = mst_encode_block(e, top);
            if (status != MST_OK)
                return status;
        }
        if (!there)
            continue;
        top->used++;
        if (!outside)
            mst_encode_note(top, &member);
        size_t depth = e->depth;
        mst_status status = begin_field(e, field, field->name, UINT64_MAX, &member, top->context, false);
        if (status != MST_OK || e->depth != depth)
            return status;
    }
    mst_status status = top->block == top->blocks ? mst_encode_block(e, top) : MST_OK;
    return status == MST_OK ? end_record(e) : status;
}

/* Reserves a size field. */
static mst_status put_size(mst_encoder *e, mst_encode_frame *top, const mst_field *field) {
    int size = mst_size_index(field);
    top->sizes[size] = field;
    top->size_offsets[size] = e->out->size;
    mst_status status = mst_put_integer(e, field, field->kind, 0);
    top->begin = top->last_part = top->end = e->out->size;
    return status;
}

/* Writes the length of `list`, another field. JSON may also state it. */
static mst_status put_length(mst_encoder *e, mst_encode_frame *top, const mst_field *field,
                             const mst_source *list) {
    bool is_short = (field->flags & MST_FIELD_SHORT) != 0;
    int64_t count = (int64_t)mst_source_count(list) + field->length_bias;
    char found[32];
    mst_source said_by;
    bool stated = mst_source_member(top, field->name, &said_by);
    bool kept = !top->source.json && is_short;
    if (kept && stated)
        count = (int64_t)mst_scalar_of(&said_by.value);
    snprintf(found, sizeof found, "%lld", (long long)count);
    if (!kept && (count < 0 || (uint64_t)count >> (8 * mst_kind_width[field->kind] - 1) >> 1))
        return mst_encode_fail(e, MST_REFUSED, field->length_of,
                               "there are more elements than the format can count", NULL, found);
    if (top->source.json && stated) { /* optional, but must be right */
        uint64_t said;
        mst_misfit why;
        top->used++;
        bool number = mst_number_of_json(field, &said_by.json[said_by.node], &said, &why);
        if (number && is_short && said > (uint64_t)count)
            count = (int64_t)said;
        if (!number || said != (uint64_t)count)
            return mst_encode_fail(e, MST_ARGUMENT, field->name, "the count differs from the list's length",
                                   found, NULL);
    }
    mst_status status = mst_put_integer(e, field, field->kind, (uint64_t)count);
    if (status == MST_OK)
        mst_bind_variable(field, top->context, (uint64_t)count);
    return status;
}

/* The number of elements of all lists in a list of JSON. */
static uint64_t total_of(const mst_source *lists) {
    const mst_json_node *nodes = lists->json, *all = &nodes[lists->node];
    uint64_t total = 0;
    for (uint32_t at = lists->node + 1; all->kind == MST_JSON_ARRAY && at < all->end; at = nodes[at].end)
        total += nodes[at].kind == MST_JSON_ARRAY ? nodes[at].count : 0;
    return total;
}

/* Writes a field that the source lacks. */
static mst_status put_missing(mst_encoder *e, mst_encode_frame *top, const mst_field *field) {
    mst_source lists;
    bool standard = (field->flags & (MST_FIELD_DEFAULT | MST_FIELD_OMIT_EMPTY)) ||
                    field->mode == MST_COUNT_ALIGN || (field->mode == MST_COUNT_PREFIX && field->record);
    if (top->source.json && field->total_of && mst_source_member(top, field->total_of, &lists))
        return mst_put_integer(e, field, field->kind, total_of(&lists));
    if (!standard && !e->request->lenient && !e->request->rest)
        return mst_encode_fail(e, MST_ARGUMENT, field->name, "the field is missing",
                               e->request->may_be_lenient ? "a value, or --lenient for zero" : NULL, NULL);
    e->name = field->name;
    e->index = UINT64_MAX;
    mst_status status = put_zeros(e, field, top->context);
    if (status == MST_OK)
        stop_after(e, top, field);
    return status;
}

/* Begins to write a field that is present. */
static mst_status put_field(mst_encoder *e, mst_encode_frame *top, const mst_field *field) {
    mst_source member;
    if (field->kind == MST_KIND_CHUNKS) {
        mst_encode_frame *chunks = push(e, FRAME_CHUNKS, field, "", UINT64_MAX, &top->source, top->context);
        if (!chunks)
            return MST_NO_MEMORY;
        chunks->chunks = field->chunks;
        chunks->which = -1;
        return MST_OK;
    }
    if (field->constant)
        return mst_put_bytes(e, field, top->context, field->constant, field->count);
    if (mst_size_index(field) >= 0)
        return put_size(e, top, field);
    if (field->length_of && mst_source_member(top, field->length_of, &member))
        return put_length(e, top, field, &member);
    if (!mst_source_field(top, field, &member))
        return put_missing(e, top, field);
    top->used++;
    if (!mst_is_number(field)) /* before its own frame becomes the top one */
        stop_after(e, top, field);
    size_t depth = e->depth;
    mst_status status = begin_field(e, field, field->name, UINT64_MAX, &member, top->context, false);
    if (status == MST_OK && e->depth == depth)
        stop_after(e, top, field);
    return status;
}

static mst_status step_record(mst_encoder *e) {
    mst_encode_frame *top = &e->frames[e->depth - 1];
    if (top->record->archive)
        return step_archive(e);
    size_t depth = e->depth;
    while (top->step.next < top->record->field_count) {
        const mst_field *field = next_field(e, top);
        mst_status status = field ? put_field(e, top, field) : MST_OK;
        if (status != MST_OK || e->depth != depth)
            return status;
    }
    return end_record(e);
}

static mst_status step_list(mst_encoder *e) {
    mst_encode_frame *top = &e->frames[e->depth - 1];
    bool archive = top->field->mode == MST_COUNT_ARCHIVE;
    if (top->done == top->count) {
        mst_status status = archive ? mst_encode_block(e, top) : MST_OK;
        e->depth--;
        return status;
    }
    mst_source element = top->source;
    if (top->source.json) {
        element.node = top->cursor;
        top->cursor = top->source.json[top->cursor].end;
    } else {
        int more = mst_next(&top->iterator, &element.value);
        if (MST_CHANGED(!more)) /* the elements were counted */
            return mst_encode_fail(e, MST_REFUSED, "", "the list ends early", NULL, NULL);
    }
    if (archive) {
        mst_status status = mst_encode_block(e, top);
        if (status != MST_OK)
            return status;
        mst_encode_note(top, &element);
    }
    return begin_field(e, top->field, "", top->done++, &element, top->context, true);
}

static mst_status step_chunks(mst_encoder *e) {
    mst_encode_frame *top = &e->frames[e->depth - 1];
    mst_source content;
    uint64_t index;
    mst_status status = mst_encode_chunk(e, &content, &index);
    if (status == MST_UNKNOWN) {
        e->depth--;
        return MST_OK;
    }
    const mst_field *field = mst_case_field(top->chunks, top->which);
    return status == MST_OK ? begin_field(e, field, field->name, index, &content, top->context,
                                          mst_is_repeated(top->chunks, field))
                            : status;
}

mst_status mst_encode_field(const mst_encode_request *request, mst_buffer *output,
                            mst_diagnostic *diagnostic) {
    mst_encoder e;
    e.request = request;
    e.out = output;
    e.diagnostic = diagnostic;
    e.frames = e.first_frames;
    e.depth = 0;
    e.capacity = FRAMES;
    e.allocated = false;
    e.name = "";
    e.index = UINT64_MAX;
    if (diagnostic)
        diagnostic->status = MST_OK; /* nothing reported yet */
    uint32_t context[MST_VARIABLES];
    memcpy(context, request->context, sizeof context);
    mst_status status =
        begin_field(&e, request->field, "", UINT64_MAX, &request->source, context, request->single);
    while (status == MST_OK && e.depth > 0) {
        uint8_t mode = e.frames[e.depth - 1].mode;
        status = mode == FRAME_RECORD ? step_record(&e)
                 : mode == FRAME_LIST ? step_list(&e)
                                      : step_chunks(&e);
    }
    if (status == MST_NO_MEMORY && diagnostic && diagnostic->status != MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory to encode");
    if (e.allocated)
        request->allocator->resize(request->allocator->user, e.frames, e.capacity * sizeof(mst_encode_frame),
                                   0);
    return status;
}
