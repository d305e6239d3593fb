/* SPDX-License-Identifier: MIT */
/* Invariants of every scene. */
#ifndef MST_TESTS_FUZZ_SCENES_H
#define MST_TESTS_FUZZ_SCENES_H

#include "property.h"

static inline void fuzz_is_a_scene(const mst_scene *scene) {
    HOLDS(scene->node_count > 0 && scene->nodes[0].parent == -1);
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        HOLDS(node->name && node->class_name && node->layer && node->label);
        HOLDS(i == 0 || (node->parent >= 0 && (size_t)node->parent < i));
        HOLDS(node->mesh < (int64_t)scene->mesh_count && node->mesh >= -1);
        HOLDS(node->light < (int64_t)scene->light_count && node->light >= -1);
        HOLDS(node->camera < (int64_t)scene->camera_count && node->camera >= -1);
        for (size_t e = 0; e < node->extras.count; e++) {
            const mst_extra *extra = &node->extras.items[e];
            HOLDS(extra->kind != MST_EXTRA_TEXT || extra->text);
            HOLDS(extra->kind != MST_EXTRA_REAL || (extra->real - extra->real == 0));
        }
    }
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (size_t p = 0; p < scene->meshes[m].primitive_count; p++) {
            const mst_primitive *primitive = &scene->meshes[m].primitives[p];
            HOLDS(primitive->material >= -1 && primitive->material < (int64_t)scene->material_count);
            HOLDS(primitive->index_count % 3 == 0);
            for (uint32_t i = 0; i < primitive->index_count; i++)
                HOLDS(primitive->indices[i] < primitive->vertex_count);
        }
    for (size_t m = 0; m < scene->material_count; m++)
        HOLDS(scene->materials[m].image >= -1 && scene->materials[m].image < (int64_t)scene->image_count);
}

#endif
