/* SPDX-License-Identifier: MIT */
/* The files that sectors of Revenant reference by class.def, and the reports about missing ones. */
#include "../src/read/opened.h"
#include "refusing.h"
#include "revenant_game.h"
#include <mapstone/asset.h>

static const char odd_def[] = "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n"
                              "\"Floor\" \"Forest\\Floor.I2D\" 0x1 {} {}\n"
                              "\"Upwards\" \"..\\up.i2d\" 0x2 {} {}\n"
                              "\"Bad\" \"bad.I3D\" 0x3 {} {}\n"
                              "\"Lost\" \"lost.i2d\" 0x4 {} {}\n"
                              "\"Gone\" \"gone.i2d\" 0x5 {} {}\n"
                              "\"Away\" \"away.I3D\" 0x6 {} {}\n"
                              "\"Off\" \"off.i2d\" 0x7 {} {}\n"
                              "\"Bare\" \"\" 0x8 {} {}\n"
                              "END\nEND\n";

static game odd_game(void) {
    game g = {0};
    add_text(&g, "class.def", odd_def);
    add_file(&g, "IMAGERY/forest/FLOOR.i2d",
             picture(BITS_8 | DEPTHS, "\1\2\3\4", 4, "\12\0\12\0\x7F\x7F\24\0", NULL, UNLIT));
    add_text(&g, "IMAGERY/bad.i3d", "CGSR");
    return g;
}

/* Lists as lines: kind, state, uses, name, path. */
static void lists(const mst_document *document, game *g, const char *expected) {
    static const char *const states[] = {"found", "missing", "outside", "unreadable"};
    const mst_resolver resolver = {.find = find_file, .user = g};
    char all[2000] = "";
    mst_assets *assets;
    mst_diagnostic why;
    MUST(mst_assets_of(&document, 1, g ? &resolver : NULL, &assets, &why), &why);
    for (size_t i = 0; i < assets->count; i++) {
        const mst_asset *one = &assets->items[i];
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s %s %llu %s (%s)\n", mst_asset_kind_name(one->kind),
                 states[one->state], (unsigned long long)one->uses, one->name, one->path);
    }
    assert_string_equal(all, expected);
    mst_assets_free(assets);
}

static void sectors(void **state) {
    (void)state;
    const sector_object inner[] = {thing(4, 0), thing(1, 0)};
    sector_object objects[] = {thing(1, 0),  thing(3, 0), {.empty = true},
                               thing(77, 0), thing(8, 0), thing(2, 0)};
    objects[1].class_number = SECTOR_CONTAINER;
    objects[1].has_inventory = true;
    objects[1].inventory = inner;
    objects[1].inventory_count = 2;
    objects[5].class_number = SECTOR_EXIT;
    game g = odd_game();
    writer w;
    mst_document *document = open_objects(objects, 6, &w);
    lists(document, &g,
          "table found 1 class.def (objects)\n"
          "picture found 2 IMAGERY/Forest/Floor.I2D (objects[0].unique_id)\n"
          "model unreadable 1 IMAGERY/bad.I3D (objects[1].unique_id)\n"
          "picture missing 1 IMAGERY/lost.i2d (objects[1].inventory[0].unique_id)\n"
          "picture outside 1 IMAGERY/../up.i2d (objects[5].unique_id)\n");
    /* exits have their destinations there */
    add_text(&g, "exit.def", "door (1, 2, 3) level 4\n");
    lists(document, &g,
          "table found 1 class.def (objects)\n"
          "picture found 2 IMAGERY/Forest/Floor.I2D (objects[0].unique_id)\n"
          "model unreadable 1 IMAGERY/bad.I3D (objects[1].unique_id)\n"
          "picture missing 1 IMAGERY/lost.i2d (objects[1].inventory[0].unique_id)\n"
          "picture outside 1 IMAGERY/../up.i2d (objects[5].unique_id)\n"
          "table found 1 exit.def (objects)\n");
    game_free(&g);
    lists(document, NULL, "table missing 1 class.def (objects)\n");
    mst_close(document);
    writer_free(&w);
    /* types of the first version differ */
    const sector first = {.version = 0, .objects = objects, .object_count = 1};
    w = (writer){0};
    write_sector(&w, &first);
    document = open_named(&w, NAME);
    lists(document, NULL, "");
    mst_close(document);
    writer_free(&w);
}

static void definitions(void **state) {
    (void)state;
    game g = odd_game();
    mst_document *document = open_named(&g.files[0], "class.def"), *exits;
    lists(document, &g,
          "picture found 1 IMAGERY/Forest/Floor.I2D (text@types[0].imagery)\n"
          "picture outside 1 IMAGERY/../up.i2d (text@types[1].imagery)\n"
          "model unreadable 1 IMAGERY/bad.I3D (text@types[2].imagery)\n"
          "picture missing 1 IMAGERY/lost.i2d (text@types[3].imagery)\n"
          "picture missing 1 IMAGERY/gone.i2d (text@types[4].imagery)\n"
          "model missing 1 IMAGERY/away.I3D (text@types[5].imagery)\n"
          "picture missing 1 IMAGERY/off.i2d (text@types[6].imagery)\n");
    const mst_resolver resolver = {.find = find_file, .user = &g};
    const mst_check_options how = {.size = sizeof how, .sidecars = &resolver, .assets = 1, .information = 1};
    findings list = {0};
    MUST(mst_check(document, &how, collect, &list, NULL, NULL), NULL);
    assert_int_equal(list.count, 7);
    assert_int_equal(count_code(&list, "REV-IMAGE-MISSING"), 4);
    assert_string_equal(list.items[6].message,
                        "4 files that are named were not found: IMAGERY/lost.i2d, IMAGERY/gone.i2d, "
                        "IMAGERY/away.I3D, ...");
    assert_string_equal(list.items[0].path, "text@types[1].imagery");
    findings_free(&list);
    mst_close(document);
    exits = open_named(&g.files[0], "exit.def"); /* whatever its contents */
    lists(exits, &g, "");
    mst_close(exits);
    game_free(&g);
}

/* Each code alone, and its place. */
static void findings_of_sectors(void **state) {
    (void)state;
    static const struct {
        uint32_t id;
        const char *code, *expected;
    } cases[] = {{4, "REV-IMAGE-MISSING", "IMAGERY/lost.i2d, 2 times"},
                 {3, "REV-IMAGE-UNREADABLE", "IMAGERY/bad.I3D, 2 times"},
                 {2, "REV-IMAGE-PATH", "IMAGERY/../up.i2d, 2 times"},
                 {1, NULL, NULL}};
    game g = odd_game();
    const mst_resolver resolver = {.find = find_file, .user = &g};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sector_object objects[] = {thing(cases[i].id, 0), thing(cases[i].id, 0)};
        for (size_t k = 0; k < 2; k++) {
            objects[k].position[0] += SECTOR_X * 1024;
            objects[k].position[1] += SECTOR_Y * 1024;
        }
        mst_check_options how = {.size = sizeof how, .sidecars = &resolver, .assets = 1, .information = 1};
        writer w;
        findings list = {0};
        mst_document *document = open_objects(objects, 2, &w);
        MUST(mst_check(document, &how, collect, &list, NULL, NULL), NULL);
        bool missing = i == 0;
        assert_int_equal(list.count, (cases[i].code ? 1 : 0) + missing);
        if (cases[i].code) {
            assert_string_equal(list.items[0].code, cases[i].code);
            assert_string_equal(list.items[0].expected, cases[i].expected);
            assert_string_equal(list.items[0].path, "objects[0].unique_id");
            assert_int_equal(list.items[0].severity, MST_INFORMATION);
            assert_int_equal(list.items[0].length, 4);
        }
        if (missing) {
            assert_string_equal(list.items[1].code, "REV-MISSING");
            assert_int_equal(list.items[1].severity, MST_WARNING);
            assert_string_equal(list.items[1].message,
                                "1 file that is named was not found: IMAGERY/lost.i2d");
        }
        findings_free(&list);
        how.assets = 0; /* the caller does not request them */
        MUST(mst_check(document, &how, collect, &list, NULL, NULL), NULL);
        assert_int_equal(list.count, 0);
        findings_free(&list);
        mst_close(document);
        writer_free(&w);
    }
    game_free(&g);
}

static void memory_ends(void **state) {
    (void)state;
    game g = odd_game();
    const mst_resolver resolver = {.find = find_file, .user = &g};
    const sector_object objects[] = {thing(1, 0), thing(4, 0), thing(2, 0)};
    const sector s = {.version = 8, .objects = objects, .object_count = 3};
    writer w = {0};
    write_sector(&w, &s);
    mst_status status = MST_NO_MEMORY;
    for (int limit = 0; status != MST_OK; limit++) {
        int left = limit;
        const mst_open_options options = {
            .size = sizeof options, .allocator = {no_memory, &left}, .name = NAME};
        mst_document *document;
        mst_assets *assets;
        mst_diagnostic why;
        status = mst_open_memory(w.data, w.size, &options, &document, &why);
        if (status == MST_OK) {
            const mst_document *documents[] = {document};
            status = mst_assets_of(documents, 1, &resolver, &assets, &why);
            if (status == MST_OK)
                mst_assets_free(assets);
            mst_close(document);
        }
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true(limit < 500);
    }
    writer_free(&w);
    game_free(&g);
}

int test_revenant_assets(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sectors), cmocka_unit_test(definitions),
                                       cmocka_unit_test(findings_of_sectors), cmocka_unit_test(memory_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
