/* SPDX-License-Identifier: MIT */
/* Edits of levels of Alien Trilogy, and their triggers in words. */
#include "../src/formats/alien/alien.h"
#include "alien_documents.h"
#include <mapstone/edit.h>

/* ---- edits ------------------------------------------------------------------------------------- */

static mst_status edit(mst_document *d, const char *path, const char *json, mst_diagnostic *why) {
    return mst_set(d, path, json, why);
}

/* After the edit the document equals the written level `l`. */
static void assert_is_level(const mst_document *d, const alien_level *l, bool big) {
    writer w = written(l, big);
    assert_same_bytes(d, w.data, w.size);
    writer_free(&w);
}

/* The number of cells does not depend on a type: none are lost for it, allowed or not. */
static void grids_lose_no_cells(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_operation one = {.kind = MST_OPERATION_SET, .path = "map.grid_columns", .value = "1"};
    for (int may = 0; may < 2; may++) {
        mst_edit_options options = {.size = sizeof options, .allow_loss = may};
        mst_diagnostic why;
        assert_int_equal(mst_edit(d, &one, 1, &options, &why), MST_ARGUMENT);
        assert_string_equal(why.message, "the number of elements is wrong");
        assert_is_level(d, &l, false);
    }
    mst_close(d);
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
        assert_is_level(d, &l, big);
        assert_silent(d, NULL);
        MUST(mst_remove(d, "map.monsters[1]", &why), &why);
        l.monster_count = 1;
        l.enemy_mask = 0;
        assert_is_level(d, &l, big);
        mst_close(d);
        writer_free(&w);

        /* odd masks are kept unless they must be updated */
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
        /* set explicitly it can be anything */
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
        size_t node = mark_of(&w, "map.cells[5].path_node")->offset; /* its word is at a multiple of four */
        assert_int_equal(node % 2 != mark_of(&w, "map.cells[5].first_quad")->offset % 2, big);
        MUST(edit(d, "map.cells[5].path_node", "1", &why), &why);
        w.data[node] = 1;
        MUST(edit(d, "map.cells[5].unknown_07", "9", &why), &why);
        w.data[big ? node - 1 : node + 1] = 9;
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

/* The rule by which vent_mask follows from the vents is unknown: only an edit of itself changes it, and no
 * value is a fault. */
static void vent_mask_is_kept(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    l.vent_mask = 0x4321;
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    MUST(edit(d, "map.monsters[0].type", "16", &why), &why);
    l.monsters[0].type = 16;
    l.enemy_mask = 1u << 5;
    assert_is_level(d, &l, false);
    assert_silent(d, NULL);
    MUST(edit(d, "map.vent_mask", "4", &why), &why);
    l.vent_mask = 4;
    assert_is_level(d, &l, false);
    assert_silent(d, NULL);
    mst_close(d);
    writer_free(&w);
}

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
        /* all elements of a list, and none */
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

/* ---- a number next to a flag ----------------------------------------------------------------------- */

/* Sets quad 2's light, which is 2 and the last of its run, and checks the byte and the JSON. */
static void assert_light(const char *given, uint8_t byte, const char *json) {
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    size_t place = mark_of(&w, "map.quads[2].light")->offset, size;
    MUST(edit(d, "map.quads[2].light", given, &why), &why);
    assert_int_equal(((const uint8_t *)mst_document_bytes(d, &size))[place], byte);
    mst_value light = value_at(d, "map.quads[2].light");
    mst_buffer text = {0};
    mst_json_options how = {.size = sizeof how, .compact = 1};
    MUST(mst_write_json(&light, &how, mst_buffer_sink(&text), &why), &why);
    assert_int_equal(text.size, strlen(json) + 1); /* a line */
    assert_memory_equal(text.data, json, strlen(json));
    mst_buffer_free(&text);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

static void light_and_end_of_run(void **state) {
    (void)state;
    assert_light("5", 0x85, "[\"last_of_run\",5]"); /* a number keeps the flag */
    assert_light("0", 0x80, "[\"last_of_run\"]");
    assert_light("[5]", 5, "5"); /* a list sets all of it */
    assert_light("[]", 0, "0");
    assert_light("[\"last_of_run\",7]", 0x87, "[\"last_of_run\",7]");
    assert_light("-last_of_run", 2, "2");
    assert_light("+last_of_run", 0x82, "[\"last_of_run\",2]");
    assert_light("last_of_run", 0x80, "[\"last_of_run\"]");
    assert_light("last_of_run,9", 0x89, "[\"last_of_run\",9]");
    assert_light("200", 200, "[\"last_of_run\",72]"); /* the complete byte */
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    char text[32];
    mst_value light = value_at(d, "map.quads[2].light"), other = value_at(d, "map.quads[0].light");
    MUST(mst_get_flags(&light, text, sizeof text, NULL), NULL);
    assert_string_equal(text, "last_of_run,2");
    MUST(mst_get_flags(&other, text, sizeof text, NULL), NULL);
    assert_string_equal(text, "1");
    assert_int_equal(edit(d, "map.quads[2].light", "256", &why), MST_ARGUMENT);
    assert_int_equal(edit(d, "map.quads[2].light", "99999999999999999999", &why), MST_ARGUMENT);
    assert_int_equal(edit(d, "map.quads[2].light", "-1", &why), MST_ARGUMENT);
    mst_close(d);
    writer_free(&w);
}

/* ---- in words ---------------------------------------------------------------------------------- */

static void assert_words(const alien_level *l, const char *expected) {
    writer w = written(l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    assert_describes(d, "triggers", expected);
    assert_int_equal(mst_describe(d, "wings", NULL, (mst_sink){.write = refuse_bytes}, &why),
                     MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&w);
}

static void words(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    assert_words(&l, "trigger 1, any number of times: open door 0, then light 2 on\n"
                     "trigger 2, 1 time: end of level\n");
    /* every operation, an unused command in the chain, and an unknown operation */
    static const uint8_t operations[] = {1, 2, 3, 4, 5, 7, 255, 9, 10};
    l.triggers[1] = (alien_trigger){0, 255, 255, 0};
    l.triggers[2] = (alien_trigger){1, 10, 3, 0};
    for (uint8_t i = 0; i < 9; i++)
        l.commands[10 + i] = (alien_command){operations[i], (uint8_t)(i == 8 ? 255 : 11 + i), 1, i};
    assert_words(
        &l,
        "trigger 2, 3 times: unlock door 0, then pickup 1 appears, then wake monster 2, then "
        "switch off box 3, then locked lift 4, then move lift 5, then nothing, then animate texture 7, then "
        "unknown operation 10 on 8\n");
    /* commands that do not exist */
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

/* The file names of levels, and the level of each. */
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

/* Words end at the end of the buffer. */
static void words_are_cut(void **state) {
    (void)state;
    static const char whole[] = "1, any number of times: open door 0, then light 2 on";
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_value map = value_at(d, "map");
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

static void words_that_cannot_be_written(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    assert_int_equal(mst_describe(d, "triggers", NULL, (mst_sink){.write = refuse_bytes}, &why), MST_IO);
    assert_int_equal(why.status, MST_IO);
    mst_close(d);
    writer_free(&w);
}

/* Without a level there are no masks to update. */
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

/* A section renamed to the map's name, but without a map, would make a file that does not open. */
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

/* Tests of edits exist only in a build that reads JSON. */
#define EDITS(name)                                                                                          \
    static void name##_if_possible(void **state) {                                                           \
        name(state);                                                                                         \
    }

EDITS(edits_without_map)
EDITS(edits_to_map)

EDITS(grids_lose_no_cells)
EDITS(masks_follow)

EDITS(counts_follow)

EDITS(what_cannot_be)

EDITS(odd_sections_edited)

/* ---- runs ---------------------------------------------------------------------------------------- */

/* Inserts a copy of another element. */
static void insert_copy(mst_document *d, const char *path, const char *of) {
    mst_value value = value_at(d, of);
    mst_buffer text = {0};
    mst_json_options how = {.size = sizeof how, .compact = 1};
    mst_diagnostic why;
    MUST(mst_write_json(&value, &how, mst_buffer_sink(&text), &why), &why);
    text.data[text.size - 1] = 0;
    MUST(mst_insert(d, path, (const char *)text.data, &why), &why);
    mst_buffer_free(&text);
}

static void put_quad(alien_level *l, size_t index, alien_quad quad) {
    memmove(&l->quads[index + 1], &l->quads[index], (l->quad_count++ - index) * sizeof quad);
    l->quads[index] = quad;
}

/* A cell's run extends from its first quad to the marked one: 0 to 2 and 3 to 6 of the small level. */
static void runs_follow(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        alien_level l;
        alien_small(&l);
        writer w = written(&l, big);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        insert_copy(d, "map.quads[3]", "map.quads[3]"); /* between two runs: the end of the first */
        put_quad(&l, 3, l.quads[3]);
        l.quads[2].light = 2;
        l.quads[3].light = 1 | 0x80;
        alien_cell_at(&l, 2, 1)->first_quad = 4;
        assert_is_level(d, &l, big);
        insert_copy(d, "map.quads[0]", "map.quads[3]"); /* before all: the beginning of the first */
        put_quad(&l, 0, l.quads[3]);
        l.quads[0].light = 1;
        alien_cell_at(&l, 2, 1)->first_quad = 5;
        assert_is_level(d, &l, big);
        insert_copy(d, "map.quads[2]", "map.quads[4]"); /* within one */
        put_quad(&l, 2, l.quads[4]);
        l.quads[2].light = 1;
        alien_cell_at(&l, 2, 1)->first_quad = 6;
        assert_is_level(d, &l, big);
        MUST(mst_remove(d, "map.quads[2]", &why), &why);
        MUST(mst_remove(d, "map.quads[0]", &why), &why);
        MUST(mst_remove(d, "map.quads[3]", &why), &why);
        assert_same_bytes(d, w.data, w.size);
        for (int i = 0; i < 3; i++) /* a cell whose quads are removed */
            MUST(mst_remove(d, "map.quads[0]", &why), &why);
        assert_int_equal(number_at(d, "map.cells[6].first_quad"), 0);
        mst_value first = value_at(d, "map.cells[5].first_quad");
        int64_t none;
        MUST(mst_get_integer(&first, &none), NULL);
        assert_int_equal(none, -1);
        assert_int_equal(mst_remove(d, "map.quads[4]", &why), MST_REFUSED);
        assert_string_equal(why.message, "the terminator must remain the last quad");
        assert_int_equal(mst_insert(d, "map.quads[5]",
                                    "{\"vertices\":[0,1,2,3],\"texture\":0,\"draw_flags\":0,\"light\":1}",
                                    &why),
                         MST_REFUSED);
        mst_close(d);
        writer_free(&w);
    }
}

/* A model's last quad is marked, in another byte. */
static void models_follow(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    alien_model *m = &l.models[0];
    m->quad_count = 2;
    m->quads[1] = m->quads[0];
    m->quads[0].draw_flags = 4;
    m->quads[0].light = 0xFF; /* no quads there */
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    insert_copy(d, "door_models[0].quads[2]", "door_models[0].quads[0]");
    m->quad_count = 3;
    m->quads[2] = m->quads[0];
    m->quads[1].draw_flags = 0;
    m->quads[2].draw_flags = 0x84;
    assert_is_level(d, &l, false);
    insert_copy(d, "door_models[0].quads[0]", "door_models[0].quads[2]");
    MUST(mst_remove(d, "door_models[0].quads[1]", &why), &why);
    assert_is_level(d, &l, false);
    MUST(mst_remove(d, "door_models[0].quads[2]", &why), &why);
    m->quad_count = 2;
    m->quads[1].draw_flags = 0x80;
    assert_is_level(d, &l, false);
    mst_close(d);
    writer_free(&w);
}

/* The game identifies sections by number: a copy gets the next one. Cells are determined by their places. */
static void sections_and_cells_in_order(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    mst_value list = value_at(d, "door_models");
    uint64_t count = mst_count(&list);
    char path[40], name[8], text[8];
    size_t length;
    snprintf(path, sizeof path, "door_models[%u]", (unsigned)count - 1);
    snprintf(name, sizeof name, "D%03u", (unsigned)count % 1000);
    mst_operation one = {.kind = MST_OPERATION_DUPLICATE, .path = path};
    MUST(mst_edit(d, &one, 1, NULL, &why), &why);
    snprintf(path, sizeof path, "door_models[%u].name", (unsigned)count);
    mst_value value = value_at(d, path);
    MUST(mst_get_text(&value, text, sizeof text, &length), NULL);
    assert_string_equal(text, name);
    snprintf(path, sizeof path, "door_models[%u]", (unsigned)count);
    MUST(mst_remove(d, path, &why), &why);
    assert_is_level(d, &l, false);
    one = (mst_operation){.kind = MST_OPERATION_MOVE, .path = "map.cells[0]", .value = "1"};
    assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_REFUSED);
    assert_string_equal(why.path, "map.cells[0]");
    assert_string_equal(why.message,
                        "it would move to another cell of the grid: set the element there instead");
    assert_is_level(d, &l, false);
    mst_close(d);
    writer_free(&w);
}

/* Another drop type of a box changes the meaning of its numbers: both must be given. */
static void drops_of_boxes(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    assert_int_equal(edit(d, "map.boxes[0].drop_type", "2", &why), MST_REFUSED);
    assert_string_equal(why.path, "map.boxes[0].drop_type");
    assert_is_level(d, &l, false);
    MUST(edit(d, "map.boxes[1].drop_type", "2", &why), &why); /* it drops nothing */
    l.boxes[1].drop_type = 2;
    assert_is_level(d, &l, false);
    mst_operation both[] = {{.path = "map.boxes[0].drop_type", .value = "2"},
                            {.path = "map.boxes[0].drop_first", .value = "1"}};
    MUST(mst_edit(d, both, 2, NULL, &why), &why);
    l.boxes[0].drop_type = 2;
    l.boxes[0].drop_first = 1;
    assert_is_level(d, &l, false);
    mst_edit_options force = {.size = sizeof force, .force = 1};
    both[0].value = "0";
    MUST(mst_edit(d, both, 1, &force, &why), &why);
    l.boxes[0].drop_type = 0;
    assert_is_level(d, &l, false);
    mst_close(d);
    writer_free(&w);
}

/* An added element takes the first unused trigger, but not one that cells could not name. */
static void added_triggers(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    mst_operation one = {.kind = MST_OPERATION_ADD, .path = "map.triggers", .value = "{\"first_command\":0}"};
    size_t added = 0;
    for (size_t before = 0; mst_edit(d, &one, 1, NULL, &why) == MST_OK; added++, before++)
        assert_true(before < 64);
    assert_int_equal(why.status, MST_REFUSED);
    assert_true(added > 50);
    assert_int_equal(number_at(d, "map.triggers[63].uses"), 255);
    assert_int_equal(number_at(d, "map.triggers[63].mask"), 1);
    one.path = "map.lights";
    assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_REFUSED);
    one = (mst_operation){.kind = MST_OPERATION_ADD, .path = "queen", .value = "{\"x\":1,\"y\":\"2\"}"};
    MUST(mst_edit(d, &one, 1, NULL, &why), &why);
    assert_int_equal(number_at(d, "map.monsters[2].type"), 7);
    one.path = "nobody";
    assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_NO_PATH);
    mst_close(d);
    writer_free(&w);
}

/* A quad for a cell that has some is inserted after them; for another cell it is a run of its own between the
 * runs of the cells before and after. */
static void quads_for_cells(void **state) {
    (void)state;
    static const struct {
        unsigned cell, index, other; /* also gets another light */
        int32_t firsts[4];           /* of the cells 3, 5, 6 and 9 */
    } cases[] = {{6, 7, 6, {-1, 0, 3, -1}},
                 {5, 3, 2, {-1, 0, 4, -1}},
                 {3, 0, 0, {0, 1, 4, -1}},
                 {9, 7, 0, {-1, 0, 3, 7}}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        alien_level l;
        alien_small(&l);
        size_t c = i / 2;
        writer w = written(&l, i % 2);
        mst_document *d = open_bytes(&w);
        mst_diagnostic why;
        char value[120];
        snprintf(value, sizeof value,
                 "{\"cell\":%u,\"vertices\":[4,5,6,7],\"texture\":1,\"draw_flags\":2,\"light\":3}",
                 cases[c].cell);
        mst_operation one = {.kind = MST_OPERATION_ADD, .path = "map.quads", .value = value};
        MUST(mst_edit(d, &one, 1, NULL, &why), &why);
        put_quad(&l, cases[c].index,
                 (alien_quad){.vertices = {4, 5, 6, 7}, .texture = 1, .draw_flags = 2, .light = 3 | 0x80});
        if (cases[c].other)
            l.quads[cases[c].other].light &= 0x7F;
        static const unsigned cells[] = {3, 5, 6, 9};
        for (size_t k = 0; k < 4; k++)
            l.cells[cells[k]].first_quad = cases[c].firsts[k];
        assert_is_level(d, &l, i % 2);
        one.value = "{\"cell\":12,\"vertices\":[0,1,2,3]}";
        assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_ARGUMENT);
        assert_string_equal(why.path, "map.cells");
        assert_string_equal(why.message, "the cell does not exist");
        mst_close(d);
        writer_free(&w);
    }
}

/* Only its name identifies a section as one of doors: without one the refusal asks for it. */
static void sections_need_names(void **state) {
    (void)state;
    alien_level l;
    alien_small(&l);
    writer w = written(&l, false);
    mst_document *d = open_bytes(&w);
    mst_diagnostic why;
    mst_operation one = {.kind = MST_OPERATION_ADD, .path = "door_models"};
    assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_REFUSED);
    assert_string_equal(why.message,
                        "neither its name nor its content identifies it: give it a name like the others");
    mst_close(d);
    writer_free(&w);
}

int test_alien_edit(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_need_names),
        cmocka_unit_test(runs_follow),
        cmocka_unit_test(quads_for_cells),
        cmocka_unit_test(models_follow),
        cmocka_unit_test(sections_and_cells_in_order),
        cmocka_unit_test(drops_of_boxes),
        cmocka_unit_test(added_triggers),
        cmocka_unit_test(grids_lose_no_cells_if_possible),
        cmocka_unit_test(masks_follow_if_possible),
        cmocka_unit_test(vent_mask_is_kept),
        cmocka_unit_test(one_byte),
        cmocka_unit_test(counts_follow_if_possible),
        cmocka_unit_test(what_cannot_be_if_possible),
        cmocka_unit_test(odd_sections_edited_if_possible),
        cmocka_unit_test(words),
        cmocka_unit_test(light_and_end_of_run),
        cmocka_unit_test(words_in_a_circle),
        cmocka_unit_test(names_of_levels),
        cmocka_unit_test(words_are_cut),
        cmocka_unit_test(words_that_cannot_be_written),
        cmocka_unit_test(edits_without_map_if_possible),
        cmocka_unit_test(edits_to_map_if_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
