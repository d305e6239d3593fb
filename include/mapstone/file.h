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
 * durable (fsync) and renames to `path`, so that there is always either the old file or the new one, never a
 * partial one. The permissions of an existing file are kept, and its write protection is respected; a
 * symbolic link is followed. Anything but a regular file (a device, a pipe) is written directly; "-" and
 * "/dev/stdout" are standard output.
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

/*
 * For a program that removes the temporary file when a signal terminates it: `report` is called with the
 * temporary path and true before the file is created, and with false once it is renamed or removed (also if
 * it could not be created). It is called on the thread that uses the writer; the path is absolute only if
 * `path` was.
 */
typedef struct mst_file_watch {
    void (*report)(void *user, const char *temporary, bool there);
    void *user;
    /* Called with true right before finished files are renamed, and with false right after: a program
     * terminated by a signal waits until then, so that files that belong together are either all new or all
     * old. May be NULL. */
    void (*renaming)(void *user, bool now);
} mst_file_watch;

typedef struct mst_file_options {
    size_t size;                    /* sizeof(mst_file_options) */
    const mst_allocator *allocator; /* may be NULL */
    const mst_file_watch *watch;    /* may be NULL */
    /* A directory that `path` begins with; "": the current one. For names taken from a file, an archive or a
     * patch: the rest of the path must not lead through a symbolic link or up, and the file itself must not
     * be a link, a device or a pipe; else MST_IO. NULL: links are followed. */
    const char *below;
    /* The file gets the mode, the owner and the attributes of this one, and replaces whatever has its name,
     * even a symbolic link: for a backup. May be NULL. */
    const char *like;
    /* Called when the file is finished, with what could not be kept of the file that it replaces or is
     * `like`: owner, permissions of others, attributes. Permissions are then reduced, never extended. May be
     * NULL. */
    void (*lost)(void *user, const char *path, const char *what);
    void *user;
} mst_file_options;
/* `options` may be NULL. */
MST_API mst_status mst_file_create(const char *path, const mst_file_options *options,
                                   mst_file_writer **result, mst_diagnostic *diagnostic);
/* Valid until the writer ends. A failed write is remembered and reported by mst_file_finish. */
MST_API mst_sink mst_file_sink(mst_file_writer *writer);
/* Ends the writer in any case; on failure the temporary file is removed and the old file is unchanged. */
MST_API mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic);
/* Ends the writer and removes the temporary file. */
MST_API void mst_file_abandon(mst_file_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
