/* SPDX-License-Identifier: MIT */
/* Maps of Star Fox Adventures: MAPS.bin and MAPS.tab as one document, edits, findings, odd layouts. */
#include "../src/formats/sfa/maps/maps.h"
#include "../src/formats/sfa/sfa.h"
#include "sfa_maps.h"
#include "sfa_pair.h"
#include "sfa_parsed.h"
#include "stopping.h"

/* ---- maps by hand ------------------------------------------------------------------------------- */

/* Maps 0 (3 x 2, one row for layers), 1 (a stub) and 2 (3 x 1). */
#define INFO_0  0u
#define RECTS_0 0x50u
#define STUB_0  0xD0u
#define CELLS_0 0x38u
#define INFO_2  0x110u
#define CELLS_2 0x148u
#define SIZE    0x1C0u
#define ROW     28u
static const uint32_t cells_0[] = {CELL(13, 0, 127), EMPTY,           CELL(5, 1, 0),
                                   CELL(5, 0, 127),  CELL(5, 0, 127), EMPTY};
static const uint32_t cells_2[] = {CELL(5, 1, 127), EMPTY, CELL(5, 0, 127)};

static two make_maps(void) {
    two t = begin_maps();
    put_map(&t, &(plan){3, 2, 1, 0, 1, 48, 2, cells_0, 96});
    put_stub_map(&t);
    put_map(&t, &(plan){3, 1, 0, -2, 0, 24, 1, cells_2, 64});
    end_maps(&t);
    assert_int_equal(t.bin.size, SIZE);
    assert_int_equal(t.tab.size, 96);
    return t;
}

/* ---- what belongs to them ----------------------------------------------------------------------- */

/* A list of objects of 24 bytes each, in a zlib stream that is not packed. */
static writer make_list(unsigned objects) {
    writer plain = {.big = true}, w = {.big = true};
    for (unsigned i = 0; i < objects; i++) {
        put_u16(&plain, 4);
        put_u8(&plain, 6);
        put_zeros(&plain, 21);
    }
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < plain.size; i++) {
        a = (a + plain.data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_bytes_of(&w, "ZLB", 4);
    put_u32(&w, 1);
    put_u32(&w, (uint32_t)plain.size);
    put_u32(&w, (uint32_t)plain.size + 11);
    put_u16(&w, 0x7801);
    put_u8(&w, 1);
    for (unsigned i = 0; i < 2; i++) {
        uint16_t length = (uint16_t)(i ? ~plain.size : plain.size);
        put_u8(&w, (uint8_t)length);
        put_u8(&w, (uint8_t)(length >> 8));
    }
    put_bytes_of(&w, plain.data, plain.size);
    put_u32(&w, b << 16 | a);
    put_aligned(&w, 32);
    writer_free(&plain);
    return w;
}

typedef struct world {
    writer list_0, list_2, blocks_5, blocks_13, first_blocks, places;
    shelf beside;
    mst_resolver resolver;
} world;

static void set_up(world *w) {
    memset(w, 0, sizeof *w);
    w->list_0 = make_list(2);
    w->list_2 = make_list(1);
    w->blocks_5.big = w->blocks_13.big = w->first_blocks.big = w->places.big = true;
    put_u32(&w->blocks_5, 0x10000000);
    put_u32(&w->blocks_5, 0x10000400);
    put_u32(&w->blocks_5, 0xFFFFFFFF);
    put_u32(&w->blocks_13, 0);
    put_u32(&w->blocks_13, 0);
    put_u32(&w->blocks_13, 0x10000000);
    put_u32(&w->blocks_13, 0xFFFFFFFF);
    for (unsigned mod = 0; mod <= 13; mod++)
        put_u16(&w->first_blocks, mod < 6 ? 0 : 2);
    put_u16(&w->first_blocks, 3);
    put_u16(&w->first_blocks, 0xFFFF);
    const int16_t places[][3] = {{0, 0, 0}, {10, 0, 2}};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 2; k++)
            put_u16(&w->places, (uint16_t)places[i][k]);
        put_u16(&w->places, 0);
        put_u16(&w->places, (uint16_t)places[i][2]);
        put_u32(&w->places, 0xFFFFFFFF);
    }
    put_u32(&w->places, 0xFFFFFFFF);
    put_u32(&w->places, 0x0000FFFF);
    put_u32(&w->places, 0xFFFFFFFF);
    shelf_put(&w->beside, "frontend.romlist.zlb", w->list_0.data, w->list_0.size);
    shelf_put(&w->beside, "dragrock.romlist.zlb", w->list_2.data, w->list_2.size);
    shelf_put(&w->beside, "animtest/mod6.tab", w->blocks_5.data, w->blocks_5.size);
    shelf_put(&w->beside, "shipbattle/mod14.tab", w->blocks_13.data, w->blocks_13.size);
    shelf_put(&w->beside, "TRKBLK.tab", w->first_blocks.data, w->first_blocks.size);
    shelf_put(&w->beside, "globalma.bin", w->places.data, w->places.size);
    w->resolver = shelf_resolver(&w->beside);
}
static void tear_down(world *w) {
    writer_free(&w->list_0);
    writer_free(&w->list_2);
    writer_free(&w->blocks_5);
    writer_free(&w->blocks_13);
    writer_free(&w->first_blocks);
    writer_free(&w->places);
}
static void take_away(world *w, const char *name) {
    for (size_t i = 0; i < w->beside.count; i++)
        if (strcmp(w->beside.files[i].name, name) == 0)
            w->beside.files[i].name = "-";
}

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

    size_t size;
    const uint8_t *parsed = mst_document_bytes(d, &size);
    mst_sfa_maps_cursor cursor = mst_sfa_maps_open(parsed, size);
    mst_sfa_map_view view;
    assert_int_equal(cursor.count, 3);
    assert_true(mst_sfa_maps_next(&cursor, &view));
    assert_int_equal(view.form, MST_SFA_MAP_FULL);
    assert_int_equal(view.cell_count, 6);
    assert_int_equal(view.layer_rows, 1);
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
    assert_int_equal(view.packed_size, 64);
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
        size_t size;
        const uint8_t *parsed = mst_document_bytes(d, &size);
        mst_sfa_maps_cursor cursor = mst_sfa_maps_open(parsed, size);
        for (mst_sfa_map_view view; mst_sfa_maps_next(&cursor, &view);) {
            assert_int_not_equal(view.form, MST_SFA_MAP_KEPT);
            full += view.form == MST_SFA_MAP_FULL;
        }
        assert_int_equal(full, 2);
        findings list = check_all(d, NULL);
        assert_int_equal(list.count, 2); /* the junk that was planted, and the row that it names */
        assert_int_equal(count_code(&list, "SFA-CELL-JUNK"), 1);
        assert_int_equal(count_code(&list, "SFA-CELL-LAYER"), 1);
        assert_string_equal(list.items[0].path, "maps[0].cells[3]");
        findings_free(&list);
        mst_close(d);
    }
    two_free(&t);
}

/* The first map of the retail file; after what is known of it are only its stub and nothing. */
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
    if (!reads_json)
        skip();
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
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
        {false, INFO_2 + 8, 2, 23, "SFA-INFO-SIZE", "maps[2].object_list_size"}, /* not what the stub says */
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
        if (i + 1 == sizeof changes / sizeof *changes) { /* a word more, and the mark after it */
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
    /* a table without its end does not open */
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
        tear_down(&w);
        mst_close(d);
        two_free(&changed);
    }

    /* changes in what belongs to them */
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
    assert_int_equal(list.count, 2); /* both of its cells lie on cells of map 0 */
    assert_int_equal(count_code(&list, "SFA-GLOBAL-OVERLAP"), 2);
    assert_string_equal(list.items[0].path, "maps[2].cells[0]");
    findings_free(&list);
    mst_store16(w.places.data + 16, 1, true); /* on another layer */
    assert_nothing(d, &w.resolver);
    tear_down(&w);

    /* missing files are named once */
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

/* Where warps lead, in the world that maps and their places make. */
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
        mst_open_options options = {.name = "WARPTAB.bin"};
        MUST(mst_open_memory(warps.data, warps.size, &options, &d, &why), &why);
        assert_nothing(d, NULL);
        if (cases[i].found)
            assert_nothing(d, &w.resolver);
        else
            assert_one(d, &w.resolver, "SFA-WARP-LAYER", "warps[0].position");
        mst_close(d);
        writer_free(&warps);
    }
    /* without the places, without the maps, and with half of them, nothing is said */
    writer warps = {.big = true};
    put_f32(&warps, 1);
    put_zeros(&warps, 12);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.name = "WARPTAB.bin"};
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
    w.beside.files[w.beside.count - 1].size = 4; /* and with a table that is damaged */
    assert_nothing(d, &w.resolver);
    w.beside = all;
    mst_close(d);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {0};
        options.allocator = counted_allocator(&memory);
        MUST(mst_open_memory(warps.data, warps.size, &options, &d, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        findings list = {0};
        mst_check_options how = {.sidecars = &w.resolver};
        mst_status status = mst_check(d, &how, collect, &list, NULL, &why);
        bool failed = memory.failed;
        if (status != MST_OK)
            assert_int_equal(status, MST_NO_MEMORY);
        else
            assert_int_equal(list.count, 1);
        findings_free(&list);
        mst_close(d);
        assert_int_equal(memory.blocks, 0);
        if (!failed)
            break;
    }
    writer_free(&warps);
    tear_down(&w);
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
    if (reads_json) { /* they stay when something is edited */
        MUST(mst_set(d, "maps[0].cells[0].sub", "3", &why), &why);
        mst_store32(t.bin.data + CELLS_0, CELL(13, 3, 127), true);
        assert_files(d, &t);
    }
    mst_close(d);
    two_free(&t);
}

static void test_odd(void **state) {
    (void)state;
    /* rows in another order: the maps are as before, and those that stand before the one before are told
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

    /* a file whose first bytes belong to no map, one that is not padded, one that has no maps */
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

    /* many rows that say the same are not all parsed */
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

/* A map that makes no sense does not keep the others from being edited. */
static void test_kept(void **state) {
    (void)state;
    two t = make_maps();
    mst_store16(t.bin.data + INFO_0, 4, true);
    assert_two(&t, "sfa-maps");
    mst_document *d = must_open_two(&t);
    mst_diagnostic why;
    assert_int_equal(number_of(d, "maps[0].offsets[1]"), CELLS_0);
    if (reads_json) {
        MUST(mst_set(d, "maps[2].cells[0].sub", "7", &why), &why);
        mst_store32(t.bin.data + CELLS_2, CELL(5, 7, 127), true);
        assert_files(d, &t);
        /* an offset that the table would end at */
        assert_int_equal(mst_set(d, "maps[0].offsets[3]", "4294967295", &why), MST_REFUSED);
        assert_string_equal(why.path, "maps[0].offsets");
        assert_files(d, &t);
    }
    assert_cut_refused(d, sample_step());
    assert_limits_held(d, sample_step());
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
    mst_store32(t.bin.data + CELLS_0, CELL(73, 0, 1), true);    /* junk, and no such row */
    mst_store32(t.bin.data + CELLS_0 + 8, CELL(5, 3, 0), true); /* no such block */
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

/* Without options, and with a resolver that finds nothing, a map is looked at by itself. */
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

/* What is beside the maps may be damaged as well; it says so itself. */
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

    set_up(&w); /* tables without an end: up to the last word */
    w.beside.files[2].size = w.beside.files[3].size = 11;
    w.beside.files[4].size = 2 * 15;
    findings list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 1); /* block 2 of the third word */
    assert_string_equal(list.items[0].path, "maps[0].cells[0]");
    assert_string_equal(list.items[0].expected, "block 2 in shipbattle/mod14.tab");
    findings_free(&list);
    w.beside.files[5].size = 24; /* places without an end: both are there */
    list = check_all(d, &w.resolver);
    assert_int_equal(list.count, 1);
    findings_free(&list);
    tear_down(&w);

    set_up(&w); /* a total of none: numbers are what they are */
    mst_store16(w.first_blocks.data + 28, 0, true);
    assert_nothing(d, &w.resolver);
    mst_store16(w.first_blocks.data, 0xFFFF, true); /* no numbers at all */
    mst_store32(w.blocks_13.data + 8, 0x00000000, true);
    assert_nothing(d, &w.resolver);
    mst_store16(w.places.data + 6, 117, true); /* a map that there is not */
    assert_nothing(d, &w.resolver);
    tear_down(&w);
    mst_close(d);

    /* more objects than can be counted; and one of which only the list's header is there, which lies */
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

    /* what is not understood asks for no list */
    mst_store16(t.bin.data + INFO_0, 4, true);
    d = must_open_two(&t);
    set_up(&w);
    take_away(&w, "frontend.romlist.zlb");
    assert_one(d, &w.resolver, "SFA-MAPS", "maps[0]");
    tear_down(&w);
    mst_close(d);
    two_free(&t);
}

/* Maps that show nothing ask for nothing but the world; those after the last one that is known have no list.
 */
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
    mst_buffer text = {0};
    mst_diagnostic why;
    MUST(mst_describe(d, "maps", mst_buffer_sink(&text), &why), &why);
    static const char wanted[] =
        "117                  2 x 1 cells, 1 with a block; 0 objects\n117 maps without cells\n";
    assert_int_equal(text.size, sizeof wanted - 1);
    assert_memory_equal(text.data, wanted, text.size);
    mst_buffer_free(&text);
    mst_close(d);
    tear_down(&w);
    two_free(&t);
}

static mst_status refuse_bytes(void *user, const void *data, size_t size) {
    (void)user, (void)data, (void)size;
    return MST_IO;
}

static void test_in_words(void **state) {
    (void)state;
    two t = make_maps();
    mst_store32(t.bin.data + CELLS_0, CELL(73, 0, 127), true); /* junk is not a block */
    mst_document *d = must_open_two(&t);
    mst_buffer text = {0};
    mst_diagnostic why;
    MUST(mst_describe(d, "maps", mst_buffer_sink(&text), &why), &why);
    static const char wanted[] =
        "  0 frontend         3 x 2 cells, 3 with a block; 2 objects; \"Ship Battle\"\n"
        "  2 dragrock         3 x 1 cells, 2 with a block; 1 object; \"Dragon Rock - Top\"\n"
        "1 map without cells\n";
    assert_int_equal(text.size, sizeof wanted - 1);
    assert_memory_equal(text.data, wanted, text.size);
    mst_buffer_free(&text);
    assert_int_equal(mst_describe(d, "triggers", mst_buffer_sink(&text), &why), MST_UNSUPPORTED);
    assert_int_equal(mst_describe(d, "maps", (mst_sink){refuse_bytes, NULL}, &why), MST_IO);
    assert_string_equal(why.message, "the list of maps could not be written");
    mst_close(d);
    two_free(&t);
    t = begin_maps();
    put_map(&t, &(plan){3, 1, 0, -2, 0, 24, 1, cells_2, 64});
    mst_store16(t.bin.data, 4, true);
    end_maps(&t);
    d = must_open_two(&t);
    MUST(mst_describe(d, "maps", mst_buffer_sink(&text), &why), &why);
    static const char kept[] = "  0 frontend         not understood; \"Ship Battle\"\n";
    assert_int_equal(text.size, sizeof kept - 1);
    assert_memory_equal(text.data, kept, text.size);
    mst_buffer_free(&text);
    mst_close(d);
    two_free(&t);
}

/* Iterating over truncated parsed bytes, or a map without positions, ends there. */
static void test_cut(void **state) {
    (void)state;
    two t = make_maps();
    mst_document *d = must_open_two(&t);
    assert_cut_refused(d, sample_step());
    assert_limits_held(d, sample_step());
    size_t whole;
    const uint8_t *parsed = mst_document_bytes(d, &whole);
    mst_sfa_map_view view;
    unsigned before = 0;
    for (size_t size = 0; size <= whole; size += sample_step()) {
        uint8_t *cut = exact_copy(parsed, size);
        mst_sfa_maps_cursor cursor = mst_sfa_maps_open(cut, size);
        unsigned met = 0;
        while (mst_sfa_maps_next(&cursor, &view))
            met++;
        assert_false(mst_sfa_maps_next(&cursor, &view));
        assert_true(met >= before && met <= 3);
        before = met;
        free(cut);
    }
    static const struct {
        size_t at;
        uint16_t value;
    } wrong[] = {{5, 0}, {7, 0}, {7, 3}};
    for (size_t i = 0; i < 3; i++) {
        uint8_t *copy = exact_copy(parsed, whole);
        mst_store16(copy + wrong[i].at, wrong[i].value, true);
        mst_sfa_maps_cursor cursor = mst_sfa_maps_open(copy, whole);
        assert_false(mst_sfa_maps_next(&cursor, &view));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_mini),
        cmocka_unit_test(test_retail_map),
        cmocka_unit_test(test_edit),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_sidecars),
        cmocka_unit_test(test_odd),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_survives),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_nobody_to_ask),
        cmocka_unit_test(test_damaged_sidecars),
        cmocka_unit_test(test_empty_maps),
        cmocka_unit_test(test_in_words),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, look_what_there_is, NULL);
}
