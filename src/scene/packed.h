/* SPDX-License-Identifier: MIT */
/* Images that stay packed until their pixels are needed. */
#ifndef MST_SCENE_PACKED_H
#define MST_SCENE_PACKED_H

#include <mapstone/scene.h>

#define MST_PACKED_ROWS 4u /* unpacked together */

/* The beginning of a format's data for an image, in the scene's memory. */
typedef struct mst_packed_image {
    /* Unpacks `count` rows of RGBA8 from row `first`: both are multiples of MST_PACKED_ROWS, except `count`
     * at the end of the image. */
    void (*unpack)(const struct mst_packed_image *image, uint32_t first, uint32_t count, uint8_t *rgba);
} mst_packed_image;

/* Fills `rgba`, which has room for all pixels of the image. */
void mst_scene_image_unpack(const mst_image *image, uint8_t *rgba);

#endif
