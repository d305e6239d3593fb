/* SPDX-License-Identifier: MIT */
/* Updates the sectors of actors that are moved, or whose floor moves. */
#include "../../core/diagnose.h"
#include "../../core/number.h"
#include "../../edit/assign.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "turok.h"
#include <math.h>
#include <stdio.h>

#define OUTSIDE 0.01 /* an actor may be that far outside, seen from above */

typedef struct floors {
    mst_column positions, corners;
    mst_column origins, sectors; /* of actors */
} floors;

static double real_at(const mst_column *column, uint64_t index, uint32_t k) {
    return (double)mst_f32_of_bits(mst_column_u32(column, index, k));
}

/* MST_NO_PATH: the level has no actors, or no sectors. */
static mst_status read_floors(const mst_document *document, floors *f) {
    mst_value vertices, sectors, records;
    mst_value root = mst_root(document);
    if (mst_find(root, "collision.vertices", &vertices, NULL) != MST_OK ||
        mst_find(root, "collision.sectors", &sectors, NULL) != MST_OK ||
        mst_find(root, "actors.records", &records, NULL) != MST_OK || !mst_count(&vertices) ||
        !mst_count(&sectors) || !mst_count(&records))
        return MST_NO_PATH;
    *f = (floors){.positions = mst_column_in(&vertices, "position"),
                  .corners = mst_column_in(&sectors, "vertices"),
                  .origins = mst_column_in(&records, "origin"),
                  .sectors = mst_column_in(&records, "sector")};
    return MST_OK;
}

/* Twice the area of a triangle, seen from above. */
static double area(const double a[3], const double b[3], const double c[3]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Whether a point is in a sector, seen from above, and how high its floor is there; `unknown` if the sector
 * has no area. */
static bool is_over(const floors *f, uint64_t sector, const double point[3], bool unknown, double *height) {
    double corners[3][3], weights[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint16_t vertex = mst_column_u16(&f->corners, sector, k);
        for (uint32_t i = 0; i < 3; i++)
            corners[k][i] = vertex < f->positions.count ? real_at(&f->positions, vertex, i) : 0;
        if (vertex >= f->positions.count)
            return unknown;
    }
    double all = area(corners[0], corners[1], corners[2]);
    if (!(fabs(all) > 0))
        return unknown;
    *height = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const double *from = corners[(k + 1) % 3], *to = corners[(k + 2) % 3];
        double x = to[0] - from[0], y = to[1] - from[1], beside = area(from, to, point) * (all < 0 ? -1 : 1);
        if (beside < 0 && beside * beside > OUTSIDE * OUTSIDE * (x * x + y * y))
            return false;
        weights[k] = beside / fabs(all);
        *height += weights[k] * corners[k][2];
    }
    return true;
}

static void origin_of(const floors *f, uint64_t actor, double origin[3]) {
    for (uint32_t k = 0; k < 3; k++)
        origin[k] = real_at(&f->origins, actor, k);
}

static bool stands_outside(const floors *f, uint64_t actor) {
    double origin[3], height;
    uint32_t sector = mst_column_u32(&f->sectors, actor, 0);
    origin_of(f, actor, origin);
    return sector < f->corners.count && !is_over(f, sector, origin, true, &height);
}

/* The sector that an actor stands in: the one with the nearest floor. UINT32_MAX: it is over none. */
static uint32_t sector_below(const floors *f, const double origin[3]) {
    uint32_t nearest = UINT32_MAX;
    double least = INFINITY, height;
    for (uint64_t i = 0; i < f->corners.count; i++)
        if (is_over(f, i, origin, false, &height) && fabs(height - origin[2]) < least) {
            least = fabs(height - origin[2]);
            nearest = (uint32_t)i;
        }
    return nearest;
}

static bool same_column(const mst_column *a, const mst_column *b) {
    return a->count == b->count && a->stride == b->stride &&
           memcmp(a->data, b->data, (size_t)((a->count - 1) * a->stride)) == 0;
}

/* Whether an actor was at this place before; without `same_floor`, only one outside of its sector. */
static bool was_there(const floors *before, const double origin[3], bool same_floor) {
    for (uint64_t i = 0; i < before->origins.count; i++)
        if (real_at(&before->origins, i, 0) == origin[0] && real_at(&before->origins, i, 1) == origin[1] &&
            (same_floor || stands_outside(before, i)))
            return true;
    return false;
}

static mst_status say(const mst_edit_options *options, uint64_t actor, uint32_t was, uint32_t is) {
    mst_diagnostic said = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!options || !options->report)
        return MST_OK;
    MST_SET(said.path, "actors[%llu].sector", (unsigned long long)actor);
    MST_SET(said.message, "is now %u, the sector below it; it was %u", is, was);
    return options->report(options->user, &said);
}

static mst_status say_nowhere(const mst_edit_options *options, uint64_t actor, uint32_t was) {
    mst_diagnostic said = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!options || !options->report)
        return MST_OK;
    MST_SET(said.path, "actors[%llu].sector", (unsigned long long)actor);
    MST_SET(said.message, "is still %u: there is no sector below the actor now", was);
    return options->report(options->user, &said);
}

/* The path of an actor's model in the arena; NULL: none. */
static mst_status model_of(const mst_document *document, uint64_t actor, mst_arena *arena,
                           const char **json) {
    char path[64];
    mst_value value;
    snprintf(path, sizeof path, "actors[%llu].model", (unsigned long long)actor);
    *json = NULL;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK
               ? mst_value_text(&value, arena, json, NULL)
               : MST_OK;
}

/* Only the game's definitions state the model of a type: the old model is kept, and reported. */
static mst_status say_models(const mst_document *before, const mst_document *after,
                             const mst_edit_options *options, mst_arena *arena) {
    mst_value records[2];
    if (!options || !options->report ||
        mst_find(mst_root(before), "actors.records", &records[0], NULL) != MST_OK ||
        mst_find(mst_root(after), "actors.records", &records[1], NULL) != MST_OK ||
        mst_count(&records[0]) != mst_count(&records[1]) || !mst_count(&records[0]))
        return MST_OK;
    mst_column was = mst_column_in(&records[0], "type"), is = mst_column_in(&records[1], "type");
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < is.count && status == MST_OK; i++) {
        const char *old = NULL, *now = NULL;
        mst_diagnostic said = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
        if (mst_column_u32(&was, i, 0) == mst_column_u32(&is, i, 0))
            continue;
        status = model_of(before, i, arena, &old);
        if (status == MST_OK)
            status = model_of(after, i, arena, &now);
        if (status != MST_OK || !old || !now || strcmp(old, now) != 0 || strcmp(now, "\"\"") == 0)
            continue;
        MST_SET(said.path, "actors[%llu].model", (unsigned long long)i);
        MST_SET(said.message, "is still %.80s, the model of the old type", now);
        status = options->report(options->user, &said);
    }
    return status;
}

mst_status mst_turok_settle_actors(const mst_document *before, mst_document *after,
                                   const struct mst_edit_options *options) {
    floors was, is;
    mst_arena arena;
    mst_arena_begin(&arena, &before->allocator, 0);
    mst_status status = say_models(before, after, options, &arena);
    mst_arena_end(&arena);
    if (status != MST_OK)
        return status;
    status = read_floors(before, &was);
    if (status == MST_OK)
        status = read_floors(after, &is);
    if (status != MST_OK)
        return MST_OK;
    bool same_floor = same_column(&was.positions, &is.positions) && same_column(&was.corners, &is.corners);
    for (uint64_t i = 0; i < is.origins.count && status == MST_OK; i++) {
        double origin[3];
        origin_of(&is, i, origin);
        if (!stands_outside(&is, i) || was_there(&was, origin, same_floor))
            continue;
        uint32_t old = mst_column_u32(&is.sectors, i, 0), now = sector_below(&is, origin);
        if (now == UINT32_MAX) {
            status = say_nowhere(options, i, old);
            continue;
        }
        mst_store32(mst_edit_bytes(after) + mst_column_offset(after, &is.sectors, i), now, is.sectors.big);
        status = say(options, i, old, now);
    }
    return status;
}
