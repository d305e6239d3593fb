/* SPDX-License-Identifier: MIT */
/* FNV-1a: hashes of texts and bytes, for hash tables of names, and for deriving colours and ids; and a number
 * from SHA-256, for permanent ids. */
#ifndef MST_CORE_HASH_H
#define MST_CORE_HASH_H

#include "text.h"

#define MST_HASH   UINT64_C(14695981039346656037) /* the initial value of a hash */
#define MST_HASH32 UINT32_C(2166136261)

static inline uint64_t mst_hash_byte(uint64_t hash, uint8_t byte) {
    return (hash ^ byte) * UINT64_C(1099511628211);
}

static inline uint64_t mst_hash_number(uint64_t hash, uint32_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        hash = mst_hash_byte(hash, (uint8_t)(number >> shift));
    return hash;
}

static inline uint64_t mst_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = mst_hash_byte(hash, at[i]);
    return hash;
}

static inline uint64_t mst_hash_text(uint64_t hash, const char *text) {
    return mst_hash_bytes(hash, text, strlen(text));
}

/* Equal for all texts that mst_same_text treats as the same. */
static inline uint64_t mst_hash_letters(uint64_t hash, const char *text) {
    for (; *text; text++)
        hash = mst_hash_byte(hash, (uint8_t)mst_lower(*text));
    return hash;
}

/* The SHA-256 of bytes: 64 lower case hexadecimal digits and a NUL. */
void mst_sha256_text(const void *data, size_t size, char text[65]);

/* The first 64 bits of the SHA-256 of a text: the same on all machines. */
uint64_t mst_number_of_name(const char *name);

/* For tables, which use the low bits: mixes the high ones into them. */
static inline size_t mst_hash_slot(uint64_t hash) {
    return (size_t)(hash ^ hash >> 32);
}

/* A 32-bit hash, which is not a part of the longer one. */
static inline uint32_t mst_hash32_bytes(uint32_t hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT32_C(16777619);
    return hash;
}

#endif
