/* SPDX-License-Identifier: MIT */
/*
 * Moving, rotating and scaling faces: all their vertices move, and their textures stay in place on them, by
 * changed angles, offsets and scales. Triangles of other faces that share vertices with them are made again.
 */
#include "../../core/diagnose.h"
#include "../../core/number.h"
#include "../../core/vector.h"
#include "../../edit/elements.h"
#include "../../edit/moving.h"
#include "../../scene/geometry.h"
#include "ns2.h"
#include "ns2_mesh.h"
#include "triangles.h"
#include <math.h>

#define TURN   6.283185307179586476925
#define SAME   1e-6 /* angles and scales that differ by less are kept */
#define SHOWN  5e-6 /* of a texture: much less than a texel */
#define SKEWED 1e-3

/* How a face, a vertex or a normal is affected, as bits. */
enum { MOVES = 1, STAYS = 2, DRAGGED = 4 };

typedef struct carry_state {
    const mst_together *what;
    mst_diagnostic *diagnostic;
    mst_arena *arena;
    const char *prefix; /* of paths: "mesh." */
    mst_value mesh, faces;
    mst_bound face_bound, edge_bound, triangle_bound;
    uint64_t face_count;
    uint32_t vertex_count, point_count, edge_count, normal_count;
    float *points, *moved, *normals; /* points: vertices, then ghosts; `moved`: their positions afterwards */
    uint32_t *edges;                 /* pairs of vertices */
    uint8_t *face, *point, *normal;
    mst_array loop_edges, corners, triangles; /* of one face */
    mst_motion motion;
    double inverse[3][3]; /* of the motion's linear part, transposed: for normals and textures */
    bool turns;
    uint64_t users, skewed;
    char first[80]; /* user */
} carry_state;

/* ---- the mesh -------------------------------------------------------------------------------------- */

static mst_status read_list(const carry_state *c, const char *path, mst_element_type type,
                            uint32_t components, const void *before, uint32_t from, void **data,
                            uint32_t *count) {
    mst_value list;
    const uint64_t length = mst_find(c->mesh, path, &list, NULL) == MST_OK ? mst_count(&list) : 0;
    uint8_t *all = mst_arena_take(c->arena, (size_t)(from + length) + 1, (size_t)4 * components);
    if (!all)
        return MST_NO_MEMORY;
    if (from)
        memcpy(all, before, (size_t)4 * components * from);
    *data = all;
    *count = from + mst_ns2_read_list(&list, length, type, components, all + (size_t)4 * components * from);
    return MST_OK;
}

static mst_status read_mesh(carry_state *c) {
    void *points = NULL, *edges = NULL, *normals = NULL;
    mst_status status = read_list(c, "vertices[:].position", MST_F32, 3, NULL, 0, &points, &c->vertex_count);
    if (status == MST_OK)
        status = read_list(c, "triangles.ghost_vertices[:]", MST_F32, 3, points, c->vertex_count, &points,
                           &c->point_count);
    if (status == MST_OK)
        status = read_list(c, "edges[:].vertices", MST_U32, 2, NULL, 0, &edges, &c->edge_count);
    if (status == MST_OK)
        status =
            read_list(c, "triangles.smoothed_normals[:]", MST_F32, 3, NULL, 0, &normals, &c->normal_count);
    c->points = points, c->edges = edges, c->normals = normals;
    c->face_count = mst_count(&c->faces);
    c->face = mst_arena_zero(c->arena, (size_t)c->face_count + 1, 1);
    c->point = mst_arena_zero(c->arena, (size_t)c->point_count + 1, 1);
    c->normal = mst_arena_zero(c->arena, (size_t)c->normal_count + 1, 1);
    c->moved = mst_arena_take(c->arena, (size_t)c->point_count + 1, 3 * sizeof *c->moved);
    return status == MST_OK && c->face && c->point && c->normal && c->moved ? MST_OK : MST_NO_MEMORY;
}

/* The faces that move. MST_UNSUPPORTED: some paths are not faces. */
static mst_status read_paths(carry_state *c) {
    const mst_together *what = c->what;
    const char *list_path = NULL, *first = NULL;
    mst_value list, face;
    uint64_t index;
    for (size_t i = 0; i < what->count; i++) {
        if (mst_find(mst_root(what->document), what->paths[i], &face, NULL) != MST_OK ||
            mst_field_of(&face)->record != &mst_ns2_face_record || mst_shape_of(&face) != MST_SHAPE_ONE)
            return MST_UNSUPPORTED;
        mst_status status = mst_element_at(what->document, what->paths[i], c->arena, &list_path, &list,
                                           &index, c->diagnostic);
        if (status != MST_OK)
            return status;
        if (!first) {
            size_t length = strlen(list_path) - strlen("faces");
            first = list_path;
            c->faces = list;
            c->prefix = mst_arena_text(c->arena, list_path, length);
            const char *mesh = mst_arena_text(c->arena, list_path, length - 1);
            if (!c->prefix || !mesh)
                return MST_NO_MEMORY;
            status = mst_find(mst_root(what->document), mesh, &c->mesh, c->diagnostic);
            if (status == MST_OK)
                status = read_mesh(c);
        } else if (strcmp(first, list_path) != 0) {
            status = mst_fail(c->diagnostic, MST_ARGUMENT, "these are faces of several meshes");
        }
        if (status != MST_OK)
            return status;
        c->face[index] = MOVES;
    }
    return MST_OK;
}

/* The edges of a loop. */
static mst_status read_edges(carry_state *c, const mst_value *loop) {
    uint64_t count = mst_count(loop);
    c->loop_edges.count = 0;
    mst_ns2_loop_edge *edges = mst_array_push(&c->loop_edges, (size_t)count);
    if (!edges && count)
        return MST_NO_MEMORY;
    c->loop_edges.count = count ? (size_t)mst_fill_list(&c->edge_bound, loop, edges, count) : 0;
    return MST_OK;
}

/* Collects the bits of all vertices of a face, and adds the bits of `mark` to them. */
static mst_status go_over_face(carry_state *c, const mst_value *face, uint8_t mark, uint8_t *bits) {
    mst_ns2_bound_face bound = {.mapping_group = MST_NS2_NONE};
    mst_value loop;
    mst_status status = MST_OK;
    *bits = 0;
    mst_fill(&c->face_bound, face, &bound);
    for (mst_iterator it = mst_iterate(&bound.loops); status == MST_OK && mst_next(&it, &loop);) {
        status = read_edges(c, &loop);
        const mst_ns2_loop_edge *edges = c->loop_edges.items;
        for (size_t i = 0; i < c->loop_edges.count; i++)
            for (size_t end = 0; end < 2 && edges[i].edge < c->edge_count; end++) {
                uint32_t vertex = c->edges[2 * (size_t)edges[i].edge + end];
                if (vertex >= c->vertex_count)
                    continue;
                *bits |= c->point[vertex];
                c->point[vertex] |= mark;
            }
    }
    return status;
}

static mst_status say(carry_state *c, mst_severity severity, const char *path, const char *message) {
    mst_diagnostic said = {.severity = severity, .offset = MST_NO_OFFSET};
    const mst_edit_options *options = c->what->options;
    MST_SET(said.path, "%s", path);
    MST_SET(said.message, "%s", message);
    return options->report ? options->report(options->user, &said) : MST_OK;
}

/* Marks the vertices that move, and the faces that use some of them without moving themselves. */
static mst_status mark_vertices(carry_state *c) {
    mst_value face;
    uint64_t index = 0;
    uint8_t bits;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&c->faces); status == MST_OK && mst_next(&it, &face); index++)
        if (c->face[index] & MOVES)
            status = go_over_face(c, &face, MOVES, &bits);
    index = 0;
    for (mst_iterator it = mst_iterate(&c->faces); status == MST_OK && mst_next(&it, &face); index++) {
        if (c->face[index] & MOVES)
            continue;
        status = go_over_face(c, &face, STAYS, &bits);
        if (status != MST_OK || !(bits & MOVES))
            continue;
        const char *path = mst_arena_printf(c->arena, "%sfaces[%llu]", c->prefix, (unsigned long long)index);
        c->face[index] |= DRAGGED;
        if (!c->users++)
            MST_SET(c->first, "%s", path ? path : "");
        status = !path ? MST_NO_MEMORY
                 : c->what->options->drag
                     ? say(c, MST_INFORMATION, path, "dragged along: it shares vertices with moving faces")
                     : say(c, MST_ERROR, path, "stays, and shares vertices with faces that would move");
    }
    if (status != MST_OK || !c->users || c->what->options->drag)
        return status;
    mst_fail(c->diagnostic, MST_REFUSED, "faces that stay share vertices with faces that would move");
    if (c->diagnostic) {
        MST_SET(c->diagnostic->path, "%s", c->what->paths[0]);
        MST_SET(c->diagnostic->expected, "all of them, or --drag");
        if (c->users > 1)
            MST_SET(c->diagnostic->found, "%s and %llu more", c->first, (unsigned long long)c->users - 1);
        else
            MST_SET(c->diagnostic->found, "%s", c->first);
    }
    return MST_REFUSED;
}

/* ---- the motion ------------------------------------------------------------------------------------ */

/* A ghost vertex moves if only triangles of moving faces use it. */
static bool goes(const carry_state *c, uint32_t point) {
    return point < c->vertex_count ? (c->point[point] & MOVES) != 0
                                   : point < c->point_count && c->point[point] == MOVES;
}

static mst_status read_motion(carry_state *c) {
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, middle[3];
    bool any = false;
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        const float *p = c->points + 3 * (size_t)i;
        if (!goes(c, i) || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            continue;
        for (int k = 0; k < 3; k++) {
            low[k] = any ? fmin(low[k], (double)p[k]) : (double)p[k];
            high[k] = any ? fmax(high[k], (double)p[k]) : (double)p[k];
        }
        any = true;
    }
    for (int k = 0; k < 3; k++)
        middle[k] = (low[k] + high[k]) / 2;
    mst_status status = mst_motion_of(c->what->document, c->what->operation, mst_ns2_vertex_record.placement,
                                      middle, c->arena, &c->motion, c->diagnostic);
    if (status != MST_OK)
        return status;
    double(*m)[3] = c->motion.linear, determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c->inverse[i][k] = m[(i + 1) % 3][(k + 1) % 3] * m[(i + 2) % 3][(k + 2) % 3] -
                               m[(i + 1) % 3][(k + 2) % 3] * m[(i + 2) % 3][(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        determinant += m[0][k] * c->inverse[0][k];
    if (!(determinant > 0)) {
        mst_fail(c->diagnostic, MST_ARGUMENT, "faces are scaled by factors above 0");
        if (c->diagnostic)
            MST_SET(c->diagnostic->path, "%s", c->what->paths[0]);
        return MST_ARGUMENT;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c->inverse[i][k] /= determinant;
    c->turns = c->what->operation->kind != MST_OPERATION_MOVE_BY;
    return MST_OK;
}

static void multiply(double m[3][3], const double v[3], double result[3]) {
    for (int i = 0; i < 3; i++)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static bool make_unit(double v[3]) {
    double length = sqrt(mst_dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return isfinite(length) && length > 1e-30;
}

static bool are_same(const float *a, const float *b, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static mst_status put(carry_state *c, const char *path, const char *json) {
    mst_moved *one = mst_array_push(c->what->moved, 1);
    if (!one || !path || !json)
        return MST_NO_MEMORY;
    *one = (mst_moved){path, json};
    return MST_OK;
}

/* Sets a list of numbers, or a single number. */
static mst_status put_numbers(carry_state *c, const char *path, const float *numbers, unsigned count) {
    char text[3 * (MST_NUMBER_MAX + 1) + 3];
    size_t length = 0;
    if (count > 1)
        text[length++] = '[';
    for (unsigned i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            mst_fail(c->diagnostic, MST_ARGUMENT, "the result is not a finite number");
            if (c->diagnostic && path)
                MST_SET(c->diagnostic->path, "%s", path);
            return MST_ARGUMENT;
        }
        if (i)
            text[length++] = ',';
        length += mst_write_f32(text + length, numbers[i] + 0.0F); /* no -0 */
    }
    if (count > 1)
        text[length++] = ']';
    return put(c, path, mst_arena_text(c->arena, text, length));
}

static mst_status move_points(carry_state *c) {
    mst_status status = MST_OK;
    memcpy(c->moved, c->points, 3 * sizeof *c->moved * c->point_count);
    for (uint32_t i = 0; i < c->point_count && status == MST_OK; i++) {
        const float *from = c->points + 3 * (size_t)i;
        float *to = c->moved + 3 * (size_t)i;
        double p[3] = {(double)from[0], (double)from[1], (double)from[2]}, now[3];
        if (!goes(c, i) || !isfinite(from[0]) || !isfinite(from[1]) || !isfinite(from[2]))
            continue;
        multiply(c->motion.linear, p, now);
        for (int k = 0; k < 3; k++) {
            double sum = now[k] + c->motion.shift[k];
            to[k] = fabs(sum) <= 3e38 ? (float)sum : INFINITY;
        }
        if (are_same(from, to, 3))
            continue;
        bool ghost = i >= c->vertex_count;
        status = put_numbers(c,
                             ghost ? mst_arena_printf(c->arena, "%striangles.ghost_vertices[%u]", c->prefix,
                                                      i - c->vertex_count)
                                   : mst_arena_printf(c->arena, "%svertices[%u].position", c->prefix, i),
                             to, 3);
    }
    return status;
}

/* Normals that are shared with parts that stay become wrong for parts that move, unless the motion keeps
 * them. */
static mst_status turn_normals(carry_state *c) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < c->normal_count && status == MST_OK; i++) {
        const float *from = c->normals + 3 * (size_t)i;
        double n[3] = {(double)from[0], (double)from[1], (double)from[2]}, now[3], by = 0;
        multiply(c->inverse, n, now);
        if (!(c->normal[i] & MOVES) || !make_unit(now) || !make_unit(n))
            continue;
        for (int k = 0; k < 3; k++)
            by = fmax(by, fabs(now[k] - n[k]));
        const float to[3] = {(float)now[0], (float)now[1], (float)now[2]};
        if (!c->turns || by < SAME)
            c->normal[i] = MOVES;
        else if (c->normal[i] == MOVES)
            status = put_numbers(
                c, mst_arena_printf(c->arena, "%striangles.smoothed_normals[%u]", c->prefix, i), to, 3);
    }
    return status;
}

/* ---- textures -------------------------------------------------------------------------------------- */

/* The corners of a face's border, and their middle. */
static mst_status read_border(carry_state *c, const mst_value *loops, double middle[3]) {
    mst_value loop;
    c->corners.count = 0;
    mst_status status = mst_element(loops, 0, &loop) == MST_OK ? read_edges(c, &loop) : MST_NO_PATH;
    if (status != MST_OK)
        return status;
    const mst_ns2_loop_edge *edges = c->loop_edges.items;
    middle[0] = middle[1] = middle[2] = 0;
    for (size_t i = 0; i < c->loop_edges.count; i++) {
        uint32_t *corner = mst_array_push(&c->corners, 1);
        if (!corner)
            return MST_NO_MEMORY;
        *corner = edges[i].edge < c->edge_count
                      ? c->edges[2 * (size_t)edges[i].edge + (edges[i].flipped ? 1 : 0)]
                      : UINT32_MAX;
        if (*corner >= c->vertex_count)
            return MST_NO_PATH;
        for (size_t k = 0; k < 3; k++)
            middle[k] += (double)c->points[3 * (size_t)*corner + k] / (double)c->loop_edges.count;
    }
    return isfinite(middle[0] + middle[1] + middle[2]) && c->corners.count ? MST_OK : MST_NO_PATH;
}

/* The unit normal of the border, and the axes that a texture has there. */
static bool axes_of(const carry_state *c, const float *points, double u[3], double v[3]) {
    double n[3];
    mst_polygon_normal(points, c->corners.items, c->corners.count, n);
    if (!make_unit(n))
        return false;
    mst_ns2_texture_axes(n, u, v);
    return true;
}

/* The placement of a texture on a face. */
typedef struct texture_placement {
    float angle, offset[2], scale[2];
} texture_placement;

/* The texture coordinates of a point at `p`, before the offset is added. */
static void texels(const texture_placement *t, const double u[3], const double v[3], const double p[3],
                   double at[2]) {
    double x = mst_dot(p, u), y = mst_dot(p, v), c = cos((double)t->angle), s = sin((double)t->angle);
    at[0] = (c * x - s * y) * (double)t->scale[0];
    at[1] = -(s * x + c * y) * (double)t->scale[1];
}

/* The scale and the angle of one of a texture's two directions; a negligible change is ignored. */
static void direction(double along, double across, float *scale, double *angle) {
    double sign = *scale < 0 ? -1 : 1, length = sqrt(along * along + across * across);
    *angle = atan2(across * sign, along * sign);
    if (fabs(length / fabs((double)*scale) - 1) >= SAME)
        *scale = (float)(sign * length);
}

/* Whether the rotation of its texture by an angle is noticeable at a corner of the face; if not, it is due to
 * the rounding of the corners' positions. */
static bool shows(const carry_state *c, const texture_placement *t, const double middle[3], double angle) {
    const double scale = fmax(fabs((double)t->scale[0]), fabs((double)t->scale[1]));
    double farthest = 0;
    for (size_t i = 0; i < c->corners.count; i++) {
        const float *at = c->points + 3 * (size_t)((const uint32_t *)c->corners.items)[i];
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += ((double)at[k] - middle[k]) * ((double)at[k] - middle[k]);
        farthest = fmax(farthest, square);
    }
    return fabs(angle) >= SAME && fabs(angle) * sqrt(farthest) * scale >= SHOWN;
}

/* Keeps the texture in place on a face, in the face's new position. */
static mst_status keep_texture(carry_state *c, const mst_value *face, uint64_t index) {
    mst_ns2_bound_face bound = {.mapping_group = MST_NS2_NONE};
    double middle[3], there[3], u[3], v[3], new_u[3], new_v[3], before[2], after[2], first, second;
    mst_fill(&c->face_bound, face, &bound);
    texture_placement t = {bound.angle, {bound.offset[0], bound.offset[1]}, {bound.scale[0], bound.scale[1]}},
                      now = t;
    double all =
        (double)t.angle + (double)t.offset[0] + (double)t.offset[1] + (double)t.scale[0] + (double)t.scale[1];
    if (bound.mapping_group != MST_NS2_NONE || !isfinite(all) || t.scale[0] == 0 || t.scale[1] == 0)
        return MST_OK;
    mst_status status = read_border(c, &bound.loops, middle);
    if (status != MST_OK || !axes_of(c, c->points, u, v) || !axes_of(c, c->moved, new_u, new_v))
        return status == MST_NO_PATH ? MST_OK : status;
    double cosine = cos((double)t.angle), sine = sin((double)t.angle), right[3], down[3], new_right[3],
           new_down[3];
    for (int k = 0; k < 3; k++) {
        right[k] = (double)t.scale[0] * (cosine * u[k] - sine * v[k]);
        down[k] = (double)t.scale[1] * (sine * u[k] + cosine * v[k]);
    }
    multiply(c->inverse, right, new_right);
    multiply(c->inverse, down, new_down);
    direction(mst_dot(new_right, new_u), -mst_dot(new_right, new_v), &now.scale[0], &first);
    direction(mst_dot(new_down, new_v), mst_dot(new_down, new_u), &now.scale[1], &second);
    c->skewed += fabs(remainder(first - second, TURN)) > SKEWED;
    double by = remainder(first - (double)t.angle, TURN);
    if (shows(c, &t, middle, by))
        now.angle = (float)remainder((double)t.angle + by, TURN);
    multiply(c->motion.linear, middle, there);
    for (int k = 0; k < 3; k++)
        there[k] += c->motion.shift[k];
    texels(&t, u, v, middle, before);
    texels(&now, new_u, new_v, there, after);
    for (int k = 0; k < 2; k++)
        if (fabs(before[k] - after[k]) >= SAME)
            now.offset[k] = (float)((double)t.offset[k] + before[k] - after[k]);
    const char *path = mst_arena_printf(c->arena, "%sfaces[%llu]", c->prefix, (unsigned long long)index);
    if (!path)
        return MST_NO_MEMORY;
    if (now.angle != t.angle)
        status = put_numbers(c, mst_arena_printf(c->arena, "%s.angle", path), &now.angle, 1);
    if (status == MST_OK && !are_same(now.offset, t.offset, 2))
        status = put_numbers(c, mst_arena_printf(c->arena, "%s.offset", path), now.offset, 2);
    if (status == MST_OK && !are_same(now.scale, t.scale, 2))
        status = put_numbers(c, mst_arena_printf(c->arena, "%s.scale", path), now.scale, 2);
    return status;
}

static mst_status keep_textures(carry_state *c) {
    mst_value face;
    uint64_t index = 0;
    mst_status status = MST_OK;
    if (c->what->options->world_texture)
        return MST_OK;
    for (mst_iterator it = mst_iterate(&c->faces); status == MST_OK && mst_next(&it, &face); index++)
        if (c->face[index] & MOVES)
            status = keep_texture(c, &face, index);
    if (status == MST_OK && c->skewed)
        status =
            say(c, MST_INFORMATION, c->what->paths[0],
                "this would skew textures, which faces cannot store: they are placed slightly differently");
    return status;
}

/* ---- triangles ------------------------------------------------------------------------------------- */

static mst_status read_triangles(carry_state *c, const mst_value *list) {
    uint64_t count = mst_count(list);
    c->triangles.count = 0;
    mst_ns2_triangle *triangles = mst_array_push(&c->triangles, (size_t)count);
    if (!triangles && count)
        return MST_NO_MEMORY;
    c->triangles.count = count ? (size_t)mst_fill_list(&c->triangle_bound, list, triangles, count) : 0;
    return MST_OK;
}

/* Marks the ghost vertices and normals of the triangles of moving faces, and of faces that stay. */
static mst_status mark_triangles(carry_state *c, const mst_value *lists) {
    mst_value list;
    uint64_t index = 0;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(lists);
         status == MST_OK && index < c->face_count && mst_next(&it, &list); index++) {
        uint8_t mark = c->face[index] & MOVES ? MOVES : STAYS;
        status = read_triangles(c, &list);
        const mst_ns2_triangle *triangles = c->triangles.items;
        for (size_t i = 0; i < c->triangles.count; i++)
            for (int k = 0; k < 3; k++) {
                uint32_t point = triangles[i].vertices[k], normal = triangles[i].normals[k];
                if (point >= c->vertex_count && point < c->point_count)
                    c->point[point] |= mark;
                if (normal < c->normal_count)
                    c->normal[normal] |= mark;
            }
    }
    return status;
}

/* Whether the triangles of a face no longer fit, or only their normals (`flat`). */
static bool must_be_made(const carry_state *c, uint64_t index, bool *flat) {
    const mst_ns2_triangle *triangles = c->triangles.items;
    bool moves = (c->face[index] & MOVES) != 0, made = (c->face[index] & DRAGGED) != 0;
    *flat = false;
    for (size_t i = 0; i < c->triangles.count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t point = triangles[i].vertices[k], normal = triangles[i].normals[k];
            made |= point < c->point_count && goes(c, point) != moves;
            *flat |= moves && normal < c->normal_count && c->normal[normal] != MOVES;
        }
    return made && c->triangles.count;
}

/* The vertices of the triangles that a face has. */
static mst_status same_triangles(const carry_state *c, uint32_t **same, size_t *count) {
    const mst_ns2_triangle *triangles = c->triangles.items;
    *count = c->triangles.count;
    *same = mst_arena_take(c->arena, *count + 1, 3 * sizeof **same);
    for (size_t i = 0; *same && i < *count; i++)
        memcpy(*same + 3 * i, triangles[i].vertices, sizeof triangles[i].vertices);
    return *same ? MST_OK : MST_NO_MEMORY;
}

static mst_status make_triangles(carry_state *c, const mst_value *lists) {
    mst_value list, face;
    uint64_t index = 0;
    mst_status status = MST_OK;
    mst_iterator faces = mst_iterate(&c->faces);
    for (mst_iterator it = mst_iterate(lists);
         status == MST_OK && mst_next(&faces, &face) && mst_next(&it, &list); index++) {
        uint32_t *made = NULL;
        size_t count = 0;
        const char *json = NULL;
        bool flat = false;
        status = read_triangles(c, &list);
        if (status == MST_OK && must_be_made(c, index, &flat))
            status = mst_ns2_triangulate(&c->mesh, &face, c->moved, c->arena, &made, &count);
        else if (status == MST_OK && flat)
            status = same_triangles(c, &made, &count);
        if (status == MST_OK && count)
            status = mst_ns2_triangles_text(c->what->document, made, NULL, count, c->arena, &json);
        if (status == MST_OK && json)
            status = put(
                c,
                mst_arena_printf(c->arena, "%striangles.faces[%llu]", c->prefix, (unsigned long long)index),
                json);
    }
    return status;
}

/* ---- the whole operation --------------------------------------------------------------------------- */

static mst_status carry(carry_state *c) {
    mst_value lists;
    mst_status status = read_paths(c);
    bool stored = status == MST_OK && mst_find(c->mesh, "triangles.faces", &lists, NULL) == MST_OK;
    if (status == MST_OK)
        status = mark_vertices(c);
    if (status == MST_OK && stored)
        status = mark_triangles(c, &lists);
    if (status == MST_OK)
        status = read_motion(c);
    if (status == MST_OK)
        status = move_points(c);
    if (status == MST_OK)
        status = turn_normals(c);
    if (status == MST_OK)
        status = keep_textures(c);
    return status == MST_OK && stored ? make_triangles(c, &lists) : status;
}

mst_status mst_ns2_move_together(const mst_together *what, mst_diagnostic *diagnostic) {
    mst_allocator allocator = what->document->allocator;
    carry_state *c = mst_arena_zero(what->arena, 1, sizeof *c); /* too much for the stack */
    if (!c)
        return MST_NO_MEMORY;
    c->what = what;
    c->diagnostic = diagnostic;
    c->arena = what->arena;
    c->loop_edges = (mst_array){.element_size = sizeof(mst_ns2_loop_edge), .allocator = allocator};
    c->corners = (mst_array){.element_size = sizeof(uint32_t), .allocator = allocator};
    c->triangles = (mst_array){.element_size = sizeof(mst_ns2_triangle), .allocator = allocator};
    mst_bind(what->document, &mst_ns2_face_bindings, &c->face_bound);
    mst_bind(what->document, &mst_ns2_loop_edge_bindings, &c->edge_bound);
    mst_bind(what->document, &mst_ns2_triangle_bindings, &c->triangle_bound);
    mst_status status = carry(c);
    mst_array_free(&c->loop_edges);
    mst_array_free(&c->corners);
    mst_array_free(&c->triangles);
    return status;
}
