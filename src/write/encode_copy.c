/* SPDX-License-Identifier: MIT */
/*
 * What the encoder copies from a document of the same format and variant: fields that hold the same bytes
 * however they are encoded. Counts, sizes, constants and everything that follows from the length of something
 * else are encoded again; so are chunks, archives and data sets.
 */
#include "../core/unreachable.h"
#include "encoder.h"

/* Whether a number that states the length of a list is also what the list's length is read from, so that it
 * cannot be another. */
static bool is_read_length(const mst_document *document, const mst_record *record, const mst_field *number) {
    const mst_field_plan *fields = mst_plan_of(document, record)->fields;
    bool read = number->bind && !number->transform && !(number->flags & MST_FIELD_SHORT);
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_field *list = &record->fields[f];
        if (fields[f].presence != MST_ABSENT && strcmp(list->name, number->length_of) == 0)
            read = read && list->mode == MST_COUNT_VARIABLE && list->count_variable + 1 == number->bind &&
                   (int64_t)list->count == -(int64_t)number->length_bias && !(list->flags & MST_FIELD_SHORT);
    }
    return read;
}

/* Fields that are encoded, not copied. */
static uint8_t is_made(void *user, const mst_field *field) {
    const mst_document *document = user;
    const mst_record *const *records = document->format->tables.records;
    if ((field->flags & MST_FIELD_ORIGINAL) || field->mode == MST_COUNT_ALIGN)
        return 1;
    for (size_t r = 0; field->length_of && r < document->format->tables.record_count; r++)
        if (field >= records[r]->fields && field < records[r]->fields + records[r]->field_count)
            return !is_read_length(document, records[r], field);
    return field->length_of || field->total_of;
}

mst_status mst_encode_begin_copying(mst_encoder *e) {
    const mst_encode_request *request = e->request;
    const mst_document *document = request->source.json ? NULL : request->source.value.document;
    bool any;
    if (!document || request->plans != document->plans || request->span ||
        request->field != &mst_document_field)
        return MST_OK;
    mst_arena_begin(&e->arena, request->allocator, 0);
    return mst_runs_between(document, is_made, (void *)(uintptr_t)document, &e->arena, &e->runs, &any);
}

/* Appends bytes of the document. */
static mst_status copy(mst_encoder *e, const mst_document *document, const mst_field *field, uint64_t offset,
                       uint64_t size) {
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_VALUE, field, size);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL, NULL);
    if (size)
        memcpy(target, document->data + offset, (size_t)size);
    return MST_OK;
}

mst_status mst_encode_copy(mst_encoder *e, mst_encode_frame *top, const mst_plan *plan) {
    const uint16_t index = top->step.next;
    const mst_run *run = &e->runs[top->record->index][index];
    const mst_field_plan *compiled = &plan->fields[index];
    const mst_field *field = &top->record->fields[index];
    mst_iterator *it = &top->iterator;
    if (run->met || (!run->size && (!compiled->quick || (field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP)))))
        return MST_UNKNOWN;
    if (!it->document)
        *it = mst_iterate(&top->source.value);
    if (!mst_iterate_before(it, index))
        return MST_UNKNOWN;
    const mst_document *document = it->document;
    const uint64_t end = mst_step_end(&it->step.record, it->end);
    mst_shape shape = {run->size, 0, 0};
    uint16_t next = run->next;
    if (!run->size) {
        if ((compiled->leads && !mst_lead_holds(&compiled->lead, it->context)) ||
            (!compiled->led && !mst_others_hold(field, compiled, it->context)) ||
            !mst_quick_shape(document, field, compiled, it->context, it->position, end, &shape))
            return MST_UNKNOWN;
        next = (uint16_t)(index + 1);
    }
    const uint64_t size = shape.prefix + shape.count * shape.element;
    if (MST_CHANGED(!mst_fits(it->position, size, end)))
        return MST_UNKNOWN;
    mst_status status = copy(e, document, field, it->position, size);
    if (status == MST_OK && !run->size && compiled->decides) {
        uint64_t bits = mst_scalar_bits(document, field, it->position);
        mst_bind_variable(field, it->context, bits);
        mst_bind_variable(field, top->context, bits);
    }
    it->position += size;
    it->step.record.next = top->step.next = next;
    return status;
}

mst_status mst_encode_copy_list(mst_encoder *e, const mst_field *field, const mst_value *list) {
    const mst_record *record = field->record;
    if (field->mode == MST_COUNT_ARCHIVE || (record && !e->request->plans[record->index].stride))
        return MST_UNKNOWN;
    for (uint16_t f = 0; record && f < record->field_count; f++)
        if (e->runs[record->index][f].met)
            return MST_UNKNOWN;
    const mst_shape shape = mst_shape_of_list(list);
    const uint64_t size = shape.count * shape.element, offset = list->offset + shape.prefix;
    if (!shape.element) /* it may end early */
        return MST_UNKNOWN;
    if (MST_CHANGED(!mst_fits(offset, size, list->end)))
        return mst_encode_fail(e, MST_REFUSED, NULL, "the list ends early", NULL, NULL);
    return copy(e, list->document, field, offset, size);
}
