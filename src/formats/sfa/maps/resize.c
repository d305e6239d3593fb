/* SPDX-License-Identifier: MIT */
/* Changing the columns or rows of a map: its cells and the two lists about them grow or shrink with it. */
#include "../../../core/diagnose.h"
#include "../../../edit/single_edit.h"
#include "../../../files/parsed.h"
#include "../../../tables/fields.h"
#include "../../present.h"
#include "maps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_MAX 512u /* the maximum in the game */

typedef struct resize_state {
    mst_document *document;
    const mst_edit_options *options;
    mst_diagnostic *diagnostic;
    mst_sfa_map_view map;
    uint32_t columns, rows; /* the new ones */
    uint64_t lost;          /* removed cells with a block */
} resize_state;

bool mst_sfa_is_size_of_map(const char *path) {
    return strcmp(mst_last_name(path), "columns") == 0 || strcmp(mst_last_name(path), "rows") == 0;
}

/* The number that the operation sets; 0: it is not valid for a map. */
static uint32_t number_of(const char *json) {
    char *end;
    long number = strtol(json, &end, 10);
    return *end || end == json || number < 1 || number > INT16_MAX ? 0 : (uint32_t)number;
}

/* Finds the map whose columns or rows are set, and its new size; false: no special handling is needed. */
static bool find_map(resize_state *r, const mst_operation *operation) {
    mst_value value;
    uint32_t number = number_of(operation->value);
    if (!mst_sfa_is_size_of_map(operation->path) || !number ||
        mst_find(mst_root(r->document), operation->path, &value, NULL) != MST_OK)
        return false;
    mst_sfa_maps_cursor cursor;
    mst_sfa_maps_open(r->document, &cursor);
    while (mst_sfa_maps_next(&cursor, &r->map))
        if (r->map.form == MST_SFA_MAP_FULL && value.offset >= r->map.map.offset &&
            value.offset < r->map.cells.offset)
            break;
    if (!r->map.cell_count)
        return false;
    bool columns = strcmp(mst_last_name(operation->path), "columns") == 0;
    r->columns = columns ? number : (uint32_t)r->map.columns;
    r->rows = columns ? (uint32_t)r->map.rows : number;
    return true;
}

static mst_status say(const resize_state *r, mst_severity severity, uint32_t cell, const char *message) {
    mst_diagnostic line = {.severity = severity, .offset = MST_NO_OFFSET};
    if (!r->options || !r->options->report)
        return MST_OK;
    MST_SET(line.path, "maps[%u].cells[%u]", (unsigned)r->map.number, (unsigned)cell);
    MST_SET(line.message, "%s", message);
    return r->options->report(r->options->user, &line);
}

static mst_status refuse(const resize_state *r, const char *message, const char *expected) {
    mst_fail(r->diagnostic, MST_REFUSED, "%s", message);
    if (r->diagnostic) {
        MST_SET(r->diagnostic->path, "maps[%u].cells", (unsigned)r->map.number);
        MST_SET(r->diagnostic->expected, "%s", expected);
    }
    return MST_REFUSED;
}

/* Checks that the removed cells are empty, or may be removed anyway. */
static mst_status check_lost(resize_state *r) {
    bool cascade = r->options && r->options->cascade;
    uint32_t columns = (uint32_t)r->map.columns;
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < r->map.cell_count && status == MST_OK; i++) {
        bool stays = i % columns < r->columns && i / columns < r->rows;
        if (stays || !mst_sfa_shows_block(mst_sfa_map_cell(&r->map, i)))
            continue;
        r->lost++;
        status = cascade ? say(r, MST_INFORMATION, i, "also removed: the map is smaller")
                         : say(r, MST_ERROR, i, "shows a block, and would be removed");
    }
    return status == MST_OK && r->lost && !cascade ? refuse(r, "cells that would be removed show blocks", "")
                                                   : status;
}

/* Writes one of the lists with an element for each cell, of `size` bytes, for the new size. */
static void put_list(const resize_state *r, mst_parsed_writer *w, const char *name, const uint8_t *fresh,
                     size_t size) {
    mst_value list = mst_member_in(&r->map.map, name);
    const uint8_t *elements = r->document->data + list.offset + 4; /* after the count */
    uint32_t columns = (uint32_t)r->map.columns, rows = (uint32_t)r->map.rows;
    mst_parsed_number(w, r->columns * r->rows, 4);
    for (uint32_t i = 0; i < r->columns * r->rows; i++) {
        uint32_t column = i % r->columns, row = i / r->columns;
        bool old = column < columns && row < rows;
        mst_parsed_put(w, old ? elements + size * (column + (size_t)row * columns) : fresh, size);
    }
}

static mst_status rebuild(const resize_state *r) {
    static const uint8_t cell[6] = {MST_SFA_NO_BLOCK, 0, MST_SFA_NO_LAYER_ROW}, rectangles[16] = {0};
    mst_document *document = r->document;
    mst_buffer bytes = {.allocator = document->allocator};
    mst_parsed_writer w = {.to = &bytes, .limit = UINT64_MAX};
    mst_value columns = mst_member_in(&r->map.map, "columns"), rows = mst_member_in(&r->map.map, "rows"),
              layers = mst_member_in(&r->map.map, "layer_rects");
    mst_parsed_put(&w, document->data, (size_t)r->map.cells.offset);
    put_list(r, &w, "cells", cell, sizeof cell);
    put_list(r, &w, "cell_rects", rectangles, sizeof rectangles);
    put_list(r, &w, "visible_cell_rects", rectangles, sizeof rectangles);
    mst_parsed_put(&w, document->data + layers.offset, (size_t)(document->size - layers.offset));
    if (w.status != MST_OK) {
        mst_buffer_free(&bytes);
        return mst_fail(r->diagnostic, w.status, "not enough memory for the edit");
    }
    mst_store16(bytes.data + columns.offset, (uint16_t)r->columns, true);
    mst_store16(bytes.data + rows.offset, (uint16_t)r->rows, true);
    return mst_edit_replace(document, &bytes, r->diagnostic);
}

mst_status mst_sfa_resize_map(mst_document *document, const mst_operation *operation,
                              const mst_edit_options *options, mst_diagnostic *diagnostic) {
    resize_state r = {.document = document, .options = options, .diagnostic = diagnostic};
    if (!find_map(&r, operation))
        return MST_UNSUPPORTED;
    uint64_t cells = (uint64_t)r.columns * r.rows;
    if (cells > CELLS_MAX && cells > r.map.cell_count)
        return refuse(&r, "the game has no room for so many cells", "at most 512");
    mst_status status = check_lost(&r);
    return status == MST_OK ? rebuild(&r) : status;
}
