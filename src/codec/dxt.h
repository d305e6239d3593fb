/* SPDX-License-Identifier: MIT */
/*
 * DXT1, DXT3 and DXT5: blocks of 4 x 4 texels, from left to right and top to bottom; those at the edges are
 * complete. Numbers are little-endian, the first texel's index is in the low bits.
 */
#ifndef MST_CODEC_DXT_H
#define MST_CODEC_DXT_H

#include <stdint.h>

typedef enum mst_dxt {
    MST_DXT1, /* 8 bytes: colours, of which one may be transparent */
    MST_DXT3, /* 16: four bits of alpha for each texel, then colours */
    MST_DXT5  /* 16: two ends of alpha and three bits for each texel, then colours */
} mst_dxt;

/* The size in bytes of an image of at most 65,535 x 65,535 texels. */
uint64_t mst_dxt_size(mst_dxt kind, uint32_t width, uint32_t height);

/* Decodes to width x height texels of 4 bytes (r, g, b, a; top row first). The caller has proved both sizes.
 */
void mst_dxt_decode(mst_dxt kind, uint32_t width, uint32_t height, const uint8_t *data, uint8_t *rgba);

/*
 * Encodes the changes between `before` and `rgba`: blocks without a changed texel keep the bytes that `data`
 * holds on entry, the colours of the others are fitted. Texels outside of the image repeat its edge. DXT1:
 * texels with alpha below 128 become transparent and lose their colour.
 */
void mst_dxt_encode(mst_dxt kind, uint32_t width, uint32_t height, const uint8_t *before, const uint8_t *rgba,
                    uint8_t *data);

#endif
