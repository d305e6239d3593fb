/* SPDX-License-Identifier: MIT */
/* Scenes of Alien Trilogy: geometry, light, and faulty data. */
#include "../src/scene/geometry.h"
#include "alien_scene.h"

/* ---- small helpers ----------------------------------------------------------------------------- */

/* Texture coordinates in pixels of a page of 256. */
static void check_texel(const mst_scene *scene, double x, double y, double z, const double normal[3],
                        double u, double v) {
    corner c = the_corner(scene, x, y, z, normal);
    assert_near((double)c.texcoord[0] * 256, u);
    assert_near((double)c.texcoord[1] * 256, v);
}

/* ---- geometry ---------------------------------------------------------------------------------- */

static void test_texture_corners(void **state) {
    (void)state;
    fixture f = begin();
    for (int big = 0; big < 2; big++) {
        mst_scene *scene = scene_of(f.level, big != 0, &f.textures);
        assert_int_equal(check_scene(scene, "geometry"), 13); /* six quads, one triangle */
        assert_string_equal(text_of(&scene->extras, "textures"), "111GFX.BIN");
        assert_null(extra_of(&scene->extras, "faces_not_shown"));
        /* texture 0 is 32 x 32 at (0, 0) */
        check_texel(scene, -512, 0, 256, up, 0, 32);
        check_texel(scene, 0, 0, 256, up, 32, 32);
        check_texel(scene, 0, 0, -256, up, 32, 0);
        check_texel(scene, -512, 0, -256, up, 0, 0);
        /* texture 1 is 32 x 16 at (32, 0); the ceiling begins at the opposite side */
        check_texel(scene, -512, 1024, -256, down, 32, 16);
        check_texel(scene, 0, 1024, 256, down, 64, 0);
        /* texture 2 is 8 x 8 at (64, 8): the wall that faces +X */
        check_texel(scene, -512, 0, 256, east, 64, 16);
        check_texel(scene, -512, 0, -256, east, 72, 16);
        check_texel(scene, -512, 1024, -256, east, 72, 8);
        check_texel(scene, -512, 1024, 256, east, 64, 8);
        /* texture 3 is 64 x 32 at (0, 64), mirrored */
        check_texel(scene, 0, 128, 256, up, 64, 96);
        check_texel(scene, 512, 128, 256, up, 0, 96);
        check_texel(scene, 512, 128, -256, up, 0, 64);
        check_texel(scene, 0, 128, -256, up, 64, 64);
        /* a triangle has corners 0, 2 and 3 of texture 2 */
        check_texel(scene, 0, 128, -256, south, 64, 16);
        check_texel(scene, 512, 128, -256, south, 72, 8);
        check_texel(scene, 512, 1024, -256, south, 64, 8);
        /* the panel shows the first texture of program 1, which is 3 */
        check_texel(scene, 512, 128, -256, west, 0, 96);
        check_texel(scene, 512, 640, 256, west, 64, 64);
        mst_scene_free(scene);
    }
    end(&f);
}

static void test_triangle_flags(void **state) {
    (void)state;
    static const struct {
        uint8_t flags;
        double u, v; /* of the triangle's second corner */
    } cases[] = {{0, 72, 16}, {1, 72, 8}, {5, 72, 8}, {13, 72, 8}, {2, 64, 16}, {4, 72, 16}};
    fixture f = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f.level->quads[5].draw_flags = cases[i].flags;
        mst_scene *scene = scene_of(f.level, false, &f.textures);
        check_texel(scene, 512, 128, -256, south, cases[i].u, cases[i].v);
        mst_scene_free(scene);
    }
    end(&f);
}

static void test_materials(void **state) {
    (void)state;
    fixture f = begin();
    f.level->quads[1].draw_flags = 3;
    f.level->quads[2].draw_flags = 4;
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    /* index 0 is at the upper left corner of texture 0, and not in the others */
    corner c = the_corner(scene, -512, 0, 256, up);
    assert_string_equal(c.material->name, "page_0_holes");
    assert_int_equal(c.material->alpha_mode, MST_ALPHA_MASK);
    assert_near((double)c.material->alpha_cutoff, 0.5);
    assert_true(c.material->unlit && c.material->nearest && !c.material->double_sided);
    for (int i = 0; i < 4; i++)
        assert_near((double)c.material->color[i], 1);
    const mst_pixels *image = &scene->images[c.material->image].pixels;
    assert_int_equal(image->width, 256);
    assert_int_equal(image->height, 256);
    /* pixel (5, 2) has index 11: red 11, green 1, blue 3 of 31, five bits as eight */
    static const uint8_t expected[4] = {90, 8, 24, 255};
    assert_memory_equal(image->data + 4 * (2 * 256 + 5), expected, 4);
    /* the hole does not have the palette's magenta, but a colour of its surroundings */
    for (int k = 0; k < 3; k++) {
        const uint8_t *right = image->data + 4, *below = image->data + 1024;
        assert_int_equal(image->data[k], (right[k] + below[k] + below[4 + k] + 1) / 3);
    }
    assert_int_equal(image->data[3], 0);
    c = the_corner(scene, -512, 1024, -256, down);
    assert_string_equal(c.material->name, "page_0_double_sided");
    assert_true(c.material->double_sided);
    assert_int_equal(c.material->alpha_mode, MST_ALPHA_OPAQUE);
    c = the_corner(scene, -512, 0, 256, east);
    assert_string_equal(c.material->name, "page_0_double_sided");
    c = the_corner(scene, 0, 128, 256, up);
    assert_string_equal(c.material->name, "page_1");
    assert_false(c.material->double_sided);
    mst_scene_free(scene);
    end(&f);
}

/* sRGB to linear, from the standard. */
static double linear(double srgb) {
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static void test_light(void **state) {
    (void)state;
    /* the largest part of each colour */
    static const double off = 96 / 255.0, on = 255 / 255.0, others = 128 / 255.0;
    fixture f = begin();
    for (int lit = 0; lit < 2; lit++) {
        f.level->lights[2].is_on = (uint8_t)(lit ? 3 : 0);
        mst_scene *scene = scene_of(f.level, lit != 0, &f.textures);
        corner wall = the_corner(scene, -512, 0, 256, east), floor = the_corner(scene, -512, 0, 256, up);
        for (int i = 0; i < 3; i++) {
            assert_near((double)wall.color[i], linear(lit ? on : off));
            assert_near((double)floor.color[i], linear(others));
        }
        assert_near((double)wall.color[3], 1);
        mst_scene_free(scene);
    }
    /* a missing light */
    f.level->light_count = 2;
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    assert_near((double)the_corner(scene, -512, 0, 256, east).color[0], 1);
    mst_scene_free(scene);
    end(&f);
}

static void test_bounds(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    assert_near(scene->unit_metres, 1 / 256.0);
    assert_string_equal(scene->format, "alien-map");
    assert_string_equal(scene->name, "L111 Entrance");
    /* the collision: floors and ceilings of both open cells, up and down */
    const mst_node *node = named_node(scene, "Collision");
    assert_int_equal(node->role, MST_ROLE_COLLISION);
    assert_string_equal(node->layer, "collision");
    const mst_primitive *p = scene->meshes[node->mesh].primitives;
    assert_int_equal(p->vertex_count, 16);
    assert_int_equal(p->index_count, 24);
    double sums[2] = {0, 0}; /* twice the areas of surfaces that face up and down */
    for (uint32_t i = 0; i < p->index_count; i += 3) {
        double normal[3];
        mst_polygon_normal(p->positions, p->indices + i, 3, normal);
        sums[normal[1] < 0] += normal[1];
        assert_near(normal[0], 0);
        double y = (double)p->positions[3 * p->indices[i] + 1];
        assert_true(normal[1] > 0 ? y == 0 || y == 128 : y == 1024);
    }
    assert_near(sums[0], 2 * 2 * 512.0 * 512.0);
    assert_near(sums[1], -2 * 2 * 512.0 * 512.0);
    mst_bounds b = mst_scene_bounds(scene, 1u << MST_ROLE_COLLISION);
    assert_near((double)b.minimum[0], -2);
    assert_near((double)b.maximum[0], 2);
    assert_near((double)b.minimum[1], 0);
    assert_near((double)b.maximum[1], 4);
    assert_near((double)b.minimum[2], -1);
    assert_near((double)b.maximum[2], 1);
    mst_scene_free(scene);
    end(&f);
}

/* ---- faulty data ------------------------------------------------------------------------------- */

static void test_bad_faces(void **state) {
    (void)state;
    fixture f = begin();
    f.level->quads[0].vertices[2] = f.level->vertex_count;
    f.level->quads[1].vertices[0] = -1;
    f.level->quads[2].vertices[1] = f.level->quads[2].vertices[0]; /* no area: not reported */
    f.level->quads[3].texture = 5;                                 /* there are five */
    f.level->quads[4].texture = 0xFFFF;
    f.level->quads[6].texture = 900; /* a missing animator: texture 900 */
    f.level->models[0].quads[0].vertices[0] = 1000;
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    check_scene(scene, "geometry");
    assert_int_equal(integer_of(&scene->extras, "faces_not_shown"), 3);
    corner c;
    static const double gone[3] = {-512, 0, 256};
    assert_false(find_corner(scene, gone, up, &c));
    assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "texture_5");
    assert_string_equal(the_corner(scene, 0, 1024, 256, down).material->name, "texture_65535");
    assert_string_equal(the_corner(scene, 512, 128, 256, west).material->name, "texture_900");
    assert_int_equal(node_of(scene, "door")->role, MST_ROLE_ENTITY); /* with a marker instead */
    assert_true(node_of(scene, "door")->mesh >= 0);
    mst_scene_free(scene);

    /* an invalid level, and an empty one */
    f.level->no_map = true;
    f.level->model_count = 0;
    scene = scene_of(f.level, false, NULL);
    assert_int_equal(scene->node_count, 1);
    mst_scene_free(scene);
    memset(f.level, 0, sizeof *f.level);
    scene = scene_of(f.level, true, NULL);
    check_scene(scene, "");
    mst_scene_free(scene);
    /* things outside the grid are at height 0 */
    alien_small(f.level);
    f.level->monsters[0].x = 200;
    f.level->start_y = 60000;
    f.level->doors[0].model = 9;
    scene = scene_of(f.level, false, NULL);
    assert_near((double)node_of(scene, "face_hugger")->translation[0], (200 - 2) * 512 + 256);
    assert_near((double)node_of(scene, "face_hugger")->translation[1], 0);
    assert_true(node_of(scene, "door")->mesh >= 0);
    mst_scene_free(scene);
    end(&f);
}

static void test_without_textures(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    assert_string_equal(text_of(&scene->extras, "textures"), "not found");
    check_texel(scene, -512, 0, 256, up, 0, 256);
    check_texel(scene, 0, 0, -256, up, 256, 0);
    check_texel(scene, 0, 128, 256, up, 256, 256); /* mirrored */
    corner c = the_corner(scene, 0, 128, 256, up);
    assert_string_equal(c.material->name, "texture_3");
    assert_string_equal(scene->images[c.material->image].name, "placeholder");
    assert_true(c.material->unlit);
    mst_scene_free(scene);
    end(&f);
}

static void test_sidecars(void **state) {
    (void)state;
    fixture f = begin();
    writer level = {0}, textures = {0};
    write_alien_level(&level, f.level, false);
    write_alien_textures(&textures, &f.textures, false);
    one_file file = {"111GFX.B16", textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(level.data, level.size, "l111lev.map", &options);
    assert_string_equal(text_of(&scene->extras, "textures"), "111GFX.B16");
    assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "page_1");
    mst_scene_free(scene);
    /* truncated, of another kind, or empty: reported, and shown without it */
    file.name = "111GFX.BIN";
    for (int i = 0; i < 3; i++) {
        file.bytes = i == 1 ? level.data : textures.data;
        file.size = i == 0 ? textures.size / 2 : i == 1 ? level.size : 0;
        scene = scene_of_bytes(level.data, level.size, "L111LEV.MAP", &options);
        assert_true(strncmp(text_of(&scene->extras, "textures"), "damaged: 111GFX.BIN: ", 21) == 0);
        assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "texture_3");
        mst_scene_free(scene);
    }
    /* a page without a palette is shown in greys */
    writer_free(&textures);
    f.textures.pages[1].no_palette = true;
    write_alien_textures(&textures, &f.textures, true);
    file.bytes = textures.data;
    file.size = textures.size;
    scene = scene_of_bytes(level.data, level.size, "L111LEV.MAP", &options);
    assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "page_1");
    assert_string_equal(the_corner(scene, -512, 0, 256, east).material->name, "page_0");
    mst_scene_free(scene);
    /* a name that is not a level's: nothing is looked for */
    file.asked = 0;
    scene = scene_of_bytes(level.data, level.size, "edited level.map", &options);
    assert_int_equal(file.asked, 0);
    assert_string_equal(scene->name, "edited level");
    assert_string_equal(text_of(&scene->extras, "textures"), "not found");
    mst_scene_free(scene);
    writer_free(&level);
    writer_free(&textures);
    end(&f);
}

static void test_memory(void **state) {
    (void)state;
    fixture f = begin();
    writer level = {0}, textures = {0};
    f.textures.page_count = 1;
    free(f.textures.pages[1].pixels);
    f.textures.pages[1].pixels = NULL;
    write_alien_level(&level, f.level, false);
    write_alien_textures(&textures, &f.textures, false);
    mst_document *document = open_as(level.data, level.size, NULL, "L111LEV.MAP");
    one_file file = {"111GFX.BIN", textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    counted c = {0};
    mst_scene_options options = {
        .size = sizeof options, .sidecars = &resolver, .allocator = counted_allocator(&c)};
    bool failed = true;
    for (size_t call = 1; failed && call < 10000; call++) {
        mst_scene *scene = NULL;
        mst_diagnostic why;
        c = (counted){.fail_at = call, .for_good = true};
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        failed = c.failed;
        if (status == MST_OK)
            mst_scene_free(scene);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        assert_int_equal(c.blocks, 0);
        assert_int_equal(c.bytes, 0);
        assert_false(c.wrong);
    }
    assert_false(failed);
    /* a budget that is too small */
    c = (counted){0};
    options.budget = 4096;
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_from_document(document, &options, &scene, NULL), MST_NO_MEMORY);
    assert_int_equal(c.blocks, 0);
    mst_close(document);
    writer_free(&level);
    writer_free(&textures);
    end(&f);
}

/* Bytes of a level and of its textures changed at random: at worst a failure. */
static void test_damaged(void **state) {
    (void)state;
    fixture f = begin();
    writer level = {0}, textures = {0};
    write_alien_level(&level, f.level, false);
    write_alien_textures(&textures, &f.textures, false);
    uint8_t *copy = malloc(level.size), *pages = malloc(textures.size);
    assert_non_null(copy);
    assert_non_null(pages);
    random_state r = {7};
    for (int round = 0; round < 400; round++) {
        memcpy(copy, level.data, level.size);
        memcpy(pages, textures.data, textures.size);
        for (int i = 0; i < 12; i++) {
            copy[random_next(&r) % level.size] = (uint8_t)random_next(&r);
            pages[random_next(&r) % (i % 2 ? 44u : (uint32_t)textures.size)] = (uint8_t)random_next(&r);
        }
        one_file file = {"111GFX.BIN", pages, textures.size, 0};
        mst_resolver resolver = {.find = find_one, .user = &file};
        mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
        mst_open_options how = {.size = sizeof how, .name = "L111LEV.MAP"};
        mst_document *document;
        mst_scene *scene;
        if (mst_open_memory(copy, level.size, &how, &document, NULL) != MST_OK)
            continue;
        if (mst_scene_from_document(document, &options, &scene, NULL) == MST_OK) {
            check_scene(scene, "");
            mst_scene_free(scene);
        }
        mst_close(document);
    }
    free(copy);
    free(pages);
    writer_free(&level);
    writer_free(&textures);
    end(&f);
}

int test_alien_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texture_corners),  cmocka_unit_test(test_triangle_flags),
        cmocka_unit_test(test_materials),        cmocka_unit_test(test_light),
        cmocka_unit_test(test_bounds),           cmocka_unit_test(test_bad_faces),
        cmocka_unit_test(test_without_textures), cmocka_unit_test(test_sidecars),
        cmocka_unit_test(test_memory),           cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
