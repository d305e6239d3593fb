/* SPDX-License-Identifier: MIT */
/* Sectors converted to other versions. */
#include "revenant_documents.h"
#include "stopping.h"

/* ---- conversions -------------------------------------------------------------------------------- */

/* The expected sector in version 15. */
static void as_15(sector_source *to, const sector_source *from, uint32_t version);

static void object_as_15(sector_object *o, uint32_t version) {
    if (o->empty)
        return;
    if (o->class_number == SECTOR_PLAYER) {
        *o = (sector_object){.empty = true};
        return;
    }
    bool character = o->class_number == SECTOR_CHARACTER;
    if (version < 8) {
        o->object_version = character ? 4 : 0;
        o->complex_version = 1;
        o->instance_version = 0;
        memset(o->recovery_times, 0, sizeof o->recovery_times);
        o->last_poison = -1;
        for (int i = 0; i < 4; i++)
            o->teleport[i] = -1;
    }
    if (version < 7) {
        o->action = 1;
        o->root_state = "still";
    }
    if (version < 6)
        o->level = 0;
    if (version < 5) {
        o->group = o->stat_count = 0;
        o->frame = 0;
        o->frame_rate = 1;
    }
    if (version < 3) {
        o->rotation[0] = o->rotation[1] = 0;
        o->rotation[2] = o->facing;
        o->inventory_index = -1;
        o->map_index = -1;
        o->inventory_count = 0;
    }
    o->has_inventory = false;
    if (version < 4)
        o->tail_size = 0;
}

static void as_15(sector_source *to, const sector_source *from, uint32_t version) {
    *to = *from;
    to->s.objects = to->objects;
    for (size_t i = 0; i < SECTOR_MANY; i++) {
        if (to->objects[i].inventory == from->bag)
            to->objects[i].inventory = to->bag;
        object_as_15(&to->objects[i], version);
    }
    for (size_t i = 0; i < 3; i++) {
        if (to->bag[i].inventory == from->purse)
            to->bag[i].inventory = to->purse;
        object_as_15(&to->bag[i], version);
    }
    for (size_t i = 0; i < 2; i++)
        object_as_15(&to->purse[i], version);
    to->s.version = 15;
    to->s.trailing_size = 0;
    to->s.prose = false;
}

static void print_losses(uint32_t from, uint32_t to, const findings *list) {
    print_error("version %u to %u:\n", from, to);
    print_findings(list);
}

static bool loses(const findings *list, const char *path) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return true;
    return false;
}

/* From versions 1 to 8 to 15: kept, added and lost values. */
static void up_to_15(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 8; version++) {
        sector_source r, expected;
        full_sector(&r, version);
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = "0123456789";
        r.objects[8].player_size = 10;
        r.s.trailing = "left";
        r.s.trailing_size = 4;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.size = sizeof options, .version = 15, .has_version = 1};
        assert_int_equal(mst_convert(d, &options, collect, &list, &made, &why), MST_REFUSED);
        assert_null(made);
        assert_true(why.message[0] != 0);
        /* by the description: health below 5, locks, amounts, below 3 its unknowns, players, trailing bytes
         */
        size_t wanted = 2;
        wanted += version < 5;                         /* Locke's health */
        wanted += version < 3 ? 3 : 0;                 /* his unknown fields */
        wanted += version >= 2 && version < 5 ? 4 : 0; /* locks of gate and chest */
        wanted += version >= 3 && version < 5 ? 2 + 1 + 1 : 0 /* the purse and its content */;
        if (list.count != wanted)
            print_losses(version, 15, &list);
        assert_int_equal(list.count, wanted);
        assert_true(loses(&list, "trailing"));
        assert_true(loses(&list, "objects[8]"));
        assert_int_equal(loses(&list, "objects[3].health"), version < 5);
        assert_int_equal(loses(&list, "objects[3].first_item"), version < 3);
        assert_int_equal(loses(&list, "objects[4].locked"), version >= 2 && version < 5);
        assert_int_equal(loses(&list, "objects[3].inventory[2].inventory[0].amount_minus_1"),
                         version >= 3 && version < 5);
        for (size_t i = 0; i < list.count; i++) {
            assert_int_equal(list.items[i].severity, MST_WARNING);
            mst_value value;
            MUST(mst_find(mst_root(d), list.items[i].path, &value, &why), &why);
            uint64_t offset, length;
            mst_value_span(&value, &offset, &length);
            assert_int_equal(list.items[i].offset, offset);
            assert_int_equal(list.items[i].length, length);
        }
        findings_free(&list);
        options.allow_loss = 1;
        options.name = "44_3_5.DAT";
        MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
        assert_int_equal(list.count, wanted);
        as_15(&expected, &r, version);
        right_hash(&expected.s);
        assert_is_sector(made, &expected.s);
        assert_round_trips(made);
        assert_int_equal(mst_document_version(made), 15);
        mst_close(made);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* Nothing is lost if there is nothing to lose. */
static void up_without_loss(void **state) {
    (void)state;
    for (uint32_t version = 5; version <= 13; version++) {
        sector_source r;
        full_sector(&r, version);
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made, *back;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.size = sizeof options, .version = 15, .has_version = 1};
        mst_status status = mst_convert(d, &options, collect, &list, &made, &why);
        if (status != MST_OK)
            print_losses(version, 15, &list);
        MUST(status, &why);
        assert_int_equal(list.count, 0);
        assert_round_trips(made);
        /* and back again: everything is unchanged, even where added values have no place */
        options.version = version;
        MUST(mst_convert(made, &options, collect, &list, &back, &why), &why);
        assert_int_equal(list.count, 0);
        assert_same_bytes(back, w.data, w.size);
        assert_round_trips(back);
        mst_close(back);
        mst_close(made);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* Before version 6 all things have a velocity, and in 5 a frame: for classes without these it is lost. */
static void up_with_velocities(void **state) {
    (void)state;
    for (uint32_t version = 1; version <= 5; version++) {
        sector_source r;
        full_sector(&r, version);
        r.objects[0].velocity[1] = 5;
        r.objects[0].frame = 3;
        r.objects[4].frame_rate = 7;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.size = sizeof options, .version = 15, .has_version = 1};
        assert_int_equal(mst_convert(d, &options, collect, &list, &made, &why), MST_REFUSED);
        assert_true(loses(&list, "objects[0].velocity"));
        assert_false(loses(&list, "objects[3].velocity"));
        assert_int_equal(loses(&list, "objects[0].frame"), version == 5);
        assert_int_equal(loses(&list, "objects[4].frame_rate"), version == 5);
        findings_free(&list);
        mst_close(d);
        writer_free(&w);
    }
}

/* To older versions: the list of losses, each with its path. */
static void down(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint32_t below; /* lost in versions below this */
    } lost[] = {
        {"objects[2].frame", 5},
        {"objects[3].stats", 5},
        {"objects[3].group", 5},
        {"objects[3].level", 6},
        {"objects[3].action", 7},
        {"objects[3].root_state", 7},
        {"objects[3].recovery_times", 8},
        {"objects[3].teleport_level", 8},
        {"objects[3].inventory", 3},
        {"objects[0].map_index", 3},
        {"objects[7].unknown_tail", 4},
        {"objects[7].inventory_tail", 4},
        {"objects[3].instance_version", 8},
        {"objects[4].level", 6},
    };
    for (uint32_t from = 14; from <= 15; from++)
        for (uint32_t to = 1; to < 15; to++) {
            if (to == from)
                continue;
            sector_source r;
            full_sector(&r, from);
            r.objects[2].rotation[2] = 0;
            right_hash(&r.s);
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME), *made;
            mst_diagnostic why;
            findings list = {0};
            mst_convert_options options = {
                .size = sizeof options, .version = to, .has_version = 1, .allow_loss = 1};
            mst_status status = mst_convert(d, &options, collect, &list, &made, &why);
            if (status != MST_OK)
                print_error("version %u to %u\n", from, to);
            MUST(status, &why);
            assert_int_equal(mst_document_version(made), to);
            assert_round_trips(made);
            for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
                if (loses(&list, lost[i].path) != (to < lost[i].below)) {
                    print_error("%s\n", lost[i].path);
                    print_losses(from, to, &list);
                }
                assert_int_equal(loses(&list, lost[i].path), to < lost[i].below);
            }
            for (size_t i = 0; i < list.count; i++) {
                mst_value value;
                mst_status led = mst_find(mst_root(d), list.items[i].path, &value, &why);
                MUST(led, &why);
            }
            assert_int_equal(number_at(made, "objects[3].position[0]"), 3 * 1024 + 10);
            assert_json_at(made, "objects[3].name", "\"Locke\"");
            if (to < 3)
                assert_int_equal(number_at(made, "objects[3].facing"), 0);
            mst_document *none;
            options.allow_loss = 0;
            mst_status strict = mst_convert(d, &options, NULL, NULL, &none, &why);
            assert_int_equal(strict, list.count ? MST_REFUSED : MST_OK);
            if (strict == MST_OK)
                mst_close(none);
            findings_free(&list);
            mst_close(made);
            mst_close(d);
            writer_free(&w);
        }
}

static void refused(void **state) {
    (void)state;
    static uint8_t tail[32767];
    sector_source r;
    mst_document *d, *made;
    mst_diagnostic why;
    mst_convert_options options = {.size = sizeof options, .version = 15, .has_version = 1, .allow_loss = 1};
    /* an object of version 8 of the maximum size grows by a byte in version 15 */
    full_sector(&r, 8);
    writer probe = written(&r.s);
    size_t body = mst_load16(probe.data + mark_of(&probe, "objects[6].unique_id")->offset + 4, false);
    writer_free(&probe);
    for (size_t over = 0; over < 8; over++) {
        full_sector(&r, 8);
        r.objects[6].tail = tail;
        r.objects[6].tail_size = 32767 - body - over;
        writer w = written(&r.s);
        d = open_named(&w, NAME);
        mst_status status = mst_convert(d, &options, NULL, NULL, &made, &why);
        /* its count of no inventory is removed (4), its state widens (1) */
        assert_int_equal(status, MST_OK);
        mst_close(made);
        mst_close(d);
        writer_free(&w);
    }
    full_sector(&r, 3); /* which has no sizes */
    char *text = malloc(33000);
    assert_non_null(text);
    memset(text, 't', 32999);
    text[32999] = 0;
    r.objects[5].text = text;
    writer w = written(&r.s);
    d = open_named(&w, NAME);
    for (uint32_t to = 4; to <= 15; to++) {
        options.version = to;
        assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_REFUSED);
        assert_null(made);
        assert_true(why.message[0] != 0);
    }
    options.version = 2;
    MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
    mst_close(made);
    mst_close(d);
    writer_free(&w);
    free(text);
    /* versions that do not exist */
    full_sector(&r, 8);
    w = written(&r.s);
    d = open_named(&w, NAME);
    options.version = 16;
    assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_ARGUMENT);
    options.version = 0;
    assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    mst_convert_options big = {.size = sizeof big, .byte_order = "big"};
    assert_int_equal(mst_convert(d, &big, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&w);
}

/* Between versions with two sizes a player is kept unchanged. */
static void players_stay(void **state) {
    (void)state;
    for (uint32_t from = 14; from <= 15; from++) {
        sector_source r;
        good_sector(&r, from);
        r.objects[6].has_inventory = r.objects[7].has_inventory = false; /* an empty one is dropped */
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = "0123456789";
        r.objects[8].player_size = 10;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        mst_convert_options options = {.size = sizeof options, .version = 29 - from, .has_version = 1};
        MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
        r.s.version = 29 - from;
        mst_value hash = value_at(made, "state_hash");
        uint64_t stored = 0;
        MUST(mst_get_unsigned(&hash, &stored), NULL);
        r.s.state_hash = (uint32_t)stored;
        assert_is_sector(made, &r.s);
        mst_close(made);
        mst_close(d);
        writer_free(&w);
    }
    /* below, a player is an object like others */
    for (uint32_t to = 5; to <= 15; to++) {
        sector_source r;
        full_sector(&r, 4);
        r.objects[8].class_number = SECTOR_PLAYER;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {
            .size = sizeof options, .version = to, .has_version = 1, .allow_loss = 1};
        MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
        assert_int_equal(loses(&list, "objects[8]"), to >= 8);
        assert_int_equal(has(made, "objects[8].name"), to < 8);
        findings_free(&list);
        mst_close(made);
        mst_close(d);
        writer_free(&w);
    }
}

/* A loss report that stops early, and insufficient memory. */
static void conversions_that_end_early(void **state) {
    (void)state;
    static const uint32_t versions[][2] = {{15, 1}, {15, 3}, {4, 15}, {15, 6}, {8, 5}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        sector_source r;
        full_sector(&r, versions[i][0]);
        r.objects[8].class_number = SECTOR_PLAYER;
        r.objects[8].player = "0123456789";
        r.objects[8].player_size = 10;
        r.objects[3].root_state = "stand"; /* as long as the default one */
        r.objects[3].state = 300;
        r.s.trailing = "left";
        r.s.trailing_size = 4;
        writer w = written(&r.s);
        mst_document *d = open_named(&w, NAME), *made;
        mst_diagnostic why;
        mst_convert_options options = {
            .size = sizeof options, .version = versions[i][1], .has_version = 1, .allow_loss = 1};
        findings list = {0};
        MUST(mst_convert(d, &options, collect, &list, &made, &why), &why);
        mst_close(made);
        if (versions[i][0] == 15 && versions[i][1] < 7)
            assert_true(loses(&list, "objects[3].root_state"));
        for (size_t at = 0; at < list.count; at++) {
            stopping s = {.at = at};
            assert_int_equal(mst_convert(d, &options, stop_at, &s, &made, &why), MST_STOPPED);
            assert_int_equal(s.heard, at + 1);
            assert_null(made);
        }
        assert_true(list.count > 2);
        findings_free(&list);
        mst_close(d);
        for (size_t fail_at = 1;; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {
                .size = sizeof how, .name = NAME, .allocator = counted_allocator(&memory)};
            MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            mst_status status = mst_convert(d, &options, NULL, NULL, &made, &why);
            bool failed = memory.failed;
            memory.fail_at = 0;
            assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
            mst_close(made);
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
            if (!failed)
                break;
        }
        writer_free(&w);
    }
    /* one thing only */
    sector_source r;
    full_sector(&r, 8);
    r.s.trailing = "left";
    r.s.trailing_size = 4;
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME), *made;
    mst_diagnostic why;
    mst_convert_options options = {.size = sizeof options, .version = 15, .has_version = 1};
    assert_int_equal(mst_convert(d, &options, NULL, NULL, &made, &why), MST_REFUSED);
    assert_string_equal(why.message, "1 value would be lost in version 15");
    mst_close(d);
    writer_free(&w);
}

/* Deep inventories are converted as well. */
static void deep_conversions(void **state) {
    (void)state;
    writer w = {0};
    deep(3, sample_step() > 1 ? 100 : 400, &w);
    mst_document *d = open_named(&w, NAME), *made;
    mst_diagnostic why;
    for (uint32_t to = 1; to <= 15; to++) {
        mst_convert_options options = {
            .size = sizeof options, .version = to, .has_version = 1, .allow_loss = 1};
        MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
        assert_encodes(made);
        mst_close(made);
    }
    mst_close(d);
    writer_free(&w);
}

int test_revenant_convert(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(up_to_15),
        cmocka_unit_test(up_without_loss),
        cmocka_unit_test(up_with_velocities),
        cmocka_unit_test(down),
        cmocka_unit_test(refused),
        cmocka_unit_test(players_stay),
        cmocka_unit_test(conversions_that_end_early),
        cmocka_unit_test(deep_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
