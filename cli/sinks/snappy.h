/* SPDX-License-Identifier: MIT */
/* Packing by Snappy, the codec that readers of Parquet have built in. */
#ifndef CLI_SINKS_SNAPPY_H
#define CLI_SINKS_SNAPPY_H

#include <stddef.h>
#include <stdint.h>

#define SNAPPY_TABLE 14

typedef struct snappy {
    uint16_t last[1 << SNAPPY_TABLE]; /* by hash: where in the block such bytes were last */
} snappy;

/* The most bytes that so many become. */
size_t snappy_most(size_t size);
/* Packs up to 4 GiB - 1 into `to`, which has room for that many; returns how many there are. */
size_t snappy_pack(snappy *with, const uint8_t *from, size_t size, uint8_t *to);

#endif
