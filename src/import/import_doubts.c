/* SPDX-License-Identifier: MIT */
/*
 * What exporters leave out of a model, or turn, by an option that a user overlooked. Taken for edits, it
 * would remove most of a level; so it is refused or kept where it is recognised, and otherwise reported.
 */
#include "../core/diagnose.h"
#include "../scene/elements.h"
#include "faces.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME_PLACE 1e-2 /* metres */
#define BLENDER    "Khronos glTF Blender I/O"
#define FEW        8 /* missing elements that are not doubted */

/* ---- lights ---- */

/* Blender exports no lights by default, nor a list of them: then the level's stay where they are. */
mst_status mst_keep_lights(mst_import_state *w) {
    const mst_scene *scene = w->scene;
    size_t kept = 0;
    if (w->model.has_lights)
        return MST_OK;
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].light >= 0 && w->worlds[i][15] == 0) {
            mst_matrix_of_floats(w->matrices + 16 * i, w->worlds[i]);
            kept++;
        }
    if (!kept)
        return MST_OK;
    return mst_importing_warn(w, "",
                              "the model has no lights, as Blender exports it unless Include > Punctual "
                              "Lights is ticked: the level keeps its own (%zu); 'mapstone edit' removes them",
                              kept);
}

/* ---- empties ---- */

/* Whether the model has things without content. */
static bool has_empties(const mst_import_state *w, const uint8_t *carries) {
    for (size_t i = 0; i < w->model.node_count; i++) {
        const mst_model_node *node = &w->model.nodes[i];
        if (node->shown && node->mesh < 0 && node->light < 0 && !carries[i] &&
            mst_model_extra(&w->model, node->extras, "path"))
            return true;
    }
    return false;
}

/* Programs that make models smaller leave out nodes without content; Blender does not, so that of its models
 * all of them may have been deleted. */
mst_status mst_keep_empties(mst_import_state *w) {
    const mst_scene *scene = w->scene;
    size_t kept = 0;
    uint8_t *carries = mst_arena_zero(&w->scratch, w->model.node_count, 1);
    if (!carries)
        return mst_importing_no_memory(w);
    for (size_t i = 0; i < w->model.node_count; i++)
        if (w->model.nodes[i].parent >= 0)
            carries[w->model.nodes[i].parent] = 1;
    if (strncmp(w->model.generator, BLENDER, strlen(BLENDER)) == 0 || has_empties(w, carries))
        return MST_OK;
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (w->stands[i] != MST_NODE_ELEMENT || w->worlds[i][15] != 0 || node->mesh >= 0 || node->light >= 0)
            continue;
        mst_matrix_of_floats(w->matrices + 16 * i, w->worlds[i]);
        kept++;
    }
    return !kept ? MST_OK
                 : mst_importing_warn(
                       w, "",
                       "no thing without a mesh is in the model, as programs leave them out that "
                       "make models smaller: the level keeps its own (%zu); 'mapstone edit' "
                       "removes them",
                       kept);
}

/* ---- axes ---- */

/* Blender's own axes, which it exports if +Y Up is not ticked. */
mst_status mst_check_axes(const mst_import_state *w) {
    size_t seen = 0, turned = 0;
    for (size_t i = 0; i < w->scene->node_count; i++) {
        const float *was = w->matrices + 16 * i + 12;
        const double *is = w->worlds[i] + 12;
        const double on_side[3] = {(double)was[0], -(double)was[2], (double)was[1]};
        const double stays[3] = {(double)was[0], (double)was[1], (double)was[2]};
        if (w->stands[i] != MST_NODE_ELEMENT || w->worlds[i][15] == 0 ||
            mst_point_distance(stays, on_side) <= SAME_PLACE)
            continue;
        seen++;
        turned += mst_point_distance(is, on_side) <= SAME_PLACE;
    }
    if (turned < 3 || turned * 10 < seen * 9)
        return MST_OK;
    return mst_fail(
        w->diagnostic, MST_REFUSED,
        "the whole model lies on its side: when you export it from Blender, tick Transform > +Y Up");
}

/* ---- numbers of faces ---- */

mst_status mst_check_face_numbers(const mst_import_state *w) {
    bool any = false;
    for (size_t i = 0; i < w->model.node_count; i++) {
        const mst_model_node *node = &w->model.nodes[i];
        if (node->mesh < 0 || !mst_model_says(&w->model, node->extras, "part_of", MST_FACES))
            continue;
        const mst_model_mesh *mesh = &w->model.meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++) {
            any = true;
            if (mesh->primitives[k].texcoords[1])
                return MST_OK;
        }
    }
    return any ? mst_fail(
                     w->diagnostic, MST_REFUSED,
                     "no mesh has the numbers of its faces, which are its second UV map: keep it, and when "
                     "you export the model from Blender, tick Data > Mesh > UVs")
               : MST_OK;
}

/* ---- missing elements ---- */

mst_status mst_doubt_missing(const mst_import_state *w, const char *what, size_t missing, size_t count) {
    if (missing <= FEW || missing <= count / 2)
        return MST_OK;
    return mst_importing_warn(
        w, "",
        "%zu of %zu %s are missing in the model, and are removed: if they were only not "
        "exported, untick Include > Selected Objects and Visible Objects in Blender's export",
        missing, count, what);
}
