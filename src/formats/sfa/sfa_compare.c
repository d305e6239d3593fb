/* SPDX-License-Identifier: MIT */
/* How two files are compared: objects by their ids, tables by their numbers, parts of blocks by content,
 * because inserting or removing a block renumbers the later blocks of its bank. */
#include "sfa.h"

const mst_compared mst_sfa_compared[] = {
    {.record = "list",
     .field = "objects",
     .as = MST_AS_SET,
     .keys = {"type", "id"},
     .kind = {"type"},
     .place = {"position"},
     .near = 320}, /* half a cell */
    {.record = "map", .field = "cells", .as = MST_AS_GRID},
    {.record = "map", .field = "cell_rects", .as = MST_AS_GRID},
    {.record = "map", .field = "visible_cell_rects", .as = MST_AS_GRID},
    {.record = "maps", .field = "maps", .as = MST_AS_GRID},
    {.record = "world", .field = "placements", .as = MST_AS_SET, .keys = {"map"}, .kind = {"map"}},
    {.record = "warps", .field = "warps", .as = MST_AS_GRID},
    {.record = "definitions", .field = "definitions", .as = MST_AS_GRID},
    {.record = "textures", .field = "textures", .as = MST_AS_GRID},
    {.record = "blocks", .field = "blocks", .as = MST_AS_SEQUENCE},
    {.record = "lines", .field = "blocks", .as = MST_AS_SEQUENCE},
    {.record = "voxel_maps", .field = "entries", .as = MST_AS_SEQUENCE},
    {.record = NULL},
};
