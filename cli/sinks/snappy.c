/* SPDX-License-Identifier: MIT */
/*
 * Snappy: the length, then literals and copies of earlier bytes, up to 64 KiB back.
 * https://github.com/google/snappy/blob/main/format_description.txt
 * Blocks of 64 KiB are packed independently, so that all offsets fit into two bytes. A hash finds the last
 * occurrence of four bytes; the longer nothing is found, the larger the steps.
 */
#include "snappy.h"
#include "../../src/core/bytes.h"

#define LEAST 4 /* minimum bytes of a copy */

enum { LITERAL = 0, COPY_1 = 1, COPY_2 = 2 };

size_t snappy_most(size_t size) {
    return 32 + size + size / 6;
}

size_t snappy_length(uint8_t to[SNAPPY_LENGTH], uint32_t size) {
    size_t n = 0;
    for (; size >= 0x80; size >>= 7)
        to[n++] = (uint8_t)(size | 0x80);
    to[n++] = (uint8_t)size;
    return n;
}

static uint8_t *put_literal(uint8_t *to, const uint8_t *from, size_t length) {
    const size_t n = length - 1;
    if (!length)
        return to;
    *to++ = (uint8_t)((n < 60 ? n : n < 256 ? 60 : 61) << 2 | LITERAL);
    if (n >= 60)
        *to++ = (uint8_t)n;
    if (n >= 256)
        *to++ = (uint8_t)(n >> 8);
    memcpy(to, from, length);
    return to + length;
}

static uint8_t *put_copy_2(uint8_t *to, size_t offset, size_t length) {
    *to++ = (uint8_t)((length - 1) << 2 | COPY_2);
    *to++ = (uint8_t)offset;
    *to++ = (uint8_t)(offset >> 8);
    return to;
}

/* A copy has at most 64 bytes, and must leave at least LEAST bytes for the next one. */
static uint8_t *put_copy(uint8_t *to, size_t offset, size_t length) {
    for (; length >= 64 + LEAST; length -= 64)
        to = put_copy_2(to, offset, 64);
    if (length > 64) {
        to = put_copy_2(to, offset, 60);
        length -= 60;
    }
    if (length > 11 || offset >= 2048)
        return put_copy_2(to, offset, length);
    *to++ = (uint8_t)((length - 4) << 2 | (offset >> 8) << 5 | COPY_1);
    *to++ = (uint8_t)offset;
    return to;
}

/* The number of equal bytes from two positions on; `a` is after `b`. */
static size_t alike(const uint8_t *a, const uint8_t *b, const uint8_t *end) {
    const uint8_t *begin = a;
    while (end - a >= 8 && memcmp(a, b, 8) == 0)
        a += 8, b += 8;
    while (a < end && *a == *b)
        a++, b++;
    return (size_t)(a - begin);
}

static uint32_t slot_of(uint32_t four) {
    return (four * 0x1E35A7BDU) >> (32 - SNAPPY_TABLE);
}

static uint8_t *pack_block(snappy *with, const uint8_t *from, size_t size, uint8_t *to) {
    const uint8_t *const end = from + size;
    size_t literal = 0, at = 1, misses = 0;
    memset(with, 0, sizeof *with);
    while (at + LEAST <= size) {
        const uint32_t four = mst_load32(from + at, false);
        uint16_t *slot = &with->last[slot_of(four)];
        const size_t before = *slot;
        *slot = (uint16_t)at;
        if (mst_load32(from + before, false) != four) {
            at += 1 + misses++ / 32;
            continue;
        }
        const size_t length = LEAST + alike(from + at + LEAST, from + before + LEAST, end);
        to = put_literal(to, from + literal, at - literal);
        to = put_copy(to, at - before, length);
        literal = at += length;
        misses = 0;
    }
    return put_literal(to, from + literal, size - literal);
}

size_t snappy_pack(snappy *with, const uint8_t *from, size_t size, uint8_t *to) {
    uint8_t *at = to;
    for (size_t done = 0; done < size; done += SNAPPY_BLOCK)
        at = pack_block(with, from + done, size - done < SNAPPY_BLOCK ? size - done : SNAPPY_BLOCK, at);
    return (size_t)(at - to);
}
