/* SPDX-License-Identifier: MIT */
/* Revenant: sectors whose file has been renamed. */
#include "revenant_sector.h"
#include "stopping.h"

/* Ten tiles in the middle of the sector 3,5. */
typedef struct tiles {
    sector_object objects[10];
    sector s;
} tiles;

static void make_tiles(tiles *t, uint32_t version) {
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < 10; i++)
        t->objects[i] = sector_thing(SECTOR_TILE, SECTOR_IMMOBILE, "");
    t->s = (sector){.version = version, .objects = t->objects, .object_count = 10};
}

static void findings_of(const tiles *t, const char *name, findings *list) {
    writer w = {0};
    write_sector(&w, &t->s);
    mst_document *d = open_named(&w, name);
    mst_diagnostic why;
    memset(list, 0, sizeof *list);
    MUST(mst_check(d, NULL, collect, list, NULL, &why), &why);
    mst_close(d);
    writer_free(&w);
}

static void assert_one(const tiles *t, const char *name, const char *path, const char *expected,
                       const char *found) {
    findings list;
    findings_of(t, name, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "REV-POSITION");
    assert_int_equal(list.items[0].severity, MST_WARNING);
    assert_string_equal(list.items[0].path, path);
    assert_string_equal(list.items[0].expected, expected);
    assert_string_equal(list.items[0].found, found);
    findings_free(&list);
}

static void renamed_sectors(void **state) {
    (void)state;
    tiles t;
    for (uint32_t version = 1; version <= 8; version++) {
        make_tiles(&t, version);
        findings list;
        findings_of(&t, "44_3_5.DAT", &list);
        assert_int_equal(list.count, 0);
        assert_one(&t, "44_4_5.DAT", "objects", "all 10 in the sector 4,5", "10 in the sector 3,5");
        assert_one(&t, "44_0_63.DAT", "objects", "all 10 in the sector 0,63", "10 in the sector 3,5");
    }
    /* not all of them: those at the place of the file's name are right */
    t.objects[0].position[1] = 6 * 1024;
    assert_one(&t, "44_3_6.DAT", "objects", "all 10 in the sector 3,6", "9 in the sector 3,5");
    /* a sector to the left of the map: invalid */
    for (unsigned i = 0; i < 10; i++)
        t.objects[i].position[0] = -1;
    t.objects[0].position[1] = 5 * 1024;
    assert_one(&t, "44_0_5.DAT", "objects", "all 10 in the sector 0,5", "10 in the sector -1,5");
    /* farther than the largest level */
    for (unsigned i = 0; i < 10; i++)
        t.objects[i].position[0] = 70 * 1024;
    assert_one(&t, "44_70_5.DAT", "objects", "all 10 in the sector 70,5", "10 in the sector 70,5");
}

static void objects_apart(void **state) {
    (void)state;
    tiles t;
    findings list;
    make_tiles(&t, 8);
    /* a single one is reported alone */
    t.objects[4].position[0] = 5 * 1024;
    assert_one(&t, "44_3_5.DAT", "objects[4].position", "in the sector 3,5", "x 5120");
    t.objects[4].position[0] = 3 * 1024;
    t.objects[4].position[1] = 9 * 1024;
    assert_one(&t, "44_3_5.DAT", "objects[4].position", "in the sector 3,5", "y 9216");
    /* and so is one that is apart from the others, whichever is first */
    for (unsigned which = 0; which < 10; which += 9) {
        make_tiles(&t, 8);
        t.objects[which].position[0] = 20 * 1024;
        findings_of(&t, "44_4_5.DAT", &list);
        assert_int_equal(list.count, 2);
        assert_string_equal(list.items[0].path, "objects");
        assert_string_equal(list.items[0].found, "9 in the sector 3,5");
        assert_string_equal(list.items[1].path, which ? "objects[9].position" : "objects[0].position");
        assert_string_equal(list.items[1].found, "x 20480");
        findings_free(&list);
    }
    /* two or more at different places are not one renamed sector */
    make_tiles(&t, 8);
    t.objects[2].position[0] = 20 * 1024;
    t.objects[7].position[0] = 21 * 1024;
    assert_one(&t, "44_3_5.DAT", "objects", "all 10 in the sector 3,5", "2 elsewhere, objects[2] the first");
    assert_one(&t, "44_9_9.DAT", "objects", "all 10 in the sector 9,9", "10 elsewhere, objects[0] the first");
    t.objects[2].position[0] = t.objects[7].position[0];
    assert_one(&t, "44_9_9.DAT", "objects", "all 10 in the sector 9,9", "10 elsewhere, objects[0] the first");
    /* without a sector's name positions are relative to the map */
    t.objects[2].position[0] = t.objects[7].position[1] = 64 * 1024;
    assert_one(&t, "", "objects", "all 10 in 0..65535", "2 elsewhere, objects[2] the first");
}

/* Reports that stop early. */
static void stops(void **state) {
    (void)state;
    tiles t;
    make_tiles(&t, 8);
    t.objects[9].position[0] = 20 * 1024;
    writer w = {0};
    write_sector(&w, &t.s);
    mst_document *d = open_named(&w, "44_4_5.DAT");
    assert_stops(d, NULL, 2);
    mst_close(d);
    writer_free(&w);
}

/* ---- the state hash ----------------------------------------------------------------------------- */

static uint32_t stored_hash(const mst_document *d) {
    mst_value value;
    uint64_t number = 0;
    MUST(mst_find(mst_root(d), "state_hash", &value, NULL), NULL);
    MUST(mst_get_unsigned(&value, &number), NULL);
    return (uint32_t)number;
}

static void renewed(void **state) {
    (void)state;
    for (uint32_t version = 14; version <= 15; version++)
        for (int by_name = 0; by_name < 2; by_name++) {
            sector_source r;
            full_sector(&r, version);
            uint32_t right = sector_hash(&r.s, 44, 3, 5);
            r.s.state_hash = right ^ 0x10;
            writer w = {0};
            write_sector(&w, &r.s);
            mst_document *d = open_named(&w, "44_3_5.DAT");
            mst_diagnostic why;
            assert_string_equal(mst_checksum_path(d), "state_hash");
            assert_int_equal(stored_hash(d), right ^ 0x10);
            MUST(mst_set(d, by_name ? "state_hash" : mst_checksum_path(d), "auto", &why), &why);
            assert_int_equal(stored_hash(d), right);
            /* nothing else changes */
            mst_store32(w.data + 8, right, false);
            assert_same_bytes(d, w.data, w.size);
            MUST(mst_set(d, "state_hash", "auto", &why), &why);
            assert_same_bytes(d, w.data, w.size);
            /* set to a number, it has that number */
            MUST(mst_set(d, "state_hash", "7", &why), &why);
            assert_int_equal(stored_hash(d), 7);
            mst_close(d);
            writer_free(&w);
        }
}

static void what_cannot_be_renewed(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 15);
    writer w = {0};
    write_sector(&w, &r.s);
    mst_document *d = open_named(&w, "sector.DAT");
    mst_diagnostic why;
    for (int reported = 0; reported < 2; reported++)
        assert_int_equal(mst_set(d, "state_hash", "auto", reported ? &why : NULL), MST_REFUSED);
    assert_string_equal(why.path, "state_hash");
    assert_string_equal(why.found, "sector.DAT");
    assert_int_not_equal(mst_set(d, "objects[0].flags", "auto", &why), MST_OK);
    assert_same_bytes(d, w.data, w.size);
    mst_close(d);
    writer_free(&w);
    full_sector(&r, 8); /* which has none */
    write_sector(&w, &r.s);
    d = open_named(&w, "44_3_5.DAT");
    assert_null(mst_checksum_path(d));
    assert_int_equal(mst_set(d, "state_hash", "auto", &why), MST_NO_PATH);
    mst_close(d);
    writer_free(&w);
    static const char text[] = "CLASS \"TOOL\" BEGIN END";
    mst_open_options options = {.size = sizeof options, .name = "class.def"};
    MUST(mst_open_memory(text, sizeof text - 1, &options, &d, &why), &why);
    assert_null(mst_checksum_path(d));
    mst_close(d);
}

int test_revenant_place(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renamed_sectors), cmocka_unit_test(objects_apart),          cmocka_unit_test(stops),
        cmocka_unit_test(renewed),         cmocka_unit_test(what_cannot_be_renewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
