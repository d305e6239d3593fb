/* SPDX-License-Identifier: MIT */
/* The looks of objects, as meshes of a scene: a picture is a rectangle placed by its depths, so that it
 * matches the game's picture from the game's point of view; a model is its own mesh. */
#ifndef MST_FORMATS_REVENANT_LOOKS_H
#define MST_FORMATS_REVENANT_LOOKS_H

#include "../../scene/build.h"
#include "../../scene/sprites.h"
#include "revenant_classes.h"

typedef struct mst_revenant_looks {
    mst_scene_builder *builder;
    const mst_scene_options *options;
    uint64_t size;               /* of all files that were read: the scene may take memory for them */
    mst_sprites_builder sprites; /* the pictures, while the scene is being made */
    bool reading;                /* files can be looked up */
    const mst_revenant_classes *classes;
    int32_t *file_of_type; /* index + 1; 0: not yet looked up */
    mst_array files;
    size_t count; /* of meshes */
} mst_revenant_looks;

/* `size`: of the documents. Ends with mst_revenant_looks_end. */
void mst_revenant_looks_begin(mst_revenant_looks *looks, mst_scene_builder *builder,
                              const mst_scene_options *options, const mst_revenant_classes *classes,
                              uint64_t size);
void mst_revenant_looks_end(mst_revenant_looks *looks);
/* The mesh of an object of that type; -1: none, or its file was not found. `turns`: it rotates with the
 * object, which pictures do not. */
int32_t mst_revenant_look(mst_revenant_looks *looks, const mst_revenant_type *type, uint32_t state,
                          bool mirrored, bool *turns);

#endif
