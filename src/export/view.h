/* SPDX-License-Identifier: MIT */
/* The view of a scene that a picture shows: triangles and entities in world coordinates, the part of the
 * world to show, and the drawing of its triangles. */
#ifndef MST_EXPORT_VIEW_H
#define MST_EXPORT_VIEW_H

#include "../core/arena.h"
#include "lamps.h"
#include "raster.h"
#include "texels.h"
#include <mapstone/picture.h>

/* One primitive of one node. */
typedef struct mst_view_part {
    const mst_primitive *primitive;
    const mst_material *material; /* NULL: none */
    mst_texels *image;            /* NULL: none, or without pixels */
    mst_texels *glow;             /* light that is added; NULL: none */
    float turn[9];                /* row by row: transforms normals to the world, except for their length */
    float place[3];               /* of the node */
    bool mirrored;                /* its triangles have the opposite winding in the world */
} mst_view_part;

typedef struct mst_view_triangle {
    float corners[3][3]; /* counter-clockwise seen from the visible side */
    float normal[3];     /* length 1 */
    float area;
    uint32_t part, index; /* index: of its first corner in the primitive's list */
} mst_view_triangle;

typedef struct mst_view_entity {
    const char *class_name;
    const char *label; /* "" none */
    bool named;        /* the label is its own name, such as a place's */
    float position[3];
    const char *tag; /* "" none */
    float facing[3]; /* length 1, or 0: none */
    mst_role role;
    const float *color; /* of a light, linear; NULL: none */
    float size;         /* volume of its scale in the world */
    size_t node;        /* index */
} mst_view_entity;

/* From world to picture: pixel = (axis . point - origin) * scale + corner of the frame. Depth increases
 * towards the viewer. */
typedef struct mst_projection {
    double right[3], down[3], near[3];
    double left, top; /* along right and down, at the frame's upper left corner */
    double scale;     /* pixels per metre */
} mst_projection;

typedef struct mst_range {
    double low, high;
} mst_range;

#define MST_VIEW_STOPS 5

typedef struct mst_view_world {
    mst_arena *arena;
    mst_texels *textures; /* for each image of the scene */
    mst_view_part *parts;
    mst_view_triangle *triangles;
    mst_view_entity *entities;
    size_t part_count, triangle_count, entity_count, texture_count;
    const mst_map *map;  /* its faces are the triangles, in painting order; NULL: none */
    mst_map_line *lines; /* in world coordinates */
    size_t line_count;
    mst_range across, along;      /* part to show, along the projection's right and down */
    float area_max;               /* larger triangles have no more weight than this */
    mst_range height;             /* anything completely above or below this is an outlier */
    double stops[MST_VIEW_STOPS]; /* seen from above: heights at equal steps of the colours of floors */
    double cut;                   /* seen from above: nothing above this height is drawn; else infinite */
    double square;                /* edge of the level's grid squares, 0: none */
    bool pictured;                /* seen from above: shown textured, as in other views */
    bool object;                  /* a single thing: shown whole, however small */
    bool labelled;                /* each name is written, even if several are equal */
    bool symbolic;                /* seen from above: materials' colours, not heights */
    const mst_lamps *lamps;       /* for the surfaces; NULL: they are lit evenly */
} mst_view_world;

/* Gathers geometry and entities of the requested layers. */
mst_status mst_view_gather(mst_view_world *world, const mst_scene *scene, const mst_picture_options *options,
                           mst_arena *arena);

/* Finds across, along and height for the axes of the projection. False if there is nothing to show. */
mst_status mst_view_fit(mst_view_world *world, const mst_projection *projection, bool *empty);

/* Seen from above: finds cut (unless the options give it) and stops. Call it after mst_view_fit. */
mst_status mst_view_find_floors(mst_view_world *world, float ceiling_cut);

/* Whether half of the floors' area has textures. Call it after mst_view_fit. */
bool mst_view_has_textured_floors(const mst_view_world *world);

/* Loads the textures with the detail that a picture in that projection shows. Call it before drawing with
 * them. */
mst_status mst_view_load_textures(mst_view_world *world, const mst_projection *projection);

typedef struct mst_view_frame {
    int32_t x, y, width, height; /* pixels of the canvas */
} mst_view_frame;

/* Draws the triangles over the frame's content: as a map of floors and walls, or shaded. */
typedef struct mst_painter mst_painter;

/* In the world's arena; its arguments have to outlive it. NULL: no memory. */
mst_painter *mst_painter_begin(const mst_view_world *world, const mst_projection *projection,
                               const mst_view_frame *frame, int32_t picture_width, bool map);

/* Paints the canvas's rows; fastest if its bands are in order from top to bottom. */
void mst_painter_paint(mst_painter *painter, mst_canvas *canvas);

/* Writes the map of floors and walls into the canvas's SVG. */
mst_status mst_view_write_map(const mst_view_world *world, const mst_projection *projection,
                              const mst_view_frame *frame, mst_canvas *canvas);

/* How a map without a painting order shows a triangle: as a surface, or a wall as the line from a corner to
 * the next. */
typedef struct mst_map_look {
    bool shown, wall;
    int from;
    double depth, width; /* of the line; width in samples, two of them a pixel */
} mst_map_look;

/* `unit`: width of a thin line in pixels. Corners of shown triangles are set, in samples of the frame. */
mst_map_look mst_map_look_of(const mst_view_world *world, const mst_projection *projection, double unit,
                             const mst_view_triangle *t, double corners[3][3]);
mst_rgba mst_map_color_of(const mst_view_world *world, const mst_projection *projection,
                          const mst_view_triangle *t, bool wall, float depth);

/* The position of a height in the colours of floors, 0..1. */
double mst_view_height_share(const mst_view_world *world, double height);

/* The colour of a floor, 0 lowest .. 1 highest. */
mst_rgba mst_view_height_color(double share);

static inline double mst_view_dot(const double axis[3], const float point[3]) {
    return axis[0] * (double)point[0] + axis[1] * (double)point[1] + axis[2] * (double)point[2];
}

/* Floors can be walked on; anything steeper is a wall. */
#define MST_VIEW_FLOOR 0.5f

#endif
