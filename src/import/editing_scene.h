/* SPDX-License-Identifier: MIT */
/* The origin of a model that was exported for editing, as the model states it. */
#ifndef MST_IMPORT_EDITING_SCENE_H
#define MST_IMPORT_EDITING_SCENE_H

#include "../core/arena.h"
#include <mapstone/import.h>

#define MST_EDITING_VERSION 1

/* The names of the scene's extras; lists are texts with one line for each item. */
#define MST_EDITING_IS      "mapstone_editing" /* the version of this convention */
#define MST_EDITING_FORMAT  "mapstone_format"
#define MST_EDITING_LEVEL   "mapstone_version" /* version of the level's format */
#define MST_EDITING_SHA256  "mapstone_sha256"
#define MST_EDITING_ONLY    "mapstone_only"
#define MST_EDITING_HIDE    "mapstone_hide"
#define MST_EDITING_SELECT  "mapstone_select"
#define MST_EDITING_MARKERS "mapstone_no_markers"
#define MST_EDITING_LAYERS  "mapstone_split_layers"
#define MST_EDITING_MAP     "mapstone_map"

/* The SHA-256 of the files of the level's own documents: of one file its own hash, of several a hash of their
 * hashes. */
mst_status mst_level_sha256(mst_level *level, mst_arena *arena, char text[65]);

#endif
