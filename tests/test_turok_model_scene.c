/* SPDX-License-Identifier: MIT */
/* A Turok level with the models of its game's root: the parts shown, their materials and pictures, and the
 * reports about missing ones. */
#include "sfa_pair.h"
#include "turok_models_file.h"
#include <mapstone/mapstone.h>

/* A game's root in memory, and a level in it. */
typedef struct game {
    writer model, animation, picture;
    shelf files;
    mst_resolver resolver;
    mst_document *level;
} game;

static void edit(mst_document *document, const char *path, const char *value) {
    mst_diagnostic why;
    MUST(mst_set(document, path, value, &why), &why);
}

static void game_begin(game *g) {
    size_t size;
    mst_diagnostic why;
    memset(g, 0, sizeof *g);
    write_kex_model(&g->model);
    write_kex_animation(&g->animation);
    write_tga(&g->picture);
    shelf_put(&g->files, "models/lamp.bin", g->model.data, g->model.size);
    shelf_put(&g->files, "anims/lamp_anim.bin", g->animation.data, g->animation.size);
    shelf_put(&g->files, "materials/mat_lamp.kmat", (const uint8_t *)kex_lamp, sizeof kex_lamp - 1);
    shelf_put(&g->files, "materials/sub/mat_wall.kmat", (const uint8_t *)kex_wall, sizeof kex_wall - 1);
    shelf_put(&g->files, "textures/glass.tga", g->picture.data, g->picture.size);
    g->resolver = shelf_resolver(&g->files);
    uint8_t *text = read_whole("tests/fuzz/seeds/turok_map.json", &size);
    assert_non_null(text);
    MUST(mst_open_json((const char *)text, size, NULL, &g->level, &why), &why);
    free(text);
    edit(g->level, "grid_sections[0].models[0]", "models/lamp.bin");
    edit(g->level, "actors.models[0]", "models/lamp.bin");
    edit(g->level, "actors.animations[0]", "anims/lamp_anim.bin");
}

static void game_end(game *g) {
    mst_close(g->level);
    writer_free(&g->model);
    writer_free(&g->animation);
    writer_free(&g->picture);
}

static mst_scene *scene_of(game *g, const mst_scene_options *with) {
    mst_scene_options options = with ? *with : (mst_scene_options){.size = sizeof(mst_scene_options)};
    mst_scene *scene;
    mst_diagnostic why;
    options.sidecars = &g->resolver;
    MUST(mst_scene_from_document(g->level, &options, &scene, &why), &why);
    return scene;
}

/* NULL: there is none. */
static const mst_node *node_of(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (!strcmp(scene->nodes[i].name, name))
            return &scene->nodes[i];
    return NULL;
}

static const mst_mesh *mesh_of(const mst_scene *scene, const char *name) {
    const mst_node *node = node_of(scene, name);
    assert_non_null(node);
    assert_true(node->mesh >= 0);
    assert_int_equal(node->role, MST_ROLE_GEOMETRY);
    return &scene->meshes[node->mesh];
}

static const mst_extra *extra_of(const mst_node *node, const char *name) {
    for (size_t i = 0; i < node->extras.count; i++)
        if (!strcmp(node->extras.items[i].name, name))
            return &node->extras.items[i];
    fail_msg("%s has no %s", node->name, name);
    return NULL;
}

static const mst_material *material_of(const mst_scene *scene, const mst_mesh *mesh, size_t primitive) {
    return &scene->materials[mesh->primitives[primitive].material];
}

static void assert_floats(const float *found, unsigned count, const float *expected) {
    for (unsigned i = 0; i < count; i++)
        if (!(fabsf(found[i] - expected[i]) < 1e-5F))
            fail_msg("number %u is %g, not %g", i, (double)found[i], (double)expected[i]);
}
#define ASSERT_FLOATS(found, ...)                                                                            \
    assert_floats((found), sizeof((const float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

/* ---- shapes -------------------------------------------------------------------------------------- */

/* A static mesh is the first shape of the first node; an actor all nodes, in the first pose. */
static void shapes(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    mst_scene *scene = scene_of(&g, NULL);
    const mst_mesh *mesh = mesh_of(scene, "mesh_0_0"), *actor = mesh_of(scene, "actor_0_model");
    assert_null(node_of(scene, "box_0_0"));
    assert_null(node_of(scene, "actor_box_0"));
    assert_int_equal(mesh->primitive_count, 1);
    assert_int_equal(mesh->primitives[0].vertex_count, 4);
    assert_int_equal(mesh->primitives[0].index_count, 6);
    ASSERT_FLOATS(mesh->primitives[0].positions + 6, 2, 2, 0);
    ASSERT_FLOATS(mesh->primitives[0].texcoords + 4, 1, 0); /* v points down */
    ASSERT_FLOATS(mesh->primitives[0].normals, 0, 0, 1);
    assert_int_equal(actor->primitive_count, 3);
    /* node 0 is at (0, 0, 1), node 1 a quarter turn about z at (10, 0, 0) from it */
    ASSERT_FLOATS(actor->primitives[0].positions + 3, 2, 0, 1);
    ASSERT_FLOATS(actor->primitives[1].positions + 3, 10, 2, 5);
    ASSERT_FLOATS(actor->primitives[2].positions + 9, 8, 0, 9);
    const mst_node *node = node_of(scene, "actor_0_model"), *above = &scene->nodes[node->parent];
    assert_string_equal(above->name, "actor_0");
    assert_int_equal(above->role, MST_ROLE_ENTITY);
    assert_int_equal(extra_of(above, "model_resolved")->integer, 1);
    assert_string_equal(extra_of(above, "materials")->text,
                        "materials/mat_lamp/glass, materials/mat_lamp/metal, materials/sub/mat_wall/brick");
    assert_string_equal(extra_of(node_of(scene, "mesh_0_0"), "materials")->text, "materials/mat_lamp/glass");
    mst_scene_source source = mst_scene_triangle_source(scene, (size_t)(node - scene->nodes), 2, 1);
    char path[64];
    mst_scene_source_path(&source, path, sizeof path);
    assert_string_equal(path, "nodes[1].objects[0][1]");
    assert_string_equal(source.file, "models/lamp.bin");
    mst_scene_free(scene);
    game_end(&g);
}

/* Variants select the visible shapes, others show the first; without an animation all is at the origin. */
static void variants(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    edit(g.level, "actors.records[0].variant", "1");
    edit(g.level, "actors.animations[0]", "_morph");
    mst_scene *scene = scene_of(&g, NULL);
    const mst_mesh *actor = mesh_of(scene, "actor_0_model");
    assert_int_equal(actor->primitive_count, 2);
    ASSERT_FLOATS(actor->primitives[0].positions + 3, 2, 0, 4);
    mst_scene_free(scene);
    edit(g.level, "actors.records[0].variant", "9");
    edit(g.level, "actors.animations[0]", "anims/none_anim.bin");
    scene = scene_of(&g, NULL);
    assert_int_equal(mesh_of(scene, "actor_0_model")->primitive_count, 3);
    mst_scene_free(scene);
    game_end(&g);
}

/* Two with the same shape share it. */
static void sharing(void **state) {
    (void)state;
    game g;
    mst_diagnostic why;
    game_begin(&g);
    MUST(mst_insert(g.level, "grid_sections[0].static_meshes[1]", "{}", &why), &why);
    edit(g.level, "grid_sections[0].models[1]", "models/lamp.bin");
    mst_scene *scene = scene_of(&g, NULL);
    assert_ptr_equal(mesh_of(scene, "mesh_0_0"), mesh_of(scene, "mesh_0_1"));
    mst_scene_free(scene);
    game_end(&g);
}

/* Shapes that cannot be drawn are left out; empty ones have no mesh, and no box either. */
static void odd_shapes(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    mst_document *model;
    mst_open_options options = {.size = sizeof options, .name = "lamp.bin"};
    mst_diagnostic why;
    MUST(mst_open_memory(g.model.data, g.model.size, &options, &model, &why), &why);
    edit(model, "nodes[0].objects[0][0].triangles", "[[0, 1, 2], [0, 1, 9], [0, 2, 3]]");
    edit(model, "nodes[0].objects[0][0].vertices[3]",
         "{\"position\": [\"NaN\", 0, 0], \"uv\": [\"NaN\", \"NaN\"], \"normal\": [0, 0, 0]}");
    edit(model, "nodes[1].variants[0]", "5");
    edit(model, "nodes[0].children", "[]");
    size_t size;
    g.files.files[0].data = mst_document_file(model, 0, NULL, &size);
    g.files.files[0].size = size;
    mst_scene *scene = scene_of(&g, NULL);
    const mst_primitive *part = mesh_of(scene, "actor_0_model")->primitives;
    assert_int_equal(mesh_of(scene, "actor_0_model")->primitive_count, 1);
    assert_int_equal(part->index_count, 3);
    ASSERT_FLOATS(part->positions + 9, 0, 0, 0);
    ASSERT_FLOATS(part->normals + 9, 0, 0, 1);
    ASSERT_FLOATS(part->texcoords + 6, 0, 0);
    mst_scene_free(scene);
    edit(model, "nodes[0].objects[0][0].triangles", "[[0, 1, 9]]");
    g.files.files[0].data = mst_document_file(model, 0, NULL, &size);
    g.files.files[0].size = size;
    scene = scene_of(&g, NULL);
    assert_null(node_of(scene, "actor_0_model"));
    assert_null(node_of(scene, "actor_box_0"));
    assert_int_equal(node_of(scene, "mesh_0_0")->mesh, -1);
    assert_int_equal(extra_of(node_of(scene, "mesh_0_0"), "model_resolved")->integer, 1);
    mst_scene_free(scene);
    mst_close(model);
    game_end(&g);
}

/* Nodes in a loop, or below two, are shown anyway. */
static void odd_trees(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    mst_store16(g.model.data + 44, 0, false); /* node 0 is its own child, node 1 has no parent */
    mst_scene *scene = scene_of(&g, NULL);
    const mst_mesh *actor = mesh_of(scene, "actor_0_model");
    assert_int_equal(actor->primitive_count, 3);
    ASSERT_FLOATS(actor->primitives[1].positions + 3, 10, 2, 4);
    mst_scene_free(scene);
    /* an invalid rotation and position */
    mst_document *animation;
    mst_open_options options = {.size = sizeof options, .name = "a_anim.bin"};
    mst_diagnostic why;
    size_t size;
    MUST(mst_open_memory(g.animation.data, g.animation.size, &options, &animation, &why), &why);
    edit(animation, "animations[0].rotations[0]", "[0, 0, 0, 0]");
    edit(animation, "animations[0].translations[0]", "[\"NaN\", 0, 0]");
    g.files.files[1].data = mst_document_file(animation, 0, NULL, &size);
    g.files.files[1].size = size;
    scene = scene_of(&g, NULL);
    ASSERT_FLOATS(mesh_of(scene, "actor_0_model")->primitives[1].positions + 3, 2, 0, 4);
    mst_scene_free(scene);
    edit(animation, "animations[0].tracks[1]", "{\"translation\": 9, \"rotation\": 9}");
    g.files.files[1].data = mst_document_file(animation, 0, NULL, &size);
    scene = scene_of(&g, NULL);
    ASSERT_FLOATS(mesh_of(scene, "actor_0_model")->primitives[1].positions + 3, 7, 5, 9);
    mst_scene_free(scene);
    mst_close(animation);
    static const uint8_t empty[8] = {1};
    g.files.files[1] = (shelf_file){"anims/lamp_anim.bin", empty, sizeof empty};
    scene = scene_of(&g, NULL);
    ASSERT_FLOATS(mesh_of(scene, "actor_0_model")->primitives[1].positions + 3, 2, 0, 4);
    mst_scene_free(scene);
    game_end(&g);
}

/* ---- looks --------------------------------------------------------------------------------------- */

static void looks(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    mst_scene *scene = scene_of(&g, NULL);
    const mst_mesh *actor = mesh_of(scene, "actor_0_model");
    const mst_material *glass = material_of(scene, actor, 0), *metal = material_of(scene, actor, 1),
                       *brick = material_of(scene, actor, 2);
    assert_string_equal(glass->name, "materials/mat_lamp/glass");
    ASSERT_FLOATS(glass->color, 1, 0.2140411F, 0, 0.25F);
    assert_int_equal(glass->alpha_mode, MST_ALPHA_BLEND);
    assert_int_equal(glass->wrap_s, MST_WRAP_MIRROR);
    assert_int_equal(glass->wrap_t, MST_WRAP_MIRROR);
    assert_true(glass->nearest && glass->double_sided && !glass->unlit);
    const mst_image *image = &scene->images[glass->image];
    static const uint8_t top[8] = {255, 0, 0, 255, 7, 8, 9, 6}, bottom[8] = {0, 0, 255, 255, 0, 255, 0, 128};
    assert_string_equal(image->name, "textures/glass.tga");
    assert_int_equal(image->pixels.width, 2);
    assert_memory_equal(image->pixels.data, top, sizeof top);
    assert_memory_equal(image->pixels.data + 8, bottom, sizeof bottom);
    assert_int_equal(metal->image, -1); /* _white has the lower unit */
    ASSERT_FLOATS(metal->color, 1, 1, 1, 1);
    assert_true(metal->unlit && !metal->double_sided && !metal->nearest);
    assert_int_equal(metal->alpha_mode, MST_ALPHA_OPAQUE);
    assert_int_equal(brick->alpha_mode, MST_ALPHA_MASK);
    ASSERT_FLOATS(&brick->alpha_cutoff, 0.25F);
    assert_string_equal(scene->images[brick->image].name, "placeholder");
    mst_scene_free(scene);
    game_end(&g);
}

static void other_looks(void **state) {
    (void)state;
    static const struct {
        const char *text;
        float red;
        int alpha, image; /* image: -1 none, 1 the placeholder; -2: nothing is drawn */
    } all[] = {
        {"material glass { nodraw }", 0, 0, -2},
        {"material glass { blend }", 1, MST_ALPHA_BLEND, -1},
        {"material glass { blend sort masked }", 1, MST_ALPHA_MASK, -1},
        {"material glass { sort water sort default }", 1, MST_ALPHA_OPAQUE, -1},
        {"material glass { sampler \"diffuse\" 0 \"_black\" }", 0, MST_ALPHA_OPAQUE, -1},
        {"material glass { sampler \"diffuse\" 0 \"_default\" }", 1, MST_ALPHA_OPAQUE, 1},
        {"material glass { sampler \"diffuse\" 0 \"_depthbuffer\" }", 1, MST_ALPHA_OPAQUE, -1},
        {"material glass { sampler \"normal\" 0 \"textures/glass.tga\" }", 1, MST_ALPHA_OPAQUE, -1},
        {"material glass { sampler \"diffuse\" 0 \"../textures/glass.tga\" }", 1, MST_ALPHA_OPAQUE, 1},
        {"material glass { sampler \"diffuse\" -1 \"textures/glass.tga\" }", 1, MST_ALPHA_OPAQUE, -1},
        {"material glass { color_diffuse \"2 -1 0 1\" }", 1, MST_ALPHA_OPAQUE, -1},
        {"material glass { color_diffuse \"red\" }", 1, MST_ALPHA_OPAQUE, -1},
        {"material other { }", 0.21F, MST_ALPHA_OPAQUE, -1},
        {"other glass material glass { alphamask 7 }", 1, MST_ALPHA_OPAQUE, -1},
        {"material glass {", 0.21F, MST_ALPHA_OPAQUE, -1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        game g;
        game_begin(&g);
        g.files.files[2] =
            (shelf_file){"materials/mat_lamp.kmat", (const uint8_t *)all[i].text, strlen(all[i].text)};
        mst_scene *scene = scene_of(&g, NULL);
        if (all[i].image == -2) {
            assert_int_equal(node_of(scene, "mesh_0_0")->mesh, -1);
        } else {
            const mst_material *glass = material_of(scene, mesh_of(scene, "mesh_0_0"), 0);
            if (!(fabsf(glass->color[0] - all[i].red) < 1e-5F) || (int)glass->alpha_mode != all[i].alpha ||
                (glass->image >= 0) != (all[i].image == 1))
                fail_msg("%s: %g, %d, %d", all[i].text, (double)glass->color[0], (int)glass->alpha_mode,
                         (int)glass->image);
        }
        mst_scene_free(scene);
        game_end(&g);
    }
}

/* Without textures, with smaller ones, and without any search. */
static void options(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    mst_scene *scene =
        scene_of(&g, &(mst_scene_options){.size = sizeof(mst_scene_options), .no_textures = 1});
    assert_int_equal(scene->image_count, 0);
    mst_scene_free(scene);
    scene = scene_of(&g, &(mst_scene_options){.size = sizeof(mst_scene_options), .max_texture = 1});
    const mst_material *glass = material_of(scene, mesh_of(scene, "mesh_0_0"), 0);
    assert_int_equal(scene->images[glass->image].pixels.width, 1);
    mst_scene_free(scene);
    scene = scene_of(&g, &(mst_scene_options){.size = sizeof(mst_scene_options), .no_assets = 1});
    assert_int_equal(node_of(scene, "mesh_0_0")->mesh, -1);
    assert_non_null(node_of(scene, "box_0_0"));
    for (size_t i = 0; i < node_of(scene, "mesh_0_0")->extras.count; i++)
        assert_string_not_equal(node_of(scene, "mesh_0_0")->extras.items[i].name, "model_resolved");
    mst_scene_free(scene);
    game_end(&g);
}

/* A model that is missing or damaged is a box, as without the game. */
static void missing(void **state) {
    (void)state;
    for (unsigned damaged = 0; damaged < 2; damaged++) {
        game g;
        game_begin(&g);
        if (damaged)
            g.files.files[0].size = 50;
        else
            g.files.files[0].name = "models/else.bin";
        mst_scene *scene = scene_of(&g, NULL);
        assert_int_equal(node_of(scene, "mesh_0_0")->mesh, -1);
        for (size_t i = 0; i < node_of(scene, "mesh_0_0")->extras.count; i++)
            assert_string_not_equal(node_of(scene, "mesh_0_0")->extras.items[i].name, "model_resolved");
        assert_int_equal(node_of(scene, "box_0_0")->role, MST_ROLE_HELPER);
        assert_non_null(node_of(scene, "actor_box_0"));
        mst_scene_free(scene);
        game_end(&g);
    }
}

/* If models were found, nodes report the missing ones. */
static void partly_missing(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    edit(g.level, "grid_sections[0].models[0]", "models/else.bin");
    mst_scene *scene = scene_of(&g, NULL);
    assert_int_equal(extra_of(node_of(scene, "mesh_0_0"), "model_resolved")->integer, 0);
    assert_string_equal(extra_of(node_of(scene, "mesh_0_0"), "materials")->text, "");
    assert_int_equal(extra_of(node_of(scene, "actor_0"), "model_resolved")->integer, 1);
    assert_non_null(node_of(scene, "box_0_0"));
    assert_null(node_of(scene, "actor_box_0"));
    mst_scene_free(scene);
    game_end(&g);
}

/* A model alone, in the pose of the animation with the matching name. */
static void alone(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++) {
        game g;
        mst_document *model;
        mst_scene *scene;
        mst_diagnostic why;
        game_begin(&g);
        const char *name = kind == 2 ? NULL : "lamp.bin";
        mst_open_options opening = {.size = sizeof opening, .name = name, .format = "turok-model"};
        mst_scene_options making = {.size = sizeof making, .sidecars = kind ? NULL : &g.resolver};
        MUST(mst_open_memory(g.model.data, g.model.size, &opening, &model, &why), &why);
        MUST(mst_scene_from_document(model, &making, &scene, &why), &why);
        const mst_mesh *mesh = mesh_of(scene, name ? "lamp" : "model");
        assert_int_equal(mesh->primitive_count, 3);
        ASSERT_FLOATS(mesh->primitives[1].positions + 3, kind ? 2 : 10, kind ? 0 : 2, kind ? 4 : 5);
        assert_int_equal(scene->object, MST_OBJECT_BODY);
        mst_scene_free(scene);
        mst_close(model);
        game_end(&g);
    }
}

/* ---- missing files ------------------------------------------------------------------------------- */

static void findings_of(game *g, const mst_document *document, char codes[400]) {
    findings list = {0};
    mst_diagnostic why;
    mst_check_options how = {.size = sizeof how, .sidecars = &g->resolver, .assets = 1};
    MUST(mst_check(document, &how, collect, &list, NULL, &why), &why);
    codes[0] = 0;
    for (size_t i = 0; i < list.count; i++)
        if (!strncmp(list.items[i].code, "TUROK-MODEL-", 12))
            snprintf(codes + strlen(codes), 400 - strlen(codes), "%s %s %s\n", list.items[i].code,
                     list.items[i].path, list.items[i].expected);
    findings_free(&list);
}

static void findings_of_files(void **state) {
    (void)state;
    static const char none[] = "material other { sampler \"diffuse\" 0 \"textures/unused.png\" }";
    char codes[400];
    game g;
    game_begin(&g);
    findings_of(&g, g.level, codes);
    assert_string_equal(codes, "TUROK-MODEL-TEXTURE  textures/gone.png, for materials/sub/mat_wall.kmat\n");
    g.files.files[4].name = "textures/gone.png";
    findings_of(&g, g.level, codes);
    assert_string_equal(codes, "TUROK-MODEL-TEXTURE  textures/glass.tga, for materials/mat_lamp.kmat\n");
    g.files.files[2] = (shelf_file){"materials/mat_lamp.kmat", (const uint8_t *)none, sizeof none - 1};
    findings_of(&g, g.level, codes);
    assert_string_equal(codes, "TUROK-MODEL-MATERIAL  materials/mat_lamp/glass, for models/lamp.bin\n"
                               "TUROK-MODEL-MATERIAL  materials/mat_lamp/metal, for models/lamp.bin\n");
    g.files.files[2].name = "materials/else.kmat";
    findings_of(&g, g.level, codes);
    assert_string_equal(codes, "TUROK-MODEL-KMAT  materials/mat_lamp.kmat, for models/lamp.bin\n");
    g.files.files[1].name = "anims/else.bin";
    g.files.files[0].name = "models/else.bin";
    findings_of(&g, g.level, codes);
    assert_string_equal(codes, "TUROK-MODEL-MISSING grid_sections[0].models[0] models/lamp.bin\n"
                               "TUROK-MODEL-ANIMATION actors.animations[0] anims/lamp_anim.bin\n");
    /* a model and materials alone */
    mst_document *document;
    mst_diagnostic why;
    mst_open_options opening = {.size = sizeof opening, .name = "lamp.bin"};
    MUST(mst_open_memory(g.model.data, g.model.size, &opening, &document, &why), &why);
    findings_of(&g, document, codes);
    assert_string_equal(codes, "TUROK-MODEL-KMAT nodes[0].objects[0][0].material materials/mat_lamp.kmat\n");
    mst_close(document);
    MUST(mst_open_memory(none, sizeof none - 1, NULL, &document, &why), &why);
    findings_of(&g, document, codes);
    assert_string_equal(codes,
                        "TUROK-MODEL-TEXTURE materials[0].items[0].values[2].text textures/unused.png\n");
    mst_close(document);
    game_end(&g);
}

/* Every request for memory is refused, with all after it. */
static void memory(void **state) {
    (void)state;
    game g;
    game_begin(&g);
    bool made = false;
    for (size_t fail_at = 1; !made; fail_at += sample_step()) {
        counted c = {.fail_at = fail_at, .for_good = true};
        mst_scene_options how = {
            .size = sizeof how, .allocator = counted_allocator(&c), .sidecars = &g.resolver};
        mst_scene *scene = NULL;
        mst_status status = mst_scene_from_document(g.level, &how, &scene, NULL);
        made = !c.failed;
        assert_true(made ? status == MST_OK : status == MST_NO_MEMORY);
        mst_scene_free(scene);
        assert_int_equal(c.blocks, 0);
    }
    game_end(&g);
}

int test_turok_model_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),      cmocka_unit_test(variants),       cmocka_unit_test(sharing),
        cmocka_unit_test(odd_shapes),  cmocka_unit_test(odd_trees),      cmocka_unit_test(looks),
        cmocka_unit_test(other_looks), cmocka_unit_test(options),        cmocka_unit_test(missing),
        cmocka_unit_test(alone),       cmocka_unit_test(partly_missing), cmocka_unit_test(findings_of_files),
        cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
