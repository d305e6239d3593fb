/* SPDX-License-Identifier: MIT */
#ifndef MST_CORE_ANGLES_H
#define MST_CORE_ANGLES_H

#include <math.h>

/*
 * Sines and cosines that are the same on all machines: C libraries differ in the last bits, which matter
 * where terms cancel out. For quarter turns they are exactly 0, 1 and -1.
 */

/* Rounds to 44 binary places. */
static inline double mst_angle_round(double value) {
    return floor(value * 0x1p44 + 0.5) * 0x1p-44;
}

static inline double mst_sine(double angle) {
    return mst_angle_round(sin(angle));
}

static inline double mst_cosine(double angle) {
    return mst_angle_round(cos(angle));
}

/* The angle of a point as seen from the origin. */
static inline double mst_arc_tangent(double y, double x) {
    return mst_angle_round(atan2(y, x));
}

static inline double mst_arc_sine(double sine) {
    return mst_angle_round(asin(sine));
}

/* The rotation Ry(yaw) * Rx(pitch) * Rz(roll), of these angles in the order roll, pitch, yaw. */
static inline void mst_turn_of_angles(const double angles[3], double turn[3][3]) {
    const double sr = mst_sine(angles[0]), cr = mst_cosine(angles[0]);
    const double sp = mst_sine(angles[1]), cp = mst_cosine(angles[1]);
    const double sy = mst_sine(angles[2]), cy = mst_cosine(angles[2]);
    turn[0][0] = cy * cr + sy * sp * sr;
    turn[1][0] = cp * sr;
    turn[2][0] = cy * sp * sr - sy * cr;
    turn[0][1] = sy * sp * cr - cy * sr;
    turn[1][1] = cp * cr;
    turn[2][1] = sy * sr + cy * sp * cr;
    turn[0][2] = sy * cp;
    turn[1][2] = -sp;
    turn[2][2] = cy * cp;
}

#endif
