/* SPDX-License-Identifier: MIT */
/* What a model looks like in a frame of a state: read from the bytes of its file, with either body. */
#ifndef MST_FORMATS_REVENANT_POSED_H
#define MST_FORMATS_REVENANT_POSED_H

#include "../../../core/arena.h"
#include "imagery.h"

typedef struct mst_posed_corner {
    float position[3]; /* z is up */
    float normal[3];
    float texture[2]; /* u to the right, v down */
} mst_posed_corner;

typedef struct mst_posed_triangle {
    uint32_t corners[3];
    uint16_t object;
    int16_t texture, material; /* indices; -1: none */
} mst_posed_triangle;

/* Pixels have 16 bits: 5 red, 6 green, 5 blue. */
typedef struct mst_posed_texture {
    uint32_t width, height;
    const uint8_t *pixels; /* little-endian, in the file */
} mst_posed_texture;

typedef struct mst_posed {
    const mst_posed_corner *corners; /* in the arena, as the rest */
    const mst_posed_triangle *triangles;
    uint32_t corner_count, triangle_count;
    const mst_posed_texture *textures;
    uint32_t texture_count;
    const float (*colors)[4]; /* of materials, in light */
    uint32_t material_count;
    const char (*names)[33]; /* of objects */
    uint32_t object_count;
} mst_posed;

/* RGBA of a texture's pixel. */
void mst_posed_color(const mst_posed_texture *texture, size_t at, uint8_t color[4]);
/* Reads the first frame of a state. MST_UNSUPPORTED: the body is not understood, or there is no such state.
 */
mst_status mst_posed_read(const mst_imagery *imagery, uint32_t state, mst_arena *arena, mst_posed *shape);

#endif
