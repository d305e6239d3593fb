/* SPDX-License-Identifier: MIT */
/* The next smaller level of a texture's mip maps. */
#ifndef MST_CODEC_HALVE_H
#define MST_CODEC_HALVE_H

#include <stddef.h>
#include <stdint.h>

/* The side of the next smaller level. */
static inline uint32_t mst_half(uint32_t side) {
    return side > 1 ? side / 2 : 1;
}

/* Means of 2 x 2 texels of 4 bytes; `to` has half the width and half the height. */
static inline void mst_halve(const uint8_t *from, uint32_t width, uint32_t height, uint8_t *to) {
    uint32_t w = mst_half(width), h = mst_half(height);
    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++)
            for (unsigned c = 0; c < 4; c++) {
                size_t left = 2 * (size_t)x, right = left + (width > 1);
                size_t a = 2 * (size_t)y * width, b = a + (height > 1 ? width : 0);
                to[((size_t)y * w + x) * 4 + c] =
                    (uint8_t)((from[(a + left) * 4 + c] + from[(a + right) * 4 + c] +
                               from[(b + left) * 4 + c] + from[(b + right) * 4 + c] + 2) /
                              4);
            }
}

#endif
