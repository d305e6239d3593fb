/* SPDX-License-Identifier: MIT */
/* Interaction lines of blocks as walls in a scene: one mesh per type, each in its own colour. */
#include "../../../scene/geometry.h"
#include "../../../scene/work.h"
#include "sfa_objects.h"
#include <stdio.h>
#include <string.h>

#define TYPES 64

static bool is_disabled(const mst_sfa_hit *line) {
    return mst_sfa_hit_is_outside(line->x) || mst_sfa_hit_is_outside(line->z) || line->disabled;
}

/* The corners are the bottom and top of the first end, then the top and bottom of the second. */
static void put_wall(const mst_sfa_hit *line, float *positions, uint32_t *indices, uint32_t base) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    for (uint32_t corner = 0; corner < 4; corner++) {
        unsigned end = corner / 2;
        bool top = corner == 1 || corner == 2;
        *positions++ = line->x[end];
        *positions++ = (float)(line->y[end] + (top ? line->heights[end] : 0));
        *positions++ = line->z[end];
    }
    for (uint32_t i = 0; i < 6; i++)
        indices[i] = base + order[i];
}

typedef struct hits {
    mst_scene_builder *build;
    const mst_sfa_hit *lines;
    const char *layer;
    mst_scene_source source;
    uint32_t count;
    int32_t *materials; /* by type, then the disabled ones; may be NULL */
} hits;

static int32_t material_of(const hits *h, unsigned type, bool disabled, const char *name) {
    int32_t *kept = h->materials ? &h->materials[type + (disabled ? TYPES : 0)] : NULL;
    if (kept && *kept >= 0)
        return *kept;
    mst_material material = {
        .name = name, .image = -1, .alpha_mode = MST_ALPHA_BLEND, .double_sided = 1, .unlit = 1};
    mst_color_of_name(name, material.color);
    material.color[3] = disabled ? 0.25F : 0.6F;
    int32_t index = mst_scene_add_material(h->build, &material);
    if (kept)
        *kept = index;
    return index;
}

static bool belongs(const mst_sfa_hit *line, unsigned type, bool disabled) {
    return line->type == type && !mst_sfa_hit_is_padding(line) && is_disabled(line) == disabled;
}

static void add_type(const hits *h, int32_t group, unsigned type, bool disabled, uint32_t count) {
    mst_scene_builder *build = h->build;
    const char *known = mst_sfa_hit_name(type),
               *kept = known ? known : mst_scene_printf(build, "type_%02X", type);
    float *positions = mst_scene_take(build, count, 12 * sizeof *positions);
    uint32_t *indices = mst_scene_take(build, count, 6 * sizeof *indices);
    uint32_t *elements = mst_scene_take(build, count, 2 * sizeof *elements);
    if (!positions || !indices || !elements)
        return;
    uint32_t done = 0;
    for (uint32_t i = 0; i < h->count && done < count; i++) {
        if (!belongs(&h->lines[i], type, disabled))
            continue;
        put_wall(&h->lines[i], positions + 12 * (size_t)done, indices + 6 * (size_t)done, 4 * done);
        elements[2 * (size_t)done] = elements[2 * (size_t)done + 1] = i;
        done++;
    }
    const mst_primitive walls = {.vertex_count = 4 * done,
                                 .index_count = 6 * done,
                                 .positions = positions,
                                 .indices = indices,
                                 .source = h->source,
                                 .elements = elements};
    int32_t mesh = mst_scene_add_shape(build, &walls, kept, material_of(h, type, disabled, kept));
    mst_extras_builder extras;
    mst_extras_begin(&extras, build);
    mst_extras_integer(&extras, "type", type);
    mst_extras_integer(&extras, "lines", done);
    mst_extras list = mst_extras_end(&extras);
    int32_t index = mst_scene_add_node(build, group, kept, disabled ? MST_ROLE_HELPER : MST_ROLE_COLLISION);
    mst_node *node = mst_scene_node(build, index);
    if (!node)
        return;
    node->mesh = mesh;
    node->extras = list;
    node->source = h->source;
    node->layer = h->layer;
}

void mst_sfa_scene_hits(
    mst_scene_builder *build, int32_t parent, const mst_sfa_hit *lines, uint32_t count, const char *layer,
    const mst_scene_source *source,
    int32_t materials[MST_SFA_HIT_MATERIALS]) { /* NOLINT(readability-non-const-parameter) */
    uint32_t counts[2][TYPES] = {{0}};
    if (count > UINT32_MAX / 8)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (!mst_sfa_hit_is_padding(&lines[i]))
            counts[is_disabled(&lines[i])][lines[i].type % TYPES]++;
    hits h = {.build = build,
              .lines = lines,
              .layer = layer,
              .source = *source,
              .count = count,
              .materials = materials};
    for (unsigned disabled = 0; disabled < 2; disabled++) {
        int32_t group = -1;
        for (unsigned type = 0; type < TYPES && mst_scene_ok(build); type++) {
            if (!counts[disabled][type])
                continue;
            if (group < 0)
                group = mst_scene_add_group(build, parent, disabled ? "hits_disabled" : "hits", layer);
            add_type(&h, group, type, disabled != 0, counts[disabled][type]);
        }
    }
}
