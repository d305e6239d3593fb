/* SPDX-License-Identifier: MIT */
/* A decoder of LZO1X streams. It is our own because the licence of the LZO library would apply to every build
 * with it. */
#ifndef MST_CODEC_LZO_H
#define MST_CODEC_LZO_H

#include <mapstone/base.h>

/*
 * Unpacks a stream of exactly `size` bytes, including its end mark, and appends exactly `unpacked_size` bytes
 * to `bytes`, using its allocator. On failure the content of `bytes` is unchanged.
 *
 * Refused before anything is allocated: MST_DAMAGED (LZO-CLAIM) if unpacked_size is more than `size` bytes
 * can unpack to, 255 times `size`; MST_NO_MEMORY if it is more than `limit`. Else MST_DAMAGED with the offset
 * and length within `packed` of the instruction at which it stopped, and one of these codes:
 *
 *   LZO-CUT       the instruction is truncated by the end of `packed`, or missing
 *   LZO-SIZE      it makes more bytes than unpacked_size; or it is the end mark, but fewer were made or bytes
 *                 follow it in `packed` (the offset is then after the mark)
 *   LZO-STREAM    it copies from before the first byte
 */
mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_buffer *bytes, mst_diagnostic *diagnostic);

#endif
