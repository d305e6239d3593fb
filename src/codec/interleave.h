/* SPDX-License-Identifier: MIT */
/* Records stored plane by plane: all first bytes, then all second bytes, and so on. */
#ifndef MST_CODEC_INTERLEAVE_H
#define MST_CODEC_INTERLEAVE_H

#include <stdint.h>

/* Byte j of record i is at planes[j * count + i]. Both sides hold count * stride bytes, which the caller has
 * checked to fit, and do not overlap. */
void mst_deinterleave(const uint8_t *planes, uint64_t count, uint32_t stride, uint8_t *records);

#endif
