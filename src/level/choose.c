/* SPDX-License-Identifier: MIT */
/* The levels in a directory, archive or disc image, and the files that each consists of. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../schema/engine.h"
#include "level.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX 4096 /* bytes that identify a file */

/* A file that is a level, or a part of one. */
typedef struct candidate {
    size_t member;
    const char *name;
    const mst_format *format;
    bool placed;
    mst_part_place place;
} candidate;

/* A level: `count` candidates from `first` on. */
typedef struct group {
    size_t first, count;
    const char *name;
} group;

typedef struct choice {
    mst_arena arena;
    mst_container *container;
    mst_array candidates, groups;
} choice;

static void choice_free(choice *all) {
    mst_array_free(&all->candidates);
    mst_array_free(&all->groups);
    mst_arena_end(&all->arena);
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the list of levels");
}

/* ---- candidates --------------------------------------------------------------------------------- */

/* Whether a member is the second file of a document whose first file is beside it. */
static bool is_second(const choice *all, const mst_format *format, const char *name) {
    char other[256];
    const void *bytes;
    size_t size;
    for (unsigned attempt = 0; mst_format_file(&format->information, name, attempt, other, sizeof other) == 1;
         attempt++)
        if (mst_level_member_beside(all->container, name, other, false, &bytes, &size) == MST_OK)
            return true;
    return false;
}

static mst_status add_candidate(choice *all, size_t member, const mst_level_options *options,
                                mst_diagnostic *diagnostic) {
    char prefix[PREFIX];
    size_t size = 0;
    const char *name = mst_container_name(all->container, member);
    const mst_format_information *information = NULL;
    if (mst_container_peek(all->container, member, prefix, sizeof prefix, &size, NULL) == MST_OK)
        information = mst_identify(prefix, size, mst_container_size(all->container, member), name, NULL);
    const mst_format *format = information ? mst_format_of(information) : NULL;
    if (!format || (!format->scene.build && !format->scene.build_from_many) ||
        (options->format && strcmp(options->format, information->id) != 0) || is_second(all, format, name))
        return MST_OK;
    candidate *added = mst_array_push(&all->candidates, 1);
    if (!added)
        return no_memory(diagnostic);
    *added = (candidate){.member = member, .name = name, .format = format};
    added->placed = format->scene.place && format->scene.place(mst_base_name(name), &added->place);
    return MST_OK;
}

/* Formats of one game: "sfa-maps" and "sfa-romlist". */
static bool same_family(const mst_format *a, const mst_format *b) {
    size_t length = strcspn(a->information.id, "-") + 1;
    return strncmp(a->information.id, b->information.id, length) == 0;
}

/* Where a file combines others to maps, those are no levels by themselves. */
static void drop_parts_of_maps(choice *all) {
    candidate *items = all->candidates.items;
    size_t kept = 0;
    for (size_t i = 0; i < all->candidates.count; i++) {
        bool part = false;
        for (size_t k = 0; k < all->candidates.count && !items[i].format->information.maps; k++)
            part =
                part || (items[k].format->information.maps && same_family(items[i].format, items[k].format));
        if (!part)
            items[kept++] = items[i];
    }
    all->candidates.count = kept;
}

static int by_level(const void *a, const void *b) {
    const candidate *first = a, *second = b;
    const int32_t one[] = {!first->placed, first->place.level, first->place.y, first->place.x},
                  other[] = {!second->placed, second->place.level, second->place.y, second->place.x};
    for (size_t i = 0; i < MST_COUNT_OF(one); i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    return strcmp(first->name, second->name);
}

static mst_status make_groups(choice *all, mst_diagnostic *diagnostic) {
    const candidate *items = all->candidates.items;
    for (size_t i = 0; i < all->candidates.count; i++) {
        group *last = i ? (group *)all->groups.items + all->groups.count - 1 : NULL;
        if (last && items[i].placed && items[i - 1].placed &&
            items[i].place.level == items[i - 1].place.level && items[i].format == items[i - 1].format) {
            last->count++;
            continue;
        }
        const char *name = items[i].placed ? mst_arena_printf(&all->arena, "%ld", (long)items[i].place.level)
                                           : items[i].name;
        group *added = name ? mst_array_push(&all->groups, 1) : NULL;
        if (!added)
            return no_memory(diagnostic);
        *added = (group){i, 1, name};
    }
    return MST_OK;
}

static mst_status find_groups(choice *all, mst_container *container, const mst_level_options *options,
                              mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    *all = (choice){.container = container};
    mst_arena_begin(&all->arena, &options->allocator, 0);
    all->candidates = (mst_array){.element_size = sizeof(candidate), .allocator = all->arena.allocator};
    all->groups = (mst_array){.element_size = sizeof(group), .allocator = all->arena.allocator};
    mst_level_guard(options, true);
    for (size_t i = 0, member; (member = mst_container_at(container, i)) != SIZE_MAX && status == MST_OK; i++)
        status = add_candidate(all, member, options, diagnostic);
    mst_level_guard(options, false);
    drop_parts_of_maps(all);
    if (all->candidates.count > 1)
        qsort(all->candidates.items, all->candidates.count, sizeof(candidate), by_level);
    return status == MST_OK ? make_groups(all, diagnostic) : status;
}

/* ---- choosing ----------------------------------------------------------------------------------- */

static bool same_name(const char *a, const char *b) {
    size_t length = strlen(a);
    return length == strlen(b) && mst_text_ends_in(a, length, b);
}

static mst_status several(const choice *all, mst_diagnostic *diagnostic) {
    const group *groups = all->groups.items;
    char names[120];
    size_t length = 0;
    for (size_t i = 0; i < all->groups.count && length < sizeof names; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", groups[i].name);
    mst_fail(diagnostic, MST_ARGUMENT, "it holds several levels, one of which has to be chosen");
    if (diagnostic)
        MST_SET(diagnostic->expected, "one of %s%s", names, length < sizeof names ? "" : "...");
    return MST_ARGUMENT;
}

/* The level with that name, or the only one; NULL, with the status, if there is none. */
static const group *pick(const choice *all, const char *wanted, mst_status *status,
                         mst_diagnostic *diagnostic) {
    const group *groups = all->groups.items;
    for (size_t i = 0; wanted && i < all->groups.count; i++)
        if (same_name(groups[i].name, wanted))
            return &groups[i];
    if (wanted)
        *status = mst_fail(diagnostic, MST_NO_PATH, "it holds no level \"%s\"", wanted);
    else if (!all->groups.count)
        *status = mst_fail(diagnostic, MST_UNKNOWN, "it holds no level of a known format");
    else if (all->groups.count > 1)
        *status = several(all, diagnostic);
    else
        return groups;
    return NULL;
}

static mst_status open_one(mst_level *level, const candidate *one, const char *prefix,
                           const mst_level_options *options, mst_diagnostic *diagnostic) {
    const char *path = mst_arena_printf(&level->arena, "%s%s", prefix, one->name);
    if (!path)
        return no_memory(diagnostic);
    mst_status status = MST_OK;
    if (!level->cache) /* a directory: the level's own may be below it */
        status = mst_level_find_beside(level, path, options, diagnostic);
    mst_level_options how = *options;
    how.name = NULL;
    return status == MST_OK
               ? mst_level_open_part(level, path, level->container ? one->member : SIZE_MAX, &how, diagnostic)
               : status;
}

mst_status mst_level_choose(mst_level *level, mst_container *container, const char *prefix,
                            const mst_level_options *options, mst_diagnostic *diagnostic) {
    choice all;
    mst_status status = find_groups(&all, container, options, diagnostic);
    const group *picked = status == MST_OK ? pick(&all, options->level, &status, diagnostic) : NULL;
    for (size_t i = 0; picked && status == MST_OK && i < picked->count; i++) {
        const candidate *one = (const candidate *)all.candidates.items + picked->first + i;
        if (i && one->place.x == one[-1].place.x && one->place.y == one[-1].place.y)
            mst_level_warn(options, one->name, "the sector occurs more than once: %s is used, not %s",
                           one[-1].name, one->name);
        else
            status = open_one(level, one, prefix, options, diagnostic);
    }
    choice_free(&all);
    return status;
}

/* ---- listing ------------------------------------------------------------------------------------ */

mst_status mst_level_list(const char *path, const mst_level_options *options,
                          mst_status (*take)(void *user, const char *level,
                                             const mst_format_information *format),
                          void *user, mst_diagnostic *diagnostic) {
    static const mst_level_options standard = {0};
    options = options ? options : &standard;
    if (!path || !take)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a function that takes the levels are needed");
    mst_container *container = options->container;
    const mst_container_options how = {.allocator = options->allocator,
                                       .member_limit = options->member_limit,
                                       .unmapped = options->unmapped};
    mst_status status = container ? MST_OK : mst_container_open(path, &how, &container, diagnostic);
    if (status != MST_OK)
        return status;
    choice all;
    status = find_groups(&all, container, options, diagnostic);
    const group *groups = all.groups.items;
    for (size_t i = 0; status == MST_OK && i < all.groups.count; i++) {
        const candidate *first = (const candidate *)all.candidates.items + groups[i].first;
        status = take(user, groups[i].name, &first->format->information);
    }
    choice_free(&all);
    if (!options->container)
        mst_container_close(container);
    return status;
}
