/* SPDX-License-Identifier: MIT */
/* Findings of checks in the list of maps and its sidecars. */
#include "../src/edit/fix_findings.h"
#include "fixing.h"
#include "sfa_maps_document.h"
#include "stopping.h"

/* ---- maps by hand ------------------------------------------------------------------------------- */

#define STUB_0 0xD0u
#define INFO_2 0x110u

/* ---- their sidecars ----------------------------------------------------------------------------- */

static void take_away(world *w, const char *name) {
    for (size_t i = 0; i < w->beside.count; i++)
        if (strcmp(w->beside.files[i].name, name) == 0)
            w->beside.files[i].name = "-";
}

/* ---- findings ----------------------------------------------------------------------------------- */

typedef struct change {
    bool table;
    size_t offset;
    unsigned width;
    uint32_t value;
    const char *code, *path;
} change;

static void test_findings(void **state) {
    (void)state;
    const change changes[] = {
        {false, INFO_0 + 0x1E, 2, 2, "SFA-LAYER-ROWS", "maps[0].layer_row_count"},
        {false, CELLS_0 + 4, 4, EMPTY | 0x80000000, "SFA-CELL-JUNK", "maps[0].cells[1]"},
        {false, CELLS_0, 4, CELL(73, 0, 127), "SFA-CELL-JUNK", "maps[0].cells[0]"},
        {false, CELLS_0 + 8, 4, CELL(5, 1, 1), "SFA-CELL-LAYER", "maps[0].cells[2]"},
        {false, CELLS_2, 4, CELL(5, 1, 0), "SFA-CELL-LAYER", "maps[2].cells[0]"},
        {false, INFO_0, 2, 0, "SFA-MAPS", "maps[0]"},
        {false, INFO_2, 2, 4, "SFA-MAPS", "maps[2]"},
        {false, INFO_2 + 2, 2, 0xFFFF, "SFA-MAPS", "maps[2]"},
        {true, 2 * ROW + 4, 4, CELLS_2 + 4, "SFA-MAPS", "maps[2]"},
        {true, 2 * ROW + 24, 4, SIZE, "SFA-MAPS", "maps[2]"},
        {false, INFO_2 + 8, 2, 23, "SFA-INFO-SIZE", "maps[2].object_list_size"}, /* differs from the stub */
        {false, STUB_0 + 4, 4, 47, "SFA-INFO-SIZE", "maps[0].object_list_size"},
        {false, STUB_0, 4, 0xFACEFEEC, "SFA-STUB", "maps[0].object_list.magic"},
        {true, 3 * ROW, 4, SIZE + 32, "SFA-TAB", "original_tab"},
        {true, 3 * ROW, 4, SIZE - 1, "SFA-TAB", "original_tab"},
        {true, 3 * ROW, 4, 0, "SFA-TAB", "original_tab"},
        {true, 3 * ROW + 4, 4, 5, "SFA-TAB", "original_tab"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        two t = make_maps();
        if (i + 1 == sizeof changes / sizeof *changes) { /* one more word, followed by the mark */
            put_u32(&t.tab, 0);
            mst_store32(t.tab.data + 3 * ROW + 8, 0xFFFFFFFF, true);
        }
        mst_store((c->table ? t.tab.data : t.bin.data) + c->offset, c->width, c->value, true);
        mst_document *d = must_open_two(&t);
        assert_files(d, &t);
        assert_files_by_json(d, &t);
        findings list = check_all(d, NULL);
        if (list.count != 1 || strcmp(list.items[0].path, c->path) != 0)
            print_error("change %zu\n", i);
        findings_free(&list);
        assert_one(d, NULL, c->code, c->path);
        mst_close(d);
        two_free(&t);
    }
    /* a table without an end mark does not open */
    two t = make_maps();
    mst_store32(t.tab.data + 3 * ROW + 4, 0, true);
    mst_document *d;
    mst_diagnostic why;
    assert_int_equal(open_two(&t, false, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-TAB");
    two_free(&t);
}

static void test_capacity(void **state) {
    (void)state;
    const struct {
        uint16_t columns, rows;
        size_t cells, capacity;
    } cases[] = {{32, 16, 0, 0}, {27, 19, 1, 0}, {418, 2, 1, 0}, {837, 1, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        two t = begin_maps();
        put_map(&t, &(plan){.columns = cases[i].columns, .rows = cases[i].rows});
        end_maps(&t);
        mst_document *d = must_open_two(&t);
        assert_files(d, &t);
        findings list = check_all(d, NULL);
        assert_int_equal(list.count, cases[i].cells + cases[i].capacity);
        assert_int_equal(count_code(&list, "SFA-CELL-CAPACITY"), cases[i].cells);
        assert_int_equal(count_code(&list, "SFA-MAPS-CAPACITY"), cases[i].capacity);
        findings_free(&list);
        mst_close(d);
        two_free(&t);
    }
}

static void test_sidecars(void **state) {
    (void)state;
    needs_zlib();
    world w;
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    set_up(&w);
    assert_nothing(d, &w.resolver);
    tear_down(&w);
    mst_close(d);

    /* changes in the maps */
    const change changes[] = {
        {false, INFO_0 + 0x1C, 2, 3, "SFA-INFO-OBJECTS", "maps[0].object_count"},
        {false, INFO_2 + 8, 2, 23, "SFA-INFO-SIZE", "maps[2].object_list_size"},
        {false, STUB_0 + 4, 4, 47, "SFA-INFO-SIZE", "maps[0].object_list.unpacked_size"},
        {false, STUB_0 + 12, 4, 64, "SFA-STUB", "maps[0].object_list.packed_size"},
        {false, CELLS_0, 4, CELL(33, 0, 127), "SFA-CELL-FILE", "maps[0].cells[0]"},
        {false, CELLS_0 + 12, 4, CELL(5, 3, 127), "SFA-CELL-FILE", "maps[0].cells[3]"},
        {false, CELLS_0, 4, CELL(13, 63, 127), NULL, NULL}, /* beyond the total: the last block */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        two changed = make_maps();
        mst_store(changed.bin.data + c->offset, c->width, c->value, true);
        d = must_open_two(&changed);
        set_up(&w);
        if (c->code)
            assert_one(d, &w.resolver, c->code, c->path);
        else
            assert_nothing(d, &w.resolver);
        if (c->code && mst_fix_of(mst_document_format(d), c->code)) {
            fixed_list list;
            assert_int_equal(fix(d, &w.resolver, NULL, &list), 1);
            assert_nothing(d, &w.resolver);
            assert_files(d, &t);
        }
        tear_down(&w);
        mst_close(d);
        two_free(&changed);
    }

    /* changes in the sidecars */
    d = must_open_two(&t);
    set_up(&w);
    mst_store32(w.blocks_13.data + 8, 0x00000000, true);
    assert_one(d, &w.resolver, "SFA-CELL-FILE", "maps[0].cells[0]");
    tear_down(&w);
    set_up(&w);
    /* map 2's cell 2 is at 10 + 2 - 0; moved to (-1, -2) its row, two below its origin, meets map 0's first
     */
    mst_store16(w.places.data + 12, (uint16_t)-1, true);
    mst_store16(w.places.data + 14, (uint16_t)-2, true);
    findings list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 2); /* both of its cells overlap cells of map 0 */
    assert_int_equal(count_code(&list, "SFA-GLOBAL-OVERLAP"), 2);
    assert_string_equal(list.items[0].path, "maps[2].cells[0]");
    findings_free(&list);
    mst_store16(w.places.data + 16, 1, true); /* on another layer */
    assert_nothing(d, &w.resolver);
    tear_down(&w);

    /* missing files are reported once */
    const char *const missing[][2] = {{"globalma.bin", "globalma.bin"},
                                      {"TRKBLK.tab", "TRKBLK.tab"},
                                      {"frontend.romlist.zlb", "frontend.romlist.zlb"},
                                      {"dragrock.romlist.zlb", "dragrock.romlist.zlb"}};
    for (size_t i = 0; i < 4; i++) {
        set_up(&w);
        take_away(&w, missing[i][0]);
        list = check_all(d, &w.resolver);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, "SFA-ALONE");
        assert_string_equal(list.items[0].expected, missing[i][1]);
        findings_free(&list);
        tear_down(&w);
    }
    set_up(&w);
    w.beside.count = 0;
    list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 3);
    assert_int_equal(count_code(&list, "SFA-ALONE"), 3);
    assert_string_equal(list.items[0].expected, "frontend.romlist.zlb");
    assert_string_equal(list.items[1].expected, "animtest/mod6.tab");
    assert_string_equal(list.items[2].expected, "globalma.bin");
    findings_free(&list);
    tear_down(&w);
    mst_close(d);
    two_free(&t);
}

/* The destinations of warps, in the world made of the maps and their places. */
static void test_warps(void **state) {
    (void)state;
    const struct {
        float x, z;
        uint16_t layer;
        bool found;
    } cases[] = {
        {-0.5f, 0, 0, true},   {-640, 639.5f, 0, true}, /* cells 0 and 3 of map 0 */
        {-0.5f, 0, 1, false},  {1, 0, 0, false},        /* another layer; an empty cell */
        {-641, 0, 0, false},   {-0.5f, -1, 0, false},   {-0.5f, 640, 0, true},
        {6400, 1280, 0, true}, {7040, 1280, 0, false}, /* cells 0 and 1 of map 2 */
        {1e30f, 0, 0, false},  {NAN, 0, 0, false},      {-0.5f, NAN, 0, false},
    };
    world w;
    two t = make_maps();
    set_up(&w);
    shelf_put(&w.beside, "MAPS.bin", t.bin.data, t.bin.size);
    shelf_put(&w.beside, "MAPS.tab", t.tab.data, t.tab.size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer warps = {.big = true};
        put_f32(&warps, cases[i].x);
        put_f32(&warps, 5);
        put_f32(&warps, cases[i].z);
        put_u16(&warps, cases[i].layer);
        put_u16(&warps, 64);
        put_zeros(&warps, 16); /* not used */
        mst_document *d;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .name = "WARPTAB.bin"};
        MUST(mst_open_memory(warps.data, warps.size, &options, &d, &why), &why);
        assert_nothing(d, NULL);
        if (cases[i].found)
            assert_nothing(d, &w.resolver);
        else
            assert_one(d, &w.resolver, "SFA-WARP-LAYER", "warps[0].position");
        mst_close(d);
        writer_free(&warps);
    }
    /* without the places, without the maps, and with half of them, nothing is reported */
    writer warps = {.big = true};
    put_f32(&warps, 1);
    put_zeros(&warps, 12);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = "WARPTAB.bin"};
    MUST(mst_open_memory(warps.data, warps.size, &options, &d, &why), &why);
    static const char *const missing[] = {"globalma.bin", "MAPS.bin", "MAPS.tab"};
    assert_one(d, &w.resolver, "SFA-WARP-LAYER", "warps[0].position");
    assert_stops(d, &w.resolver, 1);
    shelf all = w.beside;
    for (size_t i = 0; i < 3; i++) {
        w.beside = all;
        take_away(&w, missing[i]);
        assert_nothing(d, &w.resolver);
    }
    w.beside = all;
    w.beside.files[w.beside.count - 1].size = 4; /* and with a damaged table */
    assert_nothing(d, &w.resolver);
    w.beside = all;
    mst_close(d);
    assert_check_without_memory(warps.data, warps.size, &options, &w.resolver);
    writer_free(&warps);
    tear_down(&w);
    two_free(&t);
}

/* ---- odd layouts -------------------------------------------------------------------------------- */

/* One map over the other, with all of its sidecars. */
static void test_too_little_memory(void **state) {
    (void)state;
    needs_zlib();
    world w;
    two t = make_maps();
    set_up(&w);
    shelf_put(&w.beside, "MAPS.tab", t.tab.data, t.tab.size);
    mst_store16(w.places.data + 12, (uint16_t)-1, true);
    mst_store16(w.places.data + 14, (uint16_t)-2, true);
    const mst_open_options how = {.size = sizeof how, .name = "MAPS.bin", .sidecars = &w.resolver};
    assert_check_without_memory(t.bin.data, t.bin.size, &how, &w.resolver);
    two_free(&t);
    tear_down(&w);
}

/* A map that begins before the previous one: the table has the first and last rows exchanged. */
static void test_order(void **state) {
    (void)state;
    uint8_t row[ROW];
    two t = make_maps();
    memcpy(row, t.tab.data, ROW);
    memcpy(t.tab.data, t.tab.data + 2 * ROW, ROW);
    memcpy(t.tab.data + 2 * ROW, row, ROW);
    mst_document *d = must_open_two(&t);
    findings list = check_all(d, NULL);
    assert_int_equal(list.count, 2); /* the second map is before the first, the third before the second */
    assert_int_equal(count_code(&list, "SFA-MAPS"), 2);
    assert_string_equal(list.items[0].path, "maps[1]");
    assert_string_equal(list.items[1].path, "maps[2]");
    assert_int_equal(list.items[1].length, 4);
    findings_free(&list);
    assert_stops(d, NULL, 2);
    mst_close(d);
    two_free(&t);
}

/* All faults at once, stopped after any of the findings. */
static void test_stopped(void **state) {
    (void)state;
    needs_zlib();
    two t = make_maps();
    world w;
    set_up(&w);
    mst_store16(t.bin.data + INFO_0 + 0x1C, 3, true); /* objects */
    mst_store16(t.bin.data + INFO_0 + 0x1E, 2, true); /* rows of layers */
    mst_store16(t.bin.data + INFO_0 + 8, 47, true);   /* the list's size */
    mst_store32(t.bin.data + STUB_0 + 4, 47, true);
    mst_store32(t.bin.data + STUB_0 + 12, 64, true);
    mst_store32(t.bin.data + CELLS_0, CELL(73, 0, 1), true);    /* junk, and a missing row */
    mst_store32(t.bin.data + CELLS_0 + 8, CELL(5, 3, 0), true); /* the block does not exist */
    mst_store16(w.places.data + 12, (uint16_t)-1, true);        /* one map over the other */
    mst_store16(w.places.data + 14, (uint16_t)-1, true);
    memcpy(t.tab.data + ROW, t.tab.data, 4); /* and one before the other */
    mst_document *d = must_open_two(&t);
    assert_stops(d, &w.resolver, 9);
    mst_close(d);
    mst_store32(t.tab.data + 3 * ROW, 2 * SIZE, true); /* the file's size */
    d = must_open_two(&t);
    assert_stops(d, &w.resolver, 10);
    mst_close(d);
    two_free(&t);
    /* too many cells, for both reasons */
    t = begin_maps();
    put_map(&t, &(plan){.columns = 837, .rows = 1});
    put_map(&t, &(plan){.columns = 837, .rows = 1});
    end_maps(&t);
    d = must_open_two(&t);
    assert_stops(d, NULL, 4);
    mst_close(d);
    two_free(&t);
    tear_down(&w);
}

/* Without options, and with a resolver that finds nothing, a map is checked alone. */
static void test_nobody_to_ask(void **state) {
    (void)state;
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    mst_resolver none = {0};
    mst_check_result result;
    mst_diagnostic why;
    stopping s = {.at = SIZE_MAX};
    MUST(mst_check(d, NULL, stop_at, &s, &result, &why), &why);
    assert_int_equal(s.heard, 0);
    assert_nothing(d, &none);
    mst_close(d);
    two_free(&t);
}

/* The sidecars of the maps may be damaged as well; they report it themselves. */
static void test_damaged_sidecars(void **state) {
    (void)state;
    needs_zlib();
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    world w;
    set_up(&w);
    w.list_0.data[16] ^= 0x55; /* the stream */
    mst_store32(w.list_2.data + 12, 0xFFFFFF, true);
    assert_nothing(d, &w.resolver);
    tear_down(&w);

    set_up(&w); /* the second object runs past the end of its list: their number is unknown */
    w.list_0.data[23 + 24 + 2]++;
    uint8_t *sum = w.list_0.data + 23 + 48; /* the byte is the 22nd from the end of the summed bytes */
    mst_store32(sum, mst_load32(sum, true) + (22 << 16) + 1, true);
    assert_nothing(d, &w.resolver);
    tear_down(&w);

    set_up(&w); /* tables without an end: up to the last word */
    w.beside.files[2].size = w.beside.files[3].size = 11;
    w.beside.files[4].size = 2 * 15;
    findings list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 1); /* block 2 of the third word */
    assert_string_equal(list.items[0].path, "maps[0].cells[0]");
    assert_string_equal(list.items[0].expected, "block 2 in shipbattle/mod14.tab");
    findings_free(&list);
    w.beside.files[5].size = 24; /* places without an end: both are present */
    list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 1);
    findings_free(&list);
    tear_down(&w);

    set_up(&w); /* numbers and places in empty files */
    w.beside.files[4].size = w.beside.files[5].size = 0;
    assert_nothing(d, &w.resolver);
    tear_down(&w);

    set_up(&w); /* a total of none: the numbers are used unchecked */
    mst_store16(w.first_blocks.data + 28, 0, true);
    assert_nothing(d, &w.resolver);
    mst_store16(w.first_blocks.data, 0xFFFF, true); /* no numbers at all */
    mst_store32(w.blocks_13.data + 8, 0x00000000, true);
    assert_nothing(d, &w.resolver);
    mst_store16(w.places.data + 6, 117, true); /* a map that does not exist */
    assert_nothing(d, &w.resolver);
    tear_down(&w);
    mst_close(d);

    /* more objects than can be counted; and a list with only a header, which is wrong */
    mst_store16(t.bin.data + INFO_0 + 0x1C, 0xFFFF, true);
    d = must_open_two(&t);
    set_up(&w);
    assert_one(d, &w.resolver, "SFA-INFO-OBJECTS", "maps[0].object_count");
    shelf_put(&w.beside, "frontend2.romlist.zlb", w.list_2.data, w.list_2.size);
    list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[1].path, "maps[1].object_list.unpacked_size");
    assert_string_equal(list.items[2].path, "maps[1].object_list.packed_size");
    findings_free(&list);
    tear_down(&w);
    mst_close(d);

    /* a map that is not understood requires no list */
    mst_store16(t.bin.data + INFO_0, 4, true);
    d = must_open_two(&t);
    set_up(&w);
    take_away(&w, "frontend.romlist.zlb");
    assert_one(d, &w.resolver, "SFA-MAPS", "maps[0]");
    tear_down(&w);
    mst_close(d);
    two_free(&t);
}

/* Ids in the lists of two maps: reported once, with the first of them. */
static void test_ids(void **state) {
    (void)state;
    needs_zlib();
    static const struct {
        uint32_t frontend[3], dragrock[3]; /* ids of their objects */
        const char *found;                 /* NULL: nothing */
    } cases[] = {
        {{1, 2, 3}, {4, 5, 6}, NULL},
        {{0, 0, 1}, {0, 2, 0}, NULL}, /* 0 is not an id */
        {{7, 7, 7}, {1, 8, 8}, NULL}, /* repeats within one list are found by the check of that list */
        {{1, 2, 3}, {3, 4, 5}, "1 ids, the first 0x00000003 in frontend and dragrock"},
        {{9, 1, 1}, {1, 1, 8}, "1 ids, the first 0x00000001 in frontend and dragrock"},
        {{0xFFFFFFFF, 5, 6}, {6, 5, 0xFFFFFFFF}, "3 ids, the first 0x00000005 in frontend and dragrock"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        two t = make_maps();
        mst_store16(t.bin.data + INFO_0 + 8, 72, true); /* three objects in both */
        mst_store16(t.bin.data + INFO_0 + 0x1C, 3, true);
        mst_store32(t.bin.data + STUB_0 + 4, 72, true);
        mst_document *d = must_open_two(&t);
        world w;
        set_up(&w);
        writer frontend = make_list_of(cases[i].frontend, 3), dragrock = make_list_of(cases[i].dragrock, 3);
        take_away(&w, "frontend.romlist.zlb");
        take_away(&w, "dragrock.romlist.zlb");
        shelf_put(&w.beside, "frontend.romlist.zlb", frontend.data, frontend.size);
        shelf_put(&w.beside, "dragrock.romlist.zlb", dragrock.data, dragrock.size);
        findings list = check_all(d, &w.resolver);
        assert_int_equal(count_code(&list, "SFA-ROMLIST-ID"), cases[i].found != NULL);
        for (size_t k = 0; k < list.count; k++)
            if (strcmp(list.items[k].code, "SFA-ROMLIST-ID") == 0) {
                assert_string_equal(list.items[k].found, cases[i].found);
                assert_string_equal(list.items[k].path, "maps");
                assert_int_equal(list.items[k].severity, MST_INFORMATION);
            }
        findings_free(&list);
        assert_stops(d, &w.resolver, list.count);
        tear_down(&w);
        writer_free(&frontend);
        writer_free(&dragrock);
        mst_close(d);
        two_free(&t);
    }
}

/* The file of an object list has one of three names, and may be unpacked: MAPS.bin then states its packed
 * size, which nothing contradicts. */
static void test_names_of_lists(void **state) {
    (void)state;
    needs_zlib();
    static const char *const names[] = {"frontend.romlist.bin", "frontend.romlist"};
    for (size_t i = 0; i < 2; i++)
        for (int unpacked = 0; unpacked < 2; unpacked++) {
            two t = make_maps();
            mst_document *d = must_open_two(&t);
            world w;
            set_up(&w);
            take_away(&w, "frontend.romlist.zlb");
            if (unpacked) /* after the headers of the file, the stream and its single block */
                shelf_put(&w.beside, names[i], w.list_0.data + 16 + 3 + 4, 2 * 24);
            else
                shelf_put(&w.beside, names[i], w.list_0.data, w.list_0.size);
            assert_nothing(d, &w.resolver);
            tear_down(&w);
            mst_close(d);
            two_free(&t);
        }
}

int test_sfa_maps_check(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_names_of_lists),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_sidecars),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_nobody_to_ask),
        cmocka_unit_test(test_damaged_sidecars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
