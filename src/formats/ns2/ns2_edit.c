/* SPDX-License-Identifier: MIT */
/* What follows edits of a level beyond the tables: numbers of triangles, triangles of new faces, the order of
 * materials. */
#include "../../core/diagnose.h"
#include "../../edit/follow.h"
#include "../../edit/single_edit.h"
#include "../../scene/geometry.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_classes.h"
#include <stdio.h>

/* ---- the number of triangles ------------------------------------------------------------------------ */

/* The number of triangles of all faces; `stored`: the field that has it, too. */
static bool count_triangles(const mst_document *document, mst_value *stored, uint64_t *sum) {
    mst_value faces, face;
    if (mst_find(mst_root(document), "mesh.triangles.triangle_count", stored, NULL) != MST_OK ||
        mst_find(mst_root(document), "mesh.triangles.faces", &faces, NULL) != MST_OK)
        return false;
    *sum = 0;
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &face);)
        *sum += mst_count(&face);
    return true;
}

void mst_ns2_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_value stored;
    uint64_t old, now;
    if (before->size == after->size || !count_triangles(before, &stored, &old) ||
        mst_scalar_of(&stored) != old || !count_triangles(after, &stored, &now))
        return;
    mst_store32(bytes + stored.offset, (uint32_t)now, false);
}

/* ---- triangles of new faces ------------------------------------------------------------------------- */

/* The corners of a face's loops. */
typedef struct border {
    uint32_t *corners, *order, *counts, *triangles;
    float *points;
    size_t corner_count, loop_count;
} border;

/* Adds the vertex that a directed edge begins at; false if there is none. */
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

/* Whether all corners are there; what else than MST_OK there is no memory for. */
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

/* ---- materials -------------------------------------------------------------------------------------- */

/* Where each material goes if they are in the order in which faces first use them. MST_UNKNOWN: there are no
 * materials, or one is not used. */
static mst_status order_materials(const mst_document *document, mst_arena *arena, uint32_t **now,
                                  bool *ordered) {
    mst_value faces, face, materials;
    if (mst_find(mst_root(document), "mesh.faces", &faces, NULL) != MST_OK ||
        mst_find(mst_root(document), "mesh.materials", &materials, NULL) != MST_OK)
        return MST_UNKNOWN;
    uint64_t count = mst_count(&materials);
    uint32_t used = 0;
    *now = mst_arena_take(arena, (size_t)count + 1, sizeof **now);
    if (!*now)
        return MST_NO_MEMORY;
    *ordered = true;
    memset(*now, 0xFF, (size_t)count * sizeof **now);
    for (mst_iterator it = mst_iterate(&faces); used < count && mst_next(&it, &face);) {
        uint64_t material = mst_number_in(&face, "material");
        if (material >= count || (*now)[material] != UINT32_MAX)
            continue;
        *ordered = *ordered && material == used;
        (*now)[material] = used++;
    }
    return used == count && count ? MST_OK : MST_UNKNOWN;
}

/* Triangles are on their faces; materials that were in the order of their first use still are; classes of
 * entities are known ones. */
mst_status mst_ns2_settle(const mst_document *before, mst_document *after,
                          const struct mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_arena arena;
    uint32_t *now = NULL;
    bool ordered = true;
    mst_arena_begin(&arena, &before->allocator, 0);
    mst_status status = mst_ns2_judge_classes(before, after, options, &arena, diagnostic);
    if (status == MST_OK)
        status = mst_ns2_fit_triangles(before, after, &arena, diagnostic);
    if (status == MST_OK)
        status = order_materials(before, &arena, &now, &ordered);
    if (status == MST_OK && ordered)
        status = order_materials(after, &arena, &now, &ordered);
    if (status == MST_OK && !ordered)
        status = mst_follow_order(after, "mesh.materials", now, NULL, diagnostic);
    else if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for the edit");
    mst_arena_end(&arena);
    return status == MST_UNKNOWN ? MST_OK : status;
}
