/* SPDX-License-Identifier: MIT */
#include "memberships.h"

/* The id that the first bit means. */
static uint64_t first_id(const mst_refers *fact, unsigned width, uint32_t component) {
    return fact->apart ? 0 : (uint64_t)component * 8 * width;
}

static uint64_t mask_of(const mst_refers *fact, unsigned width) {
    const uint64_t all = UINT64_MAX >> (64 - 8 * width);
    return fact->mask ? fact->mask & all : all;
}

unsigned mst_memberships(const mst_refers *fact, uint64_t stored, unsigned width, uint32_t component,
                         uint64_t ids[MST_MEMBERSHIPS]) {
    const uint64_t number = stored & mask_of(fact, width);
    unsigned count = 0;
    if (mst_refers_is_none(fact, stored, width, component))
        return 0;
    if (fact->by != MST_BY_BIT)
        ids[count++] = number;
    else
        for (unsigned bit = 0; bit < 8 * width; bit++)
            if (number >> bit & 1)
                ids[count++] = first_id(fact, width, component) + bit;
    return count;
}

uint64_t mst_without_membership(const mst_refers *fact, uint64_t stored, unsigned width, uint32_t component,
                                uint64_t id) {
    const uint64_t mask = mask_of(fact, width);
    if (fact->by == MST_BY_BIT)
        return stored & ~(UINT64_C(1) << (id - first_id(fact, width, component)));
    return (stored & ~mask) | (fact->none[0] & mask);
}
