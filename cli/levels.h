/* SPDX-License-Identifier: MIT */
/* Levels in many files: LEVEL_X_Y.ext is one sector of a level. */
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include "batch.h"
#include <mapstone/scene.h>

/* What a file's name says. */
typedef struct sector {
    long level, x, y;
} sector;
/* Whether the file is called so; `path` may have directories. */
bool sector_parse(const char *path, sector *parsed);

typedef struct level {
    long number;
    char name[32]; /* "level 44" */
    source *parts;
    size_t count;
    const input *first;
} level;

/* Whether one level is to be made of the inputs: --level says so, or they are many, `to` (NULL: stdout) is
 * one file, and there are sectors among them. */
bool level_is_meant(const options *given, const inputs *all, const char *to);
/* Opens the sectors of the level that --level names, or of the only one. Returns an exit code; `count` is 0
 * if there is nothing to go on with. A sector that cannot be opened has been named and is left out. Close it
 * in every case. */
int level_open(level *opened, const options *given, const inputs *all);
/* As one scene, which has the level's name. It is free of the documents, but the name must live as long. */
mst_status level_scene(const level *opened, const options *given, const mst_scene_options *how,
                       mst_scene **scene, mst_diagnostic *why);
void level_close(level *opened);

/*
 * Where one file says how all others make maps (MAPS.bin of Star Fox Adventures), and --map or --world, or
 * one file to write to, says that these are meant: leaves that file alone in the inputs, as if it had been
 * named. False, and has said why, if they cannot be.
 */
bool inputs_keep_maps(inputs *all, const options *given, const char *to);

#endif
