/* SPDX-License-Identifier: MIT */
#ifndef MST_CORE_ANGLES_H
#define MST_CORE_ANGLES_H

#include <math.h>

/*
 * Sines and cosines that are the same on all machines: their libraries differ in the last bits, which count
 * where terms cancel out. Those of quarter turns are 0, 1 and -1.
 */

/* To 44 binary places. */
static inline double mst_angle_round(double value) {
    return floor(value * 0x1p44 + 0.5) * 0x1p-44;
}

static inline double mst_sine(double angle) {
    return mst_angle_round(sin(angle));
}

static inline double mst_cosine(double angle) {
    return mst_angle_round(cos(angle));
}

#endif
