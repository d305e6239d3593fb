/* SPDX-License-Identifier: MIT */
#include "frame_lz.h"
#include "../core/bytes.h"

#include <string.h>

enum {
    NEAR = 160,        /* the farthest copy that takes one byte */
    FAR = 4094,        /* the farthest copy that the game's packer makes */
    LONGEST = 262,     /* and the longest one */
    SHORT_COPY = 0x60, /* from here on a byte is a near copy, of two bytes */
    LONG_COPY = 0x50,  /* a third byte has the length minus LONG_FIRST */
    LONG_FIRST = 8,
    MIDDLE_FIRST = 3
};

/* ---- unpacking ----------------------------------------------------------------------------------- */

typedef struct item {
    size_t size;             /* in the packed bytes */
    size_t length, distance; /* of a copy; length 0: the end */
} item;

/* Reads a copy; false: it is cut off. */
static bool read_copy(const uint8_t *bytes, size_t left, item *one) {
    if (!left)
        return false;
    unsigned first = bytes[0];
    if (first >= SHORT_COPY) {
        *one = (item){1, 2, 256 - first};
        return true;
    }
    one->size = first >= LONG_COPY ? 3 : 2;
    if (left < 2)
        return false;
    one->distance = (size_t)(first & 15) << 8 | bytes[1];
    one->length = 0;
    if (!one->distance) { /* the end */
        one->size = 2;
        return first == 0;
    }
    if (left < one->size)
        return false;
    one->length = first >= LONG_COPY ? (size_t)bytes[2] + LONG_FIRST : (first >> 4) + MIDDLE_FIRST;
    return true;
}

/* `to` NULL: only measures. */
static bool go_through(const uint8_t *bytes, size_t size, uint8_t *to, size_t capacity,
                       mst_frame_lz_sizes *sizes) {
    size_t at = 0, made = 0;
    for (;;) {
        if (at == size)
            return false;
        unsigned flags = bytes[at++];
        for (unsigned bit = 0; bit < 8; bit++, flags >>= 1) {
            item one = {1, 1, 0};
            if (flags & 1 ? !read_copy(bytes + at, size - at, &one) : at == size)
                return false;
            if (!one.length) {
                *sizes = (mst_frame_lz_sizes){at + one.size, made};
                return flags == 1; /* the remaining flags are clear */
            }
            if (one.distance > made || one.length > capacity - made)
                return false;
            for (size_t i = 0; i < one.length && to; i++)
                to[made + i] = flags & 1 ? to[made + i - one.distance] : bytes[at];
            at += one.size;
            made += one.length;
        }
    }
}

bool mst_frame_lz_measure(const uint8_t *bytes, size_t size, mst_frame_lz_sizes *sizes) {
    return go_through(bytes, size, NULL, SIZE_MAX, sizes);
}

bool mst_frame_lz_unpack(const uint8_t *bytes, size_t size, uint8_t *unpacked, size_t capacity) {
    mst_frame_lz_sizes sizes;
    return go_through(bytes, size, unpacked, capacity, &sizes);
}

/* ---- packing ------------------------------------------------------------------------------------- */

#define NOWHERE UINT32_MAX

typedef struct packer {
    const uint8_t *bytes;
    size_t size;
    uint32_t *before; /* for each place, the previous one with the same two bytes; NOWHERE: none */
    uint8_t *to;
    size_t at, flags; /* offsets of the next byte, and of the current byte of flags */
    unsigned bits;    /* used bits of that byte */
} packer;

typedef struct match {
    size_t length, distance;
} match;

/* The longest copy for the bytes at `i`, the nearest of that length. */
static match longest(const packer *p, size_t i) {
    match best = {0, 0};
    if (i + 1 >= p->size)
        return best;
    size_t most = p->size - i < LONGEST ? p->size - i : LONGEST;
    for (uint32_t from = p->before[i]; from != NOWHERE && i - from <= FAR && best.length < most;
         from = p->before[from]) {
        size_t length = 2;
        while (length < most && p->bytes[from + length] == p->bytes[i + length])
            length++;
        if (length > best.length)
            best = (match){length, i - from};
    }
    return best;
}

/* Whether the two bytes at `j` occur from place `i` back to NEAR before `j`. */
static bool is_near(const packer *p, size_t j, size_t i) {
    if (j + 1 >= p->size)
        return false;
    for (uint32_t from = p->before[j]; from != NOWHERE && j - from <= NEAR; from = p->before[from])
        if (from <= i)
            return true;
    return false;
}

/* The length of the copy that the packer makes at `i`; 0: a literal. */
static size_t choose(const packer *p, size_t i, match *m) {
    *m = longest(p, i);
    bool near = m->distance <= NEAR;
    match next;
    if (m->length < 2 || (m->length == 2 && !near))
        return 0;
    switch (m->length) {
    case 2:
        next = longest(p, i + 1);
        return next.length >= 3 && next.distance > NEAR && !is_near(p, i + 2, i) && !is_near(p, i + 3, i) ? 0
                                                                                                          : 2;
    case 3: return near && is_near(p, i + 2, i) ? 2 : 3;
    case LONG_FIRST:
        if (is_near(p, i + 7, i))
            return LONG_FIRST - 1;
        return near && longest(p, i + 2).length >= LONG_FIRST - 1 ? 2 : LONG_FIRST;
    default: return m->length;
    }
}

static void put_flag(packer *p, bool copy) {
    if (p->bits == 8) {
        p->flags = p->at++;
        p->to[p->flags] = 0;
        p->bits = 0;
    }
    p->to[p->flags] |= (uint8_t)(copy << p->bits++);
}

static void put_copy(packer *p, size_t length, size_t distance) {
    put_flag(p, true);
    if (length == 2) {
        p->to[p->at++] = (uint8_t)(256 - distance);
        return;
    }
    unsigned code = length >= LONG_FIRST ? LONG_COPY >> 4 : (unsigned)length - MIDDLE_FIRST;
    p->to[p->at++] = (uint8_t)(code << 4 | distance >> 8);
    p->to[p->at++] = (uint8_t)distance;
    if (length >= LONG_FIRST)
        p->to[p->at++] = (uint8_t)(length - LONG_FIRST);
}

/* Records for each place the previous one that begins with the same two bytes. */
static bool find_pairs(packer *p, mst_arena *arena) {
    uint32_t *last = mst_arena_take(arena, 65536, sizeof *last);
    p->before = mst_arena_take(arena, p->size + 1, sizeof *p->before);
    if (!last || !p->before)
        return false;
    memset(last, 0xFF, 65536 * sizeof *last);
    for (size_t i = 0; i + 1 < p->size; i++) {
        unsigned pair = mst_load16(p->bytes + i, true);
        p->before[i] = last[pair];
        last[pair] = (uint32_t)i;
    }
    return true;
}

size_t mst_frame_lz_pack(const uint8_t *bytes, size_t size, mst_arena *arena, uint8_t **packed) {
    packer p = {.bytes = bytes, .size = size, .bits = 8};
    if (size > UINT32_MAX / 2)
        return 0;
    p.to = mst_arena_take(arena, size + size / 8 + 4, 1); /* worst case: literals, their flags and the end */
    if (!p.to || !find_pairs(&p, arena))
        return 0;
    for (size_t i = 0; i < size;) {
        match m;
        size_t length = choose(&p, i, &m);
        if (length) {
            put_copy(&p, length, m.distance);
            i += length;
        } else {
            put_flag(&p, false);
            p.to[p.at++] = bytes[i++];
        }
    }
    put_flag(&p, true);
    p.to[p.at++] = 0;
    p.to[p.at++] = 0;
    *packed = p.to;
    return p.at;
}
