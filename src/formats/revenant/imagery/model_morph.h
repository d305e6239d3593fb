/* SPDX-License-Identifier: MIT */
/* The shapes of models that have separate corners in each frame of a state. */
#ifndef MST_FORMATS_REVENANT_MODEL_MORPH_H
#define MST_FORMATS_REVENANT_MODEL_MORPH_H

#include "../../../scene/build.h"
#include "posed.h"

typedef struct mst_model_morph {
    mst_scene_builder *builder;
    const mst_imagery *imagery;
    const mst_posed *shape;
    uint32_t count;                  /* of shapes other than the scene's */
    const mst_posed_corner *corners; /* of each, as many as the scene's shape has */
    const uint32_t *starts;          /* for each state and the end: of its frames in `frames` */
    const uint32_t *frames;          /* shapes, plus 1; 0: the scene's */
} mst_model_morph;

/* Finds the shapes; none if the model does not change its shape, or they would be too many for viewers. */
void mst_model_morph_begin(mst_model_morph *morph, mst_scene_builder *builder, const mst_imagery *imagery,
                           const mst_posed *shape);
/* The states that change the shape of these nodes, in the scene's memory. */
const mst_animation *mst_model_morph_animations(const mst_model_morph *morph, const int32_t *nodes,
                                                size_t node_count, size_t *count);

#endif
