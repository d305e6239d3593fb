/* SPDX-License-Identifier: MIT */
/* The types of objects in a level, and the sizes of its tiles. */
#ifndef MST_FORMATS_REVENANT_TILES_H
#define MST_FORMATS_REVENANT_TILES_H

#include "../../core/arena.h"
#include "../../core/map.h"
#include <mapstone/base.h>

#define MST_REVENANT_NO_KIND UINT32_MAX

/* A type of objects, by class and id. Texts belong to the caller. */
typedef struct mst_revenant_kind {
    int32_t class_number;
    uint32_t id;
    const char *class_name, *name;   /* name: of its mesh */
    const char *type_name, *imagery; /* from class.def; "" if the type is not in it */
    const char *by_id, *id_text;     /* "tile 84150566", "84150566" */
    int32_t mesh;
    bool seen;     /* an object of it is placed in a level, not carried */
    float size[2]; /* units along x and y; estimated */
    float lift;    /* units above its position, so that it shows on the floor */
} mst_revenant_kind;

/* An object that is placed in a level. */
typedef struct mst_revenant_placed {
    uint32_t kind;
    int32_t node;
    int32_t height;
    float x, y;
} mst_revenant_placed;

typedef struct mst_revenant_tiles {
    mst_array kinds, placed;
    mst_hash_map by_id; /* indices of kinds by class and id */
    mst_allocator allocator;
} mst_revenant_tiles;

void mst_revenant_tiles_begin(mst_revenant_tiles *tiles, const mst_allocator *allocator);
void mst_revenant_tiles_end(mst_revenant_tiles *tiles);
/* The index of a kind, added if it is new (`made`); MST_REVENANT_NO_KIND: no memory. */
uint32_t mst_revenant_kind_of(mst_revenant_tiles *tiles, int32_t class_number, uint32_t id, bool *made);
/* False: no memory. `translation` is X, Y, Z of the node. */
bool mst_revenant_place_kind(mst_revenant_tiles *tiles, uint32_t kind, int32_t node,
                             const int32_t position[3], const float translation[3]);
/* Estimates the sizes of all kinds of tiles; reorders `placed`. False: no memory. */
bool mst_revenant_measure(mst_revenant_tiles *tiles);

#endif
