/* SPDX-License-Identifier: MIT */
#include "binding.h"

static const mst_record *record_named(const mst_format *format, const char *name) {
    for (size_t i = 0; i < format->tables.record_count; i++)
        if (strcmp(format->tables.records[i]->name, name) == 0)
            return format->tables.records[i];
    return NULL;
}

static const mst_binding *binding_named(const mst_bindings *bindings, const char *name) {
    for (uint16_t i = 0; i < bindings->count; i++)
        if (strcmp(bindings->items[i].name, name) == 0)
            return &bindings->items[i];
    return NULL;
}

static bool same_type(uint8_t kind, uint8_t type) {
    static const uint8_t kind_of[] = {
        [MST_F32] = MST_KIND_F32, [MST_F64] = MST_KIND_F64, [MST_U8] = MST_KIND_U8,
        [MST_I8] = MST_KIND_I8,   [MST_U16] = MST_KIND_U16, [MST_I16] = MST_KIND_I16,
        [MST_U32] = MST_KIND_U32, [MST_I32] = MST_KIND_I32, [MST_U64] = MST_KIND_U64,
        [MST_I64] = MST_KIND_I64};
    return type < MST_COUNT_OF(kind_of) && kind_of[type] == kind;
}

/* Bytes of a number in a struct. */
static uint8_t width_of(uint8_t type) {
    static const uint8_t widths[] = {[MST_F32] = 4,
                                     [MST_F64] = 8,
                                     [MST_U8] = 1,
                                     [MST_I8] = 1,
                                     [MST_U16] = 2,
                                     [MST_I16] = 2,
                                     [MST_U32] = 4,
                                     [MST_I32] = 4,
                                     [MST_U64] = 8,
                                     [MST_I64] = 8,
                                     [MST_BOUND_BOOL] = sizeof(bool)};
    return type < MST_COUNT_OF(widths) ? widths[type] : 0;
}

static mst_bound_field bound_field(const mst_document *document, const mst_binding *binding,
                                   const mst_field *field, uint16_t index, uint32_t at) {
    return (mst_bound_field){.at = at,
                             .index = index,
                             .to = binding->to,
                             .components = binding->components,
                             .type = binding->type,
                             .word = width_of(binding->type) == 4 && same_type(field->kind, binding->type),
                             .big = mst_field_big(document, field)};
}

void mst_bind(const mst_document *document, const mst_bindings *bindings, mst_bound *bound) {
    const mst_record *record = record_named(document->format, bindings->record);
    bound->document = document;
    bound->bindings = bindings;
    bound->record = record;
    bound->direct = bound->count = 0;
    bound->size = 0;
    if (MST_UNREACHABLE(!record)) /* bindings name records of the tables */
        return;
    const mst_plan *plan = mst_plan_of(document, record);
    mst_bound_field stepped[MST_BOUND_FIELDS];
    uint16_t stepped_count = 0;
    uint16_t first = 0; /* the pass over the record skips the fields before this one */
    bool skipping = true, placed = true;
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        const mst_field_plan *compiled = &plan->fields[i];
        const mst_binding *binding = binding_named(bindings, field->name);
        /* the positions of parts after the first depend on sizes */
        placed = placed && !(field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE));
        bool direct = placed && compiled->presence == MST_PRESENT && compiled->offset != UINT32_MAX &&
                      compiled->size && mst_is_number(field);
        if (binding && compiled->presence != MST_ABSENT) {
            direct = direct && binding->type != MST_BOUND_VALUE;
            if (MST_UNREACHABLE(bound->direct + stepped_count == MST_BOUND_FIELDS)) /* no struct has more */
                break;
            mst_bound_field one = bound_field(document, binding, field, i, compiled->offset);
            if (direct) {
                bound->fields[bound->direct++] = one;
                bound->size = compiled->offset + compiled->size;
            } else {
                stepped[stepped_count++] = one;
            }
        } else {
            direct = true;
        }
        /* fields that decide about others must be visited one by one */
        skipping =
            skipping && direct && (compiled->presence == MST_ABSENT || (plan->runs && plan->runs[i].size));
        first = skipping ? (uint16_t)(i + 1) : first;
    }
    bound->count = (uint16_t)(bound->direct + stepped_count);
    for (uint16_t i = 0; i < stepped_count; i++)
        bound->fields[bound->direct + i] = stepped[i];
    bound->first = first;
    bound->first_offset = first < record->field_count ? plan->fields[first].offset : 0;
}

static void store(const mst_bound *bound, const mst_bound_field *one, uint64_t offset, uint8_t *to) {
    const mst_document *document = bound->document;
    if (one->word) {
        const uint8_t *from = document->data + offset;
        for (uint16_t c = 0; c < one->components; c++) {
            uint32_t bits = mst_load32(from + 4 * c, one->big);
            memcpy(to + 4 * c, &bits, 4);
        }
        return;
    }
    const mst_field *field = &bound->record->fields[one->index];
    unsigned stored = mst_kind_width[field->kind], width = width_of(one->type);
    for (uint16_t c = 0; c < one->components; c++, to += width) {
        uint64_t bits = mst_scalar_bits(document, field, offset + (uint64_t)c * stored);
        bool flag = bits != 0;
        if (one->type == MST_BOUND_BOOL)
            memcpy(to, &flag, sizeof flag);
        else
            mst_store(to, width, bits, MST_HOST_BIG);
    }
}

void mst_fill_at(const mst_bound *bound, uint64_t offset, uint64_t end, void *to) {
    if (MST_CHANGED(!mst_fits(offset, bound->size, end)))
        return;
    for (uint16_t i = 0; i < bound->direct; i++) {
        const mst_bound_field *one = &bound->fields[i];
        store(bound, one, offset + one->at, (uint8_t *)to + one->to);
    }
}

/* Stores a number, or the elements of a list of numbers, as many as both the member and the list have. */
static void store_value(const mst_bound *bound, const mst_bound_field *one, const mst_value *value,
                        uint8_t *to) {
    if (one->type == MST_BOUND_VALUE) {
        memcpy(to, value, sizeof *value);
        return;
    }
    uint64_t offset = value->offset;
    mst_bound_field part = *one;
    if (mst_shape_of(value) == MST_SHAPE_LIST) {
        mst_shape shape = mst_shape_of_list(value);
        offset += shape.prefix;
        if (shape.count < part.components)
            part.components = (uint16_t)shape.count;
    } else if (MST_CHANGED(!mst_scalar_fits(value))) {
        return;
    }
    store(bound, &part, offset, to);
}

void mst_fill(const mst_bound *bound, const mst_value *record, void *to) {
    const mst_field *field = mst_field_of(record);
    const mst_record *table = field->record ? field->record : record->document->format->tables.root;
    if (MST_CHANGED(table != bound->record)) /* an empty record in place of an earlier one */
        return;
    mst_fill_at(bound, record->offset, record->end, to);
    if (bound->direct == bound->count ||
        MST_CHANGED(!mst_fits(record->offset, bound->first_offset, record->end)))
        return;
    const mst_bound_field *next = &bound->fields[bound->direct], *end = &bound->fields[bound->count];
    mst_value value;
    mst_iterator it = mst_iterate_from(record, bound->first, bound->first_offset);
    while (next < end && mst_next(&it, &value))
        for (; next < end && next->index < it.step.record.next; next++)
            if (&bound->record->fields[next->index] == value.field) /* otherwise it is absent */
                store_value(bound, next, &value, (uint8_t *)to + next->to);
}

uint32_t mst_bound_at(const mst_bound *bound, size_t to) {
    for (uint16_t i = 0; i < bound->direct; i++)
        if (bound->fields[i].to == to)
            return bound->fields[i].at;
    return 0; /* not in this version */
}

mst_column mst_bound_column(const mst_bound *bound, size_t to) {
    const mst_document *document = bound->document;
    return (mst_column){document->data + mst_bound_at(bound, to), 0,
                        mst_plan_of(document, bound->record)->stride, document->variant.big};
}

const mst_field *mst_field_named(const mst_record *record, const char *name) {
    uint16_t i = 0;
    while (strcmp(record->fields[i].name, name) != 0) {
        i++;
        if (MST_UNREACHABLE(i == record->field_count)) /* callers use names of the table */
            return NULL;
    }
    return &record->fields[i];
}

static uint32_t size_of_fields(const mst_field *fields, size_t count) {
    uint32_t size = 0;
    for (const mst_field *field = fields; field < fields + count; field++) {
        uint32_t element = field->record ? size_of_fields(field->record->fields, field->record->field_count)
                                         : mst_kind_width[field->kind];
        size += element * (field->mode == MST_COUNT_FIXED ? field->count : 1);
    }
    return size;
}

uint32_t mst_field_offset(const mst_record *record, const char *name) {
    return size_of_fields(record->fields, (size_t)(mst_field_named(record, name) - record->fields));
}

mst_column mst_column_among(const mst_column *records, const mst_record *record, const char *name) {
    mst_column column = *records;
    if (column.data) /* no records, no place */
        column.data += mst_field_offset(record, name);
    return column;
}
