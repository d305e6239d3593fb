/* SPDX-License-Identifier: MIT */
/*
 * Fills records of a sample with distinct bytes, and compares what is read with the lists of
 * test_*_fields.c: the offset and length of each field, and the number that its bytes make.
 */
#ifndef MST_TESTS_VALUES_H
#define MST_TESTS_VALUES_H

#include "fields.h"

typedef struct record_place {
    const char *record, *path; /* NULL: the end */
    const char *little;        /* a field that is always little-endian */
} record_place;

/* The width and number of a type's elements; false if its size is not fixed. */
static inline bool plain_type(const char *type, char *kind, unsigned *width, unsigned *count) {
    const char *at = type;
    *count = 1;
    *width = 1;
    *kind = 'b';
    if (strncmp(type, "bool (", 6) == 0) {
        *kind = 'u';
        *width = (unsigned)strtoul(type + 7, NULL, 10) / 8;
        return true;
    }
    if (strncmp(type, "bytes[", 6) == 0 || strncmp(type, "char[", 5) == 0) {
        at = strchr(type, '[');
    } else {
        char *end;
        *kind = type[0];
        *width = (unsigned)strtoul(type + 1, &end, 10) / 8;
        if (!strchr("uif", *kind) || *width == 0)
            return false;
        at = end;
    }
    if (*at == '[') {
        char *end;
        *count = (unsigned)strtoul(at + 1, &end, 10);
        return *end == ']' && end[1] == 0;
    }
    return *at == 0;
}

static inline uint64_t number_of_bytes(const uint8_t *bytes, unsigned width, bool big) {
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number = number << 8 | bytes[big ? i : width - 1 - i];
    return number;
}

static inline void assert_number_of_bytes(const mst_value *value, const uint8_t *bytes, char kind,
                                          unsigned width, bool big) {
    uint64_t wanted = number_of_bytes(bytes, width, big), number;
    int64_t with_sign;
    double real;
    if (kind == 'f') {
        MUST(mst_get_real(value, &real), NULL);
        assert_int_equal(mst_value_type(value), MST_TYPE_REAL);
        assert_int_equal(mst_bits_of_f32((float)real), wanted);
    } else if (kind == 'u') {
        MUST(mst_get_unsigned(value, &number), NULL);
        assert_int_equal(number, wanted);
    } else {
        MUST(mst_get_integer(value, &with_sign), NULL);
        if (bytes[big ? 0 : width - 1] & 0x80)
            wanted |= ~(uint64_t)0 << (8 * width - 1);
        assert_int_equal((uint64_t)with_sign, wanted);
    }
}

/* The index of the row after "= record"; fails if there is none. */
static inline size_t rows_of(const char *const *rows, size_t count, const char *record) {
    size_t length = strlen(record);
    for (size_t i = 0; i < count; i++)
        if (strncmp(rows[i], "= ", 2) == 0 && strncmp(rows[i] + 2, record, length) == 0 &&
            (rows[i][2 + length] == 0 || rows[i][2 + length] == ' '))
            return i + 1;
    print_error("the list has no %s\n", record);
    fail();
    return 0;
}

static inline mst_document *open_format(const char *format, const void *bytes, size_t size) {
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, size, &(mst_open_options){.format = format}, &document, &why), &why);
    return document;
}

static inline void assert_record_values(const char *format, const char *const *rows, size_t count,
                                        const record_place *place, uint8_t *file, size_t size, bool big) {
    mst_document *document = open_format(format, file, size);
    mst_value record, value, element;
    mst_diagnostic why;
    uint64_t start, length, offset, bytes;
    MUST(mst_find(mst_root(document), place->path, &record, &why), &why);
    mst_value_span(&record, &start, &length);
    mst_close(document);
    assert_true(start + length <= size);
    /* no byte is 0xFF or 0x7F, so that no float is NaN or infinite */
    for (uint64_t i = 0; i < length; i++)
        file[start + i] = (uint8_t)(0x80 + (i * 29 + 7) % 0x60);
    document = open_format(format, file, size);
    MUST(mst_find(mst_root(document), place->path, &record, &why), &why);
    uint64_t at = start;
    for (size_t row = rows_of(rows, count, place->record); row < count && rows[row][0] != '='; row++) {
        char copy[2048], kind;
        const char *parts[4];
        unsigned width, elements;
        cut_line(rows[row], copy, sizeof copy, parts);
        assert_true(plain_type(parts[1], &kind, &width, &elements));
        MUST(mst_member(&record, parts[0], &value), NULL);
        mst_value_span(&value, &offset, &bytes);
        if (offset != at || bytes != (uint64_t)width * elements)
            print_error("%s %s.%s: %llu + %llu, not %llu + %u\n", format, place->record, parts[0],
                        (unsigned long long)offset, (unsigned long long)bytes, (unsigned long long)at,
                        width * elements);
        assert_int_equal(offset, at);
        assert_int_equal(bytes, width * elements);
        assert_true(offset + bytes <= size);
        bool order = big && !(place->little && strcmp(place->little, parts[0]) == 0);
        bool is_list = strchr(parts[1], '[') != NULL;
        for (unsigned i = 0; i < elements && kind != 'b'; i++) {
            if (is_list) {
                assert_int_equal(mst_count(&value), elements);
                MUST(mst_element(&value, i, &element), NULL);
            }
            assert_number_of_bytes(is_list ? &element : &value, file + at + (size_t)i * width, kind, width,
                                   order);
        }
        at += bytes;
    }
    assert_int_equal(at - start, length);
    mst_close(document);
}

/* The sample `name`, made from its JSON; NULL if this build reads no JSON. */
static inline uint8_t *sample_file(const char *name, const char *byte_order, size_t *size) {
    char path[128];
    size_t length;
    mst_document *document, *other;
    mst_diagnostic why;
    snprintf(path, sizeof path, "samples/%s.json", name);
    char *text = (char *)read_whole(path, &length);
    assert_non_null(text);
    mst_status status = mst_open_json(text, length, NULL, &document, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        return NULL;
    MUST(status, &why);
    if (byte_order) {
        mst_convert_options options = {.byte_order = byte_order, .allow_loss = 1};
        MUST(mst_convert(document, &options, NULL, NULL, &other, &why), &why);
        mst_close(document);
        document = other;
    }
    const void *bytes = mst_document_file(document, 0, NULL, size);
    uint8_t *copy = malloc(*size);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    mst_close(document);
    return copy;
}

static inline void assert_values(const char *format, const char *const *rows, size_t count,
                                 const char *sample, const char *byte_order, const record_place *places) {
    size_t size;
    uint8_t *file = sample_file(sample, byte_order, &size);
    bool big = byte_order && strcmp(byte_order, "big") == 0;
    if (!file) {
        skip();
        return;
    }
    for (; places->record; places++) {
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, file, size);
        assert_record_values(format, rows, count, places, copy, size, big);
        free(copy);
    }
    free(file);
}

#endif
