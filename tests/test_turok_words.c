/* SPDX-License-Identifier: MIT */
/* The effects of areas and actors of a Turok level, in words. */
#include "turok_level.h"

/* Sets the number at a path. */
static void set(mst_document *document, const char *path, const char *json) {
    mst_diagnostic why;
    MUST(mst_set(document, path, json, &why), &why);
}

static mst_document *open_level(const small_level *l) {
    writer w = {0};
    mst_document *document;
    mst_diagnostic why;
    mst_open_options open = {.size = sizeof open, .name = "small.map"};
    write_level(&w, l);
    MUST(mst_open_memory(w.data, w.size, &open, &document, &why), &why);
    mst_document *copy; /* its own bytes, to edit */
    MUST(mst_convert(document, NULL, NULL, NULL, &copy, &why), &why);
    mst_close(document);
    writer_free(&w);
    return copy;
}

static void areas(void **state) {
    (void)state;
    static const struct {
        const char *flags, *arguments, *says;
    } cases[] = {
        {"[\"event\"]", "[1,2,3,7,5,6]", "triggers tag 7: actors.records[2] pickup_coin1"},
        {"[\"event\",\"repeatable\"]", "[1,2,3,-9,5,6]", "triggers tag -9, which no actor has"},
        {"[\"event\",\"event_sound\"]", "[1,2,3,2,5,6]",
         "triggers tag 2: actors.records[1] of type 12345, with sound 2"},
        {"[\"teleport\"]", "[10050,-2,0,0,0,0]", "leads to warp 10050 of level -2"},
        {"[\"teleport_air\",\"event_sound\"]", "[1,2,0,0,0,0]",
         "leads to warp 1 of level 2, also from the air"},
        {"[\"checkpoint\",\"damage\"]", "[0,0,12,0,10,512]", "is checkpoint 12; takes 10 points every 0.5 s"},
        {"[\"save_game\"]", "[0,0,4,0,0,0]", "is save point 4"},
        {"[\"event\",\"teleport\",\"checkpoint\",\"save_game\",\"damage\"]", "[1,2,3,7,5,1024]",
         "triggers tag 7: actors.records[2] pickup_coin1; leads to warp 1 of level 2; is checkpoint 3; is "
         "save "
         "point 3; takes 5 points every 1 s"},
        {"[\"water\",\"event_sound\"]", "[1,2,3,7,5,6]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const small_level l = {0};
        mst_document *document = open_level(&l);
        char wanted[512] = "";
        set(document, "collision.sector_sets[0].flags", "0");
        set(document, "collision.sector_sets[1].flags", cases[i].flags);
        set(document, "collision.sector_sets[1].arguments", cases[i].arguments);
        if (cases[i].says)
            snprintf(wanted, sizeof wanted, "collision.sector_sets[1], 1 sector: %s\n", cases[i].says);
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted),
                 "actors.records[1] of type 12345: triggers tag 7: actors.records[2] pickup_coin1\n");
        assert_describes(document, "triggers", wanted);
        mst_close(document);
    }
}

/* Areas without sectors, and actors of one tag. */
static void many_actors(void **state) {
    (void)state;
    const small_level l = {.actors = 10};
    mst_document *document = open_level(&l);
    set(document, "collision.sector_sets[0].flags", "[\"event\"]");
    set(document, "collision.sector_sets[0].arguments", "[0,0,0,5,0,0]");
    set(document, "collision.sectors[0].sector_set", "1");
    for (int i = 0; i < 8; i++) {
        char path[64];
        snprintf(path, sizeof path, "actors.records[%d].target_tid", 3 + i);
        set(document, path, i % 2 ? "0" : "-1");
    }
    for (int i = 0; i < 13; i++) {
        char path[64];
        snprintf(path, sizeof path, "actors.records[%d].type", i);
        set(document, path, "438");
    }
#define COIN(i) "actors.records[" i "] pickup_coin1"
#define EIGHT                                                                                                \
    COIN("3")                                                                                                \
    ", " COIN("4") ", " COIN("5") ", " COIN("6") ", " COIN("7") ", " COIN("8") ", " COIN("9") ", " COIN(     \
        "10") " and 2 more\n"
    assert_describes(
        document, "triggers",
        "collision.sector_sets[0], 0 sectors: triggers tag 5: " EIGHT COIN("1") ": triggers tag 7: " COIN(
            "2") "\n" COIN("11") ": triggers tag 5: " EIGHT COIN("12") ": triggers tag 5: " EIGHT);
    mst_close(document);
}

/* Two are joined by a word. */
static void two_actors(void **state) {
    (void)state;
    const small_level l = {.actors = 2};
    mst_document *document = open_level(&l);
    set(document, "collision.sector_sets[0].flags", "0");
    set(document, "actors.records[3].target_tid", "0");
    assert_describes(document, "triggers",
                     "actors.records[1] of type 12345: triggers tag 7: actors.records[2] pickup_coin1\n"
                     "actors.records[4] of type -3: triggers tag 5: actors.records[3] of type -2 and "
                     "actors.records[4] of type -3\n");
    mst_close(document);
}

/* A mod's definitions name otherwise unknown types. */
static void names_of_a_mod(void **state) {
    (void)state;
    const small_level l = {0};
    char definitions[] = "Monster_Newt 12345 { health 5 }";
    mst_resolver resolver = {.each = one_definition, .user = definitions};
    mst_document *document = open_level(&l);
    set(document, "collision.sector_sets[0].flags", "0");
    assert_describes_beside(
        document, "triggers", &resolver,
        "actors.records[1] Monster_Newt: triggers tag 7: actors.records[2] pickup_coin1\n");
    mst_close(document);
}

static void what_cannot_be_said(void **state) {
    (void)state;
    const small_level l = {0};
    mst_document *document = open_level(&l);
    mst_diagnostic why;
    mst_buffer text = {0};
    assert_int_equal(mst_describe(document, "wings", NULL, mst_buffer_sink(&text), &why), MST_UNSUPPORTED);
    assert_string_equal(why.message, "Turok remaster level has no wings");
    assert_int_equal(mst_describe(document, "triggers", NULL, (mst_sink){.write = refuse_bytes}, &why),
                     MST_IO);
    assert_int_equal(why.status, MST_IO);
    mst_close(document);
}

int test_turok_words(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas),          cmocka_unit_test(many_actors),         cmocka_unit_test(two_actors),
        cmocka_unit_test(names_of_a_mod), cmocka_unit_test(what_cannot_be_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
