/* SPDX-License-Identifier: MIT */
/* The shape of a face, regardless of its division into triangles. */
#include "../core/vector.h"
#include "faces.h"
#include <math.h>
#include <stdlib.h>

#define SAME_AREA  1e-3 /* of the larger one */
#define LEAST_AREA 1e-5 /* square metres */
#define SLIVER     5e-4 /* metres high */
#define IN_LINE    1e-4 /* sine of the angle */

double mst_point_distance(const double a[3], const double b[3]) {
    double v[3];
    mst_between(a, b, v);
    return mst_length(v);
}

static double cross_length(const double a[3], const double b[3]) {
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return mst_length(c);
}

double mst_triangle_area(const mst_face_triangle *t) {
    double a[3], b[3];
    mst_between(t->corners[0].at, t->corners[1].at, a);
    mst_between(t->corners[0].at, t->corners[2].at, b);
    return cross_length(a, b) / 2;
}

bool mst_is_sliver(const mst_face_triangle *t) {
    double longest = 0;
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, mst_point_distance(t->corners[i].at, t->corners[(i + 1) % 3].at));
    return mst_triangle_area(t) * 2 <= SLIVER * longest;
}

bool mst_face_plane(const mst_face_triangle *triangles, size_t count, double normal[3], double *distance) {
    double sum[3] = {0, 0, 0}, at = 0;
    for (size_t i = 0; i < count; i++) {
        const mst_face_corner *corners = triangles[i].corners;
        double a[3], b[3];
        mst_between(corners[0].at, corners[1].at, a);
        mst_between(corners[0].at, corners[2].at, b);
        for (int k = 0; k < 3; k++)
            sum[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
    const double length = mst_length(sum);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0 ? sum[k] / length : 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const double *corner = triangles[i / 3].corners[i % 3].at;
        at += normal[0] * corner[0] + normal[1] * corner[1] + normal[2] * corner[2];
    }
    *distance = count ? at / (3 * (double)count) : 0;
    return length > 0 && isfinite(length);
}

/* ---- corners that are the same ---- */

static int by_number(const void *left, const void *right) {
    const mst_face_corner *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

typedef struct placed {
    const double *at;
    size_t index;
} placed;

static int by_place(const void *left, const void *right) {
    const placed *a = left, *b = right;
    if (a->at[0] != b->at[0])
        return a->at[0] < b->at[0] ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Gives corners at one place the number of the first of them. */
static bool number_places(mst_face_corner *corners, size_t count, mst_arena *arena) {
    placed *order = mst_arena_take(arena, count, sizeof *order);
    if (!order)
        return false;
    for (size_t i = 0; i < count; i++) {
        corners[i].number = MST_NO_INDEX;
        order[i] = (placed){corners[i].at, i};
    }
    if (count > 1)
        qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0; i < count; i++) {
        mst_face_corner *own = &corners[order[i].index];
        if (own->number != MST_NO_INDEX)
            continue;
        own->number = (uint32_t)order[i].index;
        for (size_t k = i + 1; k < count && order[k].at[0] - own->at[0] <= MST_SAME_POINT; k++)
            if (corners[order[k].index].number == MST_NO_INDEX &&
                mst_point_distance(order[k].at, own->at) <= MST_SAME_POINT)
                corners[order[k].index].number = own->number;
    }
    return true;
}

/* ---- the border ---- */

typedef mst_face_edge edge;

static int compare_edges(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->turned ? 1 : 0) - (b->turned ? 1 : 0);
}

/* Keeps the edges that have no opposite; returns their number. */
static size_t keep_border(edge *edges, size_t count) {
    size_t kept = 0;
    for (size_t first = 0, end; first < count; first = end) {
        size_t turned = 0;
        for (end = first;
             end < count && edges[end].low == edges[first].low && edges[end].high == edges[first].high; end++)
            turned += edges[end].turned;
        const size_t straight = end - first - turned;
        for (size_t i = 0; i < straight && i + turned < straight; i++)
            edges[kept++] = edges[first + i];
        for (size_t i = 0; i < turned && i + straight < turned; i++)
            edges[kept++] = edges[first + straight + i];
    }
    return kept;
}

/* The numbers of border edges that enter and leave a corner, and one edge of each. */
typedef struct bend {
    mst_face_corner corner;
    unsigned in, out;
    const double *before, *after;
} bend;

static int by_corner(const void *left, const void *right) {
    return by_number(left, right); /* the corner is the first member */
}

static bool is_corner(const bend *b) {
    double in[3], out[3];
    if (b->in != 1 || b->out != 1)
        return true;
    mst_between(b->before, b->corner.at, in);
    mst_between(b->corner.at, b->after, out);
    const double lengths = mst_length(in) * mst_length(out);
    return !(cross_length(in, out) <= IN_LINE * lengths) ||
           in[0] * out[0] + in[1] * out[1] + in[2] * out[2] <= 0;
}

static bool find_corners(const edge *border, size_t count, mst_arena *arena, mst_face_shape *shape) {
    bend *bends = mst_arena_take(arena, 2 * count, sizeof *bends);
    shape->corners = mst_arena_take(arena, 2 * count, sizeof *shape->corners);
    if (!bends || !shape->corners)
        return false;
    for (size_t i = 0; i < count; i++) {
        bends[2 * i] = (bend){*border[i].from, 0, 1, NULL, border[i].to->at};
        bends[2 * i + 1] = (bend){*border[i].to, 1, 0, border[i].from->at, NULL};
    }
    if (count)
        qsort(bends, 2 * count, sizeof *bends, by_corner);
    for (size_t first = 0, end; first < 2 * count; first = end) {
        bend all = bends[first];
        for (end = first + 1; end < 2 * count && bends[end].corner.number == all.corner.number; end++) {
            all.in += bends[end].in, all.out += bends[end].out;
            all.before = all.before ? all.before : bends[end].before;
            all.after = all.after ? all.after : bends[end].after;
        }
        if (is_corner(&all))
            shape->corners[shape->count++] = all.corner;
    }
    return true;
}

bool mst_face_border(const mst_face_corner *corners, size_t count, mst_arena *arena, mst_face_edge **border,
                     size_t *border_count) {
    edge *edges = mst_arena_take(arena, 3 * count, sizeof *edges);
    size_t made = 0;
    for (size_t i = 0; i < 3 * count && edges; i++) {
        const mst_face_corner *from = &corners[i], *to = &corners[i % 3 == 2 ? i - 2 : i + 1];
        const bool turned = from->number > to->number;
        if (from->number != to->number)
            edges[made++] = (edge){turned ? to->number : from->number, turned ? from->number : to->number,
                                   turned, from, to};
    }
    if (made)
        qsort(edges, made, sizeof *edges, compare_edges);
    *border = edges;
    *border_count = keep_border(edges, made);
    return edges != NULL;
}

bool mst_face_shape_of(const mst_face_triangle *triangles, size_t count, bool numbered, mst_arena *arena,
                       mst_face_shape *shape) {
    mst_face_corner *corners = mst_arena_take(arena, 3 * count, sizeof *corners);
    edge *edges;
    size_t made;
    *shape = (mst_face_shape){.count = 0};
    if (!corners)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(corners + 3 * i, triangles[i].corners, sizeof triangles[i].corners);
        shape->area += mst_triangle_area(&triangles[i]);
    }
    if (!numbered && !number_places(corners, 3 * count, arena))
        return false;
    return mst_face_border(corners, count, arena, &edges, &made) && find_corners(edges, made, arena, shape);
}

/* ---- comparing ---- */

static bool has_corner_at(const mst_face_shape *shape, const double at[3]) {
    for (size_t i = 0; i < shape->count; i++)
        if (mst_point_distance(shape->corners[i].at, at) <= 2 * MST_SAME_POINT)
            return true;
    return false;
}

bool mst_same_shape(const mst_face_shape *a, const mst_face_shape *b, bool numbered) {
    if (fabs(a->area - b->area) > LEAST_AREA + SAME_AREA * fmax(a->area, b->area) || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (numbered ? a->corners[i].number != b->corners[i].number
                     : !has_corner_at(b, a->corners[i].at) || !has_corner_at(a, b->corners[i].at))
            return false;
    return true;
}
