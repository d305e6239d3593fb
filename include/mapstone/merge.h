/* SPDX-License-Identifier: MIT */
/*
 * Merging: what two people changed in copies of one level becomes one level. Elements are the same by what
 * they are (diff.h), values are merged one by one, and numbers that name elements follow.
 */
#ifndef MAPSTONE_MERGE_H
#define MAPSTONE_MERGE_H

#include <mapstone/diff.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_conflict_kind {
    MST_CONFLICT_VALUE = 0,        /* both changed a value, to different ones */
    MST_CONFLICT_REMOVED_BY_OURS,  /* theirs changed or needs what ours removed */
    MST_CONFLICT_REMOVED_BY_THEIRS /* the other way round */
} mst_conflict_kind;

/* All texts are valid during the call only. */
typedef struct mst_conflict {
    size_t size; /* sizeof(mst_conflict) */
    mst_conflict_kind kind;
    const char *path;                 /* in the base document */
    const char *label;                /* what the element is called; "": not known */
    const char *base, *ours, *theirs; /* JSON; NULL: there is none */
} mst_conflict;
/* MST_OK continues; anything else ends the merge with it. */
typedef mst_status (*mst_conflict_function)(void *user, const mst_conflict *conflict);

/* Which side decides conflicts. OURS and THEIRS are the wish of the caller: then nothing is left to do. */
typedef enum mst_preference { MST_PREFER_NONE = 0, MST_PREFER_OURS, MST_PREFER_THEIRS } mst_preference;

typedef struct mst_merge_options {
    size_t size; /* sizeof(mst_merge_options) */
    mst_preference prefer;
    mst_conflict_function conflict; /* NULL: nobody hears of them */
    void *user;
    /* The checks that the result must pass: it may not have more errors than the worse of the two. NULL: no
     * checks. */
    const mst_check_options *checks;
} mst_merge_options;

/*
 * Merges what changed from `base` to `theirs` into `ours`, which was made of `base`, too. Where both changed
 * the same, ours stands. `conflicts` (may be NULL) receives how many there are that nobody has decided. What
 * only an editor shows never conflicts. On failure the document is unchanged; success invalidates its value
 * handles. `options` may be NULL. MST_ARGUMENT: the documents are of different formats. MST_REFUSED: the
 * result would not be a level, or one with more errors; or the documents are of different versions.
 */
MST_API mst_status mst_merge(mst_document *ours, const mst_document *base, const mst_document *theirs,
                             const mst_merge_options *options, uint64_t *conflicts,
                             mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
