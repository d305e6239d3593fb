/* SPDX-License-Identifier: MIT */
/* Triangles of faces. */
#ifndef MST_FORMATS_NS2_TRIANGLES_H
#define MST_FORMATS_NS2_TRIANGLES_H

#include "ns2_bindings.h"

#define MST_NS2_NEAR                                                                                         \
    0.01 /* m: a corner of triangles within this distance of its face, or of an edge, is on it */

/* The triangles of a face of a mesh, three vertices each, in the arena; none if a corner is missing. `points`
 * NULL: uses the stored positions of the vertices; else three coordinates for each vertex. */
mst_status mst_ns2_triangulate(const mst_value *mesh, const mst_value *face, const float *points,
                               mst_arena *arena, uint32_t **triangles, size_t *count);
/* JSON of these triangles, in the arena, with smoothed normals, three each (NULL: flat ones). */
mst_status mst_ns2_triangles_text(const mst_document *document, const uint32_t *triangles,
                                  const uint32_t *normals, size_t count, mst_arena *arena, const char **json);
/* JSON of the triangles of a face, rebuilt from its border, with the smoothed normals that its corners have
 * in its present triangles, `row`. NULL: `row` is empty, or the border, without `has_area`, can have none. */
mst_status mst_ns2_redraw(const mst_value *mesh, const mst_value *face, const mst_value *row,
                          mst_arena *arena, bool *has_area, const char **json);
/* Rebuilds the triangles of faces whose vertices have moved away from them. */
mst_status mst_ns2_fit_triangles(const mst_document *before, mst_document *after, mst_arena *arena,
                                 mst_diagnostic *diagnostic);

#endif
