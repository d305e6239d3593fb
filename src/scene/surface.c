/* SPDX-License-Identifier: MIT */
#include "surface.h"
#include "../core/arena.h"
#include "../core/number.h"
#include "../core/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-7 /* of the area; floats have as many digits */

typedef struct corner {
    float at[3];
} corner;

typedef struct triangle {
    corner corners[3]; /* in order */
} triangle;

static int compare_corners(const corner *a, const corner *b) {
    for (int i = 0; i < 3; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

static int compare_triangles(const void *left, const void *right) {
    const triangle *a = left, *b = right;
    int order = 0;
    for (int i = 0; i < 3 && !order; i++)
        order = compare_corners(&a->corners[i], &b->corners[i]);
    return order;
}

static void swap_corners(corner *a, corner *b) {
    const corner kept = *a;
    *a = *b, *b = kept;
}

/* False: it has no area, or a coordinate that is not finite. */
static bool take(const mst_surface_part *part, uint32_t first, triangle *made) {
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t at = part->indices ? part->indices[first + i] : first + i;
        if (at >= part->vertex_count)
            return false;
        for (int k = 0; k < 3; k++) {
            made->corners[i].at[k] = part->positions[3 * (size_t)at + (size_t)k];
            if (!isfinite(made->corners[i].at[k]))
                return false;
        }
    }
    corner *c = made->corners;
    if (compare_corners(&c[0], &c[1]) > 0)
        swap_corners(&c[0], &c[1]);
    if (compare_corners(&c[1], &c[2]) > 0)
        swap_corners(&c[1], &c[2]);
    if (compare_corners(&c[0], &c[1]) > 0)
        swap_corners(&c[0], &c[1]);
    return compare_corners(&c[0], &c[1]) != 0 && compare_corners(&c[1], &c[2]) != 0;
}

static void add(mst_surface *surface, const triangle *t) {
    double at[3][3], a[3], b[3], normal[3];
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 3; i++) {
            at[c][i] = (double)t->corners[c].at[i];
            surface->reach = fmax(surface->reach, fabs(at[c][i]));
        }
    mst_between(at[0], at[1], a);
    mst_between(at[0], at[2], b);
    mst_cross(a, b, normal);
    const double area = mst_length(normal) / 2;
    surface->area += area;
    for (int i = 0; i < 3; i++)
        surface->moment[i] += area * (at[0][i] + at[1][i] + at[2][i]) / 3;
}

bool mst_surface_measure(const mst_allocator *allocator, const mst_surface_part *parts, size_t count,
                         mst_surface *surface) {
    size_t room = 0, used = 0;
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    *surface = (mst_surface){0};
    for (size_t i = 0; i < count; i++)
        room += (parts[i].indices ? parts[i].index_count : parts[i].vertex_count) / 3;
    triangle *all = mst_arena_take(&arena, room, sizeof *all);
    for (size_t i = 0; i < count && all; i++) {
        const uint32_t corners = parts[i].indices ? parts[i].index_count : parts[i].vertex_count;
        for (uint32_t first = 0; first < corners / 3 * 3; first += 3)
            used += take(&parts[i], first, &all[used]);
    }
    if (used > 1)
        qsort(all, used, sizeof *all, compare_triangles);
    for (size_t i = 0; i < used; i++)
        if (!i || compare_triangles(&all[i - 1], &all[i]) != 0)
            add(surface, &all[i]);
    mst_arena_end(&arena);
    return all != NULL;
}

bool mst_surfaces_differ(const mst_surface *a, const mst_surface *b) {
    const double area = fmax(a->area, b->area), reach = fmax(a->reach, b->reach);
    bool same = fabs(a->area - b->area) <= SAME * area;
    for (int i = 0; i < 3; i++)
        same = same && fabs(a->moment[i] - b->moment[i]) <= SAME * area * reach;
    return !same;
}

void mst_surface_text(const mst_surface *surface, char *text) {
    const double numbers[] = {surface->area, surface->moment[0], surface->moment[1], surface->moment[2]};
    for (int i = 0; i < 4; i++) {
        text += mst_write_f64(text, isfinite(numbers[i]) ? numbers[i] : 0);
        *text++ = i < 3 ? ' ' : 0;
    }
}

bool mst_surface_read(const char *text, size_t length, mst_surface *surface) {
    double numbers[4];
    const char *const limit = text + length;
    *surface = (mst_surface){0};
    for (int i = 0; i < 4; i++) {
        const char *space = memchr(text, ' ', (size_t)(limit - text));
        const char *end = i < 3 ? space : limit;
        if (!end || !mst_read_f64(text, (size_t)(end - text), &numbers[i]))
            return false;
        text = i < 3 ? end + 1 : end;
    }
    surface->area = numbers[0];
    memcpy(surface->moment, numbers + 1, sizeof surface->moment);
    return true;
}
