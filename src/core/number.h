/* SPDX-License-Identifier: MIT */
/* Numbers as text, independent of the locale. */
#ifndef MST_CORE_NUMBER_H
#define MST_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MST_NUMBER_MAX 32 /* enough for every number below, without a NUL */

/* Each writes to `text`, which has MST_NUMBER_MAX bytes, without a NUL, and returns the length; the
 * floating-point functions may write to the bytes after it. */
size_t mst_write_u64(char *text, uint64_t value);
size_t mst_write_i64(char *text, int64_t value);
/* `digits` lower case hexadecimal digits, 1..16. */
size_t mst_write_hex(char *text, uint64_t value, unsigned digits);

/*
 * The shortest decimal that reads back as exactly the same float (of those the nearest), as a JSON number:
 * "1", "-0.0", "0.1", "1e-7", "3.4028235e38". Integers below 1e9 (float) or 1e15 (double) have no exponent.
 * Not for NaN and infinities.
 */
size_t mst_write_f32(char *text, float value);
size_t mst_write_f64(char *text, double value);

/* Reads the entire text as a number in JSON's grammar, correctly rounded to the type; false if it is not one,
 * or out of range. Integers may be decimal or 0x hexadecimal. */
bool mst_read_f32(const char *text, size_t length, float *value);
bool mst_read_f64(const char *text, size_t length, double *value);
bool mst_read_u64(const char *text, size_t length, uint64_t *value);
bool mst_read_i64(const char *text, size_t length, int64_t *value);

static inline uint32_t mst_bits_of_f32(float value) {
    union {
        float f;
        uint32_t u;
    } pun = {.f = value};
    return pun.u;
}
static inline float mst_f32_of_bits(uint32_t bits) {
    union {
        uint32_t u;
        float f;
    } pun = {.u = bits};
    return pun.f;
}
static inline uint64_t mst_bits_of_f64(double value) {
    union {
        double f;
        uint64_t u;
    } pun = {.f = value};
    return pun.u;
}
static inline double mst_f64_of_bits(uint64_t bits) {
    union {
        uint64_t u;
        double f;
    } pun = {.u = bits};
    return pun.f;
}

#endif
