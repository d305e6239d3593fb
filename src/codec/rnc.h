/* SPDX-License-Identifier: MIT */
/*
 * RNC, a packer of the nineties, methods 1 and 2: a header of 18 bytes with big-endian sizes and CRCs, then
 * one stream of codes for literal bytes and for copies of what was unpacked before.
 */
#ifndef MST_CODEC_RNC_H
#define MST_CODEC_RNC_H

#include <mapstone/base.h>
#include <stdbool.h>

#define MST_RNC_HEADER_SIZE 18u

typedef struct mst_rnc_header {
    uint8_t method;         /* 1 or 2 */
    uint32_t unpacked_size; /* in bytes */
    uint32_t packed_size;   /* in bytes, without the header */
    uint16_t unpacked_crc, packed_crc;
    uint8_t leeway; /* how far unpacking in place overtakes reading; not needed here */
    uint8_t chunks;
} mst_rnc_header;

/* What mst_rnc_unpack found wrong without failing: RNC-CRC. */
#define MST_RNC_PACKED_CRC   1u
#define MST_RNC_UNPACKED_CRC 2u

/* CRC-16 with the reflected polynomial 0xA001, from 0, without a final change. */
uint16_t mst_rnc_crc(const uint8_t *bytes, size_t size);

/* Whether the bytes begin with `RNC` and a known method, and hold all that the header says is packed. Only
 * then is the header (may be NULL) filled in. */
bool mst_rnc_probe(const uint8_t *bytes, uint64_t size, mst_rnc_header *header);

/*
 * Unpacks a block; bytes after it do not matter. The result is a block of the allocator (NULL: malloc's
 * family) of exactly `*unpacked_size` bytes, to be freed with it, or NULL if there is nothing in it. It
 * grows as it is filled, so that what is taken stays in proportion to the packed bytes; a header that claims
 * more than 1,024 times as much and a mebibyte is not believed.
 *
 * `mismatches` receives the CRCs that are wrong, and may be NULL: then none is computed. That of the packed
 * bytes is also set if unpacking fails, which is MST_DAMAGED with one of the codes
 *   RNC-HEADER    no header, or more packed bytes than there are
 *   RNC-SIZE      the stream makes fewer or more bytes than the header says
 *   RNC-DISTANCE  a copy from before the first byte
 *   RNC-CODE      bits that are not code, or a table in which two codes are one
 * and the offset, from the first byte of the header on, of about where that shows.
 */
mst_status mst_rnc_unpack(const uint8_t *bytes, uint64_t size, const mst_allocator *allocator,
                          uint8_t **unpacked, size_t *unpacked_size, unsigned *mismatches,
                          mst_diagnostic *diagnostic);

/*
 * Packs bytes with method 2, header and all, in one chunk. The result is a block of the allocator of exactly
 * `*packed_size` bytes. MST_UNSUPPORTED if there are more bytes than a header can count. The leeway is right
 * for an unpacker that fetches nothing ahead, but cut at 255: a block that packs well at its beginning and
 * badly at its end needs more than the header can say.
 */
mst_status mst_rnc_pack(const uint8_t *bytes, uint64_t size, const mst_allocator *allocator, uint8_t **packed,
                        size_t *packed_size, mst_diagnostic *diagnostic);

#endif
