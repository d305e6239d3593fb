/* SPDX-License-Identifier: MIT */
/* Pixels of textured faces in pictures: the position of each part of the texture follows from the format's
 * description, by hand. Light makes a face darker or brighter, but keeps the proportions of its colours. */
#include "dds_file.h"
#include "ns2_scene.h"
#include <mapstone/picture.h>

#define SIDE 64u

/* The quarters of the texture, in reading order: red, green, blue, yellow. */
static const uint8_t quarters[4][3] = {{200, 40, 40}, {40, 180, 60}, {50, 70, 210}, {220, 200, 50}};

static writer texture;

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    static const char material[] =
        "shader = \"shaders/Level.surface_shader\"\nalbedoMap = \"quarters.dds\"\n";
    (void)user;
    bool is_material = strcmp(name, "materials/dev/grid.material") == 0;
    if (!is_material && strcmp(name, "quarters.dds") != 0)
        return MST_NO_PATH;
    *bytes = is_material ? (const void *)material : texture.data;
    *size = is_material ? sizeof material - 1 : texture.size;
    return MST_OK;
}

static const mst_resolver resolver = {.find = find};

static int make_texture(void **state) {
    (void)state;
    put_dds_header(&texture, SIDE, SIDE, 0, NULL, 24);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            for (unsigned c = 3; c-- > 0;)
                put_u8(&texture, quarters[y / (SIDE / 2) * 2 + x / (SIDE / 2)][c]);
    return 0;
}

static int free_texture(void **state) {
    (void)state;
    writer_free(&texture);
    return 0;
}

/* The pixel at a fraction of the covered area, across and down. */
static const uint8_t *pixel_at(const mst_pixels *picture, double across, double down) {
    uint32_t left = UINT32_MAX, right = 0, top = UINT32_MAX, bottom = 0;
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++)
            if (picture->data[4 * ((size_t)y * picture->width + x) + 3]) {
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
    assert_true(left < right && top < bottom);
    uint32_t x = left + (uint32_t)(across * (right - left)), y = top + (uint32_t)(down * (bottom - top));
    return picture->data + 4 * ((size_t)y * picture->width + x);
}

static void check_color(const uint8_t *found, const uint8_t expected[3]) {
    unsigned most = 0, brightest = 0;
    for (unsigned c = 0; c < 3; c++) {
        most = expected[c] > most ? expected[c] : most;
        brightest = found[c] > brightest ? found[c] : brightest;
    }
    assert_true(brightest > 60);
    for (unsigned c = 0; c < 3; c++) {
        double wanted = (double)expected[c] / most, seen = (double)found[c] / brightest;
        if (fabs(wanted - seen) > 0.12)
            fail_msg("%u %u %u is not in the proportions of %u %u %u", found[0], found[1], found[2],
                     expected[0], expected[1], expected[2]);
    }
}

/* Draws a level of one square; the quarters of the picture, in reading order, must show these quarters of the
 * texture. */
static void check_face(const char *level, float pitch, const unsigned expected[4]) {
    const mst_picture_options how = {.size = sizeof how,
                                     .view = MST_VIEW_OBLIQUE,
                                     .width = 200,
                                     .height = 200,
                                     .transparent = 1,
                                     .no_entities = 1,
                                     .no_legend = 1,
                                     .no_grid = 1,
                                     .no_labels = 1,
                                     .pitch = pitch};
    for (int packed = 0; packed < 2; packed++) {
        const mst_scene_options options = {
            .size = sizeof options, .sidecars = &resolver, .packed_images = packed};
        mst_scene *scene = scene_of_text(level, &options);
        mst_pixels picture = {0};
        mst_diagnostic why;
        MUST(mst_scene_draw(scene, &how, &picture, &why), &why);
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < 4; k++) /* also near the corners of the quarter */
                check_color(
                    pixel_at(&picture, i % 2 / 2.0 + 0.08 + k % 2 * 0.34, i / 2 / 2.0 + 0.08 + k / 2 * 0.34),
                    quarters[expected[i]]);
        mst_pixels_free(&picture);
        mst_scene_free(scene);
    }
}

#define ONCE "\"offset\":[0,1],\"scale\":[0.125,0.125]"

static void floors(void **state) {
    (void)state;
    /* n = +Y: u is z / 8, v is 1 - x / 8. Straight down, x goes right and z down: the texture is on its right
     * side */
    check_face(
        LEVEL("10",
              SQUARE(POINTS("0,1,0", "0,1,8", "8,1,8", "8,1,0"), FACE("0", TRANSFORM "\"angle\":0," ONCE)),
              ""),
        1.5707963F, (const unsigned[4]){2, 0, 3, 1});
    /* rotated by a quarter: (x, y) becomes (-y, x), so that u is -x / 8, which repeats, and v 1 - z / 8 */
    check_face(LEVEL("10",
                     SQUARE(POINTS("0,1,0", "0,1,8", "8,1,8", "8,1,0"),
                            FACE("0", TRANSFORM "\"angle\":1.5707964," ONCE)),
                     ""),
               1.5707963F, (const unsigned[4]){3, 2, 1, 0});
}

static void walls(void **state) {
    (void)state;
    /* n = +Z: u is x / 8, v is 1 - y / 8: seen from +Z it is upright and reads from left to right */
    check_face(
        LEVEL("10",
              SQUARE(POINTS("0,0,0", "8,0,0", "8,8,0", "0,8,0"), FACE("0", TRANSFORM "\"angle\":0," ONCE)),
              ""),
        0.01F, (const unsigned[4]){0, 1, 2, 3});
    /* twice across and shifted by half: the right half is first */
    check_face(LEVEL("10",
                     SQUARE(POINTS("0,0,0", "8,0,0", "8,8,0", "0,8,0"),
                            FACE("0", TRANSFORM "\"angle\":0,\"offset\":[0.5,1],\"scale\":[0.125,0.125]")),
                     ""),
               0.01F, (const unsigned[4]){1, 0, 3, 2});
}

int test_spark_pixels(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(floors), cmocka_unit_test(walls)};
    return cmocka_run_group_tests(tests, make_texture, free_texture);
}
