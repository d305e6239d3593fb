/* SPDX-License-Identifier: MIT */
/*
 * A small software rasteriser in two parts: a field of samples, each of which stores the id and depth of the
 * nearest object that covers it, and a canvas of RGBA8 pixels to draw lines, marks and text on.
 */
#ifndef MST_EXPORT_RASTER_H
#define MST_EXPORT_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A band of samples: rows top .. top + rows - 1 of a taller field. The caller chooses ids; 0 is nothing. */
typedef struct mst_samples {
    int32_t width, top, rows; /* width and top + rows at most 65536 */
    float *depth;             /* larger is nearer */
    uint32_t *id;
} mst_samples;

/* Called before a sample is taken; (x, y) is relative to the complete field. */
typedef bool (*mst_sample_test)(void *user, uint32_t id, int32_t x, int32_t y, float depth);

void mst_samples_clear(mst_samples *samples);

/*
 * A triangle with corners (x, y, depth) in samples; sample (i, j) is taken if (i + 0.5, j + 0.5) is inside.
 * Two triangles that share an edge take each sample on it exactly once. Non-finite and degenerate triangles
 * are ignored. `test` may be NULL.
 */
void mst_samples_triangle(mst_samples *samples, const double corners[3][3], uint32_t id, mst_sample_test test,
                          void *user);

/* A line of constant depth, `width` samples wide. */
void mst_samples_line(mst_samples *samples, const double from[2], const double to[2], double depth,
                      double width, uint32_t id);

/* sRGB with straight alpha, as in the picture. */
typedef struct mst_rgba {
    uint8_t r, g, b, a;
} mst_rgba;

/* A band of a picture: its rows top .. top + rows - 1. Nothing is drawn outside it. */
typedef struct mst_canvas {
    int32_t width, height; /* of the whole picture */
    int32_t top, rows;
    uint8_t *pixels;     /* of the band */
    struct mst_svg *svg; /* drawing is written there, and there are no pixels; NULL: it is not */
} mst_canvas;

/* A canvas of all rows. */
static inline mst_canvas mst_canvas_of(int32_t width, int32_t height, uint8_t *pixels) {
    return (mst_canvas){.width = width, .height = height, .rows = height, .pixels = pixels};
}

/* Blends a colour over a pixel; coverage 0..1 scales its alpha. */
void mst_canvas_blend(mst_canvas *canvas, int32_t x, int32_t y, mst_rgba color, double coverage);
void mst_canvas_rectangle(mst_canvas *canvas, int32_t x, int32_t y, int32_t width, int32_t height,
                          mst_rgba color);
/* An antialiased line. */
void mst_canvas_line(mst_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                     mst_rgba color);

typedef enum mst_mark {
    MST_MARK_DISC = 0,
    MST_MARK_SQUARE,
    MST_MARK_DIAMOND,
    MST_MARK_UP,
    MST_MARK_DOWN,
    MST_MARK_PLUS,
    MST_MARK_CROSS,
    MST_MARK_RING,
    MST_MARKS
} mst_mark;

/* A mark of about the same area for all shapes, with a dark rim of `rim` pixels (0: none). */
void mst_canvas_mark(mst_canvas *canvas, mst_mark mark, double x, double y, double radius, double rim,
                     mst_rgba color);

#endif
