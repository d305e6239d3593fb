/* SPDX-License-Identifier: MIT */
/*
 * The triangles of a face have each inner edge twice, once in each direction. The remaining edges are its
 * border. A polygon of n corners has n - 2 triangles; more of them have a vertex inside, fewer a hole.
 */
#include "polygons.h"
#include "../scene/geometry.h"
#include "gltf_plan.h"
#include <stdlib.h>

typedef struct edge {
    uint32_t from, to; /* places */
    uint32_t vertex;   /* at `from` */
} edge;

typedef struct join_state {
    const mst_primitive *source;
    const uint32_t *places;
    mst_array edges;
    mst_polygons *found;
    bool starved; /* an allocation failed */
} join_state;

static uint32_t corner_of(const mst_primitive *source, uint32_t corner) {
    return source->indices ? source->indices[corner] : corner;
}

/* Whether the elements are polygons of the game, and not sets of triangles. */
static bool has_polygons(const mst_primitive *source) {
    const char *path = source->elements ? source->source.path : NULL;
    const char *dot = path ? strrchr(path, '.') : NULL, *name = dot ? dot + 1 : path;
    return name && (strcmp(name, "faces") == 0 || strcmp(name, "quads") == 0);
}

static int by_ends(const void *left, const void *right) {
    const edge *a = left, *b = right;
    const uint32_t low[2] = {a->from < a->to ? a->from : a->to, b->from < b->to ? b->from : b->to},
                   high[2] = {a->from < a->to ? a->to : a->from, b->from < b->to ? b->to : b->from};
    if (low[0] != low[1])
        return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1])
        return high[0] < high[1] ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static int by_start(const void *left, const void *right) {
    const edge *a = left, *b = right;
    return (a->from > b->from) - (a->from < b->from);
}

/* Moves the edges of the border to the beginning, sorted by start; returns their number, 0 if edges are not
 * in pairs, or places are on the border twice. */
static size_t find_border(edge *edges, size_t count) {
    size_t kept = 0;
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1;
             next < count &&
             edges[next].from + (uint64_t)edges[next].to == edges[i].from + (uint64_t)edges[i].to &&
             (edges[next].from == edges[i].from || edges[next].from == edges[i].to);)
            next++;
        if (next - i == 1)
            edges[kept++] = edges[i];
        else if (next - i != 2 || edges[i].from == edges[i + 1].from)
            return 0;
    }
    qsort(edges, kept, sizeof *edges, by_start);
    for (size_t i = 1; i < kept; i++)
        if (edges[i].from == edges[i - 1].from)
            return 0;
    return kept;
}

static const edge *edge_from(const edge *edges, size_t count, uint32_t place) {
    const edge wanted = {.from = place};
    return bsearch(&wanted, edges, count, sizeof *edges, by_start);
}

static bool same_values(const float *values, uint32_t a, uint32_t b, size_t width) {
    return !values || memcmp(values + a * width, values + b * width, width * sizeof *values) == 0;
}

/* Whether the triangles have no corners other than the border's, with the same attributes. */
static bool corners_agree(const join_state *j, uint32_t first, uint32_t end, const edge *border,
                          size_t count) {
    const mst_primitive *source = j->source;
    for (uint32_t i = 3 * first; i < 3 * end; i++) {
        const uint32_t vertex = corner_of(source, i);
        const edge *at = edge_from(border, count, j->places[vertex]);
        if (!at || !same_values(source->texcoords, vertex, at->vertex, 2) ||
            !same_values(source->normals, vertex, at->vertex, 3))
            return false;
    }
    return true;
}

/* Whether no triangle faces the opposite way. */
static bool is_unfolded(const join_state *j, uint32_t first, uint32_t end, const uint32_t *corners,
                        uint32_t count) {
    double whole[3], one[3];
    mst_polygon_normal(j->source->positions, corners, count, whole);
    const double square = whole[0] * whole[0] + whole[1] * whole[1] + whole[2] * whole[2];
    for (uint32_t t = first; t < end; t++) {
        const uint32_t three[3] = {corner_of(j->source, 3 * t), corner_of(j->source, 3 * t + 1),
                                   corner_of(j->source, 3 * t + 2)};
        mst_polygon_normal(j->source->positions, three, 3, one);
        if (!(one[0] * whole[0] + one[1] * whole[1] + one[2] * whole[2] >= -1e-12 * square))
            return false;
    }
    return square > 0;
}

static bool add_triangle(join_state *j, const uint32_t corners[3], uint32_t triangle) {
    const uint32_t first = (uint32_t)j->found->corners.count;
    uint32_t *to = mst_array_push(&j->found->corners, 3);
    mst_polygon *added = mst_array_push(&j->found->list, 1);
    if (!to || !added)
        return false;
    memcpy(to, corners, 3 * sizeof *to);
    *added = (mst_polygon){first, 3, triangle, triangle + 1};
    return true;
}

/* Whether a triangle is drawn. */
static bool is_drawn(const join_state *j, uint32_t triangle) {
    const uint32_t corners[3] = {corner_of(j->source, 3 * triangle), corner_of(j->source, 3 * triangle + 1),
                                 corner_of(j->source, 3 * triangle + 2)};
    if (!triangle_fits(corners, j->source->vertex_count))
        return false;
    const uint32_t places[3] = {j->places[corners[0]], j->places[corners[1]], j->places[corners[2]]};
    return triangle_fits(places, UINT32_MAX);
}

static bool add_triangles(join_state *j, uint32_t first, uint32_t end) {
    for (uint32_t t = first; t < end; t++) {
        const uint32_t corners[3] = {corner_of(j->source, 3 * t), corner_of(j->source, 3 * t + 1),
                                     corner_of(j->source, 3 * t + 2)};
        if (is_drawn(j, t) && !add_triangle(j, corners, t))
            return false;
    }
    return true;
}

/* The corners of the polygon that the triangles of one element form, appended to all others; 0 if they form
 * none. */
static uint32_t find_corners(join_state *j, uint32_t first, uint32_t end) {
    edge *edges = j->edges.items;
    const size_t count = find_border(edges, j->edges.count);
    if (count != (size_t)(end - first) + 2)
        return 0;
    uint32_t *corners = mst_array_push(&j->found->corners, count);
    const edge *at = edges;
    j->starved = !corners;
    for (size_t i = 0; corners && i < count; i++) {
        corners[i] = at->vertex;
        at = edge_from(edges, count, at->to);
        if (!at || (at == edges) != (i + 1 == count)) {
            j->found->corners.count -= count;
            return 0;
        }
    }
    if (!corners)
        return 0;
    j->found->corners.count -= count; /* they stay readable until the next push */
    return corners_agree(j, first, end, edges, count) && is_unfolded(j, first, end, corners, (uint32_t)count)
               ? (uint32_t)count
               : 0;
}

/* Adds the triangles of one element, joined if possible. */
static bool add_element(join_state *j, uint32_t first, uint32_t end) {
    j->edges.count = 0;
    bool whole = end - first > 1;
    for (uint32_t t = first; t < end && whole; t++) {
        edge *three = is_drawn(j, t) ? mst_array_push(&j->edges, 3) : NULL;
        j->starved = j->starved || (is_drawn(j, t) && !three);
        whole = three != NULL;
        for (uint32_t k = 0; k < 3 && whole; k++) {
            const uint32_t from = corner_of(j->source, 3 * t + k),
                           to = corner_of(j->source, 3 * t + (k + 1) % 3);
            three[k] = (edge){j->places[from], j->places[to], from};
        }
    }
    const uint32_t count = whole ? find_corners(j, first, end) : 0;
    if (j->starved)
        return false;
    if (!count)
        return add_triangles(j, first, end);
    mst_polygon *added = mst_array_push(&j->found->list, 1);
    if (!added)
        return false;
    *added = (mst_polygon){(uint32_t)j->found->corners.count, count, first, end};
    j->found->corners.count += count;
    return true;
}

bool mst_polygons_find(const mst_primitive *primitive, const uint32_t *places, bool join,
                       const mst_allocator *allocator, mst_polygons *found) {
    *found = (mst_polygons){.corners = {.element_size = sizeof(uint32_t), .allocator = *allocator},
                            .list = {.element_size = sizeof(mst_polygon), .allocator = *allocator}};
    join_state j = {.source = primitive,
                    .places = places,
                    .edges = {.element_size = sizeof(edge), .allocator = *allocator},
                    .found = found};
    const uint32_t count = (primitive->indices ? primitive->index_count : primitive->vertex_count) / 3;
    const bool polygons = join && has_polygons(primitive);
    bool done = true;
    for (uint32_t first = 0, end; done && first < count; first = end) {
        for (end = first + 1;
             polygons && end < count && primitive->elements[end] == primitive->elements[first];)
            end++;
        done = polygons ? add_element(&j, first, end) : add_triangles(&j, first, end);
    }
    mst_array_free(&j.edges);
    return done;
}

void mst_polygons_end(mst_polygons *found) {
    mst_array_free(&found->corners);
    mst_array_free(&found->list);
}
