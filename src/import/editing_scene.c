/* SPDX-License-Identifier: MIT */
/* The scene of a level for export to editing, and again for the comparison: the same elements both times. */
#include "editing_scene.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/map.h"
#include "../level/inside.h"
#include "../scene/elements.h"
#include <stdio.h>
#include <stdlib.h>

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the scene");
}

/* ---- origin ---- */

static bool is_own(const mst_level *level, size_t document) {
    const mst_level_part *part = mst_level_part_at(level, document);
    return !part->is_sidecar && !part->is_alone;
}

static int by_hash(const void *left, const void *right) {
    return memcmp(left, right, 64);
}

/* With several files the order does not matter. */
mst_status mst_level_sha256(mst_level *level, mst_arena *arena, char text[65]) {
    size_t files = 0, made = 0;
    for (size_t i = 0; i < mst_level_count(level); i++)
        files += is_own(level, i) ? mst_document_file_count(mst_level_document(level, i)) : 0;
    char *all = mst_arena_take(arena, files, 64);
    if (!all)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < mst_level_count(level); i++) {
        const mst_document *document = mst_level_document(level, i);
        for (size_t k = 0; is_own(level, i) && k < mst_document_file_count(document); k++) {
            size_t size;
            const void *bytes = mst_document_file(document, k, NULL, &size);
            mst_sha256_text(bytes, size, text);
            memcpy(all + 64 * made++, text, 64);
        }
    }
    if (made > 1) {
        qsort(all, made, 64, by_hash);
        mst_sha256_text(all, 64 * made, text);
    }
    return MST_OK;
}

/* The texts joined by line breaks. */
static const char *joined(mst_arena *arena, const char *const *texts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(texts[i]) + 1;
    char *all = mst_arena_take(arena, length + 1, 1);
    if (!all)
        return NULL;
    length = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t own = strlen(texts[i]);
        memcpy(all + length, texts[i], own);
        length += own;
        if (i + 1 < count)
            all[length++] = '\n';
    }
    all[length] = 0;
    return all;
}

#define EXTRAS 10

static mst_status add_extras(mst_level *level, const mst_editing_options *options, mst_arena *arena,
                             mst_scene *scene) {
    char hash[65];
    const mst_document *document = mst_level_document(level, 0);
    const mst_scene_options *how = options->scene;
    const char *lists[3] = {joined(arena, options->only, options->only_count),
                            joined(arena, options->hide, options->hide_count),
                            joined(arena, options->select, options->select_count)};
    if (mst_level_sha256(level, arena, hash) != MST_OK || !lists[0] || !lists[1] || !lists[2])
        return MST_NO_MEMORY;
    mst_extra all[EXTRAS] = {
        {.name = MST_EDITING_IS, .kind = MST_EXTRA_INTEGER, .integer = MST_EDITING_VERSION},
        {.name = MST_EDITING_FORMAT, .kind = MST_EXTRA_TEXT, .text = mst_document_format(document)->id},
        {.name = MST_EDITING_LEVEL,
         .kind = MST_EXTRA_INTEGER,
         .integer = (int32_t)(mst_document_version(document) & INT32_MAX)},
        {.name = MST_EDITING_SHA256, .kind = MST_EXTRA_TEXT, .text = hash}};
    const struct {
        const char *name, *text;
    } texts[] = {{MST_EDITING_ONLY, lists[0]},
                 {MST_EDITING_HIDE, lists[1]},
                 {MST_EDITING_SELECT, lists[2]},
                 {MST_EDITING_MARKERS, how && how->no_markers ? "yes" : ""},
                 {MST_EDITING_LAYERS, how && how->split_layers ? "yes" : ""},
                 {MST_EDITING_MAP, how && how->map ? how->map : ""}};
    size_t count = 4;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i].text)
            all[count++] = (mst_extra){.name = texts[i].name, .kind = MST_EXTRA_TEXT, .text = texts[i].text};
    return mst_scene_more_extras(scene, all, count) ? MST_OK : MST_NO_MEMORY;
}

/* ---- selection ---- */

typedef struct select_state {
    mst_arena *arena;
    mst_hash_map paths; /* "file\npath" */
    const char *file;
    uint64_t count;
    bool lacks_memory;
} select_state;

static mst_status take_path(void *user, const char *path, const mst_value *value) {
    select_state *s = user;
    (void)value;
    const char *key = mst_arena_printf(s->arena, "%s\n%s", s->file, path);
    if (!key || !mst_hash_map_add(&s->paths, mst_key_text(key)))
        s->lacks_memory = true;
    s->count++;
    return s->lacks_memory ? MST_NO_MEMORY : MST_OK;
}

static mst_status select_one(mst_level *level, const char *path, select_state *s,
                             mst_diagnostic *diagnostic) {
    mst_diagnostic why = {.status = MST_NO_PATH};
    mst_status status = MST_OK;
    const uint64_t before = s->count;
    for (size_t i = 0; i < mst_level_count(level) && (status == MST_OK || status == MST_NO_PATH); i++) {
        const mst_document *document = mst_level_document(level, i);
        mst_value found;
        s->file = i || mst_level_count(level) > 1 ? mst_document_name(document) : "";
        if (mst_is_selector(path, 1)) {
            mst_selected counted;
            status = mst_select(mst_root(document), path, take_path, s, &counted, &why);
        } else {
            status = mst_find(mst_root(document), path, &found, &why);
            if (status == MST_OK)
                status = take_path(s, path, &found);
        }
    }
    if (status == MST_OK || (status == MST_NO_PATH && s->count > before))
        return s->count > before ? MST_OK
                                 : mst_fail(diagnostic, MST_NO_PATH, "nothing in the level is %s", path);
    if (diagnostic)
        *diagnostic = why;
    return status;
}

static bool is_selected(select_state *s, const mst_scene_source *source) {
    char path[512];
    if (mst_scene_source_path(source, path, sizeof path) >= sizeof path)
        return false;
    s->arena->starved = false;
    const char *file = source->file ? source->file : "";
    char key[700];
    const int length = snprintf(key, sizeof key, "%s\n%s", file, path);
    if (length > 0 && (size_t)length < sizeof key && mst_hash_map_find(&s->paths, mst_key_text(key)))
        return true;
    snprintf(key, sizeof key, "\n%s", path); /* a level of one document */
    return mst_hash_map_find(&s->paths, mst_key_text(key)) != NULL;
}

/* A primitive reduced to the triangles whose elements are selected. */
static bool filter_triangles(mst_scene *scene, select_state *s, mst_primitive *part) {
    if (!part->elements || !part->source.path)
        return true;
    const uint32_t count = (part->indices ? part->index_count : part->vertex_count) / 3;
    uint32_t *indices = mst_scene_memory(scene, count, 3 * sizeof *indices),
             *elements = mst_scene_memory(scene, count, sizeof *elements), kept = 0;
    if (!indices || !elements)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        mst_scene_source source = part->source;
        source.index = part->elements[i];
        if (!is_selected(s, &source))
            continue;
        for (uint32_t k = 0; k < 3; k++)
            indices[3 * kept + k] = part->indices ? part->indices[3 * i + k] : 3 * i + k;
        elements[kept++] = part->elements[i];
    }
    part->indices = indices;
    part->elements = elements;
    part->index_count = 3 * kept;
    return true;
}

static bool filter(mst_scene *scene, select_state *s) {
    uint8_t *stands = mst_arena_zero(s->arena, scene->node_count, 1);
    if (!stands || !mst_scene_find_elements(scene, &s->arena->allocator, stands))
        return false;
    mst_node *nodes = (mst_node *)(uintptr_t)scene->nodes; /* memory that the library owns */
    for (size_t i = 0; i < scene->mesh_count; i++) {
        const mst_mesh *mesh = &scene->meshes[i];
        mst_primitive *parts = mst_scene_memory(scene, mesh->primitive_count, sizeof *parts);
        if (!parts)
            return false;
        memcpy(parts, mesh->primitives, mesh->primitive_count * sizeof *parts);
        for (size_t k = 0; k < mesh->primitive_count; k++)
            if (!filter_triangles(scene, s, &parts[k]))
                return false;
        ((mst_mesh *)(uintptr_t)scene->meshes)[i].primitives = parts;
    }
    for (size_t i = 1; i < scene->node_count; i++) {
        const bool thing = nodes[i].role != MST_ROLE_GROUP && nodes[i].source.index != MST_NO_INDEX;
        if (thing && stands[i] == MST_NODE_ELEMENT && !is_selected(s, &nodes[i].source))
            nodes[i].hidden = 1;
    }
    return true;
}

static mst_status select_elements(mst_level *level, const mst_editing_options *options, mst_arena *arena,
                                  mst_scene *scene, mst_diagnostic *diagnostic) {
    select_state s = {.arena = arena, .paths = {.allocator = arena->allocator}};
    mst_status status = MST_OK;
    for (size_t i = 0; i < options->select_count && status == MST_OK; i++)
        status = select_one(level, options->select[i], &s, diagnostic);
    if (status == MST_OK && !filter(scene, &s))
        status = no_memory(diagnostic);
    mst_hash_map_end(&s.paths);
    return status;
}

/* ---- the scene ---- */

static mst_status prepare(mst_level *level, const mst_editing_options *options, mst_scene *scene,
                          mst_diagnostic *diagnostic) {
    mst_scene_choice choice = {.size = sizeof choice,
                               .only = options->only,
                               .only_count = options->only_count,
                               .hide = options->hide,
                               .hide_count = options->hide_count};
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_scene_choose(scene, &choice, diagnostic);
    if (status == MST_OK && options->select_count)
        status = select_elements(level, options, &arena, scene, diagnostic);
    if (status == MST_OK && add_extras(level, options, &arena, scene) != MST_OK)
        status = no_memory(diagnostic);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_editing_scene(mst_level *level, const mst_editing_options *options, mst_scene **scene,
                             mst_diagnostic *diagnostic) {
    mst_editing_options given = {.size = 0};
    if (scene)
        *scene = NULL;
    if (!level || !scene)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a pointer for the scene are needed");
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    mst_scene *made = NULL;
    if (status == MST_OK)
        status = mst_level_scene(level, given.scene, &made, diagnostic);
    if (status == MST_OK)
        status = prepare(level, &given, made, diagnostic);
    if (status == MST_OK)
        *scene = made;
    else
        mst_scene_free(made);
    return status;
}
