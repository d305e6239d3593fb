/* SPDX-License-Identifier: MIT */
/* Revenant's packed blocks of 64 x 64 values: streams written by hand from the description, damaged ones, and
 * packing. */
#include "../src/codec/tile_block.h"
#include "revenant_image.h"

static uint16_t values[MST_TILE_VALUES];

static bool unpack(const writer *w, bool deep) {
    mst_tile_block block = {.markers = w->data, .stream = w->data + 2, .size = w->size - 2, .deep = deep};
    return mst_tile_unpack(&block, values);
}

static void assert_values(size_t from, size_t count, uint16_t value) {
    for (size_t i = 0; i < count; i++)
        assert_int_equal(values[from + i], value);
}

static void test_pixels(void **state) {
    (void)state;
    writer w = image_pixel_block();
    assert_true(unpack(&w, false));
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(values[i], i % 5 + 1);
    assert_values(10, 10, 7);
    assert_values(20, MST_TILE_VALUES - 20, 0);
    writer_free(&w);
}

static void test_depths(void **state) {
    (void)state;
    writer w = image_depth_block();
    assert_true(unpack(&w, true));
    assert_values(0, 64, 0x120);
    assert_values(64, MST_TILE_VALUES - 64, MST_TILE_CLEAR);
    writer_free(&w);
    /* skipped values stay zero; a copy may begin with the markers, and uses the current upper byte */
    static const uint8_t some[] = {0x10, 0x20, 0x20, 0, 3, 0x10, 130, 0x20, 2, 7, 0, 9};
    put_bytes_of(&w, some, sizeof some);
    assert_false(unpack(&w, true));
    assert_values(0, 2, MST_TILE_CLEAR);
    assert_int_equal(values[2], 0x310);
    assert_int_equal(values[3], 0x320);
    assert_int_equal(values[4], 0x309);
    writer_free(&w);
}

/* The block is damaged, and has these values before; the remaining ones are zero. */
static void assert_damaged(const char *stream, size_t size, size_t count, uint16_t value) {
    writer w = {0};
    put_bytes_of(&w, "AB", 2);
    put_bytes_of(&w, stream, size);
    assert_false(unpack(&w, false));
    assert_values(0, count, value);
    assert_values(count, MST_TILE_VALUES - count, 0);
    writer_free(&w);
}

static void test_damaged(void **state) {
    (void)state;
    assert_damaged("", 0, 0, 0);
    assert_damaged("x", 1, 1, 'x');
    assert_damaged("xA", 2, 1, 'x');
    assert_damaged("A\3", 2, 0, 0);
    assert_damaged("xxB\2", 4, 2, 'x');
    assert_damaged("xxB\2\3", 5, 2, 'x');
    assert_damaged("xxB\2\5\0", 6, 2, 'x'); /* begins before the markers */
    assert_damaged("xxB\2\1\0", 6, 2, 'x'); /* reaches its own code */
    assert_damaged("xxB\2\0\1", 6, 2, 'x');
    assert_damaged("xB\0\0\0", 5, 1, 'x'); /* copies nothing: then the stream ends */
    writer w = {0};
    put_bytes_of(&w, "AB", 2);
    for (unsigned i = 0; i < 33; i++)
        put_bytes_of(&w, "A\x7Fx", 3);
    assert_false(unpack(&w, false)); /* 33 times 127: more than a block holds */
    assert_values(0, MST_TILE_VALUES, 'x');
    writer_free(&w);
    put_bytes_of(&w, "AB", 2);
    for (unsigned i = 0; i < 33; i++)
        put_bytes_of(&w, "A\xFF", 2);
    assert_false(unpack(&w, false));
    writer_free(&w);
    /* rows need not be full for a block to end */
    put_bytes_of(&w, "AB", 2);
    for (unsigned i = 0; i < 64; i++)
        put_bytes_of(&w, "xA\0", 3);
    assert_true(unpack(&w, false));
    assert_values(0, 64, 'x');
    assert_values(64, MST_TILE_VALUES - 64, 0);
    writer_free(&w);
}

/* ---- packing ------------------------------------------------------------------------------------ */

static uint16_t wanted[MST_TILE_VALUES];
static uint8_t packed[MST_TILE_PACKED_MAX];

static size_t assert_packs(bool deep, const char *markers) {
    size_t size = mst_tile_pack(wanted, deep, (const uint8_t *)markers, packed);
    mst_tile_block block = {.markers = packed, .stream = packed + 2, .size = size - 2, .deep = deep};
    assert_true(size <= MST_TILE_PACKED_MAX);
    assert_true(packed[0] != packed[1]);
    assert_true(mst_tile_unpack(&block, values));
    assert_memory_equal(values, wanted, sizeof values);
    return size;
}

static void fill(uint16_t value) {
    for (size_t i = 0; i < MST_TILE_VALUES; i++)
        wanted[i] = value;
}

/* The stream of a row equals the result of the rules of the game's tool. */
static void test_rules(void **state) {
    (void)state;
    fill(0);
    writer w = image_pixel_block();
    for (unsigned i = 0; i < 10; i++)
        wanted[i] = (uint16_t)(i % 5 + 1);
    for (unsigned i = 10; i < 20; i++)
        wanted[i] = 7;
    assert_int_equal(assert_packs(false, "\xAA\xBB"), w.size);
    assert_memory_equal(packed, w.data, w.size);
    writer_free(&w);
    fill(MST_TILE_CLEAR);
    w = image_depth_block();
    for (unsigned i = 0; i < 64; i++)
        wanted[i] = 0x120;
    assert_int_equal(assert_packs(true, "\xAA\xBB"), w.size);
    assert_memory_equal(packed, w.data, w.size);
    writer_free(&w);
    /* a new upper byte in a row: the value is then stored unchanged */
    fill(0x101);
    wanted[1] = 0x202;
    wanted[2] = 0x202;
    assert_packs(true, "\xAA\xBB");
    static const uint8_t row[] = {0xAA, 0xBB, 0xBB, 0, 1, 1,    0xBB, 0, 2,    2,
                                  2,    0xBB, 0,    1, 1, 0xAA, 60,   1, 0xAA, 0};
    assert_memory_equal(packed, row, sizeof row);
    /* four are not a run */
    fill(0);
    for (unsigned i = 0; i < 4; i++)
        wanted[i] = 9;
    assert_packs(false, "\xAA\xBB");
    assert_memory_equal(packed + 2, "\x9\x9\x9\x9\xAA\xBC", 6);
}

static void test_markers(void **state) {
    (void)state;
    /* a given marker that occurs is replaced by the rarest value */
    fill(0xAA);
    assert_packs(false, "\xAA\xBB");
    assert_memory_equal(packed, "\0\1", 2);
    assert_packs(false, "\xBB\xAA");
    assert_packs(false, "\xCC\xCC");
    fill(0);
    assert_packs(false, "\0\1");
    assert_memory_equal(packed, "\1\2", 2);
    /* all values occur: those equal to markers are written as runs */
    for (size_t i = 0; i < MST_TILE_VALUES; i++)
        wanted[i] = (uint16_t)(i * 7 % 256);
    wanted[100] = 1;
    assert_packs(false, "\xAA\xBB");
    for (size_t i = 0; i < MST_TILE_VALUES; i++)
        wanted[i] = (uint16_t)(wanted[i] | (i % 3) << 8);
    assert_packs(true, "\xAA\xBB");
}

static void test_random(void **state) {
    (void)state;
    random_state r = {1};
    for (unsigned round = 0; round < 60; round++) {
        uint32_t colors = round % 4 ? 3 + random_below(&r, 40) : 65536, length = 1;
        for (size_t i = 0; i < MST_TILE_VALUES; i += length) {
            length = 1 + random_below(&r, 1 + round % 12);
            uint16_t value = (uint16_t)random_below(&r, colors);
            for (size_t k = i; k < i + length && k < MST_TILE_VALUES; k++)
                wanted[k] = round % 2 ? value & 0xFF : value;
        }
        assert_packs(round % 2 == 0, "\xAA\xBB");
    }
}

int test_tile_block(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels), cmocka_unit_test(test_depths),  cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_rules),  cmocka_unit_test(test_markers), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
