/* SPDX-License-Identifier: MIT */
/* Scenes of models: the mesh, the skeleton and the nodes attached to it; parts that cannot be shown are left
 * out. */
#include "spark_model_file.h"
#include <mapstone/mapstone.h>
#include <math.h>

static mst_document *open_model(uint32_t version) {
    static writer w; /* the document refers to its bytes */
    mst_open_options options = {.size = sizeof options, .name = "a/pyramid.model"};
    mst_document *document;
    mst_diagnostic why;
    writer_free(&w);
    write_spark_model(&w, version);
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    return document;
}

static void edit(mst_document *document, const char *path, const char *value) {
    mst_diagnostic why;
    MUST(mst_set(document, path, value, &why), &why);
}

static mst_scene *scene_of(const mst_document *document) {
    mst_scene *scene;
    mst_diagnostic why;
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    return scene;
}

static const mst_node *node_named(const mst_scene *scene, const char *name, mst_role role) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (!strcmp(scene->nodes[i].name, name) && scene->nodes[i].role == role)
            return &scene->nodes[i];
    fail_msg("no node is called %s", name);
    return NULL;
}

static void assert_floats(const float *found, unsigned count, const float *expected) {
    for (unsigned i = 0; i < count; i++)
        if (!(fabsf(found[i] - expected[i]) < 1e-5F))
            fail_msg("number %u is %g, not %g", i, (double)found[i], (double)expected[i]);
}
#define ASSERT_FLOATS(found, ...)                                                                            \
    assert_floats((found), sizeof((const float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

static const mst_mesh *mesh_of(const mst_scene *scene) {
    return &scene->meshes[node_named(scene, "pyramid", MST_ROLE_GEOMETRY)->mesh];
}

static void pyramid(void **state) {
    (void)state;
    static const uint32_t versions[] = {3, 5, 7};
    for (size_t v = 0; v < 3; v++) {
        mst_document *document = open_model(versions[v]);
        mst_scene *scene = scene_of(document);
        const mst_mesh *mesh = mesh_of(scene);
        assert_string_equal(scene->name, "pyramid");
        assert_int_equal(mesh->primitive_count, 2);
        const mst_primitive *bottom = &mesh->primitives[0], *sides = &mesh->primitives[1];
        assert_int_equal(bottom->vertex_count, 4);
        assert_int_equal(bottom->index_count, 6);
        assert_int_equal(sides->vertex_count, 12);
        assert_int_equal(sides->index_count, 12);
        assert_null(sides->colors);
        ASSERT_FLOATS(sides->positions + 6, 0, 2, 0);
        ASSERT_FLOATS(sides->normals + 6, 0, 0.447213F, -0.894427F);
        ASSERT_FLOATS(sides->texcoords + 4, 0.25F, 0.75F);
        assert_string_equal(scene->materials[bottom->material].name, "bottom");
        assert_string_equal(scene->materials[sides->material].extras.items[0].text, "models/sides.material");
        mst_bounds bounds = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY);
        ASSERT_FLOATS(bounds.minimum, -1, 0, -1);
        ASSERT_FLOATS(bounds.maximum, 1, 2, 1);
        mst_scene_free(scene);
        mst_close(document);
    }
}

static void skeleton(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    mst_scene *scene = scene_of(document);
    const mst_node *foot = node_named(scene, "foot", MST_ROLE_GROUP),
                   *tip = node_named(scene, "tip", MST_ROLE_GROUP);
    const mst_node *flag = node_named(scene, "flag", MST_ROLE_GROUP),
                   *door = node_named(scene, "door", MST_ROLE_GROUP);
    const mst_node *view = node_named(scene, "view", MST_ROLE_CAMERA);
    ASSERT_FLOATS(foot->translation, 0, 0.5F, 0);
    ASSERT_FLOATS(tip->translation, 0, 1, 0);
    assert_ptr_equal(&scene->nodes[tip->parent], foot);
    assert_ptr_equal(&scene->nodes[flag->parent], tip);
    ASSERT_FLOATS(flag->translation, 0, 0.5F, 0);
    assert_int_equal(door->parent, 0);
    char path[64];
    mst_scene_source_path(&flag->source, path, sizeof path);
    assert_string_equal(path, "attach_points[0]");
    mst_scene_source source = mst_scene_triangle_source(
        scene, (size_t)(node_named(scene, "pyramid", MST_ROLE_GEOMETRY) - scene->nodes), 1, 3);
    mst_scene_source_path(&source, path, sizeof path);
    assert_string_equal(path, "face_sets[1]");
    /* it looks along +Z, which takes half a turn about Y; a right angle horizontally is 59 degrees
     * vertically */
    ASSERT_FLOATS(view->rotation, 0, 1, 0, 0);
    ASSERT_FLOATS(&scene->cameras[view->camera].vertical_fov, 2 * 0.512389F);
    const mst_node *hull = node_named(scene, "tip", MST_ROLE_COLLISION);
    assert_ptr_equal(&scene->nodes[hull->parent], tip);
    const mst_primitive *solid = scene->meshes[hull->mesh].primitives;
    assert_int_equal(solid->index_count, 12);
    assert_int_equal(solid->indices[0], 0);
    assert_int_equal(solid->indices[1], 2); /* reversed */
    assert_int_equal(solid->indices[2], 1);
    mst_scene_free(scene);
    mst_close(document);
}

/* Colours are there where they are not all white. */
/* The vertices follow the bones that the palettes of their face sets name. */
static void skins(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    /* in this order: the same bone twice, a negative weight, and a bone that the palette lacks */
    edit(document, "vertices[4].bones",
         "[{\"weight\":0.25,\"index\":1},{\"weight\":0.5,\"index\":0},{\"weight\":0.25,\"index\":1},"
         "{\"weight\":-1,\"index\":0}]");
    edit(document, "vertices[5].bones[0]", "{\"weight\":1,\"index\":7}");
    edit(document, "vertices[7].bones[0]", "{\"weight\":0.5,\"index\":1}");
    mst_scene *scene = scene_of(document);
    const mst_mesh *mesh = mesh_of(scene);
    const mst_primitive *bottom = &mesh->primitives[0], *sides = &mesh->primitives[1];
    assert_int_equal(node_named(scene, "pyramid", MST_ROLE_GEOMETRY)->skin, 1);
    assert_int_equal(scene->skin_count, 1);
    assert_int_equal(scene->skins[0].joint_count, 2);
    assert_string_equal(scene->nodes[scene->skins[0].joints[0]].name, "foot");
    assert_string_equal(scene->nodes[scene->skins[0].joints[1]].name, "tip");
    ASSERT_FLOATS(scene->skins[0].inverse_binds, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.5F, 0, 1, 1, 0, 0,
                  0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1.5F, 0, 1);
    static const uint16_t of_foot[4] = {0}, of_tip[4] = {1}, of_both[4] = {1, 0};
    for (unsigned i = 0; i < 4; i++) {
        assert_memory_equal(bottom->joints + 4 * i, of_foot, sizeof of_foot);
        ASSERT_FLOATS(bottom->weights + 4 * i, 1, 0, 0, 0);
    }
    assert_memory_equal(sides->joints, of_both, sizeof of_both);
    ASSERT_FLOATS(sides->weights, 0.5F, 0.5F, 0, 0);
    assert_memory_equal(sides->joints + 4, of_foot, sizeof of_foot);
    assert_memory_equal(sides->joints + 8, of_tip, sizeof of_tip);
    assert_memory_equal(sides->joints + 12, of_tip, sizeof of_tip);
    ASSERT_FLOATS(sides->weights + 12, 1, 0, 0, 0);
    mst_scene_free(scene);
    /* a bone without size cannot be inverted */
    edit(document, "bones[1].pose.scale", "[1,0,1]");
    edit(document, "bones[0].pose.scale", "[1e-30,1,1]");
    scene = scene_of(document);
    assert_int_equal(scene->skin_count, 0);
    assert_int_equal(node_named(scene, "pyramid", MST_ROLE_GEOMETRY)->skin, 0);
    mst_scene_free(scene);
    mst_close(document);
    /* without weights there is no skin */
    document = open_model(7);
    for (unsigned i = 0; i < 16; i++) {
        char path[40];
        snprintf(path, sizeof path, "vertices[%u].bones[0].weight", i);
        edit(document, path, "0");
    }
    scene = scene_of(document);
    assert_int_equal(scene->skin_count, 0);
    assert_null(mesh_of(scene)->primitives[0].joints);
    mst_scene_free(scene);
    mst_close(document);
}

/* glTF has the skin with its joints; the mesh is at the root. */
static void skins_in_gltf(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    mst_scene *scene = scene_of(document);
    mst_buffer json = {0};
    mst_diagnostic why;
    MUST(mst_scene_write_gltf(scene, NULL, NULL, mst_buffer_sink(&json), (mst_sink){NULL, NULL}, &why), &why);
    mst_sink sink = mst_buffer_sink(&json);
    MUST(sink.write(sink.user, "", 1), NULL);
    const char *text = (const char *)json.data;
    assert_non_null(strstr(text, "\"JOINTS_0\":"));
    assert_non_null(strstr(text, "\"WEIGHTS_0\":"));
    assert_non_null(strstr(text, "\"skins\":[{\"inverseBindMatrices\":"));
    assert_non_null(strstr(text, "\"type\":\"MAT4\",\"count\":2"));
    assert_non_null(strstr(text, "\"skin\":0"));
    mst_buffer_free(&json);
    /* a skin whose joints are not written is left out */
    mst_node *nodes = (mst_node *)(uintptr_t)scene->nodes;
    nodes[scene->skins[0].joints[0]].role = MST_ROLE_HELPER;
    json = (mst_buffer){0};
    MUST(mst_scene_write_gltf(scene, NULL, NULL, mst_buffer_sink(&json), (mst_sink){NULL, NULL}, &why), &why);
    sink = mst_buffer_sink(&json);
    MUST(sink.write(sink.user, "", 1), NULL);
    assert_null(strstr((const char *)json.data, "\"skin"));
    assert_null(strstr((const char *)json.data, "JOINTS_0"));
    mst_buffer_free(&json);
    mst_scene_free(scene);
    mst_close(document);
}

static void colors(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    edit(document, "vertices[1].color", "[255, 51, 0, 102]");
    mst_scene *scene = scene_of(document);
    const mst_primitive *bottom = mesh_of(scene)->primitives;
    assert_non_null(bottom->colors);
    ASSERT_FLOATS(bottom->colors, 1, 1, 1, 1, 1, 0.2F, 0, 0.4F);
    mst_scene_free(scene);
    mst_close(document);
}

/* Values that are out of range or not finite are left out. */
static void odd_meshes(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    edit(document, "indices[0]", "99");
    edit(document, "vertices[4].position[0]", "\"NaN\"");
    edit(document, "vertices[7].position[1]", "\"Infinity\"");
    edit(document, "vertices[10].position[2]", "\"NaN\"");
    edit(document, "vertices[13].normal", "[0, 0, 0]");
    edit(document, "vertices[14].normal", "[\"NaN\", 0, 0]");
    edit(document, "vertices[15].uv", "[\"NaN\", \"Infinity\"]");
    edit(document, "face_sets[0].material", "7");
    edit(document, "face_sets[1].face_count", "4000000000");
    mst_scene *scene = scene_of(document);
    const mst_mesh *mesh = mesh_of(scene);
    assert_int_equal(mesh->primitive_count, 2);
    assert_int_equal(mesh->primitives[0].index_count, 3);
    assert_string_equal(scene->materials[mesh->primitives[0].material].name, "no material");
    const mst_primitive *sides = &mesh->primitives[1];
    assert_int_equal(sides->index_count, 3);
    ASSERT_FLOATS(sides->normals, 0, 1, 0, 0, 1, 0);
    ASSERT_FLOATS(sides->texcoords + 4, 0, 0);
    mst_scene_free(scene);
    /* nothing at all */
    edit(document, "face_sets[1].first_face", "100");
    edit(document, "face_sets[0].face_count", "0");
    scene = scene_of(document);
    for (size_t i = 0; i < scene->node_count; i++)
        assert_int_not_equal(scene->nodes[i].role, MST_ROLE_GEOMETRY);
    mst_scene_free(scene);
    mst_close(document);
}

static void odd_skeletons(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    edit(document, "materials[0]", "\"\"");
    edit(document, "bones[0].parent", "1"); /* follows it */
    edit(document, "bones[0].pose.translation", "[\"NaN\", 3, 0]");
    edit(document, "bones[0].pose.scale", "[2, 3, 4]");
    edit(document, "bones[0].pose.scale_rotation", "[0, 0, 0.70710678, 0.70710678]"); /* x to y */
    edit(document, "bones[0].pose.flip", "-1");
    edit(document, "bones[1].pose.scale", "[\"NaN\", 0, 5]");
    edit(document, "attach_points[0].bone", "9");
    edit(document, "attach_points[0].to_bone",
         "{\"x_axis\": [0, 2, 0], \"y_axis\": [-1, 0, 0], \"z_axis\": [0, 0, 3], \"origin\": [1, \"NaN\", "
         "2]}");
    edit(document, "attach_points[1].to_bone",
         "{\"x_axis\": [-1, 0, 0], \"y_axis\": [0, 1, 0], \"z_axis\": [0, 0, 1], \"origin\": [0, 0, 0]}");
    edit(document, "cameras[0].to_bone.y_axis", "[0, 0, 0]");
    edit(document, "cameras[0].fov", "\"NaN\"");
    edit(document, "solids[0].vertices[3]", "[\"NaN\", 0, 0]");
    edit(document, "solids[1].triangles", "[[0, 1, 9]]");
    mst_scene *scene = scene_of(document);
    const mst_node *foot = node_named(scene, "foot", MST_ROLE_GROUP),
                   *tip = node_named(scene, "tip", MST_ROLE_GROUP);
    assert_string_equal(scene->nodes[foot->parent].name, "bones");
    ASSERT_FLOATS(foot->translation, 0, 3, 0);
    ASSERT_FLOATS(foot->scale, -3, -2, -4);
    ASSERT_FLOATS(tip->scale, 1, 1, 1);
    const mst_node *flag = node_named(scene, "flag", MST_ROLE_GROUP),
                   *door = node_named(scene, "door", MST_ROLE_GROUP);
    assert_int_equal(flag->parent, 0);
    ASSERT_FLOATS(flag->translation, 1, 0, 2);
    ASSERT_FLOATS(flag->scale, 2, 1, 3);
    ASSERT_FLOATS(flag->rotation, 0, 0, 0.70710678F, 0.70710678F); /* x to y, y to -x */
    /* a mirror image: all three axes inverted, then half a turn about x */
    ASSERT_FLOATS(door->scale, -1, -1, -1);
    ASSERT_FLOATS(door->rotation, 1, 0, 0, 0);
    const mst_node *view = node_named(scene, "view", MST_ROLE_CAMERA);
    ASSERT_FLOATS(&scene->cameras[view->camera].vertical_fov, 1);
    ASSERT_FLOATS(view->scale, 1, 1, 1);
    const mst_primitive *solid =
        scene->meshes[node_named(scene, "foot", MST_ROLE_COLLISION)->mesh].primitives;
    assert_int_equal(solid->index_count, 3);
    ASSERT_FLOATS(solid->positions + 9, 0, 0, 0);
    assert_int_equal(node_named(scene, "tip", MST_ROLE_COLLISION)->mesh, -1);
    mst_scene_free(scene);
    edit(document, "solids[1].vertices", "[]");
    edit(document, "bones[0].pose.scale_rotation", "[0, 0, 0, 0]");
    scene = scene_of(document);
    ASSERT_FLOATS(node_named(scene, "foot", MST_ROLE_GROUP)->scale, -2, -3, -4);
    assert_int_equal(node_named(scene, "tip", MST_ROLE_COLLISION)->mesh, -1);
    mst_scene_free(scene);
    mst_close(document);
}

/* A file without any chunk, and one without a name. */
static void empty(void **state) {
    (void)state;
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory("MDL\7", 4, NULL, &document, &why), &why);
    mst_scene *scene = scene_of(document);
    assert_int_equal(scene->node_count, 1);
    mst_scene_free(scene);
    mst_close(document);
    writer w = {0};
    write_spark_model(&w, 7);
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    scene = scene_of(document);
    node_named(scene, "model", MST_ROLE_GEOMETRY);
    mst_scene_free(scene);
    mst_close(document);
    writer_free(&w);
}

/* ---- animations ------------------------------------------------------------------------------------ */

static const mst_channel *channel_of(const mst_animation *animation, const mst_scene *scene, const char *node,
                                     mst_movement kind) {
    for (size_t i = 0; i < animation->channel_count; i++)
        if (animation->channels[i].kind == kind &&
            !strcmp(scene->nodes[animation->channels[i].node].name, node))
            return &animation->channels[i];
    return NULL;
}

static void sequences_are_animations(void **state) {
    (void)state;
    static const uint32_t versions[] = {3, 5, 7};
    for (size_t v = 0; v < 3; v++)
        for (int blend = 0; blend < 2; blend++) {
            mst_document *document = open_model(versions[v]);
            edit(document, "sequences[0].node", blend ? "1" : "0");
            mst_scene *scene = scene_of(document);
            assert_int_equal(scene->animation_count, 1);
            const mst_animation *idle = &scene->animations[0];
            assert_string_equal(idle->name, "idle");
            assert_int_equal(idle->frame_count, 2);
            assert_true(idle->frame_rate == 30);
            assert_int_equal(idle->channel_count, 1); /* nothing else changes */
            const mst_channel *tip = channel_of(idle, scene, "tip", MST_MOVES);
            assert_non_null(tip);
            assert_int_equal(tip->value_count, 2);
            ASSERT_FLOATS(tip->values, 0, 1, 0, 0, 1.5F, 0);
            mst_scene_free(scene);
            mst_close(document);
        }
}

#define POSE(x, y, z, turn, scale, flip)                                                                     \
    "{\"translation\":[" #x "," #y "," #z "],\"rotation\":[" turn "],\"scale\":[" #scale "," #scale          \
    "," #scale "],\"scale_rotation\":[0,0,0,1],\"flip\":" #flip "}"
#define STRAIGHT "0,0,0,1"
#define ABOUT_X  "0.70710678,0,0,0.70710678"
#define ABOUT_Z  "0,0,0.70710678,0.70710678"
#define MOVEMENT(flags, count, rate, bone, frames)                                                           \
    "{\"flags\":" #flags ",\"frame_count\":" #count ",\"frame_rate\":" #rate ",\"tracks\":[{\"bone\":" #bone \
    ",\"frames\":[" frames "]}],\"tags\":[]}"
#define LAYER(...) "{\"type\":\"layer\",\"flags\":0,\"nodes\":[" #__VA_ARGS__ "]}"
#define PLAY(n)    "{\"type\":\"animation\",\"flags\":0,\"animation\":" #n "}"

/* One pose, two differences of which one loops, and one with another rate. */
#define UP(y) POSE(0, y, 0, STRAIGHT, 1, 1)
/* clang-format off */
static const char movements[] =
    "[" MOVEMENT(0, 1, 30, 0, POSE(1, 2, 3, ABOUT_Z, 2, 1)) ","
    MOVEMENT(3, 3, 30, 0, UP(0) "," POSE(1, 0, 0, ABOUT_X, 0.5, -1) "," UP(0)) ","
    MOVEMENT(1, 4, 30, 1, UP(0) "," UP(1) "," UP(2) "," UP(3)) ","
    MOVEMENT(1, 1, 15, 1, UP(9)) "]";
/* clang-format on */

static mst_document *layered_model(void) {
    mst_document *document = open_model(5);
    edit(document, "animations", movements);
    edit(document, "animation_nodes",
         "[" PLAY(0) "," PLAY(1) "," PLAY(2) "," PLAY(3) "," LAYER(0, 1, 2) "," LAYER(4) "," LAYER(
             0, 3) "," LAYER(1, 0) "," LAYER(8) "," LAYER() "," PLAY(99) "," LAYER(0, 0) "]");
    return document;
}

/* Differences are added to a pose part by part; looping ones start again. */
static void layers_are_added(void **state) {
    (void)state;
    mst_document *document = layered_model();
    for (int nested = 0; nested < 2; nested++) {
        edit(document, "sequences[0].node", nested ? "5" : "4");
        mst_scene *scene = scene_of(document);
        assert_int_equal(scene->animation_count, 1);
        const mst_animation *sum = &scene->animations[0];
        assert_int_equal(sum->frame_count, 4);
        const mst_channel *moves = channel_of(sum, scene, "foot", MST_MOVES),
                          *turns = channel_of(sum, scene, "foot", MST_TURNS),
                          *scales = channel_of(sum, scene, "foot", MST_SCALES);
        ASSERT_FLOATS(moves->values, 1, 2, 3, 2, 2, 3, 1, 2, 3, 2, 2, 3);
        const float r = 0.70710678F;
        ASSERT_FLOATS(turns->values, 0, 0, r, r, 0.5F, 0.5F, 0.5F, 0.5F, 0, 0, r, r);
        ASSERT_FLOATS(scales->values, 2, 2, 2, -1, -1, -1, 2, 2, 2, -1, -1, -1);
        /* a bone missing in the pose starts from its rest position */
        ASSERT_FLOATS(channel_of(sum, scene, "tip", MST_MOVES)->values, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0);
        assert_null(channel_of(sum, scene, "tip", MST_TURNS));
        mst_scene_free(scene);
    }
    /* the pose alone: a single frame, so unchanged channels have one value */
    edit(document, "sequences[0].node", "0");
    mst_scene *scene = scene_of(document);
    assert_int_equal(channel_of(&scene->animations[0], scene, "foot", MST_MOVES)->value_count, 1);
    mst_scene_free(scene);
    /* another rate, a difference to nothing, no end, nothing, a missing target, two poses */
    static const char *const not_shown[] = {"6", "1", "7", "8", "9", "10", "11", "99"};
    for (size_t i = 0; i < sizeof not_shown / sizeof *not_shown; i++) {
        edit(document, "sequences[0].node", not_shown[i]);
        scene = scene_of(document);
        assert_int_equal(scene->animation_count, 0);
        assert_int_equal(scene->node_count > 3, 1);
        mst_scene_free(scene);
    }
    mst_close(document);
}

/* Many sequences of the same animation take no more than a multiple of the file's size. */
static void animations_are_bounded(void **state) {
    (void)state;
    enum { MANY = 2000 };
    char *list = malloc(MANY * 48 + 8), *end = list;
    assert_non_null(list);
    for (int i = 0; i < MANY; i++)
        end += sprintf(end, "%s{\"name\":\"\",\"node\":4,\"length\":0}", i ? "," : "[");
    memcpy(end, "]", 2);
    mst_document *document = layered_model();
    edit(document, "sequences", list);
    mst_scene *scene = scene_of(document);
    assert_in_range(scene->animation_count, 1, MANY - 1);
    mst_scene_free(scene);
    /* and nodes that refer to each other repeatedly */
    edit(document, "sequences", "[{\"name\":\"\",\"node\":1,\"length\":0}]");
    edit(document, "animation_nodes", "[" PLAY(0) "," LAYER(1, 1) "," LAYER(0, 0, 0, 0, 0, 0, 0, 0, 0) "]");
    for (int i = 0; i < 2; i++) {
        edit(document, "sequences[0].node", i ? "1" : "2");
        scene = scene_of(document);
        assert_int_equal(scene->animation_count, 0);
        mst_scene_free(scene);
    }
    mst_close(document);
    free(list);
}

int test_spark_model_scene(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pyramid),
                                       cmocka_unit_test(skeleton),
                                       cmocka_unit_test(skins),
                                       cmocka_unit_test(skins_in_gltf),
                                       cmocka_unit_test(colors),
                                       cmocka_unit_test(odd_meshes),
                                       cmocka_unit_test(odd_skeletons),
                                       cmocka_unit_test(empty),
                                       cmocka_unit_test(sequences_are_animations),
                                       cmocka_unit_test(layers_are_added),
                                       cmocka_unit_test(animations_are_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
