/* SPDX-License-Identifier: MIT */
#include "tally.h"
#include "streams.h"
#include "text_hash.h"
#include <stdlib.h>
#include <string.h>

static tally *slot_of(const tallies *all, const char *name) {
    size_t at = (size_t)hash_text(HASH, name) & (all->capacity - 1);
    while (all->slots[at].name && strcmp(all->slots[at].name, name) != 0)
        at = (at + 1) & (all->capacity - 1);
    return &all->slots[at];
}

void tallies_add(tallies *all, const char *name, uint64_t count) {
    if (2 * all->used >= all->capacity) {
        tallies larger = {.used = all->used, .capacity = all->capacity ? 2 * all->capacity : 64};
        larger.slots = need(calloc(larger.capacity, sizeof *larger.slots));
        for (size_t i = 0; i < all->capacity; i++)
            if (all->slots[i].name)
                *slot_of(&larger, all->slots[i].name) = all->slots[i];
        free(all->slots);
        *all = larger;
    }
    tally *slot = slot_of(all, name);
    if (!slot->name) {
        size_t length = strlen(name) + 1;
        slot->name = memcpy(need(malloc(length)), name, length);
        all->used++;
    }
    slot->count += count;
}

static int by_count(const void *a, const void *b) {
    const tally *first = a, *second = b;
    if (first->count != second->count)
        return first->count > second->count ? -1 : 1;
    return strcmp(first->name ? first->name : "", second->name ? second->name : "");
}

void tallies_sort(tallies *all) {
    if (all->capacity)
        qsort(all->slots, all->capacity, sizeof *all->slots, by_count);
}

void tallies_free(tallies *all) {
    for (size_t i = 0; i < all->capacity; i++)
        free(all->slots[i].name);
    free(all->slots);
    *all = (tallies){0};
}
