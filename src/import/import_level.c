/* SPDX-License-Identifier: MIT */
/*
 * A model that was not exported from a level: all of it is new. Its triangles become faces, like triangles
 * that are added to an exported model; its lights, and nodes with the property `class`, become entities.
 */
#include "../core/diagnose.h"
#include "editing_scene.h"
#include "faces.h"

/* ---- triangles --------------------------------------------------------------------------------------- */

/* Nodes that represent things, and nodes that other programs or mapstone mark as invisible, are not
 * geometry. */
static bool is_geometry(const mst_import_state *w, const mst_model_node *node) {
    const uint32_t role = mst_model_extra(&w->model, node->extras, "role"),
                   class_name = mst_model_extra(&w->model, node->extras, "class");
    return node->shown && node->mesh >= 0 && !class_name &&
           (!role || mst_is_word(&w->model.json.nodes[role], "geometry"));
}

static void place_corner(const mst_import_state *w, const mst_model_node *node,
                         const mst_model_primitive *part, size_t vertex, mst_face_corner *corner) {
    const float *point = part->positions + 3 * vertex;
    const double *m = node->world;
    const double *turn = part->material >= 0 ? w->model.materials[part->material].transform : NULL;
    *corner = (mst_face_corner){.number = MST_NO_INDEX};
    for (int row = 0; row < 3; row++)
        corner->at[row] = m[row] * (double)point[0] + m[4 + row] * (double)point[1] +
                          m[8 + row] * (double)point[2] + m[12 + row];
    const unsigned set = part->material >= 0 ? w->model.materials[part->material].texcoord : 0;
    const float *from = part->texcoords[set];
    if (!from)
        return;
    const double s = (double)from[2 * vertex], t = (double)from[2 * vertex + 1];
    corner->uv[0] = turn ? turn[0] * s + turn[1] * t + turn[2] : s;
    corner->uv[1] = turn ? turn[3] * s + turn[4] * t + turn[5] : t;
}

static bool gather_part(mst_import_state *w, size_t index, const mst_model_primitive *part,
                        mst_array *triangles) {
    const mst_model_node *node = &w->model.nodes[index];
    const bool mirrored = mst_is_mirrored(node->world);
    for (uint32_t i = 0; i < part->index_count; i += 3) {
        const uint32_t *at = part->indices + i;
        if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0])
            continue;
        mst_face_triangle *made = mst_array_push(triangles, 1);
        if (!made)
            return false;
        *made = (mst_face_triangle){.face = MST_NO_INDEX, .material = part->material, .node = index};
        for (int c = 0; c < 3; c++)
            place_corner(w, node, part, at[mirrored && c ? 3 - c : c], &made->corners[c]);
    }
    return true;
}

static bool gather(mst_import_state *w, mst_array *triangles) {
    for (size_t i = 0; i < w->model.node_count; i++) {
        const mst_model_node *node = &w->model.nodes[i];
        if (!is_geometry(w, node))
            continue;
        const mst_model_mesh *mesh = &w->model.meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++)
            if (!gather_part(w, i, &mesh->primitives[k], triangles))
                return false;
    }
    return true;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static mst_status add_geometry(mst_import_state *w) {
    mst_status status;
    const mst_allocator *allocator = &w->result->allocator;
    mst_face_work f = {.w = w,
                       .triangles = {.element_size = sizeof(mst_face_triangle), .allocator = *allocator},
                       .origins = {.element_size = sizeof(mst_face_origin), .allocator = *allocator}};
    f.script = mst_importing_script(w, "", &f.document, &status);
    if (!f.script)
        return status;
    mst_weld_begin(&f.welding, allocator);
    status = gather(w, &f.triangles) ? MST_OK : mst_importing_no_memory(w);
    if (status == MST_OK && f.triangles.count)
        status = mst_import_polygons(&f);
    mst_weld_end(&f.welding);
    mst_array_free(&f.triangles);
    return status;
}

mst_status mst_import_level(mst_import_state *w) {
    if (strcmp(mst_document_format(w->options->onto)->id, "ns2-level") != 0)
        return mst_fail(w->diagnostic, MST_UNSUPPORTED,
                        "models become levels of Natural Selection 2 only (ns2-level)");
    mst_status status = mst_import_new(w);
    if (status == MST_OK)
        status = add_geometry(w);
    if (status != MST_OK || (w->result->script_count && w->result->scripts->text.size))
        return status;
    return mst_fail(
        w->diagnostic, MST_REFUSED,
        "the model has nothing that a level can have: triangles with an area, lights, or empties with the "
        "custom property 'class'. In Blender's export, untick Include > Selected Objects, or select what "
        "is to be exported; for lights tick Include > Punctual Lights");
}
