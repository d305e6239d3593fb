/* SPDX-License-Identifier: MIT */
/* The links between the placed objects of a map, in its scene. */
#ifndef MST_SFA_SCENE_SFA_LINKS_H
#define MST_SFA_SCENE_SFA_LINKS_H

#include "../../../scene/build.h"
#include "../objects/objects.h"

/* Whether objects of the type link to others: points of curves, checkpoints. */
static inline bool mst_sfa_has_links(int type) {
    return type == MST_SFA_CURVE || type == MST_SFA_CHECKPOINT;
}

/* Adds one mesh, below `group`, for the links of each kind of curve and for the links of checkpoints;
 * `source` is the list of objects. `lines` (may be NULL) is an array of mst_map_line to which the links are
 * appended. */
void mst_sfa_scene_links(mst_scene_builder *build, int32_t group, const mst_sfa_objects *list,
                         const mst_scene_source *source, const char *layer, mst_array *lines);

#endif
