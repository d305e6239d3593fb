/* SPDX-License-Identifier: MIT */
/*
 * Frames of sprites as Alien Trilogy packs them: literal bytes and copies of earlier output. A byte of flags,
 * from the lowest bit on, marks which of the next eight items are copies.
 */
#ifndef MST_CODEC_FRAME_LZ_H
#define MST_CODEC_FRAME_LZ_H

#include "../core/arena.h"
#include <mapstone/base.h>
#include <stdbool.h>

/* The packed and the unpacked size in bytes. */
typedef struct mst_frame_lz_sizes {
    size_t packed, unpacked;
} mst_frame_lz_sizes;

/* Measures packed data at the beginning of `bytes`; false: they are not packed. */
bool mst_frame_lz_measure(const uint8_t *bytes, size_t size, mst_frame_lz_sizes *sizes);
/* Unpacks them; `unpacked` has room for the measured size. False: they are not packed, or exceed
 * `capacity`. */
bool mst_frame_lz_unpack(const uint8_t *bytes, size_t size, uint8_t *unpacked, size_t capacity);

/* Packs with the choices of the game's own packer. Returns the number of bytes; 0: out of memory. The result
 * is in the arena. */
size_t mst_frame_lz_pack(const uint8_t *bytes, size_t size, mst_arena *arena, uint8_t **packed);

#endif
