/* SPDX-License-Identifier: MIT */
/* Additions to a picture from a level's own map: lines, the legend of colours, directions of entities. */
#ifndef MST_EXPORT_MAP_H
#define MST_EXPORT_MAP_H

#include "view.h"

typedef struct mst_map_state {
    const mst_view_world *world;
    const mst_projection *projection;
    const mst_view_frame *frame;
    mst_canvas *canvas;
    int32_t scale; /* of text and marks */
} mst_map_state;

/* All lines of one kind: walls, or arrows. */
void mst_map_draw_lines(const mst_map_state *d, mst_map_line_kind kind);

/* A short line from the centre of an entity's mark in the direction that it faces. */
void mst_map_draw_tick(const mst_map_state *d, const mst_view_entity *entity, double radius, mst_rgba color);

/* The tags of entities to the right of their marks, without overlaps. */
void mst_map_draw_tags(const mst_map_state *d);

typedef struct mst_map_label {
    const char *text;
    int32_t left, top;
} mst_map_label;

typedef struct mst_map_labels {
    mst_map_label *items;
    size_t count;
} mst_map_labels;

/* Names below their marks, without overlaps: each name once, at the largest place with enough room; all of
 * them if the world is labelled. MST_NO_MEMORY. */
mst_status mst_map_find_labels(const mst_map_state *d, mst_map_labels *labels);
void mst_map_draw_labels(const mst_map_state *d, const mst_map_labels *labels);

/* The number of legend rows for the used colours; the other function draws them and returns the position of
 * the next row. */
int32_t mst_map_key_rows(const mst_view_world *world);
int32_t mst_map_draw_keys(const mst_map_state *d, int32_t x, int32_t right, int32_t y, int32_t row);

#endif
