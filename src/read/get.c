/* SPDX-License-Identifier: MIT */
/* The contents of values: numbers, names, bytes and texts. */
#include "../core/number.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "engine.h"
#include <math.h>

bool mst_single_of(const mst_value *value, mst_value *one) {
    *one = *value;
    while (mst_shape_of(one) != MST_SHAPE_ONE) {
        if (mst_count(one) != 1)
            return false;
        mst_value list = *one;
        if (mst_element(&list, 0, one) != MST_OK) /* a slice of a field that this element lacks */
            return false;
    }
    return true;
}

/* The scalar that the value, or its only element, is; a caller that does not need a number passes the
 * value. */
static mst_status scalar(const mst_value *value, const void *number, const mst_field **field,
                         uint64_t *bits) {
    mst_value one;
    if (!number || mst_is_void(value) || !mst_single_of(value, &one))
        return MST_ARGUMENT;
    *field = mst_field_of(&one);
    if (!mst_is_number(*field))
        return MST_ARGUMENT;
    *bits = mst_scalar_of(&one);
    return MST_OK;
}

static double real_of(const mst_field *field, uint64_t bits) {
    if (field->kind == MST_KIND_F32)
        return (double)mst_f32_of_bits((uint32_t)bits);
    if (field->kind == MST_KIND_F64)
        return mst_f64_of_bits(bits);
    return mst_is_signed(field->kind) ? (double)(int64_t)bits : (double)bits;
}

static mst_status integer_of(const mst_field *field, uint64_t bits, int64_t *number) {
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64) {
        double real = real_of(field, bits);
        if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0) || real != floor(real))
            return MST_ARGUMENT;
        *number = (int64_t)real;
        return MST_OK;
    }
    if (!mst_is_signed(field->kind) && bits > INT64_MAX)
        return MST_ARGUMENT;
    *number = (int64_t)bits;
    return MST_OK;
}

mst_status mst_get_integer(const mst_value *value, int64_t *number) {
    const mst_field *field;
    uint64_t bits;
    mst_status status = scalar(value, number, &field, &bits);
    return status == MST_OK ? integer_of(field, bits, number) : status;
}

mst_status mst_get_unsigned(const mst_value *value, uint64_t *number) {
    const mst_field *field;
    uint64_t bits;
    mst_status status = scalar(value, number, &field, &bits);
    if (status != MST_OK)
        return status;
    if (field->flags & MST_FIELD_FLAGS)
        bits &= mst_bits_in(field);
    if ((field->flags & MST_FIELD_FLAGS) || (!mst_is_signed(field->kind) && field->kind < MST_KIND_F32)) {
        *number = bits;
        return MST_OK;
    }
    int64_t with_sign;
    if (integer_of(field, bits, &with_sign) != MST_OK || with_sign < 0)
        return MST_ARGUMENT;
    *number = (uint64_t)with_sign;
    return MST_OK;
}

mst_status mst_get_real(const mst_value *value, double *number) {
    const mst_field *field;
    uint64_t bits;
    mst_status status = scalar(value, number, &field, &bits);
    if (status == MST_OK)
        *number = real_of(field, bits);
    return status;
}

const char *mst_name_of_number(const mst_enum *names, int64_t value) {
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].value == value)
            return names->items[i].name;
    return NULL;
}

const char *mst_get_name(const mst_value *value) {
    const mst_field *field;
    uint64_t bits;
    if (scalar(value, value, &field, &bits) != MST_OK || !field->names || (field->flags & MST_FIELD_FLAGS))
        return NULL;
    return mst_name_of_number(field->names, (int64_t)bits);
}

mst_status mst_get_bytes(const mst_value *value, const void **bytes, size_t *size) {
    if (!bytes || !size || mst_is_void(value))
        return MST_ARGUMENT;
    mst_value one;
    if (!mst_single_of(value, &one))
        return MST_ARGUMENT;
    const mst_field *field = mst_field_of(&one);
    if (!mst_is_text(field) && field->kind != MST_KIND_RAW)
        return MST_ARGUMENT;
    mst_shape shape = mst_shape_of_list(&one);
    *bytes = one.document->data + one.offset + shape.prefix;
    *size = (size_t)(shape.count * shape.element);
    if (field->kind == MST_KIND_CHAR8 && field->mode == MST_COUNT_FIXED)
        while (*size && ((const uint8_t *)*bytes)[*size - 1] == 0)
            --*size;
    return MST_OK;
}

bool mst_low_text(const uint8_t *bytes, size_t size, char *text, size_t capacity, size_t *length) {
    if (size > capacity)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < 0x80)
            return false;
        text[i] = (char)(bytes[i] & 0x7F);
    }
    *length = size;
    return true;
}

mst_status mst_get_text(const mst_value *value, char *text, size_t capacity, size_t *length) {
    if ((!text && capacity) || mst_is_void(value))
        return MST_ARGUMENT;
    const void *bytes = "";
    size_t size = 0;
    if (capacity)
        text[0] = 0;
    mst_value one;
    if (!mst_single_of(value, &one) || !mst_is_text(mst_field_of(&one)))
        return MST_ARGUMENT;
    mst_get_bytes(&one, &bytes, &size); /* cannot fail for text */
    if (mst_field_of(&one)->mode == MST_COUNT_DATA_SET && size && ((const char *)bytes)[size - 1] == 0)
        size--;
    char narrow[256];
    if (mst_field_of(&one)->flags & MST_FIELD_HIGH) {
        if (mst_low_text(bytes, size, narrow, sizeof narrow, &size)) {
            while (mst_field_of(&one)->mode == MST_COUNT_FIXED && size && narrow[size - 1] == 0)
                size--;
            bytes = narrow;
        }
    }
    if (mst_field_of(&one)->kind == MST_KIND_CHAR8) {
        /* without valid UTF-8, each byte above 0x7F becomes U+FFFD (three bytes) */
        size_t out = 0, total = 0;
        const char *p = bytes;
        bool valid = mst_utf8_valid(p, size);
        if (valid && size < capacity) {
            memcpy(text, p, size);
            out = total = size;
        }
        for (size_t i = total; i < size; i++) {
            bool bad = !valid && (uint8_t)p[i] >= 0x80;
            const char *piece = bad ? "\xEF\xBF\xBD" : p + i;
            size_t n = bad ? 3 : 1;
            if (out == total && total + n < capacity) {
                memcpy(text + out, piece, n);
                out += n;
            }
            total += n;
        }
        if (capacity) {
            if (valid)
                out = mst_utf8_cut(p, size, out);
            text[out] = 0;
        }
        if (length)
            *length = total;
        return MST_OK;
    }
    bool big = mst_field_big(one.document, mst_field_of(&one));
    size_t out = 0, total = 0, units = size / 2;
    for (size_t i = 0; i < units;) {
        char piece[8];
        size_t n = 1;
        uint16_t unit = mst_load16((const uint8_t *)bytes + 2 * i, big);
        if (unit >= 0xD800 && unit < 0xDC00 && i + 1 < units) {
            uint16_t low = mst_load16((const uint8_t *)bytes + 2 * i + 2, big);
            n = low >= 0xDC00 && low < 0xE000 ? 2 : 1;
        }
        size_t made = mst_utf16_to_utf8((const uint8_t *)bytes + 2 * i, n, big, piece);
        if (out == total && total + made < capacity) {
            memcpy(text + out, piece, made);
            out += made;
        }
        total += made;
        i += n;
    }
    if (capacity)
        text[out] = 0;
    if (length)
        *length = total;
    return MST_OK;
}
