/* SPDX-License-Identifier: MIT */
/* Reading JSON into nodes. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core/arena.h"
#include "../src/core/diagnose.h"
#include "../src/core/json.h"
#include "../src/core/text.h"
#include "tally.h"

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

/* The places are counted by hand: characters from 1 in each line, up to which the text could still be JSON.
 */
static void what_is_not_json_is_refused(void **state) {
    (void)state;
    static const char key[] = "a name in double quotes", value[] = "a value", end[] = "the end of the text",
                      in_array[] = "a comma or ]", in_object[] = "a comma or }", digit[] = "a digit",
                      hex[] = "four hexadecimal digits", utf8[] = "text in UTF-8",
                      escape[] = "one of \"\\/bfnrt, or u and four hexadecimal digits",
                      pair[] = "both halves, such as \\ud83d\\ude00",
                      quote[] = "a closing quote; control characters are written as \\u and four digits";
    static const struct {
        const char *text;
        uint64_t offset;
        unsigned line, column;
        const char *expected, *found;
    } cases[] = {
        /* nothing, too little, too much */
        {"", 0, 1, 1, value, end},
        {" \r\n\t ", 5, 2, 3, value, end},
        {"[1] x", 4, 1, 5, end, "x"},
        {"[1] [2]", 4, 1, 5, end, "["},
        {"1 2", 2, 1, 3, end, "2"},
        {"null,", 4, 1, 5, end, ","},
        {"\"a\"\"b\"", 3, 1, 4, end, "\""},
        {"]", 0, 1, 1, value, "]"},
        {"}", 0, 1, 1, value, "}"},
        {",", 0, 1, 1, value, ","},
        {"[]]", 2, 1, 3, end, "]"},
        {"{}}", 2, 1, 3, end, "}"},
        /* arrays */
        {"[", 1, 1, 2, value, end},
        {"[1", 2, 1, 3, in_array, end},
        {"[1,2", 4, 1, 5, in_array, end},
        {"[1,2,]", 5, 1, 6, value, "]"},
        {"[,1]", 1, 1, 2, value, ","},
        {"[1,,2]", 3, 1, 4, value, ","},
        {"[1 2]", 3, 1, 4, in_array, "2"},
        {"[1:2]", 2, 1, 3, in_array, ":"},
        {"[1}", 2, 1, 3, in_array, "}"},
        {"[}", 1, 1, 2, value, "}"},
        {"[[[]", 4, 1, 5, in_array, end},
        {"[\n  1,\n  2\n  3\n]", 13, 4, 3, in_array, "3"},
        /* objects */
        {"{", 1, 1, 2, key, end},
        {"{\"a\"", 4, 1, 5, "a colon", end},
        {"{\"a\" 1}", 5, 1, 6, "a colon", "1"},
        {"{\"a\",1}", 4, 1, 5, "a colon", ","},
        {"{\"a\":}", 5, 1, 6, value, "}"},
        {"{\"a\"::1}", 5, 1, 6, value, ":"},
        {"{\"a\":1,}", 7, 1, 8, key, "}"},
        {"{,\"a\":1}", 1, 1, 2, key, ","},
        {"{\"a\":1 \"b\":2}", 7, 1, 8, in_object, "\""},
        {"{\"a\":1]", 6, 1, 7, in_object, "]"},
        {"{1:2}", 1, 1, 2, key, "1"},
        {"{a:2}", 1, 1, 2, key, "a"},
        {"{null:2}", 1, 1, 2, key, "n"},
        {"{'a':2}", 1, 1, 2, key, "'"},
        {"{]", 1, 1, 2, key, "]"},
        {"{\r\n\"\xC3\xA4\xE2\x82\xAC\": \xC3\xA9}", 12, 2, 7, value, "\xC3\xA9"},
        /* numbers */
        {"-", 1, 1, 2, digit, end},
        {"[-]", 2, 1, 3, digit, "]"},
        {"[--1]", 2, 1, 3, digit, "-"},
        {"[+1]", 1, 1, 2, value, "+"},
        {"[.5]", 1, 1, 2, value, "."},
        {"[-.5]", 2, 1, 3, digit, "."},
        {"[1.]", 3, 1, 4, digit, "]"},
        {"[1.e5]", 3, 1, 4, digit, "e"},
        {"[1.5.5]", 4, 1, 5, in_array, "."},
        {"[01]", 2, 1, 3, in_array, "1"},
        {"[-01]", 3, 1, 4, in_array, "1"},
        {"[0x1F]", 2, 1, 3, in_array, "x"},
        {"[1e]", 3, 1, 4, digit, "]"},
        {"[1e+]", 4, 1, 5, digit, "]"},
        {"[1e1.5]", 4, 1, 5, in_array, "."},
        {"[1_000]", 2, 1, 3, in_array, "_"},
        {"[1 000]", 3, 1, 4, in_array, "0"},
        {"[\xEF\xBC\x91]", 1, 1, 2, value, "\xEF\xBC\x91"}, /* a fullwidth digit */
        {"[nan]", 2, 1, 3, value, "a"},
        {"[NaN]", 1, 1, 2, value, "N"},
        {"[Infinity]", 1, 1, 2, value, "I"},
        {"[-Infinity]", 2, 1, 3, digit, "I"},
        /* words */
        {"[tru]", 4, 1, 5, value, "]"},
        {"tru", 3, 1, 4, value, end},
        {"[True]", 1, 1, 2, value, "T"},
        {"[falsey]", 6, 1, 7, in_array, "y"},
        {"[nul\\u006c]", 4, 1, 5, value, "\\"},
        {"[undefined]", 1, 1, 2, value, "u"},
        {"[1, // no\n 2]", 4, 1, 5, value, "/"},
        {"/* no */ 1", 0, 1, 1, value, "/"},
        {"[1,#2\n]", 3, 1, 4, value, "#"},
        {"['a']", 1, 1, 2, value, "'"},
        {"[a]", 1, 1, 2, value, "a"},
        {"[1\f]", 2, 1, 3, in_array, "byte 0x0c"},
        {"[1\v]", 2, 1, 3, in_array, "byte 0x0b"},
        {"[1\xC2\xA0]", 2, 1, 3, in_array, "\xC2\xA0"},
        {"\xEF\xBB\xBF[]", 0, 1, 1, value, "\xEF\xBB\xBF"},
        /* strings */
        {"\"", 1, 1, 2, quote, end},
        {"\"abc", 4, 1, 5, quote, end},
        {"[\"abc]", 6, 1, 7, quote, end},
        {"\"a\nb\"", 2, 1, 3, quote, "byte 0x0a"},
        {"\"a\tb\"", 2, 1, 3, quote, "byte 0x09"},
        {"\"a\x1F\"", 2, 1, 3, quote, "byte 0x1f"},
        {"\"\\n\x01\"", 3, 1, 4, quote, "byte 0x01"},
        {"\"\\", 2, 1, 3, escape, end},
        {"\"a\\x\"", 3, 1, 4, escape, "x"},
        {"\"\\U0041\"", 2, 1, 3, escape, "U"},
        {"\"\\'\"", 2, 1, 3, escape, "'"},
        {"\"\\0\"", 2, 1, 3, escape, "0"},
        {"\"\\\xC3\xA9\"", 2, 1, 3, escape, "\xC3\xA9"},
        {"\"\\u12", 5, 1, 6, hex, end},
        {"\"\\u\"", 3, 1, 4, hex, "\""},
        {"\"a\\u12g4\"", 6, 1, 7, hex, "g"},
        {"\"\\u+123\"", 3, 1, 4, hex, "+"},
        {"[\"a\\ud800\"]", 3, 1, 4, pair, "\\"},
        {"[\"ab\\udc00\\ud800\"]", 4, 1, 5, pair, "\\"},
        {"[\"abc\\ud800\\n\\udc00\"]", 5, 1, 6, pair, "\\"},
        {"[\"\\ud800\\u0041\"]", 2, 1, 3, pair, "\\"},
        {"[\"\\ud800\\ud800\"]", 2, 1, 3, pair, "\\"},
        /* bytes that are not UTF-8, unless the text has an error before them */
        {"[\"\xFF\"]", 2, 1, 3, utf8, "byte 0xff"},
        {"[\"\xE2\x82\xAC\xED\xA0\x80\"]", 5, 1, 4, utf8, "byte 0xed"},
        {"[\"\xC0\xAF\"]", 2, 1, 3, utf8, "byte 0xc0"},
        {"[\"\xE2\x82\"]", 2, 1, 3, utf8, "byte 0xe2"},
        {"[\"\xF4\x90\x80\x80\"]", 2, 1, 3, utf8, "byte 0xf4"},
        {"[\"\x80\"]", 2, 1, 3, utf8, "byte 0x80"},
        {"[\"a\\n\xFF\"]", 5, 1, 6, utf8, "byte 0xff"},
        {"[1]\xFF", 3, 1, 4, utf8, "byte 0xff"},
        {"12\xFF", 2, 1, 3, utf8, "byte 0xff"},
        {"tr\xFF", 2, 1, 3, utf8, "byte 0xff"},
        {"[1;\"\xFF\"]", 2, 1, 3, in_array, ";"},
    };
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_json json;
        mst_diagnostic d = {0};
        char place[60];
        snprintf(place, sizeof place, "line %u, column %u", cases[i].line, cases[i].column);
        mst_status status = mst_json_parse(cases[i].text, strlen(cases[i].text), &arena, &json, &d);
        if (status != MST_DAMAGED || d.offset != cases[i].offset || strcmp(d.path, place) != 0 ||
            strcmp(d.expected, cases[i].expected) != 0 || strcmp(d.found, cases[i].found) != 0)
            fail_msg("case %zu, %s: status %d at %llu, %s: %s; expected %s, found %s", i, cases[i].text,
                     (int)status, (unsigned long long)d.offset, d.path, d.message, d.expected, d.found);
        assert_int_equal(json.count, 0);
        assert_int_equal(mst_json_parse(cases[i].text, strlen(cases[i].text), &arena, &json, NULL),
                         MST_DAMAGED);
    }
    mst_json json;
    mst_diagnostic d;
    assert_int_equal(mst_json_parse("[1,\0 2]", 7, &arena, &json, &d), MST_DAMAGED);
    assert_int_equal(d.offset, 3);
    assert_string_equal(d.found, "byte 0x00");
    mst_arena_end(&arena);
    assert_int_equal(counter.bytes, 0);
}

static void what_is_json_is_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t nodes;
    } cases[] = {
        {"0", 1},
        {"-0", 1},
        {" -0.0 ", 1},
        {"\t1\r\n", 1},
        {"1E5", 1},
        {"1e-05", 1},
        {"0e+0", 1},
        {"123456789012345678901234567890.00000000000000000000001e-400", 1},
        {"1e999999999999", 1},
        {"[]", 1},
        {" [ ] ", 1},
        {"[[],[[]]]", 4},
        {"[{}]", 2},
        {"{ }", 1},
        {"{\"\":0}", 3},
        {"{\"a\":1,\"a\":2}", 5},
        {"{\"a\":{\"a\":{}}}", 5},
        {"{\"\\u0000\":null}", 3},
        {"[null,true,false]", 4},
        {"[1,\n\t2 ,3]", 4},
        {"\"\"", 1},
        {"\" \"", 1},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", 1},
        {"\"\\u00E9\\uabCD\"", 1},
        {"\"\\ud834\\udd1e \\uD834\\uDD1E\"", 1},
        {"\"\\uFFFF\\ufffe\\ue000\\ud7ff\"", 1},
        {"\"\x7F\"", 1},
        {"\"\xE2\x80\xA8\xE2\x80\xA9\"", 1}, /* line separators */
        {"\"\xEF\xBB\xBF\"", 1},
        {"\"\xF4\x8F\xBF\xBF\"", 1},
        {"\"// no comment, /* nor here */ [}\"", 1},
        {"[\"]\",\"}\",\",\",\":\"]", 5},
    };
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_json json;
        mst_diagnostic d = {0};
        if (mst_json_parse(cases[i].text, strlen(cases[i].text), &arena, &json, &d) != MST_OK)
            fail_msg("case %zu: %s, %s", i, d.path, d.message);
        assert_int_equal(json.count, cases[i].nodes);
        assert_int_equal(json.nodes[0].end, json.count);
    }
    mst_arena_end(&arena);
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

/* The text before the place of a diagnosis is JSON, or only ends too early. */
static void could_be_json_up_to(const char *text, size_t offset) {
    mst_arena arena;
    mst_json json;
    mst_diagnostic d;
    mst_arena_begin(&arena, NULL, 0);
    if (mst_json_parse(text, offset, &arena, &json, &d) != MST_OK) {
        assert_int_equal(d.offset, offset);
        assert_string_equal(d.message, "not JSON: the text is incomplete");
    }
    mst_arena_end(&arena);
}

/* Every text one change away from a valid one either is JSON or is refused; the sanitizers check for
 * errors. */
static void changed_json_does_no_harm(void **state) {
    (void)state;
    static const char good[] =
        "{\"a\":[1,-2.5e+3,true,null],\"\\u00e9\\ud83d\\ude00\":\"\xC3\xA9\\\"\",\"b\":{}}";
    for (size_t i = 0; i < sizeof good; i++)
        for (unsigned c = 0; c < 256; c++) {
            char *text = malloc(sizeof good); /* exact, so that reads past the end are detected */
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
            if (status == MST_DAMAGED)
                could_be_json_up_to(exact, (size_t)d.offset);
            for (uint32_t k = 0; k < json.count; k++)
                assert_true(json.nodes[k].end > k && json.nodes[k].end <= json.count &&
                            mst_utf8_valid(json.nodes[k].text, json.nodes[k].length));
            mst_arena_end(&arena);
            free(exact);
            free(text);
        }
}

int test_json(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_becomes_nodes),           cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(what_is_json_is_read),         cmocka_unit_test(json_may_be_deep_and_long),
        cmocka_unit_test(json_survives_lack_of_memory), cmocka_unit_test(changed_json_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
