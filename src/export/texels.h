/* SPDX-License-Identifier: MIT */
/* Textures for pictures: smaller levels for distant surfaces, and nothing finer than can be seen. */
#ifndef MST_EXPORT_TEXELS_H
#define MST_EXPORT_TEXELS_H

#include <mapstone/scene.h>

#include "../core/arena.h"

#define MST_TEXEL_LEVELS 17 /* for the largest side, 65536 */

typedef struct mst_texels {
    const mst_image *image;              /* of the scene; NULL: none that can be drawn */
    mst_pixels levels[MST_TEXEL_LEVELS]; /* RGBA8; [k] has half the sides of [k - 1]; before `first` empty */
    uint32_t first, count;               /* count 0: not loaded */
    double finest;                       /* minimum of texels of level 0 across a pixel */
    double side;                         /* of a square with as many texels as level 0 */
    uint8_t average[3];                  /* sRGB */
} mst_texels;

/* The image if it can be drawn. */
const mst_image *mst_texels_usable(const mst_scene *scene, int32_t index);

/* Notes that at some place `spread` texels of level 0 are across a pixel. */
void mst_texels_need(mst_texels *texels, double spread);

/* Loads the needed levels of textures with an image. Means are of light, weighted by alpha. */
mst_status mst_texels_load(mst_texels *all, size_t count, mst_arena *arena);

/* The level that shows one to two texels a pixel, or the nearest existing one. */
const mst_pixels *mst_texels_level(const mst_texels *texels, double spread);

#endif
