/* SPDX-License-Identifier: MIT */
/* Sectors of Revenant: every version, and files that do not open. */
#include "revenant_documents.h"

/* ---- every version ------------------------------------------------------------------------------ */

static void every_version(void **state) {
    (void)state;
    for (uint32_t version = 0; version <= 15; version++)
        for (int prose = 0; prose <= (version >= 14 ? 1 : 0); prose++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            if (version) {
                r.s.trailing = "left";
                r.s.trailing_size = 4;
            }
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_string_equal(mst_document_format(d)->id, "revenant-sector");
            assert_int_equal(mst_document_version(d), version);
            assert_marks(d, &w);
            assert_round_trips(d);
            assert_false(mst_is_edited(d));
            mst_value list = value_at(d, "objects");
            assert_int_equal(mst_count(&list), r.s.object_count);
            mst_value slot = value_at(d, "objects[1]");
            assert_int_equal(mst_count(&slot), 1); /* an empty one has a negative number and nothing else */
            assert_int_equal(has(d, "objects[3].inventory[2].inventory[1].name"), version >= 3);
            assert_int_equal(has(d, "objects[3].velocity"), true);
            assert_int_equal(has(d, "objects[0].velocity"), version < 6);
            assert_int_equal(has(d, "objects[3].complex_version"), version >= 8);
            mst_close(d);
            writer_free(&w);
        }
}

/* Reading a value does not read others, even if a complete record is encoded. */
static void one_value(void **state) {
    (void)state;
    static const struct {
        const char *path, *json;
    } cases[] = {
        {"objects[6].inventory_tail", "\"\",\"unknown_tail\":\"aabbccdd\""},
        {"objects[7].inventory_tail", "\"\",\"unknown_tail\":\"aabbccdd\""},
        {"objects[7].unknown_tail", "\"\",\"inventory_tail\":\"aabbccdd\""},
        {"objects[3].flags", "4,\"name\":\"x\""},
        {"objects[3].flags", "[\"light\"],\"name\":\"x\""},
        {"objects[3].class", "\"weapon\",\"name\":\"x\""},
        {"objects[3].class", "weapon,\"name\":\"x\""},
        {"objects[3].inventory", "[],\"name\":\"x\""},
        {"objects[3].name", "\"a\",\"shadow\":5"},
    };
    sector_source r;
    full_sector(&r, 15);
    right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_status status = mst_set(d, cases[i].path, cases[i].json, &why);
        if (status != MST_ARGUMENT)
            print_error("%s = %s\n", cases[i].path, cases[i].json);
        assert_int_equal(status, MST_ARGUMENT);
    }
    assert_same_bytes(d, w.data, w.size);
    mst_close(d);
    writer_free(&w);
}

/* JSON and paths for values that are stored in different forms. */
static void texts_and_names(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 15);
    right_hash(&r.s);
    writer w = written(&r.s);
    mst_document *d = open_named(&w, NAME);
    assert_json_at(d, "objects[3].name", "\"Locke\"");
    assert_json_at(d, "objects[3].class", "\"character\"");
    assert_json_at(d, "objects[3].flags", "[\"light\",\"animate\",\"nonmap\"]");
    assert_json_at(d, "objects[3].stats[0]", "{\"value\":-12,\"id\":\"HLTH\"}");
    assert_json_at(d, "objects[4].exit_flags", "[\"on\",\"from_exit\"]");
    assert_json_at(d, "objects[2].light.flags", "[\"directional\",\"moon\"]");
    assert_json_at(d, "objects[5].text", "\"Beware.\\nOf \\\"it\\\".\"");
    assert_json_at(d, "objects[7].unknown_tail", "\"01020304\"");
    assert_json_at(d, "objects[7].inventory_tail", "\"78797a\"");
    assert_json_at(d, "objects[name=gate].level", "3");
    mst_value value = value_at(d, "objects[3].name");
    char text[16];
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, "Locke");
    mst_close(d);
    /* a name of which one byte has no bit 7 is shown as bytes, and kept */
    size_t name = mark_of(&w, "objects[3].name")->offset;
    w.data[name + 2] &= 0x7F;
    d = open_named(&w, NAME);
    assert_json_at(d, "objects[3].name", "{\"$raw\":\"cc6fe3ebe5\"}");
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
    r.objects[3].plain_name = true;
    w = written(&r.s);
    d = open_named(&w, NAME);
    assert_json_at(d, "objects[3].name", "{\"$raw\":\"4c6f636b65\"}");
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
    /* before version 14 they are plain */
    full_sector(&r, 8);
    w = written(&r.s);
    d = open_named(&w, NAME);
    assert_json_at(d, "objects[3].name", "\"Locke\"");
    assert_json_at(d, "objects[3].stats[0].id", "\"HLTH\"");
    mst_close(d);
    writer_free(&w);
}

/* Inventories: the count may exceed the number of things; an empty one differs from none. */
static void inventories(void **state) {
    (void)state;
    for (int prose = 0; prose < 2; prose++)
        for (uint32_t version = 14; version <= 15; version++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            r.bag[2].count_more = 2;
            r.objects[3].count_more = 1000000;
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_marks(d, &w);
            assert_round_trips(d);
            mst_value list = value_at(d, "objects[3].inventory");
            assert_int_equal(mst_count(&list), 3);
            assert_int_equal(number_at(d, "objects[3].inventory_count"), 1000003);
            list = value_at(d, "objects[3].inventory[2].inventory");
            assert_int_equal(mst_count(&list), 2);
            assert_true(has(d, "objects[6].inventory_count"));
            assert_false(has(d, "objects[0].inventory_count"));
            mst_close(d);
            writer_free(&w);
        }
}

/* Players of saved games are kept unchanged. */
static void players(void **state) {
    (void)state;
    static const char body[40] = "\1\2\3 a body of which nothing is known";
    for (uint32_t version = 1; version <= 15; version++)
        for (int prose = 0; prose <= (version >= 14 ? 1 : 0); prose++) {
            sector_source r;
            full_sector(&r, version);
            r.s.prose = prose != 0;
            r.objects[3].class_number = SECTOR_PLAYER;
            r.objects[3].object_version = 15;
            r.objects[3].player = body;
            r.objects[3].player_size = sizeof body;
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_marks(d, &w);
            assert_round_trips(d);
            assert_int_equal(has(d, "objects[3].player"), version >= 8);
            assert_int_equal(has(d, "objects[3].name"), version < 8);
            if (version >= 14)
                assert_true(has(d, "objects[3].inventory[2].inventory[1]"));
            mst_close(d);
            writer_free(&w);
        }
}

/* Unknown bytes, of every length, in both places. */
static void unknown_tails(void **state) {
    (void)state;
    static const uint8_t bytes[40] = {1,  0, 0, 0, 255, 255, 0, 0, 9, 200, 0, 0, 0, 7, 7, 7, 0, 0, 0, 0,
                                      12, 0, 1, 2, 3,   4,   5, 6, 7, 8,   9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    size_t step = sample_step() > 1 ? 5 : 1;
    for (uint32_t version = 4; version <= 15; version++)
        for (size_t size = 0; size < sizeof bytes; size += step) {
            sector_source r;
            full_sector(&r, version);
            for (size_t i = 3; i < 9; i++) {
                r.objects[i].tail = bytes + i % 4;
                r.objects[i].tail_size = size - (size < i % 4 ? size : i % 4);
                if (version >= 14 && (r.objects[i].inventory_count || r.objects[i].has_inventory)) {
                    r.objects[i].inventory_tail = bytes;
                    r.objects[i].inventory_tail_size = size;
                }
            }
            writer w = written(&r.s);
            mst_document *d = open_named(&w, NAME);
            assert_marks(d, &w);
            if (size % 5 == 0)
                assert_round_trips(d);
            else
                assert_encodes(d);
            mst_close(d);
            writer_free(&w);
        }
}

/* From version 4 to 13 a body of unknown length hides the position of the inventory. */
static void bodies_without_an_inventory(void **state) {
    (void)state;
    for (uint32_t version = 4; version <= 13; version++) {
        for (uint8_t last = 0; last < 3; last++) {
            sector_source r;
            full_sector(&r, version);
            writer w = written(&r.s);
            /* a count of the first object's inventory that does not fit: no inventory */
            const mark *group = mark_of(&w, version >= 5 ? "objects[0].group" : "objects[0].map_index");
            size_t count = group->offset + group->length + (version >= 5);
            assert_int_equal(mst_load32(w.data + count, false), 0);
            w.data[count + last] = 9;
            mst_document *d = open_named(&w, NAME);
            assert_false(has(d, "objects[0].inventory"));
            mst_value tail = value_at(d, "objects[0].unknown_tail");
            const void *bytes;
            size_t size;
            MUST(mst_get_bytes(&tail, &bytes, &size), NULL);
            assert_int_equal(size, 4);
            assert_round_trips(d);
            mst_close(d);
            writer_free(&w);
        }
    }
}

/* ---- deep nesting ------------------------------------------------------------------------------- */

static void deep_nesting(void **state) {
    (void)state;
    static const struct {
        uint32_t version, depth;
    } cases[] = {{3, 1000}, {4, 480}, {8, 500}, {14, 500}, {15, 500}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        deep(cases[i].version, cases[i].depth, &w);
        mst_document *d = open_named(&w, NAME);
        assert_round_trips(d);
        assert_true(has(d, "objects[0].inventory[0].inventory[0].inventory[0].name"));
        mst_close(d);
        /* the innermost one claims another level */
        mst_store32(w.data + w.size - 4, 1, false);
        mst_diagnostic why;
        mst_status status = try_named(&w, NAME, &d, &why);
        assert_int_equal(status, cases[i].version == 3 ? MST_DAMAGED : MST_OK);
        mst_close(d);
        writer_free(&w);
    }
    /* without sizes it may continue */
    writer w = {0};
    deep(3, sample_step() > 1 ? 2000 : 20000, &w);
    mst_document *d = open_named(&w, NAME);
    assert_ledger(d);
    assert_json(d, 1);
    assert_checks(d);
    mst_close(d);
    writer_free(&w);
}

/* ---- version 0 ---------------------------------------------------------------------------------- */

static void version_0(void **state) {
    (void)state;
    sector_source r;
    full_sector(&r, 0);
    writer w = written(&r.s);
    mst_document *d;
    mst_diagnostic why;
    /* only its name identifies it */
    assert_int_equal(try_named(&w, "44_3_5.TXT", &d, &why), MST_UNKNOWN);
    assert_int_equal(try_named(&w, "readme.dat", &d, &why), MST_UNKNOWN);
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &d, &why), MST_UNKNOWN);
    static const char *const names[] = {"44_3_5.DAT", "1_9_9.dat", "MAP/3600_4_5.DAT", "C:\\MAP\\0_0_0.Dat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        d = open_named(&w, names[i]);
        assert_marks(d, &w);
        mst_close(d);
    }
    mst_open_options options = {.size = sizeof options, .format = "revenant-sector"};
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    assert_marks(d, &w);
    assert_round_trips(d);
    mst_close(d);
    /* another structure is kept as bytes */
    for (size_t cut = 1; cut < 60; cut += 7) {
        writer shorter = {.data = w.data, .size = w.size - cut};
        d = open_named(&shorter, NAME);
        assert_int_equal(mst_document_version(d), 0);
        assert_false(has(d, "objects"));
        mst_value data = value_at(d, "data");
        const void *bytes;
        size_t size;
        MUST(mst_get_bytes(&data, &bytes, &size), NULL);
        assert_int_equal(size, w.size - cut);
        assert_round_trips(d);
        mst_buffer text = {0};
        mst_value root = mst_root(d);
        MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
        MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
        assert_non_null(strstr((const char *)text.data, "\"$layout\": \"raw\""));
        mst_buffer_free(&text);
        mst_close(d);
    }
    /* nothing states the types of its objects: it cannot be converted */
    d = open_named(&w, NAME);
    mst_document *made;
    mst_convert_options convert = {.size = sizeof convert, .version = 15, .has_version = 1, .allow_loss = 1};
    assert_int_equal(mst_convert(d, &convert, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&w);
}

/* ---- files that do not open --------------------------------------------------------------------- */

static void errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        const error_case *c = &error_cases[i];
        for (uint32_t version = c->first; version <= c->last; version++) {
            sector_source r;
            good_sector(&r, version);
            writer w = written(&r.s);
            size_t place = mark_of(&w, c->where)->offset + (size_t)(ptrdiff_t)c->delta;
            mst_store(w.data + place, c->width, c->value, false);
            mst_document *d;
            mst_diagnostic why;
            mst_status status = try_named(&w, NAME, &d, &why);
            if (status != MST_DAMAGED || strcmp(why.code, c->code) != 0 ||
                (c->path && strcmp(why.path, c->path) != 0))
                print_error("%s, version %u: %s at \"%s\", %llu: %s\n", c->code, version, why.code, why.path,
                            (unsigned long long)why.offset, mst_status_text(status));
            assert_int_equal(status, MST_DAMAGED);
            assert_string_equal(why.code, c->code);
            if (c->path)
                assert_string_equal(why.path, c->path);
            if (c->offset)
                assert_int_equal(why.offset, c->offset == UINT64_MAX ? place : c->offset);
            assert_true(why.offset <= w.size && why.message[0]);
            assert_null(d);
            writer_free(&w);
        }
    }
}

/* A file without the mark is only a sector by its name; if a format is requested, the file is read as
 * that. */
static void marks(void **state) {
    (void)state;
    sector_source r;
    good_sector(&r, 15);
    writer w = written(&r.s);
    mst_document *d;
    mst_diagnostic why;
    w.data[3] = 'X';
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &d, &why), MST_UNKNOWN);
    assert_int_equal(try_named(&w, "map.dat", &d, &why), MST_UNKNOWN);
    w.data[3] = ' ';
    d = open_named(&w, "map.dat");
    mst_close(d);
    writer_free(&w);
}

static void every_beginning(void **state) {
    (void)state;
    static const uint32_t versions[] = {1, 3, 5, 8, 15};
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
        sector_source r;
        full_sector(&r, versions[k]);
        writer w = written(&r.s);
        for (size_t size = 8; size < w.size; size++) {
            uint8_t *exact = malloc(size);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_document *d;
            mst_diagnostic why;
            mst_open_options options = {.size = sizeof options, .name = NAME};
            mst_status status = mst_open_memory(exact, size, &options, &d, &why);
            assert_int_equal(status, MST_DAMAGED);
            assert_true(strncmp(why.code, "REV-", 4) == 0 && why.offset <= size && why.message[0]);
            free(exact);
        }
        writer_free(&w);
    }
}

static void every_byte_changed(void **state) {
    (void)state;
    static const uint32_t versions[] = {0, 2, 3, 8, 14, 15};
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
        sector_source r;
        full_sector(&r, versions[k]);
        r.s.prose = versions[k] == 14;
        writer w = written(&r.s);
        random_state random = {77};
        for (size_t i = 0; i < w.size; i += sample_step()) {
            uint8_t old = w.data[i];
            for (int turn = (int)(i % 3); turn < 3; turn++) {
                w.data[i] = turn == 0 ? 0 : turn == 1 ? 255 : (uint8_t)random_next(&random);
                mst_document *d;
                mst_diagnostic why;
                mst_status status = try_named(&w, NAME, &d, &why);
                if (status == MST_OK) {
                    assert_encodes(d);
                    assert_ledger(d);
                    assert_checks(d);
                    if (i % 8 == 0)
                        assert_round_trips(d);
                    mst_document *made;
                    mst_convert_options options = {.size = sizeof options,
                                                   .version = versions[k] == 15 ? 8 : 15,
                                                   .has_version = 1,
                                                   .allow_loss = 1};
                    mst_status converted = mst_convert(d, &options, NULL, NULL, &made, &why);
                    if (converted == MST_OK) {
                        assert_encodes(made);
                        mst_close(made);
                    } else {
                        assert_true(converted == MST_REFUSED || converted == MST_UNSUPPORTED);
                    }
                    mst_close(d);
                } else if (status == MST_DAMAGED) {
                    assert_true(strncmp(why.code, "REV-", 4) == 0 && why.offset <= w.size);
                }
            }
            w.data[i] = old;
        }
        writer_free(&w);
    }
}

int test_revenant(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version),
        cmocka_unit_test(one_value),
        cmocka_unit_test(texts_and_names),
        cmocka_unit_test(inventories),
        cmocka_unit_test(players),
        cmocka_unit_test(unknown_tails),
        cmocka_unit_test(bodies_without_an_inventory),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(version_0),
        cmocka_unit_test(errors),
        cmocka_unit_test(marks),
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(every_byte_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
