/* SPDX-License-Identifier: MIT */
/*
 * Streams of zlib (deflate between a header of two bytes and an Adler-32), by the system's zlib. In a build
 * without it unpacking and packing are MST_UNSUPPORTED.
 */
#ifndef MST_CODEC_DEFLATE_H
#define MST_CODEC_DEFLATE_H

#include <mapstone/base.h>
#include <stdbool.h>

/*
 * Unpacks the stream that `packed` begins with, which other bytes may follow, and appends exactly
 * `unpacked_size` bytes to `bytes`, of whose allocator everything is taken. `used` (may be NULL) receives the
 * bytes that the stream takes. After a failure `bytes` holds what it held, and `used` is 0.
 *
 * Refused before anything is allocated: MST_DAMAGED (ZLIB-CLAIM) if unpacked_size is more than `size` bytes
 * can make, which is 1,032 times as many and a few; MST_NO_MEMORY if it is more than `limit`. Else
 * MST_DAMAGED with the offset within `packed` of about where that shows, and one of these codes:
 *
 *   ZLIB-CUT      the stream goes on where `packed` ends
 *   ZLIB-SIZE     the stream makes fewer or more bytes than unpacked_size
 *   ZLIB-STREAM   it is none, or its checksum differs
 */
mst_status mst_zlib_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                           mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic);

/* The first bytes that a stream unpacks to, at most `capacity`, from as much of it as there is; fewer, or
 * none, if it is damaged. For recognising what is packed. */
size_t mst_zlib_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity);

typedef enum mst_zlib_way {
    MST_ZLIB_RETAIL = 0, /* level 6, a window of 2^13, memory level 9: as the game was packed */
    MST_ZLIB_MODDED      /* level 9, a window of 2^13, memory level 8: as its modders pack */
} mst_zlib_way;

/* Packs bytes as one stream and appends it to `packed`, of whose allocator everything is taken. After a
 * failure `packed` holds what it held. With zlib itself (not a stand-in for it) the stream is what the game
 * or its modders would have made of the bytes. */
mst_status mst_zlib_pack(const uint8_t *bytes, uint64_t size, mst_zlib_way way, mst_buffer *packed,
                         mst_diagnostic *diagnostic);

/* Whether a stream says of itself that it was packed in the modders' way: the header holds the window and
 * a hint at the level. */
bool mst_zlib_is_modded(const uint8_t *stream, uint64_t size);

#endif
