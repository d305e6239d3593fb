/* SPDX-License-Identifier: MIT */
/*
 * Sets: many files in one place - a directory, a plain archive (.zip, .kpf, .rvm, .tar, ...), a GameCube disc
 * image - by name. They are read only; nothing is written into an archive or image.
 *
 *     mst_file_set *set;
 *     if (mst_file_set_open("game.kpf", NULL, &set, &why) == MST_OK) {
 *         for (size_t i = 0; i < mst_file_set_count(set); i++)
 *             puts(mst_file_set_name(set, i));
 *         ...
 *         mst_file_set_close(set);
 *     }
 */
#ifndef MAPSTONE_SET_H
#define MAPSTONE_SET_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mst_file_set mst_file_set;

typedef struct mst_file_set_options {
    mst_allocator allocator;
    uint64_t member_limit; /* bytes that a member may have; 0: 1 GiB. What is larger is listed, not read */
    /* Told, with a warning, what is odd about a set that opens all the same: the disc of another game. */
    mst_report_function report;
    void *report_user;
} mst_file_set_options;

/* Opens a directory (with all below it; links to directories are not followed) or an archive. MST_UNKNOWN: a
 * file that is no archive. MST_UNSUPPORTED: an archive, in a library built without libarchive; such a one
 * knows zip archives, of which it reads what is not packed, and disc images. Also a disc image that is packed
 * itself (RVZ, WIA, CISO, GCZ, WBFS): it is to be made a plain one first. MST_DAMAGED: of a disc image, with
 * the code SFA-DISC, its file table; files that lie outside of the image are listed, and only reading them
 * fails. */
MST_API mst_status mst_file_set_open(const char *path, const mst_file_set_options *options,
                                     mst_file_set **set, mst_diagnostic *diagnostic);
/* Whether the first bytes of a file are those of an archive or disc image. */
MST_API int mst_file_set_is_archive(const void *bytes, size_t size);
/* Files, sorted by name; names have '/' between directories. Those from an archive are UTF-8 and lead nowhere
 * but down: "..", what makes a path absolute and control characters are taken out. */
MST_API size_t mst_file_set_count(const mst_file_set *set);
MST_API const char *mst_file_set_name(const mst_file_set *set, size_t index);
MST_API uint64_t mst_file_set_size(const mst_file_set *set, size_t index);
/* The file of that name, in any case (the exact one first); SIZE_MAX if there is none. */
MST_API size_t mst_file_set_find(const mst_file_set *set, const char *name);
/* The bytes of a member (one thread at a time; what was read may be used by any), from the set's allocator
 * (or mapped): give them back with mst_file_set_release. Archives that can only be read from the front are
 * gone through again where need be; members in the order of the set cost one pass. */
typedef struct mst_file_set_bytes {
    const void *data;
    size_t size;
    void *held;
} mst_file_set_bytes;
MST_API mst_status mst_file_set_read(mst_file_set *set, size_t index, mst_file_set_bytes *bytes,
                                     mst_diagnostic *diagnostic);
MST_API void mst_file_set_release(mst_file_set *set, mst_file_set_bytes *bytes);
/* Finds companions among the members, in any case: a plain name by the last part of theirs (one
 * outside of all directories first), one with '/' by all of it. What it finds stays in memory, and it holds,
 * as long as the set is open. */
MST_API mst_finder mst_file_set_finder(mst_file_set *set);
/* NULL is allowed. */
MST_API void mst_file_set_close(mst_file_set *set);

#ifdef __cplusplus
}
#endif
#endif
