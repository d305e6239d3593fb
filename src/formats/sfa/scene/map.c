/* SPDX-License-Identifier: MIT */
/*
 * Scenes of maps: one map, or all that are placed in the world, with the blocks of their cells, and names,
 * objects, lines and warps from sidecars. Each bank of blocks is opened once, and closed before the next one
 * is opened.
 */
#include "../../../core/diagnose.h"
#include "../../present.h"
#include "../block/blocks.h"
#include "../maps/hits.h"
#include "../maps/world.h"
#include "../objects/objects.h"
#include "objects.h"
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODS       256
#define SUBS       64
#define LAYERS     5
#define ELSEWHERE  LAYERS /* for numbers that are not a layer */
#define TURN       6.28318530717958647692
#define NO_BLOCK   (-1)
#define TITLE_SIZE 28

static const char *const layer_names[LAYERS + 1] = {
    "deep_underground", "underground", "surface", "above", "space", "elsewhere"};

typedef struct placed_map {
    mst_sfa_map_view view;
    int grid_x, grid_z, layer_number;
    unsigned layer; /* index into layer_names */
    bool placed;    /* in the world */
} placed_map;

/* A block that cells refer to. */
typedef struct used_block {
    uint8_t mod, sub;
    uint32_t number; /* in its bank's table and in HITS.tab */
    bool made, placed;
    mst_sfa_scene_block block;
    int32_t first_node;            /* of its first placement */
    int32_t first_line, last_line; /* the nodes of its lines there */
} used_block;

typedef struct map_work {
    mst_sfa_scene_work base;
    const mst_document *document;
    const mst_scene_options *options;
    mst_sfa_maps_cursor cursor; /* goes over the document's maps */
    bool bounded;               /* the caller gave a budget */
    mst_array maps, blocks;
    int32_t *slots;                                 /* MODS x SUBS: index in blocks */
    const char **missing_banks, **missing_textures; /* MODS */
    mst_sfa_first_blocks first_blocks;
    mst_document *titles, *hits_bank; /* NULL: missing or unusable */
    mst_array hits;                   /* mst_value: the lines of each block, by number */
    mst_array lines;                  /* mst_map_line: links between objects */
    int32_t hit_materials[MST_SFA_HIT_MATERIALS];
    int32_t layers[LAYERS + 1];
    uint32_t cells_shown, cells_left_out;
} map_work;

/* Raises a default budget by the size of a sidecar. */
static void raise_budget(map_work *w, uint64_t size) {
    mst_arena *arena = &w->base.build->arena;
    if (!w->bounded)
        arena->budget = size < (SIZE_MAX - arena->budget) / 64 ? arena->budget + (size_t)size * 64 : SIZE_MAX;
}

/* ---- sidecars ----------------------------------------------------------------------------------- */

/* A file beside the level; NULL if it is missing or unusable. */
static mst_document *open_beside(const map_work *w, const char *name, const char *format) {
    char state[160];
    return mst_sfa_scene_open(&w->base, "", name, format, state, sizeof state);
}

static void read_first_blocks(map_work *w) {
    mst_document *table = open_beside(w, "TRKBLK.tab", "sfa-trkblk");
    if (table && mst_sfa_read_first_blocks(table, &w->base.build->scratch, &w->first_blocks) != MST_OK)
        mst_scene_fail(w->base.build);
    mst_close(table);
}

static void open_hits(map_work *w) {
    w->hits_bank = open_beside(w, "HITS.bin", "sfa-hits");
    if (!w->hits_bank)
        return;
    raise_budget(w, w->hits_bank->size);
    mst_value root = mst_root(w->hits_bank), blocks = mst_member_in(&root, "blocks"), block;
    mst_iterator it = mst_iterate(&blocks);
    while (mst_scene_ok(w->base.build) && mst_next(&it, &block)) {
        mst_value *lines = mst_array_push(&w->hits, 1);
        if (lines)
            *lines = mst_member_in(&block, "lines");
        else
            mst_scene_fail(w->base.build);
    }
}

/* The title of a map: from MAPINFO.bin, else the name of its list. */
static void title_of(const map_work *w, uint32_t number, char title[64]) {
    const mst_sfa_map *known = mst_sfa_map_of((int)number);
    mst_value root = mst_root(w->titles), maps, map;
    size_t length = 0;
    if (mst_member(&root, "maps", &maps) == MST_OK && mst_element(&maps, number, &map) == MST_OK) {
        mst_value name = mst_member_in(&map, "name");
        const uint8_t *bytes = mst_bytes_in(&name, TITLE_SIZE);
        for (; length < TITLE_SIZE && bytes[length]; length++)
            title[length] = bytes[length] >= ' ' && bytes[length] < 0x7F ? (char)bytes[length] : '_';
    }
    title[length] = 0;
    if (!length && known)
        snprintf(title, 64, "%s", known->list);
    else if (!length)
        snprintf(title, 64, "map_%u", (unsigned)number);
}

static void list_of(uint32_t number, char list[64]) {
    const mst_sfa_map *known = mst_sfa_map_of((int)number);
    if (known)
        snprintf(list, 64, "%s", known->list);
    else
        snprintf(list, 64, "map_%u", (unsigned)number);
}

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

static placed_map *add_map(map_work *w, const mst_sfa_map_view *view) {
    placed_map *added = mst_array_push(&w->maps, 1);
    if (!added) {
        mst_scene_fail(w->base.build);
        return NULL;
    }
    *added = (placed_map){.view = *view, .layer = 2};
    return added;
}

static bool view_of(map_work *w, int number, mst_sfa_map_view *view) {
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
static void take_placed(map_work *w, const mst_document *world) {
    mst_sfa_map_view view;
    mst_sfa_placement *rows;
    size_t count;
    if (mst_sfa_placements(world, &w->base.build->scratch, &rows, &count) != MST_OK)
        mst_scene_fail(w->base.build);
    mst_sfa_maps_open(w->document, &w->cursor);
    while (mst_scene_ok(w->base.build) && mst_sfa_maps_next(&w->cursor, &view)) {
        const mst_sfa_placement *row =
            view.form == MST_SFA_MAP_FULL ? mst_sfa_placement_of(rows, count, view.number) : NULL;
        placed_map *map = row ? add_map(w, &view) : NULL;
        if (!map)
            continue;
        map->placed = true;
        map->grid_x = row->grid_x;
        map->grid_z = row->grid_z;
        map->layer_number = row->layer;
        map->layer = layer_of(row->layer);
    }
}

/* Without placements, puts the maps side by side. */
static void take_all(map_work *w) {
    mst_sfa_map_view view;
    mst_sfa_maps_open(w->document, &w->cursor);
    int next = 0;
    while (mst_scene_ok(w->base.build) && mst_sfa_maps_next(&w->cursor, &view)) {
        placed_map *map = view.form == MST_SFA_MAP_FULL ? add_map(w, &view) : NULL;
        if (!map)
            continue;
        map->grid_x = next + view.origin_x;
        map->grid_z = view.origin_z;
        next += view.columns + 1;
    }
}

/* ---- blocks ------------------------------------------------------------------------------------- */

static void collect_blocks(map_work *w) {
    const placed_map *maps = w->maps.items;
    w->slots = mst_scene_scratch(w->base.build, (size_t)MODS * SUBS, sizeof *w->slots);
    w->missing_banks = mst_scene_scratch(w->base.build, MODS, sizeof *w->missing_banks);
    w->missing_textures = mst_scene_scratch(w->base.build, MODS, sizeof *w->missing_textures);
    if (!w->slots || !w->missing_banks || !w->missing_textures) {
        mst_scene_fail(w->base.build);
        return;
    }
    memset(w->slots, 0xFF, (size_t)MODS * SUBS * sizeof *w->slots);
    for (size_t m = 0; maps && m < w->maps.count; m++)
        for (uint32_t i = 0; i < maps[m].view.cell_count; i++) {
            mst_sfa_cell cell = mst_sfa_map_cell(&maps[m].view, i);
            if (cell.mod == MST_SFA_NO_BLOCK || cell.junk || MST_UNREACHABLE(cell.sub >= SUBS)) /* six bits */
                continue;
            int32_t *slot = &w->slots[cell.mod * SUBS + cell.sub];
            if (*slot != NO_BLOCK)
                continue;
            *slot = (int32_t)w->blocks.count;
            used_block *block = mst_array_push(&w->blocks, 1);
            if (!block) {
                mst_scene_fail(w->base.build);
                return;
            }
            *block = (used_block){.mod = cell.mod, .sub = cell.sub};
            if (w->first_blocks.directories)
                block->number = mst_sfa_block_number(&w->first_blocks, cell.mod, cell.sub);
        }
}

static const char *keep_text(map_work *w, const char *text) {
    return mst_scene_printf(w->base.build, "%s", text);
}

/* Makes the blocks with a number: several cells may mean the same block, as numbers are clamped. */
static void make_number(map_work *w, unsigned mod, uint32_t number, const uint8_t *image, uint64_t size,
                        const char *file, mst_sfa_scene_textures *textures) {
    used_block *blocks = w->blocks.items;
    const used_block *like = NULL;
    for (unsigned sub = 0; mst_scene_ok(w->base.build) && sub < SUBS; sub++) {
        int32_t slot = w->slots[mod * SUBS + sub];
        if (slot == NO_BLOCK || blocks[slot].number != number)
            continue;
        mst_scene_source source = {
            file, mst_scene_printf(w->base.build, MST_SFA_BANK_BLOCK, (unsigned)number), MST_NO_INDEX};
        if (like)
            blocks[slot].block = like->block;
        else
            mst_sfa_scene_block_make(&w->base, image, size, &source, textures, &blocks[slot].block);
        blocks[slot].made = blocks[slot].block.usable;
        like = &blocks[slot];
    }
}

static void make_directory(map_work *w, unsigned mod) {
    const mst_sfa_directory *directory = mst_sfa_directory_of((int)mod);
    char name[40], state[160];
    snprintf(name, sizeof name, "mod%d.zlb.bin", mst_sfa_file_number((int)mod));
    mst_document *bank =
        mst_sfa_scene_open(&w->base, directory->name, name, "sfa-blocks", state, sizeof state);
    if (!bank) {
        w->missing_banks[mod] = keep_text(w, state);
        return;
    }
    mst_sfa_scene_textures textures;
    mst_sfa_scene_textures_begin(&w->base, directory->name, &textures);
    raise_budget(w, bank->size + (textures.bank ? textures.bank->size : 0));
    if (!textures.bank)
        w->missing_textures[mod] = keep_text(w, textures.state);
    const char *file =
        mst_scene_printf(w->base.build, "%s%s%s", directory->name, directory->name[0] ? "/" : "", name);
    used_block *blocks = w->blocks.items;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(bank->data, bank->size, false);
    for (bool first = true; mst_scene_ok(w->base.build) && mst_sfa_bank_next(&cursor); first = false) {
        if (first &&
            !w->first_blocks.directories) /* without TRKBLK.tab, the bank's first block is its directory's */
            for (unsigned sub = 0; sub < SUBS; sub++)
                if (w->slots[mod * SUBS + sub] != NO_BLOCK)
                    blocks[w->slots[mod * SUBS + sub]].number = cursor.index + sub;
        if (!cursor.kept)
            make_number(w, mod, cursor.index, bank->data + cursor.content, cursor.content_size, file,
                        &textures);
    }
    mst_sfa_scene_textures_end(&textures);
    mst_close(bank);
}

static void make_blocks(map_work *w) {
    for (unsigned mod = 0; mst_scene_ok(w->base.build) && mod < MODS; mod++)
        for (unsigned sub = 0; sub < SUBS; sub++)
            if (w->slots[mod * SUBS + sub] != NO_BLOCK) {
                make_directory(w, mod);
                break;
            }
}

/* ---- maps --------------------------------------------------------------------------------------- */

/* A list of missing files, "a, b". */
typedef struct missing {
    char text[900];
    size_t length;
} missing;

static void add_missing(missing *m, const char *what) {
    static const char prefix[] = "not found: ";
    if (strncmp(what, prefix, sizeof prefix - 1) == 0)
        what += sizeof prefix - 1;
    if (m->length + strlen(what) + 3 >= sizeof m->text)
        return;
    m->length += (size_t)snprintf(m->text + m->length, sizeof m->text - m->length, "%s%s",
                                  m->length ? ", " : "", what);
}

/* Copies nodes below another parent. */
static void repeat_nodes(map_work *w, int32_t first, int32_t end, int32_t old_parent, int32_t parent) {
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
static void put_hits(map_work *w, int32_t node, used_block *block) {
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

/* The objects of a damaged list that are before the damage, as a list of their own; NULL: there are none. */
static mst_document *open_intact(const map_work *w, const char *name, mst_buffer *intact) {
    const mst_open_options options = {.format = "sfa-romlist", .name = name, .allocator = w->base.allocator};
    mst_document *list = NULL;
    const void *bytes;
    size_t size;
    uint64_t end;
    mst_sfa_entry entry;
    if (!mst_sfa_scene_find(&w->base, "", name, &bytes, &size))
        return NULL;
    const mst_file_view file = {bytes, size};
    if (mst_sfa_file_unpack(&file, &entry, intact) != MST_OK)
        return NULL;
    if (!mst_sfa_count_objects(intact->data, intact->size, &end))
        return NULL;
    return mst_open_memory(intact->data, (size_t)end, &options, &list, NULL) == MST_OK ? list : NULL;
}

/* Adds the objects of a map from its list. */
static void put_objects(map_work *w, int32_t node, const char *list, const float corner[3],
                        missing *lacking) {
    char name[96], state[160];
    mst_buffer intact = {.allocator = w->base.allocator};
    snprintf(name, sizeof name, "%s.romlist.zlb", list);
    mst_document *file = mst_sfa_scene_open(&w->base, "", name, "sfa-romlist", state, sizeof state);
    if (!file)
        file = open_intact(w, name, &intact);
    mst_value root = mst_root(file), objects;
    if (mst_member(&root, "objects", &objects) == MST_OK) {
        raise_budget(w, file->size);
        size_t first = w->lines.count, first_node = w->base.build->nodes.count;
        mst_sfa_scene_objects(w->base.build, node, &objects, keep_text(w, name), "objects",
                              !w->options->no_markers, &w->lines);
        /* a picture of the world has space only for the names of maps */
        for (size_t i = first_node; !w->options->map && i < w->base.build->nodes.count; i++)
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

static void put_cells(map_work *w, int32_t parent, const placed_map *map, bool labels, missing *lacking) {
    used_block *blocks = w->blocks.items;
    const mst_sfa_map_view *view = &map->view;
    uint8_t reported[MODS] = {0};
    const char *cells = mst_scene_printf(w->base.build, "maps[%u].cells", (unsigned)view->number);
    for (uint32_t i = 0; mst_scene_ok(w->base.build) && i < view->cell_count; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(view, i);
        char name[40];
        if (cell.mod == MST_SFA_NO_BLOCK)
            continue;
        int32_t slot = cell.junk ? NO_BLOCK : w->slots[cell.mod * SUBS + cell.sub];
        if (slot != NO_BLOCK && !reported[cell.mod]) {
            reported[cell.mod] = 1;
            if (w->missing_banks[cell.mod])
                add_missing(lacking, w->missing_banks[cell.mod]);
            if (w->missing_textures[cell.mod])
                add_missing(lacking, w->missing_textures[cell.mod]);
        }
        if (slot == NO_BLOCK || !blocks[slot].made) {
            w->cells_left_out++;
            continue;
        }
        int column = (int)(i % (uint32_t)view->columns) - view->origin_x;
        int row = (int)(i / (uint32_t)view->columns) - view->origin_z;
        float position[3] = {MST_SFA_BLOCK_EDGE * (float)column, 0, MST_SFA_BLOCK_EDGE * (float)row};
        snprintf(name, sizeof name, "block_%u_%u", cell.mod, cell.sub);
        int32_t node = mst_sfa_scene_block_place(&w->base, parent, name, position, &blocks[slot].block);
        mst_scene_set_source(w->base.build, node, "", cells, i);
        put_hits(w, node, &blocks[slot]);
        if (labels)
            mst_sfa_scene_label(&w->base, node, name, MST_SFA_BLOCK_EDGE / 2, MST_SFA_BLOCK_EDGE / 2);
        w->cells_shown++;
    }
}

/* The centre of a map's non-empty cells, in its coordinates; false if all are empty. */
static bool middle_of(const mst_sfa_map_view *view, float *x, float *z) {
    double sum_x = 0, sum_z = 0, count = 0;
    for (uint32_t i = 0; i < view->cell_count; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(view, i);
        if (cell.mod == MST_SFA_NO_BLOCK || cell.junk)
            continue;
        sum_x += (int)(i % (uint32_t)view->columns) - view->origin_x + 0.5;
        sum_z += (int)(i / (uint32_t)view->columns) - view->origin_z + 0.5;
        count++;
    }
    *x = count > 0 ? (float)(sum_x / count) * MST_SFA_BLOCK_EDGE : 0;
    *z = count > 0 ? (float)(sum_z / count) * MST_SFA_BLOCK_EDGE : 0;
    return count > 0;
}

static void put_map(map_work *w, int32_t parent, const placed_map *map, bool alone) {
    const mst_sfa_map_view *view = &map->view;
    const mst_sfa_map *known = mst_sfa_map_of((int)view->number);
    missing lacking = {.length = 0};
    char list[64], title[64];
    float x, z;
    list_of(view->number, list);
    title_of(w, view->number, title);
    int32_t index = mst_scene_add_node(w->base.build, parent, list, MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(w->base.build, index);
    if (!node)
        return;
    node->source = (mst_scene_source){.path = "maps", .index = view->number};
    float corner[3] = {0};
    if (!alone) {
        corner[0] = MST_SFA_BLOCK_EDGE * (float)map->grid_x;
        corner[2] = MST_SFA_BLOCK_EDGE * (float)map->grid_z;
        memcpy(node->translation, corner, sizeof corner);
    }
    uint32_t shown = w->cells_shown, left_out = w->cells_left_out;
    if (!alone && middle_of(view, &x, &z))
        mst_sfa_scene_label(&w->base, index, title, x, z);
    put_cells(w, index, map, alone, &lacking);
    if (known)
        put_objects(w, index, list, corner, &lacking);
    if (!w->hits_bank)
        add_missing(&lacking, "HITS.bin");
    if (!w->first_blocks.directories)
        add_missing(&lacking, "TRKBLK.tab");
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->base.build);
    mst_extras_integer(&extras, "map", view->number);
    mst_extras_text(&extras, "title", title, strlen(title));
    if (map->placed) {
        mst_extras_integer(&extras, "grid_x", map->grid_x);
        mst_extras_integer(&extras, "grid_z", map->grid_z);
        mst_extras_integer(&extras, "layer", map->layer_number);
    }
    mst_extras_integer(&extras, "columns", view->columns);
    mst_extras_integer(&extras, "rows", view->rows);
    mst_extras_integer(&extras, "origin_x", view->origin_x);
    mst_extras_integer(&extras, "origin_z", view->origin_z);
    mst_extras_integer(&extras, "cells_with_blocks", w->cells_shown - shown);
    if (w->cells_left_out > left_out)
        mst_extras_integer(&extras, "cells_not_shown", w->cells_left_out - left_out);
    if (lacking.length)
        mst_extras_text(&extras, "missing", lacking.text, lacking.length);
    mst_extras list_of_extras = mst_extras_end(&extras);
    if ((node = mst_scene_node(w->base.build, index)) != NULL)
        node->extras = list_of_extras;
}

/* ---- the world ---------------------------------------------------------------------------------- */

/* A layer's node, made on first use. */
static int32_t layer_node(map_work *w, unsigned layer) {
    if (w->layers[layer] >= 0)
        return w->layers[layer];
    int32_t index = mst_scene_add_node(w->base.build, 0, layer_names[layer], MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(w->base.build, index);
    if (node)
        node->layer = layer_names[layer];
    return w->layers[layer] = index;
}

static void put_warp(map_work *w, int32_t group, unsigned number, const mst_sfa_warp *warp) {
    char name[32];
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->base.build);
    mst_extras_integer(&extras, "warp", number);
    mst_extras_integer(&extras, "layer", warp->layer);
    mst_extras_integer(&extras, "angle", warp->angle);
    mst_extras list = mst_extras_end(&extras);
    snprintf(name, sizeof name, "warp_%u", number);
    mst_node *node =
        mst_scene_node(w->base.build, mst_scene_add_node(w->base.build, group, name, MST_ROLE_ENTITY));
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

static void put_warps(map_work *w) {
    int32_t groups[LAYERS + 1] = {-1, -1, -1, -1, -1, -1};
    mst_document *table = open_beside(w, "WARPTAB.bin", "sfa-warptab");
    if (!table)
        return;
    mst_sfa_warp *warps;
    size_t count;
    if (mst_sfa_warps(table, &w->base.build->scratch, &warps, &count) != MST_OK)
        mst_scene_fail(w->base.build);
    mst_close(table);
    for (size_t i = 0; mst_scene_ok(w->base.build) && i < count; i++) {
        if (mst_sfa_warp_is_unused(&warps[i]))
            continue;
        unsigned layer = layer_of(warps[i].layer);
        if (groups[layer] < 0) {
            int32_t on = layer_node(w, layer);
            groups[layer] = mst_scene_add_node(w->base.build, on, "warps", MST_ROLE_GROUP);
            mst_node *group = mst_scene_node(w->base.build, groups[layer]);
            if (group)
                group->layer = "warps";
        }
        put_warp(w, groups[layer], (unsigned)i, &warps[i]);
    }
}

/* Lists the layers that have maps as storeys, if there are several. */
static void list_layers(map_work *w, mst_scene *settings) {
    int32_t *list = mst_scene_take(w->base.build, LAYERS + 1, sizeof *list);
    size_t count = 0;
    for (unsigned layer = 0; list && layer <= LAYERS; layer++)
        if (w->layers[layer] >= 0)
            list[count++] = w->layers[layer];
    settings->storeys = list;
    settings->storey_count = count > 1 ? count : 0;
}

static void put_all(map_work *w, bool alone, mst_scene *settings) {
    const placed_map *maps = w->maps.items;
    for (unsigned layer = 0; layer <= LAYERS; layer++) {
        w->layers[layer] = -1;
        for (size_t i = 0; mst_scene_ok(w->base.build) && i < w->maps.count; i++)
            if (maps[i].layer == layer)
                put_map(w, alone ? 0 : layer_node(w, layer), &maps[i], alone);
    }
    if (alone || !mst_scene_ok(w->base.build))
        return;
    list_layers(w, settings);
    put_warps(w);
}

static mst_status choose_maps(map_work *w, mst_diagnostic *diagnostic, bool *all_placed) {
    mst_sfa_map_view view;
    *all_placed = true;
    if (w->options->map) {
        int number = number_of_map(w->options->map);
        if (number < 0 || !view_of(w, number, &view)) {
            mst_fail(diagnostic, MST_NO_PATH, "there is no map \"%s\"", w->options->map);
            return MST_NO_PATH;
        }
        if (view.form != MST_SFA_MAP_FULL) { /* shows only the objects */
            view.columns = view.rows = view.origin_x = view.origin_z = 0;
            view.cell_count = 0;
        }
        add_map(w, &view);
        return MST_OK;
    }
    mst_document *world = open_beside(w, "globalma.bin", "sfa-globalma");
    *all_placed = world != NULL;
    if (world)
        take_placed(w, world);
    else
        take_all(w);
    mst_close(world);
    return MST_OK;
}

static void end_work(map_work *w) {
    mst_array_free(&w->maps);
    mst_array_free(&w->blocks);
    mst_array_free(&w->hits);
    mst_array_free(&w->lines);
    mst_close(w->titles);
    mst_close(w->hits_bank);
    mst_sfa_scene_work_end(&w->base);
}

mst_status mst_sfa_maps_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder build;
    mst_extras_builder extras;
    mst_scene settings = {.unit_metres = (double)MST_SFA_METRES,
                          .grid_step = MST_SFA_BLOCK_EDGE * MST_SFA_METRES,
                          .pictured = 1};
    char name[120];
    bool placed;
    options = mst_scene_start(&build, options, document->size, MST_SFA_METRES);
    map_work *w = mst_scene_scratch(&build, 1, sizeof *w); /* too much for the stack */
    if (!w) {
        mst_scene_fail(&build);
        return mst_scene_finish(&build, &settings, scene, diagnostic);
    }
    w->document = document;
    w->options = options;
    w->bounded = options->budget != 0;
    mst_sfa_scene_work_begin(&w->base, &build, options);
    w->maps = mst_scene_array(&build, sizeof(placed_map));
    w->blocks = mst_scene_array(&build, sizeof(used_block));
    w->hits = mst_scene_array(&build, sizeof(mst_value));
    w->lines = mst_scene_array(&build, sizeof(mst_map_line));
    memset(w->hit_materials, 0xFF, sizeof w->hit_materials);
    mst_status status = choose_maps(w, diagnostic, &placed);
    if (status != MST_OK) {
        end_work(w);
        mst_scene_abandon(&build);
        return status;
    }
    w->titles = open_beside(w, "MAPINFO.bin", "sfa-mapinfo");
    read_first_blocks(w);
    mst_sfa_scene_name(document, name, sizeof name);
    if (options->map && w->maps.count)
        title_of(w, ((const placed_map *)w->maps.items)->view.number, name);
    open_hits(w);
    collect_blocks(w);
    if (mst_scene_ok(&build))
        make_blocks(w);
    if (mst_scene_ok(&build))
        put_all(w, options->map != NULL, &settings);
    mst_extras_begin(&extras, &build);
    mst_extras_integer(&extras, "maps", (int64_t)w->maps.count);
    mst_extras_integer(&extras, "blocks", (int64_t)w->blocks.count);
    mst_extras_integer(&extras, "cells_with_blocks", w->cells_shown);
    if (w->cells_left_out)
        mst_extras_integer(&extras, "cells_not_shown", w->cells_left_out);
    if (!placed)
        mst_extras_string(&extras, "missing", "globalma.bin");
    settings.name = name;
    settings.format = document->format->information.id;
    settings.extras = mst_extras_end(&extras);
    settings.map = mst_scene_keep_map(&build, NULL, &w->lines);
    end_work(w);
    return mst_scene_finish(&build, &settings, scene, diagnostic);
}
