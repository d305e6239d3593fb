/* SPDX-License-Identifier: MIT */
/* Results from a level's documents: entities, scenes, findings. */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "../scene/geometry.h"
#include "inside.h"
#include <string.h>

/* ---- scenes ------------------------------------------------------------------------------------- */

/* The documents that are not sidecars. NULL if there is not enough memory. */
static const mst_document **documents_of(const mst_level *level, size_t *count) {
    const mst_document **documents =
        level->allocator.resize(level->allocator.user, NULL, 0, level->parts.count * sizeof *documents);
    *count = 0;
    for (size_t i = 0; i < level->parts.count && documents; i++) {
        const mst_level_part *part = mst_level_part_at(level, i);
        if (!part->is_sidecar)
            documents[(*count)++] = part->document;
    }
    return documents;
}

static void free_documents(const mst_level *level, const mst_document **documents) {
    level->allocator.resize(level->allocator.user, documents, level->parts.count * sizeof *documents, 0);
}

mst_status mst_level_scene(mst_level *level, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    if (scene)
        *scene = NULL;
    if (!level || !scene)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a pointer for the scene are needed");
    mst_scene_options with = {.size = 0};
    mst_status status = mst_take_options(&with, sizeof with, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (!with.allocator.resize)
        with.allocator = level->allocator;
    if (!with.sidecars)
        with.sidecars = &level->resolver;
    if (!with.map)
        with.map = level->options.map;
    size_t count;
    const mst_document **documents = documents_of(level, &count);
    if (!documents)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the scene");
    status = mst_scene_from_documents(documents, count, &with, scene, diagnostic);
    free_documents(level, documents);
    return status;
}

mst_status mst_level_sprites(mst_level *level, const mst_sprites_options *options, mst_sprites **sprites,
                             mst_diagnostic *diagnostic) {
    if (sprites)
        *sprites = NULL;
    if (!level || !sprites)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a pointer for the sprites are needed");
    mst_sprites_options with = {.size = 0};
    mst_status status = mst_take_options(&with, sizeof with, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (!with.allocator.resize)
        with.allocator = level->allocator;
    if (!with.sidecars)
        with.sidecars = &level->resolver;
    size_t count;
    const mst_document **documents = documents_of(level, &count);
    if (!documents)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the sprites");
    status = mst_sprites_from_documents(documents, count, &with, sprites, diagnostic);
    free_documents(level, documents);
    return status;
}

mst_status mst_level_assets(mst_level *level, mst_assets **assets, mst_diagnostic *diagnostic) {
    if (assets)
        *assets = NULL;
    if (!level || !assets)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a pointer for the list are needed");
    size_t count;
    const mst_document **documents = documents_of(level, &count);
    if (!documents)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the list of files");
    mst_status status = mst_assets_of(documents, count, &level->resolver, assets, diagnostic);
    free_documents(level, documents);
    return status;
}

/* ---- entities ----------------------------------------------------------------------------------- */

/* A list followed by the data that it needs; in its own arena. */
typedef struct owned_entities {
    mst_entities list;
    mst_arena arena;
    mst_scene *scene; /* has the texts */
} owned_entities;

/* The places of nodes in the file's coordinates: below the root, whose transform is left out. */
typedef struct frame {
    float position[3], rotation[4], scale[3];
} frame;

static bool is_entity(const mst_scene *scene, size_t index) {
    const mst_node *node = &scene->nodes[index];
    if (node->role != MST_ROLE_ENTITY && !node->class_name[0])
        return false;
    const mst_scene_source *own = &node->source,
                           *outer = &scene->nodes[node->parent < 0 ? 0 : node->parent].source;
    return own->index != outer->index || strcmp(own->path, outer->path) != 0 ||
           strcmp(own->file, outer->file) != 0;
}

static void rotate(const float rotation[4], float point[3]) {
    const float *q = rotation;
    float t[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = 2 * (q[j] * point[k] - q[k] * point[j]);
    }
    float turned[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        turned[i] = point[i] + q[3] * t[i] + q[j] * t[k] - q[k] * t[j];
    }
    memcpy(point, turned, sizeof turned);
}

/* Fills in a frame for each node. */
static void place_nodes(const mst_scene *scene, frame *frames) {
    static const frame identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    frames[0] = identity;
    for (size_t i = 1; i < scene->node_count; i++) {
        const frame *outer = &frames[scene->nodes[i].parent];
        frame own, *to = &frames[i];
        mst_node_transform(&scene->nodes[i], own.position, own.rotation, own.scale);
        for (int k = 0; k < 3; k++) {
            own.position[k] *= outer->scale[k];
            to->scale[k] = own.scale[k] * outer->scale[k];
        }
        rotate(outer->rotation, own.position);
        for (int k = 0; k < 3; k++)
            to->position[k] = own.position[k] + outer->position[k];
        mst_quaternion_multiply(outer->rotation, own.rotation, to->rotation);
    }
}

static const char *keep_path(mst_arena *arena, const mst_scene_source *source) {
    size_t length = mst_scene_source_path(source, NULL, 0);
    char *path = mst_arena_take(arena, length + 1, 1);
    if (path)
        mst_scene_source_path(source, path, length + 1);
    return path;
}

/* Fills in the list; false: no memory. */
static bool list_entities(owned_entities *owned, mst_arena *arena) {
    const mst_scene *scene = owned->scene;
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += is_entity(scene, i);
    mst_entity *items = mst_arena_take(arena, count, sizeof *items);
    frame *frames = mst_arena_take(arena, scene->node_count, sizeof *frames);
    float *world = mst_arena_take(arena, scene->node_count, 16 * sizeof *world);
    if (!items || !frames || !world)
        return false;
    place_nodes(scene, frames);
    mst_scene_world_matrices(scene, world);
    owned->list = (mst_entities){items, count};
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (!is_entity(scene, i))
            continue;
        *items = (mst_entity){.class_name = node->class_name,
                              .name = node->name,
                              .layer = node->layer,
                              .file = node->source.file,
                              .path = keep_path(arena, &node->source),
                              .role = node->role,
                              .node = i};
        memcpy(items->position, frames[i].position, sizeof items->position);
        memcpy(items->rotation, frames[i].rotation, sizeof items->rotation);
        memcpy(items->world, world + 16 * i + 12, sizeof items->world);
        if (!items->path)
            return false;
        items++;
    }
    return true;
}

mst_status mst_level_entities(mst_level *level, mst_entities **entities, mst_diagnostic *diagnostic) {
    static const mst_scene_options plain = {.size = sizeof plain, .no_markers = 1, .no_assets = 1};
    if (entities)
        *entities = NULL;
    if (!level || !entities)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a pointer for the entities are needed");
    mst_scene *scene;
    mst_status status = mst_level_scene(level, &plain, &scene, diagnostic);
    if (status != MST_OK || MST_UNREACHABLE(!scene)) /* success is a scene */
        return status;
    mst_arena arena;
    mst_arena_begin(&arena, &level->allocator, 0);
    owned_entities *owned = mst_arena_zero(&arena, 1, sizeof *owned);
    if (owned)
        owned->scene = scene;
    if (!owned || !list_entities(owned, &arena)) {
        mst_arena_end(&arena);
        mst_scene_free(scene);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the list of entities");
    }
    owned->arena = arena;
    *entities = &owned->list;
    return MST_OK;
}

void mst_entities_free(mst_entities *entities) {
    if (!entities)
        return;
    owned_entities *owned = (owned_entities *)(void *)entities;
    mst_scene_free(owned->scene);
    mst_arena arena = owned->arena; /* the list itself is in it */
    mst_arena_end(&arena);
}

/* ---- checks ------------------------------------------------------------------------------------- */

typedef struct report_state {
    mst_level_report_function report;
    void *user;
    const char *file;
} report_state;

static mst_status pass_on(void *user, const mst_diagnostic *finding) {
    const report_state *to = user;
    return to->report ? to->report(to->user, to->file, finding) : MST_OK;
}

mst_status mst_level_check(mst_level *level, const mst_check_options *options,
                           mst_level_report_function report, void *user, mst_check_result *result,
                           mst_diagnostic *diagnostic) {
    if (!level)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level is needed");
    mst_check_options how = {.size = 0};
    mst_check_result total = {0, 0, 0};
    mst_status status = mst_take_options(&how, sizeof how, options, diagnostic);
    if (!how.sidecars)
        how.sidecars = &level->resolver;
    for (size_t i = 0; i < level->parts.count && status == MST_OK; i++) {
        mst_check_result one = {0, 0, 0};
        report_state to = {report, user, mst_level_path(level, i)};
        if (mst_level_part_at(level, i)->is_alone) /* findings for half of a pair are meaningless */
            continue;
        status = mst_check(mst_level_document(level, i), &how, pass_on, &to, &one, diagnostic);
        total.errors += one.errors;
        total.warnings += one.warnings;
        total.information += one.information;
    }
    if (result)
        *result = total;
    return status;
}
