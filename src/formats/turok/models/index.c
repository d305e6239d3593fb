/* SPDX-License-Identifier: MIT */
#include "index.h"
#include "../../../core/hash.h"
#include <string.h>

static mst_kex_entry *slot_of(const mst_kex_index *index, const char *text) {
    size_t i = mst_hash_slot(mst_hash_text(MST_HASH, text)) & (index->capacity - 1);
    while (index->entries[i].text && strcmp(index->entries[i].text, text) != 0)
        i = (i + 1) & (index->capacity - 1);
    return &index->entries[i];
}

static bool grow(mst_kex_index *index, mst_scene_builder *builder) {
    mst_kex_index larger = *index;
    larger.capacity = index->capacity ? index->capacity * 2 : 64;
    larger.entries = mst_scene_scratch(builder, larger.capacity, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < index->capacity; i++)
        if (index->entries[i].text)
            *slot_of(&larger, index->entries[i].text) = index->entries[i];
    *index = larger;
    return true;
}

mst_kex_entry *mst_kex_entry_of(mst_kex_index *index, mst_scene_builder *builder, const char *text,
                                bool *fresh) {
    *fresh = false;
    if (index->count + 1 > index->capacity / 2 && !grow(index, builder))
        return NULL;
    mst_kex_entry *entry = slot_of(index, text);
    if (entry->text)
        return entry;
    *fresh = true;
    entry->text = mst_scene_text(builder, text, strlen(text));
    index->count++;
    return entry;
}
