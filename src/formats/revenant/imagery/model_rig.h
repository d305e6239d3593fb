/* SPDX-License-Identifier: MIT */
/* The objects of a model as nodes of a scene, and its states as animations of them. */
#ifndef MST_FORMATS_REVENANT_MODEL_RIG_H
#define MST_FORMATS_REVENANT_MODEL_RIG_H

#include "../../../scene/build.h"
#include "posed.h"

#define MST_MODEL_FRAME_RATE 24 /* of the game */

/* The nodes of an object. */
typedef struct mst_model_joint {
    int32_t place;     /* translates and scales */
    int32_t turn;      /* rotates, and is the parent of others: a separate node if `uneven` */
    int32_t shown;     /* has the mesh: a separate node if it is visible in some states and not in others */
    int32_t parent;    /* object; -1: none */
    bool uneven;       /* its scale differs by axis in some state */
    bool seen, hidden; /* in some state */
} mst_model_joint;

/* Everything that moves together. */
typedef struct mst_model_rig {
    mst_scene_builder *builder;
    const mst_imagery *imagery;
    const mst_posed *shape;
    mst_model_joint *joints;  /* for each object */
    mst_posed_object *tracks; /* the objects in the current state */
    uint32_t frames;          /* of that state */
    uint64_t left;            /* keys that may still be read: limits the work by the size of the file */
    mst_array keys;           /* of that state, object after object */
    mst_array channels, moves, turns, scales;
} mst_model_rig;

/* Adds nodes for each object, in its pose in the shape, below the root; the caller sets the meshes. The
 * shape's corners are relative to their objects. */
void mst_model_rig_begin(mst_model_rig *rig, mst_scene_builder *builder, const mst_imagery *imagery,
                         const mst_posed *shape);
/* The states in which anything moves or has another pose than in the shape, in the scene's memory. */
const mst_animation *mst_model_rig_animations(mst_model_rig *rig, size_t *count);
/* The name of an animation for a state. */
const char *mst_model_state_name(mst_scene_builder *builder, const mst_imagery *imagery, uint32_t state);
void mst_model_rig_end(mst_model_rig *rig);

#endif
