/* SPDX-License-Identifier: MIT */
#ifndef MST_EXPORT_GLTF_OPEN_H
#define MST_EXPORT_GLTF_OPEN_H

#include "../core/arena.h"
#include <mapstone/export.h>

/* The scene without the parts that options->ceiling_cut and no_ceilings leave out: the same one, or a changed
 * one in the arena. NULL: no memory. */
const mst_scene *mst_gltf_open(const mst_scene *scene, const mst_gltf_options *options, mst_arena *arena);

#endif
