/* SPDX-License-Identifier: MIT */
/* Counts that are products, padding to a multiple, and lists that end before a mark. */
#include "own_format.h"

/* ---- counts ------------------------------------------------------------------------------------- */

enum { R_WIDTH = 1, R_HEIGHT };

static const mst_field grid_fields[] = {
    {.name = "width", .kind = MST_KIND_U16, BIND(R_WIDTH)},
    {.name = "height", .kind = MST_KIND_U16, BIND(R_HEIGHT)},
    {.name = "cells",
     .kind = MST_KIND_U16,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = R_WIDTH,
     .count = R_HEIGHT},
};

static const mst_record grid = {.name = "grid", .index = 0, TABLE(grid_fields)};
static const mst_record *const grid_records[] = {&grid};
static const mst_format grid_format = {FORMAT(grid, grid_records)};

static void products(void **state) {
    (void)state;
    static const uint16_t sizes[][2] = {{0, 0}, {0, 65535}, {1, 1}, {3, 2}, {7, 5}};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        writer w = {0};
        at(&w, "width"), put_u16(&w, sizes[i][0]);
        at(&w, "height"), put_u16(&w, sizes[i][1]);
        for (unsigned c = 0; c < (unsigned)sizes[i][0] * sizes[i][1]; c++)
            at(&w, "cells[%u]", c), put_u16(&w, (uint16_t)(c * 3));
        mst_document *d = open_own(&grid_format, &w);
        assert_marks(d, &w);
        assert_survives(d);
        assert_int_equal(count_at(d, "cells"), (uint64_t)sizes[i][0] * sizes[i][1]);
        if (sizes[i][0] == 3) { /* as many as the grid's cells */
            MUST(mst_set(d, "cells", "[1,2,3,4,5,6]", &why), &why);
            assert_true(mst_set(d, "cells", "[1,2,3,4,5]", &why) != MST_OK);
            assert_true(mst_set(d, "width", "2", &why) != MST_OK);
            assert_int_equal(mst_remove(d, "cells[0]", &why), MST_REFUSED);
            assert_int_equal(mst_insert(d, "cells[0]", "1", &why), MST_REFUSED);
            assert_int_equal(count_at(d, "cells"), 6);
        }
        mst_close(d);
        every_beginning(&grid_format, &w);
        every_byte(&grid_format, &w);
        writer_free(&w);
    }
    /* more than 32 bits can count */
    writer w = {0};
    put_u32(&w, UINT32_MAX);
    mst_document *d;
    assert_int_equal(try_as(&grid_format, &w, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-COUNT");
    assert_string_equal(why.path, "cells");
    assert_int_equal(why.offset, 4);
    writer_free(&w);
}

static const mst_field padded_fields[] = {
    {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "padding", .kind = MST_KIND_RAW, .mode = MST_COUNT_ALIGN, .count = 4},
    {.name = "number", .kind = MST_KIND_U32},
    {.name = "more", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "end", .kind = MST_KIND_RAW, .mode = MST_COUNT_ALIGN, .count = 8},
};

static const mst_record padded = {.name = "padded", .index = 0, TABLE(padded_fields)};
static const mst_record *const padded_records[] = {&padded};
static const mst_format padded_format = {FORMAT(padded, padded_records)};

static void alignment(void **state) {
    (void)state;
    static const char letters[] = "abcdefghi";
    for (unsigned length = 0; length < 9; length++)
        for (int odd = 0; odd < 2; odd++) {
            writer w = {0};
            put_u8(&w, (uint8_t)length), put_bytes_of(&w, letters, length);
            size_t padding = (4 - w.size % 4) % 4;
            at(&w, "padding"), put_bytes_of(&w, odd ? "xyz" : "\0\0\0", padding);
            at(&w, "number"), put_u32(&w, 77);
            put_u8(&w, (uint8_t)length), put_bytes_of(&w, letters, length);
            put_bytes_of(&w, "\0\0\0\0\0\0\0", (8 - w.size % 8) % 8);
            mst_document *d = open_own(&padded_format, &w);
            assert_marks(d, &w);
            assert_survives(d);
            mst_value root = mst_root(d);
            char *text = json_of(&root, 1);
            assert_int_equal(strstr(text, "padding") != NULL, odd && padding);
            assert_null(strstr(text, "end"));
            free(text);
            mst_ledger ledger;
            MUST(mst_byte_coverage(d, &ledger, NULL), NULL);
            assert_true(ledger.bytes[MST_BYTES_PADDING] >= padding);
            mst_close(d);
            every_beginning(&padded_format, &w);
            writer_free(&w);
        }
}

/* ---- lists until a mark ------------------------------------------------------------------------- */

static bool is_mark(const uint8_t *bytes, bool big) {
    return mst_load16(bytes, big) == 0xFFFF;
}

static bool is_negative(const uint8_t *bytes, bool big) {
    return (int16_t)mst_load16(bytes + 1, big) < 0;
}

enum { I_LISTS, I_PAIR };

static const mst_field pair_fields[] = {{.name = "a", .kind = MST_KIND_U8},
                                        {.name = "b", .kind = MST_KIND_I16}};

static const mst_record pair = {.name = "pair", .index = I_PAIR, TABLE(pair_fields)};

static const mst_field numbers_fields[] = {
    {.name = "numbers", .kind = MST_KIND_U16, .mode = MST_COUNT_SENTINEL, .ends = is_mark},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};

static const mst_record numbers = {.name = "numbers", .index = 0, TABLE(numbers_fields)};
static const mst_record *const numbers_records[] = {&numbers};
static const mst_format numbers_format = {FORMAT(numbers, numbers_records)};

static const mst_field pairs_fields[] = {
    {.name = "pairs",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_SENTINEL,
     .ends = is_negative,
     .record = &pair},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};

static const mst_record pairs = {.name = "pairs", .index = I_LISTS, TABLE(pairs_fields)};
static const mst_record *const pairs_records[] = {&pairs, &pair};
static const mst_format pairs_format = {FORMAT(pairs, pairs_records)};

static const mst_field fitting_fields[] = {
    {.name = "pairs", .kind = MST_KIND_RECORD, .mode = MST_COUNT_SENTINEL, .record = &pair},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};

static const mst_record fitting = {.name = "pairs", .index = I_LISTS, TABLE(fitting_fields)};
static const mst_record *const fitting_records[] = {&fitting, &pair};
static const mst_format fitting_format = {FORMAT(fitting, fitting_records)};

static void marks_end_numbers(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++)
        for (unsigned count = 0; count < 4; count++)
            for (unsigned after = 0; after < 6; after++) { /* 0: no mark, 1: an odd byte */
                writer w = {.big = big};
                for (unsigned i = 0; i < count; i++) {
                    char path[32];
                    snprintf(path, sizeof path, "numbers[%u]", i);
                    at(&w, "%s", path), put_u16(&w, (uint16_t)(0xFF00 + i));
                }
                static const uint8_t tail[] = {0xFF, 0xFF, 1, 0xFF, 2};
                if (after)
                    at(&w, "tail"), put_bytes_of(&w, tail, after);
                mst_document *d = open_own(&numbers_format, &w);
                assert_marks(d, &w);
                assert_int_equal(count_at(d, "numbers"), count);
                assert_survives(d);
                if (count && after) {
                    mst_diagnostic why;
                    writer now = {.big = big};
                    MUST(mst_insert(d, "numbers[0]", "77", &why), &why);
                    char last[32];
                    snprintf(last, sizeof last, "numbers[%u]", count);
                    MUST(mst_remove(d, last, &why), &why);
                    put_u16(&now, 77);
                    for (unsigned i = 0; i + 1 < count; i++)
                        put_u16(&now, (uint16_t)(0xFF00 + i));
                    put_bytes_of(&now, tail, after);
                    assert_same_bytes(d, now.data, now.size);
                    /* a number that would end the list is not an element */
                    assert_int_equal(mst_set(d, "numbers[0]", "65535", &why), MST_REFUSED);
                    assert_same_bytes(d, now.data, now.size);
                    writer_free(&now);
                }
                mst_close(d);
                every_byte(&numbers_format, &w);
                every_beginning(&numbers_format, &w);
                writer_free(&w);
            }
}

static void marks_end_records(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++)
        for (unsigned count = 0; count < 4; count++)
            for (unsigned after = 0; after < 6; after++) {
                writer w = {.big = big};
                for (unsigned i = 0; i < count; i++) {
                    char path[32];
                    snprintf(path, sizeof path, "pairs[%u]", i);
                    at(&w, "%s.a", path), put_u8(&w, 0xFF);
                    at(&w, "%s.b", path), put_u16(&w, (uint16_t)(0x7FFF - i));
                }
                static const uint8_t tail[] = {0x01, 0xFF, 0xFF, 1, 2};
                if (after)
                    put_bytes_of(&w, tail, after);
                mst_document *d = open_own(&pairs_format, &w);
                assert_marks(d, &w);
                assert_int_equal(count_at(d, "pairs"), count);
                assert_int_equal(has(d, "tail"), true);
                assert_survives(d);
                mst_close(d);
                every_byte(&pairs_format, &w);
                every_beginning(&pairs_format, &w);
                /* without a mark it is as many as fit */
                d = open_own(&fitting_format, &w);
                assert_int_equal(count_at(d, "pairs"), (3 * count + after) / 3);
                assert_survives(d);
                mst_close(d);
                every_byte(&fitting_format, &w);
                every_beginning(&fitting_format, &w);
                writer_free(&w);
            }
}

int test_counts(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(alignment),
        cmocka_unit_test(marks_end_numbers),
        cmocka_unit_test(marks_end_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
