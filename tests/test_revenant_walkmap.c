/* SPDX-License-Identifier: MIT */
/* Walkmaps of other sizes: afterwards the file is as if it had been written with that size. */
#include "revenant_model.h"
#include "sfa_pair.h"

/* Three states with walkmaps, of which the second has that size: the cell in column c and row r is 1 + c + 16
 * r if the old map had one. */
static writer make(unsigned columns, unsigned rows, unsigned old_columns, unsigned old_rows) {
    char cells[64] = {0};
    image_source s;
    assert_true(columns * rows < sizeof cells);
    for (unsigned i = 0; i < columns * rows; i++)
        if (i % columns < old_columns && i / columns < old_rows)
            cells[i] = (char)(1 + i % columns + 16 * (i / columns));
    image_begin(&s);
    image_state(&s, "still", 2, 2, 1, "\1\2");
    image_state(&s, "still", 2, columns, rows, columns && rows ? cells : NULL);
    image_state(&s, "still", 2, 1, 3, "\3\4\5");
    return image_finish(&s);
}

static mst_document *open_map(const writer *w) {
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w->data, w->size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i2d"}, &document,
                         &why),
         &why);
    return document;
}

static mst_status set_number(mst_document *d, const char *path, unsigned number, mst_diagnostic *why) {
    char json[16];
    snprintf(json, sizeof json, "%u", number);
    return mst_set(d, path, json, why);
}

static void grow_and_shrink(void **state) {
    (void)state;
    mst_diagnostic why;
    for (unsigned columns = 0; columns < 7; columns++)
        for (unsigned rows = columns ? 1 : 2; rows < (columns ? 6u : 3u); rows++) {
            writer before = make(4, 2, 4, 2), after = make(columns, rows, 4, 2);
            mst_document *d = open_map(&before);
            MUST(set_number(d, "states[1].walkmap_width", columns, &why), &why);
            MUST(set_number(d, "states[1].walkmap_length", rows, &why), &why);
            assert_same_bytes(d, after.data, after.size);
            assert_round_trips(d);
            mst_close(d);
            writer_free(&before);
            writer_free(&after);
        }
}

/* Sizes of missing walkmaps, and numbers that cannot be sizes. */
static void other_numbers(void **state) {
    (void)state;
    mst_diagnostic why;
    writer w = make(0, 4, 0, 0);
    mst_document *d = open_map(&w);
    MUST(mst_set(d, "states[1].walkmap_width", "2", &why), &why);
    MUST(mst_set(d, "states[1].walkmap", "\"0102030405060708\"", &why), &why);
    MUST(mst_set(d, "states[1].walkmap_height", "9", &why), &why);
    static const char *const refused[] = {"-1", "32768", "1.5", "true", "[1]", ""};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_not_equal(mst_set(d, "states[1].walkmap_width", refused[i], &why), MST_OK);
        assert_int_equal(number_of(d, "states[1].walkmap_width"), 2);
    }
    /* as large as a number can be, but not in both directions */
    MUST(mst_set(d, "states[1].walkmap_width", "32767", &why), &why);
    assert_int_equal(mst_set(d, "states[1].walkmap_length", "33", &why), MST_REFUSED);
    assert_string_equal(why.expected, "at most 1048576 cells");
    assert_int_equal(mst_set(d, "states[1].walkmap_length", "33", NULL), MST_REFUSED);
    assert_int_equal(mst_set(d, "states[9].walkmap_length", "3", &why), MST_NO_PATH);
    mst_close(d);
    writer_free(&w);
}

/* Those of models. */
static void models(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d;
    writer w = model_usual(&(model_plan){.flags = 0});
    MUST(mst_open_memory(w.data, w.size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"}, &d, &why),
         &why);
    MUST(set_number(d, "states[0].walkmap_length", 2, &why), &why);
    mst_value value;
    const void *cells;
    size_t size;
    MUST(mst_find(mst_root(d), "states[0].walkmap", &value, &why), &why);
    MUST(mst_get_bytes(&value, &cells, &size), &why);
    assert_int_equal(size, 4);
    assert_memory_equal(cells, "\1\2\0\0", 4);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

static void without_memory(void **state) {
    (void)state;
    writer w = make(4, 2, 4, 2), after = make(5, 2, 4, 2);
    for (size_t fail_at = 1;; fail_at++) {
        counted memory = {0};
        const mst_open_options options = {
            .size = sizeof options, .name = "a.i2d", .allocator = counted_allocator(&memory)};
        mst_document *d;
        mst_diagnostic why;
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        memory.for_good = true;
        mst_status status = set_number(d, "states[1].walkmap_width", 5, &why);
        bool failed = memory.failed;
        memory.fail_at = 0;
        assert_int_equal(status, failed ? MST_NO_MEMORY : MST_OK);
        assert_same_bytes(d, failed ? w.data : after.data, failed ? w.size : after.size);
        mst_close(d);
        assert_int_equal(memory.blocks, 0);
        if (!failed)
            break;
    }
    writer_free(&w);
    writer_free(&after);
}

int test_revenant_walkmap(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(grow_and_shrink), cmocka_unit_test(other_numbers),
                                       cmocka_unit_test(models), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
