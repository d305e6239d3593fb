/* SPDX-License-Identifier: MIT */
/*
 * The only code that reads raw input and writes raw output: callers prove with mst_fits that the bytes of a
 * load exist, and all byte order conversion is here.
 */
#ifndef MST_CORE_BYTES_H
#define MST_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether `length` bytes from `offset` end by `end`; cannot overflow. */
static inline bool mst_fits(uint64_t offset, uint64_t length, uint64_t end) {
    return offset <= end && length <= end - offset;
}

/* a * b; false if that overflows. For small numbers this is decided without a division, which is slow. */
static inline bool mst_multiply(uint64_t a, uint64_t b, uint64_t *product) {
    if ((a | b) > UINT32_MAX && b && a > UINT64_MAX / b)
        return false;
    *product = a * b;
    return true;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define MST_HOST_BIG 1
#else
#define MST_HOST_BIG 0
#endif

static inline uint16_t mst_swap16(uint16_t v) {
    return (uint16_t)(v << 8 | v >> 8);
}
static inline uint32_t mst_swap32(uint32_t v) {
    return v << 24 | (v & 0xFF00u) << 8 | (v >> 8 & 0xFF00u) | v >> 24;
}
static inline uint64_t mst_swap64(uint64_t v) {
    return (uint64_t)mst_swap32((uint32_t)v) << 32 | mst_swap32((uint32_t)(v >> 32));
}

static inline uint16_t mst_load16(const uint8_t *p, bool big) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return big == MST_HOST_BIG ? v : mst_swap16(v);
}
static inline uint32_t mst_load32(const uint8_t *p, bool big) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return big == MST_HOST_BIG ? v : mst_swap32(v);
}
static inline uint64_t mst_load64(const uint8_t *p, bool big) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return big == MST_HOST_BIG ? v : mst_swap64(v);
}
static inline void mst_store16(uint8_t *p, uint16_t v, bool big) {
    if (big != MST_HOST_BIG)
        v = mst_swap16(v);
    memcpy(p, &v, sizeof v);
}
static inline void mst_store32(uint8_t *p, uint32_t v, bool big) {
    if (big != MST_HOST_BIG)
        v = mst_swap32(v);
    memcpy(p, &v, sizeof v);
}
static inline void mst_store64(uint8_t *p, uint64_t v, bool big) {
    if (big != MST_HOST_BIG)
        v = mst_swap64(v);
    memcpy(p, &v, sizeof v);
}

/* An unsigned integer of 1, 2, 3, 4 or 8 bytes. */
static inline uint64_t mst_load(const uint8_t *p, unsigned width, bool big) {
    switch (width) {
    case 1: return *p;
    case 2: return mst_load16(p, big);
    case 3: return (uint32_t)p[big ? 0 : 2] << 16 | (uint32_t)p[1] << 8 | p[big ? 2 : 0];
    case 4: return mst_load32(p, big);
    default: return mst_load64(p, big);
    }
}
static inline void mst_store(uint8_t *p, unsigned width, uint64_t v, bool big) {
    switch (width) {
    case 1: *p = (uint8_t)v; break;
    case 2: mst_store16(p, (uint16_t)v, big); break;
    case 3:
        p[big ? 0 : 2] = (uint8_t)(v >> 16);
        p[1] = (uint8_t)(v >> 8);
        p[big ? 2 : 0] = (uint8_t)v;
        break;
    case 4: mst_store32(p, (uint32_t)v, big); break;
    default: mst_store64(p, v, big); break;
    }
}

#endif
