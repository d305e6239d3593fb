/* SPDX-License-Identifier: MIT */
/* A picture while it is drawn: data shared by its layout, symbols and legend. */
#ifndef MST_EXPORT_DRAWING_H
#define MST_EXPORT_DRAWING_H

#include "map.h"
#include "squares.h"
#include "view.h"

#define MST_CLASSES_SHOWN 14
#define MST_GROUNDS_SHOWN 10
#define MST_PANEL_COLUMNS 27

static const mst_rgba mst_text_color = {226, 230, 236, 255}, mst_faint_color = {150, 158, 170, 255},
                      mst_light_color = {255, 236, 170, 150};

/* Entities of one class, or items drawn like one. */
typedef struct mst_class_entry {
    const char *name;
    size_t first, count; /* in the sorted list of entities */
    size_t slot;         /* < MST_CLASSES_SHOWN: its mark; otherwise it is counted as other */
} mst_class_entry;

/* A ground material of a symbolic scene. */
typedef struct mst_ground_entry {
    const mst_material *material;
    size_t count;
} mst_ground_entry;

typedef struct mst_picture_state {
    const mst_scene *scene;
    const mst_picture_options *options;
    mst_arena arena;
    mst_view_world world;
    mst_projection projection;
    mst_view_frame frame;
    mst_canvas canvas;
    mst_painter *painter; /* NULL: an SVG, or nothing to draw */
    mst_map_labels labels;
    int32_t scale; /* of text and marks */
    int32_t panel; /* width of the legend, 0: none */
    bool empty;
    bool squared; /* `squares` have been found */
    bool vector;  /* as SVG, which has no textures */
    mst_class_entry *classes;
    size_t class_count;
    size_t shown[MST_CLASSES_SHOWN]; /* classes with their own marks */
    size_t shown_count, other_count, other_classes, light_count, camera_count;
    mst_squares squares;
    mst_ground_entry grounds[MST_GROUNDS_SHOWN]; /* the most frequent grounds of a symbolic scene */
    size_t ground_count, other_grounds, other_ground_count;
} mst_picture_state;

/* The look of a class's marks: if there are many, they are small and translucent. */
typedef struct mst_style {
    mst_mark mark;
    double radius, rim;
    mst_rgba color;
} mst_style;

mst_style mst_class_style(const mst_picture_state *d, const mst_class_entry *entry);
mst_style mst_light_style(const mst_picture_state *d);
mst_style mst_camera_style(const mst_picture_state *d);

mst_map_state mst_drawing_of_map(mst_picture_state *d);

/* Numbers as text, whatever the locale. */
void mst_tenths_text(char *text, size_t capacity, double value, const char *unit);

/* The smallest of 1, 2, 5, 10, 20, ... that is at least `min`. */
double mst_round_step(double min);

/* Preferred height of the legend, in pixels; the other function draws it. */
int32_t mst_legend_height(const mst_picture_state *d);
void mst_legend_draw(mst_picture_state *d);

#endif
