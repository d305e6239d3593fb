/* SPDX-License-Identifier: MIT */
/* Findings of checks in levels of Alien Trilogy. */
#include "alien_documents.h"
#include "thorough.h"

/* ---- findings ---------------------------------------------------------------------------------- */

typedef struct code_case {
    const char *code;
    void (*change)(alien_level *l);
    const char *path;
    const char *where; /* the mark of the place; NULL: the path's */
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
CHANGE(no_operation, l->commands[2] = (alien_command){255, 255, 1, 200})
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
    {"ALIEN-FIXED-COUNT", few_triggers, "map.triggers", "map.triggers[0].mask", "63", "64"},
    {"ALIEN-FIXED-COUNT", many_commands, "map.commands", "map.commands[0].operation", "65", "64"},
    {"ALIEN-FIXED-COUNT", few_lights, "map.lights", "map.lights[0].off_color", "127", "128"},
    {"ALIEN-CHAIN", chain_of_itself, "map.commands[2].next", NULL, "2", NULL},
    {"ALIEN-CHAIN", chain_in_circle, "map.commands[1].next", NULL, "0", NULL},
    {"ALIEN-COMMAND-LOOSE", chain_nowhere, "map.commands[5]", "map.commands[5].operation", "", NULL},
    {"ALIEN-COMMAND-LOOSE", chain_after, "map.commands[5]", "map.commands[5].operation", "", NULL},
    {"ALIEN-MODEL-LAST", model_without_end, "lift_models[0].quads[0].kind", NULL, "127", NULL},
    {"ALIEN-MODEL-LAST", model_ends_early, "door_models[0].quads[0].kind", NULL, "128", NULL},
    {"ALIEN-TRIANGLE-FLAG", triangle_flag, "map.quads[5].draw_flags", NULL, "5", "1"},
    {"ALIEN-RUNS", run_begins_late, "map.cells[6].first_quad", NULL, "4", "3"},
    {"ALIEN-RUNS", run_twice, "map.cells[11].first_quad", NULL, "3", "7"},
    {"ALIEN-RUNS", run_of_terminator, "map.cells[11].first_quad", NULL, "7", "7"},
    {"ALIEN-RUNS", run_missing, "map.quads", "map.quads[0].vertices[0]", "3", NULL},
    {"ALIEN-RUNS", run_without_end, "map.quads", "map.quads[0].vertices[0]", "8", NULL},
    {"ALIEN-RUNS", run_ends_early, "map.quads", "map.quads[0].vertices[0]", "5", NULL},
    {"ALIEN-TERMINATOR", terminator, "map.quads[7]", "map.quads[7].vertices[0]", "8", NULL},
    {"ALIEN-ENEMY-MASK", enemy_mask, "map.enemy_mask", NULL, "1", "34"},
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

/* The only finding. */
static void assert_one_finding(const mst_document *document, const mst_resolver *sidecars, const char *code,
                               const char *path, uint64_t offset, const char *found, const char *expected) {
    findings list = {0};
    mst_check_options options = {.size = sizeof options, .information = 1, .sidecars = sidecars};
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

/* The texture file next to the level. */
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

/* An operation of 255 does nothing, whatever its target is (alien.md 3.3: the empty pattern has it). */
static void commands_that_do_nothing(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    no_operation(&l);
    writer w = written(&l, false);
    mst_document *document = open_bytes(&w);
    assert_silent(document, NULL);
    mst_close(document);
    writer_free(&w);
}

/* A model's quad has a kind, which is not a draw flag: 8 shows no animator, 5 is an ordinary triangle. */
static void kinds_of_models(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    alien_model *m = &l.models[0];
    m->quad_count = 3;
    m->quads[1] = m->quads[2] = m->quads[0];
    m->quads[0].draw_flags = 8;
    m->quads[0].texture = 2; /* there is one animator */
    m->quads[1].draw_flags = 5;
    m->quads[1].vertices[3] = -1;
    m->quads[2].light = 77;
    writer w = written(&l, false);
    mst_document *document = open_bytes(&w);
    assert_silent(document, NULL);
    mst_close(document);
    writer_free(&w);
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
    mst_check_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_document *document = open_bytes(&w);
    findings list = {0};
    MUST(mst_check(document, &options, collect, &list, NULL, NULL), NULL);
    static const char *const wanted[] = {"map.quads[5].vertices[0]", "map.quads[5].vertices[2]",
                                         "map.enemy_mask",           "map.start_x",
                                         "map.quads[5].draw_flags",  "map.quads[5].texture"};
    assert_int_equal(list.count, 6);
    for (size_t i = 0; i < 6; i++)
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
                           "no bytes after the container");
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
        mst_value value = value_at(document, "lift_models");
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
        /* an unknown section */
        l.sections[0] = section("XTRA", "OBJ1", 4, 0, true);
        w = written(&l, big);
        document = open_bytes(&w);
        assert_one_finding(document, NULL, "ALIEN-SECTION", "unknown_sections[0]", 12, "XTRA", NULL);
        mst_close(document);
        writer_free(&w);
        /* names similar to those of models; a second MAP0, of any size */
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
        assert_int_equal(list.count, 2); /* and without ground */
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
            /* not a level's name: nothing to look for */
            b.asked = 0;
            document = open_as(w.data, w.size, NULL, "COPY.MAP");
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
        /* an invalid texture file */
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

/* A texture file that cannot be read counts as missing, but lack of memory is reported as such. */
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
    mst_check_options options = {.size = sizeof options, .sidecars = &resolver};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        reported = statuses[i];
        mst_status status = mst_check(document, &options, NULL, NULL, NULL, &why);
        assert_int_equal(status, reported == MST_NO_MEMORY ? MST_NO_MEMORY : MST_OK);
    }
    resolver.find = NULL; /* it only lists folders */
    assert_silent(document, &resolver);
    mst_close(document);
    /* the file exists, and each allocation of the checks for it is refused once */
    alien_small_textures(&t);
    write_alien_textures(&gfx, &t, false);
    beside b = {"111GFX.BIN", &gfx, 0};
    resolver = (mst_resolver){.find = find_beside, .user = &b};
    size_t refused = 0;
    counted c = {.failed = true};
    for (size_t fail_at = 1; c.failed; fail_at++) {
        c = (counted){0};
        mst_check_result result;
        mst_open_options open = {
            .size = sizeof open, .name = "L111LEV.MAP", .allocator = counted_allocator(&c)};
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
    static const char *const elsewhere[] = {"ALIEN-MAGIC", "ALIEN-SIZE", "ALIEN-BLOCKS", "ALIEN-NO-MAP0",
                                            "ALIEN-MODEL-SIZE", "ALIEN-SECTION",
                                            /* test_alien_things.c */
                                            "ALIEN-FILE-MISSING", "ALIEN-FILE-UNREADABLE"};
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

int test_alien_check(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_finding),
        cmocka_unit_test(commands_that_do_nothing),
        cmocka_unit_test(kinds_of_models),
        cmocka_unit_test(several_findings),
        cmocka_unit_test(findings_of_the_container),
        cmocka_unit_test(textures_beside),
        cmocka_unit_test(textures_without_memory),
        cmocka_unit_test(every_code_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
