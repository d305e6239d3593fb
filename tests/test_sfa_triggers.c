/* SPDX-License-Identifier: MIT */
/* Star Fox Adventures: game bits that objects name, and the commands of triggers. */
#include "../src/formats/sfa/sfa_names.h"
#include "stopping.h"
#include <mapstone/scene.h>

#define TRIGGER      0x4C
#define CRATE        0x49F
#define RECORD_BYTES 24

/* An object of `words` whose parameters are zeros, where game bits are none. */
static uint8_t *put_object(writer *w, int type, unsigned words, const unsigned *bits) {
    size_t start = w->size;
    w->big = true;
    put_u16(w, (uint16_t)type);
    put_u8(w, (uint8_t)words);
    memset(put(w, 4 * words - 3), 0, 4 * words - 3);
    for (; *bits; bits++)
        mst_store16(w->data + start + *bits, 0xFFFF, true);
    return w->data + start;
}

static const unsigned trigger_bits[] = {0x44, 0x48, 0x4A, 0x4C, 0x4E, 0};
static const unsigned crate_bits[] = {0x1E, 0};

static void findings_of(const writer *w, int information, findings *list) {
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
    mst_check_options how = {.size = sizeof how, .information = information};
    MUST(mst_open_memory(w->data, w->size, &options, &d, &why), &why);
    memset(list, 0, sizeof *list);
    MUST(mst_check(d, &how, collect, list, NULL, &why), &why);
    mst_close(d);
}

static void assert_none(const writer *w) {
    findings list;
    findings_of(w, 1, &list);
    print_findings(&list);
    assert_int_equal(list.count, 0);
}

static void assert_one(const writer *w, const char *code, mst_severity severity, const char *path,
                       size_t offset) {
    findings list;
    findings_of(w, 1, &list);
    if (list.count != 1)
        print_findings(&list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, code);
    assert_string_equal(list.items[0].path, path);
    assert_int_equal(list.items[0].severity, severity);
    assert_int_equal(list.items[0].offset, offset);
    findings_free(&list);
}

static void game_bits(void **state) {
    (void)state;
    writer w = {0};
    put_object(&w, CRATE, 9, crate_bits);
    put_object(&w, TRIGGER, 20, trigger_bits);
    size_t trigger = 36, gate = trigger + 0x4C, broken = 0x1E;
    /* -1, a number, the last one, inverted */
    static const uint16_t right[] = {0xFFFF, 0, 17, 3914, 0x8000, 0x8000 | 3914};
    static const uint16_t wrong[] = {3915, 0x0FFF, 0x1000, 0x4001, 0xFFFE, 0x8000 | 3915};
    assert_none(&w);
    for (size_t i = 0; i < 6; i++) {
        mst_store16(w.data + broken, right[i], true);
        mst_store16(w.data + gate, right[i], true);
        assert_none(&w);
    }
    for (size_t i = 0; i < 6; i++) {
        mst_store16(w.data + broken, wrong[i], true);
        assert_one(&w, "SFA-GAME-BIT", MST_WARNING, "objects[0].parameters.broken", broken);
        mst_store16(w.data + broken, 0xFFFF, true);
        mst_store16(w.data + gate, wrong[i], true);
        assert_one(&w, "SFA-GAME-BIT", MST_WARNING, "objects[1].parameters.gates[2]", gate);
        mst_store16(w.data + gate, 0xFFFF, true);
    }
    writer_free(&w);
    /* of a type that is not described, and a record that is too short for its type's parameters */
    put_object(&w, 0x7FFF, 9, (const unsigned[]){0});
    uint8_t *cut = put_object(&w, CRATE, 7, (const unsigned[]){0});
    memset(cut + RECORD_BYTES, 0x11, 4);
    assert_one(&w, "SFA-ROMLIST-WIDTH", MST_WARNING, "objects[1]", 36 + 2);
    writer_free(&w);
}

/* Of curves only two kinds have game bits at a place where others have something else. */
static void game_bits_of_curves(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < 0x30; kind++) {
        writer w = {0};
        uint8_t *record = put_object(&w, MST_SFA_CURVE, mst_sfa_curve_words(kind), (const unsigned[]){0});
        record[0x19] = (uint8_t)kind;
        memset(record + 0x1C, 0xFF, 16);
        mst_store16(record + 0x32, 0x2345, true);
        if (kind == 0x24 || kind == 0x1F)
            assert_one(&w, "SFA-GAME-BIT", MST_WARNING, "objects[0].parameters.forbidden", 0x32);
        else
            assert_none(&w);
        writer_free(&w);
    }
}

static void commands(void **state) {
    (void)state;
    writer w = {0};
    put_object(&w, TRIGGER, 20, trigger_bits);
    uint8_t *last = w.data + 0x18 + 4 * 7;
    size_t at = 0x18 + 4 * 7;
    /* commands that do not exist or are skipped, by the description; 0 is not a command at all */
    static const uint8_t unknown[] = {0x07, 0x09, 0x0E, 0x0F, 0x17, 0x19, 0x24, 0x25};
    static const uint8_t idle[] = {0x02, 0x03, 0x05, 0x29};
    for (unsigned command = 0; command < 256; command++) {
        bool none = command > 0x2F || memchr(unknown, (int)command, sizeof unknown);
        bool nothing = memchr(idle, (int)command, sizeof idle) != NULL;
        last[0] = 5;
        last[1] = (uint8_t)command;
        if (none || nothing)
            assert_one(&w, "SFA-TRIGGER", none ? MST_WARNING : MST_INFORMATION,
                       "objects[0].parameters.commands[7].command", at + 1);
        else
            assert_none(&w);
    }
    /* flags: on entering, on leaving or every frame, else never */
    last[1] = 0x04;
    for (unsigned flags = 0; flags < 256; flags++) {
        last[0] = (uint8_t)flags;
        if (flags & 0x13)
            assert_none(&w);
        else
            assert_one(&w, "SFA-TRIGGER", MST_INFORMATION, "objects[0].parameters.commands[7].flags", at);
    }
    last[0] = last[1] = 0;
    assert_none(&w);
    /* game bits: the operation is in the upper bits */
    static const struct {
        uint8_t command;
        uint16_t both;
        bool wrong;
    } cases[] = {{0x12, 3914, false},         {0x12, 3915, true},        {0x12, 0x4000 | 3914, false},
                 {0x12, 0xC000 | 3915, true}, {0x12, 0x1000, true},      {0x21, 0xE000 | 3914, false},
                 {0x21, 0xE000 | 3915, true}, {0x21, 0x2000 | 1, false}, {0x11, 3915, false},
                 {0x2D, 0xFFFF, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        last[0] = 1;
        last[1] = cases[i].command;
        mst_store16(last + 2, cases[i].both, true);
        if (cases[i].wrong)
            assert_one(&w, "SFA-TRIGGER", MST_WARNING, "objects[0].parameters.commands[7]", at + 2);
        else
            assert_none(&w);
    }
    writer_free(&w);
}

static void stops(void **state) {
    (void)state;
    writer w = {0};
    uint8_t *trigger = put_object(&w, TRIGGER, 20, trigger_bits);
    memcpy(trigger + 0x18, "\x04\x03\0\0\x01\xff\0\0\x01\x12\x1f\xff", 12);
    mst_store16(trigger + 0x44, 4000, true);
    mst_store16(trigger + 0x48, 4000, true);
    mst_store16(trigger + 0x4A, 4000, true);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    assert_stops(d, NULL, 7);
    mst_close(d);
    writer_free(&w);
}

/* ---- in words ----------------------------------------------------------------------------------- */

/* The words for a list must be these. */
static void assert_words(const writer *w, const char *words) {
    mst_document *d = open_named(w, "x.romlist");
    mst_diagnostic why;
    assert_describes(d, "triggers", words);
    assert_int_equal(mst_describe(d, "rectangles", NULL, (mst_sink){refuse_bytes, NULL}, &why),
                     MST_UNSUPPORTED);
    mst_close(d);
}

static void commands_in_words(void **state) {
    (void)state;
    static const struct {
        uint8_t flags, command, a, b;
        const char *words;
    } cases[] = {
        {0x05, 0x12, 0x4D, 0x4E, "on entering, every time: set game bit 0x0D4E"},
        {0x01, 0x12, 0x00, 0x07, "on entering, the first time: clear game bit 0x0007"},
        {0x02, 0x12, 0x8F, 0x4A, "on leaving, the first time: turn over game bit 0x0F4A"},
        {0x0F, 0x13, 0, 7, "on entering, every time, and on leaving, every time: load object group 7"},
        {0x08, 0x14, 0, 7, "never: unload object group 7"},
        {0x15, 0x22, 0, 9, "every frame inside: load object group 9, or unload it if it is loaded"},
        {0x1A, 0x06, 3, 4, "every frame outside: camera action 3 with 4"},
        {0x10, 0x2E, 0, 0, "every frame: tidy the memory"},
        {0x21, 0x1A, 3, 7, "on entering, the first time (also at load): load object group 3 of map 7 hollow"},
        {0x01, 0x1A, 3, 200, "on entering, the first time: load object group 3 of map 200"},
        {0x05, 0x27, 0, 12, "on entering, every time: load the files of directory 12 swaphol"},
        {0x05, 0x28, 1, 0, "on entering, every time: unload the files of directory 256"},
        {0x05, 0x2A, 12, 3, "on entering, every time: keep the data of directory 12 swaphol in bucket 3"},
        {0x05, 0x2C, 0, 105, "on entering, every time: speed or size of the triggering object: 10.5"},
        {0x05, 0x21, 0x61, 0x02, "on entering, every time: turn over part 3 of game bit 0x0102"},
        {0x05, 0x01, 8, 0, "on entering, every time: the player is idle"},
        {0x05, 0x01, 2, 0, "on entering, every time: nothing (player, 2)"},
        {0x05, 0x23, 2, 0, "on entering, every time: go to the restart place"},
        {0x05, 0x23, 9, 1, "on entering, every time: nothing known (command 0x23, 9, 1)"},
        {0x05, 0x29, 0, 1, "on entering, every time: nothing known (command 0x29, 0, 1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        char words[200];
        uint8_t *record = put_object(&w, TRIGGER, 20, trigger_bits);
        uint8_t *command = record + 0x18 + 4 * (i % 8);
        command[0] = cases[i].flags, command[1] = cases[i].command;
        command[2] = cases[i].a, command[3] = cases[i].b;
        snprintf(words, sizeof words, "objects[0] TrigPln (plane of size 0): %s\n", cases[i].words);
        assert_words(&w, words);
        writer_free(&w);
    }
}

static void triggers_in_words(void **state) {
    (void)state;
    static const struct {
        int type;
        uint8_t target, delay;
        int16_t trigger_id, activate;
        const char *words;
    } cases[] = {
        {0x4B, 0, 0, 0, -1, "TrigPnt (sphere of radius 20)"},
        {0x230, 1, 0, 0, -1, "TrigCyl (cylinder of radius 20, 40 up and down, for the companion)"},
        {0x4C, 2, 0, 0, -1, "TrigPln (plane of size 10, for the camera)"},
        {0x4D, 71, 0, 0, -1, "TrigArea (box of 40 x 80 x 120, for object group 70)"},
        {0x4F, 0, 0, 3, -1, "TrigButt (never fires, only when called as 3)"},
        {0x50, 0, 0, 0, 0x0D4E, "TriggSetp (once, at load, sets game bit 0x0D4E)"},
        {0x54, 0, 0, 0, -1, "TrigBits (when all four gates are set)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        char words[200];
        put_object(&w, CRATE, 9, crate_bits);
        uint8_t *record = put_object(&w, cases[i].type, 20, trigger_bits);
        mst_store16(record + 0x38, (uint16_t)cases[i].trigger_id, true);
        memcpy(record + 0x3A, "\012\024\036", 3);
        record[0x43] = cases[i].target;
        mst_store16(record + 0x44, (uint16_t)cases[i].activate, true);
        snprintf(words, sizeof words, "objects[1] %s: no commands\n", cases[i].words);
        assert_words(&w, words);
        /* simultaneous commands are described together */
        static const uint8_t commands[] = {5, 0x12, 0x4D, 0x4E, 0, 0, 0, 0, 5, 0x13, 0, 7, 10, 0x14, 0, 7};
        memcpy(record + 0x18, commands, sizeof commands);
        snprintf(
            words, sizeof words,
            "objects[1] %s: on entering, every time: set game bit 0x0D4E; load object group 7 / on leaving, "
            "every time: unload object group 7\n",
            cases[i].words);
        assert_words(&w, words);
        writer_free(&w);
    }
    writer w = {0};
    put_object(&w, CRATE, 9, crate_bits);
    put_object(&w, TRIGGER, 19, (const unsigned[]){0}); /* too short for commands */
    assert_words(&w, "");
    writer_free(&w);
    put_u32(&w, 0xF0F0F0F0u); /* packed in an unknown way */
    put_u32(&w, 0);
    assert_words(&w, "");
    writer_free(&w);
}

/* ---- targets of triggers ------------------------------------------------------------------------- */

enum { T_BITS, T_GROUPS, T_CALLED, T_IDLE, CRATE_5, CRATE_6, MEMBER, STRANGER, ACTED_ON };

/* Triggers that set bit 5, load group 7 and call each other, and the objects that they reach. */
static void put_acting(writer *w) {
    size_t starts[ACTED_ON];
    for (unsigned i = 0; i < ACTED_ON; i++) {
        bool trigger = i <= T_IDLE;
        starts[i] = w->size;
        put_object(w,
                   trigger         ? TRIGGER
                   : i == STRANGER ? 0x1D3
                                   : CRATE,
                   trigger ? 20 : 9,
                   trigger         ? trigger_bits
                   : i == STRANGER ? crate_bits + 1
                                   : crate_bits);
        mst_store32(w->data + starts[i] + 8, 0x3F800000u * (i == CRATE_5), true); /* x */
    }
    uint8_t *all = w->data;
    memcpy(all + starts[T_BITS] + 0x18,
           "\x05\x12\x40\x05"
           "\x0A\x12\x00\x05"
           "\x05\x21\x20\x06"
           "\x05\x0C\0\x03",
           16);
    mst_store16(all + starts[T_BITS] + 0x44, 0x8005, true); /* the same bit, inverted */
    memcpy(all + starts[T_GROUPS] + 0x18,
           "\x05\x13\0\x07"
           "\x05\x1A\x07\x07"
           "\x05\x1B\x07\x08"
           "\x05\x22\0\x09",
           16);
    mst_store16(all + starts[T_CALLED] + 0x38, 3, true);
    memcpy(all + starts[T_CALLED] + 0x18, "\x05\x0C\0\x03", 4); /* itself */
    memcpy(all + starts[T_IDLE] + 0x18,
           "\x08\x12\x40\x05"
           "\x05\x14\x01\x07",
           8); /* never; another group */
    mst_store16(all + starts[CRATE_5] + 0x1E, 5, true);
    mst_store16(all + starts[CRATE_6] + 0x1E, 0x8006, true);
    for (unsigned i = MEMBER; i < ACTED_ON; i++) {
        all[starts[i] + 4] = 0x10;
        all[starts[i] + 6] = 7;
    }
}

static void actions_in_words(void **state) {
    (void)state;
    writer w = {0};
    put_acting(&w);
    assert_words(
        &w,
        "objects[0] TrigPln (plane of size 0, sets game bit 0x0005): on entering, every time: set game bit "
        "0x0005 / "
        "on leaving, every time: clear game bit 0x0005 / on entering, every time: turn over part 1 of game "
        "bit "
        "0x0006; run all triggers whose trigger_id is 3\n"
        "    named by game bit 0x0005: objects[4] LargeCrate\n"
        "    named by game bit 0x0006: objects[5] LargeCrate\n"
        "    called as 3: objects[2] TrigPln\n"
        "objects[1] TrigPln (plane of size 0): on entering, every time: load object group 7; load object "
        "group 7 "
        "of map 7 hollow; unload object group 7 of map 8 hollow2; load object group 9, or unload it if it is "
        "loaded\n"
        "    in object group 7: objects[6] LargeCrate, objects[7] ProjectileS\n"
        "objects[2] TrigPln (plane of size 0, only when called as 3): on entering, every time: run all "
        "triggers "
        "whose trigger_id is 3\n"
        "objects[3] TrigPln (plane of size 0): never: set game bit 0x0005 / on entering, every time: unload "
        "object "
        "group 263\n");
    writer_free(&w);
}

/* The groups of a map belong to the list named after it. */
static void groups_of_maps(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool reached;
    } lists[] = {{"hollow.romlist", true},
                 {"hollow2.romlist", false},
                 {"x.romlist", false},
                 {"a_name_that_is_longer_than_the_name_of_any_list_of_the_game_can_be.romlist", false}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        writer w = {0};
        put_object(&w, TRIGGER, 20, trigger_bits);
        put_object(&w, CRATE, 9, crate_bits);
        memcpy(w.data + 0x18, "\x05\x1A\x02\x07", 4);
        w.data[80 + 4] = 0x10, w.data[80 + 6] = 2;
        mst_document *d;
        mst_diagnostic why;
        mst_buffer text = {0};
        mst_open_options options = {.size = sizeof options, .name = lists[i].name};
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        MUST(mst_describe(d, "triggers", NULL, mst_buffer_sink(&text), &why), &why);
        MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
        assert_int_equal(strstr((const char *)text.data, "in object group 2: objects[1]") != NULL,
                         lists[i].reached);
        mst_buffer_free(&text);
        mst_close(d);
        writer_free(&w);
    }
}

/* More objects than are listed, and one of an unknown type. */
static void many_in_words(void **state) {
    (void)state;
    writer w = {0};
    char words[600];
    put_object(&w, TRIGGER, 20, trigger_bits);
    put_object(&w, 0x7FFF, 6, crate_bits + 1);
    for (unsigned i = 0; i < 9; i++)
        put_object(&w, CRATE, 9, crate_bits);
    memcpy(w.data + 0x18, "\x05\x13\0\x00", 4);
    for (size_t at = 80; at < w.size; at += 4 * (size_t)w.data[at + 2])
        w.data[at + 4] = 0x10;
    int length =
        snprintf(words, sizeof words,
                 "objects[0] TrigPln (plane of size 0): on entering, every time: load object group 0\n"
                 "    in object group 0: objects[1] of type 32767");
    for (unsigned i = 2; i < 9; i++)
        length += snprintf(words + length, sizeof words - (size_t)length, ", objects[%u] LargeCrate", i);
    snprintf(words + length, sizeof words - (size_t)length, ", and 2 more\n");
    assert_words(&w, words);
    writer_free(&w);
}

/* Arrows lead to the objects reached by bits and calls. */
static void arrows(void **state) {
    (void)state;
    writer w = {0};
    put_acting(&w);
    mst_document *d;
    mst_diagnostic why;
    mst_scene *scene;
    mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    MUST(mst_scene_from_document(d, NULL, &scene, &why), &why);
    assert_int_equal(scene->map->line_count, 3);
    assert_true(scene->map->lines[0].to[0] == 1.0F && scene->map->lines[0].from[0] == 0.0F);
    assert_true(scene->map->lines[1].to[0] == 0.0F);
    mst_scene_free(scene);
    mst_close(d);
    w.data[4 * 80 + 8] = 0x7F, w.data[4 * 80 + 9] = 0xC0; /* a place that is not a number */
    MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
    MUST(mst_scene_from_document(d, NULL, &scene, &why), &why);
    assert_int_equal(scene->map->line_count, 2);
    mst_scene_free(scene);
    mst_close(d);
    writer_free(&w);
}

int test_sfa_triggers(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(game_bits),         cmocka_unit_test(game_bits_of_curves),
        cmocka_unit_test(commands_in_words), cmocka_unit_test(triggers_in_words),
        cmocka_unit_test(commands),          cmocka_unit_test(stops),
        cmocka_unit_test(actions_in_words),  cmocka_unit_test(groups_of_maps),
        cmocka_unit_test(many_in_words),     cmocka_unit_test(arrows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
