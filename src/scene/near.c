/* SPDX-License-Identifier: MIT */
#include "near.h"
#include <math.h>
#include <stdlib.h>

#define LEAF_ITEMS 8u /* on an average */

/* ---- boxes by place ---- */

static const mst_box nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void include_box(mst_box *box, const mst_box *other) {
    box->left = fmin(box->left, other->left);
    box->low = fmin(box->low, other->low);
    box->right = fmax(box->right, other->right);
    box->high = fmax(box->high, other->high);
}

typedef struct spot {
    uint64_t code;
    uint32_t item;
} spot;

static int compare_places(const void *left, const void *right) {
    const spot *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* 32 bits, with a free one after each. */
static uint64_t spread(uint64_t bits) {
    static const uint64_t masks[5] = {UINT64_C(0x0000FFFF0000FFFF), UINT64_C(0x00FF00FF00FF00FF),
                                      UINT64_C(0x0F0F0F0F0F0F0F0F), UINT64_C(0x3333333333333333),
                                      UINT64_C(0x5555555555555555)};
    for (int i = 0; i < 5; i++)
        bits = (bits | bits << (16 >> i)) & masks[i];
    return bits;
}

static uint64_t place_between(double value, double low, double high) {
    return (uint64_t)((value - low) / (high - low) * 4294967295.0);
}

/* The middles of boxes in the order of a Z-curve: what is near on it is near in the plane. */
static void order_places(spot *places, const mst_box *boxes, uint32_t count, const mst_box *all) {
    for (uint32_t i = 0; i < count; i++) {
        double x = boxes[i].left / 2 + boxes[i].right / 2, y = boxes[i].low / 2 + boxes[i].high / 2;
        places[i].item = i;
        places[i].code = spread(place_between(x, all->left, all->right)) |
                         spread(place_between(y, all->low, all->high)) << 1;
    }
    qsort(places, count, sizeof *places, compare_places);
}

static void settle_leaves(mst_box_tree *tree, const spot *places, const mst_box *boxes, uint32_t count) {
    for (uint32_t i = 0; i < tree->leaf_count; i++)
        tree->first[i] = MST_NO_ITEM;
    for (uint32_t i = 0; i < 2 * tree->leaf_count; i++)
        tree->boxes[i] = nowhere;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t item = places ? places[i].item : i;
        uint32_t leaf = (uint32_t)((uint64_t)i * tree->leaf_count / count);
        tree->leaf[item] = leaf;
        tree->next[item] = tree->first[leaf];
        tree->first[leaf] = item;
        include_box(&tree->boxes[tree->leaf_count + leaf], &boxes[item]);
    }
    for (uint32_t i = tree->leaf_count; i-- > 1;) {
        tree->boxes[i] = tree->boxes[2 * i];
        include_box(&tree->boxes[i], &tree->boxes[2 * i + 1]);
    }
}

bool mst_box_tree_make(mst_box_tree *tree, mst_arena *arena, const mst_box *boxes, uint32_t count,
                       uint32_t capacity) {
    tree->leaf_count = 1;
    while ((uint64_t)tree->leaf_count * LEAF_ITEMS < count)
        tree->leaf_count *= 2;
    tree->first = mst_arena_take(arena, tree->leaf_count, sizeof *tree->first);
    tree->next = mst_arena_take(arena, capacity, sizeof *tree->next);
    tree->leaf = mst_arena_take(arena, capacity, sizeof *tree->leaf);
    tree->boxes = mst_arena_take(arena, 2 * (size_t)tree->leaf_count, sizeof *tree->boxes);
    tree->inside = mst_arena_zero(arena, 2 * (size_t)tree->leaf_count, sizeof *tree->inside);
    spot *places = tree->leaf_count > 1 ? mst_arena_take(arena, count, sizeof *places) : NULL;
    if (!tree->first || !tree->next || !tree->leaf || !tree->boxes || !tree->inside ||
        (tree->leaf_count > 1 && !places))
        return false;
    mst_box all = nowhere;
    for (uint32_t i = 0; i < count; i++)
        include_box(&all, &boxes[i]);
    if (places)
        order_places(places, boxes, count, &all);
    settle_leaves(tree, places, boxes, count);
    return true;
}

void mst_box_tree_add(mst_box_tree *tree, uint32_t item, uint32_t beside) {
    uint32_t leaf = tree->leaf[beside];
    tree->leaf[item] = leaf;
    tree->next[item] = tree->next[beside];
    tree->next[beside] = item;
}

void mst_box_tree_enter(mst_box_tree *tree, uint32_t item) {
    for (uint32_t node = tree->leaf_count + tree->leaf[item]; node; node /= 2)
        tree->inside[node]++;
}

void mst_box_tree_leave(mst_box_tree *tree, uint32_t item) {
    for (uint32_t node = tree->leaf_count + tree->leaf[item]; node; node /= 2)
        tree->inside[node]--;
}

void mst_box_tree_grow(mst_box_tree *tree, uint32_t item, mst_box box) {
    for (uint32_t node = tree->leaf_count + tree->leaf[item]; node; node /= 2)
        include_box(&tree->boxes[node], &box);
}

mst_box_search mst_box_search_begin(const mst_box_tree *tree, mst_box within) {
    return (mst_box_search){.tree = tree, .within = within, .node = 1, .item = MST_NO_ITEM};
}

/* The corner of a box that is farthest to the left of a line decides. It is computed as a point in the box
 * would be, and rounding keeps the order: no such point lies farther to the left. */
static bool wholly_right_of(const mst_box *box, const double edge[4]) {
    double along_x = edge[2] - edge[0], along_y = edge[3] - edge[1];
    double y = along_x > 0 ? box->high : box->low, x = along_y > 0 ? box->left : box->right;
    return along_x * (y - edge[1]) - along_y * (x - edge[0]) < 0;
}

static bool concerns(const mst_box_search *search, uint32_t node) {
    const mst_box *box = &search->tree->boxes[node], *within = &search->within;
    if (!search->tree->inside[node] || box->left > within->right || box->right < within->left ||
        box->low > within->high || box->high < within->low)
        return false;
    for (unsigned i = 0; i < search->edge_count; i++)
        if (wholly_right_of(box, search->edges[i]))
            return false;
    return true;
}

/* The node before this one and all below it; 0 before the first. */
static uint32_t node_before(uint32_t node) {
    while (node % 2 == 0)
        node /= 2;
    return node > 1 ? node - 1 : 0;
}

uint32_t mst_box_search_next(mst_box_search *search) {
    const mst_box_tree *tree = search->tree;
    while (search->item == MST_NO_ITEM) {
        uint32_t node = search->node;
        if (!node)
            return MST_NO_ITEM;
        search->steps++;
        if (!concerns(search, node)) {
            search->node = node_before(node);
        } else if (node < tree->leaf_count) {
            search->node = 2 * node + 1; /* from the right: rays look to the left */
        } else {
            search->item = tree->first[node - tree->leaf_count];
            search->node = node_before(node);
        }
    }
    uint32_t item = search->item;
    search->item = tree->next[item];
    search->steps++;
    return item;
}

/* ---- marks on places in a row ---- */

bool mst_marks_make(mst_marks *marks, mst_arena *arena, uint32_t count) {
    marks->level_count = 0;
    uint32_t words = count;
    do {
        words = words / 64 + 1;
        uint64_t *level = mst_arena_zero(arena, words, sizeof *level);
        if (!level)
            return false;
        marks->levels[marks->level_count++] = level;
    } while (words > 1);
    return true;
}

void mst_marks_set(mst_marks *marks, uint32_t place, bool marked) {
    for (unsigned level = 0; level < marks->level_count; level++) {
        uint64_t *word = &marks->levels[level][place / 64], bit = UINT64_C(1) << place % 64, before = *word;
        *word = marked ? before | bit : before & ~bit;
        if (!before == !*word) /* nothing changes above */
            return;
        place /= 64;
    }
}

static uint32_t lowest_bit(uint64_t bits) {
    uint32_t place = 0;
    for (uint32_t step = 32; step; step /= 2)
        if (!(bits & ((UINT64_C(1) << step) - 1))) {
            bits >>= step;
            place += step;
        }
    return place;
}

uint32_t mst_marks_next(const mst_marks *marks, uint32_t place) {
    for (unsigned level = 0; level < marks->level_count; level++) {
        uint32_t index = place / 64; /* there is a word behind the last place, on each level */
        uint64_t rest = marks->levels[level][index] & ~UINT64_C(0) << place % 64;
        if (rest) {
            place = index * 64 + lowest_bit(rest);
            while (level-- > 0)
                place = place * 64 + lowest_bit(marks->levels[level][place]);
            return place;
        }
        place = index + 1; /* this word has none: on the level above, the next one that has */
    }
    return MST_NO_ITEM;
}
