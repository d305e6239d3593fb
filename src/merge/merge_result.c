/* SPDX-License-Identifier: MIT */
/* The result of a merge, made repeatedly until all of its references name something. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../tables/fields.h"
#include "merging.h"

#define ROUNDS 64 /* each keeps or restores an element that a number names */

static mst_status lay(mst_merge_state *m, mst_draft *draft, mst_patch_step *step) {
    mst_status status = mst_draft_lay(draft, step);
    if (status == MST_REFUSED) {
        mst_fail(m->diagnostic, status, "the changes of the two contradict each other");
        if (m->diagnostic)
            MST_SET(m->diagnostic->path, "%s", step->key);
    }
    return status == MST_NO_PATH ? MST_OK : status; /* the value that they changed no longer exists */
}

static mst_status lay_all(mst_merge_state *m, mst_draft *draft) {
    mst_patch_step *more = m->more.items;
    const mst_patch_steps *theirs = &m->steps[1];
    mst_status status = MST_OK;
    draft->steps = theirs->count + m->more.count;
    for (size_t i = 0; i < m->more.count && status == MST_OK; i++)
        if (more[i].kind == MST_STEP_LIST)
            status = lay(m, draft, &more[i]);
    for (size_t i = 0; i < theirs->count && status == MST_OK; i++)
        status = lay(m, draft, &theirs->items[i]);
    const mst_held *held = m->held.items;
    for (size_t i = 0; m->marking && i < m->held.count && status == MST_OK; i++) {
        if (!held[i].list)
            continue;
        mst_patch_step carried = *held[i].theirs;
        carried.left_out = false;
        status = lay(m, draft, &carried);
    }
    for (size_t i = 0; i < m->more.count && status == MST_OK; i++)
        if (more[i].kind != MST_STEP_LIST)
            status = lay(m, draft, &more[i]);
    return status;
}

/* The bracket of the outermost element that has a place in the level; NULL if there is none. */
static const char *standing_element(const mst_merge_state *m, const char *path) {
    for (const char *at = strchr(path, '['); at; at = strchr(at + 1, '[')) {
        char outer[1024];
        mst_value list;
        size_t length = (size_t)(at - path);
        if (length >= sizeof outer)
            return NULL;
        memcpy(outer, path, length);
        outer[length] = 0;
        if (mst_find(mst_root(m->base), outer, &list, NULL) != MST_OK)
            return NULL;
        const mst_compared *facts = mst_compared_facts(m->base->format, mst_field_of(&list));
        if (facts && facts->as == MST_AS_SET && facts->place[0] && !facts->shares)
            return at;
    }
    return NULL;
}

static mst_status locate(mst_merge_state *m, const mst_draft *draft, mst_held *held) {
    const char *path = held->conflict.path, *at = standing_element(m, path);
    held->list = NULL;
    if (!at)
        return MST_OK;
    const char *there = mst_path_translated(draft->changes, path, m->arena);
    const char *list = mst_arena_text(m->arena, path, (size_t)(at - path));
    list = list ? mst_path_translated(draft->changes, list, m->arena) : NULL;
    if (!there || !list)
        return MST_OK;
    const char *digits = there + strlen(list) + 1, *end = strchr(digits, ']');
    if (!end || !end[1] || !mst_read_u64(digits, (size_t)(end - digits), &held->index))
        return MST_OK;
    held->list = list;
    held->below = end + 1 + (end[1] == '.');
    return MST_OK;
}

static mst_status locate_all(mst_merge_state *m, const mst_draft *draft) {
    mst_held *held = m->held.items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < m->held.count && status == MST_OK; i++)
        if (held[i].theirs)
            status = locate(m, draft, &held[i]);
    return status;
}

/* Makes one result; `again`: it had dangling references, and something was done about them. */
static mst_status try_out(mst_merge_state *m, mst_document **result, bool *again) {
    mst_draft draft;
    mst_arena arena;
    *result = NULL;
    *again = false;
    mst_arena_begin(&arena, &m->arena->allocator, 0);
    mst_status status = mst_draft_begin(&draft, m->ours, &arena, m->diagnostic);
    draft.before = m->lists[0];
    draft.merges = true;
    if (status == MST_OK)
        status = lay_all(m, &draft);
    if (status == MST_OK)
        status = mst_draft_result(&draft, result, m->diagnostic);
    if (status == MST_OK && m->options.mark && !m->marking)
        status = locate_all(m, &draft);
    if (status == MST_OK)
        status = mst_draft_remove_orphans(&draft, *result, m->diagnostic);
    if (draft.dangling.count && (status == MST_OK || status == MST_REFUSED)) {
        mst_status kept = mst_merge_keep(m, &draft, again);
        status = kept == MST_OK ? status : kept;
    }
    mst_draft_end(&draft);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_merge_result(mst_merge_state *m, mst_document **result) {
    bool again = true;
    mst_status status = MST_OK;
    *result = NULL;
    for (int round = 0; round < ROUNDS && again && (status == MST_OK || status == MST_REFUSED); round++) {
        mst_close(*result);
        status = try_out(m, result, &again);
    }
    return status;
}
