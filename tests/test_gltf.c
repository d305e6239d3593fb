/* SPDX-License-Identifier: MIT */
/*
 * glTF files of a scene that uses everything and has many faults. With MAPSTONE_GLTF_OUT set to a directory
 * the files are also written there, for tests/gltf/validate.mjs.
 */
#include "../src/core/bytes.h"
#include "../src/core/number.h"
#include "../src/scene/build.h"
#include "../src/scene/geometry.h"
#include <mapstone/export.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void keep(const char *name, const mst_buffer *memory) {
    const char *directory = getenv("MAPSTONE_GLTF_OUT");
    if (!directory || !memory->size)
        return;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(memory->data, 1, memory->size, file), memory->size);
    assert_int_equal(fclose(file), 0);
}

/* ---- reading the written files ---- */

typedef struct glb {
    mst_buffer memory;
    char *json; /* NUL-terminated */
    const uint8_t *binary;
    size_t binary_size;
} glb;

static uint32_t u32_at(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float float_at(const uint8_t *bytes) {
    return mst_f32_of_bits(u32_at(bytes));
}

static glb write_glb(const mst_scene *scene, const mst_gltf_options *options, const char *name) {
    glb file = {0};
    mst_diagnostic diagnostic = {0};
    assert_int_equal(mst_scene_write_glb(scene, options, mst_buffer_sink(&file.memory), &diagnostic), MST_OK);
    assert_string_equal(diagnostic.message, ""); /* also without PNG support */
    const uint8_t *data = file.memory.data;
    assert_true(file.memory.size >= 20);
    assert_memory_equal(data, "glTF", 4);
    assert_int_equal(u32_at(data + 4), 2);
    assert_int_equal(u32_at(data + 8), file.memory.size);
    size_t json = u32_at(data + 12);
    assert_int_equal(json % 4, 0);
    assert_memory_equal(data + 16, "JSON", 4);
    file.json = malloc(json + 1);
    memcpy(file.json, data + 20, json);
    file.json[json] = 0;
    assert_int_equal(strlen(file.json), json);
    if (file.memory.size > 20 + json) {
        file.binary_size = u32_at(data + 20 + json);
        file.binary = data + 28 + json;
        assert_memory_equal(data + 24 + json, "BIN\0", 4);
        assert_int_equal(file.memory.size, 28 + json + file.binary_size);
        assert_int_equal(file.binary_size % 4, 0);
    }
    keep(name, &file.memory);
    return file;
}

static void free_glb(glb *file) {
    free(file->json);
    mst_buffer_free(&file->memory);
}

static void assert_has(const char *json, const char *piece) {
    if (!strstr(json, piece))
        fail_msg("not in the JSON: %s\n%s", piece, json);
}

static void assert_has_not(const char *json, const char *piece) {
    if (strstr(json, piece))
        fail_msg("in the JSON: %s", piece);
}

static size_t occurrences(const char *json, const char *piece) {
    size_t count = 0;
    for (const char *at = json; (at = strstr(at, piece)) != NULL; at += strlen(piece))
        count++;
    return count;
}

/* ---- the scene ---- */

static const float corners[4 * 3] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const uint32_t two_triangles[6] = {0, 1, 2, 0, 2, 3};

static int32_t add_node(mst_scene_builder *b, int32_t parent, const char *name, int32_t mesh) {
    int32_t node = mst_scene_add_node(b, parent, name, mesh < 0 ? MST_ROLE_GROUP : MST_ROLE_GEOMETRY);
    mst_scene_node(b, node)->mesh = mesh;
    return node;
}

static void add_lights(mst_scene_builder *b, int32_t root) {
    const mst_light lights[] = {
        {"point", MST_LIGHT_POINT, {1, 0.5F, 0}, 100, 25, 0, 0},
        {"spot", MST_LIGHT_SPOT, {1, 1, 1}, 10, 0, 0.25F, 0.5F},
        {"sun", MST_LIGHT_DIRECTIONAL, {1, 1, 0.9F}, 3, 0, 0, 0},
        {"broken spot", MST_LIGHT_SPOT, {NAN, 7, -1}, INFINITY, -1, 3, 3.14159265F},
        {"worse spot", MST_LIGHT_SPOT, {0, 0, 0}, NAN, NAN, NAN, NAN},
        {"closed spot", MST_LIGHT_SPOT, {0, 0, 0}, -1, INFINITY, 0.5F, 0.5F},
    };
    for (size_t i = 0; i < sizeof lights / sizeof *lights; i++) {
        int32_t light = mst_scene_add_light(b, &lights[i]);
        int32_t node = mst_scene_add_node(b, root, lights[i].name, MST_ROLE_LIGHT);
        mst_scene_node(b, node)->light = light;
        mst_scene_node(b, node)->translation[1] = 4;
    }
    mst_scene_add_light(b, &(mst_light){.name = "unused light"});
}

static void add_cameras(mst_scene_builder *b, int32_t root) {
    const mst_camera cameras[] = {
        {"eye", 1, 0.1F, 100}, {"far eye", 0.5F, 1, 0}, {"broken eye", NAN, -1, INFINITY}};
    for (size_t i = 0; i < 3; i++) {
        int32_t camera = mst_scene_add_camera(b, &cameras[i]);
        int32_t node = mst_scene_add_node(b, root, cameras[i].name, MST_ROLE_CAMERA);
        mst_scene_node(b, node)->camera = camera;
    }
}

static mst_extras awkward_extras(mst_scene_builder *b) {
    mst_extras_builder extras;
    mst_extras_begin(&extras, b);
    mst_extras_integer(&extras, "int", -5);
    mst_extras_integer(&extras, "large", INT64_C(4000000000));
    mst_extras_integer(&extras, "larger", INT64_MIN);
    mst_extras_real(&extras, "real", 0.1);
    mst_extras_real(&extras, "single", (double)0.1f);
    mst_extras_real(&extras, "whole", 2);
    mst_extras_real(&extras, "tiny", 5e-324);
    mst_extras_real(&extras, "not a number", NAN);
    mst_extras_text(&extras, "quote \" and \\", "line\nend\ttab \x01 \"q\"", 18);
    mst_extras_text(&extras, "umlaut", "gr\xC3\xBC\xC3\x9F", 6);
    mst_extras_text(&extras, "latin", "gr\xFC\xDF \"\x02\x7F\x9B", 9);
    mst_extras_text(&extras, "empty", "", 0);
    mst_extras_text(&extras, "int", "again", 5);
    mst_extras_text(&extras, "json", "{\"nested\":[1,2.5]}", 18);
    return mst_extras_end(&extras);
}

static const char long_name[] =
    "A very long name that goes on and on, longer than sixty-three bytes can ever be";

static mst_scene *full_scene(void) {
    static uint8_t pixels[5 * 3 * 4] = {255, 0, 0, 255, 0, 255, 0, 128};
    static const float bad_positions[15] = {0, 0, 0, NAN, 2, 0, 1, INFINITY, 0, 3, 1, 1, -2, -INFINITY, 5};
    static const float bad_normals[15] = {0, 0, 0, 3, 4, 0, NAN, 0, 0, 0, 0, 1, INFINITY, 0, 0};
    static const float bad_colors[20] = {0, 0.5F, 1, 1, -1, 2, NAN, INFINITY, 0.25F, 0.25F, 0.25F, 1};
    static const float bad_texcoords[10] = {0, 0, NAN, 1, -3.5F, 7, INFINITY, 0, 1, 1};
    static const uint32_t bad_indices[13] = {0, 1, 2, 0, 2, 5, 1, 1, 2, 2, 3, 4, 0};
    static const uint32_t only_bad[3] = {0, 1, 99};
    mst_scene_builder b;
    mst_scene_begin(&b, NULL, 0);
    int32_t image = mst_scene_add_image(
        &b, &(mst_image){.name = "textures/wall.tga", .pixels = {.width = 5, .height = 3, .data = pixels}});
    int32_t other = mst_scene_add_image(
        &b, &(mst_image){.name = "wall", .pixels = {.width = 1, .height = 1, .data = pixels}});
    int32_t empty_image =
        mst_scene_add_image(&b, &(mst_image){.name = "no pixels", .pixels = {.width = 0, .height = 0}});
    mst_scene_add_image(&b,
                        &(mst_image){.name = "unused", .pixels = {.width = 1, .height = 1, .data = pixels}});
    const mst_material kinds[] = {
        {.name = "plain", .color = {0.5F, 0.5F, 0.5F, 1}, .image = -1},
        {.name = "wall", .color = {1, 1, 1, 1}, .image = image, .extras = awkward_extras(&b)},
        {.name = "mask",
         .color = {1, 1, 1, 1},
         .image = image,
         .alpha_mode = MST_ALPHA_MASK,
         .alpha_cutoff = 0.25F,
         .double_sided = 1,
         .nearest = 1,
         .wrap_s = MST_WRAP_CLAMP,
         .wrap_t = MST_WRAP_MIRROR},
        {.name = "blend",
         .color = {NAN, -1, 2, 0.5F},
         .image = other,
         .alpha_mode = MST_ALPHA_BLEND,
         .unlit = 1},
        {.name = "no image",
         .color = {1, 1, 1, 1},
         .image = empty_image,
         .alpha_mode = MST_ALPHA_MASK,
         .alpha_cutoff = NAN},
        {.name = "wrong image", .color = {1, 1, 1, 1}, .image = 77},
        {.name = "unused", .color = {1, 1, 1, 1}, .image = 3},
    };
    int32_t materials[7];
    for (int i = 0; i < 7; i++)
        materials[i] = mst_scene_add_material(&b, &kinds[i]);
    const mst_primitive bad = {.material = materials[1],
                               .vertex_count = 5,
                               .index_count = 13,
                               .positions = bad_positions,
                               .normals = bad_normals,
                               .texcoords = bad_texcoords,
                               .colors = bad_colors,
                               .indices = bad_indices};
    mst_primitive *many = mst_arena_zero(&b.arena, 8, sizeof *many);
    for (int i = 0; i < 6; i++) {
        many[i] = bad;
        many[i].material = materials[i];
        if (i % 2)
            many[i].texcoords = NULL;
    }
    many[6] = (mst_primitive){
        .material = -1, .vertex_count = 4, .positions = corners}; /* without indices: 3 of 4 are used */
    many[7] = (mst_primitive){
        .material = 99, .vertex_count = 5, .index_count = 3, .positions = bad_positions, .indices = only_bad};
    int32_t messy = mst_scene_add_mesh(&b, &(mst_mesh){"messy mesh", many, 8});
    int32_t nothing = mst_scene_add_mesh(&b, &(mst_mesh){"nothing", many + 7, 1});
    int32_t cube = mst_scene_add_cube(&b, "cube", materials[0]);
    mst_scene_add_cube(&b, "unused cube", materials[6]);

    int32_t root = mst_scene_add_node(&b, -1, "root", MST_ROLE_GROUP);
    mst_scene_node(&b, root)->scale[0] = mst_scene_node(&b, root)->scale[1] = 0.0254F;
    mst_scene_node(&b, root)->scale[2] = NAN;
    add_node(&b, root, "messy", messy);
    add_node(&b, root, "empty", nothing);
    for (int i = 0; i < 3; i++) {
        int32_t node = add_node(&b, root, "cube", cube);
        mst_scene_node(&b, node)->translation[0] = (float)i;
    }
    int32_t turned = add_node(&b, root, "cube_2", cube);
    const float doubled[4] = {0, 2, 0, 2};
    memcpy(mst_scene_node(&b, turned)->rotation, doubled, sizeof doubled);
    mst_scene_node(&b, turned)->translation[2] = INFINITY;
    mst_scene_node(&b, turned)->extras = awkward_extras(&b);
    int32_t unknown = add_node(&b, turned, "", -1);
    mst_scene_node(&b, unknown)->class_name = "rookie spawn";
    mst_scene_node(&b, unknown)->layer = "Layer \"1\"";
    mst_scene_node(&b, unknown)->rotation[0] = NAN;
    add_node(&b, unknown, long_name, cube);
    add_node(&b, unknown, long_name, cube);
    add_node(&b, unknown, "T\xC3\xBCr #1", -1);
    add_node(&b, unknown, "broken \xFF utf-8", -1);
    add_node(&b, unknown, NULL, -1);
    add_lights(&b, root);
    add_cameras(&b, root);
    mst_scene *scene = NULL;
    mst_scene settings = {.name = "all of \"it\"", .format = "test", .extras = awkward_extras(&b)};
    assert_int_equal(mst_scene_finish(&b, &settings, &scene, NULL), MST_OK);
    return scene;
}

static void test_everything(void **state) {
    (void)state;
    mst_scene *scene = full_scene();
    glb file = write_glb(scene, NULL, "full.glb");
    const char *json = file.json;
    assert_has(json, "\"asset\":{\"version\":\"2.0\",\"generator\":\"mapstone " MST_VERSION "\"}");
    /* One mesh for all the cubes, and none for primitives without a triangle or nodes. */
    assert_int_equal(occurrences(json, "\"mesh\":1"), 6);
    assert_has_not(json, "unused");
    assert_has_not(json, "nothing");
    assert_has_not(json, "null");
    assert_has_not(json, "[]");
    /* Names. */
    assert_has(json, "{\"name\":\"cube_3\",\"translation\":[2,0,0],\"mesh\":1,\"extras\":{\"name\":\"cube\"");
    assert_has(json, "{\"name\":\"cube_2_2\",\"rotation\":[0,0.70710677,0,0.70710677]");
    assert_has(json, "\"name\":\"A_very_long_name_that_goes_on_and_on__longer_than_sixty-three_b\"");
    assert_has(json, "\"name\":\"A_very_long_name_that_goes_on_and_on__longer_than_si_2\"");
    assert_int_equal(occurrences(json, long_name), 2);
    assert_has(json, "{\"name\":\"T_r__1\",\"extras\":{\"name\":\"T\xC3\xBCr #1\",\"role\":\"group\"}}");
    assert_has(json, "broken \xC3\xBF utf-8");
    assert_has(json, "{\"name\":\"rookie_spawn\"");
    assert_has(json, "\"class\":\"rookie spawn\",\"layer\":\"Layer \\\"1\\\"\"");
    /* Extras. */
    assert_has(json, "\"int\":-5,\"large\":4000000000.0,\"larger\":\"-9223372036854775808\",\"real\":0.1,"
                     "\"single\":0.1,\"whole\":2.0,");
    assert_has(json, "\"not a number\":\"NaN\"");
    assert_has(json, "\"latin\":\"gr\xC3\xBC\xC3\x9F \\u0022\\u0002\\u007f\\u009b\"");
    assert_has(json, "\"int_2\":\"again\"");
    assert_has(json, "\"json\":\"{\\\"nested\\\":[1,2.5]}\"");
    free_glb(&file);
    mst_scene_free(scene);
}

static void test_options(void **state) {
    (void)state;
    mst_scene *scene = full_scene();
    glb file = write_glb(
        scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .max_lights = MST_GLTF_NO_LIGHTS},
        "dark.glb");
    assert_has_not(file.json, "KHR_lights_punctual");
    assert_has(file.json, "\"extensionsUsed\":[\"KHR_materials_unlit\"]");
    free_glb(&file);
    file =
        write_glb(scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .no_extras = 1}, "bare.glb");
    assert_has_not(file.json, "extras");
    free_glb(&file);
    mst_scene_free(scene);
}

/* Nodes invisible to players are left out with their descendants; references to nodes count the remaining
 * ones.
 */
static void test_hidden(void **state) {
    (void)state;
    mst_scene_builder build;
    mst_scene_begin(&build, NULL, 0);
    mst_material plain = {.name = "plain", .color = {1, 1, 1, 1}, .image = -1};
    int32_t material = mst_scene_add_material(&build, &plain);
    int32_t cube = mst_scene_add_cube(&build, "seen_mesh", material);
    int32_t wall = mst_scene_add_cube(&build, "wall_mesh", material);
    int32_t root = mst_scene_add_node(&build, -1, "root", MST_ROLE_GROUP);
    int32_t walls = mst_scene_add_node(&build, root, "walls", MST_ROLE_COLLISION);
    int32_t below = mst_scene_add_node(&build, walls, "below", MST_ROLE_GEOMETRY);
    mst_scene_node(&build, below)->mesh = wall;
    mst_scene_add_node(&build, root, "guide", MST_ROLE_HELPER);
    int32_t seen = mst_scene_add_node(&build, root, "seen", MST_ROLE_GEOMETRY);
    mst_scene_node(&build, seen)->mesh = cube;
    mst_scene *scene;
    assert_int_equal(mst_scene_finish(&build, &(mst_scene){.name = "s", .unit_metres = 1}, &scene, NULL),
                     MST_OK);
    glb file = write_glb(scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .with_hidden = 1},
                         "whole.glb");
    assert_has(file.json, "\"name\":\"below\"");
    assert_has(file.json, "\"children\":[1,3,4]");
    free_glb(&file);
    file = write_glb(scene, NULL, "seen.glb");
    assert_has_not(file.json, "walls");
    assert_has_not(file.json, "below");
    assert_has_not(file.json, "guide");
    assert_has_not(file.json, "wall_mesh");
    assert_has(file.json, "\"name\":\"seen\"");
    assert_has(file.json, "\"children\":[1]");
    free_glb(&file);
    mst_scene_free(scene);
}

static void test_lights(void **state) {
    (void)state;
    mst_scene *scene = full_scene();
    glb file = write_glb(scene, NULL, "lights.glb");
    assert_int_equal(occurrences(file.json, "\"range\":"), 1);
    assert_has(file.json, "\"type\":\"spot\",\"color\":[1,1,1],\"intensity\":10,"
                          "\"spot\":{\"innerConeAngle\":0.25,\"outerConeAngle\":0.5}");
    size_t spots = 0;
    for (const char *at = file.json; (at = strstr(at, "\"spot\":{")) != NULL; at++, spots++) {
        double inner = -1, outer = -1;
        assert_int_equal(
            sscanf(at, "\"spot\":{\"innerConeAngle\":%lf,\"outerConeAngle\":%lf}", &inner, &outer), 2);
        assert_true(inner >= 0 && inner < outer && outer <= 1.5707963267948966);
    }
    assert_int_equal(spots, 4);
    free_glb(&file);
    mst_scene_free(scene);
}

static int32_t add_lit_node(mst_scene_builder *b, int32_t parent, const mst_light *light) {
    int32_t node = mst_scene_add_node(b, parent, light->name, MST_ROLE_LIGHT);
    mst_scene_node(b, node)->light = mst_scene_add_light(b, light);
    return node;
}

static bool node_is_lit(const glb *file, const char *name) {
    char start[64];
    snprintf(start, sizeof start, "{\"name\":\"%s\"", name);
    const char *nodes = strstr(file->json, "\"nodes\":[\n");
    assert_non_null(nodes);
    const char *node = strstr(nodes, start), *lit = node ? strstr(node, "KHR_lights_punctual") : NULL;
    if (!node)
        fail_msg("no node %s", name);
    return lit && lit < node + strcspn(node, "\n");
}

/* The order is specified in export.h: worked out by hand, from the dimmest to the brightest. */
static void test_brightest_lights(void **state) {
    (void)state;
    static const mst_light lights[] = {
        {"none", MST_LIGHT_DIRECTIONAL, {1, 1, 1}, 0, 0, 0, 0},
        {"endless", MST_LIGHT_POINT, {1, 1, 1}, INFINITY, 0, 0, 0}, /* is written as 0 */
        {"blue", MST_LIGHT_POINT, {0, 0, 1}, 100, 0, 0, 0},         /* 7.22 */
        {"red", MST_LIGHT_POINT, {1, 0, 0}, 100, 0, 0, 0},          /* 21.26 */
        {"near", MST_LIGHT_SPOT, {1, 1, 1}, 30, 5, 0.25F, 0.5F},
        {"far", MST_LIGHT_POINT, {1, 1, 1}, 30, 6, 0, 0},
        {"former", MST_LIGHT_POINT, {1, 1, 1}, 30, NAN, 0, 0}, /* unlimited; of equal ones the first */
        {"latter", MST_LIGHT_POINT, {1, 1, 1}, 30, 0, 0, 0},
        {"green", MST_LIGHT_POINT, {0, 1, 0}, 100, 0, 0, 0},        /* 71.52 */
        {"over", MST_LIGHT_POINT, {NAN, 7, -1}, 101, 0, 0, 0},      /* like green, slightly brighter */
        {"sun", MST_LIGHT_DIRECTIONAL, {1, 1, 1}, 0.001F, 0, 0, 0}, /* all are lights */
    };
    const char *const order[] = {"endless", "none",   "blue",  "red",  "near", "far",
                                 "latter",  "former", "green", "over", "sun"};
    enum { COUNT = sizeof lights / sizeof *lights };
    mst_scene_builder b;
    mst_scene_begin(&b, NULL, 0);
    int32_t root = mst_scene_add_node(&b, -1, "root", MST_ROLE_GROUP);
    for (int i = 0; i < COUNT; i++)
        add_lit_node(&b, root, &lights[i]);
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_finish(&b, NULL, &scene, NULL), MST_OK);
    for (int32_t limit = 1; limit <= COUNT + 1; limit++) {
        size_t left_out = 99;
        glb file = write_glb(scene,
                             &(mst_gltf_options){.size = sizeof(mst_gltf_options),
                                                 .max_lights = limit,
                                                 .lights_left_out = &left_out},
                             "few.glb");
        for (int i = 0; i < COUNT; i++)
            if (node_is_lit(&file, order[i]) != (COUNT - i <= limit))
                fail_msg("%s with at most %d lights", order[i], (int)limit);
        assert_int_equal(left_out, limit < COUNT ? COUNT - limit : 0);
        assert_int_equal(occurrences(file.json, "\"intensity\":"), COUNT - left_out);
        free_glb(&file);
    }
    /* left-out parts are reported */
    glb file = write_glb(
        scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .max_lights = MST_GLTF_NO_LIGHTS},
        "unlit.glb");
    assert_has_not(file.json, "KHR_lights_punctual");
    assert_has(file.json, "{\"name\":\"blue\",\"extras\":{\"role\":\"light\",\"light\":\"point\","
                          "\"light_color\":\"0 0 1\",\"light_intensity\":100.0}}");
    assert_has(file.json, "\"light\":\"spot\",\"light_color\":\"1 1 1\",\"light_intensity\":30.0,"
                          "\"light_range\":5.0,\"light_inner_angle\":0.25,\"light_outer_angle\":0.5}}");
    assert_has(file.json, "\"light\":\"directional\"");
    free_glb(&file);
    mst_scene_free(scene);
}

/* Nodes count: each is a light to the viewer. */
static void test_number_of_lights(void **state) {
    (void)state;
    enum { COUNT = 100 };
    mst_scene_builder b;
    mst_scene_begin(&b, NULL, 0);
    int32_t root = mst_scene_add_node(&b, -1, "root", MST_ROLE_GROUP);
    const mst_light lamp = {"lamp", MST_LIGHT_POINT, {1, 1, 1}, 1, 0, 0, 0};
    int32_t light = mst_scene_add_light(&b, &lamp);
    int32_t hidden = mst_scene_add_node(&b, root, "hidden", MST_ROLE_HELPER);
    mst_scene_node(&b, hidden)->light = light;
    mst_extras_builder extras;
    mst_extras_begin(&extras, &b);
    mst_extras_text(&extras, "light", "of the level", 12);
    mst_extras own = mst_extras_end(&extras);
    for (int i = 0; i < COUNT; i++) {
        int32_t node = mst_scene_add_node(&b, root, "lamp", MST_ROLE_LIGHT);
        mst_scene_node(&b, node)->light = light;
        mst_scene_node(&b, node)->extras = own;
    }
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_finish(&b, NULL, &scene, NULL), MST_OK);
    static const struct {
        mst_gltf_options options;
        size_t written, left_out;
    } cases[] = {{{.with_hidden = 1}, 32, 69},
                 {{0}, 32, 68},
                 {{.with_hidden = 1, .max_lights = 7}, 7, 94},
                 {{.with_hidden = 1, .max_lights = MST_GLTF_NO_LIGHTS}, 0, 101},
                 {{.with_hidden = 1, .max_lights = MST_GLTF_ALL_LIGHTS}, 101, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t left_out = 999;
        mst_gltf_options options = cases[i].options;
        options.size = sizeof options;
        options.lights_left_out = &left_out;
        glb file = write_glb(scene, &options, "many.glb");
        assert_int_equal(occurrences(file.json, "{\"light\":0}"), cases[i].written);
        assert_int_equal(left_out, cases[i].left_out);
        /* the level's value under that name is kept, and appears once */
        assert_int_equal(occurrences(file.json, "\"light\":\"of the level\""), COUNT);
        assert_int_equal(occurrences(file.json, "\"light\":\"point\""), left_out == 101);
        free_glb(&file);
    }
    mst_scene_free(scene);
}

/* ---- one primitive alone, with predictable bytes ---- */

static mst_scene *single_scene(const mst_primitive *primitive) {
    mst_scene_builder b;
    mst_scene_begin(&b, NULL, 0);
    int32_t mesh = mst_scene_add_mesh(&b, &(mst_mesh){"mesh", primitive, 1});
    add_node(&b, -1, "root", mesh);
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_finish(&b, NULL, &scene, NULL), MST_OK);
    return scene;
}

static void test_repairs(void **state) {
    (void)state;
    const float positions[9] = {1, 2, 3, NAN, -4, INFINITY, 0.1F, -INFINITY, 7};
    const float normals[9] = {0, 0, 0, 3, 0, 4, NAN, 1, 0};
    const float colors[12] = {0.5F, 2, -1, 1, NAN, 0, 0, 1, 0, 0, 0, 0};
    const uint32_t indices[9] = {0, 1, 2, 0, 1, 3, 2, 2, 0};
    const mst_primitive primitive = {.material = -1,
                                     .vertex_count = 3,
                                     .index_count = 9,
                                     .positions = positions,
                                     .normals = normals,
                                     .colors = colors,
                                     .indices = indices};
    mst_scene *scene = single_scene(&primitive);
    glb file = write_glb(scene, NULL, "repairs.glb");
    const float expected[30] = {1, 2, 3, 0,    -4, 0, 0.1F, 0, 7, 0, 1, 0, 0.6F, 0, 0.8F,
                                0, 1, 0, 0.5F, 1,  0, 1,    0, 0, 0, 1, 0, 0,    0, 0};
    assert_int_equal(file.binary_size, 30 * 4 + 8);
    for (size_t i = 0; i < 30; i++)
        assert_float_equal(float_at(file.binary + 4 * i), expected[i], 1e-7);
    const uint8_t triangle[8] = {0, 0, 1, 0, 2, 0, 0, 0};
    assert_memory_equal(file.binary + 120, triangle, 8);
    assert_has(file.json, "\"min\":[0,-4,0],\"max\":[1,2,7]");
    assert_has(file.json, "{\"bufferView\":2,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":3}");
    free_glb(&file);
    mst_scene_free(scene);
}

/* 65535 may not be an index of 16 bits: it ends a primitive. */
static void test_index_width(void **state) {
    (void)state;
    float *positions = calloc(65536, 3 * sizeof *positions);
    for (uint32_t count = 65535; count <= 65536; count++) {
        positions[3 * (count - 1)] = 2.5F;
        const uint32_t indices[3] = {0, 1, count - 1};
        const mst_primitive primitive = {.material = -1,
                                         .vertex_count = count,
                                         .index_count = 3,
                                         .positions = positions,
                                         .indices = indices};
        mst_scene *scene = single_scene(&primitive);
        glb file = write_glb(scene, NULL, count == 65535 ? "narrow.glb" : "wide.glb");
        const uint8_t *written = file.binary + (size_t)count * 12;
        if (count == 65535) {
            assert_has(file.json, "\"componentType\":5123");
            assert_memory_equal(written, ((const uint8_t[]){0, 0, 1, 0, 0xFE, 0xFF}), 6);
        } else {
            assert_has(file.json, "\"componentType\":5125");
            assert_int_equal(u32_at(written + 8), 65535);
        }
        free_glb(&file);
        mst_scene_free(scene);
    }
    free(positions);
}

static void test_too_large(void **state) {
    (void)state;
    enum { VERTICES = 1 << 20, PRIMITIVES = 110 };
    float *values = calloc(VERTICES, 4 * sizeof *values);
    mst_primitive *primitives = calloc(PRIMITIVES, sizeof *primitives);
    for (int i = 0; i < PRIMITIVES; i++)
        primitives[i] = (mst_primitive){.material = -1,
                                        .vertex_count = VERTICES,
                                        .index_count = 6,
                                        .positions = values,
                                        .normals = values,
                                        .colors = values,
                                        .indices = two_triangles};
    mst_scene_builder b;
    mst_scene_begin(&b, NULL, 0);
    add_node(&b, -1, "root", mst_scene_add_mesh(&b, &(mst_mesh){"mesh", primitives, PRIMITIVES}));
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_finish(&b, NULL, &scene, NULL), MST_OK);
    mst_buffer memory = {0};
    mst_diagnostic diagnostic;
    assert_int_equal(mst_scene_write_glb(scene, NULL, mst_buffer_sink(&memory), &diagnostic),
                     MST_UNSUPPORTED);
    assert_int_equal(diagnostic.status, MST_UNSUPPORTED);
    assert_int_equal(memory.size, 0);
    mst_scene_free(scene);
    free(primitives);
    free(values);
}

static void test_empty(void **state) {
    (void)state;
    mst_scene scene = {0};
    glb file = write_glb(&scene, NULL, "nothing.glb");
    assert_int_equal(file.binary_size, 0);
    assert_has_not(file.json, "buffers");
    free_glb(&file);
    assert_int_equal(mst_scene_write_glb(NULL, NULL, (mst_sink){0}, NULL), MST_ARGUMENT);
    mst_buffer memory = {0};
    assert_int_equal(
        mst_scene_write_gltf(&scene, NULL, "x.bin", mst_buffer_sink(&memory), (mst_sink){0}, NULL),
        MST_ARGUMENT);
    mst_buffer_free(&memory);
}

/* ---- JSON with the binary part next to it or in it ---- */

static int digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = c ? strchr(digits, c) : NULL;
    return place ? (int)(place - digits) : -1;
}

static void json_with_its_binary_part(void **state) {
    (void)state;
    mst_scene *scene = full_scene();
    glb file = write_glb(scene, NULL, "full.glb");
    mst_buffer json = {0}, binary = {0};
    assert_int_equal(mst_scene_write_gltf(scene, NULL, "ein Level 100%.bin", mst_buffer_sink(&json),
                                          mst_buffer_sink(&binary), NULL),
                     MST_OK);
    keep("full.gltf", &json);
    keep("ein Level 100%.bin", &binary);
    assert_int_equal(binary.size, file.binary_size);
    assert_memory_equal(binary.data, file.binary, binary.size);
    static const char uri[] = ",\"uri\":\"ein%20Level%20100%25.bin\"}]}\n";
    assert_true(json.size > sizeof uri);
    assert_memory_equal(json.data + json.size - (sizeof uri - 1), uri, sizeof uri - 1);
    mst_buffer_free(&json);
    mst_buffer_free(&binary);

    assert_int_equal(mst_scene_write_gltf(scene, NULL, NULL, mst_buffer_sink(&json), (mst_sink){0}, NULL),
                     MST_OK);
    keep("embedded.gltf", &json);
    static const char start[] = "data:application/octet-stream;base64,";
    size_t at = 0, length = 0;
    while (memcmp(json.data + at, start, sizeof start - 1) != 0)
        at++;
    at += sizeof start - 1;
    uint32_t bits = 0;
    for (size_t i = at; json.data[i] != '"' && json.data[i] != '='; i++) {
        bits = bits << 6 | (uint32_t)digit_of((char)json.data[i]);
        if ((i - at) % 4) {
            assert_true(length < file.binary_size);
            assert_int_equal(bits >> (6 - 2 * ((i - at) % 4)) & 255, file.binary[length]);
            length++;
        }
    }
    assert_int_equal(length, file.binary_size);
    mst_buffer_free(&json);
    free_glb(&file);
    mst_scene_free(scene);
}

/* ---- a sink that fails ---- */

static mst_status full_disk(void *user, const void *data, size_t size) {
    size_t *left = user;
    (void)data;
    if (size > *left)
        return MST_IO;
    *left -= size;
    return MST_OK;
}

static void test_failing_sink(void **state) {
    (void)state;
    mst_scene *scene = full_scene();
    for (size_t capacity = 0; capacity < 9000; capacity += 1000) {
        size_t left = capacity, other = capacity;
        mst_sink sink = {full_disk, &left}, beside = {full_disk, &other};
        mst_diagnostic diagnostic;
        assert_int_equal(mst_scene_write_glb(scene, NULL, sink, &diagnostic), MST_IO);
        assert_int_equal(diagnostic.status, MST_IO);
        left = capacity;
        assert_int_equal(mst_scene_write_gltf(scene, NULL, NULL, sink, (mst_sink){0}, &diagnostic), MST_IO);
        left = 1000000;
        other = 10;
        assert_int_equal(mst_scene_write_gltf(scene, NULL, "b", sink, beside, &diagnostic), MST_IO);
    }
    mst_scene_free(scene);
}

int test_gltf(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_lights),
        cmocka_unit_test(test_repairs),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_index_width),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(json_with_its_binary_part),
        cmocka_unit_test(test_failing_sink),
        cmocka_unit_test(test_brightest_lights),
        cmocka_unit_test(test_number_of_lights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
