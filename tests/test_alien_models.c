/* SPDX-License-Identifier: MIT */
/* Files of models of Alien Trilogy alone, as scenes. */
#include "alien_graphics.h"
#include "alien_scene.h"

static mst_scene *scene_of_models(const char *name, const char *file, const alien_textures *t) {
    writer models = {0}, textures = {0};
    write_alien_models(&models);
    if (t)
        write_alien_textures(&textures, t, false);
    one_file found = {file, textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &found};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(models.data, models.size, name, &options);
    writer_free(&models);
    writer_free(&textures);
    return scene;
}

static const mst_material *material_of(const mst_scene *scene, const char *model) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (!strcmp(scene->nodes[i].name, model) && scene->nodes[i].mesh >= 0)
            return &scene->materials[scene->meshes[scene->nodes[i].mesh].primitives[0].material];
    fail_msg("%s has no mesh", model);
    return NULL;
}

static void models_stand_side_by_side(void **state) {
    (void)state;
    mst_scene *scene = scene_of_models("SOME.BND", NULL, NULL);
    assert_int_equal(scene->object, MST_OBJECT_BODY);
    assert_string_equal(scene->name, "SOME");
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->mesh_count, 2);
    char path[32];
    for (size_t i = 0; i < 2; i++) {
        const mst_node *node = &scene->nodes[i + 1];
        assert_string_equal(node->name, i ? "M003" : "M000");
        mst_scene_source_path(&node->source, path, sizeof path);
        assert_string_equal(path, i ? "models[1]" : "models[0]");
        assert_true(node->translation[0] == (i ? 128.0F + 64.0F : 0.0F)); /* its quad's width, and a gap */
        assert_int_equal(scene->meshes[i].primitives[0].index_count, 6);
    }
    assert_true(scene->nodes[0].scale[0] == 1 / 256.0F);
    assert_memory_equal(material_of(scene, "M000")->name, "texture_", 8);
    mst_scene_free(scene);
}

/* Pickups show pages of one file, boxes of several: the number decides which. */
static void textures_are_those_of_the_file(void **state) {
    (void)state;
    static const struct {
        const char *name, *file, *first, *other;
    } cases[] = {{"PICKMOD.BND", "GFX/PICKGFX.BND", "pickups_page_", "pickups_page_"},
                 {"pickmod.bnd", "PICKGFX.BND", "pickups_page_", "pickups_page_"},
                 {"OBJ3D.BND", "PICKGFX.BND", "pickups_page_", "texture_"},
                 {"OBJ3D.BND", "LANGUAGE/PNL0GFXG.BND", "texture_", "panel_0_page_"},
                 {"OBJ3D.BND", "PNL1GFXE.BND", "texture_", "texture_"},
                 {"OPTOBJ.BND", "PICKGFX.BND", "texture_", "texture_"}};
    fixture f = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_scene *scene = scene_of_models(cases[i].name, cases[i].file, &f.textures);
        assert_memory_equal(material_of(scene, "M000")->name, cases[i].first, strlen(cases[i].first));
        assert_memory_equal(material_of(scene, "M003")->name, cases[i].other, strlen(cases[i].other));
        mst_scene_free(scene);
    }
    end(&f);
}

/* A texture of the menu's model n belongs to list BXnn, not to all lists. */
static void textures_of_the_menu(void **state) {
    (void)state;
    static const struct {
        const char *model, *materials[2];
    } cases[] = {{"M000", {"menu_page_0", "menu_page_0"}},
                 {"M001", {"menu_page_1", "menu_page_0"}},
                 {"M003", {"texture_0", "texture_1"}}};
    fixture f = begin();
    writer models = {0}, textures = {0};
    begin_alien_form(&models, "0003");
    for (size_t i = 0; i < 3; i++)
        put_alien_object(&models, cases[i].model, 1);
    end_alien_form(&models);
    write_alien_textures(&textures, &f.textures, false);
    one_file found = {"GFX/OPTGFX.BND", textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &found};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(models.data, models.size, "OPTOBJ.BND", &options);
    for (size_t i = 0; i < 3; i++) {
        const mst_mesh *mesh = &scene->meshes[scene->nodes[i + 1].mesh];
        size_t seen = 0;
        for (size_t p = 0; p < mesh->primitive_count; p++)
            for (size_t k = 0; k < 2; k++)
                if (strncmp(scene->materials[mesh->primitives[p].material].name, cases[i].materials[k],
                            strlen(cases[i].materials[k])) == 0)
                    seen |= (size_t)1 << k;
        assert_int_equal(seen, 3);
    }
    mst_scene_free(scene);
    writer_free(&models);
    writer_free(&textures);
    end(&f);
}

int test_alien_models(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_stand_side_by_side),
        cmocka_unit_test(textures_are_those_of_the_file),
        cmocka_unit_test(textures_of_the_menu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
