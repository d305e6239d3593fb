/* SPDX-License-Identifier: MIT */
#include "../../present.h"
#include "../sfa_names.h"
#include "maps.h"

static const mst_binding map_items[] = {
    MST_BINDING(mst_sfa_map_view, form, "form"),
    MST_BINDING(mst_sfa_map_view, columns, "columns"),
    MST_BINDING(mst_sfa_map_view, rows, "rows"),
    MST_BINDING(mst_sfa_map_view, origin_x, "origin_x"),
    MST_BINDING(mst_sfa_map_view, origin_z, "origin_z"),
    MST_BINDING(mst_sfa_map_view, object_list_size, "object_list_size"),
    MST_BINDING(mst_sfa_map_view, object_count, "object_count"),
    MST_BINDING(mst_sfa_map_view, layer_row_count, "layer_row_count"),
    MST_BINDING(mst_sfa_map_view, cells, "cells"),
    MST_BINDING(mst_sfa_map_view, layer_rects, "layer_rects"),
    MST_BINDING(mst_sfa_map_view, object_list, "object_list"),
    MST_BINDING(mst_sfa_map_view, offsets, "offsets"),
};
static const mst_binding stub_items[] = {
    MST_BINDING(mst_sfa_map_stub, magic, "magic"),
    MST_BINDING(mst_sfa_map_stub, unpacked_size, "unpacked_size"),
    MST_BINDING(mst_sfa_map_stub, packed_size, "packed_size"),
};
const mst_bindings mst_sfa_map_bindings = MST_BINDINGS(mst_sfa_map_view, "map", map_items),
                   mst_sfa_map_stub_bindings =
                       MST_BINDINGS(mst_sfa_map_stub, "object_list_header", stub_items);

void mst_sfa_maps_open(const mst_document *document, mst_sfa_maps_cursor *cursor) {
    mst_value root = mst_root(document), maps = mst_member_in(&root, "maps");
    cursor->next = 0;
    cursor->maps = mst_iterate(&maps);
    mst_bind(document, &mst_sfa_map_bindings, &cursor->map);
    mst_bind(document, &mst_sfa_map_stub_bindings, &cursor->stub);
}

bool mst_sfa_maps_next(mst_sfa_maps_cursor *cursor, mst_sfa_map_view *view) {
    memset(view, 0, sizeof *view);
    if (!mst_next(&cursor->maps, &view->map))
        return false;
    view->number = cursor->next++;
    mst_fill(&cursor->map, &view->map, view);
    if (view->form != MST_SFA_MAP_KEPT)
        mst_fill(&cursor->stub, &view->object_list, &view->stub);
    if (view->form != MST_SFA_MAP_FULL)
        return true;
    view->cell_count = (uint32_t)mst_count(&view->cells); /* serializing checked: columns * rows */
    view->mod = mst_column_in(&view->cells, "mod");
    view->sub = mst_column_in(&view->cells, "sub");
    view->layer_row = mst_column_in(&view->cells, "layer_row");
    view->unused_31 = mst_column_in(&view->cells, "unused_31");
    return true;
}

mst_sfa_cell mst_sfa_map_cell(const mst_sfa_map_view *view, uint32_t index) {
    mst_sfa_cell cell = {.mod = mst_column_u8(&view->mod, index, 0),
                         .sub = mst_column_u8(&view->sub, index, 0),
                         .layer_row = mst_column_u8(&view->layer_row, index, 0)};
    cell.junk = mst_column_u8(&view->unused_31, index, 0) ||
                (cell.mod != MST_SFA_NO_BLOCK && cell.mod >= MST_SFA_DIRECTORIES);
    return cell;
}
