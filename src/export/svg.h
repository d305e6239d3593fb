/* SPDX-License-Identifier: MIT */
/* Drawings as SVG: a canvas with an SVG writes its drawing as elements. */
#ifndef MST_EXPORT_SVG_H
#define MST_EXPORT_SVG_H

#include "../core/output.h"
#include "raster.h"

typedef struct mst_svg {
    mst_output output;
} mst_svg;

void mst_svg_begin(mst_svg *svg, mst_sink sink, int32_t width, int32_t height);
mst_status mst_svg_end(mst_svg *svg);

/* Clips everything up to the matching end to a rectangle from the upper left corner. */
void mst_svg_begin_clip(mst_svg *svg, int32_t width, int32_t height);
void mst_svg_end_clip(mst_svg *svg);

/* Gives everything up to the matching end a title, which programs show at the pointer. */
void mst_svg_begin_title(mst_svg *svg, const char *title);
void mst_svg_end_title(mst_svg *svg);

void mst_svg_rectangle(mst_svg *svg, int32_t x, int32_t y, int32_t width, int32_t height, mst_rgba color);
void mst_svg_line(mst_svg *svg, const double from[2], const double to[2], double width, mst_rgba color);
void mst_svg_mark(mst_svg *svg, mst_mark mark, const double at[2], double radius, double rim, mst_rgba color);

/* Text of `count` cells, whose letters follow separately: UTF-8 without control characters. */
void mst_svg_begin_text(mst_svg *svg, int32_t x, int32_t y, int32_t scale, size_t count, mst_rgba color,
                        bool outline);
void mst_svg_letter(mst_svg *svg, const char *bytes, size_t size);
/* The next letter of a text, with its marks, or U+FFFD for a character that XML does not allow; false at the
 * end. */
bool mst_svg_spell_letter(mst_svg *svg, const char **text);
void mst_svg_end_text(mst_svg *svg);

/* Polygons and lines of one colour: each with a starting point and further points. */
void mst_svg_begin_area(mst_svg *svg, mst_rgba color);
void mst_svg_begin_stroke(mst_svg *svg, double width, mst_rgba color);
void mst_svg_move(mst_svg *svg, const double point[2]);
void mst_svg_go(mst_svg *svg, const double point[2]);
void mst_svg_close(mst_svg *svg); /* back to the starting point */
void mst_svg_end_path(mst_svg *svg);

#endif
