/* SPDX-License-Identifier: MIT */
/* Monsters, pickups and boxes of Alien Trilogy drawn from the game's files: which files, where and how large
 * they are, and the reports about missing ones. */
#include "../src/read/opened.h"
#include "alien_graphics.h"
#include "alien_scene.h"
#include "thorough.h"
#include <mapstone/asset.h>
#include <mapstone/scene.h>

/* ---- the game's files ---------------------------------------------------------------------------- */

typedef struct game_file {
    const char *name;
    writer bytes;
} game_file;
#define FILES 8
typedef struct game {
    game_file files[FILES];
    size_t count;
} game;

static mst_status find_in_game(void *user, const char *name, const void **bytes, size_t *size) {
    const game *g = user;
    for (size_t i = 0; i < g->count; i++)
        if (strcmp(g->files[i].name, name) == 0) {
            *bytes = g->files[i].bytes.data;
            *size = g->files[i].bytes.size;
            return MST_OK;
        }
    return MST_NO_PATH;
}

static writer *add_file(game *g, const char *name) {
    assert_true(g->count < FILES);
    g->files[g->count] = (game_file){.name = name};
    return &g->files[g->count++].bytes;
}

/* A frame of 48 x 40, which animation 4 of the hugger has. */
static void add_hugger(game *g, const char *name) {
    writer *w = add_file(g, name);
    uint8_t pixels[48 * 40];
    alien_pattern(pixels, 48, 40, 1);
    pixels[0] = 0;
    begin_alien_form(w, "0001");
    put_alien_section(w, "F003", pixels, sizeof pixels);
    end_alien_form(w);
}

static void add_models(game *g, const char *name, const char *first, const char *second) {
    writer *w = add_file(g, name);
    begin_alien_form(w, "0002");
    put_alien_object(w, first, 1);
    put_alien_object(w, second, 1);
    end_alien_form(w);
}

static void add_textures(game *g, const char *name, const alien_textures *t) {
    write_alien_textures(add_file(g, name), t, false);
}

/* The level's textures; a hugger, the barrel's model and the medi kit's. */
static void begin_game(game *g, const fixture *f) {
    *g = (game){.count = 0};
    add_textures(g, "111GFX.BIN", &f->textures);
    add_hugger(g, "NME/HUGGER.BND");
    add_models(g, "GFX/OBJ3D.BND", "M000", "M001");
    add_models(g, "GFX/PICKMOD.BND", "M020", "M021");
    add_textures(g, "GFX/PICKGFX.BND", &f->textures);
}
static void end_game(game *g) {
    for (size_t i = 0; i < g->count; i++)
        writer_free(&g->files[i].bytes);
}

static mst_scene *scene_in(game *g, const alien_level *l, const char *name) {
    writer level = {0};
    mst_resolver resolver = {.find = find_in_game, .user = g};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    write_alien_level(&level, l, false);
    mst_scene *scene = scene_of_bytes(level.data, level.size, name, &options);
    writer_free(&level);
    return scene;
}

/* The child that shows a thing; NULL: it has a marker. */
static const mst_node *shown_as(const mst_scene *scene, const char *class_name) {
    const mst_node *thing = node_of(scene, class_name);
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].parent == thing - scene->nodes)
            return &scene->nodes[i];
    return NULL;
}

/* ---- scenes -------------------------------------------------------------------------------------- */

static void things_are_drawn(void **state) {
    (void)state;
    fixture f = begin();
    game g;
    begin_game(&g, &f);
    mst_scene *scene = scene_in(&g, f.level, "L111LEV.MAP");
    const mst_node *hugger = shown_as(scene, "face_hugger");
    assert_non_null(hugger);
    assert_int_equal(hugger->role, MST_ROLE_GEOMETRY);
    assert_string_equal(hugger->layer, "monsters");
    assert_string_equal(hugger->name, "HUGGER");
    const mst_primitive *quad = scene->meshes[hugger->mesh].primitives;
    assert_int_equal(quad->vertex_count, 4);
    /* 8.34375 units a pixel; 48 x 40 at -20, -36 of the anchor, y down */
    assert_near((double)quad->positions[0], 8.34375 * -20);
    assert_near((double)quad->positions[1], 8.34375 * -4);
    assert_near((double)quad->positions[6], 8.34375 * 28);
    assert_near((double)quad->positions[7], 8.34375 * 36);
    assert_near((double)quad->texcoords[0], 0);
    assert_near((double)quad->texcoords[1], 1);
    assert_near((double)quad->texcoords[4], 1);
    assert_near((double)quad->texcoords[5], 0);
    const mst_material *material = &scene->materials[quad->material];
    assert_true(material->double_sided && material->unlit && material->nearest);
    assert_int_equal(material->alpha_mode, MST_ALPHA_MASK);
    /* the colours of the level's first page; index 0 is transparent */
    const mst_image *image = &scene->images[material->image];
    assert_int_equal(image->pixels.width, 48);
    assert_int_equal(image->pixels.data[3], 0);
    const uint8_t *pixel = image->pixels.data + 4 * 48;
    assert_int_equal(pixel[0], (13 % 32) * 8 + (13 % 32) / 4); /* 11 + 1 + 1 */
    assert_int_equal(pixel[1], (13 / 8) * 8);
    assert_int_equal(pixel[3], 255);
    /* others, whose files are missing, have markers of their height */
    assert_null(shown_as(scene, "warrior_drone"));
    const mst_primitive *marker = scene->meshes[node_of(scene, "warrior_drone")->mesh].primitives;
    float low = 1e9F, high = -1e9F, right = -1e9F;
    for (uint32_t i = 0; i < marker->vertex_count; i++) {
        low = marker->positions[3 * i + 1] < low ? marker->positions[3 * i + 1] : low;
        high = marker->positions[3 * i + 1] > high ? marker->positions[3 * i + 1] : high;
        right = marker->positions[3 * i] > right ? marker->positions[3 * i] : right;
    }
    assert_near((double)low, 0);
    assert_near((double)high, 768);
    assert_near((double)right, 128);
    /* models, with textures of their own file */
    const mst_node *barrel = shown_as(scene, "barrel"), *kit = shown_as(scene, "medi_kit");
    assert_string_equal(barrel->name, "OBJ3D_M000");
    assert_string_equal(kit->name, "PICKMOD_M020");
    const mst_mesh *mesh = &scene->meshes[barrel->mesh];
    assert_int_equal(mesh->primitive_count, 2); /* one of the textures has holes */
    const mst_primitive *faces = &mesh->primitives[mesh->primitives[0].vertex_count == 4 ? 0 : 1];
    assert_int_equal(strncmp(scene->materials[faces->material].name, "pickups_page_0", 14), 0);
    assert_int_equal(faces->vertex_count, 4);
    assert_near((double)faces->positions[6], 128);
    assert_near((double)faces->positions[7], 256);
    /* the triangles are the box */
    mst_scene_source source = mst_scene_triangle_source(scene, (size_t)(barrel - scene->nodes), 0, 0);
    assert_string_equal(source.path, "map.boxes");
    assert_int_equal(source.index, 0);
    /* a switch whose model is missing is a crate */
    assert_string_equal(shown_as(scene, "small_switch_with_lightning")->name, "OBJ3D_M001");
    mst_scene_free(scene);
    end_game(&g);
    end(&f);
}

static void types_choose_models(void **state) {
    (void)state;
    static const struct {
        uint8_t type;
        const char *model; /* in chapter 1, in chapter 3; NULL: a part of the level */
        const char *later;
    } boxes[] = {{20, "M001", "M041"}, {21, NULL, NULL},     {22, "M011", "M027"}, {23, "M000", "M000"},
                 {24, "M003", "M019"}, {25, "M002", "M002"}, {26, "M015", "M031"}, {27, "M007", "M023"},
                 {28, NULL, NULL},     {29, NULL, NULL},     {32, "M040", "M040"}, {33, "M035", "M035"},
                 {37, "M039", "M039"}, {5, "M001", "M001"},  {99, "M001", "M001"}};
    fixture f = begin();
    f.level->box_count = 1;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        for (int later = 0; later < 2; later++) {
            const char *model = later ? boxes[i].later : boxes[i].model;
            game g = {.count = 0};
            char name[32] = "none";
            add_models(&g, "OBJ3D.BND", model ? model : "M001", "M034"); /* next to the level */
            f.level->boxes[0].type = boxes[i].type;
            mst_scene *scene = scene_in(&g, f.level, later ? "L311LEV.MAP" : "L111LEV.MAP");
            const mst_node *box = NULL;
            for (size_t n = 0; n < scene->node_count; n++)
                if (strncmp(scene->nodes[n].name, "OBJ3D_", 6) == 0)
                    box = &scene->nodes[n];
            assert_int_equal(box != NULL, model != NULL);
            if (model)
                snprintf(name, sizeof name, "OBJ3D_%s", model);
            if (box)
                assert_string_equal(box->name, name);
            mst_scene_free(scene);
            end_game(&g);
        }
    /* the second derm patch looks like the first; type 5 has no model, others have their own */
    static const struct {
        uint8_t type;
        const char *model;
    } pickups[] = {{0, "M000"}, {5, NULL}, {24, "M021"}, {27, "M027"}, {28, NULL}};
    for (size_t i = 0; i < sizeof pickups / sizeof *pickups; i++) {
        game g = {.count = 0};
        char name[32] = "none";
        add_models(&g, "GFX/PICKMOD.BND", "M005", pickups[i].model ? pickups[i].model : "M024");
        f.level->pickups[0].type = pickups[i].type;
        mst_scene *scene = scene_in(&g, f.level, "L111LEV.MAP");
        const mst_node *pickup = NULL;
        for (size_t n = 0; n < scene->node_count; n++)
            if (strncmp(scene->nodes[n].name, "PICKMOD_", 8) == 0)
                pickup = &scene->nodes[n];
        assert_int_equal(pickup != NULL, pickups[i].model != NULL);
        if (pickups[i].model)
            snprintf(name, sizeof name, "PICKMOD_%s", pickups[i].model);
        if (pickup)
            assert_string_equal(pickup->name, name);
        mst_scene_free(scene);
        end_game(&g);
    }
    end(&f);
}

/* Hanging monsters are at the ceiling; a light dims the things in its cell. */
static void monsters_hang_and_are_lit(void **state) {
    (void)state;
    fixture f = begin();
    game g;
    begin_game(&g, &f);
    add_hugger(&g, "WARCEIL.BND"); /* of another size than the game's */
    f.level->monsters[1].type = 8; /* in cell (2, 1): floor 4, ceiling 32, light 2, which is off */
    mst_scene *scene = scene_in(&g, f.level, "L111LEV.MAP");
    const mst_node *hanging = shown_as(scene, "ceiling_warrior_drone");
    assert_non_null(hanging);
    assert_near((double)hanging->translation[1], (32 - 4) * 32);
    const mst_primitive *quad = scene->meshes[hanging->mesh].primitives;
    assert_near((double)quad->positions[1], 10 * -40);
    assert_near((double)quad->positions[7], 0);
    assert_near((double)quad->positions[0], 10 * -24);
    assert_near((double)quad->colors[0], pow((96 / 255.0 + 0.055) / 1.055, 2.4));
    assert_near((double)quad->colors[3], 1);
    mst_scene_free(scene);
    end_game(&g);
    end(&f);
}

/* Damaged files, files of another kind and empty ones are treated like missing ones. */
static void damaged_files_are_left_out(void **state) {
    (void)state;
    fixture f = begin();
    for (int i = 0; i < 3; i++) {
        game g;
        begin_game(&g, &f);
        for (size_t k = 1; k < g.count; k++) {
            if (i == 0)
                g.files[k].bytes.size /= 2;
            if (i == 1)
                g.files[k].bytes.data[0] = 'f';
            if (i == 2)
                g.files[k].bytes.size = 0;
        }
        mst_scene *scene = scene_in(&g, f.level, "L111LEV.MAP");
        assert_null(shown_as(scene, "face_hugger"));
        assert_null(shown_as(scene, "medi_kit"));
        assert_null(shown_as(scene, "barrel"));
        assert_true(node_of(scene, "barrel")->mesh >= 0);
        mst_scene_free(scene);
        end_game(&g);
    }
    end(&f);
}

static void memory_can_end(void **state) {
    (void)state;
    fixture f = begin();
    game g;
    writer level = {0};
    f.textures.page_count = 1;
    free(f.textures.pages[1].pixels);
    f.textures.pages[1].pixels = NULL;
    begin_game(&g, &f);
    write_alien_level(&level, f.level, false);
    mst_document *document = open_as(level.data, level.size, NULL, "L111LEV.MAP");
    mst_resolver resolver = {.find = find_in_game, .user = &g};
    counted c = {0};
    mst_scene_options options = {
        .size = sizeof options, .sidecars = &resolver, .allocator = counted_allocator(&c)};
    bool failed = true;
    for (size_t call = 1; failed && call < 10000; call++) {
        mst_scene *scene = NULL;
        c = (counted){.fail_at = call, .for_good = true};
        mst_status status = mst_scene_from_document(document, &options, &scene, NULL);
        failed = c.failed;
        if (status == MST_OK)
            mst_scene_free(scene);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    assert_false(failed);
    mst_close(document);
    writer_free(&level);
    end_game(&g);
    end(&f);
}

/* ---- names and checks ---------------------------------------------------------------------------- */

static void files_are_named(void **state) {
    (void)state;
    static const struct {
        const char *name;
        mst_asset_kind kind;
        mst_asset_state state;
        const char *path;
    } expected[] = {{"111GFX.BIN", MST_ASSET_TEXTURE, MST_ASSET_FOUND, "map.quads"},
                    {"NME/HUGGER.BND", MST_ASSET_PICTURE, MST_ASSET_FOUND, "map.monsters[0].type"},
                    {"NME/WAR.BND", MST_ASSET_PICTURE, MST_ASSET_MISSING, "map.monsters[1].type"},
                    {"GFX/PICKMOD.BND", MST_ASSET_MODEL, MST_ASSET_FOUND, "map.pickups[0].type"},
                    {"GFX/PICKGFX.BND", MST_ASSET_PICTURE, MST_ASSET_FOUND, "map.pickups[0].type"},
                    {"GFX/OBJ3D.BND", MST_ASSET_MODEL, MST_ASSET_UNREADABLE, "map.boxes[0].type"},
                    {"LANGUAGE/PNL0GFXE.BND", MST_ASSET_PICTURE, MST_ASSET_MISSING, "map.boxes[1].type"}};
    fixture f = begin();
    game g;
    writer level = {0};
    mst_diagnostic why;
    begin_game(&g, &f);
    g.files[2].bytes.size /= 2; /* OBJ3D */
    write_alien_level(&level, f.level, false);
    mst_document *d = open_as(level.data, level.size, NULL, "L111LEV.MAP");
    mst_resolver resolver = {.find = find_in_game, .user = &g};
    mst_assets *assets;
    MUST(mst_assets_of((const mst_document *const *)&d, 1, &resolver, &assets, &why), &why);
    assert_int_equal(assets->count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(assets->items[i].name, expected[i].name);
        assert_string_equal(assets->items[i].path, expected[i].path);
        assert_int_equal(assets->items[i].kind, expected[i].kind);
        assert_int_equal(assets->items[i].state, expected[i].state);
    }
    mst_assets_free(assets);
    /* findings, on request */
    findings list = {0};
    mst_check_options options = {.size = sizeof options, .sidecars = &resolver};
    MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 0);
    options.assets = 1;
    MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].code, "ALIEN-FILE-MISSING");
    assert_string_equal(list.items[0].path, "map.monsters[1].type");
    assert_string_equal(list.items[0].expected, "NME/WAR.BND");
    assert_string_equal(list.items[1].code, "ALIEN-FILE-UNREADABLE");
    assert_string_equal(list.items[1].expected, "GFX/OBJ3D.BND, 2 times");
    assert_string_equal(list.items[2].code, "ALIEN-FILE-MISSING");
    assert_stops(d, &options, &list);
    findings_free(&list);
    mst_close(d);
    /* panels of any language, and files next to the level */
    end_game(&g);
    g = (game){.count = 0};
    add_textures(&g, "PNL0GFXG.BND", &f.textures);
    add_textures(&g, "111GFX.B16", &f.textures);
    d = open_as(level.data, level.size, NULL, "L111LEV.MAP");
    MUST(mst_assets_of((const mst_document *const *)&d, 1, &resolver, &assets, &why), &why);
    assert_string_equal(assets->items[0].name, "111GFX.B16");
    assert_int_equal(assets->items[0].state, MST_ASSET_FOUND);
    assert_string_equal(assets->items[6].name, "PNL0GFXG.BND");
    assert_int_equal(assets->items[6].state, MST_ASSET_FOUND);
    mst_assets_free(assets);
    mst_close(d);
    /* a name that is not a level's names nothing */
    d = open_as(level.data, level.size, NULL, "edited.map");
    MUST(mst_assets_of((const mst_document *const *)&d, 1, &resolver, &assets, &why), &why);
    assert_int_equal(assets->count, 0);
    mst_assets_free(assets);
    mst_close(d);
    writer_free(&level);
    end_game(&g);
    end(&f);
}

int test_alien_things(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(things_are_drawn),
                                       cmocka_unit_test(types_choose_models),
                                       cmocka_unit_test(monsters_hang_and_are_lit),
                                       cmocka_unit_test(damaged_files_are_left_out),
                                       cmocka_unit_test(memory_can_end),
                                       cmocka_unit_test(files_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
