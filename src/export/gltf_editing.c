/* SPDX-License-Identifier: MIT */
/*
 * glTF files that are to be edited and imported again: numbers of faces and vertices. Texture coordinates are
 * the only values of vertices that Blender keeps to the bit, copies with new faces and exports again;
 * attributes of a name of ours it drops.
 */
#include "../core/diagnose.h"
#include "../scene/elements.h"
#include "gltf_plan.h"

#define NUMBER_LIMIT 16777216u /* floats count to here */

/* Whether its triangles are elements of the level itself. */
static bool is_numbered(const mst_primitive *source) {
    return source->elements && source->source.path && (!source->source.file || !*source->source.file);
}

/* The number of a vertex that triangles of several elements share is 0. */
static mst_status number_vertices(mst_gltf_primitive *primitive, float *numbers) {
    const mst_primitive *source = primitive->source;
    const uint32_t count = source->indices ? source->index_count : primitive->vertex_count;
    for (uint32_t i = 0; i < count / 3 * 3; i++) {
        const uint32_t vertex = source->indices ? source->indices[i] : i, element = source->elements[i / 3];
        if (vertex >= primitive->vertex_count)
            continue;
        const uint32_t own = source->vertices ? source->vertices[vertex] : MST_NO_INDEX;
        if (element >= NUMBER_LIMIT - 1 || (own != MST_NO_INDEX && own >= NUMBER_LIMIT - 1))
            return MST_UNSUPPORTED;
        float *number = numbers + 2 * (size_t)vertex;
        const float said = (float)(element + 1);
        number[0] = number[0] == 0 || number[0] == said ? said : -1;
        number[1] = own == MST_NO_INDEX ? 0 : (float)(own + 1);
    }
    for (uint32_t i = 0; i < primitive->vertex_count; i++)
        if (numbers[2 * (size_t)i] < 0)
            numbers[2 * (size_t)i] = numbers[2 * (size_t)i + 1] = 0;
    return MST_OK;
}

mst_status mst_gltf_plan_editing(mst_gltf_plan *p, mst_diagnostic *diagnostic) {
    p->stands = mst_arena_zero(&p->arena, p->scene->node_count, sizeof *p->stands);
    if (!p->stands || !mst_scene_find_elements(p->scene, &p->arena.allocator, p->stands))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    for (size_t i = 0; i < p->primitive_count; i++) {
        mst_gltf_primitive *primitive = &p->primitives[i];
        if (!is_numbered(primitive->source))
            continue;
        float *numbers = mst_arena_zero(&p->arena, primitive->vertex_count, 2 * sizeof *numbers);
        if (!numbers)
            return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
        if (number_vertices(primitive, numbers) != MST_OK)
            return mst_fail(diagnostic, MST_UNSUPPORTED,
                            "the level has too many faces or vertices for a file that can be imported again");
        primitive->numbers = numbers;
        primitive->flags |= MST_GLTF_HAS_NUMBERS;
    }
    return MST_OK;
}
