/* SPDX-License-Identifier: MIT */
/*
 * Merging: the steps from the base document to theirs are laid over ours. `merge_steps.c` finds those that
 * contradict what ours changed, `merge_ids.c` ids that both gave, `merge_lists.c` what has to stay or come
 * back because numbers name it, `merge_loose.c` what nothing names any more. `merge_mark.c` puts theirs
 * beside ours.
 */
#ifndef MST_MERGE_MERGING_H
#define MST_MERGE_MERGING_H

#include "../patch/drafts.h"
#include "../read/landmarks.h"
#include <mapstone/merge.h>

/* A conflict, until all of them are reported. */
typedef struct mst_held {
    mst_conflict conflict;
    const mst_patch_step *theirs; /* whose value a copy of the element can have; NULL: none can */
    /* In the result: the element's list and index, and the value's path below the element. */
    const char *list, *below;
    uint64_t index;
    bool marked;
} mst_held;

typedef struct mst_merging {
    mst_document *ours;
    const mst_document *base, *theirs;
    mst_merge_options options;
    const mst_resolver *const *beside; /* of ours, and of theirs; NULL: the same files as of the result */
    mst_arena *arena;
    mst_landmarks landmarks;   /* of the base document */
    mst_patch_steps steps[2];  /* from the base document to ours, and to theirs */
    mst_doubts doubts[2];      /* which elements of the base document are ambiguous there */
    mst_list_change *lists[2]; /* what they do to the base document's lists */
    mst_patch_step **by_place; /* ours that have a place, in the order of the base document */
    uint64_t *reach;           /* the largest end of those up to each */
    size_t placed;
    mst_patch_steps between; /* from ours to theirs: mst_merge_compare */
    bool compared;
    mst_array more; /* mst_patch_step: that numbers need; LIST ones first */
    mst_array held; /* mst_held */
    bool marking;   /* steps whose values copies can have are carried out */
    uint64_t conflicts;
    mst_diagnostic *diagnostic;
} mst_merging;

/* A copy of their document in which elements that they inserted have other ids than those that ours inserted;
 * NULL: they have already. */
mst_status mst_merge_renew_ids(mst_merging *m, mst_document **theirs);
/* Numbers in the result that make something a member of what one side removed go. */
mst_status mst_merge_let_go(mst_merging *m, mst_document *result);
/* The steps laid over ours. */
mst_status mst_merge_result(mst_merging *m, mst_document **result);
/* Parts of the level that ours did not touch, where the result has not what theirs has. */
mst_status mst_merge_untouched(mst_merging *m, mst_document *result);
/* Compares ours with theirs, once. */
mst_status mst_merge_compare(mst_merging *m);
/* Before steps are weighed: which ambiguous elements of theirs ours has changed. */
mst_status mst_merge_note_doubts(mst_merging *m);
/* Whether a step of theirs is about an element that is ambiguous on one side and that the other side has
 * changed. `is_same`: both have removed one, which need not be the same one. */
mst_status mst_merge_is_doubtful(mst_merging *m, const mst_patch_step *theirs, bool is_same, bool *doubtful);
/* Whether a step of theirs is an edit: what only follows from others is left out in silence. */
mst_status mst_merge_is_edit(mst_merging *m, const mst_patch_step *theirs, bool *edits);
/* Leaves out their steps that contradict ours, and holds them for the report. */
mst_status mst_merge_weigh(mst_merging *m);
/* Holds a conflict. `theirs_stands` receives whether their step is carried out, maybe with another value;
 * NULL: it cannot be, and ours stands. */
mst_status mst_merge_conflict(mst_merging *m, mst_conflict_kind kind, mst_patch_step *theirs,
                              const mst_patch_step *ours, bool *theirs_stands);
/* What one side put into what the other removed. After mst_merge_weigh. */
mst_status mst_merge_members(mst_merging *m);
/* Leaves out their removal of an element, with the rows about it. */
mst_status mst_merge_hold_back(mst_merging *m, const mst_patch_step *removal);
/* Gives a value that ours set what it was in the base document. */
mst_status mst_merge_undo(mst_merging *m, const mst_patch_step *ours);
/* Brings an element of the base document back that ours has removed, as it is in theirs. */
mst_status mst_merge_bring_back(mst_merging *m, const char *list, uint64_t index);
/* Leaves out their insertions of what ours has inserted, too. */
mst_status mst_merge_twins(mst_merging *m);
/* Adds the lists that only ours changed: numbers of theirs name their elements, too. */
mst_status mst_merge_lists(mst_merging *m);
/* After a draft with numbers that name nothing: keeps, or brings back, what they name. `any`: something was
 * done about it. */
mst_status mst_merge_keep(mst_merging *m, const mst_draft *draft, bool *any);
/* Removes what only elements referred to that are gone, where neither had anything loose. */
mst_status mst_merge_tidy(mst_merging *m, mst_document *result);
/* Replaces the result by one in which theirs stands beside ours, if there can be one. */
mst_status mst_merge_mark(mst_merging *m, mst_document **result);

#endif
