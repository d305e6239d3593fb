/* SPDX-License-Identifier: MIT */
/* The grids of all maps (MAPS.bin and MAPS.tab). */
#ifndef MST_FORMATS_SFA_MAPS_H
#define MST_FORMATS_SFA_MAPS_H

#include "../../../read/binding.h"
#include "../sfa_names.h"

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

typedef struct mst_sfa_map_stub {
    uint32_t magic, unpacked_size, packed_size;
} mst_sfa_map_stub;

typedef struct mst_sfa_map_view {
    uint32_t number;
    uint8_t form; /* mst_sfa_map_form */
    mst_value map;
    /* full maps: */
    int32_t columns, rows;
    int32_t origin_x, origin_z; /* the cell whose corner is the map's (0, 0); may be outside the map */
    uint16_t object_list_size;
    int16_t object_count;
    uint16_t layer_row_count; /* per the header; layer_rects are in the file */
    mst_value cells, layer_rects;
    uint32_t cell_count; /* columns * rows */
    mst_column mod, sub, layer_row, unused_31;
    /* full and stub-only maps: */
    mst_value object_list;
    mst_sfa_map_stub stub; /* the same, read */
    /* kept maps: */
    uint32_t offsets[MST_SFA_MAP_OFFSETS];
} mst_sfa_map_view;
extern const mst_bindings mst_sfa_map_bindings, mst_sfa_map_stub_bindings;

/* Iterates over the maps of an sfa-maps document. */
typedef struct mst_sfa_maps_cursor {
    mst_iterator maps;
    mst_bound map, stub;
    uint32_t next;
} mst_sfa_maps_cursor;
void mst_sfa_maps_open(const mst_document *document, mst_sfa_maps_cursor *cursor);
/* The next map; false after the last. */
bool mst_sfa_maps_next(mst_sfa_maps_cursor *cursor, mst_sfa_map_view *view);
/* Cell `index` of a full map: column + row * columns, below cell_count. */
mst_sfa_cell mst_sfa_map_cell(const mst_sfa_map_view *view, uint32_t index);
/* Whether the cell shows a block. */
static inline bool mst_sfa_shows_block(mst_sfa_cell cell) {
    return !cell.junk && cell.mod != MST_SFA_NO_BLOCK;
}

/* An id that an object of a map has: other than 0. */
typedef struct mst_sfa_placed_id {
    uint32_t id, map;
} mst_sfa_placed_id;
/* Adds the ids in an unpacked object list to an array. Fails only with MST_NO_MEMORY. */
mst_status mst_sfa_ids_add(mst_array *ids, uint32_t map, const uint8_t *list, uint64_t size);
/* Reports once that several maps share ids. Sorts the array. */
mst_status mst_sfa_ids_report(mst_checker *checker, const mst_array *ids);

/* Whether a path is the columns or rows of a map (editing.reaches); sets them, and resizes the cells and
 * their rectangles (editing.resize). New cells are to the right of and below the old ones, and are empty. */
bool mst_sfa_is_size_of_map(const char *path);
mst_status mst_sfa_resize_map(mst_document *document, const struct mst_operation *operation,
                              const struct mst_edit_options *options, mst_diagnostic *diagnostic);

extern const mst_codes mst_sfa_maps_codes;
mst_status mst_sfa_check_maps(mst_checker *checker);

#endif
