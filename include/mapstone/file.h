/* SPDX-License-Identifier: MIT */
/* Writing files so that nothing is ever lost. */
#ifndef MAPSTONE_FILE_H
#define MAPSTONE_FILE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A file being written: what goes to its sink stands in a temporary file in the same directory, which
 * mst_file_finish makes durable (fsync) and renames to `path`: there is the old file or the new one, never
 * half of one. The permissions of a file that stood there are kept, and its write protection is heeded; a
 * symbolic link is followed. What is not a regular file (a device, a pipe) is written directly; "-" and
 * "/dev/stdout" are standard output. `allocator` may be NULL.
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
 * The same, for a program that wants to take the temporary file away when a signal ends it: `report` is
 * called with its path and 1 before it is created, and with 0 when it has got its name or is gone (also if it
 * could not be created). It is called by the thread that uses the writer; the path is absolute only if `path`
 * was.
 */
typedef struct mst_file_watch {
    void (*report)(void *user, const char *temporary, int there);
    void *user;
    /* Called with 1 right before finished files get their names, and with 0 right after it: a program that a
     * signal ends waits for that, so that of files that belong together all are new or none. May be NULL. */
    void (*renaming)(void *user, int now);
} mst_file_watch;
MST_API mst_status mst_file_create_watched(const char *path, const mst_allocator *allocator,
                                           const mst_file_watch *watch, mst_file_writer **result,
                                           mst_diagnostic *diagnostic);
/* How many other names (hard links) the file has that is about to be replaced: they keep its old content. */
MST_API unsigned mst_file_other_names(const mst_file_writer *writer);
/* Valid until the writer ends. A failed write is kept, and said by mst_file_finish. */
MST_API mst_sink mst_file_sink(mst_file_writer *writer);
/* Ends the writer in every case; on failure the temporary file is removed and the old file is as it was. */
MST_API mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic);
/*
 * Ends writers of files that belong together, in every case: all files are new, or all are as they were. All
 * are complete and durable before the first gets its name; if one cannot get its own, those before it are put
 * back (by hard links; where the file system has none, or putting back fails as well, the diagnosis says
 * which are new, and where the old bytes are). Only a process that is killed, or a machine that stops,
 * between two of the renames leaves some new and some old, each of them whole; what the new ones were is then
 * left as .mapstone- and 16 digits. What is written directly (a device, a pipe) cannot be taken back.
 */
MST_API mst_status mst_file_finish_all(mst_file_writer *const *writers, size_t count,
                                       mst_diagnostic *diagnostic);
/*
 * For a file that is read, changed and written back: finishing is MST_REFUSED, and nothing is written, if the
 * file that stands there does not hold these bytes any more, or if another program that writes it this way is
 * about to rename. `bytes` is kept by the caller until the writer ends.
 */
MST_API void mst_file_expect(mst_file_writer *writer, const void *bytes, size_t size);
/* Ends the writer and removes the temporary file. */
MST_API void mst_file_abandon(mst_file_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
