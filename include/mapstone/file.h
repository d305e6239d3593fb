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
 * The same, for a program that wants to take the temporary file away when a signal ends it: `tell` is called
 * with its path and 1 before it is created, and with 0 when it has got its name or is gone (also if it could
 * not be created). It is called by the thread that uses the writer; the path is absolute only if `path` was.
 */
typedef struct mst_file_watch {
    void (*tell)(void *user, const char *temporary, int there);
    void *user;
} mst_file_watch;
MST_API mst_status mst_file_create_watched(const char *path, const mst_allocator *allocator,
                                           const mst_file_watch *watch, mst_file_writer **result,
                                           mst_diagnostic *diagnostic);
/* Valid until the writer ends. A failed write is kept, and said by mst_file_finish. */
MST_API mst_sink mst_file_sink(mst_file_writer *writer);
/* Ends the writer in every case; on failure the temporary file is removed and the old file is as it was. */
MST_API mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic);
/* Ends the writer and removes the temporary file. */
MST_API void mst_file_abandon(mst_file_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
