/* SPDX-License-Identifier: MIT */
/*
 * A camera that shows all of a scene, for viewers that begin with the first camera of a file: oblique, as in
 * pictures. Levels have outliers, such as sky boxes and forgotten objects far away; the hundredth part on
 * either side decides nothing.
 */
#include "../scene/geometry.h"
#include "gltf_plan.h"
#include <stdlib.h>

#define SAMPLES 4096
#define SHARE   0.01       /* of the samples, on either side */
#define FENCE   0.35       /* of the size, added beyond that share */
#define TANGENT 0.42279322 /* of half of MST_GLTF_OVERVIEW_FOV */
#define ASPECT  1.3        /* the narrowest picture that shows all */

typedef struct sampling {
    float *values[3];
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
                for (int axis = 0; axis < 3; axis++)
                    all->values[axis][all->count] = point[axis];
                all->count++;
            }
            wait = primitive->positions ? v - primitive->vertex_count : wait;
        }
    }
}

static int by_value(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* The box of what is worth showing, of at least one sample. */
static mst_bounds box_of(const sampling *all) {
    mst_bounds box = {{0}, {0}};
    size_t skipped = (size_t)((double)all->count * SHARE);
    for (int axis = 0; axis < 3; axis++) {
        float *values = all->values[axis];
        qsort(values, all->count, sizeof *values, by_value);
        double low = (double)values[skipped], high = (double)values[all->count - 1 - skipped],
               reach = (high - low) * FENCE;
        double least = (double)values[0], most = (double)values[all->count - 1];
        box.minimum[axis] = (float)(low - reach > least ? low - reach : least);
        box.maximum[axis] = (float)(high + reach < most ? high + reach : most);
    }
    return box;
}

/* Stands so far away along `near` that all corners of the box are in the picture. */
static void place(mst_gltf_overview *camera, const mst_bounds *box, const double axes[3][3]) {
    double centre[3], away = 0, radius = 0;
    for (int i = 0; i < 3; i++) {
        centre[i] = ((double)box->minimum[i] + (double)box->maximum[i]) / 2;
        double half = ((double)box->maximum[i] - (double)box->minimum[i]) / 2;
        radius += half * half;
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        double along[3] = {0}; /* right, up, near */
        for (int axis = 0; axis < 3; axis++)
            for (int i = 0; i < 3; i++)
                along[axis] += axes[axis][i] *
                               ((double)(corner >> i & 1 ? box->maximum[i] : box->minimum[i]) - centre[i]);
        double up = fabs(along[1]) / TANGENT + along[2],
               right = fabs(along[0]) / (TANGENT * ASPECT) + along[2];
        away = up > away ? up : away;
        away = right > away ? right : away;
    }
    away = away * 1.05 + 0.1;
    for (int i = 0; i < 3; i++)
        camera->position[i] = (float)(centre[i] + axes[2][i] * away);
    double nearest = away - sqrt(radius), near_plane = nearest > away / 100 ? nearest / 10 : away / 1000;
    camera->near_plane = (float)(near_plane < 0.1 ? near_plane : 0.1);
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
    for (int axis = 0; axis < 3; axis++)
        all.values[axis] = mst_arena_take(&arena, SAMPLES, sizeof *all.values[axis]);
    bool made = matrices && all.values[0] && all.values[1] && all.values[2];
    if (made) {
        mst_scene_world_matrices(p->scene, matrices);
        take_samples(p, matrices, geometry, count / SAMPLES + 1, &all);
    }
    if (all.count) {
        mst_bounds box = box_of(&all);
        memcpy(p->overview.rotation, panel ? ahead : aim, sizeof p->overview.rotation);
        place(&p->overview, &box, panel ? front : oblique);
    }
    mst_arena_end(&arena);
    return made;
}
