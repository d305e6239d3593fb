/* SPDX-License-Identifier: MIT */
/*
 * Blocks of 64 x 64 pixels or depths as Revenant packs them: codes for runs and for values to skip, and
 * copies of bytes of the packed stream itself. Each block has its own two marker bytes, which begin the
 * codes.
 */
#ifndef MST_CODEC_TILE_BLOCK_H
#define MST_CODEC_TILE_BLOCK_H

#include <mapstone/base.h>
#include <stdbool.h>

#define MST_TILE_SIDE   64u
#define MST_TILE_VALUES (MST_TILE_SIDE * MST_TILE_SIDE)
#define MST_TILE_CLEAR  0x7F7Fu /* the depth of empty pixels */

/* `deep`: depths, of 16 bits; else pixels, of 8. */
typedef struct mst_tile_block {
    const uint8_t *markers; /* two; copies may begin with them */
    const uint8_t *stream;
    size_t size; /* of the stream */
    bool deep;
} mst_tile_block;

/* Unpacks to MST_TILE_VALUES values, row by row. False if the block is damaged: missing values are 0, or
 * MST_TILE_CLEAR for depths. */
bool mst_tile_unpack(const mst_tile_block *block, uint16_t *values);

/* At most this many bytes are packed from a block, with the markers. */
#define MST_TILE_PACKED_MAX (2 + MST_TILE_VALUES * 6 + MST_TILE_SIDE * 2)
/* Packs values; `markers` are kept if no value has one of them. Returns the number of bytes, which begin with
 * the markers. `packed` has room for MST_TILE_PACKED_MAX. */
size_t mst_tile_pack(const uint16_t *values, bool deep, const uint8_t markers[2], uint8_t *packed);

#endif
