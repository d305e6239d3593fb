/* SPDX-License-Identifier: MIT */
#ifndef MST_EXPORT_QUAKE_BRUSH_H
#define MST_EXPORT_QUAKE_BRUSH_H

#include "../core/output.h"
#include <stdbool.h>

#define MST_QUAKE_INCHES 39.3700787 /* per metre: Spark's own figure */

typedef struct mst_brush_corner {
    double position[3]; /* in Quake's axes and inches */
    double texel[2];
} mst_brush_corner;

/* Writes the brush of a face, whose corners are counter-clockwise from its visible side; corners in line with
 * their neighbours are removed from the array. `size`: texels of one repeat of the texture. False: the
 * corners bend by more than a millimetre, are not convex, or have no area. */
bool mst_quake_brush(mst_output *out, mst_brush_corner *corners, size_t count, const char *texture,
                     const double size[2]);
/* A number with at most `decimals` decimals (<= 9), without an exponent. */
void mst_quake_fixed(mst_output *out, double value, unsigned decimals);

#endif
