/* SPDX-License-Identifier: MIT */
/* Writing files atomically: a failure never loses the old content. */
#ifndef MAPSTONE_FILE_H
#define MAPSTONE_FILE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A file being written: its sink fills a temporary file in the same directory, which mst_file_finish makes
 * durable (fsync) and renames to `path`, so that there is always the old file or the new one, never half of
 * one. The permissions of an existing file are kept, and its write protection is respected; a symbolic link
 * is followed. Anything but a regular file (a device, a pipe) is written directly; "-" and "/dev/stdout" are
 * standard output. `allocator` may be NULL.
 *
 *     mst_file_writer *writer;
 *     if (mst_file_create("level.glb", NULL, &writer, &why) == MST_OK) {
 *         if (mst_scene_write_glb(scene, NULL, mst_file_sink(writer), &why) == MST_OK)
 *             status = mst_file_finish(writer, &why);
 *         else
 *             mst_file_abandon(writer);
 *     }
 */
typedef struct mst_file_writer mst_file_writer;

MST_API mst_status mst_file_create(const char *path, const mst_allocator *allocator, mst_file_writer **result,
                                   mst_diagnostic *diagnostic);
/*
 * The same, for a program that removes the temporary file when a signal ends it: `report` is called with the
 * temporary path and 1 before the file is created, and with 0 once it is renamed or removed (also if it could
 * not be created). It is called on the thread that uses the writer; the path is absolute only if `path` was.
 */
typedef struct mst_file_watch {
    void (*report)(void *user, const char *temporary, int there);
    void *user;
    /* Called with 1 right before finished files are renamed, and with 0 right after: a program that a signal
     * ends waits until then, so that of files that belong together all are new or none is. May be NULL. */
    void (*renaming)(void *user, int now);
} mst_file_watch;
MST_API mst_status mst_file_create_watched(const char *path, const mst_allocator *allocator,
                                           const mst_file_watch *watch, mst_file_writer **result,
                                           mst_diagnostic *diagnostic);
/* How many other names (hard links) the file to be replaced has: they keep its old content. */
MST_API unsigned mst_file_other_names(const mst_file_writer *writer);
/* Valid until the writer ends. A failed write is remembered and reported by mst_file_finish. */
MST_API mst_sink mst_file_sink(mst_file_writer *writer);
/* Ends the writer in any case; on failure the temporary file is removed and the old file is unchanged. */
MST_API mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic);
/*
 * Ends writers of files that belong together, in any case: all files are new, or all are unchanged. All are
 * complete and durable before the first is renamed; if a rename fails, the earlier ones are undone (by hard
 * links; where the file system has none, or undoing fails as well, the diagnostic says which files are new,
 * and where the old bytes are). Only if the process is killed, or the machine stops, between two renames are
 * some files new and some old, each of them complete; the old content of the new ones is then left in files
 * named .mapstone- and 16 digits. What is written directly (a device, a pipe) cannot be undone.
 */
MST_API mst_status mst_file_finish_all(mst_file_writer *const *writers, size_t count,
                                       mst_diagnostic *diagnostic);
/*
 * For a file that is read, changed and written back: finishing is MST_REFUSED, and nothing is written, if the
 * existing file no longer holds these bytes, or if another program that writes it this way is about to
 * rename. The caller keeps `bytes` until the writer ends.
 */
MST_API void mst_file_expect(mst_file_writer *writer, const void *bytes, size_t size);
/*
 * Finishing does not wait until the content is on the disk: for one of very many files that are easily made
 * again. If the machine stops, the new file may be empty; whatever else happens, it is the old or the new
 * one.
 */
MST_API void mst_file_hurry(mst_file_writer *writer);
/* Ends the writer and removes the temporary file. */
MST_API void mst_file_abandon(mst_file_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
