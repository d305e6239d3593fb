/* SPDX-License-Identifier: MIT */
/* Finding the nodes of a scene that represent elements of the level. */
#ifndef MST_SCENE_ELEMENTS_H
#define MST_SCENE_ELEMENTS_H

#include <mapstone/scene.h>
#include <stdbool.h>

/* The meaning of a node that is not hidden to an editor of the scene: not part of the level, an element of
 * it, or a further part of one (a box around it, a second model). */
typedef enum mst_node_meaning { MST_NODE_NOTHING, MST_NODE_ELEMENT, MST_NODE_PART } mst_node_meaning;
/* `stands` has room for all nodes. False: no memory. */
bool mst_scene_find_elements(const mst_scene *scene, const mst_allocator *allocator, uint8_t *stands);
/* Replaces the scene's extras by these and its own; texts are copied. False: no memory. */
bool mst_scene_more_extras(mst_scene *scene, const mst_extra *extras, size_t count);
/* Memory that lasts as long as the scene. NULL if there is not enough. */
void *mst_scene_memory(mst_scene *scene, size_t count, size_t size);

#endif
