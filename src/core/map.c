/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "arena.h"

#define LEAST 16 /* entries */

static uint64_t mix(uint64_t hash) {
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const mst_hash_map *map, const mst_hash_map_entry *key) {
    uint64_t seed = (uint64_t)(uintptr_t)map->entries, word;
    if (!key->size)
        return mix(mix(key->key.number ^ seed));
    const uint8_t *at = key->key.bytes;
    size_t left = key->size - 1;
    uint64_t hash = mix(seed ^ left);
    for (; left > sizeof word; at += sizeof word, left -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash ^ word);
    }
    word = 0;
    if (left)
        memcpy(&word, at, left);
    return mix(mix(hash ^ word));
}

static bool is_same(const mst_hash_map_entry *a, const mst_hash_map_entry *b) {
    if (a->size != b->size)
        return false;
    if (!a->size)
        return a->key.number == b->key.number;
    return a->size == 1 || memcmp(a->key.bytes, b->key.bytes, a->size - 1) == 0;
}

/* The slot of a key, or the free one where it belongs. */
static uint32_t *slot_of(const mst_hash_map *map, const mst_hash_map_entry *key) {
    size_t mask = 2 * map->capacity - 1, at = (size_t)hash_of(map, key) & mask;
    while (map->slots[at] && !is_same(&map->entries[map->slots[at] - 1], key))
        at = (at + 1) & mask;
    return &map->slots[at];
}

static size_t size_of(size_t capacity) {
    return capacity * (sizeof(mst_hash_map_entry) + 2 * sizeof(uint32_t));
}

bool mst_hash_map_reserve(mst_hash_map *map, size_t count) {
    mst_hash_map larger = *map;
    if (count <= map->capacity)
        return true;
    for (larger.capacity = LEAST; larger.capacity < count; larger.capacity *= 2)
        if (larger.capacity > SIZE_MAX / 4 / size_of(1) || larger.capacity > UINT32_MAX / 4)
            return false;
    larger.allocator = map->allocator = mst_allocator_or_default(&map->allocator);
    larger.entries = map->allocator.resize(map->allocator.user, NULL, 0, size_of(larger.capacity));
    if (!larger.entries)
        return false;
    larger.slots = (uint32_t *)(larger.entries + larger.capacity);
    memset(larger.slots, 0, 2 * larger.capacity * sizeof *larger.slots);
    if (map->count)
        memcpy(larger.entries, map->entries, map->count * sizeof *map->entries);
    for (size_t i = 0; i < map->count; i++)
        *slot_of(&larger, &larger.entries[i]) = (uint32_t)i + 1;
    mst_hash_map_end(map);
    *map = larger;
    return true;
}

uint32_t *mst_hash_map_find(const mst_hash_map *map, mst_hash_map_entry key) {
    uint32_t found = map->count ? *slot_of(map, &key) : 0;
    return found ? &map->entries[found - 1].value : NULL;
}

uint32_t *mst_hash_map_add(mst_hash_map *map, mst_hash_map_entry key) {
    uint32_t *known = mst_hash_map_find(map, key);
    if (known)
        return known;
    if (!mst_hash_map_reserve(map, map->count + 1) || !map->entries)
        return NULL;
    map->entries[map->count] = key;
    *slot_of(map, &key) = (uint32_t)++map->count;
    return &map->entries[map->count - 1].value;
}

void mst_hash_map_end(mst_hash_map *map) {
    if (map->entries)
        map->allocator.resize(map->allocator.user, map->entries, size_of(map->capacity), 0);
    *map = (mst_hash_map){.allocator = map->allocator};
}
