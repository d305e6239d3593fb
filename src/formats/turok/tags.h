/* SPDX-License-Identifier: MIT */
/* Actors by tag. */
#ifndef MST_FORMATS_TUROK_TAGS_H
#define MST_FORMATS_TUROK_TAGS_H

#include "../../core/arena.h"
#include "../../read/engine.h"

#define MST_TUROK_TAGS     0x10000
#define MST_TUROK_NO_ACTOR UINT32_MAX

/* Linked lists: the first actor with each tag, and the next actor with the same tag after each actor. */
typedef struct mst_turok_tags {
    mst_column tids, targets;
    uint32_t *first, *count; /* of each tag */
    uint32_t *next;          /* of each actor */
    bool *targeted;          /* of each tag: whether an actor targets it */
} mst_turok_tags;

/* Fails only with MST_NO_MEMORY. */
mst_status mst_turok_find_tags(const mst_value *records, mst_arena *arena, mst_turok_tags *tags);

static inline uint16_t mst_turok_tag_at(const mst_column *column, uint64_t index) {
    return mst_column_u16(column, index, 0);
}
/* 0 and -1 are not targets. */
static inline bool mst_turok_is_target(uint16_t tag) {
    return tag != 0 && tag != 0xFFFF;
}

#endif
