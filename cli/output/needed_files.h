/* SPDX-License-Identifier: MIT */
/* The files that a level needs: as a list. */
#ifndef CLI_OUTPUT_NEEDED_FILES_H
#define CLI_OUTPUT_NEEDED_FILES_H

#include "../inputs/many_files.h"
#include <mapstone/asset.h>

/* Prints what the job's level names, found or not; returns an exit code. */
int put_assets(job *work);

/* Says what was not found, a line for each; `file` NULL: without the name of what needs it. The game's own
 * shaders are not needed. */
void say_missing(const mst_assets *all, const char *file);

#endif
