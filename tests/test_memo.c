/* SPDX-License-Identifier: MIT */
/* Data made from a sidecar is kept for the next document: identified by the bytes, by its maker, and without
 * memory. */
#include "../src/core/memo.h"
#include "support.h"

static unsigned times;

/* A sum, and text in the arena with the same lifetime. */
typedef struct sum {
    unsigned number;
    char *text;
} sum;

static mst_status add(const mst_resolver *resolver, const void *bytes, size_t size, mst_arena *arena,
                      void *made) {
    (void)resolver;
    sum *s = made;
    times++;
    assert_int_equal(s->number, 0);
    for (size_t i = 0; i < size; i++)
        s->number += ((const uint8_t *)bytes)[i];
    s->text = mst_arena_printf(arena, "%u", s->number);
    return s->text ? MST_OK : MST_NO_MEMORY;
}
static const mst_memo_kind adding = {sizeof(sum), add};

static mst_status count(const mst_resolver *resolver, const void *bytes, size_t size, mst_arena *arena,
                        void *made) {
    (void)resolver, (void)bytes, (void)arena;
    times++;
    *(size_t *)made = size;
    return MST_OK;
}
static const mst_memo_kind counting = {sizeof(size_t), count};

static const sum *sum_of(const mst_resolver *resolver, const char *text, mst_arena *scratch) {
    const void *made;
    MUST(mst_recall(&adding, resolver, text, strlen(text), scratch, &made), NULL);
    return made;
}

static void made_once(void **state) {
    (void)state;
    counted memory = {0};
    mst_allocator allocator = counted_allocator(&memory);
    mst_memo memo = {0};
    mst_resolver resolver = {.memo = &memo};
    mst_arena scratch;
    const char text[] = "abc", other[] = "abc";
    times = 0;
    mst_arena_begin(&scratch, &allocator, 0);
    const sum *first = sum_of(&resolver, text, &scratch);
    mst_arena_end(&scratch);
    assert_int_equal(first->number, 'a' + 'b' + 'c');
    assert_string_equal(first->text, "294");
    assert_ptr_equal(sum_of(&resolver, text, &scratch), first);
    assert_int_equal(times, 1);
    /* other bytes, and fewer of the same */
    assert_int_equal(sum_of(&resolver, other, &scratch)->number, 294);
    assert_int_equal(times, 2);
    const void *made;
    MUST(mst_recall(&adding, &resolver, other, 1, &scratch, &made), NULL);
    assert_int_equal(((const sum *)made)->number, 'a');
    assert_int_equal(times, 3);
    /* another result from the same bytes */
    MUST(mst_recall(&counting, &resolver, other, 1, &scratch, &made), NULL);
    assert_int_equal(*(const size_t *)made, 1);
    assert_int_equal(times, 4);
    mst_memo_clear(&memo);
    assert_null(memo.made);
    assert_int_equal(memory.blocks, 0);
    mst_memo_clear(&memo);
    mst_memo_clear(NULL);
}

/* Without a memo, or a resolver, it is made each time. */
static void made_each_time(void **state) {
    (void)state;
    mst_resolver resolver = {.memo = NULL};
    mst_arena scratch;
    times = 0;
    mst_arena_begin(&scratch, NULL, 0);
    assert_int_equal(sum_of(&resolver, "ab", &scratch)->number, 'a' + 'b');
    assert_int_equal(sum_of(NULL, "ab", &scratch)->number, 'a' + 'b');
    assert_int_equal(times, 2);
    mst_arena_end(&scratch);
}

/* The kept data survives if no new data can be made. */
static void no_memory(void **state) {
    (void)state;
    for (int kept = 0; kept < 2; kept++)
        for (size_t fail_at = 1;; fail_at++) {
            counted memory = {0};
            mst_allocator allocator = counted_allocator(&memory);
            mst_memo memo = {0};
            mst_resolver resolver = {.memo = kept ? &memo : NULL};
            mst_arena scratch;
            mst_arena_begin(&scratch, &allocator, 0);
            if (kept)
                sum_of(&resolver, "ab", &scratch);
            const void *before = memo.made, *made;
            memory.fail_at = memory.calls + fail_at;
            memory.for_good = true; /* a single failure may be handled */
            mst_status status = mst_recall(&adding, &resolver, "xyz", 3, &scratch, &made);
            assert_int_equal(status, memory.failed ? MST_NO_MEMORY : MST_OK);
            if (memory.failed)
                assert_ptr_equal(memo.made, before);
            mst_memo_clear(&memo);
            mst_arena_end(&scratch);
            assert_int_equal(memory.blocks, 0);
            if (!memory.failed)
                break;
        }
}

int test_memo(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_once),
        cmocka_unit_test(made_each_time),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
