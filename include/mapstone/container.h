/* SPDX-License-Identifier: MIT */
/*
 * Sets: many files in one place - a directory, a plain archive (.zip, .kpf, .rvm, .tar, ...), a GameCube disc
 * image - by name. They are read only; nothing is written into an archive or image.
 *
 *     mst_container *set;
 *     if (mst_container_open("game.kpf", NULL, &set, &why) == MST_OK) {
 *         for (size_t i = 0; i < mst_container_count(set); i++)
 *             puts(mst_container_name(set, i));
 *         ...
 *         mst_container_close(set);
 *     }
 */
#ifndef MAPSTONE_CONTAINER_H
#define MAPSTONE_CONTAINER_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mst_container mst_container;

typedef struct mst_container_options {
    mst_allocator allocator;
    /* Bytes that a member may have; what is larger is listed, but not read. 0: 1 GiB, and what is packed may
     * unpack to 16 MiB or to 200 times the bytes that it takes in the archive (of an archive that can only be
     * read from its beginning: that the archive has), whichever is more. */
    uint64_t member_limit;
    /* Bytes that the members that are read may unpack to, all together. 0: 200 times the size of the archive
     * and 64 MiB, or 16 GiB if member_limit is not 0. */
    uint64_t total_limit;
    /* How often an archive that can only be read from its beginning may be read again from there. 0: 32. */
    unsigned pass_limit;
    int unmapped; /* files are read instead of mapped: see mst_open_file */
    /* Gets a warning about what is odd in a set that opens all the same: the disc of another game, members
     * that are left out, sidecars that cannot be read. */
    mst_report_function report;
    void *report_user;
} mst_container_options;

/* Opens a directory (with all below it; links to directories are not followed) or an archive. MST_UNKNOWN: a
 * file that is not an archive. MST_UNSUPPORTED: an archive, in a library built without libarchive; such a one
 * knows zip archives, of which it reads what is not packed, and disc images. Also a disc image that is packed
 * itself (RVZ, WIA, CISO, GCZ, WBFS): it is to be made a plain one first. MST_DAMAGED: of a disc image, with
 * the code SFA-DISC, its file table; files that lie outside of the image are listed, and only reading them
 * fails. */
MST_API mst_status mst_container_open(const char *path, const mst_container_options *options,
                                      mst_container **container, mst_diagnostic *diagnostic);
/* Whether the first bytes of a file are those of an archive or disc image. */
MST_API int mst_container_is_archive(const void *bytes, size_t size);
/* Files, sorted by name; names have '/' between directories. Those from an archive are UTF-8 and lead nowhere
 * but down: "..", what makes a path absolute and control characters are taken out. Links are not files. */
MST_API size_t mst_container_count(const mst_container *container);
/* How many files were left out of the set, each of which was reported: names that are too long or lead
 * nowhere. What an archive would unpack to beyond its limits counts as one. */
MST_API uint64_t mst_container_omitted(const mst_container *container);
MST_API const char *mst_container_name(const mst_container *container, size_t index);
MST_API uint64_t mst_container_size(const mst_container *container, size_t index);
/* The file of that name, in any case (the exact one first); SIZE_MAX if there is none. */
MST_API size_t mst_container_find(const mst_container *container, const char *name);
/* Whether members can only be reached by unpacking everything that lies before them (tar.gz, 7z, cab). Then
 * they should be read in the archive's order, which takes one pass; in any other order passes are repeated.
 */
MST_API int mst_container_is_streamed(const mst_container *container);
/* The member that is the `place`th in the archive's order (of a directory: by name); SIZE_MAX beyond the end.
 */
MST_API size_t mst_container_at(const mst_container *container, size_t place);
/* The bytes of a member (one thread at a time; what was read may be used by any), from the set's allocator
 * (or mapped): give them back with mst_container_release. MST_IO if it exceeds a limit. */
typedef struct mst_container_bytes {
    const void *data;
    size_t size;
    void *held;
} mst_container_bytes;
MST_API mst_status mst_container_read(mst_container *container, size_t index, mst_container_bytes *bytes,
                                      mst_diagnostic *diagnostic);
MST_API void mst_container_release(mst_container *container, mst_container_bytes *bytes);
/* The first bytes of a member, at most `capacity`, to recognise it by: no more than that is unpacked,
 * whatever size it has, and no checksum is proved. In a streamed archive the member is unpacked and kept for
 * mst_container_read, if it is not too large for that. */
MST_API mst_status mst_container_peek(mst_container *container, size_t index, void *first, size_t capacity,
                                      size_t *size, mst_diagnostic *diagnostic);
/* Finds sidecars among the members, in any case: a plain name by the last part of theirs (one
 * outside of all directories first), one with '/' by all of it. What it finds stays in memory, and it holds,
 * as long as the set is open. */
MST_API mst_resolver mst_file_set_resolver(mst_container *container);
/* NULL is allowed. */
MST_API void mst_container_close(mst_container *container);

#ifdef __cplusplus
}
#endif
#endif
