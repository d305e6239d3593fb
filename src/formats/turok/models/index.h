/* SPDX-License-Identifier: MIT */
/* A number for each of many texts, while a scene is built. */
#ifndef MST_FORMATS_TUROK_INDEX_H
#define MST_FORMATS_TUROK_INDEX_H

#include "../../../core/map.h"
#include "../../../scene/build.h"

/* The number of a text; 0 and `*fresh` if it is new: then it is copied. The map is initially zero, and is in
 * the builder's scratch memory. NULL: no memory. Valid until the next call. */
uint32_t *mst_kex_number_of(mst_hash_map *map, mst_scene_builder *builder, const char *text, bool *fresh);

#endif
