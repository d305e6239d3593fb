/* SPDX-License-Identifier: MIT */
#include "interleave.h"
#include <stddef.h>

void mst_deinterleave(const uint8_t *planes, uint64_t count, uint32_t stride, uint8_t *records) {
    size_t n = (size_t)count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < stride; j++)
            *records++ = planes[j * n + i];
}
