/* SPDX-License-Identifier: MIT */
/* Textures of Alien Trilogy: read, replaced, checked. Pages are written byte by byte. */
#include "../src/formats/alien/alien.h"
#include "alien_level.h"
#include "thorough.h"
#include <mapstone/edit.h>
#include <mapstone/image.h>

/* ---- pictures in texture files ----------------------------------------------------------------- */

static mst_document *open_textures(const alien_textures *t, writer *w) {
    write_alien_textures(w, t, false);
    return open_as(w->data, w->size, NULL, NULL);
}

static void test_image_read(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    mst_document *document = open_textures(&t, &w);
    assert_int_equal(mst_image_count(document), 2);
    for (unsigned page = 0; page < 2; page++) {
        mst_pixels pixels = {0};
        mst_diagnostic why;
        char name[MST_IMAGE_NAME];
        MUST(mst_image_read(document, page, 0, NULL, &pixels, name, &why), &why);
        assert_string_equal(name, page ? "page_1" : "page_0");
        assert_int_equal(pixels.width, 256);
        assert_int_equal(pixels.height, 256);
        assert_int_equal(pixels.format, MST_PIXELS_INDEXED8);
        assert_int_equal(pixels.palette_count, 256);
        assert_memory_equal(pixels.data, t.pages[page].pixels, 65536);
        for (unsigned i = 0; i < 256; i++) {
            unsigned parts[3] = {i ? i % 32 : 31, i ? i / 8 : 0, !i || page ? 31 : 3};
            for (unsigned c = 0; c < 3; c++)
                assert_int_equal(pixels.palette[i][c], parts[c] * 8 + parts[c] / 4);
            assert_int_equal(pixels.palette[i][3], i ? 255 : 0);
        }
        mst_pixels_free(&pixels);
    }
    mst_close(document);
    writer_free(&w);
    alien_textures_free(&t);
}

/* Other sizes of pages, and pages that are not pictures. */
static void test_image_shapes(void **state) {
    (void)state;
    static const struct {
        uint16_t width, height;
        size_t size;
        unsigned expected_width, expected_height; /* 0: none */
    } cases[] = {{256, 256, 65536, 256, 256}, {128, 64, 8192, 128, 64}, {128, 64, 8448, 256, 33},
                 {0, 0, 512, 256, 2},         {256, 256, 1000, 0, 0},   {0, 256, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alien_textures t;
        alien_small_textures(&t);
        writer w = {0};
        t.information[0] = cases[i].width;
        t.information[1] = cases[i].height;
        t.pages[1].size = cases[i].size;
        mst_document *document = open_textures(&t, &w);
        mst_pixels pixels = {0};
        mst_diagnostic why;
        mst_status status = mst_image_read(document, 1, 0, NULL, &pixels, NULL, &why);
        assert_int_equal(status, cases[i].expected_width ? MST_OK : MST_DAMAGED);
        if (status == MST_OK) {
            assert_int_equal(pixels.width, cases[i].expected_width);
            assert_int_equal(pixels.height, cases[i].expected_height);
        } else {
            assert_string_equal(why.path, "pages[1]");
        }
        mst_pixels_free(&pixels);
        assert_round_trips(document);
        mst_close(document);
        writer_free(&w);
        alien_textures_free(&t);
    }
}

static bool replaced(mst_document *document, size_t index, const mst_pixels *pixels) {
    mst_diagnostic why;
    mst_status status = mst_image_replace(document, index, NULL, pixels, &why);
    if (status == MST_UNSUPPORTED)
        return false; /* a build that cannot read JSON */
    MUST(status, &why);
    return true;
}

static void test_image_replace(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    t.pages[1].palette[200] = t.pages[1].palette[100]; /* one colour twice */
    mst_document *document = open_textures(&t, &w);
    mst_pixels pixels = {0};
    mst_diagnostic why;
    MUST(mst_image_read(document, 1, 0, NULL, &pixels, NULL, &why), &why);
    /* the same pixels are not an edit, by index or by colour */
    assert_true(replaced(document, 1, &pixels));
    assert_false(mst_is_edited(document));
    uint8_t *colors = malloc(4 * 65536);
    assert_non_null(colors);
    for (size_t i = 0; i < 65536; i++)
        memcpy(colors + 4 * i, pixels.palette[pixels.data[i]], 4);
    mst_pixels real = {.width = 256, .height = 256, .data = colors};
    assert_true(replaced(document, 1, &real));
    assert_false(mst_is_edited(document));

    /* indices of equal colours stay; if two indices have the colour, the old one stays */
    pixels.data[0] = 200;
    pixels.data[1] = 100;
    pixels.data[300] = 0;
    if (!replaced(document, 1, &pixels)) {
        free(colors);
        mst_pixels_free(&pixels);
        mst_close(document);
        writer_free(&w);
        alien_textures_free(&t);
        skip();
        return;
    }
    assert_true(mst_is_edited(document));
    uint8_t *expected = malloc(w.size);
    assert_non_null(expected);
    memcpy(expected, w.data, w.size);
    uint8_t *page = expected + mark_of(&w, "pages[1].pixels")->offset;
    page[0] = 200;
    page[1] = 100;
    page[300] = 0;
    assert_same_bytes(document, expected, w.size);

    /* by colour: the nearest in five bits; transparent is 0; the first of two equal colours */
    static const uint8_t put_there[4][4] = {
        {113, 7, 253, 128}, {1, 2, 3, 127}, {33, 99, 255, 255}, {33, 99, 255, 255}};
    memcpy(colors + 4 * 0, pixels.palette[200], 4); /* the current state */
    memcpy(colors + 4 * 1, pixels.palette[100], 4);
    memcpy(colors + 4 * 300, pixels.palette[0], 4);
    memcpy(colors + 4 * 1000, put_there, sizeof put_there);
    assert_true(replaced(document, 1, &real));
    page[1000] = 14; /* 113 is nearest to 14 of 31, 7 to 1, 253 to 31 */
    page[1001] = 0;
    page[1002] = page[1003] = 100; /* 4, 12, 31 */
    assert_same_bytes(document, expected, w.size);
    assert_round_trips(document);

    /* indices of another palette are matched by their colours */
    memset(pixels.palette, 0, 256 * sizeof *pixels.palette);
    memset(pixels.data, 3, 65536);
    pixels.palette_count = 4;
    memcpy(pixels.palette[3], (const uint8_t[4]){33, 99, 255, 255}, 4);
    assert_true(replaced(document, 1, &pixels));
    mst_pixels again = {0};
    MUST(mst_image_read(document, 1, 0, NULL, &again, NULL, &why), &why);
    for (size_t i = 0; i < 65536; i++) /* 200 keeps its place, as it is the same */
        assert_true(again.data[i] == (i == 0 || expected[page - expected + (ptrdiff_t)i] == 200 ? 200 : 100));
    mst_pixels_free(&again);
    free(expected);
    free(colors);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
    alien_textures_free(&t);
}

static void test_image_refused(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    t.pages[1].no_palette = true;
    mst_document *document = open_textures(&t, &w);
    mst_pixels pixels = {0};
    mst_diagnostic why;
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), &why);
    /* a colour that the palette lacks: position and colour are reported */
    memcpy(pixels.palette[9], (const uint8_t[4]){1, 2, 200, 255}, 4);
    memset(pixels.data, 1, 65536);
    pixels.data[7 * 256 + 5] = 9;
    assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
    assert_non_null(strstr(why.message, "column 5, row 7"));
    assert_string_equal(why.found, "#0102c8");
    /* index 0 is transparent: an opaque magenta cannot be stored */
    pixels.data[7 * 256 + 5] = 0;
    pixels.palette[0][3] = 255;
    assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
    assert_string_equal(why.found, "#ff00ff");
    /* another size */
    pixels.height = 255;
    assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
    assert_string_equal(why.expected, "256 x 256");
    assert_string_equal(why.found, "256 x 255");
    pixels.height = 256;
    /* no palette, no page */
    assert_int_equal(mst_image_replace(document, 1, NULL, &pixels, &why), MST_DAMAGED);
    assert_int_equal(mst_image_replace(document, 2, NULL, &pixels, &why), MST_ARGUMENT);
    mst_pixels none = {0};
    MUST(mst_image_read(document, 1, 0, NULL, &none, NULL, &why), &why); /* in greys */
    mst_pixels_free(&none);
    assert_false(mst_is_edited(document));
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
    alien_textures_free(&t);
}

/* A palette of a few colours, or none: the rest is black, and cannot be stored. */
static void test_short_palette(void **state) {
    (void)state;
    static const char few[] = {0, 0, 0, 0, 0x1F, 0x7C, 0x1F, 0, (char)0xE0, 3}; /* magenta, red, green */
    for (int none = 0; none < 2; none++) {
        alien_textures t;
        alien_small_textures(&t);
        writer w = {0};
        t.pages[1].no_palette = true;
        t.section_count = 1;
        t.sections[0] = (alien_section){.name = "CL01", .data = few, .size = none ? 4 : sizeof few};
        mst_document *document = open_textures(&t, &w);
        mst_pixels pixels = {0};
        mst_diagnostic why;
        MUST(mst_image_read(document, 1, 0, NULL, &pixels, NULL, &why), &why);
        if (none) { /* greys by index */
            assert_memory_equal(pixels.palette[0], "\x00\x00\x00\x00", 4);
            assert_memory_equal(pixels.palette[1], "\x01\x01\x01\xff", 4);
            assert_memory_equal(pixels.palette[255], "\xff\xff\xff\xff", 4);
        } else {
            assert_memory_equal(pixels.palette[0], "\xff\x00\xff\x00", 4);
            assert_memory_equal(pixels.palette[1], "\xff\x00\x00\xff", 4);
            assert_memory_equal(pixels.palette[2], "\x00\xff\x00\xff", 4);
            assert_memory_equal(pixels.palette[3], "\x00\x00\x00\xff", 4);
            assert_memory_equal(pixels.palette[255], "\x00\x00\x00\xff", 4);
            memset(pixels.data, 2, 65536);
            pixels.data[9] = 77; /* black by an index without a colour */
            assert_int_equal(mst_image_replace(document, 1, NULL, &pixels, &why), MST_REFUSED);
            assert_string_equal(why.found, "#000000");
            /* by colour, of which one is missing, and without a diagnosis */
            uint8_t *colors = calloc(65536, 4);
            assert_non_null(colors);
            for (size_t i = 0; i < 65536; i++)
                memcpy(colors + 4 * i, i == 300 ? "\x00\x00\xff\xff" : "\xff\x00\x00\xff", 4);
            mst_pixels given = {.data = colors, .width = 256, .height = 256};
            assert_int_equal(mst_image_replace(document, 1, NULL, &given, NULL), MST_REFUSED);
            assert_int_equal(mst_image_replace(document, 1, NULL, &given, &why), MST_REFUSED);
            assert_string_equal(why.found, "#0000ff");
            assert_non_null(strstr(why.message, "column 44, row 1"));
            given.width = 255;
            assert_int_equal(mst_image_replace(document, 1, NULL, &given, NULL), MST_REFUSED);
            free(colors);
            assert_false(mst_is_edited(document));
        }
        mst_pixels_free(&pixels);
        mst_close(document);
        writer_free(&w);
        alien_textures_free(&t);
    }
}

/* A page that is not a rectangle can neither be read nor replaced, with a diagnosis or without. */
static void test_no_shape(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    t.pages[1].size = 1000;
    mst_document *document = open_textures(&t, &w);
    mst_pixels pixels = {0}, none = {0};
    mst_diagnostic why;
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), &why);
    assert_int_equal(mst_image_replace(document, 1, NULL, &pixels, &why), MST_DAMAGED);
    assert_string_equal(why.code, "ALIEN-GFX-INFO");
    assert_string_equal(why.path, "pages[1]");
    assert_string_equal(why.found, "1000 bytes");
    assert_int_equal(mst_image_replace(document, 1, NULL, &pixels, NULL), MST_DAMAGED);
    assert_int_equal(mst_image_read(document, 1, 0, NULL, &none, NULL, NULL), MST_DAMAGED);
    assert_null(none.data);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
    alien_textures_free(&t);
}

/* Memory for a page: for reading and replacing it. */
static void test_page_memory(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    write_alien_textures(&w, &t, false);
    mst_status status = MST_NO_MEMORY;
    counted c = {0};
    mst_open_options open = {.size = sizeof open, .allocator = counted_allocator(&c)};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, &open, &document, &why), &why);
    mst_pixels pixels = {.allocator = counted_allocator(&c)};
    c.fail_at = c.calls + 1;
    assert_int_equal(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), MST_NO_MEMORY);
    assert_null(pixels.data);
    c.fail_at = 0;
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why), &why);
    pixels.data[0] = 1; /* an edit */
    size_t refused = 0;
    for (size_t fail_at = 1; status == MST_NO_MEMORY; fail_at++) {
        c.fail_at = c.calls + fail_at;
        status = mst_image_replace(document, 0, NULL, &pixels, &why);
        refused += status == MST_NO_MEMORY;
        assert_int_equal(mst_is_edited(document), status == MST_OK);
    }
    c.fail_at = 0;
    assert_true(refused > 1 && (status == MST_OK || status == MST_UNSUPPORTED));
    mst_pixels_free(&pixels);
    mst_close(document);
    assert_int_equal(c.blocks, 0);
    writer_free(&w);
    alien_textures_free(&t);
}

static void test_rectangles_in_words(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    write_alien_textures(&w, &t, false);
    counted c = {0};
    mst_open_options open = {.size = sizeof open, .allocator = counted_allocator(&c)};
    mst_document *document;
    mst_diagnostic why;
    mst_buffer text = {0};
    MUST(mst_open_memory(w.data, w.size, &open, &document, &why), &why);
    assert_describes(document, "rectangles",
                     "texture 0: page 0, 32 x 32 at 0 0\n"
                     "texture 1: page 0, 32 x 16 at 32 0\n"
                     "texture 2: page 0, 8 x 8 at 64 8\n"
                     "texture 3: page 1, 64 x 32 at 0 64\n"
                     "texture 4: page 0, 16 x 16 at 128 128\n");
    assert_int_equal(mst_describe(document, "wings", NULL, mst_buffer_sink(&text), &why), MST_UNSUPPORTED);
    assert_int_equal(mst_describe(document, "rectangles", NULL, (mst_sink){.write = refuse_bytes}, &why),
                     MST_IO);
    assert_int_equal(why.status, MST_IO);
    c.fail_at = c.calls + 1;
    c.for_good = true;
    assert_int_equal(mst_describe(document, "rectangles", NULL, mst_buffer_sink(&text), &why), MST_NO_MEMORY);
    assert_int_equal(why.status, MST_NO_MEMORY);
    assert_int_equal(text.size, 0);
    mst_buffer_free(&text);
    mst_close(document);
    writer_free(&w);
    /* without rectangles nothing is reported */
    for (size_t i = 0; i < t.page_count; i++)
        t.pages[i].no_rectangles = true;
    document = open_textures(&t, &w);
    MUST(mst_describe(document, "rectangles", NULL, mst_buffer_sink(&text), &why), &why);
    assert_int_equal(text.size, 0);
    mst_close(document);
    writer_free(&w);
    alien_textures_free(&t);
}

static void test_rectangles(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    mst_document *document = open_textures(&t, &w);
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_alien_rectangle *rectangles;
    uint32_t count;
    MUST(mst_alien_rectangles(document, &arena, &rectangles, &count), NULL);
    assert_int_equal(count, 5);
    static const uint8_t expected[5][5] = {
        {0, 0, 31, 31, 0}, {32, 0, 31, 15, 0}, {64, 8, 7, 7, 0}, {0, 64, 63, 31, 1}, {128, 128, 15, 15, 0}};
    for (size_t i = 0; i < 5; i++) {
        const mst_alien_rectangle *r = &rectangles[i];
        const uint8_t found[5] = {r->x, r->y, r->width_minus_1, r->height_minus_1, r->page};
        assert_memory_equal(found, expected[i], 5);
    }
    mst_arena_end(&arena);
    mst_close(document);
    writer_free(&w);
    alien_textures_free(&t);
}

/* ---- edits ------------------------------------------------------------------------------------------- */

/* After the edit the file equals the written `t`. */
static void assert_is_written(const mst_document *d, const alien_textures *t) {
    writer w = {0};
    write_alien_textures(&w, t, false);
    assert_same_bytes(d, w.data, w.size);
    writer_free(&w);
}

/* The last rectangle of all can be removed and added; INFO and padding are updated. */
static void test_rectangles_edited(void **state) {
    (void)state;
    alien_textures t;
    writer w = {0};
    mst_diagnostic why;
    alien_small_textures(&t);
    mst_document *d = open_textures(&t, &w);
    MUST(mst_insert(d, "rectangle_lists[1].rectangles[2]",
                    "{\"x\":1,\"y\":2,\"width_minus_1\":3,\"height_minus_1\":4,\"page\":1}", &why),
         &why);
    t.pages[1].rectangles[2] = (alien_rectangle){1, 2, 3, 4, 1, 0};
    t.pages[1].rectangle_count = 3;
    t.information[3] = 6;
    assert_is_written(d, &t);
    MUST(mst_remove(d, "rectangle_lists[1].rectangles[2]", &why), &why);
    MUST(mst_remove(d, "rectangle_lists[1].rectangles[1]", &why), &why);
    t.pages[1].rectangle_count = 1;
    t.information[3] = 4;
    assert_is_written(d, &t);
    static const char *const refused[] = {"rectangle_lists[0].rectangles[2]", "rectangle_lists[0]",
                                          "pages[0]", "palettes[0]"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        mst_edit_options cascade = {.size = sizeof cascade, .cascade = 1};
        mst_operation remove = {.kind = MST_OPERATION_REMOVE, .path = refused[i]},
                      move = {.kind = MST_OPERATION_MOVE, .path = refused[i], .value = i ? "1" : "0"};
        assert_int_equal(mst_edit(d, &remove, 1, &cascade, &why), MST_REFUSED);
        assert_int_equal(mst_edit(d, &move, 1, &cascade, &why), MST_REFUSED);
    }
    assert_is_written(d, &t);
    MUST(mst_set(d, "information.rectangle_count", "9", &why), &why); /* it was wrong before: it is kept */
    MUST(mst_remove(d, "rectangle_lists[1]", &why), &why);
    mst_value number = value_at(d, "information.rectangle_count");
    uint64_t stored = 0;
    MUST(mst_get_unsigned(&number, &stored), &why);
    assert_int_equal(stored, 9);
    MUST(mst_remove(d, "palettes[1]", &why), &why);
    mst_close(d);
    writer_free(&w);
    alien_textures_free(&t);
}

/* ---- checks of texture files ------------------------------------------------------------------- */

/* All findings have that code, and there are that many. */
static void check_findings(const alien_textures *t, const char *code, size_t count, const char *path) {
    writer w = {0};
    findings list = {0};
    mst_diagnostic why;
    /* the bits in INFO determine the byte order */
    for (int big = 0; big < (t->no_information || t->information[2] != 8 ? 1 : 2); big++) {
        write_alien_textures(&w, t, big != 0);
        mst_document *document = open_as(w.data, w.size, NULL, NULL);
        MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
        if (list.count != count || count_code(&list, code) != count) {
            print_error("%s:\n", code);
            print_findings(&list);
        }
        assert_int_equal(list.count, count);
        assert_int_equal(count_code(&list, code), count);
        if (count)
            assert_string_equal(list.items[0].path, path);
        assert_stops(document, NULL, &list);
        mst_close(document);
        writer_free(&w);
        findings_free(&list);
    }
}

static void test_gfx_checks(void **state) {
    (void)state;
    static const char *const codes[] = {"ALIEN-GFX-MAGIC",     "ALIEN-GFX-SIZE",    "ALIEN-GFX-TAIL",
                                        "ALIEN-GFX-INFO",      "ALIEN-GFX-COUNT",   "ALIEN-GFX-PAGE",
                                        "ALIEN-GFX-RECTANGLE", "ALIEN-GFX-NONZERO", "ALIEN-GFX-SECTION",
                                        "ALIEN-GFX-TWICE",     "ALIEN-GFX-ALIGN",   "ALIEN-GFX-PALETTE"};
    const mst_format_information *format = NULL;
    for (size_t i = 0; i < mst_format_count(); i++)
        if (strcmp(mst_format_at(i)->id, "alien-gfx") == 0)
            format = mst_format_at(i);
    assert_non_null(format);
    for (size_t i = 0; i < 12; i++)
        assert_string_equal(mst_code_at(format, i)->code, codes[i]);
    assert_null(mst_code_at(format, 12));

    for (int i = 0; i < 22; i++) {
        alien_textures t;
        alien_small_textures(&t);
        switch (i) {
        case 0: check_findings(&t, "", 0, ""); break;
        case 1:
            t.trailing = "more";
            t.trailing_size = 4;
            check_findings(&t, "ALIEN-GFX-TAIL", 1, "trailing");
            break;
        case 2:
            t.no_information = true;
            check_findings(&t, "ALIEN-GFX-INFO", 1, "information");
            break;
        case 3:
            t.information[2] = 16;
            check_findings(&t, "ALIEN-GFX-INFO", 1, "information");
            t.information[2] = 4; /* of panels and fonts */
            check_findings(&t, "", 0, "");
            break;
        case 4:
            t.information[1] = 255; /* reported for each page */
            check_findings(&t, "ALIEN-GFX-INFO", 3, "information");
            break;
        case 5:
            t.pages[1].size = 65280;
            check_findings(&t, "ALIEN-GFX-INFO", 1, "pages[1]");
            break;
        case 6:
            t.information[3] = 6;
            check_findings(&t, "ALIEN-GFX-COUNT", 1, "information.rectangle_count");
            break;
        case 7:
            t.pages[0].rectangles[2].page = 2;
            check_findings(&t, "ALIEN-GFX-PAGE", 1, "rectangle_lists[0].rectangles[2].page");
            break;
        case 8:
            t.pages[1].no_palette = true;
            t.information[5] = 1;
            check_findings(&t, "ALIEN-GFX-PAGE", 1, "pages[1]");
            break;
        case 9:
            t.pages[1].rectangles[1].x = 241;
            check_findings(&t, "ALIEN-GFX-RECTANGLE", 1, "rectangle_lists[1].rectangles[1]");
            break;
        case 10:
            t.pages[1].rectangles[1].x = 240; /* just fits */
            t.pages[1].rectangles[1].y = 255;
            check_findings(&t, "ALIEN-GFX-RECTANGLE", 1, "rectangle_lists[1].rectangles[1]");
            break;
        case 11:
            t.pages[0].rectangles[1].unknown_05 = 9;
            check_findings(&t, "ALIEN-GFX-NONZERO", 1, "rectangle_lists[0].rectangles[1].unknown_05");
            break;
        case 20:
            t.information[4] = 3;
            check_findings(&t, "ALIEN-GFX-COUNT", 1, "information.unknown_08");
            break;
        case 21:
            t.information[5] = 1;
            check_findings(&t, "ALIEN-GFX-COUNT", 1, "information.unknown_0a");
            break;
        case 12: /* unknown sections state nothing */
            t.sections[0] = (alien_section){.name = "ZZZZ", .data = "abcd", .size = 4};
            t.section_count = 1;
            check_findings(&t, "", 0, "");
            break;
        case 13:
            t.sections[0] = (alien_section){.name = "\x01ZZ\x80", .data = "abcdef", .size = 6};
            t.section_count = 1;
            check_findings(&t, "ALIEN-GFX-ALIGN", 1, "unknown_sections[0]");
            break;
        case 14:
            t.sections[0] = (alien_section){.name = "INFO", .data = "abcdefghabcdefgh", .size = 16};
            t.section_count = 1;
            check_findings(&t, "ALIEN-GFX-TWICE", 1, "unknown_sections[0]");
            break;
        case 15:
            t.sections[0] = (alien_section){.name = "CL09", .data = "abc", .size = 3};
            t.section_count = 1;
            check_findings(&t, "ALIEN-GFX-SECTION", 1, "unknown_sections[0]");
            break;
        case 16:
            t.sections[0] = (alien_section){.name = "BX09", .data = "\x10\x10\0\0", .size = 4};
            t.section_count = 1;
            check_findings(&t, "ALIEN-GFX-SECTION", 1, "unknown_sections[0]");
            break;
        case 17:
            t.pages[1].palette_header[0] = 2;
            check_findings(&t, "ALIEN-GFX-PALETTE", 1, "palettes[1].unknown_00");
            break;
        case 18:
            t.pages[0].palette_header[1] = 1;
            check_findings(&t, "ALIEN-GFX-PALETTE", 1, "palettes[0].unknown_00");
            break;
        case 19:
            t.sections[0] = (alien_section){.name = "ZZZZ", .data = "abcd", .size = 4};
            t.sections[1] = (alien_section){.name = "AAAA", .data = "abcd", .size = 4};
            t.sections[2] = (alien_section){.name = "ZZZZ", .data = "abcd", .size = 4};
            t.section_count = 3;
            check_findings(&t, "ALIEN-GFX-TWICE", 1, "unknown_sections[2]");
            break;
        }
        alien_textures_free(&t);
    }
}

/* Published files end at the end of a section, but claim more bytes. */
static void test_gfx_cut(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer whole = {0};
    write_alien_textures(&whole, &t, false);
    size_t opened = 0;
    for (size_t size = 12; size < whole.size; size++) {
        mst_document *document;
        mst_diagnostic why;
        size_t at = 12, pages = 0, palettes = 0;
        while (at + 8 <= size) { /* sections, up to the end of the file */
            pages += memcmp(whole.data + at, "TP", 2) == 0;
            palettes += memcmp(whole.data + at, "CL", 2) == 0;
            at += 8 + mst_load32(whole.data + at + 4, true);
        }
        bool cut = at == size && pages;
        /* trying every length takes long: only those near the ends of sections, and some others */
        if (!cut && at != size && size % 997 && at - size > 9)
            continue;
        mst_status status = mst_open_memory(whole.data, size, NULL, &document, &why);
        assert_int_equal(status, cut ? MST_OK : MST_DAMAGED);
        if (!cut) {
            assert_string_equal(why.code, "ALIEN-GFX-SIZE");
            continue;
        }
        opened++;
        findings list = {0};
        MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, "ALIEN-GFX-SIZE");
        assert_string_equal(list.items[0].path, "size");
        assert_int_equal(list.items[0].offset, 4);
        assert_int_equal(list.items[0].severity, MST_WARNING);
        findings_free(&list);
        mst_check_options all = {.size = sizeof all, .information = 1};
        MUST(mst_check(document, &all, collect, &list, NULL, &why), &why);
        /* too few rectangles, pages and palettes */
        assert_int_equal(count_code(&list, "ALIEN-GFX-COUNT"), 1u + (pages < 2) + (palettes < 2));
        assert_int_equal(list.count, count_code(&list, "ALIEN-GFX-COUNT") + 1);
        findings_free(&list);
        assert_same_bytes(document, whole.data, size);
        assert_round_trips(document);
        assert_int_equal(mst_image_count(document), pages);
        mst_value value;
        uint64_t number;
        MUST(mst_find(mst_root(document), "size", &value, &why), &why);
        MUST(mst_get_unsigned(&value, &number), NULL);
        assert_int_equal(number, whole.size - 8);
        assert_int_not_equal(mst_find(mst_root(document), "trailing", &value, NULL), MST_OK);
        /* edits in it keep the size */
        MUST(mst_set(document, "information.unknown_0c", "77", &why), &why);
        assert_int_equal(mst_load32((const uint8_t *)mst_document_bytes(document, &(size_t){0}) + 4, true),
                         whole.size - 8);
        mst_close(document);
    }
    assert_true(opened >= 2);
    writer_free(&whole);
    alien_textures_free(&t);
}

static void test_gfx_unopened(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    writer w = {0};
    mst_document *document;
    mst_diagnostic why;
    /* a section claims more bytes than exist */
    write_alien_textures(&w, &t, false);
    mst_store32(w.data + 12 + 8 + 16 + 4, 0x00FFFFFF, true);
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &document, &why), MST_DAMAGED);
    assert_string_equal(why.code, "ALIEN-GFX-SIZE");
    /* another file, opened as this format */
    mst_open_options options = {.size = sizeof options, .format = "alien-gfx"};
    w.data[0] = 'f';
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &document, &why), MST_DAMAGED);
    assert_string_equal(why.code, "ALIEN-GFX-MAGIC");
    writer_free(&w);
    alien_textures_free(&t);
}

static void test_corpus_textures(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("alien/111GFX.BIN", &size);
    if (!bytes)
        return;
    mst_document *document = open_as(bytes, size, NULL, NULL);
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_alien_rectangle *rectangles;
    uint32_t count;
    MUST(mst_alien_rectangles(document, &arena, &rectangles, &count), NULL);
    assert_int_equal(count, 339);
    mst_arena_end(&arena);
    assert_int_equal(mst_image_count(document), 5);
    for (size_t i = 0; i < 5; i++) {
        mst_pixels pixels = {0};
        MUST(mst_image_read(document, i, 0, NULL, &pixels, NULL, &why), &why);
        MUST(mst_image_replace(document, i, NULL, &pixels, &why), &why);
        mst_pixels_free(&pixels);
    }
    assert_false(mst_is_edited(document));
    mst_close(document);
    free(bytes);
}

static void put_section(writer *w, const char *name, const char *bytes, size_t size) {
    put_bytes_of(w, name, 4);
    put_u32(w, (uint32_t)size);
    put_bytes_of(w, bytes, size);
    if (size % 2)
        put_u8(w, 0);
}

/* Sections whose content has the wrong length are kept unparsed; other sections with their names are not. */
static void odd_sections(void **state) {
    (void)state;
    for (int good = 0; good < 2; good++) {
        writer w = {0};
        mst_document *document;
        mst_diagnostic why;
        mst_value value;
        w.big = true;
        put_bytes_of(&w, "FORM\0\0\0\0PSXT", 12);
        put_section(&w, "INFO", "\1\0\1\0\0\10\0\1\0\5\0\5\0\6\0\1", good ? 16 : 14);
        put_section(&w, "CL00", "\1\2\3\4\5\6", good ? 6 : 5);
        put_section(&w, "CL01", "\1\2\3\4", good ? 4 : 2);
        put_section(&w, "BX00",
                    "\0\2"
                    "123456abcdef",
                    good ? 14 : 12);
        mst_store32(w.data + 4, (uint32_t)(w.size - 8), true);
        MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
        static const char *const lists[] = {"palettes", "rectangle_lists", "unknown_sections"};
        static const unsigned counts[2][3] = {{0, 0, 4}, {2, 1, 0}};
        for (size_t i = 0; i < 3; i++) {
            MUST(mst_find(mst_root(document), lists[i], &value, &why), &why);
            assert_int_equal(mst_count(&value), counts[good][i]);
        }
        assert_int_equal(mst_find(mst_root(document), "information", &value, NULL),
                         good ? MST_OK : MST_NO_PATH);
        mst_close(document);
        writer_free(&w);
    }
}

int test_alien_textures(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image_read),        cmocka_unit_test(test_image_shapes),
        cmocka_unit_test(test_image_replace),     cmocka_unit_test(test_image_refused),
        cmocka_unit_test(test_short_palette),     cmocka_unit_test(test_no_shape),
        cmocka_unit_test(test_page_memory),       cmocka_unit_test(test_rectangles_in_words),
        cmocka_unit_test(test_rectangles),        cmocka_unit_test(test_gfx_checks),
        cmocka_unit_test(test_rectangles_edited), cmocka_unit_test(test_gfx_cut),
        cmocka_unit_test(test_gfx_unopened),      cmocka_unit_test(test_corpus_textures),
        cmocka_unit_test(odd_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
