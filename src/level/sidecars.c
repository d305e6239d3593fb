/* SPDX-License-Identifier: MIT */
/* Files that belong to a level: given by the caller, in its archive, next to it, in further directories.
 * Files that were found and parsed may be kept for the next level. */
#include "../core/diagnose.h"
#include "../core/memo.h"
#include "../core/search.h"
#include "../core/text.h"
#include "../system/system.h"
#include "inside.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define HELD_MAX ((size_t)8 << 20)

/* A place to search: a directory, or a `folder` in an archive or disc image. */
typedef struct place {
    mst_search *search;
    mst_container *container;
    char *folder; /* "" or with a slash at the end; NULL for a directory */
    size_t folder_size;
    bool deep; /* only for names with a directory */
} place;

struct mst_level_cache {
    mst_allocator allocator;
    char *directory; /* of the level; ends with a slash unless it is empty. NULL: nothing is cached */
    size_t directory_size;
    mst_array places;      /* place, in the order of the search */
    const char *last_path; /* of the file found last; NULL if it is not in a directory */
    bool broken;           /* the directory can be read, but listing it failed */
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
    const mst_allocator *allocator = &cache->allocator;
    place *places = cache->places.items;
    mst_memo_clear(&cache->memo);
    for (size_t i = 0; places && i < cache->places.count; i++) {
        mst_search_free(places[i].search);
        mst_container_close(places[i].container);
        if (places[i].folder)
            allocator->resize(allocator->user, places[i].folder, places[i].folder_size, 0);
    }
    mst_array_free(&cache->places);
    if (cache->directory)
        allocator->resize(allocator->user, cache->directory, cache->directory_size, 0);
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

/* Whether a part of a path is a folder in which games keep files that levels and models name: the folders of
 * Alien Trilogy have numbers, SECT11. */
static bool is_folder_of_games(const char *part, size_t length) {
    static const char *const folders[] = {"maps", "levels", "models", "materials",
                                          "map",  "sect",   "nme",    "gfx"};
    if (length == 6 && part[4] >= '0' && part[4] <= '9' && part[5] >= '0' && part[5] <= '9')
        length = 4;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        bool same = strlen(folders[f]) == length;
        for (size_t i = 0; same && i < length; i++)
            same = (part[i] | 0x20) == folders[f][i];
        if (same)
            return true;
    }
    return false;
}

/* The length of the path of a possible game root: the part before the last such folder in the first `length`
 * bytes, which end with a slash. SIZE_MAX if there is none. */
static size_t root_before(const char *path, size_t length) {
    while (length && length != SIZE_MAX) {
        size_t end = length - 1, start = end;
        while (start && !mst_system_separates(path[start - 1]))
            start--;
        if (is_folder_of_games(path + start, end - start))
            return start;
        length = start;
    }
    return SIZE_MAX;
}

/* Whether files next to the folder of levels also belong to them, not only files in other folders: class.def
 * is next to `map`. */
static bool is_beside_map(const char *path, size_t root) {
    return mst_lower(path[root]) == 'm' && mst_lower(path[root + 1]) == 'a' &&
           mst_lower(path[root + 2]) == 'p' && mst_system_separates(path[root + 3]);
}

static mst_status find_member(const mst_resolver *members, const char *folder, size_t length,
                              const char *name, const void **bytes, size_t *size) {
    char path[1024];
    size_t more = strlen(name) + 1;
    if (length >= sizeof path || more > sizeof path - length)
        return MST_NO_PATH;
    memcpy(path, folder, length);
    memcpy(path + length, name, more);
    return members->find(members->user, path, bytes, size);
}

mst_status mst_level_member_beside(mst_container *container, const char *member, const char *name,
                                   bool anywhere, const void **bytes, size_t *size) {
    mst_resolver resolver = mst_container_resolver(container);
    size_t length = (size_t)(mst_base_name(member) - member), root = length;
    mst_status status = MST_NO_PATH;
    bool deep = strchr(name, '/') != NULL;
    /* the resolver would find a name without '/' in any directory */
    if (length || deep || mst_container_find(container, name) != SIZE_MAX)
        status = find_member(&resolver, member, length, name, bytes, size);
    while (status == MST_NO_PATH && deep && (root = root_before(member, root)) != SIZE_MAX)
        status = find_member(&resolver, member, root, name, bytes, size);
    return status == MST_NO_PATH && anywhere ? resolver.find(resolver.user, name, bytes, size) : status;
}

static const char *member_of(const mst_level *level) {
    const mst_level_part *first = mst_level_part_at(level, 0);
    return first ? first->name : "";
}

/* Reports directories that could not be read, each once. */
static void report_unread(const mst_level *level, mst_search *search) {
    const char *path;
    while (search && (path = mst_search_unread(search)) != NULL)
        mst_level_warn(&level->options, path, "cannot read the directory %s: its files count as missing",
                       path);
}

static mst_status find_in_places(const mst_level *level, const char *name, const void **bytes, size_t *size) {
    mst_level_cache *cache = level->cache;
    const place *places = cache->places.items;
    bool deep = strchr(name, '/') != NULL;
    mst_status status = MST_NO_PATH;
    cache->last_path = NULL;
    for (size_t i = 0; i < cache->places.count && status == MST_NO_PATH; i++) {
        const place *one = &places[i];
        if (one->deep && !deep)
            continue;
        mst_resolver within =
            one->search ? mst_search_resolver(one->search) : mst_container_resolver(one->container);
        status = one->search ? within.find(within.user, name, bytes, size)
                             : find_member(&within, one->folder, strlen(one->folder), name, bytes, size);
        report_unread(level, one->search);
        cache->last_path = status == MST_OK && one->search ? mst_search_found(one->search) : NULL;
    }
    return status;
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
    status = find_in_places(level, name, bytes, size);
    if (status == MST_OK && *bytes != cache->last) { /* repeating a file takes no more memory */
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
    const place *places = level->cache->places.items;
    for (size_t i = 0; i < level->cache->places.count && status == MST_OK; i++) {
        mst_resolver within = places[i].search ? mst_search_resolver(places[i].search)
                                               : mst_container_resolver(places[i].container);
        status = within.each(within.user, folder, ending, take, taker);
        report_unread(level, places[i].search);
    }
    return status;
}

const char *mst_level_found_path(const mst_level *level) {
    return level->container ? NULL : level->cache->last_path;
}

/* ---- searching ---------------------------------------------------------------------------------- */

/* A copy of a text; NULL: no memory. */
static char *keep(const mst_level_cache *cache, const char *text, size_t length) {
    char *copy = cache->allocator.resize(cache->allocator.user, NULL, 0, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

static place *add_place(mst_level_cache *cache) {
    place *added = mst_array_push(&cache->places, 1);
    if (added)
        *added = (place){.search = NULL};
    return added;
}

/* Adds a directory. MST_NO_MEMORY; MST_IO if it cannot be read. */
static mst_status add_directory(mst_level_cache *cache, const char *path, const mst_level_options *options,
                                bool deep, mst_diagnostic *diagnostic) {
    place *added = add_place(cache);
    if (!added || mst_search_create(&cache->allocator, &added->search) != MST_OK)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the search for sidecars");
    added->deep = deep;
    if (options->unmapped || options->writable)
        mst_search_unmapped(added->search);
    if (options->unlinked)
        mst_search_unlinked(added->search);
    return mst_search_add(added->search, path, diagnostic);
}

/* The length of an archive's path in "archive" or "archive!folder"; 0 if there is no such file. */
static size_t archive_length(const mst_level_cache *cache, const char *path) {
    size_t length = 0;
    for (const char *at = strchr(path, '!'); at && !length; at = strchr(at + 1, '!')) {
        char *file = keep(cache, path, (size_t)(at - path));
        if (file && mst_file_look(file, NULL) == MST_FILE_REGULAR)
            length = (size_t)(at - path);
        if (file)
            cache->allocator.resize(cache->allocator.user, file, (size_t)(at - path) + 1, 0);
    }
    return mst_file_look(path, NULL) == MST_FILE_REGULAR ? strlen(path) : length;
}

static mst_status add_archive(mst_level_cache *cache, const char *path, size_t length,
                              const mst_level_options *options, mst_diagnostic *diagnostic) {
    const mst_container_options how = {.size = sizeof how,
                                       .allocator = cache->allocator,
                                       .member_limit = options->member_limit,
                                       .unmapped = options->unmapped || options->writable};
    const char *folder = path[length] ? path + length + 1 : "";
    size_t size = strlen(folder);
    bool slash = size && folder[size - 1] != '/';
    place *added = add_place(cache);
    char *file = keep(cache, path, length);
    if (added && file)
        added->folder = cache->allocator.resize(cache->allocator.user, NULL, 0, size + slash + 1);
    mst_status status = MST_OK;
    if (!added || !file || !added->folder) {
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the search for sidecars");
    } else {
        added->folder_size = size + slash + 1;
        memcpy(added->folder, folder, size);
        memcpy(added->folder + size, slash ? "/" : "", slash + (size_t)1);
        status = mst_container_open(file, &how, &added->container, diagnostic);
    }
    if (file)
        cache->allocator.resize(cache->allocator.user, file, length + 1, 0);
    return status;
}

/* Begins with the directory of the level, which may not be listable; if it is, failing to list it is an
 * error. */
static mst_status begin_search(mst_level_cache *cache, const char *path, size_t length,
                               const mst_level_options *options, mst_diagnostic *diagnostic) {
    clear(cache);
    cache->places = (mst_array){.element_size = sizeof(place), .allocator = cache->allocator};
    cache->directory = keep(cache, path, length);
    cache->directory_size = length + 1;
    if (!cache->directory)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the search for sidecars");
    mst_status status = MST_OK;
    if (strcmp(path, "-") != 0) {
        status = add_directory(cache, cache->directory, options, false, NULL);
        cache->broken = status == MST_IO && mst_file_may_read(length ? cache->directory : ".");
    }
    size_t root = length;
    while (status == MST_OK && (root = root_before(path, root)) != SIZE_MAX) {
        char *above = keep(cache, path, root);
        status =
            above ? add_directory(cache, above, options, !is_beside_map(path, root), NULL) : MST_NO_MEMORY;
        if (above)
            cache->allocator.resize(cache->allocator.user, above, root + 1, 0);
    }
    if (status != MST_OK && status != MST_IO)
        return mst_fail(diagnostic, status, "not enough memory for the search for sidecars");
    status = MST_OK;
    for (size_t i = 0; i < options->search_path_count && status == MST_OK; i++) {
        const char *one = options->search_paths[i];
        size_t archive = archive_length(cache, one);
        status = archive ? add_archive(cache, one, archive, options, diagnostic)
                         : add_directory(cache, one, options, false, diagnostic);
    }
    if (status != MST_OK)
        clear(cache);
    return status;
}

mst_status mst_level_find_beside(mst_level *level, const char *path, const mst_level_options *options,
                                 mst_diagnostic *diagnostic) {
    size_t length = (size_t)(mst_base_name(path) - path);
    if (options->cache) {
        level->cache = options->cache;
    } else {
        mst_status status = mst_level_cache_create(&level->allocator, &level->cache);
        if (status != MST_OK)
            return mst_fail(diagnostic, status, "not enough memory for the search for sidecars");
        level->own_cache = true;
    }
    mst_level_cache *cache = level->cache;
    level->resolver = (mst_resolver){find, level, &cache->memo, each};
    bool same = cache->directory && strcmp(path, "-") != 0 && cache->directory_size == length + 1 &&
                memcmp(cache->directory, path, length) == 0;
    return same ? MST_OK : begin_search(cache, path, length, options, diagnostic);
}

void mst_level_warn(const mst_level_options *options, const char *file, const char *format, ...) {
    if (!options->report)
        return;
    char text[sizeof((mst_diagnostic *)0)->message];
    mst_diagnostic warning;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mst_fail(&warning, MST_OK, "%s", text);
    warning.severity = MST_WARNING;
    options->report(options->report_user, file, &warning);
}
