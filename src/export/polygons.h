/* SPDX-License-Identifier: MIT */
/* Restoring the polygons of a level's faces, for files that have polygons: a scene has only their
 * triangles. */
#ifndef MST_EXPORT_POLYGONS_H
#define MST_EXPORT_POLYGONS_H

#include "../core/arena.h"
#include <mapstone/scene.h>

/* `count` corners, from `first` on, and the triangles of the primitive that form it. */
typedef struct mst_polygon {
    uint32_t first, count;
    uint32_t triangle, triangle_end;
} mst_polygon;

typedef struct mst_polygons {
    mst_array corners; /* uint32_t: vertices of the primitive, counter-clockwise from the visible side */
    mst_array list;    /* mst_polygon */
} mst_polygons;

/*
 * The polygons of a primitive, in the order of its triangles. `places` gives vertices in one place the same
 * number. With `join`, the triangles of an element become one polygon if the format calls its elements faces
 * or quads, their border is one line that does not meet itself, no vertex is inside it, and all triangles
 * face the same side; others, such as faces with holes, stay triangles. Triangles with two corners in one
 * place are left out. False: no memory. End it in any case.
 */
bool mst_polygons_find(const mst_primitive *primitive, const uint32_t *places, bool join,
                       const mst_allocator *allocator, mst_polygons *found);
void mst_polygons_end(mst_polygons *found);

#endif
