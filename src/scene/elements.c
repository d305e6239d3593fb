/* SPDX-License-Identifier: MIT */
#include "elements.h"
#include "../core/arena.h"
#include "../core/map.h"

static bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_source(const mst_scene_source *a, const mst_scene_source *b) {
    return a->index == b->index && same_text(a->path, b->path) && same_text(a->file, b->file);
}

static bool is_there(const char *text) {
    return text && *text;
}

/* Whether a node only shows elements of a list, or holds their nodes. */
static bool shows_list(const mst_scene *scene, const mst_node *node) {
    if (node->source.index != MST_NO_INDEX)
        return false;
    if (node->role == MST_ROLE_GROUP || node->mesh < 0 || (size_t)node->mesh >= scene->mesh_count)
        return node->role == MST_ROLE_GROUP;
    const mst_mesh *mesh = &scene->meshes[node->mesh];
    return mesh->primitive_count && mesh->primitives->elements;
}

static mst_node_meaning stands_for(const mst_scene *scene, size_t index, mst_arena *arena,
                                   mst_hash_map *met) {
    const mst_node *node = &scene->nodes[index];
    const mst_node *above =
        node->parent >= 0 && (size_t)node->parent < index ? &scene->nodes[node->parent] : NULL;
    if (!is_there(node->source.path) && !is_there(node->source.file))
        return MST_NODE_NOTHING;
    if (shows_list(scene, node) ||
        (above && above->source.path && same_source(&node->source, &above->source)))
        return node->role == MST_ROLE_GROUP ? MST_NODE_NOTHING : MST_NODE_PART;
    const char *key =
        mst_arena_printf(arena, "%s\n%s\n%lu", node->source.file ? node->source.file : "",
                         node->source.path ? node->source.path : "", (unsigned long)node->source.index);
    const size_t before = met->count;
    if (key)
        mst_hash_map_add(met, mst_key_text(key));
    return met->count > before ? MST_NODE_ELEMENT : MST_NODE_PART;
}

bool mst_scene_find_elements(const mst_scene *scene, const mst_allocator *allocator, uint8_t *stands) {
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    mst_hash_map met = {.allocator = arena.allocator};
    bool made = mst_hash_map_reserve(&met, scene->node_count);
    for (size_t i = 0; i < scene->node_count && made; i++) {
        const mst_node *node = &scene->nodes[i];
        const bool below = i && node->parent >= 0 && (size_t)node->parent < i;
        const bool hidden = node->hidden || (below && (stands[node->parent] & 128));
        stands[i] = hidden ? 128 : i ? (uint8_t)stands_for(scene, i, &arena, &met) : 0;
        made = !arena.starved;
    }
    for (size_t i = 0; i < scene->node_count && made; i++)
        stands[i] &= 127;
    mst_hash_map_end(&met);
    mst_arena_end(&arena);
    return made;
}
