/* SPDX-License-Identifier: MIT */
/* The shapes of models as meshes of a scene. */
#ifndef MST_FORMATS_REVENANT_MODEL_MESH_H
#define MST_FORMATS_REVENANT_MODEL_MESH_H

#include "../../../scene/build.h"
#include "model_morph.h"

/* Makes meshes of one model. */
typedef struct mst_model_mesher {
    mst_scene_builder *builder;
    const mst_posed *shape;
    const char *file;          /* prefix of the names of materials; "" in the scene of a model */
    int32_t *textured, *plain; /* materials by texture and by material; the last of `plain`: without one */
    bool reversed;             /* corners are clockwise, seen from outside */
    bool untextured;
    const mst_model_morph *morph; /* NULL: its shape does not change */
    uint32_t *own, *vertices;     /* corners of the current primitive, and their numbers in it, by corner */
} mst_model_mesher;

/* The builder may fail. */
void mst_model_mesher_begin(mst_model_mesher *mesher, mst_scene_builder *builder, const mst_posed *shape,
                            const char *file);
/* The mesh of triangles from `first` up to `end`; -1: none, or the builder has failed. */
int32_t mst_model_mesh(mst_model_mesher *mesher, const char *name, uint32_t first, uint32_t end);

#endif
