/* SPDX-License-Identifier: MIT */
/* Vectors of three coordinates. */
#ifndef MST_CORE_VECTOR_H
#define MST_CORE_VECTOR_H

#include <math.h>

static inline double mst_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void mst_cross(const double a[3], const double b[3], double to[3]) {
    for (int i = 0; i < 3; i++)
        to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The vector from one point to another. */
static inline void mst_between(const double from[3], const double to[3], double way[3]) {
    for (int i = 0; i < 3; i++)
        way[i] = to[i] - from[i];
}

static inline double mst_length(const double a[3]) {
    return sqrt(mst_dot(a, a));
}

/* From a point to the nearest point of the line between `a` and `b`; not a number if one of them is not. */
static inline double mst_distance_to_line(const double point[3], const double a[3], const double b[3]) {
    double along[3], way[3];
    mst_between(a, b, along);
    mst_between(a, point, way);
    const double square = mst_dot(along, along);
    double share = square > 0 ? mst_dot(way, along) / square : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int i = 0; i < 3; i++)
        way[i] -= share * along[i];
    return mst_length(way);
}

#endif
