/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "levels.h"
#include "produce.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sector_parse(const char *path, sector *parsed) {
    long *const numbers[] = {&parsed->level, &parsed->x, &parsed->y};
    const char *at = base_name(path);
    for (size_t i = 0; i < 3; i++) {
        size_t digits = strspn(at, "0123456789");
        if (!digits || digits > 6 || at[digits] != (i < 2 ? '_' : '.'))
            return false;
        *numbers[i] = strtol(at, NULL, 10);
        at += digits + 1;
    }
    return *at && !strchr(at, '.');
}

/* ---- selection ------------------------------------------------------------------------------------ */

typedef struct part {
    const input *item;
    sector place;
    size_t rank; /* index of the --prefer that contains it */
} part;

typedef struct parts {
    part *items;
    size_t count;
    const mst_format_information *format; /* of the first; the others have it too */
} parts;

static int by_place(const void *a, const void *b) {
    const part *first = a, *second = b;
    const long one[] = {first->place.level, first->place.y, first->place.x};
    const long other[] = {second->place.level, second->place.y, second->place.x};
    for (size_t i = 0; i < 3; i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    return strcmp(first->item->path, second->item->path);
}

/* Whether a path is inside the directory or archive. */
static bool is_in(const char *path, const char *directory) {
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    return !strncmp(path, directory, length) && (path[length] == '/' || path[length] == '!');
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

/* Whether every --prefer contains a sector; if not, reports it. */
static bool preferred_exist(const options *given, const parts *of) {
    for (size_t i = 0; i < given->argument_count; i++) {
        bool found = given->arguments[i].id != OPTION_PREFER;
        for (size_t k = 0; k < of->count && !found; k++)
            found = is_in(of->items[k].item->path, given->arguments[i].value);
        if (!found) {
            options_usage(given, "--prefer: no sector of the level is in %s", given->arguments[i].value);
            return false;
        }
    }
    return true;
}

/* The sectors of one level, or of any: number < 0. */
static parts parts_find(const options *given, const inputs *all, long number, size_t max) {
    parts found = {.items = need(calloc(all->count + 1, sizeof *found.items))};
    for (size_t i = 0; i < all->count && found.count < max; i++) {
        const input *item = &all->items[i];
        sector place;
        if (!sector_parse(item->relative, &place) || (number >= 0 && place.level != number))
            continue;
        const mst_format_information *format = source_format(item, given);
        if (!format || (found.format && format != found.format))
            continue;
        found.format = format;
        found.items[found.count++] = (part){item, place, rank_of(given, item)};
    }
    qsort(found.items, found.count, sizeof *found.items, by_place);
    return found;
}

bool level_is_meant(const options *given, const inputs *all, const char *to) {
    if (options_has(given, OPTION_LEVEL))
        return true;
    if (!all->many || !to || !strcmp(to, "-") || names_directory(to))
        return false;
    parts any = parts_find(given, all, -1, 1);
    free(any.items);
    return any.count != 0;
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* The only level among the parts; -1, with a message that lists them, if there are several. */
static long only_level(const options *given, const parts *any) {
    stream list = stream_memory();
    size_t levels = 0;
    for (size_t i = 0; i < any->count; i++)
        if (!i || any->items[i].place.level != any->items[i - 1].place.level) {
            if (++levels <= 40)
                print(&list, " %ld", any->items[i].place.level);
        }
    put_text(&list, levels > 40 ? " ..." : "");
    put(&list, "", 1);
    if (levels > 1)
        options_usage(given, "several levels; choose one with --level:%s", list.data);
    stream_free(&list);
    return levels == 1 ? any->items[0].place.level : -1;
}

static bool is_same(const part *a, const part *b) {
    return a->place.x == b->place.x && a->place.y == b->place.y;
}

static int open_parts(level *opened, const options *given, const parts *of) {
    int code = EXIT_YES;
    const part *twice = NULL; /* the first duplicate that is ignored */
    size_t sectors = 0;       /* that occur more than once */
    opened->parts = need(calloc(of->count + 1, sizeof *opened->parts));
    for (size_t i = 0; i < of->count; i++) {
        const part *one = &of->items[i], *before = i ? one - 1 : NULL;
        mst_diagnostic why;
        if (before && is_same(before, one)) {
            sectors += i == 1 || !is_same(before - 1, one);
            twice = twice ? twice : one;
            continue;
        }
        source *part_of = &opened->parts[opened->count];
        mst_status status = source_open(part_of, one->item, given, 0, &why);
        if (status != MST_OK) {
            code = worse(code, say_diagnosis(one->item->path, &why));
            source_close(part_of);
            continue;
        }
        opened->count++;
    }
    if (twice)
        say(MST_WARNING, "%zu %s more than once; for the first, %s is used, not %s; choose with --prefer DIR",
            sectors, sectors == 1 ? "sector occurs" : "sectors occur", twice[-1].item->path,
            twice->item->path);
    return code;
}

int level_open(level *opened, const options *given, const inputs *all) {
    double wanted = -1;
    memset(opened, 0, sizeof *opened);
    if (!options_number(given, OPTION_LEVEL, 0, 999999, &wanted))
        return EXIT_TROUBLE;
    bool named = options_has(given, OPTION_LEVEL);
    opened->number = (long)wanted;
    if (named && (double)opened->number != wanted)
        return options_usage(given, "--level: '%s' is not a whole number", given->value[OPTION_LEVEL]);
    parts of = parts_find(given, all, opened->number, SIZE_MAX);
    int code = all->code;
    if (!named && of.count)
        opened->number = only_level(given, &of);
    if (!of.count) {
        say(MST_ERROR,
            "--level: no file of a known format is called %ld_X_Y, as the sectors of that level are",
            opened->number);
        code = EXIT_TROUBLE;
    } else if (opened->number < 0) {
        code = EXIT_TROUBLE;
    } else if (!preferred_exist(given, &of)) {
        code = EXIT_TROUBLE;
    } else {
        code = worse(code, open_parts(opened, given, &of));
    }
    snprintf(opened->name, sizeof opened->name, "level %ld", opened->number);
    free(of.items);
    return code;
}

mst_status level_scene(const level *opened, const mst_scene_options *how, mst_scene **scene,
                       mst_diagnostic *why) {
    const mst_document **documents = need(calloc(opened->count, sizeof *documents));
    for (size_t i = 0; i < opened->count; i++)
        documents[i] = opened->parts[i].document;
    mst_scene_options with = how ? *how : (mst_scene_options){0};
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

bool inputs_keep_maps(inputs *all, const options *given, const char *to) {
    bool asked = options_has(given, OPTION_MAP) || options_has(given, OPTION_WORLD);
    if (options_has(given, OPTION_MAP) && options_has(given, OPTION_WORLD)) {
        options_usage(given, "--map and --world exclude each other");
        return false;
    }
    if (!asked && (!all->many || !to || !strcmp(to, "-") || names_directory(to)))
        return true;
    size_t found = SIZE_MAX, count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const input *item = &all->items[i];
        const mst_format_information *format = source_format(item, given);
        input unnamed = *item;
        mst_diagnostic why;
        unnamed.named = false;
        /* an explicitly named file stands for both */
        if (!format || !format->maps ||
            (all->many && source_identify(&unnamed, given, 0, &format, NULL, &why) == MST_UNKNOWN))
            continue;
        found = count++ ? found : i;
    }
    if (!asked && count != 1)
        return true;
    if (!count) {
        options_usage(given, "--map and --world need a file that holds several maps; there is none here");
        return false;
    }
    if (count > 1) {
        options_usage(given, "several files hold maps; name one of them");
        return false;
    }
    for (size_t i = 0; i < all->count; i++)
        if (i != found) {
            free(all->items[i].path);
            free(all->items[i].relative);
        }
    all->items[0] = all->items[found];
    all->items[0].named = true;
    all->count = 1;
    all->many = false;
    return true;
}
