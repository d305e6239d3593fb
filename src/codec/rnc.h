/* SPDX-License-Identifier: MIT */
/*
 * RNC (Rob Northen compression), methods 1 and 2: a header of 18 bytes with big-endian sizes and CRCs, then
 * one stream of codes for literals and for copies of earlier output.
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
    uint8_t leeway; /* how far output overtakes input when unpacking in place; not used here */
    uint8_t chunks;
} mst_rnc_header;

/* Mismatches that mst_rnc_unpack reports without failing: RNC-CRC. */
#define MST_RNC_PACKED_CRC   1u
#define MST_RNC_UNPACKED_CRC 2u

/* CRC-16 with the reflected polynomial 0xA001, initial value 0, no final XOR. */
uint16_t mst_rnc_crc(const uint8_t *bytes, size_t size);

/* Whether the bytes begin with `RNC` and a known method, and contain as many packed bytes as the header
 * states. Only then is `header` (may be NULL) filled in. */
bool mst_rnc_probe(const uint8_t *bytes, uint64_t size, mst_rnc_header *header);

/*
 * Unpacks a block; bytes after it are ignored. The result is an allocation of exactly `*unpacked_size` bytes
 * from the allocator (NULL: malloc and family), which the caller frees, or NULL if it is empty. It grows as
 * it is filled, so that memory stays in proportion to the packed bytes; a header that claims more than 1,024
 * times their size plus a mebibyte is refused.
 *
 * `mismatches` receives the CRCs that are wrong; if NULL, none is computed. The packed bytes' flag is also
 * set if unpacking fails, which is MST_DAMAGED with one of the codes
 *   RNC-HEADER    no header, or it claims more packed bytes than there are
 *   RNC-SIZE      the stream unpacks to fewer or more bytes than the header states
 *   RNC-DISTANCE  a copy from before the first byte
 *   RNC-CODE      bits that are not a code, or a table with ambiguous codes
 * and the approximate offset of the damage, from the first byte of the header.
 */
mst_status mst_rnc_unpack(const uint8_t *bytes, uint64_t size, const mst_allocator *allocator,
                          uint8_t **unpacked, size_t *unpacked_size, unsigned *mismatches,
                          mst_diagnostic *diagnostic);

#endif
