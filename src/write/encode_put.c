/* SPDX-License-Identifier: MIT */
/* The encoder's output: numbers, texts and raw bytes, and its failures. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "encoder.h"
#include <stdio.h>

/* ---- failures ---------------------------------------------------------------------------------- */

mst_status mst_encode_fail(const mst_encoder *e, mst_status status, const char *name, const char *message,
                           const char *expected, const char *found) {
    mst_diagnostic *d = e->diagnostic;
    mst_fail(d, status, "%s", message);
    if (!d)
        return status;
    if (expected)
        MST_SET(d->expected, "%s", expected);
    if (found)
        MST_SET(d->found, "%s", found);
    size_t length = 0;
    /* the caller adds the name of the outermost field */
    for (size_t i = 0; i < e->depth; i++)
        length = mst_path_step(d->path, sizeof d->path, length, e->frames[i].name, e->frames[i].index);
    if (e->depth)
        mst_path_step(d->path, sizeof d->path, length, name ? name : e->name, name ? UINT64_MAX : e->index);
    return status;
}

/* ---- output ------------------------------------------------------------------------------------ */

uint8_t *mst_encode_reserve(mst_encoder *e, mst_span_kind kind, const mst_field *field, uint64_t size) {
    mst_buffer *out = e->out;
    size_t limit = e->request->limit;
    if (size > limit || out->size > limit - size)
        return NULL;
    size_t needed = out->size + (size_t)size;
    if (needed > out->capacity || !out->data) { /* never NULL, even for no bytes */
        size_t capacity = needed < limit / 2 ? needed * 2 : limit;
        if (capacity < 256)
            capacity = 256;
        void *grown = out->allocator.resize(out->allocator.user, out->data, out->capacity, capacity);
        if (!grown)
            return NULL;
        out->data = grown;
        out->capacity = capacity;
    }
    uint8_t *target = out->data + out->size;
    if (e->request->span)
        e->request->span(e->request->span_user, kind, field, out->size, size);
    out->size = needed;
    return target;
}

mst_status mst_put_bits(mst_encoder *e, mst_span_kind span, const mst_field *field, uint8_t kind,
                        uint64_t value) {
    unsigned width = mst_kind_width[kind];
    uint8_t *target = mst_encode_reserve(e, span, field, width);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL, NULL);
    mst_store(target, width, value, mst_encodes_big(e, field));
    return MST_OK;
}

mst_status mst_put_integer(mst_encoder *e, const mst_field *field, uint8_t kind, uint64_t value) {
    return mst_put_bits(e, MST_SPAN_VALUE, field, kind, value);
}

mst_status mst_put_prefix(mst_encoder *e, const mst_field *field, uint8_t kind, uint64_t value) {
    return mst_put_bits(e, MST_SPAN_COUNT, field, kind, value);
}

mst_status mst_put_json_number(mst_encoder *e, const mst_field *field, const mst_json_node *node,
                               uint64_t *bits) {
    mst_misfit why;
    if (mst_number_of_json(field, node, bits, &why))
        return mst_put_integer(e, field, field->kind, *bits);
    return mst_encode_fail(e, MST_ARGUMENT, NULL, why.message, why.expected, why.found);
}

/* ---- text and raw bytes ------------------------------------------------------------------------ */

/* {"$raw": "hex"} */
static bool raw_text(const mst_json_node *nodes, uint32_t at, const mst_json_node **hex) {
    const mst_json_node *node = &nodes[at];
    if (node->kind != MST_JSON_OBJECT || node->count != 1 || nodes[at + 1].length != 4 ||
        memcmp(nodes[at + 1].text, "$raw", 4) != 0 || nodes[at + 2].kind != MST_JSON_STRING)
        return false;
    *hex = &nodes[at + 2];
    return true;
}

/* The header of a data set of `count` elements; a text is one element of `count` bytes. */
static mst_status put_data_set(mst_encoder *e, const mst_field *field, uint64_t count) {
    uint64_t stride = field->kind == MST_KIND_RECORD ? e->request->plans[field->record->index].stride
                                                     : mst_kind_width[field->kind];
    if (mst_is_text(field)) {
        stride = count;
        count = count ? 1 : 0;
    }
    if (!count)
        stride = 0;
    /* JSON and the data sets of documents are limited to 32 bits */
    if (MST_UNREACHABLE(count > UINT32_MAX || stride > UINT32_MAX))
        return mst_encode_fail(e, MST_REFUSED, NULL, "there are more elements than the format can count",
                               NULL, NULL);
    mst_status status = mst_put_prefix(e, field, MST_KIND_U32, stride);
    return status == MST_OK ? mst_put_prefix(e, field, MST_KIND_U32, count) : status;
}

/* A text of one element with no bytes, as opposed to no element. */
mst_status mst_put_empty_element(mst_encoder *e, const mst_field *field) {
    mst_status status = mst_put_prefix(e, field, MST_KIND_U32, 0);
    return status == MST_OK ? mst_put_prefix(e, field, MST_KIND_U32, 1) : status;
}

/* Writes the count of something with `count` code units, or checks it where the count is given elsewhere. */
mst_status mst_put_count(mst_encoder *e, const mst_field *field, const uint32_t *context, uint64_t count) {
    char expected[40], found[40];
    uint64_t required = count;
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE: required = 1; break;
    case MST_COUNT_FIXED: required = field->count; break;
    case MST_COUNT_VARIABLE:
        required = (uint64_t)context[field->count_variable] + field->count;
        if ((field->flags & MST_FIELD_SHORT) && count < required)
            required = count;
        break;
    case MST_COUNT_PRODUCT:
        required = (uint64_t)context[field->count_variable] * context[field->count];
        break;
    case MST_COUNT_ALIGN:
        required = mst_padding(field, e->request->origin + e->out->size);
        if (count < required) /* there may be less at the end of the enclosing data */
            required = count;
        break;
    case MST_COUNT_PREFIX: {
        unsigned bits = mst_kind_width[field->prefix] * 8;
        if (count >> bits) {
            snprintf(found, sizeof found, "%llu", (unsigned long long)count);
            return mst_encode_fail(e, MST_REFUSED, NULL, "there are more elements than the format can count",
                                   NULL, found);
        }
        return mst_put_prefix(e, field, field->prefix, count);
    }
    case MST_COUNT_DATA_SET: return put_data_set(e, field, count);
    case MST_COUNT_ARCHIVE:
    case MST_COUNT_TO_END:
    case MST_COUNT_SENTINEL: return MST_OK;
    }
    bool padded = field->mode == MST_COUNT_FIXED && field->kind == MST_KIND_CHAR8 && count <= required;
    if (count == required || padded)
        return MST_OK;
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)required);
    snprintf(found, sizeof found, "%llu", (unsigned long long)count);
    return mst_encode_fail(e, MST_ARGUMENT, NULL, "the number of elements is wrong", expected, found);
}

mst_status mst_put_bytes(mst_encoder *e, const mst_field *field, const uint32_t *context, const void *bytes,
                         size_t size) {
    unsigned width = mst_kind_width[field->kind];
    mst_status status = mst_put_count(e, field, context, size / width);
    if (status != MST_OK)
        return status;
    bool padded = field->mode == MST_COUNT_FIXED && field->kind == MST_KIND_CHAR8;
    uint64_t total = padded ? field->count : size;
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_VALUE, field, total);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL, NULL);
    if (size)
        memcpy(target, bytes, size);
    if (total > size)
        memset(target + size, 0, (size_t)total - size);
    return MST_OK;
}

/* Sets bit 7 of the bytes written since `from`. */
static void set_high(mst_encoder *e, const mst_field *field, size_t from) {
    for (size_t i = from; (field->flags & MST_FIELD_HIGH) && i < e->out->size; i++)
        e->out->data[i] |= 0x80;
}

/* A text with its terminating NUL. */
static mst_status put_text_element(mst_encoder *e, const mst_field *field, const uint32_t *context,
                                   const mst_json_node *node) {
    if (memchr(node->text, 0, node->length))
        return mst_encode_fail(e, MST_ARGUMENT, NULL, "the text must not contain NUL", NULL, NULL);
    mst_status status = mst_put_count(e, field, context, (uint64_t)node->length + 1);
    if (status != MST_OK)
        return status;
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_VALUE, field, (uint64_t)node->length + 1);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL, NULL);
    if (node->length)
        memcpy(target, node->text, node->length);
    target[node->length] = 0;
    return MST_OK;
}

mst_status mst_put_json_bytes(mst_encoder *e, const mst_field *field, const uint32_t *context, uint32_t at) {
    const mst_json_node *nodes = e->request->source.json, *node = &nodes[at], *hex = NULL;
    unsigned width = mst_kind_width[field->kind];
    bool raw = raw_text(nodes, at, &hex);
    if (!raw && field->kind == MST_KIND_RAW && node->kind == MST_JSON_STRING)
        hex = node;
    if (raw && !hex->length && mst_is_text(field) && field->mode == MST_COUNT_DATA_SET)
        return mst_put_empty_element(e, field);
    if (hex) {
        mst_status status = mst_put_count(e, field, context, hex->length / 2 / width);
        if (status != MST_OK)
            return status;
        bool padded = field->mode == MST_COUNT_FIXED && field->kind == MST_KIND_CHAR8;
        uint64_t size = padded ? field->count : hex->length / 2;
        bool complete = hex->length % (2 * width) == 0;
        uint8_t *target = complete ? mst_encode_reserve(e, MST_SPAN_VALUE, field, size) : NULL;
        if (complete && !target)
            return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL,
                                   NULL);
        if (target)
            memset(target, 0, (size_t)size);
        if (!target || !mst_read_hex(hex->text, hex->length, target))
            return mst_encode_fail(e, MST_ARGUMENT, NULL, "the bytes are not pairs of hexadecimal digits",
                                   NULL, NULL);
        return MST_OK;
    }
    if (node->kind == MST_JSON_NULL && field->mode == MST_COUNT_DATA_SET)
        return mst_put_count(e, field, context, 0);
    if (node->kind != MST_JSON_STRING)
        return mst_encode_fail(e, MST_ARGUMENT, NULL, "the value does not fit the field", "a string",
                               mst_kind_of_json(node));
    if (field->kind == MST_KIND_CHAR8 && field->mode == MST_COUNT_DATA_SET)
        return put_text_element(e, field, context, node);
    if (field->kind == MST_KIND_CHAR8) {
        size_t from = e->out->size + (field->mode == MST_COUNT_PREFIX ? mst_kind_width[field->prefix] : 0);
        for (size_t i = 0; (field->flags & MST_FIELD_HIGH) && i < node->length; i++)
            if ((unsigned char)node->text[i] > 0x7F)
                return mst_encode_fail(e, MST_ARGUMENT, NULL, "the text must be ASCII", NULL, NULL);
        mst_status status = mst_put_bytes(e, field, context, node->text, node->length);
        if (status == MST_OK)
            set_high(e, field, from);
        return status;
    }
    if (!mst_utf8_valid(node->text, node->length)) /* only literal text of an edit: JSON has been checked */
        return mst_encode_fail(e, MST_ARGUMENT, NULL, "the text is not UTF-8", NULL, NULL);
    size_t units = mst_utf8_length_as_utf16(node->text, node->length);
    mst_status status = mst_put_count(e, field, context, units);
    if (status != MST_OK)
        return status;
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_VALUE, field, (uint64_t)units * 2);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, field->name, "not enough memory for the bytes", NULL, NULL);
    mst_utf8_to_utf16(node->text, node->length, mst_encodes_big(e, field), target);
    return MST_OK;
}
