/* SPDX-License-Identifier: MIT */
/* Cubemaps of reflection probes in Natural Selection 2 levels, from bytes that tests/ns2_level.h writes. */
#include "ns2_level.h"
#include "thorough.h"
#include <mapstone/image.h>

/* The level's cubemap is in objects[4]: pixels grow redder to the right, greener downwards, and every side is
 * bluer than the one before. */
static mst_document *open_cubemap(writer *w) {
    level_plan plan = {.cubemap = true};
    write_level(w, &plan);
    return open_named(w, NULL);
}

static void every_byte_is_understood(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = open_cubemap(&w);
    assert_marks(document, &w);
    assert_round_trips(document);
    mst_ledger ledger;
    mst_diagnostic why;
    MUST(mst_byte_coverage(document, &ledger, &why), &why);
    assert_int_equal(ledger.bytes[MST_BYTES_RAW], 0);
    findings list = {0};
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(document, &options, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
}

/* JSON has a line for every row of pixels. */
static void lines_of_json(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = open_cubemap(&w);
    mst_value extra;
    mst_diagnostic why;
    mst_buffer text = {0};
    MUST(mst_find(mst_root(document), "objects[4].extras[0]", &extra, &why), &why);
    MUST(mst_write_json(&extra, NULL, mst_buffer_sink(&text), &why), &why);
    size_t longest = 0, length = 0, rows = 0;
    for (size_t i = 0; i < text.size; i++) {
        length = text.data[i] == '\n' ? 0 : length + 1;
        rows += length == 512; /* digits, surrounded by blanks and quotes */
        longest = length > longest ? length : longest;
    }
    assert_int_equal(rows, 6 * 64);
    assert_true(longest < 540);
    free(text.data);
    mst_close(document);
    writer_free(&w);
}

static void sides_as_pictures(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = open_cubemap(&w);
    assert_int_equal(mst_image_count(document), 6);
    for (unsigned side = 0; side < 6; side++) {
        mst_pixels pixels = {0};
        mst_diagnostic why;
        char name[MST_IMAGE_NAME], expected[MST_IMAGE_NAME];
        MUST(mst_image_read(document, side, 0, NULL, &pixels, name, &why), &why);
        snprintf(expected, sizeof expected, "probe_4_side_%u", side);
        assert_string_equal(name, expected);
        assert_int_equal(pixels.width, 64);
        assert_int_equal(pixels.height, 64);
        assert_int_equal(pixels.format, MST_PIXELS_RGBA8);
        /* sRGB of 0, 40, 80, 120, 160 and 200 parts in 256 of light; 4, 128 and 252 are 34, 188 and 253 */
        static const uint8_t blues[6] = {0, 110, 152, 182, 207, 229};
        const uint8_t *row = pixels.data + 64 * 4 * 32;
        assert_memory_equal(row, ((uint8_t[4]){0, 188, blues[side], 255}), 4);
        assert_memory_equal(row + 4, ((uint8_t[4]){34, 188, blues[side], 255}), 4);
        assert_memory_equal(row + 4 * 32, ((uint8_t[4]){188, 188, blues[side], 255}), 4);
        assert_memory_equal(row + 4 * 63, ((uint8_t[4]){253, 188, blues[side], 255}), 4);
        assert_memory_equal(pixels.data + 64 * 4 * 63 + 4, ((uint8_t[4]){34, 253, blues[side], 255}), 4);
        mst_pixels_free(&pixels);
    }
    mst_pixels pixels = {0};
    assert_int_equal(mst_image_read(document, 6, 0, NULL, &pixels, NULL, NULL), MST_ARGUMENT);
    mst_close(document);
    writer_free(&w);
}

/* The exponent: of a half, of a too bright value, and of zero. */
static void exponents(void **state) {
    (void)state;
    static const struct {
        uint8_t stored[4], shown[3];
    } cases[] = {
        {{128, 64, 255, 127}, {137, 99, 187}}, {{128, 64, 255, 129}, {255, 188, 255}},
        {{128, 64, 1, 136}, {255, 255, 255}},  {{128, 64, 0, 255}, {255, 255, 0}},
        {{128, 64, 255, 0}, {0, 0, 0}},        {{255, 255, 255, 1}, {0, 0, 0}},
    };
    writer w = {0};
    mst_document *document = open_cubemap(&w);
    mst_close(document);
    size_t at = mark_of(&w, "objects[4].extras[0].cubemap[2][7]")->offset;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        memcpy(w.data + at + 4 * i, cases[i].stored, 4);
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    mst_pixels pixels = {0};
    MUST(mst_image_read(document, 2, 0, NULL, &pixels, NULL, &why), &why);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_memory_equal(pixels.data + 4 * (64 * 7 + i), cases[i].shown, 3);
        assert_int_equal(pixels.data[4 * (64 * 7 + i) + 3], 255);
    }
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
}

/* Values brighter than a picture can represent would be lost. */
static void pictures_are_not_put_back(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = open_cubemap(&w);
    mst_pixels pixels = {0};
    mst_diagnostic why;
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), &why);
    assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
    assert_false(mst_is_edited(document));
    assert_true(why.message[0] != 0);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
}

/* A second cubemap of one entity, extras of another name or size, and levels and clipboards without any. */
static void other_extras(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = open_cubemap(&w);
    mst_value extra;
    mst_diagnostic why;
    mst_buffer text = {0};
    char name[MST_IMAGE_NAME];
    MUST(mst_find(mst_root(document), "objects[4].extras[0]", &extra, &why), &why);
    MUST(mst_write_json(&extra, NULL, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    mst_status status = mst_insert(document, "objects[4].extras[1]", (const char *)text.data, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        MUST(mst_insert(document, "objects[9].extras[0]", (const char *)text.data, &why), &why);
        assert_int_equal(mst_image_count(document), 18);
        static const char *const names[] = {"probe_4_side_5", "probe_4_1_0", "probe_4_1_5", "probe_9_side_0"};
        static const size_t indices[] = {5, 6, 11, 12};
        for (size_t i = 0; i < 4; i++) {
            mst_pixels pixels = {0};
            MUST(mst_image_read(document, indices[i], 0, NULL, &pixels, name, &why), &why);
            assert_string_equal(name, names[i]);
            mst_pixels_free(&pixels);
        }
        assert_round_trips(document);
        /* the same number of bytes under another name are bytes; so are more of them */
        MUST(mst_set(document, "objects[4].extras[0].name", "\"Reflection_probe_cubemap\"", &why), &why);
        mst_value data;
        MUST(mst_find(mst_root(document), "objects[4].extras[0].data", &data, &why), &why);
        MUST(mst_set(document, "objects[9].extras[0].data", "\"00\"", &why), &why);
        assert_int_equal(mst_image_count(document), 6);
        assert_round_trips(document);
        findings list = {0};
        MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, "NS2-EXTRA-SIZE");
        assert_string_equal(list.items[0].found, "98305");
        findings_free(&list);
    }
    free(text.data);
    mst_close(document);
    writer_free(&w);
    for (unsigned version = 9; version <= 10; version++) {
        level_plan plan = {.version = version, .everything = true};
        write_level(&w, &plan);
        MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
        assert_int_equal(mst_image_count(document), 0);
        mst_close(document);
        writer_free(&w);
    }
}

/* Whichever request for memory is refused. */
static void refused_memory(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {.cubemap = true};
    write_level(&w, &plan);
    counted c = {0};
    mst_open_options open = {.size = sizeof open, .allocator = counted_allocator(&c)};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, &open, &document, &why), &why);
    mst_pixels pixels = {.allocator = counted_allocator(&c)};
    c.fail_at = c.calls + 1;
    assert_int_equal(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), MST_NO_MEMORY);
    assert_int_equal(why.status, MST_NO_MEMORY);
    assert_null(pixels.data);
    c.fail_at = 0;
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), &why);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
}

int test_ns2_images(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_understood),
        cmocka_unit_test(lines_of_json),
        cmocka_unit_test(sides_as_pictures),
        cmocka_unit_test(exponents),
        cmocka_unit_test(pictures_are_not_put_back),
        cmocka_unit_test(other_extras),
        cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
