/* SPDX-License-Identifier: MIT */
/*
 * Positions in metres, from the numbers of an element alone: a scene also has them, but takes ten times as
 * long to build. A test compares the two.
 */
#include "../read/placement.h"
#include "rows.h"
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *format;
    mst_row_world world;
} worlds[] = {
    {"ns2-level", {1, {1, 2, 3}, 0}},
    {"ns2-clip", {1, {1, 2, 3}, 0}},
    {"revenant-sector", {1.0 / 32, {1, 3, 2}, 1024}},
    {"sfa-romlist", {0.1, {1, 2, 3}, 0}},
    {"turok-map", {1 / 38.4, {1, 3, -2}, 0}},
};

const mst_row_world *mst_row_world_of(const mst_format *format) {
    for (size_t i = 0; i < MST_COUNT_OF(worlds); i++)
        if (strcmp(worlds[i].format, format->information.id) == 0)
            return &worlds[i].world;
    return NULL;
}

void mst_row_in_sector(const mst_row_world *world, const mst_part_place *place, double own[3]) {
    const double at[2] = {place->x, place->y};
    for (unsigned i = 0; i < 2; i++)
        own[i] += (at[i] - floor(own[i] / world->side)) * world->side;
}

bool mst_row_in_world(const mst_row_world *world, const double own[3], unsigned count, double result[3]) {
    for (unsigned i = 0; i < 3 && count == 3; i++) {
        const int8_t axis = world->axes[i];
        const double at = own[abs(axis) - 1] * world->metres;
        result[i] = axis < 0 ? -at : at;
    }
    return count == 3;
}

/* The axis of glTF for a coordinate, plus 1, negative if it is reversed. */
static int axis_of(const mst_row_world *world, unsigned coordinate) {
    for (int i = 0; i < 3; i++) {
        if (world->axes[i] == (int)coordinate + 1)
            return i + 1;
        if (world->axes[i] == -(int)coordinate - 1)
            return -i - 1;
    }
    return 0;
}

/* The angle by which a quaternion turns the axis `from` towards `to`. */
static bool turn_of_quaternion(mst_row_members *members, const mst_placement_fields *placement,
                               double *turn) {
    mst_value list, one;
    double q[4], v[3];
    if (!mst_row_find(members, placement->quaternion, &list))
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (mst_element(&list, i, &one) != MST_OK || mst_get_real(&one, &q[i]) != MST_OK)
            return false;
    for (unsigned i = 0; i < 3; i++) { /* a column of its matrix */
        const unsigned f = placement->from;
        const unsigned other = 3 - i - f;
        v[i] = i == f ? 1 - 2 * (q[(i + 1) % 3] * q[(i + 1) % 3] + q[(i + 2) % 3] * q[(i + 2) % 3])
                      : 2 * (q[i] * q[f] + ((f + 1) % 3 == i ? 1 : -1) * q[other] * q[3]);
    }
    *turn = atan2(v[placement->to], v[placement->from]);
    return true;
}

bool mst_row_yaw(const mst_row_world *world, mst_row_members *members, double *yaw) {
    const mst_placement_fields *placement = mst_placement_of(&members->element);
    mst_value value;
    double turn = 0;
    bool has = false;
    if (!placement || !world)
        return false;
    if (placement->quaternion)
        has = turn_of_quaternion(members, placement, &turn);
    for (size_t i = 0; i < MST_PLACEMENT_TURNS && placement->turn[i] && !has; i++)
        has = mst_row_find(members, placement->turn[i], &value) && mst_get_real(&value, &turn) == MST_OK;
    if (has && !placement->quaternion && placement->units)
        turn *= 2 * 3.14159265358979323846 / placement->units;
    /* from +Z towards +X, or from +X towards -Z, which is the same */
    const int from = axis_of(world, placement->from), to = axis_of(world, placement->to);
    const bool forward = (from == 3 && to == 1) || (from == 1 && to == -3) || (from == -3 && to == -1) ||
                         (from == -1 && to == 3);
    *yaw = forward ? turn : -turn;
    return has;
}
