/* SPDX-License-Identifier: MIT */
/* Checks of the grid's cells with their static meshes, and of actors. */
#include "check_blocks.h"
#include "grid.h"
#include <stdio.h>

typedef struct cells {
    mst_turok_level *level;
    const mst_archive *archive;
    mst_turok_box all; /* of all meshes of the level */
} cells;

/* ---- meshes ------------------------------------------------------------------------------------- */

static mst_turok_path mesh_path(uint32_t cell, uint32_t mesh, const char *name, unsigned k) {
    return (mst_turok_path){
        {{"grid_sections", cell}, {"static_meshes", mesh}, {name, k < 4 ? k : MST_TUROK_NONE}}};
}

/* The stored box of a cell; false if there is none. */
static bool stored_box(const mst_turok_level *l, uint32_t cell, mst_turok_box *stored) {
    if (cell >= l->minimums.count || cell >= l->maximums.count)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        stored->low[k] = mst_turok_f32(&l->minimums, cell, k);
        stored->high[k] = mst_turok_f32(&l->maximums, cell, k);
    }
    return true;
}

/* Reports the first number of a cell's box that is not as expected. */
static mst_status compare_box(const mst_turok_level *l, const char *code, uint32_t cell,
                              const mst_turok_box *stored, const mst_turok_box *expected) {
    for (unsigned k = 0; k < 4; k++) {
        double is = k < 2 ? stored->low[k] : stored->high[k - 2],
               should = k < 2 ? expected->low[k] : expected->high[k - 2];
        if (!mst_turok_is_off(is, should))
            continue;
        mst_turok_path path = {
            {{"grid_bounds", MST_TUROK_NONE}, {k < 2 ? "minimums" : "maximums", cell}, {"", k % 2}}};
        return mst_turok_report_real(
            l, code, mst_column_offset(l->document, k < 2 ? &l->minimums : &l->maximums, cell) + 4 * (k % 2),
            &path, mst_turok_real(should).text, is);
    }
    return MST_OK;
}

/* `big` is the level's, passed as a constant so that each byte order is compiled separately. */
static inline mst_status check_meshes_of(cells *c, uint32_t cell, const mst_data_set *list, const bool big) {
    const mst_turok_level *l = c->level;
    mst_column origins = mst_column_at(&l->mesh.origin, list->offset, list->count),
               rotations = mst_column_at(&l->mesh.rotation, list->offset, list->count),
               lows = mst_column_at(&l->mesh.bounds_min, list->offset, list->count),
               highs = mst_column_at(&l->mesh.bounds_max, list->offset, list->count),
               flag_words = mst_column_at(&l->mesh.flags, list->offset, list->count);
    origins.big = rotations.big = lows.big = highs.big = flag_words.big = big;
    mst_turok_box meshes = mst_turok_no_box, stored;
    bool has_box = stored_box(l, cell, &stored);
    for (uint32_t i = 0; i < list->count; i++) {
        double origin[2];
        mst_turok_box one;
        unsigned inverted = 3, outside = 2;
        for (unsigned k = 0; k < 3; k++) {
            double low = mst_turok_f32(&lows, i, k), high = mst_turok_f32(&highs, i, k);
            if (low > high)
                inverted = inverted == 3 ? k : inverted;
            if (k == 2)
                continue; /* cells have no height */
            origin[k] = mst_turok_f32(&origins, i, k);
            one.low[k] = origin[k] + low;
            one.high[k] = origin[k] + high;
            if (has_box && (origin[k] < stored.low[k] || origin[k] > stored.high[k]))
                outside = outside == 2 ? k : outside;
        }
        mst_turok_grow(&meshes, &one);
        double square = 0;
        for (unsigned k = 0; k < 4; k++) {
            double part = mst_turok_f32(&rotations, i, k);
            square += part * part;
        }
        uint32_t flags = mst_column_u32(&flag_words, i, 0);
        if (outside < 2) {
            mst_turok_path path = mesh_path(cell, i, "origin", outside);
            char expected[80];
            snprintf(expected, sizeof expected, "%s to %s", mst_turok_real(stored.low[outside]).text,
                     mst_turok_real(stored.high[outside]).text);
            MST_TUROK_TRY(mst_turok_report_real(l, "TUROK-MESH-CELL",
                                                mst_column_offset(l->document, &origins, i) + 4 * outside,
                                                &path, expected, origin[outside]));
        }
        if (square < 0.999 * 0.999 || square > 1.001 * 1.001) {
            mst_turok_path path = mesh_path(cell, i, "rotation", 4);
            MST_TUROK_TRY(mst_turok_report(l, "TUROK-QUATERNION",
                                           mst_column_offset(l->document, &rotations, i), 16, &path,
                                           "a length of 1", mst_turok_real(sqrt(square)).text));
        }
        if (inverted < 3) {
            mst_turok_path path = mesh_path(cell, i, "bounds_min", inverted);
            char expected[64];
            snprintf(expected, sizeof expected, "at most %s",
                     mst_turok_real(mst_turok_f32(&highs, i, inverted)).text);
            MST_TUROK_TRY(mst_turok_report_real(l, "TUROK-MESH-BOUNDS",
                                                mst_column_offset(l->document, &lows, i) + 4 * inverted,
                                                &path, expected, mst_turok_f32(&lows, i, inverted)));
        }
        if (flags & ~7u) {
            mst_turok_path path = mesh_path(cell, i, "flags", 4);
            char found[24];
            snprintf(found, sizeof found, "0x%x", flags);
            MST_TUROK_TRY(mst_turok_report(l, "TUROK-MESH-FLAGS",
                                           mst_column_offset(l->document, &flag_words, i), 4, &path,
                                           "bits 0 to 2", found));
        }
    }
    mst_turok_grow(&c->all, &meshes);
    if (!has_box || !list->count)
        return MST_OK;
    const mst_turok_box expected = mst_turok_cell_box(&meshes);
    return compare_box(l, "TUROK-GRID-BOUNDS", cell, &stored, &expected);
}

static mst_status check_meshes(cells *c, uint32_t cell, const mst_data_set *list) {
    return c->level->big ? check_meshes_of(c, cell, list, true) : check_meshes_of(c, cell, list, false);
}

/* ---- cells -------------------------------------------------------------------------------------- */

static mst_status check_models(const mst_turok_level *l, uint32_t cell, const mst_archive *models,
                               uint32_t meshes) {
    mst_turok_path path = {{{"grid_sections", cell}, {"models", MST_TUROK_NONE}}};
    if (models->count != meshes) {
        char expected[24];
        snprintf(expected, sizeof expected, "%u", meshes);
        MST_TUROK_TRY(
            mst_turok_report_number(l, "TUROK-MODEL-COUNT", models->base, 4, &path, expected, models->count));
    }
    for (uint32_t i = 0; i < models->count; i++) {
        if (mst_turok_is_canonical(l, models, i, MST_TUROK_MODEL))
            continue;
        uint64_t at = mst_archive_block(l->document, models, i), length, end;
        path.steps[1].index = i;
        MST_TUROK_TRY(mst_turok_string(l, at, MST_TUROK_MODEL, &path, &length, &end));
        if (!length)
            MST_TUROK_TRY(
                mst_turok_report(l, "TUROK-MESH-NO-MODEL", at, end - at, &path, "models/*.bin", "no path"));
        MST_TUROK_TRY(mst_turok_block(l, models, i, end, &path));
    }
    return MST_OK;
}

static mst_status check_cell(cells *c, uint32_t index, uint64_t *end) {
    mst_turok_level *l = c->level;
    mst_turok_path path = {{{"grid_sections", index}}};
    mst_archive cell, models;
    uint64_t at = mst_archive_block(l->document, c->archive, index);
    MST_TUROK_TRY(
        mst_turok_archive(l, at, mst_archive_block(l->document, c->archive, index + 1), &path, &cell));
    *end = mst_archive_block(l->document, &cell, cell.count);
    if (!cell.count)
        return MST_OK;
    mst_data_set list;
    uint64_t after =
        mst_data_set_at(l->document, mst_archive_block(l->document, &cell, 0), l->mesh.origin.stride, &list);
    l->meshes += list.count;
    MST_TUROK_TRY(check_meshes(c, index, &list));
    path.steps[1].name = "static_meshes";
    path.steps[1].index = MST_TUROK_NONE;
    MST_TUROK_TRY(mst_turok_block(l, &cell, 0, after, &path));
    path.steps[1].name = "models";
    MST_TUROK_TRY(mst_turok_archive(l, mst_archive_block(l->document, &cell, 1), *end, &path, &models));
    MST_TUROK_TRY(check_models(l, index, &models, list.count));
    return mst_turok_block(l, &cell, 1, mst_archive_block(l->document, &models, models.count), &path);
}

static mst_status check_filing(const cells *c, uint32_t cell, const mst_data_set *list,
                               const mst_turok_lattice *lattice) {
    const mst_turok_level *l = c->level;
    mst_column origins = mst_column_at(&l->mesh.origin, list->offset, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const double origin[2] = {mst_turok_f32(&origins, i, 0), mst_turok_f32(&origins, i, 1)};
        uint64_t should = mst_turok_cell_of(lattice, origin);
        if (should == cell)
            continue;
        mst_turok_path path = mesh_path(cell, i, "origin", 4);
        char expected[24];
        snprintf(expected, sizeof expected, "cell %llu", (unsigned long long)should);
        MST_TUROK_TRY(mst_turok_report_number(
            l, "TUROK-MESH-FILED", mst_column_offset(l->document, &origins, i), 12, &path, expected, cell));
    }
    return MST_OK;
}

static mst_status check_empty(const cells *c, uint32_t cell, const mst_turok_lattice *lattice) {
    const mst_turok_level *l = c->level;
    mst_turok_box stored = mst_turok_no_box;
    stored_box(l, cell, &stored); /* it exists: the lattice is checked only if all counts match */
    const mst_turok_box point = mst_turok_corner_of(lattice, cell);
    return compare_box(l, "TUROK-GRID-EMPTY", cell, &stored, &point);
}

/* Checks that need the bounds of all meshes, which span the lattice of the grid. */
static mst_status check_lattice(const cells *c) {
    const mst_turok_level *l = c->level;
    mst_turok_lattice lattice;
    if (!mst_turok_lattice_of(&c->all, l->width, l->height, &lattice))
        return MST_OK;
    for (uint32_t i = 0; i < c->archive->count; i++) {
        mst_archive cell =
            mst_archive_at(l->document, mst_archive_block(l->document, c->archive, i), c->archive->limit);
        mst_data_set list = {NULL, 0, 0, 0};
        if (cell.count)
            mst_data_set_at(l->document, mst_archive_block(l->document, &cell, 0), l->mesh.origin.stride,
                            &list);
        if (list.count && l->information)
            MST_TUROK_TRY(check_filing(c, i, &list, &lattice));
        if (!list.count)
            MST_TUROK_TRY(check_empty(c, i, &lattice));
    }
    return MST_OK;
}

mst_status mst_turok_check_cells(mst_turok_level *level, const mst_archive *archive) {
    cells c = {level, archive, mst_turok_no_box};
    for (uint32_t i = 0; i < archive->count; i++) {
        mst_turok_path path = {{{"grid_sections", i}}};
        uint64_t end;
        MST_TUROK_TRY(check_cell(&c, i, &end));
        MST_TUROK_TRY(mst_turok_block(level, archive, i, end, &path));
    }
    return level->width && level->height ? check_lattice(&c) : MST_OK;
}

/* ---- actors ------------------------------------------------------------------------------------- */

/* The box of an actor without a model is inverted: from 1e30 to -1e30. */
#define NUMBERS 65536u

/* Known types without a name. */
static const uint16_t nameless[] = {22, 23, 4000, 5003, 5006, 5007, 5026, 5035, 53511};

typedef struct actors {
    const mst_turok_level *level;
    const mst_data_set *list;
    const mst_archive *models;
    uint8_t *types; /* nonzero at the numbers of known types */
} actors;

static mst_turok_path actor_path(uint32_t actor, const char *name, uint64_t k) {
    return (mst_turok_path){{{"actors", MST_TUROK_NONE}, {"records", actor}, {name, k}}};
}

static bool has_model(const actors *a, uint32_t actor) {
    const mst_turok_level *l = a->level;
    if (actor >= a->models->count)
        return false;
    mst_data_set text;
    mst_data_set_at(l->document, mst_archive_block(l->document, a->models, actor), 0, &text);
    return text.count && text.stride && text.data[0];
}

/* The offset of the field that fills the member at `to`. */
static uint64_t offset_of(const actors *a, uint32_t actor, size_t to) {
    return a->list->offset + (uint64_t)actor * a->list->stride + mst_bound_at(&a->level->actor, to);
}

static mst_status check_box(const actors *a, uint32_t actor, const mst_turok_bound_actor *record) {
    const mst_turok_level *l = a->level;
    const float *low = record->bounds_min, *high = record->bounds_max;
    unsigned inverted = 3;
    bool none = true;
    for (unsigned k = 0; k < 3; k++) {
        if (inverted == 3 && low[k] > high[k])
            inverted = k;
        none = none && low[k] == 1e30F && high[k] == -1e30F;
    }
    if (inverted == 3 || (none && !l->information && !has_model(a, actor)))
        return MST_OK;
    uint64_t at = offset_of(a, actor, offsetof(mst_turok_bound_actor, bounds_min));
    if (none && !has_model(a, actor)) {
        mst_turok_path path = actor_path(actor, "bounds_min", MST_TUROK_NONE);
        return mst_turok_report(l, "TUROK-ACTOR-BOUNDS-NONE", at, 12, &path, NULL, NULL);
    }
    mst_turok_path path = actor_path(actor, "bounds_min", inverted);
    char expected[64];
    snprintf(expected, sizeof expected, "at most %s", mst_turok_real((double)high[inverted]).text);
    return mst_turok_report_real(l, "TUROK-ACTOR-BOUNDS", at + 4 * inverted, &path, expected,
                                 (double)low[inverted]);
}

/* Whether a point is in a sector seen from above, or at most 0.01 outside it. */
static bool is_over(const mst_turok_level *l, const double point[3], uint32_t sector) {
    double corners[3][3];
    for (unsigned k = 0; k < 3; k++)
        if (!mst_turok_corner(l, sector, k, corners[k]))
            return true; /* undecidable: not reported */
    double area = mst_turok_area(corners[0], corners[1], corners[2]);
    if (!(area < 0) && !(area > 0))
        return true;
    for (unsigned k = 0; k < 3; k++) {
        const double *from = corners[k], *to = corners[(k + 1) % 3];
        double x = to[0] - from[0], y = to[1] - from[1], beside = mst_turok_area(from, to, point);
        if (area < 0)
            beside = -beside;
        if (beside < 0 && beside * beside > 0.01 * 0.01 * (x * x + y * y))
            return false;
    }
    return true;
}

static mst_status check_sector(const actors *a, uint32_t actor, const mst_turok_bound_actor *record) {
    const mst_turok_level *l = a->level;
    uint32_t sector = (uint32_t)record->sector;
    uint64_t at = offset_of(a, actor, offsetof(mst_turok_bound_actor, sector));
    mst_turok_path path = actor_path(actor, "sector", MST_TUROK_NONE);
    if (sector == UINT32_MAX)
        return l->information ? mst_turok_report_number(l, "TUROK-ACTOR-NO-SECTOR", at, 4, &path, NULL, -1)
                              : MST_OK;
    if (sector >= l->sectors.count)
        return MST_OK;
    double point[3] = {0, 0, 0};
    for (unsigned k = 0; k < 2; k++)
        point[k] = (double)record->origin[k];
    if (is_over(l, point, sector))
        return MST_OK;
    path.steps[2].name = "origin";
    char expected[40], found[80];
    snprintf(expected, sizeof expected, "over sector %u", sector);
    snprintf(found, sizeof found, "%s, %s", mst_turok_real(point[0]).text, mst_turok_real(point[1]).text);
    return mst_turok_report(l, "TUROK-ACTOR-OUTSIDE",
                            offset_of(a, actor, offsetof(mst_turok_bound_actor, origin)), 12, &path, expected,
                            found);
}

static mst_status check_actor(const actors *a, uint32_t actor) {
    const mst_turok_level *l = a->level;
    uint64_t at = a->list->offset + (uint64_t)actor * a->list->stride;
    mst_turok_bound_actor record;
    memset(&record, 0, sizeof record);
    mst_fill_at(&l->actor, at, l->document->size, &record);
    uint32_t type = (uint32_t)record.type;
    if (l->information && (type >= NUMBERS || !a->types[type])) {
        mst_turok_path path = actor_path(actor, "type", MST_TUROK_NONE);
        MST_TUROK_TRY(mst_turok_report_number(l, "TUROK-ACTOR-TYPE",
                                              offset_of(a, actor, offsetof(mst_turok_bound_actor, type)), 4,
                                              &path, NULL, (int32_t)type));
    }
    double yaw = (double)record.yaw;
    if (yaw < -3.1416 || yaw > 3.1416) {
        mst_turok_path path = actor_path(actor, "yaw", MST_TUROK_NONE);
        MST_TUROK_TRY(mst_turok_report_real(l, "TUROK-ACTOR-YAW",
                                            offset_of(a, actor, offsetof(mst_turok_bound_actor, yaw)), &path,
                                            "-3.1416 to 3.1416", yaw));
    }
    MST_TUROK_TRY(check_sector(a, actor, &record));
    return check_box(a, actor, &record);
}

mst_status mst_turok_check_actors(const mst_turok_level *level, const mst_data_set *list,
                                  const mst_archive *models) {
    actors a = {level, list, models, NULL};
    a.types = mst_arena_zero(&level->checker->scratch, NUMBERS, 1);
    if (!a.types)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < mst_turok_actor_types.count; i++)
        a.types[(uint16_t)mst_turok_actor_types.items[i].value] = 1;
    for (size_t i = 0; i < MST_COUNT_OF(nameless); i++)
        a.types[nameless[i]] = 1;
    bool player = false;
    mst_column types = mst_bound_column(&level->actor, offsetof(mst_turok_bound_actor, type));
    types = mst_column_at(&types, list->offset, list->count);
    for (uint32_t i = 0; i < types.count; i++)
        player = player || mst_column_u32(&types, i, 0) == 0;
    for (uint32_t i = 0; i < list->count; i++)
        MST_TUROK_TRY(check_actor(&a, i));
    mst_turok_path path = {{{"actors", MST_TUROK_NONE}, {"records", MST_TUROK_NONE}}};
    return player ? MST_OK
                  : mst_turok_report(level, "TUROK-NO-PLAYER", list->offset - 8, 8, &path,
                                     "an actor of type 0", NULL);
}
