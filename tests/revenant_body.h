/* SPDX-License-Identifier: MIT */
/* Bodies of Revenant's models, of both kinds, written byte by byte. */
#ifndef MST_TESTS_REVENANT_BODY_H
#define MST_TESTS_REVENANT_BODY_H

#include "support.h"

#define STATES 3

/* A body's data, and the header of its states. */
typedef struct body {
    uint8_t header[8 + STATES * 76];
    uint8_t *data;
    uint32_t size, end; /* the place of the next item */
} body;

static inline void number(body *b, uint32_t at, uint32_t value) {
    assert_true(at + 4 <= b->size);
    mst_store32(b->data + at, value, false);
}
static inline void small(body *b, uint32_t at, uint32_t value) {
    assert_true(at + 2 <= b->size);
    mst_store16(b->data + at, (uint16_t)value, false);
}
static inline void real(body *b, uint32_t at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    number(b, at, bits);
}
/* Room for the target of an offset field. */
static inline uint32_t led(body *b, uint32_t field, uint32_t size) {
    uint32_t at = b->end;
    number(b, field, at - field);
    b->end += size;
    assert_true(b->end <= b->size);
    return at;
}

static inline body body_of(uint32_t flags, uint32_t fixed) {
    body b = {.size = 12000, .end = fixed};
    b.data = calloc(1, b.size);
    assert_non_null(b.data);
    number(&b, 0, flags);
    mst_store32(b.header + 4, STATES, false);
    for (unsigned i = 0; i < STATES; i++)
        mst_store16(b.header + 8 + 76 * i + 42, 2, false); /* frames */
    return b;
}

static inline void put_corner(body *b, uint32_t at, float x, float y, float z) {
    real(b, at, x), real(b, at + 4, y), real(b, at + 8, z);
    real(b, at + 20, 1); /* the normal points upwards */
    real(b, at + 24, 0.25F), real(b, at + 28, 0.75F);
}

/* 12 bits each of a place in quarters, 9 of angles in 256ths of half a turn. */
static inline void long_key(body *b, uint32_t at, int x, int y, int z, int rx, int ry, int rz) {
    uint64_t bits = (uint64_t)(x + 0x800) | (uint64_t)(y + 0x800) << 12 | (uint64_t)(z + 0x800) << 24 |
                    (uint64_t)(rx + 0x100) << 36 | (uint64_t)(ry + 0x100) << 45 |
                    (uint64_t)(rz + 0x100) << 54;
    number(b, at, (uint32_t)bits);
    number(b, at + 4, (uint32_t)(bits >> 32));
}

enum { MORPHS = 1, HANGS = 4, OF_PARTS = 16, SHORT = 128 };

/* A body of the old kind of this size: two objects of three corners with a face each, the second with a
 * texture of 2 x 1 pixels; the first is the second's parent in state 0. Keys only in state 0. */
static inline body old_body_of(uint32_t flags, uint32_t size) {
    body b = body_of(flags, size);
    number(&b, 4, 6);
    uint32_t frames = led(&b, 8, 4), corners = led(&b, frames, 6 * 32);
    for (unsigned i = 0; i < 6; i++)
        put_corner(&b, corners + 32 * i, (float)i, 0, i % 3 ? 0 : 2);
    number(&b, 264, 2);
    uint32_t faces = led(&b, 268, 12);
    for (unsigned i = 0; i < 6; i++)
        small(&b, faces + 2 * i, i % 3);
    number(&b, 272, 1);
    real(&b, 280, 0.5F), real(&b, 284, 0.25F), real(&b, 288, 1);
    number(&b, 916, 1);
    number(&b, 920 + 8, 1), number(&b, 920 + 12, 2), number(&b, 920 + 84, 16);
    uint32_t pixels = led(&b, led(&b, 1784, 4), 4); /* by a list of frames */
    small(&b, pixels, 0xF800), small(&b, pixels + 2, 0x001F);
    number(&b, 1848, 1);
    number(&b, 1880, 2);
    memcpy(b.data + 1884, "hips", 4);
    memset(b.data + 1884 + 32, 'x', 32); /* without a NUL */
    small(&b, 3932 + 2, 7);              /* the second has no material */
    small(&b, 4060 + 2, 3);
    small(&b, 4188, 3), small(&b, 4188 + 2, 3);
    small(&b, 5340, 1);                                       /* face 0 without a texture */
    small(&b, 4316 + 16 + 2, 1), small(&b, 5340 + 16 + 2, 1); /* face 1 with the texture */
    uint32_t keys = led(&b, 6620, 4 * 8);
    long_key(&b, keys, 4, 0, 0, 0, 0, 128);      /* a quarter turn about z, and one along x */
    long_key(&b, keys + 16, 0, 8, 0, 128, 0, 0); /* the second: about x, and two along y */
    if (flags & HANGS) {
        memset(b.data + led(&b, 7132, 12), 0xFF, 3);
        memset(b.data + led(&b, 7132 + 4, 12), 0xFF, 3);
        b.data[b.end - 12] = 0; /* a byte a state */
    }
    return b;
}
static inline body old_body(uint32_t flags) {
    return old_body_of(flags, 7388);
}

/* A body of parts: one object of three corners, a face without a texture, short or long keys. */
static inline body new_body(uint32_t flags, const uint32_t *keys, uint32_t count) {
    body b = body_of(flags | OF_PARTS, 60);
    number(&b, 4, 1);
    number(&b, 12, 3);
    uint32_t states = led(&b, 16, flags & MORPHS ? 4 * STATES : 4);
    for (uint32_t i = 0; i < (flags & MORPHS ? STATES : 1u); i++) {
        uint32_t frames = led(&b, states + 4 * i, 4), corners = led(&b, frames, 96);
        for (unsigned k = 0; k < 3; k++)
            put_corner(&b, corners + 32 * k, (float)k + (float)i, 1, 2);
    }
    number(&b, 20, 1);
    uint32_t faces = led(&b, 24, 6);
    small(&b, faces + 2, 1), small(&b, faces + 4, 2);
    number(&b, 44, 1);
    uint32_t object = led(&b, 48, 48);
    memcpy(b.data + object, "box", 3);
    small(&b, object + 36, 3);
    small(&b, led(&b, object + 40, 4) + 2, 1);
    bool shorter = (flags & SHORT) != 0;
    uint32_t at = led(&b, object + 44, (shorter ? 12 : 8) * STATES);
    for (unsigned i = 0; i < STATES; i++)
        number(&b, at + (shorter ? 12 : 8) * i, UINT32_MAX);
    if (shorter)
        number(&b, at + 4, count);
    uint32_t first = led(&b, at + (shorter ? 8 : 4), shorter ? 4 * count : 8);
    for (uint32_t i = 0; i < count; i++)
        number(&b, first + 4 * i, keys[i]);
    return b;
}

#define TRIPLE(kind, x, y, z)                                                                                \
    ((kind) | ((uint32_t)(x)&1023) << 2 | ((uint32_t)(y)&1023) << 12 | ((uint32_t)(z)&1023) << 22)
#define SINGLE(code, value) ((uint32_t)(code) << 2 | (uint32_t)(value) << 8)

/* The body as a file, so that it opens. */
static inline writer file_of(const body *b) {
    writer w = {0};
    put_bytes_of(&w, "CGSR", 4);
    put_u16(&w, 0), put_u8(&w, 0), put_u8(&w, 1);
    put_u32(&w, b->end), put_u32(&w, b->end), put_u32(&w, sizeof b->header);
    uint8_t header[sizeof b->header];
    memcpy(header, b->header, sizeof header);
    mst_store32(header, 1, false);
    put_bytes_of(&w, header, sizeof header);
    put_bytes_of(&w, b->data, b->end);
    return w;
}

#endif
