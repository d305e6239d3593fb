/* SPDX-License-Identifier: MIT */
/* Files to begin with; the build makes bytes of templates/. */
#include "revenant.h"

static const char empty[] = {
#include "revenant_empty.inc"
};
static const char room[] = {
#include "revenant_room.inc"
};

const mst_template mst_revenant_templates[] = {
    {"empty", "a sector with nothing in it", empty, sizeof empty},
    {"room", "a floor, two walls and an exit; the types are the game's own", room, sizeof room},
    {NULL, NULL, NULL, 0},
};
