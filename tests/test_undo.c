/* SPDX-License-Identifier: MIT */
/*
 * Undoing edits: for every fixture, the effects of edits of its lists are undone and redone to the byte, for
 * any number of steps; the undo of a small edit is small.
 */
#include "../src/core/delta.h"
#include "../src/core/hash.h"
#include "../src/read/engine.h"
#include "fixtures.h"
#include <mapstone/edit.h>

/* ---- deltas -------------------------------------------------------------------------------------------- */

static uint32_t seed = 1;
static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Makes a delta, and the new bytes from it; returns its memory. */
static size_t assert_delta(const uint8_t *old, size_t old_size, const uint8_t *now, size_t new_size) {
    mst_delta delta;
    uint8_t *made = calloc(new_size + 1, 1);
    assert_non_null(made);
    MUST(mst_delta_make(old, old_size, now, new_size, NULL, &delta), NULL);
    mst_delta_apply(&delta, old, made);
    assert_memory_equal(made, now, new_size);
    size_t memory = mst_delta_memory(&delta);
    mst_delta_free(&delta);
    free(made);
    return memory;
}

#define LARGE 300000

static void test_deltas(void **state) {
    (void)state;
    uint8_t *old = malloc(LARGE), *now = malloc(2 * LARGE);
    assert_true(old && now);
    for (size_t i = 0; i < LARGE; i++)
        old[i] = (uint8_t)next_random();
    /* a size at the beginning, insertions at two places, a removal: a few runs */
    memcpy(now, old, LARGE);
    memset(now + 8, 7, 4);
    memmove(now + 100010, now + 100000, LARGE - 100000);
    memset(now + 100000, 1, 10);
    memmove(now + 200000, now + 200300, LARGE + 10 - 200300);
    assert_true(assert_delta(old, LARGE, now, LARGE - 290) < 2048);
    /* the halves are exchanged */
    memcpy(now, old + LARGE / 2, LARGE / 2);
    memcpy(now + LARGE / 2, old, LARGE / 2);
    assert_true(assert_delta(old, LARGE, now, LARGE) < 2048);
    /* nothing in common, and bytes that are all equal */
    for (size_t i = 0; i < LARGE; i++)
        now[i] = (uint8_t)next_random();
    assert_delta(old, LARGE, now, LARGE);
    memset(old, 0, LARGE), memset(now, 0, LARGE);
    assert_true(assert_delta(old, LARGE, now, LARGE - 1000) < 2048);
    now[5] = 1, now[LARGE / 3] = 2;
    assert_true(assert_delta(old, LARGE, now, LARGE) < 2048);
    /* sizes close to a block's, and none */
    for (size_t a = 0; a < 70; a += 3)
        for (size_t b = 0; b < 70; b += 7) {
            for (size_t i = 0; i < 70; i++)
                old[i] = (uint8_t)(next_random() % 3), now[i] = (uint8_t)(next_random() % 3);
            assert_delta(old, a, now, b);
        }
    /* the same bytes with a few changes, many times */
    for (unsigned round = 0; round < 200; round++) {
        size_t size = 200 + next_random() % 3000, new_size = size;
        for (size_t i = 0; i < size; i++)
            old[i] = (uint8_t)(next_random() % 20 ? i / 50 : next_random());
        memcpy(now, old, size);
        for (unsigned change = next_random() % 6; change; change--) {
            size_t at = next_random() % new_size, count = next_random() % 60;
            memmove(now + at + count, now + at, new_size - at);
            new_size += count;
            for (size_t i = 0; i < count; i++)
                now[at + i] = (uint8_t)next_random();
        }
        assert_delta(old, size, now, new_size);
        assert_delta(now, new_size, old, size);
    }
    free(old), free(now);
}

static void test_delta_memory(void **state) {
    (void)state;
    counted memory = {0};
    uint8_t old[4000], now[4000];
    for (size_t i = 0; i < sizeof old; i++)
        old[i] = (uint8_t)next_random(), now[i] = i % 100 < 50 ? old[i] : 0;
    for (size_t n = 1;; n++) {
        mst_delta delta;
        mst_allocator allocator = counted_allocator(&memory);
        memory.fail_at = memory.calls + n, memory.failed = false;
        mst_status status = mst_delta_make(old, sizeof old, now, sizeof now, &allocator, &delta);
        memory.fail_at = 0;
        mst_delta_free(&delta);
        assert_int_equal(memory.bytes, 0);
        if (!memory.failed) {
            MUST(status, NULL);
            break;
        }
        assert_true(status == MST_NO_MEMORY || status == MST_OK); /* without a table it is only longer */
    }
}

/* ---- documents ----------------------------------------------------------------------------------------- */

typedef struct content {
    char files[2][65];
    bool edited;
} content;

static content content_of(const mst_document *d) {
    content c = {.edited = mst_is_edited(d)};
    for (size_t i = 0; i < mst_document_file_count(d); i++) {
        size_t size;
        const void *bytes = mst_document_file(d, i, NULL, &size);
        mst_sha256_text(bytes, size, c.files[i]);
    }
    return c;
}

static void assert_content(const mst_document *d, const content *expected) {
    content now = content_of(d);
    assert_memory_equal(&now, expected, sizeof now);
}

#define STEPS 12
static size_t steps_taken;

/* Tries to change the lists of the root in sequence; then everything is undone, redone, and undone. */
static void go_back_and_forth(const char *name, const mst_document *opened_one) {
    (void)name;
    static const mst_operation_kind kinds[] = {MST_OPERATION_DUPLICATE, MST_OPERATION_REMOVE,
                                               MST_OPERATION_MOVE};
    mst_document *d = (mst_document *)(uintptr_t)opened_one; /* it belongs to the test */
    mst_undo *undos[STEPS];
    content states[STEPS + 1];
    size_t count = 0;
    mst_diagnostic why;
    mst_value root = mst_root(d), member;
    char paths[40][80];
    size_t lists = 0;
    for (mst_iterator it = mst_iterate(&root); lists < 40 && mst_next(&it, &member);)
        if (mst_value_type(&member) == MST_TYPE_LIST && mst_count(&member) > 1)
            snprintf(paths[lists++], sizeof *paths, "%s[0]", mst_value_field(&member).name);
    states[0] = content_of(d);
    for (size_t i = 0; i < 3 * lists && count < STEPS; i++) {
        mst_operation one = {.kind = kinds[i % 3], .path = paths[i / 3]};
        mst_edit_options options = {.size = sizeof options, .cascade = 1};
        if (one.kind == MST_OPERATION_MOVE)
            one.value = "1";
        MUST(mst_undo_begin(d, &undos[count], &why), &why);
        assert_int_equal(mst_undo_swap(undos[count], d, &why), MST_ARGUMENT);
        if (mst_edit(d, &one, 1, &options, &why) != MST_OK) {
            mst_undo_free(undos[count]);
            continue;
        }
        MUST(mst_undo_end(undos[count], d, &why), &why);
        assert_int_equal(mst_undo_end(undos[count], d, &why), MST_ARGUMENT);
        states[++count] = content_of(d);
    }
    for (unsigned turn = 0; turn < 3; turn++) {
        for (size_t i = count; i > 0; i--) {
            if (i + 1 < count && memcmp(&states[i], &states[count - 1], sizeof *states) != 0)
                assert_int_equal(mst_undo_swap(undos[count - 1], d, &why), MST_REFUSED);
            MUST(mst_undo_swap(undos[i - 1], d, &why), &why);
            assert_content(d, &states[i - 1]);
        }
        for (size_t i = 0; i < count; i++) {
            MUST(mst_undo_swap(undos[i], d, &why), &why);
            assert_content(d, &states[i + 1]);
        }
    }
    steps_taken += count;
    for (size_t i = 0; i < count; i++)
        mst_undo_free(undos[i]);
}

static void test_fixtures(void **state) {
    (void)state;
    assert_true(fixtures_each(go_back_and_forth) > 0);
    assert_true(steps_taken > 100);
}

/* One number of a large level: an undo of a few bytes; and lack of memory changes nothing. */
static void test_small(void **state) {
    (void)state;
    writer w = {0};
    fixture_ns2_everything(&w);
    counted memory = {0};
    mst_open_options options = {
        .size = sizeof options, .name = "a.level", .allocator = counted_allocator(&memory)};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    content before = content_of(d);
    mst_undo *undo;
    MUST(mst_undo_begin(d, &undo, &why), &why);
    assert_true(mst_undo_memory(undo) > w.size);
    MUST(mst_set(d, "objects[0].class_name", "somewhat_longer", &why), &why);
    content after = content_of(d);
    MUST(mst_undo_end(undo, d, &why), &why);
    assert_true(mst_undo_memory(undo) < 1024);
    for (size_t n = 1;; n++) {
        memory.fail_at = memory.calls + n, memory.failed = false;
        mst_status status = mst_undo_swap(undo, d, &why);
        memory.fail_at = 0;
        if (status == MST_OK)
            break;
        assert_true(memory.failed && status == MST_NO_MEMORY);
        assert_content(d, &after);
    }
    assert_content(d, &before);
    mst_undo_free(undo);
    mst_close(d);
    assert_int_equal(memory.bytes, 0);
    assert_false(memory.wrong);
    writer_free(&w);
}

/* Byte by byte, regardless of how many are compared at once: lengths around a page. */
static void test_same(void **state) {
    (void)state;
    enum { SIZE = 9000 };
    uint8_t *one = calloc(SIZE, 1), *other = calloc(SIZE, 1);
    assert_non_null(one);
    assert_non_null(other);
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, SIZE};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t size = sizes[s];
        assert_int_equal(mst_same_beginning(one, other, size), size);
        assert_int_equal(mst_same_end(one + SIZE, other + SIZE, size), size);
        for (size_t at = 0; at < size; at += at < 8 || at % 4096 < 3 || at % 4096 > 4090 ? 1 : 41) {
            one[at] = 1;
            assert_int_equal(mst_same_beginning(one, other, size), at);
            assert_int_equal(mst_same_end(one + size, other + size, size), size - at - 1);
            one[at] = 0;
        }
    }
    free(one);
    free(other);
}

int test_undo(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deltas), cmocka_unit_test(test_delta_memory),
                                       cmocka_unit_test(test_same), cmocka_unit_test(test_fixtures),
                                       cmocka_unit_test(test_small)};
    return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}
