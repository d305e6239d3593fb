/* SPDX-License-Identifier: MIT */
/* Entities of an edited model: the element of each node, missing elements, and copies. */
#include "../core/diagnose.h"
#include "../read/path_end.h"
#include "../scene/elements.h"
#include "importing.h"
#include <math.h>
#include <stdlib.h>

#define SAME_PLACE 1e-3 /* sum of the differences of the numbers of a matrix */

/* A node of the model that has the path of an element. */
typedef struct claim {
    size_t node;    /* of the model */
    size_t element; /* its node in the scene */
    double off;     /* distance from its exported place */
    bool named;     /* it has its exported name */
} claim;

static const char *text_extra(const mst_import_state *w, const mst_model_node *node, const char *name) {
    const mst_json_node *text = mst_model_text(&w->model, node->extras, name);
    return text ? mst_arena_text(w->arena, text->text, text->length) : "";
}

static double distance(const double a[16], const float b[16]) {
    double sum = 0;
    for (int i = 0; i < 16; i++)
        sum += fabs(a[i] - (double)b[i]);
    return sum;
}

/* The originals first: nodes with the exported name, then those nearest to the exported place. */
static int compare_claims(const void *left, const void *right) {
    const claim *a = left, *b = right;
    if (a->element != b->element)
        return a->element < b->element ? -1 : 1;
    if (a->named != b->named)
        return a->named ? -1 : 1;
    if (a->off != b->off)
        return a->off < b->off ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static mst_status make_claims(mst_import_state *w, mst_array *claims) {
    for (size_t i = 0; i < w->model.node_count; i++) {
        const mst_model_node *node = &w->model.nodes[i];
        if (!node->shown || !mst_model_extra(&w->model, node->extras, "path"))
            continue;
        const char *path = text_extra(w, node, "path"), *file = text_extra(w, node, "file"),
                   *name = text_extra(w, node, "node");
        const char *key = path && file && name ? mst_arena_printf(&w->scratch, "%s\n%s", file, path) : NULL;
        if (!key)
            return mst_importing_no_memory(w);
        const uint32_t *element = mst_hash_map_find(&w->elements, mst_key_text(key));
        if (!element) {
            mst_status status =
                mst_importing_warn(w, path, "the level has no such element; it is not imported");
            if (status != MST_OK)
                return status;
            continue;
        }
        claim *made = mst_array_push(claims, 1);
        if (!made)
            return mst_importing_no_memory(w);
        *made = (claim){i, *element, distance(node->world, w->matrices + 16 * (size_t)*element),
                        strcmp(name, node->name) == 0};
    }
    if (claims->count > 1)
        qsort(claims->items, claims->count, sizeof(claim), compare_claims);
    return MST_OK;
}

/* ---- one element ---- */

static const char *path_of(mst_import_state *w, const mst_scene_source *source) {
    const size_t length = mst_scene_source_path(source, NULL, 0);
    char *path = mst_arena_take(w->arena, length + 1, 1);
    if (path)
        mst_scene_source_path(source, path, length + 1);
    return path;
}

/* The place relative to the node's parent in the scene, in the world before or after the edit. */
static bool place_below(const double world[16], const double above[16], mst_frame *place) {
    double inverse[16], own[16];
    if (!mst_matrix_inverse(above, inverse))
        return false;
    mst_matrix_product(inverse, world, own);
    mst_matrix_split(own, place);
    return true;
}

/* An element carried by another has no place of its own. */
static bool is_carried(const mst_import_state *w, size_t element) {
    const int32_t parent = w->scene->nodes[element].parent;
    return parent >= 0 && w->stands[parent] == MST_NODE_ELEMENT &&
           w->scene->nodes[parent].role != MST_ROLE_GROUP;
}

/* The place of an element before and after, both relative to the node's parent. */
static bool frames_of(const mst_import_state *w, const claim *c, mst_frame *before, mst_frame *after) {
    const mst_node *node = &w->scene->nodes[c->element];
    const size_t parent = node->parent >= 0 ? (size_t)node->parent : 0;
    double old[16], above[16];
    mst_matrix_of_floats(w->matrices + 16 * c->element, old);
    mst_matrix_of_floats(w->matrices + 16 * parent, above);
    return !is_carried(w, c->element) && place_below(old, above, before) &&
           place_below(w->model.nodes[c->node].world, w->worlds[parent], after);
}

/* Blender's Apply (Ctrl+A) and Set Origin change the mesh and the object, so that what is seen stays where it
 * is: the place of the object is not the thing's then. */
static mst_status import_place(mst_import_state *w, mst_import_script *script, const mst_value *element,
                               const char *path, const claim *c) {
    mst_frame before, after;
    bool changed;
    const mst_model_node *node = &w->model.nodes[c->node];
    if (!frames_of(w, c, &before, &after))
        return MST_OK;
    const mst_status status = mst_compare_mesh(w, node, &changed);
    if (status != MST_OK || !changed || c->off <= SAME_PLACE)
        return status != MST_OK
                   ? status
                   : mst_import_place(w, script, element, path, &before, &after, w->scene->unit_metres);
    return mst_importing_warn(w, path,
                              "its mesh was changed and also its place, as Object > Apply and Set Origin do: "
                              "it stays where it is");
}

static mst_status change(mst_import_state *w, mst_import_script *script, const mst_document *document,
                         const char *from, const char *to, const claim *c) {
    mst_value value;
    mst_status status = mst_find(mst_root(document), from, &value, w->diagnostic);
    if (status == MST_OK)
        status = import_place(w, script, &value, to, c);
    if (status == MST_OK)
        status = mst_import_extras(w, script, &value, to, &w->scene->nodes[c->element].extras,
                                   w->model.nodes[c->node].extras);
    if (status == MST_OK)
        status =
            mst_import_lamp(w, script, &value, to, &w->scene->nodes[c->element], &w->model.nodes[c->node]);
    const char *bracket = mst_path_bracket(from);
    const char *list = bracket ? mst_arena_text(&w->scratch, from, (size_t)(bracket - from)) : NULL;
    if (status == MST_OK && list)
        status = mst_import_labels(w, script, document, list, to, &w->scene->nodes[c->element].extras,
                                   w->model.nodes[c->node].extras);
    return status;
}

/* Moves an element, or a copy of it, to another document if its new place belongs to that. */
static mst_status transfer(mst_import_state *w, mst_import_script *script, const mst_document *document,
                           const char *path, const claim *c, bool first, bool *done) {
    mst_value value;
    mst_frame before, after;
    mst_document *other = NULL;
    mst_import_script *of_other;
    const char *to;
    *done = false;
    if (mst_level_count(w->level) < 2 || mst_find(mst_root(document), path, &value, NULL) != MST_OK ||
        !frames_of(w, c, &before, &after))
        return MST_OK;
    mst_status status = mst_import_sector(w, document, &value, path, &before, &after, &other);
    *done = other != NULL;
    if (status != MST_OK || !other)
        return status;
    status = mst_import_transfer(w, &value, path, other, &of_other, &to);
    if (status == MST_OK)
        status = change(w, of_other, document, path, to, c);
    return status == MST_OK && first ? mst_script_remove(w, script, path) : status;
}

static mst_status copy(mst_import_state *w, mst_import_script *script, const mst_document *document,
                       const char *path, const claim *c) {
    const char *bracket = mst_path_bracket(path);
    uint64_t index = 0;
    if (!bracket)
        return mst_importing_warn(w, path, "there can be only one of it: the copy is not imported");
    const char *list = mst_arena_text(&w->scratch, path, (size_t)(bracket - path));
    mst_status status = list ? mst_script_append(w, script, document, list, &index) : MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_script_line(w, script, "duplicate %s to %llu", path, (unsigned long long)index);
    const char *to = list ? mst_arena_printf(w->arena, "%s[%llu]", list, (unsigned long long)index) : NULL;
    if (status == MST_OK)
        status = to ? change(w, script, document, path, to, c) : mst_importing_no_memory(w);
    return status;
}

static mst_status import_claim(mst_import_state *w, const claim *c, bool first) {
    mst_document *document;
    mst_status status;
    const mst_scene_source *source = &w->scene->nodes[c->element].source;
    mst_import_script *script = mst_importing_script(w, source->file, &document, &status);
    const char *path = path_of(w, source);
    if (!script || !path)
        return script ? mst_importing_no_memory(w) : status;
    bool done;
    status = transfer(w, script, document, path, c, first, &done);
    if (status != MST_OK || done)
        return status;
    return first ? change(w, script, document, path, path, c) : copy(w, script, document, path, c);
}

/* ---- missing elements ---- */

static mst_status remove_missing(mst_import_state *w, size_t element) {
    mst_document *document;
    mst_status status;
    mst_value value;
    const mst_node *node = &w->scene->nodes[element];
    for (int32_t above = node->parent; above > 0; above = w->scene->nodes[above].parent)
        if (w->stands[above] == MST_NODE_ELEMENT && w->worlds[above][15] == 0) /* removed with it */
            return MST_OK;
    mst_import_script *script = mst_importing_script(w, node->source.file, &document, &status);
    const char *path = path_of(w, &node->source);
    if (!script || !path)
        return script ? mst_importing_no_memory(w) : status;
    status = mst_find(mst_root(document), path, &value, w->diagnostic);
    if (status != MST_OK)
        return status;
    if (!mst_placement_of(&value) || node->source.index == MST_NO_INDEX)
        return mst_importing_warn(w, path,
                                  "it is missing in the model, but only things at a position are removed");
    return mst_script_remove(w, script, path);
}

static mst_status remove_all_missing(mst_import_state *w) {
    size_t missing = 0, count = 0;
    mst_status status = MST_OK;
    for (size_t i = 0; i < w->scene->node_count && status == MST_OK; i++) {
        if (w->stands[i] != MST_NODE_ELEMENT)
            continue;
        count++;
        if (w->worlds[i][15] != 0)
            continue;
        missing++;
        status = remove_missing(w, i);
    }
    return status == MST_OK ? mst_doubt_missing(w, "things", missing, count) : status;
}

mst_status mst_import_entities(mst_import_state *w) {
    mst_array claims = {.element_size = sizeof(claim), .allocator = w->result->allocator};
    mst_status status = make_claims(w, &claims);
    const claim *all = claims.items;
    const size_t node_count = w->scene->node_count;
    for (size_t i = 0; i < node_count && status == MST_OK; i++) /* [15]: 0 is missing */
        w->worlds[i][15] = w->stands[i] == MST_NODE_ELEMENT ? 0 : 1;
    for (size_t i = 0; i < claims.count && status == MST_OK; i++)
        if (i == 0 || all[i].element != all[i - 1].element) {
            memcpy(w->worlds[all[i].element], w->model.nodes[all[i].node].world, sizeof *w->worlds);
            w->worlds[all[i].element][15] = 1;
        }
    if (status == MST_OK)
        status = mst_keep_lights(w);
    if (status == MST_OK)
        status = mst_keep_empties(w);
    if (status == MST_OK)
        status = mst_check_axes(w);
    for (size_t i = 0; i < claims.count && status == MST_OK; i++)
        status = import_claim(w, &all[i], i == 0 || all[i].element != all[i - 1].element);
    if (status == MST_OK)
        status = remove_all_missing(w);
    mst_array_free(&claims);
    return status;
}
