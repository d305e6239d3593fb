/* SPDX-License-Identifier: MIT */
/* How two sectors are compared: what identifies an object. */
#include "revenant.h"

#define OBJECTS                                                                                              \
    .as = MST_AS_SET, .keys = {"class", "unique_id"}, .kind = {"class", "name"}, .place = {"position"},      \
    .near = 160 /* 5 m */

const mst_compared mst_revenant_compared[] = {
    {.record = "sector", .field = "objects", OBJECTS},
    {.record = "object", .field = "inventory", OBJECTS},
    {.record = "object", .field = "stats", .as = MST_AS_SET, .keys = {"id"}, .kind = {"id"}},
    {.record = NULL},
};
