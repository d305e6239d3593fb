/* SPDX-License-Identifier: MIT */
/*
 * The triangles of a level's faces and of its edited model. Their positions are recorded, in 16 bytes each,
 * and their content is read face by face: reading all at once would take ten times as much.
 */
#include "../core/lower_bound.h"
#include "faces.h"
#include <math.h>
#include <stdlib.h>

static int by_face(const void *left, const void *right) {
    const mst_face_ref *a = left, *b = right;
    if (a->face != b->face)
        return a->face < b->face ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void sort(mst_array *refs) {
    if (refs->count > 1)
        qsort(refs->items, refs->count, sizeof(mst_face_ref), by_face);
}

static void to_world(const double m[16], const float point[3], double at[3]) {
    for (int row = 0; row < 3; row++)
        at[row] = m[row] * (double)point[0] + m[4 + row] * (double)point[1] + m[8 + row] * (double)point[2] +
                  m[12 + row];
}

bool mst_is_mirrored(const double m[16]) {
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
               m[8] * (m[1] * m[6] - m[2] * m[5]) <
           0;
}

/* ---- the level ---- */

static bool is_level_mesh(const mst_primitive *part) {
    return part->elements && part->vertices && part->indices && part->source.path &&
           strcmp(part->source.path, MST_FACES) == 0 && !(part->source.file && *part->source.file);
}

bool mst_gather_level(mst_face_work *f) {
    const mst_scene *scene = f->w->scene;
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_mesh *mesh = scene->nodes[i].mesh >= 0 ? &scene->meshes[scene->nodes[i].mesh] : NULL;
        for (size_t k = 0; mesh && k < mesh->primitive_count; k++) {
            const mst_primitive *part = &mesh->primitives[k];
            const size_t count = is_level_mesh(part) ? part->index_count / 3 : 0;
            mst_face_ref *made = count ? mst_array_push(&f->before, count) : NULL;
            if (count && !made)
                return false;
            for (size_t t = 0; t < count; t++)
                made[t] = (mst_face_ref){part->elements[t], (uint32_t)i, (uint32_t)k, (uint32_t)t};
        }
    }
    sort(&f->before);
    return true;
}

void mst_face_of_level(const mst_face_work *f, const mst_face_ref *ref, mst_face_triangle *made) {
    double world[16];
    const mst_node *node = &f->w->scene->nodes[ref->node];
    const mst_primitive *part = &f->w->scene->meshes[node->mesh].primitives[ref->part];
    mst_matrix_of_floats(f->w->matrices + 16 * (size_t)ref->node, world);
    *made = (mst_face_triangle){.face = ref->face, .material = part->material, .node = ref->node};
    for (size_t c = 0; c < 3; c++) {
        const size_t at = part->indices[3 * (size_t)ref->triangle + c];
        to_world(world, part->positions + 3 * at, made->corners[c].at);
        made->corners[c].number = part->vertices[at];
        for (size_t k = 0; k < 2 && part->texcoords; k++)
            made->corners[c].uv[k] = (double)part->texcoords[2 * at + k];
    }
}

/* ---- the model ---- */

/* An interpolated number is not valid. Whole numbers are exact up to 2^24. */
static uint32_t number_of(float said, double exact) {
    const double whole = floor((double)said + 0.5);
    return whole >= 1 && whole <= 0x1p24 && fabs((double)said - whole) <= exact ? (uint32_t)(whole - 1)
                                                                                : MST_NO_INDEX;
}

/* Texture coordinates as the material transforms them. */
static void take_texture(const mst_model *model, const mst_model_primitive *part, uint32_t vertex,
                         double uv[2]) {
    static const double same[6] = {1, 0, 0, 0, 1, 0};
    const double *m = part->material >= 0 ? model->materials[part->material].transform : same;
    const float *from = part->texcoords[0]; /* the other set has the numbers */
    if (!from)
        return;
    const double s = (double)from[2 * (size_t)vertex], t = (double)from[2 * (size_t)vertex + 1];
    uv[0] = m[0] * s + m[1] * t + m[2];
    uv[1] = m[3] * s + m[4] * t + m[5];
}

/* Nodes that belong to a thing are ignored. */
static bool has_faces(const mst_import_state *w, const mst_model_node *node) {
    const uint32_t part = mst_model_extra(&w->model, node->extras, "part_of"),
                   role = mst_model_extra(&w->model, node->extras, "role");
    const mst_json_node *nodes = w->model.json.nodes;
    return node->shown && node->mesh >= 0 && !mst_model_extra(&w->model, node->extras, "path") &&
           !(part && !mst_is_word(&nodes[part], MST_FACES)) && !(role && !part);
}

/* The face that all corners of a triangle name. */
static uint32_t face_of(const mst_model_primitive *part, size_t triangle) {
    uint32_t face = MST_NO_INDEX;
    for (size_t c = 0; c < 3 && part->texcoords[1]; c++) {
        const uint32_t own = number_of(part->texcoords[1][2 * (size_t)part->indices[3 * triangle + c]], 0.01);
        if (c && own != face)
            return MST_NO_INDEX;
        face = own;
    }
    return face;
}

bool mst_gather_model(mst_face_work *f) {
    const mst_model *model = &f->w->model;
    for (size_t i = 0; i < model->node_count; i++) {
        const mst_model_node *node = &model->nodes[i];
        const mst_model_mesh *mesh = has_faces(f->w, node) ? &model->meshes[node->mesh] : NULL;
        for (size_t k = 0; mesh && k < mesh->primitive_count; k++) {
            const mst_model_primitive *part = &mesh->primitives[k];
            for (size_t t = 0; t < part->index_count / 3; t++) {
                const uint32_t *at = part->indices + 3 * t;
                if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0])
                    continue;
                mst_face_ref *made = mst_array_push(&f->after, 1);
                if (!made)
                    return false;
                *made = (mst_face_ref){face_of(part, t), (uint32_t)i, (uint32_t)k, (uint32_t)t};
            }
        }
    }
    sort(&f->after);
    return true;
}

void mst_face_of_model(const mst_face_work *f, const mst_face_ref *ref, mst_face_triangle *made) {
    const mst_model *model = &f->w->model;
    const mst_model_node *node = &model->nodes[ref->node];
    const mst_model_primitive *part = &model->meshes[node->mesh].primitives[ref->part];
    const float *numbers = part->texcoords[1];
    const bool mirrored = mst_is_mirrored(node->world);
    *made = (mst_face_triangle){.face = ref->face,
                                .material = part->material,
                                .node = ref->node,
                                .extras = part->extras ? part->extras : node->extras};
    for (size_t c = 0; c < 3; c++) {
        const uint32_t at = part->indices[3 * (size_t)ref->triangle + (mirrored && c ? 3 - c : c)];
        to_world(node->world, part->positions + 3 * (size_t)at, made->corners[c].at);
        take_texture(model, part, at, made->corners[c].uv);
        /* glTF's v points down, and Blender's up: it returns as 1 - (1 - v), which may be rounded */
        made->corners[c].number = numbers ? number_of(numbers[2 * (size_t)at + 1], 1e-3) : MST_NO_INDEX;
    }
}

/* ---- twins ---- */

/* A direction in which walls do not overlap. */
static double depth_of(const mst_face_triangle *t) {
    double depth = 0;
    for (int c = 0; c < 3; c++)
        depth +=
            (0.5774 * t->corners[c].at[0] + 0.3331 * t->corners[c].at[1] + 0.7454 * t->corners[c].at[2]) / 3;
    return depth;
}

static int by_depth(const void *left, const void *right) {
    const mst_face_twin *a = left, *b = right;
    return (a->depth > b->depth) - (a->depth < b->depth);
}

static bool sort_twins(mst_face_work *f) {
    const mst_face_ref *all = f->before.items;
    f->twins = mst_arena_take(&f->w->scratch, f->before.count, sizeof *f->twins);
    for (size_t i = 0; i < f->before.count && f->twins; i++) {
        mst_face_triangle own;
        mst_face_of_level(f, &all[i], &own);
        f->twins[i] = (mst_face_twin){depth_of(&own), i};
    }
    if (f->twins && f->before.count > 1)
        qsort(f->twins, f->before.count, sizeof *f->twins, by_depth);
    return f->twins != NULL;
}

bool mst_same_triangle(const mst_face_triangle *a, const mst_face_triangle *b) {
    for (int i = 0; i < 3; i++) {
        bool met = false;
        for (int k = 0; k < 3; k++)
            met = met || mst_point_distance(a->corners[i].at, b->corners[k].at) <= MST_SAME_POINT;
        if (!met)
            return false;
    }
    return true;
}

static bool is_in_model(const mst_face_work *f, uint32_t face) {
    const mst_face_ref *all = f->after.items;
    MST_LOWER_BOUND(low, middle, f->after.count, all[middle].face < face);
    return low < f->after.count && all[low].face == face;
}

bool mst_face_has_twin(mst_face_work *f, const mst_face_triangle *triangle, bool *twin) {
    const mst_face_ref *all = f->before.items;
    const double depth = depth_of(triangle);
    *twin = false;
    if (!f->twins && !sort_twins(f))
        return false;
    MST_LOWER_BOUND(low, middle, f->before.count, f->twins[middle].depth < depth - MST_SAME_POINT);
    for (; low < f->before.count && f->twins[low].depth <= depth + MST_SAME_POINT && !*twin; low++) {
        mst_face_triangle other;
        const mst_face_ref *ref = &all[f->twins[low].ref];
        if (ref->face == triangle->face || ref->node != triangle->node)
            continue;
        mst_face_of_level(f, ref, &other);
        *twin = mst_same_triangle(&other, triangle) && is_in_model(f, ref->face);
    }
    return true;
}
