/* SPDX-License-Identifier: MIT */
/*
 * The texture formats of the GameCube's graphics chip (GX). Pictures are stored in tiles, from left to right
 * and top to bottom; a picture that ends within a tile has the whole tile. Numbers are big-endian, and of two
 * texels in a byte the left one is in the high half.
 */
#ifndef MST_CODEC_GX_TEXTURE_H
#define MST_CODEC_GX_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MST_GX_I4 = 0,
    MST_GX_I8 = 1,
    MST_GX_IA4 = 2,
    MST_GX_IA8 = 3,
    MST_GX_RGB565 = 4,
    MST_GX_RGB5A3 = 5,
    MST_GX_RGBA8 = 6,
    MST_GX_C4 = 8,
    MST_GX_C8 = 9,
    MST_GX_C14X2 = 10,
    MST_GX_CMPR = 14
};

bool mst_gx_is_known(unsigned format);
/* "RGB5A3" and so on; NULL for a format that is not known. */
const char *mst_gx_name(unsigned format);
/* The bytes of one level of at most 65,535 x 65,535 texels; 0 for a format that is not known. */
uint64_t mst_gx_level_size(unsigned format, uint32_t width, uint32_t height);

/*
 * Makes width x height texels of 4 bytes (r, g, b, a; top row first) of a level of a known format. The caller
 * has proved both sizes. Intensity (I4, I8) is alpha as well, as the chip has it. The palette's indices (C4,
 * C8, C14X2) become shades of grey: the largest one is white.
 */
void mst_gx_decode(unsigned format, uint32_t width, uint32_t height, const uint8_t *data, uint8_t *rgba);

/* All but those with a palette, which is stored elsewhere. */
bool mst_gx_can_encode(unsigned format);
/*
 * Makes a level of texels. Exact where the format has the colour, else the nearest it has; intensity is taken
 * from red. CMPR: texels with alpha below 128 become transparent and lose their colour, the colours of each
 * 4 x 4 are fitted.
 *
 * `previous` (may be NULL) is a level of the same format and size, which `rgba` was made of and then changed:
 * what decodes to the texels wanted is kept as it was, byte for byte, texel by texel (CMPR: 4 x 4 by 4 x 4),
 * and so is what lies in tiles outside of the picture. It may be the same memory as `data`. Without it the
 * texels outside repeat the picture's edge.
 */
void mst_gx_encode(unsigned format, uint32_t width, uint32_t height, const uint8_t *rgba,
                   const uint8_t *previous, uint8_t *data);

#endif
