/* SPDX-License-Identifier: MIT */
/* Derived values: stored values that other data of the block determine. */
#include "parts.h"

const mst_sfa_derived mst_sfa_deriveds[MST_SFA_DERIVED_KINDS] = {
    [MST_SFA_D_GROUP_BOX] = {"SFA-BOUNDS",
                             "the box does not match the polygons",
                             "polygon_groups",
                             &mst_sfa_group_record,
                             {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"},
                             1},
    [MST_SFA_D_STRIPS] = {"SFA-SUB-BLOCKS",
                          "sub_blocks does not match the strips that the polygon touches",
                          "polygons",
                          &mst_sfa_polygon_record,
                          {"sub_blocks"},
                          1},
    [MST_SFA_D_LIST_BOUNDS] = {"SFA-BOUNDS",
                               "the box does not match the vertices",
                               "lists",
                               &mst_sfa_list_record,
                               {"bounds_min", "bounds_max"},
                               3},
    [MST_SFA_D_LIST_SHADER] = {"SFA-SHADER-INDEX",
                               "the stream draws the list with another shader",
                               "lists",
                               &mst_sfa_list_record,
                               {"shader"},
                               1},
    [MST_SFA_D_SHADER_BITS] = {"SFA-BITS",
                               "the stream's shader op is at another bit",
                               "lists",
                               &mst_sfa_list_record,
                               {"shader_bit_address"},
                               1},
    [MST_SFA_D_MATRIX_BITS] = {"SFA-BITS",
                               "the stream's matrices op is at another bit",
                               "lists",
                               &mst_sfa_list_record,
                               {"matrix_bit_address"},
                               1},
    [MST_SFA_D_Y_RANGE] = {"SFA-BOUNDS",
                           "the y range does not match the groups",
                           NULL,
                           &mst_sfa_block_record,
                           {"y_min", "y_max"},
                           1},
};

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
    if (position >= block->positions.count)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        int value = mst_sfa_i16(&block->positions, position, i);
        if (!all->any || value < all->min[i])
            all->min[i] = value;
        if (!all->any || value > all->max[i])
            all->max[i] = value;
    }
    all->any = true;
    return true;
}

static bool list_box(const mst_sfa_block *block, unsigned list, box *all) {
    for (mst_sfa_commands it = mst_sfa_list_commands(block, list); mst_sfa_next_command(&it);) {
        mst_column vertices = mst_sfa_vertices(&it);
        for (unsigned i = 0; i < it.vertex_count; i++)
            if (!add_position(block, all, mst_column_u16(&vertices, i, 0)))
                return false;
    }
    return all->any;
}

static bool polygon_box(const mst_sfa_block *block, unsigned polygon, box *all) {
    for (unsigned i = 0; i < 3; i++)
        if (!add_position(block, all, mst_column_u16(&block->polygons, polygon, i)))
            return false;
    return true;
}

static bool group_box(const mst_sfa_block *block, unsigned group, box *all) {
    unsigned first = mst_column_u16(&block->groups, group, 0);
    unsigned end = mst_column_u16(&block->groups, group + 1, 0);
    if (end > block->polygons.count)
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
    mst_column y_min = mst_column_among(&block->groups, &mst_sfa_group_record, "y_min");
    mst_column y_max = mst_column_among(&block->groups, &mst_sfa_group_record, "y_max");
    for (unsigned i = 0; i < block->groups.count; i++) {
        int min = mst_sfa_i16(&y_min, i, 0), max = mst_sfa_i16(&y_max, i, 0);
        if (!i || min < range[0])
            range[0] = min;
        if (!i || max > range[1])
            range[1] = max;
    }
    range[0] += block->y_offset;
    range[1] += block->y_offset;
    return block->groups.count && range[0] >= INT16_MIN && range[1] <= INT16_MAX;
}

/* The records that hold the values of a kind. */
static mst_column holders(const mst_sfa_block *block, mst_sfa_derived_kind kind, unsigned index) {
    switch (kind) {
    case MST_SFA_D_GROUP_BOX: return block->groups;
    case MST_SFA_D_STRIPS: return block->polygons;
    case MST_SFA_D_Y_RANGE: return (mst_column){block->image, 1, 0, true};
    default: return (mst_column){block->image + block->list_offsets[index], block->list_count, 0, true};
    }
}

unsigned mst_sfa_derived_count(const mst_sfa_block *block, mst_sfa_derived_kind kind) {
    return (unsigned)holders(block, kind, 0).count;
}

const uint8_t *mst_sfa_derived_place(const mst_sfa_block *block, mst_sfa_derived_kind kind, unsigned index) {
    const mst_sfa_derived *derived = &mst_sfa_deriveds[kind];
    mst_column records = holders(block, kind, index);
    records = mst_column_among(&records, derived->record, derived->names[0]);
    return records.data + (size_t)index * records.stride;
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
