/* SPDX-License-Identifier: MIT */
/*
 * Merging: the steps from the base document to theirs are applied to ours. `merge_steps.c` finds steps that
 * contradict changes of ours, `merge_ids.c` ids that both sides assigned, `merge_lists.c` elements that have
 * to stay or return because numbers name them, `merge_loose.c` elements that nothing names any longer.
 * `merge_mark.c` puts theirs next to ours.
 */
#ifndef MST_MERGE_MERGING_H
#define MST_MERGE_MERGING_H

#include "../patch/drafts.h"
#include "../read/landmarks.h"
#include <mapstone/merge.h>

/* A conflict, until all of them are reported. */
typedef struct mst_held {
    mst_conflict conflict;
    const mst_patch_step *theirs; /* whose value a copy of the element can have; NULL: none */
    /* In the result: the element's list and index, and the value's path below the element. */
    const char *list, *below;
    uint64_t index;
    bool marked;
} mst_held;

/* A number of the base document that lists an element (merge_named.c). */
typedef struct mst_listing {
    uint64_t offset;      /* its own */
    uint64_t list, index; /* the element: its list's offset, and its index */
} mst_listing;

typedef struct mst_merge_state {
    mst_document *ours;
    const mst_document *base, *theirs;
    mst_merge_options options;
    const mst_resolver *const *beside; /* for ours, and for theirs; NULL: the same files as for the result */
    mst_arena *arena;
    mst_landmarks landmarks;   /* of the base document */
    mst_patch_steps steps[2];  /* from the base document to ours, and to theirs */
    mst_doubts doubts[2];      /* elements of the base document that are ambiguous there */
    mst_list_change *lists[2]; /* their changes to the base document's lists */
    mst_patch_step **by_place; /* steps of ours that have a place, in the order of the base document */
    uint64_t *reach;           /* the largest end up to and including each */
    size_t placed;
    mst_patch_steps between; /* from ours to theirs: mst_merge_compare */
    bool compared;
    mst_array more;  /* mst_patch_step: required by references; LIST steps first */
    mst_array held;  /* mst_held */
    mst_array named; /* mst_listing, by offset; found when first needed */
    bool named_found;
    bool marking; /* steps whose values copies can have are applied */
    uint64_t conflicts;
    mst_diagnostic *diagnostic;
} mst_merge_state;

/* Whether a path, which may be NULL, leads to `outer` or into it. */
static inline bool mst_merge_is_within(const char *path, const char *outer) {
    const size_t length = strlen(outer);
    return path && strncmp(path, outer, length) == 0 && (!path[length] || strchr(".[", path[length]));
}

/* The ids of a list's elements, ascending. */
typedef struct mst_ids {
    uint64_t *items;
    size_t count;
} mst_ids;

/* Memory is from the arena; MST_NO_MEMORY. */
mst_status mst_ids_of(const mst_value *list, const char *key, mst_arena *arena, mst_ids *ids);
/* How many elements have the id. */
size_t mst_ids_times(const mst_ids *ids, uint64_t id);

/* A copy of their document in which elements that they inserted have other ids than elements that ours
 * inserted; NULL if they already have. */
mst_status mst_merge_renew_ids(mst_merge_state *m, mst_document **theirs);
/* Clears numbers in the result that make something a member of a removed element. */
mst_status mst_merge_let_go(mst_merge_state *m, mst_document *result);
/* Applies the steps to ours. */
mst_status mst_merge_result(mst_merge_state *m, mst_document **result);
/* Takes the parts of the level that ours did not touch from theirs, where the result differs. */
mst_status mst_merge_untouched(mst_merge_state *m, mst_document *result);
/* Compares ours with theirs, once. */
mst_status mst_merge_compare(mst_merge_state *m);
/* Before steps are weighed: notes which elements that are ambiguous in theirs were changed by ours. */
mst_status mst_merge_note_doubts(mst_merge_state *m);
/* When all steps have their places: marks those by which a member only leaves an element that its side
 * removed. */
mst_status mst_merge_note_members(mst_merge_state *m);
/* Whether a step of theirs changes an element that is ambiguous on one side and that the other side has
 * changed. `is_same`: both have removed one, not necessarily the same one. */
mst_status mst_merge_is_doubtful(mst_merge_state *m, const mst_patch_step *theirs, bool is_same,
                                 bool *doubtful);
/* Whether a step of theirs is an edit: steps that only follow from others are left out silently. */
mst_status mst_merge_is_edit(mst_merge_state *m, const mst_patch_step *theirs, bool *edits);
/* Leaves out their steps that contradict ours, and holds them for the report. */
mst_status mst_merge_weigh(mst_merge_state *m);
/* Holds a conflict. `theirs_stands` receives whether their step is applied, possibly with another value;
 * NULL: it cannot be, and ours is kept. */
mst_status mst_merge_conflict(mst_merge_state *m, mst_conflict_kind kind, mst_patch_step *theirs,
                              const mst_patch_step *ours, bool *theirs_stands);
/* MST_REFUSED: one side inserted or removed elements of a list that other files refer to by index, and
 * elements that the other one changed cannot be found in it. */
mst_status mst_merge_check_numbered(const mst_merge_state *m);
/* Finds things that one side put into elements that the other removed. After mst_merge_weigh. */
mst_status mst_merge_members(mst_merge_state *m);
/* Leaves out their removal of an element, with the rows about it and the numbers that list it. */
mst_status mst_merge_hold_back(mst_merge_state *m, const mst_patch_step *removal);
/* Calls with each step of a side that removes a number that lists that element of the base document. */
mst_status mst_merge_named(mst_merge_state *m, int side, const char *list, uint64_t index,
                           mst_status (*keep)(mst_merge_state *m, mst_patch_step *step));
/* Resets a value that ours set to its value in the base document. */
mst_status mst_merge_undo(mst_merge_state *m, const mst_patch_step *ours);
/* Restores a member of the base document that ours has removed, such as an inventory, as it is in theirs. */
mst_status mst_merge_restore(mst_merge_state *m, const mst_patch_step *ours);
/* Restores an element of the base document that ours has removed, with its content in theirs. */
mst_status mst_merge_bring_back(mst_merge_state *m, const char *list, uint64_t index);
/* Leaves out their insertions of elements that ours also inserted. */
mst_status mst_merge_twins(mst_merge_state *m);
/* Adds the lists that only ours changed: numbers of theirs also refer to their elements. */
mst_status mst_merge_lists(mst_merge_state *m);
/* After a draft with dangling references: keeps or restores the elements that they name. `any`: something was
 * done about it. */
mst_status mst_merge_keep(mst_merge_state *m, const mst_draft *draft, bool *any);
/* Removes elements that were referenced only by removed elements, if neither side had loose ones. */
mst_status mst_merge_tidy(mst_merge_state *m, mst_document *result);
/* Replaces the result by one in which theirs is next to ours, if possible. */
mst_status mst_merge_mark(mst_merge_state *m, mst_document **result);

#endif
