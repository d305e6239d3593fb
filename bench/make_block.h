/* SPDX-License-Identifier: MIT */
/* Blocks of Star Fox Adventures for measurements, made byte by byte, with nothing in them to complain about.
 */
#ifndef MAKE_BLOCK_H
#define MAKE_BLOCK_H

#include "../src/core/bytes.h"

typedef struct block_form {
    unsigned lists, vertices /* of each */, positions, polygons;
    uint32_t seed; /* blocks of different seeds are different hills */
} block_form;

/* Position `k`, in eighths: a hilly field, 640 units wide. */
static inline int block_place(const block_form *form, unsigned k, unsigned axis) {
    if (axis == 1)
        return (int)((k * 2654435761u ^ form->seed * 2246822519u) * 3266489917u >> 22);
    return (int)(axis ? k / 64 * 80 % 5120 : k % 64 * 80);
}

typedef struct block_box {
    int low[3], high[3];
} block_box;

static inline void block_grow(block_box *box, const block_form *form, unsigned k) {
    for (unsigned axis = 0; axis < 3; axis++) {
        int at = block_place(form, k, axis);
        box->low[axis] = at < box->low[axis] ? at : box->low[axis];
        box->high[axis] = at > box->high[axis] ? at : box->high[axis];
    }
}

#define NO_BOX                                                                                               \
    (block_box) {                                                                                            \
        {0x7FFF, 0x7FFF, 0x7FFF}, {                                                                          \
            -0x8000, -0x8000, -0x8000                                                                        \
        }                                                                                                    \
    }

static inline void put_bits(uint8_t *bytes, unsigned *at, unsigned count, unsigned value) {
    for (unsigned i = 0; i < count; i++, ++*at)
        if (value >> i & 1)
            bytes[*at / 8] |= (uint8_t)(1u << *at % 8);
}

/* Triangle strips of 40 vertices, every other list with narrow indices. */
static inline size_t make_list(uint8_t *p, const block_form *form, bool wide, block_box *box) {
    uint8_t *start = p;
    for (unsigned strip = 0; strip < form->vertices / 40; strip++) {
        *p++ = 0x9D;
        mst_store16(p, 40, true);
        p += 2;
        for (unsigned i = 0; i < 40; i++) {
            unsigned index = wide ? (strip * 40 + i) % form->positions : (strip + i) % 128;
            block_grow(box, form, index);
            if (wide)
                *p++ = (uint8_t)(index >> 8);
            *p++ = (uint8_t)index;
            *p++ = (uint8_t)(index % 200);
            if (wide)
                *p++ = (uint8_t)(index >> 8);
            *p++ = (uint8_t)index;
        }
    }
    return ((size_t)(p - start) + 31) / 32 * 32;
}

/* Triangles, and the strips of 80 units that each touches. */
static inline void make_polygons(uint8_t *p, const block_form *form, block_box *all) {
    for (unsigned k = 0; k < form->polygons; k++, p += 8) {
        block_box box = NO_BOX;
        unsigned strips = 0;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned corners[3] = {k, k + 1, k + 64};
            mst_store16(p + 2 * i, (uint16_t)(corners[i] % form->positions), true);
            block_grow(&box, form, corners[i] % form->positions);
            block_grow(all, form, corners[i] % form->positions);
        }
        for (unsigned bit = 0; bit < 16; bit++) {
            int axis = bit < 8 ? 0 : 2, strip = (int)(bit % 8) * 80;
            if (box.low[axis] / 8 <= strip + 80 && box.high[axis] / 8 >= strip)
                strips |= 1u << bit;
        }
        mst_store16(p + 6, (uint16_t)strips, true);
    }
}

/* A block in `b`, which is all zeros; returns its size. */
static inline size_t make_block(uint8_t *b, const block_form *form) {
    size_t at = (0xB8 + form->lists * 0x1C + 31) / 32 * 32;
    unsigned bit = 0;
    uint8_t stream[200] = {0};
    uint8_t *group = b;
    block_box all = NO_BOX;
    for (unsigned i = 0; i < form->lists; i++) {
        uint8_t *record = b + 0xB8 + 0x1C * i;
        block_box box = NO_BOX;
        size_t size = make_list(b + at, form, i & 1, &box);
        mst_store32(record, (uint32_t)at, true);
        mst_store16(record + 4, (uint16_t)size, true);
        for (unsigned k = 0; k < 3; k++) {
            mst_store16(record + 6 + 2 * k, (uint16_t)box.low[k], true);
            mst_store16(record + 12 + 2 * k, (uint16_t)box.high[k], true);
        }
        mst_store16(record + 0x14, (uint16_t)bit, true);
        mst_store16(record + 0x16, (uint16_t)(bit + 17), true);
        record[0x18] = 7;
        at += size;
        put_bits(stream, &bit, 4, 1), put_bits(stream, &bit, 6, 0);             /* shader 0 */
        put_bits(stream, &bit, 4, 3), put_bits(stream, &bit, 3, i & 1 ? 5 : 0); /* widths of indices */
        put_bits(stream, &bit, 4, 4), put_bits(stream, &bit, 12, 1);            /* matrix 0 */
        put_bits(stream, &bit, 4, 2), put_bits(stream, &bit, 8, i);             /* the list */
    }
    put_bits(stream, &bit, 4, 5);
    enum {
        POSITIONS = 0x58,
        STREAM = 0x78,
        SHADERS = 0x64,
        GROUPS = 0x50,
        POLYGONS = 0x4C,
        GROUP_SIZE = 0x14
    };
    const struct {
        unsigned offset, count, width, elements, size;
    } arrays[] = {{POSITIONS, 0x90, 2, form->positions, 6},
                  {0x5C, 0x94, 2, 200, 2},
                  {0x60, 0x96, 2, form->positions, 4},
                  {STREAM, 0x84, 2, (bit + 7) / 8, 1},
                  {0x54, 0xA0, 1, 4, 4},
                  {SHADERS, 0xA2, 1, 1, 0x44},
                  {GROUPS, 0x9A, 2, 1, GROUP_SIZE},
                  {POLYGONS, 0x98, 2, form->polygons, 8}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        at = (at + 3) / 4 * 4;
        uint8_t *array = b + at;
        mst_store32(b + arrays[i].offset, (uint32_t)at, true);
        mst_store(b + arrays[i].count, arrays[i].width, arrays[i].elements, true);
        at += (size_t)arrays[i].elements * arrays[i].size;
        switch (arrays[i].offset) {
        case STREAM: memcpy(array, stream, (bit + 7) / 8); break;
        case SHADERS:
            array[0x40] = 6;
            array[0x41] = 1;
            array[0x28] = 0x80;
            break;
        case POLYGONS: make_polygons(array, form, &all); break;
        case POSITIONS:
            for (unsigned k = 0; k < form->positions * 3; k++)
                mst_store16(array + 2 * k, (uint16_t)block_place(form, k / 3, k % 3), true);
            break;
        case GROUPS: /* one, and the end */
            group = array;
            mst_store16(array + GROUP_SIZE, (uint16_t)form->polygons, true);
            at += GROUP_SIZE;
            break;
        default: break;
        }
    }
    for (unsigned k = 0; k < 3; k++) {
        mst_store16(group + 2 + 4 * k, (uint16_t)(all.low[k] / 8), true);
        mst_store16(group + 4 + 4 * k, (uint16_t)(all.high[k] / 8), true);
    }
    at = (at + 31) / 32 * 32;
    mst_store32(b + 8, (uint32_t)at, true);
    mst_store32(b + 0x68, 0xB8, true);
    mst_store16(b + 0x8A, (uint16_t)(all.low[1] / 8), true);
    mst_store16(b + 0x8C, (uint16_t)(all.high[1] / 8), true);
    b[0xA1] = (uint8_t)form->lists;
    return at;
}

#undef NO_BOX
#endif
