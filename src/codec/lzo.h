/* SPDX-License-Identifier: MIT */
/* Streams of LZO1X, which are read only: a decoder of our own, because the usual library for them is under a
 * licence that would become that of every build with it. */
#ifndef MST_CODEC_LZO_H
#define MST_CODEC_LZO_H

#include <mapstone/base.h>

/*
 * Unpacks a stream of exactly `size` bytes, its end mark included, and appends exactly `unpacked_size` bytes
 * to `bytes`, of whose allocator they are taken. After a failure `bytes` holds what it held.
 *
 * Refused before anything is allocated: MST_DAMAGED (LZO-CLAIM) if unpacked_size is more than `size` bytes
 * can make, which is 255 times as many; MST_NO_MEMORY if it is more than `limit`. Else MST_DAMAGED with the
 * offset and length within `packed` of the instruction where it stopped, and one of these codes:
 *
 *   LZO-CUT       the instruction goes on where `packed` ends, or there is none
 *   LZO-SIZE      it makes more bytes than unpacked_size; it is the end mark, but fewer were made, or (the
 *                 offset is after the mark then) `packed` goes on
 *   LZO-STREAM    it copies from before the first byte
 */
mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_buffer *bytes, mst_diagnostic *diagnostic);

#endif
