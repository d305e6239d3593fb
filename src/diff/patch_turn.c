/* SPDX-License-Identifier: MIT */
/* Patches turned round: what makes the old document of the new one. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "drafts.h"

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
        [MST_STEP_RESTORE] = MST_STEP_RESTORE, [MST_STEP_RAW] = MST_STEP_RAW};
    const char *old = step->old;
    if (step->kind == MST_STEP_RESTORE)
        return MST_OK;
    step->kind = turned[step->kind];
    step->old = step->now;
    step->now = old;
    if (step->kind == MST_STEP_RAW || step->kind == MST_STEP_STORE)
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

mst_status mst_patch_turn(mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                          mst_diagnostic *diagnostic) {
    mst_list_change *changes;
    mst_status status = mst_changes_of_steps(steps, limit, arena, &changes);
    for (size_t i = 0; i < steps->count && status == MST_OK; i++)
        status = turn(&steps->items[i], changes, arena);
    const char *hash = steps->sha256[0];
    steps->sha256[0] = steps->sha256[1];
    steps->sha256[1] = hash;
    steps->turned = true;
    return status == MST_REFUSED ? mst_fail(diagnostic, status, "the patch contradicts itself") : status;
}
