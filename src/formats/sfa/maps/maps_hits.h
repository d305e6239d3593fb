/* SPDX-License-Identifier: MIT */
/* The interaction lines of blocks (HITS.bin and HITS.tab). */
#ifndef MST_SFA_MAPS_MAPS_HITS_H
#define MST_SFA_MAPS_MAPS_HITS_H

#include "../../../read/binding.h"

/* A wall between two ends, from y up to y + height, in units from the block's corner. */
typedef struct mst_sfa_hit {
    int16_t x[2], y[2], z[2];
    int16_t heights[2];
    int16_t height; /* of both ends, if the flags state so */
    int16_t parameter, unknown_12;
    uint8_t flags, type, disabled, second_class;
} mst_sfa_hit;
extern const mst_bindings mst_sfa_hit_bindings;
/* Reads a line of an sfa-hits document; both `heights` are set. */
mst_sfa_hit mst_sfa_hit_of(const mst_bound *bound, const mst_value *line);
/* Reads the `lines` of a block, into the arena; NULL: no memory. */
mst_sfa_hit *mst_sfa_hits_of(const mst_value *lines, mst_arena *arena, uint32_t *count);

/* The name of a line's type; NULL: unknown. */
const char *mst_sfa_hit_name(unsigned type);
/* Whether the line is all zero, as padding is. */
bool mst_sfa_hit_is_padding(const mst_sfa_hit *hit);
/* Whether an end is outside the block in x or in z: the game disables such a line on loading. */
bool mst_sfa_hit_is_outside(const int16_t ends[2]);

#endif
