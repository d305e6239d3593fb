/* SPDX-License-Identifier: MIT */
#include "summary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS_SHOW  24 /* without --all */
#define CLASSES_SHOW 24 /* without --all */

void summary_add(summary *all, summary_part *part) {
    char name[96];
    all->files++;
    all->bytes += part->bytes;
    all->lost += part->lost;
    tallies_add(&all->formats, part->format->id, 1);
    if (part->version || part->format->versions[0]) { /* 0 may be a valid version */
        snprintf(name, sizeof name, "%s %lu", part->format->id, (unsigned long)part->version);
        tallies_add(&all->versions, name, 1);
    }
    if (part->format->rows[0] && part->classes.count) /* the things counted by class */
        all->rows = all->rows && strcmp(all->rows, part->format->rows) != 0 ? "things" : part->format->rows;
    for (size_t i = 0; i < part->classes.count; i++)
        tallies_add(&all->classes, part->classes.items[i].name, part->classes.items[i].count);
    tallies_free(&part->classes);
    if (part->maps.size) {
        if (!all->maps.data)
            all->maps = stream_memory();
        put(&all->maps, part->maps.data, part->maps.size);
    }
    stream_free(&part->maps);
    if (!part->place.is_sector)
        return;
    if (all->place_count == all->place_capacity) {
        all->place_capacity = all->place_capacity ? 2 * all->place_capacity : 64;
        all->places = need(realloc(all->places, all->place_capacity * sizeof *all->places));
    }
    all->places[all->place_count++] = part->place;
}

static int by_level(const void *a, const void *b) {
    const mst_level_candidate *first = a, *second = b;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* The number of sectors of a level, and their area. */
typedef struct extent {
    size_t count;
    int32_t min_x, min_y, max_x, max_y;
} extent;

/* The extent of the level whose sectors begin at `first`. */
static extent extent_of(const summary *all, size_t first) {
    const mst_level_candidate *places = all->places;
    extent of = {0, places[first].x, places[first].y, places[first].x, places[first].y};
    for (size_t i = first; i < all->place_count && places[i].number == places[first].number; i++) {
        of.min_x = places[i].x < of.min_x ? places[i].x : of.min_x;
        of.min_y = places[i].y < of.min_y ? places[i].y : of.min_y;
        of.max_x = places[i].x > of.max_x ? places[i].x : of.max_x;
        of.max_y = places[i].y > of.max_y ? places[i].y : of.max_y;
        of.count++;
    }
    return of;
}

/* "12 revenant-sector, 3 ns2-level" */
static void put_counts(stream *to, const char *title, const tallies *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (i)
            put_text(to, ", ");
        else
            print(to, "  %-14s ", title);
        print(to, "%llu %s", (unsigned long long)list->items[i].count, list->items[i].name);
    }
    put_text(to, list->count ? "\n" : "");
}

static void put_lines(const summary *all, stream *to, bool everything) {
    paint(to, COLOR_BOLD);
    put_text(to, "together");
    unpaint(to);
    put_text(to, "\n");
    put_counts(to, "formats", &all->formats);
    put_counts(to, "versions", &all->versions);
    size_t levels = 0;
    extent of;
    for (size_t i = 0; i < all->place_count; i += of.count) {
        of = extent_of(all, i);
        if (++levels <= LEVELS_SHOW || everything)
            print(to, "  %-14s %d: %zu %s, x %d..%d, y %d..%d\n", "level", (int)all->places[i].number,
                  of.count, of.count == 1 ? "sector" : "sectors", (int)of.min_x, (int)of.max_x, (int)of.min_y,
                  (int)of.max_y);
    }
    if (levels > LEVELS_SHOW && !everything)
        print(to, "  ... and %zu more levels (--all shows them)\n", levels - LEVELS_SHOW);
    if (all->maps.size) {
        put_text(to, " maps\n");
        for (const char *line = all->maps.data, *end = line + all->maps.size; line < end;) {
            const char *stop = memchr(line, '\n', (size_t)(end - line));
            size_t length = (size_t)((stop ? stop : end) - line);
            char *text = copy_of(line, length);
            put_text(to, "  ");
            put_visible(to, text);
            put_text(to, "\n");
            free(text);
            line += length + 1;
        }
    }
    size_t shown = everything || all->classes.count < CLASSES_SHOW ? all->classes.count : CLASSES_SHOW;
    if (shown)
        print(to, " %s by class\n", all->rows);
    for (size_t i = 0; i < shown; i++) {
        print(to, "  %6llu ", (unsigned long long)all->classes.items[i].count);
        put_visible(to, all->classes.items[i].name);
        put_text(to, "\n");
    }
    if (all->classes.count > shown)
        print(to, "  ... and %zu more classes (--all shows them)\n", all->classes.count - shown);
}

static void put_json_counts(stream *to, const char *name, const tallies *list) {
    put_json_key(to, name);
    put_text(to, "{");
    for (size_t i = 0; i < list->count; i++) {
        put_json_key(to, list->items[i].name);
        print(to, "%llu", (unsigned long long)list->items[i].count);
    }
    put_text(to, "}");
}

static void put_json_object(const summary *all, stream *to) {
    print(to, "{\"files\":%llu,\"size\":%llu,\"not_understood\":%llu", (unsigned long long)all->files,
          (unsigned long long)all->bytes, (unsigned long long)all->lost);
    put_json_counts(to, "formats", &all->formats);
    put_json_counts(to, "versions", &all->versions);
    put_json_key(to, "levels");
    put_text(to, "[");
    extent of;
    for (size_t i = 0; i < all->place_count; i += of.count) {
        of = extent_of(all, i);
        print(to, "%s{\"level\":%d,\"sectors\":%zu,\"x\":[%d,%d],\"y\":[%d,%d]}", i ? "," : "",
              (int)all->places[i].number, of.count, (int)of.min_x, (int)of.max_x, (int)of.min_y,
              (int)of.max_y);
    }
    put_text(to, "]");
    put_json_counts(to, "classes", &all->classes);
    put_text(to, "}\n");
}

void summary_put(summary *all, stream *to, bool json, bool everything) {
    tallies_sort(&all->formats);
    tallies_sort(&all->versions);
    tallies_sort(&all->classes);
    if (all->place_count)
        qsort(all->places, all->place_count, sizeof *all->places, by_level);
    if (json)
        put_json_object(all, to);
    else
        put_lines(all, to, everything);
}

void summary_free(summary *all) {
    tallies_free(&all->formats);
    tallies_free(&all->versions);
    tallies_free(&all->classes);
    free(all->places);
    if (all->maps.data)
        stream_free(&all->maps);
    memset(all, 0, sizeof *all);
}
