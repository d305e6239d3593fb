/* SPDX-License-Identifier: MIT */
/* The boxes of the grid's cells and the lattice of the cells, for checks and edits. */
#ifndef MST_FORMATS_TUROK_GRID_H
#define MST_FORMATS_TUROK_GRID_H

#include "../../read/engine.h"

/* A box seen from above. */
typedef struct mst_turok_box {
    double low[2], high[2];
} mst_turok_box;
static const mst_turok_box mst_turok_no_box = {{1e300, 1e300}, {-1e300, -1e300}};

static inline void mst_turok_grow(mst_turok_box *box, const mst_turok_box *by) {
    for (unsigned k = 0; k < 2; k++) {
        box->low[k] = by->low[k] < box->low[k] ? by->low[k] : box->low[k];
        box->high[k] = by->high[k] > box->high[k] ? by->high[k] : box->high[k];
    }
}

/* A cell's box is its meshes' box plus MARGIN on each side, to within TOLERANCE. */
#define MST_TUROK_MARGIN    10.24
#define MST_TUROK_TOLERANCE 0.05
static inline mst_turok_box mst_turok_cell_box(const mst_turok_box *meshes) {
    mst_turok_box made = *meshes;
    for (unsigned k = 0; k < 2; k++) {
        made.low[k] -= MST_TUROK_MARGIN;
        made.high[k] += MST_TUROK_MARGIN;
    }
    return made;
}
/* Whether a number of the file differs from the expected one. */
static inline bool mst_turok_is_off(double is, double should) {
    return is - should > MST_TUROK_TOLERANCE || should - is > MST_TUROK_TOLERANCE;
}

/* The box of all meshes, divided into cells of one size. */
typedef struct mst_turok_lattice {
    double low[2], pitch[2];
    int64_t size[2];
} mst_turok_lattice;
/* False if there are no meshes, or one has no valid position. */
bool mst_turok_lattice_of(const mst_turok_box *all, int64_t width, int64_t height,
                          mst_turok_lattice *lattice);
/* The corner of a cell, which is both corners of an empty cell's box. */
mst_turok_box mst_turok_corner_of(const mst_turok_lattice *lattice, uint64_t cell);
/* The cell that a mesh with this origin is in. */
uint64_t mst_turok_cell_of(const mst_turok_lattice *lattice, const double origin[2]);

#endif
