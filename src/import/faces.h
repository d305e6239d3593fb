/* SPDX-License-Identifier: MIT */
/* Faces of a level and of its edited model, as triangles. */
#ifndef MST_IMPORT_FACES_H
#define MST_IMPORT_FACES_H

#include "../read/labels.h"
#include "importing.h"

#define MST_SAME_POINT 2e-4 /* metres: corners that are nearer are the same */
#define MST_FACES      "mesh.faces"
#define MST_VERTICES   "mesh.vertices"

typedef struct mst_face_corner {
    double at[3];    /* in the world */
    uint32_t number; /* of the level's vertex; MST_NO_INDEX: none */
    double uv[2];    /* texture coordinates */
} mst_face_corner;

typedef struct mst_face_triangle {
    uint32_t face;    /* MST_NO_INDEX: none */
    int32_t material; /* of the scene or the model */
    size_t node;      /* of the scene or the model */
    uint32_t extras;  /* of its part of a mesh in the model, or else of its node; 0: none */
    mst_face_corner corners[3];
} mst_face_triangle;

/* ---- shapes (face_shape.c) ---- */

double mst_triangle_area(const mst_face_triangle *triangle);
/* Whether it is so narrow that Blender may drop it. */
bool mst_is_sliver(const mst_face_triangle *triangle);
double mst_point_distance(const double a[3], const double b[3]);

/* An edge of triangles; it is in the border of their face unless another one is its reverse. */
typedef struct mst_face_edge {
    uint32_t low, high; /* numbers of its ends */
    bool turned;        /* from the high end to the low one */
    const mst_face_corner *from, *to;
} mst_face_edge;
/* The edges of triangles that have no opposite; three corners for each triangle. False: no memory. */
bool mst_face_border(const mst_face_corner *corners, size_t count, mst_arena *arena, mst_face_edge **border,
                     size_t *border_count);

/* The corners of the border of triangles, without corners in line, and the triangles' area. */
typedef struct mst_face_shape {
    mst_face_corner *corners; /* sorted by number */
    size_t count;
    double area;
} mst_face_shape;
/* `numbered`: corners with equal numbers are the same; otherwise corners at the same place. False: no
 * memory. */
bool mst_face_shape_of(const mst_face_triangle *triangles, size_t count, bool numbered, mst_arena *arena,
                       mst_face_shape *shape);
/* Whether two shapes are the same, by the numbers of their corners or by their places. */
bool mst_same_shape(const mst_face_shape *a, const mst_face_shape *b, bool numbered);

/* The plane of triangles, weighted by area; false if they have no area. */
bool mst_face_plane(const mst_face_triangle *triangles, size_t count, double normal[3], double *distance);

/* ---- textures (face_texture.c) ---- */

/* Texture coordinates over a plane: each is row[0] X + row[1] Y + row[2], with coordinates along the axes of
 * the texture from a point of the plane. */
typedef struct mst_face_texture {
    double u[3], v[3], origin[3];
    double rows[2][3];
    bool none; /* on a line, or all equal */
} mst_face_texture;
/* By least squares over all corners. */
void mst_face_texture_fit(const mst_face_triangle *triangles, size_t count, const double normal[3],
                          mst_face_texture *texture);
/* The average distance of the texture coordinates of triangles from the mapping, in `by`, and as the result
 * the largest distance left after moving it by that, in repeats; float coordinates differ by less than
 * `exact`. */
double mst_face_texture_off(const mst_face_texture *texture, const mst_face_triangle *triangles, size_t count,
                            double by[2], double *exact);

/* The texture parameters that a face of Natural Selection 2 stores. */
typedef struct mst_face_mapping {
    double angle, offset[2], scale[2];
    double shear; /* repeats a metre, which a face cannot store */
} mst_face_mapping;
void mst_face_texture_of(const mst_face_mapping *mapping, const double normal[3], mst_face_texture *texture);
/* False: they cannot be determined. */
bool mst_face_mapping_of(const mst_face_texture *texture, mst_face_mapping *mapping);

/* ---- points (weld.c) ---- */

/* Places; places nearer than MST_SAME_POINT are one. */
typedef struct mst_weld_points {
    mst_hash_map cells; /* the last point in each */
    mst_array points;
} mst_weld_points;
void mst_weld_begin(mst_weld_points *welding, const mst_allocator *allocator);
void mst_weld_end(mst_weld_points *welding);
/* Adds a point as the next one. */
bool mst_weld_add(mst_weld_points *welding, const float at[3]);
/* The nearest point to a place; a new one if none is near. MST_NO_INDEX: no memory. */
uint32_t mst_weld(mst_weld_points *welding, const double at[3]);
const float *mst_weld_point(const mst_weld_points *welding, uint32_t number);

/* ---- changes ---- */

/* The position of a triangle in the lists of the scene or the model. */
typedef struct mst_face_ref {
    uint32_t face, node, part, triangle;
} mst_face_ref;

typedef struct mst_face_twin {
    double depth;
    size_t ref; /* of the level */
} mst_face_twin;

/* A face of the level that has a different shape or several materials in the model. */
typedef struct mst_face_origin {
    uint32_t face;
    const mst_face_triangle *before; /* of the level */
    size_t count;
    double normal[3], distance;
} mst_face_origin;

/* The level's faces and the model's. */
typedef struct mst_face_work {
    mst_import_state *w;
    mst_import_script *script;
    mst_document *document;
    mst_array before, after;     /* mst_face_ref, by face */
    struct mst_face_twin *twins; /* of the level, sorted; NULL: not made yet */
    uint32_t vertex_count;
    struct mst_moved_vertex {
        double to[3];
        bool moved, stays;           /* in some of its faces */
        uint32_t moved_in, stays_in; /* the first of these */
    } * vertices;
    mst_array origins;       /* mst_face_origin, by face */
    mst_array triangles;     /* of the model, of these faces and of no face of the level */
    mst_weld_points welding; /* vertices at their new places, and new ones */
    mst_labels *labels[2];   /* layers and groups of the level's faces; NULL: not read yet */
    size_t left_out;         /* the last node whose geometry was left out, + 1; 0: none */
} mst_face_work;

/* Record the positions of triangles. False: no memory. (gather_faces.c) */
bool mst_gather_level(mst_face_work *f);
bool mst_gather_model(mst_face_work *f);
/* Read the triangles. */
void mst_face_of_level(const mst_face_work *f, const mst_face_ref *ref, mst_face_triangle *made);
void mst_face_of_model(const mst_face_work *f, const mst_face_ref *ref, mst_face_triangle *made);
/* Whether a node's matrix turns its triangles to their other side, as glTF wants it. */
bool mst_is_mirrored(const double world[16]);
/* Whether triangles are at the same place. */
bool mst_same_triangle(const mst_face_triangle *a, const mst_face_triangle *b);
/* Whether another face of the same mesh, which the model has, has the same triangle: Blender drops
 * duplicates, but not all, so that other duplicates in the model do not show that this one was deleted.
 * False: no memory.
 */
bool mst_face_has_twin(mst_face_work *f, const mst_face_triangle *triangle, bool *twin);

/* Its path, in the arena of the result. (face_material.c) */
const char *mst_path_of_face(mst_face_work *f, uint32_t face);
/* The JSON of the path of a material of the model; NULL: it is none of the level's. */
const char *mst_face_material(const mst_face_work *f, int32_t material, mst_arena *arena);
/* Operations for a face all of whose triangles have another material; a warning if its name
 * is not a path of a material. */
mst_status mst_import_material(mst_face_work *f, const mst_face_triangle *before,
                               const mst_face_triangle *after);
/* Operations for changed texture coordinates of a face that did not move. `turned`: it is seen from its other
 * side now, where its stored values give other coordinates. (import_texture.c) */
mst_status mst_import_texture(mst_face_work *f, const mst_face_triangle *before, size_t count,
                              const mst_face_triangle *after, size_t after_count, const double normal[3],
                              bool turned);
/* Writes the texture mapping of a new face: its original face's (NULL: none) if it fits. */
mst_status mst_put_texture(mst_face_work *f, const mst_face_origin *origin,
                           const mst_face_triangle *triangles, size_t count, const double normal[3],
                           const char *path, struct mst_output *out);
/* Operations for a face whose triangles in the model name other layers or groups than the face has; and the
 * layers and groups of a new face, as members of its JSON: those that it names, or else those of its original
 * face (NULL: none). (import_labels.c) */
mst_status mst_import_face_labels(mst_face_work *f, const mst_face_triangle *after, size_t count);
mst_status mst_put_face_labels(mst_face_work *f, const mst_face_origin *origin,
                               const mst_face_triangle *triangle, struct mst_output *out);
/* Whether two triangles in one plane have the same texture mapping. (face_texture.c) */
bool mst_same_mapping(const mst_face_triangle *one, const mst_face_triangle *other);
/* Makes faces of `triangles`: changes the level's faces in place, and inserts the rest.
 * (import_polygons.c) */
mst_status mst_import_polygons(mst_face_work *f);
/* A flat piece, to be written as a face. (import_shapes.c) */
typedef struct mst_face_piece {
    const mst_face_triangle *triangles; /* with the numbers of points */
    size_t count;
    double normal[3];
    const mst_face_origin *origin; /* the face that it is, or is made of; NULL: none */
} mst_face_piece;
mst_status mst_import_changed_face(mst_face_work *f, const mst_face_piece *piece, mst_arena *arena);
mst_status mst_import_new_face(mst_face_work *f, const mst_face_piece *piece, mst_arena *arena);
/* Faces that were removed, moved, reshaped and painted. (import_faces.c) */
mst_status mst_import_faces(mst_import_state *w);

#endif
