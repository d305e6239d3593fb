/* SPDX-License-Identifier: MIT */
/* The sequences of a model as animations of its bones. */
#ifndef MST_FORMATS_SPARK_MODEL_ANIMATION_H
#define MST_FORMATS_SPARK_MODEL_ANIMATION_H

#include "../../scene/build.h"
#include "spark_model.h"

typedef struct mst_spark_animations {
    const mst_animation *items;
    size_t count;
} mst_spark_animations;

/* The animations of the bones that are these nodes. Sequences that cannot be shown are left out: their parts
 * are missing, are only differences to others, or would take far more memory than the file. */
mst_spark_animations mst_spark_animations_of(mst_scene_builder *builder, const mst_document *document,
                                             const int32_t *nodes, uint64_t bone_count);

/* The scale of a pose along the axes of the bone: exact unless scale_rotation turns a scale that differs by
 * axis. */
void mst_spark_scale_of(const mst_spark_affine *pose, float scale[3]);

#endif
