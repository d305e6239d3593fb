/* SPDX-License-Identifier: MIT */
/* Packing with Snappy, the codec that all readers of Parquet include. */
#ifndef CLI_SINKS_SNAPPY_H
#define CLI_SINKS_SNAPPY_H

#include <stddef.h>
#include <stdint.h>

#define SNAPPY_TABLE 14

typedef struct snappy {
    uint16_t last[1 << SNAPPY_TABLE]; /* by hash: the last position of such bytes in the block */
} snappy;

/* The maximum packed size for so many bytes. */
size_t snappy_most(size_t size);
/* Packs up to 4 GiB - 1 into `to`, which has room for snappy_most(size) bytes; returns the packed size. */
size_t snappy_pack(snappy *with, const uint8_t *from, size_t size, uint8_t *to);

#endif
