/* SPDX-License-Identifier: MIT */
/* What stands on a map of Star Fox Adventures, as nodes of a scene: placed objects and interaction lines. */
#ifndef MST_FORMATS_SFA_SCENE_OBJECTS_H
#define MST_FORMATS_SFA_SCENE_OBJECTS_H

#include "../../scene/build.h"

#define MST_SFA_UNIT_METRES   0.1 /* a person is 20 units high */
#define MST_SFA_HIT_MATERIALS 128

/*
 * Adds a node for each object of an unpacked list, at its place on the map, in groups below `parent`:
 * `objects`, `curves`, `triggers`, `lights`, `starts`, those that are not empty. `layer`, which has to stay
 * as long as the scene, is the layer of all of them. `markers`: with boxes that stand for them. What goes
 * wrong is the builder's status.
 *
 * `lines` (NULL: not wanted) is an array of mst_map_line to which the links between points of curves and
 * checkpoints are appended, in the map's coordinates: arrows for a picture from above.
 *
 * An object looks along its node's -Z; its angle turns it about Y, counter-clockwise seen from above. That is
 * how checkpoints of races lie to the next ones.
 */
void mst_sfa_scene_objects(mst_scene_builder *build, int32_t parent, const uint8_t *list, uint64_t size,
                           const char *layer, bool markers, mst_array *lines);

/*
 * Adds the interaction lines of a block: `count` records of 20 bytes. Below `parent` come `hits`, a node and
 * mesh for each type of line, and `hits_disabled` the same of those that the game switches off when it loads
 * them: flagged so, or with an end outside the block. Each line is a wall; lines that are all zero, which
 * fill up a block's part of the file, are left out.
 *
 * `layer` has to stay as long as the scene. `materials` (NULL: not wanted): those that were made for other
 * blocks, and are made for this one; all of them -1 at first.
 */
void mst_sfa_scene_hits(mst_scene_builder *build, int32_t parent, const uint8_t *records, uint32_t count,
                        const char *layer, int32_t materials[MST_SFA_HIT_MATERIALS]);
#define MST_SFA_HIT_SIZE 20u
/* "barrier"; NULL: the type has no name. */
const char *mst_sfa_hit_type_name(unsigned type);

/* The scene of a list alone. */
mst_status mst_sfa_romlist_scene(const mst_document *document, const mst_scene_options *options,
                                 mst_scene **scene, mst_diagnostic *diagnostic);

#endif
