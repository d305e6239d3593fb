/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "claims.h"
#include "../../src/core/text.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A directory may have several names (links, dots), and some file systems ignore the case of names. */
typedef struct claim {
    mst_system_info directory;
    char *path, *key; /* key: the directory's number, and the name in lower case */
    const char *name, *input;
    uint32_t next; /* + 1 of the next with the same key; 0: none */
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
    if (asprintf(&one.key, "%llu/%s", (unsigned long long)one.directory.number, one.name) < 0)
        need(NULL);
    for (char *at = one.key; *at; at++)
        *at = mst_lower(*at);
    return one;
}

static void claim_free(claim *one) {
    free(one->path);
    free(one->key);
}

/* Compares two claims with the same key. */
static bool is_same(const claim *a, const claim *b) {
    return mst_system_is_same(&a->directory, &b->directory) &&
           (strcmp(a->name, b->name) == 0 || same_file(a->path, b->path));
}

const char *claims_take(claims *all, const char *path, const char *input) {
    claim one = claim_of(path, input);
    const uint32_t *first = mst_hash_map_find(&all->by_key, mst_key_text(one.key));
    for (uint32_t at = first ? *first : 0; at; at = all->items[at - 1].next)
        if (is_same(&all->items[at - 1], &one)) {
            claim_free(&one);
            return all->items[at - 1].input;
        }
    uint32_t *head = need(mst_hash_map_add(&all->by_key, mst_key_text(one.key)));
    one.next = *head;
    all->items = need(realloc(all->items, (all->count + 1) * sizeof *all->items));
    all->items[all->count++] = one;
    *head = (uint32_t)all->count;
    return NULL;
}

void claims_free(claims *all) {
    for (size_t i = 0; i < all->count; i++)
        claim_free(&all->items[i]);
    free(all->items);
    mst_hash_map_end(&all->by_key);
    *all = (claims){0};
}
