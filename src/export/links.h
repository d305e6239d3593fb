/* SPDX-License-Identifier: MIT */
/* The arrows of a map of which an end is hidden. */
#ifndef MST_EXPORT_LINKS_H
#define MST_EXPORT_LINKS_H

#include "view.h"

/* Takes links from the world's lines that begin or end at an entity that is hidden, unless one that is shown
 * is there, too. `shown` says which nodes are not hidden. */
mst_status mst_links_choose(mst_view_world *world, const mst_scene *scene, const float *matrices,
                            const bool *shown);

#endif
