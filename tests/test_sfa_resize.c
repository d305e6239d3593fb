/* SPDX-License-Identifier: MIT */
/* Maps of other sizes: afterwards MAPS.bin and MAPS.tab are as if the map had been created with that size. */
#include <mapstone/edit.h>

#include "sfa_maps.h"

#define SIDE 24

/* The cell, and the tag of its rectangles, at a column and row of the map; NEW: of a new cell. */
#define NEW          CELL(255, 0, 127)
#define SHOWN(c, r)  CELL(5, (c) + 8u * (r), 127)
#define TAG(c, r)    (0x77770000u | (c) << 8 | (r))
#define RECTS_OF_NEW 0x77777777u

/* Three maps: one of `columns` x `rows` cells around a part of `old_columns` x `old_rows` with blocks. */
static two make(uint32_t columns, uint32_t rows, uint32_t old_columns, uint32_t old_rows,
                uint32_t empty_from) {
    two t = begin_maps();
    writer *b = &t.bin, *tab = &t.tab;
    const plan other = {.columns = 2, .rows = 1, .layer_rows = 1};
    put_map(&t, &other);
    put_aligned(b, 16);
    put_u32(tab, (uint32_t)b->size);
    put_u16(b, (uint16_t)columns);
    put_u16(b, (uint16_t)rows);
    put_u16(b, 1);
    put_zeros(b, 0x38 - 6);
    put_u32(tab, (uint32_t)b->size);
    for (uint32_t i = 0; i < columns * rows; i++) {
        uint32_t c = i % columns, r = i / columns;
        bool old = c < old_columns && r < old_rows;
        put_u32(b, !old ? NEW : c >= empty_from ? CELL(255, c, 3) : SHOWN(c, r));
    }
    for (unsigned list = 0; list < 2; list++) {
        put_u32(tab, (uint32_t)b->size);
        for (uint32_t i = 0; i < columns * rows; i++) {
            uint32_t c = i % columns, r = i / columns;
            bool old = c < old_columns && r < old_rows;
            put_u32(b, old ? TAG(c, r) : RECTS_OF_NEW);
            put_u32(b, old ? TAG(c, r) + list : RECTS_OF_NEW);
        }
    }
    for (unsigned list = 0; list < 2; list++)
        put_u32(tab, (uint32_t)b->size);
    put_u32(tab, (uint32_t)b->size);
    put_stub(&t, 7, 32);
    put_stub_map(&t);
    end_maps(&t);
    return t;
}

typedef struct said {
    char text[2000];
    mst_status answer;
} said;

static mst_status hear(void *user, const mst_diagnostic *line) {
    said *all = user;
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length, "%s: %s\n", line->path, line->message);
    return all->answer;
}

static mst_status resize(mst_document *document, const char *path, unsigned number, bool cascade, said *all,
                         mst_diagnostic *why) {
    char text[20];
    snprintf(text, sizeof text, "%u", number);
    const mst_operation one = {.kind = MST_OPERATION_SET, .path = path, .value = text};
    const mst_edit_options options = {
        .size = sizeof options, .cascade = cascade, .report = hear, .user = all};
    return mst_edit(document, &one, 1, &options, why);
}

static void test_grow_and_shrink(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {3, 2}, {4, 5}, {7, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t more = 0; more < 4; more++) {
            uint32_t columns = sizes[i][0], rows = sizes[i][1];
            two before = make(columns, rows, columns, rows, SIDE),
                wider = make(columns + more, rows, columns, rows, SIDE),
                larger = make(columns + more, rows + 2, columns, rows, SIDE);
            mst_document *document = must_open_two(&before);
            mst_diagnostic why;
            said all = {.text = ""};
            MUST(resize(document, "maps[1].columns", columns + more, false, &all, &why), &why);
            assert_files(document, &wider);
            MUST(resize(document, "maps[1].rows", rows + 2, false, &all, &why), &why);
            assert_files(document, &larger);
            /* added cells may be removed */
            MUST(resize(document, "maps[1].columns", columns, false, &all, &why), &why);
            MUST(mst_set(document, "maps[1].rows",
                         rows == 1   ? "1"
                         : rows == 2 ? "2"
                         : rows == 5 ? "5"
                                     : "3",
                         &why),
                 &why);
            assert_files(document, &before);
            assert_string_equal(all.text, "");
            mst_close(document);
            two_free(&before);
            two_free(&wider);
            two_free(&larger);
        }
}

static void test_cells_that_go(void **state) {
    (void)state;
    two before = make(3, 2, 3, 2, SIDE), after = make(2, 2, 2, 2, SIDE);
    mst_document *document = must_open_two(&before);
    mst_diagnostic why;
    said all = {.text = ""};
    assert_int_equal(resize(document, "maps[1].columns", 2, false, &all, &why), MST_REFUSED);
    assert_string_equal(all.text, "maps[1].cells[2]: shows a block, and would be removed\n"
                                  "maps[1].cells[5]: shows a block, and would be removed\n");
    assert_string_equal(why.message, "cells that would be removed show blocks");
    assert_string_equal(why.path, "maps[1].cells");
    assert_int_equal(mst_set(document, "maps[1].columns", "2", NULL), MST_REFUSED);
    said stopping = {.answer = MST_STOPPED};
    assert_int_equal(resize(document, "maps[1].columns", 2, true, &stopping, NULL), MST_STOPPED);
    assert_files(document, &before);
    memset(&all, 0, sizeof all);
    MUST(resize(document, "maps[1].columns", 2, true, &all, &why), &why);
    assert_string_equal(all.text, "maps[1].cells[2]: also removed: the map is smaller\n"
                                  "maps[1].cells[5]: also removed: the map is smaller\n");
    assert_files(document, &after);
    mst_close(document);
    two_free(&before);
    two_free(&after);
    /* empty ones are simply removed */
    before = make(3, 2, 3, 2, 2);
    after = make(2, 2, 2, 2, 2);
    document = must_open_two(&before);
    MUST(mst_set(document, "maps[1].columns", "2", &why), &why);
    assert_files(document, &after);
    mst_close(document);
    two_free(&before);
    two_free(&after);
}

static void test_refused(void **state) {
    (void)state;
    two before = make(3, 2, 3, 2, SIDE), full = make(22, 24, 22, 24, 3);
    mst_document *document = must_open_two(&before);
    mst_diagnostic why;
    static const char *const values[] = {"0", "-1", "32768", "2x", "\"\""};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_int_not_equal(mst_set(document, "maps[1].columns", values[i], NULL), MST_OK);
    assert_int_equal(mst_set(document, "maps[1].columns", "257", &why), MST_REFUSED); /* 514 cells */
    assert_string_equal(why.expected, "at most 512");
    assert_int_equal(mst_set(document, "maps[2].columns", "2", NULL), MST_NO_PATH); /* no cells */
    assert_int_equal(mst_set(document, "maps[1].nonsense", "2", NULL), MST_NO_PATH);
    assert_files(document, &before);
    MUST(mst_set(document, "maps[1].columns", "3", &why), &why); /* unchanged */
    MUST(mst_set(document, "maps[1].origin_x", "1", &why), &why);
    assert_files(document, &before);
    MUST(mst_set(document, "maps[1].columns", "256", &why), &why);
    mst_close(document);
    two_free(&before);
    document = must_open_two(&full); /* 528 cells, like one map of the game */
    assert_int_equal(mst_set(document, "maps[1].columns", "23", NULL), MST_REFUSED);
    MUST(mst_set(document, "maps[1].columns", "21", &why), &why);
    mst_close(document);
    two_free(&full);
}

static void test_no_memory(void **state) {
    (void)state;
    two before = make(3, 2, 3, 2, SIDE), after = make(4, 2, 3, 2, SIDE);
    for (size_t n = 1;; n++) {
        counted c = {0};
        shelf beside = {.count = 0};
        shelf_put(&beside, before.tab_name, before.tab.data, before.tab.size);
        mst_resolver resolver = shelf_resolver(&beside);
        mst_open_options options = {.size = sizeof options,
                                    .name = before.bin_name,
                                    .sidecars = &resolver,
                                    .allocator = counted_allocator(&c)};
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_open_memory(before.bin.data, before.bin.size, &options, &document, &why), &why);
        c.fail_at = c.calls + n;
        mst_status status = mst_set(document, "maps[1].columns", "4", &why);
        c.fail_at = 0;
        if (status != MST_OK)
            assert_int_equal(status, MST_NO_MEMORY);
        assert_files(document, status == MST_OK ? &after : &before);
        mst_close(document);
        assert_int_equal(c.blocks, 0);
        if (!c.failed)
            break;
    }
    two_free(&before);
    two_free(&after);
}

int test_sfa_resize(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grow_and_shrink),
                                       cmocka_unit_test(test_cells_that_go), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
