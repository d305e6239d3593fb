/* SPDX-License-Identifier: MIT */
/* Streams of LZO1X, by the system's liblzo2. In a build without it unpacking is MST_UNSUPPORTED. */
#ifndef MST_CODEC_LZO_H
#define MST_CODEC_LZO_H

#include <mapstone/base.h>

/*
 * Unpacks a stream of exactly `size` bytes, its end mark included, and appends exactly `unpacked_size` bytes
 * to `bytes`, of whose allocator they are taken. After a failure `bytes` holds what it held.
 *
 * Refused before anything is allocated: MST_DAMAGED (LZO-CLAIM) if unpacked_size is more than `size` bytes
 * can make, which is 255 times as many; MST_NO_MEMORY if it is more than `limit`. Else MST_DAMAGED with one
 * of the codes below; liblzo2 does not tell where it stopped, so the offset is 0 and the length the stream's.
 *   LZO-CUT       the stream goes on where `packed` ends
 *   LZO-SIZE      the stream makes fewer or more bytes than unpacked_size, or ends before `packed` does
 *   LZO-STREAM    a copy from before the first byte
 */
mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_memory *bytes, mst_diagnostic *diagnostic);

#endif
