/* SPDX-License-Identifier: MIT */
/* Parts that the scenes of several formats share: their beginning, groups, names, and maps. */
#ifndef MST_SCENE_WORK_H
#define MST_SCENE_WORK_H

#include "build.h"

/* Begins the scene of files of `size` bytes in total, with a root called "level" that scales the file's units
 * to metres. Returns the options, or default ones if they are NULL. */
const mst_scene_options *mst_scene_start(mst_scene_builder *builder, const mst_scene_options *options,
                                         uint64_t size, float unit_metres);
/* Sets the memory limit: the options', or one by the size of all files that were found. */
void mst_scene_limit(mst_scene_builder *builder, const mst_scene_options *options, uint64_t size);

/* A group on a layer; the root is node 0. */
int32_t mst_scene_add_group(mst_scene_builder *builder, int32_t parent, const char *name, const char *layer);

/* Extras of many similar records: names and texts are not copied, nor are names made unique. */
typedef struct mst_extra_list {
    mst_scene_builder *scene;
    mst_array items; /* to be freed */
} mst_extra_list;
void mst_extra_begin(mst_extra_list *list, mst_scene_builder *scene);
void mst_extra_real(mst_extra_list *list, const char *name, double value);
/* An integer of at most 32 bits, with or without a sign. */
void mst_extra_integer(mst_extra_list *list, const char *name, int64_t value);
void mst_extra_text(mst_extra_list *list, const char *name, const char *text);
/* The same, unless the text is empty. */
void mst_extra_some_text(mst_extra_list *list, const char *name, const char *text);
/* Moves them into the scene's memory. */
mst_extras mst_extra_take(mst_extra_list *list);

/* A file's name without its extension, as the name of a level. */
void mst_scene_stem(const char *file, char *name, size_t capacity);

/* The map in the scene's memory, with these lines (mst_map_line); without a map, one of the lines only, if
 * there are any. NULL after a failure. */
const mst_map *mst_scene_keep_map(mst_scene_builder *builder, const mst_map *map, const mst_array *lines);

#endif
