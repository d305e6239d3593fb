/* SPDX-License-Identifier: MIT */
/* Files to begin with; the build makes bytes of templates/. */
#include "ns2.h"

static const char empty[] = {
#include "ns2_empty.inc"
};
static const char room[] = {
#include "ns2_room.inc"
};
static const char match[] = {
#include "ns2_match.inc"
};

const mst_template mst_ns2_templates[] = {
    {"empty", "nothing in it yet", empty, sizeof empty},
    {"room", "a room with a light, a location and a start", room, sizeof room},
    {"match", "two bases with a corridor between them and a ready room: all that a match needs", match,
     sizeof match},
    {NULL, NULL, NULL, 0},
};
