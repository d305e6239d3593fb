/* SPDX-License-Identifier: MIT */
/* Writers for files that belong together, or whose old content is known: for levels, and for the command. */
#ifndef MST_CORE_WRITE_H
#define MST_CORE_WRITE_H

#include <mapstone/file.h>
#include <stdbool.h>

/* The number of other names (hard links) of the file to be replaced: they keep its old content. */
unsigned mst_file_other_names(const mst_file_writer *writer);
/* Whether it replaces an existing file. */
bool mst_file_replaces(const mst_file_writer *writer);
/*
 * Ends writers of files that belong together, in any case: all files are new, or all are unchanged. All are
 * complete and durable before the first is renamed; if a rename fails, the earlier ones are undone (by hard
 * links; if the file system has none, or undoing fails as well, the diagnostic reports which files are new,
 * and where the old bytes are). If the process is killed, or the machine stops, between two renames, some
 * files are new and some old, each of them complete, until mst_file_recover completes the renames;
 * mst_level_open calls it for a writable level. Direct output (a device, a pipe) cannot be undone.
 */
mst_status mst_file_finish_all(mst_file_writer *const *writers, size_t count, mst_diagnostic *diagnostic);
/*
 * For a file that is read, changed and written back: finishing is MST_REFUSED, and nothing is written, if the
 * existing file no longer holds these bytes, or if another program that writes it this way is about to
 * rename. The caller keeps `bytes` until the writer ends.
 */
void mst_file_expect(mst_file_writer *writer, const void *bytes, size_t size);
/*
 * Finishing does not wait until the content is on the disk: for one of very many files that are easily
 * recreated. If the machine stops, the new file may be empty; whatever else happens, it is the old or the new
 * one.
 */
void mst_file_hurry(mst_file_writer *writer);
/*
 * To be called before a file at `path` is read to be changed, or is written. If a process was killed while it
 * renamed files that belong together, in that directory or an enclosing one, this gives all of them their new
 * names, or restores the old ones (from a journal, .mapstone-journal); leftovers of killed processes in the
 * directory (.mapstone- and 16 digits) are removed. Files that a running process is writing are left alone.
 * `said` is called with a sentence about each set of files; it may be NULL. MST_IO if that fails.
 */
mst_status mst_file_recover(const char *path, void (*said)(void *user, const char *message), void *user,
                            mst_diagnostic *diagnostic);

#endif
