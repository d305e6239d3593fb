/* SPDX-License-Identifier: MIT */
/* Declarations shared by the parts of a Turok level's scene. */
#ifndef MST_TUROK_TUROK_SCENE_H
#define MST_TUROK_TUROK_SCENE_H

#include "../../core/number.h"
#include "../../scene/work.h"
#include "../extras.h"
#include "../present.h"
#include "models/turok_stock.h"
#include "turok.h"

#define MST_TUROK_UNITS 38.4F /* in a metre; an estimate from the size of people */

#define MST_TUROK_HALF_ROOT 0.70710678F
#define MST_TUROK_PATH      1024

/* In the builder's scratch memory: too much for the stack. */
typedef struct mst_turok_work {
    mst_scene_builder *builder;
    mst_value root;
    mst_turok_actor_names actor_names; /* from the game's definitions, if they were found */

    /* of vertices, areas and sectors; the count of a missing column is 0 */
    mst_column positions, ceilings;
    mst_value areas;
    mst_column area_flags, water_colors, water_heights, map_colors;
    mst_column sector_areas, sector_flags, sector_corners, sector_links, sector_orders;
    bool links_turned; /* link i crosses the edge from corner i to the next, as in the original game */
    uint64_t sector_count, left_out;

    mst_kex_stock stock;
    mst_map map;
    float lowest; /* floor */

    char model[MST_TUROK_PATH], animation[MST_TUROK_PATH]; /* of the element being added */
} mst_turok_work;

static inline float mst_turok_real(const mst_column *column, uint64_t index, uint32_t component) {
    return mst_f32_of_bits(mst_column_u32(column, index, component));
}

/* Converts the file's axes to scene axes: Z up to Y up. NULL: does nothing. */
static inline void mst_turok_turn_up(mst_node *root) {
    if (root) {
        root->rotation[0] = -MST_TUROK_HALF_ROOT;
        root->rotation[3] = MST_TUROK_HALF_ROOT;
    }
}

/* Adds floors, ceilings, water and walls, and the map's faces; `lines` receives the map's lines. */
void mst_turok_add_floors(mst_turok_work *w, mst_array *lines);

#endif
