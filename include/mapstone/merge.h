/* SPDX-License-Identifier: MIT */
/*
 * Merging: the changes of two people in copies of one level become one level. Elements are matched by
 * identity (diff.h), values are merged one by one, and numbers that name elements are adjusted.
 */
#ifndef MAPSTONE_MERGE_H
#define MAPSTONE_MERGE_H

#include <mapstone/container.h>
#include <mapstone/diff.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_conflict_kind {
    MST_CONFLICT_VALUE = 0,         /* both changed a value, differently */
    MST_CONFLICT_REMOVED_BY_OURS,   /* theirs changed or needs something that ours removed */
    MST_CONFLICT_REMOVED_BY_THEIRS, /* the reverse */
    MST_CONFLICT_NUMBER,   /* patches: another element has the index by which other files refer to this one */
    MST_CONFLICT_AMBIGUOUS /* one side changed similar elements, and it is not known which is which
                              (mst_difference.ambiguous); the other side changed one of them, or both removed
                              one */
} mst_conflict_kind;

/* The side that decides conflicts. OURS and THEIRS are the caller's decision: no conflict is left open. */
typedef enum mst_preference { MST_PREFER_NONE = 0, MST_PREFER_OURS, MST_PREFER_THEIRS } mst_preference;

/* All texts are valid during the call only. */
typedef struct mst_conflict {
    size_t size; /* sizeof(mst_conflict) */
    mst_conflict_kind kind;
    const char *path;                 /* in the base document */
    const char *label;                /* the element's type and name; "": not known */
    const char *base, *ours, *theirs; /* JSON; NULL: there is none */
    /* Of an element that theirs removed: the path of the value that ours changed, below the element's; in
     * full if it is elsewhere and names the element. NULL: `ours` is the value of `path`. */
    const char *changed;
    const char *marked; /* with `mark`: the path in the result of the copy with theirs; NULL: none */
    const char *file;   /* mst_merge_files: the name of the file; `path` "": all of it. Else NULL */
    /* The decision by `prefer` or `resolve` (THEIRS also for a value). NONE: undecided; ours is kept until
     * then. */
    mst_preference decided;
} mst_conflict;
/* MST_OK continues; anything else ends the merge with it. */
typedef mst_status (*mst_conflict_function)(void *user, const mst_conflict *conflict);

/* How one conflict is resolved. */
typedef struct mst_resolution {
    size_t size; /* sizeof(mst_resolution) */
    mst_preference side;
    /* Both changed a value: JSON that replaces both, with numbers that name elements as in theirs; valid
     * until the merge ends. NULL: the value of the side. */
    const char *value;
} mst_resolution;

/* A file that is in ours or in the result. */
typedef struct mst_merged_file {
    size_t size; /* sizeof(mst_merged_file) */
    const char *name;
    const void *bytes; /* NULL: the result has no such file */
    size_t byte_count;
    bool is_ours; /* as in ours */
} mst_merged_file;
/* MST_OK continues; anything else ends the merge with it. */
typedef mst_status (*mst_merged_function)(void *user, const mst_merged_file *file);

/*
 * Directories or archives that are merged instead of documents, and whose files belong together: files by
 * their names, levels by their content, the two files of a pair as one, and index files (MAPS.bin) to match
 * the other files. An element that moved from one sector of a level to another is in exactly one of them. A
 * file that levels need, that is not a level, and that both sides changed, is a conflict; so is one that only
 * one side removed. Other files are as in ours; hidden files, and files whose names have a special meaning on
 * some system (.git, NUL, a:b), are not in the result.
 */
typedef struct mst_merge_files {
    size_t size; /* sizeof(mst_merge_files) */
    mst_container *ours, *base, *theirs;
    /* Gets the files one by one after everything is merged. */
    mst_merged_function take;
    void *user;
} mst_merge_files;

typedef struct mst_merge_options {
    size_t size; /* sizeof(mst_merge_options) */
    mst_preference prefer;
    mst_conflict_function conflict; /* may be NULL */
    void *user;
    /* The checks that the result must pass: it may not have more errors than the worse of the two, nor a
     * number that names nothing unless one of them has it. With `files`, the sidecars of a file are found
     * among the merged ones, unless there are `sidecars`. NULL: no checks. */
    const mst_check_options *checks;
    /* If both changed a value of an element with a position, a copy with their values is inserted next to it,
     * if the format allows that without new errors. No effect if a side is preferred. */
    bool mark;
    /* With `files`: receives the name of each file that is kept as in ours although theirs differs, because
     * it is neither a level nor named like a file that levels need. With `user`. May be NULL. */
    void (*left_out)(void *user, const char *name);
    /* The largest size of the result in bytes; larger results are refused. 0: 64 times the larger of ours and
     * theirs, at least 64 MiB. */
    uint64_t growth_limit;
    /* Bytes that merging may allocate; needing more is refused. 0: 64 times the three documents, plus 64
     * MiB. */
    uint64_t memory_limit;
    /* Called for each conflict, in place of `prefer`, to which `resolution` is initialised. A conflict has
     * the same path each time the same documents are merged, so that conflicts reported by one merge can be
     * resolved one by one in later ones. Accepting theirs for an element that ours removed restores the
     * element, with its content in theirs. Elements that ours needs are kept, whatever the resolution. For
     * documents only. With `user`. NULL: `prefer`. */
    mst_status (*resolve)(void *user, const mst_conflict *conflict, mst_resolution *resolution);
    const mst_merge_files *files; /* if the documents are NULL: merged instead of them */
} mst_merge_options;

/*
 * Merges the changes from `base` to `theirs` into `ours`, which was also made from `base`. If both changed
 * the same value, ours is kept. `conflicts` (may be NULL) receives the number of undecided ones. Editor state
 * never conflicts. Conflicts are reported at the end, also before MST_REFUSED. On failure the document is
 * unchanged; success invalidates its value handles. `options` may be NULL. MST_ARGUMENT: the documents are of
 * different formats. MST_REFUSED: the result would not be a level, or one with more errors; or the documents
 * are of different versions; or one side added or removed elements that are identified by number (blocks of
 * Star Fox Adventures), and the other changed such elements (or files that name them).
 */
MST_API mst_status mst_merge(mst_document *ours, const mst_document *base, const mst_document *theirs,
                             const mst_merge_options *options, uint64_t *conflicts,
                             mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
