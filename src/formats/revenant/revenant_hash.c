/* SPDX-License-Identifier: MIT */
/* The game adds signed bytes to unsigned 32-bit sums: a sum below zero wraps before it is reduced. So the
 * result depends on where pieces end. */
#include "revenant_classes.h"

#define MODULUS  65521u
#define RUN      5552u
#define NOT_ZERO 0xF0F0F0F0u

/* Adds the bytes of a run, without reducing the sums. */
static void add_run(mst_revenant_hash *hash, const uint8_t *bytes, size_t size) {
    uint32_t a = hash->a, b = hash->b;
    for (size_t i = 0; i < size; i++) {
        a += bytes[i] < 0x80 ? bytes[i] : 0xFFFFFF00u | bytes[i];
        b += a;
    }
    hash->a = a;
    hash->b = b;
}

static void reduce(mst_revenant_hash *hash) {
    hash->a %= MODULUS;
    hash->b %= MODULUS;
}

void mst_revenant_hash_add_two(mst_revenant_hash *hash, const uint8_t *header, size_t header_size,
                               const uint8_t *rest, size_t rest_size) {
    /* the first run begins with the header, which is shorter than a run */
    size_t first = rest_size < RUN - header_size ? rest_size : RUN - header_size;
    add_run(hash, header, header_size);
    add_run(hash, rest, first);
    reduce(hash);
    mst_revenant_hash_add(hash, rest + first, rest_size - first);
}

void mst_revenant_hash_add(mst_revenant_hash *hash, const uint8_t *piece, size_t size) {
    while (size) {
        size_t run = size < RUN ? size : RUN;
        add_run(hash, piece, run);
        reduce(hash);
        piece += run;
        size -= run;
    }
}

uint32_t mst_revenant_hash_end(const mst_revenant_hash *hash) {
    uint32_t value = hash->b << 16 | hash->a;
    return value ? value : NOT_ZERO;
}
