/* SPDX-License-Identifier: MIT */
/* Places that are equal within a tolerance: points in the cells of a grid, each of which has a chain. */
#include "faces.h"
#include <math.h>

#define CELL (4 * MST_SAME_POINT)

typedef struct welded {
    float at[3];
    uint32_t before; /* in the same cell; MST_NO_INDEX: none */
} welded;

void mst_weld_begin(mst_weld_points *welding, const mst_allocator *allocator) {
    *welding = (mst_weld_points){.cells = {.allocator = *allocator},
                                 .points = {.element_size = sizeof(welded), .allocator = *allocator}};
}

void mst_weld_end(mst_weld_points *welding) {
    mst_hash_map_end(&welding->cells);
    mst_array_free(&welding->points);
}

const float *mst_weld_point(const mst_weld_points *welding, uint32_t number) {
    return ((const welded *)welding->points.items)[number].at;
}

static int64_t cell_of(double coordinate) {
    const double cell = floor(coordinate / CELL);
    return fabs(cell) < 9e15 ? (int64_t)cell : 0;
}

/* Two cells may have one key: the distance of points decides. */
static mst_hash_map_entry key_of(const int64_t cell[3]) {
    static const uint64_t factors[3] = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F),
                                        UINT64_C(0x165667B19E3779F9)};
    uint64_t key = 0;
    for (int i = 0; i < 3; i++)
        key = (key ^ (uint64_t)cell[i]) * factors[i];
    return mst_key_number(key);
}

bool mst_weld_add(mst_weld_points *welding, const float at[3]) {
    const int64_t cell[3] = {cell_of((double)at[0]), cell_of((double)at[1]), cell_of((double)at[2])};
    mst_hash_map_entry key = key_of(cell);
    key.value = MST_NO_INDEX;
    uint32_t *last = mst_hash_map_add(&welding->cells, key);
    const size_t number = welding->points.count;
    welded *made = last && number < MST_NO_INDEX ? mst_array_push(&welding->points, 1) : NULL;
    if (!made)
        return false;
    memcpy(made->at, at, sizeof made->at);
    made->before = *last;
    *last = (uint32_t)number;
    return true;
}

static void look_in(const mst_weld_points *welding, const int64_t cell[3], const double at[3], uint32_t *best,
                    double *least) {
    const welded *all = welding->points.items;
    const uint32_t *last = mst_hash_map_find(&welding->cells, key_of(cell));
    for (uint32_t i = last ? *last : MST_NO_INDEX; i != MST_NO_INDEX; i = all[i].before) {
        const double own[3] = {(double)all[i].at[0], (double)all[i].at[1], (double)all[i].at[2]};
        const double distance = mst_point_distance(own, at);
        if (distance < *least || (distance == *least && i < *best)) {
            *least = distance;
            *best = i;
        }
    }
}

uint32_t mst_weld(mst_weld_points *welding, const double at[3]) {
    int64_t low[3], high[3], cell[3];
    uint32_t best = MST_NO_INDEX;
    double least = MST_SAME_POINT;
    for (int i = 0; i < 3; i++) {
        low[i] = cell_of(at[i] - MST_SAME_POINT);
        high[i] = cell_of(at[i] + MST_SAME_POINT);
    }
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
                look_in(welding, cell, at, &best, &least);
    if (best != MST_NO_INDEX)
        return best;
    float made[3];
    for (int i = 0; i < 3; i++)
        made[i] = (float)mst_tidy(at[i], 2e-6);
    return mst_weld_add(welding, made) ? (uint32_t)(welding->points.count - 1) : MST_NO_INDEX;
}
