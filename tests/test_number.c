/* SPDX-License-Identifier: MIT */
/* Numbers as text: exact both ways, shortest, nearest. The C library's strtof and printf are the reference.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core/number.h"

static const char *f32(float value) {
    static char text[MST_NUMBER_MAX + 1];
    memset(text, '#', sizeof text);
    text[mst_write_f32(text, value)] = 0;
    return text;
}

static const char *f64(double value) {
    static char text[MST_NUMBER_MAX + 1];
    memset(text, '#', sizeof text);
    text[mst_write_f64(text, value)] = 0;
    return text;
}

/* A fixed sequence (xorshift), the same on every machine. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void integers_are_written(void **state) {
    (void)state;
    char text[MST_NUMBER_MAX], wanted[MST_NUMBER_MAX];
    uint64_t seed = 88172645463325252u;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t value = next_random(&seed) >> (i % 64);
        if (i < 20) {
            value = 1;
            for (unsigned k = 0; k < i; k++)
                value *= 10;
            value -= i & 1;
        }
        int length = snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)value);
        assert_int_equal(mst_write_u64(text, value), length);
        assert_memory_equal(text, wanted, (size_t)length);
        length = snprintf(wanted, sizeof wanted, "%lld", (long long)(int64_t)value);
        assert_int_equal(mst_write_i64(text, (int64_t)value), length);
        assert_memory_equal(text, wanted, (size_t)length);
    }
    assert_int_equal(mst_write_u64(text, 0), 1);
    assert_int_equal(text[0], '0');
    assert_int_equal(mst_write_u64(text, UINT64_MAX), 20);
    assert_memory_equal(text, "18446744073709551615", 20);
    assert_int_equal(mst_write_i64(text, INT64_MIN), 20);
    assert_memory_equal(text, "-9223372036854775808", 20);
    assert_int_equal(mst_write_hex(text, 0xC0FFEE, 8), 8);
    assert_memory_equal(text, "00c0ffee", 8);
    assert_int_equal(mst_write_hex(text, UINT64_MAX, 16), 16);
    assert_memory_equal(text, "ffffffffffffffff", 16);
    assert_int_equal(mst_write_hex(text, 0x1A, 1), 1);
    assert_memory_equal(text, "a", 1);
}

static void floats_look_as_promised(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.0f, "0"},
        {-0.0f, "-0.0"},
        {1.0f, "1"},
        {-1.0f, "-1"},
        {0.1f, "0.1"},
        {-2.5f, "-2.5"},
        {0.3f, "0.3"},
        {100.0f, "100"},
        {1e-5f, "0.00001"},
        {1.5e-6f, "0.0000015"},
        {1e-6f, "0.000001"},
        {1e-7f, "1e-7"},
        {1.25e-7f, "1.25e-7"},
        {16777215.0f, "16777215"},
        {16777216.0f, "16777216"},
        {100000000.0f, "100000000"},
        {999999940.0f, "999999940"}, /* the last below 1e9 */
        {1e9f, "1e9"},
        {1.5e9f, "1.5e9"},
        {3.4028235e38f, "3.4028235e38"},
        {1.17549435e-38f, "1.1754944e-38"},
        {3.1415927f, "3.1415927"},
        {123456.79f, "123456.79"},
        {8388607.5f, "8388607.5"},
        {33554432.0f, "33554432"},
        {9.8607613e-32f, "9.8607613e-32"}, /* 2^-103: a power of two whose closer neighbour matters */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(f32(cases[i].value), cases[i].text);
    assert_string_equal(f32(mst_f32_of_bits(1)), "1e-45");
    assert_string_equal(f32(mst_f32_of_bits(2)), "3e-45");
    assert_string_equal(f32(mst_f32_of_bits(0x007FFFFF)), "1.1754942e-38");
}

/* The digits of "%.*e" and their number without trailing zeros. */
static size_t significant(const char *text, char *digits) {
    size_t count = 0, kept = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count || *text != '0')) {
            digits[count++] = *text;
            if (*text != '0')
                kept = count;
        }
    digits[kept] = 0;
    return kept;
}

static void check_shortest_f32(uint32_t bits) {
    float value = mst_f32_of_bits(bits), again;
    char text[MST_NUMBER_MAX + 1], ours[40], theirs[40], digits[40];
    size_t length = mst_write_f32(text, value);
    text[length] = 0;
    assert_true(length <= 24);
    assert_true(mst_bits_of_f32(strtof(text, NULL)) == bits);
    assert_true(mst_read_f32(text, length, &again));
    assert_true(mst_bits_of_f32(again) == bits);
    size_t count = significant(text, ours);
    if (!count)
        return;
    /* The nearest of this length is ours, unless it does not read back (above a power of two). */
    snprintf(theirs, sizeof theirs, "%.*e", (int)count - 1, (double)value);
    if (mst_bits_of_f32(strtof(theirs, NULL)) == bits) {
        significant(theirs, digits);
        assert_string_equal(ours, digits);
    } else {
        assert_true((bits & 0x7FFFFF) == 0);
    }
    if (count > 1) {
        snprintf(theirs, sizeof theirs, "%.*e", (int)count - 2, (double)value);
        assert_true(mst_bits_of_f32(strtof(theirs, NULL)) != bits);
    }
}

static void floats_are_exact_and_shortest(void **state) {
    (void)state;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 9973)
        if ((bits & 0x7F800000) != 0x7F800000)
            check_shortest_f32((uint32_t)bits);
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (uint32_t fraction = 0; fraction < 40; fraction++) {
            check_shortest_f32(exponent << 23 | fraction);
            check_shortest_f32(exponent << 23 | (0x7FFFFF - fraction));
            check_shortest_f32(exponent << 23 | 1u << fraction % 23 | 0x80000000);
        }
    }
    for (uint32_t i = 0; i < 50000; i++)
        check_shortest_f32(mst_bits_of_f32((float)i * 0.125f - 1000));
}

static void check_read(const char *text) {
    float single = -1;
    double twice = -1;
    float wanted_single = strtof(text, NULL);
    double wanted_twice = strtod(text, NULL);
    assert_int_equal(mst_read_f32(text, strlen(text), &single), !isinf(wanted_single));
    if (!isinf(wanted_single) && mst_bits_of_f32(single) != mst_bits_of_f32(wanted_single))
        fail_msg("%s as float: %a instead of %a", text, (double)single, (double)wanted_single);
    assert_int_equal(mst_read_f64(text, strlen(text), &twice), !isinf(wanted_twice));
    if (!isinf(wanted_twice) && mst_bits_of_f64(twice) != mst_bits_of_f64(wanted_twice))
        fail_msg("%s as double: %a instead of %a", text, twice, wanted_twice);
}

static void reading_rounds_once(void **state) {
    (void)state;
    char text[4096];
    uint64_t seed = 2463534242u;
    for (unsigned i = 0; i < 100000; i++) {
        unsigned long long digits = next_random(&seed) >> (next_random(&seed) % 64);
        int exponent = (int)(next_random(&seed) % 120) - 70;
        snprintf(text, sizeof text, "%s%llue%d", i & 1 ? "-" : "", digits, exponent);
        check_read(text);
        snprintf(text, sizeof text, "%llu.%09llu", digits % 100000, (digits >> 20) % 1000000000);
        check_read(text);
    }
    /* Midpoints between two floats, exactly and slightly to either side. */
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)next_random(&seed) & 0x7FFFFFFF;
        if (bits >= 0x7F7FFFFF)
            continue;
        double middle = ((double)mst_f32_of_bits(bits) + (double)mst_f32_of_bits(bits + 1)) / 2;
        int length = snprintf(text, sizeof text, "%.160f", middle);
        check_read(text);
        strcpy(text + length, "0000000000000000000000001");
        check_read(text);
        length = snprintf(text, sizeof text, "%.18e", middle);
        check_read(text);
        snprintf(text, sizeof text, "%.17g", nextafter(middle, 0));
        check_read(text);
        snprintf(text, sizeof text, "%.17g", nextafter(middle, 1e300));
        check_read(text);
    }
    static const char *const cases[] = {"0",
                                        "-0",
                                        "0.0e5",
                                        "0e999999999999999999999",
                                        "1e-999999999999999999999",
                                        "1e39",
                                        "1e400",
                                        "1e-400",
                                        "1e999999999999999999999",
                                        "3.4028235677973366e38",
                                        "1e-46",
                                        "7e-46",
                                        "4.9e-324",
                                        "2.4703282292062327e-324",
                                        "3.4028235677973362e38",
                                        "1e22",
                                        "1e23",
                                        "1E+5",
                                        "123456789012345678901234567890",
                                        "9007199254740993",
                                        "-12e-1",
                                        "8.589973e9",
                                        "0.000000000000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_read(cases[i]);
}

static void long_numbers_are_read(void **state) {
    (void)state;
    enum { CAPACITY = 5000 };
    static char text[CAPACITY];
    /* A one, 3000 zeros and an exponent that cancels them. */
    memset(text, '0', CAPACITY);
    text[0] = '1';
    strcpy(text + 3001, "e-3000");
    check_read(text);
    /* The same after the point. */
    memset(text, '0', CAPACITY);
    text[1] = '.';
    strcpy(text + 3000, "15e2999");
    check_read(text);
    /* The midpoint above 1 (float, then double), with a decisive last digit thousands of places later. */
    static const char *const middles[] = {"1.000000059604644775390625",
                                          "1.00000000000000011102230246251565404236316680908203125"};
    for (unsigned i = 0; i < 2; i++) {
        size_t length = strlen(middles[i]);
        memset(text, '0', CAPACITY);
        memcpy(text, middles[i], length);
        text[4000] = 0;
        check_read(text);
        text[3999] = '1';
        check_read(text);
        float single;
        assert_true(mst_read_f32(text, 4000, &single));
        assert_true(mst_bits_of_f32(single) == (i == 0 ? 0x3F800001u : 0x3F800000u));
        double twice;
        assert_true(mst_read_f64(text, 4000, &twice));
        assert_true(i == 0 || mst_bits_of_f64(twice) == 0x3FF0000000000001u);
        memset(text + 3000, '7', 999);
        check_read(text);
    }
}

static void only_the_grammar_is_accepted(void **state) {
    (void)state;
    static const char *const bad[] = {"",    "-",    "+1",   "01",    "-01",     ".5",    "5.",
                                      "1e",  "1e+",  "1e5x", "0x10",  "nan",     "inf",   "1 ",
                                      " 1",  "1.e5", "--1",  "1..2",  "1.2.3",   "1e5.0", "e5",
                                      "1,5", "00",   "-.5",  "1e--5", "Infinity"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        float single;
        double twice;
        assert_false(mst_read_f32(bad[i], strlen(bad[i]), &single));
        assert_false(mst_read_f64(bad[i], strlen(bad[i]), &twice));
    }
    /* Text after the given length is not read. */
    float single;
    assert_true(mst_read_f32("12.75e", 5, &single));
    assert_true(single == 12.75f);
    assert_true(mst_read_f32("1e55", 3, &single));
    assert_true(single == 1e5f);
    assert_false(mst_read_f32("1.5", 2, &single));
    assert_false(mst_read_f32("1e5", 2, &single));
}

static void integers_are_read(void **state) {
    (void)state;
    uint64_t u = 0;
    int64_t i = 0;
#define U(text) mst_read_u64(text, sizeof text - 1, &u)
#define I(text) mst_read_i64(text, sizeof text - 1, &i)
    assert_true(U("0") && u == 0);
    assert_true(U("18446744073709551615") && u == UINT64_MAX);
    assert_true(U("0xffffffffFFFFFFFF") && u == UINT64_MAX);
    assert_true(U("0x00000000000000000000001f") && u == 31);
    assert_false(U("18446744073709551616"));
    assert_false(U("99999999999999999999"));
    assert_false(U("0x10000000000000000"));
    assert_false(U(""));
    assert_false(U("0x"));
    assert_false(U("0xg"));
    assert_false(U("-1"));
    assert_false(U("+1"));
    assert_false(U("007"));
    assert_false(U("1.0"));
    assert_false(U("1 "));
    assert_true(I("9223372036854775807") && i == INT64_MAX);
    assert_true(I("-9223372036854775808") && i == INT64_MIN);
    assert_true(I("-0x10") && i == -16);
    assert_true(I("-0") && i == 0);
    assert_false(I("9223372036854775808"));
    assert_false(I("-9223372036854775809"));
    assert_false(I("-"));
    assert_false(I("--1"));
#undef U
#undef I
}

static void check_shortest_f64(uint64_t bits) {
    double value = mst_f64_of_bits(bits), again;
    char text[MST_NUMBER_MAX + 1], ours[40], theirs[40], digits[40];
    size_t length = mst_write_f64(text, value);
    assert_true(length <= MST_NUMBER_MAX);
    text[length] = 0;
    assert_true(mst_bits_of_f64(strtod(text, NULL)) == bits);
    assert_true(mst_read_f64(text, length, &again));
    assert_true(mst_bits_of_f64(again) == bits);
    size_t count = significant(text, ours);
    snprintf(theirs, sizeof theirs, "%.*e", (int)count - 1, value);
    if (mst_bits_of_f64(strtod(theirs, NULL)) == bits) {
        significant(theirs, digits);
        assert_string_equal(ours, digits);
    } else {
        assert_true((bits & 0xFFFFFFFFFFFFF) == 0);
    }
    if (count > 1) {
        snprintf(theirs, sizeof theirs, "%.*e", (int)count - 2, value);
        assert_true(mst_bits_of_f64(strtod(theirs, NULL)) != bits);
    }
}

static void doubles_are_exact_and_shortest(void **state) {
    (void)state;
    assert_string_equal(f64(0.0), "0");
    assert_string_equal(f64(-0.0), "-0.0");
    assert_string_equal(f64(1.0), "1");
    assert_string_equal(f64(0.1), "0.1");
    assert_string_equal(f64(0.30000000000000004), "0.30000000000000004");
    assert_string_equal(f64(-123456.5), "-123456.5");
    assert_string_equal(f64(1e-6), "0.000001");
    assert_string_equal(f64(1e-7), "1e-7");
    assert_string_equal(f64(999999999999999.0), "999999999999999");
    assert_string_equal(f64(1e15), "1e15");
    assert_string_equal(f64(123456789012345.67), "123456789012345.67");
    assert_string_equal(f64(9007199254740993.0), "9.007199254740992e15");
    assert_string_equal(f64(1e23), "1e23");
    assert_string_equal(f64(DBL_MAX), "1.7976931348623157e308");
    assert_string_equal(f64(DBL_MIN), "2.2250738585072014e-308");
    assert_string_equal(f64(mst_f64_of_bits(1)), "5e-324");
    assert_string_equal(f64(-mst_f64_of_bits(0x000FFFFFFFFFFFFF)), "-2.225073858507201e-308");
    assert_string_equal(f64(5.684341886080802e-14), "5.684341886080802e-14"); /* 2^-44 */
    uint64_t seed = 362436069u;
    for (unsigned i = 0; i < 5000; i++) {
        uint64_t bits = next_random(&seed);
        if ((bits >> 52 & 0x7FF) != 0x7FF)
            check_shortest_f64(bits);
    }
    for (uint64_t exponent = 0; exponent < 0x7FF; exponent++) {
        check_shortest_f64(exponent << 52 | 1);
        if (exponent)
            check_shortest_f64(exponent << 52);
    }
}

static void the_locale_does_not_matter(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8", "sv_SE.UTF-8"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i]))
        i++;
    if (i == sizeof names / sizeof *names) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    float single = 0;
    double twice = 0;
    bool read = mst_read_f32("1.5e-30", 7, &single) && mst_read_f64("1.5e-200", 8, &twice);
    char text[MST_NUMBER_MAX + 1];
    text[mst_write_f64(text, 1.5e-200)] = 0;
    setlocale(LC_ALL, "C");
    assert_true(read && single == (float)1.5e-30 && twice == (double)1.5e-200);
    assert_string_equal(text, "1.5e-200");
}

int test_number(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_written),
        cmocka_unit_test(floats_look_as_promised),
        cmocka_unit_test(floats_are_exact_and_shortest),
        cmocka_unit_test(reading_rounds_once),
        cmocka_unit_test(long_numbers_are_read),
        cmocka_unit_test(only_the_grammar_is_accepted),
        cmocka_unit_test(integers_are_read),
        cmocka_unit_test(doubles_are_exact_and_shortest),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
