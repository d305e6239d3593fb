/* SPDX-License-Identifier: MIT */
/*
 * Sidecars: files beside a level that say more about it, such as its textures or the names of its things.
 * The library reads none by itself; who wants them used gives it a resolver.
 *
 *     mst_search *search;
 *     if (mst_search_create(NULL, &search) == MST_OK) {
 *         mst_search_add(search, "maps", NULL);
 *         mst_resolver resolver = mst_search_resolver(search);
 *         mst_scene_options options = {.sidecars = &resolver};
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

/* What was made of a sidecar's bytes (class.def takes longer to read than a sector), for the next document.
 * Begin with zeros; whoever frees the bytes clears it first. */
typedef struct mst_memo {
    const void *bytes;
    size_t size;
    void *made;
    void (*drop)(void *made);
} mst_memo;
MST_API void mst_memo_clear(mst_memo *memo);

typedef mst_status (*mst_take_sidecar)(void *taker, const char *name, const void *bytes, size_t size);

/* Gives the bytes of the file of a plain name ("111GFX.BIN"), or of one in a directory below
 * ("animtest/TEX1.bin"), valid as long as the resolver is. MST_NO_PATH: there is none. */
typedef struct mst_resolver {
    mst_status (*find)(void *user, const char *name, const void **bytes, size_t *size);
    void *user;
    mst_memo *memo; /* NULL: nothing is kept */
    /* Gives every file of an ending (".txt") in folders whose path ends in `folder` ("defs/actors"), names in
     * any case, in the order of their names; ends with what `take` returned if that was not MST_OK. NULL:
     * none are known. */
    mst_status (*each)(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                       void *taker);
} mst_resolver;

/* Finds files in directories, in the order in which they were added, names in any case. */
typedef struct mst_search mst_search;

MST_API mst_status mst_search_create(const mst_allocator *allocator, mst_search **search);
/* The directory is read when something is looked for. MST_IO if it is none. */
MST_API mst_status mst_search_add(mst_search *search, const char *directory, mst_diagnostic *diagnostic);
/* From now on files are read instead of mapped: see mst_open_file. */
MST_API void mst_search_unmapped(mst_search *search);
/* The resolver holds as long as the search does, and is used by one thread at a time. */
MST_API mst_resolver mst_search_resolver(mst_search *search);
/* The path of the file that was found last, for messages; NULL if nothing was. */
MST_API const char *mst_search_found(const mst_search *search);
/* NULL is allowed. */
MST_API void mst_search_free(mst_search *search);

#ifdef __cplusplus
}
#endif
#endif
