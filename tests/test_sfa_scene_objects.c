/* SPDX-License-Identifier: MIT */
/* Star Fox Adventures: placed objects and interaction lines as nodes of a scene. The expected contents of the
 * corpus' lists were counted by an independent reader. */
#include "../src/formats/sfa/objects/objects.h"
#include "../src/formats/sfa/scene/sfa_objects.h"
#include "../src/scene/geometry.h"
#include "support.h"
#include <mapstone/picture.h>
#include <math.h>

#define HALF 0.70710678F

/* ---- lists by hand ------------------------------------------------------------------------------ */

/* A record whose parameters are 0; they can be set until the next is put. */
static uint8_t *put_object(writer *w, int type, unsigned words, unsigned load_flags, float x, float y,
                           float z, uint32_t id) {
    size_t start = w->size;
    w->big = true;
    put_u16(w, (uint16_t)type);
    put_u8(w, (uint8_t)words);
    put_u8(w, 0x82); /* not in acts 2 and 8 */
    put_u8(w, (uint8_t)load_flags);
    put_u8(w, 0x82); /* nor in 9 and 15 */
    put_u8(w, 5);
    put_u8(w, 3);
    put_f32(w, x), put_f32(w, y), put_f32(w, z);
    put_u32(w, id);
    while (w->size - start < 4 * words)
        put_u8(w, 0);
    return w->data + start;
}

static void put_point(writer *w, unsigned kind, float x, uint32_t id, uint32_t a, uint32_t b,
                      unsigned closed) {
    uint8_t *record = put_object(w, MST_SFA_CURVE, 13, 0, x, 0, 0, id);
    record[0x19] = (uint8_t)kind;
    record[0x1B] = (uint8_t)closed;
    mst_store32(record + 0x1C, a, true);
    mst_store32(record + 0x20, b, true);
    memset(record + 0x24, 0xFF, 8);
    record[0x2C] = 128; /* half a turn */
}

static const mst_scene_source here = {"", "", MST_NO_INDEX};

typedef struct built {
    mst_scene *scene;
    mst_array lines;
} built;

/* NULL: the list is damaged. */
static mst_document *open_list(const uint8_t *list, size_t size, mst_value *objects) {
    mst_document *document = NULL;
    mst_open_options options = {.size = sizeof options, .format = "sfa-romlist", .name = "x.romlist"};
    mst_status status = mst_open_memory(list, size, &options, &document, NULL);
    if (status != MST_OK) {
        assert_int_equal(status, MST_DAMAGED);
        return NULL;
    }
    mst_value root = mst_root(document);
    if (mst_member(&root, "objects", objects) == MST_OK)
        return document;
    mst_close(document); /* it looks like a packed one */
    return NULL;
}

static built scene_of_list(const mst_value *list, bool markers) {
    built made = {.lines = {.element_size = sizeof(mst_map_line)}};
    mst_scene_builder build;
    mst_scene_begin(&build, NULL, 0);
    made.lines.allocator = build.arena.allocator;
    int32_t top = mst_scene_add_node(&build, -1, "level", MST_ROLE_GROUP);
    mst_sfa_scene_objects(&build, top, list, "", "a layer", markers, &made.lines);
    MUST(mst_scene_finish(&build, NULL, &made.scene, NULL), NULL);
    return made;
}

static built build_list(const uint8_t *list, size_t size, bool markers) {
    mst_value objects;
    mst_document *document = open_list(list, size, &objects);
    assert_non_null(document);
    built made = scene_of_list(&objects, markers);
    mst_close(document); /* the scene no longer needs it */
    return made;
}
static void end(built *made) {
    mst_scene_free(made->scene);
    mst_array_free(&made->lines);
}

static const mst_node *node_named(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return &scene->nodes[i];
    print_error("there is no node %s\n", name);
    fail();
    return NULL;
}
static const char *group_of(const mst_scene *scene, const mst_node *node) {
    return scene->nodes[node->parent].name;
}
static const mst_extra *extra_of(const mst_node *node, const char *name) {
    for (size_t i = 0; i < node->extras.count; i++)
        if (strcmp(node->extras.items[i].name, name) == 0)
            return &node->extras.items[i];
    print_error("%s has no %s\n", node->name, name);
    fail();
    return NULL;
}
static void assert_text(const mst_node *node, const char *name, const char *text) {
    const mst_extra *extra = extra_of(node, name);
    assert_int_equal(extra->kind, MST_EXTRA_TEXT);
    assert_string_equal(extra->text, text);
}
static void assert_integer(const mst_node *node, const char *name, int32_t value) {
    const mst_extra *extra = extra_of(node, name);
    assert_int_equal(extra->kind, MST_EXTRA_INTEGER);
    assert_int_equal(extra->integer, value);
}
static void assert_floats(const float *found, const float *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(found[i] - expected[i]) < 1e-5F * (1 + fabsf(expected[i])))) {
            print_error("%zu: %g, not %g\n", i, (double)found[i], (double)expected[i]);
            fail();
        }
}
#define ASSERT_FLOATS(found, ...)                                                                            \
    assert_floats((found), (const float[]){__VA_ARGS__}, sizeof((float[]){__VA_ARGS__}) / sizeof(float))

static size_t count_role(const mst_scene *scene, mst_role role) {
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += scene->nodes[i].role == role;
    return count;
}

static void objects(void **state) {
    (void)state;
    writer w = {0};
    uint8_t *r = put_object(&w, 0x49F, 9, 0x10, 1.5F, -2, 3.25F, 7); /* LargeCrate */
    r[0x18] = 64;
    r[0x1E] = 0xFF, r[0x1F] = 0xFE;             /* game bit -2 */
    r = put_object(&w, 0x39, 8, 4, 0, 0, 0, 8); /* SnowTree1: z, y, x, of which x is about the vertical */
    r[0x18] = 10, r[0x19] = 20, r[0x1A] = 192;
    put_object(&w, 0x1234, 6, 0x21, NAN, INFINITY, 4, 4000000000u);
    put_object(&w, -0x20, 6, 1, 0, 0, 0, 9);
    r = put_object(&w, 0x4C, 20, 0x20, 100, 10, -50, 10); /* TrigPln */
    r[0x38] = 1, r[0x39] = 2;
    r[0x3A] = 7, r[0x3B] = 16, r[0x3C] = 0;
    r[0x3D] = 32;
    r[0x43] = 1;
    built made = build_list(w.data, w.size, true);
    const mst_scene *scene = made.scene;

    const mst_node *crate = node_named(scene, "LargeCrate_7");
    assert_int_equal(crate->role, MST_ROLE_ENTITY);
    assert_string_equal(crate->class_name, "LargeCrate");
    assert_string_equal(crate->layer, "a layer");
    assert_string_equal(crate->tag, "7");
    assert_string_equal(group_of(scene, crate), "objects");
    ASSERT_FLOATS(crate->translation, 1.5F, -2, 3.25F);
    ASSERT_FLOATS(crate->rotation, 0, HALF, 0, HALF); /* a quarter to the left */
    assert_true(crate->mesh >= 0);
    assert_integer(crate, "type", 0x49F);
    assert_text(crate, "name", "LargeCrate");
    assert_integer(crate, "id", 7);
    assert_text(crate, "acts", "1 3 4 5 6 7 10 11 12 13 14");
    assert_text(crate, "load", "grouped");
    assert_integer(crate, "group", 5);
    assert_integer(crate, "cull_distance", 24);
    assert_integer(crate, "broken", -2);
    assert_text(crate, "parameters", "400000000000fffe00000000");

    const mst_node *tree = node_named(scene, "SnowTree1_8");
    ASSERT_FLOATS(tree->rotation, 0, sinf(3 * 0.78539816F), 0, cosf(3 * 0.78539816F));
    assert_text(tree, "load", "near_player");
    assert_integer(tree, "load_radius", 40);
    assert_text(tree, "rotation_zyx", "10 20 192");

    const mst_node *other = node_named(scene, "type_1234_4000000000");
    assert_string_equal(other->class_name, "type_1234");
    ASSERT_FLOATS(other->translation, 0, 0, 4);
    ASSERT_FLOATS(other->rotation, 0, 0, 0, 1);
    assert_integer(other, "load", 0x21);
    assert_true(extra_of(other, "id")->kind == MST_EXTRA_REAL && extra_of(other, "id")->real == 4e9);
    assert_string_equal(node_named(scene, "type_minus_0020_9")->class_name, "type_minus_0020");

    const mst_node *plane = node_named(scene, "TrigPln_10"), *box = node_named(scene, "size");
    assert_string_equal(group_of(scene, plane), "triggers");
    ASSERT_FLOATS(plane->rotation, 0, sinf(0.39269908F), 0, cosf(0.39269908F));
    assert_integer(plane, "trigger_id", 0x102);
    assert_text(plane, "target", "companion");
    assert_ptr_equal(&scene->nodes[box->parent], plane);
    assert_int_equal(box->role, MST_ROLE_HELPER);
    ASSERT_FLOATS(box->scale, 7, 16, 1);
    assert_int_equal(count_role(scene, MST_ROLE_ENTITY), 5);
    end(&made);

    made = build_list(w.data, w.size, false);
    assert_int_equal(made.scene->mesh_count, 1); /* the box of the trigger's size */
    assert_int_equal(count_role(made.scene, MST_ROLE_ENTITY), 5);
    end(&made);

    /* a second map's objects share the boxes of the first one's */
    mst_scene_builder build;
    mst_scene_begin(&build, NULL, 0);
    int32_t top = mst_scene_add_node(&build, -1, "world", MST_ROLE_GROUP);
    mst_value list;
    mst_document *document = open_list(w.data, 36, &list);
    assert_non_null(document);
    mst_sfa_scene_objects(&build, top, &list, "", "", true, NULL);
    mst_sfa_scene_objects(&build, top, &list, "", "", true, NULL);
    mst_close(document);
    assert_int_equal(build.status, MST_OK);
    assert_int_equal(build.nodes.count, 5);
    assert_int_equal(build.meshes.count, 1);
    assert_int_equal(build.materials.count, 1);
    mst_scene_abandon(&build);
    writer_free(&w);
}

static void lights(void **state) {
    (void)state;
    writer w = {0};
    uint8_t *r = put_object(&w, 0x61B, 16, 4, 1, 2, 3, 1);
    r[0x1A] = 255, r[0x1B] = 0x7F, r[0x1C] = 0;
    r[0x25] = 100; /* far */
    r = put_object(&w, 0x61D, 16, 4, 0, 0, 0, 2);
    r[0x18] = 0, r[0x19] = 64; /* tilted down */
    r[0x1D] = 200;
    r[0x27] = 90;
    r[0x2D] = 0, r[0x2E] = 255, r[0x2F] = 255;
    put_object(&w, 0x178, 9, 4, 0, 0, 0, 3);
    put_object(&w, 0x6E8, 12, 4, 0, 0, 0, 4);
    put_object(&w, 0x61C, 16, 4, 0, 0, 0, 5); /* of unknown parameters */
    built made = build_list(w.data, w.size, true);
    const mst_scene *scene = made.scene;
    assert_int_equal(scene->light_count, 4);
    assert_int_equal(count_role(scene, MST_ROLE_LIGHT), 4);

    const mst_node *node = node_named(scene, "LGTPointLig_1");
    assert_string_equal(group_of(scene, node), "lights");
    ASSERT_FLOATS(node->translation, 1, 2, 3);
    assert_text(node, "color", "255 127 0");
    assert_int_equal(node->mesh, -1);
    const mst_light *light = &scene->lights[node->light];
    assert_int_equal(light->kind, MST_LIGHT_POINT);
    float green = (float)pow((127.0 / 255 + 0.055) / 1.055, 2.4);
    ASSERT_FLOATS(light->color, 1, green, 0);
    ASSERT_FLOATS(&light->range, 10);
    ASSERT_FLOATS(&light->intensity, 50);

    node = node_named(scene, "LGTProjecte_2");
    light = &scene->lights[node->light];
    assert_int_equal(light->kind, MST_LIGHT_SPOT);
    ASSERT_FLOATS(light->color, 0, 1, 1);
    ASSERT_FLOATS(&light->range, 20);
    ASSERT_FLOATS(&light->outer_angle, 0.78539816F);
    assert_true(light->inner_angle < light->outer_angle);
    ASSERT_FLOATS(node->rotation, -HALF, 0, 0, HALF); /* -Z to -Y */

    light = &scene->lights[node_named(scene, "WM_WallTorc_3")->light];
    assert_true(light->color[0] > light->color[2] && light->intensity > 0 && light->range == 0);
    assert_true(node_named(scene, "CmbSrc_4")->light >= 0);
    assert_int_equal(node_named(scene, "LGTDirectio_5")->role, MST_ROLE_ENTITY);
    end(&made);
    writer_free(&w);
}

static void starts(void **state) {
    (void)state;
    writer w = {0};
    uint8_t *r = put_object(&w, 0x0D, 8, 8, 10, 20, 30, 1);
    r[0x1B] = 64;
    built made = build_list(w.data, w.size, true);
    const mst_node *node = node_named(made.scene, "setuppoint_1"), *camera = node_named(made.scene, "camera");
    assert_string_equal(group_of(made.scene, node), "starts");
    assert_int_equal(camera->role, MST_ROLE_CAMERA);
    assert_int_equal(made.scene->camera_count, 1);
    assert_int_equal(camera->camera, 0);
    float matrices[16 * 8], eye[3], ahead[3];
    assert_true(made.scene->node_count <= 8);
    mst_scene_world_matrices(made.scene, matrices);
    const float *matrix = matrices + 16 * (camera - made.scene->nodes);
    mst_matrix_point(matrix, (const float[3]){0, 0, 0}, eye);
    mst_matrix_point(matrix, (const float[3]){0, 0, -1}, ahead);
    ASSERT_FLOATS(eye, 10, 50, 30);
    ASSERT_FLOATS(ahead, 9, 50, 30);
    end(&made);
    writer_free(&w);
}

/* The box around a mesh. */
static void extent(const mst_mesh *mesh, float low[3], float high[3]) {
    const mst_primitive *p = mesh->primitives;
    for (int k = 0; k < 3; k++)
        low[k] = INFINITY, high[k] = -INFINITY;
    for (uint32_t i = 0; i < p->vertex_count * 3; i++) {
        low[i % 3] = fminf(low[i % 3], p->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], p->positions[i]);
    }
    for (uint32_t i = 0; i < p->index_count; i++)
        assert_true(p->indices[i] < p->vertex_count);
}

static void curves(void **state) {
    (void)state;
    const uint32_t none = 0xFFFFFFFFu;
    writer w = {0};
    put_point(&w, 0x24, 0, 1, 2, none, 0);                              /* 1 - 2, both ways */
    put_point(&w, 0x24, 100, 2, 1, 3, 2);                               /* 2 - 3: only from 3 to 2 */
    put_point(&w, 0x24, 250, 3, 2, 99, 0);                              /* 99 does not exist */
    put_point(&w, 0x26, 400, 4, 1, 4, 0);                               /* one-sided, and to itself */
    put_point(&w, 0x26, 1e9F, 5, 1, none, 0);                           /* too far out */
    uint8_t *r = put_object(&w, MST_SFA_CHECKPOINT, 16, 0, 0, 0, 0, 1); /* ids are of curves or checkpoints */
    memset(r + 0x18, 0xFF, 16);
    mst_store32(r + 0x20, 2, true);
    r[0x29] = 192;
    r = put_object(&w, MST_SFA_CHECKPOINT, 16, 0, 0, 0, 640, 2);
    memset(r + 0x18, 0xFF, 16);
    mst_store32(r + 0x18, 1, true);
    built made = build_list(w.data, w.size, true);
    const mst_scene *scene = made.scene;
    const mst_node *first = node_named(scene, "curve_1");
    assert_string_equal(group_of(scene, first), "curves");
    assert_text(first, "kind", "companion");
    assert_text(first, "links", "2");
    assert_integer(first, "walk_group", 0x82);
    assert_text(first, "link_walk_groups", "0 130 5 3");
    ASSERT_FLOATS(first->rotation, 0, 1, 0, 0);
    ASSERT_FLOATS(node_named(scene, "checkpoint4_1")->rotation, 0, sinf(3 * 0.78539816F), 0,
                  cosf(3 * 0.78539816F));

    assert_int_equal(made.lines.count, 4);
    const float expected[4][2][3] = {{{0, 0, 0}, {0, 0, 640}},
                                     {{0, 0, 0}, {100, 0, 0}},
                                     {{250, 0, 0}, {100, 0, 0}},
                                     {{400, 0, 0}, {0, 0, 0}}};
    const mst_map_line *lines = made.lines.items;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(lines[i].kind, MST_MAP_LINK);
        assert_floats(lines[i].from, expected[i][0], 3);
        assert_floats(lines[i].to, expected[i][1], 3);
    }
    const struct {
        const char *name;
        uint32_t links;
        float reach[2][3];
    } meshes[] = {{"links_companion", 2, {{0, 0, 0}, {250, 0, 0}}},
                  {"links_walk_patch", 1, {{0, 0, 0}, {400, 0, 0}}},
                  {"links_checkpoints", 1, {{0, 0, 0}, {0, 0, 640}}}};
    for (size_t i = 0; i < 3; i++) {
        const mst_node *node = node_named(scene, meshes[i].name);
        assert_int_equal(node->role, MST_ROLE_HELPER);
        const mst_mesh *mesh = &scene->meshes[node->mesh];
        float low[3], high[3];
        assert_int_equal(mesh->primitives->vertex_count, 8 * meshes[i].links);
        assert_int_equal(mesh->primitives->index_count, 12 * meshes[i].links);
        extent(mesh, low, high);
        for (int k = 0; k < 3; k++) {
            assert_true(fabsf(low[k] - meshes[i].reach[0][k]) <= 1);
            assert_true(fabsf(high[k] - meshes[i].reach[1][k]) <= 1);
        }
    }
    end(&made);
    writer_free(&w);
}

/* Straight up, a link still has two strips with an area. */
static void upright(void **state) {
    (void)state;
    writer w = {0};
    put_point(&w, 0, 5, 1, 2, 0xFFFFFFFFu, 0);
    uint8_t *r;
    put_point(&w, 0, 5, 2, 1, 0xFFFFFFFFu, 0);
    r = w.data + w.size - 52;
    mst_store32(r + 0xC, mst_bits_of_f32(80), true);
    built made = build_list(w.data, w.size, false);
    assert_int_equal(made.scene->mesh_count, 1);
    float low[3], high[3];
    extent(&made.scene->meshes[0], low, high);
    assert_true(high[1] - low[1] >= 80 && high[0] > low[0] && high[2] > low[2]);
    end(&made);
    writer_free(&w);
}

/* Lights that are too short to have values, and such with extreme values; numbers that are not finite. */
static void odd_lights(void **state) {
    (void)state;
    writer w = {0};
    put_object(&w, 0x61B, 6, 4, 0, 0, 0, 1);
    put_object(&w, 0x61D, 6, 4, 0, 0, 0, 2);
    uint8_t *r = put_object(&w, 0x61D, 16, 4, 0, 0, 0, 3);
    r[0x1C] = r[0x1D] = 0xFF;
    r = put_object(&w, 0x61D, 16, 4, 0, 0, 0, 4);
    r[0x27] = 200;
    r = put_object(&w, 0x6E8, 12, 4, 0, 0, 0, 5);
    mst_store32(r + 0x20, 0x7FC00000, true);
    r = put_object(&w, 0x6E8, 12, 4, 0, 0, 0, 6);
    mst_store32(r + 0x20, 0x3FC00000, true);
    built made = build_list(w.data, w.size, true);
    const mst_scene *scene = made.scene;
    assert_int_equal(scene->light_count, 4);
    assert_int_equal(node_named(scene, "LGTPointLig_1")->light, -1);
    assert_int_equal(node_named(scene, "LGTProjecte_2")->light, -1);
    const mst_light *light = &scene->lights[node_named(scene, "LGTProjecte_3")->light];
    ASSERT_FLOATS(&light->intensity, 2000);
    ASSERT_FLOATS(&light->outer_angle, 0.00872664626F); /* half a degree */
    light = &scene->lights[node_named(scene, "LGTProjecte_4")->light];
    ASSERT_FLOATS(&light->outer_angle, 1.55334303F); /* 89 */
    const mst_node *node = node_named(scene, "CmbSrc_5");
    for (size_t i = 0; i < node->extras.count; i++)
        assert_string_not_equal(node->extras.items[i].name, "radius");
    const mst_extra *radius = extra_of(node_named(scene, "CmbSrc_6"), "radius");
    assert_int_equal(radius->kind, MST_EXTRA_REAL);
    assert_true(radius->real == 1.5);
    end(&made);
    writer_free(&w);
}

/* A duplicate link is one; a point that is too short has none; a checkpoint's is not a curve's. */
static void odd_links(void **state) {
    (void)state;
    const uint32_t none = 0xFFFFFFFFu;
    writer w = {0};
    uint8_t *r = put_object(&w, MST_SFA_CHECKPOINT, 16, 0, 0, 0, 0, 1);
    memset(r + 0x18, 0xFF, 16);
    mst_store32(r + 0x20, 2, true); /* a curve's point has that id */
    r = put_object(&w, MST_SFA_CHECKPOINT, 16, 0, 0, 0, 0, 9);
    memset(r + 0x18, 0xFF, 16);
    mst_store32(r + 0x20, 5, true); /* between two existing ones */
    put_point(&w, 0x24, 0, 1, 2, 2, 0);
    put_point(&w, 0x24, 100, 2, none, none, 0);
    put_object(&w, MST_SFA_CURVE, 6, 0, 300, 0, 0, 3);
    put_point(&w, 0x24, 200, 4, 3, 77, 0);
    built made = build_list(w.data, w.size, false);
    assert_int_equal(made.lines.count, 2);
    const mst_map_line *lines = made.lines.items;
    ASSERT_FLOATS(lines[0].to, 100, 0, 0);
    ASSERT_FLOATS(lines[1].from, 200, 0, 0);
    ASSERT_FLOATS(lines[1].to, 300, 0, 0);
    end(&made);
    writer_free(&w);
}

/* ---- interaction lines -------------------------------------------------------------------------- */

static mst_sfa_hit hit_of(const int x[2], const int y[2], const int z[2], int height_0, int height_1,
                          unsigned kind) {
    mst_sfa_hit hit = {.heights = {(int16_t)height_0, (int16_t)height_1},
                       .type = kind & 0x3F,
                       .disabled = kind >> 6 & 1,
                       .second_class = (kind >> 7) != 0};
    for (int i = 0; i < 2; i++) {
        hit.x[i] = (int16_t)x[i];
        hit.y[i] = (int16_t)y[i];
        hit.z[i] = (int16_t)z[i];
    }
    return hit;
}
#define PAIR(a, b) ((const int[2]){(a), (b)})

static void hits(void **state) {
    (void)state;
    const mst_sfa_hit lines[] = {
        hit_of(PAIR(0, 640), PAIR(-5, 10), PAIR(20, 30), 40, 50, 1),
        hit_of(PAIR(1, 2), PAIR(0, 0), PAIR(3, 4), 256, 256, 0x81),
        hit_of(PAIR(1, 2), PAIR(0, 0), PAIR(3, 4), 9, 9, 0x41),   /* disabled */
        hit_of(PAIR(1, 641), PAIR(0, 0), PAIR(3, 4), 9, 9, 0x01), /* outside */
        hit_of(PAIR(1, 2), PAIR(0, 0), PAIR(-1, 4), 9, 9, 0x02),  /* outside */
        hit_of(PAIR(1, 2), PAIR(0, 0), PAIR(3, 4), 9, 9, 0x3F),   /* of an unnamed kind */
        {.flags = 0},                                             /* fills up */
        hit_of(PAIR(0, 0), PAIR(0, 0), PAIR(0, 1), 0, 0, 0),
    };
    mst_scene_builder build;
    mst_scene *scene;
    mst_scene_begin(&build, NULL, 0);
    int32_t top = mst_scene_add_node(&build, -1, "block", MST_ROLE_GROUP);
    mst_sfa_scene_hits(&build, top, lines, 8, "lines", &here, NULL);
    MUST(mst_scene_finish(&build, NULL, &scene, NULL), NULL);
    assert_int_equal(count_role(scene, MST_ROLE_COLLISION), 3);
    assert_int_equal(count_role(scene, MST_ROLE_HELPER), 2);

    const struct {
        const char *group, *name;
        uint32_t lines;
    } expected[] = {{"hits", "type_00", 1},
                    {"hits", "barrier", 2},
                    {"hits", "type_3F", 1},
                    {"hits_disabled", "barrier", 2},
                    {"hits_disabled", "grab_ledge", 1}};
    size_t found = 0;
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (node->mesh < 0)
            continue;
        assert_true(found < 5);
        assert_string_equal(group_of(scene, node), expected[found].group);
        assert_string_equal(node->name, expected[found].name);
        assert_string_equal(node->layer, "lines");
        assert_integer(node, "lines", (int32_t)expected[found].lines);
        const mst_primitive *p = scene->meshes[node->mesh].primitives;
        assert_int_equal(p->vertex_count, 4 * expected[found].lines);
        assert_int_equal(p->index_count, 6 * expected[found].lines);
        assert_true(scene->materials[p->material].double_sided);
        found++;
    }
    assert_int_equal(found, 5);
    const mst_primitive *p = scene->meshes[node_named(scene, "barrier")->mesh].primitives;
    ASSERT_FLOATS(p->positions, 0, -5, 20, 0, 35, 20, 640, 60, 30, 640, 10, 30);
    ASSERT_FLOATS(p->positions + 12, 1, 0, 3, 1, 256, 3, 2, 256, 4, 2, 0, 4);
    mst_scene_free(scene);
}

/* The lines of each block of a document: seven, and one that pads a block's part. */
static void corpus_hits(void **state) {
    (void)state;
    size_t lines = 0, records = 0;
    char path[512];
    mst_document *document;
    mst_diagnostic why;
    if (!corpus_path("sfa/mini/HITS.bin", path, sizeof path))
        skip();
    MUST(mst_open_file(path, NULL, &document, &why), &why);
    mst_value blocks, block;
    MUST(mst_find(mst_root(document), "blocks", &blocks, &why), &why);
    mst_iterator it = mst_iterate(&blocks);
    while (mst_next(&it, &block)) {
        mst_scene_builder build;
        mst_scene *scene;
        mst_value list;
        uint32_t count;
        assert_int_equal(mst_member(&block, "lines", &list), MST_OK);
        mst_scene_begin(&build, NULL, 0);
        const mst_sfa_hit *hits = mst_sfa_hits_of(&list, &build.arena, &count);
        mst_sfa_scene_hits(&build, mst_scene_add_node(&build, -1, "", MST_ROLE_GROUP), hits, count, NULL,
                           &here, NULL);
        MUST(mst_scene_finish(&build, NULL, &scene, NULL), NULL);
        records += count;
        for (size_t i = 0; i < scene->mesh_count; i++)
            lines += scene->meshes[i].primitives->index_count / 6;
        mst_scene_free(scene);
    }
    assert_int_equal(records, 8);
    assert_int_equal(lines, 7);
    mst_close(document);
}

/* ---- names of types ----------------------------------------------------------------------------- */

static void names(void **state) {
    (void)state;
    const mst_enum *all = &mst_sfa_object_type_names;
    assert_int_equal(all->count, MST_SFA_OBJECT_TYPES);
    for (size_t i = 0; i < all->count; i++) {
        const mst_sfa_object_type *type = mst_sfa_object_type_at(i);
        assert_int_equal(all->items[i].value, type->type);
        size_t length = strlen(type->name), twins = 0;
        for (size_t k = 0; k < all->count; k++) {
            twins += k != i && strcmp(mst_sfa_object_type_at(k)->name, type->name) == 0;
            assert_true(k == i || strcmp(all->items[k].name, all->items[i].name) != 0);
        }
        char expected[32];
        snprintf(expected, sizeof expected, twins ? "%s_0x%03X" : "%s", type->name, (unsigned)type->type);
        assert_string_equal(all->items[i].name, expected);
        assert_true(length > 0 && length <= 11);
    }
}

/* A type can be written by its name or by its number. */
static void names_in_json(void **state) {
    (void)state;
    static const struct {
        const char *type;
        int16_t number;
    } known[] = {{"\"MagicPlant\"", 0x2C0},
                 {"704", 0x2C0},
                 {"\"CFPowerCrys_0x0D9\"", 0xD9},
                 {"-3", -3},
                 {"30000", 30000}};
    for (size_t i = 0; i < 5; i++) {
        writer w = {0};
        put_object(&w, known[i].number, 6, 1, 1, 2, 3, 4);
        mst_document *document, *again;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
        MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
        mst_buffer text = {0};
        mst_value root = mst_root(document);
        mst_json_options compact = {.size = sizeof compact, .compact = 1};
        MUST(mst_write_json(&root, &compact, mst_buffer_sink(&text), &why), &why);
        char before[2048], json[4096], wanted[64];
        snprintf(before, sizeof before, "%.*s", (int)text.size, (const char *)text.data);
        char *written = strstr(before, "\"type\":");
        assert_non_null(written);
        snprintf(wanted, sizeof wanted, "\"type\":%s,", i == 1 ? known[0].type : known[i].type);
        assert_memory_equal(written, wanted, strlen(wanted));
        snprintf(json, sizeof json, "%.*s\"type\":%s%s", (int)(written - before), before, known[i].type,
                 strchr(written, ','));
        MUST(mst_open_json(json, strlen(json), NULL, &again, &why), &why);
        mst_buffer saved = {0};
        MUST(mst_save(again, mst_buffer_sink(&saved), &why), &why);
        assert_int_equal(saved.size, w.size);
        assert_memory_equal(saved.data, w.data, w.size);
        mst_buffer_free(&saved);
        mst_buffer_free(&text);
        mst_close(again);
        mst_close(document);
        writer_free(&w);
    }
}

/* ---- the corpus --------------------------------------------------------------------------------- */

static mst_scene *scene_of(const uint8_t *bytes, size_t size, const char *name) {
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = name};
    MUST(mst_open_memory(bytes, size, &options, &document, &why), &why);
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    mst_close(document);
    return scene;
}

static void corpus(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t objects, lights, starts, boxes, links, arrows, kinds; /* arrows: from triggers */
    } known[] = {{"snowmines", 1272, 60, 13, 126, 423, 130, 101},
                 {"temple", 1054, 89, 18, 52, 285, 51, 91},
                 {"cloudrace", 198, 51, 3, 20, 31, 63, 33},
                 {"newicemount", 786, 47, 8, 28, 128, 19, 55},
                 {"linkc", 177, 7, 3, 13, 31, 0, 30},
                 {"arwing", 25, 0, 1, 0, 0, 0, 17},
                 {"gamefront", 42, 18, 1, 0, 0, 0, 18}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[96];
        size_t size;
        snprintf(path, sizeof path, "sfa/samples/romlists/%s.romlist.bin", known[i].name);
        uint8_t *bytes = corpus_read(path, &size);
        mst_scene *scene = scene_of(bytes, size, path);
        assert_string_equal(scene->name, known[i].name);
        assert_true(scene->unit_metres == 0.1);
        ASSERT_FLOATS(scene->nodes[0].scale, 0.1F, 0.1F, 0.1F);
        assert_int_equal(count_role(scene, MST_ROLE_LIGHT), known[i].lights);
        assert_int_equal(scene->light_count, known[i].lights);
        assert_int_equal(count_role(scene, MST_ROLE_ENTITY), known[i].objects - known[i].lights);
        assert_int_equal(count_role(scene, MST_ROLE_CAMERA), known[i].starts);
        assert_int_equal(scene->map ? scene->map->line_count : 0, known[i].links + known[i].arrows);
        size_t boxes = 0, strips = 0;
        for (size_t k = 0; k < scene->node_count; k++) {
            bool helper = scene->nodes[k].role == MST_ROLE_HELPER;
            boxes += helper && strcmp(scene->nodes[k].name, "size") == 0;
            if (helper && strncmp(scene->nodes[k].name, "links", 5) == 0)
                strips += scene->meshes[scene->nodes[k].mesh].primitives->index_count / 12;
        }
        assert_int_equal(boxes, known[i].boxes);
        assert_int_equal(strips, known[i].links);
        mst_pixels picture = {0};
        mst_picture_options how = {.size = sizeof how, .width = 640};
        MUST(mst_scene_draw(scene, &how, &picture, NULL), NULL);
        mst_pixels_free(&picture);
        mst_scene_free(scene);
        free(bytes);
    }
}

/* Most checkpoints of a race look towards the next one: this shows the direction of angles. */
static void directions(void **state) {
    (void)state;
    size_t size, looked = 0, ahead = 0;
    uint8_t *bytes = corpus_read("sfa/samples/romlists/cloudrace.romlist.bin", &size);
    built made = build_list(bytes, size, false);
    const mst_map_line *lines = made.lines.items;
    for (size_t i = 0; i < made.scene->node_count; i++) {
        const mst_node *node = &made.scene->nodes[i];
        if (strcmp(node->class_name, "checkpoint4") != 0)
            continue;
        double half = 2 * atan2((double)node->rotation[1], (double)node->rotation[3]);
        double look[2] = {-sin(half), -cos(half)};
        for (size_t k = 0; k < made.lines.count; k++) {
            if (memcmp(lines[k].from, node->translation, sizeof lines[k].from) != 0)
                continue;
            double x = (double)lines[k].to[0] - (double)lines[k].from[0],
                   z = (double)lines[k].to[2] - (double)lines[k].from[2];
            looked++;
            ahead += (look[0] * x + look[1] * z) / hypot(x, z) > 0.5;
        }
    }
    assert_int_equal(looked, 31);
    assert_true(ahead >= 28);
    end(&made);
    free(bytes);
}

/* ---- damage ------------------------------------------------------------------------------------- */

static bool build_damaged(const uint8_t *bytes, size_t size) {
    mst_value list;
    mst_document *document = open_list(bytes, size, &list);
    if (!document)
        return false;
    built made = scene_of_list(&list, true);
    end(&made);
    mst_close(document);
    return true;
}

static void damage(void **state) {
    (void)state;
    unsigned built_lists = 0;
    random_state random = {7};
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/romlists/linkc.romlist.bin", &size);
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    for (size_t length = 0; length < size; length += 37 * sample_step()) {
        uint8_t *part = malloc(length ? length : 1); /* separate, so that reads past its end are detected */
        assert_non_null(part);
        memcpy(part, bytes, length);
        build_damaged(part, length);
        mst_sfa_hit any[40];
        size_t count = length / sizeof *any < 40 ? length / sizeof *any : 40;
        memcpy(any, part, count * sizeof *any);
        mst_scene_builder build;
        mst_scene_begin(&build, NULL, 0);
        mst_sfa_scene_hits(&build, mst_scene_add_node(&build, -1, "", MST_ROLE_GROUP), any, (uint32_t)count,
                           "", &here, NULL);
        assert_int_equal(build.status, MST_OK);
        mst_scene_abandon(&build);
        free(part);
    }
    for (int round = 0; round < 400; round += (int)sample_step()) {
        memcpy(copy, bytes, size);
        for (int i = 0; i < 30; i++)
            copy[random_below(&random, (uint32_t)size)] = (uint8_t)random_next(&random);
        built_lists += build_damaged(copy, size);
    }
    assert_true(built_lists > 0);
    free(copy);
    free(bytes);
}

static void no_memory(void **state) {
    (void)state;
    writer w = {0};
    put_object(&w, 0x49F, 9, 0x10, 0, 0, 0, 7);
    put_object(&w, 0x61B, 16, 4, 0, 0, 0, 7);
    put_object(&w, 0x0D, 8, 4, 0, 0, 0, 7);
    put_object(&w, 0x4C, 20, 4, 0, 0, 0, 7);
    put_point(&w, 1, 0, 1, 2, 3, 0);
    put_point(&w, 1, 10, 2, 1, 3, 0);
    mst_open_options options = {.size = sizeof options, .name = "x.romlist"};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    bool done = false;
    for (size_t at = 1; !done && at < 10000; at++) {
        counted c = {.fail_at = at, .for_good = true};
        mst_scene_options how = {.size = sizeof how, .allocator = counted_allocator(&c)};
        mst_scene *scene = NULL;
        mst_status status = mst_scene_from_document(document, &how, &scene, &why);
        done = !c.failed;
        assert_int_equal(status, done ? MST_OK : MST_NO_MEMORY);
        mst_scene_free(scene);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    assert_true(done);
    mst_close(document);
    for (unsigned i = 3; i < 30; i++) /* one for each kind, whose names are unknown */
        put_point(&w, 200 + i, (float)i, i, i - 1, i + 1, 0);
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    done = false;
    for (size_t budget = 1; !done; budget += 40 * sample_step()) {
        counted c = {0};
        mst_scene_options how = {.size = sizeof how, .allocator = counted_allocator(&c), .budget = budget};
        mst_scene *scene = NULL;
        mst_status status = mst_scene_from_document(document, &how, &scene, &why);
        done = status == MST_OK;
        assert_true(budget < 1 << 18);
        if (!done)
            assert_int_equal(status, MST_NO_MEMORY);
        mst_scene_free(scene);
        assert_int_equal(c.blocks, 0);
    }
    mst_close(document);
    writer_free(&w);
    /* lines of blocks */
    mst_sfa_hit lines[152] = {hit_of(PAIR(0, 640), PAIR(-5, 10), PAIR(20, 30), 40, 50, 1),
                              hit_of(PAIR(1, 2), PAIR(0, 0), PAIR(3, 4), 9, 9, 0x41)}; /* disabled */
    for (unsigned i = 2; i < 152; i++)
        lines[i] = hit_of(PAIR(1, 2), PAIR(0, 0), PAIR(3, 4), 9, 9, 2);
    done = false;
    for (size_t budget = 1; !done; budget += 24 * sample_step()) {
        mst_scene_builder build;
        mst_scene_begin(&build, NULL, budget);
        int32_t top = mst_scene_add_node(&build, -1, "", MST_ROLE_GROUP);
        mst_sfa_scene_hits(&build, top, lines, 152, "lines", &here, NULL);
        done = build.status == MST_OK;
        assert_true(budget < 1 << 18);
        if (!done)
            assert_int_equal(build.status, MST_NO_MEMORY);
        mst_scene_abandon(&build);
    }
}

/* An entry that is kept packed is not a list; a name needs no extension. */
static void other_documents(void **state) {
    (void)state;
    static const uint8_t unknown[4] = {0xF0, 0xF0, 0xF0, 0xF0};
    mst_document *document;
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "sfa-romlist", .name = "linkc"};
    MUST(mst_open_memory(unknown, 4, &options, &document, &why), &why);
    assert_int_equal(mst_scene_from_document(document, NULL, &scene, &why), MST_UNSUPPORTED);
    assert_null(scene);
    mst_close(document);
    writer w = {0};
    put_object(&w, 0x49F, 9, 0x10, 0, 0, 0, 7);
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    mst_scene_options large = {.size = sizeof large, .budget = 1 << 20};
    MUST(mst_scene_from_document(document, &large, &scene, &why), &why);
    assert_string_equal(scene->name, "linkc");
    assert_null(scene->map);
    mst_scene_free(scene);
    mst_close(document);
    writer_free(&w);
}

int test_sfa_scene_objects(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects),         cmocka_unit_test(lights),        cmocka_unit_test(starts),
        cmocka_unit_test(curves),          cmocka_unit_test(upright),       cmocka_unit_test(hits),
        cmocka_unit_test(names),           cmocka_unit_test(names_in_json), cmocka_unit_test(corpus),
        cmocka_unit_test(directions),      cmocka_unit_test(damage),        cmocka_unit_test(no_memory),
        cmocka_unit_test(corpus_hits),     cmocka_unit_test(odd_lights),    cmocka_unit_test(odd_links),
        cmocka_unit_test(other_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
