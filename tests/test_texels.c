/* SPDX-License-Identifier: MIT */
/* Textures in pictures: averages of light, no finer than a pixel, and memory for no more than that. */
#include "support.h"

#include "../src/export/texels.h"
#include "../src/scene/packed.h"
#include <mapstone/picture.h>

/* Loads one image at the resolution needed for `spread` texels across a pixel. */
static mst_texels loaded(const mst_image *image, double spread, mst_arena *arena, counted *memory) {
    mst_texels texels = {.image = image};
    mst_allocator allocator = counted_allocator(memory);
    mst_arena_begin(arena, &allocator, 0);
    mst_texels_need(&texels, spread);
    MUST(mst_texels_load(&texels, 1, arena), NULL);
    return texels;
}

static void means_are_of_light(void **state) {
    (void)state;
    /* Half of the light of white is 0.5, which sRGB stores as 188; an invisible texel has no colour. */
    static uint8_t pixels[] = {255, 0,   0, 255, 0, 0, 0, 255, 10, 200, 30, 255, 255, 255, 255, 0,
                               0,   255, 0, 255, 0, 0, 0, 255, 10, 200, 30, 255, 255, 255, 255, 0};
    const mst_image image = {.pixels = {.width = 4, .height = 2, .data = pixels}};
    counted memory = {0};
    mst_arena arena;
    mst_texels texels = loaded(&image, 1, &arena, &memory);
    assert_ptr_equal(texels.levels[0].data, pixels);
    assert_int_equal(texels.count, 3);
    const mst_pixels *half = &texels.levels[1];
    assert_int_equal(half->width, 2);
    assert_int_equal(half->height, 1);
    static const uint8_t expected[] = {137, 137, 0, 255, 10, 200, 30, 128}; /* a quarter of the light: 137 */
    for (size_t i = 0; i < sizeof expected; i++)
        assert_in_range(half->data[i], expected[i] ? expected[i] - 1 : 0,
                        expected[i] < 255 ? expected[i] + 1 : 255);
    assert_int_equal(texels.levels[2].width, 1);
    mst_arena_end(&arena);
}

static void sides_that_are_odd(void **state) {
    (void)state;
    static uint8_t pixels[5 * 3 * 4];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = i % 4 == 3 ? 255 : i % 20 < 8 ? 255 : 0; /* two columns of five are white */
    const mst_image image = {.pixels = {.width = 5, .height = 3, .data = pixels}};
    counted memory = {0};
    mst_arena arena;
    mst_texels texels = loaded(&image, 2.5, &arena, &memory);
    assert_int_equal(texels.first, 1);
    assert_int_equal(texels.levels[1].width, 2);
    assert_int_equal(texels.levels[1].height, 1);
    assert_true(texels.levels[1].data[0] > texels.levels[1].data[4]);
    mst_arena_end(&arena);
}

static void level_by_what_a_pixel_shows(void **state) {
    (void)state;
    static uint8_t pixels[64 * 16 * 4];
    const mst_image image = {.pixels = {.width = 64, .height = 16, .data = pixels}};
    counted memory = {0};
    mst_arena arena;
    mst_texels texels = loaded(&image, 4.1, &arena, &memory);
    mst_texels_need(&texels, NAN); /* a triangle without an area has no influence */
    mst_texels_need(&texels, 0);
    assert_true(texels.finest < 4.2 && texels.finest > 4);
    static const struct {
        double spread;
        uint32_t width, height;
    } cases[] = {{0, 16, 4}, {1, 16, 4},  {4.1, 16, 4},     {7.9, 16, 4}, {8, 8, 2},
                 {40, 2, 1}, {1e9, 1, 1}, {INFINITY, 1, 1}, {NAN, 16, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mst_pixels *level = mst_texels_level(&texels, cases[i].spread);
        assert_int_equal(level->width, cases[i].width);
        assert_int_equal(level->height, cases[i].height);
        assert_non_null(level->data);
    }
    mst_arena_end(&arena);
}

/* ---- packed --------------------------------------------------------------------------------------- */

typedef struct stripes {
    mst_packed_image packed;
    uint32_t width, height;
    size_t *rows; /* that were unpacked */
} stripes;

/* White above, black below. */
static void unpack_stripes(const mst_packed_image *image, uint32_t first, uint32_t count, uint8_t *rgba) {
    const stripes *all = (const stripes *)(const void *)image;
    assert_true(first % MST_PACKED_ROWS == 0 && first + count <= all->height);
    for (uint32_t y = first; y < first + count; y++)
        for (uint32_t x = 0; x < all->width; x++, rgba += 4) {
            memset(rgba, y < all->height / 2 ? 255 : 0, 3);
            rgba[3] = 255;
        }
    *all->rows += count;
}

static void large_textures_stay_packed(void **state) {
    (void)state;
    static const float corners[] = {0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0},
                       texcoords[] = {0, 0, 0, 1, 1, 1, 1, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    size_t rows = 0;
    const stripes packed = {{unpack_stripes}, 4096, 2050, &rows};
    const mst_image image = {.name = "", .pixels = {.width = 4096, .height = 2050}, .packed = &packed.packed};
    const mst_material material = {.name = "", .color = {1, 1, 1, 1}, .emissive_texture = 0};
    const mst_primitive primitive = {.vertex_count = 4,
                                     .index_count = 6,
                                     .positions = corners,
                                     .indices = indices,
                                     .texcoords = texcoords};
    const mst_mesh mesh = {"", &primitive, 1};
    const mst_node node = {.name = "",
                           .class_name = "",
                           .layer = "",
                           .label = "",
                           .tag = "",
                           .role = MST_ROLE_GEOMETRY,
                           .parent = -1,
                           .light = -1,
                           .camera = -1,
                           .rotation = {0, 0, 0, 1},
                           .scale = {1, 1, 1}};
    const mst_scene scene = {.name = "",
                             .unit_metres = 1,
                             .nodes = &node,
                             .node_count = 1,
                             .meshes = &mesh,
                             .mesh_count = 1,
                             .materials = &material,
                             .material_count = 1,
                             .images = &image,
                             .image_count = 1};
    const mst_picture_options from_above = {.size = sizeof from_above,
                                            .width = 200,
                                            .height = 200,
                                            .no_legend = 1,
                                            .no_grid = 1,
                                            .heights = 1},
                              oblique = {.size = sizeof oblique,
                                         .width = 200,
                                         .height = 200,
                                         .view = MST_VIEW_OBLIQUE,
                                         .pitch = 1.57F,
                                         .no_legend = 1};
    counted memory = {0};
    mst_pixels picture = {.allocator = counted_allocator(&memory)};
    MUST(mst_scene_draw(&scene, &from_above, &picture, NULL), NULL);
    assert_int_equal(rows, 0); /* a map of heights shows none */
    mst_pixels_free(&picture);
    MUST(mst_scene_draw(&scene, &oblique, &picture, NULL), NULL);
    assert_int_equal(rows, 2050);
    assert_true(memory.peak < (size_t)4 << 20); /* of 32 MiB */
    const uint8_t *above = picture.data + 4 * (60 * 200 + 100), *below = picture.data + 4 * (140 * 200 + 100);
    assert_true(above[0] > 180 && below[0] < 60);
    mst_pixels_free(&picture);
    assert_int_equal(memory.blocks, 0);
}

static void memory_may_lack(void **state) {
    (void)state;
    static uint8_t pixels[8 * 8 * 4];
    const mst_image image = {.pixels = {.width = 8, .height = 8, .data = pixels}};
    for (size_t fail_at = 1;; fail_at++) {
        counted memory = {.fail_at = fail_at, .for_good = true};
        mst_texels texels[2] = {{.image = NULL}, {.image = &image, .finest = 2}};
        mst_allocator allocator = counted_allocator(&memory);
        mst_arena arena;
        mst_arena_begin(&arena, &allocator, 0);
        mst_status status = mst_texels_load(texels, 2, &arena);
        mst_arena_end(&arena);
        assert_int_equal(status, memory.failed ? MST_NO_MEMORY : MST_OK);
        assert_int_equal(memory.blocks, 0);
        if (!memory.failed)
            break;
    }
}

int test_texels(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_of_light),
        cmocka_unit_test(sides_that_are_odd),
        cmocka_unit_test(level_by_what_a_pixel_shows),
        cmocka_unit_test(large_textures_stay_packed),
        cmocka_unit_test(memory_may_lack),
    };
    return cmocka_run_group_tests_name("texels", tests, NULL, NULL);
}
