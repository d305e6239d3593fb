/* SPDX-License-Identifier: MIT */
/* The grids of all maps (MAPS.bin and MAPS.tab), for readers that do without values. */
#ifndef MST_FORMATS_SFA_MAPS_H
#define MST_FORMATS_SFA_MAPS_H

#include "../../core/arena.h"
#include "../../schema/schema.h"
#include "parsed.h"

typedef enum mst_sfa_map_form {
    MST_SFA_MAP_FULL = 0,
    MST_SFA_MAP_STUB_ONLY, /* nothing but the header of its object list */
    MST_SFA_MAP_KEPT       /* its sections make no sense */
} mst_sfa_map_form;

#define MST_SFA_NO_BLOCK     0xFF /* a cell's mod */
#define MST_SFA_NO_LAYER_ROW 0x7F

typedef struct mst_sfa_cell {
    uint8_t mod; /* directory; MST_SFA_NO_BLOCK: the cell is empty */
    uint8_t sub; /* block within the directory */
    uint8_t layer_row;
    bool junk; /* memory that was never set: of no directory that there can be */
} mst_sfa_cell;

typedef struct mst_sfa_map_view {
    uint32_t number;
    mst_sfa_map_form parsed;
    /* of a full one: */
    int columns, rows;
    int origin_x, origin_z; /* the cell of which the corner is the map's (0, 0); may lie outside */
    unsigned object_list_size;
    int object_count;
    unsigned layer_row_count; /* as it says; layer_rows are stored */
    uint32_t cell_count;      /* columns * rows */
    uint32_t layer_rows;
    /* of a full one and one that is a stub: what the stub says of the packed object list */
    uint32_t unpacked_size, packed_size;
    /* of one that is kept */
    uint32_t offsets[7];
    /* where its record, its cells and its stub are in the form */
    uint64_t offset, cells_offset, stub_offset;
    const uint8_t *cells; /* cell_count of them */
} mst_sfa_map_view;

/* Goes through the maps of the form of a document of sfa-maps (its bytes). */
typedef struct mst_sfa_maps_cursor {
    mst_parsed_reader reader;
    uint32_t count, next;
} mst_sfa_maps_cursor;
mst_sfa_maps_cursor mst_sfa_maps_open(const uint8_t *parsed, uint64_t size);
/* The next map; false after the last. */
bool mst_sfa_maps_next(mst_sfa_maps_cursor *cursor, mst_sfa_map_view *view);
/* Cell `index`, column + row * columns, of a full map; it is below cell_count. */
mst_sfa_cell mst_sfa_map_cell(const mst_sfa_map_view *view, uint32_t index);

/* Bytes of a cell in the form. */
#define MST_SFA_CELL_SIZE 6u

/* Cells that are not empty, where globalma.bin places them in the world. */
typedef struct mst_sfa_place {
    int layer, x, z; /* on the grid: 640 units each */
    uint32_t map, cell;
    uint64_t offset; /* of the cell in the form */
} mst_sfa_place;
/* From the scratch, sorted; where several maps are at one place, by map: the game shows the first. `world` is
 * what globalma.bin holds. */
mst_status mst_sfa_place_cells(const uint8_t *parsed, uint64_t parsed_size, const uint8_t *world,
                               size_t world_size, mst_arena *scratch, mst_sfa_place **places, size_t *count);
/* The first that is there; NULL if nothing is. */
const mst_sfa_place *mst_sfa_place_at(const mst_sfa_place *places, size_t count, int layer, int x, int z);

#define MST_SFA_MAPS_CODES 13
extern const mst_code_information mst_sfa_maps_codes[MST_SFA_MAPS_CODES];
mst_status mst_sfa_check_maps(mst_checker *checker);

#endif
