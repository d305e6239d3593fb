/* SPDX-License-Identifier: MIT */
/* The world of all maps: their places by globalma.bin, and the blocks that their cells show. */
#ifndef MST_SFA_MAPS_MAPS_WORLD_H
#define MST_SFA_MAPS_MAPS_WORLD_H

#include "maps.h"

/* A row of globalma.bin. */
typedef struct mst_sfa_placement {
    int16_t grid_x, grid_z; /* of the map's origin cell on the grid of the world */
    int16_t layer, map, links[2];
} mst_sfa_placement;
extern const mst_bindings mst_sfa_placement_bindings;
/* The rows of an sfa-globalma document, from the arena. */
mst_status mst_sfa_placements(const mst_document *world, mst_arena *arena, mst_sfa_placement **rows,
                              size_t *count);
/* The first placement of a map; NULL: none. */
const mst_sfa_placement *mst_sfa_placement_of(const mst_sfa_placement *rows, size_t count, uint32_t map);

/* A row of WARPTAB.bin. */
typedef struct mst_sfa_warp {
    float position[3];
    int16_t layer, angle;
} mst_sfa_warp;
extern const mst_bindings mst_sfa_warp_bindings;
/* The rows of an sfa-warptab document, from the arena. */
mst_status mst_sfa_warps(const mst_document *table, mst_arena *arena, mst_sfa_warp **rows, size_t *count);
bool mst_sfa_warp_is_unused(const mst_sfa_warp *warp);

/* A non-empty cell, at its place in the world. */
typedef struct mst_sfa_place {
    int layer, x, z; /* on the grid: 640 units each */
    uint32_t map, cell;
    uint64_t offset, length; /* of the cell in the parsed bytes */
} mst_sfa_place;
/* All non-empty cells, from the scratch arena, sorted by place and then by map: where maps overlap, the game
 * shows the first. `world` is an sfa-globalma document. */
mst_status mst_sfa_place_cells(const mst_document *maps, const mst_document *world, mst_arena *scratch,
                               mst_sfa_place **places, size_t *count);
/* The first cell at a place; NULL: none. */
const mst_sfa_place *mst_sfa_place_at(const mst_sfa_place *places, size_t count, int layer, int x, int z);
/* Whether two cells are at the same place. */
bool mst_sfa_same_place(const mst_sfa_place *a, const mst_sfa_place *b);

/* The numbers of TRKBLK.tab: the first block of each directory, then the number of all blocks. */
typedef struct mst_sfa_first_blocks {
    uint16_t *numbers;
    uint32_t directories; /* numbers[directories] is the number of all blocks; 0: there are no numbers */
} mst_sfa_first_blocks;
/* The numbers of an sfa-trkblk document, from the arena. */
mst_status mst_sfa_read_first_blocks(const mst_document *document, mst_arena *arena,
                                     mst_sfa_first_blocks *blocks);
/* The number of a block, if there are directories. Like the game, takes the last directory for directories
 * that are not in the table, and the last block for numbers that are not in it. */
uint32_t mst_sfa_block_number(const mst_sfa_first_blocks *blocks, unsigned mod, unsigned sub);
/* The checked document is TRKBLK.tab. */
mst_status mst_sfa_check_block_counts(mst_checker *checker);

#endif
