/* SPDX-License-Identifier: MIT */
/* Faces of a level and of its edited model, as triangles. */
#ifndef MST_IMPORT_FACES_H
#define MST_IMPORT_FACES_H

#include "importing.h"

#define MST_SAME_POINT 2e-4 /* metres: corners that are nearer are one */

typedef struct mst_face_corner {
    double at[3];    /* in the world */
    uint32_t number; /* of the level's vertex; MST_NO_INDEX: none */
    double uv[2];    /* texture coordinates of the model */
} mst_face_corner;

typedef struct mst_face_triangle {
    uint32_t face;    /* MST_NO_INDEX: none */
    int32_t material; /* of the scene, or of the model */
    size_t node;      /* of the scene, or of the model */
    mst_face_corner corners[3];
} mst_face_triangle;

double mst_triangle_area(const mst_face_triangle *triangle);
/* Whether it is so narrow that Blender may drop it. */
bool mst_is_sliver(const mst_face_triangle *triangle);
double mst_point_distance(const double a[3], const double b[3]);

/* The corners of the border of triangles, without those in line, and their area. */
typedef struct mst_face_shape {
    mst_face_corner *corners; /* sorted by number */
    size_t count;
    double area;
} mst_face_shape;
/* `numbered`: corners are the same if their numbers are; else if they are at the same place. False: no
 * memory. */
bool mst_face_shape_of(const mst_face_triangle *triangles, size_t count, bool numbered, mst_arena *arena,
                       mst_face_shape *shape);
/* Whether two shapes are the same, by the numbers of their corners or by where these are. */
bool mst_same_shape(const mst_face_shape *a, const mst_face_shape *b, bool numbered);

/* Gives corners at one place the same number. False: no memory. */
bool mst_face_number_places(mst_face_triangle *triangles, size_t count, mst_arena *arena);

/* New faces of triangles that are none of the level's. (import_polygons.c) */
mst_status mst_import_polygons(mst_importing *w, mst_import_script *script, const mst_document *document,
                               const mst_face_triangle *triangles, size_t count);
/* Faces that were removed, moved, reshaped and painted. (import_faces.c) */
mst_status mst_import_faces(mst_importing *w);

#endif
