/* SPDX-License-Identifier: MIT */
/* Levels of Alien Trilogy: files that open, files that do not, and both byte orders. */
#include "alien_documents.h"

/* ---- files that open --------------------------------------------------------------------------- */

/* Everything that is legal at the same time. */
static void legal(alien_level *l) {
    alien_small(l);
    l->doors[0].unknown_02 = 64;
    l->doors[0].lock = 12;
    l->door_count = 2;
    l->doors[1] = (alien_door){.x = 3, .y = 2, .lock = 2, .model = 12};
    l->model_count = 4;
    l->models[2] = l->models[0];
    set_model_name(&l->models[2], "D012");
    l->models[2].vertices[1].unknown_06 = 127;
    l->models[2].unknown_08 = 0x12345678;
    l->models[3] = l->models[1];
    set_model_name(&l->models[3], "L255");
    l->lift_count = 2;
    l->lifts[1] = l->lifts[0];
    l->lifts[1].model = 255;
    l->boxes[0].drop_type = 2;
    l->boxes[0].drop_first = 1;
    l->pickups[0].type = 27;
    l->monsters[1].type = 19;
    l->enemy_mask = 1u << 1;
    l->vent_mask = 1u << 3;
    l->quads[0].draw_flags = 34;
    l->quads[5].draw_flags = 13;
    l->commands[3] = (alien_command){4, 4, 0, 1};
    l->commands[4] = (alien_command){9, 5, 1, 0};
    l->commands[5] = (alien_command){3, 6, 1, 1};
    l->commands[6] = (alien_command){5, 7, 1, 1};
    l->commands[7] = (alien_command){7, 8, 1, 0};
    l->commands[8] = (alien_command){1, 9, 1, 1};
    l->commands[9] = (alien_command){2, 255, 1, 0};
    l->triggers[63] = (alien_trigger){255, 3, 0, 0};
    alien_cell_at(l, 2, 1)->trigger = 63;
}

static void both_orders(void **state) {
    (void)state;
    for (int which = 0; which < 4; which++) {
        bool big = which % 2;
        alien_level l;
        if (which < 2)
            alien_small(&l);
        else
            legal(&l);
        writer w = written(&l, big);
        mst_document *document = open_bytes(&w);
        assert_string_equal(mst_document_format(document)->id, "alien-map");
        assert_int_equal(mst_document_version(document), 0);
        assert_marks(document, &w);
        assert_round_trips(document);
        assert_silent(document, NULL);
        assert_false(mst_is_edited(document));
        mst_value value = value_at(document, "map.quads[5].vertices[3]");
        int64_t number;
        MUST(mst_get_integer(&value, &number), NULL);
        assert_int_equal(number, -1);
        value = value_at(document, "map.cells");
        assert_int_equal(mst_count(&value), 12);
        value = value_at(document, "map.monsters[0].type");
        assert_string_equal(mst_get_name(&value), "face_hugger");
        value = value_at(document, "map.monsters[0].rotation");
        assert_string_equal(mst_get_name(&value), "west");
        value = value_at(document, "lift_models[0].name");
        char name[8];
        MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
        assert_string_equal(name, "L000");
        assert_int_equal(number_at(document, "map.path_node_count"), 2);
        assert_int_equal(number_at(document, "map.light_count"), 128);
        mst_close(document);
        writer_free(&w);
    }
}

/* An empty level: all counts are 0. */
static void nothing_in_it(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        memset(&l, 0, sizeof l);
        writer w = written(&l, big);
        assert_int_equal(w.size, 12 + 8 + 36);
        mst_document *document = open_bytes(&w);
        assert_round_trips(document);
        mst_close(document);
        writer_free(&w);
    }
}

/* With nothing but zeros in the header both orders fit: little-endian is assumed. */
static void order_that_cannot_be_told(void **state) {
    (void)state;
    alien_level l;
    memset(&l, 0, sizeof l);
    writer w = written(&l, true);
    mst_document *document = open_bytes(&w), *other;
    mst_diagnostic why;
    mst_buffer text = {0};
    mst_value root = mst_root(document);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_null(strstr((const char *)text.data, "$byte_order"));
    mst_buffer_free(&text);
    /* and cannot be made big-endian, as its byte order could not be recognised */
    mst_convert_options options = {.size = sizeof options, .byte_order = "big"};
    assert_int_equal(mst_convert(document, &options, NULL, NULL, &other, &why), MST_REFUSED);
    assert_null(other);
    mst_close(document);
    writer_free(&w);
}

/* Unknown sections, of odd and even sizes, before the level and after. */
static void other_sections(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        l.section_count = 5;
        l.sections[0] = section("FRNT", "abc", 3, 0, true);
        l.sections[1] = section("EVEN", "abcd", 4, 0, false);
        l.sections[2] = section("ODD0", "abcde", 5, 0, false);
        l.sections[3] = section("ODD7", "abcde", 5, 7, false); /* the zero is not a section */
        l.sections[4] = section("NONE", "", 0, 0, false);
        writer w = written(&l, big);
        mst_document *document = open_bytes(&w);
        assert_round_trips(document);
        mst_value list = value_at(document, "unknown_sections"), value;
        assert_int_equal(mst_count(&list), 5);
        const void *bytes;
        size_t size;
        value = value_at(document, "unknown_sections[0].data");
        MUST(mst_get_bytes(&value, &bytes, &size), NULL);
        assert_int_equal(size, 3);
        assert_memory_equal(bytes, "abc", 3);
        uint64_t offset, length;
        mst_value_span(&value, &offset, &length);
        assert_int_equal(offset, 12 + 8);
        value = value_at(document, "unknown_sections[3].padding");
        MUST(mst_get_bytes(&value, &bytes, &size), NULL);
        assert_int_equal(size, 1);
        assert_memory_equal(bytes, "\7", 1);
        assert_int_equal(number_at(document, "unknown_sections[3].size"), 5);
        mst_close(document);
        writer_free(&w);
        /* the last one is odd, and the file ends after it */
        l.sections[4] = section("LAST", "xyz", 3, 0, false);
        for (int without = 0; without < 2; without++) {
            l.form_size_bias = -without;
            w = written(&l, big);
            w.size -= (size_t)without;
            document = open_bytes(&w);
            assert_round_trips(document);
            value = value_at(document, "unknown_sections[4].padding");
            MUST(mst_get_bytes(&value, &bytes, &size), NULL);
            assert_int_equal(size, 1 - without);
            mst_close(document);
            writer_free(&w);
        }
        l.form_size_bias = 0;
        /* a second MAP0 is kept as well */
        l.section_count = 1;
        l.sections[0] = section("MAP0", "again", 5, 0, false);
        w = written(&l, big);
        document = open_bytes(&w);
        assert_round_trips(document);
        list = value_at(document, "unknown_sections");
        assert_int_equal(mst_count(&list), 1);
        mst_close(document);
        writer_free(&w);
    }
}

/* ---- files that do not open -------------------------------------------------------------------- */

static void expect_damage(const writer *w, const char *code, const char *path, uint64_t offset,
                          uint64_t length) {
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "alien-map"};
    mst_status status = mst_open_memory(w->data, w->size, &options, &document, &why);
    if (status != MST_DAMAGED || strcmp(why.code, code) != 0 || strcmp(why.path, path) != 0 ||
        why.offset != offset || why.length != length)
        print_error("%s at \"%s\", %llu + %llu: %s\n", why.code, why.path, (unsigned long long)why.offset,
                    (unsigned long long)why.length, mst_status_text(status));
    assert_int_equal(status, MST_DAMAGED);
    assert_string_equal(why.code, code);
    assert_string_equal(why.path, path);
    assert_int_equal(why.offset, offset);
    assert_int_equal(why.length, length);
    assert_int_equal(why.severity, MST_ERROR);
    assert_true(why.message[0] != 0);
    assert_null(document);
}

static void damaged(void **state) {
    (void)state;
    alien_level l;
    mst_document *document;
    mst_diagnostic why;
    for (int big = 0; big < 2; big++) {
        alien_small(&l);
        writer w = written(&l, big);
        uint64_t map = mst_load32(w.data + 16, true);
        /* the marks */
        w.data[0] = 'f';
        assert_int_equal(mst_open_memory(w.data, w.size, NULL, &document, &why), MST_UNKNOWN);
        expect_damage(&w, "ALIEN-MAGIC", "magic", 0, 4);
        w.data[0] = 'F';
        w.data[8] = '1';
        assert_int_equal(mst_open_memory(w.data, w.size, NULL, &document, &why), MST_UNKNOWN);
        expect_damage(&w, "ALIEN-MAGIC", "type", 8, 4);
        w.data[8] = '0';
        /* the container states more bytes than exist */
        mst_store32(w.data + 4, (uint32_t)w.size - 7, true);
        expect_damage(&w, "ALIEN-SIZE", "size", 4, 4);
        mst_store32(w.data + 4, UINT32_MAX, true);
        expect_damage(&w, "ALIEN-SIZE", "size", 4, 4);
        /* or fewer, so that a section is truncated */
        mst_store32(w.data + 4, (uint32_t)w.size - 8 - 4, true);
        size_t last = w.size - (8 + 20 + 20 + 4 * 8);
        expect_damage(&w, "ALIEN-SIZE", "lift_models", last, 8);
        mst_store32(w.data + 4, 3, true);
        expect_damage(&w, "ALIEN-SIZE", "type", 8, 3);
        mst_store32(w.data + 4, (uint32_t)w.size - 8, true);
        /* a section runs past the end */
        mst_store32(w.data + last + 4, 1000000, true);
        expect_damage(&w, "ALIEN-SIZE", "lift_models", last, 8);
        mst_store32(w.data + last + 4, 80, true);
        /* the counts of the level differ from its blocks */
        for (size_t at = 20; at < 20 + 32; at++) {
            if (at == 20 + 8 || at == 20 + 9 || at == 20 + 10 || at == 20 + 11 || at == 20 + 24 ||
                at == 20 + 25)
                continue; /* the start */
            uint8_t old = w.data[at];
            for (int step = 1; step < 256; step += 127) {
                w.data[at] = (uint8_t)(old + step);
                expect_damage(&w, "ALIEN-BLOCKS", "map", 20, map);
            }
            w.data[at] = old;
        }
        mst_store16(w.data + 22, 65535, big);
        expect_damage(&w, "ALIEN-BLOCKS", "map", 20, map);
        memset(w.data + 20, 255, 36);
        expect_damage(&w, "ALIEN-BLOCKS", "map", 20, map);
        writer_free(&w);
    }
    /* less than a header */
    for (uint32_t size = 0; size < 36; size++) {
        writer w = {0};
        begin_form(&w, "0000");
        begin_section(&w, "MAP0");
        if (size)
            memset(put(&w, size), 0, size);
        end_section(&w);
        if (size % 2)
            put_u8(&w, 0);
        end_form(&w, 0, NULL, 0);
        expect_damage(&w, "ALIEN-BLOCKS", "map", 20, size);
        writer_free(&w);
    }
    /* a text with the extension of a level */
    static const char text[] = "Fatal: no memory to present the level";
    mst_open_options options = {.size = sizeof options, .name = "APRESENT.MAP"};
    assert_int_equal(mst_open_memory(text, sizeof text - 1, &options, &document, &why), MST_UNKNOWN);
    assert_null(document);
}

/* A level whose last quads have the highest possible numbers. */
static void many_quads(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false), more = {0};
    /* 65535 quads: repeated terminators first, then the existing ones */
    size_t quads = mark_of(&w, "map.quads[0].vertices[0]")->offset, extra = 65535 - 8;
    put_bytes_of(&more, w.data, quads);
    memset(put(&more, extra * 20), 255, extra * 20);
    put_bytes_of(&more, w.data + quads, w.size - quads);
    mst_store32(more.data + 4, (uint32_t)more.size - 8, true);
    mst_store32(more.data + 16, mst_load32(w.data + 16, true) + (uint32_t)extra * 20, true);
    mst_store16(more.data + 22, 65535, false);
    mst_document *document = open_bytes(&more);
    mst_value list = value_at(document, "map.quads");
    assert_int_equal(mst_count(&list), 65535);
    assert_encodes(document);
    assert_ledger(document);
    /* one more cannot be counted */
    mst_diagnostic why;
    assert_int_equal(mst_insert(document, "map.quads[0]",
                                "{\"vertices\":[0,1,2,3],\"texture\":0,\"draw_flags\":0,\"light\":0}", &why),
                     MST_REFUSED);
    assert_same_bytes(document, more.data, more.size);
    mst_close(document);
    writer_free(&w);
    writer_free(&more);
}

static void every_beginning(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        l.section_count = 1;
        l.sections[0] = section("MORE", "abc", 3, 0, true);
        writer w = written(&l, big);
        for (size_t size = 0; size < w.size; size++) {
            uint8_t *exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_document *document;
            mst_diagnostic why;
            mst_status status = mst_open_memory(exact, size, NULL, &document, &why);
            assert_int_equal(status, size < 12 ? MST_UNKNOWN : MST_DAMAGED);
            if (status == MST_DAMAGED) {
                assert_string_equal(why.code, "ALIEN-SIZE");
                assert_int_equal(why.offset, 4);
            }
            /* the same with a container of the matching length */
            if (size >= 12) {
                mst_store32(exact + 4, (uint32_t)size - 8, true);
                status = mst_open_memory(exact, size, NULL, &document, &why);
                assert_true(status == MST_OK || status == MST_DAMAGED);
                if (status == MST_OK)
                    assert_round_trips(document);
                else
                    assert_true(strcmp(why.code, "ALIEN-SIZE") == 0 && why.offset <= size);
                mst_close(document);
            }
            free(exact);
        }
        writer_free(&w);
    }
}

static void every_byte_changed(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    l.section_count = 1;
    l.sections[0] = section("MORE", "abc", 3, 0, true);
    writer w = written(&l, false);
    random_state r = {4321};
    for (size_t i = 0; i < w.size; i += sample_step()) {
        uint8_t old = w.data[i];
        bool light = i > 1400 && i < w.size - 400; /* of which there are many */
        for (int turn = (int)(i % 3); turn < 3; turn += light ? 3 : 1) {
            if (light && i % 16)
                continue;
            w.data[i] = turn == 0 ? 0 : turn == 1 ? 255 : (uint8_t)random_next(&r);
            mst_document *document;
            mst_diagnostic why;
            mst_status status = mst_open_memory(w.data, w.size, NULL, &document, &why);
            if (status == MST_OK) {
                assert_encodes(document);
                assert_checks(document);
                if (i % 16 == 0)
                    assert_round_trips(document);
                mst_buffer text = {0};
                MUST(mst_describe(document, "triggers", NULL, mst_buffer_sink(&text), &why), &why);
                mst_buffer_free(&text);
                mst_close(document);
            } else if (status == MST_DAMAGED) {
                assert_true(strncmp(why.code, "ALIEN-", 6) == 0 && why.offset <= w.size);
            } else {
                assert_int_equal(status, MST_UNKNOWN);
            }
        }
        w.data[i] = old;
    }
    writer_free(&w);
}

/* ---- the other byte order ---------------------------------------------------------------------- */

static void twins(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        alien_level l;
        legal(&l);
        l.section_count = 2;
        l.sections[0] = section("FRNT", "abc", 3, 9, true);
        l.sections[1] = section("BACK", "abcd", 4, 0, false);
        l.trailing = "left";
        l.trailing_size = which ? 4 : 0;
        writer orders[2] = {written(&l, false), written(&l, true)};
        assert_int_equal(orders[0].size, orders[1].size);
        for (int big = 0; big < 2; big++) {
            mst_document *document = open_bytes(&orders[big]), *twin, *again;
            mst_diagnostic why;
            mst_convert_options other = {.size = sizeof other, .byte_order = big ? "little" : "big"};
            mst_convert_options back = {.size = sizeof back, .byte_order = big ? "big" : "little"};
            findings losses = {0};
            MUST(mst_convert(document, &other, collect, &losses, &twin, &why), &why);
            assert_int_equal(losses.count, 0);
            assert_same_bytes(twin, orders[!big].data, orders[!big].size);
            assert_string_equal(mst_document_name(twin), "L111LEV.MAP");
            assert_round_trips(twin);
            MUST(mst_convert(twin, &back, collect, &losses, &again, &why), &why);
            assert_same_bytes(again, orders[big].data, orders[big].size);
            mst_close(again);
            /* to its own order: unchanged */
            MUST(mst_convert(twin, &other, NULL, NULL, &again, &why), &why);
            assert_same_bytes(again, orders[!big].data, orders[!big].size);
            mst_close(again);
            mst_close(twin);
            other.byte_order = "middle";
            assert_int_equal(mst_convert(document, &other, NULL, NULL, &twin, &why), MST_ARGUMENT);
            assert_null(twin);
            mst_convert_options version = {.size = sizeof version, .version = 1, .has_version = 1};
            assert_int_equal(mst_convert(document, &version, NULL, NULL, &twin, &why), MST_ARGUMENT);
            mst_close(document);
        }
        writer_free(&orders[0]);
        writer_free(&orders[1]);
    }
}

/* JSON states the byte order if it is not the default one. */
static void byte_order_in_json(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    for (int big = 0; big < 2; big++) {
        writer w = written(&l, big), other = written(&l, !big);
        mst_document *document = open_bytes(&w), *again;
        mst_diagnostic why;
        mst_buffer text = {0};
        mst_value root = mst_root(document);
        mst_json_options compact = {.size = sizeof compact, .compact = 1};
        MUST(mst_write_json(&root, &compact, mst_buffer_sink(&text), &why), &why);
        MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
        char *order = strstr((char *)text.data, "\"$byte_order\":\"big\",");
        assert_int_equal(order != NULL, big);
        if (order) { /* without it the twin is made */
            size_t skip_length = strlen("\"$byte_order\":\"big\",");
            memmove(order, order + skip_length, strlen(order + skip_length) + 1);
            mst_status status =
                mst_open_json((const char *)text.data, strlen((const char *)text.data), NULL, &again, &why);
            if (status != MST_UNSUPPORTED) {
                MUST(status, &why);
                assert_same_bytes(again, other.data, other.size);
                mst_close(again);
            }
        }
        mst_buffer_free(&text);
        mst_close(document);
        writer_free(&w);
        writer_free(&other);
    }
}

/* ---- in words ---------------------------------------------------------------------------------- */

/* Tests of edits exist only in a build that reads JSON. */
#define EDITS(name)                                                                                          \
    static void name##_if_possible(void **state) {                                                           \
        name(state);                                                                                         \
    }

EDITS(many_quads)

int test_alien(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_orders),
        cmocka_unit_test(nothing_in_it),
        cmocka_unit_test(order_that_cannot_be_told),
        cmocka_unit_test(other_sections),
        cmocka_unit_test(damaged),
        cmocka_unit_test(many_quads_if_possible),
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(twins),
        cmocka_unit_test(byte_order_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
