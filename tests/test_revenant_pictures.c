/* SPDX-License-Identifier: MIT */
/* The bitmaps of Revenant's pictures as images: their colours, and new pixels for them. */
#include "../src/formats/revenant/imagery/imagery.h"
#include "revenant_image.h"
#include "sfa_pair.h"
#include <mapstone/image.h>

static mst_document *open_image(const writer *w) {
    return open_named(w, "a.i2d");
}

static mst_pixels read_image(const mst_document *d, size_t index) {
    mst_pixels pixels = {0};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME], expected[MST_IMAGE_NAME];
    MUST(mst_image_read(d, index, 0, NULL, &pixels, name, &why), &why);
    snprintf(expected, sizeof expected, "bitmap_%zu", index);
    assert_string_equal(name, expected);
    assert_int_equal(pixels.format, MST_PIXELS_RGBA8);
    return pixels;
}

static void assert_pixel(const mst_pixels *pixels, uint32_t x, uint32_t y, uint32_t rgba) {
    assert_int_equal(mst_load32(pixels->data + 4 * ((size_t)y * pixels->width + x), true), rgba);
}
static void set_pixel(mst_pixels *pixels, uint32_t x, uint32_t y, uint32_t rgba) {
    mst_store32(pixels->data + 4 * ((size_t)y * pixels->width + x), rgba, true);
}
/* Colour i of the palette. */
static uint32_t color(uint32_t i) {
    return i << 27 | (31 - i) << 19 | 0x4000u | 0xFF;
}

/* Replaces an image and reads it again; false in a build that cannot read JSON. */
static bool replaced(mst_document *d, size_t index, mst_pixels *pixels) {
    mst_diagnostic why;
    mst_status status = mst_image_replace(d, index, NULL, pixels, &why);
    if (status == MST_UNSUPPORTED)
        return false;
    MUST(status, &why);
    mst_pixels_free(pixels);
    *pixels = read_image(d, index);
    assert_round_trips(d);
    return true;
}
static void assert_refuses(mst_document *d, size_t index, const mst_pixels *pixels, const char *found) {
    for (int reported = 0; reported < 2; reported++) {
        mst_diagnostic why;
        assert_int_equal(mst_image_replace(d, index, NULL, pixels, reported ? &why : NULL), MST_REFUSED);
        if (reported)
            assert_string_equal(why.found, found);
    }
}

static void colors(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_image(&w);
    assert_int_equal(mst_image_count(d), 4);
    mst_pixels tile = read_image(d, 0);
    assert_int_equal(tile.width, 70);
    assert_int_equal(tile.height, 3);
    assert_pixel(&tile, 0, 0, color(1));
    assert_pixel(&tile, 9, 0, color(5));
    assert_pixel(&tile, 10, 0, color(7));
    assert_pixel(&tile, 20, 0, color(0)); /* index 0 with a depth is a colour */
    assert_pixel(&tile, 0, 1, color(0) & ~0xFFu);
    assert_pixel(&tile, 65, 0, color(0) & ~0xFFu); /* in the empty block */
    mst_pixels_free(&tile);
    mst_pixels plain = read_image(d, 1);
    assert_pixel(&plain, 0, 0, color(0) & ~0xFFu);
    assert_pixel(&plain, 1, 0, color(1));
    assert_pixel(&plain, 2, 1, color(5));
    mst_pixels_free(&plain);
    mst_pixels faded = read_image(d, 2); /* blue, green, red, all bits; alpha 0, 31, 16, 40 */
    assert_pixel(&faded, 0, 0, 0x0000F800);
    assert_pixel(&faded, 1, 0, 0x00F800FF);
    assert_pixel(&faded, 0, 1, 0xF8000083);
    assert_pixel(&faded, 1, 1, 0xF8F8F8FF);
    mst_pixels_free(&faded);
    mst_pixels word = read_image(d, 3);
    assert_pixel(&word, 0, 0, 0xF8F800FF); /* FFE0h: red and green */
    assert_pixel(&word, 1, 0, 0);
    mst_pixels_free(&word);
    mst_close(d);
    writer_free(&w);
}

/* Bitmaps that cannot be shown are not counted. */
static void not_pictures(void **state) {
    (void)state;
    static const struct {
        unsigned bitmap; /* 0 tile, 1 plain, 2 faded */
        uint32_t at, value;
    } cases[] = {{1, 0, 0},   {1, 4, 0},       {1, 0, 9000},   {1, 4, 9000},   {1, 16, 0x801},
                 {1, 16, 3},  {1, 16, 0xC001}, {1, 0, 4},      {2, 16, 0x101}, {2, 4, 3},
                 {0, 0, 129}, {0, 4, 65},      {0, 16, 0xC801}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        image_places p;
        writer w = image_usual(&p);
        uint32_t at = cases[i].bitmap == 0 ? p.tile : cases[i].bitmap == 1 ? p.plain : p.faded;
        image_set(&w, p.data + at + cases[i].at, cases[i].value);
        mst_document *d = open_image(&w);
        assert_int_equal(mst_image_count(d), 3);
        mst_close(d);
        writer_free(&w);
    }
}

/* A few bytes cannot claim images of many pixels. */
static void claims(void **state) {
    (void)state;
    for (uint32_t blocks = 16; blocks <= 128; blocks += 112) {
        image_source s;
        image_begin(&s);
        image_state(&s, "still", 2, 0, 0, NULL);
        writer plane = {0};
        image_blocks(&plane, 5, blocks, blocks);
        uint32_t at = image_bitmap(&s, 64 * blocks, 64 * blocks, 0xC001, plane.data, plane.size);
        image_palette(&s, at);
        image_slot(&s, 0, 0, at);
        writer w = image_finish(&s);
        mst_document *d = open_image(&w);
        assert_int_equal(mst_image_count(d), blocks == 16);
        mst_close(d);
        writer_free(&w);
        writer_free(&plane);
    }
}

static void packed_pixels(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_image(&w);
    mst_pixels tile = read_image(d, 0);
    /* the same pixels change nothing */
    if (!replaced(d, 0, &tile))
        skip();
    assert_false(mst_is_edited(d));
    assert_same_bytes(d, w.data, w.size);
    /* a colour: only the block of pixels changes */
    set_pixel(&tile, 3, 0, color(9));
    assert_true(replaced(d, 0, &tile));
    assert_pixel(&tile, 3, 0, color(9));
    assert_pixel(&tile, 4, 0, color(5));
    int64_t id = number_of(d, "bitmaps[0].pixels.blocks[0].id");
    assert_int_not_equal(id, 0x1234A001);
    assert_int_equal(id & 0xFFFF, 0xA001);
    assert_int_equal(number_of(d, "bitmaps[0].pixels.blocks[0].run_marker"), 0xAA);
    assert_int_equal(number_of(d, "bitmaps[0].planes[1].blocks[0].id"), 0x1234A101);
    assert_int_equal(number_of(d, "bitmaps[0].pixels.blocks[1].empty"), 1);
    /* a hole: only the block of depths */
    set_pixel(&tile, 63, 0, 0);
    assert_true(replaced(d, 0, &tile));
    assert_int_equal(number_of(d, "bitmaps[0].pixels.blocks[0].id"), id);
    assert_int_not_equal(number_of(d, "bitmaps[0].planes[1].blocks[0].id"), 0x1234A101);
    assert_pixel(&tile, 63, 0, color(0) & ~0xFFu);
    /* no depth, no pixel */
    set_pixel(&tile, 0, 1, color(1));
    assert_refuses(d, 0, &tile, "column 0, row 1");
    set_pixel(&tile, 0, 1, color(1) & ~0xFFu);
    /* no such colour */
    set_pixel(&tile, 5, 0, 0x123456FF);
    assert_refuses(d, 0, &tile, "column 5, row 0");
    /* nothing remains: the blocks are empty */
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 70; x++)
            set_pixel(&tile, x, y, 0);
    assert_true(replaced(d, 0, &tile));
    assert_int_equal(number_of(d, "bitmaps[0].planes[1].blocks[0].empty"), 1);
    mst_pixels_free(&tile);
    mst_close(d);
    writer_free(&w);
}

/* The first pixel of an empty block without depths; blocks that change twice get other ids each time. */
static void empty_block(void **state) {
    (void)state;
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    writer plane = {0};
    image_blocks(&plane, 5, 1, 1);
    uint32_t at = image_bitmap(&s, 2, 2, 0xC001, plane.data, plane.size);
    image_palette(&s, at);
    image_slot(&s, 0, 0, at);
    writer w = image_finish(&s);
    mst_document *d = open_image(&w);
    mst_pixels pixels = read_image(d, 0);
    set_pixel(&pixels, 1, 1, color(3));
    if (!replaced(d, 0, &pixels))
        skip();
    assert_pixel(&pixels, 1, 1, color(3));
    int64_t id = number_of(d, "bitmaps[0].pixels.blocks[0].id");
    assert_int_equal(id & 0xFFFF, 1);
    assert_nothing(d, NULL);
    /* an id equal to the new one is changed */
    char text[20];
    set_pixel(&pixels, 1, 1, color(4));
    assert_true(replaced(d, 0, &pixels));
    int64_t other = number_of(d, "bitmaps[0].pixels.blocks[0].id");
    assert_int_not_equal(other, id);
    snprintf(text, sizeof text, "%lld", (long long)id);
    MUST(mst_set(d, "bitmaps[0].pixels.blocks[0].id", text, NULL), NULL);
    set_pixel(&pixels, 1, 1, color(3));
    assert_true(replaced(d, 0, &pixels));
    assert_int_not_equal(number_of(d, "bitmaps[0].pixels.blocks[0].id"), id);
    mst_pixels_free(&pixels);
    mst_close(d);
    writer_free(&w);
    writer_free(&plane);
}

static void plain_pixels(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    mst_document *d = open_image(&w);
    mst_pixels plain = read_image(d, 1);
    set_pixel(&plain, 0, 0, color(31));
    set_pixel(&plain, 1, 0, 0x11223300); /* not drawn: its colour does not matter */
    if (!replaced(d, 1, &plain))
        skip();
    assert_pixel(&plain, 0, 0, color(31));
    assert_pixel(&plain, 1, 0, color(0) & ~0xFFu);
    set_pixel(&plain, 0, 0, color(0)); /* index 0 is a hole, and no other has its colour */
    assert_refuses(d, 1, &plain, "column 0, row 0");
    set_pixel(&plain, 0, 0, color(31));
    set_pixel(&plain, 1, 0, color(0)); /* which is a hole already */
    assert_refuses(d, 1, &plain, "column 1, row 0");
    mst_pixels_free(&plain);
    /* 15 bits with alpha */
    mst_pixels faded = read_image(d, 2);
    set_pixel(&faded, 1, 0, 0x081018FF);
    set_pixel(&faded, 1, 1, 0xF8F8F880);
    set_pixel(&faded, 0, 0, 0xFFFFFF00);
    assert_true(replaced(d, 2, &faded));
    assert_pixel(&faded, 1, 0, 0x081018FF);
    assert_pixel(&faded, 1, 1, 0xF8F8F883);
    assert_pixel(&faded, 0, 0, 0x0000F800);
    /* only colours; then alpha twice */
    static const uint32_t blues[] = {0x081020FF, 0x082020FF, 0x102020FF};
    for (size_t i = 0; i < 3; i++) {
        set_pixel(&faded, 1, 0, blues[i]);
        assert_true(replaced(d, 2, &faded));
        assert_pixel(&faded, 1, 0, blues[i]);
    }
    set_pixel(&faded, 1, 0, 0x10202083);
    set_pixel(&faded, 0, 1, 0xF80000FF);
    assert_true(replaced(d, 2, &faded));
    assert_pixel(&faded, 1, 0, 0x10202083);
    mst_pixels_free(&faded);
    /* 16 bits; indexed pixels are matched by their colour */
    mst_pixels word = read_image(d, 3);
    uint8_t indices[2] = {1, 0}, colors[2][4] = {{0, 0, 8, 255}, {0xF8, 0xF8, 0, 255}};
    mst_pixels indexed = {.width = 2,
                          .height = 1,
                          .format = MST_PIXELS_INDEXED8,
                          .data = indices,
                          .palette_count = 2,
                          .palette = colors};
    mst_diagnostic why;
    MUST(mst_image_replace(d, 3, NULL, &indexed, &why), &why);
    mst_pixels_free(&word);
    word = read_image(d, 3);
    assert_pixel(&word, 0, 0, 0xF8F800FF);
    assert_pixel(&word, 1, 0, 0x000008FF);
    set_pixel(&word, 1, 0, 0x000000FF); /* black is the value for holes */
    assert_refuses(d, 3, &word, "column 1, row 0");
    mst_pixels_free(&word);
    /* another size */
    uint8_t more[4] = {0};
    mst_pixels wrong = {.width = 3,
                        .height = 1,
                        .format = MST_PIXELS_INDEXED8,
                        .data = more,
                        .palette_count = 2,
                        .palette = colors};
    assert_refuses(d, 3, &wrong, "3 x 1");
    wrong.width = 2, wrong.height = 2;
    assert_refuses(d, 3, &wrong, "2 x 2");
    mst_close(d);
    writer_free(&w);
}

/* Two blocks one above the other. */
static void tall(void **state) {
    (void)state;
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 2, 0, 0, NULL);
    writer plane = {0}, block = image_pixel_block();
    image_blocks(&plane, 5, 1, 2);
    image_block(&plane, 0, 0x55550001, block.data, block.size);
    image_block(&plane, 1, 0x55550002, block.data, block.size);
    uint32_t at = image_bitmap(&s, 6, 70, 0xC001, plane.data, plane.size);
    image_palette(&s, at);
    image_slot(&s, 0, 0, at);
    writer w = image_finish(&s);
    mst_document *d = open_image(&w);
    mst_pixels pixels = read_image(d, 0);
    assert_pixel(&pixels, 4, 0, color(5));
    assert_pixel(&pixels, 4, 64, color(5));
    set_pixel(&pixels, 0, 69, color(12));
    if (!replaced(d, 0, &pixels))
        skip();
    assert_pixel(&pixels, 0, 69, color(12));
    assert_int_equal(number_of(d, "bitmaps[0].pixels.blocks[0].id"), 0x55550001);
    assert_int_not_equal(number_of(d, "bitmaps[0].pixels.blocks[1].id"), 0x55550002);
    assert_nothing(d, NULL);
    mst_pixels_free(&pixels);
    mst_close(d);
    writer_free(&w);
    writer_free(&plane);
    writer_free(&block);
}

/* Incomplete planes next to complete pixels. */
static void cut_planes(void **state) {
    (void)state;
    for (unsigned kind = 1; kind < 3; kind++) {
        image_source s;
        image_begin(&s);
        image_state(&s, "still", 2, 0, 0, NULL);
        uint32_t at = image_bitmap(&s, 2, 2, kind == 1 ? 0x102 : 0x22, "\1\0\1\0\1\0\1\0", 8);
        image_plane(&s, at, kind, "\1\1\1", 3);
        image_slot(&s, 0, 0, at);
        writer w = image_finish(&s);
        mst_document *d = open_image(&w);
        assert_int_equal(mst_image_count(d), 0);
        mst_close(d);
        writer_free(&w);
    }
}

/* A layer that only darkens: alpha and depths, no pixels. */
static void darkening(void **state) {
    (void)state;
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 1, 0, 0, NULL);
    uint32_t at = image_bitmap(&s, 2, 1, 0x920, "", 0);
    image_plane(&s, at, 1, "\x1F\0\7", 3);
    image_plane(&s, at, 2, "\1\0\x7F\x7F", 4);
    image_slot(&s, 0, 0, at);
    writer w = image_finish(&s);
    mst_document *d = open_image(&w);
    assert_one(d, NULL, "REV-IMAGE-SIZE", "bitmaps[0].planes[0]");
    mst_pixels pixels = read_image(d, 0);
    assert_pixel(&pixels, 0, 0, 0x000000FF);
    assert_pixel(&pixels, 1, 0, 0);
    set_pixel(&pixels, 1, 0, 0x00000008);
    if (!replaced(d, 0, &pixels))
        skip();
    assert_pixel(&pixels, 1, 0, 0x00000008);
    static const uint32_t lit[] = {0x010000FF, 0x000100FF, 0x000001FF};
    for (size_t i = 0; i < 3; i++) {
        set_pixel(&pixels, 0, 0, lit[i]);
        assert_refuses(d, 0, &pixels, "column 0, row 0");
    }
    mst_pixels_free(&pixels);
    mst_close(d);
    writer_free(&w);
}

/* Unpacked depths. */
static void plain_depths(void **state) {
    (void)state;
    image_source s;
    image_begin(&s);
    image_state(&s, "still", 1, 0, 0, NULL);
    uint32_t at = image_bitmap(&s, 2, 1, 0x24, "\1\0\2\0", 4);
    image_plane(&s, at, 2, "\1\0\2\0", 4);
    image_slot(&s, 0, 0, at);
    writer w = image_finish(&s);
    mst_document *d = open_image(&w);
    mst_pixels pixels = read_image(d, 0);
    set_pixel(&pixels, 0, 0, 0);
    set_pixel(&pixels, 1, 0, 0x000000FF);
    if (!replaced(d, 0, &pixels))
        skip();
    assert_pixel(&pixels, 0, 0, 0x00000800);
    assert_pixel(&pixels, 1, 0, 0x000000FF);
    assert_nothing(d, NULL);
    mst_pixels_free(&pixels);
    mst_close(d);
    writer_free(&w);
}

static void without_memory(void **state) {
    (void)state;
    image_places p;
    writer w = image_usual(&p);
    for (int replace = 0; replace < 2; replace++)
        for (size_t fail_at = 1;; fail_at++) {
            counted memory = {0};
            mst_allocator allocator = counted_allocator(&memory);
            const mst_open_options options = {
                .size = sizeof options, .name = "a.i2d", .allocator = allocator};
            mst_document *d;
            mst_diagnostic why;
            MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
            mst_pixels pixels = {.allocator = allocator};
            if (replace)
                pixels = read_image(d, 0), set_pixel(&pixels, 3, 0, color(9)), set_pixel(&pixels, 60, 0, 0);
            memory.calls = 0;
            memory.fail_at = fail_at;
            memory.for_good = true;
            mst_status status = replace ? mst_image_replace(d, 0, NULL, &pixels, &why)
                                        : mst_image_read(d, 0, 0, NULL, &pixels, NULL, &why);
            if (status == MST_UNSUPPORTED)
                memory.failed = false;
            else
                assert_int_equal(status, memory.failed ? MST_NO_MEMORY : MST_OK);
            if (memory.failed)
                assert_int_equal(why.status, MST_NO_MEMORY);
            if (memory.failed && replace)
                assert_same_bytes(d, w.data, w.size);
            bool failed = memory.failed;
            memory.fail_at = 0;
            mst_pixels_free(&pixels);
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
            if (!failed)
                break;
        }
    writer_free(&w);
}

int test_revenant_pictures(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors),        cmocka_unit_test(not_pictures),   cmocka_unit_test(claims),
        cmocka_unit_test(packed_pixels), cmocka_unit_test(empty_block),    cmocka_unit_test(plain_pixels),
        cmocka_unit_test(tall),          cmocka_unit_test(cut_planes),     cmocka_unit_test(darkening),
        cmocka_unit_test(plain_depths),  cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
