/* SPDX-License-Identifier: MIT */
/* FNV-1a, by which tables in memory find texts. */
#ifndef CLI_OUTPUT_TEXT_HASH_H
#define CLI_OUTPUT_TEXT_HASH_H

#include <stdint.h>

#define HASH UINT64_C(14695981039346656037) /* where a hash begins */

static inline uint64_t hash_byte(uint64_t hash, unsigned char byte) {
    return (hash ^ byte) * UINT64_C(1099511628211);
}

static inline uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++)
        hash = hash_byte(hash, (unsigned char)*text);
    return hash;
}

#endif
