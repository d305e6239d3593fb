/* SPDX-License-Identifier: MIT */
#include "model_morph.h"
#include "model_rig.h"
#include <string.h>

#define SHAPES_MAX 1024u /* the maximum that viewers show */
#define FRAMES_MAX 4096u /* of all states */
#define WEIGHTS_MAX                                                                                          \
    (1u << 22) /* of all frames and objects: each frame gives its share of each shape                        \
                */

/* The positions of the shapes. */
typedef struct shape_list {
    uint32_t places[SHAPES_MAX + 1]; /* the first is the scene's shape */
    uint32_t count;
} shape_list;

/* The number of the shape at a position; false: too many shapes. */
static bool note(shape_list *list, uint32_t place, uint32_t *shape) {
    for (*shape = 0; *shape < list->count; (*shape)++)
        if (list->places[*shape] == place)
            return true;
    if (list->count > SHAPES_MAX)
        return false;
    list->places[list->count++] = place;
    return true;
}

/* Reads the positions of the shapes of all frames; a state without a valid offset has none. */
static bool find(const mst_imagery *imagery, shape_list *list, uint32_t *starts, uint32_t *frames) {
    uint32_t end = 0;
    for (uint32_t state = 0; state < imagery->state_count; state++) {
        uint32_t count = mst_posed_shapes(imagery, state), before = list->count, place = 0;
        starts[state] = end;
        if (count > FRAMES_MAX - end)
            return false;
        for (uint32_t f = 0; f < count; f++) {
            if (!mst_posed_shape_at(imagery, state, f, &place)) {
                end = starts[state];
                list->count = before;
                break;
            }
            if (!note(list, place, &frames[end++]))
                return false;
        }
    }
    starts[imagery->state_count] = end;
    return true;
}

static mst_posed_corner *read_shapes(const mst_model_morph *morph, const shape_list *list) {
    uint64_t count = list->count - (uint64_t)1, each = morph->shape->corner_count;
    if (count * each * 32 > morph->imagery->data_size) /* they overlap */
        return NULL;
    mst_posed_corner *corners = mst_scene_scratch(morph->builder, count * each, sizeof *corners);
    if (corners)
        memset(corners, 0, (size_t)(count * each) * sizeof *corners);
    for (uint32_t i = 1; i < list->count && corners; i++)
        if (!mst_posed_shape_read(morph->imagery, list->places[i], morph->shape,
                                  corners + (size_t)((i - 1) * each)))
            return NULL;
    return corners;
}

void mst_model_morph_begin(mst_model_morph *morph, mst_scene_builder *builder, const mst_imagery *imagery,
                           const mst_posed *shape) {
    *morph = (mst_model_morph){.builder = builder, .imagery = imagery, .shape = shape};
    if (!mst_posed_shapes(imagery, 0))
        return;
    shape_list *list = mst_scene_scratch(builder, 1, sizeof *list);
    uint32_t *starts = mst_scene_scratch(builder, imagery->state_count + (uint64_t)1, sizeof *starts),
             *frames = mst_scene_scratch(builder, FRAMES_MAX, sizeof *frames), scene;
    if (!list || !starts || !frames)
        return;
    list->count = 0;
    bool found = mst_posed_shape_at(imagery, 0, 0, &list->places[0]) && note(list, list->places[0], &scene) &&
                 find(imagery, list, starts, frames);
    uint64_t weights = found ? (uint64_t)starts[imagery->state_count] * list->count : 0;
    if (list->count < 2 || !weights || weights * shape->object_count > WEIGHTS_MAX)
        return;
    morph->corners = read_shapes(morph, list);
    morph->count = morph->corners ? list->count - 1 : 0;
    morph->starts = starts;
    morph->frames = frames;
}

/* The weight of each shape in each frame of a state: 1 for one shape, 0 for the rest. */
static float *weights_of(const mst_model_morph *morph, uint32_t state, uint32_t frames) {
    size_t width = morph->count;
    float *weights = mst_scene_take(morph->builder, (uint64_t)frames * width, sizeof *weights);
    if (!weights)
        return NULL;
    memset(weights, 0, frames * width * sizeof *weights);
    for (uint32_t f = 0; f < frames; f++) {
        uint32_t shape = morph->frames[morph->starts[state] + f];
        if (shape)
            weights[f * width + shape - 1] = 1;
    }
    return weights;
}

const mst_animation *mst_model_morph_animations(const mst_model_morph *morph, const int32_t *nodes,
                                                size_t node_count, size_t *count) {
    uint32_t states = morph->imagery->state_count;
    mst_animation *all = mst_scene_take(morph->builder, states, sizeof *all);
    *count = 0;
    for (uint32_t state = 0; state < states && all && mst_scene_ok(morph->builder); state++) {
        const uint32_t *first = morph->frames + morph->starts[state];
        uint32_t frames = morph->starts[state + 1] - morph->starts[state];
        bool moves = false;
        for (uint32_t f = 0; f < frames; f++)
            moves = moves || first[f];
        if (!moves)
            continue;
        const float *weights = weights_of(morph, state, frames);
        mst_channel *channels = mst_scene_take(morph->builder, node_count, sizeof *channels);
        for (size_t i = 0; i < node_count && channels && weights; i++)
            channels[i] =
                (mst_channel){.node = nodes[i], .kind = MST_MORPHS, .value_count = frames, .values = weights};
        all[(*count)++] = (mst_animation){.name = mst_model_state_name(morph->builder, morph->imagery, state),
                                          .frame_rate = MST_MODEL_FRAME_RATE,
                                          .frame_count = frames,
                                          .channels = channels,
                                          .channel_count = channels && weights ? node_count : 0};
    }
    return all;
}
