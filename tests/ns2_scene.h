/* SPDX-License-Identifier: MIT */
/* Scenes of small levels of Natural Selection 2, and their queries. */
#ifndef MST_TESTS_NS2_SCENE_H
#define MST_TESTS_NS2_SCENE_H

#include "../src/formats/ns2/ns2.h"
#include "thorough.h"

static inline mst_scene *scene_of(const mst_document *document, const mst_scene_options *options) {
    mst_scene *scene = NULL;
    mst_diagnostic why;
    MUST(mst_ns2_scene(document, options, &scene, &why), &why);
    assert_non_null(scene);
    return scene;
}

/* A scene of a level given as text; the document is closed, as the scene must not need it. */
static inline mst_scene *scene_of_text(const char *text, const mst_scene_options *options) {
    mst_document *document = open_json(text, NULL);
    mst_scene *scene = scene_of(document, options);
    mst_close(document);
    return scene;
}

static inline int32_t node_named(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

static inline const mst_node *the_node(const mst_scene *scene, const char *name) {
    int32_t index = node_named(scene, name);
    if (index < 0)
        print_error("there is no node %s\n", name);
    assert_true(index >= 0);
    return &scene->nodes[index];
}

static inline const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    print_error("there is no extra %s\n", name);
    fail();
    return NULL;
}

static inline const mst_primitive *primitive_of(const mst_scene *scene, const mst_node *node) {
    assert_true(node->mesh >= 0 && (size_t)node->mesh < scene->mesh_count);
    assert_int_equal(scene->meshes[node->mesh].primitive_count, 1);
    return &scene->meshes[node->mesh].primitives[0];
}

static inline bool is_geometry(const mst_node *node) {
    return node->mesh >= 0 && (node->role == MST_ROLE_GEOMETRY || node->role == MST_ROLE_COLLISION ||
                               node->role == MST_ROLE_HELPER);
}

/* Invariants of every scene; returns the triangles of geometry. */
static inline size_t check_scene(const mst_scene *scene) {
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

static inline void assert_close(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        print_error("%.9g, expected %.9g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

/* A square of two triangles, of four corners; %s: the corners, and the members of the face. */
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

/* The corner at that position has these texture coordinates. */
static inline void check_texcoord(const mst_primitive *p, const double position[3], double u, double v) {
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

#define TWO_FACES(more)                                                                                      \
    "\"materials\":[\"x/one.material\",\"x/two.material\"],\"vertices\":" POINTS(                            \
        "0,0,0", "0,0,4", "4,0,4",                                                                           \
        "4,0,0") "," EDGES4                                                                                  \
                 "\"faces\":[" FACE("0", "") "," FACE("1", "") "],\"triangles\":{\"faces\":[" TRIANGLES2     \
                                                               "," TRIANGLES2 "]}" more

/* clang-format off */
static const char version_4_text[] =
    LEVEL("4", TWO_FACES(",\"face_layers\":{\"masks\":[1,2]}"),
          ",\"objects\":["
          OBJECT("ready_room_start", "\"layer_mask\":3,",
                 PROPERTY("origin", "distance", "1,2,3") "," PROPERTY("angles", "angle", "0,0,0"))
          "],\"layers\":[{\"name\":\"Rooms\"},{\"name\":\"CollisionGeometry\"}]");

#endif
