/* SPDX-License-Identifier: MIT */
#include "tally.h"
#include "streams.h"
#include <stdlib.h>
#include <string.h>

void tallies_add(tallies *all, const char *name, uint64_t count) {
    const uint32_t *known = mst_hash_map_find(&all->by_name, mst_key_text(name));
    if (known) {
        all->items[*known].count += count;
        return;
    }
    char *copy = need(strdup(name));
    *(uint32_t *)need(mst_hash_map_add(&all->by_name, mst_key_text(copy))) = (uint32_t)all->count;
    all->items = need(realloc(all->items, all->by_name.capacity * sizeof *all->items));
    all->items[all->count++] = (tally){copy, count};
}

static int by_count(const void *a, const void *b) {
    const tally *first = a, *second = b;
    if (first->count != second->count)
        return first->count > second->count ? -1 : 1;
    return strcmp(first->name, second->name);
}

void tallies_sort(tallies *all) {
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_count);
}

void tallies_free(tallies *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].name);
    free(all->items);
    mst_hash_map_end(&all->by_name);
    *all = (tallies){0};
}
