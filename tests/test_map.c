/* SPDX-License-Identifier: MIT */
/* Maps: keys of both kinds, their order, maliciously chosen keys, and memory. */
#include "../src/core/arena.h"
#include "../src/core/map.h"
#include "support.h"

static void numbers_and_bytes(void **state) {
    (void)state;
    mst_hash_map map = {.count = 0};
    assert_null(mst_hash_map_find(&map, mst_key_number(0)));
    assert_null(mst_hash_map_find(&map, mst_key_text("")));
    const char *const texts[] = {"",         "a",         "b",         "ab",
                                 "abcdefgh", "abcdefghi", "abcdefghj", "abcdefghijklmnop"};
    for (uint32_t i = 0; i < 8; i++)
        *mst_hash_map_add(&map, mst_key_text(texts[i])) = 100 + i;
    for (uint32_t i = 0; i < 8; i++)
        *mst_hash_map_add(&map, mst_key_number(UINT64_MAX - i)) = 200 + i;
    assert_int_equal(map.count, 16);
    for (uint32_t i = 0; i < 8; i++) {
        char copy[20]; /* the bytes decide, not their address */
        snprintf(copy, sizeof copy, "%sX", texts[i]);
        assert_int_equal(*mst_hash_map_find(&map, mst_key_bytes(copy, strlen(texts[i]))), 100 + i);
        assert_int_equal(*mst_hash_map_find(&map, mst_key_number(UINT64_MAX - i)), 200 + i);
    }
    assert_null(mst_hash_map_find(&map, mst_key_number(8)));
    assert_null(mst_hash_map_find(&map, mst_key_text("abcdefg")));
    assert_null(mst_hash_map_find(&map, mst_key_bytes("ab\0", 3)));
    assert_int_equal(*mst_hash_map_add(&map, mst_key_text("ab")), 103); /* is kept */
    mst_hash_map_entry key = mst_key_number(8);
    key.value = 7;
    assert_int_equal(*mst_hash_map_add(&map, key), 7);
    mst_hash_map_end(&map);
    assert_int_equal(map.count, 0);
    assert_null(mst_hash_map_find(&map, mst_key_text("ab")));
}

/* The entries are in the order of their insertion, and growing loses none. */
static void order(void **state) {
    (void)state;
    enum { PRIME = 65537, COUNT = 100000 };
    static uint32_t times[PRIME];
    mst_hash_map map = {.count = 0};
    for (uint64_t i = 0; i < COUNT; i++) {
        uint32_t *value = mst_hash_map_add(&map, mst_key_number(i * i % PRIME));
        assert_non_null(value);
        ++*value;
        times[i * i % PRIME]++;
    }
    assert_int_equal(map.count, PRIME / 2 + 1); /* the squares */
    for (uint64_t i = 0; i < map.count; i++) {
        assert_int_equal(map.entries[i].key.number, i * i % PRIME);
        assert_int_equal(map.entries[i].value, times[i * i % PRIME]);
    }
    mst_hash_map_end(&map);
}

/* The longest run of occupied slots, which bounds the time of a search. */
static size_t longest_run(const mst_hash_map *map) {
    size_t run = 0, longest = 0;
    for (size_t i = 0; i < 2 * map->capacity; i++) {
        run = map->slots[i] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* The number whose product with the constant that map.c multiplies by is 1. */
static uint64_t inverse(void) {
    uint64_t constant = UINT64_C(0x9E3779B97F4A7C15), x = constant;
    for (int i = 0; i < 6; i++)
        x *= 2 - constant * x;
    return x;
}

/* Keys that differ in few bits, or whose products do: none of them makes the map slow. */
static void chosen_keys(void **state) {
    (void)state;
    enum { COUNT = 1 << 15 };
    for (unsigned kind = 0; kind < 6; kind++) {
        mst_hash_map map = {.count = 0};
        static uint64_t words[COUNT][2];
        for (uint64_t i = 0; i < COUNT; i++) {
            uint64_t number = kind == 0   ? i
                              : kind == 1 ? i << 16
                              : kind == 2 ? i << 32
                              : kind == 3 ? i << 49
                                          : (i << 40) * inverse();
            words[i][0] = number, words[i][1] = ~number;
            assert_non_null(mst_hash_map_add(&map, kind == 5 ? mst_key_bytes(words[i], sizeof words[i])
                                                             : mst_key_number(number)));
        }
        assert_int_equal(map.count, COUNT);
        assert_in_range(longest_run(&map), 1, 200); /* at random: about 40 */
        mst_hash_map_end(&map);
    }
}

static void no_memory(void **state) {
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        counted memory = {.fail_at = fail_at, .for_good = true};
        mst_hash_map map = {.allocator = counted_allocator(&memory)};
        uint64_t i = 0;
        while (i < 1000 && mst_hash_map_add(&map, mst_key_number(i)))
            i++;
        assert_int_equal(i == 1000, !memory.failed);
        assert_int_equal(map.count, i); /* the previous entries are still present */
        for (uint64_t k = 0; k < 1000; k++)
            assert_int_equal(mst_hash_map_find(&map, mst_key_number(k)) != NULL, k < i);
        mst_hash_map_end(&map);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        if (!memory.failed)
            return;
    }
}

static void reserve(void **state) {
    (void)state;
    counted memory = {0};
    mst_arena arena;
    mst_allocator allocator = counted_allocator(&memory);
    mst_arena_begin(&arena, &allocator, 0);
    mst_hash_map map = {.allocator = mst_arena_allocator(&arena)};
    assert_true(mst_hash_map_reserve(&map, 1000));
    assert_int_equal(map.capacity, 1024);
    size_t calls = memory.calls;
    for (uint64_t i = 0; i < 1024; i++)
        assert_non_null(mst_hash_map_add(&map, mst_key_number(i)));
    assert_int_equal(memory.calls, calls);
    assert_non_null(mst_hash_map_add(&map, mst_key_number(1024)));
    assert_int_equal(map.capacity, 2048);
    assert_false(mst_hash_map_reserve(&map, SIZE_MAX));
    assert_int_equal(map.count, 1025);
    mst_arena_end(&arena); /* has the map's memory, which need not be freed */
    assert_int_equal(memory.blocks, 0);
}

int test_map(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_bytes), cmocka_unit_test(order),   cmocka_unit_test(chosen_keys),
        cmocka_unit_test(no_memory),         cmocka_unit_test(reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
