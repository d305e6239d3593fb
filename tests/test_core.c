/* SPDX-License-Identifier: MIT */
/* The core: memory, output, text encodings, diagnoses, files, JSON. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "../src/core/arena.h"
#include "../src/core/bytes.h"
#include "../src/core/diagnose.h"
#include "../src/core/file.h"
#include "../src/core/json.h"
#include "../src/core/name.h"
#include "../src/core/output.h"
#include "../src/core/text.h"
#include "scratch.h"

/* An allocator that counts live blocks, checks the sizes it gets, and can fail from the n-th call on. */
typedef struct tally {
    size_t bytes, max, calls, fail_at; /* fail_at 0: never */
} tally;

static void *counted(void *user, void *old, size_t old_size, size_t new_size) {
    tally *counter = user;
    size_t *header = old ? (size_t *)old - 2 : NULL;
    assert_true(header ? header[0] == old_size : old_size == 0 && new_size != 0);
    if (new_size == 0) {
        counter->bytes -= old_size;
        free(header);
        return NULL;
    }
    if (counter->fail_at && ++counter->calls >= counter->fail_at)
        return NULL;
    size_t *grown = realloc(header, new_size + 2 * sizeof *header);
    assert_non_null(grown);
    header = grown;
    header[0] = new_size;
    counter->bytes += new_size - old_size;
    if (counter->bytes > counter->max)
        counter->max = counter->bytes;
    return header + 2;
}

static mst_allocator counting(tally *counter) {
    return (mst_allocator){counted, counter};
}

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
    assert_null(mst_arena_printf(&arena, "%lc", (wint_t)0x7FFFFFFF)); /* which is not a character */
    assert_non_null(mst_arena_take(&arena, 5, 0));
    assert_null(mst_arena_take(&arena, SIZE_MAX / 2, 3));
    assert_null(mst_arena_take(&arena, SIZE_MAX, 1));
    assert_null(mst_arena_take(&arena, SIZE_MAX - 40, 1));
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
    assert_non_null(mst_arena_take(&arena, 1, 1)); /* it may be used again */
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
    mst_output_begin(&output, mst_buffer_sink(&(mst_buffer){0}));
    mst_output_format(&output, "%lc", (wint_t)0x7FFFFFFF);
    assert_int_equal(mst_output_end(&output), MST_ARGUMENT);
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

/* ---- text.h ---- */

static void utf8_is_judged(void **state) {
    (void)state;
    static const char *const good[] = {"",
                                       "plain ASCII text of some length",
                                       "\x7F",
                                       "\xC2\x80",
                                       "\xDF\xBF",
                                       "\xE0\xA0\x80",
                                       "\xED\x9F\xBF",
                                       "\xEE\x80\x80",
                                       "\xEF\xBF\xBF",
                                       "\xF0\x90\x80\x80",
                                       "\xF4\x8F\xBF\xBF",
                                       "seven..\xE2\x82\xAC and more than eight"};
    static const char *const bad[] = {"\x80",
                                      "\xBF",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xC2",
                                      "\xC2g",
                                      "\xE0\x9F\xBF",
                                      "\xE2\x82",
                                      "\xED\xA0\x80",
                                      "\xED\xBF\xBF",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xF0\x90\x80",
                                      "\xF0\x90\x80g",
                                      "\xF0\x90g\x80",
                                      "\xFF",
                                      "eight...\xFE",
                                      "\xE2\x82\xAC\x82",
                                      "12345678901234567890\xC3"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(mst_utf8_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(mst_utf8_valid(bad[i], strlen(bad[i])));
    assert_true(mst_utf8_valid("\0\0", 2));
    const char *text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"; /* 1 + 2 + 3 + 4 + 1 bytes */
    static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t limit = 0; limit < sizeof cuts / sizeof *cuts; limit++)
        assert_int_equal(mst_utf8_cut(text, 11, limit), cuts[limit]);
    assert_int_equal(mst_utf8_cut("\x80\x80\x80\x80\x80\x80\x80\x80", 8, 6), 6);
}

static void utf16_is_converted(void **state) {
    (void)state;
    /* a, e acute, euro, a face, U+10FFFF, U+FFFF; the first and the last of each length: U+7F, U+80, U+7FF,
     * U+800, U+10000 */
    const char *utf8 = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF\xEF\xBF\xBF"
                       "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xF0\x90\x80\x80";
    static const uint16_t units[] = {'a',    0xE9, 0x20AC, 0xD83D, 0xDE00, 0xDBFF, 0xDFFF,
                                     0xFFFF, 0x7F, 0x80,   0x7FF,  0x800,  0xD800, 0xDC00};
    size_t length = strlen(utf8), count = sizeof units / sizeof *units;
    for (int big = 0; big < 2; big++) {
        uint8_t bytes[sizeof units + 1], back[sizeof units + 1];
        uint8_t *odd = bytes + 1; /* not aligned */
        for (size_t i = 0; i < count; i++)
            mst_store16(odd + 2 * i, units[i], big);
        char text[64];
        assert_int_equal(mst_utf16_length_as_utf8(odd, count, big), length);
        assert_int_equal(mst_utf16_to_utf8(odd, count, big, text), length);
        assert_memory_equal(text, utf8, length);
        assert_int_equal(mst_utf8_length_as_utf16(utf8, length), count);
        assert_int_equal(mst_utf8_to_utf16(utf8, length, big, back), count);
        assert_memory_equal(back, odd, sizeof units);
    }
    static const uint8_t lone[] = {0x3D, 0xD8, 'x', 0, 0x00, 0xDE, 0x3D, 0xD8}; /* high x low high */
    char text[12];
    assert_true(mst_utf16_length_as_utf8(lone, 4, false) == SIZE_MAX);
    assert_true(mst_utf16_length_as_utf8(lone, 1, false) == SIZE_MAX);
    assert_int_equal(mst_utf16_to_utf8(lone, 4, false, text), 10);
    assert_memory_equal(text, "\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD", 10);
    static const uint8_t high_last[] = {0x3D, 0xD8, 0x00,
                                        0xE0}; /* what follows the high one is above the low ones */
    assert_true(mst_utf16_length_as_utf8(high_last, 2, false) == SIZE_MAX);
    assert_int_equal(mst_utf16_to_utf8(high_last, 2, false, text), 6);
    assert_memory_equal(text, "\xEF\xBF\xBD\xEE\x80\x80", 6);
    mst_buffer memory = {0};
    mst_output output;
    mst_output_begin(&output, mst_buffer_sink(&memory));
    mst_output_json_utf16(&output, high_last, 2, false);
    assert_int_equal(mst_output_end(&output), MST_OK);
    assert_int_equal(memory.size, 8);
    assert_memory_equal(memory.data, "\"\xEF\xBF\xBD\xEE\x80\x80\"", 8);
    mst_buffer_free(&memory);
}

static void endings_are_compared(void **state) {
    (void)state;
    static const struct {
        const char *text, *ending;
        bool does;
    } cases[] = {{"level.map", ".map", true},
                 {"level.MAP", ".map", true},
                 {"Level.[ap", ".{ap", false},
                 {"level.@ap", ".`ap", false},
                 {"map", ".map", false},
                 {"", "", true},
                 {"x", "", true},
                 {".map", ".MAP", true},
                 {"level.map ", ".map", false},
                 {"defs/Z", "s/z", true},
                 {"a", "b", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (mst_text_ends_in(cases[i].text, strlen(cases[i].text), cases[i].ending) != cases[i].does)
            fail_msg("%s", cases[i].text);
    assert_true(mst_text_ends_in("level.map!", 9, ".map"));
}

static void json_strings_are_written(void **state) {
    (void)state;
    mst_buffer memory = {0}, wanted = {0};
    mst_output output;
    mst_output_begin(&output, mst_buffer_sink(&memory));
    static const char text[] = "a\"b\\c/\b\t\n\v\f\r\x1F\x7F\0z \xE2\x80\xA8 \xC3\xA9 plain text";
    static const char escaped[] = "\"a\\\"b\\\\c/\\b\\t\\n\\u000b\\f\\r\\u001f\\u007f\\u0000z \xE2\x80\xA8 "
                                  "\xC3\xA9 plain text\"";
    mst_output_json_string(&output, text, sizeof text - 1);
    uint8_t units[2 * sizeof text];
    size_t count = mst_utf8_to_utf16(text, sizeof text - 1, true, units);
    mst_output_json_utf16(&output, units, count, true);
    assert_int_equal(mst_output_end(&output), MST_OK);
    size_t length = sizeof escaped - 1;
    assert_int_equal(memory.size, 2 * length);
    assert_memory_equal(memory.data, escaped, length);
    assert_memory_equal(memory.data + length, escaped, length);
    mst_buffer_free(&memory);

    /* Each byte at each place in a long text, against a loop without cleverness. */
    static char line[5000];
    for (unsigned i = 0; i < 256; i++) {
        for (size_t k = 0; k < sizeof line; k++)
            line[k] = k % 37 == i % 37 ? (char)(i & 0x7F) : 'a';
        mst_output_begin(&output, mst_buffer_sink(&memory));
        mst_output_json_string(&output, line, sizeof line);
        assert_int_equal(mst_output_end(&output), MST_OK);
        mst_sink direct = mst_buffer_sink(&wanted);
        direct.write(direct.user, "\"", 1);
        for (size_t k = 0; k < sizeof line; k++) {
            char piece[8];
            const char *named = line[k] ? strchr("\bb\tt\nn\ff\rr\"\"\\\\", line[k]) : NULL;
            if (named && (line[k] < 0x20 || line[k] == '"' || line[k] == '\\'))
                snprintf(piece, sizeof piece, "\\%c", named[1]);
            else
                snprintf(piece, sizeof piece, line[k] < 0x20 || line[k] == 0x7F ? "\\u%04x" : "%c",
                         (unsigned)line[k]);
            direct.write(direct.user, piece, strlen(piece));
        }
        direct.write(direct.user, "\"", 1);
        assert_int_equal(memory.size, wanted.size);
        assert_memory_equal(memory.data, wanted.data, wanted.size);
        memory.size = wanted.size = 0;
    }
    /* Pairs that stand across the pieces in which UTF-16 is written. */
    static uint8_t pairs[4 * 3000 + 2];
    for (size_t shift = 0; shift < 2; shift++) {
        mst_store16(pairs, 'a', false);
        for (size_t i = 0; i < 3000; i++) {
            mst_store16(pairs + 2 * shift + 4 * i, 0xD83D, false);
            mst_store16(pairs + 2 * shift + 4 * i + 2, 0xDE00, false);
        }
        memory.size = 0;
        mst_output_begin(&output, mst_buffer_sink(&memory));
        mst_output_json_utf16(&output, pairs, 6000 + shift, false);
        assert_int_equal(mst_output_end(&output), MST_OK);
        assert_int_equal(memory.size, 12002 + shift);
        for (size_t i = 0; i < 3000; i++)
            assert_memory_equal(memory.data + 1 + shift + 4 * i, "\xF0\x9F\x98\x80", 4);
    }
    mst_buffer_free(&memory);
    mst_buffer_free(&wanted);
}

/* Unicode's general category Cc and its property Bidi_Control, written out. */
static const struct {
    uint32_t first, last;
} obeyed[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C}, {0x200E, 0x200F},
              {0x202A, 0x202E}, {0x2066, 0x2069}, {'"', '"'},     {'\\', '\\'}};

static void json_strings_hold_nothing_that_a_terminal_obeys(void **state) {
    (void)state;
    mst_buffer memory = {0};
    mst_output output;
    for (uint32_t c = 0; c < 0x110000; c++) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        bool wanted = false;
        for (size_t i = 0; i < sizeof obeyed / sizeof *obeyed; i++)
            wanted = wanted || (c >= obeyed[i].first && c <= obeyed[i].last);
        assert_int_equal(mst_is_control(c), wanted && c != '"' && c != '\\');
        uint8_t units[8];
        size_t count = 1;
        mst_store16(units, (uint16_t)c, false);
        if (c >= 0x10000) {
            mst_store16(units, (uint16_t)(0xD800 + ((c - 0x10000) >> 10)), false);
            mst_store16(units + 2, (uint16_t)(0xDC00 + (c & 0x3FF)), false);
            count = 2;
        }
        char text[4];
        size_t length = mst_utf16_to_utf8(units, count, false, text);
        memory.size = 0;
        mst_output_begin(&output, mst_buffer_sink(&memory));
        mst_output_json_string(&output, text, length);
        mst_output_json_utf16(&output, units, count, false);
        assert_int_equal(mst_output_end(&output), MST_OK);
        size_t half = memory.size / 2;
        assert_memory_equal(memory.data, memory.data + half, half);
        bool is_escaped = memory.data[1] == '\\';
        assert_int_equal(is_escaped, wanted);
        if (!is_escaped)
            assert_memory_equal(memory.data + 1, text, length);
        else if (half == 8)
            assert_int_equal(strtoul((char *)memory.data + 3, NULL, 16), c);
    }
    mst_buffer_free(&memory);
}

static void names_that_are_near(void **state) {
    (void)state;
    static const struct {
        const char *wanted, *nearest, *farther;
    } cases[] = {
        {"objects", "objects", "object"},
        {"Objects", "objects", "Object_s"},
        {"class-name", "class_name", "classname"},
        {"clas_name", "class_name", "name"},
        {"chekc", "check", "checks"},
        {"class", "class_name", "position"},
        {"NS2-EDGE-LOOS", "NS2-EDGE-LOOSE", "NS2-EDGE-VERTEX"},
        {"", "", "a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned near = mst_name_distance(cases[i].wanted, cases[i].nearest);
        assert_int_equal(near, mst_name_distance(cases[i].nearest, cases[i].wanted));
        assert_true(near < mst_name_distance(cases[i].wanted, cases[i].farther));
    }
    assert_int_equal(mst_name_distance("abc", "Abd"), 5);
    assert_int_equal(mst_name_distance("abcd", "bacd"), 4);
    assert_int_equal(mst_name_distance("x", "y"), UINT_MAX);
    assert_int_equal(mst_name_distance("position", "objects"), UINT_MAX);
    char longest[65];
    memset(longest, 'a', 64);
    longest[64] = 0;
    assert_int_equal(mst_name_distance(longest, longest), UINT_MAX);
    assert_int_equal(mst_name_distance(longest + 1, longest + 1), 0);
    assert_int_equal(mst_name_distance(longest + 1, longest), UINT_MAX);
}

static void lists_of_names(void **state) {
    (void)state;
    static char capacity[100][8];
    char text[40];
    mst_names names = {.wanted = "Origin"};
    assert_null(mst_names_nearest(&names));
    mst_names_text(&names, text, sizeof text);
    assert_string_equal(text, "");
    static const char *const some[] = {"angles", "name", "origins", "origin", "name", "origin"};
    for (size_t i = 0; i < 6; i++)
        mst_names_add(&names, some[i]);
    assert_string_equal(mst_names_nearest(&names), "origin");
    mst_names_text(&names, text, sizeof text);
    assert_string_equal(text, "origin, origins, angles, name");
    mst_names_text(&names, text, 30);
    assert_string_equal(text, "origin, origins, angles, name");
    mst_names_text(&names, text, 29); /* complete names only */
    assert_string_equal(text, "origin, origins, angles, ...");
    mst_names_text(&names, text, 28);
    assert_string_equal(text, "origin, origins, ...");
    mst_names_text(&names, text, 8);
    assert_string_equal(text, "...");
    names = (mst_names){.wanted = "nn99"};
    for (unsigned i = 0; i < 100; i++) { /* more than there is room for: the nearest stay */
        snprintf(capacity[i], sizeof capacity[i], "nn%02u", i);
        mst_names_add(&names, capacity[i]);
    }
    assert_string_equal(mst_names_nearest(&names), "nn99");
    char all[800];
    mst_names_text(&names, all, sizeof all);
    assert_int_equal(strlen(all), MST_NAMES * 6 - 2 + 5);
    assert_string_equal(all + strlen(all) - 5, ", ...");
    names = (mst_names){.wanted = "quite another"};
    mst_names_add(&names, "b");
    mst_names_add(&names, "a");
    assert_null(mst_names_nearest(&names));
    mst_names_text(&names, text, sizeof text);
    assert_string_equal(text, "b, a");
}

static void hexadecimal_goes_both_ways(void **state) {
    (void)state;
    static uint8_t bytes[3000], back[3000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    mst_buffer memory = {0};
    mst_output output;
    mst_output_begin(&output, mst_buffer_sink(&memory));
    mst_output_hex(&output, bytes, sizeof bytes);
    assert_int_equal(mst_output_end(&output), MST_OK);
    assert_int_equal(memory.size, 6000);
    assert_memory_equal(memory.data, "00070e151c232a31", 16);
    assert_true(mst_read_hex((const char *)memory.data, memory.size, back));
    assert_memory_equal(back, bytes, sizeof bytes);
    mst_buffer_free(&memory);
    assert_true(mst_read_hex("aBcDeF", 6, back));
    assert_memory_equal(back, "\xAB\xCD\xEF", 3);
    assert_true(mst_read_hex("", 0, back));
    assert_false(mst_read_hex("abc", 3, back));
    assert_false(mst_read_hex("0g", 2, back));
    assert_false(mst_read_hex(" 1", 2, back));
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
    assert_int_equal(strlen(roomy), 399); /* no field has more */
    assert_string_equal(roomy + 395, "l...");
    char tiny[8];
    MST_SET(tiny, "%s", long_text); /* too small to say that it is cut */
    assert_string_equal(tiny, "lllllll");
    MST_SET(roomy, "%lc", (wint_t)0x7FFFFFFF);
    assert_string_equal(roomy, "");
    mst_diagnostic silent = {.status = MST_DAMAGED, .offset = MST_NO_OFFSET};
    mst_diagnostic_text(&silent, roomy, sizeof roomy);
    assert_string_equal(roomy, "damaged");
    assert_int_equal(mst_diagnostic_text(&d, little, sizeof little), length);
    assert_string_equal(little, "objects[3");
    assert_int_equal(mst_diagnostic_text(&d, NULL, 0), length);

    /* Cut at a character's end: 79 bytes are room for 25 euro signs and the mark. */
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
    MST_SET(d.found, "%.79s", long_text); /* what fits has no mark */
    assert_int_equal(strlen(d.found), 79);
    assert_int_equal(d.found[78], 'l');
    d.path[0] = 0;
    mst_diagnostic_text(&d, little, sizeof little);
    assert_string_equal(little, "x\xE2\x82\xAC\xE2\x82\xAC");
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

/* ---- file.h ---- */

static void write_whole(const char *path, const void *data, size_t size) {
    mst_diagnostic d = {0};
    mst_file_writer *writer;
    if (mst_file_create(path, NULL, &writer, &d) != MST_OK)
        fail_msg("%s", d.message);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, data, size / 2), MST_OK);
    assert_int_equal(sink.write(sink.user, (const char *)data + size / 2, size - size / 2), MST_OK);
    if (mst_file_finish(writer, &d) != MST_OK)
        fail_msg("%s", d.message);
}

static void expect_file(const char *path, const char *text) {
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_file_bytes bytes;
    mst_diagnostic d = {0};
    if (mst_file_read(path, &allocator, 0, false, &bytes, &d) != MST_OK)
        fail_msg("%s", d.message);
    assert_int_equal(bytes.size, strlen(text));
    assert_non_null(bytes.data);
    assert_memory_equal(bytes.data, text, bytes.size);
#ifndef __wasi__ /* which cannot map */
    assert_true(!bytes.size || bytes.mapped);
#endif
    mst_file_bytes_free(&bytes);
    assert_int_equal(counter.bytes, 0);
}

static void files_are_written_and_read(void **state) {
    (void)state;
    files_here(true);
    write_whole("level", "first", 5);
    expect_file("level", "first");
    write_whole("./level", "the second, longer text", 23);
    expect_file("level", "the second, longer text");
    write_whole("empty", "", 0);
    expect_file("empty", "");
    assert_int_equal(files_here(false), 2); /* no temporary file is left */
}

static void an_abandoned_file_leaves_the_old_one(void **state) {
    (void)state;
    files_here(true);
    write_whole("level", "old", 3);
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_file_writer *writer;
    assert_int_equal(mst_file_create("level", &allocator, &writer, NULL), MST_OK);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, "new", 3), MST_OK);
    expect_file("level", "old"); /* nothing shows before the end */
    assert_int_equal(files_here(false), 2);
    mst_file_abandon(writer);
    mst_file_abandon(NULL);
    expect_file("level", "old");
    assert_int_equal(files_here(false), 1);
    assert_int_equal(counter.bytes, 0);
    counter.fail_at = 1;
    assert_int_equal(mst_file_create("level", &allocator, &writer, NULL), MST_NO_MEMORY);
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void permissions_are_kept(void **state) {
    (void)state;
    files_here(true);
    mode_t old = umask(027);
    write_whole("level", "1", 1);
    assert_int_equal(mode_of("level"), 0640); /* what the umask leaves of 0666 */
    assert_int_equal(chmod("level", 0604), 0);
    write_whole("level", "2", 1);
    assert_int_equal(mode_of("level"), 0604);
    umask(old);
    if (geteuid() != 0) {
        mst_file_writer *writer;
        mst_diagnostic d;
        assert_int_equal(chmod("level", 0444), 0);
        assert_int_equal(mst_file_create("level", NULL, &writer, &d), MST_IO);
        assert_non_null(strstr(d.message, "level"));
    }
}

static void symbolic_links_are_followed(void **state) {
    (void)state;
    files_here(true);
    assert_int_equal(mkdir("sub", 0777), 0);
    write_whole("sub/level", "old", 3);
    assert_int_equal(symlink("sub/level", "one"), 0);
    assert_int_equal(symlink("one", "two"), 0);
    write_whole("two", "through both", 12);
    expect_file("sub/level", "through both");
    struct stat info;
    assert_int_equal(lstat("two", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    /* A link whose target is not there yet. */
    assert_int_equal(unlink("sub/level"), 0);
    write_whole("two", "created", 7);
    expect_file("sub/level", "created");
    assert_int_equal(symlink("loop", "loop"), 0);
    mst_file_writer *writer;
    mst_diagnostic d;
    assert_int_equal(mst_file_create("loop", NULL, &writer, &d), MST_IO);
    assert_null(writer);
    assert_int_equal(unlink("sub/level"), 0);
    assert_int_equal(rmdir("sub"), 0);
}

static void failures_name_the_file(void **state) {
    (void)state;
    files_here(true);
    mst_file_bytes bytes;
    mst_file_writer *writer;
    mst_diagnostic d;
    assert_int_equal(mst_file_read("no such file", NULL, 0, false, &bytes, &d), MST_IO);
    assert_int_equal(d.status, MST_IO);
    assert_non_null(strstr(d.message, "no such file: "));
    assert_int_equal(mst_file_read(".", NULL, 0, false, &bytes, &d), MST_IO);
    assert_non_null(strstr(strstr(d.message, "."), "directory"));
    mst_file_bytes_free(&bytes);
    assert_int_equal(mst_file_create(".", NULL, &writer, &d), MST_IO);
    assert_int_equal(mst_file_create("nowhere/level", NULL, &writer, &d), MST_IO);
    assert_non_null(strstr(d.message, "nowhere/level: "));
    assert_int_equal(mst_file_create("nowhere/", NULL, &writer, &d), MST_IO);
    assert_int_equal(mst_file_create("", NULL, &writer, &d), MST_IO);
    char path[6000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_int_equal(mst_file_create(path, NULL, &writer, &d), MST_IO);
    assert_int_equal(mst_file_read(path, NULL, 0, false, &bytes, &d), MST_IO);
    assert_int_equal(files_here(false), 0);
}

static void a_full_device_is_an_error(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    mst_file_writer *writer;
    mst_diagnostic d;
    assert_int_equal(mst_file_create("/dev/full", NULL, &writer, &d), MST_OK);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, "text", 4), MST_IO);
    assert_int_equal(sink.write(sink.user, "text", 4), MST_IO);
    assert_int_equal(mst_file_finish(writer, &d), MST_IO);
    assert_non_null(strstr(d.message, "/dev/full: "));
    write_whole("/dev/null", "text", 4);
}

static void pipes_are_read_to_the_end(void **state) {
    (void)state;
    files_here(true);
    /* A pipe has room for little, so another process fills it. */
    const size_t size = 300000;
    int standard = dup(0);
    assert_true(standard >= 0);
    for (unsigned round = 0; round < 4; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            for (size_t i = 0; i < size; i++)
                if (write(ends[1], &"0123456789"[i % 10], 1) != 1)
                    break;
            _exit(0);
        }
        close(ends[1]);
        assert_int_equal(dup2(ends[0], 0), 0);
        close(ends[0]);
        tally counter = {.fail_at = round == 3 ? 2 : 0};
        mst_allocator allocator = counting(&counter);
        mst_file_bytes bytes;
        mst_diagnostic d;
        mst_status status = mst_file_read("-", &allocator,
                                          round == 1   ? size - 1
                                          : round == 2 ? size
                                                       : 0,
                                          false, &bytes, &d);
        assert_int_equal(status, round == 1 ? MST_IO : round == 3 ? MST_NO_MEMORY : MST_OK);
        assert_true(status == MST_OK || strstr(d.message, "standard input"));
        if (status == MST_OK) {
            assert_int_equal(bytes.size, size);
            assert_int_equal(bytes.mapped, 0);
            for (size_t i = 0; i < size; i++)
                assert_true(bytes.data[i] == '0' + i % 10);
        }
        mst_file_bytes_free(&bytes);
        assert_int_equal(counter.bytes, 0);
        assert_int_equal(dup2(standard, 0), 0);
    }
    /* A file as standard input, of which a part was read before. */
    write_whole("level", "headrest", 8);
    int file = open("level", O_RDONLY);
    assert_int_equal(dup2(file, 0), 0);
    close(file);
    char header[4];
    assert_int_equal(read(0, header, 4), 4);
    mst_file_bytes bytes;
    assert_int_equal(mst_file_read("-", NULL, 0, false, &bytes, NULL), MST_OK);
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "rest", 4);
    mst_file_bytes_free(&bytes);
    assert_int_equal(dup2(standard, 0), 0);
    close(standard);
}

static void pipes_are_written_directly(void **state) {
    (void)state;
    files_here(true);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    write_whole("fifo", "through", 7);
    char text[16];
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_memory_equal(text, "through", 7);
    close(reader);
    assert_int_equal(files_here(false), 1);
    struct stat info;
    assert_int_equal(stat("fifo", &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
}

/* ---- json.h ---- */

static void json_becomes_nodes(void **state) {
    (void)state;
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    static const char text[] = " {\"a\":[1, -2.50e+3,true] ,\"a\":{},\"\\u0000\\ud83d\\ude00\\n\":null,"
                               "\"c\":[[],{\"x\":\"y, [z\"}],\"d\":false}\n";
    mst_json json;
    mst_diagnostic d = {0};
    if (mst_json_parse(text, sizeof text - 1, &arena, &json, &d) != MST_OK)
        fail_msg("%s", d.message);
    static const struct {
        mst_json_kind kind;
        uint32_t end, count;
        const char *text;
        size_t length;
    } wanted[] = {
        {MST_JSON_OBJECT, 18, 5, "", 0},
        {MST_JSON_STRING, 2, 0, "a", 1},
        {MST_JSON_ARRAY, 6, 3, "", 0},
        {MST_JSON_NUMBER, 4, 0, "1", 1},
        {MST_JSON_NUMBER, 5, 0, "-2.50e+3", 8},
        {MST_JSON_TRUE, 6, 0, "", 0},
        {MST_JSON_STRING, 7, 0, "a", 1},
        {MST_JSON_OBJECT, 8, 0, "", 0},
        {MST_JSON_STRING, 9, 0, "\0\xF0\x9F\x98\x80\n", 6},
        {MST_JSON_NULL, 10, 0, "", 0},
        {MST_JSON_STRING, 11, 0, "c", 1},
        {MST_JSON_ARRAY, 16, 2, "", 0},
        {MST_JSON_ARRAY, 13, 0, "", 0},
        {MST_JSON_OBJECT, 16, 1, "", 0},
        {MST_JSON_STRING, 15, 0, "x", 1},
        {MST_JSON_STRING, 16, 0, "y, [z", 5},
        {MST_JSON_STRING, 17, 0, "d", 1},
        {MST_JSON_FALSE, 18, 0, "", 0},
    };
    assert_int_equal(json.count, sizeof wanted / sizeof *wanted);
    for (uint32_t i = 0; i < json.count; i++) {
        const mst_json_node *node = &json.nodes[i];
        assert_int_equal(node->kind, wanted[i].kind);
        assert_int_equal(node->end, wanted[i].end);
        assert_int_equal(node->count, wanted[i].count);
        assert_int_equal(node->length, wanted[i].length);
        if (wanted[i].length)
            assert_memory_equal(node->text, wanted[i].text, wanted[i].length);
    }
    assert_true(json.nodes[4].text > text && json.nodes[4].text < text + sizeof text);
    /* Each kind alone, with nothing after it. */
    static const char *const alone[] = {"null", "false", "true", "12345", "\"s\\u00e9\"", "[]", "{}"};
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(mst_json_parse(alone[i], strlen(alone[i]), &arena, &json, &d), MST_OK);
        assert_int_equal(json.count, 1);
        assert_int_equal(json.nodes[0].kind, i);
        assert_int_equal(json.nodes[0].end, 1);
        if (i == MST_JSON_NUMBER) {
            assert_int_equal(json.nodes[0].length, 5);
            assert_memory_equal(json.nodes[0].text, "12345", 5);
        }
    }
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
}

static void what_is_not_json_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t from, to; /* where the offset may be */
    } cases[] = {
        {"", 0, 0},
        {"  ", 0, 2},
        {"[1,2", 4, 4},
        {"[1,2,]", 5, 6},
        {"[1 2]", 3, 4},
        {"{\"a\" 1}", 5, 6},
        {"{\"a\":1,}", 7, 8},
        {"{1:2}", 1, 2},
        {"[1] x", 4, 5},
        {"[1] [2]", 4, 5},
        {"[01]", 2, 3},
        {"[1.]", 3, 4},
        {"[+1]", 1, 2},
        {"[nan]", 1, 3},
        {"[tru]", 1, 5},
        {"\"abc", 4, 4},
        {"\"a\nb\"", 2, 3},
        {"\"a\\x\"", 3, 4},
        {"\"a\\u12g4\"", 3, 8},
        {"[1, // no\n 2]", 4, 6},
        {"/* no */ 1", 0, 2},
        {"[\"\xFF\"]", 2, 2},
        {"[\"\xE2\x82\xAC\xED\xA0\x80\"]", 5, 5},
        {"[\"a\\ud800\"]", 3, 3},
        {"[\"ab\\udc00\\ud800\"]", 4, 4},
        {"[\"abc\\ud800\\n\\udc00\"]", 5, 5},
        {"]", 0, 1},
        {"[}", 1, 2},
        {"-", 0, 1},
        {"\xEF\xBB\xBF[]", 0, 1},
    };
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_json json;
        mst_diagnostic d = {0};
        mst_status status = mst_json_parse(cases[i].text, strlen(cases[i].text), &arena, &json, &d);
        if (status != MST_DAMAGED || d.offset < cases[i].from || d.offset > cases[i].to)
            fail_msg("case %zu: status %d at %llu: %s", i, (int)status, (unsigned long long)d.offset,
                     d.message);
        assert_int_equal(json.count, 0);
    }
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
}

static void json_may_be_deep_and_long(void **state) {
    (void)state;
    mst_json none;
    mst_diagnostic too_long;
    assert_int_equal(mst_json_parse("", UINT32_MAX, NULL, &none, &too_long), MST_UNSUPPORTED);
    assert_non_null(strstr(too_long.message, "JSON text of more than "));
    enum { DEPTH = 300000 };
    char *text = malloc(2 * DEPTH + 100);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    mst_arena arena;
    mst_json json;
    mst_arena_begin(&arena, NULL, 0);
    assert_int_equal(mst_json_parse(text, 2 * DEPTH, &arena, &json, NULL), MST_OK);
    assert_int_equal(json.count, DEPTH);
    assert_int_equal(json.nodes[1000].end, DEPTH);
    assert_int_equal(json.nodes[DEPTH - 2].count, 1);
    assert_int_equal(mst_json_parse(text, 2 * DEPTH - 1, &arena, &json, NULL), MST_DAMAGED);
    /* A long string with an escape at every position, complete and truncated. */
    text[0] = '"';
    for (size_t i = 1; i < 2 * DEPTH; i += 2)
        memcpy(text + i, "\\n", 2);
    text[2 * DEPTH + 1] = '"';
    assert_int_equal(mst_json_parse(text, 2 * DEPTH + 2, &arena, &json, NULL), MST_OK);
    assert_int_equal(json.nodes[0].length, DEPTH);
    assert_int_equal(mst_json_parse(text, 2 * DEPTH + 1, &arena, &json, NULL), MST_DAMAGED);
    /* A long number that ends with the text. */
    memset(text, '7', 2 * DEPTH);
    assert_int_equal(mst_json_parse(text, 2 * DEPTH, &arena, &json, NULL), MST_OK);
    assert_int_equal(json.nodes[0].length, 2 * DEPTH);
    mst_arena_end(&arena);
    free(text);
}

static void json_survives_lack_of_memory(void **state) {
    (void)state;
    char text[3000] = "[";
    for (size_t i = 0; i < 100; i++)
        sprintf(text + strlen(text), "{\"k\\t%zu\":\"v\\n\"},", i);
    strcpy(text + strlen(text) - 1, "]");
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        tally counter = {.fail_at = fail_at};
        mst_allocator allocator = counting(&counter);
        mst_arena arena;
        mst_json json;
        mst_arena_begin(&arena, &allocator, 0);
        mst_status status = mst_json_parse(text, strlen(text), &arena, &json, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        done = status == MST_OK;
        mst_arena_end(&arena);
        assert_int_equal(counter.bytes, 0);
        assert_true(fail_at < 1000);
    }
    size_t refused = 0;
    done = false;
    for (size_t budget = 100; !done; budget += 500) {
        tally counter = {0};
        mst_allocator allocator = counting(&counter);
        mst_arena arena;
        mst_json json;
        mst_arena_begin(&arena, &allocator, budget);
        mst_status status = mst_json_parse(text, strlen(text), &arena, &json, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        done = status == MST_OK;
        refused += !done;
        assert_true(counter.max <= budget);
        assert_true(arena.used == counter.bytes);
        mst_arena_end(&arena);
        assert_int_equal(counter.bytes, 0);
    }
    assert_true(refused > 5);
}

/* Every text one change away from a good one either is JSON or is refused; the sanitizers watch. */
static void changed_json_does_no_harm(void **state) {
    (void)state;
    static const char good[] =
        "{\"a\":[1,-2.5e+3,true,null],\"\\u00e9\\ud83d\\ude00\":\"\xC3\xA9\\\"\",\"b\":{}}";
    for (size_t i = 0; i < sizeof good; i++)
        for (unsigned c = 0; c < 256; c++) {
            char *text = malloc(sizeof good); /* exact, so that reading after the end is seen */
            assert_non_null(text);
            size_t size = i < sizeof good - 1 ? sizeof good - 1 : c < sizeof good ? c : 0;
            memcpy(text, good, sizeof good);
            if (i < sizeof good - 1)
                text[i] = (char)c;
            char *exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, text, size);
            mst_arena arena;
            mst_json json;
            mst_diagnostic d;
            mst_arena_begin(&arena, NULL, 0);
            mst_status status = mst_json_parse(exact, size, &arena, &json, &d);
            assert_true(status == MST_OK || (status == MST_DAMAGED && d.offset <= size));
            for (uint32_t k = 0; k < json.count; k++)
                assert_true(json.nodes[k].end > k && json.nodes[k].end <= json.count &&
                            mst_utf8_valid(json.nodes[k].text, json.nodes[k].length));
            mst_arena_end(&arena);
            free(exact);
            free(text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_agree),
        cmocka_unit_test(arena_gives_aligned_memory),
        cmocka_unit_test(arena_keeps_to_its_budget),
        cmocka_unit_test(arena_survives_a_failing_allocator),
        cmocka_unit_test(arrays_grow),
        cmocka_unit_test(output_is_buffered_in_order),
        cmocka_unit_test(output_keeps_the_first_failure),
        cmocka_unit_test(utf8_is_judged),
        cmocka_unit_test(utf16_is_converted),
        cmocka_unit_test(endings_are_compared),
        cmocka_unit_test(json_strings_are_written),
        cmocka_unit_test(json_strings_hold_nothing_that_a_terminal_obeys),
        cmocka_unit_test(names_that_are_near),
        cmocka_unit_test(lists_of_names),
        cmocka_unit_test(hexadecimal_goes_both_ways),
        cmocka_unit_test(diagnoses_own_their_text),
        cmocka_unit_test(everything_has_a_name),
        cmocka_unit_test(files_are_written_and_read),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(permissions_are_kept),
        cmocka_unit_test(symbolic_links_are_followed),
        cmocka_unit_test(failures_name_the_file),
        cmocka_unit_test(a_full_device_is_an_error),
        cmocka_unit_test(pipes_are_read_to_the_end),
        cmocka_unit_test(pipes_are_written_directly),
        cmocka_unit_test(json_becomes_nodes),
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(json_may_be_deep_and_long),
        cmocka_unit_test(json_survives_lack_of_memory),
        cmocka_unit_test(changed_json_does_no_harm),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
