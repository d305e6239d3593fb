/* SPDX-License-Identifier: MIT */
/* The states of models as animations: nodes are at the described places, in every frame. */
#include "refusing.h"
#include "revenant_body.h"
#include <mapstone/scene.h>
#include <math.h>

static mst_scene *scene_of(const body *b, const char *names) {
    writer w = file_of(b);
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    mst_store32(w.data + 24, STATES, false);
    for (unsigned i = 0; names && i < STATES; i++)
        w.data[28 + 76 * i] = (uint8_t)names[i];
    MUST(mst_open_memory(w.data, w.size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"}, &document,
                         &why),
         &why);
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    mst_close(document);
    writer_free(&w);
    return scene;
}

static const float *value_of(const mst_animation *animation, int32_t node, mst_movement kind, uint32_t frame,
                             const float *rest) {
    for (size_t i = 0; animation && i < animation->channel_count; i++) {
        const mst_channel *c = &animation->channels[i];
        if (c->node == node && c->kind == kind)
            return c->values + (kind == MST_TURNS ? 4 : 3) * (size_t)(c->value_count > 1 ? frame : 0);
    }
    return rest;
}

/* The position of a point of a node's mesh below the root, in the file's axes. */
static void follow(const mst_scene *scene, const mst_animation *animation, uint32_t frame, int32_t node,
                   double p[3]) {
    double at[3] = {p[0], p[2], p[1]};
    for (; node > 0; node = scene->nodes[node].parent) {
        const mst_node *n = &scene->nodes[node];
        const float *move = value_of(animation, node, MST_MOVES, frame, n->translation),
                    *q = value_of(animation, node, MST_TURNS, frame, n->rotation),
                    *scale = value_of(animation, node, MST_SCALES, frame, n->scale);
        double t[3], u[3];
        for (int i = 0; i < 3; i++)
            at[i] *= scale[i];
        for (int i = 0; i < 3; i++)
            t[i] = 2 * ((double)q[(i + 1) % 3] * at[(i + 2) % 3] - (double)q[(i + 2) % 3] * at[(i + 1) % 3]);
        for (int i = 0; i < 3; i++)
            u[i] = (double)q[(i + 1) % 3] * t[(i + 2) % 3] - (double)q[(i + 2) % 3] * t[(i + 1) % 3];
        for (int i = 0; i < 3; i++)
            at[i] += q[3] * t[i] + u[i] + move[i];
    }
    p[0] = at[0], p[1] = at[2], p[2] = at[1];
}

/* The node with mesh number `mesh`. */
static int32_t node_of(const mst_scene *scene, int32_t mesh) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].mesh == mesh)
            return (int32_t)i;
    fail();
    return -1;
}

static void assert_at(const mst_scene *scene, const mst_animation *animation, uint32_t frame, int32_t mesh,
                      const double from[3], double x, double y, double z) {
    double p[3] = {from[0], from[1], from[2]};
    follow(scene, animation, frame, node_of(scene, mesh), p);
    if (fabs(p[0] - x) > 1e-4 || fabs(p[1] - y) > 1e-4 || fabs(p[2] - z) > 1e-4)
        print_message("frame %u: %f %f %f\n", frame, p[0], p[1], p[2]);
    assert_true(fabs(p[0] - x) < 1e-4 && fabs(p[1] - y) < 1e-4 && fabs(p[2] - z) < 1e-4);
}

/* In state 0 the second object has the first as parent; in the others, which have no keys, it has none. */
static void parents(void **state) {
    (void)state;
    static const double corner[3] = {3, 0, 2};
    body b = old_body(HANGS);
    uint32_t keys = mst_load32(b.data + 6620, false) + 6620;
    long_key(&b, keys + 8, 8, 0, 0, 0, 0, 0);    /* in frame 1: two along x */
    long_key(&b, keys + 24, 0, 0, 4, 0, 128, 0); /* a quarter turn about y, one up */
    mst_scene *scene = scene_of(&b, "wa");
    free(b.data);
    assert_int_equal(scene->mesh_count, 2);
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->nodes[2].parent, 1);
    assert_int_equal(scene->animation_count, 3);
    const mst_animation *all = scene->animations;
    assert_string_equal(all[0].name, "w");
    assert_string_equal(all[1].name, "a");
    assert_string_equal(all[2].name, "state 2");
    assert_int_equal(all[0].frame_count, 2);
    assert_true(all[0].frame_rate == 24);
    /* like the shape: about x 3 -2 0, moved 3 0 0; then about z 0 3 0, moved 1 3 0 */
    assert_at(scene, NULL, 0, 1, corner, 1, 3, 0);
    assert_at(scene, &all[0], 0, 1, corner, 1, 3, 0);
    /* about y 2 0 -3, moved 2 0 -2; then moved 4 0 -2 */
    assert_at(scene, &all[0], 1, 1, corner, 4, 0, -2);
    assert_at(scene, &all[1], 0, 1, corner, 3, 0, 2);
    assert_at(scene, &all[2], 1, 1, corner, 3, 0, 2);
    mst_scene_free(scene);
}

/* Frames of short keys: values that are not given are kept, and a skip ends a frame. */
static void short_keys(void **state) {
    (void)state;
    static const double corner[3] = {0, 1, 2};
    static const uint32_t keys[] = {SINGLE(2, 256),        SINGLE(3, 0),       SINGLE(4, 0),
                                    TRIPLE(3, 64, 64, 64), SINGLE(1, 2),       TRIPLE(1, 8, 4, 0),
                                    TRIPLE(2, 0, 0, 256),  TRIPLE(1, 12, 4, 0)};
    body b = new_body(SHORT, keys, 8);
    for (unsigned i = 0; i < STATES; i++)
        mst_store16(b.header + 8 + 76 * i + 42, 6, false);
    mst_scene *scene = scene_of(&b, "abc");
    free(b.data);
    const mst_animation *a = scene->animations;
    assert_int_equal(a->frame_count, 6);
    assert_at(scene, a, 0, 0, corner, 1, 1, 2);
    assert_at(scene, a, 1, 0, corner, 1, 1, 2);
    assert_at(scene, a, 2, 0, corner, 2 - 1, 1, 2); /* a quarter turn: -1 0 2, moved 2 1 0 */
    assert_at(scene, a, 3, 0, corner, 3 - 1, 1, 2);
    assert_at(scene, a, 5, 0, corner, 3 - 1, 1, 2);
    /* hidden in the states without keys */
    assert_int_equal(scene->animation_count, 3);
    assert_at(scene, &a[1], 0, 0, corner, 0, 0, 0);
    mst_scene_free(scene);
}

/* A scale that differs by axis is applied after the rotation and the move. */
static void scales(void **state) {
    (void)state;
    static const double corner[3] = {0, 1, 2};
    static const uint32_t even[] = {TRIPLE(1, 4, 8, 0), TRIPLE(3, 128, 128, 128), TRIPLE(1, 8, 8, 0)},
                          uneven[] = {TRIPLE(1, 4, 8, 0), TRIPLE(2, 0, 0, 256), TRIPLE(3, 128, 64, 32)};
    body b = new_body(SHORT, even, 3);
    mst_scene *scene = scene_of(&b, NULL);
    free(b.data);
    assert_string_equal(scene->animations[0].name, "state 0");
    assert_at(scene, NULL, 0, 0, corner, 2, 6, 4);
    assert_at(scene, &scene->animations[0], 1, 0, corner, 4, 6, 4);
    mst_scene_free(scene);
    b = new_body(SHORT, uneven, 3);
    scene = scene_of(&b, NULL);
    free(b.data);
    assert_int_equal(scene->node_count, 4);        /* one that scales, one that rotates, one that is hidden */
    assert_at(scene, NULL, 0, 0, corner, 0, 2, 1); /* -1 1 2 rotated back: -1 0 2, moved 0 2 2 */
    mst_scene_free(scene);
}

/* A node that is hidden at first exists for the states that show it. */
static void hidden_at_first(void **state) {
    (void)state;
    static const double corner[3] = {0, 1, 2};
    body b = new_body(0, NULL, 0);
    uint32_t object = mst_load32(b.data + 48, false) + 48,
             states = mst_load32(b.data + object + 44, false) + object + 44;
    uint32_t keys = mst_load32(b.data + states + 4, false) + states + 4;
    number(&b, states + 4, 0);
    number(&b, states + 12, keys - (states + 12));
    b.end += 8; /* of the second frame */
    long_key(&b, keys, 4, 0, 0, 0, 0, 0);
    long_key(&b, keys + 8, 8, 0, 0, 0, 0, 0);
    mst_scene *scene = scene_of(&b, "abc");
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->animation_count, 1);
    assert_string_equal(scene->animations[0].name, "b");
    assert_at(scene, NULL, 0, 0, corner, 0, 0, 0);
    assert_at(scene, &scene->animations[0], 1, 0, corner, 2, 1, 2);
    mst_scene_free(scene);
    number(&b, states + 12, 0); /* in all of them: no mesh is needed */
    scene = scene_of(&b, "abc");
    assert_int_equal(scene->mesh_count, 0);
    mst_scene_free(scene);
    free(b.data);
}

/* Objects in a circle of parents have none; keys outside of the data leave a state out. */
static void odd_bodies(void **state) {
    (void)state;
    static const double corner[3] = {3, 0, 2};
    body b = old_body(HANGS);
    uint32_t parents_at = mst_load32(b.data + 7132, false) + 7132;
    b.data[parents_at] = 1;
    mst_scene *scene = scene_of(&b, "abc");
    assert_int_equal(scene->nodes[1].parent, 0);
    assert_int_equal(scene->nodes[2].parent, 0);
    assert_at(scene, NULL, 0, 1, corner, 3, 0, 0);
    mst_scene_free(scene);
    b.data[parents_at] = 0xFF;
    number(&b, 6620 + 4, b.end - 6624 - 8);
    scene = scene_of(&b, "abc");
    for (size_t i = 0; i < scene->animation_count; i++)
        assert_string_not_equal(scene->animations[i].name, "b");
    mst_scene_free(scene);
    free(b.data);
    /* with scales, other parents cannot be shown */
    static const uint32_t keys[] = {TRIPLE(1, 4, 8, 0), TRIPLE(3, 128, 128, 128)};
    b = new_body(SHORT | HANGS, keys, 2);
    uint32_t object = mst_load32(b.data + 48, false) + 48,
             states = mst_load32(b.data + object + 44, false) + object + 44;
    number(&b, states + 12, 0);
    number(&b, states + 16, 2);
    number(&b, states + 20, mst_load32(b.data + states + 8, false) - 12);
    scene = scene_of(&b, "abc");
    for (size_t i = 0; i < scene->animation_count; i++)
        assert_string_not_equal(scene->animations[i].name, "b");
    mst_scene_free(scene);
    /* with as many frames as bytes it would take too long */
    mst_store16(b.header + 8 + 42, 65535, false);
    scene = scene_of(&b, "abc");
    for (size_t i = 0; i < scene->animation_count; i++)
        assert_string_not_equal(scene->animations[i].name, "a");
    mst_scene_free(scene);
    free(b.data);
}

/* A body whose states have corners of their own: 2 frames each, of which the second state's are the same one.
 */
static body changing_body(void) {
    body b = new_body(MORPHS, NULL, 0);
    uint32_t states = mst_load32(b.data + 16, false) + 16;
    for (uint32_t i = 0; i < STATES; i++) {
        uint32_t frames = led(&b, states + 4 * i, 8);
        for (uint32_t f = 0; f < 2; f++) {
            uint32_t corners =
                i == 1 && f ? frames + mst_load32(b.data + frames, false) : led(&b, frames + 4 * f, 96);
            number(&b, frames + 4 * f, corners - (frames + 4 * f));
            for (uint32_t k = 0; k < 3; k++)
                put_corner(&b, corners + 32 * k, (float)k, (float)(i == 1 ? 5 : f), (float)(10 * i));
        }
    }
    return b;
}

static const float *weights_of(const mst_scene *scene, size_t animation) {
    const mst_animation *a = &scene->animations[animation];
    assert_int_equal(a->channel_count, 1);
    assert_int_equal(a->channels->kind, MST_MORPHS);
    assert_int_equal(a->channels->value_count, 2);
    assert_int_equal(a->channels->node, node_of(scene, 0));
    return a->channels->values;
}

static void shapes(void **state) {
    (void)state;
    body b = changing_body();
    mst_scene *scene = scene_of(&b, "abc");
    assert_int_equal(scene->mesh_count, 1);
    const mst_primitive *p = scene->meshes->primitives;
    assert_int_equal(p->vertex_count, 3);
    assert_int_equal(p->target_count, 4); /* all frames except the first, and the duplicate one once */
    static const float moves[4][2] = {{1, 0}, {5, 10}, {0, 20}, {1, 20}}; /* y and z of the file */
    for (uint32_t t = 0; t < 4; t++)
        for (uint32_t v = 0; v < 3; v++) {
            const float *move = p->targets + 3 * (3 * (size_t)t + v);
            assert_true(move[0] == 0 && move[1] == moves[t][1] && move[2] == moves[t][0]);
            assert_true(p->target_normals[3 * (3 * t + v)] == 0);
        }
    assert_int_equal(scene->animation_count, 3);
    assert_string_equal(scene->animations[1].name, "b");
    assert_true(scene->animations[1].frame_rate == 24);
    static const float weights[3][8] = {
        {0, 0, 0, 0, 1, 0, 0, 0}, {0, 1, 0, 0, 0, 1, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 1}};
    for (size_t a = 0; a < 3; a++)
        assert_memory_equal(weights_of(scene, a), weights[a], sizeof weights[a]);
    mst_scene_free(scene);
    free(b.data);
}

/* A state whose frames are null or outside is unchanged; without shapes there are no animations. */
static void odd_shapes(void **state) {
    (void)state;
    body b = changing_body();
    uint32_t states = mst_load32(b.data + 16, false) + 16,
             third = mst_load32(b.data + states + 8, false) + states + 8,
             first = mst_load32(b.data + states, false) + states;
    number(&b, third + 4, 0);
    mst_scene *scene = scene_of(&b, "abc");
    assert_int_equal(scene->animation_count, 2);
    assert_int_equal(scene->meshes->primitives->target_count, 2);
    mst_scene_free(scene);
    number(&b, first + 4, b.end - (first + 4) - 8); /* corners that end outside */
    scene = scene_of(&b, "abc");
    assert_int_equal(scene->animation_count, 0);
    assert_int_equal(scene->meshes->primitives->target_count, 0);
    mst_scene_free(scene);
    mst_store16(b.header + 8 + 42, 65535, false); /* more frames than fit */
    scene = scene_of(&b, "abc");
    assert_int_equal(scene->animation_count, 0);
    mst_scene_free(scene);
    for (unsigned i = 0; i < STATES; i++)
        mst_store16(b.header + 8 + 76 * i + 42, 1, false);
    number(&b, states + 4, first - (states + 4)); /* all states have the same shape */
    number(&b, states + 8, first - (states + 8));
    scene = scene_of(&b, "abc");
    assert_int_equal(scene->animation_count, 0);
    mst_scene_free(scene);
    free(b.data);
}

static void memory_ends_for(body b) {
    writer w = file_of(&b);
    free(b.data);
    mst_document *document;
    mst_diagnostic why;
    mst_store32(w.data + 24, STATES, false);
    MUST(mst_open_memory(w.data, w.size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"}, &document,
                         &why),
         &why);
    mst_status status = MST_NO_MEMORY;
    for (int limit = 0; status != MST_OK; limit++) {
        int left = limit;
        mst_scene *scene;
        const mst_scene_options options = {.size = sizeof options, .allocator = {no_memory, &left}};
        status = mst_scene_from_document(document, &options, &scene, &why);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_scene_free(scene);
        assert_true(limit < 500);
    }
    mst_close(document);
    writer_free(&w);
}

static void memory_ends(void **state) {
    (void)state;
    memory_ends_for(old_body(HANGS));
    memory_ends_for(changing_body());
}

int test_revenant_rig(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parents),    cmocka_unit_test(short_keys),
                                       cmocka_unit_test(scales),     cmocka_unit_test(hidden_at_first),
                                       cmocka_unit_test(odd_bodies), cmocka_unit_test(shapes),
                                       cmocka_unit_test(odd_shapes), cmocka_unit_test(memory_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
