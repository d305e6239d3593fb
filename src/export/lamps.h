/* SPDX-License-Identifier: MIT */
/* The lights of a scene, as shown in pictures: they shine through walls, and cast no shadows. */
#ifndef MST_EXPORT_LAMPS_H
#define MST_EXPORT_LAMPS_H

#include "../core/arena.h"
#include <mapstone/scene.h>

typedef struct mst_lamps mst_lamps;

/* The lights of wanted nodes; NULL in `lamps` if there are none. `matrices` are the nodes' world matrices. */
mst_status mst_lamps_gather(const mst_scene *scene, const float *matrices, const bool *wanted,
                            mst_arena *arena, const mst_lamps **result);

/* The light that falls on a surface, red, green and blue, linear. The normal has length 1. */
void mst_lamps_at(const mst_lamps *lamps, const double point[3], const double normal[3], double light[3]);

#endif
