/* SPDX-License-Identifier: MIT */
/*
 * The level's own faces in an edited model: Natural Selection 2. Triangles are gathered by the number of
 * their face, whatever mesh they are in. A face is the same if the border of its triangles has the same
 * corners, by number or by place: so its triangles may be divided differently or joined, and its edges
 * divided.
 */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/vector.h"
#include "faces.h"
#include <math.h>

/* ---- one face ---- */

static const mst_face_corner *corner_of(const mst_face_triangle *triangles, size_t count, uint32_t number) {
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            if (triangles[i].corners[c].number == number)
                return &triangles[i].corners[c];
    return NULL;
}

/* The model's triangles with the level's positions of their numbers; false if a number does not belong to the
 * face, or is at two places. */
static bool as_before(const mst_face_triangle *before, size_t count, const mst_face_triangle *after,
                      size_t after_count, mst_face_triangle *made) {
    memcpy(made, after, after_count * sizeof *made);
    for (size_t i = 0; i < 3 * after_count; i++) {
        mst_face_corner *own = &made[i / 3].corners[i % 3];
        const mst_face_corner *was =
            own->number == MST_NO_INDEX ? NULL : corner_of(before, count, own->number);
        const mst_face_corner *first = was ? corner_of(after, after_count, own->number) : NULL;
        if (!first || mst_point_distance(first->at, own->at) > MST_SAME_POINT)
            return false;
        memcpy(own->at, was->at, sizeof own->at);
    }
    return true;
}

static bool has_moved(const double from[3], const double to[3]) {
    for (int i = 0; i < 3; i++)
        if (fabs(from[i] - to[i]) > fmax(2e-5, 4 * 1.1920929e-7 * fmax(fabs(from[i]), fabs(to[i]))))
            return true;
    return false;
}

/* Notes moved vertices; whether one of them has moved. */
static bool note_vertices(mst_face_work *f, const mst_face_triangle *before, size_t count,
                          const mst_face_triangle *after, size_t after_count) {
    bool any = false;
    for (size_t i = 0; i < 3 * after_count; i++) {
        const mst_face_corner *own = &after[i / 3].corners[i % 3];
        const mst_face_corner *was = corner_of(before, count, own->number);
        if (own->number >= f->vertex_count || !was) /* where edges meet others, which follow their vertices */
            continue;
        struct mst_moved_vertex *vertex = &f->vertices[own->number];
        if (!has_moved(was->at, own->at)) {
            vertex->stays_in = vertex->stays ? vertex->stays_in : before->face;
            vertex->stays = true;
            continue;
        }
        vertex->moved_in = vertex->moved ? vertex->moved_in : before->face;
        any = vertex->moved = true;
        for (int k = 0; k < 3; k++)
            vertex->to[k] =
                has_moved((const double[3]){was->at[k], 0, 0}, (const double[3]){own->at[k], 0, 0})
                    ? own->at[k]
                    : was->at[k];
    }
    return any;
}

static bool all_slivers(const mst_face_triangle *triangles, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!mst_is_sliver(&triangles[i]))
            return false;
    return true;
}

static bool has_one_material(const mst_face_triangle *triangles, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (triangles[i].material != triangles[0].material)
            return false;
    return true;
}

/* Records a face that is to be changed, with its triangles in the model. */
static mst_status note_changed(mst_face_work *f, const mst_face_triangle *before, size_t count,
                               const mst_face_triangle *after, size_t after_count) {
    mst_face_origin *origin = mst_array_push(&f->origins, 1);
    mst_face_triangle *kept = mst_array_push(&f->triangles, after_count),
                      *was = mst_arena_take(&f->w->scratch, count, sizeof *was);
    if (!origin || !kept || !was)
        return mst_importing_no_memory(f->w);
    memcpy(was, before, count * sizeof *was);
    *origin = (mst_face_origin){.face = before->face, .before = was, .count = count};
    mst_face_plane(before, count, origin->normal, &origin->distance);
    memcpy(kept, after, after_count * sizeof *kept);
    return MST_OK;
}

/* An unchanged face, which may have another material and texture mapping. */
static mst_status compare_look(mst_face_work *f, const mst_face_triangle *before, size_t count,
                               const mst_face_triangle *after, size_t after_count, bool moved) {
    double normal[3], distance;
    mst_status status = mst_import_material(f, before, after);
    /* textures of moved faces follow from their places */
    if (status == MST_OK && !moved && mst_face_plane(before, count, normal, &distance))
        status = mst_import_texture(f, before, count, after, after_count, normal, false);
    return status;
}

/* Whether all missing triangles of a face are ones that Blender drops. False: no memory. */
static bool lacks_dropped(mst_face_work *f, const mst_face_triangle *before, size_t count,
                          const mst_face_triangle *after, size_t after_count, bool *only) {
    size_t left = after_count;
    *only = after_count < count;
    for (size_t i = 0; i < count && *only; i++) {
        bool there = false;
        for (size_t k = 0; k < after_count && !there; k++)
            there = mst_same_triangle(&before[i], &after[k]);
        left -= there && left;
        if (!there && !mst_is_sliver(&before[i]) && !mst_face_has_twin(f, &before[i], only))
            return false;
    }
    *only = *only && !left;
    return true;
}

/* Whether all triangles face the side that the normal points to. */
static bool face_one_way(const mst_face_triangle *triangles, size_t count, const double normal[3]) {
    for (size_t i = 0; i < count; i++) {
        double own[3], distance;
        if (mst_face_plane(&triangles[i], 1, own, &distance) && !mst_is_sliver(&triangles[i]) &&
            !(mst_dot(own, normal) > 0.9))
            return false;
    }
    return true;
}

/* Whether a face of the same shape is seen from its other side: its normals were flipped. */
static bool is_turned(const mst_face_triangle *before, size_t count, const mst_face_triangle *after,
                      size_t after_count) {
    double was[3], is[3], distance;
    return mst_face_plane(before, count, was, &distance) &&
           mst_face_plane(after, after_count, is, &distance) && mst_dot(was, is) < -0.9 &&
           face_one_way(before, count, was) && face_one_way(after, after_count, is);
}

/* A face that still has triangles. */
static mst_status compare_face(mst_face_work *f, const mst_face_triangle *before, size_t count,
                               const mst_face_triangle *after, size_t after_count, mst_arena *arena) {
    mst_face_shape was, is;
    mst_face_triangle *moved_back = mst_arena_take(arena, after_count, sizeof *moved_back);
    if (!moved_back || !mst_face_shape_of(before, count, true, arena, &was))
        return mst_importing_no_memory(f->w);
    if (!has_one_material(after, after_count))
        return note_changed(f, before, count, after, after_count);
    if (as_before(before, count, after, after_count, moved_back)) {
        if (!mst_face_shape_of(moved_back, after_count, true, arena, &is))
            return mst_importing_no_memory(f->w);
        if (mst_same_shape(&was, &is, true)) {
            const bool moved = note_vertices(f, before, count, after, after_count);
            return is_turned(before, count, moved_back, after_count)
                       ? note_changed(f, before, count, after, after_count)
                       : compare_look(f, before, count, after, after_count, moved);
        }
    }
    if (!mst_face_shape_of(before, count, false, arena, &was) ||
        !mst_face_shape_of(after, after_count, false, arena, &is))
        return mst_importing_no_memory(f->w);
    bool same = mst_same_shape(&was, &is, false);
    if (!same && !lacks_dropped(f, before, count, after, after_count, &same))
        return mst_importing_no_memory(f->w);
    if (same && !is_turned(before, count, after, after_count))
        return compare_look(f, before, count, after, after_count, false);
    return note_changed(f, before, count, after, after_count);
}

/* Compares the triangles of a face; the model's begin at `after`. */
static mst_status compare_one(mst_face_work *f, const mst_face_ref *before, size_t count,
                              const mst_face_ref *after, size_t after_count) {
    mst_arena arena;
    mst_arena_begin(&arena, &f->w->result->allocator, 0);
    mst_face_triangle *was = mst_arena_take(&arena, count, sizeof *was),
                      *is = mst_arena_take(&arena, after_count, sizeof *is);
    mst_status status = was && is ? MST_OK : mst_importing_no_memory(f->w);
    bool twin = false;
    for (size_t i = 0; i < count && status == MST_OK; i++)
        mst_face_of_level(f, &before[i], &was[i]);
    for (size_t i = 0; i < after_count && status == MST_OK; i++)
        mst_face_of_model(f, &after[i], &is[i]);
    if (status == MST_OK && after_count) {
        status = mst_import_face_labels(f, is, after_count);
        if (status == MST_OK)
            status = compare_face(f, was, count, is, after_count, &arena);
    } else if (status == MST_OK && !all_slivers(was, count)) {
        status = mst_face_has_twin(f, was, &twin) ? MST_OK : mst_importing_no_memory(f->w);
        if (status == MST_OK && !twin)
            status = mst_script_remove(f->w, f->script, mst_path_of_face(f, before->face));
    }
    mst_arena_end(&arena);
    return status;
}

static mst_status compare_faces(mst_face_work *f) {
    const mst_face_ref *before = f->before.items, *after = f->after.items;
    size_t b = 0, a = 0, count = 0, missing = 0;
    mst_status status = MST_OK;
    while (b < f->before.count && status == MST_OK) {
        const uint32_t face = before[b].face;
        size_t end = b, after_end;
        while (end < f->before.count && before[end].face == face)
            end++;
        for (; after && a < f->after.count && after[a].face < face; a++)
            ; /* of a face that was not exported */
        for (after_end = a; after && after_end < f->after.count && after[after_end].face == face;)
            after_end++;
        status = compare_one(f, before + b, end - b, after ? after + a : NULL, after_end - a);
        count++;
        missing += after_end == a;
        b = end, a = after_end;
    }
    return status == MST_OK ? mst_doubt_missing(f->w, "faces", missing, count) : status;
}

/* ---- vertices ---- */

static mst_status move_vertices(mst_face_work *f) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < f->vertex_count && status == MST_OK; i++) {
        const struct mst_moved_vertex *vertex = &f->vertices[i];
        char text[3 * (MST_NUMBER_MAX + 1) + 1];
        size_t length = 0;
        if (!vertex->moved)
            continue;
        for (int k = 0; k < 3; k++) {
            if (k)
                text[length++] = ',';
            length += mst_write_f32(text + length, (float)(vertex->to[k] + 0.0));
        }
        text[length] = 0;
        const char *path = mst_arena_printf(f->w->arena, MST_VERTICES "[%lu]", (unsigned long)i);
        if (!path)
            return mst_importing_no_memory(f->w);
        if (vertex->stays)
            status = mst_importing_warn(f->w, path,
                                        "it was moved in " MST_FACES "[%lu], and in " MST_FACES
                                        "[%lu] not: the others follow",
                                        (unsigned long)vertex->moved_in, (unsigned long)vertex->stays_in);
        if (status == MST_OK)
            status = mst_script_line(f->w, f->script, "set %s.position = [%s]", path, text);
    }
    return status;
}

/* ---- all of them ---- */

/* Triangles without a number, which are sorted last. */
static bool take_new(mst_face_work *f) {
    const mst_face_ref *after = f->after.items;
    size_t first = f->after.count;
    while (first && after[first - 1].face == MST_NO_INDEX)
        first--;
    const size_t count = f->after.count - first;
    mst_face_triangle *kept = count ? mst_array_push(&f->triangles, count) : NULL;
    for (size_t i = 0; i < count && kept; i++)
        mst_face_of_model(f, &after[first + i], &kept[i]);
    return kept || !count;
}

/* The level's vertices at their new places, so that adjacent new geometry uses them. */
static mst_status weld_vertices(mst_face_work *f) {
    mst_value vertices;
    uint64_t read = 0;
    float *points = mst_arena_take(&f->w->scratch, f->vertex_count, 3 * sizeof *points);
    mst_target target = {.type = MST_F32, .components = 3, .data = points, .capacity = f->vertex_count};
    if (!points)
        return mst_importing_no_memory(f->w);
    mst_status status =
        mst_find(mst_root(f->document), MST_VERTICES "[:].position", &vertices, f->w->diagnostic);
    if (status == MST_OK)
        status = mst_read(&vertices, &target, &read, f->w->diagnostic);
    for (uint32_t i = 0; i < read && status == MST_OK; i++) {
        float *at = points + 3 * (size_t)i;
        for (int k = 0; k < 3 && f->vertices[i].moved; k++)
            at[k] = (float)f->vertices[i].to[k];
        if (!mst_weld_add(&f->welding, at))
            status = mst_importing_no_memory(f->w);
    }
    return status;
}

static mst_status work_on(mst_face_work *f) {
    mst_value vertices;
    if (!mst_gather_level(f) || !mst_gather_model(f))
        return mst_importing_no_memory(f->w);
    if (!f->before.count)
        return MST_OK;
    mst_status status = mst_check_face_numbers(f->w);
    if (status != MST_OK)
        return status;
    if (mst_find(mst_root(f->document), MST_VERTICES, &vertices, NULL) == MST_OK)
        f->vertex_count = (uint32_t)mst_count(&vertices);
    f->vertices = mst_arena_zero(&f->w->scratch, f->vertex_count, sizeof *f->vertices);
    if (!f->vertices)
        return mst_importing_no_memory(f->w);
    status = compare_faces(f);
    if (status == MST_OK)
        status = move_vertices(f); /* before vertices are added or removed */
    if (status == MST_OK && !take_new(f))
        status = mst_importing_no_memory(f->w);
    if (status != MST_OK || !f->triangles.count)
        return status;
    status = weld_vertices(f);
    return status == MST_OK ? mst_import_polygons(f) : status;
}

mst_status mst_import_faces(mst_import_state *w) {
    mst_status status;
    const mst_array refs = {.element_size = sizeof(mst_face_ref), .allocator = w->result->allocator};
    mst_face_work f = {.w = w, .before = refs, .after = refs, .triangles = refs};
    f.triangles.element_size = sizeof(mst_face_triangle);
    f.origins = (mst_array){.element_size = sizeof(mst_face_origin), .allocator = w->result->allocator};
    f.script = mst_importing_script(w, "", &f.document, &status);
    if (!f.script || strcmp(mst_document_format(f.document)->id, "ns2-level") != 0)
        return status;
    mst_weld_begin(&f.welding, &w->result->allocator);
    status = work_on(&f);
    mst_weld_end(&f.welding);
    mst_labels_close(f.labels[0]);
    mst_labels_close(f.labels[1]);
    mst_array_free(&f.before);
    mst_array_free(&f.after);
    mst_array_free(&f.triangles);
    mst_array_free(&f.origins);
    return status;
}
