/* SPDX-License-Identifier: MIT */
/*
 * Lists in which an element's index is its identity, because other files refer to it by that index. If one
 * side has inserted or removed elements there, an element that the other side changed has to be found in the
 * list of the first: it is found if it is there unchanged, at the index that it should have, and no other one
 * equals it. Otherwise its number in other files may mean another one.
 */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/map.h"
#include "../core/number.h"
#include "../edit/assign.h"
#include "merging.h"

/* The content of a list's elements, as hashes, and how many elements have each. */
typedef struct contents {
    uint64_t *hashes;
    size_t count;
    mst_hash_map alike;
} contents;

static mst_status hash_of(const mst_merge_state *m, const mst_value *element, uint64_t *hash) {
    const char *json = "";
    mst_arena arena;
    mst_arena_begin(&arena, &m->arena->allocator, 0);
    const mst_status status = mst_value_text(element, &arena, &json, m->diagnostic);
    *hash = status == MST_OK ? mst_hash_text(MST_HASH, json) : 0;
    mst_arena_end(&arena);
    return status;
}

static mst_status add_content(const mst_merge_state *m, const mst_value *element, contents *made) {
    uint64_t hash = 0;
    const mst_status status = hash_of(m, element, &hash);
    uint32_t *alike = status == MST_OK ? mst_hash_map_add(&made->alike, mst_key_number(hash)) : NULL;
    if (!alike)
        return status == MST_OK ? MST_NO_MEMORY : status;
    ++*alike;
    made->hashes[made->count++] = hash;
    return MST_OK;
}

/* Adds those of a side's list, by its path in the base document; none if the side has no such list. */
static mst_status find_contents(const mst_merge_state *m, int side, const mst_list_change *list,
                                contents *made) {
    const char *path = mst_path_translated(m->lists[side], list->path, m->arena);
    mst_value value, element;
    if (!path || mst_find(mst_root(side ? m->theirs : m->ours), path, &value, NULL) != MST_OK)
        return MST_OK;
    made->hashes = mst_arena_take(m->arena, (size_t)mst_count(&value) + 1, sizeof *made->hashes);
    mst_status status = made->hashes ? MST_OK : MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&value); status == MST_OK && mst_next(&it, &element);)
        status = add_content(m, &element, made);
    return status;
}

/* Whether the element that a step changes is found in the list of the other side. `last`: the index of the
 * element that was found before, whose steps are adjacent. */
static mst_status is_found(const mst_merge_state *m, const mst_list_change *list, const contents *all,
                           const mst_patch_step *step, uint64_t *last, bool *found) {
    const char *digits = step->key + strlen(list->path) + 1;
    const size_t length = digits[-1] == '[' ? strspn(digits, "0123456789") : 0;
    mst_value value, element;
    uint64_t index, hash;
    *found = false;
    if (!length || digits[length] != ']' || !digits[length + 1] || !mst_read_u64(digits, length, &index))
        return MST_OK; /* the step is about the element itself */
    *found = index == *last;
    if (*found || index >= list->count || list->now[index] >= all->count ||
        mst_find(mst_root(m->base), list->path, &value, NULL) != MST_OK ||
        mst_element(&value, index, &element) != MST_OK)
        return MST_OK;
    const mst_status status = hash_of(m, &element, &hash);
    const uint32_t *alike = status == MST_OK ? mst_hash_map_find(&all->alike, mst_key_number(hash)) : NULL;
    *last = index;
    *found = alike && *alike == 1 && all->hashes[list->now[index]] == hash;
    return status;
}

static mst_status check_list(const mst_merge_state *m, int side, const mst_list_change *list) {
    const mst_patch_steps *steps = &m->steps[1 - side];
    contents all = {.alike = {.allocator = m->arena->allocator}};
    uint64_t last = MST_NONE; /* none yet */
    bool found = true;
    mst_status status = MST_OK;
    for (size_t i = 0; i < steps->count && status == MST_OK && found; i++) {
        if (!mst_merge_is_within(steps->items[i].key, list->path))
            continue;
        if (last == MST_NONE)
            status = find_contents(m, side, list, &all);
        if (status == MST_OK)
            status = is_found(m, list, &all, &steps->items[i], &last, &found);
    }
    mst_hash_map_end(&all.alike);
    if (status != MST_OK || found)
        return status;
    return mst_fail(m->diagnostic, MST_REFUSED,
                    "%s renumbered elements of %.100s, and %s changed some of the numbers, by which files "
                    "refer to them",
                    side ? "theirs" : "ours", list->path, side ? "ours" : "theirs");
}

mst_status mst_merge_check_numbered(const mst_merge_state *m) {
    mst_status status = MST_OK;
    if (!MST_OPTION(m->base->format->set, renumber_files))
        return MST_OK;
    for (int side = 0; side < 2; side++)
        for (const mst_list_change *list = m->lists[side]; list && status == MST_OK; list = list->next) {
            mst_value value;
            if (list->old_count != list->new_count &&
                mst_find(mst_root(m->base), list->path, &value, NULL) == MST_OK &&
                mst_field_of(&value)->flags & MST_FIELD_NUMBERED)
                status = check_list(m, side, list);
        }
    return status;
}
