/* SPDX-License-Identifier: MIT */
/* The grids of all maps (MAPS.bin and MAPS.tab), read straight from the parsed bytes. */
#ifndef MST_FORMATS_SFA_MAPS_H
#define MST_FORMATS_SFA_MAPS_H

#include "../../../core/arena.h"
#include "../../../schema/parsed.h"
#include "../../../schema/schema.h"

typedef enum mst_sfa_map_form {
    MST_SFA_MAP_FULL = 0,
    MST_SFA_MAP_STUB_ONLY, /* only the header of its object list */
    MST_SFA_MAP_KEPT       /* its sections are invalid */
} mst_sfa_map_form;

#define MST_SFA_NO_BLOCK     0xFF /* a cell's mod */
#define MST_SFA_NO_LAYER_ROW 0x7F

typedef struct mst_sfa_cell {
    uint8_t mod; /* directory; MST_SFA_NO_BLOCK: the cell is empty */
    uint8_t sub; /* block within the directory */
    uint8_t layer_row;
    bool junk; /* never set (uninitialized memory): its directory is impossible */
} mst_sfa_cell;

typedef struct mst_sfa_map_view {
    uint32_t number;
    mst_sfa_map_form form;
    /* full maps: */
    int columns, rows;
    int origin_x, origin_z; /* the cell whose corner is the map's (0, 0); may be outside the map */
    unsigned object_list_size;
    int object_count;
    unsigned layer_row_count; /* per the header; layer_rows are in the file */
    uint32_t cell_count;      /* columns * rows */
    uint32_t layer_rows;
    /* full and stub-only maps: the sizes of the object list, per its header */
    uint32_t unpacked_size, packed_size;
    /* kept maps: */
    uint32_t offsets[7];
    /* of the map's record, its cells and its stub in the parsed bytes */
    uint64_t offset, cells_offset, stub_offset;
    const uint8_t *cells; /* cell_count of them */
} mst_sfa_map_view;

/* Iterates over the maps of an sfa-maps document (its parsed bytes). */
typedef struct mst_sfa_maps_cursor {
    mst_parsed_reader reader;
    uint32_t count, next;
} mst_sfa_maps_cursor;
mst_sfa_maps_cursor mst_sfa_maps_open(const uint8_t *parsed, uint64_t size);
/* The next map; false after the last. */
bool mst_sfa_maps_next(mst_sfa_maps_cursor *cursor, mst_sfa_map_view *view);
/* Cell `index` of a full map: column + row * columns, below cell_count. */
mst_sfa_cell mst_sfa_map_cell(const mst_sfa_map_view *view, uint32_t index);

/* Size of a parsed cell. */
#define MST_SFA_CELL_SIZE 6u

/* A non-empty cell, at the place in the world that globalma.bin gives it. */
typedef struct mst_sfa_place {
    int layer, x, z; /* on the grid: 640 units each */
    uint32_t map, cell;
    uint64_t offset; /* of the cell in the parsed bytes */
} mst_sfa_place;
/* All of them, from the scratch arena, sorted by place and then by map: where maps overlap, the game shows
 * the first. `world` is the content of globalma.bin. */
mst_status mst_sfa_place_cells(const uint8_t *parsed, uint64_t parsed_size, const uint8_t *world,
                               size_t world_size, mst_arena *scratch, mst_sfa_place **places, size_t *count);
/* The first cell at a place; NULL: none. */
const mst_sfa_place *mst_sfa_place_at(const mst_sfa_place *places, size_t count, int layer, int x, int z);

extern const mst_codes mst_sfa_maps_codes;
mst_status mst_sfa_check_maps(mst_checker *checker);

#endif
