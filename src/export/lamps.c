/* SPDX-License-Identifier: MIT */
/* The light at a point is the sum of the light of the lamps near it, which a grid of cells gives. */
#include "lamps.h"
#include <math.h>
#include <string.h>

#define CELLS       32u    /* along each side initially */
#define ENTRIES     64u    /* for each lamp, on average, at most */
#define ENTRIES_MIN 65536u /* allowed in any case */
#define NEAREST     0.5    /* square metres: a lamp is not a point */

typedef struct lamp {
    double position[3], color[3]; /* the colour times the intensity */
    double ahead[3];              /* its direction; a directional lamp shines everywhere */
    double reach;                 /* INFINITY: everywhere */
    double inner, outer;          /* cosines of a spot's cone; -2 for others */
    bool directional;
} lamp;

struct mst_lamps {
    lamp *all;
    size_t count, unlimited; /* unlimited lamps are first */
    double low[3], size[3];  /* of the grid, and of a cell */
    uint32_t cells;          /* along each side */
    uint32_t *first;         /* the start of each cell in `entries`, and one more for the end */
    uint32_t *entries;
};

/* ---- lamps --------------------------------------------------------------------------------------- */

static bool make_lamp(const mst_light *light, const float matrix[16], lamp *one) {
    double length = 0, brightness = 0;
    *one = (lamp){.reach = light->range > 0 && light->kind != MST_LIGHT_DIRECTIONAL ? (double)light->range
                                                                                    : INFINITY,
                  .inner = -2,
                  .outer = -2,
                  .directional = light->kind == MST_LIGHT_DIRECTIONAL};
    for (int k = 0; k < 3; k++) {
        one->position[k] = (double)matrix[12 + k];
        one->color[k] = (double)light->color[k] * (double)light->intensity;
        one->ahead[k] = -(double)matrix[8 + k];
        length += one->ahead[k] * one->ahead[k];
        brightness += one->color[k];
        if (!(fabs(one->position[k]) < 1e6) || !(one->color[k] >= 0))
            return false;
    }
    length = sqrt(length);
    bool aimed = length > 1e-12 && length < 1e12;
    for (int k = 0; k < 3; k++)
        one->ahead[k] = aimed ? one->ahead[k] / length : 0;
    if (light->kind == MST_LIGHT_SPOT) {
        one->inner = cos((double)light->inner_angle);
        one->outer = cos((double)light->outer_angle);
    }
    return brightness > 0 && brightness < 1e30 && (aimed || light->kind == MST_LIGHT_POINT);
}

static double light_of(const lamp *one, const double point[3], const double normal[3]) {
    if (one->directional)
        return fmax(0, -(normal[0] * one->ahead[0] + normal[1] * one->ahead[1] + normal[2] * one->ahead[2]));
    double way[3], squared = 0, facing = 0, along = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = one->position[k] - point[k];
        squared += way[k] * way[k];
        facing += way[k] * normal[k];
        along -= way[k] * one->ahead[k];
    }
    double share = squared / (one->reach * one->reach), away = sqrt(squared);
    if (share >= 1 || facing <= 0)
        return 0;
    /* Games give a light with a range the same intensity whatever its range: it fades towards the range. */
    double fading = isfinite(one->reach) ? (1 - share) * (1 - share) : 1 / (squared + NEAREST),
           light = fading * facing / away;
    double edge = one->inner - one->outer, cosine = along / away;
    return cosine >= one->inner ? light : cosine > one->outer ? light * (cosine - one->outer) / edge : 0;
}

/* ---- the grid ------------------------------------------------------------------------------------ */

/* The cells that a lamp may reach, from `low` to below `high` on each side. */
static void cells_of(const mst_lamps *lamps, const lamp *one, uint32_t low[3], uint32_t high[3]) {
    for (int k = 0; k < 3; k++) {
        double from = (one->position[k] - one->reach - lamps->low[k]) / lamps->size[k],
               to = (one->position[k] + one->reach - lamps->low[k]) / lamps->size[k];
        low[k] = from > 0 ? (uint32_t)fmin(from, lamps->cells - 1) : 0;
        high[k] = to > 0 ? (uint32_t)fmin(to, lamps->cells - 1) + 1 : 1;
    }
}

static uint32_t cell_at(const mst_lamps *lamps, const uint32_t at[3]) {
    return (at[1] * lamps->cells + at[2]) * lamps->cells + at[0];
}

static uint64_t count_entries(const mst_lamps *lamps) {
    uint64_t count = 0;
    for (size_t i = lamps->unlimited; i < lamps->count; i++) {
        uint32_t low[3], high[3];
        cells_of(lamps, &lamps->all[i], low, high);
        count += (uint64_t)(high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    }
    return count;
}

static void set_cells(mst_lamps *lamps, const double size[3], uint32_t cells) {
    lamps->cells = cells;
    for (int k = 0; k < 3; k++)
        lamps->size[k] = size[k] / cells;
}

/* Counts the lamps of each cell, or with `entries` writes them: each `first` then advances to the next
 * cell's. */
static void go_through(const mst_lamps *lamps, uint32_t *entries, uint32_t *first) {
    for (size_t i = lamps->unlimited; i < lamps->count; i++) {
        uint32_t low[3], high[3], at[3];
        cells_of(lamps, &lamps->all[i], low, high);
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[2] = low[2]; at[2] < high[2]; at[2]++)
                for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                    uint32_t *place = &first[cell_at(lamps, at)];
                    if (entries)
                        entries[*place] = (uint32_t)i;
                    ++*place;
                }
    }
}

static bool make_grid(mst_lamps *lamps, mst_arena *arena) {
    double size[3];
    for (int k = 0; k < 3; k++) {
        double high = -INFINITY;
        lamps->low[k] = INFINITY;
        for (size_t i = lamps->unlimited; i < lamps->count; i++) {
            lamps->low[k] = fmin(lamps->low[k], lamps->all[i].position[k] - lamps->all[i].reach);
            high = fmax(high, lamps->all[i].position[k] + lamps->all[i].reach);
        }
        size[k] = high - lamps->low[k];
    }
    uint64_t limited = lamps->count - lamps->unlimited, count,
             most = limited > ENTRIES_MIN / ENTRIES ? limited * ENTRIES : ENTRIES_MIN;
    set_cells(lamps, size, limited ? CELLS : 1);
    while ((count = count_entries(lamps)) > most)
        set_cells(lamps, size, lamps->cells / 2);
    size_t cells = (size_t)lamps->cells * lamps->cells * lamps->cells;
    uint32_t *first = mst_arena_zero(arena, cells + 2, sizeof *first),
             *entries = mst_arena_take(arena, (size_t)count, sizeof *entries);
    if (!first || !entries || count > UINT32_MAX)
        return false;
    go_through(lamps, NULL, first + 2);
    for (size_t i = 2; i < cells + 2; i++)
        first[i] += first[i - 1];
    go_through(lamps, entries, first + 1);
    lamps->first = first;
    lamps->entries = entries;
    return true;
}

/* ---- all lamps ------------------------------------------------------------------------------------- */

mst_status mst_lamps_gather(const mst_scene *scene, const float *matrices, const bool *wanted,
                            mst_arena *arena, const mst_lamps **result) {
    mst_lamps *lamps = mst_arena_zero(arena, 1, sizeof *lamps);
    *result = NULL;
    size_t nodes = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        nodes +=
            wanted[i] && scene->nodes[i].light >= 0 && (size_t)scene->nodes[i].light < scene->light_count;
    if (!nodes)
        return MST_OK;
    if (lamps)
        lamps->all = mst_arena_take(arena, nodes, sizeof *lamps->all);
    if (!lamps || !lamps->all)
        return MST_NO_MEMORY;
    for (int limited = 0; limited < 2; limited++) {
        for (size_t i = 0; i < scene->node_count; i++) {
            int32_t light = scene->nodes[i].light;
            lamp *one = &lamps->all[lamps->count];
            if (wanted[i] && light >= 0 && (size_t)light < scene->light_count &&
                make_lamp(&scene->lights[light], matrices + 16 * i, one))
                lamps->count += (isfinite(one->reach) != 0) == (limited != 0);
        }
        lamps->unlimited = limited ? lamps->unlimited : lamps->count;
    }
    if (!lamps->count)
        return MST_OK;
    if (!make_grid(lamps, arena))
        return MST_NO_MEMORY;
    *result = lamps;
    return MST_OK;
}

static void add(const lamp *one, const double point[3], const double normal[3], double light[3]) {
    double share = light_of(one, point, normal);
    for (int k = 0; k < 3; k++)
        light[k] += share * one->color[k];
}

void mst_lamps_at(const mst_lamps *lamps, const double point[3], const double normal[3], double light[3]) {
    uint32_t at[3];
    light[0] = light[1] = light[2] = 0;
    for (size_t i = 0; i < lamps->unlimited; i++)
        add(&lamps->all[i], point, normal, light);
    for (int k = 0; k < 3; k++) {
        double cell = (point[k] - lamps->low[k]) / lamps->size[k];
        if (!(cell >= 0 && cell < lamps->cells))
            return; /* no other lamp reaches this far */
        at[k] = (uint32_t)cell;
    }
    uint32_t cell = cell_at(lamps, at);
    for (uint32_t i = lamps->first[cell]; i < lamps->first[cell + 1]; i++)
        add(&lamps->all[lamps->entries[i]], point, normal, light);
}
