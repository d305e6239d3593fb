/* SPDX-License-Identifier: MIT */
/* Monsters, doors, lifts, triggers and pages in scenes of Alien Trilogy, and the real level. */
#include "../src/formats/alien/alien.h"
#include "../src/scene/geometry.h"
#include "alien_scene.h"
#include "thorough.h"

/* ---- small helpers ----------------------------------------------------------------------------- */

static size_t count_class(const mst_scene *scene, const char *class_name) {
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += strcmp(scene->nodes[i].class_name, class_name) == 0;
    return count;
}

/* ---- things ------------------------------------------------------------------------------------ */

static void world_point(const mst_scene *scene, const mst_node *node, double x, double y, double z,
                        double result[3]) {
    float *matrices = malloc(scene->node_count * 16 * sizeof *matrices);
    assert_non_null(matrices);
    mst_scene_world_matrices(scene, matrices);
    const float local[3] = {(float)x, (float)y, (float)z};
    float point[3];
    mst_matrix_point(matrices + 16 * (size_t)(node - scene->nodes), local, point);
    for (int i = 0; i < 3; i++)
        result[i] = (double)point[i];
    free(matrices);
}

static void check_point(const mst_scene *scene, const mst_node *node, const double local[3], double x,
                        double y, double z) {
    double point[3];
    world_point(scene, node, local[0], local[1], local[2], point);
    assert_near(point[0], x);
    assert_near(point[1], y);
    assert_near(point[2], z);
}

static void test_things(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0}, ahead[3] = {0, 0, 256};
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    /* cell (1, 1): 1 m to the left; cell (2, 1): 1 m to the right, half a metre up */
    const mst_node *hugger = node_of(scene, "face_hugger"), *drone = node_of(scene, "warrior_drone");
    assert_int_equal(hugger->role, MST_ROLE_ENTITY);
    assert_string_equal(hugger->layer, "monsters");
    check_point(scene, hugger, origin, -1, 0, 0);
    check_point(scene, hugger, ahead, -2, 0, 0); /* 6: to -X */
    check_point(scene, drone, origin, 1, 0.5, 0);
    check_point(scene, drone, ahead, 1 + sqrt(0.5), 0.5, sqrt(0.5)); /* 1: between +Z and +X */
    assert_string_equal(text_of(&hugger->extras, "path"), "map.monsters[0]");
    assert_int_equal(integer_of(&hugger->extras, "type"), 2);
    assert_string_equal(text_of(&hugger->extras, "type_name"), "face_hugger");
    assert_int_equal(integer_of(&hugger->extras, "rotation"), 6);
    assert_string_equal(text_of(&hugger->extras, "rotation_name"), "west");
    assert_int_equal(integer_of(&hugger->extras, "speed"), 100);
    assert_int_equal(integer_of(&hugger->extras, "unknown_0a_2"), 155);
    assert_true(hugger->mesh >= 0 && hugger->mesh != drone->mesh);

    assert_string_equal(node_of(scene, "medi_kit")->layer, "pickups");
    assert_string_equal(node_of(scene, "barrel")->layer, "boxes");
    check_point(scene, node_of(scene, "small_switch_with_lightning"), ahead, 0, 0, 0);
    const mst_node *path = node_of(scene, "path_node");
    assert_int_equal(count_class(scene, "path_node"), 2);
    assert_int_equal(path->role, MST_ROLE_HELPER);
    assert_string_equal(path->layer, "path");
    assert_int_equal(path->mesh, -1);
    assert_int_equal(integer_of(&path->extras, "links_0"), 1);

    const mst_node *start = node_of(scene, "start"), *camera = named_node(scene, "camera");
    check_point(scene, start, origin, -1, 0, 0);
    check_point(scene, start, ahead, 0, 0, 0); /* 2: to +X */
    assert_string_equal(start->label, "start");
    assert_int_equal(camera->role, MST_ROLE_CAMERA);
    assert_true(camera->camera >= 0);
    check_point(scene, camera, origin, -1, 1.7, 0);
    check_point(scene, camera, (const double[3]){0, 0, -256}, 0, 1.7, 0);
    mst_scene_free(scene);

    /* a type without a name, and no markers */
    f.level->monsters[0].type = 77;
    f.level->boxes[0].type = 5;
    writer w = {0};
    write_alien_level(&w, f.level, true);
    mst_scene_options options = {.size = sizeof options, .no_markers = 1};
    scene = scene_of_bytes(w.data, w.size, "L999.MAP", &options);
    assert_string_equal(scene->name, "L999");
    assert_int_equal(integer_of(&node_of(scene, "monster")->extras, "type"), 77);
    assert_null(extra_of(&node_of(scene, "monster")->extras, "type_name"));
    assert_string_equal(node_of(scene, "box")->layer, "boxes");
    for (size_t i = 0; i < scene->node_count; i++)
        assert_true(scene->nodes[i].role != MST_ROLE_ENTITY || scene->nodes[i].mesh < 0);
    mst_scene_free(scene);
    writer_free(&w);
    end(&f);
}

static void test_models(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    const mst_node *model = named_node(scene, "D000"), *lift = named_node(scene, "L000");
    assert_int_equal(model->role, MST_ROLE_GEOMETRY);
    assert_string_equal(model->layer, "doors");
    assert_string_equal(lift->layer, "lifts");
    assert_string_equal(scene->nodes[model->parent].class_name, "door");
    assert_int_equal(scene->nodes[model->parent].mesh, -1);
    assert_string_equal(text_of(&scene->nodes[model->parent].extras, "lock_name"), "open");
    /* around the middle of its cell, on its floor: +Z becomes +X, +X becomes -Z */
    check_point(scene, model, (const double[3]){-192, 0, 64}, 1.25, 0.5, 0.75);
    check_point(scene, model, (const double[3]){256, 512, 64}, 1.25, 2.5, -1);
    /* lifts are not rotated */
    check_point(scene, lift, (const double[3]){-192, 0, 64}, 0.25, 0.5, 0.25);
    const mst_primitive *p = scene->meshes[model->mesh].primitives;
    assert_int_equal(p->vertex_count, 4);
    assert_near((double)p->texcoords[0] * 256, 32); /* texture 1 */
    assert_near((double)p->texcoords[1] * 256, 16);
    assert_near((double)p->normals[2], 1);
    mst_scene_free(scene);

    /* the orientation of the texture on a model's quad is its kind; the quad's last byte is not a light */
    static const struct {
        uint8_t kind;
        double u; /* of the first corner: 32, or 64 if it is mirrored */
    } kinds[] = {{0x80, 32}, {0x81, 32}, {0x8B, 64}, {0x82, 32}, {0x88, 32}, {0x83, 32}};
    f.level->models[0].quads[0].light = 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        f.level->models[0].quads[0].draw_flags = kinds[i].kind;
        scene = scene_of(f.level, false, &f.textures);
        p = scene->meshes[named_node(scene, "D000")->mesh].primitives;
        assert_near((double)p->texcoords[0] * 256, kinds[i].u);
        assert_near((double)p->colors[0], pow((128 / 255.0 + 0.055) / 1.055, 2.4)); /* sRGB to linear */
        assert_true(p->colors[0] == p->colors[1]);
        assert_false(scene->materials[p->material].double_sided);
        mst_scene_free(scene);
    }
    f.level->models[0].quads[0] = (alien_quad){.vertices = {0, 1, 2, -1}, .texture = 1, .draw_flags = 0x84};
    for (int i = 0; i < 3; i++)
        f.level->lights[10].on[i] = 64; /* all models have light 10 */
    scene = scene_of(f.level, false, &f.textures);
    p = scene->meshes[named_node(scene, "D000")->mesh].primitives;
    assert_true(p->texcoords[3] == p->texcoords[5] && p->texcoords[3] != p->texcoords[1]);
    assert_near((double)p->colors[0], pow((64 / 255.0 + 0.055) / 1.055, 2.4));
    mst_scene_free(scene);
    f.level->models[0].quads[0] = (alien_quad){.vertices = {0, 1, 2, 3}, .texture = 1, .draw_flags = 0x80};

    /* the number in the name counts, not the place */
    memcpy(f.level->models[0].name, "D007", 5);
    f.level->models[2] = f.level->models[0];
    f.level->models[2].vertices[1].x = 300;
    memcpy(f.level->models[2].name, "D001", 5);
    f.level->model_count = 3;
    for (int number = 0; number < 10; number++) {
        f.level->doors[0].model = (uint8_t)number;
        scene = scene_of(f.level, false, NULL);
        const mst_node *door = node_of(scene, "door");
        const mst_node *child = door + 1; /* if it has one */
        bool has = child < scene->nodes + scene->node_count && child->parent == door - scene->nodes;
        assert_int_equal(has, number == 7 || number <= 1); /* 0 represents the first */
        if (has)
            assert_near((double)scene->meshes[child->mesh].primitives[0].positions[3],
                        number == 1 ? 300 : 256);
        mst_scene_free(scene);
    }
    end(&f);
}

static void test_triggers(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    const mst_node *trigger = node_of(scene, "trigger"), *last = node_of(scene, "level_end");
    assert_string_equal(trigger->layer, "triggers");
    assert_string_equal(trigger->label, "");
    assert_string_equal(last->label, "level end");
    check_point(scene, trigger, (const double[3]){0, 0, 0}, -1, 0, 0);
    check_point(scene, last, (const double[3]){0, 0, 0}, 1, 0.5, 0);
    assert_string_equal(text_of(&trigger->extras, "path"), "map.cells[5]");
    assert_int_equal(integer_of(&trigger->extras, "trigger"), 1);
    assert_string_equal(text_of(&trigger->extras, "text"),
                        "1, any number of times: open door 0, then light 2 on");
    assert_string_equal(text_of(&scene->extras, "json"),
                        "{\"triggers\":[{\"index\":1,\"text\":\"1, any number of times: open door 0, then "
                        "light 2 on\"},{\"index\":2,\"text\":\"2, 1 time: end of level\"}]}");
    mst_scene_free(scene);
    /* a circular chain, a missing command and a missing trigger */
    f.level->commands[1].next = 0;
    f.level->triggers[2].first_command = 200;
    alien_cell_at(f.level, 0, 0)->trigger = 200;
    scene = scene_of(f.level, false, NULL);
    assert_int_equal(count_class(scene, "level_end"), 0);
    assert_int_equal(count_class(scene, "trigger"), 3);
    const char *text = text_of(&node_of(scene, "trigger")->extras, "path");
    assert_string_equal(text, "map.cells[0]");
    assert_null(extra_of(&node_of(scene, "trigger")->extras, "text"));
    mst_scene_free(scene);
    end(&f);
}

/* A trigger's action is written in full; cells show its beginning. */
static void test_long_trigger(void **state) {
    (void)state;
    fixture f = begin();
    for (uint8_t i = 0; i < 20; i++)
        f.level->commands[i + 2] = (alien_command){0, (uint8_t)(i < 19 ? i + 3 : 255), 1, 100};
    f.level->commands[1].next = 2;
    char whole[600] = "1, any number of times: open door 0, then light 2 on";
    for (int i = 0; i < 20; i++)
        memcpy(whole + strlen(whole), ", then light 100 on", 20);
    mst_scene *scene = scene_of(f.level, false, NULL);
    char shown[204];
    snprintf(shown, sizeof shown, "%.200s...", whole);
    assert_string_equal(text_of(&node_of(scene, "trigger")->extras, "text"), shown);
    assert_non_null(strstr(text_of(&scene->extras, "json"), whole));
    mst_scene_free(scene);
    end(&f);
}

/* Numbers in names that are invalid, too large, or duplicate. */
static void test_model_names(void **state) {
    (void)state;
    static const struct {
        const char *names[3]; /* of models whose second corner is at 256, 300 and 400 */
        int number;
        int corner; /* 0: none */
    } cases[] = {
        {{"D001", "D001", "D002"}, 1, 256}, /* the first with this number */
        {{"D001", "D001", "D002"}, 2, 400},
        {{"D001", "D001", "D002"}, 0, 256}, /* a place whose number no model has */
        {{"D300", "D255", "D256"}, 255, 300},
        {{"D300", "D255", "D256"}, 0, 256},
        {{"D300", "D255", "D256"}, 44, 0},
        {{"D/01", "D:01", "D0A1"}, 1, 300},
        {{"D01 ", "DOOR", "D000"}, 0, 400},
        {{"D01 ", "DOOR", "D000"}, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = begin();
        f.level->lift_count = 0;
        f.level->model_count = 3;
        for (size_t k = 0; k < 3; k++) {
            f.level->models[k] = f.level->models[0];
            memcpy(f.level->models[k].name, cases[i].names[k], 5);
            f.level->models[k].vertices[1].x = (int16_t)(k ? 200 + 100 * k : 256);
        }
        f.level->doors[0].model = (uint8_t)cases[i].number;
        mst_scene *scene = scene_of(f.level, false, NULL);
        const mst_node *door = node_of(scene, "door"), *child = door + 1;
        bool has = child < scene->nodes + scene->node_count && child->parent == door - scene->nodes;
        assert_int_equal(has, cases[i].corner != 0);
        if (has)
            assert_near((double)scene->meshes[child->mesh].primitives[0].positions[3], cases[i].corner);
        mst_scene_free(scene);
        end(&f);
    }
}

/* A texture located outside of its page is taken from there anyway, and has no holes. */
static void test_pages_of_other_shapes(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        fixture f = begin();
        f.textures.information[0] = wide ? 4096 : 16;
        f.textures.information[1] = wide ? 16 : 4096;
        memset(f.textures.pages[0].pixels, 0, 65536); /* transparent everywhere */
        f.textures.pages[0].rectangles[0] = (alien_rectangle){20, 2, 3, 3, 0, 0};
        f.textures.pages[0].rectangles[1] = (alien_rectangle){2, 20, 3, 3, 0, 0};
        mst_scene *scene = scene_of(f.level, false, &f.textures);
        const char *beside = wide ? "page_0_holes" : "page_0", *below = wide ? "page_0" : "page_0_holes";
        assert_string_equal(the_corner(scene, -512, 0, 256, up).material->name, beside);
        assert_string_equal(the_corner(scene, 0, 1024, 256, down).material->name, below);
        mst_scene_free(scene);
        end(&f);
    }
}

/* A level without an open cell has no ground. */
static void test_solid(void **state) {
    (void)state;
    fixture f = begin();
    for (unsigned i = 0; i < 12; i++)
        f.level->cells[i].first_quad = -1;
    mst_scene *scene = scene_of(f.level, false, NULL);
    for (size_t i = 0; i < scene->node_count; i++)
        assert_int_not_equal(scene->nodes[i].role, MST_ROLE_COLLISION);
    named_node(scene, "Geometry");
    mst_scene_free(scene);
    end(&f);
}

static mst_status find_no_memory(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    (void)name;
    *bytes = NULL;
    *size = 0;
    return MST_NO_MEMORY;
}

/* Names of levels, and files without one. */
static void test_file_names(void **state) {
    (void)state;
    static const char *const names[][2] = {{"L111LEV.MAP", "L111 Entrance"},
                                           {"L999LEV.MAP", "L999LEV"},
                                           {"level", "level"},
                                           {".map", ".map"},
                                           {"", ""},
                                           {"a.b.c", "a.b"}};
    fixture f = begin();
    writer w = {0};
    write_alien_level(&w, f.level, false);
    mst_scene *scene;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scene = scene_of_bytes(w.data, w.size, names[i][0], NULL); /* without options */
        assert_string_equal(scene->name, names[i][1]);
        assert_string_equal(text_of(&scene->extras, "textures"), "not found");
        mst_scene_free(scene);
    }
    /* a resolver that only lists folders, and one without memory */
    mst_resolver resolver = {.find = NULL};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    scene = scene_of_bytes(w.data, w.size, "L111LEV.MAP", &options);
    assert_string_equal(text_of(&scene->extras, "textures"), "not found");
    mst_scene_free(scene);
    resolver.find = find_no_memory;
    mst_document *document = open_as(w.data, w.size, NULL, "L111LEV.MAP");
    mst_diagnostic why;
    assert_int_equal(mst_scene_from_document(document, &options, &scene, &why), MST_NO_MEMORY);
    assert_int_equal(why.status, MST_NO_MEMORY);
    mst_close(document);
    writer_free(&w);
    end(&f);
}

/* Every piece of memory that a scene takes is refused once: with textures, and without any. */
static void test_pieces(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        fixture f = begin();
        writer w = {0}, textures = {0};
        f.level->doors[0].model = with ? 0 : 9; /* a marker, and no model */
        f.textures.page_count = 1;
        f.textures.information[0] = f.textures.information[1] = 16; /* small pages */
        f.textures.pages[0].size = 256;
        write_alien_level(&w, f.level, false);
        write_alien_textures(&textures, &f.textures, false);
        mst_document *document = open_as(w.data, w.size, NULL, "L111LEV.MAP");
        one_file file = {with ? "111GFX.BIN" : NULL, textures.data, textures.size, 0};
        mst_resolver resolver = {.find = find_one, .user = &file};
        mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
        assert_true(assert_refused_scenes(document, &options) > 50 / sample_step());
        mst_close(document);
        writer_free(&w);
        writer_free(&textures);
        f.textures.page_count = 2;
        end(&f);
    }
}

/* ---- the real level ---------------------------------------------------------------------------- */

static const uint8_t *column_of(const mst_document *document, const char *list, const char *name,
                                mst_column *column) {
    mst_value value;
    MUST(mst_find(mst_root(document), list, &value, NULL), NULL);
    assert_true(mst_column_of(&value, name, column));
    return column->data;
}

/* The orientation of flat faces at the floor or ceiling of their cell. */
static void count_flat(const mst_scene *scene, const mst_document *document, size_t ways[2][2]) {
    mst_column floors, ceilings;
    column_of(document, "map.cells", "floor", &floors);
    column_of(document, "map.cells", "ceiling", &ceilings);
    memset(ways, 0, sizeof(size_t[2][2]));
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (node->role != MST_ROLE_GEOMETRY || strcmp(node->layer, "geometry") != 0 || node->mesh < 0)
            continue;
        const mst_primitive *p = scene->meshes[node->mesh].primitives;
        for (uint32_t n = 0; n < p->index_count; n += 3) {
            double normal[3], middle[3] = {0, 0, 0};
            mst_polygon_normal(p->positions, p->indices + n, 3, normal);
            for (uint32_t k = 0; k < 9; k++)
                middle[k % 3] += (double)p->positions[3 * p->indices[n + k / 3] + k % 3] / 3;
            double x = floor(middle[0] / 512 + 46), y = floor(middle[2] / 512 + 52.5);
            if (normal[0] != 0 || normal[2] != 0 || normal[1] == 0 || x < 0 || y < 0 || x > 91 || y > 104)
                continue;
            size_t cell = (size_t)y * 92 + (size_t)x;
            if (middle[1] == floors.data[cell * floors.stride] * 32.0)
                ways[0][normal[1] > 0]++;
            else if (middle[1] == ceilings.data[cell * ceilings.stride] * 32.0)
                ways[1][normal[1] > 0]++;
        }
    }
}

static bool same_floats(const float *a, const float *b, size_t count) {
    return (!a && !b) || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

/* Both byte orders give the same scene. */
static void assert_same_scenes(const mst_scene *a, const mst_scene *b) {
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->mesh_count, b->mesh_count);
    for (size_t i = 0; i < a->node_count; i++) {
        assert_string_equal(a->nodes[i].name, b->nodes[i].name);
        assert_memory_equal(a->nodes[i].translation, b->nodes[i].translation, sizeof(float[3]));
        assert_memory_equal(a->nodes[i].rotation, b->nodes[i].rotation, sizeof(float[4]));
    }
    for (size_t i = 0; i < a->mesh_count; i++)
        for (size_t k = 0; k < a->meshes[i].primitive_count; k++) {
            const mst_primitive *p = &a->meshes[i].primitives[k], *q = &b->meshes[i].primitives[k];
            assert_int_equal(p->vertex_count, q->vertex_count);
            assert_true(same_floats(p->positions, q->positions, 3 * (size_t)p->vertex_count));
            assert_true(same_floats(p->texcoords, q->texcoords, 2 * (size_t)p->vertex_count));
            assert_true(same_floats(p->colors, q->colors, 4 * (size_t)p->vertex_count));
        }
}

static void test_corpus(void **state) {
    (void)state;
    size_t size, twin_size, gfx_size;
    uint8_t *bytes = corpus_read("alien/L111LEV.MAP", &size);
    if (!bytes)
        return;
    uint8_t *twin = corpus_read("alien/L111LEV.big-endian.MAP", &twin_size),
            *gfx = corpus_read("alien/111GFX.BIN", &gfx_size);
    one_file file = {"111GFX.BIN", gfx, gfx_size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(bytes, size, "L111LEV.MAP", &options);
    assert_string_equal(scene->name, "L111 Entrance");
    assert_string_equal(text_of(&scene->extras, "textures"), "111GFX.BIN");
    assert_null(extra_of(&scene->extras, "faces_not_shown"));
    for (size_t i = 0; i < scene->material_count; i++) /* no texture is missing */
        assert_null(strstr(scene->materials[i].name, "texture_"));

    /* 11,265 faces besides the terminator, 285 of which are triangles (counted by an independent reader) */
    mst_document *document = open_as(bytes, size, NULL, NULL);
    mst_column vertices;
    column_of(document, "map.quads", "vertices", &vertices);
    assert_int_equal(vertices.count, 11266);
    size_t triangles = 0;
    for (uint64_t i = 0; i + 1 < vertices.count; i++)
        triangles += mst_column_u32(&vertices, i, 3) == UINT32_MAX;
    assert_int_equal(check_scene(scene, "geometry"), 2 * (11265 - triangles) + triangles);

    /* floors face up and ceilings down, with a few exceptions */
    size_t ways[2][2];
    count_flat(scene, document, ways);
    assert_true(ways[0][1] > 6000 && ways[0][0] < 20);
    assert_true(ways[1][0] > 5700 && ways[1][1] < 20);

    /* the grid is 92 x 105 cells; its last column and row are empty */
    mst_bounds b = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY);
    assert_near((double)b.minimum[0], -92);
    assert_near((double)b.maximum[0], 90);
    assert_near((double)b.minimum[2], -105);
    assert_near((double)b.maximum[2], 103);

    /* the header's counts */
    assert_int_equal(count_class(scene, "face_hugger") + count_class(scene, "warrior_drone"), 28);
    assert_int_equal(count_class(scene, "door"), 6);
    assert_int_equal(count_class(scene, "path_node"), 71);
    const mst_node *start = node_of(scene, "start");
    check_point(scene, start, (const double[3]){0, 0, 0}, (39 - 46) * 2 + 1, 0, (100 - 52.5) * 2 + 1);
    check_point(scene, start, (const double[3]){0, 0, 256}, (39 - 46) * 2 + 2, 0, (100 - 52.5) * 2 + 1);
    /* doors are between floors: their models reach down to the floor of their cell */
    const mst_node *door = node_of(scene, "door");
    check_point(scene, door, (const double[3]){0, 0, 0}, (42 - 46) * 2 + 1, 0, (99 - 52.5) * 2 + 1);

    mst_scene *other = scene_of_bytes(twin, twin_size, "L111LEV.MAP", &options);
    assert_same_scenes(scene, other);
    mst_scene_free(other);
    mst_scene_free(scene);
    mst_close(document);
    free(bytes);
    free(twin);
    free(gfx);
}

int test_alien_scene_things(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things),      cmocka_unit_test(test_models),
        cmocka_unit_test(test_triggers),    cmocka_unit_test(test_long_trigger),
        cmocka_unit_test(test_model_names), cmocka_unit_test(test_pages_of_other_shapes),
        cmocka_unit_test(test_solid),       cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_pieces),      cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
