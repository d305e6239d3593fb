/* SPDX-License-Identifier: MIT */
/* Contact sheets: the position, size and background of each picture. */
#include "../src/export/sheet.h"
#include "../src/read/opened.h"
#include "support.h"

static mst_pixels plain(uint32_t width, uint32_t height, uint8_t *data, const uint8_t color[4]) {
    for (size_t i = 0; i < (size_t)width * height; i++)
        memcpy(data + 4 * i, color, 4);
    return (mst_pixels){.width = width, .height = height, .data = data};
}

static void is_color(const mst_pixels *sheet, uint32_t x, uint32_t y, const uint8_t rgb[3]) {
    assert_memory_equal(sheet->data + 4 * ((size_t)y * sheet->width + x), rgb, 3);
    assert_int_equal(sheet->data[4 * ((size_t)y * sheet->width + x) + 3], 255);
}

typedef struct collected {
    uint8_t *data;
    size_t size, room;
} collected;

static mst_status append(void *user, const void *bytes, size_t size) {
    collected *to = user;
    if (size > to->room - to->size)
        return MST_IO;
    memcpy(to->data + to->size, bytes, size);
    to->size += size;
    return MST_OK;
}

/* Draws a sheet of five pictures, each in turn. */
static mst_status draw(const mst_sheet_item items[5], collected *to, mst_diagnostic *why) {
    mst_sheet *drawn;
    MUST(mst_sheet_begin(5, 64, (mst_sink){append, to}, &drawn, why), why);
    mst_status status = MST_OK;
    for (size_t i = 0; i < 5 && status == MST_OK; i++)
        status = mst_sheet_add(drawn, &items[i], why);
    if (status == MST_OK)
        assert_int_equal(mst_sheet_add(drawn, items, why), MST_ARGUMENT);
    return mst_sheet_end(drawn, why);
}

/* Squares of 64 with 8 between them and 14 for the names. */
static void pictures_stand_in_rows(void **state) {
    static uint8_t red[4 * 128 * 64], green[4 * 4 * 4], clear[4 * 64 * 64];
    (void)state;
    mst_pixels wide = plain(128, 64, red, (const uint8_t[4]){200, 10, 20, 255}),
               small = plain(4, 4, green, (const uint8_t[4]){10, 200, 20, 255}),
               none = plain(64, 64, clear, (const uint8_t[4]){9, 9, 9, 0}), sheet = {0};
    uint8_t index[4] = {1, 1, 1, 1}, palette[2][4] = {{0}, {1, 2, 250, 255}};
    mst_pixels indexed = {.width = 2, .height = 2, .format = MST_PIXELS_INDEXED8, .data = index};
    indexed.palette = palette;
    indexed.palette_count = 2;
    const mst_sheet_item items[] = {
        {&wide, "wide"}, {&small, "small"}, {&none, NULL}, {NULL, "nothing"}, {&indexed, "indexed"}};
    static uint8_t bytes[1 << 16];
    collected png = {.data = bytes, .room = sizeof bytes};
    mst_diagnostic why;
    mst_status status = draw(items, &png, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    MUST(mst_pixels_read_png(bytes, png.size, &sheet, &why), &why);
    assert_int_equal(sheet.width, 8 + 3 * 72);
    assert_int_equal(sheet.height, 8 + 2 * 86);
    /* twice as wide as high: it fills the width of its square, and half of the height */
    is_color(&sheet, 8, 8 + 16, (const uint8_t[3]){200, 10, 20});
    is_color(&sheet, 8 + 63, 8 + 47, (const uint8_t[3]){200, 10, 20});
    is_color(&sheet, 8, 8 + 15, (const uint8_t[3]){40, 46, 58});
    is_color(&sheet, 8, 8 + 48, (const uint8_t[3]){40, 46, 58});
    /* enlarged 16 times */
    is_color(&sheet, 80, 8, (const uint8_t[3]){10, 200, 20});
    is_color(&sheet, 80 + 63, 8 + 63, (const uint8_t[3]){10, 200, 20});
    /* transparent: a pattern is visible */
    is_color(&sheet, 152, 8, (const uint8_t[3]){128, 128, 128});
    is_color(&sheet, 160, 8, (const uint8_t[3]){96, 96, 96});
    /* empty; 32 times would fit, 16 are used */
    is_color(&sheet, 8, 94, (const uint8_t[3]){40, 46, 58});
    is_color(&sheet, 80 + 15, 94 + 32, (const uint8_t[3]){40, 46, 58});
    is_color(&sheet, 80 + 16, 94 + 32, (const uint8_t[3]){1, 2, 250});
    /* a name is written in light pixels below its square */
    bool written = false;
    for (uint32_t x = 8; x < 72; x++)
        for (uint32_t y = 72; y < 86; y++)
            written = written || sheet.data[4 * ((size_t)y * sheet.width + x)] > 200;
    assert_true(written);
    mst_pixels_free(&sheet);
}

/* Wherever writing fails, the sheet reports it. */
static void sheets_that_cannot_be_written(void **state) {
    static uint8_t color[4 * 8 * 8], whole_bytes[1 << 16], bytes[1 << 16];
    (void)state;
    mst_pixels picture = plain(8, 8, color, (const uint8_t[4]){200, 10, 20, 255});
    const mst_sheet_item items[] = {
        {&picture, "a"}, {NULL, "b"}, {&picture, "c"}, {&picture, NULL}, {NULL, NULL}};
    collected whole = {.data = whole_bytes, .room = sizeof whole_bytes};
    mst_diagnostic why;
    mst_status status = draw(items, &whole, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    for (size_t room = 0; room <= sizeof bytes; room = room ? 2 * room : 1) {
        collected rows = {.data = bytes, .room = room};
        status = draw(items, &rows, &why);
        assert_int_equal(status, room < whole.size ? MST_IO : MST_OK);
        if (status == MST_OK) {
            assert_int_equal(rows.size, whole.size);
            assert_memory_equal(bytes, whole_bytes, whole.size);
        }
    }
}

static void sheets_begin_with_limits(void **state) {
    static uint8_t bytes[1 << 16];
    (void)state;
    collected to = {.data = bytes, .room = sizeof bytes};
    const mst_sink sink = {append, &to};
    mst_sheet *drawn;
    mst_diagnostic why;
    assert_int_equal(mst_sheet_begin(5, 8192, sink, &drawn, &why), MST_REFUSED);
    assert_null(drawn);
    assert_int_equal(mst_sheet_begin(5, 31, sink, &drawn, &why), MST_ARGUMENT);
    assert_int_equal(mst_sheet_begin(5, 8193, sink, &drawn, &why), MST_ARGUMENT);
    assert_int_equal(mst_sheet_begin(5, 64, sink, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_sheet_begin(SIZE_MAX, 64, sink, &drawn, &why), MST_REFUSED);
    MUST(mst_sheet_begin(5, 64, sink, &drawn, &why), &why);
    assert_int_equal(mst_sheet_add(drawn, NULL, &why), MST_ARGUMENT);
    MUST(mst_sheet_end(drawn, &why), &why);
    assert_int_equal(to.size, 0); /* a sheet without a picture */
}

/* The format decides whether a file can be drawn. */
static void formats_are_drawn(void **state) {
    (void)state;
    size_t drawn = 0;
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_format_information *format = mst_format_at(i);
        drawn += mst_format_is_drawn(format) != 0;
        if (!strcmp(format->id, "ns2-level") || !strcmp(format->id, "revenant-sector"))
            assert_true(mst_format_is_drawn(format));
        if (!strcmp(format->id, "revenant-def"))
            assert_false(mst_format_is_drawn(format));
    }
    assert_in_range(drawn, 1, mst_format_count() - 1);
}

int test_sheet(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_stand_in_rows), cmocka_unit_test(sheets_that_cannot_be_written),
        cmocka_unit_test(sheets_begin_with_limits), cmocka_unit_test(formats_are_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
