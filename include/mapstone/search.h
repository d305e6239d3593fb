/* SPDX-License-Identifier: MIT */
/*
 * Sidecars: files that accompany a level and add to it, such as its textures or the names of its entities.
 * The library reads none on its own; to have them used, pass it a resolver.
 *
 *     mst_search *search;
 *     if (mst_search_create(NULL, &search) == MST_OK) {
 *         mst_search_add(search, "maps", NULL);
 *         mst_resolver resolver = mst_search_resolver(search);
 *         mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
 *         ...
 *         mst_search_free(search);
 *     }
 */
#ifndef MAPSTONE_SEARCH_H
#define MAPSTONE_SEARCH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mst_status (*mst_take_sidecar)(void *taker, const char *name, const void *bytes, size_t size);

/* Finds a file by its plain name ("111GFX.BIN"), or by its path below ("animtest/TEX1.bin",
 * "models/props/lamp/lamp.model"); its bytes are valid as long as the resolver is. MST_NO_PATH: there is
 * none. */
typedef struct mst_resolver {
    mst_status (*find)(void *user, const char *name, const void **bytes, size_t *size);
    void *user;
    struct mst_memo *memo; /* kept by the library's own search for the next document; NULL: nothing */
    /* Passes to `take` every file with an ending (".txt") in `folder` ("defs/actors") below the searched
     * directories, or in any folder whose path ends with it, ignoring case, sorted by name; stops with the
     * status of `take` if that is not MST_OK. NULL: files cannot be listed. */
    mst_status (*each)(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                       void *taker);
} mst_resolver;

/* Finds files in directories, in the order in which they were added, ignoring the case of names. */
typedef struct mst_search mst_search;

MST_API mst_status mst_search_create(const mst_allocator *allocator, mst_search **search);
/* The directory is read at the first search. MST_IO if it is not a directory. */
MST_API mst_status mst_search_add(mst_search *search, const char *directory, mst_diagnostic *diagnostic);
/* The resolver is valid as long as the search; one thread at a time may use it. */
MST_API mst_resolver mst_search_resolver(mst_search *search);
/* NULL is allowed. */
MST_API void mst_search_free(mst_search *search);

#ifdef __cplusplus
}
#endif
#endif
