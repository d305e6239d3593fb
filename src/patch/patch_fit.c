/* SPDX-License-Identifier: MIT */
/*
 * Patches on documents that they were not made for: finds the elements of the patch by their identifying
 * values, and the steps that do not fit.
 */
#include "../core/hash.h"
#include "../core/json_text.h"
#include "../merge/merging.h"
#include "../tables/fields.h"
#include "drafts.h"
#include <stdlib.h>

typedef struct fit_state {
    mst_draft *draft;
    mst_patch_steps *steps;
    mst_arena *arena;
    mst_array lists; /* place */
    mst_conflict_function rejected;
    void *user;
    uint64_t count;
} fit_state;

/* Whether the draft has the value `text` at a node. */
static bool is_text(const fit_state *f, uint32_t node, const char *text) {
    mst_json json;
    mst_arena arena;
    mst_arena_begin(&arena, &f->arena->allocator, 0);
    bool same = mst_json_parse(text, strlen(text), &arena, &json, NULL) == MST_OK &&
                mst_same_tree(&f->draft->json, node, &json, 0);
    mst_arena_end(&arena);
    return same;
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* Several steps may be about one element: the first of them finds it, whatever qsort does with equal ones. */
static int by_index(const void *left, const void *right) {
    const mst_patch_step *const *a = left, *const *b = right;
    if ((*a)->at_index != (*b)->at_index)
        return (*a)->at_index > (*b)->at_index ? 1 : -1;
    return (*a > *b) - (*a < *b);
}

/* Places the elements of an old list: those that steps are about by their descriptions, the others at the
 * same distance from these as before. */
static mst_status place_elements(fit_state *f, mst_list_change *list, bool proved) {
    uint32_t node, parent;
    const char *name;
    list->now = mst_arena_take(f->arena, (size_t)list->count + 1, sizeof *list->now);
    const mst_patch_step **anchors = mst_arena_take(f->arena, f->steps->count + 1, sizeof *anchors);
    if (!list->now || !anchors)
        return MST_NO_MEMORY;
    memset(list->now, 0xFF, ((size_t)list->count + 1) * sizeof *list->now);
    if (mst_draft_find(f->draft, list->path, &node, &parent, &name) != MST_OK ||
        f->draft->json.nodes[node].kind != MST_JSON_ARRAY)
        return MST_OK;
    uint64_t there = f->draft->json.nodes[node].count;
    size_t count = 0;
    for (size_t i = 0; i < f->steps->count && !proved; i++) {
        const mst_patch_step *one = &f->steps->items[i];
        if (one->at && one->fate == MST_FATE_AS_IT_IS && strcmp(one->at_list, list->path) == 0 &&
            one->at_index < list->count)
            anchors[count++] = one;
    }
    if (count)
        qsort(anchors, count, sizeof *anchors, by_index);
    int64_t shift = 0;
    size_t next = 0;
    mst_locator locator;
    mst_status status = MST_OK;
    mst_locator_begin(&locator, f->draft, node);
    for (uint64_t i = 0; i < list->count && status == MST_OK; i++) {
        uint64_t expected = (uint64_t)((int64_t)i + shift), found = expected;
        if (next < count && anchors[next]->at_index == i) {
            status = mst_locator_find(&locator, anchors[next], expected, &found);
            while (next < count && anchors[next]->at_index == i)
                next++;
            if (found != MST_NONE)
                shift = (int64_t)found - (int64_t)i;
            expected = found;
        }
        if (expected < there)
            list->now[i] = (uint32_t)expected;
    }
    mst_locator_end(&locator);
    return status;
}

/* Rows that describe the elements of another list are placed like these. */
static void place_rows(const fit_state *f, mst_list_change *list) {
    const char *about = list->proved ? NULL : mst_list_about(f->draft->document, list->path, f->arena);
    const mst_list_change *target =
        about ? mst_change_called((mst_list_change *)f->draft->before, about) : NULL;
    for (uint64_t i = 0; target && i < list->count && i < target->count; i++)
        list->now[i] = target->now[i];
}

static mst_list_change *list_called(fit_state *f, const char *path, uint64_t count) {
    mst_list_change *one = mst_change_called((mst_list_change *)f->draft->before, path);
    if (one) {
        one->count = one->count > count ? one->count : count;
        return one;
    }
    one = mst_arena_zero(f->arena, 1, sizeof *one);
    if (!one)
        return NULL;
    one->path = path;
    one->count = count;
    one->next = (mst_list_change *)f->draft->before;
    f->draft->before = one;
    return one;
}

bool mst_patch_proved(mst_draft *draft, const mst_patch_step *list, mst_arena *arena) {
    uint32_t node, parent;
    const char *name;
    char hash[65];
    if (list->own)
        return true;
    if (!list->hash || mst_draft_find(draft, list->key, &node, &parent, &name) != MST_OK)
        return false;
    const char *text = mst_json_text_of(&draft->json, node, arena);
    if (!text)
        return false;
    mst_sha256_text(text, strlen(text), hash);
    return strncmp(hash, list->hash, MST_LIST_HASH) == 0;
}

/* Enclosing lists are first: their elements are found before the lists inside them. */
static int by_path(const void *left, const void *right) {
    const mst_list_change *const *a = left, *const *b = right;
    size_t n = strlen((*a)->path), m = strlen((*b)->path);
    return n != m ? (n > m) - (n < m) : strcmp((*a)->path, (*b)->path);
}

static mst_status place_all(fit_state *f) {
    size_t count = 0;
    for (size_t i = 0; i < f->steps->count; i++) {
        const mst_patch_step *one = &f->steps->items[i];
        if ((one->kind == MST_STEP_LIST && !list_called(f, one->key, one->index)) ||
            (one->at && one->fate == MST_FATE_AS_IT_IS && !list_called(f, one->at_list, one->at_index + 1)))
            return MST_NO_MEMORY;
    }
    for (const mst_list_change *one = f->draft->before; one; one = one->next)
        count++;
    mst_list_change **sorted = mst_arena_take(f->arena, count + 1, sizeof *sorted);
    if (!sorted)
        return MST_NO_MEMORY;
    count = 0;
    for (mst_list_change *one = (mst_list_change *)f->draft->before; one; one = one->next) {
        if (one->count > f->draft->json.count + f->steps->count)
            return MST_REFUSED;
        sorted[count++] = one;
    }
    if (count)
        qsort(sorted, count, sizeof *sorted, by_path);
    f->draft->before = NULL;
    mst_status status = MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        sorted[i]->proved = false;
        for (size_t k = 0; k < f->steps->count; k++) {
            mst_patch_step *list = &f->steps->items[k];
            if (list->kind == MST_STEP_LIST && strcmp(list->key, sorted[i]->path) == 0)
                sorted[i]->proved = mst_patch_proved(f->draft, list, f->arena);
        }
        status = place_elements(f, sorted[i], sorted[i]->proved);
        sorted[i]->next = (mst_list_change *)f->draft->before;
        f->draft->before = sorted[i];
    }
    for (size_t i = 0; i < count && status == MST_OK; i++)
        place_rows(f, sorted[i]);
    return status;
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* Whether a list is the one at `path`, or describes it, element by element. */
static bool is_about(const mst_draft *draft, const char *list, const char *path) {
    if (strcmp(list, path) == 0)
        return true;
    const char *about = mst_list_about(draft->document, list, draft->arena);
    return about && strcmp(about, path) == 0;
}

/* Leaves a step out; one about the content is reported. */
static mst_status reject(fit_state *f, mst_patch_step *step, mst_conflict_kind kind, const char *there) {
    step->left_out = true;
    if (step->sort != MST_DIFFERENCE_CONTENT)
        return MST_OK;
    f->count++;
    mst_conflict conflict = {.size = sizeof conflict,
                             .kind = kind,
                             .path = step->key,
                             .label = step->line ? step->line : "",
                             .base = step->old,
                             .ours = there,
                             .theirs = step->now};
    return f->rejected ? f->rejected(f->user, &conflict) : MST_OK;
}

/* Whether an element would get another index, if other files refer to it by index. */
static bool has_other_number(const fit_state *f, const mst_patch_step *step, uint32_t list) {
    if (!mst_is_known_elsewhere(f->draft->document->format, step->list))
        return false;
    for (size_t i = 0; i < f->steps->count; i++) {
        const mst_patch_step *one = &f->steps->items[i];
        if (one->kind == MST_STEP_LIST && strcmp(one->key, step->list) == 0)
            return f->draft->json.nodes[list].count != one->index;
    }
    return false;
}

/* Whether a list is in an element that nothing identifies but its index: patches that were written before
 * they identified it. Then the list must be as it was. */
static bool is_lost(const fit_state *f, const mst_patch_step *step) {
    const char *open = step->list ? strrchr(step->list, '[') : NULL;
    const char *outer = open ? mst_arena_text(f->arena, step->list, (size_t)(open - step->list)) : NULL;
    const mst_compared *facts = outer ? mst_compared_of_list(f->draft->document->format, outer) : NULL;
    if (!facts || facts->as == MST_AS_GRID || mst_change_called((mst_list_change *)f->draft->before, outer))
        return false;
    const mst_list_change *list = mst_change_called((mst_list_change *)f->draft->before, step->list);
    return !list || !list->proved;
}

static mst_status fit(fit_state *f, mst_patch_step *step) {
    uint32_t node, parent = MST_NONE;
    const char *name, *path = step->kind == MST_STEP_INSERT ? step->list : step->key;
    if (step->kind == MST_STEP_LIST || step->left_out || step->own)
        return MST_OK;
    if (step->fate != MST_FATE_AS_IT_IS)
        return reject(f, step,
                      step->fate == MST_FATE_GONE ? MST_CONFLICT_REMOVED_BY_OURS : MST_CONFLICT_VALUE, NULL);
    bool there = mst_draft_find(f->draft, path, &node, &parent, &name) == MST_OK;
    if (step->kind == MST_STEP_INSERT && there && has_other_number(f, step, node))
        return reject(f, step, MST_CONFLICT_NUMBER, NULL);
    if (is_lost(f, step))
        return reject(f, step, MST_CONFLICT_REMOVED_BY_OURS, NULL);
    if (step->kind == MST_STEP_INSERT || step->kind == MST_STEP_MOVE)
        return there || (step->kind == MST_STEP_INSERT && parent != MST_NONE)
                   ? MST_OK
                   : reject(f, step, MST_CONFLICT_REMOVED_BY_OURS, NULL);
    if (!there && !step->old && parent != MST_NONE)
        return MST_OK;
    if (!there)
        return reject(f, step, MST_CONFLICT_REMOVED_BY_OURS, NULL);
    if (step->old && is_text(f, node, step->old))
        return MST_OK;
    if (step->now && is_text(f, node, step->now)) { /* it is already done */
        step->left_out = true;
        return MST_OK;
    }
    const char *text = mst_json_text_of(&f->draft->json, node, f->arena);
    return text ? reject(f, step, MST_CONFLICT_VALUE, text) : MST_NO_MEMORY;
}

mst_status mst_patch_fit(mst_draft *draft, mst_patch_steps *steps, mst_arena *arena,
                         mst_conflict_function rejected, void *user, uint64_t *count) {
    fit_state f = {.draft = draft, .steps = steps, .arena = arena, .rejected = rejected, .user = user};
    draft->merges = draft->fits = true;
    mst_status status = place_all(&f);
    for (size_t i = 0; i < steps->count && status == MST_OK; i++) {
        mst_patch_step *one = &steps->items[i];
        if (one->kind <= MST_STEP_LIST)
            status = fit(&f, one);
        else
            one->left_out = true;
    }
    *count = f.count;
    return status;
}

mst_status mst_patch_keep(const mst_draft *draft, mst_patch_steps *steps, mst_conflict_function rejected,
                          void *user, uint64_t *count, bool *any) {
    fit_state f = {.steps = steps, .rejected = rejected, .user = user, .count = *count};
    const mst_dangling_element *all = draft->dangling.items;
    mst_status status = MST_OK;
    *any = false;
    for (size_t i = 0; i < draft->dangling.count; i++)
        for (size_t k = 0; k < steps->count && status == MST_OK; k++) {
            mst_patch_step *one = &steps->items[k];
            if (all[i].made || one->left_out || one->kind != MST_STEP_REMOVE || !one->list ||
                mst_old_index(all[i].list, all[i].index) != one->index ||
                !is_about(draft, one->list, all[i].list->path))
                continue;
            *any = true;
            status = reject(&f, one, MST_CONFLICT_REMOVED_BY_THEIRS, NULL);
        }
    *count = f.count;
    return status;
}
