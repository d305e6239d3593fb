/* SPDX-License-Identifier: MIT */
/*
 * Merging: what two people changed in copies of one level becomes one level. Elements are the same by what
 * they are (diff.h), values are merged one by one, and numbers that name elements follow.
 */
#ifndef MAPSTONE_MERGE_H
#define MAPSTONE_MERGE_H

#include <mapstone/container.h>
#include <mapstone/diff.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_conflict_kind {
    MST_CONFLICT_VALUE = 0,         /* both changed a value, to different ones */
    MST_CONFLICT_REMOVED_BY_OURS,   /* theirs changed or needs what ours removed */
    MST_CONFLICT_REMOVED_BY_THEIRS, /* the other way round */
    MST_CONFLICT_NUMBER,   /* patches: another element has the index by which other files know this one */
    MST_CONFLICT_AMBIGUOUS /* one side changed alike elements, and it is not known which is which
                              (mst_difference.ambiguous); the other side changed one of them, or both
                              removed one */
} mst_conflict_kind;

/* Which side decides conflicts. OURS and THEIRS are the wish of the caller: then nothing is left to do. */
typedef enum mst_preference { MST_PREFER_NONE = 0, MST_PREFER_OURS, MST_PREFER_THEIRS } mst_preference;

/* All texts are valid during the call only. */
typedef struct mst_conflict {
    size_t size; /* sizeof(mst_conflict) */
    mst_conflict_kind kind;
    const char *path;                 /* in the base document */
    const char *label;                /* what the element is called; "": not known */
    const char *base, *ours, *theirs; /* JSON; NULL: there is none */
    const char
        *marked; /* with `mark`: the path in the result of the copy that has theirs; NULL: there is none */
    const char *file; /* mst_merge_files: the name of the file; `path` "": all of it. Else NULL */
    /* What decided it: `prefer`, or `resolve` (THEIRS also for a value). NONE: ours stands until somebody
     * decides.
     */
    mst_preference decided;
} mst_conflict;
/* MST_OK continues; anything else ends the merge with it. */
typedef mst_status (*mst_conflict_function)(void *user, const mst_conflict *conflict);

/* How one conflict is resolved. */
typedef struct mst_resolution {
    size_t size; /* sizeof(mst_resolution) */
    mst_preference side;
    /* Both changed a value: JSON that is put in the place of both, with numbers that name elements as in
     * theirs; valid until the merge ends. NULL: the value of the side. */
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
 * Directories or archives that are merged in place of documents, and whose files belong together: files by
 * their names, levels by what is in them, the two files of a pair as one, and index files (MAPS.bin) with
 * what they say about the others. What went from one sector of a level to another is in one of them. A
 * file that levels need, that is not one, and that both sides changed, is a conflict; so is one that only one
 * side removed. Other files are as in ours; those that are hidden, or have names that mean something else on
 * another system (.git, NUL, a:b), are not in the result.
 */
typedef struct mst_merge_files {
    size_t size; /* sizeof(mst_merge_files) */
    mst_container *ours, *base, *theirs;
    /* Gets the files one by one when all of it is merged. */
    mst_merged_function take;
    void *user;
} mst_merge_files;

typedef struct mst_merge_options {
    size_t size; /* sizeof(mst_merge_options) */
    mst_preference prefer;
    mst_conflict_function conflict; /* NULL: nobody hears of them */
    void *user;
    /* The checks that the result must pass: it may not have more errors than the worse of the two, nor a
     * number that names nothing where neither has it. Of `files` those next to a file are found among the
     * merged ones, unless there are `sidecars`. NULL: no checks. */
    const mst_check_options *checks;
    /* Where both changed a value of something that stands in the level, a copy of it with their values comes
     * next to it, if the format allows that without new errors. Without effect if a side is preferred. */
    bool mark;
    /* Of `files`: receives the name of each file of which ours stays though theirs has another one, as it
     * is neither a level nor called like what levels need. With `user`. NULL: nobody. */
    void (*left_out)(void *user, const char *name);
    /* Bytes that the result may have: what would be larger is refused. 0: 64 times as many as the larger of
     * ours and theirs has, at least 64 MiB. */
    uint64_t growth_limit;
    /* Bytes that merging may allocate: what would take more is refused. 0: 64 times the three documents, and
     * 64 MiB. */
    uint64_t memory_limit;
    /* Asked about each conflict, in place of `prefer`, which is what `resolution` has before the call. A
     * conflict has the same path each time the same documents are merged, so that conflicts that one merge
     * reported can be resolved one by one in later ones. What theirs changed in an element that ours removed
     * brings the element back, with its content in theirs. What ours needs stays, whatever is said. Of
     * documents only. With `user`. NULL: `prefer`. */
    mst_status (*resolve)(void *user, const mst_conflict *conflict, mst_resolution *resolution);
    const mst_merge_files *files; /* the documents are NULL: what is merged instead */
} mst_merge_options;

/*
 * Merges what changed from `base` to `theirs` into `ours`, which was made of `base`, too. Where both changed
 * the same, ours stands. `conflicts` (may be NULL) receives how many there are that nobody has decided. What
 * only an editor shows never conflicts. Conflicts are reported at the end, also before MST_REFUSED. On
 * failure the document is unchanged; success invalidates its value handles. `options` may be NULL.
 * MST_ARGUMENT: the documents are of different formats. MST_REFUSED: the result would not be a level, or one
 * with more errors; or the documents are of different versions; or one side added or removed elements that
 * are identified by number (blocks of Star Fox Adventures), and the other one changed some (or files that
 * name them).
 */
MST_API mst_status mst_merge(mst_document *ours, const mst_document *base, const mst_document *theirs,
                             const mst_merge_options *options, uint64_t *conflicts,
                             mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
