/* SPDX-License-Identifier: MIT */
/* Banks of textures: a table of entries and the file that it points into. */
#define _XOPEN_SOURCE 700
#include "../src/edit/single_edit.h"
#include "sfa_entries.h"

/* ---- texture banks ------------------------------------------------------------------------------ */

static void banks_come_out_as_they_went_in(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    assert_two(&t, "sfa-textures");
    mst_document *document = must_open_two(&t);
    assert_nothing(document, NULL);
    assert_false(json_has(document, "\"original"));
    assert_int_equal(count_of(document, "textures"), COUNT);
    assert_int_equal(count_of(document, "textures[4].frames"), 2);
    assert_int_equal(number_of(document, "textures[2].frames[0].width"), 8);
    mst_close(document);
    assert_alone(&t);
    random_state random = {5};
    assert_pair_survives(&t, &random, 300);
    two_free(&t);
}

/* The pictures' data of entries that are not edited. */
static void assert_same_data(const mst_document *one, const mst_document *other, unsigned without) {
    for (unsigned i = 0; i < COUNT; i++) {
        char path[64];
        mst_value a, b;
        const void *x, *y;
        size_t n, m;
        snprintf(path, sizeof path, "textures[%u].frames[0].data", i);
        if (i == without || mst_find(mst_root(one), path, &a, NULL) != MST_OK)
            continue;
        MUST(mst_find(mst_root(other), path, &b, NULL), NULL);
        MUST(mst_get_bytes(&a, &x, &n), NULL);
        MUST(mst_get_bytes(&b, &y, &m), NULL);
        assert_int_equal(n, m);
        assert_memory_equal(x, y, n);
    }
}

static void odd_banks_are_kept_and_can_be_edited(void **state) {
    (void)state;
    needs_packing();
    for (odd how = 0; how < ODDS; how++) {
        two t = make_odd(how);
        assert_two(&t, "sfa-textures");
        mst_document *document = must_open_two(&t), *again;
        mst_document *before = must_open_two(&t);
        if (json_has(document, "\"original_bin\"") !=
            (how != GAP && how != WRONG_SUM && how != NO_SUM && how != CLOSING))
            print_error("layout %d\n", (int)how);
        assert_int_equal(json_has(document, "\"original_bin\""),
                         how != GAP && how != WRONG_SUM && how != NO_SUM && how != CLOSING);
        must_set(document, "textures[5].frames[0].usage", "3");
        assert_round_trips(document);
        two made = two_of(document, &t);
        again = must_open_two(&made);
        assert_int_equal(number_of(again, "textures[5].frames[0].usage"), 3);
        assert_same_data(before, again, 5);
        assert_two(&made, "sfa-textures");
        mst_close(again);
        mst_close(before);
        mst_close(document);
        two_free(&made);
        two_free(&t);
    }
}

static void banks_are_edited(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    mst_value value;
    /* a complete record, as in its JSON */
    mst_buffer text = {0};
    MUST(mst_find(mst_root(document), "textures[0]", &value, &why), &why);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), &why), &why);
    mst_sink sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    must_set(document, "textures[0]", (const char *)text.data);
    assert_files(document, &t);
    char end[40];
    snprintf(end, sizeof end, "textures[%d]", COUNT);
    assert_int_equal(mst_insert(document, "textures[1]", (const char *)text.data, &why), MST_REFUSED);
    MUST(mst_insert(document, end, (const char *)text.data, &why), &why);
    assert_int_equal(count_of(document, "textures"), COUNT + 1);
    assert_int_equal(mst_remove(document, "textures[1]", &why), MST_REFUSED); /* others reference blocks */
    MUST(mst_remove(document, end, &why), &why);
    assert_files(document, &t);
    mst_buffer_free(&text);
    /* the table states the number of frames */
    MUST(mst_find(mst_root(document), "textures[0].frames[0]", &value, &why), &why);
    MUST(mst_write_json(&value, NULL, mst_buffer_sink(&text), &why), &why);
    sink = mst_buffer_sink(&text);
    MUST(sink.write(sink.user, "", 1), NULL);
    MUST(mst_insert(document, "textures[0].frames[1]", (const char *)text.data, &why), &why);
    assert_int_equal(number_of(document, "textures[0].flags"), 0x82);
    MUST(mst_remove(document, "textures[0].frames[0]", &why), &why);
    assert_int_equal(number_of(document, "textures[0].flags"), 0x81);
    assert_files(document, &t);
    mst_buffer_free(&text);
    MUST(mst_remove(document, "textures[4].frames[0]", &why), &why);
    assert_int_equal(number_of(document, "textures[4].flags"), 0x81);
    assert_round_trips(document);
    /* values that the table cannot store */
    two kept = two_of(document, &t);
    assert_int_equal(mst_set(document, "textures[0].flags", "1", &why), MST_REFUSED);
    assert_string_equal(why.path, "textures[0]");
    assert_int_equal(mst_set(document, "textures[0].flags", "131", &why), MST_REFUSED);
    assert_int_equal(mst_set(document, "textures[1].word", "2164260864", &why), MST_REFUSED);
    assert_int_equal(mst_set(document, "textures[1].word", "4294967295", &why), MST_REFUSED);
    assert_int_equal(mst_set(document, "textures[0].frames", "[]", &why), MST_REFUSED);
    assert_string_equal(why.path, "textures[0]");
    assert_int_equal(mst_set(document, "textures[0].frames[0].format", "7", &why), MST_REFUSED);
    assert_string_equal(why.code, "SFA-TEXTURE");
    assert_int_equal(mst_set(document, "textures[0].frames[0].original", "\"00\"", &why), MST_REFUSED);
    assert_files(document, &kept);
    two_free(&kept);
    mst_close(document);
    two_free(&t);
}

/* ---- findings ----------------------------------------------------------------------------------- */

static void each_fault_is_said_once(void **state) {
    (void)state;
    needs_packing();
    static const struct {
        bool table;
        unsigned entry; /* `at` counts from it */
        size_t at;
        uint8_t flip;
        const char *code, *path;
    } cases[] = {
        {false, 0, 40, 0x10, "SFA-ZLB", "textures[0].frames[0]"},
        {false, 0, 12, 0x80, "SFA-ZLB", "textures[0].frames[0]"},
        {false, 3, 15, 1, "SFA-DIR-SIZE", "textures[3].frames[0]"},
        {false, 3, 0x20 + 0x16, 14 ^ 7, "SFA-TEXTURE", "textures[3].frames[0].format"},
        {false, 3, 0x20 + 0x0B, 8, "SFA-TEXTURE", "textures[3].frames[0].width"},
        {false, 3, 0x20 + 0x0D, 8, "SFA-TEXTURE", "textures[3].frames[0].height"},
        {false, 3, 0x20 + 0x0C, 8, "SFA-TEXTURE", "textures[3].frames[0].data"},
        {false, 3, 0x20 + 0x1D, 3, "SFA-TEXTURE-LEVELS", "textures[3].frames[0].max_lod"},
        {false, 3, 0x20 + 0x50, 1, "SFA-TEXTURE-ALPHA", "textures[3].frames[0].alpha_image_offset"},
        {true, 0, 35, 1, "SFA-TAB-SUM", "sum_stored"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        two t = make_bank();
        (cases[i].table ? t.tab.data : t.bin.data + entry_at[cases[i].entry])[cases[i].at] ^= cases[i].flip;
        mst_document *document = must_open_two(&t);
        assert_one(document, NULL, cases[i].code, cases[i].path);
        if (strncmp(cases[i].code, "SFA-TEXTURE-", 12) == 0) { /* it is at the changed byte */
            findings list = {0};
            MUST(mst_check(document, NULL, collect, &list, NULL, NULL), NULL);
            assert_int_equal(list.items[0].offset, entry_at[cases[i].entry] + cases[i].at);
            findings_free(&list);
        }
        assert_files(document, &t);
        mst_close(document);
        two_free(&t);
    }
    for (int i = 0; i < 2; i++) {
        two t = make_bank();
        if (i)
            t.tab.data[21] = 0xFF; /* far after the end */
        else
            t.tab.data[28] = 0; /* no end mark */
        mst_document *document;
        mst_diagnostic why;
        assert_int_equal(open_two(&t, false, &document, &why), MST_DAMAGED);
        assert_string_equal(why.code, "SFA-TAB");
        assert_string_equal(why.path, i ? "textures[5]" : "");
        two_free(&t);
    }
}

/* ---- bounds ------------------------------------------------------------------------------------- */

static void many_entries_at_one_place(void **state) {
    (void)state;
    needs_packing();
    random_state random = {9};
    for (int how = 0; how < 3; how++) {
        two t = {.bin_name = "TEX1.bin", .tab_name = "TEX1.tab"};
        t.bin.big = t.tab.big = true;
        if (how == 1) {
            writer texture = make_texture(RGBA8, 32, 32, 0, 4096, 1);
            put_entry(&t.bin, &texture, ZLB);
            writer_free(&texture);
        }
        for (size_t i = 0; i < (how == 2 ? 1u << 12 : 1u << 20); i++)
            put_u8(&t.bin, (uint8_t)random_next(&random));
        for (unsigned i = 0; i < 100000; i++)
            put_u32(&t.tab, 0x81000000);
        put_u32(&t.tab, (uint32_t)(t.bin.size / 2));
        end_table(&t, 100001);
        mst_status status = open_bounded(&t, NULL, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        two_free(&t);
    }
}

/* ---- forms ---------------------------------------------------------------------------------------- */

/* Entries that share their bytes would, written separately, be too large for the table's offsets. */
static void shared_entries_may_be_too_many(void **state) {
    (void)state;
    needs_packing();
    if (sample_step() > 1)
        skip();
    two t = {.bin_name = "VOXMAP.bin", .tab_name = "VOXMAP.tab"};
    t.bin.big = t.tab.big = true;
    put_u32(&t.bin, 0xF0F0F0F0); /* an unknown wrapper */
    put_zeros(&t.bin, (2u << 20) - 4);
    for (unsigned i = 0; i < 9; i++)
        put_u32(&t.tab, 0x10000000);
    put_u32(&t.tab, MARK);
    put_aligned(&t.tab, 0, 32);
    mst_document *document = must_open_two(&t);
    mst_diagnostic why;
    assert_files(document, &t);
    assert_encodes(document);
    assert_int_equal(mst_set(document, "entries[8].flags", "48", &why), MST_REFUSED);
    assert_string_equal(why.path, "entries[8]");
    assert_string_equal(why.message, "the bank becomes too large for the offsets in its table");
    assert_files(document, &t);
    /* with one fewer, it is written as usual */
    MUST(mst_edit_remove(document, "entries[8]", &why), &why);
    size_t size;
    const uint8_t *table = mst_document_file(document, 1, NULL, &size);
    assert_int_equal(size, 64);
    assert_int_equal(mst_load32(table + 28, true), 0x10000000 | 7u << 21);
    mst_document_file(document, 0, NULL, &size);
    assert_int_equal(size, 8u << 21);
    mst_close(document);
    two_free(&t);
}

int test_sfa_banks(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks_come_out_as_they_went_in),
        cmocka_unit_test(odd_banks_are_kept_and_can_be_edited),
        cmocka_unit_test(banks_are_edited),
        cmocka_unit_test(shared_entries_may_be_too_many),
        cmocka_unit_test(each_fault_is_said_once),
        cmocka_unit_test(many_entries_at_one_place),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
