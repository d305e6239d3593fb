/* SPDX-License-Identifier: MIT */
/*
 * Scenes of maps: sfa_world.c selects and places them, map_blocks.c makes the blocks that their cells show,
 * and sfa_map.c the nodes of a map.
 */
#ifndef MST_SFA_SCENE_SFA_MAP_H
#define MST_SFA_SCENE_SFA_MAP_H

#include "../maps/maps_world.h"
#include "../sfa_names.h"
#include "sfa_objects.h"
#include "sfa_scene.h"

/* ---- blocks of cells ----------------------------------------------------------------------------- */

#define MST_SFA_SUBS 64 /* blocks that cells can name in a directory */

/* A block that cells refer to. */
typedef struct mst_sfa_used_block {
    uint32_t number; /* in its bank's table and in HITS.tab */
    bool placed;
    mst_sfa_scene_block block;
    int32_t first_node;            /* of its first placement */
    int32_t first_line, last_line; /* the nodes of its lines there */
} mst_sfa_used_block;

typedef struct mst_sfa_used_directory {
    const char *bank, *textures;              /* their faults; NULL: none */
    mst_sfa_used_block *blocks[MST_SFA_SUBS]; /* NULL: no cell refers to it */
} mst_sfa_used_directory;

typedef struct mst_sfa_used_blocks {
    mst_sfa_first_blocks first_blocks; /* no directories: TRKBLK.tab is missing or unusable */
    mst_sfa_used_directory *directories[MST_SFA_DIRECTORIES]; /* NULL: no cell refers to it */
    uint32_t count;
} mst_sfa_used_blocks;

/* Records the blocks of a map's cells. */
void mst_sfa_use_blocks(mst_sfa_scene_work *w, mst_sfa_used_blocks *used, const mst_sfa_map_view *map);
/* Makes all recorded blocks. Each bank is opened once, and closed before the next one is opened. */
void mst_sfa_make_blocks(mst_sfa_scene_work *w, mst_sfa_used_blocks *used);

/* ---- maps ---------------------------------------------------------------------------------------- */

typedef struct mst_sfa_placed_map {
    mst_sfa_map_view view;
    int grid_x, grid_z, layer;
    bool placed; /* in the world */
} mst_sfa_placed_map;

/* A list of missing files, "a, b". */
typedef struct mst_sfa_missing {
    char text[900];
    size_t length;
} mst_sfa_missing;

typedef struct mst_sfa_map_work {
    mst_sfa_scene_work base;
    bool alone; /* one map, at its own coordinates */
    mst_sfa_used_blocks used;
    mst_document *titles, *hits_bank; /* NULL: missing or unusable */
    mst_array hits;                   /* mst_value: the lines of each block, by number */
    mst_array lines;                  /* mst_map_line: links between objects */
    int32_t hit_materials[MST_SFA_HIT_MATERIALS];
    uint32_t cells_shown, cells_left_out;
    mst_sfa_missing missing; /* of the map being added */
} mst_sfa_map_work;

void mst_sfa_map_work_begin(mst_sfa_map_work *w, mst_scene_builder *build, const mst_scene_options *options,
                            uint64_t size);
void mst_sfa_map_work_end(mst_sfa_map_work *w);
/* Opens the tables that all maps share. */
void mst_sfa_map_work_open(mst_sfa_map_work *w);

/* The title of a map: from MAPINFO.bin, else the name of its list. */
void mst_sfa_map_title(const mst_sfa_map_work *w, uint32_t number, char title[64]);
/* Adds the node of a map. */
void mst_sfa_map_put(mst_sfa_map_work *w, int32_t parent, const mst_sfa_placed_map *map);

#endif
