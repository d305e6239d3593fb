/* SPDX-License-Identifier: MIT */
/* The pictures of an object's states, as images of sprites. */
#ifndef MST_FORMATS_REVENANT_STILLS_H
#define MST_FORMATS_REVENANT_STILLS_H

#include "../../../scene/sprites.h"
#include <stdbool.h>

/* The picture of an object in a state. */
typedef struct mst_still {
    uint32_t image;  /* of the sprites; UINT32_MAX: nothing */
    int32_t x, y, z; /* registration: the object's place in the picture */
    bool unlit, lit; /* whether it is drawn before or after the light; neither: not drawn */
    bool selected;   /* drawn also for a selected object, for which others are not */
    bool flat;
} mst_still;

typedef enum mst_stills_kind { MST_STILLS_PICTURES, MST_STILLS_MODEL, MST_STILLS_DAMAGED } mst_stills_kind;

/* A file of imagery. */
typedef struct mst_stills {
    const mst_still *states; /* in the arena */
    uint32_t count;
    mst_stills_kind kind;
} mst_stills;

/* Reads the pictures of all states, from the bytes of the file `name`. The builder may fail. */
void mst_stills_read(mst_sprites_builder *builder, mst_arena *scratch, const char *name, const void *bytes,
                     size_t size, mst_stills *stills, mst_diagnostic *diagnostic);
/* A model in a state, rotated by `facing` 256ths of a turn from -y towards x; `image` UINT32_MAX: its shape
 * is not supported. */
mst_still mst_model_still(mst_sprites_builder *builder, const char *name, const void *bytes, size_t size,
                          uint32_t state, uint8_t facing);

#endif
