/* SPDX-License-Identifier: MIT */
/* Models exported and imported: levels of the corpus, invalid files, and insufficient memory.
 * tests/cli/import.sh has edits. */
#include "../src/core/bytes.h"
#include "../src/import/importing.h"
#include "../src/import/model.h"
#include "support.h"
#include <mapstone/export.h>
#include <mapstone/import.h>

static mst_status export_level(mst_level *level, mst_buffer *glb, mst_diagnostic *why) {
    const mst_scene_options contents = {.size = sizeof contents, .no_textures = 1};
    const mst_editing_options what = {.size = sizeof what, .scene = &contents};
    const mst_gltf_options how = {.size = sizeof how, .for_editing = 1};
    mst_scene *scene = NULL;
    mst_status status = mst_editing_scene(level, &what, &scene, why);
    if (status == MST_OK)
        status = mst_scene_write_glb(scene, &how, mst_buffer_sink(glb), why);
    mst_scene_free(scene);
    return status;
}

static mst_status count_warning(void *user, const mst_diagnostic *what) {
    print_error("%s: %s\n", what->path, what->message);
    ++*(size_t *)user;
    return MST_OK;
}

/* Exports a level and imports it: there must be no operation. False: it has no scene. */
static bool comes_back(const char *path) {
    mst_level *level = NULL;
    mst_imported *changes = NULL;
    mst_buffer glb = {0};
    mst_diagnostic why;
    size_t warnings = 0;
    const mst_import_options how = {.size = sizeof how, .report = count_warning, .user = &warnings};
    const mst_level_options one = {.size = sizeof one, .found = 1};
    if (mst_level_open(path, &one, &level, &why) != MST_OK)
        return false;
    bool drawn = export_level(level, &glb, &why) == MST_OK;
    if (drawn) {
        MUST(mst_import(level, glb.data, glb.size, &how, &changes, &why), &why);
        for (size_t i = 0; i < mst_level_count(level); i++) {
            if (*mst_imported_script(changes, i))
                print_error("%s: %s\n", path, mst_imported_script(changes, i));
            assert_string_equal(mst_imported_script(changes, i), "");
        }
        assert_int_equal(warnings, 0);
    }
    mst_imported_free(changes);
    mst_buffer_free(&glb);
    mst_level_close(level);
    return drawn;
}

static void real_levels_come_back(void **state) {
    static const struct {
        const char *folder, *ends[2];
        size_t least;
    } folders[] = {
        {"ns2", {".level", ".clip"}, 12},     {"turok", {".map", ".map"}, 3},
        {"revenant/v0", {".DAT", ".DAT"}, 1}, {"revenant/v1", {".DAT", ".DAT"}, 1},
        {"revenant/v2", {".DAT", ".DAT"}, 1}, {"revenant/v3", {".DAT", ".DAT"}, 1},
        {"revenant/v4", {".DAT", ".DAT"}, 1}, {"revenant/v5", {".DAT", ".DAT"}, 1},
        {"revenant/v6", {".DAT", ".DAT"}, 1}, {"revenant/v7", {".DAT", ".DAT"}, 1},
        {"revenant/v8", {".DAT", ".DAT"}, 1}, {"revenant/v15", {".DAT", ".DAT"}, 1},
        {"alien", {".MAP", ".MAP"}, 1},       {"sfa/mini", {".zlb", ".bin"}, 1},
        {"sfa/samples", {".zlb", ".bin"}, 1}, {"sfa/mini/animtest", {".zlb", ".bin"}, MST_WITH_ZLIB}};
    bool any = false;
    (void)state;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        corpus_list list;
        size_t count = 0;
        if (!corpus_files(folders[f].folder, folders[f].ends[0], folders[f].ends[1], &list))
            continue;
        any = true;
        for (size_t i = 0; i < list.count; i++) {
            char name[300], path[600];
            snprintf(name, sizeof name, "%s/%s", folders[f].folder, list.names[i]);
            assert_true(corpus_path(name, path, sizeof path));
            count += comes_back(path);
        }
        print_message("# %s: %zu\n", folders[f].folder, count);
        assert_true(count >= folders[f].least);
    }
    if (!any)
        skip();
}

/* ---- invalid files ---------------------------------------------------------------------------------------
 */

#define ASSET                                                                                                \
    "\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
#define BUFFER                                                                                               \
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:x;base64,"                                               \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
#define VIEW   "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
#define POINTS "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
#define MESH   "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]"
static const char small[] = "{" ASSET BUFFER VIEW POINTS MESH "}";

static mst_status read_text(const char *text, mst_model *model, mst_diagnostic *why) {
    return mst_model_read(model, text, strlen(text), NULL, NULL, NULL, NULL, why);
}

static void a_triangle_is_read(void **state) {
    mst_model model;
    mst_diagnostic why;
    (void)state;
    MUST(read_text(small, &model, &why), &why);
    assert_int_equal(model.mesh_count, 1);
    const mst_model_primitive *part = model.meshes[0].primitives;
    assert_int_equal(part->vertex_count, 3);
    assert_int_equal(part->index_count, 3);
    assert_true(part->positions[3] == 1 && part->positions[7] == 1);
    assert_true(model.nodes[0].shown && model.nodes[0].world[0] == 1);
    mst_model_end(&model);
}

static void what_is_not_valid_is_named(void **state) {
    static const struct {
        const char *text, *code;
        mst_status status;
    } cases[] = {
        {"{", "GLTF-JSON", MST_DAMAGED},
        {"{}", "", MST_UNKNOWN},
        {"{" ASSET "\"meshes\":3}", "GLTF-LIST", MST_DAMAGED},
        {"{" ASSET BUFFER VIEW MESH "}", "GLTF-INDEX", MST_DAMAGED},
        {"{" ASSET BUFFER POINTS MESH "}", "GLTF-INDEX", MST_DAMAGED},
        {"{" ASSET VIEW POINTS MESH "}", "GLTF-VIEW", MST_DAMAGED},
        {"{" ASSET "\"buffers\":[{\"byteLength\":37,\"uri\":\"data:;base64,AAAA\"}]," VIEW POINTS MESH "}",
         "GLTF-BUFFER", MST_DAMAGED},
        {"{" ASSET "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,A?AA\"}]," VIEW POINTS MESH "}",
         "GLTF-URI", MST_DAMAGED},
        {"{" ASSET "\"buffers\":[{\"byteLength\":36,\"uri\":\"../a.bin\"}]," VIEW POINTS MESH "}", "GLTF-URI",
         MST_DAMAGED},
        {"{" ASSET "\"buffers\":[{\"byteLength\":36,\"uri\":\"a.bin\"}]," VIEW POINTS MESH "}", "GLTF-BUFFER",
         MST_DAMAGED},
        {"{" ASSET BUFFER "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":4,\"byteLength\":36}]," POINTS MESH
         "}",
         "GLTF-VIEW", MST_DAMAGED},
        {"{" ASSET BUFFER VIEW
         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}]," MESH "}",
         "GLTF-ACCESSOR", MST_DAMAGED},
        {"{" ASSET BUFFER VIEW
         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}]," MESH "}",
         "GLTF-ACCESSOR", MST_DAMAGED},
        {"{" ASSET BUFFER VIEW POINTS
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}]}",
         "GLTF-INDEX", MST_DAMAGED},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}]}", "GLTF-INDEX", MST_DAMAGED},
        {"{\"asset\":{},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[1]}]}",
         "GLTF-TREE", MST_DAMAGED},
        {"{\"asset\":{},\"scenes\":[{}],\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]}", "GLTF-TREE",
         MST_DAMAGED},
        {"{\"asset\":{},\"scenes\":[{}],\"nodes\":[{\"rotation\":[0,0,0,0]}]}", "GLTF-VALUE", MST_DAMAGED},
        {"{\"asset\":{},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scenes\":[{}]}", "",
         MST_UNSUPPORTED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_model model;
        mst_diagnostic why;
        const mst_status status = read_text(cases[i].text, &model, &why);
        if (status != cases[i].status || strcmp(why.code, cases[i].code) != 0)
            print_error("%s: %s %s\n", cases[i].text, why.code, why.message);
        assert_int_equal(status, cases[i].status);
        assert_string_equal(why.code, cases[i].code);
        if (cases[i].status == MST_UNSUPPORTED)
            assert_non_null(strstr(why.message, "KHR_draco_mesh_compression"));
        bool known = !*why.code;
        for (size_t k = 0; mst_import_code_at(k); k++)
            known = known || strcmp(mst_import_code_at(k)->code, why.code) == 0;
        assert_true(known);
        mst_model_end(&model);
    }
}

/* Two nodes that are each other's children are not shown, and do not cause endless recursion. */
static void a_circle_of_nodes_ends(void **state) {
    mst_model model;
    mst_diagnostic why;
    (void)state;
    MUST(read_text("{\"asset\":{},\"scenes\":[{}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", &model,
                   &why),
         &why);
    assert_false(model.nodes[0].shown || model.nodes[1].shown);
    mst_model_end(&model);
}

/* Every truncation of a model, and many with a changed byte: read or refused, never beyond its bytes. (The
 * sanitizers and the fuzz target check more closely.) */
static void spoilt_models_are_refused_or_read(void **state) {
    const size_t size = strlen(small);
    uint8_t *bytes = malloc(size + 28);
    mst_model model;
    mst_diagnostic why;
    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, "glTF", 4);
    mst_store32(bytes + 4, 2, false);
    mst_store32(bytes + 8, (uint32_t)size + 20, false);
    mst_store32(bytes + 12, (uint32_t)size, false);
    memcpy(bytes + 16, "JSON", 4);
    memcpy(bytes + 20, small, size);
    MUST(mst_model_read(&model, bytes, size + 20, NULL, NULL, NULL, NULL, &why), &why);
    mst_model_end(&model);
    for (size_t end = 0; end < size + 20; end++) {
        uint8_t *part = malloc(end ? end : 1);
        assert_non_null(part);
        memcpy(part, bytes, end);
        assert_int_not_equal(mst_model_read(&model, part, end, NULL, NULL, NULL, NULL, &why), MST_OK);
        mst_model_end(&model);
        free(part);
    }
    static const uint8_t others[] = {0, '9', '0', '"', ',', ']', '-', 0xFF};
    for (size_t at = 0; at < size + 20; at++)
        for (size_t k = 0; k < sizeof others; k++) {
            const uint8_t own = bytes[at];
            bytes[at] = others[k];
            const mst_status status = mst_model_read(&model, bytes, size + 20, NULL, NULL, NULL, NULL, &why);
            assert_true(status == MST_OK || *why.message);
            mst_model_end(&model);
            bytes[at] = own;
        }
    free(bytes);
}

static void reading_without_memory(void **state) {
    (void)state;
    for (size_t fail = 1;; fail++) {
        counted memory = {.fail_at = fail};
        const mst_allocator allocator = counted_allocator(&memory);
        mst_model model;
        mst_diagnostic why;
        const mst_status status =
            mst_model_read(&model, small, strlen(small), NULL, &allocator, NULL, NULL, &why);
        mst_model_end(&model);
        assert_int_equal(memory.blocks, 0);
        if (status == MST_OK)
            break;
        assert_int_equal(status, MST_NO_MEMORY);
    }
}

int test_import(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_levels_come_back),
        cmocka_unit_test(a_triangle_is_read),
        cmocka_unit_test(what_is_not_valid_is_named),
        cmocka_unit_test(a_circle_of_nodes_ends),
        cmocka_unit_test(spoilt_models_are_refused_or_read),
        cmocka_unit_test(reading_without_memory),
    };
    return cmocka_run_group_tests_name("models in", tests, NULL, NULL);
}
