/* SPDX-License-Identifier: MIT */
/* Bulk reading: numbers and records into the caller's buffers. */
#include "../codec/interleave.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"
#include "binding.h"
#include "opened.h"
#include <math.h>

static const uint8_t element_width[] = {4, 8, 1, 1, 2, 2, 4, 4, 8, 8};

typedef enum number_class { CLASS_UNSIGNED, CLASS_SIGNED, CLASS_REAL } number_class;

static number_class class_of(const mst_field *field) {
    switch ((mst_kind)field->kind) {
    case MST_KIND_F32:
    case MST_KIND_F64: return CLASS_REAL;
    case MST_KIND_I8:
    case MST_KIND_I16:
    case MST_KIND_I32:
    case MST_KIND_I64: return CLASS_SIGNED;
    default: return CLASS_UNSIGNED;
    }
}

static uint64_t clamp(number_class from, uint64_t bits, double real, uint64_t max) {
    if (from == CLASS_REAL)
        return !(real > 0) ? 0 : real >= (double)max ? max : (uint64_t)real;
    if (from == CLASS_SIGNED && (int64_t)bits < 0)
        return 0;
    return bits < max ? bits : max;
}

static int64_t clamp_signed(number_class from, uint64_t bits, double real, int64_t min, int64_t max) {
    if (from == CLASS_REAL) {
        if (real != real)
            return 0;
        return real <= (double)min ? min : real >= (double)max ? max : (int64_t)real;
    }
    if (from == CLASS_UNSIGNED)
        return bits > (uint64_t)max ? max : (int64_t)bits;
    int64_t v = (int64_t)bits;
    return v < min ? min : v > max ? max : v;
}

/* Converts one number from the file's type to the caller's. */
static void convert(const mst_document *document, const mst_field *field, uint64_t offset,
                    mst_element_type type, uint8_t *to) {
    number_class from = class_of(field);
    uint64_t bits = mst_scalar_bits(document, field, offset);
    double real = field->kind == MST_KIND_F32   ? (double)mst_f32_of_bits((uint32_t)bits)
                  : field->kind == MST_KIND_F64 ? mst_f64_of_bits(bits)
                                                : 0;
    if (type == MST_F32 || type == MST_F64) {
        if (from != CLASS_REAL)
            real = from == CLASS_SIGNED ? (double)(int64_t)bits : (double)bits;
        if (type == MST_F64) {
            memcpy(to, &real, 8);
        } else { /* of the remaining types; singles were copied without conversion */
            float single = (float)real;
            memcpy(to, &single, 4);
        }
        return;
    }
    switch (type) {
    case MST_U8: {
        uint8_t v = (uint8_t)clamp(from, bits, real, UINT8_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    case MST_U16: {
        uint16_t v = (uint16_t)clamp(from, bits, real, UINT16_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    case MST_U32: {
        uint32_t v = (uint32_t)clamp(from, bits, real, UINT32_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    case MST_U64: {
        uint64_t v = clamp(from, bits, real, UINT64_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    case MST_I8: {
        int8_t v = (int8_t)clamp_signed(from, bits, real, INT8_MIN, INT8_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    case MST_I16: {
        int16_t v = (int16_t)clamp_signed(from, bits, real, INT16_MIN, INT16_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    case MST_I32: {
        int32_t v = (int32_t)clamp_signed(from, bits, real, INT32_MIN, INT32_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    default: {
        int64_t v = clamp_signed(from, bits, real, INT64_MIN, INT64_MAX);
        memcpy(to, &v, sizeof v);
        break;
    }
    }
}

/* Whether the file's type equals the caller's, so that at most bytes are swapped. */
static bool same_form(const mst_field *field, mst_element_type type) {
    static const uint8_t kind_of[] = {MST_KIND_F32, MST_KIND_F64, MST_KIND_U8,  MST_KIND_I8,  MST_KIND_U16,
                                      MST_KIND_I16, MST_KIND_U32, MST_KIND_I32, MST_KIND_U64, MST_KIND_I64};
    return field->kind == kind_of[type];
}

/* Copies `count` elements of `components` numbers each, spaced `from_stride` apart in the file. */
static void copy_numbers(const mst_document *document, const mst_field *field, uint64_t offset,
                         uint64_t from_stride, uint64_t count, uint32_t components, const mst_target *target,
                         uint8_t *to, size_t to_stride) {
    unsigned width = mst_kind_width[field->kind];
    const uint8_t *from = document->data + offset;
    size_t bytes = (size_t)width * components;
    bool native = width == 1 || mst_field_big(document, field) == (MST_HOST_BIG != 0);
    if (same_form(field, target->type) && native) {
        if (from_stride == bytes && to_stride == bytes) {
            memcpy(to, from, (size_t)count * bytes);
        } else if (bytes ==
                   12) { /* the common case, positions: memcpy of a constant size is done in registers */
            for (uint64_t i = 0; i < count; i++, from += from_stride, to += to_stride)
                memcpy(to, from, 12);
        } else {
            for (uint64_t i = 0; i < count; i++, from += from_stride, to += to_stride)
                memcpy(to, from, bytes);
        }
        return;
    }
    if (same_form(field, target->type) && width == 4) {
        for (uint64_t i = 0; i < count; i++, from += from_stride, to += to_stride)
            for (uint32_t c = 0; c < components; c++) {
                uint32_t v = mst_load32(from + 4 * c, !MST_HOST_BIG);
                memcpy(to + 4 * c, &v, 4);
            }
        return;
    }
    for (uint64_t i = 0; i < count; i++, offset += from_stride, to += to_stride)
        for (uint32_t c = 0; c < components; c++)
            convert(document, field, offset + (uint64_t)c * width, target->type,
                    to + (size_t)c * element_width[target->type]);
}

/* The location of one element's numbers: a scalar, or a list of scalars. */
static bool numbers_of(const mst_value *value, const mst_field **field, uint64_t *offset, uint64_t *count) {
    *field = mst_field_of(value);
    if (!mst_is_number(*field) ||
        MST_CHANGED(mst_shape_of(value) == MST_SHAPE_ONE && !mst_scalar_fits(value)))
        return false;
    *offset = value->offset;
    *count = 1;
    if (mst_shape_of(value) == MST_SHAPE_LIST) {
        mst_shape shape = mst_shape_of_list(value);
        *offset += shape.prefix;
        *count = shape.count;
    }
    return true;
}

/* The number of elements in a list from `first` on, at most `count`. */
static uint64_t left_of(const mst_shape *shape, uint64_t first, uint64_t count) {
    uint64_t left = MST_CHANGED(first > shape->count) ? 0 : shape->count - first;
    return MST_CHANGED(count > left) ? left : count;
}

static size_t stride_of(const mst_target *target, uint32_t components) {
    return target->stride ? target->stride : (size_t)element_width[target->type] * components;
}

/* A scalar, a list of numbers or a slice of one: each number is an element, unless `components` groups them.
 */
static mst_status read_numbers(const mst_value *value, const mst_target *target, uint64_t *elements,
                               mst_diagnostic *diagnostic) {
    const mst_field *field;
    uint64_t offset, count, first = 0, max = UINT64_MAX;
    uint32_t components = target->components ? target->components : 1;
    mst_value list = *value;
    if (mst_shape_of(value) == MST_SHAPE_SLICE) {
        first = value->first;
        max = value->count;
        list.shape = MST_SHAPE_LIST;
    }
    if (!numbers_of(&list, &field, &offset, &count))
        return mst_fail(diagnostic, MST_ARGUMENT, "these are not numbers");
    first = MST_CHANGED(first > count) ? count : first;
    count = count - first < max ? count - first : max;
    if (count % components)
        return mst_fail(diagnostic, MST_ARGUMENT, "%llu numbers do not make elements of %u",
                        (unsigned long long)count, components);
    count /= components;
    if (count > target->capacity)
        count = target->capacity;
    unsigned size = mst_kind_width[field->kind];
    if (count)
        copy_numbers(value->document, field, offset + first * size, (uint64_t)size * components, count,
                     components, target, target->data, stride_of(target, components));
    *elements = count;
    return MST_OK;
}

/* `requested` elements of a slice of fixed-size records, whose field `taken` (NULL: the only one) is at a
 * fixed offset: no values are made. */
static mst_status read_column(const mst_value *slice, const mst_field *taken, const mst_target *target,
                              uint64_t requested, uint64_t *elements, mst_diagnostic *diagnostic) {
    const mst_document *document = slice->document;
    const mst_record *record = mst_field_of(slice)->record;
    const mst_plan *plan = mst_plan_of(document, record);
    const mst_field *column = taken ? taken : record->fields;
    if (MST_UNREACHABLE(!column)) /* every record has fields */
        return MST_ARGUMENT;
    const mst_field_plan *compiled = &plan->fields[column - record->fields];
    if (!mst_is_number(column) || (!taken && !record->is_inline))
        return mst_fail(diagnostic, MST_ARGUMENT, "these are not numbers");
    if (compiled->presence == MST_ABSENT)
        return mst_fail(diagnostic, MST_NO_PATH, "this version has no field %s", column->name);
    uint32_t available = compiled->size / mst_kind_width[column->kind];
    uint32_t components = target->components ? target->components : available;
    if (components > available)
        return mst_fail(diagnostic, MST_ARGUMENT, "%s has %u components", column->name, available);
    mst_shape shape = mst_shape_of_list(slice);
    *elements = left_of(&shape, slice->first, requested);
    copy_numbers(document, column,
                 slice->offset + shape.prefix + slice->first * plan->stride + compiled->offset, plan->stride,
                 *elements, components, target, target->data, stride_of(target, components));
    return MST_OK;
}

/* `requested` elements of a slice, one by one. */
static mst_status read_elements(const mst_value *slice, const mst_field *taken, const mst_target *target,
                                uint64_t requested, uint64_t *elements, mst_diagnostic *diagnostic) {
    mst_value base = mst_list_of_slice(slice), element;
    uint32_t components = target->components;
    const mst_field *field;
    uint64_t offset, count, at = 0;
    uint8_t *to = target->data;
    for (mst_iterator it = mst_iterate(&base); *elements < requested && mst_next(&it, &element); at++) {
        if (at < slice->first)
            continue;
        mst_value one = element;
        if (taken && mst_member(&element, taken->name, &one) != MST_OK)
            return mst_fail(diagnostic, MST_NO_PATH, "element %llu has no such field",
                            (unsigned long long)at);
        if (!numbers_of(&one, &field, &offset, &count))
            return mst_fail(diagnostic, MST_ARGUMENT, "these are not numbers");
        if (!target->components && !*elements)
            components = (uint32_t)count;
        if (components > count || (!target->components && components != count))
            return mst_fail(diagnostic, MST_ARGUMENT, "element %llu has %llu components",
                            (unsigned long long)at, (unsigned long long)count);
        copy_numbers(slice->document, field, offset, 0, 1, components, target, to, 0);
        to += stride_of(target, components);
        ++*elements;
    }
    return MST_OK;
}

mst_status mst_read(const mst_value *value, const mst_target *target, uint64_t *elements,
                    mst_diagnostic *diagnostic) {
    if (!target || !elements || (!target->data && target->capacity) || mst_is_void(value))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a value and pointers for the numbers and their count are needed");
    *elements = 0;
    if ((size_t)target->type >= sizeof element_width)
        return mst_fail(diagnostic, MST_ARGUMENT, "unknown element type");
    const mst_field *list = mst_field_of(value), *taken = mst_column_field(list, value->shape);
    if (mst_shape_of(value) != MST_SHAPE_SLICE || (!taken && mst_is_number(list)))
        return read_numbers(value, target, elements, diagnostic);
    uint64_t requested = value->count < target->capacity ? value->count : target->capacity;
    if (!(value->shape & MST_SHAPE_CHUNKED) && mst_plan_of(value->document, list->record)->stride &&
        requested)
        return read_column(value, taken, target, requested, elements, diagnostic);
    return read_elements(value, taken, target, requested, elements, diagnostic);
}

uint64_t mst_fill_list(const mst_bound *bound, const mst_value *list, void *structs, uint64_t capacity) {
    const mst_document *document = bound->document;
    const mst_plan *plan = mst_plan_of(document, bound->record);
    size_t struct_size = bound->bindings->struct_size;
    mst_shape shape = mst_shape_of_list(list);
    bool slice = mst_shape_of(list) == MST_SHAPE_SLICE;
    uint64_t first = slice ? list->first : 0;
    uint64_t count = left_of(&shape, first, slice ? list->count : shape.count);
    if (MST_UNREACHABLE(!plan->stride || mst_field_of(list)->record != bound->record)) /* callers ensure it */
        return 0;
    if (count > capacity)
        count = capacity;
    if (count)
        memset(structs, 0, (size_t)count * struct_size);
    for (uint16_t i = 0; i < bound->direct; i++) {
        const mst_bound_field *one = &bound->fields[i];
        mst_target target = {.type = (mst_element_type)one->type};
        copy_numbers(document, &bound->record->fields[one->index],
                     list->offset + shape.prefix + first * plan->stride + one->at, plan->stride, count,
                     one->components, &target, (uint8_t *)structs + one->to, struct_size);
    }
    return count;
}

static bool column_of(const mst_document *document, const mst_record *record, uint64_t offset, uint64_t count,
                      const char *name, mst_column *column) {
    const mst_plan *plan = record ? mst_plan_of(document, record) : NULL;
    if (!plan || !plan->stride)
        return false;
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (plan->fields[i].presence == MST_ABSENT || strcmp(field->name, name) != 0 || !mst_is_number(field))
            continue;
        *column = (mst_column){document->data + offset + plan->fields[i].offset, count, plan->stride,
                               mst_field_big(document, field)};
        return true;
    }
    return false;
}

bool mst_column_of_item(const mst_document *document, const mst_item *item, const char *name,
                        mst_column *column) {
    return item->shape.element && column_of(document, item->record, item->offset + item->shape.prefix,
                                            item->shape.count, name, column);
}

bool mst_column_of(const mst_value *list, const char *name, mst_column *column) {
    if (mst_shape_of(list) != MST_SHAPE_LIST)
        return false;
    mst_shape shape = mst_shape_of_list(list);
    return column_of(list->document, mst_field_of(list)->record, list->offset + shape.prefix, shape.count,
                     name, column);
}

mst_status mst_read_interleaved(const mst_value *value, uint32_t stride, void *records, size_t capacity,
                                uint64_t *count, mst_diagnostic *diagnostic) {
    if (!count || (!records && capacity) || mst_is_void(value))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a value and pointers for the records and their count are needed");
    const void *bytes = NULL;
    size_t size = 0;
    *count = 0;
    if (mst_value_type(value) != MST_TYPE_BYTES)
        return mst_fail(diagnostic, MST_ARGUMENT, "these are not bytes");
    mst_get_bytes(value, &bytes, &size);
    if (!stride || size % stride)
        return mst_fail(diagnostic, MST_ARGUMENT, "%llu bytes are not a number of records of %u bytes",
                        (unsigned long long)size, stride);
    if (size > capacity)
        return mst_fail(diagnostic, MST_ARGUMENT, "the buffer is too small for %llu bytes",
                        (unsigned long long)size);
    mst_deinterleave(bytes, size / stride, stride, records);
    *count = size / stride;
    return MST_OK;
}
