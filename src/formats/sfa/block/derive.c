/* SPDX-License-Identifier: MIT */
/* Derived values: those that a block stores although others determine them. */
#include "parts.h"

static int16_t coordinate(const mst_sfa_block *block, unsigned position, unsigned axis) {
    return (int16_t)mst_load16(block->positions + (size_t)position * 6 + 2 * axis, true);
}

/* Eighths to units, rounded down. */
static int units(int value) {
    return value >= 0 ? value / 8 : -((7 - value) / 8);
}

typedef struct box {
    int min[3], max[3];
    bool any;
} box;

/* False if the block has no such position. */
static bool add_position(const mst_sfa_block *block, box *all, unsigned position) {
    if (position >= block->position_count)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        int value = coordinate(block, position, i);
        if (!all->any || value < all->min[i])
            all->min[i] = value;
        if (!all->any || value > all->max[i])
            all->max[i] = value;
    }
    all->any = true;
    return true;
}

static bool list_box(const mst_sfa_block *block, unsigned list, box *all) {
    for (mst_sfa_commands it = mst_sfa_list_commands(block, list); mst_sfa_next_command(&it);)
        for (unsigned i = 0; i < it.vertex_count; i++)
            if (!add_position(block, all, mst_load16(it.vertices + (size_t)i * it.stride, true)))
                return false;
    return all->any;
}

static bool polygon_box(const mst_sfa_block *block, unsigned polygon, box *all) {
    const uint8_t *p = block->polygons + (size_t)polygon * MST_SFA_POLYGON;
    for (unsigned i = 0; i < 3; i++)
        if (!add_position(block, all, mst_load16(p + 2 * i, true)))
            return false;
    return true;
}

static bool group_box(const mst_sfa_block *block, unsigned group, box *all) {
    const uint8_t *p = block->groups + (size_t)group * MST_SFA_GROUP;
    unsigned first = mst_load16(p, true), end = mst_load16(p + MST_SFA_GROUP, true);
    if (end > block->polygon_count)
        return false;
    for (unsigned i = first; i < end; i++)
        if (!polygon_box(block, i, all))
            return false;
    return all->any;
}

/* A bit for each strip of 80 units that the range touches; edges count. */
static unsigned strips(int min, int max) {
    unsigned bits = 0;
    for (int k = 0; k < 8; k++)
        if (min <= 80 * (k + 1) && max >= 80 * k)
            bits |= 1u << k;
    return bits;
}

static bool y_range(const mst_sfa_block *block, int range[2]) {
    for (unsigned i = 0; i < block->group_count; i++) {
        const uint8_t *p = block->groups + (size_t)i * MST_SFA_GROUP;
        int min = (int16_t)mst_load16(p + 6, true), max = (int16_t)mst_load16(p + 8, true);
        if (!i || min < range[0])
            range[0] = min;
        if (!i || max > range[1])
            range[1] = max;
    }
    range[0] += block->y_offset;
    range[1] += block->y_offset;
    return block->group_count && range[0] >= INT16_MIN && range[1] <= INT16_MAX;
}

unsigned mst_sfa_derived_count(const mst_sfa_block *block, mst_sfa_derived_kind kind) {
    switch (kind) {
    case MST_SFA_D_GROUP_BOX: return block->group_count;
    case MST_SFA_D_STRIPS: return block->polygon_count;
    case MST_SFA_D_Y_RANGE: return 1;
    default: return block->list_count;
    }
}

const uint8_t *mst_sfa_derived_place(const mst_sfa_block *block, mst_sfa_derived_kind kind, unsigned index) {
    const uint8_t *list = block->image + (index < block->list_count ? block->list_offsets[index] : 0);
    switch (kind) {
    case MST_SFA_D_GROUP_BOX: return block->groups + (size_t)index * MST_SFA_GROUP + 2;
    case MST_SFA_D_STRIPS: return block->polygons + (size_t)index * MST_SFA_POLYGON + 6;
    case MST_SFA_D_Y_RANGE: return block->image + MST_SFA_IMAGE_Y_MIN;
    case MST_SFA_D_LIST_SHADER: return list + MST_SFA_LIST_SHADER;
    case MST_SFA_D_SHADER_BITS: return list + MST_SFA_LIST_SHADER_BITS;
    case MST_SFA_D_MATRIX_BITS: return list + MST_SFA_LIST_MATRIX_BITS;
    default: return list + MST_SFA_LIST_BOUNDS_MIN;
    }
}

static unsigned put_bit(uint16_t bit, uint8_t *out) {
    if (bit == MST_SFA_NO_BIT)
        return 0;
    mst_store16(out, (uint16_t)bit, true);
    return 2;
}

unsigned mst_sfa_derive(const mst_sfa_block *block, const mst_sfa_call calls[256], mst_sfa_derived_kind kind,
                        unsigned index, uint8_t out[12]) {
    box all = {.any = false};
    int range[2] = {0, 0};
    switch (kind) {
    case MST_SFA_D_GROUP_BOX:
        if (!group_box(block, index, &all))
            return 0;
        for (unsigned i = 0; i < 3; i++) {
            mst_store16(out + 4 * i, (uint16_t)units(all.min[i]), true);
            mst_store16(out + 4 * i + 2, (uint16_t)units(all.max[i]), true);
        }
        return 12;
    case MST_SFA_D_STRIPS:
        if (!polygon_box(block, index, &all))
            return 0;
        out[0] = (uint8_t)strips(units(all.min[2]), units(all.max[2]));
        out[1] = (uint8_t)strips(units(all.min[0]), units(all.max[0]));
        return 2;
    case MST_SFA_D_LIST_BOUNDS:
        if (!list_box(block, index, &all))
            return 0;
        for (unsigned i = 0; i < 3; i++) {
            mst_store16(out + 2 * i, (uint16_t)all.min[i], true);
            mst_store16(out + 6 + 2 * i, (uint16_t)all.max[i], true);
        }
        return 12;
    case MST_SFA_D_LIST_SHADER: out[0] = calls[index].shader; return calls[index].shader != MST_SFA_NO_SHADER;
    case MST_SFA_D_SHADER_BITS: return put_bit(calls[index].shader_bit, out);
    case MST_SFA_D_MATRIX_BITS: return put_bit(calls[index].matrix_bit, out);
    default:
        if (!y_range(block, range))
            return 0;
        mst_store16(out, (uint16_t)range[0], true);
        mst_store16(out + 2, (uint16_t)range[1], true);
        return 4;
    }
}
