/* SPDX-License-Identifier: MIT */
#include "index.h"

uint32_t *mst_kex_number_of(mst_hash_map *map, mst_scene_builder *builder, const char *text, bool *fresh) {
    uint32_t *number = mst_hash_map_find(map, mst_key_text(text));
    *fresh = !number;
    if (number)
        return number;
    map->allocator = mst_arena_allocator(&builder->scratch);
    const char *copy = mst_scene_text(builder, text, strlen(text));
    number = copy ? mst_hash_map_add(map, mst_key_text(copy)) : NULL;
    if (!number)
        mst_scene_fail(builder);
    return number;
}
