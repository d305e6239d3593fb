/* SPDX-License-Identifier: MIT */
/* New objects of sectors: with a class.def, which states the types and their initial values, and without. */
#include "revenant_documents.h"
#include <mapstone/edit.h>

static const char types[] =
    "CLASS \"MONEY\"\nBEGIN\nOBJSTATS\nBEGIN\nAmount AMT 1 1 100\nEND\n"
    "TYPES\nBEGIN\n\"Gold\" \"Misc\\Coin.I2D\" 0x4ec80068 {} {25}\nEND\nEND\n"
    "CLASS \"EXIT\"\nBEGIN\nOBJSTATS\nBEGIN\nLocked LOCK 0 0 1\nKeyId KEY 7 0 9\nEND\n"
    "TYPES\nBEGIN\n\"Oak Door\" \"Misc\\Door.I3D\" 0x036a03f6 {} {1}\n"
    "\"Gate\" \"Misc\\Gate.I2D\" 0x036a03f7 {} {0,3}\nEND\nEND\n"
    "CLASS \"CHARACTER\"\nBEGIN\nTYPES\nBEGIN\n\"Monk\" \"monk.I3D\" 0x95 {} {}\nEND\nEND\n"
    "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n\"Oak\" \"oak.I2D\" 0x9 {} {}\nEND\nEND\n"
    "CLASS \"EFFECT\"\nBEGIN\nTYPES\nBEGIN\n\"Drip\" \"drip.i3d\" 0x5975abde {} {}\n"
    "\"Speaker\" \"s.i3d\" 0x302 {} {}\nEND\nEND\n"
    "CLASS \"TRAP\"\nBEGIN\nTYPES\nBEGIN\n\"SpikeWall\" \"w.i3d\" 0x84b30587 {} {}\nEND\nEND\n"
    "CLASS \"PLAYER\"\nBEGIN\nTYPES\nBEGIN\n\"Locke\" \"l.i3d\" 0x1 {} {}\nEND\nEND\n"
    "CLASS \"NONE\"\nBEGIN\nTYPES\nBEGIN\n\"Thing\" \"t.i3d\" 0x2 {} {}\nEND\nEND\n";
static const mst_check_options checks = {
    .size = sizeof checks, .schema = types, .schema_size = sizeof types - 1};
static const mst_edit_options with_types = {.size = sizeof with_types, .checks = &checks};

static mst_status apply(mst_document *d, const char *text, const mst_edit_options *options,
                        mst_diagnostic *why) {
    mst_operations *all = NULL;
    size_t count;
    mst_status status = mst_operations_read(&all, text, strlen(text), 1, NULL, why);
    const mst_operation *items = mst_operations_all(all, &count);
    if (status == MST_OK)
        status = mst_edit(d, items, count, options, why);
    mst_operations_free(all);
    return status;
}

static mst_document *sector_of(uint32_t version, writer *w, uint64_t *count) {
    sector_source r;
    good_sector(&r, version);
    *w = written(&r.s);
    mst_document *d = open_named(w, NAME);
    mst_value objects = value_at(d, "objects");
    *count = mst_count(&objects);
    return d;
}

/* A member of the last object. */
static void last_is(const mst_document *d, const char *member, const char *expected) {
    char path[80];
    snprintf(path, sizeof path, "objects[-1].%s", member);
    assert_json_at(d, path, expected);
}

static bool last_has(const mst_document *d, const char *member) {
    char path[80];
    snprintf(path, sizeof path, "objects[-1].%s", member);
    return has(d, path);
}

static void assert_is_gone(mst_document *d, uint64_t count, const writer *w) {
    char path[40];
    mst_diagnostic why;
    snprintf(path, sizeof path, "objects[%llu]", (unsigned long long)count);
    MUST(mst_remove(d, path, &why), &why);
    assert_same_bytes(d, w->data, w->size);
}

/* Class, number and statistics are the type's (revenant.md 4.2), missing values are the defaults of the
 * class; everything else follows the text about conversion (revenant.md 5). */
static void as_class_def_says(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++) {
        writer w;
        uint64_t count;
        mst_diagnostic why;
        mst_document *d = sector_of(version, &w, &count);
        MUST(apply(d, "add \"oak DOOR\" name=front", &with_types, &why), &why);
        last_is(d, "class", "\"exit\"");
        last_is(d, "unique_id", "57279478");
        last_is(d, "name", "\"front\"");
        last_is(d, "position", "[3584,5632,0]"); /* the middle of 3, 5 */
        last_is(d, "flags", "[\"immobile\",\"animate\",\"pulse\"]");
        last_is(d, "exit_flags", "[]");
        last_is(d, "inventory_number", "-1");
        assert_int_equal(last_has(d, "inventory"), version >= 3 && version < 14);
        assert_int_equal(last_has(d, "velocity"), version < 6);
        if (version >= 5)
            last_is(d, "stats", "[{\"value\":1,\"id\":\"LOCK\"},{\"value\":7,\"id\":\"KEY\"}]");
        if (version >= 6)
            last_is(d, "frame_rate", "1");
        assert_round_trips(d);
        assert_is_gone(d, count, &w);
        MUST(apply(d, "add Monk", &with_types, &why), &why);
        if (version >= 8) {
            last_is(d, "object_version", "4");
            last_is(d, "complex_version", "1");
            last_is(d, "last_poison", "-1");
            last_is(d, "teleport_position", "[-1,-1,-1]");
            last_is(d, "teleport_level", "-1");
        }
        if (version >= 7)
            last_is(d, "root_state", "\"still\"");
        assert_is_gone(d, count, &w);
        mst_close(d);
        writer_free(&w);
    }
}

/* A type is given by name or number, or it is the first one of its class. */
static void which_type(void **state) {
    (void)state;
    static const char *const numbers[][2] = {{"add exit", "57279478"},
                                             {"add exit unique_id=0x036A03F7", "57279479"},
                                             {"add exit unique_id=57279479", "57279479"},
                                             {"add gate", "57279479"},
                                             {"add tile flags=immobile", "9"},
                                             {"add tile flags=immobile,animate", "9"},
                                             {"add objects class=money", "1321730152"}};
    writer w;
    uint64_t count;
    mst_diagnostic why;
    mst_document *d = sector_of(8, &w, &count);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        MUST(apply(d, numbers[i][0], &with_types, &why), &why);
        last_is(d, "unique_id", numbers[i][1]);
    }
    last_is(d, "stats", "[{\"value\":25,\"id\":\"AMT\"}]");
    last_is(d, "flags", "[\"pulse\"]");
    /* others are copied from existing objects */
    MUST(apply(d, "add exit unique_id=0x77", &with_types, &why), &why);
    last_is(d, "unique_id", "119");
    static const char *const nothing[] = {"add Locke", "add Thing", "add Oaks", "add \"\""};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_int_not_equal(apply(d, nothing[i], &with_types, &why), MST_OK);
    assert_int_equal(apply(d, "add Gold", NULL, &why), MST_NO_PATH);
    assert_string_equal(why.expected, "a list, a class, or --schema with a class of that name");
    assert_int_equal(apply(d, "add exit unique_id=99999999999", &with_types, &why), MST_ARGUMENT);
    mst_close(d);
    writer_free(&w);
}

/* Types that store more than their class (revenant.md 3.5). */
static void types_with_fields(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++) {
        writer w;
        uint64_t count;
        mst_diagnostic why;
        mst_document *d = sector_of(version, &w, &count);
        MUST(apply(d, "add Drip", &with_types, &why), &why);
        last_is(d, "ripple_size", "32");
        last_is(d, "height", "256");
        last_is(d, "period", "48");
        assert_is_gone(d, count, &w);
        MUST(apply(d, "add Speaker sound=wind", &with_types, &why), &why);
        last_is(d, "sound", "\"wind\"");
        last_is(d, "sample_length", "0");
        assert_int_equal(last_has(d, "unknown_sound_2"), version >= 14);
        assert_round_trips(d);
        assert_is_gone(d, count, &w);
        MUST(apply(d, "add SpikeWall", &with_types, &why), &why);
        assert_int_equal(last_has(d, "exit_flags"), version < 14);
        assert_int_equal(last_has(d, "locked"), version >= 2 && version < 5);
        assert_is_gone(d, count, &w);
        mst_close(d);
        writer_free(&w);
    }
}

/* A carried object has the first place, and no position. */
static void into_an_inventory(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 15);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    mst_diagnostic why;
    mst_operation one = {
        .kind = MST_OPERATION_INSERT, .path = "objects[3].inventory[0]", .value = "{\"class\": \"money\"}"};
    MUST(mst_edit(d, &one, 1, &with_types, &why), &why);
    assert_json_at(d, "objects[3].inventory[0].unique_id", "1321730152");
    assert_json_at(d, "objects[3].inventory[0].inventory_index", "0");
    assert_json_at(d, "objects[3].inventory[0].position", "[0,0,0]");
    mst_close(d);
    writer_free(&w);
}

/* From version 3 to 13 every object stores the number of things in it (revenant.md 3.2); an empty slot stores
 * nothing. */
static void nothing_in_it(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 15; version++) {
        writer w;
        uint64_t count;
        mst_diagnostic why;
        mst_document *d = sector_of(version, &w, &count);
        static const char *const given[] = {"add food", "add exit", "add objects", "add food name=x"};
        for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
            MUST(apply(d, given[i], NULL, &why), &why);
            assert_int_equal(last_has(d, "inventory"), version >= 3 && version < 14);
            assert_is_gone(d, count, &w);
        }
        MUST(apply(d, version < 8 ? "add empty" : "add objects object_version=-1", NULL, &why), &why);
        assert_false(last_has(d, "inventory"));
        assert_is_gone(d, count, &w);
        assert_int_equal(apply(d, "insert objects[0] = 5", NULL, &why), MST_ARGUMENT);
        assert_int_equal(apply(d, "insert objects[0] = {", NULL, &why), MST_ARGUMENT);
        mst_close(d);
        writer_free(&w);
    }
}

static void memory_that_does_not_last(void **state) {
    (void)state;
    sector_source r;
    good_sector(&r, 8);
    writer w = written(&r.s);
    for (size_t fail_at = 1, failed = 1; failed; fail_at += sample_step()) {
        counted memory = {0};
        mst_open_options how = {.size = sizeof how, .allocator = counted_allocator(&memory), .name = NAME};
        mst_document *d;
        mst_diagnostic why;
        MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
        mst_operation add = {.kind = MST_OPERATION_ADD, .path = "Oak Door", .value = "{\"name\": \"a\"}"};
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_edit(d, &add, 1, &with_types, &why);
        failed = memory.failed;
        memory.fail_at = 0;
        assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
        mst_close(d);
        assert_int_equal(memory.blocks, 0);
    }
    writer_free(&w);
}

int test_revenant_adding(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_class_def_says), cmocka_unit_test(which_type),
        cmocka_unit_test(types_with_fields), cmocka_unit_test(into_an_inventory),
        cmocka_unit_test(nothing_in_it),     cmocka_unit_test(memory_that_does_not_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
