/* SPDX-License-Identifier: MIT */
/* The scene of a small Turok level: floors, walls, things, sun, map. */
#include "turok_level.h"
#include <mapstone/picture.h>

/* ---- the small level --------------------------------------------------------------------------- */

static void test_root(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_node *root = &scene->nodes[0];
    ASSERT_REALS(root->rotation, -0.70710678, 0, 0, 0.70710678);
    ASSERT_REALS(root->scale, 1 / UNITS, 1 / UNITS, 1 / UNITS);
    assert_true(fabs(scene->unit_metres * UNITS - 1) < 1e-6);
    assert_string_equal(scene->name, "small");
    assert_string_equal(scene->format, "turok-map");
    assert_string_equal(extra_of(&scene->extras, "sky_material")->text, "skies/skyMaterials/x");
    assert_true(extra_of(&scene->extras, "ambient_color_0")->real == 0.25);
    /* the right way up and not mirrored: east stays, north is -Z, up is Y */
    float world[3];
    to_world(scene, "area_0001", (const float[3]){384, 192, 38.4F}, false, world);
    ASSERT_REALS(world, 10, 1, -5);
    mst_scene_free(scene);
}

static void test_floors(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_mesh *south = mesh_of(scene, "area_0000"), *north = mesh_of(scene, "area_0001"),
                   *ceiling = mesh_of(scene, "ceiling"), *water = mesh_of(scene, "water");
    assert_int_equal(south->primitive_count, 1);
    assert_int_equal(south->primitives->vertex_count, 3);
    ASSERT_REALS(south->primitives->positions, 0, 0, 0, 384, 0, 0, 384, 192, 0);
    ASSERT_REALS(south->primitives->normals, 0, 0, 1);
    assert_string_equal(scene->materials[south->primitives->material].name, "event");
    ASSERT_REALS(north->primitives->positions, 0, 0, 0, 384, 192, 0, 0, 768, 38.4F);
    assert_string_equal(scene->materials[north->primitives->material].name, "water");
    assert_string_equal(scene->materials[mesh_of(scene, "area_0002")->primitives->material].name, "wall");
    ASSERT_REALS(ceiling->primitives->positions, 0, 768, 115.2F, 384, 192, 76.8F, 0, 0, 0);
    assert_int_equal(ceiling->primitives->vertex_count, 3);
    ASSERT_REALS(water->primitives->positions, 0, 0, 19.2F, 384, 192, 19.2F, 0, 768, 19.2F);
    ASSERT_REALS(water->primitives->normals, 0, 0, 1);
    const mst_material *blue = &scene->materials[water->primitives->material];
    ASSERT_REALS(blue->color, 0, 1, 0.2158605, 127 / 255.0);
    assert_int_equal(blue->alpha_mode, MST_ALPHA_BLEND);

    const mst_node *area = node_named(scene, "area_0001");
    assert_string_equal(area->layer, "floor");
    assert_int_equal(area->role, MST_ROLE_GEOMETRY);
    assert_string_equal(text_of(area, "sectors"), "1");
    assert_string_equal(text_of(area, "flags_names"), "water ceiling draw_sky");
    assert_string_equal(text_of(area, "automap_color_name"), "brown");
    assert_int_equal(extra_of(&area->extras, "arguments_3")->integer, 3);
    assert_outward(scene);
    mst_scene_free(scene);
}

/* Walls are over solid edges and face their sector, in either numbering of links. */
static void test_walls(void **state) {
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        small_level l = {.short_sectors = variant > 0, .turned_links = variant == 2};
        mst_scene *scene = scene_of(&l);
        const mst_primitive *walls = mesh_of(scene, "walls")->primitives;
        assert_int_equal(walls->vertex_count, (2 + 2 + 3) * 6);
        assert_outward(scene);
        /* each of the south's and the north's solid edges, in either order */
        static const double wanted[4][2][3] = {{{0, 0, 0}, {384, 0, 0}},
                                               {{384, 0, 0}, {384, 192, 0}},
                                               {{384, 192, 0}, {0, 768, 38.4F}},
                                               {{0, 768, 38.4F}, {0, 0, 0}}};
        for (int k = 0; k < 4; k++) {
            bool found = false;
            for (uint32_t i = 0; i < 24; i += 6) {
                const float *p = walls->positions + i * 3; /* b, a, a', b, a', b' */
                bool same = true;
                for (int c = 0; c < 3; c++)
                    same = same && (double)p[3 + c] == wanted[k][0][c] && (double)p[c] == wanted[k][1][c];
                if (!same)
                    continue;
                found = true;
                double heights[2] = {k < 2    ? 71.68
                                     : k == 2 ? 76.8
                                              : 115.2,
                                     k < 2    ? 71.68
                                     : k == 2 ? 115.2
                                              : 0};
                ASSERT_REALS(p + 6, wanted[k][0][0], wanted[k][0][1], heights[0]);
                ASSERT_REALS(p + 15, wanted[k][1][0], wanted[k][1][1], heights[1]);
            }
            assert_true(found);
        }
        /* the southern wall is seen from the north */
        assert_true(walls->normals[1] == 1 || variant == 2);
        mst_scene_free(scene);
    }
}

static void test_things(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_node *mesh = node_named(scene, "mesh_0_0"), *box = node_named(scene, "box_0_0");
    ASSERT_REALS(mesh->translation, 100, 60, 5);
    ASSERT_REALS(mesh->rotation, 0, 0, 0, -1);
    ASSERT_REALS(mesh->scale, 0.35F, 0.35F, 0.7F);
    assert_int_equal(mesh->mesh, -1);
    assert_string_equal(text_of(mesh, "model"), "models/stone.bin");
    assert_string_equal(text_of(mesh, "flags_names"), "collide no_draw_camera");
    ASSERT_REALS(box->translation, 100, 60, 25);
    ASSERT_REALS(box->scale, 60, 40, 40);
    assert_int_equal(box->role, MST_ROLE_HELPER);

    const mst_node *player = node_named(scene, "actor_0"), *unknown = node_named(scene, "actor_1"),
                   *coin = node_named(scene, "actor_2");
    assert_int_equal(player->role, MST_ROLE_ENTITY);
    assert_string_equal(player->class_name, "turok");
    assert_string_equal(unknown->class_name, "type_12345");
    assert_string_equal(coin->class_name, "pickup_coin1");
    assert_string_equal(unknown->tag, "2");
    assert_string_equal(coin->tag, "7");
    assert_string_equal(player->tag, ""); /* nothing acts on it, and it acts on nothing */
    ASSERT_REALS(player->rotation, 0, 0, 0.70710678, 0.70710678);
    ASSERT_REALS(player->scale, 0.5, 0.5, 0.5);
    assert_string_equal(text_of(player, "spawn_flags_1_names"), "solid snap_to_floor");
    assert_string_equal(text_of(player, "spawn_flags_3_names"), "return_warp bit_12");
    assert_string_equal(text_of(player, "animation"), "anims/a_anim.bin");
    assert_int_equal(extra_of(&coin->extras, "target_tid")->integer, -1);
    /* a box of the same model is the same mesh; objects without a box have none */
    assert_int_equal(node_named(scene, "actor_box_0")->mesh, box->mesh);
    assert_int_not_equal(node_named(scene, "actor_box_2")->mesh, box->mesh);
    assert_int_equal(find_node(scene, "actor_box_1"), -1);
    /* as large as the model, which is scaled: 40 by 40 by 80 at half the size */
    ASSERT_REALS(node_named(scene, "actor_box_0")->translation, 192, 38.4F, 20);
    ASSERT_REALS(node_named(scene, "actor_box_0")->scale, 20, 20, 40);

    /* a quarter turn counter-clockwise: it looks west, from 0.9 of its height */
    assert_int_equal(scene->camera_count, 1);
    assert_int_equal(node_named(scene, "start_0")->role, MST_ROLE_CAMERA);
    float point[3];
    to_world(scene, "start_0", (const float[3]){0, 0, -(float)UNITS}, true, point);
    ASSERT_REALS(point, -1, 0, 0);
    to_world(scene, "start_0", (const float[3]){0, (float)UNITS, 0}, true, point);
    ASSERT_REALS(point, 0, 1, 0);
    to_world(scene, "start_0", (const float[3]){0, 0, 0}, false, point);
    ASSERT_REALS(point, 5, 1.68, -1);
    /* one outline */
    const mst_primitive *grid = mesh_of(scene, "cells")->primitives;
    assert_int_equal(grid->vertex_count, 4 * 6);
    ASSERT_REALS(grid->positions, 59.76F, 29.76F, 0);
    mst_scene_free(scene);
}

/* A mod's definitions name otherwise unknown types. */
static void test_actor_names(void **state) {
    (void)state;
    char text[] = "Monster_Newt 12345 { health 5 }";
    mst_resolver resolver = {.each = one_definition, .user = text};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    writer w = {0};
    write_level(&w, &(small_level){0});
    mst_scene *scene = scene_of_bytes(w.data, w.size, &options);
    assert_string_equal(node_named(scene, "actor_1")->class_name, "Monster_Newt");
    assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
    mst_scene_free(scene);
    writer_free(&w);
}

/* How a definition is distinguished from the surrounding text. NULL: the type 12345 gets no name. */
static void test_definitions(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"", NULL},
        {"Newt 12345", "Newt"},
        {"Newt\t\r\n12345{}", "Newt"},
        {"\"Big Newt\" \"12345\"", "Big Newt"},
        {"a.b-c_D9 12345", "a.b-c_D9"},
        {"Newt;12345", "Newt"},
        {"Zed {} Newt 12345 { a 1 }", "Newt"},
        {"Old 12345 {} New 12345 {}", "New"}, /* the last one counts */
        {"A 7 {} Old 12345 {} B 99999 {} C -3 {} New 12345 {} D 6 {}", "New"},
        {"Newt 12345 { Other 12345 }", "Newt"}, /* only before blocks */
        {"{ Newt 12345 }", NULL},
        {"} Newt 12345", "Newt"}, /* an extra one is ignored */
        {"{{} Newt 12345 }", NULL},
        {"Newt { 12345 }", NULL},
        {"12345", NULL},
        {"1 12345", "1"},
        {"Newt 12345x", NULL},
        {"Newt 1234", NULL},
        {"Newt 123456", NULL},
        {"Newt -12345", NULL},
        {"Newt 4294979641", NULL}, /* 2^32 and more */
        {"Newt 99999999999999999999", NULL},
        {"Newt 0000012345", "Newt"},
        {"Newt - 12345", "-"}, /* a word like any other */
        {"Newt \"\" 12345", ""},
        {"\"Newt\n12345", "Newt"}, /* the end of the line ends an open string */
        {"\"Newt", NULL},
        {"// Newt 12345\nOther 1", NULL},
        {"// Newt 12345", NULL},
        {"Newt // Other\n 12345", "Newt"},
        {"/* Newt 12345 */", NULL},
        {"/* Other */ Newt /**/ 12345", "Newt"},
        {"Newt /* 12345", NULL},
        {"Newt /* * / 12345 *", NULL},
        {"Newt 12345 /", "Newt"},
        {"Newt / 12345", "Newt"},
        {"Newt 12345 /*", "Newt"},
        {"Newt `~@[ 12345", "Newt"}, /* characters that words do not have */
    };
    writer w = {0};
    write_level(&w, &(small_level){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s", cases[i].text);
        mst_resolver resolver = {.each = one_definition, .user = text};
        mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
        mst_scene *scene = scene_of_bytes(w.data, w.size, &options);
        const char *name = node_named(scene, "actor_1")->class_name;
        if (strcmp(name, cases[i].name ? cases[i].name : "type_12345") != 0)
            print_error("%s: %s\n", text, name);
        assert_string_equal(name, cases[i].name ? cases[i].name : "type_12345");
        assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
        mst_scene_free(scene);
    }
    /* names of 200 bytes or more are truncated; from the 65536th on definitions are skipped */
    size_t size = 0, capacity = 65536 * 16 + 1000;
    char *text = malloc(capacity);
    assert_non_null(text);
    memset(text, 'n', 300);
    size = 300;
    for (unsigned i = 0; i < 65536; i++)
        size += (size_t)snprintf(text + size, capacity - size, "%s %u", i ? " a" : "", i ? 20000 + i : 438);
    snprintf(text + size, capacity - size, " Newt 12345");
    mst_resolver resolver = {.each = one_definition, .user = text};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(w.data, w.size, &options);
    assert_string_equal(node_named(scene, "actor_1")->class_name, "type_12345");
    text[200] = 0;
    assert_string_equal(node_named(scene, "actor_2")->class_name, text);
    mst_scene_free(scene);
    free(text);
    /* a resolver without `each` */
    resolver.each = NULL;
    scene = scene_of_bytes(w.data, w.size, &options);
    assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
    mst_scene_free(scene);
    writer_free(&w);
}

static mst_status no_memory(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                            void *taker) {
    mst_status *status = user;
    (void)folder;
    (void)ending;
    (void)take;
    (void)taker;
    return *status;
}

/* Unreadable definitions count as absent, except for lack of memory. */
static void test_unread_definitions(void **state) {
    (void)state;
    static const mst_status statuses[] = {MST_IO, MST_DAMAGED, MST_NO_MEMORY};
    writer w = {0};
    write_level(&w, &(small_level){0});
    mst_document *document;
    mst_open_options open = {.size = sizeof open, .name = "small.map"};
    MUST(mst_open_memory(w.data, w.size, &open, &document, NULL), NULL);
    for (size_t i = 0; i < 3; i++) {
        mst_status reported = statuses[i];
        mst_resolver resolver = {.each = no_memory, .user = &reported};
        mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
        mst_scene *scene;
        mst_diagnostic why;
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        assert_int_equal(status, reported == MST_NO_MEMORY ? MST_NO_MEMORY : MST_OK);
        if (status != MST_OK) {
            assert_int_equal(why.status, MST_NO_MEMORY);
            continue;
        }
        assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
        mst_scene_free(scene);
    }
    mst_close(document);
    writer_free(&w);
}

static void test_sun(void **state) {
    (void)state;
    for (int down = 0; down < 2; down++) {
        mst_scene *scene = scene_of(&(small_level){.straight_down = down});
        assert_int_equal(scene->light_count, 1);
        assert_int_equal(scene->lights->kind, MST_LIGHT_DIRECTIONAL);
        ASSERT_REALS(scene->lights->color, 1, 0.5, 0.25);
        float travel[3];
        to_world(scene, "sun", (const float[3]){0, 0, -(float)UNITS}, true, travel);
        if (down) /* the sun is below */
            ASSERT_REALS(travel, 0, 1, 0);
        else
            ASSERT_REALS(travel, -0.6, -0.8, 0);
        mst_scene_free(scene);
    }
}

static void test_map(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_map *map = scene->map;
    assert_non_null(map);
    assert_int_equal(map->face_count, 3);
    /* objects that the game hides are below all, then 9 below 7 */
    assert_string_equal(map->keys[map->faces[0].key].name, "hidden");
    assert_string_equal(map->keys[map->faces[1].key].name, "brown");
    assert_string_equal(map->keys[map->faces[2].key].name, "blue");
    ASSERT_REALS(&map->faces[2].corners[0][0], 0, 0, 0, 384, 0, 0, 384, 192, 0);
    size_t walls = 0, links = 0;
    for (size_t i = 0; i < map->line_count; i++) {
        walls += map->lines[i].kind == MST_MAP_WALL;
        if (map->lines[i].kind != MST_MAP_LINK)
            continue;
        links++;
        ASSERT_REALS(map->lines[i].from, 38.4F, 384, 10);
        ASSERT_REALS(map->lines[i].to, 300, 30, 0);
    }
    assert_int_equal(walls, 4);
    assert_int_equal(links, 1);
    mst_scene_free(scene);
    /* without draw orders the file's order is used */
    scene = scene_of(&(small_level){.short_sectors = true});
    assert_string_equal(scene->map->keys[scene->map->faces[0].key].name, "hidden");
    assert_string_equal(scene->map->keys[scene->map->faces[1].key].name, "blue");
    mst_scene_free(scene);
}

/* The box is already rotated and scaled along the model's axes: in the plane the larger scale counts. */
static void test_scaled_boxes(void **state) {
    (void)state;
    static const struct {
        double scale[3];
        double size[3], middle; /* of a box of 40 by 40 by 80 on the ground */
    } cases[] = {{{0.5, 0.25, 2}, {20, 20, 160}, 80},
                 {{0.25, 0.5, 1}, {20, 20, 80}, 40},
                 {{-1.5, 1, -1}, {60, 60, 80}, 40},
                 {{0, 0, 0}, {0, 0, 0}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        write_level(&w, &(small_level){0});
        for (int k = 0; k < 3; k++) {
            char path[64];
            snprintf(path, sizeof path, "actors.records[0].scale[%d]", k);
            change(&w, path, (float)cases[i].scale[k]);
        }
        mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
        const mst_node *box = node_named(scene, "actor_box_0");
        ASSERT_REALS(box->scale, cases[i].size[0], cases[i].size[1], cases[i].size[2]);
        ASSERT_REALS(box->translation, 192, 38.4F, cases[i].middle);
        mst_scene_free(scene);
        writer_free(&w);
    }
}

static void pixel_of(const mst_pixels *picture, double x, double y, uint8_t pixel[3]) {
    size_t at = ((size_t)y * picture->width + (size_t)x) * 4;
    memcpy(pixel, picture->data + at, 3);
}

static void test_picture(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    mst_pixels picture = {0};
    mst_diagnostic why;
    /* 10 by 30 m, 0.9 m around it, 20 pixels a metre; z goes from -20 to 10 */
    mst_picture_options options = {.size = sizeof options,
                                   .width = 236,
                                   .height = 636,
                                   .no_entities = 1,
                                   .no_legend = 1,
                                   .no_grid = 1,
                                   .background = {1, 2, 3, 255}};
    MUST(mst_scene_draw(scene, &options, &picture, &why), &why);
    uint8_t flat[3], slope[3], hidden[3], empty[3];
    pixel_of(&picture, (8 + 0.9) * 20, (-1 + 20.9) * 20, flat);
    pixel_of(&picture, (1 + 0.9) * 20, (-14 + 20.9) * 20, slope);
    pixel_of(&picture, (2 + 0.9) * 20, (3 + 20.9) * 20, hidden);
    pixel_of(&picture, (9 + 0.9) * 20, (-14 + 20.9) * 20, empty);
    const uint8_t *blue = scene->map->keys[2].color;
    assert_memory_equal(flat, blue, 3);
    assert_true(slope[0] > slope[1] && slope[1] > slope[2] && slope[2] > 30); /* brown */
    assert_memory_equal(hidden, scene->map->keys[12].color, 3);
    assert_memory_equal(empty, "\x01\x02\x03", 3);
    mst_pixels_free(&picture);
    /* by height both have other colours */
    options.heights = 1;
    MUST(mst_scene_draw(scene, &options, &picture, &why), &why);
    pixel_of(&picture, (8 + 0.9) * 20, (-1 + 20.9) * 20, flat);
    assert_memory_not_equal(flat, blue, 3);
    mst_pixels_free(&picture);
    /* entities, tags and arrows leave marks */
    mst_picture_options whole = {.size = sizeof whole, .width = 400, .tags = 1},
                        bare = {.size = sizeof bare, .width = 400, .no_links = 1};
    mst_pixels other = {0};
    MUST(mst_scene_draw(scene, &whole, &picture, &why), &why);
    MUST(mst_scene_draw(scene, &bare, &other, &why), &why);
    assert_int_equal(picture.height, other.height);
    assert_memory_not_equal(picture.data, other.data, (size_t)picture.width * picture.height * 4);
    mst_pixels_free(&picture);
    mst_pixels_free(&other);
    mst_scene_free(scene);
}

int test_turok_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_floors),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_things),
        cmocka_unit_test(test_actor_names),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_unread_definitions),
        cmocka_unit_test(test_sun),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_scaled_boxes),
        cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
