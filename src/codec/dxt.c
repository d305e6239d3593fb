/* SPDX-License-Identifier: MIT */
#include "dxt.h"
#include "../core/bytes.h"
#include "color_block.h"

#define SIDE   4u
#define TEXELS (SIDE * SIDE)
#define STRIDE (SIDE * 4)

static unsigned block_size(mst_dxt kind) {
    return kind == MST_DXT1 ? 8 : 16;
}

static uint32_t across(uint32_t side) {
    return (side + SIDE - 1) / SIDE;
}

static uint32_t min(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

uint64_t mst_dxt_size(mst_dxt kind, uint32_t width, uint32_t height) {
    return (uint64_t)across(width) * across(height) * block_size(kind);
}

/* ---- decoding ------------------------------------------------------------------------------------ */

static void decode_colors(const uint8_t *data, bool always_four, uint8_t texels[TEXELS * 4]) {
    uint32_t c0 = mst_load16(data, false), c1 = mst_load16(data + 2, false), colors[4];
    uint32_t indices = mst_load32(data + 4, false);
    bool four = always_four || c0 > c1;
    mst_color_block_colors(c0, c1, four, colors);
    if (!four)
        colors[3] = 0; /* transparent texels are black here */
    for (unsigned i = 0; i < TEXELS; i++)
        mst_store32(texels + 4 * i, colors[indices >> 2 * i & 3], false);
}

/* The eight alphas of a block: both ends and six between them if the first is larger; else both ends, four
 * between them, 0 and 255. */
static void alphas_between(unsigned a, unsigned b, uint8_t alphas[8]) {
    unsigned steps = a > b ? 7 : 5;
    alphas[0] = (uint8_t)a;
    alphas[1] = (uint8_t)b;
    for (unsigned i = 1; i < steps; i++)
        alphas[i + 1] = (uint8_t)(((steps - i) * a + i * b) / steps);
    if (steps == 5) {
        alphas[6] = 0;
        alphas[7] = 255;
    }
}

/* The three bits of each texel. */
static uint64_t load48(const uint8_t *data) {
    return mst_load32(data, false) | (uint64_t)mst_load16(data + 4, false) << 32;
}

static void decode_block(mst_dxt kind, const uint8_t *data, uint8_t texels[TEXELS * 4]) {
    if (kind == MST_DXT1) {
        decode_colors(data, false, texels);
        return;
    }
    decode_colors(data + 8, true, texels);
    if (kind == MST_DXT3) {
        for (unsigned i = 0; i < TEXELS; i++)
            texels[4 * i + 3] = (uint8_t)((data[i / 2] >> 4 * (i % 2) & 15) * 17);
        return;
    }
    uint8_t alphas[8];
    alphas_between(data[0], data[1], alphas);
    uint64_t indices = load48(data + 2);
    for (unsigned i = 0; i < TEXELS; i++)
        texels[4 * i + 3] = alphas[indices >> 3 * i & 7];
}

void mst_dxt_decode(mst_dxt kind, uint32_t width, uint32_t height, const uint8_t *data, uint8_t *rgba) {
    size_t stride = (size_t)width * 4;
    for (uint32_t y = 0; y < height; y += SIDE)
        for (uint32_t x = 0; x < width; x += SIDE, data += block_size(kind)) {
            uint8_t texels[TEXELS * 4];
            decode_block(kind, data, texels);
            for (uint32_t row = 0; row < min(SIDE, height - y); row++)
                memcpy(rgba + (y + row) * stride + (size_t)x * 4, texels + row * STRIDE,
                       min(SIDE, width - x) * 4u);
        }
}

/* ---- encoding ------------------------------------------------------------------------------------ */

static void encode_colors(const uint8_t texels[TEXELS * 4], bool holes, uint8_t *data) {
    mst_color_block block = mst_color_block_fit(texels, STRIDE, holes);
    uint32_t indices = 0;
    for (unsigned i = 0; i < TEXELS; i++) /* reversed */
        indices |= (block.indices >> (30 - 2 * i) & 3) << 2 * i;
    mst_store16(data, (uint16_t)block.c0, false);
    mst_store16(data + 2, (uint16_t)block.c1, false);
    mst_store32(data + 4, indices, false);
}

/* The best indices for two ends of alpha. Returns the sum of the squared errors. */
static uint32_t try_alphas(const uint8_t texels[TEXELS * 4], unsigned a, unsigned b, uint64_t *indices) {
    uint8_t alphas[8];
    uint32_t error = 0;
    alphas_between(a, b, alphas);
    *indices = 0;
    for (unsigned i = 0; i < TEXELS; i++) {
        uint32_t nearest = UINT32_MAX, index = 0;
        for (unsigned k = 0; k < 8; k++) {
            int32_t d = alphas[k] - texels[4 * i + 3];
            if ((uint32_t)(d * d) < nearest) {
                nearest = (uint32_t)(d * d);
                index = k;
            }
        }
        error += nearest;
        *indices |= (uint64_t)index << 3 * i;
    }
    return error;
}

static void encode_alphas(const uint8_t texels[TEXELS * 4], uint8_t *data) {
    unsigned low = 255, high = 0, inner_low = 255, inner_high = 0;
    for (unsigned i = 0; i < TEXELS; i++) {
        unsigned alpha = texels[4 * i + 3];
        low = alpha < low ? alpha : low;
        high = alpha > high ? alpha : high;
        if (alpha == 0 || alpha == 255)
            continue;
        inner_low = alpha < inner_low ? alpha : inner_low;
        inner_high = alpha > inner_high ? alpha : inner_high;
    }
    if (inner_low > inner_high) /* only 0 and 255 */
        inner_low = inner_high = low;
    uint64_t six, eight;
    bool inner = try_alphas(texels, inner_low, inner_high, &six) < try_alphas(texels, high, low, &eight);
    data[0] = (uint8_t)(inner ? inner_low : high);
    data[1] = (uint8_t)(inner ? inner_high : low);
    uint64_t indices = inner ? six : eight;
    mst_store32(data + 2, (uint32_t)indices, false);
    mst_store16(data + 6, (uint16_t)(indices >> 32), false);
}

static void encode_block(mst_dxt kind, const uint8_t texels[TEXELS * 4], uint8_t *data) {
    if (kind == MST_DXT1) {
        encode_colors(texels, true, data);
        return;
    }
    encode_colors(texels, false, data + 8);
    if (kind == MST_DXT5) {
        encode_alphas(texels, data);
        return;
    }
    for (unsigned i = 0; i < TEXELS; i += 2)
        data[i / 2] = (uint8_t)(mst_texel_to_steps(texels[4 * i + 3], 15) |
                                mst_texel_to_steps(texels[4 * i + 7], 15) << 4);
}

/* Whether two texels are equal in this format. */
static bool same_texel(mst_dxt kind, const uint8_t *a, const uint8_t *b) {
    if (kind == MST_DXT1) /* alpha is one bit, and transparent texels have no colour */
        return a[3] >> 7 == b[3] >> 7 && (a[3] < 128 || memcmp(a, b, 3) == 0);
    return memcmp(a, b, 4) == 0;
}

void mst_dxt_encode(mst_dxt kind, uint32_t width, uint32_t height, const uint8_t *before, const uint8_t *rgba,
                    uint8_t *data) {
    size_t stride = (size_t)width * 4;
    for (uint32_t y = 0; y < height; y += SIDE)
        for (uint32_t x = 0; x < width; x += SIDE, data += block_size(kind)) {
            uint8_t texels[TEXELS * 4];
            uint32_t rows = min(SIDE, height - y), columns = min(SIDE, width - x);
            bool same = true;
            for (uint32_t i = 0; i < TEXELS; i++) {
                uint32_t row = y + min(i / SIDE, rows - 1), column = x + min(i % SIDE, columns - 1);
                size_t at = row * stride + (size_t)column * 4;
                memcpy(texels + 4 * i, rgba + at, 4);
                same = same && same_texel(kind, rgba + at, before + at);
            }
            if (!same)
                encode_block(kind, texels, data);
        }
}
