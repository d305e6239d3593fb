/* SPDX-License-Identifier: MIT */
/* Hiding nodes of a scene by class, in pictures and models. */
#include "picture.h"
#include <mapstone/export.h>
#include <stddef.h>

static mst_status choose(stage *s, const char *only, const char *hide, size_t found[2]) {
    mst_diagnostic why;
    mst_scene_choice choice = {.size = sizeof choice, .only = &only, .hide = &hide, .found = found};
    choice.only_count = only != NULL;
    choice.hide_count = hide != NULL;
    return mst_scene_choose(&s->scene, &choice, &why);
}

/* "0100": which nodes are hidden */
static void assert_hidden(const stage *s, const char *expected) {
    char found[16] = "";
    for (size_t i = 0; i < s->scene.node_count; i++)
        found[i] = s->nodes[i].hidden ? '1' : '0';
    assert_string_equal(found, expected);
}

/* A floor, a door with a part of another class, a lamp without a class, a button. */
static stage *furnished(void) {
    stage *s = begin();
    add_floor(s, 0, 0, 20, 20, 0)->class_name = "TILE";
    add_thing(s, "func_door", 5, 5)->name = "the_door";
    mst_node *part = add_thing(s, "handle", 0, 0);
    part->parent = 1;
    add(s, MST_ROLE_LIGHT, 10, 2, 10);
    add_thing(s, "func_button", 15, 15)->name = "the_button";
    return s;
}

static void by_patterns(void **state) {
    (void)state;
    static const struct {
        const char *only, *hide, *hidden;
        size_t found[2]; /* of the existing patterns */
    } cases[] = {{NULL, NULL, "00000", {0, 0}},        {"func_door", NULL, "00011", {1, 0}},
                 {"func_*", NULL, "00010", {2, 0}},    {"*o*", NULL, "00010", {2, 0}},
                 {"func_????", NULL, "00011", {1, 0}}, {"func_???", NULL, "01011", {0, 0}},
                 {"light", NULL, "01001", {1, 0}},     {"Func_door", NULL, "01011", {0, 0}},
                 {"f*c_*d*r", NULL, "00011", {1, 0}},  {"TILE", NULL, "01011", {1, 0}},
                 {NULL, "TILE", "10000", {1, 0}},      {NULL, "handle", "00100", {1, 0}},
                 {NULL, "*", "11111", {5, 0}},         {"func_*", "*_button", "00011", {2, 1}},
                 {NULL, "camera", "00000", {0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stage *s = furnished();
        size_t found[2] = {7, 7};
        assert_int_equal(choose(s, cases[i].only, cases[i].hide, found), MST_OK);
        assert_hidden(s, cases[i].hidden);
        size_t count = (cases[i].only != NULL) + (size_t)(cases[i].hide != NULL);
        assert_memory_equal(found, cases[i].found, count * sizeof *found);
        assert_int_equal(mst_scene_choose(&s->scene, NULL, NULL), MST_OK); /* shows all again */
        assert_hidden(s, "00000");
        free(s);
    }
}

static void what_cannot_be_chosen(void **state) {
    (void)state;
    stage *s = furnished();
    const char *none = NULL;
    mst_scene_choice choice = {.size = sizeof choice, .hide = &none, .hide_count = 1};
    assert_int_equal(mst_scene_choose(&s->scene, &choice, NULL), MST_ARGUMENT);
    choice = (mst_scene_choice){.size = sizeof choice, .only_count = 1};
    assert_int_equal(mst_scene_choose(&s->scene, &choice, NULL), MST_ARGUMENT);
    assert_int_equal(mst_scene_choose(NULL, NULL, NULL), MST_ARGUMENT);
    assert_hidden(s, "00000");
    /* data after the size is not an option */
    const char *all = "*";
    choice = (mst_scene_choice){.size = offsetof(mst_scene_choice, hide), .hide = &all, .hide_count = 1};
    assert_int_equal(mst_scene_choose(&s->scene, &choice, NULL), MST_OK);
    assert_hidden(s, "00000");
    free(s);
}

static void in_pictures(void **state) {
    (void)state;
    stage *s = furnished();
    const mst_picture_options options = {.size = sizeof options, .width = 600, .height = 500};
    mst_pixels picture = draw(s, &options);
    has(&picture, "func_door");
    has(&picture, "func_button");
    has(&picture, "lights");
    mst_pixels_free(&picture);
    assert_int_equal(choose(s, "func_d*", NULL, NULL), MST_OK);
    picture = draw(s, &options);
    has(&picture, "func_door");
    has_not(&picture, "func_button");
    has_not(&picture, "lights");
    mst_pixels_free(&picture);
    assert_int_equal(choose(s, NULL, "TILE", NULL), MST_OK);
    picture = draw(s, &options);
    has(&picture, "func_button");
    has_not(&picture, "height of floors"); /* there are none */
    mst_pixels_free(&picture);
    free(s);
}

/* The number of pixels that differ between pictures with all arrows, or none, and one with the chosen
 * ones. */
static size_t arrow_pixels(stage *s, const char *hide) {
    const mst_picture_options
        with = {.size = sizeof with, .width = 400, .height = 400, .no_legend = 1, .no_grid = 1},
        without = {
            .size = sizeof without, .width = 400, .height = 400, .no_legend = 1, .no_grid = 1, .no_links = 1};
    assert_int_equal(choose(s, NULL, hide, NULL), MST_OK);
    mst_pixels one = draw(s, &with), other = draw(s, &without);
    size_t count = 0;
    for (size_t i = 0; i < (size_t)400 * 400; i++)
        count += memcmp(one.data + 4 * i, other.data + 4 * i, 4) != 0;
    mst_pixels_free(&one);
    mst_pixels_free(&other);
    return count;
}

static void arrows_of_what_is_hidden(void **state) {
    (void)state;
    stage *s = furnished();
    const mst_map_line line = {{15, 0, 15}, {5, 0, 5}, MST_MAP_LINK};
    const mst_map map = {.lines = &line, .line_count = 1};
    s->scene.map = &map;
    size_t all = arrow_pixels(s, NULL);
    assert_true(all > 100);
    assert_int_equal(arrow_pixels(s, "light"), all);
    assert_int_equal(arrow_pixels(s, "func_door"), 0);
    assert_int_equal(arrow_pixels(s, "func_button"), 0);
    add_thing(s, "func_button_2", 15, 15); /* at the same place, and shown: the arrow may be its own */
    assert_true(arrow_pixels(s, "func_button") > 100);
    free(s);
}

static void in_models(void **state) {
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        stage *s = furnished();
        mst_buffer json = {0}, binary = {0};
        mst_diagnostic why;
        assert_int_equal(choose(s, NULL, hidden ? "func_door" : "nothing", NULL), MST_OK);
        MUST(mst_scene_write_gltf(&s->scene, NULL, "x.bin", mst_buffer_sink(&json), mst_buffer_sink(&binary),
                                  &why),
             &why);
        assert_int_equal(mst_buffer_sink(&json).write(&json, "", 1), MST_OK);
        assert_int_equal(strstr((char *)json.data, "\"the_door\"") == NULL, hidden);
        assert_int_equal(strstr((char *)json.data, "\"handle\"") == NULL, hidden); /* hidden with the door */
        assert_non_null(strstr((char *)json.data, "\"the_button\""));
        mst_buffer_free(&json);
        mst_buffer_free(&binary);
        free(s);
    }
}

int test_choose(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_patterns), cmocka_unit_test(what_cannot_be_chosen), cmocka_unit_test(in_pictures),
        cmocka_unit_test(arrows_of_what_is_hidden), cmocka_unit_test(in_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
