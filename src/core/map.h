/* SPDX-License-Identifier: MIT */
/*
 * A map from keys to 32-bit values: an index of slots into the entries, which stay in the order in which
 * their keys were added. The slot of an entry depends on the entries' address, so that a file cannot choose
 * keys that share one; no result depends on it.
 */
#ifndef MST_CORE_MAP_H
#define MST_CORE_MAP_H

#include <mapstone/base.h>
#include <stdbool.h>
#include <string.h>

/* 64 bits, or bytes that are kept elsewhere. */
typedef struct mst_hash_map_entry {
    union {
        uint64_t number;
        const void *bytes;
    } key;
    uint32_t size; /* of the bytes, + 1; 0: a number */
    uint32_t value;
} mst_hash_map_entry;

/* Zero-initialise it and set the allocator; without one it uses malloc. */
typedef struct mst_hash_map {
    mst_allocator allocator;
    mst_hash_map_entry *entries; /* with room for `capacity`, then twice as many slots */
    uint32_t *slots;             /* index + 1 of an entry; 0: free */
    size_t count, capacity;      /* capacity: a power of two, or 0 */
} mst_hash_map;

static inline mst_hash_map_entry mst_key_number(uint64_t number) {
    return (mst_hash_map_entry){.key.number = number};
}

/* At most UINT32_MAX - 1 bytes. */
static inline mst_hash_map_entry mst_key_bytes(const void *bytes, size_t size) {
    return (mst_hash_map_entry){.key.bytes = bytes, .size = (uint32_t)size + 1};
}

static inline mst_hash_map_entry mst_key_text(const char *text) {
    return mst_key_bytes(text, strlen(text));
}

/* The value of a key, valid until the next one is added; NULL: the key is missing. */
uint32_t *mst_hash_map_find(const mst_hash_map *map, mst_hash_map_entry key);
/* The same, added with the key's own value if it is missing; NULL: no memory, and the map is unchanged. */
uint32_t *mst_hash_map_add(mst_hash_map *map, mst_hash_map_entry key);
/* Makes room for `count` keys in total, so that adding them does not allocate. */
bool mst_hash_map_reserve(mst_hash_map *map, size_t count);
void mst_hash_map_end(mst_hash_map *map);

#endif
