/* SPDX-License-Identifier: MIT */
/* The levels in a directory, archive or disc image, and the files of each. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../read/engine.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the list of levels");
}

/* ---- candidates --------------------------------------------------------------------------------- */

/* Whether a member is the second file of a document whose first file is next to it. */
static bool is_second(const choice *all, const mst_format_information *format, const char *name) {
    char other[256];
    const void *bytes;
    size_t size;
    for (unsigned attempt = 0; mst_format_file(format, name, attempt, other, sizeof other) == 1; attempt++)
        if (mst_level_member_beside(all->container, name, other, false, &bytes, &size) == MST_OK)
            return true;
    return false;
}

static mst_status add_candidate(choice *all, size_t member, const mst_level_options *options,
                                mst_diagnostic *diagnostic) {
    char prefix[MST_FILE_BEGINNING];
    size_t size = 0;
    const char *name = mst_container_name(all->container, member);
    const mst_format_information *format = NULL;
    if (mst_container_peek(all->container, member, prefix, sizeof prefix, &size, NULL) == MST_OK)
        format = mst_identify(prefix, size, mst_container_size(all->container, member), name, NULL);
    if (!format || (options->format && strcmp(options->format, format->id) != 0) ||
        is_second(all, format, name))
        return MST_OK;
    mst_level_candidate *added = mst_array_push(&all->candidates, 1);
    if (!added)
        return no_memory(diagnostic);
    *added = (mst_level_candidate){.index = member, .name = name, .format = format};
    return MST_OK;
}

/* ---- grouping ----------------------------------------------------------------------------------- */

/* Formats of one game: "sfa-maps" and "sfa-romlist". */
static bool same_family(const mst_format_information *a, const mst_format_information *b) {
    size_t length = strcspn(a->id, "-") + 1;
    return strncmp(a->id, b->id, length) == 0;
}

/* Whether a file can be a separate level: not if another file combines it and others to maps. */
static bool is_level(const mst_level_candidate *one, const mst_level_candidate *all, size_t count) {
    const mst_format *format = mst_format_of(one->format);
    if (!format || (!format->build_scene && !MST_OPTION(format->parts, build)))
        return false;
    for (size_t i = 0; i < count && !one->format->maps; i++)
        if (all[i].format && all[i].format->maps && same_family(one->format, all[i].format))
            return false;
    return true;
}

/* The number of candidates that have to be checked for that: up to the last one that combines files to
 * maps. */
static size_t end_of_maps(const mst_level_candidate *all, size_t count) {
    while (count && !(all[count - 1].format && all[count - 1].format->maps))
        count--;
    return count;
}

/* A renamed backup ("7_3_4.DAT.bak") is not a sector. */
static void find_place(mst_level_candidate *one) {
    const mst_format *format = mst_format_of(one->format);
    const char *name = mst_base_name(one->name), *in = strrchr(name, '!');
    name = in ? in + 1 : name;
    const char *dot = strchr(name, '.');
    mst_part_place place;
    one->is_sector = MST_OPTION(format->parts, place) && !(dot && strchr(dot + 1, '.')) &&
                     format->parts->place(name, &place);
    if (!one->is_sector)
        return;
    one->number = place.level;
    one->x = place.x;
    one->y = place.y;
}

static int by_level(const void *a, const void *b) {
    const mst_level_candidate *first = a, *second = b;
    const int32_t one[] = {!first->is_sector, first->number, first->y, first->x},
                  other[] = {!second->is_sector, second->number, second->y, second->x};
    for (size_t i = 0; i < MST_COUNT_OF(one); i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    if (first->preference != second->preference)
        return first->preference < second->preference ? -1 : 1;
    return strcmp(first->name, second->name);
}

size_t mst_level_group(mst_level_candidate *candidates, size_t count) {
    size_t kept = 0, maps = candidates ? end_of_maps(candidates, count) : 0;
    for (size_t i = 0; candidates && i < count; i++) {
        mst_level_candidate *one = &candidates[i];
        one->level = 0;
        one->number = one->x = one->y = one->is_sector = one->is_duplicate = 0;
        if (!one->name || !one->format || !is_level(one, candidates, maps))
            one->level = SIZE_MAX;
        else
            find_place(one);
    }
    for (size_t i = 0; candidates && i < count; i++)
        if (candidates[i].level != SIZE_MAX)
            candidates[kept++] = candidates[i];
    if (kept > 1)
        qsort(candidates, kept, sizeof *candidates, by_level);
    for (size_t i = 1; i < kept; i++) {
        mst_level_candidate *one = &candidates[i], *before = one - 1;
        bool same = one->is_sector && before->is_sector && one->number == before->number &&
                    one->format == before->format;
        one->level = before->level + !same;
        one->is_duplicate = same && one->x == before->x && one->y == before->y;
    }
    return kept;
}

static mst_status make_groups(choice *all, mst_diagnostic *diagnostic) {
    const mst_level_candidate *items = all->candidates.items;
    for (size_t i = 0; i < all->candidates.count; i++) {
        if (i && items[i].level == items[i - 1].level) {
            ((group *)all->groups.items)[all->groups.count - 1].count++;
            continue;
        }
        const char *name =
            items[i].is_sector ? mst_arena_printf(&all->arena, "%ld", (long)items[i].number) : items[i].name;
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
    all->candidates =
        (mst_array){.element_size = sizeof(mst_level_candidate), .allocator = all->arena.allocator};
    all->groups = (mst_array){.element_size = sizeof(group), .allocator = all->arena.allocator};
    mst_level_guard(options, true);
    for (size_t i = 0, member; (member = mst_container_at(container, i)) != SIZE_MAX && status == MST_OK; i++)
        status = add_candidate(all, member, options, diagnostic);
    mst_level_guard(options, false);
    all->candidates.count = mst_level_group(all->candidates.items, all->candidates.count);
    return status == MST_OK ? make_groups(all, diagnostic) : status;
}

/* ---- choosing ----------------------------------------------------------------------------------- */

static mst_status several(const choice *all, mst_diagnostic *diagnostic) {
    const group *groups = all->groups.items;
    char names[120];
    size_t length = 0;
    for (size_t i = 0; i < all->groups.count && length < sizeof names; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", groups[i].name);
    mst_fail(diagnostic, MST_ARGUMENT, "it holds several levels: choose one");
    if (diagnostic)
        MST_SET(diagnostic->expected, "one of %s%s", names, length < sizeof names ? "" : "...");
    return MST_ARGUMENT;
}

/* The level with that name, or the only one; NULL, with the status, if there is none. */
static const group *pick(const choice *all, const char *wanted, mst_status *status,
                         mst_diagnostic *diagnostic) {
    const group *groups = all->groups.items;
    for (size_t i = 0; wanted && i < all->groups.count; i++)
        if (mst_same_text(groups[i].name, wanted))
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

static mst_status open_one(mst_level *level, const mst_level_candidate *one, const char *prefix,
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
               ? mst_level_open_part(level, path, level->container ? one->index : SIZE_MAX, &how, diagnostic)
               : status;
}

mst_status mst_level_choose(mst_level *level, mst_container *container, const char *prefix,
                            const mst_level_options *options, mst_diagnostic *diagnostic) {
    choice all;
    mst_status status = find_groups(&all, container, options, diagnostic);
    const group *picked = status == MST_OK ? pick(&all, options->level, &status, diagnostic) : NULL;
    for (size_t i = 0; picked && status == MST_OK && i < picked->count; i++) {
        const mst_level_candidate *one =
            (const mst_level_candidate *)all.candidates.items + picked->first + i;
        if (one->is_duplicate)
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
    mst_level_options given = {.size = 0};
    if (!path || !take)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a function that takes the levels are needed");
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    options = &given;
    mst_container *container = options->container;
    const mst_container_options how = {.size = sizeof how,
                                       .allocator = options->allocator,
                                       .member_limit = options->member_limit,
                                       .unmapped = options->unmapped};
    status = container ? MST_OK : mst_container_open(path, &how, &container, diagnostic);
    if (status != MST_OK)
        return status;
    choice all;
    status = find_groups(&all, container, options, diagnostic);
    const group *groups = all.groups.items;
    for (size_t i = 0; status == MST_OK && i < all.groups.count; i++) {
        const mst_level_candidate *first =
            (const mst_level_candidate *)all.candidates.items + groups[i].first;
        status = take(user, groups[i].name, first->format);
    }
    choice_free(&all);
    if (!options->container)
        mst_container_close(container);
    return status;
}
