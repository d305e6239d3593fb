/* SPDX-License-Identifier: MIT */
/* Patches that would be larger than both levels: their operations are packed. */
#include "../src/codec/deflate.h"
#include "../src/patch/drafts.h"
#include "documents.h"
#include "edit.h"
#include <mapstone/edit.h>
#include <mapstone/patch.h>

#define HEAD   "{\"mspatch\":1,\"format\":\"ns2-level\"}\n"
#define END(n) "{\"end\":{\"operations\":" #n "}}\n"

static mst_buffer make(const session *old, const session *now, bool plain) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_patch_options options = {.size = sizeof options, .plain = plain};
    MUST(mst_patch_make(old->d, now->d, &options, mst_buffer_sink(&text), &why), &why);
    return text;
}

/* Nothing is packed in builds without zlib. */
static void need_zlib(void) {
    mst_buffer packed = {0};
    const mst_status status = mst_zlib_pack((const uint8_t *)"a", 1, MST_ZLIB_MODDED, &packed, NULL);
    mst_buffer_free(&packed);
    if (status == MST_UNSUPPORTED)
        skip();
}

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The second line of a patch, which ends with a zero. */
static const char *second_line(mst_buffer *text) {
    assert_int_equal(mst_buffer_sink(text).write(text, "", 1), MST_OK);
    text->size--;
    const char *end = strchr((const char *)text->data, '\n');
    assert_non_null(end);
    return end + 1;
}

static bool has_bytes_of(const mst_document *a, const mst_document *b) {
    size_t n, m;
    const void *x = mst_document_bytes(a, &n), *y = mst_document_bytes(b, &m);
    return n == m && memcmp(x, y, n) == 0;
}

static void begin_both(session *old, session *now) {
    begin(old, &(level_plan){.version = 10});
    begin(now, &(level_plan){.version = 10, .everything = true});
}

/* Levels with little in common: the patch is smaller than both, has the operations of the plain one, and
 * makes each of the other one. */
static void other_levels(void **state) {
    (void)state;
    need_zlib();
    session old, now;
    mst_diagnostic why;
    begin_both(&old, &now);
    mst_buffer packed = make(&old, &now, false), plain = make(&old, &now, true);
    size_t sizes[2];
    mst_document_bytes(old.d, &sizes[0]), mst_document_bytes(now.d, &sizes[1]);
    assert_true(plain.size > sizes[0] + sizes[1]);
    assert_true(packed.size <= sizes[0] + sizes[1]);
    assert_true(begins(second_line(&packed), "{\"op\":\"packed\","));
    assert_false(begins(second_line(&plain), "{\"op\":\"packed\","));
    mst_arena arena;
    mst_patch_steps steps[2];
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_patch_read((const char *)packed.data, packed.size, false, &arena, &steps[0], &why), &why);
    MUST(mst_patch_read((const char *)plain.data, plain.size, false, &arena, &steps[1], &why), &why);
    assert_true(steps[0].count > 10);
    assert_int_equal(steps[0].count, steps[1].count);
    for (size_t i = 0; i < steps[0].count; i++) {
        assert_int_equal(steps[0].items[i].kind, steps[1].items[i].kind);
        if (steps[0].items[i].key)
            assert_string_equal(steps[0].items[i].key, steps[1].items[i].key);
    }
    mst_arena_end(&arena);
    session changed;
    begin(&changed, &(level_plan){.version = 10});
    mst_patch_options options = {.size = sizeof options};
    MUST(mst_patch_apply(changed.d, (const char *)packed.data, packed.size, &options, &why), &why);
    assert_true(has_bytes_of(changed.d, now.d));
    options.reverse = true;
    MUST(mst_patch_apply(changed.d, (const char *)packed.data, packed.size, &options, &why), &why);
    assert_true(has_bytes_of(changed.d, old.d));
    mst_buffer_free(&packed);
    mst_buffer_free(&plain);
    end(&old), end(&now), end(&changed);
}

/* A patch that is smaller than both levels is lines. */
static void little_changed(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 10, .everything = true});
    begin(&now, &(level_plan){.version = 10, .everything = true});
    mst_diagnostic why;
    MUST(mst_set(now.d, "objects[0].class_name", "\"crate\"", &why), &why);
    mst_buffer packed = make(&old, &now, false), plain = make(&old, &now, true);
    assert_int_equal(packed.size, plain.size);
    assert_memory_equal(packed.data, plain.data, plain.size);
    mst_buffer_free(&packed);
    mst_buffer_free(&plain);
    end(&old), end(&now);
}

/* Made by zlib.compress of Python. */
#define ONE_LINE                                                                                             \
    "eNqrVsovULJSKk4tUdJRyssvSQVy8vIVChJLMhQyUotSlWq5AMS3CwI=" /* {"op":"set","note":"no path here"} */
static void damaged(void **state) {
    (void)state;
    need_zlib();
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"{\"op\":\"packed\"}\n", "need a \"size\" and \"data\""},
        {"{\"op\":\"packed\",\"size\":2,\"data\":7}\n", "need a \"size\" and \"data\""},
        {"{\"op\":\"packed\",\"size\":-1,\"data\":\"\"}\n", "need a \"size\" and \"data\""},
        {"{\"op\":\"packed\",\"size\":2,\"data\":\"a b\"}\n", "are not Base64"},
        {"{\"op\":\"packed\",\"size\":2,\"data\":\"AAAA\"}\n", "are not a zlib stream of 2 bytes"},
        {"{\"op\":\"packed\",\"size\":0,\"data\":\"\"}\n", "are not a zlib stream of 0 bytes"},
        {"{\"op\":\"packed\",\"size\":4000000000,\"data\":\"" ONE_LINE "\"}\n",
         "more than 64 times the stream"},
        {"{\"op\":\"packed\",\"size\":37,\"data\":\"" ONE_LINE "\"}\n", "are not a zlib stream of 37 bytes"},
        {"{\"op\":\"packed\",\"size\":35,\"data\":\"" ONE_LINE "\"}\n", "needs a \"path\""},
    };
    session s;
    begin(&s, &(level_plan){.version = 10});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        mst_diagnostic why;
        snprintf(text, sizeof text, HEAD "%s" END(1), cases[i].line);
        assert_int_equal(mst_patch_apply(s.d, text, strlen(text), NULL, &why), MST_ARGUMENT);
        if (!strstr(why.message, cases[i].message))
            fail_msg("%zu: %s: %s", i, why.path, why.message);
    }
    end(&s);
}

/* Packed lines may not contain others. */
static void packed_twice(void **state) {
    (void)state;
    need_zlib();
    mst_buffer text = {0}, again = {0};
    const mst_sink sink = mst_buffer_sink(&text), other = mst_buffer_sink(&again);
    char lines[2000];
    mst_diagnostic why;
    mst_arena arena;
    mst_patch_steps steps;
    for (size_t i = 0; i < sizeof lines; i++)
        lines[i] = (char)(i % 100 == 99 ? '\n' : ' ');
    MUST(sink.write(sink.user, HEAD, strlen(HEAD)), NULL);
    MUST(sink.write(sink.user, lines, sizeof lines), NULL);
    MUST(mst_patch_pack(strlen(HEAD), &text, &why), &why);
    assert_true(text.size < sizeof lines);
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_patch_read((const char *)text.data, text.size, true, &arena, &steps, &why), &why);
    assert_int_equal(steps.count, 0);
    MUST(other.write(other.user, HEAD, strlen(HEAD)), NULL);
    MUST(other.write(other.user, text.data + strlen(HEAD), text.size - strlen(HEAD)), NULL);
    while (again.size < 2 * sizeof lines) /* less is not packed */
        MUST(other.write(other.user, "\n", 1), NULL);
    MUST(mst_patch_pack(strlen(HEAD), &again, &why), &why);
    assert_int_equal(mst_patch_read((const char *)again.data, again.size, true, &arena, &steps, &why),
                     MST_ARGUMENT);
    assert_non_null(strstr(why.message, "are packed again"));
    mst_arena_end(&arena);
    mst_buffer_free(&text);
    mst_buffer_free(&again);
}

static void memory_runs_out(void **state) {
    (void)state;
    need_zlib();
    session old, now;
    begin_both(&old, &now);
    mst_buffer whole = make(&old, &now, false);
    size_t refused = 0;
    for (size_t at = 1;; at += 1 + at / 32) {
        counted c = {.fail_at = at};
        mst_patch_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_buffer text = {0};
        mst_diagnostic why;
        const mst_status made = mst_patch_make(old.d, now.d, &options, mst_buffer_sink(&text), &why);
        assert_true(made == MST_OK || made == MST_NO_MEMORY);
        if (made == MST_OK)
            assert_memory_equal(text.data, whole.data, whole.size);
        mst_buffer_free(&text);
        mst_arena arena;
        mst_patch_steps steps;
        counted d = {.fail_at = at};
        const mst_allocator allocator = counted_allocator(&d);
        mst_arena_begin(&arena, &allocator, 0);
        const mst_status read =
            mst_patch_read((const char *)whole.data, whole.size, false, &arena, &steps, &why);
        assert_true(read == MST_OK || read == MST_NO_MEMORY);
        mst_arena_end(&arena);
        assert_int_equal(c.blocks, 0);
        assert_int_equal(d.blocks, 0);
        refused += made != MST_OK;
        if (!c.failed && !d.failed)
            break;
        assert_true(at < 1000000);
    }
    assert_true(refused > 0);
    mst_buffer_free(&whole);
    end(&old), end(&now);
}

int test_packed_patch(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(other_levels), cmocka_unit_test(little_changed),
                                       cmocka_unit_test(damaged), cmocka_unit_test(packed_twice),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests_name("packed_patch", tests, NULL, NULL);
}
