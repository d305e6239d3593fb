/* SPDX-License-Identifier: MIT */
/* Triangles of faces. */
#ifndef MST_FORMATS_NS2_TRIANGLES_H
#define MST_FORMATS_NS2_TRIANGLES_H

#include "ns2_bindings.h"

/* The triangles of a face of a mesh, three vertices each, in the arena; none if a corner is missing. `points`
 * NULL: uses the stored positions of the vertices; else three coordinates for each vertex. */
mst_status mst_ns2_triangulate(const mst_value *mesh, const mst_value *face, const float *points,
                               mst_arena *arena, uint32_t **triangles, size_t *count);
/* JSON of these triangles, in the arena, with smoothed normals, three each (NULL: flat ones). */
mst_status mst_ns2_triangles_text(const mst_document *document, const uint32_t *triangles,
                                  const uint32_t *normals, size_t count, mst_arena *arena, const char **json);
/* The triangles that a face has, in the arena; `count` 0: none. */
mst_status mst_ns2_triangles_of(const mst_document *document, uint64_t index, mst_arena *arena,
                                mst_ns2_triangle **triangles, uint64_t *count);
/* Rebuilds the triangles of a face from its border, with the smoothed normals of its corners, if it has
 * triangles; `has_area`: whether its border can have any. */
mst_status mst_ns2_redraw_face(mst_document *document, uint64_t index, mst_arena *arena, bool *has_area,
                               mst_diagnostic *diagnostic);
/* Does this where vertices have moved away from a face's triangles. */
mst_status mst_ns2_fit_triangles(const mst_document *before, mst_document *after, mst_arena *arena,
                                 mst_diagnostic *diagnostic);

#endif
