/* SPDX-License-Identifier: MIT */
/* Building scenes: matrices, bounds, colours, names, memory. */
#include "../src/core/number.h"
#include "../src/scene/build.h"
#include "../src/scene/geometry.h"
#include "refusing.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- matrices, bounds, colours ---- */

static void test_quaternions(void **state) {
    (void)state;
    const float y[3] = {0, 1, 0}, x[3] = {1, 0, 0};
    float quarter[4], other[4], product[4];
    mst_quaternion_axis(y, 1.57079633F, quarter);
    mst_quaternion_axis(x, 1.57079633F, other);
    mst_quaternion_multiply(quarter, other, product); /* first about x, then about y */
    mst_scene scene = {0};
    mst_node node = {.parent = -1, .mesh = -1, .scale = {1, 1, 1}};
    memcpy(node.rotation, product, sizeof product);
    scene.nodes = &node;
    scene.node_count = 1;
    float matrix[16], result[3];
    mst_scene_world_matrices(&scene, matrix);
    mst_matrix_point(matrix, (const float[3]){0, 1, 0}, result); /* y -> z by x, z -> x by y */
    assert_float_equal(result[0], 1, 1e-6);
    assert_float_equal(result[1], 0, 1e-6);
    assert_float_equal(result[2], 0, 1e-6);
}

static mst_scene *small_scene(void) {
    mst_scene_builder builder;
    mst_scene_begin(&builder, NULL, 0);
    int32_t root = mst_scene_add_node(&builder, -1, "root", MST_ROLE_GROUP);
    mst_scene_node(&builder, root)->scale[0] = 2;
    int32_t mesh = mst_scene_add_cube(&builder, "cube", -1);
    int32_t a = mst_scene_add_node(&builder, root, "a", MST_ROLE_GEOMETRY);
    mst_scene_node(&builder, a)->mesh = mesh;
    mst_scene_node(&builder, a)->translation[0] = 10;
    int32_t b = mst_scene_add_node(&builder, a, "b", MST_ROLE_COLLISION);
    mst_scene_node(&builder, b)->mesh = mesh;
    mst_scene_node(&builder, b)->translation[1] = -3;
    mst_scene_node(&builder, b)->rotation[3] = NAN;
    mst_scene *scene = NULL;
    mst_scene settings = {.name = "small", .format = "test", .unit_metres = 0.5};
    assert_int_equal(mst_scene_finish(&builder, &settings, &scene, NULL), MST_OK);
    return scene;
}

static void test_bounds(void **state) {
    (void)state;
    mst_scene *scene = small_scene();
    mst_bounds bounds = mst_scene_bounds(scene, 0);
    const float minimum[3] = {19, -3.5F, -0.5F}, maximum[3] = {21, 0.5F, 0.5F};
    assert_memory_equal(bounds.minimum, minimum, sizeof minimum);
    assert_memory_equal(bounds.maximum, maximum, sizeof maximum);
    bounds = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY);
    assert_true(bounds.minimum[1] == -0.5F);
    bounds = mst_scene_bounds(scene, 1u << MST_ROLE_LIGHT);
    assert_true(bounds.minimum[0] > bounds.maximum[0]);
    mst_scene_free(scene);
    mst_scene_free(NULL);
}

/* Directions in the file, from the root's transform alone. */
static void test_file_coordinates(void **state) {
    (void)state;
    const float h = 0.70710678F;
    static const mst_bounds world = {{-1, 2, -30}, {10, 20, 3}};
    const struct {
        float rotation[4], scale[3], translation[3];
        int axes[3];
        float low[3], high[3];
    } cases[] = {
        {{0, 0, 0, 1}, {1, 1, 1}, {0, 0, 0}, {1, 2, 3}, {-1, 2, -30}, {10, 20, 3}},
        {{0, 0, 0, 2}, {0.5F, 0.25F, 1}, {1, 0, 0}, {1, 2, 3}, {-4, 8, -30}, {18, 80, 3}},
        /* Z up: X is x, Y is z, Z is -y; two units a metre */
        {{-h, 0, 0, h}, {0.5F, 0.5F, 0.5F}, {0, 0, 0}, {1, 3, -2}, {-2, -6, 4}, {20, 60, 40}},
        {{0, 0, 0, 1}, {1, 1, -1}, {0, 0, 0}, {1, 2, -3}, {-1, 2, -3}, {10, 20, 30}},
        /* an eighth of a turn about Y: only the rotation remains; a corner at (10, 3) is 13 / sqrt 2 along x
         * + z */
        {{0, 0.38268343F, 0, 0.92387953F},
         {1, 1, 1},
         {0, 0, 0},
         {0, 2, 0},
         {-2.8284271F, 2, -21.92031F},
         {28.284271F, 20, 9.1923882F}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_node root = {.mesh = -1, .parent = -1};
        memcpy(root.rotation, cases[i].rotation, sizeof root.rotation);
        memcpy(root.scale, cases[i].scale, sizeof root.scale);
        memcpy(root.translation, cases[i].translation, sizeof root.translation);
        mst_scene scene = {.nodes = &root, .node_count = 1};
        int axes[3];
        mst_scene_axes(&scene, axes);
        assert_memory_equal(axes, cases[i].axes, sizeof axes);
        mst_bounds box = mst_scene_file_bounds(&scene, &world);
        for (int k = 0; k < 3; k++)
            if (fabsf(box.minimum[k] - cases[i].low[k]) > 1e-4F ||
                fabsf(box.maximum[k] - cases[i].high[k]) > 1e-4F)
                fail_msg("case %zu, axis %d: %g .. %g", i, k, (double)box.minimum[k], (double)box.maximum[k]);
    }
    /* without a root unchanged; empty bounds stay empty, and a transform that cannot be inverted makes them
     * empty */
    mst_scene scene = {.node_count = 0};
    int axes[3];
    mst_scene_axes(&scene, axes);
    assert_true(axes[0] == 1 && axes[1] == 2 && axes[2] == 3);
    mst_bounds box = mst_scene_file_bounds(&scene, &world);
    assert_memory_equal(&box, &world, sizeof box);
    const mst_bounds none = mst_scene_bounds(&scene, 0);
    box = mst_scene_file_bounds(&scene, &none);
    assert_true(box.minimum[0] > box.maximum[0]);
    mst_node flat = {.mesh = -1, .parent = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 0, 1}};
    scene = (mst_scene){.nodes = &flat, .node_count = 1};
    box = mst_scene_file_bounds(&scene, &world);
    assert_true(box.minimum[0] > box.maximum[0]);
}

static void test_colors(void **state) {
    (void)state;
    float a[4], b[4], again[4];
    mst_color_of_name("skulk", a);
    mst_color_of_name("skulj", b);
    mst_color_of_name("skulk", again);
    assert_memory_equal(a, again, sizeof a);
    assert_true(memcmp(a, b, sizeof a) != 0);
    for (int i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        mst_color_of_name(name, a);
        float max = fmaxf(a[0], fmaxf(a[1], a[2])), min = fminf(a[0], fminf(a[1], a[2]));
        assert_true(min >= 0 && max <= 1 && max >= 0.25F && max - min > 0.1F && a[3] == 1);
    }
    assert_float_equal(mst_linear_of_srgb(0.5F), 0.21404114, 1e-6); /* IEC 61966-2-1 */
    assert_float_equal(mst_linear_of_srgb(0.02F), 0.02F / 12.92F, 1e-7);
    assert_float_equal(mst_srgb_of_linear(0.21404114F), 0.5, 1e-6);
    assert_float_equal(mst_srgb_of_linear(1), 1, 1e-6);
}

/* ---- the builder ---- */

static void test_cube(void **state) {
    (void)state;
    mst_scene *scene = small_scene();
    const mst_primitive *cube = &scene->meshes[0].primitives[0];
    double volume = 0;
    for (uint32_t i = 0; i < cube->index_count; i += 3) {
        double normal[3];
        mst_polygon_normal(cube->positions, cube->indices + i, 3, normal);
        const float *stored = cube->normals + 3 * cube->indices[i],
                    *point = cube->positions + 3 * cube->indices[i];
        for (int k = 0; k < 3; k++) {
            assert_true(normal[k] == (double)stored[k]); /* outward, and of area 1/2 */
            volume += normal[k] * (double)point[k] / 6;
        }
    }
    assert_true(fabs(volume - 1) < 1e-12);
    mst_scene_free(scene);
}

static void test_extras(void **state) {
    (void)state;
    mst_scene_builder builder;
    mst_scene_begin(&builder, NULL, 0);
    mst_extras_builder extras;
    mst_extras_begin(&extras, &builder);
    mst_extras_integer(&extras, "n", INT32_MAX);
    mst_extras_integer(&extras, "n", (int64_t)INT32_MIN - 1);
    mst_extras_integer(&extras, "n", INT64_MAX);
    mst_extras_real(&extras, "n_2", 0.5);
    mst_extras_real(&extras, "nan", NAN);
    mst_extras_real(&extras, "inf", -INFINITY);
    mst_extras_text(&extras, "text", "abcdef", 3);
    mst_extras_text(&extras, "empty", NULL, 0);
    mst_extras result = mst_extras_end(&extras);
    assert_int_equal(result.count, 8);
    const mst_extra *e = result.items;
    assert_string_equal(e[0].name, "n");
    assert_int_equal(e[0].kind, MST_EXTRA_INTEGER);
    assert_int_equal(e[0].integer, INT32_MAX);
    assert_string_equal(e[1].name, "n_2");
    assert_int_equal(e[1].kind, MST_EXTRA_REAL);
    assert_true(e[1].real == -2147483649.0);
    assert_string_equal(e[2].name, "n_3");
    assert_int_equal(e[2].kind, MST_EXTRA_TEXT);
    assert_string_equal(e[2].text, "9223372036854775807");
    assert_string_equal(e[3].name, "n_2_2");
    assert_string_equal(e[4].text, "NaN");
    assert_string_equal(e[5].text, "-Infinity");
    assert_string_equal(e[6].text, "abc");
    assert_string_equal(e[7].text, "");
    mst_scene_abandon(&builder);
}

static void test_unique_names(void **state) {
    (void)state;
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_names names;
    mst_names_begin(&names, &arena);
    const char *long_name = "0123456789012345678901234567890123456789012345678901234567890ab"; /* 63 */
    assert_ptr_equal(mst_names_unique(&names, long_name, 63), long_name);
    assert_string_equal(mst_names_unique(&names, long_name, 63),
                        "0123456789012345678901234567890123456789012345678901_2");
    for (int i = 0; i < 20000; i++) {
        char expected[24];
        snprintf(expected, sizeof expected, i ? "x_%d" : "x", i + 1);
        assert_string_equal(mst_names_unique(&names, "x", 63), expected);
    }
    assert_string_equal(mst_names_unique(&names, "x_7", 63), "x_7_2");
    mst_names_end(&names);
    mst_arena_end(&arena);
}

/* Transparent texels get the average of the coloured texels around them, wave by wave. */
static void test_bleeding(void **state) {
    (void)state;
    static const uint8_t magenta[4] = {255, 0, 255, 0};
    uint8_t pixels[5 * 2 * 4];
    for (int i = 0; i < 10; i++)
        memcpy(pixels + 4 * i, magenta, 4);
    /*  red  .  .  .  .
     *  grey .  .  .  half-transparent blue */
    memcpy(pixels, (const uint8_t[]){200, 0, 0, 255}, 4);
    memcpy(pixels + 20, (const uint8_t[]){100, 100, 101, 255}, 4);
    memcpy(pixels + 36, (const uint8_t[]){0, 0, 50, 1}, 4);
    assert_true(mst_image_bleed(pixels, 5, 2, NULL));
    /* by hand: next to red and grey their average; next to blue blue; the middle is adjacent to both waves */
    static const uint8_t expected[10][4] = {
        {200, 0, 0, 255},     {150, 50, 51, 0}, {75, 25, 51, 0}, {0, 0, 50, 0}, {0, 0, 50, 0},
        {100, 100, 101, 255}, {150, 50, 51, 0}, {75, 25, 51, 0}, {0, 0, 50, 0}, {0, 0, 50, 1}};
    assert_memory_equal(pixels, expected, sizeof expected);
    /* no texel to take a colour from */
    uint8_t clear[8] = {1, 2, 3, 0, 4, 5, 6, 0};
    assert_true(mst_image_bleed(clear, 2, 1, NULL));
    assert_memory_equal(clear, ((const uint8_t[8]){1, 2, 3, 0, 4, 5, 6, 0}), 8);
    int left = 0;
    mst_allocator none = {no_memory, &left};
    assert_false(mst_image_bleed(clear, 2, 1, &none));
    /* in a scene: only where no opaque material shows those colours */
    static uint8_t stored[8] = {255, 0, 255, 0, 10, 20, 30, 255};
    for (int shown = 0; shown < 2; shown++) {
        mst_scene_builder b;
        mst_scene_begin(&b, NULL, 0);
        int32_t image = mst_scene_add_image(
            &b, &(mst_image){.name = "i", .pixels = {.width = 2, .height = 1, .data = stored}});
        int32_t whole = mst_scene_add_image(
            &b, &(mst_image){.name = "w", .pixels = {.width = 1, .height = 1, .data = stored + 4}});
        mst_scene_add_image(&b, &(mst_image){.name = "no pixels", .pixels = {.width = 9, .height = 9}});
        mst_scene_add_material(&b, &(mst_material){.image = image, .alpha_mode = MST_ALPHA_MASK});
        mst_scene_add_material(&b, &(mst_material){.image = whole, .alpha_mode = MST_ALPHA_BLEND});
        mst_scene_add_material(&b, &(mst_material){.image = shown ? image : 99});
        mst_scene *scene = NULL;
        assert_int_equal(mst_scene_finish(&b, NULL, &scene, NULL), MST_OK);
        assert_memory_equal(scene->images[0].pixels.data,
                            shown ? stored : ((const uint8_t[8]){10, 20, 30, 0, 10, 20, 30, 255}), 8);
        assert_ptr_equal(scene->images[1].pixels.data, stored + 4);
        mst_scene_free(scene);
    }
}

static void test_references_hold(void **state) {
    (void)state;
    mst_scene_builder builder;
    mst_scene_begin(&builder, NULL, 0);
    mst_scene_add_node(&builder, 5, NULL, MST_ROLE_GROUP);
    int32_t child = mst_scene_add_node(&builder, 7, "child", MST_ROLE_GROUP);
    mst_scene_node(&builder, child)->mesh = 3;
    mst_scene_node(&builder, child)->light = -8;
    assert_null(mst_scene_node(&builder, 2));
    assert_null(mst_scene_node(&builder, -1));
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_finish(&builder, NULL, &scene, NULL), MST_OK);
    assert_int_equal(scene->nodes[0].parent, -1);
    assert_int_equal(scene->nodes[1].parent, 0);
    assert_int_equal(scene->nodes[1].mesh, -1);
    assert_int_equal(scene->nodes[1].light, -1);
    assert_string_equal(scene->nodes[0].name, "");
    assert_string_equal(scene->name, "");
    assert_true(scene->unit_metres == 1);
    mst_scene_free(scene);
    mst_scene_begin(&builder, NULL, 0);
    assert_int_equal(mst_scene_finish(&builder, NULL, &scene, NULL), MST_OK);
    assert_int_equal(scene->node_count, 1); /* the root always exists */
    mst_scene_free(scene);
}

/* Each allocation fails once: no crash, no leak (under the sanitizer), and the right status. */
static void test_memory_runs_out(void **state) {
    (void)state;
    for (int allowed = 0; allowed < 100; allowed++) {
        int left = allowed;
        mst_allocator allocator = {no_memory, &left};
        mst_scene_builder builder;
        mst_scene_begin(&builder, &allocator, 0);
        for (int i = 0; i < 200; i++) {
            int32_t node = mst_scene_add_node(&builder, i - 1, "a name that takes room", MST_ROLE_ENTITY);
            mst_extras_builder extras;
            mst_extras_begin(&extras, &builder);
            mst_extras_text(&extras, "same", "text", 4);
            mst_extras_integer(&extras, "same", i);
            mst_extras result = mst_extras_end(&extras);
            mst_node *place = mst_scene_node(&builder, node);
            if (place)
                place->extras = result;
        }
        mst_scene_add_cube(&builder, "cube", mst_scene_add_material(&builder, &(mst_material){.name = "m"}));
        mst_scene *scene = NULL;
        mst_status status = mst_scene_finish(&builder, NULL, &scene, NULL);
        assert_true(status == MST_OK ? scene != NULL : status == MST_NO_MEMORY && !scene);
        mst_scene_free(scene);
    }
    mst_scene_builder builder;
    mst_scene_begin(&builder, NULL, 100000);
    for (int i = 0; i < 100000; i++)
        mst_scene_add_node(&builder, i - 1, "", MST_ROLE_ENTITY);
    assert_int_equal(builder.status, MST_NO_MEMORY);
    assert_in_range(builder.nodes.count * sizeof(mst_node), 10000, 100000);
    assert_null(mst_scene_node(&builder, 0));
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_finish(&builder, NULL, &scene, NULL), MST_NO_MEMORY);
    assert_null(scene);
}

/* The same with a first name of increasing length, so that each allocation is once the one without room; and
 * with budgets that end at any byte. */
/* Whether there was memory for the names, which are made last. */
static bool build_all(mst_scene_builder *b, const char *name) {
    static const char *const long_names[] = {
        "a name that is much longer than eleven bytes, so that it is cut",
        "a name that is much longer than eleven bytes, so that it is cut", "short", "short"};
    static uint8_t holes[64 * 4] = {1, 2, 3, 255};
    mst_extras_builder extras;
    int32_t node = mst_scene_add_node(b, -1, name, MST_ROLE_GROUP);
    int32_t image = mst_scene_add_image(
        b, &(mst_image){.name = "holes", .pixels = {.width = 8, .height = 8, .data = holes}});
    mst_scene_add_material(b, &(mst_material){.image = image, .alpha_mode = MST_ALPHA_MASK});
    mst_extras_begin(&extras, b);
    for (int i = 0; i < 40; i++) {
        char each[24];
        snprintf(each, sizeof each, "extra %d", i / 2);
        mst_extras_text(&extras, each, "text", i & 1 ? 4 : 0);
    }
    mst_extras first = mst_extras_end(&extras);
    mst_extras_begin_like(&extras, b, &first);
    for (int i = 0; i < 42; i++) /* two more than the pattern has */
        mst_extras_text(&extras, "", "other", 5);
    mst_extras second = mst_extras_end(&extras);
    if (b->status == MST_OK) {
        assert_int_equal(first.count, 40);
        assert_int_equal(second.count, 40);
        assert_string_equal(second.items[1].name, "extra 0_2");
        assert_string_equal(second.items[39].text, "other");
        mst_scene_node(b, node)->extras = second;
    } else {
        assert_int_equal(second.count, 0);
    }
    mst_scene_add_placeholder(b);
    mst_scene_add_cube(b, "cube", -1);
    mst_names names;
    mst_names_begin(&names, &b->arena);
    bool made = true;
    for (size_t i = 0; i < 4; i++) {
        const char *unique = mst_names_unique(&names, long_names[i], 60);
        made = made && unique;
        if (made && i == 3)
            assert_string_equal(unique, "short_2");
    }
    mst_names_end(&names);
    return made;
}

static void test_every_piece_of_memory(void **state) {
    (void)state;
    static char name[5000];
    const char *slow = getenv("MAPSTONE_SLOW");
    for (size_t length = 0; length < 4200; length += slow && *slow ? 1400 : 48) {
        memset(name, 'n', length);
        name[length] = 0;
        bool done = false;
        for (size_t limit = 0; !done; limit++) {
            assert_true(limit < 200);
            int left = (int)limit;
            mst_allocator allocator = {no_memory, &left};
            mst_scene_builder builder;
            mst_scene_begin(&builder, &allocator, 0);
            bool names_lack = !build_all(&builder, name);
            mst_scene *scene = NULL;
            mst_status status = mst_scene_finish(&builder, &(mst_scene){.name = name}, &scene, NULL);
            /* names that could not be made are not the scene's */
            assert_true(status == (left >= 0 ? MST_OK : MST_NO_MEMORY) || (names_lack && status == MST_OK));
            assert_int_equal(scene != NULL, status == MST_OK);
            done = left >= 0;
            mst_scene_free(scene);
        }
    }
    mst_status status = MST_NO_MEMORY;
    for (size_t budget = 1; status != MST_OK; budget += 97) {
        mst_scene_builder builder;
        mst_scene_begin(&builder, NULL, budget);
        build_all(&builder, "root");
        mst_scene *scene = NULL;
        status = mst_scene_finish(&builder, NULL, &scene, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true(status == MST_NO_MEMORY || budget > 64 * 64 * 4); /* at least a placeholder's pixels */
        assert_true(budget < 1000000);
        mst_scene_free(scene);
    }
}

/* Everything without a name is called "". */
static void test_without_names(void **state) {
    (void)state;
    mst_scene_builder b;
    mst_scene_begin(&b, NULL, 0);
    mst_scene_add_mesh(&b, &(mst_mesh){0});
    mst_scene_add_material(&b, &(mst_material){0});
    mst_scene_add_image(&b, &(mst_image){0});
    mst_scene_add_light(&b, &(mst_light){0});
    mst_scene_add_camera(&b, &(mst_camera){0});
    mst_node *node = mst_scene_node(&b, mst_scene_add_node(&b, -1, NULL, MST_ROLE_GROUP));
    node->name = node->class_name = node->label = node->layer = node->tag = NULL;
    mst_scene *scene;
    assert_int_equal(mst_scene_finish(&b,
                                      &(mst_scene){.unit_metres = (double)INFINITY, .grid_step = INFINITY},
                                      &scene, NULL),
                     MST_OK);
    assert_string_equal(scene->meshes[0].name, "");
    assert_string_equal(scene->materials[0].name, "");
    assert_string_equal(scene->images[0].name, "");
    assert_string_equal(scene->lights[0].name, "");
    assert_string_equal(scene->cameras[0].name, "");
    assert_string_equal(scene->nodes[0].name, "");
    assert_string_equal(scene->nodes[0].class_name, "");
    assert_string_equal(scene->nodes[0].label, "");
    assert_string_equal(scene->nodes[0].layer, "");
    assert_string_equal(scene->nodes[0].tag, "");
    assert_true(scene->unit_metres == 1);
    assert_true(scene->grid_step == 0);
    mst_scene_free(scene);
    mst_scene_begin(&b, NULL, 0);
    assert_int_equal(mst_scene_finish(&b, &(mst_scene){.unit_metres = -2, .grid_step = -1}, &scene, NULL),
                     MST_OK);
    assert_true(scene->unit_metres == 1);
    assert_true(scene->grid_step == 0);
    mst_scene_free(scene);
}

/* A scene that no builder has made: invalid parts are skipped. */
static void test_bounds_of_odd_scenes(void **state) {
    (void)state;
    static const float points[12] = {1, 2, 3, NAN, 0, 0, 4, 5, 6, 0, -INFINITY, 0}, none[3] = {NAN, 0, 0};
    const mst_primitive primitives[] = {{.vertex_count = 4},
                                        {.vertex_count = 4, .positions = points},
                                        {.vertex_count = 1, .positions = none}};
    const mst_mesh meshes[] = {{NULL, primitives, 2}, {NULL, primitives + 2, 1}};
    mst_node nodes[6];
    for (int i = 0; i < 6; i++)
        nodes[i] = (mst_node){.mesh = i - 2, .parent = -1, .rotation = {0, 0, 0, 1e-31F}, .scale = {1, 1, 1}};
    nodes[2].translation[0] = 10;
    nodes[2].parent = 4; /* which does not precede it */
    nodes[5].mesh = 0;
    nodes[5].parent = 2;
    nodes[5].translation[1] = 1;
    mst_scene scene = {.nodes = nodes, .node_count = 6, .meshes = meshes, .mesh_count = 2};
    mst_bounds bounds = mst_scene_bounds(&scene, 0);
    const float minimum[3] = {11, 2, 3}, maximum[3] = {14, 6, 6};
    assert_memory_equal(bounds.minimum, minimum, sizeof minimum);
    assert_memory_equal(bounds.maximum, maximum, sizeof maximum);
    /* an invalid role is in no set of roles */
    nodes[2].role = nodes[3].role = nodes[5].role = (mst_role)32;
    bounds = mst_scene_bounds(&scene, 1u << MST_ROLE_GROUP);
    assert_true(bounds.minimum[0] > bounds.maximum[0]);
    scene.node_count = 2; /* without a mesh */
    bounds = mst_scene_bounds(&scene, 0);
    assert_true(bounds.minimum[0] > bounds.maximum[0]);
}

int test_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quaternions),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_file_coordinates),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_extras),
        cmocka_unit_test(test_unique_names),
        cmocka_unit_test(test_bleeding),
        cmocka_unit_test(test_references_hold),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_every_piece_of_memory),
        cmocka_unit_test(test_without_names),
        cmocka_unit_test(test_bounds_of_odd_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
