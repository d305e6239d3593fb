/* SPDX-License-Identifier: MIT */
/* Files to begin with; the build makes bytes of templates/. */
#include "sfa.h"

static const char empty[] = {
#include "sfa_empty.inc"
};
static const char objects[] = {
#include "sfa_objects.inc"
};

const mst_template mst_sfa_templates[] = {
    {"empty", "a list of no objects", empty, sizeof empty},
    {"objects", "a start, a light, a crate and a plant", objects, sizeof objects},
    {NULL, NULL, NULL, 0},
};
