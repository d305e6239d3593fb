/* SPDX-License-Identifier: MIT */
/* Archives (and disc images, which are treated alike) as arguments: "game.kpf" stands for its members,
 * "game.kpf!maps/a.map" for one of them. */
#ifndef CLI_ARCHIVES_H
#define CLI_ARCHIVES_H

#include "options.h"
#include "output.h"
#include <mapstone/level.h>

/* An open archive. Any thread may use it. */
typedef struct archive archive;

/* NULL, with `why`, if it cannot be read. MST_UNKNOWN: it is not an archive. MST_STOPPED: the options are
 * invalid, which has been reported. */
archive *archive_open(const char *path, const options *given, mst_diagnostic *why);
void archive_close(archive *one);
const char *archive_path(const archive *one);
size_t archive_count(const archive *one);
const char *archive_name(const archive *one, size_t index);
/* Whether members can only be reached by reading everything before them. */
bool archive_is_streamed(const archive *one);
/* The member to read at `position`: in the order of a streamed archive, else by name. */
size_t archive_at(const archive *one, size_t position);
/* How many files were left out, each of which was reported. */
uint64_t archive_omitted(const archive *one);
/* The member with a name, ignoring case; SIZE_MAX if there is none. */
size_t archive_find(const archive *one, const char *name);

/* Has a level opened from its members; any number of threads may do so. */
void archive_share(archive *one, mst_level_options *how);

/* The length of the archive's path in "archive!member"; 0 if no '!' follows the path of a file, or if
 * `path` itself is a file. */
size_t archive_prefix(const char *path);
/* Whether `path` is the file `given`, or the archive that `given` is a member of. */
bool is_input(const char *path, const char *given);
/* True, with a message, if the path is inside an archive. */
bool leads_into_archive(const char *path);
/* Whether a file begins like an archive, and not like a level. */
bool looks_like_archive(const char *path);

#endif
