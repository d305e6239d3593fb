/* SPDX-License-Identifier: MIT */
/* Archives, and disc images, which are the same here, among the arguments: "game.kpf" stands for its members,
 * "game.kpf!maps/a.map" is one of them. */
#ifndef CLI_ARCHIVES_H
#define CLI_ARCHIVES_H

#include "options.h"
#include "output.h"
#include <mapstone/container.h>

/* One that is open. Any thread may use it. */
typedef struct archive archive;

/* NULL, with `why`, if it cannot be read; MST_UNKNOWN: it is not an archive. MST_STOPPED: the options make no
 * sense, which has been said. */
archive *archive_open(const char *path, const options *given, mst_diagnostic *why);
void archive_close(archive *one);
const char *archive_path(const archive *one);
size_t archive_count(const archive *one);
const char *archive_name(const archive *one, size_t index);
/* Whether members can only be reached by reading what lies before them. */
bool archive_is_streamed(const archive *one);
/* The members in the order in which they should be read: that of a streamed archive, else by name. */
size_t archive_at(const archive *one, size_t place);
/* How many files were left out, which has been said. */
uint64_t archive_omitted(const archive *one);
/* The member of a name, in any case; SIZE_MAX. */
size_t archive_find(const archive *one, const char *name);

mst_status archive_read(archive *one, size_t index, mst_container_bytes *bytes, mst_diagnostic *why);
/* The first bytes of a member, and the size that the archive says it has. */
mst_status archive_peek(archive *one, size_t index, void *first, size_t capacity, size_t *size,
                        uint64_t *whole, mst_diagnostic *why);
void archive_release(archive *one, mst_container_bytes *bytes);
/* A file beside a member. */
mst_status archive_beside(archive *one, size_t index, const char *name, const void **bytes, size_t *size);
/* A sidecar of a member: beside it, else anywhere in the archive. */
mst_status archive_sidecar(archive *one, size_t index, const char *name, const void **bytes, size_t *size);
/* All files of an ending in folders of a name: mst_resolver.each. */
mst_status archive_each(archive *one, const char *folder, const char *ending, mst_take_sidecar take,
                        void *taker);

/* The length of the archive's path in "archive!member"; 0 if it is none: there is no file before a '!',
 * or one that is called so as a whole. */
size_t archive_prefix(const char *path);
/* Whether `path` is the file at `given`, or the archive that it is a member of. */
bool is_input(const char *path, const char *given);
/* Says so and is true if the path leads into an archive. */
bool leads_into_archive(const char *path);
/* Whether a file has the beginning of an archive, and not that of a level. */
bool looks_like_archive(const char *path);

#endif
