/* SPDX-License-Identifier: MIT */
#include "placed.h"
#include "../scene/geometry.h"

/* The matrix that transforms a normal: the inverse of a matrix, transposed; its length does not matter. */
static void normal_matrix(const float m[16], double result[9], bool *mirrored) {
    double determinant = 0;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
            const int c1 = (c + 1) % 3, c2 = (c + 2) % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
            result[3 * c + r] = (double)m[4 * c1 + r1] * (double)m[4 * c2 + r2] -
                                (double)m[4 * c1 + r2] * (double)m[4 * c2 + r1];
        }
    for (int r = 0; r < 3; r++)
        determinant += (double)m[r] * result[r];
    *mirrored = determinant < 0;
    for (int i = 0; i < 9 && *mirrored; i++)
        result[i] = -result[i];
}

static void turn_normal(const double m[9], const float from[3], float to[3]) {
    double turned[3], square = 0;
    for (int r = 0; r < 3; r++) {
        turned[r] = m[r] * (double)from[0] + m[3 + r] * (double)from[1] + m[6 + r] * (double)from[2];
        square += turned[r] * turned[r];
    }
    const bool any = isfinite(square) && square > 1e-60;
    for (int r = 0; r < 3; r++)
        to[r] = any ? (float)(turned[r] / sqrt(square)) : r == 1 ? 1.0F : 0.0F;
}

/* The matrix of a vertex that joints move: the sum of the joints' matrices, weighted by their influence. */
static void joint_matrix(const mst_scene *scene, const mst_skin *skin, const float *worlds,
                         const mst_primitive *source, size_t vertex, float result[16]) {
    memset(result, 0, 16 * sizeof *result);
    for (size_t k = 0; k < 4; k++) {
        const uint16_t joint = source->joints[4 * vertex + k];
        const float weight = source->weights[4 * vertex + k];
        if (joint >= skin->joint_count || !within(skin->joints[joint], scene->node_count))
            continue;
        const float *world = worlds + 16 * (size_t)skin->joints[joint],
                    *bind = skin->inverse_binds + 16 * (size_t)joint;
        for (int c = 0; c < 4; c++)
            for (int r = 0; r < 4; r++) {
                double sum = 0;
                for (int i = 0; i < 4; i++)
                    sum += (double)world[4 * i + r] * (double)bind[4 * c + i];
                result[4 * c + r] += (float)(sum * (double)weight);
            }
    }
}

static void place_vertex(const float matrix[16], const mst_primitive *source, size_t vertex,
                         mst_placed *placed) {
    float *position = placed->positions + 3 * vertex;
    double turning[9];
    mst_matrix_point(matrix, source->positions + 3 * vertex, position);
    for (int i = 0; i < 3; i++)
        position[i] = finite_or(position[i], 0) + 0.0F; /* -0 becomes 0 */
    if (placed->normals && source->normals) {
        normal_matrix(matrix, turning, &placed->mirrored);
        turn_normal(turning, source->normals + 3 * vertex, placed->normals + 3 * vertex);
    }
    if (placed->texcoords && source->texcoords) {
        placed->texcoords[2 * vertex] = finite_or(source->texcoords[2 * vertex], 0) + 0.0F;
        placed->texcoords[2 * vertex + 1] = finite_or(1 - source->texcoords[2 * vertex + 1], 0) + 0.0F;
    }
}

bool mst_place_primitive(const mst_gltf_plan *p, const float *worlds, size_t node,
                         const mst_gltf_primitive *primitive, mst_arena *arena, mst_placed *placed) {
    const mst_scene *scene = p->scene;
    const mst_primitive *source = primitive->source;
    const uint32_t skin = scene->nodes[node].skin, count = source->vertex_count;
    const bool skinned = skin && skin <= scene->skin_count && source->joints && source->weights;
    double turning[9];
    *placed = (mst_placed){.positions = mst_arena_take(arena, count, 3 * sizeof(float))};
    placed->normals = source->normals ? mst_arena_take(arena, count, 3 * sizeof(float)) : NULL;
    placed->texcoords = source->texcoords ? mst_arena_take(arena, count, 2 * sizeof(float)) : NULL;
    if (!placed->positions || (source->normals && !placed->normals) ||
        (source->texcoords && !placed->texcoords))
        return false;
    normal_matrix(worlds + 16 * node, turning, &placed->mirrored);
    for (size_t v = 0; v < count; v++) {
        float moved[16];
        if (skinned)
            joint_matrix(scene, &scene->skins[skin - 1], worlds, source, v, moved);
        place_vertex(skinned ? moved : worlds + 16 * node, source, v, placed);
    }
    return true;
}

bool mst_place_number(mst_hash_map *map, const float *values, size_t width, uint32_t *number) {
    mst_hash_map_entry key = mst_key_bytes(values, width * sizeof *values);
    key.value = (uint32_t)map->count;
    const uint32_t *found = mst_hash_map_add(map, key);
    if (found)
        *number = *found;
    return found != NULL;
}

size_t mst_placed_primitives(const mst_gltf_plan *p, size_t node, size_t *first) {
    const int32_t mesh = p->scene->nodes[node].mesh;
    *first = 0;
    if (p->nodes.index[node] < 0 || !within(mesh, p->meshes.count) || p->meshes.index[mesh] < 0)
        return 0;
    *first = mesh ? p->mesh_ends[mesh - 1] : 0;
    return p->mesh_ends[mesh];
}
