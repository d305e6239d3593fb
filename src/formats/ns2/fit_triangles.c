/* SPDX-License-Identifier: MIT */
/*
 * Triangles of faces whose shape has changed. Where an edge ends in the middle of a face's border, the editor
 * makes that position a corner of the face's triangles, mostly as a ghost vertex: 4,175 faces of 17 of 28
 * levels have such corners, all of them on an edge of their border. Dragging a corner of the border moves the
 * border away from these positions, and the triangles would draw the face in its old shape: they are rebuilt
 * from its border. A face whose triangles were already off its border, and have not moved, is kept.
 */
#include "../../core/diagnose.h"
#include "../../core/hash.h"
#include "../../core/map.h"
#include "../../core/vector.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_mesh.h"
#include "triangles.h"
#include <mapstone/edit.h>

/* ---- faces that have lost their triangles ------------------------------------------------------------ */

/* A face with triangles that have corners off its border. */
typedef struct astray {
    uint64_t face, hash; /* of the positions of the triangles' corners */
} astray;

/* A mesh, by columns. */
typedef struct mesh {
    const mst_document *document;
    mst_value faces;
    float *places; /* three for each vertex, then for each ghost vertex */
    uint32_t *edges;
    uint32_t *face_of; /* by vertex: the last visited face that has it, plus one */
    uint64_t vertex_count, place_count, edge_count;
    mst_array astray; /* astray, in the order of the faces */
} mesh;

/* Without vertices it is empty. */
static mst_status read_places(mesh *m, mst_arena *arena) {
    mst_value vertices, ghosts;
    const mst_value root = mst_root(m->document);
    if (mst_find(root, "mesh.vertices[:].position", &vertices, NULL) != MST_OK)
        return MST_OK;
    const bool haunted = mst_find(root, "mesh.triangles.ghost_vertices[:]", &ghosts, NULL) == MST_OK;
    const uint64_t ghost_count = haunted ? mst_count(&ghosts) : 0, count = mst_count(&vertices) + ghost_count;
    m->places = mst_arena_zero(arena, (size_t)count + 1, 3 * sizeof *m->places);
    if (!m->places)
        return MST_NO_MEMORY;
    m->vertex_count = mst_ns2_read_list(&vertices, count - ghost_count, MST_F32, 3, m->places);
    m->place_count = m->vertex_count +
                     mst_ns2_read_list(&ghosts, ghost_count, MST_F32, 3, m->places + 3 * m->vertex_count);
    return MST_OK;
}

static mst_status read_edges(mesh *m, mst_arena *arena) {
    mst_value edges;
    const mst_value root = mst_root(m->document);
    if (mst_find(root, "mesh.faces", &m->faces, NULL) != MST_OK ||
        mst_find(root, "mesh.edges[:].vertices", &edges, NULL) != MST_OK)
        return MST_OK;
    m->edges = mst_arena_zero(arena, (size_t)mst_count(&edges) + 1, 2 * sizeof *m->edges);
    m->face_of = mst_arena_zero(arena, (size_t)m->vertex_count + 1, sizeof *m->face_of);
    if (!m->edges || !m->face_of)
        return MST_NO_MEMORY;
    m->edge_count = mst_ns2_read_list(&edges, mst_count(&edges), MST_U32, 2, m->edges);
    return MST_OK;
}

/* Calls with both ends of each edge of a face, until that returns false. */
typedef bool (*take_edge)(mesh *m, const uint32_t ends[2], const void *what);
static bool for_edges(mesh *m, const mst_value *face, take_edge take, const void *what) {
    mst_value loops = mst_member_in(face, "loops"), loop;
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);) {
        const mst_column edges = mst_column_in(&loop, "edge");
        for (uint64_t i = 0; i < edges.count; i++) {
            const uint32_t edge = mst_column_u32(&edges, i, 0);
            const uint32_t *ends = m->edges + 2 * (size_t)edge;
            if (edge < m->edge_count && ends[0] < m->vertex_count && ends[1] < m->vertex_count &&
                !take(m, ends, what))
                return false;
        }
    }
    return true;
}

static bool mark_ends(mesh *m, const uint32_t ends[2], const void *face) {
    m->face_of[ends[0]] = m->face_of[ends[1]] = *(const uint32_t *)face + 1;
    return true;
}

static void place_of(const mesh *m, uint32_t point, double at[3]) {
    for (size_t k = 0; k < 3; k++)
        at[k] = (double)m->places[3 * (size_t)point + k];
}

/* Also where one of the places is not a finite number. */
static bool is_off_edge(mesh *m, const uint32_t ends[2], const void *point) {
    double at[3], from[3], to[3];
    place_of(m, *(const uint32_t *)point, at);
    place_of(m, ends[0], from);
    place_of(m, ends[1], to);
    return !(mst_distance_to_line(at, from, to) <= MST_NS2_NEAR);
}

static uint64_t hash_corners(const mesh *m, const mst_ns2_triangle *triangles, uint64_t count) {
    uint64_t hash = MST_HASH;
    for (uint64_t i = 0; i < 3 * count; i++) {
        const uint32_t point = triangles[i / 3].vertices[i % 3];
        if (point < m->place_count)
            hash = mst_hash_bytes(hash, m->places + 3 * (size_t)point, 3 * sizeof *m->places);
    }
    return hash;
}

/* Records a face if a corner of its triangles is neither a corner of its border nor on it. `left`: how many
 * edges may still be compared with corners, since a crafted mesh may have too many. */
static mst_status look_at(mesh *m, uint32_t index, const mst_value *face, const mst_ns2_triangle *triangles,
                          uint64_t count, uint64_t *left) {
    uint64_t edges = 0;
    mst_value loops = mst_member_in(face, "loops"), loop;
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);)
        edges += mst_count(&loop);
    for_edges(m, face, mark_ends, &index);
    for (uint64_t i = 0; i < 3 * count; i++) {
        const uint32_t point = triangles[i / 3].vertices[i % 3];
        if (point >= m->place_count || (point < m->vertex_count && m->face_of[point] == index + 1))
            continue;
        if (edges > *left)
            return MST_OK;
        *left -= edges;
        if (!for_edges(m, face, is_off_edge, &point))
            continue;
        astray *one = mst_array_push(&m->astray, 1);
        if (!one)
            return MST_NO_MEMORY;
        *one = (astray){index, hash_corners(m, triangles, count)};
        return MST_OK;
    }
    return MST_OK;
}

static mst_status find_astray(mesh *m, mst_arena *arena) {
    mst_value rows, face, row;
    mst_bound bound;
    uint64_t left = 16 * m->document->size;
    uint32_t index = 0;
    mst_array triangles = {.element_size = sizeof(mst_ns2_triangle), .allocator = m->document->allocator};
    mst_status status = read_edges(m, arena);
    if (status != MST_OK || !m->edges ||
        mst_find(mst_root(m->document), "mesh.triangles.faces", &rows, NULL) != MST_OK)
        return status;
    mst_bind(m->document, &mst_ns2_triangle_bindings, &bound);
    mst_iterator faces = mst_iterate(&m->faces);
    for (mst_iterator it = mst_iterate(&rows);
         status == MST_OK && mst_next(&faces, &face) && mst_next(&it, &row); index++) {
        const uint64_t count = mst_count(&row);
        triangles.count = 0;
        mst_ns2_triangle *all = mst_array_push(&triangles, (size_t)count);
        if (count && !all)
            status = MST_NO_MEMORY;
        else if (count)
            status = look_at(m, index, &face, all, mst_fill_list(&bound, &row, all, count), &left);
    }
    mst_array_free(&triangles);
    return status;
}

typedef struct fit_state {
    mst_document *document;
    mesh before, after;
    mst_hash_map kept; /* hashes of the faces of `before` that were astray */
    mst_arena *arena;
    mst_diagnostic *diagnostic;
} fit_state;

static mst_status note_kept(fit_state *f) {
    const astray *all = f->before.astray.items;
    for (size_t i = 0; i < f->before.astray.count; i++)
        if (!mst_hash_map_add(&f->kept, mst_key_number(all[i].hash)))
            return MST_NO_MEMORY;
    return MST_OK;
}

static mst_status add_set(fit_state *f, const mst_value *around, const mst_value *face, const mst_value *row,
                          uint64_t index, mst_array *sets) {
    bool has_area;
    const char *json = NULL;
    mst_status status = mst_ns2_redraw(around, face, row, f->arena, &has_area, &json);
    if (status != MST_OK || !json)
        return status;
    const char *path = mst_arena_printf(f->arena, "mesh.triangles.faces[%llu]", (unsigned long long)index);
    mst_operation *set = path ? mst_array_push(sets, 1) : NULL;
    if (!set)
        return MST_NO_MEMORY;
    *set = (mst_operation){.kind = MST_OPERATION_SET, .path = path, .value = json};
    return MST_OK;
}

/* All faces in one edit: an edit for each would write the level as often. */
static mst_status redraw(fit_state *f) {
    const astray *all = f->after.astray.items;
    mst_value around, rows, face, row;
    mst_array sets = {.element_size = sizeof(mst_operation), .allocator = f->document->allocator};
    size_t next = 0;
    mst_status status = mst_find(mst_root(f->document), "mesh", &around, f->diagnostic);
    if (status == MST_OK)
        status = mst_find(around, "triangles.faces", &rows, f->diagnostic);
    if (status != MST_OK)
        return status;
    mst_iterator faces = mst_iterate(&f->after.faces), lists = mst_iterate(&rows);
    for (uint64_t index = 0; status == MST_OK && next < f->after.astray.count && mst_next(&faces, &face) &&
                             mst_next(&lists, &row);
         index++)
        if (all[next].face == index && !mst_hash_map_find(&f->kept, mst_key_number(all[next++].hash)))
            status = add_set(f, &around, &face, &row, index, &sets);
    if (status == MST_OK && sets.count)
        status = mst_edit(f->document, sets.items, sets.count, NULL, f->diagnostic);
    mst_array_free(&sets);
    return status;
}

/* Whether a vertex that both have has moved: if none has, all faces have kept their shape. */
static bool have_moved(const fit_state *f) {
    const mesh *a = &f->before, *b = &f->after;
    const uint64_t count = a->vertex_count < b->vertex_count ? a->vertex_count : b->vertex_count;
    return count && memcmp(a->places, b->places, (size_t)count * 3 * sizeof *a->places) != 0;
}

/* Most edits change no vertex, which a comparison of the bytes shows at once. */
static bool has_same_vertices(const fit_state *f) {
    mst_value a, b;
    if (mst_find(mst_root(f->before.document), "mesh.vertices", &a, NULL) != MST_OK ||
        mst_find(mst_root(f->document), "mesh.vertices", &b, NULL) != MST_OK)
        return true;
    const uint64_t size = mst_value_after(&a) - a.offset;
    return size == mst_value_after(&b) - b.offset &&
           memcmp(f->before.document->data + a.offset, f->document->data + b.offset, (size_t)size) == 0;
}

static mst_status fit(fit_state *f) {
    if (has_same_vertices(f))
        return MST_OK;
    mst_status status = read_places(&f->before, f->arena);
    if (status == MST_OK)
        status = read_places(&f->after, f->arena);
    if (status != MST_OK || !have_moved(f))
        return status;
    status = find_astray(&f->after, f->arena);
    if (status != MST_OK || !f->after.astray.count)
        return status;
    status = find_astray(&f->before, f->arena);
    if (status == MST_OK)
        status = note_kept(f);
    return status == MST_OK ? redraw(f) : status;
}

mst_status mst_ns2_fit_triangles(const mst_document *before, mst_document *after, mst_arena *arena,
                                 mst_diagnostic *diagnostic) {
    const mst_array none = {.element_size = sizeof(astray), .allocator = before->allocator};
    fit_state f = {.document = after,
                   .before = {.document = before, .astray = none},
                   .after = {.document = after, .astray = none},
                   .kept = {.allocator = before->allocator},
                   .arena = arena,
                   .diagnostic = diagnostic};
    mst_status status = fit(&f);
    mst_array_free(&f.before.astray);
    mst_array_free(&f.after.astray);
    mst_hash_map_end(&f.kept);
    return status;
}
