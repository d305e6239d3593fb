/* SPDX-License-Identifier: MIT */
#include "diff_picture.h"
#include "../inputs/paths.h"
#include <mapstone/diff.h>
#include <mapstone/picture.h>
#include <stdlib.h>
#include <string.h>

/* The elements that have changed, each once. */
typedef struct elements {
    mst_scene_change *items;
    size_t count, capacity;
} elements;

static char *path_of(const mst_difference *change, uint64_t index) {
    stream path = stream_memory();
    if (index == MST_NOWHERE)
        return NULL;
    print(&path, "%s[%llu]", change->list, (unsigned long long)index);
    put(&path, "", 1);
    return path.data;
}

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Changes of one element are consecutive. */
static mst_status take(void *user, const mst_difference *change) {
    elements *all = user;
    if (change->sort != MST_DIFFERENCE_CONTENT || !*change->list)
        return MST_OK;
    char *old = path_of(change, change->old_index), *now = path_of(change, change->new_index);
    const mst_scene_change *last = all->count ? &all->items[all->count - 1] : NULL;
    if (last && same_text(last->old_path, old) && same_text(last->new_path, now)) {
        free(old);
        free(now);
        return MST_OK;
    }
    if (!all->items || all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    all->items[all->count++] = (mst_scene_change){old, now, NULL};
    return MST_OK;
}

static void elements_free(elements *all) {
    for (size_t i = 0; i < all->count; i++) {
        free((char *)all->items[i].old_path);
        free((char *)all->items[i].new_path);
    }
    free(all->items);
}

static mst_status draw(source *sides[2], const elements *all, const char *name, mst_sink sink,
                       mst_diagnostic *why) {
    const mst_scene_options how = {.size = sizeof how, .no_textures = 1};
    mst_scene *scenes[2] = {NULL, NULL};
    mst_pixels picture = {0};
    mst_status status = mst_level_scene(sides[0]->level, &how, &scenes[0], why);
    if (status == MST_OK)
        status = mst_level_scene(sides[1]->level, &how, &scenes[1], why);
    if (status == MST_OK) {
        if (!scenes[1]->name || !*scenes[1]->name)
            scenes[1]->name = base_name(name);
        status = mst_scene_draw_changes(scenes[0], scenes[1], all->items, all->count, NULL, &picture, why);
    }
    if (status == MST_OK) {
        status = mst_pixels_write_png(&picture, sink, why);
        mst_pixels_free(&picture);
    }
    mst_scene_free(scenes[0]);
    mst_scene_free(scenes[1]);
    return status;
}

int diff_picture(source *old_source, source *new_source, const char *name, const char *path) {
    source *sides[2] = {old_source, new_source};
    elements all = {NULL, 0, 0};
    mst_diagnostic why;
    target out;
    mst_status status = mst_diff(old_source->document, new_source->document, NULL, take, &all, &why);
    int code =
        status == MST_OK ? target_begin(&out, path) ? EXIT_YES : EXIT_TROUBLE : say_diagnosis(name, &why);
    if (code == EXIT_YES) {
        status = draw(sides, &all, name, target_sink(&out), &why);
        code = target_settle(&out, status, name, &why);
    }
    elements_free(&all);
    return code;
}
