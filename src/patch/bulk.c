/* SPDX-License-Identifier: MIT */
#include "bulk.h"
#include "../core/json_text.h"
#include "../core/lower_bound.h"
#include "../core/text.h"
#include <stdlib.h>

static bool is_condition(const mst_json_node *key) {
    return !mst_is_word(key, "list") && !mst_is_word(key, "index");
}

/* ---- inserted and removed elements -------------------------------------------------------------------- */

static int by_place(const void *left, const void *right) {
    const mst_patch_step *const *a = left, *const *b = right;
    int order = strcmp((*a)->list, (*b)->list);
    return order ? order : ((*a)->index > (*b)->index) - ((*a)->index < (*b)->index);
}

mst_status mst_bulk_steps_find(mst_bulk_steps *passing, const mst_patch_steps *steps, mst_step_kind kind,
                               mst_arena *arena) {
    *passing = (mst_bulk_steps){.steps = mst_arena_take(arena, steps->count + 1, sizeof *passing->steps)};
    if (!passing->steps)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < steps->count; i++)
        if (steps->items[i].kind == kind && steps->items[i].list)
            passing->steps[passing->count++] = &steps->items[i];
    if (passing->count)
        qsort(passing->steps, passing->count, sizeof *passing->steps, by_place);
    return MST_OK;
}

size_t mst_bulk_steps_of(const mst_bulk_steps *passing, const char *list) {
    MST_LOWER_BOUND(first, middle, passing->count, strcmp(passing->steps[middle]->list, list) < 0);
    return first;
}

bool mst_bulk_passes(const mst_bulk_steps *passing, size_t *next, const char *list, uint64_t index) {
    while (*next < passing->count && strcmp(passing->steps[*next]->list, list) == 0 &&
           passing->steps[*next]->index < index)
        ++*next;
    return *next < passing->count && passing->steps[*next]->index == index &&
           strcmp(passing->steps[*next]->list, list) == 0;
}

/* ---- selected elements -------------------------------------------------------------------------------- */

const char **mst_bulk_paths(const mst_json *at, mst_arena *arena) {
    const char **paths = mst_arena_take(arena, (size_t)at->nodes[0].count + 1, sizeof *paths);
    size_t k = 0;
    for (uint32_t i = 1; paths && i < at->nodes[0].end; i = at->nodes[i + 1].end) {
        const char *path = mst_arena_text(arena, at->nodes[i].text, at->nodes[i].length);
        if (!path)
            return NULL;
        paths[k++] = path;
    }
    return paths;
}

bool mst_bulk_is_meant(mst_draft *draft, uint32_t element, const mst_json *at, const char *const *paths) {
    size_t k = 0;
    for (uint32_t i = 1; i < at->nodes[0].end; i = at->nodes[i + 1].end, k++) {
        if (!is_condition(&at->nodes[i]))
            continue;
        uint32_t node = mst_draft_below(draft, element, paths[k]);
        if (node == MST_NONE || !mst_same_tree(&draft->json, node, at, i + 1))
            return false;
    }
    return true;
}

mst_status mst_stated_read(mst_stated *value, const char *text, mst_arena *arena) {
    value->there = text != NULL;
    return text ? mst_json_parse(text, strlen(text), arena, &value->json, NULL) : MST_OK;
}

/* Whether a text is a pair of that name. */
static bool is_pair(const char *text, const char *name, mst_arena *arena) {
    mst_json json;
    if (!text || *text != '{' || mst_json_parse(text, strlen(text), arena, &json, NULL) != MST_OK)
        return false;
    for (uint32_t i = 1; i < json.nodes[0].end; i = json.nodes[i + 1].end)
        if (mst_is_word(&json.nodes[i], "name"))
            return json.nodes[i + 1].kind == MST_JSON_STRING && mst_is_word(&json.nodes[i + 1], name);
    return false;
}

mst_status mst_bulk_place_read(mst_bulk_place *value, const char *path, const char *old, const char *now,
                               mst_arena *arena) {
    const char *dot = strrchr(path, '.');
    *value = (mst_bulk_place){.path = path};
    if (dot && !(old && now) && is_pair(old ? old : now, dot + 1, arena)) {
        value->name = dot + 1;
        value->list = mst_arena_text(arena, path, (size_t)(dot - path));
    }
    return arena->starved ? MST_NO_MEMORY : MST_OK;
}

uint32_t mst_bulk_pairs(mst_draft *draft, uint32_t element, const mst_bulk_place *where) {
    uint32_t list = where->name ? mst_draft_below(draft, element, where->list) : MST_NONE;
    return list != MST_NONE && draft->json.nodes[list].kind == MST_JSON_ARRAY ? list : MST_NONE;
}

uint32_t mst_bulk_pair_in(const mst_draft *draft, uint32_t list, const char *name, uint64_t *index) {
    const mst_json_node *nodes = draft->json.nodes;
    *index = 0;
    for (uint32_t at = list + 1; at < nodes[list].end; at = nodes[at].end, ++*index)
        for (uint32_t i = at + 1; nodes[at].kind == MST_JSON_OBJECT && i < nodes[at].end;
             i = nodes[i + 1].end)
            if (mst_is_word(&nodes[i], "name") && mst_is_word(&nodes[i + 1], name))
                return at;
    return MST_NONE;
}

static uint32_t node_at(mst_draft *draft, uint32_t element, const mst_bulk_place *where) {
    uint64_t index;
    uint32_t list = mst_bulk_pairs(draft, element, where);
    return list != MST_NONE ? mst_bulk_pair_in(draft, list, where->name, &index)
                            : mst_draft_below(draft, element, where->path);
}

bool mst_bulk_has(mst_draft *draft, uint32_t element, const mst_bulk_place *where, const mst_stated *value) {
    uint32_t node = node_at(draft, element, where);
    return node == MST_NONE ? !value->there
                            : value->there && mst_same_tree(&draft->json, node, &value->json, 0);
}

uint32_t mst_bulk_list(mst_draft *draft, const char *path) {
    uint32_t list = mst_draft_below(draft, 0, path);
    return list != MST_NONE && draft->json.nodes[list].kind == MST_JSON_ARRAY ? list : MST_NONE;
}
