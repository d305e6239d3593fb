/* SPDX-License-Identifier: MIT */
/* Removing arrows of a map that have a hidden end. */
#ifndef MST_EXPORT_LINKS_H
#define MST_EXPORT_LINKS_H

#include "view.h"

/* Removes links from the world's lines that begin or end at a hidden entity, unless a shown one is also
 * there. `shown` gives the nodes that are not hidden. */
mst_status mst_links_choose(mst_view_world *world, const mst_scene *scene, const float *matrices,
                            const bool *shown);

#endif
