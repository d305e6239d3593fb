/* SPDX-License-Identifier: MIT */
/* How two levels are compared: actors by tid, type and place, sectors by their triangles, meshes by
 * position. */
#include "turok.h"

#define NEAR 1024 /* units: 100 feet */

const mst_compared mst_turok_compared[] = {
    {.record = "actors",
     .field = "records",
     .as = MST_AS_SET,
     .keys = {"type", "tid"},
     .kind = {"type"},
     .place = {"origin"},
     .moved = {"yaw", "sector", "bounds_min", "bounds_max"},
     .near = NEAR},
    {.record = "cell",
     .field = "static_meshes",
     .as = MST_AS_SET,
     .place = {"origin", "rotation", "scale"},
     .moved = {"sector", "bounds_min", "bounds_max"},
     .near = NEAR},
    {.record = "collision",
     .field = "vertices",
     .as = MST_AS_PARTS,
     .keys = {"position"},
     .part = true,
     .links = "collision.sectors",
     .ends = "vertices"},
    {.record = "collision", .field = "sectors", .as = MST_AS_SET, .place = {"vertices"}, .shares = true},
    {.record = "level", .field = "grid_sections", .as = MST_AS_GRID},
    {.record = "grid_bounds", .field = "minimums", .as = MST_AS_GRID},
    {.record = "grid_bounds", .field = "maximums", .as = MST_AS_GRID},
    {.record = NULL},
};
