/* SPDX-License-Identifier: MIT */
/* Natural Selection 2 levels as scenes. Levels of our own are written as JSON here; what real ones must give
 * was counted by an independent reader (expected.json of the corpus) or follows from the description. */
#include "../src/formats/ns2/ns2.h"
#include "../src/scene/geometry.h"
#include "thorough.h"
#include <mapstone/scene.h>

/* ---- small helpers ----------------------------------------------------------------------------- */

static mst_document *open_text(const char *text) {
    mst_document *document = NULL;
    mst_diagnostic why;
    mst_open_options options = {.lenient_json = 1};
    mst_status status = mst_open_json(text, strlen(text), &options, &document, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return document;
}

static mst_scene *scene_of(const mst_document *document, const mst_scene_options *options) {
    mst_scene *scene = NULL;
    mst_diagnostic why;
    MUST(mst_ns2_scene(document, options, &scene, &why), &why);
    assert_non_null(scene);
    return scene;
}

/* A scene of a level that is only text; the document is closed, for the scene must not need it. */
static mst_scene *scene_of_text(const char *text, const mst_scene_options *options) {
    mst_document *document = open_text(text);
    mst_scene *scene = scene_of(document, options);
    mst_close(document);
    return scene;
}

static int32_t node_named(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

static const mst_node *the_node(const mst_scene *scene, const char *name) {
    int32_t index = node_named(scene, name);
    if (index < 0)
        print_error("there is no node %s\n", name);
    assert_true(index >= 0);
    return &scene->nodes[index];
}

static const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    print_error("there is no extra %s\n", name);
    fail();
    return NULL;
}

static const mst_primitive *primitive_of(const mst_scene *scene, const mst_node *node) {
    assert_true(node->mesh >= 0 && (size_t)node->mesh < scene->mesh_count);
    assert_int_equal(scene->meshes[node->mesh].primitive_count, 1);
    return &scene->meshes[node->mesh].primitives[0];
}

static bool is_geometry(const mst_node *node) {
    return node->mesh >= 0 && (node->role == MST_ROLE_GEOMETRY || node->role == MST_ROLE_COLLISION ||
                               node->role == MST_ROLE_HELPER);
}

/* What must hold in every scene; returns the triangles of geometry. */
static size_t check_scene(const mst_scene *scene) {
    size_t triangles = 0;
    assert_int_equal(scene->nodes[0].parent, -1);
    for (size_t i = 1; i < scene->node_count; i++)
        assert_true(scene->nodes[i].parent >= 0 && (size_t)scene->nodes[i].parent < i);
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (!is_geometry(node))
            continue;
        const mst_primitive *p = primitive_of(scene, node);
        assert_int_equal(p->index_count % 3, 0);
        assert_true(p->material >= 0 && (size_t)p->material < scene->material_count);
        for (uint32_t k = 0; k < p->index_count; k++)
            assert_true(p->indices[k] < p->vertex_count);
        for (uint32_t k = 0; k < p->vertex_count; k++) {
            double square = 0;
            for (uint32_t c = 0; c < 3; c++) {
                assert_true(isfinite(p->positions[3 * k + c]));
                square += (double)p->normals[3 * k + c] * (double)p->normals[3 * k + c];
            }
            assert_true(fabs(square - 1) < 1e-5);
            assert_true(isfinite(p->texcoords[2 * k]) && isfinite(p->texcoords[2 * k + 1]));
        }
        triangles += p->index_count / 3;
    }
    return triangles;
}

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

static void assert_close(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        print_error("%.9g, expected %.9g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

/* ---- texts of levels --------------------------------------------------------------------------- */

/* A square of two triangles, of four corners; %s: the corners, and what the face says. */
#define EDGES4                                                                                               \
    "\"edges\":[{\"vertices\":[0,1]},{\"vertices\":[1,2]},{\"vertices\":[2,3]},{\"vertices\":[0,3]}],"
#define LOOP4                                                                                                \
    "[{\"flipped\":false,\"edge\":0},{\"flipped\":false,\"edge\":1},{\"flipped\":false,\"edge\":2},"         \
    "{\"flipped\":true,\"edge\":3}]"
#define TRIANGLES2           "[{\"vertices\":[0,1,2]},{\"vertices\":[0,2,3]}]"
#define FACE(material, more) "{\"material\":" material ",\"loops\":[" LOOP4 "]" more "}"
#define LEVEL(version, mesh, rest)                                                                           \
    "{\"$format\":\"ns2-level\",\"version\":" version ",\"mesh\":{" mesh "}" rest "}"
#define SQUARE(vertices, face)                                                                               \
    "\"materials\":[\"materials/dev/grid.material\"],\"vertices\":" vertices "," EDGES4 "\"faces\":[" face   \
    "],\"triangles\":{\"faces\":[" TRIANGLES2 "]}"
#define POINTS(a, b, c, d)                                                                                   \
    "[{\"position\":[" a "]},{\"position\":[" b "]},{\"position\":[" c "]},{\"position\":[" d "]}]"
#define TRANSFORM ",\"mapping_group\":4294967295,"
#define PROPERTY(name, type, value)                                                                          \
    "{\"name\":\"" name "\",\"type\":\"" type "\",\"animated\":false,\"value\":[" value "]}"
#define OBJECT(class_name, more, properties)                                                                 \
    "{\"class_name\":\"" class_name "\"," more "\"properties\":[" properties "]}"
#define NO_GROUP "\"has_layers\":false,\"group\":4294967295,"

/* ---- textures ---------------------------------------------------------------------------------- */

/* The corner at that position has these texture coordinates. */
static void check_texcoord(const mst_primitive *p, const double position[3], double u, double v) {
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        const float *at = p->positions + 3 * (size_t)i;
        if (fabs((double)at[0] - position[0]) + fabs((double)at[1] - position[1]) +
                fabs((double)at[2] - position[2]) >
            1e-4)
            continue;
        assert_close((double)p->texcoords[2 * (size_t)i], u, 2e-5);
        assert_close((double)p->texcoords[2 * (size_t)i + 1], v, 2e-5);
        return;
    }
    fail();
}

static void test_floor_texture(void **state) {
    (void)state;
    /* n = +Y: x and y of the texture are z and x of the point; a quarter turn makes (x, y) (-y, x) */
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
    /* the ceiling, n = -Y: both the other way round; no turn */
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
    /* Spanned by a = (0.8, 0, -0.6), which is level, and b = (-0.48, 0.6, -0.64), which climbs: their product
     * is the normal (0.36, 0.8, 0.48), so a is the texture's x and b its y. Corners at known steps along
     * both. */
    const double a[3] = {0.8, 0, -0.6}, b[3] = {-0.48, 0.6, -0.64}, base[3] = {3, -2, 7};
    const double steps[4][2] = {{0, 0}, {5, 0}, {5, 4}, {0, 4}};
    double corners[4][3], flat[2] = {0, 0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = base[k] + steps[i][0] * a[k] + steps[i][1] * b[k];
    for (int k = 0; k < 3; k++) { /* of the point that the steps start at */
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
        double length = hypot(x, y), direction = atan2(y, x) + 0.7; /* turned in polar coordinates */
        check_texcoord(p, corners[i], length * cos(direction) * 0.3076 - 1.5,
                       2.25 - length * sin(direction) * 1.25);
    }
    mst_scene_free(scene);
}

static void test_mapping_group(void **state) {
    (void)state;
    /* a floor that takes everything from group 7, whose normal is +Z: x is the point's x, y its height */
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
    assert_close((double)p->normals[1], 1, 1e-6); /* of light, not of the texture */
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
    /* no triangles at all, an empty list, and triangles of vertices that are not there */
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
    /* a hole with an edge that is none is left out; a flipped edge starts at its other end */
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
    /* a border of edges that are none, of vertices that are none */
    LEVEL("10",
          "\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") ",\"edges\":[{\"vertices\":[0,9]}],"
          "\"faces\":[" FACE("7", "") ",{\"material\":0,\"loops\":[[{\"edge\":0},{\"edge\":0},{\"edge\":0}]]}]",
          ""),
    /* triangles for more faces than there are, of points that are not there */
    LEVEL("9",
          "\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") ",\"faces\":[{\"loops\":[[]]}],"
          "\"triangles\":{\"faces\":[[{\"vertices\":[4294967295,0,4],\"normals\":[9,9,9]}],"
          "[{\"vertices\":[0,1,2]}]]}",
          ""),
    /* groups of faces that are not there, twice the same id, layers without names */
    LEVEL("9",
          SQUARE(POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0"), FACE("4294967295", ""))
          ",\"geometry_groups\":{\"face_groups\":[{\"id\":5,\"indices\":[4294967295,1,7]},"
          "{\"id\":5,\"indices\":[0,0,0]}]},"
          "\"face_layers\":{\"faces\":[{\"has_layers\":true,\"layer_masks\":[]},"
          "{\"has_layers\":true,\"layer_masks\":[4294967295,1]}]}",
          ",\"layers\":[{\"id\":4294967295,\"name\":\"far\"},{\"id\":64,\"name\":\"off\"}],"
          "\"groups\":[{\"id\":5,\"name\":\"a\"},{\"id\":5,\"name\":\"b\"}]"),
    /* an object with nothing, one with odd values */
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
            mst_scene_options options = {.split_layers = split};
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
    mst_document *document = open_text(not_finite_text);
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
    /* the corner that is nowhere goes, and with it half of the square */
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

/* ---- numbers and lists that are of no use ------------------------------------------------------- */

/* Triangles with a corner that is nowhere are left out, whichever of the three it is; the others say where
 * the face looks. */
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
        /* the wall of another test: its texture goes by the face */
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
        /* and light, where the smoothed normal is none */
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

/* Lists that are shorter or longer than there are faces, or not there. */
static void test_other_lengths(void **state) {
    (void)state;
    static const char square[] = POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0");
    static const struct {
        const char *triangles, *layers; /* of two faces */
        const char *of_one, *of_two;    /* their layers */
    } cases[] = {
        {"[" TRIANGLES2 "]", "", "", ""}, /* the second face is cut again */
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
        mst_scene_options split = {.split_layers = 1};
        mst_scene *scene = scene_of_text(text, &split);
        assert_int_equal(check_scene(scene), 4);
        assert_string_equal(the_node(scene, "one")->layer, cases[i].of_one);
        assert_string_equal(the_node(scene, "two")->layer, cases[i].of_two);
        mst_scene_free(scene);
    }
}

/* A mesh is called as the last part of its material's path, without the ending. */
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

/* ---- groups and layers ------------------------------------------------------------------------- */

#define TWO_FACES(more)                                                                                      \
    "\"materials\":[\"x/one.material\",\"x/two.material\"],\"vertices\":" POINTS(                            \
        "0,0,0", "0,0,4", "4,0,4",                                                                           \
        "4,0,0") "," EDGES4                                                                                  \
                 "\"faces\":[" FACE("0", "") "," FACE("1", "") "],\"triangles\":{\"faces\":[" TRIANGLES2     \
                                                               "," TRIANGLES2 "]}" more

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
    mst_scene_options split = {.split_layers = 1};
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

/* The names of an entity's layers, as many as there is room for. */
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

/* clang-format off */
static const char version_4_text[] =
    LEVEL("4", TWO_FACES(",\"face_layers\":{\"masks\":[1,2]}"),
          ",\"objects\":["
          OBJECT("ready_room_start", "\"layer_mask\":3,",
                 PROPERTY("origin", "distance", "1,2,3") "," PROPERTY("angles", "angle", "0,0,0"))
          "],\"layers\":[{\"name\":\"Rooms\"},{\"name\":\"CollisionGeometry\"}]");
/* clang-format on */

static void test_version_4(void **state) {
    (void)state;
    /* no ids: the bit is the place in the list; layers do what groups do later */
    mst_scene *scene = scene_of_text(version_4_text, NULL);
    assert_int_equal(check_scene(scene), 4);
    assert_int_equal(the_node(scene, "one")->role, MST_ROLE_GEOMETRY);
    assert_string_equal(the_node(scene, "one")->layer, "Rooms");
    assert_int_equal(the_node(scene, "two")->role, MST_ROLE_COLLISION);
    assert_string_equal(extra_of(&the_node(scene, "ready_room_start")->extras, "layers")->text,
                        "Rooms,CollisionGeometry");
    mst_scene_free(scene);
}

/* ---- entities ---------------------------------------------------------------------------------- */

/* Where the node takes a direction. */
static void direction_of(const mst_scene *scene, const mst_node *node, const double from[3], double to[3]) {
    float *matrices = malloc(scene->node_count * 16 * sizeof(float));
    assert_non_null(matrices);
    mst_scene_world_matrices(scene, matrices);
    const float *m = matrices + 16 * (node - scene->nodes);
    for (int row = 0; row < 3; row++)
        to[row] = (double)m[row] * from[0] + (double)m[4 + row] * from[1] + (double)m[8 + row] * from[2];
    free(matrices);
}

static void check_direction(const mst_scene *scene, const char *name, double x, double y, double z,
                            const double expected[3]) {
    double to[3];
    direction_of(scene, the_node(scene, name), (const double[3]){x, y, z}, to);
    for (int i = 0; i < 3; i++)
        assert_close(to[i], expected[i], 1e-5);
}

/* clang-format off */
static const char rotation_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("yaw", NO_GROUP, PROPERTY("angles", "angle", "0,0,1.5707964")) ","
          OBJECT("pitch", NO_GROUP, PROPERTY("angles", "angle", "0,1.5707964,0")) ","
          OBJECT("roll", NO_GROUP, PROPERTY("angles", "angle", "1.5707964,0,0")) ","
          OBJECT("all", NO_GROUP, PROPERTY("angles", "angle", "0.3,-0.7,2.1")) "]");
/* clang-format on */

static void test_rotation(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(rotation_text, NULL);
    check_direction(scene, "yaw", 0, 0, 1, (const double[3]){1, 0, 0});
    check_direction(scene, "pitch", 0, 0, 1, (const double[3]){0, -1, 0});
    check_direction(scene, "roll", 1, 0, 0, (const double[3]){0, 1, 0});
    /* roll first, then pitch, then yaw, each as the plane turn that it is */
    double v[3] = {0.2, -0.5, 0.9};
    const double roll = 0.3, pitch = -0.7, yaw = 2.1;
    double a[3] = {v[0] * cos(roll) - v[1] * sin(roll), v[0] * sin(roll) + v[1] * cos(roll), v[2]};
    double b[3] = {a[0], a[1] * cos(pitch) - a[2] * sin(pitch), a[1] * sin(pitch) + a[2] * cos(pitch)};
    double c[3] = {b[2] * sin(yaw) + b[0] * cos(yaw), b[1], b[2] * cos(yaw) - b[0] * sin(yaw)};
    check_direction(scene, "all", v[0], v[1], v[2], c);
    mst_scene_free(scene);
}

/* clang-format off */
static const char entities_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("prop_static", NO_GROUP,
                 PROPERTY("origin", "distance", "1,2,3") ","
                 PROPERTY("scale", "real", "2,2,2") ","
                 PROPERTY("model", "file_name", "\"models/a.model\"")) ","
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"models/a.model\"")) ","
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"models/b.model\"")) ","
          OBJECT("tech_point", "\"has_layers\":false,\"group\":9,",
                 PROPERTY("name", "string", "\"Hangar\"") ","
                 PROPERTY("teamNumber", "choice", "2") ","
                 PROPERTY("on", "bool", "1") ","
                 PROPERTY("tint", "color", "0.5,0.25,1,1") ","
                 PROPERTY("teamNumber", "choice", "3") ","
                 PROPERTY("angles", "angle", "0,0,1")) ","
          OBJECT("tech_point", NO_GROUP, "") ","
          OBJECT("location", NO_GROUP, PROPERTY("scale", "real", "20,30,40")) "],"
          "\"groups\":[{\"id\":9,\"name\":\"Base\"}]");
/* clang-format on */

static void test_entities(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(entities_text, NULL);
    int32_t meshes[6], at = node_named(scene, "Entities") + 1;
    for (int i = 0; i < 6; i++) {
        const mst_node *node = &scene->nodes[at + i];
        char path[32];
        snprintf(path, sizeof path, "objects[%d]", i);
        assert_string_equal(extra_of(&node->extras, "path")->text, path);
        assert_int_equal(node->role, MST_ROLE_ENTITY);
        meshes[i] = node->mesh;
        /* a box around a room would hide it: the last one has none */
        assert_int_equal(meshes[i] >= 0, i < 5);
    }
    assert_int_equal(meshes[0], meshes[1]);
    assert_int_not_equal(meshes[0], meshes[2]);
    assert_int_equal(meshes[3], meshes[4]);
    assert_int_not_equal(meshes[2], meshes[3]);
    assert_int_equal(scene->mesh_count, 3);
    assert_close((double)scene->nodes[at + 5].scale[0], 20, 0);
    assert_close((double)scene->nodes[at + 5].scale[2], 40, 0);
    assert_string_equal(scene->meshes[meshes[0]].name, "models/a.model");
    assert_string_equal(scene->meshes[meshes[3]].name, "tech_point");
    assert_int_equal(scene->meshes[meshes[0]].primitives[0].index_count, 36);
    assert_close((double)scene->nodes[at].scale[1], 2, 0);
    assert_close((double)scene->nodes[at].translation[2], 3, 0);
    const mst_node *point = the_node(scene, "Hangar");
    assert_string_equal(point->class_name, "tech_point");
    assert_string_equal(point->layer, "Base");
    assert_string_equal(extra_of(&point->extras, "class")->text, "tech_point");
    assert_string_equal(extra_of(&point->extras, "group")->text, "Base");
    assert_string_equal(extra_of(&point->extras, "name")->text, "Hangar");
    assert_int_equal(extra_of(&point->extras, "teamNumber")->integer, 2);
    assert_int_equal(extra_of(&point->extras, "teamNumber_2")->integer, 3);
    assert_int_equal(extra_of(&point->extras, "on")->integer, 1);
    assert_close(extra_of(&point->extras, "tint_g")->real, 0.25, 0);
    assert_close(extra_of(&point->extras, "tint_a")->real, 1, 0);
    assert_close(extra_of(&point->extras, "angles_yaw")->real, 1, 0);
    mst_scene_free(scene);
    mst_scene_options bare = {.no_markers = 1};
    scene = scene_of_text(entities_text, &bare);
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->material_count, 0);
    mst_scene_free(scene);
}

/* clang-format off */
static const char odd_values_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("thing", NO_GROUP,
                 PROPERTY("angles", "angle", "\"NaN\",\"Infinity\",\"-Infinity\"") ","
                 PROPERTY("model", "file_name", "\"models/first.model\"") ","
                 PROPERTY("model", "file_name", "\"models/second.model\"") ","
                 PROPERTY("five", "color", "1,2,3,4,5") ","
                 PROPERTY("two", "angle", "1,2") ","
                 PROPERTY("name", "string", "\"A\"") "," PROPERTY("name", "string", "\"B\"")) ","
          OBJECT("light_point", NO_GROUP,
                 PROPERTY("intensity", "real", "1e38") "," PROPERTY("distance", "distance", "\"Infinity\"") ","
                 PROPERTY("color", "color", "\"NaN\",\"Infinity\",2,1")) ","
          OBJECT("light_ambient", NO_GROUP, PROPERTY("intensity", "real", "\"NaN\"")) ","
          OBJECT("light_spot", NO_GROUP,
                 PROPERTY("innerAngle", "angle", "1.5") "," PROPERTY("outerAngle", "angle", "1.2")) "]");
/* clang-format on */

/* Of two properties of one name the first counts; numbers that are none are as if they were not there. */
static void test_odd_values(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(odd_values_text, NULL);
    const mst_node *thing = the_node(scene, "A");
    assert_close((double)thing->rotation[3], 1, 1e-6);
    assert_string_equal(scene->meshes[thing->mesh].name, "models/first.model");
    assert_string_equal(extra_of(&thing->extras, "model_2")->text, "models/second.model");
    assert_close(extra_of(&thing->extras, "five_4")->real, 5, 0);
    assert_close(extra_of(&thing->extras, "two_y")->real, 2, 0);
    assert_string_equal(extra_of(&thing->extras, "name_2")->text, "B");
    assert_close((double)scene->lights[0].intensity, 1e30, 1e24);
    assert_close((double)scene->lights[0].range, 0, 0);
    static const double colors[3] = {0, 0, 1};
    for (int i = 0; i < 3; i++)
        assert_close((double)scene->lights[0].color[i], colors[i], 0);
    assert_close((double)scene->lights[1].intensity, 0, 0);
    assert_close((double)scene->lights[2].inner_angle, 0.6, 1e-6); /* no wider than the outer one */
    assert_close((double)scene->lights[2].outer_angle, 0.6, 1e-6);
    mst_scene_free(scene);
}

/* clang-format off */
static const char lights_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("light_spot", NO_GROUP,
                 PROPERTY("angles", "angle", "0,0,1.5707964") ","
                 PROPERTY("color", "color", "1,0.5,0.25,1") ","
                 PROPERTY("distance", "distance", "12.5") ","
                 PROPERTY("intensity", "real", "5") ","
                 PROPERTY("innerAngle", "angle", "0.4") ","
                 PROPERTY("outerAngle", "angle", "1.2")) ","
          OBJECT("light_point", NO_GROUP,
                 PROPERTY("intensity", "real", "5") "," PROPERTY("distance", "distance", "8")) ","
          OBJECT("light_ambient", NO_GROUP, PROPERTY("intensity", "real", "5")) "]");
/* clang-format on */

static void test_lights(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(lights_text, NULL);
    assert_int_equal(scene->light_count, 3);
    assert_int_equal(scene->mesh_count, 0);
    const mst_light *spot = &scene->lights[0], *point = &scene->lights[1], *ambient = &scene->lights[2];
    assert_int_equal(spot->kind, MST_LIGHT_SPOT);
    assert_close((double)spot->inner_angle, 0.2, 1e-6);
    assert_close((double)spot->outer_angle, 0.6, 1e-6);
    assert_close((double)spot->range, 12.5, 0);
    assert_close((double)spot->color[1], 0.5, 0);
    assert_int_equal(point->kind, MST_LIGHT_POINT);
    assert_close((double)point->intensity, (double)spot->intensity, 0);
    assert_true(ambient->intensity > 0 && ambient->intensity < point->intensity);
    assert_close((double)ambient->range, 0, 0);
    assert_int_equal(the_node(scene, "light_point")->role, MST_ROLE_LIGHT);
    assert_int_equal(the_node(scene, "light_point")->light, 1);
    const mst_node *entity = the_node(scene, "light_spot"), *holder = the_node(scene, "light");
    assert_int_equal(entity->role, MST_ROLE_LIGHT);
    assert_int_equal(holder->parent, entity - scene->nodes);
    assert_int_equal(holder->light, 0);
    assert_close(extra_of(&entity->extras, "intensity")->real, 5, 0);
    /* the entity's +Z is the world's +X after a quarter turn; a light shines along its node's -Z */
    check_direction(scene, "light_spot", 0, 0, 1, (const double[3]){1, 0, 0});
    check_direction(scene, "light", 0, 0, -1, (const double[3]){1, 0, 0});
    mst_scene_free(scene);
}

/* clang-format off */
#define START                                                                                                \
    ",\"objects\":["                                                                                         \
    OBJECT("ready_room_start", NO_GROUP,                                                                     \
           PROPERTY("origin", "distance", "4,5,6") "," PROPERTY("angles", "angle", "0,0,1.5707964")) "]"
#define VIEW                                                                                                 \
    ",\"viewports\":\"<viewports>\\n<viewport><view>negative_y</view><camera_position><x>9</x><y>9</y>"       \
    "<z>9</z></camera_position><camera_yaw>0</camera_yaw><camera_pitch>0</camera_pitch></viewport>\\n"       \
    "<viewport><view>perspective</view><camera_position><x>1.5</x>\\n<y>-2</y><z>3</z></camera_position>"    \
    "<camera_yaw>3.1415927</camera_yaw><camera_pitch>0</camera_pitch></viewport></viewports>\""
/* clang-format on */

static void test_camera(void **state) {
    (void)state;
    char text[3000];
    snprintf(text, sizeof text, "{\"$format\":\"ns2-level\",\"version\":10%s%s}", START, VIEW);
    mst_scene *scene = scene_of_text(text, NULL);
    const mst_node *camera = the_node(scene, "camera");
    assert_int_equal(camera->role, MST_ROLE_CAMERA);
    assert_int_equal(camera->camera, 0);
    assert_close((double)camera->translation[0], 4, 0);
    assert_close((double)camera->translation[1], 6.8, 1e-5);
    check_direction(scene, "camera", 0, 0, -1, (const double[3]){1, 0, 0});
    check_direction(scene, "camera", 0, 1, 0, (const double[3]){0, 1, 0});
    mst_scene_free(scene);
    snprintf(text, sizeof text, "{\"$format\":\"ns2-level\",\"version\":10%s}", VIEW);
    scene = scene_of_text(text, NULL);
    camera = the_node(scene, "camera");
    assert_close((double)camera->translation[0], 1.5, 0);
    assert_close((double)camera->translation[1], -2, 0);
    check_direction(scene, "camera", 0, 0, -1, (const double[3]){0, 0, -1});
    mst_scene_free(scene);
    /* neither: it looks at the middle of what there is */
    scene = scene_of_text(
        LEVEL("10", SQUARE(POINTS("10,0,20", "10,0,24", "14,0,24", "14,0,20"), FACE("0", "")), ""), NULL);
    camera = the_node(scene, "camera");
    double ahead[3], way[3] = {12 - (double)camera->translation[0], -(double)camera->translation[1],
                               22 - (double)camera->translation[2]};
    double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    assert_true(length > 2);
    direction_of(scene, camera, (const double[3]){0, 0, -1}, ahead);
    for (int i = 0; i < 3; i++)
        assert_close(ahead[i], way[i] / length, 0.01);
    mst_scene_free(scene);
    /* nothing at all: no camera */
    scene = scene_of_text("{\"$format\":\"ns2-level\",\"version\":4}", NULL);
    assert_int_equal(scene->camera_count, 0);
    assert_int_equal(scene->node_count, 1);
    mst_scene_free(scene);
}

/* Unusable views of the editor are ignored, and so are unclosed ones. */
static void test_viewports(void **state) {
    (void)state;
#define PLACE_OF(x) "<x>" x "</x><y>2</y><z>3</z>"
#define TURN        "<camera_pitch>0</camera_pitch><camera_yaw>0</camera_yaw>"
#define ONE(more)   "<viewport><view>perspective</view>" more "</viewport>"
    static const struct {
        const char *text;
        double x; /* of the camera; 0: none */
    } cases[] = {
        {"", 0},
        {ONE(PLACE_OF("1.5") TURN), 1.5},
        {ONE(TURN PLACE_OF("-1e8")), -1e8},
        {"<viewport><view>perspective</view>" PLACE_OF("1.5") TURN, 0},
        {"<viewport>" PLACE_OF("1.5") TURN "</viewport>", 0},
        {"<viewport><view>top</view>" PLACE_OF("1.5") TURN "</viewport>" ONE(PLACE_OF("4") TURN), 4},
        {"<viewport></viewport><viewport></viewport>" ONE(PLACE_OF("4") TURN), 4},
        {ONE(PLACE_OF("1.5")), 0},
        {ONE("<x>1.5</x><y>2</y>" TURN), 0},
        {ONE("<x>1.5</x><z>2</z>" TURN), 0},
        {ONE("<y>1.5</y><z>2</z>" TURN), 0},
        {ONE(PLACE_OF("1.5") "<camera_pitch>0</camera_pitch>"), 0},
        {ONE(PLACE_OF("1.5") "<camera_yaw>0</camera_yaw>"), 0},
        {ONE(PLACE_OF("1.5")) ONE(PLACE_OF("4") TURN), 4}, /* the first has no angles */
        {ONE(PLACE_OF("1.5a") TURN), 0},
        {ONE(PLACE_OF("") TURN), 0},
        {ONE(PLACE_OF("1e9") TURN), 0},
        {ONE(PLACE_OF("nan") TURN), 0},
        {ONE("<x2>9</x2><xx>9</xx><x >9</x >" PLACE_OF("1.5") TURN), 1.5},
        {ONE("< x><" PLACE_OF("1.5") TURN), 1.5},
        {ONE("<y>2</y><z>3</z>" TURN) "<x>7</x>", 0}, /* it belongs to nothing */
        {ONE("<y>2</y><z>3</z>" TURN "<x>7"), 7},
        {"<viewport><view>perspective</view><y>2</y><z>3</z>" TURN "</viewport><x>7", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "{\"$format\":\"ns2-level\",\"version\":10,\"viewports\":\"%s\"}",
                 cases[i].text);
        mst_scene *scene = scene_of_text(text, NULL);
        int32_t camera = node_named(scene, "camera");
        if ((camera >= 0) != (cases[i].x != 0))
            print_error("%s\n", cases[i].text);
        assert_int_equal(camera >= 0, cases[i].x != 0);
        if (camera >= 0)
            assert_close((double)scene->nodes[camera].translation[0], cases[i].x, 0);
        mst_scene_free(scene);
    }
}

/* clang-format off */
static const char clip_text[] =
    "{\"$format\":\"ns2-clip\",\"blocks\":[{\"unknown_00\":1,\"kind\":\"mesh\",\"mesh\":{"
    "\"materials\":[\"a.material\"],\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") "," EDGES4
    "\"faces\":[" FACE("0", "") "]}},{\"unknown_00\":1,\"kind\":\"objects\",\"objects\":["
    OBJECT("tech_point", NO_GROUP, PROPERTY("origin", "distance", "4,5,6")) "]}]}";
/* clang-format on */

static void test_clip(void **state) {
    (void)state;
    mst_document *document = open_text(clip_text);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    MUST(mst_ns2_clip_scene(document, NULL, &scene, &why), &why);
    mst_close(document);
    assert_int_equal(check_scene(scene), 2);
    const mst_node *node = the_node(scene, "tech_point");
    assert_string_equal(extra_of(&node->extras, "path")->text, "blocks[1].objects[0]");
    assert_close((double)node->translation[1], 5, 0);
    mst_scene_free(scene);
}

/* ---- memory ------------------------------------------------------------------------------------ */

/* clang-format off */
static const char memory_level[] =
    LEVEL("10",
          TWO_FACES(",\"geometry_groups\":{\"face_groups\":[{\"id\":1,\"indices\":[1]}]},"
                    "\"mapping_groups\":[{\"id\":3,\"normal\":[1,0,0]}],"
                    "\"face_layers\":{\"format\":2,\"faces\":[{\"has_layers\":true,\"layer_masks\":[1]},"
                    "{\"has_layers\":false}]}"),
          ",\"objects\":["
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"a\"")) ","
          OBJECT("light_spot", NO_GROUP, PROPERTY("intensity", "real", "5")) ","
          OBJECT("ready_room_start", NO_GROUP, "") "],\"layers\":[{\"id\":0,\"name\":\"L\"}],"
          "\"groups\":[{\"id\":1,\"name\":\"G\"}]");
/* clang-format on */

static void test_memory(void **state) {
    (void)state;
    mst_document *document = open_text(memory_level);
    counted c = {0};
    mst_scene_options options = {.allocator = counted_allocator(&c), .split_layers = 1};
    mst_scene *scene = scene_of(document, &options);
    mst_scene_free(scene);
    assert_int_equal(c.blocks, 0);
    assert_false(c.wrong);
    size_t calls = c.calls;
    for (size_t i = 1; i <= calls; i++) {
        c = (counted){.fail_at = i};
        mst_diagnostic why;
        scene = NULL;
        mst_status status = mst_ns2_scene(document, &options, &scene, &why);
        if (status == MST_OK) {
            check_scene(scene);
            mst_scene_free(scene);
        } else {
            assert_int_equal(status, MST_NO_MEMORY);
            assert_int_equal(why.status, MST_NO_MEMORY);
            assert_null(scene);
        }
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    for (size_t budget = 1; budget < 20000; budget += 700) {
        mst_scene_options bounded = {.budget = budget};
        mst_status status = mst_ns2_scene(document, &bounded, &scene, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true(budget > 2000 || status == MST_NO_MEMORY);
        if (status == MST_OK)
            mst_scene_free(scene);
    }
    mst_close(document);
}

/* clang-format off */
static const char long_names[] =
    LEVEL("10",
          "\"materials\":[\"materials/a/long/path/of/one.material\",\"materials/a/long_name_that_has_no_ending\"],"
          "\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") "," EDGES4
          "\"faces\":[" FACE("0", TRANSFORM "\"angle\":0") "," FACE("1", "") "],\"triangles\":{\"faces\":[" TRIANGLES2 "]},"
          "\"geometry_groups\":{\"face_groups\":[{\"id\":1,\"indices\":[1]},{\"id\":2,\"indices\":[0]}]},"
          "\"mapping_groups\":[{\"id\":3,\"normal\":[1,0,0]}],"
          "\"face_layers\":{\"format\":2,\"faces\":[{\"has_layers\":true,\"layer_masks\":[1]},"
          "{\"has_layers\":true,\"layer_masks\":[2]}]}",
          ",\"objects\":["
          OBJECT("prop_static_with_a_long_name", NO_GROUP, PROPERTY("model", "file_name", "\"models/of/a/long/path\"")) ","
          OBJECT("another_class_of_a_long_name", "\"has_layers\":true,\"layer_masks\":[1],\"group\":1,", "") ","
          OBJECT("light_spot", NO_GROUP, PROPERTY("intensity", "real", "5")) "],"
          "\"layers\":[{\"id\":0,\"name\":\"A layer of a long name\"},{\"id\":1,\"name\":\"B\"}],"
          "\"groups\":[{\"id\":1,\"name\":\"A group of a long name\"},{\"id\":2,\"name\":\"CollisionGeometry\"}]"
          VIEW);
/* clang-format on */

/* Every piece of memory that a scene takes is refused once. */
static void test_pieces(void **state) {
    (void)state;
    const char *const texts[] = {long_names, memory_level, version_4_text, clip_text, entities_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mst_document *document = open_text(texts[i]);
        mst_scene_options options = {.split_layers = i < 2};
        assert_true(assert_refused_scenes(document, &options) > 20 / sample_step());
        mst_close(document);
    }
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
            mst_scene_options options = {.split_layers = split};
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

/* Whatever is changed in a real level, a scene comes out or memory runs out, and nothing else happens. */
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
            mst_scene_options options = {.split_layers = round % 2};
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

int main(void) {
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
        cmocka_unit_test(test_version_4),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_entities),
        cmocka_unit_test(test_lights),
        cmocka_unit_test(test_camera),
        cmocka_unit_test(test_clip),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_unusable_corners),
        cmocka_unit_test(test_no_direction),
        cmocka_unit_test(test_many_corners),
        cmocka_unit_test(test_other_lengths),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_long_layers),
        cmocka_unit_test(test_odd_values),
        cmocka_unit_test(test_viewports),
        cmocka_unit_test(test_known_levels),
        cmocka_unit_test(test_damaged_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
