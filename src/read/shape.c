/* SPDX-License-Identifier: MIT */
/* The extent of a field, as its bytes give it. */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "engine.h"

/* u32 element size in bytes, u32 element count. `shape->element` holds the size by the tables. */
static mst_status data_set_shape(const mst_document *document, const mst_field *field, uint64_t offset,
                                 uint64_t end, mst_shape *shape, mst_diagnostic *diagnostic) {
    if (!mst_fits(offset, 8, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                       "the header of a data set does not fit");
        if (diagnostic)
            MST_SET(diagnostic->expected, "8 bytes");
        return MST_DAMAGED;
    }
    uint32_t stride = mst_load32(document->data + offset, document->variant.big);
    uint32_t count = mst_load32(document->data + offset + 4, document->variant.big);
    bool text = mst_is_text(field);
    uint64_t size = (uint64_t)stride * count;
    shape->prefix = 8;
    if (text && count != 1 && (stride || count)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_TEXT, offset, 8,
                       "a text must be a data set of one element");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "1");
            MST_SET(diagnostic->found, "%u", count);
        }
        return MST_DAMAGED;
    }
    if (!text && count && stride != shape->element) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_STRIDE, offset, 4,
                       "the elements of the data set have the wrong size");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%llu", (unsigned long long)shape->element);
            MST_SET(diagnostic->found, "%u", stride);
        }
        return MST_DAMAGED;
    }
    if (!mst_fits(offset + 8, size, end)) {
        mst_problem_at(document, diagnostic, MST_PROBLEM_COUNT, offset, 8, "the data set does not fit");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu bytes", (unsigned long long)(end - offset - 8));
            MST_SET(diagnostic->found, "%u x %u", count, stride);
        }
        return MST_DAMAGED;
    }
    shape->count = text ? size : count;
    return MST_OK;
}

static mst_status shape_of_prefixed(const mst_document *document, const mst_field *field, uint64_t offset,
                                    uint64_t end, mst_shape *shape, mst_diagnostic *diagnostic) {
    unsigned prefix = mst_kind_width[field->prefix];
    if (mst_fits(offset, prefix, end)) {
        shape->prefix = prefix;
        shape->count = mst_load(document->data + offset, prefix, mst_field_big(document, field));
        return MST_OK;
    }
    mst_status status = mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                                       "the count does not fit into the remaining bytes");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "%u bytes", prefix);
        MST_SET(diagnostic->found, "%llu left", (unsigned long long)(end - offset));
    }
    return status;
}

static mst_status shape_to_sentinel(const mst_document *document, const mst_field *field, uint64_t offset,
                                    uint64_t end, mst_shape *shape) {
    uint64_t width = shape->element;
    if (MST_UNREACHABLE(!width)) /* the tables use it with fixed-size elements only */
        return MST_DAMAGED;
    shape->count = (end - offset) / width;
    if (!field->ends)
        return MST_OK;
    const uint8_t *element = document->data + offset;
    bool big = mst_field_big(document, field);
    uint64_t count = 0;
    while (count < shape->count && !field->ends(element + count * width, big))
        count++;
    shape->count = count;
    return MST_OK;
}

static mst_status shape_to_end(const mst_document *document, uint64_t offset, uint64_t end, mst_shape *shape,
                               mst_diagnostic *diagnostic) {
    uint64_t width = shape->element;
    if (!width) {
        shape->count = MST_TO_SENTINEL;
        return MST_OK;
    }
    shape->count = (end - offset) / width;
    if ((end - offset) % width == 0)
        return MST_OK;
    mst_status status =
        mst_problem_at(document, diagnostic, MST_PROBLEM_TRAILING, offset + shape->count * width,
                       (end - offset) % width, "bytes are left over after the last element");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "a multiple of %llu bytes", (unsigned long long)width);
        MST_SET(diagnostic->found, "%llu bytes", (unsigned long long)(end - offset));
    }
    return status;
}

/* Reports that `shape->count` elements of at least `min` bytes do not fit. */
static mst_status too_many(const mst_document *document, const mst_field *field, uint64_t offset,
                           uint64_t end, const mst_shape *shape, uint64_t min, mst_diagnostic *diagnostic) {
    bool counted = field->mode != MST_COUNT_ONE && field->mode != MST_COUNT_FIXED;
    mst_problem kind = mst_is_text(field) ? MST_PROBLEM_STRING
                       : counted          ? MST_PROBLEM_COUNT
                                          : MST_PROBLEM_OVERRUN;
    uint64_t left = end - offset - shape->prefix;
    mst_status status =
        mst_problem_at(document, diagnostic, kind, offset, end - offset,
                       kind == MST_PROBLEM_OVERRUN  ? "the field does not fit into the remaining bytes"
                       : kind == MST_PROBLEM_STRING ? "the string does not fit into the remaining bytes"
                                                    : "the list does not fit into the remaining bytes");
    if (!diagnostic)
        return status;
    if (kind == MST_PROBLEM_OVERRUN) {
        MST_SET(diagnostic->expected, "%llu bytes", (unsigned long long)(shape->count * min));
        MST_SET(diagnostic->found, "%llu left", (unsigned long long)left);
    } else {
        MST_SET(diagnostic->expected, "at most %llu", (unsigned long long)(left / min));
        MST_SET(diagnostic->found, "%llu", (unsigned long long)shape->count);
    }
    return status;
}

mst_status mst_field_shape(const mst_document *document, const mst_field *field, const uint32_t *context,
                           uint64_t offset, uint64_t end, mst_shape *shape, mst_diagnostic *diagnostic) {
    uint64_t width = mst_kind_width[field->kind], min = width;
    if (MST_UNREACHABLE(offset > end)) /* callers have reached `offset` within `end` */
        return MST_DAMAGED;
    if (field->kind == MST_KIND_RECORD) {
        const mst_plan *plan = mst_plan_of(document, mst_record_of(document, field));
        width = plan->stride;
        min = plan->minimum;
    }
    shape->element = width;
    shape->prefix = 0;
    shape->count = 1;
    mst_status status;
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE: break;
    case MST_COUNT_FIXED: shape->count = field->count; break;
    case MST_COUNT_PREFIX:
        status = shape_of_prefixed(document, field, offset, end, shape, diagnostic);
        if (status != MST_OK)
            return status;
        break;
    case MST_COUNT_VARIABLE: shape->count = (uint64_t)context[field->count_variable] + field->count; break;
    case MST_COUNT_PRODUCT:
        shape->count = (uint64_t)context[field->count_variable] * context[field->count];
        break;
    case MST_COUNT_DATA_SET: return data_set_shape(document, field, offset, end, shape, diagnostic);
    case MST_COUNT_ARCHIVE:
        if (!mst_fits(offset, 8, end))
            return mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, offset, end - offset,
                                  "the header of an archive does not fit");
        shape->element = 0; /* blocks are found by their offsets */
        shape->count = mst_archive_at(document, offset, end).count;
        return MST_OK;
    case MST_COUNT_ALIGN:
        shape->count = mst_padding(field, offset);
        if (shape->count > end - offset)
            shape->count = end - offset;
        return MST_OK;
    case MST_COUNT_SENTINEL: return shape_to_sentinel(document, field, offset, end, shape);
    case MST_COUNT_TO_END: return shape_to_end(document, offset, end, shape, diagnostic);
    }
    uint64_t need;
    if (min == 0)
        min = 1; /* elements of no bytes would leave the count unlimited */
    if ((field->flags & MST_FIELD_SHORT) && mst_is_list(field)) {
        shape->element = 0; /* one by one, until the end */
        return MST_OK;
    }
    if (field->mode == MST_COUNT_ONE && width == 0)
        return MST_OK; /* its fields are checked one by one */
    if (mst_multiply(shape->count, min, &need) && mst_fits(offset + shape->prefix, need, end))
        return MST_OK;
    return too_many(document, field, offset, end, shape, min, diagnostic);
}
