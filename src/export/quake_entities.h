/* SPDX-License-Identifier: MIT */
#ifndef MST_EXPORT_QUAKE_ENTITIES_H
#define MST_EXPORT_QUAKE_ENTITIES_H

#include "../core/output.h"
#include <mapstone/scene.h>

/* A line of an entity: "key" "value"; characters that would end the text or the line are replaced. */
void mst_quake_key(mst_output *out, const char *key, const char *value);
void mst_quake_number(mst_output *out, const char *key, uint64_t value);

/* An entity at a point: its class, position, angles and all extras; a vector gets one key for all
 * components. */
void mst_quake_entity(mst_output *out, const mst_node *node, const float world[16], uint32_t layer);

#endif
