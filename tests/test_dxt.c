/* SPDX-License-Identifier: MIT */
/* DXT blocks: texels worked out by hand from the format, and values that encoding keeps. */
#include "../src/codec/dxt.h"
#include "../src/codec/halve.h"
#include "support.h"

static void assert_texel(const uint8_t *rgba, uint32_t width, uint32_t x, uint32_t y, uint32_t wanted) {
    uint32_t found = mst_load32(rgba + ((size_t)y * width + x) * 4, true);
    if (found != wanted)
        fail_msg("texel %u, %u is %08x, not %08x", x, y, found, wanted);
}

static void sizes(void **state) {
    (void)state;
    assert_int_equal(mst_dxt_size(MST_DXT1, 1, 1), 8);
    assert_int_equal(mst_dxt_size(MST_DXT1, 4, 5), 16);
    assert_int_equal(mst_dxt_size(MST_DXT3, 5, 4), 32);
    assert_int_equal(mst_dxt_size(MST_DXT5, 8, 8), 64);
    assert_true(mst_dxt_size(MST_DXT5, 65535, 65535) == UINT64_C(4294967296));
}

/* Red (31 of 31) is larger than blue as a number: four colours. The indices of the first row are 0 1 2 3. */
static void four_colors(void **state) {
    (void)state;
    static const uint8_t block[8] = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0x00, 0x55, 0xFF};
    uint8_t rgba[64];
    mst_dxt_decode(MST_DXT1, 4, 4, block, rgba);
    assert_texel(rgba, 4, 0, 0, 0xFF0000FF);
    assert_texel(rgba, 4, 1, 0, 0x0000FFFF);
    assert_texel(rgba, 4, 2, 0, 0xAA0055FF);
    assert_texel(rgba, 4, 3, 0, 0x5500AAFF);
    assert_texel(rgba, 4, 0, 1, 0xFF0000FF);
    assert_texel(rgba, 4, 0, 2, 0x0000FFFF);
    assert_texel(rgba, 4, 3, 3, 0x5500AAFF);
}

/* The reverse: three colours and transparent black, but four in DXT3 and DXT5. */
static void three_colors(void **state) {
    (void)state;
    static const uint8_t block[8] = {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0};
    uint8_t rgba[64], whole[16] = {0};
    mst_dxt_decode(MST_DXT1, 4, 4, block, rgba);
    assert_texel(rgba, 4, 0, 0, 0x0000FFFF);
    assert_texel(rgba, 4, 1, 0, 0xFF0000FF);
    assert_texel(rgba, 4, 2, 0, 0x7F007FFF);
    assert_texel(rgba, 4, 3, 0, 0x00000000);
    memcpy(whole + 8, block, 8);
    whole[0] = 0x21;
    whole[1] = 0xF3;
    mst_dxt_decode(MST_DXT3, 4, 4, whole, rgba);
    assert_texel(rgba, 4, 0, 0, 0x0000FF11);
    assert_texel(rgba, 4, 1, 0, 0xFF000022);
    assert_texel(rgba, 4, 2, 0, 0x5500AA33);
    assert_texel(rgba, 4, 3, 0, 0xAA0055FF);
}

/* Alphas 255 and 0 with six between them; 0 and 255 as ends, with four between and both extremes. */
static void alphas(void **state) {
    (void)state;
    uint8_t block[16] = {255, 0, 0x88, 0xC6, 0xFA, 0, 0, 0}, rgba[64];
    static const uint8_t eight[8] = {255, 0, 218, 182, 145, 109, 72, 36};
    static const uint8_t six[8] = {10, 60, 20, 30, 40, 50, 0, 255};
    mst_dxt_decode(MST_DXT5, 4, 4, block, rgba); /* indices 0 1 2 3 4 5 6 7 */
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(rgba[4 * i + 3], eight[i]);
    block[0] = 10;
    block[1] = 60;
    mst_dxt_decode(MST_DXT5, 4, 4, block, rgba);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(rgba[4 * i + 3], six[i]);
}

/* Blocks at the edges are complete; texels outside of the image are not written. */
static void edges(void **state) {
    (void)state;
    uint8_t data[4 * 8] = {0}, *rgba = malloc(5 * 6 * 4);
    assert_non_null(rgba);
    for (unsigned i = 0; i < 4; i++)
        data[8 * i + 1] = (uint8_t)(i << 3 | 0x80); /* red 16 to 19 */
    mst_dxt_decode(MST_DXT1, 5, 6, data, rgba);
    assert_texel(rgba, 5, 3, 3, 0x840000FF);
    assert_texel(rgba, 5, 4, 3, 0x8C0000FF);
    assert_texel(rgba, 5, 0, 4, 0x940000FF);
    assert_texel(rgba, 5, 4, 5, 0x9C0000FF);
    free(rgba);
}

static uint32_t worst_of(const uint8_t *a, const uint8_t *b, size_t size) {
    uint32_t worst = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t d = (uint32_t)abs(a[i] - b[i]);
        worst = d > worst ? d : worst;
    }
    return worst;
}

/* Decoded texels are encoded without loss, except where colours are fitted again. */
static void encoding(void **state) {
    (void)state;
    static const mst_dxt kinds[] = {MST_DXT1, MST_DXT3, MST_DXT5};
    random_state r = {7};
    for (unsigned k = 0; k < 3; k++) {
        enum { SIDE = 10, TEXELS = SIDE * SIDE * 4 };
        uint8_t before[TEXELS], wanted[TEXELS], after[TEXELS], data[9 * 16], old[9 * 16];
        size_t size = (size_t)mst_dxt_size(kinds[k], SIDE, SIDE);
        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)random_below(&r, 256);
        memcpy(old, data, size);
        mst_dxt_decode(kinds[k], SIDE, SIDE, data, before);
        mst_dxt_encode(kinds[k], SIDE, SIDE, before, before, data);
        assert_memory_equal(data, old, size); /* nothing changed */
        memcpy(wanted, before, TEXELS);
        memset(wanted, 0x33, 4); /* one texel of the first block */
        mst_dxt_encode(kinds[k], SIDE, SIDE, before, wanted, data);
        size_t block = k ? 16 : 8;
        assert_memory_not_equal(data, old, block);
        assert_memory_equal(data + block, old + block, size - block);
        /* a ramp from corner to corner, which four colours a block approximate well */
        for (unsigned i = 0; i < SIDE * SIDE; i++) {
            wanted[4 * i] = (uint8_t)(8 * (i % SIDE + i / SIDE));
            wanted[4 * i + 1] = (uint8_t)(255 - wanted[4 * i]);
            wanted[4 * i + 2] = 64;
            wanted[4 * i + 3] = k ? (uint8_t)(100 + wanted[4 * i] / 2) : 255;
        }
        mst_dxt_encode(kinds[k], SIDE, SIDE, before, wanted, data);
        mst_dxt_decode(kinds[k], SIDE, SIDE, data, after);
        assert_true(worst_of(wanted, after, TEXELS) <= 16);
    }
}

/* Alpha that is 0, 255 and a few others is exact with the ends inside; also with no others. */
static void hard_edges(void **state) {
    (void)state;
    static const uint8_t patterns[3][4] = {{0, 255, 120, 124}, {0, 255, 0, 255}, {0, 0, 0, 0}};
    for (unsigned p = 0; p < 3; p++) {
        uint8_t before[64] = {0}, wanted[64], after[64], data[16] = {0};
        before[3] = 1; /* a texel changes */
        memset(wanted, 200, sizeof wanted);
        for (unsigned i = 0; i < 16; i++)
            wanted[4 * i + 3] = patterns[p][i % 4];
        mst_dxt_encode(MST_DXT5, 4, 4, before, wanted, data);
        mst_dxt_decode(MST_DXT5, 4, 4, data, after);
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(after[4 * i + 3], wanted[4 * i + 3]);
    }
}

/* Texels below alpha 128 become transparent in DXT1; their hidden colours do not matter. */
static void holes(void **state) {
    (void)state;
    uint8_t before[64], wanted[64], after[64], data[8] = {0}, old[8];
    memset(wanted, 255, sizeof wanted);
    wanted[7] = 127;
    memset(before, 0, sizeof before);
    mst_dxt_encode(MST_DXT1, 4, 4, before, wanted, data);
    mst_dxt_decode(MST_DXT1, 4, 4, data, after);
    assert_texel(after, 4, 0, 0, 0xFFFFFFFF);
    assert_texel(after, 4, 1, 0, 0);
    memcpy(old, data, 8);
    memcpy(before, after, 64);
    after[4] = 99; /* the colour of a hole */
    mst_dxt_encode(MST_DXT1, 4, 4, before, after, data);
    assert_memory_equal(data, old, 8);
    for (unsigned i = 0; i < 16; i++)
        after[4 * i + 3] = 0;
    mst_dxt_encode(MST_DXT1, 4, 4, before, after, data);
    mst_dxt_decode(MST_DXT1, 4, 4, data, after);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(after[4 * i + 3], 0);
}

static void halving(void **state) {
    (void)state;
    static const uint8_t four[4 * 4] = {0, 10, 20, 255, 4, 10, 20, 255, 8, 11, 20, 255, 12, 11, 21, 0};
    uint8_t one[4];
    mst_halve(four, 2, 2, one);
    assert_int_equal(one[0], 6);
    assert_int_equal(one[1], 11); /* 10.5 */
    assert_int_equal(one[2], 20);
    assert_int_equal(one[3], 191);
    mst_halve(four, 1, 2, one);
    assert_int_equal(one[0], 2);
    mst_halve(four, 2, 1, one);
    assert_int_equal(one[0], 2);
    assert_int_equal(mst_half(1), 1);
    assert_int_equal(mst_half(7), 3);
}

int test_dxt(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),      cmocka_unit_test(four_colors), cmocka_unit_test(three_colors),
        cmocka_unit_test(alphas),     cmocka_unit_test(edges),       cmocka_unit_test(encoding),
        cmocka_unit_test(hard_edges), cmocka_unit_test(holes),       cmocka_unit_test(halving)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
