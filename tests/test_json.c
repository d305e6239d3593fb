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
        cmocka_unit_test(json_becomes_nodes),        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(json_may_be_deep_and_long), cmocka_unit_test(json_survives_lack_of_memory),
        cmocka_unit_test(changed_json_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
