/* SPDX-License-Identifier: MIT */
/* The grid squares of some levels: occupied squares, their borders and numbers. */
#ifndef MST_EXPORT_SQUARES_H
#define MST_EXPORT_SQUARES_H

#include "view.h"

typedef struct mst_squares {
    double step;         /* metres */
    int32_t column, row; /* numbers of the first */
    int32_t columns, rows;
    uint32_t *group; /* row by row, the group of connected squares; 0: empty square; NULL: no squares */
    float *heights;  /* per group: the median height of its contents, at which its grid is drawn flat */
} mst_squares;

/* Finds the squares of everything within the world's across, along and height. */
mst_status mst_squares_find(const mst_view_world *world, const mst_projection *projection,
                            mst_squares *squares);
/* Widens across and along to complete squares. */
void mst_squares_widen(const mst_squares *squares, mst_view_world *world, const mst_projection *projection);
void mst_squares_draw(const mst_squares *squares, const mst_projection *projection,
                      const mst_view_frame *frame, mst_canvas *canvas, int32_t scale, bool numbers);

#endif
