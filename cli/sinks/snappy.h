/* SPDX-License-Identifier: MIT */
/* Packing with Snappy, the codec that all readers of Parquet include. */
#ifndef CLI_SINKS_SNAPPY_H
#define CLI_SINKS_SNAPPY_H

#include <stddef.h>
#include <stdint.h>

#define SNAPPY_TABLE 14
#define SNAPPY_BLOCK ((size_t)1 << 16) /* packed independently */

typedef struct snappy {
    uint16_t last[1 << SNAPPY_TABLE]; /* by hash: the last position of such bytes in the block */
} snappy;

/* What precedes all packed bytes: how many there are unpacked, up to 4 GiB - 1. Returns its length. */
#define SNAPPY_LENGTH 5
size_t snappy_length(uint8_t to[SNAPPY_LENGTH], uint32_t size);
/* The maximum packed size for so many bytes. */
size_t snappy_most(size_t size);
/* Packs bytes into `to`, which has room for snappy_most(size); returns the packed size. A stream may be
 * packed in pieces, best of whole blocks. */
size_t snappy_pack(snappy *with, const uint8_t *from, size_t size, uint8_t *to);

#endif
