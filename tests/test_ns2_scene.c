/* SPDX-License-Identifier: MIT */
/* Scenes of Natural Selection 2: triangles, textures, groups, layers, and real levels. */
#include "../src/scene/geometry.h"
#include "ns2_scene.h"

/* ---- small helpers ----------------------------------------------------------------------------- */

static double area_of(const mst_primitive *p, double normal_sum[3]) {
    double area = 0;
    normal_sum[0] = normal_sum[1] = normal_sum[2] = 0;
    for (uint32_t i = 0; i < p->index_count; i += 3) {
        double normal[3];
        mst_polygon_normal(p->positions, p->indices + i, 3, normal);
        area += sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) / 2;
        for (int k = 0; k < 3; k++)
            normal_sum[k] += normal[k] / 2;
    }
    return area;
}

/* ---- textures ---------------------------------------------------------------------------------- */

static void test_floor_texture(void **state) {
    (void)state;
    /* n = +Y: x and y of the texture are z and x of the point; a quarter turn maps (x, y) to (-y, x) */
    mst_scene *scene = scene_of_text(
        LEVEL("10",
              SQUARE(POINTS("1,5,2", "1,5,6", "4,5,6", "4,5,2"),
                     FACE("0", TRANSFORM "\"angle\":1.5707964,\"offset\":[0.25,0.5],\"scale\":[2,3]")),
              ""),
        NULL);
    assert_int_equal(check_scene(scene), 2);
    const mst_primitive *p = primitive_of(scene, the_node(scene, "grid"));
    assert_int_equal(p->vertex_count, 4);
    assert_close((double)p->normals[1], 1, 1e-6);
    const double corners[4][3] = {{1, 5, 2}, {1, 5, 6}, {4, 5, 6}, {4, 5, 2}};
    for (int i = 0; i < 4; i++)
        check_texcoord(p, corners[i], -corners[i][0] * 2 + 0.25, 0.5 - corners[i][2] * 3);
    mst_scene_free(scene);
    /* the ceiling, n = -Y: both inverted; no rotation */
    scene =
        scene_of_text(LEVEL("10",
                            SQUARE(POINTS("1,5,2", "4,5,2", "4,5,6", "1,5,6"),
                                   FACE("0", TRANSFORM "\"angle\":0,\"offset\":[0.25,0.5],\"scale\":[2,3]")),
                            ""),
                      NULL);
    p = primitive_of(scene, the_node(scene, "grid"));
    assert_close((double)p->normals[1], -1, 1e-6);
    for (int i = 0; i < 4; i++)
        check_texcoord(p, corners[i], -corners[i][2] * 2 + 0.25, 0.5 + corners[i][0] * 3);
    mst_scene_free(scene);
}

static void test_wall_texture(void **state) {
    (void)state;
    /* n = +Z: the texture's x is the point's x, its y is up */
    mst_scene *scene = scene_of_text(
        LEVEL("10",
              SQUARE(POINTS("0,0,3", "2,0,3", "2,1,3", "0,1,3"),
                     FACE("0", TRANSFORM "\"angle\":0,\"offset\":[0.5,0.25],\"scale\":[0.3,0.7]")),
              ""),
        NULL);
    const mst_primitive *p = primitive_of(scene, the_node(scene, "grid"));
    assert_close((double)p->normals[2], 1, 1e-6);
    check_texcoord(p, (const double[3]){2, 1, 3}, 2 * 0.3 + 0.5, 0.25 - 0.7);
    check_texcoord(p, (const double[3]){0, 0, 3}, 0.5, 0.25);
    mst_scene_free(scene);
}

static void test_slope_texture(void **state) {
    (void)state;
    /* Spanned by a = (0.8, 0, -0.6), which is horizontal, and b = (-0.48, 0.6, -0.64), which climbs: their
     * product is the normal (0.36, 0.8, 0.48), so a is the texture's x and b its y. Corners at known steps
     * along both. */
    const double a[3] = {0.8, 0, -0.6}, b[3] = {-0.48, 0.6, -0.64}, base[3] = {3, -2, 7};
    const double steps[4][2] = {{0, 0}, {5, 0}, {5, 4}, {0, 4}};
    double corners[4][3], flat[2] = {0, 0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = base[k] + steps[i][0] * a[k] + steps[i][1] * b[k];
    for (int k = 0; k < 3; k++) { /* of the starting point of the steps */
        flat[0] += base[k] * a[k];
        flat[1] += base[k] * b[k];
    }
    char text[2400];
    snprintf(
        text, sizeof text,
        LEVEL("10",
              SQUARE("[{\"position\":[%f,%f,%f]},{\"position\":[%f,%f,%f]},{\"position\":[%f,%f,%f]},"
                     "{\"position\":[%f,%f,%f]}]",
                     FACE("0", TRANSFORM "\"angle\":0.7,\"offset\":[-1.5,2.25],\"scale\":[0.3076,1.25]")),
              ""),
        corners[0][0], corners[0][1], corners[0][2], corners[1][0], corners[1][1], corners[1][2],
        corners[2][0], corners[2][1], corners[2][2], corners[3][0], corners[3][1], corners[3][2]);
    mst_scene *scene = scene_of_text(text, NULL);
    const mst_primitive *p = primitive_of(scene, the_node(scene, "grid"));
    const double normal[3] = {0.36, 0.8, 0.48};
    for (uint32_t k = 0; k < 3; k++)
        assert_close((double)p->normals[k], normal[k], 1e-5);
    for (int i = 0; i < 4; i++) {
        double x = flat[0] + steps[i][0], y = flat[1] + steps[i][1];
        double length = hypot(x, y), direction = atan2(y, x) + 0.7; /* rotated in polar coordinates */
        check_texcoord(p, corners[i], length * cos(direction) * 0.3076 - 1.5,
                       2.25 - length * sin(direction) * 1.25);
    }
    mst_scene_free(scene);
}

static void test_mapping_group(void **state) {
    (void)state;
    /* a floor with all values from group 7, whose normal is +Z: x is the point's x, y its height */
    mst_scene *scene =
        scene_of_text(LEVEL("10",
                            SQUARE(POINTS("1,5,2", "1,5,6", "4,5,6", "4,5,2"),
                                   FACE("0", ",\"mapping_group\":7,\"angle\":1,\"offset\":[9,9],\"scale\":[9,"
                                             "9]")) ",\"mapping_groups\":[{\"id\":3,\"normal\":[1,0,0]},"
                                                    "{\"id\":7,\"angle\":0,\"scale\":[2,3],\"offset\":[0.25,"
                                                    "0.5],\"normal\":[0,0,4]}]",
                            ""),
                      NULL);
    const mst_primitive *p = primitive_of(scene, the_node(scene, "grid"));
    assert_close((double)p->normals[1], 1, 1e-6); /* for lighting, not for the texture */
    check_texcoord(p, (const double[3]){4, 5, 6}, 4 * 2 + 0.25, 0.5 - 5 * 3);
    mst_scene_free(scene);
    /* a group that is not defined: the face's own */
    scene = scene_of_text(LEVEL("10",
                                SQUARE(POINTS("0,0,3", "2,0,3", "2,1,3", "0,1,3"),
                                       FACE("0", ",\"mapping_group\":4294967231,\"offset\":[0.5,0.25],"
                                                 "\"scale\":[0.5,2]")),
                                ""),
                          NULL);
    p = primitive_of(scene, the_node(scene, "grid"));
    check_texcoord(p, (const double[3]){2, 1, 3}, 1.5, -1.75);
    mst_scene_free(scene);
}

/* ---- triangles --------------------------------------------------------------------------------- */

#define HOLE_MESH                                                                                            \
    "\"materials\":[\"a.material\"],\"vertices\":[{\"position\":[0,0,0]},{\"position\":[0,0,4]},"            \
    "{\"position\":[4,0,4]},{\"position\":[4,0,0]},{\"position\":[1,0,1]},{\"position\":[1,0,3]},"           \
    "{\"position\":[3,0,3]},{\"position\":[3,0,1]}],"                                                        \
    "\"edges\":[{\"vertices\":[0,1]},{\"vertices\":[1,2]},{\"vertices\":[2,3]},{\"vertices\":[0,3]},"        \
    "{\"vertices\":[4,5]},{\"vertices\":[5,6]},{\"vertices\":[6,7]},{\"vertices\":[4,7]}],"

#define HOLE                                                                                                 \
    "[{\"flipped\":false,\"edge\":7},{\"flipped\":true,\"edge\":6},{\"flipped\":true,\"edge\":5},"           \
    "{\"flipped\":true,\"edge\":4}]"

static void check_hole(const char *text, double expected) {
    mst_scene *scene = scene_of_text(text, NULL);
    check_scene(scene);
    const mst_primitive *p = primitive_of(scene, the_node(scene, "a"));
    double sum[3];
    assert_close(area_of(p, sum), expected, 1e-5);
    assert_close(sum[1], expected, 1e-5); /* all face up */
    assert_int_equal(extra_of(&scene->extras, "faces_triangulated_anew")->integer, 1);
    mst_scene_free(scene);
}

static void test_triangulated_anew(void **state) {
    (void)state;
    /* no triangles at all, an empty list, and triangles of missing vertices */
    check_hole(LEVEL("10", HOLE_MESH "\"faces\":[{\"material\":0,\"loops\":[" LOOP4 "," HOLE "]}]", ""), 12);
    check_hole(LEVEL("10",
                     HOLE_MESH "\"faces\":[{\"material\":0,\"loops\":[" LOOP4 "," HOLE
                               "]}],\"triangles\":{\"faces\":[[]]}",
                     ""),
               12);
    check_hole(LEVEL("7",
                     HOLE_MESH
                     "\"faces\":[{\"material\":0,\"loops\":[" LOOP4 "," HOLE
                     "]}],\"triangles\":{\"faces\":[[{\"vertices\":[0,1,2]},{\"vertices\":[0,2,8]}]]}",
                     ""),
               12);
    /* a hole with a missing edge is left out; a flipped edge starts at its other end */
    check_hole(LEVEL("10",
                     HOLE_MESH "\"faces\":[{\"material\":0,\"loops\":[" LOOP4
                               ",[{\"edge\":4},{\"edge\":5},{\"edge\":99}]]}]",
                     ""),
               16);
}

static void test_ghosts_and_normals(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(
        LEVEL("9",
              "\"materials\":[\"a.material\"],\"vertices\":" POINTS(
                  "0,0,0", "0,0,4", "4,0,4",
                  "4,0,0") "," EDGES4
                           "\"faces\":[" FACE("0", "") "],\"triangles\":{\"ghost_vertices\":[[2,0,0]],"
                                                       "\"smoothed_normals\":[[0,3,4]],\"faces\":[["
                                                       "{\"vertices\":[0,1,4],\"normals\":[0,1,1]},{"
                                                       "\"vertices\":[4,1,2],\"normals\":[1,1,5]},"
                                                       "{\"vertices\":[4,2,3],\"normals\":[1,1,0]}]]}",
              ""),
        NULL);
    assert_int_equal(check_scene(scene), 3);
    const mst_primitive *p = primitive_of(scene, the_node(scene, "a"));
    assert_int_equal(p->vertex_count, 5); /* every other index is "none", and shares the corner */
    double sum[3];
    assert_close(area_of(p, sum), 16, 1e-6);
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        const float *at = p->positions + 3 * (size_t)i, *n = p->normals + 3 * (size_t)i;
        bool smooth = at[2] == 0 && (at[0] == 0 || at[0] == 4);
        assert_close((double)n[1], smooth ? 0.6 : 1, 1e-6);
        assert_close((double)n[2], smooth ? 0.8 : 0, 1e-6);
    }
    mst_scene_free(scene);
}

/* clang-format off */
static const char *const hostile_texts[] = {
    LEVEL("10", "", ""),
    LEVEL("10", "\"faces\":[" FACE("0", "") "]", ""),
    /* a border of missing edges, or of missing vertices */
    LEVEL("10",
          "\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") ",\"edges\":[{\"vertices\":[0,9]}],"
          "\"faces\":[" FACE("7", "") ",{\"material\":0,\"loops\":[[{\"edge\":0},{\"edge\":0},{\"edge\":0}]]}]",
          ""),
    /* triangles for more faces than exist, of missing points */
    LEVEL("9",
          "\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") ",\"faces\":[{\"loops\":[[]]}],"
          "\"triangles\":{\"faces\":[[{\"vertices\":[4294967295,0,4],\"normals\":[9,9,9]}],"
          "[{\"vertices\":[0,1,2]}]]}",
          ""),
    /* groups of missing faces, a duplicate id, layers without names */
    LEVEL("9",
          SQUARE(POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0"), FACE("4294967295", ""))
          ",\"geometry_groups\":{\"face_groups\":[{\"id\":5,\"indices\":[4294967295,1,7]},"
          "{\"id\":5,\"indices\":[0,0,0]}]},"
          "\"face_layers\":{\"faces\":[{\"has_layers\":true,\"layer_masks\":[]},"
          "{\"has_layers\":true,\"layer_masks\":[4294967295,1]}]}",
          ",\"layers\":[{\"id\":4294967295,\"name\":\"far\"},{\"id\":64,\"name\":\"off\"}],"
          "\"groups\":[{\"id\":5,\"name\":\"a\"},{\"id\":5,\"name\":\"b\"}]"),
    /* an empty object, one with odd values */
    LEVEL("10", "",
          ",\"objects\":[{\"class_name\":\"\"},"
          OBJECT("light_spot", "\"group\":77,",
                 PROPERTY("origin", "distance", "1,2") ","
                 PROPERTY("origin", "distance", "1e38,-1e38,3") ","
                 PROPERTY("origin", "distance", "7,7,7") ","
                 PROPERTY("innerAngle", "angle", "-5") ","
                 PROPERTY("outerAngle", "angle", "500") ","
                 PROPERTY("intensity", "real", "-20") ","
                 PROPERTY("color", "color", "9,-1,0.5,1") ","
                 PROPERTY("name", "string", "\"\"") ","
                 PROPERTY("many", "integer", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18")) "]"),
};

/* clang-format on */

static void test_hostile(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hostile_texts / sizeof *hostile_texts; i++)
        for (int split = 0; split < 2; split++) {
            mst_scene_options options = {.size = sizeof options, .split_layers = split};
            mst_scene *scene = scene_of_text(hostile_texts[i], &options);
            check_scene(scene);
            mst_scene_free(scene);
        }
    mst_scene *scene = scene_of_text(hostile_texts[4], NULL);
    const mst_node *node = the_node(scene, "no material");
    assert_string_equal(node->layer, "a");
    mst_scene_free(scene);
    scene = scene_of_text(hostile_texts[5], NULL);
    node = the_node(scene, "light_spot");
    assert_close((double)node->translation[2], 3, 0);
    assert_int_equal(extra_of(&node->extras, "origin_z_2")->kind, MST_EXTRA_REAL);
    assert_int_equal(extra_of(&node->extras, "many_15")->integer, 16);
    assert_close((double)scene->lights[0].intensity, 0, 0);
    assert_true(scene->lights[0].outer_angle <= 1.5707964F && scene->lights[0].inner_angle >= 0);
    mst_scene_free(scene);
}

/* clang-format off */
static const char not_finite_text[] =
    LEVEL("9",
          SQUARE(POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0"),
                 FACE("0", TRANSFORM "\"offset\":[0.25,0.5],\"scale\":[2,3]")),
          ",\"objects\":["
          OBJECT("location", NO_GROUP,
                 PROPERTY("origin", "distance", "1,2,3") "," PROPERTY("scale", "real", "4,5,6")) "]");

/* clang-format on */

static void test_not_finite(void **state) {
    (void)state;
    mst_document *document = open_json(not_finite_text, NULL);
    size_t size;
    const uint8_t *bytes = mst_document_bytes(document, &size);
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    static const char *const places[] = {"mesh.vertices[3].position[1]", "mesh.faces[0].offset[0]",
                                         "objects[0].properties[0].value[0]",
                                         "objects[0].properties[1].value[2]"};
    static const uint32_t bits[] = {0x7FC00000, 0xFFC00000, 0x7F800000, 0x7FC00001};
    for (size_t i = 0; i < 4; i++) {
        mst_value value;
        uint64_t offset, length;
        MUST(mst_find(mst_root(document), places[i], &value, NULL), NULL);
        mst_value_span(&value, &offset, &length);
        assert_int_equal(length, 4);
        mst_store32(copy + offset, bits[i], false);
    }
    mst_close(document);
    mst_diagnostic why;
    MUST(mst_open_memory(copy, size, NULL, &document, &why), &why);
    mst_scene *scene = scene_of(document, NULL);
    /* the missing corner is left out, and with it half of the square */
    assert_int_equal(check_scene(scene), 1);
    const mst_node *node = the_node(scene, "location");
    assert_close((double)node->translation[0], 0, 0);
    assert_close((double)node->translation[1], 2, 0);
    assert_close((double)node->scale[1], 5, 0);
    assert_close((double)node->scale[2], 1, 0);
    assert_int_equal(extra_of(&node->extras, "origin_x")->kind, MST_EXTRA_TEXT);
    mst_scene_free(scene);
    mst_close(document);
    free(copy);
}

/* ---- groups and layers ------------------------------------------------------------------------- */

static void check_role(const char *group, mst_role role) {
    char text[3000];
    snprintf(text, sizeof text,
             LEVEL("9", TWO_FACES(",\"geometry_groups\":{\"face_groups\":[{\"id\":40,\"indices\":[1]}]}"),
                   ",\"groups\":[{\"id\":2,\"name\":\"Low Lights\"},{\"id\":40,\"name\":\"%s\"}]"),
             group);
    mst_scene *scene = scene_of_text(text, NULL);
    assert_int_equal(check_scene(scene), 4);
    const mst_node *one = the_node(scene, "one"), *two = the_node(scene, "two");
    assert_int_equal(one->role, MST_ROLE_GEOMETRY);
    assert_string_equal(one->layer, "");
    assert_int_equal(two->role, role);
    assert_string_equal(two->layer, group);
    assert_string_equal(scene->nodes[two->parent].name, group);
    assert_string_equal(scene->nodes[two->parent].layer, group);
    assert_int_equal(scene->nodes[two->parent].role, role);
    assert_int_equal(scene->nodes[two->parent].parent, 0);
    assert_string_equal(scene->materials[primitive_of(scene, two)->material].name, "x/two.material");
    assert_string_equal(extra_of(&scene->materials[primitive_of(scene, two)->material].extras, "path")->text,
                        "x/two.material");
    mst_scene_free(scene);
}

static void test_groups(void **state) {
    (void)state;
    check_role("CollisionGeometry", MST_ROLE_COLLISION);
    check_role("InvisibleGeometry", MST_ROLE_HELPER);
    check_role("OcclusionGeometry", MST_ROLE_HELPER);
    check_role("CommanderBuild", MST_ROLE_HELPER);
    check_role("CommanderNoBuild", MST_ROLE_HELPER);
    check_role("CommanderInvisible", MST_ROLE_GEOMETRY);
    check_role("CommanderInvisibleVents", MST_ROLE_GEOMETRY);
    check_role("NonCollisionGeometry", MST_ROLE_GEOMETRY);
    check_role("OverviewInvisible", MST_ROLE_GEOMETRY);
}

/* clang-format off */
static const char layers_text[] =
    LEVEL("10",
          TWO_FACES(",\"face_layers\":{\"format\":2,\"faces\":[{\"has_layers\":true,\"layer_masks\":[0,8]},"
                    "{\"has_layers\":true,\"layer_masks\":[2,0]}]}"),
          ",\"objects\":["
          OBJECT("door", "\"has_layers\":true,\"layer_format\":2,\"layer_masks\":[2,8],\"group\":4294967295,", "")
          "],\"layers\":[{\"id\":35,\"name\":\"Vents\"},{\"id\":1,\"name\":\"Lobby\"}]");

/* clang-format on */

static void test_layers(void **state) {
    (void)state;
    /* the bit is the id, not the place in the list; id 35 is in the second word */
    mst_scene_options split = {.size = sizeof split, .split_layers = 1};
    mst_scene *scene = scene_of_text(layers_text, &split);
    assert_string_equal(the_node(scene, "one")->layer, "Vents");
    assert_string_equal(the_node(scene, "two")->layer, "Lobby");
    const mst_node *door = the_node(scene, "door");
    assert_string_equal(door->layer, "Lobby");
    assert_string_equal(extra_of(&door->extras, "layers")->text, "Lobby,Vents");
    mst_scene_free(scene);
    scene = scene_of_text(layers_text, NULL);
    assert_string_equal(the_node(scene, "one")->layer, "");
    mst_scene_free(scene);
}

/* Face one is on the layers of the mask, of which the one with id 3 has the name. */
static void check_layer_role(const char *layer, int mask, mst_role role, const char *shown) {
    char text[3000];
    snprintf(
        text, sizeof text,
        LEVEL("10",
              TWO_FACES(",\"face_layers\":{\"format\":2,\"faces\":[{\"has_layers\":true,\"layer_masks\":[%d]}"
                        ",{\"has_layers\":true,\"layer_masks\":[2]}]}"),
              ",\"layers\":[{\"id\":3,\"name\":\"%s\"},{\"id\":1,\"name\":\"Lobby\"},{\"id\":5,\"name\":"
              "\"Hall\"}]"),
        mask, layer);
    mst_scene *scene = scene_of_text(text, NULL);
    assert_int_equal(check_scene(scene), 4);
    assert_int_equal(the_node(scene, "one")->role, role);
    assert_string_equal(the_node(scene, "one")->layer, shown);
    assert_int_equal(the_node(scene, "two")->role, MST_ROLE_GEOMETRY);
    assert_string_equal(the_node(scene, "two")->layer, "");
    mst_scene_free(scene);
}

static void check_material_role(const char *material, mst_role role) {
    char text[3000];
    snprintf(text, sizeof text,
             LEVEL("9",
                   "\"materials\":[\"%s\"],\"vertices\":" POINTS(
                       "0,0,0", "0,0,4", "4,0,4",
                       "4,0,0") "," EDGES4
                                "\"faces\":[" FACE("0", "") "],\"triangles\":{\"faces\":[" TRIANGLES2 "]}",
                   ""),
             material);
    mst_scene *scene = scene_of_text(text, NULL);
    assert_int_equal(check_scene(scene), 2);
    size_t meshes = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].mesh >= 0) {
            assert_int_equal(scene->nodes[i].role, role);
            meshes++;
        }
    assert_int_equal(meshes, 1);
    mst_bounds bounds = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY);
    assert_int_equal(bounds.minimum[0] <= bounds.maximum[0], role == MST_ROLE_GEOMETRY);
    mst_scene_free(scene);
}

/* The editor's navigation mesh, and hints to a level compiler about the purpose of a surface. */
static void test_helpers(void **state) {
    (void)state;
    check_layer_role("Pathing", 8, MST_ROLE_HELPER, "Pathing");
    check_layer_role("pathing", 8, MST_ROLE_HELPER, "pathing");
    check_layer_role("Pathing 2", 8, MST_ROLE_GEOMETRY, "");
    check_layer_role("Pathing", 2, MST_ROLE_GEOMETRY, "");
    /* a floor that is also on that layer is still a floor */
    check_layer_role("Pathing", 8 + 2, MST_ROLE_GEOMETRY, "");
    check_layer_role("Pathing", 8 + 32, MST_ROLE_GEOMETRY, "");
    static const char *const tools[] = {"skybox", "clip",    "playerclip", "hint",
                                        "skip",   "trigger", "nodraw",     "invisible"};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char path[80];
        snprintf(path, sizeof path, "materials/tools/tools%s.material", tools[i]);
        check_material_role(path, MST_ROLE_HELPER);
        snprintf(path, sizeof path, "Materials/TOOLS/Tools%s", tools[i]);
        check_material_role(path, MST_ROLE_HELPER);
        snprintf(path, sizeof path, "materials/tools%s/wall.material", tools[i]);
        check_material_role(path, MST_ROLE_GEOMETRY);
        snprintf(path, sizeof path, "materials/tools/tools%ss.material", tools[i]);
        check_material_role(path, MST_ROLE_GEOMETRY);
    }
    check_material_role("materials/dev/navmesh.material", MST_ROLE_GEOMETRY);
    check_material_role("materials/tools/tools.material", MST_ROLE_GEOMETRY);
    check_material_role("materials/skybox/skybox.material", MST_ROLE_GEOMETRY);
}

/* The names of an entity's layers, as many as fit. */
static void test_long_layers(void **state) {
    (void)state;
    static const struct {
        int lengths[3];
        int shown; /* characters, with commas */
    } cases[] = {{{3, 4, 5}, 14},      {{600, 600, 5}, 600}, {{1023, 1, 1}, 1023},
                 {{1021, 1, 1}, 1023}, {{1024, 1, 1}, 0},    {{1, 1023, 1}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4000], many[1100];
        memset(many, 'x', sizeof many);
        snprintf(
            text, sizeof text,
            LEVEL("10", "",
                  ",\"objects\":[" OBJECT(
                      "door", "\"has_layers\":true,\"layer_masks\":[7],\"group\":4294967295,",
                      "") "],\"layers\":[{\"id\":0,\"name\":\"%.*s\"},{\"id\":1,\"name\":\"%.*s\"},{\"id\":2,"
                          "\"name\":\"%.*s\"}]"),
            cases[i].lengths[0], many, cases[i].lengths[1], many, cases[i].lengths[2], many);
        mst_scene *scene = scene_of_text(text, NULL);
        const mst_extras *extras = &the_node(scene, "door")->extras;
        size_t length = 0;
        for (size_t k = 0; k < extras->count; k++)
            if (strcmp(extras->items[k].name, "layers") == 0)
                length = strlen(extras->items[k].text);
        assert_int_equal(length, cases[i].shown);
        mst_scene_free(scene);
    }
}

/* clang-format on */

static void test_version_4(void **state) {
    (void)state;
    /* no ids: the bit is the place in the list; layers have the later role of groups */
    mst_scene *scene = scene_of_text(version_4_text, NULL);
    assert_int_equal(check_scene(scene), 4);
    assert_int_equal(the_node(scene, "one")->role, MST_ROLE_GEOMETRY);
    assert_string_equal(the_node(scene, "one")->layer, "Rooms");
    assert_int_equal(the_node(scene, "two")->role, MST_ROLE_COLLISION);
    assert_string_equal(extra_of(&the_node(scene, "ready_room_start")->extras, "layers")->text,
                        "Rooms,CollisionGeometry");
    mst_scene_free(scene);
}

/* ---- real levels ------------------------------------------------------------------------------- */

typedef struct known_level {
    const char *file;
    size_t triangles; /* stored */
    float minimum[3], maximum[3];
    struct {
        const char *name;
        size_t count;
    } classes[4];
    size_t lights, objects;
    int all_stored; /* no face needs new triangles */
} known_level;

static const known_level known[] = {
    {"ns2/ns2-skulks-with-shotguns__2fort__267190d3.level",
     15398,
     {-96.72319793701172F, -7.315199851989746F, -126.3904037475586F},
     {59.334407806396484F, 15.443201065063477F, 119.28319549560547F},
     {{"light_point", 72}, {"light_ambient", 51}, {"reflection_probe", 13}, {"location", 6}},
     126,
     172,
     0},
    {"ns2/ns2-skulks-with-shotguns__ns2_sws_ikea__c29f04a0.level",
     15115,
     {-40.63999938964844F, -21.132797241210938F, -78.43519592285156F},
     {65.02400207519531F, 50.39360046386719F, 58.52159881591797F},
     {{"light_point", 73}, {"ready_room_start", 20}, {"teleport_trigger", 10}, {"decal", 1}},
     155,
     220,
     1},
    {"ns2/ns2lua__splay__4788dc5c.level",
     1128,
     {-97.53600311279297F, -3.657600164413452F, -33.324798583984375F},
     {27.736797332763672F, 13.004803657531738F, 84.53118896484375F},
     {{"ready_room_start", 32}, {"player_start", 28}, {"prop_static", 21}, {"door", 1}},
     0,
     93,
     1},
    {"ns2/NS2Combat__ns2_npc_test__ab7e95fb.level",
     452,
     {-44.47623062133789F, -0.4136648178100586F, -50.430259704589844F},
     {35.91964340209961F, 5.9944000244140625F, 15.290800094604492F},
     {{"light_point", 31}, {"ready_room_start", 12}, {"func_door", 3}, {"skybox", 1}},
     31,
     81,
     1},
};

static void test_known_levels(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const known_level *level = &known[i];
        size_t size;
        uint8_t *bytes = corpus_read(level->file, &size);
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_open_memory(bytes, size, NULL, &document, &why), &why);
        for (int split = 0; split < 2; split++) {
            mst_scene_options options = {.size = sizeof options, .split_layers = split};
            mst_scene *scene = scene_of(document, &options);
            size_t triangles = check_scene(scene), lights = 0, entities = 0;
            if (level->all_stored)
                assert_int_equal(triangles, level->triangles);
            else
                assert_true(triangles > level->triangles && triangles < level->triangles + 10);
            mst_bounds bounds = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY | 1u << MST_ROLE_COLLISION |
                                                            1u << MST_ROLE_HELPER);
            for (int k = 0; k < 3; k++) {
                assert_close((double)bounds.minimum[k], (double)level->minimum[k], 1e-6);
                assert_close((double)bounds.maximum[k], (double)level->maximum[k], 1e-6);
            }
            for (size_t c = 0; c < 4; c++) {
                size_t count = 0;
                for (size_t n = 0; n < scene->node_count; n++)
                    count += strcmp(scene->nodes[n].class_name, level->classes[c].name) == 0;
                assert_int_equal(count, level->classes[c].count);
            }
            for (size_t n = 0; n < scene->node_count; n++) {
                lights += scene->nodes[n].light >= 0;
                entities += *scene->nodes[n].class_name != 0;
            }
            assert_int_equal(lights, level->lights);
            assert_int_equal(entities, level->objects);
            assert_int_equal(scene->light_count, level->lights);
            assert_int_equal(scene->camera_count, 1);
            mst_scene_free(scene);
        }
        mst_close(document);
        free(bytes);
    }
}

/* Whatever is changed in a real level, the result is a scene or a lack of memory, and nothing else. */
static void test_damaged_levels(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("ns2/NS2Combat__ns2_npc_test__ab7e95fb.level", &size);
    random_state r = {7};
    size_t opened = 0;
    for (int round = 0; round < 150; round++) {
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        uint32_t changes = 1 + random_below(&r, 40);
        for (uint32_t k = 0; k < changes; k++) {
            size_t place = 4 + random_below(&r, (uint32_t)size - 8);
            if (random_below(&r, 2))
                copy[place] = (uint8_t)random_next(&r);
            else
                memset(copy + place, 0xFF, 4);
        }
        mst_document *document;
        if (mst_open_memory(copy, size, NULL, &document, NULL) == MST_OK) {
            opened++;
            mst_scene_options options = {.size = sizeof options, .split_layers = round % 2};
            mst_scene *scene;
            if (mst_ns2_scene(document, &options, &scene, NULL) == MST_OK) {
                check_scene(scene);
                mst_scene_free(scene);
            }
            mst_close(document);
        }
        free(copy);
    }
    assert_true(opened > 10);
    free(bytes);
}

int test_ns2_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floor_texture),
        cmocka_unit_test(test_wall_texture),
        cmocka_unit_test(test_slope_texture),
        cmocka_unit_test(test_mapping_group),
        cmocka_unit_test(test_triangulated_anew),
        cmocka_unit_test(test_ghosts_and_normals),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_long_layers),
        cmocka_unit_test(test_version_4),
        cmocka_unit_test(test_known_levels),
        cmocka_unit_test(test_damaged_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
