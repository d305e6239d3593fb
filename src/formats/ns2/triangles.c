/* SPDX-License-Identifier: MIT */
/* Triangles of faces, made from their borders and holes. */
#include "triangles.h"
#include "../../core/diagnose.h"
#include "../../core/map.h"
#include "../../scene/geometry.h"
#include "../present.h"
#include "ns2.h"
#include <stdio.h>

/* The corners of a face's loops. */
typedef struct border {
    uint32_t *corners, *order, *counts, *triangles;
    float *points;
    size_t corner_count, loop_count;
} border;

/* Adds the start vertex of a directed edge; false if there is none. */
static bool add_corner(border *b, const mst_value *edge, const mst_value *edges, const mst_value *vertices,
                       const float *points) {
    mst_value record, vertex, position, ends, end;
    if (mst_element(edges, mst_number_in(edge, "edge"), &record) != MST_OK)
        return false;
    ends = mst_member_in(&record, "vertices");
    if (mst_element(&ends, mst_number_in(edge, "flipped") ? 1 : 0, &end) != MST_OK)
        return false;
    uint64_t number = mst_scalar_of(&end);
    if (mst_element(vertices, number, &vertex) != MST_OK)
        return false;
    position = mst_member_in(&vertex, "position");
    b->corners[b->corner_count] = (uint32_t)number;
    b->order[b->corner_count] = (uint32_t)b->corner_count;
    for (uint64_t k = 0; k < 3; k++) {
        mst_value coordinate;
        double real = 0;
        if (points)
            real = (double)points[3 * (size_t)number + k];
        else if (mst_element(&position, k, &coordinate) == MST_OK)
            mst_get_real(&coordinate, &real);
        b->points[3 * b->corner_count + k] = (float)real;
    }
    b->corner_count++;
    return true;
}

/* `complete`: whether all corners exist. Fails only with MST_NO_MEMORY. */
static mst_status read_border(const mst_value *face, const mst_value *mesh, const float *points,
                              mst_arena *arena, border *b, bool *complete) {
    mst_value loops = mst_member_in(face, "loops"), loop, edge, edges, vertices;
    uint64_t corners = 0;
    *complete =
        mst_member(mesh, "edges", &edges) == MST_OK && mst_member(mesh, "vertices", &vertices) == MST_OK;
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);)
        corners += mst_count(&loop);
    size_t total = (size_t)corners + 2 * (size_t)mst_count(&loops);
    memset(b, 0, sizeof *b);
    b->corners = mst_arena_take(arena, total + 1, sizeof *b->corners);
    b->order = mst_arena_take(arena, total + 1, sizeof *b->order);
    b->counts = mst_arena_take(arena, total + 1, sizeof *b->counts);
    b->points = mst_arena_take(arena, total + 1, 3 * sizeof *b->points);
    b->triangles = mst_arena_take(arena, total + 1, 3 * sizeof *b->triangles);
    if (!b->corners || !b->order || !b->counts || !b->points || !b->triangles)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&loops); *complete && mst_next(&it, &loop);) {
        size_t first = b->corner_count;
        for (mst_iterator each = mst_iterate(&loop); *complete && mst_next(&each, &edge);)
            *complete = add_corner(b, &edge, &edges, &vertices, points);
        b->counts[b->loop_count++] = (uint32_t)(b->corner_count - first);
    }
    return MST_OK;
}

mst_status mst_ns2_triangulate(const mst_value *mesh, const mst_value *face, const float *points,
                               mst_arena *arena, uint32_t **triangles, size_t *count) {
    border b;
    bool complete;
    *count = 0;
    mst_status status = read_border(face, mesh, points, arena, &b, &complete);
    *triangles = b.triangles;
    if (status == MST_OK && complete && b.loop_count)
        status = mst_polygon_triangulate(b.points, b.order, b.counts, b.loop_count, &arena->allocator,
                                         b.triangles, count);
    for (size_t i = 0; i < 3 * *count; i++)
        b.triangles[i] = b.corners[b.triangles[i]];
    return status;
}

mst_status mst_ns2_triangles_text(const mst_document *document, const uint32_t *triangles,
                                  const uint32_t *normals, size_t count, mst_arena *arena,
                                  const char **json) {
    mst_value smooth;
    const uint32_t none =
        mst_find(mst_root(document), "mesh.triangles.smoothed_normals", &smooth, NULL) == MST_OK
            ? (uint32_t)mst_count(&smooth)
            : 0;
    size_t capacity = 160 * count + 3, length = 1;
    char *text = mst_arena_take(arena, capacity, 1);
    if (!text)
        return MST_NO_MEMORY;
    text[0] = '[';
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = &triangles[3 * i], *n = normals ? &normals[3 * i] : NULL;
        length += (size_t)snprintf(text + length, capacity - length, "%s{\"vertices\":[%u,%u,%u]",
                                   i ? "," : "", t[0], t[1], t[2]);
        if (document->variant.version >= 8)
            length += (size_t)snprintf(text + length, capacity - length, ",\"normals\":[%u,%u,%u]",
                                       n ? n[0] : none, n ? n[1] : none, n ? n[2] : none);
        text[length++] = '}';
    }
    text[length++] = ']';
    text[length] = 0;
    *json = text;
    return MST_OK;
}

mst_status mst_ns2_row(const mst_value *face, const mst_field *rows, mst_arena *arena, const char **json) {
    const mst_document *document = face->document;
    mst_value mesh;
    uint32_t *made;
    size_t count;
    if (rows->record != &mst_ns2_face_triangles_record ||
        mst_find(mst_root(document), "mesh", &mesh, NULL) != MST_OK)
        return MST_OK;
    mst_status status = mst_ns2_triangulate(&mesh, face, NULL, arena, &made, &count);
    return status == MST_OK && count ? mst_ns2_triangles_text(document, made, NULL, count, arena, json)
                                     : status;
}

/* ---- a face from its border ------------------------------------------------------------------------- */

/* The normals of new triangles: the normals of the same vertices in the old triangles, else none. */
static mst_status keep_normals(const mst_document *document, const mst_ns2_triangle *old, uint64_t old_count,
                               const uint32_t *made, size_t count, uint32_t *normals) {
    mst_hash_map known = {.allocator = document->allocator};
    mst_value list;
    mst_status status = MST_OK;
    const uint32_t none =
        mst_find(mst_root(document), "mesh.triangles.smoothed_normals", &list, NULL) == MST_OK
            ? (uint32_t)mst_count(&list)
            : 0;
    for (uint64_t i = 0; i < 3 * old_count && status == MST_OK; i++) {
        mst_hash_map_entry corner = mst_key_number(old[i / 3].vertices[i % 3]);
        corner.value = old[i / 3].normals[i % 3];
        if (!mst_hash_map_add(&known, corner))
            status = MST_NO_MEMORY;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        const uint32_t *normal = mst_hash_map_find(&known, mst_key_number(made[i]));
        normals[i] = normal ? *normal : none;
    }
    mst_hash_map_end(&known);
    return status;
}

mst_status mst_ns2_redraw(const mst_value *mesh, const mst_value *face, const mst_value *row,
                          mst_arena *arena, bool *has_area, const char **json) {
    const mst_document *document = mesh->document;
    const uint64_t capacity = mst_count(row);
    uint64_t old_count = 0;
    uint32_t *made = NULL;
    size_t count = 0;
    mst_bound bound;
    *json = NULL;
    mst_status status = mst_ns2_triangulate(mesh, face, NULL, arena, &made, &count);
    *has_area = count != 0;
    if (status != MST_OK || !count || !capacity)
        return status;
    mst_ns2_triangle *old = mst_arena_zero(arena, (size_t)capacity, sizeof *old);
    uint32_t *normals = mst_arena_take(arena, count, 3 * sizeof *normals);
    if (!old || !normals)
        return MST_NO_MEMORY;
    mst_bind(document, &mst_ns2_triangle_bindings, &bound);
    old_count = mst_fill_list(&bound, row, old, capacity);
    status = keep_normals(document, old, old_count, made, count, normals);
    return status == MST_OK ? mst_ns2_triangles_text(document, made, normals, count, arena, json) : status;
}
