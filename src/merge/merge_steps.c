/* SPDX-License-Identifier: MIT */
/* Steps of two sides that contradict each other because they change the same bytes of the base document. */
#include "../core/lower_bound.h"
#include "merging.h"
#include <stdlib.h>

/* ---- places ----------------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right) {
    const mst_patch_step *const *a = left, *const *b = right;
    if ((*a)->from != (*b)->from)
        return ((*a)->from > (*b)->from) - ((*a)->from < (*b)->from);
    return ((*a)->end < (*b)->end) - ((*a)->end > (*b)->end); /* enclosing values first */
}

static void find_place(mst_merge_state *m, mst_patch_step *step) {
    mst_value value;
    const char *path = step->kind == MST_STEP_INSERT ? step->list : step->key;
    step->has_place = step->kind != MST_STEP_LIST &&
                      mst_landmarks_find(&m->landmarks, mst_root(m->base), path, &value) == MST_OK;
    if (!step->has_place)
        return;
    step->from = value.offset;
    step->end = mst_value_after(&value);
    step->is_record = mst_value_type(&value) == MST_TYPE_RECORD;
}

static mst_status sort_ours(mst_merge_state *m) {
    const mst_patch_steps *ours = &m->steps[0];
    m->by_place = mst_arena_take(m->arena, ours->count + 1, sizeof(mst_patch_step *));
    m->reach = mst_arena_take(m->arena, ours->count + 1, sizeof *m->reach);
    if (!m->by_place || !m->reach)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < ours->count; i++) {
        find_place(m, &ours->items[i]);
        if (ours->items[i].has_place)
            m->by_place[m->placed++] = &ours->items[i];
    }
    if (m->placed)
        qsort(m->by_place, m->placed, sizeof(mst_patch_step *), by_place);
    for (size_t i = 0; i < m->placed; i++) {
        uint64_t before = i ? m->reach[i - 1] : 0, end = m->by_place[i]->end;
        m->reach[i] = end > before ? end : before;
    }
    return MST_OK;
}

/* The first step of ours that does not begin before an offset. */
static size_t first_from(const mst_merge_state *m, uint64_t offset) {
    MST_LOWER_BOUND(low, middle, m->placed, m->by_place[middle]->from < offset);
    return low;
}

/* ---- one step against another ------------------------------------------------------------------------ */

typedef enum verdict {
    VERDICT_NONE = 0,
    VERDICT_SAME, /* ours has the same change */
    VERDICT_VALUE,
    VERDICT_REMOVED_BY_OURS,
    VERDICT_REMOVED_BY_THEIRS,
    VERDICT_AMBIGUOUS
} verdict;

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/* Whether numbers in a value of the base document may refer to elements: then equal text proves nothing. */
static bool names_elements(mst_merge_state *m, const char *path) {
    mst_value value;
    return mst_landmarks_find(&m->landmarks, mst_root(m->base), path, &value) == MST_OK &&
           mst_field_of(&value) && (mst_field_of(&value)->refers_count || mst_field_of(&value)->record);
}

/* Whether both sides gave a value the same new content. */
static mst_status gave_the_same(mst_merge_state *m, const mst_patch_step *theirs, const mst_patch_step *ours,
                                bool *same) {
    *same = same_text(theirs->now, ours->now);
    if (theirs->sort != MST_DIFFERENCE_CONTENT || !theirs->now || !ours->now ||
        !names_elements(m, theirs->key))
        return MST_OK;
    mst_status status = mst_merge_compare(m);
    if (status != MST_OK)
        return status;
    const char *path = mst_path_translated(m->lists[0], ours->key, m->arena);
    if (!path)
        return MST_NO_MEMORY;
    const size_t length = strlen(path);
    *same = true;
    for (size_t i = 0; i < m->between.count && *same; i++) {
        const char *key = m->between.items[i].key;
        *same = !key || strncmp(key, path, length) != 0 ||
                (key[length] && key[length] != '.' && key[length] != '[');
    }
    return MST_OK;
}

/* Weighs two steps that change the same value. */
static verdict weigh_equals(const mst_patch_step *theirs, const mst_patch_step *ours) {
    bool gone = ours->kind == MST_STEP_REMOVE, goes = theirs->kind == MST_STEP_REMOVE;
    if (gone && goes)
        return VERDICT_SAME;
    if (theirs->kind == MST_STEP_MOVE && ours->kind == MST_STEP_MOVE)
        return VERDICT_SAME; /* ours is kept */
    if (ours->kind == MST_STEP_MOVE || (theirs->kind == MST_STEP_MOVE && !gone))
        return VERDICT_NONE;
    if (gone)
        return theirs->kind == MST_STEP_MOVE ? VERDICT_SAME : VERDICT_REMOVED_BY_OURS;
    if (goes)
        return ours->sort == MST_DIFFERENCE_CONTENT ? VERDICT_REMOVED_BY_THEIRS : VERDICT_NONE;
    if (ours->sort == MST_DIFFERENCE_PART && theirs->sort == MST_DIFFERENCE_CONTENT)
        return VERDICT_NONE; /* ours only follows from a removal */
    return same_text(theirs->now, ours->now) ? VERDICT_SAME : VERDICT_VALUE;
}

/* Whether a step changes the whole value. */
static bool is_whole(const mst_patch_step *step) {
    return step->kind == MST_STEP_SET || step->kind == MST_STEP_REMOVE;
}

/* Whether a step removes a value, an element or a member. */
static bool removes(const mst_patch_step *step) {
    return step->kind == MST_STEP_REMOVE || (step->kind == MST_STEP_SET && !step->now);
}

/* Whether it removes a value that may only follow another removal, such as the number of a face in its
 * group. */
static bool removes_number(const mst_patch_step *step) {
    return step->kind == MST_STEP_REMOVE && !step->is_record;
}

static verdict weigh(const mst_patch_step *theirs, const mst_patch_step *ours) {
    bool inserts = theirs->kind == MST_STEP_INSERT || ours->kind == MST_STEP_INSERT;
    bool equal = theirs->from == ours->from && theirs->end == ours->end;
    if (equal && !inserts)
        return weigh_equals(theirs, ours);
    bool inside = theirs->from < ours->end || theirs->from < theirs->end; /* not just after it */
    if (ours->from <= theirs->from && theirs->end <= ours->end && inside && is_whole(ours))
        return removes(ours)
                   ? (removes_number(theirs) || theirs->kind == MST_STEP_MOVE ? VERDICT_SAME
                                                                              : VERDICT_REMOVED_BY_OURS)
                   : VERDICT_VALUE;
    if (theirs->from <= ours->from && ours->end <= theirs->end && is_whole(theirs) &&
        ours->sort == MST_DIFFERENCE_CONTENT && ours->kind != MST_STEP_MOVE)
        return removes(theirs) ? (removes_number(ours) ? VERDICT_NONE : VERDICT_REMOVED_BY_THEIRS)
                               : VERDICT_VALUE;
    return VERDICT_NONE;
}

/* The verdict on a step of theirs against all steps of ours. */
static verdict weigh_all(const mst_merge_state *m, const mst_patch_step *theirs,
                         const mst_patch_step **against) {
    size_t at = first_from(m, theirs->from);
    for (size_t i = at; i < m->placed && m->by_place[i]->from <= theirs->end; i++) {
        verdict one = weigh(theirs, m->by_place[i]);
        *against = m->by_place[i];
        if (one != VERDICT_NONE)
            return one;
    }
    for (size_t i = at; i-- > 0 && m->reach[i] >= theirs->end;) {
        verdict one = weigh(theirs, m->by_place[i]);
        *against = m->by_place[i];
        if (one != VERDICT_NONE)
            return one;
    }
    return VERDICT_NONE;
}

/* The verdict on a value that the base document lacks. */
static verdict weigh_by_name(const mst_merge_state *m, const mst_patch_step *theirs,
                             const mst_patch_step **against) {
    for (size_t i = 0; i < m->steps[0].count; i++) {
        const mst_patch_step *ours = &m->steps[0].items[i];
        if (ours->kind == MST_STEP_SET && !ours->has_place && strcmp(ours->key, theirs->key) == 0) {
            *against = ours;
            return same_text(ours->now, theirs->now) ? VERDICT_SAME : VERDICT_VALUE;
        }
    }
    return VERDICT_NONE;
}

/* ---- all steps --------------------------------------------------------------------------------------- */

static mst_status weigh_one(mst_merge_state *m, mst_patch_step *theirs) {
    static const mst_conflict_kind kinds[] = {[VERDICT_VALUE] = MST_CONFLICT_VALUE,
                                              [VERDICT_REMOVED_BY_OURS] = MST_CONFLICT_REMOVED_BY_OURS,
                                              [VERDICT_REMOVED_BY_THEIRS] = MST_CONFLICT_REMOVED_BY_THEIRS,
                                              [VERDICT_AMBIGUOUS] = MST_CONFLICT_AMBIGUOUS};
    const mst_patch_step *ours = NULL;
    if (theirs->kind == MST_STEP_LIST)
        return MST_OK;
    verdict what = theirs->has_place ? weigh_all(m, theirs, &ours) : weigh_by_name(m, theirs, &ours);
    const bool is_same = what == VERDICT_SAME && theirs->kind == MST_STEP_REMOVE;
    bool doubtful = false, edits = false;
    mst_status status = MST_OK;
    if (what == VERDICT_NONE || is_same)
        status = mst_merge_is_doubtful(m, theirs, is_same, &doubtful);
    if (status != MST_OK || (what == VERDICT_NONE && !doubtful))
        return status;
    if (doubtful) {
        what = VERDICT_AMBIGUOUS;
        ours = NULL; /* no step of ours changes the same value */
    }
    if (ours && theirs->kind == MST_STEP_SET && ours->kind == MST_STEP_SET &&
        strcmp(theirs->key, ours->key) == 0) {
        bool same = false;
        if ((status = gave_the_same(m, theirs, ours, &same)) != MST_OK)
            return status;
        what = same ? VERDICT_SAME : VERDICT_VALUE;
    }
    if ((status = mst_merge_is_edit(m, theirs, &edits)) != MST_OK)
        return status;
    bool quiet = what == VERDICT_SAME || !edits;
    bool stands = false;
    if (!quiet)
        status = mst_merge_conflict(m, kinds[what], theirs, ours, &stands);
    if (status == MST_OK && stands && what == VERDICT_REMOVED_BY_OURS) {
        stands = false; /* their element is restored whole */
        if (ours && ours->list)
            status = mst_merge_bring_back(m, ours->list, ours->index);
        else if (ours)
            status = mst_merge_restore(m, ours);
    }
    theirs->left_out = !stands || is_same;
    if (status == MST_OK && theirs->left_out && theirs->kind == MST_STEP_REMOVE && theirs->list)
        status = mst_merge_hold_back(m, theirs);
    return status;
}

mst_status mst_merge_weigh(mst_merge_state *m) {
    mst_status status = sort_ours(m);
    for (size_t i = 0; i < m->steps[1].count; i++)
        find_place(m, &m->steps[1].items[i]);
    if (status == MST_OK)
        status = mst_merge_note_members(m);
    for (size_t i = 0; i < m->steps[1].count && status == MST_OK; i++)
        status = weigh_one(m, &m->steps[1].items[i]);
    return status;
}
