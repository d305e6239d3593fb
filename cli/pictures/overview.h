/* SPDX-License-Identifier: MIT */
/* Overviews of Natural Selection 2: render --overview. */
#ifndef CLI_PICTURES_OVERVIEW_H
#define CLI_PICTURES_OVERVIEW_H

#include "../inputs/many_files.h"
#include <mapstone/picture.h>

#define OVERVIEW_HEIGHTS ".hmp" /* the extension of the second file */

/* Whether the job's file has an overview; if not, `why` has the reason. */
bool overview_is_possible(const job *work, mst_diagnostic *why);

/* Draws the scene of the job's level as its game's map to `path`, and writes its heights next to it. Returns
 * an exit code. */
int overview_write(job *work, mst_scene *scene, const mst_picture_options *how, const char *path);

#endif
