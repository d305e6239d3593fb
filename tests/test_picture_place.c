/* SPDX-License-Identifier: MIT */
/* The position of the world in a picture: isolated things are found at the pixels given by the place. */
#include "picture.h"
#include <math.h>

static double pixel(const double axis[3], double begin, double scale, const float point[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += axis[i] * (double)point[i];
    return (sum - begin) * scale;
}

/* A floor of 10 by 6 metres, and a small one far away, isolated: inside of its edges it is visible, outside
 * there is the background. */
static void assert_seen(mst_picture_options options) {
    mst_picture_place place;
    stage *s = begin();
    options.place = &place;
    options.no_entities = options.no_grid = options.no_labels = 1;
    add_floor(s, 0, 0, 10, 6, 0);
    add_floor(s, 14, 9, 2, 2, 0);
    mst_pixels picture = draw(s, &options);
    assert_true(place.scale > 1);
    const uint8_t *background = at_pixel(&picture, 3, picture.height - 3);
    const float edges[4][3] = {{14, 0, 10}, {16, 0, 10}, {15, 0, 9}, {15, 0, 11}}, middle[3] = {15, 0, 10};
    for (int i = 0; i < 4; i++)
        for (int side = 0; side < 2; side++) { /* a quarter of a metre inside of the edge, and outside */
            float point[3];
            for (int k = 0; k < 3; k++)
                point[k] = edges[i][k] + (edges[i][k] - middle[k]) * (side ? 0.25f : -0.25f);
            double x = pixel(place.right, place.left, place.scale, point),
                   y = pixel(place.down, place.top, place.scale, point);
            bool shown = memcmp(at_pixel(&picture, x, y), background, 4) != 0;
            assert_int_equal(shown, side == 0);
        }
    mst_pixels_free(&picture);
    free(s);
}

static void in_all_views(void **state) {
    (void)state;
    assert_seen((mst_picture_options){
        .size = sizeof(mst_picture_options), .view = MST_VIEW_ABOVE, .width = 640, .no_legend = 1});
    assert_seen((mst_picture_options){.size = sizeof(mst_picture_options),
                                      .view = MST_VIEW_ABOVE,
                                      .width = 500,
                                      .height = 700,
                                      .no_legend = 1});
    assert_seen((mst_picture_options){
        .size = sizeof(mst_picture_options), .view = MST_VIEW_OBLIQUE, .width = 640, .no_legend = 1});
    assert_seen((mst_picture_options){
        .size = sizeof(mst_picture_options), .view = MST_VIEW_DIMETRIC, .width = 640, .no_legend = 1});
}

/* From above X goes right and Z down. */
static void from_above(void **state) {
    (void)state;
    mst_picture_place place;
    stage *s = begin();
    mst_picture_options options = {.size = sizeof options, .width = 640, .place = &place};
    add_floor(s, -5, -3, 10, 6, 0);
    mst_pixels picture = draw(s, &options);
    const double right[3] = {1, 0, 0}, down[3] = {0, 0, 1}, near[3] = {0, 1, 0};
    assert_memory_equal(place.right, right, sizeof right);
    assert_memory_equal(place.down, down, sizeof down);
    assert_memory_equal(place.near, near, sizeof near);
    double middle = (0 - place.left) * place.scale;
    assert_true(middle > 200 && middle < 440); /* the legend takes some of the width */
    mst_pixels_free(&picture);
    free(s);
}

/* A level of many floors, and a large one at its end: it is shown completely, although its end is far out.
 * Floors that begin farther out do not count. */
static void no_floor_is_cut(void **state) {
    (void)state;
    mst_picture_place place;
    stage *s = begin();
    mst_picture_options options = {.size = sizeof options, .width = 640, .no_legend = 1, .place = &place};
    for (int i = 0; i < 35; i++)
        add_floor(s, (float)(i % 7) * 2, (float)(i / 7) * 2, 1, 1, 0);
    add_floor(s, 16, 3, 6, 3, 0);
    add_floor(s, 60, 3, 6, 3, 0);
    mst_pixels picture = draw(s, &options);
    double right = place.left + picture.width / place.scale;
    assert_true(right > 22 && right < 26);
    mst_pixels_free(&picture);
    free(s);
}

static void nothing_has_no_place(void **state) {
    (void)state;
    mst_picture_place place = {.scale = 1};
    stage *s = begin();
    mst_picture_options options = {.size = sizeof options, .width = 320, .place = &place};
    mst_pixels picture = draw(s, &options);
    assert_true(place.scale == 0);
    mst_pixels_free(&picture);
    free(s);
}

typedef struct taken {
    mst_picture_mark marks[8];
    size_t count;
} taken;

static void take(void *user, const mst_picture_mark *one) {
    taken *all = user;
    assert_true(all->count < 8);
    all->marks[all->count++] = *one;
}

/* A symbol is at its mark's position, and nowhere else. */
static void marks_are_where_symbols_are(void **state) {
    (void)state;
    for (int view = MST_VIEW_ABOVE; view <= MST_VIEW_DIMETRIC; view++) {
        stage *s = begin();
        add_floor(s, 0, 0, 20, 12, 0);
        add_thing(s, "beta", 15, 9);                         /* node 1 */
        add_thing(s, "alpha", 4, 3);                         /* 2 */
        add_thing(s, "gamma", 500, 300);                     /* 3, which is not visible */
        add(s, MST_ROLE_GROUP, 10, 0, 6)->label = "a place"; /* 4, which is not a symbol */
        taken all = {.count = 0};
        mst_picture_place place;
        mst_picture_marks marks = {.size = sizeof marks, .take = take, .user = &all};
        mst_picture_options options = {
            .size = sizeof options, .view = (mst_view)view, .width = 640, .place = &place, .marks = &marks};
        options.no_labels = options.no_grid = 1;
        mst_pixels with = draw(s, &options);
        assert_int_equal(all.count, 2);
        assert_int_equal(all.marks[0].node, 2); /* alpha is before beta */
        assert_int_equal(all.marks[1].node, 1);
        options.no_entities = 1;
        options.width = with.width;
        options.height = with.height;
        mst_pixels without = draw(s, &options);
        assert_int_equal(all.count, 2);
        for (size_t i = 0; i < 2; i++) {
            const mst_picture_mark *one = &all.marks[i];
            const float *point = s->nodes[one->node].translation;
            assert_true(fabs(pixel(place.right, place.left, place.scale, point) - one->x) < 1e-6);
            assert_true(fabs(pixel(place.down, place.top, place.scale, point) - one->y) < 1e-6);
            assert_memory_not_equal(at_pixel(&with, one->x, one->y), at_pixel(&without, one->x, one->y), 4);
            assert_memory_equal(at_pixel(&with, one->x + 20, one->y), at_pixel(&without, one->x + 20, one->y),
                                4);
        }
        mst_pixels_free(&with);
        mst_pixels_free(&without);
        free(s);
    }
}

/* For a program compiled before the function existed, and for one without it. */
static void nobody_takes_marks(void **state) {
    (void)state;
    stage *s = begin();
    taken all = {.count = 0};
    add_floor(s, 0, 0, 10, 10, 0);
    add_thing(s, "alpha", 5, 5);
    const mst_picture_marks cases[] = {{.size = sizeof(size_t), .take = take, .user = &all},
                                       {.size = sizeof cases[0], .user = &all}};
    for (size_t i = 0; i < 2; i++) {
        mst_pixels picture = draw(
            s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 300, .marks = &cases[i]});
        mst_pixels_free(&picture);
    }
    assert_int_equal(all.count, 0);
    free(s);
}

/* The requested part fills the picture; symbols outside of it are missing, also in the legend. */
static void a_part_of_the_map(void **state) {
    (void)state;
    stage *s = begin();
    taken all = {.count = 0};
    add_floor(s, 0, 0, 100, 100, 0);
    add_thing(s, "inside", 15, 25);
    add_thing(s, "outside", 50, 50);
    mst_picture_place place;
    const mst_picture_marks marks = {.size = sizeof marks, .take = take, .user = &all};
    mst_picture_options options = {.size = sizeof options,
                                   .width = 500,
                                   .no_legend = 1,
                                   .area = {10, 20, 10, 10},
                                   .place = &place,
                                   .marks = &marks};
    mst_pixels picture = draw(s, &options);
    assert_int_equal(picture.height, 500);
    assert_true(place.left == 10 && place.top == 20 && place.scale == 50);
    assert_int_equal(all.count, 1);
    assert_true(all.marks[0].x == 250 && all.marks[0].y == 250);
    mst_pixels_free(&picture);
    options =
        (mst_picture_options){.size = sizeof(mst_picture_options), .width = 800, .area = {10, 20, 10, 10}};
    picture = draw(s, &options);
    has(&picture, "inside");
    has_not(&picture, "outside");
    mst_pixels_free(&picture);

    static const float none[][4] = {{0, 0, 1, 0},   {0, 0, 0, 1},        {0, 0, -1, 1},  {0, 0, 1, -1},
                                    {NAN, 0, 1, 1}, {0, 0, INFINITY, 1}, {0, 2e6f, 1, 1}};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        memcpy(options.area, none[i], sizeof options.area);
        assert_int_equal(mst_scene_draw(&s->scene, &options, &picture, &why), MST_ARGUMENT);
    }
    options = (mst_picture_options){
        .size = sizeof(mst_picture_options), .view = MST_VIEW_OBLIQUE, .area = {0, 0, 1, 1}};
    assert_int_equal(mst_scene_draw(&s->scene, &options, &picture, &why), MST_ARGUMENT);
    free(s);
}

int test_picture_place(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_all_views),         cmocka_unit_test(from_above),
        cmocka_unit_test(nothing_has_no_place), cmocka_unit_test(marks_are_where_symbols_are),
        cmocka_unit_test(nobody_takes_marks),   cmocka_unit_test(a_part_of_the_map),
        cmocka_unit_test(no_floor_is_cut)};
    return cmocka_run_group_tests_name("places in pictures", tests, NULL, NULL);
}
