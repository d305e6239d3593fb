/* SPDX-License-Identifier: MIT */
/*
 * zlib streams (deflate between a header of two bytes and an Adler-32), by the system's zlib. In a build
 * without it unpacking and packing are MST_UNSUPPORTED.
 */
#ifndef MST_CODEC_DEFLATE_H
#define MST_CODEC_DEFLATE_H

#include <mapstone/base.h>
#include <stdbool.h>

/*
 * Unpacks the stream at the beginning of `packed`, which other bytes may follow, and appends exactly
 * `unpacked_size` bytes to `bytes`, using its allocator. `used` (may be NULL) receives the stream's size. On
 * failure the content of `bytes` is unchanged, and `used` is 0.
 *
 * Refused before anything is allocated: MST_DAMAGED (ZLIB-CLAIM) if unpacked_size is more than `size` bytes
 * can unpack to, about 1,032 times `size`; MST_NO_MEMORY if it is more than `limit`. Else MST_DAMAGED with
 * the approximate offset of the damage within `packed`, and one of these codes:
 *
 *   ZLIB-CUT      the stream continues past the end of `packed`
 *   ZLIB-SIZE     the stream unpacks to fewer or more bytes than unpacked_size
 *   ZLIB-STREAM   not a zlib stream, or its checksum is wrong
 */
mst_status mst_zlib_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                           mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic);

/* Unpacks the first bytes of a stream, which may be truncated, for probing. Returns their number, at most
 * `capacity`; fewer, or 0, if the stream is damaged. */
size_t mst_zlib_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity);

/* The same for deflate without a header and a checksum, as in zip archives. */
mst_status mst_deflate_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                              mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic);
size_t mst_deflate_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity);

typedef enum mst_zlib_way {
    MST_ZLIB_RETAIL = 0, /* level 6, a window of 2^13, memory level 9: as in the released game */
    MST_ZLIB_MODDED      /* level 9, a window of 2^13, memory level 8: as its modders use */
} mst_zlib_way;

/* Packs bytes as one stream and appends it to `packed`, using its allocator. On failure the content of
 * `packed` is unchanged. With zlib itself (not a compatible library) the stream is identical to what the game
 * or its modders would have made. */
mst_status mst_zlib_pack(const uint8_t *bytes, uint64_t size, mst_zlib_way way, mst_buffer *packed,
                         mst_diagnostic *diagnostic);

/* Whether a stream was packed in the modders' way, by its header, which has the window and a hint at the
 * level. */
bool mst_zlib_is_modded(const uint8_t *stream, uint64_t size);

#endif
