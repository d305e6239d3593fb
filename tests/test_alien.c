/* SPDX-License-Identifier: MIT */
/* Levels of Alien Trilogy, from bytes that tests/alien_level.h writes: reading, checks, edits, both orders.
 */
#include "../src/formats/alien/alien.h"
#include "alien_level.h"
#include "thorough.h"

static mst_document *open_named(const void *bytes, size_t size, const char *name) {
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.name = name};
    MUST(mst_open_memory(bytes, size, &options, &document, &why), &why);
    return document;
}
static mst_document *open_bytes(const writer *w) {
    return open_named(w->data, w->size, "L111LEV.MAP");
}

static mst_value find(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    return value;
}

static uint64_t number_at(const mst_document *document, const char *path) {
    uint64_t number;
    mst_value value = find(document, path);
    MUST(mst_get_unsigned(&value, &number), NULL);
    return number;
}

static void assert_silent(const mst_document *document, const mst_resolver *sidecars) {
    findings list = {0};
    mst_check_options options = {.information = 1, .sidecars = sidecars};
    mst_diagnostic why;
    MUST(mst_check(document, &options, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}

/* The bytes that a level is written as, to be freed with writer_free. */
static writer written(const alien_level *l, bool big) {
    writer w = {0};
    write_alien_level(&w, l, big);
    return w;
}

static alien_section section(const char *name, const char *data, size_t size, uint8_t padding, bool front) {
    alien_section s = {.data = data, .size = size, .padding = padding, .in_front = front};
    memcpy(s.name, name, 5);
    return s;
}

static void set_model_name(alien_model *m, const char *name) {
    memcpy(m->name, name, 5);
}

/* ---- what opens -------------------------------------------------------------------------------- */

/* Everything that can be legal at once. */
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
        mst_value value = find(document, "map.quads[5].vertices[3]");
        int64_t number;
        MUST(mst_get_integer(&value, &number), NULL);
        assert_int_equal(number, -1);
        value = find(document, "map.cells");
        assert_int_equal(mst_count(&value), 12);
        value = find(document, "map.monsters[0].type");
        assert_string_equal(mst_get_name(&value), "face_hugger");
        value = find(document, "map.monsters[0].rotation");
        assert_string_equal(mst_get_name(&value), "west");
        value = find(document, "lift_models[0].name");
        char name[8];
        MUST(mst_get_text(&value, name, sizeof name, NULL), NULL);
        assert_string_equal(name, "L000");
        assert_int_equal(number_at(document, "map.path_node_count"), 2);
        assert_int_equal(number_at(document, "map.light_count"), 128);
        mst_close(document);
        writer_free(&w);
    }
}

/* A level without anything: all counts are 0. */
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

/* With nothing but zeros in the header both orders fit: it is taken as little-endian. */
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
    /* and cannot be made big-endian, since nobody could see that it is */
    mst_convert_options options = {.byte_order = "big"};
    assert_int_equal(mst_convert(document, &options, NULL, NULL, &other, &why), MST_REFUSED);
    assert_null(other);
    mst_close(document);
    writer_free(&w);
}

/* Sections that nobody knows, of odd and even sizes, before the level and after. */
static void other_sections(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        l.section_count = 5;
        l.sections[0] = section("FRNT", "abc", 3, 0, true);
        l.sections[1] = section("EVEN", "abcd", 4, 0, false);
        l.sections[2] = section("ODD0", "abcde", 5, 0, false);
        l.sections[3] = section("ODD7", "abcde", 5, 7, false); /* the zero is none */
        l.sections[4] = section("NONE", "", 0, 0, false);
        writer w = written(&l, big);
        mst_document *document = open_bytes(&w);
        assert_round_trips(document);
        mst_value list = find(document, "unknown_sections"), value;
        assert_int_equal(mst_count(&list), 5);
        const void *bytes;
        size_t size;
        value = find(document, "unknown_sections[0].data");
        MUST(mst_get_bytes(&value, &bytes, &size), NULL);
        assert_int_equal(size, 3);
        assert_memory_equal(bytes, "abc", 3);
        uint64_t offset, length;
        mst_value_span(&value, &offset, &length);
        assert_int_equal(offset, 12 + 8);
        value = find(document, "unknown_sections[3].padding");
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
            value = find(document, "unknown_sections[4].padding");
            MUST(mst_get_bytes(&value, &bytes, &size), NULL);
            assert_int_equal(size, 1 - without);
            mst_close(document);
            writer_free(&w);
        }
        l.form_size_bias = 0;
        /* MAP0 a second time is kept, too */
        l.section_count = 1;
        l.sections[0] = section("MAP0", "again", 5, 0, false);
        w = written(&l, big);
        document = open_bytes(&w);
        assert_round_trips(document);
        list = find(document, "unknown_sections");
        assert_int_equal(mst_count(&list), 1);
        mst_close(document);
        writer_free(&w);
    }
}

/* ---- what does not open ------------------------------------------------------------------------ */

static void expect_damage(const writer *w, const char *code, const char *path, uint64_t offset,
                          uint64_t length) {
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.format = "alien-map"};
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
        /* the container says that there is more than there is */
        mst_store32(w.data + 4, (uint32_t)w.size - 7, true);
        expect_damage(&w, "ALIEN-SIZE", "size", 4, 4);
        mst_store32(w.data + 4, UINT32_MAX, true);
        expect_damage(&w, "ALIEN-SIZE", "size", 4, 4);
        /* or less, so that a section is cut */
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
        /* the counts of the level are not those of its blocks */
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
    /* a text that is called a level */
    static const char text[] = "Fatal: no memory to present the level";
    mst_open_options options = {.name = "APRESENT.MAP"};
    assert_int_equal(mst_open_memory(text, sizeof text - 1, &options, &document, &why), MST_UNKNOWN);
    assert_null(document);
}

/* A level whose last quads are as many as there can be. */
static void many_quads(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false), more = {0};
    /* 65535 quads: the terminator first, again and again, then those that were there */
    size_t quads = mark_of(&w, "map.quads[0].vertices[0]")->offset, extra = 65535 - 8;
    put_bytes_of(&more, w.data, quads);
    memset(put(&more, extra * 20), 255, extra * 20);
    put_bytes_of(&more, w.data + quads, w.size - quads);
    mst_store32(more.data + 4, (uint32_t)more.size - 8, true);
    mst_store32(more.data + 16, mst_load32(w.data + 16, true) + (uint32_t)extra * 20, true);
    mst_store16(more.data + 22, 65535, false);
    mst_document *document = open_bytes(&more);
    mst_value list = find(document, "map.quads");
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
            /* the same with a container that is as long as that */
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
                MUST(mst_describe(document, "triggers", mst_buffer_sink(&text), &why), &why);
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

/* ---- findings ---------------------------------------------------------------------------------- */

typedef struct code_case {
    const char *code;
    void (*change)(alien_level *l);
    const char *path;
    const char *where; /* the mark of the place; NULL: that of the path */
    const char *found;
    const char *expected; /* NULL: not checked */
} code_case;

#define CHANGE(name, ...)                                                                                    \
    static void name(alien_level *l) {                                                                       \
        __VA_ARGS__;                                                                                         \
    }
CHANGE(quad_vertex, l->quads[0].vertices[0] = l->vertex_count)
CHANGE(quad_vertex_negative, l->quads[6].vertices[0] = -1)
CHANGE(quad_nothing, memset(l->quads[6].vertices, 255, sizeof l->quads[6].vertices))
CHANGE(cell_light, l->cells[3].light = 128)
CHANGE(cell_node, l->cells[3].path_node = 0x0102)
CHANGE(program, l->animators[0].program = 9)
CHANGE(model_vertex, l->models[0].quads[0].vertices[0] = 4)
CHANGE(lift_vertex, l->models[1].quads[0].vertices[0] = INT32_MIN)
CHANGE(animator, l->quads[6].texture = 1)
CHANGE(model_animator, l->models[0].quads[1] = l->models[0].quads[0]; l->models[0].quad_count = 2;
       l->models[0].quads[0].draw_flags = 8)
CHANGE(few_triggers, l->trigger_count = 63)
CHANGE(many_commands, l->command_count = 65; l->commands[64] = l->commands[63])
CHANGE(few_lights, l->light_count = 127)
CHANGE(chain_of_itself, l->commands[2].next = 2)
CHANGE(chain_in_circle, l->commands[1].next = 0)
CHANGE(chain_nowhere, l->commands[5] = (alien_command){8, 255, 1, 0})
CHANGE(chain_after, l->commands[5] = (alien_command){8, 0, 1, 0})
CHANGE(model_without_end, l->models[1].quads[0].draw_flags = 0x7F)
CHANGE(model_ends_early, l->models[0].quads[1] = l->models[0].quads[0]; l->models[0].quad_count = 2)
CHANGE(triangle_flag, l->quads[5].draw_flags = 5)
CHANGE(run_begins_late, alien_cell_at(l, 2, 1)->first_quad = 4)
CHANGE(run_twice, alien_cell_at(l, 3, 2)->first_quad = 3)
CHANGE(run_of_terminator, alien_cell_at(l, 3, 2)->first_quad = 7)
CHANGE(run_missing, l->cells[6].first_quad = -1)
CHANGE(run_without_end, l->quads[6].light = 1)
CHANGE(run_ends_early, l->quads[4].light |= 0x80)
CHANGE(terminator, l->quads[7].texture = 0xFFFE)
CHANGE(enemy_mask, l->enemy_mask = 1)
CHANGE(vent_mask, l->vent_mask = 0x8000)
CHANGE(target_light, l->commands[1].target = 128)
CHANGE(target_door, l->commands[0].target = 1)
CHANGE(target_unlock, l->commands[2] = (alien_command){1, 255, 1, 1})
CHANGE(target_pickup, l->commands[2] = (alien_command){2, 255, 1, 1})
CHANGE(target_monster, l->commands[2] = (alien_command){3, 255, 1, 2})
CHANGE(target_box, l->commands[2] = (alien_command){4, 255, 1, 2})
CHANGE(target_locked_lift, l->commands[2] = (alien_command){5, 255, 1, 1})
CHANGE(target_lift, l->commands[2] = (alien_command){7, 255, 1, 1})
CHANGE(target_animator, l->commands[2] = (alien_command){9, 255, 1, 1})
CHANGE(operation, l->commands[2] = (alien_command){10, 255, 1, 0})
CHANGE(next_command, l->commands[1].next = 64)
CHANGE(first_command, l->triggers[3] = (alien_trigger){1, 64, 255, 0})
CHANGE(trigger, alien_cell_at(l, 2, 1)->trigger = 64)
CHANGE(path_link, l->path_nodes[1].links[0] = 2)
CHANGE(node_position, l->path_nodes[0].x = 4)
CHANGE(monster_position, l->monsters[1].y = 3)
CHANGE(pickup_position, l->pickups[0].x = 255)
CHANGE(box_position, l->boxes[1].y = 3)
CHANGE(door_position, l->doors[0].x = 4)
CHANGE(lift_position, l->lifts[0].y = 200)
CHANGE(door_model, l->doors[0].model = 7)
CHANGE(lift_model, l->lifts[0].model = 1)
CHANGE(monster_drop, l->monsters[0].drop = 1)
CHANGE(box_drop, l->boxes[0].drop_first = 1)
CHANGE(box_drop_monster, l->boxes[0].drop_type = 2; l->boxes[0].drop_second = 2)
CHANGE(start_x, l->start_x = 4)
CHANGE(start_y, l->start_y = 3)
CHANGE(start_solid, l->start_x = 0)
CHANGE(pickup_type, l->pickups[0].type = 28)
CHANGE(zero_vertex, l->vertices[2].unknown_06 = 1)
CHANGE(zero_cell, l->cells[3].unknown_0c = 1)
CHANGE(zero_node, l->path_nodes[1].unknown_02 = 2)
CHANGE(zero_monster, l->monsters[1].unknown_0f = 3)
CHANGE(zero_pickup, l->pickups[0].unknown_05 = 4)
CHANGE(zero_lift_4, l->lifts[0].unknown_03[1] = 5)
CHANGE(zero_lift_b, l->lifts[0].unknown_03[8] = 6)
CHANGE(zero_light_3, l->lights[9].off[3] = 1)
CHANGE(zero_light_7, l->lights[9].on[3] = 1)
CHANGE(zero_light_b, l->lights[9].corners[0][3] = 1)
CHANGE(zero_light_f, l->lights[9].corners[1][3] = 1)
CHANGE(zero_model, l->models[0].unknown_04 = 9)
CHANGE(zero_trigger, l->triggers[2].unknown_03 = 1)

static const code_case code_cases[] = {
    {"ALIEN-QUAD-VERTEX", quad_vertex, "map.quads[0].vertices[0]", NULL, "27", "below 27, or -1"},
    {"ALIEN-QUAD-VERTEX", quad_vertex_negative, "map.quads[6].vertices[0]", NULL, "-1", NULL},
    {"ALIEN-QUAD-VERTEX", model_vertex, "door_models[0].quads[0].vertices[0]", NULL, "4", "below 4, or -1"},
    {"ALIEN-QUAD-VERTEX", lift_vertex, "lift_models[0].quads[0].vertices[0]", NULL, "-2147483648", NULL},
    {"ALIEN-QUAD-VERTEX", quad_nothing, "map.quads[6].vertices", "map.quads[6].vertices[0]", "-1", NULL},
    {"ALIEN-REFERENCE", cell_light, "map.cells[3].light", NULL, "128", "below 128"},
    {"ALIEN-REFERENCE", cell_node, "map.cells[3].path_node", NULL, "2", "below 2"},
    {"ALIEN-REFERENCE", program, "map.texture_animators[0].program", NULL, "9",
     "the program of one of 5 texture_animation_words"},
    {"ALIEN-QUAD-TEXTURE", animator, "map.quads[6].texture", NULL, "1", NULL},
    {"ALIEN-QUAD-TEXTURE", model_animator, "door_models[0].quads[0].texture", NULL, "1", NULL},
    {"ALIEN-FIXED-COUNT", few_triggers, "map.triggers", "map.triggers[0].mask", "63", "64"},
    {"ALIEN-FIXED-COUNT", many_commands, "map.commands", "map.commands[0].operation", "65", "64"},
    {"ALIEN-FIXED-COUNT", few_lights, "map.lights", "map.lights[0].off_color", "127", "128"},
    {"ALIEN-CHAIN", chain_of_itself, "map.commands[2].next", NULL, "2", NULL},
    {"ALIEN-CHAIN", chain_in_circle, "map.commands[1].next", NULL, "0", NULL},
    {"ALIEN-CHAIN", chain_nowhere, "map.commands[5]", "map.commands[5].operation", "", NULL},
    {"ALIEN-CHAIN", chain_after, "map.commands[5]", "map.commands[5].operation", "", NULL},
    {"ALIEN-MODEL-LAST", model_without_end, "lift_models[0].quads[0].draw_flags", NULL, "127", NULL},
    {"ALIEN-MODEL-LAST", model_ends_early, "door_models[0].quads[0].draw_flags", NULL, "128", NULL},
    {"ALIEN-TRIANGLE-FLAG", triangle_flag, "map.quads[5].draw_flags", NULL, "5", "1"},
    {"ALIEN-RUNS", run_begins_late, "map.cells[6].first_quad", NULL, "4", "3"},
    {"ALIEN-RUNS", run_twice, "map.cells[11].first_quad", NULL, "3", "7"},
    {"ALIEN-RUNS", run_of_terminator, "map.cells[11].first_quad", NULL, "7", "7"},
    {"ALIEN-RUNS", run_missing, "map.quads", "map.quads[0].vertices[0]", "3", NULL},
    {"ALIEN-RUNS", run_without_end, "map.quads", "map.quads[0].vertices[0]", "8", NULL},
    {"ALIEN-RUNS", run_ends_early, "map.quads", "map.quads[0].vertices[0]", "5", NULL},
    {"ALIEN-TERMINATOR", terminator, "map.quads[7]", "map.quads[7].vertices[0]", "8", NULL},
    {"ALIEN-ENEMY-MASK", enemy_mask, "map.enemy_mask", NULL, "1", "34"},
    {"ALIEN-ENEMY-MASK", vent_mask, "map.vent_mask", NULL, "32768", "0"},
    {"ALIEN-COMMAND-TARGET", target_light, "map.commands[1].target", NULL, "128", "below 128"},
    {"ALIEN-COMMAND-TARGET", target_door, "map.commands[0].target", NULL, "1", "below 1"},
    {"ALIEN-COMMAND-TARGET", target_unlock, "map.commands[2].target", NULL, "1", "below 1"},
    {"ALIEN-COMMAND-TARGET", target_pickup, "map.commands[2].target", NULL, "1", "below 1"},
    {"ALIEN-COMMAND-TARGET", target_monster, "map.commands[2].target", NULL, "2", "below 2"},
    {"ALIEN-COMMAND-TARGET", target_box, "map.commands[2].target", NULL, "2", "below 2"},
    {"ALIEN-COMMAND-TARGET", target_locked_lift, "map.commands[2].target", NULL, "1", "below 1"},
    {"ALIEN-COMMAND-TARGET", target_lift, "map.commands[2].target", NULL, "1", "below 1"},
    {"ALIEN-COMMAND-TARGET", target_animator, "map.commands[2].target", NULL, "1", "below 1"},
    {"ALIEN-COMMAND-TARGET", operation, "map.commands[2].operation", NULL, "10", NULL},
    {"ALIEN-COMMAND-NEXT", next_command, "map.commands[1].next", NULL, "64", "below 64, or 255"},
    {"ALIEN-COMMAND-NEXT", first_command, "map.triggers[3].first_command", NULL, "64", "below 64, or 255"},
    {"ALIEN-TRIGGER", trigger, "map.cells[6].trigger", NULL, "64", "below 64, or 0"},
    {"ALIEN-LINK", path_link, "map.path_nodes[1].links[0]", "map.path_nodes[1].links", "2",
     "below 2, or 255"},
    {"ALIEN-POSITION", node_position, "map.path_nodes[0].x", NULL, "4", "below 4"},
    {"ALIEN-POSITION", monster_position, "map.monsters[1].y", NULL, "3", "below 3"},
    {"ALIEN-POSITION", pickup_position, "map.pickups[0].x", NULL, "255", "below 4"},
    {"ALIEN-POSITION", box_position, "map.boxes[1].y", NULL, "3", "below 3"},
    {"ALIEN-POSITION", door_position, "map.doors[0].x", NULL, "4", "below 4"},
    {"ALIEN-POSITION", lift_position, "map.lifts[0].y", NULL, "200", "below 3"},
    {"ALIEN-MODEL", door_model, "map.doors[0].model", NULL, "7", NULL},
    {"ALIEN-MODEL", lift_model, "map.lifts[0].model", NULL, "1", NULL},
    {"ALIEN-DROP", monster_drop, "map.monsters[0].drop", NULL, "1", "below 1, or 255"},
    {"ALIEN-DROP", box_drop, "map.boxes[0].drop_first", NULL, "1", "below 1, or 255"},
    {"ALIEN-DROP", box_drop_monster, "map.boxes[0].drop_second", NULL, "2", "below 2, or 255"},
    {"ALIEN-START", start_x, "map.start_x", NULL, "4", NULL},
    {"ALIEN-START", start_y, "map.start_y", NULL, "3", NULL},
    {"ALIEN-START", start_solid, "map.start_x", NULL, "0", NULL},
    {"ALIEN-PICKUP-CRASH", pickup_type, "map.pickups[0].type", NULL, "28", "below 28"},
    {"ALIEN-NONZERO", zero_vertex, "map.vertices[2].unknown_06", NULL, "1", "0"},
    {"ALIEN-NONZERO", zero_cell, "map.cells[3].unknown_0c", NULL, "1", "0"},
    {"ALIEN-NONZERO", zero_node, "map.path_nodes[1].unknown_02", NULL, "2", "0"},
    {"ALIEN-NONZERO", zero_monster, "map.monsters[1].unknown_0f", NULL, "3", "0"},
    {"ALIEN-NONZERO", zero_pickup, "map.pickups[0].unknown_05", NULL, "4", "0"},
    {"ALIEN-NONZERO", zero_lift_4, "map.lifts[0].unknown_04", NULL, "5", "0"},
    {"ALIEN-NONZERO", zero_lift_b, "map.lifts[0].unknown_0b", NULL, "6", "0"},
    {"ALIEN-NONZERO", zero_light_3, "map.lights[9].unknown_03", NULL, "1", "0"},
    {"ALIEN-NONZERO", zero_light_7, "map.lights[9].unknown_07", NULL, "1", "0"},
    {"ALIEN-NONZERO", zero_light_b, "map.lights[9].unknown_0b", NULL, "1", "0"},
    {"ALIEN-NONZERO", zero_light_f, "map.lights[9].unknown_0f", NULL, "1", "0"},
    {"ALIEN-NONZERO", zero_model, "door_models[0].unknown_04", NULL, "9", "0"},
    {"ALIEN-NONZERO", zero_trigger, "map.triggers[2].unknown_03", NULL, "1", "0"},
};

/* The one finding that there is. */
static void assert_one_finding(const mst_document *document, const mst_resolver *sidecars, const char *code,
                               const char *path, uint64_t offset, const char *found, const char *expected) {
    findings list = {0};
    mst_check_options options = {.information = 1, .sidecars = sidecars};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, &options, collect, &list, &result, &why), &why);
    const mst_diagnostic *first = list.items;
    if (list.count != 1 || strcmp(first->code, code) != 0 || strcmp(first->path, path) != 0 ||
        first->offset != offset) {
        print_error("%s at %s, %llu:\n", code, path, (unsigned long long)offset);
        print_findings(&list);
    }
    assert_int_equal(list.count, 1);
    assert_string_equal(first->code, code);
    assert_string_equal(first->path, path);
    assert_int_equal(first->offset, offset);
    assert_string_equal(first->found, found);
    if (expected)
        assert_string_equal(first->expected, expected);
    assert_true(first->message[0] != 0);
    for (size_t i = 0; mst_code_at(mst_document_format(document), i); i++)
        if (strcmp(mst_code_at(mst_document_format(document), i)->code, code) == 0)
            assert_int_equal(first->severity, mst_code_at(mst_document_format(document), i)->severity);
    assert_int_equal(result.errors, first->severity == MST_ERROR);
    assert_int_equal(result.warnings, first->severity == MST_WARNING);
    /* a path of a finding leads to a value */
    mst_value value;
    if (*path)
        MUST(mst_find(mst_root(document), path, &value, &why), &why);
    assert_stops(document, &options, &list);
    findings_free(&list);
}

static void every_finding(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
        for (int big = 0; big < 2; big++) {
            const code_case *c = &code_cases[i];
            alien_level l;
            alien_small(&l);
            c->change(&l);
            writer w = written(&l, big);
            mst_document *document = open_bytes(&w);
            assert_encodes(document);
            assert_one_finding(document, NULL, c->code, c->path,
                               mark_of(&w, c->where ? c->where : c->path)->offset, c->found, c->expected);
            mst_close(document);
            writer_free(&w);
        }
}

/* The texture file beside the level. */
typedef struct beside {
    const char *name;
    const writer *file;
    int asked;
} beside;

static mst_status find_beside(void *user, const char *name, const void **bytes, size_t *size) {
    beside *b = user;
    b->asked++;
    if (strcmp(name, b->name) != 0)
        return MST_UNKNOWN;
    *bytes = b->file->data;
    *size = b->file->size;
    return MST_OK;
}

/* All faults of a record are reported, or as many as the report function accepts. */
static void several_findings(void **state) {
    (void)state;
    alien_level l;
    alien_textures t;
    alien_small(&l);
    alien_small_textures(&t);
    l.quads[5].vertices[0] = l.quads[5].vertices[2] = 99;
    l.quads[5].draw_flags = 5;
    l.quads[5].texture = 5;
    l.enemy_mask = l.vent_mask = 77;
    l.start_x = 4;
    writer w = written(&l, false), gfx = {0};
    write_alien_textures(&gfx, &t, false);
    beside b = {"111GFX.BIN", &gfx, 0};
    mst_resolver resolver = {.find = find_beside, .user = &b};
    mst_check_options options = {.sidecars = &resolver};
    mst_document *document = open_bytes(&w);
    findings list = {0};
    MUST(mst_check(document, &options, collect, &list, NULL, NULL), NULL);
    static const char *const wanted[] = {"map.quads[5].vertices[0]",
                                         "map.quads[5].vertices[2]",
                                         "map.enemy_mask",
                                         "map.vent_mask",
                                         "map.start_x",
                                         "map.quads[5].draw_flags",
                                         "map.quads[5].texture"};
    assert_int_equal(list.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(list.items[i].path, wanted[i]);
    assert_stops(document, &options, &list);
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
    writer_free(&gfx);
    alien_textures_free(&t);
}

static void findings_of_the_container(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        /* bytes after the container: its size is too small by them */
        alien_small(&l);
        l.trailing = "left";
        l.trailing_size = 4;
        writer w = written(&l, big);
        mst_document *document = open_bytes(&w);
        assert_round_trips(document);
        assert_one_finding(document, NULL, "ALIEN-SIZE", "trailing", w.size - 4, "4",
                           "nothing after the container");
        mst_close(document);
        writer_free(&w);
        /* so small that the last section is after it: then the lift has no model */
        alien_small(&l);
        l.lift_count = 0;
        l.form_size_bias = -(8 + 20 + 20 + 4 * 8);
        w = written(&l, big);
        document = open_bytes(&w);
        assert_round_trips(document);
        assert_one_finding(document, NULL, "ALIEN-SIZE", "trailing", w.size - 80, "80", NULL);
        mst_value value = find(document, "lift_models");
        assert_int_equal(mst_count(&value), 0);
        mst_close(document);
        writer_free(&w);
        /* no level in it, and nothing that determines the byte order of models */
        alien_small(&l);
        if (big)
            l.model_count = 0;
        l.no_map = true;
        w = written(&l, big);
        document = open_bytes(&w);
        assert_round_trips(document);
        assert_one_finding(document, NULL, "ALIEN-NO-MAP0", "", 0, "0", NULL);
        mst_close(document);
        writer_free(&w);
        /* a model whose counts do not fit, one that is not an OBJ1, one that is too short */
        alien_small(&l);
        l.models[l.model_count] = l.models[0];
        set_model_name(&l.models[l.model_count], "D001");
        l.models[l.model_count++].extra_quads = 1;
        w = written(&l, big);
        document = open_bytes(&w);
        assert_round_trips(document);
        size_t place = w.size - 80;
        assert_one_finding(document, NULL, "ALIEN-MODEL-SIZE", "unknown_sections[0]", place, "D001", NULL);
        mst_close(document);
        w.data[place + 8 + 3] = '2';
        document = open_bytes(&w);
        assert_one_finding(document, NULL, "ALIEN-MODEL-SIZE", "unknown_sections[0]", place, "D001", NULL);
        mst_close(document);
        writer_free(&w);
        alien_small(&l);
        l.section_count = 1;
        l.sections[0] = section("L009", "OBJ1", 4, 0, false);
        w = written(&l, big);
        document = open_bytes(&w);
        assert_round_trips(document);
        assert_one_finding(document, NULL, "ALIEN-MODEL-SIZE", "unknown_sections[0]", w.size - 12, "L009",
                           NULL);
        mst_close(document);
        writer_free(&w);
        /* a section that is not known */
        l.sections[0] = section("XTRA", "OBJ1", 4, 0, true);
        w = written(&l, big);
        document = open_bytes(&w);
        assert_one_finding(document, NULL, "ALIEN-SECTION", "unknown_sections[0]", 12, "XTRA", NULL);
        mst_close(document);
        writer_free(&w);
        /* names that are nearly those of models; a second MAP0, of whatever size */
        static const char *const names[] = {"D/00", "D:00", "LIFT", "M000", "MAP0", "MAP0"};
        static const char zeros[40] = {0};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            l.sections[0] = section(names[i], zeros, i == 5 ? 40 : 4, 0, false);
            w = written(&l, big);
            document = open_bytes(&w);
            assert_round_trips(document);
            assert_one_finding(document, NULL, "ALIEN-SECTION", "unknown_sections[0]",
                               w.size - (i == 5 ? 48 : 12), names[i], NULL);
            mst_close(document);
            writer_free(&w);
        }
        /* no quads at all: no terminator either */
        alien_small(&l);
        l.quad_count = 0;
        l.cells[5].first_quad = l.cells[6].first_quad = -1;
        l.start_x = 0;
        w = written(&l, big);
        document = open_bytes(&w);
        findings list = {0};
        MUST(mst_check(document, NULL, collect, &list, NULL, NULL), NULL);
        assert_int_equal(list.count, 2); /* and nowhere to stand */
        assert_int_equal(count_code(&list, "ALIEN-TERMINATOR"), 1);
        assert_int_equal(count_code(&list, "ALIEN-START"), 1);
        assert_stops(document, NULL, &list);
        findings_free(&list);
        mst_close(document);
        writer_free(&w);
    }
}

static void textures_beside(void **state) {
    (void)state;
    alien_textures t;
    alien_small_textures(&t);
    for (int big = 0; big < 2; big++) {
        writer gfx = {0};
        write_alien_textures(&gfx, &t, big);
        alien_level l;
        alien_small(&l);
        for (int b16 = 0; b16 < 2; b16++) {
            beside b = {b16 ? "111GFX.B16" : "111GFX.BIN", &gfx, 0};
            mst_resolver resolver = {.find = find_beside, .user = &b};
            l.quads[0].texture = 4; /* the last one */
            writer w = written(&l, big);
            mst_document *document = open_bytes(&w);
            assert_silent(document, &resolver);
            assert_true(b.asked > 0);
            mst_close(document);
            writer_free(&w);
            l.quads[0].texture = 5;
            w = written(&l, big);
            document = open_bytes(&w);
            assert_one_finding(document, &resolver, "ALIEN-QUAD-TEXTURE", "map.quads[0].texture",
                               mark_of(&w, "map.quads[0].texture")->offset, "5", NULL);
            mst_close(document);
            /* no level's name: nothing to look for */
            b.asked = 0;
            document = open_named(w.data, w.size, "COPY.MAP");
            assert_silent(document, &resolver);
            assert_int_equal(b.asked, 0);
            mst_close(document);
            writer_free(&w);
            l.quads[0].texture = 0;
            l.models[1].quads[0].texture = 0xFFFF;
            w = written(&l, big);
            document = open_bytes(&w);
            assert_one_finding(document, &resolver, "ALIEN-QUAD-TEXTURE", "lift_models[0].quads[0].texture",
                               mark_of(&w, "lift_models[0].quads[0].texture")->offset, "65535", NULL);
            mst_close(document);
            writer_free(&w);
            l.models[1].quads[0].texture = 2;
        }
        /* a texture file that is none */
        writer none = {0};
        put_bytes_of(&none, "FORMxxxxPSXT", 12);
        beside b = {"111GFX.BIN", &none, 0};
        mst_resolver resolver = {.find = find_beside, .user = &b};
        l.quads[0].texture = 999;
        writer w = written(&l, big);
        mst_document *document = open_bytes(&w);
        assert_silent(document, &resolver);
        mst_close(document);
        writer_free(&w);
        writer_free(&none);
        writer_free(&gfx);
    }
    alien_textures_free(&t);
}

static mst_status find_nothing(void *user, const char *name, const void **bytes, size_t *size) {
    const mst_status *status = user;
    (void)name;
    *bytes = NULL;
    *size = 0;
    return *status;
}

/* A texture file that cannot be read is none, but memory that is lacking is that. */
static void textures_without_memory(void **state) {
    (void)state;
    static const mst_status statuses[] = {MST_NO_PATH, MST_IO, MST_NO_MEMORY};
    alien_level l;
    alien_textures t;
    alien_small(&l);
    l.quads[0].texture = 999;
    writer w = written(&l, false), gfx = {0};
    mst_document *document = open_bytes(&w);
    mst_diagnostic why;
    mst_status reported;
    mst_resolver resolver = {.find = find_nothing, .user = &reported};
    mst_check_options options = {.sidecars = &resolver};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        reported = statuses[i];
        mst_status status = mst_check(document, &options, NULL, NULL, NULL, &why);
        assert_int_equal(status, reported == MST_NO_MEMORY ? MST_NO_MEMORY : MST_OK);
    }
    resolver.find = NULL; /* it only lists folders */
    assert_silent(document, &resolver);
    mst_close(document);
    /* the file is there, and each piece of memory that the checks take for it is refused once */
    alien_small_textures(&t);
    write_alien_textures(&gfx, &t, false);
    beside b = {"111GFX.BIN", &gfx, 0};
    resolver = (mst_resolver){.find = find_beside, .user = &b};
    size_t refused = 0;
    counted c = {.failed = true};
    for (size_t fail_at = 1; c.failed; fail_at++) {
        c = (counted){0};
        mst_check_result result;
        mst_open_options open = {.name = "L111LEV.MAP", .allocator = counted_allocator(&c)};
        MUST(mst_open_memory(w.data, w.size, &open, &document, &why), &why);
        c.fail_at = c.calls + fail_at;
        c.for_good = true;
        mst_status status = mst_check(document, &options, NULL, NULL, &result, &why);
        assert_true(status == MST_OK || (status == MST_NO_MEMORY && c.failed));
        if (status == MST_OK) /* it found another way */
            assert_int_equal(result.warnings, 1);
        refused += status != MST_OK;
        mst_close(document);
        assert_int_equal(c.blocks, 0);
    }
    assert_true(refused >= 2);
    writer_free(&gfx);
    writer_free(&w);
    alien_textures_free(&t);
}

static void every_code_has_a_case(void **state) {
    (void)state;
    static const char *const elsewhere[] = {"ALIEN-MAGIC",   "ALIEN-SIZE",       "ALIEN-BLOCKS",
                                            "ALIEN-NO-MAP0", "ALIEN-MODEL-SIZE", "ALIEN-SECTION"};
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *document = open_bytes(&w);
    const mst_code_information *code;
    size_t codes = 0;
    for (; (code = mst_code_at(mst_document_format(document), codes)) != NULL; codes++) {
        bool found = false;
        for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
            found = found || strcmp(code_cases[i].code, code->code) == 0;
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            found = found || strcmp(elsewhere[i], code->code) == 0;
        if (!found)
            print_error("%s is never tested\n", code->code);
        assert_true(found);
        assert_true(code->documentation[0] != 0);
    }
    assert_true(codes > 20);
    mst_close(document);
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
            mst_convert_options other = {.byte_order = big ? "little" : "big"};
            mst_convert_options back = {.byte_order = big ? "big" : "little"};
            findings losses = {0};
            MUST(mst_convert(document, &other, collect, &losses, &twin, &why), &why);
            assert_int_equal(losses.count, 0);
            assert_same_bytes(twin, orders[!big].data, orders[!big].size);
            assert_string_equal(mst_document_name(twin), "L111LEV.MAP");
            assert_round_trips(twin);
            MUST(mst_convert(twin, &back, collect, &losses, &again, &why), &why);
            assert_same_bytes(again, orders[big].data, orders[big].size);
            mst_close(again);
            /* to what it is: the same */
            MUST(mst_convert(twin, &other, NULL, NULL, &again, &why), &why);
            assert_same_bytes(again, orders[!big].data, orders[!big].size);
            mst_close(again);
            mst_close(twin);
            other.byte_order = "middle";
            assert_int_equal(mst_convert(document, &other, NULL, NULL, &twin, &why), MST_ARGUMENT);
            assert_null(twin);
            mst_convert_options version = {.version = 1, .has_version = 1};
            assert_int_equal(mst_convert(document, &version, NULL, NULL, &twin, &why), MST_ARGUMENT);
            mst_close(document);
        }
        writer_free(&orders[0]);
        writer_free(&orders[1]);
    }
}

/* JSON says the byte order if it is not the default one. */
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
        mst_json_options compact = {.compact = 1};
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

/* ---- edits ------------------------------------------------------------------------------------- */

static mst_status edit(mst_document *d, const char *path, const char *json, mst_diagnostic *why) {
    return mst_set(d, path, json, why);
}

/* After the edit the document is what the level `l` is written as. */
static void assert_is_level(const mst_document *d, const alien_level *l, bool big) {
    writer w = written(l, big);
    assert_same_bytes(d, w.data, w.size);
    writer_free(&w);
}

static void masks_follow(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        writer w = written(&l, big);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        MUST(edit(d, "map.monsters[0].type", "\"queen\"", &why), &why);
        assert_int_equal(number_at(d, "map.enemy_mask"), 1u << 6 | 1u << 5);
        assert_int_equal(number_at(d, "map.vent_mask"), 0);
        l.monsters[0].type = 7;
        l.enemy_mask = 1u << 6 | 1u << 5;
        assert_is_level(d, &l, big);
        MUST(edit(d, "map.monsters[0].type", "16", &why), &why);
        l.monsters[0].type = 16;
        l.enemy_mask = 1u << 5;
        l.vent_mask = 1;
        assert_is_level(d, &l, big);
        assert_silent(d, NULL);
        MUST(mst_remove(d, "map.monsters[1]", &why), &why);
        l.monster_count = 1;
        l.enemy_mask = 0;
        assert_is_level(d, &l, big);
        mst_close(d);
        writer_free(&w);

        /* masks that were odd stay unless they must follow */
        alien_small(&l);
        l.enemy_mask = 0x1234;
        l.vent_mask = 0x4321;
        w = written(&l, big);
        d = open_bytes(&w);
        MUST(edit(d, "map.monsters[0].x", "2", &why), &why);
        l.monsters[0].x = 2;
        assert_is_level(d, &l, big);
        MUST(edit(d, "map.start_angle", "\"south\"", &why), &why);
        l.start_angle = 4;
        assert_is_level(d, &l, big);
        MUST(edit(d, "map.monsters[0].type", "\"warrior_drone\"", &why), &why);
        l.monsters[0].type = 6;
        l.enemy_mask = 1u << 5;
        assert_is_level(d, &l, big);
        /* by hand it can be anything */
        MUST(edit(d, "map.enemy_mask", "7", &why), &why);
        l.enemy_mask = 7;
        assert_is_level(d, &l, big);
        mst_close(d);
        writer_free(&w);
    }
}

static void one_byte(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        writer w = written(&l, big);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        MUST(edit(d, "map.quads[3].draw_flags", "26", &why), &why);
        size_t place = mark_of(&w, "map.quads[3].draw_flags")->offset;
        assert_int_equal(w.data[place], 2);
        w.data[place] = 26;
        assert_same_bytes(d, w.data, w.size);
        MUST(edit(d, "door_models[0].quads[0].vertices[1]", "-2", &why), &why);
        mst_store32(w.data + mark_of(&w, "door_models[0].quads[0].vertices[1]")->offset, 0xFFFFFFFE, big);
        assert_same_bytes(d, w.data, w.size);
        MUST(edit(d, "map.lights[2].timers[1]", "258", &why), &why);
        mst_store16(w.data + mark_of(&w, "map.lights[2].timers[1]")->offset, 258, false);
        assert_same_bytes(d, w.data, w.size);
        MUST(edit(d, "map.cells[5].path_node", "513", &why), &why);
        mst_store16(w.data + mark_of(&w, "map.cells[5].path_node")->offset, 513, big);
        assert_same_bytes(d, w.data, w.size);
        assert_round_trips(d);
        mst_close(d);
        writer_free(&w);
    }
}

#define PICKUP_JSON                                                                                          \
    "{\"x\":1,\"y\":2,\"type\":\"medi_kit\",\"amount\":3,\"multiplier\":4,\"trigger_threshold\":5,"          \
    "\"amount_copy\":6}"
#define NODE_JSON "{\"x\":2,\"y\":1,\"alternate\":1,\"links\":[0,255,255,255]}"
#define MONSTER_JSON                                                                                         \
    "{\"type\":\"egg\",\"x\":2,\"y\":1,\"z\":255,\"rotation\":\"north\",\"health\":1,\"drop\":255,"          \
    "\"unknown_07\":0,\"trigger_threshold\":0,\"unknown_09\":0,\"unknown_0a\":[1,2,3,4],\"speed\":9,"        \
    "\"unknown_10\":[5,6,7,8]}"

static void counts_follow(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        l.section_count = 1;
        l.sections[0] = section("FRNT", "abc", 3, 0, true);
        writer w = written(&l, big);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        MUST(mst_insert(d, "map.pickups[1]", PICKUP_JSON, &why), &why);
        l.pickup_count = 2;
        l.pickups[1] = (alien_pickup){.x = 1,
                                      .y = 2,
                                      .type = 20,
                                      .amount = 3,
                                      .multiplier = 4,
                                      .trigger_threshold = 5,
                                      .amount_copy = 6};
        assert_is_level(d, &l, big);
        MUST(mst_insert(d, "map.monsters[0]", MONSTER_JSON, &why), &why);
        l.monster_count = 3;
        memmove(l.monsters + 1, l.monsters, 2 * sizeof *l.monsters);
        l.monsters[0] = (alien_monster){.type = 1,
                                        .x = 2,
                                        .y = 1,
                                        .z = 255,
                                        .health = 1,
                                        .drop = 255,
                                        .unknown_0a = {1, 2, 3, 4},
                                        .speed = 9,
                                        .unknown_10 = {5, 6, 7, 8}};
        l.enemy_mask |= 1;
        assert_is_level(d, &l, big);
        MUST(mst_insert(d, "map.path_nodes[2]", NODE_JSON, &why), &why);
        l.path_node_count = 3;
        l.path_nodes[2] = (alien_path_node){2, 1, 0, 1, {0, 255, 255, 255}};
        assert_is_level(d, &l, big);
        MUST(mst_remove(d, "map.path_nodes[2]", &why), &why);
        MUST(mst_remove(d, "map.monsters[0]", &why), &why);
        MUST(mst_remove(d, "map.pickups[1]", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        /* all of a list, and none of it */
        MUST(edit(d, "map.pickups", "[" PICKUP_JSON "," PICKUP_JSON "," PICKUP_JSON "]", &why), &why);
        assert_int_equal(number_at(d, "map.pickup_count"), 3);
        MUST(edit(d, "map.pickups", "[]", &why), &why);
        assert_int_equal(number_at(d, "map.pickup_count"), 0);
        assert_round_trips(d);
        mst_close(d);
        writer_free(&w);
    }
}

static void what_cannot_be(void **state) {
    (void)state;
    static const struct {
        const char *path, *json;
        mst_status status;
    } cases[] = {
        {"map.vertex_count", "5", MST_REFUSED},
        {"map.path_node_count", "1", MST_REFUSED},
        {"map.light_count", "127", MST_REFUSED},
        {"door_models[0].quad_count", "2", MST_REFUSED},
        {"map.grid_columns", "5", MST_ARGUMENT},
        {"map.grid_rows", "0", MST_ARGUMENT},
        {"size", "12", MST_REFUSED},
        {"unknown_sections[0].size", "2", MST_REFUSED},
        {"magic", "\"XXXX\"", MST_REFUSED},
        {"type", "\"PSXT\"", MST_REFUSED},
        {"door_models[0].magic", "\"OBJ2\"", MST_REFUSED},
        {"unknown_sections[0].name", "\"D009\"", MST_OK}, /* which is not a model */
        {"door_models[0].name", "\"D007\"", MST_OK},
        {"map.cells", "[]", MST_ARGUMENT},
        {"map.monsters[0].type", "256", MST_ARGUMENT},
        {"map.monsters[0].type", "\"dragon\"", MST_ARGUMENT},
        {"map.monsters[0].x", "-1", MST_ARGUMENT},
        {"map.quads[0].vertices[0]", "2147483648", MST_ARGUMENT},
        {"map.quads[0].vertices", "[1,2,3]", MST_ARGUMENT},
        {"map.monsters[2].x", "1", MST_NO_PATH},
        {"map.wings", "1", MST_NO_PATH},
    };
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        l.section_count = 1;
        l.sections[0] = section("BACK", "abcd", 4, 0, false);
        writer w = written(&l, big);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            mst_document *d = open_bytes(&w);
            mst_diagnostic why;
            mst_status status = mst_set(d, cases[i].path, cases[i].json, &why);
            if (status != cases[i].status)
                print_error("%s=%s: %s\n", cases[i].path, cases[i].json, mst_status_text(status));
            assert_int_equal(status, cases[i].status);
            if (status != MST_OK)
                assert_same_bytes(d, w.data, w.size);
            else
                assert_round_trips(d);
            mst_close(d);
        }
        writer_free(&w);
    }
    /* 255 path nodes, and no more */
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    for (int i = 2; i < 255; i++)
        MUST(mst_insert(d, "map.path_nodes[2]", NODE_JSON, &why), &why);
    assert_int_equal(number_at(d, "map.path_node_count"), 255);
    assert_round_trips(d);
    size_t size, size_now;
    mst_document_bytes(d, &size);
    assert_int_equal(size, w.size + 253 * 8);
    assert_int_equal(mst_insert(d, "map.path_nodes[2]", NODE_JSON, &why), MST_REFUSED);
    mst_document_bytes(d, &size_now);
    assert_int_equal(size_now, size);
    mst_close(d);
    writer_free(&w);
}

static void odd_sections_edited(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        l.section_count = 2;
        l.sections[0] = section("FRNT", "abcd", 4, 0, true);
        l.sections[1] = section("BACK", "ab", 2, 0, false);
        writer w = written(&l, big);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        /* a section before others, and the last one */
        MUST(edit(d, "unknown_sections[0].data", "\"616263\"", &why), &why);
        l.sections[0] = section("FRNT", "abc", 3, 0, true);
        assert_is_level(d, &l, big);
        MUST(edit(d, "unknown_sections[0].data", "\"6162636465\"", &why), &why);
        l.sections[0] = section("FRNT", "abcde", 5, 0, true);
        assert_is_level(d, &l, big);
        MUST(edit(d, "unknown_sections[0].data", "\"6162636465aa\"", &why), &why);
        MUST(edit(d, "unknown_sections[0].data", "\"61626364\"", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        MUST(edit(d, "unknown_sections[1].data", "\"61\"", &why), &why);
        assert_round_trips(d);
        size_t size;
        mst_document_bytes(d, &size);
        assert_int_equal(size % 2, 0);
        mst_close(d);
        writer_free(&w);
    }
}

/* ---- in words ---------------------------------------------------------------------------------- */

static void assert_words(const alien_level *l, const char *expected) {
    writer w = written(l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    mst_buffer text = {0};
    MUST(mst_describe(d, "triggers", mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_string_equal((const char *)text.data, expected);
    mst_buffer_free(&text);
    assert_int_equal(mst_describe(d, "wings", mst_buffer_sink(&text), &why), MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&w);
}

static void words(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    assert_words(&l, "trigger 1, any number of times: open door 0, then light 2 on\n"
                     "trigger 2, 1 time: end of level\n");
    /* every operation, and one that is not known */
    static const uint8_t operations[] = {1, 2, 3, 4, 5, 7, 9, 10};
    l.triggers[1] = (alien_trigger){0, 255, 255, 0};
    l.triggers[2] = (alien_trigger){1, 10, 3, 0};
    for (uint8_t i = 0; i < 8; i++)
        l.commands[10 + i] = (alien_command){operations[i], (uint8_t)(i == 7 ? 255 : 11 + i), 1, i};
    assert_words(&l, "trigger 2, 3 times: unlock door 0, then pickup 1 appears, then wake monster 2, then "
                     "switch off box 3, then locked lift 4, then move lift 5, then animate texture 6, then "
                     "operation 10 on 7\n");
    /* commands that are not there */
    l.triggers[2] = (alien_trigger){1, 64, 2, 0};
    l.triggers[3] = (alien_trigger){1, 20, 255, 0};
    l.commands[20] = (alien_command){8, 200, 0, 0};
    assert_words(&l,
                 "trigger 2, 2 times: command 64, which does not exist\n"
                 "trigger 3, any number of times: end of level, then command 200, which does not exist\n");
    /* a level without any */
    l.trigger_count = 0;
    assert_words(&l, "");
    l.no_map = true;
    assert_words(&l, "");
}

/* Which file names are those of levels, and of which. */
static void names_of_levels(void **state) {
    (void)state;
    static const struct {
        const char *file, *number, *name;
    } cases[] = {{"L111LEV.MAP", "111", "Entrance"},
                 {"l391lev.map", "391", "Queen's Lair"},
                 {"L901LEV.MAP", "901", "Multiplayer"},
                 {"L911LEV.MAP", "911", NULL},
                 {"L811LEV.MAP", "811", NULL},
                 {"L123", "123", NULL},
                 {"", NULL, NULL},
                 {"M111LEV.MAP", NULL, NULL},
                 {"L", NULL, NULL},
                 {"L1", NULL, NULL},
                 {"L11", NULL, NULL},
                 {"L/11LEV.MAP", NULL, NULL},
                 {"L:11LEV.MAP", NULL, NULL},
                 {"L1/1LEV.MAP", NULL, NULL},
                 {"L1:1LEV.MAP", NULL, NULL},
                 {"L11/LEV.MAP", NULL, NULL},
                 {"L11:LEV.MAP", NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char number[4] = "";
        assert_int_equal(mst_alien_level_number(cases[i].file, number), cases[i].number != NULL);
        assert_string_equal(number, cases[i].number ? cases[i].number : "");
        if (cases[i].number && cases[i].name)
            assert_string_equal(mst_alien_level_name(number), cases[i].name);
        else if (cases[i].number)
            assert_null(mst_alien_level_name(number));
    }
}

/* Words end where there is no room for more. */
static void words_are_cut(void **state) {
    (void)state;
    static const char whole[] = "1, any number of times: open door 0, then light 2 on";
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_value map = find(d, "map");
    for (size_t capacity = 1; capacity <= sizeof whole + 1; capacity++) {
        char text[sizeof whole + 2];
        memset(text, '#', sizeof text);
        assert_true(mst_alien_trigger_text(&map, 1, text, capacity));
        size_t length = capacity <= sizeof whole ? capacity - 1 : sizeof whole - 1;
        assert_memory_equal(text, whole, length);
        assert_int_equal(text[length], 0);
        if (length + 1 < sizeof text)
            assert_int_equal(text[length + 1], '#');
    }
    mst_close(d);
    writer_free(&w);
}

static mst_status full(void *user, const void *bytes, size_t size) {
    (void)user;
    (void)bytes;
    (void)size;
    return MST_IO;
}

static void words_that_cannot_be_written(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    assert_int_equal(mst_describe(d, "triggers", (mst_sink){.write = full}, &why), MST_IO);
    assert_int_equal(why.status, MST_IO);
    mst_close(d);
    writer_free(&w);
}

/* Without a level there are no masks to follow. */
static void edits_without_map(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    l.no_map = true;
    l.trailing = "left";
    l.trailing_size = 4;
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    MUST(mst_set(d, "trailing", "\"01020304\"", &why), &why);
    memcpy(w.data + w.size - 4, "\1\2\3\4", 4);
    assert_same_bytes(d, w.data, w.size);
    mst_close(d);
    writer_free(&w);
}

/* A section that gets the name of the map, and is none, would make a file that does not open. */
static void edits_to_map(void **state) {
    (void)state;
    static const char zeros[40] = {0};
    for (int size = 4; size <= 40; size += 36) {
        alien_level l;
        alien_small(&l);
        l.no_map = true;
        l.section_count = 1;
        l.sections[0] = section("XTRA", zeros, (size_t)size, 0, true);
        writer w = written(&l, false);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        assert_int_equal(mst_set(d, "unknown_sections[0].name", "\"MAP0\"", &why), MST_REFUSED);
        assert_same_bytes(d, w.data, w.size);
        mst_close(d);
        writer_free(&w);
    }
}

/* A chain that returns to itself is described up to the repetition. */
static void words_in_a_circle(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    l.triggers[2] = (alien_trigger){0, 255, 255, 0};
    l.commands[1].next = 0;
    assert_words(&l, "trigger 1, any number of times: open door 0, then light 2 on, and so on in a circle\n");
    l.commands[1].next = 1;
    assert_words(&l, "trigger 1, any number of times: open door 0, then light 2 on, and so on in a circle\n");
    l.commands[1].next = 255;
    l.commands[0].next = 0;
    assert_words(&l, "trigger 1, any number of times: open door 0, and so on in a circle\n");
}

/* Tests of edits are there only in a build that reads JSON. */
#define EDITS(name)                                                                                          \
    static void name##_if_possible(void **state) {                                                           \
        if (!reads_json)                                                                                     \
            skip();                                                                                          \
        name(state);                                                                                         \
    }
EDITS(edits_without_map)
EDITS(edits_to_map)
EDITS(many_quads)
EDITS(masks_follow)
EDITS(counts_follow)
EDITS(what_cannot_be)
EDITS(odd_sections_edited)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_orders),
        cmocka_unit_test(nothing_in_it),
        cmocka_unit_test(order_that_cannot_be_told),
        cmocka_unit_test(other_sections),
        cmocka_unit_test(damaged),
        cmocka_unit_test(many_quads_if_possible),
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(every_finding),
        cmocka_unit_test(several_findings),
        cmocka_unit_test(findings_of_the_container),
        cmocka_unit_test(textures_beside),
        cmocka_unit_test(textures_without_memory),
        cmocka_unit_test(every_code_has_a_case),
        cmocka_unit_test(twins),
        cmocka_unit_test(byte_order_in_json),
        cmocka_unit_test(masks_follow_if_possible),
        cmocka_unit_test(one_byte),
        cmocka_unit_test(counts_follow_if_possible),
        cmocka_unit_test(what_cannot_be_if_possible),
        cmocka_unit_test(odd_sections_edited_if_possible),
        cmocka_unit_test(words),
        cmocka_unit_test(words_in_a_circle),
        cmocka_unit_test(names_of_levels),
        cmocka_unit_test(words_are_cut),
        cmocka_unit_test(words_that_cannot_be_written),
        cmocka_unit_test(edits_without_map_if_possible),
        cmocka_unit_test(edits_to_map_if_possible),
    };
    return cmocka_run_group_tests(tests, look_what_there_is, NULL);
}
