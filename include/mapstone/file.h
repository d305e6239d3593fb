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
/*
 * The same with more to say. The options begin with their size.
 */
typedef struct mst_file_options {
    size_t size;                    /* sizeof(mst_file_options) */
    const mst_allocator *allocator; /* may be NULL */
    const mst_file_watch *watch;    /* may be NULL */
    /* A directory that `path` begins with; "": the current one. For names that come from a file, an archive
     * or a patch: what of the path comes after it leads neither through a symbolic link nor up, and the file
     * itself is not one, nor a device or a pipe; else MST_IO. NULL: links are followed. */
    const char *below;
    /* The file gets the mode, the owner and the attributes of this one, and takes the place of whatever has
     * its name, also of a symbolic link: for a backup. May be NULL. */
    const char *like;
    /* Called when the file is finished, with what could not be kept of the one that it replaces or is like:
     * owner, rights of others, attributes. Rights are then taken away, never given. May be NULL. */
    void (*lost)(void *user, const char *path, const char *what);
    void *user;
} mst_file_options;
MST_API mst_status mst_file_create_with(const char *path, const mst_file_options *options,
                                        mst_file_writer **result, mst_diagnostic *diagnostic);
/* How many other names (hard links) the file to be replaced has: they keep its old content. */
MST_API unsigned mst_file_other_names(const mst_file_writer *writer);
/* Whether there is a file that it replaces. */
MST_API int mst_file_replaces(const mst_file_writer *writer);
/* Valid until the writer ends. A failed write is remembered and reported by mst_file_finish. */
MST_API mst_sink mst_file_sink(mst_file_writer *writer);
/* Ends the writer in any case; on failure the temporary file is removed and the old file is unchanged. */
MST_API mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic);
/*
 * Ends writers of files that belong together, in any case: all files are new, or all are unchanged. All are
 * complete and durable before the first is renamed; if a rename fails, the earlier ones are undone (by hard
 * links; where the file system has none, or undoing fails as well, the diagnostic says which files are new,
 * and where the old bytes are). If the process is killed, or the machine stops, between two renames, some
 * files are new and some old, each of them complete, until mst_file_recover ends what was begun, which
 * mst_level_open does for a level that is writable. What is written directly (a device, a pipe) cannot be
 * undone.
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
/*
 * Before a file at `path` is read to be changed, or is written: if a process was killed while it renamed
 * files that belong together, in that directory or one that it is in, this gives all of them their names, or
 * the old ones theirs back (a journal, .mapstone-journal, has them); what killed processes left in the
 * directory
 * (.mapstone- and 16 digits) is removed. Nothing is done to what a running process is writing. `said` is
 * called with a sentence about each set of files; it may be NULL. MST_IO if it cannot be done.
 */
MST_API mst_status mst_file_recover(const char *path, void (*said)(void *user, const char *message),
                                    void *user, mst_diagnostic *diagnostic);
/* Ends the writer and removes the temporary file. */
MST_API void mst_file_abandon(mst_file_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
