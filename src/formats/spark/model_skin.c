/* SPDX-License-Identifier: MIT */
#include "model_skin.h"
#include "../../scene/geometry.h"
#include <math.h>

void mst_spark_influences_read(mst_spark_influences *all, mst_scene_builder *builder,
                               const mst_document *document, uint64_t vertex_count) {
    mst_value vertices, element;
    mst_bound skin, influence;
    uint64_t index = 0;
    bool any = false;
    *all = (mst_spark_influences){.vertex_count = vertex_count};
    all->bone_count = mst_spark_list(document, "bones", &vertices);
    if (!vertex_count || !all->bone_count || all->bone_count > UINT16_MAX ||
        !mst_spark_list(document, "vertices", &vertices))
        return;
    all->of = mst_scene_scratch(builder, vertex_count, sizeof *all->of);
    mst_bind(document, &mst_spark_skin_bindings, &skin);
    mst_bind(document, &mst_spark_influence_bindings, &influence);
    for (mst_iterator it = mst_iterate(&vertices); all->of && index < vertex_count && mst_next(&it, &element);
         index++) {
        mst_spark_skin held = {.bones = mst_nothing_in(&element)};
        mst_fill(&skin, &element, &held);
        mst_fill_list(&influence, &held.bones, all->of[index], MST_SPARK_BONES);
        for (unsigned k = 0; k < MST_SPARK_BONES; k++)
            any = any || all->of[index][k].weight > 0;
    }
    if (!any)
        all->of = NULL;
}

void mst_spark_influences_set(mst_spark_influences *all, const mst_spark_face_set *set) {
    mst_target to = {.type = MST_U32, .components = 1, .data = all->palette, .capacity = UINT8_MAX};
    all->palette_count = 0;
    if (all->of && !mst_is_void(&set->palette))
        mst_read(&set->palette, &to, &all->palette_count, NULL);
}

void mst_spark_influences_put(const mst_spark_influences *all, uint32_t vertex, uint16_t joints[4],
                              float weights[4]) {
    unsigned count = 0;
    float sum = 0;
    for (unsigned k = 0; k < MST_SPARK_BONES; k++) {
        const mst_spark_influence *one = &all->of[vertex][k];
        uint32_t bone = one->index < all->palette_count ? all->palette[one->index] : UINT32_MAX;
        if (!(one->weight > 0 && one->weight <= 1e6F) || bone >= all->bone_count)
            continue;
        unsigned at = 0;
        while (at < count && joints[at] != bone)
            at++;
        joints[at] = (uint16_t)bone;
        weights[at] = (at < count ? weights[at] : 0) + one->weight;
        count += at == count;
        sum += one->weight;
    }
    if (!count) /* it follows the first bone */
        joints[count] = 0, weights[count++] = sum = 1;
    for (unsigned k = 0; k < 4; k++) {
        joints[k] = k < count ? joints[k] : 0;
        weights[k] = k < count ? weights[k] / sum : 0;
    }
}

/* Inverts a matrix whose last row is 0 0 0 1; false if it is singular. */
static bool invert(const float m[16], float inverse[16]) {
    double a[3][3], determinant = 0;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) { /* the cofactors */
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            a[r][c] = (double)m[c1 * 4 + r1] * (double)m[c2 * 4 + r2] -
                      (double)m[c2 * 4 + r1] * (double)m[c1 * 4 + r2];
        }
    for (int r = 0; r < 3; r++)
        determinant += (double)m[r] * a[r][0];
    if (!(fabs(determinant) > 1e-20 && fabs(determinant) < 1e20))
        return false;
    for (int r = 0; r < 3; r++) {
        double moved = 0;
        for (int c = 0; c < 3; c++) {
            inverse[c * 4 + r] = (float)(a[c][r] / determinant);
            moved -= a[c][r] / determinant * (double)m[12 + c];
        }
        inverse[12 + r] = (float)moved;
        inverse[r * 4 + 3] = 0;
    }
    inverse[15] = 1;
    return true;
}

const mst_skin *mst_spark_skin_of(mst_scene_builder *builder, const int32_t *nodes, uint64_t count) {
    const mst_scene scene = {.nodes = builder->nodes.items, .node_count = builder->nodes.count};
    float *world = mst_scene_scratch(builder, builder->nodes.count, 16 * sizeof *world);
    float *inverse = mst_scene_take(builder, count, 16 * sizeof *inverse);
    const int32_t *joints = mst_scene_copy(builder, nodes, count, sizeof *joints);
    mst_skin *skin = mst_scene_take(builder, 1, sizeof *skin);
    if (!mst_scene_ok(builder))
        return NULL;
    mst_scene_world_matrices(&scene, world);
    for (uint64_t i = 0; i < count; i++)
        if (!invert(world + 16 * (size_t)nodes[i], inverse + 16 * i))
            return NULL;
    *skin =
        (mst_skin){.name = "bones", .joints = joints, .joint_count = (size_t)count, .inverse_binds = inverse};
    return skin;
}
