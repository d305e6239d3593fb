/* SPDX-License-Identifier: MIT */
#include "number.h"
#include "bytes.h"
#include "unreachable.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing integers ---- */

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                            "3536373839404142434445464748495051525354555657585960616263646566676869"
                            "707172737475767778798081828384858687888990919293949596979899";

static unsigned decimal_length(uint64_t value) {
    unsigned length = 1;
    while (value >= 10000) {
        value /= 10000;
        length += 4;
    }
    return length + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Writes exactly `length` digits, with leading zeros. */
static void write_digits(char *text, uint64_t value, unsigned length) {
    char *end = text + length;
    while (value > UINT32_MAX) {
        end -= 2;
        memcpy(end, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    uint32_t small = (uint32_t)value;
    while (end - text >= 2) {
        end -= 2;
        memcpy(end, pairs + 2 * (small % 100), 2);
        small /= 100;
    }
    if (end > text)
        *text = (char)('0' + small);
}

size_t mst_write_u64(char *text, uint64_t value) {
    unsigned length = decimal_length(value);
    write_digits(text, value, length);
    return length;
}

size_t mst_write_i64(char *text, int64_t value) {
    if (value >= 0)
        return mst_write_u64(text, (uint64_t)value);
    *text = '-';
    return 1 + mst_write_u64(text + 1, 0 - (uint64_t)value);
}

size_t mst_write_hex(char *text, uint64_t value, unsigned digits) {
    for (unsigned i = digits; i-- > 0; value >>= 4)
        text[i] = "0123456789abcdef"[value & 15];
    return digits;
}

/* ---- Writing floating point ---- */

/* "e-7" after a number; returns the end. */
static char *write_exponent(char *to, int exponent) {
    *to++ = 'e';
    if (exponent < 0) {
        *to++ = '-';
        exponent = -exponent;
    }
    if (exponent >= 100) {
        *to++ = (char)('0' + exponent / 100);
        exponent %= 100;
    } else if (exponent < 10) {
        *to++ = (char)('0' + exponent);
        return to;
    }
    memcpy(to, pairs + 2 * exponent, 2);
    return to + 2;
}

/*
 * Powers of ten for float: entry i is 10^(i - 31), scaled by a power of two to fill 64 bits, and rounded up:
 * ceil(10^k / 2^(floor(log2(10^k)) - 63)). Computed with exact integers, in Python: for k in range(-31, 46):
 *       e = (k * 1741647 >> 19) - 63                       # floor(log2(10^k)) - 63
 *       n, d = 10**max(k, 0) << max(-e, 0), 10**max(-k, 0) << max(e, 0)
 *       print(hex(-(-n // d)))
 */
#define POWER_MIN (-31)
static const uint64_t powers[] = {
    UINT64_C(0x81ceb32c4b43fcf5), UINT64_C(0xa2425ff75e14fc32), UINT64_C(0xcad2f7f5359a3b3f),
    UINT64_C(0xfd87b5f28300ca0e), UINT64_C(0x9e74d1b791e07e49), UINT64_C(0xc612062576589ddb),
    UINT64_C(0xf79687aed3eec552), UINT64_C(0x9abe14cd44753b53), UINT64_C(0xc16d9a0095928a28),
    UINT64_C(0xf1c90080baf72cb2), UINT64_C(0x971da05074da7bef), UINT64_C(0xbce5086492111aeb),
    UINT64_C(0xec1e4a7db69561a6), UINT64_C(0x9392ee8e921d5d08), UINT64_C(0xb877aa3236a4b44a),
    UINT64_C(0xe69594bec44de15c), UINT64_C(0x901d7cf73ab0acda), UINT64_C(0xb424dc35095cd810),
    UINT64_C(0xe12e13424bb40e14), UINT64_C(0x8cbccc096f5088cc), UINT64_C(0xafebff0bcb24aaff),
    UINT64_C(0xdbe6fecebdedd5bf), UINT64_C(0x89705f4136b4a598), UINT64_C(0xabcc77118461cefd),
    UINT64_C(0xd6bf94d5e57a42bd), UINT64_C(0x8637bd05af6c69b6), UINT64_C(0xa7c5ac471b478424),
    UINT64_C(0xd1b71758e219652c), UINT64_C(0x83126e978d4fdf3c), UINT64_C(0xa3d70a3d70a3d70b),
    UINT64_C(0xcccccccccccccccd), UINT64_C(0x8000000000000000), UINT64_C(0xa000000000000000),
    UINT64_C(0xc800000000000000), UINT64_C(0xfa00000000000000), UINT64_C(0x9c40000000000000),
    UINT64_C(0xc350000000000000), UINT64_C(0xf424000000000000), UINT64_C(0x9896800000000000),
    UINT64_C(0xbebc200000000000), UINT64_C(0xee6b280000000000), UINT64_C(0x9502f90000000000),
    UINT64_C(0xba43b74000000000), UINT64_C(0xe8d4a51000000000), UINT64_C(0x9184e72a00000000),
    UINT64_C(0xb5e620f480000000), UINT64_C(0xe35fa931a0000000), UINT64_C(0x8e1bc9bf04000000),
    UINT64_C(0xb1a2bc2ec5000000), UINT64_C(0xde0b6b3a76400000), UINT64_C(0x8ac7230489e80000),
    UINT64_C(0xad78ebc5ac620000), UINT64_C(0xd8d726b7177a8000), UINT64_C(0x878678326eac9000),
    UINT64_C(0xa968163f0a57b400), UINT64_C(0xd3c21bcecceda100), UINT64_C(0x84595161401484a0),
    UINT64_C(0xa56fa5b99019a5c8), UINT64_C(0xcecb8f27f4200f3a), UINT64_C(0x813f3978f8940985),
    UINT64_C(0xa18f07d736b90be6), UINT64_C(0xc9f2c9cd04674edf), UINT64_C(0xfc6f7c4045812297),
    UINT64_C(0x9dc5ada82b70b59e), UINT64_C(0xc5371912364ce306), UINT64_C(0xf684df56c3e01bc7),
    UINT64_C(0x9a130b963a6c115d), UINT64_C(0xc097ce7bc90715b4), UINT64_C(0xf0bdc21abb48db21),
    UINT64_C(0x96769950b50d88f5), UINT64_C(0xbc143fa4e250eb32), UINT64_C(0xeb194f8e1ae525fe),
    UINT64_C(0x92efd1b8d0cf37bf), UINT64_C(0xb7abc627050305ae), UINT64_C(0xe596b7b0c643c71a),
    UINT64_C(0x8f7e32ce7bea5c70), UINT64_C(0xb35dbf821ae4f38c)};

/* value * power / 2^64, where the lowest bit is also set if any bit cut off is. `power` is rounded up by less
 * than 1, which makes the product too large by less than 2^32: the comparison ignores that much. */
static uint32_t scale(uint64_t power, uint32_t value) {
    uint64_t low = (power & UINT32_MAX) * value;
    uint64_t high = (power >> 32) * value + (low >> 32);
    uint32_t rest = (uint32_t)high;
    return (uint32_t)(high >> 32) | (rest > 1);
}

/*
 * The shortest decimal between the midpoints to the neighbours, and of several the nearest: Raffaello
 * Giulietti's Schubfach, "The Schubfach way to render doubles" (2020), for float. `significand` * 2^`power`
 * is the value; `narrow`: the neighbour below is only half as far away as the one above. Returns the digits.
 */
static uint32_t shortest(uint32_t significand, int power, bool narrow, int *exponent) {
    uint32_t odd =
        significand &
        1; /* readers round ties to even, so an even significand includes the ends of its interval */
    /* k = floor(log10(2^power)), of 3/4 of that if narrow; log_power = floor(log2(10^-k)). The fractions are
     * exact enough for all floats, and the offsets keep the shifted values from being negative. */
    int k = (int)((uint32_t)(power * 1262611 - (narrow ? 524031 : 0) + (64 << 22)) >> 22) - 64;
    int log_power = (int)((uint32_t)(-k * 1741647 + (128 << 19)) >> 19) - 128;
    int shift = power + log_power + 1; /* 1..4 */
    uint64_t ten = powers[-k - POWER_MIN];
    /* Quarters of 10^k: the lower end, the value, the upper end. */
    uint32_t centre = 4 * significand;
    uint32_t lower = scale(ten, (centre - 2 + narrow) << shift) + odd;
    uint32_t value = scale(ten, centre << shift);
    uint32_t upper = scale(ten, (centre + 2) << shift) - odd;
    /* One digit less is enough if exactly one of its two candidates is inside. Written without branches,
     * which would be unpredictable. */
    uint32_t digits = value / 4, tens = digits / 10;
    unsigned below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
    unsigned shorter = (digits >= 10) & (below ^ above);
    /* Otherwise the one of the two neighbouring values that is inside; the nearer one if both are. */
    uint32_t middle = 4 * digits + 2;
    unsigned nearer = (value > middle) | ((value == middle) & digits & 1);
    unsigned inside = 4 * digits + 4 <= upper;
    unsigned only = (lower <= 4 * digits) ^ inside;
    digits += (only & inside) | (~only & nearer);
    *exponent = k + (int)shorter;
    return shorter ? tens + above : digits;
}

/* The eight decimal digits of a value below 10^8 as bytes, the first digit in the lowest byte. */
static uint64_t eight_digits(uint32_t value) {
    uint64_t v = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = v * 10486 >> 20 & UINT64_C(0x0000007F0000007F); /* right for all below 10000 */
    v = hundreds | (v - hundreds * 100) << 16;
    uint64_t tens = v * 103 >> 10 & UINT64_C(0x000F000F000F000F); /* right for all below 100 */
    return tens | (v - tens * 10) << 8;
}

/*
 * Writes digits * 10^exponent, `digits` being 1..999999999. Numbers from 1e-6 to below 1e9 have no exponent.
 * The digits stay in registers and are stored eight at a time, which writes beyond the end of the number.
 */
static size_t lay_out_f32(char *to, uint32_t digits, int exponent) {
    static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    int length = 1;
    for (int i = 1; i < 9; i++)
        length += digits >= tens[i];
    int point = length + exponent; /* the value is 0.digits * 10^point */
    digits *= tens[9 - length];    /* nine digits now, with trailing zeros */
    char first = (char)('0' + digits / 100000000);
    uint64_t others = eight_digits(digits % 100000000);
    int count = others ? 9 - __builtin_clzll(others) / 8 : 1; /* without trailing zeros */
    others |= UINT64_C(0x3030303030303030);
    if (point > 0 && point <= 9) {
        to[0] = first;
        mst_store64((uint8_t *)to + 1, others, false);
        if (count <= point)
            return (size_t)point;
        to[point] = '.';
        mst_store64((uint8_t *)to + point + 1, others >> 8 * (point - 1), false);
        return (size_t)count + 1;
    }
    if (point > -6 && point <= 0) {
        memcpy(to, "0.00000", 7);
        to[2 - point] = first;
        mst_store64((uint8_t *)to + 3 - point, others, false);
        int written = 2 - point + count;
        return (size_t)written;
    }
    to[0] = first;
    to[1] = '.';
    mst_store64((uint8_t *)to + 2, others, false);
    return (size_t)(write_exponent(to + (count == 1 ? 1 : count + 1), point - 1) - to);
}

size_t mst_write_f32(char *text, float value) {
    uint32_t bits = mst_bits_of_f32(value);
    char *to = text;
    *to = '-';
    to += bits >> 31;
    uint32_t fraction = bits & 0x7FFFFF;
    int biased = (int)(bits >> 23 & 0xFF);
    if (!(bits & 0x7FFFFFFF)) {
        memcpy(to, "0.0", 3);
        return to == text ? 1 : 4;
    }
    uint32_t significand = biased ? fraction | 0x800000 : fraction;
    int power = (biased ? biased : 1) - 150;
    if (power <= 0 && power > -24 && !(significand & ((1u << -power) - 1)))
        return (size_t)(to - text) +
               mst_write_u64(to, significand >> -power); /* an integer below 2^24: exact */
    int exponent;
    uint32_t digits = shortest(significand, power, fraction == 0 && biased > 1, &exponent);
    return (size_t)(to - text) + lay_out_f32(to, digits, exponent);
}

/* ---- Reading ---- */

#define LEADING_DIGITS 19 /* as many as always fit into 64 bits */

/* The parts of a number in JSON's grammar. */
typedef struct decimal {
    bool negative;
    bool exact; /* the value is leading * 10^exponent; otherwise `leading` does not hold all nonzero digits */
    uint64_t leading;         /* the first digits, without leading zeros */
    int64_t exponent;         /* of the last digit in `leading` */
    const char *digits, *end; /* all digits, including the point */
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool take_apart(const char *text, size_t length, decimal *number) {
    const char *p = text, *end = text + length;
    *number = (decimal){.exact = true};
    if (p < end && *p == '-') {
        number->negative = true;
        p++;
    }
    if (p == end || !is_digit(*p) || (*p == '0' && end - p > 1 && is_digit(p[1])))
        return false;
    number->digits = p;
    unsigned kept = 0;
    bool fraction = false;
    for (; p < end; p++) {
        if (!is_digit(*p)) {
            if (*p != '.' || fraction || end - p == 1 || !is_digit(p[1]))
                break;
            fraction = true;
            continue;
        }
        if (kept < LEADING_DIGITS) {
            number->leading = number->leading * 10 + (uint64_t)(*p - '0');
            kept += number->leading != 0;
            number->exponent -= fraction;
        } else {
            if (*p != '0')
                number->exact = false;
            number->exponent += !fraction;
        }
    }
    number->end = p;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        bool down = p < end && *p == '-';
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        if (p == end)
            return false;
        int64_t exponent = 0;
        for (; p < end && is_digit(*p); p++)
            if (exponent < INT64_MAX / 16)
                exponent = exponent * 10 + (*p - '0');
        if (!is_digit(p[-1]))
            return false;
        number->exponent += down ? -exponent : exponent;
    }
    return p == end;
}

/*
 * After this many digits it only matters whether any more are nonzero: a midpoint between two doubles has at
 * most 767 significant digits, one between two floats fewer.
 */
#define DIGITS_MAX     770
#define PLAIN_CAPACITY (DIGITS_MAX + 32)

/* Writes the absolute value as an integer with an exponent: without a decimal separator, strtod reads it the
 * same in every locale. */
static void write_plain(const decimal *number, char *text) {
    size_t length;
    int64_t exponent = number->exponent;
    if (number->exact) {
        length = mst_write_u64(text, number->leading);
    } else {
        const char *p = number->digits;
        while (*p == '0' || *p == '.')
            p++;
        bool more = false;
        for (length = 0; p < number->end; p++) {
            if (*p == '.')
                continue;
            if (length < DIGITS_MAX)
                text[length++] = *p;
            else
                more |= *p != '0';
        }
        if (more)
            text[length++] = '1';
        exponent += LEADING_DIGITS - (int64_t)length;
    }
    /* Anything beyond this is infinite or zero. */
    exponent = exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : exponent;
    text[length++] = 'e';
    length += mst_write_i64(text + length, exponent);
    text[length] = 0;
}

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Whether both parts are exact as doubles, so that one operation rounds the value only once. */
static bool is_easy(const decimal *number) {
    return number->exact && number->leading <= UINT64_C(1) << 53 && number->exponent >= -22 &&
           number->exponent <= 22;
}
static double easy_value(const decimal *number) {
    double leading = (double)number->leading;
    return number->exponent < 0 ? leading / tens[-number->exponent] : leading * tens[number->exponent];
}

bool mst_read_f32(const char *text, size_t length, float *value) {
    decimal number;
    if (!take_apart(text, length, &number))
        return false;
    float result = 0;
    bool done = number.leading == 0;
    if (done) {
        result = 0;
    } else if (is_easy(&number)) {
        /* Rounding twice can only be wrong if the double is close to a midpoint between two floats. */
        double near = easy_value(&number);
        uint32_t below = (uint32_t)mst_bits_of_f64(near) & 0x1FFFFFFF;
        result = (float)near;
        done =
            near >= (double)FLT_MIN && near <= (double)FLT_MAX && (below < 0x0FFFFFFE || below > 0x10000002);
    }
    if (!done) {
        char plain[PLAIN_CAPACITY];
        write_plain(&number, plain);
        result = strtof(plain, NULL);
        if (result > FLT_MAX)
            return false;
    }
    *value = number.negative ? -result : result;
    return true;
}

bool mst_read_f64(const char *text, size_t length, double *value) {
    decimal number;
    if (!take_apart(text, length, &number))
        return false;
    double result;
    if (number.leading == 0) {
        result = 0;
#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1
    } else if (is_easy(&number)) { /* with excess precision, the operation would round twice */
        result = easy_value(&number);
#endif
    } else {
        char plain[PLAIN_CAPACITY];
        write_plain(&number, plain);
        result = strtod(plain, NULL);
        if (result > DBL_MAX)
            return false;
    }
    *value = number.negative ? -result : result;
    return true;
}

bool mst_read_u64(const char *text, size_t length, uint64_t *value) {
    uint64_t result = 0;
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        for (size_t i = 2; i < length; i++) {
            char c = text[i];
            unsigned digit = is_digit(c)              ? (unsigned)(c - '0')
                             : (c >= 'a' && c <= 'f') ? (unsigned)(c - 'a' + 10)
                             : (c >= 'A' && c <= 'F') ? (unsigned)(c - 'A' + 10)
                                                      : 16;
            if (digit > 15 || result >> 60)
                return false;
            result = result << 4 | digit;
        }
        *value = result;
        return true;
    }
    if (!length || (text[0] == '0' && length > 1))
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]))
            return false;
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (result > (UINT64_MAX - digit) / 10)
            return false;
        result = result * 10 + digit;
    }
    *value = result;
    return true;
}

bool mst_read_i64(const char *text, size_t length, int64_t *value) {
    bool negative = length && *text == '-';
    uint64_t size;
    if (!mst_read_u64(text + negative, length - negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    if (!negative)
        *value = (int64_t)size;
    else
        *value = size ? -(int64_t)(size - 1) - 1 : 0;
    return true;
}

/* ---- Writing double ---- */

/* The digits that "%.*e" wrote and the exponent of the last one, whatever the decimal separator. */
static uint64_t read_printed(const char *printed, int *exponent) {
    uint64_t digits = 0;
    int count = 0;
    for (; *printed && *printed != 'e'; printed++)
        if (is_digit(*printed)) {
            digits = digits * 10 + (uint64_t)(*printed - '0');
            count++;
        }
    *exponent = (int)strtol(printed + (*printed == 'e'), NULL, 10) - (count - 1);
    return digits;
}

static bool reads_as(uint64_t digits, int exponent, double value) {
    char text[48];
    snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, exponent);
    return mst_bits_of_f64(strtod(text, NULL)) == mst_bits_of_f64(value);
}

/* Writes digits * 10^exponent. Numbers from 1e-6 to below 1e15 have no exponent. */
static size_t lay_out_f64(char *to, uint64_t digits, int exponent) {
    while (digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    char text[MST_NUMBER_MAX];
    int count = (int)mst_write_u64(text, digits);
    int point = count + exponent; /* the value is 0.digits * 10^point */
    if (point > 15 || point <= -6) {
        to[0] = text[0];
        to[1] = '.';
        memcpy(to + 2, text + 1, (size_t)count - 1);
        return (size_t)(write_exponent(to + (count == 1 ? 1 : count + 1), point - 1) - to);
    }
    if (point <= 0) {
        memcpy(to, "0.00000", 7);
        memcpy(to + 2 - point, text, (size_t)count);
        int written = 2 - point + count;
        return (size_t)written;
    }
    if (MST_UNREACHABLE(count <= point)) { /* integers of up to 15 digits were written before */
        memcpy(to, text, (size_t)count);
        memset(to + count, '0', (size_t)(point - count));
        return (size_t)point;
    }
    memcpy(to, text, (size_t)point);
    to[point] = '.';
    memcpy(to + point + 1, text + point, (size_t)(count - point));
    return (size_t)count + 1;
}

size_t mst_write_f64(char *text, double value) {
    char *to = text;
    uint64_t bits = mst_bits_of_f64(value);
    if (bits >> 63) {
        *to++ = '-';
        bits &= INT64_MAX;
        value = mst_f64_of_bits(bits);
    }
    if (!bits) {
        memcpy(to, "0.0", 3);
        return to == text ? 1 : 4;
    }
    if (value < 1e15 && value == (double)(uint64_t)value)
        return (size_t)(to - text) + mst_write_u64(to, (uint64_t)value);
    /* Normal doubles distinguish all decimals of 15 digits, so a shorter one shows as trailing zeros; 17
     * digits are always enough. At a power of two the gap above is wider than the one below: there, a decimal
     * that is not the nearest of its length may be the only one of its length that reads back. */
    bool narrow = !(bits & UINT64_C(0xFFFFFFFFFFFFF));
    uint64_t digits = 0;
    int exponent = 0;
    for (int precision = value < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        char printed[64];
        snprintf(printed, sizeof printed, "%.*e", precision - 1, value);
        digits = read_printed(printed, &exponent);
        if (reads_as(digits, exponent, value))
            break;
        if (narrow && reads_as(digits + 1, exponent, value)) {
            digits++;
            break;
        }
    }
    return (size_t)(to - text) + lay_out_f64(to, digits, exponent);
}
