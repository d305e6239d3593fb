/* SPDX-License-Identifier: MIT */
/* Scenes of Turok levels that are hostile, bare or changed. */
#include "turok_level.h"
#include <mapstone/picture.h>

/* ---- hostile levels ---------------------------------------------------------------------------- */

static void test_hostile(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){.hostile = true});
    assert_int_equal(extra_of(&scene->extras, "sectors_not_shown")->integer, 2);
    assert_string_equal(text_of(node_named(scene, "area_0009"), "sectors"), "3");
    const mst_mesh *far_off = mesh_of(scene, "area_65535");
    assert_string_equal(scene->materials[far_off->primitives->material].name, "water");
    /* its area, which has the height of the water, is missing */
    assert_int_equal(mesh_of(scene, "water")->primitives->vertex_count, 3);
    assert_int_equal(scene->map->face_count, 4);
    assert_string_equal(scene->map->keys[scene->map->faces[0].key].name, "brown");
    mst_pixels picture = {0};
    mst_diagnostic why;
    MUST(mst_scene_draw(scene, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 300},
                        &picture, &why),
         &why);
    mst_pixels_free(&picture);
    mst_scene_free(scene);
}

/* A number that is not finite removes only the elements that need it. */
static void test_no_numbers(void **state) {
    (void)state;
    static const struct {
        const char *paths[2];
        float numbers[2];
        const char *gone, *here;
    } cases[] = {
        {{"collision.vertices[2].ceiling"}, {NAN}, "ceiling", "area_0001"},
        {{"collision.sector_sets[1].water_height"}, {NAN}, "water", "ceiling"},
        {{"collision.vertices[0].position[1]"}, {INFINITY}, "area_0000", "actor_0"},
        {{"world.sun_direction[1]"}, {INFINITY}, "sun", "start_0"},
        {{"world.sun_direction[0]", "world.sun_direction[2]"}, {0, 0}, "sun", "start_0"},
        {{"grid_sections[0].static_meshes[0].bounds_min[1]"}, {NAN}, "box_0_0", "mesh_0_0"},
        {{"grid_sections[0].static_meshes[0].bounds_max[1]"}, {INFINITY}, "box_0_0", "mesh_0_0"},
        {{"grid_sections[0].static_meshes[0].bounds_min[2]",
          "grid_sections[0].static_meshes[0].bounds_max[2]"},
         {-3e38F, 3e38F},
         "box_0_0",
         "mesh_0_0"},
        {{"grid_bounds.minimums[0][0]"}, {-INFINITY}, "cells", "grid"},
        {{"grid_bounds.maximums[0][1]"}, {INFINITY}, "cells", "grid"},
        {{"grid_bounds.maximums[0][1]"}, {29}, "cells", "grid"},
        {{"actors.records[0].bounds_max[0]"}, {NAN}, "actor_box_0", "actor_0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        write_level(&w, &(small_level){0});
        mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
        node_named(scene, cases[i].gone);
        node_named(scene, cases[i].here);
        mst_scene_free(scene);
        for (int k = 0; k < 2 && cases[i].paths[k]; k++)
            change(&w, cases[i].paths[k], cases[i].numbers[k]);
        scene = scene_of_bytes(w.data, w.size, NULL);
        if (find_node(scene, cases[i].gone) >= 0)
            print_error("%s\n", cases[i].paths[0]);
        assert_int_equal(find_node(scene, cases[i].gone), -1);
        node_named(scene, cases[i].here);
        mst_scene_free(scene);
        writer_free(&w);
    }
    /* an actor without a direction looks along the axis */
    writer w = {0};
    write_level(&w, &(small_level){0});
    change(&w, "actors.records[0].yaw", NAN);
    mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
    ASSERT_REALS(node_named(scene, "actor_0")->rotation, 0, 0, 0, 1);
    mst_scene_free(scene);
    /* walls under an invalid ceiling have the default height */
    change(&w, "collision.vertices[3].ceiling", INFINITY);
    scene = scene_of_bytes(w.data, w.size, NULL);
    const mst_primitive *walls = mesh_of(scene, "walls")->primitives;
    float highest = 0;
    for (uint32_t i = 0; i < walls->vertex_count; i++)
        highest = walls->positions[3 * i + 2] > highest ? walls->positions[3 * i + 2] : highest;
    assert_true(fabs((double)highest - (38.4 + 71.68)) < 1e-4);
    mst_scene_free(scene);
    writer_free(&w);
}

/* Missing elements are not shown, the rest is. */
static void test_bare(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){.bare = true});
    assert_string_equal(extra_of(&scene->extras, "sky_material")->text, "");
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "actor_%d", i);
        assert_string_equal(text_of(node_named(scene, name), "model"), "");
        assert_string_equal(text_of(node_named(scene, name), "animation"), "");
    }
    /* a box without a model also has a colour */
    const mst_mesh *box = mesh_of(scene, "actor_box_0");
    assert_string_equal(scene->materials[box->primitives->material].name, "no_model");
    assert_string_equal(text_of(node_named(scene, "mesh_0_0"), "model"), "models/stone.bin");
    assert_int_equal(find_node(scene, "mesh_1_0"), -1);
    assert_int_equal(mesh_of(scene, "cells")->primitives->vertex_count, 4 * 6);
    mst_scene_free(scene);
    for (int i = 1; i < 3; i++) {
        scene = scene_of(&(small_level){.no_corners = i});
        assert_int_equal(find_node(scene, "cells"), -1);
        node_named(scene, "mesh_0_0");
        mst_scene_free(scene);
    }
}

/* Walls of sectors without a solid edge, and of one whose edge has no length. */
static void test_edges(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document;
    mst_value value;
    uint64_t offset, length;
    write_level(&w, &(small_level){0});
    MUST(mst_open_memory(w.data, w.size, NULL, &document, NULL), NULL);
    MUST(mst_find(mst_root(document), "collision.sectors", &value, NULL), NULL);
    mst_value_span(&value, &offset, &length);
    mst_close(document);
    assert_int_equal(length, 8 + 3 * 18);
    uint8_t *hidden = w.data + offset + 8 + 2 * 18;
    mst_store16(hidden + 4, 0, false); /* its corners become 0, 1, 0: link 0 is over no edge */
    mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
    const mst_primitive *walls = mesh_of(scene, "walls")->primitives;
    assert_int_equal(walls->vertex_count, (2 + 2 + 3) * 6);
    uint32_t flat = 0;
    for (uint32_t i = 0; i < walls->vertex_count; i++) {
        const float *n = walls->normals + 3 * i;
        assert_true(fabs((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1) < 1e-5);
        flat += n[0] == 1 && n[1] == 0 && n[2] == 0;
    }
    assert_true(flat >= 6);
    mst_scene_free(scene);
    for (int i = 0; i < 9; i++) /* all links have a target */
        mst_store16(w.data + offset + 8 + (size_t)(i / 3) * 18 + 10 + (size_t)(i % 3) * 2, 7, false);
    scene = scene_of_bytes(w.data, w.size, NULL);
    assert_int_equal(find_node(scene, "walls"), -1);
    node_named(scene, "area_0000");
    mst_scene_free(scene);
    writer_free(&w);
}

/* Areas whose water has one colour share a material; of more than 64 colours not all are compared. */
static void test_water_colors(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){.areas = 66});
    const mst_mesh *water = mesh_of(scene, "water");
    /* in the order of areas: the north's area is equal to the first of the others */
    assert_int_equal(water->primitive_count, 66);
    assert_int_equal(water->primitives[0].vertex_count, 6);
    for (uint32_t i = 0; i < 66; i++) {
        const mst_material *m = &scene->materials[water->primitives[i].material];
        char name[24];
        snprintf(name, sizeof name, "water_%02xff807f", (unsigned)i);
        assert_string_equal(m->name, name);
        assert_int_equal(water->primitives[i].vertex_count, i ? 3 : 6);
    }
    mst_scene_free(scene);
}

/* Of many actors that act on each other only a distinguishable number of arrows is drawn. */
static void test_many_links(void **state) {
    (void)state;
    static const unsigned actors[] = {10, 20, 300};
    static const size_t wanted[] = {1 + 10 * 9, 1 + 20 * 16, 4096};
    for (size_t i = 0; i < 3; i++) {
        mst_scene *scene = scene_of(&(small_level){.actors = actors[i]});
        size_t links = 0;
        for (size_t k = 0; k < scene->map->line_count; k++)
            links += scene->map->lines[k].kind == MST_MAP_LINK;
        assert_int_equal(links, wanted[i]);
        assert_string_equal(node_named(scene, "actor_3")->class_name, "type_m2");
        assert_string_equal(node_named(scene, "actor_3")->tag, "5");
        mst_scene_free(scene);
    }
}

static void test_names(void **state) {
    (void)state;
    static const char *const names[][2] = {{".map", ".map"}, {"a.b.map", "a.b"}, {"level", "level"}};
    writer w = {0};
    write_level(&w, &(small_level){0});
    for (size_t i = 0; i < 3; i++) {
        mst_open_options open = {.size = sizeof open, .name = names[i][0]};
        mst_document *document;
        mst_scene *scene;
        MUST(mst_open_memory(w.data, w.size, &open, &document, NULL), NULL);
        MUST(mst_scene_from_document(document, NULL, &scene, NULL), NULL);
        assert_string_equal(scene->name, names[i][1]);
        mst_scene_free(scene);
        mst_close(document);
    }
    writer_free(&w);
}

/* Whichever byte is wrong: a scene or a diagnosis, and no leaks. */
static void test_changed_bytes(void **state) {
    (void)state;
    writer w = {0};
    write_level(&w, &(small_level){0});
    for (size_t i = 0; i < w.size; i++) {
        counted c = {0};
        uint8_t kept = w.data[i];
        mst_document *document;
        mst_scene *scene = NULL;
        w.data[i] = (uint8_t)(kept ^ (i % 3 ? 0xFF : 0x80));
        if (mst_open_memory(w.data, w.size, NULL, &document, NULL) == MST_OK) {
            mst_scene_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
            if (mst_scene_from_document(document, &options, &scene, NULL) == MST_OK)
                mst_scene_free(scene);
            mst_close(document);
        }
        w.data[i] = kept;
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    writer_free(&w);
}

static void test_memory(void **state) {
    (void)state;
    writer w = {0};
    write_level(&w, &(small_level){0});
    mst_document *document;
    mst_scene *scene;
    MUST(mst_open_memory(w.data, w.size, NULL, &document, NULL), NULL);
    mst_status status = MST_NO_MEMORY;
    for (size_t fail_at = 1; status != MST_OK; fail_at++) {
        counted c = {.fail_at = fail_at, .for_good = fail_at % 2};
        mst_scene_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        status = mst_scene_from_document(document, &options, &scene, NULL);
        assert_true(status == MST_OK || (status == MST_NO_MEMORY && c.failed));
        if (status == MST_OK)
            mst_scene_free(scene);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    for (size_t budget = 1000; budget < 8000000; budget += budget / 7) {
        mst_scene_options options = {.size = sizeof options, .budget = budget};
        status = mst_scene_from_document(document, &options, &scene, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        if (status == MST_OK)
            mst_scene_free(scene);
    }
    assert_int_equal(status, MST_OK);
    mst_close(document);
    writer_free(&w);
}

/* Every allocation of a scene is refused once. */
static void test_pieces(void **state) {
    (void)state;
    char text[] = "Monster_Newt_Of_The_Swamp 12345 { health 5 } Another_Monster -10 { }";
    mst_resolver resolver = {.each = one_definition, .user = text};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    writer w = {0};
    write_level(&w, &(small_level){.actors = 4, .areas = 2});
    change(&w, "actors.records[5].type", -1e30F); /* its number takes 10 digits */
    mst_document *document;
    mst_open_options open = {.size = sizeof open, .name = "small.map"};
    MUST(mst_open_memory(w.data, w.size, &open, &document, NULL), NULL);
    assert_true(assert_refused_scenes(document, &options) > 200 / sample_step());
    mst_close(document);
    writer_free(&w);
}

int test_turok_scene_odd(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile),      cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_bare),         cmocka_unit_test(test_edges),
        cmocka_unit_test(test_water_colors), cmocka_unit_test(test_many_links),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
