/* SPDX-License-Identifier: MIT */
/*
 * A square of the world from above. The world is gathered along its own axes, because floors and ceilings are
 * searched there, and is then shown with +X at the top.
 */
#include "overview.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "view.h"

#include <math.h>
#include <string.h>

typedef struct square_view {
    mst_arena arena;
    mst_view_world world;
    mst_projection projection;
    mst_view_frame frame;
    bool empty;
} square_view;

/* Finds the visible parts in the square, and the height of the cut. */
static mst_status look(square_view *v, const mst_scene *scene, const mst_overview *overview,
                       const mst_picture_options *options) {
    const mst_projection north = {.right = {1, 0, 0}, .down = {0, 0, 1}, .near = {0, 1, 0}, .scale = 1};
    const double half = overview->half;
    mst_picture_options bare = *options;
    bare.view = MST_VIEW_ABOVE;
    bare.no_links = true;
    mst_status status = mst_view_gather(&v->world, scene, &bare, &v->arena);
    if (status == MST_OK)
        status = mst_view_fit(&v->world, &north, &v->empty);
    if (status != MST_OK || v->empty)
        return status;
    v->world.across = (mst_range){overview->x - half, overview->x + half};
    v->world.along = (mst_range){overview->z - half, overview->z + half};
    status = mst_view_find_floors(&v->world, options->ceiling_cut);
    if (!options->heights && !v->world.map && !v->world.symbolic)
        v->world.pictured = v->world.pictured || mst_view_has_textured_floors(&v->world);
    v->projection = (mst_projection){.right = {0, 0, 1},
                                     .down = {-1, 0, 0},
                                     .near = {0, 1, 0},
                                     .left = overview->z - half,
                                     .top = -overview->x - half,
                                     .scale = overview->side / (2 * half)};
    v->frame = (mst_view_frame){0, 0, (int32_t)overview->side, (int32_t)overview->side};
    return status;
}

static mst_status paint(square_view *v, mst_pixels *picture) {
    const uint32_t side = (uint32_t)v->frame.width;
    const bool map = !v->world.pictured;
    if (!mst_pixels_take(picture, side, side, 0))
        return MST_NO_MEMORY;
    memset(picture->data, 0, (size_t)side * side * 4);
    picture->unfiltered = map;
    if (v->empty)
        return MST_OK;
    if (!map && mst_view_load_textures(&v->world, &v->projection) != MST_OK)
        return MST_NO_MEMORY;
    mst_painter *painter = mst_painter_begin(&v->world, &v->projection, &v->frame, v->frame.width, map);
    if (!painter)
        return MST_NO_MEMORY;
    mst_canvas canvas = mst_canvas_of(v->frame.width, v->frame.height, picture->data);
    mst_painter_paint(painter, &canvas);
    return MST_OK;
}

mst_status mst_overview_draw(const mst_scene *scene, const mst_overview *overview,
                             const mst_picture_options *options, mst_pixels *picture,
                             mst_diagnostic *diagnostic) {
    square_view v = {.frame = {0, 0, (int32_t)overview->side, (int32_t)overview->side}};
    *picture = (mst_pixels){.allocator = mst_allocator_or_default(&picture->allocator)};
    mst_arena_begin(&v.arena, &picture->allocator, 0);
    mst_status status = look(&v, scene, overview, options);
    if (status == MST_OK)
        status = paint(&v, picture);
    mst_arena_end(&v.arena);
    if (status == MST_OK)
        return MST_OK;
    mst_pixels_free(picture);
    return mst_fail(diagnostic, status, "not enough memory for the overview");
}

/* Whether a triangle is seen from above: it faces upwards, and is neither above the cut nor an outlier. */
static bool is_seen(const mst_view_world *world, const mst_view_triangle *t) {
    const mst_material *material = world->parts[t->part].material;
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        low = fmin(low, (double)t->corners[k][1]);
        high = fmax(high, (double)t->corners[k][1]);
    }
    return (t->normal[1] > 0 || (material && material->double_sided)) && low < world->cut &&
           low <= world->height.high && high >= world->height.low;
}

/* A pixel's sample is at its centre. */
static void sample(const square_view *v, mst_samples *samples) {
    const mst_projection *p = &v->projection;
    for (size_t i = 0; i < v->world.triangle_count; i++) {
        const mst_view_triangle *t = &v->world.triangles[i];
        double corners[3][3];
        if (!is_seen(&v->world, t))
            continue;
        for (int k = 0; k < 3; k++) {
            corners[k][0] = (mst_view_dot(p->right, t->corners[k]) - p->left) * p->scale;
            corners[k][1] = (mst_view_dot(p->down, t->corners[k]) - p->top) * p->scale;
            corners[k][2] = (double)t->corners[k][1];
        }
        mst_samples_triangle(samples, (const double(*)[3])corners, (uint32_t)i + 1, NULL, NULL);
    }
}

mst_status mst_overview_heights(const mst_scene *scene, const mst_overview *overview,
                                const mst_picture_options *options, float *heights,
                                mst_diagnostic *diagnostic) {
    const mst_allocator own = mst_allocator_or_default(NULL);
    const int32_t side = (int32_t)overview->side;
    square_view v = {.empty = false};
    mst_arena_begin(&v.arena, &own, 0);
    mst_status status = look(&v, scene, overview, options);
    uint32_t *ids = mst_arena_take(&v.arena, (size_t)side * (size_t)side, sizeof *ids);
    if (!ids)
        status = MST_NO_MEMORY;
    if (status == MST_OK) {
        mst_samples samples = {.width = side, .rows = side, .id = ids};
        samples.depth = heights;
        mst_samples_clear(&samples);
        sample(&v, &samples);
    }
    mst_arena_end(&v.arena);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "not enough memory for the heights");
}
