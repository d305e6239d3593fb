/* SPDX-License-Identifier: MIT */
/* Text on a canvas, in a small built-in font: Latin, Greek and Cyrillic letters, in cells of 6 by 10 pixels
 * times an integer scale. */
#ifndef MST_EXPORT_FONT_H
#define MST_EXPORT_FONT_H

#include "raster.h"

#define MST_FONT_WIDTH  6
#define MST_FONT_HEIGHT 10

/* The number of characters of UTF-8 text; each takes one cell. */
size_t mst_font_count(const char *text);

/*
 * Draws UTF-8 text with (x, y) as the upper left corner of its first cell, clipped to the canvas; missing
 * glyphs are boxes. `max` limits the characters (SIZE_MAX: all):
 * longer text ends in two dots. With `outline` the letters have a dark border.
 */
void mst_font_draw(mst_canvas *canvas, int32_t x, int32_t y, int32_t scale, const char *text, size_t max,
                   mst_rgba color, bool outline);

#endif
