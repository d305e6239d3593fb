/* SPDX-License-Identifier: MIT */
/* Files to begin with; the build makes bytes of templates/. */
#include "alien.h"

static const char corridor[] = {
#include "alien_corridor.inc"
};

const mst_template mst_alien_templates[] = {
    {"corridor", "a corridor with a door, its switch and the end of the level", corridor, sizeof corridor},
    {NULL, NULL, NULL, 0},
};
