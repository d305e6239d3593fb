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

#endif
