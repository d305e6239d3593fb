/* SPDX-License-Identifier: MIT */
/* Scenes of maps: one map, or all that are placed in the world, by layers, with its warps. */
#include "../../../core/diagnose.h"
#include "../../../core/spelling.h"
#include "../sfa_names.h"
#include "sfa_map.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS    5
#define ELSEWHERE LAYERS /* for numbers that are not a layer */
#define TURN      6.28318530717958647692

static const char *const layer_names[LAYERS + 1] = {
    "deep_underground", "underground", "surface", "above", "space", "elsewhere"};

typedef struct world {
    mst_sfa_map_work work;
    mst_scene_builder *build;
    const mst_scene_options *options;
    const mst_document *document;
    mst_sfa_maps_cursor cursor; /* iterates over the document's maps */
    mst_sfa_map_view view;      /* the current map */
    mst_array maps;             /* mst_sfa_mst_sfa_placed_map */
    int32_t layers[LAYERS + 1]; /* their nodes; -1: not yet made */
} world;

/* ---- selecting maps ----------------------------------------------------------------------------- */

/* `name` is a number or the name of an object list; -1: no such map. */
static int number_of_map(const char *name) {
    bool digits = name[0] != 0;
    for (const char *p = name; *p; p++)
        digits = digits && *p >= '0' && *p <= '9';
    if (digits)
        return strlen(name) < 6 ? (int)strtol(name, NULL, 10) : -1;
    const mst_sfa_map *known = mst_sfa_map_of_list(name);
    return known ? known->number : -1;
}

static mst_sfa_placed_map *add_map(world *w, const mst_sfa_map_view *view) {
    mst_sfa_placed_map *added = mst_scene_push(w->build, &w->maps, 1);
    if (added) {
        memset(added, 0, sizeof *added);
        added->view = *view;
    }
    return added;
}

static bool view_of(world *w, int number, mst_sfa_map_view *view) {
    mst_sfa_maps_open(w->document, &w->cursor);
    while (mst_sfa_maps_next(&w->cursor, view))
        if ((int64_t)view->number == number)
            return true;
    return false;
}

/* An index into layer_names. */
static unsigned layer_of(int number) {
    return number >= -2 && number <= 2 ? (unsigned)(number + 2) : ELSEWHERE;
}

/* Adds the maps that are placed in the world, each at its first placement. */
static void take_placed(world *w, const mst_document *places) {
    mst_sfa_placement *rows;
    size_t count;
    if (mst_sfa_placements(places, &w->build->scratch, &rows, &count) != MST_OK)
        mst_scene_fail(w->build);
    mst_sfa_maps_open(w->document, &w->cursor);
    while (mst_scene_ok(w->build) && mst_sfa_maps_next(&w->cursor, &w->view)) {
        const mst_sfa_placement *row =
            w->view.form == MST_SFA_MAP_FULL ? mst_sfa_placement_of(rows, count, w->view.number) : NULL;
        mst_sfa_placed_map *map = row ? add_map(w, &w->view) : NULL;
        if (!map)
            continue;
        map->placed = true;
        map->grid_x = row->grid_x;
        map->grid_z = row->grid_z;
        map->layer = row->layer;
    }
}

/* Without placements, puts the maps side by side. */
static void take_all(world *w) {
    mst_sfa_maps_open(w->document, &w->cursor);
    int next = 0;
    while (mst_scene_ok(w->build) && mst_sfa_maps_next(&w->cursor, &w->view)) {
        mst_sfa_placed_map *map = w->view.form == MST_SFA_MAP_FULL ? add_map(w, &w->view) : NULL;
        if (!map)
            continue;
        map->grid_x = next + w->view.origin_x;
        map->grid_z = w->view.origin_z;
        next += w->view.columns + 1;
    }
}

/* Refuses a map that the file does not have; "expected" lists its maps. */
static mst_status refuse_map(world *w, mst_diagnostic *diagnostic) {
    const char *wanted = w->options->map, *nearest = NULL;
    unsigned least = UINT_MAX;
    mst_sfa_map_view view;
    mst_fail(diagnostic, MST_NO_PATH, "there is no map \"%s\"", wanted);
    if (!diagnostic)
        return MST_NO_PATH;
    size_t length = 0, capacity = sizeof diagnostic->expected;
    mst_sfa_maps_open(w->document, &w->cursor);
    while (mst_sfa_maps_next(&w->cursor, &view)) {
        const mst_sfa_map *one = view.form == MST_SFA_MAP_FULL ? mst_sfa_map_of((int)view.number) : NULL;
        unsigned distance = one ? mst_name_distance(wanted, one->list) : UINT_MAX;
        if (distance < least) {
            least = distance;
            nearest = one->list;
        }
        if (one && length + strlen(one->list) + sizeof ", " < capacity)
            length += (size_t)snprintf(diagnostic->expected + length, capacity - length, "%s%s",
                                       length ? ", " : "", one->list);
    }
    if (nearest)
        MST_SET(diagnostic->message, "there is no map \"%s\"; did you mean \"%s\"?", wanted, nearest);
    return MST_NO_PATH;
}

static mst_status choose_maps(world *w, mst_diagnostic *diagnostic, bool *all_placed) {
    *all_placed = true;
    if (w->options->map) {
        int number = number_of_map(w->options->map);
        if (number < 0 || !view_of(w, number, &w->view))
            return refuse_map(w, diagnostic);
        if (w->view.form != MST_SFA_MAP_FULL) { /* shows only the objects */
            w->view.columns = w->view.rows = w->view.origin_x = w->view.origin_z = 0;
            w->view.cell_count = 0;
        }
        add_map(w, &w->view);
        return MST_OK;
    }
    mst_document *places = mst_sfa_scene_open(&w->work.base, "", "globalma.bin", "sfa-globalma", NULL, 0);
    *all_placed = places != NULL;
    if (places)
        take_placed(w, places);
    else
        take_all(w);
    mst_close(places);
    return MST_OK;
}

/* ---- the world ---------------------------------------------------------------------------------- */

/* A layer's node, made on first use. */
static int32_t layer_node(world *w, unsigned layer) {
    if (w->layers[layer] < 0)
        w->layers[layer] = mst_scene_add_group(w->build, 0, layer_names[layer], layer_names[layer]);
    return w->layers[layer];
}

static void put_warp(world *w, int32_t group, unsigned number, const mst_sfa_warp *warp) {
    char name[32];
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_integer(&extras, "warp", number);
    mst_extras_integer(&extras, "layer", warp->layer);
    mst_extras_integer(&extras, "angle", warp->angle);
    mst_extras list = mst_extras_end(&extras);
    snprintf(name, sizeof name, "warp_%u", number);
    mst_node *node = mst_scene_node(w->build, mst_scene_add_node(w->build, group, name, MST_ROLE_ENTITY));
    if (!node)
        return;
    node->class_name = "warp";
    node->source = (mst_scene_source){"WARPTAB.bin", "warps", number};
    node->layer = "warps";
    node->extras = list;
    double turn = (warp->angle & 0xFF) * (TURN / 256);
    node->rotation[1] = (float)sin(turn / 2);
    node->rotation[3] = (float)cos(turn / 2);
    for (int k = 0; k < 3; k++)
        node->translation[k] = isfinite(warp->position[k]) ? warp->position[k] : 0;
}

static void put_warps(world *w) {
    int32_t groups[LAYERS + 1] = {-1, -1, -1, -1, -1, -1};
    mst_document *table = mst_sfa_scene_open(&w->work.base, "", "WARPTAB.bin", "sfa-warptab", NULL, 0);
    if (!table)
        return;
    mst_sfa_warp *warps;
    size_t count;
    if (mst_sfa_warps(table, &w->build->scratch, &warps, &count) != MST_OK)
        mst_scene_fail(w->build);
    mst_close(table);
    for (size_t i = 0; mst_scene_ok(w->build) && i < count; i++) {
        if (mst_sfa_warp_is_unused(&warps[i]))
            continue;
        unsigned layer = layer_of(warps[i].layer);
        if (groups[layer] < 0)
            groups[layer] = mst_scene_add_group(w->build, layer_node(w, layer), "warps", "warps");
        put_warp(w, groups[layer], (unsigned)i, &warps[i]);
    }
}

/* Lists the layers that have maps as storeys, if there are several. */
static void list_layers(world *w, mst_scene *settings) {
    int32_t *list = mst_scene_take(w->build, LAYERS + 1, sizeof *list);
    size_t count = 0;
    for (unsigned layer = 0; list && layer <= LAYERS; layer++)
        if (w->layers[layer] >= 0)
            list[count++] = w->layers[layer];
    settings->storeys = list;
    settings->storey_count = count > 1 ? count : 0;
}

static void put_all(world *w, mst_scene *settings) {
    const bool alone = w->work.alone;
    const mst_sfa_placed_map *maps = w->maps.items;
    for (unsigned layer = 0; layer <= LAYERS; layer++) {
        w->layers[layer] = -1;
        for (size_t i = 0; mst_scene_ok(w->build) && i < w->maps.count; i++)
            if (layer_of(maps[i].layer) == layer)
                mst_sfa_map_put(&w->work, alone ? 0 : layer_node(w, layer), &maps[i]);
    }
    if (alone || !mst_scene_ok(w->build))
        return;
    list_layers(w, settings);
    put_warps(w);
}

static void end_work(world *w) {
    mst_array_free(&w->maps);
    mst_sfa_map_work_end(&w->work);
}

mst_status mst_sfa_maps_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder build;
    mst_extras_builder extras;
    mst_scene settings = {.unit_metres = MST_SFA_METRES,
                          .grid_step = MST_SFA_BLOCK_EDGE * (float)MST_SFA_METRES,
                          .pictured = 1};
    char name[120];
    bool placed;
    options = mst_scene_start(&build, options, document->size, (float)MST_SFA_METRES);
    world *w = mst_scene_scratch(&build, 1, sizeof *w); /* too much for the stack */
    if (!w)
        return mst_scene_finish(&build, &settings, scene, diagnostic);
    w->build = &build;
    w->options = options;
    w->document = document;
    w->maps = mst_scene_array(&build, sizeof(mst_sfa_placed_map));
    mst_sfa_map_work_begin(&w->work, &build, options, document->size);
    mst_status status = choose_maps(w, diagnostic, &placed);
    if (status != MST_OK) {
        end_work(w);
        mst_scene_abandon(&build);
        return status;
    }
    const mst_sfa_placed_map *maps = w->maps.items;
    mst_sfa_map_work_open(&w->work);
    mst_sfa_scene_name(document, name, sizeof name);
    if (options->map && maps)
        mst_sfa_map_title(&w->work, maps->view.number, name);
    for (size_t i = 0; i < w->maps.count; i++)
        mst_sfa_use_blocks(&w->work.base, &w->work.used, &maps[i].view);
    mst_sfa_make_blocks(&w->work.base, &w->work.used);
    put_all(w, &settings);
    mst_extras_begin(&extras, &build);
    mst_extras_integer(&extras, "maps", (int64_t)w->maps.count);
    mst_extras_integer(&extras, "blocks", w->work.used.count);
    mst_extras_integer(&extras, "cells_with_blocks", w->work.cells_shown);
    if (w->work.cells_left_out)
        mst_extras_integer(&extras, "cells_not_shown", w->work.cells_left_out);
    if (!placed)
        mst_extras_string(&extras, "missing", "globalma.bin");
    settings.name = name;
    settings.format = document->format->information.id;
    settings.extras = mst_extras_end(&extras);
    settings.map = mst_scene_keep_map(&build, NULL, &w->work.lines);
    end_work(w);
    return mst_scene_finish(&build, &settings, scene, diagnostic);
}
