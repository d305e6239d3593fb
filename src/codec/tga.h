/* SPDX-License-Identifier: MIT */
/* Truevision TGA pictures. They have no magic number: the header's numbers must be plausible. */
#ifndef MST_CODEC_TGA_H
#define MST_CODEC_TGA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MST_TGA_MAX_SIDE 16384u

typedef struct mst_tga {
    uint32_t width, height;
    unsigned depth;         /* bits of a pixel, or of an index into the palette */
    unsigned palette_depth; /* bits of its colours; 0: there is no palette */
    uint32_t palette_first, palette_count;
    size_t palette, pixels; /* offsets */
    bool gray, packed, from_top, from_right, no_alpha;
} mst_tga;

/* Reads the header; false: it is not a supported TGA. */
bool mst_tga_begin(const uint8_t *bytes, size_t size, mst_tga *tga);
/* Fills 4 bytes (red, green, blue, alpha) for each pixel, rows from the top. False: the file is too short. */
bool mst_tga_decode(const uint8_t *bytes, size_t size, const mst_tga *tga, uint8_t *rgba);

#endif
