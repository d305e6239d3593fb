/* SPDX-License-Identifier: MIT */
/* What a level's own map adds to a picture: its lines, what its colours mean, which way entities look. */
#ifndef MST_EXPORT_MAP_H
#define MST_EXPORT_MAP_H

#include "view.h"

typedef struct mst_map_drawing {
    const mst_view_world *world;
    const mst_projection *projection;
    const mst_view_frame *frame;
    mst_canvas *canvas;
    int32_t scale; /* of text and marks */
} mst_map_drawing;

/* All lines of one kind: walls, or arrows. */
void mst_map_draw_lines(const mst_map_drawing *d, mst_map_line_kind kind);

/* A short line from the middle of an entity's mark the way it looks. */
void mst_map_draw_tick(const mst_map_drawing *d, const mst_view_entity *entity, double radius,
                       mst_rgba color);

/* The tags of entities to the right of their marks, none over another. */
void mst_map_draw_tags(const mst_map_drawing *d);

/* Names of places below their marks, each once, where the largest of that name is that has room, and none
 * over another. MST_NO_MEMORY. */
mst_status mst_map_draw_labels(const mst_map_drawing *d);

/* How many rows of the legend the colours take that are used; draws them and returns where the next row is.
 */
int32_t mst_map_key_rows(const mst_view_world *world);
int32_t mst_map_draw_keys(const mst_map_drawing *d, int32_t x, int32_t right, int32_t y, int32_t row);

#endif
