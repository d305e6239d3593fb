/* SPDX-License-Identifier: MIT */
/* Moving, turning and scaling faces of Natural Selection 2: with their vertices and textures. */
#include "../src/write/rebuild.h"
#include "ns2_level.h"
#include <mapstone/edit.h>
#include <mapstone/scene.h>

static mst_document *level_of(level_plan plan) {
    writer w = {0};
    mst_document *document, *own;
    mst_diagnostic why;
    write_level(&w, &plan);
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    MUST(mst_rebuild(document, &own, &why), &why); /* its bytes are its own */
    mst_close(document);
    writer_free(&w);
    return own;
}

static mst_status apply(mst_document *d, const char *text, const mst_edit_options *options,
                        mst_diagnostic *why) {
    mst_operations *all = NULL;
    size_t count;
    mst_status status = mst_operations_read(&all, text, strlen(text), 1, NULL, why);
    const mst_operation *items = mst_operations_all(all, &count);
    if (status == MST_OK)
        status = mst_edit(d, items, count, options, why);
    mst_operations_free(all);
    return status;
}

static uint64_t count_in(const mst_document *d, const char *path) {
    mst_value value = value_at(d, path);
    return mst_count(&value);
}

/* The output of edits, one line each. */
typedef struct said {
    char text[2000];
    unsigned count;
} said;
static mst_status hear(void *user, const mst_diagnostic *what) {
    said *s = user;
    size_t length = strlen(s->text);
    snprintf(s->text + length, sizeof s->text - length, "%s: %s\n", what->path, what->message);
    s->count++;
    return MST_OK;
}

/* The texture coordinates of all corners of a mesh, in the order of the scene. */
static size_t texcoords_of(const mst_document *d, float *all, size_t capacity) {
    mst_scene *scene;
    mst_diagnostic why;
    size_t count = 0;
    MUST(mst_scene_from_document(d, NULL, &scene, &why), &why);
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (size_t p = 0; p < scene->meshes[m].primitive_count; p++) {
            const mst_primitive *one = &scene->meshes[m].primitives[p];
            for (uint32_t i = 0; one->texcoords && i < 2 * one->vertex_count && count < capacity; i++)
                all[count++] = one->texcoords[i];
        }
    mst_scene_free(scene);
    return count;
}

/* Textures keep their place on faces, wherever these are moved. */
static void textures_stay(void **state) {
    static const char *const motions[] = {
        "move mesh.faces[*] by 3.5,-2,9",          "rotate mesh.faces[*] by 90deg",
        "rotate mesh.faces[*] by 0.7 about 5,9,1", "scale mesh.faces[*] by 2.5",
        "scale mesh.faces[*] by 0.5 about 1,2,3",  "rotate mesh.faces[*] by -180deg about -3,0,40",
        "move mesh.faces[*] by 0,0,12in",
    };
    (void)state;
    const mst_edit_options each = {.size = sizeof each, .each = 1};
    for (unsigned version = 4; version <= 10; version++)
        for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
            float before[400], after[400];
            mst_diagnostic why;
            mst_document *d = level_of((level_plan){.version = version});
            size_t count = texcoords_of(d, before, 400);
            MUST(apply(d, motions[i], &each, &why), &why);
            assert_int_equal(texcoords_of(d, after, 400), count);
            assert_true(count > 20);
            for (size_t k = 0; k < count; k++)
                assert_true(after[k] - before[k] < 1e-4F && before[k] - after[k] < 1e-4F);
            mst_check_result result;
            MUST(mst_check(d, NULL, NULL, NULL, &result, &why), &why);
            assert_int_equal(result.errors + result.warnings, 0);
            mst_close(d);
        }
}

typedef struct move_case {
    const char *text, *path, *now;
} move_case;

/* Face 0 looks along z: U is x and V is y, rotated by a quarter of a radian and scaled by 0.3076. */
static void positions_and_textures(void **state) {
    static const move_case cases[] = {
        {"move mesh.faces[*] by 1,2,3", "mesh.vertices[2].position", "[9,10,3]"},
        {"move mesh.faces[*] by 1,2,3", "mesh.triangles.ghost_vertices[0]", "[1,6,3]"},
        {"move mesh.faces[*] by 0,0,3", "mesh.faces[0].offset", "[0,0.5]"},
        {"move mesh.faces[*] by 0,0,3", "mesh.faces[0].angle", "0.25"},
        /* x is -0.3076 cos 0.25, y 0.3076 sin 0.25 */
        {"move mesh.faces[*] by 1,0,0", "mesh.faces[0].offset", "[-0.29803744,0.5761015]"},
        {"move mesh.faces[*] by 1,0,0", "mesh.faces[0].scale", "[0.3076,0.3076]"},
        /* from z to x; the middle is 4,0,0.5 */
        {"rotate mesh.faces[*] by 90deg", "mesh.vertices[0].position", "[3.5,0,4.5]"},
        {"rotate mesh.faces[*] by 90deg about 0,0,0", "mesh.vertices[1].position", "[0,0,-8]"},
        {"rotate mesh.faces[*] by 90deg about 0,0,0", "mesh.triangles.smoothed_normals[0]", "[1,0,0]"},
        {"rotate mesh.faces[*] by 90deg about 0,0,0", "mesh.faces[0].offset", "[0,0.5]"},
        {"rotate mesh.faces[*] by 90deg about 0,0,0", "mesh.faces[0].angle", "0.25"},
        {"scale mesh.faces[*] by 2", "mesh.vertices[0].position", "[-4,0,-0.5]"},
        {"scale mesh.faces[*] by 2 about 0,0,0", "mesh.vertices[2].position", "[16,16,0]"},
        {"scale mesh.faces[*] by 2 about 0,0,0", "mesh.faces[0].scale", "[0.1538,0.1538]"},
        {"scale mesh.faces[*] by 2 about 0,0,0", "mesh.faces[0].offset", "[0,0.5]"},
        {"scale mesh.faces[*] by 2 about 0,0,0", "mesh.triangles.smoothed_normals[0]", "[0,0,1]"},
        {"mesh.faces[0].angle = 0\nscale mesh.faces[*] by 1,2,1 about 0,0,0", "mesh.faces[0].scale",
         "[0.3076,0.1538]"},
        {"mesh.faces[0].scale = [-1, 2]\nmove mesh.faces[*] by 0,1,0", "mesh.faces[0].scale", "[-1,2]"},
        {"mesh.faces[0].scale = [-1, 2]\nmesh.faces[0].angle = 0\nmove mesh.faces[*] by 0,1,0",
         "mesh.faces[0].offset", "[0,2.5]"},
        /* a field without a texture is left alone */
        {"mesh.faces[0].scale = [0, 2]\nmove mesh.faces[*] by 0,1,0", "mesh.faces[0].offset", "[0,0.5]"},
        {"mesh.faces[0].offset = [\"NaN\", 2]\nmove mesh.faces[*] by 0,1,0", "mesh.faces[0].offset",
         "[\"NaN\",2]"},
        {"mesh.vertices[0].position = [\"Infinity\", 0, 0]\nmove mesh.faces[*] by 0,1,0",
         "mesh.vertices[0].position", "[\"Infinity\",0,0]"},
    };
    (void)state;
    const mst_edit_options each = {.size = sizeof each, .each = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_document *d = level_of((level_plan){0});
        MUST(apply(d, cases[i].text, &each, &why), &why);
        assert_json_at(d, cases[i].path, cases[i].now);
        mst_close(d);
    }
}

/* The texture keeps its place in the world on request. */
static void world_textures(void **state) {
    (void)state;
    mst_diagnostic why;
    const mst_edit_options world = {.size = sizeof world, .each = 1, .world_texture = 1};
    mst_document *d = level_of((level_plan){0});
    MUST(apply(d, "move mesh.faces[*] by 1,2,0", &world, &why), &why);
    assert_json_at(d, "mesh.faces[0].offset", "[0,0.5]");
    assert_json_at(d, "mesh.vertices[0].position", "[1,2,0]");
    mst_close(d);
}

/* Vertices shared with faces that do not move. */
static void shared_vertices(void **state) {
    (void)state;
    mst_diagnostic why;
    said heard = {.count = 0};
    mst_edit_options options = {.size = sizeof options, .each = 1, .report = hear, .user = &heard};
    mst_document *d = level_of((level_plan){0});
    assert_int_equal(apply(d, "move mesh.faces[2] by 0,1,0", &options, &why), MST_REFUSED);
    assert_string_equal(why.path, "mesh.faces[2]");
    assert_string_equal(why.found, "mesh.faces[1]");
    assert_string_equal(heard.text, "mesh.faces[1]: stays, and shares vertices with faces that would move\n");
    assert_int_equal(apply(d, "move mesh.faces[1] by 0,1,0", &options, &why), MST_REFUSED);
    assert_string_equal(why.found, "mesh.faces[0] and 1 more");
    assert_false(mst_is_edited(d));
    memset(&heard, 0, sizeof heard);
    options.drag = 1;
    MUST(apply(d, "move mesh.faces[2] by 0,-1,0", &options, &why), &why);
    assert_string_equal(heard.text, "mesh.faces[1]: dragged along: it shares vertices with moving faces\n");
    assert_json_at(d, "mesh.vertices[8].position", "[4,-5,1]");
    assert_json_at(d, "mesh.vertices[0].position", "[0,0,0]");
    assert_int_equal(count_in(d, "mesh.triangles.faces[1]"), 1);
    /* the triangles of face 0 have a corner that is not one of the face: they are remade only where it
     * moves */
    assert_json_at(d, "mesh.triangles.faces[0][7].vertices", "[3,4,11]");
    MUST(apply(d, "move mesh.faces[1] by 0,0,1", &options, &why), &why);
    assert_int_equal(count_in(d, "mesh.triangles.faces[0]"), 8);
    mst_close(d);
}

/* Triangles may have corners on the edges of their neighbours, and share normals with them. */
static void triangles_follow(void **state) {
    (void)state;
    mst_diagnostic why;
    const mst_edit_options options = {.size = sizeof options, .each = 1, .drag = 1};
    for (unsigned version = 4; version <= 10; version++) {
        mst_document *d = level_of((level_plan){.version = version});
        /* a corner of face 2 in face 0 */
        MUST(apply(d, "mesh.triangles.faces[0][0].vertices = [0,1,9]", &options, &why), &why);
        MUST(apply(d, "rotate mesh.faces[2] by 1 about 8,-8,1", &options, &why), &why);
        assert_int_equal(count_in(d, "mesh.triangles.faces[0]"), 8);
        for (unsigned i = 0; i < 8; i++)
            for (unsigned k = 0; k < 3; k++) {
                char path[80];
                uint64_t vertex;
                snprintf(path, sizeof path, "mesh.triangles.faces[0][%u].vertices[%u]", i, k);
                mst_value value = value_at(d, path);
                MUST(mst_get_unsigned(&value, &vertex), &why);
                assert_true(vertex < 8);
            }
        mst_close(d);
    }
    /* a normal that is rotated, also of a face that stays */
    mst_document *d = level_of((level_plan){0});
    MUST(apply(d,
               "mesh.triangles.faces[0][0].normals = [0,0,0]\nmesh.triangles.faces[2][0].normals = [0,1,1]\n"
               "mesh.triangles.faces[1][0].normals = [1,1,1]",
               &options, &why),
         &why);
    MUST(apply(d, "move mesh.faces[2] by 0,-1,0", &options, &why), &why);
    assert_json_at(d, "mesh.triangles.faces[2][0].normals", "[0,1,1]");
    MUST(apply(d, "rotate mesh.faces[2] by 1", &options, &why), &why);
    assert_json_at(d, "mesh.triangles.smoothed_normals[0]", "[0,0,1]");
    assert_json_at(d, "mesh.triangles.faces[2][0].normals", "[1,1,1]");
    assert_json_at(d, "mesh.triangles.faces[2][0].vertices", "[8,9,10]");
    mst_close(d);
}

/* Whether the triangles of face 0 have only corners of its border and its hole. */
static bool is_by_border(const mst_document *d) {
    const uint64_t count = count_in(d, "mesh.triangles.faces[0]");
    bool own = count == 8;
    for (uint64_t i = 0; i < 3 * count; i++) {
        char path[80];
        uint64_t vertex;
        mst_diagnostic why;
        snprintf(path, sizeof path, "mesh.triangles.faces[0][%u].vertices[%u]", (unsigned)i / 3,
                 (unsigned)i % 3);
        mst_value value = value_at(d, path);
        MUST(mst_get_unsigned(&value, &vertex), &why);
        own = own && vertex < 8;
    }
    return own;
}

/* Vertices that move away from other corners of face 0: a ghost vertex on its left edge, at 0,4,0. */
static void borders_that_leave_triangles(void **state) {
    static const struct {
        const char *before, *edit;
        bool drawn_again;
    } cases[] = {
        {NULL, "mesh.vertices[0].position[0] -= 0.5", true},
        {NULL, "mesh.vertices[0].position[2] += 1", true},
        {NULL, "mesh.vertices[0].position[1] -= 1", false}, /* along the edge */
        {NULL, "mesh.vertices[0].position[0] -= 0.01", false},
        {NULL, "mesh.vertices[10].position[1] -= 1", false},
        {NULL, "mesh.vertices[9].position[2] += 1\nmesh.vertices[0].position[0] -= 0.5", true},
        {NULL, "objects[0].layer_masks[0] += 0", false},
        /* off its face before: the triangles are kept; a changed face is triangulated from its border */
        {"mesh.triangles.ghost_vertices[0] = [-5,4,0]", "mesh.vertices[10].position[1] -= 1", false},
        {"mesh.triangles.ghost_vertices[0] = [-5,4,0]", "mesh.vertices[0].position[0] -= 0.5", true},
        {NULL, "mesh.triangles.ghost_vertices[0] = [-5,4,0]", false},
        {"mesh.triangles.faces[0] = []", "mesh.vertices[0].position[0] -= 0.5", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_document *d = level_of((level_plan){0});
        if (cases[i].before)
            MUST(apply(d, cases[i].before, NULL, &why), &why);
        MUST(apply(d, cases[i].edit, NULL, &why), &why);
        assert_int_equal(is_by_border(d), cases[i].drawn_again);
        if (cases[i].drawn_again) {
            mst_check_result result;
            MUST(mst_check(d, NULL, NULL, NULL, &result, &why), &why);
            assert_int_equal(result.errors + result.warnings, 0);
        }
        mst_close(d);
    }
}

/* Corners keep their normals. */
static void normals_of_redrawn_faces(void **state) {
    mst_diagnostic why;
    (void)state;
    mst_document *d = level_of((level_plan){0});
    MUST(apply(d, "mesh.triangles.faces[0][*].normals = [0,0,0]\nmesh.vertices[0].position[0] -= 0.5",
               &(mst_edit_options){.size = sizeof(mst_edit_options), .each = 1}, &why),
         &why);
    assert_true(is_by_border(d));
    for (unsigned i = 0; i < 8; i++) {
        char path[80];
        snprintf(path, sizeof path, "mesh.triangles.faces[0][%u].normals", i);
        assert_json_at(d, path, "[0,0,0]");
    }
    mst_close(d);
}

static void wrong_motions(void **state) {
    static const struct {
        const char *text;
        mst_status status;
    } cases[] = {
        {"move mesh.faces[*] by 1,2", MST_ARGUMENT},
        {"move mesh.faces[*] by up", MST_ARGUMENT},
        {"move mesh.faces[*] by 1e39,0,0", MST_ARGUMENT},
        {"rotate mesh.faces[*] by a bit", MST_ARGUMENT},
        {"rotate mesh.faces[*] by 1 about 1", MST_ARGUMENT},
        {"scale mesh.faces[*] by 1,2", MST_ARGUMENT},
        {"scale mesh.faces[*] by 0", MST_ARGUMENT},
        {"scale mesh.faces[*] by -1", MST_ARGUMENT},
        {"move mesh.faces[9] by 1,2,3", MST_NO_PATH},
        {"move mesh.faces by 1,2,3", MST_ARGUMENT},
        {"move mesh.faces[0].loops[0] by 1,2,3", MST_ARGUMENT},
        {"rotate mesh.edges[0] by 1", MST_ARGUMENT},
    };
    (void)state;
    const mst_edit_options each = {.size = sizeof each, .each = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_document *d = level_of((level_plan){0});
        assert_int_equal(apply(d, cases[i].text, &each, &why), cases[i].status);
        assert_false(mst_is_edited(d));
        mst_close(d);
    }
}

/* Faces without a border, missing edges, shared projections, skewed textures. */
static void odd_faces(void **state) {
    (void)state;
    mst_diagnostic why;
    said heard = {.count = 0};
    mst_edit_options options = {.size = sizeof options, .each = 1, .report = hear, .user = &heard};
    mst_document *d = level_of((level_plan){.everything = true});
    MUST(apply(d,
               "mesh.faces[2].loops[0][0].edge = 999\nmesh.edges[11].vertices[1] = 999\n"
               "mesh.faces[1].offset = [0,0]\nmove mesh.faces[*] by 1,0,0",
               &options, &why),
         &why);
    assert_json_at(d, "mesh.vertices[0].position", "[1,0,0]");
    assert_json_at(d, "mesh.faces[1].offset", "[0,0]"); /* it has a mapping group */
    assert_json_at(d, "mesh.faces[2].offset", "[0,0.5]");
    mst_close(d);
    d = level_of((level_plan){.empty_face = true, .no_triangles = true});
    MUST(apply(d, "mesh.faces[2].loops[0] = []\nmove mesh.faces[*] by 1,0,0", &options, &why), &why);
    assert_json_at(d, "mesh.faces[2].offset", "[0,0.5]");
    assert_int_equal(heard.count, 0);
    MUST(apply(d, "scale mesh.faces[*] by 1,3,1", &options, &why), &why);
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "skew"));
    mst_close(d);
}

/* On a clipboard, whose meshes have no triangles. */
static void clipboards(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){0}), *clip;
    const mst_convert_options to = {.size = sizeof to, .format = "ns2-clip", .allow_loss = 1};
    const mst_edit_options each = {.size = sizeof each, .each = 1};
    MUST(mst_convert(d, &to, NULL, NULL, &clip, &why), &why);
    MUST(apply(clip, "move blocks[0].mesh.faces[*] by 0,2,0", &each, &why), &why);
    assert_json_at(clip, "blocks[0].mesh.vertices[0].position", "[0,2,0]");
    mst_close(clip);
    mst_close(d);
}

static void memory_that_does_not_last(void **state) {
    (void)state;
    static const char *const texts[] = {"rotate mesh.faces[*] by 1", "move mesh.faces[2] by 0,1,0"};
    const mst_edit_options options = {.size = sizeof options, .each = 1, .drag = 1};
    for (size_t i = 0; i < 2; i++) {
        writer w = {0};
        level_plan plan = {0};
        write_level(&w, &plan);
        for (size_t fail_at = 1, failed = 1; failed; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {.size = sizeof how, .allocator = counted_allocator(&memory)};
            mst_document *d;
            mst_diagnostic why;
            MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            mst_status status = apply(d, texts[i], &options, &why);
            failed = memory.failed;
            memory.fail_at = 0;
            assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
        }
        writer_free(&w);
    }
}

int test_ns2_moving(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_stay),
        cmocka_unit_test(positions_and_textures),
        cmocka_unit_test(world_textures),
        cmocka_unit_test(shared_vertices),
        cmocka_unit_test(triangles_follow),
        cmocka_unit_test(borders_that_leave_triangles),
        cmocka_unit_test(normals_of_redrawn_faces),
        cmocka_unit_test(wrong_motions),
        cmocka_unit_test(odd_faces),
        cmocka_unit_test(clipboards),
        cmocka_unit_test(memory_that_does_not_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
