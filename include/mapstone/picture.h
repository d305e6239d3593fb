/* SPDX-License-Identifier: MIT */
/* Pictures of a scene: a map from above, and an oblique view by a small software rasteriser. */
#ifndef MAPSTONE_PICTURE_H
#define MAPSTONE_PICTURE_H

#include "pixels.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_view {
    MST_VIEW_ABOVE = 0,
    MST_VIEW_OBLIQUE,
    MST_VIEW_DIMETRIC /* 2:1, as in isometric games: X runs down-right, Z down-left, each two pixels across
                         per pixel down; heights are scaled by 0.866 */
} mst_view;

/* Where the world is in a picture: the pixel of a point, counted from the picture's upper left corner, is
 * (dot(right, point) - left) * scale across and (dot(down, point) - top) * scale down. */
typedef struct mst_picture_place {
    double right[3], down[3], near[3]; /* of length 1, in the world's axes; `near` towards the viewer */
    double left, top;                  /* metres */
    double scale;                      /* pixels per metre; 0: there was nothing to show */
    uint32_t width, height;            /* of the picture, in pixels */
} mst_picture_place;

/* The symbol of an entity, light or camera. */
typedef struct mst_picture_mark {
    double x, y; /* its centre, in pixels from the picture's upper left corner */
    size_t node; /* index of the node that it represents */
} mst_picture_mark;

/* Receives the symbols of a picture, sorted by role, class and position, including those that others cover,
 * but not those outside the picture. */
typedef struct mst_picture_marks {
    size_t size; /* sizeof(mst_picture_marks) */
    void (*take)(void *user, const mst_picture_mark *mark);
    void *user;
} mst_picture_marks;

typedef struct mst_picture_options {
    size_t size; /* sizeof(mst_picture_options) */
    mst_view view;
    uint32_t width, height;    /* pixels, at most 32768; 0: 1600 wide (a material: 512), the height in
                                * proportion to the shown area */
    uint8_t background[4];     /* sRGB and alpha; all zero: the default (dark) */
    bool transparent;          /* background with alpha 0 */
    const char *const *layers; /* only nodes of these layers (mst_node.layer); NULL: all */
    size_t layer_count;
    size_t branch; /* only the node with this index and its descendants, such as one of mst_scene.storeys; 0:
                      all */
    bool no_entities, no_legend, no_grid, no_labels;
    bool heights;  /* above: show heights even if the level has a map of its own (mst_scene.map), or is shown
                    * with its textures, the default if half of the floors have some */
    bool no_links; /* no arrows between entities */
    bool links;    /* arrows in all views, and for any layers; otherwise only from above with all layers */
    bool labels;   /* all names that fit without overlap; else those of places, each once, and labels set by
                    * formats */
    bool tags;     /* above: write the tags of entities next to their marks */
    float ceiling_cut; /* above: leave out everything higher than this (metres); 0: chosen automatically */
    float area[4];     /* above: the minimum X and Z of the area to show, its width and depth, in metres;
                        * symbols and the legend cover only that area; width 0: everything */
    float yaw, pitch;  /* oblique: radians; 0, 0: from the south-east, 40 degrees down */
    bool lit;          /* surfaces are lit by the scene's lights, without shadows; else evenly */
    mst_picture_place *place;       /* receives where the world is in the picture; may be NULL */
    const mst_picture_marks *marks; /* receives its symbols; may be NULL */
} mst_picture_options;

/* Draws the scene; zero-initialise the pixels (or set `allocator`), free them with mst_pixels_free.
 * MST_ARGUMENT: a size is out of range or an option is not finite. */
MST_API mst_status mst_scene_draw(const mst_scene *scene, const mst_picture_options *options,
                                  mst_pixels *picture, mst_diagnostic *diagnostic);

/* Writes the picture as PNG without holding all of it in memory: up to 400 MB at the largest size, where the
 * pixels alone take 4 GB. Otherwise as mst_scene_draw; MST_UNSUPPORTED: this build cannot write PNG. */
MST_API mst_status mst_scene_write_png(const mst_scene *scene, const mst_picture_options *options,
                                       mst_sink sink, mst_diagnostic *diagnostic);

/* Writes the map from above as SVG: floors by height, or as in the level's own map, walls, symbols and names
 * as text; textures are not drawn. Symbols have their names as titles. Otherwise as mst_scene_draw;
 * MST_ARGUMENT: also for other views. */
MST_API mst_status mst_scene_write_svg(const mst_scene *scene, const mst_picture_options *options,
                                       mst_sink sink, mst_diagnostic *diagnostic);

/* A change between two scenes: the paths of the changed value, as mst_scene_source_path writes them. */
typedef struct mst_scene_change {
    const char *old_path, *new_path; /* NULL: missing */
    const char *file;                /* as in mst_scene_source; NULL: "" */
} mst_scene_change;

/* Draws a map of the changes, from above: both scenes in grey, additions green, removals red, changes yellow,
 * with an arrow from the old position. Otherwise as mst_scene_draw, up to 16384 pixels; other views than from
 * above are not supported. */
MST_API mst_status mst_scene_draw_changes(const mst_scene *old_scene, const mst_scene *new_scene,
                                          const mst_scene_change *changes, size_t count,
                                          const mst_picture_options *options, mst_pixels *picture,
                                          mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
