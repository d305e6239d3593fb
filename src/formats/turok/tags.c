/* SPDX-License-Identifier: MIT */
#include "tags.h"
#include "../present.h"

mst_status mst_turok_find_tags(const mst_value *records, mst_arena *arena, mst_turok_tags *tags) {
    *tags = (mst_turok_tags){.tids = mst_column_in(records, "tid"),
                             .targets = mst_column_in(records, "target_tid")};
    uint64_t count = tags->tids.count;
    tags->first = mst_arena_take(arena, MST_TUROK_TAGS, sizeof *tags->first);
    tags->count = mst_arena_zero(arena, MST_TUROK_TAGS, sizeof *tags->count);
    tags->targeted = mst_arena_zero(arena, MST_TUROK_TAGS, sizeof *tags->targeted);
    tags->next = mst_arena_take(arena, (size_t)count, sizeof *tags->next);
    if (MST_UNREACHABLE(count >= MST_TUROK_NO_ACTOR) || /* offsets in a level are u32 */
        !tags->first || !tags->count || !tags->targeted || !tags->next)
        return MST_NO_MEMORY;
    memset(tags->first, 0xFF, MST_TUROK_TAGS * sizeof *tags->first);
    for (uint32_t i = (uint32_t)count; i-- > 0;) {
        uint16_t tag = mst_turok_tag_at(&tags->tids, i);
        tags->next[i] = tags->first[tag];
        tags->first[tag] = i;
        tags->count[tag]++;
        tags->targeted[mst_turok_tag_at(&tags->targets, i)] = true;
    }
    return MST_OK;
}
