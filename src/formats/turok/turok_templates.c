/* SPDX-License-Identifier: MIT */
/* Files to begin with; the build makes bytes of templates/. */
#include "turok.h"

static const char hall[] = {
#include "turok_hall.inc"
};

const mst_template mst_turok_templates[] = {
    {"hall", "a hall with a start, an enemy, an item and an exit", hall, sizeof hall},
    {NULL, NULL, NULL, 0},
};
