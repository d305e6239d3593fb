/* SPDX-License-Identifier: MIT */
/* Geometry functions shared by formats. */
#ifndef MST_SCENE_GEOMETRY_H
#define MST_SCENE_GEOMETRY_H

#include <mapstone/base.h>
#include <mapstone/scene.h>

/* Twice the area times the unit normal of a polygon by Newell's method, which works for any polygon, planar
 * or not. `points` are 3 floats each; `indices` (may be NULL: 0, 1, ...) select them. Points that are not
 * finite are ignored. */
void mst_polygon_normal(const float *points, const uint32_t *indices, size_t count, double normal[3]);

/*
 * Triangulates a polygon with holes: drops the axis nearest to its normal (so that coordinates stay exact),
 * joins holes to the border by bridges and clips ears. Repeated points and ones that are not finite are left
 * out; points on a straight edge are kept as corners.
 * `points`: 3 floats each. Loop k has loop_counts[k] indices, consecutive in `indices`; loop 0 is the border,
 * the others are holes, of either direction. Degenerate and self-crossing input gives as many triangles as
 * possible, never a failure. `triangles` has room for 3 * (total + 2 * holes) indices.
 * Triangles have the border's winding; there are none if the border has no area. A point takes about as long
 * in a large polygon as in a small one, up to a bound: beyond it the rest is clipped without tests, so that
 * triangles may overlap. Fails only with MST_NO_MEMORY.
 */
mst_status mst_polygon_triangulate(const float *points, const uint32_t *indices, const uint32_t *loop_counts,
                                   size_t loop_count, const mst_allocator *allocator, uint32_t *triangles,
                                   size_t *triangle_count);

/* The same, bounded by `patience` steps for each of the points and 64 more. */
mst_status mst_polygon_triangulate_within(const float *points, const uint32_t *indices,
                                          const uint32_t *loop_counts, size_t loop_count,
                                          const mst_allocator *allocator, uint32_t patience,
                                          uint32_t *triangles, size_t *triangle_count);

/* Extends the bounds to a point, if it is finite. */
void mst_bounds_include(mst_bounds *bounds, const float point[3]);

/* Quaternion product a * b, and the quaternion of an angle (radians) about an axis of length 1. */
void mst_quaternion_multiply(const float a[4], const float b[4], float product[4]);
void mst_quaternion_axis(const float axis[3], float angle, float quaternion[4]);

/* Translation, rotation and scale of a node, made valid: numbers that are not finite become 0 (in a scale 1),
 * the rotation is normalised (the identity if it has no length). */
void mst_node_transform(const mst_node *node, float translation[3], float rotation[4], float scale[3]);
/* World matrices (column-major, 16 floats a node) of all nodes of a scene; `matrices` has room for them. */
void mst_scene_world_matrices(const mst_scene *scene, float *matrices);
void mst_matrix_point(const float matrix[16], const float point[3], float result[3]);

/* The file's axes along the world's X, Y and Z, by the root's transform: 1, 2 and 3 are x, y and z, negative
 * if they point the opposite way, 0 if there is none. */
void mst_scene_axes(const mst_scene *scene, int axes[3]);

/* Converts a box from world coordinates to the file's (before the root's transform); if the root rotates by
 * other than right angles, the result is the bounding box. Empty if the box is, or if the root's transform
 * cannot be inverted. */
mst_bounds mst_scene_file_bounds(const mst_scene *scene, const mst_bounds *bounds);

/* A linear colour derived from a name, readable on a dark background. */
void mst_color_of_name(const char *name, float color[4]);
/* The same, more alike for names of one family. */
void mst_color_of_family(const char *family, const char *name, float color[4]);
float mst_linear_of_srgb(float value);
float mst_srgb_of_linear(float value);

#endif
