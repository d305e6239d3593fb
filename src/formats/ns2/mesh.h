/* SPDX-License-Identifier: MIT */
/* What the two halves of a Natural Selection 2 scene, entities and geometry, share. */
#ifndef MST_FORMATS_NS2_MESH_H
#define MST_FORMATS_NS2_MESH_H

#include "../../scene/build.h"
#include "ids.h"
#include <mapstone/document.h>

/* Names of layers or groups. */
typedef struct mst_ns2_names {
    mst_ns2_id *ids;    /* ascending; of equal ones only the first of the file */
    size_t count;       /* of ids */
    const char **texts; /* by index, in the scene's arena */
} mst_ns2_names;

typedef struct mst_ns2_work {
    mst_scene_builder *builder;
    mst_arena scratch; /* gone when the scene is done; its use is bounded by the file's size */
    uint32_t version;
    bool split_layers;
    mst_ns2_names layers, groups;
    mst_bounds bounds; /* of geometry and entities */
    uint64_t remade;   /* faces triangulated afresh */
    uint64_t skipped;  /* faces of which nothing can be shown */
} mst_ns2_work;

/* Keeps the first failure in the builder. */
void mst_ns2_fail(mst_ns2_work *work);
/* A text in the arena. `length` may be NULL. */
const char *mst_ns2_text(mst_ns2_work *work, mst_arena *arena, const mst_value *value, size_t *length);
/* Room for `count` elements in the scratch memory; NULL after a failure. */
void *mst_ns2_scratch(mst_ns2_work *work, uint64_t count, size_t size);

/* The index of the layer with the lowest id that is on; MST_NS2_NONE if none is that has a name. */
uint32_t mst_ns2_first_layer(const mst_ns2_names *layers, const uint32_t *masks, size_t count);
/* The list of numbers as u32 words in the scratch memory. */
const uint32_t *mst_ns2_words(mst_ns2_work *work, const mst_value *list, size_t *count);

/* Makes the bounds larger by a point that is finite. */
void mst_ns2_include(mst_bounds *bounds, const float point[3]);

/* Adds the record `mesh` below a node: one node for each group, in it one for each material. */
void mst_ns2_mesh(mst_ns2_work *work, const mst_value *mesh, int32_t parent);

#endif
