/* SPDX-License-Identifier: MIT */
/* Plans of records with parts, and of records of any size. */
#include "../src/languages/reference.h"
#include "own_format.h"

/* ---- plans -------------------------------------------------------------------------------------- */

/* The sizes stored in a record determine the ends of its first and last part, or contradict each other. */
static void places_of_parts(void **state) {
    (void)state;
    enum { WHOLE = MST_FIELD_SIZE, FIRST = MST_FIELD_SIZE_FIRST, LAST = MST_FIELD_SIZE_LAST };
    static const struct {
        uint32_t has;
        uint64_t sizes[3], offset, end;
        bool good;
        uint64_t first_end, last_end;
    } cases[] = {
        {WHOLE, {10, 0, 0}, 5, 15, true, 15, 15},
        {WHOLE, {10, 0, 0}, 5, 14, false, 0, 0},
        {WHOLE, {UINT64_MAX, 0, 0}, 5, 15, false, 0, 0},
        {WHOLE | FIRST, {10, 4, 0}, 5, 15, true, 9, 15},
        {WHOLE | FIRST, {10, 11, 0}, 5, 50, false, 0, 0},
        {WHOLE | LAST, {10, 0, 4}, 5, 15, true, 11, 15},
        {WHOLE | LAST, {10, 0, 11}, 5, 50, false, 0, 0},
        {FIRST, {0, 4, 0}, 5, 15, true, 9, 9},
        {FIRST | LAST, {0, 4, 3}, 5, 15, true, 9, 12},
        {FIRST | LAST, {0, 4, 7}, 5, 15, false, 0, 0},
        {FIRST | LAST, {0, 4, UINT64_MAX - 2}, 5, 15, false, 0, 0},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_plan plan = {.sizes = cases[i].has};
        uint64_t first = 0, last = 0;
        assert_int_equal(mst_split_parts(&plan, cases[i].sizes, cases[i].offset, cases[i].end, &first, &last),
                         cases[i].good);
        if (cases[i].good)
            assert_true(first == cases[i].first_end && last == cases[i].last_end);
    }
    /* the stored number, in units, minus the preceding bytes that it counts */
    mst_field field = {.kind = MST_KIND_U64, .size_scale = 4, .size_bias = 8};
    assert_true(mst_size_covered(&field, 5) == 12);
    assert_true(mst_size_covered(&field, 2) == 0);
    assert_true(mst_size_covered(&field, 1) == UINT64_MAX);
    assert_true(mst_size_covered(&field, UINT64_MAX) == UINT64_MAX);
    static const mst_variant variants[] = {{1, false, 0}, {2, false, 0}, {1, true, 0}, {1, false, 1}};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            assert_int_equal(mst_same_variant(variants[a], variants[b]), a == b);
}

/* Records of more bytes than a plan can represent are processed field by field. */
static void huge_records(void **state) {
    (void)state;
    static const mst_field half[] = {
        {.name = "a", .kind = MST_KIND_U32, .mode = MST_COUNT_FIXED, .count = 0x3FFFFFFF},
        {.name = "b", .kind = MST_KIND_U32, .mode = MST_COUNT_FIXED, .count = 0x3FFFFFFF},
        {.name = "c", .kind = MST_KIND_U8},
    };
    static const mst_record halves = {.name = "halves", .index = 0, TABLE(half)};
    static const mst_field over[] = {
        {.name = "a", .kind = MST_KIND_U64, .mode = MST_COUNT_FIXED, .count = 0x40000000}};
    static const mst_record more = {.name = "more", .index = 1, TABLE(over)};
    static const mst_record *const list[] = {&halves, &more};
    static const mst_format format = {FORMAT(halves, list)};
    mst_arena arena;
    const mst_plan *plans;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_plans_compile(&format, (mst_variant){0, false, 0}, &arena, &plans), NULL);
    assert_int_equal(plans[0].stride, 0);
    assert_int_equal(plans[0].minimum, UINT32_MAX);
    assert_int_equal(plans[0].fields[0].size, 0xFFFFFFFC);
    assert_int_equal(plans[0].runs[0].size, 0xFFFFFFFC); /* the two do not fit into one run */
    assert_int_equal(plans[0].runs[0].next, 1);
    assert_int_equal(plans[0].fields[1].offset, 0xFFFFFFFC);
    assert_int_equal(plans[0].fields[2].offset, UINT32_MAX);
    assert_int_equal(plans[1].stride, 0);
    assert_int_equal(plans[1].minimum, UINT32_MAX);
    assert_int_equal(plans[1].fields[0].size, 0);
    mst_arena_end(&arena);
    mst_document *d;
    mst_diagnostic why;
    assert_int_equal(open_in(&format, false, "abcdefg", 7, &d, &why), MST_DAMAGED);
    assert_string_equal(why.path, "a");
    assert_string_equal(why.code, "T-OVERRUN");
}

/* A place is fixed if it is the same in all layouts of the format. */
static void places_in_layouts(void **state) {
    (void)state;
    enum { FIRST, SECOND, LAYOUTS };
    static const char *const names[] = {"first", "second"};
    static const mst_field fields[] = {
        {.name = "a", .kind = MST_KIND_U32, .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, FIRST}}},
        {.name = "b", .kind = MST_KIND_F32, .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, SECOND}}},
        {.name = "c", .kind = MST_KIND_U8, .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, SECOND}}},
        {.name = "d", .kind = MST_KIND_U8},
    };
    static const mst_field same[] = {
        {.name = "a", .kind = MST_KIND_U32, .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, FIRST}}},
        {.name = "b", .kind = MST_KIND_F32, .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, SECOND}}},
        {.name = "c", .kind = MST_KIND_U8},
    };
    static const mst_record one = {.name = "one", .index = 0, TABLE(fields)};
    static const mst_record other = {.name = "other", .index = 1, TABLE(same)};
    static const mst_record *const list[] = {&one, &other};
    mst_format format = {FORMAT(one, list)};
    format.identity.layouts = names;
    format.identity.layout_count = LAYOUTS;
    uint32_t offset = 1;
    assert_true(mst_reference_fixed(&format, &one, 0, &offset) && offset == 0);
    assert_true(mst_reference_fixed(&format, &one, 2, &offset) && offset == 4);
    assert_false(mst_reference_fixed(&format, &one, 3, &offset));
    assert_true(mst_reference_fixed(&format, &other, 2, &offset) && offset == 4);
}

int test_plans(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_in_layouts),
        cmocka_unit_test(places_of_parts),
        cmocka_unit_test(huge_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
