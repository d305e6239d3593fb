/* SPDX-License-Identifier: MIT */
/* Pictures that materials name: PNG, TGA and DDS, identified by content. */
#ifndef MST_TUROK_MODELS_TUROK_PICTURE_H
#define MST_TUROK_MODELS_TUROK_PICTURE_H

#include "../../../core/arena.h"
#include <mapstone/pixels.h>

/* The number of pixels that a picture claims to have, limited to the maximum for a file of that size; 0: not
 * a supported picture. */
uint64_t mst_kex_picture_pixels(const uint8_t *bytes, size_t size);
/* Reads a picture as RGBA8 into the arena, not larger than `most` (0: any). MST_DAMAGED: it cannot be read.
 */
mst_status mst_kex_picture_read(const uint8_t *bytes, size_t size, uint32_t most, mst_arena *arena,
                                mst_pixels *pixels);

#endif
