/* SPDX-License-Identifier: MIT */
/*
 * Chooses the lights of a glTF file. Viewers compute every light for every pixel, and their shaders support a
 * few dozen: with hundreds they show nothing, or a frame takes minutes.
 */
#include "gltf.h"
#include <mapstone/export.h>
#include <stdlib.h>

typedef struct candidate {
    double brightness;
    float range;
    size_t node;
} candidate;

/*
 * The same on every machine: the colour is rounded to 14 bits and the weights are integers, so that the
 * luminance has 28 bits and its product with a 24-bit float is exact.
 */
static double brightness_of(const mst_light *light) {
    static const uint32_t weights[3] = {2126, 7152, 722}; /* of BT.709, which has the primaries of sRGB */
    uint32_t luminance = 0;
    for (int i = 0; i < 3; i++)
        luminance += weights[i] * (uint32_t)(clamped(light->color[i], 0, 1) * 16384.0F);
    return (double)intensity_of(light) * luminance;
}

/* Directional lights come first: they light everything, and lux cannot be compared with candela. */
static candidate candidate_of(const mst_scene *scene, size_t node) {
    const mst_light *light = &scene->lights[scene->nodes[node].light];
    const float range = range_of(light);
    candidate result = {
        .brightness = brightness_of(light), .range = range > 0 ? range : INFINITY, .node = node};
    if (light_kind_of(light) == MST_LIGHT_DIRECTIONAL && result.brightness > 0)
        result.brightness = INFINITY;
    return result;
}

static int brighter_first(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    if (a->brightness != b->brightness)
        return (a->brightness < b->brightness) - (a->brightness > b->brightness);
    if (a->range != b->range)
        return (a->range < b->range) - (a->range > b->range);
    return (a->node > b->node) - (a->node < b->node);
}

bool mst_gltf_plan_lights(mst_gltf_plan *p, int32_t max_lights) {
    const mst_scene *scene = p->scene;
    size_t count = 0, limit = max_lights > 0 ? (size_t)max_lights : max_lights ? 0 : MST_GLTF_LIGHTS;
    for (size_t i = 0; i < scene->node_count; i++)
        if (p->nodes.index[i] >= 0 && within(scene->nodes[i].light, scene->light_count))
            count++;
    candidate *candidates = mst_arena_take(&p->arena, count, sizeof *candidates);
    p->lit = mst_arena_zero(&p->arena, scene->node_count, sizeof *p->lit);
    if (!candidates || !p->lit)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        if (p->nodes.index[i] >= 0 && within(scene->nodes[i].light, scene->light_count))
            candidates[at++] = candidate_of(scene, i);
    if (count > limit && limit)
        qsort(candidates, count, sizeof *candidates, brighter_first);
    for (size_t i = 0; i < count && i < limit; i++) {
        p->lit[candidates[i].node] = true;
        p->light_list.index[scene->nodes[candidates[i].node].light] = 0;
    }
    p->lights_left_out = count > limit ? count - limit : 0;
    return true;
}
