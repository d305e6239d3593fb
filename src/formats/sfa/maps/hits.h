/* SPDX-License-Identifier: MIT */
/* The interaction lines of blocks (HITS.bin and HITS.tab), read straight from the parsed bytes. */
#ifndef MST_FORMATS_SFA_HITS_H
#define MST_FORMATS_SFA_HITS_H

#include "../../../schema/parsed.h"
#include <stdbool.h>

#define MST_SFA_HIT_TYPE     0x3F /* of `kind` */
#define MST_SFA_HIT_DISABLED 0x40

/* A wall between two ends, from y up to y + height, in units from the block's corner. */
typedef struct mst_sfa_hit {
    int16_t x[2], y[2], z[2];
    int16_t height[2];
    uint8_t flags, kind;
    int16_t parameter;
    uint64_t offset; /* of the record in the parsed bytes */
} mst_sfa_hit;
#define MST_SFA_HIT_SIZE 20u

typedef struct mst_sfa_hits_block {
    uint32_t number; /* of the block */
    uint32_t count;  /* of lines, including padding */
    uint64_t offset; /* of the first line in the parsed bytes */
    const uint8_t *records;
} mst_sfa_hits_block;

/* Iterates over the blocks of an sfa-hits document (its parsed bytes). */
typedef struct mst_sfa_hits_cursor {
    mst_parsed_reader reader;
    uint32_t count, next;
} mst_sfa_hits_cursor;
mst_sfa_hits_cursor mst_sfa_hits_open(const uint8_t *parsed, uint64_t size);
/* The next block; false after the last. */
bool mst_sfa_hits_next(mst_sfa_hits_cursor *cursor, mst_sfa_hits_block *block);
/* Line `index`, below block->count. */
mst_sfa_hit mst_sfa_hit_of(const mst_sfa_hits_block *block, uint32_t index);

/* The name of a line's type; NULL: unknown. */
const char *mst_sfa_hit_name(unsigned kind);
/* Whether the line is all zero, as padding is. */
bool mst_sfa_hit_is_zero(const mst_sfa_hits_block *block, uint32_t index);
/* Whether an end lies outside the block: the game disables such a line on loading. */
bool mst_sfa_hit_is_outside(const mst_sfa_hit *hit);

#endif
