/* SPDX-License-Identifier: MIT */
/* Where the world is in a picture: what stands alone is found at the pixels that the place says. */
#include "picture.h"

static double pixel(const double axis[3], double begin, double scale, const float point[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += axis[i] * (double)point[i];
    return (sum - begin) * scale;
}

/* A floor of 10 by 6 metres, and a small one far away, alone: inside of its edges it is seen, outside of them
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
    assert_seen((mst_picture_options){.view = MST_VIEW_ABOVE, .width = 640, .no_legend = 1});
    assert_seen((mst_picture_options){.view = MST_VIEW_ABOVE, .width = 500, .height = 700, .no_legend = 1});
    assert_seen((mst_picture_options){.view = MST_VIEW_OBLIQUE, .width = 640, .no_legend = 1});
    assert_seen((mst_picture_options){.view = MST_VIEW_DIMETRIC, .width = 640, .no_legend = 1});
}

/* From above X goes right and Z down. */
static void from_above(void **state) {
    (void)state;
    mst_picture_place place;
    stage *s = begin();
    mst_picture_options options = {.width = 640, .place = &place};
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

static void nothing_has_no_place(void **state) {
    (void)state;
    mst_picture_place place = {.scale = 1};
    stage *s = begin();
    mst_picture_options options = {.width = 320, .place = &place};
    mst_pixels picture = draw(s, &options);
    assert_true(place.scale == 0);
    mst_pixels_free(&picture);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_all_views), cmocka_unit_test(from_above),
                                       cmocka_unit_test(nothing_has_no_place)};
    return cmocka_run_group_tests_name("places in pictures", tests, NULL, NULL);
}
