/* SPDX-License-Identifier: MIT */
/*
 * The sizes of tiles are known only from their images, which are in other files. Floor tiles are laid side by
 * side, however: the most frequent step between tiles of one type in a row is their size, mostly 96 units, 64
 * and 128 in older levels. Walls and borders form rows in one direction only, half a step from the centres of
 * the floor tiles: they are strips. A tile that forms no rows is something small, such as a plant or a lamp.
 */
#include "tiles.h"
#include "revenant.h"
#include <stdlib.h>
#include <string.h>

#define STEP_MIN   24 /* units */
#define STEP_MAX   256
#define SMALL      14.0F
#define LIFT_STRIP 1.0F
#define LIFT_SMALL 2.0F

void mst_revenant_tiles_begin(mst_revenant_tiles *tiles, const mst_allocator *allocator) {
    *tiles = (mst_revenant_tiles){.allocator = *allocator, .by_id.allocator = *allocator};
    tiles->kinds = (mst_array){.element_size = sizeof(mst_revenant_kind), .allocator = *allocator};
    tiles->placed = (mst_array){.element_size = sizeof(mst_revenant_placed), .allocator = *allocator};
}

void mst_revenant_tiles_end(mst_revenant_tiles *tiles) {
    mst_hash_map_end(&tiles->by_id);
    mst_array_free(&tiles->kinds);
    mst_array_free(&tiles->placed);
}

/* ---- kinds ------------------------------------------------------------------------------------- */

uint32_t mst_revenant_kind_of(mst_revenant_tiles *tiles, int32_t class_number, uint32_t id, bool *made) {
    mst_hash_map_entry key = mst_key_number((uint64_t)(uint32_t)class_number << 32 | id);
    const uint32_t *known = mst_hash_map_find(&tiles->by_id, key);
    *made = !known;
    if (known)
        return *known;
    key.value = (uint32_t)tiles->kinds.count;
    mst_revenant_kind *kind = mst_array_push(&tiles->kinds, 1);
    if (!kind)
        return MST_REVENANT_NO_KIND;
    *kind = (mst_revenant_kind){.class_number = class_number,
                                .id = id,
                                .class_name = "",
                                .name = "",
                                .type_name = "",
                                .imagery = "",
                                .by_id = "",
                                .id_text = "",
                                .mesh = -1};
    return mst_hash_map_add(&tiles->by_id, key) ? key.value : MST_REVENANT_NO_KIND;
}

bool mst_revenant_place_kind(mst_revenant_tiles *tiles, uint32_t kind, int32_t node,
                             const int32_t position[3], const float translation[3]) {
    mst_revenant_placed *placed = mst_array_push(&tiles->placed, 1);
    if (!placed)
        return false;
    *placed = (mst_revenant_placed){
        .kind = kind, .node = node, .height = position[2], .x = translation[0], .y = translation[2]};
    return true;
}

/* ---- sizes ------------------------------------------------------------------------------------- */

static int compare(float a, float b) {
    return (a > b) - (a < b);
}

static int by_row(const void *left, const void *right) {
    const mst_revenant_placed *a = left, *b = right;
    int order = (a->kind > b->kind) - (a->kind < b->kind);
    if (!order)
        order = (a->height > b->height) - (a->height < b->height);
    if (!order)
        order = compare(a->y, b->y);
    if (!order)
        order = compare(a->x, b->x);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

static int by_column(const void *left, const void *right) {
    const mst_revenant_placed *a = left, *b = right;
    int order = (a->kind > b->kind) - (a->kind < b->kind);
    if (!order)
        order = (a->height > b->height) - (a->height < b->height);
    if (!order)
        order = compare(a->x, b->x);
    if (!order)
        order = compare(a->y, b->y);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* The most frequent step within rows (or columns) of a run of one kind; `times`: the number of
 * occurrences. */
static uint32_t frequent_step(const mst_revenant_placed *placed, size_t count, bool columns,
                              uint32_t *times) {
    uint32_t counts[STEP_MAX + 1] = {0}, best = 0;
    *times = 0;
    for (size_t i = 1; i < count; i++) {
        const mst_revenant_placed *a = &placed[i - 1], *b = &placed[i];
        bool same_row = a->height == b->height && compare(columns ? a->x : a->y, columns ? b->x : b->y) == 0;
        float step = columns ? b->y - a->y : b->x - a->x;
        if (same_row && step >= STEP_MIN && step <= STEP_MAX)
            counts[(uint32_t)step]++;
    }
    for (uint32_t step = STEP_MIN; step <= STEP_MAX; step++)
        if (counts[step] > *times) {
            *times = counts[step];
            best = step;
        }
    return best;
}

typedef struct steps {
    uint32_t step, times;
} steps;

static void measure_along(mst_revenant_tiles *tiles, bool columns, steps *found) {
    mst_revenant_placed *placed = tiles->placed.items;
    const mst_revenant_kind *kinds = tiles->kinds.items;
    size_t count = tiles->placed.count;
    if (count > 1)
        qsort(placed, count, sizeof *placed, columns ? by_column : by_row);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && placed[next].kind == placed[i].kind;)
            next++;
        if (next - i < 3 || kinds[placed[i].kind].class_number != MST_REVENANT_TILE)
            continue;
        steps *s = &found[placed[i].kind];
        s->step = frequent_step(placed + i, next - i, columns, &s->times);
        if (s->times < 2 || s->times * 8 < next - i) /* a coincidence */
            *s = (steps){0, 0};
    }
}

bool mst_revenant_measure(mst_revenant_tiles *tiles) {
    const mst_allocator *a = &tiles->allocator;
    mst_revenant_kind *kinds = tiles->kinds.items;
    size_t count = tiles->kinds.count, bytes = count * 2 * sizeof(steps);
    if (!count)
        return true;
    steps *found = a->resize(a->user, NULL, 0, bytes);
    if (!found)
        return false;
    memset(found, 0, bytes);
    measure_along(tiles, false, found);
    measure_along(tiles, true, found + count);
    for (size_t i = 0; i < count; i++) {
        steps x = found[i], y = found[count + i];
        mst_revenant_kind *kind = &kinds[i];
        /* strips whose rows happen to be a step apart are still strips */
        if (x.times >= y.times * 4)
            y.step = 0;
        if (y.times >= x.times * 4)
            x.step = 0;
        bool strip = !x.step != !y.step, small = !x.step && !y.step;
        float narrow = small ? SMALL : (float)(x.step + y.step) / 2;
        kind->size[0] = x.step ? (float)x.step : narrow;
        kind->size[1] = y.step ? (float)y.step : narrow;
        kind->lift = small ? LIFT_SMALL : strip ? LIFT_STRIP : 0;
    }
    a->resize(a->user, found, bytes, 0);
    return true;
}
