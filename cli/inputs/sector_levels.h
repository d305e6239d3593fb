/* SPDX-License-Identifier: MIT */
/* Levels of many files: LEVEL_X_Y.ext is one sector of a level. */
#ifndef CLI_INPUTS_SECTOR_LEVELS_H
#define CLI_INPUTS_SECTOR_LEVELS_H

#include "../../src/level/sources.h"
#include "many_files.h"
#include <mapstone/scene.h>

/* The inputs that are levels or parts of levels, sorted (mst_level_group); `index` is the index of the
 * input. */
typedef struct candidates {
    mst_level_candidate *items; /* to be freed */
    size_t count;
} candidates;
/* Finds them if the inputs may be combined: with --level, --map or --world, or if there are many and `to`
 * (NULL: stdout) is one file. */
candidates candidates_find(const options *given, const inputs *all, const char *to);
/* Finds all. */
candidates candidates_of(const options *given, const inputs *all);

typedef struct level {
    char name[32]; /* "level 44" */
    source *parts;
    size_t count;
} level;

/* Whether the options request to combine the inputs into one level. */
bool level_is_meant(const options *given, const inputs *all, const candidates *found, const char *to);
/* Opens the sectors of the level given by --level, or of the only one. Returns an exit code; `count` is 0 if
 * nothing was opened. A sector that cannot be opened is reported and left out. Close it in any case. */
int level_open(level *opened, const options *given, const inputs *all, const candidates *found);
/* Opens these sectors of one level. */
int level_open_sectors(level *opened, const options *given, const inputs *all, const mst_level_candidate *of,
                       size_t count);
/* Builds one scene with the level's name. The name must live as long as the scene; the documents need not. */
mst_status level_scene(const level *opened, const mst_scene_options *how, mst_scene **scene,
                       mst_diagnostic *why);
void level_close(level *opened);

/* If a file among the inputs combines others into maps (MAPS.bin of Star Fox Adventures), and --map or
 * --world is given or the output is one file: reduces the inputs to that file, as if it had been named.
 * False, with a message, if --map or --world cannot apply. */
bool inputs_keep_maps(inputs *all, const options *given, const candidates *found, const char *to);

#endif
