/* SPDX-License-Identifier: MIT */
/* Packs RNC blocks, for tests of unpackers: mapstone itself keeps packed bytes unchanged. */
#ifndef MST_TESTS_RNC_PACK_H
#define MST_TESTS_RNC_PACK_H

#include "../src/codec/rnc.h"
#include "../src/core/arena.h"
#include "../src/core/bytes.h"
#include "../src/core/diagnose.h"
#include <string.h>

#define RNC_WINDOW        4096u /* the largest distance */
#define RNC_LONGEST_MATCH 263u
#define RNC_TRIES         32u

/* Hash chains: where three bytes with a hash were last seen, and before that. Positions are plus 1; 0: none.
 */
typedef struct rnc_history {
    uint32_t newest[RNC_WINDOW], older[RNC_WINDOW];
} rnc_history;

typedef struct rnc_packing {
    uint8_t *out; /* with capacity for the worst case */
    size_t size;
    size_t bits_at; /* offset of the byte that receives bits */
    unsigned bits_left;
} rnc_packing;

/* Writes the low `count` bits, highest first. */
static inline void rnc_put_bits(rnc_packing *p, unsigned bits, unsigned count) {
    while (count--) {
        if (!p->bits_left) {
            p->bits_at = p->size;
            p->out[p->size++] = 0;
            p->bits_left = 8;
        }
        p->out[p->bits_at] |= (uint8_t)((bits >> count & 1) << --p->bits_left);
    }
}

static inline void rnc_put_literals(rnc_packing *p, const uint8_t *bytes, size_t count) {
    while (count) {
        size_t run = count < 12 ? 1 : count > 72 ? 72 : count / 4 * 4;
        if (run == 1) {
            rnc_put_bits(p, 0, 1);
        } else {
            rnc_put_bits(p, 0x17, 5);
            rnc_put_bits(p, (unsigned)(run - 12) / 4, 4);
        }
        memcpy(p->out + p->size, bytes, run);
        p->size += run;
        bytes += run;
        count -= run;
    }
}

static inline void rnc_put_match(rnc_packing *p, size_t distance, size_t length) {
    static const struct {
        uint8_t bits, count;
    } lengths[] = {{0xE, 4}, {0x8, 4}, {0xA, 4}, {0x12, 5}, {0x13, 5}, {0x16, 5}}, /* 3 to 8 */
        highs[] = {{0, 1},    {6, 3},    {8, 4},    {9, 4},    {0x15, 5}, {0x17, 5}, {0x1D, 5}, {0x1F, 5},
                   {0x28, 6}, {0x29, 6}, {0x2C, 6}, {0x2D, 6}, {0x38, 6}, {0x39, 6}, {0x3C, 6}, {0x3D, 6}};
    if (length < 9) {
        rnc_put_bits(p, lengths[length - 3].bits, lengths[length - 3].count);
    } else {
        rnc_put_bits(p, 0xF, 4);
        p->out[p->size++] = (uint8_t)(length - 8);
    }
    distance--;
    rnc_put_bits(p, highs[distance >> 8].bits, highs[distance >> 8].count);
    p->out[p->size++] = (uint8_t)distance;
}

static inline uint32_t *rnc_newest_of(rnc_history *h, const uint8_t *bytes) {
    uint32_t hash = ((uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]) * 0x9E3779B1u >> 20;
    return &h->newest[hash];
}

static inline void rnc_remember(rnc_history *h, const uint8_t *bytes, size_t at, size_t size) {
    if (size - at < 3)
        return;
    uint32_t *newest = rnc_newest_of(h, bytes + at);
    h->older[at % RNC_WINDOW] = *newest;
    *newest = (uint32_t)at + 1;
}

/* The length of the longest match at an offset, 0 if it has fewer than 3 bytes. */
static inline size_t rnc_find_match(rnc_history *h, const uint8_t *bytes, size_t at, size_t size,
                                    size_t *distance) {
    size_t max = size - at < RNC_LONGEST_MATCH ? size - at : RNC_LONGEST_MATCH, best = 2;
    if (max < 3)
        return 0;
    size_t position = *rnc_newest_of(h, bytes + at);
    for (unsigned tries = 0; tries < RNC_TRIES && best < max && position && at - (position - 1) <= RNC_WINDOW;
         tries++) {
        const uint8_t *earlier = bytes + position - 1, *here = bytes + at;
        size_t length = 0;
        while (length < max && earlier[length] == here[length])
            length++;
        if (length > best) {
            best = length;
            *distance = at - (position - 1);
        }
        position = h->older[(position - 1) % RNC_WINDOW]; /* not overwritten since: it is within the window */
    }
    return best < 3 ? 0 : best;
}

static inline void rnc_pack_stream(rnc_packing *p, rnc_history *h, const uint8_t *bytes, size_t size,
                                   size_t *ahead) {
    size_t literals = 0, distance = 0;
    rnc_put_bits(p, 0, 2);
    for (size_t at = 0; at < size;) {
        size_t length = rnc_find_match(h, bytes, at, size, &distance);
        if (length) {
            rnc_put_literals(p, bytes + at - literals, literals);
            rnc_put_match(p, distance, length);
            literals = 0;
        } else {
            length = 1;
            literals++;
        }
        for (size_t end = at + length; at < end; at++)
            rnc_remember(h, bytes, at, size);
        /* an unpacker that works in place writes this far past the bytes that it has read */
        size_t read = p->size - MST_RNC_HEADER_SIZE, written = at - literals;
        if (written > read && written - read > *ahead)
            *ahead = written - read;
    }
    if (literals)
        rnc_put_literals(p, bytes + size - literals, literals);
    rnc_put_bits(p, 0xF, 4);
    p->out[p->size++] = 0;
    rnc_put_bits(p, 0, 1);
}

/*
 * Packs bytes with method 2 as one chunk, with a header. The result is an allocation of exactly
 * `*packed_size` bytes. MST_UNSUPPORTED if there are too many bytes. The leeway is right for an unpacker that
 * does not read ahead, but limited to 255: a block that packs well at its beginning and badly at its end
 * would need more than the header can hold.
 */
mst_status mst_rnc_pack(const uint8_t *bytes, uint64_t size, const mst_allocator *allocator, uint8_t **packed,
                        size_t *packed_size, mst_diagnostic *diagnostic);
static inline mst_status rnc_pack(const uint8_t *bytes, uint64_t size, const mst_allocator *allocator,
                                  uint8_t **packed, size_t *packed_size, mst_diagnostic *diagnostic) {
    mst_allocator buffer = mst_allocator_or_default(allocator);
    *packed = NULL;
    *packed_size = 0;
    /* at worst 9 bits for each byte, plus the first two bits, the end mark and a partial byte */
    uint64_t max = size + size / 8 + MST_RNC_HEADER_SIZE + 8;
    if (size > UINT32_MAX / 2 || max > SIZE_MAX)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "there are too many bytes to pack in one RNC block");
    rnc_history *h = buffer.resize(buffer.user, NULL, 0, sizeof *h);
    rnc_packing p = {.size = MST_RNC_HEADER_SIZE};
    p.out = h ? buffer.resize(buffer.user, NULL, 0, (size_t)max) : NULL;
    if (p.out) {
        size_t ahead = 0, n = (size_t)size;
        memset(h, 0, sizeof *h);
        rnc_pack_stream(&p, h, bytes, n, &ahead);
        size_t stream = p.size - MST_RNC_HEADER_SIZE;
        size_t leeway = ahead + stream > n ? ahead + stream - n : 0;
        memcpy(p.out, "RNC\2", 4);
        mst_store32(p.out + 4, (uint32_t)n, true);
        mst_store32(p.out + 8, (uint32_t)stream, true);
        mst_store16(p.out + 12, mst_rnc_crc(bytes, n), true);
        mst_store16(p.out + 14, mst_rnc_crc(p.out + MST_RNC_HEADER_SIZE, stream), true);
        p.out[16] = (uint8_t)(leeway < 255 ? leeway : 255);
        p.out[17] = 1;
        *packed = buffer.resize(buffer.user, p.out, (size_t)max, p.size);
        if (*packed)
            *packed_size = p.size;
        else
            buffer.resize(buffer.user, p.out, (size_t)max, 0);
    }
    if (h)
        buffer.resize(buffer.user, h, sizeof *h, 0);
    return *packed ? MST_OK : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to pack an RNC block");
}

#endif
