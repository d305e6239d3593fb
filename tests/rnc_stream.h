/* SPDX-License-Identifier: MIT */
/* Builds RNC blocks bit by bit, from the format's description rather than from the reader's code. */
#ifndef MST_TESTS_RNC_STREAM_H
#define MST_TESTS_RNC_STREAM_H

#include "support.h"

/* ---- streams by hand --------------------------------------------------------------------------- */

typedef struct stream {
    uint8_t *packed; /* without the header */
    size_t size, capacity;
    size_t unit;   /* offset of the unit that is being filled */
    unsigned used; /* bits used in that unit */
    int method;
    uint8_t *plain; /* the expected unpacked bytes */
    size_t plain_size, plain_capacity;
} stream;

static inline void append(uint8_t **bytes, size_t *size, size_t *capacity, unsigned byte) {
    if (*size == *capacity) {
        *capacity = *capacity * 2 + 64;
        *bytes = realloc(*bytes, *capacity);
        assert_non_null(*bytes);
    }
    (*bytes)[(*size)++] = (uint8_t)byte;
}

static inline void whole_byte(stream *s, unsigned byte) {
    append(&s->packed, &s->size, &s->capacity, byte);
}

static inline void bit(stream *s, unsigned value) {
    unsigned unit_bits = s->method == 1 ? 16 : 8;
    if (s->used % unit_bits == 0) {
        s->unit = s->size;
        for (unsigned i = 0; i < unit_bits; i += 8)
            whole_byte(s, 0);
        s->used = 0;
    }
    if (value && s->method == 1)
        s->packed[s->unit + s->used / 8] |= (uint8_t)(1 << s->used % 8);
    else if (value)
        s->packed[s->unit] |= (uint8_t)(0x80 >> s->used);
    s->used++;
}

/* Appends bits given as text: "110". */
static inline void bits(stream *s, const char *text) {
    for (; *text; text++)
        if (*text != ' ')
            bit(s, *text == '1');
}

static inline void begin(stream *s, int method) {
    memset(s, 0, sizeof *s);
    s->method = method;
    bits(s, "00");
}

static inline void end(stream *s) {
    free(s->packed);
    free(s->plain);
}

static inline void plain(stream *s, unsigned byte) {
    append(&s->plain, &s->plain_size, &s->plain_capacity, byte);
}

static inline void plain_match(stream *s, size_t distance, size_t length) {
    assert_true(distance <= s->plain_size);
    while (length--)
        plain(s, s->plain[s->plain_size - distance]);
}

/* Literal bytes that depend on their position. */
static inline void put_plain(stream *s, size_t count) {
    while (count--) {
        unsigned byte = (unsigned)(s->plain_size * 37 + s->plain_size / 256 * 11 + 5) & 0xFF;
        whole_byte(s, byte);
        plain(s, byte);
    }
}

static inline unsigned slow_crc(const uint8_t *bytes, size_t size) {
    unsigned crc = 0;
    for (size_t i = 0; i < size; i++)
        for (unsigned k = 0; k < 8; k++) {
            unsigned out = (crc ^ bytes[i] >> k) & 1;
            crc = out ? crc >> 1 ^ 0xA001 : crc >> 1;
        }
    return crc;
}

static inline void big_endian(uint8_t *place, uint64_t number, int width) {
    while (width--) {
        place[width] = (uint8_t)number;
        number >>= 8;
    }
}

/* A copy of the block in an allocation of exactly its size, to be freed. */
static inline uint8_t *block_of(const stream *s, size_t *size) {
    *size = 18 + s->size;
    uint8_t *block = malloc(*size);
    assert_non_null(block);
    memcpy(block, "RNC", 3);
    block[3] = (uint8_t)s->method;
    big_endian(block + 4, s->plain_size, 4);
    big_endian(block + 8, s->size, 4);
    big_endian(block + 12, slow_crc(s->plain, s->plain_size), 2);
    big_endian(block + 14, slow_crc(s->packed, s->size), 2);
    block[16] = 9;
    block[17] = 1;
    memcpy(block + 18, s->packed, s->size);
    return block;
}

/* ---- method 1 --------------------------------------------------------------------------------- */

/* Appends a number of k bits, low bit first. */
static inline void number(stream *s, unsigned long value, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        bit(s, value >> i & 1);
}

typedef struct table {
    unsigned count;
    unsigned lengths[31];
} table;

static inline void put_table(stream *s, const table *t) {
    number(s, t->count, 5);
    for (unsigned i = 0; i < t->count; i++)
        number(s, t->lengths[i], 4);
}

/* The code of a symbol: each that precedes it, by length and then symbol, takes its share. */
static inline void put_symbol(stream *s, const table *t, unsigned symbol) {
    unsigned length = t->lengths[symbol], code = 0;
    assert_true(symbol < t->count && length);
    for (unsigned i = 0; i < t->count; i++)
        if (t->lengths[i] && (t->lengths[i] < length || (i < symbol && t->lengths[i] == length)))
            code += 1u << (length - t->lengths[i]);
    for (unsigned i = length; i--;)
        bit(s, code >> i & 1);
}

static inline void put_value(stream *s, const table *t, unsigned long value) {
    unsigned symbol = 0;
    while (value >> symbol)
        symbol++;
    put_symbol(s, t, symbol);
    if (symbol > 1)
        number(s, value - (1ul << (symbol - 1)), symbol - 1);
}

static inline void put_run(stream *s, const table *runs, size_t count) {
    put_value(s, runs, (unsigned long)count);
    put_plain(s, count);
}

static inline void put_pair(stream *s, const table *distances, const table *lengths, size_t distance,
                            size_t length) {
    put_value(s, distances, (unsigned long)distance - 1);
    put_value(s, lengths, (unsigned long)length - 2);
    plain_match(s, distance, length);
}

static inline void put_tables(stream *s, const table *a, const table *b, const table *c, unsigned n) {
    put_table(s, a);
    put_table(s, b);
    put_table(s, c);
    number(s, n, 16);
}

/* The shortest lengths are not the first ones, and some symbols have none. */
static const table some = {8, {3, 3, 1, 0, 4, 4, 4, 4}};
/* Every length from 1 to 15, for all values below 2^15. */
static const table every = {16, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15}};
static const table one = {1, {1}}; /* only the value 0 */
static const table none = {0, {0}};

/* ---- method 2 --------------------------------------------------------------------------------- */

static inline void put_distance(stream *s, size_t distance) {
    unsigned high = (unsigned)(distance - 1) >> 8, rest = high & 3;
    assert_true(high < 16);
    if (high == 0) {
        bits(s, "0");
    } else if (high == 1) {
        bits(s, "110");
    } else if (high < 4) {
        bits(s, "100");
        bit(s, high == 3);
    } else {
        bool short_form = high < 8;
        bit(s, 1);
        bit(s, short_form ? rest >> 1 : (high - 8) >> 2);
        bit(s, 1);
        bit(s, short_form ? rest & 1 : (high - 8) >> 1 & 1);
        bit(s, short_form);
        if (!short_form)
            bit(s, high & 1);
    }
    whole_byte(s, (unsigned)(distance - 1) & 0xFF);
}

static inline void put_copy(stream *s, size_t distance, size_t length) {
    static const char *const codes[] = {"1110", "10 0 0", "10 1 0", "10 0 1 0", "10 0 1 1", "10 1 1 0"};
    if (length == 2) {
        assert_true(distance <= 256);
        bits(s, "110");
        whole_byte(s, (unsigned)distance - 1);
    } else {
        if (length < 9) {
            bits(s, codes[length - 3]);
        } else {
            bits(s, "1111");
            whole_byte(s, (unsigned)length - 8);
        }
        put_distance(s, distance);
    }
    if (s->plain_size >= distance)
        plain_match(s, distance, length);
}

static inline void put_literal(stream *s) {
    bits(s, "0");
    put_plain(s, 1);
}

static inline void put_literals(stream *s, size_t count) {
    assert_true(count >= 12 && count <= 72 && count % 4 == 0);
    bits(s, "10 1 1 1");
    for (unsigned i = 4; i--;)
        bit(s, (unsigned)(count - 12) / 4 >> i & 1);
    put_plain(s, count);
}

static inline void end_chunk_2(stream *s, const char *more) {
    bits(s, "1111");
    whole_byte(s, 0);
    bits(s, more);
}

#endif
