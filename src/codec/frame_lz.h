/* SPDX-License-Identifier: MIT */
/*
 * Frames of sprites as Alien Trilogy packs them: literal bytes and copies of what was unpacked before. A byte
 * of flags, from the lowest bit on, says of the next eight items which of them are copies.
 */
#ifndef MST_CODEC_FRAME_LZ_H
#define MST_CODEC_FRAME_LZ_H

#include "../core/arena.h"
#include <mapstone/base.h>
#include <stdbool.h>

/* How many bytes packed data take and unpack to. */
typedef struct mst_frame_lz_sizes {
    size_t packed, unpacked;
} mst_frame_lz_sizes;

/* Measures packed data that begin `bytes`; false: they are not packed. */
bool mst_frame_lz_measure(const uint8_t *bytes, size_t size, mst_frame_lz_sizes *sizes);
/* Unpacks them; `unpacked` has room for what was measured. False: they are not packed, or there are more. */
bool mst_frame_lz_unpack(const uint8_t *bytes, size_t size, uint8_t *unpacked, size_t capacity);

/* Packs with the choices of the game's own packer. Returns the number of bytes; 0: there is no memory. The
 * result is in the arena. */
size_t mst_frame_lz_pack(const uint8_t *bytes, size_t size, mst_arena *arena, uint8_t **packed);

#endif
