/* SPDX-License-Identifier: MIT */
#include "model_rig.h"
#include "../../../core/angles.h"
#include "../../../core/unreachable.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PARENTS_MAX 64

static bool ok(const mst_model_rig *rig) {
    return mst_scene_ok(rig->builder);
}

static const mst_posed_key *key_of(const mst_model_rig *rig, uint32_t object, uint32_t frame) {
    return (const mst_posed_key *)rig->keys.items + (size_t)object * rig->frames + frame;
}

/* Reads the keys of a state; false: it has no readable keys, or takes too much work. */
static bool read_state(mst_model_rig *rig, uint32_t state) {
    uint32_t count = rig->shape->object_count;
    rig->frames = mst_posed_frames(rig->imagery, state);
    uint64_t total = (uint64_t)rig->frames * count;
    rig->keys.count = 0;
    if (!total || total + count > rig->left || !mst_scene_push(rig->builder, &rig->keys, total))
        return false;
    rig->left -= total + count;
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++)
        good = mst_posed_track(rig->imagery, state, i, rig->frames,
                               (mst_posed_key *)rig->keys.items + (size_t)i * rig->frames, &rig->tracks[i]);
    return good;
}

/* The file's axes are x, y and z, which is up; the scene's are x, z, y. */
static void put_axes(const double from[3], float to[3]) {
    to[0] = (float)from[0];
    to[1] = (float)from[2];
    to[2] = (float)from[1];
}

/* A quaternion of the file in the scene: the exchange of two axes reverses every rotation. */
static void put_turn(const double from[4], float to[4]) {
    for (int i = 0; i < 3; i++)
        to[i] = (float)-from[i == 0 ? 0 : 3 - i];
    to[3] = (float)from[3];
}

/* About x, then y, then z. */
static void quaternion_of(const double rotation[3], double q[4]) {
    double c[3], s[3];
    for (int i = 0; i < 3; i++) {
        c[i] = mst_cosine(rotation[i] / 2);
        s[i] = mst_sine(rotation[i] / 2);
    }
    q[0] = c[2] * c[1] * s[0] - s[2] * s[1] * c[0];
    q[1] = c[2] * s[1] * c[0] + s[2] * c[1] * s[0];
    q[2] = s[2] * c[1] * c[0] - c[2] * s[1] * s[0];
    q[3] = c[2] * c[1] * c[0] + s[2] * s[1] * s[0];
}

/* A node has another order of operations: it scales, rotates and translates. */
static void put_key(const mst_posed_key *key, float moved[3], float turned[4], float scaled[3]) {
    double place[3], q[4];
    for (int i = 0; i < 3; i++)
        place[i] = key->position[i] * key->scale[i];
    quaternion_of(key->rotation, q);
    put_axes(place, moved);
    put_turn(q, turned);
    put_axes(key->scale, scaled);
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static bool is_uneven(const mst_posed_key *key) {
    return key->scale[0] != key->scale[1] || key->scale[1] != key->scale[2];
}

static void learn(mst_model_joint *joint, const mst_posed_object *track, const mst_posed_key *keys,
                  uint32_t frames) {
    joint->seen = joint->seen || !track->hidden;
    joint->hidden = joint->hidden || track->hidden;
    for (uint32_t f = 0; f < frames && !joint->uneven; f++)
        joint->uneven = is_uneven(&keys[f]);
}

/* The number of objects above one; PARENTS_MAX: more, or a cycle. */
static uint32_t depth_of(const mst_posed *shape, uint32_t object) {
    uint32_t depth = 0;
    for (int64_t up = shape->objects[object].parent; up >= 0 && up < shape->object_count; depth++) {
        if (depth == PARENTS_MAX)
            break;
        up = shape->objects[up].parent;
    }
    return depth;
}

static void add_nodes(mst_model_rig *rig, uint32_t object) {
    mst_scene_builder *b = rig->builder;
    mst_model_joint *joint = &rig->joints[object];
    const mst_posed_object *stands = &rig->shape->objects[object];
    const char *name = mst_scene_text(b, stands->name, strlen(stands->name));
    int32_t above = joint->parent < 0 ? 0 : rig->joints[joint->parent].turn;
    float moved[3], turned[4], scaled[3];
    put_key(&stands->key, moved, turned, scaled);
    joint->place = joint->turn = joint->shown = mst_scene_add_node(b, above, name, MST_ROLE_GEOMETRY);
    if (joint->uneven)
        joint->turn = joint->shown = mst_scene_add_node(b, joint->place, name, MST_ROLE_GEOMETRY);
    if (joint->seen && joint->hidden)
        joint->shown = mst_scene_add_node(b, joint->turn, name, MST_ROLE_GEOMETRY);
    if (!ok(rig))
        return;
    mst_node *place = mst_scene_node(b, joint->place), *shown = mst_scene_node(b, joint->shown);
    memcpy(place->translation, moved, sizeof moved);
    memcpy(place->scale, scaled, sizeof scaled);
    memcpy(mst_scene_node(b, joint->turn)->rotation, turned, sizeof turned);
    if (joint->seen && stands->hidden)
        memset(shown->scale, 0, sizeof shown->scale);
}

static void add_all(mst_model_rig *rig) {
    uint32_t count = rig->shape->object_count, deepest = 0;
    uint32_t *depths = mst_scene_scratch(rig->builder, count, sizeof *depths);
    for (uint32_t i = 0; i < count && depths; i++) {
        depths[i] = depth_of(rig->shape, i);
        rig->joints[i].parent = depths[i] ? rig->shape->objects[i].parent : -1;
        if (depths[i] == PARENTS_MAX) {
            depths[i] = 0;
            rig->joints[i].parent = -1;
        }
        deepest = depths[i] > deepest ? depths[i] : deepest;
    }
    for (uint32_t depth = 0; depth <= deepest && depths; depth++)
        for (uint32_t i = 0; i < count && ok(rig); i++)
            if (depths[i] == depth)
                add_nodes(rig, i);
}

void mst_model_rig_begin(mst_model_rig *rig, mst_scene_builder *builder, const mst_imagery *imagery,
                         const mst_posed *shape) {
    uint32_t count = shape->object_count;
    *rig = (mst_model_rig){.builder = builder, .imagery = imagery, .shape = shape};
    rig->joints = mst_scene_scratch(builder, count, sizeof *rig->joints);
    rig->tracks = mst_scene_scratch(builder, count, sizeof *rig->tracks);
    rig->keys = mst_scene_array(builder, sizeof(mst_posed_key));
    rig->channels = mst_scene_array(builder, sizeof(mst_channel));
    rig->moves = mst_scene_array(builder, 3 * sizeof(float));
    rig->turns = mst_scene_array(builder, 4 * sizeof(float));
    rig->scales = mst_scene_array(builder, 3 * sizeof(float));
    for (uint32_t i = 0; i < count && ok(rig); i++)
        learn(&rig->joints[i], &shape->objects[i], &shape->objects[i].key, 1);
    rig->left = imagery->data_size;
    for (uint32_t state = 0; state < imagery->state_count && ok(rig); state++) {
        if (!read_state(rig, state))
            continue;
        for (uint32_t i = 0; i < count; i++)
            learn(&rig->joints[i], &rig->tracks[i], key_of(rig, i, 0), rig->frames);
    }
    if (ok(rig))
        add_all(rig);
}

/* ---- other parents ------------------------------------------------------------------------------- */

/* A rotation, then a translation. */
typedef struct rigid {
    double turn[4], move[3];
} rigid;

static void multiply(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    product[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void turn_point(const double turn[4], const double point[3], double result[3]) {
    const double p[4] = {point[0], point[1], point[2], 0}, back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};
    double half[4], whole[4];
    multiply(turn, p, half);
    multiply(half, back, whole);
    memcpy(result, whole, 3 * sizeof *result);
}

/* Applies `first`, then `then`. */
static rigid after(const rigid *first, const rigid *then) {
    rigid both;
    multiply(then->turn, first->turn, both.turn);
    turn_point(then->turn, first->move, both.move);
    for (int i = 0; i < 3; i++)
        both.move[i] += then->move[i];
    return both;
}

static rigid inverse(const rigid *one) {
    rigid back = {{-one->turn[0], -one->turn[1], -one->turn[2], one->turn[3]}, {0, 0, 0}};
    turn_point(back.turn, one->move, back.move);
    for (int i = 0; i < 3; i++)
        back.move[i] = -back.move[i];
    return back;
}

static rigid rigid_of(const mst_posed_key *key) {
    rigid one;
    quaternion_of(key->rotation, one.turn);
    memcpy(one.move, key->position, sizeof one.move);
    return one;
}

/* The pose of an object in a frame of the current state. */
static rigid stands_at(const mst_model_rig *rig, int32_t object, uint32_t frame) {
    rigid place = rigid_of(key_of(rig, (uint32_t)object, frame));
    int32_t up = rig->tracks[object].parent;
    for (int depth = 0; depth < PARENTS_MAX && up >= 0 && (uint32_t)up < rig->shape->object_count; depth++) {
        rigid next = rigid_of(key_of(rig, (uint32_t)up, frame));
        place = after(&place, &next);
        up = rig->tracks[up].parent;
    }
    return place;
}

/* Whether the objects have the same parents in the current state as the nodes. */
static bool hangs_alike(const mst_model_rig *rig) {
    bool alike = true;
    for (uint32_t i = 0; i < rig->shape->object_count && alike; i++) {
        int32_t parent = rig->tracks[i].parent;
        bool has = parent >= 0 && (uint32_t)parent < rig->shape->object_count;
        alike = (has ? parent : -1) == rig->joints[i].parent;
    }
    return alike;
}

static bool is_rigid(const mst_model_rig *rig) {
    bool so = true;
    for (uint32_t i = 0; i < rig->shape->object_count && so; i++)
        for (uint32_t f = 0; f < rig->frames && so; f++) {
            const double *scale = key_of(rig, i, f)->scale;
            so = scale[0] == 1 && scale[1] == 1 && scale[2] == 1;
        }
    return so;
}

/* ---- animations ---------------------------------------------------------------------------------- */

/* Adds a channel unless the node has this pose without it. */
static void add_channel(mst_model_rig *rig, int32_t node, mst_movement kind, const float *rest,
                        const float *values, uint32_t count, unsigned width) {
    const float tolerance = 1e-6F;
    bool still = true, resting = true;
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < width; k++) {
            still = still && fabsf(values[i * (size_t)width + k] - values[k]) <= tolerance;
            resting = resting && fabsf(values[i * (size_t)width + k] - rest[k]) <= tolerance;
        }
    mst_channel *added = resting ? NULL : mst_scene_push(rig->builder, &rig->channels, 1);
    if (!added)
        return;
    *added = (mst_channel){.node = node, .kind = kind, .value_count = still ? 1 : count};
    added->values = mst_scene_copy(rig->builder, values, added->value_count, width * sizeof *values);
}

static void move_object(mst_model_rig *rig, uint32_t object, bool alike) {
    const mst_model_joint *joint = &rig->joints[object];
    mst_array *const lists[] = {&rig->moves, &rig->turns, &rig->scales};
    for (unsigned i = 0; i < 3; i++) {
        lists[i]->count = 0;
        if (!mst_scene_push(rig->builder, lists[i], rig->frames))
            return;
    }
    float(*moves)[3] = rig->moves.items, (*turns)[4] = rig->turns.items, (*scales)[3] = rig->scales.items;
    const mst_node *place = mst_scene_node(rig->builder, joint->place),
                   *turn = mst_scene_node(rig->builder, joint->turn);
    for (uint32_t f = 0; f < rig->frames; f++) {
        put_key(key_of(rig, object, f), moves[f], turns[f], scales[f]);
        if (!alike) {
            rigid at = stands_at(rig, (int32_t)object, f);
            if (joint->parent >= 0) {
                rigid above = stands_at(rig, joint->parent, f), below = inverse(&above);
                at = after(&at, &below);
            }
            put_axes(at.move, moves[f]);
            put_turn(at.turn, turns[f]);
        }
        const float *before = f ? turns[f - 1] : turn->rotation;
        float dot = 0;
        for (unsigned k = 0; k < 4; k++)
            dot += before[k] * turns[f][k];
        for (unsigned k = 0; k < 4 && dot < 0; k++) /* the short way */
            turns[f][k] = -turns[f][k];
    }
    add_channel(rig, joint->place, MST_MOVES, place->translation, moves[0], rig->frames, 3);
    add_channel(rig, joint->turn, MST_TURNS, turn->rotation, turns[0], rig->frames, 4);
    add_channel(rig, joint->place, MST_SCALES, place->scale, scales[0], rig->frames, 3);
    if (joint->shown != joint->turn) {
        const float full = rig->tracks[object].hidden ? 0 : 1, size[3] = {full, full, full};
        const mst_node *shown = mst_scene_node(rig->builder, joint->shown);
        add_channel(rig, joint->shown, MST_SCALES, shown->scale, size, 1, 3);
    }
}

const char *mst_model_state_name(mst_scene_builder *builder, const mst_imagery *imagery, uint32_t state) {
    const char *name = (const char *)imagery->header + 8 + MST_IMAGERY_STATE * (size_t)state;
    const char *nul = memchr(name, 0, 32);
    return *name ? mst_scene_text(builder, name, nul ? (size_t)(nul - name) : 32)
                 : mst_scene_printf(builder, "state %lu", (unsigned long)state);
}

const mst_animation *mst_model_rig_animations(mst_model_rig *rig, size_t *count) {
    uint32_t states = rig->imagery->state_count;
    mst_animation *all = mst_scene_take(rig->builder, states, sizeof *all);
    rig->left = rig->imagery->data_size;
    *count = 0;
    for (uint32_t state = 0; state < states && ok(rig); state++) {
        if (!read_state(rig, state))
            continue;
        bool alike = hangs_alike(rig);
        if (!alike && !is_rigid(rig))
            continue; /* nodes would have to shear */
        rig->channels.count = 0;
        for (uint32_t i = 0; i < rig->shape->object_count && ok(rig); i++)
            move_object(rig, i, alike);
        if (!ok(rig) || !rig->channels.count)
            continue;
        mst_animation *to = &all[(*count)++];
        *to = (mst_animation){.name = mst_model_state_name(rig->builder, rig->imagery, state),
                              .frame_rate = MST_MODEL_FRAME_RATE,
                              .frame_count = rig->frames,
                              .channel_count = rig->channels.count};
        to->channels =
            mst_scene_copy(rig->builder, rig->channels.items, rig->channels.count, sizeof *to->channels);
    }
    return all;
}

void mst_model_rig_end(mst_model_rig *rig) {
    mst_array *const arrays[] = {&rig->keys, &rig->channels, &rig->moves, &rig->turns, &rig->scales};
    for (unsigned i = 0; i < 5; i++)
        mst_array_free(arrays[i]);
}
