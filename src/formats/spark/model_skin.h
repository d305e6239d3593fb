/* SPDX-License-Identifier: MIT */
/* The skin of a model: which bones its vertices follow. */
#ifndef MST_FORMATS_SPARK_MODEL_SKIN_H
#define MST_FORMATS_SPARK_MODEL_SKIN_H

#include "../../scene/build.h"
#include "spark_model.h"

typedef struct mst_spark_influences {
    mst_spark_influence (*of)[MST_SPARK_BONES]; /* per vertex; NULL: no vertex follows a bone */
    uint64_t vertex_count, bone_count;
    uint32_t palette[UINT8_MAX]; /* of the current face set */
    uint64_t palette_count;
} mst_spark_influences;

/* Reads the bones that each vertex follows. */
void mst_spark_influences_read(mst_spark_influences *all, mst_scene_builder *builder,
                               const mst_document *document, uint64_t vertex_count);
/* Selects the face set whose bones the following vertices refer to. */
void mst_spark_influences_set(mst_spark_influences *all, const mst_spark_face_set *set);
/* The joints and weights of a vertex: bones, each once, and weights that add up to 1. */
void mst_spark_influences_put(const mst_spark_influences *all, uint32_t vertex, uint16_t joints[4],
                              float weights[4]);

/* The skin whose joints are these nodes of the builder; NULL: the transform of one cannot be inverted. */
const mst_skin *mst_spark_skin_of(mst_scene_builder *builder, const int32_t *nodes, uint64_t count);

#endif
