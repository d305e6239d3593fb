/* SPDX-License-Identifier: MIT */
#include "model_animation.h"
#include "../../scene/geometry.h"
#include "../extras.h"
#include <math.h>
#include <string.h>

#define LEAVES 8   /* animations in a sequence */
#define STEPS  256 /* limit of the search for them */
/* A track takes 60 bytes per frame. At most REPEATS times the frames that fit a file may be read or shown. */
#define REPEATS     8
#define TRACK_FRAME 60

/* An animation that a sequence plays. */
typedef struct leaf {
    mst_spark_animation animation;
    mst_value *frames; /* per bone its poses; document NULL: it does not move */
} leaf;

typedef struct work {
    mst_scene_builder *builder;
    const mst_document *document;
    const int32_t *nodes;
    uint64_t bone_count;
    mst_bound affine, track, animation, node;
    mst_value animations, animation_nodes;
    uint64_t animation_count, node_count;
    uint64_t keys_left;
    leaf leaves[LEAVES];
    size_t leaf_count;
    /* Of one bone: */
    mst_array poses;                           /* of the current leaf */
    mst_array translations, rotations, scales; /* in the order of frames */
    mst_array channels;
} work;

static bool ok(const work *w) {
    return mst_scene_ok(w->builder);
}

/* ---- the animations of a sequence --------------------------------------------------------------------- */

/* Takes `keys` from the work that is left; false: too much. */
static bool may_take(work *w, uint64_t keys) {
    bool may = keys <= w->keys_left;
    w->keys_left -= may ? keys : 0;
    return may;
}

static bool read_leaf(work *w, uint64_t index) {
    mst_value element, tracks;
    uint64_t moved = 0;
    if (index >= w->animation_count || w->leaf_count == LEAVES ||
        mst_element(&w->animations, index, &element) != MST_OK)
        return false;
    leaf *to = &w->leaves[w->leaf_count];
    memset(&to->animation, 0, sizeof to->animation);
    mst_fill(&w->animation, &element, &to->animation);
    tracks = mst_member_in(&element, "tracks");
    if (!may_take(w, mst_count(&tracks)) || !may_take(w, w->bone_count))
        return false;
    memset(to->frames, 0, (size_t)w->bone_count * sizeof *to->frames);
    for (mst_iterator it = mst_iterate(&tracks); mst_next(&it, &element);) {
        mst_spark_track track = {.bone = MST_SPARK_NONE, .frames = mst_nothing_in(&element)};
        mst_fill(&w->track, &element, &track);
        if (track.bone >= w->bone_count || !mst_count(&track.frames))
            continue;
        to->frames[track.bone] = track.frames;
        moved++;
    }
    w->leaf_count += moved > 0;
    return moved > 0;
}

/* The node of a blend that counts alone where the parameter is nearest to 0. */
static uint64_t resting_node(const mst_spark_node *node, uint64_t count) {
    uint64_t nearest = 0;
    double least = INFINITY;
    for (uint64_t i = 0; i < count; i++) {
        double share = count > 1 ? (double)i / (double)(count - 1) : 0;
        double value = (double)node->minimum + share * ((double)node->maximum - (double)node->minimum);
        if (fabs(value) < least) {
            least = fabs(value);
            nearest = i;
        }
    }
    return nearest;
}

/* The animations that a node plays, from the lowest layer up; false: some cannot be read. */
static bool read_leaves(work *w, uint64_t first) {
    uint64_t waiting[LEAVES * 2] = {first}, count = 1;
    w->leaf_count = 0;
    for (int step = 0; count; step++) {
        mst_value element, list;
        mst_spark_node node = {.type = 0};
        uint64_t index = waiting[--count];
        if (step == STEPS || index >= w->node_count ||
            mst_element(&w->animation_nodes, index, &element) != MST_OK)
            return false;
        mst_fill(&w->node, &element, &node);
        if (node.type == MST_SPARK_PLAYS) {
            if (!read_leaf(w, node.animation))
                return false;
            continue;
        }
        if (mst_member(&element, "nodes", &list) != MST_OK)
            return false;
        uint64_t begin = 0, end = mst_count(&list);
        if (node.type == MST_SPARK_BLENDS && end) {
            begin = resting_node(&node, end);
            end = begin + 1;
        }
        if (end - begin > sizeof waiting / sizeof *waiting - count)
            return false;
        for (uint64_t i = end; i-- > begin;) { /* the first is on top */
            element = mst_element_in(&list, i);
            waiting[count] = MST_SPARK_NONE;
            mst_get_unsigned(&element, &waiting[count]);
            count++;
        }
    }
    return w->leaf_count > 0;
}

/* One pose for every bone, and differences that are added to it: the only supported combination. */
static bool is_proved(const work *w) {
    bool proved = !(w->leaves[0].animation.flags & MST_SPARK_RELATIVE);
    for (size_t i = 1; i < w->leaf_count; i++)
        proved = proved && (w->leaves[i].animation.flags & MST_SPARK_RELATIVE) &&
                 w->leaves[i].animation.frame_rate == w->leaves[0].animation.frame_rate;
    return proved;
}

/* ---- the movement of a bone --------------------------------------------------------------------------- */

void mst_spark_scale_of(const mst_spark_affine *pose, float scale[3]) {
    const float *q = pose->scale_rotation;
    float x = q[0], y = q[1], z = q[2], s = q[3], length = x * x + y * y + z * z + s * s;
    bool turned = isfinite(length) && length > 0 && isfinite(pose->scale[0]) && isfinite(pose->scale[1]) &&
                  isfinite(pose->scale[2]);
    float k = turned ? 2 / length : 0;
    const float axes[3][3] = {{1 - k * (y * y + z * z), k * (x * y - z * s), k * (x * z + y * s)},
                              {k * (x * y + z * s), 1 - k * (x * x + z * z), k * (y * z - x * s)},
                              {k * (x * z - y * s), k * (y * z + x * s), 1 - k * (x * x + y * y)}};
    for (unsigned row = 0; row < 3; row++) {
        float sum = 0;
        for (unsigned c = 0; c < 3; c++)
            sum += axes[row][c] * axes[row][c] * pose->scale[c];
        scale[row] = (isfinite(sum) && sum != 0 ? sum : 1) * (pose->flip < 0 ? -1.0F : 1.0F);
    }
}

/* The frame of an animation that is shown in a frame of the sequence. */
static uint64_t frame_of(const mst_spark_animation *animation, uint64_t count, uint64_t frame) {
    if (frame < count)
        return frame;
    /* in those that loop, the last frame is the first again */
    return animation->flags & MST_SPARK_LOOPING && count > 1 ? frame % (count - 1) : count - 1;
}

/* The node's pose without animations. */
static mst_spark_affine rest_of(const mst_node *node) {
    mst_spark_affine rest = {.scale_rotation = {0, 0, 0, 1}, .flip = 1};
    float rotation[4];
    mst_node_transform(node, rest.translation, rotation, rest.scale);
    memcpy(rest.rotation, rotation, sizeof rotation);
    return rest;
}

static void put_pose(const mst_spark_affine *pose, float *translation, float *rotation, float *scale) {
    mst_node node = {.scale = {1, 1, 1}};
    memcpy(node.translation, pose->translation, sizeof node.translation);
    memcpy(node.rotation, pose->rotation, sizeof node.rotation);
    mst_spark_scale_of(pose, node.scale);
    mst_node_transform(&node, translation, rotation, scale);
}

/* Applies a difference, part by part. */
static void add_difference(const mst_spark_affine *by, float *translation, float *rotation, float *scale) {
    float added[3], turn[4], grown[3], turned[4];
    put_pose(by, added, turn, grown);
    mst_quaternion_multiply(rotation, turn, turned);
    memcpy(rotation, turned, sizeof turned);
    for (unsigned k = 0; k < 3; k++) {
        translation[k] += added[k];
        scale[k] *= grown[k];
    }
}

/* Adds a channel unless the node has this pose all the time anyway. */
static void add_channel(work *w, int32_t node, mst_movement kind, const float *rest, const mst_array *values,
                        unsigned width) {
    const float tolerance = 1e-6F, *v = values->items;
    size_t count = values->count;
    bool still = true, resting = true;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < width; k++) {
            still = still && fabsf(v[i * width + k] - v[k]) <= tolerance;
            resting = resting && fabsf(v[i * width + k] - rest[k]) <= tolerance;
        }
    if (resting)
        return;
    mst_channel *added = mst_scene_push(w->builder, &w->channels, 1);
    if (!added)
        return;
    *added = (mst_channel){.node = node, .kind = kind, .value_count = still ? 1 : (uint32_t)count};
    added->values = mst_scene_copy(w->builder, v, added->value_count, width * sizeof *v);
}

/* The poses that a leaf has for a bone, in w->poses; 0: none. */
static uint64_t read_poses(work *w, const leaf *from, uint64_t bone) {
    const mst_value *frames = &from->frames[bone];
    uint64_t count = frames->document ? mst_count(frames) : 0;
    w->poses.count = 0;
    mst_spark_affine *poses = count ? mst_scene_push(w->builder, &w->poses, count) : NULL;
    return poses ? mst_fill_list(&w->affine, frames, poses, count) : 0;
}

static void move_bone(work *w, uint64_t bone, uint32_t frame_count) {
    const mst_node *node = mst_scene_node(w->builder, w->nodes[bone]);
    mst_array *const lists[] = {&w->translations, &w->rotations, &w->scales};
    bool moves = false;
    for (size_t i = 0; i < w->leaf_count; i++)
        moves = moves || w->leaves[i].frames[bone].document;
    if (!node || !moves)
        return;
    const mst_spark_affine rest = rest_of(node);
    for (unsigned i = 0; i < 3; i++) {
        lists[i]->count = 0;
        if (!mst_scene_push(w->builder, lists[i], frame_count))
            return;
    }
    float(*translations)[3] = w->translations.items, (*rotations)[4] = w->rotations.items,
    (*scales)[3] = w->scales.items;
    for (size_t i = 0; i < w->leaf_count; i++) {
        const leaf *one = &w->leaves[i];
        uint64_t count = read_poses(w, one, bone);
        const mst_spark_affine *poses = w->poses.items;
        for (uint32_t f = 0; f < frame_count && (count || !i); f++) {
            const mst_spark_affine *pose = count ? &poses[frame_of(&one->animation, count, f)] : &rest;
            if (i)
                add_difference(pose, translations[f], rotations[f], scales[f]);
            else
                put_pose(pose, translations[f], rotations[f], scales[f]);
        }
    }
    if (!ok(w))
        return;
    for (uint32_t f = 0; f < frame_count; f++) { /* rotations take the short way */
        const float *before = f ? rotations[f - 1] : rest.rotation;
        float *now = rotations[f], dot = 0;
        for (unsigned k = 0; k < 4; k++)
            dot += before[k] * now[k];
        for (unsigned k = 0; k < 4 && dot < 0; k++)
            now[k] = -now[k];
    }
    add_channel(w, w->nodes[bone], MST_MOVES, rest.translation, &w->translations, 3);
    add_channel(w, w->nodes[bone], MST_TURNS, rest.rotation, &w->rotations, 4);
    add_channel(w, w->nodes[bone], MST_SCALES, rest.scale, &w->scales, 3);
}

/* ---- sequences ---------------------------------------------------------------------------------------- */

/* False: it cannot be shown. */
static bool make_animation(work *w, mst_animation *to) {
    uint64_t frames = 0, moved = 0;
    for (size_t i = 0; i < w->leaf_count; i++)
        frames = w->leaves[i].animation.frame_count > frames ? w->leaves[i].animation.frame_count : frames;
    for (uint64_t bone = 0; bone < w->bone_count; bone++)
        for (size_t i = 0, found = 0; i < w->leaf_count && !found; i++)
            moved += found = w->leaves[i].frames[bone].document != NULL;
    if (!is_proved(w) || !may_take(w, frames * moved)) /* both are less than 2^32 */
        return false;
    w->channels.count = 0;
    for (uint64_t bone = 0; ok(w) && bone < w->bone_count; bone++)
        move_bone(w, bone, (uint32_t)frames);
    float rate = w->leaves[0].animation.frame_rate;
    to->frame_count = (uint32_t)frames;
    to->frame_rate = rate >= 0.01F && rate <= 1000 ? rate : 30;
    to->channels = mst_scene_copy(w->builder, w->channels.items, w->channels.count, sizeof *to->channels);
    to->channel_count = w->channels.count;
    return ok(w) && to->channel_count;
}

static void make_animations(work *w, const mst_value *sequences, uint64_t count, mst_spark_animations *all) {
    mst_value element;
    mst_bound bound;
    mst_animation *items = mst_scene_take(w->builder, count, sizeof *items);
    all->items = items;
    mst_bind(w->document, &mst_spark_sequence_bindings, &bound);
    uint64_t left = count;
    for (mst_iterator it = mst_iterate(sequences); ok(w) && left && mst_next(&it, &element); left--) {
        mst_spark_sequence sequence = {.node = MST_SPARK_NONE, .name = mst_nothing_in(&element)};
        mst_fill(&bound, &element, &sequence);
        if (!read_leaves(w, sequence.node) || !make_animation(w, &items[all->count]))
            continue;
        items[all->count++].name = mst_scene_text_of(w->builder, &w->builder->arena, &sequence.name, NULL);
    }
}

mst_spark_animations mst_spark_animations_of(mst_scene_builder *builder, const mst_document *document,
                                             const int32_t *nodes, uint64_t bone_count) {
    mst_spark_animations all = {NULL, 0};
    mst_value sequences;
    uint64_t count = mst_spark_list(document, "sequences", &sequences);
    work *w = count && bone_count ? mst_scene_scratch(builder, 1, sizeof *w) : NULL;
    if (!w)
        return all;
    *w = (work){.builder = builder,
                .document = document,
                .nodes = nodes,
                .bone_count = bone_count,
                .keys_left = document->size / TRACK_FRAME * REPEATS};
    w->animation_count = mst_spark_list(document, "animations", &w->animations);
    w->node_count = mst_spark_list(document, "animation_nodes", &w->animation_nodes);
    mst_bind(document, &mst_spark_affine_bindings, &w->affine);
    mst_bind(document, &mst_spark_track_bindings, &w->track);
    mst_bind(document, &mst_spark_animation_bindings, &w->animation);
    mst_bind(document, &mst_spark_node_bindings, &w->node);
    mst_array *const arrays[] = {&w->poses, &w->translations, &w->rotations, &w->scales, &w->channels};
    static const size_t sizes[] = {sizeof(mst_spark_affine), 3 * sizeof(float), 4 * sizeof(float),
                                   3 * sizeof(float), sizeof(mst_channel)};
    for (size_t i = 0; i < MST_COUNT_OF(arrays); i++)
        *arrays[i] = mst_scene_array(builder, sizes[i]);
    for (size_t i = 0; i < LEAVES; i++)
        w->leaves[i].frames = mst_scene_scratch(builder, bone_count, sizeof *w->leaves[i].frames);
    if (ok(w))
        make_animations(w, &sequences, count, &all);
    for (size_t i = 0; i < MST_COUNT_OF(arrays); i++)
        mst_array_free(arrays[i]);
    return all;
}
