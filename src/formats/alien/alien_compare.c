/* SPDX-License-Identifier: MIT */
/* How two levels are compared: things by type and cell, quads by their corners. */
#include "alien.h"

#define THINGS(list, what)                                                                                   \
    {                                                                                                        \
        .record = "map", .field = (list), .as = MST_AS_SET, .kind = {what}, .place = { "x", "y" }            \
    }

const mst_compared mst_alien_compared[] = {
    THINGS("monsters", "type"),
    THINGS("pickups", "type"),
    THINGS("boxes", "type"),
    THINGS("doors", "model"),
    THINGS("lifts", "model"),
    {.record = "map", .field = "path_nodes", .as = MST_AS_SET, .place = {"x", "y"}},
    {.record = "map",
     .field = "vertices",
     .as = MST_AS_PARTS,
     .keys = {"x", "y", "z"},
     .part = true,
     .links = "map.quads",
     .ends = "vertices"},
    {.record = "map", .field = "quads", .as = MST_AS_SET, .place = {"vertices"}, .shares = true},
    {.record = NULL},
};
