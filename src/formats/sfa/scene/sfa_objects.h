/* SPDX-License-Identifier: MIT */
/* Scene nodes for the placed objects and interaction lines of a map. */
#ifndef MST_SFA_SCENE_SFA_OBJECTS_H
#define MST_SFA_SCENE_SFA_OBJECTS_H

#include "../../../scene/build.h"
#include "../maps/maps_hits.h"

#define MST_SFA_HIT_MATERIALS 128

/*
 * Adds a node for each object of a list (`objects` of an sfa-romlist document), at its position on the map,
 * in the non-empty groups `objects`, `curves`, `triggers`, `lights` and `starts` below `parent`. `layer` is
 * the layer of all nodes and must outlive the scene, as must `file`, the name of the list's file (NULL: the
 * file of `parent`). `markers`: adds a box for each object. Errors go to the builder's status.
 *
 * `lines` (may be NULL) is an array of mst_map_line to which links between curve points and between
 * checkpoints are appended, in the map's coordinates: arrows for a picture from above.
 *
 * An object faces along its node's -Z; its angle rotates it about Y, counter-clockwise seen from above. The
 * directions from race checkpoints to their successors confirm this.
 */
void mst_sfa_scene_objects(mst_scene_builder *build, int32_t parent, const mst_value *list, const char *file,
                           const char *layer, bool markers, mst_array *lines);

/*
 * Adds the interaction lines of a block. Below `parent`, the group `hits` gets a node and mesh for each type
 * of line, and `hits_disabled` those for lines that the game disables on loading: flagged lines, or lines
 * with an end outside the block. Each line is a wall; all-zero lines, which are padding, are left out.
 *
 * `layer` and `source`, the list of lines, must outlive the scene. `materials` (may be NULL) caches materials
 * across blocks; initialize all to -1.
 */
void mst_sfa_scene_hits(mst_scene_builder *build, int32_t parent, const mst_sfa_hit *lines, uint32_t count,
                        const char *layer, const mst_scene_source *source,
                        int32_t materials[MST_SFA_HIT_MATERIALS]);

/* The scene of an object list alone. */
mst_status mst_sfa_romlist_scene(const mst_document *document, const mst_scene_options *options,
                                 mst_scene **scene, mst_diagnostic *diagnostic);

#endif
