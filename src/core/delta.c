/* SPDX-License-Identifier: MIT */
/*
 * After equal bytes at both ends are excluded, blocks of the old bytes are looked up by a rolling hash over
 * the new ones (as in rsync). Where the old bytes simply continue after a few that differ, no lookup is
 * needed.
 */
#include "delta.h"
#include "hash.h"
#include <string.h>

#define BLOCK      32 /* bytes */
#define MULTIPLIER UINT32_C(0x9E3779B1)
#define PROBES     8 /* of blocks with one hash: if there are more, most are the same anyway */

typedef struct matcher {
    const uint8_t *old, *now;
    uint64_t old_begin, old_end, at, end; /* the range without the equal ends */
    uint32_t *table;                      /* number of a block of `old`, + 1; 0: free */
    size_t slots;
    uint32_t oldest; /* the factor of the byte that drops out of the hash */
    mst_delta *delta;
} matcher;

static uint32_t hash_of(const uint8_t *bytes) {
    uint32_t hash = 0;
    for (size_t i = 0; i < BLOCK; i++)
        hash = hash * MULTIPLIER + bytes[i] + 1;
    return hash;
}

static size_t slot_of(const matcher *m, uint32_t hash, size_t probe) {
    return ((hash ^ hash >> 15) + probe) & (m->slots - 1);
}

static void fill_table(matcher *m) {
    uint64_t blocks = (m->old_end - m->old_begin) / BLOCK;
    for (uint64_t i = 0; i < blocks; i++) {
        const uint8_t *block = m->old + m->old_begin + i * BLOCK;
        uint32_t hash = hash_of(block);
        for (size_t probe = 0; probe < PROBES; probe++) {
            uint32_t *slot = &m->table[slot_of(m, hash, probe)];
            if (*slot && memcmp(m->old + m->old_begin + (uint64_t)(*slot - 1) * BLOCK, block, BLOCK) != 0)
                continue;
            if (!*slot)
                *slot = (uint32_t)i + 1;
            break;
        }
    }
}

/* The offset in the old bytes of the block at `at`; UINT64_MAX: none. */
static uint64_t look_up(const matcher *m, uint32_t hash, uint64_t at) {
    for (size_t probe = 0; probe < PROBES; probe++) {
        uint32_t block = m->table[slot_of(m, hash, probe)];
        if (!block)
            break;
        uint64_t from = m->old_begin + (uint64_t)(block - 1) * BLOCK;
        if (memcmp(m->old + from, m->now + at, BLOCK) == 0)
            return from;
    }
    return UINT64_MAX;
}

/* Appends a run of old bytes, after `added` new ones that end where it begins. */
static mst_status add_run(mst_delta *delta, const uint8_t *added, uint64_t count, uint64_t from,
                          uint64_t length) {
    mst_delta_run *last =
        delta->runs.count ? (mst_delta_run *)delta->runs.items + delta->runs.count - 1 : NULL;
    if (count) {
        void *to = mst_array_push(&delta->added, (size_t)count);
        if (!to)
            return MST_NO_MEMORY;
        memcpy(to, added, (size_t)count);
        if (!last) {
            last = mst_array_push(&delta->runs, 1);
            if (!last)
                return MST_NO_MEMORY;
            *last = (mst_delta_run){0, 0, 0};
        }
        last->added += count;
    }
    if (!length)
        return MST_OK;
    mst_delta_run *next = mst_array_push(&delta->runs, 1);
    if (!next)
        return MST_NO_MEMORY;
    *next = (mst_delta_run){from, length, 0};
    return MST_OK;
}

/* Matches the range that differs. `goes_on`: the offset at which the old bytes continue after the last
 * run. */
static mst_status match(matcher *m, uint64_t goes_on) {
    uint64_t pending = m->at; /* the first byte not yet assigned */
    uint32_t hash = 0;
    bool hashed = false;
    while (m->end - m->at >= BLOCK) {
        uint64_t from = goes_on + (m->at - pending);
        if (from + BLOCK > m->old_end || memcmp(m->old + from, m->now + m->at, BLOCK) != 0) {
            hash = hashed ? hash : hash_of(m->now + m->at);
            hashed = true;
            from = m->table ? look_up(m, hash, m->at) : UINT64_MAX;
        }
        if (from == UINT64_MAX) {
            if (m->end - m->at > BLOCK)
                hash = (hash - (m->now[m->at] + 1u) * m->oldest) * MULTIPLIER + m->now[m->at + BLOCK] + 1;
            m->at++;
            continue;
        }
        uint64_t length = BLOCK, before = 0;
        while (from + length < m->old_end && m->at + length < m->end &&
               m->old[from + length] == m->now[m->at + length])
            length++;
        while (before < m->at - pending && before < from - m->old_begin &&
               m->old[from - before - 1] == m->now[m->at - before - 1])
            before++;
        mst_status status =
            add_run(m->delta, m->now + pending, m->at - before - pending, from - before, length + before);
        if (status != MST_OK)
            return status;
        m->at += length;
        pending = m->at;
        goes_on = from + length;
        hashed = false;
    }
    return add_run(m->delta, m->now + pending, m->end - pending, 0, 0);
}

#define PAGE 4096 /* bytes per memcmp */

uint64_t mst_same_beginning(const uint8_t *one, const uint8_t *other, uint64_t size) {
    uint64_t same = 0;
    while (size - same >= PAGE && memcmp(one + same, other + same, PAGE) == 0)
        same += PAGE;
    while (same < size && one[same] == other[same])
        same++;
    return same;
}

uint64_t mst_same_end(const uint8_t *one_end, const uint8_t *other_end, uint64_t size) {
    uint64_t same = 0;
    while (size - same >= PAGE && memcmp(one_end - same - PAGE, other_end - same - PAGE, PAGE) == 0)
        same += PAGE;
    while (same < size && one_end[-(int64_t)same - 1] == other_end[-(int64_t)same - 1])
        same++;
    return same;
}

mst_status mst_delta_make(const uint8_t *old, uint64_t old_size, const uint8_t *now, uint64_t new_size,
                          const mst_allocator *allocator, mst_delta *delta) {
    const mst_allocator a = mst_allocator_or_default(allocator);
    *delta = (mst_delta){.old_size = old_size, .new_size = new_size};
    delta->runs = (mst_array){.element_size = sizeof(mst_delta_run), .allocator = a};
    delta->added = (mst_array){.element_size = 1, .allocator = a};
    const uint64_t less = old_size < new_size ? old_size : new_size;
    const uint64_t first = mst_same_beginning(old, now, less);
    const uint64_t last = mst_same_end(old + old_size, now + new_size, less - first);
    matcher m = {.old = old, .now = now, .old_begin = first, .old_end = old_size - last};
    m.at = first, m.end = new_size - last, m.delta = delta;
    uint64_t blocks = (m.old_end - m.old_begin) / BLOCK;
    bool few = m.end - m.at < BLOCK || blocks > UINT32_MAX / 8;
    for (m.slots = 16; !few && m.slots < 2 * blocks; m.slots *= 2) {
    }
    size_t bytes = m.slots * sizeof *m.table;
    m.table = few || !blocks ? NULL : a.resize(a.user, NULL, 0, bytes);
    if (m.table) {
        memset(m.table, 0, bytes);
        m.oldest = 1;
        for (size_t i = 1; i < BLOCK; i++)
            m.oldest *= MULTIPLIER;
        fill_table(&m);
    }
    mst_status status = add_run(delta, NULL, 0, 0, first);
    if (status == MST_OK)
        status = match(&m, first);
    if (status == MST_OK)
        status = add_run(delta, NULL, 0, old_size - last, last);
    if (m.table)
        a.resize(a.user, m.table, bytes, 0);
    return status;
}

void mst_delta_apply(const mst_delta *delta, const uint8_t *old, uint8_t *now) {
    const mst_delta_run *runs = delta->runs.items;
    const uint8_t *added = delta->added.items;
    for (size_t i = 0; i < delta->runs.count; i++) {
        if (runs[i].length) { /* without any bytes `old` may be NULL */
            memcpy(now, old + runs[i].from, (size_t)runs[i].length);
            now += runs[i].length;
        }
        if (runs[i].added) {
            memcpy(now, added, (size_t)runs[i].added);
            now += runs[i].added, added += runs[i].added;
        }
    }
}

void mst_delta_free(mst_delta *delta) {
    mst_array_free(&delta->runs);
    mst_array_free(&delta->added);
}

size_t mst_delta_memory(const mst_delta *delta) {
    return delta->runs.capacity * sizeof(mst_delta_run) + delta->added.capacity;
}
