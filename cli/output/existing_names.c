/* SPDX-License-Identifier: MIT */
#include "existing_names.h"
#include "../../src/core/spelling.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LISTED 400 /* approximate bytes of the list */

void names_add(names *all, const char *name) {
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->items[i], name))
            return;
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 16;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    all->items[all->count++] = need(strdup(name));
}

typedef struct candidate {
    const char *name;
    unsigned distance;
    size_t place;
} candidate;

static int by_distance(const void *a, const void *b) {
    const candidate *first = a, *second = b;
    if (first->distance != second->distance)
        return first->distance < second->distance ? -1 : 1;
    return first->place < second->place ? -1 : 1;
}

void names_put(const names *all, stream *to, const char *wanted) {
    candidate *sorted = need(calloc(all->count + 1, sizeof *sorted));
    for (size_t i = 0; i < all->count; i++)
        sorted[i] = (candidate){all->items[i], mst_name_distance(wanted, all->items[i]), i};
    if (all->count)
        qsort(sorted, all->count, sizeof *sorted, by_distance);
    if (all->count && sorted[0].distance != UINT_MAX)
        print(to, "; did you mean '%s'?", sorted[0].name);
    size_t begin = to->size;
    for (size_t i = 0; i < all->count; i++) {
        put_text(to, i ? ", " : to->size && to->data[to->size - 1] == '?' ? " There are: " : "; there are: ");
        if (to->size - begin > LISTED) {
            put_text(to, "...");
            break;
        }
        put_text(to, sorted[i].name);
    }
    free(sorted);
}

void names_free(names *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i]);
    free(all->items);
    memset(all, 0, sizeof *all);
}
