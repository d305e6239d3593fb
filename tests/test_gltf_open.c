/* SPDX-License-Identifier: MIT */
/* Features of glTF files for viewing a level: a camera that shows all of it, cuts, and images in separate
 * files. */
#include "../src/core/bytes.h"
#include "support.h"
#include <mapstone/export.h>
#include <math.h>

/* ---- a room: x 0..4, y 0..3, z 0..2; seen from inside ------------------------------------------------ */

static const float room_points[] = {0, 0, 0, 4, 0, 0, 4, 0, 2, 0, 0, 2, 0, 3, 0, 4, 3, 0, 4, 3, 2, 0, 3, 2};
static const float room_texcoords[] = {0, 0, 4, 0, 4, 2, 0, 2, 0, 3, 4, 3, 4, 5, 0, 5};
enum { FLOOR_CORNERS = 6, ROOM_CORNERS = 36 };
static const uint32_t room_indices[ROOM_CORNERS] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                                    3, 7, 6, 3, 6, 2, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};

static const mst_node plain = {.name = "",
                               .class_name = "",
                               .parent = -1,
                               .mesh = -1,
                               .light = -1,
                               .camera = -1,
                               .rotation = {0, 0, 0, 1},
                               .scale = {1, 1, 1}};

typedef struct room {
    mst_primitive primitive;
    mst_mesh mesh;
    mst_node nodes[3];
    mst_material material;
    mst_scene scene;
} room;

static void make_room(room *r) {
    r->primitive = (mst_primitive){.material = 0,
                                   .vertex_count = 8,
                                   .index_count = ROOM_CORNERS,
                                   .positions = room_points,
                                   .texcoords = room_texcoords,
                                   .indices = room_indices};
    r->mesh = (mst_mesh){.name = "room", .primitives = &r->primitive, .primitive_count = 1};
    for (int i = 0; i < 3; i++)
        r->nodes[i] = plain;
    r->nodes[1].parent = 0;
    r->nodes[1].mesh = 0;
    r->nodes[1].role = MST_ROLE_GEOMETRY;
    r->material = (mst_material){.name = "", .color = {1, 1, 1, 1}, .image = -1};
    r->scene = (mst_scene){.nodes = r->nodes,
                           .node_count = 2,
                           .meshes = &r->mesh,
                           .mesh_count = 1,
                           .materials = &r->material,
                           .material_count = 1};
}

/* ---- reading the written files --------------------------------------------------------------------- */

typedef struct written {
    mst_buffer json, binary;
} written;

static const char *text_of(const written *w) {
    return (const char *)w->json.data;
}

static written write_it(const mst_scene *scene, const mst_gltf_options *options) {
    written w = {{0}, {0}};
    mst_diagnostic why;
    MUST(mst_scene_write_gltf(scene, options, "b.bin", mst_buffer_sink(&w.json), mst_buffer_sink(&w.binary),
                              &why),
         &why);
    mst_sink end = mst_buffer_sink(&w.json);
    MUST(end.write(end.user, "", 1), NULL);
    return w;
}

static void free_written(written *w) {
    mst_buffer_free(&w->json);
    mst_buffer_free(&w->binary);
}

/* The numbers of a list that follows a key after `from`; returns its position. */
static const char *numbers(const char *from, const char *key, double *to, size_t count) {
    const char *at = strstr(from, key);
    if (!at)
        fail_msg("no %s in %s", key, from);
    at += strlen(key);
    for (size_t i = 0; i < count; i++) {
        char *end;
        to[i] = strtod(at + 1, &end);
        at = end;
    }
    return at;
}

/* The box of the positions in accessors. */
static void check_box(const written *w, double low, double high, int axis) {
    double minimum[3], maximum[3];
    numbers(numbers(text_of(w), "\"min\":", minimum, 3), "\"max\":", maximum, 3);
    assert_true(fabs(minimum[axis] - low) < 1e-5);
    assert_true(fabs(maximum[axis] - high) < 1e-5);
}

/* The area of the written triangles: positions, texture coordinates and indices of 16 bits are consecutive.
 */
static double area_of(const written *w, size_t vertices, size_t triangles) {
    const uint8_t *indices = w->binary.data + vertices * 20;
    double sum = 0;
    for (size_t i = 0; i < triangles; i++) {
        double p[3][3];
        for (size_t k = 0; k < 3; k++)
            for (size_t c = 0; c < 3; c++) {
                uint32_t bits = mst_load32(
                    w->binary.data + 12 * (size_t)mst_load16(indices + 2 * (3 * i + k), false) + 4 * c,
                    false);
                float value;
                memcpy(&value, &bits, sizeof value);
                p[k][c] = (double)value;
            }
        double n[3];
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            n[c] = (p[1][d] - p[0][d]) * (p[2][e] - p[0][e]) - (p[1][e] - p[0][e]) * (p[2][d] - p[0][d]);
        }
        sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    return sum;
}

static size_t count_after(const written *w, const char *key) {
    const char *at = strstr(text_of(w), key);
    at = at ? strstr(at, "\"count\":") : NULL;
    assert_non_null(at);
    return (size_t)strtoul(at + 8, NULL, 10);
}

/* ---- the overview ---------------------------------------------------------------------------------- */

/* A point as seen by the camera, by the inverse of its node's rotation. */
static void seen(const double q[4], const double at[3], const double point[3], double to[3]) {
    double v[3] = {point[0] - at[0], point[1] - at[1], point[2] - at[2]};
    const double x = -q[0], y = -q[1], z = -q[2], s = q[3];
    const double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    const double u[3] = {y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]};
    for (int i = 0; i < 3; i++)
        to[i] = v[i] + s * t[i] + u[i];
}

static void read_overview(const written *w, double at[3], double turn[4]) {
    const char *node = strstr(text_of(w), "{\"name\":\"overview\",\"translation\":");
    assert_non_null(node);
    numbers(numbers(node, "\"translation\":", at, 3), "\"rotation\":", turn, 4);
    assert_non_null(strstr(node, "\"camera\":0"));
    assert_non_null(strstr(text_of(w), "\"cameras\":[{\"name\":\"overview\","));
}

static void the_first_camera_shows_everything(void **state) {
    (void)state;
    for (int panel = 0; panel < 2; panel++) {
        room r;
        make_room(&r);
        r.scene.object = panel ? MST_OBJECT_PANEL : MST_OBJECT_NONE;
        for (int i = 0; i < 3; i++)
            r.nodes[0].scale[i] = 10; /* metres */
        r.nodes[1].translation[2] = -7;
        written w = write_it(&r.scene, NULL);
        double at[3], turn[4], yfov, znear, fullest = 0;
        read_overview(&w, at, turn);
        numbers(text_of(&w), "\"scenes\":[{\"name\":\"scene\",\"nodes\":", (double[2]){0}, 2);
        assert_non_null(strstr(text_of(&w), "\"nodes\":[0,2]"));
        yfov = strtod(strstr(text_of(&w), "\"yfov\":") + 7, NULL);
        znear = strtod(strstr(text_of(&w), "\"znear\":") + 8, NULL);
        for (size_t i = 0; i < 8; i++) {
            const double point[3] = {10 * (double)room_points[3 * i], 10 * (double)room_points[3 * i + 1],
                                     10 * ((double)room_points[3 * i + 2] - 7)};
            double view[3];
            seen(turn, at, point, view);
            assert_true(-view[2] > znear);
            double up = fabs(view[1]) / (-view[2] * tan(yfov / 2)),
                   right = fabs(view[0]) / (-view[2] * tan(yfov / 2) * 4 / 3);
            assert_true(up < 1 && right < 1);
            fullest = fmax(fullest, fmax(up, right));
        }
        assert_true(fullest > 0.8);
        assert_true(panel ? fabs(at[1] - 15) < 1e-3 && at[2] > -50 : at[0] > 40 && at[1] > 30 && at[2] > -50);
        free_written(&w);
    }
}

static void what_is_far_away_does_not_count(void **state) {
    (void)state;
    enum { MANY = 3000 };
    float *points = calloc(MANY, 9 * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < MANY; i++)
        for (size_t k = 0; k < 9; k++)
            points[9 * i + k] = (float)((i * 7 + k * k) % 20);
    points[4] = 1e6F;
    points[12] = -1e6F;
    points[20] = NAN;
    mst_primitive primitive = {.material = -1, .vertex_count = 3 * MANY, .positions = points};
    mst_mesh mesh = {.name = "", .primitives = &primitive, .primitive_count = 1};
    mst_node node = plain;
    node.mesh = 0;
    mst_camera own = {.name = "overview", .vertical_fov = 1, .near_plane = 1};
    node.camera = 0;
    mst_scene scene = {.nodes = &node,
                       .node_count = 1,
                       .meshes = &mesh,
                       .mesh_count = 1,
                       .cameras = &own,
                       .camera_count = 1};
    written w = write_it(&scene, NULL);
    double at[3], turn[4];
    read_overview(&w, at, turn);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(at[i]) < 200);
    assert_non_null(strstr(text_of(&w), "{\"name\":\"overview_2\",\"type\":"));
    assert_non_null(strstr(text_of(&w), "\"camera\":1"));
    free_written(&w);
    w = write_it(&scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .no_overview = 1});
    assert_null(strstr(text_of(&w), "\"name\":\"overview\",\"translation\""));
    assert_non_null(strstr(text_of(&w), "\"cameras\":[{\"name\":\"overview\",\"type\":"));
    free_written(&w);
    /* an empty level has no view */
    for (size_t i = 0; i < 9 * MANY; i++)
        points[i] = NAN;
    w = write_it(&scene, NULL);
    assert_null(strstr(text_of(&w), "\"name\":\"overview\",\"translation\""));
    free_written(&w);
    free(points);
}

/* ---- cuts ------------------------------------------------------------------------------------------ */

static void geometry_is_cut_at_a_height(void **state) {
    (void)state;
    static const mst_gltf_options at_one = {.size = sizeof at_one, .ceiling_cut = 1, .no_overview = 1};
    room r;
    make_room(&r);
    written w = write_it(&r.scene, &at_one);
    check_box(&w, 0, 1, 1);
    size_t vertices = count_after(&w, "\"type\":\"VEC3\""), corners = count_after(&w, "\"type\":\"SCALAR\"");
    /* the floor, and a third of the four walls */
    assert_true(fabs(area_of(&w, vertices, corners / 3) - (4 * 2 + (4 + 2 + 4 + 2) * 1)) < 1e-4);
    free_written(&w);
    /* in the world: scaled and moved, the plane is at two thirds of the room's height */
    r.nodes[0].scale[0] = r.nodes[0].scale[1] = r.nodes[0].scale[2] = 2;
    r.nodes[1].translation[1] = 1;
    w = write_it(&r.scene,
                 &(mst_gltf_options){.size = sizeof(mst_gltf_options), .ceiling_cut = 6, .no_overview = 1});
    check_box(&w, 0, 2, 1);
    free_written(&w);
    /* above everything: nothing changes; below: nothing remains */
    w = write_it(&r.scene,
                 &(mst_gltf_options){.size = sizeof(mst_gltf_options), .ceiling_cut = 60, .no_overview = 1});
    check_box(&w, 0, 3, 1);
    assert_int_equal(count_after(&w, "\"type\":\"SCALAR\""), ROOM_CORNERS);
    free_written(&w);
    w = write_it(&r.scene,
                 &(mst_gltf_options){.size = sizeof(mst_gltf_options), .ceiling_cut = -60, .no_overview = 1});
    assert_null(strstr(text_of(&w), "\"meshes\""));
    free_written(&w);
}

/* Attributes are interpolated along an edge like the position. */
static void attributes_are_cut_as_well(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 4, 0, 0, 0, 4, 0}, normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                       texcoords[] = {0, 0, 0, 0, 1, 8}, colors[] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 0.5F, 0, 1};
    uint8_t pixel[4] = {1, 2, 3, 255};
    const mst_image image = {.name = "i", .pixels = {.width = 1, .height = 1, .data = pixel}};
    room r;
    make_room(&r);
    r.primitive = (mst_primitive){.material = 0,
                                  .vertex_count = 3,
                                  .positions = points,
                                  .normals = normals,
                                  .texcoords = texcoords,
                                  .colors = colors};
    r.material.image = 0;
    r.scene.images = &image;
    r.scene.image_count = 1;
    written w = write_it(
        &r.scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .ceiling_cut = 1, .no_overview = 1});
    /* (0 0) (4 0) and two new corners at height 1, a quarter of the way up: positions and normals, texture
     * coordinates, colours */
    float values[4 * 12];
    for (size_t i = 0; i < 48; i++) {
        uint32_t bits = mst_load32(w.binary.data + 4 * i, false);
        memcpy(&values[i], &bits, sizeof bits);
    }
    assert_int_equal(count_after(&w, "\"type\":\"VEC3\""), 4);
    for (size_t v = 0; v < 4; v++) {
        const float height = values[3 * v + 1];
        assert_true(height == 0 || fabsf(height - 1) < 1e-6F);
        assert_true(values[12 + 3 * v + 2] == 1);
        assert_true(fabsf(values[24 + 2 * v + 1] - 2 * height) < 1e-6F);
        assert_true(fabsf(values[32 + 4 * v] - height / 4) < 1e-6F);
    }
    free_written(&w);
}

static void ceilings_may_be_left_out(void **state) {
    (void)state;
    static const mst_gltf_options without = {.size = sizeof without, .no_ceilings = 1, .no_overview = 1};
    room r;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        make_room(&r);
        r.nodes[0].scale[0] = mirrored ? -1 : 1;
        written w = write_it(&r.scene, &without);
        assert_int_equal(count_after(&w, "\"type\":\"SCALAR\""), ROOM_CORNERS - FLOOR_CORNERS);
        check_box(&w, 0, 3, 1);
        free_written(&w);
    }
    /* upside down the floor is the ceiling */
    make_room(&r);
    r.nodes[0].scale[1] = -1;
    written w = write_it(&r.scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options),
                                                       .no_ceilings = 1,
                                                       .ceiling_cut = -1,
                                                       .no_overview = 1});
    check_box(&w, 1, 3, 1);
    free_written(&w);
    /* unused vertices, and triangles without corners */
    static const uint32_t odd[] = {0, 2, 99, 0, 2, 1, 4, 5, 6, 0, 0, 0};
    make_room(&r);
    r.primitive.indices = odd;
    r.primitive.index_count = 12;
    w = write_it(&r.scene, &without);
    assert_int_equal(count_after(&w, "\"type\":\"SCALAR\""), 3);
    assert_int_equal(count_after(&w, "\"type\":\"VEC3\""), 3);
    free_written(&w);
}

/* Things are not cut: they are present as a whole or not. Two of them share a mesh with the level. */
static void things_stand_or_go(void **state) {
    (void)state;
    static const mst_gltf_options at_one = {
        .size = sizeof at_one, .ceiling_cut = 1, .no_ceilings = 1, .no_overview = 1};
    static const mst_role roles[] = {MST_ROLE_ENTITY, MST_ROLE_GEOMETRY, MST_ROLE_CAMERA, MST_ROLE_LIGHT};
    for (size_t i = 0; i < 4; i++)
        for (int above = 0; above < 2; above++) {
            room r;
            make_room(&r);
            r.scene.node_count = 3;
            r.nodes[2] = r.nodes[1];
            r.nodes[2].role = roles[i];
            r.nodes[2].class_name = i == 1 ? "prop_static" : NULL;
            r.nodes[2].translation[1] = above ? 2 : -1;
            written w = write_it(&r.scene, &at_one);
            size_t meshes = 0;
            for (const char *at = text_of(&w); (at = strstr(at, "\"mesh\":")) != NULL; at++)
                meshes++;
            assert_int_equal(meshes, above ? 1 : 2);
            free_written(&w);
        }
    /* a skin's joints determine its position */
    room r;
    make_room(&r);
    r.nodes[1].skin = 1;
    written w = write_it(&r.scene, &at_one);
    check_box(&w, 0, 3, 1);
    free_written(&w);
}

/* ---- images in separate files ------------------------------------------------------------------------ */

typedef struct taken {
    char names[2][80];
    size_t count, bytes;
    mst_status status;
} taken;

static mst_status take_image(void *user, const char *name, const void *data, size_t size) {
    taken *all = user;
    assert_in_range(all->count, 0, 1);
    assert_memory_equal(data, "\x89PNG", 4);
    snprintf(all->names[all->count++], sizeof all->names[0], "%s", name);
    all->bytes += size;
    return all->status;
}

static void images_may_be_files(void **state) {
    (void)state;
    uint8_t pixels[8] = {1, 2, 3, 255, 4, 5, 6, 255};
    const mst_image images[2] = {{.name = "a/b.dds", .pixels = {.width = 2, .height = 1, .data = pixels}},
                                 {.name = "a.b/dds", .pixels = {.width = 1, .height = 1, .data = pixels}}};
    room r;
    make_room(&r);
    r.material.image = 0;
    r.material.emissive_texture = 2;
    r.scene.images = images;
    r.scene.image_count = 2;
    taken all = {.status = MST_OK};
    mst_gltf_images beside = {"x y.textures/", take_image, &all};
    const mst_gltf_options how = {.size = sizeof how, .images = &beside};
    written inside = write_it(&r.scene, NULL), w = write_it(&r.scene, &how);
    if (!strstr(text_of(&inside), "\"images\"")) { /* a build without PNG */
        assert_int_equal(all.count, 0);
    } else {
        assert_int_equal(all.count, 2);
        assert_string_equal(all.names[0], "a_b_dds.png");
        assert_string_equal(all.names[1], "a_b_dds_2.png");
        assert_non_null(strstr(text_of(&w), "{\"name\":\"a_b_dds\",\"uri\":\"x%20y.textures/a_b_dds.png\""));
        assert_non_null(strstr(text_of(&w), "\"uri\":\"x%20y.textures/a_b_dds_2.png\""));
        assert_null(strstr(text_of(&w), "image/png"));
        assert_true(w.binary.size + all.bytes <= inside.binary.size);
        mst_buffer glb = {0};
        mst_diagnostic why;
        all.count = 0;
        beside.folder = NULL;
        MUST(mst_scene_write_glb(&r.scene, &how, mst_buffer_sink(&glb), &why), &why);
        all = (taken){.status = MST_IO};
        assert_int_equal(mst_scene_write_glb(&r.scene, &how, mst_buffer_sink(&glb), &why), MST_IO);
        assert_non_null(strstr(why.message, "a_b_dds.png"));
        mst_buffer_free(&glb);
    }
    free_written(&w);
    free_written(&inside);
    beside.write = NULL;
    mst_buffer none = {0};
    assert_int_equal(mst_scene_write_glb(&r.scene, &how, mst_buffer_sink(&none), NULL), MST_ARGUMENT);
    assert_int_equal(
        mst_scene_write_gltf(&r.scene, &how, NULL, mst_buffer_sink(&none), (mst_sink){NULL, NULL}, NULL),
        MST_ARGUMENT);
}

/* ---- animations ------------------------------------------------------------------------------------ */

static void nodes_move(void **state) {
    (void)state;
    static const float moves[] = {0, 0, 0, 1, 0, 0, 4, 0, NAN}, turn[] = {0, 1, 0, 0}, scale[] = {2, 2, 2};
    const mst_channel channels[] = {
        {.node = 1, .kind = MST_MOVES, .value_count = 3, .values = moves},
        {.node = 1, .kind = MST_TURNS, .value_count = 1, .values = turn},
        {.node = 0, .kind = MST_SCALES, .value_count = 1, .values = scale},
        {.node = 9, .kind = MST_SCALES, .value_count = 1, .values = scale}, /* these are left out */
        {.node = 2, .kind = MST_SCALES, .value_count = 1, .values = scale},
        {.node = 1, .kind = (mst_movement)9, .value_count = 1, .values = scale},
        {.node = 1, .kind = MST_SCALES, .value_count = 2, .values = moves},
        {.node = 1, .kind = MST_SCALES, .value_count = 3}};
    const mst_animation animations[] = {
        {.name = "walk", .frame_rate = 10, .frame_count = 3, .channels = channels, .channel_count = 8},
        {.name = "", .frame_rate = 10, .frame_count = 1, .channels = channels + 3, .channel_count = 3},
        {.name = "walk", .frame_rate = NAN, .frame_count = 3, .channels = channels, .channel_count = 1}};
    room r;
    make_room(&r);
    r.nodes[2].role = MST_ROLE_HELPER;
    r.scene.node_count = 3;
    r.scene.animations = animations;
    r.scene.animation_count = 3;
    written w = write_it(&r.scene, &(mst_gltf_options){.size = sizeof(mst_gltf_options), .no_overview = 1});
    static const char *const pieces[] = {
        "\"animations\":[{\"name\":\"walk\",\"samplers\":[{\"input\":4,\"output\":5},\n{\"input\":3,"
        "\"output\":6},\n{\"input\":3,\"output\":7}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
        "\"path\":\"translation\"}},{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
        "{\"sampler\":2,\"target\":{\"node\":0,\"path\":\"scale\"}}]}",
        "{\"name\":\"walk_2\",\"samplers\":[{\"input\":8,\"output\":9}],",
        "\"type\":\"SCALAR\",\"count\":3,\"min\":[0],\"max\":[0.2]}",
        "\"type\":\"SCALAR\",\"count\":3,\"min\":[0],\"max\":[0.06666667]}"};
    for (size_t i = 0; i < 4; i++)
        if (!strstr(text_of(&w), pieces[i]))
            fail_msg("no %s in %s", pieces[i], text_of(&w));
    /* times, then vectors, then quaternions, at the end */
    const float expected[] = {0, 0, 0.1F, 0.2F, 0, 1 / 30.0F, 2 / 30.0F, 0, 0, 0, 1, 0, 0, 4, 0, 0,
                              2, 2, 2,    0,    0, 0,         1,         0, 0, 4, 0, 0, 0, 1, 0, 0};
    const size_t count = sizeof expected / sizeof *expected;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = mst_load32(w.binary.data + w.binary.size - 4 * (count - i), false);
        float value;
        memcpy(&value, &bits, sizeof value);
        assert_true(fabsf(value - expected[i]) < 1e-6F);
    }
    free_written(&w);
}

/* A target moves the first corner; the second one, with a wrong number, none. */
static void meshes_change_shape(void **state) {
    (void)state;
    float targets[48] = {1, 2, 3}, normals[24], turns[48] = {0};
    static const float weights[] = {0, 0, 1, 0, 0.5F, 0.5F};
    for (int i = 0; i < 24; i++)
        normals[i] = i % 3 == 1;
    targets[3 * 8 + 3] = NAN;
    const mst_channel channels[] = {
        {.node = 1, .kind = MST_MORPHS, .value_count = 3, .values = weights},
        {.node = 1, .kind = MST_MORPHS, .value_count = 2, .values = weights}, /* these are left out */
        {.node = 0, .kind = MST_MORPHS, .value_count = 3, .values = weights}};
    const mst_animation wave = {
        .name = "wave", .frame_rate = 10, .frame_count = 3, .channels = channels, .channel_count = 3};
    room r;
    make_room(&r);
    r.primitive.targets = targets;
    r.primitive.target_count = 2;
    r.scene.animations = &wave;
    r.scene.animation_count = 1;
    const mst_gltf_options how = {
        .size = sizeof how, .no_overview = 1, .ceiling_cut = 1, .no_ceilings = 1}; /* it is not cut */
    written w = write_it(&r.scene, &how);
    static const char *const pieces[] = {
        "\"indices\":2,\"material\":0,\"targets\":[{\"POSITION\":3},{\"POSITION\":4}]}",
        "\"byteOffset\":96,\"componentType\":5126,\"type\":\"VEC3\",\"count\":8,\"min\":[0,0,0],\"max\":[1,2,"
        "3]}",
        "\"byteOffset\":192,\"componentType\":5126,\"type\":\"VEC3\",\"count\":8,\"min\":[0,0,0],\"max\":[0,"
        "0,0]}",
        "\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
        "\"path\":"
        "\"weights\"}}]}",
        "\"type\":\"SCALAR\",\"count\":6}"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(text_of(&w), pieces[i]))
            fail_msg("no %s in %s", pieces[i], text_of(&w));
    for (size_t i = 0; i < 6; i++) {
        uint32_t bits = mst_load32(w.binary.data + w.binary.size - 4 * (6 - i), false);
        assert_memory_equal(&bits, &weights[i], 4);
    }
    free_written(&w);
    r.primitive.normals = normals;
    r.primitive.target_normals = turns;
    w = write_it(&r.scene, &how);
    assert_non_null(
        strstr(text_of(&w), "\"targets\":[{\"POSITION\":4,\"NORMAL\":5},{\"POSITION\":6,\"NORMAL\":7}]}"));
    free_written(&w);
    /* another primitive has no targets: the mesh cannot have any */
    mst_primitive two[2] = {r.primitive, r.primitive};
    two[1].targets = NULL;
    r.mesh.primitives = two;
    r.mesh.primitive_count = 2;
    w = write_it(&r.scene, &how);
    assert_null(strstr(text_of(&w), "targets"));
    assert_null(strstr(text_of(&w), "animations"));
    free_written(&w);
}

static void memory_may_lack(void **state) {
    (void)state;
    room r;
    make_room(&r);
    float normals[24] = {0}, colors[32] = {0};
    r.primitive.normals = normals;
    r.primitive.colors = colors;
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        const mst_gltf_options how = {
            .size = sizeof how, .allocator = counted_allocator(&c), .ceiling_cut = 1, .no_ceilings = 1};
        mst_buffer glb = {0};
        mst_status status = mst_scene_write_glb(&r.scene, &how, mst_buffer_sink(&glb), NULL);
        mst_buffer_free(&glb);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (status == MST_OK)
            break;
        assert_int_equal(status, MST_NO_MEMORY);
    }
}

int test_gltf_open(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_camera_shows_everything),
        cmocka_unit_test(what_is_far_away_does_not_count),
        cmocka_unit_test(geometry_is_cut_at_a_height),
        cmocka_unit_test(attributes_are_cut_as_well),
        cmocka_unit_test(ceilings_may_be_left_out),
        cmocka_unit_test(things_stand_or_go),
        cmocka_unit_test(images_may_be_files),
        cmocka_unit_test(nodes_move),
        cmocka_unit_test(meshes_change_shape),
        cmocka_unit_test(memory_may_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
