/* SPDX-License-Identifier: MIT */
/*
 * Meshes that an import does not read: models of things, and the faces of other games than Natural
 * Selection 2. What was done to them is lost, and so it is reported. They cannot be compared with the
 * level's own meshes, which without the game differ from the exported ones. So the model has the surface of
 * each of its meshes, as it was.
 */
#include "../scene/elements.h"
#include "../scene/surface.h"
#include "faces.h"
#include <stdio.h>

#define MOST 8 /* that are reported one by one */

enum { NOT_COMPARED, SAME, CHANGED, REPORTED };

typedef struct mesh_work {
    mst_import_state *w;
    size_t count; /* of reports */
    bool faces;   /* those of Natural Selection 2 are imported */
} mesh_work;

static mst_status tell(mesh_work *m, const char *path, const char *what) {
    return m->count++ < MOST ? mst_importing_warn(m->w, path, "%s", what) : MST_OK;
}

/* False: no memory. */
static bool compare(const mst_import_state *w, const mst_model_mesh *mesh, mst_arena *arena,
                    uint8_t *result) {
    mst_surface was, is;
    const mst_json_node *text = mst_model_text(&w->model, mesh->extras, MST_SURFACE_EXTRA);
    *result = SAME;
    if (!text || !mst_surface_read(text->text, text->length, &was))
        return true;
    mst_surface_part *parts = mst_arena_take(arena, mesh->primitive_count, sizeof *parts);
    for (size_t i = 0; parts && i < mesh->primitive_count; i++) {
        const mst_model_primitive *from = &mesh->primitives[i];
        parts[i] = (mst_surface_part){from->positions, from->indices, from->vertex_count, from->index_count};
    }
    if (!parts || !mst_surface_measure(&w->result->allocator, parts, mesh->primitive_count, &is))
        return false;
    *result = mst_surfaces_differ(&was, &is) ? CHANGED : SAME;
    return true;
}

mst_status mst_compare_mesh(mst_import_state *w, const mst_model_node *node, bool *changed) {
    *changed = false;
    if (node->mesh < 0)
        return MST_OK;
    if (!w->meshes)
        w->meshes = mst_arena_zero(&w->scratch, w->model.mesh_count, 1);
    uint8_t *result = w->meshes ? &w->meshes[node->mesh] : NULL;
    if (!result ||
        (*result == NOT_COMPARED && !compare(w, &w->model.meshes[node->mesh], &w->scratch, result)))
        return mst_importing_no_memory(w);
    *changed = *result >= CHANGED;
    return MST_OK;
}

static const char *path_of(const mst_import_state *w, const mst_model_node *node) {
    const mst_json_node *path = mst_model_text(&w->model, node->extras, "path"),
                        *whole = mst_model_text(&w->model, node->extras, "part_of");
    const mst_json_node *text = path ? path : whole;
    return text ? mst_arena_text(w->arena, text->text, text->length) : node->name;
}

static bool is_imported(const mesh_work *m, const mst_model_node *node) {
    return m->faces && mst_model_says(&m->w->model, node->extras, "part_of", MST_FACES);
}

/* three.js makes a node of each part of a mesh, below that of the mesh. */
static bool is_part(const mst_model *model, const mst_model_node *node) {
    const mst_model_node *above = node->parent >= 0 ? &model->nodes[node->parent] : NULL;
    return above && above->mesh < 0 && mst_model_extra(model, above->extras, "role") &&
           !mst_model_says(model, above->extras, "role", "group");
}

/* Of a mesh that several nodes show, the first one is reported. */
static mst_status report(mesh_work *m, const mst_model_node *node) {
    bool changed;
    if (!mst_is_exported(&m->w->model, node))
        return m->faces || is_part(&m->w->model, node)
                   ? MST_OK
                   : tell(m, node->name, "new geometry is imported for Natural Selection 2 only");
    if (is_imported(m, node))
        return MST_OK;
    const mst_status status = mst_compare_mesh(m->w, node, &changed);
    if (status != MST_OK || !changed || m->w->meshes[node->mesh] == REPORTED)
        return status;
    m->w->meshes[node->mesh] = REPORTED;
    const char *path = path_of(m->w, node);
    return path ? tell(m, path,
                       "its mesh was changed, which is not imported: only the faces of levels of Natural "
                       "Selection 2 are")
                : mst_importing_no_memory(m->w);
}

mst_status mst_import_meshes(mst_import_state *w) {
    mst_status status;
    mst_document *document;
    mesh_work m = {.w = w};
    if (!mst_importing_script(w, "", &document, &status))
        return status;
    m.faces = strcmp(mst_document_format(document)->id, "ns2-level") == 0;
    for (size_t i = 0; i < w->model.node_count && status == MST_OK; i++)
        if (w->model.nodes[i].shown && w->model.nodes[i].mesh >= 0)
            status = report(&m, &w->model.nodes[i]);
    return status != MST_OK || m.count <= MOST
               ? status
               : mst_importing_warn(w, "", "%zu other meshes were changed or added, which is not imported",
                                    m.count - MOST);
}
