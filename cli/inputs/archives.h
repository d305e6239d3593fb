/* SPDX-License-Identifier: MIT */
/* Archives (and disc images, which are treated alike) as arguments: "game.kpf" means all members,
 * "game.kpf!maps/a.map" one of them. */
#ifndef CLI_INPUTS_ARCHIVES_H
#define CLI_INPUTS_ARCHIVES_H

#include "../output/streams.h"
#include "../system/console.h"
#include "options.h"
#include <mapstone/level.h>

/* An open archive. Any thread may open levels from it; other uses are limited to one thread at a time. */
typedef struct archive {
    mst_container *members;
    char *path;
    lock lock;
} archive;

/* NULL, with `why`, if it cannot be read. MST_UNKNOWN: it is not an archive. MST_STOPPED: the options are
 * invalid, which has been reported. */
archive *archive_open(const char *path, const options *given, mst_diagnostic *why);
void archive_close(archive *one);
/* The member to read at `position`: in the order of a streamed archive, else by name. */
size_t archive_at(const archive *one, size_t position);

/* Has a level opened from its members; any number of threads may do so. */
void archive_share(archive *one, mst_level_options *how);

/* Whether a file begins like an archive, and not like a level. */
bool looks_like_archive(const char *path);

#endif
