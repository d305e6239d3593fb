/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sector_levels.h"
#include "../../src/read/opened.h"
#include "../../src/system/system.h"
#include "../pictures/produce.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- selection ------------------------------------------------------------------------------------ */

/* Whether a path is inside the directory or archive. */
static bool is_in(const char *path, const char *directory) {
    size_t length = strlen(directory);
    while (length > 1 && mst_system_separates(directory[length - 1]))
        length--;
    return !strncmp(path, directory, length) && (mst_system_separates(path[length]) || path[length] == '!');
}

/* The index of the first --prefer that contains an input; past the last if none does. */
static size_t rank_of(const options *given, const input *item) {
    size_t rank = 0;
    for (size_t i = 0; i < given->argument_count; i++) {
        if (given->arguments[i].id != OPTION_PREFER)
            continue;
        if (is_in(item->path, given->arguments[i].value))
            return rank;
        rank++;
    }
    return rank;
}

static bool is_one_file(const inputs *all, const char *to) {
    return all->many && to && strcmp(to, "-") != 0 && !names_directory(to);
}

candidates candidates_find(const options *given, const inputs *all, const char *to) {
    bool asked = options_has(given, OPTION_LEVEL) || options_has(given, OPTION_MAP) ||
                 options_has(given, OPTION_WORLD);
    return asked || is_one_file(all, to)
               ? candidates_of(given, all)
               : (candidates){.items = need(calloc(1, sizeof(mst_level_candidate)))};
}

candidates candidates_of(const options *given, const inputs *all) {
    candidates found = {.items = need(calloc(all->count + 1, sizeof *found.items))};
    for (size_t i = 0; i < all->count; i++) {
        input one = all->items[i];
        const mst_format_information *format = NULL;
        mst_diagnostic why;
        one.named = !all->many; /* a file named alone represents its pair */
        if (given->value[OPTION_FROM])
            format = format_by_id(given->value[OPTION_FROM]);
        else if (source_identify(&one, given, 0, &format, NULL, &why) != MST_OK)
            continue;
        found.items[found.count++] = (mst_level_candidate){
            .name = one.path, .format = format, .preference = rank_of(given, &one), .index = i};
    }
    found.count = mst_level_group(found.items, found.count);
    return found;
}

bool level_is_meant(const options *given, const inputs *all, const candidates *found, const char *to) {
    bool sectors = false;
    for (size_t i = 0; i < found->count; i++)
        sectors = sectors || found->items[i].is_sector;
    return options_has(given, OPTION_LEVEL) || (sectors && is_one_file(all, to));
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* Whether every --prefer contains a sector; if not, reports it. */
static bool preferred_exist(const options *given, const mst_level_candidate *sectors, size_t count) {
    for (size_t i = 0; i < given->argument_count; i++) {
        bool found = given->arguments[i].id != OPTION_PREFER;
        for (size_t k = 0; k < count && !found; k++)
            found = is_in(sectors[k].name, given->arguments[i].value);
        if (!found) {
            options_usage(given, "--prefer: no sector of the level is in %s", given->arguments[i].value);
            return false;
        }
    }
    return true;
}

/* The first sector of the level with that number, or (-1) of the only level, and the number of its sectors;
 * NULL, with a message, if there is none or several. */
static const mst_level_candidate *sectors_of(const options *given, const candidates *found, long number,
                                             size_t *count) {
    const mst_level_candidate *first = NULL;
    stream list = stream_memory();
    size_t levels = 0;
    for (size_t i = 0; i < found->count && found->items[i].is_sector; i++) {
        const mst_level_candidate *one = &found->items[i];
        if (number >= 0 && one->number != number)
            continue;
        if (!first)
            first = one;
        if (one->level == first->level)
            *count = (size_t)(one - first) + 1;
        if (one == first || one->level != one[-1].level) {
            if (++levels <= 40)
                print(&list, " %ld", (long)one->number);
        }
    }
    put_text(&list, levels > 40 ? " ..." : "");
    put(&list, "", 1);
    if (!first)
        say(MST_ERROR, "--level: no file of a known format is called %ld_X_Y, like the sectors of that level",
            number);
    else if (number < 0 && levels > 1)
        options_usage(given, "several levels; choose one with --level:%s", list.data);
    stream_free(&list);
    return number < 0 && levels > 1 ? NULL : first;
}

int level_open_sectors(level *opened, const options *given, const inputs *all, const mst_level_candidate *of,
                       size_t count) {
    int code = EXIT_YES;
    memset(opened, 0, sizeof *opened);
    snprintf(opened->name, sizeof opened->name, "level %ld", (long)of->number);
    const mst_level_candidate *twice = NULL; /* the first duplicate that is ignored */
    size_t sectors = 0;                      /* that occur several times */
    opened->parts = need(calloc(count + 1, sizeof *opened->parts));
    for (size_t i = 0; i < count; i++) {
        const input *item = &all->items[of[i].index];
        mst_diagnostic why;
        if (of[i].is_duplicate) {
            sectors += !of[i - 1].is_duplicate;
            twice = twice ? twice : &of[i];
            continue;
        }
        source *part_of = &opened->parts[opened->count];
        mst_status status = source_open(part_of, item, given, 0, &why);
        if (status != MST_OK) {
            code = worse(code, say_diagnosis(item->path, &why));
            source_close(part_of);
            continue;
        }
        opened->count++;
    }
    if (twice)
        say(MST_WARNING, "%zu %s more than once; for the first, %s is used, not %s; choose with --prefer DIR",
            sectors, sectors == 1 ? "sector occurs" : "sectors occur", twice[-1].name, twice->name);
    return code;
}

int level_open(level *opened, const options *given, const inputs *all, const candidates *found) {
    double wanted = -1;
    size_t count = 0;
    memset(opened, 0, sizeof *opened);
    if (!options_number(given, OPTION_LEVEL, 0, 999999, &wanted))
        return EXIT_TROUBLE;
    if (wanted >= 0 && (double)(long)wanted != wanted)
        return options_usage(given, "--level: '%s' is not a whole number", given->value[OPTION_LEVEL]);
    const mst_level_candidate *sectors = sectors_of(given, found, (long)wanted, &count);
    if (!sectors || !preferred_exist(given, sectors, count))
        return EXIT_TROUBLE;
    return worse(all->code, level_open_sectors(opened, given, all, sectors, count));
}

mst_status level_scene(const level *opened, const mst_scene_options *how, mst_scene **scene,
                       mst_diagnostic *why) {
    const mst_document **documents = need(calloc(opened->count, sizeof *documents));
    for (size_t i = 0; i < opened->count; i++)
        documents[i] = opened->parts[i].document;
    mst_scene_options with = how ? *how : (mst_scene_options){.size = sizeof(mst_scene_options)};
    with.sidecars = mst_level_sidecars(opened->parts[0].level);
    mst_status status = mst_scene_from_documents(documents, opened->count, &with, scene, why);
    if (status == MST_OK)
        (*scene)->name = opened->name;
    free(documents);
    return status;
}

void level_close(level *opened) {
    for (size_t i = 0; i < opened->count; i++)
        source_close(&opened->parts[i]);
    free(opened->parts);
    memset(opened, 0, sizeof *opened);
}

/* ---- files with several maps ---------------------------------------------------------------------- */

bool inputs_keep_maps(inputs *all, const options *given, const candidates *found, const char *to) {
    bool asked = options_has(given, OPTION_MAP) || options_has(given, OPTION_WORLD);
    if (options_has(given, OPTION_MAP) && options_has(given, OPTION_WORLD)) {
        options_usage(given, "--map and --world exclude each other");
        return false;
    }
    if (!asked && !is_one_file(all, to))
        return true;
    size_t which = SIZE_MAX, count = 0;
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].format->maps) {
            which = count++ ? which : found->items[i].index;
        }
    if (!asked && count != 1)
        return true;
    if (count != 1) {
        options_usage(given, count ? "several files hold maps; name one of them"
                                   : "--map and --world need a file with several maps; there is none here");
        return false;
    }
    for (size_t i = 0; i < all->count; i++)
        if (i != which) {
            free(all->items[i].path);
            free(all->items[i].relative);
        }
    all->items[0] = all->items[which];
    all->items[0].named = true;
    all->count = 1;
    all->many = false;
    return true;
}
