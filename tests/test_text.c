/* SPDX-License-Identifier: MIT */
/* Text: encodings, JSON strings, names and hexadecimal numbers. */
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

#include "../src/core/bytes.h"
#include "../src/core/diagnose.h"
#include "../src/core/name.h"
#include "../src/core/output.h"
#include "../src/core/spelling.h"
#include "../src/core/text.h"
#include "tally.h"

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

/* Whether the bytes after the mark are complete characters: determined by pairs of surrogates, as the Unicode
 * Standard describes them (D91, D95), independently of the reader. */
static bool is_whole_utf16(const uint8_t *bytes, size_t size, bool big) {
    if (size % 2)
        return false;
    for (size_t at = 2; at < size; at += 2) {
        unsigned high = bytes[at + !big] & 0xFC, next = at + 2 < size ? bytes[at + 2 + !big] & 0xFC : 0;
        if (high == 0xDC || (high == 0xD8 && next != 0xDC))
            return false;
        at += high == 0xD8 ? 2 : 0;
    }
    return true;
}

static void texts_are_read_by_their_mark(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *text; /* NULL: damaged */
        size_t mark;
    } all[] = {{"", 0, "", 0},
               {"{}", 2, "{}", 0},
               {"\xEF\xBB\xBF{}", 5, "{}", 3},
               {"\xEF\xBB", 2, "\xEF\xBB", 0},
               {"\xFF", 1, "\xFF", 0},
               {"\xFE\xFE", 2, "\xFE\xFE", 0},
               {"\xFF\xFE", 2, "", SIZE_MAX},
               {"\xFE\xFF", 2, "", SIZE_MAX},
               {"\xFF\xFE{\0\xAC\x20", 6, "{\xE2\x82\xAC", SIZE_MAX},
               {"\xFE\xFF\0{\x20\xAC", 6, "{\xE2\x82\xAC", SIZE_MAX},
               {"\xFF\xFE\x3D\xD8\x00\xDE", 6, "\xF0\x9F\x98\x80", SIZE_MAX},
               {"\xFE\xFF\xD8\x3D\xDE\x00", 6, "\xF0\x9F\x98\x80", SIZE_MAX},
               {"\xFF\xFE{", 3, NULL, 0},
               {"\xFF\xFE\x3D\xD8", 4, NULL, 0},
               {"\xFF\xFE\x00\xDE\x3D\xD8", 6, NULL, 0}};
    mst_arena arena;
    const mst_allocator allocator = mst_allocator_or_default(NULL);
    mst_text text;
    mst_diagnostic why;
    mst_arena_begin(&arena, &allocator, 0);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mst_status status = mst_text_plain(all[i].bytes, all[i].size, &arena, &text, &why);
        assert_int_equal(status, all[i].text ? MST_OK : MST_DAMAGED);
        if (!all[i].text)
            continue;
        assert_int_equal(text.size, strlen(all[i].text));
        assert_memory_equal(text.at, all[i].text, text.size);
        assert_int_equal(text.mark, all[i].mark);
    }
    mst_arena_end(&arena);
}

static void any_bytes_after_a_mark_are_bounded(void **state) {
    (void)state;
    const mst_allocator allocator = mst_allocator_or_default(NULL);
    uint64_t random = 12345;
    for (int i = 0; i < 20000; i++) {
        size_t size = 2 + (size_t)i % 23;
        bool big = i & 1;
        uint8_t *bytes = malloc(size); /* exact: reads past it are detected */
        mst_arena arena;
        mst_text text;
        assert_non_null(bytes);
        bytes[0] = big ? 0xFE : 0xFF;
        bytes[1] = big ? 0xFF : 0xFE;
        for (size_t at = 2; at < size; at++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned one = (unsigned)(random >> 40);
            bytes[at] = (uint8_t)(one & 0x300 ? 0xD8 + (one & 7) : one); /* surrogates, mostly */
        }
        mst_arena_begin(&arena, &allocator, 0);
        mst_status status = mst_text_plain(bytes, size, &arena, &text, NULL);
        assert_int_equal(status, is_whole_utf16(bytes, size, big) ? MST_OK : MST_DAMAGED);
        if (status == MST_OK)
            assert_true(mst_utf8_valid(text.at, text.size) && text.size <= 3 * (size / 2 - 1));
        mst_text_is_level(bytes, size);
        mst_text_is_object(bytes, size);
        mst_arena_end(&arena);
        free(bytes);
    }
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
                                        0xE0}; /* the unit after the high one is above the low ones */
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

    /* Each byte at each place in a long text, against a simple loop. */
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
    /* Pairs across the boundaries of the pieces in which UTF-16 is written. */
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

/* The result of bash for `[[ $text == $pattern ]]` of each alternative. */
static void patterns(void **state) {
    static const struct {
        const char *text, *pattern;
        bool like;
    } cases[] = {
        {"ab", "{a,b}b", true},
        {"bb", "{a,b}b", true},
        {"cb", "{a,b}b", false},
        {"b", "{a,b}b", false},
        {"b", "{a,}b", true},
        {"ab", "{a,}b", true},
        {"", "{}", true},
        {"x", "{}", false},
        {"abxcd", "{a*,b}x{c,d}?", true},
        {"bxd", "{a*,b}x{c,d}", true},
        {"bxe", "{a*,b}x{c,d}", false},
        {"door", "*{or,ors}", true},
        {"doors", "*{or,ors}", true},
        {"a{b", "a{b", true},
        {"a{", "a{b", false},
        {"a,b", "a,b", true},
        {"a}", "a}", true},
        {"a}", "{a}}", true},
        {"{a", "{{a,b}", true},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "{a,a*}{a,a*}{a,a*}{a,a*}{a,a*}{a,a*}c", false},
        {"abcabc", "{abc,ab}{c,}{abc,}", true},
        {"x*", "{x,y}*", true},
        {"z", "{x,y}*", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (mst_text_is_like(cases[i].text, cases[i].pattern, strlen(cases[i].pattern)) != cases[i].like)
            fail_msg("\"%s\" %s like \"%s\"", cases[i].text, cases[i].like ? "is" : "is not",
                     cases[i].pattern);
    char longest[600] = "{", text[600] = ""; /* of 510 times a */
    memset(longest + 1, 'a', 510);
    memset(text, 'a', 510);
    longest[511] = '}';
    assert_true(mst_text_is_like(text, longest, 512));
    assert_false(mst_text_is_like(text, "{a", 2));
    longest[512] = '*';
    assert_false(mst_text_is_like(text, longest, 513)); /* it is too long */
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
    for (unsigned i = 0; i < 100; i++) { /* more than fit: the nearest are kept */
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

int test_text(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_judged),
        cmocka_unit_test(utf16_is_converted),
        cmocka_unit_test(texts_are_read_by_their_mark),
        cmocka_unit_test(any_bytes_after_a_mark_are_bounded),
        cmocka_unit_test(endings_are_compared),
        cmocka_unit_test(json_strings_are_written),
        cmocka_unit_test(json_strings_hold_nothing_that_a_terminal_obeys),
        cmocka_unit_test(patterns),
        cmocka_unit_test(names_that_are_near),
        cmocka_unit_test(lists_of_names),
        cmocka_unit_test(hexadecimal_goes_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
