/* SPDX-License-Identifier: MIT */
/* Meshes of Natural Selection 2 with unusable numbers and lists. */
#include "ns2_scene.h"

/* ---- unusable numbers and lists ----------------------------------------------------------------- */

/* Triangles with a missing corner are left out, whichever of the three it is; the others determine the
 * direction of the face. */
static void test_unusable_corners(void **state) {
    (void)state;
    static const char *const bad[] = {"\"NaN\",0,0", "0,\"Infinity\",0", "0,0,\"-Infinity\""};
    static const char *const triangles[] = {"3,0,1", "0,3,1", "0,1,3", "0,1,9"};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++) {
            char text[1000];
            snprintf(text, sizeof text,
                     LEVEL("7",
                           "\"materials\":[\"a.material\"],\"vertices\":[{\"position\":[0,0,0]},"
                           "{\"position\":[0,0,4]},{\"position\":[4,0,4]},{\"position\":[%s]}],"
                           "\"faces\":[{\"loops\":[[]]}],\"triangles\":{\"faces\":[[{\"vertices\":[%s]},"
                           "{\"vertices\":[0,1,2]}]]}",
                           ""),
                     bad[i], triangles[k]);
            mst_scene *scene = scene_of_text(text, NULL);
            assert_int_equal(check_scene(scene), 1);
            const mst_primitive *p = primitive_of(scene, the_node(scene, "a"));
            assert_int_equal(p->vertex_count, 3);
            assert_close((double)p->normals[1], 1, 1e-6);
            mst_scene_free(scene);
        }
}

/* Normals without a direction, and textures that are too far away. */
static void test_no_direction(void **state) {
    (void)state;
    static const char *const normals[] = {"0,0,0", "\"Infinity\",0,0", "\"NaN\",1,0"};
    for (size_t i = 0; i < 3; i++) {
        char text[2000];
        /* the wall of another test: its texture follows the face */
        snprintf(text, sizeof text,
                 LEVEL("10",
                       SQUARE(POINTS("0,0,3", "2,0,3", "2,1,3", "0,1,3"),
                              FACE("0", ",\"mapping_group\":7")) ",\"mapping_groups\":[{\"id\":7,\"scale\":["
                                                                 "0.3,0.7],\"offset\":[0.5,0.25],"
                                                                 "\"normal\":[%s]}]",
                       ""),
                 normals[i]);
        mst_scene *scene = scene_of_text(text, NULL);
        const mst_primitive *p = primitive_of(scene, the_node(scene, "grid"));
        check_texcoord(p, (const double[3]){2, 1, 3}, 2 * 0.3 + 0.5, 0.25 - 0.7);
        mst_scene_free(scene);
        /* and the lighting, if the smoothed normal is not valid */
        snprintf(text, sizeof text,
                 LEVEL("9",
                       "\"materials\":[\"a\"],\"vertices\":" POINTS(
                           "0,0,3", "2,0,3", "2,1,3",
                           "0,1,3") "," EDGES4
                                    "\"faces\":[" FACE(
                                        "0", "") "],\"triangles\":{\"smoothed_normals\":[[%s]],\"faces\":[["
                                                 "{\"vertices\":[0,1,2],\"normals\":[0,0,0]}]]}",
                       ""),
                 normals[i]);
        scene = scene_of_text(text, NULL);
        assert_int_equal(check_scene(scene), 1);
        p = primitive_of(scene, the_node(scene, "a"));
        assert_close((double)p->normals[2], 1, 1e-6);
        mst_scene_free(scene);
    }
    static const char *const scales[] = {"3e38,3e38", "-3e38,-3e38", "\"NaN\",\"Infinity\""};
    for (size_t i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 LEVEL("10",
                       SQUARE(POINTS("0,0,3", "200,0,3", "200,100,3", "0,100,3"),
                              FACE("0", TRANSFORM "\"offset\":[0.5,0.25],\"scale\":[%s]")),
                       ""),
                 scales[i]);
        mst_scene *scene = scene_of_text(text, NULL);
        check_scene(scene);
        check_texcoord(primitive_of(scene, the_node(scene, "grid")), (const double[3]){200, 100, 3}, 0, 0);
        mst_scene_free(scene);
    }
}

static void test_many_corners(void **state) {
    (void)state;
    for (unsigned count = 1000; count <= 16000; count += 15000) {
        writer w = {0};
        char text[120];
#define ADD(...)                                                                                             \
    do {                                                                                                     \
        int length = snprintf(text, sizeof text, __VA_ARGS__);                                               \
        put_bytes_of(&w, text, (size_t)length);                                                              \
    } while (0)
        ADD("{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"materials\":[\"a\"],\"vertices\":[");
        for (unsigned i = 0; i < count; i++)
            ADD("%s{\"position\":[%.6f,0,%.6f]}", i ? "," : "", 10 * sin(i * 6.283185 / count),
                10 * cos(i * 6.283185 / count));
        ADD("],\"edges\":[");
        for (unsigned i = 0; i < count; i++)
            ADD("%s{\"vertices\":[%u,%u]}", i ? "," : "", i, (i + 1) % count);
        ADD("],\"faces\":[{\"material\":0,\"loops\":[[");
        for (unsigned i = 0; i < count; i++)
            ADD("%s{\"edge\":%u}", i ? "," : "", i);
        ADD("]]}]}}");
        put_u8(&w, 0);
        mst_scene *scene = scene_of_text((const char *)w.data, NULL);
        assert_int_equal(check_scene(scene), count - 2);
        assert_int_equal(extra_of(&scene->extras, "faces_triangulated_anew")->integer, 1);
        mst_scene_free(scene);
        writer_free(&w);
    }
}

/* Lists that are shorter or longer than the list of faces, or missing. */
static void test_other_lengths(void **state) {
    (void)state;
    static const char square[] = POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0");
    static const struct {
        const char *triangles, *layers; /* of two faces */
        const char *of_one, *of_two;    /* their layers */
    } cases[] = {
        {"[" TRIANGLES2 "]", "", "", ""}, /* the second face is triangulated again */
        {"[" TRIANGLES2 "," TRIANGLES2 "," TRIANGLES2 "]", "", "", ""},
        {"[]", ",\"face_layers\":{\"faces\":[{\"has_layers\":true,\"layer_masks\":[2]}]}", "L", ""},
        {"[]",
         ",\"face_layers\":{\"faces\":[{\"has_layers\":false},{\"has_layers\":true,\"layer_masks\":[2]},"
         "{\"has_layers\":true,\"layer_masks\":[2]}]}",
         "", "L"},
        {"[]", ",\"face_layers\":{\"faces\":[]}", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[3000];
        snprintf(text, sizeof text,
                 "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"materials\":[\"x/one.material\","
                 "\"x/two.material\"],\"vertices\":%s," EDGES4 "\"faces\":[" FACE("0", "") "," FACE(
                     "1", "") "],\"triangles\":{\"faces\":%s}%s},\"layers\":[{\"id\":1,\"name\":\"L\"}]}",
                 square, cases[i].triangles, cases[i].layers);
        mst_scene_options split = {.size = sizeof split, .split_layers = 1};
        mst_scene *scene = scene_of_text(text, &split);
        assert_int_equal(check_scene(scene), 4);
        assert_string_equal(the_node(scene, "one")->layer, cases[i].of_one);
        assert_string_equal(the_node(scene, "two")->layer, cases[i].of_two);
        mst_scene_free(scene);
    }
}

/* A mesh is named after the last part of its material's path, without the extension. */
static void test_short_names(void **state) {
    (void)state;
    static const char *const names[][2] = {{"a/b/c.material", "c"},
                                           {"plain", "plain"},
                                           {"a/.hidden", ".hidden"},
                                           {".x", ".x"},
                                           {"a.b.c", "a.b"},
                                           {"a.b/c", "c"},
                                           {"a/", ""},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 LEVEL("10",
                       "\"materials\":[\"%s\"],\"vertices\":" POINTS(
                           "0,0,0", "0,0,4", "4,0,4",
                           "4,0,0") "," EDGES4
                                    "\"faces\":[" FACE("0", "") "],\"triangles\":{\"faces\":[" TRIANGLES2
                                                                "]}",
                       ""),
                 names[i][0]);
        mst_scene *scene = scene_of_text(text, NULL);
        int32_t at = node_named(scene, "Geometry") + 1;
        assert_string_equal(scene->nodes[at].name, names[i][1]);
        assert_string_equal(scene->materials[primitive_of(scene, &scene->nodes[at])->material].name,
                            names[i][0]);
        mst_scene_free(scene);
    }
}

int test_ns2_scene_odd(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unusable_corners), cmocka_unit_test(test_no_direction),
        cmocka_unit_test(test_many_corners),     cmocka_unit_test(test_other_lengths),
        cmocka_unit_test(test_short_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
