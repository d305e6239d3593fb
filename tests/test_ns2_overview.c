/* SPDX-License-Identifier: MIT */
/* Heights of overviews of Natural Selection 2, from bytes written by the description: 3 x 2 of them. */
#include "fixtures.h"
#include "thorough.h"
#include <mapstone/image.h>

static mst_document *open_overview(writer *w) {
    mst_document *document = NULL;
    mst_diagnostic why;
    fixture_ns2_overview(w);
    MUST(mst_open_memory(w->data, w->size, NULL, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, "ns2-overview");
    return document;
}

static double number(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    double real = 0;
    int64_t integer = 0;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    if (mst_get_real(&value, &real) != MST_OK) {
        MUST(mst_get_integer(&value, &integer), &why);
        real = (double)integer;
    }
    return real;
}

static void numbers(void **state) {
    (void)state;
    static const struct {
        const char *path;
        double value;
    } wanted[] = {{"version", 1},        {"width", 3},          {"height", 2},
                  {"origin[0]", 13.5},   {"origin[2]", 5},      {"half_extents[1]", 7.5},
                  {"camera_height", 22}, {"heights[0]", 65535}, {"heights[3]", 15291},
                  {"heights[5]", 50242}};
    writer w = {0};
    mst_document *document = open_overview(&w);
    assert_int_equal(w.size, 40 + 2 * 3 * 2);
    assert_round_trips(document);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_true(number(document, wanted[i].path) == wanted[i].value);
    mst_close(document);
    writer_free(&w);
}

/* Two of the six are empty. The picture itself shows which. */
static void as_a_picture(void **state) {
    (void)state;
    static const uint8_t shown[6][4] = {{0, 0, 0, 0},      {0, 0, 0, 255}, {255, 255, 255, 255},
                                        {59, 59, 59, 255}, {0, 0, 0, 0},   {195, 195, 195, 255}};
    writer w = {0};
    mst_document *document = open_overview(&w);
    mst_pixels pixels = {0};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME];
    assert_int_equal(mst_image_count(document), 1);
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, name, &why), &why);
    assert_string_equal(name, "heights");
    assert_int_equal(pixels.width, 3);
    assert_int_equal(pixels.height, 2);
    assert_memory_equal(pixels.data, shown, sizeof shown);
    MUST(mst_image_replace(document, 0, NULL, &pixels, &why), &why);
    assert_memory_equal(mst_document_bytes(document, NULL), w.data, w.size);
    pixels.data[4]++;
    assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
}

static void expect_damage(const void *bytes, size_t size, uint64_t offset) {
    mst_document *document = NULL;
    mst_diagnostic why;
    assert_int_equal(mst_open_memory(bytes, size, NULL, &document, &why), MST_DAMAGED);
    assert_string_equal(why.code, "HMP-SIZE");
    assert_int_equal(why.offset, offset);
    assert_null(document);
}

static void of_another_length(void **state) {
    (void)state;
    writer w = {0};
    mst_close(open_overview(&w));
    expect_damage(w.data, w.size - 1, 40);
    expect_damage(w.data, 38, 36);
    put_u8(&w, 0);
    expect_damage(w.data, w.size, w.size - 1);
    w.data[6] = 1; /* 65,539 across */
    expect_damage(w.data, w.size, 40);
    memset(w.data + 4, 255, 8); /* their product has more than 64 bits when it is doubled */
    expect_damage(w.data, w.size, 40);
    writer_free(&w);
}

static void without_heights(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document;
    mst_diagnostic why;
    fixture_ns2_overview(&w);
    memset(w.data + 8, 0, 4);
    MUST(mst_open_memory(w.data, 40, NULL, &document, &why), &why);
    assert_int_equal(mst_image_count(document), 0);
    assert_round_trips(document);
    mst_close(document);
    writer_free(&w);
}

static void another_version(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = NULL;
    fixture_ns2_overview(&w);
    w.data[3] = 2;
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &document, NULL), MST_UNKNOWN);
    assert_null(document);
    writer_free(&w);
}

int test_ns2_overview(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),           cmocka_unit_test(as_a_picture),
        cmocka_unit_test(of_another_length), cmocka_unit_test(without_heights),
        cmocka_unit_test(another_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
