/* SPDX-License-Identifier: MIT */
/* Scenes of sectors whose pictures and models were found: from the game's camera, a rectangle covers its
 * picture's pixels, at their depths. */
#include "refusing.h"
#include "revenant_game.h"

#include "revenant_body.h"
#include <mapstone/scene.h>
#include <math.h>

enum { GHOUL = 0x40, SMOKE };
static const char more_def[] = "CLASS \"CHARACTER\"\nBEGIN\nTYPES\nBEGIN\n"
                               "\"Ghoul\" \"ghoul.i3d\" 0x40 {} {}\nEND\nEND\n"
                               "CLASS \"EFFECT\"\nBEGIN\nTYPES\nBEGIN\n"
                               "\"Smoke\" \"ghoul.i3d\" 0x41 {} {}\nEND\nEND\n";

static game game_with_model(void) {
    game g = small_game();
    put_bytes_of(&g.files[0], more_def, sizeof more_def - 1);
    body b = old_body(0);
    writer w = file_of(&b);
    add_file(&g, "IMAGERY/ghoul.i3d", w);
    free(b.data);
    return g;
}

static mst_scene *scene_of(const sector_object *objects, size_t count, const mst_scene_options *with) {
    game g = game_with_model();
    const mst_resolver resolver = {.find = find_file, .user = &g};
    mst_scene_options how = with ? *with : (mst_scene_options){.size = sizeof(mst_scene_options)};
    writer w;
    mst_document *document = open_objects(objects, count, &w);
    mst_scene *scene;
    mst_diagnostic why;
    how.sidecars = &resolver;
    MUST(mst_scene_from_document(document, &how, &scene, &why), &why);
    mst_close(document);
    writer_free(&w);
    game_free(&g);
    return scene;
}

/* The object's node is 2: the root and the sector precede it. */
#define OBJECT 2

static const mst_primitive *rectangle_of(const mst_scene *scene) {
    int32_t mesh = scene->nodes[OBJECT].mesh;
    assert_true(mesh >= 0);
    const mst_primitive *rectangle = scene->meshes[mesh].primitives;
    assert_int_equal(rectangle->vertex_count, 4);
    return rectangle;
}

/* The projection of a corner in the game, relative to the object's own place: pixels, and a depth. */
static void project(const mst_primitive *rectangle, unsigned corner, double seen[3]) {
    const float *p = rectangle->positions + 3 * (size_t)corner;
    seen[0] = (double)p[0] - p[2];
    seen[1] = ((double)p[0] + p[2]) / 2 - p[1] * 0.867;
    seen[2] = -((double)p[0] + p[2]) * 0.867 - p[1] / 2.0;
}

/* Whether it covers 2 x 2 pixels: corners are the picture's, upper left, lower left, ... */
static void assert_covers(const mst_primitive *rectangle, bool mirrored, const double depths[4]) {
    for (unsigned i = 0; i < 4; i++) {
        double seen[3], x = i > 1 ? 2 : 0, y = i == 1 || i == 2 ? 2 : 0;
        project(rectangle, i, seen);
        assert_true(fabs(seen[0] - (x - REGISTERED_X)) < 1e-4);
        assert_true(fabs(seen[1] - (y - REGISTERED_Y)) < 1e-4);
        if (fabs(seen[2] - depths[i]) > 1e-3)
            print_message("corner %u has depth %f\n", i, seen[2]);
        assert_true(fabs(seen[2] - depths[i]) < 1e-3);
        assert_true(rectangle->texcoords[2 * i] == ((i > 1) != mirrored ? 1 : 0));
        assert_true(rectangle->texcoords[2 * i + 1] == (i == 1 || i == 2 ? 1 : 0));
    }
}

static void pictures(void **state) {
    (void)state;
    sector_object one = thing(FLOOR, 0);
    one.facing = 64; /* pictures do not rotate */
    one.rotation[2] = 64;
    mst_scene *scene = scene_of(&one, 1, NULL);
    const mst_node *node = &scene->nodes[OBJECT];
    assert_int_equal(scene->symbolic, 0);
    assert_int_equal(scene->pictured, 1);
    assert_true(node->rotation[1] == 0 && node->rotation[3] == 1);
    assert_true(node->translation[0] == SECTOR_X * 1024 + X && node->translation[2] == SECTOR_Y * 1024 + Y);
    const mst_primitive *rectangle = rectangle_of(scene);
    const mst_material *material = &scene->materials[rectangle->material];
    assert_int_equal(material->alpha_mode, MST_ALPHA_MASK);
    assert_int_equal(material->unlit, 1);
    const mst_pixels *pixels = &scene->images[material->image].pixels;
    assert_int_equal(pixels->width, 2);
    assert_int_equal(pixels->data[3], 255);
    assert_int_equal(pixels->data[4 * 2 + 3], 0); /* pixels without depth are not drawn */
    /* depths 10 and 10 above, 20 below on the right: the slope along the two columns is uncertain within
     * that; it falls by 10 where the ground falls by at most 1.734 */
    double seen[3];
    project(rectangle, 0, seen);
    assert_true(fabs(seen[0] + REGISTERED_X) < 1e-4 && fabs(seen[1] + REGISTERED_Y) < 1e-4);
    mst_scene_free(scene);
}

static void flat_ones(void **state) {
    (void)state;
    /* without depths: at the object's depth */
    sector_object near = thing(NEAR, 0), ghost = thing(GHOST, 0), glow = thing(GLOW, 0);
    static const double own[4] = {0, 0, 0, 0};
    mst_scene *scene = scene_of(&near, 1, NULL);
    assert_covers(rectangle_of(scene), false, own);
    mst_scene_free(scene);
    near.flags |= 0x200;
    scene = scene_of(&near, 1, NULL);
    assert_covers(rectangle_of(scene), true, own);
    mst_scene_free(scene);
    scene = scene_of(&glow, 1, NULL);
    assert_covers(rectangle_of(scene), false, own);
    mst_scene_free(scene);
    /* a shadow is on the ground, or slightly above it */
    scene = scene_of(&ghost, 1, NULL);
    const mst_primitive *rectangle = rectangle_of(scene);
    for (unsigned i = 0; i < 4; i++)
        assert_true(fabs(rectangle->positions[3 * i + 1] - 1.0) < 1e-4);
    const mst_material *material = &scene->materials[rectangle->material];
    assert_int_equal(material->alpha_mode, MST_ALPHA_BLEND);
    assert_int_equal(scene->images[material->image].pixels.data[3], 255);
    assert_int_equal(scene->images[material->image].pixels.data[4 + 3], 16 * 255 / 31);
    mst_scene_free(scene);
}

/* Depths of a plane equal the rectangle's. */
static void planes(void **state) {
    (void)state;
    /* index 0 at depth 3 on the left, nothing on the right: one column has no slope across */
    sector_object plain = thing(PLAIN, 0);
    mst_scene *scene = scene_of(&plain, 1, NULL);
    static const double depths[4] = {3 - REGISTERED_Z, 3 - REGISTERED_Z, 3 - REGISTERED_Z, 3 - REGISTERED_Z};
    assert_covers(rectangle_of(scene), false, depths);
    mst_scene_free(scene);
}

static void models(void **state) {
    (void)state;
    sector_object ghoul = sector_thing(SECTOR_CHARACTER, SECTOR_IMMOBILE, ""), smoke = ghoul;
    ghoul.unique_id = GHOUL;
    ghoul.facing = ghoul.rotation[2] = 64;
    mst_scene *scene = scene_of(&ghoul, 1, NULL);
    const mst_node *node = &scene->nodes[OBJECT];
    assert_true(node->mesh >= 0);
    assert_int_equal(scene->meshes[node->mesh].primitive_count, 2);
    assert_true(fabs(node->rotation[1] + 0.70710678) < 1e-6); /* it rotates */
    assert_int_equal(scene->image_count, 1);
    mst_scene_free(scene);
    const mst_scene_options plain = {.size = sizeof plain, .no_textures = 1};
    scene = scene_of(&ghoul, 1, &plain);
    assert_int_equal(scene->meshes[scene->nodes[OBJECT].mesh].primitive_count, 2);
    assert_int_equal(scene->image_count, 0);
    mst_scene_free(scene);
    smoke.class_number = SECTOR_EFFECT;
    smoke.unique_id = SMOKE;
    scene = scene_of(&smoke, 1, NULL);
    assert_int_equal(scene->symbolic, 1);
    mst_scene_free(scene);
}

/* Objects that are invisible or not found are boxes or flat rectangles as without the files. */
static void placeholders(void **state) {
    (void)state;
    sector_object objects[] = {thing(FLOOR, 0x80), thing(LOST, 0),  thing(PAIR, 0), thing(NO_FILE, 0),
                               thing(77, 0),       thing(FLOOR, 0), thing(SPARK, 0)};
    objects[2].state = 2; /* there are two */
    objects[5].state = 9;
    for (size_t i = 0; i < 7; i++) {
        mst_scene *scene = scene_of(&objects[i], 1, NULL);
        bool spark = i == 6;
        assert_int_equal(scene->symbolic, !spark);
        assert_true(scene->nodes[OBJECT].mesh >= 0);
        mst_scene_free(scene);
    }
    const mst_scene_options options[] = {{.size = sizeof options[0], .no_assets = 1},
                                         {.size = sizeof options[0], .no_textures = 1}};
    sector_object floor = thing(FLOOR, 0);
    for (size_t i = 0; i < 2; i++) {
        mst_scene *scene = scene_of(&floor, 1, &options[i]);
        assert_int_equal(scene->image_count, 0);
        assert_int_equal(scene->symbolic, 1);
        mst_scene_free(scene);
    }
    /* a picture is stored once, however often and by whatever type it is shown */
    const sector_object many[] = {thing(FLOOR, 0), thing(FLOOR, 0), thing(OTHER_FLOOR, 0),
                                  thing(FLOOR, 0x200)};
    mst_scene *scene = scene_of(many, 4, NULL);
    assert_int_equal(scene->nodes[OBJECT].mesh, scene->nodes[OBJECT + 1].mesh);
    assert_int_equal(scene->nodes[OBJECT].mesh, scene->nodes[OBJECT + 2].mesh);
    assert_int_not_equal(scene->nodes[OBJECT].mesh, scene->nodes[OBJECT + 3].mesh);
    mst_scene_free(scene);
}

static void memory_ends(void **state) {
    (void)state;
    sector_object objects[] = {thing(FLOOR, 0), thing(GHOST, 0), thing(GHOUL, 0)};
    game g = game_with_model();
    const mst_resolver resolver = {.find = find_file, .user = &g};
    writer w;
    mst_document *document = open_objects(objects, 3, &w);
    mst_status status = MST_NO_MEMORY;
    for (int limit = 0; status != MST_OK; limit++) {
        int left = limit;
        mst_scene *scene;
        mst_diagnostic why;
        const mst_scene_options options = {
            .size = sizeof options, .allocator = {no_memory, &left}, .sidecars = &resolver};
        status = mst_scene_from_document(document, &options, &scene, &why);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_scene_free(scene);
        assert_true(limit < 1000);
    }
    mst_close(document);
    writer_free(&w);
    game_free(&g);
}

int test_revenant_looks(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures),     cmocka_unit_test(flat_ones),
                                       cmocka_unit_test(planes),       cmocka_unit_test(models),
                                       cmocka_unit_test(placeholders), cmocka_unit_test(memory_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
