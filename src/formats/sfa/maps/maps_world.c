/* SPDX-License-Identifier: MIT */
#include "maps_world.h"
#include "../../../core/lower_bound.h"
#include "../../present.h"
#include "../sfa_names.h"
#include <stdlib.h>

static const mst_binding placement_items[] = {
    MST_BINDING(mst_sfa_placement, grid_x, "grid_x"), MST_BINDING(mst_sfa_placement, grid_z, "grid_z"),
    MST_BINDING(mst_sfa_placement, layer, "layer"),   MST_BINDING(mst_sfa_placement, map, "map"),
    MST_BINDING(mst_sfa_placement, links, "links"),
};
static const mst_binding warp_items[] = {
    MST_BINDING(mst_sfa_warp, position, "position"),
    MST_BINDING(mst_sfa_warp, layer, "layer"),
    MST_BINDING(mst_sfa_warp, angle, "angle"),
};
const mst_bindings mst_sfa_placement_bindings = MST_BINDINGS(mst_sfa_placement, "placement", placement_items),
                   mst_sfa_warp_bindings = MST_BINDINGS(mst_sfa_warp, "warp", warp_items);

/* The rows of a table, from the arena; NULL: no memory. */
static void *read_rows(const mst_document *table, const mst_bindings *bindings, const char *name,
                       mst_arena *arena, size_t *count) {
    mst_value root = mst_root(table), list = mst_member_in(&root, name);
    uint64_t capacity = mst_count(&list);
    mst_bound bound;
    *count = 0;
    void *rows = mst_arena_take(arena, (size_t)capacity, bindings->struct_size);
    if (!rows)
        return NULL;
    mst_bind(table, bindings, &bound);
    *count = (size_t)mst_fill_list(&bound, &list, rows, capacity);
    return rows;
}

mst_status mst_sfa_placements(const mst_document *world, mst_arena *arena, mst_sfa_placement **rows,
                              size_t *count) {
    *rows = read_rows(world, &mst_sfa_placement_bindings, "placements", arena, count);
    return *rows ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_sfa_warps(const mst_document *table, mst_arena *arena, mst_sfa_warp **rows, size_t *count) {
    *rows = read_rows(table, &mst_sfa_warp_bindings, "warps", arena, count);
    return *rows ? MST_OK : MST_NO_MEMORY;
}

bool mst_sfa_warp_is_unused(const mst_sfa_warp *warp) {
    const float *at = warp->position;
    return at[0] == 0 && at[1] == 0 && at[2] == 0 && !warp->layer && !warp->angle;
}

const mst_sfa_placement *mst_sfa_placement_of(const mst_sfa_placement *rows, size_t count, uint32_t map) {
    for (size_t i = 0; i < count; i++)
        if ((uint32_t)rows[i].map == map)
            return &rows[i];
    return NULL;
}

/* ---- cells -------------------------------------------------------------------------------------- */

static int compare_grid(const mst_sfa_place *p, const mst_sfa_place *q) {
    if (p->layer != q->layer)
        return p->layer < q->layer ? -1 : 1;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static int compare_places(const void *a, const void *b) {
    const mst_sfa_place *p = a, *q = b;
    int order = compare_grid(p, q);
    if (order)
        return order;
    return p->map < q->map ? -1 : p->map > q->map; /* cells of one map are at different places */
}

bool mst_sfa_same_place(const mst_sfa_place *a, const mst_sfa_place *b) {
    return compare_grid(a, b) == 0;
}

static void place_map(const mst_sfa_map_view *map, const mst_sfa_placement *row, mst_sfa_place *places,
                      size_t *count) {
    for (uint32_t i = 0; i < map->cell_count; i++) {
        if (!mst_sfa_shows_block(mst_sfa_map_cell(map, i)))
            continue;
        places[(*count)++] =
            (mst_sfa_place){.x = row->grid_x - map->origin_x + (int)(i % (uint32_t)map->columns),
                            .z = row->grid_z - map->origin_z + (int)(i / (uint32_t)map->columns),
                            .layer = row->layer,
                            .map = map->number,
                            .cell = i,
                            .offset = mst_column_offset(map->map.document, &map->mod, i),
                            .length = map->mod.stride};
    }
}

mst_status mst_sfa_place_cells(const mst_document *maps, const mst_document *world, mst_arena *scratch,
                               mst_sfa_place **places, size_t *count) {
    mst_sfa_maps_cursor cursor;
    mst_sfa_maps_open(maps, &cursor);
    mst_sfa_map_view map;
    mst_sfa_placement *rows;
    uint64_t needed = 0;
    size_t row_count;
    *places = NULL;
    *count = 0;
    while (mst_sfa_maps_next(&cursor, &map))
        needed += map.number < MST_SFA_MAPS ? map.cell_count : 0;
    if (!needed)
        return MST_OK;
    *places = mst_arena_zero(scratch, (size_t)needed, sizeof **places);
    mst_status status = mst_sfa_placements(world, scratch, &rows, &row_count);
    if (!*places || status != MST_OK)
        return MST_NO_MEMORY;
    mst_sfa_maps_open(maps, &cursor);
    while (mst_sfa_maps_next(&cursor, &map)) {
        const mst_sfa_placement *row =
            map.number < MST_SFA_MAPS ? mst_sfa_placement_of(rows, row_count, map.number) : NULL;
        if (row)
            place_map(&map, row, *places, count);
    }
    qsort(*places, *count, sizeof **places, compare_places);
    return MST_OK;
}

const mst_sfa_place *mst_sfa_place_at(const mst_sfa_place *places, size_t count, int layer, int x, int z) {
    mst_sfa_place key = {.layer = layer, .x = x, .z = z};
    MST_LOWER_BOUND(low, middle, count, compare_grid(&places[middle], &key) < 0);
    return low < count && compare_grid(&places[low], &key) == 0 ? &places[low] : NULL;
}

/* ---- blocks ------------------------------------------------------------------------------------- */

mst_status mst_sfa_read_first_blocks(const mst_document *document, mst_arena *arena,
                                     mst_sfa_first_blocks *blocks) {
    mst_value root = mst_root(document), list = mst_member_in(&root, "first_blocks");
    uint64_t capacity = mst_count(&list), count = 0;
    blocks->directories = 0;
    blocks->numbers = mst_arena_take(arena, (size_t)capacity, sizeof *blocks->numbers);
    if (!blocks->numbers)
        return MST_NO_MEMORY;
    mst_target target = {.type = MST_U16, .data = blocks->numbers, .capacity = capacity};
    mst_status status = mst_read(&list, &target, &count, NULL);
    blocks->directories = count ? (uint32_t)count - 1 : 0;
    return status;
}

uint32_t mst_sfa_block_number(const mst_sfa_first_blocks *blocks, unsigned mod, unsigned sub) {
    uint32_t last = blocks->directories - 1, total = blocks->numbers[blocks->directories];
    uint32_t number = blocks->numbers[mod < last ? mod : last] + sub;
    return number < total || !total ? number : total - 1;
}
