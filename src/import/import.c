/* SPDX-License-Identifier: MIT */
/* Comparing edited models with the level that they were exported from. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../scene/elements.h"
#include "../scene/geometry.h"
#include "editing_scene.h"
#include "faces.h"
#include "importing.h"

static const mst_code_information codes[] = {
    {"GLTF-CHUNK", MST_ERROR, "the chunks of a GLB are not valid"},
    {"GLTF-LENGTH", MST_ERROR, "a GLB is longer than its file"},
    {"GLTF-JSON", MST_ERROR, "the JSON of a model is not JSON"},
    {"GLTF-LIST", MST_ERROR, "what should be a list is something else"},
    {"GLTF-INDEX", MST_ERROR, "an index leads to nothing"},
    {"GLTF-VALUE", MST_ERROR, "a value is of another kind than it should be"},
    {"GLTF-TREE", MST_ERROR, "a node has two parents, or is its own"},
    {"GLTF-URI", MST_ERROR, "a buffer is neither data in Base64 nor a file next to the model"},
    {"GLTF-BUFFER", MST_ERROR, "the file of a buffer is missing, or is shorter than the buffer"},
    {"GLTF-VIEW", MST_ERROR, "a buffer view is not valid, or ends after its buffer"},
    {"GLTF-ACCESSOR", MST_ERROR, "an accessor is not valid, or ends after its buffer view"},
};

const mst_code_information *mst_import_code_at(size_t index) {
    return index < sizeof codes / sizeof *codes ? &codes[index] : NULL;
}

/* ---- origin of the model ---- */

/* The extras of the scene, or of the node that has the same: programs lose one or the other. 0: neither. */
static uint32_t find_origin(const mst_model *model) {
    if (mst_model_extra(model, model->extras, MST_EDITING_IS))
        return model->extras;
    for (size_t i = 0; i < model->node_count; i++)
        if (mst_model_extra(model, model->nodes[i].extras, MST_EDITING_IS))
            return model->nodes[i].extras;
    return 0;
}

static mst_status refuse_origin(const mst_import_state *w) {
    bool any = false, paths = false;
    for (size_t i = 0; i < w->model.node_count; i++) {
        any = any || w->model.nodes[i].extras;
        paths = paths || mst_model_extra(&w->model, w->model.nodes[i].extras, "path");
    }
    if (!any)
        return mst_fail(w->diagnostic, MST_REFUSED,
                        "the model has no extras, by which it is known what is what: when you export it from "
                        "Blender, tick Include > Custom Properties");
    return mst_fail(
        w->diagnostic, MST_REFUSED,
        paths ? "the model was not exported for editing: convert the level with --for-editing, and "
                "edit that"
              : "the model is not one of a level; convert the level with --for-editing, and edit that");
}

static const char *origin_text(mst_import_state *w, uint32_t origin, const char *name) {
    const mst_json_node *text = mst_model_text(&w->model, origin, name);
    return text ? mst_arena_text(w->arena, text->text, text->length) : "";
}

static mst_status check_origin(mst_import_state *w, uint32_t origin) {
    char hash[65];
    double version = 0;
    const uint32_t at = mst_model_extra(&w->model, origin, MST_EDITING_IS);
    const mst_json_node *said = &w->model.json.nodes[at];
    const char *format = origin_text(w, origin, MST_EDITING_FORMAT),
               *base = origin_text(w, origin, MST_EDITING_SHA256);
    const char *own = mst_document_format(mst_level_document(w->level, 0))->id;
    if (!format || !base || mst_level_sha256(w->level, w->arena, hash) != MST_OK)
        return mst_importing_no_memory(w);
    if (said->kind == MST_JSON_NUMBER)
        mst_read_f64(said->text, said->length, &version);
    if (version != MST_EDITING_VERSION)
        return mst_fail(w->diagnostic, MST_REFUSED,
                        "another version of mapstone exported the model: export it again");
    if (*format && strcmp(format, own) != 0)
        return mst_fail(w->diagnostic, MST_REFUSED, "the model is of %.40s, and the level is %s", format,
                        own);
    if (*base && strcmp(base, hash) != 0 && !w->options->other_base) {
        mst_fail(w->diagnostic, MST_REFUSED, "the model was exported from another version of the level");
        if (w->diagnostic) {
            MST_SET(w->diagnostic->expected, "SHA-256 %.64s", base);
            MST_SET(w->diagnostic->found, "%s", hash);
        }
        return mst_because(MST_REFUSED, w->diagnostic, MST_REASON_OTHER_BASE);
    }
    return MST_OK;
}

/* ---- the level as exported ---- */

/* The lines of a text. */
static bool split_lines(mst_import_state *w, uint32_t origin, const char *name, const char *const **lines,
                        size_t *count) {
    const char *text = origin_text(w, origin, name);
    char *copy = text ? mst_arena_text(w->arena, text, strlen(text)) : NULL;
    size_t most = 1;
    *count = 0;
    for (const char *at = copy; at && *at; at++)
        most += *at == '\n';
    const char **made = copy ? mst_arena_take(w->arena, most, sizeof *made) : NULL;
    if (!made)
        return false;
    for (char *at = copy; *at;) {
        char *end = strchr(at, '\n');
        made[(*count)++] = at;
        if (!end)
            break;
        *end = 0;
        at = end + 1;
    }
    *lines = made;
    return true;
}

static mst_status make_scene(mst_import_state *w, uint32_t origin) {
    const char *map = origin_text(w, origin, MST_EDITING_MAP);
    mst_scene_options contents = {.size = sizeof contents,
                                  .no_markers = 1, /* their shapes are not compared */
                                  .no_textures = 1,
                                  .split_layers = *origin_text(w, origin, MST_EDITING_LAYERS) != 0,
                                  .map = map && *map ? map : NULL,
                                  .allocator = w->result->allocator};
    mst_editing_options how = {.size = sizeof how, .scene = &contents};
    if (!split_lines(w, origin, MST_EDITING_ONLY, &how.only, &how.only_count) ||
        !split_lines(w, origin, MST_EDITING_HIDE, &how.hide, &how.hide_count) ||
        !split_lines(w, origin, MST_EDITING_SELECT, &how.select, &how.select_count))
        return mst_importing_no_memory(w);
    mst_status status = mst_editing_scene(w->level, &how, &w->scene, w->diagnostic);
    if (status != MST_OK)
        return status;
    const size_t count = w->scene->node_count;
    w->stands = mst_arena_zero(&w->scratch, count, 1);
    w->matrices = mst_arena_take(&w->scratch, count, 16 * sizeof *w->matrices);
    w->worlds = mst_arena_take(&w->scratch, count, sizeof *w->worlds);
    if (!w->stands || !w->matrices || !w->worlds ||
        !mst_scene_find_elements(w->scene, &w->result->allocator, w->stands))
        return mst_importing_no_memory(w);
    mst_scene_world_matrices(w->scene, w->matrices);
    for (size_t i = 0; i < count; i++)
        mst_matrix_of_floats(w->matrices + 16 * i, w->worlds[i]);
    return MST_OK;
}

static mst_status index_elements(mst_import_state *w) {
    w->elements.allocator = w->result->allocator;
    for (size_t i = 0; i < w->scene->node_count; i++) {
        const mst_scene_source *source = &w->scene->nodes[i].source;
        if (w->stands[i] != MST_NODE_ELEMENT)
            continue;
        const size_t length = mst_scene_source_path(source, NULL, 0), file = strlen(source->file);
        char *key = mst_arena_take(&w->scratch, file + length + 2, 1);
        if (!key)
            return mst_importing_no_memory(w);
        memcpy(key, source->file, file);
        key[file] = '\n';
        mst_scene_source_path(source, key + file + 1, length + 1);
        mst_hash_map_entry entry = mst_key_text(key);
        entry.value = (uint32_t)i;
        if (!mst_hash_map_add(&w->elements, entry))
            return mst_importing_no_memory(w);
    }
    return MST_OK;
}

/* ---- the import ---- */

static mst_status import_edited(mst_import_state *w, uint32_t origin) {
    mst_status status = make_scene(w, origin);
    if (status == MST_OK)
        status = index_elements(w);
    if (status == MST_OK)
        status = mst_import_entities(w);
    if (status == MST_OK)
        status = mst_import_new(w);
    if (status == MST_OK)
        status = mst_import_faces(w);
    if (status == MST_OK)
        status = mst_import_meshes(w);
    return status;
}

static mst_status compare(mst_import_state *w, const void *model, size_t size) {
    mst_status status = mst_model_read(&w->model, model, size, w->options->beside, &w->result->allocator,
                                       w->options->report, w->options->user, w->diagnostic);
    if (status != MST_OK)
        return status;
    const uint32_t origin = find_origin(&w->model);
    if (w->options->onto)
        status = origin ? mst_fail(w->diagnostic, MST_REFUSED,
                                   "the model was exported from a level: 'mapstone import' brings it back")
                        : mst_import_level(w);
    else
        status = origin ? check_origin(w, origin) : refuse_origin(w);
    if (status == MST_OK && !w->options->onto)
        status = import_edited(w, origin);
    for (size_t i = 0; i < w->result->script_count && status == MST_OK; i++)
        status = mst_script_finish(w, &w->result->scripts[i]);
    return status;
}

mst_status mst_import(mst_level *level, const void *model, size_t size, const mst_import_options *options,
                      mst_imported **imported, mst_diagnostic *diagnostic) {
    mst_import_options given = {.size = 0};
    if (imported)
        *imported = NULL;
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    if ((level != NULL) == (given.onto != NULL) || !model || !imported)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a level, a model and a pointer for the changes are needed");
    mst_arena arena;
    mst_arena_begin(&arena, &given.allocator, 0);
    mst_imported *result = mst_arena_zero(&arena, 1, sizeof *result);
    if (!result) {
        mst_arena_end(&arena);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to import the model");
    }
    result->allocator = arena.allocator;
    mst_import_state w = {
        .level = level, .options = &given, .result = result, .arena = &arena, .diagnostic = diagnostic};
    mst_arena_begin(&w.scratch, &given.allocator, 0);
    status = compare(&w, model, size);
    mst_hash_map_end(&w.elements);
    mst_scene_free(w.scene);
    mst_model_end(&w.model);
    mst_arena_end(&w.scratch);
    result->arena = arena;
    if (status == MST_OK)
        *imported = result;
    else
        mst_imported_free(result);
    return status;
}

const char *mst_imported_script(const mst_imported *imported, size_t document) {
    return imported && document < imported->script_count ? (const char *)imported->scripts[document].text.data
                                                         : "";
}

void mst_imported_free(mst_imported *imported) {
    if (!imported)
        return;
    for (size_t i = 0; i < imported->script_count; i++) {
        mst_buffer_free(&imported->scripts[i].text);
        mst_array_free(&imported->scripts[i].removed);
        mst_hash_map_end(&imported->scripts[i].counts);
    }
    mst_arena arena = imported->arena; /* the result itself is in it */
    mst_arena_end(&arena);
}
