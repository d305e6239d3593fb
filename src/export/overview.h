/* SPDX-License-Identifier: MIT */
/* Overviews for a game's own map: exactly one square of the world from above, without additions. */
#ifndef MST_EXPORT_OVERVIEW_H
#define MST_EXPORT_OVERVIEW_H

#include <mapstone/picture.h>

/* The square's centre, and half of its edge, in metres. Overviews have +X at the top and +Z to the right. */
typedef struct mst_overview {
    double x, z, half;
    uint32_t side; /* pixels, at most 8192 */
} mst_overview;

/* Draws the square, transparent where it is empty. Only the options that select content are used: layers,
 * ceiling_cut, heights, lit. Entities are not drawn, but help to find the height of the cut. Zero-initialise
 * the pixels, free them with mst_pixels_free. */
mst_status mst_overview_draw(const mst_scene *scene, const mst_overview *overview,
                             const mst_picture_options *options, mst_pixels *picture,
                             mst_diagnostic *diagnostic);

/* The heights in metres of the surfaces seen at the centre of each pixel of the square, side * side, rows
 * from the top; -INFINITY where it is empty. */
mst_status mst_overview_heights(const mst_scene *scene, const mst_overview *overview,
                                const mst_picture_options *options, float *heights,
                                mst_diagnostic *diagnostic);

#endif
