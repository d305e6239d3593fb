/* SPDX-License-Identifier: MIT */
#include "links.h"
#include "../core/lower_bound.h"

#include <math.h>
#include <stdlib.h>

#define NEAR 0.01f /* metres; positions of links and of nodes are rounded differently */

typedef struct end {
    const float *position;
    bool shown;
} end;

static int by_x(const void *left, const void *right) {
    const end *a = left, *b = right;
    return (a->position[0] > b->position[0]) - (a->position[0] < b->position[0]);
}

static size_t first_from(const end *ends, size_t count, float x) {
    MST_LOWER_BOUND(low, middle, count, ends[middle].position[0] < x);
    return low;
}

/* Whether there are entities at a point, and all of them are hidden. */
static bool is_hidden(const end *ends, size_t count, const float point[3]) {
    bool hidden = false;
    for (size_t i = first_from(ends, count, point[0] - NEAR);
         i < count && ends[i].position[0] <= point[0] + NEAR; i++) {
        if (fabsf(ends[i].position[1] - point[1]) > NEAR || fabsf(ends[i].position[2] - point[2]) > NEAR)
            continue;
        if (ends[i].shown)
            return false;
        hidden = true;
    }
    return hidden;
}

mst_status mst_links_choose(mst_view_world *world, const mst_scene *scene, const float *matrices,
                            const bool *shown) {
    size_t count = 0, kept = 0, hidden = 0;
    end *ends = mst_arena_take(world->arena, scene->node_count, sizeof *ends);
    if (!ends)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < scene->node_count; i++) {
        const float *position = matrices + 16 * i + 12;
        if (scene->nodes[i].role == MST_ROLE_GROUP || !isfinite(position[0]))
            continue;
        ends[count++] = (end){position, shown[i]};
        hidden += !shown[i];
    }
    if (!hidden)
        return MST_OK;
    qsort(ends, count, sizeof *ends, by_x);
    for (size_t i = 0; i < world->line_count; i++) {
        const mst_map_line *line = &world->lines[i];
        if (line->kind != MST_MAP_LINK ||
            !(is_hidden(ends, count, line->from) || is_hidden(ends, count, line->to)))
            world->lines[kept++] = *line;
    }
    world->line_count = kept;
    return MST_OK;
}
