/* SPDX-License-Identifier: MIT */
/* Levels of many files: LEVEL_X_Y.ext is one sector of a level. */
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include "batch.h"
#include <mapstone/scene.h>

/* The parts of a sector's file name. */
typedef struct sector {
    long level, x, y;
} sector;
/* Whether the file has such a name; `path` may have directories. */
bool sector_parse(const char *path, sector *parsed);

typedef struct level {
    long number;
    char name[32]; /* "level 44" */
    source *parts;
    size_t count;
} level;

/* Whether the inputs are to be combined into one level: with --level, or if there are many, `to` (NULL:
 * stdout) is one file, and there are sectors among them. */
bool level_is_meant(const options *given, const inputs *all, const char *to);
/* Opens the sectors of the level given by --level, or of the only one. Returns an exit code; `count` is 0 if
 * nothing was opened. A sector that cannot be opened is reported and left out. Close it in any case. */
int level_open(level *opened, const options *given, const inputs *all);
/* Builds one scene with the level's name. The name must live as long as the scene; the documents need not. */
mst_status level_scene(const level *opened, const mst_scene_options *how, mst_scene **scene,
                       mst_diagnostic *why);
void level_close(level *opened);

/*
 * If a file among the inputs combines others to maps (MAPS.bin of Star Fox Adventures), and --map or --world
 * is given or the output is one file: reduces the inputs to that file, as if it had been named. False, with a
 * message, if --map or --world cannot apply.
 */
bool inputs_keep_maps(inputs *all, const options *given, const char *to);

#endif
