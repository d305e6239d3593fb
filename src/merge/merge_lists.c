/* SPDX-License-Identifier: MIT */
/* Elements when lists are merged: elements that both sides inserted, and elements that one side removed and
 * the other needs. */
#include "../check/refers.h"
#include "../edit/assign.h"
#include "merging.h"

/* Adds a step, once. */
static bool add(mst_merge_state *m, const mst_patch_step *step) {
    for (size_t i = 0; i < m->more.count; i++) {
        const mst_patch_step *one = (const mst_patch_step *)m->more.items + i;
        if (one->kind == step->kind && one->index == step->index && strcmp(one->key, step->key) == 0)
            return true;
    }
    mst_patch_step *made = mst_array_push(&m->more, 1);
    if (made)
        *made = *step;
    return made != NULL;
}

/* ---- elements that both inserted --------------------------------------------------------------------- */

/* Whether a step changes the content of an element, by its path. */
static bool is_changed(const mst_patch_steps *steps, const char *list, uint64_t index, mst_arena *arena) {
    const char *element = mst_arena_printf(arena, "%s[%llu]", list, (unsigned long long)index);
    size_t length = element ? strlen(element) : 0;
    for (size_t i = 0; i < steps->count && element; i++) {
        const mst_patch_step *one = &steps->items[i];
        if (one->kind != MST_STEP_LIST && one->kind != MST_STEP_MOVE &&
            strncmp(one->key, element, length) == 0)
            return true;
    }
    return !element;
}

/* The element of our list that equals one that theirs inserted; MST_NONE if there is none. */
static uint64_t twin_of(const mst_merge_state *m, const mst_list_change *ours, const mst_patch_steps *between,
                        mst_list_change *lists, const char *path, uint64_t index) {
    const mst_list_change *list = mst_change_called(lists, path);
    for (uint64_t i = 0; i < ours->new_count; i++) {
        uint64_t there = list ? (i < list->count ? list->now[i] : MST_NONE) : i;
        if (ours->inserted[i] && there == index)
            return is_changed(between, path, i, m->arena) ? MST_NONE : i;
    }
    return MST_NONE;
}

/* The JSON of a member of an element of a list; NULL if it is missing. */
static mst_status member_text(mst_merge_state *m, const mst_document *document, const char *list,
                              uint64_t index, const char *member, const char **json) {
    mst_value value;
    const char *path = mst_arena_printf(m->arena, "%s[%llu].%s", list, (unsigned long long)index, member);
    *json = NULL;
    if (!path)
        return MST_NO_MEMORY;
    return mst_find(mst_root(document), path, &value, NULL) == MST_OK
               ? mst_value_text(&value, m->arena, json, m->diagnostic)
               : MST_OK;
}

/* Both sides added a property with the same name: it is one value, and a conflict where the two differ. */
static mst_status weigh_pairs(mst_merge_state *m, const mst_patch_step *theirs, const char *ours_list,
                              uint64_t twin) {
    const char *texts[2] = {NULL, NULL}, *name = NULL,
               *list = mst_path_translated(m->lists[1], theirs->list, m->arena);
    mst_status status = list ? member_text(m, m->ours, ours_list, twin, "value", &texts[0]) : MST_NO_MEMORY;
    if (status == MST_OK)
        status = member_text(m, m->theirs, list, theirs->index, "value", &texts[1]);
    if (status == MST_OK)
        status = member_text(m, m->ours, ours_list, twin, "name", &name);
    if (status != MST_OK || !texts[0] || !texts[1] || !name || strcmp(texts[0], texts[1]) == 0)
        return status;
    mst_patch_step *steps = mst_arena_zero(m->arena, 2, sizeof *steps);
    const char *key = mst_arena_printf(m->arena, "%s.%.*s", theirs->list, (int)strlen(name) - 2, name + 1);
    if (!steps || !key)
        return MST_NO_MEMORY;
    for (int side = 0; side < 2; side++)
        steps[side] = (mst_patch_step){
            .kind = MST_STEP_SET, .sort = theirs->sort, .key = key, .now = texts[side], .line = theirs->line};
    bool stands;
    status = mst_merge_conflict(m, MST_CONFLICT_VALUE, &steps[1], &steps[0], &stands);
    return status == MST_OK && stands && !add(m, &steps[1]) ? MST_NO_MEMORY : status;
}

static bool is_pairs(const mst_document *document, const char *path) {
    mst_value list;
    if (mst_find(mst_root(document), path, &list, NULL) != MST_OK)
        return false;
    const mst_record *record = mst_field_of(&list)->record;
    return record && record->pairs;
}

/* Rows about elements that both sides inserted are left out with those elements, and only then: equal rows
 * may be about different elements. */
static void follow_twins(mst_merge_state *m) {
    const mst_patch_steps *theirs = &m->steps[1];
    for (size_t i = 0; i < theirs->count; i++) {
        mst_patch_step *row = &theirs->items[i];
        const char *about =
            row->kind == MST_STEP_INSERT ? mst_list_about(m->base, row->list, m->arena) : NULL;
        for (size_t k = 0; about && k < theirs->count; k++) {
            const mst_patch_step *one = &theirs->items[k];
            if (one->kind != MST_STEP_INSERT || !one->has_twin || one->index != row->index ||
                strcmp(one->list, about) != 0)
                continue;
            row->left_out = row->has_twin = true;
            row->twin = one->twin;
            break;
        }
    }
}

mst_status mst_merge_twins(mst_merge_state *m) {
    mst_list_change *lists = NULL;
    bool known = false;
    for (size_t i = 0; i < m->steps[1].count; i++) {
        mst_patch_step *one = &m->steps[1].items[i];
        if (one->kind != MST_STEP_INSERT || one->left_out)
            continue;
        const mst_list_change *ours = mst_change_called(m->lists[0], one->list);
        if (!ours || mst_list_about(m->base, one->list, m->arena))
            continue;
        mst_status status = MST_OK;
        if (!known)
            status = mst_merge_compare(m);
        if (status == MST_OK && !known)
            status = mst_changes_of_steps(&m->between, UINT32_MAX / 4, m->arena, &lists);
        if (status != MST_OK)
            return status;
        known = true;
        const char *path = mst_path_translated(m->lists[0], one->list, m->arena);
        uint64_t twin = path ? twin_of(m, ours, &m->between, lists, path, one->index) : MST_NONE;
        if (twin == MST_NONE)
            continue;
        one->left_out = one->has_twin = true;
        one->twin = twin;
        status = is_pairs(m->ours, path) ? weigh_pairs(m, one, path, twin) : MST_OK;
        if (status != MST_OK)
            return status;
    }
    follow_twins(m);
    return MST_OK;
}

/* ---- elements that numbers name ---------------------------------------------------------------------- */

/* Adds a step that states that theirs left the list unchanged. */
static bool add_list(mst_merge_state *m, const char *path) {
    mst_value list;
    if (mst_change_called(m->lists[1], path) || mst_find(mst_root(m->base), path, &list, NULL) != MST_OK)
        return true;
    uint64_t count = mst_count(&list);
    mst_patch_step step = {.kind = MST_STEP_LIST, .key = path, .index = count, .to = count};
    return add(m, &step);
}

mst_status mst_merge_lists(mst_merge_state *m) {
    for (const mst_list_change *one = m->lists[0]; one; one = one->next)
        if (!add_list(m, one->path))
            return MST_NO_MEMORY;
    return MST_OK;
}

/* Restores an element of theirs that ours has removed. */
static mst_status revive(mst_merge_state *m, const char *path, uint64_t old, uint64_t now) {
    const char *there = mst_path_translated(m->lists[1], path, m->arena), *json = NULL;
    const char *element =
        there ? mst_arena_printf(m->arena, "%s[%llu]", there, (unsigned long long)now) : NULL;
    const char *key = mst_arena_printf(m->arena, "%s[%llu]", path, (unsigned long long)now);
    mst_value value;
    if (!element || !key)
        return MST_NO_MEMORY;
    if (mst_find(mst_root(m->theirs), element, &value, NULL) != MST_OK)
        return MST_OK;
    mst_status status = mst_value_text(&value, m->arena, &json, m->diagnostic);
    mst_patch_step step = {.kind = MST_STEP_INSERT,
                           .key = key,
                           .list = path,
                           .index = now,
                           .to = old,
                           .now = json,
                           .revives = true};
    if (status == MST_OK && (!add_list(m, path) || !add(m, &step)))
        status = MST_NO_MEMORY;
    return status;
}

/* Calls a function for a list and for all lists of the base document that are about it, the list itself
 * first. */
static mst_status each_about(mst_merge_state *m, const char *path,
                             mst_status (*function)(mst_merge_state *m, const char *path, uint64_t old,
                                                    uint64_t now),
                             uint64_t old, uint64_t now) {
    mst_status status = function(m, path, old, now);
    for (int side = 0; side < 2; side++)
        for (const mst_list_change *one = m->lists[side]; one && status == MST_OK; one = one->next) {
            const char *about = mst_list_about(m->base, one->path, m->arena);
            bool said = side && mst_change_called(m->lists[0], one->path);
            if (!said && about && strcmp(about, path) == 0)
                status = function(m, one->path, old, now);
        }
    return status;
}

static mst_status bring_back(mst_merge_state *m, const char *list, uint64_t index) {
    const mst_list_change *theirs = mst_change_called(m->lists[1], list);
    uint64_t now = theirs ? MST_NONE : index;
    for (uint64_t i = 0; theirs && i < theirs->new_count && now == MST_NONE; i++)
        if (theirs->origin[i] == index)
            now = i;
    return now == MST_NONE ? MST_OK : each_about(m, list, revive, index, now);
}

static mst_status bring_number_back(mst_merge_state *m, mst_patch_step *step) {
    return bring_back(m, step->list, step->index);
}

mst_status mst_merge_bring_back(mst_merge_state *m, const char *list, uint64_t index) {
    mst_status status = bring_back(m, list, index);
    return status == MST_OK ? mst_merge_named(m, 0, list, index, bring_number_back) : status;
}

mst_status mst_merge_restore(mst_merge_state *m, const mst_patch_step *ours) {
    const char *path = mst_path_translated(m->lists[1], ours->key, m->arena), *json = NULL;
    mst_value value;
    if (!path || mst_find(mst_root(m->theirs), path, &value, NULL) != MST_OK)
        return MST_OK; /* theirs has also removed it, or an enclosing element */
    mst_status status = mst_value_text(&value, m->arena, &json, m->diagnostic);
    const mst_patch_step step = {.kind = MST_STEP_SET, .key = ours->key, .old = ours->now, .now = json};
    return status == MST_OK && !add(m, &step) ? MST_NO_MEMORY : status;
}

mst_status mst_merge_undo(mst_merge_state *m, const mst_patch_step *ours) {
    const mst_patch_step step = {.kind = MST_STEP_SET, .key = ours->key, .old = ours->now, .now = ours->old};
    return add(m, &step) ? MST_OK : MST_NO_MEMORY;
}

/* Keeps an element that theirs removed. */
static mst_status keep(mst_merge_state *m, const char *path, uint64_t old, uint64_t now) {
    (void)now;
    for (size_t i = 0; i < m->steps[1].count; i++) {
        mst_patch_step *one = &m->steps[1].items[i];
        if (one->kind == MST_STEP_REMOVE && one->list && one->index == old && strcmp(one->list, path) == 0)
            one->left_out = true;
    }
    return MST_OK;
}

static mst_status hold_number_back(mst_merge_state *m, mst_patch_step *step) {
    (void)m;
    step->left_out = true;
    return MST_OK;
}

mst_status mst_merge_hold_back(mst_merge_state *m, const mst_patch_step *removal) {
    mst_status status = each_about(m, removal->list, keep, removal->index, 0);
    return status == MST_OK ? mst_merge_named(m, 1, removal->list, removal->index, hold_number_back) : status;
}

/* Their step that removes an element; NULL. */
static mst_patch_step *removal_of(const mst_merge_state *m, const char *path, uint64_t index) {
    for (size_t i = 0; i < m->steps[1].count; i++) {
        mst_patch_step *one = &m->steps[1].items[i];
        if (one->kind == MST_STEP_REMOVE && one->list && one->index == index && strcmp(one->list, path) == 0)
            return one;
    }
    return NULL;
}

mst_status mst_merge_keep(mst_merge_state *m, const mst_draft *draft, bool *any) {
    const mst_dangling_element *all = draft->dangling.items;
    mst_status status = MST_OK;
    *any = false;
    for (size_t i = 0; i < draft->dangling.count && status == MST_OK; i++) {
        const mst_list_change *list = all[i].list;
        if (all[i].made) {
            uint64_t old = list->origin[all[i].index];
            size_t before = m->more.count;
            if (old != MST_NONE)
                status = mst_merge_bring_back(m, list->path, old);
            *any = *any || m->more.count > before;
            continue;
        }
        uint64_t old = mst_old_index(list, all[i].index);
        mst_patch_step *goes = removal_of(m, list->path, old);
        if (!goes || goes->left_out)
            continue;
        *any = true;
        if (goes->sort == MST_DIFFERENCE_CONTENT)
            status = mst_merge_conflict(m, MST_CONFLICT_REMOVED_BY_THEIRS, goes, NULL, NULL);
        if (status == MST_OK)
            status = mst_merge_hold_back(m, goes);
    }
    return status;
}
