/* SPDX-License-Identifier: MIT */
/* The nodes of a map: its blocks, and objects, lines and its title from sidecars. */
#include "sfa_map.h"
#include "../../present.h"
#include "../block/blocks.h"
#include "../objects/objects.h"
#include "../sfa_names.h"
#include <stdio.h>
#include <string.h>

#define TITLE_SIZE 28

/* ---- sidecars ----------------------------------------------------------------------------------- */

void mst_sfa_map_work_begin(mst_sfa_map_work *w, mst_scene_builder *build, const mst_scene_options *options,
                            uint64_t size) {
    mst_sfa_scene_work_begin(&w->base, build, options, size);
    w->alone = options->map != NULL;
    w->hits = mst_scene_array(build, sizeof(mst_value));
    w->lines = mst_scene_array(build, sizeof(mst_map_line));
    memset(w->hit_materials, 0xFF, sizeof w->hit_materials);
}

void mst_sfa_map_work_end(mst_sfa_map_work *w) {
    mst_array_free(&w->hits);
    mst_array_free(&w->lines);
    mst_close(w->titles);
    mst_close(w->hits_bank);
    mst_sfa_scene_work_end(&w->base);
}

void mst_sfa_map_work_open(mst_sfa_map_work *w) {
    mst_scene_builder *build = w->base.build;
    w->titles = mst_sfa_scene_open(&w->base, "", "MAPINFO.bin", "sfa-mapinfo", NULL, 0);
    w->hits_bank = mst_sfa_scene_open(&w->base, "", "HITS.bin", "sfa-hits", NULL, 0);
    mst_document *table = mst_sfa_scene_open(&w->base, "", "TRKBLK.tab", "sfa-trkblk", NULL, 0);
    if (table && mst_sfa_read_first_blocks(table, &build->scratch, &w->used.first_blocks) != MST_OK)
        mst_scene_fail(build);
    mst_close(table);
    mst_value root = mst_root(w->hits_bank), blocks, block;
    if (mst_member(&root, "blocks", &blocks) != MST_OK)
        return;
    for (mst_iterator it = mst_iterate(&blocks); mst_scene_ok(build) && mst_next(&it, &block);) {
        mst_value *lines = mst_scene_push(build, &w->hits, 1);
        if (lines)
            *lines = mst_member_in(&block, "lines");
    }
}

static void list_of(uint32_t number, char list[64]) {
    const mst_sfa_map *known = mst_sfa_map_of((int)number);
    if (known)
        snprintf(list, 64, "%s", known->list);
    else
        snprintf(list, 64, "map_%u", (unsigned)number);
}

void mst_sfa_map_title(const mst_sfa_map_work *w, uint32_t number, char title[64]) {
    mst_value root = mst_root(w->titles), maps, map;
    size_t length = 0;
    if (mst_member(&root, "maps", &maps) == MST_OK && mst_element(&maps, number, &map) == MST_OK) {
        mst_value name = mst_member_in(&map, "name");
        const uint8_t *bytes = mst_bytes_in(&name, TITLE_SIZE);
        for (; length < TITLE_SIZE && bytes[length]; length++)
            title[length] = bytes[length] >= ' ' && bytes[length] < 0x7F ? (char)bytes[length] : '_';
    }
    title[length] = 0;
    if (!length)
        list_of(number, title);
}

/* ---- nodes -------------------------------------------------------------------------------------- */

static void add_missing(mst_sfa_missing *m, const char *what) {
    static const char prefix[] = "not found: ";
    if (strncmp(what, prefix, sizeof prefix - 1) == 0)
        what += sizeof prefix - 1;
    if (m->length + strlen(what) + 3 >= sizeof m->text)
        return;
    m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, "%s%s",
                                  m->length ? ", " : "", what);
}

/* Copies nodes below another parent. */
static void repeat_nodes(mst_sfa_map_work *w, int32_t first, int32_t end, int32_t old_parent,
                         int32_t parent) {
    for (int32_t i = first; mst_scene_ok(w->base.build) && i < end; i++) {
        mst_node copy = *mst_scene_node(w->base.build, i);
        copy.parent = copy.parent == old_parent ? parent : copy.parent;
        int32_t index = mst_scene_add_node(w->base.build, parent, "", copy.role);
        mst_node *node = mst_scene_node(w->base.build, index);
        if (copy.parent < end) /* one of the copied nodes */
            copy.parent += index - i;
        if (node)
            *node = copy;
    }
}

/* Adds the lines of a block below its node; made once and copied for other placements. */
static void put_hits(mst_sfa_map_work *w, int32_t node, mst_sfa_used_block *block) {
    const mst_value *entries = w->hits.items;
    if (block->placed) {
        repeat_nodes(w, block->first_line, block->last_line, block->first_node, node);
        return;
    }
    block->placed = true;
    block->first_node = node;
    block->first_line = block->last_line = (int32_t)w->base.build->nodes.count;
    if (block->number >= w->hits.count || !mst_count(&entries[block->number]))
        return;
    uint32_t count;
    const mst_sfa_hit *lines = mst_sfa_hits_of(&entries[block->number], &w->base.build->scratch, &count);
    if (!lines) {
        mst_scene_fail(w->base.build);
        return;
    }
    mst_scene_source source = {"HITS.bin",
                               mst_scene_printf(w->base.build, "blocks[%u].lines", (unsigned)block->number),
                               MST_NO_INDEX};
    mst_sfa_scene_hits(w->base.build, node, lines, count, "hits", &source, w->hit_materials);
    block->last_line = (int32_t)w->base.build->nodes.count;
}

/* The objects of a damaged list that are before the damage, as a separate list; NULL: none. */
static mst_document *open_intact(const mst_sfa_map_work *w, const char *name, const mst_file_view *file,
                                 mst_buffer *intact) {
    const mst_open_options options = {.size = sizeof options,
                                      .format = "sfa-romlist",
                                      .name = name,
                                      .allocator = w->base.build->arena.allocator};
    mst_document *list = NULL;
    uint64_t end;
    mst_sfa_entry entry;
    if (mst_sfa_file_unpack(file, &entry, intact) != MST_OK ||
        !mst_sfa_count_objects(intact->data, intact->size, &end))
        return NULL;
    return mst_open_memory(intact->data, (size_t)end, &options, &list, NULL) == MST_OK ? list : NULL;
}

/* Adds the objects of a map from its list. */
static void put_objects(mst_sfa_map_work *w, int32_t node, const char *list, const float corner[3],
                        mst_sfa_missing *lacking) {
    char name[MST_SFA_LIST_FILE], state[160];
    mst_file_view found;
    mst_buffer intact = {.allocator = w->base.build->arena.allocator};
    bool exists = mst_sfa_find_list(w->base.options.sidecars, list, name, &found);
    mst_document *file = mst_sfa_scene_open(&w->base, "", name, "sfa-romlist", state, sizeof state);
    if (!file && exists)
        file = open_intact(w, name, &found, &intact);
    mst_value root = mst_root(file), objects;
    if (mst_member(&root, "objects", &objects) == MST_OK) {
        size_t first = w->lines.count, first_node = w->base.build->nodes.count;
        mst_sfa_scene_objects(w->base.build, node, &objects, mst_scene_printf(w->base.build, "%s", name),
                              "objects", !w->base.options.no_markers, &w->lines);
        /* a picture of the world only has space for the names of maps */
        for (size_t i = first_node; !w->alone && i < w->base.build->nodes.count; i++)
            ((mst_node *)w->base.build->nodes.items)[i].label = "";
        mst_map_line *lines = w->lines.items;
        for (size_t i = first; i < w->lines.count; i++)
            for (int axis = 0; axis < 3; axis++) {
                lines[i].from[axis] += corner[axis];
                lines[i].to[axis] += corner[axis];
            }
    } else if (file) {
        snprintf(state, sizeof state, "not understood: %s", name);
    }
    if (state[0])
        add_missing(lacking, state);
    mst_close(file);
    mst_buffer_free(&intact);
}

static void put_cells(mst_sfa_map_work *w, int32_t parent, const mst_sfa_map_view *view,
                      mst_sfa_missing *lacking) {
    bool reported[MST_SFA_DIRECTORIES] = {false};
    const char *cells = mst_scene_printf(w->base.build, "maps[%u].cells", (unsigned)view->number);
    for (uint32_t i = 0; mst_scene_ok(w->base.build) && i < view->cell_count; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(view, i);
        char name[40];
        if (cell.mod == MST_SFA_NO_BLOCK)
            continue;
        const mst_sfa_used_directory *directory = cell.junk ? NULL : w->used.directories[cell.mod];
        if (directory && !reported[cell.mod]) {
            reported[cell.mod] = true;
            if (directory->bank)
                add_missing(lacking, directory->bank);
            if (directory->textures)
                add_missing(lacking, directory->textures);
        }
        mst_sfa_used_block *block = directory ? directory->blocks[cell.sub] : NULL;
        if (!block || !block->block.usable) {
            w->cells_left_out++;
            continue;
        }
        int column = (int)(i % (uint32_t)view->columns) - view->origin_x;
        int row = (int)(i / (uint32_t)view->columns) - view->origin_z;
        float position[3] = {MST_SFA_BLOCK_EDGE * (float)column, 0, MST_SFA_BLOCK_EDGE * (float)row};
        snprintf(name, sizeof name, "block_%u_%u", cell.mod, cell.sub);
        int32_t node = mst_sfa_scene_block_place(&w->base, parent, name, position, &block->block);
        mst_scene_set_source(w->base.build, node, "", cells, i);
        put_hits(w, node, block);
        if (w->alone)
            mst_sfa_scene_label(&w->base, node, name, MST_SFA_BLOCK_EDGE / 2, MST_SFA_BLOCK_EDGE / 2);
        w->cells_shown++;
    }
}

/* The centre of a map's non-empty cells, in its coordinates; false if all are empty. */
static bool middle_of(const mst_sfa_map_view *view, float *x, float *z) {
    double sum_x = 0, sum_z = 0, count = 0;
    for (uint32_t i = 0; i < view->cell_count; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(view, i);
        if (!mst_sfa_shows_block(cell))
            continue;
        sum_x += (int)(i % (uint32_t)view->columns) - view->origin_x + 0.5;
        sum_z += (int)(i / (uint32_t)view->columns) - view->origin_z + 0.5;
        count++;
    }
    *x = count > 0 ? (float)(sum_x / count) * MST_SFA_BLOCK_EDGE : 0;
    *z = count > 0 ? (float)(sum_z / count) * MST_SFA_BLOCK_EDGE : 0;
    return count > 0;
}

void mst_sfa_map_put(mst_sfa_map_work *w, int32_t parent, const mst_sfa_placed_map *map) {
    const mst_sfa_map_view *view = &map->view;
    const mst_sfa_map *known = mst_sfa_map_of((int)view->number);
    mst_sfa_missing *lacking = &w->missing;
    lacking->length = 0;
    char list[64], title[64];
    float x, z;
    list_of(view->number, list);
    mst_sfa_map_title(w, view->number, title);
    int32_t index = mst_scene_add_node(w->base.build, parent, list, MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(w->base.build, index);
    if (!node)
        return;
    node->source = (mst_scene_source){.path = "maps", .index = view->number};
    float corner[3] = {0};
    if (!w->alone) {
        corner[0] = MST_SFA_BLOCK_EDGE * (float)map->grid_x;
        corner[2] = MST_SFA_BLOCK_EDGE * (float)map->grid_z;
        memcpy(node->translation, corner, sizeof corner);
    }
    uint32_t shown = w->cells_shown, left_out = w->cells_left_out;
    if (!w->alone && middle_of(view, &x, &z))
        mst_sfa_scene_label(&w->base, index, title, x, z);
    put_cells(w, index, view, lacking);
    if (known)
        put_objects(w, index, list, corner, lacking);
    if (!w->hits_bank)
        add_missing(lacking, "HITS.bin");
    if (!w->used.first_blocks.directories)
        add_missing(lacking, "TRKBLK.tab");
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->base.build);
    mst_extras_integer(&extras, "map", view->number);
    mst_extras_text(&extras, "title", title, strlen(title));
    if (map->placed) {
        mst_extras_integer(&extras, "grid_x", map->grid_x);
        mst_extras_integer(&extras, "grid_z", map->grid_z);
        mst_extras_integer(&extras, "layer", map->layer);
    }
    mst_extras_integer(&extras, "columns", view->columns);
    mst_extras_integer(&extras, "rows", view->rows);
    mst_extras_integer(&extras, "origin_x", view->origin_x);
    mst_extras_integer(&extras, "origin_z", view->origin_z);
    mst_extras_integer(&extras, "cells_with_blocks", w->cells_shown - shown);
    if (w->cells_left_out > left_out)
        mst_extras_integer(&extras, "cells_not_shown", w->cells_left_out - left_out);
    if (lacking->length)
        mst_extras_text(&extras, "missing", lacking->text, lacking->length);
    mst_extras list_of_extras = mst_extras_end(&extras);
    if ((node = mst_scene_node(w->base.build, index)) != NULL)
        node->extras = list_of_extras;
}
