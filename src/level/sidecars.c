/* SPDX-License-Identifier: MIT */
/* Files that belong to a level: given by the caller, in its archive, beside it, in further directories. What
 * was found and parsed may be kept for the next level. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "inside.h"
#include <string.h>

#define HELD_MAX ((size_t)8 << 20)

struct mst_level_cache {
    mst_allocator allocator;
    char *directory; /* the first one of `search`; ends with a slash unless it is empty */
    size_t directory_size;
    mst_search *search; /* NULL: nothing is kept */
    bool broken;        /* the directory can be read, but listing it failed */
    mst_memo memo;
    size_t held; /* total bytes of found files, the last of them at `last` */
    const void *last;
};

mst_status mst_level_cache_create(const mst_allocator *allocator, mst_level_cache **cache) {
    if (!cache)
        return MST_ARGUMENT;
    mst_allocator chosen = mst_allocator_or_default(allocator);
    *cache = chosen.resize(chosen.user, NULL, 0, sizeof **cache);
    if (!*cache)
        return MST_NO_MEMORY;
    **cache = (mst_level_cache){.allocator = chosen};
    return MST_OK;
}

static void clear(mst_level_cache *cache) {
    mst_memo_clear(&cache->memo);
    mst_search_free(cache->search);
    if (cache->directory)
        cache->allocator.resize(cache->allocator.user, cache->directory, cache->directory_size, 0);
    *cache = (mst_level_cache){.allocator = cache->allocator};
}

void mst_level_cache_trim(mst_level_cache *cache) {
    if (cache && cache->held > HELD_MAX)
        clear(cache);
}

void mst_level_cache_free(mst_level_cache *cache) {
    if (!cache)
        return;
    clear(cache);
    cache->allocator.resize(cache->allocator.user, cache, sizeof *cache, 0);
}

/* ---- finding ------------------------------------------------------------------------------------ */

mst_status mst_level_member_beside(mst_container *container, const char *member, const char *name,
                                   bool anywhere, const void **bytes, size_t *size) {
    char path[1024];
    mst_resolver resolver = mst_container_resolver(container);
    size_t length = (size_t)(mst_base_name(member) - member), more = strlen(name) + 1;
    mst_status status = MST_NO_PATH;
    /* the resolver would find a name without '/' in any directory */
    bool exact = length || strchr(name, '/') || mst_container_find(container, name) != SIZE_MAX;
    if (exact && length < sizeof path && more <= sizeof path - length) {
        memcpy(path, member, length);
        memcpy(path + length, name, more);
        status = resolver.find(resolver.user, path, bytes, size);
    }
    return status == MST_NO_PATH && anywhere ? resolver.find(resolver.user, name, bytes, size) : status;
}

static const char *member_of(const mst_level *level) {
    const mst_level_part *first = mst_level_part_at(level, 0);
    return first ? first->name : "";
}

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    mst_level *level = user;
    mst_level_cache *cache = level->cache;
    const mst_resolver *given = level->options.sidecars;
    mst_status status = MST_NO_PATH;
    if (cache->broken)
        return MST_IO;
    if (given && given->find)
        status = given->find(given->user, name, bytes, size);
    if (status == MST_NO_PATH && level->container) {
        mst_level_guard(&level->options, true);
        status = mst_level_member_beside(level->container, member_of(level), name, true, bytes, size);
        mst_level_guard(&level->options, false);
    }
    if (status != MST_NO_PATH)
        return status;
    mst_resolver within = mst_search_resolver(cache->search);
    status = within.find(within.user, name, bytes, size);
    if (status == MST_OK && *bytes != cache->last) { /* the same file again takes no more memory */
        cache->held += *size;
        cache->last = *bytes;
    }
    return status;
}

static mst_status each(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                       void *taker) {
    mst_level *level = user;
    const mst_resolver *given = level->options.sidecars;
    mst_status status = MST_OK;
    if (given && given->each)
        status = given->each(given->user, folder, ending, take, taker);
    if (status == MST_OK && level->container) {
        mst_resolver members = mst_container_resolver(level->container);
        mst_level_guard(&level->options, true);
        status = members.each(members.user, folder, ending, take, taker);
        mst_level_guard(&level->options, false);
    }
    if (status != MST_OK)
        return status;
    mst_resolver within = mst_search_resolver(level->cache->search);
    return within.each(within.user, folder, ending, take, taker);
}

const char *mst_level_found_path(const mst_level *level) {
    return level->container ? NULL : mst_search_found(level->cache->search);
}

/* ---- searching ---------------------------------------------------------------------------------- */

static mst_status keep_directory(mst_level_cache *cache, const char *path, size_t length) {
    cache->directory = cache->allocator.resize(cache->allocator.user, NULL, 0, length + 1);
    if (!cache->directory)
        return MST_NO_MEMORY;
    cache->directory_size = length + 1;
    memcpy(cache->directory, path, length);
    cache->directory[length] = 0;
    return MST_OK;
}

static mst_status begin_search(mst_level_cache *cache, const char *path, size_t length,
                               const mst_level_options *options, mst_diagnostic *diagnostic) {
    clear(cache);
    if (mst_search_create(&cache->allocator, &cache->search) != MST_OK ||
        keep_directory(cache, path, length) != MST_OK)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the search for sidecars");
    if (options->unmapped || options->writable)
        mst_search_unmapped(cache->search);
    /* a level may be in a directory that may not be listed; if it may, failing to list it is an error */
    if (strcmp(path, "-") != 0 && mst_search_add(cache->search, cache->directory, NULL) != MST_OK)
        cache->broken = mst_file_may_read(length ? cache->directory : ".");
    for (size_t i = 0; i < options->search_path_count; i++) {
        mst_status status = mst_search_add(cache->search, options->search_paths[i], diagnostic);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

mst_status mst_level_find_beside(mst_level *level, const char *path, const mst_level_options *options,
                                 mst_diagnostic *diagnostic) {
    size_t length = (size_t)(mst_base_name(path) - path);
    if (options->cache) {
        level->cache = options->cache;
    } else {
        mst_status status = mst_level_cache_create(&level->allocator, &level->cache);
        if (status != MST_OK)
            return mst_fail(diagnostic, status, "there is no memory for the search for sidecars");
        level->own_cache = true;
    }
    mst_level_cache *cache = level->cache;
    level->resolver = (mst_resolver){find, level, &cache->memo, each};
    bool same = cache->search && strcmp(path, "-") != 0 && cache->directory_size == length + 1 &&
                memcmp(cache->directory, path, length) == 0;
    return same ? MST_OK : begin_search(cache, path, length, options, diagnostic);
}
