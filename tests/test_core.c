/* SPDX-License-Identifier: MIT */
/* The foundations: bytes, memory, output and diagnoses. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../src/core/arena.h"
#include "../src/core/bytes.h"
#include "../src/core/diagnose.h"
#include "../src/core/fingerprint.h"
#include "../src/core/meter.h"
#include "../src/core/output.h"
#include "../src/core/text.h"
#include "tally.h"

/* ---- bytes.h ---- */

static void loads_and_stores_agree(void **state) {
    (void)state;
    const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint64_t little[9] = {0, 0x01, 0x0201, 0x030201, 0x04030201, 0, 0, 0, 0x0807060504030201};
    static const uint64_t big[9] = {0, 0x01, 0x0102, 0x010203, 0x01020304, 0, 0, 0, 0x0102030405060708};
    static const unsigned widths[] = {1, 2, 3, 4, 8};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint8_t copy[8] = {0};
        assert_true(mst_load(bytes, widths[i], false) == little[widths[i]]);
        assert_true(mst_load(bytes, widths[i], true) == big[widths[i]]);
        mst_store(copy, widths[i], little[widths[i]], false);
        assert_memory_equal(copy, bytes, widths[i]);
        mst_store(copy, widths[i], big[widths[i]], true);
        assert_memory_equal(copy, bytes, widths[i]);
    }
    assert_true(mst_fits(4, 4, 8));
    assert_true(mst_fits(8, 0, 8));
    assert_false(mst_fits(9, 0, 8));
    assert_false(mst_fits(4, 5, 8));
    assert_false(mst_fits(4, UINT64_MAX, 8));
    assert_false(mst_fits(UINT64_MAX, 2, 8));
    uint64_t product;
    assert_true(mst_multiply(UINT32_MAX, UINT32_MAX, &product) && product == UINT64_C(0xFFFFFFFE00000001));
    assert_true(mst_multiply(5, 0, &product) && product == 0);
    assert_false(mst_multiply(UINT64_MAX / 2, 3, &product));
}

/* ---- arena.h ---- */

static void arena_gives_aligned_memory(void **state) {
    (void)state;
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    uint8_t *places[500];
    for (size_t i = 0; i < 500; i++) {
        size_t size = i * i % 3001;
        places[i] = i & 1 ? mst_arena_take(&arena, size, 1) : mst_arena_zero(&arena, 1, size);
        assert_non_null(places[i]);
        assert_int_equal((uintptr_t)places[i] % 16, 0);
        for (size_t k = 0; !(i & 1) && k < size; k++)
            assert_int_equal(places[i][k], 0);
        memset(places[i], (int)(i & 0xFF), size);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k < i * i % 3001; k++)
            assert_int_equal(places[i][k], i & 0xFF);
    assert_true(arena.used == counter.bytes);
    assert_string_equal(mst_arena_text(&arena, "abcdef", 3), "abc");
    assert_string_equal(mst_arena_text(&arena, NULL, 0), "");
    assert_string_equal(mst_arena_printf(&arena, "%s[%d]", "objects", 12), "objects[12]");
#ifndef _WIN32                                                        /* where printing has no errors */
    assert_null(mst_arena_printf(&arena, "%lc", (wint_t)0x7FFFFFFF)); /* which is not a character */
#endif
    assert_non_null(mst_arena_take(&arena, 5, 0));
    assert_null(mst_arena_take(&arena, SIZE_MAX / 2, 3));
    assert_null(mst_arena_take(&arena, SIZE_MAX, 1));
    assert_null(mst_arena_take(&arena, SIZE_MAX - 40, 1));
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
    assert_non_null(mst_arena_take(&arena, 1, 1)); /* it may be reused */
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
}

static void arena_keeps_to_its_budget(void **state) {
    (void)state;
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 10000);
    size_t taken = 0;
    while (mst_arena_take(&arena, 1, 64))
        taken += 64;
    assert_true(counter.max <= 10000);
    assert_true(taken > 6000); /* almost all of the budget can be used */
    assert_null(mst_arena_zero(&arena, 1000, 16));
    mst_arena_end(&arena);
    mst_arena_begin(&arena, &allocator, 100000);
    assert_non_null(mst_arena_take(&arena, 90000, 1));
    assert_null(mst_arena_take(&arena, 20000, 1));
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
}

static void a_meter_has_a_limit(void **state) {
    (void)state;
    tally counter = {0};
    const mst_allocator from = counting(&counter);
    mst_meter meter;
    mst_diagnostic why = {.status = MST_OK};
    mst_allocator all = mst_meter_begin(&meter, &from, 1000, 0);
    void *first = all.resize(all.user, NULL, 0, 600), *second = all.resize(all.user, NULL, 0, 400);
    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal(mst_meter_end(&meter, MST_NO_MEMORY, &why), MST_NO_MEMORY); /* another cause */
    assert_null(all.resize(all.user, NULL, 0, 1));
    first = all.resize(all.user, first, 600, 500);
    assert_non_null(first);
    assert_null(all.resize(all.user, first, 500, 601));
    first = all.resize(all.user, first, 500, 600);
    assert_non_null(first);
    all.resize(all.user, first, 600, 0);
    all.resize(all.user, second, 400, 0);
    assert_int_equal(counter.bytes, 0);
    assert_int_equal(mst_meter_end(&meter, MST_OK, &why), MST_REFUSED); /* regardless of the result */
    assert_non_null(strstr(why.message, "1000 bytes"));
    assert_int_equal(mst_meter_default(1 << 20), 128 << 20);
    assert_true(mst_meter_default(UINT64_MAX) == UINT64_MAX);
}

static void arena_survives_a_failing_allocator(void **state) {
    (void)state;
    for (size_t fail_at = 1; fail_at < 8; fail_at++) {
        tally counter = {.fail_at = fail_at};
        mst_allocator allocator = counting(&counter);
        mst_arena arena;
        mst_arena_begin(&arena, &allocator, 0);
        for (size_t i = 0; i < 100; i++) {
            uint8_t *place = mst_arena_take(&arena, i, 50);
            if (place)
                memset(place, 1, i * 50);
        }
        assert_null(mst_arena_take(&arena, 1 << 20, 1));
        assert_null(mst_arena_text(&arena, "", SIZE_MAX));
        mst_arena_end(&arena);
        assert_int_equal(counter.bytes, 0);
    }
}

static void arrays_grow(void **state) {
    (void)state;
    tally counter = {0};
    mst_array array = {.element_size = sizeof(uint32_t), .allocator = counting(&counter)};
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t *place = mst_array_push(&array, 1 + i % 3);
        assert_non_null(place);
        for (uint32_t k = 0; k <= i % 3; k++)
            place[k] = i;
    }
    assert_int_equal(array.count, 1999);
    const uint32_t *items = array.items;
    for (uint32_t i = 0, at = 0; i < 1000; at += 1 + i % 3, i++)
        assert_int_equal(items[at], i);
    assert_null(mst_array_push(&array, SIZE_MAX));
    assert_null(mst_array_push(&array, SIZE_MAX / 4));
    counter.fail_at = 1;
    assert_null(mst_array_push(&array, 100000));
    assert_int_equal(array.count, 1999);
    mst_array_free(&array);
    mst_array_free(&array);
    assert_int_equal(counter.bytes, 0);
    mst_array plain = {.element_size = 3}; /* malloc's family */
    assert_non_null(mst_array_push(&plain, 5));
    mst_array_free(&plain);
}

/* ---- output.h, and the sink of base.h ---- */

static mst_status stubborn(void *user, const void *data, size_t size) {
    (void)data;
    (void)size;
    ++*(size_t *)user;
    return MST_STOPPED;
}

static void output_is_buffered_in_order(void **state) {
    (void)state;
    tally counter = {0};
    mst_buffer memory = {.allocator = counting(&counter)}, wanted = {0};
    mst_output output;
    mst_output_begin(&output, mst_buffer_sink(&memory));
    mst_sink direct = mst_buffer_sink(&wanted);
    static char large[10000];
    memset(large, 'x', sizeof large);
    for (unsigned i = 0; i < 3000; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%u,", i);
        mst_output_format(&output, "%u,", i);
        direct.write(direct.user, text, (size_t)length);
        if (i % 500 == 7) {
            size_t size = i % 1000 == 7 ? sizeof large : 4096;
            mst_output_bytes(&output, large, size);
            direct.write(direct.user, large, size);
            mst_output_text(&output, "text");
            direct.write(direct.user, "text", 4);
        }
        if (i % 100 == 0) {
            memcpy(mst_output_reserve(&output, 300), large, 300);
            mst_output_advance(&output, 300);
            direct.write(direct.user, large, 300);
        }
    }
    mst_output_bytes(&output, NULL, 0);
    assert_int_equal(mst_output_end(&output), MST_OK);
    assert_true(output.written == wanted.size);
    assert_int_equal(memory.size, wanted.size);
    assert_memory_equal(memory.data, wanted.data, wanted.size);
    mst_buffer_free(&memory);
    mst_buffer_free(&wanted);
    assert_int_equal(counter.bytes, 0);
}

static void output_keeps_the_first_failure(void **state) {
    (void)state;
    static char large[10000];
    size_t calls = 0;
    mst_output output;
    mst_output_begin(&output, (mst_sink){stubborn, &calls});
    mst_output_bytes(&output, large, sizeof large);
    mst_output_bytes(&output, large, sizeof large);
    for (unsigned i = 0; i < 3000; i++)
        mst_output_text(&output, "dropped");
    assert_int_equal(mst_output_end(&output), MST_STOPPED);
    assert_int_equal(calls, 1);
    /* Memory that runs out, and a text too long for mst_output_format. */
    tally counter = {.fail_at = 2};
    mst_buffer memory = {.allocator = counting(&counter)};
    mst_output_begin(&output, mst_buffer_sink(&memory));
    mst_output_bytes(&output, large, sizeof large);
    mst_output_bytes(&output, large, sizeof large);
    assert_int_equal(mst_output_end(&output), MST_NO_MEMORY);
    assert_int_equal(memory.size, sizeof large);
    mst_buffer_free(&memory);
    memset(large, 'y', sizeof large - 1);
    mst_output_begin(&output, mst_buffer_sink(&(mst_buffer){0}));
    mst_output_format(&output, "%s", large);
    assert_int_equal(mst_output_end(&output), MST_ARGUMENT);
#ifndef _WIN32
    mst_output_begin(&output, mst_buffer_sink(&(mst_buffer){0}));
    mst_output_format(&output, "%lc", (wint_t)0x7FFFFFFF);
    assert_int_equal(mst_output_end(&output), MST_ARGUMENT);
#endif
    counter = (tally){.fail_at = 1};
    memory = (mst_buffer){.allocator = counting(&counter)};
    mst_output_begin(&output, mst_buffer_sink(&memory));
    mst_output_format(&output, "%s", "x");
    mst_output_flush(&output);
    mst_output_format(&output, "%s", large); /* the first failure is reported */
    assert_int_equal(mst_output_end(&output), MST_NO_MEMORY);
    /* no memory has room for more than there are addresses */
    memory = (mst_buffer){0};
    mst_sink sink = mst_buffer_sink(&memory);
    assert_int_equal(sink.write(sink.user, "x", 1), MST_OK);
    assert_int_equal(sink.write(sink.user, "x", SIZE_MAX), MST_NO_MEMORY);
    assert_int_equal(memory.size, 1);
    mst_buffer_free(&memory);
}

/* ---- diagnose.h ---- */

static void diagnoses_own_their_text(void **state) {
    (void)state;
    mst_diagnostic d;
    memset(&d, 0xAA, sizeof d);
    assert_int_equal(mst_fail(&d, MST_DAMAGED, "chunk %d is too long", 7), MST_DAMAGED);
    assert_int_equal(d.status, MST_DAMAGED);
    assert_int_equal(d.severity, MST_ERROR);
    assert_true(d.offset == MST_NO_OFFSET && d.length == 0);
    assert_string_equal(d.message, "chunk 7 is too long");
    assert_string_equal(d.code, "");
    assert_int_equal(mst_fail(NULL, MST_IO, "nobody %s", "listens"), MST_IO);

    char text[400];
    assert_int_equal(mst_diagnostic_text(&d, text, sizeof text), strlen("chunk 7 is too long"));
    assert_string_equal(text, "chunk 7 is too long");
    MST_SET(d.path, "objects[%d]", 3);
    MST_SET(d.path, "%s.%s", d.path, "type"); /* the field may be its own argument */
    MST_SET(d.code, "NS2-PROPERTY-TYPE");
    MST_SET(d.found, "255");
    d.offset = 0x1A4;
    mst_diagnostic_text(&d, text, sizeof text);
    assert_string_equal(
        text, "objects[3].type: chunk 7 is too long (found 255) [NS2-PROPERTY-TYPE] at offset 0x1a4");
    MST_SET(d.expected, "0..10");
    size_t length = mst_diagnostic_text(&d, text, sizeof text);
    assert_string_equal(text, "objects[3].type: chunk 7 is too long (expected 0..10, found 255) "
                              "[NS2-PROPERTY-TYPE] at offset 0x1a4");
    assert_int_equal(length, strlen(text));
    static char little[10], roomy[1200], long_text[1300];
    memset(long_text, 'l', sizeof long_text);
    long_text[1299] = 0;
    memset(roomy, 'x', sizeof roomy);
    mst_diagnostic_set(roomy, 0, "nothing");
    assert_int_equal(roomy[0], 'x');
    MST_SET(roomy, "%s", "all of it");
    assert_string_equal(roomy, "all of it");
    MST_SET(roomy, "%s", long_text);
    assert_int_equal(strlen(roomy), 399); /* no field is longer */
    assert_string_equal(roomy + 395, "l...");
    char tiny[8];
    MST_SET(tiny, "%s", long_text); /* too small for the mark of truncation */
    assert_string_equal(tiny, "lllllll");
#ifndef _WIN32
    MST_SET(roomy, "%lc", (wint_t)0x7FFFFFFF);
    assert_string_equal(roomy, "");
#endif
    mst_diagnostic silent = {.status = MST_DAMAGED, .offset = MST_NO_OFFSET};
    mst_diagnostic_text(&silent, roomy, sizeof roomy);
    assert_string_equal(roomy, "damaged");
    assert_int_equal(mst_diagnostic_text(&d, little, sizeof little), length);
    assert_string_equal(little, "objects[3");
    assert_int_equal(mst_diagnostic_text(&d, NULL, 0), length);

    /* Truncated at a character's end: 79 bytes hold 25 euro signs and the mark. */
    char euros[301];
    for (size_t i = 0; i < 300; i += 3)
        memcpy(euros + i, "\xE2\x82\xAC", 4);
    MST_SET(d.found, "%s", euros);
    assert_int_equal(strlen(d.found), 25 * 3 + 3);
    assert_string_equal(d.found + 24 * 3, "\xE2\x82\xAC...");
    MST_SET(d.message, "%s%s%s", euros, euros, euros);
    assert_int_equal(strlen(d.message), 65 * 3 + 3);
    MST_SET(d.message, "x%s", euros);
    assert_int_equal(strlen(d.message), 1 + 65 * 3 + 3);
    assert_true(mst_utf8_valid(d.message, strlen(d.message)));
    MST_SET(d.found, "%.79s", long_text); /* a text that fits has no mark */
    assert_int_equal(strlen(d.found), 79);
    assert_int_equal(d.found[78], 'l');
    d.path[0] = 0;
    mst_diagnostic_text(&d, little, sizeof little);
    assert_string_equal(little, "x\xE2\x82\xAC\xE2\x82\xAC");
}

/* The digits are from a Python program based only on the description in the header. */
static void fingerprints_tell_bytes_apart(void **state) {
    (void)state;
    uint8_t bytes[1000];
    char print[MST_FINGERPRINT], other[MST_FINGERPRINT];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    mst_fingerprint("", 0, print);
    assert_string_equal(print, "c7527dc2ac3fad7f39d4bc4708419724");
    mst_fingerprint("abc", 3, print);
    assert_string_equal(print, "ef065ea01a31a7261ccdc2d8df228171");
    mst_fingerprint(bytes, sizeof bytes, print);
    assert_string_equal(print, "43e05f8eeb28e7c68a68ef0b447079c8");
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        mst_fingerprint(bytes, sizeof bytes, other);
        assert_string_not_equal(print, other);
        bytes[i] ^= (uint8_t)(1 << i % 8);
    }
    mst_fingerprint(bytes, sizeof bytes - 1, other);
    assert_string_not_equal(print, other);
}

static void everything_has_a_name(void **state) {
    (void)state;
    assert_string_equal(mst_version(), MST_VERSION);
    for (int i = MST_OK; i <= MST_STOPPED; i++) {
        assert_true(strcmp(mst_status_text((mst_status)i), "unknown status") != 0);
        for (int k = MST_OK; k < i; k++)
            assert_string_not_equal(mst_status_text((mst_status)i), mst_status_text((mst_status)k));
    }
    assert_string_equal(mst_status_text(MST_NO_MEMORY), "no memory");
    assert_string_equal(mst_status_text((mst_status)99), "unknown status");
}

int test_core(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_agree),
        cmocka_unit_test(arena_gives_aligned_memory),
        cmocka_unit_test(arena_keeps_to_its_budget),
        cmocka_unit_test(a_meter_has_a_limit),
        cmocka_unit_test(arena_survives_a_failing_allocator),
        cmocka_unit_test(arrays_grow),
        cmocka_unit_test(output_is_buffered_in_order),
        cmocka_unit_test(output_keeps_the_first_failure),
        cmocka_unit_test(diagnoses_own_their_text),
        cmocka_unit_test(fingerprints_tell_bytes_apart),
        cmocka_unit_test(everything_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
