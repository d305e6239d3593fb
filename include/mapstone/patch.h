/* SPDX-License-Identifier: MIT */
/*
 * Patches: the changes between two documents, as text that turns one into the other. Patches carry only the
 * changes; docs/patch.md describes them.
 */
#ifndef MAPSTONE_PATCH_H
#define MAPSTONE_PATCH_H

#include <mapstone/merge.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Directories or archives instead of documents: the text has a patch for each changed file. Levels of the
 * same name are patched by their content, the two files of a pair as one; a renamed file is found by its
 * content. Files that only one side has, and files that levels need but that are not levels, are carried as
 * bytes; more than 1024 bytes in all require with_data. Other files, and files that are hidden or have names
 * with a special meaning on some system (.git, NUL, a:b), are never part of a patch.
 */
typedef struct mst_patch_files {
    size_t size;              /* sizeof(mst_patch_files) */
    mst_container *files;     /* make: the old ones; apply: those to patch, which stay unchanged */
    mst_container *new_files; /* make */
    /* apply: gets the files of the result one by one, and those that the result lacks, if all of the patch
     * fits; with `partial`, with the parts that do. Index files (MAPS.bin) match the content of the patched
     * levels, even if these have changed otherwise. Files with names that a patch must not have are not in
     * the result. */
    mst_merged_function take;
    void *user;
} mst_patch_files;

/* What a patch is like; of a directory, the sum over its levels. */
typedef struct mst_patch_made {
    size_t operations;
    size_t raw_bytes; /* of the lines that carry bytes, because operations cannot express them */
    bool packed;      /* the operations are one line */
    bool one_way;     /* it cannot be reversed, as may happen between two versions */
} mst_patch_made;

typedef struct mst_patch_options {
    size_t size; /* sizeof(mst_patch_options) */
    mst_allocator allocator;
    /* Changes that operations cannot express are carried as bytes. More than 1024 of them are only written if
     * this is set: they are data of the game. */
    bool with_data;
    bool reverse; /* apply: turns the new document into the old one */
    /* apply, to a document that the patch was not made from: receives the changes that do not fit it, with
     * the present value as `ours` (NULL: none). MST_CONFLICT_REMOVED_BY_THEIRS: numbers in it name an element
     * that would be removed; MST_CONFLICT_NUMBER: the element would get another index. May be NULL. */
    mst_conflict_function rejected;
    void *user;
    bool partial; /* apply: apply the changes that fit anyway */
    bool exact;   /* apply: only to the document that the patch was made from */
    /* make, with `files`: receives the name of each changed file that is not in the patch, because it is
     * neither a level nor named like a file that levels need. With `user`. May be NULL. */
    void (*left_out)(void *user, const char *name);
    mst_patch_made *made; /* make: receives what the patch is like. May be NULL. */
    /* make: all operations are lines. Otherwise those of a patch that would be larger than both levels are
     * packed, as one line with a zlib stream in Base64. */
    bool plain;
    /* apply: the largest size in bytes that the document may grow to; larger results are refused. 0: 64 times
     * its size, at least 64 MiB. */
    uint64_t growth_limit;
    /* Bytes that making or applying may allocate; needing more is refused. 0: 64 times the input, plus 64
     * MiB. */
    uint64_t memory_limit;
    /* apply, to a document that the patch was not made from: the checks that the result must pass, with the
     * files next to it (`sidecars`); new errors, and new numbers that name nothing, refuse it. NULL: the
     * checks that need no other file. With `files`, sidecars are found among these, unless there are
     * `sidecars`. */
    const mst_check_options *checks;
    bool force; /* apply: findings of the checks refuse nothing */
    /* apply: receives new findings that refuse nothing, with `user`. May be NULL. */
    mst_report_function found;
    /* make: writes the bytes in which two files of equal size differ, the form in which fixes for games
     * circulate: [{"offset": 189246, "old": "ff", "new": "00"}, ...] */
    bool offsets;
    const mst_patch_files *files; /* if the documents are NULL: patched instead of them */
} mst_patch_options;

/*
 * Writes the patch that turns the old document into the new one, byte for byte. `options` may be NULL.
 * MST_ARGUMENT: they are of different formats. MST_REFUSED: it would carry bytes that need with_data.
 */
MST_API mst_status mst_patch_make(const mst_document *old_document, const mst_document *new_document,
                                  const mst_patch_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic);

/*
 * Applies a patch. The document that it was made from becomes the other one, byte for byte. To another
 * document of the format it is applied by the elements' identifying values and the old values; changes that
 * do not fit refuse it, as do new errors and new numbers that name nothing (`force`). The text may also be a
 * list of offsets in the file and bytes; if `old` is missing in it, new errors refuse it. On failure the
 * document is unchanged; success invalidates its value handles. MST_ARGUMENT: the text is not a patch for
 * this format. MST_REFUSED: it does not fit; or, with `files`, it names a file outside the directory, a
 * hidden one, or a device of Windows, whatever else it contains. `rejected` receives the changes that do not
 * fit with the name of the file; for a whole file the path is "".
 */
MST_API mst_status mst_patch_apply(mst_document *document, const char *text, size_t size,
                                   const mst_patch_options *options, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
