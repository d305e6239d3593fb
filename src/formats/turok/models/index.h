/* SPDX-License-Identifier: MIT */
/* A number for each of many texts, while a scene is built. */
#ifndef MST_FORMATS_TUROK_INDEX_H
#define MST_FORMATS_TUROK_INDEX_H

#include "../../../scene/build.h"

typedef struct mst_kex_entry {
    const char *text; /* NULL: free */
    int32_t number;
} mst_kex_entry;

/* Begins as zeros. */
typedef struct mst_kex_index {
    mst_kex_entry *entries; /* a hash table, in the builder's scratch memory; at least half of it is free */
    size_t capacity, count;
} mst_kex_index;

/* The entry of a text, which is copied if it is new: then `*fresh`, and the number is 0. NULL: no memory.
 * Valid until the next one. */
mst_kex_entry *mst_kex_entry_of(mst_kex_index *index, mst_scene_builder *builder, const char *text,
                                bool *fresh);

#endif
