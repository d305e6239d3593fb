/* SPDX-License-Identifier: MIT */
/*
 * Patches: what changed between two documents, as text that makes one of the other. Patches carry only what
 * changed; docs/patch.md describes them.
 */
#ifndef MAPSTONE_PATCH_H
#define MAPSTONE_PATCH_H

#include <mapstone/merge.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Directories or archives in place of documents: the text has a patch for each file that has changed. Levels
 * of the same name are patched by what is in them, the two files of a pair as one; a file that has another
 * name is found by its content. Files that only one side has, and those that levels need but that are not
 * levels, are bytes, of which more than 1024 in all have to be wanted. Other files, and those that are hidden
 * or have names that mean something else on another system (.git, NUL, a:b), are in no patch.
 */
typedef struct mst_patch_files {
    size_t size;              /* sizeof(mst_patch_files) */
    mst_container *files;     /* make: the old ones; apply: those that are patched, which stay unchanged */
    mst_container *new_files; /* make */
    /* apply: gets the files of the result one by one, and those that the result lacks, when all of the patch
     * fits, or what does with `partial`. Index files (MAPS.bin) say what is in the levels that were patched,
     * also where these have moved on. Files with names that a patch must not have are not in the result. */
    mst_merged_function take;
    void *user;
} mst_patch_files;

typedef struct mst_patch_options {
    size_t size; /* sizeof(mst_patch_options) */
    mst_allocator allocator;
    /* What operations cannot say, a patch says with the bytes themselves. More than 1024 of them are only
     * written if they are wanted: they are data of the game. */
    bool with_data;
    bool reverse; /* apply: makes the old document of the new one */
    /* apply, to a document that the patch was not made of: receives the changes that do not fit it, `ours`
     * what is there (NULL: nothing). MST_CONFLICT_REMOVED_BY_THEIRS: numbers in it name what would go;
     * MST_CONFLICT_NUMBER: it would come to another index. NULL: nobody. */
    mst_conflict_function rejected;
    void *user;
    bool partial; /* apply: what fits is done all the same */
    bool exact;   /* apply: only to the document that the patch was made of */
    /* make, of `files`: receives the name of each file that has changed and is not in the patch, because it
     * is neither a level nor called like what levels need. With `user`. NULL: nobody. */
    void (*left_out)(void *user, const char *name);
    /* make: receives whether the patch, or in a directory that of a level, cannot be reversed, as may be
     * between two versions. May be NULL. */
    bool *one_way;
    /* apply: bytes that the document may grow to: what would make it larger is refused. 0: 64 times as many
     * as it has, at least 64 MiB. */
    uint64_t growth_limit;
    /* Bytes that making or applying may allocate: what would take more is refused. 0: 64 times what is read,
     * and 64 MiB. */
    uint64_t memory_limit;
    /* apply, to a document that the patch was not made of: the checks that the result must pass, with the
     * files next to it (`sidecars`); new errors, and new numbers that name nothing, refuse it. NULL: those
     * that need no other file. Of `files` they are found among these, unless there are `sidecars`. */
    const mst_check_options *checks;
    bool force; /* apply: what the checks find refuses nothing */
    /* apply: receives new findings that refuse nothing, with `user`. NULL: nobody. */
    mst_report_function found;
    /* make: writes the bytes in which two files of one size differ, as fixes of games circulate:
     * [{"offset": 189246, "old": "ff", "new": "00"}, ...] */
    bool offsets;
    const mst_patch_files *files; /* the documents are NULL: what is patched instead */
} mst_patch_options;

/*
 * Writes the patch that makes the new document of the old one, byte for byte. `options` may be NULL.
 * MST_ARGUMENT: they are of different formats. MST_REFUSED: it would carry bytes that are not wanted.
 */
MST_API mst_status mst_patch_make(const mst_document *old_document, const mst_document *new_document,
                                  const mst_patch_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic);

/*
 * Applies a patch to the document that it was made of: it becomes the other one, byte for byte. To another
 * one of the format it is applied by what elements are known by, and what its values were; what does not fit
 * refuses it, as do new errors and new numbers that name nothing (`force`). The text may also be a list of
 * offsets in the file and bytes; where `old` is missing in it, new errors refuse it. On failure the document
 * is unchanged; success invalidates its value handles. MST_ARGUMENT: the text is not a patch for this format.
 * MST_REFUSED: it does not fit; or, of `files`, it names a file outside the directory, a hidden one, or a
 * device of Windows: whatever the rest of it says. `rejected` hears of what does not fit with the name of the
 * file; of a whole file the path is "".
 */
MST_API mst_status mst_patch_apply(mst_document *document, const char *text, size_t size,
                                   const mst_patch_options *options, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
