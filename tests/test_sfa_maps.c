/* SPDX-License-Identifier: MIT */
/* The list of maps: reading, editing, odd layouts. */
#include "../src/formats/sfa/maps/maps.h"
#include "../src/formats/sfa/sfa.h"
#include "sfa_maps_document.h"
#include "sfa_parsed.h"

/* ---- maps by hand ------------------------------------------------------------------------------- */

#define RECTS_0 0x50u

/* ---- reading ------------------------------------------------------------------------------------ */

static void test_made(void **state) {
    (void)state;
    two t = make_maps();
    assert_two(&t, "sfa-maps");
    assert_alone(&t);
    mst_document *d = must_open_two(&t);
    assert_nothing(d, NULL);
    assert_int_equal(count_of(d, "maps"), 3);
    assert_int_equal(number_of(d, "maps[0].columns"), 3);
    assert_int_equal(number_of(d, "maps[0].rows"), 2);
    assert_int_equal(number_of(d, "maps[0].origin_x"), 1);
    assert_int_equal(number_of(d, "maps[2].origin_z"), -2);
    assert_int_equal(number_of(d, "maps[0].object_list_size"), 48);
    assert_int_equal(number_of(d, "maps[0].object_count"), 2);
    assert_int_equal(number_of(d, "maps[0].layer_row_count"), 1);
    assert_int_equal(count_of(d, "maps[0].cells"), 6);
    assert_int_equal(number_of(d, "maps[0].cells[2].mod"), 5);
    assert_int_equal(number_of(d, "maps[0].cells[2].sub"), 1);
    assert_int_equal(number_of(d, "maps[0].cells[2].layer_row"), 0);
    assert_int_equal(number_of(d, "maps[0].cells[1].mod"), 255);
    /* 0x6699F011: A is F 0 1 1, B is 6 6 9 9 */
    const int a[] = {8, -7, -6, -6}, b[] = {-1, -1, 2, 2};
    for (int i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "maps[0].cell_rects[0].a[%d]", i);
        assert_int_equal(number_of(d, path), a[i]);
        snprintf(path, sizeof path, "maps[0].cell_rects[0].b[%d]", i);
        assert_int_equal(number_of(d, path), b[i]);
        snprintf(path, sizeof path, "maps[0].cell_rects[0].c[%d]", i);
        assert_int_equal(number_of(d, path), 0);
    }
    /* the second list begins with 0x6699F012 */
    assert_int_equal(number_of(d, "maps[0].visible_cell_rects[0].a[3]"), -5);
    /* 0x77771234, 1235, 1236, 1237 */
    assert_int_equal(number_of(d, "maps[0].layer_rects[0].two_below.a[0]"), -6);
    assert_int_equal(number_of(d, "maps[0].layer_rects[0].two_below.a[3]"), -3);
    assert_int_equal(number_of(d, "maps[0].layer_rects[0].one_below.a[3]"), -2);
    assert_int_equal(number_of(d, "maps[0].layer_rects[0].one_above.a[3]"), -1);
    assert_int_equal(number_of(d, "maps[0].visible_layer_rects[0].two_above.a[3]"), 0);
    assert_int_equal(number_of(d, "maps[0].visible_layer_rects[0].two_above.b[3]"), 0);
    assert_int_equal(number_of(d, "maps[0].object_list.magic"), 0xFACEFEED);
    assert_int_equal(number_of(d, "maps[0].object_list.packed_size"), 96);
    assert_int_equal(number_of(d, "maps[1].object_list.unknown_14"), 0x1C);
    assert_int_equal(count_of(d, "maps[2].layer_rects"), 0);

    mst_sfa_maps_cursor cursor;
    mst_sfa_maps_open(d, &cursor);
    mst_sfa_map_view view;
    assert_true(mst_sfa_maps_next(&cursor, &view));
    assert_int_equal(view.form, MST_SFA_MAP_FULL);
    assert_int_equal(view.cell_count, 6);
    assert_int_equal(mst_count(&view.layer_rects), 1);
    mst_sfa_cell cell = mst_sfa_map_cell(&view, 2);
    assert_int_equal(cell.mod, 5);
    assert_int_equal(cell.sub, 1);
    assert_false(cell.junk);
    assert_true(mst_sfa_maps_next(&cursor, &view));
    assert_int_equal(view.form, MST_SFA_MAP_STUB_ONLY);
    assert_int_equal(view.cell_count, 0);
    assert_true(mst_sfa_maps_next(&cursor, &view));
    assert_int_equal(view.number, 2);
    assert_int_equal(view.origin_z, -2);
    assert_int_equal(view.stub.packed_size, 64);
    assert_false(mst_sfa_maps_next(&cursor, &view));
    mst_close(d);
    two_free(&t);
}

static void test_mini(void **state) {
    (void)state;
    two t = corpus_two("sfa/mini", "MAPS.bin", "MAPS.tab");
    assert_two(&t, "sfa-maps");
    char path[512];
    for (int by_table = 0; by_table < 2; by_table++) {
        mst_document *d;
        mst_diagnostic why;
        corpus_path(by_table ? "sfa/mini/MAPS.tab" : "sfa/mini/MAPS.bin", path, sizeof path);
        MUST(mst_open_file(path, NULL, &d, &why), &why);
        assert_files(d, &t);
        assert_string_equal(mst_document_name(d), "MAPS.bin");
        assert_int_equal(count_of(d, "maps"), 117);
        unsigned full = 0;
        mst_sfa_maps_cursor cursor;
        mst_sfa_maps_open(d, &cursor);
        for (mst_sfa_map_view view; mst_sfa_maps_next(&cursor, &view);) {
            assert_int_not_equal(view.form, MST_SFA_MAP_KEPT);
            full += view.form == MST_SFA_MAP_FULL;
        }
        assert_int_equal(full, 2);
        findings list = check_all(d, NULL);
        assert_int_equal(list.count, 2); /* the planted junk, and the row that it names */
        assert_int_equal(count_code(&list, "SFA-CELL-JUNK"), 1);
        assert_int_equal(count_code(&list, "SFA-CELL-LAYER"), 1);
        assert_string_equal(list.items[0].path, "maps[0].cells[3]");
        findings_free(&list);
        mst_close(d);
    }
    two_free(&t);
}

/* The first map of the retail file; its known data is followed only by its stub. */
static void test_retail_map(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/MAPS.map0.0000-0428.bin", &size);
    uint8_t *rows = corpus_read("sfa/samples/MAPS.tab.first0x100.bin", &size);
    two t = begin_maps();
    put_bytes_of(&t.bin, bytes, 0x428);
    put_bytes_of(&t.bin, bytes + 0x188, 0x6C8 - 0x428); /* in place of the visible rectangles */
    put_stub(&t, 0x628, 0x300);
    put_bytes_of(&t.tab, rows, ROW);
    end_maps(&t);
    assert_two(&t, "sfa-maps");
    mst_document *d = must_open_two(&t);
    assert_nothing(d, NULL);
    assert_int_equal(number_of(d, "maps[0].columns"), 12);
    assert_int_equal(number_of(d, "maps[0].rows"), 7);
    assert_int_equal(number_of(d, "maps[0].origin_x"), 6);
    assert_int_equal(number_of(d, "maps[0].origin_z"), 5);
    assert_int_equal(number_of(d, "maps[0].object_count"), 29);
    unsigned without_files = 0, own = 0;
    for (int i = 0; i < 84; i++) {
        char path[64];
        snprintf(path, sizeof path, "maps[0].cells[%d].mod", i);
        int64_t mod = number_of(d, path);
        without_files += mod == 33;
        own += mod == 13;
    }
    assert_int_equal(without_files + own, 84);
    assert_int_equal(own, 8);
    assert_int_equal(number_of(d, "maps[0].cells[31].sub"), 2); /* 0684007F */
    mst_close(d);
    two_free(&t);
    free(bytes);
    free(rows);
}

/* ---- editing ------------------------------------------------------------------------------------ */

static void test_edit(void **state) {
    (void)state;
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    mst_value mod;
    MUST(mst_set(d, "maps[0].cells[1].mod", "swaphol", &why), &why);
    MUST(mst_find(mst_root(d), "maps[0].cells[1].mod", &mod, &why), &why);
    uint64_t directory;
    MUST(mst_get_unsigned(&mod, &directory), &why);
    assert_int_equal(directory, 12);
    assert_string_equal(mst_get_name(&mod), "swaphol");
    assert_int_equal(mst_set(d, "maps[0].cells[1].mod", "animtest", NULL), MST_ARGUMENT); /* of several */
    MUST(mst_set(d, "maps[0].cells[1].mod", "13", &why), &why);
    /* mod 255 -> 13 in the word at 0x3C; sub 1, row 127 stay */
    mst_store32(t.bin.data + CELLS_0 + 4, CELL(13, 1, 127), true);
    assert_files(d, &t);
    MUST(mst_set(d, "maps[2].cells[0]", "{\"mod\": 5, \"sub\": 63, \"layer_row\": 0, \"unknown_7\": 1023}",
                 &why),
         &why);
    mst_store32(t.bin.data + CELLS_2, CELL(5, 63, 0) | 1023u << 7, true);
    MUST(mst_set(d, "maps[0].cell_rects[0].a", "[-7, 8, 0, 1]", &why), &why);
    mst_store32(t.bin.data + RECTS_0, 0x66990F78, true);
    assert_files(d, &t);
    const char *const refused[][2] = {
        {"maps[0].cells[1].sub", "64"},
        {"maps[0].cells[1].layer_row", "128"},
        {"maps[0].cells[1].unknown_7", "1024"},
        {"maps[0].cells[1].unused_31", "2"},
        {"maps[0].cell_rects[0].a[0]", "9"},
        {"maps[0].layer_rects[0].one_above.b[2]", "-8"},
        {"maps[0].columns", "2"},
        {"maps[2].rows", "0"},
        {"maps[2].columns", "-1"},
        {"maps[0].form", "3"},
        {"maps[0].cell_rects", "[]"},
        {"maps[0].visible_cell_rects", "[]"},
        {"maps[0].cells", "[]"},
        {"maps[0].layer_rects", "[]"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        mst_status status = mst_set(d, refused[i][0], refused[i][1], &why);
        if (status != MST_REFUSED)
            print_error("%s = %s: %s\n", refused[i][0], refused[i][1], mst_status_text(status));
        assert_int_equal(status, MST_REFUSED);
        assert_int_equal(strncmp(why.path, "maps[", 5), 0);
        assert_int_equal(mst_set(d, refused[i][0], refused[i][1], NULL), MST_REFUSED);
        assert_files(d, &t);
    }
    two made = two_of(d, &t);
    assert_two(&made, "sfa-maps");
    two_free(&made);
    mst_close(d);
    two_free(&t);
}

/* ---- odd layouts -------------------------------------------------------------------------------- */

/* Bytes between maps, after the last one and after the table's end. */
static void test_gaps(void **state) {
    (void)state;
    two t = begin_maps();
    put_map(&t, &(plan){3, 2, 1, 0, 1, 48, 2, cells_0, 96});
    put_bytes_of(&t.bin, "sixteen and more, 32 bytes long.", 32);
    put_stub_map(&t);
    put_map(&t, &(plan){3, 1, 0, -2, 0, 24, 1, cells_2, 64});
    put_bytes_of(&t.bin, "end.", 4);
    put_aligned(&t.bin, 32);
    end_maps(&t);
    t.tab.data[t.tab.size - 1] = 7;
    assert_two(&t, "sfa-maps");
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    assert_nothing(d, NULL);
    /* they are kept when something is edited */
    MUST(mst_set(d, "maps[0].cells[0].sub", "3", &why), &why);
    mst_store32(t.bin.data + CELLS_0, CELL(13, 3, 127), true);
    assert_files(d, &t);
    mst_close(d);
    two_free(&t);
}

static void test_odd(void **state) {
    (void)state;
    /* rows in another order: the maps are unchanged, and those located before their predecessor are reported
     */
    two t = make_maps();
    uint8_t row[ROW];
    memcpy(row, t.tab.data, ROW);
    memmove(t.tab.data, t.tab.data + ROW, 2 * ROW);
    memcpy(t.tab.data + 2 * ROW, row, ROW);
    assert_two(&t, "sfa-maps");
    mst_document *d = must_open_two(&t);
    assert_int_equal(number_of(d, "maps[2].columns"), 3);
    assert_int_equal(number_of(d, "maps[2].cells[2].sub"), 1);
    assert_one(d, NULL, "SFA-MAPS", "maps[2]");
    mst_close(d);
    two_free(&t);

    /* a file whose first bytes belong to no map, one that is not padded, one without maps */
    t = begin_maps();
    put_zeros(&t.bin, 48);
    put_map(&t, &(plan){3, 2, 1, 0, 1, 48, 2, cells_0, 96});
    end_maps(&t);
    assert_two(&t, "sfa-maps");
    t.bin.size -= 16;
    mst_store32(t.tab.data + ROW, (uint32_t)t.bin.size, true);
    assert_two(&t, "sfa-maps");
    t.tab.size = ROW + 8;
    assert_two(&t, "sfa-maps");
    two_free(&t);
    t = begin_maps();
    end_maps(&t);
    assert_two(&t, "sfa-maps");
    two_free(&t);

    /* many equal rows are not all parsed */
    t = begin_maps();
    put_map(&t, &(plan){.columns = 40, .rows = 40});
    put_aligned(&t.bin, 32);
    memcpy(row, t.tab.data, ROW);
    for (unsigned i = 1; i < 1000; i++)
        put_bytes_of(&t.tab, row, ROW);
    end_maps(&t);
    d = must_open_two(&t);
    assert_files(d, &t);
    size_t size;
    mst_document_bytes(d, &size);
    assert_true(size < 6 * (t.bin.size + t.tab.size));
    mst_close(d);
    two_free(&t);
}

/* An invalid map does not prevent edits of the others. */
static void test_kept(void **state) {
    (void)state;
    two t = make_maps();
    mst_store16(t.bin.data + INFO_0, 4, true);
    assert_two(&t, "sfa-maps");
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    assert_int_equal(number_of(d, "maps[0].offsets[1]"), CELLS_0);
    MUST(mst_set(d, "maps[2].cells[0].sub", "7", &why), &why);
    mst_store32(t.bin.data + CELLS_2, CELL(5, 7, 127), true);
    assert_files(d, &t);
    /* an offset equal to the table's end mark */
    assert_int_equal(mst_set(d, "maps[0].offsets[3]", "4294967295", &why), MST_REFUSED);
    assert_string_equal(why.path, "maps[0].offsets");
    assert_files(d, &t);
    assert_cut_refused(d, sample_step());
    assert_limits_held(d, sample_step());
    mst_close(d);
    two_free(&t);
}

/* Empty maps require only the world's files; those after the last known one have no list. */
static void test_empty_maps(void **state) {
    (void)state;
    two t = begin_maps();
    for (unsigned i = 0; i < 117; i++)
        put_stub_map(&t);
    put_map(&t, &(plan){2, 1, 0, 0, 0, 0, 0, (const uint32_t[]){CELL(33, 0, 127), EMPTY}, 0});
    end_maps(&t);
    world w;
    set_up(&w);
    shelf places = {.count = 0};
    shelf_put(&places, "globalma.bin", w.places.data, w.places.size);
    mst_resolver resolver = shelf_resolver(&places);
    mst_document *d = must_open_two(&t);
    assert_nothing(d, &resolver); /* directory 33 has no files of its own, so none is missed */
    assert_describes(d, "maps",
                     "117                  2 x 1 cells, 1 with a block; 0 objects\n117 maps without cells\n");
    mst_close(d);
    tear_down(&w);
    two_free(&t);
}

static void test_in_words(void **state) {
    (void)state;
    two t = make_maps();
    mst_store32(t.bin.data + CELLS_0, CELL(73, 0, 127), true); /* junk is not a block */
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    static const char wanted[] =
        "  0 frontend         3 x 2 cells, 3 with a block; 2 objects; \"Ship Battle\"\n"
        "  2 dragrock         3 x 1 cells, 2 with a block; 1 object; \"Dragon Rock - Top\"\n"
        "1 map without cells\n";
    assert_describes(d, "maps", wanted);
    assert_int_equal(mst_describe(d, "triggers", NULL, (mst_sink){refuse_bytes, NULL}, &why),
                     MST_UNSUPPORTED);
    assert_int_equal(mst_describe(d, "maps", NULL, (mst_sink){refuse_bytes, NULL}, &why), MST_IO);
    assert_string_equal(why.message, "the list of maps could not be written");
    mst_close(d);
    two_free(&t);
    t = begin_maps();
    put_map(&t, &(plan){3, 1, 0, -2, 0, 24, 1, cells_2, 64});
    mst_store16(t.bin.data, 4, true);
    end_maps(&t);
    d = must_open_two(&t);
    assert_describes(d, "maps", "  0 frontend         not understood; \"Ship Battle\"\n");
    mst_close(d);
    two_free(&t);
}

/* Truncated files, and parsed bytes whose cells do not match the map's columns and rows. */
static void test_cut(void **state) {
    (void)state;
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    assert_cut_refused(d, sample_step());
    assert_limits_held(d, sample_step());
    size_t whole;
    const uint8_t *parsed = mst_document_bytes(d, &whole);
    static const struct {
        size_t at;
        uint16_t value;
    } wrong[] = {{5, 0}, {7, 0}, {7, 3}};
    for (size_t i = 0; i < 3; i++) {
        uint8_t *copy = exact_copy(parsed, whole);
        mst_store16(copy + wrong[i].at, wrong[i].value, true);
        counted memory = {0};
        mst_diagnostic why;
        assert_int_equal(serialize_parsed(&mst_format_sfa_maps, copy, whole, &memory, &why), MST_REFUSED);
        assert_string_equal(why.path, i == 0 ? "maps[0].columns" : i == 1 ? "maps[0].rows" : "maps[0].cells");
        free(copy);
    }
    mst_close(d);
    two_free(&t);
}

static void test_survives(void **state) {
    (void)state;
    random_state random = {1};
    two t = make_maps();
    assert_no_memory(&t);
    assert_pair_survives(&t, &random, 3000);
    two_free(&t);
}

int test_sfa_maps(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made), cmocka_unit_test(test_mini),       cmocka_unit_test(test_retail_map),
        cmocka_unit_test(test_edit), cmocka_unit_test(test_gaps),       cmocka_unit_test(test_odd),
        cmocka_unit_test(test_kept), cmocka_unit_test(test_empty_maps), cmocka_unit_test(test_in_words),
        cmocka_unit_test(test_cut),  cmocka_unit_test(test_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
