/* SPDX-License-Identifier: MIT */
/* The list of files that a level needs. */
#ifndef CLI_OUTPUT_NEEDED_FILES_H
#define CLI_OUTPUT_NEEDED_FILES_H

#include "../inputs/many_files.h"
#include <mapstone/asset.h>

/* Prints the files that the job's level references, found or not; returns an exit code. */
int put_assets(job *work);

/* Reports each missing file on a line; `file` NULL: without the name of the level. The game's own shaders are
 * not needed. */
void say_missing(const mst_assets *all, const char *file);

#endif
