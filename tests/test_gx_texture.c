/* SPDX-License-Identifier: MIT */
/* Textures of the GameCube: texels worked out by hand, pictures of the corpus, and values that encoding
 * keeps. */
#include "../src/codec/deflate.h"
#include "../src/codec/gx_texture.h"
#include "../src/core/hash.h"
#include "../src/core/json.h"
#include "support.h"
#include <mapstone/base.h>

static const unsigned formats[] = {MST_GX_I4,     MST_GX_I8,     MST_GX_IA4,   MST_GX_IA8,
                                   MST_GX_RGB565, MST_GX_RGB5A3, MST_GX_RGBA8, MST_GX_C4,
                                   MST_GX_C8,     MST_GX_C14X2,  MST_GX_CMPR};
#define FORMATS (sizeof formats / sizeof *formats)

/* ---- sizes --------------------------------------------------------------------------------------- */

static void test_sizes(void **state) {
    (void)state;
    static const struct {
        unsigned format;
        const char *name;
        uint64_t one, nine; /* bytes of 1 x 1 and of 9 x 9 texels */
    } known[] = {{0, "I4", 32, 4 * 32},     {1, "I8", 32, 6 * 32},     {2, "IA4", 32, 6 * 32},
                 {3, "IA8", 32, 9 * 32},    {4, "RGB565", 32, 9 * 32}, {5, "RGB5A3", 32, 9 * 32},
                 {6, "RGBA8", 64, 9 * 64},  {8, "C4", 32, 4 * 32},     {9, "C8", 32, 6 * 32},
                 {10, "C14X2", 32, 9 * 32}, {14, "CMPR", 32, 4 * 32}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(mst_gx_is_known(known[i].format));
        assert_string_equal(mst_gx_name(known[i].format), known[i].name);
        assert_int_equal(mst_gx_level_size(known[i].format, 1, 1), known[i].one);
        assert_int_equal(mst_gx_level_size(known[i].format, 9, 9), known[i].nine);
        assert_int_equal(mst_gx_level_size(known[i].format, 0, 9), 0);
    }
    static const unsigned unknown[] = {7, 11, 12, 13, 15, 16, 255, UINT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_false(mst_gx_is_known(unknown[i]));
        assert_false(mst_gx_can_encode(unknown[i]));
        assert_null(mst_gx_name(unknown[i]));
        assert_int_equal(mst_gx_level_size(unknown[i], 8, 8), 0);
    }
    assert_true(mst_gx_level_size(MST_GX_RGBA8, 65535, 65535) == UINT64_C(17179869184));
    assert_true(mst_gx_level_size(MST_GX_CMPR, 65535, 65535) == UINT64_C(2147483648));
    assert_false(mst_gx_can_encode(MST_GX_C4));
    assert_false(mst_gx_can_encode(MST_GX_C8));
    assert_false(mst_gx_can_encode(MST_GX_C14X2));
}

/* ---- texels -------------------------------------------------------------------------------------- */

/* Decodes into memory of exactly the size, followed by the allocator's guards. */
static uint8_t *decoded(unsigned format, uint32_t width, uint32_t height, const uint8_t *data) {
    uint8_t *rgba = malloc((size_t)width * height * 4);
    assert_non_null(rgba);
    mst_gx_decode(format, width, height, data, rgba);
    return rgba;
}

/* The texel at a place is 0xRRGGBBAA. */
static void assert_texel(const uint8_t *rgba, uint32_t width, uint32_t x, uint32_t y, uint32_t wanted) {
    uint32_t found = mst_load32(rgba + ((size_t)y * width + x) * 4, true);
    if (found != wanted)
        print_error("texel %u, %u: %08x, not %08x\n", (unsigned)x, (unsigned)y, (unsigned)found,
                    (unsigned)wanted);
    assert_int_equal(found, wanted);
}

/* The tile size: as many texels as cost no more than one. */
static void tile_of(unsigned format, uint32_t *width, uint32_t *height) {
    uint64_t one = mst_gx_level_size(format, 1, 1);
    *width = *height = 1;
    while (mst_gx_level_size(format, *width + 1, 1) == one)
        ++*width;
    while (mst_gx_level_size(format, 1, *height + 1) == one)
        ++*height;
}

/* Two tiles next to each other and two below; the byte `at` of a tile is `value`, all else 0. */
static void one_texel(unsigned format, unsigned tile_size, unsigned tile, unsigned at, unsigned value,
                      unsigned value2, uint32_t x, uint32_t y, uint32_t wanted, uint32_t besides) {
    uint8_t data[4 * 64] = {0};
    uint32_t width, height;
    tile_of(format, &width, &height);
    width *= 2;
    height *= 2;
    assert_int_equal(mst_gx_level_size(format, width, height), 4 * tile_size);
    data[tile * tile_size + at] = (uint8_t)value;
    data[tile * tile_size + at + 1] = (uint8_t)value2;
    uint8_t *rgba = decoded(format, width, height, data);
    for (uint32_t v = 0; v < height; v++)
        for (uint32_t u = 0; u < width; u++)
            assert_texel(rgba, width, u, v, u == x && v == y ? wanted : besides);
    free(rgba);
}

static void test_texels(void **state) {
    (void)state;
    /* I4, 8 x 8: byte 5 is the third and fourth texel of the second row: x 2, y 1 of the tile. */
    one_texel(MST_GX_I4, 32, 0, 5, 0xB0, 0, 2, 1, 0xBBBBBBBB, 0);
    one_texel(MST_GX_I4, 32, 3, 5, 0x07, 0, 11, 9, 0x77777777, 0);
    /* I8, 8 x 4: byte 10 is x 2, y 1. */
    one_texel(MST_GX_I8, 32, 0, 10, 0x9C, 0, 2, 1, 0x9C9C9C9C, 0);
    one_texel(MST_GX_I8, 32, 2, 31, 0x01, 0, 7, 7, 0x01010101, 0);
    /* IA4: alpha is the high half. */
    one_texel(MST_GX_IA4, 32, 1, 0, 0x3C, 0, 8, 0, 0xCCCCCC33, 0);
    /* IA8, 4 x 4: alpha first. */
    one_texel(MST_GX_IA8, 32, 1, 2, 0x12, 0x34, 5, 0, 0x34343412, 0);
    one_texel(MST_GX_IA8, 32, 2, 8, 0x80, 0x07, 0, 5, 0x07070780, 0);
    /* RGB565: 10011 101010 00110: 19 -> 156, 42 -> 170, 6 -> 49. */
    one_texel(MST_GX_RGB565, 32, 3, 6, 0x9D, 0x46, 7, 4, 0x9CAA31FF, 0x000000FF);
    /* RGB5A3 without alpha: 1 10011 00110 11111: 156, 49, 255. */
    one_texel(MST_GX_RGB5A3, 32, 0, 30, 0xCC, 0xDF, 3, 3, 0x9C31FFFF, 0);
    /* With it: 0 101 1010 0010 1111: alpha 5 -> 10110110. */
    one_texel(MST_GX_RGB5A3, 32, 0, 30, 0x5A, 0x2F, 3, 3, 0xAA22FFB6, 0);
    one_texel(MST_GX_RGB5A3, 32, 0, 0, 0x10, 0x00, 0, 0, 0x00000024, 0);
    one_texel(MST_GX_RGB5A3, 32, 0, 0, 0x70, 0x01, 0, 0, 0x000011FF, 0);
    /* RGBA8: alpha and red in the first half of 64 bytes, green and blue in the second. */
    one_texel(MST_GX_RGBA8, 64, 1, 10, 0x11, 0x22, 5, 1, 0x22000011, 0);
    one_texel(MST_GX_RGBA8, 64, 1, 42, 0x33, 0x44, 5, 1, 0x00334400, 0);
    /* Indices as grey. */
    one_texel(MST_GX_C4, 32, 1, 4, 0x0A, 0, 9, 1, 0xAAAAAAFF, 0x000000FF);
    one_texel(MST_GX_C8, 32, 1, 8, 0x4E, 0, 8, 1, 0x4E4E4EFF, 0x000000FF);
    one_texel(MST_GX_C14X2, 32, 2, 2, 0xD2, 0x41, 1, 4, 0x494949FF, 0x000000FF); /* 0x1241 >> 6 */
}

static void test_cmpr_texels(void **state) {
    (void)state;
    /* Four sub-blocks, by the order of the colours: four colours, three, equal ones, four. */
    static const uint8_t data[32] = {
        0xF8, 0x00, 0x00, 0x1F, 0x1B, 0xE4, 0x00, 0x55, /* red, blue: 0 1 2 3 / 3 2 1 0 / 0 / 1 */
        0x00, 0x1F, 0xF8, 0x00, 0x1B, 0xFF, 0x00, 0xAA, /* blue, red: 0 1 2 3 / 3 / 0 / 2 */
        0x9D, 0x46, 0x9D, 0x46, 0x1B, 0x00, 0x00, 0x00, /* the same twice */
        0xFF, 0xFF, 0x84, 0x10, 0x2D, 0x00, 0x00, 0x00, /* white, grey: 0 2 3 1 */
    };
    uint8_t *rgba = decoded(MST_GX_CMPR, 8, 8, data);
    static const uint32_t rows[8][8] = {
        {0xFF0000FF, 0x0000FFFF, 0xAA0055FF, 0x5500AAFF, 0x0000FFFF, 0xFF0000FF, 0x7F007FFF, 0x7F007F00},
        {0x5500AAFF, 0xAA0055FF, 0x0000FFFF, 0xFF0000FF, 0x7F007F00, 0x7F007F00, 0x7F007F00, 0x7F007F00},
        {0xFF0000FF, 0xFF0000FF, 0xFF0000FF, 0xFF0000FF, 0x0000FFFF, 0x0000FFFF, 0x0000FFFF, 0x0000FFFF},
        {0x0000FFFF, 0x0000FFFF, 0x0000FFFF, 0x0000FFFF, 0x7F007FFF, 0x7F007FFF, 0x7F007FFF, 0x7F007FFF},
        /* 0x84, 0x82, 0x84 is the grey; (2 * 255 + 132) / 3 = 214, (2 * 255 + 130) / 3 = 213;
         * (255 + 264) / 3 = 173, (255 + 260) / 3 = 171 */
        {0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0x9CAA3100, 0xFFFFFFFF, 0xD6D5D6FF, 0xADABADFF, 0x848284FF},
        {0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF},
        {0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF},
        {0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0x9CAA31FF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}};
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++)
            assert_texel(rgba, 8, x, y, rows[y][x]);
    free(rgba);
}

/* ---- pictures that end within tiles -------------------------------------------------------------- */

static uint8_t *random_bytes(random_state *r, size_t size) {
    uint8_t *bytes = malloc(size + !size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)random_next(r);
    return bytes;
}

/* Decoding a part, made of complete tiles, gives the same texels as decoding everything. */
static void test_edges(void **state) {
    (void)state;
    random_state r = {11};
    for (size_t f = 0; f < FORMATS; f++)
        for (uint32_t width = 1; width <= 17; width += 1 + (uint32_t)(sample_step() > 1) * 4)
            for (uint32_t height = 1; height <= 10; height += 3) {
                uint32_t whole_width = (width + 7) / 8 * 8, whole_height = (height + 7) / 8 * 8;
                size_t size = (size_t)mst_gx_level_size(formats[f], width, height);
                size_t whole_size = (size_t)mst_gx_level_size(formats[f], whole_width, whole_height);
                uint8_t *data = random_bytes(&r, size), *rgba = decoded(formats[f], width, height, data);
                /* The same tiles with others after them in each row. */
                size_t one = (size_t)mst_gx_level_size(formats[f], 1, 1);
                uint32_t tile_width, tile_height;
                tile_of(formats[f], &tile_width, &tile_height);
                size_t row = (width + tile_width - 1) / tile_width * one,
                       whole_row = whole_width / tile_width * one;
                uint8_t *whole = calloc(1, whole_size);
                assert_non_null(whole);
                for (uint32_t i = 0; i < (height + tile_height - 1) / tile_height; i++)
                    memcpy(whole + i * whole_row, data + i * row, row);
                uint8_t *full = decoded(formats[f], whole_width, whole_height, whole);
                for (uint32_t y = 0; y < height; y++)
                    assert_memory_equal(rgba + (size_t)y * width * 4, full + (size_t)y * whole_width * 4,
                                        (size_t)width * 4);
                free(full);
                free(whole);
                free(rgba);
                free(data);
            }
}

/* ---- encoding ------------------------------------------------------------------------------------ */

static uint8_t *encoded(unsigned format, uint32_t width, uint32_t height, const uint8_t *rgba,
                        const uint8_t *previous) {
    uint8_t *data = malloc((size_t)mst_gx_level_size(format, width, height));
    assert_non_null(data);
    mst_gx_encode(format, width, height, rgba, previous, data);
    return data;
}

/* Decoded texels are encoded to bytes that decode to the same; with the old data, to the same bytes. */
static void test_exact(void **state) {
    (void)state;
    random_state r = {5};
    for (size_t f = 0; f < FORMATS; f++) {
        unsigned format = formats[f];
        if (!mst_gx_can_encode(format))
            continue;
        for (unsigned i = 0; i < 40; i++) {
            uint32_t width = 1 + random_below(&r, 40), height = 1 + random_below(&r, 40);
            size_t size = (size_t)mst_gx_level_size(format, width, height), texels = (size_t)width * height;
            uint8_t *data = random_bytes(&r, size), *rgba = decoded(format, width, height, data);
            uint8_t *again = encoded(format, width, height, rgba, data);
            assert_memory_equal(again, data, size);
            free(again);
            if (format != MST_GX_CMPR) {
                again = encoded(format, width, height, rgba, NULL);
                uint8_t *shown = decoded(format, width, height, again);
                assert_memory_equal(shown, rgba, texels * 4);
                free(shown);
                free(again);
            }
            free(rgba);
            free(data);
        }
    }
}

/* Every 16-bit texel of RGB5A3 and RGB565 survives decoding and encoding. */
static void test_every_pair(void **state) {
    (void)state;
    static const unsigned pairs[] = {MST_GX_RGB565, MST_GX_RGB5A3, MST_GX_IA8};
    uint8_t *data = malloc(131072);
    assert_non_null(data);
    for (uint32_t i = 0; i < 65536; i++)
        mst_store16(data + 2 * i, (uint16_t)i, true);
    for (size_t f = 0; f < 3; f++) {
        uint8_t *rgba = decoded(pairs[f], 256, 256, data), *again = encoded(pairs[f], 256, 256, rgba, NULL);
        uint8_t *shown = decoded(pairs[f], 256, 256, again);
        assert_memory_equal(shown, rgba, 262144);
        free(shown);
        free(again);
        free(rgba);
    }
    free(data);
}

/* One changed texel changes only that texel's bytes, or its 4 x 4 block's. */
static void test_change(void **state) {
    (void)state;
    random_state r = {77};
    for (size_t f = 0; f < FORMATS; f++) {
        unsigned format = formats[f];
        if (!mst_gx_can_encode(format))
            continue;
        unsigned max = format == MST_GX_CMPR ? 8 : format == MST_GX_RGBA8 ? 4 : 2;
        for (unsigned i = 0; i < 40; i++) {
            uint32_t width = 1 + random_below(&r, 30), height = 1 + random_below(&r, 30);
            size_t size = (size_t)mst_gx_level_size(format, width, height);
            uint8_t *data = random_bytes(&r, size), *rgba = decoded(format, width, height, data);
            uint8_t *texel = rgba + (size_t)random_below(&r, width * height) * 4;
            for (unsigned k = 0; k < 3; k++)
                texel[k] ^= 0x80;
            texel[3] = 255;
            uint8_t *again = encoded(format, width, height, rgba, data);
            size_t first = 0, end = size;
            while (first < size && again[first] == data[first])
                first++;
            while (end > first && again[end - 1] == data[end - 1])
                end--;
            assert_true(first < end); /* something has changed */
            if (format == MST_GX_RGBA8) {
                size_t changed = 0;
                for (size_t k = 0; k < size; k++)
                    changed += again[k] != data[k];
                assert_true(changed <= max);
                assert_int_equal(first / 64, (end - 1) / 64);
            } else {
                assert_int_equal(first / max, (end - 1) / max);
            }
            /* In place it is the same. */
            mst_gx_encode(format, width, height, rgba, data, data);
            assert_memory_equal(again, data, size);
            free(again);
            free(rgba);
            free(data);
        }
    }
}

static void put_texel(uint8_t *rgba, uint32_t texel) {
    mst_store32(rgba, texel, true);
}

/* The nearest possible value, worked out by hand. */
static void test_nearest(void **state) {
    (void)state;
    uint8_t rgba[16 * 4] = {0}, data[64], shown[16 * 4];
    put_texel(rgba, 0x646464FF);
    put_texel(rgba + 4, 0x08F7FF80);
    mst_gx_encode(MST_GX_I4, 4, 4, rgba, NULL, data);
    assert_int_equal(data[0], 0x60); /* 100 / 17 = 5.88; 8 / 17 = 0.47 */
    mst_gx_encode(MST_GX_IA4, 4, 4, rgba, NULL, data);
    assert_int_equal(data[0], 0xF6);
    assert_int_equal(data[1], 0x80); /* 128 / 17 = 7.53 */
    mst_gx_encode(MST_GX_RGB565, 4, 4, rgba, NULL, data);
    assert_int_equal(mst_load16(data, true), 12 << 11 | 25 << 5 | 12);    /* 12.16, 24.7, 12.16 */
    assert_int_equal(mst_load16(data + 2, true), 1 << 11 | 61 << 5 | 31); /* 0.97, 61.02, 31 */
    mst_gx_encode(MST_GX_RGB5A3, 4, 4, rgba, NULL, data);
    assert_int_equal(mst_load16(data, true),
                     0x8000 | 12 << 10 | 12 << 5 | 12); /* 98.7 for 100; 102 is further */
    assert_int_equal(mst_load16(data + 2, true), 4 << 12 | 0 << 8 | 15 << 4 | 15); /* 0.47, 14.5 */
    put_texel(rgba, 0x224466FF); /* only the form with alpha can express it */
    mst_gx_encode(MST_GX_RGB5A3, 4, 4, rgba, NULL, data);
    assert_int_equal(mst_load16(data, true), 0x7246);
    mst_gx_encode(MST_GX_RGBA8, 4, 4, rgba, NULL, data);
    mst_gx_decode(MST_GX_RGBA8, 4, 4, data, shown);
    assert_memory_equal(shown, rgba, sizeof shown);
}

/* ---- CMPR ---------------------------------------------------------------------------------------- */

static uint64_t difference(const uint8_t *a, const uint8_t *b, size_t texels) {
    uint64_t sum = 0;
    for (size_t i = 0; i < texels * 4; i++)
        if (i % 4 < 3)
            sum += (uint64_t)((a[i] - b[i]) * (a[i] - b[i]));
    return sum;
}

static void test_cmpr_encoding(void **state) {
    (void)state;
    uint8_t rgba[64 * 4], data[32], shown[64 * 4];
    random_state r = {3};
    /* Two colours that the format can express are reproduced exactly; so are holes, with a colour or two
     * around them. */
    for (unsigned round = 0; round < 200; round++) {
        uint32_t colors[2], holes = round % 3;
        for (unsigned i = 0; i < 2; i++) {
            uint32_t red = random_below(&r, 32), green = random_below(&r, 64), blue = random_below(&r, 32);
            colors[i] = (red << 3 | red >> 2) << 24 | (green << 2 | green >> 4) << 16 |
                        (blue << 3 | blue >> 2) << 8 | 255;
        }
        for (unsigned i = 0; i < 64; i++) {
            put_texel(rgba + 4 * i, colors[random_below(&r, 2)]);
            if (random_below(&r, 4) < holes)
                rgba[4 * i + 3] = (uint8_t)random_below(&r, 128);
            else
                rgba[4 * i + 3] = (uint8_t)(128 + random_below(&r, 128));
        }
        mst_gx_encode(MST_GX_CMPR, 8, 8, rgba, NULL, data);
        mst_gx_decode(MST_GX_CMPR, 8, 8, data, shown);
        for (unsigned i = 0; i < 64; i++) {
            assert_int_equal(shown[4 * i + 3], rgba[4 * i + 3] < 128 ? 0 : 255);
            if (shown[4 * i + 3])
                assert_memory_equal(shown + 4 * i, rgba + 4 * i, 3);
        }
    }
    /* Only holes. */
    memset(rgba, 0, sizeof rgba);
    mst_gx_encode(MST_GX_CMPR, 8, 8, rgba, NULL, data);
    mst_gx_decode(MST_GX_CMPR, 8, 8, data, shown);
    assert_memory_equal(shown, rgba, sizeof rgba);
    /* Any single colour is reproduced within 1, which 5 bits alone (within 4) cannot achieve. */
    for (unsigned round = 0; round < 300; round++) {
        uint32_t color = random_next(&r) << 8 | 255;
        for (unsigned i = 0; i < 64; i++)
            put_texel(rgba + 4 * i, color);
        mst_gx_encode(MST_GX_CMPR, 8, 8, rgba, NULL, data);
        mst_gx_decode(MST_GX_CMPR, 8, 8, data, shown);
        for (unsigned i = 0; i < 64 * 4; i++)
            assert_in_range(shown[i] + 1, rgba[i], rgba[i] + 2);
    }
    /* A ramp of 16 greys from 60 to 105: four steps are at best 15 apart, so the mean square error need not
     * exceed about (15 / 4)^2 + 2 per channel; twice that is bad. */
    for (unsigned i = 0; i < 64; i++) {
        unsigned grey = 60 + 3 * (i % 4 + i / 8 % 4 * 4);
        put_texel(rgba + 4 * i, grey * 0x01010100u | 255);
    }
    mst_gx_encode(MST_GX_CMPR, 8, 8, rgba, NULL, data);
    mst_gx_decode(MST_GX_CMPR, 8, 8, data, shown);
    assert_true(difference(shown, rgba, 64) < 64 * 3 * 32);
}

/* An editor that clears the colour of invisible texels does not change a block. */
static void test_cmpr_hidden(void **state) {
    (void)state;
    random_state r = {9};
    uint8_t *data = random_bytes(&r, 32), rgba[64 * 4], again[32];
    mst_gx_decode(MST_GX_CMPR, 8, 8, data, rgba);
    unsigned holes = 0;
    for (unsigned i = 0; i < 64; i++)
        if (rgba[4 * i + 3] == 0) {
            memset(rgba + 4 * i, 0, 3);
            holes++;
        }
    assert_true(holes);
    mst_gx_encode(MST_GX_CMPR, 8, 8, rgba, data, again);
    assert_memory_equal(again, data, 32);
    free(data);
}

/* ---- the corpus ---------------------------------------------------------------------------------- */

static const mst_json_node *member(const mst_json *json, const mst_json_node *object, const char *name) {
    const mst_json_node *key = object + 1;
    for (uint32_t i = 0; i < object->count; i++, key = &json->nodes[key[1].end])
        if (key->length == strlen(name) && memcmp(key->text, name, key->length) == 0)
            return key + 1;
    return NULL;
}

static unsigned long number_of(const mst_json_node *node) {
    assert_non_null(node);
    assert_int_equal(node->kind, MST_JSON_NUMBER);
    return strtoul(node->text, NULL, 10);
}

typedef struct texture {
    const uint8_t *levels;
    size_t size;
    uint32_t width, height;
    unsigned format;
} texture;

/* The header has 0x60 bytes. */
static texture texture_of(const uint8_t *bytes, size_t size) {
    assert_true(size > 0x60);
    texture t = {bytes + 0x60, size - 0x60, mst_load16(bytes + 10, true), mst_load16(bytes + 12, true),
                 bytes[0x16]};
    return t;
}

static void assert_picture(const texture *t, const mst_json_node *digest, const char *hexadecimal) {
    size_t size = (size_t)mst_gx_level_size(t->format, t->width, t->height);
    assert_true(size && size <= t->size);
    uint8_t *rgba = decoded(t->format, t->width, t->height, t->levels);
    char text[65];
    mst_sha256_text(rgba, (size_t)t->width * t->height * 4, text);
    if (digest) {
        assert_int_equal(digest->length, 64);
        assert_memory_equal(text, digest->text, 64);
    } else {
        assert_string_equal(text, hexadecimal);
    }
    if (mst_gx_can_encode(t->format)) {
        uint8_t *again = encoded(t->format, t->width, t->height, rgba, t->levels);
        assert_memory_equal(again, t->levels, size);
        free(again);
    }
    free(rgba);
}

static void corpus_textures(void **state) {
    (void)state;
    /* From an independent decoder. */
    static const struct {
        const char *name, *digest;
        unsigned format;
        double max; /* mean square error of a channel after fitting the colours again */
    } known[] = {{"0726", "4bb48ee8b9bf575650e0dcc7bffa3bfc98a2bdbc1531da5564c7183838f88f0d", 5, 0},
                 {"0728", "089ecbf592270bb151880632a73f44794d85da5105290745d0b0a2f4e6b9fbcf", 14, 1},
                 {"0729", "d9a704d7572553c34c6e60126e6ffd23397d8549c6ffa3249308f97b2f33a6f8", 14, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[64];
        size_t size;
        snprintf(path, sizeof path, "sfa/samples/textures/%s.00.tex", known[i].name);
        uint8_t *bytes = corpus_read(path, &size);
        texture t = texture_of(bytes, size);
        assert_int_equal(t.format, known[i].format);
        assert_picture(&t, NULL, known[i].digest);
        /* All its levels are also reproduced, and with the same quality without the old data. */
        unsigned levels = bytes[0x1D] + 1u;
        size_t at = 0;
        for (unsigned k = 0; k < levels; k++) {
            uint32_t width = t.width >> k ? t.width >> k : 1, height = t.height >> k ? t.height >> k : 1;
            size_t length = (size_t)mst_gx_level_size(t.format, width, height);
            assert_true(length <= t.size - at);
            uint8_t *rgba = decoded(t.format, width, height, t.levels + at);
            uint8_t *again = encoded(t.format, width, height, rgba, t.levels + at);
            assert_memory_equal(again, t.levels + at, length);
            free(again);
            again = encoded(t.format, width, height, rgba, NULL);
            uint8_t *shown = decoded(t.format, width, height, again);
            double error = (double)difference(shown, rgba, (size_t)width * height) / (width * height * 3.0);
            if (error > known[i].max)
                print_error("%s, level %u: %f\n", known[i].name, k, error);
            assert_true(error <= known[i].max);
            free(shown);
            free(again);
            free(rgba);
            at += length;
        }
        assert_int_equal((at + 31) / 32 * 32, t.size);
        free(bytes);
    }
}

/* A packed entry of a bank: four letters, version, unpacked and packed size, and zlib's stream; or the bytes
 * themselves from 0x20 on. */
static void entry_picture(const uint8_t *bytes, size_t size, size_t at, const mst_json_node *digest) {
    assert_true(mst_fits(at, 0x20, size));
    uint32_t length = mst_load32(bytes + at + 8, true);
    if (memcmp(bytes + at, "DIR", 3) == 0) {
        assert_true(mst_fits(at + 0x20, length, size));
        texture t = texture_of(bytes + at + 0x20, length);
        assert_picture(&t, digest, NULL);
        return;
    }
    assert_memory_equal(bytes + at, "ZLB", 3);
    mst_buffer memory = {0};
    mst_diagnostic why;
    uint64_t used;
    mst_status status =
        mst_zlib_unpack(bytes + at + 16, size - at - 16, length, 1u << 24, &memory, &used, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        assert_int_equal(used, mst_load32(bytes + at + 12, true));
        texture t = texture_of(memory.data, memory.size);
        assert_picture(&t, digest, NULL);
    }
    mst_buffer_free(&memory);
}

static void corpus_bank(const mst_json *json, const char *name, unsigned *pictures) {
    char path[64];
    size_t size;
    snprintf(path, sizeof path, "sfa/%s.bin", name);
    uint8_t *bytes = corpus_read(path, &size);
    const mst_json_node *list = member(json, &json->nodes[0], name), *entry;
    assert_non_null(list);
    entry = list + 1;
    for (uint32_t i = 0; i < list->count; i++, entry = &json->nodes[entry->end]) {
        const mst_json_node *frames = member(json, entry, "frames");
        if (!frames)
            continue;
        size_t at = number_of(member(json, entry, "offset"));
        const mst_json_node *frame = frames + 1;
        for (uint32_t k = 0; k < frames->count; k++, frame = &json->nodes[frame->end]) {
            size_t place = frames->count > 1 ? at + mst_load32(bytes + at + 4 * k, true) : at;
            entry_picture(bytes, size, place, member(json, frame, "rgba_sha256"));
            ++*pictures;
        }
    }
    free(bytes);
}

static void corpus_banks(void **state) {
    (void)state;
    size_t size;
    uint8_t *text = corpus_read("sfa/expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    unsigned pictures = 0;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_json_parse((const char *)text, size, &arena, &json, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        corpus_bank(&json, "mini/animtest/TEX1", &pictures);
        corpus_bank(&json, "mini/shipbattle/TEX1", &pictures);
        assert_int_equal(pictures, 18);
    }
    mst_arena_end(&arena);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
}

int test_gx_texture(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_texels),
        cmocka_unit_test(test_cmpr_texels),   cmocka_unit_test(test_edges),
        cmocka_unit_test(test_exact),         cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_change),        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_cmpr_encoding), cmocka_unit_test(test_cmpr_hidden),
        cmocka_unit_test(corpus_textures),    cmocka_unit_test(corpus_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
