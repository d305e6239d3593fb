/* SPDX-License-Identifier: MIT */
/*
 * The texture formats of the GameCube's graphics chip (GX). Images are stored in tiles, from left to right
 * and top to bottom; tiles at the edges are complete. Numbers are big-endian; of two texels in a byte, the
 * left one is in the high half.
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
/* "RGB5A3" and so on; NULL for an unknown format. */
const char *mst_gx_name(unsigned format);
/* The size in bytes of a mipmap level of at most 65,535 x 65,535 texels; 0 for an unknown format. */
uint64_t mst_gx_level_size(unsigned format, uint32_t width, uint32_t height);

/*
 * Decodes a mipmap level of a known format to width x height texels of 4 bytes (r, g, b, a; top row first).
 * The caller has proved both sizes. Intensity (I4, I8) is also the alpha, as in the chip. Palette indices
 * (C4, C8, C14X2) become shades of grey, the largest one white.
 */
void mst_gx_decode(unsigned format, uint32_t width, uint32_t height, const uint8_t *data, uint8_t *rgba);

/* Whether a format can be encoded: all except those with a palette, which is stored elsewhere. */
bool mst_gx_can_encode(unsigned format);
/*
 * Encodes texels as a mipmap level. Exact if the format has the colour, else the nearest one; intensity is
 * taken from red. CMPR: texels with alpha below 128 become transparent and lose their colour; the colours of
 * each 4 x 4 block are fitted.
 *
 * `previous` (may be NULL) is a level of the same format and size, from which `rgba` was decoded before it
 * was edited: texels (CMPR: 4 x 4 blocks) that did not change keep their bytes, as do texels of tiles outside
 * the image. It may be the same memory as `data`. Without it, texels outside repeat the image's edge.
 */
void mst_gx_encode(unsigned format, uint32_t width, uint32_t height, const uint8_t *rgba,
                   const uint8_t *previous, uint8_t *data);

#endif
