/* SPDX-License-Identifier: MIT */
/*
 * A camera that shows the whole scene, for viewers that begin with the first camera of a file: oblique, as in
 * pictures. Levels have outliers, such as sky boxes and forgotten objects far away; one hundredth on either
 * side is ignored.
 */
#include "../scene/geometry.h"
#include "gltf_plan.h"
#include <stdlib.h>

#define SAMPLES 4096
#define SHARE   0.01       /* of the samples, on either side */
#define FENCE   0.35       /* of the size, added beyond that share */
#define TANGENT 0.42279322 /* of half of MST_GLTF_OVERVIEW_FOV */
#define ASPECT  1.3        /* the narrowest picture that shows the whole scene */
#define MARGIN  0.06       /* of the distance to the nearest sample */

typedef struct sampling {
    float (*points)[3], *sorted; /* room for SAMPLES of both */
    size_t count;
} sampling;

static const mst_mesh *mesh_of(const mst_gltf_plan *p, size_t node, bool geometry) {
    const mst_node *one = &p->scene->nodes[node];
    bool shown = p->nodes.index[node] >= 0 && within(one->mesh, p->scene->mesh_count) &&
                 (!geometry || one->role == MST_ROLE_GEOMETRY);
    return shown ? &p->scene->meshes[one->mesh] : NULL;
}

static uint64_t count_vertices(const mst_gltf_plan *p, bool geometry) {
    uint64_t count = 0;
    for (size_t i = 0; i < p->scene->node_count; i++) {
        const mst_mesh *mesh = mesh_of(p, i, geometry);
        for (size_t k = 0; mesh && k < mesh->primitive_count; k++)
            count += mesh->primitives[k].positions ? mesh->primitives[k].vertex_count : 0;
    }
    return count;
}

static void take_samples(const mst_gltf_plan *p, const float *matrices, bool geometry, uint64_t step,
                         sampling *all) {
    uint64_t wait = 0; /* vertices before the next sample */
    for (size_t i = 0; i < p->scene->node_count; i++) {
        const mst_mesh *mesh = mesh_of(p, i, geometry);
        for (size_t k = 0; mesh && k < mesh->primitive_count; k++) {
            const mst_primitive *primitive = &mesh->primitives[k];
            uint64_t v = wait;
            for (; primitive->positions && v < primitive->vertex_count; v += step) {
                float point[3];
                mst_matrix_point(matrices + 16 * i, primitive->positions + 3 * (size_t)v, point);
                if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
                    continue;
                memcpy(all->points[all->count++], point, sizeof point);
            }
            wait = primitive->positions ? v - primitive->vertex_count : wait;
        }
    }
}

static int by_value(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* The box of the part to show, which contains at least one sample. */
static mst_bounds box_of(const sampling *all) {
    mst_bounds box = {{0}, {0}};
    size_t skipped = (size_t)((double)all->count * SHARE);
    for (int axis = 0; axis < 3; axis++) {
        float *values = all->sorted;
        for (size_t i = 0; i < all->count; i++)
            values[i] = all->points[i][axis];
        qsort(values, all->count, sizeof *values, by_value);
        double low = (double)values[skipped], high = (double)values[all->count - 1 - skipped],
               reach = (high - low) * FENCE;
        box.minimum[axis] = (float)(low - reach);
        box.maximum[axis] = (float)(high + reach);
    }
    return box;
}

static bool is_in(const mst_bounds *box, const float point[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < box->minimum[axis] || point[axis] > box->maximum[axis])
            return false;
    return true;
}

/* Places the camera as near as possible with all samples of the box in the picture. A sample at r, u, n
 * (right, up, near) is in it if |r - x| and |u - y|, divided by the tangent of half the angle, are at most
 * away - n. */
static void place(mst_gltf_overview *camera, const mst_bounds *box, const sampling *all,
                  const double axes[3][3]) {
    static const double tangents[2] = {TANGENT * ASPECT, TANGENT};
    double most[2][2] = {{-INFINITY, -INFINITY}, {-INFINITY, -INFINITY}}, nearest = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        if (!is_in(box, all->points[i]))
            continue;
        double along[3] = {0};
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 3; k++)
                along[axis] += axes[axis][k] * (double)all->points[i][k];
        for (int axis = 0; axis < 2; axis++) {
            double slant = along[2] * tangents[axis];
            most[axis][0] = fmax(most[axis][0], along[axis] + slant);
            most[axis][1] = fmax(most[axis][1], slant - along[axis]);
        }
        nearest = fmax(nearest, along[2]);
    }
    double away = fmax((most[0][0] + most[0][1]) / (2 * tangents[0]),
                       (most[1][0] + most[1][1]) / (2 * tangents[1])),
           x = (most[0][0] - most[0][1]) / 2, y = (most[1][0] - most[1][1]) / 2;
    away += (away - nearest) * MARGIN + 0.1;
    for (int k = 0; k < 3; k++)
        camera->position[k] = (float)(axes[0][k] * x + axes[1][k] * y + axes[2][k] * away);
    camera->near_plane = (float)fmin((away - nearest) / 10, 0.1);
    camera->there = true;
}

bool mst_gltf_find_overview(mst_gltf_plan *p) {
    /* from the south-east, 40 degrees down; a panel from its front */
    static const double oblique[3][3] = {{0.70710678118654752, 0, -0.70710678118654752},
                                         {-0.45451947767204367, 0.76604444311897804, -0.45451947767204367},
                                         {0.54167522041970140, 0.64278760968653933, 0.54167522041970140}},
                        front[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const float aim[4] = {-0.31598541F, 0.3596048F, 0.13088544F, 0.86816278F}, ahead[4] = {0, 0, 0, 1};
    bool panel = p->scene->object == MST_OBJECT_PANEL, geometry = count_vertices(p, true) > 0;
    uint64_t count = count_vertices(p, geometry);
    if (!count)
        return true;
    mst_arena arena;
    mst_arena_begin(&arena, &p->arena.allocator, 0);
    float *matrices = mst_arena_take(&arena, p->scene->node_count, 16 * sizeof *matrices);
    sampling all = {.count = 0};
    all.points = mst_arena_take(&arena, SAMPLES, sizeof *all.points);
    all.sorted = mst_arena_take(&arena, SAMPLES, sizeof *all.sorted);
    bool made = matrices && all.points && all.sorted;
    if (made) {
        mst_scene_world_matrices(p->scene, matrices);
        take_samples(p, matrices, geometry, count / SAMPLES + 1, &all);
    }
    if (all.count) {
        mst_bounds box = box_of(&all);
        memcpy(p->overview.rotation, panel ? ahead : aim, sizeof p->overview.rotation);
        place(&p->overview, &box, &all, panel ? front : oblique);
    }
    mst_arena_end(&arena);
    return made;
}
