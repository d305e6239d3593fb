/* SPDX-License-Identifier: MIT */
/*
 * Texels as numbers, and blocks of 4 x 4 texels as two end colours and an index for each texel (S3TC): shared
 * by the GameCube's CMPR and the DXT formats of PCs.
 */
#ifndef MST_CODEC_COLOR_BLOCK_H
#define MST_CODEC_COLOR_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A texel as one number, which is r, g, b, a when stored little-endian. */
static inline uint32_t mst_texel(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    return r | g << 8 | b << 16 | a << 24;
}

/* Repeats the high bits in the low ones, so that all ones become 255. */
static inline uint32_t mst_texel_from5(uint32_t v) {
    return v << 3 | v >> 2;
}
static inline uint32_t mst_texel_from6(uint32_t v) {
    return v << 2 | v >> 4;
}
static inline uint32_t mst_texel_from_rgb565(uint32_t v) {
    return mst_texel(mst_texel_from5(v >> 11), mst_texel_from6(v >> 5 & 63), mst_texel_from5(v & 31), 255);
}

/* The nearest of `max` + 1 steps from 0 to 255. */
static inline uint32_t mst_texel_to_steps(uint32_t v, uint32_t max) {
    return (v * max + 127) / 255;
}
static inline uint32_t mst_texel_to_rgb565(uint32_t texel) {
    return mst_texel_to_steps(texel & 255, 31) << 11 | mst_texel_to_steps(texel >> 8 & 255, 63) << 5 |
           mst_texel_to_steps(texel >> 16 & 255, 31);
}

/* How far apart two colours are: the sum of squares, without alpha. */
static inline uint32_t mst_texel_distance(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 24; i += 8) {
        int32_t d = (int32_t)(a >> i & 255) - (int32_t)(b >> i & 255);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

/* The four colours of a block: both ends, and with `four` two between them; else the one half-way, and the
 * same one transparent. */
static inline void mst_color_block_colors(uint32_t c0, uint32_t c1, bool four, uint32_t colors[4]) {
    uint32_t a = mst_texel_from_rgb565(c0), b = mst_texel_from_rgb565(c1), between[3][2];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t p = a >> 8 * i & 255, q = b >> 8 * i & 255;
        between[i][0] = four ? (2 * p + q) / 3 : (p + q) / 2;
        between[i][1] = four ? (p + 2 * q) / 3 : (p + q) / 2;
    }
    colors[0] = a;
    colors[1] = b;
    colors[2] = mst_texel(between[0][0], between[1][0], between[2][0], 255);
    colors[3] = mst_texel(between[0][1], between[1][1], between[2][1], four ? 255 : 0);
}

typedef struct mst_color_block {
    uint32_t c0, c1;  /* the ends, as RGB565; there are four colours if c0 > c1 */
    uint32_t indices; /* two bits each, the first texel's in the top bits */
} mst_color_block;

/*
 * Fits a block to 4 x 4 texels with rows `stride` bytes apart. With `holes`, texels with alpha below 128
 * become transparent and lose their colour; without, alpha is ignored, and the block also decodes correctly
 * if a reader always takes four colours.
 */
mst_color_block mst_color_block_fit(const uint8_t *texels, size_t stride, bool holes);

#endif
