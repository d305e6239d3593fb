/* SPDX-License-Identifier: MIT */
#include "claims.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "../output/text_hash.h"
#include "paths.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A directory may have several names (links, dots), and some file systems ignore the case of names. */
typedef struct claim {
    mst_system_info directory;
    char *path; /* NULL: a free slot */
    const char *name, *input;
} claim;

static claim claim_of(const char *path, const char *input) {
    size_t length = mst_system_directory_length(path);
    char *directory = length ? copy_of(path, length) : copy_of(".", 1);
    claim one = {.input = input};
    if (mst_system_about(directory, &one.directory) != 0)
        one.directory = (mst_system_info){0};
    free(directory);
    one.path = copy_of(path, strlen(path));
    one.name = one.path + length;
    return one;
}

static uint64_t hash(const claim *one) {
    uint64_t h = HASH ^ one->directory.number;
    for (const char *at = one->name; *at; at++)
        h = hash_byte(h, (unsigned char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at));
    return h ^ h >> 32;
}

static bool is_same(const claim *a, const claim *b) {
    return mst_system_is_same(&a->directory, &b->directory) && strcasecmp(a->name, b->name) == 0 &&
           (strcmp(a->name, b->name) == 0 || same_file(a->path, b->path));
}

/* The slot of the same file, or a free one. */
static claim *slot_of(const claims *all, const claim *one, bool compare) {
    size_t at = (size_t)hash(one) & (all->capacity - 1);
    while (all->slots[at].path && !(compare && is_same(&all->slots[at], one)))
        at = (at + 1) & (all->capacity - 1);
    return &all->slots[at];
}

const char *claims_take(claims *all, const char *path, const char *input) {
    if (2 * all->used >= all->capacity) {
        claims larger = {.used = all->used, .capacity = all->capacity ? 2 * all->capacity : 64};
        larger.slots = need(calloc(larger.capacity, sizeof *larger.slots));
        for (size_t i = 0; i < all->capacity; i++)
            if (all->slots[i].path)
                *slot_of(&larger, &all->slots[i], false) = all->slots[i];
        free(all->slots);
        *all = larger;
    }
    claim one = claim_of(path, input), *slot = slot_of(all, &one, true);
    if (slot->path) {
        free(one.path);
        return slot->input;
    }
    *slot = one;
    all->used++;
    return NULL;
}

void claims_free(claims *all) {
    for (size_t i = 0; i < all->capacity; i++)
        free(all->slots[i].path);
    free(all->slots);
    *all = (claims){0};
}
