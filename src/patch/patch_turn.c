/* SPDX-License-Identifier: MIT */
/* Reversed patches: steps that make the old document from the new one. */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "drafts.h"
#include <stdlib.h>

const char *mst_path_translated(const mst_list_change *changes, const char *path, mst_arena *arena) {
    char made[4096];
    size_t length = 0, at = 0;
    while (path[at]) {
        uint64_t index = 0;
        size_t digits = path[at] == '[' ? strspn(path + at + 1, "0123456789") : 0;
        const mst_list_change *list = NULL;
        if (digits && path[at + 1 + digits] == ']' && mst_read_u64(path + at + 1, digits, &index))
            for (list = changes; list; list = list->next)
                if (strncmp(list->path, path, at) == 0 && !list->path[at])
                    break;
        if (list) {
            if (list->from_old)
                index = index < list->old_count ? list->from_old[index] : MST_NONE;
            if (index >= list->count || list->now[index] == MST_NONE)
                return NULL;
            length = mst_path_step(made, sizeof made, length, "", list->now[index]);
            at += digits + 2;
        } else if (length + 1 < sizeof made) {
            made[length++] = path[at++];
        }
        if (length + 1 >= sizeof made)
            return NULL;
    }
    return mst_arena_text(arena, made, length);
}

static mst_status turn(mst_patch_step *step, const mst_list_change *changes, mst_arena *arena) {
    static const uint8_t turned[] = {
        [MST_STEP_SET] = MST_STEP_SET,         [MST_STEP_INSERT] = MST_STEP_REMOVE,
        [MST_STEP_REMOVE] = MST_STEP_INSERT,   [MST_STEP_MOVE] = MST_STEP_MOVE,
        [MST_STEP_LIST] = MST_STEP_LIST,       [MST_STEP_STORE] = MST_STEP_STORE,
        [MST_STEP_RESTORE] = MST_STEP_RESTORE, [MST_STEP_RAW] = MST_STEP_RAW,
        [MST_STEP_BULK] = MST_STEP_BULK};
    const char *old = step->old, *geometry = step->geometry[0];
    if (step->kind == MST_STEP_RESTORE)
        return MST_OK;
    step->geometry[0] = step->geometry[1];
    step->geometry[1] = geometry;
    step->kind = turned[step->kind];
    step->old = step->now;
    step->now = old;
    if (step->kind == MST_STEP_RAW || step->kind == MST_STEP_STORE || step->kind == MST_STEP_BULK)
        return MST_OK;
    if (step->kind == MST_STEP_MOVE || step->kind == MST_STEP_LIST) {
        uint64_t index = step->index;
        step->index = step->to;
        step->to = index;
    }
    if (step->list) {
        step->list = mst_path_translated(changes, step->list, arena);
        if (step->list)
            step->key = mst_arena_printf(arena, "%s[%llu]", step->list, (unsigned long long)step->index);
        return step->list && step->key ? MST_OK : MST_REFUSED;
    }
    step->key = mst_path_translated(changes, step->key, arena);
    return step->key ? MST_OK : MST_REFUSED;
}

/* ---- identifying values of elements ------------------------------------------------------------------- */

/* Steps that set values of elements, ordered by element. */
typedef struct settings {
    const mst_patch_step **items;
    size_t count;
} settings;

static int by_element(const mst_patch_step *a, const mst_patch_step *b) {
    int order = strcmp(a->at_list, b->at_list);
    return order ? order : (a->at_index > b->at_index) - (a->at_index < b->at_index);
}

static int by_element_and_path(const void *left, const void *right) {
    const mst_patch_step *a = *(const mst_patch_step *const *)left,
                         *b = *(const mst_patch_step *const *)right;
    int order = by_element(a, b);
    return order ? order : strcmp(a->key, b->key);
}

static bool find_settings(const mst_patch_steps *steps, mst_arena *arena, settings *all) {
    all->items = mst_arena_take(arena, steps->count + 1, sizeof *all->items);
    all->count = 0;
    for (size_t i = 0; i < steps->count && all->items; i++)
        if (steps->items[i].kind == MST_STEP_SET && steps->items[i].at)
            all->items[all->count++] = &steps->items[i];
    if (all->count)
        qsort(all->items, all->count, sizeof(const mst_patch_step *), by_element_and_path);
    return all->items != NULL;
}

/* The step that sets a value of an element of the old document; NULL: none does. */
static const mst_patch_step *setting_of(const settings *all, const mst_patch_step *step, const char *path,
                                        mst_arena *arena) {
    mst_patch_step wanted = {.at_list = step->at_list, .at_index = step->at_index};
    wanted.key =
        mst_arena_printf(arena, "%s[%llu].%s", step->at_list, (unsigned long long)step->at_index, path);
    const mst_patch_step *key = &wanted, **found = NULL;
    if (wanted.key && all->count)
        found = bsearch(&key, all->items, all->count, sizeof(const mst_patch_step *), by_element_and_path);
    return found ? *found : NULL;
}

/* The identifying values of an element in the new document. NULL: out of memory. */
static const char *known_later(const settings *all, const mst_patch_step *step, const char *known,
                               mst_arena *arena) {
    mst_json json;
    const char *made = "";
    if (mst_json_parse(known, strlen(known), arena, &json, NULL) != MST_OK)
        return NULL;
    for (uint32_t i = 1; i < json.nodes[0].end && made; i = json.nodes[i + 1].end) {
        const char *path = mst_arena_text(arena, json.nodes[i].text, json.nodes[i].length);
        const char *name = mst_json_text_of(&json, i, arena), *value = mst_json_text_of(&json, i + 1, arena);
        if (!path || !name || !value)
            return NULL;
        const mst_patch_step *set = setting_of(all, step, path, arena);
        if (set)
            value = set->now;
        if (value)
            made = mst_arena_printf(arena, "%s%s%s:%s", made, *made ? "," : "", name, value);
    }
    return made ? mst_arena_printf(arena, "{%s}", made) : NULL;
}

/* Whether a step is about an element as a whole. */
static bool is_whole(const mst_patch_step *step) {
    return step->list && (!step->at || strcmp(step->list, step->at_list) == 0);
}

/* Reverses a step's description of its element: a removed element is in the old document only, and an
 * inserted one is recognised by all its values. */
static mst_status turn_element(mst_patch_step *step, const settings *all, const mst_list_change *changes,
                               mst_arena *arena) {
    if (step->kind == MST_STEP_REMOVE && is_whole(step)) {
        step->at = step->near = NULL;
        return MST_OK;
    }
    if (step->kind == MST_STEP_INSERT && is_whole(step)) {
        step->at = "{}";
        step->at_list = mst_path_translated(changes, step->list, arena);
        step->at_index = step->index;
        return step->at_list ? MST_OK : MST_REFUSED;
    }
    if (!step->at || step->kind == MST_STEP_BULK)
        return MST_OK;
    const char *at = known_later(all, step, step->at, arena),
               *near = step->near ? known_later(all, step, step->near, arena) : NULL;
    if (!at || (step->near && !near))
        return MST_NO_MEMORY;
    char *path = mst_arena_printf(arena, "%s[%llu]", step->at_list, (unsigned long long)step->at_index);
    const char *now = path ? mst_path_translated(changes, path, arena) : NULL;
    const char *open = now ? strrchr(now, '[') : NULL;
    if (!open || !mst_read_u64(open + 1, strspn(open + 1, "0123456789"), &step->at_index))
        return path ? MST_REFUSED : MST_NO_MEMORY;
    step->at_list = mst_arena_text(arena, now, (size_t)(open - now));
    step->at = at;
    step->near = near;
    return step->at_list ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_patch_turn(mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                          mst_diagnostic *diagnostic) {
    mst_list_change *changes;
    mst_status status = mst_changes_of_steps(steps, limit, arena, &changes);
    settings all = {NULL, 0};
    mst_patch_step *turned = mst_arena_take(arena, steps->count + 1, sizeof *turned);
    if (status == MST_OK && (!turned || !find_settings(steps, arena, &all)))
        status = MST_NO_MEMORY;
    for (size_t i = 0; i < steps->count && status == MST_OK; i++) {
        turned[i] = steps->items[i];
        status = turn_element(&turned[i], &all, changes, arena);
        if (status == MST_OK)
            status = turn(&turned[i], changes, arena);
    }
    if (status == MST_OK)
        steps->items = turned;
    const char *hash = steps->sha256[0];
    steps->sha256[0] = steps->sha256[1];
    steps->sha256[1] = hash;
    steps->turned = true;
    return status == MST_REFUSED ? mst_fail(diagnostic, status, "the patch contradicts itself") : status;
}
