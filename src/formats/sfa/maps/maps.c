/* SPDX-License-Identifier: MIT */
/* MAPS.bin and MAPS.tab: the cells of all maps. Sources: public notes on the game's files and code
 * (https://github.com/RenaKunisaki/StarFoxAdventures/wiki/Maps), and measurements of the rows, headers and
 * cells of the retail file. */
#include "maps.h"
#include "../../../core/diagnose.h"
#include "../../../core/output.h"
#include "../../../edit/fix_findings.h"
#include "../../../tables/words.h"
#include "../packing/layout_text.h"
#include "../packing/pair.h"
#include "../scene/sfa_scene.h"
#include "../sfa.h"
#include "../sfa_names.h"

#define RECORDS(X) X(file) X(map) X(cell) X(rectangles) X(layer_row) X(pair) X(stub)
enum { RECORDS(RECORD_INDEX) };

#define ROW_WORDS MST_SFA_MAP_OFFSETS
#define INFO      0x38u
#define STUB      0x20u
#define RECTS     8u  /* size of a cell's rectangles in the file */
#define LAYERS    16u /* size of a row for other layers in the file */

#define CELL_PARSED 6u /* size of a parsed cell */

/* ---- parsing ---------------------------------------------------------------------------------- */

typedef enum section {
    AT_INFO,
    AT_CELLS,
    AT_CELL_RECTS,
    AT_VISIBLE_CELL_RECTS,
    AT_LAYER_RECTS,
    AT_VISIBLE_LAYER_RECTS,
    AT_OBJECT_LIST
} section;

typedef struct row {
    uint32_t at[ROW_WORDS];
    mst_sfa_map_form form;
    uint64_t end; /* of the stub; kept maps: the beginning of the map */
    uint32_t cells, layer_rows;
} row;

static row read_row(const mst_file_view *files, uint32_t number) {
    row r = {.form = MST_SFA_MAP_KEPT};
    bool rising = true, equal = true;
    for (uint32_t i = 0; i < ROW_WORDS; i++) {
        r.at[i] = mst_sfa_table_word(&files[1], number * ROW_WORDS + i);
        rising = rising && (i == 0 || r.at[i] >= r.at[i - 1]);
        equal = equal && r.at[i] == r.at[0];
    }
    r.end = r.at[AT_INFO];
    if (!rising || !mst_fits(r.at[AT_OBJECT_LIST], STUB, files[0].size))
        return r;
    uint64_t end = (uint64_t)r.at[AT_OBJECT_LIST] + STUB;
    if (equal) {
        r.form = MST_SFA_MAP_STUB_ONLY;
        r.end = end;
        return r;
    }
    uint32_t sizes[ROW_WORDS - 1];
    for (uint32_t i = 0; i + 1 < ROW_WORDS; i++)
        sizes[i] = r.at[i + 1] - r.at[i];
    if (sizes[AT_INFO] != INFO)
        return r;
    int columns = (int16_t)mst_load16(files[0].data + r.at[AT_INFO], true);
    int rows = (int16_t)mst_load16(files[0].data + r.at[AT_INFO] + 2, true);
    if (columns < 1 || rows < 1)
        return r;
    uint64_t cells = (uint64_t)columns * (uint64_t)rows;
    if (sizes[AT_CELLS] != 4 * cells || sizes[AT_CELL_RECTS] != RECTS * cells ||
        sizes[AT_VISIBLE_CELL_RECTS] != RECTS * cells || sizes[AT_LAYER_RECTS] % LAYERS ||
        sizes[AT_LAYER_RECTS] != sizes[AT_VISIBLE_LAYER_RECTS])
        return r;
    r.form = MST_SFA_MAP_FULL;
    r.end = end;
    r.cells = (uint32_t)cells;
    r.layer_rows = sizes[AT_LAYER_RECTS] / LAYERS;
    return r;
}

/* Whether the maps are in order, so that the gaps between them are known. */
static bool in_order(const mst_file_view *files, uint32_t count) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        row r = read_row(files, i);
        if (r.at[AT_INFO] < before || r.at[AT_INFO] > files[0].size)
            return false;
        before = r.end;
    }
    return true;
}

static void put_cells(mst_parsed_writer *w, const uint8_t *bytes, uint32_t count) {
    mst_parsed_number(w, count, 4);
    mst_parsed_units(w, bytes, CELL_PARSED, 4);
    for (uint32_t i = 0; i < count && w->status == MST_OK; i++) {
        uint32_t word = mst_load32(bytes + 4 * (size_t)i, true);
        uint8_t cell[CELL_PARSED] = {(uint8_t)(word >> 23 & 0xFF), (uint8_t)(word >> 17 & 0x3F),
                                     (uint8_t)(word & 0x7F)};
        mst_store16(cell + 3, (uint16_t)(word >> 7 & 0x3FF), true);
        cell[5] = (uint8_t)(word >> 31);
        mst_parsed_put(w, cell, sizeof cell);
    }
}

/* Each word holds two rectangles, the first in the low half. */
static void put_rectangles(mst_parsed_writer *w, const uint8_t *bytes, uint32_t count, unsigned words) {
    mst_parsed_number(w, count, 4);
    mst_parsed_units(w, bytes, 8, 4);
    for (size_t i = 0; i < (size_t)count * words && w->status == MST_OK; i++) {
        uint32_t word = mst_load32(bytes + 4 * i, true);
        uint8_t corners[8];
        for (unsigned k = 0; k < 8; k++) {
            unsigned shift = (k < 4 ? 0 : 16) + 4 * (3 - k % 4);
            corners[k] = (uint8_t)((word >> shift & 15) - 7);
        }
        mst_parsed_put(w, corners, sizeof corners);
    }
}

/* Writes the bytes after a map up to `next`; none if they are the usual zeros. */
static void put_gap(mst_parsed_writer *w, const mst_file_view *bin, uint64_t end, uint64_t next, bool last) {
    uint64_t standard = (16 - end % 16) % 16;
    if (last)
        standard += mst_sfa_padding(end + standard);
    uint64_t size = next - end;
    bool as_default = size == standard && mst_sfa_is_zero(bin->data + end, size);
    mst_parsed_counted(w, bin->data + end, as_default ? 0 : (size_t)size);
    mst_parsed_note(w, "padding", MST_BYTES_PADDING, bin->data + end, as_default ? size : 0);
}

/* Writes a map, without the bytes after it. */
static void put_map(mst_parsed_writer *w, const mst_file_view *bin, const row *r) {
    if (r->form == MST_SFA_MAP_FULL) {
        mst_parsed_bytes(w, bin->data + r->at[AT_INFO], INFO);
        put_cells(w, bin->data + r->at[AT_CELLS], r->cells);
        put_rectangles(w, bin->data + r->at[AT_CELL_RECTS], r->cells, 2);
        put_rectangles(w, bin->data + r->at[AT_VISIBLE_CELL_RECTS], r->cells, 2);
        put_rectangles(w, bin->data + r->at[AT_LAYER_RECTS], r->layer_rows, 4);
        put_rectangles(w, bin->data + r->at[AT_VISIBLE_LAYER_RECTS], r->layer_rows, 4);
    }
    mst_parsed_bytes(w, bin->data + r->at[AT_OBJECT_LIST], STUB);
}

static mst_status parse_maps(const mst_sfa_pair *pair, const mst_file_view *files, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic) {
    (void)pair;
    uint32_t words;
    mst_status status = mst_sfa_table_parse(w, &files[1], &words, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t count = words / ROW_WORDS;
    bool ordered = in_order(files, count);
    uint64_t taken = 0; /* limits the size if maps overlap */
    mst_parsed_number(w, count, 4);
    for (uint32_t i = 0; i < count && w->status == MST_OK; i++) {
        row r = read_row(files, i);
        const uint8_t *offsets = files[1].data + 4 * (size_t)ROW_WORDS * i;
        uint64_t next = files[0].size;
        if (ordered && i + 1 < count)
            next = read_row(files, i + 1).at[AT_INFO];
        if (r.form != MST_SFA_MAP_KEPT) {
            taken += r.end - r.at[AT_INFO];
            if (taken > files[0].size)
                r.form = MST_SFA_MAP_KEPT;
        }
        mst_parsed_from(w, (uint32_t)r.form, 1, offsets, 4 * ROW_WORDS);
        if (r.form == MST_SFA_MAP_KEPT) {
            for (uint32_t k = 0; k < ROW_WORDS; k++)
                mst_parsed_from(w, r.at[k], 4, offsets + 4 * (size_t)k, 4);
            mst_parsed_counted(w, ordered ? files[0].data + r.end : NULL,
                               ordered ? (size_t)(next - r.end) : 0);
            continue;
        }
        put_map(w, &files[0], &r);
        if (ordered)
            put_gap(w, &files[0], r.end, next, i + 1 == count);
        else
            mst_parsed_number(w, 0, 4);
    }
    mst_sfa_parse_padding(w, files[1].data, 4 * ((uint64_t)words + 1), files[1].size);
    mst_parsed_note(w, "offsets", MST_BYTES_DERIVED, files[1].data + 4 * (size_t)ROW_WORDS * count,
                    4 * (uint64_t)(words % ROW_WORDS));
    mst_sfa_table_notes(w, &files[1], words);
    return w->status == MST_OK
               ? MST_OK
               : mst_fail(diagnostic, w->status, "the maps need more memory than the limit allows");
}

/* ---- serializing ------------------------------------------------------------------------------------ */

static mst_status refuse(mst_diagnostic *diagnostic, uint32_t map, const char *where, const char *expected,
                         const char *message) {
    mst_fail(diagnostic, MST_REFUSED, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->path, "maps[%u].%s", map, where);
        MST_SET(diagnostic->expected, "%s", expected);
    }
    return MST_REFUSED;
}

static mst_status refuse_cell(mst_diagnostic *diagnostic, uint32_t map, uint32_t cell, const char *field,
                              const char *expected) {
    char where[48];
    mst_diagnostic_set(where, sizeof where, "cells[%u].%s", cell, field);
    return refuse(diagnostic, map, where, expected, "the number does not fit into the cell's field");
}

static mst_status serialize_cells(mst_parsed_reader *parsed, mst_parsed_writer *w, uint32_t map,
                                  uint64_t expected, mst_diagnostic *diagnostic) {
    uint32_t count = mst_parsed_read(parsed, 4);
    if (count != expected)
        return refuse(diagnostic, map, "cells", "columns times rows",
                      "the number of cells does not match the map's columns and rows");
    for (uint32_t i = 0; i < count && !parsed->failed && w->status == MST_OK; i++) {
        uint32_t mod = mst_parsed_read(parsed, 1), sub = mst_parsed_read(parsed, 1),
                 layers = mst_parsed_read(parsed, 1);
        uint32_t unknown = mst_parsed_read(parsed, 2), unused = mst_parsed_read(parsed, 1);
        if (sub > 0x3F)
            return refuse_cell(diagnostic, map, i, "sub", "0 to 63");
        if (layers > 0x7F)
            return refuse_cell(diagnostic, map, i, "layer_row", "0 to 127");
        if (unknown > 0x3FF)
            return refuse_cell(diagnostic, map, i, "unknown_7", "0 to 1023");
        if (unused > 1)
            return refuse_cell(diagnostic, map, i, "unused_31", "0 or 1");
        mst_parsed_number(w, unused << 31 | mod << 23 | sub << 17 | unknown << 7 | layers, 4);
    }
    return w->status;
}

static mst_status serialize_rectangles(mst_parsed_reader *parsed, mst_parsed_writer *w, uint32_t map,
                                       const char *list, uint32_t count, unsigned words,
                                       mst_diagnostic *diagnostic) {
    for (size_t i = 0; i < (size_t)count * words && !parsed->failed && w->status == MST_OK; i++) {
        const uint8_t *corners = mst_parsed_take(parsed, 8);
        uint32_t word = 0;
        for (unsigned k = 0; corners && k < 8; k++) {
            int corner = corners[k] < 128 ? corners[k] : corners[k] - 256;
            if (corner < -7 || corner > 8) {
                char where[48];
                mst_diagnostic_set(where, sizeof where, "%s[%zu]", list, i / words);
                return refuse(diagnostic, map, where, "-7 to 8", "a corner of the rectangle is out of range");
            }
            unsigned shift = (k < 4 ? 0 : 16) + 4 * (3 - k % 4);
            word |= (uint32_t)(corner + 7) << shift;
        }
        mst_parsed_number(w, word, 4);
    }
    return w->status;
}

static uint32_t offset_of(const mst_parsed_writer *w) {
    return (uint32_t)w->to->size; /* a file that is too large is refused at the end */
}

static mst_status serialize_full(mst_parsed_reader *parsed, mst_parsed_writer *w, uint32_t at[ROW_WORDS],
                                 uint32_t map, mst_diagnostic *diagnostic) {
    const uint8_t *info = mst_parsed_take(parsed, INFO);
    int columns = info ? (int16_t)mst_load16(info, true) : 0;
    int rows = info ? (int16_t)mst_load16(info + 2, true) : 0;
    if (!info)
        return MST_OK;
    if (columns < 1 || rows < 1)
        return refuse(diagnostic, map, columns < 1 ? "columns" : "rows", "1 or more", "the map has no cells");
    uint64_t cells = (uint64_t)columns * (uint64_t)rows;
    at[AT_INFO] = offset_of(w);
    mst_parsed_bytes(w, info, INFO);
    at[AT_CELLS] = offset_of(w);
    mst_status status = serialize_cells(parsed, w, map, cells, diagnostic);
    static const char *const lists[] = {"cell_rects", "visible_cell_rects", "layer_rects",
                                        "visible_layer_rects"};
    uint32_t layer_rows = 0;
    for (unsigned k = 0; k < 4 && status == MST_OK && !parsed->failed; k++) {
        uint32_t count = mst_parsed_read(parsed, 4);
        if (k < 2 && count != cells)
            return refuse(diagnostic, map, lists[k], "one for each cell",
                          "the number of rectangles differs from the number of cells");
        if (k == 2)
            layer_rows = count;
        if (k == 3 && count != layer_rows)
            return refuse(diagnostic, map, lists[k], "as many as layer_rects",
                          "the number of rows differs from the length of layer_rects");
        at[AT_CELL_RECTS + k] = offset_of(w);
        status = serialize_rectangles(parsed, w, map, lists[k], count, k < 2 ? 2 : 4, diagnostic);
    }
    return status;
}

static mst_status serialize_map(mst_parsed_reader *parsed, mst_parsed_writer *w, uint32_t at[ROW_WORDS],
                                uint32_t map, mst_diagnostic *diagnostic) {
    uint32_t kind = mst_parsed_read(parsed, 1), size;
    mst_status status = MST_OK;
    if (kind > MST_SFA_MAP_KEPT)
        return refuse(diagnostic, map, "form", "full, stub_only or kept", "the form is unknown");
    if (kind == MST_SFA_MAP_KEPT) {
        for (unsigned k = 0; k < ROW_WORDS; k++)
            at[k] = mst_parsed_read(parsed, 4);
        uint32_t moved = offset_of(w) - at[AT_INFO];
        const uint8_t *bytes = mst_parsed_read_counted(parsed, &size);
        for (unsigned k = 0; k < ROW_WORDS && size; k++)
            at[k] += moved;
        mst_parsed_bytes(w, bytes, size);
        for (unsigned k = 0; k < ROW_WORDS && w->status == MST_OK; k++)
            if (at[k] == 0xFFFFFFFF) {
                refuse(diagnostic, map, "offsets", "another offset",
                       "the offset 0xffffffff would end the table");
                return MST_STOPPED;
            }
        return w->status;
    }
    if (kind == MST_SFA_MAP_FULL)
        status = serialize_full(parsed, w, at, map, diagnostic);
    if (status != MST_OK)
        return status;
    at[AT_OBJECT_LIST] = offset_of(w);
    for (unsigned k = 0; kind == MST_SFA_MAP_STUB_ONLY && k < AT_OBJECT_LIST; k++)
        at[k] = at[AT_OBJECT_LIST];
    const uint8_t *stub = mst_parsed_take(parsed, STUB);
    if (stub)
        mst_parsed_bytes(w, stub, STUB);
    const uint8_t *gap = mst_parsed_read_counted(parsed, &size);
    if (size)
        mst_parsed_bytes(w, gap, size);
    else
        mst_parsed_zeros(w, (16 - w->to->size % 16) % 16);
    return w->status;
}

static mst_status serialize_maps(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                                 mst_diagnostic *diagnostic) {
    (void)pair;
    mst_parsed_writer bin = {.to = &files[0], .limit = UINT64_MAX},
                      table = {.to = &files[1], .limit = UINT64_MAX};
    uint32_t count = mst_parsed_read(parsed, 4);
    bool stopped = false;
    for (uint32_t i = 0; i < count && !parsed->failed; i++) {
        uint32_t at[ROW_WORDS] = {0};
        mst_status status = serialize_map(parsed, &bin, at, i, diagnostic);
        for (unsigned k = 0; k < ROW_WORDS; k++)
            mst_parsed_number(&table, at[k], 4);
        if (bin.status != MST_OK || table.status != MST_OK)
            return mst_fail(diagnostic, MST_NO_MEMORY, "out of memory while writing the maps");
        stopped = stopped || status == MST_STOPPED;
        if (status != MST_OK && status != MST_STOPPED)
            return status;
    }
    mst_parsed_zeros(&bin, (size_t)mst_sfa_padding(files[0].size));
    if (files[0].size >= UINT32_MAX)
        return mst_fail(diagnostic, MST_REFUSED, "the file becomes too large for the offsets in its table");
    mst_parsed_number(&table, (uint32_t)files[0].size, 4);
    mst_sfa_table_end(&table, parsed);
    if (parsed->failed)
        return mst_fail(diagnostic, MST_REFUSED, "the maps are incomplete");
    mst_status status = bin.status != MST_OK ? bin.status : table.status;
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "out of memory while writing the maps");
    return stopped ? MST_STOPPED : MST_OK;
}

static const mst_sfa_pair maps_pair = {.parse = parse_maps, .serialize = serialize_maps};

/* ---- tables ------------------------------------------------------------------------------------- */

#define R_FORM  11
#define FULL    .when = {{MST_EQUAL, R_FORM, MST_SFA_MAP_FULL}}
#define STUBS   .when = {{MST_BELOW, R_FORM, MST_SFA_MAP_KEPT}}
#define KEPT    .when = {{MST_EQUAL, R_FORM, MST_SFA_MAP_KEPT}}
#define CORNERS I8, FIXED(4), .unit = "cells"

static const mst_field cell_fields[] = {
    {.name = "mod", U8, .names = &mst_sfa_directory_names, .doc = "Directory of the block shown; 255: none."},
    {.name = "sub", U8, .doc = "Block within the directory, 0 to 63."},
    {.name = "layer_row",
     U8,
     REFERS({.target = "layer_rects", NO(127)}),
     .doc = "Which cells of other layers are loaded and drawn with it, 0 to 126."},
    {.name = "unknown_7", U16, .flags = MST_FIELD_DEFAULT, .doc = "10 bits that the game never reads."},
    {.name = "unused_31", U8, .flags = MST_FIELD_DEFAULT, .doc = "1 bit; 1 in cells that were never set."},
};
RECORD(cell, "cell", "a square of a map, 640 x 640 units");

static const mst_field rectangles_fields[] = {
    {.name = "a", CORNERS, .doc = "x0, z0, x1, z1, relative to the cell that the camera is in, -7 to 8."},
    {.name = "b", CORNERS, .doc = "The second rectangle, likewise."},
    {.name = "c", CORNERS, .doc = "The third rectangle, likewise."},
    {.name = "d", CORNERS, .doc = "The fourth rectangle, likewise."},
};
RECORD(rectangles, "rectangles",
       "up to four rectangles of cells around the camera's cell; one that ends before it begins is empty");

static const mst_field pair_fields[] = {
    {.name = "a", CORNERS, .doc = "x0, z0, x1, z1, relative to the cell that the camera is in, -7 to 8."},
    {.name = "b", CORNERS, .doc = "The second rectangle, likewise."},
};
RECORD(pair, "layer_rectangles", "two rectangles of cells on another layer");

#define PAIR .kind = MST_KIND_RECORD, .record = &pair
static const mst_field layer_row_fields[] = {
    {.name = "two_below", PAIR, .doc = "For two layers below the camera's."},
    {.name = "one_below", PAIR, .doc = "For the layer below."},
    {.name = "one_above", PAIR, .doc = "For the layer above."},
    {.name = "two_above", PAIR, .doc = "For two layers above."},
};
RECORD(layer_row, "layer_row", "rectangles of cells on the other layers");

static const mst_field stub_fields[] = {
    {.name = "magic", U32, .doc = "0xFACEFEED."},
    {.name = "unpacked_size", U32, .unit = "bytes", .doc = "Size of the unpacked object list."},
    {.name = "extra_size",
     U32,
     .unit = "bytes",
     .doc = "Size of the data between the list's header and the packed data."},
    {.name = "packed_size",
     U32,
     .unit = "bytes",
     .doc = "Size of the packed object list with its header, rounded up to a multiple of 32."},
    {.name = "unknown_10", U32, .doc = "Not known; 24 in packed files of this kind."},
    {.name = "unknown_14", U32, .doc = "Not known; extra_size and 28 in packed files of this kind."},
    {.name = "unknown_18", U32, .doc = "Not known: no description tells it from padding."},
    {.name = "unknown_1C", U32, .doc = "Not known: no description tells it from padding."},
};
RECORD(stub, "object_list_header",
       "a copy of the object list's header, by which the game allocates and unpacks the list");

static const mst_enum_name forms[] = {
    {MST_SFA_MAP_FULL, "full"}, {MST_SFA_MAP_STUB_ONLY, "stub_only"}, {MST_SFA_MAP_KEPT, "kept"}};
static const mst_field map_fields[] = {
    {.name = "form",
     U8,
     BIND(R_FORM),
     NAMES(forms),
     .doc = "stub_only: an unused map, just an object list's header; kept: the sections are invalid, and the "
            "bytes are kept unchanged."},
    {.name = "columns", I16, FULL, .unit = "cells", .doc = "Width of the map in x, 1 or more."},
    {.name = "rows",
     I16,
     FULL,
     .unit = "cells",
     .doc = "Depth in z, 1 or more. The game has room for 512 cells of a map."},
    {.name = "origin_x",
     I16,
     FULL,
     .doc = "Column of the cell whose corner is the map's (0, 0); it may be outside the map."},
    {.name = "origin_z", I16, FULL, .doc = "Row of that cell."},
    {.name = "object_list_size", U16, FULL, .unit = "bytes", .doc = "Size of the unpacked object list."},
    {.name = "unknown_0A", U16, FULL, .doc = "Not known; 0 in all maps of the game."},
    {.name = "unknown_0C", U32, FIXED(4), FULL, .doc = "0 in files: the running game keeps pointers here."},
    {.name = "object_count", I16, FULL, .doc = "Number of objects in the list."},
    {.name = "layer_row_count",
     U16,
     FULL,
     .doc = "Rows of layer_rects; in one retail map more than there are."},
    {.name = "unknown_20",
     .kind = MST_KIND_RAW,
     FIXED(24),
     FULL,
     .doc = "0 in files: the running game keeps pointers here."},
    {.name = "cells", LIST(cell), FULL, .doc = "Row by row: column + row * columns."},
    {.name = "cell_rects",
     LIST(rectangles),
     FULL,
     .doc = "For each cell: the cells to load when the camera is in it."},
    {.name = "visible_cell_rects", LIST(rectangles), FULL, .doc = "For each cell: the cells to draw."},
    {.name = "layer_rects",
     LIST(layer_row),
     FULL,
     .doc = "By the layer_row of cells: the cells of other layers to load."},
    {.name = "visible_layer_rects",
     LIST(layer_row),
     FULL,
     .doc = "The cells of other layers to draw; as many rows."},
    {.name = "object_list",
     .kind = MST_KIND_RECORD,
     .record = &stub,
     STUBS,
     .doc = "A copy of the header of the map's object list, which the game reads before that file."},
    {.name = "gap",
     BYTES,
     STUBS,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The bytes after the map; empty if they are zeros up to a multiple of 16 (32 after the last)."},
    {.name = "offsets", U32, FIXED(ROW_WORDS), KEPT, .doc = "Offsets of its sections in the table."},
    {.name = "bytes",
     BYTES,
     KEPT,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The bytes from the first section on."},
};
RECORD(map, "map", "a grid of cells, each with a block or empty");

static const mst_field file_fields[] = {
    {.name = "maps", LIST(map), .flags = MST_FIELD_NUMBERED, .doc = "By number."},
    MST_SFA_TAIL_FIELD,
    MST_SFA_ORIGINAL_FIELDS,
};
RECORD(file, "maps", "the grids of all maps");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_bindings *const bindings[] = {&mst_sfa_map_bindings, &mst_sfa_map_stub_bindings};

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)variant;
    return mst_sfa_pair_is_named(name, "MAPS");
}

/* ---- description --------------------------------------------------------------------------------- */

static mst_status describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                           mst_sink sink, mst_diagnostic *diagnostic) {
    (void)sidecars;
    if (strcmp(what, "maps") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "maps have no %s", what);
    mst_output out;
    mst_output_begin(&out, sink);
    mst_sfa_maps_cursor cursor;
    mst_sfa_maps_open(document, &cursor);
    mst_sfa_map_view view;
    unsigned empty = 0;
    while (mst_sfa_maps_next(&cursor, &view)) {
        empty += view.form == MST_SFA_MAP_STUB_ONLY;
        if (view.form == MST_SFA_MAP_STUB_ONLY)
            continue;
        const mst_sfa_map *known = view.number < MST_SFA_MAPS ? mst_sfa_map_of((int)view.number) : NULL;
        mst_output_format(&out, "%3u %-16s ", view.number, known ? known->list : "");
        if (view.form == MST_SFA_MAP_FULL) {
            uint32_t blocks = 0;
            for (uint32_t i = 0; i < view.cell_count; i++)
                blocks += mst_sfa_shows_block(mst_sfa_map_cell(&view, i));
            mst_output_format(&out, "%d x %d cells, %u with a block; %d %s", view.columns, view.rows, blocks,
                              view.object_count, view.object_count == 1 ? "object" : "objects");
        } else {
            mst_output_text(&out, "not understood");
        }
        if (known)
            mst_output_format(&out, "; \"%s\"", known->name);
        mst_output_text(&out, "\n");
    }
    if (empty)
        mst_output_format(&out, "%u %s without cells\n", empty, empty == 1 ? "map" : "maps");
    mst_status status = mst_output_end(&out);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the list of maps could not be written");
}

const mst_format mst_format_sfa_maps = {
    .information = {.id = "sfa-maps",
                    .title = "Star Fox Adventures maps",
                    .extensions = ".bin .tab",
                    .media_type = "",
                    .versions = "",
                    .rows = "maps",
                    .maps = "maps"},
    .tables.compared = mst_sfa_compared,
    .tables.root = &file,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = bindings,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .identity.big = true,
    .identity.probe = probe,
    MST_SFA_PAIR(maps_pair),
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-MAPS", [MST_PROBLEM_COUNT] = "SFA-MAPS"},
    .editing = &(const mst_edit_hooks){.reaches = mst_sfa_is_size_of_map, .resize = mst_sfa_resize_map},
    .set = &(const mst_set_rules){.names_elsewhere = {"cells", "blocks"}},
    .check.codes = &mst_sfa_maps_codes,
    .check.dangling = MST_DANGLING("SFA-INFO-OBJECTS", "SFA-INFO-SIZE", "SFA-STUB", "SFA-LAYER-ROWS",
                                   "SFA-CELL-FILE", "SFA-CELL-LAYER", "SFA-CELL-JUNK"),
    .check.fixes = MST_FIXES({"SFA-INFO-OBJECTS", "sets it to the number of objects in the list", NULL},
                             {"SFA-INFO-SIZE", "sets it to the size of the list", NULL},
                             {"SFA-STUB", "sets it to the list's", NULL},
                             {"SFA-LAYER-ROWS", "sets it to the number of layer_rects", NULL}),
    .content.describe = describe,
    .check.check = mst_sfa_check_maps,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| `cell.mod`, `cell.sub` | the block of the number `first_blocks[mod]` (`TRKBLK.tab`) plus `sub`: "
        "the entry of that number in the table `mod<N>.tab` of the directory (N is mod, from 5 on mod + 1), "
        "in its `VOXMAP.tab` and in `HITS.tab` |\n"
        "| place of a `map` | the same place in `MAPINFO.bin`; `map` and `links` of `globalma.bin`; the "
        "object list of its name |\n"
        "| place in `cells` | the same place in `cell_rects` and `visible_cell_rects` |\n"
        "| place in `layer_rects` | the same place in `visible_layer_rects` |\n"
        "| `object_list`, `object_list_size`, `object_count` | the sizes and the number of objects of that "
        "list |\n",
    .build_scene = mst_sfa_maps_scene,
    .tables.listed = MST_LISTED({"maps", "maps", NULL, "sfa.md 3.4"}, {"map", "cells", NULL, "sfa.md 3.4"},
                                {"map", "cell_rects", NULL, "sfa.md 3.4"},
                                {"map", "visible_cell_rects", NULL, "sfa.md 3.4"}),
    .tables.sources =
        MST_SFA_SOURCES("the rows, headers and cells of all 117 maps, and all rectangles of one"),
    .tables.introduction = "`MAPS.bin` and `MAPS.tab` of Star Fox Adventures (GameCube, 2002): one document. "
                           "Name either file; the other one is\n"
                           "found in the same directory. A cell gives a directory of the disc (`mod`) and a "
                           "block in it (`sub`); the number of the block is\n"
                           "`first_blocks[mod]` of `TRKBLK.tab` plus `sub`. The corner of a cell is at 640 * "
                           "(column - origin_x, row - origin_z)\n"
                           "on the map. The rectangles give the cells to load and to draw around the "
                           "camera's cell. Writing recomputes the offsets\n"
                           "and the table; an unusual layout is kept until an edit.\n",
    .tables.in_files = {
        MST_SFA_TEXT_TABLE
        "\n"
        "A row of the table has seven offsets into `MAPS.bin`: of the information (56 bytes: `columns` to "
        "`unknown_20`), the\n"
        "`cells`, `cell_rects`, `visible_cell_rects`, `layer_rects`, `visible_layer_rects` and the "
        "`object_list` (32 bytes). They\n"
        "ascend; a map of form stub_only has the same offset seven times. After the last row, one word gives "
        "the size of the file.\n"
        "There are columns times rows cells and rectangles of cells, and the size of `layer_rects` divided "
        "by 16 rows of layers.\n"
        "\n"
        "A cell is a u32: bits 0 to 6 `layer_row`, 7 to 16 `unknown_7`, 17 to 22 `sub`, 23 to 30 `mod`, bit "
        "31 `unused_31`. A u32\n"
        "holds two rectangles, the first in its low half; the four corners of a rectangle take four bits "
        "each from the highest\n"
        "on, plus 7: x0 = (half >> 12) - 7, z0 = (half >> 8 & 15) - 7, and so on. Cells have two such words "
        "(a, b; c, d), rows of\n"
        "layers four (two_below, one_below, one_above, two_above). Each map begins at a multiple of 16 "
        "bytes, and the file ends at\n"
        "one of 32.\n"}};
