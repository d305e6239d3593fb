/* SPDX-License-Identifier: MIT */
/* The types of objects that a level has, and how large its tiles are. */
#ifndef MST_FORMATS_REVENANT_TILES_H
#define MST_FORMATS_REVENANT_TILES_H

#include "../../core/arena.h"
#include <mapstone/base.h>

#define MST_REVENANT_NO_KIND UINT32_MAX

/* A type of objects: those of one class and id. Texts are the caller's. */
typedef struct mst_revenant_kind {
    int32_t class_number;
    uint32_t id;
    const char *class_name, *name;   /* name: of its mesh */
    const char *type_name, *imagery; /* of class.def; "" if it is not there */
    const char *by_id, *id_text;     /* "tile 84150566", "84150566" */
    int32_t mesh;
    bool seen;     /* not only carried */
    float size[2]; /* along x and y; measured, units */
    float lift;    /* above its place, so that it shows on what lies there */
} mst_revenant_kind;

/* An object that stands somewhere. */
typedef struct mst_revenant_placed {
    uint32_t kind;
    int32_t node;
    int32_t height;
    float x, y;
} mst_revenant_placed;

typedef struct mst_revenant_tiles {
    mst_array kinds, placed;
    uint32_t *table; /* of kinds by class and id; index + 1, 0: free */
    size_t capacity; /* a power of 2 */
    mst_allocator allocator;
} mst_revenant_tiles;

void mst_revenant_tiles_begin(mst_revenant_tiles *tiles, const mst_allocator *allocator);
void mst_revenant_tiles_end(mst_revenant_tiles *tiles);
/* The index of a kind, made if it is not there yet; MST_REVENANT_NO_KIND: no memory. */
uint32_t mst_revenant_kind_of(mst_revenant_tiles *tiles, int32_t class_number, uint32_t id, bool *made);
/* False if there is no memory. `place` is X, Y, Z of the node. */
bool mst_revenant_place_kind(mst_revenant_tiles *tiles, uint32_t kind, int32_t node,
                             const int32_t position[3], const float place[3]);
/* Finds the sizes of all kinds of tiles; puts `placed` into another order. False if there is no memory. */
bool mst_revenant_measure(mst_revenant_tiles *tiles);

#endif
