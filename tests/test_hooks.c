/* SPDX-License-Identifier: MIT */
/* Hooks of a format with wrong results, and output that is full. */
#include "../src/core/diagnose.h"
#include "../src/files/parsed.h"
#include "odd_formats.h"

/* ---- hooks -------------------------------------------------------------------------------------- */

static size_t pictures_there;

static size_t count_of_pictures(const mst_document *d) {
    (void)d;
    return pictures_there;
}

static void picture_numbers(void **state) {
    (void)state;
    static const mst_images only_counted = {.count = count_of_pictures};
    static const mst_format pictured = {FORMAT(loose, odd_records), .images = &only_counted};
    mst_document d = {.format = &pictured};
    mst_diagnostic why;
    mst_pixels pixels;
    pictures_there = 3;
    assert_int_equal(mst_image_read(&d, 3, 0, NULL, &pixels, NULL, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "there is no image 3");
    assert_string_equal(why.expected, "0..2");
    assert_int_equal(mst_image_read(&d, 3, 0, NULL, &pixels, NULL, NULL), MST_ARGUMENT);
    pictures_there = 0;
    assert_int_equal(mst_image_replace(&d, 0, NULL, &pixels, &why), MST_ARGUMENT);
    assert_string_equal(why.found, "no images");
    assert_int_equal(mst_image_replace(&d, 0, NULL, &pixels, NULL), MST_ARGUMENT);
}

/* Parsing adds one to each byte. Bytes that become 0xFF are not read again. */
static mst_status parse_more(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic) {
    (void)format;
    for (size_t i = 0; i < files[0].size; i++) {
        uint8_t byte = (uint8_t)(files[0].data[i] + 1);
        if (byte == 0xFF) {
            mst_fail(diagnostic, MST_DAMAGED, "a byte that cannot be");
            if (diagnostic)
                MST_SET(diagnostic->code, "T-MAGIC");
            return MST_DAMAGED;
        }
        mst_parsed_from(w, byte, 1, files[0].data + i, 1);
    }
    return w->status;
}

static mst_status serialize_less(const mst_format *format, const uint8_t *bytes, size_t size,
                                 mst_buffer *files, mst_diagnostic *diagnostic) {
    (void)format;
    (void)diagnostic;
    mst_sink sink = mst_buffer_sink(&files[0]);
    mst_status status = MST_OK;
    for (size_t i = 0; i < size && status == MST_OK; i++) {
        uint8_t byte = (uint8_t)(bytes[i] - 1);
        status = sink.write(sink.user, &byte, 1);
    }
    return status;
}

static void serializing(void **state) {
    (void)state;
    static const mst_field all[] = {{.name = "all", RAW_TO_END}};
    static const mst_record pile = {.name = "pile", .index = 0, TABLE(all)};
    static const mst_record *const list[] = {&pile};
    static const mst_format format = {FORMAT(pile, list), .files.count = 1, .files.parse = parse_more,
                                      .files.serialize = serialize_less};
    mst_document *d;
    mst_diagnostic why;
    static const struct {
        const char *bytes;
        size_t size;
        bool good;
    } cases[] = {{"abc", 3, true}, {"", 0, true}, {"a\xFF", 2, false}};
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++)
        for (int reported = 1; reported >= 0; reported--) {
            MUST(open_in(&format, false, cases[i].bytes, cases[i].size, &d, &why), &why);
            mst_status status = mst_serialize(d, reported ? &why : NULL);
            assert_int_equal(status, cases[i].good ? MST_OK : MST_REFUSED);
            if (cases[i].good) {
                size_t size;
                const uint8_t *file = mst_document_file(d, 0, NULL, &size);
                assert_int_equal(size, cases[i].size);
                for (size_t k = 0; k < size; k++)
                    assert_int_equal(file[k], (uint8_t)cases[i].bytes[k] - 1);
                assert_memory_equal(mst_document_bytes(d, &size), cases[i].bytes, cases[i].size);
                mst_place place;
                MUST(mst_place_of(d, 0, cases[i].size, &place), NULL);
                assert_int_equal(place.kind, cases[i].size ? MST_PLACE_FILE : MST_PLACE_MADE);
                assert_int_equal(place.length, cases[i].size);
            } else if (reported) {
                assert_string_equal(why.message, "the files could not be read back");
                assert_string_equal(why.code, "T-MAGIC");
                assert_string_equal(why.found, "a byte that cannot be");
            }
            mst_close(d);
        }
}

/* A destination that is full after this many pieces. */
typedef struct full {
    size_t pieces;
} full;

static mst_status write_full(void *user, const void *data, size_t size) {
    full *f = user;
    (void)data;
    (void)size;
    return f->pieces && f->pieces-- ? MST_OK : MST_IO;
}

static void full_places(void **state) {
    (void)state;
    /* chunks larger than the output's buffer */
    writer w = {0};
    put_u8(&w, 9);
    for (unsigned i = 0; i < 3000; i++)
        put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, (uint16_t)i);
    mst_document *d = open_own(&stream_format, &w);
    static const char *const paths[] = {"", "words", "words[10:2000]"};
    for (size_t i = 0; i < MST_COUNT_OF(paths); i++) {
        mst_value v = value_at(d, paths[i]);
        size_t pieces = 0;
        for (;; pieces++) {
            full f = {pieces};
            mst_diagnostic why;
            mst_status status = mst_write_json(&v, NULL, (mst_sink){write_full, &f}, &why);
            if (status == MST_OK)
                break;
            assert_int_equal(status, MST_IO);
            assert_string_equal(why.message, "the JSON could not be written");
        }
        assert_true(pieces > 1);
    }
    mst_close(d);
    writer_free(&w);
}

int test_hooks(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picture_numbers),
        cmocka_unit_test(serializing),
        cmocka_unit_test(full_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
