/* SPDX-License-Identifier: MIT */
/*
 * The level's own faces in an edited model: Natural Selection 2. Triangles are gathered by the number of
 * their face, whatever mesh they are in. A face is the same if the border of its triangles has the same
 * corners, by their numbers, or where they are: so it may be cut into triangles otherwise, joined, and its
 * edges divided.
 */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../scene/elements.h"
#include "faces.h"
#include <math.h>
#include <stdlib.h>

#define FACES    "mesh.faces"
#define VERTICES "mesh.vertices"

typedef struct facing {
    mst_importing *w;
    mst_import_script *script;
    mst_document *document;
    mst_array before, after; /* triangles, sorted by face */
    uint32_t vertex_count;
    struct moved {
        double to[3];
        bool moved, stays; /* for some of its faces */
    } * vertices;
} facing;

/* ---- gathering ---- */

static int by_face(const void *left, const void *right) {
    const mst_face_triangle *a = left, *b = right;
    return (a->face > b->face) - (a->face < b->face);
}

static void to_world(const double m[16], const float point[3], double at[3]) {
    for (int row = 0; row < 3; row++)
        at[row] = m[row] * (double)point[0] + m[4 + row] * (double)point[1] + m[8 + row] * (double)point[2] +
                  m[12 + row];
}

static bool is_level_mesh(const mst_primitive *part) {
    return part->elements && part->vertices && part->indices && part->source.path &&
           strcmp(part->source.path, FACES) == 0 && !(part->source.file && *part->source.file);
}

static bool gather_node(facing *f, size_t node) {
    double world[16];
    const mst_scene *scene = f->w->scene;
    const mst_mesh *mesh = &scene->meshes[scene->nodes[node].mesh];
    mst_matrix_of_floats(f->w->matrices + 16 * node, world);
    for (size_t k = 0; k < mesh->primitive_count; k++) {
        const mst_primitive *part = &mesh->primitives[k];
        const size_t count = is_level_mesh(part) ? part->index_count / 3 : 0;
        mst_face_triangle *made = mst_array_push(&f->before, count);
        if (!made)
            return count == 0;
        for (size_t i = 0; i < count; i++) {
            made[i] =
                (mst_face_triangle){.face = part->elements[i], .material = part->material, .node = node};
            for (size_t c = 0; c < 3; c++) {
                const uint32_t at = part->indices[3 * i + c];
                to_world(world, part->positions + 3 * (size_t)at, made[i].corners[c].at);
                made[i].corners[c].number = part->vertices[at];
            }
        }
    }
    return true;
}

static bool gather_level(facing *f) {
    for (size_t i = 0; i < f->w->scene->node_count; i++)
        if (f->w->scene->nodes[i].mesh >= 0 && !gather_node(f, i))
            return false;
    if (f->before.count > 1)
        qsort(f->before.items, f->before.count, sizeof(mst_face_triangle), by_face);
    return true;
}

/* A number that was interpolated is none. */
static uint32_t number_of(float said, double exact) {
    const double whole = floor((double)said + 0.5);
    return whole >= 1 && fabs((double)said - whole) <= exact ? (uint32_t)(whole - 1) : MST_NO_INDEX;
}

/* As the material has them. */
static void take_texture(const mst_model *model, const mst_model_primitive *part, uint32_t vertex,
                         double uv[2]) {
    static const double same[6] = {1, 0, 0, 0, 1, 0};
    const double *m = part->material >= 0 ? model->materials[part->material].transform : same;
    const float *from = part->texcoords[0]; /* the other has the numbers */
    if (!from)
        return;
    const double s = (double)from[2 * (size_t)vertex], t = (double)from[2 * (size_t)vertex + 1];
    uv[0] = m[0] * s + m[1] * t + m[2];
    uv[1] = m[3] * s + m[4] * t + m[5];
}

static void take_triangle(const mst_model *model, const mst_model_primitive *part, size_t triangle,
                          const double world[16], mst_face_triangle *made) {
    const float *numbers = part->texcoords[1];
    for (size_t c = 0; c < 3; c++) {
        const uint32_t at = part->indices[3 * triangle + c];
        const uint32_t face = numbers ? number_of(numbers[2 * (size_t)at], 0.01) : MST_NO_INDEX;
        to_world(world, part->positions + 3 * (size_t)at, made->corners[c].at);
        take_texture(model, part, at, made->corners[c].uv);
        /* glTF's v points down, and Blender's up: it comes back as 1 - (1 - v), which may round it */
        made->corners[c].number = numbers ? number_of(numbers[2 * (size_t)at + 1], 1e-3) : MST_NO_INDEX;
        made->face = c == 0 || made->face == face ? face : MST_NO_INDEX;
    }
}

/* What belongs to a thing is not looked at. */
static bool has_faces(const mst_importing *w, const mst_model_node *node) {
    const uint32_t part = mst_model_extra(&w->model, node->extras, "part_of"),
                   role = mst_model_extra(&w->model, node->extras, "role");
    const mst_json_node *nodes = w->model.json.nodes;
    return node->shown && node->mesh >= 0 && !mst_model_extra(&w->model, node->extras, "path") &&
           !(part && !mst_is_word(&nodes[part], FACES)) && !(role && !part);
}

static bool gather_model(facing *f) {
    const mst_model *model = &f->w->model;
    for (size_t i = 0; i < model->node_count; i++) {
        const mst_model_node *node = &model->nodes[i];
        if (!has_faces(f->w, node))
            continue;
        const mst_model_mesh *mesh = &model->meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++) {
            const mst_model_primitive *part = &mesh->primitives[k];
            const size_t count = part->index_count / 3;
            for (size_t t = 0; t < count; t++) {
                const uint32_t *at = part->indices + 3 * t;
                if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0])
                    continue;
                mst_face_triangle *made = mst_array_push(&f->after, 1);
                if (!made)
                    return false;
                *made = (mst_face_triangle){.face = MST_NO_INDEX, .material = part->material, .node = i};
                take_triangle(model, part, t, node->world, made);
            }
        }
    }
    if (f->after.count > 1)
        qsort(f->after.items, f->after.count, sizeof(mst_face_triangle), by_face);
    return true;
}

/* ---- one face ---- */

static const char *path_of_face(facing *f, uint32_t face) {
    return mst_arena_printf(f->w->arena, FACES "[%lu]", (unsigned long)face);
}

static const mst_face_corner *corner_of(const mst_face_triangle *triangles, size_t count, uint32_t number) {
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            if (triangles[i].corners[c].number == number)
                return &triangles[i].corners[c];
    return NULL;
}

/* The model's triangles with the level's positions of their numbers; false: a number is not the face's, or is
 * at two places. */
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

static void note_vertices(facing *f, const mst_face_triangle *before, size_t count,
                          const mst_face_triangle *after, size_t after_count) {
    for (size_t i = 0; i < 3 * after_count; i++) {
        const mst_face_corner *own = &after[i / 3].corners[i % 3];
        const mst_face_corner *was = corner_of(before, count, own->number);
        if (own->number >= f->vertex_count || !was) /* where edges meet others, which follow their vertices */
            continue;
        struct moved *vertex = &f->vertices[own->number];
        if (!has_moved(was->at, own->at)) {
            vertex->stays = true;
            continue;
        }
        vertex->moved = true;
        for (int k = 0; k < 3; k++)
            vertex->to[k] =
                has_moved((const double[3]){was->at[k], 0, 0}, (const double[3]){own->at[k], 0, 0})
                    ? own->at[k]
                    : was->at[k];
    }
}

static bool all_slivers(const mst_face_triangle *triangles, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!mst_is_sliver(&triangles[i]))
            return false;
    return true;
}

static bool same_place(const mst_face_triangle *a, const mst_face_triangle *b) {
    for (int i = 0; i < 3; i++) {
        bool met = false;
        for (int k = 0; k < 3; k++)
            met = met || mst_point_distance(a->corners[i].at, b->corners[k].at) <= MST_SAME_POINT;
        if (!met)
            return false;
    }
    return true;
}

/* Blender drops triangles that are there twice. */
static bool has_twin(const facing *f, const mst_face_triangle *face) {
    const mst_face_triangle *all = f->before.items;
    for (size_t i = 0; i < f->before.count; i++)
        if (all[i].face != face->face && same_place(&all[i], face))
            return true;
    return false;
}

static const char *material_of(const facing *f, int32_t material, size_t *length) {
    const mst_model *model = &f->w->model;
    const uint32_t at = material >= 0 ? mst_model_extra(model, model->materials[material].extras, "path") : 0;
    *length = at ? model->json.nodes[at].length : 0;
    return at && model->json.nodes[at].kind == MST_JSON_STRING ? model->json.nodes[at].text : NULL;
}

/* The index of a material of the level; MST_NO_INDEX: it has none of that name. */
static uint32_t index_of_material(const facing *f, const char *name, size_t length) {
    mst_value list, element;
    uint32_t index = 0;
    if (mst_find(mst_root(f->document), "mesh.materials", &list, NULL) != MST_OK)
        return MST_NO_INDEX;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
        char own[400];
        size_t own_length;
        if (mst_get_text(&element, own, sizeof own, &own_length) == MST_OK && own_length == length &&
            length < sizeof own && memcmp(own, name, length) == 0)
            return index;
    }
    return MST_NO_INDEX;
}

static mst_status change_material(facing *f, const mst_face_triangle *before, const mst_face_triangle *after,
                                  size_t count) {
    size_t length;
    const char *name = material_of(f, after->material, &length);
    const mst_extras *extras = &f->w->scene->materials[before->material].extras;
    for (size_t i = 1; i < count; i++)
        if (after[i].material != after->material)
            return mst_importing_warn(f->w, path_of_face(f, before->face),
                                      "its triangles have several materials: cut it into faces first");
    for (size_t i = 0; i < extras->count && name; i++)
        if (strcmp(extras->items[i].name, "path") == 0 && strlen(extras->items[i].text) == length &&
            memcmp(extras->items[i].text, name, length) == 0)
            return MST_OK;
    if (!name)
        return MST_OK;
    const uint32_t index = index_of_material(f, name, length);
    if (index == MST_NO_INDEX)
        return mst_importing_warn(f->w, path_of_face(f, before->face), "the level has no material %.*s",
                                  length < 120 ? (int)length : 120, name);
    return mst_script_line(f->w, f->script, "set " FACES "[%lu].material = %lu", (unsigned long)before->face,
                           (unsigned long)index);
}

/* A face that has triangles left. */
static mst_status compare_face(facing *f, const mst_face_triangle *before, size_t count,
                               const mst_face_triangle *after, size_t after_count, mst_arena *arena) {
    mst_face_shape was, is;
    mst_face_triangle *moved_back = mst_arena_take(arena, after_count, sizeof *moved_back);
    if (!moved_back || !mst_face_shape_of(before, count, true, arena, &was))
        return mst_importing_no_memory(f->w);
    bool same = as_before(before, count, after, after_count, moved_back);
    if (same) {
        if (!mst_face_shape_of(moved_back, after_count, true, arena, &is))
            return mst_importing_no_memory(f->w);
        same = mst_same_shape(&was, &is, true);
    }
    if (same) {
        note_vertices(f, before, count, after, after_count);
        return change_material(f, before, after, after_count);
    }
    if (!mst_face_shape_of(before, count, false, arena, &was) ||
        !mst_face_shape_of(after, after_count, false, arena, &is))
        return mst_importing_no_memory(f->w);
    if (mst_same_shape(&was, &is, false))
        return change_material(f, before, after, after_count);
    return mst_importing_warn(f->w, path_of_face(f, before->face),
                              "it has another shape in the model, which is not imported yet");
}

static mst_status compare_faces(facing *f) {
    const mst_face_triangle *before = f->before.items, *after = f->after.items;
    size_t b = 0, a = 0;
    mst_status status = MST_OK;
    while (b < f->before.count && status == MST_OK) {
        const uint32_t face = before[b].face;
        size_t end = b, after_end;
        while (end < f->before.count && before[end].face == face)
            end++;
        for (; a < f->after.count && after[a].face < face; a++)
            ; /* of a face that was not exported */
        for (after_end = a; after_end < f->after.count && after[after_end].face == face;)
            after_end++;
        mst_arena arena;
        mst_arena_begin(&arena, &f->w->result->allocator, 0);
        if (after_end > a)
            status = compare_face(f, before + b, end - b, after + a, after_end - a, &arena);
        else if (!all_slivers(before + b, end - b) && !has_twin(f, before + b))
            status = mst_script_remove(f->w, f->script, path_of_face(f, face));
        mst_arena_end(&arena);
        b = end, a = after_end;
    }
    return status;
}

/* ---- vertices ---- */

static mst_status move_vertices(facing *f) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < f->vertex_count && status == MST_OK; i++) {
        const struct moved *vertex = &f->vertices[i];
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
        const char *path = mst_arena_printf(f->w->arena, VERTICES "[%lu]", (unsigned long)i);
        if (!path)
            return mst_importing_no_memory(f->w);
        if (vertex->stays)
            status =
                mst_importing_warn(f->w, path, "it was moved for some of its faces only; the others follow");
        if (status == MST_OK)
            status = mst_script_line(f->w, f->script, "set %s.position = [%s]", path, text);
    }
    return status;
}

/* ---- all of them ---- */

/* Triangles without a number, which are sorted last. */
static mst_status add_faces(facing *f) {
    const mst_face_triangle *after = f->after.items;
    size_t first = f->after.count;
    while (first && after[first - 1].face == MST_NO_INDEX)
        first--;
    if (f->after.count == first)
        return MST_OK;
    return mst_import_polygons(f->w, f->script, f->document, after + first, f->after.count - first);
}

static mst_status work_on(facing *f) {
    mst_value vertices;
    if (!gather_level(f) || !gather_model(f))
        return mst_importing_no_memory(f->w);
    if (!f->before.count)
        return MST_OK;
    if (mst_find(mst_root(f->document), VERTICES, &vertices, NULL) == MST_OK)
        f->vertex_count = (uint32_t)mst_count(&vertices);
    f->vertices = mst_arena_zero(&f->w->scratch, f->vertex_count, sizeof *f->vertices);
    if (!f->vertices)
        return mst_importing_no_memory(f->w);
    mst_status status = compare_faces(f);
    if (status == MST_OK)
        status = move_vertices(f);
    if (status == MST_OK)
        status = add_faces(f);
    return status;
}

mst_status mst_import_faces(mst_importing *w) {
    mst_status status;
    facing f = {.w = w,
                .before = {.element_size = sizeof(mst_face_triangle), .allocator = w->result->allocator},
                .after = {.element_size = sizeof(mst_face_triangle), .allocator = w->result->allocator}};
    f.script = mst_importing_script(w, "", &f.document, &status);
    if (!f.script || strcmp(mst_document_format(f.document)->id, "ns2-level") != 0)
        return status;
    status = work_on(&f);
    mst_array_free(&f.before);
    mst_array_free(&f.after);
    return status;
}
