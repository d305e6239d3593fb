/* SPDX-License-Identifier: MIT */
#include "geometry.h"
#include "../core/arena.h"
#include "../core/hash.h"
#include <math.h>

static bool finite_point(const float *point) {
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

void mst_polygon_normal(const float *points, const uint32_t *indices, size_t count, double normal[3]) {
    normal[0] = normal[1] = normal[2] = 0;
    const float *first = points, *last = points;
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        const float *point = points + 3 * (indices ? indices[i] : i);
        if (!finite_point(point))
            continue;
        if (!begun) {
            first = last = point;
            begun = true;
            continue;
        }
        /* Relative to the first point, to keep precision far from the origin. */
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (double)last[k] - (double)first[k];
            b[k] = (double)point[k] - (double)first[k];
        }
        for (int k = 0; k < 3; k++)
            normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        last = point;
    }
}

void mst_quaternion_multiply(const float a[4], const float b[4], float product[4]) {
    const float x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const float y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    const float z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    const float w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    product[0] = x;
    product[1] = y;
    product[2] = z;
    product[3] = w;
}

void mst_quaternion_axis(const float axis[3], float angle, float quaternion[4]) {
    double half = (double)angle / 2;
    for (int i = 0; i < 3; i++)
        quaternion[i] = (float)((double)axis[i] * sin(half));
    quaternion[3] = (float)cos(half);
}

void mst_node_transform(const mst_node *node, float translation[3], float rotation[4], float scale[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        translation[i] = isfinite(node->translation[i]) ? node->translation[i] : 0;
        scale[i] = isfinite(node->scale[i]) ? node->scale[i] : 1;
    }
    for (int i = 0; i < 4; i++)
        square += (double)node->rotation[i] * (double)node->rotation[i];
    bool usable = isfinite(square) && square > 1e-60;
    for (int i = 0; i < 4; i++)
        rotation[i] = usable ? (float)((double)node->rotation[i] / sqrt(square)) : i == 3 ? 1.0F : 0.0F;
}

static void local_matrix(const mst_node *node, double m[16]) {
    float t[3], q[4], s[3];
    mst_node_transform(node, t, q, s);
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                            2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                            2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            m[column * 4 + row] = turn[column * 3 + row] * (double)s[column];
        m[column * 4 + 3] = 0;
        m[12 + column] = (double)t[column];
    }
    m[15] = 1;
}

void mst_scene_world_matrices(const mst_scene *scene, float *matrices) {
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        double local[16];
        local_matrix(node, local);
        float *world = matrices + 16 * i;
        bool child = node->parent >= 0 && (size_t)node->parent < i;
        const float *parent = child ? matrices + 16 * (size_t)node->parent : NULL;
        for (int column = 0; column < 4; column++)
            for (int row = 0; row < 4; row++) {
                double sum = 0;
                for (int k = 0; parent && k < 4; k++)
                    sum += (double)parent[k * 4 + row] * local[column * 4 + k];
                world[column * 4 + row] = (float)(parent ? sum : local[column * 4 + row]);
            }
    }
}

void mst_matrix_point(const float matrix[16], const float point[3], float result[3]) {
    const float x = point[0], y = point[1], z = point[2];
    for (int row = 0; row < 3; row++)
        result[row] = matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row];
}

/* ---- bounds ---- */

static const mst_bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

void mst_bounds_include(mst_bounds *bounds, const float point[3]) {
    if (!finite_point(point))
        return;
    for (int i = 0; i < 3; i++) {
        if (point[i] < bounds->minimum[i])
            bounds->minimum[i] = point[i];
        if (point[i] > bounds->maximum[i])
            bounds->maximum[i] = point[i];
    }
}

static mst_bounds local_bounds(const mst_mesh *mesh) {
    mst_bounds bounds = nothing;
    for (size_t i = 0; i < mesh->primitive_count; i++) {
        const mst_primitive *primitive = &mesh->primitives[i];
        for (size_t v = 0; primitive->positions && v < primitive->vertex_count; v++)
            mst_bounds_include(&bounds, primitive->positions + 3 * v);
    }
    return bounds;
}

static bool empty(const mst_bounds *bounds) {
    return bounds->minimum[0] > bounds->maximum[0];
}

/* The bounding box of a transformed box, which contains everything in the latter. */
static mst_bounds transformed(const mst_bounds *box, const float matrix[16]) {
    mst_bounds result = nothing;
    for (int corner = 0; corner < 8; corner++) {
        float point[3], world[3];
        for (int i = 0; i < 3; i++)
            point[i] = corner >> i & 1 ? box->maximum[i] : box->minimum[i];
        mst_matrix_point(matrix, point, world);
        mst_bounds_include(&result, world);
    }
    return result;
}

static bool inside(const mst_bounds *small, const mst_bounds *large) {
    for (int i = 0; i < 3; i++)
        if (small->minimum[i] < large->minimum[i] || small->maximum[i] > large->maximum[i])
            return false;
    return true;
}

/* Visits the points of a mesh only if they may enlarge the result, and only as far as `work` allows, because
 * a small file can use a large mesh very often. Then adds the transformed box instead. */
static void include_mesh(mst_bounds *bounds, const mst_mesh *mesh, const mst_bounds *box,
                         const float matrix[16], uint64_t *work) {
    mst_bounds outer = transformed(box, matrix);
    if (empty(&outer) || (!empty(bounds) && inside(&outer, bounds)))
        return;
    for (size_t i = 0; i < mesh->primitive_count; i++) {
        const mst_primitive *primitive = &mesh->primitives[i];
        if (!primitive->positions)
            continue;
        if (*work < primitive->vertex_count) {
            mst_bounds_include(bounds, outer.minimum);
            mst_bounds_include(bounds, outer.maximum);
            return;
        }
        *work -= primitive->vertex_count;
        for (size_t v = 0; v < primitive->vertex_count; v++) {
            float world[3];
            mst_matrix_point(matrix, primitive->positions + 3 * v, world);
            mst_bounds_include(bounds, world);
        }
    }
}

mst_bounds mst_scene_bounds(const mst_scene *scene, unsigned roles) {
    if (!scene)
        return nothing;
    mst_bounds bounds = nothing;
    uint64_t work = UINT64_C(1) << 28;
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    float *matrices = mst_arena_take(&arena, scene->node_count, 16 * sizeof *matrices);
    mst_bounds *boxes = mst_arena_take(&arena, scene->mesh_count, sizeof *boxes);
    if (matrices && boxes) {
        mst_scene_world_matrices(scene, matrices);
        for (size_t i = 0; i < scene->mesh_count; i++)
            boxes[i] = local_bounds(&scene->meshes[i]);
        for (size_t i = 0; i < scene->node_count; i++) {
            const mst_node *node = &scene->nodes[i];
            if (node->mesh < 0 || (size_t)node->mesh >= scene->mesh_count)
                continue;
            if (roles && ((unsigned)node->role > 31 || !(roles >> (unsigned)node->role & 1u)))
                continue;
            include_mesh(&bounds, &scene->meshes[node->mesh], &boxes[node->mesh], matrices + 16 * i, &work);
        }
    }
    mst_arena_end(&arena);
    return bounds;
}

/* ---- the file's coordinates ---- */

static void root_matrix(const mst_scene *scene, double matrix[16]) {
    static const mst_node none = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    local_matrix(scene->node_count ? &scene->nodes[0] : &none, matrix);
}

void mst_scene_axes(const mst_scene *scene, int axes[3]) {
    if (!axes)
        return;
    if (!scene) {
        axes[0] = axes[1] = axes[2] = 0;
        return;
    }
    double m[16];
    root_matrix(scene, m);
    for (int row = 0; row < 3; row++) {
        axes[row] = 0;
        for (int column = 0; column < 3; column++) {
            const double *axis = m + 4 * column;
            double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
            if (fabs(axis[row]) > 0.999 * length)
                axes[row] = axis[row] > 0 ? column + 1 : -column - 1;
        }
    }
}

mst_bounds mst_scene_file_bounds(const mst_scene *scene, const mst_bounds *bounds) {
    mst_bounds result = nothing;
    if (!scene || !bounds)
        return result;
    double m[16];
    root_matrix(scene, m);
    for (int corner = 0; corner < 8 && !empty(bounds); corner++) {
        float point[3];
        for (int column = 0; column < 3; column++) { /* columns are orthogonal */
            double sum = 0, square = 0;
            for (int row = 0; row < 3; row++) {
                double world = (double)(corner >> row & 1 ? bounds->maximum[row] : bounds->minimum[row]);
                sum += m[4 * column + row] * (world - m[12 + row]);
                square += m[4 * column + row] * m[4 * column + row];
            }
            point[column] = (float)(sum / square);
        }
        mst_bounds_include(&result, point);
    }
    return result;
}

/* ---- colours ---- */

float mst_linear_of_srgb(float value) {
    if (value <= 0.04045F)
        return value / 12.92F;
    return (float)pow(((double)value + 0.055) / 1.055, 2.4);
}

float mst_srgb_of_linear(float value) {
    if (value <= 0.0031308F)
        return value * 12.92F;
    return (float)(1.055 * pow((double)value, 1 / 2.4) - 0.055);
}

void mst_color_of_name(const char *name, float color[4]) {
    uint32_t hash = mst_hash32_bytes(MST_HASH32, name, strlen(name));
    /* mixed so that similar names get different colours */
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    hash ^= hash >> 16;
    float hue = (float)(hash & 0xFFFF) / 65536.0F * 6;
    float saturation = 0.45F + (float)(hash >> 16 & 0xFF) / 255.0F * 0.25F;
    float lightness = 0.55F + (float)(hash >> 24) / 255.0F * 0.15F;
    float chroma = (1 - fabsf(2 * lightness - 1)) * saturation;
    for (int i = 0; i < 3; i++) {
        /* Red is full at hue 0, green at 2, blue at 4; each fades at a distance of 1 to 2 from there. */
        float away = fabsf(hue - 2.0F * (float)i);
        away = away > 3 ? 6 - away : away;
        float part = away <= 1 ? 1 : away >= 2 ? 0 : 2 - away;
        color[i] = mst_linear_of_srgb(lightness + (part - 0.5F) * chroma);
    }
    color[3] = 1;
}

void mst_color_of_family(const char *family, const char *name, float color[4]) {
    float common[4];
    mst_color_of_name(family, common);
    mst_color_of_name(name, color);
    for (int i = 0; i < 3; i++)
        color[i] = 0.55F * common[i] + 0.45F * color[i];
}
