/* SPDX-License-Identifier: MIT */
/* Conflicts, held until they are reported, and the choices that resolve them. */
#include "merging.h"

static mst_status decide(mst_merge_state *m, mst_conflict *conflict, const char **value) {
    mst_resolution made = {.size = sizeof made, .side = m->options.prefer};
    mst_status status = m->options.resolve ? m->options.resolve(m->options.user, conflict, &made) : MST_OK;
    conflict->decided = made.side;
    *value = made.value;
    return status;
}

/* The path of a change in an element that the other side removed, below the element; or of one that names it.
 */
static const char *change_of(const mst_patch_step *removal, const mst_patch_step *change) {
    const size_t length = strlen(removal->key);
    if (!mst_merge_is_within(change->key, removal->key))
        return change->key;
    return change->key[length] ? change->key + length + (change->key[length] == '.') : NULL;
}

mst_status mst_merge_conflict(mst_merge_state *m, mst_conflict_kind kind, mst_patch_step *theirs,
                              const mst_patch_step *ours, bool *theirs_stands) {
    const mst_patch_step *about = theirs ? theirs : ours;
    mst_held *held = mst_array_push(&m->held, 1);
    const char *value;
    if (!held)
        return MST_NO_MEMORY;
    *held = (mst_held){.conflict = {.size = sizeof held->conflict,
                                    .kind = kind,
                                    .path = about->key,
                                    .label = about->line ? about->line : "",
                                    .base = about->old,
                                    .ours = ours ? ours->now : NULL,
                                    .theirs = theirs ? theirs->now : NULL}};
    if (kind == MST_CONFLICT_REMOVED_BY_THEIRS && theirs && ours && ours->key)
        held->conflict.changed = change_of(theirs, ours);
    mst_status status = decide(m, &held->conflict, &value);
    if (status != MST_OK)
        return status;
    const bool sets = kind == MST_CONFLICT_VALUE && theirs && theirs->kind == MST_STEP_SET;
    if (value && (!sets || !theirs_stands))
        held->conflict.decided = MST_PREFER_NONE;
    else if (value)
        theirs->now = value;
    if (value && sets && theirs_stands)
        held->conflict.decided = MST_PREFER_THEIRS;
    if (!theirs_stands && held->conflict.decided == MST_PREFER_THEIRS && m->options.resolve)
        held->conflict.decided = MST_PREFER_NONE;
    if (theirs_stands)
        *theirs_stands = held->conflict.decided == MST_PREFER_THEIRS;
    if (sets && held->conflict.decided == MST_PREFER_NONE)
        held->theirs = theirs;
    m->conflicts += held->conflict.decided == MST_PREFER_NONE;
    return MST_OK;
}
