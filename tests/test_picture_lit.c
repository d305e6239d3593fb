/* SPDX-License-Identifier: MIT */
/* Pictures lit by the scene's lights. */
#include "picture.h"

/* From the south-east: X runs down-right, Z down-left; in a picture of a floor around the origin its +X
 * corner is on the right, and its +Z corner on the left. */
static const mst_picture_options lit = {.size = sizeof lit,
                                        .view = MST_VIEW_OBLIQUE,
                                        .width = 200,
                                        .height = 200,
                                        .no_entities = 1,
                                        .no_legend = 1,
                                        .no_labels = 1,
                                        .lit = 1};

typedef struct lamps {
    mst_light lights[2200];
} lamps;

static stage *floor_of_20(lamps *l) {
    stage *s = begin();
    memset(l, 0, sizeof *l);
    s->scene.lights = l->lights;
    add_floor(s, -10, -10, 20, 20, 0);
    return s;
}

static mst_node *add_lamp(stage *s, lamps *l, mst_light light, float x, float y, float z) {
    light.name = "lamp";
    l->lights[s->scene.light_count] = light;
    mst_node *node = add(s, MST_ROLE_LIGHT, x, y, z);
    node->light = (int32_t)s->scene.light_count++;
    return node;
}

/* A light that points down. */
static void look_down(mst_node *node) {
    node->rotation[0] = -0.70710678F;
    node->rotation[3] = 0.70710678F;
}

/* The pixels a third of the way from the middle to the corners at +X and +Z. */
static void two_places(const mst_pixels *picture, int at_x[3], int at_z[3]) {
    for (int c = 0; c < 3; c++) {
        at_x[c] = at_pixel(picture, 140, 100)[c];
        at_z[c] = at_pixel(picture, 60, 100)[c];
    }
}

static int sum(const int color[3]) {
    return color[0] + color[1] + color[2];
}

static void lamps_light_what_is_near(void **state) {
    static const mst_light red = {.color = {1, 0, 0}, .intensity = 10, .range = 8};
    (void)state;
    lamps *l = malloc(sizeof *l);
    assert_non_null(l);
    stage *s = floor_of_20(l);
    int x[3], z[3];
    add_lamp(s, l, red, 6, 2, -6);
    mst_pixels picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[0] > x[1] + 40 && x[1] == x[2]);
    assert_true(x[0] > z[0] + 40);
    assert_true(z[0] == z[1] && z[1] == z[2] && z[0] > 20); /* some light is everywhere */
    mst_pixels_free(&picture);

    /* below the floor it does not light it */
    s->nodes[1].translation[1] = -2;
    picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[0] == x[1] && x[0] == z[0]);
    mst_pixels_free(&picture);

    /* without a range it is weaker farther away, but nowhere zero */
    s->nodes[1].translation[1] = 2;
    l->lights[0].range = 0;
    picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[0] > z[0] + 20 && z[0] > z[1]);
    mst_pixels_free(&picture);

    /* surfaces that the game does not light are unchanged */
    s->materials[0].unlit = 1;
    picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[0] == x[1] && x[0] == z[0]);
    mst_pixels_free(&picture);
    free(s);
    free(l);
}

static void spots_light_their_cone(void **state) {
    static const mst_light spot = {.kind = MST_LIGHT_SPOT,
                                   .color = {0, 1, 0},
                                   .intensity = 10,
                                   .range = 30,
                                   .inner_angle = 0.5F,
                                   .outer_angle = 0.7F};
    (void)state;
    lamps *l = malloc(sizeof *l);
    assert_non_null(l);
    stage *s = floor_of_20(l);
    int x[3], z[3];
    look_down(add_lamp(s, l, spot, 5, 6, -5));
    mst_pixels picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[1] > x[0] + 40 && z[0] == z[1]);
    /* between the inner and the outer angle there is less of it: 3.3 m off the middle, at 6 m */
    l->lights[0].inner_angle = 0.1F;
    l->lights[0].outer_angle = 1.5F;
    mst_pixels soft = draw(s, &lit);
    two_places(&soft, x, z);
    assert_true(x[1] > x[0] + 40 && z[1] > z[0]);
    mst_pixels_free(&soft);
    mst_pixels_free(&picture);
    /* looking up */
    s->nodes[1].rotation[0] = 0.70710678F;
    picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[0] == x[1] && z[0] == z[1]);
    mst_pixels_free(&picture);
    free(s);
    free(l);
}

static void suns_light_everything(void **state) {
    static const mst_light sun = {.kind = MST_LIGHT_DIRECTIONAL, .color = {0, 0, 1}, .intensity = 3},
                           red = {.color = {1, 0, 0}, .intensity = 3, .range = 8};
    (void)state;
    lamps *l = malloc(sizeof *l);
    assert_non_null(l);
    stage *s = floor_of_20(l);
    int x[3], z[3];
    look_down(add_lamp(s, l, sun, 0, 0, 0));
    mst_pixels picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(x[2] > x[0] + 40 && x[2] == z[2] && x[0] == z[0]);
    mst_pixels_free(&picture);
    add_lamp(s, l, red, 6, 2, -6);
    picture = draw(s, &lit);
    two_places(&picture, x, z);
    assert_true(z[2] > z[0] + 40 && x[0] > z[0] + 20);
    mst_pixels_free(&picture);
    free(s);
    free(l);
}

/* Invalid lights are ignored, and without lights everything is lit evenly. */
static void odd_lights_are_left_out(void **state) {
    static const struct {
        mst_light light;
        float place, scale;
    } odd[] = {{{.color = {1, 1, 1}, .intensity = 0, .range = 5}, 0, 1},
               {{.color = {1, 1, 1}, .intensity = NAN, .range = 5}, 0, 1},
               {{.color = {-1, 1, 1}, .intensity = 1, .range = 5}, 0, 1},
               {{.color = {1, 1, 1}, .intensity = 3e38F, .range = 5}, 0, 1},
               {{.color = {1, 1, 1}, .intensity = 1, .range = 5}, 2e6F, 1},
               {{.kind = MST_LIGHT_DIRECTIONAL, .color = {1, 1, 1}, .intensity = 1}, 0, 0},
               {{.kind = MST_LIGHT_SPOT, .color = {1, 1, 1}, .intensity = 1, .range = 5}, 0, 1e13F}};
    (void)state;
    lamps *l = malloc(sizeof *l);
    assert_non_null(l);
    stage *s = floor_of_20(l);
    mst_picture_options even = lit;
    even.lit = 0;
    mst_pixels expected = draw(s, &even), none = draw(s, &lit);
    assert_memory_equal(none.data, expected.data, (size_t)200 * 200 * 4);
    mst_pixels_free(&none);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        mst_node *node = add_lamp(s, l, odd[i].light, odd[i].place, 2, 0);
        node->scale[0] = node->scale[1] = node->scale[2] = odd[i].scale;
        mst_pixels picture = draw(s, &lit);
        assert_memory_equal(picture.data, expected.data, (size_t)200 * 200 * 4);
        mst_pixels_free(&picture);
        s->scene.node_count--;
        s->scene.light_count--;
    }
    /* nor is a light with an invalid index */
    add(s, MST_ROLE_LIGHT, 0, 2, 0)->light = 7;
    mst_pixels picture = draw(s, &lit);
    assert_memory_equal(picture.data, expected.data, (size_t)200 * 200 * 4);
    mst_pixels_free(&picture);
    mst_pixels_free(&expected);
    free(s);
    free(l);
}

/* A large number of far-reaching lights makes the grid coarser, but not another picture: many at one place
 * equal one. */
static void many_lamps(void **state) {
    static const mst_light red = {.color = {1, 0, 0}, .intensity = 10, .range = 8};
    (void)state;
    lamps *l = malloc(sizeof *l);
    assert_non_null(l);
    stage *s = floor_of_20(l);
    int one[3], many[3], z[3];
    add_lamp(s, l, red, 6, 2, -6);
    mst_pixels picture = draw(s, &lit);
    two_places(&picture, one, z);
    mst_pixels_free(&picture);
    for (int i = 0; i < 2100; i++)
        add_lamp(s, l, red, 6, 2, -6);
    picture = draw(s, &lit);
    two_places(&picture, many, z);
    mst_pixels_free(&picture);
    assert_true(abs(sum(one) - sum(many)) < 6);
    free(s);
    free(l);
}

static void any_allocation_may_fail(void **state) {
    static const mst_light red = {.color = {1, 0, 0}, .intensity = 10, .range = 0.1F};
    (void)state;
    lamps *l = malloc(sizeof *l);
    assert_non_null(l);
    stage *s = floor_of_20(l);
    for (int i = 0; i < 2100; i++)
        add_lamp(s, l, red, (float)(i % 20) - 10, 2, (float)(i / 20 % 20) - 10);
    mst_status status = MST_NO_MEMORY;
    for (size_t fail_at = 1; status != MST_OK; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_pixels picture = {.allocator = counted_allocator(&c)};
        status = mst_scene_draw(&s->scene, &lit, &picture, NULL);
        if (status != MST_OK)
            assert_int_equal(status, MST_NO_MEMORY);
        mst_pixels_free(&picture);
        assert_int_equal(c.blocks, 0);
        assert_true(fail_at < 1000);
    }
    free(s);
    free(l);
}

int test_picture_lit(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lamps_light_what_is_near),
        cmocka_unit_test(spots_light_their_cone),
        cmocka_unit_test(suns_light_everything),
        cmocka_unit_test(odd_lights_are_left_out),
        cmocka_unit_test(many_lamps),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
