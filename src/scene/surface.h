/* SPDX-License-Identifier: MIT */
/* What the triangles of a mesh cover, for models that are edited elsewhere and read again. */
#ifndef MST_SCENE_SURFACE_H
#define MST_SCENE_SURFACE_H

#include <mapstone/base.h>
#include <stdbool.h>

#define MST_SURFACE_EXTRA "mapstone_surface" /* of meshes in models for editing */
#define MST_SURFACE_TEXT  160

/* Triangles of a mesh; `indices` NULL: all vertices in order. Those with an index out of range are ignored.
 */
typedef struct mst_surface_part {
    const float *positions;
    const uint32_t *indices;
    uint32_t vertex_count, index_count;
} mst_surface_part;

/* The area, and the area times its centre: neither the order of triangles and corners nor how a flat polygon
 * is cut into triangles changes them. A triangle that is there twice counts once, since Blender drops one. */
typedef struct mst_surface {
    double area, moment[3];
    double reach; /* the largest coordinate */
} mst_surface;

/* False: no memory. */
bool mst_surface_measure(const mst_allocator *allocator, const mst_surface_part *parts, size_t count,
                         mst_surface *surface);
/* The area and the moment as a text, for which MST_SURFACE_TEXT bytes are enough, and back. False: it is
 * another text. */
void mst_surface_text(const mst_surface *surface, char *text);
bool mst_surface_read(const char *text, size_t length, mst_surface *surface);
/* Whether they differ by more than sums of floats do. */
bool mst_surfaces_differ(const mst_surface *a, const mst_surface *b);

#endif
